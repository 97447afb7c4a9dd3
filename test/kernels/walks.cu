// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that go along y or z by a loop: the 2.5-D form. The new body has the same loop. (differ.py says what the lines
// before the kernels mean.)
// RUN: %differ --levels 2,3 --runs 4 --targets sm_80,gfx90a --types float --passes 'stencil-block<cache=l1>' --expect changed %s
// RUN: %differ --levels 2 --runs 4 --targets sm_80 --types double --passes 'stencil-block<cache=l1;coarsen=2>' --expect changed %s
// RUN: %differ --levels 2 --runs 4 --targets sm_80 --types float --passes 'stencil-block<cache=l1;coarsen=2;vector=1>' %s
// RUN: %differ --levels 2 --runs 2 --targets sm_80 --types float --passes 'stencil-block<cache=reg>' --passes 'stencil-block<cache=lds>' \
// RUN:   --expect unchanged %s
// types: float double
#include "Inputs/cuda.h"

#define AT(x, y, z) (((z) * ny + (y)) * nx + (x))
#define CELL                                                                                       \
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y
#define INSIDE                                                                                     \
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)                                              \
    return

// walk: a b nx ny nz; threads nx,ny
KERNEL walk(const T *__restrict__ a, T *__restrict__ b, int nx, int ny, int nz) {
    CELL;
    INSIDE;
    for (int z = 1; z < nz - 1; z++) {
        T s = 0;
        for (int k = -1; k <= 1; k++)
            for (int j = -1; j <= 1; j++)
                s += a[AT(x - 1, y + j, z + k)] + a[AT(x, y + j, z + k)] + a[AT(x + 1, y + j, z + k)];
        b[AT(x, y, z)] = s;
    }
}

// Planes are kept in registers from iteration to iteration. The arrays may overlap.
// kept: a b nx ny nz; threads nx,ny
KERNEL kept(const T *a, T *b, int nx, int ny, int nz) {
    CELL;
    INSIDE;
    int i = AT(x, y, 1), p = nx * ny;
    T below = a[i - p], here = a[i];
    for (int z = 1; z < nz - 1; z++, i += p) {
        T above = a[i + p];
        b[i] = here + C(0.1) * (a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] + below + above);
        below = here;
        here = above;
    }
}

// Clamped along all axes, also along the loop's.
// clamped: a b nx ny nz; threads nx,ny
KERNEL clamped(const T *__restrict__ a, T *__restrict__ b, int nx, int ny, int nz) {
    CELL;
    if (x >= nx || y >= ny)
        return;
    for (int z = 0; z < nz; z++) {
        int w = x > 0 ? x - 1 : x, e = x < nx - 1 ? x + 1 : x, s = y > 0 ? y - 1 : y, n = y < ny - 1 ? y + 1 : y;
        int l = z > 0 ? z - 1 : z, h = z < nz - 1 ? z + 1 : z;
        b[AT(x, y, z)] = a[AT(w, y, z)] + a[AT(e, y, z)] - a[AT(x, s, z)] + a[AT(x, n, z)] + C(0.5) * a[AT(x, y, l)] - a[AT(x, y, h)];
    }
}

// Neighbours along all axes are read under conditions.
// conditions: a b nx ny nz; threads nx,ny
KERNEL conditions(const T *__restrict__ a, T *__restrict__ b, int nx, int ny, int nz) {
    CELL;
    if (x >= nx || y >= ny)
        return;
    for (int z = 0; z < nz; z++) {
        T s = a[AT(x, y, z)];
        if (x > 0)
            s += a[AT(x - 1, y, z)];
        if (y < ny - 1)
            s -= a[AT(x, y + 1, z)];
        if (z > 0)
            s += a[AT(x, y, z - 1)];
        b[AT(x, y, z)] = s;
    }
}

// The own cell of the array that is written is read, too; and downwards.
// own: p q v nx ny nz w=0.1; threads nx,ny; once
KERNEL own(const T *p, T *q, const T *v, int nx, int ny, int nz, T w) {
    CELL;
    INSIDE;
    for (int z = nz - 2; z > 0; z--) {
        int i = AT(x, y, z);
        q[i] = 2 * p[i] - q[i] + w * v[i] * (p[i - 1] + p[i + 1] + p[i - nx] + p[i + nx] + p[i - nx * ny] + p[i + nx * ny]);
    }
}

// The first and the last plane have a statement of their own, which LLVM would take out of the loop.
// border_planes: a b nx ny nz; threads nx,ny
KERNEL border_planes(const T *__restrict__ a, T *__restrict__ b, int nx, int ny, int nz) {
    CELL;
    INSIDE;
    for (int z = 0; z < nz; z++) {
        int i = AT(x, y, z), p = nx * ny;
        if (z == 0 || z == nz - 1)
            b[i] = a[i];
        else
            b[i] = a[i - 1] + a[i + 1] - a[i - nx] + a[i + nx] + C(0.5) * a[i - p] - a[i + p];
    }
}

