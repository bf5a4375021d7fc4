# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Random matrix systems as scree scenes, each with the judge's own trajectory.

    system = generate(seed)              a random system whose outcome does not hang on rounding
    write(system, folder)                NAME.yaml for scree, NAME.csv as scree should export it
    judge_coordinates(rows, system.records, 1e-9)         from compare_run, says where they differ

All matrices, rows and starting values are multiples of 1/16, so that gaps that should be zero are,
and K and C are exactly positive semidefinite. A draw is thrown away (and the next one taken,
deterministically) if a contact problem has several solutions or none, if hardly any contact acts,
or if the trajectory hangs on rounding: it must be the same for activation tolerances of 1e-12 and
1e-8, and must not amplify a perturbation of 1e-11 more than thirty times.

As a command:  random_systems.py FOLDER [--seed S] [--count N] [--spatial]
"""

import argparse
import decimal
import math
import pathlib
import random
import sys
from dataclasses import dataclass, field, replace

from schemes import Scheme, System, dot, inverse, linear_contact, simulate, times

FEWEST_IMPULSES = 10     # steps with an impulse that a system must have
PERTURBATION = 1e-11     # of the start, to measure how much the trajectory amplifies
AMPLIFICATION = 30.0     # largest one allowed


@dataclass
class Load:
    """constant + amplitude sin(rate t + phase), the same for scree (text) and judge (value)."""

    constant: float = 0.0
    amplitude: float = 0.0
    rate: float = 1.0
    phase: float = 0.0

    def value(self, t):
        """The load at time t."""
        return self.constant + self.amplitude * math.sin(self.rate * t + self.phase)

    def text(self):
        """The load in a scene file: a number, or an expression in t."""
        if not self.amplitude:
            return repr(self.constant)
        return f'"{self.constant!r} + {self.amplitude!r}*sin({self.rate!r}*t + {self.phase!r})"'


@dataclass
class RandomSystem:
    """One draw: parameters as drawn, and the judge's records once it is accepted."""

    name: str
    mass: list
    stiffness: list
    damping: list
    loads: list
    position: list
    velocity: list
    contacts: list           # dicts: name, normal, tangents, gap, restitution, friction
    scheme: Scheme
    steps: int
    records: list = field(default_factory=list)

    def system(self, shift=0.0):
        """The judge's system, started `shift` beside the real start."""
        contacts = [linear_contact(c["name"], c["normal"], c["tangents"], c["gap"],
                                   c["restitution"], c["friction"]) for c in self.contacts]
        return System(self.mass, [x + shift for x in self.position],
                      [x - shift for x in self.velocity], contacts, self.stiffness, self.damping,
                      load=lambda t: [load.value(t) for load in self.loads])


# ---- drawing ----


def draw_dyadic(rng, low, high):
    """A multiple of 1/16 in [low, high]."""
    return rng.randint(round(16 * low), round(16 * high)) / 16


def draw_gram(rng, size, rank, scale):
    """B B^T with B of `rank` columns; the entries of B are multiples of 1/4."""
    columns = [[rng.randint(-4, 4) / 4 for _ in range(size)] for _ in range(rank)]
    return [[scale * math.fsum(c[i] * c[j] for c in columns) for j in range(size)]
            for i in range(size)]


def draw_mass(rng, size):
    """A positive definite mass matrix, well conditioned."""
    mass = draw_gram(rng, size, size, 0.25)
    for i in range(size):
        mass[i][i] += draw_dyadic(rng, 0.5, 2)
    return mass


def draw_row(rng, size):
    """A row of H, not zero."""
    while True:
        row = [rng.choice((0.0, draw_dyadic(rng, -1, 1))) for _ in range(size)]
        if any(row):
            return row


def draw_tangent_counts(rng, size, spatial):
    """Tangent rows of each contact; all rows together at most `size`."""
    if spatial:
        return [2]
    counts = [0] * rng.randint(1, min(3, size))
    spare = size - len(counts)
    for i in range(len(counts)):
        if spare > 0 and rng.random() < 0.9:
            counts[i], spare = 1, spare - 1
    return counts


def draw_contacts(rng, position, spatial):
    """Contacts that are open or just closed at the start."""
    size = len(position)
    contacts = []
    for index, count in enumerate(draw_tangent_counts(rng, size, spatial)):
        normal = draw_row(rng, size)
        contacts.append({
            "name": f"stop{index}", "normal": normal,
            "tangents": [draw_row(rng, size) for _ in range(count)],
            "gap": rng.choice((0.0, draw_dyadic(rng, 0, 0.25))) - dot(normal, position),
            "restitution": rng.choice((0.0, 0.5, 1.0, rng.randint(0, 100) / 100)),
            "friction": rng.choice((0.0, 0.3, 0.5, 1.0, rng.randint(0, 99) / 100)) * bool(count),
        })
    return contacts


def draw_loads(rng, contacts, size):
    """Loads that press on the contacts on average, some of them periodic."""
    press = rng.choice((0.0, draw_dyadic(rng, 0, 4), draw_dyadic(rng, 1, 8)))
    constants = [-press * math.fsum(c["normal"][i] for c in contacts) for i in range(size)]
    loads = []
    for constant in constants:
        periodic = rng.random() < 0.4
        loads.append(Load(constant + rng.choice((0.0, draw_dyadic(rng, -1, 1))),
                          draw_dyadic(rng, 0.5, 4) if periodic else 0.0,
                          draw_dyadic(rng, 1, 20), draw_dyadic(rng, 0, 3)))
    return loads


def draw_velocity(rng, contacts, size):
    """A start that closes the first contact."""
    velocity = [draw_dyadic(rng, -2, 2) for _ in range(size)]
    towards = dot(contacts[0]["normal"], velocity)
    return [-x for x in velocity] if towards > 0 else velocity


