# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""scree measure, and the scenes it is made for: arch, bridge, pile.

Arches are held against the limit analysis of their kind (hinges and sliding, straight blocks), whose least
thickness and friction come from a linear program that is no part of scree.
"""

import json
import math

from harness import check, equal, run_tests


def near(what, got, expected, tolerance):
    """Check for a number."""
    return check(f"{what}: {expected} to {tolerance}", abs(got - expected) <= tolerance, got)


def measure(scree, run, what, *more):
    """What the command tells as JSON."""
    return json.loads(scree.expect(0, "measure", run, what, "--json", *more).out)


def stands(scree, **parameters):
    """The verdict of --check-equilibrium, which has to be a proof."""
    words = [word for key, value in parameters.items() for word in ("--set", f"parameters.{key}={value!r}")]
    found = json.loads(scree("run", "stone-arch", "--check-equilibrium", "--json", *words).out)
    check(f"arch {parameters}: proven", found["proven"], found)
    return found["equilibrium"]


def test_thickness_of_arches(scree):
    """3 % on both sides of the least thickness without sliding."""
    for blocks, thickness in {9: 0.1015255, 15: 0.1060681, 27: 0.1067209, 51: 0.1073569}.items():
        equal(f"{blocks} blocks, thick", stands(scree, N=blocks, t=1.03 * thickness), True)
        equal(f"{blocks} blocks, thin", stands(scree, N=blocks, t=0.97 * thickness), False)


def test_friction_of_arches(scree):
    """0.01 on both sides of the least friction of 27 blocks."""
    for thickness, friction in {0.11: 0.391744, 0.13: 0.370886, 0.15: 0.351137, 0.2: 0.308989}.items():
        equal(f"t = {thickness}, rough", stands(scree, t=thickness, mu=friction + 0.01), True)
        equal(f"t = {thickness}, smooth", stands(scree, t=thickness, mu=friction - 0.01), False)


def test_a_thin_arch_falls_by_hinges(scree):
    """At the springings, one joint from the analytic place of the haunches, and beside the keystone."""
    run = scree.expect(0, "run", "stone-arch", "--set", "parameters.t=0.1", "-o", "thin.h5")
    check("the summary names the hinges", "6 hinged, 0 sliding" in run.out and "voussoir-13 | voussoir-14 upper" in run.out,
          run.out)
    found = measure(scree, "thin.h5", "joints")
    hinges = [j for j in found["joints"] if j["state"] == "hinged"]
    equal("hinges", found["hinged"], len(hinges))
    equal("sliding joints", found["sliding"], 0)
    places = sorted(abs(math.degrees(math.atan2(j["x"], j["y"]))) for j in hinges)
    if equal("six of them", len(places), 6):
        check("two at the keystone", max(places[:2]) < 7, places)
        check("two at the haunches", all(abs(p - 54.484) < 180 / 27 for p in places[2:4]), places)
        check("two at the springings", min(places[4:]) > 89, places)


def test_a_thick_arch_stands(scree):
    """All joints stay closed, and the thrust carries the weight to both sides."""
    run = scree.expect(0, "run", "stone-arch", "--set", "scheme.duration=0.3", "-o", "arch.h5", "--json", "-q")
    equal("verdict", json.loads(run.out)["verdict"], "good")
    found = measure(scree, "arch.h5", "joints")
    equal("closed joints", found["closed"], 28)
    weight = measure(scree, "arch.h5", "ground-pressure")["weight"]
    for joint in found["joints"]:
        if joint["a"].startswith("abutment"):
            near(f"weight on {joint['a']}", -joint["fy"] / weight, 0.5, 1e-6)


def test_thrust_is_drawn(scree):
    """A line from joint to joint, inside of the arch, that of the check and that of a run."""
    scree.expect(0, "run", "stone-arch", "--check-equilibrium", "--plot", "thrust.svg")
    plain = scree.expect(0, "check", "stone-arch", "--plot", "plain.svg")
    check("the check says where its figure is", "plain.svg" in plain.out, plain)
    lines = [(scree.folder / name).read_text().count("stroke-width:1.6") for name in ("plain.svg", "thrust.svg")]
    check("the thrust is a line of its own", lines[0] == 0 and lines[1] >= 1, lines)
    scree.expect(2, "run", "stone-arch", "--plot", "x.svg")


def test_bridges_turn_or_slide(scree):
    """Friction 0.6: hinges in the ring, nothing slides. 0.3: archstones slide."""
    for mu in (0.6, 0.3):
        scree.expect(0, "run", "stone-bridge", "--set", f"parameters.mu={mu}", "--set", "scheme.duration=1", "-o",
                     "bridge.h5", "-q")
        ring = [j["state"] for j in measure(scree, "bridge.h5", "joints")["joints"]
                if j["b"].startswith("archstone") and j["a"] != "ram"]
        if mu > 0.5:
            check("five hinges or more", ring.count("hinged") >= 5, ring)
            equal("sliding joints", ring.count("sliding"), 0)
        else:
            check("the keystone slides on both sides", ring.count("sliding") >= 2, ring)


def test_a_pile(scree):
    """A small pile comes to rest on the ground, which bears its weight."""
    run = scree.expect(0, "run", "conical-pile", "--set", "parameters.N=40", "--set", "parameters.rate=400", "--set",
                       "parameters.rest=0.6", "-o", "pile.h5", "--json", "-q")
    equal("verdict", json.loads(run.out)["verdict"], "good")
    ground = measure(scree, "pile.h5", "ground-pressure", "--width", "0.5")
    near("force over weight", ground["total_force"] / ground["weight"], 1, 1e-3)
    near("sum of the rings", sum(r["force"] for r in ground["rings"]), ground["total_force"], 1e-6)
    neighbours = measure(scree, "pile.h5", "coordination")
    equal("grains", neighbours["bodies"], 40)
    equal("grains of the histogram", sum(r["bodies"] for r in neighbours["histogram"]), 40)
    check("grains lie on others", neighbours["coordination"] > 2, neighbours)
    fabric = measure(scree, "pile.h5", "fabric")
    near("trace of the fabric", sum(fabric["fabric"][k][k] for k in range(3)), 1, 1e-12)
    equal("cells", len(measure(scree, "pile.h5", "stress", "--cells", "2,2,1")["cells"]), 4)
    fraction = measure(scree, "pile.h5", "solid-fraction")["solid_fraction"]
    check("solid fraction", 0.05 < fraction < 0.75, fraction)
    force = measure(scree, "pile.h5", "force-on:grain")  # of the floor and its pavement
    near("force on the grains", force["force"][2] / ground["total_force"], 1, 1e-9)
    equal("rows of the flow", len(measure(scree, "pile.h5", "flow:z=1")["flow"]), len(force["forces"]))
    rows = scree.expect(0, "measure", "pile.h5", "ground-pressure", "-o", "-").out.splitlines()
    equal("head of the table", rows[0], "inner,outer,area,force,pressure,contacts")
    scree.expect(0, "measure", "pile.h5", "ground-pressure", "--plot", "pressure.svg")
    check("a figure", (scree.folder / "pressure.svg").stat().st_size > 1000)

    layers = measure(scree, "pile.h5", "layers", "--born", "0,0.05", "--width", "0.5")
    equal("grains born within 0.05 s", sum(r["bodies"] for r in layers["layers"]), 20)
    everything = measure(scree, "pile.h5", "layers", "--width", "0.5")["layers"]
    equal("grains of all layers", sum(r["bodies"] for r in everything), 40)
    check("six layers", len({r["born_from"] for r in everything}) == 6, everything)
    for what in ("layers", "meridian"):
        scree.expect(0, "measure", "pile.h5", what, "--plot", f"{what}.svg")
        check(f"a figure of {what}", (scree.folder / f"{what}.svg").stat().st_size > 1000)

    for words, said in ((("colour",), "cannot measure"), (("force-on:nobody",), "no body or group"),
                        (("stress", "--region", "1,0,0,0,1,1"), "low corner"), (("joints",), "in the plane"),
                        (("layers", "--born", "1"), "wants 2"),
                        (("fabric", "--plot", "x.svg"), "no curve")):
        answer = scree.expect(2, "measure", "pile.h5", *words)
        check(f"{words}: says {said}", said in answer.err, answer)


def test_a_slice_of_a_pile(scree):
    """Pictures of a region, with layers in colours: what is outside is not drawn, contacts neither."""
    scree.expect(0, "run", "sphere-packing", "--set", "scheme.duration=0.01", "-o", "balls.h5", "-q")
    whole = scree.expect(0, "plot", "balls.h5", "bodies", "--with", "numbers", "-o", "whole.svg") and \
        (scree.folder / "whole.svg").read_text()
    box = "--region=-9,-9,-9,9,0,9"
    scree.expect(0, "plot", "balls.h5", "bodies", "--with", "numbers", box, "-o", "half.svg")
    check("a part is another picture", (scree.folder / "half.svg").read_text() != whole)
    for words, said in ((("bodies", "--region", "0,0,1,1"), "6 numbers"), (("bodies", "--region", "1,1,1,0,2,2"), "low corner"),
                        (("bodies", "--born", "2,1"), "earlier one first"), (("bodies", "--born", "1,2,3"), "pairs"),
                        (("energy", "--region", "0,0,1,1"), "goes with the figure bodies")):
        answer = scree.expect(2, "plot", "balls.h5", *words)
        check(f"{words}: says {said}", said in answer.err, answer)


LAID = """
gravity: [0, -10]
bodies:
  - {name: floor, fixed: true, shapes: [{type: half-plane}]}
  - {name: left, fixed: true, position: [-1, 1], shapes: [{type: disc, radius: 1}]}
  - {name: right, fixed: true, position: [1, 1], shapes: [{type: disc, radius: 1}]}
  - {name: ball, density: 1, born: 0.05, deposit: true, position: [0, 50], shapes: [{type: disc, radius: 1}]}
  - {name: box, density: 1, born: 0.1, deposit: true, position: [0.1, 40], angle: 0.3,
     shapes: [{type: box, size: [1, 1]}]}
