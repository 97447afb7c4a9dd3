#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random stencil functions in C (programs.py, steps.py), built plain and with the plugin under a random plan, run
on the simulator and compared byte for byte. What fails is reduced and saved.

  test/random/hosts.py --seed 5 --count 20       20 files of functions
  test/random/hosts.py --case FILE.json          a saved case again; --source writes its C
  test/random/hosts.py --device-flags=-ffast-math    finds what that changes
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
import functions  # noqa: E402

FUNCTIONS = 50  # of a file
FLAGS = ["-w", "-ffp-contract=off", "-fwrapv", "-fPIC", "-fopenmp"]


def draw_plan(rng):
    """Mostly little code: what is compiled, for the GPU and for the simulator, takes nearly all of the time."""
    if rng.random() < 0.1:
        return {"STENCILOPT_BT": str(rng.choice((5, 7, 10, 16)))} if rng.random() < 0.5 else {}
    plan = {"BT": rng.choice((1, 1, 2, 2, 3, 4))}
    if rng.random() < 0.7:
        drawn = {"CELLS": rng.choice([c for c in (2, 4, 8, 16) if c * plan["BT"] <= 16]), "WARPS": rng.randint(1, 8),
                 "PREFETCH": rng.choice((2, 3, 4)), "UNROLL": rng.choice((1, 1, 2)), "ROWS": rng.randint(1, 3)}
        plan.update({name: drawn[name] for name in rng.sample(sorted(drawn), rng.choice((1, 1, 2, 3, 5)))})
    if plan["BT"] * plan.get("CELLS", 4) * plan.get("ROWS", 1) > 16:
        plan["ROWS"] = 1
    return {"STENCILOPT_" + name: str(value) for name, value in plan.items()}


def draw_config(rng):
    """What is given once for all functions of a file: compiler options and a plan."""
    compile_ = {}
    if rng.random() < 0.25:
        compile_["STENCILOPT_ARCH"] = rng.choice(("gfx90a", "gfx942", "gfx1100", "gfx1030", "sm_75", "sm_90", "sm_80+gfx1201"))
    compile_.update(draw_plan(rng))
    run = {}
    if rng.random() < 0.9:
        # What the simulator does not need; and what it can do without where kernels are small: code that
        # is not optimised keeps all values on the stacks of its threads, which have 256 KB.
        compile_["STENCILOPT_CODE"] = "0"
        if int(compile_.get("STENCILOPT_BT", "16")) <= 7:
            run["STENCILOPT_SIM_OPTIMISE"] = "0"
    if rng.random() < 0.85:
        run["STENCILOPT_MAX_BT"] = rng.choice(("1024", "1024", "1024", "1024", "1024", "1", "2", "3"))
    if rng.random() < 0.4:
        run["STENCILOPT_CHUNK"] = str(rng.randint(1, 24))
    flags = [rng.choice(("-O2", "-O2", "-O2", "-O3", "-O1", "-Os"))]
    flags += ["-fno-math-errno"] * (rng.random() < 0.8) + ["-fno-strict-aliasing"] * (rng.random() < 0.2)
    return {"flags": flags, "compile": compile_, "run": run}


def draw_devices(rng):
    """Grids that do not fit, and devices that share them. Drawn last: what is drawn before stays as it was."""
    run = {}
    if rng.random() < 0.3:
        run["STENCILOPT_DEVICE_MEMORY"] = rng.choice(("3K", "8K", "15K", "30K", "100K"))
    if rng.random() < 0.3:
        run["STENCILOPT_DEVICES"] = rng.choice(("2", "3", "5", "all", "1+0"))
        run["STENCILOPT_SIM_DEVICES"] = str(rng.choice((2, 3, 5, 8)))
    return run


def draw_shares(rng, run):
    """Drawn last, as devices."""
    if rng.random() < 0.3 and "STENCILOPT_DEVICES" in run:
        run["STENCILOPT_SHARES"] = "+".join(str(rng.choice((1, 1, 2, 3, 7, 40))) for _ in range(rng.randint(1, 8)))


def draw_layout(rng):
    """Drawn last, as devices."""
    drawn = {"STENCILOPT_LAYOUT": "brick"} if rng.random() < 0.15 else {}
    if drawn:
        drawn["STENCILOPT_BRICK"] = rng.choice(("0", "0", "4x4x4", "8x4", "8x8x8", "32x2x2", "4x32"))
        drawn["STENCILOPT_FOLD"] = rng.choice(("0", "0", "8x4", "4x4x2", "16x2", "1x32", "2x2x8"))
    if rng.random() < 0.2:
        drawn["STENCILOPT_SHUFFLE"] = "1"
    if rng.random() < 0.3:  # steps of several sweeps are cut into parts
        drawn["STENCILOPT_GROUP"] = rng.choice(("1", "1", "2", "2", "3", "4"))
    return drawn


