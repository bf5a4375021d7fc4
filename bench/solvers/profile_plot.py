# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""profile_plot.py - performance profiles as SVG.

in: for each tolerance, seconds by solver and problem (None: not solved).   out: SVG text.

A solver's curve at x is the share of problems that it solves within x times the time of whoever is
fastest there. Its height at x = 1 says how often it wins, at the right how much it solves at all.
"""

import math

WIDE, HIGH, GAP = 340, 300, 44  # one panel
LEFT, TOP, LEGEND = 56, 46, 24
DECADES = 4  # x from 1 to 10^4

COLOURS = {"auto": "#c0392b"}
SCREE = ("#1f6f8b", "#2e9e5b", "#7d5ba6", "#d08a1d", "#3b5bdb", "#0b7a75", "#a83279", "#5c7f1a",
         "#b5651d", "#4b4b9f")
SICONOS = ("#111111", "#555555", "#888888", "#aaaaaa", "#333333", "#777777")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 2")


def style(label, order):
    """Colour, width, dashes: scree in colours, auto thick, Siconos in greys with dashes."""
    side, name = label.split(" ", 1)
    if side == "scree":
        return COLOURS.get(name, SCREE[order % len(SCREE)]), 3.2 if name == "auto" else 1.5, ""
    return SICONOS[order % len(SICONOS)], 1.7, DASHES[order % len(DASHES)]


def factors(lines):
    """Each solver's times over the fastest, sorted; unsolved ones left out."""
    columns = zip(*lines.values())
    best = [min((t for t in column if t), default=None) for column in columns]
    return {label: sorted(t / b for t, b in zip(row, best) if t) for label, row in lines.items()}


def steps(values, total, x0, y0):
    """The staircase of one solver as path commands."""
    def place(factor, count):
        x = x0 + WIDE * min(math.log10(factor) / DECADES, 1)
        return x, y0 + HIGH * (1 - count / total)

    path, count = [], 0
    for factor in (value for value in values if value <= 10 ** DECADES):
        x, y = place(factor, count)
        path.append(f"{'L' if path else 'M'}{x:.1f} {y:.1f}")
        count += 1
        path.append(f"L{x:.1f} {place(factor, count)[1]:.1f}")
    if path:
        path.append(f"L{x0 + WIDE:.1f} {place(1, count)[1]:.1f}")
    return " ".join(path)


def frame(title, x0, y0, first):
    out = [f'<rect x="{x0}" y="{y0}" width="{WIDE}" height="{HIGH}" fill="white" stroke="#999"/>',
           f'<text x="{x0 + WIDE / 2}" y="{y0 - 12}" text-anchor="middle" class="title">'
           f"residual {title}</text>"]
    for decade in range(DECADES + 1):
        x = x0 + WIDE * decade / DECADES
        out.append(f'<path d="M{x:.1f} {y0}V{y0 + HIGH}" class="grid"/>')
        out.append(f'<text x="{x:.1f}" y="{y0 + HIGH + 17}" text-anchor="middle">'
                   f"{10 ** decade:,}</text>".replace(",", "\u2009"))
    for part in range(6):
        y = y0 + HIGH * (1 - part / 5)
        out.append(f'<path d="M{x0} {y:.1f}H{x0 + WIDE}" class="grid"/>')
        if first:
            out.append(f'<text x="{x0 - 8}" y="{y + 4:.1f}" text-anchor="end">{20 * part} %</text>')
    return out


def legend(labels, styles, y0):
    """Five to a row, scree first."""
    out, columns = [], 5
    width = (3 * WIDE + 2 * GAP) / columns
    for place, label in enumerate(labels):
        colour, thick, dash = styles[label]
        x, y = LEFT + width * (place % columns), y0 + LEGEND * (place // columns)
        out.append(f'<path d="M{x:.0f} {y}h30" stroke="{colour}" stroke-width="{thick}" '
                   f'stroke-dasharray="{dash}" fill="none"/>'
                   f'<text x="{x + 38:.0f}" y="{y + 4}">{label}</text>')
    return out, y0 + LEGEND * ((len(labels) - 1) // columns + 1)


def draw(panels, total):
    labels = sorted({label for _, lines in panels for label in lines},
                    key=lambda label: (not label.startswith("scree"), label != "scree auto", label))
    scree = [label for label in labels if label.startswith("scree")]
    styles = {label: style(label, (scree if label in scree else labels[len(scree):]).index(label))
              for label in labels}
    body = []
    for place, (title, lines) in enumerate(panels):
        x0 = LEFT + place * (WIDE + GAP)
        body += frame(title, x0, TOP, place == 0)
        curves = factors(lines)
        # auto last: on top of the others
        for label in sorted(curves, key=lambda name: (name == "scree auto", name)):
            colour, thick, dash = styles[label]
            body.append(f'<path d="{steps(curves[label], total, x0, TOP)}" stroke="{colour}" '
                        f'stroke-width="{thick}" stroke-dasharray="{dash}" fill="none" '
                        'stroke-linejoin="round"/>')
    width, y = LEFT + 3 * WIDE + 2 * GAP + 20, TOP + HIGH + 40
    body.append(f'<text x="{LEFT + (3 * WIDE + 2 * GAP) / 2}" y="{y}" text-anchor="middle">'
                f"time over that of the fastest solver; share of {total} problems solved</text>")
    rows, bottom = legend(labels, styles, y + 28)
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{bottom + 6}" '
            f'viewBox="0 0 {width} {bottom + 6}" font-family="sans-serif" font-size="12">'
            "<style>.grid{stroke:#ddd;stroke-width:.7;fill:none}.title{font-weight:bold}</style>"
            f'<rect width="{width}" height="{bottom + 6}" fill="white"/>')
    return "\n".join([head, *body, *rows, "</svg>", ""])
