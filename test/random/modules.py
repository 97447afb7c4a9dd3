#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random LLVM IR through the plugin's passes: functions of the tests' inputs, of random programs and of
llvm-stress, changed a little by random-ir, must neither crash a pass, nor hang, nor come out invalid.

  test/random/modules.py --seed 5 --count 20                20 batches of modules
  test/random/modules.py --case FILE.json                   a saved module again
"""

import argparse
import glob
import json
import os
import random
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
import common  # noqa: E402
import functions  # noqa: E402

MODULES = 2000  # of a batch
TESTS = os.path.join(common.HERE, "..")
sys.path += [os.path.join(TESTS, "kernels"), os.path.join(TESTS, "programs")]
import generate  # noqa: E402
import kernels  # noqa: E402

PIPELINE = "-passes=thinlto-pre-link<O2>"  # up to the place where clang runs plugins


class Corpus:
    """Files of IR as the passes see it, from all that the tests have. What does not compile, for want of
    a C library's headers say, is left out."""

    def __init__(self, tools, folder, seed, some=None):
        self.tools, self.folder, self.files = tools, folder, []
        rng = random.Random("corpus %d" % seed)
        self.pick = lambda every: every if some is None else rng.sample(every, min(some, len(every)))
        for path in self.pick(sorted(glob.glob(os.path.join(TESTS, "**", "*.ll"), recursive=True))):
            self.add(path)
        self.host_programs()
        self.random_programs(rng)
        self.device_programs()
        for n in range(10 if some is None else 2):
            status, text, _ = common.call([os.path.join(tools.llvm, "llvm-stress"), "--seed=%d" % rng.randrange(9999),
                                           "--size=%d" % rng.choice((50, 150, 400))])
            if not status:
                self.add(self.write("stress%d.ll" % n, 'target triple = "x86_64-pc-linux-gnu"\n' + text))

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def add(self, path):
        self.files.append(path)

    def optimised(self, words):
        """The IR of a source file that clang takes, through the pipeline."""
        status, text, _ = common.call(words)
        if status:
            return
        path = os.path.join(self.folder, "%d.bc" % len(self.files))
        status, _, _ = common.call([self.tools.opt, PIPELINE, "-o", path], what=text)
        if not status:
            self.add(path)

    def host(self, source, level="-O2", more=()):
        folder = os.path.join(TESTS, "programs")
        self.optimised([self.tools.clang, *self.tools.flags, level, "-w", "-fno-math-errno", "-ffp-contract=off", "-I", folder, "-I", common.HERE,
                        *more, "-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-fno-discard-value-names", source,
                        "-o", "-"])

    def host_programs(self):
        sources = [p for folder in ("programs", "programs/apps", "detect", "detect/reasons", "offload") for p in
                   sorted(glob.glob(os.path.join(TESTS, folder, "*.c"))) if not p.endswith("harness.c")]
        for path in self.pick(sources):
            self.host(path)
        for name in self.pick(["star2d1r", "box3d1r", "star1d4r", "j2d9pt", "gradient2d", "asymmetric3d", "convolution3d3"]):
            self.host(self.write(name + ".c", generate.text(name)))

    def random_programs(self, rng):
        specs = [(k, functions.draw(rng)) for k in range(40)]
        source = self.write("random.c", functions.write(specs))
        for level in "-O2", "-O1":
            self.host(source, level, ["-DPREFIX=random_", "-fwrapv"])

    def device_programs(self):
        names = [p for folder in ("kernels", "detect/kernels", "block", "remap") for p in
                 sorted(glob.glob(os.path.join(TESTS, folder, "*.cu")))]
        for path in self.pick(names):
            for arch, type_ in ("sm_80", "float"), ("gfx90a", "double"):
                words = kernels.front_end(self.tools.clang, path, type_, arch, "2")
                inputs = ["-I", os.path.join(TESTS, "kernels", "Inputs"), "-I", os.path.join(TESTS, "detect", "kernels", "Inputs")]
                self.optimised(words + self.tools.flags + inputs + ["-w", "-ffp-contract=off", "-emit-llvm", "-fno-discard-value-names", "-Xclang",
                                                 "-disable-llvm-passes"])


def corpus(tools, o, folder):
    """The files, which may have been made before. Who comes first makes them; they come at once or not at all."""
    if not o.corpus:
        return Corpus(tools, folder, o.seed, o.inputs).files
    if not os.path.isdir(o.corpus):
        new = tempfile.mkdtemp(dir=os.path.dirname(os.path.abspath(o.corpus)))
        for path in Corpus(tools, new, o.seed, o.inputs).files:
            if os.path.dirname(path) != new:
                shutil.copy(path, new)
        try:
            os.rename(new, o.corpus)
        except OSError:  # somebody else was faster
            shutil.rmtree(new)
    return sorted(glob.glob(os.path.join(o.corpus, "*.bc")) + glob.glob(os.path.join(o.corpus, "*.ll")))


