# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Exports for ParaView, read back by a reader of our own and, where it is installed, by VTK.

Checked are the files as files (offsets, types, counts, finite numbers), places and velocities
against the CSV export, surfaces that close, forces that explain how bodies move, and that nothing
of anybody else is replaced.
"""

import json
import math
import resource
import shutil
import signal
import struct
import subprocess
import sys
import xml.etree.ElementTree as tree
from collections import Counter, defaultdict

from harness import check, equal, no_complaints, run_tests, skip

SPACE = """
space: 3
gravity: [0, 0, -10]
bodies:
  - {name: floor, fixed: true, shapes: [{type: plane}]}
  - name: ramp
    fixed: true
    position: [0, 3, 0.2]
    shapes:
      - {type: mesh, vertices: [[-1, -1, 0], [1, -1, 0], [1, 1, 0.5], [-1, 1, 0.5]],
         triangles: [[0, 1, 2], [0, 2, 3]]}
  - name: field
    fixed: true
    position: [4, 3, 0]
    shapes: [{type: height-field, size: [2, 2],
              heights: [[0.1, 0.1, 0.1], [0.1, 0.3, 0.1], [0.1, 0.1, 0.2]]}]
  - {name: ball, mass: 2, inertia: 1, position: [0, 0, 0.25], velocity: [0.3, 0, -1],
     spin: [1, 2, 3], shapes: [{type: sphere, radius: 0.2}]}
  - {name: box, mass: 3, inertia: 1, position: [1, 0, 0.4], spin: [3, 1, 0],
     shapes: [{type: box, size: [0.3, 0.4, 0.5]}]}
  - {name: pill, mass: 2, inertia: 1, position: [2, 0, 0.5], angle: 1, axis: [1, 0, 0],
     shapes: [{type: capsule, length: 0.5, radius: 0.15}]}
  - {name: can, mass: 2, inertia: 1, position: [3, 0, 0.4], spin: [0, 4, 0],
     shapes: [{type: cylinder, length: 0.5, radius: 0.15}]}
  - {name: rock, mass: 1, inertia: 1, position: [4, 0, 0.1], spin: [1, 0, 2],
     shapes: [{type: polyhedron,
               vertices: [[0, 0, 0], [0.4, 0, 0], [0, 0.5, 0], [0, 0, 0.4], [0.3, 0.3, 0.3]]}]}
  - {name: pebble, mass: 1, inertia: 1, position: [5, 0, 0.2],
     shapes: [{type: polyhedron, radius: 0.05,
               vertices: [[0, 0, 0], [0.4, 0, 0], [0, 0.5, 0], [0, 0, 0.4]]}]}
  - {name: dumbbell, mass: 1, inertia: 1, position: [6, 0, 0.5], spin: [1, 1, 0],
     shapes: [{type: sphere, radius: 0.2, at: [0.3, 0, 0]},
              {type: sphere, radius: 0.1, at: [-0.3, 0, 0]},
              {type: box, size: [0.6, 0.05, 0.05]}]}
  - {name: late, born: 0.1, mass: 1, inertia: 1, position: [0, 1.5, 1],
     shapes: [{type: box, size: [0.2, 0.2, 0.2]}]}
  - {name: gone, removed: 0.05, mass: 1, inertia: 1, position: [1, 1.5, 2],
     shapes: [{type: sphere, radius: 0.1}]}
  - {name: blade, position: [3, -2, 0.5], motion: {angle: 2*t, axis: [0, 0, 1]},
     shapes: [{type: box, size: [1, 0.2, 0.1]}]}
