/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes all launches of a call, with the arguments that each kernel lists as its parameters. If a
 * step of the cell kernel has more blocks than a launch may have, it is several launches.
 */
#include "runtime/run/launch.h"
#include "runtime/run/words.h"

#include "runtime/call/parameters.h"
#include "runtime/call/stops.h"
#include "runtime/choose/tiles.h"
#include "runtime/run/arguments.h"
#include <stdlib.h>
#include <string.h>

typedef struct launcher {
    rt_device *device;
    void *module;
    const rt_shape *shape;
    rt_memory *memory;
    const stencilrt_kernel *kernel;
    /* What arguments also come from: the launch's first step and first cell, the planes of a chunk,
     * and the place of the grid that rotates, by the kind of parameter. */
    int64_t step, first[3], chunk, peeled;
    int64_t rows[2]; /* along the last dimension, those that launches of the cell kernel compute */
    bool counts;     /* do they count in reductions? */
    const rt_run *run;
    const rt_span *span;
    bool takes_rows, early; /* can the kernel compute some rows alone? are the edges queued? */
    rt_lean_shift shift;    /* of the launch, if slabs lean */
    int64_t steps, epoch;   /* for a resident kernel's launch */
    uint64_t moving[stencilrt_parameter_kind_count];
    rt_arguments arguments;
    rt_launch launch;
    rt_pace *pace; /* for one sweep */
    bool ends;     /* the part ends here */
    /* The values that the CPU computed in advance; NULL: it has them now. */
    const uint64_t *followed;
} launcher;

/* The bytes by which a grid's cell (0,0,0) has moved on before the launch's first step. */
static int64_t moved_by(const launcher *l, uint32_t number) {
    const stencilrt_grid *grid = &l->shape->region->grids[number];
    int64_t moved = grid->advance;
    if (grid->along > 0)
        moved = grid->along > 1 ? l->shape->grids[number].stride[grid->along - 2] : 1;
    return l->step * moved * grid->elem_size;
}

static uint64_t port_argument(const launcher *l, const stencilrt_port *port) {
    const stencilrt_region *r = l->shape->region;
    const stencilrt_grid *grid = &r->grids[port->grid];
    uint32_t buffer = grid->first_buffer + rt_port_buffer(r, port, l->step);
    return rt_cell_zero(l->shape, port->grid, &l->memory->blocks[buffer]) +
           (uint64_t)moved_by(l, port->grid);
}

static int64_t rows_ahead(const rt_shape *shape, uint32_t dimension) {
    return dimension == shape->region->rank - 1 ? shape->ahead : 0;
}

/* Launches of the cell kernel for some rows end at the last one. */
static int64_t extent_of(const launcher *l, uint32_t dimension) {
    bool some = dimension == l->shape->region->rank - 1 && l->kernel->kind == STENCILRT_CELL;
    return some ? l->rows[1] : l->shape->extent[dimension];
}

