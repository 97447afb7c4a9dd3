# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random stencil functions in C, for the host entrance: what it takes and near misses. A function is
a dict of plain values (so that it can be saved, reduced and written again), drawn by draw() and
written by write(). run.c calls them; hosts.py builds, runs and reduces them."""

import math

import expressions
import sums

INTEGERS = ("int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t")
BYTES = dict({"float": 4, "double": 8}, **{t: int("".join(filter(str.isdigit, t))) // 8 for t in INTEGERS})
VARIABLES = "ijk"
TABLE = 16  # elements of W
# Arrays of one dimension: what indexes them, {0} along the first dimension and {1} along x, and how many elements they have.
LINES = {"R": ("{0}", lambda e, steps: e[0]), "C": ("{1}", lambda e, steps: e[-1]),
         "H": ("2 * {1}", lambda e, steps: 2 * e[-1] + TABLE), "V": ("EXTENT - 1 - {1}", lambda e, steps: e[-1] + TABLE),
         "Z": ("{0} + {1}", lambda e, steps: e[0] + e[-1] + TABLE), "Q": ("t", lambda e, steps: steps + TABLE),
         "W": ("0", lambda e, steps: TABLE)}
EXTENT = {1: 700, 2: 90, 3: 26}  # of static arrays
OUTPUTS = ("t % 3 == 0", "t % 5 == 4", "t == 3", "t >= 6", "note[1] == 7", "t % 4 == 1 || t == 6",
           "switch (t % 7)")
MIDDLE = "@"  # between the two nests of a step
WORK = 250000  # cells times steps times taps of a run, about
# How the time loop finds its arrays. A single sweep has none.
# "oldest" and "older": the new step takes the place of the one before the last, which it may read; "own": of
# itself, which only the cell itself may read; "history": all steps are kept.
TIMED = ("mod2", "mod2", "mod2", "swap", "swap", "ternary", "rotate", "mod3", "oldest", "older", "pair", "pair", "copyback",
         "own", "colour", "history")
# Checks of a loop's counter {0}, of which there are {1}: the program ends where one fails, and none does.
CHECKS = ("{0} < {1}", "{0} >= 0 && {0} < {1}", "!({0} + 1 > {1})", "(unsigned long){0} < (unsigned long){1}",
          "(long)({0} + {0}) <= 2 * (long){1}", "note[2] < 0 || {0} < {1}", "{0} != {1}")
# Which cells are of colour {0}.
COLOURS = ("(i + j) % 2 == {0}", "((i + j) & 1) == {0}", "(i + j + {0}) % 2 == 0", "!(((i ^ j) ^ {0}) & 1)", "(i + 3 * j) % 2 != {0}")
# What most programs are like, so that enough of them get to the kernels that block time.
USUAL = {"counter": "int", "guard": False, "loop": "plus", "local": True, "miss": None, "extent": None, "time": "up"}
BLOCKED = ("mod2", "swap", "ternary", "rotate", "oldest", "older", "pair")
# The number of the level that a step reads, of two, and of the one that it writes.
PARITY = {"rest": ("t % 2", "(t + 1) % 2"), "and": ("t & 1", "(t + 1) & 1"), "minus": ("q", "1 - q"), "xor": ("q", "q ^ 1")}
TIME = {"up": "for ({0} t = {1}; t < steps + {1}; t++)", "equal": "for ({0} t = {1} + 1; t <= steps + {1}; t++)",
        "down": "for ({0} t = steps + {1}; t-- > {1};)", "twos": "for ({0} t = {1}; t < steps + {1}; t += 2)"}
NEAR_MISSES = ("in-place", "in-place", "indirect", "volatile", "early-exit", "two-stores", "triangular", "step2",
               "loop-order", "call", "live-out", "outer-store", "other-sweep", "conditional", "odd-swap", "next-level",
               "late-read", "missing-swap", "moving-bound", "moved-store")


# ---- drawing --------------------------------------------------------------------------------

def draw_offset(rng, rank, radius, shape):
    if shape == "star":
        offset = [0] * rank
        offset[rng.randrange(rank)] = rng.randint(-radius, radius)
        return offset
    low = 0 if shape == "forward" else -radius
    return [rng.randint(low, radius) for _ in range(rank)]


def draw_sum(rng, rank, radius, shape, kind):
    """A weighted sum over a whole shape, as most stencils are."""
    if shape == "star":
        offsets = [[r * (d == axis) for d in range(rank)] for axis in range(rank) for r in range(-radius, radius + 1)]
    else:
        offsets = [draw_offset(rng, rank, radius, shape) for _ in range(rng.randint(2, 12))]
    if rng.random() < 0.3:
        rng.shuffle(offsets)
    node = None
    for o in offsets:
        term = [kind, "@", "A", o]
        if rng.random() < 0.6:
            weight = "($T)%.3f" % rng.uniform(-0.5, 0.6) if kind == "f" else "%d" % rng.randint(-3, 5)
            term = [kind, "({0} * %s)" % weight, term]
        node = [kind, "({0} + {1})", node, term] if node else term
    return node


def leaves_of(rng, spec, radius, shape):
    rank, kind = spec["rank"], spec["kind"]

    def tap(name, k=kind):
        def draw():
            if name in LINES and name not in "RC":
                return [k, "@", name, [rng.randrange(TABLE - 8)]]
            if name in "RC":
                return [k, "@", name, [rng.randint(-radius, radius)]]
            if name == "P" and rng.random() < 0.85:
                return [k, "@", "P", [0] * rank]
            return [k, "@", name, draw_offset(rng, rank, radius, shape)]
        return draw

    leaves = 5 * [(kind, tap("A"))]
    for name, grid in spec["grids"].items():
        k = "f" if grid["type"] in ("float", "double") else "i"
        leaves.append((k, tap(name, k)))
    if spec["form"] in ("rotate", "mod3", "oldest", "older"):
        leaves += 2 * [(kind, tap("P"))]
    for name, type_, _ in spec["scalars"]:
        k = "f" if type_ in ("float", "double") else "i"
        leaves.append((k, lambda name=name, k=k: [k, name]))
    if rng.random() < 0.25:
        v = rng.choice(VARIABLES[:rank])
        leaves.append(("i", lambda: ["i", "(int)" + v]))
    if spec["form"] != "single" and rng.random() < 0.25:
        leaves.append(("i", lambda: ["i", "(int)t"]))
    return leaves


def draw_grids(rng, spec):
    grids = {}
    for name in ("G0", "G1", *LINES):
        if rng.random() < (0.05 if name in "HVZQ" else 0.17) and (name != "Q" or spec["form"] != "single"):
            type_ = spec["type"] if rng.random() < 0.6 else rng.choice(("float", "double") + INTEGERS)
            if type_ in ("float", "double") and spec["kind"] == "i":
                type_ = rng.choice(INTEGERS)
            grids[name] = {"type": type_}
    return grids


def draw_scalars(rng, spec):
    scalars = []
    for n in range(rng.choice((0, 0, 1, 2))):
        type_ = rng.choice(("float", "double", "int32_t", "int64_t", "uint8_t") if spec["kind"] == "f" else INTEGERS)
        step = 0
        if spec["form"] != "single" and rng.random() < 0.3:
            step = rng.choice((0.25, 0.1)) if type_ in ("float", "double") else rng.choice((1, 3, -2))
        scalars.append(["s%d" % n, type_, step])
    return scalars


def draw_body(rng, spec):
    rank = spec["rank"]
    radius = rng.choice((0, 1, 1, 1, 1, 2, 2, 3, 4) if rank == 3 else (0, 1, 1, 1, 1, 1, 2, 2, 3, 4, 5, 8, 9))
    shape = rng.choice(("star", "star", "box", "box", "forward"))
    floating = spec["kind"] == "f" or any(t in ("float", "double") for _, t, _ in spec["scalars"])
    node = expressions.draw(rng, leaves_of(rng, spec, radius, shape), spec["kind"], floating)
    if rng.random() < 0.6:
        node = [spec["kind"], "({0} + {1})", draw_sum(rng, rank, radius, shape, spec["kind"]), node]
    return draw_function(rng, spec, node) if spec["kind"] == "f" else node


def draw_function(rng, spec, node):
    """Adds a mathematical function of what the sweep does not write: an array that is only read, or a counter."""
    if rng.random() >= (0.3 if spec["form"] == "single" else 0.03):
        return node
    arrays = [n for n, g in spec["grids"].items() if n in ("G0", "G1") and g["type"] in ("float", "double")]
    if arrays and rng.random() < 0.7:
        of = ["f", "@", rng.choice(arrays), [0] * spec["rank"]]
    else:
        of = ["f", "($T)%s" % rng.choice(VARIABLES[:spec["rank"]])]
    name = rng.choice(("sin", "cos", "exp", "log", "tanh"))
    return ["f", "({0} %s %s$S({1} * ($T)0.3))" % (rng.choice("+*"), name), node, of]


def taps(spec):
    """What a cell reads; of a sum in loops its corners."""
    return sums.taps(spec["expression"], spec.get("sum"))


def margins(rng, spec):
    """What the loops leave out of the arrays at each side: their taps, and perhaps more."""
    rank, low, high = spec["rank"], [], []
    every = taps(spec)
    for d in range(rank):
        at = [t[3][d] for t in every if t[2] in ("A", "P", "G0", "G1")]
        at += [t[3][0] for t in every if t[2] == "R" and d == 0 or t[2] == "C" and d == rank - 1]
        more = rng.choice((0, 0, 0, 1, 3))
        low.append(max([0] + [-o for o in at]) + more)
        high.append(max([0] + at) + rng.choice((0, 0, 0, 1, 2)))
    return low, high


def draw_size(rng, spec, d):
    rank, least = spec["rank"], spec["low"][d] + spec["high"][d]
    most = EXTENT[rank] if spec["storage"] == "static" else {1: 3000, 2: 260, 3: 48}[rank]
    return min(most, max(0, rng.choice((
        rng.randint(0, 3), least - 1, least, least + 1, least + rng.randint(1, 4), least + rng.randint(4, 24),
        least + rng.randint(8, 60),
        least + rng.randint(4, 40), least + rng.choice((31, 32, 33, 64, 65, 100, 128)), rng.randint(1, most)))))


def work(spec, n, steps):
    cells = math.prod(max(0, n[d] - spec["low"][d] - spec["high"][d]) for d in range(spec["rank"]))
    reads = len(expressions.taps(spec["expression"])) + (sums.count(sums.extents(spec["sum"])) if spec.get("sum") else 0)
    return cells * max(1, steps) * (2 + reads)


def is_too_large(spec, n, steps):
    """Also of arrays whose elements a short cannot number."""
    cells = math.prod(n[d] + spec["pad"][d] for d in range(spec["rank"]))
    return work(spec, n, steps) > WORK or (spec["index"] in ("short", "uint16_t") and cells > 32767)


def place_of_output(chance, form):
    two = form in ("pair", "copyback")
    return "first" if chance < 0.4 else "middle" if two and chance > 0.7 else "last"


def draw_run(rng, spec):
    n = [draw_size(rng, spec, d) for d in range(spec["rank"])]
    if spec["loop"] == "unequal":
        n = [max(n[d], spec["low"][d] + spec["high"][d]) for d in range(spec["rank"])]
    steps = rng.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 16, 17, rng.randint(1, 40)))
    while is_too_large(spec, n, steps):
        if steps > 5:
            steps //= 2
        else:
            at = n.index(max(n))
            n[at] = max(n[at] * 2 // 3, spec["low"][at] + spec["high"][at])
    alias = None
    if spec["storage"] != "static" and not spec["restrict"] and rng.random() < 0.12:
        shift = rng.choice((0, 1, -1, 2, 7, rng.randint(-40, 40), n[-1], -n[-1], n[-1] + 1, 3 * n[-1], math.prod(n),
                            math.prod(n) - 1, -math.prod(n), math.prod(n) // 2))
        alias = [rng.randrange(100), rng.randrange(100), shift]
    return {"n": n, "steps": steps, "alias": alias, "fill": rng.choice((0, 0, 0, 1, 1, 2, 3, 4)), "end": rng.random() < 0.5,
            "flushes": rng.choice((1, 2, 3)) if rng.random() < 0.04 else 0,
            "same": rng.random() < 0.3, "seed": rng.randrange(1000)}


def draw_colours(rng, spec):
    """In place, over cells of one colour of two: what it reads is mostly of the other one."""
    spec["sum"] = None
    for tap in expressions.taps(spec["expression"]):
        if tap[2] == "A" and any(tap[3]) and sum(tap[3]) % 2 == 0 and rng.random() < 0.97:
            tap[3] = [tap[3][0], tap[3][1] + 1]
    spec["colours"] = [rng.choice(COLOURS), rng.choice((1, 2, 2))]


def draw(rng):
    kind = rng.choice("fffii")
    type_ = rng.choice(("float", "float", "double")) if kind == "f" else rng.choice(INTEGERS)
    spec = {"rank": rng.choice((1, 2, 2, 2, 3)), "kind": kind, "type": type_,
            "form": rng.choice(TIMED) if rng.random() < 0.8 else "single",
            "storage": rng.choice(("vla", "vla", "linear", "linear", "linear", "static")),
            "index": rng.choice(("int", "int", "int", "long", "size_t", "unsigned", "short", "uint16_t")),
            "extent": rng.choice((None, None, None, "int", "long", "size_t", "unsigned")),
            "counter": rng.choice(("int", "int", "int", "long", "unsigned", "size_t")),
            "restrict": rng.random() < 0.15, "first": rng.choice((0, 0, 0, 1, 5)),
            "loop": rng.choice(("less", "less", "less", "plus", "equal", "down", "unequal")),
            "twice": rng.random() < 0.08, "parity": rng.choice(("rest", "rest", "and", "minus", "xor")),
            "time": rng.choice(("up", "up", "up", "up", "equal", "down", "twos")),
            "window": rng.random() < 0.15, "guard": rng.random() < 0.08, "local": rng.random() < 0.8,
            "address": rng.choice(("nested", "sum", "centre")), "constant": rng.random() < 0.4,
            "miss": rng.choice(NEAR_MISSES) if rng.random() < 0.2 else None, "branches": rng.random() < 0.08}
    if rng.random() < 0.4:
        spec.update(USUAL, index=rng.choice(("int", "long", "size_t")), form=rng.choice(BLOCKED))
    if spec["form"] == "history":
        spec.update(time="up", first=0, miss=None, storage="linear" if spec["storage"] == "static" else spec["storage"])
    tiles = [rng.choice((None, 2, 3, 7, 8, 16, 40)) for _ in range(spec["rank"])]
    spec["tiles"] = tiles if rng.random() < 0.1 else None
    if spec["form"] == "colour":
        spec["tiles"] = None
        spec.update(rank=2, miss=None, guard=False, output=None, branches=False)
    spec["pad"] = [rng.choice((0, 0, 0, 1, 5)) for _ in range(spec["rank"])]
    spec["grids"] = draw_grids(rng, spec)
    if spec["form"] == "own":
        spec["grids"]["G0"] = {"type": spec["type"]}
    spec["scalars"] = draw_scalars(rng, spec)
    spec["expression"] = draw_body(rng, spec)
    grids = ["A"] * 3 + [g for g in ("G0", "G1", "W") if g in spec["grids"]]
    spec["sum"] = sums.draw(rng, spec, grids) if rng.random() < 0.15 else None
    if spec["form"] == "own":
        if spec["sum"]:
            spec["sum"]["grid"] = "G0"
        spec["miss"] = spec["miss"] if spec["miss"] == "conditional" else None
        for tap in expressions.taps(spec["expression"]):
            if tap[2] == "A" and rng.random() < 0.95:
                tap[2:] = ["G0", tap[3]] if rng.random() < 0.7 else ["A", [0] * spec["rank"]]
    if spec["form"] == "colour":
        draw_colours(rng, spec)
    spec["low"], spec["high"] = margins(rng, spec)
    spec["output"] = rng.choice(OUTPUTS), place_of_output(rng.random(), spec["form"])
    if rng.random() < 0.8:
        spec["output"] = None
    spec["runs"] = [draw_run(rng, spec) for _ in range(rng.choice((2, 3, 4)))]
    spec["checks"] = [[rng.choice(CHECKS), rng.randrange(spec["rank"])] for _ in range(rng.choice((1, 1, 2, 4)))]
    if rng.random() < 0.9:
        spec["checks"] = None
    if spec["storage"] == "static" and spec["constant"]:
        for r in spec["runs"]:
            r["n"] = [EXTENT[spec["rank"]]] * spec["rank"]
            r["steps"] = min(r["steps"], 6)
    return spec


def labels(spec):
    """What the share that is offloaded is told of."""
    if spec["miss"]:
        return ["near miss " + spec["miss"]]
    return ["form " + spec["form"], "in " + spec["storage"]] + ["sum in loops"] * bool(spec.get("sum")) + [
        "in branches"] * bool(spec.get("branches")) + ["with checks"] * bool(spec.get("checks")) + [
        "tiled"] * bool(spec.get("tiles"))


# ---- writing --------------------------------------------------------------------------------

def extents(spec, n):
    if spec["storage"] == "static":
        return [EXTENT[spec["rank"]]] * spec["rank"]
    return [a + b for a, b in zip(n, spec["pad"])]


def copies(spec):
    return {"mod2": 2, "older": 2, "mod3": 3, "history": 2}.get(spec["form"], 1)


def mains(spec):
    """The arrays that the function writes, or that it writes from."""
    if spec["form"] == "steps":
        return spec["arrays"]
    return {"mod2": ["A"], "older": ["A"], "mod3": ["A"], "history": ["A"], "own": ["A"], "colour": ["A"], "rotate": ["A", "B", "D"]}.get(spec["form"], ["A", "B"])


def arrays(spec):
    """(name, type, which of LINES it is; None: of all dimensions)"""
    found = [(name, spec["type"], None) for name in mains(spec)]
    for name, grid in spec["grids"].items():
        found.append((name, grid["type"], name if name in LINES else None))
    if spec["form"] == "steps":
        found.append(("g", spec["type"], "Q"))
    if spec["miss"] == "indirect":
        found.append(("map", "int32_t", "C"))
    return found


class Writer:
    def __init__(self, spec, number):
        self.spec, self.number, self.rank = spec, number, spec["rank"]
        self.n = ["n%d" % d for d in range(self.rank)]
        self.extent = spec["extent"] or spec["index"]
        self.unsigned = any(t in ("size_t", "unsigned", "uint16_t") for t in (spec["index"], self.extent))
        if spec["storage"] == "static":
            self.e = [str(EXTENT[self.rank])] * self.rank
            if spec["constant"]:
                self.n = list(self.e)
        else:
            self.e = ["e%d" % d if spec["pad"][d] else self.n[d] for d in range(self.rank)]
        self.is_linear = spec["storage"] == "linear"

    def declare(self, name, type_, const=False, levels=False, restrict=False):
        word = ("const " if const else "") + ("volatile " if self.spec["miss"] == "volatile" else "") + type_
        star = "*restrict " if restrict else "*"
        dims = "".join("[%s]" % e for e in (self.e if levels else self.e[1:]))
        return "%s %s%s" % (word, star, name) if self.is_linear or not dims else "%s (%s%s)%s" % (word, star, name, dims)

    def linear(self, offset):
        i = ["(%s + %s)" % (v, o) if o else v for v, o in zip(VARIABLES, offset)]
        e, form = self.e, self.spec["address"]
        if form == "nested":
            text = i[0]
            for d in range(1, self.rank):
                text = "(%s) * %s + %s" % (text, e[d], i[d])
            return text
        strides = [" * ".join(e[d + 1:]) or "1" for d in range(self.rank)]
        if form == "sum":
            return " + ".join("%s * (%s)" % pair for pair in zip(i, strides))
        wide = "int" if self.spec["index"] == "int" else "long"
        step = lambda o, s: " %+d * (%s)" % (o, s) if isinstance(o, int) else " + ({0})({1}) * ({0})({2})".format(wide, o, s)
        return "c" + "".join(step(o, s) for o, s in zip(offset, strides) if o)

    def cell(self, base, offset, level=None):
        if self.is_linear:
            more = "" if level is None else "(%s) * (%s) + " % (level, " * ".join(self.e))
            return "%s[%s%s]" % (base, more, self.linear(offset))
        at = "".join("[%s%s]" % (v, " + %s" % o if o else "") for v, o in zip(VARIABLES, offset))
        return base + ("" if level is None else "[%s]" % level) + at

    def now(self):
        two = PARITY[self.spec["parity"]][0]
        return {"mod2": two, "older": two, "mod3": "(t + 1) % 3", "history": "t"}.get(self.spec["form"])

    def next(self):
        two = PARITY[self.spec["parity"]][1]
        return {"mod2": two, "older": two, "mod3": "(t + 2) % 3", "history": "t + 1"}.get(self.spec["form"])

    def tap(self, source):
        """Names what an expression reads; `source` is the array of the newest level."""
        spec = self.spec

        def named(grid, offset):
            if grid in LINES:
                at = LINES[grid][0].format(VARIABLES[0], VARIABLES[self.rank - 1]).replace("EXTENT", self.e[-1])
                return "%s[%s + %d]" % (grid, at, offset[0])
            if grid == "P":
                if spec["form"] == "mod3":
                    return self.cell("A", offset, "t % 3")
                if spec["form"] == "older":
                    return self.cell("A", offset, self.next())
                return self.cell({"rotate": "D", "oldest": "B"}[spec["form"]], offset)
            if grid != "A":
                return self.cell(grid, offset)
            if spec["miss"] == "indirect" and isinstance(offset[-1], int) and offset[-1] > 0:
                inner = VARIABLES[self.rank - 1]
                return self.cell(source, offset, self.now()).replace("%s + %d]" % (inner, offset[-1]), "map[%s]]" % inner)
            return self.cell(source, offset, self.now())
        return named

    def statement(self, source, target, expression=None):
        spec, zero = self.spec, [0] * self.rank
        expression = expression or spec["expression"]
        level = self.next()
        store = zero
        if spec["miss"] == "in-place":
            target, level = source, self.now()
        elif spec["miss"] == "next-level" and level:
            expression = [spec["kind"], "({0} + %s)" % self.cell("A", [-1 if spec["low"][0] else 0] + zero[1:], level)
                          .replace("{", "").replace("}", ""), expression]
        elif spec["miss"] == "moved-store" and spec["low"][0]:
            store = [-1] + zero[1:]
        lines = ["%s c = %s;" % (spec["index"], self.linear_centre())] if self.is_linear and spec["address"] == "centre" else []
        names, tap = {}, self.tap(source)

        def read(grid, offset):
            name = names.setdefault(tap(grid, offset), "v%d" % len(names))
            return name
        value = expressions.text(expression, read if spec["local"] else tap)
        types = {tap(t[2], t[3]): self.type_of(t[2]) for t in expressions.taps(expression)}
        lines += ["%s %s = %s;" % (types[text], name, text) for text, name in names.items()]
        more, value = sums.add(spec.get("sum"), value, spec["type"], spec["kind"] == "f", tap)
        lines += more
        to = self.cell(target, store, level)
        store = "%s = (%s)%s;" % (to, spec["type"], value)
        if spec.get("branches"):
            store = "{{ {0} whole = ({0}){1}; if (whole > 3) {2} = 3; else {2} = whole; }}".format(spec["type"], value, to)
        lines += self.missed(to, store)
        text = "\n".join(lines)
        return text.replace("$T", spec["type"] if spec["kind"] == "f" else "float").replace(
            "$S", "f" if spec["type"] == "float" else "")

    def linear_centre(self):
        text = VARIABLES[0]
        for d in range(1, self.rank):
            text = "(%s) * %s + %s" % (text, self.e[d], VARIABLES[d])
        return text

    def type_of(self, grid):
        return self.spec["grids"][grid]["type"] if grid in self.spec["grids"] else self.spec["type"]

    def missed(self, to, store):
        """The store, and what makes of it a near miss."""
        miss, inner = self.spec["miss"], VARIABLES[self.rank - 1]
        if miss == "early-exit":
            return [store, "if (%s == 3) break;" % to]
        if miss == "conditional":
            return ["if ((%s + %s) %% 3) {%s}" % (VARIABLES[0], inner, store)]
        if miss == "two-stores":
            return [store, "%s += 1;" % to]
        if miss == "call":
            return [store, "outside(%s);" % inner]
        if miss == "live-out":
            return [store, "total += %s;" % to]
        if miss == "late-read":
            return [store, "last = %s;" % to]
        return [store]

    def head(self, d, low, high):
        spec, v, n = self.spec, VARIABLES[d], self.n[d]
        i, step, form = spec["index"], "++", spec["loop"]
        if spec["miss"] == "triangular" and form != "unequal" and d == self.rank - 1 and d:
            low = "(%s > %s ? %s : %s)" % (VARIABLES[0], low, VARIABLES[0], low)
        if spec["miss"] == "moving-bound" and form != "unequal" and d == 0 and spec["form"] != "single":
            low = "%s + (%s)(t %% 2)" % (low, i)
        if spec["miss"] == "step2" and d == self.rank - 1:
            step = " += 2"
        if self.unsigned or form == "plus":
            return "for (%s %s = %s; %s + %s < %s; %s%s)" % (i, v, low, v, high, n, v, step)
        if form == "equal":
            return "for (%s %s = %s; %s <= %s - %s - 1; %s%s)" % (i, v, low, v, n, high, v, step)
        if form == "unequal" and step == "++":
            return "for (%s %s = %s; %s != %s - %s; %s++)" % (i, v, low, v, n, high, v)
        if form == "down" and step == "++":
            return "for (%s %s = %s - %s - 1; %s >= %s; %s--)" % (i, v, n, high, v, low, v)
        return "for (%s %s = %s; %s < %s - %s; %s%s)" % (i, v, low, v, n, high, v, step)

    def bounds(self, d):
        low, high = self.spec["low"][d], self.spec["high"][d]
        return ("low%d" % d, "high%d" % d) if self.spec["window"] else (str(low), str(high))

    def tiled(self, heads, order):
        """The same, with loops over tiles around those over cells."""
        spec, outer = self.spec, []
        tiles = spec.get("tiles") or [None] * self.rank
        if spec["loop"] != "less" or spec["miss"] or spec["guard"] or self.unsigned or spec["index"] == "short":
            return heads
        for k, d in enumerate(order):
            if tiles[d]:
                (low, high), v, i = self.bounds(d), VARIABLES[d], spec["index"]
                end = "%s - %s" % (self.n[d], high)
                outer.append("for (%s %s_ = %s; %s_ < %s; %s_ += %d)" % (i, v, low, v, end, v, tiles[d]))
                next_ = "%s_ + %d" % (v, tiles[d])
                heads[k] = "for (%s %s = %s_; %s < (%s < %s ? %s : %s); %s++)" % (i, v, v, v, next_, end, next_, end, v)
        return outer + heads

    def nest(self, body):
        spec, order = self.spec, list(range(self.rank))
        checks = ["if (!(%s))\n__builtin_trap();\n" % c.format(VARIABLES[d], self.n[d]) for c, d in spec.get("checks") or []]
        body = "".join(checks) + body
        if spec["miss"] == "loop-order":
            order.reverse()
        if spec["guard"]:
            inside = " && ".join("%s >= %s && %s + %s < %s" % (VARIABLES[d], self.bounds(d)[0], VARIABLES[d],
                                                              self.bounds(d)[1], self.n[d]) for d in order)
            body = "if (%s) {\n%s\n}" % (inside.replace("%s >= 0 && " % VARIABLES[0], ""), body)
        heads = [self.head(d, *(("0", "0") if spec["guard"] else self.bounds(d))) for d in order]
        heads = self.tiled(heads, order)
        if spec["miss"] == "outer-store" and self.rank > 1:
            heads[0] += " {\nnote[0]++;"
            body += "\n}"
            return "%s\n%s {\n%s\n}" % (heads[0], "\n".join(heads[1:]), body)
        return "%s {\n%s\n}" % ("\n".join(heads), body)

    def levels(self):
        """In every step: names for its arrays, its nests, and what follows them."""
        form, local = self.spec["form"], self.declare("swap", self.spec["type"])
        miss = self.spec["miss"]
        if form == "ternary":
            pointer = lambda name: self.declare(name, self.spec["type"])
            return ("%s = t %% 2 ? B : A;\n%s = t %% 2 ? A : B;" % (pointer("from"), pointer("to")),
                    self.nest(self.statement("from", "to")), "")
        if form == "colour":
            test, count = self.spec["colours"]
            return "", "\n".join(self.nest("if (%s) {\n%s\n}" % (test.format(c), self.statement("A", "A")))
                                 for c in range(count)), ""
        nest = self.nest(self.statement("A", "A" if form in ("mod2", "older", "mod3", "own", "history") else "B"))
        if form == "rotate":
            return "", nest, "%s = D; D = A; A = B; B = swap;" % local
        if form in ("swap", "oldest"):
            exchange = "%s = A; A = B; B = swap;" % local
            if miss == "odd-swap":
                exchange = "if (t % 3) {" + exchange + "}"
            return "", nest, "" if miss == "missing-swap" else exchange
        if form == "pair":
            other = self.spec["expression"]
            if miss == "other-sweep":
                other = [self.spec["kind"], "({0} + 1)", other]
            return "", nest + "\n" + MIDDLE + self.nest(self.statement("B", "A", other)), ""
        if form == "copyback":
            zero = [0] * self.rank
            body = "%s = %s;" % (self.cell("A", zero), self.cell("B", zero))
            centre = "%s c = %s;\n" % (self.spec["index"], self.linear_centre())
            if self.is_linear and self.spec["address"] == "centre":
                body = centre + body
            return "", nest + "\n" + MIDDLE + self.nest(body), ""
        return "", nest, ""

    def parameters(self):
        spec, index = self.spec, self.extent
        static = spec["storage"] == "static"
        words = ["%s n%d" % (index, d) for d in range(self.rank)]
        words += ["%s e%d" % (index, d) for d in range(self.rank) if spec["pad"][d] and not static]
        if spec["window"]:
            words += ["%s low%d, %s high%d" % (spec["index"], d, spec["index"], d) for d in range(self.rank)]
        words.append("%s steps" % spec["counter"])
        words += ["%s %s" % (type_, name) for name, type_, _ in spec["scalars"]]
        for name, type_, dims in arrays(spec):
            if dims is not None:
                words.append("const %s *%s" % (type_, name))
            elif not static:
                words.append(self.declare(name, type_, name not in mains(spec), name == "A" and copies(spec) > 1,
                                          spec["restrict"]))
        return ", ".join(words + ["int *note"])

    def time_loop(self):
        spec, first, form = self.spec, self.spec["first"], self.spec["form"]
        head, nests, tail = self.levels()
        if spec["form"] == "single":
            return nests
        head_of_all = ""
        if form in ("mod2", "older") and PARITY[spec["parity"]][0] == "q":
            head_of_all, tail = "int q = %d;\n" % (first % 2), tail + "\nq = %s;" % PARITY[spec["parity"]][1]
        tail += "".join("\n%s += %s;" % (name, step) for name, _, step in spec["scalars"] if step)
        if spec.get("output"):
            when, place = spec["output"]
            made = "outside((long)t);\nnote[2] += (int)t;\n"
            output = "if (%s) {\n%s}" % (when, made)
            if when.startswith("switch"):
                output = "%s {\ncase 0:\ncase 3:\n%sbreak;\ncase 5:\nnote[2] += 2;\nbreak;\ndefault:\nbreak;\n}" % (when, made)
            if place == "middle":
                nests = nests.replace(MIDDLE, output + "\n")
            else:
                head, tail = (output + head, tail) if place == "first" else (head, tail + "\n" + output)
        nests = nests.replace(MIDDLE, "")
        return "{\n%s%s {\n%s\n%s\n%s\n}\n}" % (head_of_all, TIME[spec["time"]].format(spec["counter"], first), head, nests,
                                                 tail)

    def static_arrays(self):
        spec = self.spec
        if spec["storage"] != "static":
            return "", ""
        dims = "".join("[%s]" % e for e in self.e)
        name = lambda a: "P(%s_%d)" % (a, self.number)
        full = [(a, t) for a, t, dims in arrays(spec) if dims is None]
        several = lambda a: "[%d]" % copies(spec) if a == "A" and copies(spec) > 1 else ""
        return ("".join("static %s %s%s%s;\n" % (t, name(a), several(a), dims) for a, t in full),
                "".join("%s = %s;\n" % (self.declare(a, t, levels=bool(several(a))), name(a)) for a, t in full))

    def function(self):
        spec = self.spec
        globals_, locals_ = self.static_arrays()
        total = "%s total = 0;\n" % spec["type"] if spec["miss"] == "live-out" else ""
        total += "%s last = 0;\n" % spec["type"] if spec["miss"] == "late-read" else ""
        after = "\nnote[0] = (int)(total == 0);" * (spec["miss"] == "live-out")
        after += "\nnote[0] = (int)(last == 0);" * (spec["miss"] == "late-read")
        if spec["form"] == "rotate" and spec["rank"] == 2:
            after += "\nnote[1] = (void *)A < (void *)B;"
        return "%s__attribute__((noinline)) static void P(f%d)(%s) {\n%s%s%s%s\n}\n" % (
            globals_, self.number, self.parameters(), locals_, total, "\n".join([self.time_loop()] * (1 + spec["twice"])), after)

    def call(self):
        spec, index = self.spec, self.extent
        static = spec["storage"] == "static"
        words = ["(%s)n[%d]" % (index, d) for d in range(self.rank)]
        words += ["(%s)(n[%d] + %d)" % (index, d, spec["pad"][d]) for d in range(self.rank) if spec["pad"][d] and not static]
        if spec["window"]:
            words += ["%d, %d" % pair for pair in zip(spec["low"], spec["high"])]
        words.append("(%s)steps" % spec["counter"])
        words += ["(%s)%s" % (type_, "0.37" if type_ in ("float", "double") else "5") for _, type_, _ in spec["scalars"]]
        for k, (_, _, dims) in enumerate(arrays(spec)):
            if dims is not None or not static:
                words.append("m[%d]" % k)
        words.append("m[%d]" % len(arrays(spec)))
        return "static void P(call%d)(const long *n, long steps, void *const *m) {\n(void)n, (void)steps;\nP(f%d)(%s);\n}\n" % (
            self.number, self.number, ", ".join(words))


def elements(spec, dims, n, steps, name):
    e = extents(spec, n)
    count = LINES[dims][1](e, steps) if dims else math.prod(e)
    levels = steps + 1 if spec["form"] == "history" else copies(spec)
    return count * (levels if name == "A" else 1) * (1 if dims else spec.get("parts") or 1)


def placed(spec, run):
    """The memories of a run and where in them each array is: ([bytes], [(memory, offset)])."""
    every = arrays(spec)
    sizes = [elements(spec, dims, run["n"], run["steps"], name) * BYTES[t] for name, t, dims in every]
    where = [(k, 0) for k in range(len(every))]
    if run["alias"]:
        one, other, shift = run["alias"]
        pairs = [(a, b) for a in range(len(every)) for b in range(a + 1, len(every))
                 if every[a][1] == every[b][1] and every[b][0] != "map"]  # of which the values are places
        if pairs:
            a, b = pairs[(one * 100 + other) % len(pairs)]
            bytes_ = shift * BYTES[every[a][1]]
            where[a], where[b] = (a, max(0, -bytes_)), (a, max(0, bytes_))
            sizes[a], sizes[b] = max(where[a][1] + sizes[a], where[b][1] + sizes[b]), 0
    return sizes + [16], where + [(len(every), 0)]


def table(spec, number):
    """The function's runs, as run.c knows them."""
    every = arrays(spec) + [("note", "int32_t", "W")]
    kinds = ["'f'" if t in ("float", "double") else "'u'" if t[0] == "u" else "'i'" for _, t, _ in every]
    runs = []
    for run in spec["runs"]:
        sizes, where = placed(spec, run)
        fills = [run["seed"] * 16 + (0 if run["same"] and k < len(mains(spec)) else k) for k in range(len(every))]
        if spec["miss"] == "indirect":
            fills[[a[0] for a in every].index("map")] = -max(run["n"][-1], 1)  # positions along x
        memories = ", ".join("{%d, %s, %d, %d}" % (b, k, BYTES[a[1]], f)
                             for b, k, a, f in zip(sizes, kinds, every, fills))
        runs.append("{{%s}, %d, %d, %d, %d, %d, {%s}, {%s}}" % (
            ", ".join(map(str, run["n"])), run["steps"], run["fill"], run["end"], run.get("flushes", 0), len(every), memories,
            ", ".join("{%d, %d}" % w for w in where)))
    static = spec["storage"] == "static"
    statics = ", ".join("P(%s_%d)" % (a, number) if static and dims is None else "NULL" for a, _, dims in arrays(spec))
    return "{%d, P(call%d), {%s}, %d, {\n%s}}" % (number, number, statics, len(runs), ",\n".join(runs))


