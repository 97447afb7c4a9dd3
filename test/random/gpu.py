#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random GPU kernels through stencil-remap and stencil-block with random options: on the simulator,
launched as test/kernels/kernels.py draws it, all buffers must hold the same bytes after the passes as
before. What fails is reduced and saved.

  test/random/gpu.py --seed 5 --count 20         20 files of kernels
  test/random/gpu.py --case FILE.json            a saved case again; --source writes its CUDA
"""

import argparse
import collections
import json
import os
import random
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import common  # noqa: E402
import expressions  # noqa: E402
import sums  # noqa: E402

sys.path.append(os.path.join(common.HERE, "..", "kernels"))
import differ  # noqa: E402
import kernels  # noqa: E402

KERNELS = 10  # of a file
AXES = "xyz"
INDEX = {"int": "", "long": ":i64", "unsigned": ":u32"}
# A further guard, on a number that is mostly no limit: (its type, values), and how it is written
LIMITS = {"int": ("i32", ("2147483647", "-2147483648", "2147483646", "7", "size", "-1", "0")),
          "long": ("i64", ("9223372036854775807", "-9223372036854775808", "4611686018427387904", "9", "size", "-1", "0")),
          "unsigned": ("u32", ("4294967295", "4294967294", "2147483648", "8", "size", "0"))}
COMPARED = ("{v} < m", "{v} <= m", "m > {v}", "{v} + 1 < m", "{v} + 1 <= m", "{v} + 2 > m", "{v} >= m", "{v} > m", "{v} - 1 <= m",
            "{v} - 1 >= m", "m - {v} > 0", "{v} != m", "!({v} > m)")
# How threads come to their cells; the first six in one dimension too.
THREADS = ("own", "own", "own", "flat", "flat", "strided", "loop", "transposed", "batch", "rows", "strides", "planes")
TARGETS = ("sm_80", "sm_80", "gfx90a", "gfx1100", "gfx1100:64")
HEAD = """// types: %s
#include "Inputs/cuda.h"
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
#define sqrtf __builtin_sqrtf
#define sqrt __builtin_sqrt
#define fabsf __builtin_fabsf
#define fabs __builtin_fabs
#define fmaxf __builtin_fmaxf
#define fmax __builtin_fmax
#define fminf __builtin_fminf
#define fmin __builtin_fmin
#define fmaf __builtin_fmaf
#define fma __builtin_fma
#define floorf __builtin_floorf
#define floor __builtin_floor
#define copysignf __builtin_copysignf
#define copysign __builtin_copysign
#ifdef __HIP__
#define TARGET_0(x, y) __builtin_amdgcn_fmed3f(x, y, 0.5f)
#define TARGET_1(x, y) __builtin_amdgcn_rcpf((x) + (y))
#define TARGET_2(x, y) __builtin_amdgcn_sqrtf((x) * (x) + (y))
#define LANES_0(x) __builtin_amdgcn_uicmp(x, 5, 34)
#define LANES_1(x) __builtin_amdgcn_readfirstlane(x)
#define LANES_2(x) __builtin_amdgcn_ds_swizzle(x, 0x041F)
#define LANES_3(x) __builtin_amdgcn_update_dpp(0, x, 0x111, 15, 15, true)
#define LANES_4(x) __builtin_amdgcn_ds_bpermute(4 * ((x) + 1), x)
#define LANES_5(x) (x) + __builtin_amdgcn_mbcnt_lo(~0u, 0)
#define LANES_6(x) __builtin_amdgcn_readlane(x, 1)
#else
static inline __device__ float reciprocal(float x) {
    float y;
    asm("rcp.approx.ftz.f32 %%0,%%1;" : "=f"(y) : "f"(x));
    return y;
}
#define TARGET_0(x, y) __nvvm_fmax_f(__nvvm_mul_rn_f(x, 0.5f), y)
#define TARGET_1(x, y) (reciprocal(x) + __nvvm_saturate_f(y))
#define TARGET_2(x, y) __nvvm_rsqrt_approx_f(__nvvm_fabs_f(x) + __nvvm_fabs_f(y))
#define LANES_0(x) __nvvm_vote_ballot_sync(__nvvm_activemask(), (x) > 5)
#define LANES_1(x) __nvvm_match_any_sync_i32(__nvvm_activemask(), x)
#define LANES_2(x) __nvvm_shfl_sync_bfly_i32(__nvvm_activemask(), x, 1, 31)
#define LANES_3(x) __nvvm_redux_sync_add(x, __nvvm_activemask())
#define LANES_4(x) (x) + __nvvm_read_ptx_sreg_lanemask_lt()
#define LANES_5(x) (x) + __nvvm_read_ptx_sreg_laneid()
#define LANES_6(x) (x) + __nvvm_read_ptx_sreg_warpid()
#endif
"""
LANES, TARGET = 7, 3


# ---- drawing --------------------------------------------------------------------------------

def draw_taps(rng, spec):
    radius, rank = spec["radius"], spec["rank"]

    def offset():
        o = [0] * rank
        if spec["star"]:
            o[rng.randrange(rank)] = rng.randint(-radius, radius)
            return o
        return [rng.randint(-radius, radius) for _ in range(rank)]
    leaves = 5 * [(spec["kind"], lambda: [spec["kind"], "@", "a", offset()])]
    for name in spec["more"]:
        if name == "w":
            leaves.append((spec["kind"], lambda: [spec["kind"], "w"]))
        elif name in "rq":
            leaves.append((spec["kind"], lambda name=name: [spec["kind"], "@", name, [rng.randint(-radius, radius)]]))
        else:
            leaves.append((spec["kind"], lambda name=name: [spec["kind"], "@", name, offset()]))
    if rng.random() < 0.15:
        v = rng.choice(AXES[:rank])
        leaves.append(("i", lambda: ["i", "(int)" + v]))
    return leaves


def draw_sum(rng, spec):
    node, kind = None, spec["kind"]
    for r in range(-spec["radius"], spec["radius"] + 1):
        for axis in range(spec["rank"]):
            term = [kind, "@", "a", [r * (d == axis) for d in range(spec["rank"])]]
            if rng.random() < 0.5:
                term = [kind, "({0} * %s)" % rng.choice(("C(0.2)", "C(0.3)", "(T)2", "C(-0.5)")), term]
            node = [kind, "({0} + {1})", node, term] if node else term
    return node


def draw_kernel(rng, types):
    kind = "f" if types in ("float", "double") else "i"
    rank = rng.choice((1, 2, 2, 2, 3, 3))
    spec = {"rank": rank, "kind": kind, "type": types, "star": rng.random() < 0.6,
            "radius": rng.choice((0, 1, 1, 1, 1, 2, 2, 3, 4)) if rank < 3 else rng.choice((1, 1, 1, 2, 3)),
            "threads": rng.choice(THREADS[:6] if rank == 1 else THREADS[:11] if rank == 2 else THREADS),
            "guard": rng.choice(("if", "if", "return", "returns", "nested", "if-reversed", "none")),
            "sides": [rng.choice(("inside",) * 5 + ("clamp", "clamp", "periodic", "mirror", "zero", "modulo")) for _ in range(rank)],
            "index": rng.choice(("int", "int", "int", "long", "unsigned")), "pitch": rng.choice((0, 0, 0, 1, 3, 8)),
            "struct": rng.random() < 0.15, "restrict": rng.random() < 0.4, "address": rng.choice(("at", "at", "pointer", "flat")),
            "more": sorted({n for n in "crqwdw" if rng.random() < 0.15}), "margin": rng.choice((0, 0, 0, 1, 2)),
            "own": rng.random() < 0.07, "second": rng.random() < 0.07,
            "order": rng.sample(range(rank), rank) if rng.random() < 0.2 else list(range(rank)),
            "whole": rng.choice((None, None, "cells", "rows", "inner")), "whole-first": rng.random() < 0.7, "by-index": rng.random() < 0.4}
    kind_of_limit = rng.choice(sorted(LIMITS))
    spec["limit"] = {"of": rng.choice(("x", "last", "g", "row")), "written": rng.choice(COMPARED), "type": kind_of_limit,
                     "value": rng.choice(LIMITS[kind_of_limit][1])} if rng.random() < 0.15 else None
    if any(s != "inside" for s in spec["sides"]):
        spec["index"] = "int"
        spec["radius"] = min(spec["radius"], 1)
        spec["guard"] = "if" if spec["guard"] == "none" else spec["guard"]
    if spec["guard"] == "none":
        spec.update(threads="own", sides=["inside"] * rank, pitch=0)
    if spec["threads"] in ("flat", "strided", "batch"):
        spec["pitch"] = 0
    if rank == 1:
        spec["pitch"] = 0
        spec["more"] = [n for n in spec["more"] if n != "q"]
    node = expressions.draw(rng, draw_taps(rng, spec), kind, False)
    spec["expression"] = [kind, "({0} + {1})", draw_sum(rng, spec), node] if rng.random() < 0.6 else node
    grids = ["a", "a"] + [name for name in "cd" if name in spec["more"]]
    radius = 3 if all(s == "inside" for s in spec["sides"]) else 1
    spec["sum"] = sums.draw(rng, spec, grids, radius) if rng.random() < 0.15 else None
    spec["remainders"] = rng.random() < 0.6  # of the own coordinate, too
    return spec


def taps(spec):
    """What a cell reads; of a sum in loops its corners."""
    listed = [[spec["kind"], "@", "a", o] for o in (spec.get("listed") or {"offsets": []})["offsets"]]
    return sums.taps(spec["expression"], spec.get("sum")) + listed


def draw_passes(rng):
    block = {"cache": rng.choice(("l1", "l1", "lds", "reg", "")), "load": rng.choice(("", "cyclic", "branch")),
             "blocking": rng.choice(("", "2d", "2.5d", "3d")), "wave": rng.choice(("", "", "1d", "2d")),
             "coarsen": rng.choice(("", "2", "3", "4", "8", "16")), "vector": rng.choice(("", "", "1", "2", "4", "8")),
             "axis": rng.choice(("", "", "", "y", "z"))}
    remap = rng.choice(({}, {"column": rng.choice(("1", "2", "7", "16", "32", "100"))},
                        {"tiles": "%dx%d" % (rng.randint(1, 12), rng.randint(1, 12))}))
    remap["zigzag"] = rng.choice(("", "1"))
    one = lambda name, given: "%s<%s>" % (name, ";".join("%s=%s" % i for i in sorted(given.items()) if i[1]))
    form = rng.random()
    if form < 0.6:
        return one("stencil-block", block)
    if form < 0.85:
        return one("stencil-remap", remap)
    return rng.choice((one("stencil-remap", remap) + "," + one("stencil-block", block),
                       one("stencil-block", block) + "," + one("stencil-remap", remap), "stencil-remap,stencil-block"))


def draw_lanes(seed, number, case):
    """Some kernels get values from other lanes, or ask which theirs is: those must stay as they are. Others have
    arithmetic of the target's. With numbers of
    their own, so that the other kernels of a seed are the same with and without."""
    rng = random.Random("gpu lanes %d %d" % (seed, number))
    for kernel in case["kernels"]:
        if rng.random() < 0.08:
            kernel["lanes"] = rng.randrange(LANES)
    rng = random.Random("gpu target %d %d" % (seed, number))
    for kernel in case["kernels"]:
        if case["type"] == "float" and rng.random() < 0.15:
            kernel["target"] = rng.randrange(TARGET)
    rng = random.Random("gpu stores %d %d" % (seed, number))
    for kernel in case["kernels"]:
        if rng.random() < 0.2:
            kernel["stores"] = rng.choice(("masked", "twice", "either"))
    rng = random.Random("gpu chance %d %d" % (seed, number))
    for kernel in case["kernels"]:
        if rng.random() < 0.2:
            kernel["chance"] = rng.choice(("value", "place", "both"))
    rng = random.Random("gpu chosen %d %d" % (seed, number))
    for kernel in case["kernels"]:
        if rng.random() < 0.15:
            kernel["chosen"] = rng.choice(("value", "number", "parity", "nested", "bit"))
        if kernel.get("chosen") == "number" and random.Random("gpu switch %d %d" % (seed, number)).random() < 0.5:
            kernel["chosen"] = "switch"
    rng = random.Random("gpu several %d %d" % (seed, number))
    for kernel in case["kernels"]:
        draw_several(rng, kernel)
    rng = random.Random("gpu border %d %d" % (seed, number))
    for kernel in case["kernels"]:
        if rng.random() < 0.12:
            kernel["border"] = {"along": rng.randrange(kernel["rank"]), "last": rng.random() < 0.4, "kind": rng.choice(("number", "cell", "next"))}
        if rng.random() < 0.12 and kernel["guard"] != "none" and kernel.get("several", {}).get("kind") != "components":
            kernel["plane"] = True
    rng = random.Random("gpu records %d %d" % (seed, number))
    for kernel in case["kernels"]:
        if kernel.get("several", {}).get("kind") == "components":
            kernel["differs"] = rng.random() < 0.6  # the first component has a statement of its own
    rng = random.Random("gpu bare %d %d" % (seed, number))
    for kernel in case["kernels"]:
        whole = kernel["threads"] in ("own", "flat") and "inside" not in kernel["sides"] and not kernel.get("several")
        kernel["bare"] = whole and rng.random() < 0.5  # without guards
    rng = random.Random("gpu peel %d %d" % (seed, number))
    for kernel in case["kernels"]:
        if kernel["threads"] == "loop" and kernel["rank"] > 1 and rng.random() < 0.5:
            kernel["peel"] = rng.choice(("first", "last", "both"))  # planes that are not in the loop
            kernel["some-walk"] = rng.random() < 0.2  # of the threads that write these
    rng = random.Random("gpu beside %d %d" % (seed, number))
    for kernel in case["kernels"]:
        if kernel["sides"][0] == "inside" and rng.random() < 0.15:
            kernel["beside"] = rng.choice(("ghost", "ghost", "end"))  # a further cell, which no other thread writes
    rng = random.Random("gpu guards %d %d" % (seed, number))
    for kernel in case["kernels"]:
        if rng.random() < 0.1:  # a second output with a guard of its own
            d = rng.randrange(kernel["rank"])
            size = "n" if kernel["rank"] == 1 else "n" + AXES[d]
            kernel.update({"second": True, "second-guard": rng.choice(("%s > 1", "%s + 2 < " + size, "(%s & 3) != 1")) % AXES[d]})
    rng = random.Random("gpu otherwise %d %d" % (seed, number))
    for kernel in case["kernels"]:
        if kernel["index"] != "unsigned" and not kernel.get("beside") and not kernel.get("border") and rng.random() < 0.15:
            kernel["otherwise"] = rng.choice(("cell", "number", "some"))
    rng = random.Random("gpu late %d %d" % (seed, number))
    for kernel in case["kernels"]:
        if rng.random() < 0.15:  # reads after the first store: neighbours, or what is the array written
            alone = not any(kernel.get(n) for n in ("beside", "plane", "border", "several", "stores", "restrict", "lanes", "otherwise"))
            kernel.update({"second": True, "late": rng.choice(("near", "same") if alone else ("near",))})
    rng = random.Random("gpu memory %d %d" % (seed, number))
    for kernel in case["kernels"]:
        kernel["in-memory"] = rng.random() < 0.12  # sizes
    rng = random.Random("gpu behind branches %d %d" % (seed, number))
    for kernel in case["kernels"]:
        kernel["behind"] = kernel["in-memory"] and rng.random() < 0.5  # sizes are read where they are used
    rng = random.Random("gpu ends %d %d" % (seed, number))
    for kernel in case["kernels"]:
        if kernel["bare"] and rng.random() < 0.5:
            kernel["ends"] = rng.randrange(kernel["rank"])  # which axis's ends are left out
    rng = random.Random("gpu far %d %d" % (seed, number))
    for kernel in case["kernels"]:
        if kernel["bare"] or kernel["guard"] == "none":
            continue
        kernel["sides"] = ["turn" if s == "mirror" and rng.random() < 0.5 else s for s in kernel["sides"]]
        kernel["last-cells"] = rng.random() < 0.1  # those of the first row are read by all
    rng = random.Random("gpu own %d %d" % (seed, number))
    for kernel in case["kernels"]:
        kernel["own-mirror"] = rng.random() < 0.5  # the own coordinate is mirrored, too, as masks in loops have it
    rng = random.Random("gpu layer %d %d" % (seed, number))
    for kernel in case["kernels"]:
        draw_layer(rng, kernel)
    rng = random.Random("gpu listed %d %d" % (seed, number))
    for kernel in case["kernels"]:
        draw_listed(rng, kernel)
    rng = random.Random("gpu windows %d %d" % (seed, number))
    for kernel in case["kernels"]:
        if rng.random() < 0.12 and kernel["guard"] != "none":
            reach = [(rng.choice((0, 1, 1, 2)), rng.choice((0, 1, 1, 2))) for _ in range(kernel["rank"])]
            kernel["window"] = {"reach": reach[:2] + [(0, 1)] * (len(reach) - 2), "below": rng.random() < 0.5, "counts": rng.random() < 0.4,
                                "least": rng.random() < 0.3, "one-sided": rng.random() < 0.2}
    return case


def draw_listed(rng, kernel):
    """Some kernels read neighbours that tables in constant memory list."""
    if rng.random() < 0.88:
        return
    most = 1 if any(s != "inside" for s in kernel["sides"]) else 2
    offsets = [[rng.randint(-most, most) for _ in range(kernel["rank"])] for _ in range(rng.choice((1, 2, 3, 4, 6)))]
    kernel["listed"] = {"offsets": offsets, "as": rng.choice(("int", "int", "signed char", "long", "records")), "rolled": rng.random() < 0.3,
                        "weights": rng.random() < 0.3}


def draw_layer(rng, kernel):
    """Some flat indices are divided by a plane that is an argument of its own. With guards it may have other rows. It may be negative where
    the guards leave out the planes before the first, too: only those of a side inside do."""
    if kernel["threads"] not in ("flat", "strided") or kernel["rank"] < 3 or rng.random() < 0.5:
        return
    wrong = not kernel["bare"] and kernel["guard"] != "none" and kernel["index"] != "unsigned" and rng.random() < 0.3
    kernel["layer"] = rng.choice(("-%s", "%s+1", "%s*2")) if wrong else "%s"
    if kernel["layer"] == "-%s" and kernel["sides"][kernel["order"][2]] != "inside":
        kernel["layer"] = "%s+1"


def draw_several(rng, kernel):
    """Some threads compute several cells: the components of one, side by side, or cells next to each other, or a block's width apart."""
    several = {"kind": rng.choice(("components", "next", "apart")), "cells": rng.choice((2, 2, 3, 4)), "along": rng.randrange(kernel["rank"]),
               "unrolled": rng.random() < 0.8}
    if kernel["threads"] != "own" or kernel["guard"] == "none" or rng.random() < 0.6:
        return
    if several["kind"] == "components" and (kernel["pitch"] or kernel.get("whole")):
        return
    kernel["several"] = several


