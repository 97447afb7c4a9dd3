/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Programs that change how floating-point numbers are computed, and what depends on the sign of a
 * zero. Promised: the plain build's bits.
 */
#include "trust.h"
#include <fenv.h>
#include <math.h>
#include <pmmintrin.h>
#include <xmmintrin.h>

static void fill_with_denormals(void) {
    set_up();
    for (long i = 0; i < CELLS; i++)
        a[i] = b[i] = 1e-38f * (float)(draw() % 100) / 100;
}

static void results_flushed(void) {
    fill_with_denormals();
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
    go(3);
    show_both();
}

static void operands_flushed(void) {
    fill_with_denormals();
    _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_ON);
    go(3);
    show_both();
}

static void flushed_now_and_then(void) {
    fill_with_denormals();
    go(2);
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
    _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_ON);
    go(3);
    show_both();
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_OFF);
    _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_OFF);
    go(2);
    show_both();
}

static void other_roundings(void) {
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
    set_up();
    for (int k = 0; k < 8; k++) {
        fesetround(modes[k % 4]);
        go(2);
    }
    show_both();
}

static void *in_a_thread(void *unused) {
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
    go(3);
    return NULL;
}

static void flushed_in_one_thread(void) {
    fill_with_denormals();
    go(2);
    pthread_t thread;
    pthread_create(&thread, NULL, in_a_thread, NULL);
    pthread_join(thread, NULL);
    show_both();
    go(2);
    show_both();
}

static void flags_stay_clear(void) {
    set_up();
    feclearexcept(FE_ALL_EXCEPT);
    go(3);
    printf("invalid %d\n", fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) != 0);
    show_both();
}

/* Maxima and minima of zeros of both signs: the order of operands is the source's in every plan. */
enum { FEW = 64 };
#define ZEROS(name, expression)                                                                    \
    static NOINLINE void name(int steps, float *restrict from, float *restrict to) {               \
        for (int t = 0; t < steps; t++) {                                                          \
            for (int i = 1; i < FEW - 1; i++) {                                                    \
                float x = from[i - 1], y = from[i + 1];                                            \
                to[i] = expression;                                                                \
            }                                                                                      \
            float *other = from;                                                                   \
            from = to;                                                                             \
            to = other;                                                                            \
        }                                                                                          \
    }
ZEROS(maximum, fmaxf(x, y))
ZEROS(signed_by_maximum, copysignf(fmaxf(x, 0.0f), y) + fmaxf(x, 0.0f) * 0)
ZEROS(negated_maximum, -fmaxf(x, 0.0f) + 0 * y)
ZEROS(constant_first, -fmaxf(0.0f, x) - 0 * y)
ZEROS(negated_minimum, -fminf(x, 0.0f) - 0 * y)
ZEROS(negative_zero_first, -fmaxf(-0.0f, y) - 0 * x)
ZEROS(choice_below, -(x < y ? y : x))
ZEROS(choice_above, -(x > y ? x : y))
ZEROS(of_absolute, -fmaxf(fabsf(x), y))
ZEROS(sign_chooses, 1 / fmaxf(x, y) > 0 ? -x : y)
ZEROS(clamped, -fmaxf(0, fminf(x, y)))

static void show_signs(const char *name, void (*sweeps)(int, float *, float *)) {
    static const int steps[] = {0, 1, 2, 5};
    for (int k = 0; k < 4; k++) {
        float from[FEW], to[FEW];
        for (int i = 0; i < FEW; i++)
            from[i] = to[i] = (draw() >> 7 & 1) ? 0.0f : -0.0f;
        sweeps(steps[k], from, to);
        for (int i = 0; i < FEW; i++)
            putchar(signbit(steps[k] % 2 ? to[i] : from[i]) ? '-' : '+');
        printf(" %s %d\n", name, steps[k]);
    }
}

static void zeros_of_both_signs(void) {
#define SHOW(name) show_signs(#name, name);
    SHOW(maximum)
    SHOW(signed_by_maximum)
    SHOW(negated_maximum)
    SHOW(constant_first)
    SHOW(negated_minimum)
    SHOW(negative_zero_first)
    SHOW(choice_below)
    SHOW(choice_above)
    SHOW(of_absolute)
    SHOW(sign_chooses)
    SHOW(clamped)
}

MAIN({"results-flushed", results_flushed}, {"operands-flushed", operands_flushed},
     {"flushed-now-and-then", flushed_now_and_then}, {"other-roundings", other_roundings},
     {"flushed-in-one-thread", flushed_in_one_thread}, {"flags-stay-clear", flags_stay_clear},
     {"zeros-of-both-signs", zeros_of_both_signs})
