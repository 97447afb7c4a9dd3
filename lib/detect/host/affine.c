/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Evaluates addresses: from ScalarEvolution to polynomials.
 *
 * An address is expanded to base + sum of step * iteration, once for each time step of a period.
 * Values and expressions that change with the time step are replaced by what they are in that step;
 * resolvers know these.
 */
#include "detect/common/affine.h"
#include "detect/common/limits.h"
#include "detect/host/address.h"
#include "detect/host/choices.h"
#include "detect/host/region.h"
#include "detect/host/resolver.h"
#include "detect/host/scene.h"

#include <stdlib.h>

enum { MAX_EVALUATED = ST_LIMIT(4096, 64) }; /* expressions that are looked at for one */

static int loop_index(const host_region *r, br_loop l) {
    for (int i = 0; i < r->nloops; i++)
        if (r->loops[i] == l)
            return i;
    return -1;
}

/* ScalarEvolution to polynomials */

void host_set_int(const host_region *r, host_affine *a, int64_t value) {
    a->base = poly_int(r->f, value);
    for (int i = 0; i < HOST_MAX_LOOPS; i++)
        a->step[i] = NULL;
}

static bool has_steps(const host_affine *a) {
    for (int i = 0; i < HOST_MAX_LOOPS; i++)
        if (!poly_is_zero(a->step[i]))
            return true;
    return false;
}

static bool add_parts(const host_query *q, br_scev s, host_affine *out) {
    host_region *r = q->r;
    host_affine part;
    host_set_int(r, out, 0);
    for (size_t i = 0; i < br_scev_count(s); i++) {
        if (!host_evaluate(q, br_scev_operand(s, i), &part))
            return false;
        out->base = poly_add(out->base, part.base);
        for (int l = 0; l < HOST_MAX_LOOPS; l++)
            out->step[l] = poly_add(out->step[l], part.step[l]);
    }
    return true;
}

bool host_multiply(const host_query *q, const host_affine *by, host_affine *out) {
    if (has_steps(out) && has_steps(by))
        return host_not_affine(q, "a product of loop variables");
    for (int l = 0; l < HOST_MAX_LOOPS; l++) {
        poly a = poly_mul(out->step[l], by->base), b = poly_mul(out->base, by->step[l]);
        out->step[l] = poly_add(a, b);
    }
    out->base = poly_mul(out->base, by->base);
    return true;
}

static bool multiply_parts(const host_query *q, br_scev s, host_affine *out) {
    host_affine part;
    host_set_int(q->r, out, 1);
    for (size_t i = 0; i < br_scev_count(s); i++)
        if (!host_evaluate(q, br_scev_operand(s, i), &part) || !host_multiply(q, &part, out))
            return false;
    return true;
}

/* Adds the increments that the loop makes until the first iteration that writes a cell, or until
 * the iteration of the scene. */
static void add_iterations(const host_query *q, int l, poly increment, host_affine *out) {
    host_region *r = q->r;
    const host_scene *scene = q->scene;
    bool in_nest = l < r->axes;
    poly count = poly_int(r->f, in_nest ? r->left_out[l][0] : 0);
    if (in_nest && scene && scene->place[l] == HOST_END) {
        poly less = poly_int(r->f, 1 + scene->from[l]);
        less = poly_sub(r->extent[l], less);
        count = poly_add(count, less);
    } else if (in_nest && scene && scene->place[l] == HOST_START) {
        poly more = poly_int(r->f, scene->from[l]);
        count = poly_add(count, more);
    } else {
        out->step[l] = poly_add(out->step[l], increment);
    }
    count = poly_mul(count, increment);
    out->base = poly_add(out->base, count);
}

/* The number of an iteration of a loop around the region, by a counter that the loop has. NULL: it
 * has none. */
static poly iteration_around(const host_query *q, br_loop l) {
    host_region *r = q->r;
    host_affine start;
    int64_t step;
    LLVMValueRef v = LLVMGetFirstInstruction(br_loop_header(l));
    for (; v && LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
        br_scev s = LLVMTypeOf(v) == LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(v)))
                        ? br_scev_of(r->f, v)
                        : NULL;
        if (s && br_scev_kind(s) == BR_ADDREC && br_scev_loop(s) == l && br_scev_count(s) == 2 &&
            br_scev_int(br_scev_operand(s, 1), &step) && step == 1)
            return host_evaluate(q, br_scev_operand(s, 0), &start) && !has_steps(&start)
                       ? poly_sub(poly_atom(r->f, s), start.base)
                       : NULL;
    }
    return NULL;
}

