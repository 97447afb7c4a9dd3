/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Divisors of a flat index: a row, and a plane that is an argument of its own. That the plane has
 * whole rows is not known when the kernel is compiled. It is a need, and the plane's number of rows
 * is the quotient of both.
 */
#include "detect/kernel/stages.h"

/* i64: the polynomial; NULL if a value in it has no number where the kernel starts. */
static br_scev number_of(const kernel_region *k, poly p) {
    br_scev sum = br_scev_number(k->f, 0);
    for (int i = 0; i < poly_count(p); i++) {
        const poly_term *t = &poly_terms(p)[i];
        br_scev product = br_scev_number(k->f, t->factor);
        for (int a = 0; a < t->degree; a++) {
            if (br_scev_bits(k->f, t->atoms[a]) > 64)
                return NULL;
            product = br_scev_product(k->f, product, br_scev_sext_low(k->f, t->atoms[a], 64));
        }
        sum = br_scev_sum(k->f, sum, product);
    }
    return sum;
}

bool kernel_assume_multiple(kernel_region *k, poly smaller, poly larger, poly *times) {
    if (kernel_varies(k->values, larger) || kernel_varies(k->values, smaller))
        return false;
    /* Sizes of the launch stand for themselves only in polynomials. */
    if (kernel_has_launch_size(k->values, larger) || kernel_has_launch_size(k->values, smaller))
        return false;
    br_scev above = number_of(k, larger), below = number_of(k, smaller);
    if (!above || !below)
        return false;
    poly count = poly_atom(k->f, br_scev_divided(k->f, above, below));
    poly whole = poly_mul(count, smaller), left = poly_sub(larger, whole);
    poly positive = poly_plus(k->f, smaller, -1), none = poly_scale(left, -1);
    /* A negative plane divided without sign, times the row, would be itself again: it wraps. */
    if (!kernel_need(k->values, positive) || !kernel_need(k->values, larger) ||
        !kernel_need(k->values, left) || !kernel_need(k->values, none))
        return false;
    *times = count;
    return true;
}
