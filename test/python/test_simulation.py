# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Stepping: states and views of them, contacts, ledger, forces, refusals."""
import pickle
import weakref

import numpy as np
import pytest
from conftest import COUPLED

import scree


def test_contract():
    sim = scree.open("impacting-stick", {"scheme.step": 1e-4})
    sim.step()
    assert sim.time == 1e-4 and sim.step_count == 1
    assert sim.q.shape == (6,) and sim.v.shape == (6,)
    assert sim.contacts.dtype.names and sim.contacts["normal"].shape == (len(sim.contacts), 3)
    assert sim.ledger["kinetic"] == sim.ledger.kinetic > 0
    assert abs(sim.ledger["residual"]) <= sim.ledger["bound"]


def test_several_steps_are_the_same_as_one_by_one():
    one, many = scree.open("impacting-stick"), scree.open("impacting-stick")
    for _ in range(1200):
        one.step()
    many.step(1200)
    assert one.q.tobytes() == many.q.tobytes() and one.v.tobytes() == many.v.tobytes()
    assert one.totals == many.totals


def test_views_are_never_stale(ball):
    q, v = ball.q, ball.v
    place = ball.body("ball").position
    height = []
    for _ in range(7):
        ball.step()
        assert q is ball.q and v is ball.v
        height.append(float(place[1]))
    assert height == sorted(height, reverse=True) and len(set(height)) == 7
    assert height[-1] == q[4]
    with pytest.raises(ValueError):
        q[0] = 1


def test_views_outlive_the_simulation():
    sim = scree.open("bouncing-ball")
    sim.step(500)
    q, place, contacts = sim.q, sim.body("ball").position, sim.contacts
    expected, impulses = q.copy(), contacts["impulse"].copy()
    gone = weakref.ref(sim)
    del sim
    assert gone() is None  # at once, without a search for cycles
    for _ in range(20):  # somebody else takes the memory
        scree.open("bouncing-ball").step(50)
    assert (q == expected).all() and place[1] == expected[4] and (contacts["impulse"] == impulses).all()


def test_close(ball):
    q = ball.q
    ball.close()
    assert q[4] == 1.1
    ball.close()
    for use in (ball.step, lambda: ball.time, lambda: ball.contacts, lambda: ball.set_force(q), lambda: ball.bodies,
                lambda: ball.positions, lambda: ball.joints, lambda: ball.body(0), lambda: ball.side_name(0),
                lambda: ball.add_body("more", mass=1, inertia=1)):
        with pytest.raises(ValueError, match="closed"):
            use()
    with scree.open("bouncing-ball") as other:
        other.step()
    assert "closed" in repr(other)


def test_free_fall_in_closed_form():
    """theta = 1/2 is exact for a parabola."""
    sim = scree.open("bouncing-ball", {"scheme.theta": 0.5})
    sim.step(200)
    assert abs(sim.body("ball").position[1] - (1.1 - 9.81 * 0.2**2 / 2)) < 1e-14


def test_held_force_is_booked_as_external_work(ball):
    force = np.zeros(6)
    force[3] = 2.5
    ball.set_force(force)
    ball.step(100)
    body = ball.body("ball")
    assert abs(body.velocity[0] - 0.25) < 1e-14
    assert abs(ball.totals.external_work - 2.5 * body.position[0]) < 1e-14
    ball.set_force(None)
    ball.step()
    assert ball.ledger.external_work == 0
    ball.set_force([1, 0, 0], body="ball")
    ball.step()
    assert ball.ledger.external_work > 0
    with pytest.raises(ValueError):
        ball.set_force([1, 2])
    with pytest.raises(KeyError):
        ball.set_force([1, 0, 0], body="bal")


