# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tutorials and how-to pages do what they say: their scenes are written out, their commands are run in order."""

import pathlib
import re
import shlex

from harness import check, run_tests

DOCS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs"
BLOCK = re.compile(r"^```(yaml|sh)\n(.*?)^```$", re.M | re.S)


def play(scree, page):
    """Every block of a page."""
    blocks = BLOCK.findall(page.read_text())
    check(f"{page.name} has commands", any(kind == "sh" for kind, _ in blocks), blocks)
    for kind, text in blocks:
        if kind == "yaml":
            name = re.match(r"# (\S+\.yaml)\n", text)
            if check(f"{page.name}: a scene begins with its name", name, text[:60]):
                scree.write(name.group(1), text)
            continue
        for line in text.splitlines():
            words = shlex.split(line)
            check(f"{page.name}: `{line}` is a command of ours", words[0] == "scree", line)
            scree.expect(0, *words[1:])


def test_shell(scree):
    """Ten minutes in the shell."""
    play(scree, DOCS / "shell.md")


def test_howto(scree):
    """How-to pages, each in the folder of the one before: names do not clash."""
    pages = sorted((DOCS / "howto").glob("*.md"))
    check("there are pages", len(pages) >= 5, pages)
    for page in pages:
        play(scree, page)


if __name__ == "__main__":
    run_tests(globals())
