# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Places that cannot be written to and disks that are full: a clear error, no crash, no hang.

A full disk is made three ways: a small tmpfs (root only), a limit on the size of files, and a
device of our own like /dev/full (root only).
"""

import errno
import os
import resource
import signal
import stat
import subprocess

from harness import check, digest, document, equal, run_tests, skip, weaker_user

SMALL = ["--set", "scheme.duration=0.01"]
LARGE = ["--set", "scheme.step=1e-6"]      # impacting-stick: 200000 steps, 100 MB


def judge_refusal(answer, words, where):
    """Not zero, one or two lines on standard error that name the file and the reason."""
    what = answer.command
    check(f"{what}: exit status 1 or 2", answer.status in (1, 2), answer)
    text = answer.err.lower()
    check(f"{what}: the reason, one of {words}", any(word in text for word in words), answer)
    check(f"{what}: names {where}", where in answer.err, answer)
    check(f"{what}: error: in the message, few lines", "error: " in answer.err
          and answer.err.count("\n") <= 4, answer)
    check(f"{what}: no summary as if all were well", "closed" not in answer.out, answer)


# ---- places that cannot be written to ----


def test_missing_parent(scree):
    """The folder of the output is not there."""
    for arguments in (["run", "bouncing-ball", *SMALL], ["new", "bouncing-ball"]):
        answer = scree(*arguments, "-o", "no/such/place.x")
        judge_refusal(answer, ["no such file or directory"], "no/such/place.x")
    scree.expect(0, "run", "bouncing-ball", *SMALL)
    for command in (["export", "bouncing-ball.h5", "energy", "-o", "no/such/place.csv"],
                    ["plot", "bouncing-ball.h5", "energy", "-o", "no/such/place.svg"],
                    ["plot", "bouncing-ball.h5", "energy", "-o", "no/such/place.png"],
                    ["plot", "bouncing-ball.h5", "energy", "-o", "no/such/place.pdf"],
                    ["compare", "bouncing-ball", "--plot", "no/such/place.svg", *SMALL]):
        judge_refusal(scree(*command), ["no such file or directory"], "no/such/place")
    equal("nothing written", scree.listing(), ["bouncing-ball.h5"])


def test_directory_as_output(scree):
    """The output is a directory; it stays one."""
    for ending in (".h5", ".yaml", ".csv", ".svg", ".png", ".pdf"):
        scree.path(f"d{ending}").mkdir()
    scree.expect(0, "run", "bouncing-ball", "-o", "run.h5", *SMALL)
    for command in (["run", "bouncing-ball", *SMALL, "-o", "d.h5"],
                    ["new", "bouncing-ball", "-o", "d.yaml"],
                    ["new", "bouncing-ball", "--force", "-o", "d.yaml"],
                    ["export", "run.h5", "energy", "-o", "d.csv"],
                    ["plot", "run.h5", "energy", "-o", "d.svg"],
                    ["plot", "run.h5", "energy", "-o", "d.png"],
                    ["plot", "run.h5", "energy", "-o", "d.pdf"]):
        judge_refusal(scree(*command), ["directory", "exists"], command[-1])
        check(f"{command[-1]} is a directory as before", scree.path(command[-1]).is_dir())


def test_unwritable_folder(scree):
    """A folder without the permission to write; root steps down for it."""
    who = weaker_user(scree)
    if who is None:
        return
    locked = scree.path("locked")
    locked.mkdir()
    scree.expect(0, "run", "bouncing-ball", "-o", "run.h5", *SMALL)
    scree.path("run.h5").chmod(0o644)
    locked.chmod(0o555)
    for command in (["run", "bouncing-ball", *SMALL, "-o", "locked/x.h5"],
                    ["new", "bouncing-ball", "-o", "locked/x.yaml"],
                    ["export", "run.h5", "energy", "-o", "locked/x.csv"],
                    ["plot", "run.h5", "energy", "-o", "locked/x.svg"]):
        judge_refusal(scree(*command, **who), ["permission denied"], command[-1])
    equal("nothing in it", list(locked.iterdir()), [])
    read_only = scree.path("run.h5").read_bytes()
    scree.path("run.h5").chmod(0o444)
    answer = scree("run", "--resume", "run.h5", **who)
    check("resume of a run that may only be read: finished, or refused with the reason",
          answer.status == 0 or "ermission" in answer.err, answer)
    check("that run is as it was", scree.path("run.h5").read_bytes() == read_only)
    locked.chmod(0o755)


# ---- full disks ----


def judge_full(scree, answer, run):
    """A run on a full disk: refused with the reason, or what was stored is readable."""
    judge_refusal(answer, ["no space", "full", "too large", "space left"], run)
    if scree.path(run).exists() and scree.path(run).stat().st_size:
        exported = scree("export", run, "energy")
        check(f"{answer.command}: the file that is left is readable, or said to be damaged",
              exported.status == 0 or "error: " in exported.err, exported)


def limit(size):
    """For preexec_fn: files may not grow beyond `size` bytes; writes fail instead of a signal."""
    def act():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return act


def test_size_limit(scree):
    """Writes that fail at several moments: while creating, early, late."""
    scree.expect(0, "run", "impacting-stick", "-o", "run.h5")
    for size in (0, 100, 1000, 3000, 8192, 20000, 100000, 1000000, 20000000):
        answer = scree("run", "impacting-stick", "-o", f"part{size}.h5", *LARGE,
                       preexec_fn=limit(size))
        judge_full(scree, answer, f"part{size}.h5")
        check(f"limit {size}: it says how to go on if there is a file, and only then",
              ("--resume" in answer.err) == scree.path(f"part{size}.h5").exists(), answer)
        answer = scree("run", "impacting-stick", "-o", "part.h5", *LARGE, "--json",
                       preexec_fn=limit(size))
        found = document(answer)
        check(f"limit {size}, --json: status is not done", found and found.get("status") != "done",
              found)
    for command in (["export", "run.h5", "energy", "-o", "e.csv"],
                    ["export", "run.h5", "contacts", "-o", "c.csv"],
                    ["plot", "run.h5", "energy", "-o", "f.svg"],
                    ["plot", "run.h5", "overview", "-o", "f.png"],
                    ["plot", "run.h5", "overview", "-o", "f.pdf"],
                    ["new", "bouncing-ball", "-o", "n.yaml"]):
        judge_refusal(scree(*command, preexec_fn=limit(300)), ["no space", "full", "too large"],
                      command[-1])
        check(f"{command[-1]}: no half file left", not scree.path(command[-1]).exists())


def test_limit_then_resume(scree):
    """After room was made the run can be resumed to the same end."""
    scree.expect(0, "run", "oscillator-stop", "-o", "whole.h5", "--set", "scheme.step=5e-5")
    answer = scree("run", "oscillator-stop", "-o", "part.h5", "--set", "scheme.step=5e-5",
                   preexec_fn=limit(6000000))
    check("the limit stops the run", answer.status in (1, 2), answer)
    check("it says how to go on", "scree run --resume part.h5" in answer.err, answer)
    exported = scree.expect(0, "export", "part.h5", "energy").out
    whole = scree.expect(0, "export", "whole.h5", "energy").out
    check("what was stored is the beginning", whole.startswith(exported) and exported,
          exported[-99:])
    scree.expect(0, "run", "--resume", "part.h5")
    equal("resumed to the same end", scree.export_hashes("part.h5"),
          scree.export_hashes("whole.h5"))


def full_device(scree, name):
    """A device of our own that is always full, or None (said aloud).

    Never the system's /dev/full: a command that renames over its target would, run by root,
    replace the device for the whole machine.
    """
    path = scree.path(name)
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 7))
        with open(path, "wb", buffering=0) as stream:
            stream.write(b"x")
    except OSError as problem:
        if problem.errno == errno.ENOSPC:
            return name
        path.unlink(missing_ok=True)
        skip(f"full device: cannot be made here: {problem}")
        return None
    skip("full device: the one made here takes everything")
    return None


def test_full_device(scree):
    """Tables, figures and scenes to a device that is always full: an error, and it stays one."""
    scree.expect(0, "run", "impacting-stick", "-o", "run.h5")
    for command, option, name in ((["export", "run.h5", "energy"], "-o", "full.csv"),
                                  (["export", "run.h5", "contacts"], "-o", "full2.csv"),
                                  (["measure", "run.h5", "forces"], "-o", "full3.csv"),
                                  (["new", "bouncing-ball", "--force"], "-o", "full.yaml"),
                                  (["plot", "run.h5", "energy"], "-o", "full.svg"),
                                  (["plot", "run.h5", "energy"], "-o", "full.png"),
                                  (["plot", "run.h5", "energy"], "-o", "full.pdf"),
                                  (["show", "run.h5"], "--html", "full.html")):
        if full_device(scree, name) is None:
            return
        judge_refusal(scree(*command, option, name), ["no space", "full"], name)
        check(f"{' '.join(command)} -o DEVICE: still a device",
              scree.path(name).exists() and scree.path(name).is_char_device())


def test_page_that_cannot_be_written(scree):
    """The page of before is left, and a link to one stays a link."""
    scree.expect(0, "run", "bouncing-ball", "-o", "run.h5", *SMALL)
    scree.write("real.html", "of before")
    os.symlink("real.html", scree.path("page.html"))
    answer = scree("show", "run.h5", "--html", "page.html",
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
    judge_refusal(answer, ["too large"], "page.html")
    equal("the page of before", scree.path("real.html").read_text(), "of before")
    scree.expect(0, "show", "run.h5", "--html", "page.html")
    check("a link", scree.path("page.html").is_symlink() and len(scree.path("real.html").read_text()) > 1000)


def test_full_standard_output(scree):
    """Standard output that takes nothing: not status 0, and a reason."""
    scree.expect(0, "run", "impacting-stick", "-o", "run.h5")
    name = full_device(scree, "full")
    if name is None:
        return
    for command in (["export", "run.h5", "energy"], ["schema"], ["scenes"], ["--help"],
                    ["run", "bouncing-ball", "--json", "--no-store"], ["--manual"],
                    ["check", "bouncing-ball", "--json"], ["compare", "bouncing-ball", "--json"]):
        with open(scree.path(name), "wb") as full:
            done = subprocess.run([scree.binary, *command], cwd=scree.folder, stdout=full,
                                  stderr=subprocess.PIPE, timeout=60, check=False)
        check(f"scree {' '.join(command)} > full: not status 0, and says why",
              done.returncode in (1, 2) and done.stderr, (done.returncode, done.stderr))


def test_pipe_as_output(scree):
    """-o to something that is no regular file (a FIFO, as bash's >(...) gives): written into."""
    scree.expect(0, "run", "bouncing-ball", "-o", "run.h5", *SMALL)
    table = scree.expect(0, "export", "run.h5", "energy").out
    os.mkfifo(scree.path("pipe.csv"))
    process = scree.start("export", "run.h5", "energy", "-o", "pipe.csv")
    reader = os.open(scree.path("pipe.csv"), os.O_RDONLY | os.O_NONBLOCK)
    scree.finish(process)
    text = os.read(reader, 1 << 20).decode()
    os.close(reader)
    check("export -o FIFO: the table comes out of it", text == table, text[:200])
    check("export -o FIFO: it is one as before", scree.path("pipe.csv").is_fifo())


def test_dash_as_output(scree):
    """-o - is standard output for tables, and no folder."""
    scree.expect(0, "run", "bouncing-ball", "-o", "run.h5", *SMALL)
    for more in ([], ["--json"]):
        table = scree.expect(0, "export", "run.h5", "energy", *more).out
        equal(f"export -o - {more}: the table", scree.expect(
            0, "export", "run.h5", "energy", "-o", "-", *more).out, table)
    answer = scree.expect(2, "export", "run.h5", "--to", "vtk", "-o", "-")
    check("export --to vtk -o -: says why not", "folder" in answer.err, answer)
    equal("no file called -", scree.listing(), ["run.h5"])


def test_neighbours(scree):
    """Writing FILE does not touch files that are called nearly the same."""
    scree.expect(0, "run", "bouncing-ball", "-o", "run.h5", *SMALL)
    names = [f"{name}{ending}" for name in ("e.csv", "f.svg", "n.yaml", "r.h5")
             for ending in (".part", ".tmp", "~", ".bak")]
    for name in names:
        scree.write(name, "mine")
    scree.expect(0, "export", "run.h5", "energy", "-o", "e.csv")
    scree.expect(0, "plot", "run.h5", "energy", "-o", "f.svg")
    scree.expect(0, "new", "bouncing-ball", "-o", "n.yaml")
    scree.expect(0, "run", "bouncing-ball", "-o", "r.h5", *SMALL)
    for name in names:
        check(f"{name} is there as before",
              scree.path(name).exists() and scree.path(name).read_text() == "mine")


def test_closed_pipe(scree):
    """`scree export ... | head`: no crash, no noise but the signal's own."""
    scree.expect(0, "run", "impacting-stick", "-o", "run.h5")
    process = scree.start("export", "run.h5", "contacts")
    process.stdout.read(100)
    process.stdout.close()
    error = process.stderr.read()
    process.wait(timeout=60)
    process.stderr.close()
    check("export | head: ends quietly", process.returncode in (0, 1, 2, -signal.SIGPIPE)
          and error.count(b"\n") <= 1, (process.returncode, error))


def test_small_disk(scree):
    """A disk of 256 KiB."""
    place = scree.path("disk")
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(place)],
                             capture_output=True, check=False) if os.geteuid() == 0 else None
    if mounted is None or mounted.returncode != 0:
        skip("small disk: mounting a tmpfs needs root and its rights"
             + (f": {mounted.stderr.decode().strip()}" if mounted else ""))
        return
    try:
        judge_small_disk(scree)
    finally:
        subprocess.run(["umount", str(place)], check=False)


