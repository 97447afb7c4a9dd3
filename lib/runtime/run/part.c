/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Measures launches in slices, and ends a part of a call early if the program must continue. part.h
 * has the rules.
 */
#include "runtime/run/part.h"

#include "runtime/call/stops.h"
#include "runtime/device/transfer.h"
#include <stdlib.h>

/* The first mark of slices, the number of their marks, and the most launches of the first slice. */
enum { MARK = 4, MARKS = 3, FIRST = 16 };
_Static_assert(MARK + MARKS <= RT_MARKS, "marks");

static const double slice_seconds = 0.025, soon = 0.05, share = 10;

/* No part ends before this time. */
static _Thread_local double not_before RT_THREAD_LOCAL_AT_START;

bool rt_part_is_later(const rt_part *part) {
    return part->rest && rt_rest_has_steps_made(part->rest);
}

static bool join_period(const stencilrt_region *r, int64_t *period) {
    enum { MOST = 4096 };
    for (uint32_t g = 0; g <= r->ngrids; g++) {
        int64_t turns = g < r->ngrids ? r->grids[g].buffers : r->every > 0 ? r->every : 1;
        int64_t steps = *period;
        while (steps % turns != 0 && steps <= MOST)
            steps += *period;
        *period = steps;
        if (steps > MOST)
            return false;
    }
    return true;
}

int64_t rt_part_period(const stencilrt_region *region) {
    int64_t period = 1;
    bool good = true;
    for (uint32_t s = 0; s < region->nsweeps && good; s++)
        good = join_period(&region->sweeps[s], &period);
    return good ? period : 0;
}

/* Does a sweep write to another place in each step, of a loop that asks after each? The memory for
 * a few steps more than it makes, which a part may count, need not exist. */
static bool moves_unknown(const rt_part *part) {
    bool moves = false;
    for (uint32_t s = 0; s < part->region->nsweeps; s++)
        for (uint32_t g = 0; g < part->region->sweeps[s].ngrids; g++)
            moves = moves || part->region->sweeps[s].grids[g].along > 0;
    return moves && rt_ends_by_condition(part->given->check);
}

bool rt_part_begin(rt_part *part, const rt_uses *uses, int64_t steps, size_t room, rt_error *why) {
    part->done = 0;
    part->uses = uses;
    part->used_chunks = false;
    part->period = rt_part_period(part->region);
    if (steps <= 2 * part->period || moves_unknown(part))
        part->period = 0;
    part->results = NULL;
    part->count = 0;
    if (part->period == 0 || rt_part_is_later(part))
        return true;
    part->results = calloc(room + 1, sizeof *part->results);
    return part->results || rt_fail(why, RT_HOST_MEMORY, "%s", "");
}

void rt_part_add(rt_part *part, const rt_uses *uses, const rt_shape *shape, uint32_t number,
                 const rt_box *box) {
    const rt_use *use = rt_uses_find(uses, number);
    const rt_buffer *buffer = &shape->buffers[number];
    if (part->results && !(use && use->held && use->made))
        part->results[part->count++] = (rt_result){shape, buffer, *box, use};
}

bool rt_part_begin_shape(rt_part *part, const rt_uses *uses, const rt_shape *shape, rt_error *why) {
    uint32_t count = shape->region->nbuffers;
    bool ok = rt_part_begin(part, uses, shape->steps, count, why);
    for (uint32_t i = 0; i < count && ok; i++) {
        rt_box box = rt_domain(&shape->grids[shape->buffers[i].grid]);
        if (shape->buffers[i].written)
            rt_part_add(part, uses, shape, i, &box);
    }
    return ok;
}

bool rt_part_keep(rt_part *part, rt_error *why) {
    return part->done == 0 || rt_part_is_later(part) ||
           rt_saved_fill(rt_rest_saved(part->rest), part->results, part->count, why);
}

void rt_part_end(rt_part *part) {
    free(part->results);
    part->results = NULL;
}

/* A launch takes the time of some passes over the arrays, at the bandwidth of the device's memory.
 */
