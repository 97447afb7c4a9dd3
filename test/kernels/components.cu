// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells of several components side by side, of which a thread computes all by one statement: pixels, records, a[2 * i + k].
// Blocked, a thread has a vector of components. (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 2,3 --runs 5 --targets sm_80,gfx90a --types float,char --passes 'stencil-block<cache=l1;vector=4>' --expect changed %s
// RUN: %differ --levels 2 --runs 5 --targets sm_80 --types short,int --passes 'stencil-block<cache=l1;coarsen=2>' --expect changed %s
// RUN: %differ --levels 2 --runs 5 --targets sm_80 --types double --passes 'stencil-block<cache=l1>' pairs pairs_struct %s
// types: float double int short char
#include "Inputs/cuda.h"

#define PLACE int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y
#define INSIDE if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return

// pairs: a[2*nx*ny] b[2*nx*ny] nx ny; threads nx,ny; bench 2048 4096
KERNEL pairs(const T *a, T *b, int nx, int ny) {
    PLACE;
    INSIDE;
    int i = y * nx + x;
    b[2 * i] = a[2 * i - 2] + a[2 * i + 2] - a[2 * (i - nx)] + a[2 * (i + nx)];
    b[2 * i + 1] = a[2 * i - 1] + a[2 * i + 3] - a[2 * (i - nx) + 1] + a[2 * (i + nx) + 1];
}

struct pair {
    T x, y;
};
// pairs_struct: a[2*nx*ny] b[2*nx*ny] nx ny; threads nx,ny; bench 2048 4096
KERNEL pairs_struct(const pair *a, pair *b, int nx, int ny) {
    PLACE;
    INSIDE;
    int i = y * nx + x;
    pair w = a[i - 1], e = a[i + 1], c = a[i];
    b[i].x = w.x + e.x - c.x;
    b[i].y = w.y + e.y - c.y;
}

// A box, in a loop over three components.
// pixels: a[3*nx*ny] b[3*nx*ny] nx ny; threads nx,ny; bench 2048 4096
KERNEL pixels(const T *a, T *b, int nx, int ny) {
    PLACE;
    INSIDE;
#pragma unroll
    for (int k = 0; k < 3; k++) {
        T sum = 0;
#pragma unroll
        for (int j = -1; j <= 1; j++)
#pragma unroll
            for (int i = -1; i <= 1; i++)
                sum += a[3 * ((y + j) * nx + x + i) + k];
        b[3 * (y * nx + x) + k] = sum;
    }
}

// quads: a[4*nx*ny] b[4*nx*ny] w=0.3 nx ny; threads nx,ny; bench 2048 4096
KERNEL quads(const T *a, T *b, T w, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny || y == 0)
        return;
    int i = y * nx + x;
#pragma unroll
    for (int k = 0; k < 4; k++)
        b[4 * i + k] = a[4 * i + k] - w * a[4 * (i - nx) + k];
}

// Loops over components that LLVM has not unrolled: guards are of records, and cells lie between those of other threads.
// colours_in_loop: a[3*nx*ny] b[3*nx*ny] nx ny; threads nx,ny
KERNEL colours_in_loop(const T *a, T *b, int nx, int ny) {
    PLACE;
    INSIDE;
#pragma nounroll
    for (int k = 0; k < 3; k++) {
        T s = a[3 * (y * nx + x + 1) + k] - a[3 * (y * nx + x - 1) + k];
        T t = a[3 * ((y + 1) * nx + x) + k] - a[3 * ((y - 1) * nx + x) + k];
        b[3 * (y * nx + x) + k] = s * s + t * t;
    }
}

// The fourth component is copied.
// three_of_four: a[4*nx*ny] b[4*nx*ny] nx ny; threads nx,ny
KERNEL three_of_four(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    int l = x > 0 ? x - 1 : 0, h = x < nx - 1 ? x + 1 : nx - 1;
#pragma nounroll
    for (int k = 0; k < 3; k++)
        b[4 * (y * nx + x) + k] = a[4 * (y * nx + l) + k] + a[4 * (y * nx + h) + k] - a[4 * (y * nx + x) + k];
    b[4 * (y * nx + x) + 3] = a[4 * (y * nx + x) + 3];
}
