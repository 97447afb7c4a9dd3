#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts which kernels of CUDA files are recognised, and which are blocked, reordered or unrolled, with the reasons of the rest.

  kernels.py FILE.bc...      modules of device code, as clang's front end leaves them

A line a kernel: file | kernel | recognised, or why not | the gains that counts expect of blocking it, with neighbours from L1, from
scratchpad and from registers | what was done | if nothing was, why.

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


CACHES = ("GainL1", "GainScratchpad", "GainRegisters")


def least_gain():
    """From which expected gain on the model blocks a kernel."""
    source = open(os.path.join(HERE, "..", "..", "lib", "plan", "block", "block.c")).read()
    return float(re.search(r"\bleast_gain = ([\d.]+)", source)[1])


def text_of(remark):
    found = re.findall(r"^  - (?!Reason)\w+: +('(?:[^']|'')*'|\S.*)$", remark, re.M)
    return "".join(t[1:-1].replace("''", "'") if t.startswith("'") else t for t in found)


WORTH = least_gain()


class Became:
    """What became of a kernel."""

    def __init__(self):
        self.done, self.name, self.why, self.gains = "", "", "", []

    def take(self, kind, name, remark):
        if name == "BlockModel" and not self.gains:
            self.gains = [float(re.search(key + r": +'([\d.]+)'", remark)[1]) for key in CACHES]
        elif kind == "Passed" and name in DONE:
            self.done = DONE[name]
        elif kind == "Missed" and name.startswith("Kernel"):
            self.name, self.why = name, text_of(remark).replace("kernel left as it is: ", "")

    def expected(self):
        return bool(self.gains) and self.gains[0] >= WORTH


def changes(record):
    """[(function, what became of it)], in the module's order, from a record of remarks. Other passes have remarks there, too."""
    found = {}
    for remark in open(record).read().split("--- !")[1:]:
        name, function = re.search(r"^Name: +(\S+)", remark, re.M)[1], re.search(r"^Function: +'?(.*?)'?$", remark, re.M)[1]
        if re.search(r"^Pass: +stencil$", remark, re.M):
            found.setdefault(function, Became()).take(remark.split()[0], name, remark)
    return list(found.items())


def take(done, name):
    """What became of the next kernel of this name: instances of a template have the same."""
    name = name.split("::")[-1]
    for i, (function, became) in enumerate(done):
        if function == name or re.search(r"\d%s(?!\w*\d%s)" % (name, name), function):
            del done[i]
            return became
    return Became()


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


def line_of(module, name, refused, became):
    gains = " ".join("%.2f" % g for g in became.gains) or "-"
    why = "" if became.done or refused else "%s: %s" % (became.name, became.why) if became.name else ""
    return " | ".join((os.path.basename(module)[:-3], name, refused or "recognised", gains, became.done or "-", why))


def count_kernel(count, reasons, refused, became):
    count["kernels"] += 1
    count["recognised"] += not refused
    count["blocked, reordered or unrolled"] += bool(became.done)
    if refused:
        reasons[refused.split(":")[0]] += 1
        return
    count["expected to gain by counts"] += became.expected()
    count["of these blocked, reordered or unrolled"] += became.expected() and bool(became.done)
    measured = became.expected() and not became.done and ", but: " in became.why
    count["of these left because of a measurement"] += measured
    reasons[became.why.split(", but: ")[-1].split(": measured")[0].rstrip(")") if measured else ""] += measured


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("modules", nargs="+")
    p.add_argument("--plugin", default=PLUGIN)
    p.add_argument("--opt", default="opt-22")
    options = p.parse_args()
    reasons, count = collections.Counter(), collections.Counter()
    for module in options.modules:
        for name, refused, became in kernels(options, module):
            count_kernel(count, reasons, refused, became)
            print(line_of(module, name, refused, became))
    print(", ".join("%s %d" % item for item in count.items()))
    for reason, number in reasons.most_common():
        if number:
            print("%5d %s" % (number, reason))


if __name__ == "__main__":
    main()
