# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""How far it is: one line on a terminal, one line in a notebook, or a function of the user's."""
from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

QUIET = 1.0  # seconds before anything is shown
WIDTH = 24


def notebook() -> bool:
    """Does a notebook show what is displayed?"""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"


class Bar:
    """Called with the number of steps done; `end` takes it away."""

    def __init__(self, what: str, total: int, show: Callable[[str], Any], clear: Callable[[], Any], quiet: float):
        self.what, self.total, self.show, self.clear = what, total, show, clear
        self.start = time.monotonic()
        self.quiet = quiet
        self.shown = False

    @classmethod
    def choose(cls, progress: Any, what: str, total: int) -> Any:
        """The bar that `progress` asks for: None where none is wanted."""
        if progress is False or (progress is None and not notebook() and not sys.stderr.isatty()):
            return None
        if callable(progress):
            return Told(progress, total)
        quiet = 0 if progress else QUIET
        if notebook():
            cell = Cell()
            return cls(what, total, cell, lambda: cell(""), quiet)
        return cls(what, total, write, lambda: write(""), quiet)

    def __call__(self, done: int) -> None:
        seconds = time.monotonic() - self.start
        if seconds < self.quiet:
            return
        share = done / max(self.total, 1)
        filled = int(WIDTH * min(share, 1))
        left = seconds * (1 - share) / share if share > 0 else 0
        self.show(f"{self.what} [{'#' * filled}{'.' * (WIDTH - filled)}] {100 * share:5.1f} %, {left:.0f} s left")
        self.shown = True

    def end(self) -> None:
        if self.shown:
            self.clear()


class Told:
    """A function of the user's, as a bar."""

    def __init__(self, function: Callable[[int, int], Any], total: int):
        self.function, self.total = function, total

    def __call__(self, done: int) -> None:
        self.function(done, self.total)

    def end(self) -> None:
        pass


class Cell:
    """One line below the cell of a notebook that is being executed, from the first time it is shown."""

    handle: Any = None

    def __call__(self, line: str) -> None:
        if self.handle is None:
            from IPython.display import display
            self.handle = display(Line(line), display_id=True)
        else:
            self.handle.update(Line(line))


class Line(str):
    """A line that notebooks show without quotes."""

    def __repr__(self) -> str:
        return str(self)


def write(line: str) -> None:
    sys.stderr.write("\r" + line.ljust(79) + ("" if line else "\r"))
    sys.stderr.flush()
