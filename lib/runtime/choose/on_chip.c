/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Chooses how a resident kernel is launched: how many cells each block owns, and how many steps are
 * made between two exchanges. With wider margins there are fewer exchanges, but more cells are
 * computed twice. The time of a step is that of its own work, plus its share of an exchange.
 */
#include "runtime/choose/schedule.h"

#include "runtime/call/whole.h"
#include "runtime/choose/cost.h"

#include <math.h>
#include <stdatomic.h>

enum { MOST_ROUND = 64 }; /* steps */

/* Seconds of a launch, of a cell that it loads and stores, of clearing the words before the first
 * launch, and of a device's first such launch. */
static const double launch_time = 8e-6, cell_time = 1e-11, clear_time = 4e-6, first_time = 250e-6;

/* The run must be expected to be faster by this factor, because estimates err by as much: those of
 * 24 grids and stencils on an H200 were 12 % too short to 40 % too long for these kernels, and 18 %
 * too short to 29 % too long for the others. */
static const double margin = 1.2;

/* Expected seconds of a launch. In fact a launch takes 100 ms at most, so that others may use the
 * GPU. */
static const double longest = 0.05;

static int64_t reach_along(const rt_shape *shape, uint32_t d) {
    const stencilrt_region *r = shape->region;
    int64_t reach = 0;
    for (uint32_t p = 0; p < r->nports; p++)
        for (uint32_t i = 0; r->ports[p].grid == shape->rotating && i < r->ports[p].noffsets; i++) {
            int64_t offset = r->ports[p].offsets[3 * i + d];
            offset = offset < 0 ? -offset : offset;
            reach = offset > reach ? offset : reach;
        }
    return reach;
}

static int64_t round_up(int64_t a, int64_t unit) {
    return rt_ceil_div(a, unit) * unit;
}

/* Of whole steps, how many cells a step loses. */
static int64_t reach_of(const rt_shape *shape, uint32_t kernel, uint32_t d) {
    uint32_t reach = shape->region->kernels[kernel].reach;
    return reach ? reach >> 8 * d & 255 : reach_along(shape, d);
}

/* What a kernel can have of the device: blocks that run at a time, and processors. And how far a
 * step reaches. */
typedef struct room {
    uint32_t resident;
    double processors;
    int64_t reach[3];
    bool faces; /* tiles have no margins: an exchange follows each step */
} room;

/* Tiles without margins take whole rows along x. */
static bool lay_out_faces(rt_run *run, const rt_shape *shape, uint32_t d, const room *in) {
    int64_t tile = shape->region->kernels[run->kernel].tile[d], extent = shape->extent[d];
    run->chip.own[d] = d == 0 ? extent : tile;
    run->chip.margin[d] = d == 0 ? in->reach[d] : 0;
    run->grid[d] = d == 0 ? 1 : (uint32_t)rt_ceil_div(extent, tile);
    return d > 0 || extent + 2 * in->reach[d] <= tile;
}

/* Lays out the blocks along one dimension. False if the margin leaves too little of the tile. */
static bool lay_out_along(rt_run *run, const rt_shape *shape, uint32_t d, const room *in) {
    const stencilrt_kernel *k = &shape->region->kernels[run->kernel];
    int64_t reach = in->reach[d], extent = shape->extent[d], tile = k->tile[d];
    if (in->faces)
        return lay_out_faces(run, shape, d, in);
    int64_t unit = d == 0 ? k->tiles : 1, margin = round_up(run->chip.round * reach, unit);
    if (extent + 2 * reach <= tile) {
        run->chip.own[d] = extent;
        run->chip.margin[d] = reach;
        run->grid[d] = 1;
        return true;
    }
    int64_t most = (tile - 2 * margin) / unit * unit;
    if (most < margin || most < unit)
        return false;
    int64_t own = round_up(rt_ceil_div(extent, rt_ceil_div(extent, most)), unit);
    run->chip.own[d] = own < margin ? margin : own;
    run->chip.margin[d] = margin;
    int64_t blocks = rt_ceil_div(extent, run->chip.own[d]);
    run->grid[d] = blocks < UINT32_MAX ? (uint32_t)blocks : UINT32_MAX;
    return blocks > 1; /* with one block the margin would only be the reach */
}

