#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds programs with and without the plugin, runs both over many sizes and numbers of steps,
and compares every byte of every buffer; and checks in the runtime's report that the device did the
work. One line a case.

  compare.py --plugin build/lib/libstencilopt.so star2d1r swap2d:INDEX=long,RESTRICT=restrict
  compare.py --plugin ... --all --build-only DIR     all programs that the .test files here name
  compare.py --run-only DIR --device cuda            runs what --build-only left, on any machine
  compare.py --plugin ... --plans 5 --seed 1 --names 2d1r   random plans, sizes and steps: 5 for each
                                                     program of AN5D's suite that matches, and type

A program is NAME.c of this folder, with its kernel in NAME.f90 if there is one, or a name that generate.py,
statements.py or bricks.py knows, with definitions after a colon. Each is built for REAL=float and REAL=double, unless it defines TYPE, its integer type. For
the simulator a program's further definitions, and other settings, have one of the types each, GPU code is made once, and each
size has every other number of steps, the next size and the other type the rest. What an earlier RUN line of a test built
in the same folder is not built again; what another test of the same run of lit built, by the same command, is copied. All
levels of optimisation are compared with one plain build.

With STENCIL_TESTS=few, as tools/check sets it, the simulator runs fewer, in turn: what STENCIL_TURN=1 leaves out 4 or 7
runs. Of the RUN lines themselves lit runs one to three (test/lit_format.py). Each program and definition has one type; of RUN
lines with several programs every other one is run, of those with another setting every third, and at least one; of those at
another level some have none. Each size has a third of the steps. Half of the random plans are tried, and GPU code is made of
every third program, in one of the tests that name it. What the test itself runs afterwards is always built.
"""

import argparse
import array
import collections
import concurrent.futures
import glob
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import zlib

sys.dont_write_bytecode = not sys.pycache_prefix  # the sources' folder stays as it is
import bricks  # noqa: E402
import generate  # noqa: E402
import plans  # noqa: E402
import statements  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
STEPS = (0, 1, 2, 3, 8, 13)
SIZES = {
    0: [()],
    1: [(n,) for n in (1, 2, 3, 5, 8, 9, 16, 33, 64, 127, 257, 1000, 3001)],
    2: [(1, 1), (1, 9), (3, 3), (2, 7), (5, 3), (3, 5), (5, 9), (9, 9), (10, 13), (17, 33),
        (33, 17), (31, 64), (65, 129), (129, 48), (257, 31), (40, 257)],
    3: [(1, 1, 1), (3, 3, 3), (3, 5, 2), (5, 3, 4), (5, 5, 5), (9, 9, 9), (9, 10, 11),
        (11, 9, 17), (17, 12, 33), (12, 33, 18), (33, 9, 10), (10, 11, 48), (48, 17, 13)],
}
# The runtime's report: a region ran on a device, or it did not.
RAN = re.compile(r"GCells/s")
DID_NOT = re.compile(r"original loop")
SETTINGS = ["STENCILOPT_" + name for name in ("BT", "DEVICE_MEMORY", "MAX_BT", "PART")]
TIMEOUT = 500
MOST_FAULTS = 2  # described of a program, with --brief
RUNTIME = "libstencilrt.so"


def option_parser():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--flang", default="flang-22", help="for kernels in Fortran")
    parser.add_argument("--plugin", help="without it both builds are plain")
    parser.add_argument("--device", default="sim", help="STENCILOPT_DEVICE for the run")
    parser.add_argument("--level", default="-O2")
    parser.add_argument("--flags", default="", help="more options for both builds")
    parser.add_argument("--arch", help="STENCILOPT_ARCH for the build")
    parser.add_argument("--keep-code", action="store_true",
                        help="keep what the build generates, for stubs of drivers to run: "
                             "STUBGPU_CODE (test/runtime/stubgpu.h)")
    parser.add_argument("--tolerance", type=float, default=0,
                        help="allowed relative difference; 0: every byte equal")
    parser.add_argument("--same", action="store_true",
                        help="fill the two buffers of a time loop alike")
    parser.add_argument("--tiny", action="store_true",
                        help="fill with denormal numbers and signed zeros")
    parser.add_argument("--ran", choices=["always", "once", "either", "never"], default="always",
                        help="whether the device must have done a case that updates cells; once: "
                             "all of it in one region")
    parser.add_argument("--may-refuse", action="store_true",
                        help="with --all: --ran either, whatever the .test files say, as where the "
                             "compiler has tiny limits")
    parser.add_argument("--real", default="float,double")
    parser.add_argument("--all", action="store_true",
                        help="what the RUN lines of the .test files here name")
    parser.add_argument("--work", help="where to build; default: a temporary folder")
    parser.add_argument("--build-only", metavar="DIR")
    parser.add_argument("--run-only", metavar="DIR")
    parser.add_argument("--only", metavar="REGEX",
                        help="with --run-only or --all: labels that match")
    parser.add_argument("--list", action="store_true", help="the labels of what would be built, nothing more")
    parser.add_argument("--brief", action="store_true",
                        help="a line for each program, not for each case that is right")
    parser.add_argument("--jobs", type=int, default=1, help="programs run side by side")
    parser.add_argument("--plans", type=int, metavar="N",
                        help="N random plans for each program; default: AN5D's suite")
    parser.add_argument("--seed", default="1", help="with --plans: what is drawn")
    parser.add_argument("--names", metavar="REGEX", help="with --plans: programs that match")
    parser.add_argument("--largest", type=int, default=plans.LOOP,
                        help="with --plans: instructions of a loop, about")
    parser.set_defaults(left_out=0)
    parser.add_argument("--plan", type=plans.parse, help="forces a plan: bt=4,cells=4,...,chunk=9")
    parser.add_argument("--steps", help="numbers of steps, joined by commas")
    parser.add_argument("--case", action="append", metavar="SIZES,STEPS",
                        help="only this case, on both sides of its pages")
    return parser


# ---- what to build --------------------------------------------------------------------------

def job_of(options, name, defines, real, plan=None, same=False, cases=None):
    flags = [options.level] + shlex.split(options.flags)
    plain_flags = flags if fortran_of(name) else ["-O2"] + flags[1:]
    defined = ["-D" + d for d in defines + (["REAL=" + real] if real else [])]
    other_than_usual = lambda flags: [f for f in flags if f != "-O2"]
    label = lambda words: "_".join(re.sub(r"[^A-Za-z0-9_.-]+", "-", w.strip("-")) for w in words if w)
    plain = label([name, *defines, real, *other_than_usual(plain_flags)]) + ".plain"
    words = [name, *defines, real, *other_than_usual(flags)]
    words += [options.arch or "", plans.text(plan or {})]
    words += ["tiny"] * options.tiny + ["same"] * same + ["off"] * (options.device == "off")
    return {
        "name": name, "label": label(words),
        "plain": plain, "device_build": label(words) + ".stencil",
        "flags": flags + defined, "plain_flags": plain_flags + defined,
        "tolerance": options.tolerance, "tiny": options.tiny, "same": same, "device": options.device,
        "ran": "never" if options.device == "off" else options.ran,
        "arch": options.arch, "plan": plan, "cases": cases, "keep_code": options.keep_code,
        "steps": list(map(int, options.steps.split(","))) if options.steps else STEPS,
        "turn": None if options.steps else int(real == "double") + turn(turns=36), "turns": 3 if few() else 2,
        "again": again(options, name, defines, real, plan, same),
    }


def again(options, name, defines, real, plan, same):
    """The command that builds and runs one job; a --case is still to come."""
    words = [os.path.relpath(__file__), "--clang", options.clang]
    words += ["--flang", options.flang] if fortran_of(name) else []
    words += ["--plugin", options.plugin] if options.plugin else []
    words += ["--level=" + options.level] * (options.level != "-O2")
    words += ["--flags=" + options.flags] * bool(options.flags)
    words += ["--tolerance=%g" % options.tolerance] * bool(options.tolerance)
    words += ["--arch", options.arch] if options.arch else []
    words += ["--real", real] * bool(real) + ["--plan", plans.text(plan or {})] * bool(plan)
    words += ["--tiny"] * options.tiny + ["--same"] * same
    words += ["--keep-code"] * options.keep_code
    return words + [":".join([name, ",".join(defines)] if defines else [name])]


def setting_of(options):
    """What is not as by default, as text."""
    return " ".join([options.level * (options.level != "-O2"), options.flags, options.arch or "", plans.text(options.plan or {}),
                     "same" * options.same, "tiny" * options.tiny]).strip()


def few():
    return os.environ.get("STENCIL_TESTS") == "few"


def turn(text="", turns=3):
    """A number that differs from text to text, and where few are run every so many turns. Each choice has its own number of turns, so that
    all come together; lit chooses RUN lines in each turn (test/lit_format.py)."""
    return zlib.crc32(text.encode()) + int(os.environ.get("STENCIL_TURN", 0)) // turns * few()


def variants(options, specs, in_turn=False):
    """A name, its definitions, what REAL is, and whether it may be left out where few are run, for each program and type;
    `in_turn`: with further definitions, or in another setting, a program takes one type, another one each time."""
    variant, setting = collections.Counter(), setting_of(options)
    environment = " ".join("%s=%s" % i for i in sorted(os.environ.items()) if i[0] in SETTINGS)
    # A level is tried by so many tests that it need not be in each of them.
    whole_lines = setting == options.level and not environment
    now, every = turn(os.path.basename(options.work or "") + setting + environment), 3 if setting or environment else 2
    for number, spec in enumerate(specs):
        name, _, defines = spec.partition(":")
        defines = [d for d in defines.split(",") if d]
        typed = any(d.startswith("TYPE=") for d in defines)
        reals = [""] if typed else options.real.split(",")
        mine = reals[(variant[name] + turn(name + setting, 18)) % len(reals)]
        if in_turn and (variant[name] or setting):
            reals = [mine]
        variant[name] += 1
        rest = (number + now) % (every if whole_lines else min(every, len(specs)))
        for real in reals:
            yield name, defines, real, bool(rest or real != mine)


def test_of(options):
    """The name of the test that runs this, if one does; its folder for what is built is named after it."""
    return os.path.basename(options.work or "").partition(".tmp")[0]


def text_of_test(options):
    path = os.path.join(HERE, test_of(options))
    return open(path).read() if os.path.isfile(path) else ""


def chosen(options, drawn):
    """Of jobs, and whether each may be left out, those that are run; how many are left out is noted in the options."""
    text = text_of_test(options)
    for job, spare in drawn:
        if spare and few() and "/" + job["device_build"] not in text and "/" + job["plain"] not in text:
            options.left_out += 1
        else:
            yield job


def jobs_of(options, in_turn=False):
    """One job for each program and type; see variants."""
    if options.plans:
        drawn = plan_jobs(options)
    else:
        cases = [list(map(int, c.split(","))) for c in options.case or [] for _ in "ab"]
        drawn = ((job_of(options, name, defines, real, options.plan, options.same, cases or None), spare)
                 for name, defines, real, spare in variants(options, options.programs, in_turn))
    yield from chosen(options, drawn) if in_turn else (job for job, _ in drawn)


def shape_of(name, defines, real, arch):
    stencil = generate.ALL.get(name)
    rank = (stencil.rank if stencil else statements.rank(name) or bricks.rank(name) or
            rank_of(os.path.join(HERE, name + ".c")))
    bits = re.search(r"TYPE=u?int(\d+)_t", " ".join(defines))
    return plans.Shape(rank, int(bits.group(1)) // 8 if bits else 8 if real == "double" else 4, stencil,
                       plans.lanes_of(arch))


def plan_jobs(options):
    """Jobs with random plans, and whether each may be left out."""
    specs = options.programs or [s.name for s in generate.suite()]
    specs = [spec for spec in specs if re.search(options.names or "", spec)]
    for which, (name, defines, real, _) in enumerate(variants(options, specs)):
        shape, label = shape_of(name, defines, real, options.arch), " ".join([name, *defines, real])
        for number in range(options.plans):
            drawn = plans.draw(options.seed, label, number, shape, options.largest)
            if drawn:
                plan, cases, same = drawn
                yield job_of(options, name, defines, real, plan, same, cases), bool((which + number + turn(name)) % 2)


def all_jobs(options):
    """The jobs of every `RUN: %compare ...` line beside this script; those that name no architecture are for --arch.
    Those in Fortran are left out where no compiler for it is."""
    parser = option_parser()
    seen = {}
    for path in sorted(glob.glob(os.path.join(HERE, "*.test"))):
        for line in open(path):
            _, found, arguments = line.partition("RUN: %compare ")
            if found:
                given = parser.parse_args(shlex.split(arguments), argparse.Namespace())
                given.arch = given.arch or options.arch
                if not shutil.which(options.flang):
                    given.programs = [p for p in given.programs if not fortran_of(p.partition(":")[0])]
                seen.update((job["label"], job) for job in jobs_of(given))
    return list(seen.values())


# ---- building -------------------------------------------------------------------------------

def call(command, environment=None):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=dict(os.environ, **environment or {}))
    if done.returncode:
        raise SystemExit("failed (%d): %s\n%s" % (done.returncode, shlex.join(command),
                                                  done.stdout))
    return done.stdout


def source_of(name, folder):
    path = os.path.join(HERE, name + ".c")
    if not os.path.exists(path):
        path = os.path.join(folder, name + ".c")
        text = statements.text(name) or bricks.text(name) or generate.text(name)
        if not os.path.exists(path) or open(path).read() != text:
            with open(path, "w") as file:
                file.write(text)
    return path


def is_made(path, command, *inputs):
    """Did this command make it, for an earlier RUN line of the same run of a test, and is no input newer?"""
    try:
        with open(path + ".by") as file:
            since = os.path.getmtime(file.name)
            return file.read() == made_by(command) and all(os.path.getmtime(i) <= since for i in inputs)
    except OSError:
        return False


def set_made(path, command):
    with open(path + ".by", "w") as file:
        file.write(made_by(command))


def made_by(command):
    return "%s %s" % (os.environ.get("STENCIL_SHARED", os.getppid()), shlex.join(command))


def compiler_settings():
    """The options that the environment gives to the plugin: those that lib/options/options.def names."""
    with open(os.path.join(HERE, "../../lib/options/options.def")) as table:
        names = re.findall(r"^OPTION\((\w+),", table.read(), re.M)
    return ["STENCILOPT_%s=%s" % (name, os.environ["STENCILOPT_" + name]) for name in names if "STENCILOPT_" + name in os.environ]


def shared_by_tests(out, words, make):
    """Has `make` make the file `out`, or copies it from what another test made by the same words in this run of lit."""
    folder = os.environ.get("STENCIL_SHARED")
    if not folder or "STENCILOPT_SAVE_TEMPS=" in " ".join(words):
        return make()
    kept = os.path.join(folder, hashlib.sha256(shlex.join(words).encode()).hexdigest())
    try:
        return shutil.copy2(kept, out)
    except FileNotFoundError:
        make()
    started = "%s.%d.%d" % (kept, os.getpid(), threading.get_ident())
    try:
        shutil.copy2(out, started)
        os.replace(started, kept)
    except OSError:
        pass  # the folder may be gone, or the disk full: the others build it again


def fortran_of(name):
    """Where the program's kernel is, if that is in Fortran, or None."""
    path = os.path.join(HERE, name + ".f90")
    return path if os.path.exists(path) else None


