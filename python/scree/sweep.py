# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""A run for every combination of values, several at a time: `scree sweep` from Python, with its files."""
from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Union

import numpy as np

from ._binding import ffi, lib
from ._core import Array, Floats, InputError, Table, check, column_names, did_you_mean, guarded, new_error, text
from .run import Run, axes_of
from .scene import Scene, as_yaml, c_texts, changes_of, opened, scene_body
from .study import Study

Values = Union[str, Sequence[Any], Array]


class Sweep:
    """What the runs came to. `axes`: names and values; `table`: a row for each run (run, values, status, verdict,
    numbers, message: docs/sweep.md); found["energy"]: a column over the grid of values."""

    def __init__(self, names: Mapping[str, str], axes: Mapping[str, list[Any]], table: Table, folder: str):
        self.axes = dict(axes)
        self.table = table
        #: of run files and summaries; empty: none were kept
        self.folder = folder
        self._names = dict(names)
        self.shape = tuple(len(values) for values in axes.values())

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        over = " x ".join(f"{len(values)} {name}" for name, values in self.axes.items())
        return f"Sweep({over or 'one run'}; {int((self.table['status'] == 'done').sum())} of {len(self)} runs are done)"

    def __getitem__(self, column: str) -> Array:
        column = self._names.get(column, column)
        if column not in column_names(self.table):
            raise KeyError(f"a sweep has no '{column}', it has: {', '.join(column_names(self.table))}"
                           f"{did_you_mean(column, column_names(self.table))}")
        return self.table[column].reshape(self.shape)

    @property
    def failed(self) -> Table:
        """The rows of runs that are not done; `message` says why."""
        return self.table[self.table["status"] != "done"]

    def run(self, *place: int) -> Run:
        """The run file at a place of the grid, or of a row where one number is given."""
        if not self.folder:
            raise ValueError("no run files were kept: name an output, and store=True")
        row = int(np.ravel_multi_index(place, self.shape)) if len(place) > 1 else range(len(self))[place[0] if place else 0]
        return Run(os.path.join(self.folder, f"{row + 1:05d}.h5"))

    def runs(self) -> Iterator[tuple[int, Run]]:
        """(row, Run) of all that are done, one open at a time."""
        for row in np.flatnonzero(self.table["status"] == "done"):
            with self.run(int(row)) as run:
                yield int(row), run

    def measure(self, function: Callable[[Run], float]) -> Floats:
        """A number of each run file over the grid, NaN where a run is not done."""
        found = np.full(len(self), np.nan)
        for row, run in self.runs():
            found[row] = function(run)
        return found.reshape(self.shape)

    def pandas(self) -> Any:
        """The table, where pandas is installed."""
        import pandas
        return pandas.DataFrame({name: self.table[name] for name in column_names(self.table)})

    def plot(self, what: str | Array = "energy", ax: Any = None) -> Any:
        """A column, or an array like those of `measure`, over the first parameter, with a line for each value of
        the second; runs that are not done are gaps."""
        if not 1 <= len(self.axes) <= 2:
            raise ValueError(f"a plot is over one parameter or two, this sweep has {len(self.axes)}")
        ax = axes_of(ax)
        values = np.asarray(self[what] if isinstance(what, str) else what, dtype=float).reshape(self.shape)
        values = np.where(self["status"] == "done", values, np.nan)
        (first, x), *second = self.axes.items()
        if second:
            for k, value in enumerate(second[0][1]):
                ax.plot(x, values[:, k], "o-", label=f"{second[0][0]} = {value}")
            ax.legend()
        else:
            ax.plot(x, values, "o-")
        ax.set_xlabel(first)
        ax.set_ylabel(what if isinstance(what, str) else "")
        return ax


