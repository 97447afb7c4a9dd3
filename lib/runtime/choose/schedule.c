/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Chooses the launches that make up a call's steps, by the compiler's estimates and the call's
 * sizes.
 */
#include "runtime/choose/schedule.h"

#include "runtime/call/stops.h"
#include "runtime/call/whole.h"

#include "target/gpus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most steps whose launches are chosen by trying. At least as many as one launch makes. */
enum { REST = RT_MAX_DEGREE };

enum { LANES = 32, SCHEDULERS = 4 }; /* lanes of a warp; schedulers of a processor */

/* The number of planes of a chunk. Few chunks compute few planes twice; many chunks leave little
 * waiting at the end. `tiles` blocks lie side by side; `resident` blocks run at a time; there may
 * be `most` chunks. */
static int64_t choose_chunk(uint32_t rank, int64_t extent, int64_t most, int64_t tiles,
                            int64_t resident, uint32_t overlap) {
    int64_t least = rt_ceil_div(extent, most), best = extent;
    double best_cost = 0;
    for (int64_t count = 1; count <= extent; count++) {
        int64_t chunk = rt_ceil_div(extent, count);
        if (chunk < least)
            break;
        int64_t blocks = tiles * rt_ceil_div(extent, chunk);
        double cost =
            gpu_chunk_cost((int)rank, (double)blocks / (double)resident, (double)(chunk + overlap));
        if (count == 1 || cost < best_cost) {
            best = chunk;
            best_cost = cost;
        }
        if (blocks >= GPU_MAX_WAVES * resident)
            break;
    }
    return best;
}

static int64_t forced_chunk(int64_t wanted, int64_t extent, int64_t most) {
    int64_t least = rt_ceil_div(extent, most);
    wanted = wanted < extent ? wanted : extent;
    return wanted > least ? wanted : least;
}

/* How a launch cuts chunks of the outermost strips. */
typedef struct cut {
    int64_t rows; /* of other strips' chunks; 0: they are as the run says */
    int64_t parts;
    double cost;
} cut;

static void try_cut(cut *best, int64_t waves, int64_t rows, int64_t parts, double slower,
                    uint32_t overlap) {
    enum { FILL = 16, LONG = 4 };
    static const double more_parts = 0.03; /* what a further part must gain */
    double others = (double)(rows + overlap + FILL);
    double border = slower * (double)((rows + parts - 1) / parts + overlap + FILL);
    double cost = waves > 1 ? (double)waves * others : fmax(others, border);
    cost *= 1 + more_parts * (double)(parts - 2);
    if (rows >= LONG * (int64_t)overlap && cost < best->cost)
        *best = (cut){rows, parts, cost};
}

/* The time of a border block's row, relative to another's. The loop of border blocks waits longer
 * for each instruction's result. The more warps share a scheduler, the fewer turns they get. */
static double border_slowness(const stencilrt_kernel *k, double blocks) {
    double warps = k->block[0] * blocks / LANES / SCHEDULERS;
    return 1.5 + 0.5 * fmin(2, fmax(0, warps - 2));
}

/* For kernels of whole steps in 2-D. Blocks of the first and last strip are slower than others.
 * With their chunks in parts, these blocks take no longer, so that the blocks can be as many as
 * the GPU holds at a time, or a small multiple. A launch then has one more column of blocks for
 * each further part of each of these strips. This is done where it is cheaper than the run's
 * chunks. Fitted to FDTD on one H200, 8192 x 8192, float, bT 12: 1506 GCell-steps/s with one wave
 * and halves, 1280 without halves, 1563 if the border blocks had nothing to do. */
static void cut_outermost(rt_run *run, int64_t extent, int64_t most, double resident,
                          double processors, const stencilrt_kernel *k) {
    enum { WAVES = 4, PARTS = 4 };
    /* What remains of the gain that gpu_chunk_cost predicts for such kernels. */
    static const double gain = 0.85;
    double slower = border_slowness(k, resident / fmax(1, processors));
    int64_t strips = run->grid[0], outer = strips < 2 ? strips : 2;
    double blocks = (double)strips * (double)rt_ceil_div(extent, run->chunk);
    double least = gpu_chunk_cost(2, blocks / resident, (double)(run->chunk + k->overlap));
    cut best = {.cost = gain * least};
    for (int64_t parts = 2; parts <= PARTS; parts++)
        for (int64_t waves = 1; waves <= WAVES; waves++) {
            int64_t chunks = waves * (int64_t)resident / (strips + outer * (parts - 1));
            if (chunks >= 1 && chunks <= most)
                try_cut(&best, waves, rt_ceil_div(extent, chunks), parts, slower, k->overlap);
        }
    if (best.rows == 0)
        return;
    run->chunk = best.rows;
    run->grid[0] += (uint32_t)(outer * (best.parts - 1));
}

