// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that take threads to further cells along two axes: where the launch has a thread for each cell, it is blocked.
// (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 2 --runs 8 --targets sm_80,gfx90a --types float --passes 'stencil-block<cache=l1;coarsen=2>' --expect changed %s
// RUN: %differ --levels 1,3 --runs 6 --targets sm_80 --types double,int --passes 'stencil-block<cache=reg>' --passes 'stencil-block<cache=lds>' %s
// RUN: %differ --levels 2 --runs 6 --targets sm_80,gfx1100 --types float,int --passes 'stencil-block<vector=1;coarsen=3>' --passes 'stencil-remap<column=8>,stencil-block<cache=l1>' %s
// types: float double int
#include "Inputs/cuda.h"

#define X (blockIdx.x * blockDim.x + threadIdx.x)
#define Y (blockIdx.y * blockDim.y + threadIdx.y)
#define ALL_X (blockDim.x * gridDim.x)
#define ALL_Y (blockDim.y * gridDim.y)

// stride_inner: a b nx ny; threads nx,ny; strided
KERNEL stride_inner(const T *a, T *b, int nx, int ny) {
    for (int y = Y + 1; y < ny - 1; y += ALL_Y)
        for (int x = X + 1; x < nx - 1; x += ALL_X) {
            int i = y * nx + x;
            b[i] = a[i - 1] + a[i + 1] + a[i - nx] - a[i + nx];
        }
}

// stride_guarded: a b nx ny; threads nx,ny; strided
KERNEL stride_guarded(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    for (int y = Y; y < ny; y += ALL_Y)
        for (int x = X; x < nx; x += ALL_X)
            if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
                b[y * nx + x] = a[y * nx + x - 1] + a[y * nx + x + 1] + a[(y - 1) * nx + x] - a[(y + 1) * nx + x];
}

// Columns first.
// stride_columns: a b nx:i64 ny:i64; threads nx,ny; strided
KERNEL stride_columns(const T *a, T *b, long nx, long ny) {
    for (long x = X; x < nx; x += ALL_X)
        for (long y = Y; y < ny; y += ALL_Y) {
            long e = x + 1 < nx ? x + 1 : nx - 1, s = y + 1 < ny ? y + 1 : ny - 1;
            b[y * nx + x] = a[y * nx + x] + a[y * nx + e] - a[s * nx + x];
        }
}

// Along one axis alone; a block goes along its row.
// stride_rows: a b nx ny; threads nx,ny; strided
KERNEL stride_rows(const T *a, T *b, int nx, int ny) {
    int x = X;
    if (x < 1 || x >= nx - 1)
        return;
    for (int y = Y + 1; y < ny - 1; y += ALL_Y)
        b[y * nx + x] = a[y * nx + x - 1] + a[y * nx + x + 1] - a[(y + 1) * nx + x];
}

// stride_block_a_row: a b nx ny; threads nx,ny; block 64,1; strided
KERNEL stride_block_a_row(const T *a, T *b, int nx, int ny) {
    int y = blockIdx.y + 1;
    if (y >= ny - 1)
        return;
    for (int x = threadIdx.x + 1; x < nx - 1; x += blockDim.x)
        b[y * nx + x] = a[y * nx + x - 1] + a[y * nx + x + 1] - a[(y + 1) * nx + x];
}
