# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Machines that fail: memory that runs out, disks that refuse, writes that are torn, power that is cut.

The faults are put below the command (test/faults/shim.c): allocations fail one by one, those of its libraries
too; of the writes to a run file each fails in its turn, is torn at every byte (at some, in the short run) or is
the last thing the process does. A run file must then be what it was up to there, or not be begun yet. What was
tried and what came of it is printed, for docs/reliability.md.
"""

import os
import resource
import signal
import subprocess
import time

from harness import check, equal, run_tests

LONG = bool(os.environ.get("SCREE_LONG"))
SHIM = os.environ.get("SCREE_FAULTS", "")  # test/faults/shim.c as a library
MORE = int(os.environ.get("SCREE_PLACES", 1))  # so many times as many places as in the short run
NAMES = """
title: names
gravity: [0, -9.81]
bodies:
  - {name: "one\\ntwo, \\"three\\"", mass: 1, inertia: 1, position: [0, 0.1], shapes: [{type: disc, radius: 0.1}]}
  - {name: "1e3", mass: 1, inertia: 1, position: [1, 0.1], shapes: [{type: disc, radius: 0.1}]}
  - {name: "+7", mass: 1, inertia: 1, position: [2, 0.1], shapes: [{type: disc, radius: 0.1}]}
  - {name: "nan", mass: 1, inertia: 1, position: [3, 0.1], shapes: [{type: disc, radius: 0.1}]}
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
    check("the faults are below the command", int(words["alloc"]) > 0, words)
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
    for arguments, places in ((("equilibria", "klarbring", "--stability", "none"), 25),
                              (("export", "run.h5", "energy"), 25),
                              (("check", "names.yaml"), 10),
                              (("run", "bouncing-ball", "--set", "scheme.duration=0.02", "--quiet",
                                "-o", "other.h5"), 15)):
        total, whole = calls(scree, "alloc", *arguments)
        # the first ones are those of the system's loader and libraries, before the command begins
        for k in range(places * (20 if LONG else 1)):
            at = total // 4 + (total - total // 4) * (2 * k + 1) // (2 * places * (20 if LONG else 1))
            answer = faulty(scree, *arguments, call="alloc", at=at, ever=k % 2)
            judge_shortage(f"{' '.join(arguments)}, allocation {at}", answer, whole)


# ---- writes ----

KINDS = {"plain": (), "compressed, single": ("--set", "output.precision=single", "--set", "output.compression=6")}
SCENE = ("bouncing-ball", "--set", "scheme.step=2e-4", "--set", "scheme.duration=1.5", "--set", "output.every=20")
TALLY = {}


def whole_run(scree, *settings):
    """The tables of a run that nothing disturbs."""
    scree.expect(0, "run", *SCENE, *settings, "--quiet", "-o", "whole.h5")
    return scree.export_hashes("whole.h5")


def come_back(scree, what, fault, tables):
    """What is left in run.h5 after a fault: it goes on to the same bits, at once or after scree recover, or
    nothing was begun. Everything else is lost, which a torn write may do: HDF5 writes some of what leads to the
    data over itself. That is counted, and must be told."""
    answer = scree("run", "--resume", "run.h5", "--quiet", timeout=60)
    how = "resumed"
    if answer.status != 0 and scree.path("run.h5").exists() and scree("recover", "run.h5", timeout=60).status == 0:
        answer, how = scree("run", "--resume", "run.h5", "--quiet", timeout=60), "recovered"
    same = answer.status == 0 and scree.export_hashes("run.h5") == tables
    begun = scree.path("run.h5").exists()
    if not same and not begun:
        how = "not begun"
    tally = TALLY.setdefault(fault, {"resumed": 0, "recovered": 0, "not begun": 0, "lost": 0})
    tally[how if same or not begun else "lost"] += 1
    if "torn" in fault:
        return check(f"{what}: the same bits, or damage that is told", same or not begun
                     or (answer.status == 2 and "damaged" in answer.err), answer)
    return check(f"{what}: the run goes on to the same bits", same or not begun, answer)


