# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random plans for compare.py --plans: what a user may force, with sizes and numbers of steps that
lie where such a plan has its edges. The same seed gives the same plans.

Only necessary conditions are known here, so that most plans fit; the planner has the last word."""

import math
import os
import random
import re

FORCED = ("bt", "cells", "rows", "warps", "prefetch", "unroll", "group")  # when the program is compiled
AT_RUN = ("chunk",)                                              # when it runs
CASES = 7
# About instructions: of a loop, and of a whole case. The simulator does 10^8 to 10^9 a second.
LOOP, CASE = 4000, 3e8
ACCEPTED = re.compile(r"_stream\d+: bT (\d+), tile \d+x\d+, (\d+) warps, (\d+) cells of (\d+) rows "
                      r"a lane, prefetch (\d+),")
WHOLE = re.compile(r"_steps\d+: bT (\d+) whole steps, tile \d+(?:x\d+, \d+ warps)?, (\d+) cells "
                   r"(?:of \d+ rows )?a lane, prefetch (\d+)")
PART = re.compile(r"_part1: bT 1, part 1 of \d+ of a step, tile \d+(?:x\d+, \d+ warps)?, (\d+) cells "
                  r"(?:of \d+ rows )?a lane, prefetch (\d+)")
STRIP = re.compile(r"_strip\d+: bT (\d+), tile \d+, (\d+) warps, (\d+) cells a lane, (\d+) levels")


def environment(plan, names):
    return {"STENCILOPT_" + name.upper(): str(plan[name]) for name in names if plan.get(name)}


def parse(text):
    """bt=4,cells=8,... as --plan takes it."""
    plan = {}
    for word in text.split(","):
        name, _, value = word.partition("=")
        if name not in FORCED + AT_RUN or not value.isdigit():
            raise SystemExit("--plan %s: NAME=NUMBER,... of %s" % (text, ", ".join(FORCED + AT_RUN)))
        plan[name] = int(value)
    return plan


def text(plan):
    return ",".join("%s=%d" % item for item in plan.items() if item[1])


def was_taken(plan, folder):
    """Does the .plan file in the folder say that the first stream kernel is what was forced?"""
    path = [os.path.join(folder, f) for f in os.listdir(folder) if f.endswith(".plan")]
    written = open(path[0]).read() if path else ""
    names, found = ("bt", "warps", "cells", "rows", "prefetch"), ACCEPTED.search(written)
    if not found:
        names, found = ("bt", "warps", "cells", "prefetch"), STRIP.search(written)
    if not found:
        names, found = ("bt", "cells", "prefetch"), WHOLE.search(written)
    if plan.get("group"):
        names, found = ("cells", "prefetch"), PART.search(written)
    got = dict(zip(names, map(int, found.groups()))) if found else {}
    return bool(got) and all(got[name] == plan[name] for name in got if plan.get(name))


def lanes_of(arch):
    """Of the warps that plans for these architectures have; in 3-D they may be halves."""
    return 64 if arch and all(one.startswith("gfx9") for one in arch.split("+")) else 32


def round_up(a, unit):
    return -(-a // unit) * unit


class Shape:
    """What limits a plan: the program's rank, radius and size."""

    def __init__(self, rank, size, stencil=None, lanes=32):
        self.rank, self.size, self.lanes = rank, size, lanes
        offsets = stencil.offsets if stencil else [(-1,) * rank, (1,) * rank]
        self.taps = len(offsets) if stencil else 16
        self.radius = [max(abs(o[rank - 1 - d]) for o in offsets) for d in range(rank)]  # x first
        self.outside = [max(0, *(o[rank - 1 - d] for o in offsets)) -
                        min(0, *(o[rank - 1 - d] for o in offsets)) for d in range(rank)]

    def tile(self, plan):
        cells, levels = plan["cells"], plan["bt"] - 1
        if self.rank == 1:
            return [self.lanes * cells - round_up(plan["bt"] * self.outside[0], 64 // self.size)]
        tile = [self.lanes * cells - 2 * round_up(levels * self.radius[0], cells)]
        if self.rank == 3:
            tile.append(plan["warps"] * plan["rows"] - 2 * levels * self.radius[1])
        return tile

    def scratchpad(self, plan):
        deep, warps, rows = self.rank == 3, plan["warps"], plan["rows"]
        reach = self.radius[1] if deep else 0
        ring = plan["prefetch"] * (warps * rows + 2 * reach) * (self.lanes + 2 * self.radius[0])
        given = 2 * (plan["bt"] - 1) * (warps + 2) * min(rows, 2 * reach) * self.lanes
        return (ring + given) * plan["cells"] * self.size

    def may_fit(self, plan, largest):
        cells = plan["cells"] * plan["rows"]
        instructions = self.taps * plan["bt"] * cells
        if min(self.tile(plan)) <= 0 or plan["cells"] * self.size % 16 or plan["warps"] * self.lanes > 1024:
            return False
        if self.rank == 1:
            return plan["cells"] * min(self.size, 4) <= 128 and instructions <= 8 * largest
        apart = self.rank == 2 or (plan["warps"] > 1 and
                                   (plan["bt"] == 1 or plan["rows"] >= self.radius[1]))
        loop = instructions * (plan["prefetch"] if plan["unroll"] == 2 else 1)
        return (plan["cells"] <= 16 and cells <= 32 and apart and loop <= largest and
                self.scratchpad(plan) <= 160 << 10)

    def work(self, plan, extent, steps):
        """Of a case: tiles, chunks and launches, each with all it computes and does not store."""
        tile = self.tile(plan)
        blocks = math.prod(-(-extent[d] // tile[d]) for d in range(self.rank - 1))
        chunk = min(plan["chunk"] or 64, extent[-1])
        planes = -(-extent[-1] // chunk) * (chunk + 2 * plan["bt"] * self.radius[-1])
        launches = (steps - 1) // plan["bt"] + 3
        cells = self.lanes * plan["cells"] * plan["rows"] * (plan["warps"] if self.rank == 3 else 1)
        return (self.taps + 10) * plan["bt"] * cells * planes * blocks * launches


def draw_plan(rng, shape, largest):
    """May fail on the way: a few thousand draws find what fits."""
    for _ in range(5000):
        line = shape.rank == 1
        plan = {"bt": rng.choice((1, 2, 3, 4, rng.randint(1, 64 if line else 16))),
                "cells": rng.choice((1, 1, 2, 2, 4, 4, 8, 3)) * 16 // shape.size,
                "rows": rng.randint(1, 8) if shape.rank == 3 else rng.choice((1, 1, 1, 2)),
                "warps": rng.choice((rng.randint(1, 8), rng.randint(1, 32))),
                "prefetch": 0 if line else rng.choice((2, 3, 4, 6, 8, rng.randint(2, 16))),
                "unroll": rng.randint(1, 2),
                "chunk": rng.choice((0, rng.randint(1, 8), rng.randint(1, 40)))}
        if shape.may_fit(plan, largest):
            return plan
    return None


def draw_extent(rng, edge, most):
    """Cells of one dimension, given how far apart the plan's edges are."""
    near = edge * rng.randint(1, 3) + rng.randint(-1, 2)
    return max(1, min(most, rng.choice((rng.randint(1, 4), near, near, rng.randint(1, most)))))


def draw_case(rng, shape, plan):
    """Sizes as the program takes them, the streamed dimension first, and steps."""
    bt, tile = plan["bt"], shape.tile(plan)
    edges = (tile + [plan["chunk"] or rng.choice((bt, plan["prefetch"] or bt, 16))])[:shape.rank]
    most = ((9000,), (500, 200), (160, 60, 40))[shape.rank - 1]
    steps = rng.choice((0, 1, 2, bt, bt + 1, bt + 2, 2 * bt, 2 * bt + 1, 3 * bt + 1,
                        rng.randint(0, 3 * bt + 1)))
    extent = [draw_extent(rng, e, m) for e, m in zip(edges, most)]
    while shape.work(plan, extent, steps) > CASE and max(extent) > 1:
        extent = [-(-e // 2) for e in extent]
    return [e + o for e, o in zip(extent, shape.outside)][::-1] + [steps]


def draw(seed, name, number, shape, largest):
    """Plan `number` of a program: (plan, cases, whether both buffers start alike); None if none
    fits."""
    rng = random.Random("%s %s %d" % (seed, name, number))
    plan = draw_plan(rng, shape, largest)
    if not plan:
        return None
    cases = [draw_case(rng, shape, plan) for _ in range(CASES)]
    if all(case[-1] <= plan["bt"] for case in cases):
        cases[0][-1] = plan["bt"] + 1  # the plan's kernel runs at least once
    return plan, cases, rng.random() < 0.5
