# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""A reader of run files that shares nothing with scree but docs/run-file.md: h5py and numpy.

    read_run.py RUN[:WHAT,...] ...     every digest; and the tables WHAT of scree export, which are
                                       in files RUN.WHAT, made of the file alone; prints what is wrong
"""
import csv
import sys

import h5py
import numpy as np

C = np.uint64(0x9e3779b97f4a7c15)
HALF = np.uint64(32)
STATUSES = ["inactive", "open", "stick", "slip"]


def digest(words):
    """Of the last axis of an array of words."""
    n = words.shape[-1]
    with np.errstate(over="ignore"):
        a = np.uint64(1) + words.sum(-1, dtype="u8")
        b = np.uint64(n) + (words * np.arange(n, 0, -1, dtype="u8")).sum(-1, dtype="u8")
        return (a * C) >> HALF << HALF | (b * C) >> HALF


def words(array):
    """Numbers as words of 64 bits, a row for each row of the array."""
    wide = array.astype("<f8" if array.dtype.kind == "f" else "<u8" if array.dtype.kind == "u" else "<i8")
    return np.ascontiguousarray(wide).view("<u8").reshape(len(array), int(np.prod(array.shape[1:])))


def of_bytes(block):
    """Bytes, the last word filled up."""
    return digest(np.frombuffer(block + b"\0" * (-len(block) % 8), "<u8"))


def of_attributes(attributes):
    """In the order of their names, the digest left out: the name, then a text's bytes or a number as a word."""
    found = []
    for name in sorted(attributes):
        value = attributes[name]
        wide = value if isinstance(value, bytes) else value.astype("<f8" if value.dtype.kind == "f" else "<i8").tobytes()
        for block in (name.encode(), wide) if name != "digest" else ():
            found.append(np.frombuffer(block + b"\0" * (-len(block) % 8), "<u8"))
    return digest(np.concatenate(found))


def text(value):
    """A text of HDF5."""
    return value.decode() if isinstance(value, bytes) else str(value)


