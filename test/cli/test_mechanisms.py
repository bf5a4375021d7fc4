# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Scenes with a mechanism, end to end: run, export, resume, compare, draw, and what is refused."""

import signal
import time

from harness import check, equal, run_tests, skip, table_of

DROP = """
mechanism:
  coordinates: [y]
  mass: [[1]]
  potential: 9.81*y
  position: [1]
  contacts: [{name: floor, gap: y, restitution: 0.5}]
scheme: {step: 1e-3, duration: 2}
"""
SCHEMES = ("moreau-jean", "moreau-jean-fremond", "moreau", "nscd", "event-driven")


def change(**values):
    """Arguments --set; __ stands for a point."""
    return [word for key, value in values.items()
            for word in ("--set", f"{key.replace('__', '.')}={value}")]


def column(scree, run, table, name):
    """One column of a table."""
    header, rows = table_of(scree.expect(0, "export", run, "--to", "csv", table).out)
    return [row[header.index(name)] for row in rows]


def test_kane(scree):
    """The energies of Kane's pendulum before and after, to the printed digits."""
    for scheme, after in (("moreau-jean", "0.036800"), ("moreau-jean-fremond", "0.013038")):
        scree.expect(0, "run", "kane-pendulum", "-o", "kane.h5",
                     *change(scheme__name=scheme, scheme__step=1e-8, scheme__duration=1e-8))
        kinetic = [f"{float(x):.6f}" for x in column(scree, "kane.h5", "energy", "kinetic")]
        equal(scheme, kinetic, ["0.023181", after])


def test_schemes(scree):
    """Every scheme runs both scenes, the ledger closes, and contacts have their names."""
    for scene in ("kane-pendulum", "sliding-rod"):
        for scheme in SCHEMES:
            words = change(scheme__name=scheme, scheme__step=4e-3, scheme__energy_created=0.1)
            if scene == "kane-pendulum" and scheme == "nscd":
                words += change(parameters__e=0)
            report = scree.json("run", scene, "-o", "run.h5", *words)
            check(f"{scene}, {scheme}: done", report and report["status"] == "done", report)
            check(f"{scene}, {scheme}: the ledger closes",
                  report and report["ledger"]["residual_over_bound_max"] < 1, report)
            names = set(column(scree, "run.h5", "contacts", "b"))
            check(f"{scene}, {scheme}: names of contacts",
                  names and names <= {"tip", "foot", "wall", "top"}, names)
            states = column(scree, "run.h5", "bodies", "coordinate")
            equal("coordinates", len(set(states)), 2 if scene == "kane-pendulum" else 3)


def test_events(scree):
    """The ladder without friction leaves its wall, then falls flat."""
    scree.expect(0, "run", "sliding-rod", "-o", "ladder.h5",
                 *change(scheme__name="event-driven", scheme__step=0.05, parameters__mu=0,
                         parameters__mu_wall=0))
    header, rows = table_of(scree.expect(0, "export", "ladder.h5", "--to", "csv", "events").out)
    found = [(row[header.index("contact")], row[header.index("event")]) for row in rows]
    equal("events", found, [("foot", "touch"), ("wall", "touch"), ("wall", "lift-off"),
                            ("foot", "impact"), ("top", "impact"), ("top", "touch")])


def test_resume(scree):
    """A shorter run is the beginning of a longer one; a run at its end stays as it is."""
    for scheme in SCHEMES:
        words = change(scheme__name=scheme, scheme__energy_created=0.1,
                       scheme__step=2e-2 if scheme == "event-driven" else 4e-3)
        scree.expect(0, "run", "sliding-rod", "-o", "whole.h5", *words)
        scree.expect(0, "run", "sliding-rod", "-o", "part.h5", *words,
                     *change(scheme__duration=0.4))
        whole, part = scree.rows("whole.h5", "bodies"), scree.rows("part.h5", "bodies")
        check(f"{scheme}: shorter", 0 < len(part) < len(whole))
        equal(f"{scheme}: the beginning", part, whole[:len(part)])
        hashes = scree.export_hashes("whole.h5")
        scree.expect(0, "run", "--resume", "whole.h5")
        equal(f"{scheme}: stays as it is", scree.export_hashes("whole.h5"), hashes)


def test_interrupted(scree):
    """A run that was stopped and gone on with has the bytes of one that was not."""
    words = change(scheme__step=2e-6, scheme__duration=0.2, output__every=1000)
    scree.expect(0, "run", "kane-pendulum", "-o", "whole.h5", *words)
    process = scree.start("run", "kane-pendulum", "-o", "part.h5", *words)
    deadline = time.monotonic() + 30
    while not scree.path("part.h5").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    if scree.finish(process).status == 0:
        skip("resuming: the run was over before it could be stopped")
        return
    scree.expect(0, "run", "--resume", "part.h5")
    equal("the same bytes", scree.export_hashes("part.h5"), scree.export_hashes("whole.h5"))


