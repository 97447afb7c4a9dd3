/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The trap. The kernel reads a byte before each system call of the thread, and sends SIGSYS if it
 * says so, except for calls from a few instructions of this file. Where the program could notice
 * the trap, it has ended: the signal's action, the other stack and the signals are asked for by
 * system calls, which end it.
 *
 * A call that may go on is made outside of the handler, with the program's signals and the trap in
 * place (rt_guard_through). Any other call is made again when the trap has ended.
 */
#include "runtime/watch/guard.h"
#include "runtime/rt.h"
#include "runtime/watch/census.h"
#include "runtime/watch/watch.h"

#if defined(__x86_64__)

#include <errno.h>
#include <linux/audit.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

enum { ALLOW = 0, BLOCK = 1, DISPATCHED = 2 /* si_code */, STACK_BYTES = 256 << 10 };

/* struct sigaction as the system call takes it. */
typedef struct kernel_action {
    void *handler;
    unsigned long flags;
    void *restorer;
    uint64_t mask;
} kernel_action;

enum { KERNEL_SIGINFO = 4, KERNEL_RESTORER = 0x04000000, KERNEL_ONSTACK = 0x08000000 };

/* SS_AUTODISARM: the stack is not set while a handler runs. */
static const int DISARMS = (int)(1u << 31);

/* Calls from here are not trapped. rt_guard_through returns to the address on the stack below the
 * red zone, in a register that a system call changes in any case. */
__asm__(".pushsection .text.rt_guard,\"ax\",@progbits\n"
        ".hidden rt_guard_begin, rt_guard_call, rt_guard_through, rt_guard_restorer, rt_guard_end\n"
        ".globl rt_guard_begin, rt_guard_call, rt_guard_through, rt_guard_restorer, rt_guard_end\n"
        "rt_guard_begin:\n"
        "rt_guard_call:\n"
        "    mov %rdi, %rax\n"
        "    mov %rsi, %rdi\n"
        "    mov %rdx, %rsi\n"
        "    mov %rcx, %rdx\n"
        "    mov %r8, %r10\n"
        "    syscall\n"
        "    ret\n"
        "rt_guard_through:\n"
        "    syscall\n"
        "    mov (%rsp), %rcx\n"
        "    lea 136(%rsp), %rsp\n"
        "    jmp *%rcx\n"
        "rt_guard_restorer:\n"
        "    mov $15, %eax\n"
        "    syscall\n"
        "    nop\n"
        "rt_guard_end:\n"
        "    nop\n"
        ".popsection\n");
extern char rt_guard_begin[], rt_guard_through[], rt_guard_restorer[], rt_guard_end[];
long rt_guard_call(long number, long a, const void *b, const void *c, long d);

static volatile unsigned char selector;
static _Thread_local bool guarded RT_THREAD_LOCAL_AT_START; /* this thread has the trap */
static _Thread_local int depth RT_THREAD_LOCAL_AT_START;
static void *stack;

static long dispatch(bool on) {
    return prctl(PR_SET_SYSCALL_USER_DISPATCH, on, on ? rt_guard_begin : NULL,
                 on ? rt_guard_end - rt_guard_begin : 0, on ? &selector : NULL);
}

bool rt_guard_works(void) {
    unsigned char before = selector;
    selector = ALLOW;
    bool works = dispatch(true) == 0;
    if (works)
        dispatch(false);
    selector = before;
    return works;
}

/* The end of the trap */

static void set_action(void *handler) {
    kernel_action action = {.handler = handler,
                            .flags = KERNEL_SIGINFO | KERNEL_RESTORER | KERNEL_ONSTACK,
                            .restorer = rt_guard_restorer,
                            .mask = UINT64_MAX};
    const kernel_action none = {.handler = SIG_DFL};
    syscall(SYS_rt_sigaction, SIGSYS, handler ? &action : &none, NULL, sizeof action.mask);
}

/* A handler of the program that was interrupted sets the stack again when it returns: the kernel
 * has put it into the handler's frame. It is removed from there. */
__attribute__((no_sanitize("address"))) static void forget_stack(uintptr_t from) {
    uintptr_t end = rt_stack_end(from);
    for (from &= ~(uintptr_t)7; from + sizeof(stack_t) <= end; from += sizeof(uintptr_t)) {
        stack_t *frame = (stack_t *)from;
        if (frame->ss_sp == stack && frame->ss_size == STACK_BYTES)
            frame->ss_flags = SS_DISABLE;
    }
}

