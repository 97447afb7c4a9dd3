/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Is a region well formed? The compiler made it. So a failure here is an error in the plugin, or
 * the object file is of another version. The check costs little, and a wrong result would cost
 * much.
 */
#include "runtime/call/parameters.h"
#include "runtime/call/stops.h"
#include "runtime/call/whole.h"

enum {
    MAX_THINGS = 4096, /* grids, ports, scalars, images, buffers: far more than a kernel can use */
    /* More than any device has; the device's own limit is asked later. */
    MAX_THREADS_A_BLOCK = 1 << 16,
    MAX_CELLS = 1 << 20, /* of a tile, an overlap, a padding */
    MAX_SCRATCHPAD = 256 << 10,
    MAX_BRICK = 32, /* cells along a dimension */
    MAX_REST = 32,  /* blocks */
};
static const int64_t max_extent = (int64_t)1 << 40;

static bool power_of_two_to_8(uint32_t size) {
    return size == 1 || size == 2 || size == 4 || size == 8;
}

static bool grids_are_sound(const stencilrt_region *r, rt_error *why) {
    uint64_t buffers = 0;
    for (uint32_t i = 0; i < r->ngrids; i++) {
        const stencilrt_grid *grid = &r->grids[i];
        if (!power_of_two_to_8(grid->elem_size) || grid->broadcast >> r->rank != 0)
            return rt_fail(why, RT_MALFORMED, "grid %u", i);
        if (grid->advance != 0 && grid->broadcast != (1u << r->rank) - 1)
            return rt_fail(why, RT_MALFORMED, "grid %u advances", i);
        if (grid->along > 0 &&
            (grid->along > 3 || grid->advance != 0 || grid->broadcast != 0 || grid->buffers != 1))
            return rt_fail(why, RT_MALFORMED, "grid %u moves", i);
        if (grid->buffers == 0 || grid->first_buffer != buffers)
            return rt_fail(why, RT_MALFORMED, "the buffers of grid %u", i);
        buffers += grid->buffers;
    }
    if (buffers != r->nbuffers)
        return rt_fail(why, RT_MALFORMED, "the number of buffers");
    return true;
}

static bool offsets_are_sound(const stencilrt_region *r, const stencilrt_port *port) {
    uint32_t unused = (r->grids[port->grid].broadcast & ~1u) | (~0u << r->rank);
    for (uint32_t i = 0; i < port->noffsets; i++)
        for (uint32_t d = 0; d < 3; d++)
            if ((unused >> d & 1) && port->offsets[3 * i + d] != 0)
                return false;
    return true;
}

static bool access_is_sound(const stencilrt_port *port) {
    uint32_t kind = port->access % STENCILRT_UNSURE;
    bool maybe = kind & STENCILRT_MAYBE, both = (kind & 3) == 3;
    return kind != 0 && (!maybe || both) && port->access / STENCILRT_UNSURE <= port->noffsets;
}

static bool ports_are_sound(const stencilrt_region *r, rt_error *why) {
    bool writes = false;
    for (uint32_t i = 0; i < r->nports; i++) {
        const stencilrt_port *port = &r->ports[i];
        bool reads = port->access & STENCILRT_READ;
        if (port->grid >= r->ngrids || !access_is_sound(port) || reads != (port->noffsets > 0) ||
            (reads && !port->offsets) || !offsets_are_sound(r, port))
            return rt_fail(why, RT_MALFORMED, "port %u", i);
        if (port->access & STENCILRT_WRITE) {
            writes = true;
            if (r->grids[port->grid].broadcast)
                return rt_fail(why, RT_MALFORMED, "port %u writes a broadcast grid", i);
        }
    }
    return writes || r->nreductions > 0 || rt_fail(why, RT_MALFORMED, "nothing is written");
}