def draw_chip(rng, config):
    """Drawn last, as devices: grids that stay on chip, whose kernels are large."""
    if rng.random() >= 0.1:
        return
    config["compile"] = {"STENCILOPT_ARCH": "sm_90", "STENCILOPT_CODE": "0", "STENCILOPT_ON_CHIP": "1", "STENCILOPT_BT": str(rng.choice((1, 2)))}
    config["run"].pop("STENCILOPT_SIM_OPTIMISE", None)
    if rng.random() < 0.5:
        config["run"]["STENCILOPT_SIM_ORDER"] = str(rng.randint(1, 99))


def draw_calls(rng, run):
    """Drawn last: each function is called some times, so that arrays may stay on the devices."""
    if rng.random() < 0.3:
        run["RANDOM_CALLS"] = str(rng.choice((2, 2, 3)))


def draw_file(seed, number, device="sim"):
    rng = random.Random("hosts %d %d" % (seed, number))
    case = {"config": draw_config(rng), "functions": [functions.draw(rng) for _ in range(FUNCTIONS)]}
    case["config"]["run"].update(draw_devices(rng))
    case["config"]["compile"].update(draw_layout(rng))
    draw_chip(rng, case["config"])
    draw_shares(rng, case["config"]["run"])
    draw_calls(rng, case["config"]["run"])
    return case if device == "sim" else on_gpu(case, device)


def on_gpu(case, device):
    """Not what only the simulator takes: code for its maker's GPUs, and small grids blocked where that would not pay."""
    compile_ = {k: v for k, v in case["config"]["compile"].items() if k != "STENCILOPT_CODE"}
    arch = compile_.get("STENCILOPT_ARCH", "").startswith("sm_75")
    compile_["STENCILOPT_ARCH"] = "gfx90a" if device == "hip" else "sm_75" if arch else "sm_90"
    run = {"STENCILOPT_MAX_BT": "1024", **case["config"]["run"]}
    return dict(case, config=dict(case["config"], on=device, compile=compile_, run=run))


class Build:
    """A file of functions on its way to a program."""

    def __init__(self, tools, folder, case):
        self.tools, self.folder, self.case = tools, folder, case

    def path(self, name):
        return os.path.join(self.folder, name)

    def object(self, prefix, extra, environment):
        words = [self.tools.clang, *self.tools.flags, *FLAGS, *self.case["config"]["flags"], "-I", common.HERE, "-DPREFIX=" + prefix, *extra,
                 "-c", self.path("functions.c"), "-o", self.path(prefix + ".o")]
        return common.call(words, environment)

    def build(self):
        """What went wrong, or None."""
        with open(self.path("functions.c"), "w") as file:
            file.write(functions.write(list(enumerate(self.case["functions"]))))
        status, _, errors = self.object("plain_", [], {})
        if status:
            return "generator: the plain program does not compile: " + common.last_lines(errors)
        status, _, errors = self.object("device_", ["-fpass-plugin=" + self.tools.plugin, *self.case["config"].get("device", [])],
                                        self.case["config"]["compile"])
        if status:
            return "the compiler failed with the plugin (%s): %s" % (status, common.last_lines(errors))
        words = [self.tools.lld, "-shared", self.path("plain_.o"), self.path("device_.o"), "-o", self.path("library.so")]
        status, _, errors = common.call(words)
        return "it does not link: " + common.last_lines(errors) if status else None

    def run(self, first=0):
        environment = dict(self.case["config"]["run"], STENCILOPT_DEVICE=self.case["config"].get("on", "sim"), STENCILOPT_REPORT="each")
        words = [os.path.join(self.tools.build, "bin", "random-run"), self.path("library.so"), str(first)]
        return common.call(words, environment, limit=1200)


