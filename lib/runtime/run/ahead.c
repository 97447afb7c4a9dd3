/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/run/ahead.h"

#include "runtime/call/parameters.h"
#include "runtime/call/stops.h"
#include "runtime/device/transfer.h"
#include "runtime/run/arguments.h"
#include "runtime/run/halos.h"
#include "runtime/run/words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST = 7,       /* steps of the first launch */
    MOST = 1023,     /* .. and of any launch that is asked about */
    EXPECTED = 1000, /* of a loop that stops by itself, at most */
    UNKNOWN = 1 << 30
};

static bool asks(const rt_ahead *a) {
    return rt_ends_by_condition(a->arrays->call->check);
}

/* The greatest odd number up to `steps`; less than 1: there is none. */
static int64_t odd(int64_t steps) {
    return steps - (steps % 2 == 0);
}

/* May they run? */

static bool copies_back(const rt_ahead *a) {
    return a->ports != NULL;
}

/* What a launch from step 0 on reads (0) and writes (1). */
static const rt_view *view_of(const rt_ahead *a, uint32_t number) {
    uint32_t grid = copies_back(a) && number == 0 ? a->source : a->shape.rotating;
    uint32_t first = a->region.grids[grid].first_buffer;
    return &a->arrays->views[a->arrays->first_view[0] + first + (copies_back(a) ? 0 : number)];
}

/* Is the sweep's grid with two buffers the only one that is read at step 0's level and written? */
static bool rotates(const rt_ahead *a) {
    const stencilrt_region *r = &a->region;
    bool good = r->grids[a->shape.rotating].buffers == 2;
    for (uint32_t i = 0; i < r->nports; i++)
        good = good && (r->ports[i].grid != a->shape.rotating || !r->ports[i].noffsets ||
                        rt_port_steps_back(r, &r->ports[i]) == 1);
    return good;
}

/* Are both buffers counted alike? */
static bool lie_alike(const rt_ahead *a) {
    const rt_view *first = view_of(a, 0), *second = view_of(a, 1);
    return first->array != second->array && first->array != UINT32_MAX &&
           second->array != UINT32_MAX && !memcmp(first->at, second->at, sizeof first->at);
}

/* Are both buffers arrays of their own, of the same cells, in which nothing else is accessed? */
static bool lie_apart(const rt_ahead *a) {
    const rt_view *first = view_of(a, 0), *second = view_of(a, 1);
    bool good = lie_alike(a);
    for (uint32_t i = 0; i < a->arrays->nviews; i++) {
        const rt_view *v = &a->arrays->views[i];
        good =
            good && !v->masked &&
            (v == first || v == second || (v->array != first->array && v->array != second->array));
    }
    return good;
}

/* Of two sweeps, of which the second one writes: it copies the result back to what the first one
 * reads. False if memory ran out. */
static bool find_source(rt_ahead *a) {
    const rt_arrays *all = a->arrays;
    const rt_view *back = NULL;
    for (uint32_t i = all->first_view[1]; i < all->nviews; i++)
        back = all->views[i].written ? &all->views[i] : back;
    if (!back)
        return true;
    a->source = a->shape.rotating;
    for (uint32_t g = 0; g < a->region.ngrids; g++)
        if (all->views[all->first_view[0] + a->region.grids[g].first_buffer].array == back->array)
            a->source = g;
    size_t bytes = a->region.nports * sizeof *a->ports;
    a->ports = malloc(bytes);
    if (!a->ports)
        return false;
    memcpy(a->ports, a->region.ports, bytes);
    for (uint32_t i = 0; i < a->region.nports; i++)
        if (a->ports[i].grid == a->source)
            a->ports[i].grid = a->shape.rotating;
    a->region.ports = a->ports;
    return a->source != a->shape.rotating;
}

static bool reduces(const stencilrt_region *r) {
    bool any = false;
    for (uint32_t k = r->nsweeps; k < r->nkernels; k++)
        for (uint32_t i = 0; i < r->kernels[k].nparameters; i++)
            any = any || (r->kernels[k].kind == STENCILRT_RESIDENT && r->kernels[k].reach == 0 &&
                          r->kernels[k].parameters[i].kind == STENCILRT_ARG_REDUCED);
    return any;
}

/* What others take */

/* Seconds that the CPU waits for after a launch whose steps it is asked about. */
static const double wait_time = 20e-6;