static bool block_is_sound(const stencilrt_region *r, const stencilrt_kernel *k) {
    uint64_t threads = 1;
    for (uint32_t d = 0; d < 3; d++) {
        if (k->block[d] == 0 || k->block[d] > MAX_THREADS_A_BLOCK ||
            (k->kind == STENCILRT_CELL && d >= r->rank && k->block[d] != 1))
            return false;
        threads *= k->block[d];
    }
    return threads <= MAX_THREADS_A_BLOCK;
}

static bool is_peeled(const stencilrt_kernel *k) {
    bool peeled = false;
    for (uint32_t i = 0; i < k->nparameters && k->parameters; i++)
        peeled = peeled || k->parameters[i].kind == STENCILRT_ARG_PEELED;
    return peeled;
}

/* A thread's tile of cells. The cells of a row that are in no tile take so many blocks at most. */
static bool thread_tile_is_sound(const stencilrt_region *r, const stencilrt_kernel *k) {
    const uint32_t *n = k->tile;
    bool none = n[0] == 0 && n[1] == 0 && n[2] == 0, good = true;
    for (uint32_t d = 0; d < 3; d++)
        good = good && n[d] > 0 && n[d] <= MAX_THREADS_A_BLOCK && (n[d] & (n[d] - 1)) == 0 &&
               (d < r->rank || n[d] == 1);
    return is_peeled(k) ? good && (n[0] - 1) * n[1] * n[2] <= MAX_REST * k->block[0] : none;
}

static bool cell_kernel_is_sound(const stencilrt_region *r, const stencilrt_kernel *k) {
    return k->bt == 1 && thread_tile_is_sound(r, k) && k->tiles == 0 && k->overlap == 0 &&
           k->scratchpad == 0;
}

static bool blocked_kernel_is_sound(const stencilrt_region *r, const stencilrt_kernel *k) {
    return (k->kind == STENCILRT_STRIP) == (r->rank == 1) && k->bt >= 1 && k->bt <= RT_MAX_DEGREE &&
           k->tile[0] >= 1 && k->tile[0] <= MAX_CELLS && k->tile[1] >= 1 &&
           k->tile[1] <= MAX_CELLS && (r->rank == 3 || k->tile[1] == 1) && k->tile[2] == 0 &&
           k->tiles >= 1 && k->tiles <= MAX_CELLS && k->overlap <= MAX_CELLS &&
           k->scratchpad <= MAX_SCRATCHPAD;
}

/* Kernels of whole steps, and those that add up, need several sweeps. whole.c checks the rest. */
static bool kernel_of_sweeps_is_sound(const stencilrt_region *r, const stencilrt_kernel *k) {
    (void)r;
    (void)k;
    return false;
}

static bool (*const soundness[stencilrt_kernel_kind_count])(const stencilrt_region *,
                                                            const stencilrt_kernel *) = {
    [STENCILRT_CELL] = cell_kernel_is_sound,     [STENCILRT_STREAM] = blocked_kernel_is_sound,
    [STENCILRT_STRIP] = blocked_kernel_is_sound, [STENCILRT_STEPS] = kernel_of_sweeps_is_sound,
    [STENCILRT_RESIDENT] = rt_resident_is_sound, [STENCILRT_ADDING] = kernel_of_sweeps_is_sound};

/* The first kernel, and no other, is a cell kernel. */
static bool kernel_is_sound(const stencilrt_region *r, uint32_t number) {
    const stencilrt_kernel *k = &r->kernels[number];
    return k->name && k->kind < stencilrt_kernel_kind_count &&
           (k->kind == STENCILRT_CELL) == (number == 0) && block_is_sound(r, k) &&
           soundness[k->kind](r, k);
}

static bool reads_neighbours(const stencilrt_port *port) {
    for (uint32_t i = 0; i < 3 * port->noffsets; i++)
        if (port->offsets[i] != 0)
            return true;
    return false;
}

/* One grid is written, at level 1. It is read at level 0, and perhaps at level -1, without
 * neighbours there. It has 2 buffers, or 3 if both levels are read. Other grids have 1 buffer. */
