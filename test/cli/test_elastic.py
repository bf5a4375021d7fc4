# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Results of elastic bodies for people: tables, files for ParaView, figures, and runs whose mesh
file is gone.

Sizes of cells are judged by geometry, stresses by Hooke's law on displacements that are read back,
reactions by the balance of forces; the two ways out, CSV and VTK, must agree.
"""

import json
import math
import shutil
import subprocess
import sys
import xml.etree.ElementTree as tree
from collections import defaultdict

from harness import check, equal, no_complaints, run_tests, skip
from test_vtk import collection

PLANE = """
gravity: [0, -10]
bodies:
  - {name: floor, fixed: true, shapes: [{type: half-plane}]}
  - {name: ball, density: 1, position: [1, 2.4], shapes: [{type: disc, radius: 0.3}]}
elastic:
  - name: quads
    mesh: {rectangle: {size: [2, 1], cells: [4, 3], elements: Q4}}
    young: 1000
    poisson: 0.3
    density: 2
    thickness: 0.5
    held: [{on: left, x: 0.02*sin(9*t), y: 0}]
    contact: [bottom, top]
  - name: triangles
    mesh: {rectangle: {size: [2, 1], cells: [5, 2], at: [0.1, 1], elements: T3}}
    young: 500
    poisson: 0.2
    density: 1
    thickness: 0.5
    plane: stress
    velocity: [0, -0.1]
laws: [{between: [any, any], friction: 0.4}]
scheme: {step: 2e-3, duration: 0.2}
"""

SPACE = """
space: 3
gravity: [0, 0, -10]
bodies: [{name: floor, fixed: true, shapes: [{type: plane}]}]
elastic:
  - name: hexahedra
    mesh: {box: {size: [1, 0.5, 0.5], cells: [3, 2, 2], at: [0, 0, 0.01], elements: H8}}
    young: 1000
    poisson: 0.3
    density: 2
    held: [{on: left, x: 0}]
  - name: tetrahedra
    mesh: {box: {size: [1, 0.5, 0.5], cells: [2, 1, 1], at: [2, 0, 0.002], elements: T4}}
    young: 1000
    poisson: 0.1
    density: 2
laws: [{between: [any, any], friction: 0.4}]
scheme: {step: 2e-3, duration: 0.1}
"""

BOTH = ("output.stress=true", "output.reactions=true")
TENSOR = ("xx", "yy", "zz", "xy", "yz", "xz")
AXES = "xyz"
# of each scene: names, numbers of nodes and elements, VTK's cell type, size (area or volume)
BODIES = {PLANE: [("quads", 20, 12, 9, 2), ("triangles", 18, 20, 5, 2)],
          SPACE: [("hexahedra", 36, 12, 12, 0.25), ("tetrahedra", 12, 12, 10, 0.25)]}
MATERIAL = {"quads": (1000, 0.3, False), "triangles": (500, 0.2, True),
            "hexahedra": (1000, 0.3, False), "tetrahedra": (1000, 0.1, False)}

VTK_SCRIPT = """
import json, sys
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
found = {}
for name in sys.argv[1:]:
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(name)
    reader.Update()
    data = reader.GetOutput()
    points, cells = data.GetPointData(), data.GetCellData()
    arrays = {a.GetName(): a for d in (points, cells)
              for a in (d.GetArray(i) for i in range(d.GetNumberOfArrays()))}
    stress = arrays["stress"]
    found[name] = {"error": reader.GetErrorCode(), "points": data.GetNumberOfPoints(),
                   "types": [data.GetCellType(i) for i in range(data.GetNumberOfCells())],
                   "arrays": {n: a.GetNumberOfTuples() for n, a in arrays.items()},
                   "stress": [list(stress.GetTuple(i)) for i in range(stress.GetNumberOfTuples())],
                   "names": [stress.GetComponentName(i) for i in range(6)],
                   "first": list(data.GetPoint(0))}
