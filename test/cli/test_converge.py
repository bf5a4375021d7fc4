# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""scree converge: orders that are known, references, refusals, and the forms of its answer."""

import math
import signal
import time
import xml.etree.ElementTree as xml

from harness import check, document, equal, run_tests, table_of

FREE = ["--set", "parameters.stop=100"]  # oscillator-stop that never meets its stop
FIRST_COLOURS = ("rgb(0%,44.7", "rgb(83.5")  # of the palette
RUN_KEYS = ["h", "steps", "status", "message", "position_error", "position_relative",
            "velocity_error", "velocity_relative", "position_max", "position_mean", "position_end",
            "velocity_max", "velocity_mean", "velocity_end", "energy_error", "energy_max", "energy_mean",
            "energy_end", "order_position", "order_velocity", "order_energy", "curve_time",
            "curve_energy"]


def near(what, got, expected, tolerance):
    """Check that a number is there and close."""
    return check(f"{what}: expected {expected} to {tolerance}",
                 got is not None and abs(got - expected) <= tolerance, got)


def orders(answer):
    """Fitted orders of the first scheme, positions and velocities."""
    scheme = answer["schemes"][0]
    return scheme["order_position"], scheme["order_velocity"]


# ---- orders that are known ----


def test_first_order_of_nscd(scree):
    """Its numerical damping rules the error: order one to 5 %, whatever the measure."""
    answer = scree.json("converge", "klarbring", "--schemes", "nscd", "--steps", "1e-2:6")
    equal("reference", answer["reference"], "event-driven")
    for what, order in zip(("positions", "velocities"), orders(answer)):
        near(f"nscd, {what}", order, 1, 0.05)
    answer = scree.json("converge", "klarbring", "--schemes", "nscd", "--steps", "1e-2:6", "--at",
                        "8")
    near("nscd at t = 8", orders(answer)[0], 1, 0.05)
    errors = [run["position_error"] for run in answer["schemes"][0]["runs"]]
    check("the errors are those at the end", errors ==
          [run["position_end"] for run in answer["schemes"][0]["runs"]], errors)


def test_first_order_with_friction(scree):
    """moreau-jean loses the rest of the step in which sliding turns: order one on the mean."""
    plain = scree.json("converge", "klarbring", "--schemes", "moreau-jean", "--steps", "1e-2:6",
                       "--at", "8")
    observed = [run["order_position"] for run in plain["schemes"][0]["runs"][1:]]
    check("orders of single halvings are a lottery", max(observed) - min(observed) > 1, observed)
    answer = scree.json("converge", "klarbring", "--schemes", "moreau-jean", "--steps", "2e-3:4",
                        "--spread", "12", "--duration", "4")
    near("moreau-jean, positions", orders(answer)[0], 1, 0.15)
    near("moreau-jean, velocities", orders(answer)[1], 1, 0.15)


def test_second_order_without_contact(scree):
    """theta = 1/2 is of second order in smooth motion, theta = 1 of first."""
    for reference in ("event-driven", "self"):
        answer = scree.json("converge", "oscillator-stop", *FREE, "--schemes", "moreau-jean",
                            "--steps", "1e-2:4", "--duration", "1", "--reference", reference)
        equal("reference", answer["reference"], reference)
        near(f"theta = 1/2, positions, {reference}", orders(answer)[0], 2, 0.02)
        near(f"theta = 1/2, velocities, {reference}", orders(answer)[1], 2, 0.02)
    answer = scree.json("converge", "oscillator-stop", *FREE, "--schemes", "moreau-jean", "--steps",
                        "5e-4:4", "--duration", "1", "--set", "scheme.theta=1")
    near("theta = 1", orders(answer)[0], 1, 0.05)


def test_errors_are_those_of_the_runs(scree):
    """A free mass on a spring, theta = 1/2: the error is known in closed form."""
    scree.write("spring.yaml", "system: {mass: [[1]], stiffness: [[1]], position: [1], "
                "velocity: [0]}\nscheme: {name: moreau-jean, theta: 1/2, step: 0.1, duration: 6}\n")
    answer = scree.json("converge", "spring.yaml", "--steps", "0.1:2", "--at", "6")
    for run in answer["schemes"][0]["runs"]:
        phase = 2 * math.atan(run["h"] / 2) * run["steps"]
        near("position", run["position_error"], abs(math.cos(phase) - math.cos(6)), 1e-11)
        near("velocity", run["velocity_error"], abs(math.sin(phase) - math.sin(6)), 1e-11)


