# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Laboratory, studies and measures: the numbers of the command's."""
import numpy as np
import pytest

import scree


def test_equilibria(command):
    changes = {"parameters.mu": 2.0}
    ours = scree.equilibria("klarbring", changes)
    theirs = command("equilibria", "klarbring", "--json", "--set", "parameters.mu=2.0")["equilibria"]
    assert len(ours) == len(theirs) > 1
    for mine, other in zip(ours, theirs):
        assert mine.stability == other["stability"] and mine.family == other["family"]
    assert "stability" not in scree.equilibria("klarbring", judge=None)[0]


def test_paradox(command):
    theirs = command("paradox", "painleve-rod", "--json")
    ours = scree.paradox("painleve-rod")
    assert ours.verdict == theirs["verdict"] == "inconsistent" and ours.A == theirs["A"] and ours.B == theirs["B"]
    calm = scree.paradox("painleve-rod", {"parameters.mu": 0.3})
    assert calm.verdict == "consistent" and len(calm.solutions) == calm.count == 1
    with pytest.raises(scree.InputError):
        scree.paradox("bouncing-ball")


def test_paradox_grid():
    grid = scree.paradox_grid("painleve-rod", {"theta0": np.linspace(0.1, 1.5, 4), "mu": [0.5, 1.0, 2.0]})
    assert grid.count.shape == (4, 3) == grid.A.shape and (grid.count == 0).any() and (grid.count == 1).any()
    point = scree.paradox("painleve-rod", parameters={"theta0": grid.axes["theta0"][2], "mu": 2.0})
    assert point.A == grid.A[2, 2] and point.count == grid.count[2, 2]
    with pytest.raises(ValueError):
        scree.paradox_grid("painleve-rod", {})


def test_equilibria_grid():
    grid = scree.equilibria_grid("klarbring", {"mu": np.linspace(0.1, 3, 5)})
    assert [c.value for c in grid.critical] == pytest.approx([1.0]) and len(grid.labels) == 3
    with pytest.raises(scree.Error):
        scree.equilibria_grid("klarbring", {"mue": [1.0, 2.0]})


def test_sweeping(command):
    found = scree.sweeping("sweeping-disc", {"scheme.duration": 0.5})
    assert found.x.shape == (len(found.time), found.x.shape[1]) and found.time[0] == 0
    assert (found.outside >= 0).all()
    with pytest.raises(ValueError):
        scree.sweeping("bouncing-ball")


def test_compare(command, tmp_path):
    ours = scree.compare("impacting-stick", ["moreau-jean", "moreau-jean-fremond"], folder=tmp_path, stem="mine")
    theirs = command("compare", "impacting-stick", "--schemes", "moreau-jean,moreau-jean-fremond", "--json", "-o", "theirs")
    assert list(ours) == ["moreau-jean", "moreau-jean-fremond"]
    assert ours["moreau-jean"].totals.energy_created == pytest.approx(7.08e-4, rel=1e-3)
    assert ours["moreau-jean-fremond"].theorem.holds and not ours["moreau-jean"].theorem.holds
    for (name, mine), other in zip(ours.items(), theirs["runs"]):
        q = scree.Run(tmp_path / "theirs" / f"impacting-stick.{name}.h5").q
        assert scree.Run(mine.path).q.tobytes() == q.tobytes() and (mine.q == q[-1]).all()


def test_compare_complains():
    with pytest.raises(scree.SceneError):
        scree.compare("impacting-stick", ["moreau-jen"])
    with pytest.raises(scree.SceneError):
        scree.compare("impacting-stik")


def test_converge():
    system = {"system": {"mass": [[1.0]], "stiffness": [[9.0]], "position": [1.0]},
              "scheme": {"step": 0.005, "duration": 1.0, "theta": 0.5}}
    found = scree.converge(system, ["moreau-jean"], levels=3).schemes["moreau-jean"]
    assert found.h == pytest.approx([0.04, 0.02, 0.01]) and found.order_q == pytest.approx(2, abs=0.1)


def test_exceptions_of_progress_come_out():
    def angry(done, total):
        raise OverflowError("enough")
    with pytest.raises(OverflowError, match="enough"):
        scree.compare("impacting-stick", progress=angry)


@pytest.fixture(scope="module")
def heap(tmp_path_factory):
    return scree.open("conical-pile", {"scheme.duration": 0.1}).run(tmp_path_factory.mktemp("heap") / "heap.h5")


def test_measures(heap, command):
    theirs = command("measure", heap.path, "coordination", "--json")
    ours = scree.measure.coordination(heap)
    assert ours.mean == theirs["coordination"] and ours.bodies == theirs["bodies"] > 0
    fabric = scree.measure.fabric(heap)
    assert np.trace(fabric.tensor) == pytest.approx(1) and fabric.tensor.shape == (3, 3)
    assert 0 < scree.measure.solid_fraction(heap) < 1
    stress = scree.measure.stress(heap)
    assert stress.pressure == pytest.approx(-np.trace(stress.stress) / 3)
    with pytest.raises(KeyError):
        scree.measure.force_on(heap, "nobody")


def test_measure_of_a_resting_ball():
    sim = scree.open("bouncing-ball")
    sim.step(3000)
    assert scree.measure.force_on(sim, "ball").force == pytest.approx([0, 9.81], abs=1e-9)
    ground = scree.measure.ground(sim, width=1.0, rings=2)
    assert ground.force == pytest.approx(9.81) and ground.rings["force"][0] == pytest.approx(9.81)


def test_joints_of_blocks():
    sim = scree.open("stone-arch")
    sim.step()
    assert {joint.state for joint in scree.measure.joints(sim)} == {"closed"}
