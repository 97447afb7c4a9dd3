; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions of libdevice are marked as convergent, and nothing says that they end. One whose body only computes, and has no
; loop, is repeated for each cell.
; RUN: %opt -passes='print<stencil>' -disable-output %s 2>&1 | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @elsewhere(float) #0

define internal float @straight(float %x) #0 {
  %big = fcmp ogt float %x, 1.0
  br i1 %big, label %then, label %end
then:
  %half = fmul float %x, 0.5
  br label %end
end:
  %y = phi float [ %x, %0 ], [ %half, %then ]
  ret float %y
}

define internal float @loops(float %x) #0 {
  br label %loop
loop:
  %y = phi float [ %x, %0 ], [ %half, %loop ]
  %half = fmul float %y, 0.5
  %big = fcmp ogt float %half, 1.0
  br i1 %big, label %loop, label %end
end:
  ret float %half
}

define internal float @calls(float %x) #0 {
  %y = call float @elsewhere(float %x)
  ret float %y
}

; CHECK: stencil in of_straight: rank
define ptx_kernel void @of_straight(ptr %a, ptr %b) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr float, ptr %a, i32 %x
  %next = getelementptr float, ptr %from, i64 1
  %p = load float, ptr %from
  %q = load float, ptr %next
  %u = call float @straight(float %p)
  %v = call float @straight(float %q)
  %sum = fadd float %u, %v
  %to = getelementptr float, ptr %b, i32 %x
  store float %sum, ptr %to
  ret void
}

; CHECK: no stencil in of_loops: {{.*}}'loops' is no arithmetic
define ptx_kernel void @of_loops(ptr %a, ptr %b) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr float, ptr %a, i32 %x
  %next = getelementptr float, ptr %from, i64 1
  %p = load float, ptr %from
  %q = load float, ptr %next
  %u = call float @loops(float %p)
  %v = call float @loops(float %q)
  %sum = fadd float %u, %v
  %to = getelementptr float, ptr %b, i32 %x
  store float %sum, ptr %to
  ret void
}

; CHECK: no stencil in of_calls: {{.*}}it calls calls, which may exchange values
define ptx_kernel void @of_calls(ptr %a, ptr %b) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr float, ptr %a, i32 %x
  %next = getelementptr float, ptr %from, i64 1
  %p = load float, ptr %from
  %q = load float, ptr %next
  %u = call float @calls(float %p)
  %v = call float @calls(float %q)
  %sum = fadd float %u, %v
  %to = getelementptr float, ptr %b, i32 %x
  store float %sum, ptr %to
  ret void
}

attributes #0 = { convergent noinline nounwind memory(none) }