def places(total, few):
    """All numbers from 1 to total, or some of them."""
    few *= MORE
    return range(1, total + 1) if LONG else sorted({total, *(1 + (total - 1) * k // few for k in range(few))})


def begin_again(scree):
    """An empty folder, but for the whole run."""
    for path in scree.folder.glob("run.h5*"):
        path.unlink()


def test_disk_refuses(scree):
    """A write, a truncation, a sync or the close fails: status 1, the reason, and a file that goes on."""
    for kind, settings in KINDS.items():
        tables = whole_run(scree, *settings)
        for call, few in (("write", 6), ("truncate", 2), ("sync", 2), ("close", 1)):
            begin_again(scree)
            total, _ = calls(scree, call, "run", *SCENE, *settings, "--quiet", "-o", "run.h5")
            # a run file is opened twice, and the second to be closed is the lock's
            for at in places(1 if call == "close" else total, few) if total else ():
                begin_again(scree)
                what = f"{kind}: {call} {at} of {total} fails"
                answer = faulty(scree, "run", *SCENE, *settings, "--quiet", "-o", "run.h5", call=call, at=at, ever=1)
                check(f"{what}: status 1 and the reason", answer.status == 1 and "nput/output error" in answer.err,
                      answer)
                come_back(scree, what, f"{call} fails", tables)


def interrupted(scree, settings, at, how, size=0):
    """A run that is killed at a write."""
    begin_again(scree)
    environment = {**os.environ, "LD_PRELOAD": SHIM, "FAULT_CALL": "write", "FAULT_AT": str(at), "FAULT_HOW": how,
                   "FAULT_BYTES": str(size)}
    process = scree.start("run", *SCENE, *settings, "--quiet", "-o", "run.h5", env=environment)
    return scree.finish(process).status


def test_killed_and_torn(scree):
    """Killed before each write, or in the middle of it, as by a power cut; and again while resuming."""
    for kind, settings in KINDS.items():
        tables = whole_run(scree, *settings)
        begin_again(scree)
        total, _ = calls(scree, "write", "run", *SCENE, *settings, "--quiet", "-o", "run.h5")
        for at in places(total, 5):
            if interrupted(scree, settings, at, "kill") == -9:
                come_back(scree, f"{kind}: killed before write {at} of {total}", "kill", tables)
            for size in (1, 7, 64, 512, 4096) if LONG else (1 + 37 * at % 600,):
                if interrupted(scree, settings, at, "torn", size) == -9:
                    come_back(scree, f"{kind}: write {at} of {total} torn after {size} bytes", "torn write", tables)
        kill_twice(scree, kind, settings, tables, total)


def kill_twice(scree, kind, settings, tables, total):
    """Killed in the middle of the run, then at each write of its resume."""
    check(f"{kind}: killed in the middle", interrupted(scree, settings, total // 2, "kill") == -9)
    half = scree.path("run.h5").read_bytes()
    again, _ = calls(scree, "write", "run", "--resume", "run.h5", "--quiet")
    for at in places(again, 4):
        for how, size in (("kill", 0), ("torn", 5)):
            begin_again(scree)
            scree.write("run.h5", half)
            environment = {**os.environ, "LD_PRELOAD": SHIM, "FAULT_CALL": "write", "FAULT_AT": str(at),
                           "FAULT_HOW": how, "FAULT_BYTES": str(size)}
            scree.finish(scree.start("run", "--resume", "run.h5", "--quiet", env=environment))
            come_back(scree, f"{kind}: {how} at write {at} of {again} of the resume", f"{how} while resuming", tables)


def writes_of(scree, *arguments, begun=None):
    """What a command writes to its run file: the file when it got its name (or as it had begun), then truncations and
    writes."""
    scree.expect(0, *arguments, env={**os.environ, "LD_PRELOAD": SHIM, "FAULT_LOG": str(scree.path("log"))})
    data, at, named, file, later = scree.path("log").read_bytes(), 0, begun is not None, bytearray(begun or b""), []
    while at < len(data):
        end = data.index(b"\n", at)
        word, first, second = data[at:end].split()
        first, second, at = int(first), int(second) if word == b"W" else 0, end + 1
        named = named or word == b"N"
        if word != b"N":
            later.append((first, None if word == b"T" else data[at:at + second]))
        if not named:
            apply(file, *later.pop())
        at += second
    return file, later


def apply(file, place, written):
    """One write, or a truncation if nothing is written."""
    if written is None:
        file[place:] = bytes(max(0, place - len(file)))
        return
    file[len(file):] = bytes(max(0, place - len(file)))
    file[place:place + len(written)] = written


def tears(file, later):
    """Place and length of the beginnings of each write, where one byte more makes another file; with the file as it
    was before."""
    file = bytearray(file)
    for place, written in later:
        for k in range(1, len(written or b"")):
            if place + k > len(file) or file[place + k - 1] != written[k - 1]:
                yield file, place, written[:k]
        apply(file, place, written)


def test_torn_at_every_byte(scree):
    """Of a short run every write is torn after each of its bytes, as far as that makes another file (with SCREE_LONG;
    of the one with many more bytes at every twentieth)."""
    short = ("bouncing-ball", "--set", "scheme.step=1e-2", "--set", "scheme.duration=0.05", "--set", "output.checkpoint=0")
    for (kind, settings), stride in zip(KINDS.items(), (1, 20)):
        scree.expect(0, "run", *short, *settings, "--quiet", "-o", "whole.h5")
        tables = scree.export_hashes("whole.h5")
        begin_again(scree)
        written = writes_of(scree, "run", *short, *settings, "--quiet", "-o", "run.h5")
        total = sum(1 for _ in tears(*written))
        check(f"{kind}: there are tears", total > 100, total)
        stride = stride if LONG else max(1, total // (12 * MORE))
        for number, (file, place, part) in enumerate(tears(*written)):
            if number % stride == 0:
                begin_again(scree)
                torn = bytearray(file)
                apply(torn, place, part)
                scree.write("run.h5", bytes(torn))
                come_back(scree, f"{kind}: the write to {place} torn after {len(part)} bytes", "torn at every byte", tables)
        print(f"NOTE {kind}: {total} different tears, every {stride}")


SLOT = 8 * 8192  # bytes of a chunk of a restart slot
BRIEF = ("bouncing-ball", "--set", "scheme.step=1e-2", "--set", "output.checkpoint=0", *KINDS["compressed, single"])


def tears_of_slots(file, later):
    """Tears of the writes that lead to a restart slot (its index, its head, the last row of the file), and some of what
    it holds."""
    starts = [i for i, (_, written) in enumerate(later) if len(written or b"") == SLOT]
    near = {i + k for i in starts for k in range(5)}
    file = bytearray(file)
    for i, write in enumerate(later):
        found = [(place, part) for _, place, part in tears(file, [write])] if i in near else []
        for place, part in found[:128:8] if i in starts else found:
            yield file, place, part
        apply(file, *write)


def test_torn_restart_slots(scree):
    """The last state of a run in single precision is kept apart. Where what leads to it is torn the run goes on to the
    same bits all the same, after scree recover, which keeps every row; also where the run had been resumed."""
    scree.expect(0, "run", *BRIEF, "--set", "scheme.duration=0.08", "--quiet", "-o", "whole.h5")
    tables = scree.export_hashes("whole.h5")
    begin_again(scree)
    first = writes_of(scree, "run", *BRIEF, "--set", "scheme.duration=0.08", "--quiet", "-o", "run.h5")
    scree.write("run.h5", bytes(first[0]))
    second = writes_of(scree, "run", "--resume", "run.h5", "--quiet", begun=first[0])
    begin_again(scree)
    scree.expect(0, "run", *BRIEF, "--set", "scheme.duration=0.05", "--quiet", "-o", "run.h5")
    begun = scree.path("run.h5").read_bytes()
    longer = writes_of(scree, "run", "--resume", "run.h5", "--set", "scheme.duration=0.08", "--quiet", begun=begun)
    # the third run writes over a slot of the same length, which leaves head and index alone
    for what, written, least in (("a new run", first, 10), ("a resumed run", second, 10), ("a longer run", longer, 0)):
        found = heads = 0
        for file, place, part in tears_of_slots(*written):
            heads += part[:4] in (b"EAIB", b"OHDR")
            found += 1
            if not LONG and found % max(1, 12 // MORE):
                continue
            begin_again(scree)
            torn = bytearray(file)
            apply(torn, place, part)
            where = f"{what}: the write to {place} torn after {len(part)} bytes"
            scree.write("run.h5", bytes(torn))
            equal(f"{where}: steps that are left", scree.json("recover", "run.h5")["steps"], 8)
            begin_again(scree)
            scree.write("run.h5", bytes(torn))
            come_back(scree, where, "torn restart slot", tables)
        check(f"{what}: there are tears of what leads to a slot", heads >= least and found > 50, (heads, found))
    equal("nothing of it is lost", TALLY["torn restart slot"]["lost"], 0)


def stopped_between_states(scree, settings):
    """A run that a signal ended between two states that it stores: the one it was in is kept as well, and is taken
    away when the run goes on."""
    begin_again(scree)
    process = scree.start("run", "bouncing-ball", "--set", "scheme.duration=1e4", "--set", "output.every=1000000",
                          *settings, "--quiet", "-o", "run.h5")
    while process.poll() is None and not scree.path("run.h5").exists():
        time.sleep(0.01)
    time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    scree.finish(process)
    return scree.path("run.h5").read_bytes()


def test_killed_while_resuming_what_was_stopped(scree):
    """Killed at each of the first writes of the resume, while the kept state is taken away: every command reads the
    file at once, without being recovered, and what it holds is the start of what was there."""
    for kind, settings in KINDS.items():
        half = stopped_between_states(scree, settings)
        whole = scree.expect(0, "export", "run.h5", "energy").out
        for at in range(1, 61, 1 if LONG else 4):
            scree.write("run.h5", half)
            environment = {**os.environ, "LD_PRELOAD": SHIM, "FAULT_CALL": "write", "FAULT_AT": str(at),
                           "FAULT_HOW": "kill"}
            process = scree.start("run", "--resume", "run.h5", "--quiet", env=environment)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
            scree.finish(process)
            answer = scree.expect(0, "export", "run.h5", "energy")
            same = min(len(whole), len(answer.out))
            check(f"{kind}: killed at write {at}: the same steps", same > 100 and answer.out[:same] == whole[:same])
            scree.expect(0, "export", "run.h5", "bodies")
            scree.expect(0, "export", "run.h5", "contacts")


# ---- readers beside a writer ----

SLOWLY = {"how": "slow", "bytes": 3000}
SHORT = ("bouncing-ball", "--set", "scheme.duration=0.02")


def begun_slowly(scree, kind, number):
    """A writer every write of which can be met half done: of a new run, of one that goes on, of one that is stopped."""
    environment = {**os.environ, "LD_PRELOAD": SHIM, **{f"FAULT_{name.upper()}": str(value) for name, value in SLOWLY.items()}}
    if kind == "a run that goes on":
        return scree.start("run", "--resume", "run.h5", "--set", f"scheme.duration={0.02 + 0.002 * number}", "--quiet",
                           env=environment)
    if kind == "a new run":
        return scree.start("run", *SHORT, "--quiet", "-o", "run.h5", env=environment)
    process = scree.start("run", "bouncing-ball", "--set", "scheme.duration=1e4", "--set", "output.every=1000000",
                          "--quiet", "-o", "run.h5", env=environment)
    time.sleep(0.2)
    process.send_signal(signal.SIGTERM)
    return process


def test_readers_beside_a_slow_writer(scree):
    """Readers in a tight loop while runs begin, go on and end: none is told that the file is damaged."""
    for kind, rounds in (("a new run", 2), ("a run that goes on", 6), ("a run that is stopped", 3)):
        scree.expect(0, "run", *SHORT, "--quiet", "-o", "run.h5")
        reads = 0
        for number in range(1, rounds * (10 if LONG else 1) + 1):
            process = begun_slowly(scree, kind, number)
            while process.poll() is None:
                reads += 1
                answer = scree("export", "run.h5", ("energy", "bodies", "contacts")[reads % 3])
                check(f"reader {reads} beside {kind}", answer.status == 0, answer)
            answer = scree.finish(process)
            check(f"{kind} ends as it should", (answer.status == 0) == ("stopped" not in kind), answer)
        print(f"NOTE readers beside {kind}, written slowly: {reads}")


def test_tally(scree):
    """What the tests above have counted."""
    check("something was tried", len(TALLY) >= 4, TALLY)
    for fault, counts in TALLY.items():
        print(f"NOTE {fault}: {sum(counts.values())} tries, " + ", ".join(f"{n} {how}" for how, n in counts.items()))


# ---- names ----


def test_names_in_tables(scree):
    """Line breaks, commas and quotes in a name lose no row, in CSV and in JSON; a name that reads as a number is a text."""
    scree.write("names.yaml", NAMES)
    scree.expect(0, "run", "names.yaml", "-o", "names.h5")
    for table in ("bodies", "contacts"):
        rows = scree.rows("names.h5", table)
        found = scree.json("export", "names.h5", table)
        equal(f"{table}: as many rows in JSON as in CSV", len(found["rows"]), len(rows))
        equal(f"{table}: as many columns in each", {len(row) for row in found["rows"]}, {len(found["columns"])})
        column = found["columns"].index("body" if table == "bodies" else "a")
        equal(f"{table}: names are whole, and texts", {row[column] for row in found["rows"]},
              {'one\ntwo, "three"', "1e3", "+7", "nan"})


def test_control_characters(scree):
    """What a terminal would obey does not reach it: in scenes it is refused, in messages replaced."""
    for text in ("\\e[31mred", "\\a", "bell\\rback", "\\x9b5m"):
        scree.write("control.yaml", NAMES.replace("title: names", f'title: "{text}"'))
        answer = scree.expect(2, "check", "control.yaml")
        check("the place, and why", "control.yaml:2:8: error: a text cannot contain the control character"
              in answer.err, answer)
    scree.write("lines.yaml", NAMES.replace("title: names", 'title: "one\\nall fine"').replace("[0, 0.1]", "[0, 0.02]"))
    answer = scree.expect(2, "check", "lines.yaml")
    check("a name makes no line of its own", answer.err.count("\n") == 1 and "one?two" in answer.err, answer)
    answer = scree.expect(0, "run", "lines.yaml", "--set", "overlaps=accept", "--set", "scheme.energy_created=1")
    check("nor does a title", "\none?all fine: moreau" in answer.out, answer)
    for arguments in (("run", "no\x1b[31m.yaml"), ("export", "no\x1b[31m.h5", "energy"),
                      ("check", "bouncing-ball", "--set", "bodies.\x1b]0;x\x07.mass=1")):
        answer = scree(*arguments)
        check("no control characters in messages", answer.status in (1, 2)
              and not any(c < " " and c != "\n" for c in answer.err + answer.out), answer)


run_tests(globals())
