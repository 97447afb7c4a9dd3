# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the random tests share: where the tools are, commands with a limit, and reducing."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LONGEST = 300  # seconds of a command
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith("STENCILOPT_") or k == "STENCILOPT_RUNTIME"}


def add_tools(parser):
    parser.add_argument("--build", default=os.path.join(HERE, "..", "..", "build"), help="the build folder")
    parser.add_argument("--llvm", default=None, metavar="DIR",
                        help="where clang, opt and ld.lld are (default: where the PATH has opt-22, else /usr/lib/llvm-22/bin)")
    parser.add_argument("--clang", help="default: --llvm's")
    parser.add_argument("--opt", help="default: --llvm's")
    parser.add_argument("--plugin", help="default: the build's")
    parser.add_argument("--clang-flags", default="", help="more options for every clang, such as --sysroot=DIR")


def add_options(parser):
    add_tools(parser)
    parser.add_argument("--seed", type=int, default=1, help="(default: %(default)s)")
    parser.add_argument("--count", type=int, default=1, help="batches (default: %(default)s)")
    parser.add_argument("--failures", default="random-failures", metavar="DIR", help="where failing cases are saved")
    parser.add_argument("--reduce", type=int, default=200, metavar="N",
                        help="runs to spend on making a failing case smaller (default: %(default)s)")
    parser.add_argument("--case", metavar="FILE", help="runs a saved case and nothing else")
    parser.add_argument("--until", type=float, metavar="TIME", help="starts no batch after that time, in seconds since 1970")


def time_is_up(o):
    return o.until is not None and time.time() >= o.until


def default_llvm():
    found = shutil.which("opt-22")
    return os.path.dirname(os.path.realpath(found)) if found else "/usr/lib/llvm-22/bin"


class Tools:
    """Where everything is. A build folder may have been moved: what the plugin recorded of it is not used."""

    def __init__(self, o):
        self.build, self.llvm = os.path.abspath(o.build), os.path.abspath(o.llvm or default_llvm())
        self.clang, self.opt = o.clang or os.path.join(self.llvm, "clang"), o.opt or os.path.join(self.llvm, "opt")
        self.lld = os.path.join(self.llvm, "ld.lld")
        self.plugin = o.plugin or os.path.join(self.build, "lib", "libstencilopt.so")
        if not os.path.exists(self.plugin):
            sys.exit("no plugin at %s; build it (cmake -S . -B build -G Ninja && ninja -C build), or name it with --plugin or "
                     "its folder with --build" % self.plugin)
        self.flags = o.clang_flags.split()
        CLEAN.setdefault("STENCILOPT_RUNTIME", os.path.join(self.build, "lib", "libstencilrt.so"))
        CLEAN["PATH"] = self.llvm + os.pathsep + CLEAN.get("PATH", "")


def call(words, environment=None, limit=LONGEST, what=None):
    """(status or "timeout", output, errors)"""
    try:
        done = subprocess.run(words, input=what, capture_output=True, text=True, errors="replace", timeout=limit,
                              env=dict(CLEAN, **environment or {}))
        return done.returncode, done.stdout, done.stderr
    except FileNotFoundError as missing:
        return 127, "", str(missing)
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


def reduce(case, smaller, fails, o):
    """The least case that still fails, and how many were tried."""
    tried, again, most = 0, True, o.reduce
    while again and tried < most:
        again = False
        for less in smaller(case):
            tried += 1
            if fails(less):
                case, again = less, True
                break
            if tried >= most or time_is_up(o):
                return case, tried
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


def shown(counts):
    """Without the shares of kinds."""
    some = {n: c for n, c in counts.items() if not n.startswith(("taken: ", "drawn: "))}
    return "; ".join("%s %d" % i for i in sorted(some.items(), key=lambda i: (-i[1], i[0])))


def shares(counts):
    """Of each kind that was drawn, how many ran on the device in any of their runs: lines."""
    kinds = sorted(n[7:] for n in counts if n.startswith("drawn: "))
    return ["%s: %d of %d" % (k, counts.get("taken: " + k, 0), counts["drawn: " + k]) for k in kinds]


def print_counts(counts):
    """For a reader; and a line that tools/soak adds up."""
    print("\n".join(shares(counts) + [shown(counts)]))
    print("counts: " + json.dumps(counts), flush=True)


def finish(what, failures):
    print("%s: %s" % (what, "%d FAILED" % failures if failures else "no failure"), flush=True)
    sys.exit(failures != 0)
