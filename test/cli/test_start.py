# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Scenes that start from the state of another run: settle, then test.

A run that is cut in two, the second half started from the first, has the bits of the whole one:
bodies, spins and impulses are all there. Names tell which body is which, not their places in lists.
"""

import os

from harness import check, document, equal, run_tests

FLAT = """
gravity: [0, -9.81]
bodies:
%s
  - {name: floor, fixed: true, shapes: [{type: half-plane}]}
  - {name: left, fixed: true, shapes: [{type: half-plane, at: [-0.3, 0], normal: [1, 0]}]}
  - {name: right, fixed: true, shapes: [{type: half-plane, at: [0.3, 0], normal: [-1, 0]}]}
generate:
  - name: grain
    arrange: grid
    count: [6, 4]
    spacing: 0.09
    origin: [-0.25, 0.05]
    jitter: 0.003
    body:
      density: 2000
      shapes: [{type: disc, radius: 0.03}, {type: disc, radius: 0.01, at: [0.03, 0]}]
laws: [{friction: 0.4, restitution: 0.2}]
scheme: {step: 1e-3, duration: 0.4}
"""
SPATIAL = """
space: 3
gravity: [0, 0, -9.81]
bodies:
  - {name: floor, fixed: true, shapes: [{type: plane}]}
generate:
  - name: stone
    arrange: grid
    count: [2, 2, 3]
    spacing: 0.11
    origin: [0, 0, 0.08]
    jitter: 0.004
    body: {density: 2000, born: %s, shapes: [{type: box, size: [0.1, 0.08, 0.06]}]}
