# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Questions of small systems: equilibria and their stability, paradoxes, sweeping processes, events."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ._binding import ffi, lib
from ._core import Record, Table, check, copy_rows, doubles, enum_name, enum_value, new_error, record, text
from .scene import Scene, changes_of, opened
from .simulation import Simulation


def names_in(ctype: str, pointer: Any, *shape: int) -> Any:
    """Enumerators of C by their names, nested as the shape says."""
    if len(shape) > 1:
        step = int(np.prod(shape[1:]))
        return [names_in(ctype, pointer + i * step, *shape[1:]) for i in range(shape[0])]
    return [enum_name(ffi.typeof(ctype), pointer[i]) for i in range(shape[0])]


def equilibria(scene: Scene, overrides: Mapping[str, Any] | None = None, *, tolerance: float = 1e-12,
               judge: str | None = "auto", **more: Any) -> list[Record]:
    """Every equilibrium of a small system with friction, as pieces on which all contacts keep their status, and
    whether they are stable, with the ground of the verdict (docs/equilibria.md). judge: auto, experiment, proof,
    criteria; None: stability is not asked.

    >>> [(e.status, e.stability) for e in scree.equilibria("klarbring")]
    [(['grazing'], 'asymptotically-stable')]
    """
    sim = Simulation(opened(scene, changes_of(overrides, more)))
    model, options = lib.scree_simulation_model(sim._c), lib.scree_simulation_options(sim._c)
    system, found, err = ffi.new("scree_equilibrium_system *"), ffi.new("scree_equilibria *"), new_error()
    try:
        check(lib.scree_equilibrium_system_new(model, options, system, err), err)
        check(lib.scree_equilibria_find(system, tolerance, found, err), err)
        if judge:
            how = enum_value(ffi.typeof("scree_stability_method"), judge)
            check(lib.scree_stability_judge(model, options, system, how, found, err), err)
        return [equilibrium(found, found.item[i], bool(judge)) for i in range(found.count)]
    finally:
        lib.scree_equilibria_free(found)
        lib.scree_equilibrium_system_free(system)


def equilibrium(found: Any, c: Any, judged: bool) -> Record:
    n, contacts, points = found.coordinates, found.contacts, c.vertices + c.rays
    u, r = doubles(c.u, points, n), doubles(c.r, points, contacts, 2)
    piece = Record(status=names_in("scree_rest", c.status, contacts), family=text(lib.scree_equilibrium_family(ffi.addressof(c))),
                   freedom=c.freedom, u=u[:c.vertices], r=r[:c.vertices], u_rays=u[c.vertices:], r_rays=r[c.vertices:],
                   ends=names_in("scree_rest", c.end, c.vertices, contacts), rn=doubles(c.rn, contacts, 2))
    if judged:
        piece.update(stability=text(lib.scree_stability_name(c.stability)), ground=text(c.ground),
                     growth_rate=c.growth_rate,
                     growth_direction=doubles(c.growth_direction, n) if c.growth_direction else None)
    return piece


def paradox(scene: Scene, overrides: Mapping[str, Any] | None = None, *, tolerance: float = 1e-12, **more: Any) -> Record:
    """Every motion that may follow from the start of a scene with one closed contact: `verdict` (consistent,
    indeterminate, inconsistent), `A`, `B`, and the `solutions` (docs/paradoxes.md).

    >>> scree.paradox("painleve-rod").verdict
    'inconsistent'
    """
    sim = Simulation(opened(scene, changes_of(overrides, more)))
    found, err = ffi.new("scree_paradox *"), new_error()
    check(lib.scree_study_paradox(sim._c, tolerance, found, err), err)
    answer = record(found, leave_out=("contact", "solution"))
    answer["W"] = answer.W.reshape(2, 2)
    answer["contact"] = copy_rows("scree_contact", ffi.addressof(found, "contact"), 1)[0]
    answer["solutions"] = [record(found.solution[i]) for i in range(found.solutions)]
    return answer


def sweeping(scene: Scene, overrides: Mapping[str, Any] | None = None, **more: Any) -> Record:
    """A point that moving sets take along: `time` (n), `x` (n x coordinates), `outside` (n), to the end of the
    scene (docs/sweeping.md)."""
    sim = Simulation(opened(scene, changes_of(overrides, more)))
    if lib.scree_simulation_integration(sim._c).energies:
        raise ValueError("the scene is no sweeping process: it has masses")
    time, x, outside = [sim.time], [sim.q.copy()], [0.0]
    while sim.left > 0:
        sim.step()
        time.append(sim.time)
        x.append(sim.q.copy())
        outside.append(lib.scree_simulation_account(sim._c).penetration)
    return Record(time=np.array(time), x=np.array(x), outside=np.array(outside))


def events_of(events: Any) -> Table:
    if not events:
        raise ValueError("only a run with the scheme event-driven has events")
    rows = ffi.new("const scree_event **")
    count = lib.scree_events_list(events, rows)
    return copy_rows("scree_event", rows[0], count)
