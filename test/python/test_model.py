# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Models by calls: the same bits as scenes, closed forms, functions of time, wrong arguments."""
import gc
import math

import numpy as np
import pytest

import scree
from scree import Model, Shape


def ball_model(**law):
    model = Model(gravity=(0, -9.81))
    model.body("ground", fixed=True, shapes=[Shape("half-plane", normal=(0, 1))])
    model.body("ball", mass=1, inertia=0.4 * 0.1**2, position=(0, 1.1), shapes=[Shape("disc", radius=0.1)])
    model.law("ball", "ground", **{"restitution": 0.7, "friction": 0.3, **law})
    return model


def test_bits_of_the_scene():
    scene = scree.open("bouncing-ball", {"parameters.h0": 1, "parameters.r": 0.1})
    scene.set_state(q=[0, 0, 0, 0, 1.1, 0], v=np.zeros(6))
    sim = ball_model().simulate(step=1e-3, duration=3)
    sim.step(3000)
    scene.step(3000)
    assert sim.q.tobytes() == scene.q.tobytes() and sim.v.tobytes() == scene.v.tobytes()


def test_model_lives_as_long_as_its_simulation():
    sim = ball_model().simulate(step=1e-3)
    gc.collect()
    sim.step(100)
    assert abs(sim.time - 0.1) < 1e-15 and sim.bodies == ["ground", "ball"]


def test_density():
    model = Model(gravity=(0, 0, -9.81), space=3)
    model.body("box", density=1000, shapes=[Shape("box", size=(0.1, 0.2, 0.3))])
    model.body("ball", density=500, position=(1, 0, 0), shapes=[Shape("sphere", radius=0.1)])
    sim = model.simulate(step=1e-3)
    assert sim.body("box").mass == pytest.approx(6, rel=1e-12)
    assert sim.body("ball").mass == pytest.approx(500 * 4 / 3 * math.pi * 1e-3, rel=1e-12)


def test_pendulum_keeps_its_energy():
    model = Model(gravity=(0, -9.81))
    model.body("bob", mass=2, inertia=0.01, position=(1, 0))
    model.joint("hinge", "bob", anchor=(0, 0), name="pivot")
    sim = model.simulate(step=1e-3, theta=0.5)
    start = sim.energy
    sim.step(2000)
    assert abs(np.hypot(*sim.body("bob").position) - 1) < 1e-4
    assert abs(sim.energy - start) < 1e-3 * 2 * 9.81


def test_spring_has_its_period():
    model = Model()
    model.body("mass", mass=1, inertia=1, position=(1.1, 0))
    joint = model.joint("slider", "mass", axis=(1, 0), anchor=(0, 0))
    model.spring(joint, stiffness=(2 * math.pi)**2)
    sim = model.simulate(step=1e-3, theta=0.5)
    start = sim.body("mass").position[0]
    sim.set_state(v=[0.5, 0, 0])
    sim.step(1000)
    assert sim.body("mass").position[0] == pytest.approx(start, abs=1e-4)
    assert sim.body("mass").velocity[0] == pytest.approx(0.5, abs=1e-4)


def test_spring_by_its_energy():
    linear, quartic = [], []
    for energy, ends in ((None, linear), (lambda e: (2.0 * e**2, 4.0 * e), quartic)):
        model = Model()
        model.body("mass", mass=1, inertia=1, position=(0.3, 0))
        model.spring(model.joint("slider", "mass", axis=(1, 0), anchor=(0, 0)),
                     **({"energy": energy} if energy else {"stiffness": 4.0}))
        sim = model.simulate(step=1e-3, theta=0.5)
        sim.set_state(v=[1, 0, 0])
        sim.step(300)
        ends += list(sim.q)
    assert np.allclose(linear, quartic, atol=1e-6)


def test_motor_follows_a_function_of_time():
    model = Model()
    model.body("wheel", mass=1, inertia=0.5)
    model.motor(model.joint("hinge", "wheel", anchor=(0, 0)), "velocity", target=lambda t: (2 * t, 2.0))
    sim = model.simulate(step=1e-3)
    sim.step(1000)
    assert sim.v[2] == pytest.approx(2, abs=5e-3) and sim.totals.motor_work == pytest.approx(1.0, abs=0.01)


