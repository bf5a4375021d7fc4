# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Questions that take many runs of one scene: schemes side by side, errors over the step, grids of parameters."""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._binding import ffi, lib
from ._core import CALL, Array, Findings, Floats, Keep, Record, check, doubles, enum_name, fill, new_error, record, text
from .progress import Bar
from .scene import Scene, c_texts, changes_of, open_c, opened


class Study:
    """A scene that C opens again and again, by way of Python: whatever `scree.open` takes. C's function that
    opens has the scene's name alone to tell which one it is, so that the name is the study's number."""

    running: dict[bytes, "Study"] = {}

    def __init__(self, scene: Scene, changes: list[str], progress: Any, what: str):
        self.scene, self.changes, self.progress, self.what = scene, changes, progress, what
        self.bar: Any = None  # not chosen yet; False: none is wanted
        self.name = str(id(self)).encode()
        self.error: BaseException | None = None  # of opening, in whatever thread it was

    def __enter__(self) -> "Study":
        self.running[self.name] = self
        self.handle = ffi.new_handle(self)
        self.c_name = ffi.new("char[]", self.name)
        self.c = ffi.new("scree_study *", {"open": lib.binding_on_open, "scene": self.c_name,
                                           "on_progress": lib.binding_on_progress, "data": self.handle})
        return self

    def __exit__(self, *_: object) -> None:
        del self.running[self.name]
        if self.bar:
            self.bar.end()

    def finish(self, status: int, err: Any) -> None:
        """Raise what went wrong: in Python's functions, or in C."""
        CALL.check()
        if self.error:
            raise self.error
        check(status, err)

    def tell(self, done: int, total: int) -> bool:
        if self.bar is None:
            self.bar = Bar.choose(self.progress, self.what, total) or False
        bar: Any = self.bar
        if bar:
            bar.total = total
            bar(done)
        return False


@ffi.def_extern()
def binding_on_open(scene: Any, override: Any, count: int, findings: Any) -> Any:
    study = Study.running[ffi.string(scene)]
    try:
        return open_c(study.scene, study.changes + [text(override[i]) for i in range(count)], findings)
    except BaseException as error:
        study.error = error
        return ffi.NULL


@ffi.def_extern(onerror=lambda kind, error, trace: CALL.failed(error, True))
def binding_on_progress(data: Any, what: Any, done: int, total: int) -> bool:
    return ffi.from_handle(data).tell(done, total)


def compare(scene: Scene, schemes: Sequence[str] = ("moreau-jean", "moreau-jean-fremond"),
            overrides: Mapping[str, Any] | None = None, *, folder: str | os.PathLike[str] | None = None,
            stem: str = "run", progress: Any = None, **more: Any) -> dict[str, Record]:
    """Run a scene under several schemes. For each: energy_start, energy_end, totals, theorem, verdict, q, v at
    the end, and path, its run file folder/stem.SCHEME.h5 where a folder is given.

    >>> found = scree.compare("impacting-stick")
    >>> {name: float(f"{r.totals.energy_created:.2e}") for name, r in found.items()}
    {'moreau-jean': 0.000708, 'moreau-jean-fremond': 0.0}
    """
    names, keep = c_texts(list(schemes))
    found, err = ffi.new("scree_comparison *"), new_error()
    with Study(scene, changes_of(overrides, more), progress, "compare") as study, Findings() as mistakes:
        try:
            c_folder = ffi.NULL if folder is None else os.fsencode(folder)
            status = lib.scree_comparison_find(study.c, names, len(schemes), c_folder, stem.encode(), found,
                                               mistakes.c, err)
            mistakes.check()
            study.finish(status, err)
            return {text(found.run[i].scheme): compared(found.run[i]) for i in range(found.runs)}
        finally:
            lib.scree_comparison_free(found)


def compared(c: Any) -> Record:
    sim, model = c.simulation, lib.scree_simulation_model(c.simulation)
    state = lib.scree_simulation_state(sim)
    return Record(energy_start=c.energy_start, energy_end=lib.scree_simulation_energy(sim),
                  totals=record(lib.scree_simulation_totals(sim)), theorem=record(lib.scree_simulation_theorem(sim)),
                  verdict=text(lib.scree_run_verdict_name(lib.scree_simulation_verdict(sim))),
                  q=doubles(state.q, model.coordinates), v=doubles(state.v, model.dofs), time=state.time,
                  path=text(c.path), wall=c.wall)


