#!/usr/bin/env python3
# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""make.py - the meshes beside the scenes of bench/jobs, and the accelerogram of house.yaml.

out: funnel.obj, drum.obj and slope.obj in this folder; the rows of the accelerogram on standard output.
"""

import math
import os
import random

HERE = os.path.dirname(os.path.abspath(__file__))
SIDES = 32


def write(name, vertices, triangles):
    with open(os.path.join(HERE, name), "w", encoding="ascii") as file:
        file.writelines("v " + " ".join(f"{x:.6g}" for x in v) + "\n" for v in vertices)
        file.writelines("f " + " ".join(str(k + 1) for k in t) + "\n" for t in triangles)


def tube(rings):
    """Triangles between rings of SIDES vertices each, whose front is inside."""
    for ring in range(rings - 1):
        for i in range(SIDES):
            a, b = ring * SIDES + i, ring * SIDES + (i + 1) % SIDES
            yield a, a + SIDES, b
            yield b, a + SIDES, b + SIDES


def ring(radius):
    return [(radius * math.cos(2 * math.pi * i / SIDES), radius * math.sin(2 * math.pi * i / SIDES))
            for i in range(SIDES)]


def funnel():
    vertices = [(x, y, z) for r, z in ((0.012, 0), (0.04, 0.03), (0.04, 0.25)) for x, y in ring(r)]
    write("funnel.obj", vertices, tube(3))


def drum():
    vertices = [(x, y, z) for y in (0, 0.04) for x, z in ring(0.1)]
    write("drum.obj", vertices, ((a, c, b) for a, b, c in tube(2)))


def slope(nx=41, ny=21):
    noise = random.Random(3)
    vertices, triangles = [], []
    for j in range(ny):
        for i in range(nx):
            x, y = -20 + 40 * i / (nx - 1), -20 + 40 * j / (ny - 1)
            z = 0.21 * (20 - x) + 0.5 * math.sin(1.1 * x) * math.cos(0.9 * y) + 0.02 * y * y
            vertices.append((x, y, z + 0.15 * noise.random()))
    for j in range(ny - 1):
        for i in range(nx - 1):
            a = j * nx + i
            triangles += [(a, a + 1, a + nx + 1), (a, a + nx + 1, a + nx)]
    write("slope.obj", vertices, triangles)


def accelerogram(peak=4.0, step=0.02, duration=5.0):
    """Rows t, x, y, z: noise between 0.8 and 6 Hz that swells and dies away, without drift."""
    noise = random.Random(1)
    waves = [[(0.8 + 0.26 * k, noise.uniform(0, 2 * math.pi), noise.gauss(0, 1)) for k in range(20)]
             for _ in range(3)]
    times = [step * k for k in range(round(duration / step) + 1)]

    def place(t, axis):  # a displacement; its second difference is the acceleration
        swell = math.sin(math.pi * min(max(t / duration, 0), 1)) ** 2
        return swell * sum(a / f**2 * math.sin(2 * math.pi * f * t + p) for f, p, a in waves[axis])

    raw = [[(place(t + step, k) - 2 * place(t, k) + place(t - step, k)) / step**2 for k in range(3)]
           for t in times]
    most = [max(abs(row[k]) for row in raw) for k in range(3)]
    for t, row in zip(times, raw):
        x, y, z = (share * peak * a / m for share, a, m in zip((1, 0.7, 0.4), row, most))
        print(f"        - [{t:.2f}, {x:.3f}, {y:.3f}, {z:.3f}]")


if __name__ == "__main__":
    funnel()
    drum()
    slope()
    accelerogram()
