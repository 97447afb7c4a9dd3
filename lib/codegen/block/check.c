/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tests what the new body assumes and the program does not say. Every thread makes these tests,
 * even one that then has nothing to do, so they must be cheap:
 *
 *   - No index or comparison of few bits wraps. Each is a polynomial. With the greatest value of
 *     each coordinate, and without signs, the polynomial gives the greatest magnitude. Most differ
 *     only in their factors, and these are tested together. Their operands must be below 2^30,
 * which is one comparison for all; most need no other test. Long products are computed in floating
 *     point, which does not wrap; its error is allowed for.
 *   - Numbers of few bits, which the program extends with or without sign, are not below 0. As
 *     unsigned numbers they are among those that must be below 2^30.
 *
 * There is no test that what is read is not what is written, if a thread of the program computes
 * one cell, and reads before it writes (else: block/late.c). Suppose a cell is read and written in
 * one launch. If another thread reads it, two threads race for it, and the program has no meaning.
 * If the same thread reads it, then before it writes, in both bodies, because what it writes is
 * computed from what it reads. The thread of a stride loop may read what it wrote before: that is
 * tested (block/axes.c).
 */
#include "codegen/block/gen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MAGNITUDES = ST_LIMIT(32, 3) };

typedef struct checker {
    blk_gen *g;
    poly magnitudes[MAX_MAGNITUDES];
    unsigned bits[MAX_MAGNITUDES];
    int count;
} checker;

static bool refuse(checker *c, const char *detail) {
    return blk_refuse(c->g, detail);
}

/* Magnitudes: an axis stands for its greatest value, by its own address. */

static poly without_signs(poly p) {
    poly sum = poly_is_known(p) ? NULL : p;
    for (int i = 0; i < poly_count(p); i++) {
        int64_t factor = poly_terms(p)[i].factor;
        sum = poly_add(sum, poly_term_as(p, i, factor < 0 ? -factor : factor));
    }
    return sum;
}

static int find_term(poly p, const poly_term *t) {
    for (int i = 0; i < poly_count(p); i++)
        if (poly_terms(p)[i].atoms == t->atoms)
            return i;
    return -1;
}

/* Does q have all of p's terms, constants aside? Then makes q's factors at least those of p. */
static bool absorb(poly *q, poly p) {
    for (int i = 0; i < poly_count(p); i++)
        if (poly_terms(p)[i].degree && find_term(*q, &poly_terms(p)[i]) < 0)
            return false;
    for (int i = 0; i < poly_count(p); i++) {
        poly_term more = poly_terms(p)[i];
        int at = find_term(*q, &more);
        if (at >= 0 && poly_terms(*q)[at].factor >= more.factor)
            continue;
        if (at >= 0) /* unsigned: the difference may wrap */
            more.factor = (int64_t)((uint64_t)more.factor - (uint64_t)poly_terms(*q)[at].factor);
        *q = poly_add(*q, poly_term_as(p, i, more.factor));
    }
    return true;
}

static bool add_magnitude(checker *c, poly p, unsigned bits) {
    for (int i = 0; i < c->count; i++) {
        poly wider = p;
        if (c->bits[i] != bits)
            continue;
        if (absorb(&c->magnitudes[i], p))
            return true;
        if (absorb(&wider, c->magnitudes[i])) {
            c->magnitudes[i] = wider;
            return true;
        }
    }
    if (c->count == MAX_MAGNITUDES || !poly_is_known(p))
        return refuse(c, "its indices have too many forms");
    c->magnitudes[c->count] = p;
    c->bits[c->count++] = bits;
    return true;
}

static bool magnitude_of(checker *c, const st_launch_index *a, poly *out) {
    *out = without_signs(a->base);
    for (int d = 0; d < c->g->s->rank; d++) {
        poly axis = poly_atom(c->g->l->f, blk_axis_atom(c->g, d)), part = without_signs(a->step[d]);
        part = poly_mul(part, axis);
        *out = poly_add(*out, part);
    }
    return poly_is_known(*out) || refuse(c, "its indices have too many terms");
}

