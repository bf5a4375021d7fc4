# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the modules share: C structs as Python values and back, arrays for C, errors.

Nothing here knows a particular struct: layouts, names of fields and of enumerators come from the headers
(cffi checks them when the package is built), so that a field added in C is there in Python.
"""
from __future__ import annotations

import difflib
import functools
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._binding import ffi, lib

#: numbers, a table (rows of named columns), anything else
Floats = npt.NDArray[np.float64]
Table = npt.NDArray[np.void]
Array = npt.NDArray[Any]
#: what C borrows and Python has to hold
Keep = list[Any]

MAIN_THREAD = threading.main_thread().ident


# ---- errors -------------------------------------------------------------------------------------

class Error(Exception):
    """Whatever scree refuses to do. `status` is C's, as "bad-input"."""

    status = ""


class InputError(Error, ValueError):
    """An argument, a model or a file that cannot be used."""


class SceneError(InputError):
    """Mistakes in a scene. `file`, `line` and `column` are those of the first one (line 0: none is
    known), `findings` has all of them as (file, line, column, text)."""

    def __init__(self, findings: Sequence[tuple[str, int, int, str]], truncated: bool = False):
        self.findings, self.truncated = list(findings), truncated
        self.file, self.line, self.column, self.text = self.findings[0]
        lines = [place(*found[:3]) + f"error: {found[3]}" for found in self.findings]
        super().__init__("\n".join(lines + ["..."] * truncated))

    def __reduce__(self) -> Any:
        return SceneError, (self.findings, self.truncated), self.__dict__


class FileError(Error, OSError):
    """A file could not be read or written."""


class FileMissing(FileError, FileNotFoundError):
    """A file is not there."""


class Refused(Error):
    """A step that was not taken: the state is the one before it. `reason` is one of
    no-solution-proven, existence-criterion-fails, budget, not-found, turning, ledger; `step`, `time`,
    `contacts`, `detail` and `advice` say the rest (docs/verdict.md)."""

    def __init__(self, message: str, refusal: Mapping[str, Any]):
        super().__init__(message, dict(refusal))  # what pickle calls it with again
        self.reason: str = refusal.get("reason", "")
        self.step: int = refusal.get("step", 0)
        self.time: float = refusal.get("time", 0.0)
        self.contacts: int = refusal.get("contacts", 0)
        self.detail: str = refusal.get("detail", "")
        self.advice: str = refusal.get("advice", "")

    def __str__(self) -> str:
        return str(self.args[0])


def place(file: str, line: int, column: int) -> str:
    return (f"{file}:" if file else "") + (f"{line}:{column}: " if line else " " if file else "")


def new_error() -> Any:
    return ffi.new("scree_error *")


def text(chars: Any) -> str:
    return ffi.string(chars).decode(errors="replace") if chars else ""


def error_text(err: Any) -> str:
    buffer = ffi.new("char[]", 1024)
    lib.scree_error_format(err, buffer, 1024)
    message = text(buffer)
    return message[len("error: "):] if message.startswith("error: ") else message


def check(status: int, err: Any) -> None:
    """Raise what a status of C means."""
    if status == lib.SCREE_OK:
        return
    if status == lib.SCREE_NO_MEMORY:
        raise MemoryError("scree: out of memory")
    if status == lib.SCREE_INTERRUPTED:
        raise KeyboardInterrupt(text(err.text))
    if status == lib.SCREE_BAD_INPUT and err.line:
        raise SceneError([(text(err.file), err.line, err.column, text(err.text))])
    kind = {lib.SCREE_BAD_INPUT: InputError, lib.SCREE_FILE_ERROR: FileError}.get(status, Error)
    error = kind(error_text(err))
    error.status = enum_name(ffi.typeof("scree_status"), status)
    raise error


