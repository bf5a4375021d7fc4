# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""make_binding.py COMPILER HEADER OUTPUT INCLUDE...: the C source of the module scree._binding.

The declarations that cffi is told are what the C preprocessor makes of HEADER and of the headers of this
project that it includes, so that nothing is written twice; the C compiler then checks every layout against
the same headers. The module keeps to CPython's limited API: one binary for all of its versions.
"""
import pathlib
import re
import subprocess
import sys

import cffi


def preprocess(compiler, header, include):
    """What the headers below `include` declare, without what the system's declare."""
    command = [compiler, "-E", "-std=c17", "-D_GNU_SOURCE", "-DSCREE_CDEF", *(f"-I{x}" for x in include), str(header)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    ours = [pathlib.Path(x).resolve() for x in include]
    kept, keep = [], False
    for line in text.split("\n"):
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            place = pathlib.Path(marker.group(1)).resolve()
            keep = any(x in place.parents for x in ours)
        elif keep:
            kept.append(line)
    return "\n".join(kept)


def without(text, pattern):
    """The text without what begins with the pattern, up to the end of its outermost brackets."""
    while found := re.search(pattern, text):
        end, depth = found.end(), 0
        while True:
            depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(text[end], 0)
            end += 1
            if depth == 0 and text[end - 1] in ")}":
                break
        text = text[:found.start()] + text[end:]
    return text


def declarations(compiler, header, include):
    text = without(preprocess(compiler, header, include), r"__attribute__\s*(?=\()")
    text = without(text, r"static inline [^{;]*(?=\{)")
    return re.sub(r"\n\s*\n+", "\n", text)


def main():
    compiler, header, output, *include = sys.argv[1:]
    ffi = cffi.FFI()
    ffi.cdef(declarations(compiler, header, include))
    callbacks = pathlib.Path(header).with_name("callbacks.h").read_text()
    ffi.cdef('extern "Python" {' + re.sub(r"//[^\n]*|#[^\n]*", "", callbacks) + "}")
    ffi.set_source("scree._binding", f'#include "{header}"\n', py_limited_api=True)
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main()
