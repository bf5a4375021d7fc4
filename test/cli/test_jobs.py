# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""The scenes of bench/jobs and bench/stacks, small: they run to their ends at the default settings.

Every step solved, the energy ledger closed, no energy created. With SCREE_LONG=1 in the environment
the jobs go on for their whole time. The scenes as they are, of thousands of bodies, are only checked.
"""

import json
import os
import pathlib

from harness import check, equal, run_tests

LONG = os.environ.get("SCREE_LONG") == "1"
BENCH = pathlib.Path(__file__).resolve().parent.parent.parent / "bench"

# what makes a job small, and how long it goes on in a short test
JOBS = {
    "silo-plane": (["parameters.N=60"], 0.7),
    "silo-polygons": (["parameters.N=40"], 0.7),
    "silo-space": (["parameters.N=100"], 0.03),
    "drum": (["parameters.N=60"], 0.1),
    "brick-wall": (["parameters.bricks=5", "parameters.courses=5"], 0.12),
    "bridge": ([], 0.04),
    "rocks": (["parameters.N=10"], 1),
    "shaken-boxes": (["parameters.n=3"], 0.2),
    "dry-stone-wall": (["parameters.courses=5"], 0.8),
    "house": (["parameters.courses=2"], 0.05),
    "column-collapse": (["parameters.N=80"], 0.05),
    "cradle": ([], 3),
    "dominoes": (["parameters.N=8"], 0.3),
    "pile": (["parameters.N=50"], 0.15),
}
STACKS = ("column", "arch", "wall-plane", "wall-space", "tower")


def scenes_of(folder):
    return {path.stem: path for path in sorted((BENCH / folder).glob("*.yaml"))}


def run(scree, path, overrides):
    sets = [word for value in overrides for word in ("--set", value)]
    answer = scree("run", str(path), "--no-store", "--json", *sets)
    found = json.loads(answer.out)
    what = path.stem
    equal(f"{what}: status ({found.get('message')})", found["status"], "done")
    ledger = found["ledger"]
    check(f"{what}: the ledger closes", ledger["residual_over_bound_max"] <= 1, ledger)
    return found


def test_jobs_run_at_their_defaults(scree):
    scenes = scenes_of("jobs")
    equal("all jobs are tried", sorted(scenes), sorted(JOBS))
    for name, (small, duration) in JOBS.items():
        text = scenes[name].read_text(encoding="utf-8")
        check(f"{name}: nothing but step and duration", "solver:" not in text and
              all(key not in text for key in ("theta", "approach", "activation", "tolerance")))
        found = run(scree, scenes[name], small if LONG else [*small, f"scheme.duration={duration}"])
        equal(f"{name}: energy created", found["ledger"]["energy_created"], 0)


def test_full_sizes_are_read(scree):
    for name, path in scenes_of("jobs").items():
        equal(f"{name}: {path} is fine", scree("check", str(path)).status, 0)


def test_stacks_stand(scree):
    for name, path in scenes_of("stacks").items():
        equal(f"{name}: {path} is fine", scree("check", str(path)).status, 0)
        if name in STACKS:
            run(scree, path, ["parameters.N=12"])


run_tests(globals())