class Run:
    """An open run file."""

    def __init__(self, path):
        self.file = h5py.File(path, "r")
        self.model, self.options = self.file["model"], self.file["options"].attrs
        self.space, self.dimension = self.model.attrs["space"], self.model.attrs["dimension"]
        self.bodies = self.model["bodies"][:]
        self.names = [text(name) for name in self.bodies["name"]]
        self.rows = {table: self.columns(table) for table in ("steps", "frames", "contacts")}

    def columns(self, table):
        """All columns of a table in their order."""
        group = self.file[table]
        return {name: group[name][:] for name in text(group.attrs["columns"]).split()}

    # ---- digests ----

    def row_digests(self, table):
        """Of each row, its column of digests left out."""
        rows = [words(column) for name, column in self.rows[table].items() if name != "digest"]
        return digest(np.concatenate(rows, axis=1))

    def state_digests(self, *names):
        """Of arrays that every state has."""
        return digest(np.concatenate([words(self.file[name][:]) for name in names], axis=1))

    def contact_digests(self):
        """Of the contacts of each state."""
        one = self.row_digests("contacts")
        frames = self.rows["frames"]
        return np.array([digest(one[f:f + n]) for f, n in zip(frames["first_contact"], frames["contacts"])])

    def wrong(self):
        """What does not have its digest."""
        found = []

        def hold(what, got, said):
            bad = np.flatnonzero(np.atleast_1d(got != said))
            if len(bad):
                found.append(f"{what} {bad[0]}")

        for name, said in zip(self.file["digests/name"][:], self.file["digests/digest"][:]):
            hold(text(name), of_bytes(self.file[text(name)][()].tobytes()), said)
        if of_attributes(self.options) not in self.options["digest"]:
            found.append("options")
        steps, frames = self.rows["steps"], self.rows["frames"]
        hold("step", self.row_digests("steps"), steps["digest"])
        hold("frame", self.row_digests("frames"), frames["digest"])
        hold("state", self.state_digests("q", "v"), frames["state_digest"])
        hold("contacts", self.contact_digests(), frames["contacts_digest"])
        if "stress" in self.file:
            hold("stress", self.state_digests("strain", "stress"), frames["stress_digest"])
        if "reactions" in self.file:
            hold("reactions", self.state_digests("reactions"), frames["reactions_digest"])
        end = self.file["end"][()]
        both = np.array([digest(steps["digest"]), digest(frames["digest"])], dtype="u8")
        hold("whole", digest(both), end["digest"])
        hold("end", of_bytes(end.tobytes()[:-8]), end["check"])
        stopped = self.file["stopped"][()]
        hold("stopped", of_bytes(stopped.tobytes()[:-8]), stopped["digest"])
        hold("lengths", [len(steps["step"]), len(frames["step"]), len(self.rows["contacts"]["gap"])],
             [end["steps"], end["frames"], end["contacts"]])
        return found

    # ---- tables ----

    def energy(self, header):
        """Columns have the names of the file; what is not there is 0."""
        steps = self.rows["steps"]
        none = np.zeros(len(steps["step"]))
        for row in zip(*(steps.get(name, none) for name in header)):
            yield row

    def states(self):
        """Step, time, q and v."""
        frames = self.rows["frames"]
        yield from zip(frames["step"], frames["time"], self.file["q"][:], self.file["v"][:])

    def system(self):
        """Where the coordinates of a system begin in q and in v, and how many there are."""
        rigid = self.bodies[self.bodies["kind"] == b"rigid"]
        return rigid["coordinates"].sum(), rigid["dofs"].sum(), self.model.attrs["system_coordinates"]

    def body_rows(self, header):
        """Rigid bodies that are not fixed, or the coordinates of a system that is alone."""
        if "coordinate" in header:
            yield from self.coordinates()
            return
        for step, time, q, v in self.states():
            for body, name in zip(self.bodies, self.names):
                if body["kind"] != b"rigid" or body["fixed"]:
                    continue
                first, dof = body["coordinate"], body["dof"]
                yield [step, time, name, *q[first:first + body["coordinates"]], *v[dof:dof + body["dofs"]]]

    def coordinates(self):
        """Those of a system."""
        first, dof, count = self.system()
        for step, time, q, v in self.states():
            for k in range(count):
                yield [step, time, k, q[first + k], v[dof + k]]

    def path(self):
        """Of a swept point."""
        for step, time, q, _ in self.states():
            yield [step, time, *q]

    def joint_of(self, i):
        """The number of the joint that contact i belongs to, or -1."""
        high = int(self.rows["contacts"]["id_high"][i])
        return int(-2 - self.rows["contacts"]["b"][i]) - len(self.model["system_contacts"]) if high >> 60 == 3 else -1

    def sides(self, i):
        """The names of a contact's sides."""
        c = self.rows["contacts"]
        if self.joint_of(i) >= 0:
            return ["joint", text(self.model["joints"]["name"][self.joint_of(i)])]
        return ["system" if n == -1 else self.names[n] if n >= 0 else text(self.model["system_contacts"][-2 - n])
                for n in (c["a"][i], c["b"][i])]

    def contacts(self):
        """All contacts of stored states, with their works."""
        c, frames = self.rows["contacts"], self.rows["frames"]
        own = c["theta"].astype("f8")[:, None]
        alpha = np.where(own > 0, own, self.options["alpha"])
        step = np.repeat(frames["step"], frames["contacts"])
        mean = (1 - alpha) * c["u_before"].astype("f8") + alpha * c["u_after"].astype("f8")
        done = mean * c["impulse"].astype("f8")
        tangential = np.zeros(len(done))
        for k in range(1, self.dimension):
            tangential += done[:, k]
        for i in range(len(step)):
            yield [step[i], step[i] * self.options["step"], (int(c["id_high"][i]) << 64) + int(c["id_low"][i]),
                   *self.sides(i), c["gap"][i], *c["u_before"][i], *c["u_after"][i],
                   *c["impulse"][i], done[i, 0], tangential[i], STATUSES[c["status"][i]]]

    def joints(self):
        """Step, time, name, and what the joint's contacts do; the rest follows from places and is left out."""
        frames, rows = self.rows["frames"], list(self.contacts())
        names = [text(name) for name in self.model["joints"]["name"]]
        for step, time, first, count in zip(*(frames[n] for n in ("step", "time", "first_contact", "contacts"))):
            work = [0.0] * len(names)
            for i in range(first, first + count):
                if self.joint_of(i) >= 0:
                    work[self.joint_of(i)] += rows[i][-3] + rows[i][-2]
            for name, done in zip(names, work):
                yield [step, time, name, *[None] * (6 if self.model.attrs["space"] == 2 else 9), done]

    def elastic(self):
        """Groups of elastic bodies in their order."""
        return [self.model["elastic"][str(k)] for k in range(len(self.model["elastic"]))]

    def nodes(self):
        """Places, displacements, velocities, and reactions if they are stored."""
        frames = self.rows["frames"]
        q, v = self.file["q"][:], self.file["v"][:]
        forces = self.file["reactions"][:] if "reactions" in self.file else None
        for i, (step, time) in enumerate(zip(frames["step"], frames["time"])):
            before = 0
            for body in self.elastic():
                x = body["nodes"][:]
                u = q[i][body.attrs["coordinate"]:][:x.size].reshape(x.shape)
                w = v[i][body.attrs["dof"]:][:x.size].reshape(x.shape)
                for k in range(len(x)):
                    force = [] if forces is None else forces[i][before + k]
                    yield [step, time, text(body.attrs["name"]), k, *(x[k] + u[k]), *u[k], *w[k], *force]
                before += len(x)

    def elements(self):
        """Strain and stress as they are stored."""
        frames = self.rows["frames"]
        strain, stress = self.file["strain"][:], self.file["stress"][:]
        for i, (step, time) in enumerate(zip(frames["step"], frames["time"])):
            before = 0
            for body in self.elastic():
                for k in range(len(body["types"])):
                    yield [step, time, text(body.attrs["name"]), k, *strain[i][before + k], *stress[i][before + k]]
                before += len(body["types"])

    def table(self, what, header):
        """Rows of a table of scree export; columns that follow from others may be left out at the end."""
        if what == "energy":
            return self.energy(header)
        if what == "bodies":
            return self.body_rows(header)
        return getattr(self, what)()


