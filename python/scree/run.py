# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""A run that is stored in a file, read when it is looked at."""
from __future__ import annotations

import errno
import functools
import html
import os
from typing import Any

import numpy as np

from ._binding import ffi, lib
from ._core import (FileMissing, Findings, Floats, InputError, Record, Table, check, column_names, did_you_mean, menu, new_error,
                    row_dtype, rows, text, vector)
from .simulation import Simulation, part

TABLES = {"ledger": "scree_step_row", "contacts": "scree_contact_row"}


class Run:
    """A run file, by the library's own reader (every row against its digest); nothing is read before it is
    asked for. Times and states are those of the stored frames, the ledger has a row for every step.

    >>> run = scree.open("bouncing-ball").run(tmp + "/ball.h5")
    >>> run.q.shape, float(run.time[-1])
    ((3001, 6), 3.0)
    >>> abs(run.ledger["residual"]).max() < 1e-13
    True
    """

    def __init__(self, path: str | os.PathLike[str], start: Simulation | None = None):
        self.path = os.fspath(path)
        if not os.path.exists(self.path):
            raise FileMissing(errno.ENOENT, "there is no such run file", self.path)
        self._made = start
        made = ffi.new("scree_run_reader **")
        self._err = new_error()
        check(lib.scree_run_reader_open(os.fsencode(path), made, self._err), self._err)
        self._reader: Any = ffi.gc(made[0], lib.scree_run_reader_close)
        self._lent = start._c if start is not None else None  # what C borrows
        if start is not None:
            lib.scree_run_reader_lend(self._c, start._idle())

    # ---- what is in it ----

    @property
    def title(self) -> str:
        """Of its scene."""
        return text(self._c.title)

    @property
    def version(self) -> str:
        """Of the scree that made it."""
        return text(self._c.version)

    @property
    def scene(self) -> str:
        """The text of the scene."""
        return ffi.unpack(self._c.scene_text, self._c.scene_length).decode() if self._c.scene_text else ""

    @property
    def overrides(self) -> list[str]:
        """As given, "path=value"."""
        return [text(self._c.override[i]) for i in range(self._c.overrides)]

    @property
    def frames(self) -> int:
        """Stored states, the start included."""
        return self._c.frames

    @property
    def steps(self) -> int:
        """Rows of the ledger, the start included."""
        return self._c.steps

    def close(self) -> None:
        """Close the file, so that a run can go on in it. What was read stays; anything else is a ValueError."""
        if self._reader is not None:
            ffi.release(self._reader)
            self._reader = None

    @property
    def _c(self) -> Any:
        if self._reader is None:
            raise ValueError(f"the run file is closed: {self.path}")
        return self._reader

    def __reduce__(self) -> Any:
        return Run, (os.path.abspath(self.path),)

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return self.frames

    # ---- tables ----

    def _table(self, ctype: str, read: Any, first: int, count: int) -> Table:
        table, pointer = rows(ctype, count)
        if count:
            check(read(self._c, first, count, pointer, self._err), self._err)
        return table

    def states(self, which: int | slice = slice(None)) -> tuple[Floats, Floats]:
        """q and v of a frame, or of a range of frames (frames x numbers), read from the file."""
        if not isinstance(which, slice):
            q, v = self._read(range(self.frames)[which], 1)
            return q[0], v[0]
        wanted = range(self.frames)[which]
        if wanted.step == 1:
            return self._read(wanted.start, len(wanted))
        q, v = self._room(len(wanted))
        for row, frame in enumerate(wanted):  # what lies between is not read
            self._read_into(frame, q[row:row + 1], v[row:row + 1])
        return q, v

    def _room(self, count: int) -> tuple[Floats, Floats]:
        return np.empty((count, self._c.coordinates)), np.empty((count, self._c.dofs))

    def _read(self, first: int, count: int) -> tuple[Floats, Floats]:
        q, v = self._room(count)
        self._read_into(first, q, v)
        return q, v

    def _read_into(self, first: int, q: Floats, v: Floats) -> None:
        if len(q):
            check(lib.scree_run_reader_states(self._c, first, len(q), vector(q)[1], vector(v)[1], self._err), self._err)

    @functools.cached_property
    def _states(self) -> tuple[Floats, Floats]:
        return self.states()

    @property
    def q(self) -> Floats:
        """Coordinates, frames x coordinates; all of them are read at once. `states` reads some."""
        return self._states[0]

    @property
    def v(self) -> Floats:
        """Velocities, frames x degrees of freedom."""
        return self._states[1]

    @functools.cached_property
    def _frames(self) -> Table:
        return self._table("scree_frame_row", lib.scree_run_reader_frames, 0, self.frames)

    @property
    def time(self) -> Floats:
        """Of the frames [s]."""
        return self._frames["time"]

    @functools.cached_property
    def ledger(self) -> Table:
        """A row for every step: step, time, energies, works, what was created, residuals, iterations."""
        return self._table("scree_step_row", lib.scree_run_reader_steps, 0, self.steps)

    @functools.cached_property
    def contacts(self) -> Table:
        """The contacts of all frames, in their order; `step` tells which. `contacts_at` reads those of one."""
        return self._table("scree_contact_row", lib.scree_run_reader_contacts, 0, self._c.contacts)

    def contacts_at(self, frame: int) -> Table:
        """The contacts of a frame, read from the file; -1 is the last."""
        row = self._frames[range(self.frames)[frame]]
        return self._table("scree_contact_row", lib.scree_run_reader_contacts, int(row["first_contact"]),
                           int(row["contacts"]))

    def frame_at(self, time: float) -> int:
        """The frame next to a time."""
        return int(np.argmin(np.abs(self.time - time)))

    @property
    def simulation(self) -> Simulation:
        """The simulation that made the run; of a file of before the same one at its start, made of the scene in
        the file. A run of a model by calls has no scene: give Run(path, simulation)."""
        if self._made is None or self._made._c is None:
            if not self._c.scene_length and self._lent is None:
                raise InputError(f"{self.path} is the run of a model by calls, which is not in the file: build it again "
                                 "and give Run(path, simulation); q, v, time, ledger and contacts are there without")
            with Findings() as found:
                made = found.check(lib.scree_run_simulation(self._c, found.c))
            self._made = Simulation(made, [self._lent])
        return self._made

    @property
    def bodies(self) -> list[str]:
        """Names of the rigid bodies."""
        return self.simulation.bodies

    @property
    def positions(self) -> Floats:
        """Of all rigid bodies, frames x bodies x space."""
        model = self.simulation._model
        return part(self.q, model.bodies, model.body_coordinates)[..., :model.space]

    @property
    def velocities(self) -> Floats:
        """Of their centres, frames x bodies x space."""
        model = self.simulation._model
        return part(self.v, model.bodies, model.body_dofs)[..., :model.space]

    def body(self, which: str | int) -> Record:
        """The path of a rigid body: its `q` and `v` (frames x numbers of one body), `position`, `velocity`."""
        number, model = self.simulation._number(which), self.simulation._model
        n, d, space = model.body_coordinates, model.body_dofs, model.space
        q = self.q[:, number * n:(number + 1) * n]
        v = self.v[:, number * d:(number + 1) * d]
        return Record(name=self.bodies[number], q=q, v=v, position=q[:, :space], velocity=v[:, :space])

    def pandas(self, table: str = "ledger") -> Any:
        """`ledger` or `contacts` as a pandas.DataFrame; vectors have a column for each number."""
        import pandas
        names = columns(table)
        data: Table = getattr(self, table)
        found = {}
        for name in names:
            column = data[name]
            parts = {name: column} if column.ndim == 1 else {f"{name}_{k}": column[:, k] for k in range(column.shape[1])}
            found.update(parts)
        return pandas.DataFrame(found)

    # ---- pictures ----

    def draw(self, what: str, file: str | os.PathLike[str]) -> str:
        """A figure of `scree plot` as .svg, .png or .pdf; `figures()` lists them."""
        run = ffi.new("scree_run_reader *[]", [self._c])
        check(lib.show_draw(run, ffi.NULL, 1, what.encode(), os.fsencode(file), self._err), self._err)
        return os.fspath(file)

    def plot(self, *columns: str, ax: Any = None, **style: Any) -> Any:
        """Columns of the ledger over time, on axes of matplotlib (made if there are none), which are returned.

        >>> ax = run.plot("kinetic", "potential")
        """
        ax = axes_of(ax)
        for name in columns or ("kinetic", "elastic", "potential"):
            if name not in column_names(self.ledger):
                raise ValueError(f"the ledger has no column '{name}'{did_you_mean(name, column_names(self.ledger))}")
            ax.plot(self.ledger["time"], self.ledger[name], label=name.replace("_", " "), **style)
        ax.set_xlabel(f"time [{self.unit('s')}]")
        ax.set_ylabel(f"energy [{self.unit('J')}]")
        ax.legend()
        return ax

    def plot_paths(self, *bodies: str | int, ax: Any = None, **style: Any) -> Any:
        """Paths of rigid bodies (none named: of all that move), the last axis over the first."""
        ax = axes_of(ax)
        model = self.simulation._model
        moving = [i for i in range(model.bodies) if not (model.body[i].fixed or model.body[i].driven)]
        for which in bodies or moving:
            body = self.body(which)
            ax.plot(body.position[:, 0], body.position[:, -1], label=body.name, **style)
        ax.set_xlabel(f"x [{self.unit('m')}]")
        ax.set_ylabel(f"{'z' if model.space == 3 else 'y'} [{self.unit('m')}]")
        ax.set_aspect("equal")
        ax.legend()
        return ax

    def unit(self, si: str) -> str:
        """What stands for a unit of SI in the scene."""
        units = lib.scree_scene_units(lib.scree_simulation_scene(self.simulation._c))
        return text(lib.scree_units_name(units, si.encode()).text)

    def html(self, megabytes: float | None = None) -> str:
        """The page that plays the run, as `scree show --html` writes it; smaller than so many megabytes."""
        options = ffi.new("show_page_options *", lib.show_page_options_default())
        if megabytes:
            options.megabytes = megabytes
        page, report = ffi.new("show_text *"), ffi.new("show_page_report *")
        try:
            check(lib.show_page_compose(self._c, options, page, report, self._err), self._err)
            return ffi.unpack(page.bytes, page.size).decode()
        finally:
            lib.show_text_free(page)

    def _repr_html_(self) -> str | None:
        try:
            page = self.html(megabytes=5)
        except InputError:  # nothing that could be played
            return None
        return (f'<iframe srcdoc="{html.escape(page)}" style="width: 100%; height: 480px; border: 0" '
                f'sandbox="allow-scripts"></iframe>')

    def __repr__(self) -> str:
        what = f"{self.frames} frames, {self.steps - 1} steps" if self._reader is not None else "closed"
        return f"Run('{self.path}': {what})"


def axes_of(ax: Any) -> Any:
    """Axes of matplotlib, the present ones where none are given."""
    import matplotlib.pyplot as pyplot
    return ax if ax is not None else pyplot.gca()


def figures() -> dict[str, str]:
    """The figures that `Run.draw` knows: name -> what is in it.

    >>> "energy" in figures()
    True
    """
    return menu(lib.show_kinds())


def columns(table: str = "ledger") -> list[str]:
    """Names of the columns of `Run.ledger` or `Run.contacts`."""
    if table not in TABLES:
        raise ValueError(f"there is no table '{table}'; there are {', '.join(TABLES)}{did_you_mean(table, TABLES)}")
    return list(row_dtype(TABLES[table]).names or ())