def draw_file(seed, number):
    rng = random.Random("gpu %d %d" % (seed, number))
    type_ = rng.choice(("float", "float", "double", "int", "short", "char"))
    return draw_lanes(seed, number, {"type": type_, "target": rng.choice(TARGETS), "level": rng.choice("1223"), "late": rng.random() < 0.15,
            "passes": [draw_passes(rng) for _ in range(5)], "seed": rng.randrange(10000), "runs": 5,
            "kernels": [draw_kernel(rng, type_) for _ in range(KERNELS)]})


# ---- writing --------------------------------------------------------------------------------

class Writer:
    def __init__(self, spec, number):
        self.spec, self.name, self.rank = spec, "k%d" % number, spec["rank"]
        self.sizes = ["n"] if self.rank == 1 else ["n" + v for v in AXES[:self.rank]]
        self.padded = spec["guard"] == "none"
        self.low, self.high = self.margins()
        self.row = "pitch" if spec["pitch"] or self.padded else self.sizes[0]
        self.several = spec.get("several") or {"kind": ""}
        self.components = self.several["cells"] if self.several["kind"] == "components" else 1

    def margins(self):
        more = self.spec["margin"]
        low, high = [more] * self.rank, [more] * self.rank
        for t in taps(self.spec):
            where = [(0, t[3][0])] if t[2] == "r" else [(1, t[3][0])] if t[2] == "q" else list(enumerate(t[3]))
            for d, o in where:
                low[d], high[d] = max(low[d], -o), max(high[d], o)
        if self.spec["guard"] == "none" or "inside" in self.spec["sides"]:
            return low, high
        return [0] * self.rank, [0] * self.rank

    def side(self, d):
        return self.spec["sides"][d]

    def at(self, d, o):
        """The coordinate of a neighbour along d, and whether it is in the grid (None: always)."""
        if isinstance(o, str):
            return self.at_any(d, o)
        v, n, moved = AXES[d], self.sizes[d], "(%s%+d)" % (AXES[d], o) if o else AXES[d]
        side = self.side(d)
        own = {"modulo": "remainders", "mirror": "own-mirror"}.get(side)
        if side == "inside" or not o and not (own and self.spec.get(own)):
            return moved, None
        if side == "clamp":
            return ("max(%s, 0)" if o < 0 else "min(%s, " + n + " - 1)") % moved, None
        if side == "periodic":
            return ("(%s == 0 ? %s - 1 : %s)" % (v, n, moved) if o < 0 else "(%s == %s - 1 ? 0 : %s)" % (v, n, moved)), None
        if side == "modulo":
            return "((%s + %s) %% %s)" % (moved, n, n), None
        if side == "mirror":
            return ("(%s < 0 ? -%s - 1 : %s)" % (moved, moved, moved) if o <= 0 else
                    "(%s >= %s ? 2 * %s - 1 - %s : %s)" % (moved, n, n, moved, moved)), None
        if side == "turn":
            return ("(%s < 0 ? %d : %s)" % (moved, -o, moved) if o < 0 else "(%s > %s - 1 ? %s - %d : %s)" % (moved, n, n, 1 + o, moved)), None
        return moved, "%s >= 0" % moved if o < 0 else "%s < %s" % (moved, n)

    def at_any(self, d, o):
        """As at(), of an offset that a loop changes."""
        n, moved = self.sizes[d], "(%s + %s)" % (AXES[d], o)
        side = self.side(d)
        if side == "clamp":
            return "min(max(%s, 0), %s - 1)" % (moved, n), None
        if side == "periodic":
            return "({0} < 0 ? {0} + {1} : {0} >= {1} ? {0} - {1} : {0})".format(moved, n), None
        if side == "modulo":
            return "((%s + %s) %% %s)" % (moved, n, n), None
        if side == "mirror":
            return "({0} < 0 ? -{0} - 1 : {0} >= {1} ? 2 * {1} - 1 - {0} : {0})".format(moved, n), None
        if side == "turn":
            return "({0} < 0 ? -({2}) : {0} > {1} - 1 ? {1} - 1 - ({2}) : {0})".format(moved, n, o), None
        return moved, "%s >= 0 && %s < %s" % (moved, moved, n) if side == "zero" else None

    def linear(self, at):
        text = at[-1]
        for d in range(self.rank - 2, -1, -1):
            text = "(%s) * %s + %s" % (text, self.row if d == 0 else self.rows(d), at[d])
        return "%d * (%s) + part" % (self.components, text) if self.components > 1 else text

    def rows(self, d):
        return "(%s + %d)" % (self.sizes[d], self.low[d] + self.high[d]) if self.padded else self.sizes[d]

    def strides(self):
        one = "%d" % self.components
        return [one, "(%s * %s)" % (one, self.row), "(%s * %s * %s)" % (one, self.row, self.rows(1) if self.rank > 1 else "1")][:self.rank]

    def tap(self, grid, offset):
        if grid in "rq":
            at, inside = self.at(0 if grid == "r" else 1, offset[0])
            return "(%s ? %s[%s] : 0)" % (inside, grid, at) if inside else "%s[%s]" % (grid, at)
        found = [self.at(d, o) for d, o in enumerate(offset)]
        inside = " && ".join(i for _, i in found if i)
        plain = all(self.side(d) in ("inside", "zero") for d in range(self.rank))
        if plain and self.spec["address"] != "at":
            moved = "".join(" + (%s) * (long)%s" % (o, s) for o, s in zip(offset, self.strides()) if o)
            cell = "%s_c[0%s]" % (grid, moved) if self.spec["address"] == "pointer" else "%s[cell%s]" % (grid, moved)
        else:
            cell = "%s[%s]" % (grid, self.linear([a for a, _ in found]))
        return "(%s ? %s : (T)0)" % (inside, cell) if inside else cell

    def statement(self):
        spec, lines = self.spec, []
        value = expressions.text(spec["expression"], self.tap).replace("$T", "T").replace(
            "$S", "f" if spec["type"] == "float" else "")
        if spec["address"] == "flat":
            index = "g" if spec.get("by-index") and self.in_order() else self.linear(AXES[:self.rank])
            lines.append("%s cell = %s;" % (spec["index"], index))
        if spec["address"] == "pointer":
            for grid in ["a"] + [g for g in spec["more"] if g in "cd"]:
                lines.append("const T *%s_c = %s + %s;" % (grid, grid, self.linear(AXES[:self.rank])))
        more, value = sums.add(spec.get("sum"), value, "T", spec["kind"] == "f", self.tap)
        lines += more
        value = self.last_cells(self.chosen(self.chance(value, lines), lines), lines)
        value = self.window(self.listed(value, lines), lines)
        if spec.get("target") is not None:
            value = "TARGET_%d(%s, %s)" % (spec["target"], value, self.tap("a", [0] * self.rank))
        if spec.get("lanes") is not None:
            lines.append("T lanes_v = (T)(%s);" % value)
            value = "lanes_v + (T)((LANES_%d(lanes_v > (T)0 ? 7 : 3)) & 15)" % spec["lanes"]
        by_index = spec.get("by-index") and self.in_order() and not spec["pitch"]
        own = "b[%s]" % ("g" if by_index else self.linear(AXES[:self.rank]))
        lines += self.border(own, self.stores(own, "(T)(%s%s)" % (value, " + " + own if spec["own"] else "")))
        lines += self.beside()
        if spec.get("plane"):
            lines.append("b[plane + %s] = (T)(%s);" % (self.linear(AXES[:self.rank]), self.tap("a", [0] * self.rank)))
        if spec["second"]:
            value = self.tap("a", [0] * self.rank)
            if spec.get("late") == "near":
                value += "".join(" + " + self.tap("a", t[3]) for t in taps(spec)[:3] if t[2] == "a")
            elif spec.get("late"):
                value += " + s[%s]" % self.linear(AXES[:self.rank])
            second = "e[%s] = (T)(%s);" % (self.linear(AXES[:self.rank]), value)
            lines += ["if (%s)" % spec["second-guard"], second] if spec.get("second-guard") else [second]
        return "\n".join(lines)

    def beside(self):
        """The first thread of a row writes the cell in front of it, or the last one of the row, if nobody else does."""
        kind = self.spec.get("beside")
        if not kind or not self.low[0] or (kind == "end" and not self.high[0]) or self.components > 1 or self.spec["own"]:
            return []
        at = "x - 1" if kind == "ghost" else "%s - 1" % self.rows(0)
        to = self.linear([at] + list(AXES[1:self.rank]))
        return ["if (x == %d) {" % self.low[0], "b[%s] = (T)(%s);" % (to, self.tap("a", [0] * self.rank)), "}"]

    def border(self, own, lines):
        """At the first or last coordinate that is written, another statement."""
        border = self.spec.get("border")
        if not border:
            return lines
        d, at = border["along"], [0] * self.rank
        number = "%s - %d" % (self.sizes[d], 1 + self.high[d]) if border["last"] else "%d" % self.low[d]
        inner = -1 if border["last"] else 1
        if border["kind"] == "next" and self.side(d) != "zero" and inner in range(-self.low[d], self.high[d] + 1):
            at[d] = inner
        value = "(T)3" if border["kind"] == "number" else self.tap("a", at)
        return ["if (%s == %s) {" % (AXES[d], number), "%s = %s;" % (own, value), "} else {"] + lines + ["}"]

    def chance(self, value, lines):
        """With what is read of f under a condition alone: the cell itself, or one for which there may be no memory."""
        kind, at = self.spec.get("chance"), self.linear(AXES[:self.rank])
        if not kind:
            return value
        lines.append("T chance_v = (T)(%s);" % value)
        if kind != "place":
            lines.append("if (%s > (T)1)\nchance_v += f[%s];" % (self.tap("a", [0] * self.rank), at))
        if kind != "value":
            lines.append("if (x >= %d)\nchance_v -= f[%s - 2];" % (self.low[0] + 2, at))
        return "chance_v"

    def listed(self, value, lines):
        """With the neighbours that tables list."""
        listed = self.spec.get("listed")
        if not listed:
            return value
        entry = "%s_list[k].o%%d" if listed["as"] == "records" else "%s_o%%d[k]"
        at = ["(int)" + entry % self.name % d for d in range(self.rank)]
        term = self.tap("a", at) + (" * (T)(%s + 1)" % at[0] if listed["weights"] else "")
        lines += ["T listed_v = (T)(%s);" % value, "#pragma nounroll" if listed["rolled"] else "",
                  "for (int k = 0; k < %d; k++)" % len(listed["offsets"]), "listed_v += %s;" % term]
        return "listed_v"

    def tables(self):
        listed = self.spec.get("listed")
        if not listed:
            return ""
        memory = "__attribute__((constant)) __device__"
        if listed["as"] == "records":
            fields, rows = " ".join("short o%d;" % d for d in range(self.rank)), ", ".join("{%s}" % ", ".join(map(str, o)) for o in listed["offsets"])
            return "struct %s_offset { %s };\n%s %s_offset %s_list[] = {%s};\n" % (self.name, fields, memory, self.name, self.name, rows)
        return "".join("%s %s %s_o%d[] = {%s};\n" % (memory, listed["as"], self.name, d, ", ".join(str(o[d]) for o in listed["offsets"]))
                       for d in range(self.rank))

    def window(self, value, lines):
        """With a window of cells around this one, as far as they are in the grid."""
        window = self.spec.get("window")
        if not window:
            return value
        lines += ["T window_v = (T)(%s);" % value, "int window_n = 0;"]
        for d, (before, behind) in enumerate(window["reach"]):
            low, high = "(int)%s - %d" % (AXES[d], before), "(int)%s + %d" % (AXES[d], behind)
            first = low if window["one-sided"] and not before else "max(%s, 0)" % low
            test = "< min(%s + 1, (int)%s)" if window["below"] else "<= min(%s, (int)%s - 1)"
            lines.append("for (int w%d = %s; w%d %s; w%d++)" % (d, first, d, test % (high, self.sizes[d]), d))
        cell = "a[%s]" % self.linear(["w%d" % d for d in range(self.rank)])
        add = "window_v = %s < window_v ? %s : window_v;" % (cell, cell) if window["least"] else "window_v += %s;" % cell
        lines.append("{ %s%s }" % (add, " window_n++;" if window["counts"] else ""))
        return "(window_v + (T)window_n)"

    def last_cells(self, value, lines):
        if not self.spec.get("last-cells"):
            return value
        n = self.sizes[0]
        lines += ["T last_v = (T)(%s);" % value, "#pragma nounroll", "for (int q = %s - 3; q < %s; q++)" % (n, n), "last_v += a[q];"]
        return "last_v"

    def enough(self):
        """Sizes with which all that is read is there."""
        turned = ["%s > 1" % n for d, n in enumerate(self.sizes) if self.side(d) == "turn"]
        return turned + ["%s > 2" % self.sizes[0]] * bool(self.spec.get("last-cells"))

    def chosen(self, value, lines):
        """With a cell of f that a condition chooses: its own, or the one before it along x."""
        kind, at = self.spec.get("chosen"), self.linear(AXES[:self.rank])
        holds, last = "%s > (T)1" % self.tap("a", [0] * self.rank), AXES[self.rank - 1]
        to = {"value": "(%s ? 0 : x > 0 ? -1 : 0)" % holds, "number": "-(int)(x > 0 && %s)" % holds,
              "bit": "-(int)((%s & 1) * (x > 0))" % last, "parity": "(%s %% 2 == 1 ? x > 0 ? -1 : 0 : 0)" % last,
              "nested": "(%s ? x > 0 ? -1 : 0 : f[%s] > (T)2 && x > 0 ? -1 : 0)" % (holds, at), "switch": "0"}
        if not kind:
            return value
        lines += ["T chosen_v = (T)(%s);" % value, "int chosen_to = %s;" % to[kind]]
        if kind == "switch":
            lines += ["if (x > 1)", "switch ((int)(f[%s] * 4) & 7) {" % at]
            lines += ["case %d: chosen_to = %d; break;" % (n, -n) for n in range(3)] + ["default: chosen_to = -1;", "}"]
        lines += ["chosen_v += f[%s + chosen_to];" % at]
        return "chosen_v"

    def in_order(self):
        """Does a flat index g count as memory does?"""
        return self.spec["threads"] in ("flat", "strided") and self.spec["order"] == list(range(self.rank))

    def whole(self):
        """A guard on the flat index, or on rows of it."""
        kind = self.spec.get("whole")
        if not kind or not self.in_order():
            return []
        inner = "(%s - %d)" % (self.sizes[-1], self.high[-1] if self.side(self.rank - 1) == "inside" else 0)
        sizes = self.sizes[:-1] + [inner if kind == "inner" else self.sizes[-1]]
        if kind == "rows" and self.rank > 1:
            return ["g / %s < %s" % (sizes[0], " * ".join(sizes[1:]))]
        return ["g < %s" % " * ".join(sizes)]

    def limit(self):
        """A guard by a number that is mostly no limit."""
        limit = self.spec.get("limit")
        if not limit or self.padded:
            return []
        flat = {"g": "g", "row": "g / " + self.sizes[0]} if self.in_order() else {}
        v = flat.get(limit["of"], AXES[self.rank - 1 if limit["of"] == "last" else 0])
        return [limit["written"].format(v=v)]

    def conditions(self):
        whole = self.whole() + self.limit() + self.enough()
        return whole + self.inside() if self.spec.get("whole-first") else self.inside() + whole

    def stores(self, own, value):
        """Of the cell's value: one store, or several of which the last one counts."""
        other, kind = self.tap("a", [0] * self.rank), self.spec.get("stores")
        if kind == "masked":
            return ["T stored_v = %s;" % value, "if (stored_v > %s) %s = stored_v;" % (other, own)]
        if kind == "twice":
            return ["%s = %s;" % (own, value), "%s = (T)(%s + %s);" % (own, own, other)]
        if kind == "either":
            return ["if (%s > (T)1) %s = %s; else %s = (T)(%s + 1);" % (other, own, value, own, other)]
        if self.spec.get("differs") and self.components > 1:
            return ["T stored_v = %s;" % value, "%s = part == 0 ? stored_v : (T)(stored_v - %s);" % (own, other)]
        return ["%s = %s;" % (own, value)]

    def inside(self):
        found = []
        for d in range(self.rank):
            low, high = (self.low[d], self.high[d]) if self.side(d) == "inside" else (0, 0)
            v, n = AXES[d], self.sizes[d]
            found += ["%s >= %d" % (v, low)] * bool(low)
            found.append("%s + %d < %s" % (v, high, n) if self.spec["index"] == "unsigned" else "%s < %s - %d" % (v, n, high))
        return found

    def guarded(self, leave):
        guard, conditions, body = self.spec["guard"], self.conditions(), self.statement()
        if self.components > 1:
            body = self.repeated("part", "0", self.components, body)
        if self.spec.get("bare") and self.spec.get("ends") is not None:
            v = AXES[self.spec["ends"]]
            return "if (%s != 0 && %s != %s - 1) {\n%s\n}" % (v, v, self.sizes[self.spec["ends"]], body)
        if guard == "none" or self.spec.get("bare"):
            return body
        if guard == "return":
            return "if (%s)\n%s;\n%s" % (" || ".join("!(%s)" % c for c in conditions), leave, body)
        if guard == "returns":
            return "\n".join("if (!(%s))\n%s;" % (c, leave) for c in conditions) + "\n" + body
        if guard == "nested":
            return " ".join("if (%s) {" % c for c in conditions) + "\n" + body + "\n" + "}" * len(conditions)
        if guard == "if-reversed":
            conditions = conditions[::-1]
        return "if (%s) {\n%s\n}" % (" && ".join(conditions), body) + self.otherwise()

    def otherwise(self):
        """What the cells get that are left of the grid, or of a part of it."""
        kind, own = self.spec.get("otherwise"), self.linear(AXES[:self.rank])
        if not kind or self.padded or self.components > 1:
            return ""
        left = ["%s < %s - %d" % (v, n, kind == "some") for v, n in zip(AXES, self.sizes)]
        return " else if (%s)\nb[%s] = (T)(%s);" % (" && ".join(left), own, "1" if kind == "number" else "a[%s]" % own)

    def body(self):
        index, threads = self.spec["index"], self.spec["threads"]
        first = lambda d: "blockIdx.%s * blockDim.%s + threadIdx.%s" % (d, d, d)
        lines = []
        if threads in ("flat", "strided"):
            cells = " * ".join(self.sizes)
            lines.append("%s g = %s;" % (index, first("x")))
            apart = self.apart()
            if threads == "strided":
                return "for (%s g = %s; g < %s; g += gridDim.x * blockDim.x) {\n%s\n%s\n}" % (
                    index, first("x"), cells, "\n".join(apart), self.guarded("continue"))
            return "\n".join(lines + apart + [self.guarded("return")])
        if threads == "batch":
            return "\n".join(self.batch() + [self.guarded("return")])
        if threads in ("rows", "strides"):
            return self.loops()
        if threads == "planes":
            lines = ["%s x = %s, p = blockIdx.y, y = p %% ny, z = p / ny;" % (index, first("x"))]
            return "\n".join(lines + [self.guarded("return")])
        loop = threads == "loop" and self.rank > 1
        order = AXES[:self.rank - loop]
        place = order[::-1] if threads == "transposed" else order
        for v, w in zip(order, place):
            move = " + %d" % self.low[AXES.index(v)] if self.padded else ""
            lines.append("%s %s = %s%s;" % (index, v, first(w), move))
            if v == AXES[self.several.get("along", 0)] and self.several["kind"] in ("next", "apart"):
                lines[-1] = self.first_cell(index, v, w)
        if loop and self.spec.get("peel"):
            return self.peeled("\n".join(lines), index)
        if loop:
            v, n = AXES[self.rank - 1], self.sizes[-1]
            return "\n".join(lines) + "\nfor (%s %s = 0; %s < %s; %s++) {\n%s\n}" % (index, v, v, n, v, self.guarded("continue"))
        if self.several["kind"] in ("next", "apart"):
            v = AXES[self.several["along"]]
            step = "more" if self.several["kind"] == "next" else "more * blockDim.%s" % v
            body = "%s %s = %s0 + %s;\n%s" % (index, v, v, step, self.guarded("continue"))
            return "\n".join(lines + [self.repeated("more", "0", self.several["cells"], body)])
        return "\n".join(lines + [self.guarded("return")])

    def peeled(self, lines, index):
        """A loop along the last axis whose first or last plane is in front of it or behind it. Guards of the other axes come first."""
        v, n, peel = AXES[self.rank - 1], self.sizes[-1], self.spec["peel"]
        low, high = (self.low[-1], self.high[-1]) if self.side(self.rank - 1) == "inside" else (0, 0)
        own = [c for c in self.conditions() if not re.search(r"\b%s\b|\b[gm]\b" % v, c)] + ["%s > %d" % (n, low + high + 1)]
        body, first, last = self.statement(), "%d" % low, "%s - %d" % (n, high + 1)
        plane = lambda at: "{\n%s %s = %s;\n%s\n}" % (index, v, at, body)
        start = "%s + 1" % first if peel != "last" else first
        end = last if peel != "first" else "%s + 1" % last
        parts = [plane(first)] * (peel != "last")
        some = "if (x > 2)\n" if self.spec.get("some-walk") else ""
        parts.append("%sfor (%s %s = %s; %s < %s; %s++) {\n%s\n}" % (some, index, v, start, v, end, v, body))
        parts += [plane(last)] * (peel != "first")
        return "%s\nif (%s) {\n%s\n}" % (lines, " && ".join(own), "\n".join(parts))

    def repeated(self, name, start, count, body):
        pragma = "#pragma unroll\n" if self.several["unrolled"] else "#pragma nounroll\n"
        return "%sfor (int %s = %s; %s < %d; %s++) {\n%s\n}" % (pragma, name, start, name, count, name, body)

    def first_cell(self, index, v, w):
        """Of a thread that computes several cells along v."""
        cells, place = self.several["cells"], {"v": v, "w": w, "index": index}
        if self.several["kind"] == "next":
            return "%(index)s %(v)s0 = (blockIdx.%(w)s * blockDim.%(w)s + threadIdx.%(w)s) * {};".format(cells) % place
        return "%(index)s %(v)s0 = blockIdx.%(w)s * blockDim.%(w)s * {} + threadIdx.%(w)s;".format(cells) % place

    def layer(self):
        """A negative plane gives negative planes' numbers: only where guards leave these out."""
        given = self.spec["layer"]
        return "%s+1" if given == "-%s" and not self.low[self.spec["order"][2]] else given

    def apart(self):
        """Coordinates from the flat index, which counts along one after the other."""
        order = [(AXES[d], self.sizes[d]) for d in self.spec["order"]]
        if self.spec.get("layer"):
            (x, nx), (y, _), (z, _) = order
            index = self.spec["index"]
            return ["%s %s = g / layer, in_layer = g %% layer, %s = in_layer / %s, %s = in_layer %% %s;" % (index, z, y, nx, x, nx)]
        found, before = [], []
        for v, n in order:
            quotient = " / (%s)" % " * ".join(before) if len(before) > 1 else "".join(" / " + b for b in before)
            rest = " %% %s" % n if len(before) < self.rank - 1 else ""
            found.append("%s %s = g%s%s;" % (self.spec["index"], v, quotient, rest))
            before.append(n)
        return found

    def batch(self):
        """All dimensions but the last from a flat index."""
        index, last = self.spec["index"], AXES[self.rank - 1]
        lines = ["%s g = blockIdx.x * blockDim.x + threadIdx.x;" % index]
        lines += ["%s x = g;" % index] if self.rank == 2 else ["%s x = g %% nx, y = g / nx;" % index]
        return lines + ["%s %s = blockIdx.y * blockDim.y + threadIdx.y;" % (index, last)]

    def loops(self):
        """A block takes rows, its threads the cells of one; or threads in x and y take every so many."""
        index, rows = self.spec["index"], self.spec["threads"] == "rows"
        lines = ["%s z = blockIdx.z * blockDim.z + threadIdx.z;" % index] * (self.rank == 3)
        if rows:
            lines.append("%s y = blockIdx.x;" % index)
            lines.append("for (%s x = threadIdx.x; x < nx; x += blockDim.x) {" % index)
        else:
            lines += ["%s %s = blockIdx.%s * blockDim.%s + threadIdx.%s;" % (index, "xy"[d] + "0", *(3 * "xy"[d])) for d in (0, 1)]
            lines += ["for (%s %s = %s0; %s < n%s; %s += gridDim.%s * blockDim.%s) {" % (index, *(7 * v)) for v in "yx"]
        return "\n".join(lines + [self.guarded("continue")]) + "}" * (2 - rows)

    def cells(self):
        return "*".join(["(%s+%d)" % (self.sizes[0], self.spec["pitch"])] + self.sizes[1:])

    def arguments(self):
        """[(as described, as declared)]"""
        spec, word = self.spec, "*__restrict__ " if self.spec["restrict"] else "*"
        cells = ""
        if self.padded:
            cells = "[%s]" % "*".join("(%s+%d)" % (n, l + h) for n, l, h in zip(self.sizes, self.low, self.high))
        found = [("a" + cells, "const T %sa" % word), ("b" + cells, "T %sb" % word)]
        more = {"c": cells, "d": cells, "r": "[%s+%d]" % (self.sizes[0], self.low[0] + self.high[0]),
                "q": "[%s+%d]" % (self.sizes[-1 if self.rank == 1 else 1], self.low[-1] + self.high[-1] + 4)}
        for name in spec["more"]:
            found.append(("w=0.3", "T w") if name == "w" else (name + more[name], "const T %s%s" % (word, name)))
        if spec["second"]:
            found.append(("e" + cells, "T %se" % word))
        if spec.get("late") == "same":
            found.append(("s@b", "const T %ss" % word))
        if spec.get("chance") or spec.get("chosen"):
            found.append(("f" + cells, "const T %sf" % word))
        found += [(n + INDEX[spec["index"]], "%s %s" % (spec["index"], n)) for n in self.sizes]
        if self.row == "pitch":
            more = spec["pitch"] or self.low[0] + self.high[0]
            found.append(("pitch:%s=%s+%d" % (LIMITS[spec["index"]][0], self.sizes[0], more), "%s pitch" % spec["index"]))
        if spec.get("plane"):
            found[1] = ("b[2*%s]" % self.cells(), found[1][1])
            found.append(("plane:%s=%s" % (LIMITS[spec["index"]][0], self.cells()), "%s plane" % spec["index"]))
        if spec.get("layer"):
            first = [self.sizes[d] for d in spec["order"]][:2]
            found.append(("layer:%s=%s" % (LIMITS[spec["index"]][0], self.layer() % "*".join(first)), "%s layer" % spec["index"]))
        if spec.get("limit"):
            kind, value = LIMITS[spec["limit"]["type"]][0], spec["limit"]["value"]
            found.append(("m:%s=%s" % (kind, value.replace("size", self.sizes[0])), "%s m" % spec["limit"]["type"]))
        return found

    def text(self):
        spec, arguments = self.spec, self.arguments()
        described = " ".join(a for a, _ in arguments)
        declared = ", ".join(d for _, d in arguments)
        body, struct = self.body(), ""
        if spec.get("in-memory") and not spec["struct"]:
            kind = LIMITS[spec["index"]][0]
            described = " ".join(["sizes:%s(%s)" % (kind, ",".join(self.sizes))] +
                                 [a for a, _ in arguments if a.split(":")[0] not in self.sizes])
            declared = ", ".join(["const %s *sizes" % spec["index"]] + [d for _, d in arguments if d.split()[-1] not in self.sizes])
            if spec.get("behind"):
                body = re.sub(r"\b(%s)\b" % "|".join(self.sizes), lambda m: "sizes[%d]" % self.sizes.index(m[1]), body)
            else:
                body = "".join("%s %s = sizes[%d];\n" % (spec["index"], n, i) for i, n in enumerate(self.sizes)) + body
        if spec["struct"]:
            struct = "struct %s_t { %s; };\n" % (self.name, "; ".join(d for _, d in arguments))
            names = [d.split()[-1].lstrip("*") for _, d in arguments]
            body = "".join("%s = all.%s;\n" % (d, n) for (_, d), n in zip(arguments, names)) + body
            described, declared = "{ %s }" % described, "struct %s_t all" % self.name
        cells = ""
        if self.row == "pitch" and not self.padded:
            cells = " | %s" % self.cells()
        if self.components > 1:
            cells = " | %d*%s" % (self.components, "*".join(self.sizes))
        if spec.get("layer") and self.layer() != "%s":  # threads behind the last cell have planes, too
            cells = " | 2*%s" % (cells[3:] or "*".join(self.sizes))
        order = self.sizes[:self.rank - (spec["threads"] == "loop" and self.rank > 1)]
        order = order[::-1] if spec["threads"] == "transposed" else order
        threads = "*".join(self.sizes) if spec["threads"] in ("flat", "strided") else ",".join(order)
        if spec["threads"] == "planes":
            threads = "nx,ny*nz"
        if spec["threads"] == "rows":
            threads = ",".join(["ny*32"] + order[2:] if self.rank == 2 else ["ny*32", "1", "nz"])
        if spec["threads"] == "batch":
            threads = "*".join(self.sizes[:-1]) + "," + self.sizes[-1]
        threads += "; once" if spec["own"] or spec.get("stores") == "twice" or spec.get("late") == "same" else ""
        return "%s// %s: %s%s; %s %s\nKERNEL %s(%s) {\n%s\n}\n" % (
            struct + self.tables(), self.name, described, cells, "exactly" if self.padded or spec.get("bare") else "threads", threads, self.name, declared, body)


