# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""scree import of MJCF and URDF against what mechanics says: masses and inertias by hand, periods and oscillations in
closed form, a double pendulum against equations of its own, stops, couplings."""

import math

from harness import check, run_tests
from test_import import body_of, bring_in, close, key_of

G = 9.81
STILL = ' contype="0" conaffinity="0"'


def mjcf(scree, body, more="", option="", compiler='<compiler angle="radian"/>'):
    """Import a model of one tree of bodies; the scene and what was said."""
    scree.write("m.xml", f'<mujoco>{compiler}<option timestep="1e-3" gravity="0 0 -9.81" {option}/>'
                f"<worldbody>{body}</worldbody>{more}</mujoco>")
    return bring_in(scree, "m.xml", "--format", "mjcf")


def urdf(scree, text, *options):
    scree.write("r.urdf", f'<robot name="r">{text}</robot>')
    return bring_in(scree, "r.urdf", *options)


def course(scree, body, duration, *more, step=1e-3):
    """Rows of a body over a run of the scene that was made."""
    scree.expect(0, "run", "scene.yaml", "--quiet", "-o", "a.h5", "--set", f"scheme.duration={duration}",
                 "--set", f"scheme.step={step}", *more)
    return [{k: float(x) for k, x in row.items() if k != "body"} for row in scree.rows("a.h5", "bodies") if row["body"] == body]


def period(rows, key):
    """From the first to the last time that a number goes through 0 upwards, between rows."""
    times = [b["time"] - b[key] * (b["time"] - a["time"]) / (b[key] - a[key])
             for a, b in zip(rows, rows[1:]) if a[key] < 0 <= b[key]]
    return (times[-1] - times[0]) / (len(times) - 1)


# ---- small matrices, so that nothing of the importer is used ----


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def transposed(a):
    return [list(row) for row in zip(*a)]


def rotation(axis, angle):
    """About x, y or z."""
    c, s, k = math.cos(angle), math.sin(angle), "xyz".index(axis)
    made = [[float(i == j) for j in range(3)] for i in range(3)]
    i, j = (k + 1) % 3, (k + 2) % 3
    made[i][i] = made[j][j] = c
    made[i][j], made[j][i] = -s, s
    return made


def together(parts):
    """(mass, centre, inertia about the centre as a matrix) of parts: mass, centre, and inertia about the common one."""
    mass = sum(m for m, _, _ in parts)
    centre = [sum(m * c[k] for m, c, _ in parts) / mass for k in range(3)]
    total = [[0.0] * 3 for _ in range(3)]
    for m, c, inertia in parts:
        d = [c[k] - centre[k] for k in range(3)]
        for i in range(3):
            for j in range(3):
                total[i][j] += inertia[i][j] + m * (sum(x * x for x in d) * (i == j) - d[i] * d[j])
    return mass, centre, total


def diagonal(*values):
    return [[values[i] * (i == j) for j in range(3)] for i in range(3)]


def six(m):
    return [m[0][0], m[0][1], m[0][2], m[1][1], m[1][2], m[2][2]]


# ---- what it weighs ----


def test_masses_of_geoms(scree):
    """A turned box, a cylinder, an ellipsoid and a ball on one body; by density, by mass, about their common centre."""
    turn = product(product(rotation("z", 0.3), rotation("y", 0.2)), rotation("x", 0.1))  # about axes that turn along
    box = 0.2 * 0.4 * 0.6 * 500
    square = product(product(turn, diagonal(box * (0.4 ** 2 + 0.6 ** 2) / 12, box * (0.2 ** 2 + 0.6 ** 2) / 12,
                                            box * (0.2 ** 2 + 0.4 ** 2) / 12)), transposed(turn))
    rod, egg, ball = 1.5, 4 / 3 * math.pi * 0.1 * 0.2 * 0.3 * 1000, 4 / 3 * math.pi * 0.05 ** 3 * 1000
    mass, centre, inertia = together([
        (box, [0.1, 0, 0.2], square),
        (rod, [0, 0, 0.25], diagonal(*2 * [rod * (3 * 0.05 ** 2 + 0.5 ** 2) / 12], rod * 0.05 ** 2 / 2)),
        (egg, [0, 0.3, 0], diagonal(egg * 0.13 / 5, egg * 0.1 / 5, egg * 0.05 / 5)),
        (ball, [0.5, 0, 0], diagonal(*3 * [0.4 * ball * 0.05 ** 2]))])
    body = ('<body name="b" pos="1 2 3"><freejoint/><geom type="box" size="0.1 0.2 0.3" density="500" pos="0.1 0 0.2" euler="0.3 0.2 0.1"/>'
            '<geom type="cylinder" fromto="0 0 0 0 0 0.5" size="0.05" mass="1.5"/>'
            '<geom type="ellipsoid" size="0.1 0.2 0.3" pos="0 0.3 0"/>'
            '<body pos="0.5 0 0"><geom size="0.05"/></body></body>')
    scene, said = mjcf(scree, body, compiler='<compiler angle="radian" eulerseq="zyx"/>')
    made = body_of(scene, "b")
    close("mass", key_of(made, "mass"), [mass], 1e-12)
    close("inertia", key_of(made, "inertia"), six(inertia), 1e-12)
    close("centre", key_of(made, "position"), [1 + centre[0], 2 + centre[1], 3 + centre[2]], 1e-12)
    check("an ellipsoid counts for the mass alone, and that is said", "ellipsoid, line 1) counts for the mass" in said, said)
    scene, _ = mjcf(scree, body, compiler='<compiler angle="radian" eulerseq="zyx" settotalmass="7"/>')
    close("all masses by one factor", key_of(body_of(scene, "b"), "mass"), [7], 1e-12)
    close("and inertias", key_of(body_of(scene, "b"), "inertia"), six([[x * 7 / mass for x in row] for row in inertia]), 1e-12)


def test_inertial_or_geoms(scree):
    """<inertial> counts, with its own frame, unless the compiler wants geoms."""
    body = ('<body name="b"><freejoint/><inertial pos="0 0 0.1" mass="2" diaginertia="3 2 1" euler="0 0 0.4"/>'
            '<geom type="sphere" size="0.5" mass="4"/></body>')
    scene, _ = mjcf(scree, body)
    turn = rotation("z", 0.4)
    close("of its own frame", key_of(body_of(scene, "b"), "inertia"), six(product(product(turn, diagonal(3, 2, 1)), transposed(turn))), 1e-12)
    scene, _ = mjcf(scree, body, compiler='<compiler inertiafromgeom="true"/>')
    close("of geoms", key_of(body_of(scene, "b"), "mass"), [4], 1e-12)


def test_urdf_inertias(scree):
    """rpy of an inertial: about fixed axes, x first."""
    turn = product(product(rotation("z", 0.3), rotation("y", 0.2)), rotation("x", 0.1))
    scene, said = urdf(scree, '<link name="a"><inertial><origin xyz="1 0 0" rpy="0.1 0.2 0.3"/><mass value="2"/>'
                       '<inertia ixx="3" iyy="2" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
                       '<link name="b"><inertial><mass value="5"/></inertial></link><joint name="j" type="floating">'
                       '<parent link="a"/><child link="b"/></joint>')
    close("turned", key_of(body_of(scene, "a"), "inertia"), six(product(product(turn, diagonal(3, 2, 1)), transposed(turn))), 1e-12)
    close("a mass without an inertia stays", key_of(body_of(scene, "b"), "mass"), [5])
    check("and its inertia is said", '"b" has no inertia' in said, said)


# ---- how it swings ----


def test_pendulums(scree):
    """A rod (capsule) at a hinge that is not at its end, in both formats: T = 2 pi sqrt(I/(m g d)) (1 + a^2/16)."""
    a, r, length, d = 0.05, 0.02, 1.0, 0.4
    rod, caps = math.pi * r * r * length * 1000, 4 / 3 * math.pi * r ** 3 * 1000
    across = rod * (3 * r * r + length ** 2) / 12 + caps * (0.4 * r * r + length ** 2 / 4 + 3 * length * r / 8)
    mass = rod + caps
    expected = 2 * math.pi * math.sqrt((across + mass * d * d) / (mass * G * d)) * (1 + a * a / 16)
    mjcf(scree, f'<body name="p" pos="0 0 2" euler="0 {a} 0"><joint type="hinge" axis="0 1 0"/>'
         f'<geom type="capsule" size="{r}" fromto="0 0 0.1 0 0 -0.9"{STILL}/></body>')
    close("period of MJCF's", [period(course(scree, "p", 8), "x")], [expected], 2e-5)
    urdf(scree, '<link name="w"/><joint name="j" type="continuous"><parent link="w"/><child link="p"/>'
         f'<origin xyz="0 0 2" rpy="0 {a} 0"/><axis xyz="0 1 0"/></joint><link name="p"><inertial>'
         f'<origin xyz="0 0 -{d}"/><mass value="{mass}"/><inertia ixx="{across}" iyy="{across}" izz="{rod * r * r / 2}" '
         'ixy="0" ixz="0" iyz="0"/></inertial></link>')
    close("period of URDF's", [period(course(scree, "p", 8), "x")], [expected], 2e-5)


def pendulum_rates(y, m, l, d, inertia):
    """Two arms by Lagrange: angles from below and their rates; d: centres of mass from the joints."""
    (p, q, u, w) = y
    a, b = inertia[0] + m[0] * d[0] ** 2 + m[1] * l ** 2, inertia[1] + m[1] * d[1] ** 2
    c, s = m[1] * l * d[1] * math.cos(p - q), m[1] * l * d[1] * math.sin(p - q)
    f = -s * w * w - (m[0] * d[0] + m[1] * l) * G * math.sin(p)
    g = s * u * u - m[1] * d[1] * G * math.sin(q)
    det = a * b - c * c
    return [u, w, (b * f - c * g) / det, (a * g - c * f) / det]


def runge_kutta(y, seconds, steps, *arms):
    h = seconds / steps
    for _ in range(steps):
        k = [pendulum_rates(y, *arms)]
        for part in (0.5, 0.5, 1):
            k.append(pendulum_rates([x + part * h * v for x, v in zip(y, k[-1])], *arms))
        y = [x + h * (a + 2 * b + 2 * c + d) / 6 for x, a, b, c, d in zip(y, *k)]
    return y


def test_double_pendulum(scree):
    """Where it is after a second, by equations of its own; halving the step quarters the distance. Energy stays."""
    m, l, d, inertia = (1.0, 0.6), 0.8, (0.3, 0.25), (0.05, 0.02)
    start = (1.2, 0.5)
    mjcf(scree, f'<body name="one" euler="0 {-start[0]} 0"><joint axis="0 1 0"/><inertial pos="0 0 {-d[0]}" mass="{m[0]}" '
         f'diaginertia="1 {inertia[0]} 1"/><body name="two" pos="0 0 {-l}" euler="0 {start[0] - start[1]} 0"><joint axis="0 1 0"/>'
         f'<inertial pos="0 0 {-d[1]}" mass="{m[1]}" diaginertia="1 {inertia[1]} 1"/></body></body>')
    p, q, _, _ = runge_kutta([*start, 0, 0], 1, 4000, m, l, d, inertia)
    end = [l * math.sin(p) + d[1] * math.sin(q), -l * math.cos(p) - d[1] * math.cos(q)]
    away = []
    for step in (1e-3, 5e-4):
        last = course(scree, "two", 1, step=step)[-1]
        away.append(math.hypot(last["x"] - end[0], last["z"] - end[1]))
    check(f"where the second arm is: {away}", away[0] < 2e-4 and 3.3 < away[0] / away[1] < 4.7, away)
    ledger = scree.json("run", "scene.yaml", "--no-store", "--set", "scheme.step=5e-4", "--set", "scheme.duration=1")["ledger"]
    energy = -m[0] * G * d[0] * math.cos(start[0]) - m[1] * G * (l * math.cos(start[0]) + d[1] * math.cos(start[1]))
    close("energy at the start", [ledger["energy_start"]], [energy], 1e-12)
    close("and at the end", [ledger["energy_end"]], [energy], 1e-5)


def test_springs_and_actuators(scree):
    """A slide with a spring and a damper, and a hinge that an actuator with a gear holds: damped oscillations."""
    k, c, m, rest = 40.0, 0.8, 2.0, 0.1
    mjcf(scree, f'<body name="s"><joint name="j" type="slide" axis="1 0 0" stiffness="{k}" damping="{c}" springref="{rest}"/>'
         f'<geom type="box" size="0.1 0.1 0.1" mass="{m}"{STILL}/></body>')
    rows = course(scree, "s", 2)
    decay, wave = c / (2 * m), math.sqrt(k / m - (c / (2 * m)) ** 2)
    t = rows[-1]["time"]
    x = rest - rest * math.exp(-decay * t) * (math.cos(wave * t) + decay / wave * math.sin(wave * t))
    close("a spring with a damper", [rows[-1]["x"]], [x], 2e-5)
    mjcf(scree, '<body name="h" euler="0 0 0.2"><joint name="j" axis="0 0 1" ref="0.2"/><inertial pos="0 0 0" mass="1" '
         'diaginertia="1 1 0.5"/></body>', '<actuator><position joint="j" kp="3" gear="2"/></actuator>')
    rows = course(scree, "h", 3)
    # the coordinate begins at ref, its target is 0: a cosine of the angle about -0.2 from where it began
    angle = [2 * math.atan2(row["qz"], row["qw"]) for row in rows]
    wave = math.sqrt(3 * 2 ** 2 / 0.5)
    close("an actuator of a position with a gear", [angle[-1]], [0.2 * math.cos(wave * rows[-1]["time"])], 1e-4)


def test_stops(scree):
    """Limits that are not symmetric, of hinges and slides, in both formats: a heavy thing comes to rest at the right one."""
    mjcf(scree, '<body name="p"><joint axis="0 1 0" range="-0.3 0.7"/><inertial pos="1 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body>')
    last = course(scree, "p", 3, "--set", "scheme.theta=auto")[-1]
    close("a hinge at its upper stop: down along z is a positive turn about y", [last["x"], last["z"]],
          [math.cos(0.7), -math.sin(0.7)], 1e-5)
    mjcf(scree, '<body name="p"><joint type="slide" axis="0 0 1" range="-0.3 0.7"/><geom size="0.1"/></body>')
    close("a slide at its lower stop", [course(scree, "p", 2)[-1]["z"]], [-0.3], 1e-6)
    urdf(scree, '<link name="w"/><link name="p"><inertial><origin xyz="1 0 0"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" '
         'izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="revolute"><parent link="w"/>'
         '<child link="p"/><axis xyz="0 -1 0"/><limit lower="-0.4" upper="0.9" effort="1" velocity="1"/></joint>')
    last = course(scree, "p", 3)[-1]
    close("a hinge about -y at its lower stop", [last["x"], last["z"]], [math.cos(0.4), -math.sin(0.4)], 1e-5)


def test_mimics(scree):
    """A gear of ratio -2 between two wheels; the torque of a weight on the first: one angle has both inertias."""
    link = ('<link name="{n}"><inertial><origin xyz="{c} 0 0"/><mass value="1"/><inertia ixx="0.5" iyy="{i}" izz="0.5" ixy="0" '
            'ixz="0" iyz="0"/></inertial></link>')
    urdf(scree, '<link name="w"/>' + link.format(n="a", c=0.1, i=0.5) + link.format(n="b", c=0, i=0.2) +
         '<joint name="ja" type="continuous"><parent link="w"/><child link="a"/><axis xyz="0 1 0"/></joint>'
         '<joint name="jb" type="continuous"><parent link="w"/><child link="b"/><origin xyz="3 0 0"/><axis xyz="0 1 0"/>'
         '<mimic joint="ja" multiplier="-2"/></joint>')
    # I theta'' = m g c cos(theta), I = 0.5 + c^2 + 4 * 0.2; energies: m g c sin(theta) = I theta'^2/2
    rows = course(scree, "a", 1)
    angle = math.atan2(-rows[-1]["z"], rows[-1]["x"])
    inertia = 0.5 + 0.01 + 4 * 0.2
    close("rate", [rows[-1]["omegay"]], [math.sqrt(2 * G * 0.1 * math.sin(angle) / inertia)], 1e-5)
    second = course(scree, "b", 1)[-1]
    close("turned back twice as far", [2 * math.atan2(second["qy"], second["qw"])], [-2 * angle], 1e-7)
    close("by G c t^2/(2 I) at first", [math.atan2(-rows[100]["z"], rows[100]["x"])], [G * 0.1 * 0.1 ** 2 / 2 / inertia], 1e-4)


def test_what_is_lost_is_said(scree):
    """Attributes and elements that change the motion and are not taken."""
    _, said = mjcf(scree, '<frame pos="0 0 1"><body/></frame><body name="b" gravcomp="1"><joint type="ball" damping="1"/>'
                   '<geom size="0.1" condim="1"/></body>', option='wind="1 0 0"')
    for word in ("<frame>", "gravcomp", "condim", "wind", "ball joints"):
        check(f"{word} is said", word in said, said)
    _, said = urdf(scree, '<link name="w"/><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>'
                   '<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>'
                   '<joint name="j" type="continuous"><parent link="w"/><child link="a"/></joint>'
                   '<joint name="k" type="continuous"><parent link="w"/><child link="b"/><mimic joint="j" offset="1"/></joint>')
    check("the offset of a mimic is said", "offset" in said, said)


if __name__ == "__main__":
    run_tests(globals())
