#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the 24 stencils that bricks were measured with (T. Zhao et al., SC 2019, table 1), as C programs of one sweep
or of a time loop, and as GPU kernels with a thread a cell:

  bricks.py --list            the names: s2d5pt .. f3d125pt, poisson, chebyshev, helm-v2, helm-v4, hypterm, diffterm
  bricks.py NAME              a program of one sweep; NAME-time: its time loop, where it has one
  bricks.py --kernels [NAMES] the kernels, or some, in the form of test/kernels

An expression names a cell as u(0,-1): the offsets along each dimension, the contiguous one last. L(0.5) is a literal
of the cells' type."""

import argparse
import itertools
import re
import sys

from generate import EXTENT, INDEX, box, shifted, star, wrap

CELL = re.compile(r"\b([a-z]\w*)\((-?\d+(?:,-?\d+)+)\)")
LITERAL = re.compile(r"\bL\(([^)]*)\)")
SCALARS = {"a": "0.9", "b": "0.7", "h": "0.03", "dx": "0.8", "dy": "0.9", "dz": "1.1", "c1": "0.4", "c2": "0.3"}


class Brick:
    """reads: grids that are only read. writes: [(grid, expression)]. locals: [(name, expression)], computed first.
    paper: grids and operations a cell, as its table has them; operations is None where the table has a slip (49 for
    stars of 29 and 33 points). time: u is what the time loop makes; "two" buffers, or "three" steps in two buffers,
    the older one named p."""

    def __init__(self, name, rank, reads, writes, scalars="", locals=(), radius=1, paper=(2, None), time=None):
        self.name, self.rank, self.reads, self.writes = name, rank, reads.split(), writes
        self.scalars, self.locals, self.radius = scalars.split(), locals, radius
        self.grids, self.operations = paper
        self.time = time
        assert self.grids == len(self.reads) + len(writes), name


def at(axis, offset, rank=3):
    """An offset along one axis, the first of which is x."""
    return ",".join(str(offset if d == rank - 1 - axis else 0) for d in range(rank))


def cell(grid, *offsets):
    """A cell that is away along some axes: (axis, offset), .."""
    away = dict(offsets)
    return "%s(%s)" % (grid, ",".join(str(away.get(2 - d, 0)) for d in range(3)))


def synthetic(name, shape, rank, radius):
    offsets = shape(rank, radius)
    spread = [1 + 0.5 * (0.6180339887 * (k + 1) % 1) for k in range(len(offsets))]
    terms = ["L(%.8f) * u(%s)" % (w / sum(spread), ",".join(map(str, o))) for w, o in zip(spread, offsets)]
    operations = 2 * len(offsets) - 1
    slip = rank == 2 and shape is star and radius > 6
    return Brick("%s%dd%dpt" % (name, rank, len(offsets)), rank, "u", [("out", "\n+ ".join(terms))], radius=radius,
                 paper=(2, None if slip else operations), time="two")


# ---- geometric multigrid ------------------------------------------------------------------------

def around(grid, moved):
    """The sum of the neighbours that are one cell away along `moved` axes."""
    near = [o for o in itertools.product((-1, 0, 1), repeat=3) if sum(map(abs, o)) == moved]
    return "(%s)" % " + ".join("%s(%d,%d,%d)" % (grid, *o) for o in near)


def poisson():
    text = "L(2.666) * u(0,0,0)\n- L(0.166) * %s\n- L(0.0833) * %s" % (around("u", 1), around("u", 2))
    return Brick("poisson", 3, "u", [("out", text)], paper=(2, 21), time="two")


def chebyshev():
    laplacian = "L(0.0138) * %s\n+ L(0.046) * %s\n+ L(0.2116) * %s\n- L(1.9596) * u(0,0,0)" % (
        around("u", 3), around("u", 2), around("u", 1))
    text = "u(0,0,0) + c1 * (u(0,0,0) - p(0,0,0))\n+ c2 * dinv(0,0,0) * (rhs(0,0,0) - (alpha(0,0,0) * u(0,0,0) - lap))"
    return Brick("chebyshev", 3, "u p dinv rhs alpha", [("out", text)], "c1 c2", [("lap", laplacian)], paper=(6, 39),
                 time="three")


BETA = ["bx", "by", "bz"]


