/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sweeps in place that read cells which later iterations write, as in a[i] = a[i + 1], or in
 * a[i] = a[i - 1] of a loop that goes down. Each iteration reads what was there before the sweep,
 * so iterations may run in any order if they read from a copy. Such reads have a grid of their own,
 * of which the runtime makes a copy. Cells of another colour than those that are written (parity.c)
 * are what they were in any case, so that no copy is made for them. All else that may be the same
 * memory the runtime compares.
 */
#include "detect/host/access.h"
#include "detect/host/region.h"

static bool is_later(const host_region *r, const st_access *a) {
    for (int i = r->axes - 1; i >= 0; i--)
        if (a->offset[r->dim_of_loop[i]] != 0)
            return a->offset[r->dim_of_loop[i]] > 0;
    return false;
}

bool host_is_read_before(const host_region *r, const st_access *access) {
    const st_grid *own = &r->stencil->grids[access->grid];
    return r->steps && !access->faces && own->buffers == 1 && !own->along &&
           (is_later(r, access) || host_is_other_colour(r, access));
}

int32_t host_grid_before(const host_region *r, int32_t of) {
    for (int32_t g = 0; g < (int32_t)r->stencil->ngrids; g++)
        if (r->stencil->grids[g].before &&
            poly_equal(r->grids[g].origin[0], r->grids[of].origin[0]))
            return g;
    return -1;
}