/* The share of a block's warps that have work to do. */
static double busy(const rt_run *run, const rt_shape *shape) {
    const stencilrt_kernel *k = &shape->region->kernels[run->kernel];
    double share = 1;
    for (uint32_t d = 1; d < shape->region->rank; d++)
        share *= (double)(run->chip.own[d] + 2 * run->chip.margin[d]) / k->tile[d];
    return share;
}

/* Lays out a run with `round` steps between exchanges. False if the grid does not fit. Blocks that
 * share a processor take turns. */
static bool lay_out(rt_run *run, const rt_shape *shape, int64_t round, const room *in) {
    const stencilrt_kernel *k = &shape->region->kernels[run->kernel];
    double blocks = 1;
    run->chip.round = round;
    for (uint32_t d = 0; d < 3; d++)
        run->grid[d] = 1;
    for (uint32_t d = 0; d < shape->region->rank; d++) {
        if (!lay_out_along(run, shape, d, in))
            return false;
        blocks *= run->grid[d];
    }
    double exchange = blocks > 1 ? 1e-15 * k->tile_time / (double)round : 0;
    double share = in->processors > 0 ? ceil(blocks / in->processors) : 1;
    run->chip.seconds = 1e-15 * k->time * share * busy(run, shape) + exchange;
    return blocks <= in->resident;
}

/* Only where tiles have margins do kernels make several steps between exchanges. */
static bool has_faces(const stencilrt_kernel *k) {
    bool rounds = false;
    for (uint32_t i = 0; i < k->nparameters; i++)
        rounds |= k->parameters[i].kind == STENCILRT_ARG_ROUND;
    return !rounds;
}

/* Lays out the run with the fastest number of steps between exchanges. More steps take wider
 * margins, so more blocks: where some do not fit, more do not. */
static bool lay_out_best(rt_run *run, const rt_device *device, void *module, const rt_shape *shape,
                         uint32_t kernel) {
    room in = {.resident = device->driver->resident(device->handle, module, kernel),
               .processors = device->info.processors,
               .faces = has_faces(&shape->region->kernels[kernel])};
    int64_t most = in.faces ? 1 : MOST_ROUND;
    rt_run one = {.kernel = kernel};
    bool found = false;
    for (uint32_t d = 0; d < shape->region->rank; d++)
        in.reach[d] = reach_of(shape, kernel, d);
    for (int64_t round = 1; round <= most && lay_out(&one, shape, round, &in); round++) {
        if (!found || one.chip.seconds < run->chip.seconds)
            *run = one;
        found = true;
    }
    return found;
}

/* The greatest odd number up to `steps`. An odd number of steps leads from one buffer to the other.
 */
static int64_t odd(int64_t steps) {
    return (steps - 1) / 2 * 2 + 1;
}

/* The cell kernel makes the last step: see schedule.h. */
static void count_steps(rt_run *run, const rt_shape *shape) {
    enum { MOST = 1 << 28 };
    int64_t max_bt = shape->most_on_chip, steps = shape->steps - 1;
    double fit = run->chip.seconds > 0 ? longest / run->chip.seconds : MOST;
    int64_t most = fit < 1 ? 1 : fit < MOST ? (int64_t)fit : MOST;
    run->chip.most = odd(most < max_bt ? most : max_bt);
    run->chip.steps = odd(steps);
    run->launches = rt_ceil_div(run->chip.steps, run->chip.most);
}

double rt_chip_seconds(const rt_run *run, const rt_shape *shape) {
    double launch = launch_time + cell_time * rt_cost_cells(shape->extent);
    return clear_time + (double)run->launches * launch +
           (double)run->chip.steps * run->chip.seconds;
}

/* Nanoseconds that calls would have gained so far, had such a launch been made before. */
static _Atomic(int64_t) forgone;

/* Does the run beat the other kernels? The first such launch is made when the gains of all calls so
 * far would have paid for it. */
