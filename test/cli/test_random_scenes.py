# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Random scenes of every kind (random_scenes.py): no certificate is broken, nothing sinks and is called good.

With SCREE_LONG=1 in the environment 200 scenes of up to 300 bodies for 5 s each, which takes an hour or two; without
it small ones for a moment.
"""

import os

import random_scenes
from harness import check, equal, run_tests

LONG = os.environ.get("SCREE_LONG") == "1"


def test_random_scenes(scree):
    """A table, with two columns that must be 0."""
    seeds, seconds, most, limit = (200, 5, 300, 600) if LONG else (30, 0.2, 20, 60)
    rows = []
    for seed in range(random_scenes.MORE, random_scenes.MORE + seeds):
        row = random_scenes.run_scene(scree.binary, seed, seconds, most, limit)
        rows.append(row)
        said = f"seed {row.seed} ({row.words}): {row}"
        check("every scene is one, and none crashes", row.status not in ("crash", "bad-input"), said)
        check("no energy is created where the theorem holds", not row.broken, said)
        check("a run that sank in is not called good", not row.green_and_sunk, said)
        check("the ledger closes", row.status != "ledger-broken", said)
        if LONG:
            random_scenes.print_row(row)
    random_scenes.print_table(rows)
    equal("all of them", len(rows), seeds)


def test_past_scenes(scree):
    """Scenes at their defaults, or nearly, that were refused or sank."""
    past = ((1069, 1, 30, "passes over turning bodies did not settle at 0.827 s"),
            (1100, 1, 30, "restitutions 1 and 0.54: 76 % of a body"),
            (229, 5, 60, "restitutions 1 and 0: 34 %"),
            (201, 5, 60, "in a drum, restitutions 1 and 0.4: 42 %"),
            (233, 5, 60, "in a drum, restitution 1: 44 %"),
            (7000, 5, 300, "rolling resistance, where nothing was pushed back: 2.7 %"),
            (7035, 5, 300, "the same: 4.2 %"))
    for seed, seconds, most, why in past:
        row = random_scenes.run_scene(scree.binary, seed, seconds, most, 60)
        said = f"seed {seed} ({why}): {row}"
        equal("it is good", row.verdict, "good")
        check("and certified", row.holds and row.created == 0, said)
        check("nothing sinks in", row.penetration < 0.01, said)


if __name__ == "__main__":
    run_tests(globals())
