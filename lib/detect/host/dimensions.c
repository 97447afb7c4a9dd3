/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which loop of a sweep walks which dimension of the array that it writes.
 */
#include "detect/common/calls.h"
#include "detect/common/limits.h"
#include "detect/host/access.h"
#include "detect/host/address.h"
#include "detect/host/nest.h"
#include "detect/host/region.h"

#include <stdio.h>

/* Which dimension a kernel's axis number i is, x being number `x`: the strides tell, else the order
 * of thread numbers, a loop in the kernel coming last. */
int host_dimension_of(const host_region *r, int i, int x) {
    const poly *step = r->store_at[0].step;
    int dimension = 1;
    for (int j = 0; j < r->stencil->rank; j++) {
        bool after = j < i ? !(r->loops[0] && j == 0) : r->loops[0] && i == 0;
        if (poly_slower(step[i], step[j]) || poly_slower(step[j], step[i]))
            after = poly_slower(step[i], step[j]);
        dimension += j != i && j != x && after;
    }
    return dimension;
}

/* Do all cells of the nest write the same element? A kernel's cells have no loops. */
static bool stays(const host_region *r, LLVMValueRef store) {
    br_loop outermost = r->axes > 0 ? r->loops[r->axes - 1] : NULL;
    return LLVMIsAStoreInst(store) && outermost &&
           br_scev_invariant(r->f, br_scev_of(r->f, LLVMGetOperand(store, 1)), outermost);
}

/* Refuses a store that the loops do not walk. */
bool host_refuse_walk(host_region *r, LLVMValueRef store) {
    char detail[HOST_DETAIL], name[HOST_DETAIL / 2];
    if (LLVMIsAStoreInst(store) && host_is_variable(LLVMGetOperand(store, 1)))
        return host_refuse(r, ST_NO_LIVE_OUT, HOST_ASSIGNS_VARIABLE);
    if (!stays(r, store))
        return host_refuse(r, ST_NO_NOT_CONTIGUOUS, NULL);
    host_value_name(store, name, sizeof name);
    snprintf(detail, sizeof detail,
             "%s, which every cell stores to the same place; compute it in a local variable, and "
             "store that behind the loops",
             name);
    return host_refuse(r, ST_NO_LIVE_OUT, detail);
}

/* Which dimension loop i walks in an array of which only this sweep is known: the strides tell,
 * else the order of the loops. */
static int dimension_by_stride(const host_region *r, int i, poly unit) {
    const poly *step = r->store_at[0].step;
    int dimension = 1;
    for (int j = 0; j < r->axes; j++) {
        bool after = j < i;
        if (j == i || (poly_equal(step[j], unit) && !r->steps->mirrored))
            continue;
        if (poly_slower(step[i], step[j]) != poly_slower(step[j], step[i]))
            after = poly_slower(step[i], step[j]);
        dimension += after;
    }
    return dimension;
}

/* Each of several sweeps may walk the dimensions of its array in any order and number. */
bool host_find_dimensions(host_region *r, st_type type) {
    const host_affine *at = &r->store_at[0];
    const host_array *known = host_known_array(r->steps, host_base_pointer(at->base));
    poly unit = poly_int(r->f, (int64_t)st_type_size(type));
    uint32_t used = 0;
    bool moves_on = !poly_is_zero(at->step[r->axes]);
    for (int i = 0; i < r->axes; i++) {
        int d = poly_equal(at->step[i], unit) && !r->steps->mirrored ? r->along
                : (host_walks_all(r) || moves_on) && !known
                    ? dimension_by_stride(r, i, unit)
                    : host_known_dimension(r->steps, known, at->step[i]);
        if (d < 0 || d >= r->stencil->rank || used >> d & 1 || poly_is_zero(at->step[i]))
            return host_refuse_walk(r, r->store);
        r->dim_of_loop[i] = d;
        used |= 1u << d;
    }
    r->stencil->flat = ((1u << r->stencil->rank) - 1) & ~used;
    return true;
}
