# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Models by calls: bodies, shapes, laws, joints, springs and motors, a system of matrices.

Keywords are the fields of the structs in scree/model.h, joint.h and drive.h, with their units.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ._binding import ffi, lib
from ._core import CALL, Floats, InC, Keep, check, did_you_mean, enum_value, fill, new_error, set_function, vector
from .body import Shape, body_of
from .elastic import Mesh, holds_of, tractions_of
from .mechanism import Mechanics
from .simulation import ForceFunction, Simulation


class Model(InC):
    """Bodies in the plane (space=2) or in space (space=3).

    >>> model = scree.Model(gravity=(0, -9.81))
    >>> ground = model.body("ground", fixed=True, shapes=[scree.Shape("half-plane", normal=(0, 1))])
    >>> ball = model.body("ball", mass=1, inertia=4e-3, position=(0, 1.1), shapes=[scree.Shape("disc", radius=0.1)])
    >>> model.law(restitution=0.7)
    >>> sim = model.simulate(step=1e-3)
    >>> sim.step(3000)
    >>> round(float(sim.body("ball").position[1]), 5)
    0.1
    """

    def __init__(self, *, gravity: Sequence[float] | None = None, space: int = 2):
        c = lib.scree_model_new()
        if not c:
            raise MemoryError("scree: out of memory")
        self._c = ffi.gc(c, lib.scree_model_free)
        self._keep: Keep = []  # what C borrows: functions, and the model itself
        self._err = new_error()
        self._names: dict[str, int] = {}
        self._joints: dict[str, int] = {}
        self._groups: dict[str, int] = {}
        self._check(lib.scree_model_set_space(self._c, space, self._err))
        if gravity is not None:
            lib.scree_model_set_gravity(self._c, *(list(map(float, gravity)) + [0.0, 0.0])[:3])

    # ---- what it is made of ----

    def body(self, name: str, *, shapes: Sequence[Shape] = (), density: float = 0, group: str | int | None = None,
             **fields: Any) -> int:
        """Add a rigid body; returns its number. Fields are those of scree_body: fixed, mass, inertia (in space
        one, three or six numbers), position, angle, velocity, spin, orientation, angular, force, ... With a
        density mass, inertia and centre follow from the shapes, and position is the origin of their frame.
        Components of force may be functions of t."""
        if group is not None:
            fields["group"] = self.group(group) if isinstance(group, str) else group
        if name in self._names:
            raise ValueError(f"there is a body '{name}' already")
        keep: Keep = []
        c, made = body_of(self._c, name, shapes, density, fields, keep)
        self._check(lib.scree_model_add_body(self._c, c, self._err))
        number = self._c.bodies - 1
        self._names[name] = number
        for i in range(len(shapes)):
            made[i].body = number
            self._check(lib.scree_model_add_shape(self._c, made + i, self._err))
        self._keep += keep
        return number

    def group(self, name: str) -> int:
        """A name for bodies that share laws."""
        if name not in self._groups:
            number = ffi.new("int *")
            self._check(lib.scree_model_add_group(self._c, name.encode(), number, self._err))
            self._groups[name] = number[0]
        return self._groups[name]

    def law(self, a: str | int | None = None, b: str | int | None = None, **fields: Any) -> None:
        """What holds between two bodies or groups (None: any): restitution, friction,
        tangential_restitution, cohesion, rolling, ... The last one that fits a pair counts."""
        law = ffi.new("scree_law *", lib.scree_law_default())
        fill(law, fields, self._keep, "a law")
        self._check(lib.scree_model_add_law(self._c, self._side(a), self._side(b), law[0], self._err))

    def joint(self, kind: str, a: str | int, b: str | int | None = None, *, name: str | None = None, anchor: Any = None,
              **fields: Any) -> int:
        """Join two bodies, or a body and the ground (None): hinge, slider, ball, rope, ...; returns its number.
        One anchor is that of both; world axes, at the start."""
        number = enum_value(ffi.typeof("scree_joint_kind"), kind)
        c = ffi.new("scree_joint *", lib.scree_joint_default(number, self._body(a), self._body(b)))
        name = name or f"{kind}-{self._c.joints + 1}"
        if "joint" in fields:  # a coupler's two
            fields["joint"] = [self._joint(x) for x in fields["joint"]]
        fill(c, {"name": name, **fields}, self._keep, f"joint '{name}'")
        if anchor is not None:
            points = np.atleast_2d(np.asarray(anchor, dtype=float))
            for side in range(2):
                for k, x in enumerate(points[min(side, len(points) - 1)]):
                    c.anchor[side][k] = x
        self._check(lib.scree_model_add_joint(self._c, c, self._err))
        self._joints[name] = self._c.joints - 1
        return self._c.joints - 1

    def spring(self, joint: str | int, *, name: str | None = None, **fields: Any) -> int:
        """A spring along the coordinate of a joint: stiffness, damping, target, sense; or energy, a function
        of the extension that gives E and its derivative."""
        return self._drive(lib.SCREE_SPRING, joint, name, fields)

    def motor(self, joint: str | int, holds: str, *, name: str | None = None, **fields: Any) -> int:
        """A motor of a joint that holds its "position", its "velocity" or gives a "force": target (a number or
        a function of t), most (its largest force), ..."""
        kinds = {"position": lib.SCREE_MOTOR_POSITION, "velocity": lib.SCREE_MOTOR_VELOCITY,
                 "force": lib.SCREE_MOTOR_FORCE}
        if holds not in kinds:
            raise ValueError(f"a motor holds none of '{holds}'; it holds {', '.join(kinds)}{did_you_mean(holds, kinds)}")
        return self._drive(kinds[holds], joint, name, fields)

    def system(self, mass: Any, *, damping: Any = None, stiffness: Any = None, load: Sequence[Any] | None = None,
               position: Any = None, velocity: Any = None) -> None:
        """A linear system M v' + C v + K q = F(t); loads may be functions of t."""
        n = len(np.atleast_2d(mass))
        c = ffi.new("scree_system *", lib.scree_system_default())
        c.coordinates = n
        keep: Keep = []
        given = {"mass": (mass, (n, n)), "damping": (damping, (n, n)), "stiffness": (stiffness, (n, n)),
                 "position": (np.zeros(n) if position is None else position, (n,)),
                 "velocity": (np.zeros(n) if velocity is None else velocity, (n,))}
        for name, (value, shape) in given.items():
            if value is not None:
                array, pointer = vector(value, *shape, what=name)
                keep.append(array)
                setattr(c, name, pointer)
        if load is not None:
            loads = self._functions(load, n, "load")
            keep.append(loads)
            c.load = loads
        self._check(lib.scree_model_set_system(self._c, c, self._err))

    def contact(self, name: str, normal: Any, tangent: Any = None, *, offset: Any = 0.0, surface: Sequence[Any] = (),
                **law: Any) -> None:
        """A contact of the system: gap = normal . q + offset(t), sliding by the rows of tangent."""
        n = self._c.system.coordinates
        keep: Keep = []
        c = ffi.new("scree_matrix_contact *", lib.scree_matrix_contact_default())
        fill(c, {"name": name, "offset": offset, "surface": surface, "law": law}, self._keep, f"contact '{name}'")
        row, c.normal = vector(normal, n, what="normal")
        keep.append(row)
        if tangent is not None:
            c.tangents = len(np.atleast_2d(tangent))
            rows, c.tangent = vector(tangent, c.tangents, n, what="tangent")
            keep.append(rows)
        self._check(lib.scree_model_add_matrix_contact(self._c, c, self._err))

    def mechanism(self, *, mass: Callable[[Floats], Any], position: Any, velocity: Any = None,
                  potential: Callable[[Floats], Any] | None = None,
                  force: Callable[[float, Floats, Floats], Any] | None = None,
                  contacts: Sequence[Mapping[str, Any]] = ()) -> None:
        """A mechanism in minimal coordinates by functions: mass(q) gives M (n x n) and its derivatives dM/dq_k
        (n x n x n, k first), potential(q) V and its gradient, force(t, q, v) what V does not have. Contacts are
        mappings: name, gap (a function of q that gives gap, its gradient and the row of the sliding velocity),
        restitution, friction."""
        made = Mechanics(mass, potential, force, contacts, position, velocity, self._keep)
        self._check(lib.scree_model_set_mechanism(self._c, made.c, self._err))

    def elastic(self, name: str, mesh: Mesh, *, contact: Sequence[str] = ("boundary",), held: Mapping[str, Any] | None = None,
                traction: Mapping[str, Any] | None = None, force: Sequence[Any] = (), velocity: Sequence[float] = (),
                group: str | int | None = None, **material: Any) -> None:
        """An elastic body of finite elements behind all rigid ones: young, poisson, density, thickness, ... are its
        material (scree/fem.h). held: group of the mesh -> displacement along each axis, a number or a function of
        t, None where it is free; traction: group -> components, or one number: pressure; contact: groups that can
        touch."""
        c = ffi.new("scree_elastic *", lib.scree_elastic_default())
        keep: Keep = [mesh]
        fill(c, {"name": name, "force": force, "material": material, "start": {"velocity": velocity}}, keep, f"'{name}'")
        c.mesh = mesh.c
        if group is not None:
            c.group = self.group(group) if isinstance(group, str) else group
        c.hold, c.holds = holds_of(mesh, held or {}, keep)
        c.traction, c.tractions = tractions_of(mesh, traction or {}, keep)
        groups = ffi.new("int[]", [mesh.group(x) for x in contact] or 1)
        c.contact_group, c.contact_groups = groups, len(contact)
        self._check(lib.scree_model_add_elastic(self._c, c, self._err))
        self._keep += keep
        self._names[name] = self._c.bodies + self._c.elastics - 1

    # ---- and then ----

    def simulate(self, *, step: float, duration: float | None = None, scheme: str | None = None,
                 solver: str | None = None, forces: ForceFunction | None = None, **options: Any) -> Simulation:
        """Finish the model and begin. Options are the fields of scree_run_options, of its scheme (theta,
        activation, ...) and of its solver (tolerance, max_sweeps, ...). Without a duration it can be stepped
        for ever, but not run to its end."""
        keep: Keep = [self]
        c = ffi.new("scree_run_options *", lib.scree_run_options_default())
        c.scheme.step = step
        c.duration = 1e15 * abs(step) if duration is None else duration
        if scheme:
            c.scheme.name = enum_value(ffi.typeof("scree_scheme"), scheme)
        if solver:
            fill(c.solver, {"name": solver}, keep, "the solver")
        for name, value in options.items():
            places = [part for part in (c, c.scheme, c.solver) if name in fields_of(part)]
            fill(places[0] if places else c, {name: value}, keep, "simulate")
        if not lib.scree_model_finished(self._c):
            self._check(lib.scree_model_finish(self._c, self._err))
        made = ffi.new("scree_simulation **")
        self._check(lib.scree_simulation_new(self._c, c, made, self._err))
        simulation = Simulation(made[0], keep)
        if forces:
            simulation.set_forces(forces)
        return simulation

    # ---- the rest ----

    def _drive(self, kind: int, joint: str | int, name: str | None, fields: dict[str, Any]) -> int:
        c = ffi.new("scree_drive *", lib.scree_drive_default(kind, self._joint(joint)))
        energy = fields.pop("energy", None)
        name = name or f"drive-{self._c.drives + 1}"
        fill(c, {"name": name, **fields}, self._keep, f"drive '{name}'")
        if energy:
            self._keep.append(ffi.new_handle(energy))
            c.energy, c.self = lib.binding_on_energy, self._keep[-1]
        self._check(lib.scree_model_add_drive(self._c, c, self._err))
        return self._c.drives - 1

    def _functions(self, values: Sequence[Any], count: int, what: str) -> Any:
        if len(values) != count:
            raise ValueError(f"{what} must have {count} entries, got {len(values)}")
        found = ffi.new("scree_function[]", count)
        for i, value in enumerate(values):
            set_function(found[i], value, self._keep)
        return found

    def _find(self, which: str | int, known: dict[str, int], what: str) -> int:
        if isinstance(which, str):
            if which not in known:
                near = did_you_mean(which, known) or f"; there are {', '.join(list(known)[:20]) or 'none'}"
                raise KeyError(f"there is no {what} '{which}'{near}")
            return known[which]
        return int(which)

    def _body(self, which: str | int | None) -> int:
        return lib.SCREE_GROUND if which is None else self._find(which, self._names, "body")

    def _joint(self, which: str | int) -> int:
        return self._find(which, self._joints, "joint")

    def _side(self, which: str | int | None) -> int:
        if which is None:
            return -1
        if isinstance(which, str) and which in self._groups:
            return -1 - self._groups[which]
        return self._body(which)

    def _check(self, status: int) -> None:
        CALL.check()
        check(status, self._err)


def fields_of(c: Any) -> set[str]:
    ctype = ffi.typeof(c)
    return {name for name, _ in (ctype.item if ctype.kind == "pointer" else ctype).fields}
