#!/usr/bin/python3
# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""siconos_nsgs.py - the rival of bench/scaling: Gauss-Seidel of Debian's Siconos on one problem.

in: a text file, a tolerance (Siconos' own), where the reactions go.   out: processor seconds of the
solver alone and its sweeps, on one line; or a line that begins with SKIPPED.

The library is called through its C interface. Of its set-ups for packings the fast one: exact
contacts by Newton's method, the error of a sweep measured by its steps
(bench/rivals/siconos_solvers.py has the whole list).
"""

import ctypes
import os
import sys
import time

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # before the library is there
    os.environ[variable] = "1"

LIBRARY = "libsiconos_numerics.so.7"
NSGS, NEWTON = 500, 551  # ids: the sweeps, and what solves one contact
SWEEPS, DONE, LIGHT = 0, 1, 7  # of iparam


class Options(ctypes.Structure):
    """The head of struct SolverOptions."""

    _fields_ = [("id", ctypes.c_int), ("set", ctypes.c_bool),
                ("iparams", ctypes.c_int), ("iparam", ctypes.POINTER(ctypes.c_int)),
                ("dparams", ctypes.c_int), ("dparam", ctypes.POINTER(ctypes.c_double))]


def main():
    path, tolerance, answer = sys.argv[1], float(sys.argv[2]), sys.argv[3]
    try:
        lib = ctypes.CDLL(LIBRARY)
    except OSError:
        print("SKIPPED: Siconos, it needs libsiconos-numerics7 (Debian: python3-siconos)")
        return 0
    lib.numerics_set_verbose(0)
    lib.frictionContact_new_from_filename.restype = ctypes.c_void_p
    lib.solver_options_create.restype = ctypes.POINTER(Options)
    problem = ctypes.c_void_p(lib.frictionContact_new_from_filename(path.encode()))
    options = lib.solver_options_create(NSGS)
    lib.solver_options_update_internal(options, ctypes.c_size_t(0), NEWTON)
    options.contents.iparam[SWEEPS] = 100000
    options.contents.iparam[LIGHT] = 1
    options.contents.dparam[0] = tolerance
    with open(path, encoding="ascii") as file:
        size = int(file.readline()) * int(file.readline())
    reaction, velocity = (ctypes.c_double * size)(), (ctypes.c_double * size)()
    start = time.process_time()
    lib.fc3d_driver(problem, reaction, velocity, options)
    seconds = time.process_time() - start
    with open(answer, "wb") as file:
        file.write(reaction)
    print(seconds, options.contents.iparam[DONE])
    return 0


if __name__ == "__main__":
    sys.exit(main())
