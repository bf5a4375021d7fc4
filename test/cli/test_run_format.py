# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Run files seen from outside, by h5py alone: every table, every digest, a drawing, a run that is being
written; and a flipped bit, wherever it is, seen by every command."""
import json
import pathlib
import re
import subprocess

from harness import check, equal, find_python, run_tests

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JUDGE = ROOT / "test/judge/read_run.py"


PYTHON = find_python("h5py, numpy", "run files read from outside")

# bodies that are fixed, driven, born and removed, hulls and balls, groups, two laws, contacts of all kinds
SPACE = """space: 3
gravity: [0, 0, -10]
bodies:
  - {name: floor, fixed: true, shapes: [{type: plane}]}
  - {name: lift, position: [1, 0, 0.2], motion: {position: [0, 0, 0.1*t]}, shapes: [{type: box, size: [0.3, 0.3, 0.1]}]}
  - {name: stone, density: 500, position: [0.1, 0, 0.15], spin: [0, 1, 0], group: stones,
     shapes: [{type: polyhedron, vertices: [[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.2]]}]}
  - {name: late, density: 500, position: [0, 1, 0.1], born: 0.02, removed: 0.2,
     shapes: [{type: sphere, radius: 0.1}]}
generate:
  - {name: grain, arrange: grid, count: [3, 2, 2], origin: [-0.1, -0.1, 0.6], spacing: 0.11,
     body: {density: 1000, shapes: [{type: sphere, radius: 0.05}]}}
laws:
  - {between: [any, any], friction: 0.4}
  - {between: [stones, floor], friction: 0.2, restitution: 0.3}
scheme: {step: 2e-3, duration: 0.3}
output: {every: 3}
"""


def judge(scree, *arguments):
    """What the reader of its own says."""
    done = subprocess.run([PYTHON, "-B", str(JUDGE), *arguments], text=True, capture_output=True,
                          cwd=scree.path("."), check=False)
    return done.stdout.strip() + done.stderr.strip()


def test_every_table(scree):
    """What the command exports is what is in the file."""
    if not PYTHON:
        return
    scree.write("space.yaml", SPACE)
    scree.write("rolling.yaml", SPACE.replace("friction: 0.4", "friction: 0.4, rolling: 0.002"))
    both = ("energy", "bodies", "contacts")
    asked = []
    for run, arguments, tables in (
            ("space.h5", ["space.yaml"], both),
            ("single.h5", ["space.yaml", "--set", "output.precision=single"], both),
            ("packed.h5", ["space.yaml", "--set", "output.compression=9"], both),
            ("plain.h5", ["space.yaml", "--set", "output.compression=0"], both),
            ("ball.h5", ["bouncing-ball"], both),
            ("bars.h5", ["four-bar", "--set", "scheme.duration=0.05"], (*both, "joints")),
            ("cart.h5", ["motor-cart", "--set", "scheme.duration=0.05"], (*both, "joints")),
            ("door.h5", ["door", "--set", "scheme.duration=0.05"], (*both, "joints")),
            ("gimbals.h5", ["gimbals", "--set", "scheme.duration=0.01"], (*both, "joints")),
            ("rod.h5", ["sliding-rod", "--set", "scheme.duration=0.1"], (*both, "coordinates")),
            ("cell.h5", ["rough-incline", "--set", "scheme.duration=0.06"], both),
            ("units.h5", ["conical-pile", "--set", "scheme.duration=0.02"], both),
            ("rolling.h5", ["rolling.yaml"], both),
            ("events.h5", ["kane-pendulum", "--set", "scheme.duration=0.05"], both),
            ("swept.h5", ["sweeping-circle", "--set", "scheme.duration=0.2"], ("path",)),
            ("chain.h5", ["oscillator-stop", "--set", "scheme.duration=1"], (*both, "coordinates")),
            ("block.h5", ["sliding-block", "--set", "scheme.duration=0.002", "--set", "output.stress=true",
                          "--set", "output.reactions=true"], ("energy", "contacts", "nodes", "elements"))):
        scree.expect(0, "run", *arguments, "-q", "-o", run)
        asked.append(f"{run}:{','.join(tables)}")
        for table in tables:
            scree.expect(0, "export", run, table, "-o", f"{run}.{table}")
            check(f"{run}: {table} has rows", scree.path(f"{run}.{table}").read_text().count("\n") > 2)
    equal("digests and tables", judge(scree, *asked), "")


TABLES = """
import h5py, json, numpy as np
f = h5py.File("space.h5")
b, s, l = (f["model"][name][:] for name in ("bodies", "shapes", "laws"))
x = lambda words: [w.decode() for w in words]
print(json.dumps(dict(
    names=x(b["name"])[:4], fixed=b["fixed"][:4].tolist(), driven=b["driven"][:4].tolist(), mass=b["mass"][4],
    birth=b["birth"][3], removal=b["removal"][3], group=x(b["group"])[2], coordinate=b["coordinate"][:3].tolist(),
    kinds=x(s["kind"])[:4], radius=s["radius"][3], balls=s["ball"][:4].tolist(), vertices=s["vertices"][:3].tolist(),
    faces=s["faces"][2].tolist(), laws=[x(l["a"]), x(l["b"]), l["friction"].tolist(), l["restitution"].tolist()],
    theta=f["options"].attrs["theta"], approach=f["options"].attrs["approach"].decode(),
    tolerance=f["options"].attrs["solver_tolerance"], unit=f.attrs["unit_length"].decode(), shape=f["q"].shape,
    column=f["q"][:, 3].shape, fields=sorted(b.dtype.names))))
