# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs in files: the command's bits, read lazily, shown."""
import os
import pickle

import numpy as np
import pytest
from conftest import COUPLED

import scree



def same(a, b):
    """The same bits; what stands between fields is nobody's."""
    names = a.dtype.names or [...]
    return a.dtype == b.dtype and len(a) == len(b) and all(a[n].tobytes() == b[n].tobytes() for n in names)


TABLES = ("q", "v", "time", "ledger", "contacts")


@pytest.mark.parametrize("scene, changes", [
    ("bouncing-ball", {}), ("impacting-stick", {"scheme.step": 1e-4}), ("klarbring", {"scheme.duration": 0.2}),
    ("dominoes", {"scheme.duration": 0.1}), ("slider-crank", {"scheme.duration": 0.1}),
    ("kane-pendulum", {"scheme.duration": 0.1}), ("sliding-block", {"scheme.duration": 1e-4}),
    ("sweeping-disc", {"scheme.duration": 0.5}), ("sphere-packing", {"scheme.duration": 0.01})])
def test_bits_of_the_command(scene, changes, command, tmp_path):
    sets = [word for path, value in changes.items() for word in ("--set", f"{path}={value}")]
    command("run", scene, "-o", "theirs.h5", "--quiet", *sets)
    ours, theirs = scree.open(scene, changes).run(tmp_path / "ours.h5"), scree.Run(tmp_path / "theirs.h5")
    for table in TABLES:
        assert same(getattr(ours, table), getattr(theirs, table)), table
    stepped = scree.open(scene, changes)
    stepped.step(stepped.steps)
    if not scree.open(scene, changes).options.precision_single:
        assert ours.q[-1].tobytes() == stepped.q.tobytes() and ours.v[-1].tobytes() == stepped.v.tobytes()


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return scree.open("bouncing-ball").run(tmp_path_factory.mktemp("run") / "ball.h5")


def test_tables(run):
    assert run.q.shape == (3001, 6) == run.v.shape and run.time.shape == (3001,) and len(run) == 3001
    assert run.frames == run.steps == 3001 and run.bodies == ["ground", "ball"]
    energy = run.ledger["kinetic"] + run.ledger["potential"]
    assert energy[0] == pytest.approx(9.81 * 1.1) and (np.abs(run.ledger["residual"]) <= run.ledger["bound"])[1:].all()
    assert set(run.contacts["step"]) == set(run.contacts[run.contacts["gap"] < 1]["step"])
    frame = int(run.contacts["step"][0])
    assert same(run.contacts_at(frame), run.contacts[run.contacts["step"] == frame])
    assert run.body("ball").position.shape == (3001, 2) and run.body("ball").q[0, 1] == 1.1
    assert run.frame_at(1.0) == 1000 and "gravity" in run.scene and run.version == scree.__version__


def test_slices(run):
    whole = run.q
    for which in (slice(10, 20), slice(None, None, 7), slice(20, 10, -3), slice(-5, None), slice(5, 5)):
        assert (run.states(which)[0] == whole[which]).all() and run.states(which)[0].shape == whole[which].shape
    assert (run.states(-1)[0] == whole[-1]).all()
    with pytest.raises(IndexError):
        run.states(3001)


def test_tables_outlive_the_run(tmp_path):
    run = scree.open("bouncing-ball", {"scheme.duration": 0.01}).run(tmp_path / "x.h5")
    q, ledger = run.q, run.ledger
    expected = q.copy()
    del run
    os.remove(tmp_path / "x.h5")
    assert (q == expected).all() and len(ledger) == 11


def test_pandas(run):
    pandas = pytest.importorskip("pandas")
    table = run.pandas("ledger")
    assert isinstance(table, pandas.DataFrame) and (table["kinetic"] == run.ledger["kinetic"]).all()
    assert "normal_1" in run.pandas("contacts")
    with pytest.raises(ValueError):
        run.pandas("ledgers")


def test_page(run):
    page = run.html()
    assert page.startswith("<!DOCTYPE html>") and len(page) > 10000
    assert 'sandbox="allow-scripts"' in run._repr_html_() and "<script" not in run._repr_html_()


def test_page_is_the_commands(run, command, tmp_path):
    command("show", run.path, "--html", "page.html")
    assert (tmp_path / "page.html").read_text() == run.html()


def test_figures(run, tmp_path):
    for what in ("energy", "overview"):
        assert "<svg" in open(run.draw(what, tmp_path / f"{what}.svg")).read()
    with pytest.raises(scree.InputError):
        run.draw("enrgy", tmp_path / "x.svg")
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, ax = pyplot.subplots()
    assert run.plot("kinetic", "potential", ax=ax) is ax and len(ax.lines) == 2
    assert (ax.lines[0].get_ydata() == run.ledger["kinetic"]).all() and ax.get_xlabel() == "time [s]"
    with pytest.raises(ValueError):
        run.plot("kinetik", ax=ax)
    ax = run.plot_paths("ball", ax=pyplot.subplots()[1])
    assert (ax.lines[0].get_ydata() == run.body("ball").position[:, 1]).all() and ax.get_ylabel() == "y [m]"