/* The region is run by a loop around it, whose counter is a number then. */
static bool add_around(const host_query *q, br_loop l, poly increment, host_affine *out) {
    poly number = iteration_around(q, l);
    if (!number)
        return host_not_affine(q, "it changes unevenly");
    number = poly_mul(number, increment);
    out->base = poly_add(out->base, number);
    return true;
}

static bool recurrence(const host_query *q, br_scev s, host_affine *out) {
    host_region *r = q->r;
    host_affine increment;
    int l = loop_index(r, br_scev_loop(s));
    bool around = l < 0 && br_loop_contains(br_scev_loop(s), br_loop_header(r->outer));
    if ((l < 0 && !around) || br_scev_count(s) != 2)
        return host_not_affine(q, "it changes unevenly");
    if (!host_evaluate(q, br_scev_operand(s, 0), out) ||
        !host_evaluate(q, br_scev_operand(s, 1), &increment))
        return false;
    if (has_steps(&increment))
        return host_not_affine(q, "its step depends on a loop variable");
    if (around)
        return add_around(q, br_scev_loop(s), increment.base, out);
    add_iterations(q, l, increment.base, out);
    return true;
}

static host_answer resolve(const host_query *q, LLVMValueRef v, host_affine *out) {
    host_region *r = q->r;
    host_answer answer = HOST_UNKNOWN;
    for (int i = 0; answer == HOST_UNKNOWN && r->resolvers[i]; i++)
        answer = r->resolvers[i](r, q, v, out);
    return answer;
}

static bool halve(poly *p, unsigned times) {
    return poly_exact(*p, INT64_C(1) << times, p);
}

/* An index of 32 bits times the size of an element is one of 33 to 40 bits. Its extension is exact
 * if that of the index is. */
static bool halve_all(host_affine *a, unsigned times) {
    bool even = halve(&a->base, times);
    for (int i = 0; i < HOST_MAX_LOOPS && even; i++)
        even = halve(&a->step[i], times);
    return even;
}

/* Is it x >> n, as LLVM writes an index of 32 bits times the size of an element: x is 2^32 times
 * the index, and often no shift, but a product? *shift becomes n. */
static bool is_shifted_index(LLVMValueRef v, unsigned *shift) {
    if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) != LLVMAShr ||
        LLVMGetIntTypeWidth(LLVMTypeOf(v)) != 64 || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
        return false;
    uint64_t by = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
    *shift = (unsigned)by;
    return by >= 24 && by <= 32;
}

/* x is exact if the index is one of 32 bits. */
static bool shifted_index(const host_query *q, LLVMValueRef v, unsigned shift, host_affine *out) {
    host_region *r = q->r;
    host_affine size, index;
    host_query inside = *q;
    inside.narrow = 0;
    if (!host_evaluate(&inside, br_scev_of(r->f, LLVMGetOperand(v, 0)), out))
        return false;
    if (!halve_all(out, 32))
        return host_not_affine(q, "it is not a sum of multiples of them");
    index = *out;
    host_set_int(r, &size, INT64_C(1) << (32 - shift));
    return (q->scene ? q->scene->decide->extension(q, 32, true, &index)
                     : host_add_range(q, &index, 32, true)) &&
           host_multiply(q, &size, out);
}

/* A value that changes in the region: chosen by a condition that is assumed; what a resolver knows;
 * or what is chosen in the scene. */
static bool changing_value(const host_query *q, LLVMValueRef v, host_affine *out) {
    host_region *r = q->r;
    host_choice choice;
    bool first;
    if (r->match.nassumed > 0 && host_is_choice(r, v, &choice) &&
        host_assumed(r, choice.condition, &first))
        return host_evaluate(q, br_scev_of(r->f, first ? choice.yes : choice.no), out);
    unsigned shift;
    if (is_shifted_index(v, &shift))
        return shifted_index(q, v, shift, out);
    host_answer answer = resolve(q, v, out);
    if (answer != HOST_UNKNOWN)
        return answer == HOST_KNOWN;
    return q->scene ? q->scene->decide->value(q, v, out) : host_not_affine_by(q, v);
}

