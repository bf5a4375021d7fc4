# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""The scene language as editors see it: every built-in scene, read with PyYAML, fits the JSON Schema; wrong ones do not."""

import json
import os
import subprocess
import sys

from harness import check, equal, run_tests, skip

SYSTEM = "/usr/bin/python3"
try:
    import jsonschema
    import yaml
except ImportError:
    jsonschema = None
    if sys.executable != SYSTEM and not subprocess.run(
            [SYSTEM, "-c", "import jsonschema, yaml"], check=False, capture_output=True).returncode:
        os.execv(SYSTEM, [SYSTEM, "-B", *sys.argv])

WRONG = (
    ("gravty: [0, -9.81]", "a key that nobody knows"),
    ("bodies: [{name: a, mass: heavy, fixd: true}]", "a key of a body that nobody knows"),
    ("bodies: [{name: a, fixed: 3}]", "a number where a flag stands"),
    ("scheme: {step: 1e-3, duration: 1, name: euler}", "a scheme that does not exist"),
    ("bodies: {name: a}", "a map where a list stands"),
)


def test_builtin_scenes(scree):
    """Each of them, as scree new writes it out."""
    if not jsonschema:
        skip("no jsonschema, no PyYAML")
        return
    schema = json.loads(scree.expect(0, "schema").out)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    names = scree.expect(0, "scenes", "--names").out.split()
    check("there are scenes", len(names) > 30, names)
    for name in names:
        scree.expect(0, "new", name, "-o", "x.yaml", "--force")
        mistakes = [error.message for error in validator.iter_errors(yaml.safe_load(scree.path("x.yaml").read_text()))]
        check(f"{name} fits the schema", not mistakes, mistakes)
    fine = "bodies: [{name: a, fixed: true}]\nscheme: {step: 0.1, duration: 1}\n"
    equal("a small scene fits", list(validator.iter_errors(yaml.safe_load(fine))), [])
    for text, what in WRONG:
        whole = yaml.safe_load(fine) | yaml.safe_load(text)
        check(f"{what} does not fit", any(validator.iter_errors(whole)), whole)


def test_line_for_editors(scree):
    """The first line of a new scene names a schema that is there, and is what scree schema prints."""
    scree.expect(0, "new", "bouncing-ball")
    first = scree.path("bouncing-ball.yaml").read_text().splitlines()[0]
    mark = "# yaml-language-server: $schema="
    if check("the line", first.startswith(mark), first) and os.path.isabs(first[len(mark):]):
        with open(first[len(mark):], encoding="utf-8") as file:
            equal("the schema beside the command", json.load(file), json.loads(scree.expect(0, "schema").out))
    scree.expect(0, "check", "bouncing-ball.yaml")


def test_old_key(scree):
    """`on` of conditions of elastic bodies is still read; both names at once are a mistake; --set takes either."""
    scene = """elastic:
  - {{name: a, density: 1, young: 1e3, poisson: 0.2, mesh: {{rectangle: {{size: [1, 1], cells: [1, 1]}}}},
     held: [{{{}, x: 0, y: 0}}]}}
scheme: {{step: 0.1, duration: 0.1}}
"""
    for key in ("on: left", "group: left"):
        scree.write("x.yaml", scene.format(key))
        scree.expect(0, "check", "x.yaml")
        for name in ("on", "group"):
            answer = scree.expect(2, "check", "x.yaml", "--set", f"elastic.a.held.0.{name}=nowhere")
            check("the override counts", "nowhere" in answer.err, answer)
    scree.write("x.yaml", scene.format("on: left, group: left"))
    check("both are too much", '"on"' in scree.expect(2, "check", "x.yaml").err)


if __name__ == "__main__":
    run_tests(globals())
