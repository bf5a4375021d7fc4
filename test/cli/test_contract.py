# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""The contract for scripts: JSON, CSV, exit statuses, and that every command does what it says."""

import copy
import json
import math
import os
import pathlib
import pty
import random
import re
import subprocess

from harness import (TABLES, check, digest, document, equal, no_complaints, run_tests, skip,
                     table_of)

import compare_run  # of the judge, which harness finds
import scene_language

SCENES = ["bouncing-ball", "impacting-stick", "oscillator-stop", "single-bar-impact",
          "sliding-incline", "spinning-disc"]  # small ones; test_worlds runs the others
ALL_SCENES = sorted(path.stem for path in pathlib.Path(__file__).parents[2].glob("scenes/*.yaml"))
COMMANDS = ["run", "solve", "check", "compare", "converge", "plot", "export", "equilibria", "paradox",
            "scenes", "new", "schema"]
PARAMETERS = {
    "impacting-stick": "m l g e mu gamma0 clearance vx vy omega", "bouncing-ball": "h0 g e",
    "sliding-incline": "angle mu g v0", "spinning-disc": "v0 omega0 mu g e",
    "single-bar-impact": "angle e mu vx vy omega", "oscillator-stop": "",
    "klarbring": "m KN KT W FN FT mu",
}
HEADERS = {
    "energy": "step,time,kinetic,elastic,potential,external_work,damping_work,"
              "numerical_dissipation,contact_normal_work,contact_tangential_work,boundary_work,"
              "joint_work,correction_work,residual",
    "bodies": "step,time,body,x,y,angle,vx,vy,omega",
    "coordinates": "step,time,coordinate,q,v",
    "contacts": "step,time,contact,a,b,gap,un_before,ut_before,un_after,ut_after,pn,pt,work_n,"
                "work_t,status",
    "spatial": "step,time,contact,a,b,gap,un_before,ut1_before,ut2_before,un_after,ut1_after,"
               "ut2_after,pn,pt1,pt2,work_n,work_t,status",
}
NUMBER, WHOLE, TEXT, FLAG = (int, float), (int,), (str,), (bool,)
SUMMARY = {
    "scheme": TEXT, "theta": NUMBER, "steps": WHOLE, "time": NUMBER, "run_file": TEXT,
    "wall_seconds": NUMBER, "theorem.holds": FLAG, "theorem.reason": TEXT,
    "ledger.residual_max": NUMBER, "ledger.contact_normal_work": NUMBER,
    "ledger.contact_tangential_work": NUMBER, "ledger.joint_work": NUMBER,
    "ledger.motor_work": NUMBER, "ledger.spring": NUMBER, "ledger.tangential_work_max": NUMBER,
    "ledger.steps_creating_energy": WHOLE, "ledger.energy_created": NUMBER, "ledger.energy_tolerated": NUMBER,
    "ledger.energy_start": NUMBER, "ledger.energy_end": NUMBER, "solver.name": TEXT,
    "solver.tolerance": NUMBER, "solver.residual_max": NUMBER, "solver.iterations": WHOLE,
    "solver.unconverged": WHOLE, "penetration_max": NUMBER, "penetration_share": NUMBER,
    "verdict": TEXT, "warnings": (list,), "theorem.laws": (list,),
}
SPATIAL = """\
system:
  mass: [[1, 0, 0], [0, 1, 0], [0, 0, 2]]
  load: [0, 0, -9.81]
  velocity: [1, 0.5, 0]
  contacts:
    - {name: floor, normal: [0, 0, 1], tangents: [[1, 0, 0], [0, 1, 0]], friction: 0.3}
scheme: {step: 1e-3, duration: 0.1}
"""


def value_at(document_, path):
    """The value of a dotted path, or None."""
    for part in path.split("."):
        document_ = document_.get(part) if isinstance(document_, dict) else None
    return document_


# ---- run --json ----


def judge_summary(what, summary):
    """Every key of the contract, with its type."""
    for path, types in SUMMARY.items():
        value = value_at(summary, path)
        fits = isinstance(value, types) and (types is FLAG or not isinstance(value, bool))
        check(f"{what}: {path} is one of {types}", fits, repr(value))


