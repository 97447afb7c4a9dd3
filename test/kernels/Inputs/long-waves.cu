// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that are known to consist of waves of 64 lanes.
// types: float double
#include "cuda.h"

// row_of_64: a b nx ny; threads nx,ny; block 64,4
KERNEL row_of_64(const T *a, T *b, int nx, int ny) {
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 1 && x < nx - 2 && y > 0 && y < ny - 1)
        b[y * nx + x] = C(0.25) * a[y * nx + x - 2] + C(0.25) * a[y * nx + x + 2] + C(0.125) * a[y * nx + x - 1] +
                        C(0.25) * a[(y - 1) * nx + x] + C(0.25) * a[(y + 1) * nx + x];
}

// block_of_64: a b nx ny; threads nx,ny; block 32,8
KERNEL block_of_64(const T *a, T *b, int nx, int ny) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[y * nx + x] = C(0.25) * a[y * nx + x - 1] + C(0.25) * a[y * nx + x + 1] + C(0.25) * a[(y - 1) * nx + x] +
                        C(0.25) * a[(y + 1) * nx + x];
}
