# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Soak: for SCREE_SOAK seconds (an hour with SCREE_LONG) runs are killed at random times, read while they are written,
resumed, killed again, and must come to the bits of runs that nothing disturbed; beside them one run goes on all the
time, whose memory and open files must not grow. Rounds and kills are printed, for docs/reliability.md."""

import os
import pathlib
import random
import signal
import time

from harness import check, equal, run_tests

LONG = bool(os.environ.get("SCREE_LONG"))
SECONDS = float(os.environ.get("SCREE_SOAK", 3600 if LONG else 5))
GROWTH = 4  # MB that the long run may need more at the end than after its first tenth
SCENES = (("bouncing-ball", "--set", "scheme.step=2e-5", "--set", "output.every=10"),
          ("dominoes", "--set", "scheme.duration=0.2"),
          ("hopper", "--set", "scheme.duration=0.05", "--set", "output.precision=single", "--set", "output.compression=5"),
          ("impacting-bar", "--set", "scheme.duration=2e-4", "--set", "output.stress=true"),
          ("four-bar", "--set", "scheme.duration=0.5"))
READERS = (("export", "run.h5", "energy"), ("export", "run.h5", "bodies"), ("export", "run.h5", "contacts"),
           ("plot", "run.h5", "energy", "-o", "x.svg"), ("plot", "run.h5", "bodies", "-o", "x.png"),
           ("show", "run.h5", "--html", "x.html"), ("measure", "run.h5", "forces"))


def memory(process):
    """Megabytes that a process has, and how many files it has open."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024, len(os.listdir(f"/proc/{process.pid}/fd"))


def references(scree):
    """What each scene comes to, and how long it takes here."""
    found = []
    for scene in SCENES:
        began = time.monotonic()
        scree.expect(0, "run", *scene, "--quiet", "-o", "whole.h5")
        found.append((scene, time.monotonic() - began, scree.export_hashes("whole.h5")))
    return found


def disturbed(scree, dice, arguments, seconds):
    """Start a run or go on with it, read it, and kill it, or do not; True if it has come to its end."""
    process = scree.start("run", *arguments, "--quiet")
    time.sleep(dice.random() * seconds * 1.3)
    if dice.random() < 0.5 and scree.path("run.h5").exists():
        answer = scree(*dice.choice(READERS))
        check("a reader beside the writer", answer.status in (0, 1) and "damaged" not in answer.err, answer)
    ended = process.poll() is not None
    if not ended:
        process.send_signal(dice.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM)))
    status = scree.finish(process).status
    return ended and status == 0


def one_round(scree, dice, scene, seconds, hashes):
    """One run, killed until it has ended; how often it was."""
    for path in scree.folder.glob("run.h5*"):
        path.unlink()
    kills, arguments = 0, (*scene, "-o", "run.h5")
    while kills < 12 and not disturbed(scree, dice, arguments, seconds):
        kills += 1
        if scree.path("run.h5").exists():
            arguments = ("--resume", "run.h5")
    if kills == 12:
        scree.expect(0, "run", *arguments, "--quiet")
    equal(f"{scene[0]} after {kills} kills", scree.export_hashes("run.h5"), hashes)
    return kills


def test_soak(scree):
    """Round after round until the time is over."""
    dice, runs = random.Random(2024), references(scree)
    process = scree.start("run", "bouncing-ball", "--set", "scheme.step=1e-6", "--set", "scheme.duration=1e6",
                          "--set", "output.every=1000000", "--quiet", "-o", "long.h5", preexec_fn=lambda: os.nice(10))
    began, rounds, kills, early = time.monotonic(), 0, 0, None
    while time.monotonic() - began < SECONDS:
        kills += one_round(scree, dice, *runs[rounds % len(runs)])
        rounds += 1
        if not early and time.monotonic() - began > SECONDS / 10:
            early = memory(process)
    late = memory(process)
    check("the long run needs no more memory", not early or late[0] < early[0] + GROWTH, (early, late))
    check("nor files", not early or late[1] <= early[1], (early, late))
    process.send_signal(signal.SIGINT)
    scree.finish(process)
    rows = scree("export", "long.h5", "bodies").out.count("\n")
    check("it has stored what it did", rows >= 2, rows)
    print(f"NOTE soak: {time.monotonic() - began:.0f} s, {rounds} rounds, {kills} kills, memory {early} to {late}")


run_tests(globals())