def judge_against_tables(what, summary, energy, contacts):
    """The numbers of the summary are those of the exports."""
    ledger, last = summary["ledger"], energy[-1]
    equal(f"{what}: steps", summary["steps"], last["step"])
    equal(f"{what}: time", summary["time"], last["time"])
    for name, row in (("energy_start", energy[0]), ("energy_end", last)):
        total = math.fsum(row[e] for e in compare_run.ENERGIES)
        check(f"{what}: {name} {total}", abs(ledger[name] - total) <= 1e-14 * max(1, abs(total)),
              ledger[name])
    for name in ("contact_normal_work", "contact_tangential_work"):
        works = [row[name] for row in energy]
        bound = 1e-15 * len(works) * sum(map(abs, works))
        check(f"{what}: {name} is the sum {math.fsum(works)}",
              abs(ledger[name] - math.fsum(works)) <= bound, ledger[name])
    equal(f"{what}: residual_max", ledger["residual_max"], max(abs(r["residual"]) for r in energy))
    gaps = [row["gap"] for row in contacts]
    check(f"{what}: penetration_max is not negative, and no less than in the gaps",
          summary["penetration_max"] >= max([0.0] + [-gap for gap in gaps]) - 1e-15,
          summary["penetration_max"])


def test_built_in_scenes(scree):
    """Every scene runs by its name, its summary keeps the contract, its ledger closes."""
    for scene in SCENES:
        summary = scree.json("run", scene)
        if summary is None:
            continue
        judge_summary(scene, summary)
        equal(f"{scene}: run_file", summary["run_file"], f"{scene}.h5")
        check(f"{scene}: the run file is there", scree.path(f"{scene}.h5").is_file())
        energy = scree.rows(f"{scene}.h5", "energy")
        contacts = scree.rows(f"{scene}.h5", "contacts")
        no_complaints(f"{scene}: ledger", compare_run.judge_ledger(energy, contacts))
        judge_against_tables(scene, summary, energy, contacts)
        equal(f"{scene}: unconverged", summary["solver"]["unconverged"], 0)
        check(f"{scene}: solved to its tolerance",
              summary["solver"]["residual_max"] <= summary["solver"]["tolerance"], summary)
        creates = any(row["contact_normal_work"] + row["contact_tangential_work"] > 1e-12
                      for row in energy)
        check(f"{scene}: the theorem is not told to hold when energy was created",
              not (creates and summary["theorem"]["holds"]), summary)
    check("nothing but run files", scree.listing() == [f"{scene}.h5" for scene in SCENES],
          scree.listing())


def test_every_scene_starts(scree):
    """The beginning of every scene runs, the large ones included."""
    for scene in ALL_SCENES:
        summary = scree.json("run", scene, "--no-store", "--set", "scheme.duration=0.005")
        check(f"{scene}: begins", summary and summary["status"] == "done" and summary["steps"] > 0,
              summary)


def test_summary_for_people(scree):
    """Without --json: a readable summary with the run file; with --quiet: nothing."""
    answer = scree.expect(0, "run", "bouncing-ball")
    for word in ("moreau-jean-fremond", "bouncing-ball.h5", "ledger", " J", "residual", "theorem"):
        check(f"the summary has {word!r}", word in answer.out, answer.out)
    equal("no progress on a pipe", answer.err, "")
    answer = scree.expect(0, "run", "bouncing-ball", "--quiet")
    equal("run --quiet is quiet", answer.out + answer.err, "")


def on_terminal(scree, *arguments):
    """Run with standard error on a terminal: what it shows there, and standard output."""
    terminal, other = pty.openpty()
    process = subprocess.Popen([scree.binary, *arguments], cwd=scree.folder, stderr=other,
                               stdout=subprocess.PIPE)
    os.close(other)
    shown = b""
    try:
        while part := os.read(terminal, 65536):
            shown += part
    except OSError:
        pass   # the other end was closed
    os.close(terminal)
    return shown.decode(), process.communicate(timeout=60)[0].decode()