print(json.dumps(found))
"""


def run(scree, text, *settings):
    """Run a scene into scene.h5."""
    scree.write("scene.yaml", text)
    sets = [word for setting in settings for word in ("--set", setting)]
    scree.expect(0, "run", "scene.yaml", "-q", "-o", "scene.h5", *sets)


def by_frame(rows):
    """Rows of a table by time and body."""
    found = defaultdict(list)
    for row in rows:
        found[row["time"], row["body"]].append(row)
    return found


def grids(scree, *options):
    """The grids of an export by time and body number."""
    scree.expect(0, "export", "scene.h5", "--to", "vtk", *options)
    folder = scree.path("scene-vtk")
    parts = [int(s.get("part")) for s in tree.parse(folder / "elastic.pvd").iter("DataSet")]
    return {(time, part): piece
            for part, (time, piece) in zip(parts, collection(folder, "elastic"))}


# ---- geometry ----


def minus(a, b):
    """Difference of vectors."""
    return [x - y for x, y in zip(a, b)]


def volume(points):
    """Of a tetrahedron."""
    a, b, c = (minus(p, points[0]) for p in points[1:])
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6


def size(points, kind):
    """Area or volume of a cell, positive if its corners are in VTK's order."""
    if kind in (5, 9):
        return sum(p[0] * q[1] - q[0] * p[1] for p, q in zip(points, points[1:] + points[:1])) / 2
    if kind == 10:
        return volume(points)
    return sum(volume([points[i] for i in corners]) for corners in (
        (0, 1, 3, 4), (1, 2, 3, 6), (1, 4, 5, 6), (3, 6, 7, 4), (1, 3, 4, 6)))


# ---- files for ParaView ----


def judge_grid(piece, nodes, elements, body, number):
    """Complaints about one grid, by the two tables of the same time."""
    wrong, (name, points, cells, kind, whole) = [], body
    data = piece.point_data
    if len(piece.points) != points or len(piece.cells["Cells"]) != cells:
        return [f"{name}: {len(piece.points)} points, {len(piece.cells['Cells'])} cells"]
    if set(piece.cell_types[0]) != {kind} or set(piece.cell_data["body"]) != {number}:
        wrong.append(f"{name}: cell types {set(piece.cell_types[0])}")
    start = [minus(x, u) for x, u in zip(piece.points, data["displacement"])]
    sizes = [size([start[i] for i in cell], kind) for cell in piece.cells["Cells"]]
    if min(sizes) <= 0 or abs(sum(sizes) - whole) > 1e-9 * whole:
        wrong.append(f"{name}: size {sum(sizes)} instead of {whole}, smallest cell {min(sizes)}")
    for i, row in enumerate(nodes):
        for array, column in (("displacement", "u"), ("velocity", "v"), ("reaction", "r")):
            if any(data[array][i][k] != row[column + axis]
                   for k, axis in enumerate(AXES) if column + axis in row):
                wrong.append(f"{name}: {array} of node {i}")
        if any(piece.points[i][k] != row[axis] for k, axis in enumerate(AXES) if axis in row):
            wrong.append(f"{name}: place of node {i}")
    for i, row in enumerate(elements):
        for array in ("stress", "strain"):
            if list(piece.cell_data[array][i]) != [row[f"{array}_{c}"] for c in TENSOR]:
                wrong.append(f"{name}: {array} of element {i}")
        if (piece.cell_data["von_mises"][i], piece.cell_data["pressure"][i]) != (
                row["von_mises"], row["pressure"]):
            wrong.append(f"{name}: von Mises or pressure of element {i}")
    return wrong


def test_grids(scree):
    """Cells, places and all arrays against geometry and against the tables."""
    for text, bodies in BODIES.items():
        run(scree, text, *BOTH, "output.every=10")
        nodes = by_frame(scree.rows("scene.h5", "nodes"))
        elements = by_frame(scree.rows("scene.h5", "elements"))
        found, wrong = grids(scree), []
        equal("a grid for each body and time", len(found), len(nodes))
        for (time, part), piece in found.items():
            key, first = (time, bodies[part][0]), text.split("elastic:")[0].count("name:")
            wrong += judge_grid(piece, nodes[key], elements[key], bodies[part], first + part)
        no_complaints("grids", wrong)
        check("something is stressed", any(r["von_mises"] > 1 for rows in elements.values()
                                           for r in rows))


