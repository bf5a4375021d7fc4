# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Judges the judge: its own schemes against closed forms and published reference values,
its complaints against exports with known faults. Prints "N passed, N failed", status 1 on failure.
"""

import io
import math
import random
import sys
import tempfile

import compare_run
import random_systems
from schemes import (Contact, Scheme, Stick, System, add, diagonal, disc_on_disc, disc_on_plane,
                     dot, kinetic, ledger, planar_system, point_on_plane, simulate,
                     solve_contacts, strike, turned)

RESULTS = {"passed": 0, "failed": 0}
NAMES = ("moreau-jean", "moreau-jean-fremond")


def check(what, condition):
    """Count one check, name it if it fails."""
    RESULTS["passed" if condition else "failed"] += 1
    if not condition:
        print(f"FAILED {what}")


def near(what, value, expected, tolerance=1e-12):
    """Absolute comparison of numbers or of lists of numbers."""
    pairs = zip(value, expected) if isinstance(value, (list, tuple)) else [(value, expected)]
    worst = max(abs(x - y) for x, y in pairs)
    check(f"{what}: {value!r}, expected {expected!r}, off by {worst:.2e}", worst <= tolerance)


# ---- the impacting stick (paper 001, section 5.1) ----

# per scheme and impact: end of step, u_N before, u_T before, u_T after, p_N, p_T/(mu p_N), w_T,
# kinetic energy after
IMPACTS = {
    "moreau-jean": (
        (0.0603, -0.4664324637289772, 0.46485813944012855, -0.0854752652918567,
         0.37308921265423106, 1, 7.0771828905239e-4, 0.25244234034939217),
        (0.1633, -0.47022774357917624, 0.025709099453282567, -0.4075745044023914,
         0.3127211217717339, 1, -5.970868890075e-4, 0.9159470038656218)),
    "moreau-jean-fremond": (
        (0.0603, -0.4664324637289772, 0.46485813944012855, -0.09725830831656213,
         0.368670891782742, -1, -6.776167877976e-4, 0.25105921443297796),
        (0.1634, -0.4698471217952592, 0.01575478218293157, -0.4161291017405584,
         0.31204514193777716, 1, -6.246743068730e-4, 0.9202523281271091)),
}
FINALS = {
    "moreau-jean": ([0.2529170734063745, 0.24718510928681478, 1.0819883190944333],
                    [-0.5068581033442596, -1.2141896655739952, 3.2073513209813838],
                    1.1063140004e-4),
    "moreau-jean-fremond": ([0.25395424362001495, 0.2465116021719327, 1.0835074099259314],
                            [-0.49943374250155037, -1.2192839662794397, 3.218031198100168],
                            -1.3022910947e-3),
}


def run_stick(stick=None, steps=2000, contact=None, **scheme):
    """The judge's records of the stick."""
    stick = stick or Stick()
    return simulate(stick.system(contact), Scheme(**{"step": 1e-4, **scheme}), steps)


def impacts(records):
    """Records with an impulse."""
    return [r for r in records if any(c.impulse[0] > 0 for c in r.contacts)]


def tangential_works(records):
    """w_T of every impact."""
    return [r.contacts[0].work_t for r in impacts(records)]


def test_stick_table():
    """Every entry of the table and the final states, both schemes."""
    system = Stick().system()
    for name in NAMES:
        records = run_stick(name=name)
        hits = impacts(records)
        check(f"{name}: two impacts", len(hits) == 2)
        for record, row in zip(hits, IMPACTS[name]):
            contact = record.contacts[0]
            values = [record.time, contact.before[0], contact.before[1], contact.after[1],
                      contact.impulse[0], contact.impulse[1] / (0.01 * contact.impulse[0]),
                      contact.work_t, kinetic(system, record.v)]
            for label, value, expected in zip("t uN uT uT+ pN sign wT T".split(), values, row):
                near(f"{name} impact {label}", value, expected)
            near(f"{name} u_N after", contact.after[0], -contact.before[0])
        q, v, work = FINALS[name]
        near(f"{name} final q", records[-1].q, q)
        near(f"{name} final v", records[-1].v, v)
        near(f"{name} total w_T", math.fsum(tangential_works(records)), work)


