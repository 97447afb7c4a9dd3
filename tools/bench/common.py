# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the benchmark tools share: AN5D's cases, compiling them, reading plans and cubins, packing a folder that
travels, and running regions in one process (runner.c)."""

import argparse
import concurrent.futures
import glob
import json
import math
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PROGRAMS = os.path.join(ROOT, "test", "programs")
sys.path.insert(0, PROGRAMS)
sys.path.insert(0, os.path.join(ROOT, "tools", "python"))
sys.dont_write_bytecode = True  # the sources' folder stays as it is
import generate  # noqa: E402
from plans import main_kernel, parse_plan  # noqa: E402

BYTES = {"float": 4, "double": 8}
BANDWIDTH = 4.23e3  # GB/s, read + write: a copy on one H200


class Case:
    """A benchmark and its type."""

    def __init__(self, stencil, real):
        self.stencil, self.real, self.rank = stencil, real, stencil.rank
        self.name = "%s:%s" % (stencil.name, real)
        self.file = "%s_%s" % (stencil.name, real)
        # With a division or square root, as AN5D's figures: fast mathematics.
        fast = stencil.form != "sum"
        self.flags = ["-O3", "-ffast-math"] if fast else ["-O2"]

    def one_step_limit(self):
        """GCells/s that copying allows without temporal blocking."""
        return BANDWIDTH / (2 * BYTES[self.real])


def cases(patterns):
    """Those whose names, such as star2d1r:float, match one of the regular expressions; all floats first."""
    found = [Case(s, real) for real in BYTES for s in generate.suite()]
    return [c for c in found
            if not patterns or any(re.fullmatch(p, c.name) or re.fullmatch(p, c.stencil.name)
                                   for p in patterns)]


def need_plugin(path):
    if not os.path.exists(path):
        raise SystemExit("no plugin at %s; build it (cmake -S . -B build -G Ninja && ninja -C build) or name it with --plugin"
                         % path)


class Parser(argparse.ArgumentParser):
    """Says at once if there is no plugin. What was built elsewhere needs none."""
    needs_plugin = True

    def parse_args(self, *words):
        options = super().parse_args(*words)
        given = vars(options)
        if self.needs_plugin and not any(given.get(name) for name in ("run", "draw", "links")):
            need_plugin(options.plugin)
        return options


def parser(text):
    p = Parser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--plugin", default=os.path.join(ROOT, "build", "lib", "libstencilopt.so"))
    p.add_argument("--clang", default=shutil.which("clang-22") or "clang")
    p.add_argument("--arch", default="sm_90", help="the GPU to compile for")
    return p


def build_or_run(p, required=True):
    what = p.add_mutually_exclusive_group(required=required)
    what.add_argument("--build", metavar="DIR", help="compile into DIR, which travels")
    what.add_argument("--run", metavar="DIR", help="measure what DIR has")
    p.add_argument("--device", default="cuda", help="cuda, or sim to try the tool itself")
    p.add_argument("--seconds", type=float, default=180, help="for the whole --run")
    p.add_argument("--json", metavar="FILE", help="what was measured, for programs")
    return what


# ---- building ---------------------------------------------------------------------------------

class TooLong(Exception):
    pass


def call(command, limit=None, **more):
    """Its output. `limit`: seconds of the processor, then TooLong."""
    words = ["sh", "-c", 'ulimit -t %d; exec "$@"' % limit, "sh", *command] if limit else command
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if limit and done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise TooLong(" ".join(command))
    if done.returncode:
        raise SystemExit("failed (%d): %s\n%s" % (done.returncode, " ".join(command),
                                                  done.stdout[:3000]))
    return done.stdout


def ptxas():
    return shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"


def write_source(case, folder):
    path = os.path.join(folder, case.stencil.name + ".c")
    if not os.path.exists(path):
        with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as file:  # several write at a time
            file.write(generate.text(case.stencil.name))
        os.replace(file.name, path)
    return path


def compiler(options, case):
    return [options.clang, *case.flags, "-fno-math-errno", "-DREAL=" + case.real, "-I", PROGRAMS]


def path_with_ptxas(assemble):
    """The plugin assembles its PTX where it finds ptxas."""
    place, path = os.path.dirname(ptxas()), os.environ["PATH"].split(os.pathsep)
    return os.pathsep.join([place] + path if assemble else [p for p in path if p != place])


def compile_case(options, case, source, target, assemble=True, limit=None, **forced):
    """Makes a shared object for runner.c with the plugin; what is forced are its options. Returns what was
    generated: {ending: bytes}."""
    with tempfile.TemporaryDirectory() as saved:
        environment = dict(os.environ, STENCILOPT_SAVE_TEMPS=saved, STENCILOPT_ARCH=options.arch,
                           PATH=path_with_ptxas(assemble))
        environment.update(("STENCILOPT_" + k.upper(), str(v)) for k, v in forced.items())
        call([*compiler(options, case), "-fpass-plugin=" + os.path.abspath(options.plugin), source, "-o", target,
              "-shared", "-fPIC", "-s", "-lm"], env=environment, limit=limit)
        return {path.rpartition(".")[2]: open(path, "rb").read()
                for path in glob.glob(os.path.join(saved, "*.0.*"))}


def build_program(options, case, place, folder, name, **forced):
    """A shared object for runner.c, with machine code. Returns its file's name and its kernels."""
    made = compile_case(options, case, write_source(case, place), os.path.join(folder, name + ".so"), **forced)
    kernels = parse_plan(made["plan"].decode())
    used = resources(made["o"]) if "o" in made else {}
    for kernel in kernels:
        kernel["registers"], kernel["spilled"] = used.get(kernel["name"], (None, None))
    return {"program": name + ".so", "kernels": kernels}


