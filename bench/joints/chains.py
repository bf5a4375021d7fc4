# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Random chains: light links under heavy weights, and whips; how many are refused.

    python3 bench/joints/chains.py SCREE [FIRST:LAST]

A seed is a scene of 2 s: 3 to 40 links in the plane or in space, on hinges, balls or universal joints, straight, bent or
zigzag, hanging or let go from any angle, some already turning; at the end nothing, or a weight of 10 to 1000 times a link's
or the whole chain's mass; steps of 0.5 to 2 ms, theta 1/2, 1 or the default.
"""

import collections
import json
import math
import os
import random
import subprocess
import sys
import tempfile


def turning(spin, at, space):
    """Velocity and spin of a body that turns about the origin."""
    if space == 2:
        return {"velocity": [-spin * at[1], spin * at[0]], "spin": spin}
    return {"velocity": [spin * at[2], 0, -spin * at[0]], "spin": [0, spin, 0]}


def scene_of(seed):
    """The scene, and what it is in words."""
    rng = random.Random(seed)
    space, count = rng.choice([2, 3]), rng.choice([3, 5, 10, 10, 20, 40])
    kind = rng.choice(["weight", "weight", "whip"])
    length = 1 / count if rng.random() < 0.5 else 0.1
    mass = rng.choice([0.01, 0.1, 1]) / count if rng.random() < 0.5 else 0.1
    ratio = 0 if kind == "whip" else rng.choice([10, 100, 100, 1000])
    weight = ratio * mass * (count if rng.random() < 0.5 else 1)
    step, theta = rng.choice([1e-3, 1e-3, 2e-3, 5e-4]), rng.choice([0.5, 0.5, None, 1])
    shape, start = rng.choice(["straight", "straight", "bent", "zigzag"]), rng.uniform(0.1, 3)
    joint = "hinge" if space == 2 else rng.choice(["ball", "ball", "hinge", "universal"])
    spin, angle, end = rng.choice([0, 0, 5, -10]), start, [0.0] * space
    bodies, joints = [], []
    for i in range(count):
        if shape == "bent":
            angle += rng.uniform(-0.6, 0.6)
        if shape == "zigzag":
            angle = start + (0.3 if i % 2 else -0.3)
        way = [math.sin(angle), -math.cos(angle)] if space == 2 else [math.sin(angle), 0, -math.cos(angle)]
        middle = [a + w * length / 2 for a, w in zip(end, way)]
        inertia = mass * length**2 / 12
        body = {"name": f"link-{i}", "mass": mass, "position": middle, **turning(spin, middle, space)}
        if space == 2:
            body.update(inertia=inertia, angle=angle)
        else:
            body.update(inertia=[inertia, inertia, inertia / 10],
                        orientation=[math.cos(angle / 2), 0, -math.sin(angle / 2), 0])
        bodies.append(body)
        one = {"name": f"joint-{i}", "type": joint, "at": list(end),
               "bodies": [f"link-{i}"] + ([f"link-{i - 1}"] if i else [])}
        if space == 3 and joint != "ball":
            one["axis"] = [0, 1, 0]
        if joint == "universal":
            one["axis_second"] = way
        joints.append(one)
        end = [a + w * length for a, w in zip(end, way)]
    if weight > 0:
        off = length / 2 if rng.random() < 0.5 else 0
        middle, inertia = [a + w * off for a, w in zip(end, way)], 0.1 * weight * length**2
        bodies.append({"name": "weight", "mass": weight, "inertia": inertia if space == 2 else [inertia] * 3,
                       "position": middle, **turning(spin, middle, space)})
        joints.append({"name": "hook", "type": "hinge" if space == 2 else "ball", "at": end,
                       "bodies": ["weight", f"link-{count - 1}"]})
    scheme = {"step": step, "duration": 2, **({} if theta is None else {"theta": theta})}
    words = f"{kind} {shape} {count} links, {joint}, {space}D, weight over chain {weight / mass / count:.3g}, h {step:g}"
    scene = {"gravity": [0, -9.81] if space == 2 else [0, 0, -9.81], "bodies": bodies, "joints": joints, "scheme": scheme,
             "output": {"every": 100000}, **({"space": 3} if space == 3 else {})}
    return scene, words, "whip" if kind == "whip" else f"{ratio}"


def main():
    """The command line."""
    first, _, last = (sys.argv[2] if len(sys.argv) > 2 else "0:200").partition(":")
    tally = collections.defaultdict(lambda: [0, 0])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "chain.json")
        for seed in range(int(first), int(last)):
            scene, words, row = scene_of(seed)
            with open(path, "w", encoding="utf-8") as file:
                json.dump(scene, file)
            done = subprocess.run([sys.argv[1], "run", path, "-o", os.path.join(folder, "chain.h5")],
                                  capture_output=True, text=True, check=False)
            tally[row][0] += 1
            tally[row][1] += done.returncode == 0
            if done.returncode:
                print(f"{seed:5d}  {words}: {(done.stdout + done.stderr).splitlines()[0][:120]}", flush=True)
    print("\n| weight over a link or the chain | scenes | to the end |\n|---|---:|---:|")
    for row in sorted(tally, key=lambda name: (name == "whip", len(name))):
        print(f"| {row} | {tally[row][0]} | {tally[row][1]} |")


if __name__ == "__main__":
    main()
