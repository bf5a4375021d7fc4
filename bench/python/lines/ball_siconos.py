# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
import h5py
import siconos.kernel as sk
import siconos.numerics as sn
from siconos.io.mechanics_run import MechanicsHdf5Runner
from siconos.mechanics.collision.bullet import SiconosBulletOptions
from siconos.mechanics.collision.tools import Contactor

with MechanicsHdf5Runner(io_filename="ball.hdf5") as io:
    io.add_primitive_shape("Ball", "Sphere", (0.1,))
    io.add_primitive_shape("Ground", "Box", (10, 10, 0.1))
    io.add_Newton_impact_friction_nsl("contact", mu=0.0, e=0.7)
    io.add_object("ground", [Contactor("Ground")], translation=[0, 0, -0.05])
    m = 1000 * 4 / 3 * 3.141592653589793 * 0.1**3
    io.add_object("ball", [Contactor("Ball")], mass=m, inertia=[0.4 * m * 0.01] * 3,
                  translation=[0, 0, 1.1], velocity=[0] * 6)
with MechanicsHdf5Runner(mode="r+", io_filename="ball.hdf5") as io:
    options = SiconosBulletOptions()
    options.worldScale = 1.0
    solver = sk.solver_options_create(sn.SICONOS_FRICTION_3D_NSGS)
    solver.dparam[sn.SICONOS_DPARAM_TOL] = 1e-8
    io.run(gravity_scale=1, t0=0, T=3, h=1e-3, theta=0.5, bullet_options=options, solver_options=solver, verbose=False)
with h5py.File("ball.hdf5") as file:
    rows = file["data/dynamic"][:]
print("height %.3f" % rows[rows[:, 0] > 0.5, 4].max())