static uint64_t argument(const launcher *l, const stencilrt_parameter *p) {
    const rt_shape *shape = l->shape;
    switch ((stencilrt_parameter_kind)p->kind) {
    case STENCILRT_ARG_PORT:
        return port_argument(l, &shape->region->ports[p->index]);
    case STENCILRT_ARG_DST:
    case STENCILRT_ARG_SRC:
    case STENCILRT_ARG_OTHER:
    case STENCILRT_ARG_OLDER_SRC:
    case STENCILRT_ARG_OLDER_DST:
        return l->moving[p->kind];
    case STENCILRT_ARG_FIRST:
        return (uint64_t)(l->first[p->index] + rows_ahead(shape, p->index));
    case STENCILRT_ARG_EXTENT:
        return (uint64_t)(extent_of(l, p->index) + rows_ahead(shape, p->index));
    case STENCILRT_ARG_STRIDE:
        return (uint64_t)shape->grids[p->index / 3].stride[p->index % 3 - 1];
    case STENCILRT_ARG_CHUNK:
        return (uint64_t)l->chunk;
    case STENCILRT_ARG_SCALAR:
        if (l->followed && shape->region->scalars[p->index].kind == STENCILRT_FOLLOWED)
            return l->followed[rt_followed_count(shape->region, p->index)];
        return rt_scalar_value(&l->arguments, shape->region, p->index, l->step);
    case STENCILRT_ARG_INCREMENT:
        return l->arguments.scalars[p->index][1];
    case STENCILRT_ARG_REDUCED:
        return l->counts ? l->memory->slots : l->memory->counted.spare;
    case STENCILRT_ARG_PEELED:
        return (uint64_t)l->peeled;
    case STENCILRT_ARG_OWN:
    case STENCILRT_ARG_MARGIN:
    case STENCILRT_ARG_ROUND:
    case STENCILRT_ARG_STEPS:
    case STENCILRT_ARG_EPOCH:
    case STENCILRT_ARG_PATIENCE:
    case STENCILRT_ARG_WORDS:
        return rt_chip_argument(&(rt_chip_arguments){&l->run->chip, l->steps, l->epoch,
                                                     l->device->driver->patience,
                                                     l->memory->words.address},
                                p);
    case STENCILRT_ARG_VALUE: /* only in kernels of whole steps */
    case STENCILRT_ARG_MADE:
    case STENCILRT_ARG_NEWER:
    case STENCILRT_ARG_PLACE:
    case STENCILRT_ARG_ADDENDS: /* of sums alone: device/ordered.c */
    case STENCILRT_ARG_STARTS:
    case STENCILRT_ARG_SUMS:
    case STENCILRT_ARG_COUNT:
    case STENCILRT_ARG_TILE:
    case stencilrt_parameter_kind_count:
        break;
    }
    return 0;
}

static bool launch(launcher *l, rt_error *why) {
    for (uint32_t i = 0; i < l->kernel->nparameters; i++)
        l->arguments.values[i] = argument(l, &l->kernel->parameters[i]);
    bool ok = l->device->driver->launch(l->device->handle, l->module, &l->launch, why);
    l->device->launches += ok || why->reason != RT_LOAD; /* after RT_LOAD nothing ran */
    return ok;
}

static bool leans(const launcher *l) {
    return l->span && l->span->leans;
}

static bool launch_piece(launcher *l, const rt_piece *p, rt_error *why) {
    uint32_t last = l->shape->region->rank - 1;
    l->first[last] = p->first;
    l->chunk = p->chunk;
    l->launch.grid[last] = (uint32_t)p->chunks;
    return launch(l, why);
}

/* The edges come first, in the other queue, where they do not wait for the rest. */
static bool launch_edges(launcher *l, const rt_pieces *p, rt_error *why) {
    enum { REST, EDGES }; /* queues */
    const rt_driver *driver = l->device->driver;
    void *device = l->device->handle;
    bool ok = driver->mark(device, RT_MARK_BEFORE, why) && driver->turn(device, EDGES, why) &&
              driver->follow(device, device, RT_MARK_BEFORE, why);
    for (unsigned i = 0; i < p->nedges && ok; i++)
        ok = launch_piece(l, &p->edges[i], why);
    l->early = true;
    return ok && driver->mark(device, RT_MARK_EDGES, why) && driver->turn(device, REST, why);
}

/* Launches a blocked kernel for the rows of a slab that leans, and for no others: chunks of equal
 * heights, or a last one of its own. There may be no rows. */
static bool launch_leaning(launcher *l, rt_error *why) {
    int64_t rows = l->rows[1] - l->rows[0], extent = extent_of(l, l->shape->region->rank - 1);
    if (rows == 0)
        return true;
    int64_t chunks = rt_ceil_div(rows, l->run->chunk), most = chunks + chunks / 4 + 1;
    rt_piece p = {l->rows[0], rt_ceil_div(rows, chunks), chunks};
    for (int64_t n = chunks; n <= most && rows % p.chunks != 0 && n <= rows; n++)
        if (rows % n == 0)
            p = (rt_piece){l->rows[0], rows / n, n};
    if (l->rows[1] == extent || p.chunk * p.chunks == rows)
        return launch_piece(l, &p, why);
    p.chunk = rows / chunks;
    rt_piece rest = {p.first + p.chunk * chunks, rows % chunks, 1};
    return launch_piece(l, &p, why) && launch_piece(l, &rest, why);
}

