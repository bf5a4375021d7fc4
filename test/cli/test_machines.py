# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Machines as a newcomer writes them, at the defaults of the scheme, against closed forms."""

import json
import math

from harness import check, run_tests

DOWN = [0, -9.81]


def body(name, mass, inertia, *position, **more):
    """A rigid body."""
    return {"name": name, "mass": mass, "inertia": inertia, "position": list(position), **more}


def joint(name, kind, bodies, at, axis=None, **more):
    """A joint at a point."""
    made = {"name": name, "type": kind, "bodies": bodies.split(), "at": at, **more}
    return made if axis is None else {**made, "axis": axis}


def moves(scree, name, scene, step=1e-3, duration=2):
    """Run a scene that must be good; the rows of each body."""
    scree.write("scene.yaml", json.dumps({**scene, "scheme": {"step": step, "duration": duration}}))
    found = scree.json("run", "scene.yaml", "-o", "run.h5")
    check(f"{name}: good, and certified", found["verdict"] == "good" and found["theorem"]["holds"], found)
    rows = {}
    for row in scree.rows("run.h5", "bodies"):
        rows.setdefault(row["body"], []).append(row)
    return rows


def near(what, values, exact, tolerance):
    """All of them."""
    off = max(abs(x - y) for x, y in zip(values, exact))
    check(what, off <= tolerance, off)


def test_press(scree):
    """A crank with a limited motor drives a ram against a load that only acts downwards."""
    r, l = 0.1, 0.4
    low = -math.sqrt(l * l - r * r)
    rows = moves(scree, "press", {
        "gravity": DOWN,
        "bodies": [body("crank", 5, 0.1, 0, 0), body("rod", 2, 0.03, r / 2, low / 2), body("ram", 10, 0.1, 0, low)],
        "joints": [joint("main", "hinge", "crank", [0, 0]), joint("pin", "hinge", "rod crank", [r, 0]),
                   joint("wrist", "hinge", "rod ram", [0, low]), joint("guide", "slider", "ram", [0, low], [0, 1])],
        "motors": [{"name": "drive", "joint": "main", "velocity": 10, "limit": 200}],
        "forces": [{"bodies": ["ram"], "force": ["0", "500*max(0, sgn(-y'))"]}]})
    turn = [row["angle"] for row in rows["crank"]]
    near("press: the ram is where the crank puts it", [row["y"] for row in rows["ram"]],
         [r * math.sin(a) - math.sqrt(l * l - (r * math.cos(a)) ** 2) for a in turn], 1e-12)
    check("press: the motor is never too fast", max(row["omega"] for row in rows["crank"]) < 10 + 1e-9)


def test_scissor_lift(scree):
    """Two stages, a table of 50 kg, driven at the foot."""
    c, s = math.cos(0.3), math.sin(0.3)
    bodies, joints = [], []
    for k in range(2):
        middle = [c / 2, (k + 0.5) * s]
        bodies += [body(f"up{k}", 4, 1 / 3, *middle, angle=0.3), body(f"down{k}", 4, 1 / 3, *middle, angle=-0.3)]
        joints.append(joint(f"middle{k}", "hinge", f"up{k} down{k}", middle))
    bodies += [body("table", 50, 5, c / 2, 2 * s), body("shoe", 1, 0.01, c, 0)]
    joints += [joint("foot", "hinge", "up0", [0, 0]), joint("left", "hinge", "down0 up1", [0, s]),
               joint("right", "hinge", "up0 down1", [c, s]), joint("held", "hinge", "down1 table", [0, 2 * s]),
               joint("runs", "point-on-line", "up1 table", [c, 2 * s], [1, 0]),
               joint("base", "slider", "shoe", [c, 0], [1, 0]), joint("pin", "hinge", "down0 shoe", [c, 0])]
    rows = moves(scree, "scissor lift", {"gravity": DOWN, "bodies": bodies, "joints": joints,
                                         "motors": [{"name": "screw", "joint": "base", "velocity": "-0.2"}]})
    near("scissor lift: as high as the foot says", [row["y"] for row in rows["table"]],
         [2 * math.sqrt(1 - row["x"] ** 2) for row in rows["shoe"]], 1e-12)


def test_cam(scree):
    """An eccentric disc lifts a flat follower, which a spring keeps on it."""
    e, r = 0.03, 0.1
    rows = moves(scree, "cam", {
        "gravity": DOWN,
        "bodies": [body("cam", 1, 0.01, e, 0, shapes=[{"type": "disc", "radius": r}]),
                   body("follower", 0.5, 0.01, 0, r + 0.05, shapes=[{"type": "box", "size": [0.3, 0.1]}])],
        "joints": [joint("shaft", "hinge", "cam", [0, 0]), joint("guide", "slider", "follower", [0, r + 0.05], [0, 1])],
        "springs": [{"name": "valve", "joint": "guide", "stiffness": 2000, "preload": 100}],
        "motors": [{"name": "motor", "joint": "shaft", "velocity": 20}], "laws": [{"friction": 0.1}]})
    near("cam: lift", [row["y"] for row in rows["follower"]],
         [e * math.sin(row["angle"]) + r + 0.05 for row in rows["cam"]], 1e-9)


