// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads at a border that write a further cell: a ghost cell beside theirs, or the other end of the axis.
// (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 2 --runs 6 --targets sm_80,gfx90a --types float --passes 'stencil-block<cache=l1;coarsen=2>' --expect changed %s
// RUN: %differ --levels 1,3 --runs 4 --targets sm_80 --types double,int --passes 'stencil-block<cache=reg>' --passes 'stencil-block<cache=lds;coarsen=4>' %s
// types: float double int
#include "Inputs/cuda.h"

#define PLACE int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y
#define INNER (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)

// ghost: a b nx ny; threads nx,ny
KERNEL ghost(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    PLACE;
    if (INNER) {
        int i = y * nx + x;
        T v = a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx];
        b[i] = v;
        if (x == 1)
            b[i - 1] = v;
        if (x == nx - 2)
            b[i + 1] = -v;
    }
}

// The first row goes to the last one, and the other way round.
// round: a b nx ny; threads nx,ny
KERNEL round(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    PLACE;
    if (INNER) {
        int i = y * nx + x;
        T v = a[i - 1] + a[i + 1] - a[i - nx];
        b[i] = v;
        if (y == 1)
            b[(ny - 1) * nx + x] = v;
        if (y == ny - 2)
            b[x] = v;
    }
}

// As a step of a flow has it: the last thread of a row writes both ends.
// ends: u v g nx ny | (nx+2)*(ny+2); exactly nx,ny
KERNEL ends(const T *__restrict__ u, const T *__restrict__ v, T *__restrict__ g, int nx, int ny) {
    PLACE;
    int p = nx + 2, row = (y + 1) * p, i = row + x + 1;
    if (x + 1 == nx) {
        g[row] = v[row];
        g[row + nx] = v[row + nx];
    } else {
        g[i] = v[i] + u[i + 1] - u[i] + v[i + p] - v[i - p];
    }
}

// Two arrays, of which nothing says that they are apart.
// two: a b c nx ny; threads nx,ny
KERNEL two(const T *a, T *b, T *c, int nx, int ny) {
    PLACE;
    if (INNER) {
        int i = y * nx + x;
        b[i] = a[i - 1] + a[i + 1];
        c[i] = a[i - nx] + a[i + nx];
        if (y == 1) {
            b[x] = a[i];
            c[x] = a[i + 1];
        }
    }
}

// ball: a b nx ny nz; threads nx,ny,nz
KERNEL ball(const T *__restrict__ a, T *__restrict__ b, int nx, int ny, int nz) {
    PLACE, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (INNER && z > 0 && z < nz - 1) {
        long p = (long)nx * ny, i = z * p + y * nx + x;
        T v = a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] + a[i - p] + a[i + p];
        b[i] = v;
        if (z == 1)
            b[i - p] = v;
        if (x == nx - 2)
            b[i - x] = v;
    }
}
