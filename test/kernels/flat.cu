// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A flat index, taken apart by divisions. (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 2 --runs 6 %s
// types: float double int; also short char
#include "Inputs/cuda.h"

// star2d1r_flat: a b nx ny; threads nx*ny
KERNEL star2d1r_flat(const T *a, T *b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[i] = C(0.2) * (a[i] + a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx]);
}

// box2d2r_clamped: b a nx ny cells=nx*ny; threads nx*ny
KERNEL box2d2r_clamped(T *b, const T *a, int nx, int ny, int cells) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i % nx;
    int y = i / nx;
    if (i >= cells)
        return;
    T sum = 0;
    for (int dy = -2; dy <= 2; dy++) {
        int row = min(ny - 1, max(0, y + dy));
        for (int dx = -2; dx <= 2; dx++) {
            int column = min(nx - 1, max(0, x + dx));
            sum += a[row * nx + column];
        }
    }
    b[i] = sum / 25;
}

// box2d4r_clamped: b a nx ny cells=nx*ny; threads nx*ny; block 256
KERNEL __launch_bounds__(256) box2d4r_clamped(T *__restrict__ b, const T *__restrict__ a, int nx,
                                              int ny, int cells) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int x = i % nx;
    int y = i / nx;
    if (i >= cells)
        return;
    T sum = 0;
    for (int dy = -4; dy <= 4; dy++)
        for (int dx = -4; dx <= 4; dx++)
            sum += a[min(ny - 1, max(0, y + dy)) * nx + min(nx - 1, max(0, x + dx))];
    b[i] = sum / 81;
}

// product: b[ny*nx] a[ny*nz] c[nz*nx] nz nx ny; threads nx*ny; bench 1024 4096
KERNEL product(T *b, const T *a, const T *c, int nz, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i % nx;
    int y = i / nx;
    if (i >= nx * ny)
        return;
    T sum = 0;
    for (int k = 0; k < nz; k++)
        sum += a[y * nz + k] * c[x + k * nx];
    b[i] = sum;
}

// product_unsigned: b[ny*nx] a[ny*nz] c[nz*nx] nz:u32 nx:u32 ny:u32; threads nx*ny; bench 1024 4096
KERNEL product_unsigned(T *__restrict__ b, const T *__restrict__ a, const T *__restrict__ c,
                        unsigned nz, unsigned nx, unsigned ny) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nx * ny) {
        T sum = 0;
        for (unsigned k = 0; k < nz; k++)
            sum += a[i / nx * nz + k] * c[i % nx + k * nx];
        b[i] = sum;
    }
}

// strided2d: a b nx:i64 ny:i64; threads nx*ny/3; strided
KERNEL strided2d(const T *a, T *b, long nx, long ny) {
    for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < nx * ny; i += blockDim.x * gridDim.x) {
        long x = i % nx, y = i / nx;
        if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
            b[y * nx + x] = C(0.2) * (a[y * nx + x] + a[y * nx + x - 1] + a[y * nx + x + 1] +
                                      a[(y - 1) * nx + x] + a[(y + 1) * nx + x]);
    }
}

// interior_strided: a[(nx+2)*(ny+2)] b[(nx+2)*(ny+2)] nx:i64 ny:i64; threads nx*ny/2; strided
KERNEL interior_strided(const T *a, T *b, long nx, long ny) {
    for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < nx * ny; i += blockDim.x * gridDim.x) {
        long x = i % nx + 1, y = i / nx + 1, pitch = nx + 2;
        T sum = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                sum += a[(y + dy) * pitch + x + dx];
        b[y * pitch + x] = sum / 9;
    }
}

// periodic_flat: a b nx ny; threads nx*ny
KERNEL periodic_flat(const T *a, T *b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nx * ny)
        return;
    int x = i % nx, y = i / nx;
    b[i] = a[y * nx + (x + 1) % nx] + a[y * nx + (x + nx - 1) % nx] + a[(y + 1) % ny * nx + x] +
           a[(y + ny - 1) % ny * nx + x] - C(0.4) * a[i];
}

