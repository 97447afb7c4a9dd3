/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One dimension, neighbours on one side only, up to eight cells away; division and minimum. */
#include "harness.h"

#ifndef SIDE
#define SIDE 1
#endif
enum { LOW = SIDE < 0 ? 8 : 0, HIGH = SIDE < 0 ? 0 : 8 };

KERNEL void grow(int n, int steps, REAL *a, REAL *b) {
    for (int t = 0; t < steps; t++) {
        for (int i = LOW; i < n - HIGH; i++) {
            REAL near = a[i + SIDE], far = a[i + 8 * SIDE], x = near < far ? near : far;
            b[i] = (REAL)0.5 * a[i] + x / ((REAL)1.5 + a[i + 3 * SIDE]);
        }
        REAL *swap = a;
        a = b;
        b = swap;
    }
}

PROGRAM(1, INSIDE(n[0], LOW, HIGH), grow(n[0], steps, b[0], b[1]), REALS("a", n[0]),
        REALS("b", n[0]))
