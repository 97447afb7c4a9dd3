/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A region: made, started anew for another choice of loops, freed.
 */
#include "detect/host/region.h"
#include "detect/host/loads.h"
#include "detect/host/resolver.h"
#include "detect/host/rotate.h"
#include "detect/host/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each kind of value has but one that knows it, so their order does not matter. */
static host_resolver *const resolvers[] = {host_turning_value,
                                           host_alternating_value,
                                           host_toggle_value,
                                           host_ring_value,
                                           host_load_value,
                                           host_row_value,
                                           NULL};
static host_expression *const expressions[] = {host_whole_turns, host_parity, NULL};

host_region *host_region_create(br_function *f, LLVMValueRef function) {
    host_region *r = calloc(1, sizeof *r);
    r->f = f;
    r->function = function;
    r->resolvers = resolvers;
    r->expressions = expressions;
    return r;
}

static void describe(host_region *r) {
    size_t length;
    st_stencil *s = r->stencil;
    br_location(r->outer, r->function, s->where, sizeof s->where);
    snprintf(s->function, sizeof s->function, "%s", LLVMGetValueName2(r->function, &length));
}

void host_begin(host_region *r, int spatial, bool timed) {
    r->nloops = spatial + timed;
    r->axes = spatial;
    r->time = timed ? r->loops[spatial] : NULL;
    r->outer = r->loops[r->nloops - 1];
    r->nguards = r->nranges = 0;
    r->match.far = false;
    r->copies_back = r->partial = false;
    r->ends = r->match.nskipped = r->nnumbers = r->nreductions = 0;
    host_forget_loads(r);
    r->match.end_load = NULL;
    memset(r->left_out, 0, sizeof r->left_out);
    r->sweeps = r->twin ? 2 : 1;
    r->phase = 0;
    st_destroy(r->stencil);
    r->stencil = st_create();
    r->stencil->rank = r->steps ? r->steps->rank : spatial;
    r->stencil->timed = timed;
    r->stencil->together = r->together;
    r->why.reason = ST_OK;
    describe(r);
    host_find_rings(r);
}

host_region *host_add_sweep(host_steps *s, const br_loop *loops, int axes) {
    if (s->count == HOST_MAX_SWEEPS)
        return NULL;
    host_region *r = host_region_create(s->f, s->function);
    r->steps = s;
    r->axes = r->own = axes;
    if (axes > 0)
        memcpy(r->loops, loops, (size_t)axes * sizeof *loops);
    r->loops[axes] = s->time;
    s->sweeps[s->count++] = r;
    return r;
}

bool host_walks_all(const host_region *r) {
    return r->axes == r->steps->rank - (int)r->steps->apart;
}

void host_region_destroy(host_region *r) {
    if (!r)
        return;
    host_forget_loads(r);
    st_destroy(r->stencil);
    free(r->grids);
    free(r->scalars);
    free(r->calls);
    free(r->reductions);
    free(r->rings);
    free(r->ranges);
    free(r);
}
