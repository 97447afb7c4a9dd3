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
#include "offload/offload.h"

#include "detect/host/ends.h"
#include "offload/emit.h"
#include "offload/enter.h"
#include "offload/exits.h"
#include "offload/tail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values */

/* The bits of a scalar, in the low bytes of an i64. */
static LLVMValueRef emit_scalar(const rewriter *w, const host_scalar *h) {
    if (!h->value)
        return emit_poly(w, h->start);
    LLVMTypeRef t = LLVMTypeOf(h->value);
    LLVMValueRef bits = h->value;
    if (LLVMGetTypeKind(t) == LLVMFloatTypeKind)
        bits = LLVMBuildBitCast(w->b, bits, LLVMInt32TypeInContext(w->c), "");
    if (LLVMGetTypeKind(t) == LLVMDoubleTypeKind)
        bits = LLVMBuildBitCast(w->b, bits, i64(w), "");
    return LLVMTypeOf(bits) == i64(w) ? bits : LLVMBuildZExt(w->b, bits, i64(w), "");
}

static LLVMValueRef iterations(const rewriter *w, int loop) {
    return emit_iterations(w, w->r->loops[loop], w->r->count[loop]);
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
                w->extent[k][d] = emit_poly(w, r->implied_extent[d]);
    }
    host_region *r = w->r = w->sweeps[0];
    bool stops = r->steps && r->steps->stops;
    w->steps = stops ? number(w, TAIL_EXPECTED_STEPS) : r->time ? emit_steps(w) : number(w, 1);
    if (r->sweeps > 1)
        w->steps = LLVMBuildMul(w->b, w->steps, number(w, r->sweeps), "");
}

static bool expandable_poly(const rewriter *w, poly p) {
    for (int i = 0; i < poly_count(p); i++)
        for (int k = 0; k < poly_terms(p)[i].degree; k++)
            if (!br_scev_expandable(w->r->f, poly_terms(p)[i].atoms[k], w->before))
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
        expandable_poly(w, c->to) && expandable_poly(w, c->from) && expandable_poly(w, c->bytes);
    for (int i = 0; i < c->nloops && good; i++)
        good =
            expandable_poly(w, c->step[i]) && br_scev_expandable(w->r->f, c->count[i], w->before);
    return good;
}

static bool all_expandable(const rewriter *w) {
    const host_region *r = w->r;
    const st_stencil *s = r->stencil;
    for (size_t g = 0; g < s->ngrids; g++) {
        for (uint32_t k = 0; k < s->grids[g].buffers; k++)
            if (!expandable_poly(w, r->grids[g].origin[k]))
                return false;
        for (int d = 0; d < s->rank; d++)
            if (!expandable_poly(w, r->grids[g].stride[d]))
                return false;
    }
    for (int d = 0; d < s->rank; d++)
        if ((r->implied >> d & 1) && !expandable_poly(w, r->implied_extent[d]))
            return false;
    for (int i = 0; i < r->nloads; i++)
        if (!expandable_poly(w, r->loads[i].address))
            return false;
    for (int i = 0; i < r->nranges; i++) {
        if (!expandable_poly(w, r->ranges[i].index.base))
            return false;
        for (int l = 0; l < r->nloops; l++)
            if (!expandable_poly(w, r->ranges[i].index.step[l]))
                return false;
    }
    if (r->copies_back && !copy_expandable(w))
        return false;
    for (size_t i = 0; i < s->nscalars; i++)
        if (!r->scalars[i].value &&
            (!expandable_poly(w, r->scalars[i].start) || !expandable_poly(w, r->scalars[i].step)))
            return false;
    return true;
}

/* Values computed in the preheader, in the order in which the enter block stores them. */
typedef struct call_values {
    LLVMValueRef *origins, *strides, *scalars;
    size_t norigins, nstrides, nscalars;
    LLVMValueRef copy[SLOTS(copy)];
} call_values;

