/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Division by a constant, without dividing: the same bits for every dividend, zeros of either sign,
 * subnormal numbers, infinities and NaN (its payload aside) included. After Markstein 1990 (a
 * quotient made right by its remainder) and Brisebarre, Muller, Raina 2004 (the reciprocal as a sum
 * of two numbers, and a search for the dividends that could go wrong).
 *
 * Let |c| = C 2^k, C odd, of b bits; p the precision; u the least subnormal number; g the distance
 * of numbers at x/c, u at least; RN rounding to nearest, RZ towards zero, RU away from it. What
 * follows is for x, c > 0; each step is odd in x and c, zeros apart.
 *
 * An exact reciprocal (C = 1), or one that the program allows (arcp): x * RN(1/c).
 *
 * By the remainder (k >= 0, b + k <= p - 4):
 *     q = RN(x RU(1/c)), if k > 0 its last bit cleared;  r = c q - x;  RN(q - r RZ(1/c)).
 *   x/c is a whole number over C in units of g/2, or where g = u over C 2^(k-1). So it is midway
 *   between two numbers, a tie, or misses each midpoint by g / (C 2^max(k,1)) or more. Since
 *   |q - x/c| < 3.5 g, r has fewer than p bits and is exact, and the last step is off by less than
 *   3.5 g C / 2^(b+p-1) before it is rounded: too little to pass a midpoint. Ties are possible only
 *   where g = u and k > 0: x/c = (j + 1/2) u, RU makes q = (j + 1) u, clearing a bit the even one
 *   of the two neighbours, and from there RZ stays short of the tie. If x is infinite r is NaN,
 *   and q the result.
 *
 * By a sum (k <= 0):
 *     zh = RZ(1/c), zl = RN(1/c - zh), or a neighbour of it;  q = RN(x zh + RN(x zl)).
 *   Where nothing underflows the sum is off by less than (6 + 8 j) 2^-p times g/2 if zl is j units
 *   off; so only an x/c closer than that to a midpoint can be rounded wrongly, and these x are
 *   found and tried here, constant by constant. If a product x zl can underflow, two steps more:
 *     r = C q - x 2^-k;  RN(q - r' RN(1/C)), r' being r less the first bit of its exponent.
 *   Where x zl underflows, |q - x/c| <= g (1 + 2^(5-p)), r is small and exact (C <= 2^p - 32),
 *   there are no ties, and the midpoint to pass is next to q, so that the step's error, g/2 times
 *   less than C / 2^(b+p), is less than the distance g / (2 C). Elsewhere q is right already, and
 *   remains so: r' is r or smaller, and finite whatever r is.
 *   For one constant in twelve that fails, RN(x zl) being too coarse where zl is near a unit of zh.
 *   Then zh = RU(1/c) and a smaller zl is taken away: but an infinite x gives NaN, and x is taken.
 *
 * Zeros keep their sign. By the remainder, and by a sum: q has it, r is +0 and its factor negative.
 * By a difference: q is made negated, so that it is -0 after all, and r has the sign of -x.
 */
#include "model/stencil.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

typedef __int128 wide;
typedef unsigned __int128 unsigned_wide;

typedef struct divisor {
    st_type type;
    int p, least, greatest; /* exponents of normal numbers */
    bool negative;
    uint64_t odd; /* |c| = odd 2^exponent */
    int bits, exponent;
    uint64_t below, rest; /* 1/|c| = (below + rest/odd) 2^unit, below has p bits */
    int unit;
} divisor;

/* Numbers as bits */

static bool read_divisor(st_type type, uint64_t bits, divisor *d) {
    *d = (divisor){.type = type, .p = 24, .least = -126, .greatest = 127};
    if (type == ST_F64)
        *d = (divisor){.type = type, .p = 53, .least = -1022, .greatest = 1023};
    uint64_t hidden = 1ull << (d->p - 1), field = bits >> (d->p - 1) & (2 * d->greatest + 1u);
    d->negative = bits >> (type == ST_F64 ? 63 : 31) & 1;
    d->odd = (bits & (hidden - 1)) | (field ? hidden : 0);
    if (d->odd == 0 || field == 2 * d->greatest + 1u)
        return false;
    d->exponent = (field ? (int)field : 1) - d->greatest - d->p + 1;
    for (; d->odd % 2 == 0; d->exponent++)
        d->odd /= 2;
    while (d->odd >> d->bits)
        d->bits++;
    unsigned_wide one = (unsigned_wide)1 << (d->bits + d->p - 1);
    d->below = (uint64_t)(one / d->odd);
    d->rest = (uint64_t)(one % d->odd);
    d->unit = -d->exponent - d->bits - d->p + 1;
    return true;
}

/* The bits of m 2^e, m of at most p bits; false if that is no normal number. */
static bool encode(const divisor *d, bool negative, uint64_t m, int e, uint64_t *bits) {
    for (; m >> d->p; e++)
        m /= 2;
    for (; !(m >> (d->p - 1)); e--)
        m *= 2;
    int exponent = e + d->p - 1;
    *bits = (m & ~(1ull << (d->p - 1))) | (uint64_t)(exponent + d->greatest) << (d->p - 1) |
            (uint64_t)negative << (d->type == ST_F64 ? 63 : 31);
    return exponent >= d->least && exponent <= d->greatest;
}

static uint64_t nearest_reciprocal(const divisor *d) {
    return d->below + (2 * d->rest > d->odd);
}

/* Proof of the sum */

/* 1/|c| as first + second or, if `less`, first - second; first in units of 2^unit, second of
 * 2^(unit - scale). */
typedef struct sum {
    uint64_t first, second;
    int scale;
    bool less;
} sum;

static wide round_to(int p, unsigned_wide v) {
    int excess = 0;
    while (v >> (p + excess))
        excess++;
    if (excess == 0)
        return (wide)v;
    unsigned_wide half = (unsigned_wide)1 << (excess - 1), last = v >> excess & 1;
    return (wide)((v + half - 1 + last) >> excess << excess);
}

/* The quotient of x is x 2^(bits + shift) / odd half units of its last place, and that is i / odd
 * above a whole number of them. If this is odd, a midpoint: is the sum above it, too? */
static bool is_on_its_side(const divisor *d, const sum *z, uint64_t x, int shift, int i) {
    unsigned_wide m = (unsigned_wide)((wide)((unsigned_wide)x << (d->bits + shift)) - i) / d->odd;
    if (m % 2 == 0)
        return true;
    wide gap = (wide)((unsigned_wide)x * z->first) - (wide)(m << (d->p - 1 - shift));
    wide second = round_to(d->p, (unsigned_wide)x * z->second);
    wide above = gap * ((wide)1 << z->scale) + (z->less ? -second : second);
    return i > 0 ? above > 0 : above < 0;
}

/* All x of p bits with x 2^(bits + shift) = i modulo odd; shift is 1 where x is less than the
 * divisor, as numbers of p bits each. */
static bool are_on_their_side(const divisor *d, const sum *z, int shift, int i) {
    uint64_t x = i > 0 ? (uint64_t)i : d->odd - (uint64_t)-i, least = 1ull << (d->p - 1);
    for (int k = 0; k < d->bits + shift; k++)
        x = (x % 2 ? x + d->odd : x) / 2;
    for (; x < 2 * least; x += d->odd)
        if (x >= least && (x < d->odd << (d->p - d->bits)) == shift &&
            !is_on_its_side(d, z, x, shift, i))
            return false;
    return true;
}

static bool is_right(const divisor *d, const sum *z, int units_off) {
    int most = (int)((unsigned_wide)(6 + 8 * abs(units_off)) * d->odd >> d->p);
    for (int i = 1; i <= most; i++)
        for (int shift = 0; shift < 2; shift++)
            if (!are_on_their_side(d, z, shift, i) || !are_on_their_side(d, z, shift, -i))
                return false;
    return true;
}

/* Finds the second part of the sum, or a neighbour of it, that is added or taken away. */
static bool find_second(const divisor *d, bool less, sum *z) {
    static const int off[] = {0, 1, -1, 2, -2};
    *z = (sum){.first = d->below + less, .scale = d->p - 1, .less = less};
    unsigned_wide rest = less ? d->odd - d->rest : d->rest;
    while (rest << z->scale < (unsigned_wide)d->odd << (d->p - 1))
        z->scale++;
    uint64_t second = (uint64_t)((2 * (rest << z->scale) + d->odd) / (2 * (unsigned_wide)d->odd));
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        z->second = second + (uint64_t)(int64_t)off[i];
        if (z->second >> (d->p - 1) == 1 && is_right(d, z, off[i]))
            return true;
    }
    return false;
}

