/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches kernels of whole steps: memory for the second copies of arrays, the arguments of each
 * launch, and the exchange of copies after it.
 */
#include "runtime/run/steps.h"

#include "runtime/call/parameters.h"
#include "runtime/call/stops.h"
#include "runtime/call/whole.h"
#include "runtime/device/transfer.h"
#include "runtime/run/arguments.h"
#include "runtime/run/ghosts.h"
#include "runtime/run/halos.h"
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

static bool stays(const rt_steps *s, uint32_t number) {
    return rt_uses_held(s->uses, number);
}

/* The layout in which launches see the array. */
static const rt_grid *wide(const rt_steps *s, uint32_t number) {
    return &s->arrays->whole.wide[number];
}

/* The block that launches read or write. */
static rt_block *block_of(const rt_steps *s, uint32_t number) {
    return stays(s, number) ? &s->copies[number] : &s->blocks[number];
}

static bool alloc_bare(const rt_steps *s, rt_device *device, uint32_t number, rt_block *block) {
    rt_error ignored;
    return rt_device_alloc(device, wide(s, number)->bytes, block, &ignored);
}

/* Fills the block: pads are loaded, and nobody writes them. */
static bool alloc(const rt_steps *s, rt_device *device, uint32_t number, rt_block *block) {
    rt_error ignored;
    return alloc_bare(s, device, number, block) &&
           device->driver->blank(device->handle, block->address, wide(s, number)->bytes, &ignored);
}

/* Do all cells of the array lie in the box? A launch writes all these cells, so that scratch needs
 * none of them at first. */
static bool lies_in_box(const rt_steps *s, uint32_t number) {
    const rt_whole *w = &s->arrays->whole;
    bool in = true;
    for (int d = 0; d < 3; d++)
        in = in && w->bare[number].lo[d] >= 0 && w->bare[number].hi[d] <= w->extent[d];
    return in;
}

/* Scratch that needs more than pads gets all cells later. */
static bool alloc_scratch(const rt_steps *s, rt_device *device, uint32_t number) {
    return (lies_in_box(s, number) ? alloc : alloc_bare)(s, device, number, &s->scratch[number]);
}

static bool blank(const rt_steps *s, rt_device *device, uint32_t number) {
    rt_error ignored;
    return stays(s, number) || device->driver->blank(device->handle, s->blocks[number].address,
                                                     wide(s, number)->bytes, &ignored);
}

/* Blocks are no larger than they must be on a device that checks accesses. */
static bool fits(const rt_device *device, const rt_block *block, size_t bytes) {
    return block->address &&
           (block->bytes == bytes || (device->driver->keeps_memory && block->bytes > bytes));
}

/* Takes scratch of launches that are done, if it fits. */
static bool take_or_alloc(rt_steps *s, rt_device *device, rt_steps *from, uint32_t number) {
    rt_error ignored;
    rt_block *to = &s->scratch[number];
    size_t bytes = wide(s, number)->bytes;
    if (from && from->scratch && !fits(device, &from->scratch[number], bytes))
        rt_device_free(device, &from->scratch[number]);
    if (!from || !from->scratch || !from->scratch[number].address)
        return alloc_scratch(s, device, number);
    *to = from->scratch[number];
    from->scratch[number].address = 0;
    return !lies_in_box(s, number) ||
           device->driver->blank(device->handle, to->address, bytes, &ignored);
}

/* Scratch of arrays with one buffer that are written. */
static bool reserve_scratch(rt_steps *s, rt_device *device, rt_steps *from) {
    bool ok = true;
    for (uint32_t k = 0; k < s->arrays->region->step->narrays && ok; k++) {
        const rt_whole_array *w = array_at(s, k);
        if (w->written && !takes_turns(w))
            ok = take_or_alloc(s, device, from, w->of[0]);
    }
    return ok;
}

static bool reserve_blocks(rt_steps *s, rt_device *device) {
    const rt_arrays *a = s->arrays;
    s->scratch = calloc(a->count, sizeof *s->scratch);
    s->copies = calloc(a->count, sizeof *s->copies);
    s->nvalues = rt_followed_count(a->region, rt_scalar_count(a->region));
    s->values = calloc(s->nvalues * STENCILRT_VALUES + 1, sizeof *s->values);
    bool ok = s->scratch && s->copies && s->values;
    for (uint32_t i = 0; i < a->count && ok; i++)
        ok = (!stays(s, i) || alloc(s, device, i, &s->copies[i])) && blank(s, device, i);
    return ok && (s->borrows || reserve_scratch(s, device, NULL));
}