def test_force_of_time():
    model = Model()
    model.body("mass", mass=1, inertia=1, force=(lambda t: math.cos(t), 0, 0))
    sim = model.simulate(step=1e-3, theta=0.5)
    sim.step(1000)
    assert sim.v[0] == pytest.approx(math.sin(1), abs=1e-6)


def test_exception_in_a_function_of_time():
    armed = []

    def force(t):
        if armed:
            raise ZeroDivisionError("mine")
        return 1.0

    model = Model()
    model.body("mass", mass=1, inertia=1, force=(force, 0, 0))
    sim = model.simulate(step=1e-3, theta=0.5)
    sim.step(10)
    before = sim.q.copy(), sim.v.copy()
    armed.append(1)
    with pytest.raises(ZeroDivisionError, match="mine"):
        sim.step()
    armed.clear()
    assert (sim.q == before[0]).all() and (sim.v == before[1]).all() and sim.step_count == 10
    sim.step(10)
    assert sim.v[0] == pytest.approx(0.02, abs=1e-15)


def test_driven_body():
    model = Model()
    model.body("plate", driven=True, path={"along": (lambda t: (0.5 * t, 0.5), 0)})
    sim = model.simulate(step=0.01)
    sim.step(100)
    assert sim.q[0] == pytest.approx(0.5, abs=1e-14)


def test_system_with_a_stop():
    """A mass on a spring against a stop, e = 0: it stays there."""
    model = Model()
    model.system(mass=[[1.0]], stiffness=[[10.0]], position=[1.0], load=[lambda t: -20.0])
    model.contact("stop", normal=[1.0], restitution=0)
    sim = model.simulate(step=1e-3)
    sim.step(3000)
    assert abs(sim.q[0]) < 1e-3 and sim.contacts["impulse"][0, 0] == pytest.approx(20e-3, rel=1e-2)


def test_groups_and_meshes():
    model = Model(gravity=(0, 0, -9.81), space=3)
    floor = [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]
    model.body("floor", fixed=True, shapes=[Shape("mesh", vertex=floor, triangle=[[0, 1, 2], [0, 2, 3]])])
    for k in range(3):
        model.body(f"ball{k}", density=1000, group="balls", position=(0.3 * k - 0.3, 0.05, 0.101),
                   shapes=[Shape("sphere", radius=0.1)])
    model.law("balls", restitution=0, friction=0.5)
    sim = model.simulate(step=1e-3)
    sim.step(300)
    assert np.allclose([sim.body(f"ball{k}").position[2] for k in range(3)], 0.1, atol=1e-3)


@pytest.mark.parametrize("wrong, kind, part", [
    (lambda m: m.body("b", mas=1), TypeError, "did you mean 'mass'"),
    (lambda m: m.body("b", mass="x"), ValueError, "mass"),
    (lambda m: m.body("b", mass=-1, inertia=1), scree.InputError, "mass"),
    (lambda m: m.body("b", mass=1, inertia=1, position=(1, 2, 3, 4)), ValueError, "at most 3"),
    (lambda m: Shape("dics"), ValueError, "did you mean 'disc'"),
    (lambda m: m.law(frictoin=1), TypeError, "did you mean 'friction'"),
    (lambda m: m.law("nobody", friction=1), KeyError, "nobody"),
    (lambda m: m.joint("hing", "nobody"), ValueError, "did you mean 'hinge'"),
    (lambda m: m.system(mass=[[1, 0], [0, 1]], position=[1]), ValueError, "position"),
    (lambda m: m.body("b", mass=1, inertia=1) or m.simulate(step=-1), scree.InputError, "step"),
    (lambda m: m.simulate(step=1, thteta=1), TypeError, "thteta")])
def test_wrong_arguments(wrong, kind, part):
    with pytest.raises(kind, match=part):
        wrong(Model())


