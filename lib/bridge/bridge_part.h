/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A part of a module, for the simulator.
 */
#ifndef STENCILOPT_BRIDGE_PART_H
#define STENCILOPT_BRIDGE_PART_H

#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A copy of the function's module, without the bodies of functions that it does not come to. The
 * caller owns it. */
LLVMModuleRef br_part_of_module(LLVMValueRef function);

#ifdef __cplusplus
}
#endif
#endif
