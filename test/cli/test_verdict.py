# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Good, warned or refused: first line, JSON, exit status, colours, and reasons of refusals."""

import math
import os
import pty
import subprocess

from harness import check, document, equal, run_tests

SUNK = """\
overlaps: accept
bodies:
  - {name: floor, fixed: true, shapes: [{type: half-plane}]}
  - {name: disc, density: 1000, position: [0, 0.09], shapes: [{type: disc, radius: 0.1}]}
scheme: {step: 1e-3, duration: 0.1, correction: none}
"""
PADDLE = """\
gravity: [0, -9.81]
bodies:
  - {name: floor, motion: {position: [0, "0.1*t"]}, shapes: [{type: half-plane}]}
  - {name: stone, density: 1000, position: [0, 0.1], shapes: [{type: box, size: [0.2, 0.2]}]}
  - {name: ram, motion: {position: ["0.2 - 0.2", "-0.2*t"]}, shapes: [{type: half-plane, at: [0, 0.21], normal: [0, -1]}]}
laws: [{friction: 0.3}]
scheme: {step: 1e-2, duration: 0.5}
"""
WEDGE = """\
space: 3
bodies:
  - {name: left, fixed: true, shapes: [{type: plane, at: [-0.1, 0, 0], normal: [1, 0, 0.2]}]}
  - {name: right, fixed: true, shapes: [{type: plane, at: [0.1, 0, 0], normal: [-1, 0, 0.2]}]}
  - {name: ball, density: 1000, position: [0, 0, 0.0303], shapes: [{type: sphere, radius: 0.1}]}
  - {name: piston, motion: {position: [0, 0, "-0.2*t"]}, shapes: [{type: plane, at: [0, 0, 0.1405], normal: [0, 0, -1]}]}
laws: [{friction: 0.9}]
scheme: {step: 1e-2, duration: 0.5}
"""
CREATES = """\
bodies:
  - {name: ground, fixed: true, shapes: [{type: half-plane}]}
  - {name: disc, mass: 1, inertia: 0.5, position: [0, 1], velocity: [0, -1], spin: 3, shapes: [{type: disc, radius: 1}]}
laws: [{friction: 10, tangential_restitution: 1}]
scheme: {name: moreau-jean, theta: 1, step: 1e-3, duration: 3e-3}
"""
LOOSE = """\
gravity: [0, -9.81]
bodies:
  - name: trough
    fixed: true
    shapes:
      - {type: half-plane}
      - {type: half-plane, at: [-0.35, 0], normal: [1, 0.3]}
      - {type: half-plane, at: [0.35, 0], normal: [-1, 0.3]}
generate:
  - name: grain
    arrange: grid
    count: [5, 6]
    spacing: 0.11
    origin: [-0.22, 0.06]
    body: {density: 1000, shapes: [{type: disc, radius: 0.05}]}
laws: [{friction: 0.4}]
scheme: {step: 2e-3, duration: 0.6}
solver: {name: nsgs}
"""
DRIVEN = """\
bodies:
  - {name: cart, mass: 1, inertia: 1, velocity: [1, 0], shapes: [{type: disc, radius: 0.1}]}
joints:
  - {name: rail, type: slider, bodies: [cart], at: [0, 0], axis: [1, 0], upper: 0.2, restitution: 0.5, dry_friction: 0.1}
springs: [{name: back, joint: rail, stiffness: 5}]
motors: [{name: engine, joint: rail, force: 1}]
scheme: {step: 1e-3, theta: 0.9, duration: 0.15}
"""
WORKS = ("contact_normal_work", "contact_tangential_work", "external_work", "damping_work", "numerical_dissipation",
         "boundary_work", "joint_work", "motor_work", "correction_work", "held_work", "exchange")
REASONS = ("no-solution-proven", "existence-criterion-fails", "budget", "not-found", "turning", "ledger")


def first_line(answer):
    """Of standard output."""
    return answer.out.split("\n", 1)[0]


def test_good(scree):
    """A run that is as it should be says so first."""
    answer = scree.expect(0, "run", "dominoes", "--no-store", "-s", "scheme.duration=0.1")
    line = first_line(answer)
    for word in ("good: ", "steps solved", "penetration", "no energy created", "theorem"):
        check(f"the first line has '{word}'", word in line, line)
    found = scree.json("run", "bouncing-ball", "--no-store")
    equal("verdict", found["verdict"], "good")
    equal("warnings", found["warnings"], [])
    equal("refusal", found["refusal"], None)
    equal("laws", [(law["between"], law["holds"]) for law in found["theorem"]["laws"]][0],
          (["ball", "ground"], True))


