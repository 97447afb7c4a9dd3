#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the programs that tools/coverage --pack put beside this script: plain, and with the plugin under auto. Compares
what they print and write. A program is slower if auto takes over 3 % more than plain, and over START seconds more."""

import argparse
import glob
import hashlib
import json
import os
import re
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
START = 0.5  # seconds that opening and closing a GPU may take


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


def run(program, kind, device, limit, report=""):
    """Seconds and digest of one run; no digest where the program failed or ran too long."""
    folder = os.path.join(HERE, program["name"], kind, program["folder"])
    env = dict(os.environ, STENCILOPT_DEVICE=device, STENCILOPT_RUNTIME=os.path.join(HERE, "libstencilrt.so"))
    if report:
        env["STENCILOPT_REPORT"] = "json:" + report
    printed, began = [], time.monotonic()
    for command in program["run"]:
        try:
            done = subprocess.run(["bash", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit)
        except subprocess.TimeoutExpired:
            return time.monotonic() - began, ""
        printed += [done.stdout, b"status %d\n" % done.returncode]
    seconds = time.monotonic() - began
    return seconds, digest(program, folder, printed)


def on_device(report):
    """Entries of regions that ran on the GPU, and all."""
    try:
        with open(report) as f:
            regions = json.load(f)["regions"]
    except (OSError, ValueError):
        return "none"
    return "%d of %d" % (sum(r["on_device"] for r in regions), sum(r["entries"] for r in regions))


def measure(program, o):
    runs = {"plain": [], "auto": []}
    report = os.path.join(HERE, program["name"], "report.json")
    digests = set()
    for i in range(o.runs):
        for kind, folder, device in ("plain", "plain", "off"), ("auto", "plugin", "auto"):
            seconds, seen = run(program, folder, device, o.limit)
            runs[kind].append(seconds)
            digests.add(seen)
    run(program, "plugin", "auto", o.limit, report)
    plain, auto = statistics.median(runs["plain"]), statistics.median(runs["auto"])
    slower = auto > 1.03 * plain and auto > plain + START
    same = "equal" if len(digests) == 1 and "" not in digests else "DIFFER"
    print("%-22s plain %7.2f  auto %7.2f (%5.2f to %5.2f)  x %6.2f  %s%s  on the device: %s" %
          (program["name"], plain, auto, min(runs["auto"]), max(runs["auto"]), plain / auto, same,
           "  SLOWER" if slower else "", on_device(report)))
    sys.stdout.flush()
    return same == "equal" and not slower


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("names", nargs="*", metavar="NAME")
    p.add_argument("--runs", type=int, default=3, help="of each (default: %(default)s)")
    p.add_argument("--limit", type=int, default=60, help="seconds a run may take (default: %(default)s)")
    o = p.parse_args()
    good = True
    for file in sorted(glob.glob(os.path.join(HERE, "*", "program.json"))):
        with open(file) as f:
            program = json.load(f)
        if not o.names or program["name"] in o.names:
            good &= measure(program, o)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
