# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""scree paradox: the contract for scripts, sweeps against the closed form, bad input.

Whether the solver is right for every number is for test/lab; here answers are known by hand.
"""

import math

from harness import check, equal, run_tests, table_of

from test_solve import lcp_text

ROD = ["paradox", "painleve-rod"]
SCHEMES = ["moreau-jean", "moreau-jean-fremond", "moreau"]


def sets(**values):
    """--set of parameters."""
    return [word for name, value in values.items()
            for word in ("--set", f"parameters.{name}={value}")]


def near(what, got, expected, tolerance=1e-12):
    """Check a number."""
    fine = isinstance(got, (int, float)) and abs(got - expected) <= tolerance * (1 + abs(expected))
    return check(f"{what}: expected {expected}", fine, got)


# ---- the equation ----


def test_equation(scree):
    """Points and families; a sign at the start of the list is no option."""
    for text, count, points, families in [
            ("1,0,0.5,0", 1, [0], []), ("2,1,-4,0", 1, [1], []),
            ("1,-2,0.5,-3", 2, [-2.5 / 3, 0], []),
            ("1,-2,-5,-3", 0, [], []), ("-1,1,1,-2", "infinite", [], [[0, None]]),
            ("-1,-1,-1,-2", "infinite", [], [[None, 0]]),
            ("0,0,0,-1", "infinite", [], [[None, None]]),
            ("0,0,0.5,-1", 0, [], []), ("0,0,0.5,0", 1, [0], []), ("3,1,6,1", 1, [-2], []),
            ("-1,1,1,-3", 1, [0], []), ("-.5,.5,2,-3", "infinite", [], [[0, None]])]:
        found = scree.json("paradox", "--equation", text)
        equal(f"{text}: count", found["count"], count)
        equal(f"{text}: families", found["families"], families)
        equal(f"{text}: points", len(found["solutions"]), len(points))
        for got, expected in zip(found["solutions"], points):
            near(text, got, expected)
        out = scree.expect(0, "paradox", "--equation", text).out
        check(f"{text}: the text counts the same",
              ("infinitely many" if count == "infinite" else f"{count} solution") in out, out)


def test_equation_tolerance(scree):
    """What rounding left over is zero, unless it is told not to be."""
    given = ["paradox", "--equation", "0.30000000000000004,-0.3,1.3,-2.3"]
    equal("by default", scree.json(*given)["families"], [[0, None]])
    equal("exactly", scree.json(*given, "--tolerance", "0")["families"], [])
    equal("a wide one", scree.json("paradox", "--equation", "0.3001,-0.3,1.3,-2.3", "--tolerance",
                                   "1e-3")["count"], "infinite")


def test_equation_refusals(scree):
    """Every mistake names what is wrong, and limits are told."""
    for words, said in [(["--equation", "1,2,3"], "four numbers"),
                        (["--equation", "1,2,3,x"], "four numbers"),
                        (["--equation", "1,2,3,4,5"], "four numbers"),
                        (["--equation", "nan,1,1,1"], "a must be"),
                        (["--equation", "1,1,1e200,1"], "1e+100"),
                        (["--equation", ""], "four numbers"),
                        (["--equation", "1,1,1,1", "--tolerance", "0.5"], "0.001"),
                        (["painleve-rod", "--equation", "1,1,1,1"], "exclude"),
                        (["--equation", "1,1,1,1", "--plot", "x.svg"], "scene"), ([], "missing")]:
        answer = scree.expect(2, "paradox", *words)
        check(f"{words}: says {said}", said in answer.err, answer)


# ---- the rod ----


def test_no_solution(scree):
    """A < 0, B < 0: no force, and every scheme jumps."""
    found = scree.json(*ROD)
    equal("count", found["count"], 0)
    equal("verdict", found["verdict"], "inconsistent")
    check("in words", "impact without collision" in found["meaning"], found["meaning"])
    near("A", found["A"], -0.2)
    near("B", found["B"], 4.5 * math.sin(math.atan(2)) - 9.81)
    equal("solutions", (found["solutions"], found["families"]), ([], []))
    equal("slides", found["slides"], True)
    equal("schemes", [entry["scheme"] for entry in found["schemes"]], SCHEMES)
    for entry in found["schemes"]:
        equal(entry["scheme"], entry["outcome"], "impact")
        sizes = [trial["impulse"][0] for trial in entry["trials"]]
        check(f"{entry['scheme']}: the impulse stays", min(sizes) > 0.9 * max(sizes) > 0.2, sizes)
        check(f"{entry['scheme']}: three steps",
              len({trial["step"] for trial in entry["trials"]}) == 3, entry)
    out = scree.expect(0, *ROD).out
    check("the text says it", "0 solutions, inconsistent" in out, out)


def test_two_solutions(scree):
    """A < 0, B > 0: take off or stay."""
    found = scree.json(*ROD, *sets(omega0=6))
    equal("count", (found["count"], found["verdict"]), (2, "indeterminate"))
    equal("statuses", [s["status"] for s in found["solutions"]], ["take-off", "slide"])
    near("lambda", found["solutions"][1]["normal_force"], 31.448447, 1e-7)
    near("friction", abs(found["solutions"][1]["tangential_force"]),
         1.5 * found["solutions"][1]["normal_force"])


def test_one_and_infinitely_many(scree):
    """A > 0; then A = B = 0 by the tolerance; then at rest."""
    found = scree.json(*ROD, *sets(mu=0.5))
    equal("one", (found["count"], found["verdict"]), (1, "consistent"))
    equal("forces", {entry["outcome"] for entry in found["schemes"]}, {"force"})
    found = scree.json(*ROD, *sets(mu="4/3", g="9/2*sin(atan(2))"))
    equal("infinitely many", (found["count"], found["A"], found["B"]), ("infinite", 0, 0))
    equal("its ends", found["families"][0]["ends"], [[0, 0], None])
    found = scree.json(*ROD, *sets(v0=0, omega0=0))
    equal("at rest", (found["slides"], found["A"], found["count"]), (False, None, 1))
    equal("sticks", found["solutions"][0]["status"], "stick")


def test_scenes_that_do_not_fit(scree):
    """No contact, several, no friction, penetrating, colliding, in space."""
    sunk = [ROD[1], "--set", "bodies.rod.position=[0, 0.1]"]
    for words, said in [(["bouncing-ball"], "no contact is closed"),
                        ([ROD[1], *sets(mu=0)], "no friction"),
                        ([ROD[1], *sets(theta0=0)], "2 contacts are closed"),
                        (["spinning-top"], "plane"),
                        ([ROD[1], "--set", "bodies.rod.velocity=[0, -1]"], "collide"),
                        (sunk, "overlap"), ([*sunk, "--set", "overlaps=accept"], "penetrate"),
                        (["no-such-scene"], "no such file"),
                        ([ROD[1], "--output", "x.csv"], "--sweep")]:
        answer = scree("paradox", *words)
        check(f"{words}: is refused", answer.status in (1, 2), answer)
        check(f"{words}: says {said}", said in answer.err, answer)
    equal("nothing is left", scree.listing(), [])


# ---- sweeps ----


def closed_count(theta, mu, omega):
    """The rod of unit mass and length."""
    A = 1 + 3 * math.cos(theta) * (math.cos(theta) - mu * math.sin(theta))
    B = omega * omega / 2 * math.sin(theta) - 9.81
    return 1 if A > 0 else 2 if B > 0 else 0


def test_sweep(scree):
    """Counts of a grid against the closed form, as JSON, as CSV and as a figure."""
    sweep = ["--sweep", "theta0=0.1:1.5:29,mu=0.1:2.5:25", *sets(omega0=5)]
    found = scree.json(*ROD, *sweep, "-o", "map.csv", "--plot", "map.svg")
    angles, frictions = (entry["values"] for entry in found["parameters"])
    equal("names", [entry["name"] for entry in found["parameters"]], ["theta0", "mu"])
    equal("ends", (angles[0], angles[-1], len(angles), len(frictions)), (0.1, 1.5, 29, 25))
    expected = [[closed_count(theta, mu, 5) for theta in angles] for mu in frictions]
    equal("counts", found["counts"], expected)
    check("all kinds occur", {0, 1, 2} == {count for row in expected for count in row})
    equal("unfit", (found["unfit"], found["unfit_reason"]), (0, None))
    for scheme in SCHEMES:
        jumps = [[outcome == "impact" for outcome in row] for row in found["schemes"][scheme]]
        equal(f"{scheme}: impacts where there is no solution", jumps,
              [[count == 0 for count in row] for row in expected])
    header, rows = table_of(scree.path("map.csv").read_text())
    equal("header", header, ["theta0", "mu", "count", "A", "B", *SCHEMES])
    equal("rows", [int(row[2]) for row in rows], [count for row in expected for count in row])
    equal("values", [float(row[0]) for row in rows[:29]], angles)
    picture = scree.path("map.svg").read_text()
    check("a figure", picture.startswith("<?xml") and "</svg>" in picture[-200:], picture[:80])
    equal("standard output", scree.expect(0, *ROD, *sweep, "-o", "-").out,
          scree.path("map.csv").read_text())


def test_boundaries(scree):
    """The count changes where the closed form says, to 1e-9 rad."""
    for mu in (1.4, 1.5, 2):
        root = math.sqrt(9 * mu * mu - 16)
        for side, inside in ((-1, 1), (1, 0)):
            edge = math.atan((3 * mu + side * root) / 2)
            sweep = f"theta0={edge - 1e-9!r}:{edge + 1e-9!r}:2,mu={mu}:{mu + 1e-13}:2"
            found = scree.json(*ROD, "--sweep", sweep)
            counts = found["counts"][0]
            equal(f"mu = {mu}, angle {math.degrees(edge):.8f}", counts,
                  [1, 0] if inside else [0, 1])


def test_sweep_unfit(scree):
    """Points without one contact or without friction are marked, and it is said why."""
    found = scree.json(*ROD, "--sweep", "theta0=0:1:3,mu=0:1:2")
    equal("counts", found["counts"], [[None] * 3, [None, 1, 1]])
    equal("unfit", found["unfit"], 4)
    check("reason", "mu = 0" in found["unfit_reason"], found)
    out = scree.expect(0, *ROD, "--sweep", "theta0=0:1:3,mu=0:1:2").out
    check("the text tells", "unfit" in out, out)


def test_sweep_refusals(scree):
    """Grids that cannot be."""
    for words, said in [("theta0=0:1:2", "two parameters"), ("theta0=0:1:2,theta0=0:1:2", "twice"),
                        ("theta0=0:1:501,mu=0:1:500", "250000"),
                        ("theta0=0:1:2,mu=1:0:2", "two parameters"),
                        ("theta0=0:1:1,mu=0:1:2", "two points"),
                        ("theta0=0:1,mu=0:1:2", "two parameters"),
                        ("theta0=0:1:9999999999999,mu=0:1:2", "250000"), ("", "two parameters"),
                        ("theta0=0:x:2,mu=0:1:2", "two parameters"),
                        ("thta0=0:1:2,mu=0.1:1:2", "thta0")]:
        answer = scree.expect(2, *ROD, "--sweep", words)
        check(f"{words}: says {said}", said in answer.err, answer)
    answer = scree.expect(2, *ROD, "--sweep", "theta0=0.1:1:2,mu=0.1:1:2", "--plot", "x.bmp")
    check("a figure's ending", ".svg" in answer.err, answer)
    answer = scree.expect(1, *ROD, "--sweep", "theta0=0.1:1:2,mu=0.1:1:2", "-o", "no/such/x.csv")
    check("a folder that is not there", "cannot write" in answer.err, answer)


def test_figure_of_a_state(scree):
    """--plot without a sweep."""
    for name in ("one.svg", "one.png", "one.pdf"):
        found = scree.json(*ROD, *sets(omega0=6), "--plot", name)
        equal(name, found["plot"], name)
        check(f"{name}: is there", scree.path(name).stat().st_size > 1000)
    scree.expect(0, *ROD, *sets(omega0=0, v0=0), "--plot", "rest.svg")


# ---- LCPs ----


def test_counts_of_lcps(scree):
    """N-matrices through scree solve --all: the same three keys."""
    for M, r, expected in [([[-1, -2], [-2, -1]], [1, 1], [[0, 0], [1 / 3, 1 / 3]]),
                           ([[-1, 2], [2, -1]], [1, 1], [[0, 0], [1, 0], [0, 1]]),
                           ([[-1, 2], [2, -1]], [-1, 1], [[0, 1]]),
                           ([[-1, -2], [-2, -1]], [1, -1], [])]:
        name = scree.write("lcp.dat", lcp_text(M, r))
        found = scree.json("solve", name, "--all", status=0 if expected else 1)
        equal(f"{M}, {r}: count", found["count"], len(expected))
        equal(f"{M}, {r}: families", found["families"], [])
        got = sorted(entry["values"] for entry in found["solutions"])
        off = [abs(x - y) for one, two in zip(got, sorted(expected)) for x, y in zip(one, two)]
        check(f"{M}, {r}: {expected}", max(off, default=0) < 1e-12, got)
    name = scree.write("lcp.dat", lcp_text([[0]], [0]))
    found = scree.json("solve", name, "--all")
    equal("a half line", (found["count"], found["families"][0]["ends"]), ("infinite", [[0], None]))


if __name__ == "__main__":
    run_tests(globals())
