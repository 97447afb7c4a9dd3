/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The branch in front of a region's loops:
 *
 *   preheader:  guards hold, and stencilopt.ready(extents, steps)?  no -> loops
 *   enter:      fill struct stencilrt_call; stencilopt.enter(region, call)?  no -> loops
 *               yes -> the loops' exit, with the values the loops would have left
 *
 * The loops are marked, so that a second run of the pass leaves them alone.
 */
#include "offload.h"

#include "emit.h"
#include "ends.h"
#include "enter.h"
#include "tail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char mark[] = "stencilopt.done";

/* Values */

static LLVMValueRef expand(const rewriter *w, br_scev s) {
    br_function *f = w->r->f;
    unsigned bits = br_scev_bits(f, s);
    if (br_scev_is_pointer(s)) {
        LLVMValueRef p = br_scev_expand(f, s, pointer(w), w->before);
        return LLVMBuildPtrToInt(w->b, p, i64(w), "");
    }
    LLVMValueRef v = br_scev_expand(f, s, LLVMIntTypeInContext(w->c, bits), w->before);
    return bits < 64 ? LLVMBuildZExt(w->b, v, i64(w), "") : v;
}

static LLVMValueRef emit_term(const rewriter *w, const poly_term *t, int skip) {
    LLVMValueRef product = number(w, t->factor);
    for (int i = 0; i < t->degree; i++)
        if (i != skip)
            product = LLVMBuildMul(w->b, product, expand(w, t->atoms[i]), "");
    return product;
}

LLVMValueRef emit_poly(const rewriter *w, const poly *p) {
    LLVMValueRef sum = number(w, 0);
    for (int i = 0; i < p->count; i++)
        sum = LLVMBuildAdd(w->b, sum, emit_term(w, &p->terms[i], -1), "");
    return sum;
}

LLVMValueRef emit_address(const rewriter *w, const poly *p) {
    LLVMValueRef base = NULL, bytes = number(w, 0);
    for (int i = 0; i < p->count; i++) {
        const poly_term *t = &p->terms[i];
        bool is_base = !base && t->degree == 1 && t->factor == 1 && br_scev_is_pointer(t->atoms[0]);
        if (is_base)
            base = br_scev_expand(w->r->f, t->atoms[0], pointer(w), w->before);
        else
            bytes = LLVMBuildAdd(w->b, bytes, emit_term(w, t, -1), "");
    }
    if (!base)
        return LLVMBuildIntToPtr(w->b, bytes, pointer(w), "");
    return LLVMBuildGEP2(w->b, LLVMInt8TypeInContext(w->c), base, &bytes, 1, "");
}

/* The bits of a scalar, in the low bytes of an i64. */
static LLVMValueRef emit_scalar(const rewriter *w, const host_scalar *h) {
    if (!h->value)
        return emit_poly(w, &h->start);
    LLVMTypeRef t = LLVMTypeOf(h->value);
    LLVMValueRef bits = h->value;
    if (LLVMGetTypeKind(t) == LLVMFloatTypeKind)
        bits = LLVMBuildBitCast(w->b, bits, LLVMInt32TypeInContext(w->c), "");
    if (LLVMGetTypeKind(t) == LLVMDoubleTypeKind)
        bits = LLVMBuildBitCast(w->b, bits, i64(w), "");
    return LLVMTypeOf(bits) == i64(w) ? bits : LLVMBuildZExt(w->b, bits, i64(w), "");
}

static LLVMValueRef iterations_of(const rewriter *w, br_loop l, br_scev backedges) {
    LLVMValueRef count = expand(w, backedges);
    return host_tests_first(l) ? count : LLVMBuildAdd(w->b, count, number(w, 1), "");
}

static LLVMValueRef iterations(const rewriter *w, int loop) {
    return iterations_of(w, w->r->loops[loop], w->r->count[loop]);
}

LLVMValueRef emit_steps(const rewriter *w) {
    return iterations(w, w->r->nloops - 1);
}

static void emit_sizes(rewriter *w) {
    for (size_t k = 0; k < w->count; k++) {
        host_region *r = w->r = w->sweeps[k];
        for (int d = 0; d < 3; d++)
            w->extent[k][d] = number(w, 1);
        for (int i = 0; i < r->axes; i++)
            w->extent[k][r->dim_of_loop[i]] = LLVMBuildSub(
                w->b, iterations(w, i), number(w, r->left_out[i][0] + r->left_out[i][1]), "");
        for (int d = 0; d < 3; d++)
            if (r->implied >> d & 1)
                w->extent[k][d] = emit_poly(w, &r->implied_extent[d]);
    }
    host_region *r = w->r = w->sweeps[0];
    bool stops = r->steps && r->steps->stops;
    w->steps = stops ? number(w, TAIL_EXPECTED_STEPS) : r->time ? emit_steps(w) : number(w, 1);
    if (r->sweeps > 1)
        w->steps = LLVMBuildMul(w->b, w->steps, number(w, r->sweeps), "");
}

static bool expandable_poly(const rewriter *w, const poly *p) {
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < p->terms[i].degree; k++)
            if (!br_scev_expandable(w->r->f, p->terms[i].atoms[k], w->before))
                return false;
    return true;
}

