#!/usr/bin/python3
# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""siconos_block.py - the rival of bench/elastic: the sliding block stepped in Python with Siconos.

in: the folder that `bench_elastic export` filled, a scheme, a number of steps.   out: one JSON
object on standard output, or a line that begins with SKIPPED.

The matrices are scree's own, the contact rule is the same. SuperLU factors Mhat once, W of all
nodes that can touch is condensed once; a step takes the part of it whose contacts are active, and
calls Siconos' fc2d solver on it, from the impulses of the step before. Only the loop is timed,
and within it the calls of the solver. Energies are computed after the loop, from works that it
adds up; it keeps no ledger.
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
    """What stays the same from step to step."""

    def __init__(self, folder):
        def numbers(name, kind=np.float64):
            return np.fromfile(os.path.join(folder, name), dtype=kind)

        def matrix(name):
            first, row = numbers(f"{name}.first", np.int32), numbers(f"{name}.row", np.int32)
            size = len(first) - 1
            lower = sp.csc_matrix((numbers(f"{name}.value"), row, first), shape=(size, size))
            return (lower + sp.tril(lower, -1).T).tocsr()

        self.M, self.K = matrix("M"), matrix("K")
        self.start, self.weight, self.load = numbers("start"), numbers("weight"), numbers("load")
        nodes = numbers("touching", np.int32)
        self.rest = numbers("place")[2 * nodes + 1]  # heights above the ground
        self.normal, self.tangential = 2 * nodes + 1, 2 * nodes
        free = np.ones(self.M.shape[0], dtype=bool)
        free[numbers("held", np.int32)] = False
        self.free = np.flatnonzero(free)
        self.condense()

    def condense(self):
        """Mhat = M + h^2 theta^2 K, its factor, and W with rows N, T of each contact in turn."""
        Mhat = self.M + (STEP * THETA) ** 2 * self.K
        Mhat = Mhat[self.free][:, self.free].tocsc()
        self.factor = splu(Mhat, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0,
                           options={"SymmetricMode": True})
        rows = np.empty(2 * len(self.normal), dtype=int)
        rows[0::2], rows[1::2] = self.normal, self.tangential
        self.rows = rows
        where = np.full(self.M.shape[0], -1)
        where[self.free] = np.arange(len(self.free))
        unit = np.zeros((len(self.free), len(rows)))
        unit[where[rows], np.arange(len(rows))] = 1
        self.columns = np.zeros((self.M.shape[0], len(rows)), order="F")  # Mhat^-1 H^T
        self.columns[self.free] = self.factor.solve(unit)
        W = self.columns[rows]
        self.W = (W + W.T) / 2

    def sign(self, step):
        return 0 if step % HALF_PERIOD == 0 else 1 - 2 * (step // HALF_PERIOD % 2)

    def solve(self, right):
        """Mhat^-1 of what acts on free degrees of freedom; 0 for the others."""
        x = np.zeros_like(right)
        x[self.free] = self.factor.solve(right[self.free])
        return x


class Solver:
    """Siconos' fc2d on parts of W, with the time that it takes."""

    def __init__(self, name, tolerance):
        sn.numerics_set_verbose(0)
        self.options = sn.SolverOptions(SOLVERS[name])
        self.options.dparam[0] = tolerance
        self.options.iparam[0] = 100000
        self.seconds = self.iterations = self.failures = 0

    def solve(self, W, b, p):
        """p in place, from the guess in it."""
        contacts = len(b) // 2
        s = np.zeros_like(b)
        problem = sn.FrictionContactProblem(2, contacts, W, b, np.full(contacts, FRICTION))
        start = time.perf_counter()
        info = sn.fc2d_driver(problem, p, s, self.options)
        self.seconds += time.perf_counter() - start
        self.iterations += int(self.options.iparam[1])
        self.failures += info != 0


def step_through(block, solver, tau, steps, by_columns):
    """The loop. Returns seconds, and what the ledger needs of each step."""
    h, W, rows = STEP, block.W, block.rows
    q, v = block.start.copy(), np.zeros_like(block.start)
    impulse = np.zeros(len(rows))
    normal_work = tangential_work = solved = 0.0
    start = time.perf_counter()
    for k in range(steps):
        # free motion
        force = block.weight + (block.sign(k) + block.sign(k + 1)) / 2 * block.load
        end = v + block.solve(h * (force - block.K @ (q + h * THETA * v)))
        # contacts that close and approach
        u = v[rows]
        gap = block.rest + q[block.normal]
        active = np.flatnonzero((gap + h * u[0::2] <= GAP_SLACK) & (u[0::2] <= VELOCITY_SLACK))
        if len(active):
            at = np.repeat(2 * active, 2)
            at[1::2] += 1
            before = u[at]
            b = end[rows[at]]
            b[1::2] += tau * before[1::2]
            p = impulse[at]
            solver.solve(np.asfortranarray(W[np.ix_(at, at)]), b, p)
            impulse[:] = 0
            impulse[at] = p
            if by_columns:
                end += block.columns @ impulse
            else:
                push = np.zeros_like(v)
                push[rows[at]] = p
                end += block.solve(push)
            work = ((1 - THETA) * before + THETA * end[rows[at]]) * p
            normal_work += work[0::2].sum()
            tangential_work += work[1::2].sum()
            solved += len(active)
        else:
            impulse[:] = 0
        q += h * ((1 - THETA) * v + THETA * end)
        v = end
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "kinetic": float(v @ (block.M @ v)) / 2,
            "elastic": float(q @ (block.K @ q)) / 2, "normal": float(normal_work),
            "tangential": float(tangential_work), "contacts": int(solved)}


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
    solver = Solver(options.solver, options.tolerance)
    tau = (1 - THETA) / THETA if options.scheme == "moreau-jean-fremond" else 0
    result = step_through(block, solver, tau, options.steps, options.velocity == "columns")
    print(json.dumps({"open": made, "steps": options.steps, **result, "solver": solver.seconds,
                      "iterations": solver.iterations, "failures": int(solver.failures)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
