// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose threads compute several cells already: next to each other, a block's height apart, in a loop that is
// unrolled or not. (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 2,3 --runs 5 --targets sm_80,gfx90a --types float --passes 'stencil-block<cache=l1;vector=4>' --expect changed %s
// RUN: %differ --levels 2 --runs 5 --targets sm_80 --types double,int --passes 'stencil-block<cache=l1;coarsen=8>' four_rows four_apart four_tiles six_rows %s
// RUN: %differ --levels 2 --runs 5 --targets sm_80 --types float --passes 'stencil-block<cache=lds>' --passes 'stencil-block<cache=reg>' four_rows four_apart four_tiles six_rows %s
// types: float double int
#include "Inputs/cuda.h"

#define BLOCKED_X int x = blockIdx.x * blockDim.x + threadIdx.x
#define SUM a[i - 1] + a[i + 1] - a[i - nx] + 2 * a[i + nx]

// four_rows: a b nx ny; threads nx,ny/4; bench 4096 8192
KERNEL four_rows(const T *a, T *b, int nx, int ny) {
    BLOCKED_X, from = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int y = from + k, i = y * nx + x;
        if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
            b[i] = SUM;
    }
}

// four_apart: a b nx ny; threads nx,ny/4; bench 4096 8192
KERNEL four_apart(const T *a, T *b, int nx, int ny) {
    BLOCKED_X, from = blockIdx.y * blockDim.y * 4 + threadIdx.y;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int y = from + k * blockDim.y, i = y * nx + x;
        if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
            b[i] = SUM;
    }
}

// four_tiles: a b nx ny; threads nx,ny/4; block 32,8; bench 4096 8192
KERNEL four_tiles(const T *a, T *b, int nx, int ny) {
    int x = blockIdx.x * 32 + threadIdx.x, from = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        int y = from + j, i = y * nx + x;
        if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
            b[i] = SUM;
    }
}

// six_rows: a b nx ny; threads nx,ny/6; bench 4096 8192
KERNEL six_rows(const T *a, T *b, int nx, int ny) {
    BLOCKED_X, from = (blockIdx.y * blockDim.y + threadIdx.y) * 6;
#pragma nounroll
    for (int k = 0; k < 6; k++) {
        int y = from + k, i = y * nx + x;
        if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
            b[i] = SUM;
    }
}

// Along x.
// two_columns: a b nx ny; threads nx/2,ny; bench 4096 8192
KERNEL two_columns(const T *a, T *b, int nx, int ny) {
    int x = (blockIdx.x * blockDim.x + threadIdx.x) * 2, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * nx + x;
    if (y < 1 || y >= ny - 1)
        return;
    if (x > 0 && x < nx - 1)
        b[i] = SUM;
    x++;
    i++;
    if (x > 0 && x < nx - 1)
        b[i] = SUM;
}
