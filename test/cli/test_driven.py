# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Motions from files, and the scenes of mechanisms with motors, stops, springs and forces of the state."""

import os

from harness import check, run_tests

SHAKEN = """\
bodies:
  - name: table
    motion: {acceleration_file: quake.csv, scale: 9.81}
    shapes: [{type: half-plane}]
scheme: {step: 1e-3, duration: 3}
"""
QUAKE = "time; east; up\n# in g\n0; 0.1; 0\n1; 0.1; 0\n1.5; -0.2; 0\n2; -0.2; 0\n"


def last_of(scree, run, body):
    """The last stored row of a body."""
    return [row for row in scree.rows(run, "bodies") if row["body"] == body][-1]


def test_accelerogram(scree):
    """A table shaken by a file is where the integral says, and the run holds the file."""
    scree.write("quake.csv", QUAKE)
    scree.write("shaken.yaml", SHAKEN)
    scree.json("run", "shaken.yaml", "-o", "run.h5")
    g = 9.81
    # straight lines: v(1) = 0.1, then 0.1 t - 0.3 t^2 for half a second, then -0.2 for another half
    speed, way = 0.1 * 1, 0.05
    way += speed * 0.5 + 0.1 * 0.5**2 / 2 - 0.6 * 0.5**3 / 6
    speed += 0.1 * 0.5 - 0.6 * 0.5**2 / 2
    way += speed * 0.5 - 0.2 * 0.5**2 / 2
    speed += -0.2 * 0.5
    way += speed * 1
    check("where the table ends", abs(last_of(scree, "run.h5", "table")["x"] - way * g) < 1e-9,
          last_of(scree, "run.h5", "table"))
    before = scree.rows("run.h5", "bodies")
    os.remove(scree.path("quake.csv"))
    check("the run file has the accelerogram", scree.rows("run.h5", "bodies") == before)


def test_files_that_are_wrong(scree):
    """What is wrong in a file is told with its place there."""
    scree.write("shaken.yaml", SHAKEN)
    for text, said in (("t,x,y\n0,1,2\n1,x,2\n", "quake.csv:3:3: expected a number, found \"x\""),
                       ("0,1,2\n1,2\n", "quake.csv:2:"), ("0,1,2\n1,2,3,4\n", "this one has more"),
                       ("0,1\n1,2\n", "rows of the accelerogram are t, x, y; found 2 numbers"),
                       ("0,1,2\n", "at least two rows, found 1"),
                       ("1,1,2\n0,1,2\n", "times must ascend"), ("", "at least two rows")):
        scree.write("quake.csv", text)
        answer = scree.expect(2, "check", "shaken.yaml")
        check(f"{said}: told with its place", said in answer.err and "shaken.yaml:3:" in answer.err,
              answer)
    os.remove(scree.path("quake.csv"))
    answer = scree.expect(2, "check", "shaken.yaml")
    check("a file that is not there", "quake.csv" in answer.err and "shaken.yaml:3:" in answer.err,
          answer)


def test_gripper_holds(scree):
    """What friction holds does not creep; weaker fingers drop the box."""
    scree.json("run", "gripper", "-o", "run.h5", "--set", "scheme.duration=4", "--set",
               "output.every=10")
    height = {}
    for row in scree.rows("run.h5", "bodies"):
        if row["body"] in ("box", "hand") and row["time"] > 0.3:
            height.setdefault(row["time"], {})[row["body"]] = (row["x"], row["y"], row["angle"])
    ways = [[of["box"][k] - of["hand"][k] for k in range(3)] for of in height.values()]
    creep = max(max(w[k] for w in ways) - min(w[k] for w in ways) for k in range(3))
    check(f"the box stays in the hand, {creep:.1e} m", creep < 1e-9, creep)
    scree.json("run", "gripper", "-o", "run.h5", "--set", "parameters.grip=15",
               "--set", "scheme.duration=2")
    check("it is dropped", last_of(scree, "run.h5", "box")["y"] < 0.2)