def test_stick_ledger():
    """Normal work 0 and the balance (56) at every step."""
    system = Stick().system()
    for name in NAMES:
        scheme = Scheme(name, 0.5, 1e-4)
        records = simulate(system, scheme, 2000)
        terms = [ledger(system, scheme, a, b) for a, b in zip(records, records[1:])]
        near(f"{name} normal work", max(abs(t["contact_normal_work"]) for t in terms), 0, 1e-15)
        worst = max(abs(t["residual"]) for t in terms)
        near(f"{name} balance", worst, 0, 2e-15)


def test_stick_other_side():
    """C on the other side: no reversal, both schemes the same; the mirror image has it."""
    stick = Stick()
    runs = [run_stick(contact=stick.other_side(), name=name) for name in NAMES]
    check("other side: same bits", runs[0] == [r._replace(contacts=s.contacts) for r, s in
                                               zip(runs[1], runs[0])])
    near("other side: works", tangential_works(runs[0]), [-3.0231738e-3, -3.7242981e-3], 5e-11)
    mirror = Stick(vx=0.5)
    for name in NAMES:
        image = run_stick(mirror, contact=mirror.other_side(), name=name)
        own = run_stick(name=name)
        near(f"{name} mirror v", image[-1].v, [-own[-1].v[0], *own[-1].v[1:]])
        near(f"{name} mirror works", tangential_works(image), tangential_works(own))


def test_stick_exact():
    """First impact of the exact flight, both laws."""
    stick = Stick()
    system = stick.system()

    def fly(t):
        q = add(add(system.q, t, system.v), -0.5 * t * t * stick.g, [0.0, 1.0, 0.0])
        return q, add(system.v, -stick.g * t, [0.0, 1.0, 0.0])

    contact = system.contacts[0]
    low, high = 0.0, 0.1
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if contact.gap(fly(middle)[0]) > 0 else (low, middle)
    near("exact impact time", high, 0.060274089093133615)
    system.q, system.v = fly(high)
    rows = contact.rows(system.q)
    before = [dot(row, system.v) for row in rows]
    near("exact u-", before, [-0.4671730942984301, 0.4648584029577448])
    for tau, p_n, u_t, work in (
            (0.0, 0.3732781669206881, -0.0857537059080467, 7.075575319287e-4),
            (1.0, 0.3688576479225319, -0.0975426131333626, -6.774361913971e-4)):
        after, p = strike(system, tau)
        near("exact p_N", p[0], p_n)
        near("exact u_T+", dot(rows[1], after), u_t)
        near("exact w_T", 0.5 * p[1] * (before[1] + dot(rows[1], after)), work)


def test_stick_conventions():
    """The authors' own conventions, other parameters, and what must not matter."""
    half = run_stick(name="moreau-jean", rule="half")
    near("half: impact times", [r.time for r in impacts(half)], [0.0604, 0.1636])
    for condition in (None, False):
        free = run_stick(jacobian="free", velocity_condition=condition)
        near("H at free end: impact times", [r.time for r in impacts(free)], [0.0603, 0.1634])
    exact = run_stick(gap_tolerance=0.0, velocity_tolerance=0.0)
    check("tolerances do not matter here", exact == run_stick())
    linear = run_stick(rule="predicted-linear")
    near("predicted-linear: impact times", [r.time for r in impacts(linear)], [0.0603, 0.1634])
    for e in (0.0, 0.5):
        one, two = (run_stick(Stick(e=e), name=name) for name in NAMES)
        near(f"e = {e}: schemes coincide", random_systems.distance(one, two), 0.0, 3e-15)
    works = tangential_works(run_stick(Stick(e=0.5, mu=1.0), name="moreau-jean"))
    near("e = 0.5, mu = 1: creates work", max(works), 1.779e-3, 5e-7)
    works = tangential_works(run_stick(Stick(e=0.5, mu=1.0)))
    check("e = 0.5, mu = 1: Frémond does not", max(works) <= 1e-15)
    for name in NAMES:
        normal = [r.contacts[0].work_n for r in impacts(run_stick(name=name, theta=1.0))]
        near(f"{name} theta = 1: normal work", max(normal), 0.174, 5e-4)


# ---- closed forms ----


