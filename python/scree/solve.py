# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Contact problems by themselves: s = W p + b, K* ∋ s + (mu |s_T|, 0) ⟂ p ∈ K (docs/solvers.md)."""
from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from ._binding import ffi, lib
from ._core import Array, Floats, Keep, Record, check, doubles, fill, guarded, menu, new_error, record, text
class Solution(NamedTuple):
    """Impulses, contact after contact, the normal one first; and what the solver says about them."""

    p: Floats
    report: Record


class Problem(NamedTuple):
    """A contact problem: W in blocks as (row, column, block), b, mu, numbers of a contact."""

    row: Array
    column: Array
    diagonal: Array
    block: Floats
    b: Floats
    mu: Floats
    dimension: int


def from_dense(W: Array, d: int) -> tuple[Array, Array, Array]:
    """Blocks that are not zero, and those on the diagonal."""
    contacts = W.shape[0] // d
    blocks = W.reshape(contacts, d, contacts, d).transpose(0, 2, 1, 3)
    there = (blocks != 0).any(axis=(2, 3)) | np.eye(contacts, dtype=bool)
    first = np.append(0, np.cumsum(there.sum(axis=1)))
    return first, np.nonzero(there)[1], blocks[there]


def from_sparse(W: Any, d: int) -> tuple[Array, Array, Array]:
    """The same of a sparse matrix of scipy, whatever its format."""
    import scipy.sparse
    entries = scipy.sparse.csr_matrix(W, dtype=np.float64)
    contacts = entries.shape[0] // d
    entries.sum_duplicates()
    blocks = entries.tobsr((d, d))
    row, column = np.repeat(np.arange(contacts), np.diff(blocks.indptr)), blocks.indices
    bare = np.setdiff1d(np.arange(contacts), row[row == column])  # diagonal blocks without entries
    row, column = np.concatenate((row, bare)), np.concatenate((column, bare))
    data = np.concatenate((blocks.data, np.zeros((len(bare), d, d))))
    order = np.lexsort((column, row))
    first = np.append(0, np.cumsum(np.bincount(row, minlength=contacts)))
    return first, column[order], data[order]


def real(values: Any, what: str) -> Any:
    """Numbers of an array or of a sparse matrix, which must be real and finite."""
    sparse = hasattr(values, "tocsr")
    array = values if sparse else np.asarray(values)
    if array.dtype.kind == "c":
        raise ValueError(f"{what} must be real, it is complex")
    array = array.astype(np.float64)
    numbers = array.tocoo().data if sparse else array
    if not np.isfinite(numbers).all():
        raise ValueError(f"{what} has numbers that are not finite ({(~np.isfinite(numbers)).sum()} of {numbers.size})")
    return array


