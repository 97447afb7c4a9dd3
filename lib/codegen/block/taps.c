/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The cells that a body reads.
 */
#include "codegen/block/body.h"

#include <stdlib.h>
#include <string.h>

LLVMValueRef *blk_value_of(const blk_body *b, int32_t node, int cell) {
    return &b->values[(size_t)node * (size_t)b->cells + (size_t)cell];
}

int blk_cell_x(const blk_body *b, int cell) {
    return cell % b->g->p->vector;
}

int blk_cell_plane(const blk_body *b, int cell) {
    return cell / b->g->p->vector;
}

LLVMValueRef blk_take(blk_body *b, const blk_tap *t) {
    for (size_t i = 0; i < b->ntaps; i++)
        if (!memcmp(&b->taps[i].tap, t, sizeof *t))
            return b->taps[i].value;
    LLVMValueRef v = b->g->source->tap(b->g, t);
    b->taps = realloc(b->taps, (b->ntaps + 1) * sizeof *b->taps);
    b->taps[b->ntaps++] = (blk_tap_value){*t, v};
    return v;
}

/* Beyond such a border, cells of a thread that read the same place get different ones. */
static void keep_turned(const blk_body *b, blk_tap *t) {
    for (int d = 0; d < b->g->s->rank; d++)
        for (int high = 0; high < 2; high++)
            if (t->faces & ST_FACE(d, high) && b->g->s->boundary[d][high] == ST_TURN)
                t->turned[d] = t->offset[d];
}

void blk_tap_of(const blk_body *b, const st_access *a, int cell, blk_tap *out) {
    uint32_t fixed = b->g->s->grids[a->grid].broadcast;
    int dim = b->g->p->dim;
    memset(out, 0, sizeof *out);
    out->grid = a->grid;
    memcpy(out->offset, a->offset, sizeof out->offset);
    out->faces = b->g->interior ? 0 : a->faces;
    keep_turned(b, out);
    if (!(fixed & 1))
        out->offset[0] += blk_cell_x(b, cell);
    if (!(fixed >> dim & 1))
        out->offset[dim] += blk_cell_plane(b, cell);
}

LLVMValueRef blk_is_between(blk_gen *g, LLVMValueRef from, int at, LLVMValueRef to) {
    LLVMValueRef c = gen_int64(&g->e, at);
    LLVMValueRef after = blk_compare(g, LLVMIntSLE, from, c);
    return LLVMBuildAnd(g->e.b, after, blk_compare(g, LLVMIntSLE, c, to), "");
}