def test_progress(scree):
    """On a terminal: share, rate, time left, wiped at the end; standard output is not touched."""
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError as error:
        skip(f"progress on a terminal: there is none to be had here ({error})")
        return
    long = ["run", "impacting-stick", "--no-store", "--set", "scheme.step=1e-7"]
    shown, out = on_terminal(scree, *long, "--json")
    check("progress: share done, rate and time left", "%" in shown and "steps/s" in shown
          and "left" in shown, repr(shown))
    check("progress: one line, wiped at the end", "\n" not in shown
          and shown.endswith("\r"), repr(shown))
    equal("progress: standard output is JSON", json.loads(out)["status"], "done")
    shown, out = on_terminal(scree, *long, "--quiet")
    equal("--quiet: nothing", (shown, out), ("", ""))


def test_output_option(scree):
    """-o names the run file; --no-store writes none; an old run is replaced."""
    scree.path("deep").mkdir()
    short = ["--set", "scheme.duration=0.01"]
    summary = scree.json("run", "bouncing-ball", "-o", "deep/ball.h5", *short)
    equal("run_file", summary["run_file"], "deep/ball.h5")
    equal("only that file", scree.listing(), ["deep", "deep/ball.h5"])
    summary = scree.json("run", "bouncing-ball", "--no-store", *short)
    check("--no-store: run_file is null", "run_file" in summary and summary["run_file"] is None,
          summary)
    equal("--no-store: no file", scree.listing(), ["deep", "deep/ball.h5"])
    scree.expect(0, "run", "bouncing-ball", "-o", "deep/ball.h5", "--set", "scheme.duration=0.02")
    equal("replaced", len(scree.rows("deep/ball.h5", "energy")), 21)


def test_same_twice(scree):
    """The same scene gives the same tables, stored or not, by name or by file."""
    for scene in SCENES:
        scree.expect(0, "new", scene)
        first = scree.json("run", scene, "-o", "a.h5")
        second = scree.json("run", f"{scene}.yaml", "-o", "b.h5")
        third = scree.json("run", scene, "--no-store")
        equal(f"{scene}: the same tables", scree.export_hashes("a.h5"), scree.export_hashes("b.h5"))
        for summary in (first, second, third):
            for key in ("run_file", "wall_seconds"):
                summary.pop(key)
        check(f"{scene}: the same summary", first == second == third, (first, second, third))


# ---- export ----


def test_headers(scree):
    """Header lines, rows and columns as promised."""
    scree.write("spatial.yaml", SPATIAL)
    for scene, bodies, contacts in (("impacting-stick", "bodies", "contacts"),
                                    ("oscillator-stop", "coordinates", "contacts"),
                                    ("spatial.yaml", "coordinates", "spatial")):
        run = "headers.h5"
        scree.expect(0, "run", scene, "-o", run)
        for table, kind in (("energy", "energy"), ("bodies", bodies), ("contacts", contacts)):
            answer = scree.expect(0, "export", run, "--to", "csv", table)
            header, rows = table_of(answer.out)
            equal(f"{scene} {table}: header", ",".join(header), HEADERS[kind])
            check(f"{scene} {table}: rows as wide as the header",
                  rows and all(len(row) == len(header) for row in rows), answer.out[:300])
            check(f"{scene} {table}: ends with a newline, no carriage returns",
                  answer.out.endswith("\n") and "\r" not in answer.out)
            numbers = [cell for row in rows for name, cell in zip(header, row)
                       if name not in compare_run.TEXT]
            check(f"{scene} {table}: finite numbers", all_finite(numbers), rows[:2])
            judge_whole_columns(f"{scene} {table}", header, rows)


def all_finite(cells):
    """Every cell is a finite number."""
    try:
        return all(math.isfinite(float(cell)) for cell in cells)
    except ValueError:
        return False


def judge_whole_columns(what, header, rows):
    """step (and coordinate) are whole, and the steps never go back."""
    steps = [row[0] for row in rows]
    check(f"{what}: step is a whole number", all(step.isdigit() for step in steps), steps[:3])
    check(f"{what}: in the order of steps", [int(s) for s in steps] == sorted(map(int, steps)))
    if "coordinate" in header:
        column = header.index("coordinate")
        check(f"{what}: coordinate is a whole number", all(row[column].isdigit() for row in rows))


