# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Machines that fail: memory that runs out, here; a sentence, no crash, no hang, nothing half said.

Allocations fail one by one below the command, those of its libraries too (test/faults/shim.c).
"""

import os
import resource

from harness import check, equal, run_tests

LONG = bool(os.environ.get("SCREE_LONG"))
SHIM = os.environ.get("SCREE_FAULTS")  # test/faults/shim.c as a library
NAMES = """
title: names
gravity: [0, -9.81]
bodies:
  - {name: "one\\ntwo, \\"three\\"", mass: 1, inertia: 1, position: [0, 0.1], shapes: [{type: disc, radius: 0.1}]}
  - {name: "1e3", mass: 1, inertia: 1, position: [1, 0.1], shapes: [{type: disc, radius: 0.1}]}
  - {name: ground, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}
laws: [{friction: 0.3}]
scheme: {step: 1e-3, duration: 0.01}
"""


def faulty(scree, *arguments, count=None, **faults):
    """The command with a fault below it: FAULT_CALL, FAULT_AT, ..."""
    environment = {**os.environ, "LD_PRELOAD": SHIM,
                   **{f"FAULT_{name.upper()}": str(value) for name, value in faults.items()}}
    if count:
        environment["FAULT_COUNT"] = str(scree.path(count))
    return scree(*arguments, env=environment)


def calls(scree, kind, *arguments):
    """How many calls of a kind a command makes, and its answer."""
    answer = faulty(scree, *arguments, count="count")
    words = dict(line.split() for line in scree.path("count").read_text().splitlines())
    return int(words[kind]), answer


# ---- memory ----


def test_little_address_space(scree):
    """Under `ulimit -v` a command does its work or says that memory is out; it does not hang."""
    for limit in (120, 150, 200, 300):
        size = limit * 1024 * 1000
        answer = scree("scenes", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)),
                       timeout=20)
        if "error while loading shared libraries" in answer.err:
            continue
        equal(f"scenes within {limit} MB", answer.status, 0)
        answer = scree("run", "bouncing-ball", "--set", "scheme.duration=0.1", timeout=20,
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))
        check(f"run within {limit} MB", answer.status == 0 or "out of memory" in answer.err, answer)


def judge_shortage(what, answer, whole):
    """Everything, or a sentence about memory and a status that is not 0."""
    if answer.status == 0:
        return check(f"{what}: status 0 and not a word missing", answer.out == whole.out, answer)
    return check(f"{what}: out of memory is said, and nothing else", "out of memory" in answer.err
                 and answer.status == 1 and answer.err.count("error") <= 2, answer)


def test_failing_allocations(scree):
    """One allocation after the other fails, once or for good."""
    scree.expect(0, "run", "bouncing-ball", "--set", "scheme.duration=0.02", "-o", "run.h5")
    scree.write("names.yaml", NAMES)
    for arguments, places in ((("equilibria", "klarbring", "--stability", "none"), 40),
                              (("export", "run.h5", "energy"), 40),
                              (("check", "names.yaml"), 25),
                              (("run", "bouncing-ball", "--set", "scheme.duration=0.02", "--quiet",
                                "-o", "other.h5"), 25)):
        total, whole = calls(scree, "alloc", *arguments)
        # the first ones are those of the system's loader and libraries, before the command begins
        for k in range(places * (20 if LONG else 1)):
            at = total // 4 + (total - total // 4) * (2 * k + 1) // (2 * places * (20 if LONG else 1))
            answer = faulty(scree, *arguments, call="alloc", at=at, ever=k % 2)
            judge_shortage(f"{' '.join(arguments)}, allocation {at}", answer, whole)


# ---- names ----


def test_names_in_tables(scree):
    """Line breaks, commas and quotes in a name lose no row, in CSV and in JSON."""
    scree.write("names.yaml", NAMES)
    scree.expect(0, "run", "names.yaml", "-o", "names.h5")
    for table in ("bodies", "contacts"):
        rows = scree.rows("names.h5", table)
        found = scree.json("export", "names.h5", table)
        equal(f"{table}: as many rows in JSON as in CSV", len(found["rows"]), len(rows))
        equal(f"{table}: as many columns in each", {len(row) for row in found["rows"]}, {len(found["columns"])})
    names = {row[2] for row in scree.json("export", "names.h5", "bodies")["rows"]}
    check("the name is whole", 'one\ntwo, "three"' in names, names)


def test_control_characters(scree):
    """What a terminal would obey does not reach it: in scenes it is refused, in messages replaced."""
    for text in ("\\e[31mred", "\\a", "bell\\rback", "\\x9b5m"):
        scree.write("control.yaml", NAMES.replace("title: names", f'title: "{text}"'))
        answer = scree.expect(2, "check", "control.yaml")
        check("the place, and why", "control.yaml:2:8: error: a text cannot contain the control character"
              in answer.err, answer)
    for arguments in (("run", "no\x1b[31m.yaml"), ("export", "no\x1b[31m.h5", "energy"),
                      ("check", "bouncing-ball", "--set", "bodies.\x1b]0;x\x07.mass=1")):
        answer = scree(*arguments)
        check("no control characters in messages", answer.status in (1, 2)
              and not any(c < " " and c != "\n" for c in answer.err + answer.out), answer)


run_tests(globals())
