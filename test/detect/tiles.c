// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests that are tiled by hand, and what depends on the order of their cells.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang -O3 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void steps(int n, int m, int t, int steps, double *a, double *b) {
    for (int s = 0; s < steps; s++) {
        for (int ii = 1; ii < n - 1; ii += t)
            for (int jj = 1; jj < m - 1; jj += t)
                for (int i = ii; i < MIN(n - 1, ii + t); i++)
                    // CHECK: tiles.c:[[#@LINE+1]]:21: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: the whole time loop
                    for (int j = jj; j < MIN(m - 1, jj + t); j++)
                        b[i * m + j] = a[(i - 1) * m + j] + a[i * m + j + 1];
        double *c = a;
        a = b;
        b = c;
    }
}

void three(int n, int m, int k, const float *a, float *b) {
    for (int xx = 1; xx < n - 1; xx += 4)
        for (int yy = 1; yy < m - 1; yy += 8)
            for (int zz = 1; zz < k - 1; zz += 64)
                for (int x = xx; x < MIN(n - 1, xx + 4); x++)
                    for (int y = yy; y < MIN(m - 1, yy + 8); y++)
                        // CHECK: tiles.c:[[#@LINE+1]]:25: remark: 3-D stencil of radius 1, 3 cells read, f32, runs on a GPU where there is one: one sweep a call
                        for (int z = zz; z < MIN(k - 1, zz + 64); z++)
                            b[((long)x * m + y) * k + z] += a[((long)(x - 1) * m + y) * k + z] - a[((long)x * m + y) * k + z + 1];
}

double sum(int n, int m, int t, const double *a, double *b) {
    double all = 0;
    for (int ii = 1; ii < n - 1; ii += t)
        for (int jj = 1; jj < m - 1; jj += t)
            for (int i = ii; i < MIN(n - 1, ii + t); i++)
                // CHECK: tiles.c:[[#@LINE+1]]:17: remark: loop nest not offloaded: the bounds of an inner loop depend on an outer loop's variable; the loops are tiled by hand: write them without tiles
                for (int j = jj; j < MIN(m - 1, jj + t); j++) {
                    b[i * m + j] = a[(i - 1) * m + j] + a[i * m + j + 1];
                    all += b[i * m + j];
                }
    return all;
}

void in_place(int n, int m, int t, double *a) {
    for (int ii = 1; ii < n - 1; ii += t)
        for (int jj = 1; jj < m - 1; jj += t)
            for (int i = ii; i < MIN(n - 1, ii + t); i++)
                // CHECK: tiles.c:[[#@LINE+1]]:17: remark: loop nest not offloaded: the bounds of an inner loop depend on an outer loop's variable; the loops are tiled by hand: write them without tiles
                for (int j = jj; j < MIN(m - 1, jj + t); j++)
                    a[i * m + j] = a[(i + 1) * m + j] + a[i * m + j + 1];
}

// The place in the tile counts.
void places(int n, int m, int t, const double *a, double *b) {
    for (int jj = 1; jj < m - 1; jj += t)
        for (int i = 1; i < n - 1; i++)
            // CHECK: tiles.c:[[#@LINE+1]]:13: remark: loop nest not offloaded: the bounds of an inner loop depend on an outer loop's variable; the loops are tiled by hand: write them without tiles
            for (int j = jj; j < MIN(m - 1, jj + t); j++)
                b[i * m + j] = a[(i - 1) * m + j] + a[i * m + j + 1] * (j - jj);
}
