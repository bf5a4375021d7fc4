# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Joints of elastic bodies, matrix systems and mechanisms against closed forms and against the same written as one."""

import math

from harness import check, equal, run_tests, table_of

SCHEMES = [("moreau-jean-fremond", "1/2"), ("moreau-jean-fremond", "0.7"),
           ("moreau-jean-fremond", "1"), ("moreau-jean", "0.7"), ("moreau", "1/2")]
CART = """\
system:
  mass: [[2]]
  stiffness: [[50]]
  position: [0.1]
  velocity: [0.3]
markers: [{name: mass, system: [[1], [0]]}]
bodies: [{name: cart, mass: 3, inertia: 0.5, position: [1, 0], velocity: [0.3, 0]}]
joints:
  - {name: rail, type: slider, bodies: [cart], at: [1, 0], axis: [1, 0]}
  - {name: coupling, type: point-on-line, bodies: [mass, cart], at: [1, 0], axis: [0, 1]}
scheme: {name: SCHEME, theta: THETA, step: 0.01, duration: 1}
"""
ONE = """\
system: {mass: [[5]], stiffness: [[50]], position: [0.1], velocity: [0.3]}
scheme: {name: SCHEME, theta: THETA, step: 0.01, duration: 1}
"""
WHEEL = """\
system:
  mass: [[2, 0], [0, 1]]
  stiffness: [[60, -10], [-10, 10]]
  position: [0.1, 0.2]
markers: [{name: sum, system: [[1, 1], [0, 0]]}]
bodies: [{name: wheel, mass: 1, inertia: 0.5, position: [3, 0]}]
joints:
  - {name: axle, type: hinge, bodies: [wheel], at: [3, 0]}
  - {name: way, type: coordinate, bodies: [sum], at: [0, 0], axis: [1, 0]}
  - {name: cord, type: coupler, joints: [way, axle], ratio: -0.25}
scheme: {name: SCHEME, theta: THETA, step: 0.01, duration: 1}
"""
# x + y = 0.25 angle: the wheel adds 0.5/0.25^2 (x' + y')^2/2
WHEEL_ONE = """\
system:
  mass: [[10, 8], [8, 9]]
  stiffness: [[60, -10], [-10, 10]]
  position: [0.1, 0.2]
scheme: {name: SCHEME, theta: THETA, step: 0.01, duration: 1}
"""
HALF = """\
parameters: {m1: 1, m2: 1, l1: 1, l2: 1, a1: 1.2, a2: 0.6, g: 9.81}
gravity: [0, -g]
mechanism:
  coordinates: [a]
  mass: [[m1*l1^2/3]]
  potential: -m1*g*l1/2*cos(a)
  position: [a1]
markers: [{name: hand, mechanism: [l1*sin(a), -l1*cos(a), a]}]
bodies:
  - name: lower
    mass: m2
    inertia: m2*l2^2/12
    position: [l1*sin(a1) + l2/2*sin(a2), -l1*cos(a1) - l2/2*cos(a2)]
    angle: a2
joints: [{name: elbow, type: hinge, bodies: [lower, hand], at: [l1*sin(a1), -l1*cos(a1)]}]
scheme: {theta: 1/2, step: STEP, duration: 1}
"""
BEAM = """\
gravity: [0, 0]
elastic:
  - name: beam
    mesh: {rectangle: {size: [1, 0.05], cells: [40, 2]}}
    young: 1e7
    poisson: 0
    density: 1000
    contact: []
markers: [{name: root, elastic: beam, group: left}, {name: tip, elastic: beam, group: right}]
bodies: [{name: block, mass: 5, inertia: 1, position: [1.3, 0.025], force: [0.3, -1, 0]}]
joints:
  - {name: clamp, type: weld, bodies: [root], at: [0, 0.025]}
  - {name: cap, type: weld, bodies: [tip, block], at: [1, 0.025]}
scheme: {name: SCHEME, theta: THETA, step: STEP, duration: DURATION}
"""
TWO = """\
gravity: [0, 0]
elastic:
  - {name: near, mesh: {rectangle: {size: [0.5, 0.05], cells: [20, 2]}}, young: 1e7, poisson: 0, density: 1000, contact: []}
  - {name: far, mesh: {rectangle: {size: [0.5, 0.05], cells: [20, 2], at: [0.5, 0]}}, young: 1e7, poisson: 0, density: 1000, contact: []}
markers:
  - {name: root, elastic: near, group: left}
  - {name: end, elastic: near, group: right}
  - {name: begin, elastic: far, group: left}
  - {name: tip, elastic: far, group: right}
bodies: [{name: block, mass: 5, inertia: 1e-3, position: [1, 0.025], force: [0, -1, 0]}]
joints:
  - {name: clamp, type: weld, bodies: [root], at: [0, 0.025]}
  - {name: middle, type: weld, bodies: [begin, end], at: [0.5, 0.025]}
  - {name: cap, type: weld, bodies: [tip, block], at: [1, 0.025]}
scheme: {theta: 1, step: 0.1, duration: 60}
"""
SPACE = """\
space: 3
gravity: [0, 0, 0]
elastic:
  - name: beam
    mesh: {box: {size: [1, 0.1, 0.1], cells: [10, 2, 2], elements: H8}}
    young: 1e7
    poisson: 0
    density: 1000
    contact: []
markers: [{name: root, elastic: beam, group: left}, {name: tip, elastic: beam, group: right}]
bodies: [{name: block, mass: 2, inertia: [0.01, 0.02, 0.03], position: [1, 0.05, 0.05], force: FORCE}]
joints:
  - {name: clamp, type: weld, bodies: [root], at: [0, 0.05, 0.05]}
  - {name: cap, type: weld, bodies: [tip, block], at: [1, 0.05, 0.05]}
scheme: {theta: 1, step: 0.1, duration: 60}
"""


