/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reductions of a resident kernel, where each step's reductions decide whether the loop continues.
 * A thread joins the values of its cells that the block owns and that lie in the domain. So each
 * cell counts once, however many blocks compute it. A warp joins the values of its lanes, and its
 * first lane adds the number that stands for them (codegen/reduce.c) to the step's own slots.
 *
 * No block waits for another one's number: the launch runs ahead, and the runtime looks at the
 * slots of all its steps afterwards.
 */
#include "codegen/reduce.h"
#include "codegen/resident/resident.h"

#include <stdlib.h>

enum { LANES = 32, LEAST_WORD = 4 };

static size_t count_of(const rs_kernel *t) {
    return t->reduces ? t->g.s->nreductions : 0;
}

/* A bit for each of the cells along d: are they the block's own, and in the domain? */
static LLVMValueRef counted_along(rs_kernel *t, int d, int count) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef end = LLVMBuildAdd(b, t->margin[d], t->own[d], "");
    LLVMValueRef own = rs_between(t, t->in_tile[d], t->margin[d], end, count);
    LLVMValueRef in_domain = rs_between(t, t->first[d], gen_int32(&t->g.e, 0), t->extent[d], count);
    return LLVMBuildAnd(b, own, in_domain, "");
}

void rs_begin_reductions(rs_kernel *t) {
    LLVMBuilderRef b = t->g.e.b;
    if (count_of(t) == 0)
        return;
    t->counted_columns = counted_along(t, 0, t->V);
    t->counted_rows = rs_of_rows(t, counted_along(t, 1, t->RY));
    if (t->g.s->rank == 3)
        t->counted_rows =
            LLVMBuildAnd(b, t->counted_rows, rs_of_planes(t, counted_along(t, 2, t->RZ)), "");
    t->slot = gen_reduce_slot(&t->g.e, tg_launch(b, TG_THREAD, 0), t->g.p->block);
    t->slots = rs_variable(t, LLVMPointerTypeInContext(t->g.e.context, 0),
                           gen_parameter(t->g.function, t->g.p, STENCILRT_ARG_REDUCED, 0));
    t->held = calloc(count_of(t), sizeof *t->held);
}

void rs_begin_held(rs_kernel *t) {
    for (size_t i = 0; i < count_of(t); i++)
        t->held[i] = gen_held_none(&t->g.e, t->g.s, i);
}

/* Do lanes have columns that count beside others that do not? Inside the domain a lane's columns
 * are all the block's own, or none is, where there are margins along x. */
static bool is_ragged(const rs_kernel *t, bool border) {
    return border || t->reach[0] == 0;
}

static LLVMValueRef widen(rs_kernel *t, size_t i, LLVMValueRef v) {
    LLVMTypeRef type = gen_type(&t->g.e, gen_held_type(t->g.s, i));
    return LLVMTypeOf(v) == type ? v : LLVMBuildFPExt(t->g.e.b, v, type, "");
}

void rs_hold_row(rs_kernel *t, bool border, size_t i, int row, LLVMValueRef const *cells) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef none = gen_held_none(&t->g.e, t->g.s, i), all = NULL;
    for (int k = 0; k < t->V; k++) {
        LLVMValueRef one = widen(t, i, cells[k]);
        if (is_ragged(t, border))
            one = LLVMBuildSelect(b, rs_bit(t, t->counted_columns, k), one, none, "");
        all = all ? gen_held_join(&t->g.e, t->g.s, i, all, one) : one;
    }
    all = gen_held_join(&t->g.e, t->g.s, i, t->held[i], all);
    t->held[i] = LLVMBuildSelect(b, rs_bit(t, t->counted_rows, row), all, t->held[i], "");
}

/* The number of all lanes' values, in the first lane. */
static LLVMValueRef number_of_lanes(rs_kernel *t, size_t i, LLVMValueRef v) {
    const st_stencil *s = t->g.s;
    st_type type = gen_held_type(s, i);
    if (st_type_size(type) < LEAST_WORD)
        return gen_reduce_lanes(&t->g.e, s, i, gen_held_number(&t->g.e, s, i, v));
    for (int distance = LANES / 2; distance > 0; distance /= 2)
        v = gen_held_join(&t->g.e, s, i, v, gen_shuffle(&t->g.e, type, v, distance, LANES));
    return gen_held_number(&t->g.e, s, i, v);
}

static LLVMValueRef slots_of(rs_kernel *t, size_t i) {
    LLVMValueRef before = gen_int64(&t->g.e, (int64_t)(i * STENCILRT_SLOTS));
    return gen_element(&t->g.e, gen_i64(&t->g.e), rs_get(t, t->slots), before);
}

void rs_add_held(rs_kernel *t, bool border) {
    LLVMBuilderRef b = t->g.e.b;
    if (count_of(t) == 0)
        return;
    LLVMValueRef first = LLVMBuildICmp(b, LLVMIntEQ, t->g.lane, gen_int32(&t->g.e, 0), "");
    for (size_t i = 0; i < count_of(t); i++) {
        LLVMValueRef v = t->held[i], none = gen_held_none(&t->g.e, t->g.s, i);
        if (!is_ragged(t, border))
            v = LLVMBuildSelect(b, rs_bit(t, t->counted_columns, 0), v, none, "");
        t->held[i] = number_of_lanes(t, i, v);
    }
    LLVMBasicBlockRef after = rs_begin_if(t, first, "reduce");
    for (size_t i = 0; i < count_of(t); i++)
        gen_reduce_add(&t->g.e, t->g.s, i, slots_of(t, i), t->slot, t->held[i]);
    gen_end_if(&t->g.e, after);
}

void rs_next_slots(rs_kernel *t) {
    int64_t words = (int64_t)count_of(t) * STENCILRT_SLOTS;
    if (words > 0)
        rs_set(
            t, t->slots,
            gen_element(&t->g.e, gen_i64(&t->g.e), rs_get(t, t->slots), gen_int64(&t->g.e, words)));
}
