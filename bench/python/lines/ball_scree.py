# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
import scree

model = scree.Model(gravity=(0, 0, -9.81), space=3)
model.body("ground", fixed=True, shapes=[scree.Shape("plane", normal=(0, 0, 1))])
model.body("ball", density=1000, position=(0, 0, 1.1), shapes=[scree.Shape("sphere", radius=0.1)])
model.law(restitution=0.7)
run = model.simulate(step=1e-3, duration=3).run("ball.h5")
print("height %.3f" % run.body("ball").position[run.time > 0.5, 2].max())
