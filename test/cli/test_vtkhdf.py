# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""The group /VTKHDF in run files: a view of the tables that VTK and ParaView open by themselves.

A reader of its own (test/judge/read_vtkhdf.py) goes through every state as the documentation of the format says,
VTK's own through what its version knows; the run must not depend on the group, whatever becomes of it.
"""

import pathlib
import subprocess

from harness import check, equal, find_python, run_tests

JUDGE = pathlib.Path(__file__).resolve().parent.parent / "judge" / "read_vtkhdf.py"
RUNS = {"plane.h5": ("bouncing-ball", "--set", "scheme.duration=0.1"),
        "space.h5": ("dominoes", "--set", "scheme.duration=0.05", "--set", "output.every=7"),
        "single.h5": ("dominoes", "--set", "scheme.duration=0.02", "--set", "output.precision=single",
                      "--set", "output.compression=6"),
        "blocks.h5": ("two-blocks", "--set", "scheme.duration=0.05", "--set", "output.stress=true",
                      "--set", "output.reactions=true"),
        "bar.h5": ("impacting-bar", "--set", "scheme.duration=2e-5")}


PYTHON = find_python("h5py, numpy", "VTKHDF")


def python(scree, *arguments):
    """What a script says."""
    done = subprocess.run([PYTHON, "-B", *map(str, arguments)], text=True, capture_output=True, cwd=scree.path("."),
                          check=False)
    return done.stdout.strip() + (done.stderr.strip() if done.returncode else "")


def test_every_state(scree):
    """Points, cells and arrays of every state are those of the tables."""
    if not PYTHON:
        return
    for run, arguments in RUNS.items():
        scree.expect(0, "run", *arguments, "-q", "-o", run)
    equal("as the format's documentation says", python(scree, JUDGE, *RUNS), "")
    if find_python("vtkmodules.vtkIOHDF, h5py", "VTKHDF"):
        equal("VTK's own reader", python(scree, JUDGE, "vtk", *RUNS), "")
    scree.expect(0, "run", "oscillator-stop", "-q", "-o", "system.h5", "--set", "scheme.duration=0.1")
    equal("a system has nothing to draw", python(scree, "-c", "import h5py; print('VTKHDF' in h5py.File('system.h5'))"),
          "False")


COUNT = "import h5py, sys; print(len(h5py.File(sys.argv[1], 'r', swmr=True)['VTKHDF']))"


def test_runs_that_go_on(scree):
    """The view follows the run: empty while it is open or cut back, whole when it has ended."""
    if not PYTHON:
        return
    scree.expect(0, "run", *RUNS["space.h5"], "-q", "-o", "run.h5")
    scree.expect(0, "run", "--resume", "run.h5", "-q", "--set", "scheme.duration=0.06")
    equal("longer", python(scree, JUDGE, "run.h5"), "")
    at = int(python(scree, "-c", "import h5py; print(h5py.File('run.h5')['q'].id.get_chunk_info(0).byte_offset)"))
    damaged = bytearray(scree.path("run.h5").read_bytes())
    damaged[at + 3 * 22 * 7 * 8 + 20] ^= 1  # in the fourth state
    scree.write("run.h5", bytes(damaged))
    equal("recovered", scree.json("recover", "run.h5")["states"], 3)
    equal("nothing is left of states that are gone", python(scree, "-c", COUNT, "run.h5"), "0")
    scree.expect(0, "run", "--resume", "run.h5", "-q")
    equal("and again", python(scree, JUDGE, "run.h5"), "")


SPOIL = """
import h5py, shutil, sys
for way in ("gone", "other", "number"):
    shutil.copy("run.h5", way + ".h5")
    with h5py.File(way + ".h5", "r+") as f:
        if way == "gone": del f["VTKHDF"]
        if way == "other": del f["VTKHDF"]; f["VTKHDF"] = 3
        if way == "number": f["VTKHDF/Steps"].attrs["NSteps"] = 2**40; del f["VTKHDF/Points"]
with h5py.File("run.h5") as f:
    at = h5py.h5o.get_info(f["VTKHDF"].id).addr
data = bytearray(open("run.h5", "rb").read())
data[at:at + 60] = bytes(60)
open("torn.h5", "wb").write(data)
shutil.copy("run.h5", "virtual.h5")
with h5py.File("virtual.h5", "r+") as f:
    q = f["q"]
    layout = h5py.VirtualLayout(shape=q.shape, dtype=q.dtype, maxshape=(None, q.shape[1]))
    layout[...] = h5py.VirtualSource("run.h5", "q", shape=q.shape)
    del f["q"]
    f.create_virtual_dataset("q", layout)
shutil.copy("run.h5", "linked.h5")
with h5py.File("linked.h5", "r+") as f:
    del f["q"]
    f["q"] = h5py.ExternalLink("run.h5", "/q")
"""


def test_damaged_views(scree):
    """Whatever stands in the group, the run is the same; and a table must be in the file, not a view of another one."""
    if not PYTHON:
        return
    scree.expect(0, "run", *RUNS["space.h5"], "-q", "-o", "run.h5")
    scree.expect(0, "run", *RUNS["space.h5"], "-q", "-o", "longer.h5", "--set", "scheme.duration=0.1")
    hashes, longer = scree.export_hashes("run.h5"), scree.export_hashes("longer.h5")
    equal("files are spoilt", python(scree, "-c", SPOIL), "")
    for way in ("gone", "other", "number", "torn"):
        equal(f"{way}: the same tables", scree.export_hashes(f"{way}.h5"), hashes)
        check(f"{way}: a whole run", scree.json("recover", f"{way}.h5")["whole"])
        scree.expect(0, "run", "--resume", f"{way}.h5", "-q", "--set", "scheme.duration=0.1")
        equal(f"{way}: goes on", scree.export_hashes(f"{way}.h5"), longer)
    for way in ("virtual", "linked"):
        for arguments in (("export", f"{way}.h5", "bodies"), ("run", "--resume", f"{way}.h5")):
            answer = scree.expect(2, *arguments)
            check(f"{way}: {arguments[0]} says so", "damaged" in answer.err, answer)


run_tests(globals())