"""


def test_model(scree):
    """Bodies, shapes, laws and options say what the scene says, and what auto became."""
    if not PYTHON:
        return
    scree.write("space.yaml", SPACE)
    scree.expect(0, "run", "space.yaml", "-q")
    done = subprocess.run([PYTHON, "-c", TABLES], capture_output=True, text=True, cwd=scree.path("."), check=False)
    if not check("the tables can be read", done.returncode == 0, done.stderr):
        return
    found = json.loads(done.stdout)
    equal("names", found["names"], ["floor", "lift", "stone", "late"])
    equal("fixed", found["fixed"], [1, 0, 0, 0])
    equal("driven", found["driven"], [0, 1, 0, 0])
    check("mass of a grain", abs(found["mass"] - 1000 * 4 / 3 * 3.141592653589793 * 0.05**3) < 1e-12, found)
    equal("birth and removal", (found["birth"], found["removal"]), (0.02, 0.2))
    equal("group", found["group"], "stones")
    equal("coordinates", found["coordinate"], [0, 7, 14])
    equal("kinds", found["kinds"], ["plane", "box", "polyhedron", "sphere"])
    equal("radius", found["radius"], 0.1)
    equal("balls", found["balls"], [0, 0, 0, 1])
    equal("vertices", found["vertices"], [4, 8, 4])
    equal("faces", found["faces"], 4)
    equal("laws", found["laws"], [["any", "stones"], ["any", "floor"], [0.4, 0.2], [0, 0.3]])
    check("theta", abs(found["theta"] - 1 / 1.3) < 1e-12, found["theta"])
    equal("approach", found["approach"], "foreseen")
    equal("tolerance", found["tolerance"], 1e-10)
    equal("unit", found["unit"], "m")
    equal("q", (found["shape"], found["column"]), ([51, 112], [51]))


def lines_of_the_document(word):
    """The lines of Python in docs/run-file.md that hold a word."""
    text = (ROOT / "docs/run-file.md").read_text()
    return next(block for block in re.findall(r"```python\n(.*?)```", text, re.S) if word in block)


COMPARED = """
import h5py
f = h5py.File("run.h5")
names = f["frames"].attrs["columns"].decode().split()
rows = np.stack([f["frames"][name][:].view("u8") for name in names[:-1]], 1)
print(names[-1], (digest(rows) == f["frames/digest"][:]).all(),
      digest(np.array([digest(f["steps/digest"][:]), digest(f["frames/digest"][:])])) == f["end"]["digest"])
