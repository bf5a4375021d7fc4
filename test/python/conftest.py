# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""The Python package beside the command: SCREE_COMMAND is the command, PYTHONPATH has the package."""
import json
import os
import signal
import subprocess
import sys
import textwrap

import pytest

import scree

LONG = bool(os.environ.get("SCREE_LONG"))

# twelve contacts that all push on each other: one sweep of Gauss-Seidel does not solve them
CONTACTS = 12
COUPLED = {
    "system": {
        "mass": [[int(i == j) for j in range(2 * CONTACTS)] for i in range(2 * CONTACTS)],
        "load": [f"{-20 * (i < CONTACTS)} + 5*sin({2 * i + 3}*t)" for i in range(2 * CONTACTS)],
        "contacts": [{"name": f"stop{c}", "gap": 0.01, "friction": 0.2,
                      "normal": [1 if i == c else 0.3 * (i < CONTACTS) for i in range(2 * CONTACTS)],
                      "tangent": [int(i == CONTACTS + c) for i in range(2 * CONTACTS)]} for c in range(CONTACTS)]},
    "scheme": {"step": 1e-3, "duration": 0.04, "theta": 0.6}}


def stopped_by_itself(text, folder=None):
    """A program that sends itself Ctrl-C, which it hears also where who started the tests does not (a job in the background)."""
    return subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, timeout=120, cwd=folder,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


@pytest.fixture
def command(tmp_path):
    """Run the command in the test's folder; JSON where it is asked for."""
    def run(*arguments, fails=False):
        done = subprocess.run([os.environ["SCREE_COMMAND"], *map(str, arguments)], cwd=tmp_path, capture_output=True,
                              text=True, timeout=120)
        assert fails or done.returncode == 0, done.stderr
        return json.loads(done.stdout) if "--json" in arguments else done
    return run


@pytest.fixture
def ball():
    return scree.open("bouncing-ball")


def pytest_terminal_summary(terminalreporter):
    """The line that the project's checks count, and what could not be tried."""
    count = {kind: len(terminalreporter.stats.get(kind, [])) for kind in ("passed", "failed", "error")}
    for report in terminalreporter.stats.get("skipped", []):
        terminalreporter.write_line(f"SKIPPED {report.nodeid}: {report.longrepr[2]}")
    terminalreporter.write_line(f"\n{count['passed']} passed, {count['failed'] + count['error']} failed")