def test_energy_of_the_runs(scree):
    """The same mass, theta = 1: energies fall by 1/(1 + h^2) a step; curves go from start to end."""
    scree.write("spring.yaml", "system: {mass: [[1]], stiffness: [[1]], position: [1], "
                "velocity: [0]}\nscheme: {name: moreau-jean, theta: 1, step: 0.01, duration: 6}\n")
    answer = scree.json("converge", "spring.yaml", "--steps", "0.05:4")
    near("order", answer["schemes"][0]["order_energy"], 1, 0.1)
    for run in answer["schemes"][0]["runs"]:
        h, n, fall = run["h"], run["steps"], 1 / (1 + run["h"] ** 2)
        near("at the end", run["energy_end"], 0.5 - 0.5 * fall ** n, 1e-9)
        near("mean", run["energy_mean"],
             sum(0.5 - 0.5 * fall ** k for k in range(1, n + 1)) / n, 1e-9)
        equal("samples", len(run["curve_time"]), 201)
        worst = max(abs(e - 0.5 * fall ** round(t / h))
                    for t, e in zip(run["curve_time"], run["curve_energy"]))
        check("the curve is that of the run", worst < 1e-12, worst)
        near("it ends at the end", run["curve_time"][-1], 6, 1e-12)


def test_first_order_with_impacts(scree):
    """Jumps of velocities: the mean of their error is of first order, its maximum is of none."""
    answer = scree.json("converge", "oscillator-stop", "--schemes", "moreau-jean", "--steps",
                        "4e-3:4", "--duration", "2", "--spread", "8")
    near("positions", orders(answer)[0], 1, 0.25)
    near("velocities, mean", orders(answer)[1], 1, 0.25)
    runs = answer["schemes"][0]["runs"]
    check("the largest error of velocities stays", runs[-1]["velocity_max"] >
          0.3 * runs[0]["velocity_max"], [run["velocity_max"] for run in runs])


def test_another_law_is_seen(scree):
    """The Fremond law has another impact: it converges, but not to the reference."""
    change = ["klarbring", "--schemes", "moreau-jean-fremond", "--steps", "1e-2:4"]
    answer = scree.json("converge", *change, "--reference", "event-driven")
    near("no order against event-driven", orders(answer)[0], 0, 0.2)
    said = scree.expect(0, "converge", *change, "--reference", "event-driven").out
    check("which is said", "another law" in said, said)
    for scene, scheme, reference in (("kane-pendulum", "moreau-jean-fremond", "self"),
                                     ("kane-pendulum", "moreau-jean", "event-driven"),
                                     ("belt-oscillator", "moreau-jean-fremond", "event-driven")):
        answer = scree.json("converge", scene, "--schemes", scheme, "--steps", "4e-3:3", "--duration", "1")
        equal(f"{scene}, {scheme}: by the law of its impacts", answer["reference"], reference)
        if scene == "kane-pendulum":
            near(f"{scheme}: order", orders(answer)[0], 1, 0.25)


# ---- bodies ----


def test_bodies(scree):
    """Few bodies in the plane have the event-driven reference: moreau-jean comes to it with order 1."""
    for scene, words in (("bouncing-ball", ["--spread", "4"]), ("three-balls", [])):
        answer = scree.json("converge", scene, "--schemes", "moreau-jean", *words)
        equal(f"{scene}: reference", answer["reference"], "event-driven")
        near(f"{scene}: order", answer["schemes"][0]["order_position"], 1, 0.25)


# ---- bodies in space, sweeping processes: against themselves ----


