# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""scree equilibria: the contract for scripts, the nine cells of Klarbring's particle and random
ones by their closed formulas, sweeps, figures, bad input.
"""

import math
import random

from harness import SANITIZED, check, digest, equal, run_tests, table_of

# (FT, mu): what is there, as (status, family, least r_N, largest r_N, verdict, theorem)
CELLS = {
    (2, 0.5): [("free", "point", 0, 0, "stable", "5.1")],
    (2, 1): [("free", "point", 0, 0, "stable", "5.1")],
    (2, 1.5): [("free", "point", 0, 0, "stable", "5.1"),
               ("stuck", "ray", 2, None, "stable", "5.5"),
               ("slip+", "point", 2, 2, "unstable", "5.6")],
    (1, 0.5): [("grazing", "point", 0, 0, "asymptotically-stable", "5.2")],
    (1, 1): [("grazing", "point", 0, 0, "stable", "5.3"),
             ("slip+", "ray", 0, None, "unstable", "5.4")],
    (1, 1.5): [("grazing", "point", 0, 0, "stable", "5.5"),
               ("stuck", "ray", 0, None, "stable", "5.5")],
    (0, 0.5): [("stuck", "segment", 2 / 3, 2, "stable", "5.5"),
               ("slip+", "point", 2, 2, "stable", "5.5"),
               ("slip-", "point", 2 / 3, 2 / 3, "stable", "5.5")],
    (0, 1): [("stuck", "ray", 0.5, None, "stable", "5.5"),
             ("slip-", "point", 0.5, 0.5, "stable", "5.5")],
    (0, 1.5): [("stuck", "ray", 0.4, None, "stable", "5.5"),
               ("slip-", "point", 0.4, 0.4, "stable", "5.5")],
}

STACK = """
gravity: [0, -10]
bodies:
  - name: ground
    fixed: true
    shapes: [{ type: half-plane, normal: [0, 1] }]
  - name: bar
    mass: 1
    inertia: 1
    position: [0, 1]
    shapes:
      - { type: point, at: [-1, -1] }
      - { type: point, at: [1, -1] }
