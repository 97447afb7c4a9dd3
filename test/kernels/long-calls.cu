// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that call a function with a loop and an array of its own, as the toolkits' sines have them for large arguments. It
// has such a name, and is inlined behind the passes.
// RUN: %differ --levels 2 --runs 8 --targets sm_80,gfx90a --types float,double --passes 'stencil-block<cache=l1;coarsen=2>' --expect changed %s
// RUN: %differ --levels 3 --runs 6 --targets sm_80,gfx1100 --types float,int --passes 'stencil-block<cache=l1>' --passes 'stencil-block<cache=lds>' --passes 'stencil-block<cache=reg>' --expect changed %s
// RUN: %differ --levels 2 --runs 4 --targets sm_80 --types float --passes 'stencil-remap<column=32>,stencil-block<cache=l1>' --passes 'thinlto<O3>' --passes 'thinlto-pre-link<O2>' %s
// types: float double int
#include "Inputs/cuda.h"

static __device__ T reduced(T a, int n) asm("__nv_reduced");
static __device__ T reduced(T a, int n) {
    unsigned digits[6];
    unsigned bits = (unsigned)(long)(a * (T)3) + (unsigned)n;
    if (a < (T)0.5 && a > (T)-0.5)
        return a;
#pragma unroll 1
    for (int i = 0; i < 6; i++) {
        digits[i] = bits * 2654435761u + (unsigned)i;
        bits ^= digits[i] >> 7;
    }
    return (T)(digits[bits % 6] & 255) + (T)(digits[(bits + 1) % 6] & 15);
}

// plane: a b nx ny; threads nx,ny
KERNEL plane(const T *a, T *b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    const T *c = a + y * nx + x;
    b[y * nx + x] = reduced(c[1] - c[-1], 1) + reduced(c[nx] - c[-nx], x);
}

// Under a condition on a value.
// chosen: a b nx ny; threads nx,ny
KERNEL chosen(const T *a, T *b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny)
        return;
    int l = max(x - 1, 0), r = min(x + 1, nx - 1);
    T s = a[y * nx + l] + a[y * nx + r];
    if (a[y * nx + x] > (T)0)
        s += reduced(s, 2);
    b[y * nx + x] = s;
}

// flat: a b n; threads n
KERNEL flat(const T *a, T *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 2 || i >= n - 2)
        return;
    b[i] = reduced(a[i - 2] + a[i + 2], 3) * a[i];
}
