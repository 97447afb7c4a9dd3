// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that write several arrays, or an element several times, or some elements only. (differ.py
// says what the lines before the kernels mean.)
// RUN: %differ --levels 2 --runs 4 --targets sm_80,gfx90a --types float --passes 'stencil-block<cache=l1;coarsen=2>' --expect changed %s
// RUN: %differ --levels 2 --runs 4 --targets sm_80 --types double,int --passes 'stencil-block<cache=l1>' --expect changed %s
// RUN: %differ --levels 2 --runs 3 --targets sm_80 --types float --passes 'stencil-block<cache=lds;coarsen=2>' \
// RUN:   --passes 'stencil-block<cache=reg>' --expect changed two branches sums less masked fields some
// types: float double int
#include "Inputs/cuda.h"

#define CELL                                                                                       \
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;      \
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)                                              \
        return;                                                                                    \
    int i = y * nx + x

// two: a b c nx ny; threads nx,ny
KERNEL two(const T *a, T *b, T *c, int nx, int ny) {
    CELL;
    b[i] = a[i - 1] + a[i + 1];
    c[i] = a[i - nx] + a[i + nx];
}

// branches: a b nx ny; threads nx,ny
KERNEL branches(const T *a, T *b, int nx, int ny) {
    CELL;
    T rows = a[i - nx] + a[i + nx], columns = a[i - 1] + a[i + 1];
    if (a[i] > 0)
        b[i] = columns - rows;
    else
        b[i] = columns + rows;
}

// sums: a b nx ny; threads nx,ny
KERNEL sums(const T *a, T *b, int nx, int ny) {
    CELL;
    b[i] = 0;
    for (int k = -1; k <= 1; k++)
        b[i] += a[i + k] - a[i + k * nx];
}

// less: a b nx ny; threads nx,ny; once
KERNEL less(const T *a, T *b, int nx, int ny) {
    CELL;
    b[i] -= a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx];
}

// masked: a b m nx ny; threads nx,ny
KERNEL masked(const T *a, T *b, const T *m, int nx, int ny) {
    CELL;
    T v = a[i] + a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx];
    if (m[i] > 0 || v > 1)
        b[i] = v;
}

// fields: u v un vn nx ny w=0.3; threads nx,ny
KERNEL fields(const T *u, const T *v, T *un, T *vn, int nx, int ny, T w) {
    CELL;
    un[i] = u[i] + w * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx]) - u[i] * v[i];
    vn[i] = v[i] + w * (v[i - 1] + v[i + 1] + v[i - nx] + v[i + nx]) + u[i] * v[i];
    if (u[i] > 0)
        vn[i] += w;
}

// some: a b c nx ny; threads nx,ny
KERNEL some(const T *a, T *b, T *c, int nx, int ny) {
    CELL;
    T v = a[i - 1] + a[i + 1], old = a[i];
    if (v > old)
        b[i] = v;
    if (v < old)
        c[i] = v - old;
}

// flat_fields: a b c nx ny; threads nx*ny
KERNEL flat_fields(const T *__restrict__ a, T *__restrict__ b, T *__restrict__ c, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    b[i] = a[i - 1] + a[i + 1];
    c[i] = a[i - nx] + a[i + nx];
}

// strided_fields: a b c nx ny; threads nx*ny; strided
KERNEL strided_fields(const T *a, T *b, T *c, int nx, int ny) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nx * ny; i += gridDim.x * blockDim.x) {
        int x = i % nx, y = i / nx;
        if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
            continue;
        b[i] = a[i - 1] + a[i + 1];
        c[i] = a[i - nx] + a[i + nx];
    }
}

// What is read from b + p is what was written to b just before, if p is 0.
// late: a b c nx ny p:i32=0; threads nx,ny; once
KERNEL late(const T *a, T *b, T *c, int nx, int ny, int p) {
    CELL;
    b[i] = a[i - 1] + a[i + 1];
    c[i] = b[p + i] + a[i - nx] + a[i + nx];
}

// late_apart: a b[2*nx*ny] c nx ny p:i32=nx*ny; threads nx,ny
KERNEL late_apart(const T *a, T *b, T *c, int nx, int ny, int p) {
    CELL;
    b[i] = a[i - 1] + a[i + 1];
    c[i] = b[p + i] + a[i - nx] + a[i + nx];
}

// What is read from d is what was written to b just before.
// late_same: a b c d@b nx ny; threads nx,ny; once
KERNEL late_same(const T *a, T *b, T *c, const T *d, int nx, int ny) {
    CELL;
    b[i] = a[i - 1] + a[i + 1];
    c[i] = d[i] + a[i - nx] + a[i + nx];
}

// late_sums: b c@b a nx ny; threads nx,ny; once
KERNEL late_sums(T *b, T *c, const T *a, int nx, int ny) {
    CELL;
    b[i] += a[i - 1] + a[i + 1];
    c[i] -= a[i - nx] * a[i + nx];
}

// One row of cells, whose threads write the border that they read. With two rows they would race.
// late_row: a b@a c nx ny p:i32=2; threads nx,ny; once
KERNEL late_row(const T *a, T *b, T *c, int nx, int ny, int p) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= p || p > ny - 1)
        return;
    int i = y * nx + x;
    b[i + nx] = a[i] - a[i - 1];
    c[i] = a[i + nx] + a[i + 1];
}

