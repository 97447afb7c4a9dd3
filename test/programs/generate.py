#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes stencil programs whose expressions are fully written out: the benchmarks of AN5D
(CGO 2020, table 3) and a few more shapes, as C or, for tools/bench, as naive CUDA kernels.

  generate.py --list            the names of all programs
  generate.py --list suite      those of AN5D's table
  generate.py NAME [--cuda]     the program on standard output
"""

import argparse
import itertools
import sys

INDEX = "ijk"
EXTENT = "nml"


class Stencil:
    """A sum of taps, each a literal coefficient times a neighbour, in source order.

    form: "sum"; "quotient", the sum over `divisor`; "gradient", AN5D's gradient2d.
    steps: "parity" A[t % 2] in one array with a time loop; "single" one sweep, in to out."""

    def __init__(self, name, offsets, form="sum", divisor=None, steps="parity"):
        self.name, self.form, self.divisor, self.steps = name, form, divisor, steps
        self.offsets = sorted(offsets)
        self.rank = len(self.offsets[0])
        self.low = [max(0, -min(o[d] for o in self.offsets)) for d in range(self.rank)]
        self.high = [max(0, max(o[d] for o in self.offsets)) for d in range(self.rank)]
        # Distinct weights that sum to 1 keep values near [0,1) whatever the number of steps.
        spread = [1 + 0.5 * (0.6180339887 * (k + 1) % 1) for k in range(len(self.offsets))]
        scale = (divisor or 1) / sum(spread)
        self.weights = ["%.4f" % (w * scale) if divisor else "%.8f" % (w * scale) for w in spread]


def star(rank, radius):
    arms = [tuple(r if d == axis else 0 for d in range(rank))
            for axis in range(rank) for r in range(-radius, radius + 1) if r]
    return [(0,) * rank] + arms


def box(rank, radius):
    return list(itertools.product(range(-radius, radius + 1), repeat=rank))


def suite():
    """AN5D's table 3, in its order."""
    for rank in 2, 3:
        for shape in star, box:
            for radius in 1, 2, 3, 4:
                name = "%s%dd%dr" % (shape.__name__, rank, radius)
                yield Stencil(name, shape(rank, radius))
    yield Stencil("j2d5pt", star(2, 1), "quotient", 118)
    yield Stencil("j2d9pt", star(2, 2), "quotient", 118)
    yield Stencil("j2d9pt-gol", box(2, 1), "quotient", 118)
    yield Stencil("gradient2d", star(2, 1), "gradient")
    yield Stencil("j3d27pt", box(3, 1), "quotient", 159)


def more():
    yield Stencil("jacobi1d3pt", star(1, 1))
    yield Stencil("star1d4r", star(1, 4))
    yield Stencil("star1d8r", star(1, 8))
    yield Stencil("asymmetric1d7pt", [(o,) for o in (-5, -3, -2, 0, 1, 2, 3)])
    yield Stencil("asymmetric2d", [(-3, 0), (-1, 1), (0, -1), (0, 0), (0, 2), (1, -1), (2, 0)])
    yield Stencil("asymmetric3d", [(-2, 0, 1), (-1, 0, 0), (0, -3, 0), (0, 0, 0), (0, 0, 2),
                                   (0, 1, -1), (1, 0, 0)])
    yield Stencil("forward2d", [(0, 0), (0, 1), (1, 0), (1, 1)])
    yield Stencil("radius8star2d", star(2, 8))
    yield Stencil("convolution5x5", box(2, 2), steps="single")
    yield Stencil("convolution1d9", box(1, 4), steps="single")
    yield Stencil("convolution3d3", box(3, 1), steps="single")


ALL = {s.name: s for s in itertools.chain(suite(), more())}


def wrap(terms, joint, indent, width=100):
    """Joins the terms, breaking lines after the joint."""
    lines, line = [], " " * indent
    for k, term in enumerate(terms):
        word = term + (joint if k + 1 < len(terms) else "")
        if line.strip() and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = " " * indent
        line += (" " if line.strip() else "") + word
    return "\n".join(lines + [line])


def shifted(index, offset):
    return index if offset == 0 else "%s %s %d" % (index, "-+"[offset > 0], abs(offset))


def expression(stencil, cell, indent):
    """The right-hand side. cell(offset) is how the language names a neighbour."""
    taps = ["(REAL)%s * %s" % (w, cell(o)) for w, o in zip(stencil.weights, stencil.offsets)]
    pad = " " * indent
    if stencil.form == "sum":
        return wrap(taps, " +", indent)
    if stencil.form == "quotient":
        return "%s(%s) /\n%s%d" % (
            pad, wrap(taps, " +", indent + 1).lstrip(), pad, stencil.divisor)
    centre = cell((0,) * stencil.rank)
    squares = ["(%s - %s) * (%s - %s)" % (centre, cell(o), centre, cell(o))
               for o in stencil.offsets if any(o)]
    return "%s(REAL)0.5 * %s +\n%s(REAL)1.0 /\n%s    SQRT((REAL)4.0 +\n%s)" % (
        pad, centre, pad, pad, wrap(squares, " +", indent + 9))