def build_tool(options, folder, name, *more):
    """From NAME.c beside this file."""
    call([options.clang, "-O2", "-s", "-Wall", "-Wextra", "-I", PROGRAMS, "-I", os.path.join(ROOT, "include"),
          os.path.join(HERE, os.path.splitext(name)[0] + ".c"), "-o", os.path.join(folder, name), *more])


def build_runner(options, folder):
    build_tool(options, folder, "runner", "-lpthread")
    shutil.copy(os.path.join(os.path.dirname(options.plugin), "libstencilrt.so"), folder)


def in_parallel(work, items):
    """work(item) of each, on all processors, in order; says how far it is."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = []
        for k, result in enumerate(pool.map(work, items)):
            results.append(result)
            print("\r%d of %d built" % (k + 1, len(items)), end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
    return results


def pack(folder, target, name, facts):
    """The files of `folder`, and `facts`, as one small file, target/name.tar.xz."""
    os.makedirs(target, exist_ok=True)
    path = os.path.join(target, name + ".tar.xz")
    with open(os.path.join(folder, "facts.json"), "w") as file:
        json.dump(facts, file)
    with tarfile.open(path, "w:xz") as archive:
        for entry in sorted(os.listdir(folder)):
            archive.add(os.path.join(folder, entry), entry)
    print("%s: %.1f MiB" % (path, os.path.getsize(path) / 2**20))


def unpack(source, name, folder):
    path = os.path.join(source, name + ".tar.xz")
    if not os.path.exists(path):
        raise SystemExit("%s is not there; make it with --build %s, where clang is" % (path, source))
    with tarfile.open(path) as archive:
        # Python 3.11.2, which Debian 12 has, knows no filters.
        archive.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    with open(os.path.join(folder, "facts.json")) as file:
        return json.load(file)


# ---- what was generated -----------------------------------------------------------------------

def plan_words(k):
    """bT, tile, cells x rows, warps, prefetch."""
    lane = "%sx%s" % (k["cells"], k["rows"]) if "cells" in k and "rows" in k else "1x1"
    return [k["bt"], k.get("tile", k.get("block", "-")), lane, k.get("warps", "-"),
            k.get("prefetch", "-")]


def resources(cubin):
    """{kernel: (registers, bytes a thread spills)}: entries EIATTR_REGCOUNT (0x2f) and EIATTR_FRAME_SIZE (0x11)
    of section .nv.info, as cuobjdump -elf names them. Our kernels have no local arrays, so a frame is spills."""
    table, = struct.unpack_from("<Q", cubin, 40)
    count, names = struct.unpack_from("<HH", cubin, 60)
    sections = [struct.unpack_from("<IIQQQQIIQQ", cubin, table + 64 * k) for k in range(count)]
    text = lambda section, at: cubin[section[4] + at:cubin.index(b"\0", section[4] + at)].decode()
    by_name = {text(sections[names], s[0]): s for s in sections}
    symbols, strings = by_name[".symtab"][4], by_name[".strtab"]
    info = by_name[".nv.info"]
    registers, frames = {}, {}
    at, end = info[4], info[4] + info[5]
    while at + 4 <= end:
        form, key, size = struct.unpack_from("<BBH", cubin, at)
        at += 4
        if form == 4:  # a size, and as many bytes
            if key in (0x2f, 0x11):
                symbol, value = struct.unpack_from("<II", cubin, at)
                name = text(strings, struct.unpack_from("<I", cubin, symbols + 24 * symbol)[0])
                (registers if key == 0x2f else frames)[name] = value
            at += size
    return {name: (value, frames.get(name, 0)) for name, value in registers.items()}


# ---- running ----------------------------------------------------------------------------------

class Failed(Exception):
    pass


class Session:
    """A runner process, started when needed, and again after a failure."""

    def __init__(self, options, folder, **environment):
        library = lambda place, name: os.path.join(os.path.abspath(place), name)
        self.folder = folder
        self.environment = {"STENCILOPT_RUNTIME": library(folder, "libstencilrt.so"),
                            "STENCILOPT_LIBSIM": library(os.path.dirname(options.plugin), "libstencilsim.so"),
                            **os.environ, "STENCILOPT_DEVICE": options.device, "STENCILOPT_REPORT": "each",
                            **environment}
        self.process = None

    def close(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.close()

    def _answer(self):
        report = ""
        for line in self.process.stdout:
            if line.startswith("done "):
                return report, line.split()[3]
            if line.startswith("failed ") or "original loops ran" in line:
                raise Failed(line.strip())
            report = line if "GCells/s" in line else report
        raise Failed("the program died" if self.process.wait(10) else "the program ended")

    def run(self, program, steps, sizes, limit=60):
        """One region: a dictionary of what the runtime reports. Never lets original loops run: they would take
        minutes. Raises Failed."""
        if not self.process:
            self.process = subprocess.Popen(
                [os.path.join(self.folder, "runner")], stdin=subprocess.PIPE, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=self.environment, bufsize=1)
        late = threading.Timer(limit, self.process.kill)
        late.start()
        try:
            self.process.stdin.write(" ".join(map(str, (os.path.join(self.folder, program), steps, *sizes))) + "\n")
            self.process.stdin.flush()
            report, result = self._answer()
            return dict(parse_report(report), hash=result)
        except (Failed, OSError) as why:
            self.close()
            raise Failed(str(why)) from None
        finally:
            late.cancel()


def parse_report(line):
    seconds = re.search(r"kernels ([\d.]+) ms", line)
    if not seconds or not float(seconds.group(1)):
        raise Failed("no kernel time in the report: " + line.strip())
    degree = re.search(r"\bbT (\d+)", line)
    return {"seconds": 1e-3 * float(seconds.group(1)), "bt": int(degree.group(1)) if degree else 1,
            "cell": "(a thread a cell)" in line}


def giga_cells(case, sizes):
    """Cells that a step updates, 1e9."""
    cells = 1e-9
    for d, size in enumerate(sizes):
        cells *= max(size - case.stencil.low[d] - case.stencil.high[d], 1)
    return cells


def steps_for(seconds, rate, cells, degree, most):
    """How many steps take so long, at a rate that may be unknown; at least four kernels' and a last one."""
    fill = int(seconds * rate / cells) if rate else 8
    return min(max(fill, 4 * degree + 1), most)


class Clock:
    def __init__(self, seconds):
        self.start, self.seconds = time.monotonic(), seconds

    def used(self):
        return time.monotonic() - self.start

    def left(self):
        return self.seconds - self.used()


# ---- tables -----------------------------------------------------------------------------------

def number(value):
    if value is None:
        return "-"
    return "%.0f" % value if value >= 100 else "%.1f" % value if value >= 10 else "%.3g" % value


def ratio(a, b):
    return "%.2f" % (a / b) if a and b else "-"


def geometric_mean(values):
    values = [v for v in values if v]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def table(heads, rows, out=None):
    """Columns as wide as needed; words to the left, numbers to the right."""
    rows = [[str(cell) for cell in row] for row in rows]
    wide = [max(len(row[k]) for row in [heads] + rows) for k in range(len(heads))]
    left = [any(row[k][:1].isalpha() for row in rows) for k in range(len(heads))]
    for row in [heads] + rows:
        print(" | ".join(cell.ljust(w) if l else cell.rjust(w)
                         for cell, w, l in zip(row, wide, left)).rstrip(), file=out)