/* Launches a blocked kernel for all rows, or for those that are wanted. */
static bool launch_rows(launcher *l, rt_error *why) {
    const rt_shape *shape = l->shape;
    if (leans(l))
        return launch_leaning(l, why);
    if (!l->takes_rows)
        return launch(l, why);
    int64_t left = shape->steps - l->step - l->kernel->bt;
    rt_pieces p =
        rt_span_pieces(l->span, shape->extent[shape->region->rank - 1], left, l->run->chunk);
    return (p.nedges == 0 || launch_edges(l, &p, why)) && launch_piece(l, &p.rest, why);
}

/* Launches pieces along dimension d, and in each piece along the dimensions below. */
static bool launch_pieces(launcher *l, uint32_t d, rt_error *why) {
    int64_t block = l->launch.block[d], extent = extent_of(l, d);
    const rt_limits *most = &l->device->info.limits;
    int64_t fit = most->threads / block;
    int64_t piece = (fit < most->blocks[d] ? fit : most->blocks[d]) * block;
    int64_t first = d == l->shape->region->rank - 1 ? l->rows[0] : 0;
    for (; first < extent; first += piece) {
        int64_t cells = extent - first < piece ? extent - first : piece;
        l->launch.grid[d] = (uint32_t)((cells + block - 1) / block);
        l->first[d] = first;
        if (!(d > 0 ? launch_pieces(l, d - 1, why) : launch(l, why)))
            return false;
    }
    return true;
}

/* The cells at the low end of rows that lie before the first multiple of a tile's width. All grids
 * that extend along x must have the same number; -1 if they do not. */
static int64_t peeled_cells(const launcher *l) {
    const stencilrt_region *r = l->shape->region;
    int64_t width = l->kernel->tile[0], peeled = -1;
    for (uint32_t i = 0; width > 0 && i < r->nports; i++) {
        const rt_grid *grid = &l->shape->grids[r->ports[i].grid];
        int64_t size = r->grids[r->ports[i].grid].elem_size;
        if (r->grids[r->ports[i].grid].broadcast & 1)
            continue;
        int64_t past = (int64_t)(port_argument(l, &r->ports[i]) / (uint64_t)size) % width;
        int64_t one = (width - past) % width;
        if (grid->stride[0] % width != 0 || grid->stride[1] % width != 0 ||
            (peeled >= 0 && one != peeled))
            return -1;
        peeled = one;
    }
    return peeled;
}

static bool is_counted_apart(const launcher *l) {
    return l->shape->region->nreductions > 0 && l->memory->counted.hi >= 0;
}

/* The rows that are counted, and those before and after them. */
static bool launch_counted(launcher *l, rt_error *why) {
    uint32_t last = l->shape->region->rank - 1;
    int64_t begin = l->rows[0], end = l->rows[1];
    int64_t lo = l->memory->counted.lo, hi = l->memory->counted.hi;
    const int64_t parts[3][2] = {{begin, lo}, {lo, hi}, {hi, end}};
    bool ok = true;
    for (int i = 0; i < 3 && ok; i++) {
        memcpy(l->rows, parts[i], sizeof l->rows);
        l->counts = i == 1;
        ok = l->rows[0] >= l->rows[1] || launch_pieces(l, last, why);
    }
    l->rows[0] = begin;
    l->rows[1] = end;
    l->counts = true;
    return ok;
}

/* One step by the cell kernel: from each grid's current buffer to its next one. */
static bool advance_cells(launcher *l, rt_error *why) {
    uint32_t rank = l->shape->region->rank;
    l->peeled = is_counted_apart(l) ? -1 : peeled_cells(l);
    memset(l->first, 0, sizeof l->first);
    if (is_counted_apart(l))
        return launch_counted(l, why);
    if (l->peeled >= 0 && l->shape->ahead == 0 && !leans(l) &&
        rt_tiles_lay_out(l->device, l->kernel, rank, l->shape->extent, l->peeled, l->launch.grid))
        return launch(l, why);
    l->peeled = -1;
    return launch_pieces(l, rank - 1, why);
}

/* bT steps by a stream or strip kernel. If the degree is even, the scratch that was written becomes
 * the buffer; both have the same halo. */