static bool counts_expandable(const rewriter *w) {
    for (int i = 0; i < w->r->nloops; i++)
        if (w->r->count[i] && !br_scev_expandable(w->r->f, w->r->count[i], w->before))
            return false;
    return true;
}

static bool guards_expandable(const rewriter *w) {
    const host_region *r = w->r;
    for (int i = 0; i < r->nguards; i++) {
        LLVMValueRef c = r->guards[i].condition;
        if (host_in_loop(r->outer, c) && !br_scev_expandable(r->f, br_scev_of(r->f, c), w->before))
            return false;
    }
    return true;
}

static bool copy_expandable(const rewriter *w) {
    const host_copy *c = &w->r->copy;
    bool good =
        expandable_poly(w, &c->to) && expandable_poly(w, &c->from) && expandable_poly(w, &c->bytes);
    for (int i = 0; i < c->nloops && good; i++)
        good =
            expandable_poly(w, &c->step[i]) && br_scev_expandable(w->r->f, c->count[i], w->before);
    return good;
}

static bool all_expandable(const rewriter *w) {
    const host_region *r = w->r;
    const st_stencil *s = r->stencil;
    for (size_t g = 0; g < s->ngrids; g++) {
        for (uint32_t k = 0; k < s->grids[g].buffers; k++)
            if (!expandable_poly(w, &r->grids[g].origin[k]))
                return false;
        for (int d = 0; d < s->rank; d++)
            if (!expandable_poly(w, &r->grids[g].stride[d]))
                return false;
    }
    for (int d = 0; d < s->rank; d++)
        if ((r->implied >> d & 1) && !expandable_poly(w, &r->implied_extent[d]))
            return false;
    for (int i = 0; i < r->nloads; i++)
        if (!expandable_poly(w, &r->loads[i].address))
            return false;
    for (int i = 0; i < r->nranges; i++) {
        if (!expandable_poly(w, &r->ranges[i].index.base))
            return false;
        for (int l = 0; l < r->nloops; l++)
            if (!expandable_poly(w, &r->ranges[i].index.step[l]))
                return false;
    }
    if (r->copies_back && !copy_expandable(w))
        return false;
    for (size_t i = 0; i < s->nscalars; i++)
        if (!r->scalars[i].value &&
            (!expandable_poly(w, &r->scalars[i].start) || !expandable_poly(w, &r->scalars[i].step)))
            return false;
    return true;
}

LLVMValueRef emit_array(const rewriter *w, LLVMTypeRef element, size_t count) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(w->r->function);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(w->c);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
    LLVMValueRef a = LLVMBuildAlloca(b, LLVMArrayType2(element, count ? count : 1), "");
    LLVMDisposeBuilder(b);
    return a;
}

static void put(const rewriter *w, LLVMValueRef array, size_t i, LLVMValueRef v) {
    LLVMValueRef at = number(w, (int64_t)(8 * i));
    LLVMValueRef p = LLVMBuildGEP2(w->b, LLVMInt8TypeInContext(w->c), array, &at, 1, "");
    LLVMBuildStore(w->b, v, p);
}

enum { COPY_FIELDS = 9 }; /* of struct stencilrt_copy, arrays being several */

/* Values computed in the preheader, in the order in which the enter block stores them. */
typedef struct call_values {
    LLVMValueRef *origins, *strides, *scalars;
    size_t norigins, nstrides, nscalars;
    LLVMValueRef copy[COPY_FIELDS];
} call_values;

static void compute_copy(const rewriter *w, LLVMValueRef fields[COPY_FIELDS]) {
    const host_copy *c = &w->r->copy;
    fields[0] = emit_address(w, &c->to);
    fields[1] = emit_address(w, &c->from);
    fields[2] = emit_poly(w, &c->bytes);
    for (int i = 0; i < ST_MAX_RANK; i++) {
        bool there = i < c->nloops;
        fields[3 + i] = there ? iterations_of(w, c->loops[i], c->count[i]) : number(w, 1);
        fields[6 + i] = there ? emit_poly(w, &c->step[i]) : number(w, 0);
    }
}

static call_values compute_call(const rewriter *w) {
    const host_region *r = w->r;
    const st_stencil *s = r->stencil;
    call_values v = {calloc(s->ngrids * ST_MAX_BUFFERS, sizeof(LLVMValueRef)),
                     calloc(s->ngrids * 3, sizeof(LLVMValueRef)),
                     calloc(s->nscalars * 2 + 1, sizeof(LLVMValueRef)),
                     0,
                     0,
                     0,
                     {NULL}};
    for (size_t g = 0; g < s->ngrids; g++) {
        for (uint32_t k = 0; k < s->grids[g].buffers; k++)
            v.origins[v.norigins++] = emit_address(w, &r->grids[g].origin[k]);
        for (int d = 0; d < 3; d++)
            v.strides[v.nstrides++] = emit_poly(w, &r->grids[g].stride[d]);
    }
    for (size_t i = 0; i < s->nscalars; i++) {
        v.scalars[v.nscalars++] =
            s->scalars[i].followed ? tail_followed_at(w, r, i) : emit_scalar(w, &r->scalars[i]);
        if (s->scalars[i].stepped)
            v.scalars[v.nscalars++] = emit_poly(w, &r->scalars[i].step);
    }
    if (r->copies_back)
        compute_copy(w, v.copy);
    return v;
}

