# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""scree import: what comes out of files of other programs, what is said to be missing, damaged files."""

import math
import os
import pathlib
import random
import re
import subprocess
import sys

import damage
from harness import SANITIZED, check, equal, run_tests, skip

LONG = bool(os.environ.get("SCREE_LONG"))
SYSTEM = "/usr/bin/python3"
if not damage.h5py and sys.executable != SYSTEM and not subprocess.run(
        [SYSTEM, "-c", "import h5py"], check=False, capture_output=True).returncode:
    os.execv(SYSTEM, [SYSTEM, "-B", *sys.argv])
if damage.h5py:
    from siconos_scene import Scene

NUMBER = r"-?[0-9.]+(?:e[-+]?[0-9]+)?"


def numbers(text):
    """Every number of a text."""
    return [float(x) for x in re.findall(NUMBER, text)]


def body_of(scene, name):
    """The lines of one body."""
    found = re.search(rf'  - name: "{re.escape(name)}"\n(?:    .*\n|      .*\n|       .*\n)*', scene)
    return found.group(0) if found else ""


def key_of(text, key):
    """The numbers that stand behind a key, on its line."""
    found = re.search(rf"\b{key}: (\[[^\]]*\]|[^,}}\n]*)", text)
    return numbers(found.group(1)) if found else None


def close(what, got, expected, tolerance=1e-6):
    """Numbers side by side."""
    fine = got is not None and len(got) == len(expected) and all(
        abs(a - b) <= tolerance * (1 + abs(b)) for a, b in zip(got, expected))
    check(f"{what}: expected {expected}", fine, got)


def bring_in(scree, name, *options, status=0):
    """Import a file; the scene, and what was said."""
    answer = scree.expect(status, "import", name, "-o", "scene.yaml", "--force", *options)
    return (scree.path("scene.yaml").read_text() if status == 0 else ""), answer.err


# ---- Siconos ----


def siconos(test):
    """Tests that write HDF5 files."""
    def wrapped(scree):
        if damage.h5py:
            test(scree)
        else:
            skip(f"{test.__name__}: no h5py")
    wrapped.__name__ = test.__name__
    return wrapped


@siconos
def test_siconos_inertias(scree):
    """What Siconos 4.4.0 was seen to take where no inertia is given; the last contactor by name decides."""
    cube = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    measured = {  # shape, numbers, margins, diagonal of the inertia of 1 kg
        "ball": ("Sphere", [2], {}, [1.6, 1.6, 1.6]),
        "fat": ("Sphere", [2], {"outsideMargin": 0.5}, [2.5, 2.5, 2.5]),
        "box": ("Box", [1, 2, 3], {}, [1.116933, 0.860267, 0.436933]),
        "soft": ("Box", [1, 2, 3], {"insideMargin": 0.2, "outsideMargin": 0.3}, [3.723332, 3.106666, 2.323333]),
        "rod": ("Cylinder", [1, 4], {}, [1.583333, 0.5, 1.583333]),
        "pill": ("Capsule", [1, 6], {}, [2.416667, 0.666667, 2.416667]),
        "hat": ("Cone", [2, 3], {}, [1.750433, 2.996266, 1.750433]),
    }
    with Scene(scree.path("a.hdf5")) as s:
        for place, (name, (kind, size, margins, _)) in enumerate(measured.items()):
            s.primitive(name, kind, size, **margins)
            s.body(name, [name], [20 * place, 0, 9], mass=1)
        s.primitive("third", "Sphere", [0.3])
        s.body("third", ["third"], [-60, 0, 9], mass=1)
        s.convex("hull", cube)
        s.body("hull", ["hull"], [-20, 0, 9], mass=1)
        turned = [math.cos(0.5), 0, 0, math.sin(0.5)]
        s.body("both", [("ball", [0, 0, 2], [1, 0, 0, 0], 0), ("box", [0, 0, 0], turned, 0)], [-40, 0, 9], mass=1)
        s.law("c", mu=0.3, e=0)
    scene, _ = bring_in(scree, "a.hdf5")
    for name, (_, _, _, inertia) in measured.items():
        close(f"inertia of {name}", key_of(body_of(scene, name), "inertia"), inertia)
    close("inertia of a hull", key_of(body_of(scene, "hull"), "inertia"), [0.77769] * 3, 2e-4)
    close("the last contactor decides", key_of(body_of(scene, "both"), "inertia"), measured["box"][3])
    check("capsules are half as long", "length: 3, radius: 1" in body_of(scene, "pill"), body_of(scene, "pill"))
    check("numbers of single precision are as they were meant", "radius: 0.3}" in body_of(scene, "third"), scene)
    scree.expect(0, "check", "scene.yaml")


