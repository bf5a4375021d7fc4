# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bad input: every mistake gets its place and a helpful sentence, exit status 2, nothing left.

A case names the text that is changed in a good scene, and the text whose place must be reported.
Each is tried with run and with check (under sanitizers, which see the same code in both, with run alone), and
as --set where a value alone is wrong.
"""

import re

from harness import SANITIZED, check, document, equal, run_tests, weaker_user

BODIES = """\
parameters:
  size: 0.5
bodies:
  - name: ground
    fixed: true
    shapes:
      - {type: half-plane, normal: [0, 1]}
  - name: ball
    mass: 1.25
    inertia: 0.1
    position: [0, 2]
    shapes:
      - {type: disc, radius: size}
laws:
  - {between: [ball, ground], restitution: 0.7, friction: 0.2}
scheme:
  name: moreau-jean
  theta: 0.55
  step: 1e-3
  duration: 0.01
"""

SYSTEM = """\
system:
  mass: [[1, 0], [0, 2]]
  stiffness: [[3, -1], [-1, 4]]
  damping: [[0.3, 0], [0, 0.4]]
  load: [0, "2*sin(t)"]
  position: [0, 0.5]
  velocity: [0, 1]
  contacts:
    - name: stop
      normal: [0, -1]
      tangent: [1, 0]
      gap: 0.75
      restitution: 0.7
      friction: 0.2
scheme:
  step: 1e-3
  duration: 0.01
