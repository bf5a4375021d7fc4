# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where scenes come from, and mistakes in them with their places."""
import pathlib

import numpy as np
import pytest

import scree

TEXT = scree.scene_text("bouncing-ball")


def test_names_files_texts_mappings(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(TEXT)
    mapping = {"parameters": {"r": 0.1}, "gravity": [0, -9.81],
               "bodies": [{"name": "ground", "fixed": True, "shapes": [{"type": "half-plane", "normal": [0, 1]}]},
                          {"name": "ball", "mass": 1, "inertia": "0.4*r^2", "position": np.array([0, 1.1]),
                           "shapes": [{"type": "disc", "radius": "r"}]}],
               "laws": [{"between": ["ball", "ground"], "restitution": 0.7, "friction": 0.3}],
               "scheme": {"step": np.float64(1e-3), "duration": 3}}
    ends = []
    for scene in ("bouncing-ball", file, str(file), TEXT, mapping):
        sim = scree.open(scene)
        sim.step(1500)
        ends.append(sim.q[:6].tobytes())
    assert len(set(ends[:4])) == 1
    assert np.frombuffer(ends[4])[4] == pytest.approx(np.frombuffer(ends[0])[4], abs=1e-12)


def test_overrides():
    by_path = scree.open("bouncing-ball", {"scheme.step": 2e-3, "parameters.e": 0.5})
    by_section = scree.open("bouncing-ball", scheme={"step": 2e-3}, parameters={"e": 0.5})
    by_keyword = scree.open("bouncing-ball", scheme__step=2e-3, parameters__e=0.5)
    for sim in (by_path, by_section, by_keyword):
        sim.step(500)
        assert sim.time == 1.0
    assert by_path.q.tobytes() == by_section.q.tobytes() == by_keyword.q.tobytes()
    assert scree.open("bouncing-ball", {"gravity": [0, -1.62]}).step() is None


def test_mistakes_have_their_place(tmp_path):
    file = tmp_path / "wrong.yaml"
    file.write_text(TEXT.replace("mass:", "mas:").replace("duration:", "durations:"))
    with pytest.raises(scree.SceneError) as caught:
        scree.open(file)
    error = caught.value
    wrong = [n for n, line in enumerate(file.read_text().split("\n"), 1) if "mas:" in line]
    assert error.file == str(file) and error.line in wrong and error.column > 0
    assert len(error.findings) >= 2 and f"{file}:{error.line}:{error.column}: error: " in str(error)
    assert 'did you mean "mass"?' in str(error)
    assert isinstance(error, ValueError) and isinstance(error, scree.Error)


@pytest.mark.parametrize("scene, part", [("bouncing-bal", 'did you mean "bouncing-ball"?'), ("a: [\n", "<text>:"),
                                         ({"scheme": {"step": 1}}, "<mapping>"), (pathlib.Path("nowhere.yaml"), "no such file")])
def test_no_such_scene(scene, part):
    with pytest.raises(scree.SceneError, match=part.replace("?", r"\?")):
        scree.open(scene)


def test_wrong_override():
    with pytest.raises(scree.SceneError, match='did you mean "step"'):
        scree.open("bouncing-ball", {"scheme.stpe": 1})
    with pytest.raises(ValueError):
        scree.open("bouncing-ball", {"scheme.step": float("nan")})


def test_every_scene_opens_and_steps():
    for name in scree.scenes():
        sim = scree.open(name)
        assert repr(sim) and len(sim.q) == len(sim.q)
        sim.step()


def test_import(tmp_path):
    corners = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    faces = ["1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"]
    file = tmp_path / "brick.obj"
    file.write_text("o brick\n" + "".join(f"v {x} {y} {z}\n" for x, y, z in corners) + "".join(f"f {f}\n" for f in faces))
    found = scree.import_scene(file, density=2000, step=1e-3)
    assert found.bodies == 1 and found.joints == 0
    sim = scree.open(found.scene)
    sim.step()
    assert sim.body(0).mass == pytest.approx(2000) and sim.time == 1e-3
    with pytest.raises(scree.Error, match="nowhere.obj"):
        scree.import_scene(tmp_path / "nowhere.obj")
    with pytest.raises(TypeError, match="density"):
        scree.import_scene(file, densty=1)


def test_what_is_not_there():
    with pytest.raises(KeyError, match="did you mean 'bouncing-ball'"):
        scree.scene_text("bouncing-bal")
    with pytest.raises(FileNotFoundError):
        scree.import_scene("no.obj")


def test_simulations_are_not_copied(ball):
    import copy
    import pickle
    for way in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be copied"):
            way(ball)
        with pytest.raises(TypeError, match="a model cannot be copied"):
            way(scree.Model())
    assert pickle.loads(pickle.dumps(ball.ledger)) == ball.ledger
