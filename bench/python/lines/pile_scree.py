# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
import scree

model = scree.Model(gravity=(0, 0, -9.81), space=3)
model.body("ground", fixed=True, shapes=[scree.Shape("plane", normal=(0, 0, 1))])
for i in range(27):
    place = (0.21 * (i % 3) + 0.02 * (i // 9), 0.21 * (i // 3 % 3) + 0.01 * (i // 9), 0.1 + 0.21 * (i // 9))
    model.body(f"ball{i}", density=1000, position=place, shapes=[scree.Shape("sphere", radius=0.1)])
model.law(friction=0.5)
run = model.simulate(step=5e-3, duration=0.5).run("pile.h5")
print("highest %.2f" % run.q[-1].reshape(-1, 7)[1:, 2].max())
