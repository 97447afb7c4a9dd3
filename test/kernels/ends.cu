// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells beyond a border that are read as one cell for all, loops from n - 3 to n, and planes of which the kernel is not told that they
// have whole rows. (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 2,3 --runs 6 --targets sm_80,gfx90a --types float --passes 'stencil-block<cache=l1;coarsen=2>' --expect changed %s
// RUN: %differ --levels 2 --runs 6 --targets sm_80 --types double,int --passes 'stencil-block<cache=l1;vector=2;coarsen=3>' --passes 'thinlto<O3>' %s
// RUN: %differ --levels 2 --runs 4 --targets sm_80 --types float --passes 'stencil-block<cache=lds>' --passes 'stencil-block<cache=reg>' %s
// types: float double int
#include "Inputs/cuda.h"

#define PLACE int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y

// Mirrored before the first cell. Behind the last one it is cell n - 1 - i, wherever the thread is.
// turned: a b nx ny; threads nx,ny; bench 4096 8191
KERNEL turned(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny || nx < 3 || ny < 3)
        return;
    T s = 0;
    for (int i = -2; i <= 2; i++)
        for (int j = -2; j <= 2; j++) {
            int u = x + i, v = y + j;
            if (u < 0)
                u = -u;
            if (v < 0)
                v = -v;
            if (u > nx - 1)
                u = nx - 1 - i;
            if (v > ny - 1)
                v = ny - 1 - j;
            s += a[v * nx + u] * (T)(i * i + j);
        }
    b[y * nx + x] = s;
}

static inline __device__ int mirrored(int i, int n) {
    if (i < 0)
        i = -i - 1;
    else if (i >= n)
        i = 2 * n - i - 1;
    return i;
}

// A mask at mirrored borders: LLVM turns the bits of the own coordinates by their signs.
// mirrored_mask: a b nx ny; threads nx,ny; bench 4096 8191
KERNEL mirrored_mask(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    T s = 0;
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
            s += a[mirrored(y + i, ny) * nx + mirrored(x + j, nx)] * (T)(i + 2 * j + 4);
    b[y * nx + x] = s;
}

// Of one row alone; y is a part of the launch.
// mirrored_rows: a b nx ny; threads nx,ny
KERNEL mirrored_rows(const T *a, T *b, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    b[y * nx + x] = a[y * nx + mirrored(x, nx)] - a[y * nx + mirrored(x - 2, nx)] * C(0.5) + a[y * nx + mirrored(x + 2, nx)];
}

// Likewise before the first cell.
// turned_low: a b nx ny; threads nx,ny
KERNEL turned_low(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny || nx < 3)
        return;
    const T *row = a + y * nx;
    int u = x - 2 < 0 ? 2 : x - 2, v = x - 1 < 0 ? 1 : x - 1;
    b[y * nx + x] = row[u] - row[v] + row[x];
}

// The last four rows count for all.
// last_rows: a w b nx ny; threads nx,ny
KERNEL last_rows(const T *__restrict__ a, const T *__restrict__ w, T *__restrict__ b, int nx, int ny) {
    PLACE;
    if (x > 0 && x < nx - 1 && y < ny && ny > 4) {
        T s = a[y * nx + x - 1] + a[y * nx + x + 1];
#pragma nounroll
        for (int q = ny - 4; q <= ny - 1; q++)
            s += w[q - (ny - 4)] * a[q * nx + x];
        b[y * nx + x] = s;
    }
}

// Rows and planes have a cell more than the threads count.
// gaps: e h w=0.3 q=nx*ny nx ny nz | (nx+1)*(ny+2)*(nz+2); exactly nx*ny*nz; bench 256 384
KERNEL gaps(T *__restrict__ e, const T *__restrict__ h, T w, int q, int nx, int ny, int nz) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int f = i + i / nx + i / q * (nx + 1) + (nx + 1) * (ny + 1) + nx + 2;
    e[f] += w * (h[f + nx + 1] - h[f] - h[f + 1] + h[f - 1]);
}

// There the planes do not have whole rows.
// no_whole_rows: e h w=0.3 q=nx*ny+1 nx ny nz | (nx+1)*(ny+2)*(nz+2); exactly nx*ny*nz; bench 256 384
KERNEL no_whole_rows(T *__restrict__ e, const T *__restrict__ h, T w, int q, int nx, int ny, int nz) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int f = i + i / nx + i / q * (nx + 1) + (nx + 1) * (ny + 1) + nx + 2;
    e[f] += w * (h[f + nx + 1] - h[f] - h[f + 1] + h[f - 1]);
}