# ---- reducing -------------------------------------------------------------------------------

def changed(spec, **words):
    return dict(spec, **words)


def smaller_runs(spec):
    if len(spec["runs"]) > 1:
        for k in range(len(spec["runs"])):
            yield changed(spec, runs=[spec["runs"][k]])
        return
    run = spec["runs"][0]
    for d, n in enumerate(run["n"]):
        for less in (spec["low"][d] + spec["high"][d] + 1, n // 2, n - 1):
            if 0 <= less < n and not (spec["storage"] == "static" and spec["constant"]):
                yield changed(spec, runs=[dict(run, n=run["n"][:d] + [less] + run["n"][d + 1:])])
    for less in (1, 2, run["steps"] // 2, run["steps"] - 1):
        if 0 <= less < run["steps"]:
            yield changed(spec, runs=[dict(run, steps=less)])
    for name, plain in (("alias", None), ("fill", 0), ("end", False), ("same", False), ("flushes", 0)):
        if run.get(name, plain) != plain:
            yield changed(spec, runs=[dict(run, **{name: plain})])


def smaller(spec):
    """Functions with something less, the most promising first."""
    yield from smaller_runs(spec)
    for less in expressions.smaller(spec["expression"]):
        yield changed(spec, expression=less)
    for less in sums.smaller(spec.get("sum")):
        yield changed(spec, sum=less)
    used = {t[2] for t in taps(spec)}
    for name in spec["grids"]:
        if name not in used and not (name == "W" and spec.get("sum")):
            yield changed(spec, grids={k: g for k, g in spec["grids"].items() if k != name})
    for k, s in enumerate(spec["scalars"]):
        if s[0] not in str(spec["expression"]):
            yield changed(spec, scalars=spec["scalars"][:k] + spec["scalars"][k + 1:])
    for name, plain in (("miss", None), ("checks", None), ("guard", False), ("window", False), ("restrict", False), ("first", 0),
                        ("loop", "less"), ("twice", False), ("time", "up"), ("parity", "rest"), ("extent", None), ("address", "nested"), ("index", "int"), ("counter", "int"), ("local", True), ("output", None)):
        if spec.get(name) != plain:
            yield changed(spec, **{name: plain})
    for d in range(spec["rank"]):
        if spec["pad"][d]:
            yield changed(spec, pad=spec["pad"][:d] + [0] + spec["pad"][d + 1:])
        for side in ("low", "high"):
            need = max([0] + [-o if side == "low" else o for t in taps(spec) for o in t[3]])
            if spec[side][d] > need:
                yield changed(spec, **{side: spec[side][:d] + [need] + spec[side][d + 1:]})
