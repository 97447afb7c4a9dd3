/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Bounds: what a guard's condition says of the coordinates. Each comparison in it is of one
 * coordinate with a number that all threads have: the coordinate is below the number, is at least
 * the number, or is not the number. A condition that is the same for all threads is kept as it is
 * (`uniform`).
 */
#include "detect/kernel/stages.h"

static bool refuse_guard(kernel_region *k, const char *detail) {
    return kernel_refuse(k, ST_NO_KERNEL_GUARD, detail);
}

/* i < n * m is y < m where y is i / n, and so with i >= n * m. */
static void bound_quotient(const kernel_region *k, int *axis, poly *limit) {
    poly whole, rest;
    int last = k->naxes - 1;
    if (*axis >= 0 || k->axes[last].quotient < 0 ||
        !poly_divide(*limit, k->values->roots[k->axes[last].quotient].divisor, &whole, &rest) ||
        !poly_is_zero(rest))
        return;
    *axis = last;
    *limit = whole;
}

bool kernel_add_bound(kernel_region *k, int axis, kernel_relation relation, poly limit,
                      LLVMValueRef condition, unsigned when) {
    poly bound = limit, extent = poly_int(k->f, 1);
    if (relation != KERNEL_NOT)
        bound_quotient(k, &axis, &bound);
    extent = poly_add(extent, bound);
    if (relation == KERNEL_NOT && axis >= 0 && poly_equal(extent, k->axes[axis].extent))
        relation = KERNEL_BELOW; /* not the last one */
    for (int i = 0; i < k->nbounds; i++)
        if (k->bounds[i].axis == axis && k->bounds[i].relation == relation &&
            poly_equal(k->bounds[i].limit, bound)) {
            k->bounds[i].when |= when;
            return true;
        }
    if (k->nbounds == KERNEL_MAX_BOUNDS)
        return refuse_guard(k, "there are more than 16");
    k->bounds[k->nbounds++] = (kernel_bound){axis, relation, bound, condition, when};
    return true;
}

/* p = sign * coordinate + rest, where the coordinate is an axis or (-1) the flat index, of which
 * only the quotient by `divisor` may be known, if there is one. */
typedef struct side {
    int axis, sign;
    int64_t group; /* cells of a thread, if the thread's number is compared; else 1 */
    bool first;    /* the coordinate before a stride loop */
    poly divisor;
    poly rest;
    bool wide;     /* compared in more than 32 bits, in which sums and products may be far from 0 */
    unsigned when; /* in which iterations of a stride loop it is compared */
} side;

static bool is_unit(poly p, int *sign) {
    int64_t value;
    if (!poly_is_int(p, &value) || (value != 1 && value != -1))
        return false;
    *sign = (int)value;
    return true;
}

/* What an axis starts with, before any iteration of its stride loop. */
static poly first_value(const kernel_region *k, poly value) {
    poly first = value, coefficient, rest;
    for (int i = 0; i < k->values->nroots; i++)
        if (k->values->roots[i].role == KERNEL_ITERATION &&
            kernel_strides(k, k->values->roots[i].loop) &&
            poly_split(first, kernel_root_atom(&k->values->roots[i]), &coefficient, &rest))
            first = rest;
    return first;
}

/* Is p so often `value`, at all times or before its loop, and else the same for all threads? */
static bool is_multiple(const kernel_region *k, poly p, poly value, side *out) {
    poly values[2] = {value, first_value(k, value)};
    for (int i = 0; i < 2; i++)
        for (out->sign = -1; out->sign <= 1; out->sign += 2) {
            poly part = poly_scale(values[i], out->sign);
            out->first = i > 0;
            out->rest = poly_sub(p, part);
            if (poly_is_known(out->rest) && !kernel_varies(k->values, out->rest))
                return true;
        }
    return false;
}

