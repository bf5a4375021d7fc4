# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""scree sweep: every run once, its own process, its own summary; what failed is kept with its reason."""

import csv
import io
import json
import os
import pathlib
import signal
import subprocess
import time

from harness import check, equal, find_python, run_tests

BALL = """\
parameters: {e: 0.5, h0: 1}
gravity: [0, -9.81]
bodies:
  - {name: ground, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}
  - {name: ball, mass: 1, inertia: 0.004, position: [0, h0 + 0.1], shapes: [{type: disc, radius: 0.1}]}
laws: [{restitution: e}]
scheme: {step: 1e-3, duration: 0.3}
"""
GRID = ("--set", "e=0:1:3", "--set", "h0=0.1,2")


def table(scree, *arguments):
    return json.loads(scree("sweep", *arguments, "--json", "--quiet").out)


def test_a_grid(scree):
    scree.write("ball.yaml", BALL)
    found = table(scree, "ball.yaml", *GRID, "--jobs", "2", "-o", "study.h5", "--plot", "study.svg")
    equal("parameters", found["parameters"], ["parameters.e", "parameters.h0"])
    equal("values", [run["values"] for run in found["runs"]],
          [[0, 0.1], [0, 2], [0.5, 0.1], [0.5, 2], [1, 0.1], [1, 2]])
    equal("all are done", {run["status"] for run in found["runs"]}, {"done"})
    check("there is a figure", scree.path("study.svg").read_text().startswith("<?xml"))
    for run in found["runs"]:
        one = scree.json("run", "ball.yaml", "--set", f"parameters.e={run['values'][0]}",
                         "--set", f"parameters.h0={run['values'][1]}", "-o", "one.h5")
        equal(f"run {run['run']}: energy to the bit", run["energy"], one["ledger"]["energy_end"])
        equal(f"run {run['run']}: states to the bit", scree.export_hashes(f"study.runs/{run['run']:05d}.h5"),
              scree.export_hashes("one.h5"))


def test_only_tables_are_replaced(scree):
    """Runs, foreign files and pipes stay what they are, which is told before the first run; a link stays a link, a
    neighbour is left alone."""
    scree.write("ball.yaml", BALL)
    scree.expect(0, "run", "ball.yaml", "--quiet", "-o", "run.h5")
    scree.write("text.h5", "mine")
    os.mkfifo(scree.path("pipe.h5"))
    for name in ("run.h5", "text.h5", "pipe.h5"):
        before = not scree.path(name).is_fifo() and scree.path(name).read_bytes()
        answer = scree.expect(2, "sweep", "ball.yaml", "--set", "e=0,1", "-o", name, timeout=20)
        check("what is there", "no table of scree" in answer.err or "pipe" in answer.err, answer)
        check(f"{name} is as before, and nothing was run", (scree.path(name).is_fifo() if before is False else
              scree.path(name).read_bytes() == before) and not scree.path(name).with_suffix(".runs").exists())
    scree.write("real.h5.new", "mine")
    os.symlink("real.h5", scree.path("link.h5"))
    for values in ("e=0,1", "e=0,0.5,1"):
        table(scree, "ball.yaml", "--set", values, "-o", "link.h5")
    check("a link", scree.path("link.h5").is_symlink() and scree.path("real.h5").is_file())
    equal("the neighbour", scree.path("real.h5.new").read_text(), "mine")


def test_what_is_done_is_not_done_again(scree):
    scree.write("ball.yaml", BALL)
    table(scree, "ball.yaml", *GRID, "-o", "study.h5")
    folder = scree.path("study.runs")
    times = {p.name: p.stat().st_mtime_ns for p in folder.iterdir()}
    (folder / "00003.txt").unlink()
    table(scree, "ball.yaml", *GRID, "-o", "study.csv")
    changed = {p.name for p in folder.iterdir() if times.get(p.name) != p.stat().st_mtime_ns}
    equal("the missing one alone", changed, {"00003.h5", "00003.txt"})
    rows = list(csv.DictReader(io.StringIO(scree.path("study.csv").read_text())))
    equal("rows of the CSV", [(r["run"], r["parameters.e"], r["status"]) for r in rows[2:4]],
          [("3", "0.5", "done"), ("4", "0.5", "done")])
    scree.write("ball.yaml", BALL.replace("mass: 1,", "mass: 2,"))
    table(scree, "ball.yaml", *GRID, "-o", "study.h5")
    changed = {p.name for p in folder.iterdir() if times.get(p.name) == p.stat().st_mtime_ns}
    equal("another scene, all anew", changed, set())


