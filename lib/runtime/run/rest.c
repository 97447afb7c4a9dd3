/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Keeps a copy of the program's call for the next part. The copy is advanced by the steps of
 * earlier parts.
 */
#include "runtime/run/rest.h"

#include "runtime/call/stops.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Through this the program's `ends` is called. It counts steps from the beginning of the first
 * part. */
typedef struct later {
    const stencilrt_check *check;
    int64_t made;
} later;

struct rt_rest {
    rt_rest *next;
    const stencilrt_region *region;
    const stencilrt_call *given;
    uintptr_t frame;
    stencilrt_call call, *sweeps;
    uint64_t *scalars; /* scalars of all sweeps */
    void **origins;
    stencilrt_check check;
    later later;
    rt_saved saved;
};

/* The unfinished calls of this thread, newest first. */
static _Thread_local rt_rest *begun RT_THREAD_LOCAL_AT_START;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_key;

static void end_thread(void *unused) {
    (void)unused;
    while (begun)
        rt_rest_end(begun);
}

static void make_key(void) {
    has_key = pthread_key_create(&key, end_thread) == 0;
}

static void link_rest(rt_rest *rest) {
    pthread_once(&once, make_key);
    if (has_key)
        pthread_setspecific(key, rest);
    rest->next = begun;
    begun = rest;
}

static uint32_t count_slots(const stencilrt_region *r) {
    uint32_t slots = 0;
    for (uint32_t s = 0; s < r->nscalars; s++)
        slots += r->scalars[s].kind == STENCILRT_STEPPED ? 2 : 1;
    return slots;
}

static int ends(const void *context, int64_t step, const uint64_t *values) {
    const later *l = context;
    return l->check->ends(l->check->context, l->made + step, values);
}

static void between(const void *context, int64_t step, const uint64_t *values) {
    const later *l = context;
    l->check->between(l->check->context, l->made + step, values);
}

/* Copies those tables of a sweep's call that are changed. */
static void take(const stencilrt_region *r, stencilrt_call *call, uint64_t **scalars,
                 void ***origins) {
    uint32_t slots = count_slots(r);
    if (slots > 0)
        memcpy(*scalars, call->scalars, slots * sizeof **scalars);
    if (r->nbuffers > 0)
        memcpy(*origins, call->origins, r->nbuffers * sizeof **origins);
    call->scalars = *scalars;
    call->origins = *origins;
    *scalars += slots;
    *origins += r->nbuffers;
}

static bool reserve(rt_rest *rest) {
    const stencilrt_region *r = rest->region;
    size_t slots = 0, buffers = 0;
    for (uint32_t i = 0; i < r->nsweeps; i++) {
        slots += count_slots(&r->sweeps[i]);
        buffers += r->sweeps[i].nbuffers;
    }
    rest->sweeps = calloc(r->nsweeps, sizeof *rest->sweeps);
    rest->scalars = calloc(slots + 1, sizeof *rest->scalars);
    rest->origins = calloc(buffers + 1, sizeof *rest->origins);
    return rest->sweeps && rest->scalars && rest->origins;
}

rt_rest *rt_rest_begin(const stencilrt_region *region, const stencilrt_call *call,
                       const void *frame) {
    rt_rest *rest = calloc(1, sizeof *rest);
    if (!rest)
        return NULL;
    *rest = (rt_rest){.region = region, .given = call, .frame = (uintptr_t)frame, .call = *call};
    if (!reserve(rest)) {
        rt_rest_end(rest);
        return NULL;
    }
    uint64_t *scalars = rest->scalars;
    void **origins = rest->origins;
    for (uint32_t i = 0; i < region->nsweeps; i++) {
        rest->sweeps[i] = call->sweeps[i];
        take(&region->sweeps[i], &rest->sweeps[i], &scalars, &origins);
    }
    rest->call.sweeps = rest->sweeps;
    if (call->check) {
        rest->later.check = call->check;
        rest->check = *call->check;
        rest->check.ends = rt_ends_by_condition(call->check) ? ends : NULL;
        rest->check.between = call->check->between ? between : NULL;
        rest->check.context = &rest->later;
        rest->call.check = &rest->check;
    }
    link_rest(rest);
    return rest;
}

rt_saved *rt_rest_saved(rt_rest *rest) {
    return &rest->saved;
}

bool rt_rest_has_steps_made(const rt_rest *rest) {
    return rest->later.made > 0;
}

int64_t rt_rest_steps_made(const rt_rest *rest) {
    return rest->later.made;
}

/* The bytes on the host by which a grid moves on in a step. */
static int64_t step_of(const stencilrt_grid *grid, const int64_t strides[3]) {
    int64_t size = grid->elem_size;
    return grid->along == 0  ? grid->advance * size
           : grid->along > 1 ? strides[grid->along - 1]
                             : size;
}

/* Grids whose cells move on are tables that only grow: see region.h. */
static void advance(const stencilrt_region *r, stencilrt_call *call, int64_t steps) {
    uint64_t *slot = (uint64_t *)(uintptr_t)call->scalars;
    void **origins = (void **)(uintptr_t)call->origins;
    for (uint32_t s = 0; s < r->nscalars; s++) {
        bool stepped = r->scalars[s].kind == STENCILRT_STEPPED;
        if (stepped)
            slot[0] += (uint64_t)steps * slot[1];
        slot += stepped ? 2 : 1;
    }
    for (uint32_t g = 0; g < r->ngrids; g++) {
        const stencilrt_grid *grid = &r->grids[g];
        int64_t moved = steps * step_of(grid, call->strides + 3 * g);
        for (uint32_t i = 0; i < grid->buffers; i++)
            origins[grid->first_buffer + i] =
                (void *)((uintptr_t)origins[grid->first_buffer + i] + (uintptr_t)moved);
    }
}

/* A loop that stops by itself may make more steps than expected. */
static int64_t steps_left(const rt_rest *rest, int64_t made) {
    int64_t left = rest->call.steps - made;
    bool counted = !rt_ends_by_condition(rest->call.check);
    return counted || left > 2 * RT_MAX_PERIOD ? left : 2 * RT_MAX_PERIOD;
}

void rt_rest_advance(rt_rest *rest, int64_t steps) {
    const stencilrt_region *r = rest->region;
    rest->call.steps = steps_left(rest, steps);
    rest->later.made += steps;
    for (uint32_t i = 0; i < r->nsweeps; i++) {
        rest->sweeps[i].steps = rest->call.steps;
        advance(&r->sweeps[i], &rest->sweeps[i], steps);
    }
}

const stencilrt_call *rt_rest_call(const rt_rest *rest) {
    return &rest->call;
}

void rt_rest_finish(const rt_rest *rest) {
    stencilrt_check *check = rest->given->check;
    if (!check)
        return;
    check->done = rest->later.made + rest->check.done;
    check->exit = rest->check.exit;
}

void rt_rest_restore(const rt_rest *rest) {
    rt_saved_restore(&rest->saved);
}

void rt_rest_end(rt_rest *rest) {
    rt_rest **link = &begun;
    while (*link && *link != rest)
        link = &(*link)->next;
    if (*link)
        *link = rest->next;
    rt_saved_free(&rest->saved);
    free(rest->sweeps);
    free(rest->scalars);
    free(rest->origins);
    free(rest);
}

/* A stack grows down. A call that began at this frame, or further down, has returned or was left.
 */
void rt_rest_end_left(const void *frame) {
    for (rt_rest *rest = begun, *next; rest; rest = next) {
        next = rest->next;
        if ((uintptr_t)frame >= rest->frame)
            rt_rest_end(rest);
    }
}
