/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/run/steps.h"

#include "runtime/run/arguments.h"
#include <stdlib.h>

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

/* Launches */

typedef struct launcher {
    rt_steps *steps;
    int64_t step, chunk; /* the launch's first step; planes of a chunk */
    rt_arguments arguments;
} launcher;

/* The copy that the launch reads. */
static uint64_t source(const launcher *l, uint32_t number) {
    const rt_whole_array *w = array_at(l->steps, number);
    uint32_t now = takes_turns(w) ? w->of[l->step % 2] : w->of[0];
    uint64_t moved = (uint64_t)(l->step * w->advance);
    return rt_cell_zero(&l->steps->arrays->shape, now, &l->steps->blocks[now]) + moved;
}

static uint64_t target(const launcher *l, uint32_t number) {
    const rt_steps *s = l->steps;
    const rt_whole_array *w = array_at(s, number);
    uint32_t next = takes_turns(w) ? w->of[1 - l->step % 2] : w->of[0];
    return rt_cell_zero(&s->arrays->shape, next,
                        takes_turns(w) ? &s->blocks[next] : &s->scratch[next]);
}

static uint64_t stride(const launcher *l, uint32_t number, uint32_t d) {
    const rt_whole_array *w = array_at(l->steps, number);
    int64_t stride = l->steps->arrays->shape.grids[w->of[0]].stride[d - 1];
    return w->broadcast >> d & 1 ? 0 : (uint64_t)stride;
}

static uint64_t argument(const launcher *l, const stencilrt_parameter *p) {
    const rt_arrays *arrays = l->steps->arrays;
    switch ((stencilrt_parameter_kind)p->kind) {
    case STENCILRT_ARG_DST:
        return target(l, p->index);
    case STENCILRT_ARG_SRC:
        return source(l, p->index);
    case STENCILRT_ARG_EXTENT:
        return (uint64_t)arrays->whole.extent[p->index];
    case STENCILRT_ARG_STRIDE:
        return stride(l, p->index / 3, p->index % 3);
    case STENCILRT_ARG_CHUNK:
        return (uint64_t)l->chunk;
    case STENCILRT_ARG_SCALAR:
        return rt_scalar_value(&l->arguments, arrays->region, p->index, l->step);
    case STENCILRT_ARG_INCREMENT:
        return l->arguments.scalars[p->index][1];
    default: /* not sound in such a kernel */
        return 0;
    }
}

/* Each array's entry becomes what has its newest values. */
static void exchange(rt_steps *s, uint32_t bt) {
    for (uint32_t k = 0; k < s->arrays->region->step->narrays; k++) {
        const rt_whole_array *w = array_at(s, k);
        if (!w->written)
            continue;
        if (!takes_turns(w))
            rt_swap_blocks(&s->blocks[w->of[0]], &s->scratch[w->of[0]]);
        else if (bt % 2 == 0)
            rt_swap_blocks(&s->blocks[w->of[0]], &s->blocks[w->of[1]]);
    }
}

static bool launch(const launcher *l, rt_device *device, void *module, const rt_run *run,
                   rt_error *why) {
    const stencilrt_kernel *k = &l->steps->arrays->region->kernels[run->kernel];
    rt_launch launch = {.kernel = run->kernel,
                        .grid = {run->grid[0], run->grid[1], run->grid[2]},
                        .block = {k->block[0], k->block[1], k->block[2]},
                        .scratchpad = k->scratchpad,
                        .args = l->arguments.pointers,
                        .arg_sizes = l->arguments.sizes,
                        .nargs = k->nparameters};
    for (uint32_t i = 0; i < k->nparameters; i++)
        l->arguments.values[i] = argument(l, &k->parameters[i]);
    bool ok = device->driver->launch(device->handle, module, &launch, why);
    device->launches += ok || why->reason != RT_LOAD; /* then nothing ran */
    return ok;
}

static bool launch_run(rt_steps *s, rt_device *device, void *module, const rt_run *run,
                       rt_pace *pace, int64_t *made, rt_error *why) {
    const rt_arrays *arrays = s->arrays;
    const stencilrt_kernel *k = &arrays->region->kernels[run->kernel];
    launcher l = {.steps = s, .chunk = run->chunk};
    bool ok = rt_arguments_reserve(&l.arguments, arrays->region, arrays->call, k, why);
    for (int64_t i = 0; ok && i < run->launches && !pace->ends; i++) {
        bool end = false;
        l.step = *made;
        ok = launch(&l, device, module, run, why);
        if (!ok)
            break;
        exchange(s, k->bt);
        *made += k->bt;
        ok = rt_pace_next(pace, *made, arrays->call->steps - *made, &end, why);
        pace->ends |= end;
    }
    rt_arguments_free(&l.arguments);
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
