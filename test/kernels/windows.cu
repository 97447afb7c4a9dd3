// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over the neighbours that are in the grid: their bounds are brought into it.
// RUN: %differ --levels 2 --runs 10 --targets sm_80,gfx90a --types float,double --passes 'stencil-block<cache=l1;coarsen=2>' --expect changed %s
// RUN: %differ --levels 3 --runs 8 --targets sm_80,gfx1100 --types float,int,short --passes 'stencil-block<cache=l1>' --expect changed %s
// RUN: %differ --levels 3 --runs 6 --targets sm_80 --types char --passes 'stencil-block<cache=l1;vector=4>' %s
// types: float double int; also short char
#include "Inputs/cuda.h"

#define PLACE                                                                                      \
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;      \
    if (x >= nx || y >= ny)                                                                        \
        return

// mean: a b nx ny; threads nx,ny; bench 4096x4096
KERNEL mean(const T *a, T *b, int nx, int ny) {
    PLACE;
    int x1 = max(x - 1, 0), x2 = min(x + 1, nx - 1), y1 = max(y - 1, 0), y2 = min(y + 1, ny - 1);
    T s = 0;
    int n = 0;
    for (int j = y1; j <= y2; j++)
        for (int i = x1; i <= x2; i++) {
            s += a[j * nx + i];
            n++;
        }
    b[y * nx + x] = (T)(s / (T)n);
}

// The bounds exclude the last one; the window is larger on one side.
// least: a b nx ny; threads nx,ny; bench 4096x4096
KERNEL least(const T *a, T *b, int nx, int ny) {
    PLACE;
    T m = a[y * nx + x];
    for (int j = max(0, y - 2); j < min(ny, y + 2); j++)
        for (int i = max(0, x - 1); i < min(nx, x + 2); i++)
            m = a[j * nx + i] < m ? a[j * nx + i] : m;
    b[y * nx + x] = m;
}

// Bounds by statements.
// greatest: a b nx ny; threads nx,ny; bench 4096x4096
KERNEL greatest(const T *a, T *b, int nx, int ny) {
    PLACE;
    int x1 = x - 1, x2 = x + 1, y1 = y - 1, y2 = y + 1;
    if (x1 < 0)
        x1 = 0;
    if (y1 < 0)
        y1 = 0;
    if (x2 >= nx)
        x2 = nx - 1;
    if (y2 >= ny)
        y2 = ny - 1;
    T m = 0;
    for (int j = y1; j <= y2; j++)
        for (int i = x1; i <= x2; i++)
            m = a[j * nx + i] > m ? a[j * nx + i] : m;
    b[y * nx + x] = m;
}

// Along one axis, with weights by the distance; limits of the program's own.
// row: a b nx ny; threads nx,ny; bench 4096x4096
KERNEL row(const T *a, T *b, int nx, int ny) {
    PLACE;
    T s = 0;
    for (int i = max(x - 2, 1); i <= min(x + 2, nx - 2); i++)
        s += a[y * nx + i] * (T)(i - x + 3);
    b[y * nx + x] = s;
}

// A limit on one side alone.
// below: a b nx ny; threads nx,ny; bench 4096x4096
KERNEL below(const T *a, T *b, int nx, int ny) {
    PLACE;
    T s = 0;
    for (int j = max(y - 3, 0); j <= y; j++)
        s += a[j * nx + x];
    b[y * nx + x] = s;
}

// Rows in the inner loop. Its own test in front of it is known to hold; what is in front of it then is whether the outer
// loop's column is in the grid.
// columns_first: a b nx ny; threads nx,ny; bench 4096x4096
KERNEL columns_first(const T *a, T *b, int nx, int ny) {
    PLACE;
    if (y < 1)
        return;
    T s = 0;
    int n = 0;
    for (int i = max(x, 0); i < min(x + 3, nx); i++)
        for (int j = max(y, 0); j < min(y + 2, ny); j++) {
            s += a[j * nx + i];
            n++;
        }
    b[y * nx + x] = s + (T)n;
}

// A condition of the program's own in front of the window: else f is not read.
// under_condition: a f[nx*ny] b nx ny; threads nx,ny; bench 4096x4096
KERNEL under_condition(const T *a, const T *f, T *b, int nx, int ny) {
    PLACE;
    T s = a[y * nx + x];
    if (x > 3)
        for (int j = max(y - 1, 0); j <= min(y + 1, ny - 1); j++)
            s += f[j * nx + x - 4];
    b[y * nx + x] = s;
}

// Bounds by conditional expressions.
// chosen_bounds: a b nx ny; threads nx,ny; bench 4096x4096
KERNEL chosen_bounds(const T *a, T *b, int nx, int ny) {
    PLACE;
    T s = 0;
    int y1 = y > 0 ? y - 1 : 0, y2 = y < ny - 1 ? y + 1 : ny - 1;
    for (int j = y1; j <= y2; j++)
        s += a[j * nx + x] * (T)(j - y + 2);
    b[y * nx + x] = s;
}
