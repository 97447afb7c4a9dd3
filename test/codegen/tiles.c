// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of cells in kernels of one step: as many rows and planes as the model expects to pay. A wide stencil loads each
// row once and keeps few registers; doubles have two cells along x, and a grid of doubles beside floats has both. There
// are none where an index is brought back at the border, or where sums are wanted; rows are single where cells are
// divided in place.
// RUN: rm -rf %t && mkdir %t && env STENCILOPT_CODE=0 STENCILOPT_ARCH=sm_90 STENCILOPT_SAVE_TEMPS=%t %clang -O2 -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/wide.*.plan | FileCheck %s -check-prefix=WIDE
// RUN: %opt -S %t/wide.0.ll | FileCheck %s -check-prefix=ROWS
// RUN: cat %t/deep.*.plan | FileCheck %s -check-prefix=DEEP
// RUN: cat %t/mixed.*.plan | FileCheck %s -check-prefix=MIXED
// RUN: cat %t/clamped.*.plan | FileCheck %s -check-prefix=NONE
// RUN: cat %t/divided.*.plan | FileCheck %s -check-prefix=DIVIDED
// WIDE: stencil_cell: a thread a cell, block 32x8x1; of large grids a thread has 4x{{[24]}}x1 cells, predicted {{[0-9]+}} GCells/s
// ROWS: tile:
// ROWS-COUNT-3: load <4 x float>
// ROWS-NOT: load
// ROWS: call {{.*}}float @llvm.fma.f32
// ROWS: load <4 x float>
// ROWS: cell:
// DEEP: of large grids a thread has 2x{{[12]}}x{{[24]}} cells
// MIXED: of large grids a thread has 2x
// NONE-NOT: a thread has
// NONE: a thread a cell
// NONE-NOT: a thread has
// DIVIDED: of large grids a thread has 4x1x1 cells
#define ROW(i) a[i][j - 4] * 0.1f + a[i][j - 3] * 0.2f + a[i][j - 2] * 0.3f + a[i][j - 1] * 0.4f + a[i][j] * 0.5f + \
               a[i][j + 1] * 0.6f + a[i][j + 2] * 0.7f + a[i][j + 3] * 0.8f + a[i][j + 4] * 0.9f
void wide(long n, long m, float a[restrict n][m], float b[restrict n][m]) {
    for (long i = 2; i < n - 2; i++)
        for (long j = 4; j < m - 4; j++)
            b[i][j] = ROW(i - 2) + ROW(i - 1) + ROW(i) + ROW(i + 1) + ROW(i + 2);
}
void deep(long l, long n, long m, double a[restrict l][n][m], double b[restrict l][n][m]) {
    for (long k = 1; k < l - 1; k++)
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                b[k][i][j] = a[k - 1][i][j] + a[k + 1][i][j] + a[k][i - 1][j] + a[k][i + 1][j] + a[k][i][j - 1] +
                             a[k][i][j + 1];
}
void mixed(long n, long m, float a[restrict n][m], double b[restrict n][m]) {
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < m - 1; j++)
            b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j + 1] + 2.0 * a[i][j - 1];
}
void clamped(long n, long m, float a[restrict n][m], float b[restrict n][m]) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            b[i][j] = a[i][j] + a[i][j > 0 ? j - 1 : 0];
}
void divided(long n, long m, int a[restrict n][m], const int b[restrict n][m]) {
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < m - 1; j++)
            a[i][j] = (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1] + b[i + 1][j + 1] + b[i - 1][j - 1]) / (a[i][j] | 1);
}