/* In the handler the other stack is not set. It would be set again when the handler returns. */
static void end_trap(ucontext_t *in_handler) {
    const stack_t none = {.ss_flags = SS_DISABLE};
    forget_stack(in_handler ? (uintptr_t)in_handler->uc_mcontext.gregs[REG_RSP]
                            : (uintptr_t)__builtin_frame_address(0));
    selector = ALLOW;
    dispatch(false);
    set_action(NULL);
    if (in_handler)
        in_handler->uc_stack = none;
    else
        sigaltstack(&none, NULL);
    rt_environment_set_trap(NULL);
    guarded = false;
}

/* The calls that may go on */

enum { NOTHING, IN_1, IN_0 }; /* which argument is memory, whose size is the next argument */

static const struct {
    short number, memory;
} harmless[] = {
    {SYS_read, IN_1},
    {SYS_write, IN_1},
    {SYS_pread64, IN_1},
    {SYS_pwrite64, IN_1},
    {SYS_getrandom, IN_0},
    {SYS_open, NOTHING},
    {SYS_openat, NOTHING},
    {SYS_close, NOTHING},
    {SYS_stat, NOTHING},
    {SYS_fstat, NOTHING},
    {SYS_lstat, NOTHING},
    {SYS_newfstatat, NOTHING},
    {SYS_access, NOTHING},
    {SYS_lseek, NOTHING},
    {SYS_fsync, NOTHING},
    {SYS_fdatasync, NOTHING},
    {SYS_ftruncate, NOTHING},
    {SYS_brk, NOTHING},
    {SYS_munmap, NOTHING},
    {SYS_sched_yield, NOTHING},
    {SYS_getcpu, NOTHING},
    {SYS_getpid, NOTHING},
    {SYS_getppid, NOTHING},
    {SYS_gettid, NOTHING},
    {SYS_getuid, NOTHING},
    {SYS_geteuid, NOTHING},
    {SYS_getgid, NOTHING},
    {SYS_getegid, NOTHING},
    {SYS_getrusage, NOTHING},
    {SYS_times, NOTHING},
    {SYS_time, NOTHING},
    {SYS_gettimeofday, NOTHING},
    {SYS_clock_gettime, NOTHING},
    {SYS_clock_getres, NOTHING},
    {SYS_nanosleep, NOTHING},
    {SYS_clock_nanosleep, NOTHING},
};

static bool is_private_mapping(const greg_t *r) {
    return r[REG_R10] == (MAP_PRIVATE | MAP_ANONYMOUS) && r[REG_RDI] == 0;
}

static bool is_terminal_query(const greg_t *r) {
    enum { TERMINAL = 0x5401 };
    return r[REG_RSI] == TERMINAL;
}

/* Arrays come back before what the call may read or write: whatever an argument may point to, and
 * the memory of which it has the size. Other small things take less than 4096 bytes. */
static void fetch(const greg_t *r, int memory) {
    enum { SMALL = 4096 };
    const uintptr_t a[] = {(uintptr_t)r[REG_RDI], (uintptr_t)r[REG_RSI], (uintptr_t)r[REG_RDX],
                           (uintptr_t)r[REG_R10], (uintptr_t)r[REG_R8],  (uintptr_t)r[REG_R9]};
    uintptr_t from = memory == IN_0 ? a[0] : a[1], size = memory == IN_0 ? a[1] : a[2];
    for (size_t i = 0; i < sizeof a / sizeof *a; i++)
        rt_watch_fetch(a[i], a[i] + SMALL > a[i] ? a[i] + SMALL : UINTPTR_MAX);
    if (memory != NOTHING)
        rt_watch_fetch(from, from + size > from ? from + size : UINTPTR_MAX);
}

/* May the call go on? Then what it touches has come back. */
static bool pass(const greg_t *r) {
    long number = (long)r[REG_RAX];
    if ((number == SYS_mmap && is_private_mapping(r)) ||
        (number == SYS_ioctl && is_terminal_query(r))) {
        fetch(r, NOTHING);
        return true;
    }
    if (number == SYS_munmap) /* the kernel tells of it */
        return true;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (harmless[i].number == number) {
            fetch(r, harmless[i].memory);
            return true;
        }
    return false;
}

static void go_through(greg_t *r) {
    r[REG_RSP] -= 136;
    memcpy((void *)(uintptr_t)r[REG_RSP], &r[REG_RIP], sizeof r[REG_RIP]);
    r[REG_RIP] = (greg_t)(uintptr_t)rt_guard_through;
}

