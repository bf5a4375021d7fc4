# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Scenes of kind sweeping, end to end: run, check, export, plot, resume, and what is refused.

The exact solutions are worked out here again; the digits are those of reference.md section 6.
"""

import json
import math
import signal
import time

from harness import check, equal, run_tests, table_of

SCENE = """\
kind: sweeping
parameters: {gap: 1}
start: [0, 0, 0]
sets:
  - {type: ball, centre: [sin(t), 0, 0], radius: 1}
  - {type: half-space, normal: [0, 1, 0.5*t], offset: 0.2}
  - {type: polyhedron, rows: [[1, 1, 1], [-1, -1, -1]], offsets: [gap - 0.5*t, gap + 0.5*t]}
  - {type: interval, low: [-1, -0.5 + 0.1*t, -2]}
scheme: {step: 0.01, duration: 2}
"""


def near(what, got, expected, tolerance):
    """Check numbers."""
    check(f"{what}: {got} is {expected} to {tolerance:g}", abs(got - expected) <= tolerance)


def path(scree, run):
    """Header and rows of the path, as numbers."""
    header, rows = table_of(scree.expect(0, "export", run, "--to", "csv", "path").out)
    return header, [[float(word) for word in row] for row in rows]


def run(scree, scene, *changes):
    """Run a scene; its path."""
    summary = scree.json("run", scene, "-o", "run.h5",
                         *[word for change in changes for word in ("--set", change)])
    header, rows = path(scree, "run.h5")
    equal(f"{scene}: steps", summary["steps"], rows[-1][0])
    equal(f"{scene}: kind", summary["kind"], "sweeping")
    equal(f"{scene}: end", summary["x"], rows[-1][2:])
    return header, rows, summary


def test_interval(scree):
    """Play: exact on a grid that has the turns in it."""
    header, rows, summary = run(scree, "sweeping-interval")
    equal("columns", header, ["step", "time", "x1"])
    for step, x in ((0, 0.5), (100, 1), (300, -1), (500, 1), (600, 1)):
        near(f"time of step {step}", rows[step][1], step * math.pi / 200, 1e-14)
        near(f"x at step {step}", rows[step][2], x, 1e-13)
    check("never outside", summary["outside_max"] == 0, summary)
    _, rows, summary = run(scree, "sweeping-interval", "method=lazy")
    near("lazy selector", rows[-1][2], 1, 0.02)
    check("the explicit method says how far it is outside", 0 < summary["outside_max"] < 0.05,
          summary)


def test_tractrix(scree):
    """Errors of catching-up halve with the step."""
    angle = 2 * math.atan(math.tan(math.atan2(0.6, 0.8) / 2) * math.exp(-3))
    end = (4 - math.cos(angle), math.sin(angle))
    for steps, error in ((400, 4.805e-4), (800, 2.402e-4), (1600, 1.201e-4)):
        header, rows, _ = run(scree, "sweeping-disc", f"scheme.step=4/{steps}")
        equal("columns", header, ["step", "time", "x1", "x2"])
        near(f"error with {steps} steps", math.dist(rows[-1][2:], end), error, 5e-8)
    before = [row for row in rows if row[1] < 1 - 1e-9]
    check("at rest until the rim comes", all(row[2:] == [0.2, 0.6] for row in before))


def test_circle(scree):
    """Drawn to the radius sqrt 3."""
    _, rows, _ = run(scree, "sweeping-circle", "scheme.step=1e-3")
    near("x at t = 6", math.dist(rows[6000][2:], (1.198284357, -1.250665385)), 0, 1e-3)
    near("radius", math.hypot(*rows[-1][2:]), math.sqrt(3), 1e-3)


def test_mixture(scree):
    """All kinds of sets at once, stored in parts, resumed, drawn."""
    scree.write("mix.yaml", SCENE)
    answer = scree.expect(0, "check", "mix.yaml")
    check("check says what it is", "R^3 swept by 4 set(s), 200 steps of catching-up" in answer.out,
          answer)
    _, rows, summary = run(scree, "mix.yaml")
    check("stays inside", summary["outside_max"] < 1e-14, summary)
    for step, t, x, y, z in rows:
        inside = (math.dist((x, y, z), (math.sin(t), 0, 0)) <= 1 + 1e-13
                  and y + 0.5 * t * z <= 0.2 + 1e-13 and -1 - 0.5 * t <= x + y + z + 1e-13
                  and x + y + z <= 1 - 0.5 * t + 1e-13 and y >= -0.5 + 0.1 * t - 1e-13)
        check(f"step {step:.0f} is in the set", inside, (x, y, z))
    _, sparse, _ = run(scree, "mix.yaml", "output.every=7")
    equal("every seventh, and the last", sparse, rows[::7] + rows[-1:])
    for ending in ("svg", "png"):
        scree.expect(0, "plot", "run.h5", "path", "-o", f"path.{ending}")
        scree.expect(0, "plot", "run.h5", "-o", f"overview.{ending}")
    found = scree.json("export", "run.h5", "path")
    equal("as JSON", found["columns"], ["step", "time", "x1", "x2", "x3"])
    answer = scree.expect(0, "run", "mix.yaml", "-o", "run.h5")
    check("for people", "catching-up" in answer.out and "outside of the set" in answer.out, answer)


def interrupt(scree, arguments):
    """Ctrl-C while a run is being stored; False if it was always over before."""
    for wait in (0.05, 0.02, 0.01, 0.1, 0.005, 0.2, 0, 0.03):
        scree.path("part.h5").unlink(missing_ok=True)
        process = scree.start(*arguments, "-o", "part.h5")
        while process.poll() is None and not scree.path("part.h5").exists():
            time.sleep(0.001)
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        answer = scree.finish(process)
        if answer.status == 1 and "--resume" in answer.err:
            return True
    return False


def test_resume(scree):
    """A run that was interrupted goes on to the same bits."""
    scree.write("mix.yaml", SCENE + "output: {every: 30}\n")
    for method in ("catching-up", "lazy"):
        arguments = ["run", "mix.yaml", "--set", f"method={method}", "--set", "scheme.step=1e-5"]
        scree.expect(0, *arguments, "-o", "whole.h5")
        if check(f"{method}: could be interrupted", interrupt(scree, arguments)):
            scree.expect(0, "run", "--resume", "part.h5")
            check(f"{method}: the same path", path(scree, "part.h5") == path(scree, "whole.h5"))


def test_refused(scree):
    """What a sweeping process has not, and where it ends."""
    scree.expect(0, "run", "sweeping-disc", "-o", "disc.h5")
    scree.expect(0, "run", "bouncing-ball", "-o", "ball.h5", "--set", "scheme.duration=0.01")
    for words in (("export", "disc.h5", "energy"), ("export", "disc.h5", "--to", "vtk"),
                  ("plot", "disc.h5", "energy"), ("export", "ball.h5", "path"),
                  ("run", "sweeping-disc", "--check-equilibrium")):
        answer = scree.expect(2, *words)
        check(f"{words}: says why", "sweeping process" in answer.err, answer)
    answer = scree.expect(2, "check", "sweeping-disc", "--set", "parameters.x0=2")
    check("by how much the start is outside", "by 1.08806" in answer.err, answer)
    answer = scree.expect(2, "check", "bouncing-ball", "--set", "method=lazy")
    check("method is for sweeping", "method is for scenes with kind: sweeping" in answer.err,
          answer)
    scree.write("mix.yaml", SCENE)
    answer = scree.expect(1, "run", "mix.yaml", "--set", "sets.2.offsets=[gap - t, gap - t]")
    check("where the set is empty", "the set is empty at t = 1.01" in answer.err
          and "max_sweeps" not in answer.err, answer)
    found = json.loads(scree.expect(1, "run", "mix.yaml", "--json", "--set",
                                    "sets.2.offsets=[gap - t, gap - t]").out)
    equal("and that is proven", found["refusal"]["reason"], "no-solution-proven")
    _, rows = path(scree, "mix.h5")
    equal("the run up to there is kept", rows[-1][0], 100)
    answer = scree.expect(2, "run", "sweeping-disc", "--set", "sets.0.radius=sqrt(1-t)", "--set",
                          "parameters.speed=0")
    check("a function that ends", "set 1: the radius must stay positive, it is 0 at t = 1\n"
          in answer.err, answer)
    answer = scree.expect(2, "run", "sweeping-interval", "--set", "sets.0.high=[1/(1-t) + 5]",
                          "--set", "scheme.step=0.125")
    check("a function without a value", "set 1: high is inf at t = 1\n" in answer.err, answer)


run_tests(globals())