// across_rows: a[nx*ny+2*nx] b[nx*ny+2*nx] nx; exactly nx*ny
KERNEL across_rows(const T *a, T *b, int nx) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + nx;
    b[i] = a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] - C(0.4) * a[i];
}

// star3d1r_flat: a b nx ny nz; threads nx*ny*nz
KERNEL star3d1r_flat(const T *a, T *b, int nx, int ny, int nz) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i % nx, y = i / nx % ny, z = i / (nx * ny);
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
        b[i] = C(0.4) * a[i] + C(0.1) * (a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] +
                                         a[i - nx * ny] + a[i + nx * ny]);
}

// star2d1r_columns: a b nx ny; threads nx*ny
KERNEL star2d1r_columns(const T *a, T *b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i / ny, y = i % ny;
    int c = y * nx + x;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[c] = C(0.2) * (a[c] + a[c - 1] + a[c + 1] + a[c - nx] + a[c + nx]);
}

// star3d1r_other_order: a b nx ny nz; threads nx*ny*nz
KERNEL star3d1r_other_order(const T *a, T *b, int nx, int ny, int nz) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i % nx, z = i / nx % nz, y = i / (nx * nz);
    int c = (z * ny + y) * nx + x;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
        b[c] = a[c - 1] + a[c + 1] + a[c - nx] + a[c + nx] + a[c - nx * ny] + a[c + nx * ny];
}

// The remainder by ny looks like that of a third dimension, so that rows are guarded before they are one.
// periodic_rows: a b nx ny; threads nx*ny+100
KERNEL periodic_rows(const T *a, T *b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (x < nx - 1 && y < ny)
        b[y * nx + x] = a[(y + ny) % ny * nx + x + 1] + a[(y + 1 + ny) % ny * nx + x];
}

// guarded_rows: a b nx ny nz; threads nx*ny*nz+300
KERNEL guarded_rows(const T *a, T *b, int nx, int ny, int nz) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, row = i / nx, y = row % ny, z = row / ny;
    if (row >= ny && row < ny * (nz - 1) && y > 0 && y < ny - 1)
        b[i] = C(0.3) * (a[i - nx] + a[i + nx] + a[i - nx * ny] + a[i + nx * ny]) - a[(z * ny + y) * nx + x];
}

// The limit of the flat index, m * nx, would not fit in 64 bits.
// guarded_far: a b nx:i64 ny:i64 nz:i64 m:i64=4611686018427387904; threads nx*ny*nz
KERNEL guarded_far(const T *a, T *b, long nx, long ny, long nz, long m) {
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x, row = i / nx, x = i % nx, y = row % ny, z = row / ny;
    if (row < m && x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
        b[i] = a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] + a[i - nx * ny] + a[i + nx * ny];
}
// guarded_from: a b nx:i64 ny:i64; threads nx*ny
KERNEL guarded_from(const T *a, T *b, long nx, long ny) {
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x, row = i / nx, x = i % nx;
    if (row + 1 > 0 && x > 0 && x < nx - 1 && i > nx && i < nx * (ny - 1))
        b[i] = a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx];
}

// A torus. Remainders are taken of a cell's own coordinates, too.
// torus_flat: a b nx ny; threads nx*ny
KERNEL torus_flat(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nx * ny)
        return;
    int x = i % nx, y = i / nx;
    T s = 0;
    for (int k = -1; k <= 1; k++)
        s += a[(y + k + ny) % ny * nx + (x - k + nx) % nx];
    b[i] = s;
}

// torus_of_planes: a b nx ny nz; threads nx*ny*nz
KERNEL torus_of_planes(const T *__restrict__ a, T *__restrict__ b, int nx, int ny, int nz) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nx * ny * nz)
        return;
    int x = i % nx, y = i / nx % ny, z = i / nx / ny;
    T s = 0;
    for (int k = -1; k <= 1; k++)
        s += a[((z + k + nz) % nz * ny + y) * nx + x] - a[(z * ny + (y + k + ny) % ny) * nx + (x + k + nx) % nx];
    b[i] = s;
}