/* The instruction of a system call has two bytes. Calls by int 0x80 have other numbers. */
static void trapped(int signal, siginfo_t *info, void *context) {
    enum { INSTRUCTION = 2 };
    ucontext_t *c = context;
    greg_t *r = c->uc_mcontext.gregs;
    int error = errno;
    selector = ALLOW;
    if (info->si_code != DISPATCHED) { /* ends the process, as without the trap */
        end_trap(c);
        raise(signal);
    } else if (info->si_arch == AUDIT_ARCH_X86_64 && r[REG_RAX] == SYS_rt_sigreturn) {
        r[REG_RIP] = (greg_t)(uintptr_t)rt_guard_restorer;
    } else if (info->si_arch == AUDIT_ARCH_X86_64 && pass(r) && rt_watch_any()) {
        go_through(r);
    } else {
        if (r[REG_RAX] != SYS_exit_group) /* nobody is left who could look */
            rt_watch_fetch(0, UINTPTR_MAX);
        end_trap(c);
        r[REG_RIP] -= INSTRUCTION;
    }
    if (guarded)
        selector = BLOCK;
    errno = error;
}

/* Its begin */

/* Handlers that block SIGSYS, or run on another stack, cannot be interrupted by the trap. */
static bool handlers_suit(void) {
    enum { SIGNALS = 64, INTERNAL = 32 }; /* the C library has two of its own */
    for (int s = 1; s <= SIGNALS; s++) {
        kernel_action a = {0};
        if (s == INTERNAL || s == INTERNAL + 1 ||
            syscall(SYS_rt_sigaction, s, NULL, &a, sizeof a.mask) != 0)
            continue;
        bool handled = (uintptr_t)a.handler > 1;
        if (handled && (s == SIGSYS || (a.flags & KERNEL_ONSTACK) || (a.mask >> (SIGSYS - 1) & 1)))
            return false;
    }
    return true;
}

static bool has_other_stack(void) {
    stack_t now;
    return sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE);
}

static const rt_trap trap = {rt_guard_enter, rt_guard_leave};

/* The thread is inside a call. */
static bool begin_trap(void) {
    if (!stack)
        stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED)
        stack = NULL;
    stack_t other = {.ss_sp = stack, .ss_size = STACK_BYTES, .ss_flags = DISARMS};
    if (!stack || sigaltstack(&other, NULL) != 0)
        return false;
    selector = ALLOW;
    set_action((void *)trapped);
    guarded = dispatch(true) == 0;
    if (!guarded) {
        end_trap(NULL);
        return false;
    }
    depth = 1;
    rt_environment_set_trap(&trap);
    return true;
}

#define REFUSED(text) "userfaultfd for system calls is not permitted, and " text

static const char *find_refusal(void) {
    uint64_t own = 0;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &own, sizeof own);
    if (!rt_environment_is_entered() || rt_environment_blocks(SIGSYS))
        return REFUSED("the program blocks SIGSYS");
    if (has_other_stack())
        return REFUSED("the program has a stack for signal handlers");
    if (!handlers_suit())
        return REFUSED("a signal handler of the program blocks SIGSYS or asks for another stack");
    const char *why = rt_census_refusal(own);
    return why || begin_trap() ? why : REFUSED("system calls cannot be trapped");
}

/* To find a reason takes 0.2 ms, so it is kept for a while. Any thread may ask. */
const char *rt_guard_refusal(void) {
    static const double often = 0.2;
    static _Thread_local const char *why RT_THREAD_LOCAL_AT_START;
    static _Thread_local double next RT_THREAD_LOCAL_AT_START;
    if (guarded)
        return NULL;
    if (!why || rt_seconds() > next) {
        why = find_refusal();
        next = rt_seconds() + often;
    }
    return why;
}

/* In and out */

void rt_guard_enter(void) {
    if (!guarded)
        return;
    selector = ALLOW;
    depth++;
}

void rt_guard_leave(const sigset_t *signals) {
    int error = errno;
    bool last = guarded && --depth == 0;
    if (last && !rt_watch_any())
        end_trap(NULL);
    if (last && guarded) {
        selector = BLOCK;
        if (signals)
            rt_guard_call(SYS_rt_sigprocmask, SIG_SETMASK, signals, NULL, sizeof(uint64_t));
    } else if (signals) {
        rt_signals_restore(signals);
    }
    errno = error;
}

#else

bool rt_guard_works(void) {
    return false;
}

const char *rt_guard_refusal(void) {
    return "userfaultfd for system calls is not permitted";
}

void rt_guard_enter(void) {}

void rt_guard_leave(const sigset_t *signals) {
    if (signals)
        rt_signals_restore(signals);
}

#endif
