// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that read neighbours only under conditions: of coordinates, of what all threads have alike, of
// values. Outside there may be no memory. (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 2 --runs 4 --targets sm_80,gfx90a --types float --passes 'stencil-block<cache=l1;coarsen=2>' --expect changed %s
// RUN: %differ --levels 2 --runs 4 --targets sm_80 --types double,int --passes 'stencil-block<cache=l1>' --expect changed %s
// types: float double int
#include "Inputs/cuda.h"

#define PLACE int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y
#define FLAT int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx

// Neighbours outside are zero.
// zeros: a b nx ny; threads nx,ny
KERNEL zeros(const T *a, T *b, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    int i = y * nx + x;
    T s = 4 * a[i];
    if (x > 0)
        s -= a[i - 1];
    if (x < nx - 1)
        s -= a[i + 1];
    if (y > 0)
        s -= a[i - nx];
    if (y < ny - 1)
        s -= a[i + nx];
    b[i] = s;
}

// flat_zeros: a b nx ny; threads nx*ny
KERNEL flat_zeros(const T *a, T *b, int nx, int ny) {
    FLAT;
    if (i >= nx * ny)
        return;
    b[i] = a[i] + (x < nx - 1 ? a[i + 1] : 0) - (x > 0 ? a[i - 1] : 0) + (y < ny - 1 ? a[i + nx] : 0) -
           (y > 0 ? a[i - nx] : 0);
}

// Nothing of a is read elsewhere.
// inside: a b nx ny; threads nx,ny
KERNEL inside(const T *a, T *b, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    int i = y * nx + x;
    b[i] = x > 0 && y > 0 && x < nx - 1 && y < ny - 1 ? a[i - 1] + a[i + 1] + a[i - nx] - a[i + nx] : 1;
}

// upwind: v a b nx ny; threads nx,ny
KERNEL upwind(const T *v, const T *a, T *b, int nx, int ny) {
    PLACE;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    int i = y * nx + x;
    b[i] = v[i] > 0 ? a[i] - a[i - 1] : a[i + 1] - a[i - nx];
}

// Of m there is less than of the rest, where v is above 1.
// rarely: v a m[nx] b nx ny; threads nx,ny
KERNEL rarely(const T *v, const T *a, const T *m, T *b, int nx, int ny) {
    PLACE;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    int i = y * nx + x;
    T s = a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx];
    b[i] = v[i] < -10000 ? s * m[i + nx * ny] : s;
}

// A condition on what is read under another one.
// nested: v a b nx ny; threads nx,ny
KERNEL nested(const T *v, const T *a, T *b, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    int i = y * nx + x;
    T s = v[i];
    if (x > 0 && v[i - 1] > s)
        if (y > 0 && a[i - nx] < v[i - nx])
            s += a[i] * a[i - 1];
    b[i] = s;
}

// The condition of a load needs the value of another one of the same cell.
// again: a d b nx ny; threads nx,ny
KERNEL again(const T *a, const T *d, T *b, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    int i = y * nx + x;
    b[i] = a[i] + ((y + 1 < ny ? a[i + nx] : 0) < d[i] ? (y + 1 < ny ? a[i + nx] : 0) : d[i]);
}

// way: a e b nx ny p:i32=nx%2; threads nx,ny
KERNEL way(const T *a, const T *e, T *b, int nx, int ny, int p) {
    PLACE;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    int i = y * nx + x;
    T s = a[i] - a[i + 1];
    if (p)
        s += e[i + nx] - e[i] + a[i + 1];
    b[i] = s;
}

// flat_way: a e[nx*ny*(nx%2)+1] b c nx ny p:i32=nx%2; threads nx*ny
KERNEL flat_way(const T *__restrict__ a, const T *__restrict__ e, T *__restrict__ b, T *__restrict__ c, int nx,
                int ny, int p) {
    FLAT;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    T s = a[i + 1] - a[i - 1];
    if (p)
        s += e[i + nx] - e[i];
    b[i] = s;
    c[i] = p ? s + a[i] : 2 * s;
}

// Outputs in boxes of their own.
// boxes: a e b c nx ny; threads nx*ny
KERNEL boxes(const T *__restrict__ a, const T *__restrict__ e, T *__restrict__ b, T *__restrict__ c, int nx, int ny) {
    FLAT;
    if (x >= 1 && x < nx && y >= 0 && y < ny)
        b[i] = a[i] - a[i - 1];
    if (x >= 0 && x < nx && y >= 1 && y < ny)
        c[i] = e[i] - e[i - nx];
}

// A border that is left out by the flat index and by the place in the row.
// flat_border: a b nx ny; threads nx*ny
KERNEL flat_border(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > nx && i < nx * ny - nx && i % nx && i % nx != nx - 1)
        b[i] = a[i - 1] + a[i + 1] - a[i - nx] - a[i + nx];
}

// One row more than the flat index says.
// flat_rows: a b nx ny; threads nx*ny
KERNEL flat_rows(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 2 * nx + 1 && i < nx * ny && i % nx > 1)
        b[i] = a[i - 1] - a[i - nx];
}

// Both below a power of two.
// powers: a[32*65] b[32*64]; threads 32,64
KERNEL powers(const T *a, T *b) {
    PLACE;
    if ((x | y) < 32 && x > 0)
        b[y * 32 + x] = a[y * 32 + x - 1] + a[y * 32 + x + 32];
}

// deep: a b nx ny nz; threads nx,ny,nz
KERNEL deep(const T *a, T *b, int nx, int ny, int nz) {
    PLACE, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz)
        return;
    int i = (z * ny + y) * nx + x;
    T s = a[i];
    s += z > 0 ? a[i - nx * ny] : 0;
    s += z < nz - 1 ? a[i + nx * ny] : 0;
    s += y > 0 && x > 0 ? a[i - nx - 1] : 0;
    b[i] = s;
}