def test_joints(scree):
    """Joints, springs and motors are judged, and what they did is in the ledger."""
    found = scree.json("run", "slider-rails", "--no-store", "-s", "scheme.duration=0.1")
    check("friction of the joint", "Coulomb" in found["theorem"]["reason"], found["theorem"])
    equal("a row for each kind", [law["between"] for law in found["theorem"]["laws"]][-2:],
          [["joints", "equations"], ["joints", "friction"]])
    check("friction takes", found["ledger"]["joint_work"] < 0, found["ledger"])
    scree.write("driven.yaml", DRIVEN)
    found = scree.json("run", "driven.yaml", "--no-store")
    ledger = found["ledger"]
    check("the limit is judged", not found["theorem"]["holds"]
          and '"rail"' in found["theorem"]["reason"], found["theorem"])
    check("the motor works", ledger["motor_work"] > 0, ledger)
    check("the spring holds k x^2/2", 0 < ledger["spring"] <= ledger["energy_end"], ledger)
    change = ledger["energy_end"] - ledger["energy_start"]
    works = sum(ledger[key] for key in WORKS)
    check("works add up to the change of energy", abs(works - change) < 1e-9, (works, change))
    out = scree.expect(0, "run", "driven.yaml", "--no-store").out
    for word in ("motors", "springs", "joints"):
        check(f"the summary has the {word}", f" {word}" in out, out)


def test_sunk(scree):
    """Bodies that lie in each other: first line, warning, exit status 1, unless it is allowed."""
    scree.write("sunk.yaml", SUNK)
    answer = scree.expect(1, "run", "sunk.yaml", "--no-store")
    check("warned in the first line", first_line(answer).startswith("warned: ")
          and "% of the smaller body" in first_line(answer), answer.out)
    found = scree.json("run", "sunk.yaml", "--no-store", status=1)
    equal("verdict", found["verdict"], "warned")
    check("the share", found["penetration_share"] > 0.05, found["penetration_share"])
    check("a sentence", len(found["warnings"]) == 1 and "penetration" in found["warnings"][0], found)
    equal("the run is done", (found["status"], found["refusal"]), ("done", None))
    allowed = scree.expect(0, "run", "sunk.yaml", "--no-store", "-s", "scheme.penetration=0.9")
    check("allowed, and still told first", first_line(allowed).startswith("warned: ")
          and "\n  warning              penetration" in allowed.out, allowed.out)
    check("what is not allowed says so", "\n  warning, status 1    penetration" in answer.out, answer.out)
    strict = scree.json("run", "sunk.yaml", "--no-store", "-s", "scheme.penetration=0.01", status=1)
    check("less than usual can be asked for", "1 % are allowed" in strict["warnings"][0], strict)


def test_created(scree):
    """Created energy and a certificate exclude each other; exit status 1, unless the scene expects it."""
    scree.write("creates.yaml", CREATES)
    answer = scree.expect(1, "run", "creates.yaml", "--no-store")
    check("created, in the first line", "J created" in first_line(answer)
          and first_line(answer).startswith("warned: "), answer.out)
    check("not certified", "theorem holds" not in answer.out, answer.out)
    answer = scree.expect(1, "run", "creates.yaml", "--no-store", "--quiet")
    check("quiet, but not silent", not answer.out and "warning: contacts created 6 J" in answer.err, answer)
    for limit, status in (("5.9", 1), ("6.1", 0)):
        found = scree.json("run", "creates.yaml", "--no-store", "-s", f"scheme.energy_created={limit}", status=status)
        check("created", abs(found["ledger"]["energy_created"] - 6) < 1e-9, found["ledger"])
        equal("holds", found["theorem"]["holds"], False)
        equal("verdict", found["verdict"], "warned")
        check("and told", "created 6 J" in found["warnings"][0], found["warnings"])


def test_tolerated(scree):
    """What a loose solver leaves of the law brings energy: told, and no more than the scene expects."""
    scree.write("loose.yaml", LOOSE)
    tolerated = {}
    for tolerance, status in (("1e-2", 1), ("1e-4", 0), ("1e-8", 0)):
        found = scree.json("run", "loose.yaml", "--no-store", "-s", f"solver.tolerance={tolerance}", status=status)
        tolerated[tolerance] = found["ledger"]["energy_tolerated"]
        equal(f"{tolerance}: created", found["ledger"]["energy_created"], 0)
        equal(f"{tolerance}: verdict", found["verdict"], "warned" if status else "good")
    check("less where it is solved better", tolerated["1e-2"] > 0.01 and tolerated["1e-4"] < tolerated["1e-2"] / 10
          and tolerated["1e-8"] < 1e-6, tolerated)
    answer = scree.expect(1, "run", "loose.yaml", "--no-store", "-s", "solver.tolerance=1e-2")
    check("in the first line", "J by what the solver left" in first_line(answer), answer.out)
    scree.json("run", "loose.yaml", "--no-store", "-s", "solver.tolerance=1e-2", "-s", "scheme.energy_created=10")


