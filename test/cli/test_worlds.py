# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Worlds of bodies, run by the command: what must stand stands, what must fall falls, in any unit.

Standing is judged three ways: against the threshold computed here, by --check-equilibrium, and by
five seconds of motion. With SCREE_LONG=1 in the environment it is ten, the tower has 500 planks and
the packing more grains.
"""

import math
import os
import subprocess
import time

from harness import check, equal, run_tests, skip

LONG = os.environ.get("SCREE_LONG") == "1"
SECONDS = 10 if LONG else 5
FLAT = ("x", "y", "angle")
SPATIAL = ("x", "y", "z", "qw", "qx", "qy", "qz")


def settings(changes):
    """Arguments of the command for a map of changes."""
    return [part for key, value in changes.items() for part in ("--set", f"{key}={value}")]


def run(scree, scene, changes, name="run.h5"):
    """Run a scene with changes: its summary."""
    return scree.json("run", scene, "-o", name, *settings(changes))


def first_and_last(scree, name="run.h5"):
    """The first and the last stored row of each body."""
    first, last = {}, {}
    for row in scree.rows(name, "bodies"):
        first.setdefault(row["body"], row)
        last[row["body"]] = row
    return first, last


def moved(scree, name="run.h5"):
    """How far the body went that went furthest, and the largest turn of one."""
    first, last = first_and_last(scree, name)
    spatial = "z" in next(iter(first.values()))
    axes, turns = (SPATIAL[:3], SPATIAL[3:]) if spatial else (FLAT[:2], FLAT[2:])
    way = max(math.dist([first[b][k] for k in axes], [last[b][k] for k in axes]) for b in first)
    turn = max(abs(first[b][k] - last[b][k]) for b in first for k in turns)
    return way, turn


def stands(scree, scene, changes):
    """The verdict of --check-equilibrium."""
    answer = scree("run", scene, "--check-equilibrium", *settings(changes))
    check(f"{answer.command}: exit status 0 or 1", answer.status in (0, 1), answer)
    return answer.status == 0


def judge_standing(scree, what, scene, changes, expected, size):
    """The equilibrium and some seconds of motion say what the threshold says."""
    equal(f"{what}: --check-equilibrium", stands(scree, scene, changes), expected)
    run(scree, scene, {"scheme.duration": SECONDS, "output.every": 250, "scheme.penetration": 10,
                       "scheme.energy_created": 1e3,
                       **changes})
    way, turn = moved(scree)
    print(f"{what}: moves by {way:.2g} m ({way / size:.2g} of its size) and turns by {turn:.2g} "
          f"in {SECONDS} s")
    if expected:
        check(f"{what}: does not creep", way < 1e-6 * size and turn < 1e-6, (way, turn))
    else:
        check(f"{what}: falls", way > 0.1 * size, (way, turn))


# ---- what stands and what falls ----


def feet_friction(lean, length=0.08, radius=0.5e-3, load=0.75):
    """Friction that the floor of the house of cards needs at least, and at most.

    Moments about the point below a lower card's foot, weights in those of a card: the pair pushes
    at the height of its tops, and friction of the roof card may push above them, at best.
    """
    sine, cosine = length * math.sin(lean), length * math.cos(lean)
    moment, weight = (load + 0.5) * sine, load + 1
    return moment / (cosine + 2 * radius) / weight, moment / (cosine + radius) / weight


def test_house_of_cards(scree):
    """Two stories of cards against the friction under their feet."""
    least, most = feet_friction(math.radians(20))
    print(f"house of cards: the floor's friction must be {least:.4f} to {most:.4f}")
    for share, expected in ((1.01 * most, True), (0.98 * least, False)):
        judge_standing(scree, f"house of cards, floor friction {share:.4f}", "house-of-cards",
                       {"parameters.floor_mu": share}, expected, 0.08)
    # the upper pair on its roof: tan(a)/2, with the thickness
    sine, cosine = 0.08 * math.sin(math.radians(20)), 0.08 * math.cos(math.radians(20))
    upper = 0.5 * sine / (cosine + 0.5e-3)
    for share, expected in ((1.01 * upper, True), (0.98 * upper, False)):
        judge_standing(scree, f"house of cards, friction of cards {share:.4f}", "house-of-cards",
                       {"parameters.mu": share}, expected, 0.08)


COLUMN = """\
parameters: {angle: 0, mu: 0.5, n: 50, b: 0.2, H: 0.1}
space: 3
gravity: ["9.81*sin(deg(angle))", 0, "-9.81*cos(deg(angle))"]
bodies:
  - {name: floor, fixed: true, shapes: [{type: plane}]}
