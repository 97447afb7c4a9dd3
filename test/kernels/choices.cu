// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that choose by a condition which neighbour they read: by values, as upwind differences do; by coordinates,
// where that is no rule of borders; by both. (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 2 --runs 4 --targets sm_80,gfx90a --types float --passes 'stencil-block<cache=l1;coarsen=2>' --expect changed %s
// RUN: %differ --levels 2 --runs 4 --targets sm_80 --types double,int --passes 'stencil-block<cache=l1>' --expect changed %s
// types: float double int
#include "Inputs/cuda.h"

#define PLACE int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y
#define INSIDE                                                                                     \
    if (x < 2 || y < 2 || x >= nx - 2 || y >= ny - 2)                                              \
        return

// chosen_upwind: v a b nx ny; threads nx,ny; bench 4096 8192
KERNEL chosen_upwind(const T *v, const T *a, T *b, int nx, int ny) {
    PLACE;
    INSIDE;
    int i = y * nx + x, from = v[i] > 0 ? i - 1 : i + 1;
    b[i] = a[i] - v[i] * a[from];
}

// Three indices by one condition, and the index as a sum with the condition.
// fluxes: v a w b nx ny; threads nx,ny; bench 4096 8192
KERNEL fluxes(const T *v, const T *a, const T *w, T *b, int nx, int ny) {
    int up, donor, down;
    PLACE;
    INSIDE;
    int i = y * nx + x;
    if (v[i] > 0) {
        up = -2;
        donor = -1;
        down = 0;
    } else {
        up = 1;
        donor = 0;
        down = -1;
    }
    T d = a[i + donor] - a[i + up], e = a[i + down] - a[i + donor];
    b[i] = d * e > 0 ? d + w[i + donor] * v[i] : e + w[i - (v[i] > 1)] + w[i + nx * (v[i] < 2)];
}

// Along both dimensions: four cells, of which one is read; and what is read chooses in turn.
// both_ways: u v a b nx ny; threads nx,ny; bench 4096 8192
KERNEL both_ways(const T *u, const T *v, const T *a, T *b, int nx, int ny) {
    PLACE;
    INSIDE;
    int i = y * nx + x, from = (y + (v[i] > 0 ? -1 : 1)) * nx + x + (u[i] > 0 ? -1 : 1);
    b[i] = a[i] + a[from] + a[a[from] > u[i] ? i - nx : i + 2];
}

// At the border x another cell than that after the condition says.
// clamped: v a b nx ny; threads nx,ny
KERNEL clamped(const T *v, const T *a, T *b, int nx, int ny) {
    PLACE;
    if (x < 1 || y < 1 || x >= nx || y >= ny)
        return;
    int i = y * nx + x, to = v[i] > 0 ? -1 : x == nx - 1 ? 0 : 1;
    b[i] = a[i] - a[i + to];
}

// By the parity of the row: no rule of borders.
// parity_rows: a b nx ny; threads nx,ny; bench 4096 8192
KERNEL parity_rows(const T *a, T *b, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    int right = x + 1 < nx ? x + 1 : 0, left = x - 1 >= 0 ? x - 1 : nx - 1;
    b[y * nx + x] = a[y * nx + x] - a[y * nx + (y % 2 ? left : right)];
}

// Two rules at one border.
// two_rules: a c b nx ny; threads nx,ny; bench 4096 8192
KERNEL two_rules(const T *a, const T *c, T *b, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    int mirrored = x > 0 ? x - 1 : 1, clamped = x > 0 ? x - 1 : 0;
    if (nx < 2)
        return;
    b[y * nx + x] = a[y * nx + mirrored] + a[y * nx + clamped] - c[y * nx + clamped];
}

// A flat index, and a march along z.
// flat_upwind: v a b nx ny; threads nx*ny; bench 4096 8192
KERNEL flat_upwind(const T *v, const T *a, T *b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (i >= nx * ny)
        return;
    INSIDE;
    b[i] = a[i] + a[v[i] > 0 ? i - nx : i + nx];
}

// Sizes in constant memory. They are what the host put there; here what they begin with.
__attribute__((constant)) int ends[3] = {0, 37, 21};
// constant: a[37*21] b[37*21]; threads 37,21
KERNEL constant(const T *a, T *b) {
    PLACE;
    if (x < 1 || y < 1 || x >= ends[1] - 1 || y >= ends[2] - 1)
        return;
    int i = y * ends[1] + x;
    b[i] = a[i - 1] + a[i + 1] - a[i - ends[1]] - a[i + ends[1]];
}

