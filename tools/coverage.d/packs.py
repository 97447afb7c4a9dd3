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


def copy_libraries(folder, to):
    """OpenMP's libraries that programs of the folder load, which another machine may lack."""
    os.makedirs(to, exist_ok=True)
    for top, _, files in os.walk(folder):
        for program in (os.path.join(top, f) for f in files if is_program(os.path.join(top, f))):
            told = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
            for library in re.findall(r"=> (\S*/libg?omp\.so\S*)", told):
                shutil.copy2(library, to)


START = """static double a[64][64], b[64][64];
int main(void) {
  for (int t = 0; t < 9; t++) {
    for (int i = 1; i < 63; i++)
      for (int j = 1; j < 63; j++)
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (int i = 1; i < 63; i++)
      for (int j = 1; j < 63; j++)
        a[i][j] = b[i][j];
  }
  return a[9][9] != 0;
}
"""


def write_start(o):
    """A program with one small region: what it takes longer on a device is the device's start."""
    folder = os.path.join(o.pack, "start", "plugin")
    os.makedirs(folder, exist_ok=True)
    subprocess.run([os.path.join(o.build, "bin", "stencil-cc"), "-O2", "-ffp-contract=off", "-xc", "-", "-o",
                    os.path.join(folder, "start")], input=START, text=True, check=True)


def describe(program, to):
    entry = {key: getattr(program, key) for key in ("name", "folder", "run", "files", "ignore")}
    with open(os.path.join(to, "program.json"), "w") as f:
        json.dump(entry, f, indent=1)


def write(programs, o, pack):
    """Packs all, with the runtime and the script that measures. Returns the status."""
    os.makedirs(o.pack, exist_ok=True)
    shutil.copy2(os.path.join(o.build, "lib", "libstencilrt.so"), o.pack)
    shutil.copy2(os.path.join(HERE, "measure.py"), o.pack)
    write_start(o)
    status = 0
    for program in programs:
        trouble = pack(program, o)
        copy_libraries(os.path.join(o.pack, program.name), os.path.join(o.pack, "lib"))
        print("%-22s %s" % (program.name, trouble or "packed"))
        sys.stdout.flush()
        status |= bool(trouble)
    return status
