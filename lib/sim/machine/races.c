/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Data races in the scratchpad between waves of a block: two accesses to a byte, one of them a
 * write, that barriers do not order. Vector clocks find them, as in C. Flanagan and S. N. Freund,
 * "FastTrack: Efficient and Precise Dynamic Race Detection" (PLDI 2009), with waves for its
 * threads.
 *
 * A thread counts moments: the next one begins where it arrives at a barrier. The lanes of a wave
 * run one after the other, so each counts by itself; where they meet, all go on from the latest
 * one's moment. A wave's clock says of each wave up to which moment its accesses lie before what
 * this wave does now. A barrier gathers the clocks and moments of those that arrive. When it is
 * complete, it grants what it gathered to the waves that wait at it, and their lanes receive that
 * as they go on; who only arrives gives and does not receive, until it waits.
 *
 * A word of scratchpad keeps the moment of its last write, and of each wave's last read since. An
 * access races with such a one of another wave whose moment its own wave's clock does not include.
 * Moments grow from block to block: what one left in the words lies before all that the next does.
 */
#include "sim/machine/loaded.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 4, WHOLE = 15 };

static void join(sim_clock *to, const sim_clock *from, uint32_t nwaves) {
    for (uint32_t w = 0; w < nwaves; ++w)
        to->before[w] = to->before[w] > from->before[w] ? to->before[w] : from->before[w];
}

void sim_races_arrive(sim_thread *thread, sim_barrier *barrier) {
    sim_worker *worker = thread->worker;
    join(&barrier->gathered, &worker->waves[thread->wave].clock, worker->nwaves);
    uint32_t *own = &barrier->gathered.before[thread->wave];
    if (*own < thread->moment)
        *own = thread->moment;
    if (++thread->moment > worker->latest)
        worker->latest = thread->moment;
}

void sim_races_complete(sim_barrier *barrier) {
    barrier->passed = barrier->gathered;
    barrier->gathered = (sim_clock){{0}};
}

void sim_races_grant(sim_worker *worker, sim_wave *wave, const sim_barrier *barrier) {
    join(&wave->granted, &barrier->passed, worker->nwaves);
    wave->news = true;
}

void sim_races_receive(sim_thread *thread) {
    sim_wave *wave = &thread->worker->waves[thread->wave];
    if (wave->news)
        wave->clock = wave->granted;
    wave->news = false;
    uint32_t own = wave->clock.before[thread->wave];
    if (thread->moment <= own) /* other lanes have been at more barriers than this one */
        thread->moment = own + 1;
}

typedef struct access {
    sim_thread *thread;
    const sim_site *site;
    const uint32_t *before; /* of its wave's clock */
    uint32_t wave, moment;
} access;

/* Does what the wave did in that moment not lie before this access? */
static bool unordered(const access *a, uint32_t wave, uint32_t moment) {
    return wave != a->wave && moment > a->before[wave];
}

static sim_read *read_of(const sim_worker *worker, uint32_t word, uint32_t wave) {
    return &worker->reads[(size_t)wave * worker->nwords + word];
}

/* A race at the first of the bytes in the mask. */
_Noreturn static void fault(const access *a, uint32_t word, uint32_t mask, const char *what,
                            uint32_t other) {
    uint32_t offset = WORD * word + (uint32_t)__builtin_ctz(mask);
    sim_scratchpad_fault(a->thread, offset, what, other, a->site);
}

static void read_word(const access *a, uint32_t word, uint32_t mask) {
    const sim_worker *worker = a->thread->worker;
    sim_word *last = &worker->words[word];
    uint32_t common = last->mask & mask, bit = 1u << a->wave;
    if (common && unordered(a, last->wave, last->moment))
        fault(a, word, common, "read here, written by", last->thread);
    sim_read *read = read_of(worker, word, a->wave);
    bool again = last->readers & bit && read->moment == a->moment;
    read->mask = (uint8_t)(again ? read->mask | mask : mask);
    read->thread = (uint16_t)a->thread->linear;
    read->moment = a->moment;
    last->readers |= bit;
    if (last->latest_read < a->moment)
        last->latest_read = a->moment;
}