// last_counts: a b c@b nx ny; threads nx,ny
KERNEL last_counts(const T *a, T *b, T *c, int nx, int ny) {
    CELL;
    b[i] = a[i - 1] + a[i + 1];
    c[i] = a[i - nx] + a[i + nx];
}

// Rows of other lengths: only ranges tell that arrays are apart.
// late_rows: a b[(nx+3)*ny] c[(nx+3)*ny] nx ny; threads nx,ny
KERNEL late_rows(const T *a, T *b, T *c, int nx, int ny) {
    CELL;
    b[y * (nx + 3) + x] = a[i - 1] + a[i + 1];
    c[y * (nx + 3) + x] = a[i - nx] + a[i + nx];
}

// Planes of one array, by different statements. Where p is 0, all are one.
// planes: a b[3*nx*ny] nx ny p:i32=nx*ny; threads nx,ny
KERNEL planes(const T *__restrict__ a, T *__restrict__ b, int nx, int ny, int p) {
    CELL;
    b[i] = a[i - 1] + a[i + 1];
    b[p + i] = a[i - nx] - a[i + nx];
    if (a[i] > 0)
        b[2 * p + i] = a[i - 1] * a[i + nx];
}

// one_plane: a b nx ny p:i32=0; threads nx,ny; once
KERNEL one_plane(const T *__restrict__ a, T *__restrict__ b, int nx, int ny, int p) {
    CELL;
    b[i] = a[i - 1] + a[i + 1];
    b[p + i] = b[2 * p + i] - a[i + nx];
}

// Nine distributions, a plane each, pulled from where they come. Their sum is read for neighbours, too.
// lattice: f[9*nx*ny] g[9*nx*ny] s nx ny w=0.3; threads nx,ny
KERNEL lattice(const T *__restrict__ f, T *__restrict__ g, const T *s, int nx, int ny, T w) {
    CELL;
    int n = nx * ny;
    T f0 = f[i], f1 = f[n + i - 1], f2 = f[2 * n + i - nx], f3 = f[3 * n + i + 1], f4 = f[4 * n + i + nx];
    T f5 = f[5 * n + i - nx - 1], f6 = f[6 * n + i - nx + 1], f7 = f[7 * n + i + nx + 1], f8 = f[8 * n + i + nx - 1];
    T r = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8, u = f1 + f5 + f8 - f3 - f6 - f7, v = f2 + f5 + f6 - f4 - f7 - f8;
    r += s[i - 1] + s[i + 1];
    g[i] = f0 + w * (r - f0);
    g[n + i] = f1 + w * (r + u - f1);
    g[2 * n + i] = f2 + w * (r + v - f2);
    g[3 * n + i] = f3 + w * (r - u - f3);
    g[4 * n + i] = f4 + w * (r - v - f4);
    g[5 * n + i] = f5 + w * (r + u + v - f5);
    g[6 * n + i] = f6 + w * (r - u + v - f6);
    g[7 * n + i] = f7 + w * (r - u - v - f7);
    g[8 * n + i] = f8 + w * (r + u - v - f8);
}

// Numbers of lattice Boltzmann, a plane each, on a torus: each is read of another neighbour.
// torus_lattice: a[3*nx*ny] b[3*nx*ny] nx ny; threads nx,ny; bench 4096 8191
KERNEL torus_lattice(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny)
        return;
    int p = nx * ny, i = y * nx + x, w = y * nx + (x - 1 + nx) % nx, s = (y - 1 + ny) % ny * nx + x;
    T c = a[i], from_w = a[p + w], from_s = a[2 * p + s], sum = c + from_w + from_s;
    b[i] = c - sum;
    b[p + i] = from_w + sum + a[p + i];
    b[2 * p + i] = from_s - sum + a[2 * p + w];
}

// b begins one element after a: in a column alone a thread writes what it reads late. With two columns they would race.
// late_column: a b@a+1 c nx ny p:i32=2; threads nx,ny; once
KERNEL late_column(const T *a, T *b, T *c, int nx, int ny, int p) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= p || y >= ny - 1 || p > nx - 1)
        return;
    int i = y * nx + x;
    b[i] = a[i] - a[i - nx];
    c[i] = a[i + 1] + a[i + nx];
}

// Only the outputs meet: c is b from its second element on.
// late_shifted: b c@b+1 a nx ny p:i32=2; threads nx,ny; once
KERNEL late_shifted(T *b, T *c, const T *a, int nx, int ny, int p) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= p || y >= ny - 1 || p > nx - 1)
        return;
    int i = y * nx + x;
    b[i + 1] = a[i] - a[i - 1];
    c[i] -= a[i + nx] + a[i + 1];
}

// One cell, whose row of coefficients is what it wrote.
// late_shared: b c@b r@b+nx a nx ny p:i32=2; threads nx,ny; once
KERNEL late_shared(T *b, T *c, const T *r, const T *a, int nx, int ny, int p) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= p || p > ny)
        return;
    int i = y * nx + x;
    b[i] = a[i] - a[i - nx];
    c[i] = r[x] + a[i - 1];
}