def test_door_rests_at_its_stop(scree):
    """It bounces and ends at the limit of its hinge, at rest."""
    summary = scree.json("run", "door", "-o", "run.h5")
    door = last_of(scree, "run.h5", "door")
    check("at the stop", abs(door["angle"]) < 1e-9 and abs(door["omega"]) < 1e-9, door)
    check("joints took energy", summary["ledger"]["joint_work"] < -0.5, summary["ledger"])


def test_cart_slides_and_rolls(scree):
    """The wheels spin with mu N/m, roll, and slide to a halt when the motor stops."""
    scree.json("run", "motor-cart", "-o", "run.h5")
    speeds = [(row["time"], row["vx"]) for row in scree.rows("run.h5", "bodies")
              if row["body"] == "chassis"]
    at = dict(speeds)
    rolling = max(v for _, v in speeds)
    check("it rolls at 30 rad/s, but for what the chassis turns", abs(rolling - 3) < 0.1, rolling)
    first = [v / t for t, v in speeds if 0.05 < t < 0.2]
    check("no more than friction gives it", 0 < max(first) < 0.4 * 9.81, max(first))
    check("it stops", abs(at[max(at)]) < 1e-6, at[max(at)])


TOY = """\
parameters: {mM: 0.0003, JM: 5e-9, mS: 0.0045, JS: 7e-7, c: 0.0056, g: 9.81, r0: 0.0025, rM: 0.0031, hM: 0.0058,
  lM: 0.010, lG: 0.015, lS: 0.0201, hS: 0.02, mu: 0.3}
overlaps: accept
scheme: {name: event-driven, step: 5e-3, duration: 0.5}
"""
SMALL = TOY + """\
mechanism:
  coordinates: [y, M, S]
  mass: [[mS + mM, mS*lM, mS*lG], [mS*lM, JM + mS*lM^2, mS*lM*lG], [mS*lG, mS*lM*lG, JS + mS*lG^2]]
  potential: (mS + mM)*g*y + mS*g*(lM*M + lG*S) + c/2*(M - S)^2
  position: [0, -0.1036, -0.2788]
  velocity: [-0.3411, 0, -7.4583]
  contacts:
    - {name: beak, gap: lM + lG - lS - r0 - hS*S, slip: y + lM*M + (lG - lS)*S, restitution: 0.5, friction: mu}
    - {name: lower, gap: rM - r0 + hM*M, slip: y + rM*M, friction: mu}
    - {name: upper, gap: rM - r0 - hM*M, slip: y + rM*M, friction: mu}
"""
WHOLE = TOY + """\
mechanism:
  coordinates: [y, M, S]
  mass:
    - [mS + mM, mS*lM*cos(M), mS*lG*cos(S)]
    - [mS*lM*cos(M), JM + mS*lM^2, mS*lM*lG*cos(M - S)]
    - [mS*lG*cos(S), mS*lM*lG*cos(M - S), JS + mS*lG^2]
  potential: (mS + mM)*g*y + mS*g*(lM*sin(M) + lG*sin(S)) + c/2*(M - S)^2
  position: [0, -0.1008, -0.2788]
  velocity: [-0.3411, 0, -7.4583]
  contacts:
    - {name: beak, gap: lM*cos(M) + (lG - lS)*cos(S) - hS*sin(S) - r0,
       slip: y + lM*sin(M) + (lG - lS)*sin(S) + hS*cos(S), restitution: 0.5, friction: mu}
    - {name: lower, gap: rM*cos(M) + hM*sin(M) - r0, slip: y + rM*sin(M) - hM*cos(M), friction: mu}
    - {name: upper, gap: rM*cos(M) - hM*sin(M) - r0, slip: y + rM*sin(M) + hM*cos(M), friction: mu}
"""


def strokes_of_formulas(scree, text, duration):
    """When the beak strikes, from event to event."""
    scree.write("toy.yaml", text)
    scree.expect(0, "run", "toy.yaml", "-o", "toy.h5", "--set", f"scheme.duration={duration}")
    rows = [line.split(",") for line in scree.expect(0, "export", "toy.h5", "events").out.splitlines()]
    return [float(row[0]) for row in rows if row[1:3] == ["beak", "impact"]]


