// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that ask for inner cells first, flat ones whose guards are on cells of the grid, phase fields and flows with periodic or inner
// cells alone. (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 3 --runs 4 --targets sm_80,gfx90a --types float --passes 'stencil-block<cache=l1;vector=4>' --passes 'thinlto<O3>' %s
// RUN: %differ --levels 2 --runs 3 --targets sm_80 --types double,int --passes 'stencil-block<cache=l1;vector=1;coarsen=4>' %s
// types: float double int
#include "Inputs/cuda.h"

#define PLACE int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y
#define INNER (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)

static inline __device__ T magnitude(T v) { return v < 0 ? -v : v; }

// Edges of pictures; what is at the border is 0, and asked for last.
// edges_or_zero: a b nx ny; threads nx,ny; bench 4096 8192
KERNEL edges_or_zero(const T *a, T *b, int nx, int ny) {
    PLACE;
    if (!INNER) {
        if (x < nx && y < ny)
            b[y * nx + x] = 0;
        return;
    }
    int i = y * nx + x;
    T u = a[i + 1 - nx] + C(2) * a[i + 1] + a[i + 1 + nx] - a[i - 1 - nx] - C(2) * a[i - 1] - a[i - 1 + nx];
    T v = a[i + nx - 1] + C(2) * a[i + nx] + a[i + nx + 1] - a[i - nx - 1] - C(2) * a[i - nx] - a[i - nx + 1];
    b[i] = magnitude(u) + magnitude(v);
}

// heat_or_copy: a b nx ny; threads nx,ny; bench 4096 8192
KERNEL heat_or_copy(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    PLACE;
    int i = y * nx + x;
    if (INNER)
        b[i] = a[i] + C(0.1) * (a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] - C(4) * a[i]);
    else if (x < nx && y < ny)
        b[i] = a[i];
}

// unsigned_volume: a b nx ny nz; threads nx*ny*nz; bench 256 512
KERNEL unsigned_volume(const T *a, T *b, int nx, int ny, int nz) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, total = nx * ny * nz;
    if (i >= total)
        return;
    unsigned z = i / (nx * ny), rest = i % (nx * ny), y = rest / nx, x = rest % nx;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
        b[i] = C(0.4) * a[i] + C(0.1) * (a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] + a[i - nx * ny] + a[i + nx * ny]);
}

// Two reacting substances on a torus.
// reactions: u v p q nx ny; threads nx,ny; bench 4096 8192
KERNEL reactions(const T *__restrict__ u, const T *__restrict__ v, T *__restrict__ p, T *__restrict__ q, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    int l = x > 0 ? x - 1 : nx - 1, r = x < nx - 1 ? x + 1 : 0, t = y > 0 ? y - 1 : ny - 1, d = y < ny - 1 ? y + 1 : 0;
    T a = u[y * nx + x], b = v[y * nx + x], s = a * b * b;
    p[y * nx + x] = a + C(0.2) * (u[y * nx + l] + u[y * nx + r] + u[t * nx + x] + u[d * nx + x] - C(4) * a) - s + C(0.03) * (C(1) - a);
    q[y * nx + x] = b + C(0.1) * (v[y * nx + l] + v[y * nx + r] + v[t * nx + x] + v[d * nx + x] - C(4) * b) + s - C(0.09) * b;
}

// A wave of fourth order, with a layer at the borders that takes energy away.
// sponge: u v c b nx ny; threads nx,ny; bench 4096 8192
KERNEL sponge(const T *u, const T *v, const T *c, T *b, int nx, int ny) {
    PLACE;
    if (x <= 1 || y <= 1)
        return;
    if (x >= nx - 2 || y >= ny - 2)
        return;
    int i = y * nx + x;
    T s = C(16) * (v[i - 1] + v[i + 1] + v[i - nx] + v[i + nx]) - v[i - 2] - v[i + 2] - v[i - 2 * nx] - v[i + 2 * nx] - C(60) * v[i];
    b[i] = C(2) * v[i] - u[i] + c[i] * c[i] * C(0.08) * s;
    if (x < 8 || y < 8 || x > nx - 9 || y > ny - 9)
        b[i] *= C(0.9);
}

// far_laplacian: a b nx ny; threads nx,ny; bench 4096 8192
KERNEL far_laplacian(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    PLACE;
    if (x > 1 && x < nx - 2 && y > 1 && y < ny - 2) {
        const T *c = a + y * nx + x;
        b[y * nx + x] = C(16) * (c[-1] + c[1] + c[-nx] + c[nx]) - c[-2] - c[2] - c[-2 * nx] - c[2 * nx] - C(60) * c[0];
    }
}
