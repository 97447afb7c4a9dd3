#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of hosts.py for a machine that has a GPU, Python and a C library, but no compiler: built here, run
there. A file runs with the settings that were drawn with it, then with others, as long as there is time. What differs
is printed and saved; hosts.py --case makes it smaller where clang is.

  test/random/carry.py --build-only DIR --device cuda --seed 5 --count 40      40 files of 50 functions
  test/random/carry.py --run-only DIR --jobs 12 --minutes 8
"""

import argparse
import collections
import concurrent.futures
import glob
import json
import os
import random
import shutil
import sys
import tempfile
import time
import types

sys.dont_write_bytecode = True
import common  # noqa: E402
import hosts  # noqa: E402

CARRIED = (("bin", "random-run"), ("lib", "libstencilrt.so"), ("lib", "libstencilsim.so"))


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.add_options(p)
    p.add_argument("--build-only", metavar="DIR")
    p.add_argument("--run-only", metavar="DIR")
    p.add_argument("--device", default="sim", help="sim, cuda or hip: what is built for (default: %(default)s)")
    p.add_argument("--minutes", type=float, help="(default: each file once)")
    p.add_argument("--jobs", type=int, default=1, help="files side by side (default: %(default)s)")
    o = p.parse_args()
    if bool(o.build_only) == bool(o.run_only):
        p.error("--build-only DIR or --run-only DIR")
    return o


# ---- building -------------------------------------------------------------------------------

def build_file(o, tools, number):
    case = hosts.draw_file(o.seed, number, o.device)
    case["config"]["compile"]["STENCILOPT_COMPRESS"] = "0"  # what is alike in files is packed with them
    with tempfile.TemporaryDirectory() as folder:
        build = hosts.Build(tools, folder, case)
        wrong = build.build()
        if wrong:
            sys.exit("seed %d, file %d: %s" % (o.seed, number, wrong))
        name = "host-%d-%d" % (o.seed, number)
        shutil.copy(build.path("library.so"), os.path.join(o.build_only, name + ".so"))
    common.save(o.build_only, name, case)


def build(o):
    tools = common.Tools(o)
    for folder, name in CARRIED:
        os.makedirs(os.path.join(o.build_only, folder), exist_ok=True)
        shutil.copy(os.path.join(tools.build, folder, name), os.path.join(o.build_only, folder, name))
    for number in range(o.count):
        if common.time_is_up(o):
            break
        build_file(o, tools, number)


# ---- running --------------------------------------------------------------------------------

def settings(case, name, turn):
    """Those of the case, then others."""
    config = case["config"]
    if turn == 0:
        return case
    rng = random.Random("carry %s %d" % (name, turn))
    run = {**config["run"], "STENCILOPT_MAX_BT": rng.choice(("1024", "1024", "1", "2", "3"))}
    run.pop("STENCILOPT_CHUNK", None)
    if rng.random() < 0.4:
        run["STENCILOPT_CHUNK"] = str(rng.randint(1, 24))
    if rng.random() < 0.5:
        run["STENCILOPT_RESIDENT"] = "off"
    return dict(case, config=dict(config, run=run))


def run_file(o, name, turn):
    """(counts, failures)"""
    path, counts = os.path.join(o.run_only, name), collections.Counter()
    with open(path + ".json") as file:
        case = settings(json.load(file), name, turn)
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(path + ".so", os.path.join(folder, "library.so"))
        found = hosts.faults(hosts.Build(types.SimpleNamespace(build=o.run_only), folder, case), counts)
    counts["functions"] += len(case["functions"])
    for function, text in found[:3]:
        some = case["functions"] if function is None else [case["functions"][function]]
        saved = common.save(o.failures, "%s-%s-%d" % (name, function, turn), dict(case, functions=some))
        print("FAILED %s, function %s: %s\n  again: %s" % (name, function, text, common.again("hosts.py", saved, o)), flush=True)
    return counts, len(found)


def turns(o):
    names = sorted(os.path.basename(p)[:-len(".so")] for p in glob.glob(os.path.join(o.run_only, "host-*.so")))
    turn = 0
    while names and (turn == 0 or o.minutes):
        yield from ((name, turn) for name in names)
        turn += 1


def run(o):
    o.run_only = os.path.abspath(o.run_only)
    common.CLEAN["STENCILOPT_RUNTIME"] = os.path.join(o.run_only, "lib", "libstencilrt.so")
    common.CLEAN["STENCILOPT_LIBSIM"] = os.path.join(o.run_only, "lib", "libstencilsim.so")
    end = time.time() + 60 * o.minutes if o.minutes else None
    counts, failures, files, source, pending = collections.Counter(), 0, 0, turns(o), set()
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        while True:
            while len(pending) < o.jobs and (end is None or time.time() < end):
                following = next(source, None)
                if following is None:
                    break
                pending.add(pool.submit(run_file, o, *following))
            if not pending:
                break
            done, pending = concurrent.futures.wait(pending, return_when=concurrent.futures.FIRST_COMPLETED)
            for some, wrong in (f.result() for f in done):
                counts, failures, files = counts + some, failures + wrong, files + 1
    print(common.shown(counts))
    common.finish("%d files" % files, failures or int(not counts["on the device"]))


def main():
    o = options()
    return build(o) if o.build_only else run(o)


if __name__ == "__main__":
    main()
