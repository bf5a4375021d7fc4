# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""problems.py - the problems of bench/solvers and the judge of every answer.

in: a friction problem file (text or FCLIB, local or global).   out: q, mu and W in blocks, and

    residual(problem, r) = |r - P_K(r - (u + mu |u_T| n))| / (1 + |q|),   u = W r + q.

This shares no code with scree or Siconos, so it can judge both. Global problems are condensed here:
M v = f + H r, u = H^T v + w, hence W = H^T M^-1 H and q = H^T M^-1 f + w.
"""

import os
import re

import numpy as np

ENTRY = re.compile(r"^\s*(\d+)(?:\s+(\d+))?\s*:\s*(\S+)\s*$")
LIST = re.compile(r"^\s*(col|row)\s+(\d+)\s*:")


class Problem:
    """One local problem; block k of block row i is W[i, column[k]], row[i] <= k < row[i + 1]."""

    def __init__(self, name, dimension, matrix, q, mu):
        self.name, self.dimension, self.contacts = name, dimension, len(mu)
        self.q, self.mu = np.ascontiguousarray(q, float), np.ascontiguousarray(mu, float)
        self.row, self.column, self.block = matrix

    def velocity(self, r):
        """W r + q, block row by block row."""
        d = self.dimension
        parts = np.einsum("kij,kj->ki", self.block, r.reshape(-1, d)[self.column])
        return np.add.reduceat(parts, self.row[:-1]).ravel() + self.q

    def dense(self):
        d, n = self.dimension, self.contacts
        W = np.zeros((n, d, n, d))
        rows = np.repeat(np.arange(n), np.diff(self.row))
        W[rows, :, self.column, :] = self.block
        return W.reshape(n * d, n * d)


def project(x, mu):
    """The nearest point of each cone |x_T| <= mu x_N, a contact per row, in 2D and 3D."""
    normal, size = x[:, 0], np.linalg.norm(x[:, 1:], axis=1)
    inside, polar = size <= mu * normal, mu * size <= -normal
    reach = (normal + mu * size) / (1 + mu * mu)
    y = np.empty_like(x)
    y[:, 0] = reach
    y[:, 1:] = x[:, 1:] * (mu * reach / np.where(size > 0, size, 1))[:, None]
    y[polar] = 0
    y[inside] = x[inside]
    return y


def residual(problem, r):
    """The judge; infinite for an answer that is not finite."""
    if not np.all(np.isfinite(r)):
        return float("inf")
    r = r.reshape(-1, problem.dimension)
    u = problem.velocity(r).reshape(r.shape)
    u[:, 0] += problem.mu * np.linalg.norm(u[:, 1:], axis=1)
    gap = np.linalg.norm(r - project(r - u, problem.mu))
    return float(gap / (1 + np.linalg.norm(problem.q)))


# ---- matrices ----------------------------------------------------------------------------------


def blocks_of(W, d):
    """Block rows of a dense W, without its zero blocks; the diagonal is always kept."""
    n = len(W) // d
    tiles = W.reshape(n, d, n, d).transpose(0, 2, 1, 3)
    kept = np.any(tiles != 0, axis=(2, 3)) | np.eye(n, dtype=bool)
    rows, columns = np.nonzero(kept)
    first = np.searchsorted(rows, np.arange(n + 1))
    return first, columns, np.ascontiguousarray(tiles[rows, columns])


class Tokens:
    """The white-space separated words of a text problem, read in order."""

    def __init__(self, path):
        with open(path, encoding="ascii") as file:
            self.lines = file.read().split("\n")
        self.words, self.line = [], 0

    def take(self, count):
        while len(self.words) < count:
            if self.line == len(self.lines):
                raise ValueError("the file ends too early")
            self.words += self.lines[self.line].split()
            self.line += 1
        taken, self.words = self.words[:count], self.words[count:]
        return taken

    def integers(self, count):
        return np.array([int(float(word)) for word in self.take(count)], int)

    def numbers(self, count):
        return np.array(self.take(count), float)

    def left(self):
        return len(self.words) + sum(len(line.split()) for line in self.lines[self.line:])


def read_blocks(tokens, rows, columns):
    """The body of storage 1, as a dense matrix."""
    A = np.zeros((rows, columns))
    count = tokens.integers(1)[0]
    if count == 0:
        return A
    block_rows, block_columns = tokens.integers(2)
    row_end, column_end = tokens.integers(block_rows), tokens.integers(block_columns)
    row_start, column_start = np.r_[0, row_end[:-1]], np.r_[0, column_end[:-1]]
    filled, used = tokens.integers(2)
    first, where = tokens.integers(filled), tokens.integers(used)
    for k in range(count):
        tokens.take(1)
        i, j = np.searchsorted(first, k, side="right") - 1, where[k]
        height, width = row_end[i] - row_start[i], column_end[j] - column_start[j]
        values = tokens.numbers(height * width).reshape(width, height).T
        A[row_start[i]:row_end[i], column_start[j]:column_end[j]] = values
    return A


def read_sparse(tokens, rows, columns):
    """The body of storage 2, as a dense matrix: a banner, a header with nnz, then entries."""
    tokens.take(1)  # origin: the entries tell it themselves
    tokens.line += 1
    count = int(re.search(r"nnz:\s*(\d+)", tokens.lines[tokens.line]).group(1))
    tokens.line += 1
    A, major, place = np.zeros((rows, columns)), None, 0
    while count > 0 or (major and place < len(tokens.lines)):
        line = tokens.lines[tokens.line] if tokens.line < len(tokens.lines) else ""
        head, entry = LIST.match(line), ENTRY.match(line)
        if head:
            major, place = head.group(1), int(head.group(2))
        elif entry and count > 0:
            first, second, value = entry.groups()
            pair = (int(first), int(second)) if second else (int(first), place)
            A[pair[::-1] if major == "row" else pair] += float(value)
            count -= 1
        else:
            break
        tokens.line += 1
    if count:
        raise ValueError("a sparse matrix ends too early")
    return A


def read_matrix(tokens):
    storage, rows, columns = tokens.integers(3)
    if storage == 0:
        tokens.take(2)
        return tokens.numbers(rows * columns).reshape(columns, rows).T
    return (read_blocks if storage == 1 else read_sparse)(tokens, rows, columns)


# ---- files -------------------------------------------------------------------------------------


def condense(M, H, f, w):
    solved = np.linalg.solve(M, np.c_[H, f])
    return H.T @ solved[:, :-1], H.T @ solved[:, -1] + w


def read_text(path):
    tokens = Tokens(path)
    d, n = (int(x) for x in tokens.integers(2))
    A = read_matrix(tokens)
    # nothing in the file says whether it is local: what is left after W is just q and mu
    if tokens.left() <= d * n + n + 1:
        return d, A, tokens.numbers(d * n), tokens.numbers(n)
    H = read_matrix(tokens)
    f, w, mu = tokens.numbers(len(A)), tokens.numbers(d * n), tokens.numbers(n)
    return d, *condense(A, H, f, w), mu


def fclib_matrix(group):
    rows, columns, nz = (int(group[key][0]) for key in ("m", "n", "nz"))
    p, i, x = (np.array(group[key]) for key in ("p", "i", "x"))
    if nz >= 0:
        row, column, x = i[:nz], p[:nz], x[:nz]
    else:
        major = np.repeat(np.arange(len(p) - 1), np.diff(p))
        row, column = (i, major) if nz == -1 else (major, i)
        row, column, x = row[:len(major)], column[:len(major)], x[:len(major)]
    A = np.zeros((rows, columns))
    np.add.at(A, (row, column), x)
    return A


def read_fclib(path):
    import h5py  # here, so that text problems do without it
    with h5py.File(path, "r") as file:
        group = file["fclib_local"] if "fclib_local" in file else file["fclib_global"]
        d, vectors = int(group["spacedim"][0]), group["vectors"]
        mu = np.array(vectors["mu"])
        if "fclib_local" in file:
            return d, fclib_matrix(group["W"]), np.array(vectors["q"]), mu
        M, H = fclib_matrix(group["M"]), fclib_matrix(group["H"])
        return d, *condense(M, H, np.array(vectors["f"]), np.array(vectors["w"])), mu


def read(path):
    d, W, q, mu = (read_fclib if path.endswith(".hdf5") else read_text)(path)
    return Problem(os.path.basename(path), d, blocks_of(W, d), q, mu)


def name_of(path):
    """The file's name without its endings: how tables call a problem."""
    return re.sub(r"(\.hdf5|\.dat)+$", "", os.path.basename(path))


def every(folder):
    """Paths of all friction problems of a folder, in the order of their names."""
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))
            if name.endswith((".dat", ".hdf5"))]
