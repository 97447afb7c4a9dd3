// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over neighbours that make as many iterations as a number says: versions for usual numbers.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

#include <stdlib.h>

void star(int n, int m, int R, int steps, float *a, float *b, const float *c) {
    for (int t = 0; t < steps; t++) {
        // CHECK: radii.c:[[#@LINE+6]]:{{[0-9]+}}: remark: 2-D stencil of radius 8, {{.*}}: the whole time loop
        // CHECK: radii.c:[[#@LINE+5]]:{{[0-9]+}}: remark: 2-D stencil of radius 4, {{.*}}: the whole time loop
        // CHECK: radii.c:[[#@LINE+4]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, {{.*}}: the whole time loop
        // CHECK: radii.c:[[#@LINE+3]]:{{[0-9]+}}: remark: loop nest offloaded for usual radii or widths only: 1, 2, 3, 4, 5, 6, 8; for others the program's own loops run
        // CHECK-NOT: radii.c:[[#@LINE+2]]:{{.*}}not offloaded
        for (int i = R; i < n - R; i++)
            for (int j = R; j < m - R; j++) {
                float sum = c[0] * a[i * m + j];
                for (int r = 1; r <= R; r++)
                    sum += c[r] * (a[i * m + j - r] + a[i * m + j + r] + a[(i - r) * m + j] + a[(i + r) * m + j]);
                b[i * m + j] = sum;
            }
        float *was = a;
        a = b;
        b = was;
    }
}

// A width is odd.
void mask(int n, int m, int K, const float *a, float *b, const float *c) {
    // CHECK: radii.c:[[#@LINE+5]]:{{[0-9]+}}: remark: 2-D stencil of radius 3, {{.*}}: one sweep a call
    // CHECK: radii.c:[[#@LINE+4]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, {{.*}}: one sweep a call
    // CHECK: radii.c:[[#@LINE+3]]:{{[0-9]+}}: remark: loop nest offloaded for usual radii or widths only: 3, 5, 7; for others the program's own loops run
    int R = K / 2;
    for (int i = R; i < n - R; i++)
        for (int j = R; j < m - R; j++) {
            float sum = 0;
            for (int x = 0; x < K; x++)
                for (int y = 0; y < K; y++)
                    sum += c[x * K + y] * a[(i + x - R) * m + j + y - R];
            b[i * m + j] = sum;
        }
}

// Two numbers, and a number of its own for each row.
void two(int n, int m, int R, int Q, const float *a, float *b) {
    // CHECK: radii.c:[[#@LINE+2]]:{{[0-9]+}}: remark: loop nest not offloaded: a loop inside the nest computes each element, and the number of its iterations is not a constant of at most 1024
    for (int i = 8; i < n - 8; i++)
        for (int j = 8; j < m - 8; j++) {
            float sum = 0;
            for (int x = -R; x <= R; x++)
                for (int y = -Q; y <= Q; y++)
                    sum += a[(i + x) * m + j + y];
            b[i * m + j] = sum;
        }
}
void by_row(int n, int m, const int *reach, const float *a, float *b) {
    // CHECK: radii.c:[[#@LINE+2]]:{{[0-9]+}}: remark: loop nest not offloaded: {{.*}}a loop inside the nest
    for (int i = 8; i < n - 8; i++)
        for (int j = 8; j < m - 8; j++) {
            float sum = 0;
            for (int x = 0; x < reach[i]; x++)
                sum += a[(i + x) * m + j];
            b[i * m + j] = sum;
        }
}

// The loops in a loop over neighbours may have its counter in their bounds: a diamond. Its columns are clamped.
void diamond(int n, int m, int R, const unsigned char *a, unsigned char *b) {
    // CHECK: radii.c:[[#@LINE+4]]:{{[0-9]+}}: remark: 2-D stencil of radius 4, 13 cells read, i8, runs on a GPU where there is one: one sweep a call
    // CHECK: radii.c:[[#@LINE+3]]:{{[0-9]+}}: remark: 2-D stencil of radius 2, 5 cells read, i8, runs on a GPU where there is one: one sweep a call
    // CHECK: radii.c:[[#@LINE+2]]:{{[0-9]+}}: remark: loop nest offloaded for usual radii or widths only: 1, 2, 3, 4, 5, 6, 8; for others the program's own loops run
    for (int i = R; i < n - R; i++)
        for (int j = 0; j < m; j++) {
            int most = -1;
            for (int l = -R; l <= R; l++)
                for (int k = abs(l) - R; k <= R - abs(l); k++) {
                    int x = j + k < 0 ? 0 : j + k >= m ? m - 1 : j + k, v = a[(i + l) * m + x];
                    most = v > most ? v : most;
                }
            b[(i - R) * m + j] = most;
        }
}
// The bounds depend on the cell.
void near_walls(int n, int m, int R, const float *a, float *b) {
    // CHECK: radii.c:[[#@LINE+2]]:{{[0-9]+}}: remark: loop nest not offloaded: {{.*}}a loop inside the nest
    for (int i = R; i < n - R; i++)
        for (int j = 8; j < m - 8; j++) {
            float sum = 0;
            for (int k = j < R ? -j : -R; k <= R; k++)
                sum += a[i * m + j + k];
            b[i * m + j] = sum;
        }
}
