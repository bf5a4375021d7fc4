# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""The page that plays a run, opened from a file by a real browser: what it shows is what the run file holds."""

import html
import json
import math
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request

from harness import check, equal, run_tests, skip

PLANAR = """
title: </script><script>document.title = 'broken'</script>
gravity: [0, -10]
bodies:
  - {name: ground, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}
  - {name: "<script>alert(1)</script>", mass: 1, inertia: 0.1, position: [0, 0.5], velocity: [1, 0],
     shapes: [{type: polygon, vertices: [[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]]}]}
  - {name: disc, density: 1, position: [1, 0.4], shapes: [{type: disc, radius: 0.1}], born: 0.2}
laws: [{friction: 0.3}]
scheme: {step: 5e-3, duration: 0.6}
"""
SPACE = """
space: 3
gravity: [0, 0, -10]
bodies:
  - {name: floor, fixed: true, shapes: [{type: plane, normal: [0, 0, 1]}]}
  - {name: box, density: 1000, position: [0, 0, 0.3], shapes: [{type: box, size: [0.4, 0.3, 0.2]}]}
  - {name: ball, density: 1000, position: [0.1, 0, 0.8], shapes: [{type: sphere, radius: 0.1}]}
laws: [{friction: 0.5}]
scheme: {step: 5e-3, duration: 0.5}
"""
# what the page is asked, in the page
PROBE = """
<script>
window.addEventListener("error", (e) => { window.failure = String(e.message); });
(async () => {
  for (let k = 0; k < 400 && !window.scree; k++) await new Promise((done) => setTimeout(done, 20));
  const said = { title: document.title, problem: document.getElementById("problem").textContent };
  if (window.scree) {
    const view = document.getElementById("view"), gl = view.getContext("webgl2");
    const colours = () => {
      const pixels = new Uint8Array(4 * view.width * view.height), seen = new Set();
      gl.readPixels(0, 0, view.width, view.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      for (let i = 0; i < pixels.length; i += 4 * 7) seen.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
      return seen.size;
    };
    said.frames = scree.frames;
    said.bodies = scree.bodies;
    said.times = scree.times;
    said.colours = colours();
    said.contacts = [];
    said.positions = [];
    for (let f = 0; f < scree.frames; f++) {
      said.contacts.push(scree.contacts(f));
      said.positions.push(scree.bodies.map((_, b) => scree.position(b, f)));
    }
    scree.goto(scree.frames - 1);
    said.colours_at_end = colours();
    said.clock = document.getElementById("clock").textContent;
    said.picked = scree.pick(1);
    said.table = document.getElementById("picked").textContent;
    const last = scree.contacts(scree.frames - 1);
    if (last.length) scree.pickContact(last[0].index);
    said.contact_table = document.getElementById("picked").textContent;
    scree.goto(0);
    scree.play(true);
    const slider = document.getElementById("slider");
    for (let k = 0; k < 200 && slider.value === "0"; k++) await new Promise((done) => setTimeout(done, 50));
    scree.play(false);
    said.played = Number(slider.value);
  }
  said.failure = window.failure || null;
  said.requests = performance.getEntriesByType("resource").map((e) => e.name);
  const result = document.createElement("pre");
  result.id = "result";
  result.textContent = JSON.stringify(said);
  document.body.append(result);
})();
</script>
"""



def ask(page, folder):
    """What the page says about itself, in a browser that can reach nothing."""
    copy = folder / "probe.html"
    copy.write_text(page.read_text().replace("</body>", PROBE + "</body>"))
    done = subprocess.run(
        ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--use-gl=angle",
         "--use-angle=swiftshader", "--enable-unsafe-swiftshader", f"--user-data-dir={folder}/profile",
         "--window-size=900,600", "--host-resolver-rules=MAP * ~NOTFOUND",
         "--virtual-time-budget=20000", "--dump-dom", copy.as_uri()],
        capture_output=True, text=True, timeout=240, check=False)
    found = re.search(r'<pre id="result">(.*?)</pre>', done.stdout, re.S)
    return json.loads(html.unescape(found.group(1))) if found else None


