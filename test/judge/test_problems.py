# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Stored contact problems, solved by `scree solve` and judged by contact_problem.py, which shares
nothing with scree.

The judge is judged first. Then come problems that scree wrote itself from its own scenes, and, if
SCREE_PROBLEMS names a folder with friction/, rolling/ and lcp/ in it, every file there.
"""

import math
import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

import contact_problem
from harness import check, document, equal, run_tests, skip

TOLERANCE = 1e-8
SECONDS = 60
# what no solver is known to bring to 1e-8: how far it must come, and the time it is given
HARD = {"RockPile_tob1.dat": (1e-4, 20)}
SCENES = (("bouncing-ball", 20), ("impacting-stick", 1), ("oscillator-stop", 1),
          ("single-bar-impact", 1), ("sliding-incline", 500), ("spinning-disc", 250))


# ---- the judge is judged ----


def distance(x, y):
    """Between two points."""
    return math.sqrt(math.fsum((a - b) ** 2 for a, b in zip(x, y)))


def random_point(rng, factors, size):
    """A point of the cone."""
    y = [rng.expovariate(1)] + [0.0] * (size - 1)
    for mu, part in factors:
        direction = [rng.gauss(0, 1) for _ in part]
        length = contact_problem.norm(direction)
        for i, value in zip(part, direction):
            y[i] = mu * y[0] * rng.random() * value / length
    return y


def test_projection(_scree):
    """The nearest point of the cone: in it, nearer than others, the rest is in the polar cone."""
    rng = random.Random(11)
    for trial in range(3000):
        size = rng.choice((2, 3, 5))
        factors = [(rng.choice((0.0, 0.3, 2.0)), range(1, min(size, 3)))]
        if size == 5:
            factors.append((rng.choice((0.0, 0.1, 1.5)), range(3, 5)))
        x = [rng.gauss(0, 1) for _ in range(size)]
        y = contact_problem.project(x, factors)
        inside = y[0] >= 0 and all(contact_problem.norm([y[i] for i in part])
                                   <= mu * y[0] * (1 + 1e-12) for mu, part in factors)
        rest = [a - b for a, b in zip(x, y)]
        # -rest is in the dual cone: no component along any point of the cone
        polar = rest[0] + math.fsum(mu * contact_problem.norm([rest[i] for i in part])
                                    for mu, part in factors)
        orthogonal = math.fsum(a * b for a, b in zip(rest, y))
        others = [random_point(rng, factors, size) for _ in range(5)]
        nearest = all(distance(x, y) <= distance(x, other) + 1e-12 for other in others)
        check(f"projection {trial} of {x} with {factors}",
              inside and polar <= 1e-12 and abs(orthogonal) <= 1e-12 and nearest, y)


def test_one_contact(_scree):
    """A single contact whose solution is known by hand: open, stick, slip; a fault is seen."""
    for q, mu, r in (([1.0, 3.0], 0.5, [0.0, 0.0]), ([-1.0, 0.2], 0.5, [1.0, -0.2]),
                     ([-1.0, 2.0], 0.5, [1.0, -0.5])):
        text = f"2 1 0 2 2 2 2 1 0 0 1 {q[0]} {q[1]} {mu}"
        problem = contact_problem.read_text(text, False)
        u = [a + b for a, b in zip(r, q)]
        verdict = contact_problem.judge(problem, (r, u))
        check(f"q = {q}: solved", verdict.residual <= 1e-15 and verdict.velocity_error <= 1e-15,
              verdict)
        wrong = contact_problem.judge(problem, ([r[0] + 1e-3, r[1]], u))
        check(f"q = {q}: a fault of 1e-3 is seen", wrong.residual > 1e-4
              and wrong.velocity_error > 1e-4, wrong)


def test_global_form(_scree):
    """A global problem gives the velocities of its condensed form."""
    rng = random.Random(3)
    size, columns = 5, 4
    M = [[rng.gauss(0, 1) + 4 * (i == j) for j in range(size)] for i in range(size)]
    H = [[rng.gauss(0, 1) for _ in range(columns)] for _ in range(size)]
    f, w = ([rng.gauss(0, 1) for _ in range(n)] for n in (size, columns))

    def dense(matrix):
        rows, width = len(matrix), len(matrix[0])
        cells = [str(matrix[i][j]) for j in range(width) for i in range(rows)]
        return f"0 {rows} {width} {rows} {width} " + " ".join(cells)

    text = f"2 2 {dense(M)} {dense(H)} {' '.join(map(str, f + w))} 0.3 0.4 1"
    problem = contact_problem.read_text(text, False)
    check("read as global", problem.M is not None and problem.mu == [0.3, 0.4], problem[:3])
    r = [rng.gauss(0, 1) for _ in range(columns)]
    push = [f[i] + sum(H[i][j] * r[j] for j in range(columns)) for i in range(size)]
    v = contact_problem.eliminate([list(row) for row in M], list(push))
    missing = [sum(M[i][j] * v[j] for j in range(size)) - push[i] for i in range(size)]
    check("elimination solves", contact_problem.norm(missing) <= 1e-13, missing)
    u = [sum(H[i][j] * v[i] for i in range(size)) + w[j] for j in range(columns)]
    check("the same velocities", distance(u, problem.velocity(r)) <= 1e-12, u)


# ---- files ----


def judge_file(scree, path, is_lcp=False):
    """One file: solved, and the judge agrees with what was told."""
    path = pathlib.Path(path)
    goal, seconds = HARD.get(path.name, (TOLERANCE, SECONDS))
    answer = scree("solve", path, "--tolerance", TOLERANCE, "--max-seconds", seconds, "--json",
                   "-o", "solution.csv", timeout=seconds + 60)
    told = document(answer)
    if not told or told.get("residual") is None:
        check(f"{path.name}: solved", False, answer)
        return
    if path.name in HARD:
        check(f"{path.name}: status says whether it is solved",
              answer.status == (0 if told["converged"] else 1), answer)
    else:
        check(f"{path.name}: solved to {goal:g}", answer.status == 0 and told["converged"], answer)
    try:
        problem = contact_problem.read(path, is_lcp)
    except contact_problem.NoReader as reason:
        skip(f"{path.name}: {reason}")
        return
    equal(f"{path.name}: contacts and dimension", (told["contacts"], told["dimension"]),
          (problem.contacts, problem.dimension))
    text = scree.path("solution.csv").read_text(encoding="utf-8")
    verdict = contact_problem.judge(problem, contact_problem.read_solution(problem, text))
    check(f"{path.name}: the judge's residual is at most {goal:g}", verdict.residual <= goal,
          f"{verdict.residual:.4e}, told {told['residual']:.4e}")
    off = abs(verdict.residual - told["residual"])
    check(f"{path.name}: the judge agrees with the residual told",
          off <= max(1e-12, 1e-3 * verdict.residual, verdict.rounding),
          f"judge {verdict.residual:.6e}, told {told['residual']:.6e}, "
          f"rounding {verdict.rounding:.1e}")
    check(f"{path.name}: the judge agrees with the velocities told",
          verdict.velocity_error <= 1e-9, verdict)
    check(f"{path.name}: no NaN is called solved", told["residual"] <= TOLERANCE
          or not told["converged"], told)
    if path.name in HARD:
        print(f"{path.name}: {told['residual']:.2e} after {told['seconds']:.1f} s "
              f"({told['solver']}: {told['reason']})")


def problem_folder(kind):
    """The files of one kind that SCREE_PROBLEMS offers; said aloud if there are none."""
    folder = os.environ.get("SCREE_PROBLEMS")
    if not folder:
        skip(f"{kind} problems of real simulations: SCREE_PROBLEMS is not set")
        return []
    found = [p for p in sorted(pathlib.Path(folder, kind).glob("*"))
             if p.suffix in (".dat", ".hdf5")]
    check(f"{folder}/{kind} has problems in it", found)
    return found


def test_friction(scree):
    """2D and 3D, local and global."""
    for path in problem_folder("friction"):
        judge_file(scree, path)


def test_rolling(scree):
    """With rolling resistance."""
    for path in problem_folder("rolling"):
        judge_file(scree, path)


def test_lcp(scree):
    """Linear complementarity problems."""
    for path in problem_folder("lcp"):
        judge_file(scree, path, is_lcp=True)


# ---- problems of our own ----


def system_text(rng, contacts, dimension, dofs):
    """A matrix system whose contacts all push on each other."""
    lines = ["system:",
             f"  mass: {[[2.0 * (i == j) + 0.3 for j in range(dofs)] for i in range(dofs)]}",
             f"  load: {[round(-20 * rng.random(), 6) for _ in range(dofs)]}",
             f"  velocity: {[round(rng.gauss(-0.5, 1), 6) for _ in range(dofs)]}", "  contacts:"]
    for c in range(contacts):
        normal = [round(abs(rng.gauss(0, 1)), 6) for _ in range(dofs)]
        tangents = [[round(rng.gauss(0, 1), 6) for _ in range(dofs)] for _ in range(dimension - 1)]
        key, value = ("tangent", tangents[0]) if dimension == 2 else ("tangents", tangents)
        lines.append(f"    - {{name: c{c}, normal: {normal}, {key}: {value}, "
                     f"friction: {rng.choice((0, 0.2, 0.8))}}}")
    lines += ["scheme: {step: 1e-3, duration: 20e-3, theta: 0.6, approach: ignored}"]
    return "\n".join(lines) + "\n"


def judge_dumps(scree, what):
    """Every problem in the folder `dumped`, and the solution that each brings along."""
    files = sorted(scree.path("dumped").glob("*.hdf5"))
    check(f"{what}: problems were written", files, scree.listing())
    for path in files:
        judge_file(scree, path)
        try:
            problem, found = contact_problem.read(path), contact_problem.dump(path)
        except contact_problem.NoReader:
            continue   # said aloud by judge_file
        r, u = ([float(word) for word in found[f"solution/{name}"]] for name in "ru")
        verdict = contact_problem.judge(problem, (r, u))
        check(f"{what}, {path.name}: the run's own impulses solve it", verdict.residual <= 1e-9
              and verdict.velocity_error <= 1e-9, verdict)
        path.unlink()


def test_scenes(scree):
    """Steps of the built-in scenes."""
    for scene, every in SCENES:
        scree.expect(0, "run", scene, "--no-store", "--dump-problems", "dumped",
                     "--when", f"every:{every}")
        judge_dumps(scree, scene)


def test_systems(scree):
    """Coupled contacts in 2D and 3D, some without friction, more contacts than coordinates."""
    for contacts, dimension, dofs in ((3, 2, 4), (8, 2, 12), (2, 3, 4), (6, 3, 12), (9, 3, 14)):
        scree.write("system.yaml", system_text(random.Random(7), contacts, dimension, dofs))
        scree.expect(0, "run", "system.yaml", "--no-store", "--dump-problems", "dumped",
                     "--when", "every:2", "--set", "solver.max_sweeps=1000000")
        judge_dumps(scree, f"{contacts} contacts in {dimension}D")


if __name__ == "__main__":
    run_tests(globals())