/* Of all sweeps. */
static call_values *compute_calls(rewriter *w) {
    call_values *all = calloc(w->count, sizeof *all);
    for (size_t k = 0; k < w->count; k++) {
        w->r = w->sweeps[k];
        all[k] = compute_call(w);
    }
    w->r = w->sweeps[0];
    return all;
}

LLVMValueRef emit_filled(const rewriter *w, LLVMTypeRef type, LLVMValueRef *values, size_t count) {
    LLVMValueRef array = emit_array(w, type, count);
    for (size_t i = 0; i < count; i++)
        put(w, array, i, values[i]);
    return array;
}

enum { CALL_WORDS = 11 }; /* of struct stencilrt_call */

static void call_fields(const rewriter *w, size_t sweep, call_values *v,
                        LLVMValueRef fields[CALL_WORDS]) {
    fields[0] = w->steps;
    for (int d = 0; d < 3; d++)
        fields[1 + d] = w->extent[sweep][d];
    fields[4] = emit_filled(w, pointer(w), v->origins, v->norigins);
    fields[5] = emit_filled(w, i64(w), v->strides, v->nstrides);
    fields[6] = emit_filled(w, i64(w), v->scalars, v->nscalars);
    fields[7] = number(w, 0);
    fields[8] = w->sweeps[sweep]->copies_back ? emit_filled(w, i64(w), v->copy, COPY_FIELDS)
                                              : LLVMConstPointerNull(pointer(w));
    fields[9] = fields[10] = LLVMConstPointerNull(pointer(w));
    free(v->origins);
    free(v->strides);
    free(v->scalars);
}

/* The largest: the first of those that have as many dimensions as the region. */
static size_t main_sweep(const rewriter *w) {
    size_t k = 0;
    while (w->sweeps[k]->stencil->flat)
        k++;
    return k;
}

/* struct stencilrt_call; of several sweeps, with theirs. `check`: stencilrt_check, or NULL. */
static LLVMValueRef store_call(rewriter *w, call_values *values, LLVMValueRef check) {
    LLVMValueRef fields[HOST_MAX_SWEEPS * CALL_WORDS], whole[CALL_WORDS];
    LLVMValueRef tables = emit_tables_stored(w);
    for (size_t k = 0; k < w->count; k++)
        call_fields(w, k, &values[k], fields + k * CALL_WORDS);
    free(values);
    if (w->sweeps[0]->steps == NULL) {
        fields[10] = tables;
        return emit_filled(w, i64(w), fields, CALL_WORDS);
    }
    memcpy(whole, fields + main_sweep(w) * CALL_WORDS, sizeof whole);
    whole[10] = tables;
    if (check)
        whole[9] = check;
    whole[7] = emit_filled(w, i64(w), fields, w->count * CALL_WORDS);
    return emit_filled(w, i64(w), whole, CALL_WORDS);
}

/* Control flow */

static LLVMTypeRef i128(const rewriter *w) {
    return LLVMIntTypeInContext(w->c, 128);
}

/* A polynomial of 64-bit values without wrapping. */
static LLVMValueRef emit_wide(const rewriter *w, const poly *p) {
    LLVMValueRef sum = LLVMConstInt(i128(w), 0, false);
    for (int i = 0; i < p->count; i++) {
        LLVMValueRef product = LLVMBuildSExt(w->b, number(w, p->terms[i].factor), i128(w), "");
        for (int k = 0; k < p->terms[i].degree; k++) {
            LLVMValueRef atom = expand(w, p->terms[i].atoms[k]);
            product = LLVMBuildMul(w->b, product, LLVMBuildSExt(w->b, atom, i128(w), ""), "");
        }
        sum = LLVMBuildAdd(w->b, sum, product, "");
    }
    return sum;
}

/* Is the index within its type at the corners of the iteration space, and so everywhere? Loops of
 * more than 2^40 iterations count as not: see is_checkable in lib/detect/affine.c. */
static LLVMValueRef emit_range(const rewriter *w, const host_range *range) {
    LLVMValueRef few = NULL;
    LLVMValueRef low = emit_wide(w, &range->index.base), high = low;
    LLVMValueRef zero = LLVMConstInt(i128(w), 0, false), one = LLVMConstInt(i128(w), 1, false);
    for (int l = 0; l < w->r->nloops; l++) {
        if (poly_is_zero(&range->index.step[l]))
            continue;
        LLVMValueRef count = expand(w, w->r->count[l]);
        LLVMValueRef last = LLVMBuildZExt(w->b, count, i128(w), "");
        LLVMValueRef small = LLVMBuildICmp(w->b, LLVMIntULT, count, number(w, 1ll << 40), "");
        few = few ? LLVMBuildAnd(w->b, few, small, "") : small;
        LLVMValueRef end = LLVMBuildMul(w->b, emit_wide(w, &range->index.step[l]), last, "");
        LLVMValueRef down = LLVMBuildICmp(w->b, LLVMIntSLT, end, zero, "");
        low = LLVMBuildAdd(w->b, low, LLVMBuildSelect(w->b, down, end, zero, ""), "");
        high = LLVMBuildAdd(w->b, high, LLVMBuildSelect(w->b, down, zero, end, ""), "");
    }
    unsigned bits = range->bits - range->is_signed;
    LLVMValueRef limit = LLVMBuildShl(w->b, one, LLVMConstInt(i128(w), bits, false), "");
    LLVMValueRef least = range->is_signed ? LLVMBuildNeg(w->b, limit, "") : zero;
    LLVMValueRef fits = LLVMBuildAnd(w->b, LLVMBuildICmp(w->b, LLVMIntSGE, low, least, ""),
                                     LLVMBuildICmp(w->b, LLVMIntSLT, high, limit, ""), "");
    return few ? LLVMBuildAnd(w->b, few, fits, "") : fits;
}

