/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Puts a branch in front of a region's loops:
 *
 *   preheader:  guards hold, and stencilopt.ready(extents, steps)?  no -> loops
 *   enter:      fill struct stencilrt_call; stencilopt.enter(region, call)?  no -> loops
 *               yes -> the loops' exit, with the values the loops would have left
 *
 * The loops are marked, so that a second run of the pass does not look at them.
 */
#include "offload/rewrite.h"

#include "detect/host/ends.h"
#include "offload/emit.h"
#include "offload/enter.h"
#include "offload/exits.h"
#include "offload/list.h"
#include "offload/tail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values */

static void emit_sizes(rewriter *w) {
    for (size_t k = 0; k < w->count; k++)
        for (int d = 0; d < 3; d++)
            w->extent[k][d] = emit_int(w, 1);
    for (size_t i = 0; i < w->values->count; i++) {
        const list_value *v = &w->values->at[i];
        const host_region *r = w->r = w->sweeps[v->sweep];
        if (v->role == LIST_COUNT && v->index < (size_t)r->axes) {
            const int *out = r->left_out[v->index];
            w->extent[v->sweep][r->dim_of_loop[v->index]] =
                LLVMBuildSub(w->b, list_emit(w, v), emit_int(w, out[0] + out[1]), "");
        }
        if (v->role == LIST_EXTENT)
            w->extent[v->sweep][v->index] = list_emit(w, v);
    }
    host_region *r = w->r = w->sweeps[0];
    bool stops = r->steps && r->steps->stops;
    w->steps = stops ? emit_int(w, TAIL_EXPECTED_STEPS) : r->time ? emit_steps(w) : emit_int(w, 1);
    if (r->sweeps > 1)
        w->steps = LLVMBuildMul(w->b, w->steps, emit_int(w, r->sweeps), "");
}

/* Values that the preheader computes and the enter block stores. */
typedef struct call_values {
    LLVMValueRef *origins, *strides, *scalars, copy[SLOTS(copy)];
    size_t norigins, nstrides, nscalars;
} call_values;

/* The slot of the call for a value; NULL if the call has none for it. */
static LLVMValueRef *place_of(call_values *call, const list_value *v) {
    switch (v->role) {
    case LIST_ORIGIN:
        call->norigins++;
        return &call->origins[v->index];
    case LIST_STRIDE:
        call->nstrides++;
        return &call->strides[v->index];
    case LIST_SCALAR:
        call->nscalars++;
        return &call->scalars[v->index];
    case LIST_COPY:
        return &call->copy[v->index];
    default:
        return NULL;
    }
}

static call_values compute_call(const rewriter *w, size_t sweep) {
    const st_stencil *s = w->sweeps[sweep]->stencil;
    call_values call = {calloc(s->ngrids * ST_MAX_BUFFERS, sizeof(LLVMValueRef)),
                        calloc(s->ngrids * ST_MAX_RANK, sizeof(LLVMValueRef)),
                        calloc(s->nscalars * 2 + 1, sizeof(LLVMValueRef)),
                        {NULL},
                        0,
                        0,
                        0};
    for (size_t i = 0; i < w->values->count; i++) {
        const list_value *v = &w->values->at[i];
        LLVMValueRef *at = v->sweep == sweep ? place_of(&call, v) : NULL;
        if (at)
            *at = list_emit(w, v);
    }
    return call;
}

/* Computes the call's values for each sweep. */
static call_values *compute_calls(rewriter *w) {
    call_values *all = calloc(w->count, sizeof *all);
    for (size_t k = 0; k < w->count; k++) {
        w->r = w->sweeps[k];
        all[k] = compute_call(w, k);
    }
    w->r = w->sweeps[0];
    return all;
}

