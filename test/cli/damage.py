# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Run files that somebody or something has damaged: the ways to do it, by a number.

Every way takes the bytes of a whole run file and a random.Random, and gives other bytes. The same number
gives the same damage. Edits of sizes and values go through h5py where it is there.
"""

import io
import random
import struct

try:
    import h5py
    import numpy
except ImportError:  # the ways that need it are left out, and said so by who asks
    h5py = None


def place(data, dice, end=None):
    """Somewhere in the file, mostly where something is written: much of a small run file is room."""
    end = end or len(data)
    at = dice.randrange(end)
    for _ in range(dice.choice((0, 200, 200, 200))):
        if data[at]:
            break
        at = dice.randrange(end)
    return at


def flip_bits(data, dice):
    """One to eight bits, anywhere."""
    data = bytearray(data)
    for _ in range(dice.choice((1, 1, 1, 2, 8))):
        data[place(data, dice)] ^= 1 << dice.randrange(8)
    return bytes(data)


def flip_head(data, dice):
    """A bit of the first kilobytes, where HDF5 keeps what leads to all else."""
    data = bytearray(data)
    data[place(data, dice, min(len(data), 8192))] ^= 1 << dice.randrange(8)
    return bytes(data)


def cut(data, dice):
    """The end is missing."""
    return data[:dice.randrange(len(data))]


def swap_blocks(data, dice):
    """Two blocks of a disk in each other's place."""
    size = dice.choice((64, 512, 4096))
    if len(data) < 3 * size:
        return data[::-1]
    a, b = sorted(dice.sample(range(len(data) // size), 2))
    a, b = a * size, b * size
    return data[:a] + data[b:b + size] + data[a + size:b] + data[a:a + size] + data[b + size:]


def blank_block(data, dice):
    """A block that was never written: zeros, ones or noise."""
    size = dice.choice((8, 64, 512, 4096))
    at = place(data, dice)
    fill = dice.choice((b"\0" * size, b"\xff" * size, dice.randbytes(size)))
    return data[:at] + fill[:len(data) - at] + data[at + size:]


def set_word(data, dice):
    """A number of eight or four bytes that is enormous, negative or not a number."""
    word = dice.choice((struct.pack("<q", -1), struct.pack("<q", 2**62), struct.pack("<q", 2**31),
                        struct.pack("<i", -2**31), struct.pack("<i", 2**31 - 1), struct.pack("<d", float("nan")),
                        struct.pack("<d", 1e308), struct.pack("<q", 0)))
    at = place(data, dice) // 4 * 4
    return (data[:at] + word + data[at + len(word):])[:len(data)]


def insert_bytes(data, dice):
    """Some bytes too many."""
    at = dice.randrange(len(data))
    return data[:at] + dice.randbytes(dice.choice((1, 8, 512))) + data[at:]


RAW = (flip_bits, flip_bits, flip_head, cut, swap_blocks, blank_block, set_word, set_word, insert_bytes)
ENEMY = (-1, 0, 1, 2, 7, 255, 2**31 - 1, 2**31, 2**40, 2**62, -2**63)


# ---- through h5py: a sound HDF5 file that says something wrong ----


def members(file):
    """Names of all data sets and groups."""
    names = []
    file.visit(names.append)
    return names


def edit_attribute(file, dice):
    """Another number or text in an attribute."""
    holders = [file[name] for name in members(file)] + [file["/"]]
    named = [(holder, name) for holder in holders for name in holder.attrs]
    if not named:
        return
    holder, name = dice.choice(named)
    if dice.random() < 0.2:
        del holder.attrs[name]
        return
    old = holder.attrs[name]
    if isinstance(old, (str, bytes)):
        holder.attrs[name] = dice.choice(("", "x" * 100000, "\x1b[31m", "scree-run", old[:len(old) // 2]))
    else:
        holder.attrs[name] = dice.choice((*ENEMY, float("nan"), numpy.arange(3)))


def data_sets(file):
    """All of them."""
    return [file[name] for name in members(file) if isinstance(file[name], h5py.Dataset)]


def edit_size(file, dice):
    """A data set that is longer, shorter, empty or not there."""
    sets = data_sets(file)
    one = dice.choice(sets)
    if dice.random() < 0.3 or not one.maxshape or one.maxshape[0] is not None or not one.chunks:
        del file[one.name]
        return
    one.resize(dice.choice((0, 1, max(0, one.shape[0] - 1), one.shape[0] + 1, one.shape[0] + 1000,
                            2**33)), axis=0)


def edit_kind(file, dice):
    """A data set of another type or shape under the same name."""
    one = dice.choice(data_sets(file))
    name = one.name
    del file[name]
    made = dice.choice((numpy.zeros((3, 3)), numpy.arange(5, dtype="u1"), numpy.zeros(0), numpy.float64(7),
                        numpy.zeros(4, dtype=[("step", "i8"), ("x", "f4")]), "a text", numpy.zeros((1, 2, 3, 4), "i2")))
    file[name] = made


def edit_number(file, dice):
    """One number of one row, in whatever column."""
    filled = [one for one in data_sets(file) if one.shape and one.size and one.dtype.kind in "iufV"]
    if not filled:
        return
    one = dice.choice(filled)
    at = tuple(dice.randrange(n) for n in one.shape)
    value = one[at]
    if one.dtype.names:
        column = dice.choice(one.dtype.names)
        flat = numpy.atleast_1d(numpy.array(value[column]))
        if flat.dtype.kind in "iuf" and flat.size:
            change(flat, dice)
            value[column] = flat.reshape(numpy.shape(value[column]))
            one[at] = value
    else:
        flat = numpy.atleast_1d(numpy.array(value))
        if flat.dtype.kind in "iuf" and flat.size:
            change(flat, dice)
            one[at] = flat.reshape(numpy.shape(value))


def change(numbers, dice):
    """One of an array of numbers, in place."""
    at = dice.randrange(numbers.size)
    if numbers.dtype.kind == "f":
        old = float(numbers.flat[at])
        numbers.flat[at] = dice.choice((float("nan"), float("inf"), 1e300, -old, old * (1 + 1e-9) + 1e-9))
    else:
        bounds = numpy.iinfo(numbers.dtype)
        numbers.flat[at] = min(max(dice.choice(ENEMY), bounds.min), bounds.max)


def edit_scene(file, dice):
    """Another scene than the one that was run."""
    texts = [one for one in data_sets(file) if one.dtype.kind in "OS" and one.shape == ()]
    texts += [(file, name) for name in file.attrs if "scene" in name]
    if not texts:
        return
    one = dice.choice(texts)
    holder, name = one if isinstance(one, tuple) else (one.parent, one.name)
    text = file.attrs[name] if isinstance(one, tuple) else one[()]
    text = text.decode() if isinstance(text, bytes) else str(text)
    changes = (lambda t: t.replace("bodies", "bodyes"), lambda t: t[:len(t) // 2], lambda t: "",
               lambda t: t.replace("name: ", "name: x", 1), lambda t: t.replace("radius: r", "radius: 2*r"),
               lambda t: t + "\nbodies: 3\n")
    text = dice.choice(changes)(text)
    if isinstance(one, tuple):
        holder.attrs[name] = text
    else:
        del holder[name]
        holder[name] = text


EDITS = (edit_attribute, edit_size, edit_size, edit_kind, edit_number, edit_number, edit_scene)


def through_hdf5(data, dice):
    """An edit that leaves the file whole as HDF5 sees it."""
    edit = dice.choice(EDITS)
    room = io.BytesIO(data)
    try:
        with h5py.File(room, "r+") as file:
            edit(file, dice)
    except (OSError, ValueError, TypeError, RuntimeError, KeyError):
        return flip_bits(data, dice)  # not everything may be edited everywhere
    return room.getvalue()


def damage(data, number):
    """The bytes of a run file after damage number so-and-so, and the name of the way."""
    dice = random.Random(number)
    if h5py and dice.random() < 0.4:
        return through_hdf5(data, dice), "through_hdf5"
    way = dice.choice(RAW)
    return way(data, dice), way.__name__
