/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVIDIA's GPUs: declarations for the files of this folder, and for target.c.
 */
#ifndef STENCILOPT_NVPTX_H
#define STENCILOPT_NVPTX_H

#include "target/build.h"
#include "target/target.h"

extern const tg_target tg_nvptx;

/* threads.c */
bool nvptx_is_annotated(LLVMValueRef function); /* by metadata that marks it as a kernel */
int nvptx_required_size(LLVMValueRef kernel, int d);
int nvptx_most_threads(LLVMValueRef kernel);
void nvptx_limit_registers(LLVMValueRef kernel, int registers);
LLVMValueRef nvptx_launch(LLVMBuilderRef b, tg_launch_value value, int d);
LLVMValueRef nvptx_reciprocal(LLVMBuilderRef b, LLVMValueRef v);
int nvptx_group(LLVMValueRef kernel);
LLVMValueRef nvptx_lane(LLVMBuilderRef b, int lanes);
LLVMValueRef nvptx_exchange(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef from, int lanes);
LLVMValueRef nvptx_shift(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef edge, int step, int lanes);
LLVMValueRef nvptx_uniform(LLVMBuilderRef b, LLVMValueRef v, int lanes);
LLVMValueRef nvptx_shuffle(LLVMBuilderRef b, LLVMValueRef v, int distance, int lanes);
void nvptx_barrier(LLVMBuilderRef b);
void nvptx_sync_pair(LLVMBuilderRef b, LLVMValueRef number);
void nvptx_sync_warp(LLVMBuilderRef b);

/* The settings of code generation for a module: LLVM's passes that are worth their time. In
 * generation.c. */
tg_generation nvptx_generation(LLVMModuleRef m);

/* Keeps ptxas from losing negations. In negations.c. */
void nvptx_keep_negations(LLVMModuleRef m);

#endif
