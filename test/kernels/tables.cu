// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose neighbours are listed in constant memory. Blocked bodies are for the tables' initial values; with others,
// which the host may put there, the kernel's own body runs.
// RUN: %differ --levels 2 --runs 8 --targets sm_80,gfx90a --types float,double --passes 'stencil-block<cache=l1;coarsen=2>' --expect changed %s
// RUN: %differ --levels 3 --runs 6 --targets sm_80,gfx1100 --types double,int --passes 'stencil-block<cache=l1>' --expect changed %s
// RUN: %differ --levels 2 --runs 6 --targets sm_80 --types float --passes 'stencil-block<cache=lds>' --passes 'stencil-block<cache=reg>' %s
// RUN: %differ --levels 3 --runs 6 --targets sm_80 --types float --passes 'stencil-remap<column=32>,stencil-block<cache=l1>' %s
// RUN: %differ --levels 2 --runs 4 --targets sm_80,gfx90a --types float --passes 'stencil-block<cache=l1>' --expect changed --replace '[4 x i32] [i32 1, i32 0, i32 -1=[4 x i32] [i32 1, i32 0, i32 1' --replace '[9 x i64] [i64 0, i64 1=[9 x i64] [i64 1, i64 1' --replace '%%struct.pair { i16 1, i16 2 }=%%struct.pair { i16 1, i16 0 }' --replace '[2 x i32] [i32 1, i32 1]=[2 x i32] [i32 1, i32 0]' %s
// types: float double int
#include "Inputs/cuda.h"

#define TABLE __attribute__((constant))
#define PLACE int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y

struct pair {
    short x, y;
};

TABLE __device__ int dx4[4] = {1, 0, -1, 0};
TABLE __device__ int dy4[4] = {0, 1, 0, -1};
TABLE __device__ long ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
TABLE __device__ signed char ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
TABLE __device__ pair knight[8] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
TABLE __device__ int around[3][2] = {{-1, 0}, {0, -1}, {1, 1}};

// four: a b nx ny; threads nx,ny; bench 4096x4096
KERNEL four(const T *a, T *b, int nx, int ny) {
    PLACE;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    T s = a[y * nx + x];
    for (int k = 0; k < 4; k++)
        s += a[(y + dy4[k]) * nx + x + dx4[k]];
    b[y * nx + x] = s * C(0.2);
}

// Neighbours outside are left out. The compiler is told not to unroll the loop.
// inside: a b nx ny; threads nx,ny; bench 4096x4096
KERNEL inside(const T *a, T *b, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    T s = 0;
#pragma unroll 1
    for (int k = 0; k < 4; k++) {
        int xx = x + dx4[k], yy = y + dy4[k];
        if (xx >= 0 && xx < nx && yy >= 0 && yy < ny)
            s += a[yy * nx + xx] - a[y * nx + x];
    }
    b[y * nx + x] = s;
}

// Periodic; tables of other types.
// periodic: a b nx ny; threads nx,ny; bench 4096x4096
KERNEL periodic(const T *a, T *b, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    T s = 0;
    for (int k = 0; k < 9; k++) {
        int xx = (x + (int)ex[k] + nx) % nx, yy = (y + ey[k] + ny) % ny;
        s += a[yy * nx + xx] * (T)(k + 1);
    }
    b[y * nx + x] = s;
}

// Pairs; the numbers are weights, too.
// knights: a b nx ny; threads nx,ny; bench 4096x4096
KERNEL knights(const T *a, T *b, int nx, int ny) {
    PLACE;
    if (x < 2 || y < 2 || x >= nx - 2 || y >= ny - 2)
        return;
    T s = 0;
    for (int k = 0; k < 8; k++)
        s += a[(y + knight[k].y) * nx + x + knight[k].x] * (T)knight[k].x;
    b[y * nx + x] = s;
}

// Clamped; a table of two dimensions.
// clamped_three: a b nx ny; threads nx,ny; bench 4096x4096
KERNEL clamped_three(const T *a, T *b, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    T s = 0;
    for (int k = 0; k < 3; k++)
        s += a[min(max(y + around[k][0], 0), ny - 1) * nx + min(max(x + around[k][1], 0), nx - 1)];
    b[y * nx + x] = s;
}

// A lattice Boltzmann step that pulls, its planes in one array.
// pull: f[9*nx*ny] g[9*nx*ny] nx ny; threads nx,ny; bench 2048x2048
KERNEL pull(const T *f, T *g, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    T own[9], all = 0;
    for (int k = 0; k < 9; k++) {
        int xx = (x - (int)ex[k] + nx) % nx, yy = (y - ey[k] + ny) % ny;
        own[k] = f[k * nx * ny + yy * nx + xx];
        all += own[k];
    }
    for (int k = 0; k < 9; k++)
        g[k * nx * ny + y * nx + x] = own[k] + (all * C(0.1) - own[k]) * C(0.5);
}
