# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""A run that may be larger than memory, read piece by piece: how far its bodies have come, and its forces at one moment.

prints: 301 states, 31 of them in memory; lowest centre 0.00* m; * contacts bear at 0.2 s
"""
import numpy as np
import scree

sim = scree.open("dominoes", {"scheme.duration": 0.3})
sim.run("dominoes.h5", progress=False)

with scree.Run("dominoes.h5") as run:
    lowest = np.inf
    for first in range(0, run.frames, 100):  # a hundred states at a time
        q, v = run.states(slice(first, first + 100))
        lowest = min(lowest, q.reshape(len(q), -1, 7)[:, 1:, 2].min())
    every_tenth, _ = run.states(slice(None, None, 10))  # what lies between is not read
    contacts = run.contacts_at(run.frame_at(0.2))
    print(f"{run.frames} states, {len(every_tenth)} of them in memory; lowest centre {lowest:.4f} m; "
          f"{(contacts['status'] > 1).sum()} contacts bear at 0.2 s")
