# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""The impacting stick under both schemes and random matrix systems, judged by test/judge.

Trajectory, local velocities, impulses, works and energies equal the judge's own at every step;
the law and the ledger are judged from the exports alone. The printed digits are those of
reference.md section 1 (tangent +x here, so that u_T and p_T have the other sign there).
"""

import math
import re

from harness import check, equal, no_complaints, run_tests

import compare_run  # of the judge, which harness finds
import random_systems
from schemes import Scheme, Stick

NAMES = ("moreau-jean", "moreau-jean-fremond")
PLANAR, SPATIAL = 30, 5

# per scheme: end of the impact's step, u_N, u_T before, |u_T| after, p_N, work of friction, kinetic
IMPACTS = {
    "moreau-jean": [
        (0.0603, -0.4664324637289772, 0.46485813944012855, 0.0854752652918567,
         0.37308921265423106, 7.0771828905239e-4, 0.25244234034939217),
        (0.1633, -0.47022774357917624, 0.025709099453282567, 0.4075745044023914,
         0.3127211217717339, -5.970868890075e-4, 0.9159470038656218)],
    "moreau-jean-fremond": [
        (0.0603, -0.4664324637289772, 0.46485813944012855, 0.09725830831656213,
         0.368670891782742, -6.776167877976e-4, 0.25105921443297796),
        (0.1634, -0.4698471217952592, 0.01575478218293157, 0.4161291017405584,
         0.31204514193777716, -6.246743068730e-4, 0.9202523281271091)],
}
FINAL = {
    "moreau-jean": ([0.2529170734063745, 0.24718510928681478, 1.0819883190944333,
                     -0.5068581033442596, -1.2141896655739952, 3.2073513209813838],
                    1.1063140004e-4),
    "moreau-jean-fremond": ([0.25395424362001495, 0.2465116021719327, 1.0835074099259314,
                             -0.49943374250155037, -1.2192839662794397, 3.218031198100168],
                            -1.3022910947e-3),
}


def run_stick(scree, scheme, **changes):
    """A run of impacting-stick with these changes: its JSON and its three tables."""
    arguments = ["--set", f"scheme.name={scheme}"]
    for key, value in changes.items():
        arguments += ["--set", f"{key.replace('__', '.')}={value}"]
    summary = scree.json("run", "impacting-stick", "-o", "stick.h5", "-s", "scheme.energy_created=1", *arguments)
    tables = {table: scree.rows("stick.h5", table) for table in ("energy", "bodies", "contacts")}
    return summary, tables


def judge_tables(what, tables, stick, scheme, steps, tolerance=1e-12):
    """All judges on one run of the stick."""
    no_complaints(f"{what}: trajectory", compare_run.judge_stick(
        tables["bodies"], tables["contacts"], tables["energy"], stick, scheme, steps,
        tolerance=tolerance))
    no_complaints(f"{what}: law", compare_run.judge_law(
        tables["contacts"], (stick.e, stick.mu), scheme.name, scheme.theta))
    no_complaints(f"{what}: ledger", compare_run.judge_ledger(
        tables["energy"], tables["contacts"]))


def near(what, got, expected, tolerance=1e-12):
    """Absolute comparison."""
    check(f"{what}: expected {expected!r}", abs(got - expected) <= tolerance, repr(got))


# ---- the paper's stick ----


def test_printed_digits(scree):
    """Impacts and final state of reference.md, both schemes."""
    for scheme in NAMES:
        summary, tables = run_stick(scree, scheme)
        active = [row for row in tables["contacts"] if row["status"] != "inactive"]
        if not equal(f"{scheme}: impacts", len(active), 2):
            continue
        for row, digits in zip(active, IMPACTS[scheme]):
            judge_impact(f"{scheme} at {digits[0]}", row, tables["energy"], digits)
        state, work = FINAL[scheme]
        last = tables["bodies"][-1]
        for column, value in zip(compare_run.STATE, state):
            near(f"{scheme}: final {column}", last[column], value)
        near(f"{scheme}: total tangential work",
             math.fsum(row["work_t"] for row in active), work, 1e-13)
        judge_summary(scheme, summary, tables, active)


def judge_impact(what, row, energy, digits):
    """One impact against the printed digits."""
    time, normal, sliding, after, impulse, work, kinetic = digits
    near(f"{what}: time", row["time"], time)
    near(f"{what}: u_N before", row["un_before"], normal)
    near(f"{what}: u_T before", abs(row["ut_before"]), sliding)
    near(f"{what}: u_N after", row["un_after"], -normal)
    near(f"{what}: u_T after", abs(row["ut_after"]), after)
    near(f"{what}: p_N", row["pn"], impulse)
    near(f"{what}: |p_T|", abs(row["pt"]), 0.01 * impulse)
    near(f"{what}: work of friction", row["work_t"], work)
    near(f"{what}: normal work", row["work_n"], 0.0, 1e-15)
    near(f"{what}: kinetic energy", energy[row["step"]]["kinetic"], kinetic)


def judge_summary(scheme, summary, tables, active):
    """The certificate: who creates energy, how much, and what the theorem says."""
    ledger = summary["ledger"]
    creates = scheme == "moreau-jean"
    equal(f"{scheme}: steps creating energy", ledger["steps_creating_energy"], int(creates))
    near(f"{scheme}: energy created", ledger["energy_created"],
         7.0771828905239e-4 if creates else 0.0)
    near(f"{scheme}: largest tangential work", ledger["tangential_work_max"],
         max(row["work_t"] for row in active), 0.0)
    equal(f"{scheme}: the theorem holds", summary["theorem"]["holds"], not creates)
    scale = max(abs(ledger["energy_start"]), 1.0)
    largest = max(abs(row["residual"]) for row in tables["energy"])
    near(f"{scheme}: largest ledger residual", ledger["residual_max"], largest, 0.0)
    check(f"{scheme}: ledger residual below 1e-14 of the energy", largest <= 1e-14 * scale, largest)


def test_every_step(scree):
    """Both schemes, the paper's parameters: equal to the judge at every step."""
    for scheme in NAMES:
        _, tables = run_stick(scree, scheme)
        judge_tables(scheme, tables, Stick(), Scheme(scheme, 0.5, 1e-4), 2000)


