/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An order of the cells of a grid as IR: from a number to the cell that it stands for. All values
 * are i32 and unsigned.
 */
#ifndef STENCILOPT_PLACE_H
#define STENCILOPT_PLACE_H

#include "order.h"

#include <llvm-c/Core.h>

/* A grid and what the order needs of it: the same for all threads, and so computed once. */
typedef struct place_grid {
    const order_plan *plan;
    LLVMValueRef width, height; /* cells; width * height is less than 2^31 */
    LLVMValueRef run;           /* cells of a full column, or of a full row of tiles */
    LLVMValueRef inverse;       /* of columns: float, a little less than 1 / run; or NULL */
} place_grid;

typedef struct place_cell {
    LLVMValueRef x, y;
} place_cell;

/* Is the grid narrow enough for the order? Those of more than 2^18 columns are not. NULL: all are.
 */
LLVMValueRef place_fits(LLVMBuilderRef b, const order_plan *plan, LLVMValueRef width);
place_grid place_prepare(LLVMBuilderRef b, const order_plan *plan, LLVMValueRef width,
                         LLVMValueRef height);
/* The cell of `number`, which is less than width * height. Adds blocks before `before`; b ends in
 * the last of them. */
place_cell place_emit(LLVMBuilderRef b, const place_grid *g, LLVMValueRef number,
                      LLVMBasicBlockRef before);

LLVMValueRef place_i32(LLVMBuilderRef b, uint64_t value);
LLVMValueRef place_min(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y);
/* The value of two ways, at their end. */
LLVMValueRef place_join(LLVMBuilderRef b, LLVMValueRef one, LLVMBasicBlockRef from_one,
                        LLVMValueRef other, LLVMBasicBlockRef from_other);

#endif
