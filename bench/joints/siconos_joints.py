#!/usr/bin/python3
# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""siconos_joints.py - the rival of bench/joints: Siconos' slider-crank and its chain of beams.

in: case, step, steps.   out: one JSON object: processor seconds of the time loop, rows of the state.

  slider-crank   Flores, Leine & Glocker 2010, as Siconos' examples have it: three angles, four corners of the
                 block against two guides, e = 0.4, mu = 0.01; M, forces, gaps and H in a compiled plug-in
  beams          three beams on ball joints (KneeJointR) that swing in space; Newton-Euler with quaternions
                 and equality constraints, solved as a mixed complementarity problem or by the mechanical solver

Both by MoreauJeanOSI with theta = 1/2 and the loop in C++ (TimeStepping.run) where states are not asked for.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: faster for the rival

import numpy as np  # noqa: E402
import siconos.kernel as sk  # noqa: E402

L1, L2, A, B, C = 0.153, 0.306, 0.05, 0.025, 1e-3
PLUGIN = """
#include <math.h>
static const double l1 = 0.153, l2 = 0.306, m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4,
                    J3 = 2.7e-6, g = 9.81, a = 0.05, b = 0.025, c = 1e-3;
void mass(unsigned n, const double *q, double *M, unsigned k, double *z) {
    double both = l1 * l2 * (m2 / 2 + m3) * cos(q[1] - q[0]);
    for (unsigned i = 0; i < n * n; i++) M[i] = 0;
    M[0] = J1 + l1 * l1 * (m1 / 4 + m2 + m3);
    M[4] = J2 + l2 * l2 * (m2 / 4 + m3);
    M[8] = J3;
    M[1] = M[3] = both;
    (void)k, (void)z;
}
void gyr(unsigned n, const double *q, const double *v, double *f, unsigned k, double *z) {
    double both = l1 * l2 * (m2 / 2 + m3) * sin(q[1] - q[0]);
    f[0] = -both * v[1] * v[1];
    f[1] = both * v[0] * v[0];
    f[2] = 0;
    (void)n, (void)k, (void)z;
}
void weight(double t, unsigned n, const double *q, const double *v, double *f, unsigned k, double *z) {
    f[0] = g * l1 * cos(q[0]) * (m1 / 2 + m2 + m3);
    f[1] = g * l2 * cos(q[1]) * (m2 / 2 + m3);
    f[2] = 0;
    (void)t, (void)n, (void)v, (void)k, (void)z;
}
static void corner(const double *q, double x, double y, double up, double *gap, double *H) {
    double s = sin(q[2]), o = cos(q[2]);
    double px = l1 * cos(q[0]) + l2 * cos(q[1]) + x * o - y * s;
    double py = l1 * sin(q[0]) + l2 * sin(q[1]) + x * s + y * o;
    if (gap) gap[0] = b + c - up * py, gap[1] = up * px;
    if (!H) return;
    H[0] = -up * l1 * cos(q[0]), H[2] = -up * l2 * cos(q[1]), H[4] = -up * (x * o - y * s);
    H[1] = -up * l1 * sin(q[0]), H[3] = -up * l2 * sin(q[1]), H[5] = -up * (x * s + y * o);
}
#define CORNER(name, x, y, up)                                                                         \\
    void name(unsigned n, const double *q, unsigned m, double *gap, unsigned k, double *z) {         \\
        corner(q, x, y, up, gap, 0);                                                                   \\
        (void)n, (void)m, (void)k, (void)z;                                                            \\
    }                                                                                                  \\
    void name##H(unsigned n, const double *q, unsigned m, double *H, unsigned k, double *z) {        \\
        corner(q, x, y, up, 0, H);                                                                     \\
        (void)n, (void)m, (void)k, (void)z;                                                            \\
    }
CORNER(one, -a, b, 1)
CORNER(two, a, b, 1)
CORNER(three, -a, -b, -1)
CORNER(four, a, -b, -1)
"""


def build(folder):
    """The plug-in; its name as Siconos wants it."""
    source = os.path.join(folder, "crank.c")
    with open(source, "w", encoding="ascii") as file:
        file.write(PLUGIN)
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", source, "-o",
                    os.path.join(folder, "crank.so"), "-lm"], check=True)
    return os.path.join(folder, "crank")


def simulate(model, problem, step, steps, state, kept):
    """Seconds of the loop in C++, or of one that keeps states, and these."""
    integrator = sk.MoreauJeanOSI(0.5)
    simulation = sk.TimeStepping(model, sk.TimeDiscretisation(0, step), integrator, problem)
    simulation.setNewtonTolerance(1e-10)
    simulation.setNewtonMaxIteration(20)
    simulation.initialize()
    kept.append((integrator, simulation))
    rows, clock = [], time.process_time()
    if state is None:
        simulation.run()
    else:
        while simulation.hasNextEvent():
            simulation.computeOneStep()
            rows.append([simulation.nextTime(), *state()])
            simulation.nextStep()
    return {"seconds": time.process_time() - clock, "steps": steps, "rows": rows}


def slider_crank(step, steps, store, folder):
    """Three angles; the four corners of the block."""
    plugin, kept = build(folder), []
    body = sk.LagrangianDS(np.zeros(3), np.array([150.0, -75.0, 0.0]), plugin + ":mass")
    body.setComputeFGyrFunction(plugin, "gyr")
    body.setComputeFIntFunction(plugin, "weight")
    model = sk.NonSmoothDynamicalSystem(0, steps * step)
    model.insertDynamicalSystem(body)
    for name in ("one", "two", "three", "four"):
        law = sk.NewtonImpactFrictionNSL(0.4, 0.0, 0.01, 2)
        relation = sk.LagrangianScleronomousR(f"{plugin}:{name}", f"{plugin}:{name}H")
        contact = sk.Interaction(law, relation)
        model.link(contact, body)
        kept.append((law, relation, contact))
    problem = sk.FrictionContact(2)
    return simulate(model, problem, step, steps, (lambda: list(body.q())) if store else None, kept)


def beams(step, steps, store, _folder):
    """Three beams from a fixed point, lying along x, let go."""
    import siconos.mechanics.joints as sj
    kept, bodies = [], []
    model = sk.NonSmoothDynamicalSystem(0, steps * step)
    for k in range(3):
        body = sk.NewtonEulerDS(np.array([k + 0.5, 0, 0, 1, 0, 0, 0.0]), np.zeros(6), 1.0,
                                np.diag([0.02, 0.1, 0.1]))
        weight = np.array([0, 0, -9.81])
        body.setFExtPtr(weight)
        model.insertDynamicalSystem(body)
        bodies.append(body)
        kept.append((body, weight))
    for k in range(3):
        law, point = sk.EqualityConditionNSL(3), np.array([float(k), 0, 0])
        relation = (sj.KneeJointR(point, True, bodies[0]) if k == 0 else
                    sj.KneeJointR(point, True, bodies[k - 1], bodies[k]))
        joint = sk.Interaction(law, relation)
        model.link(joint, *([bodies[0]] if k == 0 else [bodies[k - 1], bodies[k]]))
        kept.append((law, relation, joint))
    state = (lambda: [x for body in bodies for x in list(body.q())[:3]]) if store else None
    return simulate(model, sk.MLCP(), step, steps, state, kept)


def main():
    """siconos_joints.py CASE STEP STEPS [store]"""
    case, step, steps = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        result = {"slider-crank": slider_crank, "beams": beams}[case](step, steps, len(sys.argv) > 4, folder)
    print(json.dumps(result))


main()
