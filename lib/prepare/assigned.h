/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls of the operator= of std::vectors: see assigned.c.
 */
#ifndef STENCILOPT_ASSIGNED_H
#define STENCILOPT_ASSIGNED_H

#include "bridge/bridge.h"

typedef struct assignment {
    LLVMValueRef call; /* in the loop, later the instruction before which the copy comes */
    LLVMValueRef to, from;
    LLVMTypeRef element;
    bool rows;             /* it is a vector of vectors */
    LLVMValueRef begin[2]; /* where the elements are that are written, and those that are read */
    LLVMValueRef bytes;    /* of all elements, or of a row */
    LLVMValueRef count;    /* of rows */
} assignment;

/* Does it assign a vector of numbers, or a vector of such vectors? */
bool prep_read_assignment(LLVMValueRef call, assignment *out);

#endif
