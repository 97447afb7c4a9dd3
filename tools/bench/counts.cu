// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of tools/bench/counts: those of N. Prasetya's thesis on thread orders, and the six stencils of GPU-UniCache.
#include "cuda.h"

#define FLAT int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx
#define X int x = blockIdx.x * blockDim.x + threadIdx.x
#define Y y = blockIdx.y * blockDim.y + threadIdx.y
#define Z z = blockIdx.z * blockDim.z + threadIdx.z

KERNEL box9(const T *a, T *b, int nx, int ny) {
    FLAT;
    if (x < 4 || y < 4 || x >= nx - 4 || y >= ny - 4)
        return;
    T sum = 0;
    for (int k = -4; k <= 4; k++)
        for (int j = -4; j <= 4; j++)
            sum += a[(y + k) * nx + x + j];
    b[i] = sum;
}
KERNEL product(const T *a, const T *c, T *b, int nz, int nx, int ny) {
    FLAT;
    if (i >= nx * ny)
        return;
    T sum = 0;
    for (int k = 0; k < nz; k++)
        sum += a[y * nz + k] * c[x + k * nx];
    b[i] = sum;
}

KERNEL jacobi1d(const T *a, T *b, int nx) {
    X;
    if (x >= 1 && x < nx - 1)
        b[x] = (T)0.33 * (a[x - 1] + a[x] + a[x + 1]);
}
KERNEL gaussian7(const T *a, T *b, int nx) {
    X;
    if (x >= 3 && x < nx - 3)
        b[x] = (T)0.1 * a[x - 3] + (T)0.2 * a[x - 2] + (T)0.3 * a[x - 1] + (T)0.4 * a[x] + (T)0.3 * a[x + 1] +
               (T)0.2 * a[x + 2] + (T)0.1 * a[x + 3];
}
KERNEL jacobi2d(const T *a, T *b, int nx, int ny) {
    X, Y, i = y * nx + x;
    if (x >= 1 && y >= 1 && x < nx - 1 && y < ny - 1)
        b[i] = (T)0.2 * (a[i] + a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx]);
}
KERNEL seidel2d(const T *a, T *b, int nx, int ny) {
    X, Y, i = y * nx + x;
    if (x >= 1 && y >= 1 && x < nx - 1 && y < ny - 1)
        b[i] = (a[i - nx - 1] + a[i - nx] + a[i - nx + 1] + a[i - 1] + a[i] + a[i + 1] + a[i + nx - 1] + a[i + nx] +
                a[i + nx + 1]) * (T)0.11;
}
KERNEL heat3d(const T *a, T *b, int nx, int ny, int nz) {
    X, Y, Z, p = nx * ny, i = z * p + y * nx + x;
    if (x >= 1 && y >= 1 && z >= 1 && x < nx - 1 && y < ny - 1 && z < nz - 1)
        b[i] = a[i] + (T)0.125 * (a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] + a[i - p] + a[i + p] - 6 * a[i]);
}
KERNEL jacobi3d(const T *a, T *b, int nx, int ny, int nz) {
    X, Y, Z, p = nx * ny, i = z * p + y * nx + x;
    if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1)
        return;
    T sum = 0;
    for (int k = -1; k <= 1; k++)
        for (int j = -1; j <= 1; j++)
            for (int l = -1; l <= 1; l++)
                sum += a[i + k * p + j * nx + l];
    b[i] = sum * (T)0.037;
}
