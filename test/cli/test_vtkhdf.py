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


BREAK = """
import h5py, numpy as np, shutil
def value(name, value):
    def way(g):
        g[name][...] = value
    return way
def other(name, make):
    def way(g):
        old = g[name][...]
        del g[name]
        g[name] = make(old)
    return way
def less(name):
    def way(g):
        del g[name]
    return way
WAYS = {
    "version": lambda g: g.attrs.modify("Version", [1, 0]), "kind": lambda g: g.attrs.__setitem__("Type", "PolyData"),
    "steps": lambda g: g["Steps"].attrs.modify("NSteps", 3), "parts": less("Steps/NumberOfParts"),
    "values": other("Steps/Values", lambda v: v[::-1].copy()), "points": less("Points"),
    "flat": other("Points", lambda x: x.ravel()), "plane": other("Points", lambda x: x[:, :2]),
    "short": other("Points", lambda x: x[:-1]), "corner": other("Connectivity", lambda c: c + 1),
    "offsets": other("Offsets", lambda o: o[1:]), "begin": other("Offsets", lambda o: o + 1),
    "types": other("Types", lambda t: np.full_like(t, 12)), "float": other("NumberOfCells", lambda n: n.astype("f8")),
    "part": other("Steps/PartOffsets", lambda n: n + 1), "place": other("Steps/PointOffsets", lambda n: n + 1),
    "cell": other("Steps/CellOffsets", lambda n: n + 1), "ids": other("Steps/ConnectivityIdOffsets", lambda n: n + 1),
    "array": other("Steps/PointDataOffsets/velocity", lambda n: n + 1),
    "count": other("NumberOfConnectivityIds", lambda n: n - 1), "size": other("NumberOfPoints", lambda n: n + 1),
}
for name, way in WAYS.items():
    shutil.copy("run.h5", f"broken-{name}.h5")
    with h5py.File(f"broken-{name}.h5", "r+") as f:
        way(f["VTKHDF"])
"""


def test_rules_of_the_format(scree):
    """The group is what the documentation of VTKHDF asks of an unstructured grid over time; and a file that breaks one of
    its rules is found by the judge."""
    if not PYTHON:
        return
    more = {"fan.h5": ("pendulum-on-beam", "--set", "scheme.duration=0.002"),
            "cell.h5": ("rough-incline", "--set", "scheme.duration=0.01"),
            "units.h5": ("sliding-block", "--set", "scheme.duration=0.002", "--set", "output.reactions=true"),
            "one.h5": ("bouncing-ball", "--set", "scheme.duration=0.01", "--set", "output.every=1000000")}
    for run, arguments in {**RUNS, **more}.items():
        scree.expect(0, "run", *arguments, "-q", "-o", run)
    equal("no rule is broken", python(scree, JUDGE, "rules", *RUNS, *more), "")
    for run in ("space.h5", "blocks.h5"):
        scree.write("run.h5", scree.path(run).read_bytes())
        equal("files are broken", python(scree, "-c", BREAK), "")
        for path in sorted(scree.path(".").glob("broken-*.h5")):
            said = python(scree, JUDGE, "rules", path.name)
            check(f"{run}, {path.name}: the judge finds it", path.name in said and "Traceback" not in said, said)


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