"""


def test_digest_of_the_document(scree):
    """The function of docs/run-file.md gives the digests of rows, and of one column."""
    if PYTHON:
        scree.expect(0, "run", "bouncing-ball", "-q", "-o", "run.h5", "--set", "scheme.duration=0.2")
        done = subprocess.run([PYTHON, "-W", "ignore", "-c", "import numpy as np\n" + lines_of_the_document("def digest") + COMPARED],
                              cwd=scree.path("."), capture_output=True, text=True, check=False)
        equal(f"digests{done.stderr}", done.stdout.strip(), "digest True True")


def test_drawing(scree):
    """The lines of docs/run-file.md draw a run."""
    if not PYTHON or not find_python("h5py, matplotlib", "run files read from outside"):
        return
    lines = lines_of_the_document("matplotlib")
    check("about ten lines", len(lines.splitlines()) <= 14, len(lines.splitlines()))
    for scene in ("rocking-block", "spinning-disc", "hopper"):
        scree.expect(0, "run", scene, "-q", "-o", "run.h5", "--set", "scheme.duration=0.2")
        done = subprocess.run([PYTHON, "-c", "import matplotlib\nmatplotlib.use('agg')\n" + lines], cwd=scree.path("."),
                              capture_output=True, text=True, check=False)
        drawn = scree.path("run.png")
        if check(f"{scene} is drawn", done.returncode == 0 and drawn.is_file(), done.stderr):
            check(f"{scene}: something is on it", drawn.stat().st_size > 5000, drawn.stat().st_size)
            drawn.unlink()


DRAWN = {  # a run, and what is on its picture
    "four-bar --set scheme.duration=0.1": {"joints": 4, "shapes": 3},
    "gimbals --set scheme.duration=0.01": {"joints": 3, "shapes": 4},
    "pendulum-on-beam --set scheme.duration=0.002": {"joints": 2, "meshes": 1},
    "sliding-block --set scheme.duration=0.002": {"meshes": 1, "units": {"length": "mm", "time": "ms", "mass": "g"}},
    "sliding-rod --set scheme.duration=0.05": {"coordinates": 3},
    "rough-incline --set scheme.duration=0.06": {"period x": 0.2, "obstacles": 21, "shapes": 160},
    "dominoes --set scheme.duration=0.2": {"shapes": 21, "obstacles": 1},
    "space.yaml": {"shapes": 13, "obstacles": 2},  # one of 14 was removed
    "space.yaml --set scheme.duration=0.01": {"shapes": 13, "obstacles": 2},  # or is not born
    "space.yaml --set scheme.duration=0.1": {"shapes": 14, "obstacles": 2},
}


def test_drawing_of_everything(scree):
    """h5py and matplotlib draw joints, elastic bodies, mechanisms, periodic worlds, bodies that come and go, in their
    units; with as many contact forces as the command exports, and hinges that hold."""
    if not PYTHON or not find_python("h5py, matplotlib", "run files read from outside"):
        return
    scree.write("space.yaml", SPACE)
    for run, wanted in DRAWN.items():
        scree.expect(0, "run", *run.split(), "-q", "-o", "run.h5")
        done = subprocess.run([PYTHON, "-B", str(JUDGE.parent / "draw_run.py"), "run.h5", "-1", "run.png"], text=True,
                              capture_output=True, cwd=scree.path("."), check=False)
        if not check(f"{run} is drawn", done.returncode == 0 and scree.path("run.png").stat().st_size > 5000, done.stderr):
            continue
        drawn = json.loads(done.stdout)
        equal(run, {what: drawn.get(what) for what in wanted}, wanted)
        check(f"{run}: hinges hold", drawn.get("apart", 0) < 1e-9, drawn)
        contacts = scree.rows("run.h5", "contacts")
        last = scree.rows("run.h5", "energy")[-1]["step"]
        acting = sum(1 for row in contacts if row["step"] == last and row["a"] not in ("joint", "system")
                     and any(value != 0 for name, value in row.items() if name.split(" ")[0] in ("pn", "pt", "pt1", "pt2")))
        if "coordinates" not in drawn:
            equal(f"{run}: contact forces", drawn.get("forces", 0), acting)


FLIP = """
import h5py, sys
good = open("good.h5", "rb").read()
for argument in sys.argv[1:]:
    name, byte = argument.split(":")
    with h5py.File("good.h5") as f:
        d = f[name]
        info = None if d.chunks is None else d.id.get_chunk_info(0)
        at = d.id.get_offset() if info is None else info.byte_offset
    at += int(byte) if info is None else min(int(byte), info.size - 1)
    bad = bytearray(good)
    bad[at] ^= 0x10
    open(name.replace("/", "-") + ".h5", "wb").write(bad)