def identifier(stencil):
    return stencil.name.replace("-", "_")


def c_program(stencil):
    rank = stencil.rank
    extents = EXTENT[:rank]
    dims = "".join("[%s]" % e for e in extents)
    subscripts = lambda o: "".join("[%s]" % shifted(INDEX[d], o[d]) for d in range(rank))
    timed = stencil.steps == "parity"
    source, target = ("A[t % 2]", "A[(t + 1) % 2]") if timed else ("in", "out")
    ints = ", ".join("int " + e for e in extents)
    grids = "int steps, REAL A[2]" + dims if timed else "const REAL in%s, REAL out%s" % (dims, dims)
    sizes = ", ".join("n[%d]" % d for d in range(rank))
    count = " * ".join("n[%d]" % d for d in range(rank))
    name = identifier(stencil)

    lines = ['#include "harness.h"', "", "KERNEL void %s(%s, %s) {" % (name, ints, grids)]
    depth = 1
    if timed:
        lines.append("    for (int t = 0; t < steps; t++)")
        depth = 2
    for d in range(rank):
        low, high = stencil.low[d], stencil.high[d]
        bound = "%s - %d" % (extents[d], high) if high else extents[d]
        i = INDEX[d]
        lines.append("%sfor (int %s = %d; %s < %s; %s++)" % ("    " * depth, i, low, i, bound, i))
        depth += 1
    indent = 4 * depth
    lines.append(" " * indent + target + subscripts((0,) * rank) + " =")
    lines.append(expression(stencil, lambda o: source + subscripts(o), indent + 4) + ";")
    cells = " * ".join(
        "INSIDE(n[%d], %d, %d)" % (d, stencil.low[d], stencil.high[d]) for d in range(rank))
    call = "%s(%s, steps, b[0])" % (name, sizes) if timed else "%s(%s, b[0], b[1])" % (name, sizes)
    buffers = ('REALS("A", 2 * %s)' % count if timed else
               'REALS("in", %s), REALS("out", %s)' % (count, count))
    lines += ["}", "", "PROGRAM(%d, %s,\n        %s,\n        %s)" % (rank, cells, call, buffers)]
    return "\n".join(lines)


def cuda_kernel(stencil):
    """One thread a cell, the loop body as it stands in C."""
    rank = stencil.rank
    extents, axes, name = EXTENT[:rank], "zyx"[3 - rank:], identifier(stencil)

    def cell(offset, array="in"):
        index = shifted(INDEX[0], offset[0])
        for d in range(1, rank):
            factor = "(%s)" % index if " " in index else index
            index = "%s * %s + %s" % (factor, extents[d], shifted(INDEX[d], offset[d]))
        return "%s[%s]" % (array, index)

    ints = ", ".join("int " + e for e in extents)
    lines = ['#include "naive.h"', "", "template <typename REAL>",
             "__global__ void %s(REAL *__restrict__ out, const REAL *__restrict__ in, %s) {"
             % (name, ints)]
    for d in range(rank):
        lines.append("    int %s = blockIdx.%s * blockDim.%s + threadIdx.%s + %d;"
                     % (INDEX[d], axes[d], axes[d], axes[d], stencil.low[d]))
    guard = " && ".join("%s < %s - %d" % (INDEX[d], extents[d], stencil.high[d])
                        for d in range(rank))
    lines += ["    if (%s)" % guard, "        %s =" % cell((0,) * rank, "out"),
              expression(stencil, cell, 12) + ";", "}", ""]
    halo = lambda h: "{{%s}}" % ", ".join(map(str, h))
    lines.append('static naive_case entry("%s", %d, %s, %s, (const void *)%s<float>,\n'
                 '                        (const void *)%s<double>);'
                 % (stencil.name, rank, halo(stencil.low), halo(stencil.high), name, name))
    return "\n".join(lines)


def text(name, cuda=False):
    stencil = ALL[name]
    head = ("/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
            " * %s: written by test/programs/generate.py. */" % name)
    return "%s\n%s\n" % (head, (cuda_kernel if cuda else c_program)(stencil))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?")
    parser.add_argument("--cuda", action="store_true", help="a naive CUDA kernel instead of C")
    parser.add_argument("--list", nargs="?", const="all", choices=["all", "suite"])
    options = parser.parse_args()
    if options.list:
        print("\n".join(s.name for s in (suite() if options.list == "suite" else ALL.values())))
    elif options.name in ALL:
        sys.stdout.write(text(options.name, options.cuda))
    else:
        parser.error("no such program; --list shows them")


if __name__ == "__main__":
    main()