static void compute_copy(const rewriter *w, LLVMValueRef copy[SLOTS(copy)]) {
    const host_copy *c = &w->r->copy;
    copy[AT(copy, to)] = emit_address(w, c->to);
    copy[AT(copy, from)] = emit_address(w, c->from);
    copy[AT(copy, bytes)] = emit_poly(w, c->bytes);
    for (int i = 0; i < ST_MAX_RANK; i++) {
        bool there = i < c->nloops;
        copy[AT(copy, count) + i] =
            there ? emit_iterations(w, c->loops[i], c->count[i]) : number(w, 1);
        copy[AT(copy, step) + i] = there ? emit_poly(w, c->step[i]) : number(w, 0);
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
            v.origins[v.norigins++] = emit_address(w, r->grids[g].origin[k]);
        for (int d = 0; d < 3; d++)
            v.strides[v.nstrides++] = emit_poly(w, r->grids[g].stride[d]);
    }
    for (size_t i = 0; i < s->nscalars; i++) {
        v.scalars[v.nscalars++] =
            s->scalars[i].followed ? tail_followed_at(w, r, i) : emit_scalar(w, &r->scalars[i]);
        if (s->scalars[i].stepped)
            v.scalars[v.nscalars++] = emit_poly(w, r->scalars[i].step);
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

static void fill_call(const rewriter *w, size_t sweep, call_values *v,
                      LLVMValueRef call[SLOTS(call)]) {
    call[AT(call, steps)] = w->steps;
    for (int d = 0; d < 3; d++)
        call[AT(call, extent) + d] = w->extent[sweep][d];
    call[AT(call, origins)] = emit_filled(w, pointer(w), v->origins, v->norigins);
    call[AT(call, strides)] = emit_filled(w, i64(w), v->strides, v->nstrides);
    call[AT(call, scalars)] = emit_filled(w, i64(w), v->scalars, v->nscalars);
    if (w->sweeps[sweep]->copies_back)
        call[AT(call, copy)] = emit_structs(w, LAYOUT(copy), v->copy, 1);
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
    LLVMValueRef calls[HOST_MAX_SWEEPS][SLOTS(call)] = {{NULL}}, whole[SLOTS(call)];
    LLVMValueRef tables = emit_tables_stored(w);
    for (size_t k = 0; k < w->count; k++)
        fill_call(w, k, &values[k], calls[k]);
    free(values);
    memcpy(whole, calls[main_sweep(w)], sizeof whole);
    whole[AT(call, tables)] = tables;
    whole[AT(call, check)] = check;
    if (w->sweeps[0]->steps)
        whole[AT(call, sweeps)] = emit_structs(w, LAYOUT(call), calls[0], w->count);
    return emit_structs(w, LAYOUT(call), whole, 1);
}

/* Control flow */

static LLVMTypeRef i128(const rewriter *w) {
    return LLVMIntTypeInContext(w->c, 128);
}

/* A polynomial of 64-bit values without wrapping. */
static LLVMValueRef emit_wide(const rewriter *w, poly p) {
    LLVMValueRef sum = LLVMConstInt(i128(w), 0, false);
    for (int i = 0; i < poly_count(p); i++) {
        LLVMValueRef product = LLVMBuildSExt(w->b, number(w, poly_terms(p)[i].factor), i128(w), "");
        for (int k = 0; k < poly_terms(p)[i].degree; k++) {
            LLVMValueRef atom = emit_number(w, poly_terms(p)[i].atoms[k]);
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
    LLVMValueRef low = emit_wide(w, range->index.base), high = low;
    LLVMValueRef zero = LLVMConstInt(i128(w), 0, false), one = LLVMConstInt(i128(w), 1, false);
    for (int l = 0; l < w->r->nloops; l++) {
        if (poly_is_zero(range->index.step[l]))
            continue;
        LLVMValueRef count = emit_number(w, w->r->count[l]);
        LLVMValueRef last = LLVMBuildZExt(w->b, count, i128(w), "");
        LLVMValueRef small = LLVMBuildICmp(w->b, LLVMIntULT, count, number(w, 1ll << 40), "");
        few = few ? LLVMBuildAnd(w->b, few, small, "") : small;
        LLVMValueRef end = LLVMBuildMul(w->b, emit_wide(w, range->index.step[l]), last, "");
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
        LLVMValueRef count = emit_number(w, w->r->count[w->r->nloops - 1]);
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

/* The loop's head gets `enter` as another predecessor beside the preheader. */
static void extend_header(const rewriter *w, LLVMBasicBlockRef preheader, LLVMBasicBlockRef enter) {
    LLVMBasicBlockRef header = br_loop_header(w->r->outer);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef v = emit_incoming(phi, preheader);
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
        exits_leave(w, e, check);
    } else {
        LLVMBuildCondBr(w->b, ran, exits_block(w, 0), header);
    }
    for (unsigned i = 0; i < e->count && !check; i++) {
        LLVMValueRef v = e->value[i];
        LLVMAddIncoming(e->phi[i], &v, &enter, 1);
    }
    extend_header(w, preheader, enter); /* last: what was told of its phis counts two ways in */
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
        sound = sound && poly_is_zero(r->ranges[i].index.step[r->nloops - 1]);
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

static bool is_poly_of_memory(const offload_memory *memory, poly p) {
    bool is = false;
    for (int i = 0; i < poly_count(p); i++)
        for (int a = 0; a < poly_terms(p)[i].degree; a++)
            is |= is_of_memory(memory, poly_terms(p)[i].atoms[a]);
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
        reads |= is_poly_of_memory(memory, w->r->loads[i].address);
    for (int i = 0; i < t->count; i++)
        reads |= is_poly_of_memory(memory, t->table[i].base);
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
    exits_compute(&w, &e);
    call_values *values = compute_calls(&w);
    LLVMValueRef ready = emit_ready(&w, emit_all_guards(&w, emit_memory_test(&w, runs)));
    connect(&w, descriptor, values, ready, &e);
    emit_marks(&w);
    host_settle_extremes(w.r);
    emit_forget_effects(&w);
    LLVMDisposeBuilder(w.b);
    return true;
}