def harness_object(options, folder):
    path, source = os.path.join(folder, "harness.o"), os.path.join(HERE, "harness.c")
    command = [options.clang, "-O2", "-Wall", "-Wextra", "-c", source, "-o", path]
    if not is_made(path, command, source, *glob.glob(os.path.join(HERE, "*.h"))):
        shared_by_tests(path, command[:-1], lambda: call(command))
        set_made(path, command)
    return path


def rank_of(source, flags=()):
    """A number in the PROGRAM line, or a macro there that the flags define."""
    rank = re.search(r"PROGRAM\((\w+)", open(source).read()).group(1)
    return int(dict(f[2:].split("=", 1) for f in flags if f[:2] == "-D" and "=" in f).get(rank, rank))


def fortran_flags(flags):
    """The definitions, but the type REAL as its kind; and options."""
    kinds = {"-DREAL=float": "-DKIND=4", "-DREAL=double": "-DKIND=8"}
    return [kinds.get(flag, flag) for flag in flags]


def compile_fortran(job, options, folder, path, out, plugin, environment):
    """The kernel's object file; a folder of its own for the module files."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        call([options.flang, "-cpp", "-ffp-contract=off", "-module-dir", place, *fortran_flags(job["flags"]),
              *plugin, "-c", path, "-o", out], environment)


def linker(clang, flags):
    """The compiler to link with, and its options. gcc's driver starts sooner; clang's knows what these options link in."""
    needs = any(flag.startswith(("-fopenmp", "-ffast-math", "-flto", "-fsanitize")) for flag in flags)
    other = shutil.which("cc")
    return [clang, *flags] if needs or not other else [other]


def compile_job(job, options, folder, source, harness, plugin, environment=None):
    out = os.path.join(folder, job["device_build" if plugin else "plain"])
    flags = job["flags" if plugin else "plain_flags"]
    plugin = ["-fpass-plugin=" + os.path.abspath(plugin)] if plugin else []
    fortran = fortran_of(job["name"])
    command = [options.clang, "-Wall", "-Wextra", "-ffp-contract=off", "-I", HERE, *flags, *plugin, source, "-c", "-o", out + ".c.o"]

    def build():
        call(command, environment)
        call([*linker(options.clang, flags), out + ".c.o", harness, "-lm", "-lpthread", "-o", out])

    if not fortran:
        if plugin or not is_made(out, command, source, harness, *glob.glob(os.path.join(HERE, "*.h"))):
            own = [name + "=" + value for name, value in (environment or {}).items()]
            shared_by_tests(out, command[:-1] + compiler_settings() + own, build)
            set_made(out, command)
        return
    compile_fortran(job, options, folder, fortran, out + ".f.o", plugin, environment)
    call([word for word in command if word not in plugin])
    call([options.flang, out + ".f.o", out + ".c.o", harness, "-lm", "-lpthread", "-o", out])


def code_folder(job, folder):
    return os.path.join(folder, job["device_build"] + ".code")


def build_device(job, options, folder, source, harness):
    """Also says whether the planner took the plan."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        place = code_folder(job, folder) if job["keep_code"] else place
        forced = plans.environment(job["plan"] or {}, plans.FORCED)
        forced.update({"STENCILOPT_SAVE_TEMPS": place} if job["plan"] or job["keep_code"] else {})
        forced.update({"STENCILOPT_ARCH": job["arch"]} if job["arch"] else {})
        forced.update({"STENCILOPT_CODE": str(int(job["code"]))})
        try:
            compile_job(job, options, folder, source, harness, options.plugin, forced)
        except SystemExit as failure:
            if not job["plan"]:
                raise
            job["broken"] = str(failure)[:1000]
        job["refused"] = bool(job["plan"]) and not plans.was_taken(job["plan"], place)
        if job["code"] and not job["refused"] and not job.get("broken"):
            set_made(*code_made(job, options, folder))


