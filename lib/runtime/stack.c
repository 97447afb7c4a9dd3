/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How much stack a thread has left, and whether a signal handler runs on it. The C library takes
 * microseconds to tell a thread's stack, so each thread asks once. For the main thread it would
 * read /proc/self/maps, which some chroots lack, through a descriptor that another thread may close
 * or replace meanwhile. So the main thread does not ask.
 *
 * A handler may have interrupted malloc, or a driver, and the runtime would wait for their locks.
 * Many threads block signals that have handlers. So the stack is searched for a handler's frame
 * (signal_frame.h). This is done first, because the C library calls malloc when it is asked for the
 * stack.
 */
#include "runtime/rt.h"
#include "runtime/signal_frame.h"
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

/* A variable of glibc's loader. */
extern void *__libc_stack_end __attribute__((weak));

/* If the stack has no limit. The kernel keeps as much free below the main thread's stack. */
static const size_t most_growth = (size_t)128 << 20;

static _Thread_local uintptr_t lowest RT_THREAD_LOCAL_AT_START;
static _Thread_local uintptr_t highest RT_THREAD_LOCAL_AT_START;

/* The upper end of the main thread's stack is the stack pointer with which the loader was started,
 * and the limit tells how far the stack may grow. In a child that another thread forked, the only
 * thread has the main thread's number, but runs on another stack. */
static bool find_main_stack(void) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    struct rlimit most;
    if (!&__libc_stack_end || getpid() != (pid_t)syscall(SYS_gettid) ||
        getrlimit(RLIMIT_STACK, &most))
        return false;
    size_t bytes = most.rlim_cur == RLIM_INFINITY ? most_growth : (size_t)most.rlim_cur;
    uintptr_t end = (uintptr_t)__libc_stack_end, begin = end > bytes ? end - bytes : 0;
    if (here < begin || here >= end)
        return false;
    highest = end;
    lowest = begin;
    return true;
}

static void find_stack(void) {
    pthread_attr_t attributes;
    void *base = NULL;
    size_t bytes = 0;
    highest = 1; /* not 0: do not ask again */
    if (find_main_stack() || pthread_getattr_np(pthread_self(), &attributes))
        return;
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

uintptr_t rt_stack_end(uintptr_t address) {
    return address > lowest && address < highest ? highest : 0;
}

#if defined(__x86_64__)

/* struct sigaction as the system call takes it. */
typedef struct kernel_action {
    void *handler;
    unsigned long flags;
    uintptr_t restorer;
    unsigned long mask;
} kernel_action;

_Static_assert(FRAME_CODE == sizeof(uintptr_t) + offsetof(ucontext_t, uc_mcontext) +
                                 offsetof(mcontext_t, gregs[REG_CSGSFS]),
               "the kernel's frame is another one");

__attribute__((no_sanitize("address"))) static bool is_on_known_stack(uintptr_t here,
                                                                      uintptr_t restorer) {
    uintptr_t end = highest - here > FRAME_MOST ? here + FRAME_MOST : highest;
    for (; here + sizeof(ucontext_t) + sizeof restorer < end; here += sizeof restorer)
        if (*(const uintptr_t *)here == restorer &&
            *(const uint16_t *)(here + FRAME_CODE) == FRAME_USER_CODE)
            return true;
    return false;
}

/* Reads memory by a system call, which fails where nothing is mapped. */
static bool read_own(uintptr_t from, void *to, size_t bytes) {
    struct iovec local = {to, bytes}, remote = {(void *)from, bytes};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)bytes;
}

static bool is_on_stack(uintptr_t restorer) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)7;
    if (!highest)
        return frame_is_above(here, restorer, read_own);
    return here > lowest && here < highest && is_on_known_stack(here, restorer);
}

static uintptr_t restorer_of(int signal) {
    kernel_action now = {0};
    bool known = syscall(SYS_rt_sigaction, signal, NULL, &now, sizeof now.mask) == 0;
    return known && (uintptr_t)now.handler > 1 ? now.restorer : 0;
}

bool rt_stack_has_handler(const sigset_t *blocked) {
    uint64_t signals;
    memcpy(&signals, blocked, sizeof signals);
    return frame_is_of_any(signals, restorer_of, is_on_stack);
}

#else

bool rt_stack_has_handler(const sigset_t *blocked) {
    (void)blocked;
    return false;
}

#endif
