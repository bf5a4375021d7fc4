# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Helpers of the end-to-end tests: run the command, count checks, say what failed.

A script defines functions test_...(scree) and ends with run_tests(globals()). Each of them gets a
Scree of its own with an empty folder. Whatever a test looks for, every call of the command also
fails if it hangs, dies of a signal or prints an HDF5 error stack or a sanitizer's report.
"""

import csv
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import traceback
from typing import NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "judge"))

import compare_run  # of the judge

DEFECTS = ("HDF5-DIAG", "AddressSanitizer", "LeakSanitizer", "ThreadSanitizer", "runtime error:",
           "Assertion", "stack smashing")
TABLES = ("energy", "bodies", "contacts")
COUNTS = {"passed": 0, "failed": 0}
SANITIZED = bool(os.environ.get("SCREE_SANITIZED"))  # everything is slow: the same thing once will do


# ---- counting ----


def shorten(text, limit=700):
    """Long outputs are cut in the middle."""
    text = str(text)
    return text if len(text) <= limit else f"{text[:limit // 2]} [...] {text[-limit // 2:]}"


def check(what, holds, said=""):
    """Count one check; if it fails, say what was expected and what was there instead."""
    COUNTS["passed" if holds else "failed"] += 1
    if not holds:
        print(f"FAILED {what}" + (f"\n    but: {shorten(said)}" if said != "" else ""))
    return bool(holds)


def equal(what, got, expected):
    """Check for equality."""
    return check(f"{what}: expected {shorten(repr(expected))}", got == expected, repr(got))


def no_complaints(what, complaints):
    """Check that a judge found nothing."""
    return check(f"{what}: no complaints expected", not complaints,
                 f"{len(complaints)}, first: {'; '.join(complaints[:3])}")


def skip(what):
    """Say aloud what cannot be tried on this machine."""
    print(f"SKIPPED {what}")


def find_python(modules, what):
    """An interpreter that has the modules: this one, or Debian's; None, said aloud, if there is none."""
    for name in (sys.executable, "/usr/bin/python3"):
        if shutil.which(name) and not subprocess.run([name, "-c", f"import {modules}"], capture_output=True,
                                                     check=False).returncode:
            return name
    skip(f"{what}: no Python here has {modules} (Debian's python3-h5py, python3-matplotlib, python3-vtk9)")
    return None


# ---- the command ----


class Answer(NamedTuple):
    """What one call of the command did."""

    status: int
    out: str
    err: str
    command: str

    def __str__(self):
        return f"`{self.command}` gave {self.status}, out {self.out!r}, err {self.err!r}"


class Hang(Exception):
    """A call that did not end; it ends the test, so that the next ones have their turn."""


class Scree:
    """The command, run in a folder of its own."""

    def __init__(self, binary, folder):
        self.binary, self.folder = str(binary), pathlib.Path(folder)

    def start(self, *arguments, **options):
        """A process that was started and not waited for."""
        options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.Popen([self.binary, *map(str, arguments)], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def finish(self, process, timeout=240):
        """Wait for a started process; a hang, a crash or a defect's report is a failure."""
        command = "scree " + " ".join(process.args[1:])
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Hang(f"{command}: still running after {timeout:.0f} s") from None
        answer = Answer(process.returncode, out.decode("utf-8", "replace"),
                        err.decode("utf-8", "replace"), command)
        for defect in DEFECTS:
            if defect in answer.err or defect in answer.out:
                check(f"{command}: prints no {defect}", False, answer)
        return answer

    def __call__(self, *arguments, timeout=240, **options):
        """Run to the end."""
        answer = self.finish(self.start(*arguments, **options), timeout)
        if answer.status < 0:
            check(f"{answer.command}: does not crash", False, answer)
        return answer

    def expect(self, status, *arguments, **options):
        """Run to the end and check the exit status."""
        answer = self(*arguments, **options)
        check(f"{answer.command}: exit status {status}", answer.status == status, answer)
        return answer

    def json(self, *arguments, status=0):
        """Run with --json: exactly one JSON document on standard output; None if it is not."""
        return document(self.expect(status, *arguments, "--json"))

    def path(self, name):
        """A path in the folder."""
        return self.folder / name

    def write(self, name, text):
        """A file in the folder."""
        data = text if isinstance(text, bytes) else text.encode()
        self.path(name).write_bytes(data)
        return name

    def listing(self):
        """Names of the files in the folder."""
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*"))

    def rows(self, run, table):
        """An export as dictionaries, converted by the judge."""
        return compare_run.read_text(self.expect(0, "export", run, "--to", "csv", table).out)

    def export_hashes(self, run):
        """Digest of each export of a run; None where the export fails."""
        found = {}
        for table in TABLES:
            answer = self("export", run, "--to", "csv", table)
            found[table] = digest(answer.out) if answer.status == 0 else None
        return found


def document(answer):
    """The one JSON document on standard output, or None (and a failure)."""
    try:
        found = json.loads(answer.out, parse_constant=refuse_constant)
    except ValueError as problem:
        check(f"{answer.command}: one JSON document on standard output, nothing else", False,
              f"{problem}: {answer}")
        return None
    check("one JSON document", True)
    return found


def refuse_constant(name):
    """NaN and Infinity are not JSON."""
    raise ValueError(f"{name} is not JSON")


def digest(text):
    """Digest of a text or of bytes."""
    return hashlib.sha256(text if isinstance(text, bytes) else text.encode()).hexdigest()


def table_of(text):
    """Header and rows (lists of text) of CSV text."""
    rows = list(csv.reader(io.StringIO(text)))
    return (rows[0], rows[1:]) if rows else ([], [])


def weaker_user(scree):
    """Options of a call as somebody whom permissions bind, or None (said aloud)."""
    if os.geteuid() != 0:
        return {}
    who = {"user": 65534, "group": 65534, "extra_groups": []}
    scree.folder.chmod(0o755)
    try:
        if scree("--version", **who).status == 0:
            return who
    except OSError as problem:
        skip(f"permissions: root, and cannot run as another user: {problem}")
        return None
    skip("permissions: root, and another user cannot run the command")
    return None


# ---- the script ----


def run_tests(names):
    """Run every test_... of a script on the binary argv[1]; exits with the verdict."""
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} SCREE [TEST]...")
    binary, wanted = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    for name, test in list(names.items()):
        if not name.startswith("test_") or (wanted and name not in wanted):
            continue
        with tempfile.TemporaryDirectory(prefix="scree-test-", ignore_cleanup_errors=True) as folder:
            try:
                test(Scree(binary, folder))
            except Exception:
                check(f"{name}: runs to its end", False, traceback.format_exc())
    print(f"{COUNTS['passed']} passed, {COUNTS['failed']} failed")
    sys.exit(1 if COUNTS["failed"] else 0)
