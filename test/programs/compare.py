#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds programs with and without the plugin, runs both over many sizes and numbers of steps,
and compares every byte of every buffer; and checks in the runtime's report that the device did the
work. One line a case.

  compare.py --plugin build/lib/libstencilopt.so star2d1r swap2d:INDEX=long,RESTRICT=restrict
  compare.py --plugin ... --all --build-only DIR     all programs that the .test files here name
  compare.py --run-only DIR --device cuda            runs what --build-only left, on any machine

A program is NAME.c of this folder or a name that generate.py knows, with definitions after a
colon. Each is built for REAL=float and REAL=double, unless it defines TYPE, its integer type.
"""

import argparse
import array
import concurrent.futures
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the sources' folder stays as it is
import generate  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
STEPS = (0, 1, 2, 3, 8, 13)
SIZES = {
    0: [()],
    1: [(n,) for n in (1, 2, 3, 5, 8, 9, 16, 33, 64, 127, 257, 1000)],
    2: [(1, 1), (1, 9), (3, 3), (2, 7), (5, 3), (3, 5), (5, 9), (9, 9), (10, 13), (17, 33),
        (33, 17), (31, 64), (65, 129), (129, 48), (257, 31), (40, 257)],
    3: [(1, 1, 1), (3, 3, 3), (3, 5, 2), (5, 3, 4), (5, 5, 5), (9, 9, 9), (9, 10, 11),
        (11, 9, 17), (17, 12, 33), (12, 33, 18), (33, 9, 10), (10, 11, 48), (48, 17, 13)],
}
# The runtime's report: a region ran on a device, or it did not.
RAN = re.compile(r"GCells/s")
DID_NOT = re.compile(r"original loop")
TIMEOUT = 500
RUNTIME = "libstencilrt.so"


def option_parser():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--plugin", help="without it both builds are plain")
    parser.add_argument("--device", default="sim", help="STENCILOPT_DEVICE for the run")
    parser.add_argument("--level", default="-O2")
    parser.add_argument("--flags", default="", help="more options for both builds")
    parser.add_argument("--tolerance", type=float, default=0,
                        help="allowed relative difference; 0: every byte equal")
    parser.add_argument("--same", action="store_true",
                        help="fill the two buffers of a time loop alike")
    parser.add_argument("--tiny", action="store_true",
                        help="fill with denormal numbers and signed zeros")
    parser.add_argument("--ran", choices=["always", "once", "either", "never"], default="always",
                        help="whether the device must have done a case that updates cells; once: "
                             "all of it in one region")
    parser.add_argument("--real", default="float,double")
    parser.add_argument("--all", action="store_true",
                        help="what the RUN lines of the .test files here name")
    parser.add_argument("--work", help="where to build; default: a temporary folder")
    parser.add_argument("--build-only", metavar="DIR")
    parser.add_argument("--run-only", metavar="DIR")
    parser.add_argument("--only", metavar="REGEX",
                        help="with --run-only or --all: labels that match")
    parser.add_argument("--brief", action="store_true",
                        help="a line for each program, not for each case that is right")
    parser.add_argument("--jobs", type=int, default=1, help="programs run side by side")
    return parser


# ---- what to build --------------------------------------------------------------------------

def jobs_of(options):
    """One job for each program and type."""
    for spec in options.programs:
        name, _, defines = spec.partition(":")
        defines = [d for d in defines.split(",") if d]
        typed = any(d.startswith("TYPE=") for d in defines)
        for real in [""] if typed else options.real.split(","):
            flags = [options.level] + shlex.split(options.flags)
            words = [name, *defines, real, *(f for f in flags if f != "-O2")]
            words += ["tiny"] * options.tiny + ["same"] * options.same + ["off"] * (options.device == "off")
            yield {
                "name": name,
                "label": "_".join(re.sub(r"[^A-Za-z0-9_.-]+", "-", w.strip("-"))
                                  for w in words if w),
                "flags": flags + ["-D" + d for d in defines + (["REAL=" + real] if real else [])],
                "tolerance": options.tolerance, "tiny": options.tiny, "same": options.same, "device": options.device,
                "ran": "never" if options.device == "off" else options.ran,
            }


def all_jobs(options):
    """The jobs of every `RUN: %compare ...` line beside this script."""
    parser = option_parser()
    seen = {}
    for path in sorted(glob.glob(os.path.join(HERE, "*.test"))):
        for line in open(path):
            _, found, arguments = line.partition("RUN: %compare ")
            if found:
                given = parser.parse_args(shlex.split(arguments), argparse.Namespace())
                seen.update((job["label"], job) for job in jobs_of(given))
    return list(seen.values())


# ---- building -------------------------------------------------------------------------------

def call(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise SystemExit("failed (%d): %s\n%s" % (done.returncode, shlex.join(command),
                                                  done.stdout))
    return done.stdout


def source_of(name, folder):
    path = os.path.join(HERE, name + ".c")
    if not os.path.exists(path):
        path = os.path.join(folder, name + ".c")
        with open(path, "w") as file:
            file.write(generate.text(name))
    return path


def harness_object(options, folder):
    path = os.path.join(folder, "harness.o")
    call([options.clang, "-O2", "-Wall", "-Wextra", "-c", os.path.join(HERE, "harness.c"),
          "-o", path])
    return path


def build(job, options, folder, source, harness):
    """Sets the job's rank, and the file names of its two programs."""
    job["rank"] = int(re.search(r"PROGRAM\((\d)", open(source).read()).group(1))
    common = [options.clang, "-Wall", "-Wextra", "-ffp-contract=off", "-I", HERE] + job["flags"]
    link = [source, harness, "-lm", "-lpthread"]
    job["plain"] = job["label"] + ".plain"
    job["device_build"] = job["label"] + ".stencil"
    plugin = ["-fpass-plugin=" + os.path.abspath(options.plugin)] if options.plugin else []
    call(common + link + ["-o", os.path.join(folder, job["plain"])])
    call(common + plugin + link + ["-o", os.path.join(folder, job["device_build"])])
    if not options.plugin:
        job["ran"] = "either"
    return job


