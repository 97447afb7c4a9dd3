; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; s_barrier between fences, and split into signal and wait: what lies between the two is not ordered.
; RUN: %stencil-sim %s --kernel whole --grid 1 --block 128 --arg buf:i32:128:zero --print 0 | tr '\n' ' ' | FileCheck %s
; RUN: %stencil-sim %s --kernel split --grid 1 --block 128 --arg buf:i32:128:zero --print 0 | tr '\n' ' ' | FileCheck %s
; RUN: not %stencil-sim %s --kernel early --grid 1 --block 128 --arg buf:i32:1:zero 2>&1 | FileCheck %s --check-prefix=EARLY
; RUN: not %stencil-sim %s --kernel late --grid 1 --block 128 --arg buf:i32:128:zero 2>&1 | FileCheck %s --check-prefix=LATE
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

; The last thread's load: after its signal, which completes the barrier, but before it waits.
; EARLY: scratchpad array 's': data race at index 0 (element): read here, written by thread (0,0,0) of another warp, with no barrier between, block (0,0,0), thread (127,0,0)
define amdgpu_kernel void @early(ptr addrspace(1) %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %t
  store i32 %t, ptr addrspace(3) %p
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  %last = icmp eq i32 %t, 127
  br i1 %last, label %load, label %wait
load:
  %v = load i32, ptr addrspace(3) @s
  store i32 %v, ptr addrspace(1) %out
  br label %wait
wait:
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}

; Stores after the signal are not ordered by the wait of others.
; LATE: scratchpad array 's': data race at index {{[0-9]+}} (element): {{read here, written|written here, read}} by thread
define amdgpu_kernel void @late(ptr addrspace(1) %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %t
  store i32 %t, ptr addrspace(3) %p
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  %again = add i32 %t, 1
  store i32 %again, ptr addrspace(3) %p
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