def test_other_parameters(scree):
    """Other restitution, friction, theta, shape and step; also far from the origin."""
    cases = ((0.5, 0.5, 1.0, {}), (0.5, 0.0, 0.01, {}), (0.6, 0.3, 0.7, {}), (1.0, 0.0, 0.3, {}),
             (0.75, 1.0, 0.0, {}), (1.0, 1.0, 0.01, {}),
             (0.5, 0.8, 0.2, {"m": 3.5, "l": 0.7, "g": 9.81, "gamma0": -0.4, "vx": 1.5,
                              "vy": -0.3, "omega": -2.0, "clearance": 0.002}))
    for theta, e, mu, others in cases:
        for scheme in NAMES:
            changes = {f"parameters__{key}": value for key, value in others.items()}
            _, tables = run_stick(scree, scheme, scheme__theta=theta, parameters__e=e,
                                  parameters__mu=mu, scheme__duration=0.15, **changes)
            judge_tables(f"{scheme} theta {theta} e {e} mu {mu} {others}", tables,
                         Stick(e=e, mu=mu, **others), Scheme(scheme, theta, 1e-4), 1500)


def test_conventions_of_the_authors(scree):
    """The conventions of the authors' own trajectories, by options of the scheme."""
    _, tables = run_stick(scree, "moreau-jean", scheme__activation="half")
    judge_tables("authors' MJ", tables, Stick(), Scheme("moreau-jean", 0.5, 1e-4, "half"), 2000)
    judge_times("authors' MJ", tables, [0.0604, 0.1636])
    _, tables = run_stick(scree, "moreau-jean-fremond", scheme__jacobian="free-end",
                          scheme__approach="ignored")
    judge_tables("authors' MJF", tables, Stick(),
                 Scheme("moreau-jean-fremond", 0.5, 1e-4, "predicted", "free",
                        velocity_condition=False), 2000)
    judge_times("authors' MJF", tables, [0.0603, 0.1634])


