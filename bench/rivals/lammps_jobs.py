#!/usr/bin/env python3
# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""lammps_jobs.py - the rival of bench/jobs: the jobs of balls in space by LAMMPS.

in: BODIES SCENE SECONDS [PATH=VALUE]..., BODIES being the program made of bench/jobs/bodies.c.
out: one JSON object. Needs Debian's lammps.

Balls are springs and dampers (gran/hooke/history). The stiffness lets the heaviest ball that comes
with 1 m/s go in by 1 % of its radius; twenty steps follow half a swing of the lightest pair. The funnel
and the drum are round here, with the radius of the scene's corners.
"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time

SPEED, DEPTH, PER_SWING, STATES = 1.0, 0.01, 20, 50
TICKS = os.sysconf("SC_CLK_TCK")

HEAD = """
units si
atom_style sphere
boundary f f f
newton off
atom_modify sort 0 0.0
comm_modify vel yes
read_data grains.data
neighbor {skin} bin
neigh_modify delay 0 every 1 check yes
pair_style gran/hooke/history {law}
pair_coeff * *
fix down all gravity 9.81 vector 0 0 -1
fix move all nve/sphere
timestep {inner}
thermo 1000000
"""


def column(scene, wall):
    channel, gate = scene["bodies"][0], scene["bodies"][1]
    depth, foot = channel["shapes"][2]["at"][1], gate["shapes"][0]["at"][0]
    before = [f"fix floor all {wall} zplane 0.0 NULL", f"fix sides all {wall} yplane 0.0 {depth}",
              f"fix back all {wall} xplane 0.0 NULL", f"fix gate all {wall} xplane NULL {foot}"]
    return before, ["unfix gate"], gate["removed"], 6 * foot


def silo(scene, wall):
    points = scene["bodies"][0]["shapes"][0]["vertex"]
    size = max(points[0::3]) / 0.04
    region = wall.replace("wall/gran ", "wall/gran/region ")
    before = [f"region cone cone z 0 0 {0.012 * size} {0.04 * size} 0 {0.03 * size} side in open 1 open 2",
              f"region tube cylinder z 0 0 {0.04 * size} {0.03 * size} {0.25 * size} side in open 1 open 2",
              f"fix cone all {region} region cone", f"fix tube all {region} region tube",
              f"fix gate all {wall} zplane 0.0 NULL"]
    return before, ["unfix gate", f"fix ground all {wall} zplane -0.1 NULL"], scene["bodies"][2]["removed"], 0.3


def drum(scene, wall):
    points = scene["bodies"][0]["shapes"][0]["vertex"]
    size = max(points[0::3]) / 0.1
    region = wall.replace("wall/gran ", "wall/gran/region ")
    before = ["variable turn equal 2*step*dt",
              f"region drum cylinder y 0 0 {0.1 * size} 0 {0.04 * size} side in rotate v_turn 0 0 0 0 1 0",
              f"fix drum all {region} region drum"]
    return before, [], None, 0.15


WALLS = {"column-collapse": column, "silo-space": silo, "drum": drum}


def write_data(grains, far, path):
    with open(path, "w", encoding="ascii") as file:
        file.write(f"grains\n\n{len(grains)} atoms\n1 atom types\n\n" +
                   "".join(f"{-far} {far} {x}lo {x}hi\n" for x in "xyz") + "\nAtoms # sphere\n\n")
        for i, g in enumerate(grains):
            r = g["shapes"][0]["radius"]
            file.write(f"{i + 1} 1 {2 * r:.17g} {g['mass'] / (4 / 3 * math.pi * r**3):.17g} "
                       + " ".join(f"{x:.17g}" for x in g["position"]) + "\n")


