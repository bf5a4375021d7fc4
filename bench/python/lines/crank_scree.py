# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
import scree

model = scree.Model()
model.body("crank", mass=0.5, inertia=1e-3, position=(0.05, 0))
model.body("rod", mass=0.4, inertia=2e-3, position=(0.2, 0))
model.body("piston", mass=1, inertia=1e-3, position=(0.3, 0))
shaft = model.joint("hinge", "crank", anchor=(0, 0))
model.joint("hinge", "crank", "rod", anchor=(0.1, 0))
model.joint("hinge", "rod", "piston", anchor=(0.3, 0))
model.joint("slider", "piston", axis=(1, 0))
model.motor(shaft, "velocity", target=10)
sim = model.simulate(step=1e-4)
sim.step(3142)
print("piston %.3f" % sim.body("piston").position[0])
