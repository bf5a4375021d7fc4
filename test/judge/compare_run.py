# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Judges the CSV exports of a run, step by step, with the judge's own schemes.

    judge_stick(bodies, contacts, energy, ...)   the run equals the judge's own trajectory
    judge_law(contacts, ...)                     every impulse obeys cone, impact law and friction
    judge_ledger(energy, contacts)               the energy ledger closes, the works add up

Rows come from read_csv (or read_text); every judge returns a list of complaints, empty if all is
well. Conventions: the normal points from body b to body a, the tangent is the normal turned by
+90 degrees, u is the velocity of a relative to b with the step's own H; row `step` n is the step
that ends at n h. Rows of status `inactive` carry no impulse.

As a command:  compare_run.py --bodies B.csv --contacts C.csv --energy E.csv --scheme NAME ...
judges a run of impacting-stick (without --bodies: law and ledger of any planar run).
"""

import argparse
import collections
import csv
import dataclasses
import io
import math
import sys

from schemes import Scheme, Stick, add, ledger, simulate

TEXT = {"body", "contact", "a", "b", "status"}
WHOLE = {"step", "coordinate"}
STATE = ("x", "y", "angle", "vx", "vy", "omega")
ENERGIES = ("kinetic", "elastic", "potential")
WORKS = ("external_work", "damping_work", "numerical_dissipation", "contact_normal_work",
         "contact_tangential_work", "boundary_work", "joint_work", "correction_work")
ROUNDING = 2.0 ** -52


# ---- reading ----


def convert(column, text):
    """The value of one field; a number that cannot be read becomes NaN and fails every test."""
    if column in TEXT:
        return text
    try:
        return int(text) if column in WHOLE else float(text)
    except (TypeError, ValueError):
        return math.nan


def read_text(text):
    """Rows of CSV text as dictionaries."""
    reader = csv.DictReader(io.StringIO(text))
    return [{column: convert(column, row[column]) for column in reader.fieldnames}
            for row in reader]


def read_csv(path):
    """Rows of a CSV file as dictionaries."""
    with open(path, encoding="utf-8", newline="") as stream:
        return read_text(stream.read())


def is_near(value, expected, tolerance):
    """Absolute comparison that NaN never passes."""
    return abs(value - expected) <= tolerance


def missing_columns(rows, columns, what):
    """Complaints about columns that are not there."""
    if not rows:
        return [f"{what}: no rows"]
    return [f"{what}: no column {name}" for name in columns if name not in rows[0]]


def suffixes(row):
    """Tangential column endings of a contacts export: planar, spatial or none."""
    if "pt1" in row:
        return ("1", "2")
    return ("",) if "pt" in row else ()


def vector(row, normal, tangential):
    """Normal and tangential components of one contact row."""
    return [row[normal]] + [row[tangential.replace("#", end)] for end in suffixes(row)]


def local_velocities(row):
    """u, u' and p of one contact row, normal first."""
    return (vector(row, "un_before", "ut#_before"), vector(row, "un_after", "ut#_after"),
            vector(row, "pn", "pt#"))


# ---- (a) the trajectory ----


def judge_steps(rows, records, what, every=1):
    """Each stored step once per name, times n h, up to the last step."""
    complaints = []
    steps = [row["step"] for row in rows]
    wanted = [r.step for r in records if r.step % every == 0 or r is records[-1]]
    absent = sorted(set(wanted[1:]) - set(steps))
    if absent:
        complaints.append(f"{what}: {len(absent)} steps absent, first {absent[0]}")
    times = {record.step: record.time for record in records}
    for row in rows:
        if row["step"] not in times:
            complaints.append(f"{what}: step {row['step']} is beyond the run")
        elif not is_near(row["time"], times[row["step"]], 1e-12 * max(1.0, records[-1].time)):
            complaints.append(f"{what}: step {row['step']} has time {row['time']!r}")
    return complaints


def compare_values(where, row, expected, tolerance):
    """Complaints about the fields of one row that differ from `expected`."""
    return [f"{where}: {name} = {row[name]!r}, judge {value!r}, off by {row[name] - value:.2e}"
            for name, value in expected.items() if not is_near(row[name], value, tolerance)]


