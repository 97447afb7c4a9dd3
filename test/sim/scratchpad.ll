; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Scratchpad: static and dynamic arrays through constants, phis and generic pointers; and its faults.
; RUN: %stencil-sim %s --kernel good --grid 3 --block 2 --lds 8 --arg buf:i32:2:zero --print 0 | tr '\n' ' ' | FileCheck %s
; RUN: not %stencil-sim %s --kernel good --grid 1 --block 2 --lds 4 --arg buf:i32:2:zero 2>&1 | FileCheck %s --check-prefix=DYNAMIC
; RUN: not %stencil-sim %s --kernel unwritten --grid 1 --block 2 --arg buf:i32:2:zero 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
; RUN: not %stencil-sim %s --kernel beyond --grid 1 --block 8 --arg buf:i32:2:zero 2>&1 | FileCheck %s --check-prefix=BEYOND
; RUN: not %stencil-sim %s --kernel race --grid 1 --block 64 --arg buf:i32:64:zero 2>&1 | FileCheck %s --check-prefix=RACE
; RUN: not %stencil-sim %s --kernel late --grid 1 --block 64 --arg buf:i32:64:zero 2>&1 | FileCheck %s --check-prefix=LATE
; RUN: %stencil-sim %s --kernel flag --grid 1 --block 64
; RUN: not %stencil-sim %s --kernel stale --grid 2 --block 1 --arg buf:i32:1:zero 2>&1 | FileCheck %s --check-prefix=STALE
; RUN: env STENCILOPT_SIM_IGNORE=unwritten %stencil-sim %s --kernel unwritten --grid 1 --block 2 --arg buf:i32:2:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=IGNORED
; RUN: env STENCILOPT_SIM_IGNORE=unwritten+races %stencil-sim %s --kernel race --grid 1 --block 64 --arg buf:i32:64:zero
; IGNORED: {{^}}1 -1 {{$}}
target triple = "nvptx64-nvidia-cuda"
@a = internal addrspace(3) global [4 x i32] undef
@b = internal addrspace(3) global [64 x i32] undef
@dyn = external addrspace(3) global [0 x i32], align 4

; CHECK: {{^}}17 42 {{$}}
; DYNAMIC: scratchpad array 'dyn': store of 4 bytes at index 1 (element), 1 elements long, block (0,0,0), thread (1,0,0)
define ptx_kernel void @good(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 17, ptr addrspacecast (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @a, i64 8) to ptr)
  %d = getelementptr i32, ptr addrspace(3) @dyn, i32 %t
  store i32 42, ptr addrspace(3) %d
  %c = icmp eq i32 %t, 0
  br i1 %c, label %first, label %other
first:
  br label %join
other:
  br label %join
join:
  %p = phi ptr [ addrspacecast (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @a, i64 8) to ptr), %first ], [ getelementptr (i8, ptr addrspacecast (ptr addrspace(3) @dyn to ptr), i64 4), %other ]
  %v = load i32, ptr %p
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
}

; UNWRITTEN: kernel 'unwritten': scratchpad array 'a': read of bytes that nobody wrote at index 1 (element), block (0,0,0), thread (1,0,0)
define ptx_kernel void @unwritten(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @a, i32 %t
  store i32 1, ptr addrspace(3) @a
  %v = load i32, ptr addrspace(3) %p
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
}

; BEYOND: scratchpad array 'a': store of 4 bytes at index 4 (element), 4 elements long, block (0,0,0), thread (4,0,0)
define ptx_kernel void @beyond(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @a, i32 %t
  store i32 1, ptr addrspace(3) %p
  ret void
}

; RACE: scratchpad array 'b': data race at index 31 (element): read here, written by thread (31,0,0) of another warp, with no barrier between, block (0,0,0), thread (32,0,0)
define ptx_kernel void @race(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @b, i32 %t
  store i32 %t, ptr addrspace(3) %p
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %c = icmp eq i32 %t, 0
  %n = sub i32 %t, 1
  %m = select i1 %c, i32 0, i32 %n
  %q = getelementptr i32, ptr addrspace(3) @b, i32 %m
  %v = load i32, ptr addrspace(3) %q
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
}

; A barrier before the reads but none before the next writes.
; LATE: scratchpad array 'b': data race at index {{[0-9]+}} (element): {{read here, written by|written here, read by}} thread
define ptx_kernel void @late(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @b, i32 %t
  store i32 %t, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %m = xor i32 %t, 32
  %q = getelementptr i32, ptr addrspace(3) @b, i32 %m
  %v = load i32, ptr addrspace(3) %q
  store i32 %v, ptr addrspace(3) %p
  ret void
}

; Warps that store the same value do not race.
define ptx_kernel void @flag() {
  store i32 1, ptr addrspace(3) @a
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

; What one block wrote the next one has not.
; STALE: read of bytes that nobody wrote at index 0 (element), block (1,0,0), thread (0,0,0)
define ptx_kernel void @stale(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c = icmp eq i32 %b, 0
  br i1 %c, label %write, label %read
write:
  store i32 1, ptr addrspace(3) @a
  ret void
read:
  %v = load i32, ptr addrspace(3) @a
  store i32 %v, ptr %out
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