def test_rows_of_the_stick(scree):
    """impacting-stick: 2001 steps with the start, the moving body and the pair by their names."""
    scree.expect(0, "run", "impacting-stick", "-o", "s.h5")
    energy, bodies = scree.rows("s.h5", "energy"), scree.rows("s.h5", "bodies")
    contacts = scree.rows("s.h5", "contacts")
    equal("energy rows", [row["step"] for row in energy], list(range(2001)))
    equal("steps of the stick", [r["step"] for r in bodies if r["body"] == "stick"],
          list(range(2001)))
    equal("pairs", {(row["a"], row["b"]) for row in contacts}, {("stick", "ground")})
    check("statuses are words", {row["status"] for row in contacts} <=
          {"inactive", "open", "stick", "slip", "closed"}, {row["status"] for row in contacts})
    equal("one id for the one contact", len({row["contact"] for row in contacts}), 1)
    check("the works of step 0 are zero",
          all(energy[0][name] == 0 for name in compare_run.WORKS + ("residual",)), energy[0])
    start = [row for row in bodies if row["step"] == 0][0]
    equal("the start to the last bit", [start[c] for c in compare_run.STATE],
          [0.5 * math.sin(math.pi / 4), 0.5 * math.cos(math.pi / 4) + 0.01, math.pi / 4, -0.5, 0.1,
           0.1])
    for row in energy[:20] + energy[-20:]:
        check(f"time of step {row['step']}", abs(row["time"] - row["step"] * 1e-4) <= 1e-16, row)


def test_round_trip(scree):
    """Numbers come out of the CSV bit for bit as they went in."""
    rng = random.Random(5)
    for trial in range(5):
        values = [rng.uniform(-1, 1) * 10.0 ** rng.randint(-12, 12) for _ in range(6)]
        values += [5e-324, 1 / 3, -0.0, 2.0 ** 53 + 2]
        size = len(values)
        mass = "[" + ", ".join(str([float(i == j) for j in range(size)]) for i in range(size)) + "]"
        scree.write("trip.yaml", f"system:\n  mass: {mass}\n  position: {values!r}\n"
                                 f"  velocity: {values[::-1]!r}\n"
                                 "scheme: {step: 1e-3, duration: 1e-3}\n")
        scree.expect(0, "run", "trip.yaml")
        rows = [row for row in scree.rows("trip.h5", "bodies") if row["step"] == 0]
        equal(f"round trip {trial}: q", [row["q"] for row in rows], values)
        equal(f"round trip {trial}: v", [row["v"] for row in rows], values[::-1])


def test_export_to_file(scree):
    """-o FILE holds the same bytes as standard output; --json names the file."""
    scree.expect(0, "run", "bouncing-ball")
    for table in TABLES:
        printed = scree.expect(0, "export", "bouncing-ball.h5", "--to", "csv", table).out
        plain = scree.expect(0, "export", "bouncing-ball.h5", table).out
        equal(f"{table}: csv is the default", digest(plain), digest(printed))
        answer = scree.expect(0, "export", "bouncing-ball.h5", table, "--to", "csv", "-o", "t.csv")
        equal(f"{table}: the same in the file", digest(scree.path("t.csv").read_bytes()),
              digest(printed))
        check(f"{table}: no table on standard output with -o", "," not in answer.out, answer)
        found = scree.json("export", "bouncing-ball.h5", table, "-o", "t.csv")
        equal(f"{table}: --json names the file", found, {"file": "t.csv"})
    answer = scree("export", "bouncing-ball.h5", "energy", "--json")
    if answer.status == 2:
        check("export --json without -o is refused with a reason", "--output" in answer.err, answer)
    else:
        document(answer)


def test_stride(scree):
    """output.every: states and contacts of every seventh step, the ledger of every step."""
    scree.expect(0, "run", "bouncing-ball", "-o", "all.h5")
    scree.expect(0, "run", "bouncing-ball", "-o", "some.h5", "--set", "output.every=7")
    for table in ("bodies", "contacts"):
        every, some = scree.rows("all.h5", table), scree.rows("some.h5", table)
        kept = [row for row in every if row["step"] % 7 == 0 or row["step"] == 3000]
        steps = {row["step"] for row in some}
        equal(f"{table}: every seventh step", [r for r in some if r["step"] % 7 == 0],
              [r for r in kept if r["step"] % 7 == 0])
        check(f"{table}: the last step is stored too", 3000 in steps, sorted(steps)[-3:])
    equal("energy: every step", digest(scree.expect(0, "export", "some.h5", "energy").out),
          digest(scree.expect(0, "export", "all.h5", "energy").out))