static bool plan(rt_schedule *schedule, rt_device *device, void *module, const rt_arrays *a) {
    rt_error ignored;
    return rt_schedule_make_whole(schedule, device, module, a, a->whole.chunk, a->whole.eager,
                                  &ignored) &&
           is_blocked(schedule);
}

rt_steps *rt_steps_plan(rt_device *device, void *module, const rt_arrays *arrays) {
    rt_steps *s = arrays->whole.can ? calloc(1, sizeof *s) : NULL;
    if (s && !plan(&s->schedule, device, module, arrays)) {
        free(s);
        return NULL;
    }
    if (s)
        s->arrays = arrays;
    return s;
}

bool rt_steps_plan_again(rt_steps *s, rt_device *device, void *module) {
    return plan(&s->schedule, device, module, s->arrays);
}

bool rt_steps_begin(rt_steps *s, rt_device *device, const rt_uses *uses, rt_block *blocks) {
    s->uses = uses;
    s->blocks = blocks;
    bool ok = reserve_blocks(s, device);
    if (!ok)
        rt_steps_end(s, device);
    return ok;
}

static void release_all(rt_block *blocks, uint32_t count, rt_device *device) {
    for (uint32_t i = 0; blocks && i < count; i++)
        rt_device_free(device, &blocks[i]);
    free(blocks);
}

void rt_steps_end(rt_steps *s, rt_device *device) {
    release_all(s->scratch, s->arrays->count, device);
    release_all(s->copies, s->arrays->count, device);
    free(s->values);
    s->scratch = s->copies = NULL;
    s->values = NULL;
}

/* Do all kernels take a buffer with other cells? */
static bool kernels_know_other(const stencilrt_region *r, uint32_t array) {
    bool all = true;
    for (uint32_t k = r->nsweeps; k < r->nkernels && all; k++) {
        bool knows = r->kernels[k].kind != STENCILRT_STEPS;
        for (uint32_t i = 0; i < r->kernels[k].nparameters; i++)
            knows = knows || (r->kernels[k].parameters[i].kind == STENCILRT_ARG_OTHER &&
                              r->kernels[k].parameters[i].index == array);
        all = knows;
    }
    return all;
}

/* Scratch for both buffers of an array, of which a launch reads one and writes one's scratch. */
static bool keep_apart(rt_steps *s, rt_device *device, uint32_t array) {
    const rt_whole_array *w = array_at(s, array);
    bool ok = kernels_know_other(s->arrays->region, array);
    for (int i = 0; i < 2 && ok; i++)
        ok = alloc_scratch(s, device, w->of[i]);
    return ok;
}

bool rt_steps_look_at_halos(rt_steps *s, rt_device *device) {
    uint32_t count = s->arrays->region->step->narrays, of[3];
    bool ok = true;
    for (uint32_t k = 0; k < count && ok; k++)
        if (takes_turns(array_at(s, k)) &&
            !rt_halo_is_equal(s->arrays, s->uses, device, s->blocks, k)) {
            ok = rt_whole_buffers(s->arrays, k, of) == 2;
            s->apart = true;
        }
    for (uint32_t k = 0; k < count && ok && s->apart; k++)
        ok = rt_whole_buffers(s->arrays, k, of) != 2 || keep_apart(s, device, k);
    return ok;
}

static bool move_boxes(const rt_steps *s, rt_device *device, uint32_t number, bool back,
                       rt_error *why) {
    const rt_grid *own = &s->arrays->shape.grids[number];
    const rt_boxes *boxes = &(back ? s->arrays->results : s->arrays->uploads)[number];
    uint64_t here = s->blocks[number].address, there = s->copies[number].address;
    bool ok = true;
    for (size_t i = 0; i < boxes->count && ok; i++)
        ok = back ? rt_move_box(device, wide(s, number), there, own, here, &boxes->at[i], why)
                  : rt_move_box(device, own, here, wide(s, number), there, &boxes->at[i], why);
    return ok;
}

