// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What columns of 64 cells (of 64 blocks) cost a five-point stencil, by hand: beside rows, which divide as usual,
// columns told all that the host can know, and then what a kernel has to find out for itself, bit by bit.
// `inverse` is a little less than 1 / run, and run is 64 * ny (64 * gridDim.y).
#include "cuda.h"

typedef unsigned u32;
typedef unsigned long long u64;
enum { WIDTH = 64 };

#define ARGUMENTS const T *a, T *b, int nx, int ny, float inverse, u32 run

static __device__ inline void star(const T *a, T *b, int nx, int ny, int x, int y) {
    int i = y * nx + x;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[i] = C(0.2) * (a[i] + a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx]);
}

// *rest becomes n mod run.
static __device__ inline u32 divide(u32 n, float inverse, u32 run, u32 *rest) {
    u32 q = (u32)((float)n * inverse);
    *rest = n - q * run;
    if (*rest >= run) {
        *rest -= run;
        q++;
    }
    return q;
}

static __device__ inline float invert(u32 run) {
#ifdef __NVPTX__
    return __nvvm_rcp_approx_ftz_f((float)run) * 0.99999905f;
#else
    return 0.99999905f / run;
#endif
}

KERNEL flat_rows(ARGUMENTS) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    star(a, b, nx, ny, i % nx, i / nx);
}

static __device__ inline void in_column(const T *a, T *b, int nx, int ny, float inverse, u32 run) {
    u32 rest, q = divide(blockIdx.x * blockDim.x, inverse, run, &rest);
    rest += threadIdx.x;
    star(a, b, nx, ny, q * WIDTH + rest % WIDTH, rest / WIDTH);
}

KERNEL flat_told(ARGUMENTS) {
    in_column(a, b, nx, ny, inverse, run);
}

KERNEL flat_inverse(ARGUMENTS) {
    in_column(a, b, nx, ny, invert(WIDTH * ny), WIDTH * ny);
}

// Blocks that are not in one full column, and cells from `bound` on, go another way.
static __device__ inline void check_column(const T *a, T *b, int nx, int ny, u32 bound) {
    u32 high = WIDTH * ny, first = blockIdx.x * blockDim.x, rest;
    u32 q = divide(first, invert(high), high, &rest), n = first + threadIdx.x, x, y;
    if (first + blockDim.x - 1 < bound && nx - q * WIDTH >= WIDTH && rest + blockDim.x <= high) {
        rest += threadIdx.x;
        x = q * WIDTH + rest % WIDTH;
        y = rest / WIDTH;
    } else if (n < bound) {
        u32 column = n / high, width = min(WIDTH, nx - column * WIDTH);
        rest = n - column * high;
        y = rest / width;
        x = column * WIDTH + rest % width;
    } else {
        y = n / nx;
        x = n % nx;
    }
    star(a, b, nx, ny, x, y);
}

KERNEL flat_full(ARGUMENTS) {
    check_column(a, b, nx, ny, nx * ny);
}

KERNEL flat_checked(ARGUMENTS) {
    u64 cells = (u64)(u32)nx * (u32)ny, threads = (u64)gridDim.x * blockDim.x;
    check_column(a, b, nx, ny, cells <= threads && threads < 1u << 31 && nx > WIDTH ? (u32)cells : 0);
}

KERNEL blocks_rows(ARGUMENTS) {
    star(a, b, nx, ny, blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y);
}

// The same blocks in the same order, by way of a number, as columns need it.
KERNEL blocks_numbered(ARGUMENTS) {
    u32 x, y = divide(blockIdx.x + gridDim.x * blockIdx.y, invert(gridDim.x), gridDim.x, &x);
    star(a, b, nx, ny, x * blockDim.x + threadIdx.x, y * blockDim.y + threadIdx.y);
}

KERNEL blocks_told(ARGUMENTS) {
    u32 rest, q = divide(blockIdx.x + gridDim.x * blockIdx.y, inverse, run, &rest);
    u32 x = q * WIDTH + rest % WIDTH, y = rest / WIDTH;
    star(a, b, nx, ny, x * blockDim.x + threadIdx.x, y * blockDim.y + threadIdx.y);
}
