# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans as the compiler writes them, the plans next to one, and profiles (docs/tuning.md)."""

import itertools
import os
import re

FIELDS = {  # of a line in a .plan file
    "bt": r"\bbT (\d+)", "tile": r"\btile (\d+(?:x\d+)?)", "warps": r"(\d+) warps", "cells": r"(\d+) cells",
    "rows": r"(\d+) rows", "prefetch": r"prefetch (\d+)", "scratchpad": r"scratchpad (\d+)",
    "predicted": r"predicted ([\d.]+) GCell", "bound": r"GCell\S*/s by ([\w ]+)",
    "lanes": r"(\d+) lanes", "registers": r"with (\d+) registers",
    "held": r"(\d+) blocks a processor",
    "block": r"block (\d+x\d+x\d+)",
}


def parse_plan(text):
    """A dictionary a kernel, with the fields that its line has."""
    kernels = []
    for line in text.splitlines():
        name, colon, rest = line.partition(": ")
        if colon:
            found = {key: re.search(pattern, rest) for key, pattern in FIELDS.items()}
            kernel = {key: m.group(1) for key, m in found.items() if m}
            for key, value in kernel.items():
                if re.fullmatch(r"[\d.]+", value):
                    kernel[key] = float(value) if "." in value or key == "predicted" else int(value)
            kernels.append(dict(kernel, name=name, bt=kernel.get("bt", 1), blocked="bt" in kernel))
    return kernels


def main_kernel(kernels):
    """The one that does nearly all steps: of greatest degree, or the only one."""
    return max(kernels, key=lambda k: (k["blocked"], k["bt"]))


# ---- what a build made ------------------------------------------------------------------------

def read_saved(folder):
    """{region: {"model": .., "kernels": [..]}} of what option save-temps wrote. A region that several files have, such as
    one of a header, is there once."""
    found = {}
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".profile"):
            continue
        with open(os.path.join(folder, name)) as file:
            where, model = (line.split(None, 1)[1].strip() for line in file.read().strip().splitlines())
        with open(os.path.join(folder, name[:-len("profile")] + "plan")) as file:
            found.setdefault(where, {"model": model, "kernels": parse_plan(file.read())})
    return found


def shape(kernel):
    """What tells plans apart."""
    return tuple(sorted((k, v) for k, v in kernel.items() if k not in ("name", "predicted", "bound", "held")))


# ---- plans to try -----------------------------------------------------------------------------

NEAR = {  # option: values next to one, the nearest first
    "bt": lambda v: [v - 1, v + 1, v - 2, v + 2, v - 3, v + 3, v // 2],
    "cells": lambda v: [2 * v, v // 2],
    "rows": lambda v: [v + 1, v - 1, 2 * v],
    "warps": lambda v: [2 * v, v // 2],
    "prefetch": lambda v: [2 * v, v // 2],
}
MOST = {"bt": 64, "cells": 128, "rows": 8, "warps": 32, "prefetch": 16}
PAIRS = (("bt", "warps"), ("bt", "cells"), ("bt", "rows"), ("cells", "warps"))


def values_near(kernel, option):
    found = []
    for value in NEAR[option](kernel[option]) if option in kernel else []:
        least = 2 if option in ("bt", "prefetch") else 1
        if least <= value <= MOST[option] and value != kernel[option] and value not in found:
            found.append(value)
    return found


def near(kernel, most):
    """At most so many sets of options for plans next to this one: first those that differ in one option, in turns,
    then those that differ in two."""
    if not kernel["blocked"]:
        return []
    options = [o for o in NEAR if not (o == "rows" and kernel.get("rows", 1) == 1 and "x1" in str(kernel.get("tile")))]
    each = [[{o: v} for v in values_near(kernel, o)] for o in options]
    found = [one for turn in itertools.zip_longest(*each) for one in turn if one]
    pairs = [[{a: x, b: y} for x, y in itertools.product(values_near(kernel, a)[:3], values_near(kernel, b)[:2])]
             for a, b in PAIRS if a in options and b in options]
    found += [one for turn in itertools.zip_longest(*pairs) for one in turn if one]
    return found[:most]


def combined(measured):
    """Sets of options that were faster alone than none, together: `measured` is [(options, seconds)], that of no
    options first. All of them, then all but one."""
    none, best = measured[0][1], {}
    for options, seconds in measured[1:]:
        if len(options) == 1 and seconds < none:
            option, value = next(iter(options.items()))
            best[option] = min(best.get(option, (seconds, value)), (seconds, value))
    faster = {option: value for option, (_, value) in best.items()}
    sets = [faster] + [{o: v for o, v in faster.items() if o != out} for out in faster if len(faster) > 2]
    known = [options for options, _ in measured]
    return [one for one in sets if len(one) > 1 and one not in known]


def launches(bt, grid, rank):
    """Sets of the runtime's options for a region that ran with this degree. The number of planes of a chunk is given
    for grids that stream."""
    degrees = [d for d in (bt // 2, bt // 4) if d >= 1] if bt > 1 else []
    chunks = [c for c in (32, 64, 128) if rank > 1 and bt > 1 and 2 * c <= grid[rank - 1]]
    return [{"max-bt": d} for d in degrees] + [{"chunk": c} for c in chunks]


# ---- profiles ---------------------------------------------------------------------------------

def words(options):
    return ";".join("%s=%s" % item for item in options.items())


def profile_text(regions, comment=()):
    """`regions`: {name: {"model": .., "compile": {..}, "run": {..}}}; what is empty is left out."""
    lines = ["stencilopt-profile 1"] + ["# " + c.replace("\n", " ") for c in comment]
    for where in sorted(regions):
        one = regions[where]
        lines.append("region " + where)
        if one.get("model"):
            lines.append("  model " + one["model"])
        for key in "compile", "run":
            if one.get(key):
                lines.append("  %s %s" % (key, words(one[key])))
    return "\n".join(lines) + "\n"
