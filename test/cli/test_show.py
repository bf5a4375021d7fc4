# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""The page that plays a run, opened from a file by a real browser: what it shows is what the run file holds."""

import base64
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request

import browser
from harness import check, equal, find_python, run_tests, skip

PLANAR = """
title: </script><script>document.title = 'broken'</script>
gravity: [0, -10]
bodies:
  - {name: ground, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}
  - {name: "<script>alert(1)</script>", mass: 1, inertia: 0.1, position: [0, 0.5], velocity: [1, 0],
     shapes: [{type: polygon, vertices: [[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]]}]}
  - {name: disc, density: 1, position: [1, 0.4], shapes: [{type: disc, radius: 0.1}], born: 0.2}
laws: [{friction: 0.3}, {between: [disc, ground], friction: 0.3, restitution: 0.5}]
scheme: {step: 5e-3, duration: 0.6}
"""
SPACE = """
space: 3
gravity: [0, 0, -10]
bodies:
  - {name: floor, fixed: true, shapes: [{type: plane, normal: [0, 0, 1]}]}
  - {name: box, density: 1000, position: [0, 0, 0.3], velocity: [0.7, 0, 0], shapes: [{type: box, size: [0.4, 0.3, 0.2]}]}
  - {name: ball, density: 1000, position: [0.1, 0, 0.8], shapes: [{type: sphere, radius: 0.1}]}
laws: [{friction: 0.5}, {between: [ball, floor], friction: 0.5, restitution: 0.5}]
scheme: {step: 5e-3, duration: 0.5}
"""
ELASTIC = """
gravity: [0, -10]
elastic:
  - {name: block, young: 1e5, poisson: 0.3, density: 1000, velocity: [0, -1], contact: [bottom],
     mesh: {rectangle: {size: [1, 0.5], cells: [8, 4], at: [0, 0.02]}}}
bodies: [{name: ground, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}]
scheme: {step: 5e-3, duration: 0.3}
"""
STORED = pathlib.Path(__file__).parent / "pages"
CELL = 10         # pixels of a cell of the stored pictures
NEAR, FAR = 0.01, 0.025  # share of cells that differ: the same picture, another one

# all of it, as the page tells it
STATES = """JSON.stringify({frames: scree.frames, bodies: scree.bodies, times: scree.times,
  contacts: scree.times.map((_, f) => scree.contacts(f)),
  positions: scree.times.map((_, f) => scree.bodies.map((_, b) => scree.position(b, f))),
  velocities: scree.times.map((_, f) => scree.bodies.map((_, b) => scree.velocity(b, f)))})"""
CONTACT_ON_SCREEN = """(() => { const c = scree.contacts(%d).filter((c) => c.normalForce > 0)[0];
  scree.goto(%d); const box = document.getElementById("view").getBoundingClientRect(), at = scree.screen(c.point);
  return JSON.stringify({x: box.left + at[0], y: box.top + at[1], normal: c.normalForce}); })()"""