def run(scree, text, **words):
    """A run that must end with a closed ledger, no work of joints and no energy created."""
    for word, value in words.items():
        text = text.replace(word, str(value))
    scree.write("scene.yaml", text)
    found = scree.json("run", "scene.yaml", "-o", "run.h5")
    ledger = found["ledger"]
    size = 1 + abs(ledger["energy_start"]) + abs(ledger["energy_end"])
    check(f"{words}: ledger closed", ledger["residual_max"] <= 1e-10 * size, ledger)
    check(f"{words}: joints do no work", abs(ledger["joint_work"]) < 1e-9 * size, ledger)
    equal(f"{words}: energy created", ledger["energy_created"], 0)
    return found


def table(scree, name, key):
    """Rows of a table by name, in time."""
    found = {}
    head, rows = table_of(scree.expect(0, "export", "run.h5", "--to", "csv", name).out)
    for row in rows:
        named = {at: word if at == key else float(word) for at, word in zip(head, row)}
        found.setdefault(named[key], []).append(named)
    return found


def coordinates(scree):
    """q of the system at all times."""
    return [row["q"] for row in scree.rows("run.h5", "coordinates")]


def test_systems(scree):
    """A mass on a spring that pulls a cart, or turns a wheel by a cord, moves as the system that both are."""
    for joined, one in ((CART, ONE), (WHEEL, WHEEL_ONE)):
        for scheme, theta in SCHEMES:
            run(scree, joined, SCHEME=scheme, THETA=theta)
            found = coordinates(scree)
            run(scree, one, SCHEME=scheme, THETA=theta)
            exact = coordinates(scree)
            equal("systems: rows", len(found), len(exact))
            worst = max(abs(a - b) for a, b in zip(found, exact))
            check(f"{scheme}, {theta}: as one system", worst < 1e-8, worst)


def test_half_by_formulas(scree):
    """A double pendulum whose upper rod is a mechanism, against both rods as bodies; of second order."""
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        run(scree, HALF, STEP=step)
        upper, lower = coordinates(scree)[-1], table(scree, "bodies", "body")["lower"][-1]["angle"]
        scree.json("run", "double-pendulum", "--set", f"scheme.step={step}", "--set",
                   "scheme.duration=1", "-o", "run.h5")
        rods = table(scree, "bodies", "body")
        errors.append(max(abs(upper - rods["upper"][-1]["angle"]),
                          abs(lower - rods["lower"][-1]["angle"])))
    for a, b in zip(errors, errors[1:]):
        check("half by formulas: second order", 3.3 < a / b < 4.8, errors)
    check("half by formulas: error", errors[-1] < 2e-5, errors)


def test_beam_at_rest(scree):
    """A cantilever of elements that hangs on markers: reactions by statics, deflection by beam theory."""
    run(scree, BEAM, SCHEME="moreau-jean-fremond", THETA=1, STEP=0.1, DURATION=60)
    joint, block = table(scree, "joints", "joint"), table(scree, "bodies", "body")["block"][-1]
    clamp, a = joint["clamp"][-1], block["angle"]
    # the beam is in balance where it was, the block where it is
    moment = 1 + 0.3 * math.cos(a) + 0.3 * 0.3 * math.sin(a)
    for key, expected in (("reaction_x", -0.3), ("reaction_y", 1), ("reaction_moment", moment)):
        check(f"clamp: {key}", abs(clamp[key] - expected) < 1e-7, clamp)
    EI, GA = 1e7 * 0.05**3 / 12, 5 / 6 * 0.5e7 * 0.05
    turn = -(1 / 2 + 0.3) / EI
    sag = -(1 / 3 + 0.3 / 2) / EI - 1 / GA + 0.3 * turn
    check("block: turned", abs(block["angle"] / turn - 1) < 3e-3, (block, turn))
    check("block: sunk", abs((block["y"] - 0.025) / sag - 1) < 3e-3, (block, sag))
    check("block: drawn out", abs((block["x"] - 1.3 - 0.3 / (1e7 * 0.05)) +
                                  0.3 * turn**2 / 2) < 1e-6, block)


def test_beam_that_swings(scree):
    """Every scheme and theta: the ledger closes, and the clamp holds."""
    for scheme, theta in SCHEMES:
        run(scree, BEAM, SCHEME=scheme, THETA=theta, STEP=2e-3, DURATION=0.2)
        gap = max(abs(row["gap"]) for row in scree.rows("run.h5", "contacts"))
        check(f"{scheme}, {theta}: joints are closed", gap < 1e-9, gap)


