// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads at a border that write a further cell: a ghost cell beside theirs, or the other end of the axis.
// (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 2 --runs 6 --targets sm_80,gfx90a --types float --passes 'stencil-block<cache=l1;coarsen=2>' --expect changed %s
// RUN: %differ --levels 1,3 --runs 4 --targets sm_80 --types double,int --passes 'stencil-block<cache=reg>' --passes 'stencil-block<cache=lds;coarsen=4>' %s
// types: float double int
#include "Inputs/cuda.h"

#define PLACE int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y
#define INNER (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)

// ghost: a b nx ny; threads nx,ny; bench 4096 8191 16384
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
// round: a b nx ny; threads nx,ny; bench 4096 8191 16384
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

// Two of four components, in rows whose length is no number of records.
// pitched: a b nx ny pitch=4*nx+1 | (4*nx+1)*ny; threads nx,ny
KERNEL pitched(const T *__restrict__ a, T *__restrict__ b, int nx, int ny, int pitch) {
    PLACE;
    if (INNER) {
        int i = y * pitch + 4 * x;
        b[i] = a[i + 4] - a[i - 4];
        b[i + 1] = a[i + pitch] + a[i - pitch];
    }
}

// Even and odd rows.
// between: a b nx ny | 2*nx*ny; threads nx,ny
KERNEL between(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    PLACE;
    if (INNER) {
        int i = y * nx + x;
        b[2 * y * nx + x] = a[i - 1] + a[i + 1];
        b[2 * y * nx + nx + x] = a[i - nx] - a[i + nx];
    }
}

// With a loop over planes in the thread.
// slices: a b nx ny nz pitch=4*nx+1 slice=(4*nx+1)*ny+2 | ((4*nx+1)*ny+2)*nz; threads nx,ny; once
KERNEL slices(const T *__restrict__ a, T *__restrict__ b, int nx, int ny, int nz, int pitch, int slice) {
    PLACE;
    for (int z = 0; z < nz; z++)
        if (INNER && z > 0 && z < nz - 1) {
            int i = z * slice + y * pitch + 4 * x;
            b[i] += a[i + 4] - a[i - 4];
            b[i + 1] += a[i + pitch] + a[i - pitch];
            b[i + 3] += a[i + slice] + a[i - slice];
        }
}

// ghost_planes: a b nx ny nz; threads nx,ny
KERNEL ghost_planes(const T *__restrict__ a, T *__restrict__ b, int nx, int ny, int nz) {
    PLACE;
    if (INNER)
        for (int z = 0, i = y * nx + x; z < nz; z++, i += nx * ny) {
            T v = a[i - 1] + a[i + 1] - a[i];
            b[i] = v;
            if (x == 1)
                b[i - 1] = v;
        }
}

// A thread has two rows, by a statement each, and with guards of their own.
// rows: a b nx ny | nx*(2*ny+2); threads nx,ny
KERNEL rows(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    PLACE, i = 2 * y * nx + x;
    if (INNER) {
        b[i] = a[i - 1] + a[i + 1] + a[i - nx];
        b[i + nx] = a[i + nx - 1] - a[i + nx + 1];
    }
}

// guarded_rows: a b nx ny | nx*(2*ny+2); threads nx,ny
KERNEL guarded_rows(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    PLACE, i = 2 * y * nx + x;
    if (x < 1 || y < 1 || x >= nx - 1)
        return;
    if (y < ny)
        b[i] = a[i - 1] + a[i + 1] + a[i - nx];
    if (y < ny - 1 && x > 3)
        b[i + nx] = a[i + nx - 1] - a[i + nx + 1];
}

// Two cells that are a block's width apart, and a gap behind them.
// blocks_apart: a b nx ny; threads nx,ny
KERNEL blocks_apart(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    int x0 = blockIdx.x * (3 * blockDim.x) + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 2; j++) {
        int x = x0 + j * blockDim.x;
        if (x > 0 && x < nx - 1 && y < ny)
            b[y * nx + x] = a[y * nx + x - 1] + a[y * nx + x + 1];
    }
}
