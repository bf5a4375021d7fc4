# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Can it stand? --check-equilibrium against closed forms, on both sides of each limit.

"Stands" must come with forces that hold every body: they are added up here, from the points, world
forces and masses alone. "Cannot" must be proven, and Coulomb's law must begin to move it.
"""

import json
import math
import re

from harness import check, equal, run_tests

G = 9.81
SCHEME = "scheme: {step: 1e-3, duration: 1}\n"


def ask(scree, what, text, expected, bodies=()):
    """The verdict, its exit status, and the forces of an equilibrium.

    A body is (name, mass, centre, gravity): what holds it must balance its weight.
    """
    scree.write("scene.yaml", text)
    answer = scree("run", "scene.yaml", "--check-equilibrium", "--json")
    equal(f"{what}: exit status", answer.status, 0 if expected else 1)
    verdict = json.loads(answer.out)
    equal(f"{what}: equilibrium", verdict["equilibrium"], expected)
    equal(f"{what}: proven", verdict["proven"], True)
    for name, mass, centre, gravity in bodies if expected else ():
        balance(what, verdict, name, mass, centre, gravity)
    if not expected:
        check(f"{what}: Coulomb's law moves it", verdict["acceleration"] > 0, verdict)
    return verdict


def cross(x, y):
    """Of vectors in space, or the one component in the plane."""
    if len(x) == 2:
        return [x[0] * y[1] - x[1] * y[0]]
    return [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]


def balance(what, verdict, name, mass, centre, gravity):
    """Forces and moments on a body add up to nothing."""
    space = len(centre)
    force = [mass * x for x in gravity]
    moment = [0.0] * (1 if space == 2 else 3)
    for contact in verdict["contacts"]:
        sign = (contact["a"] == name) - (contact["b"] == name)
        arm = [x - c for x, c in zip(contact["point"], centre)]
        force = [f + sign * x for f, x in zip(force, contact["force"])]
        moment = [m + sign * x for m, x in zip(moment, cross(arm, contact["force"]))]
    size = mass * G
    check(f"{what}: forces on {name} balance", max(map(abs, force)) < 1e-6 * size, force)
    check(f"{what}: moments on {name} balance", max(map(abs, moment)) < 1e-6 * size, moment)


def in_cones(what, verdict, mu):
    """Every force is within its cone."""
    for contact in verdict["contacts"]:
        normal, *others = contact["local_force"]
        check(f"{what}: in the cone", math.hypot(*others[:2]) <= mu * normal * (1 + 1e-9) + 1e-9,
              contact)


def slope(space, angle, mu, size=0.5, extra=""):
    """A box of 1 m by `size` on an incline, gravity turned instead of the floor."""
    down = [G * math.sin(angle)] + [0] * (space - 2) + [-G * math.cos(angle)]
    floor, position = "plane", f"[0, 0, {size / 2}]"
    shape = f"{{type: box, size: [1, 1, {size}]}}"
    if space == 2:
        floor, position = "half-plane", f"[0, {size / 2}]"
        shape = (f"{{type: polygon, vertices: [[-0.5, {-size / 2}], [0.5, {-size / 2}], "
                 f"[0.5, {size / 2}], [-0.5, {size / 2}]]}}")
    return (f"space: {space}\ngravity: {down}\nbodies:\n"
            f"  - {{name: floor, fixed: true, shapes: [{{type: {floor}}}]}}\n"
            f"  - {{name: box, density: 1, position: {position}, shapes: [{shape}]}}\n"
            f"laws: [{{friction: {mu!r}{extra}}}]\n" + SCHEME)


def test_incline(scree):
    """It slides from mu = tan(angle) on, and tips where its corner is below its centre."""
    for space in (2, 3):
        for angle in (0.1, 0.4):
            for share in (1e-3, 1e-6):
                for sign in (1, -1):
                    mu = math.tan(angle) * (1 + sign * share)
                    gravity = [G * math.sin(angle)] + [0] * (space - 2) + [-G * math.cos(angle)]
                    body = ("box", 0.5, [0] * (space - 1) + [0.25], gravity)
                    what = f"incline, space {space}, angle {angle}, {sign * share:+g}"
                    verdict = ask(scree, what, slope(space, angle, mu), sign > 0, (body,))
                    if sign > 0:
                        in_cones(what, verdict, mu)
        tips = math.atan(1 / 2)
        for share in (1e-3, 1e-6):
            ask(scree, f"tips, space {space}, {share}", slope(space, tips + share, 2, 2.0), False)
            ask(scree, f"does not tip, space {space}, {share}", slope(space, tips - share, 2, 2.0),
                True)


def wedge(lean, mu, space=2):
    """A block between walls that lean by `lean` towards each other above (> 0) or below (< 0)."""
    top, bottom, depth = 0.5 - math.sin(lean), 0.5, math.cos(lean)
    walls, corners = "", []
    for name, side in (("left", -1), ("right", 1)):
        normal = (-side * math.cos(lean), -math.sin(lean))
        if space == 2:
            walls += (f"  - {{name: {name}, fixed: true, shapes: [{{type: half-plane, at: "
                      f"[{side * top!r}, 0], normal: [{normal[0]!r}, {normal[1]!r}]}}]}}\n")
        else:
            walls += (f"  - {{name: {name}, fixed: true, shapes: [{{type: plane, at: "
                      f"[{side * top!r}, 0, 0], normal: [{normal[0]!r}, 0, {normal[1]!r}]}}]}}\n")
    for x, z in ((-top, 0), (-bottom, -depth), (bottom, -depth), (top, 0)):
        corners += [[x, z]] if space == 2 else [[x, -0.5, z], [x, 0.5, z]]
    shape = "polygon" if space == 2 else "polyhedron"
    down = f"[0, {-G}]" if space == 2 else f"[0, 0, {-G}]"
    return (f"space: {space}\ngravity: {down}\nbodies:\n{walls}"
            f"  - {{name: block, density: 1, shapes: [{{type: {shape}, vertices: {corners}}}]}}\n"
            f"laws: [{{friction: {mu!r}}}]\n" + SCHEME)


def test_jams(scree):
    """Walls hold what they cannot drop: with friction, and with mu > tan(lean)."""
    for space in (2, 3):
        verdict = ask(scree, f"parallel walls, space {space}", wedge(0, 0.5, space), True)
        in_cones("parallel walls", verdict, 0.5)
        normal = sum(c["local_force"][0] for c in verdict["contacts"])
        check("parallel walls: N >= W / (2 mu) on each side", normal >= G / 0.5 * (1 - 1e-9),
              normal)
        check("parallel walls: it may drop as well", abs(verdict["acceleration"] - G) < 1e-6,
              verdict["acceleration"])
        ask(scree, f"parallel walls without friction, space {space}", wedge(0, 0, space), False)
        for lean in (0.1, 0.2):
            inside, outside = wedge(lean, 1.05 * math.tan(lean), space), wedge(
                lean, 0.95 * math.tan(lean), space)
            verdict = ask(scree, f"inverse wedge {lean}, space {space}", inside, True)
            in_cones("inverse wedge", verdict, 1.05 * math.tan(lean))
            ask(scree, f"inverse wedge {lean}, out of the cone, space {space}", outside, False)
        ask(scree, f"keystone, space {space}", wedge(-0.2, 0, space), True)


def test_ladder(scree):
    """A rod against a wall without friction slips at mu = cot(angle) / 2."""
    angle = 1.0
    for share in (1e-3, 1e-6):
        for sign in (1, -1):
            mu = 0.5 / math.tan(angle) * (1 + sign * share)
            x, y = math.cos(angle), math.sin(angle)
            text = (f"gravity: [0, {-G}]\nbodies:\n"
                    "  - {name: floor, fixed: true, shapes: [{type: half-plane}]}\n"
                    "  - {name: wall, fixed: true, shapes: [{type: half-plane, normal: [1, 0]}]}\n"
                    f"  - {{name: ladder, mass: 2, inertia: 0.2, position: [{x / 2!r}, {y / 2!r}], "
                    f"shapes: [{{type: point, at: [{x / 2!r}, {-y / 2!r}]}}, "
                    f"{{type: point, at: [{-x / 2!r}, {y / 2!r}]}}]}}\n"
                    f"laws: [{{friction: 0}}, {{between: [ladder, floor], friction: {mu!r}}}]\n"
                    + SCHEME)
            ask(scree, f"ladder {sign * share:+g}", text, sign > 0,
                (("ladder", 2, [x / 2, y / 2], [0, -G]),))


def stack(offsets, space):
    """Boxes of 1 m on each other, each shifted by its offset against the one below."""
    lines = [f"space: {space}", "gravity: [" + "0, " * (space - 1) + f"{-G}]", "bodies:",
             "  - {name: floor, fixed: true, shapes: [{type: "
             + ("half-plane" if space == 2 else "plane") + "}]}"]
    shape = ("{type: polygon, vertices: [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]}"
             if space == 2 else "{type: box, size: [1, 1, 1]}")
    x = 0
    for k, offset in enumerate(offsets):
        x += offset
        position = [x] + [0] * (space - 2) + [k + 0.5]
        lines.append(f"  - {{name: b{k}, density: 1, position: {position}, shapes: [{shape}]}}")
    return "\n".join(lines) + "\nlaws: [{friction: 0.4}]\n" + SCHEME


def test_overhang(scree):
    """The harmonic stack: the k-th box from the top may hang out by 1/(2k)."""
    for space in (2, 3):
        for sign in (1, -1):
            offsets = [0] + [(1 - sign * 1e-4) / (2 * k) for k in range(4, 0, -1)]
            bodies = []
            for k in range(5):
                bodies.append((f"b{k}", 1, [sum(offsets[:k + 1])] + [0] * (space - 2) + [k + 0.5],
                               [0] * (space - 1) + [-G]))
            ask(scree, f"overhang, space {space}, {sign:+d}", stack(offsets, space), sign > 0,
                bodies)


def test_arch(scree):
    """Three discs: the upper one rests on two that touch nothing but it and the floor.

    With the angle a of the line of centres to the vertical, each contact needs mu >= tan(a/2); the
    floor carries three halves of a weight and needs a third of it.
    """
    half = math.radians(35) / 2
    x, y = math.sin(2 * half), math.cos(2 * half)  # radii 0.5
    for share, expected in ((1 + 1e-6, True), (1 - 1e-6, False)):
        mu = math.tan(half) * share
        disc = "density: 1, shapes: [{type: disc, radius: 0.5}]"
        text = (f"gravity: [0, {-G}]\nbodies:\n"
                "  - {name: floor, fixed: true, shapes: [{type: half-plane}]}\n"
                f"  - {{name: left, position: [{-x!r}, 0.5], {disc}}}\n"
                f"  - {{name: right, position: [{x!r}, 0.5], {disc}}}\n"
                f"  - {{name: top, position: [0, {0.5 + y!r}], {disc}}}\n"
                f"laws: [{{friction: {mu!r}}}]\n" + SCHEME)
        ask(scree, f"arch {share}", text, expected)


def test_cohesion(scree):
    """A ball hangs from a ceiling that sticks to it by more than its weight."""
    for space in (2, 3):
        plane, ball = ("half-plane", "disc") if space == 2 else ("plane", "sphere")
        volume = math.pi * 0.25 if space == 2 else math.pi / 6
        for share, expected in ((1 + 1e-6, True), (1 - 1e-6, False)):
            down = "0, " * (space - 1)
            text = (f"space: {space}\ngravity: [{down}{-G}]\nbodies:\n"
                    f"  - {{name: roof, fixed: true, shapes: [{{type: {plane}, "
                    f"at: [{down}0.5], normal: [{down}-1]}}]}}\n"
                    f"  - {{name: ball, density: {2 / volume!r}, position: [{down}0], "
                    f"shapes: [{{type: {ball}, radius: 0.5}}]}}\n"
                    f"laws: [{{friction: 0.3, cohesion: {2 * G * share!r}}}]\n" + SCHEME)
            ask(scree, f"hangs, space {space}, {share}", text, expected)


def test_rolling(scree):
    """A ball on an incline rolls from tan(angle) = rolling / radius on."""
    angle = 0.05
    for share, expected in ((1 + 1e-6, True), (1 - 1e-6, False)):
        down = f"{G * math.sin(angle)!r}, 0, {-G * math.cos(angle)!r}"
        text = (f"space: 3\ngravity: [{down}]\nbodies:\n"
                "  - {name: floor, fixed: true, shapes: [{type: plane}]}\n"
                "  - {name: ball, density: 1, position: [0, 0, 0.5], "
                "shapes: [{type: sphere, radius: 0.5}]}\n"
                f"laws: [{{friction: 0.5, rolling: {0.5 * math.tan(angle) * share!r}}}]\n" + SCHEME)
        ask(scree, f"rolls {share}", text, expected)


def test_grain(scree):
    """Friction that differs along two tangents: the ellipse, both ways."""
    for across in (False, True):
        for share, expected in ((1 + 1e-6, True), (1 - 1e-6, False)):
            mu = math.tan(0.3) * share
            along, other = (0.9, mu) if across else (mu, 0.9)
            grain = f", friction_second: {other!r}, grain: [1, 0, 0]"
            text = slope(3, 0.3, along, 0.5, grain)
            if across:  # downhill is along y
                text = re.sub(r"gravity: \[(.*), 0, (.*)\]", r"gravity: [0, \1, \2]", text)
            ask(scree, f"grain, across {across}, {share}", text, expected)


if __name__ == "__main__":
    run_tests(globals())