def pendulum():
    """A double pendulum of unit masses and lengths, by its mass matrix."""
    def mass(q):
        c, s = math.cos(q[0] - q[1]), math.sin(q[0] - q[1])
        return [[2, c], [c, 1]], [[[0, -s], [-s, 0]], [[0, s], [s, 0]]]

    def weight(q):
        return -9.81 * (2 * math.cos(q[0]) + math.cos(q[1])), [2 * 9.81 * math.sin(q[0]), 9.81 * math.sin(q[1])]
    return mass, weight


def test_mechanism_keeps_its_energy():
    mass, weight = pendulum()
    model = Model()
    model.mechanism(mass=mass, potential=weight, position=[1, 2], velocity=[0.5, -1])
    sim = model.simulate(step=4e-3, scheme="moreau-jean-fremond")
    start = sim.energy
    sim.step(500)
    assert abs(sim.energy - start) < 1e-11 and len(sim.q) == 2


def test_mechanism_that_touches():
    """The tip meets the ground."""
    mass, weight = pendulum()

    def tip(q):
        gap = 1.5 - math.cos(q[0]) - math.cos(q[1])
        return gap, [math.sin(q[0]), math.sin(q[1])], [math.cos(q[0]), math.cos(q[1])]

    model = Model()
    model.mechanism(mass=mass, potential=weight, position=[1.2, 1.5], contacts=[{"name": "tip", "gap": tip, "friction": 0.3}])
    sim = model.simulate(step=1e-3)
    sim.step(1000)
    assert sim.totals.energy_created == 0 and sim.totals.contacts_solved > 0
    assert tip(sim.q)[0] > -1e-2 and sim.side_name(sim.contacts[0]["b"]) == "tip"


def test_exception_in_a_mechanism():
    mass, weight = pendulum()
    armed = []

    def touchy(q):
        if armed:
            raise ArithmeticError("mine")
        return mass(q)

    model = Model()
    model.mechanism(mass=touchy, potential=weight, position=[1, 2])
    sim = model.simulate(step=1e-3)
    sim.step(5)
    before = sim.q.copy()
    armed.append(1)
    with pytest.raises(ArithmeticError, match="mine"):
        sim.step()
    armed.clear()
    assert (sim.q == before).all()
    sim.step(5)
    wrong = Model()
    with pytest.raises(ValueError):
        wrong.mechanism(mass=lambda q: np.eye(3), position=[1, 2])
        wrong.simulate(step=1e-3)


def test_elastic_bar_under_its_load():
    """A bar that is held at one end and pulled at the other: u = sigma L / E, without Poisson's ratio."""
    for mesh in (scree.Mesh.rectangle((0, 0), (1, 0.1), (10, 1)),
                 scree.Mesh.make([[0, 0], [1, 0], [1, 0.1], [0, 0.1]], [[0, 1, 2, 3]], "q4",
                                 {"left": [[3, 0]], "right": [[1, 2]]})):
        model = Model()
        model.elastic("bar", mesh, young=1e6, poisson=0.0, density=1000, damping_mass=100.0,
                      held={"left": (0, 0)}, traction={"right": (2e3, 0)})
        sim = model.simulate(step=1e-3, theta=1)
        sim.step(3000)
        tip = sim.q.reshape(-1, 2)[mesh.nodes[:, 0] == 1, 0]
        assert tip == pytest.approx(2e-3, rel=1e-3)


def test_elastic_disc_falls_on_the_ground():
    model = Model(gravity=(0, -9.81))
    model.body("ground", fixed=True, shapes=[Shape("half-plane", normal=(0, 1))])
    model.elastic("disc", scree.Mesh.disc((0, 0.11), 0.1, 4), young=1e6, poisson=0.3, density=1000, velocity=(0, -1))
    sim = model.simulate(step=1e-4)
    sim.step(300)
    assert sim.totals.contacts_solved > 0 and abs(sim.ledger.residual) <= sim.ledger.bound
    with pytest.raises(KeyError, match="did you mean 'left'"):
        model.elastic("bar", scree.Mesh.rectangle((0, 0), (1, 1), (1, 1)), held={"lft": (0, 0)})
    with pytest.raises(TypeError, match="young"):
        Model().elastic("bar", scree.Mesh.rectangle((0, 0), (1, 1), (1, 1)), yuong=1)
