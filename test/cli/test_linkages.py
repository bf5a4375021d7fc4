# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Linkages against closed forms and published numbers, with the orders of the scheme.

With SCREE_LONG=1 in the environment joints are looked at over 10^6 steps.
"""

import math
import os

from harness import check, equal, run_tests, table_of

LONG = os.environ.get("SCREE_LONG") == "1"
SQUEEZER = {  # at 0.03 s, of the test set for initial value problems
    "crank": 15.81077119629904, "third": 0.04082224013073101, "fifth": 0.5244099658805304,
    "seventh": 1.048080741042263, "rod": 15.81077119629904 - 15.75637105984298,
    "fourth": 0.5244099658805304 - 0.5347301163226948,
    "sixth": 1.048080741042263 + 0.5347301163226948,
}
PENDULUM = """\
mechanism:
  coordinates: [a, b]
  mass:
    - [m1*l1^2/3 + m2*l1^2, m2*l1*l2/2*cos(a - b)]
    - [m2*l1*l2/2*cos(a - b), m2*l2^2/3]
  potential: -g*((m1/2 + m2)*l1*cos(a) + m2*l2/2*cos(b))
  position: [a1, a2]
parameters: {m1: 1, m2: 1, l1: 1, l2: 1, a1: 1.2, a2: 0.6, g: 9.81}
scheme: {name: event-driven, step: 0.01, duration: 1}
"""


def run(scree, scene, *options, every=None):
    """A run that must end; its summary."""
    more = [] if every is None else ["--set", f"output.every={every}"]
    return scree.json("run", scene, *options, *more, "-o", "run.h5")


def last(rows):
    """The rows of the last moment."""
    return [row for row in rows if row["time"] == rows[-1]["time"]]


def joints(scree):
    """The table of joints, by name: time and coordinate."""
    head, rows = table_of(scree.expect(0, "export", "run.h5", "--to", "csv", "joints").out)
    at = {name: head.index(name) for name in ("time", "joint", "coordinate")}
    found = {}
    for row in rows:
        found.setdefault(row[at["joint"]], []).append(
            (float(row[at["time"]]), float(row[at["coordinate"]])))
    return found


def angles(scree, scene, *options):
    """The angle of each body at the end."""
    found = run(scree, scene, *options)
    check(f"{scene}: ledger closed and no energy created",
          found["ledger"]["energy_created"] <= 1e-9 * abs(found["ledger"]["energy_end"]), found)
    return {row["body"]: row["angle"] for row in last(scree.rows("run.h5", "bodies"))}


def order_of(what, errors, expected, slack=0.15):
    """Errors of steps that are halved."""
    orders = [math.log2(a / b) for a, b in zip(errors, errors[1:])]
    check(f"{what}: order {expected}", all(abs(k - expected) < slack for k in orders),
          f"{errors}: {orders}")


def test_squeezer(scree):
    """Andrews' mechanism: every angle, of second order in the step."""
    errors = []
    for h in (4e-5, 2e-5, 1e-5):
        found = angles(scree, "squeezer", "--set", f"scheme.step={h}")
        errors.append(max(abs(found[body] - SQUEEZER[body]) for body in SQUEEZER))
    order_of("squeezer", errors, 2, 0.02)
    check("squeezer: the crank to 2e-5", errors[-1] < 2e-5, errors)


def test_double_pendulum(scree):
    """Two rods on hinges against the same by formulas, from event to event."""
    scree.write("formulas.yaml", PENDULUM)
    run(scree, "formulas.yaml")
    exact = [row["q"] for row in last(scree.rows("run.h5", "coordinates"))]
    for theta, order in (("1/2", 2), ("1", 1)):
        errors = []
        for h in (4e-3, 2e-3, 1e-3):
            found = angles(scree, "double-pendulum", "--set", f"scheme.step={h}", "--set",
                           f"scheme.theta={theta}", "--set", "scheme.duration=1", "--set",
                           "scheme.approach=kept")
            errors.append(max(abs(found["upper"] - exact[0]), abs(found["lower"] - exact[1])))
        order_of(f"double pendulum, theta {theta}", errors, order, 0.25)


def agm(x, y):
    """The mean of Gauss."""
    while abs(x - y) > 1e-15 * x:
        x, y = (x + y) / 2, math.sqrt(x * y)
    return x


