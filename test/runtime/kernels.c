/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels as the generator would write them. Their parameters are in the order that
 * rt_list_parameters gives, which is the generator's but for far2.
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

/* 2-D, points far away: their copies of a small domain do not even touch. The parameters are in an
 * order of their own. */
KERNEL void far2(float c, int64_t sy, int64_t ny, int64_t nx, int64_t fy, int64_t fx,
                 const float *in, float *out) {
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

/* Stream kernels, slow and simple: the value of a cell at a level, worked out anew from those of
 * the level below. What lies outside the domain is the source's at even levels, the other buffer's
 * at odd ones. */

static double drift(double a, double b, double w, double v, double c, int16_t t) {
    return c * a + w * b + v + (double)t;
}

/* 2-D, two distant neighbours, tables along x and y */
KERNEL void drift2(double *out, const double *u, const double *w, const double *v, int64_t fx,
                   int64_t fy, int64_t nx, int64_t ny, int64_t su, int64_t sw, int64_t sv, double c,
                   int16_t t) {
    CELL2
    int64_t i = y * su + x;
    out[i] = drift(u[i - 1 - 2 * su], u[i + 2 + su], w[y * sw + x + 1], v[y * sv], c, t);
}

typedef struct drift_stream {
    const double *src, *other, *w, *v;
    int64_t nx, ny, su, sw, sv;
    double c;
    int16_t t, dt;
} drift_stream;

static double drift_at(const drift_stream *s, int level, int64_t x, int64_t y) {
    if (x < 0 || x >= s->nx || y < 0 || y >= s->ny)
        return (level % 2 ? s->other : s->src)[y * s->su + x];
    if (level == 0)
        return s->src[y * s->su + x];
    return drift(drift_at(s, level - 1, x - 1, y - 2), drift_at(s, level - 1, x + 2, y + 1),
                 s->w[y * s->sw + x + 1], s->v[y * s->sv], s->c,
                 (int16_t)(s->t + (level - 1) * s->dt));
}

/* The thread's cell along x, and its planes. */
#define STREAM_X                                                                                   \
    int64_t tx = THREAD_X % STREAM_THREADS;                                                        \
    int64_t x = THREAD_X / STREAM_THREADS * (STREAM_TILE * STREAM_TILES) + tx;                     \
    if (tx >= STREAM_TILE * STREAM_TILES || x >= nx)                                               \
        return;
#define DRIFT(bt)                                                                                  \
    KERNEL void drift2_##bt(double *dst, const double *src, const double *other, const double *w,  \
                            const double *v, int64_t nx, int64_t ny, int64_t su, int64_t sw,       \
                            int64_t sv, int64_t chunk, double c, int16_t t, int16_t dt) {          \
        STREAM_X                                                                                   \
        drift_stream s = {src, other, w, v, nx, ny, su, sw, sv, c, t, dt};                         \
        for (int64_t y = THREAD_Y * chunk; y < (THREAD_Y + 1) * chunk && y < ny; y++)              \
            dst[y * su + x] = drift_at(&s, bt, x, y);                                              \
    }
DRIFT(8)
DRIFT(4)
DRIFT(2)

/* 3-D star of radius 1 on integers, an array beside it, a scalar that counts the steps */
static uint32_t cube(uint32_t sum, int32_t m, int64_t t) {
    return sum * 3 + (uint32_t)m + (uint32_t)t;
}

KERNEL void cube3(const int32_t *m, const uint32_t *u, uint32_t *out, int64_t fx, int64_t fy,
                  int64_t fz, int64_t nx, int64_t ny, int64_t nz, int64_t my, int64_t mz,
                  int64_t sy, int64_t sz, int64_t t) {
    CELL3
    int64_t i = z * sz + y * sy + x;
    out[i] =
        cube(u[i] + 5 * u[i - 1] + u[i + 1] + 7 * u[i - sy] + u[i + sy] + 9 * u[i - sz] + u[i + sz],
             m[z * mz + y * my + x], t);
}

