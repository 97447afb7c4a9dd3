/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Neighbours from memory, through L1: each thread loads what its own cells read, each once.
 *
 * At the border a plane that only cells outside read is replaced by the nearest that cells inside
 * do: by those that have the same offset in the other dimensions.
 */
#include "block_gen.h"

/* The least and greatest offset along the plan's dimension of accesses in the tap's column. */
static void column_reach(const blk_gen *g, const blk_tap *t, int32_t *low, int32_t *high) {
    int dim = g->p->dim;
    bool found = false;
    for (size_t i = 0; i < g->s->naccesses; i++) {
        const st_access *a = &g->s->accesses[i];
        bool same = a->grid == t->grid && a->faces == t->faces;
        for (int d = 0; d < g->s->rank; d++)
            same &= d == dim || a->offset[d] == t->offset[d];
        if (!same)
            continue;
        *low = !found || a->offset[dim] < *low ? a->offset[dim] : *low;
        *high = !found || a->offset[dim] > *high ? a->offset[dim] : *high;
        found = true;
    }
}

/* Of a plane so far from the first cell. */
static LLVMValueRef border_address(blk_gen *g, const blk_tap *t, LLVMValueRef plane) {
    int dim = g->p->dim;
    blk_tap here = *t;
    here.offset[dim] = 0;
    LLVMValueRef p = blk_tap_address(g, &here);
    return blk_bytes(g, p, LLVMBuildMul(g->e.b, plane, g->stride[t->grid][dim], ""));
}

static LLVMValueRef folded_address(blk_gen *g, const blk_tap *t, LLVMValueRef plane) {
    LLVMValueRef at[ST_MAX_RANK];
    for (int d = 0; d < g->s->rank; d++)
        at[d] = d == g->p->dim ? blk_add(g, g->axes[d].first, plane)
                               : blk_plus(g, g->axes[d].first, t->offset[d]);
    blk_fold(g, t->faces, at);
    return blk_address(g, t->grid, at);
}

static LLVMValueRef border_tap(blk_gen *g, const blk_tap *t) {
    int32_t low = 0, high = 0;
    LLVMValueRef plane = gen_int64(&g->e, t->offset[g->p->dim]);
    column_reach(g, t, &low, &high);
    plane = blk_least(g, plane, blk_plus(g, g->to, high));
    plane = blk_greatest(g, plane, blk_plus(g, g->from, low));
    LLVMValueRef p = t->faces ? folded_address(g, t, plane) : border_address(g, t, plane);
    return blk_load_cell(g, t->grid, p);
}

static LLVMValueRef tap(blk_gen *g, const blk_tap *t) {
    bool moves = !(g->s->grids[t->grid].broadcast >> g->p->dim & 1);
    if (!g->interior && (moves || t->faces))
        return border_tap(g, t);
    return blk_load_cell(g, t->grid, blk_tap_address(g, t));
}

const blk_source blk_l1 = {.name = "l1", .scope = BLK_THREAD, .tap = tap};