laws: [{ friction: 0.5, restitution: 0 }]
scheme: { step: 1e-2, duration: 4 }
"""


def parameters(**values):
    """--set for parameters."""
    return [word for name, value in values.items()
            for word in ("--set", f"parameters.{name}={value!r}")]


def near(one, two, tolerance=1e-12):
    """Both null, or equal to a relative tolerance."""
    if one is None or two is None:
        return one is two
    return abs(one - two) <= tolerance * max(1, abs(two))


def test_nine_cells(scree):
    for (FT, mu), expected in CELLS.items():
        found = scree.json("equilibria", "klarbring", *parameters(FT=FT, mu=mu))
        what = f"FT = {FT}, mu = {mu}"
        equal(f"{what}: statuses", [e["status"] for e in found["equilibria"]],
              [row[0] for row in expected])
        equal(f"{what}: A", found["A"], 1 - FT)
        equal(f"{what}: critical friction", found["critical"]["mu"], 1)
        for e, (status, family, low, high, verdict, theorem) in zip(found["equilibria"], expected):
            equal(f"{what}, {status}: family", e["family"], family)
            check(f"{what}, {status}: range", near(e["rn"][0], low) and near(e["rn"][1], high), e)
            equal(f"{what}, {status}: verdict", e["stability"], verdict)
            check(f"{what}, {status}: ground", f"theorem {theorem}" in e["ground"], e["ground"])
            equal(f"{what}, {status}: directions", e.get("stable_directions"),
                  ["-T"] if verdict == "unstable" else None)


def test_numbers_satisfy_the_equations(scree):
    found = scree.json("equilibria", "klarbring", *parameters(FT=0, mu=0.5))
    for e in found["equilibria"]:
        points = [e["u"]] if e["family"] == "point" else e["u"]
        forces = [e["r"]] if e["family"] == "point" else e["r"]
        for (uN, uT), (rn, rt) in zip(points, forces):
            check("K U = F + R", near(2 * uN + uT, 1 - rn) and near(uN + uT, rt), e)
            check("closed, in the cone", uN == 0 and abs(rt) <= 0.5 * rn + 1e-15, e)
        if e["status"] == "slip+":
            check("slip+ is held back", near(forces[0][1], -0.5 * forces[0][0]), e)
        if e["family"] == "segment":
            equal("the ends have names", sorted(e["ends"]), ["slip+", "slip-"])


def closed_form(KT, W, A, mu, tight):
    """Statuses and ranges by the formulas of one contact; tight: mu = KT/|W| exactly."""
    w, inf = abs(W), None
    plus, minus = ("slip+", "slip-") if W > 0 else ("slip-", "slip+")
    strong = not tight and mu * w > KT
    if A < 0:
        if not strong:
            return {"free": (0, 0)}
        end = A / (KT - mu * w)
        return {"free": (0, 0), plus: (end, end), "stuck": (end, inf)}
    if A == 0:
        found = {"grazing": (0, 0)}
        if tight:
            found[plus] = (0, inf)
        if strong:
            found["stuck"] = (0, inf)
        return found
    low = A / (KT + mu * w)
    if tight or strong:
        return {minus: (low, low), "stuck": (low, inf)}
    high = A / (KT - mu * w)
    return {minus: (low, low), plus: (high, high), "stuck": (low, high)}


def test_random_particles(scree):
    rng = random.Random(5)
    for trial in range(15 if SANITIZED else 60):
        KN, KT = rng.uniform(0.5, 3), rng.uniform(0.5, 3)
        W = rng.choice((-1, 1)) * rng.uniform(0.1, 0.95) * math.sqrt(KN * KT)
        FN, FT = rng.uniform(-2, 2), rng.uniform(-2, 2)
        tight, touching = trial % 3 == 1, trial % 2 == 1
        share = rng.choice((rng.uniform(0.1, 0.9), rng.uniform(1.1, 3)))
        mu = KT / abs(W) * (1 if tight else share)
        if touching:
            FT = KT * FN / W
        A = 0 if touching else KT * FN - W * FT
        found = scree.json("equilibria", "klarbring", "--stability", "proof",
                           *parameters(KN=KN, KT=KT, W=W, FN=FN, FT=FT, mu=mu))
        expected = closed_form(KT, W, A, mu, tight)
        what = f"trial {trial}"
        equal(f"{what}: statuses", sorted(e["status"] for e in found["equilibria"]),
              sorted(expected))
        for e in found["equilibria"]:
            low, high = expected.get(e["status"], (math.nan, math.nan))
            check(f"{what}, {e['status']}: {low} to {high}",
                  near(e["rn"][0], low, 1e-11) and near(e["rn"][1], high, 1e-11), e["rn"])
            check(f"{what}: decided", e["stability"] != "undecided", e)


def test_bar_on_two_points(scree):
    scree.write("bar.yaml", STACK)
    found = scree.json("equilibria", "bar.yaml")
    equal("both bear half", {tuple(map(tuple, e["rn"])) for e in found["equilibria"]},
          {((5, 5), (5, 5))})
    stuck = [e for e in found["equilibria"] if e["status"] == ["stuck", "stuck"]]
    equal("one family of stuck states", [e["family"] for e in stuck], ["segment"])
    for e in found["equilibria"]:
        equal("stays where it is", e["stability"], "stable")
        check("an experiment says so", e["ground"].startswith("experiment"), e["ground"])


def test_sweeps(scree):
    sweep = scree.json("equilibria", "klarbring", "--sweep", "A=-1:1:5,mu=0.5:1.5:3",
                       "--output", "map.csv", "--plot", "map.svg")
    kinds = [[sweep["kinds"][k] for k in row] for row in sweep["map"]]
    equal("table 1, extended", kinds[::2], [
        ["free", "free", "free + stuck ray + slip+ point"],
        ["grazing", "grazing + slip+ ray", "grazing + stuck ray"],
        ["stuck segment + slip+ point + slip- point", "stuck ray + slip- point",
         "stuck ray + slip- point"]])
    header, rows = table_of(scree.path("map.csv").read_text())
    equal("columns", header, ["A", "mu", "kind", "pieces", "rn_min", "rn_max"])
    equal("rows", len(rows), 15)
    equal("last row", [float(rows[-1][0]), float(rows[-1][1]), rows[-1][2], rows[-1][3]],
          [1, 1.5, "stuck ray + slip- point", "2"])
    check("a figure", scree.path("map.svg").read_text().startswith("<?xml"))

    # the critical friction 1.25 is no point of the first grid, and one of the second
    for grid in ("mu=0.1:2:7", "mu=0.25:2.25:5"):
        found = scree.json("equilibria", "klarbring", "--sweep", grid, *parameters(W=0.8, FT=1.25))
        equal(f"{grid}: one change", len(found["critical"]), 1)
        change = found["critical"][0]
        check(f"{grid}: at KT/W", near(change["value"], 1.25, 1e-9), change)
        equal(f"{grid}: kinds", (change["below"], change["above"]),
              ("grazing", "grazing + stuck ray"))
        equal(f"{grid}: kind at it", change["at"], "grazing + slip+ ray")
    found = scree.json("equilibria", "klarbring", "--sweep", "FT=0:2:8", *parameters(mu=1.5))
    check("A = 0 at FT = 1", near(found["critical"][0]["value"], 1, 1e-9), found["critical"])


def test_figure_of_the_cone(scree):
    for ending, magic in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        scree.expect(0, "equilibria", "klarbring", "--plot", f"cone.{ending}",
                     *parameters(FT=0))
        check(f"{ending}: is one", scree.path(f"cone.{ending}").read_bytes().startswith(magic))
    first = digest(scree.path("cone.svg").read_bytes())
    scree.expect(0, "equilibria", "klarbring", "--plot", "cone.svg", *parameters(FT=0))
    equal("the same bytes again", digest(scree.path("cone.svg").read_bytes()), first)
    scree.expect(0, "equilibria", "klarbring", "--plot", "cone.svg", *parameters(FT=2, mu=1.5))
    check("another set is another figure", digest(scree.path("cone.svg").read_bytes()) != first)


def test_text_for_people(scree):
    answer = scree.expect(0, "equilibria", "klarbring", *parameters(FT=2, mu=1.5))
    for words in ("stuck: ray, r_N from 2 on", "unstable: theorem 5.6 (corrected)",
                  "survives pushes along -T", "A = KT FN - W FT = -1", "changes at mu = 1"):
        check(f"says \"{words}\"", words in answer.out, answer.out)


def refused(scree, words, *arguments):
    """Exit status 2, no output but a complaint with these words."""
    answer = scree.expect(2, "equilibria", *arguments)
    check(f"{answer.command}: says \"{words}\"", words in answer.err, answer.err)


def test_ends_and_loads(scree):
    """Ends of a segment follow rn, whatever the sign of W; the critical loads close the gap."""
    for W in (-1.1, 1.1):
        found = scree.json("equilibria", "klarbring", *parameters(KN=3, KT=3, W=W, FN=1.4, FT=0.4,
                                                                  mu=0.6))
        segment = found["equilibria"][0]
        equal(f"W = {W}: a segment", segment["family"], "segment")
        equal(f"W = {W}: reactions of its ends", [r[0] for r in segment["r"]], segment["rn"])
        load = found["critical"]["loads"]
        for name, value, exact in (("FN", load[0], W * 0.4 / 3), ("FT", load[1], 3 * 1.4 / W)):
            check(f"W = {W}: critical {name} = {exact}", near(value, exact), value)
            there = scree.json("equilibria", "klarbring", *parameters(
                **{**dict(KN=3, KT=3, W=W, FN=1.4, FT=0.4, mu=0.6), name: value}))
            equal(f"W = {W}: grazing at {name} = {value}", there["equilibria"][0]["status"],
                  "grazing")
    found = scree.json("equilibria", "klarbring", *parameters(W=0))["critical"]
    equal("W = 0: no critical FT, no critical mu", (found["loads"][1], found["mu"]), (None, None))


def test_criteria(scree):
    """The kinetic criterion alone knows theorem 5.6, with its rate and direction."""
    found = scree.json("equilibria", "klarbring", *parameters(FT=2, mu=1.5), "--stability",
                       "criteria")
    slip = [piece for piece in found["equilibria"] if piece["status"] == "slip+"][0]
    equal("5.6: unstable", slip["stability"], "unstable")
    check("5.6: by the kinetic criterion", "kinetic criterion" in slip["ground"], slip["ground"])
    check("5.6: rate", near(slip["growth_rate"], math.sqrt(0.5)), slip["growth_rate"])
    equal("5.6: along T", [abs(x) for x in slip["growth_direction"]], [0, 1])


def test_bad_input(scree):
    refused(scree, "positive definite", "klarbring", *parameters(W=2))
    refused(scree, "positive definite", "klarbring", *parameters(KT=-1))
    refused(scree, "mass", "klarbring", *parameters(m=-1))
    refused(scree, "overlap", "klarbring", "--set", "system.position=[0.1, 0]")
    refused(scree, "friction", "klarbring", *parameters(mu=-1))
    refused(scree, "100000 points", "klarbring", "--sweep", "mu=0:1:1000,FT=0:1:1000")
    refused(scree, "NAME=LOW:HIGH:COUNT", "klarbring", "--sweep", "mu=0:1")
    refused(scree, "NAME=LOW:HIGH:COUNT", "klarbring", "--sweep", "mu=0:1:5,FT=0:1:5,m=1:2:3")
    refused(scree, "nu", "klarbring", "--sweep", "nu=0:1:5")
    refused(scree, "NAME=LOW:HIGH:COUNT", "klarbring", "--sweep", "mu=0:1:5,mu=0:1:5")
    refused(scree, "sweeping process", "sweeping-disc")
    refused(scree, "mechanism", "kane-pendulum")
    refused(scree, "in the plane", "spinning-top")
    refused(scree, "no parameter A", "oscillator-stop", "--sweep", "A=0:1:3")
    contacts = "".join(f"    - {{ name: c{i}, normal: [1], gap: {i} }}\n" for i in range(11))
    scree.write("many.yaml", "system:\n  mass: [[1]]\n  stiffness: [[1]]\n  position: [0]\n"
                f"  contacts:\n{contacts}scheme: {{ step: 1e-2, duration: 1 }}\n")
    refused(scree, "up to 10 contacts; here are 11", "many.yaml")
    answer = scree.json("equilibria", "klarbring", *parameters(W=2), status=2)
    equal("as JSON", answer["status"], "bad-input")


def test_joints_bear_loads(scree):
    """A pendulum rests below and above, a weight where its spring bears it, nothing in between."""
    scree.write("pendulum.yaml", """
