; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; s_barrier between fences, and split into signal and wait.
; RUN: %stencil-sim %s --kernel whole --grid 1 --block 128 --arg buf:i32:128:zero --print 0 | tr '\n' ' ' | FileCheck %s
; RUN: %stencil-sim %s --kernel split --grid 1 --block 128 --arg buf:i32:128:zero --print 0 | tr '\n' ' ' | FileCheck %s
target triple = "amdgcn-amd-amdhsa"
@s = internal addrspace(3) global [128 x i32] undef

; CHECK: {{^}}127 126 125
; CHECK-SAME: 2 1 0 {{$}}
define amdgpu_kernel void @whole(ptr addrspace(1) %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %t
  store i32 %t, ptr addrspace(3) %p
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %m = sub i32 127, %t
  %q = getelementptr i32, ptr addrspace(3) @s, i32 %m
  %v = load i32, ptr addrspace(3) %q
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %o
  ret void
}

define amdgpu_kernel void @split(ptr addrspace(1) %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %t
  store i32 %t, ptr addrspace(3) %p
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  %m = sub i32 127, %t
  %q = getelementptr i32, ptr addrspace(3) @s, i32 %m
  %v = load i32, ptr addrspace(3) %q
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %o
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.signal(i32 immarg)
declare void @llvm.amdgcn.s.barrier.wait(i16 immarg)