static LLVMValueRef magnitude_atom(blk_gen *g, br_scev atom) {
    for (int d = 0; d < g->s->rank; d++)
        if (atom == blk_axis_atom(g, d))
            return g->axes[d].extent;
    return blk_atom(g, atom);
}

/* Is p small enough because the numbers that it is made of are? */
static bool is_small(poly p, unsigned bits) {
    int64_t sum = 0;
    for (int i = 0; i < poly_count(p); i++) {
        if (poly_terms(p)[i].degree > 1 || poly_terms(p)[i].factor >= INT64_C(1) << BLK_SMALL_BITS)
            return false;
        sum += poly_terms(p)[i].degree ? poly_terms(p)[i].factor << BLK_SMALL_BITS
                                       : poly_terms(p)[i].factor;
    }
    return bits == 32 && sum <= INT32_MAX;
}

/* The value of a number that is checked to be below 2^30. */
static LLVMValueRef small_number(blk_gen *g, LLVMValueRef v) {
    v = LLVMBuildTrunc(g->e.b, v, gen_i32(&g->e), "");
    return gen_widen(&g->e, v);
}

/* i1: is the magnitude less than 2^(bits - 1)? Computed in floating point, which does not wrap. It
 * is rounded some 30 times by 2^-24 each, which is far less than the hundredth that is allowed. */
static LLVMValueRef emit_float_magnitude(blk_gen *g, poly magnitude, unsigned bits) {
    const poly_term *t = blk_in_order(g, magnitude);
    LLVMTypeRef f = gen_type(&g->e, ST_F32);
    LLVMValueRef sum = LLVMConstReal(f, 0);
    for (int i = 0; i < poly_count(magnitude); i++) {
        LLVMValueRef product = LLVMConstReal(f, fabs((double)t[i].factor));
        for (int a = 0; a < t[i].degree; a++) {
            LLVMValueRef v = magnitude_atom(g, t[i].atoms[a]);
            v = LLVMBuildTrunc(g->e.b, v, gen_i32(&g->e), "");
            v = LLVMBuildUIToFP(g->e.b, v, f, "");
            product = LLVMBuildFMul(g->e.b, product, v, "");
        }
        sum = LLVMBuildFAdd(g->e.b, sum, product, "");
    }
    LLVMValueRef most = LLVMConstReal(f, 0.99 * ldexp(1, (int)bits - 1));
    return LLVMBuildFCmp(g->e.b, LLVMRealOLT, sum, most, "");
}

static bool fits_integers(poly p) {
    for (int i = 0; i < poly_count(p); i++)
        if (poly_terms(p)[i].degree > 2 || poly_terms(p)[i].factor > 2 || poly_count(p) > 4)
            return false;
    return true;
}

static LLVMValueRef emit_magnitude(blk_gen *g, poly magnitude, unsigned bits) {
    LLVMValueRef sum = gen_int64(&g->e, 0);
    if (!fits_integers(magnitude))
        return emit_float_magnitude(g, magnitude, bits);
    const poly_term *t = blk_in_order(g, magnitude);
    for (int i = 0; i < poly_count(magnitude); i++) {
        LLVMValueRef product = gen_int64(&g->e, t[i].factor);
        for (int a = 0; a < t[i].degree; a++) {
            LLVMValueRef v = small_number(g, magnitude_atom(g, t[i].atoms[a]));
            product = LLVMBuildMul(g->e.b, product, v, "");
        }
        sum = blk_add(g, sum, product);
    }
    return LLVMBuildICmp(g->e.b, LLVMIntULT, sum, gen_int64(&g->e, INT64_C(1) << (bits - 1)), "");
}