def random_ir(tools, o, first, count, files, printed=False):
    words = [os.path.join(tools.build, "bin", "random-ir")] + ["--print"] * printed
    return common.call(words + [tools.plugin, str(o.seed), str(first), str(count), o.passes, *files], limit=3600)


def run_opt(tools, passes, text):
    """What is wrong with one module, or None; with the message that a batch does not keep."""
    passes = ",".join([passes, "verify"])
    words = [tools.opt, "-load-pass-plugin=" + tools.plugin, "-passes=" + passes, "-disable-output"]
    status, _, errors = common.call(words, limit=40, what=text)
    return "opt -passes='%s' (status %s): %s" % (passes, status, common.last_lines(errors)) if status else None


def is_llvms_own(tools, text):
    """Does LLVM's simplification (stencil-prepare), which runs before our passes, fail on the module by itself?"""
    return run_opt(tools, "function(stencil-prepare)", text) is not None


def reduced(tools, folder, passes, text):
    """By llvm-reduce, as far as it comes in two minutes."""
    script, path = os.path.join(folder, "fails.sh"), os.path.join(folder, "failing.ll")
    with open(script, "w") as file:
        file.write("#!/bin/sh\ntimeout 20 %s -load-pass-plugin=%s -passes='%s,verify' -disable-output \"$1\" >/dev/null 2>&1\n"
                   "test $? -ne 0 && %s -passes=verify -disable-output \"$1\" 2>/dev/null\n"
                   % (tools.opt, tools.plugin, passes, tools.opt))
    os.chmod(script, 0o755)
    with open(path, "w") as file:
        file.write(text)
    out = os.path.join(folder, "reduced.ll")
    common.call([os.path.join(tools.llvm, "llvm-reduce"), "--test=" + script, path, "-o", out], limit=120)
    return open(out).read() if os.path.exists(out) else text


def report(o, tools, folder, files, number, said, known):
    """Is it our failure? Then it is reduced, unless it fails as one before."""
    _, text, _ = random_ir(tools, o, number, 1, files, True)
    passes = re.match(r"; passes: (.*)", text).group(1) if text else ""
    wrong = run_opt(tools, passes, text)
    if wrong and is_llvms_own(tools, text):
        print("ir-%d-%d: LLVM's own simplification fails: %s" % (o.seed, number, said), flush=True)
        return False
    if wrong in known:
        print("FAILED ir-%d-%d: as one before" % (o.seed, number), flush=True)
        return True
    known.add(wrong)
    if wrong and o.reduce:
        text = reduced(tools, folder, passes, text)
        wrong = run_opt(tools, passes, text) or wrong
    path = common.save(o.failures, "ir-%d-%d" % (o.seed, number), {"passes": passes, "ir": text})
    print("FAILED ir-%d-%d: %s; %s\n  again: %s" % (o.seed, number, said, wrong or "not with opt",
                                                    common.again("modules.py", path, o)), flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.add_options(parser)
    parser.add_argument("--first", type=int, default=0, help="number of the first batch")
    parser.add_argument("--modules", type=int, default=MODULES, help="of a batch (default: %(default)s)")
    parser.add_argument("--inputs", type=int, help="files of each kind, drawn; default: all")
    parser.add_argument("--corpus", metavar="DIR", help="where the inputs are kept from batch to batch")
    parser.add_argument("--passes", default="", help="as opt's -passes (default: the plugin's, drawn)")
    o = parser.parse_args()
    tools, failures, done, known = common.Tools(o), 0, 0, set()
    if o.case:
        case = json.load(open(o.case))
        wrong = run_opt(tools, case["passes"], case["ir"])
        print(wrong or "nothing is wrong")
        common.finish("1 case", bool(wrong))
    with tempfile.TemporaryDirectory() as folder:
        files = corpus(tools, o, folder)
        for number in range(o.first, o.first + o.count):
            if common.time_is_up(o):
                break
            done += o.modules
            status, out, errors = random_ir(tools, o, number * o.modules, o.modules, files)
            found = [l for l in out.splitlines() if not l.startswith("done")]
            if status:
                found.append("random-ir ended with status %s: %s" % (status, errors[-300:]))
            for line in found:
                which = re.match(r"(?:crash|hang|invalid) (\d+)", line)
                if which:
                    failures += report(o, tools, folder, files, int(which.group(1)), line, known)
                else:
                    print("FAILED " + line, flush=True)
                    failures += 1
    common.print_counts({"modules": done})
    common.finish("ir, seed %d, %d modules of %d files" % (o.seed, done, len(files)), failures)


if __name__ == "__main__":
    main()
