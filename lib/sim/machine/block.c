/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs the threads of one block: by the scheduler of fibers, or by one call of the compiled loop.
 */
#include "sim/machine/loaded.h"

#include <stdlib.h>
#include <string.h>

static _Thread_local sim_worker *this_worker;

sim_thread *stencilsim_rt_thread(void) {
    return this_worker->current;
}

SIM_ON_FIBER static void leave(sim_thread *thread) {
    sim_worker *worker = thread->worker;
    sim_wave *wave = &worker->waves[thread->wave];
    wave->done |= 1ull << thread->lane;
    thread->ncopies = 0; /* copies that no wait followed are dropped */
    sim_wave_settle(worker, wave);
    void *never;
    sim_hand_over(thread, &never);
    abort();
}

SIM_ON_FIBER static void fiber_main(void *thread_pointer) {
    sim_thread *thread = thread_pointer;
    thread->worker->kernel->entry(thread, thread->worker, thread->worker->args);
    leave(thread);
}

static void start_block(sim_worker *worker) {
    uint32_t w = worker->wave_size;
    for (uint32_t i = 0; i < worker->nthreads; ++i) {
        sim_thread *thread = &worker->threads[i];
        thread->ncopies = 0;
        thread->copy_group = 0;
        memset(thread->arrived_phase, 0, sizeof thread->arrived_phase);
    }
    for (uint32_t i = 0; i < worker->nwaves; ++i) {
        uint32_t lanes = worker->nthreads - i * w < w ? worker->nthreads - i * w : w;
        uint64_t exist = lanes == 64 ? ~0ull : (1ull << lanes) - 1;
        worker->waves[i] =
            (sim_wave){.threads = &worker->threads[i * w], .exist = exist, .ready = exist};
        for (uint32_t lane = lanes; lane < 32; ++lane)
            worker->waves[i].given[lane] = SIM_LOUD;
    }
    memset(worker->barriers, 0, sizeof worker->barriers);
    for (int b = 0; b < SIM_BARRIERS; ++b)
        worker->barriers[b].phase = 1; /* arrived_phase 0: never arrived */
}

/* Makes threads ready again that looked in vain for a word of another block. False if there are
 * none. */
static bool look_again(sim_worker *worker) {
    bool any = false;
    for (uint32_t i = 0; i < worker->nwaves; ++i) {
        any |= worker->waves[i].looking != 0;
        worker->waves[i].ready |= worker->waves[i].looking;
        worker->waves[i].looking = 0;
    }
    return any;
}

/* Returns false if the block is not done and another block must run first. */
static bool run_fibers(sim_worker *worker) {
    for (;;) {
        bool progress = false, all_done = true;
        for (uint32_t i = 0; i < worker->nwaves; ++i) {
            sim_wave *wave = &worker->waves[i];
            while (wave->ready) {
                progress = true;
                sim_run_lane(worker, wave, &worker->scheduler_stack_pointer);
                if (worker->faulted)
                    return true;
            }
            all_done &= wave->done == wave->exist;
        }
        if (all_done)
            return true;
        if (!progress) {
            if (look_again(worker))
                return false;
            sim_report_deadlock(worker);
            return true;
        }
    }
}

void sim_begin_block(sim_worker *worker) {
    worker->fiber_main = fiber_main;
    start_block(worker);
    sim_scratchpad_reset(worker);
}

bool sim_continue_block(sim_worker *worker) {
    this_worker = worker;
    return run_fibers(worker);
}

void sim_run_block(sim_worker *worker) {
    this_worker = worker;
    worker->fiber_main = fiber_main;
    if (worker->fibers)
        start_block(worker);
    sim_scratchpad_reset(worker);
    if (worker->fibers) {
        run_fibers(worker);
        return;
    }
    worker->current = &worker->threads[0];
    if (setjmp(worker->escape) == 0)
        worker->kernel->entry(worker->current, worker, worker->args);
}