parameters: {a: 0}
gravity: [0, -10]
bodies: [{name: rod, mass: 1, inertia: 0.1, position: [sin(a), -cos(a)], angle: a}]
joints: [{name: pin, type: hinge, bodies: [rod], at: [0, 0]}]
scheme: {theta: 1/2, step: 1e-2, duration: 60}
""")
    for angle, verdict in ((0, "stable"), (math.pi, "unstable"), (1, None)):
        found = scree.json("equilibria", "pendulum.yaml", "--set", f"parameters.a={angle!r}",
                           status=0 if verdict else 1)
        equal(f"pendulum at {angle}", [piece["stability"] for piece in found["equilibria"]],
              [verdict] if verdict else [])
    scree.write("spring.yaml", """
parameters: {y: -0.1}
gravity: [0, -10]
bodies: [{name: weight, mass: 1, inertia: 0.1, position: [0, y]}]
joints: [{name: rail, type: slider, bodies: [weight], at: [0, y], axis: [0, 1]}]
springs: [{name: spring, bodies: [weight], at: [0, y], to: [0, 1], stiffness: 100, length: 1}]
scheme: {theta: 1/2, step: 1e-2, duration: 60}
""")
    for y, count in ((-0.1, 1), (-0.11, 0), (0, 0)):
        found = scree.json("equilibria", "spring.yaml", "--set", f"parameters.y={y}",
                           status=1 - count)
        equal(f"spring at {y}", found["count"], count)


def test_coil_holds_a_rod_up(scree):
    """A rod above its hinge stands if its coil is stiffer than m g l/2 = 4.905; a slider without a spring stands wherever it is."""
    scree.write("coil.yaml", """