@siconos
def test_siconos_bodies(scree):
    """Places, turns, velocities, births and deaths, full inertias, a centre of mass, planes of groups."""
    with Scene(scree.path("a.hdf5")) as s:
        s.primitive("ball", "Sphere", [0.5])
        s.primitive("floor", "Box", [10, 10, 1])
        s.height_map("hill", [[0, 0, 0], [1, 2, 3]], [4.0, 6.0])
        s.body("floor", ["floor"], [0, 0, -0.5])
        s.body("hill", ["hill"], [100, 0, 0])
        s.body("any", ["ball"], [3, 0, 1], mass=2, orientation=[0, 0, 0, 2], velocity=[1, 2, 3, 4, 5, 6],
               inertia=[[2, 0.1, 0], [0.1, 2, 0], [0, 0, 1]], center_of_mass=[0, 0, 0.25], time_of_birth=0.1,
               time_of_death=0.3)
        s.body("ghost", ["ball"], [0, 0, 3], mass=1, group=7)
        s.law("c", mu=0.3, e=0.5)
    scene, said = bring_in(scree, "a.hdf5", "--step", "1e-2", "--duration", "1")
    moved = body_of(scene, "any_2")
    check("a word that scenes keep is no name", 'body "any" is called "any_2"' in said, said)
    close("orientation", key_of(moved, "orientation"), [0, 0, 0, 1])
    close("velocity", key_of(moved, "velocity"), [1, 2, 3])
    close("spin, in the axes of the body there, of the world here", key_of(moved, "spin"), [-4, -5, 6])
    close("inertia", key_of(moved, "inertia"), [2, 0.1, 0, 2, 0, 1])
    close("shapes are about the centre of mass", key_of(moved, "at"), [0, 0, -0.25])
    close("born", key_of(moved, "born"), [0.1])
    close("removed", key_of(moved, "removed"), [0.3])
    check("rows of heights go along y", "heights: [[0, 1], [0, 2], [0, 3]]" in scene, body_of(scene, "hill"))
    close("gravity is Siconos' own", key_of(scene, "gravity"), [0, 0, -9.80665])
    scree.expect(0, "run", "scene.yaml", "--quiet", "-o", "a.h5")
    rows = [row for row in scree.rows("a.h5", "bodies") if row["body"] == "ghost"]
    fallen = 9.80665 * float(rows[-1]["time"]) ** 2 / 2
    close("groups without a law pass through each other", [float(rows[-1]["z"])], [3 - fallen], 1e-6)


@siconos
def test_siconos_groups_in_one_body(scree):
    """A floor of two groups, a body of three: each contactor has its law; x = v t - mu g t^2/2 while it slides."""
    whole = [1, 0, 0, 0]
    with Scene(scree.path("a.hdf5")) as s:
        s.primitive("slab", "Box", [10, 10, 1])
        s.primitive("brick", "Box", [0.4, 0.4, 0.1])
        s.primitive("ball", "Sphere", [0.2])
        s.body("floor", [("slab", [0, -5, -0.5], whole, 1), ("slab", [0, 5, -0.5], whole, 2)], [0, 0, 0])
        for side, name in ((-5, "smooth"), (5, "rough")):
            s.body(name, ["brick"], [0, side, 0.05], mass=1, inertia=[0.01] * 3, velocity=[2, 0, 0, 0, 0, 0])
        # along its way, so that it does not roll; the third ball has no law and is inside of the floor
        balls = [("ball", [x, 0, 0], whole, group) for x, group in ((-0.5, 3), (0.5, 4))]
        s.body("bar", [*balls, ("ball", [0, 0, -0.3], whole, 5)], [-3, 8, 0.2], mass=3, inertia=[0.1, 0.6, 0.6],
               velocity=[2, 0, 0, 0, 0, 0])
        for name, mu, groups in (("a", 0.1, (0, 1)), ("b", 0.6, (0, 2)), ("c", 0.3, (3, 2)), ("d", 0.3, (2, 4))):
            s.law(name, mu=mu, e=0, groups=groups)
        s.law("strange", "OtherNSL", mu=0, e=0, groups=(1, 3))
    scene, said = bring_in(scree, "a.hdf5", "--step", "1e-3", "--duration", "0.3")
    check("bodies of several groups are said", '"floor"' in said and '"bar" has contactors of several groups: it is 3 bodies that are '
          "welded together" in said, said)
    check("a law that is not known is said", '"strange" of the kind OtherNSL' in said, said)
    close("a third of its mass each", key_of(body_of(scene, "bar group 4"), "mass"), [1])
    check("parts do not touch", '["bar group 4", "bar group 5"], contact: false' in scene, scene)
    scree.expect(0, "run", "scene.yaml", "--quiet", "-o", "a.h5")
    last = {row["body"]: float(row["x"]) for row in scree.rows("a.h5", "bodies") if float(row["time"]) > 0.2999}
    for name, mu, start in (("smooth", 0.1, 0), ("rough", 0.6, 0), ("bar", 0.3, -3)):
        close(f"way of {name}", [last[name]], [start + 2 * 0.3 - mu * 9.80665 * 0.3 ** 2 / 2], 3e-4)