def test_clutch_and_differential(scree):
    """Two wheels come to one speed by dry friction; gears share the torque by inertia."""
    rows = moves(scree, "clutch", {
        "bodies": [body("a", 1, 2, 0, 0, spin=10), body("b", 1, 3, 0, 0)],
        "joints": [joint("shaft", "hinge", "a", [0, 0]), joint("clutch", "hinge", "b a", [0, 0], dry_friction=4)]}, duration=5)
    even = next(a["time"] for a, b in zip(rows["a"], rows["b"]) if abs(a["omega"] - b["omega"]) < 1e-9)
    near("clutch: when, and how fast then", [even, rows["a"][-1]["omega"]], [3, 4], 1e-9)
    rows = moves(scree, "differential", {
        "bodies": [body("carrier", 1, 1, 0, 0), body("planet", 1, 0.1, 1, 0), body("left", 1, 2, 0, 0),
                   body("right", 1, 3, 0, 0)],
        "joints": [joint("c", "hinge", "carrier", [0, 0]), joint("p", "hinge", "planet carrier", [1, 0]),
                   joint("l", "hinge", "left carrier", [0, 0]), joint("r", "hinge", "right carrier", [0, 0]),
                   {"name": "gl", "type": "gear", "joints": ["p", "l"], "ratio": 1},
                   {"name": "gr", "type": "gear", "joints": ["p", "r"], "ratio": -1}],
        "motors": [{"name": "motor", "joint": "c", "force": 12}]})
    w = 24 / (7.1 - 1.1 ** 2 / 5.1)
    s = -1.1 / 5.1 * w
    near("differential: speeds", [rows[name][-1]["omega"] for name in ("carrier", "left", "right")],
         [w, w - s, w + s], 1e-4)


def test_ball_screw(scree):
    """A torque on the screw moves the nut; a turn by Cayley's map is 2 atan(h w/2) a step."""
    inertia, mass, k = 1e-3, 10, 2 * math.pi / 0.01
    rows = moves(scree, "ball screw", {
        "space": 3, "gravity": [0, 0, 0],
        "bodies": [body("screw", 2, [inertia, 1e-2, 1e-2], 0, 0, 0), body("nut", mass, [0.05] * 3, 0.2, 0, 0)],
        "joints": [joint("bearing", "hinge", "screw", [0, 0, 0], [1, 0, 0]),
                   joint("thread", "screw", "nut screw", [0.2, 0, 0], [1, 0, 0], pitch=0.01),
                   joint("rail", "slider", "nut", [0.2, 0, 0], [1, 0, 0])],
        "motors": [{"name": "motor", "joint": "bearing", "force": 1}]}, step=1e-4, duration=0.5)
    way = 0.125 / (inertia * k + mass / k)
    near("ball screw: way of the nut", [rows["nut"][-1]["x"]], [0.2 - way], 1e-3 * way)