def judge_coordinates(rows, records, tolerance=1e-9, every=1):
    """A matrix system's export (step,time,coordinate,q,v) against the judge's records."""
    complaints = missing_columns(rows, ("step", "time", "coordinate", "q", "v"), "coordinates")
    if complaints:
        return complaints
    size = len(records[0].q)
    counts = collections.Counter((row["step"], row["coordinate"]) for row in rows)
    steps = {row["step"] for row in rows}
    if any(counts[step, i] != 1 for step in steps for i in range(size)) or \
            len(counts) != len(steps) * size:
        return [f"coordinates: not each of the {size} coordinates once per step"]
    complaints = judge_steps(rows, records, "coordinates", every)
    by_step = {record.step: record for record in records}
    for row in rows:
        if row["step"] in by_step:
            record, i = by_step[row["step"]], row["coordinate"]
            complaints += compare_values(f"step {row['step']}, coordinate {i}", row,
                                         {"q": record.q[i], "v": record.v[i]}, tolerance)
    return complaints


def judge_bodies(rows, records, names, tolerance=1e-12, every=1):
    """A planar run's bodies export against the judge's records; names in the judge's order."""
    complaints = missing_columns(rows, ("step", "time", "body") + STATE, "bodies")
    if complaints:
        return complaints
    by_step = {record.step: record for record in records}
    for index, name in enumerate(names):
        own = [row for row in rows if row["body"] == name]
        complaints += judge_steps(own, records, f"body {name}", every)
        if len({row["step"] for row in own}) != len(own):
            complaints.append(f"body {name}: a step is stored twice")
        for row in own:
            if row["step"] not in by_step:
                continue
            record, part = by_step[row["step"]], slice(3 * index, 3 * index + 3)
            state = dict(zip(STATE, record.q[part] + record.v[part]))
            complaints += compare_values(f"step {row['step']}, body {name}", row, state, tolerance)
    return complaints


def judge_contacts(rows, records, tolerance=1e-12):
    """Contact rows of a run with at most one contact a step against the judge's records."""
    columns = ("step", "gap", "un_before", "un_after", "pn", "work_n", "work_t", "status")
    if rows and missing_columns(rows, columns, "contacts"):
        return missing_columns(rows, columns, "contacts")
    complaints = []
    working = {row["step"]: row for row in rows if row["status"] != "inactive"}
    if len(working) != sum(row["status"] != "inactive" for row in rows):
        complaints.append("contacts: more than one active contact in a step")
    for record in records[1:]:
        row = working.pop(record.step, None)
        if not record.contacts:
            if row is not None:
                complaints.append(f"step {record.step}: contact active, the judge says not")
            continue
        if row is None:
            complaints.append(f"step {record.step}: contact active for the judge, absent here")
            continue
        complaints += compare_contact(row, record, tolerance)
    complaints += [f"contacts: step {step} is beyond the run" for step in working]
    return complaints


def compare_contact(row, record, tolerance):
    """One contact row against the judge's."""
    contact = record.contacts[0]
    expected = {"time": record.time, "gap": contact.gap, "un_before": contact.before[0],
                "un_after": contact.after[0], "pn": contact.impulse[0],
                "work_n": contact.work_n, "work_t": contact.work_t}
    for i, end in enumerate(suffixes(row), 1):
        expected |= {f"ut{end}_before": contact.before[i], f"ut{end}_after": contact.after[i],
                     f"pt{end}": contact.impulse[i]}
    return compare_values(f"step {record.step}, contact", row, expected, tolerance)


def judge_energies(rows, records, system, scheme, tolerance=1e-12):
    """Every column of the energy export against the judge's own ledger."""
    complaints = missing_columns(rows, ("step", "time") + ENERGIES + WORKS, "energy")
    if complaints:
        return complaints
    for row in rows:
        step = row["step"]
        if 0 < step < len(records):
            own = ledger(system, scheme, records[step - 1], records[step])
            complaints += compare_values(f"step {step}, energy", row, own, tolerance)
    return complaints


def moving_body(rows):
    """Name of the only body that ever moves, or None."""
    names = {row["body"] for row in rows if row["vx"] or row["vy"] or row["omega"]}
    return names.pop() if len(names) == 1 else None


