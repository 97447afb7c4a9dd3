/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls of LLVM's intrinsics by name; between the files of this folder.
 */
#ifndef STENCILOPT_INTRINSIC_H
#define STENCILOPT_INTRINSIC_H

#include <llvm-c/Core.h>

/* `types`: those that the intrinsic is overloaded by. */
LLVMValueRef tg_intrinsic(LLVMBuilderRef b, const char *name, LLVMTypeRef *types, size_t ntypes,
                          LLVMValueRef *args, unsigned nargs);

#endif
