// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ways to number a launch's threads. Whatever the order, all buffers are the same (differ.py says what
// the lines before the kernels mean).
// RUN: %differ --levels 1,3 --runs 6 --expect changed --passes 'stencil-remap<column=4>' %s
// RUN: %differ --levels 2 --runs 8 --expect changed --passes 'stencil-remap<column=5;zigzag>' --passes 'stencil-remap<tiles=4x3>' --passes 'stencil-remap<tiles=2x8;zigzag>' %s
// RUN: %differ --levels 2 --runs 4 --late --passes 'stencil-remap<column=8>' %s
// types: float
#include "../kernels/Inputs/cuda.h"

#define FIVE(i) (C(0.2) * (a[i] + a[(i) - 1] + a[(i) + 1] + a[(i) - nx] + a[(i) + nx]))

// plane_of_threads: a b nx ny; threads nx*ny
KERNEL plane_of_threads(const T *a, T *b, int nx, int ny) {
    int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int x = i % nx, y = i / nx;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[i] = FIVE(i);
}
// plane_of_blocks: a b nx ny; threads nx*ny
KERNEL plane_of_blocks(const T *a, T *b, int nx, int ny) {
    int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < nx * ny) {
        int x = i % nx, y = i / nx;
        b[i] = x > 0 && x < nx - 1 && y > 0 && y < ny - 1 ? FIVE(i) : a[i];
    }
}
// batch: a b nx ny nz | nx*ny*nz; threads nx*ny,nz
KERNEL batch(const T *a, T *b, int nx, int ny, int nz) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.y * blockDim.y + threadIdx.y;
    int x = i % nx, y = i / nx;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z < nz)
        b[z * nx * ny + i] = FIVE(z * nx * ny + i);
}
// block_of_64: a b nx ny; threads nx*ny
KERNEL block_of_64(const T *a, T *b, int nx, int ny) {
    int i = blockIdx.x * 64 + threadIdx.x, x = i % nx, y = i / nx;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[i] = FIVE(i);
}
// rows_of_32: a b ny | 32*ny; threads 32*ny
KERNEL rows_of_32(const T *a, T *b, int ny) {
    const int nx = 32;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i & 31, y = i >> 5;
    if (x > 0 && x < 31 && y > 0 && y < ny - 1)
        b[i] = FIVE(i);
}
// rows_of_20: a b ny | 20*ny; threads 20*ny
KERNEL rows_of_20(const T *a, T *b, int ny) {
    const int nx = 20;
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (x > 0 && x < 19 && y > 0 && y < ny - 1)
        b[i] = FIVE(i);
}
// wide_index: a b nx:i64 ny:i64; threads nx*ny
KERNEL wide_index(const T *a, T *b, long nx, long ny) {
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x, y = i / nx, x = i - y * nx;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[i] = FIVE(i);
}
// unsigned_width: a b nx:u32 ny:u32; threads nx*ny
KERNEL unsigned_width(const T *a, T *b, unsigned nx, unsigned ny) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (x > 0 && x + 1 < nx && y > 0 && y + 1 < ny)
        b[i] = FIVE(i);
}
// row_first: a b nx ny nz | nx*ny*nz; threads nx*ny*nz
KERNEL row_first(const T *a, T *b, int nx, int ny, int nz) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int z = i / (nx * ny), rest = i - z * nx * ny, y = rest / nx, x = rest % nx;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
        b[i] = FIVE(i) + a[i - nx * ny] + a[i + nx * ny];
}
// two_arrays: a b[nx*ny] c[nx*ny] nx ny; threads nx*ny
KERNEL two_arrays(const T *a, T *b, T *c, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
        b[i] = FIVE(i);
        c[i] += a[i + 1] - a[i - 1];
    }
}
// by_value: a b nx ny; threads nx*ny
KERNEL by_value(const T *a, T *b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (y >= ny)
        return;
    T sum = 0;
    for (int k = 0; k < (int)(a[i] * 8); k++)
        sum += a[(i + k) % (nx * ny)];
    b[y * nx + x] = sum;
}
// mirrored: a b nx ny; threads nx*ny
KERNEL mirrored(const T *a, T *b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long j = i, n = (long)nx * ny;
    if (j < n)
        b[j] = a[j / nx * nx + (nx - 1 - j % nx)];
}

// strided: a b nx ny; threads nx*ny/3
KERNEL strided(const T *a, T *b, int nx, int ny) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nx * ny; i += blockDim.x * gridDim.x) {
        int x = i % nx, y = i / nx;
        if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
            b[i] = FIVE(i);
    }
}
// strided_cells: a b nx ny n:u32=nx*ny; threads nx*ny/2
KERNEL strided_cells(const T *a, T *b, unsigned nx, unsigned ny, unsigned n) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        unsigned x = i % nx, y = i / nx;
        if (x == 0 || x == nx - 1 || y == 0 || y >= ny - 1)
            continue;
        b[i] = FIVE(i);
    }
}
// strided_product: b[ny*nx] a[ny*nz] c[nz*nx] nz nx ny; threads nx*ny/2
KERNEL strided_product(T *b, const T *a, const T *c, int nz, int nx, int ny) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nx * ny; i += blockDim.x * gridDim.x) {
        T sum = 0;
        for (int k = 0; k < nz; k++)
            sum += a[i / nx * nz + k] * c[i % nx + k * nx];
        b[i] = sum;
    }
}
// strided_planes: a b nx ny nz | nx*ny*nz; threads nx,ny/2,nz
KERNEL strided_planes(const T *a, T *b, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z * blockDim.z + threadIdx.z;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < ny; y += gridDim.y * blockDim.y)
        if (x < nx && z < nz)
            b[(z * ny + y) * nx + x] = a[(z * ny + y) * nx + x] * 2;
}
