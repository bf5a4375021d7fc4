# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Damaged run files, read by every command: no crash, no hang, a sentence or the truth.

damage.py makes them; damage number N is the same every time. With SCREE_LONG there are 10000. What is
exported with status 0 must be the beginning of what the whole file gives, line by line, and a run that was
resumed must have come to the same end.
"""

import os
import shutil
import subprocess
import sys

import damage
from harness import SANITIZED, check, run_tests, skip

LONG = bool(os.environ.get("SCREE_LONG"))
COUNT = int(os.environ.get("SCREE_DAMAGED", 10000 if LONG else 120 if SANITIZED else 40))
FIRST = int(os.environ.get("SCREE_DAMAGED_FROM", 0))
SECONDS = 20       # longer is a hang; a whole file takes a tenth of a second
RUNS = (("bouncing-ball", "scheme.duration=0.6", "scheme.step=1e-2"),
        ("three-balls", "scheme.duration=0.002", "output.precision=single", "output.compression=4"),
        ("impacting-bar", "scheme.duration=2e-5"),
        ("sweeping-circle", "scheme.duration=0.2"),
        ("sliding-rod", "scheme.duration=0.02"))
TABLES = ("energy", "bodies", "contacts", "coordinates", "events", "nodes", "elements", "path")
READERS = (*(("export", "FILE", table) for table in TABLES),
           ("export", "FILE", "bodies", "--json"),
           ("export", "FILE", "--to", "vtk", "-o", "vtk"),
           ("plot", "FILE", "energy", "-o", "figure.svg"),
           ("plot", "FILE", "bodies", "-o", "figure.svg"),
           ("show", "FILE", "--html", "page.html"),
           ("animate", "FILE", "-o", "film", "--seconds", "0.08"),
           ("measure", "FILE", "fabric", "--json"),
           ("recover", "FILE"),
           ("run", "--resume", "FILE", "--quiet"))


def make_runs(scree):
    """A whole run file of each kind, and what every table of it says."""
    runs = []
    for name, *settings in RUNS:
        words = [word for one in settings for word in ("--set", one)]
        scree.expect(0, "run", name, *words, "--quiet", "-o", f"{name}.h5")
        tables = {}
        for table in TABLES:
            answer = scree("export", f"{name}.h5", table)
            if answer.status == 0:
                tables[table] = answer.out
        runs.append((scree.path(f"{name}.h5").read_bytes(), tables))
    return runs


def judge_table(what, table, answer, tables):
    """The whole table, or its beginning: a run that was cut short is one."""
    if table not in tables:
        return
    whole = tables[table].splitlines()
    lines = answer.out.splitlines()
    check(f"{what}: no line that was never there", lines == whole[:len(lines)],
          next((pair for pair in zip(lines, whole) if pair[0] != pair[1]), len(lines)))


def try_one(scree, number, data, tables, way, arguments):
    """One command on one damaged file."""
    what = f"damage {number} ({way}), {' '.join(arguments)}"
    scree.write("damaged.h5", data)
    os.utime(scree.path("damaged.h5"), (1e9, 1e9))  # what was written a moment ago would be read again
    answer = scree(*("damaged.h5" if word == "FILE" else word for word in arguments), timeout=SECONDS)
    check(f"{what}: status 0, 1 or 2", answer.status in (0, 1, 2), answer)
    if answer.status:
        check(f"{what}: an error is told", "error" in answer.err and answer.err.count("\n") <= 6, answer)
    elif arguments[0] == "export" and arguments[-1] in TABLES:
        judge_table(what, arguments[-1], answer, tables)
    elif arguments[0] in ("run", "recover"):
        table = "path" if "path" in tables else "energy"
        judge_table(what, table, scree.expect(0, "export", "damaged.h5", table), tables)
    for left in ("vtk", "film"):
        shutil.rmtree(scree.path(left), ignore_errors=True)
    scree.path("damaged.h5.damaged").unlink(missing_ok=True)


def test_damaged_files(scree):
    """Damage after damage, command after command."""
    if not damage.h5py:
        system = "/usr/bin/python3"
        if sys.executable != system and not subprocess.run(
                [system, "-c", "import h5py"], check=False, capture_output=True).returncode:
            os.execv(system, [system, "-B", *sys.argv])
        skip("damage through h5py: it is not there")
    runs = make_runs(scree)
    for number in range(FIRST, FIRST + COUNT):
        data, tables = runs[number % len(runs)]
        damaged, way = damage.damage(data, number)
        for k in range(3 if LONG else 1):
            arguments = READERS[(number // len(runs) + k * 5) % len(READERS)]
            try_one(scree, number, damaged, tables, way, arguments)


if __name__ == "__main__":
    run_tests(globals())