typedef struct cube_stream {
    const uint32_t *src, *other;
    const int32_t *m;
    int64_t nx, ny, nz, my, mz, sy, sz, t, dt;
} cube_stream;

static uint32_t cube_at(const cube_stream *s, int level, int64_t x, int64_t y, int64_t z) {
    int64_t i = z * s->sz + y * s->sy + x;
    int below = level - 1;
    if (x < 0 || x >= s->nx || y < 0 || y >= s->ny || z < 0 || z >= s->nz)
        return (level % 2 ? s->other : s->src)[i];
    if (level == 0)
        return s->src[i];
    return cube(cube_at(s, below, x, y, z) + 5 * cube_at(s, below, x - 1, y, z) +
                    cube_at(s, below, x + 1, y, z) + 7 * cube_at(s, below, x, y - 1, z) +
                    cube_at(s, below, x, y + 1, z) + 9 * cube_at(s, below, x, y, z - 1) +
                    cube_at(s, below, x, y, z + 1),
                s->m[z * s->mz + y * s->my + x], s->t + below * s->dt);
}

#define CUBE(bt)                                                                                   \
    KERNEL void cube3_##bt(uint32_t *dst, const uint32_t *src, const uint32_t *other,              \
                           const int32_t *m, int64_t nx, int64_t ny, int64_t nz, int64_t my,       \
                           int64_t mz, int64_t sy, int64_t sz, int64_t chunk, int64_t t,           \
                           int64_t dt) {                                                           \
        int64_t y = THREAD_Y;                                                                      \
        STREAM_X                                                                                   \
        cube_stream s = {src, other, m, nx, ny, nz, my, mz, sy, sz, t, dt};                        \
        for (int64_t z = THREAD_Z * chunk; z < (THREAD_Z + 1) * chunk && z < nz && y < ny; z++)    \
            dst[z * sz + y * sy + x] = cube_at(&s, bt, x, y, z);                                   \
    }
CUBE(3)
CUBE(2)
CUBE(1)

/* 1-D, one cell to the left and two to the right, an array beside it, a scalar that counts the
 * steps; and as strips */
static uint32_t pulse(uint32_t a, uint32_t b, uint32_t c, int32_t m, int64_t t) {
    return 3 * a + b + ((5 * c) ^ (uint32_t)m) + (uint32_t)t;
}

KERNEL void pulse1(uint32_t *out, const uint32_t *u, const int32_t *m, int64_t fx, int64_t nx,
                   int64_t t) {
    CELL1
    out[x] = pulse(u[x], u[x - 1], u[x + 2], m[x + 1], t);
}

typedef struct pulse_strip {
    const uint32_t *src, *other;
    const int32_t *m;
    int64_t nx, t, dt;
} pulse_strip;

static uint32_t pulse_at(const pulse_strip *s, int level, int64_t x) {
    int below = level - 1;
    if (x < 0 || x >= s->nx)
        return (level % 2 ? s->other : s->src)[x];
    if (level == 0)
        return s->src[x];
    return pulse(pulse_at(s, below, x), pulse_at(s, below, x - 1), pulse_at(s, below, x + 2),
                 s->m[x + 1], s->t + below * s->dt);
}

#define PULSE(bt)                                                                                  \
    KERNEL void pulse1_##bt(uint32_t *dst, const uint32_t *src, const uint32_t *other,             \
                            const int32_t *m, int64_t nx, int64_t t, int64_t dt) {                 \
        STREAM_X                                                                                   \
        pulse_strip s = {src, other, m, nx, t, dt};                                                \
        dst[x] = pulse_at(&s, bt, x);                                                              \
    }
PULSE(5)
PULSE(2)

/* 1-D, the cell alone, a scalar that counts the steps; and as strips of a large degree */
KERNEL void tally1(uint32_t *out, const uint32_t *u, int64_t fx, int64_t nx, int64_t t) {
    CELL1
    out[x] = 3 * u[x] + (uint32_t)t;
}

