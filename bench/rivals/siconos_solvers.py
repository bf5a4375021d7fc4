#!/usr/bin/python3
# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""siconos_solvers.py - the rival of bench/solvers: how long Siconos' solvers need.

in: a problem, a solver's name, tolerances of our residual.   out: seconds of the solver call alone,
cold from r = 0, for each tolerance reached.

What leans to Siconos: it stops at its own error, another scale than the judge's, so its tolerance
is loosened as far as it can be: from the loosest that could do down by tens, and only the first
run that satisfies the judge is timed. A global problem is condensed beforehand. The problem is
handed over in the storage it is fastest with. Conversions of W that it keeps between calls are
timed only if the first call was the fastest.

Siconos hangs, aborts and exits on some problems, so every solver works in a child process with a
limit of processor time. Its reactions lie in memory shared with the parent: of a solver that had to
be stopped, the judge still sees how far it was.

Left out, because with Debian's build they end in an assertion, an exit or NaN on Rover problems:
GAMS and PATH (ids 514, 515, 518, 519), Glocker's formulation (510, 556, 561), the solvers on
cylinders (557, 564, 566, 567, for Tresca's law), NSN_AC with the projection loop (strategies 1 and
2) or adaptive rho, ADMM with rho from eigenvalues. NSGSV exits too and stays as a witness.

