#!/usr/bin/env python3
# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""lammps_grains.py - the rival of bench/grains: LAMMPS on the same grains in the same box.

in: HEAP, seconds of motion to relax, steps of 2e-4 s to measure.   out: one JSON object, or a line
that begins with SKIPPED.

Grains are springs and dampers here (gran/hooke/history): 5000 N/m, which lets the lowest grains of
the heaps overlap by about a thousandth of a radius; damped so that they hardly bounce. The lightest
pair then swings in 9e-5 s, and 4e-6 s is a step that follows it: fifty for one of scree's. Stiffer
grains would overlap less and take more steps, as the root of the stiffness.
"""

import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

STEP, INNER, GRAVITY = 2e-4, 4e-6, 9.81

SCRIPT = """
units si
atom_style sphere
boundary f f f
newton off
comm_modify vel yes
read_data grains.data
neighbor 5e-4 bin
neigh_modify delay 0 every 1 check yes
pair_style gran/hooke/history {law}
pair_coeff * *
fix floor all wall/gran hooke/history {law} zplane 0.0 NULL
fix left all wall/gran hooke/history {law} xplane 0.0 {width}
fix front all wall/gran hooke/history {law} yplane 0.0 {width}
fix down all gravity {gravity} vector 0 0 -1
fix move all nve/sphere
timestep {inner}
thermo 100000
run {relax}
run {measure}
variable force atom (fx^2+fy^2+fz^2)/(mass*{gravity})^2
variable speed atom vx^2+vy^2+vz^2
compute force all reduce ave v_force
compute speed all reduce ave v_speed
thermo_style custom step c_force c_speed
thermo_modify format float %.10g
run 0
write_dump all custom grains.dump id radius x y z modify format float %.12g
"""
LAW = "5e3 1.43e3 2e4 1e4 0.4 1"


def read_heap(path):
    with open(path, encoding="ascii") as file:
        count, width = file.readline().split()
        grains = [[float(x) for x in line.split()] for line in file]
    assert len(grains) == int(count)
    return grains, float(width)


def write_data(grains, width, path):
    top = max(g[3] for g in grains) + 0.02
    with open(path, "w", encoding="ascii") as file:
        file.write(f"grains\n\n{len(grains)} atoms\n1 atom types\n\n"
                   f"-0.001 {width + 0.001} xlo xhi\n-0.001 {width + 0.001} ylo yhi\n"
                   f"-0.001 {top} zlo zhi\n\nAtoms # sphere\n\n")
        for i, g in enumerate(grains):
            file.write(f"{i + 1} 1 {2 * g[0]:.17g} 1000 {g[1]:.17g} {g[2]:.17g} {g[3]:.17g}\n")
        file.write("\nVelocities\n\n")
        for i, g in enumerate(grains):
            file.write(f"{i + 1} " + " ".join(f"{x:.17g}" for x in g[4:10]) + "\n")


def read_dump(path):
    with open(path, encoding="ascii") as file:
        lines = file.read().split("ITEM: ATOMS")[1].splitlines()[1:]
    return [[float(x) for x in line.split()[1:]] for line in lines]


def overlap(balls, width):
    """The largest overlap over the smaller radius."""
    cell = 5.1e-3
    cells = {}
    for i, (_, *x) in enumerate(balls):
        cells.setdefault(tuple(int(c // cell) for c in x), []).append(i)
    worst = 0.0
    for i, (r, x, y, z) in enumerate(balls):
        for gap in (x, y, z, width - x, width - y):
            worst = max(worst, (r - gap) / r)
        at = [int(c // cell) for c in (x, y, z)]
        near = (j for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1)
                for j in cells.get((at[0] + a, at[1] + b, at[2] + c), ()) if j < i)
        for j in near:
            other = balls[j]
            depth = r + other[0] - math.dist((x, y, z), other[1:])
            worst = max(worst, depth / min(r, other[0]))
    return worst


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: lammps_grains.py HEAP RELAX STEPS")
    program = shutil.which("lmp")
    if not program:
        print("SKIPPED: LAMMPS, it needs the command lmp (Debian: lammps)")
        return 0
    grains, width = read_heap(sys.argv[1])
    steps = int(sys.argv[3])
    per_step = round(STEP / INNER)
    with tempfile.TemporaryDirectory() as folder:
        write_data(grains, width, os.path.join(folder, "grains.data"))
        script = SCRIPT.format(law=LAW, width=width, gravity=GRAVITY, inner=INNER,
                               relax=round(float(sys.argv[2]) / INNER), measure=steps * per_step)
        with open(os.path.join(folder, "in.grains"), "w", encoding="ascii") as file:
            file.write(script)
        done = subprocess.run([program, "-in", "in.grains", "-log", "none"], cwd=folder, text=True,
                              capture_output=True, check=False,
                              env=dict(os.environ, OMP_NUM_THREADS="1"))
        if done.returncode:
            sys.stderr.write(done.stdout[-2000:] + done.stderr[-2000:])
            return 1
        balls = read_dump(os.path.join(folder, "grains.dump"))
    loops = [float(x) for x in re.findall(r"Loop time of (\S+) on", done.stdout)]
    shares = [float(x) / 100 for x in re.findall(r"(\S+)% CPU use", done.stdout)]
    force, speed = re.findall(r"^\s*\d+\s+(\S+)\s+(\S+)\s*$", done.stdout, re.M)[-1]
    print(json.dumps({
        "step": loops[1] * shares[1] / steps, "inner": per_step, "lost": len(grains) - len(balls),
        "unrest": math.sqrt(float(speed)) / (GRAVITY * STEP), "imbalance": math.sqrt(float(force)),
        "penetration": overlap(balls, width)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