def test_bouncing_ball():
    """Impact times and apexes, first order in h."""
    g, e = 9.81, 0.7
    first = math.sqrt(2 / g)
    times = [first * (1 + 2 * sum(e ** j for j in range(1, n + 1))) for n in range(4)]
    near("ball times", times, [0.4515236409857309, 1.083656738365754, 1.5261499065317703,
                               1.8358951242479817])
    near("ball end", first * (1 + e) / (1 - e), 2.5586339655858077)
    errors = []
    for h in (1e-3, 1e-4):
        body = {"mass": 1.0, "inertia": 0.4, "q": [0.0, 1.1, 0.0], "v": [0.0, 0.0, 0.0]}
        system = planar_system([body], [disc_on_plane(0.1, restitution=e)], (0.0, -g))
        records = simulate(system, Scheme(step=h), round(1.9 / h))
        hits = [r.time for r in impacts(records)]
        errors.append(max(abs(x - y) for x, y in zip(hits, times)))
        apex = max(r.q[1] for r in records if times[0] < r.time < times[1]) - 0.1
        near(f"ball h = {h}: times", hits[:4], times, 4 * h)
        near(f"ball h = {h}: apex", apex, e * e, 4 * h)
    check("ball: first order", errors[1] < 0.3 * errors[0])


def incline(degrees, speed, mu=0.5, e=0.0):
    """A block (a point mass) on an incline, sliding down at `speed`; downhill is -tangent."""
    angle = math.radians(degrees)
    normal = [math.sin(angle), math.cos(angle)]
    downhill = [-x for x in turned(normal)]
    body = {"mass": 2.0, "inertia": 1.0, "q": [0.0, 0.0, 0.0],
            "v": [speed * downhill[0], speed * downhill[1], 0.0]}
    contact = point_on_plane((0.0, 0.0), normal, restitution=e, friction=mu)
    return planar_system([body], [contact], (0.0, -9.81)), downhill


def test_incline():
    """Stops where Coulomb says, rests below the threshold, runs away above it."""
    for name, theta in (("moreau-jean", 0.5), ("moreau-jean-fremond", 0.5),
                        ("moreau-jean-fremond", 0.75)):
        h = 1e-3
        system, downhill = incline(20, 2.0)
        records = simulate(system, Scheme(name, theta, h), 2000)
        speeds = [dot(downhill, r.v[:2]) for r in records]
        near("20 deg: acceleration", (speeds[1000] - 2.0) / 1.0, -1.2539746989300697, 1e-10)
        limit = 2 * h * 1.26   # with theta = 1/2 Frémond leaves a reversing velocity of this size
        stop = next(i for i, u in enumerate(speeds) if abs(u) <= limit) * h
        near("20 deg: stops after", stop, 1.5949285114815015, 4 * h)
        near("20 deg: stops at", dot(downhill, records[-1].q[:2]), 1.5949285114815015, 4 * h)
        check("20 deg: stays", max(map(abs, speeds[1600:])) <= limit)
        system, downhill = incline(30, 2.0)
        records = simulate(system, Scheme(name, theta, h), 1000)
        near("30 deg: acceleration", dot(downhill, records[-1].v[:2]) - 2.0,
             0.6571453944373277, 1e-10)
    threshold = math.degrees(math.atan(0.5))
    for degrees, moves in ((threshold - 0.1, False), (threshold + 0.1, True)):
        for name in NAMES:
            system, downhill = incline(degrees, 0.0)
            records = simulate(system, Scheme(name, 0.5, 1e-3), 300)
            check(f"threshold {degrees:.2f}", (dot(downhill, records[-1].v[:2]) > 1e-6) == moves)


def test_bar():
    """The single impact of a bar: energy change under both laws."""
    half = math.sqrt(0.125)
    for mu, newton, fremond in ((0.01, 7.06220769446e-4, -6.75820114956e-4),
                                (0.1, 8.600602156079e-3, -5.533789814072e-3),
                                (1.0, 1.3493416308792e-2, 0.0)):
        body = {"mass": 1.0, "inertia": 1 / 12, "q": [0.0, half, math.pi / 4],
                "v": [-0.5, -0.5, 0.1]}
        contact = point_on_plane((0.0, -0.5), restitution=1.0, friction=mu)
        system = planar_system([body], [contact])
        before = kinetic(system, system.v)
        near("bar: energy before", before, 0.2504166666666667)
        for tau, change in ((0.0, newton), (1.0, fremond)):
            near(f"bar mu = {mu}, tau = {tau}", kinetic(system, strike(system, tau)[0]) - before,
                 change)
        # the same through one step that starts closed: nothing but the impact happens in it
        for name, change in zip(NAMES, (newton, fremond)):
            record = simulate(system, Scheme(name, 0.5, 1e-3), 1)[-1]
            near(f"bar mu = {mu}, {name}", kinetic(system, record.v) - before, change)


