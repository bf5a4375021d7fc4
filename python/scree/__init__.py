# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""scree: bodies that touch, slide, stick and collide, with an energy ledger that closes at every step.

>>> sim = scree.open("bouncing-ball")
>>> sim.step(1000)
>>> print(f"{sim.time:.3f} s, {sim.body('ball').position[1]:.6f} m")
1.000 s, 0.326492 m

docs/python.md is the guide; numbers are in the units of the scene, kg, m and s where it says nothing.
"""
from . import measure
from ._binding import lib
from ._core import Error, FileError, FileMissing, InputError, Record, Refused, SceneError, text
from .body import Shape
from .elastic import Mesh
from .lab import equilibria, paradox, sweeping
from .model import Model
from .run import Run, columns, figures
from .scene import import_scene, scene_text, scenes
from .simulation import Body, Joint, Simulation, open
from .solve import Solution, read_problem, residual, solve, solvers
from .study import compare, converge, equilibria_grid, paradox_grid
from .sweep import Sweep, sweep

__version__: str = text(lib.scree_version())

__all__ = ["Body", "Error", "FileError", "FileMissing", "InputError", "Joint", "Mesh", "Model", "Record", "Refused", "Run",
           "SceneError", "Shape", "Simulation", "Solution", "Sweep", "columns", "compare", "converge", "equilibria",
           "equilibria_grid", "figures", "import_scene", "measure", "open", "paradox", "paradox_grid", "read_problem",
           "residual", "scene_text", "scenes", "solve", "solvers", "sweep", "sweeping"]
