# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Random scenes of every kind, and a table of what the command makes of them.

    python3 test/cli/random_scenes.py SCREE [--seeds 0:200] [--seconds 5] [--most 300] [--limit 300]

A seed is a scene: bodies in the plane or in space, of all shapes, alone, in heaps or compounds, with elastic
bodies among them or not; floors, vessels, bowls, tables that shake and drums that turn; all laws and options,
half of them at their defaults. Every scene is valid, nothing in it overlaps at the start. Seeds from 10000
on also have bodies that are born and driven, joints of most kinds, springs, ropes, and mechanisms.

    refused     a step that was not solved: the run stops and says why
    created     contact works above zero though the theorem's hypotheses were met, so that the run had to
                revoke its certificate: never
    sunk        a penetration above a twentieth of the smaller body in a run that is called good: never
"""

import argparse
import collections
import json
import math
import random
import subprocess
import sys
import tempfile
from typing import NamedTuple

SUNK = 0.05  # of the smaller body


# ---- shapes of bodies within a ball of radius r ----


def polygon(rng, r):
    """Corners on a circle."""
    angles = sorted(rng.uniform(0, 2 * math.pi) for _ in range(rng.randint(3, 8)))
    gaps = [b - a for a, b in zip(angles, angles[1:] + [angles[0] + 2 * math.pi])]
    if max(gaps) > 3 or min(gaps) < 0.2:
        angles = [2 * math.pi * k / len(angles) for k in range(len(angles))]
    return {"type": "polygon", "vertices": [[r * math.cos(a), r * math.sin(a)] for a in angles]}


def polyhedron(rng, r):
    """The hull of points on a sphere, the corners of a tetrahedron among them."""
    points = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    points += [[rng.gauss(0, 1) for _ in range(3)] for _ in range(rng.randint(0, 8))]
    return {"type": "polyhedron", "vertices": [
        [r * x / math.sqrt(sum(y * y for y in point)) for x in point] for point in points]}


def box(rng, r, space):
    """Edges of different lengths, the diagonal of length 2 r."""
    edges = [rng.uniform(0.4, 1) for _ in range(space)]
    return {"type": "box", "size": [2 * r * e / math.sqrt(sum(f * f for f in edges)) for e in edges]}


def capsule(rng, r):
    """Thin or thick."""
    radius = rng.uniform(0.3, 0.8) * r
    return {"type": "capsule", "radius": radius, "length": 2 * (r - radius)}


def cylinder(rng, r):
    """Thin or thick."""
    angle = rng.uniform(0.4, 1.1)
    return {"type": "cylinder", "radius": r * math.sin(angle), "length": 2 * r * math.cos(angle)}


def one_shape(rng, space, kind, r):
    """A shape by its name."""
    if kind in ("disc", "sphere"):
        return {"type": kind, "radius": r}
    if kind == "box":
        return box(rng, r, space)
    return {"polygon": polygon, "polyhedron": polyhedron, "capsule": capsule,
            "cylinder": cylinder}[kind](rng, r)


def shapes_of(rng, space, kind, r):
    """The shapes of a body; a compound is a dumbbell of two shapes."""
    if kind != "compound":
        return [one_shape(rng, space, kind, r)]
    names = KINDS[space][:-1]
    shapes = [one_shape(rng, space, rng.choice(names), 0.5 * r) for _ in range(2)]
    for side, shape in zip((-0.5, 0.5), shapes):
        shape["at"] = [side * r] + [0] * (space - 1)
    return shapes


KINDS = {2: ["disc", "polygon", "box", "capsule", "compound"],
         3: ["sphere", "box", "capsule", "cylinder", "polyhedron", "compound"]}


# ---- what they fall on ----


def flat(space, at, normal):
    """A plane."""
    return {"type": "half-plane" if space == 2 else "plane", "at": at, "normal": normal}


def walls(space, half):
    """Planes around, upright."""
    found = []
    for axis in range(space - 1):
        for side in (-1, 1):
            at, normal = [0.0] * space, [0.0] * space
            at[axis], normal[axis] = side * half, -side
            found.append(flat(space, at, normal))
    return found


def bowl(space, half, height):
    """A chain like a V, or a height field like a bowl, with its front above."""
    if space == 2:
        return [{"type": "chain", "vertices": [[-2 * half, height + half], [-half, 0],
                                               [half, 0], [2 * half, height + half]]}]
    side = [(k - 4) / 4 for k in range(9)]
    return [{"type": "height-field", "size": [4 * half, 4 * half],
             "heights": [[half * max(abs(x), abs(y), 0.5) ** 2 - half / 4 for x in side] for y in side]}]


def drum(half, height):
    """A closed chain, counter-clockwise: its front is inside. In the middle of the bodies."""
    radius = 1.2 * math.hypot(half, height / 2) + 0.1
    sides = 24
    corners = [[radius * math.cos(2 * math.pi * k / sides), radius * math.sin(2 * math.pi * k / sides)]
               for k in range(sides)]
    return radius, [{"type": "chain", "vertices": corners + corners[:1]}]


def mesh_box(half, height):
    """An open box of triangles with their fronts inside."""
    x, z = 1.5 * half, height + 2 * half
    vertices = [[sx * x, sy * x, sz * z] for sz in (0, 1) for sx, sy in
                ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    faces = [(0, 1, 2, 3), (1, 0, 4, 5), (2, 1, 5, 6), (3, 2, 6, 7), (0, 3, 7, 4)]
    return [{"type": "mesh", "vertices": vertices,
             "triangles": [t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))]}]


def ground_of(rng, space, half, height):
    """Bodies that do not move by themselves, the kind, and by how much the others are lifted."""
    kinds = ["floor", "floor", "slope", "vessel", "bowl", "table", "drum" if space == 2 else "mesh"]
    kind, up = rng.choice(kinds), [0.0] * (space - 1) + [1.0]
    ground = {"name": "ground", "fixed": True}
    if kind == "floor":
        return [{**ground, "shapes": [flat(space, [0.0] * space, up)]}], kind, 0
    if kind == "slope":
        tilt = rng.uniform(0.05, 0.6)
        normal = [math.sin(tilt)] + [0.0] * (space - 2) + [math.cos(tilt)]
        return [{**ground, "shapes": [flat(space, [0.0] * space, normal)]}], kind, half * math.tan(tilt)
    if kind == "vessel":
        return [{**ground, "shapes": [flat(space, [0.0] * space, up)] + walls(space, 1.05 * half)}], kind, 0
    if kind == "bowl":
        return [{**ground, "shapes": bowl(space, half, height)}], kind, 0.1 if space == 2 else 0.8 * half
    if kind == "table":
        size = rng.uniform(0.002, 0.03)
        move = [f"{size}*sin({rng.uniform(5, 40)}*t)"] + ["0"] * (space - 2) + [
            f"{size}*sin({rng.uniform(5, 40)}*t)" if rng.random() < 0.5 else "0"]
        return [{"name": "ground", "motion": {"position": move},
                 "shapes": [flat(space, [0.0] * space, up)]}], kind, 0.05
    if kind == "mesh":
        return [{**ground, "shapes": mesh_box(half, height)}], kind, 0.02
    radius, shapes = drum(half, height)
    return [{"name": "ground", "motion": {"angle": f"{rng.uniform(0.2, 2)}*t"},
             "position": [0, height / 2], "shapes": shapes}], kind, 0 * radius


# ---- laws and options ----


def law_of(rng, space):
    """One law, of everything that laws may say."""
    law = {"friction": rng.choice([0, 0.1, 0.3, 0.6, rng.uniform(0, 1.2)]),
           "restitution": rng.choice([0, 0, 0, 0.3, rng.random(), 1 if rng.random() < 0.2 else 0])}
    if rng.random() < 0.1:
        law["cohesion"] = rng.uniform(0, 2)
    if rng.random() < 0.2:
        law["impact"] = rng.choice(["newton", "fremond"])
    if space == 3 and rng.random() < 0.15:
        law["rolling"] = rng.uniform(0, 0.02)
    if space == 3 and law["friction"] > 0 and rng.random() < 0.1:
        law["friction_second"] = rng.uniform(0.05, 1)
        law["grain"] = [1, 0, 0]
    return law


def scheme_of(rng, seconds, elastic):
    """Half of the scenes have the defaults."""
    scheme = {"step": rng.choice([5e-3, 2e-3, 1e-3]), "duration": seconds}
    if rng.random() < 0.5:
        return scheme
    scheme["name"] = rng.choice(["moreau-jean", "moreau-jean-fremond", "moreau-jean", "moreau"])
    if rng.random() < 0.5 and scheme["name"] != "moreau":
        scheme["theta"] = rng.choice([0.5, 0.55, 0.7, 1, rng.uniform(0.5, 1)])
    if scheme["name"] != "moreau":
        for key, words in (("activation", ["predicted", "predicted-linear", "half"]),
                           ("approach", ["auto", "kept", "foreseen", "required", "ignored"]),
                           ("jacobian", ["start", "free-end"])):
            if rng.random() < 0.25:
                scheme[key] = rng.choice(words)
    if rng.random() < 0.15 and not elastic:
        scheme["correction"] = "projection"
    return scheme


# ---- scenes ----


def elastic_of(rng, space, at, half):
    """An elastic body above everything else, not wider than that."""
    shape = min(rng.uniform(0.2, 0.5), 1.5 * half)
    where = [-shape / 2] * (space - 1) + [at]
    kinds = ["T3", "Q4", "T6", "Q8"] if space == 2 else ["T4", "H8", "T10", "H20"]
    cells = [rng.randint(1, 4) for _ in range(space)]
    mesh = {"rectangle" if space == 2 else "box": {
        "size": [shape] * space, "cells": cells, "at": where, "elements": rng.choice(kinds)}}
    if space == 2 and rng.random() < 0.4:
        mesh = {"disc": {"radius": shape / 2, "cells": rng.randint(2, 6), "elements": rng.choice(kinds),
                         "at": [0, at + shape / 2]}}
    return {"name": "rubber", "group": "a", "mesh": mesh, "young": 10 ** rng.uniform(4, 6),
            "poisson": rng.uniform(0, 0.49), "density": rng.uniform(200, 2000),
            "mass": rng.choice(["consistent", "lumped"]),
            "damping": {"stiffness": rng.choice([0, 1e-3])}}


def body_of(rng, space, number, place, kinds, size):
    """One of the bodies, around its place; nothing reaches farther than size."""
    r = size * rng.uniform(0.5, 1)
    shapes = shapes_of(rng, space, rng.choice(kinds), r)
    body = {"name": f"b{number}", "group": "ab"[number] if number < 2 else rng.choice("ab"), "density": 10 ** rng.uniform(2, 3.5),
            "position": place, "velocity": [rng.gauss(0, 0.5) for _ in range(space)],
            "angle": rng.uniform(0, 6), "shapes": shapes}
    body["spin"] = rng.gauss(0, 2) if space == 2 else [rng.gauss(0, 2) for _ in range(3)]
    if space == 3:
        body["axis"] = [rng.gauss(0, 1) for _ in range(3)]
    if rng.random() < 0.02:
        body["removed"] = rng.uniform(0.5, 4)
    return body


def scene_of(seed, seconds=5, most=300):
    """The scene of a seed, as a tree; and what it is in a few words."""
    rng = random.Random(seed)
    if seed >= MORE and seed % 12 == 0:
        return mechanism_of(rng, seconds)
    space = rng.choice((2, 3))
    count = int(round(math.exp(rng.uniform(math.log(2), math.log(most)))))
    kinds = rng.sample(KINDS[space], rng.randint(1, 3))
    size = rng.choice([0.05, 0.1, 0.2])
    pitch, across = 2.1 * size, max(1, math.ceil(count ** (1 / space)))
    half, height = pitch * across / 2, pitch * math.ceil(count / across ** (space - 1))
    ground, what, lift = ground_of(rng, space, half + pitch / 2, height)
    bodies = []
    for k in range(count):
        cell = [k // across ** axis % across for axis in range(space - 1)]
        place = [pitch * (c - (across - 1) / 2) for c in cell]
        place.append(lift + pitch * (k // across ** (space - 1) + 0.55))
        bodies.append(body_of(rng, space, k, place, kinds, size))
    scene = {"space": space, "gravity": [0] * (space - 1) + [-9.81], "bodies": ground + bodies,
             "laws": [law_of(rng, space)]}
    for pair in rng.sample([["a", "b"], ["a", "a"], ["any", "ground"]], rng.randint(0, 2)):
        scene["laws"].append({"between": pair, **law_of(rng, space)})
    soft = rng.random() < 0.15 and what != "drum"
    if soft:
        for law in scene["laws"]:
            law.pop("rolling", None)
        scene["elastic"] = [elastic_of(rng, space, lift + height + size, half)]
    scene["scheme"] = scheme_of(rng, seconds, soft)
    words = f"{space}D {count} {'+'.join(kinds)}{' + elastic' if soft else ''}, {what}"
    return add_more(seed, scene, words, pitch, across) if seed >= MORE else (scene, words)


# ---- births, driven bodies, joints, mechanisms: seeds from MORE on ----

MORE = 10000


def add_births(rng, scene, top, pitch):
    """Bodies that come later, above all others, the lower one first."""
    space, born = scene["space"], 0
    for k in range(rng.randint(1, 4)):
        body = body_of(rng, space, len(scene["bodies"]), [0] * (space - 1) + [top + 3 * (k + 1) * pitch],
                       KINDS[space], pitch / 2.1)
        born += rng.uniform(0.05, 0.6)
        scene["bodies"].append({**body, "name": f"late{k}", "born": born, "velocity": [0] * space})
        scene["bodies"][-1].pop("removed", None)


def add_pusher(rng, scene, half):
    """A wall that comes from the side, to and fro."""
    space = scene["space"]
    size = [0.1] + [2 * half] * (space - 2) + [0.5]
    way = f"{half + 0.6} - {rng.uniform(0.2, 0.6)}*(1 - cos({rng.uniform(0.5, 4)}*t))"
    scene["bodies"].append({"name": "pusher", "motion": {"position": [way] + ["0"] * (space - 2) + ["0.3"]},
                            "shapes": [{"type": "box", "size": size}]})


def add_joints(rng, scene, across):
    """Neighbours in a row are joined, pair by pair or as chains; some carry springs."""
    space = scene["space"]
    moving = [body for body in scene["bodies"] if body["name"].startswith("b") and "removed" not in body]
    kinds = ["hinge", "slider", "rope", "rod", "weld"] + (["ball", "universal", "cylindrical"] if space == 3 else [])
    joints, springs = [], []
    for a, b in zip(moving, moving[1:]):
        if len(joints) >= 12 or int(b["name"][1:]) != int(a["name"][1:]) + 1 or int(b["name"][1:]) % across == 0:
            continue
        if rng.random() < 0.5:
            continue
        pa, pb = a["position"], b["position"]
        middle = [(x + y) / 2 for x, y in zip(pa, pb)]
        kind, name = rng.choice(kinds), f"j{len(joints)}"
        joint = {"name": name, "type": kind, "bodies": [a["name"], b["name"]], "at": middle}
        if kind in ("rope", "rod"):
            joint.update({"at": pa, "to": pb})
        if kind == "rope":
            joint["length"] = 1.1 * math.dist(pa, pb)
            joint["restitution"] = rng.choice([0, 0.5])
        if kind in ("slider", "cylindrical") or (kind == "hinge" and space == 3):
            joint["axis"] = [1.0] + [0.0] * (space - 1)
        if kind == "universal":
            joint.update({"axis": [1.0, 0.0, 0.0], "axis_second": [0.0, 1.0, 0.0]})
        if kind in ("hinge", "slider") and rng.random() < 0.4:
            joint.update({"lower": -0.3, "upper": 0.4, "restitution": rng.choice([0, 0.4])})
        if kind in ("hinge", "slider") and rng.random() < 0.3:
            joint["dry_friction"] = rng.uniform(0, 1)
        if kind in ("hinge", "slider") and rng.random() < 0.3:
            springs.append({"name": f"s{len(springs)}", "joint": name, "stiffness": 10 ** rng.uniform(0, 3)})
        joints.append(joint)
    if joints:
        scene["joints"] = joints
    if springs:
        scene["springs"] = springs


def mechanism_of(rng, seconds):
    """A double pendulum over rough ground, by formulas."""
    angle = [rng.uniform(0.5, 1.5) for _ in range(2)]
    depth = sum(math.cos(a) for a in angle) + rng.uniform(0.02, 0.5)
    scene = {"parameters": {"m": rng.uniform(0.5, 2), "l": rng.uniform(0.5, 1.5), "k": rng.uniform(0.2, 3)},
             "mechanism": {
                 "coordinates": ["a", "b"],
                 "mass": [["(1/3 + k)*m*l^2", "k*m*l^2/2*cos(a - b)"], ["k*m*l^2/2*cos(a - b)", "k*m*l^2/3"]],
                 "potential": "-9.81*m*l*((1/2 + k)*cos(a) + k/2*cos(b))",
                 "position": angle,
                 "velocity": [rng.gauss(0, 2), rng.gauss(0, 2)],
                 "contacts": [{"name": "tip", "gap": f"{depth}*l - l*cos(a) - l*cos(b)",
                               "slip": "l*sin(a) + l*sin(b)", "restitution": rng.choice([0, rng.random()]),
                               "friction": rng.choice([0, 0.3, 1])}]},
             "scheme": {"step": rng.choice([2e-3, 1e-3]), "duration": seconds}}
    if rng.random() < 0.5:
        scene["scheme"]["name"] = rng.choice(["moreau-jean", "moreau-jean-fremond", "moreau"])
    return scene, "mechanism"


def add_more(seed, scene, words, pitch, across):
    """What the seeds from MORE on have beside bodies, drawn apart so that the others stay as they are."""
    rng = random.Random(f"more {seed}")
    places = [body["position"] for body in scene["bodies"] if body["name"].startswith("b")]
    top, half = max(place[-1] for place in places), max(place[0] for place in places)
    open_sides = len(scene["bodies"][0]["shapes"]) == 1 and scene["bodies"][0]["shapes"][0]["type"] in (
        "half-plane", "plane")
    if rng.random() < 0.3 and "elastic" not in scene:
        add_joints(rng, scene, across)
        words += ", joints" if "joints" in scene else ""
    if rng.random() < 0.25 and "elastic" not in scene and ", drum" not in words:
        add_births(rng, scene, top, pitch)
        words += ", births"
    if rng.random() < 0.25 and open_sides:
        add_pusher(rng, scene, half + pitch)
        words += ", pusher"
    return scene, words


# ---- what comes out ----


class Row(NamedTuple):
    """One run."""

    seed: int
    words: str
    status: str  # of the command's document; time: it was stopped; crash: there is no document
    verdict: str
    reason: str  # of a refusal
    reached: float  # [s]
    holds: bool
    revoked: bool  # the certificate, as energy was created
    created: float  # [J]
    penetration: float  # of the smaller body
    seconds: float

    @property
    def broken(self):
        """Energy was created where the theorem says that none is."""
        return self.revoked or (self.holds and self.created > 0)

    @property
    def green_and_sunk(self):
        """Called good, and is not."""
        return self.verdict == "good" and self.penetration > SUNK


def run_scene(scree, seed, seconds, most, limit):
    """Run the scene of a seed."""
    scene, words = scene_of(seed, seconds, most)
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        json.dump(scene, file)
        file.flush()
        try:
            done = subprocess.run([scree, "run", file.name, "--no-store", "--json"], timeout=limit,
                                  capture_output=True, check=False, text=True)
        except subprocess.TimeoutExpired:
            return Row(seed, words, "time", "", "", 0, False, False, 0, 0, limit)
    try:
        found = json.loads(done.stdout)
    except ValueError:
        return Row(seed, words, "crash", "", done.stderr[-200:], 0, False, False, 0, 0, 0)
    if "ledger" not in found:
        told = found["errors"][0]["message"] if found.get("errors") else found.get("message", "")
        return Row(seed, words, found["status"], "", told, 0, False, False, 0, 0, 0)
    refusal = found.get("refusal") or {}
    theorem = found["theorem"]
    return Row(seed, words, found["status"], found["verdict"], refusal.get("reason", ""), found["time"],
               theorem["holds"], "hypotheses were met" in theorem["reason"],
               found["ledger"]["energy_created"], found["penetration_share"], found["wall_seconds"])


def print_row(row):
    """One line for each scene."""
    print(f"{row.seed:5d}  {row.status:12s} {row.verdict:8s} t {row.reached:<6.3g} "
          f"{'certified' if row.holds else 'REVOKED' if row.revoked else '-':9s} created {row.created:<9.2e} "
          f"penetration {100 * row.penetration:6.2f} %  {row.seconds:6.1f} s  {row.words}"
          f"{'  ' + row.reason if row.reason else ''}", flush=True)


def print_table(rows):
    """The table of all of them."""
    reasons = collections.Counter(row.reason or row.status for row in rows if row.status != "done")
    done = [row for row in rows if row.status == "done"]
    depth = sorted(row.penetration for row in done) or [0]
    print("\n| scenes | to the end | good | refused or stopped | certified and created | sunk and green "
          "| penetration: middle, nine tenths, most |")
    print("|---|---|---|---|---|---|---|")
    why = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items())) or "0"
    part = [depth[min(len(depth) - 1, int(share * len(depth)))] for share in (0.5, 0.9, 1)]
    print(f"| {len(rows)} | {len(done)} | {sum(row.verdict == 'good' for row in rows)} | {why} | "
          f"{sum(row.broken for row in rows)} | {sum(row.green_and_sunk for row in rows)} | "
          f"{', '.join(f'{100 * p:.2g} %' for p in part)} |")


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("scree")
    parser.add_argument("--seeds", default="0:200", help="from:to, or one seed")
    parser.add_argument("--seconds", type=float, default=5, help="simulated time of each")
    parser.add_argument("--most", type=int, default=300, help="bodies of the largest")
    parser.add_argument("--limit", type=float, default=300, help="seconds that a run may take")
    parser.add_argument("--write", help="write the scene of one seed to this file, and do not run")
    given = parser.parse_args()
    first, _, last = given.seeds.partition(":")
    if given.write:
        with open(given.write, "w", encoding="utf-8") as file:
            json.dump(scene_of(int(first), given.seconds, given.most)[0], file, indent=1)
        return
    rows = []
    for seed in range(int(first), int(last or int(first) + 1)):
        rows.append(run_scene(given.scree, seed, given.seconds, given.most, given.limit))
        print_row(rows[-1])
    print_table(rows)
    sys.exit(any(row.broken or row.green_and_sunk or row.status == "crash" for row in rows))


if __name__ == "__main__":
    main()
