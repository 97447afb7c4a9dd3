/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * That arrays, and the rows of an array, lie apart: see apart.c.
 */
#ifndef STENCILOPT_APART_H
#define STENCILOPT_APART_H

#include "bridge/bridge.h"

/* Lets control come to the branch on the mark only where the condition, which is known in front of
 * it, holds. br_function_invalidate is to be called. */
void prep_require(LLVMValueRef mark, LLVMValueRef condition);
/* Lets control come to the branch on the mark, which leads to loop l or past it, only where l
 * stores nothing that it accesses through another pointer. False: that cannot be tested in front.
 */
bool prep_require_apart(br_function *f, LLVMValueRef mark, br_loop l);
/* Two nests over every other row of an array, and in it over every other cell: how often the rows'
 * loops go back; the bytes from row to row, and from cell to cell, of a nest; how many columns of
 * the array the second nest begins to the side of the first; the most columns to the side from
 * which a cell is read. */
typedef struct prep_columns {
    br_scev back[2], row, cell;
    int by, reach;
} prep_columns;

/* Lets control come to the branch on the mark only if both nests' columns, and those that are read
 * beside them, are fewer than a row of the array has. Else a cell beside a row would be one of
 * another row. False: that cannot be tested in front. */
bool prep_require_columns(br_function *f, const prep_columns *columns, LLVMValueRef mark);

#endif