def test_bar_random():
    """Random bar impacts: Newton's law gains energy in some, Frémond's in none."""
    rng = random.Random(1)
    gains = {0.0: 0.0, 1.0: 0.0}
    for _ in range(2000):
        body = {"mass": 1.0, "inertia": 1 / 12, "q": [0.0, 0.0, rng.uniform(-1.5, 1.5)],
                "v": [rng.uniform(-1, 1), rng.uniform(-1, 0), rng.uniform(-2, 2)]}
        contact = point_on_plane((0.0, -0.5), restitution=1.0, friction=rng.uniform(0, 1))
        system = planar_system([body], [contact])
        if dot(contact.rows(system.q)[0], system.v) >= 0:
            continue
        before = kinetic(system, system.v)
        for tau in gains:
            gain = kinetic(system, strike(system, tau)[0]) / before - 1
            gains[tau] = max(gains[tau], gain)
    check(f"random bars: Newton gains {gains[0.0]:.3f}", gains[0.0] > 0.1)
    near("random bars: Frémond never gains", gains[1.0], 0.0, 1e-13)


def ball(v, w, e, mu, normal=(0.0, 1.0)):
    """A unit ball that touches a plane."""
    body = {"mass": 1.0, "inertia": 0.4, "q": [0.0, 0.0, 0.0], "v": [*v, w]}
    return planar_system([body], [disc_on_plane(1.0, normal, -1.0, restitution=e, friction=mu)])


def test_disc_impacts():
    """The three-parameter collision law of a ball, the superball, and two discs."""
    for e, tau, mu, expected in ((1, 1, 10, [10 / 7, 3, -17 / 7]), (1, 1, 0.05, [1.7, 3, -1.75]),
                                 (0.8, 0.5, 1, [11 / 7, 2.4, -29 / 14]),
                                 (0.5, 0, 0.02, [1.91, 1.5, -1.225]),
                                 (0, 0, 1, [12 / 7, 0, -12 / 7])):
        system = ball([2, -3], -1, e, mu)
        after, _ = strike(system, tau)
        near(f"ball ({e}, {tau}, {mu})", after, expected)
    near("ball: energy kept", kinetic(system, strike(ball([2, -3], -1, 1, 10), 1)[0]),
         kinetic(system, [2, -3, -1]))
    v, w = [1.0, -1.0], 0.0
    for down, v_x, spin in ((1, 3 / 7, -10 / 7), (-1, -31 / 49, 60 / 49),
                            (1, -333 / 343, 130 / 343)):
        after, _ = strike(ball([v[0], -down], w, 1, 10, (0.0, float(down))), 1)
        v, w = after[:2], after[2]
        near("superball", [v[0], w], [v_x, spin])
    distance = 1 + math.sqrt(2)
    bodies = [{"mass": 1.0, "inertia": 0.4, "q": [-0.8 * distance, 0.6 * distance, 0.0],
               "v": [1.0, 0.2, 0.3]},
              {"mass": 2.0, "inertia": 1.6, "q": [0.0, 0.0, 0.0], "v": [-0.5, 0.0, -0.2]}]
    contact = disc_on_disc(1.0, math.sqrt(2), restitution=0.9, friction=0.2)
    after, p = strike(planar_system(bodies, [contact]), 0.3)
    near("two discs P", p, [1.368, 0.2667246616729515])
    near("two discs 1", after[:3], [-0.2544347970037708, 0.8074202706616385, -0.366811654182379])
    near("two discs 2", after[3:], [0.1272173985018854, -0.30371013533081925, -0.4357535212232897])


