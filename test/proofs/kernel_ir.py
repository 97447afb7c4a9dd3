# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a kernel's textual LLVM IR symbolically: integers and addresses are z3's bit-vectors, other
values trees of operations whose leaves are loads. A path is taken for each way through the kernel
that is possible under the assumptions; loops are followed as often as they can go round.

Wrapping flags (nsw, nuw) are not looked at: numbers wrap. Divisions must not be by zero: that is an
obligation of each path.
"""

import math
import re
import struct
from fractions import Fraction

import z3

WIDTH = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "ptr": 64}
SIZE = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "ptr": 8, "float": 4, "double": 8}
SREG = re.compile(r"@llvm\.(?:nvvm\.read\.ptx\.sreg|amdgcn)\.(\w+(?:\.id)?\.[xyz])\(")
AMDGCN = {"workitem.id": "tid", "workgroup.id": "ctaid"}
# AMD's implicit arguments (LLVM's AMDGPU usage guide, code object version 5): numbers and sizes of blocks.
IMPLICIT = 1 << 20
IMPLICIT_WORDS = {IMPLICIT + offset: name for offset, name in (
    (0, "nctaid.x"), (4, "nctaid.y"), (8, "nctaid.z"), (12, "ntid.x"), (14, "ntid.y"), (16, "ntid.z"))}
FLAGS = r"(?:nuw |nsw |exact |disjoint |nneg |samesign |inbounds |nusw |contract |tail |range\([^)]*\) |noundef )*"
MOST_STEPS = 20000
# What is known is put in, and unconstrained terms go, before the bits are solved: half the time of the solver for QF_BV.
TACTICS = ("simplify", "propagate-values", "solve-eqs", "elim-uncnstr", "simplify", "max-bv-sharing", "bit-blast", "sat")


class Unknown(Exception):
    """The IR has something that this does not know."""


def solve(conditions):
    """z3's answer, and the solver for its model."""
    s = z3.Then(*TACTICS).solver()
    s.add(*conditions)
    return s.check(), s


class Function:
    def __init__(self, text, name):
        text = re.sub(r"ptr addrspace\(\d+\)", "ptr", text)
        found = re.search(r"^define [^\n]*@%s\(([^\n]*)\)[^\n()]*\{\n(.*?)^\}" % re.escape(name), text, re.S | re.M)
        if not found:
            raise Unknown("no kernel " + name)
        self.parameters = [(p.split()[0], p.split()[-1]) for p in split_commas(found[1])]
        self.blocks, self.first, block = {}, None, None
        for line in found[2].split("\n"):
            line = re.sub(r"\s*;.*$|, !.*$| #\d+$", "", line).strip()
            label = re.match(r"([\w.\-]+):$", line)
            if label:
                block = label[1]
                self.blocks[block] = []
                self.first = self.first or block
            elif line:
                self.blocks[block].append(line)