def helm_v2():
    flux = "\n+ ".join("%s * (%s - u(0,0,0))" % (cell(BETA[d], (d, max(side, 0))), cell("u", (d, side)))
                       for d in range(3) for side in (1, -1))
    return Brick("helm-v2", 3, "u rhs alpha bx by bz",
                 [("out", "rhs(0,0,0) - (a * alpha(0,0,0) * u(0,0,0) - h * (%s))" % flux)], "a h", paper=(7, 22))


def helm_v4():
    near, cross = [], []
    for d in range(3):
        u = lambda o, d=d: cell("u", (d, o))
        near.append("%s * (L(15.0) * (%s - %s) - (%s - %s))" % (cell(BETA[d]), u(-1), u(0), u(-2), u(1)))
        near.append("%s * (L(15.0) * (%s - %s) - (%s - %s))" % (cell(BETA[d], (d, 1)), u(1), u(0), u(2), u(-1)))
        for e in range(3):
            for face in (0, 1) if d != e else ():
                u = lambda o, p, d=d, e=e: cell("u", (d, o), (e, p))
                beta = lambda p, d=d, e=e, face=face: cell(BETA[d], (d, face), (e, p))
                far, here = (1, 0) if face else (-1, 0)
                cross.append("(%s - %s) * (%s - %s - %s + %s)" % (
                    beta(1), beta(-1), u(far, 1), u(here, 1), u(far, -1), u(here, -1)))
    text = "rhs(0,0,0) - (a * alpha(0,0,0) * u(0,0,0)\n- b * h * (L(0.0833333333333) * (near) + L(0.0208333333333) * (cross)))"
    return Brick("helm-v4", 3, "u rhs alpha bx by bz", [("out", text)], "a b h",
                 [("near", "\n+ ".join(near)), ("cross", "\n+ ".join(cross))], radius=2, paper=(7, 115))


# ---- compressible Navier-Stokes -----------------------------------------------------------------

FIRST = ["0.8", "-0.2", "0.0380952380952", "-0.00357142857143"]
SECOND = ["-2.84722222222", "1.6", "-0.2", "0.0253968253968", "-0.00178571428571"]
STEP = ["dx", "dy", "dz"]


def first(axis, term):
    """The eighth-order first derivative of what term(offsets) writes out."""
    parts = ["L(%s) * (%s - %s)" % (w, term(at(axis, r + 1)), term(at(axis, -r - 1))) for r, w in enumerate(FIRST)]
    return "(%s) * %s" % ("\n+ ".join(parts), STEP[axis])


def second(axis, grid):
    parts = ["L(%s) * (%s(%s) + %s(%s))" % (w, grid, at(axis, r + 1), grid, at(axis, -r - 1))
             for r, w in enumerate(SECOND[1:])]
    return "(L(%s) * %s(0,0,0)\n+ %s) * %s * %s" % (SECOND[0], grid, "\n+ ".join(parts), STEP[axis], STEP[axis])


def hypterm():
    """c1 to c3: momenta, c4: energy; q1 to q3: velocities, q4: pressure; f0: what density changes by, and so on."""
    def momentum(m):
        return "\n- ".join("(%s)" % first_of_product(d, m) for d in range(3))

    def first_of_product(d, m):
        parts = []
        for r, w in enumerate(FIRST):
            low, high = at(d, -r - 1), at(d, r + 1)
            text = "c%d(%s) * q%d(%s) - c%d(%s) * q%d(%s)" % (m, high, d + 1, high, m, low, d + 1, low)
            text += " + (q4(%s) - q4(%s))" % (high, low) if m == d + 1 else ""
            text += " + (q4(%s) * q%d(%s) - q4(%s) * q%d(%s))" % (high, d + 1, high, low, d + 1, low) if m == 4 else ""
            parts.append("L(%s) * (%s)" % (w, text))
        return "(%s) * %s" % ("\n+ ".join(parts), STEP[d])

    mass = "\n- ".join("(%s)" % first(d, lambda o, d=d: "c%d(%s)" % (d + 1, o)) for d in range(3))
    writes = [("f0", "-" + mass)] + [("f%d" % m, "-" + momentum(m)) for m in (1, 2, 3, 4)]
    return Brick("hypterm", 3, "c1 c2 c3 c4 q1 q2 q3 q4", writes, "dx dy dz", radius=4, paper=(13, 358))