def test_one_rod(scree):
    """After a quarter of its period, by Gauss, a rod hangs down."""
    a, l, g = 1, 0.1, 9.81
    period = 2 * math.pi * math.sqrt(2 * l / (3 * g)) / agm(1, math.cos(a / 2))
    errors = []
    for steps in (50, 100, 200):
        found = angles(scree, "chain", "--set", "parameters.n=1", "--set",
                       f"scheme.step={period / 4 / steps:.17g}", "--set",
                       f"scheme.duration={period / 4:.17g}")
        errors.append(abs(found["link-1"]))
    order_of("one rod", errors, 2)


def test_small_swings(scree):
    """Two rods by their two modes, for swings of a thousandth."""
    a, l, g, t = 1e-3, 0.1, 9.81, 0.7
    # (4/3 x + 1/2 y) l/g = -3/2 ..., (1/2 x + 1/3 y) l/g = -1/2 ...: det(K - s M) = 0
    p, q, r = 4 / 9 - 1 / 4, -(1.5 / 3 + 0.5 * 4 / 3), 0.75
    s = [(-q + sign * math.sqrt(q * q - 4 * p * r)) / (2 * p) for sign in (-1, 1)]
    shape = [(0.5 * k) / (1.5 - 4 / 3 * k) for k in s]  # upper over lower
    c = [(1 - shape[1]) / (shape[0] - shape[1]), (1 - shape[0]) / (shape[1] - shape[0])]
    wave = [a * c[k] * math.cos(math.sqrt(s[k] * g / l) * t) for k in (0, 1)]
    exact = (shape[0] * wave[0] + shape[1] * wave[1], wave[0] + wave[1])
    found = angles(scree, "chain", "--set", "parameters.n=2", "--set", f"parameters.a={a}", "--set",
                   "scheme.step=1e-4", "--set", f"scheme.duration={t}")
    for k in (1, 2):
        check(f"two rods: rod {k}", abs(found[f"link-{k}"] - exact[k - 1]) < 1e-4 * a,
              (found, exact))


def test_many_rods(scree):
    """A thousand links: every step solved, and the energy kept."""
    found = run(scree, "chain", "--set", "parameters.n=1000", "--set", "scheme.duration=0.01")
    equal("1000 links: steps", found["steps"], 10)
    change = found["ledger"]["energy_end"] - found["ledger"]["energy_start"]
    check("1000 links: the energy is kept", abs(change) < 1e-8 * abs(found["ledger"]["energy_end"]),
          found["ledger"])


def test_twenty_rods_by_formulas(scree):
    """A pendulum of 20 rods: joints and formulas of its 20 angles come to the same."""
    n, l, m, a, g = 20, 0.1, 0.1, 1, 9.81
    names = [f"a{i}" for i in range(n)]
    mass = [[f"{m * l * l * (n - 1 - i + 1 / 3)!r}" if i == j else
             f"{m * l * l * (n - 1 - max(i, j) + 1 / 2)!r}*cos(a{i} - a{j})" for j in range(n)]
            for i in range(n)]
    weight = " ".join(f"- {m * g * l * (n - 1 - i + 1 / 2)!r}*cos(a{i})" for i in range(n))
    scree.write("rods.yaml", "\n".join(
        ["mechanism:", f"  coordinates: [{', '.join(names)}]", "  mass:",
         *(f"    - [{', '.join(row)}]" for row in mass), f"  potential: 0 {weight}",
         f"  position: [{', '.join([str(a)] * n)}]", "scheme: {step: 1e-3, duration: 0.1}", ""]))
    errors = []
    for h in (1e-3, 5e-4):
        run(scree, "rods.yaml", "--set", f"scheme.step={h}")
        formulas = [row["q"] for row in last(scree.rows("run.h5", "coordinates"))]
        found = angles(scree, "chain", "--set", f"parameters.n={n}", "--set", f"scheme.step={h}",
                       "--set", "scheme.duration=0.1")
        errors.append(max(abs(found[f"link-{i + 1}"] - formulas[i]) for i in range(n)))
    order_of("20 rods", errors, 2, 0.3)


SHAKEN = """\
parameters: {m: 2, g: 9.81, A: 0.02, w: 30}
scheme: {theta: 1/2, step: 1e-3, duration: 0.5}
"""


