#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles all C programs and kernels of the folders named, with a plugin whose limits are tiny: none
may crash the compiler. Then checks that limits were reached: prints how many loop nests and kernels
were refused for being too big, and fails if there were none; or any for no reason.

    compile_all.py --clang clang --opt 'opt -load-pass-plugin=...' --plugin ... FOLDER ...
"""

import argparse
import collections
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

FLAGS = ["-ffp-contract=off", "-fno-math-errno", "-w", "-Rpass=stencil", "-Rpass-missed=stencil"]
CUDA = ["-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_80", "-Wno-unknown-cuda-version",
        "--cuda-device-only", "-S", "-emit-llvm", "-DT=float"]
MISSED = re.compile(r"remark: (?:loop nest not offloaded|kernel left as it is): (.*?)(?: \[|$)")


def compile_one(o, path, level):
    """What the compiler says; None if it ended in any way but a proper one."""
    cuda = path.endswith(".cu")
    plain = [o.clang, level, path, "-o", os.devnull] + (CUDA if cuda else ["-c", "-emit-llvm"])
    with_plugin = plain + FLAGS + ["-fpass-plugin=" + o.plugin]
    env = dict(os.environ, STENCILOPT_CODE="0")  # LLVM's code generators are not tested here
    done = subprocess.run(with_plugin, capture_output=True, text=True, errors="replace", env=env)
    if done.returncode == 0:
        return done.stderr
    bare = subprocess.run(plain + FLAGS, capture_output=True, text=True, errors="replace")
    if bare.returncode == 1 == done.returncode and "error: " in bare.stderr:
        return ""  # it wants options of its own
    print("FAIL: status %d: %s\n%s" % (done.returncode, " ".join(with_plugin), done.stderr[-4000:]))
    return None


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folders", nargs="+")
    p.add_argument("--clang", required=True)
    p.add_argument("--plugin", required=True)
    p.add_argument("--levels", default="-O2")
    o = p.parse_args()
    reasons = collections.Counter()
    paths = [path for folder in o.folders for path in sorted(glob.glob(os.path.join(folder, "**", "*.c*"), recursive=True))
             if path.endswith((".c", ".cu"))]
    jobs = [(path, level) for path in paths for level in o.levels.split(",")]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        every = list(pool.map(lambda job: compile_one(o, *job), jobs))
    for said in every:
        reasons.update(m[1] for m in MISSED.finditer(said or ""))
    files, failed = len(every), every.count(None)
    for reason, count in reasons.most_common():
        print("%5d %s" % (count, reason))
    print("%d compiled, %d refused, %d failures" % (files, sum(reasons.values()), failed))
    return failed > 0 or not reasons


if __name__ == "__main__":
    sys.exit(main())
