# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""The group /VTKHDF of a run file, read as VTK's documentation of the format says, by h5py, and held against the
tables of the run; with the word `rules`, the group alone held against that documentation; with the word `vtk`, what
VTK's own reader makes of it (the static form: the first state).

read_vtkhdf.py [rules|vtk] RUN...: prints what is wrong, a line each, and nothing if all is well.
"""

import sys

import h5py
import numpy as np


def parts_of(g, step):
    """Points of each part, cells as lists of points, arrays; of one step."""
    s = g["Steps"]
    part, count = s["PartOffsets"][step], s["NumberOfParts"][step]
    sizes = [g[name][part:part + count] for name in ("NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds")]
    at = [s[name][step] for name in ("PointOffsets", "CellOffsets", "ConnectivityIdOffsets")]
    places = g["Points"][at[0]:at[0] + sizes[0].sum()]
    types = g["Types"][at[1]:at[1] + sizes[1].sum()]
    offsets, corners, first, begin = [], [], at[1], at[2]
    for cells, ids in zip(sizes[1], sizes[2]):
        offsets.append(g["Offsets"][first:first + cells + 1])
        corners.append(g["Connectivity"][begin:begin + ids])
        first, begin = first + cells + 1, begin + ids
    arrays = {}
    for kind, size in (("PointData", sizes[0].sum()), ("CellData", sizes[1].sum())):
        for name in g[kind]:
            begin = s[f"{kind}Offsets"][name][step]
            arrays[name] = g[kind][name][begin:begin + size]
    return places, types, offsets, corners, sizes, arrays


def lift(rows, space):
    """Three numbers a point, in the plane the third is 0."""
    rows = rows.reshape(-1, space)
    return np.hstack([rows, np.zeros((len(rows), 3 - space))])


def rigid(f, step):
    """What the tables say of rigid bodies."""
    space, bodies = f["model"].attrs["space"], f["model/bodies"][:]
    q = np.array([f["q"][step][b["coordinate"]:][:b["coordinates"]] for b in bodies])
    v = np.array([f["v"][step][b["dof"]:][:b["dofs"]] for b in bodies])
    turn = {"angle": q[:, 2]} if space == 2 else {"orientation": q[:, 3:]}
    spin = v[:, 2] if space == 2 else v[:, 3:]
    return lift(q[:, :space], space), {**turn, "velocity": lift(v[:, :space], space), "spin": spin,
                                       "body": np.arange(len(bodies)), "birth": bodies["birth"],
                                       "removal": bodies["removal"]}


def elastic(f, step):
    """The same of elastic bodies."""
    space, meshes = f["model"].attrs["space"], [f["model/elastic"][str(e)] for e in range(len(f["model/elastic"]))]
    take = lambda row, at: np.vstack([lift(row[m.attrs[at]:][:m["nodes"].size], space) for m in meshes])
    arrays = {"displacement": take(f["q"][step], "coordinate"), "velocity": take(f["v"][step], "dof")}
    for name in ("stress", "strain"):
        if name in f:
            arrays[name] = f[name][step]
    if "reactions" in f:
        arrays["reaction"] = lift(f["reactions"][step], space)
    return np.vstack([lift(m["nodes"][:], space) for m in meshes]), arrays


def complaints(name):
    """Every state by the documentation of the format."""
    with h5py.File(name) as f:
        g, soft = f["VTKHDF"], "elastic" in f["model"] and len(f["model/elastic"])
        if g["Steps"].attrs["NSteps"] != len(f["q"]) or (g["Steps/Values"][:] != f["frames/time"][:]).any():
            yield "steps are others"
        for step in range(len(f["q"])):
            places, types, offsets, corners, sizes, arrays = parts_of(g, step)
            wanted, values = (elastic if soft else rigid)(f, step)
            if not np.array_equal(places, wanted):
                yield f"state {step}: points are elsewhere"
            for key, value in values.items():
                if key not in arrays or not np.array_equal(arrays[key], value):
                    yield f"state {step}: {key} is another"
            for k, (first, corner) in enumerate(zip(offsets, corners)):
                if first[0] or first[-1] != len(corner) or corner.max(initial=0) >= sizes[0][k]:
                    yield f"state {step}: cells of part {k} are wrong"
                mesh = f["model/elastic"][str(k)] if soft else None
                if soft and not np.array_equal(corner, mesh["connectivity"][:]):
                    yield f"state {step}: other cells in part {k}"
            kinds = np.concatenate([f["model/elastic"][str(e)]["types"][:] for e in range(len(offsets))]) if soft else 1
            if (types != kinds).any():
                yield f"state {step}: other kinds of cells"


# ---- the rules of the format, for any unstructured grid over time, whoever wrote it ----

# points of a cell by its type, for those that runs have: vertex, triangle, quadrangle, tetrahedron, hexahedron and
# their quadratic kin
CORNERS = {1: 1, 3: 2, 5: 3, 9: 4, 10: 4, 12: 8, 22: 6, 23: 8, 24: 10, 25: 20}


def kind_of(g, name, kinds, dimensions):
    """What is wrong with a data set's type and rank."""
    if name not in g:
        return [f"{name} is missing"]
    if not isinstance(g[name], h5py.Dataset):
        return [f"{name} is no data set"]
    found = []
    if g[name].dtype.kind not in kinds:
        found.append(f"{name} holds {g[name].dtype}")
    if g[name].ndim not in dimensions:
        found.append(f"{name} has {g[name].ndim} dimensions")
    return found