void rt_pace_begin(rt_pace *pace, rt_part *part, rt_device *device, double bytes) {
    enum { PASSES = 4 };
    double speed = device->info.bytes_per_second;
    double fit = speed > 0 && bytes > 0 ? slice_seconds * speed / (PASSES * bytes) : 1;
    double now = rt_seconds();
    *pace = (rt_pace){.part = part, .device = device, .started = now};
    rt_progress_begin(&part->progress, now);
    pace->size = fit >= FIRST ? FIRST : fit > 1 ? (int64_t)fit : 1;
    if (rt_config_get()->part > 0)
        pace->size = rt_config_get()->part;
}

static bool is_asked_for(rt_part *part, rt_device *device) {
    rt_error ignored;
    bool answered;
    bool all = rt_held_answer(device, part->uses->at, part->uses->count, &answered);
    part->used_chunks |= answered;
    return !all || rt_signals_wait() || rt_environment_cancels_at_once() ||
           !rt_devices_usable(&ignored);
}

/* Reserves memory for a copy of what the program had. False if there is none. */
static bool reserve(rt_part *part) {
    if (rt_part_is_later(part))
        return true;
    if (part->rest)
        rt_rest_end(part->rest); /* of an attempt with more memory */
    part->rest = rt_rest_begin(part->region, part->given, part->frame);
    return part->rest && rt_saved_reserve(rt_rest_saved(part->rest), part->results, part->count);
}

bool rt_part_is_to_end(rt_part *part, rt_device *device, double started, int64_t made,
                       int64_t left) {
    double now = rt_seconds(), took = now - started;
    bool asked = is_asked_for(part, device) && now >= not_before &&
                 took / (double)made * (double)left >= soon;
    if ((!asked && rt_config_get()->part == 0) || part->period == 0 || left <= 2 * part->period)
        return false;
    if (!reserve(part))
        part->period = 0;
    return part->period > 0;
}

static unsigned mark_of(int64_t slice) {
    return MARK + (unsigned)(slice % MARKS);
}

/* Sets the number of launches of the next slice, by the time that a completed one took. */
static void adapt(rt_pace *pace, int64_t slice) {
    enum { GROWTH = 4 };
    const rt_device *d = pace->device;
    unsigned from = slice > 0 ? mark_of(slice - 1) : RT_MARK_START;
    double took = d->driver->seconds(d->handle, from, mark_of(slice));
    double one = took / (double)pace->sizes[slice % MARKS];
    int64_t most = GROWTH * pace->size;
    if (rt_config_get()->part == 0)
        pace->size = one * (double)most < slice_seconds ? most : (int64_t)(slice_seconds / one) + 1;
}

/* Reports progress. Of `made` steps those of the last slice may not be done. */
static void tell(rt_pace *pace, int64_t made) {
    rt_part *part = pace->part;
    const stencilrt_check *check = part->given->check;
    int64_t before = part->rest ? rt_rest_steps_made(part->rest) : 0;
    if (rt_progress_is_due(&part->progress))
        rt_progress_show(&part->progress, part->region->where, before + pace->marked,
                         rt_ends_by_condition(check) ? 0 : part->given->steps);
    pace->marked = made;
}

bool rt_pace_next(rt_pace *pace, int64_t made, int64_t left, bool *end, rt_error *why) {
    const rt_driver *driver = pace->device->driver;
    void *device = pace->device->handle;
    int64_t slice = pace->slices;
    *end = false;
    if (pace->part->unpaced || ++pace->launches < pace->size || left <= 0)
        return true;
    pace->sizes[slice % MARKS] = pace->launches;
    pace->launches = 0;
    pace->slices++;
    if (!driver->mark(device, mark_of(slice), why) ||
        (slice > 0 && !driver->wait(device, mark_of(slice - 1), why)))
        return false;
    if (slice > 0)
        adapt(pace, slice - 1);
    tell(pace, made);
    rt_signals_let_end();
    *end = !pace->ends && rt_part_is_to_end(pace->part, pace->device, pace->started, made, left);
    return true;
}

void rt_pace_end(rt_pace *pace) {
    rt_progress_erase(&pace->part->progress);
}

void rt_part_paid(double transfers) {
    not_before = rt_seconds() + share * transfers;
}
