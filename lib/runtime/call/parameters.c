/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which parameters a kernel may have, by the table in region.def, and their sizes.
 */
#include "runtime/call/parameters.h"
#include "runtime/call/shape.h"

enum { MAX_PARAMETERS = 1 << 14 }; /* far more than a kernel can take */

typedef enum value_type { POINTER, INTEGER, SCALAR } value_type;
typedef enum counted {
    NOTHING,
    PORTS,
    GRIDS,
    DIMENSIONS,
    STRIDES,
    SCALARS,
    VALUES,
    SWEEPS,
    PLACES
} counted;
typedef enum kernels { CELLS, BLOCKED, ALL } kernels;

static const struct {
    value_type type;
    counted of;
    kernels in;
} kinds[] = {
#define STENCILRT_PARAMETER(id, type, of, kernels, doc) {type, of, kernels},
#include "stencilopt/region.def"
};

uint32_t rt_scalar_count(const stencilrt_region *r) {
    uint32_t count = r->nscalars;
    for (uint32_t i = 0; i < r->nsweeps; i++)
        count += rt_scalar_count(&r->sweeps[i]);
    return count;
}

const stencilrt_scalar *rt_scalar(const stencilrt_region *r, uint32_t number) {
    if (number < r->nscalars)
        return &r->scalars[number];
    number -= r->nscalars;
    uint32_t i = 0;
    while (number >= rt_scalar_count(&r->sweeps[i]))
        number -= rt_scalar_count(&r->sweeps[i++]);
    return rt_scalar(&r->sweeps[i], number);
}

uint32_t rt_reduction_count(const stencilrt_region *r) {
    uint32_t count = r->nreductions;
    for (uint32_t i = 0; i < r->nsweeps; i++)
        count += r->sweeps[i].nreductions;
    return count;
}

uint32_t rt_followed_count(const stencilrt_region *r, uint32_t before) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < before; i++)
        count += rt_scalar(r, i)->kind == STENCILRT_FOLLOWED;
    return count;
}

/* The number of grids that parameters may name. In a region of several sweeps these are the step's
 * arrays. */
static uint32_t grid_count(const stencilrt_region *r) {
    return r->step ? r->step->narrays : r->ngrids;
}

/* Does the thing with this index exist? */
static bool is_there(const stencilrt_region *r, counted of, uint32_t index) {
    switch (of) {
    case PORTS:
        return index < r->nports;
    case GRIDS:
        return index < grid_count(r);
    case DIMENSIONS:
        return index < r->rank;
    case STRIDES:
        return index / 3 < grid_count(r) && index % 3 > 0 && index % 3 < r->rank;
    case SCALARS:
        return index < rt_scalar_count(r);
    case VALUES:
        return index / STENCILRT_VALUES < rt_scalar_count(r);
    case SWEEPS:
        return index < r->nsweeps;
    case PLACES:
        return index / 3 < r->nsweeps && index % 3 < r->rank;
    default:
        return index == 0;
    }
}

static bool is_written(const stencilrt_region *r, uint32_t grid) {
    for (uint32_t i = 0; i < r->nports; i++)
        if (r->ports[i].grid == grid && (r->ports[i].access & STENCILRT_WRITE))
            return true;
    return false;
}

/* Does a step read values that were written two steps before? */
static bool reads_older(const stencilrt_region *r) {
    for (uint32_t i = 0; i < r->nports; i++)
        if ((r->ports[i].access & STENCILRT_READ) && is_written(r, r->ports[i].grid) &&
            rt_port_steps_back(r, &r->ports[i]) == 2)
            return true;
    return false;
}

