#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the programs that tools/coverage --pack put beside this script: plain, with the plugin and its original loops
(off), and with the plugin under STENCILOPT_DEVICE=auto. Compares what they print and write.

Seconds of whole processes: the median, and the least and longest. A program is above the line if auto takes over 3 %
more than plain, and start-up where it opened a device, by the medians and by the shortest runs. Start-up is measured
first: what a program with one small loop takes longer on the device. A program is slow if off takes over 3 % more than
plain by both.

Programs run in lanes beside each other; of those that open a device one at a time (--beside). The first run of auto is not
counted: it tells what ran on the device, and the driver keeps what it compiled."""

import argparse
import concurrent.futures
import contextlib
import glob
import hashlib
import json
import os
import re
import statistics
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SHARE, LEAST = 1.03, 0.02  # what auto may take more: a share, and seconds that a clock of processes cannot tell
KINDS = {"plain": ("plain", "off"), "off": ("plugin", "off"), "auto": ("plugin", "auto")}


def digest(program, folder, printed):
    """Of the lines that are compared, and of the files."""
    h = hashlib.sha256()
    for line in b"".join(printed).splitlines(keepends=True):
        if not program["ignore"] or not re.search(program["ignore"].encode(), line):
            h.update(line)
    for pattern in program["files"]:
        for file in sorted(glob.glob(os.path.join(folder, pattern))):
            with open(file, "rb") as f:
                h.update(f.read())
    return h.hexdigest()


def environment(device, report):
    libraries = os.pathsep.join(filter(None, [os.path.join(HERE, "lib"), os.environ.get("LD_LIBRARY_PATH")]))
    env = dict(os.environ, STENCILOPT_DEVICE=device, STENCILOPT_RUNTIME=os.path.join(HERE, "libstencilrt.so"),
               LD_LIBRARY_PATH=libraries)
    return dict(env, STENCILOPT_REPORT="json:" + report) if report else env


def run(program, kind, device, limit, report=""):
    """Seconds and digest of one run; no digest where the program failed or ran too long."""
    folder = os.path.join(HERE, program["name"], kind, program["folder"])
    printed, began = [], time.monotonic()
    for i, command in enumerate(program["run"]):
        env = environment(device, report and "%s.%d" % (report, i))
        try:
            done = subprocess.run(["bash", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit)
        except subprocess.TimeoutExpired:
            return time.monotonic() - began, ""
        printed += [done.stdout, b"status %d\n" % done.returncode]
    seconds = time.monotonic() - began
    return seconds, digest(program, folder, printed)


def read_reports(report):
    """Entries of regions on the device, all of them, and how many processes opened a device."""
    on_device = entries = opened = 0
    for file in glob.glob(report + ".*"):
        with open(file) as f:
            told = json.load(f)
        opened += told.get("opening_seconds", 0) > 0
        on_device += sum(r["on_device"] for r in told["regions"])
        entries += sum(r["entries"] for r in told["regions"])
    return on_device, entries, opened


def spread(seconds):
    return "%7.2f (%5.2f %5.2f)" % (statistics.median(seconds), min(seconds), max(seconds))


def is_above(seconds, plain, more):
    return all(of(seconds) > SHARE * of(plain) + LEAST + more for of in (statistics.median, min))


def first_run(program, o, gpu):
    """What the reports of a run under auto tell, which has the GPU alone, and its digest."""
    report = os.path.join(HERE, program["name"], "report")
    for old in glob.glob(report + ".*"):
        os.remove(old)
    with gpu:
        _, seen = run(program, "plugin", "auto", o.limit, report)
    return read_reports(report), seen


def measure(program, o, start, gpu):
    """The line of a program, and whether it is good."""
    (on_device, entries, opened), seen = first_run(program, o, gpu)
    digests, runs = {seen}, {kind: [] for kind in o.kinds}
    for _ in range(o.runs):
        for kind in o.kinds:
            with gpu if opened and kind == "auto" else contextlib.nullcontext():
                seconds, seen = run(program, *KINDS[kind], o.limit)
            runs[kind].append(seconds)
            digests.add(seen)
    above = is_above(runs["auto"], runs["plain"], start * opened)
    slow = "off" in runs and is_above(runs["off"], runs["plain"], 0)
    same = len(digests) == 1 and "" not in digests
    words = [] if same else ["DIFFER"]
    words += ["ABOVE"] * above + ["SLOW"] * slow
    line = "%-22s %s  x %6.2f  %5.2f  %s  %s" % (
        program["name"], "  ".join(spread(runs[kind]) for kind in o.kinds),
        statistics.median(runs["plain"]) / statistics.median(runs["auto"]), start * opened,
        "%7d of %-7d" % (on_device, entries) if entries else "%7s   %7s" % ("none", ""), " ".join(words))
    return line, same and not above and not slow


def find_start(o):
    """Seconds that opening and closing a device takes a program, with one small region."""
    program = {"name": "start", "folder": ".", "run": ["./start"], "files": [], "ignore": ""}
    off = [run(program, "plugin", "off", o.limit)[0] for _ in range(5)]
    device = [run(program, "plugin", o.device, o.limit)[0] for _ in range(6)][1:]
    return statistics.median(device) - statistics.median(off)


def read_programs(names):
    programs = []
    for file in sorted(glob.glob(os.path.join(HERE, "*", "program.json"))):
        with open(file) as f:
            program = json.load(f)
        if not names or program["name"] in names:
            programs.append(program)
    return programs


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("names", nargs="*", metavar="NAME")
    p.add_argument("--runs", type=int, default=3, help="of each (default: %(default)s)")
    p.add_argument("--limit", type=int, default=60, help="seconds a run may take (default: %(default)s)")
    p.add_argument("--lanes", type=int, default=1, help="programs that run beside each other (default: %(default)s)")
    p.add_argument("--beside", type=int, default=1, help="of these on the GPU (default: %(default)s)")
    p.add_argument("--kinds", default="plain,off,auto", help="what to time (default: %(default)s)")
    p.add_argument("--device", default="cuda", help="the device whose start is measured (default: %(default)s)")
    o = p.parse_args()
    o.kinds = o.kinds.split(",")
    start = find_start(o)
    print("start-up: %.2f s" % start)
    print("%-22s %s  plain / auto  start-up  entries on the device" % ("", "  ".join("%21s" % kind for kind in o.kinds)))
    good, gpu = True, threading.Semaphore(o.beside)
    with concurrent.futures.ThreadPoolExecutor(o.lanes) as lanes:
        for line, is_good in lanes.map(lambda program: measure(program, o, start, gpu), read_programs(o.names)):
            good &= is_good
            print(line)
            sys.stdout.flush()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
