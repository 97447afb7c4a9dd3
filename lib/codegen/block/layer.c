/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which cells the threads of a block read together, and how they are loaded: all at once, a plane
 * at a time, or each by the thread that needs it.
 */
#include "codegen/block/layer.h"

#include <stdlib.h>
#include <string.h>

static bool has_planes(const blk_gen *g, int32_t grid) {
    return !(g->s->grids[grid].broadcast >> g->p->dim & 1);
}

/* The tap by which the thread's cell number `cell` makes the access. */
static blk_tap tap_of(const blk_gen *g, const st_access *a, int cell) {
    blk_tap t = {.grid = a->grid};
    memcpy(t.offset, a->offset, sizeof t.offset);
    t.offset[g->p->dim] += has_planes(g, a->grid) ? cell : 0;
    return t;
}

static void add_tap(const blk_gen *g, blk_layer *l, const blk_tap *t) {
    for (int d = 0; d < ST_MAX_RANK; d++) {
        l->least[d] = !l->ntaps || t->offset[d] < l->least[d] ? t->offset[d] : l->least[d];
        l->most[d] = !l->ntaps || t->offset[d] > l->most[d] ? t->offset[d] : l->most[d];
        l->shared |=
            t->offset[d] && (d != g->p->dim || g->s->rank == 1) && !g->s->grids[t->grid].broadcast;
    }
    l->taps[l->ntaps++] = *t;
}

bool blk_layer_find(const blk_gen *g, int32_t grid, const int *plane, blk_layer *out) {
    int cells = g->axes[g->p->dim].cells;
    *out = (blk_layer){.grid = grid, .whole = !plane, .plane = plane ? *plane : 0};
    out->taps = malloc(g->s->naccesses * (size_t)cells * sizeof *out->taps);
    for (size_t i = 0; i < g->s->naccesses; i++)
        for (int c = 0; c < cells && g->s->accesses[i].grid == grid; c++) {
            blk_tap t = tap_of(g, &g->s->accesses[i], c);
            if (!plane || (has_planes(g, grid) ? t.offset[g->p->dim] : 0) == *plane)
                add_tap(g, out, &t);
        }
    if (!out->ntaps)
        blk_layer_free(out);
    return out->ntaps > 0;
}

bool blk_layer_has(const blk_gen *g, const blk_layer *l, const blk_tap *t) {
    return l->grid == t->grid && (l->whole || l->plane == t->offset[g->p->dim]);
}

void blk_layer_free(blk_layer *l) {
    free(l->taps);
    l->taps = NULL;
}

static bool has_tap(const blk_layer *l, const int32_t offset[ST_MAX_RANK]) {
    for (size_t i = 0; i < l->ntaps; i++)
        if (!memcmp(l->taps[i].offset, offset, sizeof l->taps[i].offset))
            return true;
    return false;
}

bool blk_layer_is_box(const blk_layer *l) {
    int32_t o[ST_MAX_RANK];
    for (o[2] = l->least[2]; o[2] <= l->most[2]; o[2]++)
        for (o[1] = l->least[1]; o[1] <= l->most[1]; o[1]++)
            for (o[0] = l->least[0]; o[0] <= l->most[0]; o[0]++)
                if (!has_tap(l, o))
                    return false;
    return true;
}

/* Do all accesses that reach across a face with a boundary rule follow the rule? Else one cell
 * outside would have two values. */
static bool follows_rules(const st_stencil *s, const st_access *a) {
    for (int d = 0; d < s->rank; d++) {
        int high = a->offset[d] > 0;
        bool rule = a->offset[d] && s->boundary[d][high] != ST_NO_RULE;
        if (rule && !(a->faces & ST_FACE(d, high)))
            return false;
    }
    return true;
}

bool blk_layers_clamp(const blk_gen *g) {
    for (size_t i = 0; i < g->s->ngrids; i++) {
        blk_layer l;
        if (!blk_layer_find(g, (int32_t)i, NULL, &l))
            continue;
        blk_layer_free(&l);
        bool good = !l.shared || blk_can_clamp(g->s, (int32_t)i);
        for (size_t k = 0; k < g->s->naccesses && good && l.shared; k++)
            good = g->s->accesses[k].grid != (int32_t)i || follows_rules(g->s, &g->s->accesses[k]);
        if (!good)
            return false;
    }
    return true;
}

LLVMBasicBlockRef blk_begin_if(blk_gen *g, LLVMValueRef condition) {
    return gen_begin_if(&g->e, g->function, condition, "some", "all");
}

LLVMValueRef blk_end_if(blk_gen *g, LLVMBasicBlockRef all, LLVMBasicBlockRef before,
                        LLVMValueRef v) {
    LLVMBasicBlockRef from[] = {LLVMGetInsertBlock(g->e.b), before};
    LLVMBuildBr(g->e.b, all);
    LLVMPositionBuilderAtEnd(g->e.b, all);
    if (!v)
        return NULL;
    LLVMValueRef values[] = {v, LLVMConstNull(LLVMTypeOf(v))};
    LLVMValueRef phi = LLVMBuildPhi(g->e.b, LLVMTypeOf(v), "");
    LLVMAddIncoming(phi, values, from, 2);
    return phi;
}

LLVMValueRef blk_address_at(blk_gen *g, int32_t grid, LLVMValueRef coordinate[], bool clamp) {
    if (!g->interior || clamp)
        blk_clamp(g, grid, coordinate);
    if (!g->interior)
        blk_fold(g, ~0u, NULL, coordinate);
    return blk_address(g, grid, coordinate);
}

LLVMValueRef blk_load_if(blk_gen *g, int32_t grid, LLVMValueRef address, LLVMValueRef condition) {
    if (!condition)
        return blk_load_cell(g, grid, address);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->e.b), all = blk_begin_if(g, condition);
    return blk_end_if(g, all, before, blk_load_cell(g, grid, address));
}

/* A plane that only cells outside read is replaced by the nearest that cells inside do: by those
 * that have the same offset in the other dimensions. */
static LLVMValueRef border_address(blk_gen *g, const blk_tap *t) {
    LLVMValueRef at[ST_MAX_RANK];
    int32_t low = 0, high = 0;
    int dim = g->p->dim;
    for (int d = 0; d < g->s->rank; d++)
        at[d] = blk_plus(g, g->axes[d].first, t->offset[d]);
    if (!(g->s->grids[t->grid].broadcast >> dim & 1)) {
        LLVMValueRef plane = gen_int64(&g->e, t->offset[dim]);
        blk_tap_reach(g, t, g->p->dim, &low, &high);
        plane = blk_least(g, plane, blk_plus(g, g->to, high));
        plane = blk_greatest(g, plane, blk_plus(g, g->from, low));
        at[dim] = blk_add(g, g->axes[dim].first, plane);
    }
    return blk_folded_address(g, t, at);
}

LLVMValueRef blk_load_own(blk_gen *g, const blk_tap *t) {
    if (g->interior)
        return blk_l1.tap(g, t);
    LLVMValueRef some = LLVMBuildICmp(g->e.b, LLVMIntSLE, g->from, g->to, "");
    some = LLVMBuildAnd(g->e.b, some, g->active, "");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->e.b), all = blk_begin_if(g, some);
    return blk_end_if(g, all, before, blk_load_cell(g, t->grid, border_address(g, t)));
}