static void lay_out(rt_run *run, const rt_shape *shape, const rt_device_info *info,
                    uint32_t resident) {
    const rt_limits *limits = &info->limits;
    const stencilrt_kernel *k = &shape->region->kernels[run->kernel];
    uint32_t last = shape->region->rank - 1;
    int64_t extent = shape->extent[last], most = limits->blocks[last];
    run->grid[0] = (uint32_t)rt_ceil_div(shape->extent[0], (int64_t)k->tile[0] * k->tiles);
    run->grid[1] = last == 2 ? (uint32_t)rt_ceil_div(shape->extent[1], k->tile[1]) : 1;
    run->grid[2] = 1;
    if (last == 0)
        return;
    run->chunk = shape->chunk > 0
                     ? forced_chunk(shape->chunk, extent, most)
                     : choose_chunk(last + 1, extent, most, (int64_t)run->grid[0] * run->grid[1],
                                    resident, k->overlap);
    if (k->kind == STENCILRT_STEPS && last == 1 && shape->chunk == 0)
        cut_outermost(run, extent, most, resident, info->processors, k);
    run->grid[last] = (uint32_t)rt_ceil_div(extent, run->chunk);
}

static bool wants_scratch(const rt_shape *shape, uint32_t bt) {
    return shape->older || bt % 2 == 0;
}

static void take_scratch(rt_schedule *s, const rt_shape *shape, int64_t step) {
    if (shape->older) {
        s->scratch[0] = true;
        s->scratch[1] = shape->region->grids[shape->rotating].buffers == 2;
    } else {
        s->scratch[step % 2] = true;
    }
}

/* A blocked kernel must promise to be faster by this factor, because estimates err by as much. With
 * it, nothing measured is more than 4 % slower than with the cell kernel. Without it, 11 of 920
 * points are. */
static const double doubt = 1.2;

/* A kernel of fewer whole steps than the first one of a region must promise to be faster by this
 * factor. The compiler puts that one first which is best for GPUs with faster and with slower
 * memory; estimates are of the faster one (target/gpus.h). */
static const double fewer = 1.15;

/* Joins two limits of a launch by a norm. Fitted to 1300 launches of AN5D's suite on one H200, from
 * 64^2 to 4096^2 and from 20^3 to 384^3, each option of a case, 8 cases with seven chunks. Root of
 * the mean square error: 13 % for cell kernels, 20 % in 2-D, 9 % in 3-D. Strips, in 1-D, are
 * treated as 2-D, without a fit. The chunk of a kernel is not chosen by this: gpu_chunk_cost
 * compares chunks of one kernel, with an error of 2 %. `full`: seconds of a wave of blocks that
 * fills the GPU. */
static double join(double a, double b, double norm) {
    return pow(pow(a, norm) + pow(b, norm), 1 / norm);
}

/* Seconds of a cell kernel's launch. Starts and ends of its small blocks overlap, and hide a part
 * of the launch's own time. */
static double cell_time(double waves, double full) {
    return join(3.7e-6, full * (0.96 * waves + 0.22), 2.2);
}

/* Seconds of blocks that stream `planes` planes. `full` and `alone` are seconds of a plane. While
 * the GPU is far from full, a warp's plane takes as long as if the warp were alone. Kernels of
 * whole steps in 2-D fill the GPU with few warps; the compiler's estimate already counts that. With
 * the norm of other kernels, 8 warps a processor were taken to need half as long again. D2Q9 in
 * double needs 1.1 times as long as estimated (one H200). */
static double stream_time(uint32_t rank, bool whole_steps, double waves, double planes, double full,
                          double alone) {
    static const struct {
        double launch; /* seconds */
        double norm;
        double whole; /* the share of the waves that costs as much when a wave is not full */
        double slope;
    } table[] = {{2e-6, 1.7, 0.4, 1}, {3e-6, 5, 0.75, 1.1}, {2e-6, 10, 0.4, 1}};
    int f = rank == 3 ? 1 : whole_steps && rank == 2 ? 2 : 0;
    double taken = waves < 1 ? waves : (1 - table[f].whole) * waves + table[f].whole * ceil(waves);
    return table[f].launch + planes * join(alone, table[f].slope * full * taken, table[f].norm);
}