static bool move_all(const rt_steps *s, rt_device *device, bool back, rt_error *why) {
    bool ok = true;
    for (uint32_t i = 0; i < s->arrays->count && ok; i++)
        ok = !stays(s, i) || move_boxes(s, device, i, back, why);
    return ok;
}

static bool fill_scratch(const rt_steps *s, rt_device *device, rt_error *why) {
    bool ok = true;
    for (uint32_t i = 0; i < s->arrays->count && ok; i++)
        ok = !s->scratch[i].address || lies_in_box(s, i) ||
             device->driver->copy(device->handle, s->scratch[i].address, block_of(s, i)->address,
                                  wide(s, i)->bytes, why);
    return ok;
}

bool rt_steps_fill(const rt_steps *s, rt_device *device, rt_error *why) {
    return move_all(s, device, false, why) && fill_scratch(s, device, why);
}

bool rt_steps_borrow(rt_steps *s, rt_steps *from, rt_device *device) {
    rt_error ignored;
    return reserve_scratch(s, device, from) && fill_scratch(s, device, &ignored);
}

/* Launches */

typedef struct launcher {
    rt_steps *steps;
    int64_t step, bt, chunk; /* the launch's first step, its number of steps, planes of a chunk */
    rt_arguments arguments;
} launcher;

static uint64_t cell_zero(const rt_steps *s, uint32_t array, const rt_block *block) {
    return block->address + wide(s, array)->origin;
}

/* The array whose place this one has in that step. */
static const rt_whole_array *array_in(const rt_steps *s, uint32_t number, int64_t step) {
    return array_at(s, step % 2 ? array_at(s, number)->becomes : number);
}

/* Of three buffers that take turns: the one that in that step is u[t-1], u[t] or u[t+1], for level
 * 0, 1 or 2. */
static uint32_t buffer_of(const rt_steps *s, uint32_t older, int level, int64_t step) {
    const rt_whole_array *w = array_at(s, older);
    const uint32_t of[3] = {w->of[0], array_at(s, w->becomes)->of[0], w->of[1]};
    return of[(level + step) % 3];
}

static bool is_of_three(const rt_steps *s, uint32_t number) {
    return array_at(s, number)->older != UINT32_MAX;
}

/* Has the array two buffers, each with scratch of its own? */
static bool is_apart(const rt_steps *s, uint32_t number) {
    uint32_t of[3];
    return s->apart && rt_whole_buffers(s->arrays, number, of) == 2;
}

/* The bytes by which the array moves on in a step. */
static int64_t advance(const rt_steps *s, const rt_whole_array *w) {
    const rt_grid *grid = &s->arrays->whole.wide[w->of[0]];
    int64_t cells = w->along > 1 ? grid->stride[w->along - 2] : 1;
    return w->along > 0 ? cells * (int64_t)grid->elem_size : w->advance;
}

/* The bytes from the array's cell (0,0,0) to that of the box: several traces may be one array. */
static int64_t first_cell(const rt_steps *s, const rt_whole_array *w) {
    const rt_grid *grid = &s->arrays->whole.wide[w->of[0]];
    int64_t cells =
        w->zero[0][0] + w->zero[0][1] * grid->stride[0] + w->zero[0][2] * grid->stride[1];
    return w->along > 0 ? cells * (int64_t)grid->elem_size : 0;
}

/* The address of the copy that the launch reads. */
static uint64_t source(const launcher *l, uint32_t number) {
    const rt_steps *s = l->steps;
    const rt_whole_array *w = array_in(s, number, l->step);
    if (is_of_three(s, number)) {
        uint32_t older = array_at(s, number)->older;
        uint32_t now = buffer_of(s, older, number != older, l->step);
        return cell_zero(s, now, block_of(s, now));
    }
    uint32_t now = takes_turns(w) ? w->of[l->step % 2] : w->of[0];
    uint64_t moved = (uint64_t)(first_cell(s, w) + w->moved + l->step * advance(s, w));
    return cell_zero(l->steps, now, block_of(l->steps, now)) + moved;
}

/* That of the other buffer, if it has other cells that no step writes. */
static uint64_t other(const launcher *l, uint32_t number) {
    const rt_steps *s = l->steps;
    if (!is_apart(s, number))
        return source(l, number);
    uint32_t next = array_at(s, number)->of[1 - l->step % 2];
    return cell_zero(s, next, block_of(s, next));
}

