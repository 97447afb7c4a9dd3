/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pointers and widths that the sweep reads from memory: a local table of pointers, with -DTHREE of
 * three, with -DGIVEN one of the caller's; fields of structs, with -DFIELDS. */
#include "harness.h"

#define AT(a, i, j) (a)[(i) * m + (j)]
#define SWEEP(out, in)                                                                             \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)                                                            \
            AT(out, i, j) = (REAL)0.3 * (AT(in, i, j - 1) + AT(in, i, j + 1) + AT(in, i - 1, j)) + \
                            (REAL)0.2 * AT(in, i + 1, j)

#if defined THREE
KERNEL void drive(int n, int m, int steps, REAL *a, REAL *b, REAL *c) {
    REAL *u[3] = {a, b, c};
    for (int t = 0; t < steps; t++)
        SWEEP(u[(t + 2) % 3], u[(t + 1) % 3]) - AT(u[t % 3], i, j);
}
#elif defined FIELDS
struct field {
    long width;
    REAL *data;
};
KERNEL void sweep(struct field *to, const struct field *from, int n, int m) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            to->data[i * to->width + j] =
                (REAL)0.3 * (from->data[i * from->width + j - 1] +
                             from->data[(i + 1) * from->width + j] + to->data[i * to->width + j]);
}
static void drive(int n, int m, int steps, REAL *a, REAL *b, REAL *c) {
    struct field fields[2] = {{m, a}, {m, b}};
    (void)c;
    for (int t = 0; t < steps; t++)
        sweep(&fields[(t + 1) % 2], &fields[t % 2], n, m);
}
#else
KERNEL void sweeps(int n, int m, int steps, REAL **u) {
    for (int t = 0; t < steps; t++) {
        REAL *in = u[t & 1], *out = u[(t + 1) & 1];
        SWEEP(out, in);
    }
}
static void drive(int n, int m, int steps, REAL *a, REAL *b, REAL *c) {
#if defined GIVEN
    REAL *u[2] = {a, b};
    (void)c;
    sweeps(n, m, steps, u);
#else
    REAL *u[2] = {a, b};
    (void)c;
    for (int t = 0; t < steps; t++)
        SWEEP(u[(t + 1) & 1], u[t & 1]);
#endif
}
#endif

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        drive((int)n[0], (int)n[1], (int)steps, b[0], b[1], b[2]), REALS("A", n[0] * n[1]),
        REALS("B", n[0] * n[1]), REALS("C", n[0] * n[1]))
