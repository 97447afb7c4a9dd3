/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops over the edges between the sweeps: values copied from the row or column beside, or from the
 * opposite one, and constants; a corner; -DSWAP: pointers are exchanged, else the result is copied
 * back. */
#include "harness.h"

KERNEL void heat(int n, int m, int steps, REAL *a, REAL *b) {
    if (n < 3 || m < 3)
        return;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = (REAL)0.6 * a[i * m + j] +
                               (REAL)0.1 * (a[(i - 1) * m + j] + a[(i + 1) * m + j]) +
                               (REAL)0.09 * (a[i * m + j - 1] + a[i * m + j + 1]);
        for (int j = 1; j < m - 1; j++) {
            b[j] = b[m + j];
            b[(n - 1) * m + j] = (REAL)0.5 * (b[(n - 2) * m + j] + t);
        }
        for (int i = 0; i < n; i++) {
            b[i * m] = b[i * m + m - 2];
            b[i * m + m - 1] = b[i * m + 1];
        }
        b[0] = (REAL)0.5 * (b[1] + b[m]);
#ifdef SWAP
        REAL *swap = a;
        a = b;
        b = swap;
#else
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i * m + j] = b[i * m + j];
#endif
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), heat(n[0], n[1], steps, b[0], b[1]),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]))