static bool advance_newest(launcher *l, rt_error *why) {
    const rt_shape *shape = l->shape;
    uint32_t grid = shape->rotating, now = l->step % 2;
    rt_block *pair = l->memory->blocks + shape->region->grids[grid].first_buffer;
    rt_block *src = &pair[now], *other = &pair[1 - now];
    rt_block *dst = l->kernel->bt % 2 == 0 ? &l->memory->scratch[now] : other;
    l->moving[STENCILRT_ARG_DST] = rt_cell_zero(shape, grid, dst);
    l->moving[STENCILRT_ARG_SRC] = rt_cell_zero(shape, grid, src);
    l->moving[STENCILRT_ARG_OTHER] = rt_cell_zero(shape, grid, l->memory->same_halo ? src : other);
    if (!launch_rows(l, why))
        return false;
    if (dst != other)
        rt_swap_blocks(src, dst);
    return true;
}

/* The same from two buffers to two others. Afterwards each buffer has what the program would have
 * left there. Memory that has neither of the two levels becomes scratch. After a launch of one
 * step, its source is the older result. */
static bool advance_both(launcher *l, rt_error *why) {
    const rt_shape *shape = l->shape;
    int64_t step = l->step, bt = l->kernel->bt;
    uint32_t grid = shape->rotating, count = shape->region->grids[grid].buffers;
    rt_block *buffers = l->memory->blocks + shape->region->grids[grid].first_buffer, *all[4];
    for (uint32_t i = 0; i < 4; i++)
        all[i] = i < count ? &buffers[i] : &l->memory->scratch[i - count];
    uint32_t now = (uint32_t)(step % count), older = (now + count - 1) % count;
    uint32_t free1 = count == 2 ? 2 : 3 - now - older, free2 = 3;
    l->moving[STENCILRT_ARG_DST] = rt_cell_zero(shape, grid, all[free1]);
    l->moving[STENCILRT_ARG_SRC] = rt_cell_zero(shape, grid, all[now]);
    l->moving[STENCILRT_ARG_OLDER_SRC] = rt_cell_zero(shape, grid, all[older]);
    l->moving[STENCILRT_ARG_OLDER_DST] = rt_cell_zero(shape, grid, all[free2]);
    if (!launch_rows(l, why))
        return false;
    rt_block newest = *all[free1], second = bt > 1 ? *all[free2] : *all[now];
    rt_block rest[2] = {*all[older], bt > 1 ? *all[now] : *all[free2]};
    uint32_t to = (uint32_t)((step + bt) % count), before = (to + count - 1) % count;
    for (uint32_t i = 0, unused = 0; i < 4; i++)
        *all[i] = i == to ? newest : i == before ? second : rest[unused++];
    return true;
}

static bool advance_blocked(launcher *l, rt_error *why) {
    return l->shape->older ? advance_both(l, why) : advance_newest(l, why);
}

/* An odd number of steps by a resident kernel. Each exchange of the call has its own number. */
static bool advance_on_chip(launcher *l, rt_error *why) {
    const rt_shape *shape = l->shape;
    uint32_t grid = shape->rotating, now = l->step % 2;
    rt_block *pair = l->memory->blocks + shape->region->grids[grid].first_buffer;
    l->moving[STENCILRT_ARG_DST] = rt_cell_zero(shape, grid, &pair[1 - now]);
    l->moving[STENCILRT_ARG_SRC] = rt_cell_zero(shape, grid, &pair[now]);
    l->launch.together = true;
    if (!launch(l, why))
        return false;
    l->device->together = true;
    l->epoch += rt_ceil_div(l->steps, l->run->chip.round);
    return true;
}

/* Makes the kernel's steps from l->step on: by one launch, or by several for pieces of it all. */
static bool (*const advances[stencilrt_kernel_kind_count])(launcher *, rt_error *) = {
    [STENCILRT_CELL] = advance_cells,
    [STENCILRT_STREAM] = advance_blocked,
    [STENCILRT_STRIP] = advance_blocked,
    [STENCILRT_RESIDENT] = advance_on_chip};

static bool advance(launcher *l, int64_t step, rt_error *why) {
    l->step = step;
    if (leans(l)) {
        l->shift = rt_lean_next(l->shift, l->kernel->bt, l->span->reach);
        rt_lean_rows(l->span, l->shift, l->shape->extent[l->shape->region->rank - 1], l->rows);
    }
    return advances[l->kernel->kind](l, why);
}

