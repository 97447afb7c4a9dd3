/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a GPU tells its threads about their launch, in the kernels of any device module.
 */
#ifndef STENCILOPT_LAUNCH_H
#define STENCILOPT_LAUNCH_H

#include <llvm-c/Core.h>
#include <stdbool.h>

typedef enum tg_launch_value {
    TG_THREAD,      /* the thread's number in its block */
    TG_BLOCK,       /* the block's number in the launch */
    TG_BLOCK_SIZE,  /* threads a block */
    TG_BLOCK_COUNT, /* blocks of the launch */
    TG_LAUNCH_VALUES
} tg_launch_value;

/* Reads it along dimension d (0: x), as i32, on the target of the module that b builds in. */
LLVMValueRef tg_launch(LLVMBuilderRef b, tg_launch_value value, int d);

/* The target's approximation of 1 / v, one unit in the last place off at most; v: float,
 * and normal, or nobody uses it. */
LLVMValueRef tg_reciprocal(LLVMBuilderRef b, LLVMValueRef v);

/* Threads a block along d, where the kernel says that it is launched with no others; else 0. */
int tg_required_size(LLVMValueRef kernel, int d);
/* The most threads of a block that the kernel promises; 0: it promises nothing. */
int tg_most_threads(LLVMValueRef kernel);
void tg_add_attribute(LLVMValueRef kernel, const char *name, const char *value);
/* Lets each thread use at most so many registers, where the target can be told and the kernel says
 * nothing of it. */
void tg_limit_registers(LLVMValueRef kernel, int registers);

#endif