laws: [{friction: 0.5}]
scheme: {step: 1e-3, duration: 0.3}
"""


def starting(text, run, more=""):
    """A scene that starts from a run."""
    return f"start: {{run: {run}{more}}}\n{text}"


def last_rows(scree, name):
    """The last stored row of each body, without its time and step."""
    last = {}
    for row in scree.rows(name, "bodies"):
        last[row["body"]] = {key: value for key, value in row.items() if key not in ("step", "time")}
    return last


def halves(scree, what, text, whole, half):
    """A whole run, and the same in two: the same bits."""
    for name, content in (("scene.yaml", text), ("second.yaml", starting(text, "first.h5"))):
        scree.write(name, content)
    scree.json("run", "scene.yaml", "-o", "whole.h5", "--set", f"scheme.duration={whole}")
    scree.json("run", "scene.yaml", "-o", "first.h5", "--set", f"scheme.duration={half}")
    scree.json("run", "second.yaml", "-o", "second.h5", "--set", f"scheme.duration={whole - half}")
    equal(f"{what}: whole and in halves", last_rows(scree, "second.h5"), last_rows(scree, "whole.h5"))


def test_halves_are_the_whole(scree):
    """In the plane with compound bodies, and in space."""
    halves(scree, "plane", FLAT % "", 0.4, 0.25)
    halves(scree, "space", SPATIAL % "0", 0.3, 0.17)


def test_needs_nothing_beside_it(scree):
    """A run that started from another one is looked at and resumed without it."""
    scree.write("scene.yaml", FLAT % "")
    scree.write("second.yaml", starting(FLAT % "", "first.h5"))
    scree.json("run", "scene.yaml", "-o", "first.h5")
    scree.json("run", "second.yaml", "-o", "second.h5", "--set", "scheme.duration=0.1")
    scree.json("run", "second.yaml", "-o", "longer.h5", "--set", "scheme.duration=0.2")
    os.remove(os.path.join(scree.folder, "first.h5"))
    scree.json("run", "--resume", "second.h5", "--set", "scheme.duration=0.2")
    equal("resumed without the first run", last_rows(scree, "second.h5"),
          last_rows(scree, "longer.h5"))


def test_names_tell_which(scree):
    """Bodies that are new come to those of the run, before them in the list; births have been."""
    scree.write("first.yaml", FLAT % "")
    scree.json("run", "first.yaml", "-o", "first.h5")
    new = "  - {name: ball, mass: 1, inertia: 1e-3, position: [0, 2], shapes: [{type: disc, radius: 0.05}]}"
    scree.write("second.yaml", starting(FLAT % new, "first.h5"))
    said = scree.json("run", "second.yaml", "-o", "second.h5", "--set", "scheme.duration=0.05")
    equal("the run is good", said["verdict"], "good")
    first = {}
    for row in scree.rows("second.h5", "bodies"):
        first.setdefault(row["body"], row)
    before = last_rows(scree, "first.h5")
    equal("grains are where they were", {b: (r["x"], r["y"], r["vx"]) for b, r in first.items()
                                         if b.startswith("grain")},
          {b: (r["x"], r["y"], r["vx"]) for b, r in before.items() if b.startswith("grain")})
    equal("the ball is where the scene puts it", first["ball"]["y"], 2)
    scree.write("born.yaml", SPATIAL % "0")
    scree.json("run", "born.yaml", "-o", "born.h5")
    scree.write("again.yaml", starting(SPATIAL % "0.05", "born.h5", ", rest: true"))
    scree.json("run", "again.yaml", "-o", "again.h5", "--set", "scheme.duration=2e-3")
    rows = list(scree.rows("again.h5", "bodies"))
    equal("all are there at once", len({row["body"] for row in rows if row["step"] == 0}), 12)
    check("at rest", all(row["vz"] == 0 for row in rows if row["step"] == 0))


def test_which_state(scree):
    """`at` takes the stored state next to a time, whose impulses follow the length of the step."""
    scree.write("first.yaml", FLAT % "")
    scree.json("run", "first.yaml", "-o", "first.h5", "--set", "scheme.duration=1.5", "--set",
               "output.every=10")
    scree.write("second.yaml", starting(FLAT % "", "first.h5", ", at: 0.2033"))
    scree.json("run", "second.yaml", "-o", "second.h5", "--set", "scheme.duration=1e-3")
    there = {row["body"]: row["y"] for row in scree.rows("first.h5", "bodies") if row["step"] == 200}
    here = {row["body"]: row["y"] for row in scree.rows("second.h5", "bodies") if row["step"] == 0}
    equal("the state of 0.2 s", here, there)
    scree.write("rest.yaml", starting(FLAT % "", "first.h5"))
    said = scree.json("run", "rest.yaml", "--no-store", "--set", "scheme.step=5e-4", "--set",
                      "scheme.duration=5e-4", "--set", "solver.tolerance=1e-8")
    check("a settled packing needs no sweeps to speak of", said["solver"]["sweeps"] <= 20,
          said["solver"])


def test_mistakes(scree):
    """What cannot be is told with its place."""
    scree.write("first.yaml", FLAT % "")
    scree.json("run", "first.yaml", "-o", "first.h5", "--set", "scheme.duration=2e-3")
    scree.write("text.h5", "no run at all\n")
    cases = [
        ("missing", starting(FLAT % "", "missing.h5"), "1:14: error: missing.h5: "),
        ("no run", starting(FLAT % "", "text.h5"), "1:14: error: text.h5: "),
        ("nobody", starting((FLAT % "").replace("grain", "pebble"), "first.h5"),
         "1:14: error: no body that moves has the name"),
        ("other space", starting((SPATIAL % "0").replace("stone", "grain"), "first.h5"),
         "coordinates in the run and 7 here"),
        ("no key", "start: {rest: true}\n" + FLAT % "", "1:8: error: start needs the key \"run\""),
        ("numbers", "start: [1, 2]\n" + FLAT % "", "1:8: error: a start by numbers is for"),
    ]
    for what, text, expected in cases:
        scree.write("bad.yaml", text)
        answer = scree("check", "bad.yaml")
        equal(f"{what}: exit status", answer.status, 2)
        check(f"{what}: says so", expected in answer.err, answer.err)
    scree.write("sweep.yaml", "kind: sweeping\nstart: {run: first.h5, point: [0]}\n"
                "sets: [{type: interval, low: [0]}]\nscheme: {step: 0.1, duration: 1}\n")
    answer = scree("check", "sweep.yaml")
    check("sweeping has no run", "run is not for kind: sweeping" in answer.err, answer.err)


def test_kept_start_is_checked(scree):
    """The schema knows both forms."""
    answer = document(scree("schema"))
    forms = answer["properties"]["start"]["anyOf"]
    equal("a map or a list", [form["type"] for form in forms], ["object", "array"])


if __name__ == "__main__":
    run_tests(globals())