"""

READERS = (["run", "--resume", "{}"], ["export", "{}", "energy"], ["export", "{}", "bodies"], ["export", "{}", "contacts"],
           ["export", "{}", "--to", "vtk"], ["plot", "{}", "energy", "-o", "x.svg"], ["show", "{}", "--html", "x.html"])
# of what each of them does not read, nothing is asked
BLIND = {"q": {"energy", "contacts"}, "contacts": {"energy", "bodies"}, "steps": {"bodies", "contacts", "--to"}}


def test_flipped_bits(scree):
    """One bit of a state, of a table, of the scene: every command that reads it says so and where."""
    if not PYTHON:
        return
    scree.write("space.yaml", SPACE)
    scree.expect(0, "run", "space.yaml", "-q", "-o", "good.h5")
    places = ["q:1000", "v:40", "steps/kinetic:80", "contacts/impulse:50", "frames/step:24", "frames/contacts_digest:300",
              "scene/text:20", "model/bodies:30", "model/laws:3", "digests/digest:4", "end:9"]
    subprocess.run([PYTHON, "-c", FLIP, *places], cwd=scree.path("."), check=True)
    for name in (place.split(":")[0] for place in places):
        run = name.replace("/", "-") + ".h5"
        for reader in READERS:
            words = [word.format(run) for word in reader]
            what = words[2] if words[0] == "export" else "energy" if words[0] == "plot" else words[0]
            if what in BLIND.get(name.split("/")[0].replace("v", "q"), ()):
                continue
            answer = scree(*words)
            check(f"{name}: {' '.join(words)}", answer.status and "damaged" in answer.err, answer)


OPTIONS = """
import h5py, shutil
good = open("good.h5", "rb").read()
def changed(name, change):
    shutil.copy("good.h5", name)
    with h5py.File(name, "r+") as f:
        change(f["options"].attrs)
def without(attributes):
    del attributes["digest"]
def lists(attributes):
    without(attributes)
    attributes["alpha"] = [0.5, 0.5]
changed("other.h5", lambda attributes: attributes.modify("alpha", 0.9))
changed("less.h5", lambda attributes: attributes.__delitem__("theta"))
changed("old.h5", without)
changed("old-bad.h5", lists)
with h5py.File("good.h5") as f:
    stored = {name: f["options"].attrs[name] for name in ("alpha", "duration", "store_every", "approach", "digest")}
for name, value in stored.items():
    at, value = good.find(name.encode() + b"\\0"), value if isinstance(value, bytes) else value.tobytes()
    while at >= 0 and not 0 < good.find(value, at, at + 120):
        at = good.find(name.encode() + b"\\0", at + 1)
    at = good.find(value, at)
    bad = bytearray(good)
    bad[at] ^= 0x01
    bad[at + 8] ^= 0x01 if name == "digest" else 0
    open(f"flip-{name}.h5", "wb").write(bad)