# ---- running --------------------------------------------------------------------------------

class Run:
    """One process over all cases: its output lines, and the report lines of each case."""

    def __init__(self, job, folder, which, cases, device, extra=()):
        path = os.path.join(folder, job[which])
        # Small sizes too are to be blocked, whatever the estimates say of them.
        environment = dict({"STENCILOPT_MAX_BT": "1024"}, **os.environ)
        environment.update(STENCILOPT_DEVICE=device, STENCILOPT_REPORT="each",
                           **plans.environment(job["plan"] or {}, plans.AT_RUN))
        if job["keep_code"]:
            environment["STUBGPU_CODE"] = code_folder(job, folder)
        extra = [*extra, *["--tiny"] * job["tiny"], *["--same"] * job["same"]]
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


def report_fault(run, k, steps, job):
    """What is wrong with the report of case k, or None."""
    lines, ran = run.reports[k], job["ran"]
    did, did_not = (any(p.search(line) for line in lines) for p in (RAN, DID_NOT))
    if ran in ("always", "once") and run.cells[k] and steps and (did_not or not did):
        return "the device did not do it; report: " + ("; ".join(lines) or "none")
    regions = sum(bool(RAN.search(line) or DID_NOT.search(line)) for line in lines)
    if ran == "once" and regions > 1:
        return "it took %d regions; report: %s" % (regions, "; ".join(lines))
    if ran == "never" and did:
        return "the device did it, and must not; report: " + "; ".join(lines)
    forced = (job["plan"] or {}).get("bt", 0)
    blocked = re.compile(r", bT %d( \(the [^)]*\))?, tile " % forced)  # no "(a thread a cell)"
    if forced and run.cells[k] and steps > forced and not blocked.search("".join(lines)):
        return "another degree than the plan's, or not blocked; report: " + "; ".join(lines)
    return None


