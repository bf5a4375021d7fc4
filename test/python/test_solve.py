# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Contact problems on numpy's and scipy's matrices."""
import numpy as np
import pytest
from conftest import COUPLED

import scree


def random_problem(contacts, d, seed):
    rng = np.random.default_rng(seed)
    H = np.zeros((contacts * d, contacts * d))
    for i in range(contacts):  # neighbours share a body
        for j in {i, (i + 1) % contacts}:
            H[d * i:d * i + d, d * j:d * j + d] = rng.normal(size=(d, d))
    return H @ H.T, rng.normal(size=contacts * d), rng.uniform(0, 0.8, contacts)


def own_residual(W, b, mu, p):
    """The law by itself: s + mu |s_T| n in the dual cone, p in the cone, orthogonal."""
    d = len(b) // len(mu)
    s, p = (W @ p + b).reshape(-1, d), p.reshape(-1, d)
    u = s.copy()
    slip = np.linalg.norm(s[:, 1:], axis=1)
    u[:, 0] += mu * slip
    cone = np.linalg.norm(p[:, 1:], axis=1) - mu * p[:, 0]
    dual = mu * np.linalg.norm(u[:, 1:], axis=1) - u[:, 0]
    return max(cone.max(), dual.max(), np.abs((u * p).sum(axis=1)).max())


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_random_problems(d, seed):
    sparse = pytest.importorskip("scipy.sparse")
    W, b, mu = random_problem(6, d, seed)
    p, report = scree.solve(W, b, mu, tolerance=1e-10)
    assert report.converged and own_residual(W, b, mu, p) < 1e-7
    assert scree.residual(W, b, mu, p).natural <= 1e-10
    for form in (sparse.csr_matrix, sparse.coo_matrix, sparse.csc_matrix, sparse.lil_matrix,
                 lambda x: sparse.bsr_matrix(x, blocksize=(d, d))):
        assert scree.solve(form(W), b, mu, tolerance=1e-10).p.tobytes() == p.tobytes()


def test_one_contact_in_closed_form():
    p, report = scree.solve(np.diag([2.0, 1.0]), [-1.0, 5.0], [0.2])
    assert p == pytest.approx([0.5, -0.1], abs=1e-12)  # slides: p_T at the cone
    assert report.reason == "solved"


def test_a_bare_diagonal():
    sparse = pytest.importorskip("scipy.sparse")
    W = sparse.csr_matrix(np.diag([1.0, 1.0, 0.0, 0.0]))
    p, report = scree.solve(W, [-1, 0, 1, 0], [0.5, 0.5])
    assert p[:2] == pytest.approx([1, 0]) and not p[2:].any()


def test_problem_of_a_step():
    sim = scree.open(COUPLED)
    while len(sim.problem.mu) < 4:
        sim.step()
    problem = sim.problem
    p, report = scree.solve(problem.W, problem.b, problem.mu, tolerance=1e-10, guess=problem.p)
    assert report.converged and np.allclose(p, problem.p, atol=1e-9)


def test_unsolved_is_a_report():
    W, b, mu = random_problem(40, 3, 1)
    report = scree.solve(W, b, mu, tolerance=1e-12, solver="nsgs", max_sweeps=1).report
    assert not report.converged and report.reason == "limit"


@pytest.mark.parametrize("W, b, mu", [(np.eye(3), [1, 2], [0.5]), (np.eye(4), [1, 2, 3, 4], [0.5]), (np.eye(2), [1, 2], [])])
def test_wrong_shapes(W, b, mu):
    with pytest.raises(ValueError):
        scree.solve(W, b, mu)


def test_wrong_options():
    with pytest.raises(scree.InputError, match="no solver"):
        scree.solve(np.eye(2), [-1, 0], [0.5], solver="ngs")
    with pytest.raises(TypeError, match="max_sweeps"):
        scree.solve(np.eye(2), [-1, 0], [0.5], max_sweep=3)


def test_stored_problem(command, tmp_path):
    command("run", "dominoes", "--set", "scheme.duration=0.05", "--dump-problems", "out", "--when", "step:20", "-o", "x.h5")
    problem = scree.read_problem(next((tmp_path / "out").glob("*.hdf5")))
    p, report = scree.solve(problem.W, problem.b, problem.mu)
    assert report.converged and problem.dimension == 3


def test_one_mu_for_all():
    W = np.eye(6)
    b = np.array([-1.0, 0.9, 0.0, -2.0, 0.0, 3.0])
    one, many = scree.solve(W, b, 0.5, dimension=3), scree.solve(W, b, [0.5, 0.5])
    assert one.p.tolist() == many.p.tolist() and scree.residual(W, b, 0.5, one.p, dimension=3).natural < 1e-8
    for wrong, message in ((dict(mu=0.5), "dimension=2, 3 or 5"), (dict(mu=0.5, dimension=4), "got 4"),
                           (dict(mu=[0.5, 0.5], dimension=2), "have 4 numbers")):
        with pytest.raises(ValueError, match=message):
            scree.solve(W, b, **wrong)
    assert scree.solve(np.eye(3), [-1.0, 0, 0], 0.5).report.converged


def test_sparse_problems():
    pytest.importorskip("scipy")
    sim = scree.open("dominoes")
    sim.step(30)
    dense, sparse = sim.problem, sim.contact_problem(sparse=True)
    assert (sparse.W.toarray() == dense.W).all() and sparse.W.nnz < dense.W.size
    p, report = scree.solve(sparse.W, sparse.b, sparse.mu, tolerance=1e-10)
    assert report.converged and abs(sparse.W @ p - dense.W @ sparse.p).max() < 1e-6


@pytest.mark.parametrize("change, part", [
    ({"W": np.full((2, 2), np.nan)}, "W has numbers that are not finite"), ({"b": [np.inf, 0]}, "b has numbers"),
    ({"mu": [np.nan]}, "mu has numbers"), ({"mu": [-0.1]}, "mu must not be negative"), ({"W": np.eye(2) * 1j}, "complex"),
    ({"tolerance": -1.0}, "tolerance must not be negative"), ({"tolerance": float("nan")}, "tolerance must not be negative"),
    ({"solver": "nsg"}, 'did you mean "nsgs"'), ({"guess": [1.0]}, "guess must have 2 numbers")])
def test_numbers_that_are_none(change, part):
    with pytest.raises(ValueError, match=part):
        scree.solve(**{"W": np.eye(2), "b": [-1.0, 0.3], "mu": [0.5], **change})


def test_residual_wants_all_impulses():
    with pytest.raises(ValueError, match="p must have 2 numbers"):
        scree.residual(np.eye(2), [-1.0, 0.3], [0.5], [1.0])