static void fill_call(const rewriter *w, size_t sweep, call_values *v, LLVMValueRef tables,
                      LLVMValueRef call[SLOTS(call)]) {
    call[AT(call, steps)] = w->steps;
    for (int d = 0; d < 3; d++)
        call[AT(call, extent) + d] = w->extent[sweep][d];
    call[AT(call, origins)] = emit_filled(w, emit_pointer(w), v->origins, v->norigins);
    call[AT(call, strides)] = emit_filled(w, emit_i64(w), v->strides, v->nstrides);
    call[AT(call, scalars)] = emit_filled(w, emit_i64(w), v->scalars, v->nscalars);
    call[AT(call, tables)] = tables;
    if (w->sweeps[sweep]->copies_back)
        call[AT(call, copy)] = emit_structs(w, LAYOUT(copy), v->copy, 1);
    free(v->origins);
    free(v->strides);
    free(v->scalars);
}

/* The number of the sweep with the most loops: its grid is the largest. Of several, the first. */
static size_t main_sweep(const rewriter *w) {
    size_t most = 0;
    for (size_t k = 1; k < w->count; k++)
        if (w->sweeps[k]->axes > w->sweeps[most]->axes)
            most = k;
    return most;
}

/* Stores struct stencilrt_call with the parts of all sweeps. `check`: stencilrt_check, or NULL. */
static LLVMValueRef store_call(rewriter *w, call_values *values, LLVMValueRef check) {
    LLVMValueRef(*calls)[SLOTS(call)] = calloc(w->count, sizeof *calls), whole[SLOTS(call)];
    LLVMValueRef tables = emit_tables_stored(w);
    for (size_t k = 0; k < w->count; k++)
        fill_call(w, k, &values[k], tables, calls[k]);
    free(values);
    memcpy(whole, calls[main_sweep(w)], sizeof whole);
    whole[AT(call, check)] = check;
    whole[AT(call, sweeps)] = emit_structs(w, LAYOUT(call), calls[0], w->count);
    free(calls);
    return emit_structs(w, LAYOUT(call), whole, 1);
}

/* Control flow */

static LLVMTypeRef i128(const rewriter *w) {
    return LLVMIntTypeInContext(w->c, 128);
}

/* A polynomial in 128 bits. Its values have 64 bits, so the sum does not wrap. */
static LLVMValueRef emit_wide(const rewriter *w, poly p) {
    LLVMValueRef sum = LLVMConstInt(i128(w), 0, false);
    for (int i = 0; i < poly_count(p); i++) {
        LLVMValueRef product =
            LLVMBuildSExt(w->b, emit_int(w, poly_terms(p)[i].factor), i128(w), "");
        for (int k = 0; k < poly_terms(p)[i].degree; k++) {
            LLVMValueRef atom = emit_number(w, poly_terms(p)[i].atoms[k]);
            product = LLVMBuildMul(w->b, product, LLVMBuildSExt(w->b, atom, i128(w), ""), "");
        }
        sum = LLVMBuildAdd(w->b, sum, product, "");
    }
    return sum;
}

/* Tests that the index stays within its type. At the corners of the iteration space is enough: the
 * index is linear. Loops of more than 2^40 iterations fail the test: see is_checkable in
 * lib/detect/host/assume.c. */
