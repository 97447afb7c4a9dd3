/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How a table of indices seems to be filled: see fills.c.
 */
#ifndef STENCILOPT_FILLS_H
#define STENCILOPT_FILLS_H

#include "bridge/bridge.h"

enum prep_fill_ends { FILL_OPEN, FILL_CLAMPED, FILL_PERIODIC };

/* Element i holds base + the index i + away, which at the ends is brought back into the indices of
 * the table: never, clamped, or from the other end. */
typedef struct prep_fill {
    int64_t away, base;
    enum prep_fill_ends ends;
} prep_fill;

/* Guesses how the table is filled from which a load of the function reads. False: no store of the
 * module tells. Nothing is proven: others may write the table, too. */
bool prep_guess_fill(br_function *f, LLVMValueRef load, prep_fill *out);

#endif
