# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the random tests share: where the tools are, commands with a limit, and reducing."""

import json
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LONGEST = 300  # seconds of a command
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith("STENCILOPT_") or k == "STENCILOPT_RUNTIME"}


def add_options(parser):
    parser.add_argument("--build", default=os.path.join(HERE, "..", "..", "build"), help="the build folder")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22/bin", help="where clang and opt are")
    parser.add_argument("--seed", type=int, default=1, help="(default: %(default)s)")
    parser.add_argument("--count", type=int, default=1, help="batches (default: %(default)s)")
    parser.add_argument("--failures", default="random-failures", metavar="DIR", help="where failing cases are saved")
    parser.add_argument("--reduce", type=int, default=200, metavar="N",
                        help="runs to spend on making a failing case smaller (default: %(default)s)")
    parser.add_argument("--case", metavar="FILE", help="runs a saved case and nothing else")


class Tools:
    def __init__(self, o):
        self.build, self.llvm = os.path.abspath(o.build), o.llvm
        self.clang, self.opt = os.path.join(o.llvm, "clang"), os.path.join(o.llvm, "opt")
        self.plugin = os.path.join(self.build, "lib", "libstencilopt.so")


def call(words, environment=None, limit=LONGEST, what=None):
    """(status or "timeout", output, errors)"""
    try:
        done = subprocess.run(words, input=what, capture_output=True, text=True, errors="replace", timeout=limit,
                              env=dict(CLEAN, **environment or {}))
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired as late:
        return "timeout", *((s or b"").decode(errors="replace") for s in (late.stdout, late.stderr))


def last_lines(text, count=4):
    """Of a crash: what names it, if anything does the place in our own code."""
    lines = [l for l in text.splitlines() if l.strip()]
    frames = re.findall(r"^ *#\d+ 0x\w+ (\S+ \S*/(?:lib|passes)/\S+\.c):\d+", text, re.M)
    if frames:
        return " < ".join(f.split()[0] + " in " + os.path.basename(f.split()[1]) for f in frames[:3])
    head = [l for l in lines if re.search(r"error|Assert|Broken|UNREACHABLE|fault|LLVM ERROR", l)]
    return " | ".join((head or lines)[:count])[:600]


def reduce(case, smaller, fails, most):
    """The least case that still fails, and how many were tried."""
    tried, again = 0, True
    while again and tried < most:
        again = False
        for less in smaller(case):
            tried += 1
            if fails(less):
                case, again = less, True
                break
            if tried >= most:
                break
    return case, tried


def save(folder, name, case):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name + ".json")
    with open(path, "w") as file:
        json.dump(case, file, indent=1)
        file.write("\n")
    return path


def again(script, path, o):
    words = [os.path.relpath(os.path.join(HERE, script)), "--build", os.path.relpath(o.build), "--case", path]
    return shlex.join(words)


def finish(what, failures):
    print("%s: %s" % (what, "%d FAILED" % failures if failures else "no failure"), flush=True)
    sys.exit(failures != 0)
