// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops from a first to a last cell, both known at run time; columns that are walked down or by more than an element;
// what branches compute alike.
// RUN: %clang -O3 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s

#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define PLATE int first, int last, int rows, double *restrict b, const double *a, const double *u

// Clamped at the last cell.
void clamped(PLATE) {
    // CHECK: frames.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 1 output runs on a GPU
    for (int j = first; j <= rows; j++)
        for (int i = first; i <= last + 2; i++)
            b[(last + 5) * j + i] = u[(last + 5) * j + i] * a[(last + 4) * j + LEAST(i + 1, last + 2)];
}
// At another cell: the last one that is read is not the loop's last.
void elsewhere(PLATE, int end) {
    // CHECK: frames.c:[[#@LINE+2]]:{{[0-9]+}}: remark: loop nest not offloaded: the address of an array access is not a linear function
    for (int j = first; j <= rows; j++)
        for (int i = first; i <= last + 2; i++)
            b[(last + 5) * j + i] = u[(last + 5) * j + i] * a[(last + 4) * j + LEAST(i + 1, end)];
}
// The last cell but one is read again: no rule.
void before_the_end(PLATE) {
    // CHECK: frames.c:[[#@LINE+2]]:{{[0-9]+}}: remark: loop nest not offloaded: how an index is brought back into the array
    for (int j = first; j <= rows; j++)
        for (int i = first; i <= last + 2; i++)
            b[(last + 5) * j + i] = u[(last + 5) * j + i] * a[(last + 4) * j + LEAST(i + 1, last + 1)];
}

void mirrored(int n, int m, int depth, double *a) {
    // CHECK: frames.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 1 output runs on a GPU
    for (int j = 0; j < n; j++)
        for (int k = 1; k <= depth; k++)
            a[m * j + 8 - k] = a[m * j + 7 + k];
}
// Elements that are so far apart as the program says when it runs may lie side by side, which then is another form.
void by_number(int n, int m, long apart, double *restrict b, const double *a) {
    // CHECK: frames.c:[[#@LINE+2]]:{{[0-9]+}}: remark: 2-D stencil
    for (long j = 1; j < n - 1; j++)
        for (long i = 1; i < m - 1; i++)
            b[m * j * apart + i * apart] = a[m * j * apart + (i - 1) * apart] + a[m * j * apart + (i + 1) * apart];
}

// The address is computed in both branches.
void branches(PLATE) {
    // CHECK: frames.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 1 output runs on a GPU
    for (int j = first; j <= rows; j++)
        for (int i = first; i <= last; i++) {
            double slope = a[(last + 4) * j + i + 1] - a[(last + 4) * j + i - 1];
            if (slope > 0)
                b[(last + 4) * (j - (first - 2)) + i - (first - 2)] = 0;
            else
                b[(last + 4) * (j - (first - 2)) + i - (first - 2)] = slope * u[(last + 4) * (j - (first - 2)) + i - (first - 2)];
        }
}
// Another cell in each.
void another(PLATE) {
    // CHECK: frames.c:[[#@LINE+2]]:{{[0-9]+}}: remark: loop nest not offloaded
    for (int j = first; j <= rows; j++)
        for (int i = first; i <= last; i++) {
            double slope = a[(last + 4) * j + i + 1] - a[(last + 4) * j + i - 1];
            if (slope > 0)
                b[(last + 4) * j + i] = 0;
            else
                b[(last + 4) * j + i + 1] = slope * u[(last + 4) * j + i];
        }
}
