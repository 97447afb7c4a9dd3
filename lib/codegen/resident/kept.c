/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the steps of a resident kernel read beside the grid that stays: values of grids that are
 * only read, which threads keep from the first step to the last, and scalars, which may change each
 * step.
 */
#include "codegen/resident/resident.h"

#include <stdlib.h>

static bool is_kept(const rs_kernel *t, size_t access) {
    return t->g.s->accesses[access].grid != t->g.s->store_grid;
}

static LLVMValueRef *place(rs_kernel *t, size_t access, int row, int k) {
    return &t->kept[(access * RS_ROWS + (size_t)row) * RS_CELLS + (size_t)k];
}

static void make_kept_of(rs_kernel *t, size_t access) {
    const st_stencil *s = t->g.s;
    LLVMTypeRef type = gen_type(&t->g.e, s->grids[s->accesses[access].grid].type);
    for (int row = 0; row < t->RZ * t->RY; row++)
        for (int k = 0; k < t->V; k++)
            *place(t, access, row, k) = rs_variable(t, type, NULL);
}

/* The variables of values that are kept, and of scalars that change each step. */
void rs_make_kept(rs_kernel *t) {
    const st_stencil *s = t->g.s;
    t->kept = calloc(s->naccesses * RS_ROWS * RS_CELLS + 1, sizeof *t->kept);
    t->scalars = calloc(s->nscalars + 1, sizeof *t->scalars);
    for (size_t i = 0; i < s->naccesses; i++)
        if (is_kept(t, i))
            make_kept_of(t, i);
    for (size_t i = 0; i < s->nscalars; i++)
        if (s->scalars[i].stepped) {
            LLVMValueRef first = sg_scalar(&t->g, i, false);
            t->scalars[i] = rs_variable(t, LLVMTypeOf(first), first);
        }
}

/* i64: the cell's coordinate along d, or the nearest one in the domain. What cells outside it would
 * read is of no use, and need not be in memory. */
static LLVMValueRef nearest(rs_kernel *t, int d, int more) {
    LLVMValueRef at = gen_add32(&t->g.e, t->first[d], more);
    at = gen_greater(&t->g.e, at, gen_int32(&t->g.e, 0));
    at = gen_smaller(&t->g.e, gen_add32(&t->g.e, t->extent[d], -1), at);
    return gen_extend(&t->g.e, at);
}

static LLVMValueRef load_one(rs_kernel *t, const st_access *a, const int more[3]) {
    LLVMBuilderRef b = t->g.e.b;
    const st_grid *grid = &t->g.s->grids[a->grid];
    LLVMTypeRef element = gen_type(&t->g.e, grid->type);
    LLVMValueRef index = gen_int64(&t->g.e, a->offset[0]);
    for (int d = 0; d < t->g.s->rank; d++) {
        if (grid->broadcast >> d & 1)
            continue;
        LLVMValueRef at = nearest(t, d, more[d]);
        if (d > 0) {
            at = LLVMBuildAdd(b, at, gen_int64(&t->g.e, a->offset[d]), "");
            at = LLVMBuildMul(b, at, sg_stride_of(&t->g, a->grid, d), "");
        }
        index = LLVMBuildAdd(b, index, at, "");
    }
    LLVMValueRef from = gen_element(&t->g.e, element, sg_port(&t->g, a), index);
    return gen_load(&t->g.e, element, from, st_type_size(grid->type));
}

static void load_kept_of(rs_kernel *t, size_t access) {
    const st_access *a = &t->g.s->accesses[access];
    for (int w = 0; w < t->RZ; w++)
        for (int u = 0; u < t->RY; u++)
            for (int k = 0; k < t->V; k++)
                rs_set(t, *place(t, access, rs_row(t, w, u), k),
                       load_one(t, a, (const int[]){k, u, w}));
}

void rs_load_kept(rs_kernel *t) {
    for (size_t i = 0; i < t->g.s->naccesses; i++)
        if (is_kept(t, i))
            load_kept_of(t, i);
}

LLVMValueRef rs_kept(rs_kernel *t, int32_t access, int row, int k) {
    return rs_get(t, *place(t, (size_t)access, row, k));
}

/* What the scalar is in this step. */
LLVMValueRef rs_scalar(rs_kernel *t, int32_t number) {
    const st_scalar *scalar = &t->g.s->scalars[number];
    LLVMValueRef v =
        scalar->stepped ? rs_get(t, t->scalars[number]) : sg_scalar(&t->g, (size_t)number, false);
    return scalar->type == ST_I1 ? LLVMBuildTrunc(t->g.e.b, v, gen_type(&t->g.e, ST_I1), "") : v;
}

void rs_next_scalars(rs_kernel *t) {
    for (size_t i = 0; i < t->g.s->nscalars; i++)
        if (t->g.s->scalars[i].stepped) {
            LLVMValueRef now = rs_get(t, t->scalars[i]), more = sg_scalar(&t->g, i, true);
            rs_set(t, t->scalars[i], LLVMBuildAdd(t->g.e.b, now, more, ""));
        }
}
