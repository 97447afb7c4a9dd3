/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The cells of a resident kernel on their way from memory and back: all that a thread has are
 * loaded before the first step, and those that its block owns are stored after the last one.
 */
#include "codegen/resident/resident.h"

LLVMValueRef rs_is_outside(rs_kernel *t, int d, int more) {
    LLVMValueRef at = gen_add32(&t->g.e, t->first[d], more);
    return LLVMBuildICmp(t->g.e.b, LLVMIntUGE, at, t->extent[d], ""); /* or below 0 */
}

/* The nearest place along d that the program has. */
static LLVMValueRef clamp(rs_kernel *t, int d, LLVMValueRef at) {
    LLVMValueRef least = gen_int32(&t->g.e, t->low[d]);
    LLVMValueRef most = gen_add32(&t->g.e, t->extent[d], t->high[d] - 1);
    at = gen_greater(&t->g.e, at, least);
    at = gen_smaller(&t->g.e, most, at);
    return gen_extend(&t->g.e, at);
}

static LLVMValueRef clamped(rs_kernel *t, int d, int more) {
    return clamp(t, d, gen_add32(&t->g.e, t->first[d], more));
}

static LLVMValueRef row_at(rs_kernel *t, stencilrt_parameter_kind kind, LLVMValueRef y,
                           LLVMValueRef z) {
    LLVMBuilderRef b = t->g.e.b;
    int32_t grid = t->g.s->store_grid;
    LLVMValueRef at = LLVMBuildMul(b, y, sg_stride_of(&t->g, grid, 1), "");
    if (z)
        at = LLVMBuildAdd(b, at, LLVMBuildMul(b, z, sg_stride_of(&t->g, grid, 2), ""), "");
    return sg_at(&t->g, sg_moving(&t->g, kind), at);
}

/* The lane's cells of a row of the domain, or of the nearest one that the program has. */
void rs_load_cells(rs_kernel *t, LLVMValueRef y, LLVMValueRef z, LLVMValueRef *out) {
    LLVMValueRef from = row_at(t, STENCILRT_ARG_SRC, clamp(t, 1, y), clamp(t, 2, z));
    for (int k = 0; k < t->V; k++) {
        LLVMValueRef p = sg_at(&t->g, from, clamped(t, 0, k));
        out[k] = LLVMBuildLoad2(t->g.e.b, t->g.element, p, "");
    }
}

static void load_row(rs_kernel *t, int w, int u) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef z = t->g.s->rank == 3 ? clamped(t, 2, w) : NULL;
    LLVMValueRef from = row_at(t, STENCILRT_ARG_SRC, clamped(t, 1, u), z);
    for (int k = 0; k < t->V; k++) {
        LLVMValueRef p = sg_at(&t->g, from, clamped(t, 0, k));
        rs_set(t, t->cells[rs_row(t, w, u)][k], LLVMBuildLoad2(b, t->g.element, p, ""));
    }
}

void rs_load_all(rs_kernel *t) {
    for (int w = 0; w < t->RZ; w++)
        for (int u = 0; u < t->RY; u++)
            load_row(t, w, u);
}

LLVMValueRef rs_is_own(rs_kernel *t, int d, int more) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef at = gen_add32(&t->g.e, t->in_tile[d], more);
    at = LLVMBuildSub(b, at, t->margin[d], "");
    LLVMValueRef own = LLVMBuildICmp(b, LLVMIntULT, at, t->own[d], "");
    return LLVMBuildAnd(b, own, LLVMBuildNot(b, rs_is_outside(t, d, more), ""), "");
}

static void store_row(rs_kernel *t, int w, int u) {
    LLVMBuilderRef b = t->g.e.b;
    bool deep = t->g.s->rank == 3;
    LLVMValueRef rows[] = {rs_is_own(t, 1, u), deep ? rs_is_own(t, 2, w) : NULL};
    LLVMBasicBlockRef after = rs_begin_if(t, rs_all(t, rows, 1 + deep), "store");
    LLVMValueRef y = gen_extend(&t->g.e, gen_add32(&t->g.e, t->first[1], u));
    LLVMValueRef z = deep ? gen_extend(&t->g.e, gen_add32(&t->g.e, t->first[2], w)) : NULL;
    LLVMValueRef to = row_at(t, STENCILRT_ARG_DST, y, z);
    for (int k = 0; k < t->V; k++) {
        LLVMBasicBlockRef stored = rs_begin_if(t, rs_is_own(t, 0, k), "store.cell");
        LLVMValueRef x = gen_extend(&t->g.e, gen_add32(&t->g.e, t->first[0], k));
        LLVMBuildStore(b, rs_get(t, t->cells[rs_row(t, w, u)][k]), sg_at(&t->g, to, x));
        gen_end_if(&t->g.e, stored);
    }
    gen_end_if(&t->g.e, after);
}

void rs_store_all(rs_kernel *t) {
    for (int w = 0; w < t->RZ; w++)
        for (int u = 0; u < t->RY; u++)
            store_row(t, w, u);
}