def test_spinning_disc():
    """A sliding disc rolls at t = (v0 + R w0)/(mu g (1 + m R^2/I)), at v0 - mu g t."""
    mu, g, radius, v0, w0, h = 0.3, 9.81, 0.5, 3.0, 2.0, 1e-3
    body = {"mass": 2.0, "inertia": 0.5 * 2.0 * radius ** 2, "q": [0.0, radius, 0.0],
            "v": [v0, 0.0, w0]}
    system = planar_system([body], [disc_on_plane(radius, friction=mu)], (0.0, -g))
    until = (v0 + radius * w0) / (3 * mu * g)
    rolling = v0 - mu * g * until
    for name, theta in (("moreau-jean", 0.5), ("moreau-jean-fremond", 0.6)):
        records = simulate(system, Scheme(name, theta, h), round(2 * until / h))
        start = next(r.time for r in records if abs(r.v[0] + radius * r.v[2]) < 10 * h)
        near(f"{name}: rolls from", start, until, 5 * h)
        near(f"{name}: rolls at", records[-1].v[0], rolling, 1e-9)
        near(f"{name}: without slip", records[-1].v[0] + radius * records[-1].v[2], 0, 1e-9)


def test_multiple_impacts():
    """Three balls in a row and the rocking block."""
    def pair(i):
        row = [0.0, 0.0, 0.0]
        row[i], row[i + 1] = -1.0, 1.0
        return Contact(f"pair {i}", lambda q: 0.0, lambda q: [row], restitution)

    for restitution in (0.0, 0.5, 1.0):
        system = System(diagonal([1.0] * 3), [0.0] * 3, [1.0, 0.0, 0.0], [pair(0), pair(1)])
        e = restitution
        near(f"three balls e = {e}", strike(system, 0.0)[0],
             [(1 - 2 * e) / 3, (1 + e) / 3, (1 + e) / 3])
    for height, smooth, rough, least in ((1, 0, 0.25, 0.6), (1.5, 0.04, 7 / 13, 0.45),
                                         (2, 0.25, 0.7, 6 / 17), (4, 0.7, 31 / 34, 0.184615385)):
        near(f"block {height}: frictionless", rocking_ratio(height, 0.0), smooth)
        near(f"block {height}: no slip", rocking_ratio(height, least + 1e-6), rough)
        check(f"block {height}: slips below", rocking_ratio(height, least - 1e-3) != rough)
    for height, mu in ((math.sqrt(2), 0.0), (1 / math.sqrt(2), 2.0)):
        check("block: critical", rocking_ratio(height + 1e-3, mu) > 1e-5)
        near("block: below critical", rocking_ratio(height - 1e-3, mu), 0.0)


def rocking_ratio(height, mu):
    """omega+/omega- of a block of base 1 falling flat from a rotation about its left corner."""
    corners = [point_on_plane((x, -0.5 * height), friction=mu) for x in (-0.5, 0.5)]
    body = {"mass": 1.0, "inertia": (1 + height ** 2) / 12, "q": [0.0, 0.5 * height, 0.0],
            "v": [0.5 * height, -0.5, -1.0]}   # w = -1 about (-1/2, 0)
    return strike(planar_system([body], corners), 0.0)[0][2] / -1.0


def test_kane():
    """Kane's double pendulum hits the ground: Newton gains energy, Frémond loses."""
    a, b = math.radians(20), math.radians(30)
    coupling = 0.5 * math.cos(a - b)
    rows = [[math.sin(a), math.sin(b)], [math.cos(a), math.cos(b)]]
    contact = Contact("tip", lambda q: 0.0, lambda q: rows, 0.5, 0.5)
    system = System([[4 / 3, coupling], [coupling, 1 / 3]], [a, b], [-0.1, -0.2], [contact])
    near("Kane: before", kinetic(system, system.v), 0.023181410863455)
    for tau, energy, speeds in ((0.0, 0.036800366581273, [-0.3346489298, 0.3631153642]),
                                (1.0, 0.013037911992479, [-0.2062930193, 0.2753147504])):
        after, _ = strike(system, tau)
        near(f"Kane tau = {tau}: energy", kinetic(system, after), energy)
        near(f"Kane tau = {tau}: w+", after, speeds, 1e-10)


# ---- the solvers and the random systems ----


