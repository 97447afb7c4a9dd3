/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/run/steps.h"

#include <stdlib.h>
#include <string.h>

/* Begin, end */

static bool is_blocked(const rt_schedule *schedule) {
    return schedule->count > 0 && schedule->runs[0].kernel > 0;
}

static const rt_whole_array *array_at(const rt_steps *s, uint32_t number) {
    return &s->arrays->whole.arrays[number];
}

static bool takes_turns(const rt_whole_array *w) {
    return w->of[1] != UINT32_MAX;
}

bool rt_steps_begin(rt_steps *steps, rt_device *device, void *module, const rt_arrays *arrays,
                    rt_block *blocks, int64_t chunk, bool eager) {
    rt_error ignored;
    steps->arrays = arrays;
    steps->blocks = blocks;
    bool ok =
        rt_schedule_make_whole(&steps->schedule, device, module, arrays, chunk, eager, &ignored) &&
        is_blocked(&steps->schedule);
    steps->scratch = ok ? calloc(arrays->count, sizeof *steps->scratch) : NULL;
    ok = steps->scratch != NULL;
    for (uint32_t k = 0; k < arrays->region->step->narrays && ok; k++) {
        const rt_whole_array *w = array_at(steps, k);
        if (w->written && !takes_turns(w))
            ok = rt_device_alloc(device, arrays->shape.grids[w->of[0]].bytes,
                                 &steps->scratch[w->of[0]], &ignored);
    }
    if (!ok)
        rt_steps_end(steps, device);
    return ok;
}

void rt_steps_end(rt_steps *steps, rt_device *device) {
    for (uint32_t i = 0; steps->scratch && i < steps->arrays->count; i++)
        rt_device_free(device, &steps->scratch[i]);
    free(steps->scratch);
    steps->scratch = NULL;
}

bool rt_steps_copy(const rt_steps *steps, rt_device *device, rt_error *why) {
    bool ok = true;
    for (uint32_t i = 0; i < steps->arrays->count && ok; i++)
        ok = !steps->scratch[i].address ||
             device->driver->copy(device->handle, steps->scratch[i].address,
                                  steps->blocks[i].address, steps->arrays->shape.grids[i].bytes,
                                  why);
    return ok;
}

/* Arguments: in slots of 8 bytes, little-endian; a smaller one is its slot's low bytes */

typedef struct arguments {
    uint64_t *values;
    void **pointers;
    size_t *sizes;
    uint32_t count, scalars; /* `scalars`: the first one's index */
} arguments;

static void add(arguments *a, uint64_t value, size_t size) {
    a->values[a->count] = value;
    a->sizes[a->count] = size;
    a->pointers[a->count] = &a->values[a->count];
    a->count++;
}

static void release(arguments *a) {
    free(a->values);
    free(a->pointers);
    free(a->sizes);
}

static bool reserve(arguments *a, const stencilrt_region *r, rt_error *why) {
    size_t room = 2 * r->step->narrays + r->rank + (size_t)r->step->narrays * 2 + 1;
    for (uint32_t s = 0; s < r->nsweeps; s++)
        room += 2 * (size_t)r->sweeps[s].nscalars;
    *a = (arguments){.values = calloc(room, sizeof *a->values),
                     .pointers = calloc(room, sizeof *a->pointers),
                     .sizes = calloc(room, sizeof *a->sizes)};
    return (a->values && a->pointers && a->sizes) || rt_fail(why, RT_HOST_MEMORY, "%s", "");
}

static void add_sizes(arguments *a, const rt_steps *s, int64_t chunk) {
    const stencilrt_region *r = s->arrays->region;
    for (uint32_t d = 0; d < r->rank; d++)
        add(a, (uint64_t)s->arrays->whole.extent[d], sizeof(int64_t));
    for (uint32_t k = 0; k < r->step->narrays; k++)
        for (uint32_t d = 1; d < r->rank; d++) {
            const rt_whole_array *w = array_at(s, k);
            int64_t stride = s->arrays->shape.grids[w->of[0]].stride[d - 1];
            add(a, w->broadcast >> d & 1 ? 0 : (uint64_t)stride, sizeof(int64_t));
        }
    add(a, (uint64_t)chunk, sizeof(int64_t));
}

