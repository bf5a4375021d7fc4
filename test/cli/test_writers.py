# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""One writer at a time, readers at any time, and nothing of anybody else's is replaced by a run file."""

import fcntl
import os
import pathlib
import re
import resource
import signal
import stat
import struct
import time

from harness import check, digest, equal, run_tests

LONG = ["--set", "scheme.duration=1000"]  # and few steps a second, so that the file stays small on a busy machine
ROBOT = """<robot name="r"><link name="a"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><mesh filename="wall.obj"/></geometry></collision></link></robot>"""
SMALL = ["--set", "scheme.duration=0.05", "--quiet"]


def begin(scree, *arguments):
    """A long run that is writing its file."""
    process = scree.start("run", "dominoes", *arguments, *LONG)
    for _ in range(600):
        if scree.path("run.h5").exists() and scree.path("run.h5").stat().st_size > 0:
            return process
        time.sleep(0.05)
    check("the first writer begins", False)
    return process


def end(scree, process):
    """Stop it as Ctrl-C does."""
    process.send_signal(signal.SIGINT)
    return scree.finish(process)


def refused(scree, process, *arguments):
    """The second writer says no, soon, and names the first."""
    answer = scree.expect(1, "run", *arguments, timeout=20)
    check("it names the first writer", f"process {process.pid}" in answer.err, answer)


def test_second_writer(scree):
    """run and run, run and --resume, --resume and --resume on one file."""
    process = begin(scree, "-o", "run.h5")
    refused(scree, process, "bouncing-ball", "-o", "run.h5", *SMALL)
    refused(scree, process, "--resume", "run.h5")
    os.symlink("run.h5", scree.path("link.h5"))
    refused(scree, process, "bouncing-ball", "-o", "link.h5", *SMALL)
    check("readers are welcome", scree.expect(0, "export", "run.h5", "energy").out.count("\n") > 1)
    end(scree, process)
    equal("no other file is left", scree.listing(), ["link.h5", "run.h5"])
    before = scree.path("run.h5").stat().st_mtime_ns
    process = scree.start("run", "--resume", "run.h5")
    for _ in range(600):  # until it writes
        if scree.path("run.h5").stat().st_mtime_ns != before:
            break
        time.sleep(0.05)
    refused(scree, process, "--resume", "run.h5")
    end(scree, process)
    rows = scree.rows("run.h5", "energy")
    equal("steps one after the other", [row["step"] for row in rows], list(range(len(rows))))
    scree.expect(0, "run", "bouncing-ball", "-o", "run.h5", *SMALL)


def test_writer_is_found_before_anything_is_read(scree):
    """However long the run is: with a lock on what is no run at all the lock is what is told."""
    scree.write("run.h5", "no run")
    with open(scree.path("run.h5"), "r+b") as held:
        for at in (2**62, 2**62 + 1 + os.getpid() % 2**23):
            fcntl.fcntl(held, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, at, 1, 0))  # F_OFD_SETLK
        for arguments in (("--resume", "run.h5"), ("bouncing-ball", "-o", "run.h5")):
            answer = scree.expect(1, "run", *arguments)
            check("who holds it", f"is being written by process {os.getpid()}" in answer.err, answer)
    scree.expect(2, "run", "--resume", "run.h5")


def is_held(path):
    """Does a writer have this file? (F_OFD_GETLK at the place that stands for it)"""
    with open(path, "rb") as file:
        answer = fcntl.fcntl(file, 36, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 2**62, 1, 0))
    return struct.unpack("hhqqi4x", answer)[0] != fcntl.F_UNLCK


def test_resume_holds_its_file_before_it_reads(scree):
    """The other one is refused from then on, not when a long file has been read."""
    scree.expect(0, "run", "impacting-stick", "--set", "scheme.step=1e-5", "--set", "scheme.duration=2", "--quiet",
                 "-o", "run.h5")
    before = scree.path("run.h5").stat().st_mtime_ns
    process = scree.start("run", "--resume", "run.h5", "--set", "scheme.duration=1000")
    begun, held = time.monotonic(), None
    while scree.path("run.h5").stat().st_mtime_ns == before and time.monotonic() < begun + 120:
        if held is None and is_held(scree.path("run.h5")):
            held = time.monotonic()
            refused(scree, process, "--resume", "run.h5")
    written = time.monotonic()
    end(scree, process)
    check("it is held, and the other one refused, before it is read", held is not None
          and held - begun < 0.3 * (written - begun), (begun, held, written))