static bool is_sound(const stencilrt_region *r, const stencilrt_kernel *k,
                     const stencilrt_parameter *p) {
    if (p->kind >= stencilrt_parameter_kind_count || !is_there(r, kinds[p->kind].of, p->index))
        return false;
    bool blocked = k->kind != STENCILRT_CELL;
    if (kinds[p->kind].in == (blocked ? CELLS : BLOCKED))
        return false;
    switch (p->kind) {
    case STENCILRT_ARG_PORT: /* the written buffer changes from launch to launch */
        return !blocked || !is_written(r, r->ports[p->index].grid);
    case STENCILRT_ARG_FIRST:
        return !blocked || (k->kind == STENCILRT_STREAM && p->index + 1 == r->rank);
    case STENCILRT_ARG_INCREMENT:
        return rt_scalar(r, p->index)->kind == STENCILRT_STEPPED;
    case STENCILRT_ARG_VALUE: /* only this parameter needs these values in advance */
        return k->kind == STENCILRT_STEPS && p->index % STENCILRT_VALUES < k->bt &&
               rt_scalar(r, p->index / STENCILRT_VALUES)->kind == STENCILRT_FOLLOWED;
    case STENCILRT_ARG_MADE:
        return k->kind == STENCILRT_STEPS && r->sweeps[p->index].every > 0;
    case STENCILRT_ARG_PLACE:
        return k->kind == STENCILRT_STEPS && r->step &&
               r->step->domains[p->index / 3].at_place >> p->index % 3 & 1;
    case STENCILRT_ARG_REDUCED:
        return blocked ? k->kind == STENCILRT_RESIDENT ||
                             (k->kind == STENCILRT_STEPS && rt_reduction_count(r) > 0)
                       : r->nreductions > 0;
    case STENCILRT_ARG_OWN:
    case STENCILRT_ARG_MARGIN:
    case STENCILRT_ARG_ROUND:
    case STENCILRT_ARG_STEPS:
    case STENCILRT_ARG_EPOCH:
    case STENCILRT_ARG_PATIENCE:
    case STENCILRT_ARG_WORDS:
        return k->kind == STENCILRT_RESIDENT;
    case STENCILRT_ARG_ADDENDS:
    case STENCILRT_ARG_STARTS:
    case STENCILRT_ARG_SUMS:
    case STENCILRT_ARG_COUNT:
    case STENCILRT_ARG_TILE:
        return k->kind == STENCILRT_ADDING;
    case STENCILRT_ARG_OTHER:
        if (k->kind == STENCILRT_STEPS)
            return r->step != NULL;
        return is_written(r, p->index) && !reads_older(r);
    case STENCILRT_ARG_NEWER:
        return k->kind == STENCILRT_STEPS && r->step && k->parts > 0;
    case STENCILRT_ARG_OLDER_SRC:
    case STENCILRT_ARG_OLDER_DST:
        return is_written(r, p->index) && reads_older(r);
    default:
        return kinds[p->kind].of != GRIDS || r->step || is_written(r, p->index);
    }
}

bool rt_parameters_are_sound(const stencilrt_region *region, const stencilrt_kernel *kernel) {
    if (kernel->nparameters == 0 || kernel->nparameters > MAX_PARAMETERS || !kernel->parameters)
        return false;
    for (uint32_t i = 0; i < kernel->nparameters; i++)
        if (!is_sound(region, kernel, &kernel->parameters[i]))
            return false;
    return true;
}

bool rt_resident_is_sound(const stencilrt_region *r, const stencilrt_kernel *k) {
    enum { CELLS = 1 << 20, SCRATCHPAD = 256 << 10, THREADS = 1024 };
    bool good = r->rank >= 2 && k->bt == 1;
    uint64_t threads = 1;
    for (uint32_t d = 0; d < 3; d++) {
        good = good && k->tile[d] >= 1 && k->tile[d] <= CELLS && (d < r->rank || k->tile[d] == 1) &&
               k->block[d] >= 1 && k->block[d] <= THREADS;
        threads *= k->block[d];
    }
    return good && threads <= THREADS && k->tiles >= 1 && k->tile[0] % k->tiles == 0 &&
           k->scratchpad <= SCRATCHPAD;
}

size_t rt_parameter_size(const stencilrt_region *region, const stencilrt_parameter *parameter) {
    bool scalar = kinds[parameter->kind].type == SCALAR;
    uint32_t index = parameter->index;
    if (parameter->kind == STENCILRT_ARG_VALUE)
        index /= STENCILRT_VALUES;
    return scalar ? rt_scalar(region, index)->size : sizeof(int64_t);
}