def reduced(png):
    """The picture of the run in cells of mean colour, without the bars around it."""
    width, height, rows = browser.pixels(png)
    cells = []
    for y in range(40, min(height, 550) - CELL, CELL):
        for x in range(0, min(width, 590) - CELL, CELL):
            block = [rows[y + b][x + a] for b in range(0, CELL, 3) for a in range(0, CELL, 3)]
            cells.append([sum(pixel[k] for pixel in block) // len(block) for k in range(3)])
    return cells


def difference(one, two):
    """Share of the cells whose colours are told apart."""
    return sum(max(abs(a - b) for a, b in zip(p, q)) > 12 for p, q in zip(one, two)) / max(len(one), 1)


def check_picture(page, name, frame):
    """The page draws what it drew when somebody looked at it; SCREE_PAGES=write stores anew."""
    page.ask(f"scree.goto({frame})")
    page.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    now, file = reduced(page.picture()), STORED / f"{name}.json"
    if os.environ.get("SCREE_PAGES") == "write":
        file.write_text(json.dumps(now, separators=(",", ":")) + "\n")
    stored = json.loads(file.read_text())
    check(f"{name}: as stored", len(stored) == len(now) and difference(now, stored) < NEAR, difference(now, stored))
    page.ask("document.getElementById('obstacles').click(), scree.goto(0)")
    page.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    apart = difference(reduced(page.picture()), stored)
    check(f"{name}: another picture is told from it", apart > FAR, apart)
    page.ask("document.getElementById('obstacles').click()")


# gaps and velocities at the end of the step, by a reader that is not ours
VELOCITIES = """import h5py, json, sys
rows = h5py.File(sys.argv[1])["contacts"]
print(json.dumps([[float(gap), *map(float, u)] for gap, u in zip(rows["gap_after"], rows["u_after"])]))"""


def add_velocities(scree, run, contacts):
    """To the rows of contacts: gap, normal and tangential velocity when the step ends; False if nobody can read them."""
    python = find_python("h5py", "gaps and slip velocities of contacts")
    if not python:
        return False
    told = subprocess.run([python, "-c", VELOCITIES, str(scree.path(run))], capture_output=True, check=True).stdout
    for row, (gap, normal, *tangential) in zip(contacts, json.loads(told)):
        row.update(gap_after=gap, approach=-normal, slip=math.hypot(*tangential[:2]))
    return True


def number_of(table, name):
    """The number of a row of a table of the page."""
    found = re.search(rf"^{name}\s+(\S+)", table, re.MULTILINE)
    return float(found.group(1)) if found else math.nan


def check_pick(page, frame, row, step):
    """A click on a contact shows the numbers of the run file."""
    at = json.loads(page.ask(CONTACT_ON_SCREEN % (frame, frame)))
    page.click(at["x"], at["y"])
    table = page.ask("document.getElementById('picked').innerText")
    if check("a click picks a contact", "normal force" in table, table):
        check("its force is the run file's", math.isclose(number_of(table, "normal force"), row["pn"] / step, rel_tol=1e-5),
              (table, row["pn"] / step))
    for name, key, digits in (("gap", "gap_after", 6e-6), ("approach", "approach", 1.1e-3), ("slip", "slip", 1.1e-3)):
        if key in row:
            check(f"its {name} is the run file's", math.isclose(number_of(table, name), row[key], rel_tol=digits), (table, row))


def check_hands(page):
    """Keys, the slider of energies, a link to a time."""
    page.ask("scree.goto(0)")
    page.key("ArrowRight")
    equal("an arrow goes on by a state", page.ask("Number(document.getElementById('slider').value)"), 1)
    page.ask("scree.goto(5), document.getElementById('link').click()")
    linked = page.ask("location.hash")
    page.ask("scree.goto(0), location.hash = '#t=0.1'")
    page.ask("new Promise((done) => setTimeout(done, 100))")
    equal("a link goes to its time", (linked[:3], page.ask("document.getElementById('clock').textContent")), ("#t=", "t = 0.1 s"))
    page.ask("scree.goto(0), scree.play(true)")
    for _ in range(100):
        played = page.ask("Number(document.getElementById('slider').value)")
        if played:
            break
        time.sleep(0.05)
    page.ask("scree.play(false)")
    check("it plays", played > 0, played)
    chart = json.loads(page.ask("JSON.stringify(document.getElementById('chart').getBoundingClientRect())"))
    page.click(chart["x"] + chart["width"] - 6, chart["y"] + chart["height"] / 2)
    check("the chart is a slider", page.ask("Number(document.getElementById('slider').value)") > 0.9 * page.ask("scree.frames"))
    kept = base64.b64decode(page.ask("scree.picture().toDataURL('image/png').split(',')[1]"))
    width, height, rows = browser.pixels(kept)
    equal("a picture to keep", (width, height), tuple(page.ask("[scree.picture().width, document.getElementById('view').clientHeight]")))
    dark = [sum(sum(pixel) < 300 for row in rows[a:b] for pixel in row) for a, b in ((5, 26), (height - 32, height))]
    check("with its title, a rule and the axes", min(dark) > 40, dark)


def check_looks(page):
    """Dark, and small."""
    light = reduced(page.picture())
    page.look(900, 600, True)
    page.ask("new Promise((done) => setTimeout(done, 200))")
    check("dark where the user likes it", difference(reduced(page.picture()), light) > FAR)
    page.look(360, 640, False)
    page.ask("new Promise((done) => setTimeout(done, 200))")
    equal("nothing is wider than a small screen", page.ask("document.documentElement.scrollWidth"), 360)
    check("the picture is there", page.ask("document.getElementById('view').clientHeight") > 200)


def compare_states(said, bodies, what, axes):
    """The largest difference between the page and the run file: positions or velocities."""
    frames = sorted({row["step"] for row in bodies})
    worst = 0
    for row in bodies:
        own = said[what][frames.index(row["step"])][said["bodies"].index(row["body"])]
        worst = max([worst] + [abs(own[k] - row[axis]) for k, axis in enumerate(axes)])
    return worst


def compare_contacts(said, bodies, contacts, step):
    """Complaints, and how many forces were compared."""
    by_step, complaints, compared = {}, [], 0
    for row in contacts:
        by_step.setdefault(row["step"], []).append(row)
    for own, number in zip(said["contacts"], sorted({row["step"] for row in bodies})):
        rows = by_step.get(number, [])
        if len(own) != len(rows):
            complaints.append(f"step {number}: {len(own)} contacts instead of {len(rows)}")
        for contact, row in zip(own, rows):
            force = row["pn"] / step
            if not math.isclose(contact["normalForce"], force, rel_tol=1e-6, abs_tol=1e-9):
                complaints.append(f"step {number}: {contact['normalForce']} N instead of {force} N")
            if contact["status"] != row["status"]:
                complaints.append(f"step {number}: {contact['status']} instead of {row['status']}")
            for name, key, digits in (("gap", "gap_after", 1e-6), ("normalVelocity", "approach", 5e-4), ("slipVelocity", "slip", 5e-4)):
                own_number = -contact[name] if key == "approach" else contact[name]
                if key in row and not math.isclose(own_number, row[key], rel_tol=digits, abs_tol=1e-30):
                    complaints.append(f"step {number}: {name} {own_number} instead of {row[key]}")
            compared += force > 0
    return complaints, compared


def check_page(scree, text, axes, name):
    """Run a scene, show it, and hold the page against the run file."""
    scree.write("scene.yaml", text)
    scree.expect(0, "run", "scene.yaml", "-o", "run.h5", "--quiet")
    about = scree.json("show", "run.h5", "--html", "page.html")
    bodies, contacts = scree.rows("run.h5", "bodies"), scree.rows("run.h5", "contacts")
    equal("every state is in it", (about["every"], about["contacts"]), (1, len(contacts)))
    if not shutil.which("chromium"):
        skip("the page in a browser: there is no chromium")
        return
    with browser.Browser(scree.folder) as page:
        page.open(scree.path("page.html").as_uri())
        said = json.loads(page.ask(STATES))
        equal("all states", said["frames"], len({row["step"] for row in bodies}))
        for what, names, finest in (("positions", axes, 2e-5), ("velocities", ["v" + axis for axis in axes], 1e-4)):
            worst = compare_states(said, bodies, what, names)
            check(f"{what} are the run's", worst < finest, worst)
        if add_velocities(scree, "run.h5", contacts):
            numbers = [sum(row["slip"] > 1e-3 for row in contacts), sum(abs(row["gap_after"]) > 1e-9 for row in contacts)]
            check("some contacts slip and some are apart", numbers[0] > 3 and numbers[1] > 0, numbers)
        complaints, compared = compare_contacts(said, bodies, contacts, 5e-3)
        check("contacts are the run's", not complaints, complaints[:3])
        check("forces were compared", compared > 10, compared)
        page.ask("scree.pick(1)")
        table = page.ask("document.getElementById('picked').innerText")
        check("the picked body is named", said["bodies"][1] in table, table)
        steps = sorted({row["step"] for row in bodies})
        bearing = [row for row in contacts if row["step"] == steps[-1] and row["pn"] > 0]
        check_pick(page, len(steps) - 1, bearing[0], 5e-3)
        sliding = [row for row in contacts if row["pn"] > 0 and row.get("slip", 0) > 1e-2]
        if sliding:
            first = [row for row in contacts if row["step"] == sliding[0]["step"] and row["pn"] > 0][0]
            check_pick(page, steps.index(first["step"]), first, 5e-3)
        check_hands(page)
        check_picture(page, name, 24)
        check_looks(page)
        check("a title stays text", page.ask("document.title") != "broken")
        equal("nothing is complained about", page.complaints(), [])
        equal("no request leaves the page", page.requests(), [])


def test_plane(scree):
    """Bodies in the plane, with names that are markup."""
    check_page(scree, PLANAR, "xy", "plane")


def test_space(scree):
    """Bodies in space; and what the options choose."""
    check_page(scree, SPACE, "xyz", "space")
    about = scree.json("show", "run.h5", "--html", "few.html", "--every", "7")
    equal("every seventh of 101 states", (about["every"], about["frames"]), (7, 15))
    scree.expect(2, "show", "run.h5", "--html", "x.html", "--every", "0")
    scree.expect(2, "show", "run.h5", "--html", "x.html", "--max-size", "x")
    scree.expect(2, "show", "scene.yaml", "--html", "x.html")
    scree.expect(1, "show", "run.h5", "--html", "no/such/folder.html")
    check("nothing was written", "x.html" not in scree.listing(), scree.listing())


def show_all(scree, run):
    """Picture, overview and page of a run; what the page says about itself."""
    scree.expect(0, "plot", run, "bodies", "-o", "bodies.png")
    scree.expect(0, "plot", run, "overview", "-o", "overview.svg")
    about = scree.json("show", run, "--html", "page.html")
    if not shutil.which("chromium"):
        skip("the page in a browser: there is no chromium")
        return about["frames"], ""
    with browser.Browser(scree.folder) as page:
        page.open(scree.path("page.html").as_uri())
        equal("nothing is complained about", page.complaints(), [])
        page.ask("scree.goto(scree.frames)")
        said = page.ask("document.getElementById('summary').innerText + document.getElementById('stopped').innerText")
        return page.ask("scree.frames"), said


def test_runs_that_did_not_end(scree):
    """Refused at its first step (one state), refused later, killed: all are shown."""
    scree.write("scene.yaml", SPACE)
    impossible = ["--set", "solver.name=nsgs", "--set", "solver.tolerance=1e-300", "--set", "solver.max_sweeps=1"]
    scree.expect(1, "run", "scene.yaml", "-o", "refused.h5", "--quiet", *impossible)
    frames, summary = show_all(scree, "refused.h5")
    check("a refused run", frames > 1, frames)
    check("and why, on the page", not summary or re.search("stopped: step .* contacts?: .*tolerance", summary), summary)
    heights = []
    for run in ("refused.h5", "whole.h5"):  # under the picture there is a line more
        scree.expect(0, "run", "scene.yaml", "-o", "whole.h5", "--quiet")
        scree.expect(0, "plot", run, "bodies", "--at", "0", "-o", "bodies.svg")
        heights.append(float(re.search('height="([0-9.]+)', scree.path("bodies.svg").read_text()).group(1)))
    check("and why, on the picture", heights[0] > heights[1] + 5, heights)
    check("it says that it stopped early", not summary or "stopped early" in summary, summary)
    resting = SPACE.replace("0, 0, 0.3", "0, 0, 0.1")
    scree.write("resting.yaml", resting)
    scree.expect(1, "run", "resting.yaml", "-o", "one.h5", "--quiet", *impossible)
    equal("a run of one state", show_all(scree, "one.h5")[0], 1)
    process = scree.start("run", "scene.yaml", "--set", "scheme.step=1e-6", "-o", "killed.h5", "--quiet")
    while not (scree.path("killed.h5").exists() and scree("export", "killed.h5", "energy").out.count("\n") > 2):
        time.sleep(0.1)
    process.kill()
    process.wait()
    frames, summary = show_all(scree, "killed.h5")
    check("a killed run", frames >= 1, frames)
    check("nobody could tell why", not summary or "not closed" in summary, summary)
    check("and the verdict comes first", not summary or summary.startswith("verdict\tnot at its end"), summary)
    check("it says that it stopped early", not summary or "stopped early" in summary, summary)


def test_runs_that_have_hardly_begun(scree):
    """Killed at any write, or stopped within the first step: there is no file, or its start is shown."""
    short = ["run", "bouncing-ball", "--set", "scheme.duration=0.005", "--quiet", "-o"]
    shim = os.environ.get("SCREE_FAULTS")
    if not shim:
        skip("runs that are killed at once: there is no library of faults (SCREE_FAULTS)")
        return
    faults = {**os.environ, "LD_PRELOAD": shim}
    scree(*short, "whole.h5", env={**faults, "FAULT_COUNT": str(scree.path("count"))})
    writes = int(dict(line.split() for line in scree.path("count").read_text().splitlines())["write"])
    frames = {}

    def kill(at):
        scree.path("run.h5").unlink(missing_ok=True)
        process = scree.start(*short, "run.h5", env={**faults, "FAULT_CALL": "write", "FAULT_AT": str(at), "FAULT_HOW": "kill"})
        process.wait()
        equal("it was killed", process.returncode, -9)

    for at in range(1, writes, 1 + writes // 12):
        kill(at)
        if "run.h5" in scree.listing():
            frames[at] = scree.json("show", "run.h5", "--html", "page.html")["frames"]
    check("some had stored their start alone, some all", min(frames.values(), default=0) == 1 and max(frames.values()) > 1, frames)
    kill(next(at for at in frames if frames[at] == 1))
    shown, summary = show_all(scree, "run.h5")
    equal("the page has the start", shown, 1)
    check("and says that it is not all", not summary or "not at its end" in summary and "not closed" in summary, summary)


def test_elastic(scree):
    """A mesh with its stresses."""
    scree.write("scene.yaml", ELASTIC)
    scree.expect(0, "run", "scene.yaml", "-o", "run.h5", "--quiet")
    scree.expect(0, "show", "run.h5", "--html", "page.html")
    if not shutil.which("chromium"):
        skip("the page in a browser: there is no chromium")
        return
    with browser.Browser(scree.folder) as page:
        page.open(scree.path("page.html").as_uri())
        check_picture(page, "elastic", 20)
        check("a scale of stresses", "von Mises" in page.ask("document.getElementById('scale').innerText"))
        page.ask("scree.goto(20)")
        at = page.ask("scree.screen([0.4, 0.25, 0])")
        page.click(*at)
        table = page.ask("document.getElementById('picked').innerText")
        check("an element of an elastic body is picked", "block" in table and 1 <= number_of(table, "von Mises") < 1e6, table)
        place = [float(x) for x in re.search(r"place\s+(\S+), (\S+) m", table).groups()]
        check("the one that was clicked", abs(place[0] - 0.4) < 0.08 and abs(place[1] - 0.25) < 0.08, place)
        equal("nothing is complained about", page.complaints(), [])


def test_large_runs_are_thinned(scree):
    """A page that would be too large leaves out states and says so."""
    scree.write("scene.yaml", SPACE.replace("5e-3", "5e-4"))
    scree.expect(0, "run", "scene.yaml", "-o", "run.h5", "--quiet")
    about = scree.json("show", "run.h5", "--html", "page.html", "--max-size", "0.1")
    check("it is not larger", about["megabytes"] <= 0.1, about)
    check("states were left out", about["every"] > 1, about)
    check("it says so", "every" in scree.expect(0, "show", "run.h5", "--html", "page.html",
                                                 "--max-size", "0.1").out)


def get(address, host=None):
    """Status and body of a request to loopback."""
    request = urllib.request.Request(address, headers={"Host": host} if host else {})
    try:
        with urllib.request.urlopen(request, timeout=20) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as reply:
        return reply.code, reply.read().decode()


def test_served_on_this_machine_alone(scree):
    """The page by a server that nobody finds without its address, and that stops by itself."""
    scree.write("scene.yaml", SPACE)
    scree.expect(0, "run", "scene.yaml", "-o", "run.h5", "--quiet")
    process = scree.start("show", "run.h5", "--no-open", "--wait", "20")
    address = process.stdout.readline().decode().strip()
    check("a random address of loopback", re.fullmatch(r"http://127.0.0.1:\d+/[0-9a-f]{32}/", address), address)
    status, page = get(address)
    equal("the page", (status, page.startswith("<!DOCTYPE html>")), (200, True))
    equal("how far the run is", get(address + "alive"), (200, "101"))
    root = address[:address.index("/", 8)]
    equal("nothing without the token", get(root + "/")[0], 404)
    equal("nothing with another", get(root + "/" + 32 * "0" + "/")[0], 404)
    equal("nothing by another name", get(address, "example.org")[0], 404)
    if shutil.which("chromium"):
        with browser.Browser(scree.folder) as view:
            view.open(address)
            equal("all states in a browser", view.ask("scree.frames"), 101)
            for _ in range(100):
                if view.requests():
                    break
                view.ask("new Promise((done) => setTimeout(done, 100))")
            view.ask("new Promise((done) => setTimeout(done, 4000))")
            equal("it asks its server alone", set(view.requests()), {address + "alive"})
            equal("a run that is over is loaded once", len(view.told("Page.loadEventFired")), 1)
            equal("and complains of nothing", view.complaints(), [])
    process.terminate()
    equal("a signal ends it", scree.finish(process, 20).status, 0)
    process = scree.start("show", "run.h5", "--no-open", "--wait", "1")
    equal("it ends when nobody comes", scree.finish(process, 30).status, 0)


def test_live_view_of_a_run(scree):
    """--show serves the run while it is written and after it."""
    scree.write("scene.yaml", SPACE)
    process = scree.start("run", "scene.yaml", "-o", "run.h5", "--show", "--no-open", "--wait", "3", "--json")
    said = b""
    while b"http" not in said and process.poll() is None:
        said += process.stderr.readline()
    address = re.search(rb"http://127.0.0.1:\d+/[0-9a-f]{32}/", said)
    if check("an address", address, said):
        status, page = get(address.group().decode())
        equal("a page", (status, page.startswith("<!DOCTYPE html>")), (200, True))
        for _ in range(200):
            if get(address.group().decode() + "alive")[1] == "101":
                break
            time.sleep(0.05)
        time.sleep(1)  # the run is over, the view is not
        check("it goes on as long as somebody looks", process.poll() is None)
    process.terminate()
    answer = scree.finish(process, 60)
    equal("a signal ends both", answer.status, 0)
    equal("the report alone is on standard output", json.loads(answer.out)["steps"], 100)
    scree.expect(2, "run", "scene.yaml", "--show", "--no-store")
    scree.expect(2, "run", "scene.yaml", "--wait", "3")
    scree.expect(2, "run", "scene.yaml", "--show", "--wait", "x")


def test_joints(scree):
    """Anchors are drawn, and no contacts are made of joints."""
    scree.expect(0, "run", "double-pendulum", "--set", "scheme.duration=0.2", "-o", "run.h5", "--quiet")
    about = scree.json("show", "run.h5", "--html", "page.html")
    equal("no contacts", (about["contacts"], about["contacts_all"]), (0, 0))
    scree.expect(0, "plot", "run.h5", "bodies", "--at", "0,0.2", "--with", "forces", "-o", "bodies.png")
    scree.expect(0, "run", "slider-crank", "--set", "scheme.duration=0.01", "-o", "crank.h5", "--quiet")
    scree.expect(0, "plot", "crank.h5", "bodies", "-o", "crank.png")
    _, _, rows = browser.pixels(scree.path("crank.png").read_bytes())
    bars = [(x, y) for y, row in enumerate(rows) for x, p in enumerate(row) if max(map(abs, map(int.__sub__, p, (115, 120, 128)))) < 6]
    check("bodies without shapes are bars between their joints", len(bars) > 500, len(bars))
    check("which are in the picture from end to end", max(bars)[0] - min(bars)[0] > 0.5 * len(rows[0]), bars[:1])
    if not shutil.which("chromium"):
        skip("the page in a browser: there is no chromium")
        return
    with browser.Browser(scree.folder) as page:
        page.open(scree.path("page.html").as_uri())
        page.ask("scree.goto(200)")
        at = page.ask("scree.screen([0, 0, 0])")  # the hinge on the ground stays where it was
        width, height, rows = browser.pixels(page.picture())
        darkest = min(sum(rows[int(at[1]) + b][int(at[0]) + a]) for a in (-1, 0, 1) for b in (-1, 0, 1))
        check("a mark at the hinge", darkest < 250 and width and height, darkest)
        equal("nothing is complained about", page.complaints(), [])


def test_markers(scree):
    """Joints on elastic bodies, matrix systems and mechanisms are where their part is."""
    scree.expect(0, "run", "pendulum-on-beam", "--set", "scheme.duration=0.5", "-o", "run.h5", "--quiet")
    scree.expect(0, "show", "run.h5", "--html", "page.html", "--every", "10")
    if not shutil.which("chromium"):
        skip("the page in a browser: there is no chromium")
        return
    with browser.Browser(scree.folder) as page:
        page.open(scree.path("page.html").as_uri())
        ways = json.loads(page.ask("JSON.stringify([0, 1].map((side) => scree.times.map((_, f) => scree.anchor(1, side, f))))"))
        moved = max(math.dist(x, ways[0][0]) for x in ways[0])
        check("the tip of the beam gives way", moved > 0.01, moved)
        apart = max(math.dist(a, b) for a, b in zip(*ways))
        check("both sides of the hinge stay together", apart < 1e-4, apart)
        equal("nothing is complained about", page.complaints(), [])


# how far the run goes beyond the picture: a cross of a body's reach about each of its places, and points that stay
BEYOND = """(() => { const view = document.getElementById("view"), reach = %s, stay = %s, box = [1e9, -1e9, 1e9, -1e9];
  const see = (x) => { const [a, b] = scree.screen(x); box[0] = Math.min(box[0], a); box[1] = Math.max(box[1], a);
    box[2] = Math.min(box[2], b); box[3] = Math.max(box[3], b); };
  for (let f = 0; f < scree.frames; f++) scree.bodies.forEach((name, i) => { const x = scree.position(i, f), far = reach[name];
    for (let k = 0; far !== undefined && k < 3; k++) for (const side of [-far, far]) see(x.map((c, j) => j === k ? c + side : c)); });
  stay.forEach(see);
  const head = document.querySelector("header").getBoundingClientRect().bottom;
  return JSON.stringify({beyond: Math.max(-box[0], box[1] - view.clientWidth, head - box[2], box[3] - view.clientHeight),
    share: Math.max((box[1] - box[0]) / view.clientWidth, (box[3] - box[2]) / (view.clientHeight - head))}); })()"""
WINDOWS = [(900, 600), (400, 700), (1300, 420)]
GROUND_FAR_BELOW = """
gravity: [0, -10]
bodies:
  - {name: ground, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}
  - {name: particle, mass: 1, inertia: 1, position: [0.3, 2], shapes: [{type: point}]}
scheme: {step: 5e-3, duration: 0.05}
"""


def check_seen(scree, page, what, reach, stay):
    """In windows of several sizes, when it opens and when the window changes."""
    for again in (False, True):
        for width, height in WINDOWS:
            page.look(width, height, False)
            if not again:
                page.open(scree.path("page.html").as_uri())
            page.ask("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))")
            seen = json.loads(page.ask(BEYOND % (json.dumps(reach), json.dumps(stay))))
            name = f"{what}, {width} x {height}{', changed' if again else ''}"
            check(f"{name}: nothing is cut off", seen["beyond"] <= 0, seen)
            check(f"{name}: it fills the picture", seen["share"] > 0.5, seen)


def test_all_of_it_is_seen(scree):
    """When a page opens, all of the run is in the picture: bars without shapes, bowls, the ground far below."""
    if not shutil.which("chromium"):
        skip("the page in a browser: there is no chromium")
        return
    with browser.Browser(scree.folder) as page:
        scree.expect(0, "run", "slider-crank", "--set", "scheme.duration=0.05", "-o", "run.h5", "--quiet")
        scree.expect(0, "show", "run.h5", "--html", "page.html", "--every", "20")
        check_seen(scree, page, "crank", {"crank": 0.01, "rod": 0.01, "block": 0.05}, [[0, 0, 0]])
        scree.expect(0, "run", "ball-in-bowl", "--set", "scheme.duration=1", "-o", "run.h5", "--quiet")
        scree.expect(0, "show", "run.h5", "--html", "page.html", "--every", "20")
        check_seen(scree, page, "bowl", {"ball": 0.05}, [[x, y, 0.2048] for x in (-0.32, 0.32) for y in (-0.32, 0.32)])
        scree.expect(0, "run", "impacting-stick", "--set", "scheme.duration=0.1", "-o", "run.h5", "--quiet")
        scree.expect(0, "show", "run.h5", "--html", "page.html", "--every", "20")
        check_seen(scree, page, "stick", {"stick": 0}, [[0.70710678, 0.01, 0]])
        at = json.loads(page.ask("scree.goto(0), JSON.stringify(scree.screen(scree.position(1, 0)))"))
        page.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        _, _, rows = browser.pixels(page.picture())
        darkest = min(sum(rows[int(at[1]) + b][int(at[0]) + a]) for a in (-1, 0, 1) for b in (-1, 0, 1))
        check("a stick is drawn between its points", darkest < 500, darkest)
        scree.write("scene.yaml", GROUND_FAR_BELOW)
        scree.expect(0, "run", "scene.yaml", "-o", "run.h5", "--quiet")
        scree.expect(0, "show", "run.h5", "--html", "page.html")
        check_seen(scree, page, "particle", {"particle": 0}, [[0.3, 0, 0]])
        before = page.ask("JSON.stringify(scree.screen([0.3, 2, 0]))")
        page.call("Input.dispatchMouseEvent", type="mouseWheel", x=200, y=200, deltaX=0, deltaY=-100)
        page.ask("new Promise((done) => setTimeout(done, 100))")
        chosen = page.ask("JSON.stringify(scree.screen([0.3, 2, 0]))")
        page.look(1300, 430, False)
        page.look(1300, 420, False)
        page.ask("new Promise((done) => setTimeout(done, 100))")
        check("a wheel comes nearer", chosen != before, chosen)
        equal("and what somebody chose stays", page.ask("JSON.stringify(scree.screen([0.3, 2, 0]))"), chosen)
        equal("nothing is complained about", page.complaints(), [])


def test_mistakes_are_drawn(scree):
    """A wall the wrong way round, bodies in each other: refused, told, and seen."""
    scree.write("wrong.yaml", """
bodies:
  - {name: floor, fixed: true, shapes: [{type: chain, vertices: [[3, 0], [-3, 0]]}]}
  - {name: a, density: 1, position: [0, 1], shapes: [{type: disc, radius: 0.5}]}
  - {name: b, density: 1, position: [0.5, 1], shapes: [{type: disc, radius: 0.5}]}
scheme: {step: 1e-3, duration: 0.1}
""")
    said = scree.expect(2, "check", "wrong.yaml", "--plot", "wrong.png").err
    check("both are told", "overlap" in said and "behind" in said, said)
    check("and drawn", "wrong.png" in scree.listing(), scree.listing())
    told = scree.json("check", "wrong.yaml", "--plot", "wrong.png", status=2)
    equal("one document", (told["valid"], len(told["errors"])), (False, 2))
    scree.write("worse.yaml", "bodies: [{name: a}]\n")
    scree.expect(2, "check", "worse.yaml", "--plot", "worse.png")
    check("what cannot be drawn is not", "worse.png" not in scree.listing(), scree.listing())


def test_films(scree):
    """Numbered pictures need nothing else; films say what they need."""
    scree.write("scene.yaml", PLANAR)
    scree.expect(0, "run", "scene.yaml", "-o", "run.h5", "--quiet")
    scree.expect(0, "animate", "run.h5", "-o", "pictures", "--seconds", "0.2", "--with", "forces", "--quiet")
    names = [name for name in scree.listing() if name.endswith(".png")]
    equal("five pictures", names, [f"pictures/{i:06d}.png" for i in range(5)])
    check("they differ", scree.path(names[0]).read_bytes() != scree.path(names[4]).read_bytes())
    for name, where, begins in (("film.gif", 0, b"GIF8"), ("film.mp4", 4, b"ftyp")):
        film = scree("animate", "run.h5", "-o", name, "--seconds", "0.2", "--quiet")
        if shutil.which("ffmpeg"):
            equal("a film", (film.status, scree.path(name).read_bytes()[where:where + 4]), (0, begins))
        else:
            check("it says what is missing", film.status == 1 and "ffmpeg" in film.err, film)
    (scree.folder / "empty").mkdir()
    film = scree("animate", "run.h5", "-o", "none.mp4", "--seconds", "200", env={"PATH": str(scree.folder / "empty")}, timeout=20)
    check("without ffmpeg it says so before it draws", film.status == 1 and "ffmpeg" in film.err, film)
    check("and leaves nothing", "none.mp4" not in scree.listing(), scree.listing())
    scree.expect(2, "animate", "run.h5", "-o", "pictures", "--seconds", "0")
    scree.expect(2, "animate", "run.h5")
    check("another ending is no folder", ".mp4 or FILE.gif" in scree.expect(2, "animate", "run.h5", "-o", "film.webm").err)


def test_overview_of_many_that_spin(scree):
    """Beside an angle of 60 rad places of a metre would be flat: an overview of many bodies leaves it out."""
    for spin, curves in ((1, 3), (300, 2)):
        scree.write("scene.yaml", f"""
bodies: [{', '.join(f'{{name: b{i}, mass: 1, inertia: 1, position: [{i}, 0], velocity: [{i}, 1], spin: {spin}}}' for i in range(6))}]
scheme: {{step: 1e-2, duration: 0.2}}
""")
        scree.expect(0, "run", "scene.yaml", "-o", "run.h5", "--quiet")
        scree.expect(0, "plot", "run.h5", "overview", "-o", "overview.svg")
        drawn = re.findall('stroke="(rgb[^"]*)"|stroke:(rgb[^;]*);', scree.path("overview.svg").read_text())
        colours = {a or b for a, b in drawn}
        coloured = {c for c in colours if len(set(re.findall(r"[\d.]+", c))) > 1}
        equal(f"curves of bodies that turn with {spin} rad/s", len(coloured), curves)


def test_systems_have_no_bodies(scree):
    """A matrix system cannot be shown."""
    scree.expect(0, "run", "klarbring", "-o", "run.h5", "--quiet")
    check("it says why", "no bodies" in scree.expect(2, "show", "run.h5", "--html", "x.html").err)


run_tests(globals())