laws: [{between: [any, any], friction: 0.4}]
scheme: {step: 2e-3, duration: 0.2}
"""

PLANE = """
gravity: [0, -10]
bodies:
  - {name: ground, fixed: true, shapes: [{type: half-plane}]}
  - {name: wall, fixed: true, shapes: [{type: chain, vertices: [[-2, 3], [-2, 0.5], [-1, 0.2]]}]}
  - {name: disc, mass: 2, inertia: 1, position: [0, 0.21], spin: 1,
     shapes: [{type: disc, radius: 0.2}]}
  - {name: box, mass: 1, inertia: 1, position: [1, 0.3], angle: 0.3,
     shapes: [{type: box, size: [0.3, 0.4]}]}
  - {name: pill, mass: 1, inertia: 1, position: [2, 0.2], angle: 0.3,
     shapes: [{type: capsule, length: 0.4, radius: 0.1}]}
  - {name: soft, mass: 1, inertia: 1, position: [3, 0.1], spin: 2,
     shapes: [{type: polygon, radius: 0.05, vertices: [[0, 0], [0.4, 0], [0, 0.3]]}]}
laws: [{between: [any, any], friction: 0.4}]
scheme: {step: 2e-3, duration: 0.2}
"""

SYSTEM = """
system: {mass: [[1]], position: [1], contacts: [{name: stop, normal: [1]}]}
scheme: {step: 0.01, duration: 0.1}
"""

FORMATS = {"Float64": "d", "Float32": "f", "Int32": "i", "Int64": "q", "UInt64": "Q",
           "UInt8": "B"}
VTK_SCRIPT = """
import json, sys
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
found = {}
for name in sys.argv[1:]:
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(name)
    reader.Update()
    data = reader.GetOutput()
    points, cells = data.GetPointData(), data.GetCellData()
    arrays = [points.GetArray(i) for i in range(points.GetNumberOfArrays())]
    arrays += [cells.GetArray(i) for i in range(cells.GetNumberOfArrays())]
    found[name] = {"error": reader.GetErrorCode(), "points": data.GetNumberOfPoints(),
                   "verts": data.GetNumberOfVerts(), "lines": data.GetNumberOfLines(),
                   "polys": data.GetNumberOfPolys(),
                   "arrays": [[a.GetName(), a.GetNumberOfTuples(), a.GetNumberOfComponents()]
                              for a in arrays],
                   "first": list(data.GetPoint(0)) if data.GetNumberOfPoints() else None}