TYPES = {"f32": "f", "f64": "d", "i8": "b", "i16": "h", "i32": "i", "i64": "q",
         "u8": "B", "u16": "H", "u32": "I", "u64": "Q"}


def dumped(job, folder, which, cases, device):
    """The buffers of each case, {name: array}; or None if the program fails."""
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "dump")
        run = Run(job, folder, which, cases, device, ["--dump", path])
        data = open(path, "rb").read() if os.path.exists(path) else b""
    return [buffers_of(line, data, offset) for line, offset in zip(run.lines, offsets(run.lines))] if run.status == 0 else None


LISTED = re.compile(r" (\w+):(\w+):(\d+)=")  # what a case's line says of a buffer


def size_of(kind, count):
    return int(count) * array.array(TYPES[kind]).itemsize


def offsets(lines):
    """Where each case's buffers begin in the file."""
    at = 0
    for line in lines:
        yield at
        at += sum(size_of(kind, count) for _, kind, count in LISTED.findall(line))


def buffers_of(line, data, at):
    buffers = {}
    for name, kind, count in LISTED.findall(line):
        buffers[name] = array.array(TYPES[kind])
        buffers[name].frombytes(data[at:at + size_of(kind, count)])
        at += size_of(kind, count)
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


class Dumps:
    """What both programs leave in their buffers: all cases in one run each, as soon as one is asked for."""

    def __init__(self, job, folder, cases, device):
        self.job, self.folder, self.cases, self.device, self.all = job, folder, cases, device, None

    def of(self, cases):
        return [dumped(self.job, self.folder, which, cases, device)
                for which, device in (("plain", "off"), ("device_build", self.device))]

    def both(self, k):
        self.all = self.all or self.of(self.cases)
        # A program that fails in a later case may be right in this one.
        plain, other = [d[k] for d in self.all] if all(self.all) else [d[0] if d else {} for d in self.of([self.cases[k]])]
        return plain, other


