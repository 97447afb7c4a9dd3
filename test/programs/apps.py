#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs as applications are written, apps/*: each is built plain and with the plugin, and both print
the same and write the same files on the simulator. What was offloaded is what the table below says."""

import argparse
import concurrent.futures
import filecmp
import os
import re
import shutil
import subprocess
import sys
import typing

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = [(37, 53, 9), (22, 19, 4), (16, 34, 7)]  # rows, columns, steps


def sweeps(count, rank=2):
    return f"{rank}-D time loop of {count} sweep" + "s" * (count > 1)


WHOLE, ONE = "the whole time loop", "one sweep a call"
VALUE, PAIR = "2-D sweep for 1 value of all cells", "1-D sweep of 2 outputs"


class App(typing.NamedTuple):
    """The stencil nests that the source marks; how many of them a device runs at -O2, and what -Rpass says;
    the same at -O3 if it differs; why the rest stays."""

    nests: int
    done: int
    remarks: list
    done_o3: int | None = None
    remarks_o3: list | None = None
    why: str = ""

    def at(self, level):
        other = level == "-O3" and self.remarks_o3
        return (self.done_o3, self.remarks_o3) if other else (self.done, self.remarks)


APPS = {
    "heat_plate.c": App(
        2, 2, [sweeps(2), "1-D sweep for 1 value of all cells"],
        2, [sweeps(1, 1), sweeps(1, 1), sweeps(2)] + ["1-D sweep for 1 value of all cells"] * 2
    ),
    "gray_scott.c": App(3, 3, [sweeps(5), VALUE, VALUE]),
    "shallow_water.c": App(5, 5, [sweeps(5), VALUE]),
    "fdtd_te.c": App(3, 3, [sweeps(4)]),
    "pressure.c": App(2, 2, [sweeps(2, 3)]),
    "hotspot.c": App(2, 2, [sweeps(2), sweeps(1)], 2, [sweeps(1, 1), sweeps(2), sweeps(1)]),
    "life_board.c": App(2, 2, [WHOLE, sweeps(2), VALUE]),
    "elastic.c": App(4, 4, [sweeps(5)]),
    "lattice.c": App(3, 3, [sweeps(1, 3), sweeps(2, 3), "3-D sweep for 1 value of all cells"]),
    "advection.cpp": App(
        5, 5, [ONE, PAIR, PAIR, ONE, sweeps(4), WHOLE],
        5, [ONE, PAIR, PAIR, ONE, sweeps(1, 1), sweeps(3), sweeps(4), WHOLE]
    ),
    "heat_plane.f90": App(
        3, 3, [sweeps(2), sweeps(2), VALUE], 2, ["2-D sweep of 1 output", sweeps(2), VALUE],
        "at -O3 flang makes two loops of a nest, by the arrays' steps"
    ),
}


def compiler(options, app):
    if app.endswith(".f90"):
        return [options.flang]
    clang = options.clang.replace("clang", "clang++", 1) if app.endswith("pp") else options.clang
    return [clang, "-Wall"]


def build(options, app, level):
    """Both programs, and what the plugin says was offloaded."""
    base = os.path.join(options.work, app.replace(".", "_") + level)
    source = os.path.join(HERE, "apps", app)
    command = [*compiler(options, app), level, "-ffp-contract=off", source, "-lm", "-o"]
    subprocess.run(command + [base + ".plain"], check=True)
    command += [base + ".gpu", f"-fpass-plugin={options.plugin}", "-Rpass=stencil"]
    code = {} if level == "-O2" else {"STENCILOPT_CODE": "0"}  # once is enough: the simulator runs IR
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | code)
    remarks = done.stderr.splitlines()
    if app.endswith(".f90"):  # procedures are there once more than they are inlined
        remarks = list(dict.fromkeys(remarks))
    return base, re.findall(r"remark: (.*) \[-Rpass=stencil\]", "\n".join(remarks))


def run(program, size, out, environment):
    command = [program, *map(str, size), out + ".fields"]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment)
    return done.returncode, done.stdout, done.stderr


def compare(base, size):
    """An error or None, and how many regions ran on the device."""
    plain = run(base + ".plain", size, base + ".plain", {})
    there = run(base + ".gpu", size, base + ".gpu", {"STENCILOPT_DEVICE": "sim", "STENCILOPT_REPORT": "each"})
    ran = there[2].count(": sim (simulator): ")
    if plain[0] != 0 or plain[:2] != there[:2]:
        return f"{size}: plain {plain[:2]}, with the plugin {there}", ran
    if not filecmp.cmp(base + ".plain.fields", base + ".gpu.fields", shallow=False):
        return f"{size}: the fields differ", ran
    return None if ran else f"{size}: nothing ran on the device: {there[2]}", ran


def check(options, app, level, sizes):
    nests, expected = APPS[app].nests, APPS[app].at(level)[1]
    errors = []
    with open(os.path.join(HERE, "apps", app)) as f:
        marks = len(re.findall("(?://|!) stencil", f.read()))
    if marks != nests:
        errors.append(f"{marks} nests are marked, not {nests}")
    base, remarks = build(options, app, level)
    if len(remarks) != len(expected) or any(e not in r for e, r in zip(expected, remarks)):
        errors.append("offloaded: " + "; ".join(remarks))
    for size in sizes:
        error, ran = compare(base, size)
        if error:
            errors.append(error)
        # A loop alone runs only where its time loop does not; at -O3 there are versions.
        if ran < min(sum(r not in (ONE, PAIR) for r in some) for some in (expected, APPS[app].remarks)):
            errors.append(f"{size}: only {ran} regions ran on the device")
    return errors


def table():
    levels = "-O2", "-O3"
    lines = ["| program | stencil nests | offloaded at -O2 | at -O3 | why not the rest |", "|---|---|---|---|---|"]
    for name, app in APPS.items():
        done = " | ".join(str(app.at(level)[0]) for level in levels)
        lines.append(f"| [{name}](../test/programs/apps/{name}) | {app.nests} | {done} | {app.why} |")
    nests = sum(app.nests for app in APPS.values())
    sums = [sum(app.at(level)[0] for app in APPS.values()) for level in levels]
    shares = " | ".join(f"{done} ({100 * done // nests} %)" for done in sums)
    return "\n".join(lines + [f"| all | {nests} | {shares} | |"])


def check_page(path):
    with open(path) as page:
        good = table() in page.read()
    if not good:
        print(f"{path} is out of date: put in what --table prints")
    return not good


def in_turn(jobs):
    """Where few are run, one of six of them, others in other turns (test/lit_format.py)."""
    now = int(os.environ.get("STENCIL_TURN", 0))
    return jobs[now % 3 + now // 108 % 2 * 3::6] if os.environ.get("STENCIL_TESTS") == "few" else jobs


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--flang", default="flang-22", help="programs in Fortran need it, and are left out without")
    parser.add_argument("--plugin", default="build/lib/libstencilopt.so")
    parser.add_argument("--work", default="apps.dir")
    parser.add_argument("--table", action="store_true", help="print the table of docs/apps.md alone")
    parser.add_argument("--check-page", metavar="FILE", help="does the page hold that table?")
    options = parser.parse_args()
    if options.table:
        return print(table())
    if options.check_page:
        return check_page(options.check_page)
    os.makedirs(options.work, exist_ok=True)
    apps = [app for app in APPS if not app.endswith(".f90") or shutil.which(options.flang)]
    jobs = [(app, "-O2", SIZES) for app in apps] + [(app, "-O3", SIZES[1:2]) for app in apps]
    left_out = len(jobs)
    jobs = in_turn(jobs)
    left_out -= len(jobs)
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for job, errors in zip(jobs, pool.map(lambda j: check(options, *j), jobs)):
            failures += len(errors) > 0
            print(*job[:2], "; ".join(errors) or "ok")
    print(f"{len(jobs)} builds, {failures} failures" + f", {left_out} left out" * (left_out > 0))
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
