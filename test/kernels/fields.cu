// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays and sizes in structs passed by value. (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 2 --runs 6 %s
// RUN: %differ --levels 1,3 --runs 6 --types float --expect changed --passes 'stencil-block<vector=4>' --passes 'stencil-block<cache=reg>' star2d1r_fields sized2d_fields star3d1r_fields
// RUN: %differ --levels 2 --runs 6 --expect changed --passes 'stencil-remap<column=16>' --passes 'stencil-remap<tiles=4x3>' star2d1r_fields star2d1r_flat_fields star3d1r_fields
// types: float double int
#include "Inputs/cuda.h"

struct grid2d {
    const T *in;
    T *out;
    int nx, ny;
};

// star2d1r_fields: { a b nx ny }; threads nx,ny
KERNEL star2d1r_fields(struct grid2d g) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < g.nx - 1 && y > 0 && y < g.ny - 1)
        g.out[y * g.nx + x] = C(0.2) * (g.in[y * g.nx + x] + g.in[y * g.nx + x - 1] + g.in[y * g.nx + x + 1] +
                                        g.in[(y - 1) * g.nx + x] + g.in[(y + 1) * g.nx + x]);
}

struct sizes {
    int nx, ny;
};

// sized2d_fields: b a { nx ny } p=nx; threads nx,ny
KERNEL sized2d_fields(T *__restrict__ out, const T *__restrict__ in, struct sizes n, int pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n.nx - 1 || y >= n.ny - 1)
        return;
    out[y * pitch + x] = in[y * pitch + x - 1] + in[y * pitch + x + 1] + in[(y + 1) * pitch + x];
}

// star2d1r_flat_fields: { a b nx ny }; threads nx*ny
KERNEL star2d1r_flat_fields(struct grid2d g) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % g.nx, y = i / g.nx;
    if (x > 0 && x < g.nx - 1 && y > 0 && y < g.ny - 1)
        g.out[i] = g.in[i] + g.in[i - 1] + g.in[i + 1] + g.in[i - g.nx] + g.in[i + g.nx];
}

struct grid3d {
    T *out;
    const T *in;
    long nx, ny, nz;
};

// star3d1r_fields: { b a nx:i64 ny:i64 nz:i64 }; threads nx,ny,nz
KERNEL star3d1r_fields(struct grid3d g) {
    long x = blockIdx.x * blockDim.x + threadIdx.x;
    long y = blockIdx.y * blockDim.y + threadIdx.y;
    long z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 1 || x >= g.nx - 1 || y < 1 || y >= g.ny - 1 || z < 1 || z >= g.nz - 1)
        return;
    const T *c = g.in + (z * g.ny + y) * g.nx + x;
    g.out[(z * g.ny + y) * g.nx + x] = c[0] + c[-1] + c[1] + c[-g.nx] + c[g.nx] + c[-g.nx * g.ny] + c[g.nx * g.ny];
}
