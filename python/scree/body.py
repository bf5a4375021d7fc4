# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Definitions of bodies and shapes, for models and for simulations that they are added to."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._binding import ffi, lib
from ._core import Floats, Keep, check, enum_value, fill, new_error
class Shape:
    """A shape of a body: `Shape("disc", radius=0.1)`, `Shape("box", size=(1, 1, 2))`,
    `Shape("polygon", vertex=[[0, 0], [1, 0], [0, 1]])`; the names are those of scenes."""

    def __init__(self, kind: str, **fields: Any):
        self.number = enum_value(ffi.typeof("scree_shape_kind"), kind)
        self.kind = kind
        self.fields = dict(fields)
        counted = {"vertex": "vertices", "triangle": "triangles"}
        for name, count in counted.items():
            if name in fields:
                self.fields.setdefault(count, len(fields[name]))
        if "height" in fields:
            self.fields["rows"], self.fields["columns"] = np.shape(fields["height"])

    def make(self, keep: Keep) -> Any:
        """The struct of C, of body number 0."""
        c = ffi.new("scree_shape *", lib.scree_shape_default(self.number, 0))
        return fill(c, self.fields, keep, f"a {self.kind}")

    def __repr__(self) -> str:
        return f"Shape({', '.join([repr(self.kind)] + [f'{k}={v!r}' for k, v in self.fields.items()])})"


def tensor_of(inertia: Any) -> Floats:
    """xx xy xz yy yz zz of one number, three for the axes, six, or a matrix.

    >>> tensor_of([1, 2, 3]).tolist()
    [1.0, 0.0, 0.0, 2.0, 0.0, 3.0]
    """
    given = np.asarray(inertia, dtype=float)
    if given.shape == (6,):
        return given
    matrix = given if given.ndim == 2 else np.diag(np.broadcast_to(given, 3))
    return matrix[np.triu_indices(3)]


def body_of(model: Any, name: str, shapes: Sequence[Shape], density: float, fields: Mapping[str, Any],
            keep: Keep) -> tuple[Any, Any]:
    """A scree_body and its shapes in a row, whose body is number 0; with a density, mass and inertia are theirs."""
    c = ffi.new("scree_body *", lib.scree_body_default())
    fields = dict(fields)
    if model.space == 3 and "inertia" in fields:
        fields["tensor"] = tensor_of(fields.pop("inertia"))
    fill(c, {"name": name, **fields}, keep, f"body '{name}'")
    row = ffi.new("scree_shape[]", len(shapes) or 1)
    for i, shape in enumerate(shapes):
        row[i] = shape.make(keep)[0]
    if density:
        err = new_error()
        check(lib.scree_body_from_density(c, row, len(shapes), model.space, density, err), err)
    keep += [c, row]
    return c, row