/* Seconds of a launch, from the compiler's estimate for a block. */
static double launch_time(const rt_shape *shape, const rt_run *run, double resident,
                          double processors) {
    const stencilrt_kernel *k = &shape->region->kernels[run->kernel];
    double block = 1e-15 * k->time, blocks = 1;
    double warps = (double)k->block[0] * k->block[1] * k->block[2] / LANES;
    if (k->kind == STENCILRT_CELL) {
        for (uint32_t d = 0; d < shape->region->rank; d++)
            blocks *= (double)rt_ceil_div(shape->extent[d], k->block[d]);
        return cell_time(blocks / resident, block * resident);
    }
    blocks = (double)run->grid[0] * run->grid[1] * run->grid[2];
    double planes = shape->region->rank > 1 ? (double)(run->chunk + k->overlap) : 1;
    /* A warp that is alone issues at most every other cycle. */
    double alone = block * processors * fmax(1, 2 * SCHEDULERS / warps);
    return stream_time(shape->region->rank, k->kind == STENCILRT_STEPS, blocks / resident, planes,
                       block * resident, alone);
}

/* The kernels that may be used, with their layouts and the cost of a launch. */
typedef struct options {
    rt_run runs[RT_MAX_KERNELS];
    double cost[RT_MAX_KERNELS];
    uint32_t bt[RT_MAX_KERNELS], count;
    bool known; /* costs are seconds */
} options;

/* Kept on the heap: too large for the stack of a thread. */
typedef struct work {
    options options;
    int64_t launches[RT_MAX_KERNELS];
    double cost[REST + 1];
    uint32_t last[REST + 1];
} work;

static bool is_launchable(const rt_run *run, const stencilrt_kernel *k, const rt_limits *most) {
    for (int d = 0; d < 3; d++)
        if (run->grid[d] > most->blocks[d] || (int64_t)run->grid[d] * k->block[d] > most->threads)
            return false;
    return rt_limits_allow(most, k->block);
}

static void add_option(options *o, const rt_device *device, void *module, const rt_shape *shape,
                       uint32_t kernel, bool scratch) {
    const stencilrt_kernel *k = &shape->region->kernels[kernel];
    rt_run *run = &o->runs[o->count];
    if (k->kind == STENCILRT_RESIDENT || !rt_shape_may_use(shape, kernel) ||
        (kernel > 0 && !scratch && wants_scratch(shape, k->bt)))
        return;
    uint32_t resident = device->driver->resident(device->handle, module, kernel);
    if (resident == 0 && kernel > 0)
        return;
    *run = (rt_run){.kernel = kernel};
    if (kernel > 0) {
        lay_out(run, shape, &device->info, resident);
        if (!is_launchable(run, k, &device->info.limits))
            return;
    }
    bool known = k->time && device->driver->is_estimated && !shape->eager;
    double time = launch_time(shape, run, fmax(1, resident), device->info.processors);
    o->known &= known;
    o->cost[o->count] = !known ? 1 : kernel > 0 ? doubt * time : time;
    o->bt[o->count++] = k->bt;
}

/* Finds how many launches of each option make `steps` steps at the least cost. The most efficient
 * option makes nearly all steps. How the rest is made up is found by trying. If costs are unknown,
 * a blocked kernel of one step is preferred to the cell kernel, because it is faster on most GPUs.
 */
static void compose(work *w, int64_t steps) {
    const options *o = &w->options;
    double *cost = w->cost;
    uint32_t *last = w->last, best = 0;
    int64_t *launches = w->launches;
    memset(w->launches, 0, sizeof w->launches);
    for (uint32_t i = 1; i < o->count; i++)
        if (o->cost[i] / o->bt[i] <= o->cost[best] / o->bt[best])
            best = i;
    int64_t rest = 3 * (int64_t)o->bt[best];
    rest = rest < REST ? rest : REST;
    if (steps > rest) {
        launches[best] = (steps - rest + o->bt[best] - 1) / o->bt[best];
        steps -= launches[best] * o->bt[best];
    }
    for (int64_t n = 1; n <= steps; n++) {
        cost[n] = INFINITY;
        for (uint32_t i = 0; i < o->count; i++) {
            double one = o->bt[i] <= n ? cost[n - o->bt[i]] + o->cost[i] : INFINITY;
            if (one < INFINITY && one <= cost[n]) {
                cost[n] = one;
                last[n] = i;
            }
        }
    }
    for (; steps > 0; steps -= o->bt[last[steps]])
        launches[last[steps]]++;
}

