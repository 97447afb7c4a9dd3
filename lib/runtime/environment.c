/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A program that calls stencilrt_run must not notice the call. Afterwards errno, the floating-point
 * environment (control and sticky flags), cancellation and signal masks are as before. The file
 * uses the processor's own instructions, because fegetenv would need libm.
 *
 * Between rt_environment_enter and rt_environment_leave no handler of the program runs on this
 * thread, unless the thread itself raises the signal (SIGSEGV). So a handler never finds a lock of
 * the runtime taken by the thread that it interrupted. A handler may leave by siglongjmp or
 * pthread_exit only where the runtime has nothing unfinished.
 */
#include "runtime/rt.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
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

/* The call that this thread is in, or NULL. The variable is not allocated lazily, because a handler
 * may be the first to read it. */
static _Thread_local rt_environment *volatile entered RT_THREAD_LOCAL_AT_START;

static _Thread_local bool lets_end RT_THREAD_LOCAL_AT_START; /* see rt_signals_let_end */

void rt_environment_note_error(int error) {
    if (entered && error)
        entered->error = error;
}

bool rt_environment_is_entered(void) {
    return entered != NULL;
}

/* A thread inside a call does not fork. A child that another thread forks does not have this
 * thread. */
int rt_environment_process(void) {
    return entered ? entered->process : (int)getpid();
}

static atomic_int inside;
static _Atomic(uint64_t) changes;

void rt_environment_count(int threads) {
    atomic_fetch_add(&inside, threads);
    atomic_fetch_add(&changes, 1);
}

int rt_environment_inside(uint64_t *changed) {
    *changed = atomic_load(&changes);
    return atomic_load(&inside);
}

static const rt_trap *trap; /* for the program's only thread */

void rt_environment_set_trap(const rt_trap *set) {
    trap = set;
}

/* Signals are blocked before the thread counts as inside. A handler that leaves by siglongjmp
 * before that leaves nothing to undo. */
bool rt_environment_enter(rt_environment *saved) {
    float_state state;
    _Static_assert(sizeof state <= sizeof saved->float_state, "float_state is too small");
    if (entered)
        return false;
    rt_environment_count(1);
    if (trap)
        trap->enter();
    saved->error = errno;
    saved->process = (int)getpid();
    rt_signals_block(&saved->signals);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &saved->cancel_state);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &saved->cancel_type);
    float_get(&state);
    memcpy(saved->float_state, &state, sizeof state);
    float_set_default();
    entered = saved;
    lets_end = false;
    return true;
}

/* Handlers run, and an immediate cancellation acts, when everything is restored. */
void rt_environment_leave(const rt_environment *saved) {
    float_state state;
    int ignored;
    memcpy(&state, saved->float_state, sizeof state);
    float_set(&state);
    errno = saved->error;
    entered = NULL;
    if (trap)
        trap->leave(&saved->signals);
    else
        rt_signals_restore(&saved->signals);
    rt_environment_count(-1);
    pthread_setcancelstate(saved->cancel_state, NULL);
    /* With this type glibc's pthread_setcancelstate cancels as well, but may lose PTHREAD_CANCELED.
     */
    if (saved->cancel_type == PTHREAD_CANCEL_ASYNCHRONOUS) {
        pthread_testcancel();
        pthread_setcanceltype(saved->cancel_type, &ignored);
    }
}

bool rt_environment_blocks(int signal) {
    return entered && sigismember(&entered->signals, signal) == 1;
}

bool rt_environment_cancels_at_once(void) {
    const rt_environment *e = entered;
    return e && e->cancel_type == PTHREAD_CANCEL_ASYNCHRONOUS &&
           e->cancel_state == PTHREAD_CANCEL_ENABLE;
}

/* Signals */

void rt_signals_block(sigset_t *saved) {
    sigset_t all;
    sigfillset(&all);
    /* The thread itself raises these. To block them would only hide a crash. */
    static const int synchronous[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    for (size_t i = 0; i < sizeof synchronous / sizeof *synchronous; i++)
        sigdelset(&all, synchronous[i]);
    pthread_sigmask(SIG_SETMASK, &all, saved);
}

void rt_signals_restore(const sigset_t *saved) {
    pthread_sigmask(SIG_SETMASK, saved, NULL);
}

static void let_end(const sigset_t *saved) {
    static const int common[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
    sigset_t defaults;
    struct sigaction now;
    sigemptyset(&defaults);
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (sigaction(common[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL &&
            !sigismember(saved, common[i]))
            sigaddset(&defaults, common[i]);
    pthread_sigmask(SIG_UNBLOCK, &defaults, NULL);
}

void rt_signals_let_end(void) {
    if (!entered || lets_end)
        return;
    lets_end = true;
    let_end(&entered->signals);
}

/* Has the signal a handler? A signal without a handler is let through here: it ends or stops the
 * process, or does nothing. */
static bool has_handler(int signal) {
    struct sigaction now;
    sigset_t one;
    if (sigaction(signal, NULL, &now) != 0 || now.sa_handler == SIG_IGN)
        return false;
    if (now.sa_handler != SIG_DFL)
        return true;
    sigemptyset(&one);
    sigaddset(&one, signal);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    pthread_sigmask(SIG_BLOCK, &one, NULL);
    return false;
}

bool rt_signals_handle_faults(void) {
    struct sigaction now;
    return sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_handler != SIG_DFL &&
           now.sa_handler != SIG_IGN;
}

/* The kernel's signals: bit s - 1 is signal s. glibc's sigisemptyset ignores signals from 33 on. */
static uint64_t bits_of(const sigset_t *set) {
    uint64_t bits;
    memcpy(&bits, set, sizeof bits);
    return bits;
}

bool rt_signals_wait(void) {
    const rt_environment *e = entered;
    sigset_t pending;
    bool any = false;
    if (!e || sigpending(&pending) != 0)
        return false;
    uint64_t left = bits_of(&pending) & ~bits_of(&e->signals);
    for (; left && !any; left &= left - 1)
        any = has_handler(__builtin_ctzll(left) + 1);
    return any;
}