laws: [{friction: 0.5}]
scheme: {step: 0.01, duration: 0.11}
"""


def test_elastic_and_empty(scree):
    """Forces of an elastic block on its ground; regions and slopes that are not there are told."""
    scree.expect(0, "run", "sliding-block", "--set", "scheme.duration=0.01", "-o", "block.h5", "-q")
    force = measure(scree, "block.h5", "force-on:ground")
    other = measure(scree, "block.h5", "force-on:block")
    check("the ground is pressed", force["force_max"] > 0, force)
    near("action and reaction", force["force"][1], -other["force"][1], 1e-9 * force["force_max"])
    scree.expect(0, "run", "impacting-stick", "--set", "scheme.duration=0.05", "-o", "stick.h5", "-q")
    for what in ("stress", "slope"):
        answer = scree.expect(2, "measure", "stick.h5", what)
        check(f"{what}: says why", "no volume" in answer.err or "no slope" in answer.err, answer)
    scree.expect(0, "run", "stone-arch", "--set", "scheme.duration=0.05", "-o", "arch.h5", "-q")
    ground = measure(scree, "arch.h5", "ground-pressure")
    near("rings hold all force", sum(r["force"] for r in ground["rings"]) / ground["total_force"], 1, 1e-12)


def test_deposits(scree):
    """A disc is laid into the hollow of two, a box onto the disc; both touch to rounding."""
    scree.write("laid.yaml", LAID)
    scree.expect(0, "run", "laid.yaml", "-o", "laid.h5", "-q")
    rows = [line.split(",") for line in scree.expect(0, "export", "laid.h5", "bodies").out.splitlines()[1:]]
    ball = {int(r[0]): float(r[4]) for r in rows if r[2] == "ball"}
    near("before it is born", ball[4], 50, 0)
    near("in the hollow", ball[5], 1 + math.sqrt(3), 1e-12)
    scree.expect(0, "run", "laid.yaml", "--set", "bodies.ball.born=0", "--set", "scheme.duration=0.02", "-o", "first.h5", "-q")
    first = scree.expect(0, "export", "first.h5", "bodies").out.splitlines()[1].split(",")
    near("in the hollow from the start on", float(first[4]), 1 + math.sqrt(3), 1e-12)
    contacts = scree.expect(0, "export", "laid.h5", "contacts").out.splitlines()
    gaps = [float(line.split(",")[5]) for line in contacts[1:] if line.startswith("11,") and "box" in line]
    check("the box touches the ball", gaps and min(map(abs, gaps)) < 1e-10, gaps)
    scree.expect(0, "run", "laid.yaml", "--set", "scheme.duration=0.07", "-o", "half.h5", "-q")

    scree.write("fixed.yaml", "bodies: [{name: a, fixed: true, deposit: true}]\nscheme: {step: 1, duration: 1}\n")
    answer = scree.expect(2, "check", "fixed.yaml")
    check("its place is told", "fixed.yaml:1:" in answer.err and "cannot be lowered" in answer.err, answer)


def test_a_parameter_may_be_called_t(scree):
    """It hides the time, which is time then."""
    scene = ("parameters: {t: 2}\nbodies: [{name: a, mass: t, inertia: 1, force: ['%s', 0, 0]}]\n"
             "scheme: {step: 0.1, duration: 0.5}\n")
    scree.write("time.yaml", scene % "sin(time)")
    scree.expect(0, "run", "time.yaml", "-q")
    scree.write("both.yaml", scene % "sin(t)")
    answer = scree.expect(2, "check", "both.yaml")
    check("says which is which", "write time for the time" in answer.err, answer)


if __name__ == "__main__":
    run_tests(globals())
