/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loads in front of a nest what the nest reads and does not write: see lib/detect/host/loads.c.
 */
#include "offload/list.h"

void emit_bounds(const rewriter *w, size_t k, size_t grid, int buffer, LLVMValueRef ends[2]) {
    const st_stencil *s = w->r->stencil;
    const host_grid *g = &w->r->grids[grid];
    LLVMValueRef size = emit_int(w, (int64_t)st_type_size(s->grids[grid].type)),
                 zero = emit_int(w, 0);
    ends[0] = LLVMBuildPtrToInt(w->b, emit_address(w, g->origin[buffer]), emit_i64(w), "");
    ends[1] = LLVMBuildAdd(w->b, ends[0], size, "");
    for (int d = 0; d < s->rank; d++) {
        LLVMValueRef last = LLVMBuildSub(w->b, w->extent[k][d], emit_int(w, 1), "");
        LLVMValueRef span = LLVMBuildMul(w->b, last, emit_poly(w, g->stride[d]), "");
        LLVMValueRef down = LLVMBuildICmp(w->b, LLVMIntSLT, span, zero, "");
        ends[0] = LLVMBuildAdd(w->b, ends[0], LLVMBuildSelect(w->b, down, span, zero, ""), "");
        ends[1] = LLVMBuildAdd(w->b, ends[1], LLVMBuildSelect(w->b, down, zero, span, ""), "");
    }
}

/* Tests that none of the 8 bytes at `at` is written. */
static LLVMValueRef emit_apart(const rewriter *w, LLVMValueRef at) {
    const host_region *r = w->r;
    const st_stencil *s = r->stencil;
    LLVMValueRef all = NULL, ends[2], end = LLVMBuildAdd(w->b, at, emit_int(w, 8), "");
    for (uint32_t k = 0; k < s->grids[s->store_grid].buffers; k++) {
        emit_bounds(w, 0, (size_t)s->store_grid, (int)k, ends);
        LLVMValueRef before = LLVMBuildICmp(w->b, LLVMIntULE, end, ends[0], "");
        LLVMValueRef behind = LLVMBuildICmp(w->b, LLVMIntUGE, at, ends[1], "");
        all = emit_also(w, all, LLVMBuildOr(w->b, before, behind, ""));
    }
    return all;
}

/* Loads from p if the nest runs, because only then the memory surely exists; otherwise from `none`.
 */
static LLVMValueRef emit_load(const rewriter *w, const host_load *l, LLVMValueRef p) {
    LLVMValueRef v = LLVMBuildLoad2(w->b, LLVMTypeOf(l->value), p, "");
    LLVMSetAlignment(v, l->alignment < 8 ? l->alignment : 8);
    return v;
}

void emit_loads(rewriter *w, LLVMValueRef runs) {
    host_region *r = w->r;
    LLVMValueRef at[HOST_MAX_LOADS];
    LLVMValueRef none = r->nloads ? emit_array(w, emit_i64(w), 1) : NULL;
    if (none)
        LLVMBuildStore(w->b, emit_int(w, 0), none);
    for (size_t k = 0; k < w->values->count; k++) {
        const list_value *address = &w->values->at[k];
        if (address->role != LIST_LOAD || address->sweep != 0)
            continue;
        size_t i = address->index;
        host_load *l = &r->loads[i];
        LLVMValueRef p = list_emit(w, address), stood = l->value;
        at[i] = LLVMBuildPtrToInt(w->b, p, emit_i64(w), "");
        LLVMValueRef v = emit_load(w, l, LLVMBuildSelect(w->b, runs, p, none, ""));
        l->value = NULL;
        LLVMReplaceAllUsesWith(stood, v);
        LLVMInstructionEraseFromParent(stood);
    }
    for (int i = 0; i < r->nloads; i++)
        if (!emit_keep(w, at[i]))
            w->apart = emit_also(w, w->apart, emit_apart(w, at[i]));
}