print(json.dumps(found))
"""


# ---- reading the files ----


class Piece:
    """A .vtp or .vtu file: points, cells, arrays. Whatever is wrong with it raises ValueError."""

    def __init__(self, path):
        self.path = path
        head, _, tail = path.read_bytes().partition(b'<AppendedData encoding="raw">\n_')
        self.block, end, rest = tail.rpartition(b"\n</AppendedData>")
        if not end or rest != b"\n</VTKFile>\n":
            raise ValueError(f"{path}: does not end as it should")
        root = tree.fromstring(head + b"</VTKFile>")
        kind = {".vtp": "PolyData", ".vtu": "UnstructuredGrid"}[path.suffix]
        if root.attrib != {"type": kind, "version": "1.0", "byte_order": "LittleEndian"
                           if sys.byteorder == "little" else "BigEndian", "header_type": "UInt64"}:
            raise ValueError(f"{path}: header {root.attrib}")
        piece, self.used, self.types = root.find(f"{kind}/Piece"), 0, {}
        self.time = float(root.find(f"{kind}/FieldData/DataArray").text)
        count = {key: int(value) for key, value in piece.attrib.items()}
        cells = sum(count.get(f"NumberOf{name}", 0) for name in ("Verts", "Lines", "Polys", "Cells"))
        self.point_data = self.arrays(piece.find("PointData"), count["NumberOfPoints"])
        self.cell_data = self.arrays(piece.find("CellData"), cells)
        self.points = self.arrays(piece.find("Points"), count["NumberOfPoints"])["Points"]
        self.cells = {name: self.polygons(piece.find(name), count[f"NumberOf{name}"])
                      for name in ("Verts", "Lines", "Polys", "Cells")
                      if piece.find(name) is not None}
        if self.used != len(self.block):
            raise ValueError(f"{path}: {len(self.block) - self.used} bytes are left over")

    def numbers(self, element):
        """The numbers of one array, which must follow the one before it."""
        code = FORMATS[element.get("type")]
        if int(element.get("offset")) != self.used or element.get("format") != "appended":
            raise ValueError(f"{self.path}: {element.get('Name')} begins at the wrong place")
        size, = struct.unpack_from("=Q", self.block, self.used)
        found = struct.unpack_from(f"={size // struct.calcsize('=' + code)}{code}", self.block,
                                   self.used + 8)
        self.used += 8 + size
        self.types[element.get("Name")] = element.get("type")
        if not all(map(math.isfinite, found)):
            raise ValueError(f"{self.path}: {element.get('Name')} is not finite")
        return found

    def arrays(self, parent, tuples):
        """Arrays by name, as lists of tuples or of numbers."""
        found = {}
        for element in parent:
            width, flat = int(element.get("NumberOfComponents")), self.numbers(element)
            if len(flat) != tuples * width:
                raise ValueError(f"{self.path}: {element.get('Name')} has {len(flat)} numbers")
            found[element.get("Name")] = list(flat) if width == 1 else [
                flat[i:i + width] for i in range(0, len(flat), width)]
        return found

    def polygons(self, parent, count):
        """Cells as lists of corners."""
        corners, ends, *self.cell_types = [self.numbers(element) for element in parent]
        names = ["connectivity", "offsets"] + (["types"] if parent.tag == "Cells" else [])
        if [e.get("Name") for e in parent] != names or len(ends) != count:
            raise ValueError(f"{self.path}: {count} cells expected, {len(ends)} ends")
        starts = (0, *ends[:-1]) if ends else ()
        if any(a >= b for a, b in zip(starts, ends)) or (ends[-1] if ends else 0) != len(corners):
            raise ValueError(f"{self.path}: ends of cells do not fit")
        if any(not 0 <= c < len(self.points) for c in corners):
            raise ValueError(f"{self.path}: a cell has a corner that is no point")
        return [corners[a:b] for a, b in zip(starts, ends)]

    def shape_cells(self, shape):
        """Polygons of one shape; there must be no lines in the file."""
        return [cell for cell, number in zip(self.cells["Polys"], self.cell_data["shape"])
                if number == shape]


def number(words):
    """An identity of 128 bits, the more significant word first."""
    return int(words[0]) << 64 | int(words[1])


def collection(folder, kind):
    """Times and pieces of a .pvd file, and the complaints about them."""
    root = tree.parse(folder / f"{kind}.pvd").getroot()
    sets = root.findall("Collection/DataSet")
    found = [(float(s.get("timestep")), Piece(folder / s.get("file"))) for s in sets]
    wrong = [piece.path for time, piece in found if piece.time != time]
    no_complaints(f"{kind}: the time of each file is that of the collection", wrong)
    return found


def export(scree, text, *settings, options=()):
    """Run a scene and export it; the folder."""
    scree.write("scene.yaml", text)
    sets = [word for setting in settings for word in ("--set", setting)]
    scree.expect(0, "run", "scene.yaml", "-q", "-o", "scene.h5", *sets)
    scree.expect(0, "export", "scene.h5", "--to", "vtk", *options)
    return scree.path("scene-vtk")


def states(scree):
    """Rows of the table of bodies by step and name."""
    found = defaultdict(dict)
    for row in scree.rows("scene.h5", "bodies"):
        found[row["time"]][row["body"]] = row
    return found


# ---- surfaces ----


def open_edges(cells):
    """Edges that are not passed once in each direction."""
    count = Counter()
    for cell in cells:
        count.update(zip(cell, (*cell[1:], cell[0])))
    return [edge for edge, times in count.items() if times != 1 or count[edge[::-1]] != 1]


def volume(points, cells):
    """Of a closed surface, positive if its polygons are counter-clockwise seen from outside."""
    total = 0
    for cell in cells:
        a = points[cell[0]]
        for i, j in zip(cell[1:], cell[2:]):
            b, c = points[i], points[j]
            total += (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
                      + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
    return total


def area(points, cell):
    """Of a polygon in the plane."""
    return sum(points[i][0] * points[j][1] - points[j][0] * points[i][1]
               for i, j in zip(cell, (*cell[1:], cell[0]))) / 2


def test_space(scree):
    """Shapes in space: closed, of the right size, where the CSV export says."""
    folder, table = export(scree, SPACE), states(scree)
    shapes, fixed = collection(folder, "shapes"), collection(folder, "fixed")
    equal("times are those of the run", [time for time, _ in shapes], sorted(table))
    equal("what never moves is written once", len(fixed), 1)
    equal("a plane, a mesh and a grid", Counter(fixed[0][1].cell_data["body"]), {0: 1, 1: 2, 2: 8})
    ball = math.pi * 0.15 ** 2
    # shapes in the order of the scene: number, volume, how much of it facets may take away
    solid = {"box": (4, 0.06, 1e-12), "pill": (5, ball * 0.5 + 4 / 3 * ball * 0.15, 0.06),
             "can": (6, ball * 0.5, 0.02), "rock": (7, None, 0), "pebble": (8, None, 0),
             "late": (12, 0.008, 1e-12), "blade": (14, 0.02, 1e-12)}
    wrong, seen = [], Counter()
    for time, piece in shapes:
        for name, (number, size, less) in solid.items():
            cells = piece.shape_cells(number)
            seen[name] += bool(cells)
            if not cells:
                continue
            found = volume(piece.points, cells)
            if open_edges(cells):
                wrong.append(f"{name} at {time}: open edges {open_edges(cells)[:3]}")
            if not found > 0 or (size and not -1e-9 < 1 - found / size < less + 1e-9):
                wrong.append(f"{name} at {time}: volume {found}, expected {size}")
            if not size:
                continue
            corners = {corner for cell in cells for corner in cell}
            middle = [sum(piece.points[c][k] for c in corners) / len(corners) for k in range(3)]
            row = table[time][name]
            if any(abs(m - row[axis]) > 1e-9 for m, axis in zip(middle, "xyz")):
                wrong.append(f"{name} at {time}: in {middle}, expected {row}")
    no_complaints("shapes in space", wrong)
    everywhere = {name: len(shapes) for name in solid}
    everywhere["late"] = sum(time >= 0.1 for time, _ in shapes)
    equal("bodies are drawn while they are there", dict(seen), everywhere)


def test_velocity(scree):
    """A point of a surface moves as its velocity says."""
    folder = export(scree, SPACE, "gravity=[0, 0, 0]", "scheme.step=1e-5", "scheme.duration=4e-5")
    (begin, early), (_, now), (end, late) = collection(folder, "shapes")[:3]
    wrong, fastest = [], 0
    for x, u, y in zip(early.points, now.point_data["velocity"], late.points):
        fastest = max(fastest, *map(abs, u))
        if any(abs((q - p) / (end - begin) - speed) > 1e-4 for p, q, speed in zip(x, y, u)):
            wrong.append(f"{x} to {y}, velocity {u}")
    no_complaints("velocities at points", wrong)
    check("something moves", fastest > 0.5, fastest)


def test_balls(scree):
    """Balls: radius, place, motion and orientation; those of compounds too."""
    folder, table, wrong = export(scree, SPACE), states(scree), []
    for time, piece in collection(folder, "balls"):
        data = piece.point_data
        expected = [3, 9, 9] + ([11] if time < 0.05 else [])
        if data["body"] != expected or data["radius"] != [0.2, 0.2, 0.1, 0.1][:len(expected)]:
            wrong.append(f"{time}: bodies {data['body']}, radii {data['radius']}")
        row = table[time]["ball"]
        for name, columns in (("velocity", "vx vy vz"), ("spin", "omegax omegay omegaz"),
                              ("orientation", "qw qx qy qz")):
            there = [row[column] for column in columns.split()]
            if any(abs(a - b) > 1e-14 for a, b in zip(data[name][0], there)):
                wrong.append(f"{time}: {name} {data[name][0]} instead of {there}")
        if any(a != row[axis] for a, axis in zip(piece.points[0], "xyz")):
            wrong.append(f"{time}: ball at {piece.points[0]} instead of {row}")
        bell = [table[time]["dumbbell"][axis] for axis in "xyz"]
        if any(abs(math.dist(bell, piece.points[i]) - 0.3) > 1e-12 for i in (1, 2)) or \
                abs(math.dist(piece.points[1], piece.points[2]) - 0.6) > 1e-12:
            wrong.append(f"{time}: dumbbell {bell} with balls at {piece.points[1:3]}")
        if [list(cell) for cell in piece.cells["Verts"]] != [[i] for i in range(len(expected))]:
            wrong.append(f"{time}: points are not cells")
    no_complaints("balls", wrong)


def judge_contacts(scree, folder, names, masses, gravity):
    """Contacts against CSV, and forces against the change of momentum."""
    table, rows, wrong, count = states(scree), defaultdict(list), [], 0
    for row in scree.rows("scene.h5", "contacts"):
        rows[row["time"]].append(row)
    before = None
    for time, piece in collection(folder, "contacts"):
        data, force = piece.point_data, defaultdict(lambda: [0.0, 0.0, 0.0])
        expected = rows[time]
        count += len(expected)
        if [(names[a], names[b]) for a, b in zip(data["a"], data["b"])] != [
                (r["a"], r["b"]) for r in expected]:
            wrong.append(f"{time}: sides differ from the CSV export")
        for i, row in enumerate(expected):
            pull, normal = data["force"][i], data["normal"][i]
            strength = sum(f * n for f, n in zip(pull, normal))
            if data["gap"][i] != row["gap"] or number(data["id"][i]) != int(row["contact"]) or abs(
                    data["normal_force"][i] * 2e-3 - row["pn"]) > 1e-12 or abs(
                    strength - data["normal_force"][i]) > 1e-9 * (1 + abs(strength)):
                wrong.append(f"{time}: contact {i} differs from {row}")
            for side, sign in ((data["a"][i], 1), (data["b"][i], -1)):
                for k in range(3):
                    force[names[side]][k] += sign * pull[k]
        for name, mass in masses.items():
            if before is None:
                continue
            for k, axis in enumerate(["vx", "vy", "vz"][:len(gravity)]):
                change = mass * (table[time][name][axis] - table[before][name][axis]) / 2e-3
                if abs(change - force[name][k] - mass * gravity[k]) > 1e-8 * mass * 100:
                    wrong.append(f"{time}: {name} is pushed by {force[name]}, not {change}")
        before = time
    no_complaints("contacts", wrong)
    check("there are contacts", count > 50, count)


def test_contacts_in_space(scree):
    """Forces on side a explain the motion of every free body, in all three axes."""
    folder = export(scree, SPACE)
    judge_contacts(scree, folder,
                   ["floor", "ramp", "field", "ball", "box", "pill", "can", "rock", "pebble",
                    "dumbbell", "late", "gone", "blade"],
                   {"ball": 2, "box": 3, "pill": 2, "can": 2, "rock": 1, "pebble": 1,
                    "dumbbell": 1}, [0, 0, -10])


def test_plane(scree):
    """Shapes and contacts in the plane."""
    folder = export(scree, PLANE)
    judge_contacts(scree, folder, ["ground", "wall", "disc", "box", "pill", "soft"],
                   {"disc": 2, "box": 1, "pill": 1, "soft": 1}, [0, -10])
    fixed = collection(folder, "fixed")[0][1]
    equal("a chain is a line, a half-plane a polygon, lines first",
          (len(fixed.cells["Lines"]), len(fixed.cells["Polys"]), fixed.cell_data["body"]),
          (1, 1, [1, 0]))
    equal("the chain", [fixed.points[i][:2] for i in fixed.cells["Lines"][0]],
          [(-2, 3), (-2, 0.5), (-1, 0.2)])
    ground = [fixed.points[i] for i in fixed.cells["Polys"][0]]
    equal("the ground ends at its surface", max(y for _, y, _ in ground), 0)
    check("the ground is as wide as the scene", min(x for x, _, _ in ground) < -2
          and max(x for x, _, _ in ground) > 3, ground)
    sizes = {3: 0.12, 4: 0.08 + math.pi * 0.01, 5: 0.06 + 1.2 * 0.05 + math.pi * 0.0025}
    wrong = []
    for time, piece in collection(folder, "shapes"):
        for shape, size in sizes.items():
            cell, = piece.shape_cells(shape)
            if not -1e-9 < 1 - area(piece.points, cell) / size < 0.03:
                wrong.append(f"{time}: shape {shape} has {area(piece.points, cell)}, not {size}")
        wrong += [f"{time}: {p}" for p in piece.points if p[2] != 0]
    no_complaints("areas", wrong)


# ---- options ----


def test_every(scree):
    """--every N takes every N-th frame; --json lists the files; an old export goes away."""
    folder = export(scree, SPACE)
    whole = {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*.vtp")}
    found = scree.json("export", "scene.h5", "--to", "vtk", "--every", "7")
    equal("the files that are told are those that are there", sorted(found["files"]),
          sorted(str(p.relative_to(scree.folder)) for p in folder.rglob("*.*")))
    equal("every seventh frame", [round(time / 2e-3) for time, _ in collection(folder, "balls")],
          list(range(0, 101, 7)))
    check("these frames are the same", all(
        whole[p.relative_to(folder)] == p.read_bytes() for p in folder.rglob("*.vtp")))
    answer = scree.expect(0, "export", "scene.h5", "--to", "vtk", "-o", "other/", "--every", "50")
    equal("the collections are told", answer.out.split(),
          [f"other/{kind}.pvd" for kind in ("balls", "shapes", "fixed", "contacts")])


def test_kinds(scree):
    """No collection of what a scene does not have."""
    folder = export(scree, """
