/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The statement of a sweep. Reads: addresses and accesses. Hands on: the stencil's expression
 * graph, stores and reductions, and the numbers that it uses.
 */
#ifndef STENCILOPT_HOST_STATEMENT_H
#define STENCILOPT_HOST_STATEMENT_H

#include "bridge/bridge.h"
#include "detect/common/grids.h"

/* What a sweep makes of a value that every cell has. */
typedef struct host_reduction {
    st_reduce_op op;
    bool is_signed;
    LLVMValueRef value; /* of the cell; of a sum of floats NULL, for that has addends */
    LLVMValueRef addend[HOST_MAX_ADDENDS];
    int naddends;
    uint32_t subtracted;  /* bit i: addend i is */
    LLVMValueRef factor;  /* or NULL: what the only addend is multiplied with */
    LLVMValueRef last;    /* the result, once the nest is left */
    LLVMValueRef initial; /* what it is in a nest without cells */
    bool needs_cells;     /* .. unless the region must not run for such a nest */
    bool keeps;           /* of two equal numbers, an extreme is the one carried */
    /* What an earlier sweep of the step has reduced in the same way, from which this nest goes on;
     * or NULL. The nest then reduces by itself, and both results are combined behind it. */
    LLVMValueRef from;
    /* Where only some cells count: those in which the block runs, or the condition is as told. */
    LLVMBasicBlockRef block;
    LLVMValueRef condition;
    bool holds;
} host_reduction;

struct host_region;

/* Two or three loops that make each element of an array of elements at the same place: arrays that
 * sweeps before and after leave on the device need not come back for it. */
bool host_is_element_wise(const struct host_region *r);
bool host_build_expression(struct host_region *r, bool device_math);
bool host_find_reductions(struct host_region *r); /* sets r->reductions, or refuses */
/* May a device read, for every cell, what the program reads under conditions? */
bool host_check_conditional(struct host_region *r);
/* Makes a kernel's reads unconditional where every thread may read the cell. */
void host_release_conditional(struct host_region *r);

/* In loops that are offloaded, gives the processor's fmin and fmax of zeros one result
 * where LLVM's code has none: it depends on whether a loop is vectorised. Kernels have the same. */
void host_settle_extremes(const struct host_region *r);

#endif
