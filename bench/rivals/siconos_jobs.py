#!/usr/bin/env python3
# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""siconos_jobs.py - the rival of bench/jobs: a scene of scree by Siconos' mechanics runner.

in: BODIES SCENE SECONDS [PATH=VALUE]..., BODIES being the program made of bench/jobs/bodies.c.
out: one JSON object. Needs Debian's python3-siconos and python3-h5py.

Balls and boxes that move freely, planes and boxes that do not; bodies may be born and removed. Planes
are boxes a hundred times as large as the scene's bodies are far from the origin. Moreau-Jean with
theta = 0.50001 (its default), step of the scene, NSGS to 1e-4 with at most 1000 iterations.
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy
import siconos.kernel as kernel
import siconos.numerics as numerics
from siconos.io.mechanics_run import MechanicsHdf5Runner
from siconos.mechanics.collision.bullet import SiconosBulletOptions
from siconos.mechanics.collision.tools import Contactor


class Enough(Exception):
    """The time is over."""


def turned_to(normal):
    """The quaternion w x y z that turns z to the normal."""
    x, y, z = normal
    if z < -1 + 1e-12:
        return [0, 1, 0, 0]
    q = numpy.array([1 + z, -y, x, 0])
    return list(q / numpy.linalg.norm(q))


def add_shape(io, name, shape, far):
    """The contactor of a shape and where it sits."""
    at = shape["at"]
    if shape["kind"] == "sphere":
        io.add_primitive_shape(name, "Sphere", [shape["radius"]])
    elif shape["kind"] == "box":
        io.add_primitive_shape(name, "Box", shape["size"])
    elif shape["kind"] == "plane":
        io.add_primitive_shape(name, "Box", [2 * far, 2 * far, far])
        at = [a - far / 2 * n for a, n in zip(at, shape["normal"])]
        return Contactor(name, relative_translation=at,
                         relative_orientation=turned_to(shape["normal"]))
    else:
        sys.exit(f"siconos_jobs: no shape {shape['kind']}")
    return Contactor(name, relative_translation=at)


def write(io, scene):
    free = [b for b in scene["bodies"] if b["free"]]
    far = 10 * max(max(abs(x) for x in b["position"]) for b in free) + 1
    law = free[-1]
    if law["rolling"] > 0:
        io.add_Newton_impact_rolling_friction_nsl("law", mu=law["friction"], mu_r=law["rolling"],
                                                  e=law["restitution"])
    else:
        io.add_Newton_impact_friction_nsl("law", mu=law["friction"], e=law["restitution"])
    for i, body in enumerate(scene["bodies"]):
        if body["driven"]:
            sys.exit("siconos_jobs: no driven bodies")
        shapes = [add_shape(io, f"s{i}-{k}", s, far) for k, s in enumerate(body["shapes"])]
        q = body["orientation"] if any(body["orientation"]) else [1, 0, 0, 0]
        t = body["tensor"]
        own = {"mass": body["mass"], "inertia": [t[0], t[3], t[5]],
               "velocity": [*body["velocity"], *body["angular"]]} if body["free"] else {}
        io.add_object(body["name"], shapes, translation=body["position"], orientation=q,
                      time_of_birth=body["born"] or -1, time_of_death=body["removed"] or -1, **own)


def step_all(scene, seconds):
    options = kernel.solver_options_create(
        numerics.SICONOS_ROLLING_FRICTION_3D_NSGS if scene["bodies"][-1]["rolling"] > 0 else
        numerics.SICONOS_FRICTION_3D_NSGS)
    options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = 1000
    options.dparam[numerics.SICONOS_DPARAM_TOL] = 1e-4
    sizes = [max(b["shapes"][0]["size"] + [b["shapes"][0]["radius"]]) for b in scene["bodies"] if b["free"]]
    bullet = SiconosBulletOptions()
    bullet.worldScale = 1 / numpy.mean(sizes)
    bullet.contactBreakingThreshold = 0.04
    begin = time.process_time()
    done = 0

    def look_at_clock(_):
        nonlocal done
        done += 1
        if time.process_time() - begin > seconds:
            raise Enough

    with MechanicsHdf5Runner(mode="r+") as io:
        with contextlib.suppress(Enough):
            io.run(t0=0, T=scene["duration"], h=scene["step"], gravity_scale=1, bullet_options=bullet,
                   solver_options=options, Newton_max_iter=1, verbose=False, verbose_progress=False,
                   output_frequency=20, end_run_iteration_hook=look_at_clock)
        spent = time.process_time() - begin
        return done, spent, io.dynamic_data()[:], io.velocities_data()[:], io.contact_forces_data()[:]


def main():
    bodies, path, seconds = sys.argv[1:4]
    text = subprocess.run([bodies, path, *sys.argv[4:]], check=True, capture_output=True, text=True)
    scene = json.loads(text.stdout)
    if not numpy.allclose(scene["gravity"], [0, 0, -9.81]):
        sys.exit("siconos_jobs: another gravity")
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
        os.chdir(folder)
        with MechanicsHdf5Runner() as io:
            write(io, scene)
        steps, spent, places, speeds, contacts = step_all(scene, float(seconds))
    free = [b for b in scene["bodies"] if b["free"]]
    last = places[places[:, 0] == places[:, 0].max()]
    fast = speeds[speeds[:, 0] == places[:, 0].max()]
    energy = 0.0
    for x, v in zip(last[last[:, 1].argsort()], fast[fast[:, 1].argsort()]):
        if x[1] < 1:  # bodies that do not move have numbers below
            continue
        body = free[int(x[1]) - 1]
        energy += body["mass"] * (9.81 * x[4] + 0.5 * float(v[2:5] @ v[2:5]))
        energy += 0.5 * float(numpy.array(body["tensor"])[[0, 3, 5]] @ v[5:8] ** 2)
    gap = ((contacts[:, 2:5] - contacts[:, 5:8]) * contacts[:, 8:11]).sum(axis=1)
    size = min(b["shapes"][0]["radius"] or numpy.linalg.norm(b["shapes"][0]["size"]) / 2 for b in free)
    print(json.dumps({"steps": steps, "of": round(scene["duration"] / scene["step"]), "seconds": spent,
                      "penetration": float(max(0.0, -gap.min())) / size if len(gap) else 0.0,
                      "energy_start": None, "energy_end": energy, "created": None}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
