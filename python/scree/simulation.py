# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""A model that is stepped: its state, contacts, ledger; forces of the program; runs in files."""
from __future__ import annotations

import functools
import operator
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union, overload

import numpy as np

from . import scene as scenes
from ._binding import ffi, lib
from ._core import (CALL, Floats, InC, Keep, Progress, Record, Refused, Table, check, copy_rows, did_you_mean, enum_name,
                    error_text, fill, guarded, new_error, record, text, vector, view)
from .body import Shape, body_of
from .progress import Bar

if TYPE_CHECKING:
    from .run import Run

ForceFunction = Callable[[float, Floats, Floats], Any]
LawFunction = Callable[[float, Any, Record], Union[Mapping[str, Any], None]]


class Hook:
    """A force that Python computes: what C's callback finds behind its handle. It does not hold its simulation,
    which holds it."""

    def __init__(self, function: ForceFunction, simulation: "Simulation"):
        self.function = function
        self.q, self.v = simulation.q, simulation.v


def refuse(kind: Any, error: BaseException, trace: Any) -> int:
    return CALL.failed(error, lib.SCREE_BAD_INPUT)


@ffi.def_extern(onerror=refuse)
def binding_on_force(data: Any, state: Any, force: Any, err: Any) -> int:
    hook = ffi.from_handle(data)
    found = hook.function(state.time, hook.q, hook.v)
    if found is not None:
        size = len(hook.v)
        given = np.ascontiguousarray(found, dtype=float)
        if given.size != size:
            raise ValueError(f"a force has {size} numbers, one for each of v, got the shape {np.shape(found)}")
        np.frombuffer(ffi.buffer(force, 8 * size))[:] += given.ravel()
    return lib.SCREE_OK


@ffi.def_extern(onerror=refuse)
def binding_on_law(data: Any, state: Any, contact: Any, law: Any, err: Any) -> int:
    given = record(law)
    before = dict(given)
    found = ffi.from_handle(data)(state.time, copy_rows("scree_contact", contact, 1)[0], given)
    if found is None:
        found = given  # which the function may have changed
    if not isinstance(found, Mapping):
        raise TypeError(f"a law by a function is a mapping of what is to be changed, or None, got {found!r}")
    changed = {name: value for name, value in found.items() if before.get(name, None) is not value}
    if changed:
        fill(law, changed, [], "a law")
    return lib.SCREE_OK


@ffi.def_extern(onerror=lambda kind, error, trace: CALL.failed(error, 1))
def binding_on_step(data: Any, step: int) -> int:
    return 1 if ffi.from_handle(data)(step) is False else 0


def callable_or_none(function: Any, what: str) -> None:
    if function is not None and not callable(function):
        raise TypeError(f"{what} must be a function or None, got {function!r}")


def part(numbers: Floats, bodies: int, each: int) -> Floats:
    """The numbers of rigid bodies, which come first, a row each."""
    return numbers[..., :bodies * each].reshape(*numbers.shape[:-1], bodies, each)


def free_simulation(keep: Keep, c: Any) -> None:
    lib.scree_simulation_free(c)
    keep.clear()  # the model and what C points to: not before


class Body:
    """A rigid body of a simulation: `q` and `v` are its part of the simulation's, and follow it."""

    def __init__(self, simulation: "Simulation", number: int):
        model = simulation._model
        self.number = number
        self.name = text(model.body[number].name)
        n, d = model.body_coordinates, model.body_dofs
        #: x, y, angle, or x, y, z, quaternion w x y z
        self.q: Floats = simulation.q[number * n:(number + 1) * n]
        #: of x, y, angle, or of x, y, z and the spin in world axes
        self.v: Floats = simulation.v[number * d:(number + 1) * d]
        space = model.space
        self.position: Floats = self.q[:space]
        self.velocity: Floats = self.v[:space]
        self.fixed = bool(model.body[number].fixed)
        self.mass: float = model.body[number].mass

    def __repr__(self) -> str:
        return f"Body('{self.name}', q={self.q}, v={self.v})"


