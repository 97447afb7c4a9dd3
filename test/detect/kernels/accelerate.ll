; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; As Accelerate emits them: kernels by annotation, a grid-stride loop over a flat index, rows of their own lengths.
; RUN: %opt -passes='print<stencil>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -stencilopt-block=0 -passes='thinlto-pre-link<O3>,print<stencil>' -disable-output %s 2>&1 | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() nounwind readnone
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x() nounwind readnone
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() nounwind readnone
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() nounwind readnone

; CHECK: kernel: flat index, grid-stride loop, arrays may overlap; i = threadIdx.x+blockIdx.x*blockDim.x+iteration*blockDim.x*gridDim.x; x = i%inside0; y = i/inside0, y < inside1
; CHECK-NEXT: stencil in inside: rank 2, one sweep
; CHECK-NEXT:   grid out: f32, 1 buffer, halo x 0..0 y 0..0
; CHECK-NEXT:   grid in: f32, 1 buffer, halo x -1..0 y 0..1
; CHECK-NEXT:   reads in[0]: {{\(-1,0\) \(0,1\)|\(0,1\) \(-1,0\)}}
; CHECK-NEXT:   writes out[0]
; CHECK-NEXT:   = fadd({{in\[0\]\(-1,0\), in\[0\]\(0,1\)|in\[0\]\(0,1\), in\[0\]\(-1,0\)}})
define void @inside(i64 %inside1, i64 %inside0, ptr %out.ad0, i64 %out.sh1, i64 %out.sh0, ptr %in.ad0, i64 %in.sh1, i64 %in.sh0) {
entry:
  %total = mul i64 %inside1, %inside0
  %blocks = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %width = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %step32 = mul i32 %blocks, %width
  %step = sext i32 %step32 to i64
  %width2 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %block = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %thread = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first32 = mul i32 %width2, %block
  %id = add i32 %thread, %first32
  %id64 = sext i32 %id to i64
  %first = add i64 %id64, 0
  br label %while.entry
while.entry:
  %any = icmp slt i64 %first, %total
  br i1 %any, label %while.top, label %while.exit
while.top:
  %i = phi i64 [ %first, %while.entry ], [ %next, %while.top ]
  %row = sdiv i64 %i, %inside0
  %column = srem i64 %i, %inside0
  %plane = sdiv i64 %row, %inside1
  %x = add i64 %column, 1
  %y = add i64 %row, 1
  %left = add i64 %x, -1
  %middle = mul i64 %y, %in.sh0
  %at1 = add i64 %middle, %left
  %p1 = getelementptr inbounds float, ptr %in.ad0, i64 %at1
  %v1 = load float, ptr %p1
  %down = add i64 %y, 1
  %below = mul i64 %down, %in.sh0
  %at2 = add i64 %below, %x
  %p2 = getelementptr inbounds float, ptr %in.ad0, i64 %at2
  %v2 = load float, ptr %p2
  %sum = fadd nsz arcp contract afn reassoc float %v1, %v2
  %written = mul i64 %y, %out.sh0
  %at3 = add i64 %written, %x
  %p3 = getelementptr inbounds float, ptr %out.ad0, i64 %at3
  store float %sum, ptr %p3
  %next = add i64 %i, %step
  %more = icmp slt i64 %next, %total
  br i1 %more, label %while.top, label %while.exit
while.exit:
  ret void
}
; Neither a kernel nor annotated as one.
; CHECK-NOT: plain_function
define void @plain_function(ptr %a, ptr %b) {
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @inside, !"kernel", i32 1}
