# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""report.py - what bench/solvers/run measured, as tables, a plot and one figure.

in: bench/results/raw/*.json.   out: bench/results/solvers.md, solvers.csv, solvers-profile.svg.
"""

import csv
import glob
import json
import math
import os
import platform
import subprocess
import sys

import profile_plot

TOLERANCES = ("1e-04", "1e-08", "1e-10")
LIMIT = 20.0  # seconds; what a solver that fails is charged with where it must be charged
OPEN = "RockPile_tob1"  # no solver of Siconos comes near 1e-8 here

FAMILIES = {  # first word of a Siconos solver's name: what the plot calls it
    "NSGS": "NSGS", "NSN_AC": "Newton AC", "NSN_AC_TEST": "Newton AC", "PROX": "PROX",
    "ADMM": "ADMM", "EG": "projections", "FPP": "projections", "VI_EG": "projections",
    "VI_FPP": "projections", "HP": "projections", "DSFP": "projections",
}


# ---- reading the records -----------------------------------------------------------------------


def siconos_times(record, tolerance):
    """Solver: its result, for all that the judge was content with and the clock has seen: below its
    resolution Siconos reports 0 s, which is no time."""
    return {name: result["times"][tolerance] for name, result in record["siconos"].items()
            if result["times"].get(tolerance, {}).get("seconds", 0) > 0}


def best_siconos(record, tolerance):
    times = siconos_times(record, tolerance)
    return min(times.items(), key=lambda item: item[1]["seconds"]) if times else None


def scree_times(record, tolerance):
    found = {name: result.get(tolerance, {}) for name, result in record["scree"].items()}
    return {name: result for name, result in found.items() if result.get("solved")}


def best_scree(record, tolerance):
    """The fastest solver that is not auto."""
    times = [item for item in scree_times(record, tolerance).items() if item[0] != "auto"]
    return min(times, key=lambda item: item[1]["seconds"]) if times else None


def ratio(record, tolerance):
    """Best Siconos time over auto's; auto is charged with the limit where it fails alone."""
    rival, mine = best_siconos(record, tolerance), scree_times(record, tolerance).get("auto")
    if not rival or not record["scree"].get("auto"):
        return None
    return rival[1]["seconds"] / (mine["seconds"] if mine else LIMIT)


def mean(values):
    values = [value for value in values if value]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def reached(record, name):
    """The smallest residual that one of scree's solvers came to, at any tolerance."""
    return min((result["residual"] for result in record["scree"][name].values()
                if "residual" in result), default=float("nan"))


def load(folder):
    records = []
    for path in glob.glob(os.path.join(folder, "raw", "*.json")):
        with open(path, encoding="utf-8") as file:
            records.append(json.load(file))
    records = [record for record in records if record["contacts"] > 0]
    return sorted(records, key=lambda record: (record["contacts"], record["name"]))


# ---- words -------------------------------------------------------------------------------------


def duration(seconds):
    if seconds is None:
        return "-"
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def line(record):
    """One problem at 1e-8, for the progress."""
    text = f"{record['name']} ({record['contacts']})"
    rival = best_siconos(record, "1e-08")
    mine = scree_times(record, "1e-08").get("auto")
    text += f": Siconos {rival[0]} {duration(rival[1]['seconds'])}" if rival else ": Siconos none"
    return text + (f", auto {duration(mine['seconds'])} by {mine['engine']}" if mine else "")


def table(header, rows):
    align = ["---" if k == 0 else "---:" if key.endswith(":") else "---"
             for k, key in enumerate(header)]
    lines = ["| " + " | ".join(key.rstrip(":") for key in header) + " |",
             "|" + "|".join(align) + "|"]
    return lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows] + [""]


def command_line(*command):
    try:
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return done.stdout.strip().split("\n")[0]
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [text.split(":", 1)[1].strip() for text in file if text.startswith("model name")]
    return f"{models[0] if models else platform.machine()}, {os.cpu_count()} cores"


def machine():
    version = ("dpkg-query", "-W", "-f=${Version}")
    return [f"- processor: {processor()}, one thread used by either side",
            f"- system: {platform.system()} {platform.release()}, {platform.machine()}",
            f"- compiler: {command_line(os.environ.get('CC', 'cc'), '--version')}",
            f"- Siconos: {command_line(*version, 'libsiconos-numerics7')}, "
            f"OpenBLAS {command_line(*version, 'libopenblas0-pthread')}, "
            f"MUMPS {command_line(*version, 'libmumps-seq-5.5')}, Debian's builds",
            f"- Python {platform.python_version()} (not in the timed part)", ""]


# ---- tables ------------------------------------------------------------------------------------


def problem_rows(records, tolerance):
    for record in records:
        rival, own = best_siconos(record, tolerance), best_scree(record, tolerance)
        mine, factor = scree_times(record, tolerance).get("auto"), ratio(record, tolerance)
        star = " *" if record["zero"] <= float(tolerance) else ""
        yield (record["name"] + star, record["contacts"], rival[0] if rival else "none",
               duration(rival[1]["seconds"]) if rival else "-",
               duration(mine["seconds"]) if mine else "fails", mine["engine"] if mine else "-",
               f"{factor:.3g}" if factor else "-", own[0] if own else "none",
               duration(own[1]["seconds"]) if own else "-")


def problem_table(records, tolerance):
    header = ("problem", "contacts:", "best Siconos", "time:", "auto:", "engine", "ratio:",
              "best single solver of scree", "time:")
    return table(header, problem_rows(records, tolerance))


def figure_rows(records):
    groups = (("all problems", lambda record, _: True),
              ("where r = 0 does not do", lambda record, t: record["zero"] > float(t)),
              ("of these, 20 contacts and more",
               lambda record, t: record["zero"] > float(t) and record["contacts"] >= 20))
    for label, wanted in groups:
        row = [label]
        for tolerance in TOLERANCES:
            values = [ratio(record, tolerance) for record in records if wanted(record, tolerance)]
            row.append(f"{mean(values):.3g} ({sum(value is not None for value in values)})")
        yield row


def names(records, side):
    found = {}
    for record in records:
        for name in record[side]:
            found.setdefault(name.removesuffix(" (dense)"), None)
    return list(found)


def solver_times(record, side, name, tolerance):
    """Seconds of a solver on a problem, the better storage for Siconos; None if it fails."""
    times = (siconos_times if side == "siconos" else scree_times)(record, tolerance)
    found = [times[key]["seconds"] for key in (name, name + " (dense)") if key in times]
    return min(found, default=None)


def tried(record, side, name):
    return any(key in record[side] for key in (name, name + " (dense)"))


def solver_rows(records, side):
    for name in names(records, side):
        mine = [record for record in records if tried(record, side, name)]
        row = [name, len(mine)]
        for tolerance in TOLERANCES:
            times = [(solver_times(record, side, name, tolerance),
                      solver_times(record, "scree", "auto", tolerance)) for record in mine]
            factors = [seconds / auto for seconds, auto in times if seconds and auto]
            row += [sum(seconds is not None for seconds, _ in times),
                    f"{mean(factors):.3g}" if factors else "-"]
        yield row


def solver_table(records, side):
    header = ["solver", "problems:"]
    for tolerance in TOLERANCES:
        header += [f"solves at {float(tolerance):.0e}:", "over auto:"]
    return table(header, solver_rows(records, side))


def failure_rows(records):
    """What scree's solvers do not solve at 1e-8, and how far they came."""
    for record in records:
        missing = [f"{name} ({reached(record, name):.0e})" for name in record["scree"]
                   if name not in scree_times(record, "1e-08")
                   and not math.isnan(reached(record, name))]
        rivals = len({name.removesuffix(" (dense)") for name in siconos_times(record, "1e-08")})
        yield (record["name"], ", ".join(missing) or "-",
               f"{rivals} of {len({name.removesuffix(' (dense)') for name in record['siconos']})}")


def open_rows(records):
    for record in (record for record in records if record["name"] == OPEN):
        found = [(reached(record, name), "scree " + name) for name in record["scree"]]
        found += [(result["reached"] or math.inf, "Siconos " + name)
                  for name, result in record["siconos"].items()]
        for value, name in sorted(item for item in found if not math.isnan(item[0])):
            side, solver = name.split(" ", 1)
            times = (scree_times if side == "scree" else siconos_times)(record, TOLERANCES[0])
            yield name, f"{value:.1e}", duration(times.get(solver, {}).get("seconds"))


# ---- files -------------------------------------------------------------------------------------


def markdown(records):
    text = ["<!-- SPDX-FileCopyrightText: The scree authors -->",
            "<!-- SPDX-License-Identifier: BSD-3-Clause -->", "",
            "# Solvers of scree beside those of Siconos", "",
            "Written by `bench/solvers/run`; what was measured and how is in "
            "[../README.md](../README.md).", "", *machine(),
            "Geometric mean of (time of the best Siconos solver / time of `auto`), with the number "
            "of problems in it:", ""]
    text += table(("problems", "1e-4:", "1e-8:", "1e-10:"), figure_rows(records))
    text += ["Where no Siconos solver reaches the tolerance there is no ratio; where only `auto` "
             f"fails it is charged with {LIMIT:g} s.", "",
             "![performance profiles](solvers-profile.svg)", ""]
    for tolerance in TOLERANCES:
        text += [f"## Residual {float(tolerance):.0e}", ""]
        text += problem_table(records, tolerance)
    text += ["\\* r = 0 is already below the tolerance.", "",
             "## Each solver", "",
             "`over auto`: geometric mean, over the problems that both solve, of its time over "
             "`auto`'s. The last five of Siconos are its planar ones.", "", "### scree", ""]
    text += solver_table(records, "scree")
    text += ["### Siconos", ""] + solver_table(records, "siconos")
    text += ["## Not solved at 1e-8", "",
             "Solvers of scree that miss 1e-8, with the residual they reach (a solver that refuses "
             "the problem is not listed), and how many of Siconos' solvers make it.", ""]
    text += table(("problem", "scree misses", "Siconos solves"), failure_rows(records))
    text += [f"## {OPEN}: the residual that each reaches", ""]
    text += table(("solver", "residual:", "time to 1e-4:"), open_rows(records))
    return "\n".join(text)


def csv_rows(records):
    """A row for each tolerance reached, and one for the first that is not."""
    yield ("problem", "dimension", "contacts", "side", "solver", "tolerance", "solved", "seconds",
           "residual", "iterations", "remark")
    for record in records:
        head = (record["name"], record["dimension"], record["contacts"])
        for name, result in record["siconos"].items():
            for tolerance in TOLERANCES:
                time = result["times"].get(tolerance)
                if not time:
                    yield (*head, "siconos", name, tolerance, 0, "", result["reached"], "",
                           result["end"] or "gave up")
                    break
                yield (*head, "siconos", name, tolerance, 1, f"{time['seconds']:.4g}",
                       f"{time['residual']:.3e}",
                       time["iterations"], "")
        for name, result in record["scree"].items():
            for tolerance, time in result.items():
                yield (*head, "scree", name, tolerance, int(bool(time.get("solved"))),
                       time.get("seconds"), time.get("residual"), time.get("iterations"),
                       time.get("refused") or time["reason"])


def profile_lines(records, tolerance):
    """Label: seconds on each problem (None: not solved), Siconos' solvers by family."""
    lines = {}
    for name in names(records, "scree"):
        lines["scree " + name] = [solver_times(record, "scree", name, tolerance)
                                  for record in records]
    for place, record in enumerate(records):
        for name, result in siconos_times(record, tolerance).items():
            label = "Siconos " + FAMILIES.get(name.split(" ")[0], "others")
            row = lines.setdefault(label, [None] * len(records))
            row[place] = min(row[place] or math.inf, result["seconds"])
    return lines


def write(folder):
    records = load(folder)
    with open(os.path.join(folder, "solvers.md"), "w", encoding="utf-8") as file:
        file.write(markdown(records))
    with open(os.path.join(folder, "solvers.csv"), "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(csv_rows(records))
    panels = [(f"{float(t):.0e}", profile_lines(records, t)) for t in TOLERANCES]
    with open(os.path.join(folder, "solvers-profile.svg"), "w", encoding="utf-8") as file:
        file.write(profile_plot.draw(panels, len(records)))


if __name__ == "__main__":
    write(sys.argv[1])
