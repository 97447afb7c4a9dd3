/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Bounds of a polynomial from the ranges that ScalarEvolution knows of its atoms.
 */
#include "algebra/bounds.h"

static const __int128 most = (__int128)1 << 62;

static bool is_useful(poly_bounds b) {
    return b.low >= -most && b.high <= most;
}

/* Both factors have bounds within 2^63. */
static poly_bounds multiply(poly_bounds a, poly_bounds b) {
    __int128 corners[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    poly_bounds product = {corners[0], corners[0]};
    for (int i = 1; i < 4; i++) {
        product.low = corners[i] < product.low ? corners[i] : product.low;
        product.high = corners[i] > product.high ? corners[i] : product.high;
    }
    return product;
}

static bool bound_atom(br_function *f, br_scev atom, poly_bounds *out) {
    int64_t low, high;
    if (br_scev_is_pointer(atom) || br_scev_bits(f, atom) != 64)
        return false;
    br_scev_signed_range(f, atom, &low, &high);
    *out = (poly_bounds){low, high};
    return true;
}

bool poly_bound(br_function *f, poly p, poly_bounds *out) {
    *out = (poly_bounds){0, 0};
    if (!poly_is_known(p))
        return false;
    for (int i = 0; i < poly_count(p); i++) {
        const poly_term *t = &poly_terms(p)[i];
        poly_bounds product = {t->factor, t->factor}, atom;
        for (int a = 0; a < t->degree; a++) {
            if (!is_useful(product) || !bound_atom(f, t->atoms[a], &atom))
                return false;
            product = multiply(product, atom);
        }
        out->low += product.low;
        out->high += product.high;
        if (!is_useful(product) || !is_useful(*out))
            return false;
    }
    return true;
}

bool poly_bound_steps(br_function *f, br_loop l, br_scev count, poly by, poly_bounds *from) {
    poly_bounds step;
    if (!poly_bound(f, by, &step))
        return false;
    poly_bounds iterations = {0, br_scev_greatest(f, count, l)};
    step = multiply(step, iterations);
    if (!is_useful(step))
        return false;
    from->low += step.low;
    from->high += step.high;
    return true;
}