static bool require_small_atoms(blk_gen *g, poly magnitude) {
    const poly_term *t = blk_in_order(g, magnitude);
    for (int i = 0; i < poly_count(magnitude); i++)
        for (int a = 0; a < t[i].degree; a++) {
            LLVMValueRef v = magnitude_atom(g, t[i].atoms[a]);
            if (!v)
                return false;
            blk_require_small(g, v);
        }
    return true;
}

/* g->exact: are all numbers in range, checked one by one? */
static bool emit_magnitudes(checker *c) {
    blk_gen *g = c->g;
    for (int i = 0; i < c->count; i++) {
        if (!require_small_atoms(g, c->magnitudes[i]))
            return false;
        if (is_small(c->magnitudes[i], c->bits[i]))
            continue;
        g->exact = gen_both(&g->e, g->exact, emit_magnitude(g, c->magnitudes[i], c->bits[i]));
    }
    return true;
}

/* The most bits that numbers can have so that everything computed from them is in range. */
static int quick_bits(const checker *c) {
    int bits = BLK_SMALL_BITS;
    for (bool good = false; !good && bits > 0; bits -= !good) {
        good = true;
        for (int i = 0; i < c->count; i++) {
            poly p = c->magnitudes[i];
            double sum = 0;
            for (int t = 0; t < poly_count(p); t++)
                sum += ldexp(fabs((double)poly_terms(p)[t].factor), bits * poly_terms(p)[t].degree);
            good &= sum < ldexp(1, (int)c->bits[i] - 1);
        }
    }
    return bits;
}

/* Indices */

/* The least that the coordinate is, where cells are written, as far as the program has it as a
 * number. */
static int64_t least_of(const st_launch *l, int d) {
    int64_t least = 0, limit;
    for (int i = 0; i < l->nbounds; i++)
        if (l->bounds[i].dim == d && l->bounds[i].relation == ST_AT_LEAST &&
            poly_is_int(l->bounds[i].limit, &limit) && limit > least)
            least = limit;
    return least;
}

static bool has_negative(poly p) {
    for (int i = 0; i < poly_count(p); i++)
        if (poly_terms(p)[i].factor < 0)
            return true;
    return false;
}

/* An unsigned index must not be below 0 where it is used: at the cells written. */
static bool check_unsigned(checker *c, const st_launch_index *a) {
    poly least = a->base;
    for (int d = 0; d < c->g->s->rank; d++) {
        poly part = poly_scale(a->step[d], least_of(c->g->l, d));
        least = poly_add(least, part);
        if (has_negative(a->step[d]))
            return refuse(c, "an unsigned index runs backwards");
    }
    if (!has_negative(least))
        return true;
    LLVMValueRef low = blk_value(c->g, least);
    if (low)
        blk_require_sign(c->g, low);
    return low != NULL;
}

static bool check_index(checker *c, const st_launch_index *a) {
    poly magnitude;
    return magnitude_of(c, a, &magnitude) &&
           add_magnitude(c, magnitude, a->bits < 32 ? a->bits : 32) &&
           (a->is_signed || check_unsigned(c, a));
}

/* Numbers that must not be negative are or-ed, so that one comparison tests all sign bits. */
static void check_signs(blk_gen *g) {
    if (g->all_signs)
        blk_require(g, LLVMBuildICmp(g->e.b, LLVMIntSGE, g->all_signs, gen_int64(&g->e, 0), ""));
}

enum { USUAL_BITS = 10 }; /* of sizes */

/* One comparison, g->quick, tells that all sizes are usual. Only where it fails are sizes tested
 * one by one. */
