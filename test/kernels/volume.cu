// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three dimensions. (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 2 --runs 6 %s
// types: float double int; also short char
#include "Inputs/cuda.h"

#define CELL                                                                                       \
    int x = blockIdx.x * blockDim.x + threadIdx.x;                                                 \
    int y = blockIdx.y * blockDim.y + threadIdx.y;                                                 \
    int z = blockIdx.z * blockDim.z + threadIdx.z
#define AT(x, y, z) (((z) * ny + (y)) * nx + (x))
#define INSIDE(r)                                                                                  \
    (x >= r && x < nx - r && y >= r && y < ny - r && z >= r && z < nz - r)

// star3d1r: a b nx ny nz; threads nx,ny,nz
KERNEL star3d1r(const T *a, T *b, int nx, int ny, int nz) {
    CELL;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
        b[AT(x, y, z)] = C(0.4) * a[AT(x, y, z)] +
                         C(0.1) * (a[AT(x - 1, y, z)] + a[AT(x + 1, y, z)] + a[AT(x, y - 1, z)] +
                                   a[AT(x, y + 1, z)] + a[AT(x, y, z - 1)] + a[AT(x, y, z + 1)]);
}

// star3d1r_bounds: a b nx ny nz; threads nx,ny,nz; block 32,4,4
KERNEL __launch_bounds__(512) star3d1r_bounds(const T *__restrict__ a, T *__restrict__ b, int nx,
                                              int ny, int nz) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y,
        z = blockIdx.z * 4 + threadIdx.z;
    if (!INSIDE(1))
        return;
    long pitch = nx, plane = (long)nx * ny;
    const T *c = a + z * plane + y * pitch + x;
    b[z * plane + y * pitch + x] =
        C(0.4) * c[0] + C(0.1) * (c[-1] + c[1] + c[-pitch] + c[pitch] + c[-plane] + c[plane]);
}

// box3d1r: a b nx ny nz; threads nx,ny,nz
KERNEL box3d1r(const T *a, T *b, int nx, int ny, int nz) {
    CELL;
    if (!INSIDE(1))
        return;
    T sum = 0;
    for (int k = -1; k <= 1; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++)
                sum += a[AT(x + i, y + j, z + k)];
    b[AT(x, y, z)] = sum / 27;
}

// box3d2r: a b nx ny nz; threads nx,ny,nz
KERNEL box3d2r(const T *__restrict__ a, T *__restrict__ b, int nx, int ny, int nz) {
    CELL;
    if (!INSIDE(2))
        return;
    T sum = 0;
    for (int k = -2; k <= 2; k++)
        for (int j = -2; j <= 2; j++)
            for (int i = -2; i <= 2; i++)
                sum += a[AT(x + i, y + j, z + k)];
    b[AT(x, y, z)] = sum / 125;
}

// star3d4r: a b nx ny nz; threads nx,ny,nz
KERNEL star3d4r(const T *a, T *b, int nx, int ny, int nz) {
    CELL;
    if (!INSIDE(4))
        return;
    T sum = C(0.3) * a[AT(x, y, z)];
#pragma unroll
    for (int r = 1; r <= 4; r++)
        sum += (a[AT(x - r, y, z)] + a[AT(x + r, y, z)] + a[AT(x, y - r, z)] + a[AT(x, y + r, z)] +
                a[AT(x, y, z - r)] + a[AT(x, y, z + r)]) / (r + 1);
    b[AT(x, y, z)] = sum;
}

// march3d: a b nx ny nz; threads nx,ny
KERNEL march3d(const T *a, T *b, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1)
        return;
    for (int z = 1; z < nz - 1; z++)
        b[AT(x, y, z)] = C(0.4) * a[AT(x, y, z)] +
                         C(0.1) * (a[AT(x - 1, y, z)] + a[AT(x + 1, y, z)] + a[AT(x, y - 1, z)] +
                                   a[AT(x, y + 1, z)] + a[AT(x, y, z - 1)] + a[AT(x, y, z + 1)]);
}

// planes3d: a b nx ny nz; threads nx,ny,nz/4
KERNEL planes3d(const T *a, T *b, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int first = 4 * (blockIdx.z * blockDim.z + threadIdx.z);
    for (int z = first; z < first + 4; z++)
        if (INSIDE(1))
            b[AT(x, y, z)] = a[AT(x - 1, y, z)] + a[AT(x + 1, y, z)] + a[AT(x, y - 1, z)] +
                             a[AT(x, y + 1, z)] + a[AT(x, y, z - 1)] + a[AT(x, y, z + 1)] -
                             C(0.6) * a[AT(x, y, z)];
}

// coefficients3d: a c d e b nx ny nz; threads nx,ny,nz
KERNEL coefficients3d(const T *a, const T *c, const T *d, const T *e, T *b, int nx, int ny,
                      int nz) {
    CELL;
    if (INSIDE(1)) {
        int i = AT(x, y, z), p = nx * ny;
        b[i] = a[i] + c[i] * (a[i - 1] + a[i + 1]) + d[i] * (a[i - nx] + a[i + nx]) +
               e[i] * (a[i - p] + a[i + p]);
    }
}

// wave3d: a before b nx ny nz; threads nx,ny,nz
KERNEL wave3d(const T *a, const T *before, T *b, int nx, int ny, int nz) {
    CELL;
    if (INSIDE(1))
        b[AT(x, y, z)] = C(2) * a[AT(x, y, z)] - before[AT(x, y, z)] +
                         C(0.1) * (a[AT(x - 1, y, z)] + a[AT(x + 1, y, z)] + a[AT(x, y - 1, z)] +
                                   a[AT(x, y + 1, z)] + a[AT(x, y, z - 1)] + a[AT(x, y, z + 1)] -
                                   C(6) * a[AT(x, y, z)]);
}

// periodic3d: a b nx ny nz; threads nx,ny,nz
KERNEL periodic3d(const T *a, T *b, int nx, int ny, int nz) {
    CELL;
    if (x >= nx || y >= ny || z >= nz)
        return;
    b[AT(x, y, z)] = a[AT((x + nx - 1) % nx, y, z)] + a[AT((x + 1) % nx, y, z)] +
                     a[AT(x, (y + ny - 1) % ny, z)] + a[AT(x, (y + 1) % ny, z)] +
                     a[AT(x, y, (z + nz - 1) % nz)] + a[AT(x, y, (z + 1) % nz)];
}
