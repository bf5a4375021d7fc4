# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""scree.sweep: the runs of the command's, to the bit, in the same files; failures kept, gone on with after a stop."""
import threading

import numpy as np
import pytest
from conftest import stopped_by_itself

import scree

SHORT = {"scheme.duration": 0.6}


def test_the_command_takes_our_runs_for_its_own(command, tmp_path, monkeypatch):
    (tmp_path / "ball.yaml").write_text(scree.scene_text("bouncing-ball"))
    monkeypatch.chdir(tmp_path)
    found = scree.sweep("ball.yaml", {"e": "0:1:3", "h0": [0.5, 2]}, jobs=2, output="study.h5")
    assert found.shape == (3, 2) and (found["status"] == "done").all()
    theirs = command("sweep", "ball.yaml", "--set", "e=0:1:3", "--set", "h0=0.5,2", "--json", "--quiet", "-o", "study.json")
    # not done again: even the clock says the same
    for name in ("energy", "contact_work", "penetration", "wall_seconds"):
        assert [run[name] for run in theirs["runs"]] == found.table[name].tolist()
    assert found["energy"][2, 1] == pytest.approx(9.81 * 2.1, abs=1e-9)  # e = 1: nothing is lost
    one = tmp_path / "one.h5"
    command("run", "ball.yaml", "--set", "parameters.e=0.5", "--set", "parameters.h0=2", "-o", one)
    assert found.run(1, 1).q.tobytes() == scree.Run(one).q.tobytes() == found.run(3).q.tobytes()


def test_and_we_take_those_of_the_command(command, tmp_path, monkeypatch):
    (tmp_path / "ball.yaml").write_text(scree.scene_text("bouncing-ball"))
    monkeypatch.chdir(tmp_path)
    theirs = command("sweep", "ball.yaml", "--set", "e=0.1:0.9:3", "--json", "--quiet", "-o", "study.h5")
    found = scree.sweep("ball.yaml", {"e": "0.1:0.9:3"}, output="study.h5")
    assert found.table["wall_seconds"].tolist() == [run["wall_seconds"] for run in theirs["runs"]]


def test_values_and_measures(tmp_path):
    found = scree.sweep("bouncing-ball", {"e": np.array([0.5, 1.0]), "scheme.name": ["moreau-jean", "moreau-jean-fremond"]},
                        SHORT, jobs=2, output=tmp_path / "study.h5")
    assert found.axes == {"e": [0.5, 1.0], "scheme.name": ["moreau-jean", "moreau-jean-fremond"]}
    assert found.table["parameters.e"].tolist() == [0.5, 0.5, 1.0, 1.0] and found["e"].shape == (2, 2)
    speed = found.measure(lambda run: run.body("ball").velocity[:, 1].max())
    # the speed after the impact is e times the one before
    assert speed[0] / speed[1] == pytest.approx(0.5, rel=1e-12)
    assert len(list(found.runs())) == 4
    assert found.pandas()["energy"].tolist() == found.table["energy"].tolist()
    figure = pytest.importorskip("matplotlib.figure").Figure
    lines = found.plot(ax=figure().subplots()).get_lines()
    assert len(lines) == 2 and lines[0].get_ydata().tolist() == found["energy"][:, 0].tolist()
    assert len(found.plot(speed, ax=figure().subplots()).get_lines()) == 2


def test_scenes_of_all_kinds_go_on(tmp_path):
    text = scree.scene_text("bouncing-ball")
    mapping = {"system": {"mass": [[1.0]], "stiffness": [["k"]], "position": [1.0]}, "parameters": {"k": 1.0},
               "scheme": {"step": 0.01, "duration": 1.0, "theta": 0.5}}
    for scene, axis in ((text, {"e": [0.1, 0.2]}), (mapping, {"k": [1.0, 4.0]})):
        output = tmp_path / f"{type(scene).__name__}.h5"
        first = scree.sweep(scene, axis, {"scheme.duration": 0.1}, output=output)
        assert (scree.sweep(scene, axis, {"scheme.duration": 0.1}, output=output).table == first.table).all()
        other = scree.sweep(scene, axis, {"scheme.duration": 0.2}, output=output)
        assert (other["time"] == 0.2).all(), "another duration is another study"


def test_failures_are_kept():
    found = scree.sweep("bouncing-ball", {"e": [0.5, 2]}, SHORT)
    assert found["status"].tolist() == ["done", "bad-input"] and np.isnan(found["energy"][1])
    assert found.failed.size == 1 and "bouncing-ball:" in found.failed["message"][0]
    axes = pytest.importorskip("matplotlib.figure").Figure().subplots()
    assert np.isnan(found.plot(ax=axes).get_lines()[0].get_ydata()[1])
    with pytest.raises(ValueError, match="no run files"):
        found.run(0)


@pytest.mark.parametrize("scene, axes, message", [
    ("bouncing-bal", {"e": [1]}, "bouncing-ball"), ("bouncing-ball", {"ee": [0.1, 0.2]}, "did you mean \"e\""),
    ("bouncing-ball", {"e": []}, "no values"), ("bouncing-ball", {"e": [1], "parameters.e": [1]}, "twice"),
    ("bouncing-ball", {"e": "0:1:30000"}, "at most 20000")])
def test_mistakes(scene, axes, message):
    with pytest.raises(scree.InputError, match=message):
        scree.sweep(scene, axes)


def test_names_of_columns():
    with pytest.raises(KeyError, match="did you mean 'energy'"):
        scree.sweep("bouncing-ball", {}, SHORT)["enrgy"]


def test_progress_is_told_in_the_callers_thread():
    told = []
    scree.sweep("bouncing-ball", {"e": "0:1:5"}, SHORT, jobs=2,
                progress=lambda done, total: told.append((done, total, threading.get_ident())))
    assert told[-1][:2] == (5, 5) and {who for *_, who in told} == {threading.get_ident()}


def test_exceptions_of_progress_stop_it(tmp_path):
    def angry(done, total):
        raise OverflowError("enough")
    with pytest.raises(OverflowError, match="enough"):
        scree.sweep("bouncing-ball", {"e": "0:1:9"}, SHORT, progress=angry, output=tmp_path / "x.h5")
    assert 1 <= len(list((tmp_path / "x.runs").glob("*.txt"))) < 9


def test_interrupt(tmp_path):
    text = """
        import os, signal, threading, scree
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            scree.sweep("bouncing-ball", {"e": [0.1, 0.2], "scheme.duration": [0.1, 1e6]}, jobs=2, store=False, output="x.h5")
        except KeyboardInterrupt:
            print("interrupted")
    """
    done = stopped_by_itself(text, tmp_path)
    assert done.stdout == "interrupted\n", done.stdout + done.stderr
    kept = {path.name for path in (tmp_path / "x.runs").iterdir()}
    assert kept <= {"00001.txt", "00003.txt"} and "00001.txt" in kept


def test_the_table_in_a_file(tmp_path):
    h5py = pytest.importorskip("h5py")
    found = scree.sweep("bouncing-ball", {"e": [0.1, 0.2]}, SHORT, output=tmp_path / "x.h5")
    with h5py.File(tmp_path / "x.h5") as file:
        table = file["runs"][:]
    assert table["energy"].tolist() == found.table["energy"].tolist() and table["parameters.e"].tolist() == [0.1, 0.2]
