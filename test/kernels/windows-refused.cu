// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that look like windows of neighbours, but whose bounds may mean something else: they stay as they are.
// RUN: %differ --levels 2,3 --runs 6 --targets sm_80,gfx90a --types float --passes 'stencil-block<cache=l1>' --expect unchanged %s
// types: float
#include "Inputs/cuda.h"

#define PLACE(number)                                                                              \
    number x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;   \
    if (x >= nx || y >= ny)                                                                        \
        return

static inline __device__ unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

// A limit below 0, but the counter is compared as a number without sign: at x = 0 there is no iteration.
// without_sign: a[nx*(ny+1)] b[nx*ny] nx ny l:i32=-1; threads nx,ny
KERNEL without_sign(const T *a, T *b, int nx, int ny, int l) {
    PLACE(int);
    T s = 0;
    for (unsigned j = max(x - 1, l); j < (unsigned)min(x + 2, nx); j++)
        s += a[(y + 1) * nx + (int)j];
    b[y * nx + x] = s;
}

// There is an iteration although m is below the first number.
// in_any_case: a b nx ny m:i32=0; threads nx,ny
KERNEL in_any_case(const T *a, T *b, int nx, int ny, int m) {
    PLACE(int);
    T s = 0;
    int j = max(x - 1, 0), e = min(x + 2, m);
    do {
        s += a[y * nx + j];
        j++;
    } while (j < e);
    b[y * nx + x] = s;
}

// The same for rows.
// rows_in_any_case: a b nx ny m:i32=1; threads nx,ny
KERNEL rows_in_any_case(const T *a, T *b, int nx, int ny, int m) {
    PLACE(int);
    T s = 0;
    int j = max(y - 1, 0), e = min(y + 2, m);
    do {
        s += a[j * nx + x];
        j++;
    } while (j < e);
    b[y * nx + x] = s;
}

// At x = 0 the first number is the largest one, and there is no iteration.
// wraps: a b nx ny; threads nx,ny
KERNEL wraps(const T *a, T *b, unsigned nx, unsigned ny) {
    PLACE(unsigned);
    T s = 0;
    for (unsigned j = x - 1; j <= least(x + 1, nx - 1); j++)
        s += a[y * nx + j];
    b[y * nx + x] = s;
}