// The first plane is in front of the loop and the last one behind it; planes are kept in registers.
// peeled: a q b nx ny nz; threads nx,ny; bench 256x256x256 512x512x512
KERNEL peeled(const T *__restrict__ a, const T *__restrict__ q, T *__restrict__ b, int nx, int ny, int nz) {
    CELL;
    if (x >= nx || y >= ny || nz < 2)
        return;
    int c = x + y * nx, p = nx * ny;
    int w = x == 0 ? c : c - 1, e = x == nx - 1 ? c : c + 1, n = y == 0 ? c : c - nx, s = y == ny - 1 ? c : c + nx;
    T below = a[c], here = below, above = a[c + p];
    b[c] = C(0.5) * here + a[w] + a[e] - a[s] + a[n] + below + C(0.25) * above + q[c];
    c += p, w += p, e += p, n += p, s += p;
    for (int k = 1; k < nz - 1; k++) {
        below = here, here = above, above = a[c + p];
        b[c] = C(0.5) * here + a[w] + a[e] - a[s] + a[n] + below + C(0.25) * above + q[c];
        c += p, w += p, e += p, n += p, s += p;
    }
    below = here, here = above;
    b[c] = C(0.5) * here + a[w] + a[e] - a[s] + a[n] + below + C(0.25) * above + q[c];
}

// The arrays may overlap.
// peeled_plain: a b nx ny nz; threads nx,ny; bench 256x256x256 512x512x512
KERNEL peeled_plain(const T *a, T *b, int nx, int ny, int nz) {
    CELL;
    INSIDE;
    if (nz < 2)
        return;
    int c = x + y * nx, p = nx * ny;
    T below = a[c], here = below, above = a[c + p];
    b[c] = here + a[c - 1] + a[c + 1] - a[c - nx] + a[c + nx] + C(0.25) * above;
    c += p;
    for (int k = 1; k < nz - 1; k++, c += p) {
        below = here, here = above, above = a[c + p];
        b[c] = here + a[c - 1] + a[c + 1] - a[c - nx] + a[c + nx] + C(0.25) * above + below;
    }
    b[c] = above + here;
}

// The first plane alone, and the last one alone.
// first_alone: a b nx ny nz; threads nx,ny
KERNEL first_alone(const T *__restrict__ a, T *__restrict__ b, int nx, int ny, int nz) {
    CELL;
    INSIDE;
    b[AT(x, y, 0)] = C(0.5) * a[AT(x - 1, y, 0)] + a[AT(x + 1, y, 0)];
    for (int z = 1; z < nz; z++)
        b[AT(x, y, z)] = a[AT(x, y, z)] + a[AT(x - 1, y, z)] + a[AT(x + 1, y, z)] - a[AT(x, y, z - 1)];
}

// last_alone: a b nx ny nz; threads nx,ny
KERNEL last_alone(const T *__restrict__ a, T *__restrict__ b, int nx, int ny, int nz) {
    CELL;
    INSIDE;
    if (nz < 1)
        return;
    for (int z = 0; z < nz - 1; z++)
        b[AT(x, y, z)] = a[AT(x, y, z)] + a[AT(x - 1, y, z)] + a[AT(x + 1, y, z)] - a[AT(x, y, z + 1)];
    b[AT(x, y, nz - 1)] = a[AT(x, y, nz - 1)];
}

// A torus along x and the loop's axis.
// walk_torus: a b nx ny nz; threads nx,ny
KERNEL walk_torus(const T *__restrict__ a, T *__restrict__ b, int nx, int ny, int nz) {
    CELL;
    if (x >= nx || y >= ny)
        return;
    int w = x == 0 ? nx - 1 : x - 1, e = x == nx - 1 ? 0 : x + 1;
    for (int z = 0; z < nz; z++) {
        int l = z == 0 ? nz - 1 : z - 1, h = z == nz - 1 ? 0 : z + 1;
        b[AT(x, y, z)] = a[AT(w, y, z)] - a[AT(e, y, z)] + C(0.5) * a[AT(x, y, l)] + a[AT(x, y, h)];
    }
}

// Channels of a picture. Their number may be 0.
// channels: a[(nx%4)*nx*ny+1] b[(nx%4)*nx*ny+1] nx ny c:i32=nx%4; threads nx,ny
KERNEL channels(const T *__restrict__ a, T *__restrict__ b, int nx, int ny, int c) {
    CELL;
    INSIDE;
    for (int z = 0; z < c; z++)
        b[AT(x, y, z)] = C(0.2) * (a[AT(x, y, z)] + a[AT(x - 1, y, z)] + a[AT(x + 1, y, z)] + a[AT(x, y - 1, z)] + a[AT(x, y + 1, z)]);
}

// rows: a b nx ny; threads nx
KERNEL rows(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < 1 || x >= nx - 1)
        return;
    for (int y = 1; y < ny - 1; y++)
        b[y * nx + x] = a[y * nx + x - 1] + a[y * nx + x + 1] + a[(y - 1) * nx + x] + a[(y + 1) * nx + x];
}

// What a thread reads it wrote in the iteration before: p is a plane.
// recurrence: a[nx*ny*(nz+1)] nx ny nz p:i32=nx*ny; threads nx,ny
KERNEL recurrence(T *a, int nx, int ny, int nz, int p) {
    CELL;
    INSIDE;
    for (int z = 1; z < nz; z++)
        a[p + AT(x, y, z)] = a[AT(x, y, z)] - a[AT(x, y, z - 1)];
}
// apart: a[2*nx*ny*nz] nx ny nz p:i32=nx*ny*nz; threads nx,ny
KERNEL apart(T *a, int nx, int ny, int nz, int p) {
    CELL;
    INSIDE;
    for (int z = 1; z < nz; z++)
        a[p + AT(x, y, z)] = a[AT(x, y, z)] - a[AT(x, y, z - 1)];
}