static bool find_side(const kernel_region *k, poly p, side *out) {
    host_affine a;
    int axes = 0;
    out->first = false;
    out->divisor = NULL;
    if (!kernel_varies(k->values, p))
        return false;
    if (kernel_affine(k, p, &a)) {
        for (int i = 0; i < k->naxes; i++)
            if (!poly_is_zero(a.step[i])) {
                axes++;
                out->axis = i;
            }
        out->rest = a.base;
        if (axes == 1 && is_unit(a.step[out->axis], &out->sign))
            return true;
    }
    out->axis = -1;
    if (k->shape == KERNEL_FLAT && is_multiple(k, p, k->flat, out))
        return true;
    for (int i = 0; i < k->naxes; i++) {
        bool is_remainder = !poly_is_zero(k->axes[i].extent); /* of that value */
        if (!is_multiple(k, p, k->axes[i].value, out) || (is_remainder && k->axes[i].quotient < 0))
            continue;
        out->axis = is_remainder ? -1 : i;
        out->divisor = is_remainder ? k->values->roots[k->axes[i].quotient].divisor : NULL;
        return true;
    }
    return false;
}

/* Is the coordinate a sum of thread and block numbers, with nothing subtracted? */
static bool is_never_negative(const kernel_region *k, int axis) {
    poly value = axis < 0 || k->axes[axis].quotient >= 0 ? k->flat : k->axes[axis].value;
    for (int i = 0; i < poly_count(value); i++)
        if (poly_terms(value)[i].factor < 0)
            return false;
    return true;
}

bool kernel_is_near(const kernel_region *k, poly p) {
    int atoms = 0;
    for (int i = 0; i < poly_count(p); i++) {
        const poly_term *t = &poly_terms(p)[i];
        bool near = t->degree == 0 ? t->factor >= -(1 << 20) && t->factor <= 1 << 20
                                   : t->degree == 1 && t->factor == 1 &&
                                         kernel_is_value(k->values, t->atoms[0]) &&
                                         br_scev_bits(k->f, t->atoms[0]) <= 32;
        if (!near)
            return false;
        atoms += t->degree > 0;
    }
    return poly_is_known(p) && atoms < 2;
}

/* Requires that p is so near to 0 that a small number can be added to it. With a greater number the
 * difference would wrap and be negative. */
static bool bound_sum(kernel_region *k, poly p) {
    poly most = poly_int(k->f, INT64_C(1) << 62), room = poly_sub(most, p);
    return kernel_is_near(k, p) || kernel_need(k->values, room) ||
           refuse_guard(k, "its limit may wrap");
}

/* Requires that p is so near to 0 that it can be multiplied by a divisor, which has 31 bits. */
static bool bound_factor(kernel_region *k, poly p) {
    poly most = poly_int(k->f, INT64_C(1) << 31), below = poly_sub(most, p),
         above = poly_add(p, most);
    return kernel_is_near(k, p) ||
           (kernel_need(k->values, below) && kernel_need(k->values, above)) ||
           refuse_guard(k, "its limit may wrap");
}

/* i / n < m is i < n * m, and so with i / n >= m. */
static bool bound_side(kernel_region *k, const side *s, kernel_relation relation, poly limit,
                       LLVMValueRef condition) {
    if (!s->divisor)
        return kernel_add_bound(k, s->axis, relation, limit, condition, s->when);
    if (relation == KERNEL_NOT)
        return refuse_guard(k, "it leaves out rows");
    poly flat = poly_mul(limit, s->divisor);
    return (!s->wide || bound_factor(k, limit)) &&
           kernel_add_bound(k, s->axis, relation, flat, condition, s->when);
}

/* Does it bound a coordinate by the number after the limit? */
static bool counts_next(LLVMIntPredicate p) {
    return p != LLVMIntSLT && p != LLVMIntULT && p != LLVMIntSGE && p != LLVMIntUGE;
}

