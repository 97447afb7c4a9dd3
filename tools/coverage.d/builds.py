# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and runs a program plain and with the plugin, and compares."""

import dataclasses
import glob
import hashlib
import json
import os
import pickle
import re
import shutil
import stat
import subprocess
import sys
import time

import corpus
import nests
import packs
import records

TOOL = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "coverage")
DRIVERS = {"cc": "stencil-cc", "c++": "stencil-c++", "fc": "stencil-fc"}
NAMES = {"cc": "cc gcc clang clang-22 c99", "c++": "c++ g++ clang++ clang++-22", "fc": "gfortran flang flang-22 flang-new f77 f95"}
SOURCE = re.compile(r"\.(c|cc|cpp|cxx|C|c\+\+|m|f|F|for|f90|F90|f95|F95|f03|F03|f08|F08)$")
LTO = "-flto=thin -fuse-ld=lld -Wl,-mllvm,-import-instr-limit=5000"
PLAIN = {"CC": "clang-22", "CXX": "clang++-22", "FC": "flang-22", "LTO": LTO}
RECORD = ["-fsave-optimization-record", "-foptimization-record-passes=stencil"]


@dataclasses.dataclass
class Result:
    program: corpus.Program
    records: list = dataclasses.field(default_factory=list)
    regions: list = dataclasses.field(default_factory=list)
    states: list = dataclasses.field(default_factory=list)
    whole: set = dataclasses.field(default_factory=set)
    loops_lost: list = dataclasses.field(default_factory=list)
    trouble: str = ""
    bad: bool = False
    seconds: tuple = (0.0, 0.0)


def compile_one(driver, words):
    """A compiler's call, as the driver of StencilOpt, with records in the folder that the environment names."""
    folder = os.environ["COVERAGE_RECORDS"]
    call = [os.path.join(os.environ["COVERAGE_BUILD"], "bin", DRIVERS[driver])] + words
    sources = [w for w in words if SOURCE.search(w) and not w.startswith("-")]
    if not sources or any(w in ("-E", "-M", "-MM", "-fsyntax-only") for w in words):
        return subprocess.call(call)
    mark = hashlib.sha256("\0".join([os.getcwd()] + words).encode()).hexdigest()[:16]
    if len(sources) == 1:
        return subprocess.call(call + RECORD + ["-foptimization-record-file=%s/%s.yaml" % (folder, mark)])
    before = set(glob.glob("*.opt.yaml"))
    status = subprocess.call(call + RECORD)
    for i, file in enumerate(sorted(set(glob.glob("*.opt.yaml")) - before)):
        shutil.move(file, os.path.join(folder, "%s-%d.yaml" % (mark, i)))
    return status


def wrappers(folder):
    """Programs named as compilers, each a call of compile_one."""
    bin_folder = os.path.join(folder, "bin")
    os.makedirs(bin_folder, exist_ok=True)
    for driver, names in NAMES.items():
        for name in names.split():
            file = os.path.join(bin_folder, name)
            with open(file, "w") as f:
                f.write("#!/bin/sh\nexec '%s' '%s' --compile %s \"$@\"\n" % (sys.executable, TOOL, driver))
            os.chmod(file, os.stat(file).st_mode | stat.S_IXUSR)
    return bin_folder


def environment(build, folder, in_path):
    """For a build with the plugin; its records go to folder/records."""
    os.makedirs(os.path.join(folder, "records"), exist_ok=True)
    bin_folder = wrappers(folder)
    env = dict(os.environ, COVERAGE_RECORDS=os.path.join(folder, "records"), COVERAGE_BUILD=build,
               CC=os.path.join(bin_folder, "cc"), CXX=os.path.join(bin_folder, "c++"), FC=os.path.join(bin_folder, "gfortran"))
    env["LTO"] = " ".join([LTO, "-Wl,--load-pass-plugin=" + os.path.join(build, "lib", "libstencilopt.so"), *RECORD,
                           "-foptimization-record-file=%s/link" % env["COVERAGE_RECORDS"]])
    # The drivers look for clang on PATH: that must not be a wrapper.
    for variable, name in ("STENCILOPT_CLANG", "clang-22"), ("STENCILOPT_FLANG", "flang-22"):
        if shutil.which(name):
            env.setdefault(variable, shutil.which(name))
    if in_path:
        env["PATH"] = bin_folder + os.pathsep + env["PATH"]
    return env


def run_users(command, build, folder):
    try:
        return subprocess.call(command, env=environment(build, folder, True))
    except OSError as e:
        sys.exit("coverage: %s: %s" % (command[0], e.strerror))


def shell(command, cwd, env, log, timeout):
    """Status of a shell's command, with what it printed added to the file; None: it ran too long."""
    with open(log, "ab") as out:
        try:
            return subprocess.run(["bash", "-c", command], cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=out,
                                  stderr=subprocess.STDOUT, timeout=timeout).returncode
        except subprocess.TimeoutExpired:
            return None


