; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Asynchronous copies land at the wait and not before.
; RUN: %stencil-sim %s --kernel ring --grid 1 --block 1 --arg buf:i32:8:iota --arg buf:i32:8:zero --print 1 | tr '\n' ' ' | FileCheck %s
; RUN: not %stencil-sim %s --kernel early --grid 1 --block 1 --arg buf:i32:8:iota --arg buf:i32:8:zero 2>&1 | FileCheck %s --check-prefix=EARLY
; RUN: not %stencil-sim %s --kernel one_short --grid 1 --block 1 --arg buf:i32:8:iota --arg buf:i32:8:zero 2>&1 | FileCheck %s --check-prefix=SHORT
target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [8 x i32] undef, align 16

; Two groups; the first is waited for alone. The second copy brings one word of four and zeros.
; CHECK: {{^}}0 3 4 0 0 0 0 0 {{$}}
define ptx_kernel void @ring(ptr addrspace(1) %in, ptr %out) {
  %in4 = getelementptr i32, ptr addrspace(1) %in, i32 4
  %s4 = getelementptr i32, ptr addrspace(3) @s, i32 4
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) @s, ptr addrspace(1) %in)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.ca.shared.global.16.s(ptr addrspace(3) %s4, ptr addrspace(1) %in4, i32 4)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 1)
  %a = load i32, ptr addrspace(3) @s
  %p3 = getelementptr i32, ptr addrspace(3) @s, i32 3
  %b = load i32, ptr addrspace(3) %p3
  call void @llvm.nvvm.cp.async.wait.all()
  %c = load i32, ptr addrspace(3) %s4
  %p5 = getelementptr i32, ptr addrspace(3) @s, i32 5
  %d = load i32, ptr addrspace(3) %p5
  store i32 %a, ptr %out
  %o1 = getelementptr i32, ptr %out, i32 1
  store i32 %b, ptr %o1
  %o2 = getelementptr i32, ptr %out, i32 2
  store i32 %c, ptr %o2
  %o3 = getelementptr i32, ptr %out, i32 3
  store i32 %d, ptr %o3
  ret void
}

; EARLY: kernel 'early': scratchpad array 's': read of bytes whose asynchronous copy was not waited for at index 0 (element), block (0,0,0), thread (0,0,0)
define ptx_kernel void @early(ptr addrspace(1) %in, ptr %out) {
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) @s, ptr addrspace(1) %in)
  call void @llvm.nvvm.cp.async.commit.group()
  %a = load i32, ptr addrspace(3) @s
  store i32 %a, ptr %out
  ret void
}

; SHORT: not waited for at index 2 (element)
define ptx_kernel void @one_short(ptr addrspace(1) %in, ptr %out) {
  %in2 = getelementptr i32, ptr addrspace(1) %in, i32 2
  %s2 = getelementptr i32, ptr addrspace(3) @s, i32 2
  call void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3) @s, ptr addrspace(1) %in)
  call void @llvm.nvvm.cp.async.commit.group()
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], 8;", "r,l"(ptr addrspace(3) %s2, ptr addrspace(1) %in2)
  call void asm sideeffect "cp.async.commit_group;", ""()
  call void asm sideeffect "cp.async.wait_group 1;", ""()
  %a = load i32, ptr addrspace(3) %s2
  store i32 %a, ptr %out
  ret void
}

declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.16.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32 immarg)
declare void @llvm.nvvm.cp.async.wait.all()
