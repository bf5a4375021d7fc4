# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""The schemes nscd and event-driven, end to end: run, export, resume, and what is refused."""

from harness import check, equal, run_tests, table_of

EVENTS = ((0, "touch"), (0, "slip-minus"), (1.282549830, "slip-plus"), (3.503991299, "lift-off"),
          (8.039179233, "impact"), (10.427267052, "impact"), (10.427267052, "touch"),
          (10.427267052, "slip-plus"))


def test_particle(scree):
    """Times and kinds of the events, whatever the step."""
    for step in ("0.01", "0.5"):
        scree.expect(0, "run", "klarbring", "-o", "exact.h5", "--set", "scheme.name=event-driven",
                     "--set", f"scheme.step={step}")
        header, rows = table_of(scree.expect(0, "export", "exact.h5", "--to", "csv", "events").out)
        equal("columns", header, ["time", "contact", "event", "un_before", "ut_before", "un_after",
                                  "ut_after", "pn", "pt"])
        equal("kinds", [row[2] for row in rows], [kind for _, kind in EVENTS])
        for row, (time, kind) in zip(rows, EVENTS):
            check(f"{kind} at {time}: {row[0]}", abs(float(row[0]) - time) < 1e-9)


def test_resume(scree):
    """A run that is gone on with has the states and events of one that was not stopped."""
    change = ["--set", "scheme.name=event-driven", "--set", "scheme.step=0.05"]
    scree.expect(0, "run", "klarbring", "-o", "whole.h5", *change)
    events = scree.expect(0, "export", "whole.h5", "events").out
    bodies = scree.expect(0, "export", "whole.h5", "bodies").out
    scree.expect(0, "run", "--resume", "whole.h5")
    equal("a run at its end stays as it is", scree.expect(0, "export", "whole.h5", "bodies").out,
          bodies)
    equal("events come out the same every time", scree.expect(0, "export", "whole.h5", "events").out,
          events)


def test_works(scree):
    """nscd: works of contacts are those with the velocity at the end, and add up to the ledger."""
    scree.expect(0, "run", "klarbring", "-o", "nscd.h5", "--set", "scheme.name=nscd", "--set",
                 "scheme.step=0.01")
    header, rows = table_of(scree.expect(0, "export", "nscd.h5", "contacts").out)
    total = 0
    for row in rows:
        named = dict(zip(header, row))
        work = float(named["pt"]) * float(named["ut_after"])
        check("work_t is p_T u_T'", abs(work - float(named["work_t"])) <= 1e-16, named)
        total += work
    header, rows = table_of(scree.expect(0, "export", "nscd.h5", "energy").out)
    column = header.index("contact_tangential_work")
    booked = sum(float(row[column]) for row in rows)
    check(f"they add up: {total} {booked}", abs(total - booked) < 1e-12 and booked < -0.01)


def test_figures(scree):
    """Runs of both schemes can be drawn and compared."""
    for scheme in ("nscd", "event-driven"):
        scree.expect(0, "run", "klarbring", "-o", "drawn.h5", "--set", f"scheme.name={scheme}",
                     "--set", "scheme.step=0.05")
        for what in ("overview", "works", "gaps"):
            scree.expect(0, "plot", "drawn.h5", what, "-o", "drawn.svg")
    answer = scree.expect(0, "compare", "klarbring", "--schemes", "nscd,event-driven", "--set",
                          "scheme.step=0.05").out
    check("compare names both", "nscd" in answer and "event-driven" in answer, answer)


def test_leaves_without_friction(scree):
    """Numbers with which the gap was lost in rounding at lift-off; times by closed form."""
    numbers = {"m": 1.5923016174424376, "KN": 0.28341152421130195, "KT": 2.3005884963325234,
               "W": 0.15539179825202548, "FN": 0.4580130475798718, "FT": 1.6818570937602906,
               "mu": 0}
    sets = [word for name, value in numbers.items()
            for word in ("--set", f"parameters.{name}={value!r}")]
    scree.expect(0, "run", "klarbring", "-o", "leaves.h5", *sets, "--set",
                 "scheme.name=event-driven", "--set", "scheme.step=0.37", "--set",
                 "system.position=[0, -1.9547711799159244]", "--set", "system.velocity=[0, 0]")
    header, rows = table_of(scree.expect(0, "export", "leaves.h5", "events").out)
    when, what = header.index("time"), header.index("event")
    times = [(row[what], float(row[when])) for row in rows[1:3]]
    check(f"{times}", [kind for kind, _ in times] == ["lift-off", "impact"] and
          abs(times[0][1] - 2.1142988688282) < 1e-10 and
          abs(times[1][1] - 4.1381999096555) < 1e-10)


def test_overlap_at_the_start(scree):
    """Refused like everywhere else, unless it is accepted: then the way out is booked."""
    sets = ["--set", "system.position=[0.4, 0]", "--set", "scheme.name=event-driven"]
    said = scree.expect(2, "run", "klarbring", "--no-store", *sets).err
    check("overlap at the start", "overlaps by 0.4 at the start" in said, said)


def test_refused(scree):
    """Errors that say what is wrong."""
    scree.expect(0, "run", "klarbring", "-o", "plain.h5", "--set", "scheme.duration=0.1")
    said = scree.expect(2, "export", "plain.h5", "events").err
    check("no events in another scheme's run", "event-driven" in said, said)
    said = scree.expect(2, "run", "klarbring", "--no-store", "--dump-problems", "folder", "--set",
                        "scheme.name=event-driven").err
    check("there are no problems to write", "no contact problems" in said, said)
    said = scree.expect(2, "run", "bouncing-ball", "--no-store", "--set", "scheme.name=nscd").err
    check("bodies are refused", "matrices" in said, said)
    for scene, why in (("two-spheres", "bodies in space"), ("four-bar", "joints"),
                       ("hopper", "up to 8 bodies"), ("superball", "tangential restitution"),
                       ("house-of-cards", "rounded"), ("rough-incline", "repeats itself"),
                       ("impacting-bar", "each alone"), ("painleve-rod", "Painleve's paradox")):
        said = scree.expect(2, "run", scene, "--no-store", "--set", "scheme.name=event-driven").err
        check(f"{scene}: {why}", why in said and "scheme.name:1:1" in said, said)


def test_bodies(scree):
    """Bodies in the plane: names of contacts in the table of events, the same bits after a stop."""
    change = ["--set", "scheme.name=event-driven", "--set", "scheme.step=0.05"]
    scree.expect(0, "run", "rocking-block", "-o", "whole.h5", *change)
    rows = scree.expect(0, "export", "whole.h5", "events").out.splitlines()[1:]
    check("corners have names", rows[0].split(",")[1] == "block corner 1 on ground", rows[0])
    impacts = [row.split(",") for row in rows if row.split(",")[2] == "impact"]
    check("rocks from corner to corner",
          [row[1][13] for row in impacts[:4]] == ["2", "1", "2", "1"], impacts)
    ratio = [float(two[3]) / float(one[3]) for one, two in zip(impacts, impacts[1:4])]
    check("31/34", all(abs(r - 31 / 34) < 1e-11 for r in ratio), ratio)
    scree.expect(0, "run", "rocking-block", "-o", "part.h5", *change, "--set", "scheme.duration=3")
    scree.expect(0, "run", "--resume", "part.h5", "--set", "scheme.duration=8")
    for table in ("bodies", "contacts", "energy"):
        one, two = (scree.expect(0, "export", name, table).out for name in ("whole.h5", "part.h5"))
        check(f"resumed: {table}", one == two)


run_tests(globals())