def heads(g):
    """Attributes and data sets that must be there, of what type and rank."""
    version, kind = g.attrs.get("Version"), g.attrs.get("Type")
    found = [] if np.shape(version) == (2,) and version[0] == 2 else [f"version {version}"]
    found += [] if kind in (b"UnstructuredGrid", "UnstructuredGrid") else [f"type {kind}"]
    found += [] if g.attrs.get_id("Type").dtype.kind == "S" else ["the type is no text of fixed length"]
    for name in ("NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds", "Connectivity", "Offsets"):
        found += kind_of(g, name, "iu", (1,))
    found += kind_of(g, "Types", "u", (1,)) + kind_of(g, "Points", "f", (2,))
    if "Steps" not in g or np.shape(g["Steps"].attrs.get("NSteps")) != ():
        return found + ["no group of steps, or no number of them"]
    for name in ("PartOffsets", "PointOffsets", "NumberOfParts"):
        found += kind_of(g["Steps"], name, "iu", (1,))
    for name in ("CellOffsets", "ConnectivityIdOffsets"):  # steps x topologies, of which a grid has one
        found += kind_of(g["Steps"], name, "iu", (1, 2))
    found += kind_of(g["Steps"], "Values", "f", (1,))
    for kind in ("PointData", "CellData"):
        for name in g.get(kind, {}):
            found += kind_of(g[kind], name, "iuf", (1, 2))
            if name in g["Steps"].get(f"{kind}Offsets", {}):
                found += kind_of(g["Steps"][f"{kind}Offsets"], name, "iu", (1,))
    return found


def offset_of(steps, kind, name, step, otherwise):
    """Where an array of a step begins: its own offset, or that of the geometry if it has none."""
    own = steps.get(f"{kind}Offsets", {})
    return int(own[name][step]) if name in own else otherwise


def part_rules(g, step, number, at, sizes):
    """Of one part of one step: its windows in the arrays, its cells, its points. at: where they begin."""
    points, cells, ids = sizes
    found = []
    for name, first, count in (("Points", at["points"], points), ("Types", at["cells"], cells),
                               ("Offsets", at["offsets"], cells + 1), ("Connectivity", at["ids"], ids)):
        if first < 0 or first + count > len(g[name]):
            found.append(f"step {step}, part {number}: rows {first} to {first + count} of {len(g[name])} of {name}")
    if found:
        return found
    offsets = g["Offsets"][at["offsets"]:][:cells + 1]
    corners = g["Connectivity"][at["ids"]:][:ids]
    types = g["Types"][at["cells"]:][:cells]
    if offsets[0] != 0 or offsets[-1] != ids or (np.diff(offsets) < 0).any():
        found.append(f"step {step}, part {number}: offsets from {offsets[0]} to {offsets[-1]} over {ids} corners")
    elif any(CORNERS.get(int(kind), count) != count for kind, count in zip(types, np.diff(offsets))):
        found.append(f"step {step}, part {number}: a cell has not the points of its type")
    if ids and (corners.min() < 0 or corners.max() >= points):
        found.append(f"step {step}, part {number}: a corner that is no point of the part")
    if not np.isfinite(g["Points"][at["points"]:][:points]).all():
        found.append(f"step {step}, part {number}: a point that is nowhere")
    return found


