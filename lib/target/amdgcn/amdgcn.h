/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * AMD's GPUs: declarations for the files of this folder, and for target.c.
 */
#ifndef STENCILOPT_AMDGCN_H
#define STENCILOPT_AMDGCN_H

#include "target/target.h"

extern const tg_target tg_amdgcn;

/* launch.c */
bool amdgcn_loads(const char *base, int64_t at, unsigned bits, tg_launch_value *value, int *dim);
int amdgcn_most_threads(LLVMValueRef kernel);
LLVMValueRef amdgcn_launch(LLVMBuilderRef b, tg_launch_value value, int d);
LLVMValueRef amdgcn_reciprocal(LLVMBuilderRef b, LLVMValueRef v);

/* lanes.c */
int amdgcn_group(LLVMValueRef kernel);
LLVMValueRef amdgcn_lane(LLVMBuilderRef b, int lanes);
LLVMValueRef amdgcn_exchange(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef from, int lanes);
LLVMValueRef amdgcn_shift(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef edge, int step, int lanes);
LLVMValueRef amdgcn_shuffle(LLVMBuilderRef b, LLVMValueRef v, int distance, int lanes);
LLVMValueRef amdgcn_uniform(LLVMBuilderRef b, LLVMValueRef v, int lanes);
void amdgcn_barrier(LLVMBuilderRef b);
void amdgcn_sync_warp(LLVMBuilderRef b);

#endif
