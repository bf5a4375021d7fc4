# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Scenes in the layout of Siconos' mechanics (siconos.io.mechanics_hdf5 of 4.4.0), written with h5py alone."""

import h5py
import numpy


class Scene:
    """What MechanicsHdf5 writes, with its names of attributes."""

    def __init__(self, path, dimension=3):
        self.file = h5py.File(path, "w")
        self.file.attrs["dimension"] = dimension
        self.dimension = dimension
        data = self.file.create_group("data")
        for name in ("ref", "input", "nslaws", "joints", "boundary_conditions", "permanent_interactions",
                     "external_functions", "plugins", "log"):
            data.create_group(name)
        for name, columns in (("static", 9), ("dynamic", 9), ("velocities", 8), ("cf", 26), ("solv", 4)):
            data.create_dataset(name, (0, columns), dtype="f4", maxshape=(None, columns), chunks=(4000, columns))
        self.data = data
        self.moving = self.standing = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def primitive(self, name, kind, numbers, **margins):
        shape = self.data["ref"].create_dataset(name, data=numpy.array([numbers], dtype="f4"))
        shape.attrs["type"] = "primitive"
        shape.attrs["primitive"] = kind
        shape.attrs.update(margins)

    def convex(self, name, points):
        shape = self.data["ref"].create_dataset(name, data=numpy.array(points, dtype="f4"))
        shape.attrs["type"] = "convex"

    def height_map(self, name, heights, sides):
        shape = self.data["ref"].create_dataset(name, data=numpy.array(heights, dtype=float))
        shape.attrs["type"] = "heightmap"
        shape.attrs["rect"] = sides

    def body(self, name, contactors, translation, mass=None, group=0, **more):
        """contactors: names of shapes, or tuples (shape, translation, quaternion, group)."""
        body = self.data["input"].create_group(name)
        plane = self.dimension == 2
        body.attrs["type"] = "static" if mass is None else "dynamic"
        body.attrs["translation"] = translation
        body.attrs["orientation"] = more.pop("orientation", [0.0] if plane else [1, 0, 0, 0])
        body.attrs["velocity"] = more.pop("velocity", [0] * (3 if plane else 6))
        body.attrs["center_of_mass"] = more.pop("center_of_mass", [0, 0, 0])
        body.attrs["allow_self_collide"] = False
        if mass is None:
            self.standing += 1
            body.attrs["id"] = -self.standing
        else:
            self.moving += 1
            body.attrs["mass"] = mass
            body.attrs["id"] = self.moving
        body.attrs.update(more)
        for number, one in enumerate(contactors):
            shape, at, turn, mine = one if isinstance(one, tuple) else (one, [0, 0, 0], [1, 0, 0, 0], group)
            set_ = body.create_dataset(f"{shape}-{number}", (0,))
            set_.attrs.update(instance_name=f"{shape}-{number}", shape_name=shape, group=mine,
                              translation=at, orientation=turn)

    def law(self, name, kind="NewtonImpactFrictionNSL", groups=(0, 0), **numbers):
        law = self.data["nslaws"].create_dataset(name, (0,))
        law.attrs.update(type=kind, gid1=groups[0], gid2=groups[1], **numbers)

    def joint(self, name, kind, first, second=None, **more):
        joint = self.data["joints"].create_dataset(name, (0,))
        joint.attrs.update(type=kind, object1=first)
        if second:
            joint.attrs["object2"] = second
        for key, value in more.items():
            joint.attrs[key] = numpy.array(value, dtype="S") if key in ("nslaws", "friction", "references") else value

    def condition(self, name, kind, body, indices, **numbers):
        one = self.data["boundary_conditions"].create_dataset(name, (0,))
        one.attrs.update(type=kind, object1=body, indices=indices, **numbers)

    def answers(self, times, rows):
        """rows(time): (id, position, quaternion, velocity, spin) of every body."""
        dynamic, velocities = [], []
        for time in times:
            for number, place, turn, velocity, spin in rows(time):
                dynamic.append([time, number, *place, *turn])
                velocities.append([time, number, *velocity, *spin])
        for name, table in (("dynamic", dynamic), ("velocities", velocities)):
            self.data[name].resize(len(table), 0)
            self.data[name][:] = table