def compare_positions(said, bodies, axes):
    """The largest difference between the page and the run file."""
    frames = sorted({row["step"] for row in bodies})
    worst = 0
    for row in bodies:
        own = said["positions"][frames.index(row["step"])][said["bodies"].index(row["body"])]
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
            compared += force > 0
    return complaints, compared


def check_page(scree, text, axes):
    """Run a scene, show it, and hold the page against the run file."""
    scree.write("scene.yaml", text)
    scree.expect(0, "run", "scene.yaml", "-o", "run.h5", "--quiet")
    about = scree.json("show", "run.h5", "--html", "page.html")
    bodies, contacts = scree.rows("run.h5", "bodies"), scree.rows("run.h5", "contacts")
    equal("every state is in it", (about["every"], about["contacts"]), (1, len(contacts)))
    if not shutil.which("chromium"):
        skip("the page in a browser: there is no chromium")
        return
    said = ask(scree.path("page.html"), scree.folder)
    if not check("the browser opens the page", said):
        return
    equal("nothing is refused", (said["problem"], said["failure"]), ("", None))
    equal("no request leaves the page", said["requests"], [])
    check("a title stays text", said["title"] != "broken", said["title"])
    check("something is drawn", min(said["colours"], said["colours_at_end"]) > 3, said["colours"])
    check("it plays", said["played"] > 0, said["played"])
    equal("all states", said["frames"], len({row["step"] for row in bodies}))
    check("positions are the run's", compare_positions(said, bodies, axes) < 2e-5,
          compare_positions(said, bodies, axes))
    complaints, compared = compare_contacts(said, bodies, contacts, 5e-3)
    check("contacts are the run's", not complaints, complaints[:3])
    check("forces were compared", compared > 10, compared)
    check("the picked body is named", said["bodies"][1] in said["table"], said["table"])
    check("the picked contact has numbers", "normal force" in said["contact_table"],
          said["contact_table"])


def test_plane(scree):
    """Bodies in the plane, with names that are markup."""
    check_page(scree, PLANAR, "xy")


def test_space(scree):
    """Bodies in space; and what the options choose."""
    check_page(scree, SPACE, "xyz")
    about = scree.json("show", "run.h5", "--html", "few.html", "--every", "7")
    equal("every seventh of 101 states", (about["every"], about["frames"]), (7, 15))
    scree.expect(2, "show", "run.h5", "--html", "x.html", "--every", "0")
    scree.expect(2, "show", "run.h5", "--html", "x.html", "--max-size", "x")
    scree.expect(2, "show", "scene.yaml", "--html", "x.html")
    scree.expect(1, "show", "run.h5", "--html", "no/such/folder.html")
    check("nothing was written", "x.html" not in scree.listing(), scree.listing())


def test_large_runs_are_thinned(scree):
    """A page that would be too large leaves out states and says so."""
    scree.write("scene.yaml", SPACE.replace("5e-3", "5e-5"))
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


def test_films(scree):
    """Numbered pictures need nothing else; films say what they need."""
    scree.write("scene.yaml", PLANAR)
    scree.expect(0, "run", "scene.yaml", "-o", "run.h5", "--quiet")
    scree.expect(0, "animate", "run.h5", "-o", "pictures", "--seconds", "0.2", "--with", "forces", "--quiet")
    names = [name for name in scree.listing() if name.endswith(".png")]
    equal("five pictures", names, [f"pictures/{i:06d}.png" for i in range(5)])
    check("they differ", scree.path(names[0]).read_bytes() != scree.path(names[4]).read_bytes())
    film = scree("animate", "run.h5", "-o", "film.gif", "--seconds", "0.2", "--quiet")
    if shutil.which("ffmpeg"):
        equal("a film", (film.status, scree.path("film.gif").read_bytes()[:4]), (0, b"GIF8"))
    else:
        check("it says what is missing", film.status == 1 and "ffmpeg" in film.err, film)
    scree.expect(2, "animate", "run.h5", "-o", "pictures", "--seconds", "0")
    scree.expect(2, "animate", "run.h5")


def test_systems_have_no_bodies(scree):
    """A matrix system cannot be shown."""
    scree.expect(0, "run", "klarbring", "-o", "run.h5", "--quiet")
    check("it says why", "no bodies" in scree.expect(2, "show", "run.h5", "--html", "x.html").err)


run_tests(globals())
