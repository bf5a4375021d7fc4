# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Worlds that repeat themselves: what happens does not depend on where the cell begins.

The judges are the same scenes moved by a share of a period or by whole periods, body by body, and
two bodies that meet across a border beside two that meet in the middle.
"""

import math
import random

from harness import check, equal, run_tests

L = 1.0
MEET = """
periodic: [%s, 0]
bodies:
  - {name: a, mass: 1, inertia: 0.01, position: [%s, 0], velocity: [-1, 0], shapes: [{type: disc, radius: 0.1}]}
  - {name: b, mass: 2, inertia: 0.02, position: [%s, 0.05], velocity: [0.5, 0.1], spin: 3, shapes: [{type: disc, radius: 0.1}]}
laws: [{restitution: 0.4, friction: 0.3}]
scheme: {step: 1e-3, duration: 0.5}
"""


def last_rows(scree, name):
    """The last stored row of each body."""
    last = {}
    for row in scree.rows(name, "bodies"):
        last[row["body"]] = row
    return last


def run(scree, text):
    """The last rows of a scene, and its summary."""
    scree.write("scene.yaml", text)
    said = scree.json("run", "scene.yaml", "-o", "run.h5")
    return last_rows(scree, "run.h5"), said


def packing(space, place, seed=1, count=60):
    """Grains above a floor in a cell, each moved as place says."""
    chance = random.Random(seed)
    names = "xyz"[:space]
    up = space - 1
    lines = [f"space: {space}", "gravity: [2, -9.81]" if space == 2 else "gravity: [2, 1, -9.81]",
             f"periodic: {[L] * up + [0]}", "bodies:",
             "  - {name: floor, fixed: true, shapes: [{type: %s}]}" % ("half-plane" if space == 2 else "plane")]
    side = 6 if space == 2 else 4
    for i in range(count):
        cell = [i % side, i // side % (side if space == 3 else 10 ** 6), i // side ** 2]
        at = [(cell[k] + 0.5) / side * L for k in range(up)] + [0.12 + 0.2 * cell[up]]
        at = [x + chance.uniform(-0.01, 0.01) for x in at]
        at = [x + s for x, s in zip(at, place(i))]
        shape = ("{type: %s, radius: 0.075}" % ("disc" if space == 2 else "sphere") if i % 3 else
                 "{type: box, size: %s}" % ([0.11, 0.1, 0.09][:space]))
        lines.append(f"  - {{name: g{i}, density: 1000, position: {at}, shapes: [{shape}]}}")
    lines += ["laws: [{friction: 0.4}]", "scheme: {step: 1e-3, duration: 0.15}"]
    return "\n".join(lines) + "\n", names


def test_across_the_border(scree):
    """Two discs that meet across a border do what they do in an open world."""
    far, said = run(scree, MEET % (L, 0.02 + 0.15, 0.98 - 0.15))
    near, _ = run(scree, MEET % (0, 0.02 + 0.15, 0.98 - 0.15 - L))
    equal("good", said["verdict"], "good")
    for name in "ab":
        for key in ("vx", "vy", "omega"):
            check(f"{name}: {key}", abs(far[name][key] - near[name][key]) < 1e-12,
                  (far[name][key], near[name][key]))
    check("they have met", far["a"]["vx"] > -0.9, far["a"])


def test_where_the_cell_begins(scree):
    """Grains moved by a share of a period, and each by whole periods: the same motion."""
    for space in (2, 3):
        zero = [0] * space
        text, names = packing(space, lambda i, z=zero: z)
        base, said = run(scree, text)
        equal(f"{space}: good", said["verdict"], "good")
        chance = random.Random(7)
        jumps = [[float(chance.randrange(-3, 4)) * L for _ in range(space - 1)] + [0]
                 for _ in range(60)]
        share = [0.375 * L] * (space - 1) + [0]
        for what, place in (("share", lambda i, s=share: s), ("periods", lambda i, j=jumps: j[i])):
            moved, _ = run(scree, packing(space, place)[0])
            worst = max(abs(moved[b][k] - base[b][k] - s) for b in base if b != "floor"
                        for k, s in zip(names, place(int(b[1:]))))
            print(f"space {space}, moved by {what}: {worst:.2g} m apart")
            check(f"{space}: moved by a {what}", worst < 1e-7, worst)


def test_measures(scree):
    """The stress does not see where the cell begins; at rest the floor bears the weight."""
    stress = []
    for way in (0, 0.375 * L):
        run(scree, packing(2, lambda i, s=way: [s, 0])[0])
        found = scree.json("measure", "run.h5", "stress", "--region", f"0,0,{L},0.5")
        stress.append([x for row in found["stress"] for x in row])
    largest = max(map(abs, stress[0]))
    check("the same stress", all(abs(x - y) < 1e-5 * largest for x, y in zip(*stress)), stress)
    check("and a pressure", largest > 100, stress)
    text, _ = packing(2, lambda i: [0, 0])
    text = text.replace("gravity: [2, ", "gravity: [0, ").replace("duration: 0.15", "duration: 2")
    run(scree, text)
    floor = scree.json("measure", "run.h5", "force-on:floor")
    weight = sum((math.pi * 0.075 ** 2 if i % 3 else 0.011) * 9810 for i in range(60))
    check("the floor bears the weight", abs(floor["force"][1] + weight) < 1e-6 * weight,
          (floor["force"], weight))


def test_mistakes(scree):
    """What does not fit into a period is told."""
    for what, text, expected in (
            ("large", MEET % (0.35, 0.2, 0.4), "more than half of the period"),
            ("wall", (MEET % (L, 0.2, 0.7)).replace("bodies:", "bodies:\n  - {name: wall, fixed: true, "
                                                    "shapes: [{type: half-plane, normal: [1, 0]}]}"),
             "the plane of wall is not along x"),
            ("negative", MEET % (-1, 0.2, 0.7), "periodic"),
    ):
        scree.write("bad.yaml", text)
        answer = scree("check", "bad.yaml")
        check(f"{what}: told", answer.status == 2 and expected in answer.err, answer)


if __name__ == "__main__":
    run_tests(globals())