"""


def test_options(scree):
    """What a run was made with has a digest; files of the time before it are read, if they can be."""
    if not PYTHON:
        return
    scree.write("space.yaml", SPACE)
    scree.expect(0, "run", "space.yaml", "-q", "-o", "good.h5", "--set", "scheme.duration=0.1")
    scree.expect(0, "run", "--resume", "good.h5", "-q", "--set", "scheme.duration=0.12")
    equal("a run that was made longer has its digests", judge(scree, "good.h5"), "")
    subprocess.run([PYTHON, "-c", OPTIONS], cwd=scree.path("."), check=True)
    flipped = [f"flip-{name}.h5" for name in ("alpha", "duration", "store_every", "approach", "digest")]
    for run in ("other.h5", "less.h5", "old-bad.h5", *flipped):
        for reader in READERS:
            answer = scree(*[word.format(run) for word in reader])
            check(f"{run}: {' '.join(reader)}", answer.status and "options" in answer.err, answer)
    equal("options without a digest", scree.export_hashes("old.h5"), scree.export_hashes("good.h5"))
    scree.expect(0, "run", "--resume", "old.h5", "-q", "--set", "scheme.duration=0.15")
    scree.expect(0, "run", "--resume", "good.h5", "-q", "--set", "scheme.duration=0.15")
    equal("go on, too", scree.export_hashes("old.h5"), scree.export_hashes("good.h5"))


def test_recover(scree):
    """What stands before a damage is kept, and goes on to what it was."""
    if not PYTHON:
        return
    scree.write("space.yaml", SPACE)
    scree.expect(0, "run", "space.yaml", "-q", "-o", "good.h5")
    hashes = scree.export_hashes("good.h5")
    said = scree.json("recover", "good.h5")
    equal("a whole run is left alone", (said["whole"], said["steps"], said["states"]), (True, 150, 51))
    # 112 coordinates a state, 32 states are whole
    subprocess.run([PYTHON, "-c", FLIP, f"q:{32 * 112 * 8 + 5}", "steps/time:811", "scene/text:9"], cwd=scree.path("."),
                   check=True)
    for run, states, steps in (("q.h5", 32, 93), ("steps-time.h5", 34, 99)):
        scree.expect(2, "run", "--resume", run)
        said = scree.json("recover", run)
        equal(f"{run}: kept", (said["whole"], said["states"], said["steps"]), (False, states, steps))
        check(f"{run}: what it was is beside it", scree.path(f"{run}.damaged").is_file())
        equal(f"{run}: is whole", judge(scree, run), "")
        scree.expect(0, "run", "--resume", run, "-q")
        equal(f"{run}: goes on to what it was", scree.export_hashes(run), hashes)
    before = scree.path("scene-text.h5").read_bytes()
    answer = scree.expect(2, "recover", "scene-text.h5")
    check("a scene that is damaged cannot be", "scene/text" in answer.err, answer)
    check("and is left alone", scree.path("scene-text.h5").read_bytes() == before)
    scree.expect(0, "run", "bouncing-ball", "-q", "-o", "ball.h5")
    ball = scree.path("ball.h5").read_bytes()
    scree.write("cut.h5", ball[:len(ball) // 2])
    scree.expect(2, "export", "cut.h5", "energy")
    scree.expect(0, "recover", "cut.h5")
    scree.expect(0, "run", "--resume", "cut.h5", "-q")
    equal("one that was cut off", scree.export_hashes("cut.h5"), scree.export_hashes("ball.h5"))


HEADS = """
import h5py
good = open("good.h5", "rb").read()
def blank(name, at, size):
    open(name, "wb").write(good[:at] + bytes(size) + good[at + size:])
with h5py.File("good.h5") as f:
    for name in ("contacts", "contacts/gap", "frames", "frames/step", "steps", "steps/time", "q", "end"):
        blank("head-" + name.replace("/", "-") + ".h5", h5py.h5o.get_info(f[name].id).addr, 60)
    heads = [m for m in range(len(good)) if good[m:m + 4] in (b"EAHD", b"EAIB", b"FADB", b"BTHD")]