def test_killed_writer_leaves_no_lock(scree):
    """After kill -9 the file can be replaced and resumed."""
    for arguments in (["--resume", "run.h5", "--quiet"], ["bouncing-ball", "-o", "run.h5", *SMALL]):
        process = begin(scree, "-o", "run.h5")
        process.kill()
        process.communicate()
        if "--resume" in arguments:
            process = scree.start("run", *arguments)
            time.sleep(1)
            check("a killed run goes on", process.poll() is None)
            end(scree, process)
        else:
            scree.expect(0, "run", *arguments)


def test_only_runs_are_replaced(scree):
    """Text, foreign HDF5 files, pipes and devices stay what they are."""
    scree.write("text.h5", "mine")
    scree.write("other.h5", b"\x89HDF\r\n\x1a\n" + bytes(1000))
    os.mkfifo(scree.path("pipe.h5"))
    names = ["text.h5", "other.h5", "pipe.h5"]
    try:
        os.mknod(scree.path("device.h5"), stat.S_IFCHR | 0o666, os.makedev(1, 3))
        names.append("device.h5")
    except OSError:
        print("SKIPPED a device as output: only root can make one")
    for name in names:
        kind = stat.S_IFMT(scree.path(name).stat().st_mode)
        before = digest(scree.path(name).read_bytes()) if stat.S_ISREG(kind) else None
        answer = scree.expect(2, "run", "bouncing-ball", "-o", name, *SMALL, timeout=20)
        check("it says what is there", re.search("no run of scree|pipe|device", answer.err), answer)
        equal(f"{name} is the same kind of file", stat.S_IFMT(scree.path(name).stat().st_mode), kind)
        if before:
            equal(f"{name} is as before", digest(scree.path(name).read_bytes()), before)
    equal("nothing else was made", scree.listing(), sorted(names))


def test_links_and_neighbours(scree):
    """A link stays a link, and a file called FILE.new stays as it is."""
    scree.expect(0, "run", "bouncing-ball", "-o", "real.h5", *SMALL)
    before = digest(scree.path("real.h5").read_bytes())
    os.symlink("real.h5", scree.path("link.h5"))
    scree.write("real.h5.new", "mine")
    scree.expect(0, "run", "bouncing-ball", "-o", "link.h5", "--set", "scheme.duration=0.1", "--quiet")
    check("the link is one as before", scree.path("link.h5").is_symlink())
    check("what it leads to is new", digest(scree.path("real.h5").read_bytes()) != before)
    equal("the neighbour", scree.path("real.h5.new").read_text(), "mine")
    scree.path("there").mkdir()
    os.symlink("there/second.h5", scree.path("first.h5"))
    os.symlink("third.h5", scree.path("there/second.h5"))
    scree.expect(0, "run", "bouncing-ball", "-o", "first.h5", *SMALL)
    check("links that lead nowhere yet", scree.path("there/third.h5").is_file() and scree.path("first.h5").is_symlink())


def test_closed_streams(scree):
    """Where standard output or error is closed, what is printed is not written over the run file."""
    def close():
        for descriptor in range(3):
            os.close(descriptor)

    process = scree.start("run", "bouncing-ball", "--set", "scheme.duration=1e5", "--set", "output.every=1000",
                          "-o", "run.h5", preexec_fn=close)
    while not scree.path("run.h5").exists() and process.poll() is None:
        time.sleep(0.01)
    time.sleep(0.1)
    folder = f"/proc/{process.pid}/fd"
    opened = {int(name): os.readlink(f"{folder}/{name}") for name in os.listdir(folder)}
    process.kill()
    scree.finish(process)
    check("the run file is open", any("run.h5" in path for path in opened.values()), opened)
    check("and is neither of the three", not any("run.h5" in opened.get(k, "") for k in range(3)), opened)