/* coordinate `predicate` limit, as signed numbers */
static bool bound_by(kernel_region *k, const side *s, LLVMIntPredicate predicate, poly limit,
                     LLVMValueRef condition) {
    poly next = poly_plus(k->f, limit, s->group);
    int64_t number;
    switch (predicate) {
    case LLVMIntSLT:
    case LLVMIntULT:
        return bound_side(k, s, KERNEL_BELOW, limit, condition);
    case LLVMIntSLE:
    case LLVMIntULE:
        return bound_side(k, s, KERNEL_BELOW, next, condition);
    case LLVMIntSGT:
    case LLVMIntUGT:
        return bound_side(k, s, KERNEL_AT_LEAST, next, condition);
    case LLVMIntSGE:
    case LLVMIntUGE:
        return bound_side(k, s, KERNEL_AT_LEAST, limit, condition);
    case LLVMIntEQ:
        return bound_side(k, s, KERNEL_AT_LEAST, limit, condition) &&
               bound_side(k, s, KERNEL_BELOW, next, condition);
    case LLVMIntNE:
        if (poly_is_int(limit, &number) && number == 0 && is_never_negative(k, s->axis))
            return bound_side(k, s, KERNEL_AT_LEAST, next, condition);
        if (s->group > 1)
            return refuse_guard(k, "it leaves out one thread's cells");
        return bound_side(k, s, KERNEL_NOT, limit, condition);
    default:
        return refuse_guard(k, "a comparison is not known");
    }
}

static LLVMIntPredicate inverse(LLVMIntPredicate p) {
    static const LLVMIntPredicate of[] = {LLVMIntNE,  LLVMIntEQ,  LLVMIntULE, LLVMIntULT,
                                          LLVMIntUGE, LLVMIntUGT, LLVMIntSLE, LLVMIntSLT,
                                          LLVMIntSGE, LLVMIntSGT};
    return of[p - LLVMIntEQ];
}

static LLVMIntPredicate swapped(LLVMIntPredicate p) {
    static const LLVMIntPredicate of[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntULT, LLVMIntULE,
                                          LLVMIntUGT, LLVMIntUGE, LLVMIntSLT, LLVMIntSLE,
                                          LLVMIntSGT, LLVMIntSGE};
    return of[p - LLVMIntEQ];
}

static bool is_unsigned(LLVMIntPredicate p) {
    return p >= LLVMIntUGT && p <= LLVMIntULE;
}

/* x - 1 < n - 2 of unsigned numbers says 1 <= x, too. */
static bool wraps_below(kernel_region *k, LLVMIntPredicate predicate, const side *left,
                        LLVMValueRef condition) {
    int64_t number;
    if (!is_unsigned(predicate) ||
        (poly_is_int(left->rest, &number) && number >= 0 && is_never_negative(k, left->axis)))
        return true;
    if (predicate == LLVMIntUGT || predicate == LLVMIntUGE || left->sign < 0)
        return refuse_guard(k, "an unsigned comparison may wrap");
    poly low = poly_scale(left->rest, -1);
    return bound_side(k, left, KERNEL_AT_LEAST, low, condition);
}

/* What was p in the iteration of the loop before this one? */
static poly iteration_before(const kernel_region *k, poly p, br_loop l) {
    poly by, rest;
    for (int i = 0; i < k->values->nroots; i++)
        if (k->values->roots[i].role == KERNEL_ITERATION && k->values->roots[i].loop == l &&
            poly_split(p, kernel_root_atom(&k->values->roots[i]), &by, &rest))
            return poly_sub(p, by);
    return p;
}

static bool operand(kernel_region *k, LLVMValueRef v, poly *out) {
    br_scev s = br_scev_of(k->f, v);
    st_refusal why = {.reason = ST_OK};
    kernel_query q = {k->values, &why};
    if (!kernel_note_narrow(&k->ask, s, true))
        return false;
    return kernel_number(&q, s, out) ||
           refuse_guard(k, why.reason == ST_NO_KERNEL_INDIRECT
                               ? "it depends on values read from memory"
                               : "it compares what is not linear in them");
}

/* The side that compares p[0] with p[1]. Where it compares a thread's number, both sides are
 * multiplied by the cells of a thread. */
static bool find_scaled(const kernel_region *k, poly p[2], side *out) {
    int64_t group = 1;
    bool found = find_side(k, p[0], out);
    for (int i = 0; i < k->naxes && !found; i++) {
        group = k->axes[i].scale;
        for (int n = 0; n < 2 && group > 1; n++)
            p[n] = poly_scale(p[n], group);
        found = find_side(k, p[0], out);
    }
    out->group = k->grouped ? group : 1;
    return found;
}