def value_fault(job, dumps, k):
    """What differs in case k, whose hashes differ, or None if within the tolerance."""
    found = list(differences(*dumps.both(k)))
    if not found:
        return "hashes differ in one run and not in the next"
    if job["tolerance"] and all(d[-1] <= job["tolerance"] for d in found):
        return None
    return "; ".join("%s: %d elements differ, first [%d]: %r, must be %r" % (n, c, k, b, a)
                     for n, c, k, a, b, _ in found)


def again_with(job, case, device):
    command = job["again"] + ["--device", device] * (device != "sim")
    return shlex.join(command + ["--case", ",".join(map(str, case))])


def run_job(job, folder, device, brief):
    """Returns how many cases failed, and a line a case, or one for all that are right."""
    device = job["device"] if job["device"] == "off" else device
    if job.get("broken"):
        return 1, ["FAIL %s: %s" % (job["label"], job["broken"])]
    if job.get("refused"):
        return 0, [] if brief else ["refused " + job["label"]]
    cases = cases_of(job, device)
    plain = Run(job, folder, "plain", cases, "off")
    other = Run(job, folder, "device_build", cases, device)
    dumps = Dumps(job, folder, cases, device)
    failed, lines = 0, []
    for k, case in enumerate(cases):
        if k >= len(plain.lines) or k >= len(other.lines):
            fault = "plain or device build ended here, status %s and %s; %s" % (
                plain.status, other.status, "; ".join((other.reports or [[]])[-1][-5:]))
        elif plain.lines[k] != other.lines[k]:
            fault = value_fault(job, dumps, k)
        else:
            fault = report_fault(other, k, case[-1], job)
        if not fault and "guard=BROKEN" in other.lines[k]:
            fault = "wrote outside a buffer"
        failed += bool(fault)
        if not brief or (fault and failed <= MOST_FAULTS):
            lines.append("%s %s %s%s" % ("FAIL" if fault else "ok", job["label"],
                                         " ".join(map(str, case)), ": " + fault if fault else ""))
            lines += ["  again: " + again_with(job, case, device)] * bool(fault)
        if k >= len(other.lines):
            return failed + len(cases) - k - 1, lines
    if plain.status or other.status:
        lines.append("FAIL %s: status %s and %s" % (job["label"], plain.status, other.status))
        failed += 1
    if brief and not failed:
        lines.append("ok %s: %d cases" % (job["label"], len(cases)))
    if brief and failed > MOST_FAULTS:
        lines.append("FAIL %s: %d cases of %d in all" % (job["label"], failed, len(cases)))
    return failed, lines