def test_pipes_are_not_waited_for(scree):
    """No command that reads a run, a problem or a file of others waits for a pipe to speak; a folder or a device is no
    run either."""
    os.mkfifo(scree.path("pipe.h5"))
    for name in ("pipe.h5", "/dev/zero", "."):
        for arguments in (("export", name, "energy"), ("run", "--resume", name), ("recover", name), ("plot", name, "energy"),
                          ("show", name, "--html", "page.html"), ("measure", name, "forces")):
            answer = scree.expect(2, *arguments, timeout=20)
            check("what it is instead", re.search("regular file|no HDF5 file|directory", answer.err), answer)
    os.mkfifo(scree.path("pipe.obj"))
    os.mkfifo(scree.path("pipe.dat"))
    for arguments in (("import", "pipe.obj"), ("import", "pipe.h5", "--format", "siconos"), ("solve", "pipe.dat")):
        answer = scree(*arguments, timeout=20)
        check("a pipe is refused", answer.status != 0 and "regular file" in answer.err, answer)


def test_own_name_is_taken(scree):
    """Without -o a file of the scene's name that is no run stays what it is."""
    scree.write("bouncing-ball.h5", "mine")
    scree.expect(2, "run", "bouncing-ball", *SMALL)
    equal("what was there", scree.path("bouncing-ball.h5").read_text(), "mine")


def test_long_paths(scree):
    """Paths of more than 599 bytes lead where they say, for writers and readers."""
    folder = scree.path("/".join(["d" * 200] * 4))
    folder.mkdir(parents=True)
    run = folder / "run.h5"
    scree.expect(0, "run", "bouncing-ball", "-o", run, *SMALL)
    equal("it is there, and nothing else", [p for p in scree.folder.rglob("*") if p.is_file()], [run])
    check("it is read", scree.expect(0, "export", run, "energy").out.count("\n") > 10)
    scree.expect(0, "run", "--resume", run, "--quiet", "--set", "scheme.duration=0.1")
    scree.expect(0, "recover", run)


def test_long_paths_of_other_files(scree):
    """So do those of scenes, pictures, tables, folders, and what every command that writes is given."""
    deep = scree.path("/".join(["d" * 200] * 6))
    deep.mkdir(parents=True)
    urdf = pathlib.Path(__file__).parent / "import" / "arm.urdf"
    scree.expect(0, "run", "bouncing-ball", "-o", "run.h5", *SMALL)
    scene = deep / "mine.yaml"
    made = {scene: ("new", "bouncing-ball"), deep / "arm.yaml": ("import", urdf, "--force"),
            deep / "a.csv": ("export", "run.h5", "energy"), deep / "vtk": ("export", "run.h5", "--to", "vtk"),
            deep / "a.svg": ("plot", "run.h5", "energy"), deep / "film": ("animate", "run.h5", "--seconds", "0.1"),
            deep / "runs": ("compare", scene, "--schemes", "moreau-jean", *SMALL[:2]),
            deep / "sweep.csv": ("sweep", scene, "--set", "parameters.e=0.5,0.6", *SMALL[:2])}
    for path, words in made.items():
        scree.expect(0, *words, "-o", path)
        check(f"{words[0]}: it is where it was wanted", path.exists(), path)
    scree.expect(0, "show", "run.h5", "--html", deep / "page.html")
    check("a page", (deep / "page.html").exists())
    equal("runs of schemes", [p.name for p in (deep / "runs").iterdir()], ["mine.moreau-jean.h5"])
    equal("runs of a sweep", sorted(p.name for p in (deep / "sweep.runs").iterdir()),
          ["00001.h5", "00001.txt", "00002.h5", "00002.txt"])
    check("they are not made again", "2 of 2 runs are done" in
          scree.expect(0, "sweep", scene, "--set", "parameters.e=0.5,0.6", *SMALL[:2], "-o", deep / "sweep.csv").out)
    (deep / "wall.obj").write_bytes(urdf.with_name("wall.obj").read_bytes())
    (deep / "robot.urdf").write_text(ROBOT)
    answer = scree.expect(0, "import", deep / "robot.urdf", "-o", deep / "robot.yaml")
    check("a mesh beside a robot", "is not there" not in answer.err, answer.err[-300:])
    equal("nothing elsewhere", sorted(p.name for p in scree.folder.iterdir()), ["d" * 200, "run.h5"])


def test_limit_of_size_is_told(scree):
    """`ulimit -f` ends in a sentence, not in a signal."""
    answer = scree("run", "impacting-stick", "-o", "run.h5", "--set", "scheme.step=1e-5",
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200000, 200000)))
    check("an error of the file", answer.status == 1 and "too large" in answer.err, answer)


run_tests(globals())