static void write_word(const access *a, uint32_t word, uint32_t mask) {
    const sim_worker *worker = a->thread->worker;
    sim_word *last = &worker->words[word];
    uint32_t common = last->mask & mask;
    if (common && unordered(a, last->wave, last->moment))
        fault(a, word, common, "written here, and written by", last->thread);
    for (uint32_t left = last->readers; left; left &= left - 1) {
        uint32_t wave = (uint32_t)__builtin_ctz(left);
        if (!unordered(a, wave, last->latest_read)) /* nearly always: nothing more is loaded */
            continue;
        const sim_read *read = read_of(worker, word, wave);
        common = read->mask & mask;
        if (common && unordered(a, wave, read->moment))
            fault(a, word, common, "written here, read by", read->thread);
    }
    bool again = last->wave == a->wave && last->moment == a->moment;
    last->mask = (uint8_t)(again ? last->mask | mask : mask);
    last->wave = (uint8_t)a->wave;
    last->thread = (uint16_t)a->thread->linear;
    last->moment = a->moment;
    if (last->mask == WHOLE) /* what does not race with this write does not with those reads */
        last->readers = last->latest_read = 0;
}

/* Of a kernel that never synchronises, one sim_thread runs all threads. */
static uint32_t wave_of(const sim_thread *thread) {
    const sim_worker *worker = thread->worker;
    return worker->fibers ? thread->wave : thread->linear / worker->wave_size;
}

/* Notes the access in each word that it touches, a bit for each byte. Where a mask forgets an
 * earlier access to the word's other bytes, a race between bytes of one word may go unseen; none
 * is seen that is not there. */
static void each_word(sim_thread *thread, uint32_t offset, uint32_t bytes, const sim_site *site,
                      void (*note)(const access *, uint32_t, uint32_t)) {
    if (thread->worker->ignore_races)
        return;
    uint32_t wave = wave_of(thread);
    const access a = {.thread = thread,
                      .site = site,
                      .before = thread->worker->waves[wave].clock.before,
                      .wave = wave,
                      .moment = thread->moment};
    for (uint32_t at = offset, end = offset + bytes, next; at < end; at = next) {
        uint32_t mask = WHOLE << at % WORD & WHOLE;
        next = at - at % WORD + WORD;
        if (next > end)
            mask &= WHOLE >> (next - end);
        note(&a, at / WORD, mask);
    }
}

void sim_races_read(sim_thread *thread, uint32_t offset, uint32_t bytes, const sim_site *site) {
    each_word(thread, offset, bytes, site, read_word);
}

void sim_races_write(sim_thread *thread, uint32_t offset, uint32_t bytes, const sim_site *site) {
    each_word(thread, offset, bytes, site, write_word);
}

void sim_races_allocate(sim_worker *worker) {
    worker->nwords = worker->scratchpad_bytes / WORD + 1;
    worker->words = calloc(worker->nwords, sizeof *worker->words);
    /* The system provides a page of them when one of its words is first read. */
    worker->reads = calloc((size_t)worker->nwords * SIM_MAX_WAVES, sizeof *worker->reads);
    worker->latest = 0;
}

void sim_races_release(sim_worker *worker) {
    free(worker->words);
    free(worker->reads);
    worker->words = NULL;
    worker->reads = NULL;
}

void sim_races_reset(sim_worker *worker) {
    if (worker->latest > UINT32_MAX / 2) { /* further than a block ever counts */
        memset(worker->words, 0, worker->nwords * sizeof *worker->words);
        worker->latest = 0;
    }
    sim_clock past;
    for (uint32_t w = 0; w < SIM_MAX_WAVES; ++w)
        past.before[w] = worker->latest;
    for (uint32_t w = 0; w < worker->nwaves; ++w)
        worker->waves[w].clock = worker->waves[w].granted = past;
    ++worker->latest;
    for (uint32_t t = 0; t < worker->nthreads; ++t)
        worker->threads[t].moment = worker->latest;
}