@siconos
def test_siconos_rests_where_nothing_bounces(scree):
    """A brick without restitution that falls flat stays down, in whatever phase of a step it lands."""
    for height in range(5):
        with Scene(scree.path("a.hdf5")) as s:
            s.primitive("slab", "Box", [10, 10, 1])
            s.primitive("brick", "Box", [0.4, 0.4, 0.4])
            s.body("floor", ["slab"], [0, 0, -0.5])
            s.body("brick", ["brick"], [0, 0, 0.6 + 0.01 * height], mass=1)
            s.law("c", mu=0.5, e=0)
        bring_in(scree, "a.hdf5", "--step", "2e-3", "--duration", "0.6")
        scree.expect(0, "run", "scene.yaml", "--quiet", "-o", "a.h5")
        late = [float(r["z"]) for r in scree.rows("a.h5", "bodies") if r["body"] == "brick" and float(r["time"]) > 0.32]
        check(f"from {0.6 + 0.01 * height} m: it does not bounce", max(late) < 0.2001, max(late))


@siconos
def test_siconos_plane(scree):
    """Discs, boxes and hulls in the plane; gravity, step and duration as the answers tell them."""
    def fall(time):
        turn = [math.cos(0.25 * time), 0, 0, math.sin(0.25 * time)]
        return [(1, [0, 5 - 2 * time * time, 0], turn, [0, -4 * time, 0], [0, 0, 0.5])]

    with Scene(scree.path("a.hdf5"), dimension=2) as s:
        s.primitive("disk", "Disk", [2])
        s.primitive("box", "Box2d", [20, 1])
        s.convex("tile", [[-1, -1], [1, -1], [1, 1], [-1, 1]])
        s.body("disk", ["disk"], [0, 5], mass=1.5, inertia=2.0, velocity=[0, 0, 0.5])
        s.body("floor", ["box"], [0, -0.5], orientation=[0.1])
        s.body("tile", [("tile", [5, 0, 0], [math.cos(0.1), 0, 0, math.sin(0.1)], 0)], [0, 8], mass=1, inertia=3.0,
               time_of_birth=0.5)
        s.law("c", "NewtonImpactRollingFrictionNSL", mu=0.1, mu_r=0.2, e=0.5)
        s.answers([0, 0.001, 0.01, 0.02, 0.03], fall)
    scene, said = bring_in(scree, "a.hdf5")
    check("in the plane", "space: 3" not in scene, scene)
    close("gravity is what is seen", key_of(scene, "gravity"), [0, -4])
    close("the first step is one step", key_of(scene, "step"), [0.001])
    close("duration", key_of(scene, "duration"), [0.03])
    close("angle of a body", key_of(body_of(scene, "floor"), "angle"), [0.1])
    close("angle of a shape", key_of(body_of(scene, "tile").split("shapes:")[1], "angle"), [0.2])
    check("rolling is not for the plane, and that is said", "rolling" in said and "rolling" not in scene.split("title")[1],
          said)
    scree.expect(0, "run", "scene.yaml", "--quiet", "--no-store")