def test_only_active_contacts(scree):
    """output.contacts: all adds the inactive rows to the active ones and changes nothing else."""
    for choice in ("all", "active"):
        scree.expect(0, "run", "bouncing-ball", "-o", f"{choice}.h5", "--set",
                     f"output.contacts={choice}")
    every = scree.rows("all.h5", "contacts")
    wanted = [row for row in every if row["status"] != "inactive"]
    equal("active contacts", scree.rows("active.h5", "contacts"), wanted)
    equal("all contacts of all steps", [row["step"] for row in every], list(range(1, 3001)))


# ---- --set ----


def test_set(scree):
    """Overrides reach values, parameters, entries by name and number; the last one counts."""
    for text, column, value in (
            ("parameters.vx=0.25", "vx", 0.25), ("parameters.vx=1/8+sqrt(4)", "vx", 2.125),
            ("bodies.stick.spin=3", "omega", 3.0), ("bodies.1.spin=3", "omega", 3.0),
            ("bodies.stick.velocity=[7, 8]", "vx", 7.0),
            ("bodies.stick.velocity.0=7", "vx", 7.0),
            ("bodies.stick.angle=pi/2", "angle", math.pi / 2)):
        scree.expect(0, "run", "impacting-stick", "-o", "s.h5", "--set", text,
                     "--set", "scheme.duration=1e-4")
        start = [r for r in scree.rows("s.h5", "bodies") if r["body"] == "stick"][0]
        equal(f"--set {text}: {column}", start[column], value)
    summary = scree.json("run", "impacting-stick", "-o", "s.h5", "-s", "scheme.theta=0.6",
                         "--set=scheme.theta=0.7", "-sscheme.duration=1e-3")
    equal("the last --set counts", summary["theta"], 0.7)
    equal("--set=... and -s... work", summary["steps"], 10)


def test_theorem(scree):
    """The verdict on the hypotheses: scheme, and theta against every e."""
    for scheme, theta, e, mu, holds in (
            ("moreau-jean-fremond", 0.5, 1, 0.3, True), ("moreau-jean-fremond", 0.6, 1, 0.3, False),
            ("moreau-jean-fremond", 0.6, 0.5, 0.3, True), ("moreau-jean", 0.5, 0, 0.3, False),
            ("moreau-jean-fremond", 1, 0, 0.3, True), ("moreau-jean-fremond", 1, 0.01, 0, False)):
        summary = scree.json("run", "impacting-stick", "--no-store", "--set",
                             f"scheme.name={scheme}", "--set", f"scheme.theta={theta}", "--set",
                             f"parameters.e={e}", "--set", f"parameters.mu={mu}", "--set", "scheme.energy_created=1")
        what = f"{scheme}, theta {theta}, e {e}, mu {mu}"
        equal(f"theorem for {what}", summary["theorem"]["holds"], holds)
        if holds:
            equal(f"no energy created for {what}", summary["ledger"]["steps_creating_energy"], 0)
    summary = scree.json("run", "sliding-block", "--no-store", "--set", "scheme.duration=0.02")
    check("the paper's own illustration is certified, with its velocity_tolerance",
          summary["theorem"]["holds"] and summary["ledger"]["energy_created"] == 0, summary)


# ---- scenes, new, schema ----