def test_obstacles_that_move(scree):
    """A mass on a plate that shakes and slides away: by formulas and by matrices."""
    scree.write("formulas.yaml", SHAKEN + """\
mechanism:
  coordinates: [x, y]
  mass: [[m, 0], [0, m]]
  potential: m*g*x
  position: [0.001, 0]
  velocity: [0, 0.3]
  contacts:
    - {name: plate, gap: x - A*sin(w*t), slip: y - 0.2*t, restitution: 0.5, friction: 0.2}
""")
    scree.write("matrices.yaml", SHAKEN + """\
system:
  mass: [[m, 0], [0, m]]
  load: [-m*g, 0]
  position: [0.001, 0]
  velocity: [0, 0.3]
  contacts:
    - {name: plate, normal: [1, 0], tangent: [0, 1], gap: -A*sin(w*t), surface_velocity: [0.2], restitution: 0.5, friction: 0.2}
""")
    for scheme in ("moreau-jean", "moreau", "moreau-jean-fremond", "event-driven"):
        ends, works = [], []
        for scene in ("formulas.yaml", "matrices.yaml"):
            found = run(scree, scene, "--set", f"scheme.name={scheme}")
            works.append(sum(row["boundary_work"] for row in scree.rows("run.h5", "energy")))
            ends.append([row["q"] for row in last(scree.rows("run.h5", "coordinates"))])
            check(f"{scheme}: no energy is created", found["ledger"]["energy_created"] == 0, found)
        near = 1e-8 if scheme == "event-driven" else 1e-12
        check(f"{scheme}: places", max(abs(x - y) for x, y in zip(*ends)) < near, ends)
        check(f"{scheme}: the plate works, and the same", abs(works[0]) > 1 and
              abs(works[0] - works[1]) < (1e-6 if scheme == "event-driven" else 1e-9), works)


def test_friction_in_space(scree):
    """A block on a slope that is pushed across it: by formulas, by matrices, and what is known of it."""
    head = """\
parameters: {m: 2, g: 9.81, mu: 0.4, a: 0.3, v: 1.5}
scheme: {theta: 1/2, step: 1e-3, duration: 1.5}
"""
    scree.write("formulas.yaml", head + """\
mechanism:
  coordinates: [x, y, z]
  mass: [[m, 0, 0], [0, m, 0], [0, 0, m]]
  potential: m*g*(z*cos(a) - x*sin(a))
  velocity: [0, v, 0]
  contacts:
    - {name: slope, gap: z, slip: x, slip_across: y, friction: mu}
""")
    scree.write("matrices.yaml", head + """\
system:
  mass: [[m, 0, 0], [0, m, 0], [0, 0, m]]
  load: [m*g*sin(a), 0, -m*g*cos(a)]
  velocity: [0, v, 0]
  contacts:
    - {name: slope, normal: [0, 0, 1], tangents: [[1, 0, 0], [0, 1, 0]], friction: mu}
""")
    for scheme in ("moreau-jean", "moreau", "moreau-jean-fremond", "nscd"):
        ends = []
        for scene in ("formulas.yaml", "matrices.yaml"):
            found = run(scree, scene, "--set", f"scheme.name={scheme}")
            check(f"{scheme}: no energy is created", found["ledger"]["energy_created"] == 0, found)
            ends.append([row["q"] for row in last(scree.rows("run.h5", "coordinates"))])
        check(f"{scheme}: places", max(abs(x - y) for x, y in zip(*ends)) < 1e-12, ends)
        # friction is stronger than the slope: it slides in a curve, and stops
        check(f"{scheme}: it went down and across", ends[0][0] > 0.1 and ends[0][1] > 0.2, ends)
    x, y = slope_end(9.81 * math.sin(0.3), 0.4 * 9.81 * math.cos(0.3), 1.5)
    check("where it stops", abs(ends[0][0] - x) < 3e-3 and abs(ends[0][1] - y) < 3e-3,
          (ends[0], x, y))
    said = scree.expect(2, "run", "formulas.yaml", "--set", "scheme.name=event-driven").err
    check("event-driven: refused", "planar" in said, said)


def slope_end(pull, friction, speed):
    """A point pulled along x, with friction against its velocity, from (0, speed): where it stops."""
    steps, x, y, u, v = 200000, 0.0, 0.0, 0.0, speed
    h = 1.5 / steps
    for _ in range(steps):
        size = math.hypot(u, v)
        if size < friction * h:
            break
        u, v = u + h * (pull - friction * u / size), v - h * friction * v / size
        x, y = x + h * u, y + h * v
    return x, y


