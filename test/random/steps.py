# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random time loops of several actions: sweeps over several arrays, with what they do at the ends of their
loops and what they make of all cells; edges, cells, copies, constants; arrays that take turns; loops
that end by what a step computed. As in programs.py a function is a dict of plain values, drawn by draw() and
written by Writer."""

import expressions
import programs
import sums

NAMES = "ABCDE"
VARIABLES = programs.VARIABLES
# How arrays take turns from step to step: not, pointers that are exchanged, tables of pointers, an index
# that toggles, pointers chosen by one, or the result is copied back.
TURNS = ("none", "none", "swap", "swap", "table", "toggle", "choose", "copy", "copy", "copy")
TOGGLES = {"minus": "q = 1 - q;", "xor": "q ^= 1;", "not": "q = !q;", "rest": "q = (q + 1) % 2;"}
# {i}: the variable, {z} and {l}: its first and last value, {n}: its extent, {o}: how far; for neighbours below, and above.
ENDS = {"clamp": ("MAX({i} - {o}, {z})", "MIN({i} + {o}, {l})"),
        "ternary": ("({i} == {z} ? {z} : {i} - 1)", "({i} == {l} ? {i} : {i} + 1)"),
        "mirror": ("({i} > {z} ? {i} - 1 : {z} + 1)", "({i} < {l} ? {i} + 1 : {l} - 1)"),
        "periodic": ("({i} == {z} ? {l} : {i} - 1)", "({i} < {l} ? {i} + 1 : {z})"),
        "modulo": ("(({i} + {n} - {o}) % {n})", "(({i} + {o}) % {n})")}
INDEXED = ("clamp", "ternary", "periodic", "modulo")  # those that tables may hold
FAR = ("clamp", "modulo")  # those that may be further than one cell away
# Of cells and of the ends of loops: left out by a condition, not read, kept as they are.
GUARDS = ("left-out", "choices", "kept")
REDUCTIONS = ("max", "min", "max-if", "fmax", "change", "sum", "flag")
# Of floats, in the order of the cells.
# How a number that is used behind the loop follows from what a step reduced.
BEHIND = {"all": "kept = kept * ($T)0.5 + most;", "before": "kept = last;\nlast = most;", "greatest": "kept = kept < most ? most : kept;"}
SUMS = {"sum": "most += %s;", "less": "most -= %s;", "squares": "most += %s * %s;", "sum-if": "if (%s < 1) most += %s;"}
COPIES = ("loop", "all", "memcpy", "rows", "row-parts")
MOST_INDEXED = 4096
# What OpenMP reduces by, and what a critical section does instead.
CLAUSES = {"max": "max", "max-if": "max", "fmax": "max", "change": "max", "min": "min", "sum": "+", "less": "+", "squares": "+", "sum-if": "+"}
COMBINES = {"max": "if (most < mine) most = mine;", "min": "if (mine < most) most = mine;", "+": "most += mine;"}
TABLES = ("rows", "vectors")  # of pointers, each by itself or in a struct
MISSES = ("in-place", "call", "two-sums", "stop-cell", "uneven", "odd-swap", "copy-first", "time-by-value", "two-ends",
          "running", "between", "carried")


# ---- drawing --------------------------------------------------------------------------------

# Conditions that do not change in the time loop. The place may be far outside the table.
GHOSTS = 0.08
TWO_CELLS = {3: (3, 2)}  # places beside which another cell of the array is assigned
MODES = {"a number": "n0 % 2", "a table": "place < 4 && P(kinds{})[place]"}


def draw_expression(rng, spec, to, radius, more):
    """Of any arrays; of the one that is written only the cell itself."""
    rank, kind, names = spec["rank"], spec["kind"], spec["arrays"]
    star = rng.random() < 0.6

    def tap(name):
        def draw():
            if name == to and spec["miss"] != "in-place":
                return [kind, "@", name, [0] * rank]
            offset = [rng.randint(-radius, radius) for _ in range(rank)]
            if star:
                axis = rng.randrange(rank)
                offset = [o if d == axis else 0 for d, o in enumerate(offset)]
            return [kind, "@", name, offset]
        return draw
    source = rng.choice([n for n in names if n != to] if spec["turns"] == "none" else ["B" if to == "A" else "A"])
    leaves = 5 * [(kind, tap(source))] + [(kind, tap(name)) for name in names]
    leaves += [(kind, lambda: [kind, "s0"])] * (rng.random() < 0.3) + [("i", lambda: ["i", "(int)t"])] * (rng.random() < 0.2)
    leaves += [(kind, lambda: [kind, "g[t]"])] * more
    node = expressions.draw(rng, leaves, kind, kind == "f")
    for _ in range(rng.choice((1, 2, 4))):
        weight = "($T)%.2f" % rng.uniform(-0.3, 0.4) if kind == "f" else "%d" % rng.randint(-3, 3)
        node = [kind, "({0} + %s * {1})" % weight, node, tap(source)()]
    return node


def draw_sweep(rng, spec, to):
    radius = rng.choice((1, 1, 1, 1, 2) if spec["turns"] != "none" and to == "B" else (0, 1, 1, 1, 1, 2))
    ends = spec["rule"] or (rng.choice(sorted(ENDS)) if rng.random() < 0.2 else None)
    if ends and ends not in FAR:
        radius = 1
    if spec["index"] == "size_t":
        ends = None  # i - 1 is not below 0
    sweep = {"do": "sweep", "to": to, "expression": draw_expression(rng, spec, to, radius, rng.random() < 0.1), "ends": ends,
             "guard": None if ends or rng.random() < 0.85 else rng.choice(GUARDS), "reduce": None, "second": None,
             "every": None, "less": rng.choice((0, 0, 0, 1)), "sum": None, "chosen": None}
    if not ends and not sweep["guard"] and rng.random() < 0.12:
        sweep["chosen"] = [rng.choice(spec["arrays"]), rng.choice(("bit", "zero", "other"))]
    if not ends and sweep["guard"] != "choices" and rng.random() < 0.1:
        sweep["sum"] = sums.draw(rng, spec, [n for n in spec["arrays"] if n != to], max(radius, 1))
    others = [n for n in spec["arrays"] if n != to and not (spec["turns"] != "none" and n in "AB")]
    if others and not ends and not sweep["guard"] and not sweep["chosen"] and spec["rank"] > 1 and rng.random() < 0.08:
        sweep["before"] = rng.choice(others)
    return sweep


def draw_coloured(rng, spec, to, colour, how):
    """In place, over cells of one colour of two: of its own array it reads mostly cells of the other one."""
    sweep = draw_sweep(rng, spec, to)
    sweep.update({"ends": None, "guard": None, "second": None, "sum": None, "chosen": None, "before": None, "less": 0,
                  "colour": [how, colour]})
    for _ in range(rng.choice((1, 2, 4))):
        offset = [rng.randint(-1, 1) for _ in range(spec["rank"])]
        if sum(offset) % 2 == 0 and rng.random() < 0.98:
            offset = [0] * spec["rank"]
            offset[rng.randrange(spec["rank"])] = rng.choice((-1, 1))
        weight = "($T)%.2f" % rng.uniform(-0.3, 0.4) if spec["kind"] == "f" else "%d" % rng.randint(-3, 3)
        sweep["expression"] = [spec["kind"], "({0} + %s * {1})" % weight, sweep["expression"], [spec["kind"], "@", to, offset]]
    return sweep


def draw_colours(rng, spec, actions):
    """Puts sweeps over both colours, or over one, among the actions, with or without others in between."""
    to, how = rng.choice(spec["arrays"]), rng.choice(("if", "if", "rows", "rows", "bit", "turns"))
    first, count = rng.choice((0, 1)), rng.choice((1, 2, 2, 2, 2, 4))
    at = rng.randint(0, len(actions))
    for n in range(count):
        actions.insert(at, draw_coloured(rng, spec, to, (first + n) % 2, how if spec["rank"] > 1 else "if"))
        at = at + 1 if rng.random() < 0.8 else rng.randint(at + 1, len(actions))


def draw_edge(rng, spec):
    return {"do": "edge", "to": rng.choice(spec["arrays"]), "axis": rng.randrange(spec["rank"]), "high": rng.random() < 0.5,
            "from": rng.choice(("beside", "beside", "opposite", "constant", "two", "mirrored")), "inner": rng.random() < 0.5,
            "every": None}


def draw_cell(rng, spec):
    """A single cell, of its neighbour or another array's, or of itself: near the corner, or at a place that the program
    computes."""
    return {"do": "cell", "to": rng.choice(spec["arrays"]), "of": rng.choice(spec["arrays"]), "how": rng.choice(("of", "sum", "t")),
            "every": None, "place": rng.choice((None, None, 2, 3, 4))}


def draw_actions(rng, spec):
    turns, count = spec["turns"], rng.choice((2, 2, 3, 3, 4, 5, 6))
    if turns != "none":
        count = rng.choice((1, 1, 1, 2, 3))
        actions = [draw_sweep(rng, spec, "B")]
        others = [n for n in spec["arrays"] if n not in "AB"]
        actions += [draw_sweep(rng, spec, rng.choice(others)) for _ in range(count - 1) if others]
    else:
        actions = [draw_sweep(rng, spec, rng.choice(spec["arrays"])) for _ in range(count)]
    for n in range(rng.choice((0, 0, 1, 2)) if turns == "none" or count > 1 else rng.choice((0, 0, 0, 1))):
        other = rng.choice((draw_edge, draw_edge, draw_cell, draw_cell, draw_memory))(rng, spec)
        actions.insert(rng.randint(1, len(actions)), other)
    if turns == "none" and not spec["miss"] and rng.random() < 0.15:
        draw_colours(rng, spec, actions)
    if turns == "none" and rng.random() < 0.3:
        rng.choice(actions)["every"] = [rng.choice((2, 3, 4)), rng.choice((0, 0, 1)), rng.random() < 0.3]
    if turns == "none" and rng.random() < 0.4:
        rng.choice(actions)["mode"] = rng.choice(sorted(MODES))
    for a in actions:
        if a["do"] == "sweep" and rng.random() < 0.1 and turns == "none" and not a.get("colour"):
            others = [n for n in spec["arrays"] if n != a["to"] and n not in [t[2] for t in expressions.taps(a["expression"])]]
            if others:
                to = rng.choice(others)
                node = draw_expression(rng, spec, to, 0, False)
                a["second"] = [to, node]
    return actions


def draw_memory(rng, spec):
    if rng.random() < 0.5:
        return {"do": "zero", "to": rng.choice(spec["arrays"]), "row": rng.random() < 0.6, "every": None}
    return draw_copy(rng, spec)


def draw_copy(rng, spec):
    to, of = rng.sample(spec["arrays"], 2)
    return {"do": "copy", "to": to, "of": of, "how": rng.choice(COPIES), "every": None}


def draw_parts(rng, spec):
    """Each array one of several components of cells; nothing copies memory then."""
    memory = any(a["do"] in ("copy", "zero") for a in spec["actions"]) or spec["turns"] == "copy" or spec["miss"] == "copy-first"
    if rng.random() < 0.1 and spec["rank"] < 3 and spec["storage"] in ("linear", "struct", "fields") and not memory:
        spec["parts"] = rng.choice((2, 3, 5))


def draw_reduction(rng, spec):
    """In one of the sweeps or in a nest of its own; perhaps what ends the loop."""
    op = rng.choice(REDUCTIONS if spec["kind"] == "i" else REDUCTIONS[:5] + tuple(sorted(SUMS)))
    if op in ("fmax", "change") and spec["kind"] == "i":
        op = "max-if"
    where = rng.choice([n for n, a in enumerate(spec["actions"]) if a["do"] == "sweep"] + ["own"])
    spec["reduce"] = {"op": op, "where": where, "under": rng.random() < 0.2, "stop": rng.choice((None, "break", "break", "while", "do")),
                      "limit": rng.choice(("0.9", "0.3", "0.05", "3") if spec["kind"] == "f" else ("3", "100", "0")), "later": None}
    later = [n for n, a in enumerate(spec["actions"]) if a["do"] == "sweep" and where != "own" and n > where]
    if spec["kind"] == "f" and later and rng.random() < 0.6:
        spec["reduce"]["later"] = rng.choice(later)


def draw_once(rng, spec):
    """Without a time loop; perhaps a nest that only measures, or cells of a frame that mirror those inside."""
    spec["once"] = True
    if rng.random() < 0.3:
        alone = rng.choice((dict(draw_edge(rng, spec), **{"from": "mirrored"}), draw_edge(rng, spec), draw_copy(rng, spec)))
        spec["actions"], spec["turns"], spec["reduce"] = [alone], "none", None
        return
    if rng.random() < 0.6:
        draw_reduction(rng, spec)
        spec["reduce"].update(where=rng.choice(("own", spec["reduce"]["where"])), stop=None, near=rng.random() < 0.5)
        if rng.random() < 0.4:  # all that is read is brought back at the ends
            spec["reduce"]["around"] = rng.choice(sorted(ENDS))
            if spec["index"] == "size_t" and spec["reduce"]["around"] == "clamp":  # i - 1 is never less than 0 there
                spec["reduce"]["around"] = "ternary"
    if spec["reduce"]:
        spec["reduce"]["stop"] = None
        if spec["reduce"]["where"] == "own" and rng.random() < 0.5:
            spec["actions"], spec["turns"] = [], "none"


def draw(rng):
    kind = rng.choice("fffi")
    rank = rng.choice((1, 2, 2, 2, 2, 3))
    spec = {"form": "steps", "rank": rank, "kind": kind,
            "type": rng.choice(("float", "float", "double")) if kind == "f" else rng.choice(programs.INTEGERS),
            "storage": rng.choice(("linear", "linear", "linear", "vla", "vla", "struct", "fields") + ("rows", "vectors") * (rank == 2)),
            "index": rng.choice(("int", "int", "int", "long", "size_t")), "counter": rng.choice(("int", "int", "long")),
            "turns": rng.choice(TURNS), "toggle": rng.choice(sorted(TOGGLES)), "copy": rng.choice(COPIES), "reduce": None,
            "miss": rng.choice(MISSES) if rng.random() < 0.15 else None, "grids": {}, "scalars": [], "pad": [0] * rank,
            "loop": "less", "restrict": False, "constant": False}
    if spec["index"] == "size_t" and rng.random() < 0.5:
        spec["index"] = "int"
    spec["arrays"] = list(NAMES[:rng.choice((2, 2, 3, 4, 5) if spec["turns"] == "none" else (2, 2, 2, 3))])
    # One rule at all ends: such steps are blocked in time.
    spec["rule"] = rng.choice(sorted(ENDS)) if rng.random() < 0.15 else None
    # The first and the last cell of loops to the ends are numbers that the function is given.
    spec["given"] = rng.random() < 0.3
    # Pointers of a struct are swapped in memory. Every few steps a function that is not known gets the struct.
    spec["held"] = spec["storage"] == "fields" and rng.random() < 0.7
    spec["shown"] = rng.choice((0, 1, 3, 5)) if spec["storage"] == "fields" else 0
    spec["actions"] = draw_actions(rng, spec)
    # What each step keeps in an element, or a row, of its own: of a cell, of a row, of what it reduced.
    spec["trace"] = rng.choice(("cell", "cell", "row", "column", "reduced", "other")) if rng.random() < 0.12 else None
    # The number of the array in whose first elements it does so, where there is room.
    spec["within"] = rng.choice((None, None, 0, 1)) if spec["trace"] and spec["storage"] in ("linear", "vla") else None
    if spec["miss"] in ("two-sums", "running") or rng.random() < 0.25:
        draw_reduction(rng, spec)
    if rng.random() < 0.15 and not spec["miss"]:
        draw_once(rng, spec)
    draw_parts(rng, spec)
    if spec["storage"] in TABLES and spec["turns"] in ("table", "choose", "toggle"):
        spec["storage"] = "linear"
    taps = [t for a in spec["actions"] for t in parts(a)]
    spec["low"] = [max([1] + [-t[3][d] for t in taps]) for d in range(rank)]
    spec["high"] = [max([1] + [t[3][d] for t in taps]) for d in range(rank)]
    whole = dict(spec, expression=["f", "({0})"] + taps)
    spec["runs"] = [programs.draw_run(rng, whole) for _ in range(rng.choice((2, 3, 3)))]
    memcpy = spec["turns"] == "copy" and spec["copy"] not in ("loop", "all") or any(a["do"] == "copy" for a in spec["actions"])
    for run in spec["runs"]:
        run["alias"] = None if memcpy else run["alias"]  # its arguments must not overlap
        run["same"] = run["same"] or spec["turns"] == "copy" and rng.random() < 0.8
        run["fill"] = 0 if spec["reduce"] and rng.random() < 0.7 else run["fill"]
    if spec["reduce"] and spec["reduce"]["where"] == "own" and not spec["miss"] and not spec.get("once") and rng.random() < 0.4:
        spec["reduce"]["rare"] = [rng.choice((2, 3, 5, 7)), rng.choice((0, 1))]
    spec["indexed"] = spec["index"] in ("int", "long") and rng.random() < 0.3  # neighbours' indices are in tables
    # Then LLVM keeps cells in registers that the step sets by themselves.
    if spec["storage"] == "linear" and spec["turns"] in ("none", "copy") and rng.random() < 0.3:
        spec["restrict"] = True
        for run in spec["runs"]:
            run["alias"] = None
    draw_start(rng, spec)
    draw_ghosts(rng, spec)
    draw_later(rng, spec)
    draw_behind(rng, spec)
    # OpenMP's threads share nests, with reductions or critical sections. clang 22 crashes on shared arrays of pointers to rows of run-time length.
    shares = spec["index"] != "size_t" and not (spec["storage"] == "vla" and spec["turns"] in ("table", "toggle"))
    spec["team"] = rng.choice(("reduction", "reduction", "critical")) if rng.random() < 0.25 and shares else None
    return spec


def draw_behind(rng, spec):
    """What is used behind the loop of the numbers that steps reduce: all of them, or the one before the last. Drawn last."""
    if spec["reduce"] and spec["kind"] == "f" and not spec.get("once") and rng.random() < 0.4:
        spec["reduce"]["behind"] = rng.choice(sorted(BEHIND))


def draw_later(rng, spec):
    """A sweep in place that reads a cell which a later iteration writes. Drawn last."""
    plain = [a for a in spec["actions"] if a["do"] == "sweep" and not any(a.get(k) for k in ("ends", "guard", "second", "sum", "chosen", "before"))]
    if rng.random() > 0.1 or spec["turns"] != "none" or spec["miss"] or spec.get("parts") or spec["reduce"] or not plain:
        return
    action, first = rng.choice(plain), rng.randrange(spec["rank"])
    offset = [0] * first + [1] + [rng.randint(-1, 1) for _ in range(spec["rank"] - first - 1)]
    weight = "($T)0.25" if spec["kind"] == "f" else "3"
    action["expression"] = [spec["kind"], "({0} - %s * {1})" % weight, action["expression"], [spec["kind"], "@", action["to"], offset]]
    action["later"] = True


def draw_frame(rng, spec):
    """One loop over rows and columns of an array. Drawn last."""
    if spec["rank"] != 2 or spec.get("once") or spec["turns"] == "toggle" or rng.random() > 0.12:
        return
    sides = rng.sample(((0, False), (0, True), (1, False), (1, True)), rng.choice((2, 3, 4, 4)))
    spec["actions"].append({"do": "edge", "to": rng.choice(spec["arrays"]), "sides": sides, "first": rng.choice((0, 1, 1, 1)),
                            "from": rng.choice(("beside", "beside", "opposite", "constant")), "every": None})


def draw_start(rng, spec):
    """An action that only the first step has, or all others, and clocks that are read. Drawn last."""
    if spec["actions"] and not spec.get("once") and rng.random() < 0.12:
        rng.choice(spec["actions"])["start"] = rng.choice(("t == 0", "t > 0", "begun", "!begun"))
    spec["clock"] = rng.choice(("local", "memory")) if rng.random() < 0.1 and not spec.get("once") else None
    draw_frame(rng, spec)


def draw_ghosts(rng, spec):
    """Cells at both faces that each step copies from the opposite face: of one array or several, with edges or
    without, now and then too few of them."""
    plain = [a for a in spec["actions"] if a["do"] == "sweep"]
    if rng.random() > GHOSTS or spec.get("once") or spec["miss"] or not plain:
        return
    for a in spec["actions"] * (rng.random() < 0.9):
        a.update({"ends": None, "guard": None, "less": 0, "every": None} if a["do"] == "sweep" else {"every": None})
    if rng.random() < 0.8:
        spec["actions"], spec["reduce"], spec["rule"] = plain, None, None
    axes, first = rng.sample(range(spec["rank"]), rng.randint(1, spec["rank"])), rng.random() < 0.5
    arrays = list(spec["arrays"]) if spec["turns"] == "none" else ["A" if first or spec["turns"] == "copy" else "B"]
    for array in rng.sample(arrays, len(arrays) if rng.random() < 0.8 else 1):
        if array not in [a["to"] for a in plain] and rng.random() < 0.5 and spec["turns"] == "none":
            continue
        for n, axis in enumerate(axes):
            action = {"do": "ghosts", "to": array, "axis": axis, "every": None, "half": rng.choice((None,) * 14 + (0, 1)),
                      "long": rng.random() < 0.3 if rng.random() < 0.3 else n > 0}
            at = n if first else len(spec["actions"])
            spec["actions"].insert(rng.randrange(len(spec["actions"])) if rng.random() < 0.1 else at, action)


def parts(action):
    if action["do"] != "sweep":
        return []
    found = sums.taps(action["expression"], action.get("sum"))
    return found + (expressions.taps(action["second"][1]) if action["second"] else [])


def is_within(spec):
    """Is the trace in one of the arrays?"""
    return bool(spec.get("trace")) and spec.get("within") is not None and spec["storage"] in ("linear", "vla") and not spec["restrict"]


def labels(spec):
    """What the share that is offloaded is told of."""
    if spec["miss"]:
        return ["near miss " + spec["miss"]]
    sweeps = sum(a["do"] == "sweep" for a in spec["actions"])
    found = {"sweeps %d" % sweeps, "storage " + spec["storage"]}
    found |= {"one rule " + spec["rule"]} if spec.get("rule") else set()
    found |= {"indices in tables"} if spec.get("indexed") and any(a.get("ends") in INDEXED for a in spec["actions"]) else set()
    found |= {"components"} if spec.get("parts") else set()
    found |= {"restrict"} if spec["restrict"] else set()
    found |= {"swapped in memory"} if spec.get("held") and spec["turns"] == "swap" else set()
    found |= {"shown every %d steps" % spec["shown"]} if spec.get("shown") else set()
    found |= {"once"} if spec.get("once") else set()
    found |= {"OpenMP, " + spec["team"]} if spec.get("team") else set()
    found |= {"reach given"} if any((a.get("sum") or {}).get("reach") for a in spec["actions"]) else set()
    found |= {"trace of a " + spec["trace"]} if spec.get("trace") else set()
    found |= {"trace within an array"} if is_within(spec) else set()
    found |= {"clock, a sum in " + spec["clock"]} if spec.get("clock") else set()
    found |= {"alone " + spec["actions"][0]["do"]} if spec.get("once") and len(spec["actions"]) == 1 else set()
    found |= {"only measures"} if not sweeps and spec["reduce"] else set()
    found.add("copy " + spec["copy"] if spec["turns"] == "copy" else "turns " + spec["turns"])
    for a in spec["actions"]:
        found.add("every N steps" if a["every"] else "every step")
        found.add(a["do"] if a["do"] != "sweep" else "ends " + a["ends"] if a["ends"] else "guard " + str(a["guard"]))
        found |= {"if " + a["mode"]} if a.get("mode") else set()
        found |= {"coloured " + a["colour"][0]} if a.get("colour") else set()
        found |= {"only if " + a["start"]} if a.get("start") else set()
        found |= {"cell at a place"} if a.get("place") else set()
        found |= {"two cells at places"} if a.get("place") in TWO_CELLS else set()
        found |= {"ends given"} if spec.get("given") and a.get("ends") else set()
        found |= {"several sides"} if a.get("sides") else set()
        found |= {"mirrored frame"} if a.get("from") == "mirrored" else set()
        found |= {"carried from before"} if a.get("before") else set()
        found |= {"reads what it writes later"} if a.get("later") else set()
        found |= {"chosen by " + a["chosen"][1]} if a.get("chosen") else set()
        found.add("two statements" if a.get("second") else "one statement")
    if spec["reduce"]:
        found |= {"reduces in some steps"} if spec["reduce"].get("rare") else set()
        found |= {"reduces under a condition"} if spec["reduce"].get("under") else set()
        found |= {"reduced for a later sweep"} if spec["reduce"].get("later") is not None else set()
        found |= {"reduced, used behind: " + spec["reduce"]["behind"]} if spec["reduce"].get("behind") else set()
        found |= {"reduces " + spec["reduce"]["op"], "stops %s" % spec["reduce"]["stop"]}
    return sorted(l for l in found if l not in ("every step", "one statement", "guard None"))


# ---- writing --------------------------------------------------------------------------------

class Writer:
    def __init__(self, spec, number):
        self.spec, self.number, self.rank, self.type = spec, number, spec["rank"], spec["type"]
        self.near = {}  # tables of neighbours' indices: their names, and what they hold
        self.fields = spec["storage"] in ("struct", "fields")
        direct = spec["storage"] == "fields"  # bounds and pointers are read in the loops
        self.n = ["s->n%d" % d if direct else "n%d" % d for d in range(self.rank)]
        held = spec.get("held") or spec["turns"] != "swap"  # pointers stay in memory
        self.base = {a: "s->" + a if direct and held else a for a in spec["arrays"]}
        self.unsigned = spec["index"] == "size_t"
        self.turn = {"table": ("u[t & 1]", "u[(t + 1) & 1]"), "toggle": ("u[q]", "u[1 - q]"),
                     "choose": ("from", "to")}.get(spec["turns"])

    # names

    def pointer(self, name):
        if self.spec["storage"] == "vla" and self.rank > 1:
            return "%s (*%s)%s" % (self.type, name, "".join("[n%d]" % d for d in range(1, self.rank)))
        if self.spec["storage"] == "vectors":
            return "struct P(row%d) *%s" % (self.number, name)
        star = "**" if self.spec["storage"] == "rows" else "*restrict " if self.spec["restrict"] else "*"
        return "%s %s%s" % (self.type, star, name)

    def name(self, array):
        if self.turn and array in "AB":
            return self.turn[array == "B"]
        return self.base[array]

    def cell(self, array, at):
        """at: the indices in C."""
        if self.spec["storage"] == "vectors":
            return "%s[%s].cells[%s]" % (self.name(array), *at)
        if self.spec["storage"] in ("vla", "rows"):
            return self.name(array) + "".join("[%s]" % a for a in at)
        text = at[0]
        for d in range(1, self.rank):
            text = "(%s) * %s + %s" % (text, self.n[d], at[d])
        if self.spec.get("parts"):
            text = "%d * (%s) + %d" % (self.spec["parts"], text, self.spec["arrays"].index(array) % self.spec["parts"])
        return "%s[%s]" % (self.name(array), text)

    def subst(self, text):
        return text.replace("$T", self.type if self.spec["kind"] == "f" else "float").replace(
            "$S", "f" if self.type == "float" else "")

    # nests

    def head(self, d, low, high):
        v, n = VARIABLES[d], self.n[d]
        end = "%s + %s < %s" % (v, high, n) if self.unsigned else "%s < %s - %s" % (v, n, high)
        return "for (%s %s = %s; %s; %s++)" % (self.spec["index"], v, low, end, v)

    def first(self):
        return "first" if self.spec.get("given") else "0"

    def last(self, d):
        return "last%d" % d if self.spec.get("given") else "(%s)%s - 1" % (self.spec["index"], self.n[d])

    def coloured(self, body, colour):
        """A nest over cells of one colour."""
        how, number = colour
        heads = [self.head(d, self.spec["low"][d], self.spec["high"][d]) for d in range(self.rank)]
        outer = " + ".join(VARIABLES[:self.rank - 1])
        if how == "turns" and self.rank == 2:
            v, low = VARIABLES[1], self.spec["low"][1]
            heads[1] = heads[1].replace("%s = %s;" % (v, low), "%s = at;" % v).replace(v + "++", v + " += 2")
            return ("{\n%s at = %d;\n%s {\n%s {\n%s\n}\nat = %d - at;\n}\n}" % (
                self.spec["index"], low + (self.spec["low"][0] + number) % 2, heads[0], heads[1], body, 2 * low + 1))
        if how in ("rows", "turns"):
            v, low = VARIABLES[self.rank - 1], self.spec["low"][self.rank - 1]
            heads[-1] = heads[-1].replace("%s = %s;" % (v, low), "%s = %s + (%s + %d) %% 2;" % (v, low, outer, number))
            heads[-1] = heads[-1].replace(v + "++", v + " += 2")
        else:
            test = "((%s) & 1) == %d" if how == "bit" else "(%s) %% 2 == %d"
            body = "if (%s) {\n%s\n}" % (test % (" + ".join(VARIABLES[:self.rank]), number), body)
        return "\n".join(heads) + " {\n" + body + "\n}"

    def nest(self, body, whole=False, less=0, between=""):
        heads = [self.head(d, *((0, 0) if whole else (self.spec["low"][d], self.spec["high"][d] + less * (d == 0))))
                 for d in range(self.rank)]
        if whole == "to the ends" and self.spec.get("given"):
            heads = ["for (%s %s = %s; %s <= %s; %s++)" % (self.spec["index"], v, self.first(), v, self.last(d), v)
                     for d, v in enumerate(VARIABLES[:self.rank])]
        if between and self.rank > 1:
            return self.shared("%s {\n%s\n%s {\n%s\n}\n}" % (heads[0], between, "\n".join(heads[1:]), body))
        return self.shared("\n".join(heads) + " {\n" + body + "\n}")

    def shared(self, nest):
        """The nest as OpenMP's threads share it, if they do."""
        team, reduces = self.spec.get("team"), "most" in nest
        clause = CLAUSES.get(self.spec["reduce"]["op"]) if reduces and self.spec["reduce"] else None
        if not team or (reduces and not clause):
            return nest
        if not reduces:
            return "#pragma omp parallel for\n" + nest
        if team == "reduction":
            return "#pragma omp parallel for reduction(%s : most)\n%s" % (clause, nest)
        start = "100" if clause == "min" else "0"
        return "#pragma omp parallel\n{\n%s mine = %s;\n#pragma omp for\n%s\n#pragma omp critical\n{\n%s\n}\n}" % (
            self.type, start, nest.replace("most", "mine"), COMBINES[clause])

    def tap(self, action):
        ends, guard, chosen = action["ends"], action["guard"], action.get("chosen")

        def at(d, o):
            v, n = VARIABLES[d], self.n[d]
            if not o:
                return v
            if chosen and isinstance(o, int):
                holds = "(%s > 1)" % self.cell(chosen[0], VARIABLES[:self.rank])
                if chosen[1] == "bit":
                    return "%s %s %s" % (v, "-" if o < 0 else "+", holds)
                least, most = self.spec["low"][d], self.spec["high"][d]
                other = 0 if chosen[1] == "zero" else max(-least, min(most, -o))
                return "%s + (%s ? %d : %d)" % (v, holds, o, other)
            if isinstance(o, str):
                return "%s + (%s)" % (v, o)
            if not ends:
                return "%s %s %d" % (v, "-" if o < 0 else "+", abs(o))
            kind = ("clamp" if o < 0 else "periodic") if self.spec["miss"] == "two-ends" and d == 0 and abs(o) == 1 else ends
            words = {"z": self.first(), "l": self.last(d), "n": "(%s)%s" % (self.spec["index"], n), "o": abs(o)}
            if self.spec.get("indexed") and kind in INDEXED:
                name = "P(near%d_%d_%s_%d)" % (self.number, d, kind, len(self.near))
                text = ENDS[kind][o > 0]
                name = self.near.setdefault((d, text, abs(o)), (name, text.format(i="i", **words)))[0]
                return "%s[%s]" % (name, v)
            return ENDS[kind][o > 0].format(i=v, **words)

        def named(array, offset):
            cell = self.cell(array, [at(d, o) for d, o in enumerate(offset)])
            if guard != "choices":
                return cell
            inside = ["%s >= %d" % (VARIABLES[d], -o) if o < 0 else "%s + %d < %s" % (VARIABLES[d], o, self.n[d])
                      for d, o in enumerate(offset) if o]
            return "(%s ? %s : (%s)1)" % (" && ".join(inside), cell, self.type) if inside else cell
        return named

    def later(self):
        """The sweep that uses what one before it reduced, and which one that is; else None twice."""
        reduce = self.spec["reduce"] or {"where": "own"}
        later, where = reduce.get("later"), reduce["where"]
        good = later is not None and where != "own" and where < later and not self.spec["miss"] == "running"
        return (later, where) if good else (None, None)

    def reduction(self, value):
        if self.spec["reduce"].get("under"):
            return "if (%s > 0) {%s}" % (self.cell("A", VARIABLES[:self.rank]), self.reduced(value))
        return self.reduced(value)

    def reduced(self, value):
        op = self.spec["reduce"]["op"]
        if self.spec["miss"] == "two-sums" and self.spec["kind"] == "f":
            return "most += %s; most -= 1;" % value
        if self.spec["kind"] == "f" and op in SUMS:
            return SUMS[op].replace("%s", value)
        return {"max": "most = %s > most ? %s : most;", "min": "most = %s < most ? %s : most;",
                "max-if": "if (%s > most) most = %s;", "fmax": "most = fmax$S(most, %s);",
                "change": "most = fmax$S(most, fabs$S(%s));", "sum": "most += %s;",
                "flag": "if (%s > 2) most = 7;"}[op].replace("%s", value)

    def sweep(self, number, action):
        spec, to = self.spec, self.cell(action["to"], VARIABLES[:self.rank])
        value = expressions.text(action["expression"], self.tap(action)) + " + late" * (self.later()[0] == number)
        lines, value = sums.add(action.get("sum"), value, self.type, spec["kind"] == "f", self.tap(action))
        if action.get("before"):
            value = "(%s + before)" % value
        lines += ["%s v = (%s)%s;" % (self.type, self.type, value), to + " = v;"]
        if spec["reduce"] and spec["reduce"]["where"] == number:
            lines.append(self.reduction("v"))
        if action["second"]:
            second, node = action["second"]
            lines.append("%s = (%s)%s;" % (self.cell(second, VARIABLES[:self.rank]), self.type,
                                           expressions.text(node, self.tap(action))))
        if spec["miss"] == "call" and number == 0:
            lines.append("outside(i);")
        body = "\n".join(lines)
        if action["guard"] in ("left-out", "kept"):
            inside = " && ".join("%s >= %d && %s + %d < %s" % (VARIABLES[d], spec["low"][d], VARIABLES[d], spec["high"][d],
                                                              self.n[d]) for d in range(self.rank))
            body = "if (%s) {\n%s\n}" % (inside, body)
            if action["guard"] == "kept":
                other = "A" if action["to"] != "A" else "B"
                body += " else {\n%s = %s;\n}" % (to, self.cell(other, VARIABLES[:self.rank]))
        if action.get("colour"):
            return self.coloured(body, action["colour"])
        between = "note[3]++;" * (spec["miss"] == "between" and number == 0)
        if action.get("before"):  # what the iteration before read; in the first one a number
            between += "%s before = s0;" % self.type
            body += "\nbefore = %s;" % self.cell(action["before"], VARIABLES[:self.rank])
        whole = "to the ends" if action["ends"] else bool(action["guard"])
        return self.nest(body, whole, action["less"], between)

    def mirrored(self, action):
        """One or two cells of a frame at one end, by those inside."""
        axis, index = action["axis"], self.spec["index"]
        depth = "(1 + (%s & 4) / 4)" % self.n[axis]
        to, of = "%s - near" % depth, "%s - 1 + near" % depth
        if action["high"]:
            to, of = "%s - %s - 1 + near" % (self.n[axis], depth), "%s - %s - near" % (self.n[axis], depth)
        at = lambda text: self.cell(action["to"], [text if d == axis else VARIABLES[d] for d in range(self.rank)])
        heads = [self.head(d, 0, 0) for d in range(self.rank) if d != axis]
        heads.insert(len(heads) if action["inner"] else 0, "for (%s near = 1; near <= %s; near++)" % (index, depth))
        return "\n".join(heads) + " {\n%s = %s;\n}" % (at(to), at(of))

    def frame(self, action):
        """One loop that sets cells of several sides."""
        first, index, lines = action["first"], self.spec["index"], []
        for axis, high in action["sides"]:
            n = self.n[axis]
            at = lambda text: [text if d == axis else "side" for d in range(2)]
            near, far = ("%s - 2" % n, "1") if high else ("1", "%s - 2" % n)
            value = {"beside": self.cell(action["to"], at(near)), "opposite": self.cell(action["to"], at(far)),
                     "constant": "(%s)%d" % (self.type, len(lines))}[action["from"]]
            lines.append("%s = %s;" % (self.cell(action["to"], at("%s - 1" % n if high else "0")), value))
        most = "(%s < %s ? %s : %s)" % (self.n[0], self.n[1], self.n[0], self.n[1])
        return "for (%s side = %d; side + %d < %s; side++) {\n%s\n}" % (index, first, first, most, "\n".join(lines))

    def edge(self, action):
        if action.get("sides"):
            return self.frame(action)
        axis, high = action["axis"], action["high"]
        if action["from"] == "mirrored":
            return self.mirrored(action)
        n = self.n[axis]
        at = lambda text: [text if d == axis else VARIABLES[d] for d in range(self.rank)]
        first, beside, far = ("%s - 1" % n, "%s - 2" % n, "1") if high else ("0", "1", "%s - 2" % n)
        array = action["to"]
        value = {"beside": self.cell(array, at(beside)), "opposite": self.cell(array, at(far)), "constant": "(%s)1" % self.type,
                 "two": "(%s)(%s + %s)" % (self.type, self.cell(array, at(beside)), self.cell(array, at(far)))}[action["from"]]
        heads = [self.head(d, 0, 0) for d in range(self.rank) if d != axis]
        return "\n".join(heads) + " {\n%s = %s;\n}" % (self.cell(array, at(first)), value)

    def ghosts(self, action):
        axis, lines = action["axis"], []
        low, high, n = self.spec["low"][axis], self.spec["high"][axis], self.n[axis]
        at = lambda text: self.cell(action["to"], [text if d == axis else VARIABLES[d] for d in range(self.rank)])
        if action["half"] != 0:
            lines += ["%s = %s;" % (at(str(k)), at("%s - %d" % (n, low + high - k))) for k in range(low)]
        if action["half"] != 1:
            lines += ["%s = %s;" % (at("%s - %d" % (n, high - k)), at(str(low + k))) for k in range(high)]
        heads = [self.head(d, *((0, 0) if action["long"] else (self.spec["low"][d], self.spec["high"][d])))
                 for d in range(self.rank) if d != axis]
        return "\n".join(heads) + " {\n%s\n}" % "\n".join(lines)

    def single(self, action):
        if not action.get("place"):
            return self.assign(action, ["0"] * self.rank, ["1"] * self.rank)
        places = [["%s / %d" % (n, k) for n in self.n] for k in TWO_CELLS.get(action["place"], (action["place"],))]
        return "\n".join(self.assign(action, at, at) for at in places)

    def assign(self, action, there, here):
        to, of = self.cell(action["to"], there), self.cell(action["of"], here)
        value = {"of": of, "sum": "%s + %s" % (to, of), "t": "%s + t" % of}[action["how"]]
        return "%s = (%s)(%s);" % (to, self.type, value)

    def all_cells(self):
        return " * ".join("(size_t)" + n for n in self.n)

    def copy(self, to, of, how):
        every = VARIABLES[:self.rank]
        if how in ("loop", "all") or self.rank == 1 and how in ("rows", "row-parts"):
            return self.nest("%s = %s;" % (self.cell(to, every), self.cell(of, every)), how == "all")
        if how == "memcpy" and self.spec["storage"] not in TABLES:
            return "memcpy(%s, %s, %s * sizeof(%s));" % (self.name(to), self.name(of), self.all_cells(), self.type)
        last = self.rank - 1
        low, high = (0, 0) if how == "rows" else (self.spec["low"][last], self.spec["high"][last])
        heads = [self.head(d, self.spec["low"][d], self.spec["high"][d]) for d in range(last)]
        at = lambda name: "&" + self.cell(name, [*every[:-1], str(low)])
        return "\n".join(heads) + "\nmemcpy(%s, %s, (size_t)(%s - %d) * sizeof(%s));" % (at(to), at(of), self.n[last], low + high,
                                                                                       self.type)

    def zero(self, action):
        cells = self.all_cells()
        if action["row"] or self.spec["storage"] in TABLES:
            cells = "(size_t)" + self.n[-1]
        return "memset(&%s, 0, %s * sizeof(%s));" % (self.cell(action["to"], ["0"] * self.rank), cells, self.type)

    def action(self, number, action):
        text = {"sweep": lambda: self.sweep(number, action), "edge": lambda: self.edge(action),
                "cell": lambda: self.single(action), "ghosts": lambda: self.ghosts(action), "zero": lambda: self.zero(action),
                "copy": lambda: self.copy(action["to"], action["of"], action["how"])}[action["do"]]()
        if action.get("mode"):
            text = "if (%s) {\n%s\n}" % (MODES[action["mode"]].format(self.number), text)
        if action.get("start"):
            text = "if (%s) {\n%s\n}" % (action["start"], text)
        if not action["every"]:
            return text
        n, rest, shifted = action["every"]
        return "if (%s %% %d == %d) {\n%s\n}" % ("(t + 1)" if shifted else "t", n, rest, text)

    # the time loop

    def step(self):
        spec = self.spec
        lines = ["const long clock0 = clock();"] if spec.get("clock") else []
        if spec["turns"] == "choose":
            lines += ["%s = q ? B : A;" % self.pointer("from"), "%s = q ? A : B;" % self.pointer("to")]
        neutral = "most = %s;" % ("100" if spec["reduce"] and spec["reduce"]["op"] == "min" else "0")
        rare = spec["reduce"] and spec["reduce"].get("rare")
        if spec["reduce"] and spec["miss"] != "running" and not rare:
            lines.append(neutral)
        if spec["miss"] == "copy-first":
            lines.append(self.copy("A", "B", spec["copy"]))
        for n, a in enumerate(spec["actions"]):
            lines.append(self.action(n, a))
            if self.later()[1] == n:
                lines.append("const %s late = most / (was + most * most + 1);\nwas = most;" % self.type)
        if spec["miss"] == "carried":
            lines.append("carry = carry * 2 + (%s > 0);\n%s = (%s)carry;" % (
                self.cell("A", ["1"] * self.rank), self.cell("B", ["0"] * self.rank), self.type))
        if spec["reduce"] and spec["reduce"]["where"] == "own":
            around = spec["reduce"].get("around")
            nest = self.nest(self.reduction(self.measured()), whole="to the ends" if around else False)
            stop = "\nif (!(%s)) break;" % self.goes_on() if spec["reduce"]["stop"] == "break" else ""
            lines.append("if (t %% %d == %d) {\n%s\n%s%s\n}" % (*rare, neutral, nest, stop) if rare else nest)
        if self.behind():
            lines.append(BEHIND[self.behind()].replace("$T", self.type))
        if spec["turns"] == "copy" and spec["miss"] != "copy-first":
            lines.append(self.copy("A", "B", spec["copy"]))
        if spec.get("shown"):
            lines.append("if (t %% %d == 0) P(show%d)(s);" % (spec["shown"], self.number))
        if spec["turns"] == "swap":
            swap = "%s = %s; %s = %s; %s = swap;" % (self.pointer("swap"), self.base["A"], self.base["A"], self.base["B"], self.base["B"])
            lines.append("if (t % 3) {" + swap + "}" if spec["miss"] == "odd-swap" else swap)
        if spec["turns"] in ("toggle", "choose"):
            lines.append(TOGGLES[spec["toggle"]])
        if spec.get("trace"):
            lines.append(self.trace())
        if spec["miss"] == "stop-cell":
            lines.append("if (%s == 3) break;" % self.cell("A", ["1"] * self.rank))
        if spec.get("clock"):
            lines.append("%s += (clock() - clock0) / 1e6;" % self.spent())
        lines += ["begun = 1;"] * any("begun" in (a.get("start") or "") for a in spec["actions"])
        return "\n".join(lines)

    def behind(self):
        return (self.spec["reduce"] or {}).get("behind")

    def spent(self):
        return "P(spent%d)" % self.number if self.spec["clock"] == "memory" else "spent"

    def trace(self):
        """The places are t, 3 * t + 1, or rows of as many elements as an extent has."""
        how, one = self.spec["trace"], ["1"] * self.rank
        to = "trace" if is_within(self.spec) else "P(trace%d)" % self.number
        d = 0 if how == "column" else self.rank - 1
        if how in ("row", "column"):
            at = [VARIABLES[k] if k == d else "1" for k in range(self.rank)]
            return "%s {\n%s[t * %s + %s] = %s;\n}" % (self.head(d, 0, 0), to, self.n[d], VARIABLES[d], self.cell("A", at))
        if how == "reduced" and self.spec["reduce"] and not self.spec["reduce"].get("rare"):
            return "%s[t] = (%s)(most * 2);" % (to, self.type)
        return "%s[%s] = %s;" % (to, "3 * t + 1" if how == "other" else "t", self.cell("A", one))

    def traced(self):
        """All that was kept, as bits of one number; NaNs are left out."""
        lines = ("for (long k = 0; k < MOST; k++) {", "int bits = 0;", "if (TRACE[k] == TRACE[k])",
                 "memcpy(&bits, &TRACE[k], sizeof bits < sizeof *TRACE ? sizeof bits : sizeof *TRACE);",
                 "note[3] ^= bits * (int)(k + 1);", "}")
        return "\n".join(lines).replace("TRACE", "P(trace%d)" % self.number).replace("MOST", "P(most%d)" % self.number)

    def measured(self):
        every = VARIABLES[:self.rank]
        if self.spec["reduce"].get("around"):
            tap = self.tap({"ends": self.spec["reduce"]["around"], "guard": None})
            below, above = [-1] * self.rank, [0] * (self.rank - 1) + [1]
            return "(%s)(%s - %s)" % (self.type, tap("A", above), tap("A", below))
        if self.spec["reduce"].get("near"):
            beside = [*every[:-1], every[-1] + " + 1"]
            return "(%s)(%s - %s)" % (self.type, self.cell("A", beside), self.cell("A", every))
        return "(%s)(%s - %s)" % (self.type, self.cell("B", every), self.cell("A", every))

    def goes_on(self):
        reduce = self.spec["reduce"]
        return "most %s (%s)%s" % (">" if reduce["op"] != "min" else "<", self.type, reduce["limit"])

    def time_loop(self):
        spec, body = self.spec, self.step()
        if spec.get("once"):
            return "{\n%s\n}" % body
        stop = spec["reduce"]["stop"] if spec["reduce"] else None
        if spec["miss"] == "time-by-value":
            return "float f = 0;\nfor (; f < 0.1f * steps; f += 0.1f) {\n%s\nt++;\n}" % body
        if stop == "break" and not spec["reduce"].get("rare"):
            return "for (; t < steps; t++) {\n%s\nif (!(%s)) break;\n}" % (body, self.goes_on())
        if stop == "while":
            return "most = (%s)%s + (%s);\nwhile (t < steps && %s) {\n%s\nt++;\n}" % (
                self.type, spec["reduce"]["limit"], "-1" if spec["reduce"]["op"] == "min" else "1", self.goes_on(), body)
        if stop == "do":
            return "if (steps > 0)\ndo {\n%s\nt++;\n} while (t < steps && %s);" % (body, self.goes_on())
        return "for (; t < steps; t++) {\n%s\n}" % body

    def locals(self):
        spec, lines = self.spec, []
        if self.fields:
            lines += ["const %s n%d = s->n%d;" % (spec["index"], d, d) for d in range(self.rank)]
            lines += ["%s = s->%s;" % (self.pointer(a), a) for a in spec["arrays"]]
        least = " || ".join("n%d < %d" % (d, max(3, spec["low"][d] + spec["high"][d])) for d in range(self.rank))
        if spec.get("trace"):
            least += " || steps > 1000" + "".join(" || steps * n%d > 4000" % d for d in range(self.rank))
        if is_within(spec):
            array = spec["arrays"][spec["within"] % len(spec["arrays"])]
            lines.append("%s *trace = (long)%s > %s + 2L * steps ? (%s *)%s : P(trace%d);" % (
                self.type, " * ".join("n%d" % d for d in range(self.rank)),
                " + ".join("(long)steps * n%d" % d for d in range(self.rank)), self.type, array, self.number))
        least += "".join(" || n%d > %d" % (d, MOST_INDEXED) for d in sorted({key[0] for key in self.near}))
        lines.append("if (%s)\nreturn;" % least)
        lines += ["for (%s i = %s; i < n%d; i++)\n%s[i] = %s;" % (spec["index"], self.first(), d, name, value)
                  for (d, _, _), (name, value) in self.near.items()]
        if spec["turns"] in ("table", "toggle"):
            first = self.pointer("u").replace("*u", "*u[2]") if spec["storage"] == "vla" and self.rank > 1 else self.pointer("u[2]")
            lines.append("%s = {A, B};" % first)
        lines.append("const int place = n0 % 3 ? (int)(n0 % 4) : 0x3fffffff - (int)n0;\n(void)place;")
        lines += ["int q = 0;"] * (spec["turns"] in ("toggle", "choose"))
        lines += ["%s most = 0;" % self.type] * bool(spec["reduce"])
        lines += ["%s was = 0;" % self.type] * bool(self.later()[0]) + ["int carry = 1;"] * (spec["miss"] == "carried")
        lines += ["%s kept = 1, last = 2;\n(void)last;" % self.type] * bool(self.behind())
        lines += ["double spent = 0;"] * (spec.get("clock") == "local")
        lines += ["int begun = 0;"] * any("begun" in (a.get("start") or "") for a in spec["actions"])
        return "\n".join(lines + ["%s t = 0;" % spec["counter"]])

    def structure(self):
        return "struct P(s%d)" % self.number

    def function(self):
        spec = self.spec
        declared = ["%s n%d" % (spec["index"], d) for d in range(self.rank)]
        pointers = [self.pointer(a) for a in spec["arrays"]]
        struct = "__attribute__((used)) static int P(kinds%d)[4] = {1, 0, 1, 1};\n" % self.number
        if spec["storage"] == "vectors":
            struct += "struct P(row%d) {\n%s *cells, *end, *room;\n};\n" % (self.number, self.type)
        if self.fields:
            struct += "%s {\n%s;\n};\n" % (self.structure(), ";\n".join(declared + pointers))
            if spec.get("shown"):
                struct += "__attribute__((noinline)) static void P(show%d)(%s *s) {\n__asm__ volatile(\"\" ::\"r\"(s) : \"memory\");\n}\n" % (
                    self.number, self.structure())
            declared = [self.structure() + " *s"]
        else:
            declared += pointers
        after = "note[0] = (int)t;" + "\nnote[3] += q;" * (spec["turns"] in ("toggle", "choose"))
        if spec.get("trace"):
            struct += "enum { P(most%d) = 4096 };\n" % self.number
            struct += "static %s P(trace%d)[P(most%d)];\n" % (self.type, self.number, self.number)
            after += "\n" + self.traced()
        if spec.get("clock"):
            struct += "long clock(void);\nstatic double P(spent%d);\n" % self.number
            after += "\nnote[3] += %s < 0 || %s > 1e5;" % (self.spent(), self.spent())
        if spec["reduce"]:
            after += "\nif (most == most)\nmemcpy(note + 1, &most, sizeof most);"
        if self.behind():
            after += "\nif (kept == kept) {\nlong long bits = 0;\nmemcpy(&bits, &kept, sizeof kept);\nnote[3] += (int)(bits ^ bits >> 32);\n}"
        declared += ["%s steps" % spec["counter"], "%s s0" % self.type, "const %s *g" % self.type, "int *note"]
        if spec.get("given"):
            declared += ["%s first" % spec["index"]] + ["%s last%d" % (spec["index"], d) for d in range(self.rank)]
        declared += ["int reach%d" % n for n in self.reaches()]
        loop = self.time_loop()
        struct += "".join("static %s %s[%d];\n" % (spec["index"], name, MOST_INDEXED) for name, _ in self.near.values())
        return self.subst("%s__attribute__((noinline)) static void P(f%d)(%s) {\n%s\n%s\n%s\n}\n" % (
            struct, self.number, ", ".join(declared), self.locals(), loop, after))

    def reaches(self):
        """How far sums reach whose loops end by such a number: reach1, reach2, reach3."""
        return sorted({a["sum"]["reach"] for a in self.spec["actions"] if a.get("sum") and a["sum"].get("reach")})

    def call(self):
        """With tables of rows, of which a near miss has two exchanged, and structs."""
        spec, index = self.spec, self.spec["index"]
        sizes = ["(%s)n[%d]" % (index, d) for d in range(self.rank)]
        lines, given = ["(void)n, (void)steps;"], ["m[%d]" % k for k in range(len(spec["arrays"]))]
        if spec["storage"] in TABLES:
            vectors = spec["storage"] == "vectors"
            row, cells = ("struct P(row%d) " % self.number, ".cells") if vectors else (self.type + " *", "")
            for k in range(len(spec["arrays"])):
                lines += ["%sr%d[n[0] + 1];" % (row, k),
                          "for (long i = 0; i < n[0]; i++) r%d[i]%s = (%s *)m[%d] + i * n[1];" % (k, cells, self.type, k)]
                if spec["miss"] == "uneven" and k == 0:
                    lines.append("if (n[0] > 4) { void *o = r0[2]%s; r0[2]%s = r0[3]%s, r0[3]%s = o; }" % ((cells,) * 4))
            given = ["r%d" % k for k in range(len(spec["arrays"]))]
        if self.fields:
            lines.append("%s s = {%s};" % (self.structure(), ", ".join(sizes + given)))
            sizes, given = ["&s"], []
        table = len(spec["arrays"])
        words = sizes + given + ["(%s)steps" % spec["counter"], "(%s)%s" % (self.type, "0.37" if spec["kind"] == "f" else "5"),
                                 "m[%d]" % table, "m[%d]" % (table + 1)]
        if spec.get("given"):
            words += ["0"] + ["(%s)n[%d] - 1" % (index, d) for d in range(self.rank)]
        words += ["n[0] < 0 ? 0 : %d" % n for n in self.reaches()]
        return "static void P(call%d)(const long *n, long steps, void *const *m) {\n%s\nP(f%d)(%s);\n}\n" % (
            self.number, "\n".join(lines), self.number, ", ".join(words))


