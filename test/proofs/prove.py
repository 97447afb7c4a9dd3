#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Proves that a kernel does, after a pass, what it did, for all launches and sizes of so many bits:

  prove.py remap BEFORE.ll AFTER.ll KERNEL ...
  prove.py block BEFORE.ll AFTER.ll KERNEL ...

    --block 4x2        threads of a block
    --blocks 3x3       bits of the numbers of blocks
    --size nx=4        an argument and its bits; or all values that it has, nx=1..9: faster. Others
                       are 0 or pointers
    --array b=nx*ny    a pointer argument and its cells, which no access may leave
    --cells 1x2        of block: cells of a thread

What is proven, of any thread of the launch:

  remap: the thread stands for another one of the launch, two threads never for the same one
         (phis of %order.end: the flat index, or the block's numbers), and does what that one did.
  block: each value it stores is stored, to the same address, by a thread before the pass; what a
         thread stored before is stored after by the leader's that has its cell; no address is stored
         to by two threads, or twice.
  both:  accesses stay within the arrays, no division is by zero.

Prints PROVED, or what does not hold and a launch that shows it.
"""

import argparse
import itertools
import re
import sys

import z3

import kernel_ir
from kernel_ir import Function, Runner, equal

AXES = "xyz"
BASE, APART = 1 << 32, 1 << 28  # where arrays lie: far apart, and accesses are told apart by it


class Refuted(Exception):
    pass


def options(argv):
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=("remap", "block"))
    p.add_argument("before")
    p.add_argument("after")
    p.add_argument("kernel")
    p.add_argument("--block", type=numbers, default=[4])
    p.add_argument("--blocks", type=numbers, default=[3])
    p.add_argument("--size", action="append", default=[])
    p.add_argument("--array", action="append", default=[])
    p.add_argument("--cells", type=numbers, default=[1, 1])
    o = p.parse_args(argv)
    o.size = [[(k, v) for v in values(text)] for k, text in (s.split("=") for s in o.size)]
    o.array = dict(a.split("=") for a in o.array)
    return o


def numbers(text):
    return [int(n) for n in text.split("x")]


def values(text):
    """Bits, as a number; or all numbers of a range, as bit-vectors."""
    first, _, last = text.partition("..")
    return [z3.BitVecVal(n, 64) for n in range(int(first), int(last) + 1)] if last else [int(first)]


def few_bits(name, bits, width=32):
    return z3.ZeroExt(width - bits, z3.BitVec(name, bits))


class World:
    """The launch and the arguments: the same before and after. `sizes`: bits or values of some."""

    def __init__(self, o, sizes):
        self.o, self.always, self.registers, self.arguments = o, [], {}, {}
        self.ndims = len(o.block)
        for d in range(3):
            threads = o.block[d] if d < self.ndims else 1
            count = few_bits("blocks" + AXES[d], o.blocks[d]) if d < self.ndims else z3.BitVecVal(1, 32)
            self.registers["ntid." + AXES[d]] = z3.BitVecVal(threads, 32)
            self.registers["nctaid." + AXES[d]] = count
            self.always.append(z3.UGE(count, 1))
        self.function = {w: Function(open(f).read(), o.kernel)
                         for w, f in (("before", o.before), ("after", o.after))}
        self.arrays = {}
        for i, (kind, name) in enumerate(self.function["before"].parameters):
            if kind == "ptr":
                self.arguments[name] = z3.BitVecVal(BASE + i * APART, 64)
            else:
                width = kernel_ir.WIDTH[kind]
                size = sizes.get(name[1:], z3.BitVecVal(0, 64))
                self.arguments[name] = few_bits(name[1:], size, width) if isinstance(size, int) else \
                    z3.simplify(z3.Extract(width - 1, 0, size))
        for name, cells in o.array.items():
            count = z3.BitVecVal(1, 64)
            for factor in cells.split("*"):
                v = z3.BitVecVal(int(factor), 64) if factor.isdigit() else self.arguments["%" + factor]
                count = count * (z3.ZeroExt(64 - v.size(), v) if v.size() < 64 else v)
            self.arrays[name] = (self.arguments["%" + name], count)

    def thread(self, tag):
        """Numbers of a thread of the launch, and that it is one."""
        ids, inside = {}, []
        for d, a in enumerate(AXES):
            bits = max(1, (self.o.block[d] - 1).bit_length()) if d < self.ndims else 0
            ids["tid." + a] = few_bits("t%s%s" % (a, tag), bits) if bits else z3.BitVecVal(0, 32)
            ids["ctaid." + a] = few_bits("b%s%s" % (a, tag), self.o.blocks[d]) if bits else z3.BitVecVal(0, 32)
            inside += [z3.ULT(ids["tid." + a], self.registers["ntid." + a]),
                       z3.ULT(ids["ctaid." + a], self.registers["nctaid." + a])]
        return ids, inside

    def run(self, which, ids, assumptions, tag, end=None):
        """Its paths, and all that may be assumed of them."""
        r = Runner(self.function[which], self.arguments, {**self.registers, **ids},
                   self.always + assumptions, tag)
        return r.paths(end), r.assumptions


def prove(claim, assumptions, what):
    """`claim` None: it cannot hold, so the assumptions must not."""
    answer, solver = kernel_ir.solve([*assumptions, z3.BoolVal(True) if claim is None else z3.Not(claim)])
    if answer == z3.sat:
        m = solver.model()
        shown = sorted("%s=%s" % (d.name(), m[d]) for d in m.decls() if not d.name().startswith("any"))
        raise Refuted("%s, as with %s" % (what, " ".join(shown)))
    if answer != z3.unsat:
        raise Refuted(what + ": not decided")


def check_alone(world, paths, known):
    """Accesses stay within the arrays, and no division is by zero."""
    for p in paths:
        for conditions, address, size in p.loads:
            prove(z3.Or(*within(world, address, size)), known + conditions, "a load outside the arrays")
        for address, _ in p.stores:
            prove(z3.Or(*within(world, address, 1)), known + p.conditions, "a store outside the arrays")
        for conditions, by in p.divisors:
            prove(by != 0, known + conditions, "a division by zero")


def within(world, address, size):
    return [z3.And(z3.UGE(address, base), z3.ULE(address + size, base + 4 * count))
            for base, count in world.arrays.values()]


def same_effect(p, q):
    """The condition under which two paths store the same values to the same addresses, in order."""
    if len(p.stores) != len(q.stores):
        return None
    parts = [equal((a, v), (b, w)) for (a, v), (b, w) in zip(p.stores, q.stores)]
    return None if None in parts else z3.And(*parts)


# ---- remap ----------------------------------------------------------------------------------

def stands_for(world, function, p):
    """Numbers of the thread of the old order whose cells this one has, on a path of the new."""
    phis = [re.match(r"(%\S+) = phi", line) for line in function.blocks["order.end"]]
    moved = [p.values[m[1]] for m in phis if m]
    if world.ndims > 1:
        return {"ctaid." + AXES[d]: moved[d] for d in range(world.ndims)}
    index = moved[0]
    index = z3.Extract(31, 0, index) if index.size() > 32 else index
    width = world.registers["ntid.x"]
    return {"ctaid.x": z3.simplify(z3.UDiv(index, width)), "tid.x": z3.simplify(z3.URem(index, width))}


def prove_remap(world):
    prove_permutes(world)
    ids, inside = world.thread("1")
    after, known = world.run("after", ids, inside, "1")
    check_alone(world, after, known)
    for p in after:
        old, here = stands_for(world, world.function["after"], p), known + p.conditions
        pinned = {k: z3.BitVec(k + "old", 32) for k in old}
        before, all_known = world.run(
            "before", {**ids, **pinned}, here + [pinned[k] == old[k] for k in old], "old")
        for q in before:
            prove(same_effect(p, q), all_known + q.conditions,
                  "a thread does not do what the one that it stands for did")
    return len(after)


def prove_permutes(world):
    """Threads stand for threads of the launch, two never for the same: so for each there is one."""
    ids, inside = world.thread("1")
    ways, known = world.run("after", ids, inside, "1", "order.end")
    other_ids, other_inside = world.thread("2")
    other_ways, other_known = world.run("after", other_ids, other_inside, "2", "order.end")
    for i, p in enumerate(ways):
        old = stands_for(world, world.function["after"], p)
        prove(z3.And(*(z3.ULT(old[k], world.registers["n" + k]) for k in old)), known + p.conditions,
              "a thread stands for none of the launch")
        for q in other_ways[i:]:
            other = stands_for(world, world.function["after"], q)
            same = [old[k] == other[k] for k in old]
            same += [ids[k] == other_ids[k] for k in ids if k not in old]
            prove(z3.And(*(ids[k] == other_ids[k] for k in ids)),
                  known + p.conditions + other_known + q.conditions + same,
                  "two threads stand for the same one")


# ---- block ----------------------------------------------------------------------------------

def prove_block(world):
    ids, inside = world.thread("1")
    after, known = world.run("after", ids, inside, "1")
    check_alone(world, after, known)
    prove_sound(world, ids, after, known)
    prove_complete(world)
    prove_once(world, after, known)
    return len(after)


def cell_of(world, ids, d):
    return ids["ctaid." + AXES[d]] * world.registers["ntid." + AXES[d]] + ids["tid." + AXES[d]]


def thread_of(world, cell, d):
    width = world.registers["ntid." + AXES[d]]
    return {"ctaid." + AXES[d]: z3.UDiv(cell, width), "tid." + AXES[d]: z3.URem(cell, width)}


def leader_of(world, cell, d):
    """By the rule in lib/codegen/block/axes.c: of C blocks next to each other the first."""
    width, count = world.registers["ntid." + AXES[d]], world.o.cells[d]
    block = z3.UDiv(cell, width * count) * count
    return {"ctaid." + AXES[d]: block, "tid." + AXES[d]: z3.UDiv(cell - block * width, count)}


def prove_sound(world, ids, after, known):
    """Before, a thread of the launch stored that: one of those whose cells this one has, or itself."""
    own = dict(ids)
    offsets = list(itertools.product(*(range(c) for c in world.o.cells[:world.ndims])))
    for p in after:
        if not p.stores:
            continue
        covered = [[] for _ in p.stores]
        for offset in offsets + [None]:
            old = dict(own)
            for d in range(world.ndims) if offset is not None else ():
                first = ids["ctaid." + AXES[d]] * world.registers["ntid." + AXES[d]]
                cell = first + ids["tid." + AXES[d]] * world.o.cells[d] + offset[d]
                old.update(thread_of(world, cell, d))
            pinned = {k: z3.BitVec(k + "old", 32) for k in old}
            in_launch = [z3.ULT(pinned[k], world.registers["n" + k]) for k in old]
            pins = [pinned[k] == old[k] for k in old]
            before, all_known = world.run("before", pinned, known + p.conditions + pins + in_launch, "old")
            for i, (address, value) in enumerate(p.stores):
                for q in before:
                    for where, what in q.stores:
                        same = equal((address, value), (where, what))
                        if same is not None:
                            here = z3.And(*in_launch, *q.conditions, same)
                            pairs = [(pinned[k], old[k]) for k in old]
                            covered[i].append(z3.substitute(here, *pairs))
        for ways in covered:
            prove(z3.Or(*ways), known + p.conditions, "a store that no thread made before")


def prove_complete(world):
    ids, inside = world.thread("1")
    before, known = world.run("before", ids, inside, "old")
    new = dict(ids)
    for d in range(world.ndims):
        new.update(leader_of(world, cell_of(world, ids, d), d))
    pinned = {k: z3.BitVec(k + "new", 32) for k in new}
    for q in before:
        if not q.stores:
            continue
        pins = [pinned[k] == new[k] for k in new]
        prove(z3.And(*(z3.ULT(pinned[k], world.registers["n" + k]) for k in new)), known + q.conditions + pins,
              "a leader is not in the launch")
        leaders, _ = world.run("after", pinned, known + q.conditions + pins, "new")
        selves, _ = world.run("after", ids, known + q.conditions, "self")
        for address, value in q.stores:
            made = [z3.And(*p.conditions, *pins, same) for p in leaders + selves for a, v in p.stores
                    for same in [equal((a, v), (address, value))] if same is not None]
            prove(z3.Or(*made), known + q.conditions + pins, "a store that no leader makes")


def prove_once(world, after, known):
    ids, inside = world.thread("1")
    others_ids, others_inside = world.thread("2")
    others, others_known = world.run("after", others_ids, others_inside, "2")
    same_thread = z3.And(*(ids[k] == others_ids[k] for k in ids))
    for p in after:
        for (a, _), (b, _) in itertools.combinations(p.stores, 2):
            prove(a != b, known + p.conditions, "an address is stored to twice")
        for q in others:
            for (a, _), (b, _) in itertools.product(p.stores, q.stores):
                prove(same_thread, known + p.conditions + others_known + q.conditions + [a == b],
                      "two threads store to one address")


def main(argv):
    o = options(argv)
    try:
        paths = 0
        for sizes in itertools.product(*o.size):
            paths += (prove_remap if o.what == "remap" else prove_block)(World(o, dict(sizes)))
    except Refuted as e:
        print("REFUTED: %s: %s" % (o.kernel, e))
        return 1
    except kernel_ir.Unknown as e:
        print("NOT DECIDED: %s: %s" % (o.kernel, e))
        return 2
    print("PROVED: %s, %d paths" % (o.kernel, paths))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