def test_woodpecker_pecks(scree):
    """The sleeve goes down by steps; strokes are those of the same toy by formulas, from event to event."""
    scree.json("run", "woodpecker", "-o", "run.h5", "--set", "scheme.duration=0.5")
    sleeve = [row for row in scree.rows("run.h5", "bodies") if row["body"] == "sleeve"]
    still = sum(abs(a["y"] - b["y"]) < 1e-8 for a, b in zip(sleeve, sleeve[1:]))
    check("it goes down", -0.06 < sleeve[-1]["y"] < -0.04, sleeve[-1])
    check("and jams in between", still > 1000, still)
    strokes = []
    for row in scree.rows("run.h5", "contacts"):
        if "bird" in row["a"] + row["b"] and row["pn"] > 0:
            strokes += [row["time"]] if not strokes or row["time"] > strokes[-1] + 0.05 else []
    exact = strokes_of_formulas(scree, WHOLE, 0.5)
    check("four strokes", len(strokes) == len(exact) == 4, (strokes, exact))
    check("at the same times", all(abs(x - y) < 2e-3 for x, y in zip(strokes, exact)), (strokes, exact))
    check("one every 0.1307 s", abs(exact[3] - exact[2] - 0.130747) < 1e-4, exact)
    # small angles; a program of its own by Moreau's midpoint scheme, steps of 1e-5, has 0.14600
    small = strokes_of_formulas(scree, SMALL, 1)
    check("with small angles one every 0.1460 s", abs((small[6] - small[0]) / 6 - 0.145970) < 2e-5, small)


LINEAR = """\
parameters: {mS: 0.0045, mM: 0.0003, JM: 5e-9, JS: 7e-7, lM: 0.010, lG: 0.015, lS: 0.0201, hS: 0.02, hM: 0.0058,
             rM: 0.0031, r0: 0.0025, c: 0.0056, g: 9.81, mu: 0.3}
overlaps: accept
system:
  mass:
    - [mS + mM, mS*lM, mS*lG]
    - [mS*lM, JM + mS*lM^2, mS*lM*lG]
    - [mS*lG, mS*lM*lG, JS + mS*lG^2]
  stiffness: [[0, 0, 0], [0, c, -c], [0, -c, c]]
  load: [-(mS + mM)*g, -mS*lM*g, -mS*lG*g]
  position: [0, -0.1036, -0.2788]
  velocity: [-0.3411, 0, -7.4583]
  contacts:
    - {name: beak, normal: [0, 0, -hS], tangent: [1, lM, lG - lS], gap: lM + lG - lS - r0, friction: mu,
       restitution: 0.5}
    - {name: lower, normal: [0, hM, 0], tangent: [1, rM, 0], gap: rM - r0, friction: mu}
    - {name: upper, normal: [0, -hM, 0], tangent: [1, rM, 0], gap: rM - r0, friction: mu}
scheme: {name: moreau-jean, theta: 1/2, approach: required, step: 2e-5, duration: 0.3, energy_created: 1e-4}
"""


def test_woodpecker_beside_siconos(scree):
    """The toy with small angles, as Siconos' example has it, ends where the result handed on with it ends."""
    scree.write("linear.yaml", LINEAR)
    scree.expect(0, "run", "linear.yaml", "-o", "run.h5")
    rows = [row for row in scree.rows("run.h5", "coordinates") if row["step"] == 14999]
    # Woodpecker.ref at 0.29998 s: sleeve's height, its angle, that of the bird; their velocities
    reference = [(-0.0413482, -0.260137), (-0.1034685, 0), (-0.3409340, -8.327555)]
    for row, (q, v), near in zip(rows, reference, [(1e-4, 3e-3), (1e-4, 1e-9), (6e-4, 1.2e-2)]):
        check("where Siconos' is", abs(row["q"] - q) < near[0] and abs(row["v"] - v) < near[1], (row, q, v))
    bird = [row for row in scree.rows("run.h5", "coordinates") if row["coordinate"] == 2]
    back = [now["time"] for last, now in zip(bird[1:], bird[2:]) if now["q"] < -0.2788 <= last["q"]]
    check("two strokes take as long", len(back) == 2 and abs(back[1] - 0.292088) < 1e-4, back)


