/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the new body relies on and the program does not say. Every thread tests it, also those that
 * then have nothing to do, so it is to be cheap:
 *
 *   - No index or comparison of few bits wraps. Each is a polynomial; with the greatest value of
 *     each coordinate and without signs it is the greatest magnitude. Few differ in more than their
 *     factors, and those are taken together. What they are made of must be below 2^30, which is one
 *     comparison for all; most need no other. Products are computed in floating point, which does
 *     not wrap; its error is allowed for.
 *   - Numbers of few bits, which the program extends in one way or another, are not below 0. Taken
 *     as unsigned, they are among those that must be below 2^30.
 *   - What is read is not what is written.
 */
#include "block_gen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MAGNITUDES = 32, MAX_CHOICES = 8 };

typedef struct checker {
    blk_gen *g;
    poly magnitudes[MAX_MAGNITUDES];
    unsigned bits[MAX_MAGNITUDES];
    int count;
} checker;

void blk_require(blk_gen *g, LLVMValueRef condition) {
    if (LLVMIsAConstantInt(condition) && LLVMConstIntGetZExtValue(condition))
        return;
    g->holds = g->holds ? LLVMBuildAnd(g->e.b, g->holds, condition, "") : condition;
}

static bool refuse(checker *c, const char *detail) {
    return kernel_refuse(c->g->k, ST_NO_KERNEL_SHAPE, detail);
}

/* Magnitudes: an axis stands for its greatest value, by its own address. */

static br_scev axis_atom(const kernel_region *k, int number) {
    return (br_scev)(const void *)&k->axes[number];
}

static poly without_signs(const poly *p) {
    poly out = *p;
    for (int i = 0; i < out.count; i++)
        if (out.terms[i].factor < 0)
            out.terms[i].factor = -out.terms[i].factor;
    return out;
}

static int find_term(const poly *p, const poly_term *t) {
    for (int i = 0; i < p->count; i++)
        if (p->terms[i].degree == t->degree &&
            !memcmp(p->terms[i].atoms, t->atoms, (size_t)t->degree * sizeof *t->atoms))
            return i;
    return -1;
}

/* Does q have all of p's terms, constants aside? Then makes its factors large enough. */
static bool absorb(poly *q, const poly *p) {
    for (int i = 0; i < p->count; i++)
        if (p->terms[i].degree && find_term(q, &p->terms[i]) < 0)
            return false;
    for (int i = 0; i < p->count; i++) {
        int at = find_term(q, &p->terms[i]);
        if (at < 0) {
            poly one = poly_int(p->terms[i].factor);
            *q = poly_add(q, &one);
        } else if (q->terms[at].factor < p->terms[i].factor) {
            q->terms[at].factor = p->terms[i].factor;
        }
    }
    return true;
}

static bool add_magnitude(checker *c, const poly *p, unsigned bits) {
    for (int i = 0; i < c->count; i++) {
        poly wider = *p;
        if (c->bits[i] != bits)
            continue;
        if (absorb(&c->magnitudes[i], p))
            return true;
        if (absorb(&wider, &c->magnitudes[i])) {
            c->magnitudes[i] = wider;
            return true;
        }
    }
    if (c->count == MAX_MAGNITUDES || p->overflow)
        return refuse(c, "its indices have too many forms");
    c->magnitudes[c->count] = *p;
    c->bits[c->count++] = bits;
    return true;
}

static bool magnitude_of(checker *c, const poly *p, poly *out, int depth);

/* What is chosen is at most both together. */
static bool magnitude_of_choice(checker *c, const poly *p, const kernel_root *r, poly *out,
                                int depth) {
    poly factor, rest, excess;
    if (depth == 0 || !poly_split(p, kernel_root_atom((kernel_root *)r), &factor, &rest) ||
        kernel_varies(c->g->k, &factor) || !magnitude_of(c, &rest, out, depth - 1) ||
        !magnitude_of(c, &r->excess, &excess, depth - 1))
        return refuse(c, "an index is not a sum of coordinates");
    factor = without_signs(&factor);
    excess = poly_mul(&excess, &factor);
    *out = poly_add(out, &excess);
    return !out->overflow || refuse(c, "its indices have too many terms");
}

static const kernel_root *find_choice(const kernel_region *k, const poly *p) {
    for (int i = 0; i < k->nroots; i++)
        if (k->roots[i].role == KERNEL_EXCESS &&
            kernel_has_root(p, kernel_root_atom((kernel_root *)&k->roots[i])))
            return &k->roots[i];
    return NULL;
}

