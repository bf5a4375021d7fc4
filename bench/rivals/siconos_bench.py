#!/usr/bin/python3
# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""siconos_bench.py - the rival of bench/stepping: how many steps per second Siconos makes.

in: nothing but options.   out: one JSON object on standard output.   Notes go to standard error.

Two systems, both with Siconos' Moreau-Jean scheme, theta = 1/2, h = 1e-4:

  impacting-stick   planar rod, e = 1, mu = 0.01, 0.2 s = 2000 steps (paper 001, section 5.1)
  bouncing-ball     drop of 1 m, g = 9.81, e = 0.7, 3 s = 30000 steps (closed form)

Only the time loop is timed: model, initialisation and output file are outside. Four loops:

  plain          TimeStepping.run(), the loop inside Siconos' own library: no Python in it
  plain_python   the same loop written in Python
  stored         the usual Siconos script: a numpy row filled at every step (time, q, v, u, p);
                 the file is written after the loop, untimed (npy_seconds: what it would add)
  stored_native  the same rows filled by a C++ loop; needs c++ and libsiconos-kernel-dev

Siconos gets the fastest set-up that we found. Tried, in steps per second, best of many runs on a
2-core AMD EPYC virtual machine with Debian's 4.4.0+dfsg-2 (loop `plain` unless said otherwise):

  impacting-stick
    LagrangianLinearDiagonalDS, C plug-in, SICONOS_TS_LINEAR     326 000   <- used
    LagrangianLinearDiagonalDS, C plug-in, Newton loop           309 000
    LagrangianLinearTIDS, C plug-in, SICONOS_TS_LINEAR           316 000
    LagrangianLinearTIDS, C plug-in, Newton loop                 312 000
    LagrangianDS, C plug-in, SICONOS_TS_LINEAR                   234 000
    RigidBody2dDS, C plug-in                                     216 000
    RigidBody2dDS, thin box, Bullet finds the contact             91 000   (not the same geometry)
    LagrangianLinearDiagonalDS, relation overridden in Python     55 000   (plain_python, 500
                                         steps of free flight: ours crashed at the first contact)
    solvers NSGS, enumeration, Lemke, CPG: the same within noise (one contact, two active steps)
    MoreauJeanOSI.setIsWSymmetricDefinitePositive: 277 000 against 306 000 (LagrangianLinearTIDS)
  bouncing-ball
    LagrangianLinearDiagonalDS, one coordinate                   426 000   <- used
    LagrangianLinearTIDS, one coordinate                         383 000
    LagrangianLinearDiagonalDS, three coordinates                369 000
    LagrangianLinearTIDS, three coordinates                      356 000
    LagrangianDS, one coordinate                                 268 000
    LCP solvers Lemke (default), PGS, QP, enumeration: all the same within noise
  both: OPENBLAS_NUM_THREADS=1 gains about 5 %, so it is set below. Debian's build has assertions
  on (the ball with MoreauJeanBilbaoOSI, another scheme, aborts in one); a build of one's own
  without them may be faster and was not tried: the rival is what Debian's users get.
  storing in Python: by numbers, slices or rows of the table; the fastest for each case is used.
"""

import argparse
import ctypes
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: faster for the rival

import numpy as np  # noqa: E402
import siconos.kernel as sk  # noqa: E402

STEP = 1e-4
MODES = ("plain", "plain_python", "stored", "stored_native")

# gap and tangential position of the rod's end, side -1, tangent along -x; Jacobian by columns
PLUGIN_C = """
#include <math.h>

void stick_position(unsigned n, const double *q, unsigned m, double *y, unsigned k, double *z) {
    (void)n, (void)m, (void)k, (void)z;
    y[0] = q[1] - 0.5 * cos(q[2]);
    y[1] = -q[0] - 0.5 * sin(q[2]);
}

void stick_jacobian(unsigned n, const double *q, unsigned m, double *H, unsigned k, double *z) {
    (void)n, (void)m, (void)k, (void)z;
    H[0] = 0, H[2] = 1, H[4] = 0.5 * sin(q[2]);
    H[1] = -1, H[3] = 0, H[5] = -0.5 * cos(q[2]);
}
"""

# the storing loop without Python; the arguments are the shared pointers inside the SWIG objects
NATIVE_CPP = """
#include <SiconosKernel.hpp>
#include <memory>