def judge_times(what, tables, times):
    """The steps with an impulse end at these times."""
    found = [round(row["time"], 10) for row in tables["contacts"] if row["pn"] > 0]
    equal(f"{what}: impacts", found, times)


def test_other_rules(scree):
    """The other options of the scheme against the judge."""
    for rule in ("predicted-linear", "half"):
        for jacobian, own in (("start", "start"), ("free-end", "free")):
            for scheme in NAMES:
                _, tables = run_stick(scree, scheme, scheme__activation=rule,
                                      scheme__jacobian=jacobian)
                judge_tables(f"{scheme} {rule} {jacobian}", tables, Stick(),
                             Scheme(scheme, 0.5, 1e-4, rule, own), 2000)


def test_the_other_side(scree):
    """With the contact point on the other side the schemes agree bit for bit, and mirrored."""
    text = scree.expect(0, "new", "impacting-stick", "-o", "side.yaml") and \
        scree.path("side.yaml").read_text()
    changed = re.sub(r"position: .*", "position: [0, l/2*cos(gamma0) + clearance]", text)
    changed = changed.replace("angle: gamma0", "angle: -gamma0")
    changed = changed.replace("spin: omega", "spin: -omega")
    scree.write("side.yaml", changed)
    found = {}
    for scheme in NAMES:
        scree.expect(0, "run", "side.yaml", "-o", "side.h5", "--set", f"scheme.name={scheme}")
        found[scheme] = scree.rows("side.h5", "bodies")
        works = [row["work_t"] for row in scree.rows("side.h5", "contacts") if row["pn"] > 0]
        equal(f"other side, {scheme}: impacts", len(works), 2)
        for work, expected in zip(works, (-3.0231738e-3, -3.7242981e-3)):
            near(f"other side, {scheme}: work", work, expected, 1e-9)
    check("other side: both schemes the same bit for bit", found[NAMES[0]] == found[NAMES[1]])


# ---- random matrix systems ----


def judge_random(scree, drawn):
    """One random system: scree against the judge."""
    name = f"{drawn.name}.yaml"
    text = random_systems.scene_text(drawn).replace("tangent: [[", "tangents: [[")
    scree.write(name, text)
    answer = scree("run", name, "-o", "random.h5", "-s", "scheme.energy_created=1e3")
    if not check(f"{drawn.name}: runs", answer.status == 0, answer):
        return
    rows, contacts = scree.rows("random.h5", "bodies"), scree.rows("random.h5", "contacts")
    no_complaints(f"{drawn.name}: q, v",
                  compare_run.judge_coordinates(rows, drawn.records, 1e-9))
    laws = {c["name"]: (c["restitution"], c["friction"]) for c in drawn.contacts}
    no_complaints(f"{drawn.name}: law", compare_run.judge_law(
        contacts, laws, drawn.scheme.name, drawn.scheme.theta))
    no_complaints(f"{drawn.name}: ledger", compare_run.judge_ledger(
        scree.rows("random.h5", "energy"), contacts))


def test_random_planar(scree):
    """Random systems with up to three planar contacts."""
    for seed in range(1, PLANAR + 1):
        judge_random(scree, random_systems.generate(seed))


def test_random_spatial(scree):
    """Random systems with one spatial contact."""
    for seed in range(1, SPATIAL + 1):
        judge_random(scree, random_systems.generate(seed, True))


if __name__ == "__main__":
    run_tests(globals())