def test_collections(scree):
    """Which files there are, and that an old export is replaced."""
    run(scree, PLANE, "output.every=50")
    found = scree.json("export", "scene.h5", "--to", "vtk")
    equal("files that are told are there", sorted(found["files"]),
          sorted(str(p.relative_to(scree.folder)) for p in scree.path("scene-vtk").rglob("*.*")))
    answer = scree.expect(0, "export", "scene.h5", "--to", "vtk", "--every", "2")
    equal("collections", answer.out.split(), [f"scene-vtk/{kind}.pvd" for kind in (
        "balls", "fixed", "elastic", "contacts")])
    equal("grids", sorted(p.name for p in scree.path("scene-vtk").rglob("*.vtu")),
          [f"elastic-{step:07}-{body}.vtu" for step in (0, 100) for body in (0, 1)])
    # elastic bodies alone
    run(scree, PLANE[PLANE.index("elastic:"):], "output.every=50")
    scree.expect(0, "export", "scene.h5", "--to", "vtk")
    equal("no rigid bodies", sorted(p.name for p in scree.path("scene-vtk").glob("*.pvd")),
          ["contacts.pvd", "elastic.pvd"])


def test_stored_or_found(scree):
    """Stress that was stored and stress that is found at the export are the same."""
    run(scree, PLANE, *BOTH, "output.every=10")
    stored = grids(scree)
    table = scree.expect(0, "export", "scene.h5", "elements").out
    run(scree, PLANE, "output.every=10")
    found = grids(scree)
    wrong = [key for key in stored if stored[key].cell_data != found[key].cell_data]
    no_complaints("stresses", wrong)
    check("the table too", table == scree.expect(0, "export", "scene.h5", "elements").out)
    check("reactions only where they are stored", all(
        "reaction" in stored[key].point_data and "reaction" not in found[key].point_data
        for key in found))
    run(scree, PLANE, *BOTH, "output.every=10", "output.precision=single")
    wrong = []
    for key, piece in grids(scree).items():
        scale = max(max(map(abs, s)) for s in stored[key].cell_data["stress"])
        if piece.types["stress"] != "Float32" or any(
                abs(a - b) > 1e-6 * scale for one, two in zip(
                    piece.cell_data["stress"], stored[key].cell_data["stress"])
                for a, b in zip(one, two)):
            wrong.append(key)
    no_complaints("single precision keeps the digits of stored stress", wrong)


# ---- tables ----


