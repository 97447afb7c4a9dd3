/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The threads of a block: their ids and stacks, the switch from one to another, and faults. With
 * fibers, a thread that must wait switches to the next ready lane of its wave. If there is none, it
 * switches to the scheduler (block.c). The order is always the same. After a fault the thread is
 * never entered again.
 */
#include "sim/machine/loaded.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Each stack has room for the kernel's private variables and for what the library itself needs. */
enum { LEAST_STACK = 256 * 1024, OWN_STACK = 64 * 1024, STAGGER = 320 };

static void vset_message(sim_worker *worker, const sim_thread *thread, const char *format,
                         va_list args) {
    char *to = worker->message;
    size_t room = sizeof worker->message;
    int n = snprintf(to, room, "kernel '%s': ", worker->kernel->name);
    n += vsnprintf(to + n, room - (size_t)n, format, args);
    if (n < 0 || (size_t)n >= room)
        return;
    snprintf(to + n, room - (size_t)n, ", block (%u,%u,%u), thread (%u,%u,%u)", worker->ctaid[0],
             worker->ctaid[1], worker->ctaid[2], thread->id[0], thread->id[1], thread->id[2]);
}

void sim_set_message(sim_worker *worker, const sim_thread *thread, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vset_message(worker, thread, format, args);
    va_end(args);
    worker->faulted = true;
}

SIM_ON_FIBER void sim_fault(sim_thread *thread, const char *format, ...) {
    sim_worker *worker = thread->worker;
    va_list args;
    va_start(args, format);
    vset_message(worker, thread, format, args);
    va_end(args);
    worker->faulted = true;
    if (!worker->fibers)
        longjmp(worker->escape, 1);
    void *never;
    sim_fiber_switch(&never, worker->scheduler_stack_pointer);
    abort();
}

static char *stack_of(const sim_worker *worker, const sim_thread *thread) {
    return worker->stacks + (size_t)thread->linear * worker->stack_bytes;
}

void *sim_thread_enter(sim_thread *thread) {
    sim_worker *worker = thread->worker;
    /* Stacks at equal offsets in their pages would use the same cache sets. */
    size_t bytes = worker->stack_bytes - (thread->linear % 64) * STAGGER;
    return sim_fiber_create(stack_of(worker, thread), bytes, worker->fiber_main, thread);
}

void sim_thread_wait(sim_thread *thread) {
    sim_wave *wave = &thread->worker->waves[thread->wave];
    uint64_t bit = 1ull << thread->lane;
    if (wave->ready & bit) { /* what the lane was to wait for has happened already */
        wave->ready &= ~bit;
        return;
    }
    sim_hand_over(thread, &wave->stack_pointers[thread->lane]);
}

/* Allocates the ids of a block's threads, and stacks if they are fibers. */
bool sim_threads_allocate(sim_worker *worker) {
    uint32_t linear = 0;
    for (uint32_t z = 0; z < worker->ntid[2]; ++z)
        for (uint32_t y = 0; y < worker->ntid[1]; ++y)
            for (uint32_t x = 0; x < worker->ntid[0]; ++x, ++linear) {
                sim_thread *t = &worker->threads[linear];
                t->id[0] = x, t->id[1] = y, t->id[2] = z;
                t->linear = linear;
                t->worker = worker;
                t->lane = linear % worker->wave_size;
                t->wave = linear / worker->wave_size;
            }
    if (!worker->fibers || worker->stack_threads >= worker->nthreads)
        return true;
    sim_threads_release(worker);
    size_t need = OWN_STACK + 2 * worker->module->private_bytes;
    worker->stack_bytes = need > LEAST_STACK ? (need + 4095) & ~(size_t)4095 : LEAST_STACK;
    size_t bytes = worker->nthreads * worker->stack_bytes;
    void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
        return false;
    worker->stacks = map;
    worker->stack_threads = worker->nthreads;
    return true;
}

void sim_threads_release(sim_worker *worker) {
    if (worker->stacks)
        munmap(worker->stacks, worker->stack_threads * worker->stack_bytes);
    worker->stacks = NULL;
    worker->stack_threads = 0;
}

bool sim_in_stacks(const sim_worker *worker, uint64_t address) {
    return address - (uint64_t)(uintptr_t)worker->stacks <
           worker->stack_threads * worker->stack_bytes;
}

void stencilsim_rt_trap(sim_thread *thread, uint32_t site) {
    sim_fault(thread, "trap, failed assertion or unreachable code%s",
              thread->worker->module->sites[site].where);
}
