# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Run files that somebody has made up: sound HDF5, and nothing in them what it should be.

Links into other files, views of them, numbers kept elsewhere, cycles, other types, ranks and sizes, chunks that inflate
without end. Every command gives the truth or a sentence, opens and changes no other file, needs no more memory than
its limit, and ends. A file that lies is one of the ways below, by its name; with SCREE_LONG of three runs, otherwise of one.
"""

import os
import resource
import shutil
import subprocess
import sys
import zlib

from harness import check, equal, find_python, run_tests

if "h5py" not in sys.modules:
    PYTHON = find_python("h5py, numpy", "run files that are made up")
    if PYTHON and PYTHON != sys.executable:
        os.execv(PYTHON, [PYTHON, "-B", *sys.argv])
if PYTHON:
    import h5py
    import numpy as np

LONG = bool(os.environ.get("SCREE_LONG"))
MEMORY = 3 << 30  # bytes that a command may want
SECONDS = 20
SECRET = "a secret of another file"
SCENES = {"ball.h5": ("bouncing-ball", "--set", "scheme.duration=0.05"),
          "bar.h5": ("impacting-bar", "--set", "scheme.duration=2e-5", "--set", "output.stress=true"),
          "single.h5": ("three-balls", "--set", "scheme.duration=0.002", "--set", "output.precision=single",
                        "--set", "output.compression=4")}
COMMANDS = (("export", "x.h5", "bodies"), ("export", "x.h5", "energy"), ("export", "x.h5", "contacts"),
            ("show", "x.h5", "--html", "page.html"), ("export", "x.h5", "--to", "vtk", "-o", "vtk"),
            ("recover", "x.h5"), ("run", "--resume", "x.h5", "--quiet", "--set", "scheme.duration=0.06"))

# What is read at the start of every command: with a link into another file there the file is refused.
HEADS = ("scene/text", "scene", "model", "model/bodies", "options", "end", "stopped", "digests", "steps", "steps/time",
         "frames", "frames/time", "contacts", "q", "v")


def linked(name):
    """A link to the same object of another run."""
    def way(f):
        del f[name]
        f[name] = h5py.ExternalLink("victim.h5", "/" + name)
    return way


def replaced(name, make):
    """Something else under the name: a value, a link, or what a function makes of the file and the old rows."""
    def way(f):
        old = f[name][()] if isinstance(f[name], h5py.Dataset) else None
        del f[name]
        made = make(f, old) if callable(make) else make
        if made is not None:
            f[name] = made
    return way


def table(kind="f8", chunk=64, **options):
    """A table of q of another type or in other chunks."""
    return replaced("q", lambda f, q: f.create_dataset("q", q.shape, kind, chunks=(chunk, q.shape[1]),
                                                       maxshape=(None, q.shape[1]), **options) and None)


def kept_elsewhere(name, path):
    """Numbers that stand in a file that is no HDF5 file."""
    def way(f):
        old = f[name]
        shape, kind = old.shape or (1,), old.dtype
        del f[name]
        f.create_dataset(name, shape, kind, external=[(path, 0, h5py.h5f.UNLIMITED)])
    return way


def view(name, other):
    """A virtual data set over one of another file."""
    def way(f):
        shape, kind = f[name].shape or (1,), f[name].dtype
        layout = h5py.VirtualLayout(shape, kind)
        layout[...] = h5py.VirtualSource("victim.h5", other, shape=shape)
        del f[name]
        f.create_virtual_dataset(name, layout)
    return way


def bomb(f):
    """A small chunk that inflates to a gigabyte."""
    shape = f["q"].shape
    del f["q"]
    made = f.create_dataset("q", shape, "f8", chunks=(64, shape[1]), maxshape=(None, shape[1]), compression="gzip")
    packer = zlib.compressobj(9)
    made.id.write_direct_chunk((0, 0), b"".join([*(packer.compress(bytes(1 << 20)) for _ in range(1024)), packer.flush()]))


def endless(name):
    """A restart whose size times eight is eight."""
    def way(f):
        for k in "01":
            if f"{name}/{k}" in f:
                del f[f"{name}/{k}"]
            f.create_dataset(f"{name}/{k}", (2**61 + 1,), "f8", chunks=(1024,), maxshape=(None,))
    return way


def foreign_digests(f):
    """A list of digests that names a link to a pipe."""
    names, digests = f["digests/name"][:], f["digests/digest"][:]
    del f["digests/name"], f["digests/digest"]
    f["VTKHDF/pipe"] = h5py.ExternalLink("pipe", "/x")
    f["digests/name"] = np.append(names, np.bytes_(b"VTKHDF/pipe"))
    f["digests/digest"] = np.append(digests, np.uint64(1))


def attribute(holder, name, value):
    """An attribute of another type or size."""
    def way(f):
        made = value(f) if callable(value) else value
        if name in f[holder].attrs:
            del f[holder].attrs[name]
        f[holder].attrs[name] = made
    return way


REFUSED = {  # by every command that reads what was changed
    **{f"{name} in another file": linked(name) for name in HEADS},
    "a link to a pipe": replaced("scene/text", lambda f, old: h5py.ExternalLink("pipe", "/x")),
    "a link to a device": replaced("q", lambda f, old: h5py.ExternalLink("/dev/zero", "/x")),
    "a digest of a pipe": foreign_digests,
    "q kept elsewhere": kept_elsewhere("q", "secret.txt"),
    "the scene kept elsewhere": kept_elsewhere("scene/text", "/etc/passwd"),
    "vertices kept elsewhere": kept_elsewhere("model/vertices", "secret.txt"),
    "a view of another q": view("q", "q"),
    "a view of another end": view("end", "end"),
    "a view of another scene": view("scene/text", "scene/text"),
    "the model is the root": replaced("model", lambda f, old: f["/"]),
    "q is q": replaced("q", lambda f, old: h5py.SoftLink("/q")),
    "nowhere": replaced("end", lambda f, old: h5py.SoftLink("/nowhere")),
    "a scalar": replaced("q", 1.0),
    "five dimensions": replaced("q", lambda f, q: f.create_dataset("q", (1, 1, 1, 1, 6), chunks=True) and None),
    "no dimensions": replaced("q", lambda f, q: h5py.Empty("f8")),
    "rows of any length": table(h5py.vlen_dtype("f8") if PYTHON else None),
    "references": table(h5py.ref_dtype if PYTHON else None),
    "numbers of two bytes": table("f2"),
    "a group": replaced("q", lambda f, q: f.create_group("q") and None),
    "a data set": replaced("steps", lambda f, old: np.zeros(5)),
    "names of any length": replaced("model/bodies", lambda f, old: np.array(["x"], dtype=object)),
    "a million settings": replaced("scene/overrides", lambda f, old: f.create_dataset(
        "scene/overrides", (10**6 - 1,), "S2000", chunks=(1000,)) and None),
    "a scene of two gigabytes": replaced("scene/text", lambda f, old: f.create_dataset("scene/text", (1,), "S2000000000") and None),
    "a filter that nobody has": table(compression=32015, allow_unknown_filter=True),
    "a chunk of 256 MB": table(chunk=2**20, compression="gzip"),
    "a bomb": bomb,
    "coordinates without end": attribute("model", "coordinates", 2**31 - 1),
    "coordinates that are a reference": attribute("model", "dofs", lambda f: f.ref),
    "coordinates that are a row": attribute("model", "dofs", lambda f: np.zeros(1, [("a", "i4")])),
    "coordinates that are no number": attribute("model", "coordinates", float("nan")),
    "a step that is a text": attribute("options", "step", "fast"),
    "a format that is a number": attribute("/", "format", 4),
    "a version that is a text": attribute("/", "format_version", "4"),
    "columns without end": attribute("steps", "columns", lambda f: np.bytes_(b" ".join([b"step"] * 500))),
    "columns of another table": attribute("steps", "columns", lambda f: np.bytes_(b"/frames/time ../q")),
}
HARMLESS = {  # a file like any other, as far as commands go that do not need what was changed
    "numbers from the other end": table(">f8"),
    "checksums of HDF5's": table(fletcher32=True),
    "ParaView's view in another file": linked("VTKHDF"),
    "a restart without end": endless("restart"),
    "a title that is not closed": attribute("/", "title", lambda f: np.bytes_(b"abcd")),
    "a title that rings": attribute("/", "title", lambda f: np.bytes_(b"\x1b[31mred\x07")),
}


def limit():
    """What a command may take."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def limit_of(scree):
    """The same; none where a command cannot even begin with it, as with sanitizers, which take terabytes of addresses."""
    begun = subprocess.run([scree.binary, "--version"], capture_output=True, preexec_fn=limit, check=False)
    return limit if begun.returncode == 0 else None