def test_scenes_and_new(scree):
    """scenes lists them; new writes one out, does not overwrite, and it runs."""
    equal("scenes --names", scree.expect(0, "scenes", "--names").out.split(), ALL_SCENES)
    found = scree.json("scenes")
    equal("scenes --json: names", sorted(entry["name"] for entry in found), ALL_SCENES)
    listing = scree.expect(0, "scenes").out
    for entry in found:
        check(f"scenes: {entry['name']} with a line about it",
              entry["name"] in listing and entry["about"] and entry["about"] in listing, listing)
        scree.expect(0, "new", entry["name"])
        text = scree.path(f"{entry['name']}.yaml").read_text()
        check(f"{entry['name']}: begins with a comment on what to look for",
              text.startswith("#") and "Look at" in text, text[:200])
        parameters = scene_language.parse(text)["parameters"]
        wanted = PARAMETERS.get(entry["name"], "").split()
        check(f"{entry['name']}: parameters {wanted}", set(wanted) <= set(parameters), parameters)
        scree.expect(0, "check", f"{entry['name']}.yaml")
    scree.write("bouncing-ball.yaml", "mine")
    answer = scree.expect(2, "new", "bouncing-ball")
    check("new does not overwrite, and says how to", "--force" in answer.err, answer)
    equal("mine is kept", scree.path("bouncing-ball.yaml").read_text(), "mine")
    scree.expect(0, "new", "bouncing-ball", "--force")
    check("--force replaces", "bouncing ball" in scree.path("bouncing-ball.yaml").read_text())
    found = scree.json("new", "bouncing-ball", "-o", "other.yaml")
    equal("new --json names the file", found, {"file": "other.yaml"})


def test_file_before_name(scree):
    """A file of the name of a built-in scene wins, and a name needs no file."""
    scree.expect(0, "new", "bouncing-ball", "-o", "impacting-stick")
    summary = scree.json("run", "impacting-stick", "-o", "x.h5", "--set", "scheme.duration=1e-3")
    bodies = {row["body"] for row in scree.rows("x.h5", "bodies")}
    check("the file in the folder is run", summary and "ball" in bodies, bodies)


def test_standard_input(scree):
    """- is a scene on standard input: the same run as from a file, also where it is opened often."""
    text = scree.expect(0, "new", "bouncing-ball", "-o", "ball.yaml") and scree.path(
        "ball.yaml").read_text()
    short = ("--set", "scheme.duration=0.6")
    scree.expect(0, "run", "ball.yaml", *short)
    with open(scree.path("ball.yaml"), encoding="utf-8") as file:
        scree.expect(0, "run", "-", *short, stdin=file)
    equal("the same numbers", scree.export_hashes("stdin.h5"), scree.export_hashes("ball.h5"))
    with open(scree.path("ball.yaml"), encoding="utf-8") as file:
        once = scree.expect(0, "compare", "-", *short, stdin=file)
    check("two schemes", "moreau-jean-fremond" in once.out, once)
    scree.write("bad.yaml", text.replace("duration", "durration"))
    with open(scree.path("bad.yaml"), encoding="utf-8") as file:
        answer = scree.expect(2, "check", "-", stdin=file)
    check("a place in it", answer.err.startswith("stdin:"), answer)
    scree.expect(2, "check", "-")  # nothing is there


def test_schema(scree):
    """A JSON Schema that accepts the built-in scenes and refuses what the reader refuses."""
    schema = scree.json("schema")
    equal("schema and schema --json", json.loads(scree.expect(0, "schema").out), schema)
    check("$schema names a draft", "json-schema.org" in schema.get("$schema", ""), schema)
    equal("type", schema.get("type"), "object")
    equal("top level is closed", schema.get("additionalProperties"), False)
    equal("keywords this test does not know", scene_language.unknown_keywords(schema), set())
    check("every property has a description", not undescribed(schema), undescribed(schema))
    scenes = {}
    for scene in ALL_SCENES:
        scree.expect(0, "new", scene)
        scenes[scene] = scene_language.parse(scree.path(f"{scene}.yaml").read_text())
        no_complaints(f"schema on {scene}", scene_language.violations(schema, scenes[scene]))
    judge_mutants(schema, scenes["impacting-stick"], scenes["oscillator-stop"])


def undescribed(schema, where="scene"):
    """Properties without a description."""
    found = []
    for key, part in schema.get("properties", {}).items():
        found += [] if part.get("description") else [f"{where}.{key}"]
        found += undescribed(part, f"{where}.{key}")
    return found + (undescribed(schema["items"], where + "[]") if "items" in schema else [])