def converge(scene: Scene, schemes: Sequence[str] | None = None, overrides: Mapping[str, Any] | None = None, *,
             progress: Any = None, first: float | None = None, levels: int | None = None, spread: int | None = None,
             at_end: bool = False, reference: str = "auto", **more: Any) -> Record:
    """How fast errors fall with the step (docs/convergence.md): for each of `schemes` the steps `h`, `error_q`,
    `error_v`, `error_energy`, the fitted `order_q`, ..., and `levels` with all that is known of each step."""
    changes = changes_of(overrides, more)
    keep: Keep = []
    probe = ffi.gc(opened(scene, changes), lib.scree_simulation_free)
    options = ffi.new("scree_convergence_options *", lib.scree_convergence_options_default(probe))
    about = lib.scree_simulation_integration(probe)
    own = [text(about.method)]
    names, hold = c_texts(list(schemes or own))
    given = {"first": first, "levels": levels, "spread": spread, "at_end": at_end, "reference": reference}
    fill(options, {k: x for k, x in given.items() if x is not None}, keep, "converge")
    if first is not None:
        run = lib.scree_simulation_options(probe)
        options.coarse = max(1, round(run.duration / first))
    options.key, options.scheme, options.schemes = about.method_key, names, len(schemes or own)
    found, err = ffi.new("scree_convergence *"), new_error()
    with Study(scene, changes, progress, "converge") as study:
        try:
            study.finish(lib.scree_convergence_find(study.c, options, found, err), err)
            ladders = {text(found.ladder[i].scheme): ladder(found.ladder[i], found.levels) for i in range(found.schemes)}
            return Record(schemes=ladders, end=found.end, self=bool(found.self), why_self=text(found.why_self))
        finally:
            lib.scree_convergence_free(found)


def ladder(c: Any, levels: int) -> Record:
    rows = [record(c.level[k]) for k in range(levels)]
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0] if name == "h" or name.startswith("error_")}
    return Record(record(c, leave_out=("level",)), levels=rows, **columns)


class Axes:
    """Parameters and their values, as C wants them."""

    def __init__(self, axes: Mapping[str, Sequence[float] | Floats]):
        if not 1 <= len(axes) <= lib.SCREE_AXES:
            raise ValueError(f"a grid has one axis or two, got {len(axes)}")
        self.values = {name: np.ascontiguousarray(values, dtype=float) for name, values in axes.items()}
        self.names = [ffi.new("char[]", name.encode()) for name in axes]
        self.c = ffi.new("scree_axis[]", [
            {"name": name, "value": ffi.cast("double *", ffi.from_buffer(values)), "count": len(values)}
            for name, values in zip(self.names, self.values.values())])
        self.count = len(self.values)
        self.shape = tuple(len(values) for values in self.values.values())


def ints(pointer: Any, shape: tuple[int, ...], kind: str = "i4") -> Array:
    count = int(np.prod(shape))
    return np.frombuffer(ffi.buffer(pointer, count * np.dtype(kind).itemsize), dtype=kind).reshape(shape).copy()


def paradox_grid(scene: Scene, axes: Mapping[str, Sequence[float] | Floats], overrides: Mapping[str, Any] | None = None, *,
                 tolerance: float = 1e-12, progress: Any = None, **more: Any) -> Record:
    """How many motions there are over a grid of one or two parameters: `count` (-1: infinitely many, -2: not to
    be asked there), `A`, `B`, and what each scheme does, `outcome`."""
    grid, found, err = Axes(axes), ffi.new("scree_paradox_grid *"), new_error()
    with Study(scene, changes_of(overrides, more), progress, "paradox") as study:
        try:
            study.finish(lib.scree_paradox_grid_find(study.c, grid.c, grid.count, tolerance, found, err), err)
            outcomes = {enum_name(ffi.typeof("scree_scheme"), s): outcome_names(found.outcome[s], grid.shape)
                        for s in range(lib.SCREE_TRIAL_SCHEMES)}
            return Record(axes=grid.values, count=ints(found.count, grid.shape), A=doubles(found.A, *grid.shape),
                          B=doubles(found.B, *grid.shape), outcome=outcomes, unfit=found.unfit, reason=text(found.reason))
        finally:
            lib.scree_paradox_grid_free(found)


def outcome_names(pointer: Any, shape: tuple[int, ...]) -> Array:
    numbers = ints(pointer, shape, "u1")
    return np.vectorize(lambda k: enum_name(ffi.typeof("scree_outcome"), k), otypes=[object])(numbers)


def equilibria_grid(scene: Scene, axes: Mapping[str, Sequence[float] | Floats], overrides: Mapping[str, Any] | None = None, *,
                    tolerance: float = 1e-12, progress: Any = None, **more: Any) -> Record:
    """Kinds of equilibria over a grid: `kind` numbers `labels`, `pieces`, `low` and `high` of the normal forces,
    and, of one axis, the `critical` values where the kind changes."""
    grid, found, err = Axes(axes), ffi.new("scree_equilibria_grid *"), new_error()
    with Study(scene, changes_of(overrides, more), progress, "equilibria") as study, Findings() as mistakes:
        try:
            status = lib.scree_equilibria_grid_find(study.c, grid.c, grid.count, tolerance, found, mistakes.c, err)
            mistakes.check()
            study.finish(status, err)
            return Record(axes=grid.values, kind=ints(found.kind, grid.shape), pieces=ints(found.pieces, grid.shape),
                          low=doubles(found.low, *grid.shape), high=doubles(found.high, *grid.shape),
                          labels=[text(found.label[k]) for k in range(found.kinds)],
                          critical=[record(found.critical[k]) for k in range(found.criticals)])
        finally:
            lib.scree_equilibria_grid_free(found)