def overlap(balls):
    """The largest overlap of two balls over the smaller radius."""
    cell = 2.02 * max(b[0] for b in balls)
    cells = {}
    for i, b in enumerate(balls):
        cells.setdefault(tuple(int(c // cell) for c in b[1:4]), []).append(i)
    worst = 0.0
    for i, b in enumerate(balls):
        at = [int(c // cell) for c in b[1:4]]
        for j in (j for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)
                  for j in cells.get((at[0] + x, at[1] + y, at[2] + z), ()) if j < i):
            depth = b[0] + balls[j][0] - math.dist(b[1:4], balls[j][1:4])
            worst = max(worst, depth / min(b[0], balls[j][0]))
    return worst


def energy(balls):
    total = 0.0
    for r, _, _, z, vx, vy, vz, wx, wy, wz, m in balls:
        total += m * (9.81 * z + 0.5 * (vx * vx + vy * vy + vz * vz))
        total += 0.2 * m * r * r * (wx * wx + wy * wy + wz * wz)
    return total


def read_states(path):
    """Step and balls of each state that was written to its end."""
    if not os.path.exists(path):
        return
    with open(path, encoding="ascii") as file:
        parts = file.read().split("ITEM: TIMESTEP\n")[1:]
    for part in parts:
        lines = part.splitlines()
        count = int(lines[2])
        rows = lines[8:8 + count]
        if len(rows) == count:
            yield int(lines[0]), [[float(x) for x in row.split()] for row in rows]


def run_capped(folder, seconds):
    """Processor seconds, at most about so many."""
    process = subprocess.Popen(["lmp", "-in", "in.job", "-log", "none"], cwd=folder,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env=dict(os.environ, OMP_NUM_THREADS="1"))
    used = 0.0
    while process.poll() is None:
        time.sleep(0.1)
        try:
            with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            used = max(used, (int(fields[11]) + int(fields[12])) / TICKS)
        except OSError:
            break
        if used > seconds:
            process.kill()
    text = process.communicate()[0]
    if "ERROR" in text:
        sys.exit(re.search("ERROR.*", text).group())
    return used


def main():
    bodies, path, seconds = sys.argv[1:4]
    text = subprocess.run([bodies, path, *sys.argv[4:]], check=True, capture_output=True, text=True)
    scene = json.loads(text.stdout)
    job = os.path.splitext(os.path.basename(path))[0]
    grains = [b for b in scene["bodies"] if b["free"]]
    heavy, light = max(g["mass"] for g in grains), min(g["mass"] for g in grains)
    least, most = (f(g["shapes"][0]["radius"] for g in grains) for f in (min, max))
    stiff = heavy * SPEED**2 / (DEPTH * most) ** 2
    inner = math.pi * math.sqrt(light / 2 / stiff) / PER_SWING
    damp = 1.4 * math.sqrt(2 * stiff / heavy)  # hardly any bounce
    law = f"{stiff} {2 / 7 * stiff} {damp} {damp / 2} {grains[-1]['friction']} 1"
    wall = f"wall/gran hooke/history {law}"
    before, after, opened, far = WALLS[job](scene, wall)
    of = math.ceil(scene["duration"] / inner)
    first = math.ceil(opened / inner) if opened else 0
    script = HEAD.format(skin=0.3 * least, law=law, inner=inner) + "\n".join(before) + (
        f"\ndump states all custom {max(1, of // STATES)} states id radius x y z vx vy vz omegax omegay omegaz mass\n"
        "dump_modify states format float %.10g sort id\n"
        f"run {first}\n" + "\n".join(after) + f"\nrun {of - first}\n")
    with tempfile.TemporaryDirectory() as folder:
        write_data(grains, far, os.path.join(folder, "grains.data"))
        with open(os.path.join(folder, "in.job"), "w", encoding="ascii") as file:
            file.write(script)
        used = run_capped(folder, float(seconds))
        states = [(k, [row[1:] for row in rows]) for k, rows in
                  read_states(os.path.join(folder, "states"))]
    print(json.dumps({"steps": states[-1][0], "of": states[-1][0] if of - states[-1][0] < of // STATES else of,
                      "seconds": used,
                      "penetration": max(overlap(balls) for _, balls in states),
                      "lost": len(grains) - len(states[-1][1]),
                      "energy_start": energy(states[0][1]), "energy_end": energy(states[-1][1]),
                      "created": None}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