/* Allocates the arguments. False if memory ran out; call arguments_free also then. */
static bool begin(launcher *l, const stencilrt_kernel *k, uint32_t number, rt_error *why) {
    if (!rt_arguments_reserve(&l->arguments, l->shape->region, l->shape->call, k, why))
        return false;
    if (!rt_limits_allow(&l->device->info.limits, k->block))
        return rt_fail(why, RT_NO_IMAGE, "its blocks have %u x %u x %u threads", k->block[0],
                       k->block[1], k->block[2]);
    l->kernel = k;
    l->rows[0] = l->shape->skipped;
    l->rows[1] = l->shape->extent[l->shape->region->rank - 1];
    l->counts = true;
    l->launch = rt_arguments_launch(&l->arguments, k, number);
    return true;
}

static bool launch_run(launcher *l, const rt_run *run, int64_t *step, rt_error *why) {
    const stencilrt_kernel *k = &l->shape->region->kernels[run->kernel];
    bool ok = begin(l, k, run->kernel, why), on_chip = k->kind == STENCILRT_RESIDENT;
    int64_t left = run->chip.steps;
    l->chunk = run->chunk;
    l->run = run;
    l->takes_rows = ok && l->span && l->span->hi > 0 && rt_kernel_takes_rows(k);
    if (on_chip)
        l->pace->size = 1; /* these launches are long */
    if (ok && k->kind != STENCILRT_CELL)
        memcpy(l->launch.grid, run->grid, sizeof l->launch.grid);
    for (int64_t i = 0; ok && (on_chip ? left > 0 : i < run->launches) && !l->ends; i++) {
        l->steps = on_chip ? rt_chip_steps(run, left) : k->bt;
        ok = advance(l, *step, why);
        *step += l->steps;
        left -= l->steps;
        ok = ok && rt_pace_next(l->pace, *step, l->shape->steps - *step, &l->ends, why);
    }
    rt_arguments_free(&l->arguments);
    return ok;
}

/* Only the scratch's halo is needed, but copying all of it takes one call. */
static bool copy_halos(launcher *l, const rt_schedule *schedule, rt_error *why) {
    const stencilrt_grid *grid = &l->shape->region->grids[l->shape->rotating];
    for (uint32_t i = 0; i < 2; i++) {
        const rt_block *from = &l->memory->blocks[grid->first_buffer + (l->shape->older ? 0 : i)];
        if (!schedule->scratch[i] || l->memory->has_halo[i])
            continue;
        l->memory->has_halo[i] = true;
        if (!l->device->driver->copy(l->device->handle, l->memory->scratch[i].address,
                                     from->address, l->shape->grids[l->shape->rotating].bytes, why))
            return false;
    }
    return true;
}

/* A part ends as the whole schedule does: by single steps. So each buffer has what the program
 * would have there. */
static bool launch_end(launcher *l, const rt_schedule *schedule, int64_t *step, rt_error *why) {
    int64_t period = l->pace->part->period;
    rt_run single = schedule->runs[schedule->count - 1];
    single.launches = period - *step % period;
    l->pace->part->done = *step + single.launches;
    l->ends = false;
    l->pace->size = single.launches + 1;
    l->pace->launches = 0; /* no slice ends during these launches */
    return launch_run(l, &single, step, why);
}

bool rt_launch_steps(rt_device *device, void *module, const rt_shape *shape,
                     const rt_schedule *schedule, rt_memory *memory, rt_part *part, rt_error *why) {
    rt_pace pace;
    launcher l = {.device = device,
                  .module = module,
                  .shape = shape,
                  .memory = memory,
                  .span = &schedule->span,
                  .pace = &pace};
    int64_t step = 0;
    bool ok =
        device->driver->mark(device->handle, RT_MARK_START, why) && copy_halos(&l, schedule, why);
    rt_pace_begin(&pace, part, device, rt_memory_bytes(memory, shape->region->nbuffers));
    for (uint32_t i = 0; ok && i < schedule->count && !l.ends; i++)
        ok = launch_run(&l, &schedule->runs[i], &step, why);
    if (ok && l.ends)
        ok = launch_end(&l, schedule, &step, why);
    rt_pace_end(&pace);
    if (ok && schedule->span.hi > 0 && !l.early)
        ok = device->driver->mark(device->handle, RT_MARK_EDGES, why);
    return ok && device->driver->mark(device->handle, RT_MARK_END, why);
}

