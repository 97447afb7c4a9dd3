// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two dimensions of threads. (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 2 --runs 6 %s
// types: float double int; also short char
#include "Inputs/cuda.h"

#define CELL                                                                                       \
    int x = blockIdx.x * blockDim.x + threadIdx.x;                                                 \
    int y = blockIdx.y * blockDim.y + threadIdx.y

// star2d1r: a b nx ny; threads nx,ny
KERNEL star2d1r(const T *a, T *b, int nx, int ny) {
    CELL;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[y * nx + x] = C(0.2) * (a[y * nx + x] + a[y * nx + x - 1] + a[y * nx + x + 1] +
                                  a[(y - 1) * nx + x] + a[(y + 1) * nx + x]);
}

// star2d1r_restrict: a b nx ny; threads nx,ny
KERNEL star2d1r_restrict(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    CELL;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    const T *c = a + (long)y * nx + x;
    b[(long)y * nx + x] = C(0.2) * (c[0] + c[-1] + c[1] + c[-nx] + c[nx]);
}

// star2d1r_bounds: a b nx ny; threads nx,ny; block 32,8
KERNEL __launch_bounds__(256) star2d1r_bounds(const T *a, T *b, int nx, int ny) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[y * nx + x] = C(0.2) * (a[y * nx + x] + a[y * nx + x - 1] + a[y * nx + x + 1] +
                                  a[(y - 1) * nx + x] + a[(y + 1) * nx + x]);
}

// box2d1r: a b nx ny; threads nx,ny
KERNEL box2d1r(const T *a, T *b, int nx, int ny) {
    CELL;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[y * nx + x] =
            C(0.1) * a[(y - 1) * nx + x - 1] + C(0.2) * a[(y - 1) * nx + x] +
            C(0.1) * a[(y - 1) * nx + x + 1] + C(0.2) * a[y * nx + x - 1] + C(0.3) * a[y * nx + x] +
            C(0.2) * a[y * nx + x + 1] + C(0.1) * a[(y + 1) * nx + x - 1] +
            C(0.2) * a[(y + 1) * nx + x] + C(0.1) * a[(y + 1) * nx + x + 1];
}

// box2d4r: a b nx ny; threads nx,ny
KERNEL box2d4r(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    CELL;
    if (x < 4 || y < 4 || x >= nx - 4 || y >= ny - 4)
        return;
    T sum = 0;
    for (int j = -4; j <= 4; j++)
        for (int i = -4; i <= 4; i++)
            sum += a[(y + j) * nx + x + i];
    b[y * nx + x] = sum / 81;
}

// star2d4r: a b nx ny; threads nx,ny
KERNEL star2d4r(const T *a, T *b, int nx, int ny) {
    CELL;
    if (x < 4 || y < 4 || x >= nx - 4 || y >= ny - 4)
        return;
    int c = y * nx + x;
    b[c] = C(0.5) * a[c] +
           C(0.1) * (a[c - 1] + a[c + 1] + a[c - nx] + a[c + nx]) -
           C(0.2) * (a[c - 2] + a[c + 2] + a[c - 2 * nx] + a[c + 2 * nx]) +
           C(0.3) * (a[c - 3] + a[c + 3] + a[c - 3 * nx] + a[c + 3 * nx]) -
           C(0.4) * (a[c - 4] + a[c + 4] + a[c - 4 * nx] + a[c + 4 * nx]);
}

// coefficients2d: a c d b nx ny; threads nx,ny
KERNEL coefficients2d(const T *a, const T *c, const T *d, T *b, int nx, int ny) {
    CELL;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
        int i = y * nx + x;
        b[i] = a[i] + c[i] * (a[i + 1] - a[i]) - c[i - 1] * (a[i] - a[i - 1]) +
               d[i] * (a[i + nx] - a[i]) - d[i - nx] * (a[i] - a[i - nx]);
    }
}

// scaled2d: a b w=0.3 nx ny pitch=nx+3 | ny*(nx+3); threads nx,ny
KERNEL scaled2d(const T *a, T *b, T w, int nx, int ny, int pitch) {
    CELL;
    if (x < nx - 1 && y < ny - 1 && x >= 1 && y >= 1)
        b[y * pitch + x] = w * (a[y * pitch + x - 1] + a[y * pitch + x + 1] +
                                a[(y - 1) * pitch + x] + a[(y + 1) * pitch + x]) -
                           a[y * pitch + x];
}

// periodic2d: a b nx ny; threads nx,ny
KERNEL periodic2d(const T *a, T *b, int nx, int ny) {
    CELL;
    if (x >= nx || y >= ny)
        return;
    int left = x == 0 ? nx - 1 : x - 1, right = x == nx - 1 ? 0 : x + 1;
    int up = y == 0 ? ny - 1 : y - 1, down = y == ny - 1 ? 0 : y + 1;
    b[y * nx + x] = a[y * nx + left] + a[y * nx + right] + a[up * nx + x] + a[down * nx + x] -
                    C(0.9) * a[y * nx + x];
}

