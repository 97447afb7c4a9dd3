/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Collects the accesses of each thread of a launch.
 */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

bool trace_init(trace *t, const uint32_t grid[3], const uint32_t block[3]) {
    *t = (trace){.block_threads = block[0] * block[1] * block[2]};
    memcpy(t->grid, grid, sizeof t->grid);
    double threads = (double)grid[0] * grid[1] * grid[2] * t->block_threads;
    t->nblocks = (uint64_t)grid[0] * grid[1] * grid[2];
    t->nthreads = t->nblocks * t->block_threads;
    return threads < UINT32_MAX;
}

uint32_t trace_add_buffer(trace *t, const char *label, uint64_t bytes) {
    trace_buffer *grown = realloc(t->buffers, (t->nbuffers + 1) * sizeof *grown);
    if (!grown) {
        t->no_memory = true;
        return 0;
    }
    t->buffers = grown;
    uint64_t start = 0;
    if (t->nbuffers) {
        const trace_buffer *last = &grown[t->nbuffers - 1];
        start = last->start + (last->bytes / TRACE_ALIGNMENT + 1) * TRACE_ALIGNMENT;
    }
    grown[t->nbuffers] = (trace_buffer){label, start, bytes};
    return t->nbuffers++;
}

static uint32_t find_buffer(trace *t, const char *label, uint64_t bytes) {
    for (uint32_t b = 0; b < t->nbuffers; ++b)
        if (t->buffers[b].label == label || strcmp(t->buffers[b].label, label) == 0)
            return b;
    return trace_add_buffer(t, label, bytes);
}

static trace_access *append(trace *t) {
    if (t->naccesses == t->room) {
        size_t room = t->room ? 2 * t->room : 1 << 16;
        trace_access *grown = realloc(t->accesses, room * sizeof *grown);
        if (!grown)
            return NULL;
        t->accesses = grown;
        t->room = room;
    }
    return &t->accesses[t->naccesses++];
}

void trace_note(void *context, const stencilsim_access *a) {
    trace *t = context;
    uint32_t buffer = find_buffer(t, a->buffer, a->buffer_bytes);
    trace_access *to = t->no_memory ? NULL : append(t);
    if (!to) {
        t->no_memory = true;
        return;
    }
    uint64_t block = ((uint64_t)a->block[2] * t->grid[1] + a->block[1]) * t->grid[0] + a->block[0];
    *to = (trace_access){.address = t->buffers[buffer].start + a->offset,
                         .bytes = (uint32_t)a->bytes,
                         .buffer = buffer,
                         .place = a->place,
                         .thread = (uint32_t)(block * t->block_threads + a->thread),
                         .kind = (uint8_t)a->kind};
}

/* Counts, for each access, how often its thread has been at this place before. */
static bool count_turns(trace *t) {
    uint32_t places = 0;
    for (size_t i = 0; i < t->naccesses; ++i)
        if (t->accesses[i].place >= places)
            places = t->accesses[i].place + 1;
    uint32_t *turns = calloc(places + 1, sizeof *turns);
    for (uint64_t thread = 0; turns && thread < t->nthreads; ++thread) {
        for (uint64_t i = t->first[thread]; i < t->first[thread + 1]; ++i)
            t->accesses[i].turn = turns[t->accesses[i].place]++;
        for (uint64_t i = t->first[thread]; i < t->first[thread + 1]; ++i)
            turns[t->accesses[i].place] = 0;
    }
    free(turns);
    return turns != NULL;
}

bool trace_sort(trace *t) {
    t->first = calloc(t->nthreads + 2, sizeof *t->first);
    trace_access *sorted = malloc((t->naccesses + 1) * sizeof *sorted);
    if (t->no_memory || !t->first || !sorted) {
        free(sorted);
        return false;
    }
    /* A counting sort: `next` of a thread ends as the first of the one after it. */
    uint64_t *next = t->first + 1;
    for (size_t i = 0; i < t->naccesses; ++i)
        ++next[t->accesses[i].thread + 1];
    for (uint64_t thread = 1; thread <= t->nthreads; ++thread)
        next[thread] += next[thread - 1];
    for (size_t i = 0; i < t->naccesses; ++i)
        sorted[next[t->accesses[i].thread]++] = t->accesses[i];
    free(t->accesses);
    t->accesses = sorted;
    return count_turns(t);
}

void trace_free(trace *t) {
    free(t->buffers);
    free(t->accesses);
    free(t->first);
}