/* The seconds that the composed launches are expected to take, without doubt. 0: not known. */
static double composed_time(const work *w) {
    const options *o = &w->options;
    double sum = 0;
    for (uint32_t i = 0; i < o->count; i++)
        sum += (double)w->launches[i] * o->cost[i] / (i > 0 ? doubt : 1);
    return o->known ? sum : 0;
}

/* The option that makes the last step. It makes one step, so its source holds the step before. */
static uint32_t last_option(const options *o, const rt_shape *shape) {
    uint32_t found = 0;
    for (uint32_t i = 1; i < o->count && !shape->older; i++)
        if (o->bt[i] == 1 && o->cost[i] <= o->cost[found])
            found = i;
    return found;
}

/* Puts the launches of the options in order, from this step on. */
static void put_together(rt_schedule *s, work *w, const rt_shape *shape, int64_t step) {
    options *o = &w->options;
    uint32_t last = last_option(o, shape);
    for (uint32_t n = 1; n <= o->count; n++) {
        uint32_t i = n % o->count; /* the cell kernel comes last */
        if (i > 0 && w->launches[i] > 0 && wants_scratch(shape, o->bt[i]))
            take_scratch(s, shape, step);
        o->runs[i].launches = w->launches[i];
        if (w->launches[i] > 0)
            s->runs[s->count++] = o->runs[i];
        step += w->launches[i] * o->bt[i];
    }
    if (shape->goes_on)
        return;
    o->runs[last].launches = 1;
    if (s->count > 0 && s->runs[s->count - 1].kernel == o->runs[last].kernel)
        s->runs[s->count - 1].launches++;
    else
        s->runs[s->count++] = o->runs[last];
}

/* The options are the region's kernels: the cell kernel, then blocked kernels of falling degrees.
 */
bool rt_schedule_make(rt_schedule *schedule, const rt_device *device, void *module,
                      const rt_shape *shape, bool scratch, rt_error *why) {
    work *w = malloc(sizeof *w);
    if (!w)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    w->options = (options){.count = 0, .known = true};
    w->cost[0] = 0;
    *schedule = (rt_schedule){.count = 0};
    for (uint32_t k = 0; k < shape->region->nkernels; k++)
        add_option(&w->options, device, module, shape, k, scratch);
    compose(w, shape->steps - !shape->goes_on);
    schedule->count = rt_chip_choose(&schedule->runs[0], device, module, shape, composed_time(w));
    int64_t on_chip = schedule->runs[0].chip.steps;
    if (on_chip > 0)
        compose(w, shape->steps - !shape->goes_on - on_chip);
    schedule->seconds = composed_time(w);
    put_together(schedule, w, shape, on_chip);
    free(w);
    return true;
}

/* Whole steps of several sweeps */

/* Adds the option of one step by the kernels of all sweeps. */
static void add_sweeps(options *o, const rt_device *device, void *module, const rt_shape *box,
                       const rt_arrays *a) {
    double sum = 0;
    bool known = device->driver->is_estimated && !box->eager;
    for (uint32_t s = 0; s < a->region->nsweeps; s++) {
        rt_shape one = {.region = a->region, .extent = {1, 1, 1}};
        rt_run run = {.kernel = s};
        for (uint32_t d = 0; d < a->region->rank; d++)
            one.extent[d] = a->call->sweeps[s].extent[d];
        double resident = fmax(1, device->driver->resident(device->handle, module, s));
        known = known && a->region->kernels[s].time;
        sum += launch_time(&one, &run, resident, device->info.processors);
    }
    o->runs[0] = (rt_run){.kernel = 0};
    o->known = known;
    o->cost[0] = known ? sum : 1;
    o->bt[0] = 1;
    o->count = 1;
}

/* How the kernel is launched. False: it cannot be. */
static bool plan_run(rt_run *run, const rt_device *device, void *module, const rt_shape *box,
                     uint32_t kernel, double *time) {
    const stencilrt_kernel *k = &box->region->kernels[kernel];
    uint32_t resident = device->driver->resident(device->handle, module, kernel);
    *run = (rt_run){.kernel = kernel};
    if (resident == 0)
        return false;
    lay_out(run, box, &device->info, resident);
    *time = k->time ? launch_time(box, run, resident, device->info.processors) : 0;
    return is_launchable(run, k, &device->info.limits);
}

