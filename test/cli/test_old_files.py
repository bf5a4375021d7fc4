# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Run files of before: they are read, and a run that was stopped goes on in them.

past/format-3-*.h5.gz were stopped after one step, with contacts of shapes, of a chain and of nodes
of an elastic body that have identities of 64 bits. They go on as a run of today does, and every
contact is found again. What differs is the first step, whose quadrilaterals did not bend as those of
today do: by less than a millionth of a joule.
"""

import gzip
import pathlib

from harness import check, equal, run_tests

PAST = pathlib.Path(__file__).resolve().parent / "past"


def contacts(scree, run):
    """Names and identities of the contacts of each stored step."""
    found = {}
    for row in scree.rows(run, "contacts"):
        found.setdefault(row["step"], []).append((row["a"], row["b"], row["contact"], row["status"]))
    return found


def go_on(scree, precision):
    """Resume a stopped run of format 3 and hold it against one of today."""
    name = f"format-3-{precision}.h5"
    scree.write(name, gzip.decompress((PAST / f"{name}.gz").read_bytes()))
    before = contacts(scree, name)
    equal(f"{name}: contacts of the step that was kept", len(before[1]), 8)
    summary = scree.json("run", "--resume", name)
    equal(f"{name}: steps", summary["steps"], 4000)
    scree.write("scene.yaml", scene_of(scree, name))
    scree.expect(0, "run", "scene.yaml", "-o", "new.h5")
    old, new = contacts(scree, name), contacts(scree, "new.h5")
    equal(f"{name}: contacts", old, new)
    equal(f"{name}: a contact keeps its identity", {c[:3] for c in before[1]},
          {c[:3] for c in new[4000]})
    energy = [[row["kinetic"] for row in scree.rows(run, "energy")] for run in (name, "new.h5")]
    apart = max(abs(one - two) for one, two in zip(*energy))
    check(f"{name}: kinetic energies", len(energy[0]) == 4001 and apart <= 1e-6, apart)


def scene_of(scree, run):
    """The scene that a run file holds."""
    text = scree.path(run).read_bytes()
    begin = text.index(b"title: before identities")
    return text[begin:text.index(b"compression: 9}", begin)] + b"compression: 9}\n"


def test_double(scree):
    """Every digit is stored."""
    go_on(scree, "double")


def test_single(scree):
    """States are rounded, the last one is kept apart."""
    go_on(scree, "single")


if __name__ == "__main__":
    run_tests(globals())