def sweep(scene: Scene, axes: Mapping[str, Values], overrides: Mapping[str, Any] | None = None, *, jobs: int = 1,
          output: str | os.PathLike[str] | None = None, store: bool = True, retry: bool = False, progress: Any = None,
          **more: Any) -> Sweep:
    """Run a scene for every combination of values, `jobs` at a time, each in a thread.

    axes: names of parameters, or paths as "scheme.step", with their values: a sequence, or a text as behind
    `scree sweep --set`, "0.1:0.9:9". output: the table, an HDF5 file; beside it, in a folder that ends in .runs,
    are run files (store) and summaries. The same call goes on where one was stopped, and does nothing twice; runs
    that failed are kept as they are, or with retry done again. Without output nothing is written.

    >>> found = scree.sweep("bouncing-ball", {"e": [0.5, 0.9], "h0": "1:2:3"}, {"scheme.duration": 0.1}, jobs=2)
    >>> found
    Sweep(2 e x 3 h0; 6 of 6 runs are done)
    >>> found["energy"].shape, found.failed.size
    ((2, 3), 0)
    """
    changes = changes_of(overrides, more)
    opened_once = ffi.gc(opened(scene, changes), lib.scree_simulation_free)  # mistakes that all runs have come out here
    ffi.release(opened_once)
    (c, keep), err = new_sweep(scene, changes), new_error()
    try:
        c.jobs, c.store, c.retry = max(int(jobs), 1), store, retry
        names = {name: add_axis(c, name, values, err) for name, values in axes.items()}
        folder = "" if output is None else os.path.splitext(os.fspath(output))[0] + ".runs"
        c_folder = ffi.new("char[]", os.fsencode(folder)) if folder else ffi.NULL
        c.folder = c_folder
        summary = ffi.new("scree_sweep_summary[]", c.runs)
        with Study(scene, changes, progress, "sweep") as study:
            study.finish(lib.binding_sweep(study.c, c, guarded(), summary, err), err)
        found = Sweep(names, {name: values_of(c.axis[a]) for a, name in enumerate(names)}, table_of(c, summary), folder)
        complain_of_all(found)
        if output is not None:
            check(lib.scree_sweep_write(c, summary, os.fsencode(output), err), err)
        return found
    finally:
        lib.scree_sweep_free(c)


def new_sweep(scene: Scene, changes: list[str]) -> tuple[Any, Any]:
    """Of a file or a built-in scene as the command makes it, so that both take each other's runs; and its name, which
    the sweep borrows."""
    names, keep = c_texts(changes)
    name, body = scene_body(scene)
    c_name = ffi.new("char[]", name)
    about = ffi.new("scree_study *", {"scene": c_name, "override": names, "overrides": len(changes)})
    c = ffi.new("scree_sweep *", lib.scree_sweep_default(about))
    if body is not None:
        c.state = hashlib.sha1(body + "\n".join(changes).encode()).hexdigest()[:16].encode()
    return c, c_name


def add_axis(c: Any, name: str, values: Values, err: Any) -> str:
    """Its path in the scene."""
    if isinstance(values, str):
        check(lib.scree_sweep_add(c, f"{name}={values}".encode(), err), err)
    else:
        words, keep = c_texts([as_yaml(value) for value in values])
        check(lib.scree_sweep_add_values(c, name.encode(), words, len(keep), err), err)
    return text(c.axis[c.axes - 1].path)


def values_of(axis: Any) -> list[Any]:
    """Numbers where they are, texts elsewhere."""
    numbers = ffi.unpack(axis.number, axis.count)
    return [text(axis.word[i]) if number != number else number for i, number in enumerate(numbers)]


def table_of(c: Any, summary: Any) -> Table:
    rows = range(c.runs)
    grid = np.meshgrid(*(np.arange(c.axis[a].count) for a in range(c.axes)), indexing="ij")
    columns = {"run": np.arange(1, c.runs + 1)}
    for a in range(c.axes):
        columns[text(c.axis[a].path)] = np.array(values_of(c.axis[a]))[grid[a].ravel()]
    columns["status"] = np.array([text(summary[i].status) or "missing" for i in rows])
    columns["verdict"] = np.array([text(summary[i].verdict) for i in rows])
    for k in range(lib.SCREE_SWEEP_NUMBERS):
        columns[text(lib.scree_sweep_number_name(k))] = np.array([summary[i].value[k] for i in rows])
    columns["message"] = np.array([text(summary[i].message) for i in rows])
    table = np.empty(c.runs, dtype=[(name, column.dtype) for name, column in columns.items()])
    for name, column in columns.items():
        table[name] = column
    return table


def complain_of_all(found: Sweep) -> None:
    """A mistake that no run is without, as the name of a parameter that is not there, is one of the call."""
    if (found.table["status"] == "bad-input").all():
        raise InputError(str(found.table["message"][0]))
