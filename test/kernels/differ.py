#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels as they are and after a pass on the simulator, and compares all their buffers byte
for byte: random sizes, blocks and launches (kernels.py), from IR for NVIDIA's and AMD's GPUs.

    test/kernels/differ.py --passes 'stencil-block<cache=reg>'
    test/kernels/differ.py --passes 'stencil-remap<column=32>' --runs 100 --seed 7 star2d1r plane.cu

With STENCIL_TESTS=few, as tools/check sets it, half of the launches, and each type, target and level, but not all with all. Where no kernels
are named, a third of the files, in turn.
"""

import argparse
import concurrent.futures
import itertools
import os
import re
import subprocess
import sys
import tempfile
import zlib

import kernels

HERE = os.path.dirname(os.path.abspath(__file__))
REMARKS = ["-pass-remarks=stencil", "-pass-remarks-missed=stencil"]


class Failure(Exception):
    pass


def options(argv):
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("names", nargs="*", help="kernels, or files of kernels, .cu or .ll (default: all of test/kernels)")
    p.add_argument("--passes", action="append", default=[],
                   help="as opt's -passes; may be given several times, each is compared; thinlto<O3> has "
                        "what the plugin does unasked (default: verify, which changes nothing)")
    p.add_argument("--build", default=os.path.join(HERE, "..", "..", "build"), help="the build folder")
    p.add_argument("--plugin", help="default: the build's")
    p.add_argument("--llvm", default="/usr/lib/llvm-22/bin", help="where clang and opt are")
    p.add_argument("--opt", help="default: --llvm's")
    p.add_argument("--targets", default="sm_80,gfx90a,gfx1100",
                   help="sm_* and gfx*, with commas between; waves have 32 lanes, on gfx9 64; "
                        "gfx1100:64 has 64 too (default: %(default)s)")
    p.add_argument("--levels", default="1,2,3", help="of clang's -O (default: %(default)s)")
    p.add_argument("--types", help="of the cells (default: all that the files have)")
    p.add_argument("--late", action="store_true",
                   help="the pass sees what clang hands to code generation, not what it has at the "
                        "place of its pipeline where plugins run")
    p.add_argument("--replace", action="append", default=[], metavar="TEXT=TEXT",
                   help="in the IR, before it runs: what the host wrote to constant memory since it was compiled")
    p.add_argument("--seed", type=int, default=1, help="of the launches (default: %(default)s)")
    p.add_argument("--runs", type=int, default=12, help="launches of a kernel (default: %(default)s)")
    p.add_argument("--expect", choices=("changed", "unchanged"),
                   help="that the pass changes all these kernels, or none")
    p.add_argument("--work", help="keep the files there (default: a temporary folder, kept on failure)")
    p.add_argument("--jobs", type=int, default=2, help="(default: %(default)s)")
    p.add_argument("--verbose", action="store_true", help="say which kernels were changed, and the remarks")
    o = p.parse_args(argv)
    o.plugin = o.plugin or os.path.join(o.build, "lib", "libstencilopt.so")
    o.opt = o.opt or os.path.join(o.llvm, "opt")
    o.sim = os.path.join(o.build, "bin", "stencil-sim")
    o.passes = o.passes or ["verify"]
    o.runs = (o.runs + 1) // 2 if few() else o.runs
    return o


def few():
    return os.environ.get("STENCIL_TESTS") == "few"


def command(words, what=None):
    """Its output. What fails is shown with the command."""
    done = subprocess.run(words, input=what, capture_output=True, text=True)
    if done.returncode:
        raise Failure("%s\nexit status %d\n%s" % (quoted(words), done.returncode, done.stderr[-3000:]))
    return done.stdout, done.stderr


def quoted(words):
    return " ".join("'%s'" % w if re.search(r"[^\w@%+=:,./-]", w) else w for w in words)


class Module:
    """A file's kernels of one type, for one target, at one level."""

    def __init__(self, o, path, chosen, type_, target, level):
        self.o, self.path, self.kernels, self.type = o, path, chosen, type_
        self.level, self.arch, self.lanes = level, *lanes(target)
        base = "%s.%s.%s.O%s" % (os.path.splitext(os.path.basename(path))[0], type_, target.replace(":", "-"), level)
        self.stem = os.path.join(o.work, base)
        self.original = self.stem + ".ll"
        self.is_ir = path.endswith(".ll")

    def compile(self):
        """Through clang, and to the place of its pipeline where the pass is to run."""
        o, early = self.o, "thinlto-pre-link<O%s>" % self.level
        ir = open(self.path).read() if self.is_ir else self.front_end()
        if o.late:
            passes = "default<O%s>" % self.level if self.is_ir else "verify"
            command([o.opt, "-passes=" + passes, "-S", "-o", self.original], ir)
            return
        # The plugin keeps loops whole until its passes run: the IR in front of these.
        words = [o.opt, "-load-pass-plugin=" + o.plugin, "-passes=" + early, "-disable-output",
                 "-print-before=stencil-remap", "-print-module-scope"]
        with open(self.original, "w") as out:
            out.write(command(words, ir)[1])

    def front_end(self):
        o = self.o
        words = kernels.front_end(os.path.join(o.llvm, "clang"), self.path, self.type, self.arch, self.level)
        words += ["-ffp-contract=off", "-emit-llvm", "-fno-discard-value-names"]
        words += ["-mwavefrontsize64"] if self.lanes == 64 and self.arch.startswith("gfx1") else []
        words += [] if o.late else ["-Xclang", "-disable-llvm-passes"]
        return command(words)[0]

    def transform(self, number, passes):
        """The file with the changed kernels, and what the pass said."""
        changed = "%s.%d.ll" % (self.stem, number)
        _, remarks = command([self.o.opt, "-load-pass-plugin=" + self.o.plugin, "-passes=" + passes,
                              *REMARKS, "-S", self.original, "-o", changed])
        return changed, remarks

    def simulate(self, path, launches):
        """For each launch the hashes of its buffers, or its fault."""
        path = replaced(path, self.o.replace)
        words = [self.o.sim, path, "--wave", str(self.lanes), "--runs", "-"]
        done = subprocess.run(words, input="\n".join(l.line for l in launches) + "\n",
                              capture_output=True, text=True)
        results = [r.strip() for r in re.findall(r"((?:[0-9a-f]{16}\n)*(?:ok|fault: .*)\n)", done.stdout)]
        if done.returncode in (0, 1) and len(results) == len(launches):
            return results
        at = launches[len(results)].line if len(results) < len(launches) else ""
        raise Failure("stencil-sim %s --wave %d %s\nexit status %d\n%s" %
                      (path, self.lanes, at, done.returncode, done.stderr[-2000:]))