def test_heights_do_not_matter(scree):
    """A pendulum of two rods has an energy of 0 where it hangs at height 0: rounding is not held against that."""
    for height in (0, 1):
        scree.write("pendulum.yaml", f"""
gravity: [0, -9.81]
bodies:
  - {{name: p, mass: 1, inertia: 0.0833, position: [0.5, {height}]}}
  - {{name: q, mass: 1, inertia: 0.0833, position: [1.5, {height}]}}
joints:
  - {{name: a, type: hinge, bodies: [p], at: [0, {height}]}}
  - {{name: b, type: hinge, bodies: [p, q], at: [1, {height}]}}
scheme: {{step: 1e-3, duration: 10}}
""")
        found = scree.json("run", "pendulum.yaml", "--no-store")
        equal(f"at height {height}", [found["verdict"], found["warnings"]], ["good", []])


def test_published(scree):
    """Scenes of papers that create energy say so first, and expect it."""
    for scene, *more in (("impacting-stick", "-s", "scheme.name=moreau-jean"), ("klarbring",),
                         ("rocking-block", "-s", "scheme.duration=1"), ("painleve-rod",)):
        answer = scree.expect(0, "run", scene, "--no-store", *more)
        check(f"{scene}: created, first", first_line(answer).startswith("warned: ")
              and "J created, no dissipation theorem" in first_line(answer), answer.out)


def test_missed(scree):
    """A step that is taken above the tolerance ends with 1, unless such steps are accepted."""
    scree.write("heavy.yaml", HEAVY)
    for more, status in (((), 1), (("-s", "solver.unconverged=accept"), 0)):
        found = scree.json("run", "heavy.yaml", "--no-store", "-s", "parameters.M=1e9", *more, status=status)
        check("taken at worst", found["solver"]["loosened"] > 0 and found["verdict"] == "warned", found)


def test_drifted(scree):
    """Energy that the position correction brings is told and counts as created."""
    scree.write("lifted.yaml", SUNK.replace("correction: none", "correction: projection")
                .replace("overlaps: accept", "overlaps: accept\ngravity: [0, -9.81]"))
    found = scree.json("run", "lifted.yaml", "--no-store", status=1)
    check("told", "position correction brought" in found["warnings"][-1], found["warnings"])
    scree.json("run", "lifted.yaml", "--no-store", "-s", "scheme.energy_created=10")


def test_accepted(scree):
    """Steps that were accepted unsolved warn and revoke the certificate."""
    scree.write("paddle.yaml", PADDLE)
    found = scree.json("run", "paddle.yaml", "--no-store", "-s", "solver.unconverged=accept",
                       "-s", "scheme.penetration=100", "-s", "scheme.energy_created=1e9")
    check("some were", found["solver"]["unconverged"] > 0, found["solver"])
    equal("verdict", found["verdict"], "warned")
    check("revoked", not found["theorem"]["holds"], found["theorem"])


def test_forecast(scree):
    """check knows how fast bodies fall, not what motors, loads and driven bodies do, and says so."""
    for scene, pushed in (("motor-cart", True), ("rotating-drum", True), ("bouncing-ball", False)):
        said = scree.expect(0, "check", scene).out
        check(scene, ("beside what is pushed or driven" in said) == pushed, said)
        check("as JSON", scree.json("check", scene)["forecast"]["complete"] != pushed, scene)


def test_recommended(scree):
    """Commands that scenes recommend for motions are those of runs that are good."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scenes")
    for scene, words in (("box-on-incline", "parameters.H=1"), ("house-of-cards", "parameters.floor_mu=0.25")):
        with open(os.path.join(folder, scene + ".yaml"), encoding="utf-8") as file:
            line = next(line for line in file if "scree run" in line and words in line)
        command = line.split("#")[1].split("scree run")[1].split()
        said = scree.expect(0, "run", *command, "--no-store").out
        check(scene, said.startswith("good"), said)


def refusal_of(scree, text, *more):
    """The refusal of a scene, as JSON, and what is said on standard error."""
    scree.write("refused.yaml", text)
    answer = scree.expect(1, "run", "refused.yaml", "--no-store", *more)
    equal("no summary", answer.out, "")
    found = scree.json("run", "refused.yaml", "--no-store", *more, status=1)
    equal("verdict", found["verdict"], "refused")
    refusal = found["refusal"]
    equal("step and time", (refusal["step"], round(refusal["time"], 9)),
          (found["steps"] + 1, round((found["steps"] + 1) * found["step"], 9)))
    check("a known reason", refusal["reason"] in REASONS, refusal)
    check("the message has the detail", refusal["detail"] in answer.err, answer.err)
    check("the message has the advice", refusal["advice"] in answer.err, answer.err)
    return refusal


def test_no_solution(scree):
    """Two driven bodies squeeze a stone: proven, and both are named."""
    refusal = refusal_of(scree, PADDLE)
    equal("reason", refusal["reason"], "no-solution-proven")
    for name in ("floor", "ram"):
        check(f"driven body {name} is named", f"driven body {name} presses on stone" in refusal["detail"],
              refusal["detail"])


def test_jammed(scree):
    """A driven plane presses a ball into a wedge with much friction: the criterion fails."""
    refusal = refusal_of(scree, WEDGE)
    check("reason", refusal["reason"] in ("existence-criterion-fails", "no-solution-proven"), refusal)
    check("the piston is named", "driven body piston presses on ball" in refusal["detail"], refusal)


HEAVY = """
title: heavy on light
parameters: {M: 1e12}
gravity: [0, -9.81]
bodies:
  - {name: ground, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}
  - {name: light, mass: 1, inertia: 0.1, position: [0, 0.5], shapes: [{type: box, size: [1, 1]}]}
  - {name: heavy, mass: M, inertia: M/6, position: [0, 1.5], shapes: [{type: box, size: [1, 1]}]}
