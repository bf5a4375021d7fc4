# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
# The module that cffi makes of the headers: what it has is as in C and has no types in Python.
from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

class FFI:
    def def_extern(self, *, onerror: Callable[..., Any] = ...) -> Callable[[Function], Function]: ...
    def __getattr__(self, name: str) -> Any: ...

ffi: FFI
lib: Any