def step_rules(g, step):
    """Of one step."""
    s, found = g["Steps"], []
    part, count = int(s["PartOffsets"][step]), int(s["NumberOfParts"][step])
    if part < 0 or count < 1 or part + count > len(g["NumberOfPoints"]):
        return [f"step {step}: parts {part} to {part + count} of {len(g['NumberOfPoints'])}"]
    first = [int(np.ravel(s[name][step])[0]) for name in ("PointOffsets", "CellOffsets", "ConnectivityIdOffsets")]
    # each part before has one more offset than cells
    at = {"points": first[0], "cells": first[1], "offsets": first[1] + part, "ids": first[2]}
    totals = {"PointData": 0, "CellData": 0}
    for k in range(part, part + count):
        sizes = [int(g[name][k]) for name in ("NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds")]
        found += part_rules(g, step, k - part, at, sizes)
        for key, size in zip(("points", "cells", "offsets", "ids"), (sizes[0], sizes[1], sizes[1] + 1, sizes[2])):
            at[key] += size
        totals["PointData"] += sizes[0]
        totals["CellData"] += sizes[1]
    for kind, total in totals.items():
        for name in g.get(kind, {}):
            begin = offset_of(s, kind, name, step, first[0 if kind == "PointData" else 1])
            if begin < 0 or begin + total > len(g[kind][name]):
                found.append(f"step {step}: rows {begin} to {begin + total} of {len(g[kind][name])} of {name}")
    return found


def complaints_of_rules(name):
    """What the documentation forbids."""
    with h5py.File(name) as f:
        if "VTKHDF" not in f:
            yield "no group VTKHDF"
            return
        g = f["VTKHDF"]
        found = heads(g)
        yield from found
        if found:
            return
        s, steps = g["Steps"], int(g["Steps"].attrs["NSteps"])
        if len({len(g[key]) for key in ("NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds")}) != 1:
            yield "sizes of parts are of different numbers of parts"
            return
        if g["Points"].shape[1] != 3:
            yield f"points of {g['Points'].shape[1]} numbers"
        short = [key for key in s if isinstance(s[key], h5py.Dataset) and len(s[key]) != steps]
        short += [f"{kind}/{key}" for kind in ("PointDataOffsets", "CellDataOffsets") for key in s.get(kind, {})
                  if len(s[kind][key]) != steps]
        if short or steps < 1:
            yield f"not of {steps} steps: {', '.join(short)}"
            return
        if (np.diff(s["Values"][:]) <= 0).any():
            yield "times do not grow"
        for step in range(steps):
            yield from step_rules(g, step)


def complaints_of_vtk(name):
    """The first state by VTK's own reader."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOHDF import vtkHDFReader
    reader = vtkHDFReader()
    reader.SetFileName(name)
    reader.Update()
    grid = reader.GetOutput()
    with h5py.File(name) as f:
        places, types, _, _, _, arrays = parts_of(f["VTKHDF"], 0)
        if grid.GetNumberOfPoints() != len(places) or grid.GetNumberOfCells() != len(types):
            yield f"VTK sees {grid.GetNumberOfPoints()} points, {grid.GetNumberOfCells()} cells"
        elif not np.array_equal(vtk_to_numpy(grid.GetPoints().GetData()), places):
            yield "VTK sees other points"
        for key, value in arrays.items():
            found = grid.GetPointData().GetArray(key) or grid.GetCellData().GetArray(key)
            if not found or not np.array_equal(vtk_to_numpy(found), value):
                yield f"VTK sees another {key}"


if __name__ == "__main__":
    judges = {"vtk": complaints_of_vtk, "rules": complaints_of_rules}
    for run in sys.argv[2 if sys.argv[1] in judges else 1:]:
        for line in judges.get(sys.argv[1], complaints)(run):
            print(f"{run}: {line}")