def test_elastic_with_elastic(scree):
    """Two halves welded together sink as the whole does; hinged they would fall."""
    run(scree, TWO)
    block = table(scree, "bodies", "body")["block"][-1]
    joint = table(scree, "joints", "joint")
    EI, GA = 1e7 * 0.05**3 / 12, 5 / 6 * 0.5e7 * 0.05
    sag = -1 / 3 / EI - 1 / GA
    check("two halves: sunk", abs((block["y"] - 0.025) / sag - 1) < 3e-3, (block, sag))
    check("two halves: moment in the middle", abs(joint["middle"][-1]["reaction_moment"] - 0.5) < 1e-7,
          joint["middle"][-1])


def test_beam_in_space(scree):
    """A force across in either direction bends the beam alike, a moment about its axis turns it."""
    EI, GA = 1e7 * 0.1**4 / 12, 5 / 6 * 0.5e7 * 0.01
    sag = 1 / 3 / EI + 1 / GA
    for force, key, expected in (("[0, 1, 0, 0, 0, 0]", "y", sag), ("[0, 0, -1, 0, 0, 0]", "z", -sag)):
        run(scree, SPACE, FORCE=force)
        block = table(scree, "bodies", "body")["block"][-1]
        check(f"space: {force}", abs((block[key] - 0.05) / expected - 1) < 0.01, (block, expected))
        clamp = table(scree, "joints", "joint")["clamp"][-1]
        check("space: the clamp bears it", abs(abs(clamp["reaction_" + key]) - 1) < 1e-6, clamp)
    run(scree, SPACE, FORCE="[0, 0, 0, 0.1, 0, 0]")
    clamp = table(scree, "joints", "joint")["clamp"][-1]
    check("space: the clamp bears the moment", abs(clamp["moment_x"] + 0.1) < 1e-7, clamp)


def test_stiff_beam(scree):
    """With a beam that hardly gives way the pendulum of the scene swings as from the ground."""
    more = ["--set", "parameters.a0=0.5", "--set", "parameters.g=9.81", "--set",
            "parameters.E=1e13", "--set", "scheme.step=5e-4"]
    l = 0.8
    ratio = math.cos(0.25), 1.0
    while abs(ratio[0] - ratio[1]) > 1e-15:
        ratio = math.sqrt(ratio[0] * ratio[1]), sum(ratio) / 2
    period = 2 * math.pi * math.sqrt(2 * l / (3 * 9.81)) / ratio[0]
    scree.json("run", "pendulum-on-beam", *more, "--set", f"scheme.duration={period / 4:.17g}",
               "--set", f"scheme.step={period / 4 / 1000:.17g}", "-o", "run.h5")
    rod = table(scree, "bodies", "body")["rod"][-1]
    check("stiff beam: hangs down after a quarter", abs(rod["angle"]) < 2e-6, rod)


def test_markers_that_cannot_be(scree):
    """Each mistake at its place."""
    beam = BEAM.replace("SCHEME", "moreau-jean").replace("THETA", "1").replace(
        "STEP", "1").replace("DURATION", "1")
    for what, old, new, place, word in (
            ("group", "group: right", "group: rigth", "9:87", "has no group"),
            ("body", "elastic: beam, group: left", "elastic: beem, group: left", "9:33",
             "no elastic body"),
            ("nothing", "elastic: beam, group: left", "", "9:18", "one of elastic"),
            ("name", "name: root", "name: block", "9:18", "name of its own"),
            ("elastic body itself", "bodies: [root]", "bodies: [beam]", "12:40", "name a marker"),
            ("system", "elastic: beam, group: left", "system: [[1], [0]]", "9:32", "no system"),
            ("mechanism", "elastic: beam, group: left", "mechanism: [1, 0]", "9:35",
             "no mechanism")):
        scree.write("bad.yaml", beam.replace(old, new))
        answer = scree.expect(2, "check", "bad.yaml")
        said = answer.out + answer.err
        check(f"{what}: its place", f"bad.yaml:{place}: " in said and word in said, answer)
    scree.write("bad.yaml", CART.replace("SCHEME", "moreau").replace("THETA", "1/2").replace(
        "type: point-on-line, bodies: [mass, cart], at: [1, 0], axis: [0, 1]",
        "type: weld, bodies: [mass, cart], at: [1, 0]"))
    answer = scree.expect(2, "check", "bad.yaml")
    check("a weld wants to know the angle", "bad.yaml:10:" in answer.err and "turned" in answer.err,
          answer)
    scree.write("bad.yaml", CART.replace("SCHEME", "moreau").replace("THETA", "1/2").replace(
        "bodies: [mass, cart]", "bodies: [mass]"))
    answer = scree.expect(2, "check", "bad.yaml")
    check("a system's velocity is not changed", "bad.yaml:10:" in answer.err and
          "move apart" in answer.err, answer)


run_tests(globals())
