# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""The library links no code under the GPL: test_licences.py NM READELF LIBRARY."""

import re
import subprocess
import sys

# SuiteSparse's modules under the GPL, as Debian's copyright file lists them; CHOLMOD as a whole,
# because its one shared library holds them
GPL_SYMBOL = re.compile(r"^(cholmod|umfpack|spqr|SuiteSparseQR|RB[a-z]+_|Mongoose|mongoose)")
GPL_LIBRARY = re.compile(r"^lib(cholmod|umfpack|spqr|rbio|mongoose)\b")

nm, readelf, library = sys.argv[1:]


def lines(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


symbols = [line.split()[-1].split("@")[0] for line in lines(nm, "-D", "--undefined-only", library)]
libraries = re.findall(r"\(NEEDED\).*\[(.+?)\]", "\n".join(lines(readelf, "-d", library)))

checks = {
    "the symbols were read": "amd_order" in symbols,
    "the libraries were read": any(name.startswith("libamd.") for name in libraries),
    "no symbol under the GPL": not [name for name in symbols if GPL_SYMBOL.match(name)],
    "no library under the GPL": not [name for name in libraries if GPL_LIBRARY.match(name)],
}
for name, holds in checks.items():
    if not holds:
        print(f"FAILED {name}: {library}")
failed = list(checks.values()).count(False)
print(f"{len(checks) - failed} passed, {failed} failed")
sys.exit(failed > 0)
