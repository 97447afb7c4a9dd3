/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fmin and fmax of cells that are zeros of both signs, NaN, and other numbers. Prints what the
 * cells are, after so many steps: the first argument. The second one is the seed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef DOUBLE
typedef double real;
#define MAX fmax
#define MIN fmin
#define ABS fabs
#else
typedef float real;
#define MAX fmaxf
#define MIN fminf
#define ABS fabsf
#endif
enum { N = 203 };

#define SWEEP(name, e)                                                                             \
    __attribute__((noinline)) static void name(int steps, real *restrict x, real *restrict y) {    \
        for (int t = 0; t < steps; t++) {                                                          \
            for (int i = 1; i < N - 1; i++) {                                                      \
                real a = x[i - 1], b = x[i + 1], c = x[i];                                         \
                (void)a, (void)b, (void)c;                                                         \
                y[i] = e;                                                                          \
            }                                                                                      \
            real *z = x;                                                                           \
            x = y;                                                                                 \
            y = z;                                                                                 \
        }                                                                                          \
    }
#define ALL(DO)                                                                                    \
    DO(two, MAX(a, b))                                                                             \
    DO(two_of_four, MIN(MAX(b, c), MAX(a, c)))                                                     \
    DO(zero, MAX(a, 0) + MIN(0, a) * MIN(b, (real) - 0.0))                                         \
    DO(capped, MIN(a, 0))                                                                          \
    DO(raised, MAX(b, (real) - 0.0))                                                               \
    DO(magnitudes, MIN(ABS(a), -ABS(b)))                                                           \
    DO(magnitude_last, MAX(b, ABS(a)))                                                             \
    DO(limited, MAX(0, MIN(a - c, c - b)) + MIN(0, MAX(a - c, c - b)))                             \
    DO(product, MAX(a *b, a))                                                                      \
    DO(numbers, MAX(a, (real)(i % 3 - 1)))                                                         \
    DO(numbers_first, MIN((real)(i % 3 - 1), a))                                                   \
    DO(below_one, MAX(a, MIN(b, 1)))                                                               \
    DO(negated, -MAX(-a, -b))                                                                      \
    DO(half_negated, MAX(-a, b))                                                                   \
    DO(branches, a > b ? MAX(a, 0) : MIN(b, 0))                                                    \
    DO(root, MAX(ABS(a) < 2 ? (real)sqrt(a) : a, b))                                               \
    DO(compared, a > b ? a : b)
#define CHOSEN(DO) DO(chosen, MAX(a, a > b ? (real) - 0.0 : (real)0.0))

#ifdef CHOICE
#undef ALL
#define ALL CHOSEN
#endif
ALL(SWEEP)

static char sign_of(real v) {
    return v != v ? 'n' : v == 0 ? (signbit(v) ? '-' : '0') : v > 0 ? 'p' : 'm';
}

typedef void sweep(int steps, real *restrict x, real *restrict y);

static void run(const char *name, sweep *f, int steps, int seed) {
    static const real values[] = {(real)0.0, (real)-0.0, 1,          -1,         (real)NAN,
                                  2,         (real)0.0,  (real)-0.0, (real)-0.0, (real)0.0};
    real x[N], y[N];
    srand((unsigned)seed);
    for (int i = 0; i < N; i++)
        x[i] = y[i] = values[rand() % 10];
    f(steps, x, y);
    printf("%s ", name);
    for (int i = 0; i < N; i++)
        printf("%c%c", sign_of(x[i]), sign_of(y[i]));
    puts("");
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 1, seed = argc > 2 ? atoi(argv[2]) : 1;
#define RUN(name, e) run(#name, name, steps, seed);
    ALL(RUN)
}
