/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Addresses and sizes that a loop loads again and again, loaded in front of a copy of it. Whoever
 * moves such loads must require that no iteration writes there (guard.h).
 */
#ifndef STENCILOPT_EARLY_H
#define STENCILOPT_EARLY_H

#include "bridge/bridge.h"

/* Is the load a part of what the value is computed of, in the loop? */
bool prep_is_part(LLVMValueRef load, LLVMValueRef v, br_loop l);
/* Does an address that the block stores to depend on the load? */
bool prep_is_for_store(LLVMValueRef load, LLVMBasicBlockRef block, br_loop l);
/* Is it a load of an address or a size from one place, where there is memory in front of the loop,
 * too? */
bool prep_is_there_early(br_function *f, br_loop l, LLVMValueRef load);

#endif
