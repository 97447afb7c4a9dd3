/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The lists of parameters of all kinds of kernels.
 */
#include "plan/parameters.h"

#include "model/number.h"
#include <stdlib.h>

static void add(st_kernel *k, stencilrt_parameter_kind kind, size_t index) {
    k->parameters[k->nparameters++] = (stencilrt_parameter){kind, (uint32_t)index};
}

static void add_dimensions(st_kernel *k, int rank, stencilrt_parameter_kind kind) {
    for (int d = 0; d < rank; d++)
        add(k, kind, (size_t)d);
}

static void add_strides(st_kernel *k, int rank, size_t grid) {
    for (int d = 1; d < rank; d++)
        add(k, STENCILRT_ARG_STRIDE, 3 * grid + (size_t)d);
}

size_t plan_stride_grid(const st_kernel *k, const st_stencil *s, size_t grid) {
    size_t first = 0;
    if (!k->brick[0] || s->grids[grid].broadcast)
        return grid;
    while (s->grids[first].broadcast)
        first++;
    return first;
}

static void add_sizes(st_kernel *k, int rank, size_t ngrids) {
    add_dimensions(k, rank, STENCILRT_ARG_EXTENT);
    for (size_t g = 0; g < ngrids; g++)
        add_strides(k, rank, g);
}

/* Adds a scalar of a kernel that makes several steps. */
static void add_scalar(st_kernel *k, const st_scalar *s, size_t number) {
    for (int i = 0; i < k->bt && s->followed; i++)
        add(k, STENCILRT_ARG_VALUE, number * STENCILRT_VALUES + (size_t)i);
    if (!s->followed)
        add(k, STENCILRT_ARG_SCALAR, number);
    if (s->stepped)
        add(k, STENCILRT_ARG_INCREMENT, number);
}

/* Ports of a grid that is written: in kernels of several steps the grid has pointers of its own. */
static void add_ports(st_kernel *k, const st_stencil *s, bool written) {
    st_port ports[ST_MAX_PORTS];
    size_t count = st_ports(s, ports);
    for (size_t i = 0; i < count && i < ST_MAX_PORTS; i++) /* with more, no kernel is generated */
        if (written || ports[i].grid != s->store_grid)
            add(k, STENCILRT_ARG_PORT, i);
}

static void list_cell(st_kernel *k, const st_stencil *s) {
    add_ports(k, s, true);
    add_dimensions(k, s->rank, STENCILRT_ARG_FIRST);
    add_dimensions(k, s->rank, STENCILRT_ARG_EXTENT);
    for (size_t g = 0; g < s->ngrids; g++)
        if (plan_stride_grid(k, s, g) == g)
            add_strides(k, s->rank, g);
    for (size_t i = 0; i < s->nscalars; i++)
        add(k, STENCILRT_ARG_SCALAR, i);
    if (s->nreductions > 0)
        add(k, STENCILRT_ARG_REDUCED, 0);
    if (k->thread_tile[0])
        add(k, STENCILRT_ARG_PEELED, 0);
}

static void list_blocked(st_kernel *k, const st_stencil *s, bool older) {
    size_t grid = (size_t)s->store_grid;
    add(k, STENCILRT_ARG_DST, grid);
    add(k, STENCILRT_ARG_SRC, grid);
    add(k, older ? STENCILRT_ARG_OLDER_SRC : STENCILRT_ARG_OTHER, grid);
    if (older)
        add(k, STENCILRT_ARG_OLDER_DST, grid);
    add_ports(k, s, false);
    if (k->kind == ST_STREAM)
        add(k, STENCILRT_ARG_FIRST, (size_t)s->rank - 1);
    add_sizes(k, s->rank, s->ngrids);
    if (k->kind == ST_STREAM)
        add(k, STENCILRT_ARG_CHUNK, 0);
    for (size_t i = 0; i < s->nscalars; i++)
        add_scalar(k, &s->scalars[i], i);
}

/* What a launch of a resident kernel says of tiles and rounds. */
static void add_rounds(st_kernel *k, int rank) {
    add_dimensions(k, rank, STENCILRT_ARG_OWN);
    add_dimensions(k, rank, STENCILRT_ARG_MARGIN);
    if (!k->faces)
        add(k, STENCILRT_ARG_ROUND, 0);
    add(k, STENCILRT_ARG_STEPS, 0);
    add(k, STENCILRT_ARG_EPOCH, 0);
    add(k, STENCILRT_ARG_PATIENCE, 0);
}

static void list_resident(st_kernel *k, const st_stencil *s) {
    size_t grid = (size_t)s->store_grid;
    add(k, STENCILRT_ARG_DST, grid);
    add(k, STENCILRT_ARG_SRC, grid);
    add(k, STENCILRT_ARG_WORDS, 0);
    add_ports(k, s, false);
    add_sizes(k, s->rank, s->ngrids);
    add_rounds(k, s->rank);
    if (k->reduces)
        add(k, STENCILRT_ARG_REDUCED, 0);
    for (size_t i = 0; i < s->nscalars; i++)
        add_scalar(k, &s->scalars[i], i);
}