def test_failures_are_kept(scree):
    scree.write("ball.yaml", BALL)
    answer = scree.expect(1, "sweep", "ball.yaml", "--set", "e=0.5,2,word", "--set", "solver.max_sweeps=100",
                          "-o", "study.json")
    found = json.loads(scree.path("study.json").read_text())
    equal("statuses", [run["status"] for run in found["runs"]], ["done", "bad-input", "bad-input"])
    check("with their reasons", "ball.yaml" in found["runs"][1]["message"] and "2" in found["runs"][1]["message"],
          found["runs"][1])
    check("and on the screen", "2 failed" in answer.out, answer)
    check("a failure is a value that is not there", found["runs"][2]["energy"] is None, found["runs"][2])


def test_lines_for_workers(scree):
    scree.write("ball.yaml", BALL)
    lines = scree.expect(0, "sweep", "ball.yaml", *GRID, "--list").out.splitlines()
    equal("one line a run", lines[3], "4\tparameters.e=0.5\tparameters.h0=2")
    for line in reversed(lines[:5]):
        process = scree.start("sweep", "ball.yaml", "--worker", "-o", "study.h5", stdin=subprocess.PIPE)
        process.stdin.write((line + "\n").encode())
        equal("a worker is done", scree.finish(process).status, 0)
    times = {p.name: p.stat().st_mtime_ns for p in scree.path("study.runs").iterdir()}
    equal("five runs are there", len(times), 10)
    found = table(scree, "ball.yaml", *GRID, "-o", "study.h5")
    equal("the rest is done and all are collected", [run["status"] for run in found["runs"]], ["done"] * 6)
    equal("nothing twice", [n for n, t in times.items() if scree.path(f"study.runs/{n}").stat().st_mtime_ns != t], [])


def children(pid):
    try:
        return [int(x) for x in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.02)
    return None


def test_killed_and_stopped(scree):
    scree.write("ball.yaml", BALL.replace("duration: 0.3", "duration: 1e5"))
    process = scree.start("sweep", "ball.yaml", "--set", "e=0,1", "--no-store", "-o", "study.json")
    first = wait_for(lambda: children(process.pid))
    os.kill(first[0], signal.SIGKILL)
    second = wait_for(lambda: [c for c in children(process.pid) if c != first[0]])
    check("the next one begins", second)
    time.sleep(0.3)
    process.send_signal(signal.SIGTERM)
    answer = scree.finish(process)
    equal("exit status", answer.status, 1)
    found = json.loads(scree.path("study.json").read_text())
    equal("what was killed is told, what was stopped is left", [run["status"] for run in found["runs"]],
          ["crashed", "missing"])
    check("by its signal", "signal 9" in found["runs"][0]["message"], found["runs"][0])


def test_the_file(scree):
    python = find_python("h5py", "the table in HDF5")
    if not python:
        return
    scree.write("ball.yaml", BALL)
    found = table(scree, "ball.yaml", *GRID, "-o", "study.h5", "--no-store")
    said = subprocess.run([python, "-c", "import h5py; t = h5py.File('study.h5')['runs']; "
                           "print([float(x) for x in t['energy']], t['status'][0].decode())"],
                          cwd=scree.folder, capture_output=True, text=True, check=False)
    equal("energies", said.stdout.strip(), f"{[run['energy'] for run in found['runs']]} done")


def test_wrong_use(scree):
    scree.write("ball.yaml", BALL)
    for words in (["--set", "e"], ["--set", "e=1", "--set", "parameters.e=2"], ["--set", "e=0:1:30000"]):
        scree.expect(2, "sweep", "ball.yaml", *words)
    scree.expect(2, "sweep", "-", "--set", "e=1")


run_tests(globals())