class Joint:
    """A joint of a simulation, as it is now. `coordinate` and `rate` follow the simulation; forces are those of the
    last step, on the first of its bodies."""

    def __init__(self, simulation: "Simulation", number: int):
        self._simulation, self.number = simulation, number
        c = simulation._model.joint[number]
        self.name = text(c.name)
        self.kind = enum_name(ffi.typeof("scree_joint_kind"), c.kind)

    def _now(self) -> tuple[float, float]:
        s, found = self._simulation, ffi.new("double[2]", [float("nan"), float("nan")])
        lib.scree_joint_coordinate(s._model, self.number, lib.scree_simulation_state(s._idle()), found, found + 1)
        return found[0], found[1]

    @property
    def coordinate(self) -> float:
        """Angle or way, 0 at the start (NaN: it has none) [rad, m]."""
        return self._now()[0]

    @property
    def rate(self) -> float:
        """Of the coordinate [rad/s, m/s]."""
        return self._now()[1]

    @property
    def reaction(self) -> Record:
        """What it did to its first body over the last step: `force`, `moment` about the anchor (world axes), and of
        them `friction` along the coordinate [N, N m]."""
        s, found = self._simulation, ffi.new("scree_joint_reaction *")
        step = lib.scree_simulation_record(s._idle())
        h = lib.scree_simulation_options(s._c).scheme.step
        for i in range(step.contacts):
            if lib.scree_joint_of_contact(s._model, step.contact + i) == self.number:
                lib.scree_joint_add_reaction(s._model, lib.scree_simulation_state(s._c).q, step.contact + i, h, found)
        return record(found)

    def __repr__(self) -> str:
        return f"Joint('{self.name}', {self.kind}, coordinate={self.coordinate:.9g}, rate={self.rate:.9g})"