def test_self(scree):
    """Where there is no event-driven scheme, half the step is the reference; the reason is told."""
    answer = scree.json("converge", "bouncing-ball", "--schemes", "moreau-jean,moreau-jean-fremond",
                        "--spread", "8", "--reference", "self")
    equal("reference", answer["reference"], "self")
    for scheme in answer["schemes"]:
        near(f"ball, {scheme['scheme']}", scheme["order_position"], 1, 0.25)
    answer = scree.json("converge", "spinning-top", "--steps", "1e-3:3", "--duration", "0.1")
    near("a top in space", orders(answer)[0], 2, 0.1)
    equal("reference", answer["reference"], "self")
    check("why", "bodies in space" in answer["why_self"], answer["why_self"])
    answer = scree.json("converge", "sweeping-disc", "--schemes", "catching-up,lazy", "--steps",
                        "0.02:4")
    equal("methods are the schemes", [s["scheme"] for s in answer["schemes"]],
          ["catching-up", "lazy"])
    for scheme in answer["schemes"]:
        near(scheme["scheme"], scheme["order_position"], 1, 0.05)


def test_falling_is_exact(scree):
    """Free fall is exact with theta = 1/2: rounding has no order."""
    change = ["bouncing-ball", "--duration", "0.4", "--steps", "0.1:3"]
    answer = scree.json("converge", *change)
    equal("no order", orders(answer), (None, None))
    said = scree.expect(0, "converge", *change).out
    check("which is said", "rounding" in said, said)


# ---- what does not go ----


def test_refused_schemes(scree):
    """A scheme that refuses the scene is shown, and fatal only if all do."""
    said = scree.expect(0, "converge", "bouncing-ball", "--schemes", "nscd,moreau-jean", "--steps",
                        "1e-2:2", "--duration", "0.5").out
    check("the reason", "nscd: refused: nscd is for systems given by their matrices" in said, said)
    answer = scree.json("converge", "bouncing-ball", "--schemes", "nscd,moreau-jean", "--steps",
                        "1e-2:2", "--duration", "0.5")
    equal("statuses", [s["status"] for s in answer["schemes"]], ["refused", "done"])
    equal("no runs of it", answer["schemes"][0]["runs"], [])
    answer = scree.expect(2, "converge", "bouncing-ball", "--schemes", "nscd")
    check("all of them", "no scheme takes the scene" in answer.err, answer)
    equal("status", document(scree.expect(2, "converge", "bouncing-ball", "--schemes", "nscd",
                                          "--json"))["status"], "bad-input")


def test_unconverged(scree):
    """Steps that miss their tolerance: no error for that step, exit status 1 if none is left."""
    hard = ["dominoes", "--set", "solver.name=nsgs", "--set", "solver.max_sweeps=2", "--set",
            "solver.tolerance=1e-13", "--steps", "2e-3:2", "--duration", "0.02"]
    answer = scree.expect(1, "converge", *hard, "--plot", "none.svg")
    check("each row says why", answer.out.count("the limit of iterations was reached") == 2, answer)
    check("none is left", "no run could be compared" in answer.err, answer)
    equal("no figure of nothing", scree.listing(), [])
    answer = document(scree.expect(1, "converge", *hard, "--json"))
    equal("no errors", [run["position_error"] for run in answer["schemes"][0]["runs"]],
          [None, None])


def test_reference_that_stops(scree):
    """An event-driven reference that breaks off is replaced, unless it was asked for."""
    wild = ["klarbring", "--set", "system.load=[1, sin(1e8*t)]", "--steps", "1e-2:2", "--duration",
            "0.1"]
    answer = scree.json("converge", *wild)
    equal("replaced", answer["reference"], "self")
    check("why", "pieces of integration" in answer["why_self"], answer["why_self"])
    answer = scree.expect(2, "converge", *wild, "--reference", "event-driven")
    check("asked for", "the event-driven reference stopped" in answer.err, answer)


def test_wrong_use(scree):
    """Complaints that say what would have been right."""
    for words, told in ((["--schemes", "nsdc"], "did you mean 'nscd'"),
                        (["--schemes", "euler"], "there are moreau-jean"),
                        (["--schemes", ","], "1 to 8 names"),
                        (["--steps", "1e-2"], "for example 1e-2:6"),
                        (["--steps", "0:4"], "for example 1e-2:6"),
                        (["--steps", "1e-2:1"], "from 2 to 16"),
                        (["--steps", "1e-2:4x"], "for example 1e-2:6"),
                        (["--steps", "1e-9:16"], "at most 1e+09"),
                        (["--steps", "20:3"], "longer than the runs"),
                        (["--steps", "3e-3:4", "--at", "8"], "take 7.998 or 8.001"),
                        (["--at", "8", "--duration", "8"], "no --duration"),
                        (["--at", "-1"], "--at"),
                        (["--spread", "0"], "--spread"),
                        (["--plot", "x.gif"], ".svg"),
                        (["--json", "-o", "-"], "standard output"),
                        (["--reference", "exact"], "self"),
                        (["--set", "parameters.mu=-1"], "friction")):
        answer = scree.expect(2, "converge", "klarbring", *words)
        check(f"{words}: says {told!r}", told in answer.err + answer.out, answer)
    answer = scree.expect(2, "converge", "spinning-top", "--reference", "event-driven")
    check("bodies in space have no event-driven reference", "not for this scene" in answer.err,
          answer)
    answer = scree.expect(2, "converge", "klarbrin")
    check("scene", "did you mean" in answer.err, answer)