def test_hooke(scree):
    """Stress from strain by Hooke's law, von Mises and pressure from stress."""
    for text in BODIES:
        run(scree, text, "output.every=10")
        wrong, rows = [], scree.rows("scene.h5", "elements")
        for row in rows:
            young, poisson, thin = MATERIAL[row["body"]]
            shear, bulk = young / 2 / (1 + poisson), young * poisson / (1 + poisson) / (
                1 - 2 * poisson)
            strain, stress = ([row[f"{what}_{c}"] for c in TENSOR] for what in ("strain", "stress"))
            hooke = [2 * shear * e + (bulk * sum(strain[:3]) if i < 3 else 0)
                     for i, e in enumerate(strain)]
            scale = 1e-11 * (1 + max(map(abs, stress)))
            xx, yy, zz, xy, yz, xz = stress
            mises = math.sqrt(((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) / 2
                              + 3 * (xy ** 2 + yz ** 2 + xz ** 2))
            if any(abs(a - b) > scale for a, b in zip(stress, hooke)) or abs(
                    row["von_mises"] - mises) > scale or abs(
                    row["pressure"] + (xx + yy + zz) / 3) > scale:
                wrong.append(f"{row}: {hooke}")
            if thin and zz != 0 or text == PLANE and not thin and strain[2] != 0:
                wrong.append(f"{row}: plane")
        no_complaints(f"{len(rows)} elements", wrong)


def test_reactions(scree):
    """Reactions and contact forces of a body change its momentum; free bodies have none."""
    run(scree, PLANE, *BOTH)
    h, contacts, wrong, largest = 2e-3, defaultdict(float), [], 0
    for row in scree.rows("scene.h5", "contacts"):
        # the normal is upright: impulses across it move bodies up and down
        contacts[row["time"], row["a"]] += row["pn"] / h
        contacts[row["time"], row["b"]] -= row["pn"] / h
    nodes = by_frame(scree.rows("scene.h5", "nodes"))
    mass = [1 / (2 if i in (0, 4) else 1) / (2 if j in (0, 3) else 1) * 2 / 12
            for j in range(4) for i in range(5)]
    times = sorted({time for time, _ in nodes})
    for before, time in zip(times, times[1:]):
        rows = nodes[time, "quads"]
        change = sum(m * (b["vy"] - a["vy"]) / h
                     for m, a, b in zip(mass, nodes[before, "quads"], rows))
        held = sum(row["ry"] for row in rows)
        largest = max(largest, abs(held))
        if abs(change + 20 - held - contacts[time, "quads"]) > 0.02 * (20 + abs(held)):
            wrong.append(f"{time}: {change}, held by {held}, contacts {contacts[time, 'quads']}")
        if any(row["rx"] or row["ry"] for row in nodes[time, "triangles"]):
            wrong.append(f"{time}: a free body is held")
        if any((row["rx"] or row["ry"]) and row["node"] % 5 for row in rows):
            wrong.append(f"{time}: a free node is held")
    no_complaints("reactions", wrong)
    check("something is held", largest > 1, largest)


def test_tables(scree):
    """Headings, names of bodies and nodes in tables of runs with elastic bodies, and without."""
    run(scree, PLANE)
    heads = {what: scree.expect(0, "export", "scene.h5", what).out.split("\n")[0]
             for what in ("bodies", "contacts", "nodes", "elements")}
    equal("nodes", heads["nodes"], "step,time,body,node,x,y,ux,uy,vx,vy")
    equal("elements", heads["elements"], "step,time,body,element,"
          + ",".join(f"{what}_{c}" for what in ("strain", "stress") for c in TENSOR)
          + ",von_mises,pressure")
    equal("contacts end with the node", heads["contacts"].split(",")[-2:], ["status", "node"])
    equal("rigid bodies alone", {row["body"] for row in scree.rows("scene.h5", "bodies")}, {"ball"})
    text = scree.expect(0, "export", "scene.h5", "contacts").out.split("\n")[1:-1]
    sides = defaultdict(set)
    for line in text:
        words = line.split(",")
        sides[words[3], words[4]].add(words[-1])
    equal("who touches", set(sides), {("quads", "floor"), ("triangles", "quads"),
                                      ("triangles", "ball")})
    check("the bottom touches the floor", sides["quads", "floor"] <= set("01234"), sides)
    check("and the upper block the lower", sides["triangles", "quads"] <= set("012345"), sides)
    found = scree.json("export", "scene.h5", "nodes")
    equal("JSON has as many rows", len(found["rows"]), 101 * 38)
    run(scree, SPACE, *BOTH)
    equal("nodes in space", scree.expect(0, "export", "scene.h5", "nodes").out.split("\n")[0],
          "step,time,body,node,x,y,z,ux,uy,uz,vx,vy,vz,rx,ry,rz")
    scree.expect(0, "run", "bouncing-ball", "-q", "-o", "ball.h5")
    for what in ("nodes", "elements"):
        answer = scree.expect(2, "export", "ball.h5", what)
        check("says that there are none", "without elastic bodies" in answer.err, answer)


SYSTEM = """
system:
  mass: [[1]]
  stiffness: [[100]]
  position: [0.1]
  velocity: [-2]
  contacts: [{name: stop, normal: [1], gap: 0, restitution: 0.5}]
"""


def test_beside_a_system(scree):
    """Tables and figures of a run with bodies, elastic bodies and a system."""
    run(scree, PLANE + SYSTEM)
    equal("rigid bodies alone", {row["body"] for row in scree.rows("scene.h5", "bodies")}, {"ball"})
    own = scree.rows("scene.h5", "coordinates")
    equal("one row a state", len(own), 101)
    equal("at the start", [own[0]["coordinate"], own[0]["q"], own[0]["v"]], [0, 0.1, -2])
    check("it turned back at the stop", own[-1]["v"] != 0 and min(r["q"] for r in own) > -0.05, own[-1])
    names = {(row["a"], row["b"]) for row in scree.rows("scene.h5", "contacts")}
    check("the stop is among the contacts", ("system", "stop") in names, names)
    for what in ("overview", "coordinates", "speeds", "phase", "trajectories"):
        scree.expect(0, "plot", "scene.h5", what, "-o", "x.svg")
    scree.expect(0, "run", "bouncing-ball", "-q", "-o", "ball.h5")
    answer = scree.expect(2, "export", "ball.h5", "coordinates")
    check("says that there are none", "no coordinates" in answer.err, answer)


# ---- figures ----


def test_figures(scree):
    """Every figure of runs with elastic bodies, and the mesh at a time."""
    kinds = [kind for kind in scree.json("plot", "--list") if kind != "path"]  # of another world
    for text in BODIES:
        run(scree, text, "output.every=5")
        for kind in kinds:
            scree.expect(0, "plot", "scene.h5", kind, "-o", f"{kind}.svg")
            drawn = scree.path(f"{kind}.svg").read_text()
            check(f"{kind}: a figure", drawn.count("<path") > 5, len(drawn))
        early = scree.expect(0, "plot", "scene.h5", "deformed", "--at", "0", "-o", "early.svg")
        check("times differ", scree.path("early.svg").read_bytes()
              != scree.path("deformed.svg").read_bytes(), early)
    for words in (["energy", "--at", "0"], ["deformed", "--at", "soon"], ["deformed", "--at", ""]):
        scree.expect(2, "plot", "scene.h5", *words)
    scree.write("scene.yaml", PLANE)
    scree.expect(0, "compare", "scene.yaml", "--plot", "two.png", "--what", "deformed",
                 "--set", "scheme.duration=0.02")


# ---- meshes from files ----


MESH = """$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
1 1 "base"
2 2 "all"
$EndPhysicalNames
$Nodes
4
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
$EndNodes
$Elements
2
1 1 2 1 1 1 2
2 3 2 2 1 1 2 3 4
$EndElements
"""

FILE = """
elastic:
  - {name: tile, mesh: {file: tile.msh}, young: 10, poisson: 0.2, density: 1, velocity: [1, 0],
     held: [{on: base, y: 0}]}
scheme: {step: 0.01, duration: 0.1}
"""


def test_moved(scree):
    """A run file is enough: in another folder, and without the mesh that it was made with."""
    scree.path("there").mkdir()
    scree.write("there/tile.msh", MESH)
    scree.write("there/scene.yaml", FILE)
    scree.expect(0, "run", "there/scene.yaml", "-q", "-o", "there/run.h5")
    before = scree.expect(0, "export", "there/run.h5", "nodes").out
    scree.path("there/run.h5").rename(scree.path("moved.h5"))
    for state in ("changed", "gone"):
        if state == "changed":
            scree.write("there/tile.msh", MESH.replace("3 1 1 0", "3 1 1.5 0"))
        else:
            shutil.rmtree(scree.path("there"))
        equal(f"the mesh is {state}: nodes", scree.expect(0, "export", "moved.h5", "nodes").out,
              before)
        scree.expect(0, "plot", "moved.h5", "deformed", "-o", "moved.svg")
        scree.expect(0, "export", "moved.h5", "--to", "vtk")
        scree.expect(0, "run", "--resume", "moved.h5", "-q")


QUADRATIC = MESH.replace("""$Nodes
4
""", """$Nodes
9
""").replace("""4 0 1 0
$EndNodes""", """4 0 1 0
5 0.5 0 0
6 1 0.5 0
7 0.5 1 0
8 0 0.5 0
9 0.5 0.5 0
$EndNodes""").replace("1 1 2 1 1 1 2\n2 3 2 2 1 1 2 3 4", "1 8 2 1 1 1 2 5\n2 %s")


def test_second_order(scree):
    """Quadrangles of 8 and 9 nodes, triangles of 6: groups hold middles, files keep them, in any
    place; the grid has VTK's types."""
    one, two = "16 2 2 1 1 2 3 4 5 6 7 8", "10 2 2 1 1 2 3 4 5 6 7 8 9"
    triangles = "9 2 2 1 1 2 3 5 6 9\n3 9 2 2 1 1 3 4 9 7 8"
    scree.write("scene.yaml", FILE)
    hashes = []
    for cells, kind, nodes in ((one, 23, 8), (two, 23, 8), (triangles, 22, 9)):
        text = (QUADRATIC % cells).replace("$Elements\n2", f"$Elements\n{2 + (kind == 22)}")
        scree.write("tile.msh", text)
        scree.expect(0, "run", "scene.yaml", "-q", "-o", "scene.h5")
        before = scree.expect(0, "export", "scene.h5", "nodes").out
        hashes.append(before)
        equal(f"{cells}: nodes", before.count("\n") - 1, 11 * nodes)
        held = {row["node"] for row in scree.rows("scene.h5", "nodes")
                if row["time"] == 0 and row["y"] == 0}
        moved = [row for row in scree.rows("scene.h5", "nodes")
                 if row["node"] in held and row["uy"] != 0]
        equal(f"{cells}: the base has three nodes, all held", (len(held), moved), (3, []))
        scree.path("tile.msh").unlink()
        equal("without its mesh", scree.expect(0, "export", "scene.h5", "nodes").out, before)
        scree.expect(0, "run", "--resume", "scene.h5", "-q")
        piece = next(iter(grids(scree).values()))
        equal(f"{cells}: types of cells", set(piece.cell_types[0]), {kind})
        scree.expect(0, "plot", "scene.h5", "deformed", "-o", "moved.svg")
    equal("the node inside of a quadrangle of 9 is left out", hashes[0], hashes[1])


# ---- another reader ----


def test_with_vtk(scree):
    """VTK reads the grids: cells, arrays, components and numbers."""
    pythons = [sys.executable, "/usr/bin/python3"]
    found = [python for python in pythons if shutil.which(python) and subprocess.run(
        [python, "-c", "import vtkmodules.vtkIOXML"], capture_output=True, check=False
    ).returncode == 0]
    if not found:
        skip("reading grids by VTK: no Python here has it (Debian: python3-vtk9)")
        return
    for text, bodies in BODIES.items():
        run(scree, text, *BOTH, "output.every=20")
        own, wrong = grids(scree), []
        names = [str(piece.path) for piece in own.values()]
        done = subprocess.run([found[0], "-c", VTK_SCRIPT, *names], capture_output=True, check=True)
        check("VTK has no complaints", not done.stderr, done.stderr)
        read = json.loads(done.stdout)
        for (_, part), piece in own.items():
            other = read[str(piece.path)]
            arrays = {**piece.point_data, **piece.cell_data}
            if other["error"] or other["points"] != len(piece.points) or other["types"] != [
                    bodies[part][3]] * bodies[part][2] or other["arrays"] != {
                    name: len(array) for name, array in arrays.items()}:
                wrong.append(f"{piece.path}: {other}")
            if other["names"] != list(TENSOR) or tuple(other["first"]) != piece.points[0] or [
                    tuple(s) for s in other["stress"]] != piece.cell_data["stress"]:
                wrong.append(f"{piece.path}: names {other['names']}, or numbers")
        no_complaints(f"{len(names)} grids read by VTK", wrong)


if __name__ == "__main__":
    run_tests(globals())