def judge_stick(bodies, contacts, energy=None, stick=None, scheme=None, steps=2000, body=None,
                tolerance=1e-12):
    """A run of impacting-stick, every step stored, against the judge's own trajectory.

    stick: schemes.Stick with the scene's parameters; scheme: schemes.Scheme; body: its name in
    the export, by default the one that moves; energy may be None.
    """
    stick = stick or Stick()
    scheme = scheme or Scheme(step=1e-4)
    system = stick.system()
    records = simulate(system, scheme, steps)
    absent = missing_columns(bodies, ("step", "time", "body") + STATE, "bodies")
    if absent:
        return absent
    body = body or moving_body(bodies)
    if body is None:
        return ["bodies: not exactly one body moves; which is the stick?"]
    complaints = judge_bodies(bodies, records, [body], tolerance)
    complaints += judge_contacts(contacts, records, tolerance)
    if energy is not None:
        complaints += judge_steps(energy, records, "energy")
        complaints += judge_energies(energy, records, system, scheme, tolerance)
    return complaints


# ---- (b) the law ----


def law_of(row, laws):
    """(e, mu) of a contact row: one pair for all, or a mapping by contact, (a, b) or a or b."""
    if not isinstance(laws, dict):
        return laws
    a, b = row.get("a"), row.get("b")
    for key in (row.get("contact"), (a, b), (b, a), a, b):
        if key in laws:
            return laws[key]
    return None


def scales(velocities, impulses):
    """Least speed and impulse to measure breaches by: below them lies the rounding of the run."""
    return (1e-4 * max(map(abs, velocities), default=0.0),
            1e-4 * max(map(abs, impulses), default=0.0))


def breaches(u, after, p, law, floor):
    """Named breaches of the law (e, mu, tau), relative to the contact's own speed and impulse."""
    e, mu, tau = law
    speed = max(floor[0], *map(abs, u + after)) or 1.0
    push = max(floor[1], *map(abs, p)) or 1.0
    factors = [e] + [tau] * (len(u) - 1)
    s = [x + f * y for x, f, y in zip(after, factors, u)]
    slip = math.hypot(*s[1:]) if len(s) > 1 else 0.0
    friction = math.hypot(*p[1:]) if len(p) > 1 else 0.0
    away = [x + mu * p[0] * (y / slip if slip else 0.0) for x, y in zip(p[1:], s[1:])]
    against = math.hypot(*away) if away else 0.0
    return {
        "p_N >= 0": -p[0] / push,
        "s_N >= 0": -s[0] / speed,
        "p_N s_N = 0": min(abs(p[0]) / push, abs(s[0]) / speed),
        "|p_T| <= mu p_N": (friction - mu * p[0]) / push,
        "p_T = -mu p_N s_T/|s_T|": min(against / push, slip / speed),
    }


def judge_inactive(row):
    """An inactive row carries nothing."""
    _, _, p = local_velocities(row)
    if any(x != 0.0 for x in p + [row["work_n"], row["work_t"]]):
        return [f"step {row['step']}, contact {row.get('contact')}: inactive with an impulse"]
    return []


def judge_law(contacts, laws, scheme="moreau-jean-fremond", theta=0.5, tolerance=1e-9):
    """Every contact row against the canonical law s = u' + (e u_N, tau u_T), tau the scheme's.

    laws: (e, mu) for all contacts or a mapping (see law_of). `tolerance` is relative to the
    contact's own speed and impulse, or 1e-4 of the largest ones of the run if that is more;
    the works must equal p . u_theta to rounding.
    """
    tau = Scheme(scheme, theta).tau
    complaints = []
    local = [local_velocities(row) for row in contacts]
    velocities = [x for u, after, _ in local for x in u + after]
    floor = scales(velocities, [x for _, _, p in local for x in p])
    for row in contacts:
        if row["status"] == "inactive":
            complaints += judge_inactive(row)
            continue
        where = f"step {row['step']}, contact {row.get('contact')}"
        law = law_of(row, laws)
        if law is None:
            complaints.append(f"{where}: no law known for it")
            continue
        u, after, p = local_velocities(row)
        for rule, breach in breaches(u, after, p, (*law, tau), floor).items():
            if not breach <= tolerance:
                complaints.append(f"{where}: {rule} breached by {breach:.2e} (relative)")
        complaints += judge_works(where, row, u, after, p, theta, 1e4 * floor[0])
    return complaints


def judge_works(where, row, u, after, p, theta, fastest):
    """work_n = p_N u_N,theta and work_t = p_T . u_T,theta, to the rounding of the velocities."""
    middle = add([(1 - theta) * x for x in u], theta, after)
    complaints = []
    for name, part in (("work_n", slice(0, 1)), ("work_t", slice(1, None))):
        work = math.fsum(x * y for x, y in zip(p[part], middle[part]))
        scale = fastest * sum(map(abs, p[part]))
        if not is_near(row[name], work, 16 * ROUNDING * scale):
            complaints.append(f"{where}: {name} = {row[name]!r}, p . u_theta = {work!r}")
    return complaints