def test_figures(scree):
    """Runs can be compared and drawn."""
    scree.expect(0, "run", "kane-pendulum", "-o", "run.h5")
    for what in ("overview", "energy", "works", "residual", "velocities", "impulses", "gaps",
                 "trajectories", "coordinates", "speeds", "tangential-work", "balance"):
        scree.expect(0, "plot", "run.h5", what, "-o", f"{what}.svg")
    for scheme, says in (("moreau-jean", True), ("moreau-jean-fremond", False)):
        out = scree.expect(0, "run", "kane-pendulum", "--no-store", *change(scheme__name=scheme)).out
        equal(f"{scheme}: what was checked is told", "is booked as numerical" in out, says)
    out = scree.expect(0, "compare", "kane-pendulum").out
    check("compare names the schemes", "moreau-jean-fremond" in out, out)


def test_problems(scree):
    """Contact problems of steps are written and solved again."""
    scree.expect(0, "run", "sliding-rod", "--no-store", "--dump-problems", "problems", "--when",
                 "every:400", *change(scheme__step=1e-3))
    found = sorted(scree.path("problems").iterdir())
    check("problems are written", len(found) == 3, found)
    for path in found:
        scree.expect(0, "solve", str(path))
    said = scree.expect(2, "run", "sliding-rod", "--no-store", "--dump-problems", "none",
                        *change(scheme__name="event-driven")).err
    check("event-driven has none", "no contact problems" in said, said)


def test_paradox(scree):
    """Painleve's rod in other coordinates, one state and a map."""
    rod = change(parameters__w=10, parameters__mu=1.5, parameters__theta0="atan(2)",
                 parameters__rate0=-3, parameters__v0=1)
    found = scree.json("paradox", "sliding-rod", *rod)
    bodies = scree.json("paradox", "painleve-rod")
    equal("count", found and found["count"], 0)
    equal("verdict", found and found["verdict"], bodies and bodies["verdict"])
    grid = ["--sweep", "theta0=0.6:1.4:5,mu=0.5:2:4", "--output", "-"]
    one = table_of(scree.expect(0, "paradox", "sliding-rod", *rod, *grid).out)
    two = table_of(scree.expect(0, "paradox", "painleve-rod", *grid).out)
    at = one[0].index("count")
    equal("the map", [row[at] for row in one[1]], [row[at] for row in two[1]])


def test_frictionless(scree):
    """A contact needs no slip if it has no friction: a mass that falls on a floor."""
    for scheme in SCHEMES:
        e = 0 if scheme == "nscd" else 0.5
        scree.write("drop.yaml", DROP)
        report = scree.json("run", "drop.yaml", "--no-store",
                            *change(scheme__name=scheme, mechanism__contacts__floor__restitution=e,
                                    scheme__energy_created=1e-3))
        check(f"{scheme}: comes to rest", report and abs(report["ledger"]["energy_end"]) < 0.02,
              report)


def test_potential_without_value(scree):
    """Where V(q) has no value, that is what is said, not something about M(q)."""
    scree.write("root.yaml", DROP.replace("9.81*y", "9.81*y + sqrt(y - 0.5)").replace(", restitution: 0.5", ""))
    for scheme in SCHEMES[:4]:
        answer = scree("run", "root.yaml", "--no-store", "--set", f"scheme.name={scheme}")
        check(f"{scheme}: V(q)", answer.status in (1, 2) and "V(q) is not finite" in answer.err and "definite" not in answer.err,
              answer)


def test_refused(scree):
    """What a mechanism has not is said."""
    scree.write("drop.yaml", DROP)
    for words, why in ((("equilibria", "kane-pendulum"), "not for a mechanism"),
                       (("run", "kane-pendulum", "--check-equilibrium"), "not for a mechanism"),
                       (("check", "kane-pendulum", *change(parameters__depth=1.5)), "penetrates"),
                       (("run", "kane-pendulum", *change(scheme__name="nscd")), "restitution"),
                       (("check", "sliding-rod", *change(mechanism__let__s="sin(thet)")),
                        'did you mean "theta"?')):
        answer = scree.expect(2, *words)
        check(f"{words}: says why", why in answer.err, answer)
    scree.expect(0, "run", "drop.yaml", "-o", "drop.h5")
    said = scree.expect(2, "export", "drop.h5", "--to", "vtk").err
    check("no shapes for ParaView", "mechanism, which has no shapes" in said, said)
    out = scree.expect(0, "check", "kane-pendulum").out
    check("check counts", "2 coordinates of a mechanism, 1 contact of it" in out, out)
    scree.expect(0, "run", "kane-pendulum", "--no-store",
                 *change(parameters__depth=1.7, overlaps="accept", scheme__duration=0.01))


run_tests(globals())
