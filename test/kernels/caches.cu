// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours from registers and scratchpad. Most of the kernels are for one shape of block, so that
// the tiles of waves and blocks are known; waves of 64 lanes are used where a block has whole ones
// along x, or 8x8.
// RUN: %differ --levels 2 --runs 6 --types float --targets sm_80,gfx1100 --expect changed \
// RUN:   --passes 'stencil-block<cache=reg;coarsen=2>' \
// RUN:   --passes 'stencil-block<cache=reg;load=cyclic;coarsen=1>' %s
// RUN: %differ --levels 2 --runs 6 --types double --targets sm_80,gfx90a --expect changed \
// RUN:   --passes 'stencil-block<cache=reg;coarsen=2>' \
// RUN:   --passes 'stencil-block<cache=reg;load=cyclic;coarsen=1>' %s
// RUN: %differ --levels 2 --runs 6 --types int --targets sm_80,gfx90a --expect changed \
// RUN:   --passes 'stencil-block<cache=reg;wave=2d;coarsen=2>' %s
// RUN: %differ --levels 2 --runs 6 --types float,double --targets sm_80,gfx90a --expect changed \
// RUN:   --passes 'stencil-block<cache=lds;coarsen=1>' \
// RUN:   --passes 'stencil-block<cache=lds;load=branch;coarsen=3>' \
// RUN:   --passes 'stencil-block<cache=lds;blocking=2.5d;coarsen=4>' \
// RUN:   star2d2r_64 box2d1r_128 upwind3d_64 box3d1r_32 box3d1r_any
// types: float double int
#include "Inputs/cuda.h"

// star2d2r_64: a b nx ny; threads nx,ny; block 64,4
KERNEL star2d2r_64(const T *a, T *b, int nx, int ny) {
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x > 1 && x < nx - 2 && y > 1 && y < ny - 2)
        b[y * nx + x] = C(0.1) * (a[y * nx + x - 2] + a[y * nx + x - 1] + a[y * nx + x] + a[y * nx + x + 1] +
                                  a[y * nx + x + 2] + a[(y - 2) * nx + x] + a[(y - 1) * nx + x] +
                                  a[(y + 1) * nx + x] + a[(y + 2) * nx + x]);
}

// box2d1r_128: a b nx ny; threads nx,ny; block 128,8
KERNEL box2d1r_128(const T *a, T *b, int nx, int ny) {
    int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[y * nx + x] = C(0.1) * a[(y - 1) * nx + x - 1] + C(0.2) * a[(y - 1) * nx + x] +
                        C(0.1) * a[(y - 1) * nx + x + 1] + C(0.2) * a[y * nx + x - 1] + C(0.3) * a[y * nx + x] +
                        C(0.2) * a[y * nx + x + 1] + C(0.1) * a[(y + 1) * nx + x - 1] +
                        C(0.2) * a[(y + 1) * nx + x] + C(0.1) * a[(y + 1) * nx + x + 1];
}

// upwind3d_64: a b nx ny nz; threads nx,ny,nz; block 64,8,2
KERNEL upwind3d_64(const T *a, T *b, int nx, int ny, int nz) {
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z * 2 + threadIdx.z;
    int i = (z * ny + y) * nx + x;
    if (x > 1 && x < nx && y > 0 && y < ny - 1 && z < nz - 1)
        b[i] = C(0.2) * (a[i - 2] + a[i - 1] + a[i - nx] + a[i + nx] + a[i + nx * ny]);
}

#define BOX3D(x_, y_, z_)                                                                          \
    int x = blockIdx.x * x_ + threadIdx.x, y = blockIdx.y * y_ + threadIdx.y,                      \
        z = blockIdx.z * z_ + threadIdx.z;                                                         \
    if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1 || z < 1 || z >= nz - 1)                      \
        return;                                                                                    \
    T sum = 0;                                                                                     \
    _Pragma("unroll") for (int k = -1; k <= 1; k++) _Pragma("unroll") for (int j = -1; j <= 1; j++) \
        _Pragma("unroll") for (int i = -1; i <= 1; i++) sum +=                                     \
        C(0.1) * a[((z + k) * ny + y + j) * nx + x + i];                                          \
    b[(z * ny + y) * nx + x] = sum

// box3d1r_32: a b nx ny nz; threads nx,ny,nz; block 32,4,4
KERNEL box3d1r_32(const T *a, T *b, int nx, int ny, int nz) {
    BOX3D(32, 4, 4);
}

// box3d1r_any: a b nx ny nz; threads nx,ny,nz
KERNEL box3d1r_any(const T *a, T *b, int nx, int ny, int nz) {
    BOX3D(blockDim.x, blockDim.y, blockDim.z);
}

// No box and no star: the corners of a plane are not read, nor is anything at the edges of the box.
// edges3d1r: a b nx ny nz; threads nx,ny,nz
KERNEL edges3d1r(const T *a, T *b, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        z = blockIdx.z * blockDim.z + threadIdx.z;
    int i = (z * ny + y) * nx + x, p = nx * ny;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
        b[i] = C(0.1) * (a[i - 1 - nx] + a[i + 1 - nx] + a[i - 1 + nx] + a[i + 1 + nx] + a[i - p - 1] + a[i - p + 1] +
                         a[i + p - nx] + a[i + p + nx] + a[i]);
}
