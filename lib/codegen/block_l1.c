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
        bool same = a->grid == t->grid;
        for (int d = 0; d < g->s->rank; d++)
            same &= d == dim || a->offset[d] == t->offset[d];
        if (!same)
            continue;
        *low = !found || a->offset[dim] < *low ? a->offset[dim] : *low;
        *high = !found || a->offset[dim] > *high ? a->offset[dim] : *high;
        found = true;
    }
}

static LLVMValueRef border_address(blk_gen *g, const blk_tap *t) {
    int32_t low = 0, high = 0;
    int dim = g->p->dim;
    blk_tap here = *t;
    here.offset[dim] = 0;
    LLVMValueRef p = blk_tap_address(g, &here), plane = gen_int64(&g->e, t->offset[dim]);
    column_reach(g, t, &low, &high);
    plane = blk_least(g, plane, blk_plus(g, g->to, high));
    plane = blk_greatest(g, plane, blk_plus(g, g->from, low));
    return blk_bytes(g, p, LLVMBuildMul(g->e.b, plane, g->stride[t->grid][dim], ""));
}

static LLVMValueRef tap(blk_gen *g, const blk_tap *t) {
    bool moves = !(g->s->grids[t->grid].broadcast >> g->p->dim & 1);
    LLVMValueRef p = g->interior || !moves ? blk_tap_address(g, t) : border_address(g, t);
    return blk_load_cell(g, t->grid, p);
}

const blk_source blk_l1 = {.name = "l1", .scope = BLK_THREAD, .tap = tap};
