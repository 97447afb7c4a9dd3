# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random sums over neighbours in loops of their own, as a window is often written:

    T sum = start;
    for (int o0 = -1; o0 <= 2; o0++)
        for (int o1 = 0; o1 <= 2; o1++) sum += weights[o0 + 1][o1] * A[i + o0][j + o1];

A sum is a dict: the grid, its least and greatest offset in each dimension, and how it is written."""

import expressions

COUNTERS = ("o0", "o1", "o2")
TABLE = 16
MOST = 27  # taps


def count(sizes):
    product = 1
    for size in sizes:
        product *= size
    return product


def extents(s):
    return [high - low + 1 for low, high in zip(s["low"], s["high"])]


def draw(rng, spec, grids, radius=3):
    """grids: those of all dimensions, and W if there is one."""
    rank, floating = spec["rank"], spec["kind"] == "f"
    low = [-min(radius, rng.choice((0, 1, 1, 1, 2, 3))) for _ in range(rank)]
    high = [min(radius, rng.choice((0, 1, 1, 1, 2, 3))) for _ in range(rank)]
    while count(h - l + 1 for l, h in zip(low, high)) > MOST:
        d = rng.randrange(rank)
        low[d], high[d] = max(low[d], -1), min(high[d], 1 if rng.random() < 0.7 else 0)
    for d in range(rank):
        if rng.random() < 0.2:
            low[d] = high[d] = rng.choice((low[d], high[d]))
    s = {"grid": rng.choice([g for g in grids if g != "W"]), "low": low, "high": high,
         "counter": rng.choice(("int", "int", "int", "long", "short")), "from": rng.choice(("low", "low", "zero")),
         "down": rng.random() < 0.1, "skip": rng.choice((None, None, None, "centre", "star")),
         "start": rng.choice(("0", "0", "0", "1")), "least": rng.random() < 0.1,
         "weight": rng.choice((None, "number", "local", "local", "static", "table", "distance"))}
    if s["weight"] in ("local", "static"):
        s["weights"] = ["%.3f" % rng.uniform(-0.5, 0.6) if floating else str(rng.randint(-3, 5)) for _ in range(count(extents(s)))]
    if s["weight"] == "table" and "W" not in grids:
        s["weight"] = "number"
    # How far it reaches is a number that the function is given.
    given = spec.get("form") == "steps" and max(high) > 0 and rng.random() < 0.3
    s["reach"] = max(high) if given else None
    if given:
        s.update({"from": "low", "down": False})
    return s


def taps(expression, s):
    """What a cell reads: an expression's taps, and if there is a sum, its corners."""
    return expressions.taps(expression) + (corners(s) if s else [])


def add(s, value, type_, floating, tap):
    """(lines that go before, the value and the sum, if there is one); tap(grid, offset) is a cell in C."""
    if not s:
        return [], value
    return lines(s, type_, floating, lambda at: tap(s["grid"], at)), "(%s + sum)" % value


def corners(s):
    """As an expression's taps are given."""
    return [["f", "@", s["grid"], s["low"]], ["f", "@", s["grid"], s["high"]]]


def loops(s):
    """The dimensions of which the offset varies."""
    return [d for d, size in enumerate(extents(s)) if size > 1]


def offsets(s):
    text = [str(low) for low in s["low"]]
    for d in loops(s):
        text[d] = COUNTERS[d] if s["from"] == "low" or not s["low"][d] else "%s - %d" % (COUNTERS[d], -s["low"][d])
    return text


def head(s, d):
    v, low, high = COUNTERS[d], s["low"][d], s["high"][d]
    if s["from"] == "zero":
        low, high = 0, high - low
    if s["down"]:
        return "for (%s %s = %d; %s >= %d; %s--)" % (s["counter"], v, high, v, low, v)
    end = "reach%d" % high if s.get("reach") == high and s["from"] == "low" else str(high)
    return "for (%s %s = %d; %s <= %s; %s++)" % (s["counter"], v, low, v, end, v)


def weight(s, at, type_, floating):
    """(what is declared, the factor)"""
    kind, sizes = s["weight"], extents(s)
    if kind in ("local", "static"):
        dims = "".join("[%d]" % size for size in sizes)
        place = "".join("[%s - %d]" % (a, low) for a, low in zip(at, s["low"])).replace("- -", "+ ")
        declared = "%sconst %s weights%s = {%s};" % ("static " * (kind == "static"), type_, dims, ", ".join(s["weights"]))
        return declared, "weights%s * " % place
    if kind == "table":
        flat = "0"
        for a, low, size in zip(at, s["low"], sizes):
            flat = "(%s) * %d + (%s - %d)" % (flat, size, a, low)
        return "", "W[(%s) %% %d] * " % (flat.replace("- -", "+ "), TABLE)
    if kind == "distance":
        return "", "(%s)(%s + 1) * " % (type_, " + ".join("(%s) * (%s)" % (a, a) for a in at))
    return "", "(%s)%s * " % (type_, "0.125" if floating else "3") if kind else ""


def lines(s, type_, floating, cell):
    """What precedes a cell's value; it is in `sum` then. cell(offsets, in C) reads the grid."""
    at = offsets(s)
    declared, factor = weight(s, at, type_, floating)
    term = factor + cell(at)
    body = "{ %s term = %s; sum = term > sum ? term : sum; }" % (type_, term) if s["least"] else "sum += %s;" % term
    if s["skip"] == "centre":
        body = "if (%s) %s" % (" || ".join("%s != 0" % a for a in at), body)
    elif s["skip"] == "star":
        body = "if (%s <= 1) %s" % (" + ".join("(%s != 0)" % a for a in at), body)
    return [declared, "%s sum = %s;" % (type_, s["start"]), " ".join([head(s, d) for d in loops(s)] + [body])]


def smaller(s):
    """Sums with something less; first none."""
    if not s:
        return
    yield None
    for name, plain in (("reach", None), ("weight", None), ("skip", None), ("least", False), ("down", False), ("from", "low"), ("counter", "int"),
                        ("start", "0")):
        if s.get(name) != plain:
            yield dict(s, **{name: plain})
    if s["weight"] in ("local", "static"):
        return  # its weights are for these extents
    for d in range(len(s["low"])):
        if s["low"][d] < 0:
            yield dict(s, low=s["low"][:d] + [s["low"][d] + 1] + s["low"][d + 1:])
        if s["high"][d] > 0:
            yield dict(s, high=s["high"][:d] + [s["high"][d] - 1] + s["high"][d + 1:])
