# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""A run drawn by h5py and matplotlib alone, from what docs/run-file.md says: rigid bodies of all shapes, elastic meshes,
joints, contact forces, the cell of a periodic world, units; in space seen along y. Of a system its coordinates.

draw_run.py RUN FRAME PICTURE: prints what was drawn as JSON.
"""

import json
import sys

import h5py
import matplotlib
import numpy as np

matplotlib.use("agg")
import matplotlib.pyplot as plt


def turned(q, space):
    """Place and rotation of a body, from its row of q."""
    if space == 2:
        c, s = np.cos(q[2]), np.sin(q[2])
        return np.array([q[0], q[1], 0]), np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    w, x, y, z = q[3:7]
    return q[:3], np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


class Picture:
    """One state of a run."""

    def __init__(self, path, frame):
        self.file = h5py.File(path, "r")
        self.model, self.space = self.file["model"], int(self.file["model"].attrs["space"])
        self.frame = range(len(self.file["q"]))[frame]
        self.time, self.q = self.file["frames/time"][self.frame], self.file["q"][self.frame]
        self.seen = [0, 1] if self.space == 2 else [0, 2]
        self.axes = plt.figure(figsize=(8, 6)).gca()
        self.drawn = {}

    def count(self, what, more=1):
        """Keep account."""
        self.drawn[what] = self.drawn.get(what, 0) + int(more)

    def pose(self, body, q):
        """Of a row of model/bodies in a row of q; of the ground, and of what has no pose, none."""
        row = self.model["bodies"][body] if body >= 0 else None
        if row is None or row["kind"] != b"rigid":
            return np.zeros(3), np.eye(3)
        return turned(q[row["coordinate"]:][:row["coordinates"]], self.space)

    def line(self, points, colour):
        """Through places in space."""
        points = np.atleast_2d(points)
        self.axes.plot(points[:, self.seen[0]], points[:, self.seen[1]], color=colour, linewidth=0.8)

    def bodies(self):
        """Those that are there at this time, shape by shape."""
        rows, vertices = self.model["bodies"][:], self.model["vertices"][:]
        first, corner = self.model["face_first"][:], self.model["face_vertices"][:]
        for s in self.model["shapes"][:]:
            body = rows[s["body"]]
            if not body["birth"] <= self.time <= body["removal"]:
                continue
            place, rotation = self.pose(s["body"], self.q)
            colour = "grey" if body["fixed"] or body["driven"] else "black"
            if s["ball"]:
                at = rotation @ s["at"] + place
                self.axes.add_patch(plt.Circle(at[self.seen], s["radius"], fill=False, color=colour))
            outline = vertices[s["first_vertex"]:][:s["vertices"]] @ rotation.T + place
            faces = [corner[first[k]:first[k + 1]] for k in range(s["first_face"], s["first_face"] + s["faces"])]
            if faces and self.space == 3:
                for face in faces:
                    points = vertices[face] @ rotation.T + place
                    self.line(np.vstack([points, points[:1]]), colour)
            elif len(outline):
                self.line(outline if s["line"] else np.vstack([outline, outline[:1]]), colour)
            self.count("obstacles" if colour == "grey" else "shapes")

    def meshes(self):
        """Elastic bodies, where their nodes have gone to."""
        for mesh in self.model.get("elastic", {}).values():
            x = mesh["nodes"][:]
            u = self.q[mesh.attrs["coordinate"]:][:x.size].reshape(x.shape)
            y = np.hstack([x + u, np.zeros((len(x), 3 - self.space))])
            for facet in mesh["facets"][:]:
                corners = facet[facet >= 0]
                self.line(y[np.append(corners, corners[:1])], "tab:blue")
            self.count("meshes")

    def joints(self):
        """From the anchor on one body to that on the other: a point where they hold together."""
        start = self.file["q"][0]
        for joint in self.model["joints"][:] if "joints" in self.model else ():
            ends = []
            for body, anchor in ((joint["a"], joint["anchor_a"]), (joint["b"], joint["anchor_b"])):
                (place, rotation), (now, turn) = self.pose(body, start), self.pose(body, self.q)
                ends.append(turn @ (rotation.T @ (np.resize(anchor, 3) - place)) + now)
            self.line(np.array(ends), "tab:green")
            self.axes.plot(*np.array(ends)[:, self.seen].T, "o", color="tab:green", markersize=3)
            rigid = all(body == -1 or body >= 0 for body in (joint["a"], joint["b"]))
            if joint["kind"] == b"hinge" and rigid:
                self.drawn["apart"] = max(self.drawn.get("apart", 0), float(np.linalg.norm(ends[1] - ends[0])))
            self.count("joints")

    def forces(self):
        """On side a, as arrows."""
        frames, contacts, step = self.file["frames"], self.file["contacts"], self.file["options"].attrs["step"]
        first, count = frames["first_contact"][self.frame], frames["contacts"][self.frame]
        rows = slice(first, first + count)
        n, x, p = (np.asarray(contacts[name][rows], "f8") for name in ("normal", "point", "impulse"))
        if not count:
            return
        if self.space == 2:
            tangents = [np.stack([-n[:, 1], n[:, 0]], 1)]
        else:
            s = np.where(np.signbit(n[:, 2]), -1.0, 1.0)
            c = -1 / (s + n[:, 2])
            own = np.stack([1 + s * n[:, 0]**2 * c, s * n[:, 0] * n[:, 1] * c, -s * n[:, 0]], 1)
            stored = contacts["tangent"][rows]
            t = np.where((stored == 0).all(1)[:, None], own, stored)
            tangents = [t, np.cross(n, t)]
        force = n * p[:, :1] / step
        for k, t in enumerate(tangents):
            force = force + t * p[:, k + 1:k + 2] / step
        acts = (n != 0).any(1) & (force != 0).any(1)  # joints and systems have no place
        x, force = x[acts], force[acts]
        self.axes.quiver(*x[:, self.seen].T, *force[:, self.seen].T, color="red", angles="xy", width=0.003)
        self.count("forces", acts.sum())
        self.drawn["sum"] = [float(value) for value in force.sum(0)]

    def cell(self):
        """What repeats itself."""
        if "periodic" in self.model.attrs:
            for axis, length in zip("xyz", self.model.attrs["periodic"]):
                if length > 0 and axis in ("xy" if self.space == 2 else "xz"):
                    draw = self.axes.axvline if axis == "x" else self.axes.axhline
                    draw(0, linestyle=":"), draw(length, linestyle=":")
                    self.drawn[f"period {axis}"] = float(length)

    def system(self):
        """Coordinates of a system or mechanism over time."""
        count = int(self.model.attrs["system_coordinates"])
        if count and not len(self.model["bodies"]):
            self.axes.plot(self.file["frames/time"][:], self.file["q"][:, -count:])
            self.count("coordinates", count)
            return True
        return False

    def draw(self, path):
        """All of it."""
        units = {name: self.file.attrs[f"unit_{name}"].decode() for name in ("length", "time", "mass")}
        if not self.system():
            for part in (self.bodies, self.meshes, self.joints, self.forces, self.cell):
                part()
            self.axes.set_aspect("equal")
            self.axes.set_xlabel(f"x [{units['length']}]")
        self.axes.set_title(f"{self.file.attrs['title'].decode()}, t = {self.time:g} {units['time']}")
        self.axes.figure.savefig(path)
        return {**self.drawn, "units": units}


if __name__ == "__main__":
    print(json.dumps(Picture(sys.argv[1], int(sys.argv[2])).draw(sys.argv[3])))
