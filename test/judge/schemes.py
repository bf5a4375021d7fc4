# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""The judge's own schemes: Moreau-Jean and Moreau-Jean-Frémond, written from the equations.

One step, with x_theta = (1-theta) x_k + theta x_{k+1} and one H for the whole step:

    M (v' - v) + h K q_theta + h C v_theta - h F_theta = H^T p,       q' = q + h v_theta
    s = H v' + (e u_N, tau u_T),   u = H v,   tau = 0 or (1-theta)/theta
    0 <= s_N  _|_  p_N >= 0,       |p_T| <= mu p_N,       p_T = -mu p_N s_T/|s_T|  if  s_T != 0

It shares nothing with the library: contact problems are solved by trying every pattern of
statuses (open, stick, slip+, slip-) with one linear system each, and a single contact in 3D by
scanning the slip angle. Slow, short and meant to be read. Standard library only.
"""

import itertools
import math
import operator
from dataclasses import dataclass
from typing import Callable, NamedTuple

# ---- small dense algebra: vectors are lists, matrices lists of rows, sums are exact ----


def dot(a, b):
    """Scalar product, its sum rounded once."""
    return math.fsum(map(operator.mul, a, b))


def times(matrix, vector):
    """matrix . vector"""
    return [dot(row, vector) for row in matrix]


def transposed_times(matrix, vector, size):
    """matrix^T . vector; `size` matters when there are no rows."""
    return [math.fsum(row[i] * x for row, x in zip(matrix, vector)) for i in range(size)]


def add(a, factor, b):
    """a + factor b"""
    return [x + factor * y for x, y in zip(a, b)]


def zeros(size):
    """The square zero matrix."""
    return [[0.0] * size for _ in range(size)]


def diagonal(entries):
    """The diagonal matrix of these entries."""
    return [[x if i == j else 0.0 for j in range(len(entries))] for i, x in enumerate(entries)]


def eliminate(matrix, rhs):
    """Gauss elimination with row pivots; None if the matrix is singular to rounding."""
    n = len(rhs)
    rows = [list(row) + [value] for row, value in zip(matrix, rhs)]
    largest = max((abs(x) for row in matrix for x in row), default=0.0)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        if abs(rows[pivot][k]) <= 1e-13 * largest:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            if factor:
                rows[i] = add(rows[i], -factor, rows[k])
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (rows[k][n] - dot(rows[k][k + 1:n], x[k + 1:])) / rows[k][k]
    return x


def solve(matrix, rhs):
    """Solution of matrix x = rhs with one refinement, or None if singular."""
    x = eliminate(matrix, rhs)
    if x is None:
        return None
    defect = [math.fsum([b] + [-a * y for a, y in zip(row, x)]) for row, b in zip(matrix, rhs)]
    return add(x, 1.0, eliminate(matrix, defect))


def inverse(matrix):
    """Inverse by columns."""
    n = len(matrix)
    columns = [solve(matrix, [float(i == j) for i in range(n)]) for j in range(n)]
    return [list(row) for row in zip(*columns)]


# ---- one step's contact problem:  s = W p + b,  the law between s and p ----


class Answer(NamedTuple):
    """What was found for one contact problem."""

    p: list           # impulses, contact after contact, normal first
    s: list           # W p + b
    statuses: tuple   # per contact: open, stick, slip+, slip- (slip in 3D; closed: no tangent)
    violation: float  # largest breach of the law, as a velocity
    spread: float     # largest distance in s to another pattern that is as good: 0 if unique


def offsets(sizes):
    """First component of each contact."""
    return [0, *itertools.accumulate(sizes)][:-1]


def pattern_system(W, b, mu, sizes, statuses):
    """Rows and right side that this pattern of statuses imposes on p."""
    rows, rhs = [], []
    for first, size, friction, status in zip(offsets(sizes), sizes, mu, statuses):
        for i in range(first, first + size):
            unit = [float(i == j) for j in range(len(b))]
            if status == "open":
                rows.append(unit)
                rhs.append(0.0)
            elif status == "stick" or i == first:
                rows.append(W[i])
                rhs.append(-b[i])
            else:
                unit[first] = friction if status == "slip+" else -friction
                rows.append(unit)
                rhs.append(0.0)
    return rows, rhs


def contact_violation(p, s, friction, weight, status):
    """Breach of the law at one contact; impulses are weighed to velocities."""
    breach = max(0.0, -weight * p[0], -s[0])
    tangential = math.hypot(*p[1:]) if len(p) > 1 else 0.0
    breach = max(breach, weight * (tangential - friction * p[0]))
    if status in ("slip+", "slip-"):
        breach = max(breach, -s[1] if status == "slip+" else s[1])
    return breach


def total_violation(W, mu, sizes, statuses, p, s):
    """Largest breach over all contacts."""
    worst = 0.0
    for first, size, friction, status in zip(offsets(sizes), sizes, mu, statuses):
        part = slice(first, first + size)
        weight = W[first][first]
        worst = max(worst, contact_violation(p[part], s[part], friction, weight, status))
    return worst


def solve_planar(W, b, mu, sizes):
    """Every pattern of statuses in turn; the one with the least violation wins."""
    menu = {1: ("open", "closed"), 2: ("open", "stick", "slip+", "slip-")}
    found = []
    for statuses in itertools.product(*(menu[size] for size in sizes)):
        p = eliminate(*pattern_system(W, b, mu, sizes, statuses))
        if p is None:
            continue
        s = add(times(W, p), 1.0, b)
        found.append((total_violation(W, mu, sizes, statuses, p, s), statuses, p, s))
    violation, statuses, p, s = min(found, key=lambda entry: entry[0])
    p = solve(*pattern_system(W, b, mu, sizes, statuses))
    s = add(times(W, p), 1.0, b)
    limit = max(10 * violation, 1e-12 * max(map(abs, b)))
    rivals = [entry[3] for entry in found if entry[0] <= limit]
    spread = max(max(abs(x - y) for x, y in zip(s, other)) for other in rivals)
    return Answer(p, s, statuses, violation, spread)


def slip_edge(W, mu, angle):
    """The edge of the cone that opposes slip along `angle`, and s_N per impulse along it."""
    edge = [1.0, -mu * math.cos(angle), -mu * math.sin(angle)]
    return edge, dot(W[0], edge)


def slip_mismatch(W, b, mu, angle):
    """s_T x direction when s_N = 0, times s_N per impulse so that it has no pole."""
    edge, slope = slip_edge(W, mu, angle)
    sliding = [slope * y - b[0] * x for x, y in zip(times(W[1:], edge), b[1:])]
    return sliding[1] * math.cos(angle) - sliding[0] * math.sin(angle)


def slip_impulses(W, b, mu, samples=720):
    """Impulses with s_N = 0 whose s_T is parallel to the slip: sign changes, then bisection."""
    grid = [2 * math.pi * (i + 0.123) / samples for i in range(samples + 1)]
    values = [slip_mismatch(W, b, mu, angle) for angle in grid]
    for low, high, at_low, at_high in zip(grid, grid[1:], values, values[1:]):
        if at_low * at_high > 0.0:
            continue
        for _ in range(60):
            middle = 0.5 * (low + high)
            if at_low * slip_mismatch(W, b, mu, middle) <= 0.0:
                high = middle
            else:
                low = middle
        edge, slope = slip_edge(W, mu, 0.5 * (low + high))
        if abs(slope) > 1e-12 * W[0][0]:
            yield [-b[0] / slope * x for x in edge]


def solve_spatial(W, b, mu):
    """One contact in 3D: open, stick, or slip in a direction found by scanning the circle."""
    candidates = [("open", [0.0] * 3)]
    stick = solve(W, [-x for x in b])
    if stick is not None:
        candidates.append(("stick", stick))
    candidates += [("slip", p) for p in slip_impulses(W, b, mu)]
    found = []
    for status, p in candidates:
        s = add(times(W, p), 1.0, b)
        breach = contact_violation(p, s, mu, W[0][0], status)
        if status == "slip":
            # friction opposes slip, p_T + mu p_N s_T/|s_T| = 0, unless nothing slips at all
            speed = math.hypot(s[1], s[2])
            away = add([speed * x for x in p[1:]], mu * p[0], s[1:])
            breach = max(breach, min(speed, W[0][0] * math.hypot(*away) / (speed or 1.0)))
        found.append((breach, status, p, s))
    violation, status, p, s = min(found, key=lambda entry: entry[0])
    limit = max(10 * violation, 1e-11 * max(map(abs, b)))
    rivals = [entry[3] for entry in found if entry[0] <= limit]
    spread = max(max(abs(x - y) for x, y in zip(s, other)) for other in rivals)
    return Answer(p, s, (status,), violation, spread)


def solve_contacts(W, b, mu, sizes):
    """Impulses of one contact problem; sizes: 1 frictionless, 2 planar, 3 spatial (alone)."""
    if not sizes:
        return Answer([], [], (), 0.0, 0.0)
    if max(sizes) == 3:
        if len(sizes) > 1:
            raise NotImplementedError("the judge solves one contact in 3D, not several")
        return solve_spatial(W, b, mu[0])
    return solve_planar(W, b, mu, sizes)


# ---- systems and schemes ----


@dataclass
class Contact:
    """A possible contact: gap(q) and the rows of H at q, normal row first."""

    name: str
    gap: Callable
    rows: Callable
    restitution: float = 0.0
    friction: float = 0.0


@dataclass
class System:
    """Matrices, weight (a constant force booked as potential), load(t), contacts and start."""

    mass: list
    q: list
    v: list
    contacts: list
    stiffness: list = None
    damping: list = None
    weight: list = None
    load: Callable = None

    def __post_init__(self):
        n = len(self.q)
        self.stiffness = self.stiffness or zeros(n)
        self.damping = self.damping or zeros(n)
        self.weight = self.weight or [0.0] * n
        self.load = self.load or (lambda t: [0.0] * n)


@dataclass
class Scheme:
    """name, theta, h and the conventions of the step.

    rule: predicted         gap(q + h v) <= gap_tolerance   and u_N <= velocity_tolerance
          predicted-linear  gap(q) + h u_N <= ...           and u_N <= ...
          half              gap(q) + (h/2) u_N <= ...       whatever u_N
    jacobian: start (H at q_k) or free (H at the end of the free motion).
    velocity_condition: None takes the rule's own, True or False overrides it.
    """

    name: str = "moreau-jean-fremond"
    theta: float = 0.5
    step: float = 1e-3
    rule: str = "predicted"
    jacobian: str = "start"
    gap_tolerance: float = 1e-12
    velocity_tolerance: float = 1e-12
    velocity_condition: bool = None

    @property
    def tau(self):
        """Tangential restitution that makes the canonical law the scheme's own."""
        return {"moreau-jean": 0.0,
                "moreau-jean-fremond": (1.0 - self.theta) / self.theta}[self.name]


class ContactRecord(NamedTuple):
    """One active contact in one step."""

    name: str
    gap: float       # where H was evaluated
    before: list     # u = H v, normal first
    after: list      # u' = H v'
    impulse: list
    work_n: float
    work_t: float
    status: str


class Record(NamedTuple):
    """The state at the end of a step and what happened in it; `step` 0 is the start."""

    step: int
    time: float
    q: list
    v: list
    contacts: list
    violation: float = 0.0
    spread: float = 0.0


class Stepper:
    """Advances a system step by step; Mhat is inverted once."""

    def __init__(self, system, scheme):
        self.system, self.scheme = system, scheme
        h, theta = scheme.step, scheme.theta
        n = len(system.q)
        self.iteration = [[system.mass[i][j] + h * theta * system.damping[i][j]
                           + (h * theta) ** 2 * system.stiffness[i][j] for j in range(n)]
                          for i in range(n)]
        self.mobility = inverse(self.iteration)

    def free_velocity(self, time, q, v):
        """v' if no contact acts:  Mhat (v' - v) = h [F_theta - K (q + theta h v) - C v]."""
        system, h, theta = self.system, self.scheme.step, self.scheme.theta
        load = add([(1 - theta) * x for x in system.load(time)], theta, system.load(time + h))
        force = add(add(load, 1.0, system.weight), -1.0,
                    times(system.stiffness, add(q, theta * h, v)))
        force = add(force, -1.0, times(system.damping, v))
        return add(v, h, times(self.mobility, force))

    def is_active(self, contact, rows, q, v):
        """The activation rule."""
        scheme, h = self.scheme, self.scheme.step
        speed = dot(rows[0], v)
        gap = {"predicted": lambda: contact.gap(add(q, h, v)),
               "predicted-linear": lambda: contact.gap(q) + h * speed,
               "half": lambda: contact.gap(q) + 0.5 * h * speed}[scheme.rule]()
        condition = scheme.velocity_condition
        if condition is None:
            condition = scheme.rule != "half"
        return gap <= scheme.gap_tolerance and (
            not condition or speed <= scheme.velocity_tolerance)

    def impulses(self, active, v, free):
        """Solve the canonical problem of the active contacts: (contact, rows) pairs."""
        sizes = [len(rows) for _, rows in active]
        H = [row for _, rows in active for row in rows]
        mobile = [times(self.mobility, row) for row in H]
        W = [[dot(row, column) for column in mobile] for row in H]
        b = []
        for contact, rows in active:
            factors = [contact.restitution] + [self.scheme.tau] * (len(rows) - 1)
            b += [dot(row, free) + f * dot(row, v) for f, row in zip(factors, rows)]
        answer = solve_contacts(W, b, [contact.friction for contact, _ in active], sizes)
        return H, sizes, answer

    def advance(self, record):
        """The next record."""
        h, theta = self.scheme.step, self.scheme.theta
        q, v = record.q, record.v
        free = self.free_velocity(record.time, q, v)
        place = q
        if self.scheme.jacobian == "free":
            place = add(add(q, h * (1 - theta), v), h * theta, free)
        candidates = [(contact, contact.rows(place)) for contact in self.system.contacts]
        active = [(c, rows) for c, rows in candidates if self.is_active(c, rows, q, v)]
        H, sizes, answer = self.impulses(active, v, free)
        after = add(free, 1.0, times(self.mobility, transposed_times(H, answer.p, len(q))))
        middle = add([(1 - theta) * x for x in v], theta, after)
        contacts = [self.contact_record(*entry, place, v, after) for entry in
                    zip(active, offsets(sizes), [answer] * len(active), answer.statuses)]
        step = record.step + 1
        return Record(step, step * h, add(q, h, middle), after, contacts,
                      answer.violation, answer.spread)

    def contact_record(self, pair, first, answer, status, place, v, after):
        """Velocities and works of the law for one contact."""
        contact, rows = pair
        theta = self.scheme.theta
        impulse = answer.p[first:first + len(rows)]
        old, new = times(rows, v), times(rows, after)
        middle = add([(1 - theta) * x for x in old], theta, new)
        works = [p * u for p, u in zip(impulse, middle)]
        return ContactRecord(contact.name, contact.gap(place), old, new, impulse,
                             works[0], math.fsum(works[1:]), status)


def simulate(system, scheme, steps):
    """Records 0 to `steps`."""
    stepper = Stepper(system, scheme)
    records = [Record(0, 0.0, list(system.q), list(system.v), [])]
    for _ in range(steps):
        records.append(stepper.advance(records[-1]))
    return records


def strike(system, tau):
    """Velocity after one instantaneous impact of all contacts at q, and the impulses."""
    stepper = Stepper(system, Scheme(step=0.0))
    H, mu, sizes, b = [], [], [], []
    for contact in system.contacts:
        rows = contact.rows(system.q)
        factors = [contact.restitution, tau, tau]
        b += [(1 + f) * dot(row, system.v) for f, row in zip(factors, rows)]
        H, mu, sizes = H + rows, mu + [contact.friction], sizes + [len(rows)]
    W = [[dot(row, times(stepper.mobility, other)) for other in H] for row in H]
    p = solve_contacts(W, b, mu, sizes).p
    push = transposed_times(H, p, len(system.q))
    return add(system.v, 1.0, times(stepper.mobility, push)), p


# ---- energies of the judge's own records ----


def kinetic(system, v):
    """v.M v/2"""
    return 0.5 * dot(v, times(system.mass, v))


def elastic(system, q):
    """q.K q/2"""
    return 0.5 * dot(q, times(system.stiffness, q))


def potential(system, q):
    """Potential of the weight."""
    return -dot(system.weight, q)


def ledger(system, scheme, old, new):
    """The terms of one step by the names of the energy export, residual included."""
    h, theta = scheme.step, scheme.theta
    middle = add([(1 - theta) * x for x in old.v], theta, new.v)
    load = add([(1 - theta) * x for x in system.load(old.time)], theta,
               system.load(old.time + h))
    dv, dq = add(new.v, -1.0, old.v), add(new.q, -1.0, old.q)
    works = {
        "external_work": h * dot(load, middle),
        "damping_work": -h * dot(middle, times(system.damping, middle)),
        "numerical_dissipation": (0.5 - theta) * (dot(dv, times(system.mass, dv))
                                                  + dot(dq, times(system.stiffness, dq))),
        "contact_normal_work": math.fsum(c.work_n for c in new.contacts),
        "contact_tangential_work": math.fsum(c.work_t for c in new.contacts),
        "boundary_work": 0.0, "joint_work": 0.0, "correction_work": 0.0,
    }
    ends = {"kinetic": kinetic(system, new.v), "elastic": elastic(system, new.q),
            "potential": potential(system, new.q)}
    starts = [kinetic(system, old.v), elastic(system, old.q), potential(system, old.q)]
    residual = math.fsum([*ends.values(), *(-x for x in starts), *(-x for x in works.values())])
    return {**ends, **works, "residual": residual}


# ---- planar bodies: coordinates x, y, angle per body; tangent = normal turned by +90 degrees ----


def rotate(angle, point):
    """Body-frame point in the frame of the world, from the body's centre."""
    c, s = math.cos(angle), math.sin(angle)
    return [c * point[0] - s * point[1], s * point[0] + c * point[1]]


def turned(normal):
    """The tangent of a normal."""
    return [-normal[1], normal[0]]


def body_rows(size, body, lever, normal, sign=1.0):
    """Normal and tangent rows of the velocity of the point at `lever` from a body's centre."""
    rows = []
    for axis in (normal, turned(normal)):
        row = [0.0] * size
        turn = lever[0] * axis[1] - lever[1] * axis[0]
        row[3 * body:3 * body + 3] = [sign * axis[0], sign * axis[1], sign * turn]
        rows.append(row)
    return rows


def point_on_plane(point, normal=(0.0, 1.0), offset=0.0, body=0, **law):
    """A body-frame point over the half-plane normal . x <= offset."""
    def gap(q):
        lever = rotate(q[3 * body + 2], point)
        return math.fsum([normal[0] * q[3 * body], normal[0] * lever[0],
                          normal[1] * q[3 * body + 1], normal[1] * lever[1], -offset])

    def rows(q):
        return body_rows(len(q), body, rotate(q[3 * body + 2], point), normal)

    return Contact("point", gap, rows, **law)


def disc_on_plane(radius, normal=(0.0, 1.0), offset=0.0, body=0, **law):
    """A disc over the half-plane normal . x <= offset."""
    def gap(q):
        return dot(normal, q[3 * body:3 * body + 2]) - offset - radius

    def rows(q):
        return body_rows(len(q), body, [-radius * x for x in normal], normal)

    return Contact("disc", gap, rows, **law)


def disc_on_disc(radius_a, radius_b, a=0, b=1, **law):
    """Two discs; the normal points from b to a."""
    def difference(q):
        return [q[3 * a] - q[3 * b], q[3 * a + 1] - q[3 * b + 1]]

    def gap(q):
        return math.hypot(*difference(q)) - radius_a - radius_b

    def rows(q):
        apart = difference(q)
        normal = [x / math.hypot(*apart) for x in apart]
        first = body_rows(len(q), a, [-radius_a * x for x in normal], normal)
        second = body_rows(len(q), b, [radius_b * x for x in normal], normal, sign=-1.0)
        return [add(x, 1.0, y) for x, y in zip(first, second)]

    return Contact("discs", gap, rows, **law)


def planar_system(bodies, contacts, gravity=(0.0, 0.0)):
    """System of free bodies: dicts with mass, inertia, q (x, y, angle) and v."""
    masses = [m for body in bodies for m in (body["mass"], body["mass"], body["inertia"])]
    weight = [f for body in bodies
              for f in (body["mass"] * gravity[0], body["mass"] * gravity[1], 0.0)]
    return System(diagonal(masses), [x for body in bodies for x in body["q"]],
                  [x for body in bodies for x in body["v"]], contacts, weight=weight)


def linear_contact(name, normal, tangents, offset, restitution, friction):
    """A contact of a matrix system: gap = normal . q + offset, constant rows."""
    rows = [list(normal), *map(list, tangents)]
    return Contact(name, lambda q: dot(normal, q) + offset, lambda q: rows,
                   restitution, friction)


@dataclass
class Stick:
    """The impacting stick of paper 001, section 5.1, in the names of the scene's parameters."""

    m: float = 1.0
    l: float = 1.0
    g: float = 10.0
    e: float = 1.0
    mu: float = 0.01
    gamma0: float = math.pi / 4
    clearance: float = 0.01
    vx: float = -0.5
    vy: float = 0.1
    omega: float = 0.1

    def system(self, contact=None):
        """The stick over the ground y <= 0, touching with its body-frame point (0, -l/2)."""
        half = 0.5 * self.l
        law = {"restitution": self.e, "friction": self.mu}
        body = {"mass": self.m, "inertia": self.m * self.l ** 2 / 12,
                "q": [half * math.sin(self.gamma0),
                      half * math.cos(self.gamma0) + self.clearance, self.gamma0],
                "v": [self.vx, self.vy, self.omega]}
        return planar_system([body], [contact or point_on_plane((0.0, -half), **law)],
                             (0.0, -self.g))

    def other_side(self):
        """The contact with C = G - (l/2)(sin gamma, cos gamma), tangent along +x."""
        half = 0.5 * self.l
        return Contact("other side", lambda q: q[1] - half * math.cos(q[2]),
                       lambda q: [[0.0, 1.0, half * math.sin(q[2])],
                                  [1.0, 0.0, -half * math.cos(q[2])]], self.e, self.mu)
