# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Judges solutions of stored contact problems, with a reader, a matrix product and a projection of
its own.

    problem = read(path)                        text (.dat), or HDF5 through the program h5dump
    answer = read_solution(problem, text)       the CSV of scree solve: impulses and velocities
    judge(problem, answer)                      residual, and how far the told velocities are off

The residual is the field's:  |r - P_K(r - (u + (mu |u_T| + mu_r |u_R|) n))| / (1 + |q|) with
u = W r + q. A global problem M v = f + H r, u = H^T v + w is never condensed: v is solved for, once
with r and once without. For an LCP it is |min(z, M z + q)| / (1 + |q|).

As a command:  contact_problem.py [--lcp] PROBLEM SOLUTION.csv
"""

import argparse
import csv
import dataclasses
import io
import math
import re
import subprocess
from typing import NamedTuple

COLUMNS = {1: (("z",), ("w",)), 2: (("pn", "pt"), ("un", "ut")),
           3: (("pn", "pt1", "pt2"), ("un", "ut1", "ut2")),
           5: (("pn", "pt1", "pt2", "pr1", "pr2"), ("un", "ut1", "ut2", "ur1", "ur2"))}
DENSE, BLOCKS, SPARSE = 0, 1, 2
CSC, CSR, TRIPLET = -1, -2, 0


class NoReader(Exception):
    """The program that reads HDF5 for this judge is not installed."""


# ---- matrices ----


@dataclasses.dataclass
class Matrix:
    """Rows of (column, value); entries of one place add up."""

    rows: int
    columns: int
    row: list = None

    def __post_init__(self):
        self.row = [[] for _ in range(self.rows)]

    def add(self, i, j, value):
        """One entry; an index beyond the matrix is an error of the file."""
        if not (0 <= i < self.rows and 0 <= j < self.columns):
            raise ValueError(f"entry ({i}, {j}) of a {self.rows} x {self.columns} matrix")
        if value:
            self.row[i].append((j, value))

    def times(self, x):
        """A x, rounded once per row."""
        return [math.fsum(value * x[j] for j, value in row) for row in self.row]

    def transposed_times(self, x):
        """A^T x."""
        parts = [[] for _ in range(self.columns)]
        for xi, row in zip(x, self.row):
            for j, value in row:
                parts[j].append(value * xi)
        return [math.fsum(part) for part in parts]


def components(matrix):
    """Sets of indices that the matrix couples, as lists."""
    leader = list(range(matrix.rows))

    def find(i):
        while leader[i] != i:
            leader[i] = leader[leader[i]]
            i = leader[i]
        return i

    for i, row in enumerate(matrix.row):
        for j, _ in row:
            leader[find(i)] = find(j)
    found = {}
    for i in range(matrix.rows):
        found.setdefault(find(i), []).append(i)
    return list(found.values())


def eliminate(a, b):
    """Solve the dense system a x = b by elimination with row pivots; both are used up."""
    size = len(b)
    for k in range(size):
        pivot = max(range(k, size), key=lambda i: abs(a[i][k]))
        if a[pivot][k] == 0:
            raise ValueError("the mass matrix is singular")
        a[k], a[pivot], b[k], b[pivot] = a[pivot], a[k], b[pivot], b[k]
        for i in range(k + 1, size):
            factor = a[i][k] / a[k][k]
            if factor:
                a[i] = [x - factor * y for x, y in zip(a[i], a[k])]
                b[i] -= factor * b[k]
    for k in reversed(range(size)):
        b[k] = (b[k] - math.fsum(a[k][j] * b[j] for j in range(k + 1, size))) / a[k][k]
    return b


def solve(matrix, right):
    """x with A x = right, part by part, refined once."""
    x = [0.0] * matrix.rows
    parts = components(matrix)
    for _ in range(2):
        missing = [b - ax for b, ax in zip(right, matrix.times(x))]
        for part in parts:
            place = {index: k for k, index in enumerate(part)}
            dense = [[0.0] * len(part) for _ in part]
            for index in part:
                for j, value in matrix.row[index]:
                    dense[place[index]][place[j]] += value
            for index, step in zip(part, eliminate(dense, [missing[i] for i in part])):
                x[index] += step
    return x


# ---- problems ----


class Problem(NamedTuple):
    """W and q, or the motion (M, H, f, w) they stand for."""

    dimension: int      # 1 for an LCP
    contacts: int
    mu: list
    mu_rolling: list    # empty without rolling resistance
    W: Matrix = None
    q: list = None
    M: Matrix = None
    H: Matrix = None
    f: list = None
    w: list = None

    def velocity(self, r):
        """u = W r + q, by way of the motion if there is one."""
        if self.M is None:
            return [a + b for a, b in zip(self.W.times(r), self.q)]
        push = [a + b for a, b in zip(self.f, self.H.times(r))]
        return [a + b for a, b in zip(self.H.transposed_times(solve(self.M, push)), self.w)]


def norm(x):
    """Euclidean length."""
    return math.sqrt(math.fsum(a * a for a in x))


def project(x, factors):
    """The point nearest to x with |x_k| <= mu_k x_n for each (mu_k, components of k).

    For a given x_n the parts are cut to mu_k x_n. What remains is convex in x_n, and its slope is
    the least of the slopes with any choice of parts taken as cut: the zero is the largest of
    theirs.
    """
    lengths = [(mu, norm([x[i] for i in part])) for mu, part in factors]
    best = 0.0
    for choice in range(2 ** len(factors)):
        cut = [entry for k, entry in enumerate(lengths) if choice >> k & 1]
        top = x[0] + math.fsum(mu * length for mu, length in cut)
        best = max(best, top / (1 + math.fsum(mu * mu for mu, _ in cut)))
    y = list(x)
    y[0] = best
    for (mu, part), (_, length) in zip(factors, lengths):
        if length > mu * best:
            for i in part:
                y[i] = x[i] * (mu * best / length)
    return y


def factors_of(problem, c):
    """Friction and rolling resistance of contact c, with the components they bind."""
    found = [(problem.mu[c], range(1, min(problem.dimension, 3)))]
    if problem.dimension == 5:
        found.append((problem.mu_rolling[c], range(3, 5)))
    return found


def natural_map(problem, r, u):
    """r - P_K(r - (u + shift n)) of all contacts."""
    if problem.dimension == 1:
        return [min(a, b) for a, b in zip(r, u)]
    found, d = [], problem.dimension
    for c in range(problem.contacts):
        rc, uc = r[c * d:c * d + d], u[c * d:c * d + d]
        factors = factors_of(problem, c)
        x = [a - b for a, b in zip(rc, uc)]
        x[0] -= math.fsum(mu * norm([uc[i] for i in part]) for mu, part in factors)
        found += [a - b for a, b in zip(rc, project(x, factors))]
    return found


class Verdict(NamedTuple):
    """What the judge says."""

    residual: float
    velocity_error: float   # of the told u against the judge's, relative to the largest number
    rounding: float         # what the last digit of r does to the residual, which has r's units


def judge(problem, answer):
    """The verdict on impulses and velocities that were told; NaN passes no comparison."""
    r, told = answer
    u = problem.velocity(r)
    q = problem.velocity([0.0] * len(r))
    size = max([1e-300] + [abs(x) for x in u + q])
    error = max([0.0] + [abs(a - b) / size for a, b in zip(u, told)])
    return Verdict(norm(natural_map(problem, r, u)) / (1 + norm(q)), error,
                   2.0 ** -52 * norm(r) / (1 + norm(q)))


# ---- text files ----


class Words:
    """The words of a text, one after the other."""

    def __init__(self, text):
        self.text, self.at = text, 0
        self.pattern = re.compile(r"\S+")

    def word(self):
        """The next one."""
        found = self.pattern.search(self.text, self.at)
        if not found:
            raise ValueError("the file ends early")
        self.at = found.end()
        return found.group()

    def whole(self):
        """A whole number."""
        return int(self.word())

    def numbers(self, count):
        """A list of numbers."""
        return [float(self.word()) for _ in range(count)]

    def skip_line(self):
        """Up to the next line."""
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end + 1

    def left(self):
        """How many numbers come until something else does."""
        count = 0
        for found in self.pattern.finditer(self.text, self.at):
            try:
                float(found.group())
            except ValueError:
                break
            count += 1
        return count


def read_dense(words, matrix):
    """Columns one after the other."""
    words.numbers(2)
    for j in range(matrix.columns):
        for i, value in enumerate(words.numbers(matrix.rows)):
            matrix.add(i, j, value)


def read_blocks(words, matrix):
    """Rows of blocks, each block column after column behind its number."""
    blocks = words.whole()
    if blocks == 0:
        return
    sizes = words.whole(), words.whole()
    ends = [[0] + [words.whole() for _ in range(size)] for size in sizes]
    pointers, indices = words.whole(), words.whole()
    pointer = [words.whole() for _ in range(pointers)]
    column = [words.whole() for _ in range(indices)]
    for row in range(pointers - 1):
        for k in range(pointer[row], pointer[row + 1]):
            if words.whole() != k:
                raise ValueError(f"block {k} is not where it belongs")
            top, bottom = ends[0][row:row + 2]
            left, right = ends[1][column[k]:column[k] + 2]
            for j in range(left, right):
                for i, value in enumerate(words.numbers(bottom - top), top):
                    matrix.add(i, j, value)


def read_sparse(words, matrix):
    """The printed form of a sparse matrix: a banner, a header, then entries with a colon."""
    words.whole()
    words.skip_line()
    words.skip_line()   # what is left of the line before, or the banner
    header = words.text[words.at:words.text.find("\n", words.at)]
    if "nnz" not in header:
        words.skip_line()
        header = words.text[words.at:words.text.find("\n", words.at)]
    entries = int(re.search(r"nnz:\s*(\d+)", header).group(1))
    kind = "triplet" if "triplet" in header else "row" if "csr" in header else "col"
    words.skip_line()
    fixed = 0
    while entries:
        first = words.word()
        if first in ("col", "row"):
            fixed = words.whole()
            words.skip_line()
            continue
        second = words.whole() if kind == "triplet" else fixed
        if words.word() != ":":
            raise ValueError("a colon is missing")
        i, j = (int(first), second) if kind != "row" else (second, int(first))
        matrix.add(i, j, float(words.word()))
        entries -= 1


def read_matrix(words):
    """One matrix record."""
    storage = words.whole()
    matrix = Matrix(words.whole(), words.whole())
    {DENSE: read_dense, BLOCKS: read_blocks, SPARSE: read_sparse}[storage](words, matrix)
    return matrix


def read_text(text, is_lcp):
    """A .dat file."""
    words = Words(text)
    if is_lcp:
        size = words.whole()
        W = read_matrix(words)
        return Problem(1, size, [], [], W=W, q=words.numbers(size))
    d, contacts = words.whole(), words.whole()
    first = read_matrix(words)
    friction = 2 if d == 5 else 1
    # nothing tells a local problem from a global one but what follows the first matrix
    if first.rows == d * contacts and words.left() in (first.rows + friction * contacts,
                                                       first.rows + friction * contacts + 1):
        q, mu = words.numbers(d * contacts), words.numbers(contacts)
        rolling = words.numbers(contacts) if d == 5 else []
        return Problem(d, contacts, mu, rolling, W=first, q=q)
    H = read_matrix(words)
    f, w = words.numbers(first.rows), words.numbers(d * contacts)
    mu = words.numbers(contacts)
    rolling = words.numbers(contacts) if d == 5 else []
    return Problem(d, contacts, mu, rolling, M=first, H=H, f=f, w=w)


# ---- HDF5 files, as h5dump prints them ----


def dump(path):
    """Every dataset of an HDF5 file: path -> list of words."""
    try:
        done = subprocess.run(["h5dump", "-y", "-w", "0", "-m", "%.17g", str(path)],
                              capture_output=True, text=True, check=True)
    except FileNotFoundError:
        raise NoReader("h5dump (Debian's hdf5-tools) is not installed") from None
    found, stack, words = {}, [], []
    for token in re.findall(r'"(?:[^"\\]|\\.)*"|[{}]|[^\s{}",]+', done.stdout):
        if token == "{":
            named = len(words) > 1 and words[-1].startswith('"')
            stack.append((words[-2], words[-1].strip('"')) if named else (words[-1], ""))
            if stack[-1][0] == "DATA":
                words = []
        elif token == "}":
            kind, _ = stack.pop()
            if kind == "DATA" and stack[-1][0] == "DATASET":
                names = [name for what, name in stack if what in ("GROUP", "DATASET")]
                found["/".join(names).lstrip("/")] = words
            words = []
        else:
            words.append(token)
    return found


def fclib_matrix(found, where):
    """A matrix group: csc, csr or triplet."""
    rows, columns, nz = (int(found[f"{where}/{name}"][0]) for name in ("m", "n", "nz"))
    p, i = ([int(word) for word in found.get(f"{where}/{name}", [])] for name in ("p", "i"))
    x = [float(word) for word in found.get(f"{where}/x", [])]
    matrix = Matrix(rows, columns)
    if nz >= TRIPLET:
        for k in range(nz):
            matrix.add(i[k], p[k], x[k])
        return matrix
    if nz not in (CSC, CSR):
        raise ValueError(f"{where}: nz = {nz}")
    for major in range(len(p) - 1):
        for k in range(p[major], p[major + 1]):
            if nz == CSC:
                matrix.add(i[k], major, x[k])
            else:
                matrix.add(major, i[k], x[k])
    return matrix


def read_fclib(path):
    """An FCLIB file; equalities are not known here."""
    found = dump(path)
    root = {name.split("/")[0] for name in found if name.startswith("fclib_")}
    if len(root) != 1:
        raise ValueError(f"{path}: one problem expected, found {sorted(root)}")
    root = root.pop()
    if any(name.startswith((f"{root}/G/", f"{root}/V/")) for name in found):
        raise ValueError(f"{path}: equalities")

    def vector(name):
        return [float(word) for word in found.get(f"{root}/vectors/{name}", [])]

    d = int(found[f"{root}/spacedim"][0])
    rolling = vector("mu_r")
    d = 5 if rolling else d
    mu = vector("mu")
    if f"{root}/W/m" in found:
        W = fclib_matrix(found, f"{root}/W")
        return Problem(d, W.rows // d, mu, rolling, W=W, q=vector("q"))
    M, H = fclib_matrix(found, f"{root}/M"), fclib_matrix(found, f"{root}/H")
    return Problem(d, H.columns // d, mu, rolling, M=M, H=H, f=vector("f"), w=vector("w"))


def read(path, is_lcp=False):
    """A problem file, by its content."""
    with open(path, "rb") as stream:
        begin = stream.read(8)
    if begin == b"\x89HDF\r\n\x1a\n":
        problem = read_fclib(path)
    else:
        with open(path, encoding="utf-8", errors="replace") as stream:
            problem = read_text(stream.read(), is_lcp)
    if not is_lcp and len(problem.mu) != problem.contacts:
        raise ValueError(f"{path}: {len(problem.mu)} coefficients, {problem.contacts} contacts")
    return problem


def read_solution(problem, text):
    """Impulses and velocities of a CSV, in the problem's order."""
    rows = list(csv.DictReader(io.StringIO(text)))
    numbering = "index" if problem.dimension == 1 else "contact"
    if [row[numbering] for row in rows] != [str(i) for i in range(problem.contacts)]:
        raise ValueError(f"not each of the {problem.contacts} contacts once, in order")
    return tuple([float(row[name]) for row in rows for name in names]
                 for names in COLUMNS[problem.dimension])


def main():
    """Judge one solution."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("problem")
    parser.add_argument("solution")
    parser.add_argument("--lcp", action="store_true")
    arguments = parser.parse_args()
    problem = read(arguments.problem, arguments.lcp)
    with open(arguments.solution, encoding="utf-8") as stream:
        verdict = judge(problem, read_solution(problem, stream.read()))
    print(f"residual {verdict.residual:.6e}, velocities off by {verdict.velocity_error:.1e}")


if __name__ == "__main__":
    main()
