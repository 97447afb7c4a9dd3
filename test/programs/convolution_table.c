/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sweeps that read a table of weights through a pointer, w[0] to w[8], and one coefficient a
 * row and one a column. */
#include "harness.h"

KERNEL void blur(int n, int m, const REAL *in, REAL *out, const REAL *w, const REAL *row,
                 const REAL *column) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            out[i * m + j] =
                row[i] * (w[0] * in[(i - 1) * m + j - 1] + w[1] * in[(i - 1) * m + j] +
                          w[2] * in[(i - 1) * m + j + 1] + w[3] * in[i * m + j - 1] +
                          w[4] * in[i * m + j]) +
                column[j] * (w[5] * in[i * m + j + 1] + w[6] * in[(i + 1) * m + j - 1] +
                             w[7] * in[(i + 1) * m + j] + w[8] * in[(i + 1) * m + j + 1]) +
                column[j - 1] * row[i + 1];
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), blur(n[0], n[1], b[0], b[1], b[2], b[3], b[4]),
        REALS("in", n[0] * n[1]), REALS("out", n[0] * n[1]), REALS("w", 9), REALS("row", n[0]),
        REALS("column", n[1]))