/* Sequences */

typedef struct division {
    st_stencil *to;
    divisor d;
    int32_t x;
} division;

static int32_t operation(division *v, st_op op, int32_t a, int32_t b, int32_t c) {
    return st_operation(v->to, op, v->d.type, a, b, c);
}

static int32_t number(division *v, bool negative, uint64_t m, int e) {
    uint64_t bits;
    encode(&v->d, negative, m, e, &bits);
    return st_constant(v->to, v->d.type, bits);
}

static int32_t infinity(division *v) {
    return st_constant(v->to, v->d.type, v->d.type == ST_F64 ? 0x7ffull << 52 : 0xffull << 23);
}

static int32_t masked(division *v, int32_t a, uint64_t mask) {
    st_type whole = v->d.type == ST_F64 ? ST_I64 : ST_I32;
    a = st_operation(v->to, ST_BITCAST, whole, a, -1, -1);
    a = st_operation(v->to, ST_AND, whole, a, st_constant(v->to, whole, mask), -1);
    return operation(v, ST_BITCAST, a, -1, -1);
}

static int32_t negated_dividend(division *v) {
    return v->d.negative ? v->x : operation(v, ST_FNEG, v->x, -1, -1);
}

/* a if x is finite, else b. */
static int32_t if_finite(division *v, int32_t a, int32_t b) {
    int32_t x = operation(v, ST_FABS, v->x, -1, -1);
    int32_t i = st_operation(v->to, ST_FCMP, ST_I1, x, infinity(v), -1);
    st_node test = v->to->nodes[i];
    test.predicate = LLVMRealOLT;
    return operation(v, ST_SELECT, st_add_node(v->to, test), a, b);
}