static void set_atom(const host_query *q, br_scev s, host_affine *out) {
    host_region *r = q->r;
    bool extend = q->narrow && !br_scev_is_pointer(s);
    host_set_int(r, out, 0);
    out->base = poly_atom(r->f, extend ? br_scev_sext_low(r->f, s, q->narrow) : s);
}

/* Is the expression a condition that is assumed, or the complement of one? */
static bool assumed_bit(const host_region *r, br_scev s, bool *bit) {
    LLVMValueRef condition;
    bool inverse;
    if (!host_bit_of(s, &condition, &inverse) || !host_assumed(r, condition, bit))
        return false;
    *bit ^= inverse;
    return true;
}

/* A condition as a number. */
static bool extended_bit(const host_query *q, br_scev inner, bool is_signed, host_affine *out) {
    host_region *r = q->r;
    int64_t number;
    bool bit;
    if (assumed_bit(r, inner, &bit))
        number = bit;
    else if (q->scene && q->scene->decide->bit(q, inner, &bit))
        number = bit;
    else if (!host_evaluate(q, inner, out) || has_steps(out) || !poly_is_int(out->base, &number))
        return host_not_affine(q,
                               "it uses a condition; read the elements of both cases, and choose "
                               "between their values");
    host_set_int(r, out, is_signed ? -(number & 1) : number & 1);
    return true;
}

/* The polynomial with its constant as a signed number of so many bits: LLVM writes 4294967294 for
 * -2 where only 32 bits count. */
static poly wrap_constant(const host_region *r, poly p, unsigned bits) {
    int64_t constant = poly_constant(p);
    int64_t wrapped = (int64_t)((uint64_t)constant << (64 - bits)) >> (64 - bits);
    return wrapped == constant ? p : poly_plus(r->f, p, wrapped - constant);
}

/* sext or zext of an expression, which distributes over it if nothing wraps. Any representatives
 * of the leaves modulo 2^bits do, as long as the result is in range: sign-extended ones, so that
 * equal leaves stay equal. */
static bool distribute(const host_query *q, br_scev s, host_affine *out) {
    host_region *r = q->r;
    br_scev inner = br_scev_operand(s, 0);
    unsigned bits = br_scev_bits(r->f, inner);
    bool is_signed = br_scev_kind(s) == BR_SEXT;
    host_query inside = *q;
    bool varies = !br_scev_invariant(r->f, s, r->outer);
    if (bits == 1 && varies)
        return extended_bit(q, inner, is_signed, out);
    /* Too few bits for an index: rather a remainder, and what is not to exceed them would. */
    if (varies && !q->scene && bits < 32 && bits != 8 && bits != 16)
        return host_not_affine(q, "it is not a sum of multiples of them");
    if (bits == 1 || (br_scev_kind(inner) >= BR_UDIV && !(varies && q->scene))) {
        if (varies)
            return host_not_affine(q, "it is not a sum of multiples of them");
        set_atom(q, s, out);
        return true;
    }
    inside.narrow = bits;
    bool good = host_evaluate(&inside, inner, out);
    if (good && is_signed && br_scev_kind(inner) == BR_UNKNOWN &&
        br_scev_invariant(r->f, inner, r->outer))
        return true; /* sign-extended by itself */
    if (good && poly_is_known(out->base) && bits < 64)
        out->base = wrap_constant(r, out->base, bits);
    host_affine index = *out;
    bool scaled = good && bits > 32 && bits <= 40 && halve_all(&index, bits - 32);
    if (!scaled)
        index = *out;
    if (good && q->scene && varies) {
        good = q->scene->decide->extension(q, scaled ? 32 : bits, is_signed, &index);
        *out = scaled ? *out : index;
        return good;
    }
    return good && host_add_range(q, &index, scaled ? 32 : bits, is_signed);
}

/* A number of elements, which LLVM computes of one of bytes with fewer bits, is a value of its own
 * if it does not distribute. */
static bool extension(const host_query *q, br_scev s, host_affine *out) {
    br_scev inner = br_scev_operand(s, 0);
    host_query only_try = *q;
    only_try.why = NULL;
    if (br_scev_kind(inner) != BR_TRUNC || br_scev_bits(q->r->f, inner) <= 40 ||
        !br_scev_invariant(q->r->f, s, q->r->outer))
        return distribute(q, s, out);
    if (!distribute(&only_try, s, out))
        set_atom(q, s, out);
    return true;
}

/* The question what an address is in this step; a refusal goes to the region. */
static host_query ask(host_region *r, int step) {
    return (host_query){.r = r, .step = step, .why = &r->why};
}