class Simulation(InC):
    """A scene or a model that is stepped. `scree.open` and `Model.simulate` make it.

    >>> sim = scree.open("bouncing-ball", {"scheme.step": 1e-3})
    >>> sim.step(100)
    >>> round(sim.time, 9), sim.q.shape
    (0.1, (6,))
    """

    def __init__(self, c: Any, keep: Keep | None = None):
        self._keep: Keep = keep if keep is not None else []
        self._c = ffi.gc(c, functools.partial(free_simulation, self._keep))
        self._err = new_error()
        self._busy = threading.Lock()
        self._hook: Hook | None = None
        self._hook_handle: Any = ffi.NULL
        self._law: Any = ffi.NULL
        self._look()

    def _look(self) -> None:
        state = lib.scree_simulation_state(self._c)
        #: Coordinates, where C has them: one array for the whole life of the simulation, which always shows the
        #: present state and outlives the simulation. Read only; `set_state` changes them.
        self.q: Floats = view(self._c, state.q, self._model.coordinates)
        #: Velocities; as `q`.
        self.v: Floats = view(self._c, state.v, self._model.dofs)
        self._bodies: dict[str | int, Body] = {}
        if self._hook:
            self._hook.q, self._hook.v = self.q, self.v

    # ---- the state ----

    @property
    def time(self) -> float:
        """[s]"""
        return lib.scree_simulation_state(self._idle()).time

    @property
    def step_count(self) -> int:
        """Steps done."""
        return lib.scree_simulation_state(self._idle()).step

    @property
    def steps(self) -> int:
        """Steps of the whole run, duration over step."""
        return lib.scree_simulation_steps(self._idle())

    @property
    def left(self) -> int:
        """Those still to do."""
        return lib.scree_simulation_left(self._idle())

    @property
    def options(self) -> Record:
        """What it runs with, everything decided: scheme, solver, duration and the rest."""
        return record(lib.scree_simulation_options(self._idle()))

    @property
    def bodies(self) -> list[str]:
        """Names of the rigid bodies, in their order in q and v."""
        return [text(self._model.body[i].name) for i in range(self._model.bodies)]

    def body(self, which: str | int) -> Body:
        """A rigid body by its name or number."""
        found = self._bodies.get(which)
        if found is None:
            found = self._bodies[which] = Body(self, self._number(which))
        return found

    @property
    def positions(self) -> Floats:
        """Of all rigid bodies, bodies x space: a part of `q`, which follows it."""
        return part(self.q, self._model.bodies, self._model.body_coordinates)[:, :self._model.space]

    @property
    def velocities(self) -> Floats:
        """Of their centres, bodies x space: a part of `v`."""
        return part(self.v, self._model.bodies, self._model.body_dofs)[:, :self._model.space]

    @property
    def joints(self) -> list[str]:
        """Names of the joints."""
        return [text(self._model.joint[i].name) for i in range(self._model.joints)]

    def joint(self, which: str | int) -> Joint:
        """A joint by its name or number.

        >>> sim = scree.open("slider-crank")
        >>> sim.joint(0).coordinate
        0.0
        """
        names = self.joints
        if isinstance(which, str) and which not in names:
            raise KeyError(f"there is no joint {which!r}{did_you_mean(which, names)}")
        return Joint(self, names.index(which) if isinstance(which, str) else range(len(names))[which])

    def set_state(self, q: Any = None, v: Any = None) -> None:
        """Go to another state at the same time; the energy that this brings is booked as `exchange`
        of the next step. What joints do not allow of it they pull back in that step."""
        keep_q, c_q = vector(self.q if q is None else q, len(self.q), what="q")
        keep_v, c_v = vector(self.v if v is None else v, len(self.v), what="v")
        check(lib.scree_simulation_set_state(self._idle(), c_q, c_v, self._err), self._err)

    # ---- steps ----

    def step(self, count: int = 1) -> None:
        """One step, or `count` of them. `Refused`: the step was not taken, and the state is the one before it; an
        exception in a function of forces: the same, and it comes out. Ctrl-C ends a long step, too."""
        count = operator.index(count)
        if count < 0:
            raise ValueError(f"steps go forward: got {count}")
        if not self._busy.acquire(blocking=False):
            self._complain_busy()
        try:
            status = lib.binding_steps(self._c or self._idle(), count, guarded(), self._err)
        finally:
            self._busy.release()
        if status or CALL.error:
            self._raise(status)

    @overload
    def run(self, path: str | os.PathLike[str], *, resume: bool = ..., progress: bool | Progress | None = ...,
            on_step: Callable[["Simulation"], Any] | None = ...) -> "Run": ...

    @overload
    def run(self, path: None = ..., *, resume: bool = ..., progress: bool | Progress | None = ...,
            on_step: Callable[["Simulation"], Any] | None = ...) -> None: ...

    def run(self, path: str | os.PathLike[str] | None = None, *, resume: bool = False,
            progress: bool | Progress | None = None,
            on_step: Callable[["Simulation"], Any] | None = None) -> "Run | None":
        """Step to the end, store the run in `path` and return it as a `Run` (None: nothing is stored).

        progress: True or False, or a function of steps done and steps in all; None: a bar where standard error
        is a terminal or in a notebook, after the first second. on_step(sim) is called after every step and
        stops the run by returning False. A run that stops early leaves its last good state in the file;
        resume=True goes on with it, bit for bit.
        """
        if path is not None and not resume and self.left <= 0:
            raise ValueError(f"nothing is left to run: step {self.step_count} of {self.steps}; open it anew, or with a longer duration")
        callable_or_none(on_step, "on_step")
        bar = None if on_step else Bar.choose(progress, "run", self.steps)
        watch = ffi.new("binding_watch *", {"guarded": guarded()})
        told = self._tell(on_step) if on_step else bar
        if told:
            handle = ffi.new_handle(told)
            watch.tell, watch.data = lib.binding_on_step, handle
            watch.seconds = 0 if on_step else 0.1
        c_path = ffi.NULL if path is None else os.fsencode(path)
        if not self._busy.acquire(blocking=False):
            self._complain_busy()
        try:
            status = lib.binding_run(self._c or self._idle(), c_path, resume, watch, ffi.NULL, self._err)
        finally:
            self._busy.release()
            if bar:
                bar.end()
        stopped = on_step and status == lib.SCREE_INTERRUPTED and not CALL.error
        if (status or CALL.error) and not stopped:
            self._raise(status)
        from .run import Run
        return None if path is None else Run(path, self)

    def _tell(self, on_step: Callable[["Simulation"], Any]) -> Callable[[int], Any]:
        def tell(step: int) -> Any:
            self._busy.release()  # it may look at everything between two steps
            try:
                return on_step(self)
            finally:
                self._busy.acquire()
        return tell

    # ---- forces ----

    def set_force(self, force: Any, body: str | int | None = None) -> None:
        """Forces in every step from now on, until they are set anew: of the shape of `v` (forces, then
        torques, body after body), or with `body` those of one body alone. None: no more. They are booked as
        external work."""
        if body is not None:
            kept, c = vector(np.zeros(self._model.body_dofs) if force is None else force, self._model.body_dofs,
                             what="force")
            check(lib.scree_simulation_set_force(self._idle(), self._number(body), c, self._err), self._err)
            return
        kept, load = vector(np.zeros(len(self.v)) if force is None else force, len(self.v), what="force")
        check(lib.scree_simulation_set_load(self._idle(), ffi.NULL if force is None else load, self._err), self._err)

    def set_forces(self, function: ForceFunction | None) -> None:
        """A force that is computed once for each step, where it begins: function(t, q, v) gives numbers like
        `v`, or None. It is held during the step and booked as external work; those of `set_force` act
        besides. None: no more."""
        callable_or_none(function, "forces")
        hook = Hook(function, self) if function else None
        handle = ffi.new_handle(hook) if hook else ffi.NULL
        c = lib.binding_on_force if function else ffi.NULL
        check(lib.scree_simulation_set_forces(self._idle(), c, handle, self._err), self._err)
        self._hook, self._hook_handle = hook, handle

    def set_laws(self, function: LawFunction | None) -> None:
        """Laws of contacts between bodies by function(t, contact, law), asked for every contact of a step, one
        after the other in a fixed order: contact is a row like those of `contacts` (gap, normal, point, u_before;
        a and b are bodies), law the model's for the pair (restitution, friction, ...); it returns what is to be
        changed, as {"friction": 0.2}, or changes `law` itself. The answer must follow from the arguments: a step may ask twice.
        None: those of the model. An exception refuses the step, as in `set_forces`."""
        callable_or_none(function, "laws")
        handle = ffi.new_handle(function) if function else ffi.NULL
        c = lib.binding_on_law if function else ffi.NULL
        check(lib.scree_simulation_set_laws(self._idle(), c, handle, self._err), self._err)
        self._law = handle

    def add_body(self, name: str, *, shapes: Sequence[Shape] = (), density: float = 0, **fields: Any) -> Body:
        """Add a rigid body now, as `Model.body` does; the energy that it brings is booked as `exchange` of the
        next step. q and v are longer afterwards: take `sim.q` anew, arrays of before do not follow any more."""
        if lib.scree_model_body_find(self._model, name.encode()) >= 0:
            raise ValueError(f"there is a body '{name}' already, or has been")
        keep: Keep = []
        c, row = body_of(self._model, name, shapes, density, fields, keep)
        self._keep += keep
        check(lib.scree_simulation_add_bodies(self._idle(), c, 1, row, len(shapes), self._err), self._err)
        self._look()
        return Body(self, self._model.bodies - 1)

    def remove_body(self, which: str | int) -> None:
        """Take a rigid body out: it is not there from now on, and keeps its place in q and v. The energy that it
        takes along is booked as `exchange` of the next step."""
        number = ffi.new("int *", self._number(which))
        check(lib.scree_simulation_remove_bodies(self._idle(), number, 1, self._err), self._err)
        self._look()

    # ---- what happened ----

    @property
    def contacts(self) -> Table:
        """The contacts of the last step as a structured array (a copy): `gap`, `normal`, `point`, `impulse`,
        `u_before`, `u_after`, `status`, ... (scree_contact in scree/step.h)."""
        c = lib.scree_simulation_record(self._idle())
        return copy_rows("scree_contact", c.contact, c.contacts)

    @property
    def ledger(self) -> Record:
        """Energies after the last step and works of it [J]."""
        return record(lib.scree_simulation_ledger(self._idle()))

    @property
    def energy(self) -> float:
        """Kinetic, elastic, potential and that of springs [J]."""
        return lib.scree_simulation_energy(self._idle())

    @property
    def totals(self) -> Record:
        """Sums and extremes over all steps."""
        return record(lib.scree_simulation_totals(self._idle()))

    @property
    def report(self) -> Record:
        """What the solver said about the last step."""
        return record(lib.scree_simulation_record(self._idle()).report)

    @property
    def problem(self) -> Record:
        """The contact problem of the last step: W (dense), b, mu, and the impulses p that were found; see
        `scree.solve`."""
        return self.contact_problem()

    def contact_problem(self, *, sparse: bool = False) -> Record:
        """The same, with W as a sparse matrix of scipy if that is wanted."""
        from .solve import problem_of
        return problem_of(lib.scree_simulation_record(self._idle()), sparse)

    @property
    def theorem(self) -> Record:
        """Can contacts not create energy in this run, and have they not so far? `holds`, `reason`."""
        return record(lib.scree_simulation_theorem(self._idle()))

    @property
    def verdict(self) -> str:
        """good, warned or refused."""
        return text(lib.scree_run_verdict_name(lib.scree_simulation_verdict(self._idle())))

    @property
    def warnings(self) -> list[str]:
        """What the scene most likely does not mean, and what is to be said about the run so far."""
        found = scenes.warnings_of(lib.scree_simulation_warnings(self._idle()))
        rows = ffi.new("scree_warning[]", lib.SCREE_WARNINGS)
        count = lib.scree_simulation_run_warnings(self._c, rows)
        return [w.text for w in found] + [text(rows[i].text) for i in range(count)]

    @property
    def events(self) -> Table:
        """What a run with the scheme event-driven went through."""
        from .lab import events_of
        return events_of(lib.scree_simulation_events(self._idle()))

    def side_name(self, side: int) -> str:
        """The name of a contact's `a` or `b`."""
        return text(lib.scree_model_side_name(self._model, int(side)))

    def standing(self) -> Record:
        """Can it stand as it is: are there forces in the friction cones that hold all loads? `admissible`,
        `inadmissible`, `left`, `needed`, `acceleration`, and the `contacts` with these forces as impulses
        over `step`."""
        found = ffi.new("scree_static_check *")
        state = lib.scree_simulation_state(self._idle())
        check(lib.scree_static_check_find(self._model, lib.scree_simulation_options(self._c), state, found, self._err),
              self._err)
        answer = record(found)
        answer["contacts"] = copy_rows("scree_contact", found.record.contact, found.record.contacts)
        lib.scree_static_check_free(found)
        return answer

    # ---- the rest ----

    def close(self) -> None:
        """Let it go; a second time is no mistake. Its memory is given back when no array that was taken from it
        is left."""
        if self._c is not None:
            self._idle()
            self._c = None

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._c is None:
            return "Simulation(closed)"
        about = lib.scree_simulation_integration(self._idle())
        return f"Simulation({text(about.text)}; {text(about.method)}, step {self.step_count} of {self.steps}, t = {self.time:.9g})"

    @property
    def _model(self) -> Any:
        """What stays as it is, so that it may be looked at within a step, too."""
        if self._c is None:
            raise ValueError("the simulation is closed")
        return lib.scree_simulation_model(self._c)

    def _idle(self) -> Any:
        if self._c is None:
            raise ValueError("the simulation is closed")
        if self._busy.locked():
            self._complain_busy()
        return self._c

    def _complain_busy(self) -> None:
        raise RuntimeError("the simulation is within a step: a force sees t, q and v alone, and one thread steps it")

    def _number(self, which: str | int) -> int:
        found = lib.scree_model_body_find(self._model, which.encode()) if isinstance(which, str) else int(which)
        if not 0 <= found < self._model.bodies:
            names = self.bodies
            near = did_you_mean(which, names) if isinstance(which, str) else f"; there are {len(names)}"
            raise KeyError(f"there is no rigid body {which!r}{near}")
        return found

    def _raise(self, status: int) -> None:
        CALL.check()
        refusal = lib.scree_simulation_refusal(self._c)
        if refusal and status != lib.SCREE_INTERRUPTED:
            found = record(refusal)
            raise Refused(error_text(self._err) + (f"; {found.advice}" if found.advice else ""), found)
        check(status, self._err)


def open(scene: scenes.Scene, overrides: Mapping[str, Any] | None = None, **more: Any) -> Simulation:
    """Open a scene: a built-in name, a file, a text with line ends, or a mapping.

    Overrides are those of `scree run --set`: a mapping from paths to values, or sections as keywords.

    >>> sim = scree.open("impacting-stick", {"scheme.step": 1e-4})
    >>> sim = scree.open("bouncing-ball", parameters={"e": 0.9}, scheme={"duration": 1})
    >>> scree.open("bouncing-ball", {"scheme.stpe": 1})
    Traceback (most recent call last):
    ...
    scree.SceneError: ...
    """
    return Simulation(scenes.opened(scene, scenes.changes_of(overrides, more)))
