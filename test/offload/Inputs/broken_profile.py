# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""broken_profile.py GOOD BAD COMPILER... -- PROGRAM...: damages a profile in many ways, and prints for each what the
compiler and the program say."""
import os
import re
import shutil
import subprocess
import sys

good, bad, *words = sys.argv[1:]
middle = words.index("--")
compiler, program = words[:middle], words[middle + 1:]
with open(good) as file:
    text = file.read()
region = re.search("^region .*\n", text, re.M).group(0)
DAMAGED = {
    "first": text.replace("profile 1", "profile 2"),
    "word": text.replace("compile ", "compilation "),
    "option": text.replace("bt=6;cells=8", "arch=sm_90"),
    "value": text.replace("bt=6;cells=8", "bt=999"),
    "launch": text.replace("max-bt=3;chunk=16", "threads=2"),
    "model": re.sub("model .*", "model 12", text),
    "none": text.replace(region, ""),
    "twice": text + region,
    "zero": text + "\0",
}


def remove():
    if os.path.isdir(bad):
        shutil.rmtree(bad)
    elif os.path.lexists(bad):
        os.remove(bad)


def show(name, path):
    environment = dict(os.environ, STENCILOPT_PROFILE=path, STENCILOPT_DEVICE="off")
    done = subprocess.run(compiler, env=environment, capture_output=True, text=True, timeout=100)
    print(name + ":", done.stderr.splitlines()[0] if done.returncode else "compiled")
    done = subprocess.run(program, env=environment, capture_output=True, text=True, timeout=100)
    print("%s%s" % (done.stderr.strip(), "" if done.returncode == 0 else "status %d" % done.returncode), flush=True)


for name, damaged in DAMAGED.items():
    with open(bad, "w") as file:
        file.write(damaged)
    show(name, bad)
remove()
os.mkdir(bad)
show("folder", bad)
remove()
os.mkfifo(bad)
show("pipe", bad)
remove()
show("missing", bad)
show("relative", os.path.basename(bad))
