// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels without guards, whose indices are brought back at borders: the launch has a thread a cell. (differ.py says
// what the lines before the kernels mean.)
// RUN: %differ --levels 2,3 --runs 6 --targets sm_80,gfx90a --types float --passes 'stencil-block<cache=l1;coarsen=2>' --expect changed %s
// RUN: %differ --levels 2 --runs 6 --targets sm_80 --types double,int --passes 'stencil-block<cache=l1>' --expect changed %s
// types: float double int
#include "Inputs/cuda.h"

// flat_torus: a b nx ny; exactly nx*ny
KERNEL flat_torus(const T *a, T *b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    b[i] = a[y * nx + (x + 1) % nx] + a[y * nx + (nx + x - 1) % nx] - a[(y + 1) % ny * nx + x] - a[(ny + y - 1) % ny * nx + x];
}

// torus: a b nx ny; exactly nx,ny
KERNEL torus(const T *a, T *b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int e = x == nx - 1 ? 0 : x + 1, w = x == 0 ? nx - 1 : x - 1, s = y == ny - 1 ? 0 : y + 1;
    b[y * nx + x] = a[y * nx + e] - a[y * nx + w] + a[s * nx + x];
}

// clamped: a b nx ny; exactly nx,ny
KERNEL clamped(const T *a, T *b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    b[y * nx + x] = a[y * nx + min(x + 1, nx - 1)] - a[y * nx + max(x - 1, 0)] + a[min(y + 1, ny - 1) * nx + x];
}

// A launch of more threads than cells reads on in memory.
// larger: a[nx*ny+nx+4096] b[nx*ny+4096] nx ny; threads nx*ny
KERNEL larger(const T *a, T *b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (i >= nx * ny + 5)
        return;
    b[i] = a[i] + a[y * nx + (x + 1) % nx] - a[(y == ny - 1 ? 0 : y + 1) * nx + x];
}

// Nothing but the ends is left out.
// only_ends: a b nx ny; exactly nx,ny
KERNEL only_ends(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || x == nx - 1 || y == 0 || y == ny - 1)
        return;
    b[y * nx + x] = a[y * nx + x + 1] - a[y * nx + x - 1] + a[(y + 1) * nx + x] - a[(y - 1) * nx + x];
}

// ends_of_rows: a b nx ny; exactly nx,ny
KERNEL ends_of_rows(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x != 0 && x < nx - 1 && y != 0 && y != ny - 1)
        b[y * nx + x] = a[y * nx + x + 1] - a[y * nx + x - 1] + a[(y + 1) * nx + x] - a[(y - 1) * nx + x];
}

// With more threads the end is a hole between other cells.
// hole_at_end: a[n+8192] b[n+8192] n; threads n
KERNEL hole_at_end(const T *a, T *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i != 0 && i != n - 1)
        b[i] = a[i + 1] - a[i - 1];
}