LLVMValueRef emit_also(const rewriter *w, LLVMValueRef all, LLVMValueRef c) {
    return all ? LLVMBuildSelect(w->b, all, c, LLVMConstInt(LLVMTypeOf(c), 0, false), "") : c;
}

LLVMValueRef emit_condition(const rewriter *w, LLVMValueRef c) {
    br_function *f = w->r->f;
    if (host_in_loop(w->r->outer, c))
        c = br_scev_expand(f, br_scev_of(f, c), LLVMTypeOf(c), w->before);
    /* The program may not come to this branch, and then it may be poison. */
    return LLVMBuildFreeze(w->b, c, "");
}

/* What was taken for granted of a nest whose ends were looked at: see lib/detect/ends.h. */
static LLVMValueRef emit_extent_test(const rewriter *w, int d) {
    int64_t least = 2 * w->r->ends + 1;
    LLVMValueRef more = LLVMBuildSub(w->b, w->extent[w->number][d], number(w, least), "");
    return LLVMBuildICmp(w->b, LLVMIntULT, more, number(w, ENDS_LIMIT - least), "");
}

/* The nest runs, as often as that all it reads is read. NULL: it does in any case. */
static LLVMValueRef emit_runs(const rewriter *w) {
    const host_region *r = w->r;
    LLVMValueRef all = NULL;
    for (int i = 0; i < r->nguards; i++) {
        LLVMValueRef c = emit_condition(w, r->guards[i].condition);
        all = emit_also(w, all, r->guards[i].holds ? c : LLVMBuildNot(w->b, c, ""));
    }
    for (int d = 0; d < r->stencil->rank && r->nloads; d++)
        all = emit_also(w, all,
                        LLVMBuildICmp(w->b, LLVMIntSGT, w->extent[w->number][d], number(w, 0), ""));
    if (r->nloads)
        all = emit_also(w, all,
                        LLVMBuildICmp(w->b, LLVMIntSGE, w->steps, number(w, r->least_steps), ""));
    return all;
}

/* `all`: what emit_runs says. NULL: nothing to check. */
static LLVMValueRef emit_guards(const rewriter *w, LLVMValueRef all) {
    if (w->apart)
        all = emit_also(w, all, w->apart);
    for (int k = 0; k < w->r->nnumbers; k++)
        for (int i = 1; i < w->r->numbers[k].length; i++) {
            LLVMValueRef *start = w->r->numbers[k].start;
            all = emit_also(w, all, LLVMBuildICmp(w->b, LLVMIntEQ, start[0], start[i], ""));
        }
    for (int i = 0; i < w->r->nranges; i++)
        all = emit_also(w, all, emit_range(w, &w->r->ranges[i]));
    for (int d = 0; d < w->r->stencil->rank && w->r->ends; d++)
        all = emit_also(w, all, emit_extent_test(w, d));
    if (w->r->sweeps > 1) { /* the number of steps is right */
        LLVMValueRef count = expand(w, w->r->count[w->r->nloops - 1]);
        all = emit_also(w, all, LLVMBuildICmp(w->b, LLVMIntULT, count, number(w, 1ll << 60), ""));
    }
    return all;
}

/* `runs`: what emit_runs says of the first sweep. */
static LLVMValueRef emit_all_guards(rewriter *w, LLVMValueRef runs) {
    LLVMValueRef all = runs;
    for (size_t k = 0; k < w->count; k++) {
        w->r = w->sweeps[k];
        w->number = k;
        LLVMValueRef more = k > 0 ? emit_runs(w) : NULL;
        all = emit_guards(w, more ? emit_also(w, all, more) : all);
    }
    w->number = 0;
    w->r = w->sweeps[0];
    return all;
}

/* Is there all memory that the region has in the place of the loops'? Where there is none for all
 * together, there may be for one after the other. */
static LLVMValueRef emit_memory_test(const rewriter *w, LLVMValueRef all) {
    for (size_t i = 0; w->memory && i < w->memory->count; i++)
        all = emit_also(w, all, LLVMBuildIsNotNull(w->b, w->memory->allocation[i], ""));
    return all;
}