def test_spatial_solver():
    """One contact in 3D: isotropic closed form, and the law itself for full W."""
    W = diagonal([2.0, 1.0, 1.0])
    p = solve_contacts(W, [-1.0, 3.0, -4.0], [0.2], [3]).p
    near("3D slip", p, [0.5, -0.06, 0.08])
    near("3D stick", solve_contacts(W, [-1.0, 0.03, -0.04], [0.2], [3]).p, [0.5, -0.03, 0.04])
    near("3D open", solve_contacts(W, [1.0, 3.0, -4.0], [0.2], [3]).p, [0.0] * 3)
    rng = random.Random(3)
    for _ in range(100):
        W = random_systems.draw_mass(rng, 3)
        b = [rng.uniform(-2, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)]
        mu = rng.uniform(0, 0.8)
        answer = solve_contacts(W, b, [mu], [3])
        breach = compare_run.breaches([0.0] * 3, answer.s, answer.p, (0.0, mu, 0.0),
                                      compare_run.scales(b, answer.p))
        near("3D law", max(breach.values()), 0.0, 1e-10)


def test_random_systems():
    """Generated systems obey the law, close their ledger, survive writing and reading."""
    for spatial, seeds in ((False, range(1, 13)), (True, range(1, 4))):
        for seed in seeds:
            drawn = random_systems.generate(seed, spatial)
            judge_random(drawn)
            with tempfile.TemporaryDirectory() as folder:
                _, path = random_systems.write(drawn, folder)
                rows = compare_run.read_csv(path)
            check(f"{drawn.name}: read back",
                  compare_run.judge_coordinates(rows, drawn.records, 0.0) == [])
            rows[-1]["v"] += 1e-8
            check(f"{drawn.name}: a fault is seen",
                  len(compare_run.judge_coordinates(rows, drawn.records, 1e-9)) == 1)
    again = random_systems.generate(1)
    check("the same seed gives the same text",
          random_systems.scene_text(again) == random_systems.scene_text(random_systems.generate(1)))


def judge_random(drawn):
    """Law, ledger and (under its hypotheses) dissipation of one random system."""
    system, scheme = drawn.system(), drawn.scheme
    laws = {c.name: (c.restitution, c.friction) for c in system.contacts}
    pairs = list(zip(drawn.records, drawn.records[1:]))
    terms = [ledger(system, scheme, old, new) for old, new in pairs]
    scale = max(t["kinetic"] + t["elastic"] for t in terms)
    near(f"{drawn.name}: balance", max(abs(t["residual"]) for t in terms), 0, 1e-13 * scale)
    contacts = [c for record in drawn.records for c in record.contacts]
    floor = compare_run.scales([x for c in contacts for x in c.before + c.after],
                               [x for c in contacts for x in c.impulse])
    breach = max(max(compare_run.breaches(c.before, c.after, c.impulse,
                                          (*laws[c.name], scheme.tau), floor).values())
                 for c in contacts)
    near(f"{drawn.name}: law", breach, 0, 1e-10)
    if scheme.name == "moreau-jean-fremond":
        for c in contacts:
            if scheme.theta <= 1 / (1 + laws[c.name][0]):
                check(f"{drawn.name}: dissipates", c.work_n + c.work_t <= 1e-12)


# ---- the complaints about exports ----


def export(records, system, scheme, body="stick"):
    """The judge's records as the three tables of an export."""
    table = {"bodies": ["step,time,body," + ",".join(compare_run.STATE)],
             "contacts": ["step,time,contact,a,b,gap,un_before,ut_before,un_after,ut_after,pn,pt,"
                          "work_n,work_t,status"],
             "energy": ["step,time," + ",".join(compare_run.ENERGIES + compare_run.WORKS)
                        + ",residual"]}
    for k, r in enumerate(records):
        state = ",".join(map(repr, r.q + r.v))
        table["bodies"].append(f"{r.step},{r.time!r},{body},{state}")
        old = records[k - 1] if k else r._replace(time=-scheme.step)
        terms = ledger(system, scheme, old, r)
        if not k:
            terms |= {name: 0.0 for name in compare_run.WORKS + ("residual",)}
        values = ",".join(repr(terms[name]) for name in
                          compare_run.ENERGIES + compare_run.WORKS + ("residual",))
        table["energy"].append(f"{r.step},{r.time!r},{values}")
        for c in r.contacts:
            local = ",".join(map(repr, [c.gap, *c.before, *c.after, *c.impulse, c.work_n,
                                        c.work_t]))
            table["contacts"].append(f"{r.step},{r.time!r},c1,stick,ground,{local},{c.status}")
    return {name: compare_run.read_text("\n".join(lines) + "\n") for name, lines in table.items()}


