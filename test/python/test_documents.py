# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the documents show is what happens: docs/python.md, docstrings, the README's example."""
import doctest
import fnmatch
import importlib
import inspect
import pathlib
import pkgutil
import re
import subprocess
import sys

import numpy as np
import pytest

import scree

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = sorted(m.name for m in pkgutil.iter_modules(scree.__path__) if not m.name.startswith("_binding"))
OPTIONS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("name", ["scree"] + [f"scree.{m}" for m in MODULES])
def test_docstrings(name, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    run = scree.open("bouncing-ball").run(tmp_path / "run.h5")
    names = {"scree": scree, "np": np, "tmp": str(tmp_path), "run": run}
    result = doctest.testmod(importlib.import_module(name), extraglobs=names, optionflags=OPTIONS)
    assert result.failed == 0


@pytest.mark.parametrize("page, least", [("python.md", 30), ("sweep.md", 6)])
def test_tutorial(page, least, tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(ROOT / "docs" / page), module_relative=False, optionflags=OPTIONS)
    assert result.failed == 0 and result.attempted > least


def test_readme(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, said = re.search(r"```python\n(.*?)```\s*It prints `([^`]*)`", (ROOT / "README.md").read_text(), re.S).groups()
    exec(code, {})
    assert capsys.readouterr().out.strip() == said


EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("program", EXAMPLES, ids=lambda path: path.stem)
def test_example(program, tmp_path):
    """A program prints what its head says, * for anything."""
    if program.stem == "processes":
        pytest.importorskip("pandas")
    done = subprocess.run([sys.executable, "-B", str(program)], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    said = re.search(r"^prints: (.*)$", program.read_text(), re.M).group(1)
    assert fnmatch.fnmatch(done.stdout.strip(), said), done.stdout


def test_everything_public_is_documented_and_typed():
    for name in scree.__all__:
        thing = getattr(scree, name)
        assert inspect.getdoc(thing), name
        own = {k: m for k, m in vars(thing).items() if not k.startswith("_")} if inspect.isclass(thing) else {}
        for k, m in own.items():
            assert not isinstance(m, property) or m.__doc__, (name, k)
        members = [getattr(m, "__func__", m) for m in own.values() if callable(m) or isinstance(m, classmethod)]
        for function in members + ([thing] if inspect.isfunction(thing) else []):
            hints = inspect.signature(function)
            assert function.__doc__ or function.__name__ in ("make",), (name, function.__name__)
            assert hints.return_annotation is not inspect.Signature.empty, (name, function.__name__)
