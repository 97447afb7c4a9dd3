#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs as applications are written, apps/*: each is built plain and with the plugin, and both print the
same and write the same files on the simulator. What was offloaded is what the table below says."""

import argparse
import concurrent.futures
import filecmp
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = [(37, 53, 9), (22, 19, 4), (16, 34, 7)]  # rows, columns, steps


def sweeps(count, rank=2):
    return f"{rank}-D time loop of {count} sweeps"


WHOLE, ONE = "the whole time loop", "one sweep a call"

# Of each program: its stencil nests and those that a device runs (nests that are called from several
# places once), what -Rpass says at -O2 and at -O3, and why the rest stays.
APPS = {
    "heat_plate.c": (2, 2, [sweeps(2)], None, ""),
    "gray_scott.c": (3, 3, [sweeps(5)], None, ""),
    "shallow_water.c": (5, 3, [ONE] * 3, None, TABLES := "rows of a `T **` that several sweeps share"),
    "fdtd_te.c": (3, 3, [sweeps(4)], None, ""),
    "pressure.c": (2, 2, [sweeps(2, 3)], None, ""),
    "hotspot.c": (2, 2, [sweeps(2), WHOLE], None, ""),
    "life_board.c": (2, 1, [WHOLE, ONE], None, TABLES),
    "elastic.c": (4, 4, [sweeps(5)], None, ""),
    "lattice.c": (3, 3, [WHOLE, sweeps(2, 3)], None, ""),
    "advection.cpp": (5, 5, [ONE, sweeps(4), WHOLE], None, ""),
}


def compiler(options, app):
    return options.clang.replace("clang", "clang++", 1) if app.endswith("pp") else options.clang


def build(options, app, level):
    """Both programs, and what the plugin says was offloaded."""
    base = os.path.join(options.work, app.replace(".", "_") + level)
    source = os.path.join(HERE, "apps", app)
    command = [compiler(options, app), level, "-Wall", "-ffp-contract=off", source, "-lm", "-o"]
    subprocess.run(command + [base + ".plain"], check=True)
    command += [base + ".gpu", f"-fpass-plugin={options.plugin}", "-Rpass=stencil"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return base, re.findall(r"remark: (.*) \[-Rpass=stencil\]", done.stderr)


def run(program, size, out, environment):
    command = [program, *map(str, size), out + ".fields"]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment)
    return done.returncode, done.stdout, done.stderr


def compare(base, size):
    """An error or None, and how many regions ran on the device."""
    plain = run(base + ".plain", size, base + ".plain", {})
    there = run(base + ".gpu", size, base + ".gpu", {"STENCILOPT_DEVICE": "sim", "STENCILOPT_REPORT": "1"})
    ran = there[2].count(": sim (simulator): ")
    if plain[0] != 0 or plain[:2] != there[:2]:
        return f"{size}: plain {plain[:2]}, with the plugin {there}", ran
    if not filecmp.cmp(base + ".plain.fields", base + ".gpu.fields", shallow=False):
        return f"{size}: the fields differ", ran
    return None if ran else f"{size}: nothing ran on the device: {there[2]}", ran


def check(options, app, level, sizes):
    nests, _, o2, o3, _ = APPS[app]
    errors = []
    with open(os.path.join(HERE, "apps", app)) as f:
        marks = f.read().count("// stencil")
    if marks != nests:
        errors.append(f"{marks} nests are marked, not {nests}")
    base, remarks = build(options, app, level)
    expected = o3 if level == "-O3" and o3 else o2
    if len(remarks) != len(expected) or any(e not in r for e, r in zip(expected, remarks)):
        errors.append("offloaded: " + "; ".join(remarks))
    for size in sizes:
        error, ran = compare(base, size)
        if error:
            errors.append(error)
        if ran < len(expected) - (ONE in expected):
            errors.append(f"{size}: only {ran} regions ran on the device")
    return errors


def table():
    print("| program | stencil nests | offloaded | why not the rest |\n|---|---|---|---|")
    for app, (nests, done, _, _, why) in APPS.items():
        print(f"| [{app}](../test/programs/apps/{app}) | {nests} | {done} | {why} |")
    nests, done = (sum(a[i] for a in APPS.values()) for i in (0, 1))
    print(f"| all | {nests} | {done} ({100 * done // nests} %) | |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--plugin", default="build/lib/libstencilopt.so")
    parser.add_argument("--work", default="apps.dir")
    parser.add_argument("--table", action="store_true", help="print the table of docs/apps.md alone")
    options = parser.parse_args()
    if options.table:
        return table()
    os.makedirs(options.work, exist_ok=True)
    jobs = [(app, "-O2", SIZES) for app in APPS] + [(app, "-O3", SIZES[1:2]) for app in APPS]
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for job, errors in zip(jobs, pool.map(lambda j: check(options, *j), jobs)):
            failures += len(errors) > 0
            print(*job[:2], "; ".join(errors) or "ok")
    print(f"{len(jobs)} builds, {failures} failures")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
