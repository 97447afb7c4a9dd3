/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Columns of arrays whose rows have a length that is known at run time only: they are packed, and
 * unpacked at the other side, as halos are that messages carry; and the outermost columns are
 * computed by loops of their own. ROWS: so are the outermost rows. */
#include "harness.h"

#define AT(a, i, j) a[(i) * m + (j)]
#define RELAX(i, j)                                                                                \
    ((REAL)0.2 * (AT(a, (i) - 1, j) + AT(a, (i) + 1, j)) + (REAL)0.3 * AT(a, i, (j) - 1) +        \
     (REAL)0.3 * AT(a, i, (j) + 1))

/* What is sent may be read here. */
#define SEND(memory) __asm__ volatile("" : : "r"(memory) : "memory")

KERNEL void run(long n, long m, int steps, REAL *restrict a, REAL *restrict b, REAL *restrict left,
                REAL *restrict right) {
    for (int t = 0; t < steps; t++) {
        for (long i = 0; i < n; i++)
            left[i] = AT(a, i, 1);
        for (long i = 0; i < n; i++)
            right[i] = AT(a, i, m - 2);
        SEND(left);
        SEND(right);
        for (long i = 1; i < n - 1; i++)
            for (long j = 2; j < m - 2; j++)
                AT(b, i, j) = RELAX(i, j);
        SEND(b);
        for (long i = 0; i < n; i++)
            AT(a, i, 0) = right[i];
        for (long i = 0; i < n; i++)
            AT(a, i, m - 1) = left[i];
        SEND(a);
        for (long i = 1; i < n - 1; i++)
            AT(b, i, 1) = RELAX(i, 1);
        for (long i = 1; i < n - 1; i++)
            AT(b, i, m - 2) = RELAX(i, m - 2);
        SEND(b);
        REAL *swap = a;
        a = b;
        b = swap;
    }
}

PROGRAM(2, n[0] * n[1], n[0] > 2 && n[1] > 5 ? run(n[0], n[1], steps, b[0], b[1], b[2], b[3]) : (void)0,
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]), REALS("left", n[0]), REALS("right", n[0]))
