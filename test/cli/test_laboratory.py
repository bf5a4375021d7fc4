# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""The course of docs/laboratory.md: every command in it runs and says what the document prints.

In the document a block ```sh holds commands. A block ```text behind it holds lines of their output in
order, with `...` for lines (or the rest of a line) left out and digits cut off. `# -> WORDS` behind a
command is what its output must contain, `# exit status N` how it ends, otherwise with 0. A block with a
file's name, as ```text three.dat, is that file. The numbers that the prose draws from formulas are
worked out here again.
"""

import csv
import math
import pathlib
import re
import shlex

from harness import check, equal, run_tests, table_of

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "laboratory.md"
FENCE = re.compile(r"^```(\w*) ?(.*)\n((?:.*\n)*?)```$", re.M)


# ---- the document ----


def blocks():
    """(language, file name, text) of each block."""
    return [match.groups() for match in FENCE.finditer(DOCUMENT.read_text(encoding="utf-8"))]


def commands(text):
    """(words, what the output must contain or None, exit status) of each command of a block."""
    for line in text.replace("\\\n", " ").splitlines():
        command, _, remark = line.partition(" # ")
        wanted = re.search(r"-> (.*)", remark)
        status = re.search(r"exit status (\d)", remark)
        yield (shlex.split(command), wanted and wanted.group(1),
               int(status.group(1)) if status else 0)


def tokens(line):
    """Words and numbers of a line."""
    return re.findall(r"[^\s,:()|]+", line)


def same(printed, said):
    """One token: a number to the digits that are printed, or the same word."""
    if printed == said:
        return True
    try:
        printed_value, said_value = float(printed), float(said)
    except ValueError:
        return False
    if "e" in printed:
        return math.isclose(printed_value, said_value, rel_tol=1e-3)
    unit = 10.0 ** -len(printed.partition(".")[2])
    return abs(printed_value - said_value) <= (unit if "." in printed else 1e-9)


def begins(printed, said):
    """Tokens of a printed line at the beginning of those of an output line."""
    return len(printed) <= len(said) and all(map(same, printed, said))


def contains(wanted, output):
    """Some line has the wanted tokens, one behind the other."""
    wanted = tokens(wanted)
    lines = [tokens(line) for line in output.splitlines()]
    return any(begins(wanted, line[at:]) for line in lines for at in range(len(line)))


def follow(printed, output):
    """The first printed line that is not in the output where it should be, or None."""
    said = [tokens(line) for line in output.splitlines()]
    at, skips = 0, False
    for line in printed.splitlines():
        if line == "...":
            skips = True
            continue
        rest = line.endswith("...")
        want = tokens(line[:-3] if rest else line)
        fits = [i for i in range(at, len(said) if skips else min(at + 1, len(said)))
                if begins(want, said[i]) and (rest or len(want) == len(said[i]))]
        if not fits:
            return line
        at, skips = fits[0] + 1, False
    return None if skips or at == len(said) else "(the end: more was said)"


# ---- the tests ----


def events(scree, run):
    """Rows of the table of events."""
    return table_of(scree.expect(0, "export", run, "events").out)[1]


def run_course(scree):
    """All blocks in order, in one folder; counts commands, printed blocks and arrows."""
    output, counts = "", {"commands": 0, "printed": 0, "arrows": 0}
    for language, name, text in blocks():
        if name:
            scree.write(name, text)
        elif language == "sh":
            output = ""
            for words, wanted, status in commands(text):
                equal(f"{' '.join(words)[:60]}: is a command", words[0], "scree")
                answer = scree.expect(status, *words[1:], timeout=300)
                output += answer.out
                counts["commands"] += 1
                if wanted:
                    counts["arrows"] += 1
                    check(f"{answer.command}: says {wanted}", contains(wanted, answer.out), answer)
        elif language == "text":
            counts["printed"] += 1
            missing = follow(text, output)
            check(f"printed and not said: {missing}", missing is None, output)
    return counts


def test_course(scree):
    """Commands, outputs and pictures."""
    counts = run_course(scree)
    check(f"the course was found: {counts}", counts["commands"] > 50 and counts["printed"] >= 9
          and counts["arrows"] > 20)
    images = re.findall(r"images/laboratory-([\w.-]+)\)", DOCUMENT.read_text(encoding="utf-8"))
    check(f"{len(images)} pictures", len(images) >= 15)
    for image in images:
        check(f"{image} is drawn by a command of the course", scree.path(image).is_file())
        stored = DOCUMENT.parent / "images" / f"laboratory-{image}"
        check(f"{stored.name} is stored and small", 0 < stored.stat().st_size < 160e3)
    lines = {name: len(list(csv.reader(scree.path(f"{name}.csv").open())))
             for name in ("calm", "thrown")}
    equal("exercise 9a: lines of the tables", lines, {"calm": 7759, "thrown": 6999})
    times = [float(row[0]) for row in events(scree, "belt.h5")[4:7]]
    for what, length, expected in (("stick", times[1] - times[0], 1.448790),
                                   ("slip", times[2] - times[1], 5.274566)):
        check(f"{what} on the belt: {length}", abs(length - expected) < 1e-6)
    equal("exercise 4c: no stick", [row[2] for row in events(scree, "level.h5")],
          ["touch", "slip-minus"])


def printed_as(digits, value):
    """Whether a number was rounded to these digits."""
    mantissa, _, power = digits.partition("e")
    unit = 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))
    return abs(float(digits) - value) <= 0.5001 * unit


def test_formulas(_scree):
    """Numbers that the prose has from formulas."""
    text = DOCUMENT.read_text(encoding="utf-8")
    rate = math.sqrt(0.5)
    angles = [math.atan((6 + sign * math.sqrt(36 - 16)) / 2) for sign in (-1, 1)]
    height = 2 / 3 * math.sin(math.radians(65))
    exact = (3.00055068214986, 0.03318223996196)
    for digits, value in (
            ("0.7071", rate), ("7.9831", math.asinh(2 * rate / 0.01) / rate),
            ("14.4958", math.asinh(2 * rate / 1e-4) / rate), ("6.5", math.log(100) / rate),
            ("1.28255", math.pi / 2 / math.sqrt(1.5)), ("2.22144", math.pi / 2 / rate),
            ("3.50399", math.pi / 2 / math.sqrt(1.5) + math.pi / 2 / rate),
            ("7.0036", math.sqrt(9.81 / 0.2)), ("37.377", math.degrees(angles[0])),
            ("79.188", math.degrees(angles[1])), ("0.6524", angles[0]), ("1.3821", angles[1]),
            ("4.8e-4", math.dist(exact, (3.00056674286, 0.0336625091656))),
            ("2.4e-4", math.dist(exact, (3.00055868168, 0.0334223165321))),
            ("1.3229", math.sqrt(4 - 2.25)), ("1.3154", math.hypot(0.154799507145, 1.30625657533)),
            ("59 %", 100 * (0.0368003666 / 0.0231814109 - 1)),
            ("0.0327", 0.5 * -0.244596591 * -0.267174343),
            ("3.4 times", 0.0796913597 / 0.0231814109), ("37.2", math.degrees(math.asin(height))),
            ("2.37595", math.sqrt(3 * 9.81 * height / 2 * (1 - height * height)))):
        check(f"{digits} stands in the document", digits in text)
        check(f"{digits} is {value}", printed_as(digits.split()[0], value))


run_tests(globals())
