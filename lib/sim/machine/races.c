/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Finds data races in the scratchpad between waves of a block: two accesses to a byte, one of them
 * a write, that no barrier orders. The method is that of C. Flanagan and S. N. Freund, "FastTrack:
 * Efficient and Precise Dynamic Race Detection" (PLDI 2009): vector clocks. Their threads are waves
 * here.
 *
 * A moment is a number. A thread counts its moments: each barrier that it arrives at begins a new
 * one. The simulator runs the lanes of a wave one after the other, so each lane has its own count.
 * Where lanes meet, all of them take the largest count. A wave's clock has a moment for each other
 * wave: the accesses of that wave up to this moment lie before the accesses that the owner makes
 * now.
 *
 * A barrier collects the clocks and moments of the waves that arrive. When the barrier is complete,
 * each wave that waits there is granted this collection. Its lanes take the collection over as they
 * leave the barrier. A wave that arrives without waiting gives its clock, but receives nothing
 * until it waits.
 *
 * A word of scratchpad keeps the moment of its last write, and the moment of each wave's last read
 * since. An access races with a kept access of another wave if that access's moment is not in the
 * clock of the access's own wave. Moments grow from block to block, so what an earlier block left
 * in the words lies before all that a later block does.
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
    worker->waves[thread->wave].moments_differ = true;
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
    if (thread->moment > own)
        return;
    thread->moment = own + 1; /* other lanes have passed more barriers than this one */
    wave->moments_differ = true;
}

typedef struct access {
    sim_thread *thread;
    const sim_site *site;
    const uint32_t *before; /* the clock of the access's wave */
    uint32_t wave, moment;
} access;

/* Is the wave's access at that moment unordered with this access? */
static bool unordered(const access *a, uint32_t wave, uint32_t moment) {
    return wave != a->wave && moment > a->before[wave];
}

static sim_read *read_of(const sim_worker *worker, uint32_t word, uint32_t wave) {
    return &worker->reads[(size_t)wave * worker->nwords + word];
}

/* Reports a race at the first byte of the mask. */
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
        /* Nearly always true: no more words are loaded. */
        if (!unordered(a, wave, last->latest_read))
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
    /* A later access that does not race with this write does not race with the reads before it. */
    if (last->mask == WHOLE)
        last->readers = last->latest_read = 0;
}

/* In a kernel that never synchronises, one sim_thread runs all threads of a block. */
static uint32_t wave_of(const sim_thread *thread) {
    const sim_worker *worker = thread->worker;
    return worker->fibers ? thread->wave : thread->linear / worker->wave_size;
}

/* Notes the access in each word that it touches; a bit for each byte. A new write may replace the
 * record of an earlier access to other bytes of the word. Then a race in these bytes is missed. No
 * race is reported that does not exist. */
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
    /* The system provides a page of this table when a word of the page is first read. */
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
    if (worker->latest > UINT32_MAX / 2) { /* no block counts that far */
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