static bool steps_can_be_blocked(const stencilrt_region *r) {
    uint32_t written = 0, newer = 0, older = 0;
    while (written < r->nports && !(r->ports[written].access & STENCILRT_WRITE))
        written++;
    if (written == r->nports)
        return false;
    written = r->ports[written].grid;
    for (uint32_t i = 0; i < r->nports; i++) {
        const stencilrt_port *port = &r->ports[i];
        bool writes = port->access & STENCILRT_WRITE, reads = port->access & STENCILRT_READ;
        if (port->grid != written ? writes : writes && port->level != 1)
            return false;
        if (port->grid != written || !reads)
            continue;
        uint32_t back = rt_port_steps_back(r, port);
        if (back > 2 || (back == 2 && reads_neighbours(port)))
            return false;
        newer += back == 1;
        older += back == 2;
    }
    for (uint32_t i = 0; i < r->ngrids; i++)
        if (i != written && r->grids[i].buffers != 1)
            return false;
    uint32_t buffers = r->grids[written].buffers;
    return (r->rank >= 2 || !older) && newer > 0 && buffers >= 2 && buffers <= (older ? 3 : 2);
}

static bool reduces(const stencilrt_kernel *k) {
    bool any = false;
    for (uint32_t i = 0; i < k->nparameters; i++)
        any = any || k->parameters[i].kind == STENCILRT_ARG_REDUCED;
    return any;
}

/* Grids and ports must have been checked. */
static bool kernels_are_sound(const stencilrt_region *r, rt_error *why) {
    for (uint32_t i = 0; i < r->nkernels; i++) {
        const stencilrt_kernel *k = &r->kernels[i];
        if (!kernel_is_sound(r, i))
            return rt_fail(why, RT_MALFORMED, "kernel %u", i);
        if (!rt_parameters_are_sound(r, k) || (k->kind == STENCILRT_RESIDENT && reduces(k)))
            return rt_fail(why, RT_MALFORMED, "the parameters of kernel %u", i);
        if (i > 1 && k->bt >= r->kernels[i - 1].bt && k->kind != STENCILRT_RESIDENT)
            return rt_fail(why, RT_MALFORMED, "the degrees of the kernels do not fall");
    }
    for (uint32_t d = 0; d < 3; d++)
        if (r->pad_low[d] > MAX_CELLS || r->pad_high[d] > MAX_CELLS)
            return rt_fail(why, RT_MALFORMED, "the padding");
    if (r->nkernels > 1 && !steps_can_be_blocked(r))
        return rt_fail(why, RT_MALFORMED, "its steps cannot be blocked");
    return true;
}

static bool rest_is_sound(const stencilrt_region *r, rt_error *why) {
    if (r->ngrids == 0 || r->ngrids > MAX_THINGS || !r->grids)
        return rt_fail(why, RT_MALFORMED, "the grids");
    if (r->nports == 0 || r->nports > MAX_THINGS || !r->ports)
        return rt_fail(why, RT_MALFORMED, "the ports");
    if (r->nscalars > MAX_THINGS || (r->nscalars > 0 && !r->scalars))
        return rt_fail(why, RT_MALFORMED, "the scalars");
    if (r->nbuffers > MAX_THINGS)
        return rt_fail(why, RT_MALFORMED, "the buffers");
    if (r->nkernels == 0 || r->nkernels > RT_MAX_KERNELS || !r->kernels)
        return rt_fail(why, RT_MALFORMED, "the kernels");
    for (uint32_t i = 0; i < r->nscalars; i++)
        if (!power_of_two_to_8(r->scalars[i].size) ||
            r->scalars[i].kind >= stencilrt_scalar_kind_count)
            return rt_fail(why, RT_MALFORMED, "scalar %u", i);
    return true;
}

