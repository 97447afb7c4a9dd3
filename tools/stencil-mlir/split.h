/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Phis of structs and arrays, such as memref descriptors, become phis of their elements.
 */
#ifndef STENCILOPT_MLIR_SPLIT_H
#define STENCILOPT_MLIR_SPLIT_H

#include <llvm-c/Core.h>

void split_phis(LLVMModuleRef module);

#endif