The library is called through its C interface (libsiconos_numerics), no Python in the timed part.
"""

import ctypes
import json
import mmap
import os
import select
import signal
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "solvers"))
import problems  # noqa: E402

TOLERANCES = (1e-4, 1e-8, 1e-10)
LIBRARY = "libsiconos_numerics.so.7"
SKIPPED = "SKIPPED: Siconos, it needs libsiconos-numerics7 (Debian: python3-siconos)"
MANY = 100000000  # iterations: the limit of time is what ends a solver

CLOCK_C = """
#include <string.h>
#include <time.h>

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double timed(int (*driver)(void *, double *, double *, void *), void *problem, double *r,
             double *u, void *options, size_t size, int *info) {
    memset(r, 0, size * sizeof *r);
    memset(u, 0, size * sizeof *u);
    double busy = now(CLOCK_PROCESS_CPUTIME_ID), start = now(CLOCK_MONOTONIC);
    *info = driver(problem, r, u, options);
    double elapsed = now(CLOCK_MONOTONIC) - start;
    busy = now(CLOCK_PROCESS_CPUTIME_ID) - busy;
    return busy < elapsed ? busy : elapsed;
}
"""


class Options(ctypes.Structure):
    """struct SolverOptions of SolverOptions.h; only what is set here has a useful type."""


Options._fields_ = [
    ("solverId", ctypes.c_int), ("isSet", ctypes.c_bool),
    ("iSize", ctypes.c_int), ("iparam", ctypes.POINTER(ctypes.c_int)),
    ("dSize", ctypes.c_int), ("dparam", ctypes.POINTER(ctypes.c_double)),
    ("filterOn", ctypes.c_bool), ("dWorkSize", ctypes.c_size_t), ("dWork", ctypes.c_void_p),
    ("iWorkSize", ctypes.c_size_t), ("iWork", ctypes.c_void_p),
    ("numberOfInternalSolvers", ctypes.c_size_t),
    ("internalSolvers", ctypes.POINTER(ctypes.POINTER(Options))),
]


# ---- the solvers -------------------------------------------------------------------------------
# name: id, settings. A setting is (index, value) of iparam, of dparam when the value is a float,
# or ("inside", id, settings) for the solver within. The names are those of Siconos' manual.

NSGS, NSGSV, PROX, TFP, NSN_AC, DSFP = 500, 501, 502, 503, 504, 505
VI_FPP, VI_EG, HP, FPP, EG, NSN_FB = 506, 507, 508, 511, 512, 513
ACLM, SOCLCP, NSN_NM, NSN_AC_TEST, PFP, ADMM = 516, 517, 520, 521, 522, 523

ONE_CONTACT = {"nsn": 550, "nsn-gp": 551, "nsn-gp-hybrid": 565, "projection": 552,
               "projection-iterated": 553, "projection-regularised": 554,
               "projection-diagonal": 555, "quartic": 562, "quartic-nu": 563}


LIGHT = (7, 1)  # the error of a sweep is measured by its steps alone
FREEZING = (19, 10)  # contacts that rest are left out for ten sweeps


def nsgs(inside, *settings):
    return NSGS, (("inside", ONE_CONTACT[inside], ()), *settings)


def relaxed(factor):
    return (4, 1), (8, factor)


SOLVERS_3D = {
    # what wins somewhere comes first: it sets the limit of time for the rest
    "NSN_AC": (NSN_AC, ()),
    "NSGS nsn-gp light": nsgs("nsn-gp", LIGHT),
    "PROX": (PROX, ()),
    "ADMM": (ADMM, ()),
    "NSGS nsn-gp light freezing": nsgs("nsn-gp", LIGHT, FREEZING),
    "NSGS nsn-gp light relaxed 1.2": nsgs("nsn-gp", LIGHT, *relaxed(1.2)),
    "NSGS nsn-gp light relaxed 1.4": nsgs("nsn-gp", LIGHT, *relaxed(1.4)),
    "NSGS nsn-gp light relaxed 1.2 freezing": nsgs("nsn-gp", LIGHT, FREEZING, *relaxed(1.2)),
    "NSGS nsn-gp light loose": nsgs("nsn-gp", LIGHT, (2, 0)),  # inner tolerance follows the outer
    "NSGS nsn light": nsgs("nsn", LIGHT),
    "NSGS nsn light freezing": nsgs("nsn", LIGHT, FREEZING),
    "NSGS quartic light": nsgs("quartic", LIGHT),
    "NSGS quartic light freezing": nsgs("quartic", LIGHT, FREEZING),
    "NSGS quartic-nu light": nsgs("quartic-nu", LIGHT),
    "NSGS quartic-nu light freezing": nsgs("quartic-nu", LIGHT, FREEZING),
    "NSGS projection-iterated light": nsgs("projection-iterated", LIGHT),
    "NSGS nsn-gp-hybrid light": nsgs("nsn-gp-hybrid", LIGHT),
    "NSGS nsn-gp-hybrid": nsgs("nsn-gp-hybrid"),  # Siconos' default
    "NSGS nsn-gp": nsgs("nsn-gp"),
    "NSGS quartic": nsgs("quartic"),
    "NSGS projection light": nsgs("projection", LIGHT),
    "NSGS projection-diagonal light": nsgs("projection-diagonal", LIGHT),
    "NSGS projection-regularised light": nsgs("projection-regularised", LIGHT),
    "NSGSV": (NSGSV, ()),
    "NSN_AC standard": (NSN_AC, ((10, 0),)),
    "NSN_AC jean-moreau": (NSN_AC, ((10, 1),)),
    "NSN_AC split-rho": (NSN_AC, ((9, 3),)),
    "NSN_AC no-search": (NSN_AC, ((11, -1),)),
    "NSN_AC armijo": (NSN_AC, ((11, 1),)),
    "NSN_AC hybrid": (NSN_AC, ((14, 3), (15, 1), (16, 100))),  # extragradient before Newton
    "NSN_AC_TEST": (NSN_AC_TEST, ()),
    "NSN_FB": (NSN_FB, ()),
    "NSN_NM": (NSN_NM, ()),
    "PROX nsgs": (PROX, (("inside", NSGS, ()),)),
    "PROX regularised": (PROX, ((9, 1),)),
    "ADMM asymmetric": (ADMM, ((12, 2),)),
    "ADMM balanced": (ADMM, ((9, 2),)),
    "ADMM scaled-balanced": (ADMM, ((9, 3),)),
    "ADMM norm-rho": (ADMM, ((10, 1),)),
    "EG": (EG, ()),
    "FPP": (FPP, ()),
    "VI_EG": (VI_EG, ()),
    "VI_FPP": (VI_FPP, ()),
    "HP": (HP, ()),
    "DSFP": (DSFP, ()),
    "TFP": (TFP, ()),
    "PFP": (PFP, ()),
    "ACLM": (ACLM, ()),
    "SOCLCP": (SOCLCP, ()),
}

SOLVERS_2D = {
    "NSGS": (400, ()),
    "NSGS light": (400, (LIGHT,)),
    "CPG": (402, ()),
    "LEMKE": (404, ()),  # lexicographic
    "ENUM": (405, ()),
}
DENSE_ONLY = {402, 404, 405}  # ids whose driver refuses blocks


def solvers(dimension):
    return SOLVERS_2D if dimension == 2 else SOLVERS_3D


class Siconos:
    """The library, its driver's types and the clock around a call."""

    def __init__(self, folder):
        self.lib = ctypes.CDLL(LIBRARY)
        lib, pointer = self.lib, ctypes.c_void_p
        for name in ("frictionContact_new_from_filename", "frictionContact_copy",
                     "frictionContactProblem_new_with_data", "NM_create_from_data"):
            getattr(lib, name).restype = pointer
        lib.solver_options_create.restype = ctypes.POINTER(Options)
        lib.numerics_set_verbose(0)
        self.timed = build_clock(folder).timed
        self.timed.restype = ctypes.c_double
        self.timed.argtypes = [pointer] * 5 + [ctypes.c_size_t, ctypes.POINTER(ctypes.c_int)]
        self.folder = folder

    def driver(self, dimension):
        return ctypes.cast(getattr(self.lib, f"fc{dimension}d_driver"), ctypes.c_void_p)

    def options(self, solver, settings, tolerance):
        options = self.lib.solver_options_create(solver)
        options.contents.iparam[0] = MANY
        apply(self.lib, options, settings)
        options.contents.dparam[0] = tolerance
        return options

    def hand_over(self, problem, storage):
        make = self.dense_problem if storage == "dense" else self.block_problem
        return ctypes.c_void_p(make(problem))

    def block_problem(self, problem):
        """Handed over through a file, its own reader: the storage its NSGS is made for."""
        path = os.path.join(self.folder, "problem.dat")
        with open(path, "w", encoding="ascii") as file:
            write_blocks(problem, file)
        return self.lib.frictionContact_new_from_filename(path.encode())

    def dense_problem(self, problem):
        """Column-major; the arrays are kept alive on purpose, Siconos borrows them."""
        W = np.asfortranarray(problem.dense())
        q, mu, n = problem.q.copy(), problem.mu.copy(), len(problem.q)
        self.kept = (W, q, mu)
        M = self.lib.NM_create_from_data(0, n, n, ctypes.c_void_p(W.ctypes.data))
        return self.lib.frictionContactProblem_new_with_data(
            problem.dimension, problem.contacts, ctypes.c_void_p(M),
            ctypes.c_void_p(q.ctypes.data), ctypes.c_void_p(mu.ctypes.data))