/* One grid of 2 buffers is written at level 1 and read at level 0. */
static bool may_copy_back(const stencilrt_region *r) {
    bool good = true;
    for (uint32_t p = 0; p < r->nports && good; p++) {
        const stencilrt_port *port = &r->ports[p];
        bool writes = port->access & STENCILRT_WRITE, reads = port->access & STENCILRT_READ;
        good = r->grids[port->grid].buffers == 1 ? !writes
               : writes                          ? port->level == 1 && !reads
                                                 : port->level == 0;
        good = good && r->grids[port->grid].buffers <= 2;
    }
    return good;
}

/* The compiler knows the sizes of elements. The strides are the program's, and known only now. */
static bool call_is_sound(const stencilrt_region *r, const stencilrt_call *call, rt_error *why) {
    if (!call->origins || !call->strides || (r->nscalars > 0 && !call->scalars))
        return rt_fail(why, RT_MALFORMED, "the call lacks a pointer");
    if (call->copy && !may_copy_back(r))
        return rt_fail(why, RT_MALFORMED, "the copy");
    for (uint32_t d = 0; d < r->rank; d++)
        if (call->extent[d] > max_extent)
            return rt_fail(why, RT_TOO_LARGE, "extent %u", d);
    for (uint32_t i = 0; i < r->ngrids; i++)
        if (!(r->grids[i].broadcast & 1) && call->strides[3 * i] != r->grids[i].elem_size)
            return rt_fail(why, RT_MALFORMED, "grid %u is not contiguous along x", i);
    for (uint32_t i = 0; i < r->ngrids; i++)
        if (r->grids[i].along > 0 && r->grids[i].along <= r->rank &&
            call->extent[r->grids[i].along - 1] != 1)
            return rt_fail(why, RT_MALFORMED, "grid %u moves along a dimension of the sweep", i);
    return true;
}

/* Is there something to do, and are the tables well formed? */
static bool sweep_is_sound(const stencilrt_region *r, const stencilrt_call *call, rt_error *why) {
    if (r->rank < 1 || r->rank > STENCILRT_MAX_RANK)
        return rt_fail(why, RT_MALFORMED, "rank %u", r->rank);
    if (call->steps <= 0)
        return rt_fail(why, RT_NOTHING, "%s", "");
    for (uint32_t d = 0; d < r->rank; d++)
        if (call->extent[d] <= 0)
            return rt_fail(why, RT_NOTHING, "%s", "");
    return rest_is_sound(r, why) && grids_are_sound(r, why) && ports_are_sound(r, why) &&
           kernels_are_sound(r, why) && call_is_sound(r, call, why);
}

/* Is nothing accessed only under a condition? */
static bool all_is_sure(const stencilrt_region *r, rt_error *why) {
    for (uint32_t i = 0; i < r->nports; i++)
        if (r->ports[i].access >= STENCILRT_MAYBE)
            return rt_fail(why, RT_MALFORMED, "port %u", i);
    return true;
}

static bool none_advances(const stencilrt_region *r, rt_error *why) {
    for (uint32_t i = 0; i < r->ngrids; i++)
        if (r->grids[i].advance != 0 || r->grids[i].along != 0)
            return rt_fail(why, RT_MALFORMED, "grid %u advances", i);
    return true;
}

/* Is a sweep that is not made in every step made at least once, always on the same arrays? */
static bool steps_are_sound(const stencilrt_region *r, const stencilrt_call *call, rt_error *why) {
    if (r->every == 0)
        return r->phase == 0 || rt_fail(why, RT_MALFORMED, "the phase");
    bool counted = !rt_ends_by_condition(call->check);
    if (r->phase >= r->every || r->nbuffers != r->ngrids || r->nreductions || !counted ||
        !none_advances(r, why))
        return rt_fail(why, RT_MALFORMED, "the phase");
    if (call->steps >= 1 << 30) /* the program may count steps in 32 bits, from at most 2^16 on */
        return rt_fail(why, RT_TOO_LARGE, "the steps");
    return call->steps > r->phase || rt_fail(why, RT_NOTHING, "%s", "");
}

