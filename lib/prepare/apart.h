/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * That arrays lie apart: see apart.c.
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

#endif