def replaced(path, pairs):
    """The file with these texts replaced, each of which it must have."""
    text = open(path).read() if pairs else ""
    for old, new in (pair.split("=") for pair in pairs):
        if old not in text:
            raise Failure("%s does not have '%s'" % (path, old))
        text = text.replace(old, new)
    if not pairs:
        return path
    with open(path[:-3] + ".replaced.ll", "w") as out:
        out.write(text)
    return path[:-3] + ".replaced.ll"


def lanes(target):
    arch, _, wave = target.partition(":")
    return arch, int(wave) if wave else 64 if arch.startswith("gfx9") else 32


def bodies(path):
    """The kernels' IR, without comments and what the rest of the module may renumber."""
    found = {}
    for name, body in re.findall(r"^define [^@\n]*@\"?([\w.$]+)\"?(\(.*?)^}", open(path).read(), re.M | re.S):
        found[name] = re.sub(r"[#!]\d+| *;.*", "", body)
    return found


def check_expected(module, passes, changed, remarks):
    o = module.o
    wrong = [k.name for k in module.kernels
             if o.expect and (k.name in changed) != (o.expect == "changed")]
    if wrong:
        said = [l for l in remarks.splitlines() if any(name in l for name in wrong)]
        raise Failure("%s: -passes='%s' should have left %s %s\n%s" %
                      (module.original, passes, ", ".join(wrong), o.expect, "\n".join(said or [remarks])))


def check_same(module, path, passes, launches, before, after):
    for launch, old, new in zip(launches, before, after):
        if old == new and not old.startswith("fault"):
            continue
        sim = "%s %%s --wave %d %s" % (module.o.sim, module.lanes, launch.line)
        raise Failure("%s: -passes='%s' differs\n  %s\n    %s\n  %s\n    %s" %
                      (launch.kernel.name, passes, sim % module.original, old.replace("\n", " "),
                       sim % path, new.replace("\n", " ")))


