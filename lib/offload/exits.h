/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where a region's loops are left, and the values that are used behind them.
 */
#ifndef STENCILOPT_EXITS_H
#define STENCILOPT_EXITS_H

#include "offload/emit.h"

enum { MAX_EXITS = ST_LIMIT(64, 1) };

/* Values used after the loops: phis behind them. */
typedef struct exits {
    LLVMValueRef phi[MAX_EXITS], value[MAX_EXITS]; /* value NULL: it is told later */
    LLVMBasicBlockRef from[MAX_EXITS];             /* where the loops are left */
    unsigned count;
} exits;

/* Can all of these values be told without running the loops? */
bool exits_known(const rewriter *w);
void exits_compute(const rewriter *w, exits *e);
/* Where control goes from the exit with this number. */
LLVMBasicBlockRef exits_block(const rewriter *w, int exit);
/* Leaves the loops as the runtime's `check` says, from the block that the builder is in. */
void exits_leave(rewriter *w, const exits *e, LLVMValueRef check);
LLVMValueRef emit_incoming(LLVMValueRef phi, LLVMBasicBlockRef block);

#endif