static bool magnitude_of(checker *c, const poly *p, poly *out, int depth) {
    const kernel_region *k = c->g->k;
    const kernel_root *choice = find_choice(k, p);
    host_affine a;
    if (choice)
        return magnitude_of_choice(c, p, choice, out, depth);
    if (!kernel_affine(k, p, &a))
        return refuse(c, "an index is not a sum of coordinates");
    *out = without_signs(&a.base);
    for (int i = 0; i < k->naxes; i++) {
        poly axis = poly_atom(axis_atom(k, i)), part = without_signs(&a.step[i]);
        part = poly_mul(&part, &axis);
        *out = poly_add(out, &part);
    }
    return !out->overflow || refuse(c, "its indices have too many terms");
}

enum { SMALL_BITS = 30 };

void blk_require_small(blk_gen *g, LLVMValueRef v) {
    if (LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) < UINT64_C(1) << SMALL_BITS)
        return;
    for (int i = 0; i < g->nsmall; i++)
        if (g->small[i] == v)
            return;
    if (g->nsmall < BLK_MAX_ATOMS)
        g->small[g->nsmall++] = v;
    else
        blk_require(g, LLVMConstInt(LLVMInt1TypeInContext(g->e.context), 0, false));
}

static LLVMValueRef magnitude_atom(blk_gen *g, br_scev atom) {
    for (int i = 0; i < g->k->naxes; i++)
        if (atom == axis_atom(g->k, i))
            return g->axes[g->k->region.dim_of_loop[i]].extent;
    return blk_atom(g, atom);
}

/* Is it small enough because what it is made of is? */
static bool is_small(const poly *p, unsigned bits) {
    int64_t sum = 0;
    for (int i = 0; i < p->count; i++) {
        if (p->terms[i].degree > 1 || p->terms[i].factor >= INT64_C(1) << SMALL_BITS)
            return false;
        sum += p->terms[i].degree ? p->terms[i].factor << SMALL_BITS : p->terms[i].factor;
    }
    return bits == 32 && sum <= INT32_MAX;
}

static LLVMValueRef emit_magnitude(blk_gen *g, const poly *p) {
    LLVMTypeRef f = gen_type(&g->e, ST_F32);
    LLVMValueRef sum = LLVMConstReal(f, 0);
    for (int i = 0; i < p->count; i++) {
        LLVMValueRef product = LLVMConstReal(f, fabs((double)p->terms[i].factor));
        for (int a = 0; a < p->terms[i].degree; a++) {
            LLVMValueRef v = magnitude_atom(g, p->terms[i].atoms[a]);
            v = LLVMBuildTrunc(g->e.b, v, gen_i32(&g->e), "");
            v = LLVMBuildUIToFP(g->e.b, v, f, "");
            product = LLVMBuildFMul(g->e.b, product, v, "");
        }
        sum = LLVMBuildFAdd(g->e.b, sum, product, "");
    }
    return sum;
}

static bool require_small_atoms(blk_gen *g, const poly *p) {
    for (int i = 0; i < p->count; i++)
        for (int a = 0; a < p->terms[i].degree; a++) {
            LLVMValueRef v = magnitude_atom(g, p->terms[i].atoms[a]);
            if (!v)
                return false;
            blk_require_small(g, v);
        }
    return true;
}

/* Rounded some 30 times by 2^-24 each: far less than a hundredth. */
static bool emit_magnitudes(checker *c) {
    blk_gen *g = c->g;
    for (int i = 0; i < c->count; i++) {
        if (!require_small_atoms(g, &c->magnitudes[i]))
            return false;
        if (is_small(&c->magnitudes[i], c->bits[i]))
            continue;
        LLVMValueRef m = emit_magnitude(g, &c->magnitudes[i]);
        LLVMValueRef most = LLVMConstReal(LLVMTypeOf(m), 0.99 * ldexp(1, (int)c->bits[i] - 1));
        blk_require(g, LLVMBuildFCmp(g->e.b, LLVMRealOLT, m, most, ""));
    }
    return true;
}

/* Indices */

