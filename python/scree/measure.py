# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""What is read off a packing, a pile or a wall at one moment (docs/measure.md, scree/measure.h): of a stored
frame of a `Run`, or of the last step of a `Simulation`. Tension is positive; up is the last axis."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

import numpy as np

from ._binding import ffi, lib
from ._core import Floats, Record, check, copy_rows, new_error, record, rows, text, vector
from .run import Run
from .simulation import Simulation

Source = Union[Run, Simulation]
Box = Sequence[Sequence[float]]  # two corners


class Moment:
    """A scree_moment with what it borrows."""

    def __init__(self, source: Source, frame: int = -1):
        sim = source if isinstance(source, Simulation) else source.simulation
        self.model, self.err = sim._model, new_error()
        self.space: int = self.model.space
        self.c = ffi.new("scree_moment *", {"model": self.model})
        self.c.step = lib.scree_simulation_options(sim._idle()).scheme.step
        if isinstance(source, Simulation):
            step = lib.scree_simulation_record(sim._c)
            self.contacts = copy_rows("scree_contact", step.contact, step.contacts)
            offset, self.q, self.c.time = 0, sim.q.copy(), sim.time
        else:
            self.contacts = source.contacts_at(frame)
            offset, self.q = ffi.offsetof("scree_contact_row", "contact"), source.states(frame)[0]
            self.c.time = source.time[frame]
        self.c.q = ffi.cast("double *", ffi.from_buffer(self.q))
        self.c.contacts, self.c.stride = len(self.contacts), self.contacts.dtype.itemsize
        if len(self.contacts):
            first = ffi.cast("char *", ffi.from_buffer(self.contacts.view(np.uint8)))
            self.c.contact = ffi.cast("scree_contact *", first + offset)

    def region(self, box: Box | None) -> Any:
        found = ffi.new("scree_region *", lib.scree_region_around(self.c))
        if box is not None:
            for k in range(self.space):
                found.low[k], found.high[k] = box[0][k], box[1][k]
        return found

    def axis(self, axis: Sequence[float] | None) -> Any:
        return ffi.new("double[2]", (list(axis or ()) + [0, 0])[:2])

    def square(self, numbers: Floats) -> Floats:
        return numbers.reshape(3, 3)[:self.space, :self.space].copy()


def stress(source: Source, frame: int = -1, region: Box | None = None) -> Record:
    """Mean stress in a box (None: around all bodies that move): `stress`, `pressure`, `volume`, `bodies`."""
    moment, cell = Moment(source, frame), ffi.new("scree_cell_stress *")
    lib.scree_measure_stress(moment.c, moment.region(region), ffi.new("int[3]", [1, 1, 1]), cell)
    found = record(cell)
    found["stress"] = moment.square(found.stress)
    return found


def fabric(source: Source, frame: int = -1, region: Box | None = None) -> Record:
    """Directions and forces of contacts that bear: `tensor`, `principal`, `anisotropy`, `force_mean`, ..."""
    moment, c = Moment(source, frame), ffi.new("scree_fabric *")
    check(lib.scree_measure_fabric(moment.c, moment.region(region), c, moment.err), moment.err)
    found = record(c)
    found["tensor"], found["direction"] = moment.square(found.tensor), moment.square(found.direction)
    found["principal"] = found.principal[:moment.space]
    return found


def coordination(source: Source, frame: int = -1, region: Box | None = None) -> Record:
    """Neighbours of bodies: `mean`, `mean_bearing`, `floating`, `histogram`, ..."""
    moment, c = Moment(source, frame), ffi.new("scree_coordination *")
    check(lib.scree_measure_coordination(moment.c, moment.region(region), c, moment.err), moment.err)
    return record(c)


def solid_fraction(source: Source, frame: int = -1, region: Box | None = None, lines: int = 400) -> float:
    """Share of a box that bodies which move fill."""
    moment, share = Moment(source, frame), ffi.new("double *")
    check(lib.scree_measure_solid_fraction(moment.c, moment.region(region), lines, share, moment.err), moment.err)
    return share[0]


def force_on(source: Source, name: str, frame: int = -1) -> Record:
    """`force` and `torque` of contacts on a body, or on a group from outside of it."""
    moment = Moment(source, frame)
    if not lib.scree_measure_knows(moment.model, name.encode()):
        raise KeyError(f"there is no body or group '{name}'")
    force, torque = np.zeros(3), np.zeros(3)
    lib.scree_measure_force_on(moment.c, name.encode(), vector(force)[1], vector(torque)[1])
    return Record(force=force[:moment.space], torque=torque if moment.space == 3 else torque[2:])


def ground(source: Source, frame: int = -1, *, width: float, rings: int, axis: Sequence[float] | None = None) -> Record:
    """Pressure on what does not move, in rings about the vertical: `rings` is a table, `force`, `weight`, `reach`
    are of all."""
    moment, whole = Moment(source, frame), ffi.new("scree_ground *")
    table, pointer = rows("scree_ground_ring", rings)
    lib.scree_measure_ground(moment.c, moment.axis(axis), width, rings, pointer, whole)
    return Record(record(whole), rings=table)


def slope(source: Source, frame: int = -1, *, width: float, rings: int, axis: Sequence[float] | None = None) -> Record:
    """The surface of a pile: `angle` of repose [rad], `apex`, `foot`, and `height` ring by ring."""
    moment, c = Moment(source, frame), ffi.new("scree_slope *")
    height = np.zeros(rings)
    lib.scree_measure_slope(moment.c, moment.axis(axis), width, rings, vector(height)[1], c)
    return Record(record(c), height=height)


def joints(source: Source, frame: int = -1, *, open: float = 1e-3) -> list[Record]:
    """Joints of blocks in the plane: who, `state`, `side` of a hinge, `point` and `force` of the resultant,
    `opening`. A gap above `open` times the smaller block's size is open."""
    moment, found, count = Moment(source, frame), ffi.new("scree_block_joint **"), ffi.new("int *")
    check(lib.scree_measure_joints(moment.c, open, found, count, moment.err), moment.err)
    first = ffi.gc(found[0], lib.binding_free) if found[0] else None
    names = [text(moment.model.body[i].name) for i in range(moment.model.bodies)]
    return [Record(record(first[i]), a=names[first[i].a], b=names[first[i].b]) for i in range(count[0])]
