# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs over two parameters in processes of their own, as a table of pandas; a scene that is wrong comes back as what it is.

prints: *0.90  5.212  11.418*restitution must be at least 0 and at most 1, got 1.5
"""
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pandas
import scree


def one(values: tuple[float, float]) -> dict[str, Any]:
    e, h0 = values
    sim = scree.open("bouncing-ball", parameters={"e": e, "h0": h0})
    sim.run(progress=False)
    return {"e": e, "h0": h0, "energy": sim.energy, "verdict": sim.verdict}


if __name__ == "__main__":
    grid = [(e, h0) for e in (0.5, 0.9, 0.95) for h0 in (1.0, 2.0)]
    with ProcessPoolExecutor(2) as pool:
        table = pandas.DataFrame(list(pool.map(one, grid)))
        print(table.pivot(index="e", columns="h0", values="energy").round(3))
        try:
            pool.submit(one, (1.5, 1.0)).result()
        except scree.SceneError as error:
            print(f"line {error.line}: {error.text}")
