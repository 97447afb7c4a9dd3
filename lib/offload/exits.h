/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where a region's loops are left, and the values that are used behind them.
 */
#ifndef STENCILOPT_EXITS_H
#define STENCILOPT_EXITS_H

#include "offload/emit.h"

enum { MAX_EXITS = ST_LIMIT(64, 1) };

/* The values that are used behind the loops: phis in the blocks behind them. */
typedef struct exits {
    /* NULL in `value`: known only after the runtime's call. */
    LLVMValueRef phi[MAX_EXITS], value[MAX_EXITS];
    LLVMBasicBlockRef from[MAX_EXITS]; /* the block from which control leaves the loops */
    unsigned count;
} exits;

/* Can all of these values be computed without running the loops? */
bool exits_known(const rewriter *w);
void exits_compute(const rewriter *w, exits *e);
/* The block to which the exit with this number leads. */
LLVMBasicBlockRef exits_block(const rewriter *w, int exit);
/* Leaves the loops by the exit that the runtime's `check` tells. Begins in the builder's block. */
void exits_leave(rewriter *w, const exits *e, LLVMValueRef check);
LLVMValueRef emit_incoming(LLVMValueRef phi, LLVMBasicBlockRef block);

#endif
