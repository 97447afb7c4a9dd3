/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Neighbours from memory, through L1: each thread loads what its own cells read, each once.
 */
#include "block_gen.h"

static LLVMValueRef address_at_face(blk_gen *g, const blk_tap *t) {
    LLVMValueRef at[ST_MAX_RANK];
    for (int d = 0; d < g->s->rank; d++)
        at[d] = blk_plus(g, g->axes[d].first, t->offset[d]);
    return blk_folded_address(g, t, at);
}

static LLVMValueRef tap(blk_gen *g, const blk_tap *t) {
    LLVMValueRef p = t->faces ? address_at_face(g, t) : blk_tap_address(g, t);
    return blk_load_cell(g, t->grid, p);
}

const blk_source blk_l1 = {.name = "l1", .scope = BLK_THREAD, .tap = tap};