generate:
  - name: box
    arrange: grid
    count: [1, 1, n]
    spacing: H
    origin: [0, 0, H/2]
    body: {density: 1000, shapes: [{type: box, size: [b, b, H]}]}
laws:
  - {friction: mu}
scheme: {name: moreau, step: 1e-2, duration: 10}
"""


def test_column(scree):
    """Fifty boxes on a floor that leans: they slide from tan(angle) = mu on, tip from b/(n H)."""
    scree.write("column.yaml", COLUMN)
    tips = math.degrees(math.atan(0.2 / (50 * 0.1)))
    for mu, angle, expected in ((0.5, 0, True), (0.5, 0.99 * tips, True), (0.5, 1.02 * tips, False),
                                (0.02, 0.99 * math.degrees(math.atan(0.02)), True),
                                (0.02, 1.02 * math.degrees(math.atan(0.02)), False)):
        judge_standing(scree, f"column of 50, friction {mu}, {angle:.4f} degrees", "column.yaml",
                       {"parameters.mu": mu, "parameters.angle": angle}, expected, 0.1)


def test_tower(scree):
    """The tower of planks stands."""
    changes = {} if LONG else {"parameters.levels": 15, "scheme.duration": 10,
                               "scheme.step": 1e-2, "output.every": 500}
    equal("tower: --check-equilibrium", stands(scree, "kapla-tower", changes), True)
    summary = run(scree, "kapla-tower", changes)
    way, turn = moved(scree)
    print(f"tower: moves by {way:.2g} m and turns by {turn:.2g} in {summary['time']} s")
    check("tower: does not creep", way < 1e-9 and turn < 1e-7, (way, turn))


def test_dominoes(scree):
    """A ball tips all of them over; a slow one tips none."""
    for speed, fall in ((1, True), (0.1, False)):
        run(scree, "dominoes", {"parameters.v": speed, "output.every": 100})
        _, last = first_and_last(scree)
        upright = [row["qw"] ** 2 - row["qx"] ** 2 - row["qy"] ** 2 + row["qz"] ** 2
                   for name, row in last.items() if name.startswith("domino")]
        equal("dominoes: how many", len(upright), 20)
        print(f"dominoes: cosines of their tilts {min(upright):.3f} to {max(upright):.3f}")
        check(f"dominoes: all {'fallen' if fall else 'standing'}",
              max(upright) < 0.8 if fall else min(upright) > 0.999, upright)


# ---- units ----

TUMBLE = """\
parameters: {L: 1}
space: 3
gravity: [0, 0, -9.81*L]
bodies:
  - {name: floor, fixed: true, shapes: [{type: plane, normal: [0.1, 0.05, 1]}]}
generate:
  - name: box
    arrange: grid
    count: [2, 2, 2]
    spacing: 0.7*L
    origin: [0, 0, 0.8*L]
    body:
      density: 700/L^3
      angle: 0.7
      axis: [1, 2, 0.5]
      velocity: [0.5*L, -0.2*L, 0]
      spin: [1, 3, -2]
      shapes: [{type: box, size: [0.4*L, 0.3*L, 0.2*L]}]
laws:
  - {restitution: 0.2, friction: 0.4}
