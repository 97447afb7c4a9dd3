/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libstdc++'s std::vector in the program's memory: see alike.c.
 */
#ifndef STENCILOPT_ALIKE_H
#define STENCILOPT_ALIKE_H

#include "bridge/bridge.h"

/* Three addresses: where the elements begin and end, and where the memory ends. */
enum { VECTOR_WORD = 8, VECTOR_BYTES = 3 * VECTOR_WORD };

/* Loads such an address. */
LLVMValueRef prep_vector_word(LLVMBuilderRef b, LLVMTypeRef pointer, LLVMValueRef vector,
                              uint64_t word);
LLVMValueRef prep_bytes_between(LLVMBuilderRef b, LLVMTypeRef i64, LLVMValueRef begin,
                                LLVMValueRef end);
/* The function of two vectors of equal sizes: how many bytes each of their rows has; 0 if they have
 * no rows, or rows of different lengths. */
LLVMValueRef prep_add_alike(LLVMModuleRef m);
/* Removes it from the module if nothing calls it. */
void prep_drop_alike(LLVMModuleRef m);

#endif
