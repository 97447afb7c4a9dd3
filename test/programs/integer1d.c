/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Integers of type TYPE in one dimension: bits, comparisons, minimum; t is part of the value. */
#include "harness.h"

#ifndef TYPE
#define TYPE int32_t
#endif

KERNEL void mix(int n, int steps, TYPE A[2][n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 2; i < n - 1; i++) {
            TYPE left = A[t % 2][i - 2], right = A[t % 2][i + 1];
            A[(t + 1) % 2][i] =
                (TYPE)(((left < right ? left : right) ^ (A[t % 2][i] & 0x2b)) + (t & 15));
        }
}

PROGRAM(1, INSIDE(n[0], 2, 1), mix(n[0], steps, b[0]),
        INTEGERS("A", TYPE, 2 * n[0], (TYPE)-1 < 0 ? -60 : 0, 120))