class Findings:
    """A list of mistakes that C fills: `with Findings() as found: ...; found.check(pointer)`."""

    def __enter__(self) -> "Findings":
        self.c = ffi.new("scree_findings *")
        return self

    def __exit__(self, *_: object) -> None:
        lib.scree_findings_free(self.c)

    def all(self) -> list[tuple[str, int, int, str]]:
        return findings_of(self.c)

    def check(self, made: Any = None) -> Any:
        if self.c.no_memory:
            raise MemoryError("scree: out of memory")
        if self.c.count:
            raise SceneError(self.all(), bool(self.c.truncated))
        if made == ffi.NULL:
            raise MemoryError("scree: out of memory")
        return made


def findings_of(c: Any) -> list[tuple[str, int, int, str]]:
    return [(text(c.item[i].file), c.item[i].line, c.item[i].column, text(c.item[i].text))
            for i in range(c.count)]


class InC:
    """What lives in C's memory: it is neither copied nor sent to another process."""

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__.lower()} cannot be copied or sent to another process: make it there")


# ---- from C -------------------------------------------------------------------------------------

class Record(dict[str, Any]):
    """A struct of C as a mapping whose keys are attributes, too.

    >>> r = Record(a=1); r.a
    1
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __repr__(self) -> str:
        return "Record(" + ", ".join(f"{k}={v!r}" for k, v in self.items()) + ")"


@functools.lru_cache(maxsize=None)
def enum_names(ctype: Any) -> dict[int, str]:
    """value -> name: what C calls it, or the enumerator without what all of them begin with."""
    known = getattr(lib, ctype.cname.replace("enum ", "") + "_name", None)
    words = {value: name.split("_") for name, value in ctype.relements.items()}
    shared = 0
    while len({tuple(w[:shared + 1]) for w in words.values()}) == 1 and all(len(w) > shared + 1 for w in words.values()):
        shared += 1
    plain = {value: "-".join(w[shared:]).lower() for value, w in words.items()}
    names = {value: text(known(value)) if known else plain[value] for value in sorted(plain) if plain[value] != "kinds"}
    return {value: name for value, name in names.items() if name not in ("", "?")}  # the rest is C's own


def enum_name(ctype: Any, value: int) -> str:
    return enum_names(ctype).get(int(value), str(int(value)))


def enum_value(ctype: Any, name: str | int) -> int:
    names = {known: value for value, known in enum_names(ctype).items()}
    if isinstance(name, str):
        if name not in names:
            raise ValueError(f"'{name}' is none of {', '.join(names)}{did_you_mean(name, names)}")
        return names[name]
    return int(name)


def did_you_mean(name: str, known: Any) -> str:
    near = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean '{near[0]}'?" if near else ""


def value_of(ctype: Any, c: Any) -> Any:
    """A field of a struct as a Python value; pointers other than texts are left out (None)."""
    if ctype.kind == "struct":
        return record(c)
    if ctype.kind == "enum":
        return enum_name(ctype, c)
    if ctype.kind == "array":
        if ctype.item.cname == "char":
            return text(c)
        if ctype.item.kind == "primitive":
            return np.frombuffer(ffi.buffer(c), dtype=dtype_of(ctype.item)).copy()
        return [value_of(ctype.item, c[i]) for i in range(ctype.length)]
    if ctype.kind == "pointer":
        return text(c) if ctype.item.cname == "char" else None
    return c


@functools.lru_cache(maxsize=None)
def fields_of(ctype: Any) -> list[tuple[str, Any, bool]]:
    """The fields of a struct that Python sees: name, type, and whether cffi gives the value as it is."""
    return [(name, field.type, field.type.kind == "primitive") for name, field in ctype.fields
            if not (field.type.kind == "pointer" and field.type.item.cname != "char")]


def record(c: Any, leave_out: Sequence[str] = ()) -> Record:
    """A struct of C, copied."""
    ctype = ffi.typeof(c)
    if ctype.kind == "pointer":
        c, ctype = c[0], ctype.item
    return Record({name: getattr(c, name) if plain else value_of(kind, getattr(c, name))
                   for name, kind, plain in fields_of(ctype) if name not in leave_out})


PRIMITIVE = {"double": "f8", "float": "f4", "_Bool": "?", "char": "i1", "unsigned char": "u1", "int": "i4",
             "int32_t": "i4", "int64_t": "i8", "uint64_t": "u8", "size_t": "u8", "long": "i8"}


@functools.lru_cache(maxsize=None)
def dtype_of(ctype: Any) -> np.dtype[Any]:
    """The numpy type with the layout of a C type."""
    if isinstance(ctype, str):
        return dtype_of(ffi.typeof(ctype))
    if ctype.kind == "enum":
        return np.dtype(f"u{ffi.sizeof(ctype)}")
    if ctype.kind == "array":
        return np.dtype((dtype_of(ctype.item), (ctype.length,)))
    if ctype.kind == "struct":
        fields = [(name, field) for name, field in ctype.fields if field.type.kind != "pointer"]
        return np.dtype({"names": [name for name, _ in fields], "formats": [dtype_of(f.type) for _, f in fields],
                         "offsets": [f.offset for _, f in fields], "itemsize": ffi.sizeof(ctype)})
    return np.dtype(PRIMITIVE[ctype.cname])


@functools.lru_cache(maxsize=None)
def row_dtype(ctype: str) -> np.dtype[Any]:
    """The same with the fields of structs within structs in one row."""
    names: list[str] = []
    formats: list[Any] = []
    offsets: list[int] = []

    def walk(dtype: np.dtype[Any], base: int) -> None:
        for name, (kind, offset, *_) in (dtype.fields or {}).items():
            if name == "id":  # 128 bits, the first word the more significant
                kind = np.dtype(("u8", (2,)))
            if kind.names:
                walk(kind, base + offset)
            else:
                names.append(name)
                formats.append(kind)
                offsets.append(base + offset)

    whole = dtype_of(ctype)
    walk(whole, 0)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": whole.itemsize})


def rows(ctype: str, count: int) -> tuple[Table, Any]:
    """Room for rows of a table, as an array and as a pointer for C."""
    table = np.zeros(count, dtype=row_dtype(ctype))
    return table, ffi.cast(f"{ctype} *", ffi.from_buffer(table.view(np.uint8) if count else bytearray(8)))


def column_names(table: Table) -> tuple[str, ...]:
    return table.dtype.names or ()


def copy_rows(ctype: str, pointer: Any, count: int) -> Table:
    """An array of structs of C, copied."""
    if count <= 0 or not pointer:
        return np.zeros(0, dtype=row_dtype(ctype))
    return np.frombuffer(ffi.buffer(pointer, count * ffi.sizeof(ctype)), dtype=row_dtype(ctype)).copy()


def doubles(pointer: Any, *shape: int) -> Floats:
    """Numbers of C, copied."""
    count = int(np.prod(shape))
    if not count:
        return np.zeros(shape)
    return np.frombuffer(ffi.buffer(pointer, count * 8), dtype=float).reshape(shape).copy()


def menu(row: Any) -> dict[str, str]:
    """A table of C with names and summaries, up to the row without a name."""
    found = {}
    while row.name:
        found[text(row.name)] = text(row.summary)
        row += 1
    return found


def let_go(owner: Any, pointer: Any) -> None:
    """What ends a view: its owner may go."""


def view(owner: Any, pointer: Any, count: int) -> Floats:
    """Numbers of C where they are, read only; they hold their owner."""
    if not count:
        return np.zeros(0)
    held = ffi.gc(pointer, functools.partial(let_go, owner))
    array = np.frombuffer(ffi.buffer(held, count * 8), dtype=float)
    array.flags.writeable = False
    return array


# ---- to C ---------------------------------------------------------------------------------------

def vector(values: Any, *shape: int, what: str = "array") -> tuple[Floats, Any]:
    """Numbers as C wants them: the array, which the caller holds, and its pointer."""
    array = np.ascontiguousarray(values, dtype=np.float64)
    if shape:
        array = array.reshape(shape) if array.size == int(np.prod(shape)) else array
        if array.shape != shape:
            raise ValueError(f"{what} must have the shape {shape}, got {np.shape(values)}")
    return array, ffi.cast("double *", ffi.from_buffer(array))


def not_a_number(kind: Any, error: BaseException, trace: Any) -> Any:
    """A function that failed: C refuses a step with numbers that are none."""
    return CALL.failed(error, float("nan"))


@ffi.def_extern(onerror=not_a_number)
def binding_on_time(self: Any, t: float, rate: Any) -> float:
    found = ffi.from_handle(ffi.cast("void *", self))(t)
    value, slope = found if isinstance(found, (tuple, list, np.ndarray)) else (found, 0.0)
    rate[0] = slope
    return float(value)


@ffi.def_extern(onerror=not_a_number)
def binding_on_energy(self: Any, e: float, slope: Any) -> float:
    value, slope[0] = ffi.from_handle(ffi.cast("void *", self))(e)
    return float(value)


class Call(threading.local):
    """The first exception of the Python functions that C called in this thread, until C has returned."""

    error: BaseException | None = None

    def failed(self, error: BaseException, answer: Any) -> Any:
        """Keep the exception; C gets the answer."""
        if self.error is None:
            self.error = error
        return answer

    def check(self) -> None:
        error, self.error = self.error, None
        if error is not None:
            raise error


CALL = Call()


def set_function(c: Any, value: Any, keep: Keep) -> None:
    """A scree_function: a number, or a Python function of t that gives a value, or value and rate."""
    if callable(value):
        handle = ffi.new_handle(value)
        keep.append(handle)
        c.at = lib.binding_on_time
        c.self = handle
        value(0.0)  # mistakes in it come out here
    else:
        c.constant = float(value)


def set_field(c: Any, name: str, ctype: Any, value: Any, keep: Keep) -> None:
    if ctype.kind == "struct" and ctype.cname.endswith("scree_function"):
        set_function(getattr(c, name), value, keep)
    elif ctype.kind == "struct":
        fill(getattr(c, name), value, keep, name)
    elif ctype.kind == "enum":
        setattr(c, name, enum_value(ctype, value))
    elif ctype.kind == "array" and ctype.item.kind == "struct":
        for i, part in enumerate(value):
            set_function(getattr(c, name)[i], part, keep)
    elif ctype.kind == "array":
        numbers = np.atleast_1d(np.asarray(value, dtype=float)).ravel()
        if len(numbers) > ctype.length:
            raise ValueError(f"{name} has at most {ctype.length} numbers, got {len(numbers)}")
        for i, number in enumerate(numbers):
            getattr(c, name)[i] = number
    elif ctype.kind == "pointer" and ctype.item.cname == "char":
        keep.append(ffi.new("char[]", os.fsencode(value)))
        setattr(c, name, keep[-1])
    elif ctype.kind == "pointer":
        array = np.ascontiguousarray(value, dtype=dtype_of(ctype.item))
        keep.append(array)
        setattr(c, name, ffi.cast(ctype, ffi.from_buffer(array)))
    elif ctype.cname in ("double", "float"):
        setattr(c, name, float(value))
    else:
        setattr(c, name, bool(value) if ctype.cname == "_Bool" else int(value))


def fill(c: Any, values: Mapping[str, Any], keep: Keep, what: str) -> Any:
    """Set fields of a struct by their names; arrays and texts that it points to are added to keep."""
    ctype = ffi.typeof(c)
    fields = dict((ctype.item if ctype.kind == "pointer" else ctype).fields)
    for name, value in values.items():
        if name not in fields:
            raise TypeError(f"{what} has no '{name}', it has: {', '.join(fields)}{did_you_mean(name, fields)}")
        try:
            set_field(c, name, fields[name].type, value, keep)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{what}: {name}: {error}") from None
    return c


def guarded() -> bool:
    """May this call look after Ctrl-C? Signals are the main thread's."""
    return threading.get_ident() == MAIN_THREAD


Progress = Callable[[int, int], Any]
