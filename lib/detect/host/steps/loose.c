/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values without their extensions to wider integers and without max(1, n).
 */
#include "detect/host/steps/loose.h"

static poly loose_operands(br_function *f, br_scev s, bool product) {
    poly all = poly_int(f, product);
    for (size_t i = 0; i < br_scev_count(s); i++) {
        poly one = host_loose(f, br_scev_operand(s, i));
        all = product ? poly_mul(all, one) : poly_add(all, one);
    }
    return all;
}

static bool is_constant(br_scev s) {
    return br_scev_kind(s) == BR_CONSTANT;
}

poly host_loose(br_function *f, br_scev s) {
    enum br_scev_kind kind = br_scev_kind(s);
    int64_t value;
    if (kind == BR_CONSTANT && br_scev_int(s, &value))
        return poly_int(f, value);
    if (kind == BR_ADD || kind == BR_MUL)
        return loose_operands(f, s, kind == BR_MUL);
    if (kind == BR_ZEXT || kind == BR_SEXT || kind == BR_TRUNC)
        return host_loose(f, br_scev_operand(s, 0));
    bool greatest = (kind == BR_SMAX || kind == BR_UMAX) && br_scev_count(s) == 2;
    if (greatest && is_constant(br_scev_operand(s, 0)))
        return host_loose(f, br_scev_operand(s, 1));
    return poly_atom(f, s);
}

poly host_loosened(br_function *f, poly p) {
    poly all = poly_is_known(p) ? poly_int(f, 0) : p;
    for (int i = 0; i < poly_count(p); i++) {
        const poly_term *t = &poly_terms(p)[i];
        poly product = poly_int(f, t->factor);
        for (int k = 0; k < t->degree; k++)
            product = poly_mul(product, host_loose(f, t->atoms[k]));
        all = poly_add(all, product);
    }
    return all;
}