/* Frees it; with `unless`, if that is false. */
static void emit_release(const rewriter *w, LLVMValueRef unless) {
    for (size_t i = 0; w->memory && i < w->memory->count; i++) {
        LLVMValueRef p = w->memory->allocation[i], none = LLVMConstPointerNull(pointer(w));
        LLVMValueRef free = LLVMGetCalledValue(w->memory->release[i]);
        p = unless ? LLVMBuildSelect(w->b, unless, none, p, "") : p;
        LLVMBuildCall2(w->b, LLVMGlobalGetValueType(free), free, &p, 1, "");
    }
}

static LLVMValueRef emit_ready(const rewriter *w, LLVMValueRef guards) {
    LLVMValueRef f = enter_ready(w->m), *extent = (LLVMValueRef *)w->extent[main_sweep(w)];
    LLVMValueRef args[4] = {extent[0], extent[1], extent[2], w->steps};
    LLVMValueRef ready = LLVMBuildCall2(w->b, LLVMGlobalGetValueType(f), f, args, 4, "");
    return emit_also(w, guards, ready);
}

/* The last step, number steps - 1, or where the loop finds that there is no further one, modulo a
 * period. */
static LLVMValueRef last_turn(const rewriter *w, int period) {
    LLVMValueRef last = w->steps;
    if (!host_tests_first(w->r->time))
        last = LLVMBuildSub(w->b, w->steps, number(w, 1), "");
    return LLVMBuildURem(w->b, last, number(w, period), "");
}

/* Of a rotating pointer: ring[(i + last) mod length] of the first. */
static LLVMValueRef last_rotated(const rewriter *w, const host_ring *ring, int i) {
    LLVMValueRef turn = last_turn(w, ring->length);
    LLVMValueRef v = ring->start[i];
    for (int k = 1; k < ring->length; k++) {
        LLVMValueRef here = LLVMBuildICmp(w->b, LLVMIntEQ, turn, number(w, k), "");
        v = LLVMBuildSelect(w->b, here, ring->start[(i + k) % ring->length], v, "");
    }
    return v;
}

/* Of a number that the time loop carries round. */
static LLVMValueRef last_toggled(const rewriter *w, LLVMValueRef v) {
    int period = w->r->period;
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMValueRef turn = last_turn(w, period), all = NULL;
    for (int k = 0; k < period; k++) {
        int64_t value = 0;
        host_toggle(w->r, v, k, &value);
        LLVMValueRef here = LLVMBuildICmp(w->b, LLVMIntEQ, turn, number(w, k), "");
        LLVMValueRef literal = LLVMConstInt(type, (unsigned long long)value, true);
        all = all ? LLVMBuildSelect(w->b, here, literal, all, "") : literal;
    }
    return all;
}

/* Through the single-entry phis that LCSSA form puts behind inner loops. */
static LLVMValueRef source_of(const host_region *r, LLVMValueRef v) {
    while (LLVMIsAPHINode(v) && host_in_loop(r->outer, v) && LLVMCountIncoming(v) == 1)
        v = LLVMGetIncomingValue(v, 0);
    return v;
}

/* Is it told after the runtime ran the loops? */
static bool is_late(const rewriter *w, LLVMValueRef v) {
    int64_t number;
    return tail_is_checked(w) && host_in_loop(w->r->outer, v) &&
           (host_rotates(w->r, v) || host_toggle(w->r, v, 0, &number) ||
            host_known_after_step(w->r->steps, v));
}

/* Can what `v` is after the loops be told before them? */
static bool is_known_after(const rewriter *w, LLVMValueRef v) {
    const host_region *r = w->r;
    v = source_of(r, v);
    int64_t number;
    if (!host_in_loop(r->outer, v) || host_rotates(r, v) || host_toggle(r, v, 0, &number) ||
        is_late(w, v))
        return true;
    br_scev s = br_scev_at_exit(r->f, v, r->outer);
    return s && br_scev_invariant(r->f, s, r->outer) && br_scev_expandable(r->f, s, w->before);
}

static LLVMValueRef value_after(const rewriter *w, LLVMValueRef v) {
    host_region *r = w->r;
    v = source_of(r, v);
    if (!host_in_loop(r->outer, v))
        return v;
    int at;
    const host_ring *ring = host_ring_of(r, v, &at);
    if (ring)
        return last_rotated(w, ring, at);
    for (int k = 0; k < r->nnumbers; k++)
        for (int i = 0; i < r->numbers[k].length; i++)
            if (r->numbers[k].phi[i] == v)
                return r->numbers[k].start[0]; /* which all are */
    int64_t value;
    if (host_toggle(r, v, 0, &value))
        return last_toggled(w, v);
    br_scev s = br_scev_at_exit(r->f, v, r->outer);
    return br_scev_expand(r->f, s, LLVMTypeOf(v), w->before);
}

static LLVMValueRef incoming_from(LLVMValueRef phi, LLVMBasicBlockRef block) {
    unsigned i = 0;
    while (LLVMGetIncomingBlock(phi, i) != block)
        i++;
    return LLVMGetIncomingValue(phi, i);
}

enum { MAX_EXITS = ST_LIMIT(64, 1) };

/* Values used after the loops: phis behind them. */
typedef struct exits {
    LLVMValueRef phi[MAX_EXITS], value[MAX_EXITS]; /* value NULL: it is told later */
    LLVMBasicBlockRef from[MAX_EXITS];             /* where the loops are left */
    unsigned count;
} exits;

