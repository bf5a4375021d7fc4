#!/usr/bin/python3
# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""siconos_block.py - the rival of bench/elastic: the sliding block stepped in Python with Siconos.

in: the folder that `bench_elastic export` filled, a scheme, a number of steps.   out: one JSON
object on standard output, or a line that begins with SKIPPED.

The matrices are scree's own, the contact rule is the same. SuperLU factors Mhat once, W of all
nodes that can touch is condensed once; a step takes the part of it whose contacts are active, and
calls Siconos' fc2d solver on it, from the impulses of the step before. Only the loop is timed,
and within it the calls of the solver. It adds up the works of contacts, energies are computed at
the end: there is no ledger of every step.

Its other solvers were tried for 200 steps, on a busy machine, milliseconds inside a call: NSGS 0.05
(used), LEMKE 3.6, CPG 32 and not always there, ENUM gives up at once. Of the two ways to get
velocities from impulses (--velocity) the faster is the default.
"""

import argparse
import json
import os
import sys
import time

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # before the libraries are there
    os.environ[variable] = "1"

try:
    import numpy as np
    import scipy.sparse as sp
    from scipy.sparse.linalg import splu
    import siconos.numerics as sn
except ImportError as missing:
    print(f"SKIPPED: Siconos, {missing} (Debian: python3-siconos, python3-scipy)")
    sys.exit(0)

STEP, THETA, FRICTION = 1e-4, 0.5, 0.5
GAP_SLACK, VELOCITY_SLACK = 1e-10, 1e-9
HALF_PERIOD = 2500  # steps after which the traction changes its sign; it is 0 at the change
SOLVERS = {"NSGS": sn.SICONOS_FRICTION_2D_NSGS, "CPG": sn.SICONOS_FRICTION_2D_CPG,
           "LEMKE": sn.SICONOS_FRICTION_2D_LEMKE, "ENUM": sn.SICONOS_FRICTION_2D_ENUM}


class Block:
    """What stays the same from step to step. Vectors are of the free degrees of freedom alone."""

    def __init__(self, folder):
        def numbers(name, kind=np.float64):
            return np.fromfile(os.path.join(folder, name), dtype=kind)

        def matrix(name):
            first, row = numbers(f"{name}.first", np.int32), numbers(f"{name}.row", np.int32)
            size = len(first) - 1
            lower = sp.csc_matrix((numbers(f"{name}.value"), row, first), shape=(size, size))
            return (lower + sp.tril(lower, -1).T).tocsr()

        M, self.whole_K, self.whole_start = matrix("M"), matrix("K"), numbers("start")
        free = np.ones(M.shape[0], dtype=bool)
        free[numbers("held", np.int32)] = False
        self.free = np.flatnonzero(free)
        self.M, self.K = M[self.free][:, self.free], self.whole_K[self.free][:, self.free]
        self.start = self.whole_start[self.free]
        # what is held stays where it is: a constant force
        held = np.where(free, 0, self.whole_start)
        self.constant = (numbers("weight") - self.whole_K @ held)[self.free]
        self.load = numbers("load")[self.free]
        nodes = numbers("touching", np.int32)
        self.rest = numbers("place")[2 * nodes + 1]  # heights above the ground
        self.rows = np.searchsorted(self.free, np.stack([2 * nodes + 1, 2 * nodes], 1).ravel())
        self.condense()

    def condense(self):
        """Mhat = M + h^2 theta^2 K, its factor, and W with rows N, T of each contact in turn."""
        Mhat = (self.M + (STEP * THETA) ** 2 * self.K).tocsc()
        self.factor = splu(Mhat, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0,
                           options={"SymmetricMode": True})
        unit = np.zeros((len(self.free), len(self.rows)))
        unit[self.rows, np.arange(len(self.rows))] = 1
        self.columns = np.asfortranarray(self.factor.solve(unit))  # Mhat^-1 H^T
        W = self.columns[self.rows]
        self.W = (W + W.T) / 2

    def elastic(self, q):
        whole = self.whole_start.copy()
        whole[self.free] = q
        return float(whole @ (self.whole_K @ whole)) / 2


def sign(step):
    return 0 if step % HALF_PERIOD == 0 else 1 - 2 * (step // HALF_PERIOD % 2)


class Solver:
    """Siconos' fc2d on parts of W, with the time that it takes."""

    def __init__(self, name, tolerance, W):
        sn.numerics_set_verbose(0)
        self.options = sn.SolverOptions(SOLVERS[name])
        self.options.dparam[0] = tolerance
        self.options.iparam[0] = 100000
        self.W, self.active = W, None
        self.seconds = self.iterations = self.failures = 0

    def choose(self, active):
        """The part of W, made anew if other contacts are active than in the step before."""
        if self.active is not None and np.array_equal(active, self.active):
            return
        self.active = active
        self.at = np.stack([2 * active, 2 * active + 1], 1).ravel()
        self.part = np.asfortranarray(self.W[np.ix_(self.at, self.at)])
        self.mu = np.full(len(active), FRICTION)

    def solve(self, b, p):
        """p in place, from the guess in it."""
        s = np.zeros_like(b)
        problem = sn.FrictionContactProblem(2, len(self.active), self.part, b, self.mu)
        start = time.perf_counter()
        info = sn.fc2d_driver(problem, p, s, self.options)
        self.seconds += time.perf_counter() - start
        self.iterations += int(self.options.iparam[1])
        self.failures += info != 0