def bennett(a, b, twist):
    """Points and axes of Bennett's linkage, whose sides and twists are alike in pairs."""
    other = math.asin(b * math.sin(twist) / a)
    first = 1.0
    second = 2 * math.atan(math.sin((other + twist) / 2) / math.sin((other - twist) / 2) / math.tan(first / 2))
    at, frame, points, axes = [0, 0, 0], [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [], []
    for turn, side, bend in ((first, a, twist), (second, b, other), (-first, a, twist), (-second, b, other)):
        x, y, z = frame
        points.append(at)
        axes.append(z)
        along = [math.cos(turn) * p + math.sin(turn) * q for p, q in zip(x, y)]
        across = [-math.sin(turn) * p + math.cos(turn) * q for p, q in zip(x, y)]
        at = [p + side * q for p, q in zip(at, along)]
        frame = [along, [math.cos(bend) * p + math.sin(bend) * q for p, q in zip(across, z)],
                 [-math.sin(bend) * p + math.cos(bend) * q for p, q in zip(across, z)]]
    check("Bennett's linkage closes", max(abs(x) for x in at) < 1e-12, at)
    return points, axes


def test_loop_in_space(scree):
    """Bennett's linkage has three equations too many, and moves all the same, without loss."""
    points, axes = bennett(1, 0.6, 0.9)
    middle = [[(p + q) / 2 for p, q in zip(points[k], points[k + 1])] for k in range(3)]
    moves(scree, "Bennett", {
        "space": 3, "gravity": [0, 0, -9.81],
        "bodies": [body(f"l{k}", 1, [0.1, 0.12, 0.11], *middle[k]) for k in range(3)],
        "joints": [joint(f"j{k}", "hinge", names, points[k], axes[k])
                   for k, names in enumerate(("l0", "l1 l0", "l2 l1", "l2"))]})
    told = scree.expect(0, "check", "scene.yaml").out
    check("Bennett: what is redundant is said", "3 equation(s) of joints follow from others" in told, told)
    ledger = scree.rows("run.h5", "energy")
    total = [row["kinetic"] + row["potential"] for row in ledger]
    check("Bennett: it moves", max(row["kinetic"] for row in ledger) > 1)
    check("Bennett: energy", max(total) - min(total) < 1e-8, (min(total), max(total)))


def test_door_on_three_hinges(scree):
    """Three hinges share its weight, and their forces sum to mass times acceleration."""
    moves(scree, "door", {
        "space": 3, "gravity": [0, 0, -9.81], "bodies": [body("door", 30, [12, 2, 10], 0.5, 0, 1)],
        "joints": [joint(f"h{k}", "hinge", "door", [0, 0, z], [0, 0, 1]) for k, z in enumerate((0.2, 1, 1.8))],
        "motors": [{"name": "push", "joint": "h0", "force": 5}]}, duration=1)
    rows = scree.rows("run.h5", "joints")[-3:]
    near("door: weight", [row["reaction_z"] for row in rows], [98.1] * 3, 1e-6)
    rate = 5 / 17.5
    a, w = rate / 2, rate  # at the end
    x = -30 * 0.5 * (w * w * math.cos(a) + rate * math.sin(a))
    near("door: sum across", [sum(row["reaction_x"] for row in rows)], [x], 1e-2)


def test_loop_that_cannot_close(scree):
    """Two bars that are too short: refused at the joint, with those that it contradicts."""
    scree.write("short.yaml", """\
bodies:
  - {name: a, mass: 1, inertia: 1, position: [0.5, 0]}
  - {name: b, mass: 1, inertia: 1, position: [1.5, 0]}
joints:
  - {name: o, type: hinge, bodies: [a], at: [0, 0]}
  - {name: ab, type: hinge, bodies: [b, a], at: [1, 0]}
  - {name: end, type: hinge, bodies: [b], at: [2, 0], to: [2.03, 0]}
scheme: {step: 1e-3, duration: 1}
""")
    told = scree.expect(2, "check", "short.yaml").err
    check("at its place, with the others",
          "short.yaml:7:" in told and "cannot close" in told and '"o"' in told and '"ab"' in told, told)


def test_arm_with_controllers(scree):
    """An arm by PID controllers lifts a box between two fingers, which neither sink in nor let it slip."""
    box = {"type": "box", "size": [0.02, 0.12]}
    rows = moves(scree, "arm", {
        "gravity": DOWN,
        "bodies": [body("upper", 4, 0.1, 0.25, 1), body("fore", 3, 0.08, 0.5, 0.75), body("hand", 1, 0.02, 0.5, 0.5),
                   body("left", 0.2, 1e-3, 0.42, 0.42, shapes=[box]), body("right", 0.2, 1e-3, 0.58, 0.42, shapes=[box]),
                   body("box", 1, 2e-3, 0.5, 0.4, shapes=[{"type": "box", "size": [0.1, 0.1]}]),
                   {"name": "table", "fixed": True, "shapes": [{"type": "half-plane", "at": [0, 0.35]}]}],
        "joints": [joint("shoulder", "hinge", "upper", [0, 1]), joint("elbow", "hinge", "fore upper", [0.5, 1]),
                   joint("wrist", "hinge", "hand fore", [0.5, 0.5]),
                   joint("gl", "slider", "left hand", [0.42, 0.45], [1, 0]),
                   joint("gr", "slider", "right hand", [0.58, 0.45], [-1, 0])],
        "motors": [{"name": name, "joint": at, "position": f"{way}*min(max(t-1,0),1)", "stiffness": k, "damping": k / 20,
                    "integral": k} for name, at, way, k in (("ms", "shoulder", 0.4, 4000), ("me", "elbow", 0, 4000),
                                                            ("mw", "wrist", -0.4, 1000))] +
                  [{"name": f"c{at}", "joint": at, "force": 30} for at in ("gl", "gr")],
        "laws": [{"friction": 0.6}]}, step=2e-3, duration=4)
    check("arm: the box is up", rows["box"][-1]["y"] > rows["box"][0]["y"] + 0.1, rows["box"][-1])

    def height(k):
        hand, held = rows["hand"][k], rows["box"][k]
        x, y = held["x"] - hand["x"], held["y"] - hand["y"]
        return math.cos(hand["angle"]) * y - math.sin(hand["angle"]) * x

    near("arm: and does not slip", [height(1000), height(1500)], [height(2000)] * 2, 1e-7)
    gaps = [row["gap"] for row in scree.rows("run.h5", "contacts")]
    check("arm: fingers do not sink in", min(gaps) > -1e-4, min(gaps))


if __name__ == "__main__":
    run_tests(globals())