def make(scree, run, name, way):
    """A file that lies, or None if it cannot be made of this run."""
    shutil.copy(scree.path(run), scree.path("made.h5"))
    here = os.getcwd()
    os.chdir(scree.folder)
    try:
        with h5py.File("made.h5", "r+") as f:
            rows = f["q"][()]
            way(f)
            if name in HARMLESS and isinstance(f.get("q"), h5py.Dataset) and f["q"].shape == rows.shape and f["q"].chunks[0] == 64:
                f["q"][...] = rows
        return True
    except (OSError, ValueError, KeyError, TypeError) as problem:
        check(f"{run}: {name} can be made", run != "ball.h5", problem)
        return False
    finally:
        os.chdir(here)


def judge(scree, run, name, victims, most):
    """All commands on it."""
    said = []
    for arguments in COMMANDS:
        for left in ("x.h5.damaged", "page.html"):
            scree.path(left).unlink(missing_ok=True)
        shutil.rmtree(scree.path("vtk"), ignore_errors=True)
        shutil.copy(scree.path("made.h5"), scree.path("x.h5"))
        os.utime(scree.path("x.h5"), (1e9, 1e9))
        answer = scree(*arguments, timeout=SECONDS, preexec_fn=most)
        what = f"{run}, {name}: {' '.join(arguments[:3])}"
        check(f"{what}: a status", answer.status in (0, 1, 2), answer)
        check(f"{what}: a sentence", answer.status == 0 or "error" in answer.err, answer)
        page = scree.path("page.html").read_text() if scree.path("page.html").exists() else ""
        check(f"{what}: nothing of other files", not any(word in answer.out + answer.err + page for word in (SECRET, "root:")))
        check(f"{what}: nothing to obey", "\x1b" not in answer.out + answer.err, answer)
        equal(f"{what}: other files are as they were", {path: scree.path(path).read_bytes() for path in victims}, victims)
        said.append(answer.status)
    return said


def test_made_up_files(scree):
    """Way after way, command after command."""
    if not PYTHON:
        return
    scree.write("secret.txt", SECRET * 1000)
    os.mkfifo(scree.path("pipe"))
    most = limit_of(scree)
    for run, arguments in list(SCENES.items())[:None if LONG else 1]:
        scree.expect(0, "run", *arguments, "--quiet", "-o", run)
        shutil.copy(scree.path(run), scree.path("victim.h5"))
        victims = {path: scree.path(path).read_bytes() for path in ("victim.h5", "secret.txt")}
        for name, way in {**REFUSED, **HARMLESS}.items():
            if not make(scree, run, name, way):
                continue
            said = judge(scree, run, name, victims, most)
            if name in REFUSED:
                check(f"{run}, {name}: is refused", 2 in said[:4] and said[-1] != 0, said)
            else:
                equal(f"{run}, {name}: is read", said[:3], [0, 0, 0])


run_tests(globals())