def test_resume_and_stop(tmp_path):
    whole = scree.open("bouncing-ball").run(tmp_path / "whole.h5")
    stopped = scree.open("bouncing-ball").run(tmp_path / "part.h5", on_step=lambda sim: sim.step_count < 700)
    assert stopped.steps == 701
    stopped.close()  # one writer
    part = scree.open("bouncing-ball").run(tmp_path / "part.h5", resume=True)
    for table in TABLES:
        assert same(getattr(part, table), getattr(whole, table)), table


def test_on_step_sees_everything_and_its_exceptions_come_out(tmp_path):
    times = []

    def watch(sim):
        times.append((sim.time, sim.q[4], sim.ledger.kinetic))
        if len(times) == 5:
            raise KeyError("mine")

    sim = scree.open("bouncing-ball")
    with pytest.raises(KeyError, match="mine"):
        sim.run(tmp_path / "x.h5", on_step=watch)
    assert [round(t, 9) for t, *_ in times] == [0.001, 0.002, 0.003, 0.004, 0.005] and sim.step_count == 5
    assert scree.Run(tmp_path / "x.h5").steps == 6


def test_progress(tmp_path, capsys):
    told = []
    scree.open("bouncing-ball", {"scheme.step": 1e-5}).run(progress=lambda done, total: told.append((done, total)))
    assert told and told[0][1] == 300000 and sorted(told) == told
    scree.open("bouncing-ball").run(progress=True)
    assert "run [" in capsys.readouterr().err
    scree.open("bouncing-ball").run()
    assert capsys.readouterr().err == ""


def test_refused_run_keeps_what_was_solved(tmp_path):
    sim = scree.open(COUPLED, {"solver.max_sweeps": 1})
    with pytest.raises(scree.Refused):
        sim.run(tmp_path / "part.h5")
    assert scree.Run(tmp_path / "part.h5").steps == sim.step_count + 1


def test_files_that_are_none(tmp_path):
    (tmp_path / "text.h5").write_text("no run")
    for path in (tmp_path / "text.h5", tmp_path / "nowhere.h5"):
        with pytest.raises((scree.FileError, scree.InputError), match=path.name):
            scree.Run(path)
    with pytest.raises(OSError):
        scree.open("bouncing-ball").run(tmp_path / "no" / "folder.h5")


def test_forces_and_runs(tmp_path):
    """A force of the program acts in a stored run, too."""
    sim = scree.open("bouncing-ball", {"scheme.duration": 0.1})
    sim.set_forces(lambda t, q, v: [0, 0, 0, 3.0, 0, 0])
    run = sim.run(tmp_path / "x.h5")
    assert run.ledger["external_work"].sum() == pytest.approx(3.0 * run.body("ball").position[-1, 0], rel=1e-12)


def test_positions_of_a_run(tmp_path):
    run = scree.open("bouncing-ball", {"scheme.duration": 0.1}).run(tmp_path / "x.h5")
    assert run.positions.shape == (101, 2, 2) and (run.positions[:, 1] == run.body("ball").position).all()
    assert (run.velocities[:, 1] == run.body("ball").velocity).all()


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        scree.Run(tmp_path / "no.h5")
    assert isinstance(caught.value, scree.FileError) and isinstance(caught.value, scree.Error)


def test_a_run_from_the_middle(tmp_path):
    """All states from where it began, and the end is the simulation's."""
    sim = scree.open("bouncing-ball", {"scheme.duration": 0.6})
    sim.step(37)
    run = sim.run(tmp_path / "x.h5")
    assert run.frames == run.steps == 600 - 37 + 1 and run.ledger["step"].tolist() == list(range(37, 601))
    assert run.time[0] == 0.037 and run.time[-1] == 0.6 and (run.q[-1] == sim.q).all()
    assert run.html().startswith("<!DOCTYPE html") and run.draw("energy", tmp_path / "e.svg")
    with pytest.raises(scree.Error, match="middle"):
        run.close()
        sim = scree.open("bouncing-ball", {"scheme.duration": 0.6})
        sim.run(tmp_path / "x.h5", resume=True)


def test_nothing_is_left_to_run(tmp_path):
    sim = scree.open("bouncing-ball", {"scheme.duration": 0.01})
    sim.run()
    with pytest.raises(ValueError, match="nothing is left to run: step 10 of 10"):
        sim.run(tmp_path / "x.h5")


def test_a_file_that_is_open(tmp_path):
    sim = scree.open("bouncing-ball", {"scheme.duration": 0.2})
    run = sim.run(tmp_path / "x.h5", on_step=lambda sim: sim.step_count < 20)
    with pytest.raises(scree.FileError, match="open elsewhere"):
        sim.run(tmp_path / "x.h5", resume=True)
    run.close()
    assert sim.run(tmp_path / "x.h5", resume=True).frames == 201