"""

# (what, text to replace, replacement, text whose place is expected, words of the message)
BODY_CASES = [
    ("unknown-key", "mass: 1.25", "mas: 1.25", "mas:", ["mas", "mass"]),
    ("unknown-key-top", "laws:", "law:", "law:", ["law", "laws"]),
    ("unknown-key-scheme", "theta: 0.55", "tehta: 0.55", "tehta", ["tehta", "theta"]),
    ("unknown-key-shape", "radius: size", "raduis: size", "raduis", ["raduis", "radius"]),
    ("unknown-word", "moreau-jean", "moreau-jaen", "moreau-jaen", ["moreau-jean"]),
    ("unknown-shape", "type: disc", "type: disk", "disk", ["disk", "disc"]),
    ("unknown-parameter", "radius: size", "radius: siez", "siez", ["siez", "size"]),
    ("unknown-function", "1.25", "1.25*sine(1)", "sine", ["sine"]),
    ("list-for-number", "1.25", "[1.25]", "[1.25]", ["mass", "number", "list"]),
    ("map-for-number", "1.25", "{a: 1}", "{a: 1}", ["mass", "number", "map"]),
    ("number-for-list", "[0, 2]", "2", "2\n    shapes", ["position", "list"]),
    ("list-for-map", "  name: moreau-jean\n  theta: 0.55\n  step: 1e-3\n  duration: 0.01",
     "  - 1\n", "- 1", ["scheme", "map"]),
    ("map-for-list", "  - {between: [ball, ground], restitution: 0.7, friction: 0.2}",
     "  between: [ball, ground]", "between:", ["laws", "list"]),
    ("text-for-number", "1.25", "heavy", "heavy", ["mass", "heavy"]),
    ("text-for-flag", "fixed: true", "fixed: maybe", "maybe", ["fixed", "true"]),
    ("unit-behind-number", "1e-3", "1e-3 s", "s\n", ["step"]),
    ("three-for-two", "[0, 2]", "[0, 2, 3]", "[0, 2, 3]", ["position"]),
    ("missing-value", "mass: 1.25", "mass:", None, ["mass"]),
    ("missing-mass", "    mass: 1.25\n", "", "name: ball", ["ball", "mass"]),
    ("missing-inertia", "    inertia: 0.1\n", "", "name: ball", ["ball", "inertia"]),
    ("missing-name", "  - name: ball", "  - fixed: true\n  - name: ball", "fixed: true\n  - name",
     ["name"]),
    ("missing-radius", ", radius: size", "", "disc}", ["radius"]),
    ("missing-step", "  step: 1e-3\n", "", None, ["step"]),
    ("missing-scheme", BODIES[BODIES.index("scheme:"):], "", None, ["scheme"]),
    ("nan", "1.25", "nan", "nan", ["mass", "finite"]),
    ("yaml-nan", "1.25", ".nan", ".nan", ["mass", "finite"]),
    ("inf", "1.25", "inf", "inf", ["mass", "finite"]),
    ("yaml-inf", "1.25", ".inf", ".inf", ["mass", "finite"]),
    ("minus-inf", "1.25", "-inf", None, ["mass", "finite"]),
    ("by-zero", "1.25", "1/0", "1/0", ["mass", "finite"]),
    ("zero-by-zero", "1.25", "0/0", "0/0", ["mass", "finite"]),
    ("log-of-minus-one", "1.25", "log(-1)", "log", ["mass"]),
    ("overflow", "1.25", "1e999", "1e999", ["mass"]),
    ("power-overflow", "1.25", "10^1000", "10^", ["mass", "finite"]),
    ("unclosed-parenthesis", "1.25", "2*(3+1", None, ["mass", ")"]),
    ("time-in-mass", "1.25", "1+t", "t\n", ["mass", "t"]),
    ("bad-parameter", "size: 0.5", "size: 1/0", "1/0", ["size", "finite"]),
    ("parameter-of-itself", "size: 0.5", "size: 2*size", "size\n", ["size"]),
    ("negative-mass", "1.25", "-1.25", "-1.25", ["mass", "positive", "-1.25"]),
    ("zero-mass", "1.25", "0", "0\n", ["mass", "positive"]),
    ("zero-inertia", "inertia: 0.1", "inertia: 0", "0\n    position", ["inertia", "positive"]),
    ("negative-inertia", "inertia: 0.1", "inertia: -1", "-1\n", ["inertia", "positive"]),
    ("zero-radius", "radius: size", "radius: 0", "0}", ["radius", "positive"]),
    ("zero-normal", "normal: [0, 1]", "normal: [0, 0]", "[0, 0]", ["normal"]),
    ("negative-friction", "friction: 0.2", "friction: -0.2", "-0.2", ["friction", "negative"]),
    ("e-above-1", "restitution: 0.7", "restitution: 1.01", "1.01", ["restitution", "1.01"]),
    ("e-below-0", "restitution: 0.7", "restitution: -0.7", "-0.7", ["restitution", "-0.7"]),
    ("theta-small", "0.55", "0.49", "0.49", ["theta", "0.49", "0.5"]),
    ("theta-large", "0.55", "1.01", "1.01", ["theta", "1.01", "1"]),
    ("zero-step", "1e-3", "0", "0\n  duration", ["step", "positive"]),
    ("negative-step", "1e-3", "-1e-3", "-1e-3", ["step", "positive"]),
    ("nan-step", "1e-3", "nan", "nan", ["step", "finite"]),
    ("negative-duration", "duration: 0.01", "duration: -1", "-1\n", ["duration", "positive"]),
    ("too-many-steps", "duration: 0.01", "duration: 1e30", None, ["duration", "step"]),
    ("duplicate-name", "  - name: ball", "  - {name: ground, fixed: true}\n  - name: ball",
     "ground, fixed", ["ground", "4"]),
    ("duplicate-key", "mass: 1.25", "mass: 1.25\n    mass: 2", "mass: 2", ["mass", "9"]),
    ("law-of-a-stranger", "[ball, ground]", "[bal, ground]", "bal, ground", ["bal", "ball"]),
    ("law-of-one", "[ball, ground]", "[ball]", "[ball]", ["between", "two"]),
    ("whole-number", "duration: 0.01", "duration: 0.01\noutput: {every: 1.5}", "1.5",
     ["every", "whole"]),
    ("zero-every", "duration: 0.01", "duration: 0.01\noutput: {every: 0}", "0}", ["every"]),
    ("no-bodies", BODIES[BODIES.index("bodies:"):BODIES.index("scheme:")], "", None, ["bodies"]),
]

SYSTEM_CASES = [
    ("singular-mass", "[[1, 0], [0, 2]]", "[[1, 2], [2, 4]]", "[[1, 2]", ["mass", "singular"]),
    ("zero-mass-matrix", "[[1, 0], [0, 2]]", "[[1, 0], [0, 0]]", "[[1, 0]", ["mass", "definite"]),
    ("indefinite-mass", "[[1, 0], [0, 2]]", "[[1, 3], [3, 1]]", "[[1, 3]", ["mass", "definite"]),
    ("mass-not-symmetric", "[[1, 0], [0, 2]]", "[[2, 0.5], [0, 2]]", None, ["mass", "symmetric"]),
    ("K-not-symmetric", "[[3, -1], [-1, 4]]", "[[3, -1], [1, 4]]", None,
     ["stiffness", "symmetric"]),
    ("C-not-symmetric", "[[0.3, 0], [0, 0.4]]", "[[0.3, 0.2], [0, 0.4]]", None,
     ["damping", "symmetric"]),
    ("K-too-small", "[[3, -1], [-1, 4]]", "[[3]]", "[[3]]", ["stiffness", "2"]),
    ("K-too-large", "[[3, -1], [-1, 4]]", "[[3, 0, 0], [0, 3, 0], [0, 0, 3]]", "[[3, 0, 0]",
     ["stiffness", "2"]),
    ("K-ragged", "[[3, -1], [-1, 4]]", "[[3, -1], [4]]", None, ["stiffness"]),
    ("mass-not-square", "[[1, 0], [0, 2]]", "[[1, 0]]", None, ["mass"]),
    ("mass-a-list", "[[1, 0], [0, 2]]", "[1, 2]", "1, 2]", ["mass", "row"]),
    ("mass-empty", "[[1, 0], [0, 2]]", "[]", "[]", ["mass"]),
    ("load-too-short", '[0, "2*sin(t)"]', "[0]", "[0]", ["load", "2"]),
    ("position-too-long", "[0, 0.5]", "[0, 0.5, 1]", "[0, 0.5, 1]", ["position", "2"]),
    ("normal-too-long", "[0, -1]\n", "[0, -1, 2]\n", "[0, -1, 2]", ["normal", "2"]),
    ("normal-zero", "normal: [0, -1]", "normal: [0, 0]", "[0, 0]", ["normal", "zero"]),
    ("tangent-too-short", "tangent: [1, 0]", "tangent: [1]", "[1]", ["tangent", "2"]),
    ("friction-without-tangent", "      tangent: [1, 0]\n", "", None, ["friction", "tangent"]),
    ("one-spatial-tangent", "tangent: [1, 0]", "tangents: [[1, 0]]", "[[1, 0]]", ["tangents"]),
    ("both-tangents", "tangent: [1, 0]", "tangent: [1, 0]\n      tangents: [[1, 0], [0, 1]]",
     None, ["tangent"]),
    ("time-in-e", "restitution: 0.7", "restitution: t/10", "t/10", ["restitution", "t"]),
    ("unknown-name-in-load", "2*sin(t)", "2*sin(x)", "x)", ["load", "x"]),
    ("load-not-finite", "2*sin(t)", "1/t", None, ["load", "finite"]),
    ("gap-closed-too-far", "gap: 0.75", "gap: 0.25", "0.25", ["overlap", "0.25"]),
]

TEXT_CASES = [
    ("tab", "scheme:\n\tstep: 1\n", (2, 1), ["tab"]),
    ("unclosed-bracket", "title: x\nparameters: {a: 1, b: [1, 2\nscheme:\n  step: 1\n", None,
     ["bracket"]),
    ("unclosed-quote", 'title: "never ends\nscheme:\n  step: 1\n', None, ["quot"]),
    ("wrong-indent", "scheme:\n  step: 1\n    duration: 2\n", (3, 13), []),
    ("second-document", BODIES + "---\n" + BODIES, (21, 1), ["document"]),
    ("empty", "", (1, 1), ["empty"]),
    ("comments-only", "# nothing yet\n", None, ["empty"]),
    ("one-word", "hello\n", (1, 1), ["map"]),
    ("a-list", "- a\n- b\n", (1, 1), ["map", "list"]),
    ("binary", bytes(range(128, 256)) * 40, (1, 1), []),
    ("zeros", bytes(4096), (1, 1), []),
    ("brackets", b"[" * 1000000, None, ["nested"]),
    ("braces", b"{a: " * 250000, None, ["nested"]),
    ("dashes", b"- " * 500000, None, ["nested"]),
    ("long-key", b"a" * 1000000 + b": 1\n", None, []),
    ("latin-1", b"title: caf\xe9\n", (1, 11), ["UTF-8"]),
    ("alias", "title: &a\n" + BODIES, (1, 8), ["anchor"]),
    ("unknown-alias", "title: *nowhere\n" + BODIES, None, ["nowhere"]),
    ("deep-expression", "parameters: {a: \"" + "(" * 100000 + "\", size: 1}\n"
     + BODIES.split("\n", 2)[2], None, ["nested"]),
    ("elf", open("/bin/true", "rb").read(), None, []),
]


# ---- how an answer is judged ----


def place_of(text, needle):
    """Line and column (from 1) of the first occurrence."""
    before = text[:text.index(needle)]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def errors_of(text):
    """(file, line, column, message) of every reported error; None for a line without place."""
    found = []
    for line in text.splitlines():
        parts = re.match(r"(.+?):(\d+):(\d+): error: (.+)$", line)
        found.append((parts[1], int(parts[2]), int(parts[3]), parts[4]) if parts else None)
    return found


def judge_answer(answer, name, place, words, where="stderr"):
    """Every line is FILE:LINE:COLUMN: error: sentence; the first one is about our mistake."""
    text = answer.err if where == "stderr" else answer.out
    what = f"{answer.command}"
    check(f"{what}: exit status 2", answer.status == 2, answer)
    errors = errors_of(text)
    check(f"{what}: every line is file:line:column: error: ...", errors and None not in errors,
          text)
    told = [error for error in errors if error]
    if not told:
        return
    check(f"{what}: the file is {name}", all(error[0] == name for error in told), text)
    if place:
        check(f"{what}: place {place[0]}:{place[1]}", told[0][1:3] == place, text)
    missing = [word for word in words if word.lower() not in told[0][3].lower()]
    check(f"{what}: the first message has {words}", not missing, text)
    equal(f"{what}: exactly one error", len(told), 1)


def judge_json(scree, name, place):
    """check --json says the same."""
    found = scree.json("check", name, status=2)
    if found is None:
        return
    check(f"check {name} --json: not valid", found.get("valid") is False, found)
    errors = found.get("errors", [])
    check(f"check {name} --json: errors have file, line, column, message",
          errors and all({"file", "line", "column", "message"} <= set(e) for e in errors), found)
    if errors and place:
        equal(f"check {name} --json: place", (errors[0]["line"], errors[0]["column"]), place)


def judge_file(scree, name, text, place, words):
    """run and check on one bad file; nothing is left behind."""
    scree.write(name, text)
    before = scree.listing()
    ran = scree("run", name, timeout=60)
    judge_answer(ran, name, place, words)
    equal(f"run {name}: nothing on standard output", ran.out, "")
    equal(f"run {name}: nothing left behind", scree.listing(), before)
    if SANITIZED:
        return
    checked = scree("check", name, timeout=60)
    equal(f"check {name}: exit status 2", checked.status, 2)
    equal(f"check {name}: says what run says", checked.out + checked.err, ran.err)
    judge_json(scree, name, place)


def judge_cases(scree, base, cases):
    """Every case of a table on a good scene."""
    for what, old, new, needle, words in cases:
        assert base.count(old) >= 1, what
        text = base.replace(old, new, 1)
        place = place_of(text, needle) if needle else None
        judge_file(scree, f"{what}.yaml", text, place, words)


# ---- the tests ----


def test_good_scenes_are_good(scree):
    """What is changed below is fine as it stands."""
    for name, text in (("bodies.yaml", BODIES), ("system.yaml", SYSTEM)):
        scree.write(name, text)
        scree.expect(0, "check", name)
        found = scree.json("check", name)
        check(f"check {name} --json: valid", found and found.get("valid") is True, found)
        scree.expect(0, "run", name)


def test_bodies(scree):
    """Mistakes in a scene of bodies."""
    judge_cases(scree, BODIES, BODY_CASES)


def test_systems(scree):
    """Mistakes in a matrix system."""
    judge_cases(scree, SYSTEM, SYSTEM_CASES)


def test_texts(scree):
    """Files that are no scene at all."""
    for what, text, place, words in TEXT_CASES:
        judge_file(scree, f"{what}.yaml", text, place, words)


def test_unreadable(scree):
    """Files that cannot be read: no place, but the name and a reason."""
    scree.path("folder.yaml").mkdir()
    for name, words in (("folder.yaml", "directory"), ("missing.yaml", "no such file"),
                        ("bouncing-bal", "bouncing-ball"), ("a/b/c.yaml", "no such file")):
        for command in ("run", "check", "compare"):
            answer = scree.expect(2, command, name)
            check(f"{answer.command}: {name}: error: ... {words}",
                  answer.err.startswith(f"{name}: error: ") and words in answer.err.lower(), answer)
            equal(f"{answer.command}: one line", answer.err.count("\n"), 1)
    equal("nothing left behind", scree.listing(), ["folder.yaml"])


def test_permission(scree):
    """A file without the permission to read it; root can read everything, so it steps down."""
    scree.write("secret.yaml", BODIES)
    scree.path("secret.yaml").chmod(0)
    who = weaker_user(scree)
    if who is None:
        return
    answer = scree.expect(2, "check", "secret.yaml", **who)
    check("secret.yaml: error: ... permission", answer.err.startswith("secret.yaml: error: ")
          and "permission" in answer.err.lower(), answer)


def test_overlap(scree):
    """Bodies that overlap at the start: depth and place; `overlaps: accept` goes on."""
    text = BODIES.replace("[0, 2]", "[0, 0.375]")
    scree.write("overlap.yaml", text)
    answer = scree.expect(2, "run", "overlap.yaml")
    errors = errors_of(answer.err)
    check("overlap: one error with a place", len(errors) == 1 and errors[0], answer)
    for word in ("ball", "ground", "overlap", "0.125", "accept"):
        check(f"overlap: the message has {word}", word in answer.err, answer)
    lines = text.splitlines()
    if errors and errors[0]:
        check("overlap: the place is in a body, not in line 1",
              errors[0][1] in range(4, 14) and lines[errors[0][1] - 1].strip(), answer)
    equal("overlap: nothing left behind", scree.listing(), ["overlap.yaml"])
    for arguments in (["overlap.yaml", "--set", "overlaps=accept"], ["accept.yaml"]):
        scree.write("accept.yaml", text + "overlaps: accept\n")
        found = scree.json("run", *arguments, "-o", "accept.h5", "--set", "scheme.penetration=1",
                           "--set", "scheme.correction=none")
        check("overlap accepted: the penetration is told",
              found and abs(found["penetration_max"] - 0.125) < 1e-3, found)


def test_two_discs_overlap(scree):
    """Both names and the depth, also for two moving bodies; touching is no overlap."""
    other = "  - {name: other, mass: 1, inertia: 1, position: [%s, 2], shapes: [{type: disc, " \
            "radius: 0.5}]}\nlaws:"
    scree.write("discs.yaml", BODIES.replace("laws:", other % "0.75"))
    answer = scree.expect(2, "check", "discs.yaml")
    for word in ("ball", "other", "0.25"):
        check(f"two discs: the message has {word}", word in answer.err + answer.out, answer)
    scree.write("touch.yaml", BODIES.replace("laws:", other % "1"))
    scree.expect(0, "check", "touch.yaml")


def test_joints_at_the_start(scree):
    """Limits that are passed and ropes that are too short: by how much, and where it is written."""
    for what, space, joint, key, words in (
            ("slider", 2, "slider, bodies: [a], axis: [1, 0], lower: 0.5", "0.5", ["lower", "0.5"]),
            ("hinge", 2, "hinge, bodies: [a], lower: -2, upper: -1", "-1", ["upper", "-1", "by 1"]),
            ("rope", 2, "rope, bodies: [a], to: [1, 0], length: 0.75", "0.75", ["by 0.25"]),
            ("rope3", 3, "rope, bodies: [a], to: [0, 0, 1], length: 0.75", "0.75", ["by 0.25"]),
            ("hinge3", 3, "hinge, bodies: [a], axis: [0, 0, 1], lower: 1", "1", ["by 1;"])):
        line = f"joints: [{{name: j, at: {[0] * space}, type: {joint}}}]"
        scree.write(f"{what}.yaml", f"{line}\nspace: {space}\nbodies: [{{name: a, mass: 1, "
                    "inertia: 1}]\nscheme: {step: 0.01, duration: 0.1}\n")
        for command in ("check", "run"):
            answer = scree.expect(2, command, f"{what}.yaml")
            place = f"{what}.yaml:1:{line.rindex(' ' + key) + 2}: "
            check(f"{what}: its place", place in answer.err + answer.out, answer)
            for word in ('"j"', "at the start", "accept", *words):
                check(f"{what}: the message has {word}", word in answer.err + answer.out, answer)
        scree.expect(0, "check", f"{what}.yaml", "--set", "overlaps=accept")
    scree.write("digits.yaml", "joints: [{name: j, type: rope, bodies: [a], at: [0, 0], to: [1, 1],"
                " length: 1.41421356}]\nbodies: [{name: a, mass: 1, inertia: 1}]\n"
                "scheme: {step: 0.01, duration: 0.1}\n")
    scree.expect(0, "run", "digits.yaml")


def test_joints_that_cannot_be(scree):
    """Axes without a length, bodies joined to themselves, anchors far apart, loops that cannot close, limits the wrong way round, ..."""
    plane = "bodies: [{name: a, mass: 1, inertia: 1}, {name: b, mass: 1, inertia: 1, position: " \
            "[1, 0]}, {name: c, fixed: true}]\nscheme: {step: 0.01, duration: 1}\n"
    space = "space: 3\n" + plane.replace("[1, 0]", "[1, 0, 0]")
    for joints, column, word, rest in (
            ("type: slider, bodies: [a, b], at: [0, 0], axis: [0, 0]", 68, "zero", plane),
            ("type: hinge, bodies: [a, b], at: [0, 0, 0], axis: [0, 0, 0]", 70, "zero", space),
            ("type: coordinate, bodies: [a, b], at: [0, 0], axis: [0, 0]", 72, "zero", plane),
            ("type: hinge, bodies: [a, a], at: [0, 0]", 41, '"a" twice', plane),
            ("type: hinge, bodies: [c], at: [0, 0]", 41, "can move", plane),
            ("type: hinge, bodies: [a, d], at: [0, 0]", 45, "no body", plane),
            ("type: hinge, bodies: [a, b], at: [0, 0], to: [1, 0]", 53, "apart at the start", plane),
            ("type: hinge, bodies: [a, b], at: [0, 0], lower: 1, upper: -1", 68, "below", plane),
            ("type: weld, bodies: [a], at: [0, 0]}, {name: k, type: hinge, bodies: [a], at: [1, 0], "
             "to: [1, 0.05]", 98, 'joint "k": the joints contradict', plane),
            ("type: universal, bodies: [a, b], at: [0, 0, 0], axis: [0, 0, 1], axis_second: [0, 0, 1]",
             98, "right angles", space),
            ("type: hinge, bodies: [a], at: [0, 0]}, {name: k, type: coupler, joints: [j, j]", 75,
             "not one", plane),
            ("type: ball, bodies: [a, b], at: [0, 0]", 26, "in space", plane),
            ("type: weld, bodies: [a, b], at: [0, 0], clearance: 0.1", 71, "sliders", plane),
            ("type: slider, bodies: [a, b], at: [0, 0, 0], axis: [1, 0, 0], clearance: 0.1, length: 1",
             93, "half its width", space),
            ("type: hinge, bodies: [a, b], at: [0, 0], length: 1", 69, "rods and ropes", plane)):
        scree.write("bad.yaml", f"joints: [{{name: j, {joints}}}]\n{rest}")
        for command in ("check", "run"):
            answer = scree.expect(2, command, "bad.yaml")
            said = answer.out + answer.err
            check(f"{joints}: its place", f"bad.yaml:1:{column}: " in said and word in said, answer)


def test_joints_that_lack_something(scree):
    """Screws need a pitch, limits of hinges in space are angles; no paradoxes of joints."""
    rest = "}]\nspace: 3\nbodies: [{name: a, mass: 1, inertia: 1}]\nscheme: {step: 1, duration: 1}\n"
    for joint, column, words in (
            ("screw", 17, ["screw needs pitch"]),
            ("hinge, pitch: 1", 31, ["pitch is what a screw has"]),
            ("universal", 17, ["universal joint needs axis_second"]),
            ("hinge, upper: 4", 31, ["upper limit", "below pi"]),
            ("hinge, upper: 3, lower: -5", 41, ["lower limit", "above -pi"])):
        scree.write("joint.yaml", f"joints: [{{type: {joint}, name: j, bodies: [a], at: [0, 0, 0], "
                    f"axis: [0, 0, 1]{rest}")
        answer = scree.expect(2, "check", "joint.yaml")
        said = answer.err + answer.out
        check(f"{joint}: its place", f"joint.yaml:1:{column}: " in said, answer)
        for word in words:
            check(f"{joint}: the message has {word}", word in said, answer)
    scree.write("hinge.yaml", "joints: [{name: j, type: hinge, bodies: [a], at: [0, 0], upper: 4}]"
                + rest.replace("}]", "", 1).replace("space: 3", "space: 2"))
    scree.expect(0, "check", "hinge.yaml")
    answer = scree.expect(2, "paradox", "hinge.yaml")
    check("paradox: joints are refused", "joint" in answer.err, answer)
    scree.write("rubs.yaml", scree.path("hinge.yaml").read_text().replace("upper: 4", "friction: 1, radius: 1"))
    answer = scree.expect(2, "equilibria", "rubs.yaml")
    check("equilibria: friction in joints is refused by name", 'joint "j"' in answer.err, answer)


def test_five_mistakes(scree):
    """check lists all mistakes, in the order of the file; run does too."""
    text = BODIES
    for old, new in (("1.25", "-1.25"), ("radius: size", "raduis: size"), ("0.7", "1.7"),
                     ("0.55", "0.45"), ("1e-3", "oops")):
        text = text.replace(old, new, 1)
    scree.write("five.yaml", text)
    places = [place_of(text, needle) for needle in ("-1.25", "raduis", "1.7", "0.45", "oops")]
    for command in ("check", "run"):
        answer = scree.expect(2, command, "five.yaml")
        errors = errors_of(answer.err)
        found = [error[1:3] for error in errors if error]
        check(f"{command}: all five places {places}", set(places) <= set(found), answer)
        equal(f"{command}: in the order of the file", found, sorted(found))
        check(f"{command}: no more than one follow-up mistake", len(errors) <= 6, answer)
    found = scree.json("check", "five.yaml", status=2)
    places = [[e["line"], e["column"]] for e in found["errors"]]
    check("check --json: five or six errors", len(places) in (5, 6), found)


def test_set(scree):
    """The same mistakes through --set; the option is named, nothing is left behind."""
    for text, words in (
            ("bodies.ball.mass=-1", ["mass", "positive"]), ("bodies.ball.mass=nan", ["finite"]),
            ("bodies.ball.mass=1/0", ["finite"]), ("bodies.ball.mass=", ["mass"]),
            ("bodies.ball.mass=[1]", ["number"]), ("bodies.ball.mas=1", ["mass"]),
            ("bodies.bal.mass=1", ["ball"]), ("bodies.7.mass=1", ["7"]),
            ("scheme.theta=0.4", ["theta", "0.5"]), ("scheme.theta=2", ["theta"]),
            ("scheme.step=0", ["step", "positive"]), ("scheme.name=euler", ["moreau-jean"]),
            ("scheme.stp=1", ["step"]), ("scheem.step=1", ["scheme"]),
            ("parameters.size=-1", ["radius"]), ("parameters.size=oops", ["oops"]),
            ("parameters.siez=1", ["size"]), ("laws.0.friction=-1", ["friction"]),
            ("laws.0.restitution=3", ["restitution"]), ("scheme", ["="]), ("=1", []), ("", []),
            ("a..b=1", []), ("bodies.ball.mass=1: 2", []), ("bodies.ball.mass=[1", []),
            ("bodies.ball.position=[0, 0.1]", ["overlap", "0.4"])):
        scree.write("good.yaml", BODIES)
        for command in ("run", "check"):
            answer = scree.expect(2, command, "good.yaml", "--set", text)
            missing = [word for word in words if word not in answer.err]
            check(f"{answer.command}: the message has {words}",
                  answer.err and not missing, answer.err)
            check(f"{answer.command}: says where, --set or the file",
                  answer.err.startswith(("--set", "good.yaml:", "scree")), answer.err)
        equal(f"--set {text}: nothing left behind", scree.listing(), ["good.yaml"])


def test_set_place(scree):
    """A wrong override is blamed on --set with its path, not on the file."""
    scree.write("good.yaml", BODIES)
    answer = scree.expect(2, "run", "good.yaml", "--set", "scheme.step=1e-4", "--set",
                          "scheme.theta=0.4")
    check("place: --set scheme.theta", answer.err.startswith("--set scheme.theta"), answer.err)


def test_old_run_survives(scree):
    """A bad scene or override does not touch the run file of an earlier run, or the scene."""
    scree.write("good.yaml", BODIES)
    scree.expect(0, "run", "good.yaml", "-o", "good.h5")
    before = scree.path("good.h5").read_bytes()
    scree.expect(2, "run", "good.yaml", "-o", "good.h5", "--set", "scheme.step=-1")
    check("the old run file is as it was", scree.path("good.h5").read_bytes() == before)
    answer = scree("run", "good.yaml", "-o", "good.yaml")
    check("run refuses to write over its own scene",
          answer.status == 2 and scree.path("good.yaml").read_text() == BODIES, answer)


def test_wrong_use(scree):
    """Missing and unknown commands, operands and options: status 2 and a hint."""
    for arguments, words in (
            ([], ["Usage"]), (["foo"], ["foo", "--help"]), (["rnu"], ["rnu", "run"]),
            (["run"], ["SCENE"]), (["check"], ["SCENE"]), (["compare"], ["SCENE"]),
            (["export"], ["RUN"]), (["export", "x.h5"], ["WHAT"]), (["new"], ["NAME"]),
            (["plot"], ["RUN"]), (["run", "--foo", "bouncing-ball"], ["--foo"]),
            (["run", "bouncing-ball", "--ouptut", "x"], ["--ouptut", "--output"]),
            (["run", "bouncing-ball", "--output"], ["--output"]),
            (["run", "bouncing-ball", "-o"], ["-o"]), (["run", "bouncing-ball", "-o", ""], []),
            (["run", "bouncing-ball", "-Z"], ["-Z"]),
            (["run", "bouncing-ball", "--set"], ["--set"]),
            (["run", "bouncing-ball", "--json=1"], ["--json"]),
            (["run", "bouncing-ball", "spinning-disc"], ["spinning-disc"]),
            (["export", "x.h5", "enrgy"], ["enrgy", "energy"]),
            (["export", "x.h5", "energy", "--to", "xls"], ["xls", "csv"]),
            (["new", "bouncing-bal"], ["bouncing-ball"]),
            (["compare", "bouncing-ball", "--schemes", "morau"], ["morau", "moreau"]),
            (["compare", "bouncing-ball", "--schemes", ""], ["schemes"]),
            (["help", "foo"], ["foo"]), (["scenes", "foo"], ["foo"]), (["schema", "foo"], ["foo"])):
        answer = scree.expect(2, *arguments)
        missing = [word for word in words if word not in answer.err]
        check(f"{answer.command}: standard error has {words}", answer.err and not missing, answer)
        equal(f"{answer.command}: nothing on standard output", answer.out, "")
    equal("wrong use leaves nothing behind", scree.listing(), [])


def test_unknown_figure(scree):
    """plot names the figures there are."""
    scree.expect(0, "run", "bouncing-ball", "--set", "scheme.duration=0.01")
    answer = scree.expect(2, "plot", "bouncing-ball.h5", "enrgy")
    check("plot enrgy: energy is suggested", "energy" in answer.err and "enrgy" in answer.err,
          answer)
    answer = scree.expect(2, "plot", "bouncing-ball.h5", "energy", "-o", "x.gif")
    check("plot -o x.gif: the endings there are", ".svg" in answer.err and ".png" in answer.err,
          answer)
    equal("nothing left behind", scree.listing(), ["bouncing-ball.h5"])


def test_not_a_run(scree):
    """export and plot of what is no run file."""
    scree.write("scene.yaml", BODIES)
    scree.write("empty.h5", "")
    scree.path("folder.h5").mkdir()
    before = scree.listing()
    for name in ("scene.yaml", "empty.h5", "folder.h5", "missing.h5"):
        for arguments in (["export", name, "energy"], ["plot", name, "energy", "-o", "x.svg"],
                          ["run", "--resume", name]):
            answer = scree.expect(2, *arguments)
            check(f"{answer.command}: {name}: error: ...", answer.err.startswith(f"{name}: error:")
                  and answer.err.count("\n") == 1, answer)
            check(f"{answer.command}: words of a human",
                  "signature" not in answer.err and "file_" not in answer.err, answer)
    equal("nothing left behind", scree.listing(), before)


def test_json_of_failures(scree):
    """--json: one JSON document on standard output also when it fails."""
    scree.write("bad.yaml", BODIES.replace("1.25", "-1.25"))
    scree.write("empty.h5", "")
    for arguments in (["run", "bad.yaml"], ["check", "bad.yaml"], ["compare", "bad.yaml"],
                      ["run", "missing.yaml"], ["run", "--resume", "empty.h5"],
                      ["export", "empty.h5", "energy", "-o", "x.csv"],
                      ["plot", "empty.h5", "energy", "-o", "x.svg"], ["new", "nothing"]):
        answer = scree.expect(2, *arguments, "--json")
        document(answer)
        check(f"{answer.command}: the message is on standard error too", "error" in answer.err
              or "scree" in answer.err, answer)


if __name__ == "__main__":
    run_tests(globals())