parameters: {k: 6}
gravity: [0, -9.81]
bodies: [{name: rod, mass: 1, inertia: 1/12, position: [0, 0.5]}]
joints: [{name: pin, type: hinge, bodies: [rod], at: [0, 0]}]
springs: [{name: coil, joint: pin, stiffness: k}]
scheme: {theta: 1/2, step: 5e-3, duration: 20}
""")
    for k, verdict in ((4.6, "unstable"), (5.3, "stable")):
        found = scree.json("equilibria", "coil.yaml", "--set", f"parameters.k={k}")
        equal(f"coil of {k}", [piece["stability"] for piece in found["equilibria"]], [verdict])
    scree.write("held.yaml", """
gravity: [0, -9.81]
bodies: [{name: bead, mass: 1, inertia: 1, position: [0.3, 0.5], hold: [y, angle]}]
scheme: {step: 1e-2, duration: 1}
""")
    equal("a bead on a level rail rests", scree.json("equilibria", "held.yaml", "--stability", "proof")["count"], 1)
    found = scree.json("equilibria", "held.yaml", "--stability", "proof", "--set", "gravity=[1, -9.81]", status=1)
    equal("on one that leans it does not", found["count"], 0)
    scree.write("joined.yaml", """
system: {mass: [[1, 0], [0, 1]], stiffness: [[1, 0], [0, 1]], position: [0, 0]}
markers: [{name: one, system: [[1, 0], [0, 0]]}, {name: two, system: [[0, 1], [0, 0]]}]
joints: [{name: bar, type: rod, bodies: [one, two], at: [0, 0], to: [1, 0]}]
scheme: {step: 1e-2, duration: 1}
""")
    refused(scree, "joints of a matrix system", "joined.yaml")


def test_step_ladder(scree):
    """Two bars that lean on each other stand if mu > tan(a)/2, with r_T = m g tan(a)/2; a rope
    between their feet, or a foot that is held, bears it instead."""
    scree.write("ladder.yaml", """