static int count_exits(const rewriter *w) {
    return tail_is_checked(w) && w->r->steps->stops ? w->r->steps->nexits : 1;
}

static LLVMBasicBlockRef exiting_block(const rewriter *w, int exit) {
    if (tail_is_checked(w) && w->r->steps->stops)
        return w->r->steps->exiting[exit];
    return br_loop_exiting_block(w->r->outer);
}

/* Where control goes from there. */
static LLVMBasicBlockRef exit_block(const rewriter *w, int exit) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(exiting_block(w, exit));
    unsigned i = 0;
    while (br_loop_contains(w->r->outer, LLVMGetSuccessor(end, i)))
        i++;
    return LLVMGetSuccessor(end, i);
}

/* False: there are too many. */
static bool find_exits(const rewriter *w, exits *e) {
    e->count = 0;
    for (int i = 0; i < count_exits(w); i++)
        for (LLVMValueRef phi = LLVMGetFirstInstruction(exit_block(w, i)); LLVMIsAPHINode(phi);
             phi = LLVMGetNextInstruction(phi)) {
            if (e->count == MAX_EXITS)
                return false;
            e->phi[e->count] = phi;
            e->from[e->count++] = exiting_block(w, i);
        }
    return true;
}

static bool exits_known(const rewriter *w) {
    exits e;
    bool good = find_exits(w, &e);
    for (unsigned i = 0; good && i < e.count; i++)
        good = is_known_after(w, incoming_from(e.phi[i], e.from[i]));
    return good;
}

static void compute_exits(const rewriter *w, exits *e) {
    find_exits(w, e);
    for (unsigned i = 0; i < e->count; i++) {
        LLVMValueRef v = source_of(w->r, incoming_from(e->phi[i], e->from[i]));
        e->value[i] = is_late(w, v) ? NULL : value_after(w, v);
    }
}

/* At this exit, after the runtime ran the loops: what they would have left. Ends the block. */
static void leave_late(const rewriter *w, const exits *e, int exit, LLVMValueRef check) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(w->b);
    for (unsigned i = 0; i < e->count; i++) {
        LLVMValueRef v = e->value[i];
        if (e->from[i] != exiting_block(w, exit))
            continue;
        if (!v) {
            v = source_of(w->r, incoming_from(e->phi[i], e->from[i]));
            v = host_known_after_step(w->r->steps, v) ? tail_value(w, check, v) : value_after(w, v);
        }
        LLVMAddIncoming(e->phi[i], &v, &here, 1);
    }
    LLVMBuildBr(w->b, exit_block(w, exit));
}

/* From the block that the builder is in, which is ended. */
static void leave_checked(rewriter *w, const exits *e, LLVMValueRef check) {
    LLVMBasicBlockRef header = br_loop_header(w->r->outer), first = NULL;
    LLVMBuilderRef b = w->b;
    int count = count_exits(w);
    w->steps = tail_done(w, check);
    LLVMValueRef exit = tail_exit(w, check), jump = NULL;
    for (int i = 0; i < count; i++) {
        LLVMBasicBlockRef block = LLVMInsertBasicBlockInContext(w->c, header, "stencil.leave");
        if (!first) {
            first = block;
            jump = LLVMBuildSwitch(b, exit, first, (unsigned)count);
        } else {
            LLVMAddCase(jump, number(w, i + 1), block);
        }
        LLVMPositionBuilderAtEnd(b, block);
        leave_late(w, e, i, check);
    }
}

/* The loop's head gets `enter` as another predecessor beside the preheader. */
static void extend_header(const rewriter *w, LLVMBasicBlockRef preheader, LLVMBasicBlockRef enter) {
    LLVMBasicBlockRef header = br_loop_header(w->r->outer);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef v = incoming_from(phi, preheader);
        LLVMAddIncoming(phi, &v, &enter, 1);
    }
}

static void connect(rewriter *w, LLVMValueRef descriptor, call_values *values, LLVMValueRef ready,
                    const exits *e) {
    LLVMBasicBlockRef preheader = LLVMGetInstructionParent(w->before);
    LLVMBasicBlockRef header = br_loop_header(w->r->outer);
    LLVMBasicBlockRef enter = LLVMInsertBasicBlockInContext(w->c, header, "stencil.enter");
    LLVMValueRef old = w->before, f = enter_run(w->m), settle = enter_settle(w->m);
    LLVMBuildCall2(w->b, LLVMGlobalGetValueType(settle), settle, &ready, 1, "");
    emit_release(w, ready);
    LLVMBuildCondBr(w->b, ready, enter, header);
    LLVMInstructionEraseFromParent(old);
    LLVMPositionBuilderAtEnd(w->b, enter);
    LLVMValueRef check = tail_is_checked(w) ? tail_emit_check(w) : NULL;
    LLVMValueRef args[2] = {descriptor, store_call(w, values, check)};
    LLVMValueRef ran = LLVMBuildCall2(w->b, LLVMGlobalGetValueType(f), f, args, 2, "");
    emit_release(w, NULL);
    if (check) {
        LLVMBasicBlockRef after = LLVMInsertBasicBlockInContext(w->c, header, "stencil.after");
        LLVMBuildCondBr(w->b, ran, after, header);
        LLVMPositionBuilderAtEnd(w->b, after);
        leave_checked(w, e, check);
    } else {
        LLVMBuildCondBr(w->b, ran, exit_block(w, 0), header);
    }
    for (unsigned i = 0; i < e->count && !check; i++) {
        LLVMValueRef v = e->value[i];
        LLVMAddIncoming(e->phi[i], &v, &enter, 1);
    }
    extend_header(w, preheader, enter); /* last: what was told of its phis counts two ways in */
}

