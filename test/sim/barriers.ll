; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Barriers: each spelling makes the other warp's stores seen; reductions; named ones with a thread count.
; RUN: sed -e 's/BARRIER/call void @llvm.nvvm.barrier0()/' %s > %t.0.ll
; RUN: sed -e 's/BARRIER/call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)/' %s > %t.1.ll
; RUN: sed -e 's/BARRIER/call void @llvm.nvvm.barrier.cta.sync.all(i32 3)/' %s > %t.2.ll
; RUN: sed -e 's/BARRIER/call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 3, i32 64)/' %s > %t.3.ll
; RUN: sed -e 's/BARRIER/call void asm sideeffect "bar.sync 0;", "~{memory}"()/' %s > %t.4.ll
; RUN: %stencil-sim %t.0.ll --kernel exchange --grid 2 --block 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s
; RUN: %stencil-sim %t.1.ll --kernel exchange --grid 2 --block 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s
; RUN: %stencil-sim %t.2.ll --kernel exchange --grid 2 --block 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s
; RUN: %stencil-sim %t.3.ll --kernel exchange --grid 2 --block 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s
; RUN: %stencil-sim %t.4.ll --kernel exchange --grid 2 --block 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s
; RUN: %stencil-sim %t.0.ll --kernel reduce --grid 1 --block 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=REDUCE
; RUN: %stencil-sim %t.0.ll --kernel arrive --grid 1 --block 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=ARRIVE
target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [64 x i32] undef

; CHECK: {{^}}63 62 61 60
; CHECK-SAME: 3 2 1 0 {{$}}
define ptx_kernel void @exchange(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %t
  store i32 %t, ptr addrspace(3) %p
  BARRIER
  %m = sub i32 63, %t
  %q = getelementptr i32, ptr addrspace(3) @s, i32 %m
  %v = load i32, ptr addrspace(3) %q
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
}

; 10 of 64 threads say yes: popc + 100 * and + 1000 * or.
; REDUCE: {{^}}1010 1010
define ptx_kernel void @reduce(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 10
  %popc = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %c)
  %and = call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 %c)
  %or = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %c)
  %a = select i1 %and, i32 100, i32 0
  %b = select i1 %or, i32 1000, i32 0
  %x = add i32 %a, %b
  %v = add i32 %x, %popc
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
}

; Warp 0 produces and arrives, warp 1 waits and consumes.
; ARRIVE: {{^}}0 0 0 {{.*}} 29 30 31 {{$}}
define ptx_kernel void @arrive(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp ult i32 %t, 32
  br i1 %first, label %produce, label %consume
produce:
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %t
  store i32 %t, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 64)
  ret void
consume:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  %m = sub i32 %t, 32
  %q = getelementptr i32, ptr addrspace(3) @s, i32 %m
  %v = load i32, ptr addrspace(3) %q
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1)
