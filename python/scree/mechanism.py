# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Mechanisms in minimal coordinates by Python functions (scree/mechanism.h, docs/mechanisms.md)."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ._binding import ffi, lib
from ._core import CALL, Floats, Keep, fill
class Mechanics:
    """The functions of a mechanism, and what C knows of it."""

    def __init__(self, mass: Callable[..., Any], potential: Callable[..., Any] | None, force: Callable[..., Any] | None,
                 contacts: Sequence[Mapping[str, Any]], position: Any, velocity: Any, keep: Keep):
        self.mass = mass
        self.potential: Any = potential
        self.force: Any = force
        self.gaps = [contact["gap"] for contact in contacts]
        start = np.ascontiguousarray(position, dtype=float).ravel()
        speed = np.zeros_like(start) if velocity is None else np.ascontiguousarray(velocity, dtype=float).ravel()
        if len(speed) != len(start):
            raise ValueError(f"velocity must have {len(start)} numbers, got {len(speed)}")
        self.n = len(start)
        laws = ffi.new("scree_law[]", max(len(contacts), 1))
        names = [ffi.new("char[]", str(c.get("name", f"contact-{i + 1}")).encode()) for i, c in enumerate(contacts)]
        for i, contact in enumerate(contacts):
            laws[i] = lib.scree_law_default()
            fill(laws[i], {k: x for k, x in contact.items() if k not in ("gap", "name")}, keep, "a contact")
        row = ffi.new("const char *[]", names or [ffi.NULL])
        handle = ffi.new_handle(self)
        self.c = ffi.new("scree_mechanism_def *", {
            "coordinates": self.n, "contacts": len(contacts), "self": handle, "mass": lib.binding_on_mass,
            "potential": lib.binding_on_potential if potential else ffi.NULL,
            "force": lib.binding_on_push if force else ffi.NULL,
            "contact": lib.binding_on_gap if contacts else ffi.NULL, "law": laws, "contact_name": row,
            "position": ffi.cast("double *", ffi.from_buffer(start)),
            "velocity": ffi.cast("double *", ffi.from_buffer(speed))})
        keep += [self.c, handle, laws, names, row, start, speed]

    def numbers(self, pointer: Any, *shape: int) -> Floats:
        """C's numbers, for the time of the call."""
        shape = shape or (self.n,)
        return np.frombuffer(ffi.buffer(pointer, 8 * int(np.prod(shape)))).reshape(shape)


def mechanics_of(handle: Any) -> Mechanics:
    return ffi.from_handle(ffi.cast("void *", handle))


def put(error_value: float, function: Callable[[], Any], *places: Floats) -> float:
    """Put what a function gives where C wants it, and return the first of it; of a function that fails numbers
    that are none, which C refuses: an exception must not pass through C."""
    try:
        value, *parts = function()
        for place, part in zip(places, parts):
            place[...] = part
        return float(value)
    except BaseException as error:
        for place in places:
            place[...] = np.nan
        return CALL.failed(error, error_value)


@ffi.def_extern()
def binding_on_mass(self: Any, q: Any, M: Any, dM: Any) -> None:
    m = mechanics_of(self)
    n = m.n
    put(0.0, lambda: (0.0, *m.mass(m.numbers(q))), m.numbers(M, n, n), m.numbers(dM, n, n, n))


@ffi.def_extern()
def binding_on_potential(self: Any, q: Any, gradient: Any) -> float:
    m = mechanics_of(self)
    return put(np.nan, lambda: m.potential(m.numbers(q)), m.numbers(gradient))


@ffi.def_extern()
def binding_on_push(self: Any, t: float, q: Any, v: Any, Q: Any) -> None:
    m = mechanics_of(self)
    put(0.0, lambda: (0.0, m.force(t, m.numbers(q), m.numbers(v))), m.numbers(Q))


@ffi.def_extern()
def binding_on_gap(self: Any, contact: int, q: Any, normal: Any, tangent: Any) -> float:
    m = mechanics_of(self)
    return put(np.nan, lambda: m.gaps[contact](m.numbers(q)), m.numbers(normal), m.numbers(tangent))
