/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops over all cells of an array by one index, for (k = 0; k < n * m; k++) a[k] = f(b[k]), among
 * sweeps that walk it by rows: a sweep of so many rows. Each cell is computed from cells of the
 * same index alone. So it does not matter where rows begin, as long as they begin at the same
 * indices in all of the loop's arrays.
 */
#include "detect/common/affine.h"
#include "detect/common/flow.h"
#include "detect/host/access.h"
#include "detect/host/address.h"
#include "detect/host/region.h"
#include "detect/host/steps/forms.h"

static bool count_iterations(host_region *r, poly *count) {
    host_affine a;
    host_query q = {.r = r}; /* tentative: an edge, else */
    poly one = poly_int(r->f, host_tests_first(r->loops[0]) ? 0 : 1);
    bool good = host_evaluate(&q, r->count[0], &a);
    for (int i = 0; i < r->nloops && good; i++)
        good = poly_is_zero(a.step[i]);
    *count = good ? poly_add(a.base, one) : NULL;
    return good;
}

/* Does a cell depend on its own index alone, and not on the value of that index? */
static bool is_pointwise(const st_stencil *s) {
    bool pointwise = true;
    for (size_t i = 0; i < s->naccesses; i++)
        pointwise &= st_is_own(&s->accesses[i]);
    for (size_t i = 0; i < s->nnodes; i++)
        pointwise &= s->nodes[i].op != ST_COORD;
    return pointwise;
}

/* Rows of as many elements as the known array's. */
static void give_rows(host_region *r, const host_array *known) {
    st_stencil *s = r->stencil;
    for (size_t g = 0; g < s->ngrids; g++)
        for (int d = 1; d < s->rank; d++) {
            poly size = poly_int(r->f, (int64_t)st_type_size(known->type)), cells;
            if (!(r->implied >> d & 1))
                continue;
            if (s->grids[g].broadcast & 1)
                s->grids[g].broadcast |= 1u << d;
            else if (poly_quotient(known->stride[d], size, &cells))
                r->grids[g].stride[d] = poly_scale(cells, (int64_t)st_type_size(s->grids[g].type));
        }
    s->flat &= ~r->implied;
}

void host_find_rows(host_region *r) {
    st_stencil *s = r->stencil;
    poly count, length;
    r->implied = 0;
    if (r->axes != 1 || s->rank == 1 || s->flat & 1 || !is_pointwise(s) ||
        !count_iterations(r, &count))
        return;
    const host_array *known = NULL;
    for (size_t g = 0; g < s->ngrids && !known; g++)
        known = host_known_array(r->steps, host_base_pointer(r->grids[g].origin[0]));
    if (!known)
        return;
    length = poly_scale(count, (int64_t)st_type_size(known->type));
    if (host_find_extents(r, known, length) && r->implied != 1)
        give_rows(r, known);
    else
        r->implied = 0;
}