static uint64_t target(const launcher *l, uint32_t number) {
    const rt_steps *s = l->steps;
    if (is_apart(s, number)) {
        uint32_t last = array_at(s, number)->of[(l->step + l->bt) % 2];
        return cell_zero(s, last, &s->scratch[last]);
    }
    const rt_whole_array *w = array_in(s, number, l->step + l->bt);
    if (is_of_three(s, number)) {
        bool older = array_at(s, number)->older == number;
        uint32_t to = older ? buffer_of(s, number, 2, l->step) : array_at(s, number)->of[0];
        return cell_zero(s, to, older ? block_of(s, to) : &s->scratch[to]);
    }
    uint32_t next = takes_turns(w) ? w->of[1 - l->step % 2] : w->of[0];
    return cell_zero(s, next, takes_turns(w) ? block_of(s, next) : &s->scratch[next]);
}

static uint64_t stride(const launcher *l, uint32_t number, uint32_t d) {
    const rt_whole_array *w = array_at(l->steps, number);
    int64_t stride = wide(l->steps, w->of[0])->stride[d - 1];
    return w->broadcast >> d & 1 && !w->along ? 0 : (uint64_t)stride;
}

/* The value of a followed scalar `step` steps later. */
static uint64_t value(const launcher *l, uint32_t scalar, uint32_t step) {
    const rt_steps *s = l->steps;
    size_t place = step * s->nvalues + rt_followed_count(s->arrays->region, scalar);
    const uint64_t *given = s->reducer->followed; /* values of all steps */
    return given ? given[(size_t)l->step * s->nvalues + place] : s->values[place];
}

/* Bit k tells whether the sweep is made k steps later. */
static uint64_t made_bits(const launcher *l, const stencilrt_region *sweep) {
    uint64_t bits = 0;
    for (uint32_t k = 0; k < STENCILRT_VALUES; k++)
        bits |= (uint64_t)((l->step + k) % sweep->every == sweep->phase) << k;
    return bits;
}

static uint64_t argument(const launcher *l, const stencilrt_parameter *p) {
    const rt_arrays *arrays = l->steps->arrays;
    switch ((stencilrt_parameter_kind)p->kind) {
    case STENCILRT_ARG_DST:
        return target(l, p->index);
    case STENCILRT_ARG_SRC:
        return source(l, p->index);
    case STENCILRT_ARG_OTHER:
        return other(l, p->index);
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
    case STENCILRT_ARG_VALUE:
        return value(l, p->index / STENCILRT_VALUES, p->index % STENCILRT_VALUES);
    case STENCILRT_ARG_MADE:
        return made_bits(l, &arrays->region->sweeps[p->index]);
    case STENCILRT_ARG_PLACE:
        return (uint64_t)arrays->whole.places[p->index];
    case STENCILRT_ARG_REDUCED:
        return l->steps->reducer->slots.address;
    default: /* not allowed in such a kernel */
        return 0;
    }
}

/* For three buffers, after a launch of bt steps from `step` on. u[t-1] is in the place of u[t+1],
 * and u[t] in the scratch. */
static void exchange_three(rt_steps *s, uint32_t older, int64_t step, uint32_t bt) {
    uint32_t newer = array_at(s, older)->becomes;
    rt_swap_blocks(block_of(s, buffer_of(s, older, 2, step)),
                   block_of(s, buffer_of(s, older, 0, step + bt)));
    rt_swap_blocks(block_of(s, buffer_of(s, older, 1, step + bt)),
                   &s->scratch[array_at(s, newer)->of[0]]);
}

/* Makes each array's entry the copy with the newest values. */
static void exchange(rt_steps *s, int64_t step, uint32_t bt) {
    for (uint32_t k = 0; k < s->arrays->region->step->narrays; k++) {
        const rt_whole_array *w = array_at(s, k);
        if (!w->written)
            continue;
        uint32_t last = w->of[(step + bt) % 2];
        if (is_apart(s, k))
            rt_swap_blocks(block_of(s, last), &s->scratch[last]);
        else if (w->older == k)
            exchange_three(s, k, step, bt);
        else if (is_of_three(s, k))
            continue;
        else if (!takes_turns(w))
            rt_swap_blocks(block_of(s, w->of[0]), &s->scratch[w->of[0]]);
        else if (bt % 2 == 0)
            rt_swap_blocks(block_of(s, w->of[0]), block_of(s, w->of[1]));
    }
}