// clamped2d: a b nx ny; threads nx,ny
KERNEL clamped2d(const T *a, T *b, int nx, int ny) {
    CELL;
    if (x >= nx || y >= ny)
        return;
    int left = max(x - 1, 0), right = min(x + 1, nx - 1), up = max(y - 1, 0),
        down = min(y + 1, ny - 1);
    b[y * nx + x] = C(0.2) * (a[y * nx + x] + a[y * nx + left] + a[y * nx + right] +
                              a[up * nx + x] + a[down * nx + x]);
}

// neighbours2d: a b nx ny; threads nx,ny
KERNEL neighbours2d(const T *a, T *b, int nx, int ny) {
    CELL;
    if (x >= nx || y >= ny)
        return;
    T sum = C(0.4) * a[y * nx + x];
    if (x > 0)
        sum += a[y * nx + x - 1];
    if (x < nx - 1)
        sum += a[y * nx + x + 1];
    if (y > 0)
        sum += a[(y - 1) * nx + x];
    if (y < ny - 1)
        sum += a[(y + 1) * nx + x];
    b[y * nx + x] = sum;
}

// rows2d: a b nx ny; threads nx,ny/4
KERNEL rows2d(const T *a, T *b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int first = 4 * (blockIdx.y * blockDim.y + threadIdx.y);
    if (x < 1 || x >= nx - 1)
        return;
    for (int y = first; y < first + 4; y++)
        if (y > 0 && y < ny - 1)
            b[y * nx + x] = C(0.25) * (a[y * nx + x - 1] + a[y * nx + x + 1] +
                                       a[(y - 1) * nx + x] + a[(y + 1) * nx + x]);
}

// march2d: a b nx ny; threads nx
KERNEL march2d(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < 1 || x > nx - 2)
        return;
    for (int y = 1; y < ny - 1; y++)
        b[y * nx + x] = C(0.25) * (a[y * nx + x - 1] + a[y * nx + x + 1] + a[(y - 1) * nx + x] +
                                   a[(y + 1) * nx + x]);
}

// row_is_block: a[(nx+2)*(ny+2)] b[(nx+2)*(ny+2)] pitch=nx+2; exactly nx,ny; block nx; bench 1024x4096 1024x32768
KERNEL row_is_block(const T *a, T *b, int pitch) {
    int x = threadIdx.x + 1, y = blockIdx.y + 1;
    b[y * pitch + x] = a[y * pitch + x - 1] + a[y * pitch + x + 1] + a[(y - 1) * pitch + x] +
                       a[(y + 1) * pitch + x];
}

// transposed: a b nx ny; threads ny,nx
KERNEL transposed(const T *a, T *b, int nx, int ny) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    int x = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[y * nx + x] = a[y * nx + x - 1] + a[y * nx + x + 1] + a[(y - 1) * nx + x] +
                        a[(y + 1) * nx + x];
}

// two_outputs: a b c nx ny; threads nx,ny
KERNEL two_outputs(const T *a, T *b, T *c, int nx, int ny) {
    CELL;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
        b[y * nx + x] = C(0.5) * (a[y * nx + x + 1] - a[y * nx + x - 1]);
        c[y * nx + x] = C(0.5) * (a[(y + 1) * nx + x] - a[(y - 1) * nx + x]);
    }
}

// tiled2d: a b nx ny; threads nx,ny; block 16,16
KERNEL tiled2d(const T *a, T *b, int nx, int ny) {
    __shared__ T tile[18][18];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int j = threadIdx.y; j < 18; j += 16)
        for (int i = threadIdx.x; i < 18; i += 16)
            tile[j][i] = a[min(max((int)(blockIdx.y * 16) + j - 1, 0), ny - 1) * nx +
                           min(max((int)(blockIdx.x * 16) + i - 1, 0), nx - 1)];
    __syncthreads();
    int i = threadIdx.x + 1, j = threadIdx.y + 1;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[y * nx + x] = C(0.2) * (tile[j][i] + tile[j][i - 1] + tile[j][i + 1] + tile[j - 1][i] +
                                  tile[j + 1][i]);
}

// row_coefficients: a r[nx] c[ny] b nx ny; threads nx,ny
KERNEL row_coefficients(const T *a, const T *r, const T *c, T *b, int nx, int ny) {
    CELL;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[y * nx + x] = r[x] * a[y * nx + x - 1] + r[x + 1] * a[y * nx + x + 1] +
                        c[y] * a[(y - 1) * nx + x] + c[y + 1] * a[(y + 1) * nx + x];
}

// No limit: the row after it does not fit in 64 bits.
// to_last: a b nx:i64 ny:i64 m:i64=9223372036854775807; threads nx,ny
KERNEL to_last(const T *a, T *b, long nx, long ny, long m) {
    CELL;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && y <= m)
        b[y * nx + x] = a[y * nx + x - 1] + a[y * nx + x + 1] - a[(y - 1) * nx + x] - a[(y + 1) * nx + x];
}

