#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the programs that generate.py writes for AN5D's benchmarks (CGO 2020, table 3).

Two ways that share nothing with the generator: the taps found in the C text must be the set that
the paper's formula gives, with distinct coefficients; and a plain build's buffers must equal, byte
for byte, what this script gets by evaluating the text in C's order and precision. The CUDA kernels
must name the same cells and numbers in the same order as the C text."""

import argparse
import itertools
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
STEPS = 2


class Single:
    """A float32: every operation rounds once (a double's result rounds to the same float:
    53 >= 2 * 24 + 2)."""

    def __init__(self, value):
        self.value = struct.unpack("f", struct.pack("f", value))[0]

    def __add__(self, other):
        return Single(self.value + other.value)

    def __sub__(self, other):
        return Single(self.value - other.value)

    def __mul__(self, other):
        return Single(self.value * other.value)

    def __truediv__(self, other):
        return Single(self.value / other.value)

    def sqrt(self):
        return Single(math.sqrt(self.value))


class Double(float):
    def __add__(self, other):
        return Double(float(self) + float(other))

    def __sub__(self, other):
        return Double(float(self) - float(other))

    def __mul__(self, other):
        return Double(float(self) * float(other))

    def __truediv__(self, other):
        return Double(float(self) / float(other))

    def sqrt(self):
        return Double(math.sqrt(self))


TYPES = {"float": ("f", Single, lambda v: v.value), "double": ("d", Double, float)}


def paper_taps(name):
    """The offsets of a benchmark, from the paper's formulas."""
    short = {"j2d5pt": "star2d1r", "j2d9pt": "star2d2r", "j2d9pt-gol": "box2d1r",
             "gradient2d": "star2d1r", "j3d27pt": "box3d1r"}
    shape, rank, radius = re.fullmatch(r"(star|box)(\d)d(\d)r", short.get(name, name)).groups()
    rank, radius = int(rank), int(radius)
    cube = itertools.product(range(-radius, radius + 1), repeat=rank)
    return {o for o in cube if shape == "box" or sum(x != 0 for x in o) <= 1}, rank, radius


def statement(text):
    return re.search(r"\] =\n(.*?);", text, re.S).group(1)


CELL = re.compile(r"A\[t % 2\]((?:\[[^]]*\])+)")


def offsets_of(subscripts):
    found = re.findall(r"\[([ijk])(?: ([-+]) (\d+))?\]", subscripts)
    assert "".join(f[0] for f in found) == "ijk"[:len(found)], subscripts
    return tuple(int(sign + number) if number else 0 for _, sign, number in found)


def check_shape(name, text):
    taps, rank, radius = paper_taps(name)
    cells = [offsets_of(s) for s in CELL.findall(statement(text))]
    assert set(cells) == taps, name + ": wrong taps"
    if name != "gradient2d":
        assert len(cells) == len(taps), name + ": a tap twice"
        weights = re.findall(r"\(REAL\)([0-9.]+) \*", statement(text))
        assert len(weights) == len(set(weights)) == len(taps), name + ": coefficients not distinct"
    loops = re.findall(r"for \(int ([ijk]) = (\d+); \1 < ([nml]) - (\d+); \1\+\+\)", text)
    assert loops == [(i, str(radius), e, str(radius)) for i, e in zip("ijk"[:rank], "nml")], loops
    return rank, radius


def check_cuda(name, text, cuda):
    """Every index of the kernel, computed for a cell in the middle, against the C subscripts."""
    rank = paper_taps(name)[1]
    at, extents = dict(zip("ijk", (50, 51, 52))), dict(zip("nml", (100, 101, 102)))
    strides = [math.prod(list(extents.values())[d + 1:rank]) for d in range(rank)]
    place = lambda o: sum((a + x) * s for a, x, s in zip(at.values(), o, strides))
    wanted = [place(offsets_of(s)) for s in CELL.findall(statement(text))]
    body = re.search(r"out\[(.*?)\] =\n(.*?);", cuda, re.S)
    assert eval(body.group(1), {}, {**at, **extents}) == place((0,) * rank), name
    found = [eval(i, {}, {**at, **extents}) for i in re.findall(r"in\[(.*?)\]", body.group(2))]
    assert found == wanted, name + ": the CUDA kernel reads other cells"
    skeleton = lambda s, cell: re.sub(r"\s+", "", cell.sub("cell", s))
    assert (skeleton(statement(text), CELL) ==
            skeleton(body.group(2), re.compile(r"in\[.*?\]"))), name + ": other arithmetic"