static int32_t by_remainder(division *v) {
    const divisor *d = &v->d;
    int32_t q = operation(v, ST_FMUL, v->x, number(v, d->negative, d->below + 1, d->unit), -1);
    if (d->exponent > 0)
        q = masked(v, q, ~1ull);
    int32_t c = number(v, false, d->odd, d->exponent);
    int32_t r = operation(v, ST_FMA, c, q, negated_dividend(v));
    return if_finite(v, operation(v, ST_FMA, r, number(v, true, d->below, d->unit), q), q);
}

/* x * second underflows for no x. */
static bool never_underflows(const divisor *d, const sum *z) {
    return d->unit - z->scale >= 0;
}

static int32_t by_sum(division *v, const sum *z) {
    const divisor *d = &v->d;
    bool minus = d->negative != z->less; /* if z.less, q is made with the other sign */
    int32_t q =
        operation(v, ST_FMUL, v->x, number(v, d->negative, z->second, d->unit - z->scale), -1);
    q = operation(v, ST_FMA, v->x, number(v, minus, z->first, d->unit), q);
    if (never_underflows(d, z))
        return q;
    if (z->less)
        q = operation(v, ST_FNEG, q, -1, -1);
    int32_t x = negated_dividend(v);
    if (d->exponent < 0)
        x = operation(v, ST_FMUL, v->x, number(v, !d->negative, 1, -d->exponent), -1);
    int32_t r = operation(v, ST_FMA, number(v, false, d->odd, 0), q, x);
    r = masked(v, r, ~(1ull << (d->type == ST_F64 ? 62 : 30)));
    q = operation(v, ST_FMA, r, number(v, true, nearest_reciprocal(d), d->unit + d->exponent), q);
    return z->less ? if_finite(v, q, d->negative ? operation(v, ST_FNEG, v->x, -1, -1) : v->x) : q;
}

/* A sum for d, all of whose numbers are normal. With `less` it takes two operations more, and
 * x * second must not overflow. */
static bool find_sum(const divisor *d, sum *z) {
    uint64_t bits;
    if (d->exponent > 0 || d->odd > (1ull << d->p) - 32)
        return false;
    if (!find_second(d, false, z) && (!find_second(d, true, z) || d->p + d->unit > z->scale))
        return false;
    return encode(d, false, z->first, d->unit, &bits) &&
           encode(d, false, z->second, d->unit - z->scale, &bits) &&
           (never_underflows(d, z) || encode(d, false, 1, -d->exponent, &bits));
}

/* x * RN(1/c), if RN(1/c) is a normal number. */
static int32_t by_reciprocal(division *v, st_node n) {
    uint64_t bits;
    if (!encode(&v->d, v->d.negative, nearest_reciprocal(&v->d), v->d.unit, &bits))
        return -1;
    n.op = ST_FMUL;
    n.args[1] = st_constant(v->to, v->d.type, bits);
    return st_add_node(v->to, n);
}

/* The quotient's node, or -1 if the division n has to stay. */
static int32_t divide(division *v, st_node n) {
    const divisor *d = &v->d;
    sum z;
    bool is_short = d->exponent >= 0 && d->bits + d->exponent <= d->p - 4;
    int32_t quotient = d->odd == 1 || n.flags & ST_ARCP ? by_reciprocal(v, n) : -1;
    if (quotient >= 0 || d->odd == 1)
        return quotient;
    /* A choice between doubles takes two instructions. */
    if (is_short && (d->type == ST_F32 || d->exponent > 0))
        return by_remainder(v);
    return find_sum(d, &z) ? by_sum(v, &z) : -1;
}

static int32_t rewrite(const st_stencil *from, st_stencil *to, const int32_t *map, size_t i) {
    st_node n = from->nodes[i];
    division v = {.to = to};
    for (int k = 0; k < 3; k++)
        n.args[k] = n.args[k] < 0 ? -1 : map[n.args[k]];
    if (n.op == ST_FDIV && to->nodes[n.args[1]].op == ST_CONST &&
        read_divisor((st_type)n.type, to->nodes[n.args[1]].bits, &v.d)) {
        v.x = n.args[0];
        int32_t quotient = divide(&v, n);
        if (quotient >= 0)
            return quotient;
    }
    return st_add_node(to, n);
}

void st_divide(st_stencil *s) {
    st_stencil *to = st_create();
    int32_t *map = malloc(s->nnodes * sizeof *map);
    for (size_t i = 0; i < s->nnodes; i++)
        map[i] = rewrite(s, to, map, i);
    st_replace_nodes(s, to, map);
    st_destroy(to);
    free(map);
}