KERNEL void tally1_1000(uint32_t *dst, const uint32_t *src, const uint32_t *other, int64_t nx,
                        int64_t t, int64_t dt) {
    STREAM_X
    uint32_t v = src[x];
    (void)other;
    for (int level = 0; level < 1000; level++)
        v = 3 * v + (uint32_t)(t + level * dt);
    dst[x] = v;
}

/* 2-D, the star of radius 1 and the cell itself two steps back: of another buffer, or of the one
 * that is written. */
static double ripple(double around, double here, double before, double c, int16_t t) {
    return 2 * here - before + c * (around - 4 * here) + (double)t;
}

KERNEL void ripple2(double *next, const double *u, const double *before, int64_t fx, int64_t fy,
                    int64_t nx, int64_t ny, int64_t sy, double c, int16_t t) {
    CELL2
    int64_t i = y * sy + x;
    next[i] = ripple(u[i - 1] + u[i + 1] + u[i - sy] + u[i + sy], u[i], before[i], c, t);
}

KERNEL void pond2(double *next, const double *u, int64_t fx, int64_t fy, int64_t nx, int64_t ny,
                  int64_t sy, double c, int16_t t) {
    CELL2
    int64_t i = y * sy + x;
    next[i] = ripple(u[i - 1] + u[i + 1] + u[i - sy] + u[i + sy], u[i], next[i], c, t);
}

typedef struct ripple_stream {
    const double *src, *older;
    int64_t nx, ny, sy;
    double c;
    int16_t t, dt;
} ripple_stream;

/* All buffers have the source's halo. */
static double ripple_at(const ripple_stream *s, int level, int64_t x, int64_t y) {
    int below = level - 1;
    if (x < 0 || x >= s->nx || y < 0 || y >= s->ny || level == 0)
        return s->src[y * s->sy + x];
    if (level < 0)
        return s->older[y * s->sy + x];
    return ripple(ripple_at(s, below, x - 1, y) + ripple_at(s, below, x + 1, y) +
                      ripple_at(s, below, x, y - 1) + ripple_at(s, below, x, y + 1),
                  ripple_at(s, below, x, y), ripple_at(s, level - 2, x, y), s->c,
                  (int16_t)(s->t + below * s->dt));
}

#define RIPPLE(bt)                                                                                 \
    KERNEL void ripple2_##bt(double *dst, const double *src, const double *older,                  \
                             double *older_dst, int64_t nx, int64_t ny, int64_t sy, int64_t chunk, \
                             double c, int16_t t, int16_t dt) {                                    \
        STREAM_X                                                                                   \
        ripple_stream s = {src, older, nx, ny, sy, c, t, dt};                                      \
        for (int64_t y = THREAD_Y * chunk; y < (THREAD_Y + 1) * chunk && y < ny; y++) {            \
            dst[y * sy + x] = ripple_at(&s, bt, x, y);                                             \
            if (bt > 1)                                                                            \
                older_dst[y * sy + x] = ripple_at(&s, bt - 1, x, y);                               \
        }                                                                                          \
    }
RIPPLE(3)
RIPPLE(2)
RIPPLE(1)

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
    __attribute__((visibility("default")))                                                         \
    const rt_kernel stub_##name = {nargs, run_##name, 0, 0, 0, false};
#define STUB_STREAM(name, nargs, rank, size, ports, older, ...)                                    \
    static void run_##name(const int64_t thread[3], void *const *args) {                           \
        ENTER name(__VA_ARGS__);                                                                   \
    }                                                                                              \
    extern const rt_kernel stub_##name;                                                            \
    __attribute__((visibility("default")))                                                         \
    const rt_kernel stub_##name = {nargs, run_##name, rank, size, ports, older};
#define I(n) P(int64_t, n)

STUB(heat1, 5, P(double *, 0), P(double *, 1), I(2), I(3), P(double, 4))
STUB(star2, 9, P(float *, 0), P(float *, 1), I(2), I(3), I(4), I(5), I(6), P(float, 7),
     P(int32_t, 8))
