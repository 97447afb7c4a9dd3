// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose radius or mask's width is an argument: versions for usual values, the own body for the others.
// RUN: %differ --levels 2 --runs 8 --targets sm_80,gfx90a --types float --passes 'stencil-block<cache=l1;coarsen=2>' --expect changed %s
// RUN: %differ --levels 3 --runs 6 --targets sm_80,gfx1100 --types double,int --passes 'stencil-block<cache=l1>' --expect changed %s
// RUN: %differ --levels 2 --runs 6 --targets sm_80,gfx90a --types float --passes 'stencil-block<cache=lds>' %s
// RUN: %differ --levels 2 --runs 6 --targets sm_80,gfx90a --types float --passes 'stencil-block<cache=reg>' %s
// types: float double int
#include "Inputs/cuda.h"

#define PLACE int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y

// A mask of odd width around the cell; neighbours outside are left out.
// mask: a m[121] b nx ny w:i32=ny%11; threads nx,ny; bench 4096x4095 4096x4097 4096x4099
KERNEL mask(const T *a, const T *m, T *b, int nx, int ny, int w) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    T s = 0;
    int r = w / 2;
    for (int j = 0; j < w; j++)
        for (int i = 0; i < w; i++) {
            int xx = x + i - r, yy = y + j - r;
            if (xx >= 0 && xx < nx && yy >= 0 && yy < ny)
                s += a[yy * nx + xx] * m[j * w + i];
        }
    b[y * nx + x] = s;
}

// A radius; the border is left alone.
// box: a b nx ny r:i32=ny%7; threads nx,ny; bench 4096x4096 4096x4097 4096x4098 4096x4099 4096x4101
KERNEL box(const T *a, T *b, int nx, int ny, int r) {
    PLACE;
    if (x < r || y < r || x >= nx - r || y >= ny - r)
        return;
    T s = 0;
    for (int j = -r; j <= r; j++)
        for (int i = -r; i <= r; i++)
            s += a[(y + j) * nx + x + i];
    b[y * nx + x] = s;
}

// clamped: a b m[169] nx ny r:i32=ny%7; threads nx,ny; bench 4096x4096 4096x4097 4096x4098 4096x4101
KERNEL clamped(const T *a, T *b, const T *m, int nx, int ny, int r) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    T s = 0;
    for (int j = -r; j <= r; j++)
        for (int i = -r; i <= r; i++) {
            int yy = y + j < 0 ? 0 : y + j >= ny ? ny - 1 : y + j;
            int xx = x + i < 0 ? 0 : x + i >= nx ? nx - 1 : x + i;
            s += a[yy * nx + xx] * m[(j + r) * (2 * r + 1) + i + r];
        }
    b[y * nx + x] = s;
}

// Width and height of the mask. Versions are for equal ones.
// two_widths: a m[49] b nx ny w:i32=nx%7 h:i32=ny%7; threads nx,ny; bench 4096x4096 4098x4098 4099x4099 4101x4101
KERNEL two_widths(const T *a, const T *m, T *b, int nx, int ny, int w, int h) {
    PLACE;
    if (x + w > nx || y + h > ny)
        return;
    T s = 0;
    for (int j = 0; j < h; j++)
        for (int i = 0; i < w; i++)
            s += a[(y + j) * nx + x + i] * m[j * w + i];
    b[y * nx + x] = s;
}

// A radius of 64 bits, along columns.
// column: a b nx ny r:i64=ny%6; threads nx,ny; bench 4096x4096 4096x4097
KERNEL column(const T *a, T *b, int nx, int ny, long r) {
    PLACE;
    if (x >= nx || y >= ny - r || y < r)
        return;
    long i = (long)y * nx + x;
    T s = a[i];
    for (long k = 1; k <= r; k++)
        s += a[i - k * nx] - a[i + k * nx];
    b[i] = s;
}

// The loop over neighbours stores the cell each time. Arrays that lie apart, and those that perhaps do not.
// stored_each_time: a m[13] b nx ny r:i32=ny%7; threads nx,ny; bench 4096x4097 4096x4098 4096x4099
KERNEL stored_each_time(const T *a, const T *m, T *b, int nx, int ny, int r) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    T s = 0;
    for (int k = -r; k <= r; k++) {
        if (x + k >= 0 && x + k < nx)
            s += a[y * nx + x + k] * m[k + r];
        b[y * nx + x] = s;
    }
}

// summed_in_memory: a m[7] b nx ny w:i32=ny%7; threads nx,ny; once; bench 4096x4097 4096x4098 4096x4099
KERNEL summed_in_memory(const T *__restrict__ a, const T *__restrict__ m, T *__restrict__ b, int nx, int ny, int w) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    b[y * nx + x] = 0;
    for (int k = 0; k < w; k++)
        if (y - k >= 0)
            b[y * nx + x] += a[(y - k) * nx + x] * m[k];
}
