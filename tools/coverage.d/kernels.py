#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts which kernels of CUDA files are recognised, and which are blocked, reordered or unrolled, with the reasons of the rest.

  kernels.py FILE.bc...      modules of device code, as clang's front end leaves them

A module of a file, compiled against the toolkit:

  clang++-22 -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 --cuda-path=/usr/local/cuda -O3 -gline-tables-only \\
    -Xclang -disable-llvm-passes -emit-llvm -c FILE.cu -o FILE.bc"""

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.join(HERE, "..", "..", "build", "lib", "libstencilopt.so")
LINE = re.compile(r"(no )?stencil in (?:\S+ \()?([^()]+)\)?: (?:rank|(\w+): (.*))")


def run(options, module, *more):
    words = [options.opt, "-load-pass-plugin=" + options.plugin, "-disable-output", module, *more]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s: %s" % (module, done.stderr[-500:]))
    return done.stdout + done.stderr


DONE = {"Blocked": "blocked", "ThreadOrder": "reordered", "Unrolled": "unrolled"}


def changes(record):
    """[(function, what was done to it, or why nothing)], in the module's order, from a record of remarks. Other passes have
    remarks there, too."""
    found = {}
    for remark in open(record).read().split("--- !")[1:]:
        name, function = re.search(r"^Name: +(\S+)", remark, re.M)[1], re.search(r"^Function: +'?(.*?)'?$", remark, re.M)[1]
        if remark.startswith("Passed") and name in DONE:
            found[function] = DONE[name]
        elif remark.startswith("Missed") and name.startswith("Kernel") and found.get(function) not in DONE.values():
            found[function] = name
    return list(found.items())


def take(done, name):
    """What became of the next kernel of this name: instances of a template have the same."""
    name = name.split("::")[-1]
    for i, (function, became) in enumerate(done):
        if function == name or re.search(r"\d%s(?!\w*\d%s)" % (name, name), function):
            del done[i]
            return became
    return ""


def kernels(options, module):
    """(name, reason why it is not recognised or "", what became of it)"""
    with tempfile.TemporaryDirectory() as folder:
        record, early = os.path.join(folder, "record"), os.path.join(folder, "early.ll")
        with open(early, "w") as out:  # what the plugin's passes get in clang's pipeline
            out.write(run(options, module, "-passes=thinlto-pre-link<O3>", "-print-before=stencil-remap", "-print-module-scope"))
        run(options, early, "-passes=stencil-remap,stencil-block", "-pass-remarks-output=" + record)
        done = changes(record)
        stencils = run(options, early, "-passes=print<stencil>")
    for line in stencils.splitlines():
        match = LINE.match(line)
        if match:
            missed, name, reason, sentence = match.groups()
            yield name, "%s: %s" % (reason, sentence) if missed else "", take(done, name)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("modules", nargs="+")
    p.add_argument("--plugin", default=PLUGIN)
    p.add_argument("--opt", default="opt-22")
    options = p.parse_args()
    reasons, count = collections.Counter(), collections.Counter()
    for module in options.modules:
        for name, refused, became in kernels(options, module):
            count["kernels"] += 1
            count["recognised"] += not refused
            count["blocked, reordered or unrolled"] += became in DONE.values()
            reasons[refused.split(":")[0]] += bool(refused)
            print("%s | %s | %s | %s" % (os.path.basename(module)[:-3], name, refused or "recognised", became))
    print(", ".join("%s %d" % item for item in count.items()))
    for reason, number in reasons.most_common():
        if number:
            print("%5d %s" % (number, reason))


if __name__ == "__main__":
    main()