/* Marks and attributes */

static unsigned mark_kind(LLVMContextRef c) {
    return LLVMGetMDKindIDInContext(c, mark, sizeof mark - 1);
}

bool offload_done(br_loop l) {
    for (; l; l = br_loop_parent(l)) {
        LLVMBasicBlockRef latch = br_loop_latch(l);
        LLVMValueRef end = latch ? LLVMGetBasicBlockTerminator(latch) : NULL;
        LLVMContextRef c = end ? LLVMGetTypeContext(LLVMTypeOf(end)) : NULL;
        if (end && LLVMGetMetadata(end, mark_kind(c)))
            return true;
    }
    return false;
}

static void mark_loop(const rewriter *w, br_loop l) {
    LLVMBasicBlockRef latch = br_loop_latch(l);
    LLVMMetadataRef empty = LLVMMDNodeInContext2(w->c, NULL, 0);
    if (latch)
        LLVMSetMetadata(LLVMGetBasicBlockTerminator(latch), mark_kind(w->c),
                        LLVMMetadataAsValue(w->c, empty));
}

/* A loop of one iteration around several nests does not stay. */
static void mark_done(const rewriter *w) {
    br_loop outer = w->r->outer, nests[HOST_MAX_SWEEPS];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(br_loop_latch(outer));
    mark_loop(w, outer);
    if (!LLVMIsConditional(end) || !LLVMIsConstant(LLVMGetCondition(end)))
        return;
    size_t count = br_loop_children(outer, nests, HOST_MAX_SWEEPS);
    for (size_t i = 0; i < count && i < HOST_MAX_SWEEPS; i++)
        mark_loop(w, nests[i]);
}

/* Attributes that were inferred before the function called the runtime. */
static bool drop_attributes(LLVMValueRef f, LLVMValueRef call) {
    static const char *const names[] = {"memory", "nosync", "nofree", "norecurse", "nocallback"};
    bool dropped = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
        if (!kind)
            continue;
        if (call && LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind)) {
            LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind);
            dropped = true;
        } else if (!call && LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind)) {
            LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
            dropped = true;
        }
    }
    return dropped;
}

/* Functions whose attributes followed from that of one that they call. */
typedef struct callers {
    LLVMValueRef *functions; /* each once */
    size_t count, done, capacity;
} callers;

static void add_caller(callers *c, LLVMValueRef f) {
    if (c->count == c->capacity) {
        c->capacity = 2 * c->capacity + 16;
        c->functions = realloc(c->functions, c->capacity * sizeof *c->functions);
    }
    c->functions[c->count++] = f;
}

static bool is_call_of(LLVMValueRef user, LLVMValueRef callee) {
    bool calls = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user) || LLVMIsACallBrInst(user);
    return calls && LLVMGetCalledValue(user) == callee;
}

/* Those that call it, by its name or by another one. `names`: aliases on the way. */
static void visit_uses(const rewriter *w, callers *c, callers *names, LLVMValueRef callee) {
    for (LLVMUseRef u = LLVMGetFirstUse(callee); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAGlobalAlias(user) || LLVMIsAConstantExpr(user))
            add_caller(names, user);
        if (!is_call_of(user, callee))
            continue;
        LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
        bool dropped = drop_attributes(NULL, user);
        if (drop_attributes(caller, NULL))
            add_caller(c, caller);
        else if (!dropped)
            continue;
        if (caller != w->r->function)
            br_function_invalidate_other(w->r->f, caller);
    }
}

/* And of its callers, whose attributes followed from them. A function is visited when it loses the
 * first attribute; there is no more to lose when it is come to again. */
static void forget_effects(const rewriter *w) {
    callers c = {NULL, 0, 0, 0}, names = {NULL, 0, 0, 0};
    if (drop_attributes(w->r->function, NULL))
        add_caller(&c, w->r->function);
    while (c.done < c.count) {
        names.count = names.done = 0;
        visit_uses(w, &c, &names, c.functions[c.done++]);
        while (names.done < names.count)
            visit_uses(w, &c, &names, names.functions[names.done++]);
    }
    free(c.functions);
    free(names.functions);
}

static rewriter start(host_region *const *sweeps, size_t count, LLVMBasicBlockRef preheader) {
    rewriter w = {.sweeps = sweeps, .count = count, .r = sweeps[0]};
    w.m = LLVMGetGlobalParent(sweeps[0]->function);
    w.c = LLVMGetModuleContext(w.m);
    w.before = LLVMGetBasicBlockTerminator(preheader);
    w.has_tables = host_tables_of(sweeps[0])->nuses > 0;
    return w;
}

static const char where[] = "it cannot be computed in front of the loops";

