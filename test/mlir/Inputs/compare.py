# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare.py STENCIL_MLIR CLANG LIBRARIES INPUTS NAME...: compiles each MLIR file with the passes and without, for float and
double, runs both on the simulator, compares the bytes. NAME-1d and NAME-3d have arrays of one and three dimensions."""
import os
import re
import subprocess
import sys

tool, clang, libraries, inputs, *names = sys.argv[1:]
driver = os.path.join(inputs, "driver.c")
RUNS = ("3", "1"), ("67", "8"), ("33", "9"), ("200", "20"), ("67", "9", "2")
SMALL = ("3", "1"), ("11", "8"), ("9", "5"), ("40", "20"), ("9", "5", "2")


def call(*words):
    subprocess.run(words, check=True)


def run(name, element, rank):
    with open(os.path.join(inputs, name + ".mlir")) as source, open("in.mlir", "w") as out:
        out.write(source.read().replace("f32", "f64" if element == "double" else "f32"))
    flags = "-DELEMENT=" + element, "-DRANK=%d" % rank
    call(tool, "-c", "in.mlir", "-o", name + ".o")
    call(tool, "-S", "--passes=verify", "in.mlir", "-o", name + ".ll")
    call(clang, *flags, driver, name + ".o", "-o", name, "-L" + libraries, "-lstencilrt", "-Wl,-rpath," + libraries)
    call(clang, *flags, "-w", "-O2", driver, name + ".ll", "-o", name + ".plain")
    runs = SMALL if rank == 3 else RUNS
    for words in runs:
        environment = {**os.environ, "STENCILOPT_DEVICE": "sim", "STENCILOPT_REPORT": "each"}
        got = subprocess.run(["./" + name, *words], env=environment, capture_output=True, check=True)
        wanted = subprocess.run(["./" + name + ".plain", *words], capture_output=True, check=True)
        if got.stdout != wanted.stdout:
            sys.exit("%s %s %s: bytes differ" % (name, element, words))
        if words[1] == "20" and not re.search(rb"sim.* steps 20, bT ([2-9]|1\d)", got.stderr):
            sys.exit("%s %s did not run on the device, several steps at a time: %s" % (name, element, got.stderr.decode()))
    print("%s %s: %d runs equal" % (name, element, len(runs)))


for name in names:
    for element in "float", "double":
        run(name, element, int(name[-2]) if name.endswith("d") and name[-2].isdigit() else 2)
