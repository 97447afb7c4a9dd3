// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function of many time loops that look up entries of tables: each that is taken leaves a further copy, so only the
// first twelve are. More took minutes, and gigabytes.
// RUN: %clang -O2 -ffp-contract=off -fpass-plugin=%plugin -Rpass=stencil -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK-COUNT-12: runs on a GPU where there is one
// CHECK-NOT: runs on a GPU where there is one
#define AT(i, j) ((long)(i) * m + (j))
#define LOOP \
    for (int t = 0; t < steps; t++) { \
        for (int i = 1; i < n - 1; i++) \
            for (int j = 1; j < m - 1; j++) \
                b[AT(i, j)] = a[AT(i, j)] + k[id[AT(i, j)]] * a[AT(i - 1, j)] + k[id[AT(i, j + 1)] + 1] * a[AT(i - 1, j + 1)]; \
        double *was = a; \
        a = b; \
        b = was; \
    }
#define FOUR LOOP LOOP LOOP LOOP
void run(int steps, int n, int m, double *a, double *b, const double *k, const int *id) {
    FOUR FOUR FOUR FOUR FOUR FOUR
}