scheme: {name: moreau-jean-fremond, step: 2e-3, duration: 0.5}
output: {every: 20}
"""
POLYGONS = """\
parameters: {L: 1}
gravity: [0, -9.81*L]
bodies:
  - name: bowl
    fixed: true
    shapes:
      - {type: chain, vertices: [[-2*L, 1.5*L], [-0.4*L, 0], [0.5*L, 0], [2*L, 1.4*L]]}
generate:
  - name: stone
    arrange: grid
    count: [3, 2]
    spacing: 0.6*L
    origin: [-0.6*L, 0.9*L]
    body:
      density: 100/L^2
      angle: 0.4
      spin: 1
      shapes:
        - type: polygon
          vertices: [[0.2*L, 0], [0.1*L, 0.2*L], [-0.2*L, 0.1*L], [-0.1*L, -0.15*L]]
laws:
  - {restitution: 0.3, friction: 0.5}
scheme: {name: moreau-jean-fremond, step: 2e-3, duration: 1}
output: {every: 20}
"""


def scaled(row, length):
    """A row in units of its length; angles and quaternions have none."""
    lengths = ("x", "y", "z", "vx", "vy", "vz")
    return [value / length if key in lengths else value for key, value in row.items()
            if isinstance(value, float)]


def test_units(scree):
    """In millimetres and kilometres: the same motion; in two small powers of two: the same bits.

    The solver also stops by the residual of the field, which depends on the units (docs/theory.md);
    small lengths make it small, so that the one without units decides and all bits are the same.
    """
    for name, text in (("tumble.yaml", TUMBLE), ("polygons.yaml", POLYGONS)):
        scree.write(name, text)
        found = {}
        for length in (1.0, 1e-3, 1e3, 2.0**-10, 2.0**-20):
            summary = run(scree, name, {"parameters.L": repr(length)})
            check(f"{name} in units of {length}: touches", summary["solver"]["iterations"] > 20,
                  summary)
            found[length] = [scaled(row, length) for row in scree.rows("run.h5", "bodies")]
        for one, two, most in ((1.0, 1e-3, 1e-6), (1.0, 1e3, 1e-6), (2.0**-10, 2.0**-20, 0.0)):
            apart = max(abs(a - b) for rows in zip(found[one], found[two]) for a, b in zip(*rows))
            print(f"{name} in units of {one:.4g} and {two:.4g}: apart by {apart:.2g}")
            check(f"{name} in units of {one} and {two}: apart by {most} at most", apart <= most,
                  apart)


# ---- threads and restarts ----


def judge_bits(scree, what, scene, changes, half):
    """Any number of threads, and a restart in the middle: the same bits."""
    run(scree, scene, {**changes, "solver.threads": 1})
    expected = scree.export_hashes("run.h5")
    check(f"{what}: exports", None not in expected.values(), expected)
    for threads in (2, 3, 4) if LONG else (3,):
        run(scree, scene, {**changes, "solver.threads": threads}, "other.h5")
        equal(f"{what}: the same bits with {threads} threads", scree.export_hashes("other.h5"),
              expected)
    # stopped by the clock or by hand a run goes on from its last stored state
    process = scree.start("run", scene, "-o", "part.h5", *settings({**changes, "solver.threads": 2}))
    while process.poll() is None and not scree.path("part.h5").exists():
        time.sleep(0.01)
    try:
        process.wait(timeout=half)
    except subprocess.TimeoutExpired:
        process.terminate()
    answer = scree.finish(process)
    if answer.status == 0:
        skip(f"{what}, restart: the run was finished before it could be stopped")
        return
    scree.expect(0, "run", "--resume", "part.h5")
    equal(f"{what}: the same bits after a restart", scree.export_hashes("part.h5"), expected)


def test_bits(scree):
    """Dominoes and a packing with thousands of contacts."""
    judge_bits(scree, "dominoes", "dominoes", {"output.every": 20, "scheme.duration": 0.5}, 0.15)
    # heavy grains fall fast, so that there are many contacts soon
    grains = {"parameters.N": 8000 if LONG else 1500, "parameters.g": 600, "scheme.duration": 0.02,
              "solver.max_sweeps": 50, "solver.unconverged": "accept", "output.every": 20,
              "scheme.penetration": 10, "scheme.energy_created": 1e3}
    judge_bits(scree, "packing", "sphere-packing", grains, 1.0)
    rows = scree.rows("run.h5", "contacts")
    count = sum(row["step"] == rows[-1]["step"] for row in rows)
    print(f"packing: {count} contacts at the end")
    check("packing: enough contacts to be solved without W", count > 1500, count)


# ---- bad input ----

BASE = """\
space: 3
gravity: [0, 0, -9.81]
bodies:
  - {name: floor, fixed: true, shapes: [{type: plane}]}
  - name: one
    density: 1000
    position: [0, 0, %s]
    velocity: [0, 0, %s]
    shapes: [{type: box, size: [0.2, 0.2, 0.2]}]
  - name: two
    density: 1000
    position: [0.15, 0, 1]
    shapes: [{type: sphere, radius: 0.1}]
