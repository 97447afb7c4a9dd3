/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Nodes of a packed stencil (lib/model/rewrite/pack.h) as operations on i32 words. The words of a
 * row of a node are numbered along x; those of a group are next to each other. A node that is
 * computed cell by cell has its cells instead. For the files of this folder.
 */
#ifndef STENCILOPT_PACKED_H
#define STENCILOPT_PACKED_H

#include "codegen/expr.h"
#include "model/rewrite/pack.h"

/* The generator's side: what it computes words of, for one place of the output. */
typedef struct gen_packed {
    const gen_expr *e;
    const st_stencil *s;
    const pk_pack *p;
    void *context;
    /* Word or cell k of a node. */
    LLVMValueRef (*value)(void *context, int32_t number, int k);
    /* Word k of the row of the grid's cells that an access is to, its offset along x aside. */
    LLVMValueRef (*row)(void *context, int32_t number, int k);
    /* Is the node computed here, so that its operands are there? NULL: all are. */
    bool (*is_computed)(void *context, int32_t number);
} gen_packed;

/* Word k of a packed inner node or of an access of the rotating grid. */
LLVMValueRef gen_packed_word(const gen_packed *g, int32_t number, int k);
/* Cell k of any node, as a value of its type. */
LLVMValueRef gen_packed_cell(const gen_packed *g, int32_t number, int k);
/* Word k of the cells that the statement stores. */
LLVMValueRef gen_packed_stored(const gen_packed *g, int k);

/* Cell `j` of those in the grid's word, as an integer of the cell's bits. */
LLVMValueRef gen_cell_of_word(const gen_expr *e, LLVMValueRef word, int bits, int j);
/* All ones in the fields of `bits` bits for which the lowest 32 / `bits` bits of `set` are set. */
LLVMValueRef gen_spread_bits(const gen_expr *e, LLVMValueRef set, int bits);
/* a where the mask's bits are set, b elsewhere. */
LLVMValueRef gen_blend(const gen_expr *e, LLVMValueRef mask, LLVMValueRef a, LLVMValueRef b);

#endif
