/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What threads tell each other, in the kernels of any device module: values between the lanes of a
 * wave, the block's barrier and scratchpad. All lanes of a wave, or threads of a block, take part.
 *
 * Lanes come in groups, within which values are exchanged: NVIDIA's 32; 64 on AMD's GPUs up to
 * GFX9, where halves may also be groups of their own; 32 from GFX10 on, where ds_bpermute reaches
 * no further, be the wave of 32 or of 64.
 */
#ifndef STENCILOPT_LANES_H
#define STENCILOPT_LANES_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

enum { TG_SCRATCHPAD = 3 }; /* its address space, on all targets */

/* The largest group on the kernel's target: 32 or 64. The target is not known well: 32. */
int tg_group(LLVMValueRef kernel);
/* i32: the lane's number in its group of `lanes`, 32 or the largest. */
LLVMValueRef tg_lane(LLVMBuilderRef b, int lanes);
/* The i32 `v` of the group's lane `from`, which is taken modulo `lanes`. */
LLVMValueRef tg_exchange(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef from, int lanes);
/* The i32 `v` of the lane after (step 1) or before (-1); that at the group's end gets `edge`. */
LLVMValueRef tg_shift(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef edge, int step, int lanes);
/* The i32 `v` of the lane `distance` away; beyond the group's ends, something. AMD's alone. */
LLVMValueRef tg_neighbour(LLVMBuilderRef b, LLVMValueRef v, int distance, int lanes);
/* The i32 `v`, which all lanes of a group have alike: where that is a wave, this makes it known. */
LLVMValueRef tg_uniform(LLVMBuilderRef b, LLVMValueRef v, int lanes);

/* Waits for the whole block, and makes scratchpad writes seen. */
void tg_barrier(LLVMBuilderRef b);
/* Bytes of static scratchpad that a block may have. */
int64_t tg_scratchpad_limit(LLVMModuleRef m);

#endif
