/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A body under construction: what is known of each of the thread's cells so far.
 */
#ifndef STENCILOPT_BLOCK_BODY_H
#define STENCILOPT_BLOCK_BODY_H

#include "codegen/block/gen.h"

typedef struct blk_tap_value {
    blk_tap tap;
    LLVMValueRef value;
} blk_tap_value;

typedef struct blk_known_value {
    const st_node *node; /* its operation; the operands are values: */
    LLVMValueRef args[3], value;
} blk_known_value;

typedef struct blk_body {
    blk_gen *g;
    int cells;            /* x first */
    LLVMValueRef *values; /* node * cells */
    bool *stored;         /* [rows of cells] */
    LLVMValueRef *to;     /* by output: address of the first cell of the row that is stored */
    blk_tap_value *taps;
    size_t ntaps;
    blk_known_value *known; /* a hash table of a power of two of entries */
    size_t capacity;
} blk_body;

/* The value of a node for one of the cells; NULL: not known yet. */
LLVMValueRef *blk_value_of(const blk_body *b, int32_t node, int cell);
/* Where a cell is, from the thread's first: along x, and along the plan's dimension. */
int blk_cell_x(const blk_body *b, int cell);
int blk_cell_plane(const blk_body *b, int cell);
/* What the cell reads by the access. */
void blk_tap_of(const blk_body *b, const st_access *a, int cell, blk_tap *out);
/* The value of a cell that is read; the body loads it once. */
LLVMValueRef blk_take(blk_body *b, const blk_tap *t);
/* i1: is number `at`, from the thread's first cell, one of those inside? */
LLVMValueRef blk_is_between(blk_gen *g, LLVMValueRef from, int at, LLVMValueRef to);

/* The cells of a thread, from the start of block `at` on; then it branches to g->done. body.c */
void blk_emit_body(blk_gen *g, LLVMBasicBlockRef at, bool interior);

/* Reads under conditions, as soon as these are known for all cells. Was there one? guarded.c */
bool blk_load_guarded(blk_body *b);

#endif
