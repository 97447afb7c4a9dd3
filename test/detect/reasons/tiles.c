// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that are tiled by hand where the order of cells counts: one remark says so, in however many ways LLVM makes the inner loops.
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void step(int n, int tile, int steps, double *a, double *b) {
    for (int t = 0; t < steps; t++) {
        for (int ii = 1; ii < n - 1; ii += tile)
            for (int jj = 1; jj < n - 1; jj += tile)
                for (int i = ii; i < MIN(ii + tile, n - 1); i++)
                    // CHECK: tiles.c:[[#@LINE+1]]:21: remark: loop nest not offloaded: the bounds of an inner loop depend on an outer loop's variable; the loops are tiled by hand: write them without tiles
                    for (int j = jj; j < MIN(jj + tile, n - 1); j++)
                        a[i * n + j] = b[i * n + j - 1] + a[i * n + j + 1];
        double *was = a;
        a = b;
        b = was;
    }
}