bodies: [{name: disc, mass: 1, inertia: 1, shapes: [{type: disc, radius: 1}]}]
scheme: {step: 0.1, duration: 0.3}
""")
    equal("balls and contacts", sorted(p.name for p in folder.glob("*.pvd")),
          ["balls.pvd", "contacts.pvd"])
    equal("no contacts", [len(piece.points) for _, piece in collection(folder, "contacts")],
          [0] * 4)


def test_single(scree):
    """A run in single precision gives numbers of four bytes, near those of eight."""
    double = {time: piece for time, piece in collection(export(scree, SPACE), "balls")}
    folder, wrong = export(scree, SPACE, "output.precision=single"), []
    for time, piece in collection(folder, "balls"):
        if {piece.types[name] for name in ("Points", "velocity", "radius")} != {"Float32"}:
            wrong.append(f"{piece.types}")
        for x, y in zip(piece.points, double[time].points):
            if math.dist(x, y) > 1e-6:
                wrong.append(f"{time}: {x} instead of {y}")
    no_complaints("single precision", wrong)


def test_files_of_shapes(scree):
    """A run whose meshes came from files is exported, drawn and resumed without them."""
    scree.write("stone.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
    scree.write("stone.yaml", """
space: 3
gravity: [0, 0, -10]
bodies:
  - {name: floor, fixed: true, shapes: [{type: plane}]}
  - {name: stone, density: 1, position: [0, 0, 0.1], shapes: [{type: polyhedron, file: stone.obj}]}
