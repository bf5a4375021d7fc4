# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""The package in a process: threads, Ctrl-C, memory."""
import gc
import os
import signal
import textwrap
import threading
import time

import numpy as np
import pytest
from conftest import LONG, stopped_by_itself

import scree


def test_simulations_side_by_side(tmp_path):
    """Each thread its own: the bits of one after the other, also with forces by Python and files."""
    def work(k, ends):
        sim = scree.open("impacting-stick", {"parameters.mu": 0.1 + 0.1 * k})
        sim.set_forces(lambda t, q, v: [0, 0, 0, 0.1 * k, 0, 0])
        run = sim.run(tmp_path / f"{threading.get_ident()}-{k}.h5")
        ends[k] = run.q[-1].tobytes()

    alone, together = {}, {}
    for k in range(4):
        work(k, alone)
    threads = [threading.Thread(target=work, args=(k, together)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert alone == together and len(set(alone.values())) == 4


def test_exceptions_stay_in_their_thread():
    found = {}

    def work(k):
        def force(t, q, v):
            if t > 0.01:
                raise ValueError(str(k))
        sim = scree.open("bouncing-ball")
        sim.set_forces(force)
        try:
            sim.step(100)
        except ValueError as error:
            found[k] = (str(error), sim.step_count)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {k: text for k, (text, _) in found.items()} == {k: str(k) for k in range(4)}
    assert len({count for _, count in found.values()}) == 1


def test_python_goes_on_during_steps():
    """The interpreter is free while C steps, and a simulation has one thread at a time."""
    sim = scree.open("dominoes", {"scheme.duration": 0.2})
    thread = threading.Thread(target=sim.step, args=(sim.steps,))
    refused = 0
    thread.start()
    while thread.is_alive():
        time.sleep(1e-3)
        try:
            sim.time
        except RuntimeError:
            refused += 1
    thread.join()
    assert refused > 5 and sim.left == 0


INTERRUPTED = """
    import os, signal, sys, threading
    import scree
    {prepare}
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    before = sim.q.copy()
    try:
        {action}
    except KeyboardInterrupt:
        print("interrupted", sim.time < {end}, flush=True)
    done = sim.step_count
    {then}
    print(sim.step_count - done)
"""


@pytest.mark.parametrize("prepare, action, end, then", [
    ("sim = scree.open('bouncing-ball', {'scheme.step': 1e-9})", "sim.step(10**9)", "1", "sim.step()"),
    ("sim = scree.open('bouncing-ball', {'scheme.step': 1e-9})", "sim.run()", "1", "sim.step()"),
    ("sim = scree.open('bouncing-ball', {'scheme.step': 1e-9}); sim.set_forces(lambda t, q, v: None)",
     "sim.step(10**9)", "1", "sim.step()"),
    ("sim = scree.open('bouncing-ball', {'scheme.step': 1e-9})", "\n        while True: sim.step()", "1", "sim.step()"),
    # one step that takes minutes: a tolerance that no solver reaches
    ("sim = scree.open('kapla-tower', {'solver.tolerance': 1e-30, 'solver.max_sweeps': 10**9, 'solver.name': 'nsgs'})",
     "sim.step()", "1e-9", "assert (sim.q == before).all(); done -= 1")])
def test_interrupt(prepare, action, end, then):
    done = stopped_by_itself(textwrap.dedent(INTERRUPTED).format(prepare=prepare, action=action, end=end, then=then))
    assert done.stdout.startswith("interrupted True"), done.stdout + done.stderr
    assert done.stdout.split("\n")[1] == "1", done.stdout + done.stderr


def test_interrupt_of_a_solver():
    text = """
        import os, signal, threading
        import numpy as np, scree
        rng = np.random.default_rng(0)
        H = rng.normal(size=(300, 120))
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            while True:  # a solver may give up before
                scree.solve(H @ H.T, rng.normal(size=300), np.full(100, 0.9), tolerance=1e-300, solver="nsgs", max_sweeps=10**9)
        except KeyboardInterrupt:
            print("interrupted")
    """
    done = stopped_by_itself(text)
    assert done.stdout == "interrupted\n", done.stdout + done.stderr


def test_handlers_of_others_are_called():
    caught = []
    before = signal.signal(signal.SIGINT, lambda *_: caught.append(1))
    try:
        sim = scree.open("bouncing-ball", {"scheme.step": 1e-9})
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            sim.step(10**9)
        assert caught == [1]
        sim.step()
    finally:
        signal.signal(signal.SIGINT, before)


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_does_not_grow():
    """Open, step with a force by Python, look, close: 10^5 times."""
    def once():
        sim = scree.open("bouncing-ball")
        sim.set_forces(lambda t, q, v: None)
        sim.step()
        return sim.contacts, sim.q

    for _ in range(300):
        once()
    gc.collect()
    before = resident()
    for _ in range(100000):
        once()
    gc.collect()
    assert resident() - before < 1e6


def test_memory_of_models_runs_and_errors(tmp_path):
    path = tmp_path / "x.h5"
    scree.open("bouncing-ball", {"scheme.duration": 0.01}).run(path)

    def once():
        model = scree.Model(gravity=(0, -9.81))
        model.body("ball", mass=1, inertia=1, force=(lambda t: 1.0, 0, 0), shapes=[scree.Shape("disc", radius=1)])
        model.simulate(step=1e-3).step()
        run = scree.Run(path)
        assert len(run.q) == 11 and run.bodies
        with pytest.raises(scree.SceneError):
            scree.open("bouncing-ball", {"scheme.stpe": 1})
        scree.solve(np.eye(2), [-1.0, 0.3], [0.5])

    for _ in range(60):
        once()
    gc.collect()
    before = resident()
    for _ in range(20000 if LONG else 200):
        once()
    gc.collect()
    assert resident() - before < 3e6