static double *put(const SiconosVector &x, double *row) {
    for (unsigned i = 0; i < x.size(); i++) *row++ = x.getValue(i);
    return row;
}

extern "C" int record(void *simulation, void *system, void *contact, double *row, int rows) {
    TimeStepping &s = **static_cast<std::shared_ptr<TimeStepping> *>(simulation);
    auto &body = **static_cast<std::shared_ptr<LagrangianLinearDiagonalDS> *>(system);
    Interaction &c = **static_cast<std::shared_ptr<Interaction> *>(contact);
    const SiconosVector &q = *body.q(), &v = *body.velocity(), &u = *c.y(1), &p = *c.lambda(1);
    int step = 0;
    for (; step < rows && s.hasNextEvent(); step++) {
        s.computeOneStep();
        *row++ = s.nextTime();
        row = put(p, put(u, put(v, put(q, row))));
        s.nextStep();
    }
    return step;
}
"""


def note(text):
    print(f"siconos_bench: {text}", file=sys.stderr, flush=True)


# ---- compiled parts ----------------------------------------------------------------------------


def compile_once(command, source, suffix, target):
    """Build target from source text, unless an earlier run left it in the same folder."""
    if os.path.exists(target):
        return
    path = target + suffix
    with open(path, "w", encoding="ascii") as file:
        file.write(source)
    subprocess.run([*command, "-O2", "-shared", "-fPIC", path, "-o", target + ".part",
                    *(["-lm"] if suffix == ".c" else ["-lsiconos_kernel"])],
                   check=True, stdout=sys.stderr, stderr=subprocess.PIPE)
    os.replace(target + ".part", target)


def build_plugin(folder):
    """The rod's geometry in C; returns what Siconos calls a plug-in name, without the function."""
    try:
        compile_once([os.environ.get("CC", "cc")], PLUGIN_C, ".c", os.path.join(folder, "stick.so"))
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"siconos_bench: cannot compile the rod's plug-in: {error}") from error
    return os.path.join(folder, "stick")


def build_native(folder):
    """The storing loop in C++, or None where Siconos' headers or a C++ compiler are missing."""
    base = "/usr/include/siconos"
    folders = (base, base + "/kernel", base + "/numerics")
    command = [os.environ.get("CXX", "c++"), *(f"-I{path}" for path in folders)]
    try:
        compile_once(command, NATIVE_CPP, ".cpp", os.path.join(folder, "native.so"))
    except (OSError, subprocess.CalledProcessError):
        note("SKIPPED: stored_native, it needs c++ and the headers of libsiconos-kernel-dev")
        return None
    record = ctypes.CDLL(os.path.join(folder, "native.so")).record
    record.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_int]
    return record


# ---- the two systems ---------------------------------------------------------------------------


class System:
    """One Siconos simulation, initialised; keeps every Python object that Siconos points to."""

    def __init__(self, body, force, relation, law, problem, steps):
        self.body, self.steps = body, steps
        body.setFExtPtr(np.array(force))
        self.contact = sk.Interaction(law, relation)
        model = sk.NonSmoothDynamicalSystem(0, steps * STEP)
        model.insertDynamicalSystem(body)
        model.link(self.contact, body)
        integrator, grid = sk.MoreauJeanOSI(0.5), sk.TimeDiscretisation(0, STEP)
        self.simulation = sk.TimeStepping(model, grid, integrator, problem)
        # the systems are linear between contacts: one Newton iteration, no convergence check
        self.simulation.setNewtonOptions(sk.SICONOS_TS_LINEAR)
        self.kept = (relation, law, problem, model, integrator, grid)
        self.simulation.initialize()

    def table(self):
        """Room for every step: time, q, v, u, p."""
        columns = 1 + 2 * len(self.body.q()) + 2 * len(self.contact.y(1))
        return np.zeros((self.steps, columns))


def impacting_stick(plugin):
    angle, mass, gravity = math.pi / 4, 1.0, 10.0
    q0 = [0.5 * math.sin(angle), 0.5 * math.cos(angle) + 0.01, angle]
    body = sk.LagrangianLinearDiagonalDS(q0, [-0.5, 0.1, 0.1], np.zeros(3), np.zeros(3),
                                         np.array([mass, mass, mass / 12]))
    relation = sk.LagrangianScleronomousR(plugin + ":stick_position", plugin + ":stick_jacobian")
    law = sk.NewtonImpactFrictionNSL(1.0, 0.0, 0.01, 2)
    return System(body, [0.0, -mass * gravity, 0.0], relation, law, sk.FrictionContact(2), 2000)


