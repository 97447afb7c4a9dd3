# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loops of heat.c for Numba: python heat.py float64|float32 FILE.ll writes the IR of C callbacks. Arrays are NumPy's;
a time loop makes two steps an iteration, for Numba counts references where arrays swap."""
import os
import sys

os.environ["NUMBA_OPT"] = "0"  # IR as Numba writes it: not unrolled or vectorised
import numpy
from numba import carray, cfunc, types

real = getattr(types, sys.argv[1])
HALF, EIGHTH, QUARTER = (getattr(numpy, sys.argv[1])(x) for x in (0.5, 0.125, 0.25))
pointer = types.CPointer(real)


@cfunc(types.void(pointer, pointer, types.int64, types.int64, types.int64))
def heat2(pa, pb, h, w, steps):
    a = carray(pa, (h, w))
    b = carray(pb, (h, w))
    for t in range(steps // 2):
        for i in range(1, h - 1):
            for j in range(1, w - 1):
                b[i, j] = a[i, j] * HALF + (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]) * EIGHTH
        for i in range(1, h - 1):
            for j in range(1, w - 1):
                a[i, j] = b[i, j] * HALF + (b[i - 1, j] + b[i + 1, j] + b[i, j - 1] + b[i, j + 1]) * EIGHTH
    if steps % 2:
        for i in range(1, h - 1):
            for j in range(1, w - 1):
                b[i, j] = a[i, j] * HALF + (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]) * EIGHTH


@cfunc(types.void(pointer, pointer, types.int64, types.int64, types.int64, types.int64))
def heat3(a, b, d, h, w, steps):
    for t in range(steps):
        for k in range(1, d - 1):
            for i in range(1, h - 1):
                for j in range(1, w - 1):
                    b[(k * h + i) * w + j] = a[(k * h + i) * w + j] * HALF + (
                        a[((k - 1) * h + i) * w + j] + a[((k + 1) * h + i) * w + j] + a[(k * h + i - 1) * w + j]
                        + a[(k * h + i + 1) * w + j] + a[(k * h + i) * w + j - 1] + a[(k * h + i) * w + j + 1]) * EIGHTH
        a, b = b, a


@cfunc(types.void(pointer, pointer, types.int64, types.int64))
def smooth(pa, pb, h, w):
    a = carray(pa, (h, w))
    b = carray(pb, (h, w))
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            b[i, j] = a[i, j] * HALF + (a[i - 1, j] + a[i + 1, j]) * QUARTER


for function in heat2, heat3, smooth:
    text = function.inspect_llvm().replace(function.native_name, function.__name__)
    with open("%s.%s.ll" % (sys.argv[2], function.__name__), "w") as out:
        out.write(text)
