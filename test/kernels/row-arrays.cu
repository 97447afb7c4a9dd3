// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One row, or one column, of coefficients for all rows, with a flat index. LLVM may leave so little of the guards that the
// kernel is seen as one long row of cells, whose own coefficient comes round, for up to two rows. (differ.py says what the lines before the
// kernels mean.)
// RUN: %differ --levels 1,2,3 --runs 12 --targets sm_80,gfx90a --types float --passes 'stencil-block<coarsen=3>' %s
// RUN: %differ --levels 1,2 --late --runs 12 --targets sm_80,gfx1100 --types double --passes 'stencil-block<coarsen=3>' \
// RUN:   --passes 'stencil-block<cache=l1;coarsen=1>' %s
// RUN: %differ --levels 1 --late --runs 8 --targets sm_80 --types float --passes 'stencil-block<cache=lds>' \
// RUN:   --passes 'stencil-block<cache=reg>' %s
// types: float double
#include "Inputs/cuda.h"

#define PLACE int g = blockIdx.x * blockDim.x + threadIdx.x, x = g % nx, y = g / nx

// row: a[2*nx] r[nx] b[2*nx] nx m:i32=2; exactly nx*2
KERNEL row(const T *__restrict__ a, const T *__restrict__ r, T *__restrict__ b, int nx, int m) {
    PLACE;
    if (x < nx && y < m)
        b[y * nx + x] = (x + 1 < nx ? a[y * nx + x + 1] : (T)0) + r[x];
}

// row_ahead: a[2*nx] r[nx+2] b[2*nx] nx m:i32=2; exactly nx*2
KERNEL row_ahead(const T *__restrict__ a, const T *__restrict__ r, T *__restrict__ b, int nx, int m) {
    PLACE;
    if (x < nx && y < m)
        b[y * nx + x] = (x + 1 < nx ? a[y * nx + x + 1] : (T)0) - r[x + 2] + C(0.5) * r[x];
}

// column: a[2*nx] q[2] b[2*nx] nx m:i32=2; exactly nx*2
KERNEL column(const T *__restrict__ a, const T *__restrict__ q, T *__restrict__ b, int nx, int m) {
    PLACE;
    if (x < nx && y < m)
        b[y * nx + x] = (y > 0 ? a[(y - 1) * nx + x] : (T)0) + q[y];
}
