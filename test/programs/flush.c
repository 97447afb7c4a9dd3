/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sweeps of denormal numbers, in a program that sets its processor to flush them to zero: FTZ on
 * x86 if bit 0 of the first argument is set, DAZ if bit 1 is; AArch64's FZ if either is. With a
 * second argument, only after sweeps that keep them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_flushing(int mode) {
#ifdef __aarch64__
    unsigned long control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    control = (control & ~(1ul << 24)) | (mode ? 1ul << 24 : 0);
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
#else
    unsigned control;
    __asm__ volatile("stmxcsr %0" : "=m"(control));
    control = (control & ~0x8040u) | (mode & 1 ? 0x8000u : 0) | (mode & 2 ? 0x40u : 0);
    __asm__ volatile("ldmxcsr %0" : : "m"(control));
#endif
}

enum { N = 1003 };
#define SWEEP(name, real, e)                                                                       \
    __attribute__((noinline)) static void name(int steps, real *restrict x, real *restrict y) {    \
        for (int t = 0; t < steps; t++) {                                                          \
            for (int i = 1; i < N - 1; i++) {                                                      \
                real a = x[i - 1], b = x[i + 1];                                                   \
                (void)b;                                                                           \
                y[i] = e;                                                                          \
            }                                                                                      \
            real *z = x;                                                                           \
            x = y;                                                                                 \
            y = z;                                                                                 \
        }                                                                                          \
    }
SWEEP(average, float, 0.5f * (a + b))
SWEEP(averaged, double, 0.5 * (a + b))
SWEEP(difference, float, a - b)
SWEEP(lesser, float, a < b ? a : b)
SWEEP(greatest, float, fmaxf(a, b))
SWEEP(mixed, float, (float)(0.3 * (double)a + b))
SWEEP(told, float, a > 1e-40f ? 1 + b : b)
/* These do not ask which numbers are denormal. */
SWEEP(turned, float, -a)
SWEEP(whole, int, a + b)

static float x[N], y[N];
static double u[N], v[N];
static int k[N], l[N];

static void fill(void) {
    for (int i = 0; i < N; i++) {
        int number = rand() % 1000 - 500;
        x[i] = y[i] = 1e-41f * (float)number;
        u[i] = v[i] = 1e-311 * number;
        k[i] = l[i] = number;
    }
}

static void show(const char *name, const void *first, const void *second, size_t bytes) {
    const unsigned char *p = first, *q = second;
    unsigned long long sum = 1;
    for (size_t i = 0; i < bytes; i++)
        sum = sum * 31 + p[i] * 7ull + q[i];
    printf("%s %016llx\n", name, sum);
}

int main(int argc, char **argv) {
    int mode = argc > 1 ? atoi(argv[1]) : 0, late = argc > 2;
#define RUN(name, a, b)                                                                            \
    fill();                                                                                        \
    set_flushing(late ? 0 : mode);                                                                 \
    name(3, a, b);                                                                                 \
    set_flushing(mode);                                                                            \
    if (late)                                                                                      \
        name(2, a, b);                                                                             \
    set_flushing(0);                                                                               \
    show(#name, a, b, sizeof a);
    RUN(average, x, y)
    RUN(averaged, u, v)
    RUN(difference, x, y)
    RUN(lesser, x, y)
    RUN(greatest, x, y)
    RUN(mixed, x, y)
    RUN(told, x, y)
    RUN(turned, x, y)
    RUN(whole, k, l)
}