bool host_require_range(host_region *r, br_scev s, bool is_signed) {
    host_query q = ask(r, 0);
    host_affine index;
    q.narrow = br_scev_bits(r->f, s);
    return host_evaluate(&q, s, &index) && host_add_range(&q, &index, q.narrow, is_signed);
}

/* A quotient of two numbers that are known in each step and are not negative. */
static bool quotient(const host_query *q, br_scev s, host_affine *out) {
    host_region *r = q->r;
    host_affine by;
    int64_t a, b;
    if (!host_evaluate(q, br_scev_operand(s, 0), out) ||
        !host_evaluate(q, br_scev_operand(s, 1), &by))
        return false;
    if (q->scene && q->scene->decide->quotient(q, out, &by, out))
        return true;
    if (has_steps(out) || has_steps(&by) || !poly_is_int(out->base, &a) ||
        !poly_is_int(by.base, &b) || a < 0 || b <= 0 || a > INT32_MAX)
        return host_not_affine(q, "it is not a sum of multiples of them");
    host_set_int(r, out, a / b);
    return true;
}

static bool extreme(const host_query *q, br_scev s, host_affine *out) {
    host_affine other;
    if (!host_evaluate(q, br_scev_operand(s, 0), out))
        return false;
    for (size_t i = 1; i < br_scev_count(s); i++)
        if (!host_evaluate(q, br_scev_operand(s, i), &other) ||
            !q->scene->decide->extreme(q, br_scev_kind(s), &other, out))
            return false;
    return true;
}

static bool recurs(br_scev s) {
    bool any = br_scev_kind(s) == BR_ADDREC;
    for (size_t i = 0; i < br_scev_count(s) && !any; i++)
        any = recurs(br_scev_operand(s, i));
    return any;
}

/* Is x the sign extension y, for all that the program may rely on? */
static bool extends_alike(br_function *f, LLVMValueRef x, LLVMValueRef y) {
    return LLVMIsAZExtInst(x) && LLVMIsASExtInst(y) && LLVMGetNNeg(x) &&
           br_scev_of(f, LLVMGetOperand(x, 0)) == br_scev_of(f, LLVMGetOperand(y, 0));
}

/* LLVM computes a row's length on each way to the loops where it has taken the ways apart:
 * phi(sext(n + 2), zext nneg(n + 2)). The expression that all ways give; NULL if they differ. */
static br_scev joined(br_function *f, br_scev value) {
    LLVMValueRef phi = br_scev_kind(value) == BR_UNKNOWN ? br_scev_value(value) : NULL;
    LLVMValueRef one = phi && LLVMIsAPHINode(phi) ? LLVMGetIncomingValue(phi, 0) : NULL;
    unsigned ways = one ? LLVMCountIncoming(phi) : 0;
    for (unsigned i = 1; i < ways; i++)
        if (LLVMIsASExtInst(LLVMGetIncomingValue(phi, i)))
            one = LLVMGetIncomingValue(phi, i);
    br_scev s = ways > 1 ? br_scev_of(f, one) : NULL;
    for (unsigned i = 0; i < ways && s; i++) {
        LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        if (br_scev_of(f, v) != s && !extends_alike(f, v, one))
            s = NULL;
    }
    return s && !recurs(s) ? s : NULL;
}

/* A product of narrow numbers that was frozen, as a number of cells is in a condition in front of
 * loops: what its extension requires of its range makes it exact. */
static br_scev frozen_product(const host_query *q, br_scev value) {
    LLVMValueRef v = LLVMIsAFreezeInst(br_scev_value(value));
    LLVMValueRef product = v && q->narrow > 0 ? LLVMIsAInstruction(LLVMGetOperand(v, 0)) : NULL;
    bool is = product && LLVMGetInstructionOpcode(product) == LLVMMul;
    return is ? br_scev_of(q->r->f, product) : NULL;
}

