// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of one module that are versions for some widths: each has a scratchpad of its own size.
// (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 2 --runs 6 --targets sm_80 --types float,int --passes 'stencil-block<cache=lds>' --expect changed %s
// types: float double int
#include "Inputs/cuda.h"

// versions_row: a b n r=n%4; threads n
KERNEL versions_row(const T *a, T *b, int n, int r) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 4 || i >= n - 4)
        return;
    b[i] = 0;
    for (int d = -r; d <= r; d++)
        b[i] += a[i + d];
}

// versions_plane: a b nx ny r=nx%3; threads nx,ny
KERNEL versions_plane(const T *a, T *b, int nx, int ny, int r) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 4 || x >= nx - 4 || y < 4 || y >= ny - 4)
        return;
    b[y * nx + x] = 0;
    for (int e = -r; e <= r; e++)
        for (int d = -r; d <= r; d++)
            b[y * nx + x] += a[(y + e) * nx + x + d];
}