/* Keeps the values that the CPU computed for the next step. */
static void keep_values(launcher *l) {
    rt_steps *s = l->steps;
    const stencilrt_region *r = s->arrays->region;
    uint64_t *to = s->values + (size_t)s->asked * s->nvalues;
    for (uint32_t i = 0; i < rt_scalar_count(r); i++)
        if (rt_scalar(r, i)->kind == STENCILRT_FOLLOWED)
            *to++ = rt_scalar_value(&l->arguments, r, i, l->step);
}

/* Asks about the next `bt` steps, or as many as there are. Can a launch make them? Not if the
 * sweeps' own kernels must make the last of them. */
static bool ask(launcher *l, uint32_t bt) {
    rt_steps *s = l->steps;
    const stencilrt_check *check = s->arrays->call->check;
    if (!rt_ends_by_condition(check) || s->arrays->whole.decides)
        return true;
    for (s->asked = 0; s->asked < bt && s->exit == 0;) {
        keep_values(l);
        s->asked++;
        s->exit = rt_ask_ends(check, l->step + s->asked - 1);
    }
    return s->asked == bt && (s->exit == 0 || !s->arrays->whole.last);
}

static bool launch(const launcher *l, rt_device *device, void *module, const rt_run *run,
                   rt_error *why) {
    const stencilrt_kernel *k = &l->steps->arrays->region->kernels[run->kernel];
    rt_launch launch = rt_arguments_launch(&l->arguments, k, run->kernel);
    memcpy(launch.grid, run->grid, sizeof launch.grid);
    for (uint32_t i = 0; i < k->nparameters; i++)
        l->arguments.values[i] = argument(l, &k->parameters[i]);
    bool ok = device->driver->launch(device->handle, module, &launch, why);
    device->launches += ok || why->reason != RT_LOAD; /* after RT_LOAD nothing ran */
    return ok;
}

/* Clears what a launch reduces to. Slices of launches may have used the memory with the zeros. */
static bool clear(rt_steps *s, uint32_t bt, rt_pace *pace, rt_error *why) {
    if (!s->arrays->whole.decides)
        return true;
    if (pace->part->used_chunks)
        rt_reducer_renew(s->reducer);
    pace->part->used_chunks = false;
    return rt_reducer_clear_all(s->reducer, bt, why);
}

/* Asks the program after each step of a launch. *taken: the launch's result is what the program
 * has. Otherwise `asked` steps remain to be made. */
static bool decide(launcher *l, uint32_t bt, bool *taken, rt_error *why) {
    rt_steps *s = l->steps;
    bool certain = true;
    *taken = true;
    if (!s->arrays->whole.decides)
        return true;
    if (!rt_reducer_fetch_all(s->reducer, bt, why))
        return false;
    for (s->asked = 0; s->asked < bt && s->exit == 0 && certain;) {
        rt_reducer_ask(s->reducer, (uint32_t)s->asked, l->step + s->asked, &certain);
        s->exit = certain ? (int)s->reducer->check->exit : 0;
        s->asked += certain;
    }
    *taken = certain && s->asked == bt && (s->exit == 0 || !s->arrays->whole.last);
    return true;
}

/* Is there another launch? For a loop that stops by itself the number of steps is not known. */
static bool goes_on(const rt_steps *s, const rt_run *run, int64_t launches) {
    return rt_ends_by_condition(s->arrays->call->check) ? s->exit == 0 : launches < run->launches;
}

static int64_t steps_left(const stencilrt_call *call, int64_t made) {
    enum { UNKNOWN = 1 << 30 };
    return rt_ends_by_condition(call->check) ? UNKNOWN : call->steps - made;
}

