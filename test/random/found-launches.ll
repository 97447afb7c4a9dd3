; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Kernels changed by random IR, with which passes once crashed: a coordinate that is a remainder of block numbers stands for itself
; in what the launch depends on, and is no expression of LLVM's.
; RUN: %opt -passes='stencil-remap<column=4>,stencil-block<coarsen=2;axis=y>,verify' -disable-output %s
; RUN: %opt -passes='stencil-block<coarsen=2>,verify' -disable-output %s
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @remainder_of_blocks(ptr addrspace(1) %a.coerce, ptr addrspace(1) %b.coerce, i32 %nx) {
entry:
  %0 = tail call i32 @llvm.amdgcn.workgroup.id.z()
  %rem62 = srem i32 %0, %nx
  %1 = tail call i32 @llvm.amdgcn.workitem.id.x()
  %add73 = add i32 %0, %1
  %mul63 = mul i32 %rem62, %nx
  %idxprom67 = sext i32 %mul63 to i64
  %arrayidx68 = getelementptr double, ptr addrspace(1) %a.coerce, i64 %idxprom67
  %2 = load double, ptr addrspace(1) %arrayidx68, align 8
  %idxprom74 = sext i32 %add73 to i64
  %arrayidx75 = getelementptr double, ptr addrspace(1) %b.coerce, i64 %idxprom74
  store double %2, ptr addrspace(1) %arrayidx75, align 8
  ret void
}
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
declare noundef i32 @llvm.amdgcn.workgroup.id.z()