def build_clock(folder):
    source, target = os.path.join(folder, "clock.c"), os.path.join(folder, "clock.so")
    with open(source, "w", encoding="ascii") as file:
        file.write(CLOCK_C)
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", source, "-o", target],
                   check=True)
    return ctypes.CDLL(target)


def apply(lib, options, settings):
    for first, *rest in settings:
        if first == "inside":
            identity, inner = rest
            lib.solver_options_update_internal(options, ctypes.c_size_t(0), identity)
            apply(lib, options.contents.internalSolvers[0], inner)
        elif isinstance(rest[0], float):
            options.contents.dparam[first] = rest[0]
        else:
            options.contents.iparam[first] = rest[0]


def write_blocks(problem, file):
    """Text, storage 1: a block CSR with blocks by columns, and every digit of them."""
    d, n, count = problem.dimension, problem.contacts, len(problem.column)
    ends = " ".join(str(d * (i + 1)) for i in range(n))
    file.write(f"{d}\n{n}\n1\n{d * n}\n{d * n}\n{count}\n{n} {n}\n{ends}\n{ends}\n")
    file.write(f"{n + 1} {count}\n{' '.join(map(str, problem.row))}\n")
    file.write(f"{' '.join(map(str, problem.column))}\n")
    for k, block in enumerate(problem.block):
        file.write(f"{k}\n{' '.join(repr(float(x)) for x in block.T.ravel())}\n")
    file.write(f"{' '.join(repr(float(x)) for x in problem.q)}\n")
    file.write(f"{' '.join(repr(float(x)) for x in problem.mu)}\n")


