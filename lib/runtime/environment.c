/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A program that calls stencilrt_run must not notice it: errno, the floating-point environment
 * (control and sticky flags), cancellation and signal masks are as they were. Written with the
 * processor's own instructions, since fegetenv would need libm.
 */
#include "rt.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>

#if defined(__x86_64__)

typedef struct float_state {
    unsigned char x87[28];
    uint32_t mxcsr;
} float_state;

static void float_get(float_state *state) {
    /* fnstenv masks all x87 traps, so the environment is loaded back at once */
    __asm__ volatile("fnstenv %0\n\tfldenv %0" : "=m"(state->x87));
    __asm__ volatile("stmxcsr %0" : "=m"(state->mxcsr));
}

static void float_set(const float_state *state) {
    __asm__ volatile("fldenv %0" : : "m"(state->x87));
    __asm__ volatile("ldmxcsr %0" : : "m"(state->mxcsr));
}

static void float_set_default(void) {
    uint32_t mxcsr = 0x1f80;
    __asm__ volatile("fninit");
    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
}

bool rt_environment_is_default(void) {
    uint32_t mxcsr;
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    return (mxcsr & 0x6000) == 0 && (mxcsr & 0x1f80) == 0x1f80;
}

bool rt_environment_flushes(void) {
    uint32_t mxcsr;
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    return (mxcsr & 0x8040) != 0; /* FTZ, DAZ */
}

#elif defined(__aarch64__)

typedef struct float_state {
    uint64_t control, status;
} float_state;

static void float_get(float_state *state) {
    __asm__ volatile("mrs %0, fpcr" : "=r"(state->control));
    __asm__ volatile("mrs %0, fpsr" : "=r"(state->status));
}

static void float_set(const float_state *state) {
    __asm__ volatile("msr fpcr, %0" : : "r"(state->control));
    __asm__ volatile("msr fpsr, %0" : : "r"(state->status));
}

static void float_set_default(void) {
    float_state state = {0, 0};
    float_set(&state);
}

bool rt_environment_is_default(void) {
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return (control & (3u << 22)) == 0 && (control & 0x9f00) == 0;
}

bool rt_environment_flushes(void) {
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return (control & (1u << 24 | 1)) != 0; /* FZ, FIZ */
}

#else
#error "the floating-point environment of this processor is not known here"
#endif

void rt_environment_enter(rt_environment *saved) {
    float_state state;
    _Static_assert(sizeof state <= sizeof saved->float_state, "float_state is too small");
    saved->error = errno;
    float_get(&state);
    memcpy(saved->float_state, &state, sizeof state);
    float_set_default();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &saved->cancel_state);
}

void rt_environment_leave(const rt_environment *saved) {
    float_state state;
    pthread_setcancelstate(saved->cancel_state, NULL);
    memcpy(&state, saved->float_state, sizeof state);
    float_set(&state);
    errno = saved->error;
}

void rt_signals_block(sigset_t *saved) {
    sigset_t all;
    sigfillset(&all);
    /* These are raised by the thread itself: blocking them would only hide a crash. */
    static const int synchronous[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    for (size_t i = 0; i < sizeof synchronous / sizeof *synchronous; i++)
        sigdelset(&all, synchronous[i]);
    pthread_sigmask(SIG_SETMASK, &all, saved);
}

void rt_signals_restore(const sigset_t *saved) {
    pthread_sigmask(SIG_SETMASK, saved, NULL);
}
