# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random statements on integers, for compare.py: the program statement2d17 is the 17th of two
dimensions. Cells of TYPE are read as int; what of C's arithmetic follows is drawn, so that sums,
shifts, comparisons and casts meet in ways that nobody thinks of.

Signed sums may overflow: build with -fwrapv."""

import random
import re

NAME = re.compile(r"statement([123])d(\d+)$")
INDEX = "ijk"
EXTENT = "nml"
RADIUS = 2
TYPES = ("uint8_t", "int8_t", "uint16_t", "int16_t")
COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
CONSTANTS = (0, 1, 2, 3, 5, 7, 100, 127, 128, 200, 255, 300, -1, -3, -128)


class Statement:
    def __init__(self, rank, seed):
        self.rank, self.rng, self.cells = rank, random.Random("%d %d" % (rank, seed)), {}
        self.cell()  # at least one
        self.value = self.expression(self.rng.randint(2, 4))
        self.small = self.rng.random() < 0.3  # cells start as 0 or 1

    def cell(self):
        """Read before it is used, for a cell read under a condition may be none of the grid's."""
        at = "".join("[%s%+d]" % (INDEX[d], self.rng.randint(-RADIUS, RADIUS))
                     for d in range(self.rank))
        return self.cells.setdefault("A[t %% 2]%s" % at, "c%d" % len(self.cells))

    def leaf(self):
        return self.cell() if self.rng.random() < 0.85 else "(%d)" % self.rng.choice(CONSTANTS)

    def expression(self, depth):
        pick, form = self.rng.choice, self.rng.choice(FORMS)
        if depth <= 0:
            return self.leaf()
        drawn = {"op": pick("++-"), "logic": pick("&|^"), "less": pick(COMPARISONS),
                 "by": pick((2, 3, 5, -1, -2)), "shift": self.rng.randint(1, 5),
                 "mask": pick((1, 3, 7, 15, 31, 127, 255, 240, 85)),
                 "divisor": pick((2, 3, 5, 7, 9, 10)), "type": pick(TYPES)}
        for name in "abcd":
            if "{%s}" % name in form:
                drawn[name] = self.expression(depth - 1 - (self.rng.random() < 0.3))
        return "(%s)" % form.format(**drawn)


FORMS = 5 * ("{a} {op} {b}",) + 2 * ("{a} {less} {b} ? {c} : {d}",) + (
    "{a} * {by}", "{a} >> {shift}", "(unsigned){a} >> {shift}", "{a} & {mask}", "{a} {logic} {b}",
    "{a} {less} {b}", "({type}){a}", "{a} / {divisor}", "{a} % {divisor}",
    "{a} < {b} ? {a} : {b}", "{a} > {b} ? {a} : {b}", "{a} == {shift} || ({b} > {by} && {c})")


PROGRAM = """#include "harness.h"

#ifndef TYPE
#define TYPE uint8_t
#endif

KERNEL void compute(%(parameters)s, int steps, TYPE A[2]%(extents)s) {
    for (int t = 0; t < steps; t++)
%(loops)s        {
%(reads)s            A[(t + 1) %% 2]%(at)s = (TYPE)%(value)s;
        }
}

PROGRAM(%(rank)d, %(inside)s, compute(%(sizes)s, steps, b[0]),
        INTEGERS("A", TYPE, 2 * %(product)s, %(low)s, %(range)s))
"""


def rank(name):
    match = NAME.match(name)
    return int(match.group(1)) if match else None


def text(name):
    """The program; None if the name is no statement's."""
    match = NAME.match(name)
    if not match:
        return None
    s = Statement(*map(int, match.groups()))
    extents, sizes = EXTENT[:s.rank], ["n[%d]" % d for d in range(s.rank)]
    return PROGRAM % {
        "parameters": ", ".join("int " + n for n in extents),
        "extents": "".join("[%s]" % n for n in extents),
        "loops": "".join("        for (int {0} = {1}; {0} < {2} - {1}; {0}++)\n".format(i, RADIUS, n)
                         for i, n in zip(INDEX, extents)),
        "reads": "".join("            int %s = %s;\n" % (c, at) for at, c in s.cells.items()),
        "at": "".join("[%s]" % i for i in INDEX[:s.rank]), "value": s.value, "rank": s.rank,
        "inside": " * ".join("INSIDE(%s, %d, %d)" % (n, RADIUS, RADIUS) for n in sizes),
        "sizes": ", ".join(sizes), "product": " * ".join(sizes),
        "low": "0" if s.small else "(TYPE)-1 < 0 ? -(1 << (8 * sizeof(TYPE) - 2)) : 0",
        "range": "2" if s.small else "1 << (8 * sizeof(TYPE) - 1)"}
