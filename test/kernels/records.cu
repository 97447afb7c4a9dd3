// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells of several components side by side, with a statement for each: a component is an array whose cells are several
// elements apart. (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 2 --runs 4 --targets sm_80,gfx90a --types float,char --passes 'stencil-block<cache=l1;coarsen=2>' --expect changed %s
// RUN: %differ --levels 3 --runs 3 --targets sm_80 --types double --passes 'stencil-block<cache=l1;coarsen=4>' --expect changed %s
// RUN: %differ --levels 2 --runs 2 --targets sm_80 --types float --passes 'stencil-block<cache=reg>' --passes 'stencil-block<cache=lds>' \
// RUN:   --passes 'stencil-block' --expect unchanged %s
// types: float double int short char
#include "Inputs/cuda.h"

#define PLACE int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y
#define INSIDE if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return

struct pair {
    T x, y;
};

// flow: a[2*nx*ny] b[2*nx*ny] nx ny; threads nx,ny; bench 4096 8191
KERNEL flow(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    PLACE;
    INSIDE;
    int i = y * nx + x;
    b[2 * i] = a[2 * (i - 1)] - a[2 * (i + 1)] + a[2 * i + 1];
    b[2 * i + 1] = a[2 * (i - nx) + 1] - a[2 * (i + nx) + 1] + a[2 * i];
}

// On a torus. The arrays may overlap.
// waves: a[2*nx*ny] b[2*nx*ny] nx ny; threads nx,ny; bench 4096 8191
KERNEL waves(const pair *a, pair *b, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    int w = y * nx + (x + nx - 1) % nx, e = y * nx + (x + 1) % nx, s = (y + ny - 1) % ny * nx + x, n = (y + 1) % ny * nx + x;
    pair c = a[y * nx + x], o;
    o.x = c.x - c.y + a[w].y + a[e].y;
    o.y = c.y + a[s].x - a[n].x;
    b[y * nx + x] = o;
}

// The fourth component is copied; neighbours are clamped.
// colour: a[4*nx*ny] b[4*nx*ny] nx ny; threads nx,ny
KERNEL colour(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    int i = 4 * (y * nx + x), l = 4 * (y * nx + (x > 0 ? x - 1 : 0)), h = 4 * ((y < ny - 1 ? y + 1 : ny - 1) * nx + x);
    b[i + 3] = a[i + 3];
    b[i] = a[l] + a[h];
    b[i + 1] = a[l + 1] - a[h + 1];
    b[i + 2] = a[l + 2] + a[h + 2] + a[i];
}

// Every second cell of a finer grid.
// coarse: a[4*nx*ny] b nx ny; threads nx,ny
KERNEL coarse(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    PLACE;
    INSIDE;
    int i = 2 * y * 2 * nx + 2 * x;
    b[y * nx + x] = a[i] + a[i - 1] + a[i + 1] - a[i - 2 * nx] - a[i + 2 * nx];
}

// Five numbers a cell, of which each is read of another neighbour; one is written only under a condition.
// record_links: a[5*nx*ny] b[5*nx*ny] nx ny; threads nx,ny
KERNEL record_links(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    PLACE;
    INSIDE;
    int i = y * nx + x;
    T c = a[5 * i], w = a[5 * (i - 1) + 1], e = a[5 * (i + 1) + 2], s = a[5 * (i - nx) + 3], n = a[5 * (i + nx) + 4], s0 = c + w + e + s + n;
    b[5 * i] = c - s0;
    b[5 * i + 1] = w + s0;
    b[5 * i + 2] = e - s0 + a[5 * (i + 1)];
    if (x < nx / 2)
        b[5 * i + 3] = s + s0;
    b[5 * i + 4] = n + a[5 * (i - 1)];
}

// One component of a record is changed in place, from its neighbours' other one.
// one_component: a[2*nx*ny] b nx ny; threads nx,ny
KERNEL one_component(T *a, const T *b, int nx, int ny) {
    PLACE;
    INSIDE;
    int i = y * nx + x;
    a[2 * i] += a[2 * (i - 1) + 1] - a[2 * (i + 1) + 1] + b[i];
}