/* The least that the axis is, where cells are written, as far as the program has it as a number. */
static int64_t least_of(const kernel_region *k, int number) {
    int64_t least = 0, limit;
    for (int i = 0; i < k->nbounds; i++)
        if (k->bounds[i].axis == number && k->bounds[i].relation == KERNEL_AT_LEAST &&
            poly_is_int(&k->bounds[i].limit, &limit) && limit > least)
            least = limit;
    return least;
}

static bool has_negative(const poly *p) {
    for (int i = 0; i < p->count; i++)
        if (p->terms[i].factor < 0)
            return true;
    return false;
}

/* An unsigned index must not be below 0 where it is used: at the cells written. */
static bool check_unsigned(checker *c, const poly *p) {
    const kernel_region *k = c->g->k;
    host_affine a;
    if (!kernel_affine(k, p, &a))
        return refuse(c, "an index is not a sum of coordinates");
    for (int i = 0; i < k->naxes; i++) {
        poly part = poly_scale(&a.step[i], least_of(k, i));
        a.base = poly_add(&a.base, &part);
        if (has_negative(&a.step[i]))
            return refuse(c, "an unsigned index runs backwards");
    }
    if (!has_negative(&a.base))
        return true;
    LLVMValueRef low = blk_value(c->g, &a.base);
    if (low)
        blk_require(c->g, LLVMBuildICmp(c->g->e.b, LLVMIntSGE, low, gen_int64(&c->g->e, 0), ""));
    return low != NULL;
}

static bool check_index(checker *c, br_scev value, bool is_signed, unsigned bits) {
    poly p, magnitude;
    if (!kernel_poly(c->g->k, value, &p) || !magnitude_of(c, &p, &magnitude, MAX_CHOICES) ||
        !add_magnitude(c, &magnitude, bits < 32 ? bits : 32))
        return false;
    return is_signed || check_unsigned(c, &p);
}

static bool is_unsigned(LLVMIntPredicate p) {
    return p >= LLVMIntUGT && p <= LLVMIntULE;
}

/* A comparison is one of numbers that do not wrap. */
static bool check_guard(checker *c, LLVMValueRef condition) {
    kernel_region *k = c->g->k;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef v = LLVMGetOperand(condition, i);
        unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(v));
        poly p, magnitude;
        if (!kernel_number(k, br_scev_of(k->region.f, v), &p))
            return false;
        if (bits <= 32 && (!magnitude_of(c, &p, &magnitude, MAX_CHOICES) || !add_magnitude(c, &magnitude, bits)))
            return false;
        if (is_unsigned(LLVMGetICmpPredicate(condition)) && !kernel_varies(k, &p) &&
            has_negative(&p)) {
            LLVMValueRef limit = blk_value(c->g, &p);
            if (!limit)
                return false;
            blk_require(c->g,
                        LLVMBuildICmp(c->g->e.b, LLVMIntSGE, limit, gen_int64(&c->g->e, 0), ""));
        }
    }
    return true;
}

/* Arrays */

/* The least or greatest coordinate along d that is read. Of what follows a rule, beside what is
 * there inside: the way back from the farthest and the nearest cell outside. */
static LLVMValueRef farthest(blk_gen *g, size_t grid, int d, int end) {
    const blk_axis *a = &g->axes[d];
    int32_t reach[2] = {0, 0};
    LLVMValueRef inner[2] = {a->low, blk_plus(g, a->high, -1)};
    for (size_t i = 0; i < g->s->naccesses; i++) {
        const st_access *access = &g->s->accesses[i];
        int at = access->offset[d], side = at > 0;
        if (access->grid == (int32_t)grid && !(access->faces & ST_FACE(d, side)))
            reach[side] = abs(at) > abs(reach[side]) ? at : reach[side];
    }
    LLVMValueRef most = blk_plus(g, inner[end], d == 0 && g->s->grids[grid].broadcast & 1 ? 0 : reach[end]);
    for (int side = 0; side < 2; side++) {
        const blk_face *f = &a->face[side];
        if (!f->reach)
            continue;
        LLVMValueRef outside[2] = {blk_plus(g, f->limit, side ? 1 : -1),
                                   blk_plus(g, inner[side], f->reach)};
        for (int i = 0; i < 2; i++) {
            LLVMValueRef c = blk_folded(g, d, side, outside[i]);
            most = end ? blk_greatest(g, most, c) : blk_least(g, most, c);
        }
    }
    return most;
}