// Comes back five cells on.
// jumps: a[nx*ny+8] b nx ny; threads nx,ny
KERNEL jumps(const T *a, T *b, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    int w = x - 2 < 0 ? 5 : x - 2;
    b[y * nx + x] = a[y * nx + w] + a[y * nx + x];
}

// unsigned_clamp: a[nx*ny+1] b nx:u32 ny:u32; threads nx,ny
KERNEL unsigned_clamp(const T *a, T *b, unsigned nx, unsigned ny) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny)
        return;
    unsigned w = x - 1 < nx ? x - 1 : 0;
    b[y * nx + x] = a[y * nx + w] + a[y * nx + x];
}

// No guard.
// unguarded: a[nx*ny+1] b nx ny; exactly nx,ny
KERNEL unguarded(const T *a, T *b, int nx, int ny) {
    PLACE;
    int e = x == nx - 1 ? 0 : x + 1;
    b[y * nx + x] = a[y * nx + e] + a[y * nx + x];
}

// In the middle of a row, by x and by y.
// middle: a[nx*ny+300] b nx ny; threads nx,ny
KERNEL middle(const T *a, T *b, int nx, int ny) {
    PLACE;
    if (x >= nx || y >= ny)
        return;
    int w = x == 7 ? x + 3 : x, v = x < y ? x : x + 2;
    b[y * nx + x] = a[y * nx + w] + a[y * nx + v] + a[y * nx + (x > nx / 2 ? x - 1 : x)];
}

// Red cells from black ones, which have an array of their own: the neighbours along x depend on whether the row is odd.
// red_cells: a b nx ny; threads nx,ny; bench 4096 8191
KERNEL red_cells(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    PLACE;
    INSIDE;
    int i = y * nx + x;
    b[i] = a[i - nx] + a[i + nx] - a[i - (y & 1)] + a[i + ((y + 1) & 1)];
}

// Of both coordinates, and of a size.
// odd_cells: a b nx ny; threads nx,ny; bench 4096 8191
KERNEL odd_cells(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    PLACE;
    INSIDE;
    int i = y * nx + x;
    b[i] = a[i] - a[i + 1 - ((x + y + nx) & 1) * 2] + a[i + (x & 1) * nx];
}

// By a number among several, as the direction of an edge: a switch. Those of one value read nothing else.
// edges: a d:i32[nx*ny] b nx ny; threads nx,ny; bench 4096 8191
KERNEL edges(const T *a, const int *d, T *b, int nx, int ny) {
    PLACE;
    INSIDE;
    int i = y * nx + x, k = d[i] & 7;
    T v = a[i], low, high;
    if (k == 0) {
        low = a[i - 1];
        high = a[i + 1];
    } else if (k == 1) {
        low = a[i - nx + 1];
        high = a[i + nx - 1];
    } else if (k == 2) {
        low = a[i - nx];
        high = a[i + nx];
    } else {
        low = a[i - nx - 1];
        high = a[i + nx + 1];
    }
    b[i] = v >= low && v >= high ? v : low - high;
}

// switched: a d:i32[nx*ny] b nx ny; threads nx,ny
KERNEL switched(const T *a, const int *d, T *b, int nx, int ny) {
    PLACE;
    INSIDE;
    int i = y * nx + x, to;
    switch (d[i] & 7) {
    case 1:
        to = i + 1;
        break;
    case 4:
        to = i - nx;
        break;
    case 7:
        to = i - 2;
        break;
    default:
        to = i + 2 * nx;
    }
    b[i] = a[to] - a[i];
}

// All cases are there: LLVM knows that no other number comes.
// directions: a d:i32[nx*ny] b nx ny; threads nx,ny
KERNEL directions(const T *a, const int *d, T *b, int nx, int ny) {
    PLACE;
    INSIDE;
    int dx = 0, dy = 0;
    switch (d[y * nx + x] & 3) {
    case 0:
        dx = 1;
        break;
    case 1:
        dx = -1;
        break;
    case 2:
        dy = 1;
        break;
    case 3:
        dy = -1;
    }
    b[y * nx + x] = a[(y + dy) * nx + x + dx] - a[y * nx + x];
}
