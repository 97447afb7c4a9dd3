# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the examples of a folder's pages of documentation and looks for the remark that each begins with.

  examples.py FOLDER CLANG PLUGIN [FLANG]

N stands for any number of steps in "bT N". Those in Fortran are left out without its compiler. Where few tests are run (tools/check), every
third example is compiled, and of these every third makes code for GPUs, in turn: the remarks are of what comes before.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile


def few():
    return os.environ.get("STENCIL_TESTS") == "few"


def turn():
    return int(os.environ.get("STENCIL_TURN", 0))


def environment(number):
    has_code = not few() or (number // 3 + turn() // 3) % 3 == 0
    return os.environ if has_code else {**os.environ, "STENCILOPT_CODE": "0"}


def remarks(compiler, plugin, language, text, number):
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "example." + language)
        with open(path, "w") as file:
            file.write(text)
        done = subprocess.run([*compiler, "-O2", "-fpass-plugin=" + plugin, "-Rpass=stencil",
                               "-Rpass-missed=stencil", "-c", path, "-o", os.devnull],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=place, env=environment(number))
    return re.findall("remark: (.*)", re.sub(r"bT \d+", "bT N", done.stdout)) if done.returncode == 0 else [done.stdout]


def is_as_said(said, found):
    missed = said.startswith("missed: ")
    said = said[len("missed: "):] if missed else said
    left = [r for r in found if "not offloaded" in r or "without the loop around it" in r]
    good = left if missed else [r for r in found if r.split(" [")[0].endswith((": " + said, ", " + said))]
    return any(said in r for r in good) and (missed or not left)


def main():
    folder, clang, plugin, *flang = sys.argv[1:]
    pages = [open(os.path.join(folder, name)).read() for name in sorted(os.listdir(folder))]
    examples = re.findall(r"```(c|cpp|f90)\n(?://|!) ([^\n]*)\n(.*?)```", "\n".join(pages), re.S)
    flang = [f for f in flang if shutil.which(f)]
    failed = left_out = 0
    for number, (language, said, text) in enumerate(examples):
        compiler = flang if language == "f90" else [clang, "-Wall"]
        if not compiler or (few() and (number + turn()) % 3):
            left_out += 1
            continue
        found = remarks(compiler, os.path.abspath(plugin), language, text, number)
        good = is_as_said(said, found)
        failed += not good
        if not good:
            print("not '%s':\n%s%s" % (said, text, "".join("  %s\n" % r for r in found)))
    print("%d examples, %d failures, %d left out" % (len(examples), failed, left_out))
    sys.exit(failed != 0 or not examples)


main()
