# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where a scene comes from: a built-in name, a file, a text, or a mapping; and what is changed in it."""
from __future__ import annotations

import errno
import json
import os
from collections.abc import Mapping
from typing import Any, Union

import numpy as np

from ._binding import ffi, lib
from ._core import FileMissing, Findings, Keep, Record, check, did_you_mean, fill, new_error, text
Scene = Union[str, "os.PathLike[str]", Mapping[str, Any]]


def plain(value: Any) -> Any:
    """numpy's numbers and arrays as Python's own."""
    if isinstance(value, (np.generic, np.ndarray)):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, (list, tuple)) else value


def as_yaml(value: Any, indent: int | None = None) -> str:
    """A value in the language of scenes: YAML has all of JSON.

    >>> as_yaml(1e-4), as_yaml(True), as_yaml([0, -9.81]), as_yaml("auto")
    ('0.0001', 'true', '[0, -9.81]', 'auto')
    """
    value = plain(value)
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, allow_nan=False, indent=indent)
    except ValueError:
        raise ValueError(f"{value!r}: numbers of a scene are finite") from None
    except TypeError:
        raise TypeError(f"{value!r}: a scene has numbers, texts, truth values, lists and mappings") from None


def paths(changes: Mapping[str, Any], before: str = "") -> list[str]:
    """What is changed, as "path=value"; sections may be mappings.

    >>> paths({"scheme.step": 1e-3, "scheme": {"duration": 2}})
    ['scheme.step=0.001', 'scheme.duration=2']
    """
    if not isinstance(changes, Mapping):
        raise TypeError(f'overrides are a mapping, as {{"scheme.step": 1e-4}}, got {changes!r}')
    found = []
    for key, value in changes.items():
        path = before + str(key).replace("__", ".")
        try:
            found += paths(value, path + ".") if isinstance(value, Mapping) else [f"{path}={as_yaml(value)}"]
        except (TypeError, ValueError) as error:
            raise type(error)(f"{path} = {error}") from None
    return found


def c_texts(texts: list[str]) -> tuple[Any, Keep]:
    keep = [ffi.new("char[]", part.encode()) for part in texts]
    return ffi.new("const char *[]", keep or [ffi.NULL]), keep


def scene_body(scene: Scene) -> tuple[bytes, bytes | None]:
    """What C calls a scene, and its text where it is given: None where it is a file or a built-in one."""
    if isinstance(scene, Mapping):
        return b"<mapping>", as_yaml(scene, indent=1).encode()
    if isinstance(scene, str) and "\n" in scene:
        return b"<text>", scene.encode()
    return os.fsencode(scene), None


def open_c(scene: Scene, changes: list[str], findings: Any) -> Any:
    """The simulation of a scene, NULL with findings where there are mistakes."""
    overrides, keep = c_texts(changes)
    name, body = scene_body(scene)
    if body is None:
        return lib.cli_open_named(name, overrides, len(changes), findings)
    return lib.scree_simulation_parse(name, body, len(body), overrides, len(changes), findings)


def changes_of(overrides: Mapping[str, Any] | None, more: Mapping[str, Any]) -> list[str]:
    return paths(overrides or {}) + paths(more)


def opened(scene: Scene, changes: list[str]) -> Any:
    """The same, and an exception for mistakes."""
    with Findings() as found:
        return found.check(open_c(scene, changes, found.c))


def scenes() -> dict[str, str]:
    """The built-in scenes: name -> what it shows.

    >>> "bouncing-ball" in scenes()
    True
    """
    found, row, buffer = {}, lib.cli_scene_list + 0, ffi.new("char[]", 200)
    while row.name:
        lib.cli_scene_about(row, buffer, 200)
        found[text(row.name)] = text(buffer)
        row += 1
    return found


def scene_text(name: str) -> str:
    """The text of a built-in scene, to start from."""
    row = lib.cli_scene_find(name.encode())
    if not row:
        raise KeyError(f"there is no built-in scene '{name}'{did_you_mean(name, scenes())}")
    return ffi.string(row.text).decode()


def import_scene(path: str | os.PathLike[str], **options: Any) -> Record:
    """A file of another program (Siconos' mechanics, OBJ, CSV, MJCF, URDF) as a scene: its text `scene`, which
    `scree.open` takes, `notes` on what was not carried over, `bodies`, `joints`. Options are those of
    scree_import_options: format, step, duration, gravity, density, friction, ... (docs/import.md)."""
    if not os.path.exists(path):
        raise FileMissing(errno.ENOENT, "there is no such file", os.fspath(path))
    keep: Keep = []
    c = fill(ffi.new("scree_import_options *", lib.scree_import_options_default()), options, keep, "import_scene")
    found, err = ffi.new("scree_imported *"), new_error()
    try:
        check(lib.scree_import(os.fsencode(path), c, found, err), err)
        return Record(scene=text(found.scene), notes=[text(found.note[i]) for i in range(found.notes)],
                      bodies=found.bodies, joints=found.joints)
    finally:
        lib.scree_imported_free(found)


def warnings_of(c: Any) -> list[Record]:
    return [Record(file=text(c.item[i].file), line=c.item[i].line, column=c.item[i].column, text=text(c.item[i].text))
            for i in range(c.count)]
