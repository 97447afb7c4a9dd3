/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches kernels of whole steps: the arguments of each launch, and the exchange of copies after
 * it.
 */
#include "runtime/run/step_memory.h"

#include "runtime/call/parameters.h"
#include "runtime/call/stops.h"
#include "runtime/call/whole.h"
#include "runtime/device/transfer.h"
#include "runtime/run/arguments.h"
#include "runtime/run/ghosts.h"
#include "runtime/run/words.h"
#include <stdlib.h>
#include <string.h>

static bool is_blocked(const rt_schedule *schedule) {
    return schedule->count > 0 && schedule->runs[0].kernel > 0;
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

/* Launches */

typedef struct launcher {
    rt_steps *steps;
    int64_t step, bt, chunk; /* the launch's first step, its number of steps, planes of a chunk */
    const rt_chip *chip;     /* of a resident kernel; */
    uint64_t patience;       /* how often its threads look for a word */
    uint32_t parts;          /* launches that make a step; 0: one launch makes whole steps */
    rt_arguments all[RT_MAX_PARTS], *arguments; /* of each part; of the launch */
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

/* The buffer that the step writes, of two that take turns. */
static uint64_t newer(const launcher *l, uint32_t number) {
    const rt_whole_array *w = array_at(l->steps, number);
    uint32_t next = w->of[takes_turns(w) && l->step % 2 == 0];
    return cell_zero(l->steps, next, block_of(l->steps, next));
}

/* The address of the copy that the launch writes. A part leaves each array what it is in the step.
 */
static uint64_t target(const launcher *l, uint32_t number) {
    const rt_steps *s = l->steps;
    if (is_apart(s, number)) {
        uint32_t last = array_at(s, number)->of[(l->step + l->bt) % 2];
        return cell_zero(s, last, &s->scratch[last]);
    }
    const rt_whole_array *w = array_in(s, number, l->step + (l->parts ? 0 : l->bt));
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
    case STENCILRT_ARG_NEWER:
        return newer(l, p->index);
    case STENCILRT_ARG_EXTENT:
        return (uint64_t)arrays->whole.extent[p->index];
    case STENCILRT_ARG_STRIDE:
        return stride(l, p->index / 3, p->index % 3);
    case STENCILRT_ARG_CHUNK:
        return (uint64_t)l->chunk;
    case STENCILRT_ARG_SCALAR:
        return rt_scalar_value(l->arguments, arrays->region, p->index, l->step);
    case STENCILRT_ARG_INCREMENT:
        return l->arguments->scalars[p->index][1];
    case STENCILRT_ARG_VALUE:
        return value(l, p->index / STENCILRT_VALUES, p->index % STENCILRT_VALUES);
    case STENCILRT_ARG_MADE:
        return made_bits(l, &arrays->region->sweeps[p->index]);
    case STENCILRT_ARG_PLACE:
        return (uint64_t)arrays->whole.places[p->index];
    case STENCILRT_ARG_REDUCED:
        return l->steps->reducer->slots.address;
    case STENCILRT_ARG_OWN:
    case STENCILRT_ARG_MARGIN:
    case STENCILRT_ARG_ROUND:
    case STENCILRT_ARG_STEPS:
    case STENCILRT_ARG_EPOCH:
    case STENCILRT_ARG_PATIENCE:
    case STENCILRT_ARG_WORDS:
        return rt_chip_argument(&(rt_chip_arguments){l->chip, l->bt, l->steps->epoch, l->patience,
                                                     l->steps->words.address},
                                p);
    default: /* not allowed in such a kernel */
        return 0;
    }
}

/* After a part: what it wrote becomes the arrays' newest copies. */
static void exchange_part(launcher *l, const stencilrt_kernel *k) {
    rt_steps *s = l->steps;
    for (uint32_t i = 0; i < k->nparameters; i++) {
        uint32_t number = k->parameters[i].index;
        if (k->parameters[i].kind != STENCILRT_ARG_DST)
            continue;
        uint32_t last = array_at(s, number)->of[(l->step + 1) % 2];
        uint32_t own = array_in(s, number, l->step)->of[0];
        if (is_apart(s, number))
            rt_swap_blocks(block_of(s, last), &s->scratch[last]);
        else if (!takes_turns(array_at(s, number)))
            rt_swap_blocks(block_of(s, own), &s->scratch[own]);
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
            *to++ = rt_scalar_value(l->arguments, r, i, l->step);
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
    rt_launch launch = rt_arguments_launch(l->arguments, k, run->kernel);
    memcpy(launch.grid, run->grid, sizeof launch.grid);
    launch.together = k->kind == STENCILRT_RESIDENT;
    for (uint32_t i = 0; i < k->nparameters; i++)
        l->arguments->values[i] = argument(l, &k->parameters[i]);
    bool ok = device->driver->launch(device->handle, module, &launch, why);
    device->launches += ok || why->reason != RT_LOAD; /* after RT_LOAD nothing ran */
    device->together |= ok && launch.together;
    return ok;
}

/* Memory for the arguments of the launch, or of each part's. */
static bool begin(launcher *l, rt_steps *s, const rt_run *run, rt_error *why) {
    const stencilrt_kernel *k = &s->arrays->region->kernels[run->kernel];
    *l = (launcher){.steps = s, .bt = k->bt, .chunk = run->chunk, .parts = k->parts};
    l->arguments = l->all;
    bool ok = true;
    for (uint32_t i = 0; i < (k->parts ? k->parts : 1) && ok; i++)
        ok = rt_arguments_reserve(&l->all[i], s->arrays->region, s->arrays->call, &k[i], why);
    return ok;
}

static void end(launcher *l) {
    for (uint32_t i = 0; i < RT_MAX_PARTS; i++)
        rt_arguments_free(&l->all[i]);
}

/* Launches the kernel, or makes a step by its parts. */
static bool launch_all(launcher *l, rt_device *device, void *module, const rt_run *run,
                       rt_error *why) {
    const rt_steps *s = l->steps;
    bool ok = l->parts > 0 || launch(l, device, module, run, why);
    for (uint32_t i = 0; i < l->parts && ok; i++) {
        l->arguments = &l->all[i];
        l->chunk = s->schedule.parts[i].chunk;
        ok = launch(l, device, module, &s->schedule.parts[i], why);
        if (ok)
            exchange_part(l, &s->arrays->region->kernels[run->kernel + i]);
    }
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

/* Has an array an element for each step, and no more? Then the steps are counted. */
static bool has_trace(const rt_steps *s) {
    bool any = false;
    for (uint32_t k = 0; k < s->arrays->region->step->narrays; k++)
        any |= array_at(s, k)->along > 0;
    return any;
}

/* Is there another launch of `bt` steps, after `launches` of them? For a loop that stops by itself
 * the number of steps is not known. */
static bool goes_on(const rt_steps *s, const rt_run *run, int64_t launches, int64_t made,
                    uint32_t bt) {
    const stencilrt_call *call = s->arrays->call;
    if (!rt_ends_by_condition(call->check))
        return launches < run->launches;
    return s->exit == 0 && (!has_trace(s) || made + bt + s->arrays->whole.last <= call->steps);
}

static int64_t steps_left(const stencilrt_call *call, int64_t made) {
    enum { UNKNOWN = 1 << 30 };
    return rt_ends_by_condition(call->check) ? UNKNOWN : call->steps - made;
}

static bool launch_run(rt_steps *s, rt_device *device, void *module, const rt_run *run,
                       rt_pace *pace, int64_t *made, rt_error *why) {
    const rt_arrays *arrays = s->arrays;
    const stencilrt_kernel *k = &arrays->region->kernels[run->kernel];
    launcher l;
    bool ok = begin(&l, s, run, why);
    for (int64_t i = 0; ok && goes_on(s, run, i, *made, k->bt) && !pace->ends; i++) {
        bool ends = false, taken = true;
        l.step = *made;
        if (!ask(&l, k->bt)) {
            s->stopped = true;
            break;
        }
        ok = clear(s, k->bt, pace, why) && launch_all(&l, device, module, run, why) &&
             decide(&l, k->bt, &taken, why);
        s->stopped = !taken || s->exit;
        if (!ok || !taken)
            break;
        if (!l.parts)
            exchange(s, l.step, k->bt);
        s->asked = 0;
        *made += k->bt;
        ok = rt_pace_next(pace, *made, steps_left(arrays->call, *made), &ends, why);
        pace->ends |= ends;
    }
    end(&l);
    return ok;
}

/* All steps of a resident kernel. Each exchange of the call has its own number. */
static bool launch_on_chip(rt_steps *s, rt_device *device, void *module, const rt_run *run,
                           rt_pace *pace, int64_t *made, rt_error *why) {
    launcher l;
    bool ok = begin(&l, s, run, why);
    l.chip = &run->chip;
    l.patience = device->driver->patience;
    pace->size = 1; /* these launches are long */
    for (int64_t left = run->chip.steps; ok && left > 0 && !pace->ends; left -= l.bt) {
        bool ends = false;
        l.step = *made;
        l.bt = left < run->chip.most ? left : run->chip.most;
        ok = launch(&l, device, module, run, why);
        if (!ok)
            break;
        exchange(s, l.step, (uint32_t)l.bt);
        s->epoch += rt_ceil_div(l.bt, run->chip.round);
        *made += l.bt;
        ok = rt_pace_next(pace, *made, s->arrays->call->steps - *made, &ends, why);
        pace->ends |= ends;
    }
    end(&l);
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
    launcher l;
    bool ok = begin(&l, s, run, why);
    for (int64_t i = 0; ok && i < run->launches; i++) {
        l.step = *made;
        ok = clear(s, k->bt, pace, why) && launch_all(&l, device, module, run, why);
        if (!ok)
            break;
        if (!l.parts)
            exchange(s, l.step, k->bt);
        forget_values(s, k->bt);
        *made += k->bt;
    }
    end(&l);
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
        bool stays = i == 0 && rt_steps_stay_on_chip(s);
        ok = (stays ? launch_on_chip : launch_run)(s, device, module, &s->schedule.runs[i], pace,
                                                   made, why);
    }
    ok = ok && (!s->stopped || launch_asked(s, device, module, pace, made, why));
    bool none = *made == s->arrays->whole.first || !rt_whole_has_margins(s->arrays->region);
    return ok && rt_steps_move_back(s, device, *made, why) &&
           (none || restore(s, device, *made, why));
}
