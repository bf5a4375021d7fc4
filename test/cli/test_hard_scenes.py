# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Small everyday scenes whose steps once were refused at the default tolerance: they run through.

What a step of theirs looks like alone is in test_fallbacks; here the whole way to it counts.
"""

import json

from harness import check, equal, run_tests

HEAVY = """\
parameters: {ratio: 1e6}
space: 3
gravity: [0, 0, -9.81]
bodies:
  - {name: floor, fixed: true, shapes: [{type: plane}]}
  - {name: top, density: ratio, position: [0, 0, 0.9], shapes: [{type: box, size: [0.3, 0.3, 0.2]}]}
generate:
  - name: box
    arrange: grid
    count: [1, 1, 4]
    spacing: 0.2
    origin: [0, 0, 0.1]
    body: {density: 1, shapes: [{type: box, size: [0.3, 0.3, 0.2]}]}
laws: [{friction: 0.4}]
scheme: {step: 1e-3, duration: 0.3}
"""

LAWS = """\
space: 3
gravity: [3, 0, -9.81]
bodies:
  - {name: floor, fixed: true, shapes: [{type: plane}]}
  - {name: plain, density: 500, position: [0, 0, 0.1], shapes: [{type: box, size: [0.4, 0.4, 0.2]}]}
  - {name: ice, density: 500, position: [0, 2, 0.1], shapes: [{type: box, size: [0.4, 0.4, 0.2]}]}
  - {name: grain, density: 500, position: [0, 8, 0.1], shapes: [{type: box, size: [0.4, 0.4, 0.2]}]}
  - {name: ball, density: 500, position: [0, 10, 0.1], shapes: [{type: sphere, radius: 0.1}]}
laws:
  - {friction: 0.1}
  - {between: [ice, floor], friction: 0}
  - {between: [ball, floor], friction: 0.9, rolling: 0.02}
  - {between: [grain, floor], friction: 0.05, friction_second: 0.8, grain: [1, 0, 0]}
scheme: {step: 1e-3, duration: 0.5}
"""

BALLS = """\
space: 3
gravity: [0, 0, -9.81]
bodies:
  - name: box
    fixed: true
    shapes:
      - {type: plane}
      - {type: plane, at: [-1, 0, 0], normal: [1, 0, 0]}
      - {type: plane, at: [1, 0, 0], normal: [-1, 0, 0]}
      - {type: plane, at: [0, -1, 0], normal: [0, 1, 0]}
      - {type: plane, at: [0, 1, 0], normal: [0, -1, 0]}
generate:
  - name: ball
    arrange: random
    count: 60
    region: [[-1, -1, 0], [1, 1, 6]]
    radius: 0.25
    body: {density: 1000, shapes: [{type: sphere, radius: 1}]}
laws: [{friction: 0.4}]
scheme: {step: 1e-3, duration: 1, approach: ignored}
"""


def runs_through(scree, what, text, *options):
    """No step is refused; the summary."""
    scree.write("scene.yaml", text)
    answer = scree("run", "scene.yaml", "-o", "run.h5", "--json", *options)
    equal(f"{what}: exit status", answer.status, 0)
    summary = json.loads(answer.out)
    equal(f"{what}: unconverged steps", summary.get("solver", {}).get("unconverged"), 0)
    return summary


def test_heavy_on_light(scree):
    """A heavy box on light ones: rounding is above the tolerance from 1e5 on, and it stands."""
    for ratio in (1e3, 1e5, 1e6):
        summary = runs_through(scree, f"ratio {ratio:g}", HEAVY, "--set",
                               f"parameters.ratio={ratio:g}")
        worst = summary["solver"]["residual_max"]
        check(f"ratio {ratio:g}: the residual is that of rounding", worst < 1e-14 * ratio + 1e-10,
              worst)
        ledger = summary["ledger"]
        check(f"ratio {ratio:g}: nothing moves",
              abs(ledger["energy_end"] - ledger["energy_start"]) < 1e-9 * ledger["energy_start"],
              ledger)


def test_laws_side_by_side(scree):
    """Rolling and elliptic friction in one problem, whose canonical form weighs them otherwise."""
    runs_through(scree, "laws", LAWS)


def test_balls_in_a_box(scree):
    """Sixty balls come to rest, with contacts that are dropped and found again."""
    runs_through(scree, "balls", BALLS)
    runs_through(scree, "balls, theta 0.6", BALLS, "--set", "scheme.theta=0.6", "--set",
                 "scheme.approach=auto")


CUP = """\
gravity: [0, -9.81]
bodies:
  - {name: cup, fixed: true, shapes: [{type: chain, vertices: [[-1, 1], [-0.5, 0], [0.5, 0], [1, 1]]}]}
  - {name: ball, density: 1000, position: [0, 0.3], shapes: [{type: disc, radius: 0.1}]}
scheme: {step: 1e-3, duration: 0.5}
"""

SIDE_BY_SIDE = """\
parameters: {short: 1e-10}
gravity: [0, -9.81]
bodies:
  - {name: floor, fixed: true, shapes: [{type: half-plane}]}
  - {name: a, density: 2000, position: [0, 5 - short], shapes: [{type: box, size: [10, 10]}]}
  - {name: b, density: 2000, position: [10 - short, 5], shapes: [{type: box, size: [10, 10]}]}
laws: [{friction: 0.5}]
scheme: {step: 1e-3, duration: 0.1}
"""


def test_chain_the_wrong_way_round(scree):
    """Whoever starts behind a one-sided surface is named, before it falls through."""
    runs_through(scree, "cup", CUP)
    turned = "bodies.cup.shapes.0.vertices=[[1, 1], [0.5, 0], [-0.5, 0], [-1, 1]]"
    scree.write("cup.yaml", CUP)
    for command in ("check", "run"):
        said = scree.expect(2, command, "cup.yaml", "--set", turned).err
        check(command, "start behind the chain of cup, ball first" in said, said)


def test_last_digits_of_places(scree):
    """Ten decimals of ten metres are enough to place bodies side by side; a tenth of a millimetre too much is told."""
    runs_through(scree, "side by side", SIDE_BY_SIDE)
    scree.write("near.yaml", SIDE_BY_SIDE)
    said = scree.expect(2, "run", "near.yaml", "--set", "parameters.short=1e-4").err
    check("told", "overlap by 0.0001" in said, said)


if __name__ == "__main__":
    run_tests(globals())