# ---- running --------------------------------------------------------------------------------

class Run:
    """One process over all cases: its output lines, and the report lines of each case."""

    def __init__(self, path, cases, device, extra=()):
        environment = dict(os.environ, STENCILOPT_DEVICE=device, STENCILOPT_REPORT="1")
        words = [str(number) for case in cases for number in case]
        try:
            done = subprocess.run([path, *extra, *words], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, env=environment,
                                  errors="replace", timeout=TIMEOUT)
            self.status = done.returncode
            out, err = done.stdout, done.stderr
        except subprocess.TimeoutExpired as late:
            self.status = "timeout"
            out, err = ((s or b"").decode(errors="replace") for s in (late.stdout, late.stderr))
        self.lines = out.splitlines()
        self.cells, self.reports = [], []
        for line in err.splitlines():
            started = re.match(r"case .*cells=(\d+)$", line)
            if started:
                self.cells.append(int(started.group(1)))
                self.reports.append([])
            elif self.reports:
                self.reports[-1].append(line)


def report_fault(run, k, steps, ran):
    """What is wrong with the report of case k, or None."""
    lines = run.reports[k]
    did, did_not = (any(p.search(line) for line in lines) for p in (RAN, DID_NOT))
    if ran in ("always", "once") and run.cells[k] and steps and (did_not or not did):
        return "the device did not do it; report: " + ("; ".join(lines) or "none")
    if ran == "once" and len(lines) > 1:
        return "it took %d regions; report: %s" % (len(lines), "; ".join(lines))
    if ran == "never" and did:
        return "the device did it, and must not; report: " + "; ".join(lines)
    return None


TYPES = {"f32": "f", "f64": "d", "i8": "b", "i16": "h", "i32": "i", "i64": "q",
         "u8": "B", "u16": "H", "u32": "I", "u64": "Q"}


def dumped(job, folder, which, case, device):
    """The buffers of one case: {name: array}."""
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "dump")
        extra = ["--dump", path] + ["--tiny"] * job["tiny"] + ["--same"] * job["same"]
        run = Run(os.path.join(folder, job[which]), [case], device, extra)
        data = open(path, "rb").read() if os.path.exists(path) else b""
    buffers = {}
    for name, kind, count in re.findall(r" (\w+):(\w+):(\d+)=", run.lines[0] if run.lines else ""):
        values = array.array(TYPES[kind])
        size = int(count) * values.itemsize
        values.frombytes(data[:size])
        buffers[name], data = values, data[size:]
    return buffers


def differences(plain, device):
    """For each buffer: (name, cells that differ, first one's index, its values, greatest relative
    difference)."""
    for name, a in plain.items():
        b = device.get(name, array.array(a.typecode))
        if a.tobytes() == b.tobytes():
            continue
        one, other = memoryview(a.tobytes()), memoryview(b.tobytes())
        w = a.itemsize
        where = [k for k in range(min(len(a), len(b)))
                 if one[k * w:k * w + w] != other[k * w:k * w + w]]
        if not where or len(a) != len(b):
            yield name, len(a), 0, None, None, float("inf")
            continue
        worst = 0.0
        for k in where:
            gap = abs(a[k] - b[k]) / max(abs(a[k]), abs(b[k]), 1e-3)
            worst = max(worst, gap if gap == gap else float("inf"))
        yield name, len(where), where[0], a[where[0]], b[where[0]], worst


