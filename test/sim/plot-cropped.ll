; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The diagram has the lines of a buffer that are accessed, not the others: 32 cells in the middle of a buffer of 2048
; lines are one row of two lines.
; RUN: %stencil-sim %s --kernel k --grid 1 --block 32 --arg buf:f32:65536:zero --arg i64:32000 --trace-cache --plot %t.svg > %t.txt
; RUN: FileCheck %s < %t.svg
; CHECK: <g class="fetched"
; CHECK-NEXT: <rect x="0" y="0" width="1" height="1"/>
; CHECK: text-anchor="end">1000</text>
; CHECK: text-anchor="end">1001</text>
; CHECK-NOT: text-anchor="end">
; RUN: %stencil-sim %s --kernel k --grid 1 --block 32 --arg buf:f32:65536:zero --arg i64:0 --trace-cache --plot %t.first.svg > %t.txt
; RUN: FileCheck %s --check-prefix=FIRST < %t.first.svg
; FIRST: text-anchor="end">0</text>
; FIRST: text-anchor="end">1</text>
; FIRST-NOT: text-anchor="end">
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %a, i64 %first) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %i = add i64 %first, %w
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p
  %s = fadd float %v, 1.0
  store float %s, ptr addrspace(1) %p
  ret void
}