def write(case):
    return HEAD % case["type"] + "\n".join(Writer(k, n).text() for n, k in enumerate(case["kernels"]))


# ---- running --------------------------------------------------------------------------------

class Module(differ.Module):
    def front_end(self):
        """With cells that wrap around, and the headers' folder, for the file lies elsewhere."""
        words = kernels.front_end(self.o.clang, self.path, self.type, self.arch, self.level) + self.o.flags
        words += ["-ffp-contract=off", "-fwrapv", "-emit-llvm", "-fno-discard-value-names", "-w",
                  "-I", os.path.join(common.HERE, "..", "kernels")]
        words += ["-mwavefrontsize64"] if self.lanes == 64 and self.arch.startswith("gfx1") else []
        words += [] if self.o.late else ["-Xclang", "-disable-llvm-passes"]
        return differ.command(words)[0]


def run_case(tools, folder, case, counts):
    """What is wrong with a file: [text]."""
    path = os.path.join(folder, "kernels.cu")
    with open(path, "w") as file:
        file.write(write(case))
    words = ["--build", tools.build, "--plugin", tools.plugin, "--opt", tools.opt, "--work", folder, "--seed", str(case["seed"]),
             "--runs", str(case["runs"])] + ["--late"] * case["late"] + [w for p in case["passes"] for w in ("--passes", p)]
    o = differ.options(words)
    o.clang, o.flags = tools.clang, tools.flags
    _, every = kernels.parse(path)
    try:
        changes, failures = differ.check(Module(o, path, every, case["type"], case["target"], case["level"]))
    except differ.Failure as failure:
        return [str(failure)]
    for _, changed, _ in changes:
        counts["changed"] += len(changed)
        counts["passes"] += len(every)
    return failures


