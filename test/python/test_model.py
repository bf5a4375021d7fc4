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