def diffterm():
    """q1 to q4: three velocities, temperature. ux, vy, wz: derivatives of velocities along their own axis, made before.
    """
    known = ["ux", "vy", "wz"]
    locals_ = []
    for v in range(3):
        own = " + ".join(second_name for second_name in ("s%d%d" % (v, d) for d in range(3) if d != v))
        locals_ += [("s%d%d" % (v, d), second(d, "q%d" % (v + 1))) for d in range(3)]
        cross = " + ".join("x%d%d" % (v, e) for e in range(3) if e != v)
        locals_ += [("x%d%d" % (v, e), first(v, lambda o, e=e: "%s(%s)" % (known[e], o))) for e in range(3) if e != v]
        locals_.append(("m%d" % v, "L(0.3) * (L(1.33333333333) * s%d%d + %s + L(0.333333333333) * (%s))" % (v, v, own, cross)))
        locals_ += [("d%d%d" % (v, d), first(d, lambda o, v=v: "q%d(%s)" % (v + 1, o))) for d in range(3)]
    locals_ += [("t%d" % d, second(d, "q4")) for d in range(3)]
    locals_.append(("div", "L(0.666666666667) * (d00 + d11 + d22)"))
    locals_ += [("w%d%d" % (d, d), "L(2.0) * d%d%d - div" % (d, d)) for d in range(3)]
    locals_ += [("w%d%d" % (d, e), "d%d%d + d%d%d" % (d, e, e, d)) for d, e in ((0, 1), (0, 2), (1, 2))]
    locals_.append(("work", "w00 * d00 + w11 * d11 + w22 * d22 + w01 * w01 + w02 * w02 + w12 * w12"))
    energy = "L(0.2) * (t0 + t1 + t2) + L(0.3) * work\n+ m0 * q1(0,0,0) + m1 * q2(0,0,0) + m2 * q3(0,0,0)"
    writes = [("f%d" % (v + 1), "m%d" % v) for v in range(3)] + [("f4", energy)]
    return Brick("diffterm", 3, "q1 q2 q3 q4 ux vy wz", writes, "dx dy dz", locals_, radius=4, paper=(11, 415))


def table():
    """In the paper's order."""
    yield from (chebyshev(), poisson(), helm_v2(), helm_v4(), hypterm(), diffterm())
    yield from (synthetic("s", star, 2, r) for r in range(1, 9))
    yield from (synthetic("f", box, 2, r) for r in range(1, 5))
    yield from (synthetic("s", star, 3, r) for r in range(1, 5))
    yield from (synthetic("f", box, 3, r) for r in range(1, 3))


ALL = {b.name: b for b in table()}


def find(name):
    """The stencil, and whether its time loop is wanted; or None."""
    plain, suffix = re.fullmatch(r"(.*?)(-time)?", name).groups()
    brick = ALL.get(plain)
    return (brick, bool(suffix)) if brick and (brick.time or not suffix) else None


def rank(name):
    """The program's, or None."""
    found = find(name)
    return found[0].rank if found else None


def lines_of(text, name_cell, real, indent):
    """The expression, with a line for each of its parts."""
    text = CELL.sub(lambda m: name_cell(m.group(1), list(map(int, m.group(2).split(",")))), text)
    text = LITERAL.sub(lambda m: "(%s)%s" % (real, m.group(1)), text)
    return "\n".join(wrap(part.split(" "), "", indent) for part in text.split("\n"))


def body(brick, name_cell, real, indent):
    pad, lines = " " * indent, []
    for name, text in brick.locals:
        lines.append("%s%s %s =\n%s;" % (pad, real, name, lines_of(text, name_cell, real, indent + 4)))
    for grid, text in brick.writes:
        target = name_cell(grid, [0] * brick.rank)
        lines.append("%s%s =\n%s;" % (pad, target, lines_of(text, name_cell, real, indent + 4)))
    return lines


def identifier(brick):
    return brick.name.replace("-", "_")


# ---- C ------------------------------------------------------------------------------------------