static double others(const rt_ahead *a, rt_device *device, void *module, const rt_steps *whole) {
    static const double lost = 1.25; /* steps that are made in vain, or twice */
    rt_error ignored;
    rt_schedule *own = whole ? NULL : malloc(sizeof *own);
    const rt_schedule *schedule = whole ? &whole->schedule : own;
    double steps = (double)a->shape.steps, degree = whole ? a->arrays->whole.bt : 1, seconds = 0;
    if (whole ||
        (own && rt_schedule_make_whole(own, device, module, a->arrays, 0, false, &ignored)))
        seconds = schedule->seconds * steps / (double)a->arrays->call->steps;
    free(own);
    if (!a->reduces || seconds == 0)
        return seconds;
    return (seconds + steps / degree * wait_time) / lost - (sqrt(steps) / 2 + 1) * wait_time;
}

static bool describe(rt_ahead *a) {
    const stencilrt_region *whole = a->arrays->region;
    const stencilrt_call *call = a->arrays->call;
    a->region = whole->sweeps[0];
    a->region.kernels = whole->kernels;
    a->region.nkernels = whole->nkernels;
    a->shape = (rt_shape){.region = &a->region,
                          .call = &call->sweeps[0],
                          .steps = call->steps,
                          .bt = 1,
                          .most_on_chip = a->arrays->whole.most_on_chip};
    for (uint32_t d = 0; d < 3; d++)
        a->shape.extent[d] = d < whole->rank ? call->sweeps[0].extent[d] : 1;
    if (asks(a) && a->shape.steps > EXPECTED)
        a->shape.steps = EXPECTED;
    a->reduces = reduces(whole);
    if (call->tables || call->steps < 2 || a->shape.most_on_chip < 2 ||
        a->reduces != (asks(a) && rt_has_reductions(whole)))
        return false;
    uint32_t written = 0;
    while (written < a->region.nports && !(a->region.ports[written].access & STENCILRT_WRITE))
        written++;
    if (written == a->region.nports)
        return false;
    a->shape.rotating = a->region.ports[written].grid;
    return whole->nsweeps == 1 ? rotates(a) && lie_apart(a)
                               : a->arrays->whole.can && find_source(a);
}

static bool has_resident(const stencilrt_region *r) {
    bool has = false;
    for (uint32_t k = r->nsweeps; k < r->nkernels; k++)
        has = has || (r->kernels[k].kind == STENCILRT_RESIDENT && r->kernels[k].reach == 0);
    return has;
}

/* Steps of a launch: slots of all fit into a chunk, with room for a word. */
static int64_t find_most(const rt_ahead *a) {
    int64_t count = rt_reduction_count(a->arrays->region);
    int64_t fit = RT_CHUNK_BYTES / (count * STENCILRT_SLOTS * (int64_t)sizeof(uint64_t) + 1) - 1;
    int64_t most = a->run.chip.most;
    if (asks(a))
        most = most < MOST ? most : MOST;
    return odd(a->reduces && fit < most ? fit : most);
}

rt_ahead *rt_ahead_plan(rt_device *device, void *module, const rt_arrays *arrays,
                        const rt_steps *whole) {
    rt_ahead *a = has_resident(arrays->region) ? calloc(1, sizeof *a) : NULL;
    if (!a)
        return NULL;
    a->arrays = arrays;
    if (!describe(a) ||
        !rt_chip_choose(&a->run, device, module, &a->shape, others(a, device, module, whole))) {
        rt_ahead_free(a);
        return NULL;
    }
    a->most = find_most(a);
    return a;
}

void rt_ahead_free(rt_ahead *a) {
    if (a)
        free(a->ports);
    free(a);
}

/* Memory */

static bool allocate(rt_ahead *a, rt_device *device) {
    rt_error ignored;
    size_t bytes = (size_t)a->most * rt_reduction_count(a->arrays->region) * STENCILRT_SLOTS *
                   sizeof(uint64_t);
    size_t size = a->region.grids[a->shape.rotating].elem_size;
    size_t words = rt_chip_bytes(&a->run, a->shape.region, 1, size);
    return rt_words_allocate(device, words, &a->words, &ignored) &&
           (!a->reduces || rt_device_alloc(device, bytes, &a->slots, &ignored));
}

bool rt_ahead_begin(rt_ahead *a, rt_device *device, const rt_uses *uses, const rt_block *blocks) {
    const uint32_t of[2] = {view_of(a, 0)->array, view_of(a, 1)->array};
    const rt_grid *grids = a->arrays->shape.grids;
    bool ok = a->most > 0 && lie_alike(a) &&
              !memcmp(grids[of[0]].stride, grids[of[1]].stride, sizeof grids->stride) &&
              (copies_back(a) || rt_halos_agree(a->arrays, uses, device, blocks, of)) &&
              allocate(a, device);
    a->blocks = blocks;
    if (!ok)
        rt_ahead_end(a, device);
    return ok;
}

