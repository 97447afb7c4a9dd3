/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rows of cells of one colour: a loop over every other cell, and the loops around it, whose
 * iterations decide at which of two cells the row begins.
 */
#ifndef STENCILOPT_PREPARE_ROWS_H
#define STENCILOPT_PREPARE_ROWS_H

#include "bridge/bridge.h"

enum { ROWS_MAX_AROUND = 4, ROWS_MOST_FIRST = 1 << 20 };

typedef struct prep_rows {
    br_function *f;
    br_loop inner, around[ROWS_MAX_AROUND]; /* from the inside out */
    int naround;
    uint32_t loops; /* of those around, whose iterations together are even or odd; bits */
    LLVMValueRef counter, next; /* of the inner loop, which steps by two */
    LLVMValueRef first;         /* where it begins, */
    int64_t at[2];              /* in rows where the sum is even, and where it is odd */
    LLVMValueRef guard, bound;  /* the branch around the loop, or NULL; the number compared with */
    unsigned side;              /* the guard's operand that is where the loop begins, */
    int64_t shift;              /* or so many cells further: x <= n is x - 1 < n */
} prep_rows;

/* The value in rows where the sum of iterations is even (0), or odd (1), if it is a small number.
 */
bool rows_number(prep_rows *m, LLVMValueRef v, int odd, int64_t *out);
bool rows_is_constant(LLVMValueRef v, uint64_t number);
/* Of a comparison that holds where a number is below `bound`: that it is less, or that it may also
 * be equal; signed or not. 0: it is another one. */
LLVMIntPredicate rows_below(LLVMValueRef c, bool holds, unsigned *side);
bool rows_may_be_equal(LLVMIntPredicate p); /* of what rows_below returns */
bool rows_is_signed(LLVMIntPredicate p);
/* Does the number become c - number in the next iteration, or number ^ c? */
bool rows_take_turns(LLVMValueRef next, LLVMValueRef number);
/* Lets rows whose iterations are counted down count upwards. False: they do so already, or do not
 * count down to their end. */
bool rows_count_upwards(prep_rows *m);

#endif