def judge_mutants(schema, stick, oscillator):
    """Scenes with one mistake each."""
    for scene, path, value in (
            (stick, ["scheme", "theta"], 0.3), (stick, ["scheme", "theta"], 1.5),
            (stick, ["scheme", "step"], 0), (stick, ["scheme", "step"], [1]),
            (stick, ["scheme", "name"], "euler"), (stick, ["scheme", "thta"], 0.5),
            (stick, ["bodies", 1, "mass"], -1), (stick, ["bodies", 1, "colour"], "red"),
            (stick, ["bodies", 1, "fixed"], "maybe"), (stick, ["bodies", 1, "position"], [1]),
            (stick, ["bodies"], {"a": 1}), (stick, ["laws", 0, "friction"], -1),
            (stick, ["laws", 0, "restitution"], 2), (stick, ["gravity"], [0, 0, 0, 0]),
            (stick, ["space"], 4), (stick, ["bodies", 1, "inertia"], {"a": 1}),
            (stick, ["bodies", 1, "motion"], {"speed": 1}),
            (stick, ["generate"], [{"name": "a", "count": 3}]),
            (stick, ["laws", 0, "between"], ["stick"]), (stick, ["output"], {"every": 0}),
            (stick, ["solver"], {"tolerance": 0}), (stick, ["bodies", 1, "shapes", 0, "type"], "x"),
            (oscillator, ["system", "mass"], 1), (oscillator, ["system", "mass"], [1, 2]),
            (oscillator, ["system", "contacts", 0, "normal"], 1)):
        mutant = copy.deepcopy(scene)
        place = mutant
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        check(f"schema refuses {path} = {value!r}", scene_language.violations(schema, mutant))
    for scene, path in ((stick, ["scheme"]), (stick, ["scheme", "step"]),
                        (stick, ["bodies", 1, "name"]), (oscillator, ["system", "mass"])):
        mutant = copy.deepcopy(scene)
        place = mutant
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]
        check(f"schema refuses a scene without {path}", scene_language.violations(schema, mutant))


# ---- check, compare, plot ----


def test_check(scree):
    """check says that a scene is fine; it writes nothing."""
    for scene in ALL_SCENES:
        answer = scree.expect(0, "check", scene)
        check(f"check {scene}: says so", "fine" in answer.out + answer.err, answer)
        found = scree.json("check", scene)
        check(f"check {scene} --json", found["valid"] is True and found["errors"] == [], found)
    equal("check writes nothing", scree.listing(), [])
    scree.write("bare.yaml", "bodies:\n- {name: ghost, fixed: true}\n- {name: ball, mass: 1, "
                "inertia: 1, shapes: [{type: disc, radius: 1}]}\n"
                "scheme: {step: 1e-3, duration: 1e-2}\n")
    answer = scree.expect(0, "check", "bare.yaml")
    check("a fixed body without a shape is noted",
          'note: body "ghost" does not move and has no shape' in answer.out, answer)
    check("no other body is", answer.out.count("note:") == 1, answer)


def test_compare(scree):
    """compare: a summary per scheme as run gives it, in the order asked for; run files if asked."""
    found = scree.json("compare", "impacting-stick", "--schemes",
                       "moreau-jean-fremond,moreau-jean", "-o", ".")
    runs = found["runs"]
    equal("schemes", [run["scheme"] for run in runs], ["moreau-jean-fremond", "moreau-jean"])
    for run in runs:
        judge_summary(f"compare {run['scheme']}", run)
        check("its run file is there", scree.path(run["run_file"] or "none").is_file(), run)
        alone = scree.json("run", "impacting-stick", "-o", "alone.h5", "--set",
                           f"scheme.name={run['scheme']}")
        equal("the same numbers as run", run["ledger"], alone["ledger"])
        equal("the same tables as run", scree.export_hashes(run["run_file"]),
              scree.export_hashes("alone.h5"))
    scree.expect(0, "compare", "impacting-stick", "--plot", "c.svg")
    check("--plot draws an SVG", "<svg" in scree.path("c.svg").read_text()[:500])
    table = scree.expect(0, "compare", "impacting-stick").out
    for word in ("moreau-jean", "moreau-jean-fremond", "0.000707718"):
        check(f"compare prints {word}", word in table, table)