@siconos
def test_siconos_joints(scree):
    """Kinds, frames, stops, dry friction, couplings; what no joint of ours does is said."""
    with Scene(scree.path("a.hdf5")) as s:
        s.primitive("ball", "Sphere", [0.1])
        s.law("stop", "NewtonImpactNSL", (-1, -1), e=0.25)
        s.law("relay", "RelayNSL", (-1, -1), lb=-0.4, ub=0.4, size=1)
        half = [math.sqrt(0.5), math.sqrt(0.5), 0, 0]  # y becomes z
        for place, name in enumerate("abcdefg"):
            s.body(name, ["ball"], [place, 0, 1], mass=1, inertia=[0.1, 0.1, 0.1], orientation=half)
        s.joint("hinge", "PivotJointR", "a", points=[[0, 2, 0]], axes=[[0, 1, 0]], absolute=False,
                stops=[[0, -0.5, 1], [0, 0.25, -1]], nslaws="stop")
        s.joint("slider", "PrismaticJointR", "b", axes=[[1, 0, 0]], points=[], friction="relay")
        s.joint("ball", "KneeJointR", "c", "a", points=[[2, 0, 1]], axes=[], allow_self_collide=True)
        s.joint("weld", "FixedJointR", "d", points=[], axes=[])
        s.joint("screw", "CylindricalJointR", "e", points=[[4, 0, 1]], axes=[[0, 0, 2]], coupled=[[0, 1, 4.0]])
        s.joint("odd", "GearJointR", "f", points=[], axes=[])
        s.condition("rail", "FixedBC", "g", [0, 1, 3, 4, 5])
    scene, said = bring_in(scree, "a.hdf5", "--step", "1e-3", "--duration", "0.1")
    line = {name: next((x for x in scene.split("joints:")[-1].splitlines() if f'name: "{name}"' in x), "")
            for name in ("hinge", "slider", "ball", "weld", "screw", "g")}
    close("a point in the body's frame", key_of(line["hinge"], "at"), [0, 0, 3])
    close("an axis in the body's frame", key_of(line["hinge"], "axis"), [0, 0, 1])
    close("a stop from above", key_of(line["hinge"], "upper"), [0.5])
    close("a stop from below", key_of(line["hinge"], "lower"), [-0.25])
    close("restitution of stops", key_of(line["hinge"], "restitution"), [0.25])
    close("half the relay over the step", key_of(line["slider"], "dry_friction"), [200])
    check("a knee is a ball", "type: ball" in line["ball"] and "collide: true" in line["ball"], line["ball"])
    check("a fixed joint is a weld", "type: weld" in line["weld"], line["weld"])
    close("a coupled cylindrical joint is a screw", key_of(line["screw"], "pitch"), [math.pi / 2])
    check("a body held but for one way slides", "type: slider" in line["g"], line["g"])
    check("what is unknown is said", "GearJointR" in said, said)
    check("and stands at the head of the scene", "GearJointR" in scene, scene)
    scree.expect(0, "run", "scene.yaml", "--quiet", "--no-store")


@siconos
def test_siconos_driven(scree):
    """A harmonic velocity of all coordinates is a motion: x = b/omega (sin(omega t + phi) - sin(phi))."""
    with Scene(scree.path("a.hdf5")) as s:
        s.primitive("table", "Box", [1, 1, 0.1])
        s.body("table", ["table"], [0, 0, 0], mass=1, inertia=[1, 1, 1])
        s.body("half", ["table"], [9, 0, 0], mass=1, inertia=[1, 1, 1])
        s.body("loose", [], [20, 0, 0], mass=1, inertia=[1, 1, 1])
        s.condition("shake", "HarmonicBC", "table", [0, 1, 2, 3, 4, 5], a=[0] * 6, b=[2, 0, 0, 0, 0, 0],
                    omega=[3.0] * 6, phi=[0.5] * 6)
        s.condition("some", "HarmonicBC", "half", [0], a=[1.0], b=[0], omega=[1.0], phi=[0])
    _, said = bring_in(scree, "a.hdf5", "--step", "1e-2", "--duration", "1")
    check("a body that is moved in one direction alone is not carried over", 'body "half"' in said, said)
    scree.expect(0, "run", "scene.yaml", "--quiet", "-o", "a.h5")
    rows = [row for row in scree.rows("a.h5", "bodies") if row["body"] == "table"]
    close("where it is", [float(rows[-1]["x"])], [2 / 3 * (math.sin(3.5) - math.sin(0.5))], 1e-9)


