/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Fibers. Each has a stack, and the switch saves the registers that the C calling convention keeps.
 * On x86-64 these are six registers and the stack pointer. That is ten times faster than
 * swapcontext, which also makes a system call to keep the signal mask.
 */
#include "sim/machine/machine.h"

#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

/* Clears AddressSanitizer's marks of frames that were left without a return. */
static void forget_frames(char *stack, size_t bytes) {
#ifdef __SANITIZE_ADDRESS__
    __asan_unpoison_memory_region(stack, bytes);
#else
    (void)stack, (void)bytes;
#endif
}

#if defined(__x86_64__)

__asm__(".text\n"
        ".hidden sim_fiber_switch\n"
        ".globl sim_fiber_switch\n"
        ".type sim_fiber_switch, @function\n"
        "sim_fiber_switch:\n"
        "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
        "  ret\n"
        ".size sim_fiber_switch, .-sim_fiber_switch\n"
        ".hidden sim_fiber_start\n"
        ".type sim_fiber_start, @function\n"
        "sim_fiber_start:\n"
        "  movq %r12, %rdi\n"
        "  callq *%rbx\n"
        "  ud2\n"
        ".size sim_fiber_start, .-sim_fiber_start\n");

void sim_fiber_start(void);

void *sim_fiber_create(char *stack, size_t bytes, void (*entry)(void *), void *argument) {
    forget_frames(stack, bytes);
    uintptr_t top = ((uintptr_t)stack + bytes) & ~(uintptr_t)63;
    /* Popped by the first switch: r15 r14 r13 r12 rbx rbp, then the return address; sim_fiber_start
     * then has an aligned stack, as a caller must. */
    uint64_t *frame = (uint64_t *)(top - 16) - 7;
    memset(frame, 0, 7 * sizeof *frame);
    frame[3] = (uint64_t)(uintptr_t)argument;
    frame[4] = (uint64_t)(uintptr_t)entry;
    frame[6] = (uint64_t)(uintptr_t)sim_fiber_start;
    return frame;
}

#else

#include <ucontext.h>

/* The context lies at the top of the fiber's stack. The scheduler runs on the worker's own stack.
 */
typedef struct fiber {
    ucontext_t context;
    void (*entry)(void *);
    void *argument;
} fiber;

static void start(unsigned high, unsigned low) {
    fiber *f = (fiber *)((uintptr_t)high << 32 | low);
    f->entry(f->argument);
}

void *sim_fiber_create(char *stack, size_t bytes, void (*entry)(void *), void *argument) {
    forget_frames(stack, bytes);
    size_t room = bytes - ((sizeof(fiber) + 63) & ~(size_t)63);
    fiber *f = (fiber *)(stack + room);
    getcontext(&f->context);
    f->entry = entry;
    f->argument = argument;
    f->context.uc_stack.ss_sp = stack;
    f->context.uc_stack.ss_size = room;
    f->context.uc_link = NULL;
    uintptr_t bits = (uintptr_t)f;
    makecontext(&f->context, (void (*)(void))start, 2, (unsigned)(bits >> 32), (unsigned)bits);
    return &f->context;
}

void sim_fiber_switch(void **save, void *load) {
    ucontext_t here;
    *save = &here;
    swapcontext(&here, load);
}

#endif