def test_plot(scree):
    """Every figure as SVG; PNG and PDF begin as they should; the same run, the same picture."""
    for scene in ("impacting-stick", "oscillator-stop"):
        scree.expect(0, "run", scene)
        figures = scree.json("plot", "--list")
        check("plot --list --json: energy, gaps, ...", {"energy", "velocities", "impulses", "gaps",
                                                        "trajectories"} <= set(figures), figures)
        for figure in figures:
            answer = scree("plot", f"{scene}.h5", figure, "-o", "f.svg")
            if not check(f"{answer.command}: works or says why not", answer.status == 0
                         or (answer.status in (1, 2) and answer.err), answer):
                continue
            if answer.status == 0:
                judge_svg(f"{scene} {figure}", scree.path("f.svg").read_text())
            else:
                check(f"{scene} {figure}: refused only where bodies are missing",
                      scene == "oscillator-stop" and figure in ("trajectories", "bodies"), answer)
        for ending, magic in (("png", b"\x89PNG\r\n\x1a\n"), ("pdf", b"%PDF-")):
            found = scree.json("plot", f"{scene}.h5", "energy", "-o", f"f.{ending}")
            equal(f"plot --json names the file .{ending}", found, {"file": f"f.{ending}"})
            check(f".{ending} begins as it should",
                  scree.path(f"f.{ending}").read_bytes().startswith(magic))


def judge_svg(what, text):
    """Well-formed enough: one svg element, closed, with axes in words and no NaN."""
    check(f"{what}: an SVG", text.lstrip().startswith(("<?xml", "<svg"))
          and text.rstrip().endswith("</svg>"), text[:200])
    check(f"{what}: no nan or inf in it", not re.search(r"[\"= ,](nan|inf|-nan)\b", text))


def test_default_figure_name(scree):
    """plot without -o names the figure after run and figure."""
    scree.expect(0, "run", "bouncing-ball")
    scree.expect(0, "plot", "bouncing-ball.h5", "energy")
    equal("file", scree.listing(), ["bouncing-ball-energy.svg", "bouncing-ball.h5"])


# ---- help ----


def test_version_and_help(scree):
    """--version, --help of every command, manual page, completion."""
    answer = scree.expect(0, "--version")
    check("version", re.match(r"scree \d+\.\d+\.\d+\b", answer.out), answer)
    for arguments in (["--help"], ["-h"], ["help"], ["help", "help"],
                      *([c, "--help"] for c in COMMANDS), *([c, "-h"] for c in COMMANDS),
                      *(["help", c] for c in COMMANDS)):
        answer = scree.expect(0, *arguments)
        check(f"{answer.command}: usage on standard output", "Usage" in answer.out and not
              answer.err, answer)
        check(f"{answer.command}: at most 100 columns",
              max(map(len, answer.out.splitlines()), default=0) <= 100, answer.out)
    for command in COMMANDS:
        answer = scree(command, "--version")
        check(f"{answer.command}: the version, as everywhere",
              answer.status == 0 and answer.out.startswith("scree "), answer)
        text = scree("help", command).out
        check(f"help {command}: --json is told", "--json" in text, text)
    for word in COMMANDS:
        check(f"--help lists {word}", word in scree("--help").out)
        check(f"the manual has {word}", word in scree("--manual").out)
        check(f"the completion has {word}", word in scree("--completion").out)
    check("the manual is roff", ".TH SCREE 1" in scree.expect(0, "--manual").out)


def test_json_is_json(scree):
    """--json prints exactly one document and nothing else on standard output, on every command."""
    scree.expect(0, "run", "bouncing-ball")
    for arguments in (["run", "bouncing-ball"], ["check", "bouncing-ball"], ["scenes"], ["schema"],
                      ["compare", "bouncing-ball"], ["plot", "--list"],
                      ["plot", "bouncing-ball.h5", "energy"], ["new", "spinning-disc"],
                      ["export", "bouncing-ball.h5", "energy", "-o", "e.csv"]):
        answer = scree.expect(0, *arguments, "--json")
        document(answer)
        equal(f"{answer.command}: nothing on standard error", answer.err, "")
        scree.path("spinning-disc.yaml").unlink(missing_ok=True)
        answer = scree.expect(0, arguments[0], "--json", *arguments[1:])
        document(answer)


if __name__ == "__main__":
    run_tests(globals())