/* Adds the option of one step by the kernels of all its parts. */
static void add_parts(options *o, const rt_device *device, void *module, const rt_shape *box,
                      uint32_t parts, rt_run *runs) {
    uint32_t first = box->region->nsweeps;
    double sum = 0;
    bool known = device->driver->is_estimated && !box->eager;
    for (uint32_t i = 0; i < parts; i++) {
        double time;
        if (!plan_run(&runs[i], device, module, box, first + i, &time))
            return;
        known = known && time > 0;
        sum += time;
    }
    o->known &= known;
    o->runs[o->count] = runs[0];
    o->cost[o->count] = known ? doubt * sum : 1;
    o->bt[o->count++] = 1;
}

static void add_whole(options *o, const rt_device *device, void *module, const rt_shape *box,
                      uint32_t kernel) {
    const stencilrt_kernel *k = &box->region->kernels[kernel];
    bool lesser = k->bt < box->region->kernels[box->region->nsweeps].bt;
    double time;
    if (o->count == RT_MAX_KERNELS ||
        !plan_run(&o->runs[o->count], device, module, box, kernel, &time))
        return;
    bool known = k->time && device->driver->is_estimated && !box->eager;
    o->known &= known;
    o->cost[o->count] = known ? doubt * time * (lesser ? fewer : 1) : 1;
    o->bt[o->count++] = k->bt;
}

/* Takes a run on chip for all whole steps, if that is faster than `others`. Of a loop that stops by
 * itself their number is not known. */
static bool stay_on_chip(rt_schedule *schedule, const rt_device *device, void *module,
                         const rt_arrays *a, const rt_shape *box, int64_t steps, double others) {
    rt_shape all = *box;
    all.steps = steps;
    all.most_on_chip = a->whole.most_on_chip;
    if (!a->whole.can || !a->whole.on_chip || steps < 1 || rt_ends_by_condition(a->call->check) ||
        !rt_chip_choose_whole(&schedule->runs[0], device, module, &all, a, others))
        return false;
    schedule->count = 1;
    schedule->seconds = rt_chip_seconds(&schedule->runs[0], &all);
    return true;
}

/* `whole` steps by the cheapest launches, and `single` further ones by the sweeps' own kernels. */
static bool schedule_whole(rt_schedule *schedule, const rt_device *device, void *module,
                           const rt_arrays *a, const rt_shape *box, int64_t whole, int64_t single,
                           rt_error *why) {
    work *w = calloc(1, sizeof *w);
    if (!w)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    *schedule = (rt_schedule){.count = 0};
    options *o = &w->options;
    add_sweeps(o, device, module, box, a);
    uint32_t parts = rt_whole_parts(a->region);
    for (uint32_t k = a->region->nsweeps; k < a->region->nkernels && a->whole.can; k++)
        if (a->region->kernels[k].kind == STENCILRT_RESIDENT)
            continue;
        else if (rt_whole_may_use(a, k) && parts > 0)
            add_parts(o, device, module, box, parts, schedule->parts);
        else if (rt_whole_may_use(a, k))
            add_whole(o, device, module, box, k);
    compose(w, whole);
    if (stay_on_chip(schedule, device, module, a, box, whole, composed_time(w)))
        memset(w->launches, 0, sizeof w->launches);
    w->launches[0] += single;
    schedule->seconds += composed_time(w);
    for (uint32_t n = 1; n <= o->count; n++) {
        uint32_t i = n % o->count; /* the sweeps' kernels come last */
        o->runs[i].launches = w->launches[i];
        if (w->launches[i] > 0)
            schedule->runs[schedule->count++] = o->runs[i];
    }
    free(w);
    return true;
}

static rt_shape box_of(const rt_arrays *a, int64_t chunk, bool eager) {
    rt_shape box = {.region = a->region, .eager = eager, .chunk = chunk};
    memcpy(box.extent, a->whole.extent, sizeof box.extent);
    return box;
}

bool rt_schedule_make_whole(rt_schedule *schedule, const rt_device *device, void *module,
                            const rt_arrays *a, int64_t chunk, bool eager, rt_error *why) {
    rt_shape box = box_of(a, chunk, eager);
    int64_t single = a->whole.first + a->whole.last;
    return schedule_whole(schedule, device, module, a, &box, a->call->steps - single, single, why);
}

bool rt_schedule_make_some(rt_schedule *schedule, const rt_device *device, void *module,
                           const rt_arrays *a, int64_t steps, rt_error *why) {
    rt_shape box = box_of(a, a->whole.chunk, a->whole.eager);
    return schedule_whole(schedule, device, module, a, &box, steps, 0, why);
}

bool rt_schedule_is_blocked(const rt_schedule *schedule) {
    return schedule->count > 1 || schedule->runs[0].kernel > 0;
}
