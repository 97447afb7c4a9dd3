// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with nothing, or nothing safe, to gain: passes should leave them as they are. (differ.py
// says what the lines before the kernels mean.)
// RUN: %differ --levels 2 --runs 6 %s
// types: float double int
#include "Inputs/cuda.h"

// copy: a b n; threads n
KERNEL copy(const T *a, T *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[i];
}

// triad: a c b w=0.7 n; threads n
KERNEL triad(const T *__restrict__ a, const T *__restrict__ c, T *__restrict__ b, T w, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[i] + w * c[i];
}

// transpose: a b nx ny; threads nx,ny
KERNEL transpose(const T *a, T *b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < nx && y < ny)
        b[x * ny + y] = a[y * nx + x];
}

// in_place: a n; threads n
KERNEL in_place(T *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        a[i] = C(0.5) * (a[i - 1] + a[i + 1]);
}

// gathered: a[n+256] index:i32[n] b n; threads n
KERNEL gathered(const T *a, const int *index, T *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[index[i]] + a[index[i] + 1];
}

// mapped_neighbours: a[n+256] left:i32[n] right:i32[n] b n; threads n
KERNEL mapped_neighbours(const T *a, const int *left, const int *right, T *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[i] - C(0.5) * (a[left[i]] + a[right[i]]);
}

// counted: a b:i32[n+1] n; threads n
KERNEL counted(const T *a, int *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) {
        b[i] = a[i - 1] < a[i] && a[i] > a[i + 1];
        if (b[i])
            __atomic_fetch_add(&b[n], 1, __ATOMIC_RELAXED);
    }
}

// tiled3d: a b nx ny nz; threads nx,ny; block 16,8
KERNEL __launch_bounds__(128) tiled3d(const T *a, T *b, int nx, int ny, int nz) {
    __shared__ T plane[8][16];
    int i = threadIdx.x, j = threadIdx.y, x = blockIdx.x * 16 + i, y = blockIdx.y * 8 + j;
    bool in = x < nx && y < ny, write = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
    int c = min(y, ny - 1) * nx + min(x, nx - 1), size = nx * ny;
    for (int z = 1; z < nz - 1; z++) {
        plane[j][i] = a[z * size + c];
        __syncthreads();
        if (in && write) {
            const T *here = a + z * size + c;
            T left = i > 0 ? plane[j][i - 1] : here[-1], right = i < 15 ? plane[j][i + 1] : here[1];
            T up = j > 0 ? plane[j - 1][i] : here[-nx], down = j < 7 ? plane[j + 1][i] : here[nx];
            b[z * size + c] = C(0.4) * plane[j][i] + C(0.1) * (left + right + up + down) +
                              C(0.1) * (here[-size] + here[size]);
        }
        __syncthreads();
    }
}