def bouncing_ball(_plugin):
    body = sk.LagrangianLinearDiagonalDS([1.0], [0.0], np.zeros(1), np.zeros(1), np.ones(1))
    relation = sk.LagrangianLinearTIR(np.array([[1.0]]))
    return System(body, [-9.81], relation, sk.NewtonImpactNSL(0.7), sk.LCP(), 30000)


# ---- the four loops ----------------------------------------------------------------------------


def loop_plain(system, _table):
    system.simulation.run()


def loop_plain_python(system, _table):
    simulation = system.simulation
    while simulation.hasNextEvent():
        simulation.computeOneStep()
        simulation.nextStep()


def loop_stored(system, table):
    """Numpy rows filled in Python: numbers for one coordinate, slices for more (the faster)."""
    store = store_numbers if len(system.body.q()) == 1 else store_slices
    store(system, table, system.simulation)


def store_numbers(system, table, simulation):
    q, v = system.body.q(), system.body.velocity()  # views, valid for the whole run
    u, p = system.contact.y(1), system.contact.lambda_(1)
    k = 0
    while simulation.hasNextEvent():
        simulation.computeOneStep()
        table[k, 0] = simulation.nextTime()
        table[k, 1] = q[0]
        table[k, 2] = v[0]
        table[k, 3] = u[0]
        table[k, 4] = p[0]
        k += 1
        simulation.nextStep()


def store_slices(system, table, simulation):
    q, v = system.body.q(), system.body.velocity()
    u, p = system.contact.y(1), system.contact.lambda_(1)
    n, m = len(q), len(u)
    times = table[:, 0]
    qs, vs, us, ps = np.split(table[:, 1:], np.cumsum([n, n, m]), axis=1)  # views
    k = 0
    while simulation.hasNextEvent():
        simulation.computeOneStep()
        times[k] = simulation.nextTime()
        qs[k] = q
        vs[k] = v
        us[k] = u
        ps[k] = p
        k += 1
        simulation.nextStep()


def native_loop(record):
    def loop_stored_native(system, table):
        record(int(system.simulation.this), int(system.body.this), int(system.contact.this),
               table.ctypes.data, len(table))
    return loop_stored_native


# ---- is it the same motion? --------------------------------------------------------------------


def impact_rows(table, p_column):
    """Steps that carry an impulse while the step before carries none."""
    active = table[:, p_column] > 0
    return np.flatnonzero(active & ~np.roll(active, 1))


def close(value, reference, tolerance):
    return abs(value - reference) <= tolerance


def check_stick(table):
    """Against the scheme as printed in paper 001: Siconos activates a step or three later."""
    rows = impact_rows(table, 9)
    times = [float(table[k, 0]) for k in rows]
    if len(rows) != 2:
        return times, False
    # end of step, u_T after, p_N, kinetic energy after, moreau-jean
    reference = ((0.0603, -0.0854752652918567, 0.37308921265423106, 0.25244234034939217),
                 (0.1633, -0.4075745044023914, 0.3127211217717339, 0.9159470038656218))
    agree = True
    for k, (t, ut, pn, kinetic) in zip(rows, reference):
        v, u, p = table[k, 4:7], table[k, 7:9], table[k, 9:11]
        energy = 0.5 * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2 / 12)
        agree &= (close(table[k, 0], t, 3.5 * STEP) and close(u[1], ut, 0.01 * abs(u[0]))
                  and close(p[0], pn, 0.01 * pn) and close(p[1], 0.01 * p[0], 1e-12)
                  and close(energy, kinetic, 0.01 * kinetic))
    end = (0.2529170734063745, 0.24718510928681478, 1.0819883190944333)
    return times, agree and all(close(a, b, 1e-3) for a, b in zip(table[-1, 1:4], end))