def make(program, o, kind):
    """Copies the sources and builds them. Returns the folder to run in, the environment, what went wrong. A plain build
    of the same program that is there already is used again."""
    top = os.path.join(o.work, program.name, kind)
    stamp, entry = os.path.join(top, "entry"), repr(program)
    if kind == "plain" and os.path.exists(stamp) and open(stamp).read() == entry:
        return os.path.join(top, "source", program.folder), dict(os.environ, **PLAIN), ""
    shutil.rmtree(top, ignore_errors=True)
    source = os.path.join(top, "source")
    shutil.copytree(corpus.sources(program, o), source, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    env = environment(o.build, top, False) if kind == "plugin" else dict(os.environ, **PLAIN)
    env["FLAGS"] = program.flags
    folder = os.path.join(source, program.folder)
    log = os.path.join(top, "build.log")
    for command in program.prepare + program.build:
        status = shell(command, folder, env, log, 1200)
        if status != 0:
            return folder, env, "'%s' %s, see %s" % (command, "ran too long" if status is None else "failed", log)
    with open(stamp, "w") as f:
        f.write(entry)
    return folder, env, ""


def output(program, folder, env, log, timeout, after=lambda: None):
    """What the runs print and write: a list of (name, bytes), the status last. `after` is called after each run."""
    seen, status = [], 0
    for i, command in enumerate(program.run):
        out = "%s.%d" % (log, i)
        if os.path.exists(out):
            os.remove(out)
        status = shell(command, folder, env, out, timeout)
        after()
        with open(out, "rb") as f:
            lines = f.read().splitlines(keepends=True)
        if program.ignore:
            lines = [l for l in lines if not re.search(program.ignore.encode(), l)]
        seen += [("output of '%s'" % command, b"".join(lines)), ("status of '%s'" % command, str(status).encode())]
    for pattern in program.files:
        found = sorted(glob.glob(os.path.join(folder, pattern)))
        seen += [(os.path.relpath(f, folder), open(f, "rb").read()) for f in found] or [(pattern, b"missing")]
    return seen


def compare(plain, plugin):
    """What differs, in words; empty if nothing does."""
    if [n for n, _ in plain] != [n for n, _ in plugin]:
        return "other files: %s" % ", ".join({n for n, _ in plain} ^ {n for n, _ in plugin})
    for (name, a), (_, b) in zip(plain, plugin):
        if a != b and name.startswith("status"):
            return "%s differs: %s, with the plugin %s" % (name, a.decode(), b.decode())
        if a != b:
            return "%s differs (%d bytes against %d bytes)" % (name, len(a), len(b))
    return ""


def take(report):
    """The regions of a run's report, which is removed. None where the program entered no region."""
    try:
        with open(report) as f:
            found = json.load(f)["regions"]
        os.remove(report)
        return found
    except (OSError, ValueError):
        return []


def run_both(program, o, result, plain_folder, plugin_folder, env):
    """Runs the two builds and compares. A plain program whose own runs differ says nothing about the plugin."""
    logs = [os.path.join(o.work, program.name, kind, "run") for kind in ("plain", "plugin")]
    plain_env = dict(os.environ, **PLAIN)
    began = time.monotonic()
    plain = output(program, plain_folder, plain_env, logs[0], o.timeout)
    middle = time.monotonic()
    report = os.path.join(o.work, program.name, "plugin", "report.json")
    env.update(STENCILOPT_DEVICE=o.device, STENCILOPT_REPORT="json:" + report)
    seen = output(program, plugin_folder, env, logs[1], o.timeout, lambda: result.regions.extend(take(report)))
    result.seconds = (middle - began, time.monotonic() - middle)
    result.trouble = compare(plain, seen)
    result.bad = bool(result.trouble)
    if result.bad and compare(plain, output(program, plain_folder, plain_env, logs[0] + "-again", o.timeout)):
        result.trouble, result.bad = "the plain program's own runs differ", False


def pack(program, o):
    """Builds the program plain and with the plugin, runs neither, and copies what the runs need to a folder for a machine
    without compilers. Returns what went wrong."""
    for kind in "plain", "plugin":
        folder, _, trouble = make(program, o, kind)
        if trouble:
            return trouble
        packs.copy(os.path.join(o.work, program.name, kind, "source"), folder, corpus.sources(program, o),
                   os.path.join(o.pack, program.name, kind))
    packs.describe(program, os.path.join(o.pack, program.name))
    return ""


def saved(program, o):
    """The result of an earlier call, judged again by the list as it is now, or None."""
    top = os.path.join(o.work, program.name)
    try:
        with open(os.path.join(top, "result"), "rb") as f:
            result = pickle.load(f)
    except OSError:
        return None
    result.program = program
    return judged(result, os.path.join(top, "plugin", "source", program.folder))


def judged(result, folder):
    result.states, result.whole, result.loops_lost = nests.judge(result.program, result.records, result.regions, folder)
    return result


def measure(program, o):
    result = compared(program, o)
    with open(os.path.join(o.work, program.name, "result"), "wb") as f:
        pickle.dump(result, f)
    return result


def compared(program, o):
    result = Result(program)
    plain_folder, _, trouble = make(program, o, "plain")
    if trouble:
        result.trouble = "plain build: " + trouble
        return result
    folder, env, trouble = make(program, o, "plugin")
    result.records = records.read_all(os.path.join(o.work, program.name, "plugin", "records"))
    if trouble:
        result.trouble, result.bad = "build with the plugin: " + trouble, True
    else:
        run_both(program, o, result, plain_folder, folder, env)
    return judged(result, folder)