def test_biaxial_wall_gives_way(scree):
    """The servo wall is pushed in until grains bear, and out again while the lid comes down."""
    scree.json("run", "biaxial-cell", "-o", "run.h5", "--set", "output.every=20",
               "--set", "scheme.duration=2.2")
    wall = [row["x"] for row in scree.rows("run.h5", "bodies") if row["body"] == "wall"]
    check("first in, then out", min(wall) < wall[0] - 0.05 and wall[-1] > min(wall) + 0.01,
          (wall[0], min(wall), wall[-1]))


def test_servo_wall_keeps_its_pressure(scree):
    """Once the grains bear, what they press the wall with is the set pressure times the height."""
    scree.json("run", "biaxial-cell", "-o", "run.h5", "--set", "scheme.duration=2.2")
    lid = {row["step"]: row["y"] for row in scree.rows("run.h5", "bodies") if row["body"] == "lid"}
    force = {}
    for row in scree.rows("run.h5", "contacts"):
        if "wall" in (row["a"], row["b"]):
            force[row["step"]] = force.get(row["step"], 0) + row["pn"] / 2e-3
    error = [force.get(step, 0) / lid[step - 1] / 2000 - 1 for step in range(800, 1101)]
    check("the mean pressure is the set one", abs(sum(error) / len(error)) < 1e-3,
          sum(error) / len(error))
    check("at most times to a thousandth", sorted(map(abs, error))[len(error) * 3 // 4] < 2e-3,
          sorted(map(abs, error))[len(error) * 3 // 4])


def test_area_of_a_motor(scree):
    """A platen of small mass against a spring: pressed together until the spring bears limit x area."""
    scree.write("platen.yaml", """\
gravity: [0, 0]
bodies:
  - {name: platen, mass: 0.1, inertia: 1, position: [0, 1]}
  - {name: side, mass: 1, inertia: 1, position: [0.3, 0]}
joints:
  - {name: guide, type: slider, bodies: [platen], at: [0, 1], axis: [0, 1]}
  - {name: rail, type: slider, bodies: [side], at: [0.3, 0], axis: [1, 0]}
springs:
  - {name: bed, joint: guide, stiffness: 1000, damping: 20}
motors:
  - {name: servo, joint: guide, velocity: -1, limit: 200, area: "side.x + 0.1*t"}
  - {name: out, joint: rail, position: "0.05*t"}
scheme: {step: 1e-3, duration: 1, theta: 1}
""")
    scree.json("run", "platen.yaml", "-o", "run.h5")
    rows = [row for row in scree.rows("run.h5", "bodies") if row["body"] == "platen"]
    for row in rows[200::100]:
        # 1000 e + 20 e' = 200 (0.3 + 0.15 t), e lags by 20/1000 s
        exact = 1 - 0.2 * (0.3 + 0.15 * (row["time"] - 0.02))
        check("platen: where the spring bears the pressure", abs(row["y"] - exact) < 2e-4,
              (row, exact))
    scree.write("bad.yaml", scree.path("platen.yaml").read_text().replace("side.x + ", "sid.x + "))
    answer = scree.expect(2, "check", "bad.yaml")
    check("area: a name that is none, at its place", "bad.yaml:11:65: " in answer.err and "sid" in answer.err,
          answer)
    scree.write("bad.yaml", scree.path("platen.yaml").read_text().replace("limit: 200, ", ""))
    answer = scree.expect(2, "check", "bad.yaml")
    check("area: without a limit, at its place", "bad.yaml:11:53: " in answer.err, answer)


if __name__ == "__main__":
    run_tests(globals())