for k in range(0, len(heads), max(len(heads) // 8, 1)):
    blank(f"head-index{k}.h5", heads[k], 40)
for at in (12, 30, 36, 46):  # the first block, torn between that of the open file and that of the closed one
    other = bytearray(good[:48])
    other[11] ^= 5; other[28] ^= 64; other[45] ^= 3; other[47] ^= 7
    open(f"head-torn{at}.h5", "wb").write(other[:at] + good[at:])
"""


def test_begin_again(scree):
    """Where HDF5's own structure is damaged or the end is missing, a run goes on from what can be read, be it the start."""
    if not PYTHON:
        return
    scree.write("space.yaml", SPACE)
    scree.expect(0, "run", "space.yaml", "-q", "-o", "good.h5", "--set", "scheme.duration=0.1")
    good, hashes = scree.path("good.h5").read_bytes(), scree.export_hashes("good.h5")
    subprocess.run([PYTHON, "-c", HEADS + OPTIONS], cwd=scree.path("."), check=True)
    for part in (30, 40, 60, 90):
        scree.path(f"head-cut{part}.h5").write_bytes(good[:len(good) * part // 100])
        answer = scree.expect(2, "export", f"head-cut{part}.h5", "energy")
        check(f"cut at {part} %: what to do", "scree recover" in answer.err, answer)
    answer = scree.expect(2, "export", "head-torn36.h5", "energy")
    check("a torn head: what to do", "scree recover" in answer.err, answer)
    runs = sorted(path.name for path in scree.path(".").glob("head-*.h5"))
    check("enough of them", len(runs) > 16, runs)
    for run in (*runs, "flip-alpha.h5", "other.h5"):
        answer = scree("recover", run)
        if not check(f"{run} is recovered", answer.status == 0 and "is whole" not in answer.out, answer):
            continue
        scree.expect(0, "run", "--resume", run, "-q")
        equal(f"{run}: goes on to what it was", scree.export_hashes(run), hashes)
    scree.path("short.h5").write_bytes(good[:3000])
    answer = scree.expect(2, "recover", "short.h5")
    check("what cannot be recovered is not sent to recover", "scree recover" not in answer.err, answer)
    check("nothing is left beside it", not list(scree.path(".").glob("*.new")))


def test_longer(scree):
    """A run that goes on longer is the run of that length; nothing else can be changed."""
    scree.write("space.yaml", SPACE)
    scree.expect(0, "run", "space.yaml", "-q", "-o", "whole.h5")
    scree.expect(0, "run", "space.yaml", "-q", "-o", "part.h5", "--set", "scheme.duration=0.1")
    scree.expect(0, "run", "--resume", "part.h5", "-q", "--set", "scheme.duration=0.3")
    equal("the same tables", scree.export_hashes("part.h5"), scree.export_hashes("whole.h5"))
    answer = scree.expect(0, "run", "--resume", "part.h5", "-q")
    check("it knows its new length", "finished" in answer.err, answer)
    answer = scree.expect(2, "run", "--resume", "part.h5", "--set", "scheme.duration=0.2")
    check("not shorter", "not shorter" in answer.err, answer)
    answer = scree.expect(2, "run", "--resume", "part.h5", "--set", "scheme.step=1e-3")
    check("what else is refused, and why", "scheme.step=1e-3" in answer.err and "bit for bit" in answer.err, answer)


SIZES = """
import h5py, sys
f = h5py.File(sys.argv[1])
contacts = f["contacts"]
print(contacts["gap"].shape[0], sum(contacts[name].id.get_storage_size() for name in contacts))
"""


def test_bytes(scree):
    """Contacts take half of the 236 bytes that rows of them had, and what repeats from step to step next to nothing."""
    if not PYTHON:
        return
    for scene, settings, least, most in (("sphere-packing", (), 2000, 236 / 2),
                                         ("sphere-packing", ("--set", "scheme.duration=0.05"), 500, 236 / 2),
                                         ("hopper", ("--set", "scheme.duration=0.5"), 1500, 172 / 2)):
        scree.expect(0, "run", scene, *settings, "-q", "-o", "run.h5")
        done = subprocess.run([PYTHON, "-c", SIZES, "run.h5"], capture_output=True, text=True, cwd=scree.path("."),
                              timeout=60, check=True)
        rows, size = map(int, done.stdout.split())
        check(f"{scene}: bytes of a contact", rows > least and size / rows < most, (rows, size / rows))
    scree.expect(0, "run", "impacting-stick", "--set", "scheme.step=1e-4", "--set", "scheme.duration=2", "-q", "-o", "run.h5")
    size = scree.path("run.h5").stat().st_size / 20000
    check("bytes of a step of a stick that is stored whole", size < 140, size)


WATCH = """
import h5py, sys, time
for _ in range(400):
    try:
        f = h5py.File("long.h5", "r", swmr=True)
        break
    except OSError:
        time.sleep(0.01)
seen = []
while len(seen) < 3:
    n = f["frames/step"].shape[0]
    for name in ("frames/step", "q", "steps/time", "contacts/gap", "frames/first_contact", "frames/contacts"):
        f[name].id.refresh()
    if not seen or n > seen[-1]:
        seen.append(n)
        last = f["frames/step"][n - 1]
        assert f["q"].shape[0] >= n and f["steps/time"].shape[0] > last, (n, f["q"].shape, last)
        assert f["frames/first_contact"][n - 1] + f["frames/contacts"][n - 1] <= f["contacts/gap"].shape[0]
    time.sleep(0.05)
print(len(seen))
"""


def test_read_while_written(scree):
    """h5py and the command see whole states of a run that grows."""
    if not PYTHON:
        return
    scree.write("space.yaml", SPACE)
    with scree.start("run", "space.yaml", "-q", "-o", "long.h5", "--set", "scheme.duration=300",
                     "--set", "output.every=50") as writer:
        try:
            done = subprocess.run([PYTHON, "-c", WATCH], capture_output=True, text=True, cwd=scree.path("."),
                                  timeout=60, check=False)
            check("h5py sees it grow", done.returncode == 0, done.stderr)
            rows = [len(scree.rows("long.h5", "bodies")) for _ in range(2)]
            check("and so does the command", 0 < rows[0] <= rows[1], rows)
        finally:
            writer.terminate()
            writer.communicate()
    equal("what was stopped is whole", judge(scree, "long.h5"), "")


if __name__ == "__main__":
    run_tests(globals())
