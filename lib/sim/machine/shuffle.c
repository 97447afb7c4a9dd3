/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Shuffles of all lanes of a warp by constants: llvm.nvvm.shfl.sync with the mask 0xffffffff. Lanes
 * of generated kernels meet at little else, so this way is short. As long as all lanes that wait
 * came to the same shuffle, only their values are kept, and the last lane evaluates the shuffle. If
 * another lane comes to something else, all of them wait as at any other operation (wave.c), which
 * finds out who meets whom.
 */
#include "sim/machine/loaded.h"

enum { HALF = 32 };

static const sim_shuffle *shuffle_of(const sim_worker *worker, uint32_t number) {
    return &worker->module->shuffles[number];
}

static void evaluate(sim_worker *worker, sim_wave *wave) {
    const sim_shuffle *shuffle = shuffle_of(worker, wave->shuffle - 1);
    for (uint32_t lane = 0; lane < 32; ++lane) {
        uint64_t second = wave->given[shuffle->from[1][lane]] >> HALF << HALF;
        wave->got[lane] = (uint32_t)wave->given[shuffle->from[0][lane]] | second;
    }
    sim_wave_order(wave, wave->exist);
    wave->ready |= wave->meeting;
    wave->meeting = 0;
    wave->shuffle = 0;
}

static uint64_t exchange(sim_thread *thread, const struct sim_exchange *e, uint32_t site,
                         uint64_t value) {
    return (uint32_t)stencilsim_rt_wave(thread, e->op, site, UINT32_MAX, value, e->b, e->c, 0);
}

/* The first shuffle gave `first`: now the second. */
static uint64_t go_on(sim_thread *thread, uint32_t number, uint32_t site, uint64_t values,
                      uint64_t first) {
    const sim_shuffle *s = shuffle_of(thread->worker, number);
    return first | (s->two ? exchange(thread, &s->second, site, values >> HALF) << HALF : 0);
}

static uint64_t shuffle_at_large(sim_thread *thread, uint32_t number, uint32_t site,
                                 uint64_t values) {
    const sim_shuffle *s = shuffle_of(thread->worker, number);
    uint64_t first = exchange(thread, &s->first, site, (uint32_t)values);
    return go_on(thread, number, site, values, first);
}

uint64_t stencilsim_rt_shuffle(sim_thread *thread, uint32_t number, uint32_t site,
                               uint64_t values) {
    sim_worker *worker = thread->worker;
    sim_wave *wave = &worker->waves[thread->wave];
    uint32_t lane = thread->lane;
    uint64_t bit = 1ull << lane;
    if (wave->meeting && wave->shuffle != number + 1)
        return shuffle_at_large(thread, number, site, values);
    wave->shuffle = number + 1;
    wave->given[lane] = values;
    wave->meeting |= bit;
    thread->site = site;
    if (wave->meeting == wave->exist) {
        evaluate(worker, wave);
        wave->ready &= ~bit;
        return wave->got[lane];
    }
    sim_hand_over(thread, &wave->stack_pointers[lane]);
    if (!(wave->at_large & bit))
        return wave->got[lane];
    wave->at_large &= ~bit;
    return go_on(thread, number, site, values, (uint32_t)thread->result);
}
