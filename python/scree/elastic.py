# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Meshes of elastic bodies: rectangles, boxes, discs, Gmsh files, arrays (scree/fem.h, docs/elastic.md)."""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._binding import ffi, lib
from ._core import Floats, InC, Keep, check, did_you_mean, doubles, enum_value, new_error, set_function, text
ELEMENT = "scree_element"


class Mesh(InC):
    """A mesh with named parts of its boundary, `groups`.

    >>> mesh = scree.Mesh.rectangle((0, 0), (1, 0.5), (4, 2))
    >>> mesh.nodes.shape, mesh.groups
    ((15, 2), ['left', 'right', 'bottom', 'top', 'boundary'])
    """

    def __init__(self, c: Any):
        self.c = ffi.gc(c, lib.scree_mesh_free)

    @classmethod
    def _make(cls, function: Any, *arguments: Any) -> "Mesh":
        made, err = ffi.new("scree_mesh **"), new_error()
        check(function(*arguments, made, err), err)
        return cls(made[0])

    @classmethod
    def rectangle(cls, low: Sequence[float], size: Sequence[float], cells: Sequence[int], element: str = "q4",
                  diagonal: str = "right") -> "Mesh":
        """Of t3, q4, t6 or q8; groups left, right, bottom, top."""
        return cls._make(lib.scree_mesh_rectangle, list(low), list(size), list(cells), kind_of(element),
                         enum_value(ffi.typeof("scree_diagonal"), diagonal))

    @classmethod
    def box(cls, low: Sequence[float], size: Sequence[float], cells: Sequence[int], element: str = "h8") -> "Mesh":
        """Of h8, h20, t4 or t10; groups left, right, front, back, bottom, top."""
        return cls._make(lib.scree_mesh_box, list(low), list(size), list(cells), kind_of(element))

    @classmethod
    def disc(cls, centre: Sequence[float], radius: float, cells: int, element: str = "q4") -> "Mesh":
        """Of q4, t3, q8 or t6; its one group is the boundary."""
        return cls._make(lib.scree_mesh_disc, list(centre), radius, cells, kind_of(element))

    @classmethod
    def read(cls, path: str | os.PathLike[str], space: int = 2, scale: float = 1.0) -> "Mesh":
        """A Gmsh file."""
        return cls._make(lib.scree_mesh_read_gmsh, os.fsencode(path), space, scale)

    @classmethod
    def make(cls, nodes: Any, elements: Any, element: str, groups: Mapping[str, Any] | None = None) -> "Mesh":
        """Of arrays: nodes (n x 2 or 3), elements (m x nodes of one), all of one kind; groups: name -> facets by
        their corners (k x 2, 3 or 4), or a list of nodes. The boundary is found."""
        points = np.ascontiguousarray(nodes, dtype=float)
        corners = np.ascontiguousarray(elements, dtype=np.int32)
        kinds = ffi.new(f"{ELEMENT}[]", [kind_of(element)] * len(corners))
        parts, keep = ffi.new("scree_mesh_part[]", max(len(groups or {}), 1)), []
        for part, (name, members) in zip(parts, (groups or {}).items()):
            given = np.asarray(members, dtype=np.int32)
            if given.ndim == 2:
                given = np.pad(given, ((0, 0), (0, lib.SCREE_FACET_CORNERS - given.shape[1])), constant_values=-1)
                part.facets = len(given)
            else:
                part.nodes = len(given)
            given = np.ascontiguousarray(given)
            keep += [given, ffi.new("char[]", name.encode())]
            part.node, part.name = ffi.cast("int *", ffi.from_buffer(given)), keep[-1]
        return cls._make(lib.scree_mesh_make, points.shape[1], len(points), ffi.cast("double *", ffi.from_buffer(points)),
                         len(corners), kinds, ffi.cast("int *", ffi.from_buffer(corners)), len(groups or {}), parts)

    @property
    def nodes(self) -> Floats:
        """Their places (nodes x space)."""
        return doubles(self.c.node, self.c.nodes, self.c.space)

    @property
    def groups(self) -> list[str]:
        """Names of the parts of the boundary, and of groups of nodes."""
        return [text(self.c.group[i].name) for i in range(self.c.groups)]

    def group(self, name: str) -> int:
        """The number of a group."""
        found = lib.scree_mesh_find(self.c, name.encode())
        if found < 0:
            raise KeyError(f"the mesh has no group '{name}'{did_you_mean(name, self.groups)}")
        return found

    def __repr__(self) -> str:
        return f"Mesh({self.c.nodes} nodes, {self.c.elements} elements, groups {', '.join(self.groups)})"


def kind_of(element: str) -> int:
    return enum_value(ffi.typeof(ELEMENT), element)


def holds_of(mesh: Mesh, held: Mapping[str, Any], keep: Keep) -> tuple[Any, int]:
    """Displacements that are prescribed, group by group and axis by axis."""
    wanted = [(mesh.group(name), axis, value) for name, values in held.items() for axis, value in enumerate(values)
              if value is not None]
    row = ffi.new("scree_prescribed[]", max(len(wanted), 1))
    for c, (group, axis, value) in zip(row, wanted):
        c.group, c.axis = group, axis
        set_function(c.value, value, keep)
    keep.append(row)
    return row, len(wanted)


def tractions_of(mesh: Mesh, traction: Mapping[str, Any], keep: Keep) -> tuple[Any, int]:
    """Loads on groups: components, or one number or function, a pressure."""
    row = ffi.new("scree_traction[]", max(len(traction), 1))
    for c, (name, values) in zip(row, traction.items()):
        c.group, c.pressure = mesh.group(name), not isinstance(values, (list, tuple, np.ndarray))
        for k, value in enumerate([values] if c.pressure else values):
            set_function(c.value[k], value, keep)
    keep.append(row)
    return row, len(traction)