static bool reductions_are_sound(const stencilrt_region *r, const stencilrt_check *check,
                                 rt_error *why) {
    if (r->nreductions > MAX_THINGS || (r->nreductions > 0 && !r->reductions))
        return rt_fail(why, RT_MALFORMED, "the reductions");
    if (r->nreductions > 0 && (!check || !check->initial || !check->values))
        return rt_fail(why, RT_MALFORMED, "the call lacks room for reductions");
    for (uint32_t i = 0; i < r->nreductions; i++) {
        const stencilrt_reduction *one = &r->reductions[i];
        bool is_float = one->type == STENCILRT_FLOAT;
        if (one->op >= stencilrt_reduction_op_count ||
            one->type >= stencilrt_reduction_type_count ||
            (one->op == STENCILRT_SUM && one->type == STENCILRT_SIGNED) ||
            (one->op == STENCILRT_ORDERED && !is_float) || !power_of_two_to_8(one->size) ||
            (is_float && one->size < 4))
            return rt_fail(why, RT_MALFORMED, "reduction %u", i);
    }
    for (uint32_t i = 0; i < r->ngrids && rt_ends_by_condition(check); i++)
        if (r->grids[i].advance != 0)
            return rt_fail(why, RT_MALFORMED, "grid %u advances, who knows how far", i);
    return true;
}

/* Scalars that are computed for each step need the function `ends`, late ones `between`, too. */
static bool nothing_is_followed(const stencilrt_region *r, const stencilrt_check *check,
                                rt_error *why) {
    for (uint32_t i = 0; i < r->nscalars && !rt_ends_by_condition(check); i++)
        if (r->scalars[i].kind == STENCILRT_FOLLOWED)
            return rt_fail(why, RT_MALFORMED, "scalar %u", i);
    for (uint32_t i = 0; i < r->nscalars && !(rt_ends_by_condition(check) && check->between); i++)
        if (r->scalars[i].kind == STENCILRT_LATE)
            return rt_fail(why, RT_MALFORMED, "scalar %u", i);
    return true;
}

static bool nothing_is_checked(const stencilrt_region *r, const stencilrt_call *call,
                               rt_error *why) {
    return (r->nreductions == 0 && !call->check) || rt_fail(why, RT_MALFORMED, "the reductions");
}

/* Bricks, if there are any, suit the cell kernel: no vector of a tile lies in two of them. */
static bool brick_is_sound(const stencilrt_region *region, const stencilrt_region *r) {
    bool none = r->brick[0] == 0 && r->brick[1] == 0 && r->brick[2] == 0, good = true;
    for (uint32_t d = 0; d < 3; d++)
        good = good && r->brick[d] > 0 && r->brick[d] <= MAX_BRICK &&
               (r->brick[d] & (r->brick[d] - 1)) == 0 && (d < r->rank || r->brick[d] == 1);
    good = good && r->rank > 1 && !region->step && region->nsweeps == 1;
    return none || (good && r->nkernels == 1 && r->kernels && r->kernels[0].tile[0] <= r->brick[0]);
}

/* A region of one sweep: its kernels are the region's, and it runs in all steps. */
static bool alone_is_sound(const stencilrt_region *r, const stencilrt_call *call, rt_error *why) {
    const stencilrt_region *sweep = &r->sweeps[0];
    if (r->nsweeps != 1 || sweep->kernels != r->kernels || r->step || sweep->every)
        return rt_fail(why, RT_MALFORMED, "the sweep");
    return none_advances(sweep, why) && all_is_sure(sweep, why) &&
           nothing_is_checked(sweep, call, why);
}