def fill(path):
    """Take all the room that is left."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        while os.write(handle, bytes(1024)):
            pass
    except OSError:
        pass
    os.close(handle)


def judge_small_disk(scree):
    """Runs, exports and figures that do not fit."""
    answer = scree("run", "impacting-stick", "-o", "disk/run.h5", *LARGE)
    judge_full(scree, answer, "disk/run.h5")
    scree.path("disk/run.h5").unlink(missing_ok=True)
    scree.expect(0, "run", "impacting-stick", "-o", "run.h5", *LARGE)
    for name in ("energy.csv", "bodies.csv"):
        answer = scree("export", "run.h5", name.split(".", maxsplit=1)[0], "-o", f"disk/{name}")
        judge_refusal(answer, ["no space"], f"disk/{name}")
        check(f"{name}: no half file left", not scree.path(f"disk/{name}").exists())
        scree.path(f"disk/{name}").unlink(missing_ok=True)
    fill(scree.path("disk/fill"))
    for command in (["new", "bouncing-ball", "-o", "disk/ball.yaml"],
                    ["plot", "run.h5", "energy", "-o", "disk/e.svg"],
                    ["run", "bouncing-ball", "-o", "disk/ball.h5"]):
        judge_refusal(scree(*command), ["no space"], command[-1])
    check("a full disk does not harm the run", digest(scree.expect(
        0, "export", "run.h5", "energy").out) == digest(scree.expect(
            0, "export", "run.h5", "energy").out))


if __name__ == "__main__":
    run_tests(globals())