static void begin(st_kernel *k, size_t room) {
    k->parameters = calloc(room, sizeof *k->parameters);
    k->nparameters = 0;
}

void plan_list_parameters(st_kernel *k, const st_stencil *s, bool older) {
    enum { POINTERS_CHUNK_AND_OTHERS = 9 };
    size_t room = POINTERS_CHUNK_AND_OTHERS + ST_MAX_PORTS + 4 * ST_MAX_RANK + 2 * s->ngrids +
                  2 * s->nscalars;
    begin(k, room);
    if (k->kind == ST_CELL)
        list_cell(k, s);
    else if (k->kind == ST_RESIDENT)
        list_resident(k, s);
    else
        list_blocked(k, s, older);
}

static void add_array(st_kernel *k, const st_step *step, int32_t array) {
    const st_array *a = &step->arrays[array];
    size_t number = (size_t)a->number;
    if (st_step_flows(step, array))
        add(k, STENCILRT_ARG_DST, number);
    add(k, a->newer ? STENCILRT_ARG_NEWER : STENCILRT_ARG_SRC, number);
    if (st_step_alternates(step, array))
        add(k, STENCILRT_ARG_OTHER, number);
}

/* Two buffers that take turns have the same strides. */
static bool has_strides_before(const st_step *step, size_t array) {
    bool has = false;
    for (size_t a = 0; a < array; a++)
        has |= step->arrays[a].number == step->arrays[array].number;
    return has;
}

void plan_list_step_parameters(st_kernel *k, const st_step *step) {
    size_t room = 5 * step->narrays + ST_MAX_RANK + 2, number = 0;
    for (size_t i = 0; i < step->nnests; i++)
        room += (size_t)st_max(2, k->bt) * step->nests[i]->nscalars + 1 + ST_MAX_RANK;
    begin(k, room);
    for (size_t a = 0; a < step->narrays; a++)
        add_array(k, step, (int32_t)a);
    add_dimensions(k, step->rank, STENCILRT_ARG_EXTENT);
    for (size_t a = 0; a < step->narrays; a++)
        if (!has_strides_before(step, a))
            add_strides(k, step->rank, (size_t)step->arrays[a].number);
    if (step->rank > 1)
        add(k, STENCILRT_ARG_CHUNK, 0);
    bool reduces = false;
    for (size_t i = 0; i < step->nsweeps; i++)
        reduces = reduces || st_step_reduces(step, i);
    if (reduces)
        add(k, STENCILRT_ARG_REDUCED, 0);
    for (size_t i = 0; i < step->nnests; number += step->nests[i++]->nscalars) {
        const st_sweep *first = st_step_first_sweep(step, i);
        for (size_t c = 0; c < step->nests[i]->nscalars && first; c++)
            add_scalar(k, &step->nests[i]->scalars[c], number + c);
        if (step->nests[i]->every > 1 && first)
            add(k, STENCILRT_ARG_MADE, i);
        for (size_t d = 0; d < ST_MAX_RANK && first; d++)
            if (first->at_place >> d & 1)
                add(k, STENCILRT_ARG_PLACE, 3 * i + d);
    }
}

void plan_list_fields_parameters(st_kernel *k, const st_step *step) {
    enum { OTHERS = 8 };
    size_t room = 4 * step->narrays + 3 * ST_MAX_RANK + OTHERS, number = 0;
    for (size_t i = 0; i < step->nnests; i++)
        room += 2 * step->nests[i]->nscalars;
    begin(k, room);
    for (size_t a = 0; a < step->narrays; a++) {
        if (st_step_flows(step, (int32_t)a))
            add(k, STENCILRT_ARG_DST, a);
        add(k, STENCILRT_ARG_SRC, a);
    }
    add(k, STENCILRT_ARG_WORDS, 0);
    add_sizes(k, step->rank, step->narrays);
    add_rounds(k, step->rank);
    for (size_t i = 0; i < step->nnests; number += step->nests[i++]->nscalars)
        for (size_t c = 0; c < step->nests[i]->nscalars && st_step_first_sweep(step, i); c++)
            add_scalar(k, &step->nests[i]->scalars[c], number + c);
}

void plan_list_adding_parameters(st_kernel *k) {
    begin(k, 5);
    add(k, STENCILRT_ARG_ADDENDS, 0);
    add(k, STENCILRT_ARG_STARTS, 0);
    add(k, STENCILRT_ARG_SUMS, 0);
    add(k, STENCILRT_ARG_COUNT, 0);
    add(k, STENCILRT_ARG_TILE, 0);
}

void plan_free(st_plan *p) {
    for (int i = 0; i < p->count; i++) {
        free(p->kernels[i].parameters);
        p->kernels[i].parameters = NULL;
    }
}
