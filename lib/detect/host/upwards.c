/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A sweep whose loops go down through an array that other sweeps of the step go up through. Its
 * iterations may run in any order, so cells are counted the other way: the first one becomes the
 * last. Then all sweeps see the array in one way, as the runtime wants it.
 */
#include "detect/common/flow.h"
#include "detect/host/access.h"
#include "detect/host/nest.h"
#include "detect/host/region.h"

/* Do cells know their coordinates, or ends of loops, by which they differ? */
static bool has_places(host_region *r) {
    const st_stencil *s = r->stencil;
    bool any = r->partial || r->ends || r->implied || host_tables_of(r)->count || s->nreductions;
    for (size_t i = 0; i < s->naccesses; i++)
        any |= s->accesses[i].faces != 0;
    for (size_t i = 0; i < s->nnodes; i++)
        any |= s->nodes[i].op == ST_COORD;
    for (size_t g = 0; g < s->ngrids; g++)
        any |= s->grids[g].buffers != 1 || s->grids[g].along || s->grids[g].advance;
    return any;
}

/* How far is it from the first cell to the last, in bytes of the grid? */
static poly reach_of(const host_region *r, int loop, poly stride) {
    poly last = poly_atom(r->f, br_scev_zext(r->f, r->count[loop], 64));
    if (host_tests_first(r->loops[loop]))
        last = poly_plus(r->f, last, -1);
    return poly_mul(last, stride);
}

static void turn(host_region *r, int loop) {
    st_stencil *s = r->stencil;
    int d = r->dim_of_loop[loop];
    for (size_t g = 0; g < s->ngrids; g++) {
        host_grid *h = &r->grids[g];
        h->origin[0] = poly_add(h->origin[0], reach_of(r, loop, h->stride[d]));
        h->stride[d] = poly_scale(h->stride[d], -1);
    }
    for (size_t i = 0; i < s->naccesses; i++)
        s->accesses[i].offset[d] = -s->accesses[i].offset[d];
}

static bool goes_against(poly known, poly stride) {
    return known && stride && poly_is_known(known) && poly_is_known(stride) &&
           poly_is_zero(poly_add(known, stride));
}

void host_count_upwards(host_region *r) {
    const host_grid *own = &r->grids[r->stencil->store_grid];
    const host_array *known = host_known_array(r->steps, host_base_pointer(own->origin[0]));
    if (!known || has_places(r))
        return;
    for (int i = 0; i < r->axes; i++) {
        int d = r->dim_of_loop[i];
        if (d > 0 && goes_against(known->stride[d], own->stride[d]))
            turn(r, i);
    }
}