def test_force_that_sees_the_state(ball):
    """Drag -c v, held during the step: v' = v - h c v, booked as external work."""
    c, h, seen = 0.8, 1e-3, []

    def drag(t, q, v):
        seen.append((t, q[4], v[3]))
        return [0, 0, 0, -c * v[3], 9.81, 0]

    ball.set_state(v=[0, 0, 0, 2.0, 0, 0])
    ball.set_forces(drag)
    ball.step(500)
    expected = 2.0 * (1 - h * c)**500
    assert abs(ball.body("ball").velocity[0] - expected) < 1e-13
    assert len(seen) == 500 and abs(seen[-1][0] - 0.499) < 1e-12 and seen[-1][1] == pytest.approx(1.1, abs=1e-12)
    assert abs(ball.totals.external_work - (expected**2 - 4) / 2) < 1e-12
    ball.set_forces(None)
    assert ball.step() is None


class Mine(Exception):
    pass


@pytest.mark.parametrize("steps", [1, 5])
def test_exception_in_a_force(steps):
    """The step is refused, nothing is lost, and the run goes on to the same bits."""
    calm, sim = scree.open("impacting-stick"), scree.open("impacting-stick")
    armed = []

    def force(t, q, v):
        if armed:
            raise Mine("here")

    calm.set_forces(lambda t, q, v: None)
    sim.set_forces(force)
    for k in range(600):
        if k % 50 == 0:
            before = sim.q.copy(), sim.v.copy(), sim.time, sim.energy
            armed.append(1)
            with pytest.raises(Mine, match="here"):
                sim.step(steps)
            armed.clear()
            assert (sim.q == before[0]).all() and (sim.v == before[1]).all()
            assert (sim.time, sim.energy) == before[2:]
        sim.step()
        calm.step()
    assert sim.q.tobytes() == calm.q.tobytes() and sim.totals == calm.totals


@pytest.mark.parametrize("wrong", [lambda t, q, v: [1, 2], lambda t, q, v: "x", lambda t, q, v: np.full(6, np.nan),
                                   lambda t: None])
def test_wrong_forces(ball, wrong):
    ball.set_forces(wrong)
    with pytest.raises((ValueError, TypeError)):
        ball.step()
    assert ball.step_count == 0
    ball.set_forces(None)
    ball.step()


def test_a_force_cannot_step_its_own_simulation(ball):
    ball.set_forces(lambda t, q, v: ball.step())
    with pytest.raises(RuntimeError):
        ball.step()
    other = scree.open("bouncing-ball")
    ball.set_forces(lambda t, q, v: other.step())
    ball.step(3)
    assert other.step_count == 3


def test_state_that_is_set_is_booked(ball):
    start = ball.energy
    ball.set_state(v=[0, 0, 0, 1, 0, 0])
    assert ball.v[3] == 1 and ball.time == 0
    ball.step()
    assert abs(ball.ledger.exchange - 0.5) < 1e-15
    assert abs(ball.energy - start - 0.5) < 1e-13
    with pytest.raises(ValueError):
        ball.set_state(q=[1, 2])


def test_refused():
    sim = scree.open(COUPLED, {"solver.max_sweeps": 1})
    with pytest.raises(scree.Refused) as caught:
        sim.step(40)
    refusal = caught.value
    assert refusal.reason == "budget" and refusal.advice and refusal.contacts >= 2
    assert refusal.step == sim.step_count + 1 and sim.verdict == "refused"
    solved = scree.open(COUPLED)
    solved.step(sim.step_count)
    assert (solved.q == sim.q).all()


def test_accept_is_counted():
    sim = scree.open(COUPLED, {"solver.max_sweeps": 1, "solver.unconverged": "accept"})
    sim.step(40)
    assert sim.totals.unconverged > 0 and sim.verdict == "warned" and sim.warnings


def test_contacts_and_report():
    sim = scree.open("bouncing-ball", {"scheme.duration": 3})
    sim.step(3000)
    contact = sim.contacts[0]
    assert abs(contact["impulse"][0] - 9.81e-3) < 1e-12  # at rest: weight times step
    assert {sim.side_name(contact["a"]), sim.side_name(contact["b"])} == {"ball", "ground"}
    assert sim.report.converged and sim.theorem.holds


def test_standing():
    assert scree.open("house-of-cards").standing().admissible