scheme: {step: %s, duration: %s}
"""


def test_overlaps(scree):
    """Bodies that overlap at the start are listed by pair and depth, all of them."""
    scree.write("overlap.yaml", BASE % (0.05, 0, 1e-3, 0.1) + "".join((
        "generate:\n  - {name: ball, arrange: grid, count: [2, 1, 1], spacing: 0.15, ",
        "origin: [3, 0, 1], body: {density: 1, shapes: [{type: sphere, radius: 0.1}]}}\n")))
    answer = scree.expect(2, "run", "overlap.yaml")
    for words in (("one", "floor", "0.05"), ("ball-1", "ball-2", "0.05")):
        check(f"overlap: a line with {words}", any(
            all(word in line for word in words) for line in answer.err.splitlines()), answer)
    scree.expect(0, "run", "overlap.yaml", "--set", "overlaps=accept", "--set",
                 "scheme.penetration=1", "--set", "scheme.energy_created=5")


HEAP = """
space: 3
gravity: [0, 0, -9.81]
bodies:
  - {name: box, fixed: true, shapes: [{type: plane},
     {type: plane, at: [-1, 0, 0], normal: [1, 0, 0]},
     {type: plane, at: [1, 0, 0], normal: [-1, 0, 0]},
     {type: plane, at: [0, -1, 0], normal: [0, 1, 0]},
     {type: plane, at: [0, 1, 0], normal: [0, -1, 0]}]}
generate:
  - {name: ball, arrange: random, count: 60, region: [[-1, -1, 0], [1, 1, 6]], radius: 0.25,
     body: {density: 1000, shapes: [{type: sphere, radius: 1}]}}