def check_ball(table):
    """Against the closed form t_n = t_1 (1 + 2 sum e^j): the scheme is of first order in h."""
    times = [float(table[k, 0]) for k in impact_rows(table, 4)[:4]]
    first = math.sqrt(2 / 9.81)
    exact = [first * (1 + 2 * sum(0.7 ** j for j in range(1, n + 1))) for n in range(4)]
    agree = len(times) == 4 and all(close(a, b, 5 * STEP) for a, b in zip(times, exact))
    return times, agree and close(table[-1, 1], 0, 1e-3)


# ---- measuring ---------------------------------------------------------------------------------


def timed(make, plugin, loop):
    """Steps per second of one loop on a new system, with what the loop stored and its end."""
    system = make(plugin)
    table = system.table()
    start = time.perf_counter()
    loop(system, table)
    seconds = time.perf_counter() - start
    if system.simulation.hasNextEvent():
        raise SystemExit("siconos_bench: a loop ended before its last step")
    return system.steps / seconds, table, system.body.q().copy()


def write_seconds(table, folder):
    start = time.perf_counter()
    np.save(os.path.join(folder, "rows.npy"), table)
    return time.perf_counter() - start


def measure(make, check, loops, options, plugin, folder):
    """Every loop in turn, options.repetitions times: noise hits all of them alike."""
    # one untimed run warms up, shows the motion and says where all the others must end
    _, table, end = timed(make, plugin, loop_stored)
    impacts, agree = check(table)
    rates = {mode: [] for mode in loops}
    for _ in range(options.repetitions):
        for mode, loop in loops.items():
            rate, rows, last = timed(make, plugin, loop)
            agree &= bool(np.array_equal(last, end))
            agree &= not mode.startswith("stored") or bool(np.array_equal(rows, table))
            rates[mode].append(rate)
    result = {"steps": len(table), "impacts": impacts, "agree": bool(agree),
              "npy_seconds": write_seconds(table, folder), "samples": rates}
    for mode in MODES:
        result[mode] = max(rates[mode]) if mode in rates else None
        result[mode + "_median"] = statistics.median(rates[mode]) if mode in rates else None
    return result


def version():
    """Debian's package version: the one in the Python package is not the library's."""
    query = ["dpkg-query", "-W", "-f=${Version}", "python3-siconos"]
    try:
        return subprocess.run(query, check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def python_shares(result):
    """Part of a Python script's loop time that a C++ loop does not need, per case."""
    share = {}
    pairs = (("plain", "plain", "plain_python"), ("stored", "stored_native", "stored"))
    for label, fast, slow in pairs:
        share[label] = 1 - result[slow] / result[fast] if result[fast] else None
    return share


def silence_stdout():
    """Siconos' library prints on standard output: keep that for the JSON alone."""
    sys.stdout.flush()
    keep = os.fdopen(os.dup(1), "w")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)
    return keep


def bench(options, folder):
    plugin, record = build_plugin(folder), build_native(folder)
    loops = {"plain": loop_plain, "plain_python": loop_plain_python, "stored": loop_stored}
    if record:
        loops["stored_native"] = native_loop(record)
    cases = {"impacting-stick": (impacting_stick, check_stick),
             "bouncing-ball": (bouncing_ball, check_ball)}
    report = {"siconos": version(), "python": sys.version.split()[0], "numpy": np.__version__,
              "scheme": "MoreauJeanOSI", "theta": 0.5, "step": STEP,
              "repetitions": options.repetitions, "python_share": {}}
    for name, (make, check) in cases.items():
        report[name] = measure(make, check, loops, options, plugin, folder)
        report["python_share"][name] = python_shares(report[name])
    return report


def main():
    parser = argparse.ArgumentParser(description="step rate of Siconos on two systems, as JSON")
    parser.add_argument("--repetitions", type=int, default=11, help="timed runs of each loop (11)")
    parser.add_argument("--build-dir", help="keep the compiled parts here, to be used again")
    options = parser.parse_args()
    if options.repetitions < 1:
        parser.error("--repetitions must be at least 1")
    out = silence_stdout()
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.path.abspath(options.build_dir) if options.build_dir else scratch
        os.makedirs(folder, exist_ok=True)
        report = bench(options, folder)
    print(json.dumps(report, indent=2), file=out, flush=True)
    return 0 if all(report[c]["agree"] for c in ("impacting-stick", "bouncing-ball")) else 1


if __name__ == "__main__":
    sys.exit(main())