@siconos
def test_siconos_damaged(scree):
    """Damage after damage: a sentence or a scene that can be checked, never a crash."""
    with Scene(scree.path("a.hdf5")) as s:
        s.primitive("ball", "Sphere", [0.5])
        s.convex("hull", [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
        s.body("ball", ["ball"], [0, 0, 1], mass=1)
        s.body("hull", ["hull"], [0, 0, 4], mass=1)
        s.law("c", mu=0.3, e=0)
        s.joint("j", "PivotJointR", "ball", points=[[0, 0, 2]], axes=[[0, 1, 0]], stops=[[0, 1.0, 1]], nslaws="c")
        s.answers([0, 0.01, 0.02], lambda t: [(1, [0, 0, 1], [1, 0, 0, 0], [0, 0, -9.8 * t], [0, 0, 0])])
    whole = scree.path("a.hdf5").read_bytes()
    for number in range(3000 if LONG else 100 if SANITIZED else 20):
        data, way = damage.damage(whole, number)
        scree.path("b.hdf5").write_bytes(data)
        answer = scree("import", "b.hdf5", "-o", "b.yaml", "--force", timeout=30)
        check(f"damage {number} ({way}): status 0, 1 or 2", answer.status in (0, 1, 2), answer)
        check(f"damage {number} ({way}): an error is told", answer.status == 0 or "error" in answer.err, answer)


@siconos
def test_siconos_hostile(scree):
    """Sizes without bytes, links out of the file, names that are no text, numbers that are none."""
    path = scree.path("a.hdf5")
    with Scene(path) as s:
        s.primitive("ball", "Sphere", [0.5])
        s.body('b"a\\d\n', ["ball"], [0, 0, 1], mass=1)
        s.body("gone", ["nowhere"], [9, 0, 1], mass=1, inertia=[1, 1, 1])
        s.body("nan", ["ball"], [math.nan, 0, 5], mass=math.inf)
        shapes = s.data["ref"]
        huge = shapes.create_dataset("huge", (2000000000, 3), dtype="f8", chunks=(1000, 3))
        huge.attrs["type"] = "convex"
        s.body("huge", ["huge"], [0, 0, 30], mass=1, inertia=[1, 1, 1])
        shapes["elsewhere"] = damage.h5py.ExternalLink("/etc/passwd", "/x")
        s.body("elsewhere", ["elsewhere"], [0, 0, 40], mass=1, inertia=[1, 1, 1])
        s.law("c", mu=0.3, e=0)
    scene, said = bring_in(scree, "a.hdf5")
    check("a shape that is not stored is said", '"huge"' in said, said)
    check("a link out of the file is not followed", '"elsewhere"' in said, said)
    check("names are quoted", r'name: "b\"a\\d?"' in scene, scene)
    path.write_bytes(b"no HDF5 at all")
    check("what is no HDF5 file is told", "HDF5" in bring_in(scree, "a.hdf5", status=2)[1])
    with damage.h5py.File(path, "w") as file:
        file["x"] = 1
    check("what is no scene is told", "data/input" in bring_in(scree, "a.hdf5", status=2)[1])
    equal("a file that is not there", scree("import", "no.hdf5").status, 2)


# ---- OBJ, CSV, MJCF, URDF ----

HERE = pathlib.Path(__file__).resolve().parent / "import"


def copy(scree, name):
    """One of the files beside this one."""
    scree.path(name).write_bytes((HERE / name).read_bytes())
    return name


def joint_of(scene, name):
    """The line of a joint, spring or motor."""
    return [line for line in scene.splitlines() if f'{{name: "{name}"' in line]


def test_obj(scree):
    """A body per object, about the middle of its box; what is not convex is said, and so is what is no face."""
    scene, said = bring_in(scree, copy(scree, "wall.obj"), "--density", "2000", "--fixed", "sl*", "--friction", "0.6")
    close("place", key_of(body_of(scene, "stone"), "position"), [0.5, 0.5, 0.25])
    close("density", key_of(body_of(scene, "stone"), "density"), [2000])
    check("fixed by name", "fixed: true" in body_of(scene, "slab") and "fixed" not in body_of(scene, "stone"), scene)
    check("nothing to be said of convex stones", "convex" not in said, said)
    summary = scree.json("run", "scene.yaml", "--no-store")
    close("the stone weighs what it should", [summary["ledger"]["energy_start"]], [2000 * 0.5 * 9.81 * 0.25], 1e-9)
    scree.write("dent.obj", "o dent\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.2 0.2 0.2\n"
                            "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\nf 3 4 5\nf 4 2 5\n")
    check("a dent is said", "not convex" in bring_in(scree, "dent.obj")[1])
    scree.write("bad.obj", "o a\nv 0 0 0\nv 1 0 0\nf 1 2 9\n")
    check("a vertex that is not there has a place", "bad.obj:4:7: error" in bring_in(scree, "bad.obj", status=2)[1])
    scree.write("none.obj", "v 0 0 0\n")
    check("no body at all is told", "no body" in bring_in(scree, "none.obj", status=2)[1])


def test_csv(scree):
    """Columns by name, separators, quotes, units in heads; places of mistakes."""
    scene, said = bring_in(scree, copy(scree, "bodies.csv"))
    check("unknown columns are said", '"colour"' in said, said)
    check("a polygon", "vertices: [[0, 0], [1, 0], [0.5, 1]]" in body_of(scene, "tri"), scene)
    close("velocity", key_of(body_of(scene, "ball"), "velocity"), [0.5, 0])
    scree.expect(0, "run", "scene.yaml", "--quiet", "--no-store")
    scree.write("s.csv", "body;x;y;z;radius;mass;inertia;omegax;group\n\"a;b\";0;0;1;0.1;2;0.01;3;g\n;5;0;1;0.1;;;;\n")
    scene, _ = bring_in(scree, "s.csv", "--density", "7")
    close("in space", key_of(body_of(scene, "a;b"), "spin"), [3, 0, 0])
    close("density by option", key_of(body_of(scene, "body-2"), "density"), [7])
    for text, place in (("x,y,radius\n1,2,big\n", ":2:"), ("x,radius\n1,2\n", "x and y"), ("x,y\n1,2\n", "radius"),
                        ("x,y,x\n", "twice"), ("x,y,shape\n1,2,egg\n", "egg"), ("x,y,radius\n1,2,3,4\n", "more cells")):
        scree.write("bad.csv", text)
        check(f"{text!r} is refused with its place", place in bring_in(scree, "bad.csv", status=2)[1])
    scree.write("t.csv", "x,y,radis,radius\n0,0,1,1\n")
    check("a typing slip is guessed", '"radius" meant' in bring_in(scree, "t.csv")[1])


def test_csv_of_our_own(scree):
    """The table of a run is read back: bodies where they were."""
    scree.expect(0, "run", "bouncing-ball", "--quiet", "-o", "a.h5", "--set", "scheme.duration=0.1")
    scree.write("a.csv", scree.expect(0, "export", "a.h5", "bodies").out.splitlines()[0] + ",radius\n" +
                scree.expect(0, "export", "a.h5", "bodies").out.splitlines()[-1] + ",0.1\n")
    scene, said = bring_in(scree, "a.csv")
    close("height", key_of(body_of(scene, "ball"), "position"), [0, 1.1 - 9.81 * 0.01 / 2], 1e-9)
    check("steps and times are none of it", '"step"' in said and '"time"' in said, said)


def test_mjcf(scree):
    """Defaults by class, degrees, masses of geoms, joints and their springs, what is left out."""
    scene, said = bring_in(scree, copy(scree, "arm.xml"))
    rod, caps, r, l = math.pi * 0.05 ** 2 * 500, 4 / 3 * math.pi * 0.05 ** 3 * 500, 0.05, 1.0
    across = rod * (3 * r * r + l * l) / 12 + caps * (0.4 * r * r + l * l / 4 + 3 * l * r / 8)
    upper, lower = body_of(scene, "upper"), body_of(scene, "lower")
    close("mass of a capsule by the density of its class", key_of(upper, "mass"), [rod + caps])
    check("its inertia", abs(key_of(upper, "inertia")[3] - across) < 1e-9, upper)
    close("a body without a joint is part of another", key_of(lower, "mass"), [2 + 4 / 3 * math.pi * 0.1 ** 3 * 500])
    close("degrees", key_of(lower, "orientation"), [math.cos(math.pi / 12), 0, math.sin(math.pi / 12), 0])
    close("limits", key_of(joint_of(scene, "shoulder")[0], "upper"), [math.pi / 2])
    check("damping is a damper", any("damping: 0.1" in x for x in joint_of(scene, "shoulder")), scene)
    close("a spring at rest", key_of(joint_of(scene, "elbow")[1], "length"), [math.pi / 18])
    check("a position actuator is a motor", "stiffness: 5" in joint_of(scene, "hold")[0], scene)
    check("two slides and a hinge are planar", "type: planar" in scene, scene)
    check("exclusions", '["ball", "box"], contact: false' in scene, scene)
    check("sensors are left out, and that is said", "<sensor>" in said, said)
    close("step", key_of(scene, "step"), [0.002])
    scree.expect(0, "run", "scene.yaml", "--quiet", "--no-store")
    for text, what in (("<mujoco><worldbody></mujoco>", "</mujoco>"), ("<!DOCTYPE x><mujoco/>", "document types"),
                       ("<mujoco/>", "worldbody"), ("<mujoco><worldbody/></mujoco>", "no body"),
                       ("<mujoco a=1/>", "quotes")):
        scree.write("bad.xml", text)
        check(f"{text} is refused", what in bring_in(scree, "bad.xml", "--format", "mjcf", status=2)[1])


def test_urdf(scree):
    """Frames from link to link, inertias turned, mimics, massless links; the energy at the start by hand."""
    scene, said = bring_in(scree, copy(scree, "arm.urdf"))
    close("the centre of mass", key_of(body_of(scene, "one"), "position"), [0, 0, 0.3])
    x, z = 0.2 * math.cos(0.5), 0.55 - 0.2 * math.sin(0.5)
    close("of a link that is turned", key_of(body_of(scene, "two"), "position"), [x, 0, z])
    check("a pad without mass is part of its arm", "sphere" in body_of(scene, "two") and "pad" not in scene.split("bodies:")[1],
          scene)
    close("limits", key_of(joint_of(scene, "j1")[0], "upper"), [1.5])
    close("dry friction", key_of(joint_of(scene, "j1")[0], "dry_friction"), [0.05])
    close("a mimic is a coupler", key_of(joint_of(scene, "j2 follows j1")[0], "ratio"), [-2])
    check("the root is said to be fixed", '"base"' in said, said)
    summary = scree.json("run", "scene.yaml", "--no-store")
    close("energy at the start", [summary["ledger"]["energy_start"]], [9.81 * (0.3 + 0.5 * z)], 1e-9)
    scree.write("bad.urdf", '<robot><link name="a"/><joint name="j"><parent link="a"/><child link="b"/></joint></robot>')
    check("a link that is not there", "no link" in bring_in(scree, "bad.urdf", status=2)[1])
    scree.write("loop.urdf", '<robot><link name="a"/><link name="b"/><joint name="j" type="fixed"><parent link="a"/>'
                '<child link="b"/></joint><joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint></robot>')
    check("a loop", "itself" in bring_in(scree, "loop.urdf", status=2)[1])


def test_damaged_text(scree):
    """Bytes changed, cut and doubled: a sentence or a scene, never a crash."""
    dice = random.Random(7)
    for number in range(2000 if LONG else 100 if SANITIZED else 20):
        name = ("wall.obj", "bodies.csv", "arm.xml", "arm.urdf")[number % 4]
        data = bytearray((HERE / name).read_bytes())
        for _ in range(dice.choice((1, 2, 8))):
            at = dice.randrange(len(data))
            how = dice.randrange(4)
            if how == 0:
                data[at] = dice.randrange(256)
            elif how == 1:
                del data[at:at + dice.randrange(1, 30)]
            elif how == 2:
                data[at:at] = data[at:at + 40]
            else:
                data[at:at] = dice.choice((b"1e400", b"nan", b"-", b"<", b'"', b"\x00", b"99999999999", b"/>"))
            if not data:
                data = bytearray(b" ")
        scree.path(f"b-{name}").write_bytes(data)
        answer = scree("import", f"b-{name}", "-o", "b.yaml", "--force", timeout=30)
        check(f"damage {number} of {name}: status 0, 1 or 2", answer.status in (0, 1, 2), answer)
        check(f"damage {number} of {name}: an error is told", answer.status == 0 or "error" in answer.err, answer)


if __name__ == "__main__":
    run_tests(globals())
