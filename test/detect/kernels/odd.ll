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
; LLVM writes 4 * ((max(y, 1) - 1) * n + x) so where sums may wrap. Taken for a sum of integers it is another cell.
; CHECK: no stencil in wraps: KernelIndex: the address of an array access is not a linear function of thread and block numbers (a constant of 2^27 or more is added in 32 bits, which may wrap around; add it in 64 bits)
define ptx_kernel void @wraps(ptr %a, ptr %b, i32 %n, i32 %m) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %columns = icmp slt i32 %x, %n
  %rows = icmp slt i32 %y, %m
  %in = and i1 %columns, %rows
  br i1 %in, label %inside, label %end
inside:
  %from1 = call i32 @llvm.umax.i32(i32 %y, i32 1)
  %before = add nuw nsw i32 %from1, 1073741823
  %row = mul i32 %n, %before
  %cell = add i32 %row, %x
  %i4 = shl i32 %cell, 2
  %own = mul i32 %n, %y
  %owncell = add i32 %own, %x
  %o4 = shl i32 %owncell, 2
  %i = sext i32 %i4 to i64
  %o = sext i32 %o4 to i64
  %p = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %p
  %q = getelementptr float, ptr %b, i64 %o
  store float %v, ptr %q
  br label %end
end:
  ret void
}
declare i32 @llvm.umax.i32(i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