laws: [{friction: 0.4}]
scheme: {step: 1e-3, duration: 1.4}
output: {every: 1400}
"""


def test_heap_does_not_sink(scree):
    """At the defaults balls in a box come to rest without sinking or gaining energy."""
    scree.write("heap.yaml", HEAP)
    depth = {}
    for approach in ("auto", "required"):
        said = scree.json("run", "heap.yaml", "-o", "heap.h5", "--set",
                          f"scheme.approach={approach}", "--set", "scheme.penetration=10")
        depth[approach] = said["penetration_relative_max"]
        equal(f"{approach}: the theorem's word", (said["theorem"]["holds"],
              said["ledger"]["energy_created"] < 1e-9), (True, True))
    check(f"heap sinks by {depth}", depth["auto"] < 0.03 and depth["required"] > 0.1)


def test_leaving(scree):
    """Nothing stops a body that leaves the world: it falls on, and the ledger closes."""
    text = BASE.replace("floor, fixed: true, shapes: [{type: plane}]",
                        "floor, fixed: true, shapes: [{type: box, size: [1, 1, 0.1]}]")
    scree.write("leave.yaml", text % (0.5, 0, 1e-2, 30))
    run(scree, "leave.yaml", {"bodies.one.position": "[50, 0, 0.5]", "output.every": 3000})
    _, last = first_and_last(scree)
    fallen = 0.5 - 9.81 / 2 * 30**2
    check(f"leaves: fell to {fallen}", abs(last["one"]["z"] - fallen) < 1e-6, last["one"])


def test_fixed_without_shape(scree):
    """A fixed body without shape touches nothing; it is said or allowed, but does not crash."""
    scree.write("bare.yaml", "bodies:\n  - {name: nothing, fixed: true}\n  - {name: ball, mass: 1, "
                "inertia: 1, shapes: [{type: disc, radius: 1}]}\nscheme: {step: 1, duration: 3}\n")
    answer = scree("check", "bare.yaml")
    check("fixed without shape: fine, or an error with its place", answer.status == 0
          or "bare.yaml:2" in answer.err, answer)


def test_inside_out(scree):
    """A closed mesh whose faces look inwards is noted, one that looks outwards or is open is not."""
    corner = "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]"
    outwards = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    inwards = [face[::-1] for face in outwards]
    for faces, noted in ((outwards, False), (inwards, True), (inwards[:3], False)):
        scree.write("mesh.yaml", "space: 3\nbodies:\n  - {name: rock, fixed: true, position: [9, 9, "
                    f"9], shapes: [{{type: mesh, vertices: {corner}, triangles: {faces}}}]}}\n"
                    "scheme: {step: 1, duration: 3}\n")
        answer = scree.expect(0, "check", "mesh.yaml")
        check(f"faces {faces}: {'a' if noted else 'no'} note", ("inwards" in answer.out) == noted
              and ("-0.166667" in answer.out) == noted and ('"rock"' in answer.out) == noted, answer)


TURNED = """bodies:
  - {name: wall, fixed: true, shapes: [{type: chain, vertices: [%s]}]}