static bool launch_run(rt_steps *s, rt_device *device, void *module, const rt_run *run,
                       rt_pace *pace, int64_t *made, rt_error *why) {
    const rt_arrays *arrays = s->arrays;
    const stencilrt_kernel *k = &arrays->region->kernels[run->kernel];
    launcher l = {.steps = s, .bt = k->bt, .chunk = run->chunk};
    bool ok = rt_arguments_reserve(&l.arguments, arrays->region, arrays->call, k, why);
    for (int64_t i = 0; ok && goes_on(s, run, i) && !pace->ends; i++) {
        bool end = false, taken = true;
        l.step = *made;
        if (!ask(&l, k->bt)) {
            s->stopped = true;
            break;
        }
        ok = clear(s, k->bt, pace, why) && launch(&l, device, module, run, why) &&
             decide(&l, k->bt, &taken, why);
        s->stopped = !taken || s->exit;
        if (!ok || !taken)
            break;
        exchange(s, l.step, k->bt);
        s->asked = 0;
        *made += k->bt;
        ok = rt_pace_next(pace, *made, steps_left(arrays->call, *made), &end, why);
        pace->ends |= end;
    }
    rt_arguments_free(&l.arguments);
    return ok;
}

/* Steps that were asked for */

/* The values of the first `bt` of these steps are no longer needed. */
static void forget_values(rt_steps *s, uint32_t bt) {
    s->asked -= bt;
    memmove(s->values, s->values + bt * s->nvalues,
            (size_t)s->asked * s->nvalues * sizeof *s->values);
}

static bool launch_known(rt_steps *s, rt_device *device, void *module, const rt_run *run,
                         rt_pace *pace, int64_t *made, rt_error *why) {
    const stencilrt_kernel *k = &s->arrays->region->kernels[run->kernel];
    launcher l = {.steps = s, .bt = k->bt, .chunk = run->chunk};
    bool ok = rt_arguments_reserve(&l.arguments, s->arrays->region, s->arrays->call, k, why);
    for (int64_t i = 0; ok && i < run->launches; i++) {
        l.step = *made;
        ok = clear(s, k->bt, pace, why) && launch(&l, device, module, run, why);
        if (!ok)
            break;
        exchange(s, l.step, k->bt);
        forget_values(s, k->bt);
        *made += k->bt;
    }
    rt_arguments_free(&l.arguments);
    return ok;
}

/* The loop ends within the steps of a launch. Launches of fewer steps make those that were asked
 * for, but the last ones, which leave all arrays as the program does. */
static bool launch_asked(rt_steps *s, rt_device *device, void *module, rt_pace *pace, int64_t *made,
                         rt_error *why) {
    rt_error ignored;
    int64_t steps = s->asked - (s->exit ? s->arrays->whole.last : 0);
    rt_schedule *some = steps > 0 ? malloc(sizeof *some) : NULL;
    bool known = some && rt_schedule_make_some(some, device, module, s->arrays, steps, &ignored);
    bool ok = true;
    for (uint32_t i = 0; known && ok && i < some->count && some->runs[i].kernel > 0; i++)
        ok = launch_known(s, device, module, &some->runs[i], pace, made, why);
    free(some);
    return ok;
}

/* All launches */

/* All ghost cells that a step writes, of the arrays as they are before this step. */
static bool restore(const rt_steps *s, rt_device *device, int64_t step, rt_error *why) {
    bool ok = true;
    for (uint32_t k = 0; k < s->arrays->region->step->narrays && ok; k++) {
        const rt_whole_array *w = array_in(s, k, step);
        uint32_t now = takes_turns(w) ? w->of[step % 2] : w->of[0];
        ok = !w->written || rt_ghosts_restore(s->arrays, device, now, s->blocks[now].address, why);
    }
    return ok;
}

bool rt_steps_launch(rt_steps *s, rt_device *device, void *module, rt_pace *pace, int64_t *made,
                     rt_error *why) {
    bool ok = true;
    *made = s->arrays->whole.first;
    s->stopped = false;
    for (uint32_t i = 0; ok && !s->stopped && i < s->schedule.count; i++) {
        if (s->schedule.runs[i].kernel == 0)
            break;
        ok = launch_run(s, device, module, &s->schedule.runs[i], pace, made, why);
    }
    ok = ok && (!s->stopped || launch_asked(s, device, module, pace, made, why));
    bool none = *made == s->arrays->whole.first || !rt_whole_has_margins(s->arrays->region);
    return ok && move_all(s, device, true, why) && (none || restore(s, device, *made, why));
}