# ---- reducing -------------------------------------------------------------------------------

def smaller(spec):
    yield from programs.smaller_runs(spec)
    actions = spec["actions"]
    for n in range(len(actions)):
        if len(actions) > bool(not spec["reduce"]) and (not spec["reduce"] or spec["reduce"]["where"] == "own"):
            yield dict(spec, actions=actions[:n] + actions[n + 1:])
    if spec["reduce"] and actions:
        yield dict(spec, reduce=None)
        if spec["reduce"].get("under"):
            yield dict(spec, reduce=dict(spec["reduce"], under=False))
        if spec["reduce"].get("rare"):
            yield dict(spec, reduce=dict(spec["reduce"], rare=None))
        if spec["reduce"].get("behind"):
            yield dict(spec, reduce=dict(spec["reduce"], behind=None))
        if spec["reduce"].get("later") is not None:
            yield dict(spec, reduce=dict(spec["reduce"], later=None))
        if spec["reduce"]["stop"]:
            yield dict(spec, reduce=dict(spec["reduce"], stop=None))
    for name, plain in (("miss", None), ("turns", "none"), ("storage", "linear"), ("index", "int"), ("counter", "int"),
                        ("copy", "loop")):
        if spec[name] != plain:
            yield dict(spec, **{name: plain})
    for name in ("parts", "held", "shown", "within", "trace", "clock", "team"):
        if spec.get(name):
            yield dict(spec, **{name: None})
    for n, a in enumerate(actions):
        for name in ("every", "second", "guard", "ends", "chosen", "before", "mode", "start"):
            if a.get(name):
                yield dict(spec, actions=actions[:n] + [dict(a, **{name: None})] + actions[n + 1:])
        for less in sums.smaller(a.get("sum")):
            yield dict(spec, actions=actions[:n] + [dict(a, sum=less)] + actions[n + 1:])
        if a["do"] == "sweep":
            for less in expressions.smaller(a["expression"]):
                yield dict(spec, actions=actions[:n] + [dict(a, expression=less)] + actions[n + 1:])