# ---- (c) the ledger ----


def judge_closure(old, new, start_scale):
    """dE = sum of the works + residual, to the rounding of the numbers that were printed."""
    change = [new[name] for name in ENERGIES] + [-old[name] for name in ENERGIES]
    works = [-new[name] for name in WORKS]
    gap = math.fsum(change + works + [-new["residual"]])
    scale = max(start_scale, sum(map(abs, change + works)))
    if abs(gap) <= 32 * ROUNDING * scale:
        return []
    return [f"step {new['step']}: dE - works - residual = {gap:.2e}, energies {scale:.2e}"]


def contact_sums(contacts):
    """Exact sums of the works over the contacts of each step: step -> (normal, tangential)."""
    parts = collections.defaultdict(lambda: ([], []))
    for row in contacts:
        parts[row["step"]][0].append(row["work_n"])
        parts[row["step"]][1].append(row["work_t"])
    return parts


def judge_sums(row, parts):
    """The contact works of one step add up to the columns of the energy export."""
    complaints = []
    for name, works in zip(("contact_normal_work", "contact_tangential_work"), parts):
        total, scale = math.fsum(works), sum(map(abs, works))
        if not is_near(row[name], total, 8 * ROUNDING * max(1, len(works)) * scale):
            complaints.append(f"step {row['step']}: {name} = {row[name]!r}, contacts {total!r}")
    return complaints


def judge_ledger(energy, contacts=None, bound=1e-14, start=None):
    """The energy export: it closes with the printed residual, the residual is rounding.

    bound: largest |residual| allowed, relative to the largest energy of the run so far.
    start: energies before the first row (kinetic, elastic, potential) if step 0 is not stored.
    contacts: rows of the contacts export; their works must add up to the ledger's columns.
    """
    complaints = missing_columns(energy, ("step",) + ENERGIES + WORKS + ("residual",), "energy")
    if complaints:
        return complaints
    sums = contact_sums(contacts) if contacts is not None else None
    old = dict(zip(ENERGIES, start)) | {"step": energy[0]["step"] - 1} if start else None
    scale = sum(map(abs, start)) if start else 0.0
    for row in energy:
        scale = max(scale, sum(abs(row[name]) for name in ENERGIES))
        if old is not None and row["step"] == old["step"] + 1:
            complaints += judge_closure(old, row, scale)
        elif old is not None:
            complaints.append(f"step {row['step']} follows step {old['step']}: works are missing")
        if not abs(row["residual"]) <= bound * scale:
            complaints.append(f"step {row['step']}: residual {row['residual']:.2e}, "
                              f"energies {scale:.2e}")
        if sums is not None:
            complaints += judge_sums(row, sums.get(row["step"], ([], [])))
        old = row
    return complaints


# ---- the command ----


def parse_arguments(arguments):
    """Command line of this script; the stick's parameters by their own names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bodies", help="bodies export of impacting-stick")
    parser.add_argument("--contacts", required=True)
    parser.add_argument("--energy", required=True)
    parser.add_argument("--scheme", default="moreau-jean-fremond")
    parser.add_argument("--theta", type=float, default=0.5)
    parser.add_argument("--step", type=float, default=1e-4)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--rule", default="predicted")
    parser.add_argument("--jacobian", default="start", choices=("start", "free"))
    for field in dataclasses.fields(Stick):
        parser.add_argument(f"--{field.name}", type=float, default=field.default)
    return parser.parse_args(arguments)


def main(arguments):
    """Judge the exports; status 1 if there is any complaint."""
    options = parse_arguments(arguments)
    contacts, energy = read_csv(options.contacts), read_csv(options.energy)
    stick = Stick(**{f.name: getattr(options, f.name) for f in dataclasses.fields(Stick)})
    scheme = Scheme(options.scheme, options.theta, options.step, options.rule, options.jacobian)
    complaints = judge_law(contacts, (stick.e, stick.mu), scheme.name, scheme.theta)
    complaints += judge_ledger(energy, contacts)
    if options.bodies:
        complaints += judge_stick(read_csv(options.bodies), contacts, energy, stick, scheme,
                                  options.steps)
    for complaint in complaints[:20]:
        print(complaint)
    print(f"{len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
