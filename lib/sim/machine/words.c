/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Words of 16 bytes that blocks exchange. Each is stored and loaded as a whole: PTX ISA, ld.relaxed
 * and st.relaxed of type b128. All blocks of a launch that exchanges words run on one thread of the
 * host, so that no word is seen half written. A thread that looks for a word may wait for other
 * threads and blocks. So it lets all other threads of its block run first, then the other blocks.
 */
#include "sim/machine/loaded.h"

#include <string.h>

enum { WORD = 16 };

static void check(sim_thread *thread, uint64_t address, uint32_t site) {
    sim_check_global(thread, address, WORD, site, NULL);
    if (address % WORD)
        sim_fault(thread, "a word at address 0x%llx, which is no multiple of 16%s",
                  (unsigned long long)address, thread->worker->module->sites[site].where);
}

void stencilsim_rt_word_store(sim_thread *thread, uint64_t address, uint64_t low, uint64_t high,
                              uint32_t site) {
    uint64_t word[2] = {low, high};
    check(thread, address, site);
    memcpy((void *)(uintptr_t)address, word, WORD);
}

static void let_others_go_on(sim_thread *thread) {
    sim_wave *wave = &thread->worker->waves[thread->wave];
    wave->looking |= 1ull << thread->lane;
    sim_hand_over(thread, &wave->stack_pointers[thread->lane]);
}

/* Loads the word if `on` is not 0. Otherwise the result is the word given by `low` and `high`. */
uint64_t stencilsim_rt_word_load(sim_thread *thread, uint64_t address, uint32_t on, uint64_t low,
                                 uint64_t high, uint32_t site) {
    uint64_t word[2] = {low, high};
    if (on) {
        check(thread, address, site);
        if (thread->worker->together)
            let_others_go_on(thread);
        memcpy(word, (const void *)(uintptr_t)address, WORD);
    }
    thread->word_high = word[1];
    return word[0];
}

uint64_t stencilsim_rt_word_high(sim_thread *thread) {
    return thread->word_high;
}
