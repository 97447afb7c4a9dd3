# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random expressions of a cell. A node is [kind, template, child...]: kind 'f' (floating point) or
'i' (integer), the template in C with {0}, {1}, ... for the children and $T for the cells' type, $S
for the suffix of its library functions. ["f", "@", grid, [offset...]] reads a neighbour.

Nothing that they compute is undefined: build with -fwrapv; shifts, divisors and conversions to
integers are kept in range."""

COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
FLOATS = 6 * ["({0} + {1})"] + 5 * ["({0} - {1})"] + 5 * ["({0} * {1})"] + [
    "({0} / {divisor})", "({0} / {divisor})", "({0} / ($T)(1 + {1} * {1}))", "sqrt$S({0} * {0} + ($T)0.25)",
    "({0} {less} {1} ? {2} : {3})", "({0} < {1} ? {0} : {1})", "({0} > {1} ? {0} : {1})", "fabs$S({0})", "(-{0})",
    "fma$S({0}, {1}, {2})", "({weight} * {0})", "({weight} * {0})", "(($T){i0})", "({i0} ? {0} : {1})", "(float)({0})",
    "(double){0}", "copysign$S({0}, {1} == {1} ? {1} : ($T)1)", "floor$S({0})",
    "fmax$S({0} - {1}, {2} * {0})", "fmin$S({0}, {1} + {2})", "fmax$S({0}, 0)", "fmin$S({0}, 0)",
    "fmin$S({0}, fmax$S({1} - {0}, 0))", "fmax$S(fabs$S({0}), {1} - {2})"]
INTS = 5 * ["({0} + {1})"] + 3 * ["({0} - {1})"] + 2 * ["({0} * {1})"] + [
    "({0} & {1})", "({0} | {1})", "({0} ^ {1})", "({0} >> {shift})", "({0} << {shift})", "((unsigned){0} >> {shift})",
    "({0} {less} {1} ? {2} : {3})", "({0} {less} {1})", "({0} < {1} ? {0} : {1})", "({0} > {1} ? {0} : {1})",
    "(({type}){0})", "({0} / {divisor})", "({0} % {divisor})", "({0} / (({1} & 7) + 1))", "(~{0})", "({0} & {mask})",
    "({0} == {1} || ({2} {less} {3} && {0}))", "(!{0})", "((uint64_t){0} * {1})", "((int64_t){0} - {1})"]
FLOAT_TO_INT = ["({f0} > -1000 && {f0} < 1000 ? (int){f0} : 7)", "({f0} {less} {f1})"]
TYPES = ("int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t")
MOST_TEXT = 3000  # characters, since some templates repeat a child


def size(node):
    return 1 if node[1] == "@" else 1 + sum(map(size, node[2:]))


def taps(node):
    if node[1] == "@":
        return [node]
    return [t for child in node[2:] for t in taps(child)]


def text(node, tap):
    """In C; tap(grid, offset) names a neighbour."""
    if node[1] == "@":
        return tap(node[2], node[3])
    return node[1].format(*(text(child, tap) for child in node[2:]))


def constants(rng, kind):
    if kind == "f":
        return "($T)%s" % rng.choice(("0.25", "0.5", "-0.75", "1", "2", "0.1", "0.333", "1e-3", "3", "0.0"))
    return "(%d)" % rng.choice((0, 1, 2, 3, 5, 7, 100, 127, 128, 255, 300, -1, -3, -128, 65535))


class Draw:
    """leaves: what a leaf may be besides a constant, [(kind, function that draws a node)]."""

    def __init__(self, rng, leaves, floating):
        self.rng, self.leaves, self.floating = rng, leaves, floating

    def leaf(self, kind):
        some = [draw for k, draw in self.leaves if k == kind]
        if not some or self.rng.random() < 0.12:
            return [kind, constants(self.rng, kind)]
        return self.rng.choice(some)()

    def node(self, kind, depth):
        if depth <= 0:
            return self.leaf(kind)
        rng = self.rng
        forms = FLOATS if kind == "f" else INTS + FLOAT_TO_INT * self.floating
        form = rng.choice(forms)
        divisors = ("3", "118", "7", "0.3", "2") if kind == "f" else ("2", "3", "5", "7", "10", "-3")
        form = form.replace("{divisor}", ("($T)" if kind == "f" else "") + rng.choice(divisors))
        for name, values in (("less", COMPARISONS), ("shift", "12345"), ("type", TYPES),
                             ("weight", ("($T)0.2", "($T)-0.3", "($T)1.5", "2")), ("mask", ("1", "3", "15", "255", "85"))):
            form = form.replace("{%s}" % name, rng.choice(values))
        children, given = [], []
        for name, other in (("{0}", kind), ("{1}", kind), ("{2}", kind), ("{3}", kind), ("{i0}", "i"), ("{f0}", "f"),
                            ("{f1}", "f")):
            if name in form:
                given.append((name, "{%d}" % len(children)))
                children.append(self.node(other, depth - 1 - (rng.random() < 0.35)))
        for name, number in given:
            form = form.replace(name, number)
        return [kind, form] + children


def draw(rng, leaves, kind, floating):
    d = Draw(rng, leaves, floating)
    while True:
        node = d.node(kind, rng.choice((1, 2, 2, 3, 3, 4)))
        if len(text(node, lambda *_: "A[i][j]")) < MOST_TEXT:
            return node


def smaller(node):
    """Expressions with a part less, the greatest cuts first."""
    if node[1] != "@":
        for child in node[2:]:
            if child[0] == node[0]:
                yield child
    if size(node) > 1:
        yield [node[0], "($T)1" if node[0] == "f" else "1"]
    elif node[1] == "@":
        for d, o in enumerate(node[3]):
            if o:
                yield node[:3] + [node[3][:d] + [o // 2 if o > 0 else -(-o // 2)] + node[3][d + 1:]]
    if node[1] != "@":
        for n, child in enumerate(node[2:], 2):
            for less in smaller(child):
                yield node[:n] + [less] + node[n + 1:]