# ---- one solver on one problem -----------------------------------------------------------------


class Child:
    """What runs in the child process: the ladder of tolerances of one solver."""

    def __init__(self, siconos, problem, handle, solver, reactions, pipe):
        self.siconos, self.problem, self.handle, self.pipe = siconos, problem, handle, pipe
        self.identity, self.settings = solver
        self.r, self.u = reactions, np.zeros(len(problem.q))
        self.info = ctypes.c_int()
        self.full_error = problem.dimension == 3 and LIGHT not in self.settings

    def call(self, handle, tolerance):
        """Seconds of one cold call with options of its own."""
        options = self.siconos.options(self.identity, self.settings, tolerance)
        seconds = self.siconos.timed(
            self.siconos.driver(self.problem.dimension), handle, self.r.ctypes.data,
            self.u.ctypes.data, ctypes.addressof(options.contents), len(self.r),
            ctypes.byref(self.info))
        self.iterations = options.contents.iparam[1]
        return seconds

    def rung(self, tolerance):
        handle = ctypes.c_void_p(self.siconos.lib.frictionContact_copy(self.handle))
        seconds = self.call(handle, tolerance)
        error = problems.residual(self.problem, self.r)
        return {"handle": handle, "tolerance": tolerance, "seconds": seconds, "residual": error,
                "info": self.info.value, "iterations": self.iterations, "repetitions": 1}

    def repeat(self, rung, target):
        """The best of several calls; only the first if the solver spoils the problem it gets."""
        total = best = rung["seconds"]
        count = 1
        while again(count, total):
            seconds = self.call(rung["handle"], rung["tolerance"])
            total, best, count = total + seconds, min(best, seconds), count + 1
        if problems.residual(self.problem, self.r) <= max(target, rung["residual"]):
            rung["seconds"], rung["repetitions"] = best, count

    def scale(self):
        """What Siconos divides its error by, over what the judge divides by."""
        size = max(np.linalg.norm(x) for x in (self.problem.q, self.r, self.u))
        return size / (1 + np.linalg.norm(self.problem.q))

    def say(self, target, rung):
        shown = {key: rounded(value) for key, value in rung.items() if key != "handle"}
        os.write(self.pipe, (json.dumps({"target": target, **shown}) + "\n").encode())

    def climb(self, target, rung):
        """Down by tens to the first tolerance that satisfies the judge."""
        tolerance, missed = rung["tolerance"] if rung else 10.0, 0
        while rung is None or rung["residual"] > target:
            if missed == 2 or tolerance < 1e-18:
                return rung
            tolerance = rounded(min(tolerance / 10, self.loosest(target)))
            rung = self.rung(tolerance)
            self.say(None, rung)
            missed = missed + 1 if rung["info"] != 0 else 0
        return rung

    def loosest(self, target):
        """Where the full error is what stops a solver, ten times the judge's tolerance could do."""
        return 10 * target / max(self.scale(), 1e-30) if self.full_error else 1.0

    def ladder(self):
        rung = None
        for target in TOLERANCES:
            rung = self.climb(target, rung)
            if rung["residual"] > target:
                return
            self.repeat(rung, target)
            self.say(target, rung)


def rounded(value):
    """Four digits say all that a measurement knows, and keep the records small."""
    return float(f"{value:.4g}") if isinstance(value, float) else value


def again(repetitions, total):
    """Short calls are repeated for 20 ms and three times at least, those of a second never."""
    return (total < 0.02 or repetitions < 3) and total < 1 and repetitions < 2000


def silence():
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)


