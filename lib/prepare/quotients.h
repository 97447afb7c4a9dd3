/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Shifts in a loop that divide a sum of products, as flang writes the distance of a row in elements
 * at -O3: (row * i) >> 3. See quotients.c.
 */
#ifndef STENCILOPT_QUOTIENTS_H
#define STENCILOPT_QUOTIENTS_H

#include "bridge/bridge.h"
#include "model/fixed_limits.h"

enum {
    QUOTIENTS_MAX = ST_LIMIT(64, 4),    /* shifts of a loop */
    QUOTIENTS_FACTORS = ST_LIMIT(32, 3) /* numbers that must be multiples */
};

typedef struct prep_quotients {
    br_function *f;
    br_loop l;
    struct {
        size_t block, place; /* in the loop's list of blocks, and in the block */
    } shift[QUOTIENTS_MAX];
    struct {
        LLVMValueRef value; /* does not change in the loop */
        unsigned by;        /* it must be a multiple of 2^by */
    } factor[QUOTIENTS_FACTORS];
    size_t count, factors;
} prep_quotients;

/* Finds the shifts of loop l, whose blocks these are, that can be written as sums of products. */
void prep_find_quotients(prep_quotients *q, br_function *f, br_loop l,
                         const LLVMBasicBlockRef *blocks, size_t count);
/* The condition under which all are these sums, before the instruction. NULL: there are none. */
LLVMValueRef prep_quotients_condition(const prep_quotients *q, LLVMBuilderRef b,
                                      LLVMValueRef in_front);
/* Writes them as sums in blocks that are copies of the loop's. */
void prep_write_quotients(const prep_quotients *q, const LLVMBasicBlockRef *copies);

#endif
