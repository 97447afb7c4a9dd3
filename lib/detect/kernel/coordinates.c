/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Coordinates: a polynomial over roots as a sum of multiples of the axes.
 */
#include "detect/kernel/stages.h"

bool kernel_growth(const kernel_values *v, poly p, br_scev atom, poly *by) {
    poly rest;
    return poly_split(p, atom, by, &rest) && !kernel_varies(v, *by);
}

bool kernel_affine(const kernel_region *k, poly p, host_affine *out) {
    out->base = p;
    for (int i = 0; i < HOST_MAX_LOOPS; i++)
        out->step[i] = NULL;
    for (int i = 0; i < k->naxes; i++) {
        if (!kernel_growth(k->values, out->base, k->axes[i].lead, &out->step[i]) ||
            !poly_exact(out->step[i], k->axes[i].scale, &out->step[i]))
            return false;
        poly part = poly_mul(out->step[i], k->axes[i].value);
        out->base = poly_sub(out->base, part);
        if (k->axes[i].quotient < 0)
            continue;
        part = poly_mul(out->step[i - 1], k->axes[i - 1].extent);
        out->step[i] = poly_add(out->step[i], part);
    }
    return poly_is_known(out->base) && !kernel_varies(k->values, out->base);
}

bool kernel_strides(const kernel_region *k, br_loop l) {
    return l && (l == k->stride_loop || l == k->other_stride_loop);
}
