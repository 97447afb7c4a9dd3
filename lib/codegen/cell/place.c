/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where a cell is in an array. Its element number is a sum of terms, one for each coordinate. In
 * rows a term is the coordinate times a stride. In bricks it is the brick's place along the
 * dimension, and the cell's place in the brick (include/stencilopt/region.h).
 */
#include "codegen/cell/cell.h"

#include "plan/parameters.h"

bool gen_has_bricks(const gen_cell *g, size_t grid) {
    return g->p->brick[0] && !g->s->grids[grid].broadcast;
}

static LLVMValueRef stride(const gen_cell *g, size_t grid, int d) {
    return gen_stride(g->function, g->p, plan_stride_grid(g->p, g->s, grid), d);
}

static int log2_of(int n) {
    int log = 0;
    while (1 << log < n)
        log++;
    return log;
}

static LLVMValueRef term_in_bricks(const gen_cell *g, size_t grid, int d, LLVMValueRef cell) {
    LLVMBuilderRef b = g->e.b;
    const int8_t *brick = g->p->brick;
    const int inner[3] = {1, brick[0], brick[0] * brick[1]};
    LLVMValueRef next =
        d > 0 ? stride(g, grid, d) : gen_int64(&g->e, brick[0] * brick[1] * brick[2]);
    LLVMValueRef whole = LLVMBuildAShr(b, cell, gen_int64(&g->e, log2_of(brick[d])), "");
    LLVMValueRef part = LLVMBuildAnd(b, cell, gen_int64(&g->e, brick[d] - 1), "");
    return LLVMBuildAdd(b, LLVMBuildMul(b, whole, next, ""),
                        LLVMBuildMul(b, part, gen_int64(&g->e, inner[d]), ""), "");
}

LLVMValueRef gen_cell_term(const gen_cell *g, size_t grid, int d, LLVMValueRef cell) {
    if (gen_has_bricks(g, grid))
        return term_in_bricks(g, grid, d, cell);
    return d > 0 ? LLVMBuildMul(g->e.b, cell, stride(g, grid, d), "") : cell;
}