scheme: {step: 1e-2, duration: 0.2}
""")
    scree.expect(0, "run", "stone.yaml", "-o", "run.h5")
    scree.expect(0, "export", "run.h5", "--to", "vtk", "-o", "before")
    scree.path("stone.obj").unlink()
    scree.path("stone.yaml").unlink()
    scree.expect(0, "export", "run.h5", "--to", "vtk", "-o", "after")
    names = sorted(path.name for path in scree.path("before/data").iterdir())
    check("files", names)
    equal("the same files", [scree.path(f"after/data/{name}").read_bytes() for name in names],
          [scree.path(f"before/data/{name}").read_bytes() for name in names])
    scree.expect(0, "plot", "run.h5", "-o", "figure.svg")
    scree.expect(0, "run", "--resume", "run.h5")


def test_refusals(scree):
    """Wrong use, and folders that are not ours."""
    folder = export(scree, PLANE, "scheme.duration=0.01")
    for words in (["bodies", "--to", "vtk"], [], ["bodies", "--every", "2"],
                  ["--to", "vtk", "--every", "0"], ["--to", "vtk", "-o", ""]):
        scree.expect(2, "export", "scene.h5", *words)
    scree.write("scene-vtk/notes.txt", "mine")
    before = {p: p.read_bytes() for p in folder.rglob("*.*")}
    answer = scree.expect(2, "export", "scene.h5", "--to", "vtk")
    check("says that the folder is not replaced", "not replaced" in answer.err, answer)
    check("nothing changed", before == {p: p.read_bytes() for p in folder.rglob("*.*")})
    folder.joinpath("notes.txt").unlink()
    folder.joinpath("balls.pvd").write_text("mine too")
    scree.expect(2, "export", "scene.h5", "--to", "vtk")
    equal("a file of our name that is not ours stays", folder.joinpath("balls.pvd").read_text(),
          "mine too")
    scree.write("file", "mine")
    scree.expect(2, "export", "scene.h5", "--to", "vtk", "-o", "file")
    equal("a file is no folder", scree.path("file").read_text(), "mine")
    scree.write("system.yaml", SYSTEM)
    scree.expect(0, "run", "system.yaml", "-q")
    answer = scree.expect(2, "export", "system.h5", "--to", "vtk")
    check("a matrix system has nothing to draw", "nothing to draw" in answer.err.replace("\n", " "),
          answer)
    check("and no folder is left", not scree.path("system-vtk").exists())
    answer = scree.expect(1, "export", "scene.h5", "--to", "vtk", "-o", "no/such/place")
    check("says why", "o such file" in answer.err, answer)


def test_full_disk(scree):
    """Files that cannot be written: the reason, and nothing left."""
    shutil.rmtree(export(scree, SPACE, "scheme.duration=0.02"))

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))

    answer = scree("export", "scene.h5", "--to", "vtk", preexec_fn=limit)
    check("says why", answer.status == 1 and any(
        word in answer.err.lower() for word in ("too large", "space", "full")), answer)
    check("nothing is left", not scree.path("scene-vtk").exists(), scree.listing())


# ---- another reader ----


def test_with_vtk(scree):
    """VTK reads the same numbers of points, cells and arrays."""
    pythons = [sys.executable, "/usr/bin/python3"]
    found = [python for python in pythons if shutil.which(python) and subprocess.run(
        [python, "-c", "import vtkmodules.vtkIOXML"], capture_output=True, check=False
    ).returncode == 0]
    if not found:
        skip("reading by VTK: no Python here has it (Debian: python3-vtk9)")
        return
    for text in (SPACE, PLANE):
        folder, wrong = export(scree, text, "output.every=10"), []
        names = [str(p) for p in sorted(folder.rglob("*.vtp"))]
        done = subprocess.run([found[0], "-c", VTK_SCRIPT, *names], capture_output=True, check=True)
        read = json.loads(done.stdout)
        check("VTK has no complaints", not done.stderr, done.stderr)
        for name in names:
            piece, other = Piece(folder / name), read[name]
            if other["error"] or len(piece.points) != other["points"] or any(
                    len(piece.cells[kind]) != other[kind.lower()] for kind in piece.cells):
                wrong.append(f"{name}: {other}")
            arrays = {**piece.point_data, **piece.cell_data}
            if {n: t for n, t, _ in other["arrays"]} != {n: len(a) for n, a in arrays.items()}:
                wrong.append(f"{name}: arrays {other['arrays']}")
            if piece.points and tuple(other["first"]) != piece.points[0]:
                wrong.append(f"{name}: first point {other['first']}")
        no_complaints(f"{len(names)} files read by VTK", wrong)


if __name__ == "__main__":
    run_tests(globals())
