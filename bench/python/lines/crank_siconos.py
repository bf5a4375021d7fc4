# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
import h5py
import siconos.kernel as sk
import siconos.numerics as sn
from siconos.io.mechanics_run import MechanicsHdf5Runner
from siconos.mechanics.collision.bullet import SiconosBulletOptions

with MechanicsHdf5Runner(io_filename="crank.hdf5") as io:
    # no motor: the crank is given its speed and an inertia that keeps it
    io.add_object("crank", [], mass=0.5, inertia=[1e6] * 3, translation=[0.05, 0, 0], velocity=[0, 0.5, 0, 0, 0, 10])
    io.add_object("rod", [], mass=0.4, inertia=[2e-3] * 3, translation=[0.2, 0, 0], velocity=[0, 0.5, 0, 0, 0, -5])
    io.add_object("piston", [], mass=1, inertia=[1e-3] * 3, translation=[0.3, 0, 0], velocity=[0] * 6)
    io.add_joint("shaft", "crank", None, points=[[0, 0, 0]], axes=[[0, 0, 1]], joint_class="PivotJointR", absolute=True)
    io.add_joint("pin", "crank", "rod", points=[[0.1, 0, 0]], axes=[[0, 0, 1]], joint_class="PivotJointR", absolute=True)
    io.add_joint("wrist", "rod", "piston", points=[[0.3, 0, 0]], axes=[[0, 0, 1]], joint_class="PivotJointR", absolute=True)
    io.add_joint("rail", "piston", None, points=[], axes=[[1, 0, 0]], joint_class="PrismaticJointR", absolute=True)
with MechanicsHdf5Runner(mode="r+", io_filename="crank.hdf5") as io:
    solver = sk.solver_options_create(sn.SICONOS_GENERIC_MECHANICAL_NSGS)
    io.run(set_external_forces=lambda body: None, t0=0, T=0.3142, h=1e-4,
           theta=0.5, bullet_options=SiconosBulletOptions(), solver_options=solver, verbose=False)
with h5py.File("crank.hdf5") as file:
    rows = file["data/dynamic"][:]
print("piston %.3f" % rows[(rows[:, 0] == rows[:, 0].max()) & (rows[:, 1] == 3), 2][0])
