// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On a torus whose sizes are powers of two: indices are brought back by a mask. (differ.py says what the lines before the
// kernels mean.) For other sizes the kernel's own body runs.
// RUN: %differ --levels 2 --runs 6 --targets sm_80,gfx90a --types float,char --passes 'stencil-block<cache=l1>' \
// RUN:   --passes 'stencil-block<cache=l1;coarsen=2;vector=1>' --expect changed %s
// RUN: %differ --levels 1,3 --runs 4 --targets sm_80 --types int,double --passes 'stencil-block' \
// RUN:   --passes 'stencil-remap<column=32>,stencil-block<cache=lds>' %s
// types: float double int char
#include "Inputs/cuda.h"

#define CELL                                                                                       \
    int x = blockIdx.x * blockDim.x + threadIdx.x;                                                 \
    int y = blockIdx.y * blockDim.y + threadIdx.y

// life: a b nx ny p:i32=2**(nx.bit_length()-1) q:i32=2**(ny.bit_length()-1); threads nx,ny
KERNEL life(const T *a, T *b, int nx, int ny, int p, int q) {
    CELL;
    if (x >= p || y >= q)
        return;
    int l = (x - 1) & (p - 1), r = (x + 1) & (p - 1), u = (y - 1) & (q - 1), d = (y + 1) & (q - 1);
    T s = a[u * p + l] + a[u * p + x] + a[u * p + r] + a[y * p + l] + a[y * p + r] + a[d * p + l] + a[d * p + x] + a[d * p + r];
    T own = a[y * p + x];
    b[y * p + x] = s == (T)3 || own > s ? s : own;
}

// Mostly other sizes.
// any_size: a b nx ny; threads nx,ny
KERNEL any_size(const T *a, T *b, int nx, int ny) {
    CELL;
    if (x >= nx || y >= ny)
        return;
    b[y * nx + x] = a[y * nx + ((x - 1) & (nx - 1))] + a[y * nx + ((x + 1) & (nx - 1))] + a[((y + 2) & (ny - 1)) * nx + x];
}

// In 64 bits.
// wide: a b nx ny p:i64=2**(nx.bit_length()-1) q:i64=2**(ny.bit_length()-1); threads nx,ny
KERNEL wide(const T *a, T *b, int nx, int ny, long p, long q) {
    long x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= p || y >= q)
        return;
    b[y * p + x] = a[y * p + ((x - 1) & (p - 1))] - a[((y - 2) & (q - 1)) * p + x] + a[((y + 1) & (q - 1)) * p + ((x + 1) & (p - 1))];
}

// Remainders of unsigned numbers.
// remainders: a b nx ny p:u32=2**(nx.bit_length()-1) q:u32=2**(ny.bit_length()-1); threads nx,ny
KERNEL remainders(const T *a, T *b, int nx, int ny, unsigned p, unsigned q) {
    CELL;
    if (x >= (int)p || y >= (int)q)
        return;
    b[y * p + x] = a[(y - 1u) % q * p + (x - 1u) % p] - a[(y + 1u) % q * p + (x + 1u) % p] + a[y * p + (x - 1u) % p];
}

// any_remainder: a b nx ny; threads nx,ny
KERNEL any_remainder(const T *a, T *b, unsigned nx, unsigned ny) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny)
        return;
    b[y * nx + x] = a[(y - 1) % ny * nx + (x - 1) % nx] - a[(y + 1) % ny * nx + (x + 1) % nx];
}