def test_runs_of_models_by_calls_are_shown(tmp_path):
    """The model that made the run is lent to figures and the page; also after its simulation was let go."""
    model = scree.Model(gravity=(0, -9.81))
    model.body("ground", fixed=True, shapes=[scree.Shape("half-plane", normal=(0, 1))])
    model.body("ball", mass=1, inertia=1, position=(0, 1), shapes=[scree.Shape("disc", radius=0.1)])
    sim = model.simulate(step=1e-3, duration=0.1)
    run = sim.run(tmp_path / "x.h5")
    page = run.html()
    assert run._repr_html_().startswith("<iframe") and "ball" in page
    run.draw("bodies", tmp_path / "b.svg")
    sim.close()
    del sim, model
    assert run.html() == page and run.bodies == ["ground", "ball"] and run.simulation.step_count == 0
    with pytest.raises(scree.InputError, match="a model that a program built"):
        scree.Run(run.path).html()


def test_a_closed_run(tmp_path):
    run = scree.open("bouncing-ball", {"scheme.duration": 0.01}).run(tmp_path / "x.h5")
    q = run.q
    run.close()
    run.close()
    assert run.q is q and "closed" in repr(run)
    for use in (lambda: run.title, lambda: run.time, lambda: run.ledger, lambda: run.states(0), lambda: run.html(), lambda: len(run),
                lambda: run.draw("energy", tmp_path / "x.svg"), lambda: run.contacts_at(0), run._repr_html_):
        with pytest.raises(ValueError, match="closed"):
            use()


def test_a_run_goes_to_another_process_by_its_file(tmp_path):
    run = scree.open("bouncing-ball", {"scheme.duration": 0.01}).run(tmp_path / "x.h5")
    other = pickle.loads(pickle.dumps(run))
    assert (other.q == run.q).all() and other.bodies == run.bodies


def test_every_nth_state(run):
    for which in (slice(None, None, 7), slice(20, 3, -4), slice(5, 5), slice(None, None, -1)):
        q, v = run.states(which)
        assert (q == run.q[which]).all() and (v == run.v[which]).all() and q.shape == run.q[which].shape


def test_a_run_is_resumed_by_its_scene_alone(tmp_path):
    """Another scene of the same size, or other settings, went on with it before."""
    path, changes = tmp_path / "x.h5", {"scheme.duration": 0.2}
    whole = scree.open("bouncing-ball", changes).run(tmp_path / "whole.h5")
    part = scree.open("bouncing-ball", changes).run(path, on_step=lambda sim: sim.step_count < 50)
    assert len(part) == 51
    part.close()
    for other in (scree.open("impacting-stick"), scree.open("bouncing-ball", {**changes, "parameters.e": 0.1}),
                  scree.open("bouncing-ball", {**changes, "scheme.step": 1e-4})):
        with pytest.raises(scree.InputError, match="holds no run of this scene"):
            other.run(path, resume=True)
    rest = scree.open("bouncing-ball", {"scheme.duration": 0.3}).run(path, resume=True)  # a longer one may follow
    assert len(rest) == 301 and (rest.q[:201] == whole.q).all()


def fall(**options):
    model = scree.Model(gravity=(0, -9.81))
    model.body("ground", fixed=True, shapes=[scree.Shape("half-plane", normal=(0, 1))])
    model.body("ball", mass=1, inertia=0.1, position=(0, 1), shapes=[scree.Shape("disc", radius=0.1)])
    return model.simulate(duration=0.2, **options)


def test_a_run_of_a_model_is_resumed_by_its_like(tmp_path):
    sim = fall(step=1e-3)
    sim.run(tmp_path / "x.h5", on_step=lambda sim: sim.step_count < 50).close()
    with pytest.raises(scree.InputError, match="holds no run of this model"):
        fall(step=2e-3).run(tmp_path / "x.h5", resume=True)
    run = sim.run(tmp_path / "x.h5", resume=True)  # by the very simulation, which is not at its start any more
    assert (run.q == fall(step=1e-3).run(tmp_path / "whole.h5").q).all()


def test_what_on_step_does_is_in_the_file(tmp_path, command):
    """A state that it sets stands in the row behind, with its exchange; the command does not go on with the run."""
    def kick(sim):
        if sim.step_count == 20:
            v = sim.v.copy()
            v[4] = 3
            sim.set_state(v=v)
        return sim.step_count < 40
    run = scree.open("bouncing-ball").run(tmp_path / "x.h5", on_step=kick)
    energy = sum(run.ledger[name] for name in ("kinetic", "potential"))
    assert abs(energy[21] - energy[20] - run.ledger["exchange"][21]) < 1e-12 and run.ledger["exchange"][21] > 4
    assert abs(run.ledger["exchange"]).sum() == run.ledger["exchange"][21] and abs(run.ledger["residual"]).max() < 1e-12
    run.close()
    assert "only that program can resume it" in command("run", "--resume", "x.h5", fails=True).stderr


def test_bodies_do_not_come_while_a_run_is_stored(tmp_path):
    sim = scree.open("bouncing-ball")
    with pytest.raises(scree.InputError, match="while the run is stored"):
        sim.run(tmp_path / "x.h5", on_step=lambda sim: sim.add_body("more", mass=1, inertia=1))
    assert len(scree.Run(tmp_path / "x.h5")) == 2
    sim.add_body("more", mass=1, inertia=1)
    assert sim.run(tmp_path / "rest.h5").q.shape == (3000, 9)