static bool expand_affine(const host_query *q, br_scev s, host_affine *out) {
    host_region *r = q->r;
    int64_t constant;
    br_scev one; /* of all ways to a value */
    host_answer answer = HOST_UNKNOWN;
    for (int i = 0; answer == HOST_UNKNOWN && r->expressions[i]; i++)
        answer = r->expressions[i](q, s, out);
    if (answer != HOST_UNKNOWN)
        return answer == HOST_KNOWN;
    switch (br_scev_kind(s)) {
    case BR_CONSTANT:
        if (!br_scev_int(s, &constant))
            return host_not_affine(q, "a constant has more than 64 bits");
        host_set_int(r, out, constant);
        return true;
    case BR_ADD:
        return add_parts(q, s, out);
    case BR_MUL:
        return multiply_parts(q, s, out);
    case BR_ADDREC:
        return recurrence(q, s, out);
    case BR_UNKNOWN:
        if (!br_scev_invariant(r->f, s, r->outer))
            return changing_value(q, br_scev_value(s), out);
        one = joined(r->f, s);
        one = one ? one : frozen_product(q, s);
        if (one)
            return host_evaluate(q, one, out);
        break;
    case BR_PTRTOINT:
        return host_evaluate(q, br_scev_operand(s, 0), out);
    case BR_ZEXT:
    case BR_SEXT:
        return extension(q, s, out);
    case BR_TRUNC: /* modulo 2^bits */
        if (!br_scev_invariant(r->f, s, r->outer) || joined(r->f, br_scev_operand(s, 0)))
            return host_evaluate(q, br_scev_operand(s, 0), out);
        break;
    case BR_UDIV:
        if (!br_scev_invariant(r->f, s, r->outer))
            return quotient(q, s, out);
        break;
    case BR_SMAX:
    case BR_SMIN:
    case BR_UMAX:
    case BR_UMIN:
        if (q->scene && !br_scev_invariant(r->f, s, r->outer))
            return extreme(q, s, out);
        break;
    default:
        break;
    }
    if (!br_scev_invariant(r->f, s, r->outer))
        return host_not_affine(q, "it is not a sum of multiples of them");
    set_atom(q, s, out);
    return true;
}

static bool evaluate(const host_query *q, br_scev s, host_affine *out) {
    if (!expand_affine(q, s, out))
        return false;
    bool overflow = !poly_is_known(out->base);
    for (int i = 0; i < HOST_MAX_LOOPS; i++)
        overflow |= !poly_is_known(out->step[i]);
    return !overflow || host_not_affine(q, "it has too many terms");
}

/* A value behind many choices, one in another, would be looked at on each of their ways. */
bool host_evaluate(const host_query *q, br_scev s, host_affine *out) {
    host_region *r = q->r;
    r->evaluated = r->evaluating++ ? r->evaluated + 1 : 0;
    bool good = r->evaluated <= MAX_EVALUATED ? evaluate(q, s, out)
                                              : host_not_affine(q, "it has too many terms");
    r->evaluating--;
    return good;
}

bool host_affine_of(host_region *r, br_scev s, int step, host_affine *out) {
    host_query q = ask(r, step);
    return host_evaluate(&q, s, out);
}

/* w[t]: one cell a step, of several sweeps. */
static bool is_series(const host_region *r, const host_affine *a) {
    int64_t step;
    bool one_cell = r->steps && poly_is_int(a->step[r->nloops - 1], &step);
    for (int i = 0; i < r->axes; i++)
        one_cell = one_cell && poly_is_zero(a->step[i]);
    return one_cell;
}

static bool find_address(host_region *r, LLVMValueRef pointer, int shift, bool moves,
                         host_affine at[]) {
    for (int s = 0; s < r->period; s++) {
        if (!(r->form ? r->form->affine(r->form->context, pointer, &at[s], &r->why)
                      : host_affine_of(r, br_scev_of(r->f, pointer), s, &at[s])))
            return false;
        for (int i = 0; i < r->axes && !r->form; i++)
            if (!poly_equal(at[s].step[i], at[0].step[i]))
                return host_refuse(r, ST_NO_NOT_AFFINE, "its rows change from step to step");
        poly moved = poly_scale(at[s].step[0], r->axes > 0 ? shift : 0);
        at[s].base = poly_add(at[s].base, moved);
        if (r->time && !moves && !poly_is_zero(at[s].step[r->nloops - 1]) && !is_series(r, &at[s]))
            return host_refuse(r, ST_NO_NOT_AFFINE, "it depends on the time step");
    }
    return true;
}

bool host_address(host_region *r, LLVMValueRef pointer, int shift, host_affine at[]) {
    return find_address(r, pointer, shift, false, at);
}

bool host_store_address(host_region *r, LLVMValueRef pointer, host_affine at[]) {
    return find_address(r, pointer, 0, r->steps != NULL, at);
}