%sscheme: {step: 1e-3, duration: 0.01}
"""


def test_behind_a_surface(scree):
    """A surface that was drawn the wrong way round, and bodies behind one, are named."""
    ball = "  - {name: ball-%d, density: 1, position: [%g, %g], shapes: [{type: disc, radius: 0.1}]}\n"
    down, up = "[1, 0], [-1, 0]", "[-1, 0], [1, 0]"
    above, below = (ball % (1, 0, 1), ball % (2, 0.5, 1)), ball % (3, 0, -1)
    for way, balls, status, words in (
            (up, "".join(above), 0, None), (down, below, 0, None),
            (down, "".join(above), 2, ("2 of 2 bodies", "turned.yaml:2:", "wall", "ball-1",
                                        "by 1:", "opposite order", "accept")),
            (up, above[0] + below, 0, ("warning", "1 of 2", "turned.yaml:2:", "ball-3"))):
        scree.write("turned.yaml", TURNED % (way, balls))
        for command in ("check", "run"):
            answer = scree.expect(status, command, "turned.yaml")
            for word in words or ():
                check(f"{command} {way}: the message has {word}", word in answer.err, answer)
            if words is None:
                check(f"{command} {way}: nothing is said", "behind" not in answer.err, answer)
    scree.write("turned.yaml", TURNED % (down, "".join(above)))
    scree.expect(0, "run", "turned.yaml", "--set", "overlaps=accept", "--set",
                 "scheme.penetration=1")
    scree.write("turned.yaml", TURNED % (up, above[0] + below))
    equal("a warning in JSON", len(scree.json("check", "turned.yaml", "--json")["warnings"]), 1)


def test_born_into_another(scree):
    """A body that is born into another stops the run, with both names, time, depth and place."""
    text = ("bodies:\n  - {name: old, density: 1, shapes: [{type: disc, radius: 1}]}\n"
            "  - {name: young, density: 1, position: [0, 1.5], born: 0.05, shapes: [{type: disc, "
            "radius: 1}]}\nscheme: {step: 1e-3, duration: 0.1}\n")
    scree.write("born.yaml", text)
    for scheme in ("moreau-jean-fremond", "moreau-jean", "moreau"):
        answer = scree.expect(2, "run", "born.yaml", "--set", f"scheme.name={scheme}")
        for word in ("born.yaml:3:", "young", "old", "0.05", "overlaps it by 0.5", "accept"):
            check(f"born into another, {scheme}: the message has {word}", word in answer.err, answer)
    scree.expect(0, "run", "born.yaml", "--set", "overlaps=accept", "--set",
                 "scheme.penetration=1")
    # to touch is not to overlap, and neither is to be where somebody has left
    scree.expect(0, "run", "born.yaml", "--set", "bodies.young.position=[0, 2]")
    scree.expect(0, "run", "born.yaml", "--set", "bodies.old.removed=0.05")


def voussoirs(scale, digits, sunk=0.0):
    """Blocks of an arch of radius 10 scale that touch side to side, in coordinates of so many
    digits behind the point; the first block reaches into the second by `sunk`."""
    def corner(radius, i):
        return radius * scale * math.cos(0.1 * i), radius * scale * math.sin(0.1 * i)
    lines = []
    for i in range(12):
        points = [corner(10, i), corner(11.5, i), corner(11.5, i + 1), corner(10, i + 1)]
        middle = [sum(p[k] for p in points) / 4 for k in range(2)]
        at = [middle[0], middle[1] + (sunk if i == 0 else 0)]
        vertices = [[round(p[k] - middle[k], digits) for k in range(2)] for p in points]
        lines.append(f"  - {{name: v{i}, density: 1, position: [{at[0]:.{digits}f}, "
                     f"{at[1]:.{digits}f}], shapes: [{{type: polygon, vertices: {vertices}}}]}}\n")
    return "bodies:\n" + "".join(lines) + "scheme: {step: 1e-3, duration: 2e-3}\n"


def test_rounded_coordinates(scree):
    """Shapes that touch in coordinates of ten digits do not overlap; true overlaps are named, and
    both whatever the unit of length is."""
    for scale, digits in ((1, 10), (1e-3, 13), (1e3, 7)):
        scree.write("arch.yaml", voussoirs(scale, digits))
        scree.expect(0, "run", "arch.yaml")
        scree.write("arch.yaml", voussoirs(scale, 15, 1e-6 * scale))
        answer = scree.expect(2, "check", "arch.yaml")
        equal(f"scale {scale}: one overlap", (answer.err.count("overlap by"),
                                              "v0 and v1 overlap" in answer.err), (1, True))


def test_too_large(scree):
    """Velocities whose squares are no numbers any more: said in words, not as nan."""
    scree.write("large.yaml", "bodies:\n  - {name: ball, density: 1, velocity: [1e200, 0], shapes: "
                "[{type: disc, radius: 1}]}\nscheme: {step: 1e-3, duration: 0.01}\n")
    answer = scree("run", "large.yaml")
    check("1e200: stops, in words", answer.status == 2 and "so large" in answer.err
          and "nan" not in answer.err, answer)


def test_absurd_steps(scree):
    """Steps of no length, of years, or beyond numbers: an error with its place, or a run."""
    for step in ("0", "-1", "1e400", "nan", "abc"):
        scree.write("step.yaml", BASE % (0.1, 0, step, 1))
        answer = scree.expect(2, "run", "step.yaml")
        check(f"step {step}: an error with its place", "step.yaml:" in answer.err
              and "error:" in answer.err, answer)
    for step, duration in ((1e6, 1e7), (1e-300, 1e-299)):
        scree.write("step.yaml", BASE % (0.1, 0, step, duration))
        answer = scree("run", "step.yaml")
        check(f"step {step}: runs, or says why not", answer.status in (0, 1, 2)
              and (answer.status == 0 or "error:" in answer.err
                   or answer.out.startswith("warned:")), answer)
        print(f"step {step}: exit status {answer.status}")


if __name__ == "__main__":
    run_tests(globals())