static void check_small(checker *c) {
    blk_gen *g = c->g;
    LLVMValueRef all = NULL;
    int bits = quick_bits(c),
        fit = 31 / g->s->rank; /* so that 31 bits are enough for the product of the extents */
    bits = bits < fit ? bits : fit;
    for (int i = 0; i < g->nsmall; i++)
        all = all ? LLVMBuildOr(g->e.b, all, g->small[i], "") : g->small[i];
    if (!all)
        return;
    LLVMValueRef most = gen_int64(&g->e, INT64_C(1) << BLK_SMALL_BITS);
    g->exact = gen_both(&g->e, g->exact, LLVMBuildICmp(g->e.b, LLVMIntULT, all, most, ""));
    most = gen_int64(&g->e, INT64_C(1) << bits);
    if (bits >= USUAL_BITS)
        g->quick = LLVMBuildICmp(g->e.b, LLVMIntULT, all, most, "");
}

/* May the sum be negative? Not if all its terms are positive multiples of numbers of few bits:
 * these are tested not to be negative. */
static bool may_be_negative(const blk_gen *g, poly p) {
    bool may = has_negative(p);
    for (int i = 0; i < poly_count(p) && !may; i++)
        for (int a = 0; a < poly_terms(p)[i].degree; a++)
            may |= br_scev_bits(g->l->f, poly_terms(p)[i].atoms[a]) > 32;
    return may;
}

static bool check_needs(blk_gen *g) {
    for (int i = 0; i < g->l->nneeds; i++) {
        bool may = may_be_negative(g, g->l->needs[i]);
        LLVMValueRef v = may ? blk_value(g, g->l->needs[i]) : NULL;
        if (may && !v)
            return false;
        if (v)
            blk_require_sign(g, v);
    }
    return true;
}

static bool check_conditions(blk_gen *g) {
    for (int i = 0; i < g->l->nconditions; i++) {
        const st_condition *u = &g->l->conditions[i];
        LLVMValueRef c = blk_uniform(g, u->condition);
        if (!c)
            return false;
        blk_require(g, u->holds ? c : LLVMBuildNot(g->e.b, c, ""));
    }
    return true;
}

/* Has the launch enough cells for the plan? Their number fits into 32 bits if sizes are usual. */
static void check_cells(blk_gen *g) {
    LLVMTypeRef i32 = gen_i32(&g->e);
    LLVMValueRef cells = gen_int64(&g->e, 1), few = gen_int32(&g->e, 1);
    LLVMValueRef least = gen_int64(&g->e, g->p->least_cells);
    if (!g->p->least_cells)
        return;
    if (g->flat) {
        blk_require(g, LLVMBuildICmp(g->e.b, LLVMIntSGE, g->flat_reach, least, ""));
        return;
    }
    for (int d = 0; d < g->s->rank; d++) {
        if (g->l->axes[d].walks) /* it takes no more threads */
            continue;
        few = LLVMBuildMul(g->e.b, few, LLVMBuildTrunc(g->e.b, g->axes[d].extent, i32, ""), "");
        cells = LLVMBuildMul(g->e.b, cells, small_number(g, g->axes[d].extent), "");
    }
    LLVMValueRef enough = LLVMBuildICmp(g->e.b, LLVMIntSGE, cells, least, "");
    g->exact = gen_both(&g->e, g->exact, enough);
    least = LLVMBuildTrunc(g->e.b, least, i32, "");
    if (g->quick)
        g->quick = gen_both(&g->e, g->quick, LLVMBuildICmp(g->e.b, LLVMIntUGE, few, least, ""));
}

bool blk_find_checks(blk_gen *g) {
    checker *c = calloc(1, sizeof *c);
    bool good = true;
    c->g = g;
    for (int i = 0; i < g->l->nindices && good; i++)
        good = check_index(c, &g->l->indices[i]);
    good = good && emit_magnitudes(c) && check_conditions(g) && check_needs(g);
    if (good)
        blk_require_unread(g);
    check_small(c);
    check_cells(g);
    check_signs(g);
    free(c);
    LLVMValueRef *conditions[] = {&g->holds, &g->quick, &g->exact};
    for (int i = 0; i < 3 && good; i++)
        if (*conditions[i])
            *conditions[i] = LLVMBuildFreeze(g->e.b, *conditions[i], "");
    return good;
}