def split_commas(text):
    """At commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += c in "([<{"
        depth -= c in ")]>}"
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return parts + [text[start:].strip()] if text.strip() else []


class Path:
    def __init__(self, values, conditions):
        self.values, self.conditions = values, conditions
        self.loads, self.stores, self.divisors = [], [], []
        self.block, self.previous = None, None

    def fork(self, condition):
        other = Path(dict(self.values), self.conditions + [condition])
        other.loads, other.stores = list(self.loads), list(self.stores)
        other.divisors = list(self.divisors)
        return other


class Runner:
    """`launch`: special registers by name; `arguments`: by parameter name, bit-vectors."""

    def __init__(self, function, arguments, launch, assumptions, tag):
        self.function, self.launch, self.tag = function, launch, tag
        self.arguments, self.assumptions = arguments, list(assumptions)
        self.fresh, self.quotients = 0, {}

    def possible(self, conditions):
        return solve(self.assumptions + conditions)[0] != z3.unsat

    def paths(self, end=None):
        """All that lead to a return; or to a block, whose phis they have."""
        start = Path(dict(self.arguments), [])
        start.block = self.function.first
        waiting, done, steps = [start], [], 0
        while waiting:
            p = waiting.pop()
            steps += 1
            if steps > MOST_STEPS:
                raise Unknown("a loop without an end")
            nexts = self.run_block(p, end)
            if nexts is None:
                done.append(p)
            waiting += nexts or []
        return done

    def run_block(self, p, end):
        lines = self.function.blocks[p.block]
        phis = [self.phi(p, line) for line in lines if " = phi " in line]
        p.values.update(phis)
        if p.block == end:
            return None
        for line in lines[len(phis):]:
            if line.startswith("br "):
                return self.branch(p, line)
            if line.startswith("ret "):
                return None
            self.step(p, line)
        raise Unknown("a block without an end: " + p.block)

    def branch(self, p, line):
        targets = re.findall(r"label %([\w.\-]+)", line)
        if len(targets) == 1:
            p.previous, p.block = p.block, targets[0]
            return [p]
        condition = self.operand(p, "i1", re.match(r"br i1 (\S+),", line)[1]) == 1
        ways = []
        for c, target in (condition, targets[0]), (z3.Not(condition), targets[1]):
            c = z3.simplify(c)
            if z3.is_false(c) or not self.possible(p.conditions + [c]):
                continue
            way = p.fork(c)
            way.previous, way.block = p.block, target
            ways.append(way)
        return ways

    def phi(self, p, line):
        name, kind, rest = re.match(r"(%\S+) = phi (?:contract )?(\S+|<[^>]*>) (\[.*)$", line).groups()
        for value, block in re.findall(r"\[ (\S+), %([\w.\-]+) \]", rest):
            if block == p.previous:
                return name, self.operand(p, kind, value)
        raise Unknown(line)

    def operand(self, p, kind, text):
        text = text.strip()
        if text.startswith("%"):
            return p.values[text]
        if kind in WIDTH:
            number = {"true": 1, "false": 0, "null": 0}.get(text)
            if text in ("poison", "undef"):
                return self.any_value(kind)
            return z3.BitVecVal(int(text) if number is None else number, WIDTH[kind])
        if kind.startswith("<"):
            count, of = re.match(r"<(\d+) x (\S+)>", kind).groups()
            if text in ("poison", "undef", "zeroinitializer"):
                return [("constant", text)] * int(count)
            return [self.operand(p, of, w.split()[-1]) for w in split_commas(text.strip("<>"))]
        return ("constant", text)

    def any_value(self, kind):
        self.fresh += 1
        return z3.BitVec("any%s%d" % (self.tag, self.fresh), WIDTH[kind])

    def step(self, p, line):
        if line.startswith("store "):
            kind, value, address = re.match(r"store (<[^>]*>|\S+) (.+), ptr (\S+?),? align", line).groups()
            self.store(p, kind, self.operand(p, kind, value), p.values[address])
            return
        if re.match(r"(tail )?call void @llvm\.(assume|lifetime|experimental\.noalias)", line):
            return
        found = re.match(r"(%\S+) = (.*)$", line)
        if not found:
            raise Unknown(line)
        value = self.compute(p, found[2])
        p.values[found[1]] = z3.simplify(value) if isinstance(value, z3.ExprRef) else value

    def store(self, p, kind, value, address):
        if kind.startswith("<"):
            of = kind.split()[-1][:-1]
            for i, v in enumerate(value):
                p.stores.append((z3.simplify(address + i * SIZE[of]), v))
        else:
            p.stores.append((address, value))

    def compute(self, p, text):
        op = re.match(r"(?:tail |musttail |notail )?(\w+)", text)[1]
        method = getattr(self, "do_" + op, None)
        if method:
            return method(p, text)
        binary = re.match(r"(\w+) %s(i\d+) (\S+), (\S+)$" % FLAGS, text)
        if binary and op in BINARY:
            a, b = self.operand(p, binary[2], binary[3]), self.operand(p, binary[2], binary[4])
            if op in ("udiv", "sdiv", "urem", "srem"):
                p.divisors.append((list(p.conditions), b))
            return BINARY[op](a, b)
        floating = re.match(r"(f\w+) (?:[a-z]+ )*?(<[^>]*>|float|double) (.*)$", text)
        if floating and op in ("fadd", "fsub", "fmul", "fdiv", "fneg"):
            args = [self.operand(p, floating[2], t) for t in split_commas(floating[3])]
            if isinstance(args[0], list):
                return [(op,) + lanes for lanes in zip(*args)]
            return (op, *args)
        raise Unknown(text)

    def do_icmp(self, p, text):
        how, kind, a, b = re.match(r"icmp (?:samesign )?(\w+) (\S+) (\S+), (\S+)$", text).groups()
        return z3.If(COMPARE[how](self.operand(p, kind, a), self.operand(p, kind, b)),
                     z3.BitVecVal(1, 1), z3.BitVecVal(0, 1))

    def do_select(self, p, text):
        c, kind, a, b = re.match(r"select (?:contract )?i1 (\S+), (\S+) (\S+), \S+ (\S+)$", text).groups()
        c, a, b = self.operand(p, "i1", c), self.operand(p, kind, a), self.operand(p, kind, b)
        return z3.If(c == 1, a, b) if kind in WIDTH else ("select", c, a, b)

    def do_zext(self, p, text):
        op, kind, a, to = re.match(r"(\w+) %s(\S+) (\S+) to (\S+)$" % FLAGS, text).groups()
        a, more = self.operand(p, kind, a), WIDTH[to] - WIDTH[kind]
        return z3.Extract(WIDTH[to] - 1, 0, a) if more < 0 else \
            (z3.ZeroExt if op == "zext" else z3.SignExt)(more, a)

    do_sext = do_trunc = do_zext

    def do_freeze(self, p, text):
        kind, a = re.match(r"freeze (\S+) (\S+)$", text).groups()
        return self.operand(p, kind, a)

    def do_getelementptr(self, p, text):
        of, base, kind, index = re.match(
            r"getelementptr %s(\S+), ptr (\S+), (\S+) (\S+)$" % FLAGS, text).groups()
        index = self.operand(p, kind, index)
        index = z3.SignExt(64 - index.size(), index) if index.size() < 64 else index
        return self.operand(p, "ptr", base) + index * SIZE[of]

    def do_ptrtoint(self, p, text):
        return self.operand(p, "ptr", re.match(r"ptrtoint ptr (\S+) to i64$", text)[1])

    def do_load(self, p, text):
        kind, address = re.match(r"load (<[^>]*>|\S+), ptr (\S+?)(?:, align.*)?$", text).groups()
        address = p.values[address]
        if not kind.startswith("<"):
            return self.load(p, kind, address)
        count, of = re.match(r"<(\d+) x (\S+)>", kind).groups()
        return [self.load(p, of, z3.simplify(address + i * SIZE[of])) for i in range(int(count))]

    def load(self, p, kind, address):
        if kind in WIDTH:
            word = IMPLICIT_WORDS.get(z3.simplify(address).as_long()) if z3.is_bv_value(z3.simplify(address)) else None
            if not word:
                raise Unknown("numbers from memory")
            return z3.simplify(z3.Extract(WIDTH[kind] - 1, 0, self.launch[word]))
        p.loads.append((list(p.conditions), address, SIZE[kind]))
        return ("load", address)

    def do_extractelement(self, p, text):
        kind, v, i = re.match(r"extractelement (<[^>]*>) (\S+), i\d+ (\d+)$", text).groups()
        return self.operand(p, kind, v)[int(i)]

    def do_insertelement(self, p, text):
        kind, v, of, e, i = re.match(
            r"insertelement (<[^>]*>) (\S+), (\S+) (\S+), i\d+ (\d+)$", text).groups()
        value = list(self.operand(p, kind, v))
        value[int(i)] = self.operand(p, of, e)
        return value

    def do_shufflevector(self, p, text):
        a, b, mask = [re.match(r"(<[^>]*>) (.*)$", t).groups() for t in split_commas(text[len("shufflevector "):])]
        lanes = self.operand(p, *a) + self.operand(p, *b)
        if mask[1] == "zeroinitializer":
            return [lanes[0]] * int(re.match(r"<(\d+)", mask[0])[1])
        numbers = [w.split()[-1] for w in split_commas(mask[1].strip("<>"))]
        return [("constant", "poison") if n == "poison" else lanes[int(n)] for n in numbers]

    def do_call(self, p, text):
        sreg = SREG.search(text)
        if sreg:
            name, _, dim = sreg[1].rpartition(".")
            return self.launch[AMDGCN.get(name, name) + "." + dim]
        if "@llvm.amdgcn.implicitarg.ptr(" in text:
            return z3.BitVecVal(IMPLICIT, 64)
        name, args = re.search(r"@([\w.]+)\((.*)\)$", text).groups()
        args = [self.operand(p, a.split()[0], a.split()[-1]) for a in split_commas(args)]
        choice = re.match(r"llvm\.([su])(min|max)\.", name)
        if choice:
            less = (args[0] < args[1]) if choice[1] == "s" else z3.ULT(*args)
            return z3.If(less, *(args if choice[2] == "min" else reversed(args)))
        return (name, *args)

    def do_uitofp(self, p, text):
        kind, a = re.match(r"uitofp (?:nneg )?(\S+) (\S+) to float$", text).groups()
        return ("uitofp", self.operand(p, kind, a))

    def do_fcmp(self, p, text):
        """Of sums and products of small numbers, which are exact; else any outcome."""
        how, a, b = re.match(r"fcmp (\w+) float (\S+), (\S+)$", text).groups()
        count, limit = as_count(p.values[a]), ("constant", b)
        if how != "olt" or b.startswith("%") or count is None:
            raise Unknown(text)
        number, small = count
        below = z3.ULT(number, math.ceil(as_float(limit[1])))
        return z3.If(small, z3.If(below, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)), self.any_value("i1"))

    def do_fptoui(self, p, text):
        """A quotient by a reciprocal: any number that its rounding errors allow."""
        value = p.values[re.match(r"fptoui float (\S+) to i32$", text)[1]]
        parts = as_quotient(value)
        if parts is None:
            raise Unknown(text)
        n, d, low, high = parts
        if high > 1:
            raise Unknown("a quotient that may be too large")
        key = (n.get_id(), d.get_id())
        if key not in self.quotients:
            most = int(1 / (1 - low))  # up to so many, less than one is lost
            q = self.any_value("i32")
            wide = [z3.ZeroExt(32, v) for v in (q, n, d)]
            rest = wide[1] - wide[0] * wide[2]
            fits = z3.And(d != 0, z3.ULT(wide[1], wide[2] * most))
            near = z3.And(z3.ULE(wide[0] * wide[2], wide[1]), z3.ULT(rest, 2 * wide[2]), z3.ULE(q, n))
            self.assumptions.append(z3.Implies(fits, near))
            self.quotients[key] = (q, n, d)
        return self.quotients[key][0]


# Relative errors: of rounding to nearest; of a reciprocal, one unit in the last place (PTX ISA,
# "rcp.approx.ftz.f32"; AMD's ISA manuals, "V_RCP_F32").
ROUNDING, RECIPROCAL = Fraction(1, 2**24), Fraction(1, 2**23)


def as_quotient(value):
    """n, d, low, high, where the value is n / d times a number from low to high."""
    kind = value[0]
    if kind == "uitofp":
        return value[1], None, 1 - ROUNDING, 1 + ROUNDING
    if kind == "constant":
        return None, None, *[Fraction(as_float(value[1]))] * 2
    if kind.startswith("llvm.") and "rcp" in kind:
        n, d, low, high = as_quotient(value[1])
        return d, n, (1 - RECIPROCAL) / high, (1 + RECIPROCAL) / low
    if kind != "fmul":
        return None
    a, b = as_quotient(value[1]), as_quotient(value[2])
    if not a or not b or (a[0] is not None and b[0] is not None) or (a[1] is not None and b[1] is not None):
        return None
    n, d = a[0] if a[0] is not None else b[0], a[1] if a[1] is not None else b[1]
    return n, d, a[2] * b[2] * (1 - ROUNDING), a[3] * b[3] * (1 + ROUNDING)


def as_count(value):
    """A floating-point number as an integer of 64 bits, and when it is exact: where all that it is computed of
    is below 2^24."""
    kind = value[0]
    if kind == "constant" and as_float(value[1]) == int(as_float(value[1])):
        number, small = z3.BitVecVal(int(as_float(value[1])), 64), []
    elif kind == "uitofp":
        number, small = z3.ZeroExt(64 - value[1].size(), value[1]), []
    elif kind in ("fadd", "fmul"):
        parts = [as_count(v) for v in value[1:]]
        if None in parts:
            return None
        (a, first), (b, second) = parts
        number, small = (a + b if kind == "fadd" else a * b), [first, second]
    else:
        return None
    return number, z3.And(*small, z3.ULT(number, 1 << 24))


def as_float(text):
    return struct.unpack(">d", bytes.fromhex(text[2:]))[0] if text.startswith("0x") else float(text)


BINARY = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "udiv": z3.UDiv, "sdiv": lambda a, b: a / b, "urem": z3.URem, "srem": z3.SRem,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << b, "lshr": z3.LShR, "ashr": lambda a, b: a >> b,
}
COMPARE = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
    "ult": z3.ULT, "ule": z3.ULE, "ugt": z3.UGT, "uge": z3.UGE,
    "slt": lambda a, b: a < b, "sle": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b, "sge": lambda a, b: a >= b,
}


def equal(a, b):
    """The condition under which two values are the same; None where their operations differ."""
    if isinstance(a, z3.ExprRef) or isinstance(b, z3.ExprRef):
        same = isinstance(a, z3.ExprRef) and isinstance(b, z3.ExprRef) and a.size() == b.size()
        return a == b if same else None
    if isinstance(a, str) or isinstance(b, str):
        return z3.BoolVal(True) if a == b else None
    if len(a) != len(b):
        return None
    parts = [equal(x, y) for x, y in zip(a, b)]
    return None if None in parts else z3.And(*parts)
