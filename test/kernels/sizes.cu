// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that are in memory, as students' programs have them; and rows counted by their first cells.
// (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 2 --runs 5 --targets sm_80,gfx90a --types float --passes 'stencil-block<cache=l1;coarsen=2>' --expect changed %s
// RUN: %differ --levels 1,3 --runs 4 --targets sm_80 --types double,int --passes 'stencil-block<cache=reg>' --passes 'stencil-block<cache=lds>' %s
// RUN: %differ --levels 2 --runs 5 --targets sm_80,gfx1100 --types float,int --passes 'stencil-remap<column=8>' --passes 'stencil-remap<column=7>,stencil-block<cache=l1>' %s
// types: float double int
#include "Inputs/cuda.h"

#define PLACE int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y

// plain: a b sizes:i32(nx,ny); threads nx,ny
KERNEL plain(const T *a, T *b, const int *sizes) {
    int nx = sizes[0], ny = sizes[1];
    PLACE;
    if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
        b[y * nx + x] = a[y * nx + x - 1] + a[y * nx + x + 1] + a[(y + 1) * nx + x] - a[(y - 1) * nx + x];
}

// Of 64 bits, and in a struct.
// long_sizes: a b sizes:i64(nx,ny); threads nx,ny
KERNEL long_sizes(const T *__restrict__ a, T *__restrict__ b, const long *sizes) {
    long nx = sizes[0], ny = sizes[1];
    PLACE;
    if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
        b[y * nx + x] = a[y * nx + x - 1] + a[y * nx + x + 1] + a[(y + 1) * nx + x];
}

struct box {
    int first, nx, ny;
};
// in_struct: a b box:i32(1,nx,ny); threads nx,ny
KERNEL in_struct(const T *a, T *b, const box *in) {
    box size = *in;
    PLACE;
    if (x >= size.first && y >= size.first && x < size.nx - 1 && y < size.ny - 1)
        b[y * size.nx + x] =
            a[y * size.nx + x - 1] + a[y * size.nx + x + 1] + a[(y + 1) * size.nx + x] - a[(y - 1) * size.nx + x];
}

// Cells counted by `i - i % w`, borders brought back by remainders of all cells.
// life: a b sizes:i32(nx,ny); threads nx*ny; strided
KERNEL life(const T *a, T *b, const int *sizes) {
    int w = sizes[0], h = sizes[1], all = w * h;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < all; i += blockDim.x * gridDim.x) {
        int x = i % w, row = i - x;
        int left = (x + w - 1) % w, right = (x + 1) % w, up = (row + all - w) % all, down = (row + w) % all;
        T s = a[left + up] + a[x + up] + a[right + up] + a[left + row] + a[right + row] + a[left + down] + a[x + down] +
              a[right + down];
        b[x + row] = s == 3 || (s == 2 && a[x + row] > 0) ? s : a[x + row];
    }
}

// The same with sizes as arguments, and with one row to either side.
// rows: a b nx ny; threads nx*ny
KERNEL rows(const T *a, T *b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = nx * ny;
    if (i >= all)
        return;
    int x = i % nx, row = i - x;
    b[i] = a[x + (row + nx) % all] - a[x + (row + all - nx) % all] + a[i];
}

// Sizes that are read behind branches, as a struct's members are: only some threads come there.
struct plane {
    int nx, ny;
};
// behind_guard: a b p:i32(nx,ny); threads nx,ny
KERNEL behind_guard(const T *a, T *b, const plane *p) {
    PLACE;
    if (x < 1 || y < 1 || x >= p->nx - 1 || y >= p->ny - 1)
        return;
    int i = y * p->nx + x;
    b[i] = a[i - 1] + a[i + 1] + a[i - p->nx] - a[i + p->nx];
}

// behind_guards: a b p:i32(nx,ny) n=nx; threads nx,ny
KERNEL behind_guards(const T *a, T *b, const plane *p, int n) {
    PLACE;
    if (x > 1 && y > 0 && x < n) {
        if (x < p->nx - 2 && y < p->ny - 1)
            b[y * p->nx + x] = a[y * p->nx + x - 2] + a[y * p->nx + x + 2] - a[(y + 1) * p->nx + x];
    }
}

// Only if the program wants it: else the pointer may be none.
// wanted: a b p:i32(nx,ny) want:i32=nx%2; threads nx,ny
KERNEL wanted(const T *a, T *b, const plane *p, int want) {
    PLACE;
    if (!want)
        return;
    if (x > 0 && y > 0 && x < p->nx - 1 && y < p->ny - 1)
        b[y * p->nx + x] = a[y * p->nx + x - 1] + a[(y + 1) * p->nx + x];
}

// flat_behind: a b p:i32(nx,ny) n=nx*ny; threads nx*ny
KERNEL flat_behind(const T *a, T *b, const plane *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = i % p->nx, y = i / p->nx;
    if (x > 0 && y > 0 && x < p->nx - 1 && y < p->ny - 1)
        b[i] = a[i - 1] + a[i + 1] + a[i - p->nx] - a[i + p->nx];
}