def c_program(brick, timed):
    rank, radius = brick.rank, brick.radius
    extents = EXTENT[:rank]
    dims = "".join("[%s]" % e for e in extents)
    rings = {"u": "U[t % 2]", "out": "U[(t + 1) % 2]"}
    rings.update({"p": "U[(t + 1) % 2]"} if brick.time == "three" else {})
    subscripts = lambda o: "".join("[%s]" % shifted(INDEX[d], o[d]) for d in range(rank))
    name_cell = lambda grid, o: (rings.get(grid, grid) if timed else grid) + subscripts(o)
    reads = [g for g in brick.reads if not timed or g not in rings]
    writes = [] if timed else [g for g, _ in brick.writes]
    words = ["int " + e for e in extents] + (["int steps", "REAL U[2]" + dims] if timed else [])
    words += ["const REAL %s%s" % (g, dims) for g in reads] + ["REAL %s%s" % (g, dims) for g in writes]
    words += ["REAL " + c for c in brick.scalars]
    head = wrap(words, ",", 4).lstrip()
    lines = ['#include "harness.h"', ""]
    lines += [] if timed else ["#ifndef CALLS", "#define CALLS 1 /* of the sweep */", "#endif", ""]
    lines += ["KERNEL void %s(%s) {" % (identifier(brick), head)]
    lines += ["    for (int t = 0; t < steps; t++)"] if timed else []
    depth = 1 + timed
    for d in range(rank):
        end = " {" if d == rank - 1 else ""
        lines.append("%sfor (int %s = %d; %s < %s - %d; %s++)%s" % (
            "    " * depth, INDEX[d], radius, INDEX[d], extents[d], radius, INDEX[d], end))
        depth += 1
    lines += body(brick, name_cell, "REAL", 4 * depth) + ["    " * (depth - 1) + "}", "}", ""]
    cells = " * ".join("INSIDE(n[%d], %d, %d)" % (d, radius, radius) for d in range(rank))
    count = " * ".join("n[%d]" % d for d in range(rank))
    grids = (["U"] if timed else []) + reads + writes
    call = ["n[%d]" % d for d in range(rank)] + ["steps"] * timed + ["b[%d]" % k for k in range(len(grids))]
    call += ["(REAL)" + SCALARS[c] for c in brick.scalars]
    buffers = ['REALS("%s", %s%s)' % (g, "2 * " if g == "U" else "", count) for g in grids]
    again = "" if timed else "for (int s = 0; s < CALLS; s++) "
    return "\n".join(lines + ["PROGRAM(%d, %s,\n        %s%s(%s),\n%s)" % (
        rank, cells, again, identifier(brick), wrap(call, ",", 16).lstrip(), wrap(buffers, ",", 8))])


def text(name):
    """The program's source, or None."""
    brick, timed = find(name) or (None, False)
    if not brick:
        return None
    return ("/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
            " * %s: written by test/programs/bricks.py. */\n%s\n" % (name, c_program(brick, timed)))


# ---- GPU kernels --------------------------------------------------------------------------------

def kernel(brick):
    """A thread a cell, in blocks of 32x8 or 32x4x4."""
    rank, radius, extents = brick.rank, brick.radius, ["nx", "ny", "nz"][:brick.rank]
    axes = "xyz"[:rank]

    def name_cell(grid, o):
        index = shifted("zyx"[3 - rank], o[0])
        for d in range(1, rank):
            factor = "(%s)" % index if " " in index else index
            index = "%s * %s + %s" % (factor, extents[rank - 1 - d], shifted("zyx"[3 - rank + d], o[d]))
        return "%s[%s]" % (grid, index)

    grids = ["const T *" + g for g in brick.reads] + ["T *" + g for g, _ in brick.writes]
    words = grids + ["int " + e for e in extents] + ["T " + c for c in brick.scalars]
    arguments = brick.reads + [g for g, _ in brick.writes] + extents
    arguments += ["%s=%s" % (c, SCALARS[c]) for c in brick.scalars]
    lines = ["// %s: %s; threads %s; block %s" % (identifier(brick), " ".join(arguments), ",".join(extents),
                                                  "32,8" if rank == 2 else "32,4,4")]
    lines += ["KERNEL %s(%s) {" % (identifier(brick), wrap(words, ",", 4).lstrip())]
    lines += ["    int %s = blockIdx.%s * blockDim.%s + threadIdx.%s;" % (a, a, a, a) for a in axes]
    guard = " || ".join("%s < %d || %s >= %s - %d" % (a, radius, a, e, radius) for a, e in zip(axes, extents))
    lines += ["    if (%s)" % guard, "        return;"]
    return "\n".join(lines + body(brick, name_cell, "T", 4) + ["}"])


def kernels(names=None):
    head = ["// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception", "// Written by test/programs/bricks.py.",
            "// types: float double", '#include "cuda.h"', ""]
    return "\n".join(head) + "\n" + "\n\n".join(kernel(b) for b in ALL.values() if not names or b.name in names) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--kernels", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        print("\n".join(ALL))
    elif options.kernels:
        sys.stdout.write(kernels(options.names))
    elif len(options.names) == 1 and find(options.names[0]):
        sys.stdout.write(text(options.names[0]))
    else:
        parser.error("no such stencil; --list shows them")


if __name__ == "__main__":
    main()
