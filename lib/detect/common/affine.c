/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums over the iterations of loops: what an address is based on.
 */
#include "detect/common/affine.h"

LLVMValueRef host_base_pointer(poly origin) {
    for (int i = 0; i < poly_count(origin); i++) {
        const poly_term *t = &poly_terms(origin)[i];
        if (t->degree == 1 && br_scev_is_pointer(t->atoms[0]) &&
            br_scev_kind(t->atoms[0]) == BR_UNKNOWN)
            return br_scev_value(t->atoms[0]);
    }
    return NULL;
}

bool host_same_affine(const host_affine *a, const host_affine *b) {
    bool same = poly_equal(a->base, b->base);
    for (int l = 0; l < HOST_MAX_LOOPS; l++)
        same = same && poly_equal(a->step[l], b->step[l]);
    return same;
}
