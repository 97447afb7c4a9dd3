// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers in global variables, which the program loads in front of each nest, if that has an iteration: a variable is memory, so
// the loads may come before all nests of a sequence. Not that of a variable which may not be there.
// RUN: %clang -O3 -ffp-contract=off -gline-tables-only -flto=thin -c %s -o %t.bc
// RUN: opt -load-pass-plugin=%plugin -passes='thinlto<O3>' -pass-remarks=stencil -pass-remarks-missed=stencil %t.bc -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O3 -ffp-contract=off -gline-tables-only -flto=thin -DWEAK -c %s -o %t.weak.bc
// RUN: opt -load-pass-plugin=%plugin -passes='thinlto<O3>' -pass-remarks=stencil -pass-remarks-missed=stencil %t.weak.bc -o /dev/null 2>&1 | FileCheck %s --check-prefix=WEAK

struct grid { double *y, *z; int rows, columns, planes; };
#ifdef WEAK
extern double *y0, *z0, *y1, *z1 __attribute__((weak));
#else
static double *y0, *z0, *y1, *z1;
void own(double *a, double *b, double *c, double *d) { y0 = a; z0 = b; y1 = c; z1 = d; }
#endif

#define Y(m, n, p) g->y[((m) * (g->columns - 1) + (n)) * g->planes + (p)]
#define Z(m, n, p) g->z[((m) * g->columns + (n)) * (g->planes - 1) + (p)]
#define Y0(n, p) y0[(n) * g->planes + (p)]
#define Z0(n, p) z0[(n) * (g->planes - 1) + (p)]
#define Y1(n, p) y1[(n) * g->planes + (p)]
#define Z1(n, p) z1[(n) * (g->planes - 1) + (p)]

// CHECK: remark: {{.*}}global-pointers.c:[[#@LINE+9]]:{{[0-9]+}}: 2-D sequence of 3 sweeps runs on a GPU
// WEAK: remark: {{.*}}global-pointers.c:[[#@LINE+9]]:{{[0-9]+}}: loop nest not offloaded: {{.*}}a pointer or size is read in the loop under a condition
void ends(struct grid *g, double c) {
    int m = 0;
    for (int n = 0; n < g->columns - 1; n++)
        for (int p = 0; p < g->planes; p++) {
            Y(m, n, p) = Y0(n, p) + c * (Y(m + 1, n, p) - Y(m, n, p));
            Y0(n, p) = Y(m + 1, n, p);
        }
    for (int n = 0; n < g->columns; n++)
        for (int p = 0; p < g->planes - 1; p++) {
            Z(m, n, p) = Z0(n, p) + c * (Z(m + 1, n, p) - Z(m, n, p));
            Z0(n, p) = Z(m + 1, n, p);
        }
    m = g->rows - 1;
    for (int n = 0; n < g->columns - 1; n++)
        for (int p = 0; p < g->planes; p++) {
            Y(m, n, p) = Y1(n, p) + c * (Y(m - 1, n, p) - Y(m, n, p));
            Y1(n, p) = Y(m - 1, n, p);
        }
    for (int n = 0; n < g->columns; n++)
        for (int p = 0; p < g->planes - 1; p++) {
            Z(m, n, p) = Z1(n, p) + c * (Z(m - 1, n, p) - Z(m, n, p));
            Z1(n, p) = Z(m - 1, n, p);
        }
}