def value_fault(job, folder, case, device):
    """What differs in a case whose hashes differ, or None if within the tolerance."""
    plain = dumped(job, folder, "plain", case, "off")
    found = list(differences(plain, dumped(job, folder, "device_build", case, device)))
    if not found:
        return "hashes differ in one run and not in the next"
    if job["tolerance"] and all(d[-1] <= job["tolerance"] for d in found):
        return None
    return "; ".join("%s: %d elements differ, first [%d]: %r, must be %r" % (n, c, k, b, a)
                     for n, c, k, a, b, _ in found)


def run_job(job, folder, device, brief):
    """Returns how many cases failed, and a line a case, or one for all that are right."""
    device = job["device"] if job["device"] == "off" else device
    cases = [size + (steps,) for size in SIZES[job["rank"]] for steps in STEPS]
    extra = ["--tiny"] * job["tiny"] + ["--same"] * job["same"]
    plain = Run(os.path.join(folder, job["plain"]), cases, "off", extra)
    other = Run(os.path.join(folder, job["device_build"]), cases, device, extra)
    failed, lines = 0, []
    for k, case in enumerate(cases):
        if k >= len(plain.lines) or k >= len(other.lines):
            fault = "plain or device build ended here, status %s and %s; %s" % (
                plain.status, other.status, "; ".join((other.reports or [[]])[-1][-5:]))
        elif plain.lines[k] != other.lines[k]:
            fault = value_fault(job, folder, case, device)
        else:
            fault = report_fault(other, k, case[-1], job["ran"])
        if not fault and "guard=BROKEN" in other.lines[k]:
            fault = "wrote outside a buffer"
        if fault or not brief:
            lines.append("%s %s %s%s" % ("FAIL" if fault else "ok", job["label"],
                                         " ".join(map(str, case)), ": " + fault if fault else ""))
        failed += bool(fault)
        if k >= len(other.lines):
            return failed + len(cases) - k - 1, lines
    if plain.status or other.status:
        lines.append("FAIL %s: status %s and %s" % (job["label"], plain.status, other.status))
        failed += 1
    if brief and not failed:
        lines.append("ok %s: %d cases" % (job["label"], len(cases)))
    return failed, lines


def build_all(jobs, options, folder):
    os.makedirs(folder, exist_ok=True)
    harness = harness_object(options, folder)
    sources = {name: source_of(name, folder) for name in {job["name"] for job in jobs}}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(
            lambda job: build(job, options, folder, sources[job["name"]], harness), jobs))


def build_only(jobs, options):
    folder = options.build_only
    with tempfile.TemporaryDirectory() as place:
        jobs = build_all(jobs, options, place)
        os.makedirs(folder, exist_ok=True)
        for job in jobs:
            for which in "plain", "device_build":
                shutil.copy2(os.path.join(place, job[which]), folder)
    runtime = options.plugin and os.path.join(os.path.dirname(options.plugin), RUNTIME)
    if runtime and os.path.exists(runtime):
        shutil.copy2(runtime, folder)
    with open(os.path.join(folder, "jobs.json"), "w") as file:
        json.dump(jobs, file, indent=1)
    print("built %d programs, each twice, in %s" % (len(jobs), folder))


def main():
    options = option_parser().parse_args()
    if options.run_only:
        jobs = json.load(open(os.path.join(options.run_only, "jobs.json")))
        runtime = os.path.abspath(os.path.join(options.run_only, RUNTIME))
        if os.path.exists(runtime):
            os.environ.setdefault("STENCILOPT_RUNTIME", runtime)
    else:
        jobs = all_jobs(options) if options.all else list(jobs_of(options))
    if options.only:
        jobs = [job for job in jobs if re.search(options.only, job["label"])]
    if not jobs:
        sys.exit("nothing to do")
    if options.build_only:
        return build_only(jobs, options)
    failed = 0
    with tempfile.TemporaryDirectory() as place:
        folder = options.run_only or options.work or place
        if not options.run_only:
            jobs = build_all(jobs, options, folder)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for count, lines in pool.map(
                    lambda job: run_job(job, folder, options.device, options.brief), jobs):
                print(*lines, sep="\n", flush=True)
                failed += count
    print("%d programs, %d failures" % (len(jobs), failed))
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