static LLVMValueRef emit_range(const rewriter *w, const host_range *range) {
    LLVMValueRef few = NULL;
    LLVMValueRef low = emit_wide(w, range->index.base), high = low;
    LLVMValueRef zero = LLVMConstInt(i128(w), 0, false), one = LLVMConstInt(i128(w), 1, false);
    for (int l = 0; l < w->r->nloops; l++) {
        if (poly_is_zero(range->index.step[l]))
            continue;
        LLVMValueRef count = emit_number(w, w->r->count[l]);
        LLVMValueRef last = LLVMBuildZExt(w->b, count, i128(w), "");
        LLVMValueRef small = LLVMBuildICmp(w->b, LLVMIntULT, count, emit_int(w, 1ll << 40), "");
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

/* Tests that the extent of a loop is in the range for which detect/host/ends.c evaluated the nest's
 * borders. */
static LLVMValueRef emit_extent_test(const rewriter *w, int d) {
    int64_t least = 2 * w->r->ends + 1;
    LLVMValueRef more = LLVMBuildSub(w->b, w->extent[w->number][d], emit_int(w, least), "");
    return LLVMBuildICmp(w->b, LLVMIntULT, more, emit_int(w, ENDS_LIMIT - least), "");
}

/* Does the region run only where the nest has cells? */
static bool needs_cells(const host_region *r) {
    bool needs = r->nloads > 0;
    for (int i = 0; i < r->nreductions; i++)
        needs |= r->reductions[i].needs_cells;
    return needs;
}

/* Tests that the nest runs, and that the loop makes so many steps that all loads of it are made.
 * NULL: no test is needed. */
static LLVMValueRef emit_runs(const rewriter *w) {
    const host_region *r = w->r;
    LLVMValueRef all = NULL;
    for (size_t i = 0; i < w->values->count; i++) {
        const list_value *v = &w->values->at[i];
        if (v->role != LIST_GUARD || v->sweep != w->number)
            continue;
        LLVMValueRef c = list_emit(w, v);
        all = emit_also(w, all, r->guards[v->index].holds ? c : LLVMBuildNot(w->b, c, ""));
    }
    for (int d = 0; d < r->stencil->rank && needs_cells(r); d++)
        all = emit_also(
            w, all, LLVMBuildICmp(w->b, LLVMIntSGT, w->extent[w->number][d], emit_int(w, 0), ""));
    if (r->nloads)
        all = emit_also(w, all,
                        LLVMBuildICmp(w->b, LLVMIntSGE, w->steps, emit_int(w, r->least_steps), ""));
    return all;
}

/* `all` is the test of emit_runs. NULL: nothing needs a test. */
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
    for (int i = 0; i < w->r->axes && w->r->ends; i++)
        all = emit_also(w, all, emit_extent_test(w, w->r->dim_of_loop[i]));
    if (w->r->sweeps > 1) { /* the number of steps is known exactly */
        LLVMValueRef count = emit_number(w, w->r->count[w->r->nloops - 1]);
        all = emit_also(w, all, LLVMBuildICmp(w->b, LLVMIntULT, count, emit_int(w, 1ll << 60), ""));
    }
    return all;
}

/* `runs` is the test of emit_runs for the first sweep. */
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

/* Tests that all allocations for the region succeeded. If one failed, the loops run, with their own
 * smaller allocations. */
static LLVMValueRef emit_memory_test(const rewriter *w, LLVMValueRef all) {
    for (size_t i = 0; w->memory && i < w->memory->count; i++)
        all = emit_also(w, all, LLVMBuildIsNotNull(w->b, w->memory->allocation[i], ""));
    return all;
}

/* Frees these allocations. With `unless`: only where that is false. */
static void emit_release(const rewriter *w, LLVMValueRef unless) {
    for (size_t i = 0; w->memory && i < w->memory->count; i++) {
        LLVMValueRef p = w->memory->allocation[i], none = LLVMConstPointerNull(emit_pointer(w));
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

/* Makes `enter` a predecessor of the loop's head, besides the preheader. */
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
    /* last: expressions of its phis hold while there are two ways in */
    extend_header(w, preheader, enter);
}

/* The caller frees the result. */
static rewriter *start(host_region *const *sweeps, size_t count, LLVMBasicBlockRef preheader) {
    rewriter *w = calloc(1, sizeof *w);
    w->sweeps = sweeps;
    w->count = count;
    w->r = sweeps[0];
    w->m = LLVMGetGlobalParent(sweeps[0]->function);
    w->c = LLVMGetModuleContext(w->m);
    w->before = LLVMGetBasicBlockTerminator(preheader);
    w->has_tables = host_tables_of(sweeps[0])->nuses > 0;
    return w;
}

static const char where[] = "it cannot be computed in front of the loops";

/* For a loop that stops by itself: no check in front of the loops may depend on the number of
 * steps. */
static bool stops_soundly(const host_region *r) {
    bool sound = r->least_steps <= 1 || !r->nloads;
    for (int i = 0; i < r->nranges; i++)
        sound = sound && poly_is_zero(r->ranges[i].index.step[r->nloops - 1]);
    return sound;
}

static bool stops_as_checked(host_region *r) {
    bool stops = r->steps && r->steps->stops;
    if (stops && !stops_soundly(r))
        return host_refuse(r, ST_NO_NO_TRIP_COUNT, NULL);
    return true;
}

/* Is the value read from memory that was allocated for the region? In front of the loops nothing
 * has been written there. */
static bool reads_memory(const list_value *v, const offload_memory *memory) {
    bool reads = false;
    for (size_t i = 0; memory && i < memory->count && list_is_read(v); i++)
        reads |= list_depends(v, memory->allocation[i]);
    return reads;
}

static void refuse_value(host_region *r, list_role role) {
    if (role == LIST_COUNT)
        host_refuse(r, ST_NO_NO_TRIP_COUNT, NULL);
    else if (role == LIST_GUARD)
        host_refuse(r, ST_NO_CONTROL_FLOW, "an inner loop runs only under a condition");
    else
        host_refuse(r, ST_NO_NOT_AFFINE, where);
}

/* The first sweep with a value that cannot be computed in front of the loops; NULL if there is
 * none. */
static host_region *find_unknown(const rewriter *w, const offload_memory *memory) {
    list all = list_values(w);
    host_region *bad = NULL;
    for (size_t i = 0; i < all.count && !bad; i++) {
        const list_value *v = &all.at[i];
        host_region *r = w->sweeps[v->sweep];
        if (!list_expandable(w, v))
            refuse_value(r, v->role);
        else if (reads_memory(v, memory))
            host_refuse(r, ST_NO_NOT_AFFINE, where);
        else
            continue;
        bad = r;
    }
    list_free(&all);
    return bad;
}

host_region *offload_prepare(host_region *const *sweeps, size_t count,
                             const offload_memory *memory) {
    LLVMBasicBlockRef preheader = br_loop_prepare(sweeps[0]->f, sweeps[0]->outer);
    if (!preheader) {
        host_refuse(sweeps[0], ST_NO_CONTROL_FLOW, "the loop is entered by an indirect jump");
        return sweeps[0];
    }
    for (size_t k = 0; k < count; k++)
        if (!stops_as_checked(sweeps[k]))
            return sweeps[k];
    rewriter *w = start(sweeps, count, preheader);
    host_region *bad = find_unknown(w, memory);
    if (!bad && !exits_known(w)) {
        host_refuse(w->r, ST_NO_LIVE_OUT, where);
        bad = w->r;
    }
    free(w);
    return bad;
}

static void rewrite(rewriter *w, LLVMValueRef descriptor) {
    exits *e = malloc(sizeof *e);
    w->b = LLVMCreateBuilderInContext(w->c);
    LLVMPositionBuilderBefore(w->b, w->before);
    emit_hoists(w);
    list all = list_values(w); /* now, because scalars may be hoisted values */
    w->values = &all;
    emit_sizes(w);
    w->state = tail_emit_state(w);
    LLVMValueRef runs = emit_runs(w);
    emit_loads(w, runs);
    emit_tables(w);
    emit_hoists_apart(w);
    exits_compute(w, e);
    call_values *values = compute_calls(w);
    LLVMValueRef ready = emit_ready(w, emit_all_guards(w, emit_memory_test(w, runs)));
    connect(w, descriptor, values, ready, e);
    emit_marks(w);
    host_settle_extremes(w->r);
    emit_forget_effects(w);
    list_free(&all);
    free(e);
    LLVMDisposeBuilder(w->b);
}

bool offload_rewrite(host_region *const *sweeps, size_t count, const offload_memory *memory,
                     LLVMValueRef descriptor) {
    rewriter *w = start(sweeps, count, br_loop_prepare(sweeps[0]->f, sweeps[0]->outer));
    bool good = enter_add_functions(w->m);
    w->memory = memory;
    if (good)
        rewrite(w, descriptor);
    free(w);
    return good;
}