static bool advance_sweeps(launcher *all, const rt_sweep *sweeps, uint32_t count, int64_t step,
                           bool wanted, rt_reducer *reducer, rt_error *why) {
    bool ok = true;
    for (uint32_t i = 0; ok && i < count; i++)
        ok = !rt_sweep_is_made(sweeps[i].shape.region, step, wanted) ||
             ((!rt_sweep_is_late(sweeps[i].shape.region) ||
               rt_reducer_between(reducer, step, i, why)) &&
              rt_sweep_keep_before(&sweeps[i], all[i].device, why) && advance(&all[i], step, why));
    return ok;
}

/* Does the part end after this step, of which there must be `least`? The reducer's zeros are in a
 * chunk. */
static bool end_step(rt_pace *pace, rt_reducer *reducer, int64_t made, int64_t steps, int64_t least,
                     bool *more, rt_error *why) {
    enum { UNKNOWN = 1 << 30 }; /* steps of a loop that stops by itself */
    rt_part *part = pace->part;
    bool end = false, asks = rt_ends_by_condition(reducer->check);
    if (!*more)
        return true;
    if (!rt_pace_next(pace, made, asks ? UNKNOWN : steps - made, &end, why))
        return false;
    if (part->used_chunks)
        rt_reducer_renew(reducer);
    part->used_chunks = false;
    pace->ends |= end;
    if (pace->ends && made >= least && made % part->period == 0) {
        part->done = made;
        *more = false;
    }
    return true;
}

/* Gives the sweeps a step's values, of a table of those of all steps; NULL: they have them. */
static void give_followed(launcher *all, const rt_sweep *sweeps, uint32_t count,
                          const uint64_t *values, int64_t step) {
    size_t each = 0;
    for (uint32_t i = 0; i < count; i++)
        each += rt_followed_count(sweeps[i].shape.region, sweeps[i].shape.region->nscalars);
    const uint64_t *next = values ? values + (size_t)step * each : NULL;
    for (uint32_t i = 0; i < count; i++) {
        all[i].followed = next;
        if (next)
            next += rt_followed_count(sweeps[i].shape.region, sweeps[i].shape.region->nscalars);
    }
}

/* Makes the steps that were asked for and that no kernel of whole steps made, *asked of them. */
static bool make_asked(launcher *all, const rt_sweep *sweeps, uint32_t count, int64_t *asked,
                       const uint64_t *values, rt_reducer *reducer, int64_t *made, rt_error *why) {
    bool ok = true;
    for (int64_t step = 0; ok && step < *asked; step++) {
        give_followed(all, sweeps, count, values, step);
        ok = advance_sweeps(all, sweeps, count, (*made)++, true, reducer, why);
    }
    give_followed(all, sweeps, count, NULL, 0);
    *asked = 0;
    return ok;
}

/* Is there another step, when kernels of several steps are done? */
static bool goes_on(const stencilrt_call *call, int64_t made, int exit) {
    bool asks = rt_ends_by_condition(call->check);
    if (asks && made > 0) {
        call->check->done = made;
        call->check->exit = exit;
    }
    return asks ? exit == 0 : made < call->steps;
}

/* Makes whole steps. *more: some steps are left to the sweeps' own kernels. If arrays take turns,
 * these make at least one. */
static bool launch_whole(launcher *all, rt_sweep *sweeps, uint32_t count, rt_steps *whole,
                         rt_pace *pace, int64_t *made, bool *more, rt_error *why) {
    bool ok = rt_steps_launch(whole, all[0].device, all[0].module, pace, made, why);
    for (uint32_t i = 0; i < count; i++)
        rt_sweep_place(whole->arrays, i, whole->blocks, &sweeps[i]);
    ok = ok &&
         make_asked(all, sweeps, count, &whole->asked, whole->values, whole->reducer, made, why);
    *more = goes_on(whole->arrays->call, *made, whole->exit);
    if (pace->ends && *more && whole->arrays->whole.may_end && *made % pace->part->period == 0) {
        pace->part->done = *made;
        *more = false;
    }
    return ok;
}

/* The launches of a call by the sweeps' own kernels: of steps that are as many as `steps` in all,
 * and of which a part has at least `least`. */