def step_through(block, solver, tau, steps, by_columns):
    """The loop, with the works of contacts. Returns seconds and what the run ended with."""
    h, rows, normals = STEP, block.rows, block.rows[0::2]
    q, v = block.start.copy(), np.zeros_like(block.start)
    impulse = np.zeros(len(rows))
    hK, constant, load = h * block.K, h * block.constant, h / 2 * block.load
    normal_work = tangential_work = solved = 0
    start = time.perf_counter()
    for k in range(steps):
        # free motion
        right = constant + (sign(k) + sign(k + 1)) * load - hK @ (q + h * THETA * v)
        end = v + block.factor.solve(right)
        # contacts that close and approach
        u = v[normals]
        active = np.flatnonzero((block.rest + q[normals] + h * u <= GAP_SLACK) & (u <= VELOCITY_SLACK))
        if len(active):
            solver.choose(active)
            at = rows[solver.at]
            before, b, p = v[at], end[at], impulse[solver.at]
            b[1::2] += tau * before[1::2]
            solver.solve(b, p)
            impulse[:] = 0
            impulse[solver.at] = p
            if by_columns:
                end += block.columns @ impulse
            else:
                push = np.zeros_like(v)
                push[at] = p
                end += block.factor.solve(push)
            work = ((1 - THETA) * before + THETA * end[at]) * p
            normal_work += work[0::2].sum()
            tangential_work += work[1::2].sum()
            solved += len(active)
        else:
            impulse[:] = 0
        q += h * ((1 - THETA) * v + THETA * end)
        v = end
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "kinetic": float(v @ (block.M @ v)) / 2,
            "elastic": block.elastic(q), "normal": float(normal_work),
            "tangential": float(tangential_work), "contacts": solved}


def main():
    parser = argparse.ArgumentParser(description="the sliding block, stepped with Siconos")
    parser.add_argument("folder")
    parser.add_argument("scheme", choices=("moreau-jean", "moreau-jean-fremond"))
    parser.add_argument("steps", type=int)
    parser.add_argument("--solver", choices=SOLVERS, default="NSGS")
    parser.add_argument("--tolerance", type=float, default=1e-10, help="Siconos' own (1e-10)")
    parser.add_argument("--velocity", choices=("columns", "solve"), default="columns",
                        help="how impulses become velocities: columns of the inverse, or a solve")
    options = parser.parse_args()
    start = time.perf_counter()
    block = Block(options.folder)
    made = time.perf_counter() - start
    solver = Solver(options.solver, options.tolerance, block.W)
    tau = (1 - THETA) / THETA if options.scheme == "moreau-jean-fremond" else 0
    result = step_through(block, solver, tau, options.steps, options.velocity == "columns")
    print(json.dumps({"open": made, "steps": options.steps, **result, "solver": solver.seconds,
                      "iterations": solver.iterations, "failures": int(solver.failures)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
