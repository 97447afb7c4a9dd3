# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All kinds of random functions in C: of one statement (programs.py) and of several actions in a time step
(steps.py). A function is a dict of plain values."""

import programs
import steps

STEPS = 0.4  # of all functions


def module(spec):
    return steps if spec["form"] == "steps" else programs


def draw(rng):
    return (steps if rng.random() < STEPS else programs).draw(rng)


def labels(spec):
    return module(spec).labels(spec)


def smaller(spec):
    return module(spec).smaller(spec)


def write(specs):
    """A file of functions: [(number, spec)]."""
    parts = ['#include "run.h"\n']
    for number, spec in specs:
        writer = module(spec).Writer(spec, number)
        parts += [writer.function(), writer.call()]
    rows = ",\n".join(programs.table(spec, number) for number, spec in specs)
    parts.append("const struct function P(functions)[] = {\n%s};\n" % rows)
    parts.append("const int P(count) = %d;\n" % len(specs))
    return "\n".join(parts)