def four_bar(phi):
    """The end of the crank, where coupler and rocker meet, and their spins for a spin of 1."""
    a, b, c, d = 1, 2.5, 2, 2.8
    x, y = a * math.cos(phi), a * math.sin(phi)
    e = math.hypot(d - x, y)
    along = (b * b - c * c + e * e) / (2 * e)
    across = math.sqrt(b * b - along * along)
    u, v = x + (along * (d - x) + across * y) / e, y + (across * (d - x) - along * y) / e
    det = (v - y) * (u - d) - v * (u - x)
    wb, wc = (x * v - y * (u - d)) / det, (x * (v - y) - y * (u - x)) / det
    inertia = a**3 / 3 + c**3 / 3 * wc * wc + b**3 / 12 * wb * wb + b * (
        (-y - wb * (v - y) / 2)**2 + (x + wb * (u - x) / 2)**2)
    return inertia, 9.81 * (a * y / 2 + b * (y + v) / 2 + c * v / 2)


def test_four_bar(scree):
    """One coordinate is left of it: its rate is that of the energy, by quadrature."""
    inertia, potential = four_bar(1.2)
    energy, phi, time = 25 * inertia / 2 + potential, 1.2, 0.5
    steps = 4000

    def rate(at):
        inertia, potential = four_bar(at)
        return math.sqrt(2 * (energy - potential) / inertia)

    for _ in range(steps):
        h = time / steps
        k = [rate(phi)]
        k.append(rate(phi + h / 2 * k[0]))
        k.append(rate(phi + h / 2 * k[1]))
        k.append(rate(phi + h * k[2]))
        phi += h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3])
    errors = []
    for h in (2e-3, 1e-3, 5e-4):
        found = angles(scree, "four-bar", "--set", f"scheme.step={h}", "--set",
                       f"scheme.duration={time}")
        errors.append(abs(found["crank"] - phi))
    order_of("four-bar", errors, 2)
    check("four-bar: the crank", errors[-1] < 1e-4, errors)


def test_gimbals(scree):
    """The weight makes the outer ring go round, and nothing nod."""
    errors = []
    for h in (2e-3, 1e-3):
        found = run(scree, "gimbals", "--set", f"scheme.step={h}")
        change = found["ledger"]["energy_end"] - found["ledger"]["energy_start"]
        check("gimbals: the energy is kept", abs(change) < 1e-9, found["ledger"])
        rows = joints(scree)
        errors.append(abs(rows["post"][-1][1] - 0.2 * 9.81 * 0.15 / (0.01 * 120) * 2))
        check("gimbals: the axis stays level", abs(rows["ring"][-1][1]) < 1e-4, rows["ring"][-1])
    check("gimbals: precession", errors[1] < 1e-5, errors)


HEAVY = """\
gravity: [0, -9.81]
parameters: {n: 10, l: 0.1, m: 0.1, M: 100}
generate:
  - name: link
    arrange: each
    count: n
    body: {mass: m, inertia: m*l^2/12, position: [(i - 1/2)*l, 0], angle: pi/2}
bodies: [{name: weight, mass: M, inertia: M*l^2/10, position: [n*l, 0]}]
joints:
  - {name: nail, type: hinge, bodies: [link-1], at: [0, 0]}
  - {name: hinge, type: hinge, chain: link, at: [0, -l/2]}
  - {name: hook, type: hinge, bodies: [weight, link-10], at: [n*l, 0]}
scheme: {theta: 1/2, step: 1e-3, duration: 1}
"""
ROPE = """\
space: 3
gravity: [0, 0, -9.81]
parameters: {n: 10, l: 0.1, m: 0.01, M: 100}
generate:
  - name: link
    arrange: each
    count: n
    body:
      mass: m
      inertia: [m*l^2/12, m*l^2/12, m*l^2/100]
      position: [(i - 1/2)*l, 0, 0]
      orientation: [sqrt(1/2), 0, -sqrt(1/2), 0]
bodies:
  - {name: weight, mass: M, inertia: [M*l^2/10, M*l^2/10, M*l^2/10], position: [(n + 1/2)*l, 0, 0], velocity: [0, 1, 0]}
joints:
  - {name: nail, type: ball, bodies: [link-1], at: [0, 0, 0]}
  - {name: hinge, type: ball, chain: link, at: [0, 0, -l/2]}
  - {name: hook, type: ball, bodies: [weight, link-10], at: [n*l, 0, 0]}
scheme: {theta: 1/2, step: 1e-3, duration: 1}
"""