def complaints(tables, scheme, steps, **stick):
    """All judges on one export."""
    params = Stick(**stick)
    found = compare_run.judge_stick(tables["bodies"], tables["contacts"], tables["energy"],
                                    params, scheme, steps)
    found += compare_run.judge_law(tables["contacts"], {"c1": (params.e, params.mu)},
                                   scheme.name, scheme.theta)
    return found + compare_run.judge_ledger(tables["energy"], tables["contacts"])


def test_compare_run():
    """An honest export passes; every single fault is seen."""
    for name, theta, e, mu in (("moreau-jean", 0.5, 1.0, 0.01), ("moreau-jean", 0.7, 0.3, 0.5),
                               ("moreau-jean-fremond", 0.5, 1.0, 0.01),
                               ("moreau-jean-fremond", 0.6, 0.0, 1.0)):
        scheme = Scheme(name, theta, 1e-4)
        system = Stick(e=e, mu=mu).system()
        records = simulate(system, scheme, 800)
        tables = export(records, system, scheme)
        found = complaints(tables, scheme, 800, e=e, mu=mu)
        check(f"honest export {name} {theta}: {found[:3]}", found == [])
        other = Scheme(NAMES[name == NAMES[0]], theta, 1e-4)
        if theta == 0.5:
            check("the other scheme is seen", complaints(tables, other, 800, e=e, mu=mu) != [])
    faults(tables, records, scheme, e, mu)


def faults(tables, records, scheme, e, mu):
    """Change one field at a time and expect a complaint of the right judge."""
    first = next(i for i, row in enumerate(tables["contacts"]) if row["pn"] > 0)
    index = {"bodies": 400, "energy": 400, "contacts": first}
    for table, rows in tables.items():
        row = rows[index[table]]
        for column in [c for c in row if c not in compare_run.TEXT]:
            kept = row[column]
            row[column] = kept + (1 if column == "step" else 1e-9)
            check(f"fault in {table}.{column} is seen",
                  complaints(tables, scheme, len(records) - 1, e=e, mu=mu) != [])
            row[column] = math.nan
            check(f"NaN in {table}.{column} is seen",
                  complaints(tables, scheme, len(records) - 1, e=e, mu=mu) != [])
            row[column] = kept
    law, row = compare_run.judge_law, tables["contacts"][first]
    check("law holds", law([row], (e, mu), scheme.name, scheme.theta) == [])
    for change in ({"pn": -row["pn"]}, {"pt": 1.01 * mu * row["pn"]}, {"un_after": 0.1},
                   {"un_after": -0.1}, {"pt": -row["pt"]}, {"status": "inactive"},
                   {"work_t": row["work_t"] + 1e-9}, {"work_n": row["work_n"] + 1e-9}):
        check(f"law: {change} is seen",
              law([row | change], (e, mu), scheme.name, scheme.theta) != [])
    check("law unknown is said", law([row], {"other": (e, mu)}) != [])
    nothing = dict.fromkeys(("pn", "pt", "work_n", "work_t"), 0.0) | {"status": "inactive"}
    check("inactive without impulse is fine", law([row | nothing], (e, mu)) == [])
    check("empty tables are not fine", compare_run.judge_ledger([]) != []
          and compare_run.judge_stick([], []) != [])


def test_command():
    """compare_run as a command: status and last line."""
    scheme = Scheme("moreau-jean", 0.5, 1e-4)
    system = Stick().system()
    tables = export(simulate(system, scheme, 700), system, scheme)
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in tables.items():
            with open(f"{folder}/{name}.csv", "w", encoding="utf-8") as stream:
                print(",".join(rows[0]), file=stream)
                for row in rows:
                    print(",".join(x if isinstance(x, str) else repr(x) for x in row.values()),
                          file=stream)
        base = [f"--{name}={folder}/{name}.csv" for name in tables] + ["--steps=700"]
        for extra, status in (("--scheme=moreau-jean", 0), ("--mu=0.02", 1)):
            sys.stdout = io.StringIO()
            try:
                result = compare_run.main([*base, extra])
                said = sys.stdout.getvalue()
            finally:
                sys.stdout = sys.__stdout__
            check(f"command {extra}: {said[-200:]}", result == status)


def main():
    """Run every test of this file."""
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
    print(f"{RESULTS['passed']} passed, {RESULTS['failed']} failed")
    return 1 if RESULTS["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