def test_events():
    sim = scree.open("oscillator-stop", {"scheme.name": "event-driven"})
    sim.step(sim.steps)
    assert len(sim.events) > 0 and (np.diff(sim.events["time"]) >= 0).all()
    with pytest.raises(ValueError):
        scree.open("bouncing-ball").events


def test_laws_by_a_function():
    """Friction that begins at x = 0.2: a block slides freely up to there, then as Coulomb says."""
    def model():
        made = scree.Model(gravity=(0, -10))
        made.body("ground", fixed=True, shapes=[scree.Shape("half-plane", normal=(0, 1))])
        made.body("block", mass=1, inertia=1, position=(0, 0.1), velocity=(2, 0), shapes=[scree.Shape("box", size=(0.4, 0.2))])
        made.law(friction=0)
        return made.simulate(step=1e-3)

    seen = []

    def law(t, contact, law):
        seen.append((t, contact["gap"], law.friction))
        return {"friction": 0.5} if t >= 0.1 else None

    sim = model()
    sim.set_laws(law)
    sim.step(100)
    assert sim.v[3] == pytest.approx(2, abs=1e-12) and seen and seen[0][2] == 0
    sim.step(100)
    assert sim.v[3] == pytest.approx(2 - 0.5 * 10 * 0.1, abs=1e-9)
    assert abs(sim.ledger.residual) <= sim.ledger.bound and sim.totals.contact_tangential_work < 0
    sim.set_laws(None)
    speed = sim.v[3]
    sim.step(10)
    assert sim.v[3] == pytest.approx(speed, abs=1e-12)

    def broken(t, contact, law):
        raise Mine("law")

    for wrong, kind in ((broken, Mine), (lambda *_: {"frictoin": 1}, TypeError), (lambda *_: {"friction": -1}, ValueError)):
        before = sim.q.copy()
        sim.set_laws(wrong)
        with pytest.raises(kind):
            sim.step()
        assert (sim.q == before).all()
    sim.set_laws(None)
    sim.step()


def test_bodies_come_and_go(ball):
    ball.step(3000)
    old = ball.q
    second = ball.add_body("second", mass=2, inertia=0.01, position=(0, 1), velocity=(0, -1), shapes=[scree.Shape("disc", radius=0.1)])
    assert ball.bodies == ["ground", "ball", "second"] and len(ball.q) == 9 and len(old) == 6
    assert second.mass == 2 and second.position[1] == 1
    ball.set_forces(lambda t, q, v: np.zeros(len(v)) if len(q) == 9 else 1 / 0)
    ball.step()
    assert ball.ledger.exchange == pytest.approx(2 * 9.81 + 1, rel=1e-3)
    ball.step(1000)
    assert second.position[1] > 0.25 or abs(second.position[0]) > 0.1  # on the first one, or beside it
    ball.remove_body("second")
    ball.step()
    assert ball.ledger.exchange < 0
    with pytest.raises(KeyError):
        ball.remove_body("third")
    with pytest.raises(TypeError):
        ball.add_body("third", mas=1)
    assert old[4] == pytest.approx(0.1, abs=1e-4)  # of before: still there to be read


def test_positions_are_parts_of_the_state():
    sim = scree.open("dominoes")
    positions, velocities = sim.positions, sim.velocities
    sim.step(20)
    for k, name in enumerate(sim.bodies):
        assert (positions[k] == sim.body(name).position).all() and (velocities[k] == sim.body(name).velocity).all()
    assert positions.base is not None and positions.shape == (len(sim.bodies), 3)


def test_bodies_are_made_once_and_anew_when_others_come(ball):
    one = ball.body("ball")
    assert ball.body("ball") is one and ball.body(1).q.base is not None
    ball.add_body("second", mass=1, inertia=1, position=(5, 5))
    ball.step()
    assert ball.body("ball") is not one and ball.body("ball").position[1] == ball.q[4]


