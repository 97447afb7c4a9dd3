# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Carries built programs to a machine that has a GPU and no compiler."""

import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NOT_NEEDED = re.compile(r"\.(o|mod|a|c|cc|cpp|cxx|h|hpp|f|F|f90|F90|for|yaml|bc|md|tex|pdf|png|ipynb|log|eps|raw|exe)$")
LARGEST_INPUT = 8 << 20  # bytes


def is_program(file):
    with open(file, "rb") as f:
        return f.read(4) == b"\x7fELF" and os.access(file, os.X_OK)


def is_needed(file, folder, before):
    """What the commands made or changed, and small files of the folder that the program runs in."""
    if os.path.islink(file) or NOT_NEEDED.search(file):
        return False
    made = not os.path.exists(before) or os.path.getmtime(file) != os.path.getmtime(before)
    return made or (os.path.dirname(file).startswith(folder) and os.path.getsize(file) <= LARGEST_INPUT)


def copy(source, folder, original, to):
    """The parts of a built copy of `original` that a run needs, programs without symbols."""
    shutil.rmtree(to, ignore_errors=True)
    for top, folders, files in os.walk(source):
        for empty in (os.path.join(top, f) for f in folders):
            if not os.listdir(empty):
                os.makedirs(os.path.join(to, os.path.relpath(empty, source)))
        for file in (os.path.join(top, f) for f in files):
            inside = os.path.relpath(file, source)
            if not is_needed(file, os.path.normpath(folder), os.path.join(original, inside)):
                continue
            target = os.path.join(to, inside)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(file, target)
            if is_program(target):
                subprocess.run(["strip", target])


def describe(program, to):
    entry = {key: getattr(program, key) for key in ("name", "folder", "run", "files", "ignore")}
    with open(os.path.join(to, "program.json"), "w") as f:
        json.dump(entry, f, indent=1)


def write(programs, o, pack):
    """Packs all, with the runtime and the script that measures. Returns the status."""
    os.makedirs(o.pack, exist_ok=True)
    shutil.copy2(os.path.join(o.build, "lib", "libstencilrt.so"), o.pack)
    shutil.copy2(os.path.join(HERE, "measure.py"), o.pack)
    status = 0
    for program in programs:
        trouble = pack(program, o)
        print("%-22s %s" % (program.name, trouble or "packed"))
        sys.stdout.flush()
        status |= bool(trouble)
    return status