def draw_scheme(rng):
    """Any of the two schemes, theta in [1/2, 1]."""
    return Scheme(rng.choice(("moreau-jean", "moreau-jean-fremond")),
                  rng.choice((0.5, 0.5, 0.6, 1.0, rng.randint(50, 100) / 100)),
                  rng.choice((1e-3, 2e-3, 5e-3, 1e-2)))


def draw(rng, name, spatial=False):
    """One system, not yet known to be a fair test."""
    size = rng.choice((3, 4, 5, 6) if spatial else (2, 3, 4, 5, 6, 6, 6))
    position = [draw_dyadic(rng, -1, 1) for _ in range(size)]
    contacts = draw_contacts(rng, position, spatial)
    return RandomSystem(
        name, draw_mass(rng, size),
        draw_gram(rng, size, rng.randint(0, size), rng.choice((1.0, 16.0, 256.0))),
        draw_gram(rng, size, rng.randint(0, size), rng.choice((0.0, 0.25, 1.0))),
        draw_loads(rng, contacts, size), position, draw_velocity(rng, contacts, size), contacts,
        draw_scheme(rng), rng.randint(100, 300))


# ---- fair tests only ----


def is_well_posed(system):
    """W = H M^-1 H^T is well conditioned."""
    H = [row for c in system.contacts for row in [c["normal"], *c["tangents"]]]
    mobility = inverse(system.mass)
    W = [[dot(row, times(mobility, other)) for other in H] for row in H]
    try:
        back = inverse(W)
    except TypeError:
        return False   # singular: a column of the inverse is None
    size = max(sum(map(abs, row)) for row in W) * max(sum(map(abs, row)) for row in back)
    return size < 100.0


def distance(records, others):
    """Largest difference of two trajectories in q and v."""
    return max(abs(x - y) for one, two in zip(records, others)
               for x, y in zip(one.q + one.v, two.q + two.v))


def is_fair(system, records):
    """Solved, unique, with impulses, and not hanging on rounding."""
    impulses = sum(any(c.impulse[0] > 0 for c in record.contacts) for record in records)
    if impulses < FEWEST_IMPULSES or max(r.violation for r in records) > 1e-11 \
            or max(r.spread for r in records) > 1e-10:
        return False
    loose = replace(system.scheme, gap_tolerance=1e-8, velocity_tolerance=1e-8)
    if distance(records, simulate(system.system(), loose, system.steps)) > 1e-12:
        return False
    beside = simulate(system.system(PERTURBATION), system.scheme, system.steps)
    return distance(records, beside) <= AMPLIFICATION * PERTURBATION


def generate(seed, spatial=False):
    """The first fair system of this seed, with its records."""
    rng = random.Random(f"{'spatial' if spatial else 'planar'} {seed}")
    name = f"random-{'spatial-' if spatial else ''}{seed}"
    while True:
        system = draw(rng, name, spatial)
        if not is_well_posed(system):
            continue
        system.records = simulate(system.system(), system.scheme, system.steps)
        if is_fair(system, system.records):
            return system


# ---- writing ----


def matrix_text(matrix):
    """Rows in YAML's flow style."""
    return "[" + ", ".join(f"{row!r}" for row in matrix) + "]"


def contact_text(contact):
    """One contact of the scene."""
    lines = [f"- name: {contact['name']}", f"  normal: {contact['normal']!r}"]
    tangents = contact["tangents"]
    if tangents:
        text = repr(tangents[0]) if len(tangents) == 1 else matrix_text(tangents)
        key = "tangent" if len(tangents) == 1 else "tangents"
        lines.append(f"  {key}: {text}")
    lines += [f"  {key}: {contact[key]!r}" for key in ("gap", "restitution", "friction")]
    return "\n".join("    " + line for line in lines)


def scene_text(system):
    """The scene file."""
    scheme = system.scheme
    duration = float(decimal.Decimal(repr(scheme.step)) * system.steps)
    return "\n".join([
        f"# {system.name}: written by test/judge/random_systems.py",
        "system:",
        f"  mass: {matrix_text(system.mass)}",
        f"  stiffness: {matrix_text(system.stiffness)}",
        f"  damping: {matrix_text(system.damping)}",
        f"  load: [{', '.join(load.text() for load in system.loads)}]",
        f"  position: {system.position!r}",
        f"  velocity: {system.velocity!r}",
        "  contacts:",
        *map(contact_text, system.contacts),
        f"scheme: {{name: {scheme.name}, theta: {scheme.theta!r}, step: {scheme.step!r}, "
        f"approach: required, duration: {duration!r}}}",
        "solver: {tolerance: 1e-13}",
        ""])


def trajectory_text(system):
    """The judge's records in the shape of scree's export."""
    lines = ["step,time,coordinate,q,v"]
    for record in system.records:
        lines += [f"{record.step},{record.time!r},{i},{q!r},{v!r}"
                  for i, (q, v) in enumerate(zip(record.q, record.v))]
    return "\n".join(lines) + "\n"


def write(system, folder):
    """NAME.yaml and NAME.csv in `folder`; returns both paths."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    scene, trajectory = folder / f"{system.name}.yaml", folder / f"{system.name}.csv"
    scene.write_text(scene_text(system), encoding="utf-8")
    trajectory.write_text(trajectory_text(system), encoding="utf-8")
    return scene, trajectory


def main(arguments):
    """Write `count` systems from `seed` on."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--spatial", action="store_true", help="one contact with two tangents")
    options = parser.parse_args(arguments)
    for seed in range(options.seed, options.seed + options.count):
        print(write(generate(seed, options.spatial), options.folder)[0])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
