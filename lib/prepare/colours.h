/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sweeps over cells of one colour of two, as of a chess board (red-black Gauss-Seidel): each row
 * begins at another column than the one before,
 *
 *     for (i = 1; i < n; i++) for (j = 1 + (i + colour) % 2; j < m; j += 2) ...
 *
 * Such a nest becomes two, one over the even rows and one over the odd ones. Cells of one colour do
 * not depend on each other, so their order does not matter.
 */
#ifndef STENCILOPT_COLOURS_H
#define STENCILOPT_COLOURS_H

#include "bridge/bridge.h"

/* Is it the lowest bit of a number, or a remainder by two? */
bool prep_is_parity(LLVMValueRef i);
/* rounds.c. Is a number even or odd in the loop, or does a bit alternate there? */
bool prep_asks_parity(br_loop l);
/* Does the loop contain such a nest, or is it one, as far as it is seen at once? */
bool prep_has_colours(br_function *f, br_loop l);
/* rounds.c. Are there loops of two rounds that hold a loop nest, one round for each colour, in the
 * loop, or is it one? Such nests are seen when rounds are unrolled. With `mark`, marks them for
 * that. */
bool prep_mark_rounds(br_function *f, br_loop l, bool mark);
/* Splits such nests among the loops that `of` dominates. False if one of them must not be split, or
 * if there is none; the function is then to be dropped. What is required of the loops' iterations
 * is asked in front of `mark` (apart.h). */
bool prep_split_colours(br_function *f, LLVMBasicBlockRef of, LLVMValueRef mark);

#endif