def work(child, task):
    """The child's whole life; it must not return into the parent's code."""
    status = 1
    try:
        silence()
        task(child)
        status = 0
    finally:
        os._exit(status)


def processor_seconds(pid):
    """User and system time of a process. A timer inside it would spoil the clock it is timed by."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def listen(pid, pipe, limit):
    """The child's lines until it ends or its time does, and how it ended.

    The limit is of processor time, because on a busy machine a child waits for its turn, and for
    each tolerance: it starts anew when one is reached. Elapsed time ends only one that sleeps.
    """
    text, begun, asleep = b"", 0.0, time.monotonic() + 60 * limit + 60
    stopped = False
    while not stopped:
        if select.select([pipe], [], [], 0.02)[0]:
            part = os.read(pipe, 65536)
            if not part:
                break
            text += part
            if part.count(b'"target": ') > part.count(b'"target": null'):
                begun = processor_seconds(pid)
        stopped = processor_seconds(pid) - begun > limit or time.monotonic() > asleep
    if stopped:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    os.close(pipe)
    lines = [json.loads(line) for line in text.decode().splitlines()]
    if stopped:
        return lines, f"stopped after {limit:.3g} s"
    if os.WIFSIGNALED(status):
        return lines, f"killed by signal {os.WTERMSIG(status)}"
    return lines, "" if os.WEXITSTATUS(status) == 0 else f"exit {os.WEXITSTATUS(status)}"


def in_child(siconos, problem, handle, solver, limit, task):
    """What task says about one solver, how it ended, and the reactions it left."""
    shared = mmap.mmap(-1, 8 * len(problem.q))
    reactions = np.frombuffer(shared, float)
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        work(Child(siconos, problem, handle, solver, reactions, writer), task)
    os.close(writer)
    return *listen(pid, reader, limit), reactions


def measure(siconos, problem, handle, solver, limit):
    """One solver: results by tolerance, the best residual seen, how it ended."""
    lines, end, reactions = in_child(siconos, problem, handle, solver, limit, Child.ladder)
    seen = [line["residual"] for line in lines]
    if end:
        seen.append(problems.residual(problem, reactions))
    times = {f"{line.pop('target'):.0e}": line for line in lines if line["target"]}
    best = min(seen)
    return {"times": times, "reached": rounded(best) if best < float("inf") else None, "end": end}


# ---- all solvers on one problem ----------------------------------------------------------------


def storages(identity, problem):
    """Few contacts are often faster as a dense matrix; many never are."""
    if identity in DENSE_ONLY:
        return ["dense"] if len(problem.q) <= 1200 else []
    return ["block"] + (["dense"] if len(problem.q) <= 300 else [])


def limit_for(results, longest):
    """Whoever needs 25 times the best one's time, ladder included, is not waited for."""
    best = [result["times"]["1e-08"]["seconds"] for result in results.values()
            if "1e-08" in result["times"]]
    return min(longest, max(1.0, 25 * min(best))) if best else longest


def measure_all(siconos, problem, results, longest, store, wanted=None):
    """Fill results with what is not in it yet, of all set-ups or of those that are wanted; store is
    called after each solver."""
    if problem.contacts == 0:
        return
    handles = {}
    for name, solver in solvers(problem.dimension).items():
        if wanted and name not in wanted:
            continue
        for storage in storages(solver[0], problem):
            key = f"{name} (dense)" if storage == "dense" else name
            if key in results:
                continue
            if storage not in handles:
                handles[storage] = siconos.hand_over(problem, storage)
            limit = limit_for(results, longest)
            results[key] = measure(siconos, problem, handles[storage], solver, limit)
            store()


def measure_again(siconos, problem, storage, solver, tolerance, target):
    """Seconds of one set-up at one tolerance of its own; infinite if it does not end well."""
    handle = siconos.hand_over(problem, storage)

    def once(child):
        rung = child.rung(tolerance)
        child.repeat(rung, target)
        child.say(target, rung)

    lines = in_child(siconos, problem, handle, solver, 60, once)[0]
    return min((line["seconds"] for line in lines if line["residual"] <= target),
               default=float("inf"))