static bool is_faster(const rt_run *run, const rt_device *device, const rt_shape *shape,
                      double others) {
    if (shape->region->kernels[run->kernel].overlap) /* it always runs */
        return true;
    double seconds = rt_chip_seconds(run, shape);
    if (others <= margin * seconds)
        return false;
    int64_t gain = (int64_t)(1e9 * (others - margin * seconds));
    return device->together ||
           atomic_fetch_add(&forgone, gain) + gain > (int64_t)(1e9 * first_time);
}

/* The fastest resident kernel of one sweep; or of whole steps of these arrays, if they are given.
 */
static bool find_best(rt_run *best, const rt_device *device, void *module, const rt_shape *shape,
                      const rt_arrays *a) {
    const stencilrt_region *r = shape->region;
    bool found = false;
    rt_run one = *best = (rt_run){.kernel = 0};
    for (uint32_t k = a ? r->nsweeps : 0; k < r->nkernels && !device->crowded; k++) {
        if (r->kernels[k].kind != STENCILRT_RESIDENT || (r->kernels[k].reach > 0) != (a != NULL) ||
            !(a ? rt_whole_may_use(a, k) : rt_shape_may_use(shape, k)) ||
            !lay_out_best(&one, device, module, shape, k))
            continue;
        if (!found || one.chip.seconds < best->chip.seconds)
            *best = one;
        found = true;
    }
    return found;
}

bool rt_chip_choose(rt_run *run, const rt_device *device, void *module, const rt_shape *shape,
                    double others) {
    rt_run best;
    if (shape->off_chip || shape->older || shape->steps < 2 ||
        !find_best(&best, device, module, shape, NULL))
        return false;
    count_steps(&best, shape);
    bool faster = is_faster(&best, device, shape, others);
    if (faster)
        *run = best;
    return faster;
}

/* No step of the call is an odd one here: buffers take turns as after any launch of whole steps. */
static void count_whole_steps(rt_run *run, int64_t steps, int64_t most) {
    enum { MOST = 1 << 28 };
    double fit = run->chip.seconds > 0 ? longest / run->chip.seconds : MOST;
    int64_t one = fit < 1 ? 1 : fit < MOST ? (int64_t)fit : MOST;
    run->chip.most = one < most ? one : most;
    run->chip.steps = steps;
    run->launches = rt_ceil_div(steps, run->chip.most);
}

bool rt_chip_choose_whole(rt_run *run, const rt_device *device, void *module, const rt_shape *box,
                          const rt_arrays *a, double others) {
    rt_run best;
    if (!find_best(&best, device, module, box, a))
        return false;
    count_whole_steps(&best, box->steps, box->most_on_chip);
    bool faster = is_faster(&best, device, box, others);
    if (faster)
        *run = best;
    return faster;
}

size_t rt_chip_bytes(const rt_run *run, const stencilrt_region *region, uint32_t grids,
                     size_t elem_size) {
    enum { WORD = 16, HALVES = 2, LANES = 32 };
    const stencilrt_kernel *k = &region->kernels[run->kernel];
    size_t group = (size_t)grids * k->tiles, words = elem_size <= 4 ? (group + 2) / 3 : group;
    size_t all = HALVES * words * WORD;
    for (uint32_t d = 0; d < region->rank; d++) {
        size_t own = (size_t)run->chip.own[d] / (d == 0 ? k->tiles : 1);
        all *= (run->grid[d] - 1) * own + (d == 0 ? LANES : k->tile[d]);
    }
    return STENCILRT_HEADER + all;
}

int64_t rt_chip_steps(const rt_run *run, int64_t left) {
    return odd(left < run->chip.most ? left : run->chip.most);
}

const rt_run *rt_schedule_chip(const rt_schedule *schedule, const rt_shape *shape) {
    for (uint32_t i = 0; i < schedule->count; i++)
        if (shape->region->kernels[schedule->runs[i].kernel].kind == STENCILRT_RESIDENT)
            return &schedule->runs[i];
    return NULL;
}