STUB(far2, 8, P(float, 0), I(1), I(2), I(3), I(4), I(5), P(float *, 6), P(float *, 7))
STUB(mixed2, 17, P(double *, 0), P(double *, 1), P(double *, 2), P(double *, 3), P(uint8_t *, 4),
     P(int32_t *, 5), I(6), I(7), I(8), I(9), I(10), I(11), I(12), I(13), I(14), P(uint8_t, 15),
     P(int16_t, 16))
STUB(inplace2, 7, P(float *, 0), I(1), I(2), I(3), I(4), I(5), I(6))
STUB(wave3, 12, P(double *, 0), P(double *, 1), P(double *, 2), I(3), I(4), I(5), I(6), I(7), I(8),
     I(9), I(10), P(double, 11))
STUB(box3, 14, P(int16_t *, 0), P(int16_t *, 1), P(int32_t *, 2), I(3), I(4), I(5), I(6), I(7),
     I(8), I(9), I(10), I(11), I(12), P(int16_t, 13))
STUB(drift2, 13, P(double *, 0), P(double *, 1), P(double *, 2), P(double *, 3), I(4), I(5), I(6),
     I(7), I(8), I(9), I(10), P(double, 11), P(int16_t, 12))
#define STUB_DRIFT(bt)                                                                             \
    STUB_STREAM(drift2_##bt, 14, 2, 8, 2, false, P(double *, 0), P(double *, 1), P(double *, 2),   \
                P(double *, 3), P(double *, 4), I(5), I(6), I(7), I(8), I(9), I(10),               \
                P(double, 11), P(int16_t, 12), P(int16_t, 13))
STUB_DRIFT(8)
STUB_DRIFT(4)
STUB_DRIFT(2)
STUB(cube3, 14, P(int32_t *, 0), P(uint32_t *, 1), P(uint32_t *, 2), I(3), I(4), I(5), I(6), I(7),
     I(8), I(9), I(10), I(11), I(12), I(13))
#define STUB_CUBE(bt)                                                                              \
    STUB_STREAM(cube3_##bt, 14, 3, 4, 1, false, P(uint32_t *, 0), P(uint32_t *, 1),                \
                P(uint32_t *, 2), P(int32_t *, 3), I(4), I(5), I(6), I(7), I(8), I(9), I(10),      \
                I(11), I(12), I(13))
STUB_CUBE(3)
STUB_CUBE(2)
STUB_CUBE(1)
STUB(pulse1, 6, P(uint32_t *, 0), P(uint32_t *, 1), P(int32_t *, 2), I(3), I(4), I(5))
#define STUB_PULSE(bt)                                                                             \
    STUB_STREAM(pulse1_##bt, 7, 1, 4, 1, false, P(uint32_t *, 0), P(uint32_t *, 1),                \
                P(uint32_t *, 2), P(int32_t *, 3), I(4), I(5), I(6))
STUB_PULSE(5)
STUB_PULSE(2)
STUB(tally1, 5, P(uint32_t *, 0), P(uint32_t *, 1), I(2), I(3), I(4))
STUB_STREAM(tally1_1000, 6, 1, 4, 0, false, P(uint32_t *, 0), P(uint32_t *, 1), P(uint32_t *, 2),
            I(3), I(4), I(5))
STUB(ripple2, 10, P(double *, 0), P(double *, 1), P(double *, 2), I(3), I(4), I(5), I(6), I(7),
     P(double, 8), P(int16_t, 9))
STUB(pond2, 9, P(double *, 0), P(double *, 1), I(2), I(3), I(4), I(5), I(6), P(double, 7),
     P(int16_t, 8))
#define STUB_RIPPLE(bt)                                                                            \
    STUB_STREAM(ripple2_##bt, 11, 2, 8, 0, true, P(double *, 0), P(double *, 1), P(double *, 2),   \
                P(double *, 3), I(4), I(5), I(6), I(7), P(double, 8), P(int16_t, 9),               \
                P(int16_t, 10))
STUB_RIPPLE(3)
STUB_RIPPLE(2)
STUB_RIPPLE(1)
STUB(stray1, 4, P(double *, 0), P(double *, 1), I(2), I(3))
#endif
