# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Families of random sweeps in C (stress.h): one rank and one type each. A set has three of them."""

import random

TYPES = (("float", "f"), ("double", "d"), ("uint32_t", "i"))
AXES = ("x", "y", "z")
FAMILIES = 3


def offsets(rng, rank, radius):
    """Neighbours as (dz, dy, dx), the cell itself among them."""
    taps = {(0, 0, 0)}
    for axis in range(rank):
        for distance in range(1, radius + 1):
            for sign in (-1, 1):
                if rng.random() < 0.8:
                    taps.add(tuple(sign * distance if a == axis else 0 for a in (2, 1, 0)))
    if rank > 1 and rng.random() < 0.3:
        taps.add((0, 1, 1))
    return sorted(taps)


def cell(array, tap):
    dz, dy, dx = tap
    return "%s[((z + %d) * s->ny + y + %d) * s->pitch + x + %d]" % (array, dz, dy, dx)


def expression(rng, type_, array, taps):
    if type_ == "uint32_t":
        return " + ".join("%du * %s" % (rng.randint(1, 9), cell(array, t)) for t in taps)
    weights = [rng.randint(1, 9) for _ in taps]
    suffix = "f" if type_ == "float" else ""
    scale = sum(weights) * rng.choice((1.0, 1.0, 1.25))
    return " + ".join("%#.9g%s * %s" % (w / scale, suffix, cell(array, t)) for w, t in zip(weights, taps))


def nest(rank, radius, to, text, indent="    "):
    """The loops of one sweep, of rank dimensions; to: what each cell becomes, or is changed by."""
    lines, depth = [], indent
    for axis in ("z", "y", "x")[3 - rank:]:
        lines.append("%sfor (long %s = %d; %s < s->n%s - %d; %s++)" % (depth, axis, radius, axis, axis, radius, axis))
        depth += "    "
    lines.append("%s%s %s;" % (depth, cell(to, (0, 0, 0)), text))
    return "\n".join(lines)


class Family:
    def __init__(self, rng, number):
        self.rng, self.number = rng, number
        self.rank = rng.choice((1, 2, 2, 2, 3))
        self.type, self.letter = rng.choice(TYPES[:2] * 2 + TYPES[2:])
        self.radius = rng.choice((1, 1, 2))

    def weights(self, array):
        return expression(self.rng, self.type, array, offsets(self.rng, self.rank, self.radius))

    def name(self, form):
        return "sweep_%d_%d" % (self.number, form)

    def head(self, form, steps=False):
        zeros = "".join("    const long %s = 0;\n" % a for a in ("y", "z") if AXES.index(a) >= self.rank)
        return ("static __attribute__((noinline)) void %s(const struct shape *s,%s %s *restrict to,\n"
                "        %s%s *restrict from) {\n%s" % (self.name(form), " long steps," if steps else "", self.type,
                                                     "" if steps else "const ", self.type, zeros))

    def loop(self, body):
        return "    for (long t = 0; t < steps; t++) {\n%s\n    }\n}\n" % body

    def single(self, form):
        """A region a step; who calls it exchanges the arrays."""
        text = self.head(form) + nest(self.rank, self.radius, "to", "= " + self.weights("from")) + "\n}\n"
        call = ("    for (long t = 0; t < steps; t++) {\n        %s(s, arrays[1], arrays[0]);\n        void *other = arrays[0];\n"
                "        arrays[0] = arrays[1];\n        arrays[1] = other;\n    }" % self.name(form))
        return text, call if form else "    %s(s, arrays[1], arrays[0]);\n    (void)steps;" % self.name(form)

    def exchanged(self, form):
        """All steps in one region, with pointers that are exchanged."""
        body = nest(self.rank, self.radius, "to", "= " + self.weights("from"), "        ")
        body += "\n        %s *other = from;\n        from = to;\n        to = other;" % self.type
        call = ("    %s(s, steps, arrays[2], arrays[3]);\n    if (steps & 1) {\n        void *other = arrays[2];\n"
                "        arrays[2] = arrays[3];\n        arrays[3] = other;\n    }" % self.name(form))
        return self.head(form, True) + self.loop(body), call

    def copied_back(self, form):
        body = nest(self.rank, self.radius, "to", "= " + self.weights("from"), "        ") + "\n"
        body += nest(self.rank, self.radius, "from", "= " + cell("to", (0, 0, 0)), "        ")
        return self.head(form, True) + self.loop(body), "    %s(s, steps, arrays[1], arrays[2]);" % self.name(form)

    def there_and_back(self, form):
        body = nest(self.rank, self.radius, "to", "= " + self.weights("from"), "        ") + "\n"
        body += nest(self.rank, self.radius, "from", "= " + self.weights("to"), "        ")
        return self.head(form, True) + self.loop(body), "    %s(s, steps, arrays[3], arrays[0]);" % self.name(form)

    def updates(self, form):
        """Each array is changed by differences of the other one."""
        step = "3u" if self.type == "uint32_t" else "0.1f" if self.type == "float" else "0.1"
        rise = "(%s - %s)" % (cell("%s", (0, 0, 1)), cell("%s", (0, 0, 0)))
        fall = "(%s - %s)" % (cell("%s", (0, 0, 0)), cell("%s", (0, 0, -1)))
        body = nest(self.rank, self.radius, "to", "+= %s * %s" % (step, rise % ("from", "from")), "        ") + "\n"
        body += nest(self.rank, self.radius, "from", "+= %s * %s" % (step, fall % ("to", "to")), "        ")
        return self.head(form, True) + self.loop(body), "    %s(s, steps, arrays[2], arrays[1]);" % self.name(form)

    def text(self):
        kinds = [self.single, self.single, *self.rng.sample((self.exchanged, self.copied_back, self.there_and_back, self.updates), 3)]
        parts = []
        for form, kind in enumerate(kinds):
            function, call = kind(form)
            parts.append(function + "\nstatic void run_%s(const struct shape *s, long steps, void **arrays) {\n%s\n}\n"
                         % (self.name(form), call))
        table = ", ".join("run_" + self.name(form) for form in range(len(kinds)))
        parts.append("static void (*const forms_%d[])(const struct shape *, long, void **) = {%s};\n" % (self.number, table))
        return "\n".join(parts)


def write(seed):
    """The C text of a set, and of each family rank and bytes of a cell."""
    rng = random.Random("stress sweeps %d" % seed)
    families = [Family(rng, number) for number in range(FAMILIES)]
    rows = ["    {%d, '%s', sizeof(%s), sizeof(forms_%d) / sizeof(forms_%d[0]), forms_%d},"
            % (f.rank, f.letter, f.type, f.number, f.number, f.number) for f in families]
    text = "#include \"stress.h\"\n\n%s\nconst struct family families[] = {\n%s\n};\nconst int family_count = %d;\n" % (
        "\n".join(f.text() for f in families), "\n".join(rows), len(families))
    return text, [{"rank": f.rank, "bytes": 8 if f.letter == "d" else 4} for f in families]