def test_interrupted(scree):
    """Ctrl-C ends it, with nothing on standard output."""
    process = scree.start("converge", "klarbring", "--steps", "1e-2:16", "--plot", "late.svg")
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    answer = scree.finish(process)
    check("exit status 1, and said", answer.status == 1 and "stopped before" in answer.err, answer)
    equal("nothing on standard output", answer.out, "")
    equal("no figure", scree.listing(), [])


# ---- forms of the answer ----


def test_default_steps(scree):
    """From eight times the scene's step down, up to the last whole number of the longest."""
    answer = scree.json("converge", "bouncing-ball", "--set", "scheme.duration=0.1")
    equal("steps", [run["h"] for run in answer["schemes"][0]["runs"]],
          [8e-3, 4e-3, 2e-3, 1e-3, 5e-4])
    near("end", answer["time"], 0.096, 1e-15)
    equal("the scene's scheme", answer["schemes"][0]["scheme"], "moreau-jean-fremond")


def test_json_and_csv(scree):
    """Keys of the document; the table has the same numbers."""
    words = ["converge", "klarbring", "--schemes", "nscd,moreau-jean", "--steps", "1e-2:3",
             "--duration", "2"]
    answer = document(scree.expect(0, *words, "--json", "-o", "t.csv"))
    equal("keys", list(answer), ["status", "scene", "reference", "why_self", "time", "spread",
                                 "position_measure", "velocity_measure", "schemes", "plot"])
    equal("keys of a run", list(answer["schemes"][0]["runs"][0]), RUN_KEYS)
    equal("measures", (answer["position_measure"], answer["velocity_measure"]), ("max", "mean"))
    header, rows = table_of(scree.path("t.csv").read_text())
    found = [dict(zip(header, row)) for row in rows]
    runs = [(s["scheme"], run) for s in answer["schemes"] for run in s["runs"]]
    equal("rows", len(found), len(runs))
    for row, (scheme, run) in zip(found, runs):
        equal("scheme", row["scheme"], scheme)
        for key in ("h", "position_max", "position_mean", "velocity_end", "velocity_mean"):
            equal(key, float(row[key]), run[key])
        check("max over mean", run["position_max"] >= run["position_mean"] > 0, run)
    equal("standard output", scree.expect(0, *words, "-o", "-").out,
          scree.path("t.csv").read_text())


def test_figure(scree):
    """Valid XML: a curve of each scheme and two slopes in two panels, energies in a third."""
    scree.expect(0, "converge", "klarbring", "--schemes", "moreau-jean,nscd", "--steps", "1e-2:4",
                 "--duration", "4", "--plot", "c.svg")
    root = xml.fromstring(scree.path("c.svg").read_text())
    strokes = [(e.get("style") or "", e.get("d")) for e in root.iter() if e.get("d")]
    for colour in FIRST_COLOURS:
        curves = [d for style, d in strokes if f"stroke:{colour}" in style and d.count("L") >= 3
                  and "stroke-width:1.1" in style]
        check(f"a curve in each panel in {colour}", len(curves) == 3, curves)
    dashed = [d for style, d in strokes if "dasharray" in style]
    check("slopes of both orders in both panels, and in legends", len(dashed) >= 8, dashed)
    scree.expect(0, "converge", "klarbring", "--steps", "1e-2:2", "--duration", "1", "--plot",
                 "c.pdf")
    check("a PDF", scree.path("c.pdf").read_bytes()[:5] == b"%PDF-")


run_tests(globals())