def code_made(job, options, folder):
    """What set_made and is_made take: that GPU code of the program was made."""
    return os.path.join(folder, job["name"] + ".code-made"), [options.plugin or "", job["arch"] or ""]


def has_code_now(name, options):
    """Where few are run: is it the turn of this program and, of the tests that name it, of this one?"""
    now = turn(name)
    if now % 3 or not text_of_test(options):
        return not now % 3
    paths = sorted(glob.glob(os.path.join(HERE, "*.test")))
    tests = [os.path.basename(path) for path in paths if re.search(r"\b%s\b" % re.escape(name), open(path).read())]
    return not tests or tests[now // 3 % len(tests)] == test_of(options)


def choose_code(jobs, options, folder):
    """The simulator runs IR, so code for GPUs is made only once for each program, to see that it can be."""
    simulates = options.device in ("sim", "off") and not options.build_only
    seen = set()
    for job in jobs:
        made = simulates and options.plugin and is_made(*code_made(job, options, folder), options.plugin)
        rest = few() and not has_code_now(job["name"], options)
        job["code"] = not simulates or job["keep_code"] or (job["name"] not in seen and not made and not rest)
        seen.add(job["name"])


def cases_of(job, device):
    """All numbers of steps; on the simulator every other one (or third), the rest for the next sizes and for the other type."""
    if job["cases"]:
        return job["cases"]
    turn, turns = job["turn"] if device == "sim" else None, job["turns"]
    return [size + (steps,) for k, size in enumerate(SIZES[job["rank"]])
            for steps in (job["steps"] if turn is None else job["steps"][(k + turn) % turns::turns])]


def build_all(jobs, options, folder):
    os.makedirs(folder, exist_ok=True)
    choose_code(jobs, options, folder)
    harness = harness_object(options, folder)
    sources = {name: source_of(name, folder) for name in {job["name"] for job in jobs}}
    for job in jobs:
        job["rank"] = rank_of(sources[job["name"]], job["flags"])
        if not options.plugin:
            job.update(device_build=job["plain"], ran="either")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        plain = {job["plain"]: job for job in jobs}
        done = [pool.submit(compile_job, job, options, folder, sources[job["name"]], harness, None)
                for job in plain.values()]
        done += [pool.submit(build_device, job, options, folder, sources[job["name"]], harness)
                 for job in jobs if options.plugin]
        for future in done:
            future.result()
    return jobs


def build_only(jobs, options):
    folder = options.build_only
    with tempfile.TemporaryDirectory() as place:
        jobs = build_all(jobs, options, place)
        os.makedirs(folder, exist_ok=True)
        for job in jobs:
            for which in "plain", "device_build":
                if os.path.exists(os.path.join(place, job[which])):
                    shutil.copy2(os.path.join(place, job[which]), folder)
            if job["keep_code"]:
                shutil.copytree(code_folder(job, place), code_folder(job, folder),
                                dirs_exist_ok=True)
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
        in_turn = options.device == "sim" and not options.build_only
        jobs = all_jobs(options) if options.all else list(jobs_of(options, in_turn))
    if options.only:
        jobs = [job for job in jobs if re.search(options.only, job["label"])]
    if options.may_refuse:
        jobs = [{**job, "ran": "either"} for job in jobs]
    if options.list:
        print(*(job["device_build"] for job in jobs), sep="\n")
        return print("%d left out" % options.left_out)
    if not jobs and not options.left_out:
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
                if lines:
                    print(*lines, sep="\n", flush=True)
                failed += count
    refused = ["\n  refused: " + job["label"] for job in jobs if job.get("refused")]
    left_out = ", %d left out" % options.left_out if options.left_out else ""
    print("%d programs, %d failures%s%s" % (len(jobs) - len(refused), failed, left_out, "".join(refused)))
    if 3 * len(refused) > 2 * len(jobs) and not options.left_out:
        print("FAIL: %d of %d plans were refused" % (len(refused), len(jobs)))
        failed += 1
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
