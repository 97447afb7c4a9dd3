/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How much stack a thread has left, and whether a handler of a signal runs on it. To ask the C
 * library for the stack takes microseconds, and of the main thread a look into /proc/self/maps, so
 * it is asked once a thread.
 *
 * A handler may have interrupted malloc, or a driver, whose locks the runtime would wait for. It
 * runs with its signal blocked. But many threads block signals that have handlers, so the stack is
 * searched for the frame that the kernel leaves there: on x86-64 the address of the code that
 * returns from a handler (sigaction's sa_restorer), and behind it a ucontext. This comes first: the
 * C library calls malloc when it is asked for the stack.
 */
#include "runtime/rt.h"
#include <pthread.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

/* glibc's; the loader has it. */
extern void *__libc_stack_end __attribute__((weak));

static const size_t most_growth = (size_t)8 << 20; /* where there is no limit */

static _Thread_local uintptr_t lowest RT_THREAD_LOCAL_AT_START;
static _Thread_local uintptr_t highest RT_THREAD_LOCAL_AT_START;

/* Without /proc, as in some chroots, the C library cannot tell the main thread's stack. Its upper
 * end is what the loader was started with, and the limit tells how far it may grow. */
static void find_main_stack(void) {
    struct rlimit most;
    if (!&__libc_stack_end || getpid() != (pid_t)syscall(SYS_gettid) ||
        getrlimit(RLIMIT_STACK, &most))
        return;
    size_t bytes = most.rlim_cur < most_growth ? (size_t)most.rlim_cur : most_growth;
    highest = (uintptr_t)__libc_stack_end;
    lowest = highest > bytes ? highest - bytes : 0;
}

static void find_stack(void) {
    pthread_attr_t attributes;
    void *base = NULL;
    size_t bytes = 0;
    highest = 1; /* asked */
    if (pthread_getattr_np(pthread_self(), &attributes)) {
        find_main_stack();
        return;
    }
    if (pthread_attr_getstack(&attributes, &base, &bytes) == 0) {
        lowest = (uintptr_t)base;
        highest = (uintptr_t)base + bytes;
    }
    pthread_attr_destroy(&attributes);
}

size_t rt_stack_left(void) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (!highest)
        find_stack();
    return here > lowest && here < highest ? here - lowest : 0;
}

#if defined(__x86_64__)

/* As the kernel has it. */
typedef struct kernel_action {
    void *handler;
    unsigned long flags;
    uintptr_t restorer;
    unsigned long mask;
} kernel_action;

enum { USER_CODE = 0x33, MOST = 1 << 20 };

static uintptr_t frame_code(uintptr_t restorer_at) {
    return restorer_at + sizeof(uintptr_t) + offsetof(ucontext_t, uc_mcontext.gregs[REG_CSGSFS]);
}

__attribute__((no_sanitize("address"))) static bool is_on_known_stack(uintptr_t here,
                                                                      uintptr_t restorer) {
    uintptr_t end = highest - here > MOST ? here + MOST : highest;
    for (; here + sizeof(ucontext_t) + sizeof restorer < end; here += sizeof restorer)
        if (*(const uintptr_t *)here == restorer &&
            *(const uint16_t *)frame_code(here) == USER_CODE)
            return true;
    return false;
}

/* Through the kernel, which refuses what is not mapped. */
static bool read_own(uintptr_t from, void *to, size_t bytes) {
    struct iovec local = {to, bytes}, remote = {(void *)from, bytes};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)bytes;
}

/* Before the thread's stack was asked for. */
static bool is_on_unknown_stack(uintptr_t here, uintptr_t restorer) {
    uintptr_t words[64], end = here + MOST;
    uint16_t code;
    for (uintptr_t at = here & ~(sizeof words - 1); at < end; at += sizeof words) {
        if (!read_own(at, words, sizeof words))
            return false;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            uintptr_t place = at + i * sizeof *words;
            if (place >= here && words[i] == restorer &&
                read_own(frame_code(place), &code, sizeof code) && code == USER_CODE)
                return true;
        }
    }
    return false;
}

static bool is_on_stack(uintptr_t restorer) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)7;
    if (!highest)
        return is_on_unknown_stack(here, restorer);
    return here > lowest && here < highest && is_on_known_stack(here, restorer);
}

bool rt_stack_has_handler(const sigset_t *blocked) {
    enum { FEW = 8 }; /* a thread that blocks more does so for good */
    int found[FEW], count = 0;
    if (sigisemptyset(blocked))
        return false;
    for (int s = 1; s <= SIGRTMAX; s++)
        if (sigismember(blocked, s) == 1) {
            if (count == FEW)
                return false;
            found[count++] = s;
        }
    bool any = false;
    for (int i = 0; i < count && !any; i++) {
        kernel_action now = {0};
        any = syscall(SYS_rt_sigaction, found[i], NULL, &now, sizeof now.mask) == 0 &&
              (uintptr_t)now.handler > 1 && now.restorer && is_on_stack(now.restorer);
    }
    return any;
}

#else

bool rt_stack_has_handler(const sigset_t *blocked) {
    (void)blocked;
    return false;
}

#endif