void rt_ahead_end(rt_ahead *a, rt_device *device) {
    rt_device_free(device, &a->words);
    rt_device_free(device, &a->slots);
}

/* Where the blocks' answer comes, behind the slots of all steps. */
static uint32_t *room_of(const rt_ahead *a, rt_device *device) {
    size_t used = a->reduces ? rt_reducer_bytes(a->reducer, (uint32_t)a->most) : 0;
    return (uint32_t *)((unsigned char *)device->chunks[1] + used);
}

bool rt_ahead_is_complete(const rt_ahead *a, rt_device *device, rt_error *why) {
    uint32_t *room = room_of(a, device);
    return rt_words_ask(device, &a->words, room, why) &&
           device->driver->sync(device->handle, why) && rt_words_came(device, room, why);
}

/* Launches */

typedef struct launcher {
    rt_ahead *a;
    rt_device *device;
    void *module;
    const rt_sweep *sweep;
    int64_t step, steps; /* the launch's first step, and their number */
    rt_arguments arguments;
} launcher;

static uint64_t buffer(const launcher *l, uint32_t grid, uint32_t number) {
    uint32_t first = l->a->region.grids[grid].first_buffer;
    return rt_cell_zero(&l->sweep->shape, grid, &l->sweep->memory.blocks[first + number]);
}

static uint64_t argument(const launcher *l, const stencilrt_parameter *p) {
    const rt_ahead *a = l->a;
    uint32_t i = p->index;
    switch ((stencilrt_parameter_kind)p->kind) {
    case STENCILRT_ARG_SRC:
        return copies_back(a) ? buffer(l, a->source, 0) : buffer(l, i, l->step % 2);
    case STENCILRT_ARG_DST:
        return buffer(l, i, copies_back(a) ? 0 : 1 - l->step % 2);
    case STENCILRT_ARG_PORT: /* of a grid with one buffer */
        return buffer(l, a->region.ports[i].grid, 0);
    case STENCILRT_ARG_EXTENT:
        return (uint64_t)a->shape.extent[i];
    case STENCILRT_ARG_STRIDE:
        return (uint64_t)l->sweep->shape.grids[i / 3].stride[i % 3 - 1];
    case STENCILRT_ARG_SCALAR:
        return rt_scalar_value(&l->arguments, &a->region, i, l->step);
    case STENCILRT_ARG_INCREMENT:
        return l->arguments.scalars[i][1];
    case STENCILRT_ARG_OWN:
    case STENCILRT_ARG_MARGIN:
    case STENCILRT_ARG_ROUND:
    case STENCILRT_ARG_STEPS:
    case STENCILRT_ARG_EPOCH:
    case STENCILRT_ARG_PATIENCE:
    case STENCILRT_ARG_WORDS:
        return rt_chip_argument(&(rt_chip_arguments){&a->run.chip, l->steps, a->epoch,
                                                     l->device->driver->patience, a->words.address},
                                p);
    case STENCILRT_ARG_REDUCED:
        return a->slots.address;
    default: /* not allowed in such a kernel */
        return 0;
    }
}

/* An odd number of steps. */
static bool launch(launcher *l, int64_t step, int64_t steps, rt_error *why) {
    rt_ahead *a = l->a;
    const rt_driver *driver = l->device->driver;
    const stencilrt_kernel *k = &a->region.kernels[a->run.kernel];
    rt_launch launch = rt_arguments_launch(&l->arguments, k, a->run.kernel);
    memcpy(launch.grid, a->run.grid, sizeof launch.grid);
    launch.together = true;
    l->step = step;
    l->steps = steps;
    for (uint32_t i = 0; i < k->nparameters; i++)
        l->arguments.values[i] = argument(l, &k->parameters[i]);
    size_t bytes = a->reduces ? rt_reducer_bytes(a->reducer, (uint32_t)steps) : 0;
    if (bytes > 0 && !driver->zero(l->device->handle, a->slots.address, bytes, why))
        return false;
    bool ok = driver->launch(l->device->handle, l->module, &launch, why);
    l->device->launches += ok || why->reason != RT_LOAD; /* after RT_LOAD nothing ran */
    l->device->together |= ok;
    a->epoch += rt_ceil_div(steps, a->run.chip.round);
    return ok;
}

/* What the launch has written is what the program has. */
static bool take(const launcher *l, int64_t *made, rt_error *why) {
    static const int32_t here[3];
    const rt_ahead *a = l->a;
    const rt_view *from = view_of(a, 1), *to = view_of(a, 0);
    const rt_grid *grids = a->arrays->shape.grids;
    rt_box box = rt_view_box(a->arrays, from, here);
    *made += l->steps;
    return !copies_back(a) ||
           rt_move_box(l->device, &grids[from->array], a->blocks[from->array].address,
                       &grids[to->array], a->blocks[to->array].address, &box, why);
}