typedef struct walk {
    launcher *all;
    const rt_sweep *sweeps;
    uint32_t count;
    int64_t steps, least;
    rt_reducer *reducer;
    rt_pace pace;
} walk;

static bool make_steps(walk *w, int64_t first, int64_t end, bool *more, rt_error *why) {
    bool ok = true;
    for (int64_t step = first; ok && *more && step < end; step++) {
        give_followed(w->all, w->sweeps, w->count, w->reducer->followed, step);
        ok = rt_reducer_clear(w->reducer, step, w->steps, why) &&
             advance_sweeps(w->all, w->sweeps, w->count, step,
                            rt_reducer_wants(w->reducer, step, w->steps), w->reducer, why) &&
             rt_reducer_check(w->reducer, step, w->steps, more, why) &&
             end_step(&w->pace, w->reducer, step + 1, w->steps, w->least, more, why);
    }
    return ok;
}

/* Where a step copies cells to ghost cells, the first steps and then those of kernels of whole
 * steps. *made: how many. */
static bool begin_whole(walk *w, rt_sweep *sweeps, rt_steps *whole, int64_t *made, bool *more,
                        rt_error *why) {
    int64_t first = whole->arrays->whole.first;
    whole->reducer = w->reducer;
    if (!make_steps(w, 0, first, more, why))
        return false;
    if (!*more)
        return true;
    bool ok = first == 0 || rt_steps_fill(whole, w->all[0].device, why);
    ok = ok && launch_whole(w->all, sweeps, w->count, whole, &w->pace, made, more, why);
    w->least = *made + whole->arrays->whole.last;
    return ok;
}

/* The sweeps' own kernels leave all arrays right: they make the last step. */
static bool begin_on_chip(walk *w, rt_ahead *ahead, int64_t *made, bool *more, rt_error *why) {
    ahead->reducer = w->reducer;
    bool ok = rt_ahead_launch(ahead, w->all[0].device, w->all[0].module, w->sweeps, &w->pace, made,
                              why) &&
              make_asked(w->all, w->sweeps, w->count, &ahead->asked, NULL, w->reducer, made, why);
    *more = goes_on(ahead->arrays->call, *made, ahead->exit);
    w->least = *made + 1;
    return ok;
}

static bool launch_all(launcher *all, rt_sweep *sweeps, uint32_t count, int64_t first,
                       int64_t steps, rt_steps *whole, rt_ahead *ahead, rt_reducer *reducer,
                       rt_part *part, rt_error *why) {
    bool more = steps > first;
    walk w = {.all = all, .sweeps = sweeps, .count = count, .steps = steps, .reducer = reducer};
    rt_pace_begin(&w.pace, part, all[0].device, rt_sweeps_bytes(sweeps, count));
    bool ok = ahead ? begin_on_chip(&w, ahead, &first, &more, why)
                    : !whole || begin_whole(&w, sweeps, whole, &first, &more, why);
    if (part->used_chunks) /* between launches of whole steps */
        rt_reducer_renew(reducer);
    ok = ok && make_steps(&w, first, INT64_MAX, &more, why);
    rt_pace_end(&w.pace);
    return ok;
}

bool rt_launch_sweeps(rt_device *device, void *module, rt_sweep *sweeps, uint32_t count,
                      int64_t first, int64_t steps, rt_steps *whole, rt_ahead *ahead,
                      rt_reducer *reducer, rt_part *part, rt_error *why) {
    launcher *all = calloc(count, sizeof *all);
    bool ok = all != NULL || rt_fail(why, RT_HOST_MEMORY, "%s", "");
    ok = ok && device->driver->mark(device->handle, RT_MARK_START, why);
    for (uint32_t i = 0; ok && i < count; i++) {
        all[i] = (launcher){.device = device,
                            .module = module,
                            .shape = &sweeps[i].shape,
                            .memory = &sweeps[i].memory};
        ok = begin(&all[i], sweeps[i].shape.region->kernels, i, why);
    }
    ok = ok && launch_all(all, sweeps, count, first, steps, whole, ahead, reducer, part, why);
    for (uint32_t i = 0; all && i < count; i++)
        rt_arguments_free(&all[i].arguments);
    free(all);
    return ok && device->driver->mark(device->handle, RT_MARK_END, why);
}