def smaller_kernel(spec):
    for less in expressions.smaller(spec["expression"]):
        yield dict(spec, expression=less)
    for less in sums.smaller(spec.get("sum")):
        yield dict(spec, sum=less)
    for name in spec["more"]:
        if name not in str([t[2] for t in taps(spec)]) and name != "w":
            yield dict(spec, more=[n for n in spec["more"] if n != name])
    for name, plain in (("struct", False), ("restrict", False), ("second-guard", None), ("late", None), ("otherwise", None), ("second", False), ("own", False), ("margin", 0), ("lanes", None), ("target", None), ("stores", None), ("chance", None), ("chosen", None), ("listed", None), ("window", None), ("differs", False), ("peel", None), ("some-walk", False), ("ends", None), ("beside", None), ("last-cells", False), ("in-memory", False), ("behind", False), ("several", None), ("bare", False), ("border", None), ("plane", False),
                        ("whole", None), ("limit", None), ("by-index", False), ("address", "at"), ("pitch", 0), ("guard", "if"), ("index", "int"), ("threads", "own"),
                        ("order", sorted(spec["order"]))):
        if spec.get(name, plain) != plain and (name not in ("guard", "pitch") or spec["guard"] != "none"):
            yield dict(spec, **{name: plain})
    for d, side in enumerate(spec["sides"]):
        if side != "inside":
            yield dict(spec, sides=spec["sides"][:d] + ["inside"] + spec["sides"][d + 1:])


