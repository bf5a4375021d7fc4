# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""The group /VTKHDF of a run file, read as VTK's documentation of the format says, by h5py, and held against the
tables of the run; with the word `vtk`, what VTK's own reader makes of it (the static form: the first state).

read_vtkhdf.py [vtk] RUN...: prints what is wrong, a line each, and nothing if all is well.
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
    for run in sys.argv[1:]:
        if run != "vtk":
            for line in (complaints_of_vtk if sys.argv[1] == "vtk" else complaints)(run):
                print(f"{run}: {line}")