laws: [{friction: 0.5}]
scheme: {step: 1e-3, duration: 0.01}
"""


def heavy(scree, mass, *settings):
    """A run of it."""
    scree.write("heavy.yaml", HEAVY)
    return scree("run", "heavy.yaml", "--no-store", "--json", "--set", f"parameters.M={mass}", *settings)


def test_heavy_on_light(scree):
    """Impulses are multiples of the spacing of doubles near M g h, so the light body misses its rest by half of that:
    beyond a ratio of some 1e6 no impulses in double precision reach 1e-10. What they do reach is taken and told; where
    it is too little, digits are what is named, for there is a solution."""
    for mass in (1e6, 1e7):
        equal(f"{mass:g}: solved", heavy(scree, mass).status, 0)
    for mass in (1e8, 1e9):
        floor = math.ulp(mass * 9.81e-3) / 2 / 9.81e-3
        report = document(heavy(scree, mass))
        check(f"{mass:g}: doubles cannot reach the tolerance", floor > 1e-10)
        check(f"{mass:g}: every step is taken, {floor:.2g} being possible", report["steps"] == 10
              and floor < report["solver"]["residual_max"] < 32 * floor, report["solver"])
        check(f"{mass:g}: and that is told", report["verdict"] == "warned", report["verdict"])
        check(f"{mass:g}: nothing sinks", report["penetration_relative_max"] < 1e-8, report)
    for mass, *settings in ((1e9, "--set", "solver.tolerance=1e-10"), (1e12,), (1e15,)):
        answer = heavy(scree, mass, *settings)
        equal(f"{mass:g}: refused", answer.status, 1)
        check(f"{mass:g}: what stands in the way", "masses that press on each other" in answer.out + answer.err, answer)
        check(f"{mass:g}: no false proof", not any(word in answer.out + answer.err for word in
                                                   ("there is no solution", "proven", "jam")), answer)


def test_budget(scree):
    """One sweep of one solver is not enough, and the advice is to let `auto` choose."""
    refusal = refusal_of(scree, open(os.path.join(os.path.dirname(__file__),
                                                  "../../scenes/dominoes.yaml")).read(),
                         "-s", "solver.name=nsgs", "-s", "solver.max_sweeps=1")
    equal("reason", refusal["reason"], "budget")
    check("advice", "solver.name=auto" in refusal["advice"], refusal)


def on_terminal(scree, **environment):
    """Standard output of a run on a terminal."""
    mine, theirs = pty.openpty()
    with os.fdopen(mine, "rb", 0) as screen:
        process = subprocess.Popen([scree.binary, "run", "bouncing-ball", "--no-store"], stdout=theirs,
                                   stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, cwd=scree.folder,
                                   env={**os.environ, "TERM": "xterm", "NO_COLOR": "", **environment})
        os.close(theirs)
        text = b""
        while True:
            try:
                piece = screen.read(4096)
            except OSError:
                break
            if not piece:
                break
            text += piece
        process.wait(60)
    return text


def test_colours(scree):
    """On a terminal the verdict is coloured, unless that is not wanted."""
    check("green", b"\x1b[32mgood\x1b[0m" in on_terminal(scree), on_terminal(scree))
    check("NO_COLOR", b"\x1b" not in on_terminal(scree, NO_COLOR="1"))
    check("a dumb terminal", b"\x1b" not in on_terminal(scree, TERM="dumb"))
    check("no terminal", "\x1b" not in scree.expect(0, "run", "bouncing-ball", "--no-store").out)


run_tests(globals())
