/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Puts a launch's accesses in the order in which the caches see them. order.h describes the orders.
 */
#include "order.h"

#include <stdlib.h>
#include <string.h>

void order_threads(const trace *t, order_serve *serve, void *context) {
    for (size_t i = 0; i < t->naccesses; ++i) {
        uint32_t thread = t->accesses[i].thread;
        const order_request request = {
            .naccesses = 1, .accesses = {&t->accesses[i]}, .time = thread, .sm_time = thread};
        serve(context, &request);
    }
}

typedef struct warp {
    uint64_t first, end; /* its threads */
    uint32_t slot;       /* of its block */
} warp;

typedef struct processor {
    warp *warps; /* those with accesses left */
    uint32_t nwarps, next;
    uint32_t *left; /* warps with accesses left of the block in each slot */
    uint64_t time;
} processor;

typedef struct schedule {
    const trace *trace;
    uint32_t wave, nsms, resident;
    processor *processors;
    uint64_t *cursors; /* of each thread: its next access */
    uint64_t next_block, time;
} schedule;

static bool is_done(const schedule *s, const warp *w) {
    for (uint64_t t = w->first; t < w->end; ++t)
        if (s->cursors[t] < s->trace->first[t + 1])
            return false;
    return true;
}

/* Gives the slot the next blocks, until one of them has accesses. */
static void fill_slot(schedule *s, processor *p, uint32_t slot) {
    uint32_t threads = s->trace->block_threads;
    while (!p->left[slot] && s->next_block < s->trace->nblocks) {
        uint64_t first = s->next_block++ * threads, end = first + threads;
        for (uint64_t t = first; t < end; t += s->wave) {
            const warp w = {t, t + s->wave < end ? t + s->wave : end, slot};
            if (is_done(s, &w))
                continue;
            p->warps[p->nwarps++] = w;
            ++p->left[slot];
        }
    }
}

static bool comes_first(const trace_access *a, const trace_access *b) {
    return a->turn < b->turn || (a->turn == b->turn && a->place < b->place);
}

/* The next accesses of those lanes that are at the earliest point. */
static void take_instruction(schedule *s, const warp *w, order_request *request) {
    const trace_access *first = NULL;
    request->naccesses = 0;
    for (uint64_t t = w->first; t < w->end; ++t) {
        const trace_access *a = &s->trace->accesses[s->cursors[t]];
        if (s->cursors[t] == s->trace->first[t + 1] || (first && comes_first(first, a)))
            continue;
        if (!first || comes_first(a, first))
            request->naccesses = 0;
        first = a;
        request->accesses[request->naccesses++] = a;
    }
    for (uint32_t i = 0; i < request->naccesses; ++i)
        ++s->cursors[request->accesses[i]->thread];
}

static void remove_warp(schedule *s, processor *p, uint32_t index) {
    uint32_t slot = p->warps[index].slot;
    --p->nwarps;
    memmove(p->warps + index, p->warps + index + 1, (p->nwarps - index) * sizeof *p->warps);
    if (--p->left[slot] == 0)
        fill_slot(s, p, slot);
}

/* One instruction of the SM's next warp. False when the SM has none left. */
static bool step(schedule *s, uint32_t sm, order_serve *serve, void *context) {
    processor *p = &s->processors[sm];
    if (!p->nwarps)
        return false;
    uint32_t index = p->next < p->nwarps ? p->next : 0;
    const warp w = p->warps[index];
    order_request request = {.sm = sm, .time = s->time++, .sm_time = p->time++};
    take_instruction(s, &w, &request);
    serve(context, &request);
    p->next = index + 1;
    if (is_done(s, &w)) {
        remove_warp(s, p, index);
        p->next = index;
    }
    return true;
}

static bool schedule_init(schedule *s) {
    uint32_t warps = (s->trace->block_threads + s->wave - 1) / s->wave;
    s->processors = calloc(s->nsms, sizeof *s->processors);
    s->cursors = malloc((s->trace->nthreads + 1) * sizeof *s->cursors);
    if (!s->processors || !s->cursors)
        return false;
    memcpy(s->cursors, s->trace->first, s->trace->nthreads * sizeof *s->cursors);
    for (uint32_t sm = 0; sm < s->nsms; ++sm) {
        processor *p = &s->processors[sm];
        p->warps = malloc((size_t)s->resident * warps * sizeof *p->warps);
        p->left = calloc(s->resident, sizeof *p->left);
        if (!p->warps || !p->left)
            return false;
    }
    return true;
}

static void schedule_free(schedule *s) {
    for (uint32_t sm = 0; s->processors && sm < s->nsms; ++sm) {
        free(s->processors[sm].warps);
        free(s->processors[sm].left);
    }
    free(s->processors);
    free(s->cursors);
}

bool order_warps(const trace *t, uint32_t wave, uint32_t nsms, uint32_t resident,
                 order_serve *serve, void *context) {
    schedule s = {.trace = t, .wave = wave, .nsms = nsms, .resident = resident};
    bool ok = schedule_init(&s);
    for (uint32_t slot = 0; ok && slot < resident; ++slot)
        for (uint32_t sm = 0; sm < nsms; ++sm)
            fill_slot(&s, &s.processors[sm], slot);
    for (bool any = ok; any;) {
        any = false;
        for (uint32_t sm = 0; sm < nsms; ++sm)
            any |= step(&s, sm, serve, context);
    }
    schedule_free(&s);
    return ok;
}
