# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Units that a scene names: words follow, numbers stay."""

import re

from harness import check, equal, run_tests, table_of

SCENE = """
title: units
gravity: [0, -10]
bodies:
  - {name: ground, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}
  - {name: disc, mass: 2, inertia: 0.1, position: [0, 0.3], shapes: [{type: disc, radius: 0.1}]}
laws: [{friction: 0.3}]
scheme: {step: 5e-3, duration: 0.4}
"""
SMALL = "units: {length: mm, time: ms, mass: g}\n" + SCENE
HEADERS = {
    "energy": ["step", "time [ms]", "kinetic [mJ]"],
    "bodies": ["step", "time [ms]", "body", "x [mm]", "y [mm]", "angle [rad]", "vx [mm/ms]",
               "vy [mm/ms]", "omega [rad/ms]"],
    "contacts": ["step", "time [ms]", "contact", "a", "b", "gap [mm]", "un_before [mm/ms]",
                 "ut_before [mm/ms]", "un_after [mm/ms]", "ut_after [mm/ms]", "pn [N ms]",
                 "pt [N ms]", "work_n [mJ]", "work_t [mJ]", "status"],
}


def both(scree):
    """The same scene without and with units."""
    scree.write("plain.yaml", SCENE)
    scree.write("small.yaml", SMALL)
    return [scree.json("run", f"{name}.yaml", "-o", f"{name}.h5") for name in ("plain", "small")]


def test_words_follow_and_numbers_stay(scree):
    """Summaries, tables, figures and the page."""
    plain, small = both(scree)
    equal("SI", plain["units"], {"length": "m", "time": "s", "mass": "kg"})
    equal("its own", small["units"], {"length": "mm", "time": "ms", "mass": "g"})
    equal("the same ledger", plain["ledger"], small["ledger"])
    for table, header in HEADERS.items():
        old, before = table_of(scree.expect(0, "export", "plain.h5", table).out)
        new, after = table_of(scree.expect(0, "export", "small.h5", table).out)
        equal(f"{table}: names", new[:len(header)], header)
        equal(f"{table}: the same names", [re.sub(r" \[.*", "", name) for name in new], old)
        equal(f"{table}: the same numbers", before, after)
        told = scree.json("export", "small.h5", table)
        equal(f"{table}: plain names in a document", told["columns"], old)
        equal(f"{table}: units beside them", [f"{n} [{u}]" if u else n for n, u in
                                              zip(told["columns"], told["units"])], new)
    said = scree.expect(0, "run", "small.yaml", "-o", "x.h5").out
    check("the summary", "mJ at the start" in said and "t = 0.4 ms" in said and " J" not in said, said)
    said = scree.expect(0, "check", "small.yaml").out
    check("the forecast", "mm/ms" in said and " m/s" not in said, said)
    said = scree.expect(0, "compare", "small.yaml").out
    check("the comparison", "[mJ]" in said and "[J]" not in said, said)


def test_documents_keep_identities(scree):
    """A contact's identity has more digits than a number keeps."""
    both(scree)
    header, rows = table_of(scree.expect(0, "export", "plain.h5", "contacts").out)
    told = scree.json("export", "plain.h5", "contacts")
    column = header.index("contact")
    equal("as it is in the table", [row[column] for row in told["rows"]], [row[column] for row in rows])


def test_figures(scree):
    """Charts and pictures are other ones, and a page says its units."""
    both(scree)
    for what in ("energy", "bodies", "overview"):
        pictures = []
        for name in ("plain", "small"):
            scree.expect(0, "plot", f"{name}.h5", what, "-o", "figure.png")
            pictures.append(scree.path("figure.png").read_bytes())
        check(f"{what}: labels differ", pictures[0] != pictures[1])
    scree.expect(0, "show", "small.h5", "--html", "page.html")
    check("the page", '"J":"mJ"' in scree.path("page.html").read_text())


def test_overrides_and_mistakes(scree):
    """--set names units, and what is no unit is refused with those that are."""
    scree.write("plain.yaml", SCENE)
    scree.expect(0, "run", "plain.yaml", "--set", "units.length=cm", "-o", "cm.h5", "--quiet")
    check("stored with the run", "gap [cm]" in scree.expect(0, "export", "cm.h5", "contacts").out)
    said = scree.expect(2, "check", "plain.yaml", "--set", "units.length=inch").err
    check("it lists them", "mm" in said and "inch" in said, said)


run_tests(globals())