/* The condition, with `part` as its first operand. `latch_of`: it decides on this loop's next
 * iteration. */
static bool compare_part(kernel_region *k, LLVMValueRef condition, LLVMValueRef part, bool holds,
                         br_loop latch_of) {
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(condition);
    poly p[2];
    side left;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef v = i == 0 ? part : LLVMGetOperand(condition, i);
        if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind)
            return refuse_guard(k, "it compares something else than numbers");
        if (LLVMGetIntTypeWidth(LLVMTypeOf(v)) < 32 && LLVMIntSGT <= predicate)
            return refuse_guard(k, "it compares signed numbers of fewer than 32 bits");
        if (!operand(k, v, &p[i]))
            return false;
    }
    for (int i = 0; i < 2 && latch_of; i++)
        p[i] = iteration_before(k, p[i], latch_of);
    predicate = holds ? predicate : inverse(predicate);
    if (!kernel_varies(k->values, p[0])) {
        poly swap = p[0];
        p[0] = p[1];
        p[1] = swap;
        predicate = swapped(predicate);
    }
    if (kernel_varies(k->values, p[1])) { /* on both sides: only the difference is known */
        if (is_unsigned(predicate))
            return refuse_guard(k, "it compares coordinates with each other");
        p[0] = poly_sub(p[0], p[1]);
        p[1] = NULL;
    }
    if (is_unsigned(predicate) && !kernel_need(k->values, p[1]))
        return refuse_guard(k, "an unsigned comparison may wrap");
    poly compared = p[1];
    if (!find_scaled(k, p, &left))
        return refuse_guard(k, "it compares what is not one coordinate");
    left.wide = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(condition, 0))) > 32;
    left.when = latch_of ? KERNEL_LATER : left.first ? KERNEL_FIRST : KERNEL_ALWAYS;
    if (!wraps_below(k, predicate, &left, condition))
        return false;
    poly limit = poly_sub(p[1], left.rest);
    if (left.sign < 0) {
        limit = poly_scale(limit, -1);
        predicate = swapped(predicate);
    }
    if (left.group > 1)
        limit = poly_plus(k->f, limit, -k->cell);
    bool as_it_stands = poly_equal(limit, compared) && !counts_next(predicate);
    return (!left.wide || as_it_stands || (bound_sum(k, compared) && bound_sum(k, left.rest))) &&
           bound_by(k, &left, predicate, limit, condition);
}

bool kernel_guard_at_latch(kernel_region *k, LLVMValueRef condition, bool continues, br_loop l) {
    return compare_part(k, condition, LLVMGetOperand(condition, 0), continues, l);
}

/* Are all bits of a number tested together that are so of two, if of both: that those from number
 * n on are 0, or the sign? */
static bool tests_bits(LLVMIntPredicate p, LLVMValueRef limit) {
    if (!LLVMIsAConstantInt(limit) || LLVMGetIntTypeWidth(LLVMTypeOf(limit)) > 64)
        return false;
    uint64_t u = LLVMConstIntGetZExtValue(limit);
    int64_t s = LLVMConstIntGetSExtValue(limit);
    return (p == LLVMIntULT && u && !(u & (u - 1))) || (p == LLVMIntULE && !(u & (u + 1))) ||
           (p == LLVMIntSGT && s == -1) || (p == LLVMIntSGE && s == 0);
}

/* An `or` that is a sum is one number. */
static bool is_of_two(const kernel_region *k, LLVMValueRef v) {
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMOr &&
           br_scev_kind(br_scev_of(k->f, v)) == BR_UNKNOWN;
}