/* Is each grid of cells as they were before the sweep one that the sweep only reads? */
static bool before_is_sound(const stencilrt_region *sweep) {
    bool good = sweep->ngrids >= 32 || sweep->before >> sweep->ngrids == 0;
    for (uint32_t g = 0; g < sweep->ngrids && g < 32; g++)
        good = good && (!(sweep->before >> g & 1) || sweep->grids[g].buffers == 1);
    for (uint32_t p = 0; p < sweep->nports; p++)
        good = good && !((sweep->ports[p].access & STENCILRT_WRITE) && sweep->ports[p].grid < 32 &&
                         sweep->before >> sweep->ports[p].grid & 1);
    return good;
}

/* Kernels that keep the grid on chip have the parameters of the first sweep. Of two sweeps, the
 * compiler says that they are as one. */
static bool on_chip_is_sound(const stencilrt_region *r, rt_error *why) {
    const stencilrt_region *sweep = &r->sweeps[0];
    bool good = true;
    for (uint32_t i = r->nsweeps; i < r->nkernels && good; i++) {
        const stencilrt_kernel *k = &r->kernels[i];
        good = k->kind != STENCILRT_RESIDENT || k->reach > 0 || /* of whole steps: whole.c */
               (block_is_sound(sweep, k) && rt_resident_is_sound(sweep, k) &&
                rt_parameters_are_sound(sweep, k) && (!reduces(k) || rt_reduction_count(r) > 0) &&
                (r->nsweeps == 1 ? steps_can_be_blocked(sweep) : r->step != NULL));
    }
    return good || rt_fail(why, RT_MALFORMED, "a kernel that keeps the grid on chip");
}

static bool sweeps_are_sound(const stencilrt_region *r, const stencilrt_call *call, rt_error *why) {
    bool alone = r->flags & STENCILRT_ALONE;
    uint64_t reductions = 0;
    if (r->nsweeps == 0 || r->nkernels < r->nsweeps || r->nkernels > 2 * RT_MAX_KERNELS ||
        !r->kernels || !r->sweeps || !call->sweeps ||
        r->ngrids + r->nports + r->nscalars + r->nbuffers > 0)
        return rt_fail(why, RT_MALFORMED, "the sweeps");
    if (call->steps > max_extent)
        return rt_fail(why, RT_TOO_LARGE, "the steps");
    for (uint32_t i = 0; i < r->nsweeps; i++) {
        const stencilrt_region *sweep = &r->sweeps[i];
        if (sweep->nsweeps > 0 || sweep->nkernels != (alone ? r->nkernels : 1) ||
            sweep->rank != r->rank || call->sweeps[i].steps != call->steps ||
            call->sweeps[i].tables != call->tables)
            return rt_fail(why, RT_MALFORMED, "sweep %u", i);
        if (!brick_is_sound(r, sweep))
            return rt_fail(why, RT_MALFORMED, "the bricks of sweep %u", i);
        if (!steps_are_sound(sweep, call, why) || !sweep_is_sound(sweep, &call->sweeps[i], why) ||
            !reductions_are_sound(sweep, call->check, why) ||
            !nothing_is_followed(sweep, call->check, why))
            return false;
        if (!before_is_sound(sweep) || (alone && sweep->before))
            return rt_fail(why, RT_MALFORMED, "grids before sweep %u", i);
        reductions += sweep->nreductions;
    }
    return (reductions <= MAX_THINGS || rt_fail(why, RT_MALFORMED, "the reductions")) &&
           (alone ? alone_is_sound(r, call, why)
                  : rt_whole_is_sound(r, why) && on_chip_is_sound(r, why));
}

bool rt_validate(const stencilrt_region *region, const stencilrt_call *call, rt_error *why) {
    if (region->abi != STENCILRT_ABI)
        return rt_fail(why, RT_ABI, "%u, not %u", region->abi, STENCILRT_ABI);
    if (!region->where || !region->state)
        return rt_fail(why, RT_MALFORMED, "a pointer is missing");
    if (region->nimages > MAX_THINGS || (region->nimages > 0 && !region->images))
        return rt_fail(why, RT_MALFORMED, "the images");
    return sweeps_are_sound(region, call, why);
}
