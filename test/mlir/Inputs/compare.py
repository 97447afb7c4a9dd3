# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare.py STENCIL_MLIR CLANG LIBRARIES INPUTS: compiles each MLIR file with the passes and without, runs both on the
simulator, compares the bytes."""
import os
import re
import subprocess
import sys

tool, clang, libraries, inputs = sys.argv[1:]
driver = os.path.join(inputs, "driver.c")
RUNS = ("3", "1"), ("67", "8"), ("33", "9"), ("200", "20"), ("67", "9", "2")


def call(*words):
    subprocess.run(words, check=True)


for name in sorted(n[:-5] for n in os.listdir(inputs) if n.endswith(".mlir")):
    path = os.path.join(inputs, name + ".mlir")
    call(tool, "-c", path, "-o", name + ".o")
    call(tool, "-S", "--passes=verify", path, "-o", name + ".ll")
    call(clang, driver, name + ".o", "-o", name, "-L" + libraries, "-lstencilrt", "-Wl,-rpath," + libraries)
    call(clang, "-w", "-O2", driver, name + ".ll", "-o", name + ".plain")
    for words in RUNS:
        environment = {**os.environ, "STENCILOPT_DEVICE": "sim", "STENCILOPT_REPORT": "each"}
        got = subprocess.run(["./" + name, *words], env=environment, capture_output=True, check=True)
        wanted = subprocess.run(["./" + name + ".plain", *words], capture_output=True, check=True)
        if got.stdout != wanted.stdout:
            sys.exit("%s %s: bytes differ" % (name, words))
        if words[0] == "200" and not re.search(rb"sim.* steps 20, bT ([2-9]|1\d)", got.stderr):
            sys.exit("%s did not run on the device, several steps at a time: %s" % (name, got.stderr.decode()))
    print("%s: %d runs equal" % (name, len(RUNS)))