/* Is it a coordinate, or several together, of which none is below 0? */
static bool are_counted(const kernel_region *k, LLVMValueRef v, int depth) {
    poly p;
    side s;
    int64_t number;
    if (is_of_two(k, v))
        return depth > 0 && are_counted(k, LLVMGetOperand(v, 0), depth - 1) &&
               are_counted(k, LLVMGetOperand(v, 1), depth - 1);
    return kernel_number(&k->maybe, br_scev_of(k->f, v), &p) && find_side(k, p, &s) && s.sign > 0 &&
           !s.divisor && poly_is_int(s.rest, &number) && number >= 0 &&
           is_never_negative(k, s.axis);
}

static LLVMIntPredicate as_unsigned(LLVMIntPredicate p) {
    return p == LLVMIntSLT ? LLVMIntULT : p == LLVMIntSLE ? LLVMIntULE : p;
}

/* x | y < 8 says x < 8 and y < 8. */
static bool is_of_several(const kernel_region *k, LLVMValueRef condition, LLVMValueRef v,
                          bool holds, int depth) {
    LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
    p = holds ? p : inverse(p);
    if (!is_of_two(k, v))
        return false;
    if (are_counted(k, v, depth))
        p = as_unsigned(p);
    return tests_bits(p, LLVMGetOperand(condition, 1));
}

static bool compare_parts(kernel_region *k, LLVMValueRef condition, LLVMValueRef v, bool holds,
                          int depth) {
    if (!is_of_several(k, condition, v, holds, depth))
        return compare_part(k, condition, v, holds, NULL);
    if (depth == 0)
        return refuse_guard(k, "it is too large");
    return compare_parts(k, condition, LLVMGetOperand(v, 0), holds, depth - 1) &&
           compare_parts(k, condition, LLVMGetOperand(v, 1), holds, depth - 1);
}

static bool add_uniform(kernel_region *k, LLVMValueRef condition, bool holds) {
    if (k->nuniform == KERNEL_MAX_BOUNDS)
        return refuse_guard(k, "there are more than 16");
    k->uniform[k->nuniform++] = (host_guard){condition, holds};
    return true;
}

static bool is_constant_bool(LLVMValueRef v, bool value) {
    return LLVMIsAConstantInt(v) && (LLVMConstIntGetZExtValue(v) != 0) == value;
}

/* If v says `holds` where both a and b do, gives them. */
static bool is_both(LLVMValueRef v, bool holds, LLVMValueRef *a, LLVMValueRef *b) {
    *a = LLVMGetOperand(v, 0);
    *b = LLVMGetOperand(v, 1);
    if (LLVMIsASelectInst(v)) { /* a ? b : false, and a ? true : b */
        LLVMValueRef no = LLVMGetOperand(v, 2);
        bool is_and = is_constant_bool(no, false), is_or = is_constant_bool(*b, true);
        *b = is_or ? no : *b;
        return holds ? is_and : is_or;
    }
    return LLVMGetInstructionOpcode(v) == (holds ? LLVMAnd : LLVMOr);
}

static bool require(kernel_region *k, LLVMValueRef v, bool holds, int depth) {
    LLVMValueRef a, b;
    if (tg_is_uniform_number(v))
        return add_uniform(k, v, holds);
    if (depth == 0)
        return refuse_guard(k, "it is too large");
    if (LLVMIsAICmpInst(v))
        return compare_parts(k, v, LLVMGetOperand(v, 0), holds, depth);
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMFreeze:
        return require(k, LLVMGetOperand(v, 0), holds, depth - 1);
    case LLVMXor:
        if (is_constant_bool(LLVMGetOperand(v, 1), true))
            return require(k, LLVMGetOperand(v, 0), !holds, depth - 1);
        break;
    case LLVMAnd:
    case LLVMOr:
    case LLVMSelect:
        if (is_both(v, holds, &a, &b))
            return require(k, a, holds, depth - 1) && require(k, b, holds, depth - 1);
        return refuse_guard(k, "one of several conditions is enough");
    default:
        break;
    }
    return refuse_guard(k, LLVMIsALoadInst(v) || LLVMIsAFCmpInst(v)
                               ? "it depends on values read from memory"
                               : "it is no comparison");
}

bool kernel_guard_by(kernel_region *k, LLVMValueRef condition, bool holds) {
    return require(k, condition, holds, 32);
}