// A border with a value of its own, or with differences to one side. LLVM puts 0 and the last row for y there.
// border_value: f[8] h e nx ny; threads nx,ny; once
KERNEL border_value(const T *f, const T *h, T *e, int nx, int ny) {
    PLACE;
    if (x < nx && y < ny) {
        if (y == 0)
            e[y * nx + x] = f[5];
        else
            e[y * nx + x] = e[y * nx + x] - (h[y * nx + x] - h[(y - 1) * nx + x]);
    }
}

// border_rows: a b nx ny; threads nx,ny
KERNEL border_rows(const T *a, T *b, int nx, int ny) {
    PLACE;
    int i = y * nx + x;
    if (x >= nx || y >= ny || ny < 2)
        return;
    if (y == 0)
        b[i] = 2 * (a[i + nx] - a[i]);
    else if (y == ny - 1)
        b[i] = 2 * (a[i] - a[i - nx]);
    else
        b[i] = a[i + nx] - a[i - nx];
}

// border_columns: a b c nx ny; threads nx,ny
KERNEL border_columns(const T *a, T *b, T *c, int nx, int ny) {
    PLACE;
    int i = y * nx + x;
    if (x >= nx || y >= ny || nx < 2)
        return;
    if (x == 0) {
        b[i] = 2 * (a[i + 1] - a[i]);
    } else if (x == nx - 1) {
        b[i] = 2 * (a[i] - a[i - 1]);
        c[i] = a[i - 1];
    } else {
        b[i] = a[i + 1] - a[i - 1];
    }
}

// corner: a b nx ny; threads nx,ny
KERNEL corner(const T *a, T *b, int nx, int ny) {
    PLACE;
    int i = y * nx + x;
    if (x >= nx || y >= ny)
        return;
    if (x == 3 && y == 3)
        b[i] = a[i];
    else if (x == 0)
        b[i] = a[i] + 1;
    else if (y == 0)
        b[i] = a[i] - 1;
    else
        b[i] = a[i - 1] + a[i - nx];
}

// first_plane: a b nx ny nz; threads nx,ny,nz
KERNEL first_plane(const T *a, T *b, int nx, int ny, int nz) {
    PLACE, z = blockIdx.z * blockDim.z + threadIdx.z;
    int i = (z * ny + y) * nx + x;
    if (x >= nx || y >= ny || z >= nz)
        return;
    if (z == 0)
        b[i] = 1;
    else if (z == nz - 1)
        b[i] = a[i];
    else
        b[i] = a[i - nx * ny] + a[i + nx * ny];
}

// As one store, to an element that LLVM chooses.
// border_set: a b nx ny v=7; threads nx,ny
KERNEL border_set(const T *a, T *b, int nx, int ny, T v) {
    PLACE;
    if (x < nx && y < ny) {
        if (y == 0)
            b[y * nx + x] = v;
        else
            b[y * nx + x] = a[y * nx + x] - a[(y - 1) * nx + x];
    }
}

// The last row writes the first one, too.
// ends: a[(ny+2)*nx] b[(ny+2)*nx] nx ny; threads nx,ny
KERNEL ends(const T *a, T *b, int nx, int ny) {
    PLACE + 1;
    if (x >= nx || y > ny)
        return;
    if (y == ny) {
        b[x] = a[x];
        b[y * nx + x] = a[y * nx + x] + 1;
    } else {
        b[y * nx + x] = a[(y - 1) * nx + x] + a[(y + 1) * nx + x];
    }
}

// The second condition lets in all that are left of the grid.
// or_copied: a b nx ny; threads nx,ny; bench 4096 8191
KERNEL or_copied(const T *a, T *b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * nx + x;
    if (x >= 1 && y >= 1 && x < nx - 1 && y < ny - 1)
        b[i] = a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx];
    else if (x < nx && y < ny)
        b[i] = a[i];
}

// It lets in fewer than the first one.
// or_some: a b nx ny; threads nx,ny
KERNEL or_some(const T *a, T *b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * nx + x;
    if (x >= 1 && y >= 1 && x < nx - 1 && y < ny - 1)
        b[i] = a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx];
    else if (x < nx - 2 && y < ny)
        b[i] = a[i];
}

// Three ways, of which the last one has the rest.
// or_rows: a b nx ny; threads nx,ny
KERNEL or_rows(const T *a, T *b, unsigned nx, unsigned ny) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * nx + x;
    if (x > 0 && x < nx - 1 && y > 1 && y < ny - 2 && nx > 2 && ny > 2)
        b[i] = a[i - 1] + a[i + 1] + a[i - 2 * nx];
    else if (y < ny && x < nx)
        b[i] = 0;
}

// Two branches lead to what is left.
// or_kept: a b nx ny; threads nx,ny
KERNEL or_kept(const T *a, T *b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * nx + x;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[i] = a[i] + a[i - 1] + a[i + 1] - a[i + nx];
    else if (x < nx && y < ny)
        b[i] = a[i];
}

// The first condition asks for a number, too: it may let in no cell.
// or_all: a b nx ny p:i32=nx%2; threads nx,ny
KERNEL or_all(const T *a, T *b, int nx, int ny, int p) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * nx + x;
    if (p && x >= 1 && y >= 1 && x < nx - 1 && y < ny - 1)
        b[i] = a[i - 1] + a[i + 1] + a[i - nx];
    else if (x < nx && y < ny)
        b[i] = a[i];
}
