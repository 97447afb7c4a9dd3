/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A test whether a table of indices holds what it seems to: see holds.c.
 */
#ifndef STENCILOPT_HOLDS_H
#define STENCILOPT_HOLDS_H

#include "prepare/fills.h"

typedef struct prep_holds {
    LLVMValueRef reads;       /* i1: the elements are there, and are to be read */
    LLVMValueRef table;       /* where element 0 is, or, `through`, where a pointer to it is */
    LLVMValueRef first, last; /* the elements that are compared, of 64 bits */
    prep_fill fill;
    bool through;
} prep_holds;

/* Builds an i1: `reads`, and each element holds the number. Also false if indices are so large that
 * sums of 32 bits might wrap. */
LLVMValueRef prep_build_holds(LLVMBuilderRef b, LLVMModuleRef m, LLVMTypeRef element,
                              const prep_holds *h);
/* Removes the functions that compare from the module where nothing calls them. */
void prep_drop_holds(LLVMModuleRef m);

#endif