parameters: {a: 0.5, mu: 0.5}
gravity: [0, -10]
bodies:
  - {name: floor, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}
  - {name: left, mass: 1, inertia: 1/12, position: [-sin(a)/2, cos(a)/2], shapes: [{type: point, at: [-sin(a)/2, -cos(a)/2]}]}
  - {name: right, mass: 1, inertia: 1/12, position: [sin(a)/2, cos(a)/2], shapes: [{type: point, at: [sin(a)/2, -cos(a)/2]}]}
joints:
  - {name: top, type: hinge, bodies: [left, right], at: [0, cos(a)]}
#  - {name: cord, type: rope, bodies: [left, right], at: [-sin(a), 0], to: [sin(a), 0], length: 2*sin(a)}
laws: [{friction: mu}]
scheme: {step: 1e-3, duration: 1}
""")
    found = scree.json("equilibria", "ladder.yaml", "--stability", "proof")
    push = 10 * math.tan(0.5) / 2
    forces = found["equilibria"][0]["r"]
    check("ladder: its reactions",
          all(abs(x - y) < 1e-9 for x, y in zip(forces, (10, -push, 10, push))), forces)
    for mu, count in ((math.tan(0.5) / 2 + 1e-6, 1), (math.tan(0.5) / 2 - 1e-6, 0)):
        found = scree.json("equilibria", "ladder.yaml", "--stability", "proof", "--set",
                           f"parameters.mu={mu!r}", status=1 - count)
        equal(f"ladder: mu {mu}", found["count"], count)
        answer = scree("run", "ladder.yaml", "--check-equilibrium", "--no-store", "--set",
                       f"parameters.mu={mu!r}")
        check("ladder: the check agrees", ("stands" if count else "moves") in answer.out, answer)
    text = scree.path("ladder.yaml").read_text()
    scree.write("tied.yaml", text.replace("#  - {name: cord", "  - {name: cord").replace("mu: 0.5", "mu: 0"))
    found = scree.json("equilibria", "tied.yaml", "--stability", "proof")
    equal("tied: one", found["count"], 1)
    check("tied: the rope bears it", any(abs(x - push) < 1e-9 for x in found["equilibria"][0]["r"]),
          found["equilibria"])


def test_no_equilibrium(scree):
    scree.write("slide.yaml", STACK.replace("gravity: [0, -10]", "gravity: [8, -10]"))
    found = scree.json("equilibria", "slide.yaml", status=1)
    equal("none", (found["count"], found["equilibria"]), (0, []))


if __name__ == "__main__":
    run_tests(globals())