def check(module):
    """All passes on a module. The kernels changed by each, and what went wrong."""
    o, changes, failures = module.o, [], []
    module.compile()
    launches = [l for k in module.kernels for l in kernels.launches(k, module.type, o.seed, o.runs)]
    old, before = bodies(module.original), None
    for number, passes in enumerate(o.passes):
        try:
            path, remarks = module.transform(number, passes)
            new = bodies(path)
            changed = {k.name for k in module.kernels if old[k.name] != new.get(k.name)}
            changes.append((passes, changed, remarks))
            check_expected(module, passes, changed, remarks)
            ours = [l for l in launches if l.kernel.name in changed]
            before = before or dict(zip(launches, module.simulate(module.original, launches)))
            check_same(module, module.original, "none", launches, before.values(), before.values())
            if ours:
                check_same(module, path, passes, ours, [before[l] for l in ours],
                           module.simulate(path, ours))
        except Failure as failure:
            failures.append(str(failure))
    return changes, failures


def chosen_kernels(names, requested):
    """(file, its types, its kernels) for the names of kernels and files."""
    files = {os.path.abspath(n) if os.path.exists(n) else os.path.join(HERE, n)
             for n in names if n.endswith((".cu", ".ll"))}
    wanted = {n for n in names if not n.endswith((".cu", ".ll"))}
    ours = {os.path.join(HERE, f) for f in os.listdir(HERE) if f.endswith(".cu")}
    found, missing = [], set(wanted)
    for path in sorted(files | ours if wanted or not files else files):
        types, every = kernels.parse(path, requested)
        some = [k for k in every if not names or path in files or k.name in wanted]
        missing -= {k.name for k in some}
        if some:
            found.append((path, types, some))
    if missing:
        raise SystemExit("no kernel %s" % ", ".join(sorted(missing)))
    return found


def in_turn(o, files):
    """Of all files every third where few are run; others in other turns (STENCIL_TURN), and by other commands."""
    if o.names or not few():
        return files
    first = zlib.crc32(" ".join([*o.passes, o.targets]).encode()) + int(os.environ.get("STENCIL_TURN", 0)) // 3
    return files[first % 3::3]


def modules(o):
    only = o.types.split(",") if o.types else None
    return [Module(o, path, some, type_, target, level)
            for path, types, some in in_turn(o, chosen_kernels(o.names, only))
            for type_, target, level in together(types, targets_of(o, path), o.levels.split(","))]


def targets_of(o, path):
    return [t for t in o.targets.split(",") if t.startswith("sm_") or not path.endswith(".ll")]


def together(*lists):
    """All with all; or, where few are run, each at least once."""
    if not few() or not all(lists):
        return list(itertools.product(*lists))
    return [tuple(some[n % len(some)] for some in lists) for n in range(max(map(len, lists)))]


def guarded(module):
    try:
        return check(module)
    except Failure as failure:
        return [], [str(failure)]


def run(o):
    every, launched, failures, changed = modules(o), 0, [], {p: 0 for p in o.passes}
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for module, (changes, wrong) in zip(every, pool.map(guarded, every)):
            launched += len(module.kernels)
            for passes, names, remarks in changes:
                changed[passes] += len(names)
                if o.verbose:
                    print("%s: '%s' changed %s" % (os.path.basename(module.stem), passes,
                                                   " ".join(sorted(names)) or "nothing"))
                    print(remarks, end="")
            for text in wrong:
                print("FAILED: " + text, flush=True)
            failures += wrong
    for passes in o.passes:
        print("'%s' changed %d of %d kernels" % (passes, changed[passes], launched))
    print("seed %d, %d launches each: %s" %
          (o.seed, o.runs, "%d FAILED" % len(failures) if failures else "all the same"))
    return len(failures)


def main(argv):
    o = options(argv)
    if o.work:
        os.makedirs(o.work, exist_ok=True)
        return 1 if run(o) else 0
    o.work = tempfile.mkdtemp(prefix="differ-")
    failed = run(o)
    if failed:
        print("files: " + o.work)
        return 1
    for name in os.listdir(o.work):
        os.remove(os.path.join(o.work, name))
    os.rmdir(o.work)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
