# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare.py STENCIL_SIM: runs kernels of this folder, as MLIR lowers them and as the passes make them, on grids of several
sizes, and compares all cells that they write."""
import subprocess
import sys

ROW = 133


def array(element, rows, init):
    """A memref as a kernel gets it: two pointers, an offset, sizes and strides."""
    return ["--arg", "buf:%s:1:zero" % element, "--arg", "buf:%s:%d:%s" % (element, rows * ROW, init)] + \
        [w for n in (0, rows, ROW, ROW, 1) for w in ("--arg", "i64:%d" % n)]


def launch(file, name, element, rows):
    wanted = ["--kernel", name, "--grid", "5,%d" % (rows // 8 + 1), "--block", "32,8"]
    arrays = array(element, rows, "rand=7") + array(element, rows, "rand=9")
    if name == "jacobi":
        wanted += arrays + ["--arg", "i64:%d" % rows, "--arg", "i64:%d" % ROW]
    else:
        wanted += ["--arg", "i64:%d" % rows] + arrays
    return subprocess.run([sys.argv[1], file, *wanted, "--print", "9" if name != "jacobi" else "8"], check=True,
                          capture_output=True).stdout


for stem in "func.nv", "func.amd", "double.nv", "launch.nv", "launch.amd":
    name, element = "step_kernel" if stem.startswith("launch") else "jacobi", "f64" if stem.startswith("double") else "f32"
    for rows in 3, 51, 64:
        got, plain = (launch(stem + end, name, element, rows) for end in (".ll", ".plain.ll"))
        if got != plain or len(got) < 3 * ROW:
            sys.exit("%s, %d rows: cells differ, or none were printed" % (stem, rows))
    print("%s: 3 runs equal" % stem)