def faults(build, counts):
    """Runs all functions, on after one that crashes: [(number, what is wrong)]."""
    found, first, last = [], 0, len(build.case["functions"])
    while first < last:
        status, out, errors = build.run(first)
        count_reports(build.case["functions"], errors, counts)
        lines = out.splitlines()
        counts["runs"] += sum(l.startswith("ok ") or " FAIL " in l for l in lines)
        for line in lines:
            if " FAIL " in line:
                text, _, which = line.strip().partition(" FAIL ")
                found.append((int(which.split()[0]), text))
        if status in (0, 1):
            break
        if status == 2:
            return [(None, "generator: " + common.last_lines(errors))]
        phase, number = lines[-1].split()[:2] if lines else ("plain", "0")
        said = "generator: the plain program crashed" if phase == "plain" else "the program crashed"
        found.append((int(number), "%s (status %s): %s" % (said, status, "; ".join(errors.splitlines()[-3:]))))
        first = int(number) + 1
    return found


def count_reports(specs, errors, counts):
    """What became of the regions, and of which kinds of functions any ran on the device."""
    taken, at = set(), None
    for line in errors.splitlines():
        if line.startswith("function "):
            at = int(line.split()[1])
        elif "GCells/s" in line:
            counts["on the device"] += 1
            counts["in slabs"] += " slabs in " in line
            counts["shared"] += "shared by" in line
            counts["kept"] += " kept on the device" in line
            counts["blocked"] += "a thread a cell" not in line
            taken.add(at)
        elif "original loop" in line:
            counts["declined: " + re.sub(r"\d+", "N", line.split(":")[-1].strip())[:70]] += 1
    for number in taken:
        for label in functions.labels(specs[number]):
            counts["taken: " + label] += 1


def run_case(tools, folder, case, counts):
    """What is wrong with a file: [(number or None, text)]."""
    build = Build(tools, folder, case)
    wrong = build.build()
    if wrong:
        return [(None, wrong)]
    return faults(build, counts)


def smaller(case):
    """Files with fewer functions, then functions and plans with less."""
    every, config = case["functions"], case["config"]
    if len(every) > 1:
        half = len(every) // 2
        yield dict(case, functions=every[:half])
        yield dict(case, functions=every[half:])
        return
    for part in "compile", "run":
        for name in config[part]:
            less = {k: v for k, v in config[part].items() if k != name}
            yield dict(case, config=dict(config, **{part: less}))
    if config["flags"] != ["-O2", "-fno-math-errno"]:
        yield dict(case, config=dict(config, flags=["-O2", "-fno-math-errno"]))
    for less in functions.smaller(every[0]):
        yield dict(case, functions=[less])


def report(o, tools, folder, name, case, text):
    """Reduces and saves a failing case."""
    generator = "generator" in text

    def fails(less):
        found = run_case(tools, folder, less, collections.Counter())
        return any(("generator" in t) == generator for _, t in found)
    if fails(case):
        case, tried = common.reduce(case, smaller, fails, o)
        text += " (reduced in %d runs)" % tried
    path = common.save(o.failures, name, case)
    print("FAILED %s: %s\n  again: %s" % (name, text, common.again("hosts.py", path, o)), flush=True)


def batch(o, tools, folder, number, counts):
    case = draw_file(o.seed, number, o.device)
    case["config"]["device"] = o.device_flags.split()
    found = run_case(tools, folder, case, counts)
    counts["functions"] += len(case["functions"])
    for spec in case["functions"]:
        counts.update("drawn: " + label for label in functions.labels(spec))
    for function, text in found[:3]:
        some = case["functions"] if function is None else [case["functions"][function]]
        where = "all" if function is None else str(function)
        report(o, tools, folder, "host-%d-%d-%s" % (o.seed, number, where), dict(case, functions=some), text)
    return len(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.add_options(parser)
    parser.add_argument("--device", default="sim", help="cuda or hip, where there is one (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first batch")
    parser.add_argument("--source", action="store_true", help="with --case: writes the C program and the options")
    parser.add_argument("--device-flags", default="", help="more options for the build with the plugin alone")
    o = parser.parse_args()
    tools, counts, failures = common.Tools(o), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        if o.case:
            case = json.load(open(o.case))
            if o.source:
                return print(functions.write(list(enumerate(case["functions"]))), json.dumps(case["config"]))
            found = run_case(tools, folder, case, counts)
            print(*("FAILED: %s" % text for _, text in found), sep="\n")
            common.finish("1 case", len(found))
        for number in range(o.first, o.first + o.count):
            if common.time_is_up(o):
                break
            failures += batch(o, tools, folder, number, counts)
    common.print_counts(counts)
    common.finish("hosts, seed %d, %d files" % (o.seed, o.count), failures)


if __name__ == "__main__":
    main()