def test_joints():
    """A weight that hangs on a hinge: reaction m g; pushed, its coordinate is the angle and its rate the spin."""
    model = scree.Model(gravity=(0, -10))
    model.body("weight", mass=2, inertia=0.1, position=(0, -1))
    model.joint("hinge", "weight", anchor=(0, 0), name="pin")
    sim = model.simulate(step=1e-3)
    sim.step()
    pin = sim.joint("pin")
    assert sim.joints == ["pin"] and pin.kind == "hinge" and pin.number == 0
    assert pin.reaction.force[:2] == pytest.approx([0, 20], abs=1e-9) and pin.coordinate == pytest.approx(0, abs=1e-12)
    sim.set_force([0, 0, 3], body="weight")
    sim.step(100)
    assert pin.coordinate == pytest.approx(sim.body(0).q[2]) and abs(pin.rate) == pytest.approx(abs(sim.body(0).v[2])) and pin.rate != 0
    with pytest.raises(KeyError, match="did you mean 'pin'"):
        sim.joint("pim")
    with pytest.raises(IndexError):
        sim.joint(1)


def test_steps_go_forward(ball):
    with pytest.raises(ValueError, match="forward"):
        ball.step(-1)
    ball.step(0)
    assert ball.step_count == 0


@pytest.mark.parametrize("call, names", [
    (lambda m: m.joint("hing", "a"), "hinge, slider, ball"), (lambda m: scree.Shape("dics"), "none of point, disc"),
    (lambda m: m.motor(0, "speed"), "position, velocity, force")])
def test_names_that_are_not_there_are_answered_by_those_that_are(call, names):
    model = scree.Model()
    model.body("a", mass=1, inertia=1)
    with pytest.raises(ValueError, match=names):
        call(model)


def test_a_law_may_be_changed_in_place():
    def slide(function):
        model = scree.Model(gravity=(0, -9.81))
        model.body("ground", fixed=True, shapes=[scree.Shape("half-plane", normal=(0, 1))])
        model.body("block", mass=1, inertia=0.01, position=(0, 0.1), velocity=(2, 0), shapes=[scree.Shape("box", size=(0.4, 0.2))])
        sim = model.simulate(step=1e-3)
        sim.set_laws(function)
        sim.step(100)
        return sim.q.copy()

    def in_place(t, contact, law):
        law["friction"] = 0.4

    def handed_back(t, contact, law):
        law["friction"] = 0.4
        return law
    expected = slide(lambda t, contact, law: {"friction": 0.4})
    assert (slide(in_place) == expected).all() and (slide(handed_back) == expected).all()
    with pytest.raises(TypeError, match="mapping"):
        slide(lambda t, contact, law: 3)


def test_what_is_given_is_looked_at(ball):
    for wrong in (lambda: ball.set_forces(3), lambda: ball.set_laws(3), lambda: ball.run(on_step=3), lambda: ball.step("two"),
                  lambda: scree.open("bouncing-ball", "scheme.step=1"), lambda: scree.open("bouncing-ball", {"scheme.step": object()})):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError, match="scheme.step = nan"):
        scree.open("bouncing-ball", {"scheme.step": float("nan")})
    with pytest.raises(scree.InputError, match="component 4 is nan"):
        ball.set_force([0, 0, 0, 0, float("nan"), 0])
    assert ball.step_count == 0
    ball.run(progress=lambda done, total: False)  # tells, and does not ask
    assert ball.left == 0
    ball.step()
    assert ball.left == 0


def test_names_are_of_one_body(ball):
    with pytest.raises(ValueError, match="already"):
        ball.add_body("ball", mass=1, inertia=1)
    ball.remove_body("ball")
    with pytest.raises(scree.InputError, match="removed before"):
        ball.remove_body("ball")
    model = scree.Model()
    model.body("a", mass=1, inertia=1)
    with pytest.raises(ValueError, match="already"):
        model.body("a", mass=1, inertia=1)


def test_errors_come_back_from_other_processes():
    with pytest.raises(scree.SceneError) as found:
        scree.open("bouncing-ball", {"scheme.stpe": 1})
    again = pickle.loads(pickle.dumps(found.value))
    assert again.findings == found.value.findings and str(again) == str(found.value)
    refused = pickle.loads(pickle.dumps(scree.Refused("no", {"reason": "budget", "step": 3})))
    assert (refused.reason, refused.step, str(refused)) == ("budget", 3, "no")