def equal(got, said):
    """A value of the file and the word that the command wrote for it."""
    return got is None or (got == said if isinstance(got, str) else float(got) == float(said))


def compare(run, what, lines):
    """Hold lines of CSV, the header first, against the file; the first difference, or nothing."""
    said = csv.reader(lines)
    header = [name.split(" ")[0] for name in next(said)]
    count = 0
    for count, (mine, row) in enumerate(zip(run.table(what, header), said), 1):
        for name, got, word in zip(header, mine, row):
            if not equal(got, word):
                return f"{what}, row {count}, {name}: {got!r} in the file, {word!r} in the table"
    mine = sum(1 for _ in run.table(what, header))
    total = sum(1 for _ in csv.reader(lines)) - 1
    return "" if mine == total else f"{what}: {mine} rows in the file, {total} in the table"


def judge(argument):
    """What is wrong with a run."""
    path, _, tables = argument.partition(":")
    run = Run(path)
    found = run.wrong()
    for what in filter(None, tables.split(",")):
        with open(f"{path}.{what}", encoding="utf-8") as lines:
            found.append(compare(run, what, lines.read().splitlines()))
    return [f"{path}: {text}" for text in found if text]


if __name__ == "__main__":
    complaints = [text for argument in sys.argv[1:] for text in judge(argument)]
    print("\n".join(complaints))
    sys.exit(bool(complaints))