static LLVMValueRef span_end(blk_gen *g, size_t grid, int end, bool written) {
    LLVMValueRef at = LLVMBuildPtrToInt(g->e.b, g->origin[grid], gen_i64(&g->e), "");
    for (int d = 0; d < g->s->rank; d++) {
        int32_t reach[2] = {0, 0};
        LLVMValueRef cell = written ? (end ? blk_plus(g, g->axes[d].high, -1) : g->axes[d].low)
                                    : farthest(g, grid, d, end);
        at = blk_add(g, at, LLVMBuildMul(g->e.b, cell, g->stride[grid][d], ""));
        if (d > 0 || written || !(g->s->grids[grid].broadcast & 1))
            continue;
        blk_reach(g->s, (int32_t)grid, d, &reach[0], &reach[1]); /* elements, all the same */
        at = blk_add(g, at, blk_distance(g, (int32_t)grid, d, reach[end]));
    }
    return end ? blk_plus(g, at, (int64_t)st_type_size(g->s->grids[grid].type)) : at;
}

static void check_stride(blk_gen *g, size_t grid) {
    for (int d = 0; d < g->s->rank; d++)
        if (has_negative(&g->k->region.grids[grid].stride[d]))
            blk_require(
                g, LLVMBuildICmp(g->e.b, LLVMIntSGE, g->stride[grid][d], gen_int64(&g->e, 0), ""));
}

static void check_overlap(blk_gen *g) {
    size_t written = (size_t)g->s->store_grid;
    LLVMValueRef first = span_end(g, written, false, true), end = span_end(g, written, true, true);
    check_stride(g, written);
    for (size_t i = 0; i < g->s->ngrids; i++) {
        if (i == written)
            continue;
        LLVMValueRef low = span_end(g, i, false, false), high = span_end(g, i, true, false);
        LLVMValueRef before = LLVMBuildICmp(g->e.b, LLVMIntULE, high, first, "");
        LLVMValueRef after = LLVMBuildICmp(g->e.b, LLVMIntULE, end, low, "");
        blk_require(g, LLVMBuildOr(g->e.b, before, after, ""));
        check_stride(g, i);
    }
}

static void check_small(blk_gen *g) {
    LLVMValueRef all = NULL;
    for (int i = 0; i < g->nsmall; i++)
        all = all ? LLVMBuildOr(g->e.b, all, g->small[i], "") : g->small[i];
    if (all)
        blk_require(g, LLVMBuildICmp(g->e.b, LLVMIntULT, all,
                                     gen_int64(&g->e, INT64_C(1) << SMALL_BITS), ""));
}

/* None is below 0: neither is what they have in common. */
static bool check_needs(blk_gen *g) {
    LLVMValueRef all = NULL;
    for (int i = 0; i < g->k->nneeds; i++) {
        if (!has_negative(&g->k->needs[i]))
            continue;
        LLVMValueRef v = blk_value(g, &g->k->needs[i]);
        if (!v)
            return false;
        all = all ? LLVMBuildOr(g->e.b, all, v, "") : v;
    }
    if (all)
        blk_require(g, LLVMBuildICmp(g->e.b, LLVMIntSGE, all, gen_int64(&g->e, 0), ""));
    return true;
}

static bool check_conditions(blk_gen *g) {
    for (int i = 0; i < g->k->nuniform; i++) {
        const host_guard *u = &g->k->uniform[i];
        LLVMValueRef c = blk_uniform(g, u->condition);
        if (!c)
            return false;
        blk_require(g, u->holds ? c : LLVMBuildNot(g->e.b, c, ""));
    }
    return true;
}

bool blk_find_checks(blk_gen *g) {
    kernel_region *k = g->k;
    checker *c = calloc(1, sizeof *c);
    bool good = true;
    c->g = g;
    int narrow = k->nnarrow; /* expanding them again finds no others */
    for (int i = 0; i < narrow && good; i++)
        good = check_index(c, k->narrow[i].value, k->narrow[i].is_signed,
                           br_scev_bits(k->region.f, k->narrow[i].value));
    for (int i = 0; i < k->nbounds && good; i++)
        good = !k->bounds[i].condition || check_guard(c, k->bounds[i].condition);
    good = good && emit_magnitudes(c) && check_conditions(g) && check_needs(g);
    if (good && k->may_overlap)
        check_overlap(g);
    check_small(g);
    free(c);
    if (good && g->holds)
        g->holds = LLVMBuildFreeze(g->e.b, g->holds, "");
    return good;
}
