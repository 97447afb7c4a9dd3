// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels about which something is proven: few operations, so that questions about them are short.
#include "../../kernels/Inputs/cuda.h"

KERNEL flat(const T *a, T *b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (x > 0 && x < nx - 1 && y < ny - 1)
        b[i] = a[i - 1] + a[i + nx];
}

KERNEL plane(const T *a, T *b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[y * nx + x] = a[y * nx + x + 1] + a[(y - 1) * nx + x] + a[(y + 1) * nx + x];
}

KERNEL volume(const T *a, T *b, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < nx - 1 && y < ny && z > 0 && z < nz)
        b[(z * ny + y) * nx + x] = a[((z - 1) * ny + y) * nx + x] + a[(z * ny + y) * nx + x + 1];
}
