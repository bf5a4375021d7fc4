# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Types, as mypy sees them with python/pyproject.toml (strict): of the package, and of programs that use it."""
import doctest
import os
import pathlib
import re
import subprocess
import sys

import pytest

pytest.importorskip("mypy")

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """What mypy says, without its last line; the package is that of the source."""
    cache = tmp_path_factory.mktemp("mypy")

    def call(*words, folder=ROOT):
        done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", str(ROOT / "python/pyproject.toml"),
                               "--cache-dir", str(cache), *map(str, words)],
                              cwd=folder, env=dict(os.environ, MYPYPATH=str(ROOT / "python"), PYTHONPATH=""), capture_output=True,
                              text=True, timeout=600)
        return done.stdout.strip().split("\n")[:-1]
    return call


def test_package(mypy):
    assert mypy(ROOT / "python/scree") == []


def test_programs(mypy, tmp_path):
    """Examples of the repository, and the tutorial as one program, which uses names again as one does at a prompt."""
    blocks = re.findall(r"```pycon\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.S)
    lines = [example.source for block in blocks for example in doctest.DocTestParser().get_examples(block)]
    (tmp_path / "tutorial.py").write_text("".join(lines))
    programs = [*sorted((ROOT / "examples").glob("*.py")), *sorted((ROOT / "bench/python/lines").glob("*_scree.py"))]
    assert len(programs) > 5
    assert mypy("--allow-redefinition", *programs, "tutorial.py", folder=tmp_path) == []


def test_mistakes_are_seen(mypy, tmp_path):
    (tmp_path / "user.py").write_text("import scree\n"
                                      "sim = scree.open('bouncing-ball')\n"
                                      "sim.step('two')\n"
                                      "reveal_type(sim.q)\n"
                                      "sim.positons\n"
                                      "run = sim.run('x.h5')\n"
                                      "reveal_type(scree.Run('x.h5').ledger['time'])\n"
                                      "scree.solve([[1.0]], [1.0], [0.5]).q\n")
    said = "\n".join(mypy("user.py", folder=tmp_path))
    for line, part in ((3, 'incompatible type "str"; expected "int"'), (4, "ndarray[Any, numpy.dtype[numpy.floating"),
                       (5, 'maybe "positions"?'), (7, "ndarray[Any"), (8, 'has no attribute "q"')):
        assert re.search(rf"user.py:{line}: .*{re.escape(part)}", said), (line, said)
