/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An order of the cells of a grid as IR: from a number to the cell that it stands for. All values
 * are i32 and unsigned.
 */
#ifndef STENCILOPT_PLACE_H
#define STENCILOPT_PLACE_H

#include "plan/order/order.h"

#include <llvm-c/Core.h>

/* A grid, with the values that the order needs. They are the same for all threads, so they are
 * computed once. */
typedef struct place_grid {
    const order_plan *plan;
    LLVMValueRef width, height; /* cells; width * height is less than 2^31 */
    LLVMValueRef run;           /* cells of a full column, or of a full row of tiles */
    LLVMValueRef inverse;       /* of columns: float, a little less than 1 / run; or NULL */
} place_grid;

typedef struct place_cell {
    LLVMValueRef x, y;
} place_cell;

/* Blocks whose branches to `end` are still missing: the two in which the cell of a number that
 * moves is computed, with that cell, and the block of numbers that stay. */
typedef struct place_ways {
    LLVMBasicBlockRef from[2], keep, end;
    place_cell cell[2];
} place_ways;

/* place_fits: is the grid narrow enough for place_divide? place_matters: has it more than one
 * column? In one column the order is that of rows. NULL: always. */
LLVMValueRef place_fits(LLVMBuilderRef b, const order_plan *plan, LLVMValueRef width);
LLVMValueRef place_matters(LLVMBuilderRef b, const order_plan *plan, LLVMValueRef width);
place_grid place_prepare(LLVMBuilderRef b, const order_plan *plan, LLVMValueRef width,
                         LLVMValueRef height);
/* Where `moves` holds, the number is less than width * height, and its cell is computed. Otherwise
 * control goes to `keep`, which is not the last block. Ends b's block with a branch. The caller
 * completes keep and end, and may add to the blocks of each way, before their ends. */
place_ways place_branch(LLVMBuilderRef b, const place_grid *g, LLVMValueRef number,
                        LLVMValueRef moves, LLVMBasicBlockRef keep);
LLVMBasicBlockRef place_add_block(LLVMBasicBlockRef before, const char *name);
/* In `end`, at its start: what the ways bring. */
LLVMValueRef place_join(LLVMBuilderRef b, const place_ways *w, const LLVMValueRef moved[2],
                        LLVMValueRef kept);

enum { PLACE_QUOTIENTS = 1 << 18 };
/* n / d, fewer than PLACE_QUOTIENTS, by the inverse of d (place_inverse); *rest becomes n mod d. */
LLVMValueRef place_divide(LLVMBuilderRef b, LLVMValueRef n, LLVMValueRef d, LLVMValueRef inverse,
                          LLVMValueRef *rest);
/* NULL where the rounding mode may be another one: place_divide then divides integers. */
LLVMValueRef place_inverse(LLVMBuilderRef b, LLVMValueRef d);

LLVMValueRef place_i32(LLVMBuilderRef b, uint64_t value);
LLVMValueRef place_min(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y);

#endif
