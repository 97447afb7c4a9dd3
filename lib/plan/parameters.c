/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plan/parameters.h"

#include <stdlib.h>

static void add(st_kernel *k, stencilrt_parameter_kind kind, size_t index) {
    k->parameters[k->nparameters++] = (stencilrt_parameter){kind, (uint32_t)index};
}

static void add_dimensions(st_kernel *k, const st_stencil *s, stencilrt_parameter_kind kind) {
    for (int d = 0; d < s->rank; d++)
        add(k, kind, (size_t)d);
}

static void add_sizes(st_kernel *k, const st_stencil *s) {
    add_dimensions(k, s, STENCILRT_ARG_EXTENT);
    for (size_t g = 0; g < s->ngrids; g++)
        for (int d = 1; d < s->rank; d++)
            add(k, STENCILRT_ARG_STRIDE, 3 * g + (size_t)d);
}

/* Ports of a grid that is written: in kernels of several steps the grid has pointers of its own. */
static void add_ports(st_kernel *k, const st_stencil *s, bool written) {
    st_port ports[ST_MAX_PORTS];
    size_t count = st_ports(s, ports);
    for (size_t i = 0; i < count; i++)
        if (written || ports[i].grid != s->store_grid)
            add(k, STENCILRT_ARG_PORT, i);
}

static void list_cell(st_kernel *k, const st_stencil *s) {
    add_ports(k, s, true);
    add_dimensions(k, s, STENCILRT_ARG_FIRST);
    add_sizes(k, s);
    for (size_t i = 0; i < s->nscalars; i++)
        add(k, STENCILRT_ARG_SCALAR, i);
    if (s->nreductions > 0)
        add(k, STENCILRT_ARG_REDUCED, 0);
}

static void list_blocked(st_kernel *k, const st_stencil *s, bool older) {
    size_t grid = (size_t)s->store_grid;
    add(k, STENCILRT_ARG_DST, grid);
    add(k, STENCILRT_ARG_SRC, grid);
    add(k, older ? STENCILRT_ARG_OLDER_SRC : STENCILRT_ARG_OTHER, grid);
    if (older)
        add(k, STENCILRT_ARG_OLDER_DST, grid);
    add_ports(k, s, false);
    add_sizes(k, s);
    if (k->kind == ST_STREAM)
        add(k, STENCILRT_ARG_CHUNK, 0);
    for (size_t i = 0; i < s->nscalars; i++) {
        add(k, STENCILRT_ARG_SCALAR, i);
        if (s->scalars[i].stepped)
            add(k, STENCILRT_ARG_INCREMENT, i);
    }
}

void plan_list_parameters(st_kernel *k, const st_stencil *s, bool older) {
    enum { POINTERS_CHUNK_AND_REDUCED = 6 };
    size_t room = POINTERS_CHUNK_AND_REDUCED + ST_MAX_PORTS + 2 * ST_MAX_RANK + 2 * s->ngrids +
                  2 * s->nscalars;
    k->parameters = calloc(room, sizeof *k->parameters);
    k->nparameters = 0;
    if (k->kind == ST_CELL)
        list_cell(k, s);
    else
        list_blocked(k, s, older);
}

void plan_free(st_plan *p) {
    for (int i = 0; i < p->count; i++) {
        free(p->kernels[i].parameters);
        p->kernels[i].parameters = NULL;
    }
}
