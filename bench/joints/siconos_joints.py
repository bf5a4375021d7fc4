#!/usr/bin/python3
# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""siconos_joints.py - the rival of bench/joints: Siconos' slider-crank, its chain of beams, and its other joints.

in: case, step, steps.   out: one JSON object: processor seconds of the time loop, rows of the state.

  slider-crank   Flores, Leine & Glocker 2010, as Siconos' examples have it: three angles, four corners of the
                 block against two guides, e = 0.4, mu = 0.01; M, forces, gaps and H in a compiled plug-in
  beams          three beams on ball joints (KneeJointR) that swing in space; Newton-Euler with quaternions
                 and equality constraints, solved as a mixed complementarity problem or by the mechanical solver

  cart-pendulum  a cart on a slider (PrismaticJointR) and a beam hinged to it (PivotJointR)
  cylinder       a body on an inclined pole (CylindricalJointR): slides down and swings about it
  four-bar       a loop of three bodies in space: two hinges, a ball, a cylindrical joint
  stop           a beam on a hinge that falls against a stop (JointStopR), e = 1/2
  dry-hinge      a wheel on a hinge with a dry moment of 0.3 N m (JointFrictionR, a relay)

All by MoreauJeanOSI with theta = 1/2 and the loop in C++ (TimeStepping.run) where states are not asked for.
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


def bodies_of(model, given, kept):
    """Newton-Euler bodies (place, mass, inertia, velocity) under their weight."""
    made = []
    for place, mass, inertia, velocity in given:
        body = sk.NewtonEulerDS(np.array([*place, 1, 0, 0, 0.0]), np.array([*velocity, 0, 0, 0][:6], dtype=float), mass,
                                np.diag(inertia))
        weight = np.array([0, 0, -9.81 * mass])
        body.setFExtPtr(weight)
        model.insertDynamicalSystem(body)
        kept.append((body, weight))
        made.append(body)
    return made


def join(model, relation, linked, kept):
    """The equations of a joint."""
    law = sk.EqualityConditionNSL(relation.numberOfConstraints())
    joint = sk.Interaction(law, relation)
    model.link(joint, *linked)
    kept.append((law, relation, joint))


def linkage(given, joints, more=None):
    """A case of bodies and joints: kind, point, axis, bodies."""
    def case(step, steps, store, _folder):
        import siconos.mechanics.joints as sj
        kept, model = [], sk.NonSmoothDynamicalSystem(0, steps * step)
        bodies = bodies_of(model, given, kept)
        for kind, point, axis, which in joints:
            linked = [bodies[k] for k in which]
            place, way = np.array(point, dtype=float), np.array(axis, dtype=float)
            relation = {"pivot": lambda: sj.PivotJointR(place, way, True, *linked),
                        "slider": lambda: sj.PrismaticJointR(way, True, *linked),
                        "cylinder": lambda: sj.CylindricalJointR(place, way, True, *linked),
                        "ball": lambda: sj.KneeJointR(place, True, *linked)}[kind]()
            join(model, relation, linked, kept)
            if more:
                more(sj, model, relation, linked, kept, step)
        state = (lambda: [x for body in bodies for x in list(body.q())]) if store else None
        problem = sk.MLCP() if not more else sk.GenericMechanical()
        return simulate(model, problem, step, steps, state, kept)
    return case


def add_stop(sj, model, relation, linked, kept, _step):
    """The angle of the hinge stays below 2."""
    law, stop = sk.NewtonImpactNSL(0.5), sj.JointStopR(relation, -2.0, False)
    touch = sk.Interaction(law, stop)
    model.link(touch, *linked)
    kept.append((law, stop, touch))


def add_dry_moment(sj, model, relation, linked, kept, step):
    """A moment of up to 0.3 N m against the turning: the bounds of a relay are impulses of a step, and half of them act."""
    law, rub = sk.RelayNSL(1, -0.6 * step, 0.6 * step), sj.JointFrictionR(relation)
    touch = sk.Interaction(law, rub)
    model.link(touch, *linked)
    kept.append((law, rub, touch))


BEAM, BALL = (0.02, 0.1, 0.1), (0.1, 0.1, 0.1)
REST = (0, 0, 0)
CASES = {
    "slider-crank": slider_crank,
    "beams": beams,
    "cart-pendulum": linkage([((0, 0, 0), 2.0, BALL, REST), ((0.5, 0, 0), 1.0, BEAM, REST)],
                             [("slider", REST, (1, 0, 0), (0,)), ("pivot", (0, 0, 0), (0, 1, 0), (0, 1))]),
    "cylinder": linkage([((0, 0.4, 0), 1.0, (0.05, 0.06, 0.07), REST)],
                        [("cylinder", (0, 0, 0), (1, 0, 1), (0,))]),
    "four-bar": linkage([((0.15, 0, 0.2), 1.0, BALL, REST), ((0.7, 0, 0.55), 1.0, BALL, REST),
                         ((1.05, 0, 0.35), 1.0, BALL, REST)],
                        [("pivot", (0, 0, 0), (0, 1, 0), (0,)), ("ball", (0.3, 0, 0.4), (0, 1, 0), (0, 1)),
                         ("cylinder", (1.1, 0, 0.7), (0, 1, 0), (1, 2)), ("pivot", (1, 0, 0), (0, 1, 0), (2,))]),
    "stop": linkage([((0.5, 0, 0), 1.0, BEAM, REST)], [("pivot", (0, 0, 0), (0, 1, 0), (0,))], add_stop),
    "dry-hinge": linkage([((0, 0, 0), 1.0, BALL, (0, 0, 0, 0, 3))],
                         [("pivot", (0, 0, 0), (0, 1, 0), (0,))], add_dry_moment),
}


def main():
    """siconos_joints.py CASE STEP STEPS [store]"""
    case, step, steps = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        result = CASES[case](step, steps, len(sys.argv) > 4, folder)
    print(json.dumps(result))


main()
