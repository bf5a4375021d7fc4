# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Words and numbers that stand for words in run files: as docs/run-file.md says, as the headers have
them, and as the command writes them."""
import os
import pathlib
import re
import subprocess

from harness import check, equal, run_tests, skip

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# what moreau and nscd do by themselves, and no scene may ask for
RULES_OF_SCHEMES = {("activation", "closed"), ("activation", "free-end"), ("jacobian", "middle")}
KEYS = {"activation": "scree_activation", "approach": "scree_approach", "jacobian": "scree_jacobian",
        "correction": "scree_correction"}


def enumerators(name):
    """The words of an enumeration of scree/step.h, without what all of them begin with."""
    text = re.sub(r"//.*", "", (ROOT / "include/scree/step.h").read_text())
    body = re.search(rf"typedef enum {name} {{(.*?)}} {name};", text, re.S).group(1)
    names = [entry.strip() for entry in body.split(",") if entry.strip()]
    check(f"{name} counts from 0 without jumps", not any("=" in entry for entry in names), names)
    begin = os.path.commonprefix(names)
    begin = begin[:begin.rindex("_") + 1]
    return [entry[len(begin):].lower().replace("_", "-") for entry in names]


def statuses():
    """Words of contacts/status in the order of their numbers, as they are documented."""
    text = (ROOT / "docs/run-file.md").read_text()
    row = re.search(r"^\| `status` \| (.*) \|$", text, re.M).group(1)
    pairs = [entry.split()[:2] for entry in row.split("; ")]
    equal("numbered from 0 on", [n for n, _ in pairs], [str(i) for i in range(len(pairs))])
    return [word.rstrip(",") for _, word in pairs]


def test_headers(_):
    """Numbers in files are those of the headers."""
    equal("statuses", statuses(), enumerators("scree_contact_status"))


def stored(path, attribute):
    """A word of the group options."""
    said = subprocess.run(["h5dump", "-a", f"/options/{attribute}", str(path)], capture_output=True,
                          text=True, check=True).stdout
    return re.search(r'\(0\): "([^"\\]*)', said).group(1)


def test_options(scree):
    """Every word of a scene is stored, and what auto became."""
    for key, enumeration in KEYS.items():
        for word in enumerators(enumeration):
            arguments = ["run", "bouncing-ball", "-q", "-o", "run.h5", "--set",
                         "scheme.duration=1e-3", "--set", f"scheme.{key}={word}"]
            if (key, word) in RULES_OF_SCHEMES:
                scree.expect(2, *arguments)
                continue
            scree.expect(0, *arguments)
            try:
                found = stored(scree.path("run.h5"), key)
                if word == "auto":
                    check(f"{key}: what auto became", found in enumerators(enumeration) and found != "auto", found)
                else:
                    equal(f"{key}: {word}", found, word)
            except FileNotFoundError:
                skip("words of a run file's options: h5dump (Debian's hdf5-tools) is not installed")
                return


def test_statuses(scree):
    """The command's table has the words."""
    words = statuses()
    seen = set()
    for scene, key in (("ball-in-bowl", "output.contacts=all"), ("box-on-incline", "output.every=1"),
                       ("sliding-incline", "output.every=1")):
        scree.expect(0, "run", scene, "-q", "-o", "run.h5", "--set", key, "--set", "scheme.duration=0.5")
        seen |= {row["status"] for row in scree.rows("run.h5", "contacts")}
    check("statuses of the table are words of the list", seen <= set(words), seen)
    check("most of them are seen", len(seen) >= 3, seen)


run_tests(globals())