def smaller_passes(text):
    """With a pass, or an option, less."""
    parts = text.split(",")
    if len(parts) > 1:
        yield from (",".join(parts[:n] + parts[n + 1:]) for n in range(len(parts)))
    elif "<" in text:
        name, _, given = text.rstrip(">").partition("<")
        words = given.split(";")
        yield from ("%s<%s>" % (name, ";".join(words[:n] + words[n + 1:])) for n in range(len(words)) if given)


def smaller(case):
    if len(case["passes"]) > 1:
        yield from (dict(case, passes=[p]) for p in case["passes"])
        return
    half = len(case["kernels"]) // 2
    if half:
        yield dict(case, kernels=case["kernels"][:half])
        yield dict(case, kernels=case["kernels"][half:])
        return
    for passes in smaller_passes(case["passes"][0]):
        yield dict(case, passes=[passes])
    for kernel in smaller_kernel(case["kernels"][0]):
        yield dict(case, kernels=[kernel])


def report(o, tools, folder, number, case, text):
    def fails(less):
        try:
            return bool(run_case(tools, folder, less, collections.Counter()))
        except Exception:
            return False
    case, tried = common.reduce(case, smaller, fails, o)
    text = (run_case(tools, folder, case, collections.Counter()) or [text])[0]
    path = common.save(o.failures, "gpu-%d-%d" % (o.seed, number), case)
    print("FAILED gpu-%d-%d (reduced in %d runs): %s\n  again: %s" % (o.seed, number, tried, text[-1500:],
                                                                     common.again("gpu.py", path, o)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.add_options(parser)
    parser.add_argument("--first", type=int, default=0, help="number of the first batch")
    parser.add_argument("--source", action="store_true", help="with --case: writes the kernels")
    o = parser.parse_args()
    tools, counts, failures = common.Tools(o), collections.Counter(), 0
    os.environ["STENCILOPT_SIM_OPTIMISE"] = "0"  # many kernels that do little each
    with tempfile.TemporaryDirectory() as folder:
        if o.case:
            case = json.load(open(o.case))
            if o.source:
                return print(write(case))
            found = run_case(tools, folder, case, counts)
            print(*("FAILED: " + text for text in found), sep="\n")
            common.finish("1 case", len(found))
        for number in range(o.first, o.first + o.count):
            if common.time_is_up(o):
                break
            case = draw_file(o.seed, number)
            found = run_case(tools, folder, case, counts)
            counts["kernels"] += len(case["kernels"])
            failures += len(found)
            if found:
                report(o, tools, folder, number, case, found[0])
    common.print_counts(counts)
    common.finish("gpu, seed %d, %d files" % (o.seed, o.count), failures)


if __name__ == "__main__":
    main()