static void add_all(arguments *a, const rt_steps *s, int64_t chunk) {
    const stencilrt_region *r = s->arrays->region;
    for (uint32_t k = 0; k < r->step->narrays; k++)
        for (int i = 0; i <= array_at(s, k)->written; i++)
            add(a, 0, sizeof(void *));
    add_sizes(a, s, chunk);
    a->scalars = a->count;
    for (uint32_t w = 0; w < r->nsweeps; w++)
        for (uint32_t i = 0; i < r->sweeps[w].nscalars; i++)
            for (int k = 0; k <= (r->sweeps[w].scalars[i].kind == STENCILRT_STEPPED); k++)
                add(a, 0, r->sweeps[w].scalars[i].size);
}

static uint64_t cell_zero(const rt_steps *s, uint32_t array, const rt_block *block) {
    return block->address + s->arrays->shape.grids[array].origin;
}

/* The copies that step `step` finds, and those that it writes. */
static void set_pointers(arguments *a, const rt_steps *s, int64_t step) {
    uint64_t *value = a->values;
    for (uint32_t k = 0; k < s->arrays->region->step->narrays; k++) {
        const rt_whole_array *w = array_at(s, k);
        bool turns = takes_turns(w);
        uint32_t now = turns ? w->of[step % 2] : w->of[0];
        uint32_t next = turns ? w->of[1 - step % 2] : w->of[0];
        if (w->written)
            *value++ = cell_zero(s, next, turns ? &s->blocks[next] : &s->scratch[next]);
        *value++ = cell_zero(s, now, &s->blocks[now]) + (uint64_t)(step * w->advance);
    }
}

static void set_scalars(arguments *a, const rt_steps *s, int64_t step) {
    const stencilrt_region *r = s->arrays->region;
    uint64_t *value = a->values + a->scalars;
    for (uint32_t w = 0; w < r->nsweeps; w++) {
        const uint64_t *slot = s->arrays->call->sweeps[w].scalars;
        for (uint32_t i = 0; i < r->sweeps[w].nscalars; i++) {
            *value = *slot++;
            if (r->sweeps[w].scalars[i].kind == STENCILRT_STEPPED) {
                *value += (uint64_t)step * *slot;
                *++value = *slot++;
            }
            value++;
        }
    }
}

/* Launches */

static void swap(rt_block *a, rt_block *b) {
    rt_block was = *a;
    *a = *b;
    *b = was;
}

/* Each array's entry becomes what has its newest values. */
static void exchange(rt_steps *s, uint32_t bt) {
    for (uint32_t k = 0; k < s->arrays->region->step->narrays; k++) {
        const rt_whole_array *w = array_at(s, k);
        if (!w->written)
            continue;
        if (!takes_turns(w))
            swap(&s->blocks[w->of[0]], &s->scratch[w->of[0]]);
        else if (bt % 2 == 0)
            swap(&s->blocks[w->of[0]], &s->blocks[w->of[1]]);
    }
}

static bool launch_run(rt_steps *s, rt_device *device, void *module, const rt_run *run,
                       rt_pace *pace, int64_t *made, rt_error *why) {
    const stencilrt_kernel *k = &s->arrays->region->kernels[run->kernel];
    arguments a;
    bool ok = reserve(&a, s->arrays->region, why);
    if (ok)
        add_all(&a, s, run->chunk);
    rt_launch launch = {.kernel = run->kernel,
                        .grid = {run->grid[0], run->grid[1], run->grid[2]},
                        .block = {k->block[0], k->block[1], k->block[2]},
                        .scratchpad = k->scratchpad,
                        .args = a.pointers,
                        .arg_sizes = a.sizes,
                        .nargs = a.count};
    for (int64_t i = 0; ok && i < run->launches && !pace->ends; i++) {
        bool end = false;
        set_pointers(&a, s, *made);
        set_scalars(&a, s, *made);
        ok = device->driver->launch(device->handle, module, &launch, why);
        device->launches += ok || why->reason != RT_LOAD; /* then nothing ran */
        if (!ok)
            break;
        exchange(s, k->bt);
        *made += k->bt;
        ok = rt_pace_next(pace, *made, s->arrays->call->steps - *made, &end, why);
        pace->ends |= end;
    }
    release(&a);
    return ok;
}

bool rt_steps_launch(rt_steps *s, rt_device *device, void *module, rt_pace *pace, int64_t *made,
                     rt_error *why) {
    bool ok = true;
    *made = 0;
    for (uint32_t i = 0; ok && i < s->schedule.count && s->schedule.runs[i].kernel > 0; i++)
        ok = launch_run(s, device, module, &s->schedule.runs[i], pace, made, why);
    return ok;
}