/* Nothing that is checked in front of the loops hangs on how many steps they make. */
static bool stops_soundly(const host_region *r) {
    bool sound = r->least_steps <= 1 || !r->nloads;
    for (int i = 0; i < r->nranges; i++)
        sound = sound && poly_is_zero(&r->ranges[i].index.step[r->nloops - 1]);
    return sound;
}

/* Pointers that only a later step reads are not read in front of a loop that may not come to it. */
static bool tables_stop_soundly(const host_steps *s) {
    bool sound = true;
    for (int i = 0; i < s->tables.nuses; i++)
        sound = sound && s->tables.use[i].step == 0;
    return sound;
}

static bool prepare(const rewriter *w) {
    host_region *r = w->r;
    if (r->steps && r->steps->stops && !stops_soundly(r))
        return host_refuse(r, ST_NO_NO_TRIP_COUNT, NULL);
    if (r->steps && r->steps->stops && !tables_stop_soundly(r->steps))
        return host_refuse(r, ST_NO_SWEEPS,
                           "a step reads rows of a table that the first one does not, and may not "
                           "come");
    if (!counts_expandable(w))
        return host_refuse(r, ST_NO_NO_TRIP_COUNT, NULL);
    if (!guards_expandable(w))
        return host_refuse(r, ST_NO_CONTROL_FLOW, "an inner loop runs only under a condition");
    return all_expandable(w) || host_refuse(r, ST_NO_NOT_AFFINE, where);
}

/* Does the value depend on what is at such memory's address? */
static bool is_of_memory(const offload_memory *memory, br_scev s) {
    if (br_scev_kind(s) == BR_CONSTANT)
        return false;
    for (size_t i = 0; br_scev_kind(s) == BR_UNKNOWN && i < memory->count; i++)
        if (br_scev_value(s) == memory->allocation[i])
            return true;
    bool is = false;
    for (size_t i = 0; br_scev_kind(s) != BR_UNKNOWN && i < br_scev_count(s); i++)
        is |= is_of_memory(memory, br_scev_operand(s, i));
    return is;
}

static bool is_poly_of_memory(const offload_memory *memory, const poly *p) {
    bool is = false;
    for (int i = 0; i < p->count; i++)
        for (int a = 0; a < p->terms[i].degree; a++)
            is |= is_of_memory(memory, p->terms[i].atoms[a]);
    return is;
}

/* In front of the loops nothing has been written to it. */
static bool reads_memory(const rewriter *w, const offload_memory *memory) {
    const host_hoists *h = w->r->hoists;
    const host_tables *t = host_tables_of(w->r);
    bool reads = false;
    for (int i = 0; h && i < h->count; i++)
        reads |= is_of_memory(memory, h->entries[i].address);
    for (int i = 0; i < w->r->nloads; i++)
        reads |= is_poly_of_memory(memory, &w->r->loads[i].address);
    for (int i = 0; i < t->count; i++)
        reads |= is_poly_of_memory(memory, &t->table[i].base);
    return reads;
}

host_region *offload_prepare(host_region *const *sweeps, size_t count,
                             const offload_memory *memory) {
    LLVMBasicBlockRef preheader = br_loop_prepare(sweeps[0]->f, sweeps[0]->outer);
    if (!preheader) {
        host_refuse(sweeps[0], ST_NO_CONTROL_FLOW, "the loop is entered by an indirect jump");
        return sweeps[0];
    }
    rewriter w = start(sweeps, count, preheader);
    for (size_t k = 0; k < count; k++) {
        w.r = sweeps[k];
        if (!prepare(&w))
            return w.r;
        if (memory && reads_memory(&w, memory)) {
            host_refuse(w.r, ST_NO_NOT_AFFINE, where);
            return w.r;
        }
    }
    w.r = sweeps[0];
    if (!emit_hoists_expandable(&w) || !emit_tables_expandable(&w, expandable_poly)) {
        host_refuse(w.r, ST_NO_NOT_AFFINE, where);
        return w.r;
    }
    return exits_known(&w) || host_refuse(w.r, ST_NO_LIVE_OUT, where) ? NULL : w.r;
}

bool offload_rewrite(host_region *const *sweeps, size_t count, const offload_memory *memory,
                     LLVMValueRef descriptor) {
    rewriter w = start(sweeps, count, br_loop_prepare(sweeps[0]->f, sweeps[0]->outer));
    w.memory = memory;
    exits e;
    if (!enter_add_functions(w.m))
        return false;
    w.b = LLVMCreateBuilderInContext(w.c);
    LLVMPositionBuilderBefore(w.b, w.before);
    emit_hoists(&w);
    emit_sizes(&w);
    w.state = tail_emit_state(&w);
    LLVMValueRef runs = emit_runs(&w);
    emit_loads(&w, runs);
    emit_tables(&w);
    emit_hoists_apart(&w);
    compute_exits(&w, &e);
    call_values *values = compute_calls(&w);
    LLVMValueRef ready = emit_ready(&w, emit_all_guards(&w, emit_memory_test(&w, runs)));
    connect(&w, descriptor, values, ready, &e);
    mark_done(&w);
    host_settle_extremes(w.r);
    forget_effects(&w);
    LLVMDisposeBuilder(w.b);
    return true;
}
