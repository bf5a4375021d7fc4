# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Boxes are put on a belt every quarter of a second and taken off behind a metre; what they bring and take is booked.

prints: 8 boxes on the belt, 24 in all; 25.40 J brought and taken, ledger closed to *e-14 J
"""
import scree

SPEED = 0.5  # of the belt [m/s]

model = scree.Model(gravity=(0, -9.81))
belt = scree.Shape("half-plane", normal=(0, 1))
model.body("belt", driven=True, path={"along": (lambda t: (SPEED * t, SPEED), 0)}, shapes=[belt])
model.law(friction=0.5)
sim = model.simulate(step=1e-3)
there: list[str] = []
for k in range(24):
    box = sim.add_body(f"box-{k}", density=1000, position=(0, 0.05), shapes=[scree.Shape("box", size=(0.1, 0.1))])
    there.append(box.name)
    sim.step(250)
    while sim.body(there[0]).position[0] > 1:
        sim.remove_body(there.pop(0))
print(f"{len(there)} boxes on the belt, {len(sim.bodies) - 1} in all; {sim.totals.exchange:.2f} J brought and taken, "
      f"ledger closed to {sim.totals.residual_max:.0e} J")
