; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Control flow that no test written in C has, and a loop that ends elsewhere than it began.
; RUN: %opt -passes='print<stencil>' -disable-output %s 2>&1 | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; CHECK: no stencil in jump: KernelControlFlow: its control flow is not understood (a jump into a loop)
define ptx_kernel void @jump(ptr %a, ptr %b, i1 %c, i1 %d) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr %a, i32 %i
  br i1 %c, label %one, label %two
one:
  %u = phi float [ 0.0, %0 ], [ %w, %two ]
  br i1 %d, label %two, label %end
two:
  %v = phi float [ 1.0, %0 ], [ %u, %one ]
  %x = load float, ptr %p
  %w = fadd float %v, %x
  br label %one
end:
  %q = getelementptr float, ptr %b, i32 %i
  store float %u, ptr %q
  ret void
}
; CHECK: no stencil in other_end: KernelLoop: a loop in it does not walk over cells (it does not end where its first iteration would)
define ptx_kernel void @other_end(ptr %a, ptr %b, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %any = icmp slt i32 %t, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %t, %0 ], [ %next, %loop ]
  %p = getelementptr float, ptr %a, i32 %i
  %p1 = getelementptr float, ptr %p, i32 1
  %x = load float, ptr %p
  %y = load float, ptr %p1
  %s = fadd float %x, %y
  %q = getelementptr float, ptr %b, i32 %i
  store float %s, ptr %q
  %next = add nsw i32 %i, %w
  %more = icmp slt i32 %next, %m
  br i1 %more, label %loop, label %end
end:
  ret void
}