def python_code(text):
    """The right-hand side as Python; C's precedence and associativity are Python's here."""
    code = CELL.sub(lambda m: "cell(%s)" % ", ".join(map(str, offsets_of(m.group(1)))),
                    statement(text))
    code = re.sub(r"\(REAL\)([0-9.]+)", r"number(\1)", code)
    code = re.sub(r"/\s*(\d+)", r"/ number(\1)", code)
    return compile("(" + code.replace("SQRT(", "root(") + ")", "statement", "eval")


def evaluate(text, sizes, radius, start, number):
    """The two buffers, as a flat list, after STEPS steps."""
    count = math.prod(sizes)
    strides = [math.prod(sizes[d + 1:]) for d in range(len(sizes))]
    values = list(start)
    code = python_code(text)
    names = {"number": number, "root": lambda v: v.sqrt()}
    for t in range(STEPS):
        source, target = t % 2 * count, (t + 1) % 2 * count
        for at in itertools.product(*(range(radius, s - radius) for s in sizes)):
            where = source + sum(a * s for a, s in zip(at, strides))
            names["cell"] = lambda *o: values[where + sum(x * s for x, s in zip(o, strides))]
            values[target - source + where] = eval(code, names)
    return values


def run(program, place, sizes, steps):
    path = os.path.join(place, "dump")
    subprocess.run([program, "--dump", path, *map(str, sizes), str(steps)], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return open(path, "rb").read()


def generated(*arguments):
    return subprocess.run([sys.executable, os.path.join(HERE, "generate.py"), *arguments],
                          check=True, stdout=subprocess.PIPE, text=True).stdout


def check(name, clang, place, harness):
    text = generated(name)
    rank, radius = check_shape(name, text)
    check_cuda(name, text, generated(name, "--cuda"))
    sizes = [2 * radius + 2, 2 * radius + 3, 2 * radius + 2][:rank]
    source, program = os.path.join(place, "a.c"), os.path.join(place, "a.out")
    with open(source, "w") as file:
        file.write(text)
    for real, (code, number, plain) in TYPES.items():
        subprocess.run([clang, "-O2", "-ffp-contract=off", "-DREAL=" + real, "-I", HERE, source,
                        harness, "-o", program, "-lm", "-lpthread"],
                       check=True)
        before = run(program, place, sizes, 0)
        layout = "%d%s" % (len(before) // struct.calcsize(code), code)
        start = [number(v) for v in struct.unpack(layout, before)]
        wanted = [plain(v) for v in evaluate(text, sizes, radius, start, number)]
        same = struct.pack(layout, *wanted) == run(program, place, sizes, STEPS)
        assert same, "%s %s: not what the text says" % (name, real)
        print("ok", name, real, *sizes)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", default="clang-22")
    options = parser.parse_args()
    names = generated("--list", "suite").split()
    assert len(names) == 21
    if os.environ.get("STENCIL_TESTS") == "few":  # a sixth of them, in turn
        now = int(os.environ.get("STENCIL_TURN", 0))
        names = names[now % 3 + now // 108 % 2 * 3::6]
    with tempfile.TemporaryDirectory() as place:
        harness = os.path.join(place, "harness.o")
        subprocess.run([options.clang, "-O2", "-c", os.path.join(HERE, "harness.c"), "-o", harness], check=True)
        for name in names:
            check(name, options.clang, place, harness)


if __name__ == "__main__":
    main()
