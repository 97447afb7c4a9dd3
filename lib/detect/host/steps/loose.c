/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values without their extensions to wider integers, without max(1, n), and with 1 for min(1, n):
 * a loop that counts down from n ends after n - min(1, n) steps more.
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

/* A constant of what is cut to fewer bits counts in these: 2^32 - 2 is -2 in 32 bits. */
static poly loose_part(br_function *f, br_scev s) {
    poly whole = host_loose(f, br_scev_operand(s, 0));
    unsigned rest = 64 - br_scev_bits(f, s);
    for (int i = 0; rest < 64 && i < poly_count(whole); i++) {
        int64_t c = poly_terms(whole)[i].factor;
        if (poly_terms(whole)[i].degree == 0)
            return poly_plus(f, whole, (int64_t)((uint64_t)c << rest) / ((int64_t)1 << rest) - c);
    }
    return whole;
}

/* LLVM makes a number of elements of a length in bytes: (8 n - 16) / 8. */
static poly loose_quotient(br_function *f, br_scev s) {
    int64_t divisor;
    poly dividend = host_loose(f, br_scev_operand(s, 0)), quotient;
    bool exact = br_scev_int(br_scev_operand(s, 1), &divisor) && divisor > 0 &&
                 poly_is_known(dividend) && poly_exact(dividend, divisor, &quotient);
    return exact ? quotient : poly_atom(f, s);
}

poly host_loose(br_function *f, br_scev s) {
    enum br_scev_kind kind = br_scev_kind(s);
    int64_t value;
    if (kind == BR_CONSTANT && br_scev_int(s, &value))
        return poly_int(f, value);
    if (kind == BR_ADD || kind == BR_MUL)
        return loose_operands(f, s, kind == BR_MUL);
    if (kind == BR_ZEXT || kind == BR_SEXT)
        return host_loose(f, br_scev_operand(s, 0));
    if (kind == BR_TRUNC)
        return loose_part(f, s);
    if (kind == BR_UDIV)
        return loose_quotient(f, s);
    bool greatest = (kind == BR_SMAX || kind == BR_UMAX) && br_scev_count(s) == 2;
    if (greatest && is_constant(br_scev_operand(s, 0)))
        return host_loose(f, br_scev_operand(s, 1));
    bool least = (kind == BR_SMIN || kind == BR_UMIN) && br_scev_count(s) == 2;
    if (least && br_scev_int(br_scev_operand(s, 0), &value))
        return poly_int(f, value);
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
