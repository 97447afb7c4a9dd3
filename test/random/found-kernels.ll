; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Kernels changed by random IR, with which passes once crashed.
; RUN: %opt -passes='print<stencil>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='stencil-block<cache=lds>,stencil-remap<column=16>,verify' -disable-output %s
; RUN: %opt -passes='stencil-block<vector=4>,verify' -disable-output %s
; RUN: %opt -passes='stencil-block<cache=l1;coarsen=3>,verify' -disable-output %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; CHECK: no stencil in negative_rows: KernelIndex: {{.*}}(it is divided by a number that is not above 0)
define ptx_kernel void @negative_rows(ptr %a, ptr %b, i32 %n) {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %block, %width
  %i = add i32 %first, %thread
  %row = sdiv i32 %i, -5
  %x = srem i32 %i, -5
  %down = mul i32 %row, %n
  %at = add i32 %down, %x
  %w = sext i32 %at to i64
  %p = getelementptr float, ptr %a, i64 %w
  %p1 = getelementptr i8, ptr %p, i64 4
  %c = load float, ptr %p
  %d = load float, ptr %p1
  %sum = fadd float %c, %d
  %q = getelementptr float, ptr %b, i64 %w
  store float %sum, ptr %q
  ret void
}

; What is divided by a thread's number is nothing that can be asked for where the kernel starts.
; CHECK: stencil in by_thread: rank 2
define ptx_kernel void @by_thread(ptr %a, ptr %b, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %down = mul nsw i32 %y, %n
  %i = add i32 %down, %x
  %far = add nsw i32 %n, 2
  %quotient = sdiv i32 %far, %x
  %unread = sext i32 %quotient to i64
  %q = getelementptr inbounds float, ptr %a, i64 %unread
  %u = load float, ptr %q
  %w = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %w
  %p1 = getelementptr inbounds i8, ptr %p, i64 4
  %c = load float, ptr %p
  %d = load float, ptr %p1
  %sum = fadd float %c, %d
  %to = getelementptr inbounds float, ptr %b, i64 %w
  store float %sum, ptr %to
  ret void
}

; Code that is never reached may compute a value from itself.
; CHECK: stencil in unreached: rank 1
define ptx_kernel void @unreached(ptr %a, ptr %b, i32 %n) {
entry:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %block, %width
  %i = add i32 %first, %thread
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %cell, label %done

cell:
  %w = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %w
  %p1 = getelementptr i8, ptr %p, i64 4
  %c = load float, ptr %p
  %d = load float, ptr %p1
  %sum = fadd float %c, %d
  %q = getelementptr float, ptr %b, i64 %w
  store float %sum, ptr %q
  br label %done

never:
  %itself = getelementptr float, ptr %itself, i64 %w
  %e = load float, ptr %itself
  store float %e, ptr %itself
  br label %done

done:
  ret void
}

; CHECK: stencil in of_128_bits: rank 1
define ptx_kernel void @of_128_bits(ptr %a, ptr %b, i128 %far) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %x to i64
  %p = getelementptr double, ptr %a, i64 %wide
  %p1 = getelementptr i8, ptr %p, i64 -8
  %c = load double, ptr %p
  %d = load double, ptr %p1
  %sum = fadd double %c, %d
  %q = getelementptr double, ptr %b, i64 %wide
  store double %sum, ptr %q
  %few = trunc i128 %far to i32
  %unused = zext i32 %few to i64
  %e = icmp slt i64 %unused, 0
  ret void
}