def swing(duration):
    """How far a mathematical pendulum of 1 m falls from the horizontal, by steps of Runge and Kutta."""
    a, w, steps = 0.0, 0.0, 2000
    h = duration / steps
    for _ in range(steps):
        k = [(w, 9.81 * math.cos(a))]
        for part in (h / 2, h / 2, h):
            k.append((w + part * k[-1][1], 9.81 * math.cos(a + part * k[-1][0])))
        a, w = (x + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]) for i, x in enumerate((a, w)))
    return a


def test_heavy_weight_on_a_light_chain(scree):
    """Weights of 100 and 1000 times their chain's mass swing to the end, in the plane and in space, and keep energy."""
    scree.write("heavy.yaml", HEAVY)
    scree.write("rope.yaml", ROPE)
    for scene, weight in (("heavy.yaml", 100), ("heavy.yaml", 1000), ("rope.yaml", 10), ("rope.yaml", 100)):
        ledger = run(scree, scene, "--set", f"parameters.M={weight}", every=1000)["ledger"]
        off = abs(ledger["energy_end"] - ledger["energy_start"])
        check(f"{scene} with {weight} kg: energy kept", off < 1e-10 * weight * 9.81, f"{off} J")
    run(scree, "heavy.yaml", "--set", "parameters.M=1000", "--set", "scheme.duration=0.5")
    weight = [row for row in last(scree.rows("run.h5", "bodies")) if row["body"] == "weight"][0]
    off = math.atan2(-weight["y"], weight["x"]) - swing(0.5)
    check("1000 kg go as a pendulum of the chain's length", abs(off) < 1e-3, f"off by {off} rad")


def test_chain_over_a_pulley(scree):
    """As a chain that bends everywhere would run, up to what its links are long."""
    found = run(scree, "chain-pulley")
    equal("pulley: steps", found["steps"], 1000)
    check("pulley: no energy is created", found["ledger"]["energy_created"] == 0, found["ledger"])
    rows = joints(scree)["bearing"]
    equal("pulley: rows", len(rows), 1001)
    far = 0.3 + 0.02
    length = 2 * far * math.tan(math.pi / 20)
    mass = 0.2 * 50 + 0.5 / far**2
    k2 = 2 * 9.81 * 0.2 / length / mass
    for time, angle in rows[200::200]:
        exact = 9.81 * 0.2 * 10 / mass / k2 * (math.cosh(math.sqrt(k2) * time) - 1) / far
        check("pulley: its angle", abs(angle - exact) < 0.02 * exact, (time, angle, exact))


def test_at_rest(scree):
    """What the solver's tolerance does to a door that leans on its stop is no energy; what a bounce makes is."""
    for tolerance in (1e-12, 1e-10, 1e-8, 1e-6):
        found = run(scree, "door", "--set", f"solver.tolerance={tolerance}", "--set", "scheme.energy_created=1e-5")
        check(f"door, {tolerance}: what the solver leaves goes with its tolerance",
              found["ledger"]["energy_tolerated"] <= 10 * tolerance, found["ledger"])
        equal(f"door, {tolerance}: energy created", found["ledger"]["energy_created"], 0)
        check(f"door, {tolerance}: the theorem holds", found["theorem"]["holds"], found["theorem"])
    found = scree.json("run", "door", "--set", "scheme.theta=1", "-o", "run.h5", status=1)
    check("door, theta 1: created energy is found", found["ledger"]["energy_created"] > 10, found)


def test_nothing_drifts(scree):
    """Equations of joints hold as well at the end as at the beginning."""
    steps = 1000000 if LONG else 20000
    run(scree, "double-pendulum", "--set", "scheme.duration=" + str(steps * 1e-3), every=100)
    rows = scree.rows("run.h5", "contacts")
    size = len(rows) // 10
    begin, end = (max(abs(row["gap"]) for row in part) for part in (rows[:size], rows[-size:]))
    check("joints do not drift", end < 10 * begin + 1e-12, (begin, end))


run_tests(globals())
