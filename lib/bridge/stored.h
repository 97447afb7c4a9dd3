/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A function's body, stored in its module for later passes.
 */
#ifndef STENCILOPT_BRIDGE_STORED_H
#define STENCILOPT_BRIDGE_STORED_H

#include "bridge/bridge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Stores a copy of the function as it is, which later passes find by its name. No code is made of
 * it and nobody calls it; LLVM's passes that remove unused functions remove it. NULL unless
 * br_may_copy. */
LLVMValueRef br_function_store_body(br_function *f, const char *name);
/* The function gets the body that was stored, which is used up. What was known of the function no
 * longer holds. */
void br_function_take_body(br_function *f, LLVMValueRef stored);

#ifdef __cplusplus
}
#endif

#endif
