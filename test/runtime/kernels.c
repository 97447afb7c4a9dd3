/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels as the generator would write them: parameters in region.h's order.
 */
#include "kernels.h"

#define CELL1                                                                                      \
    int64_t x = fx + THREAD_X;                                                                     \
    if (x >= nx)                                                                                   \
        return;
#define CELL2                                                                                      \
    int64_t x = fx + THREAD_X, y = fy + THREAD_Y;                                                  \
    if (x >= nx || y >= ny)                                                                        \
        return;
#define CELL3                                                                                      \
    int64_t x = fx + THREAD_X, y = fy + THREAD_Y, z = fz + THREAD_Z;                               \
    if (x >= nx || y >= ny || z >= nz)                                                             \
        return;

/* 1-D, three points */
KERNEL void heat1(double *out, const double *in, int64_t fx, int64_t nx, double c) {
    CELL1
    out[x] = in[x] + c * (in[x - 1] - 2 * in[x] + in[x + 1]);
}

/* 2-D star of radius 1, and a scalar that counts the steps */
KERNEL void star2(float *out, const float *in, int64_t fx, int64_t fy, int64_t nx, int64_t ny,
                  int64_t sy, float c, int32_t t) {
    CELL2
    int64_t i = y * sy + x;
    out[i] = c * (in[i - 1] + in[i + 1] + in[i - sy] + in[i + sy] + in[i]) + (float)t;
}

/* 2-D, points far away: their copies of a small domain do not even touch */
KERNEL void far2(float *out, const float *in, int64_t fx, int64_t fy, int64_t nx, int64_t ny,
                 int64_t sy, float c) {
    CELL2
    int64_t i = y * sy + x;
    out[i] = c * (in[i - 9] + in[i + 9] - in[i - 7 * sy] + in[i + 7 * sy + 5]);
}

/* 2-D, many grids: u rotates; w extends along x only, v along y only; b are bytes; q is written */
KERNEL void mixed2(double *out, const double *u, const double *w, const double *v, const uint8_t *b,
                   int32_t *q, int64_t fx, int64_t fy, int64_t nx, int64_t ny, int64_t su,
                   int64_t sw, int64_t sv, int64_t sb, int64_t sq, uint8_t k, int16_t t) {
    CELL2
    int64_t i = y * su + x;
    out[i] = u[i] * w[y * sw + x + 1] + u[i + 2] * v[y * sv - sv] - u[i - 1 + su] * w[y * sw + x] +
             v[y * sv];
    q[y * sq + x] = b[y * sb + x] * k + t;
}

/* 2-D, in place, no neighbours */
KERNEL void inplace2(float *u, int64_t fx, int64_t fy, int64_t nx, int64_t ny, int64_t sy,
                     int64_t t) {
    CELL2
    u[y * sy + x] = u[y * sy + x] * 0.5f + (float)t;
}

/* 3-D wave of radius 2: levels 2, 1, 0 of three buffers, or 1, 0, -1 of two */
KERNEL void wave3(double *next, const double *u, const double *before, int64_t fx, int64_t fy,
                  int64_t fz, int64_t nx, int64_t ny, int64_t nz, int64_t sy, int64_t sz,
                  double c) {
    CELL3
    int64_t i = z * sz + y * sy + x;
    double sum = u[i - 2] + u[i - 1] + u[i + 1] + u[i + 2] + u[i - 2 * sy] + u[i - sy] + u[i + sy] +
                 u[i + 2 * sy] + u[i - 2 * sz] + u[i - sz] + u[i + sz] + u[i + 2 * sz];
    next[i] = 2 * u[i] - before[i] + c * (sum - 12 * u[i]);
}

/* 3-D box of radius 1 on 16-bit integers, times a column that depends on x and y alone */
KERNEL void box3(int16_t *out, const int16_t *in, const int32_t *m, int64_t fx, int64_t fy,
                 int64_t fz, int64_t nx, int64_t ny, int64_t nz, int64_t sy, int64_t sz, int64_t my,
                 int64_t mz, int16_t c) {
    CELL3
    uint64_t sum = 0; /* wraps */
    for (int k = -1; k <= 1; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++)
                sum = (uint64_t)c * sum + (uint64_t)in[(z + k) * sz + (y + j) * sy + x + i];
    out[z * sz + y * sy + x] = (int16_t)(sum * (uint64_t)m[z * mz + y * my + x]);
}

/* 1-D, reads a cell outside of what its region names: a fault for the simulator to find */
KERNEL void stray1(double *out, const double *in, int64_t fx, int64_t nx) {
    CELL1
    out[x] = in[x + 100000];
}

#ifndef __NVPTX__
_Thread_local int64_t rt_thread[3];

#define P(type, n) (*(type *)args[n])
#define ENTER                                                                                      \
    for (int d = 0; d < 3; d++)                                                                    \
        rt_thread[d] = thread[d];
#define STUB(name, nargs, ...)                                                                     \
    static void run_##name(const int64_t thread[3], void *const *args) {                           \
        ENTER name(__VA_ARGS__);                                                                   \
    }                                                                                              \
    extern const rt_kernel stub_##name;                                                            \
    __attribute__((visibility("default"))) const rt_kernel stub_##name = {nargs, run_##name};
#define I(n) P(int64_t, n)

STUB(heat1, 5, P(double *, 0), P(double *, 1), I(2), I(3), P(double, 4))
STUB(star2, 9, P(float *, 0), P(float *, 1), I(2), I(3), I(4), I(5), I(6), P(float, 7),
     P(int32_t, 8))
STUB(far2, 8, P(float *, 0), P(float *, 1), I(2), I(3), I(4), I(5), I(6), P(float, 7))
STUB(mixed2, 17, P(double *, 0), P(double *, 1), P(double *, 2), P(double *, 3), P(uint8_t *, 4),
     P(int32_t *, 5), I(6), I(7), I(8), I(9), I(10), I(11), I(12), I(13), I(14), P(uint8_t, 15),
     P(int16_t, 16))
STUB(inplace2, 7, P(float *, 0), I(1), I(2), I(3), I(4), I(5), I(6))
STUB(wave3, 12, P(double *, 0), P(double *, 1), P(double *, 2), I(3), I(4), I(5), I(6), I(7), I(8),
     I(9), I(10), P(double, 11))
STUB(box3, 14, P(int16_t *, 0), P(int16_t *, 1), P(int32_t *, 2), I(3), I(4), I(5), I(6), I(7),
     I(8), I(9), I(10), I(11), I(12), P(int16_t, 13))
STUB(stray1, 4, P(double *, 0), P(double *, 1), I(2), I(3))
#endif