/* The steps of a loop that stops by itself, in the call, are a guess. */
static int64_t steps_left(const rt_ahead *a, int64_t made) {
    return asks(a) ? UNKNOWN : a->arrays->call->steps - made;
}

/* Seconds that a launch takes besides its steps, with the answer for each: 35 to 50 us (H100). */
static const double launch_time = 45e-6;

/* So many that launches cost as much besides their steps as the last launch makes too many on
 * average, if the loop may end after any step. */
static int64_t best_steps(const rt_ahead *a, int64_t made) {
    double one = a->run.chip.seconds, best = LEAST;
    if (one > 0)
        best = fmax(best, sqrt(2 * launch_time / one * (double)made));
    return best < (double)a->most ? (int64_t)best : a->most;
}

/* The steps of the next launch; less than 1: none. The sweep's own kernel makes at least one. */
static int64_t next_steps(const rt_ahead *a, int64_t made) {
    int64_t left = steps_left(a, made) - 1, steps = asks(a) ? best_steps(a, made) : a->most;
    return odd(steps < left ? steps : left);
}

/* Asks the program about the launch's steps, after it. *taken: its result is what the program has,
 * but for the other buffer. */
static bool decide(launcher *l, bool *taken, rt_error *why) {
    rt_ahead *a = l->a;
    bool certain = true;
    uint32_t *room = room_of(a, l->device);
    if (!rt_words_ask(l->device, &a->words, room, why) ||
        !rt_reducer_fetch_from(a->reducer, a->slots.address, (uint32_t)l->steps, why) ||
        !rt_words_came(l->device, room, why))
        return false;
    for (a->asked = 0; a->asked < l->steps && a->exit == 0 && certain;) {
        rt_reducer_ask(a->reducer, (uint32_t)a->asked, l->step + a->asked, &certain);
        a->exit = certain ? (int)a->reducer->check->exit : 0;
        a->asked += certain;
    }
    *taken = certain && a->exit == 0;
    return true;
}

/* Asks it before a launch of so many steps. May all of them be launched? */
static bool ask(rt_ahead *a, int64_t step, int64_t steps) {
    const stencilrt_check *check = a->arrays->call->check;
    for (a->asked = 0; a->asked < steps && a->exit == 0; a->asked++)
        a->exit = rt_ask_ends(check, step + a->asked);
    return a->exit == 0;
}

/* Of the steps that were asked for, those that a launch makes: not the last one of the loop. */
static bool launch_asked(launcher *l, int64_t *made, rt_error *why) {
    rt_ahead *a = l->a;
    int64_t steps = odd(a->asked - (a->exit != 0));
    if (steps < 1)
        return true;
    a->asked -= steps;
    return launch(l, *made, steps, why) && take(l, made, why);
}

/* *stopped: no such launch follows. */
static bool launch_next(launcher *l, int64_t steps, int64_t *made, bool *stopped, rt_error *why) {
    rt_ahead *a = l->a;
    bool taken = true;
    if (asks(a) && !a->reduces && !ask(a, *made, steps)) {
        *stopped = true;
        return launch_asked(l, made, why);
    }
    if (!launch(l, *made, steps, why) || (a->reduces && !decide(l, &taken, why)))
        return false;
    *stopped = !taken;
    if (!taken)
        return launch_asked(l, made, why);
    a->asked = 0;
    return take(l, made, why);
}

bool rt_ahead_launch(rt_ahead *a, rt_device *device, void *module, const rt_sweep *sweep,
                     rt_pace *pace, int64_t *made, rt_error *why) {
    const stencilrt_kernel *k = &a->region.kernels[a->run.kernel];
    launcher l = {.a = a, .device = device, .module = module, .sweep = sweep};
    bool ok = rt_arguments_reserve(&l.arguments, &a->region, a->shape.call, k, why);
    bool stopped = false;
    int64_t steps, size = pace->size;
    pace->size = 1; /* these launches are long */
    *made = 0;
    while (ok && !stopped && !pace->ends && (steps = next_steps(a, *made)) > 0) {
        bool ends = false;
        ok = launch_next(&l, steps, made, &stopped, why) &&
             rt_pace_next(pace, *made, steps_left(a, *made), &ends, why);
        pace->ends |= ends;
    }
    pace->size = size;
    rt_arguments_free(&l.arguments);
    return ok;
}
