# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""scree solve and scree run --dump-problems: the contract for scripts, bad input, full disks.

Whether the answers are right is for test/judge/test_problems.py; here they are known by hand.
"""

import math
import os
import random
import re
import resource
import signal
import subprocess

from harness import (check, digest, document, equal, run_tests, skip, table_of, weaker_user)

import contact_problem  # of the judge, which harness finds

NUMBER, WHOLE, TEXT, FLAG = (int, float), (int,), (str,), (bool,)
KEYS = {"contacts": WHOLE, "dimension": WHOLE, "solver": TEXT, "tolerance": NUMBER,
        "converged": FLAG, "residual": NUMBER, "residual_scaled": NUMBER, "iterations": WHOLE,
        "factorizations": WHOLE, "seconds": NUMBER, "open": WHOLE, "stick": WHOLE, "slip": WHOLE,
        "reason": TEXT, "file": TEXT, "format": TEXT, "asymmetry": NUMBER, "islands": WHOLE,
        "phases": (dict,), "criterion": TEXT}
PORTFOLIO = ["nsgs", "nsgs-anderson", "proximal-newton", "admm", "alart-curnier", "apgd",
             "interior-point", "lemke", "path", "enumerate", "auto"]
# these want M and H of rigid bodies in space
ON_BODIES = ["nsgs-bodies", "nsgs-symmetric", "nsgs-freezing", "ncg"]


def flat(rows):
    """Numbers of a matrix, column after column."""
    return " ".join(str(rows[i][j]) for j in range(len(rows[0])) for i in range(len(rows)))


def dense(rows):
    """A matrix record."""
    height, width = len(rows), len(rows[0])
    return f"0\n{height}\n{width}\n{height} {width}\n{flat(rows)}\n"


def diagonal(values):
    """A diagonal matrix."""
    return [[value if i == j else 0 for j in range(len(values))] for i, value in enumerate(values)]


def local_text(dimension, W, q, *coefficients):
    """A local problem; coefficients: mu, and mu_r for rolling."""
    lists = "\n".join(" ".join(map(str, c)) for c in (q, *coefficients))
    return f"{dimension}\n{len(q) // dimension}\n{dense(W)}{lists}\n"


def lcp_text(M, q):
    """A linear complementarity problem."""
    return f"{len(q)}\n{dense(M)}{' '.join(map(str, q))}\n"


# W is diagonal, so that every contact stands alone: open, sticking, sliding
PLANE = local_text(2, diagonal([1] * 6), [1, 3, -1, 0.2, -1, 2], [0.5] * 3)
PLANE_ROWS = [[0, 0, 0, 1, 3], [1, 1, -0.2, 0, 0], [2, 1, -0.5, 0, 1.5]]
SPACE = local_text(3, diagonal([1] * 9), [1, 3, 4, -1, 0.1, -0.2, -1, 3, 4], [0.5] * 3)
SPACE_ROWS = [[0, 0, 0, 0, 1, 3, 4], [1, 1, -0.1, 0.2, 0, 0, 0],
              [2, 1, -0.3, -0.4, 0, 2.7, 3.6]]
ROLLING = local_text(5, diagonal([1, 1, 1, 4, 4] * 2),
                     [1, 3, 4, 1, 1, -1, 0.1, -0.2, 3, 4], [0.5] * 2, [0.1] * 2)
ROLLING_ROWS = [[0, 0, 0, 0, 0, 0, 1, 3, 4, 1, 1],
                [1, 1, -0.1, 0.2, -0.06, -0.08, 0, 0, 0, 2.76, 3.68]]
LCP = lcp_text(diagonal([2, 4]), [-2, 3])
LCP_ROWS = [[0, 1, 0], [1, 0, 3]]
HEADERS = {2: "contact,pn,pt,un,ut", 3: "contact,pn,pt1,pt2,un,ut1,ut2",
           5: "contact,pn,pt1,pt2,pr1,pr2,un,ut1,ut2,ur1,ur2", 1: "index,z,w"}
CASES = ((PLANE, 2, PLANE_ROWS, (1, 1, 1)), (SPACE, 3, SPACE_ROWS, (1, 1, 1)),
         (ROLLING, 5, ROLLING_ROWS, None), (LCP, 1, LCP_ROWS, (1, 1, 0)))


def chain_text(contacts, seed=1):
    """A 3D problem whose contacts are all coupled: slow for Gauss-Seidel."""
    rng = random.Random(seed)
    size = 3 * contacts
    G = [[rng.gauss(0, 1) + 2 * (j < 2) for j in range(size // 2)] for _ in range(size)]
    W = [[sum(a * b for a, b in zip(G[i], G[j])) for j in range(size)] for i in range(size)]
    # within the range of W, so that there is a solution
    load = [rng.gauss(0, 1) for _ in range(size // 2)]
    q = [sum(a * b for a, b in zip(row, load)) for row in G]
    return local_text(3, W, q, [0.3] * contacts)


def numbers(text):
    """Header and rows of numbers of CSV text."""
    header, rows = table_of(text)
    return ",".join(header), [[float(cell) for cell in row] for row in rows]


def near(rows, expected, tolerance=1e-7):
    """The same tables but for rounding."""
    return len(rows) == len(expected) and all(
        len(row) == len(other) and all(abs(a - b) <= tolerance for a, b in zip(row, other))
        for row, other in zip(rows, expected))


# ---- the contract ----


def judge_keys(what, found):
    """Every key of the contract with its type."""
    for key, types in KEYS.items():
        value = found.get(key)
        fits = isinstance(value, types) and (types is FLAG or not isinstance(value, bool))
        check(f"{what}: {key} is one of {types}", fits, repr(value))
    known = found.get("unique", "missing")
    check(f"{what}: unique and freedom belong together",
          (known is None) == (found.get("freedom", "missing") is None) and
          (known is not True or found["freedom"] == 0), repr((known, found.get("freedom"))))
    equal(f"{what}: phases", sorted(found.get("phases", {})),
          ["factor", "iterate", "judge", "prepare"])


def test_known_answers(scree):
    """Small problems of every kind with known answers: document, table, report."""
    for text, dimension, expected, counts in CASES:
        what = f"dimension {dimension}"
        name = scree.write("problem.dat", text)
        found = scree.json("solve", name, "-o", "s.csv")
        if not found:
            continue
        judge_keys(what, found)
        equal(f"{what}: contacts, dimension", (found["contacts"], found["dimension"]),
              (len(expected), dimension))
        equal(f"{what}: file, tolerance, criterion, converged",
              [found[k] for k in ("file", "tolerance", "criterion", "converged")],
              [name, 1e-8, "field", True])
        check(f"{what}: below the tolerance", found["residual"] <= 1e-8, found)
        if counts:
            equal(f"{what}: open, stick, slip", tuple(found[k] for k in ("open", "stick", "slip")),
                  counts)
        header, rows = numbers(scree.path("s.csv").read_text())
        equal(f"{what}: header", header, HEADERS[dimension])
        check(f"{what}: the known answer {expected}", near(rows, expected), rows)
        printed = scree.expect(0, "solve", name, "-o", "-")
        equal(f"{what}: -o - prints the same table", numbers(printed.out), (header, rows))
        check(f"{what}: with -o - the report is on standard error", "tolerance" in printed.err,
              printed)


def test_report(scree):
    """For people: which residual was held against the tolerance, units, counts, the file."""
    name = scree.write("space.dat", SPACE)
    answer = scree.expect(0, "solve", name, "-o", "s.csv")
    for words in ("space.dat", "3 contacts in 3D", "1 open, 1 stick, 1 slip", "N s", "m/s",
                  "the field's convention", "1e-08", "s.csv", "iteration", "factorisation",
                  "prepare"):
        check(f"the report has {words!r}", words in answer.out, answer.out)
    equal("nothing on standard error", answer.err, "")
    answer = scree.expect(0, "solve", name, "--residual", "scaled", "--tolerance", "1e-6")
    check("the scaled residual is named, and the tolerance", "against the scaled residual"
          in answer.out and "1e-06" in answer.out, answer.out)
    check("W is symmetric here: no note", "not symmetric" not in answer.out, answer.out)
    lcp = scree.expect(0, "solve", scree.write("lcp.dat", LCP)).out
    check("an LCP has components", "2 components" in lcp and "1 with z = 0, 1 with w = 0" in lcp,
          lcp)


def test_asymmetry(scree):
    """A W that is not symmetric is solved as it is, and that is said."""
    W = diagonal([1] * 6)
    W[0][3] = 0.01
    name = scree.write("skew.dat", local_text(2, W, [-1, 0.2, -1, 0.2, -1, 2], [0.5] * 3))
    answer = scree.expect(0, "solve", name, "-o", "s.csv")
    check("the note", "W is not symmetric: max |W - W^T| / max |W| = 0.01, solved as it is"
          in answer.out, answer.out)
    equal("asymmetry in the document", scree.json("solve", name)["asymmetry"], 0.01)
    problem = contact_problem.read(scree.path(name))
    verdict = contact_problem.judge(problem, contact_problem.read_solution(
        problem, scree.path("s.csv").read_text()))
    check("solved with the entry where it stands, not its mirror", verdict.residual <= 1e-8,
          verdict)


def test_digits(scree):
    """17 digits: the velocities in the table are W p + b of its impulses to rounding."""
    name = scree.write("chain.dat", chain_text(4))
    found = scree.json("solve", name, "-o", "s.csv", "--tolerance", "1e-10")
    problem = contact_problem.read(scree.path(name))
    verdict = contact_problem.judge(problem, contact_problem.read_solution(
        problem, scree.path("s.csv").read_text()))
    check("velocities to rounding", verdict.velocity_error <= 1e-13, verdict)
    check("residual as told", abs(verdict.residual - found["residual"])
          <= max(1e-12, 1e-3 * verdict.residual), (verdict, found["residual"]))
    first = scree.path("s.csv").read_bytes()
    scree.json("solve", name, "-o", "s.csv", "--tolerance", "1e-10")
    equal("the same bytes again", digest(scree.path("s.csv").read_bytes()), digest(first))
    cells = [cell for row in table_of(first.decode())[1] for cell in row[1:]]
    check("as many digits as a double has", any(len(re.sub(r"\D|^0+", "", c)) >= 16
                                                for c in cells), cells)


def test_criteria(scree):
    """The residual that is held against the tolerance is the one asked for."""
    name = scree.write("chain.dat", chain_text(6))
    for criterion, keys in (("field", ["residual"]), ("scaled", ["residual_scaled"]),
                            ("both", ["residual", "residual_scaled"])):
        found = scree.json("solve", name, "--residual", criterion, "--tolerance", "1e-9")
        equal(f"{criterion}: told", found["criterion"], criterion)
        check(f"{criterion}: reached", all(found[key] <= 1e-9 for key in keys), found)


def test_not_solved(scree):
    """Limits: status 1, the reason, the best iterate in the table, a warning; one document."""
    name = scree.write("chain.dat", chain_text(12))
    arguments = ["solve", name, "--solver", "nsgs", "--tolerance", "1e-13", "--max-iterations", "1"]
    found = scree.json(*arguments, "-o", "s.csv", status=1)
    judge_keys("limit", found)
    check("not converged, above the tolerance", not found["converged"]
          and found["residual"] > 1e-13, found)
    check("the reason is told", "limit" in found["reason"], found["reason"])
    answer = scree.expect(1, *arguments, "-o", "s.csv")
    check("the report says it", "NOT SOLVED" in answer.out and "limit" in answer.out, answer.out)
    check("a warning about the table", "warning" in answer.err and "s.csv" in answer.err, answer)
    header, rows = numbers(scree.path("s.csv").read_text())
    check("the best iterate is there", header == HEADERS[3] and len(rows) == 12
          and any(row[1] > 0 for row in rows), rows)
    found = scree.json("solve", name, "--tolerance", "1e-300", "--max-seconds", "0.2", status=1)
    check("never solved below what numbers can tell", not found["converged"], found)


def test_infeasible(scree):
    """Walls that squeeze a body: there is no solution, and that is not called one."""
    name = scree.write("squeeze.dat", local_text(2, [[1, 0, -1, 0], [0, 1, 0, -1], [-1, 0, 1, 0],
                                                     [0, -1, 0, 1]], [-1, 0, -1, 0], [0.3, 0.3]))
    answer = scree("solve", name, "--json", "--max-seconds", "5", "-o", "s.csv")
    found = document(answer)
    check("status 1, not converged", answer.status == 1 and found and not found["converged"],
          answer)
    y = found and found.get("certificate")
    check("a certificate", y, found)
    if y:
        check("the certificate proves it: in the cone, W p = 0, b.p < 0",
              abs(y[0] - y[2]) <= 1e-9 and abs(y[1] - y[3]) <= 1e-9 and y[0] > 0
              and y[0] + y[2] > 0 and abs(y[1]) <= 0.3 * y[0] + 1e-9, y)
        check("no table of what does not exist", not scree.path("s.csv").exists())
    found = document(scree("solve", name, "--all", "--json"))
    equal("--all finds none", found and found.get("count"), 0)

    name = scree.write("none.dat", lcp_text([[0, 0], [0, 1]], [-1, 1]))
    found = scree.json("solve", name, "-o", "n.csv", status=1)
    check("an LCP without solution: y >= 0, M^T y <= 0, q.y < 0", found and "certificate" in found
          and found["certificate"][0] > 0 and abs(found["certificate"][1]) <= 1e-12, found)
    answer = scree.expect(1, "solve", name, "-o", "n.csv")
    check("the report has the proof, and nothing is written", "proof" in answer.out
          and "no solution" in answer.out and "not written" in answer.err
          and not scree.path("n.csv").exists(), answer)


def test_list(scree):
    """--list needs no problem and names the portfolio; completion offers the same names."""
    listing = scree.expect(0, "solve", "--list").out
    found = scree.json("solve", "--list")
    names = [entry["name"] for entry in found]
    equal("of the portfolio there is missing", set(PORTFOLIO) - set(names), set())
    equal("no name stands twice", len(set(names)), len(names))
    for entry in found:
        check(f"{entry['name']}: a line about it", entry["summary"]
              and re.search(rf"^{entry['name']} +{re.escape(entry['summary'])}$", listing, re.M),
              listing)
    script = scree.expect(0, "--completion").out
    for name in names:
        check(f"completion offers {name}", re.search(rf"\b{name}\b", script), "no")


def test_every_solver(scree):
    """Each solver of the menu solves what it can and refuses the rest with a reason."""
    plane, space = scree.write("plane.dat", PLANE), scree.write("space.dat", chain_text(3))
    for entry in scree.json("solve", "--list"):
        name = entry["name"]
        for problem in (plane, space):
            answer = scree("solve", problem, "--solver", name, "--json", "--tolerance", "1e-6",
                           "--max-seconds", "10")
            found = document(answer)
            if answer.status == 2:
                check(f"{name} refuses {problem} with a reason", found and found.get("message")
                      and "error: " in answer.err, answer)
                check(f"{name} is not one that serves every cone",
                      name in ("lemke", "enumerate", "alart-curnier", *ON_BODIES), answer)
            elif found:
                check(f"{name} on {problem}: solved exactly if it says so",
                      found["converged"] == (answer.status == 0)
                      and (found["residual"] <= 1e-6) == found["converged"], answer)
        if name in ON_BODIES:
            continue
        found = document(scree("solve", plane, "--solver", name, "--json"))
        check(f"{name} solves three contacts in the plane", found and found.get("converged"), found)


def test_threads(scree):
    """The same bytes for any number of threads."""
    name = scree.write("chain.dat", chain_text(10))
    tables = set()
    for threads in ("1", "2", "0"):
        scree.json("solve", name, "--threads", threads, "-o", "s.csv")
        tables.add(scree.path("s.csv").read_bytes())
    equal("one table", len(tables), 1)


# ---- all solutions ----


def all_of(scree, text, status=0):
    """--all --json of a problem, with the report beside it."""
    name = scree.write("small.dat", text)
    answer = scree.expect(status, "solve", name, "--all")
    return scree.json("solve", name, "--all", status=status), answer.out


def test_all_points(scree):
    """Known numbers of isolated solutions."""
    found, out = all_of(scree, PLANE)
    equal("W = 1: one solution", found["count"], 1)
    equal("its pattern", found["solutions"][0]["pattern"], ["open", "stick", "slip-"])
    expected = [x for row in PLANE_ROWS for x in row[1:3]]
    check("its values", near([found["solutions"][0]["values"]], [expected], 1e-9), found)
    equal("no families", found["families"], [])
    check("the report shows it", "1 solution" in out and "open stick slip-" in out, out)

    # M = [[0, 2], [2, 0]], q = (-2, -2) has z = (1, 1); with [[1, 2], [2, 1]], q = -(3, 3) three
    found, out = all_of(scree, lcp_text([[1, 2], [2, 1]], [-3, -3]))
    equal("three solutions", found["count"], 3)
    values = sorted(solution["values"] for solution in found["solutions"])
    check("(0, 3), (1, 1), (3, 0)", near(values, [[0, 3], [1, 1], [3, 0]], 1e-9), values)
    check("patterns of components", {tuple(s["pattern"]) for s in found["solutions"]}
          == {("closed", "closed"), ("open", "closed"), ("closed", "open")}, found["solutions"])
    check("the report counts them", "3 solutions" in out, out)


def test_all_that_are_close(scree):
    """Solutions a millionth apart are two; what misses by a billionth is none."""
    for q, count in (([1e-6, 1], 2), ([-1e-9, 1], 0)):
        text = lcp_text([[-1, 0], [0, 1]], q)
        found = scree.json("solve", scree.write("close.dat", text), "--all",
                           status=0 if count else 1)
        equal(f"q = {q}", found["count"], count)
        check("no z below zero", all(z >= 0 for s in found["solutions"] for z in s["values"]))


def test_all_families(scree):
    """A segment, a ray; their ends, null where there is none."""
    found, out = all_of(scree, lcp_text([[1, 1], [1, 1]], [-1, -1]))
    equal("z1 + z2 = 1: infinite", found["count"], "infinite")
    segments = [f for f in found["families"] if f["kind"] == "segment"]
    equal("one segment and nothing else", (len(segments), len(found["families"]),
                                           found["solutions"]), (1, 1, []))
    check("from (0, 1) to (1, 0)", near(sorted(segments[0]["ends"]), [[0, 1], [1, 0]], 1e-9),
          segments)
    equal("vertices are the ends, no rays", (sorted(segments[0]["vertices"]), segments[0]["rays"]),
          (sorted(segments[0]["ends"]), []))
    check("the report says infinitely many", "infinitely many" in out and "segment" in out, out)

    found, out = all_of(scree, lcp_text([[0, 0], [0, 1]], [0, -1]))
    rays = [f for f in found["families"] if f["kind"] == "ray"]
    equal("z1 >= 0, z2 = 1: a ray", (len(rays), found["count"]), (1, "infinite"))
    equal("it has one end", rays[0]["ends"][1], None)
    check("at (0, 1), along (1, 0)", near([rays[0]["ends"][0]] + rays[0]["rays"],
                                          [[0, 1], [1, 0]], 1e-9), rays)
    check("the report says without end", "without end" in out, out)


def test_all_none(scree):
    """No solution: status 1, count 0, and the proof where there is one."""
    M, q = [[0, 0], [0, 1]], [-1, 1]
    found, out = all_of(scree, lcp_text(M, q), status=1)
    equal("none", (found["count"], found["solutions"], found["families"]), (0, [], []))
    y = found.get("certificate")
    check("a certificate", y, found)
    if y:
        products = [sum(M[i][j] * y[i] for i in range(2)) for j in range(2)]
        check("y >= 0, M^T y <= 0, q.y < 0", min(y) >= 0 and max(products) <= 1e-12
              and sum(a * b for a, b in zip(q, y)) < 0, y)
    check("the report says no solution", "no solution" in out, out)


def test_all_refused(scree):
    """Too large, not planar, or together with what makes no sense."""
    for text, word in ((SPACE, "planar"), (lcp_text(diagonal([1] * 400), [-1] * 400), "400")):
        name = scree.write("large.dat", text)
        found = scree.json("solve", name, "--all", status=2)
        check("the file and the reason", found and "large.dat" in found.get("message", "")
              and word in found["message"], found)
    name = scree.write("plane.dat", PLANE)
    for extra in (["-o", "x.csv"], ["--solver", "nsgs"]):
        answer = scree.expect(2, "solve", name, "--all", *extra)
        check(f"--all with {extra[0]} is refused", "--all" in answer.err, answer)


# ---- bad input ----


def judge_bad(scree, what, words, *arguments):
    """Status 2, one JSON document, a message with these words; no table."""
    answer = scree.expect(2, "solve", *arguments, "-o", "bad.csv")
    for word in words:
        check(f"{what}: the message has {word!r}", word in answer.err, answer)
    equal(f"{what}: nothing on standard output", answer.out, "")
    check(f"{what}: no table", not scree.path("bad.csv").exists())
    found = document(scree.expect(2, "solve", *arguments, "--json"))
    check(f"{what}: the document tells it too", found and found.get("message")
          and found.get("status") in ("bad-input", "file-error"), found)


def test_bad_files(scree):
    """Files that are not there, not files, cut, or hold what they should not."""
    judge_bad(scree, "missing", ["no-such.dat", "No such file"], "no-such.dat")
    scree.path("folder").mkdir()
    judge_bad(scree, "a folder", ["folder", "irectory"], "folder")
    judge_bad(scree, "empty", ["empty.dat", "error: "], scree.write("empty.dat", ""))
    judge_bad(scree, "a poem", ["poem.dat", "error: "],
              scree.write("poem.dat", "the quick brown fox\n"))
    for part in (0.2, 0.5, 0.8, 0.95):
        cut = SPACE[:int(len(SPACE) * part)].rsplit(None, 1)[0] + "\n"
        judge_bad(scree, f"cut to {part}", ["cut.dat:", "error: "], scree.write("cut.dat", cut))
    for what, old, new, word in (
            ("NaN in W", "\n1 0 0", "\nnan 0 0", "finite"),
            ("infinite", "\n1 0 0", "\n1e999 0 0", "finite"),
            ("negative friction", "0.5 0.5 0.5", "0.5 -0.5 0.5", "-0.5"),
            ("NaN for friction", "0.5 0.5 0.5", "0.5 nan 0.5", "finite"),
            ("letters", "\n1 0 0", "\n1 x 0", "x"),
            ("dimension 4", "3\n3\n", "4\n3\n", "4"),
            ("a size that does not fit", "0\n9\n9\n9 9", "0\n9\n8\n9 8", "8"),
            ("a huge count", "3\n3\n0\n9\n9", "3\n700000000\n0\n2100000000\n2100000000", "")):
        check(f"{what}: the text is there", old in SPACE, SPACE[:80])
        judge_bad(scree, what, ["wrong.dat", "error: ", word],
                  scree.write("wrong.dat", SPACE.replace(old, new, 1)))
    judge_bad(scree, "an HDF5 signature alone", ["sign.hdf5", "error: "],
              scree.write("sign.hdf5", b"\x89HDF\r\n\x1a\n" + bytes(100)))
    scree.expect(0, "run", "bouncing-ball", "-o", "run.h5", "--set", "scheme.duration=0.01")
    judge_bad(scree, "a run file", ["run.h5", "error: "], "run.h5")


def test_cut_dump(scree):
    """An FCLIB file cut anywhere: refused with its name, never a crash."""
    scree.expect(0, "run", "sliding-incline", "--no-store", "--dump-problems", "d", "--when",
                 "every:100", "--set", "scheme.duration=0.1")
    whole = next(iter(sorted(scree.path("d").glob("*.hdf5")))).read_bytes()
    for part in (0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999):
        judge_bad(scree, f"cut to {part}", ["cut.hdf5", "error: "],
                  scree.write("cut.hdf5", whole[:int(len(whole) * part)]))


def test_permission(scree):
    """A problem that may not be read."""
    who = weaker_user(scree)
    if who is None:
        return
    scree.path(scree.write("secret.dat", PLANE)).chmod(0)
    answer = scree("solve", "secret.dat", **who)
    check("status 2, the reason", answer.status == 2 and "ermission" in answer.err, answer)


def test_bad_options(scree):
    """Words that make no sense."""
    name = scree.write("plane.dat", PLANE)
    for what, words, arguments in (
            ("unknown solver", ["nsg", "did you mean 'nsgs'"], ["--solver", "nsg"]),
            ("a stranger", ["quantum", "--list"], ["--solver", "quantum"]),
            ("tolerance", ["--tolerance", "positive number", "small"], ["--tolerance", "small"]),
            ("tolerance 0", ["--tolerance", "positive"], ["--tolerance", "0"]),
            ("tolerance nan", ["--tolerance", "positive"], ["--tolerance", "nan"]),
            ("tolerance < 0", ["--tolerance", "positive"], ["--tolerance", "-1e-8"]),
            ("seconds", ["--max-seconds"], ["--max-seconds", "-1"]),
            ("iterations", ["--max-iterations", "whole"], ["--max-iterations", "1.5"]),
            ("iterations 0", ["--max-iterations"], ["--max-iterations", "0"]),
            ("threads", ["--threads"], ["--threads", "-1"])):
        judge_bad(scree, what, words, name, *arguments)
    for arguments in (["solve"], ["solve", name, "--residual", "best"], ["solve", name, name],
                      ["solve", name, "-o", ""], ["solve", name, "-o", "-", "--json"]):
        scree.expect(2, *arguments)


def test_zero_contacts(scree):
    """A local problem without contacts, and a global one, are solved."""
    empty = "3\n0\n0\n0\n0\n0 0\n"
    for text in (empty, f"3\n0\n{dense(diagonal([1, 1, 1]))}0\n3\n0\n3 0\n1 2 3\n"):
        name = scree.write("none.dat", text)
        found = scree.json("solve", name, "-o", "s.csv")
        if not found:
            continue
        equal("nothing there", [found.get(k) for k in ("contacts", "converged", "open", "stick",
                                                       "slip")], [0, True, 0, 0, 0])
        equal("a header alone", scree.path("s.csv").read_text(), HEADERS[3] + "\n")
        check("the report", "0 contacts" in scree.expect(0, "solve", name).out)


# ---- places that cannot be written to ----


def test_full_disk(scree):
    """A full device and a limit on the size of files: the reason, no half file, the old kept."""
    name = scree.write("chain.dat", chain_text(30))
    if os.path.exists("/dev/full"):
        answer = scree.expect(1, "solve", name, "-o", "/dev/full")
        check("full: the reason", "No space left" in answer.err and "/dev/full" in answer.err,
              answer)
        found = document(scree.expect(1, "solve", name, "-o", "/dev/full", "--json"))
        equal("full: the document tells it", found and found.get("status"), "file-error")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([scree.binary, "solve", name, "--json"], cwd=scree.folder,
                                  stdout=full, stderr=subprocess.PIPE, check=False)
        check("standard output that is full is no success", done.returncode != 0
              and b"standard output" in done.stderr, done)
    else:
        skip("/dev/full: not on this system")
    scree.write("s.csv", "old\n")

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    answer = scree.expect(1, "solve", name, "-o", "s.csv", preexec_fn=limit)
    check("the reason", "too large" in answer.err, answer)
    equal("the old table is kept, nothing else is left",
          (scree.path("s.csv").read_text(), scree.listing()), ("old\n", ["chain.dat", "s.csv"]))


def test_bad_places(scree):
    """Folders that are not there or may not be written to."""
    name = scree.write("plane.dat", PLANE)
    answer = scree.expect(1, "solve", name, "-o", "no/such/s.csv")
    check("the reason and the place", "No such file" in answer.err
          and "no/such/s.csv" in answer.err, answer)
    scree.path("d").mkdir()
    answer = scree.expect(1, "solve", name, "-o", "d")
    check("a folder is no table", "irectory" in answer.err, answer)
    scree.write("file", "mine")
    for place in ("file", "file/x", "no/such"):
        answer = scree.expect(1, "run", "bouncing-ball", "--no-store", "--dump-problems", place)
        check(f"problems to {place}: the reason", place in answer.err and "cannot be made"
              in answer.err, answer)
    equal("my file is kept", scree.path("file").read_text(), "mine")
    who = weaker_user(scree)
    if who is None:
        return
    scree.path("d").chmod(0o555)
    answer = scree("run", "bouncing-ball", "--no-store", "--dump-problems", "d", "--when", "all",
                   **who)
    check("a locked folder", answer.status == 1 and "ermission" in answer.err, answer)
    equal("nothing in it", list(scree.path("d").iterdir()), [])


# ---- run --dump-problems ----

COUPLED = """\
system:
  mass: {mass}
  load: [-20, -20, -20, -20, -20, -20, -20, -20, -20, -20, -20, -20]
  contacts:
{contacts}
scheme: {{step: 1e-3, duration: 40e-3, theta: 0.6}}
"""


def coupled_text():
    """Twelve contacts that one sweep does not solve."""
    row = [[1 if i == c else 0.3 for i in range(12)] for c in range(12)]
    contacts = "\n".join(f"    - {{name: c{c}, normal: {row[c]}, gap: 0.01}}" for c in range(12))
    return COUPLED.format(mass=diagonal([1] * 12), contacts=contacts)


def dumped(scree, folder="d"):
    """Steps whose problems were written."""
    return [int(re.fullmatch(r"step-(\d{7,})\.hdf5", p.name).group(1))
            for p in sorted(scree.path(folder).iterdir())]


def active_steps(scree, run):
    """Steps with a contact in their problem."""
    return sorted({row["step"] for row in scree.rows(run, "contacts")
                   if row["status"] != "inactive"})


def test_dump_every(scree):
    """all and every:N write the steps that have contacts, and say how many."""
    scree.expect(0, "run", "impacting-stick", "-o", "run.h5")
    steps = active_steps(scree, "run.h5")
    answer = scree.expect(0, "run", "impacting-stick", "--no-store", "--dump-problems", "d",
                          "--when", "all")
    equal("all", dumped(scree), steps)
    check("told how many", re.search(rf"\b{len(steps)} contact problem", answer.err), answer)
    scree.expect(0, "run", "sliding-incline", "-o", "run.h5")
    scree.expect(0, "run", "sliding-incline", "-o", "again.h5", "--dump-problems", "e",
                 "--when", "every:30")
    equal("every:30", dumped(scree, "e"), [s for s in active_steps(scree, "run.h5") if s % 30 == 0])
    equal("the run is not changed", scree.export_hashes("again.h5"), scree.export_hashes("run.h5"))
    first = sorted(scree.path("e").iterdir())[0]
    found = scree.json("solve", first, "--tolerance", "1e-10")
    check("solved again", found and found["converged"] and found["format"].startswith("FCLIB"),
          found)
    quiet = scree.expect(0, "run", "impacting-stick", "--no-store", "--dump-problems", "f", "-q")
    equal("--quiet, nothing missed its tolerance", (quiet.out, quiet.err, dumped(scree, "f")),
          ("", "", []))
    scree.json("run", "impacting-stick", "--no-store", "--dump-problems", "f", "--when", "all")


def test_dump_unconverged(scree):
    """The problem that stops a run is written, as are those that were accepted."""
    scree.write("coupled.yaml", coupled_text())
    hard = ["--set", "solver={name: nsgs, max_sweeps: 1}"]
    scree.expect(0, "run", "coupled.yaml", "-o", "solved.h5")
    step = active_steps(scree, "solved.h5")[0]
    answer = scree.expect(1, "run", "coupled.yaml", "-o", "part.h5", *hard, "--dump-problems", "d")
    equal("the refused step", dumped(scree), [step])
    check("told", "1 contact problem(s) written to d" in answer.err, answer)
    found = scree.json("solve", sorted(scree.path("d").iterdir())[0])
    check("and it can be solved", found and found["converged"] and found["contacts"] == 12, found)
    scree.expect(1, "run", "--resume", "part.h5", "--dump-problems", "again")
    equal("the same when resumed", dumped(scree, "again"), [step])
    summary = scree.json("run", "coupled.yaml", "-o", "part.h5", *hard, "--set",
                         "solver.unconverged=accept", "--dump-problems", "e")
    equal("each accepted one", len(dumped(scree, "e")), summary["solver"]["unconverged"])
    check("some were", summary["solver"]["unconverged"] > 1, summary)
    scree.json("run", "coupled.yaml", "-o", "part.h5", *hard, "--set", "solver.unconverged=accept",
               "--dump-problems", "f", "--when", "every:7")
    equal("every:7 chooses, and adds none of them", dumped(scree, "f"),
          [s for s in active_steps(scree, "part.h5") if s % 7 == 0])


def test_dump_of_many(scree):
    """Steps that are solved without building W are written as any other, with M and H."""
    short = ["sphere-packing", "-o", "run.h5", "--set", "scheme.duration=0.06"]
    scree.expect(0, "run", *short, "--dump-problems", "d", "--when", "every:140", "-q")
    equal("two of 300 steps", dumped(scree), [140, 280])
    hashes = scree.export_hashes("run.h5")
    scree.expect(0, "run", *short)
    equal("the run is not changed", scree.export_hashes("run.h5"), hashes)
    last = scree.path("d") / "step-0000280.hdf5"
    found = scree.json("solve", last, "--tolerance", "1e-6")
    check("solved again", found and found["converged"] and found["contacts"] > 256, found)
    answer = scree.expect(1, "run", *short, "--set", "solver.max_sweeps=4", "--dump-problems", "e")
    check("the default writes the step that was refused, and says so",
          len(dumped(scree, "e")) == 1 and "1 contact problem(s) written to e" in answer.err, answer)
    try:
        problem, words = contact_problem.read(last), contact_problem.dump(last)
    except contact_problem.NoReader as reason:
        skip(f"what is in a dumped problem of many contacts: {reason}")
        return
    r = [float(word) for word in words["solution/r"]]
    told = float(re.search(r"residual ([\d.e+-]+),", " ".join(
        words["fclib_global/info/description"])).group(1))
    verdict = contact_problem.judge(problem, (r, r))
    check("the run's impulses solve the problem as well as it said",
          abs(verdict.residual - told) <= 1e-2 * told, (verdict, told))


def test_dump_contents(scree):
    """Title, time, and the impulses of the run as solution; no guess; none if it is not solved."""
    scree.expect(0, "run", "sliding-incline", "-o", "run.h5", "--dump-problems", "d", "--when",
                 "every:100")
    try:
        files = {path: contact_problem.dump(path) for path in scree.path("d").iterdir()}
    except contact_problem.NoReader as reason:
        skip(f"what is in a dumped problem: {reason}")
        return
    rows = {row["step"]: row for row in scree.rows("run.h5", "contacts")}
    check("some", files)
    for path, found in files.items():
        step = int(path.stem.split("-")[1])
        title = " ".join(found["fclib_global/info/title"])
        check(f"{path.name}: the title has step and time", f"step {step}" in title
              and f"t = {rows[step]['time']:.9g}" in title, title)
        equal(f"{path.name}: the run's impulses",
              [float(x) for x in found["solution/r"]], [rows[step]["pn"], rows[step]["pt"]])
        check(f"{path.name}: no guess", not any(name.startswith("guesses/1") for name in found),
              sorted(found))
    scree.write("coupled.yaml", coupled_text())
    scree.expect(1, "run", "coupled.yaml", "--no-store", "--set",
                 "solver={name: nsgs, max_sweeps: 1}", "--dump-problems", "e")
    found = contact_problem.dump(sorted(scree.path("e").iterdir())[0])
    check("not solved: no solution", not any(name.startswith("solution") for name in found),
          sorted(found))


def test_when(scree):
    """--when: what it takes, and what it does not."""
    for word in ("sometimes", "every", "every:", "every:0", "every:-1", "every:1.5", "every:x",
                 "every:99999999999"):
        answer = scree.expect(2, "run", "bouncing-ball", "--no-store", "--dump-problems", "d",
                              "--when", word)
        check(f"--when {word} is refused", "--when" in answer.err and "every:N" in answer.err,
              answer)
    answer = scree.expect(2, "run", "bouncing-ball", "--no-store", "--when", "all")
    check("--when alone is refused", "--dump-problems" in answer.err, answer)
    scree.expect(2, "run", "bouncing-ball", "--no-store", "--dump-problems", "")
    equal("nothing was made", scree.listing(), [])


# ---- a guess in the file ----


def test_guess(scree):
    """A guess that is nearer to the solution than zero is used, --cold does without."""
    folder = os.environ.get("SCREE_PROBLEMS")
    if not folder:
        skip("the guess of an FCLIB file: SCREE_PROBLEMS is not set")
        return
    path = os.path.join(folder, "friction", "Capsules-i125-1213.hdf5")
    warm, cold = scree.json("solve", path), scree.json("solve", path, "--cold")
    equal("where they began", (warm["start"], cold["start"]), ("guess", "zero"))
    check("both solved", warm["converged"] and cold["converged"], (warm, cold))
    check("finite", math.isfinite(warm["residual"]))


if __name__ == "__main__":
    run_tests(globals())