// Coefficients of rows far away.
// far_coefficients: c[ny+300] b nx ny; threads nx,ny
KERNEL far_coefficients(const T *c, T *b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < nx && y < ny)
        b[y * nx + x] = c[y] + c[y + 64] - c[y + 200];
}
// own_far: c[ny+300] a b nx ny; threads nx,ny
KERNEL own_far(const T *c, const T *a, T *b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < nx && y < ny && x > 0)
        b[y * nx + x] = a[y * nx + x] * c[y + 300] - a[y * nx + x - 1] * c[y + 64] - c[y + 25] + c[y + 23];
}

// A torus. Remainders are taken of a cell's own row and column, too.
// A box without its own cell.
// ring: a b nx ny; threads nx,ny; bench 4096 8191
KERNEL ring(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    CELL;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    int i = y * nx + x;
    T rows = a[i - nx - 1] + 2 * a[i - nx] + a[i - nx + 1] - a[i + nx - 1] - 2 * a[i + nx] - a[i + nx + 1];
    T columns = a[i - nx - 1] + 2 * a[i - 1] + a[i + nx - 1] - a[i - nx + 1] - 2 * a[i + 1] - a[i + nx + 1];
    b[i] = rows * rows + columns * columns;
}

// clamped_ring: a b c nx ny; threads nx,ny; bench 4096 8191
KERNEL clamped_ring(const T *a, T *b, T *c, int nx, int ny) {
    CELL;
    if (x >= nx || y >= ny)
        return;
    int l = x > 0 ? x - 1 : 0, r = x < nx - 1 ? x + 1 : nx - 1, u = y > 0 ? y - 1 : 0, d = y < ny - 1 ? y + 1 : ny - 1;
    T top = a[u * nx + l] + a[u * nx + x] + a[u * nx + r], low = a[d * nx + l] + a[d * nx + x] + a[d * nx + r];
    b[y * nx + x] = top - low + a[y * nx + l];
    c[y * nx + x] = top + low - a[y * nx + r];
}

// torus: a b nx ny; threads nx,ny
KERNEL torus(const T *__restrict__ a, T *__restrict__ b, int nx, int ny) {
    CELL;
    if (x >= nx || y >= ny)
        return;
    T s = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            s += a[(y + j + ny) % ny * nx + (x + i + nx) % nx];
    b[y * nx + x] = s;
}

// torus_line: a b nx ny; threads nx,ny
KERNEL torus_line(const T *a, T *b, int nx, int ny) {
    CELL;
    if (x >= nx || y >= ny || nx < 2)
        return;
    T s = a[y * nx + x];
    for (int i = -2; i <= 2; i++)
        s += a[y * nx + (x + i + nx) % nx];
    b[y * nx + x] = s;
}

// As the toolkit's __mul24, which takes 24 bits of each factor, has it.
#define MUL24(a, b) (((int)((unsigned)(a) << 8) >> 8) * ((int)((unsigned)(b) << 8) >> 8))
#define UMUL24(a, b) (((a) & 0xffffffu) * ((b) & 0xffffffu))
// products24: a b nx ny; threads nx,ny
KERNEL products24(const T *a, T *b, int nx, int ny) {
    int x = MUL24(blockIdx.x, blockDim.x) + threadIdx.x, y = UMUL24(blockIdx.y, blockDim.y) + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    int i = y * nx + x;
    b[i] = a[i - 1] + a[i + 1] - a[i - nx] + C(0.5) * a[i + nx];
}

// strided24: a b nx ny; threads nx*ny; strided
KERNEL strided24(const T *a, T *b, int nx, int ny) {
    for (int i = MUL24(blockIdx.x, blockDim.x) + threadIdx.x; i < nx * ny; i += MUL24(gridDim.x, blockDim.x)) {
        int x = i % nx, y = i / nx;
        if (x >= 1 && y >= 1 && x < nx - 1 && y < ny - 1)
            b[i] = a[i - 1] + a[i + 1] - a[i - nx] + C(0.5) * a[i + nx];
    }
}

// Not a stride: a neighbour, or a limit, by the number of blocks.
// from_grid: a b c[16384] nx ny; threads nx*ny; strided
KERNEL from_grid(const T *a, T *b, const T *c, int nx, int ny) {
    for (int i = MUL24(blockIdx.x, blockDim.x) + threadIdx.x; i < nx * ny; i += MUL24(gridDim.x, blockDim.x)) {
        int x = i % nx, y = i / nx;
        if (x >= 1 && y >= 1 && x < nx - 1 && y < ny - 1)
            b[i] = a[i - 1] + a[i + 1] - a[i - nx] + c[gridDim.x];
    }
}

// below_grid: a b nx ny; threads nx*ny; strided
KERNEL below_grid(const T *a, T *b, int nx, int ny) {
    int blocks = gridDim.x;
    for (int i = MUL24(blockIdx.x, blockDim.x) + threadIdx.x; i < nx * ny; i += MUL24(gridDim.x, blockDim.x)) {
        int x = i % nx, y = i / nx;
        if (x >= 1 && y >= 1 && x < nx - 1 && y < ny - 1 && y < blocks)
            b[i] = a[i - 1] + a[i + 1] - a[i - nx] + C(0.5) * a[i + nx];
    }
}