def make(W: Any, b: Any, mu: Any, dimension: int | None = None) -> Problem:
    W, b, mu = real(W, "W"), np.ascontiguousarray(real(b, "b").ravel()), real(mu, "mu")
    if dimension not in (None, 2, 3, 5):
        raise ValueError(f"the dimension of contacts is 2, 3 or 5, got {dimension}")
    if mu.ndim == 0 and dimension is None and len(b) > 5:
        raise ValueError("one mu for all contacts: say dimension=2, 3 or 5, how many numbers each of them has")
    mu = np.full(len(b) // (dimension or len(b)), mu) if mu.ndim == 0 and len(b) else mu.ravel()
    if (mu < 0).any():
        raise ValueError(f"mu must not be negative, got {mu.min()}")
    if W.ndim != 2 or W.shape != (len(b), len(b)):
        raise ValueError(f"W must be {len(b)} x {len(b)}, as b has {len(b)} numbers, got {W.shape}")
    contacts = len(mu)
    if contacts == 0 or len(b) % contacts or len(b) // contacts not in (2, 3, 5):
        raise ValueError(f"b must have 2, 3 or 5 numbers for each of the {contacts} mu, got {len(b)}")
    d = len(b) // contacts
    if dimension not in (None, d):
        raise ValueError(f"{contacts} contacts of dimension {dimension} have {contacts * (dimension or 0)} numbers, b has {len(b)}")
    row, column, block = from_dense(W, d) if isinstance(W, np.ndarray) else from_sparse(W, d)
    row, column = row.astype(np.int32), column.astype(np.int32)
    where = np.repeat(np.arange(contacts), np.diff(row))
    diagonal = np.flatnonzero(where == column).astype(np.int32)
    return Problem(row, column, diagonal, np.ascontiguousarray(block, dtype=np.float64), b, np.ascontiguousarray(mu), d)


def impulses(p: Any, count: int, what: str) -> Floats:
    """Numbers of all contacts, copied."""
    array = np.array(p, dtype=np.float64).ravel()
    if len(array) != count:
        raise ValueError(f"{what} must have {count} numbers, got {len(array)}")
    return array


def c_problem(problem: Problem) -> Any:
    return ffi.new("scree_problem *", {
        "contacts": len(problem.mu), "dimension": problem.dimension,
        "row": ffi.cast("int *", ffi.from_buffer(problem.row)),
        "column": ffi.cast("int *", ffi.from_buffer(problem.column)),
        "diagonal": ffi.cast("int *", ffi.from_buffer(problem.diagonal)),
        "block": ffi.cast("double *", ffi.from_buffer(problem.block)),
        "b": ffi.cast("double *", ffi.from_buffer(problem.b)),
        "mu": ffi.cast("double *", ffi.from_buffer(problem.mu))})


def options_of(solver: str, tolerance: float, more: dict[str, Any], keep: Keep) -> Any:
    options = ffi.new("scree_solver_options *", lib.scree_solver_options_default())
    return fill(options, {"name": solver, "tolerance": tolerance, **more}, keep, "the solver")


def solve(W: Any, b: Any, mu: Any, tolerance: float = 1e-8, *, solver: str = "auto", guess: Any = None,
          dimension: int | None = None, **options: Any) -> Solution:
    """Solve a contact problem: W (n x n, numpy or any sparse matrix of scipy), b (n), mu (one for each
    contact, or one for all with the `dimension`). Each contact has 2 numbers in the plane, 3 in space, 5 with
    rolling, the normal one first.

    Numbers that are not finite, a negative mu and shapes that do not fit are a ValueError. Missing the tolerance
    is no exception: `report.converged` and `report.reason` tell. More options are those
    of scree_solver_options in scree/solve.h (max_sweeps, threads, ...).

    >>> p, report = scree.solve(np.eye(2), [-1.0, 0.3], [0.5])
    >>> p.tolist(), report.converged
    ([1.0, -0.3], True)
    """
    problem = make(W, b, mu, dimension)
    keep: Keep = []
    p = np.zeros(len(problem.b)) if guess is None else impulses(guess, len(problem.b), "guess")
    err, report = new_error(), ffi.new("scree_report *")
    check(lib.binding_solve(c_problem(problem), options_of(solver, tolerance, options, keep), guarded(),
                            ffi.cast("double *", ffi.from_buffer(p)), report, err), err)
    return Solution(p, record(report))


def residual(W: Any, b: Any, mu: Any, p: Any, *, dimension: int | None = None) -> Record:
    """How far p is from solving it, by the one judge of all solvers: `natural` and `scaled`."""
    problem = make(W, b, mu, dimension)
    p, s = impulses(p, len(problem.b), "p"), np.zeros(len(problem.b))
    return record(lib.scree_problem_residual(c_problem(problem), ffi.cast("double *", ffi.from_buffer(p)),
                                             ffi.cast("double *", ffi.from_buffer(s))))


def solvers() -> dict[str, str]:
    """The menu: name -> what it does.

    >>> "nsgs" in solvers()
    True
    """
    return menu(lib.scree_solver_list())


def dense_of(c: Any) -> Floats:
    """W of a problem in blocks, as one matrix."""
    n, d = c.contacts, c.dimension
    W = np.zeros((n, d, n, d))
    blocks = doubles(c.block, c.row[n], d, d)
    for i in range(n):
        for k in range(c.row[i], c.row[i + 1]):
            W[i, :, c.column[k], :] = blocks[k]
    return W.reshape(n * d, n * d)


def sparse_of(c: Any) -> Any:
    """The same as a sparse matrix of scipy."""
    import scipy.sparse
    n, d = c.contacts, c.dimension
    row = np.frombuffer(ffi.buffer(c.row, 4 * (n + 1)), dtype=np.int32).copy()
    column = np.frombuffer(ffi.buffer(c.column, 4 * int(row[-1])), dtype=np.int32).copy()
    return scipy.sparse.bsr_matrix((doubles(c.block, int(row[-1]), d, d), column, row), shape=(n * d, n * d))


def problem_of(step: Any, sparse: bool = False) -> Record:
    """The problem of a step, with the impulses that were found."""
    err = new_error()
    n, d = step.problem.contacts, step.problem.dimension
    whole = ffi.new("scree_problem *", step.problem)
    made = not whole.block and n > 0
    if made:
        check(lib.scree_problem_assemble(whole, err), err)
    active = [step.contact[i] for i in range(step.contacts) if step.contact[i].status != lib.SCREE_CONTACT_INACTIVE]
    try:
        matrix = sparse_of if sparse else dense_of
        return Record(W=matrix(whole) if n else np.zeros((0, 0)), b=doubles(whole.b, n * d), mu=doubles(whole.mu, n),
                      p=np.array([c.impulse[k] for c in active for k in range(d)]), dimension=d)
    finally:
        if made:
            lib.scree_problem_release(whole)


def read_problem(path: str | os.PathLike[str], *, sparse: bool = False) -> Record:
    """A stored contact problem (FCLIB or text): W (dense, or sparse of scipy), b, mu, dimension, format."""
    err, found = new_error(), ffi.new("scree_problem_file *")
    check(lib.scree_problem_read(os.fsencode(path), found, err), err)
    try:
        if found.is_lcp:
            n = found.lcp.size
            return Record(M=doubles(found.lcp.M, n, n), q=doubles(found.lcp.q, n), format=text(found.format))
        n, d = found.problem.contacts, found.problem.dimension
        return Record(W=(sparse_of if sparse else dense_of)(found.problem), b=doubles(found.problem.b, n * d), mu=doubles(found.problem.mu, n),
                      dimension=d, format=text(found.format))
    finally:
        lib.scree_problem_file_free(found)
