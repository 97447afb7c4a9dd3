; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Ids, extents, lanes and masks of NVIDIA threads.
; RUN: %stencil-sim %s --kernel ids --grid 2,3,2 --block 4,3,6 --arg buf:i32:864:zero --print 0 | FileCheck %s
; RUN: %stencil-sim %s --kernel lanes --grid 1 --block 4,3,6 --arg buf:u32:576:zero --print 0 | FileCheck %s --check-prefix=LANES
target triple = "nvptx64-nvidia-cuda"

; Each thread stores its linear number at its linear place: 0 .. 863 in order.
; CHECK: {{^}}0{{$}}
; CHECK-NEXT: {{^}}1{{$}}
; CHECK: {{^}}862{{$}}
; CHECK-NEXT: {{^}}863{{$}}
define ptx_kernel void @ids(ptr %out) {
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tz = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %nz = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bz = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %gx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %gy = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %b0 = mul i32 %bz, %gy
  %b1 = add i32 %b0, %by
  %b2 = mul i32 %b1, %gx
  %b = add i32 %b2, %bx
  %t0 = mul i32 %b, %nz
  %t1 = add i32 %t0, %tz
  %t2 = mul i32 %t1, %ny
  %t3 = add i32 %t2, %ty
  %t4 = mul i32 %t3, %nx
  %t = add i32 %t4, %tx
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %t, ptr %p
  ret void
}

; Thread 33 (lane 1 of warp 1): laneid, warpid, warpsize, eq, lt, le, gt, ge.
; LANES-COUNT-264: {{^[0-9]+$}}
; LANES-NEXT: {{^}}1{{$}}
; LANES-NEXT: {{^}}1{{$}}
; LANES-NEXT: {{^}}32{{$}}
; LANES-NEXT: {{^}}2{{$}}
; LANES-NEXT: {{^}}1{{$}}
; LANES-NEXT: {{^}}3{{$}}
; LANES-NEXT: {{^}}4294967292{{$}}
; LANES-NEXT: {{^}}4294967294{{$}}
define ptx_kernel void @lanes(ptr %out) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %warp = call i32 @llvm.nvvm.read.ptx.sreg.warpid()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()
  %eq = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.eq()
  %lt = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
  %le = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.le()
  %gt = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.gt()
  %ge = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.ge()
  %w32 = mul i32 %warp, %size
  %t = add i32 %w32, %lane
  %p0 = getelementptr [8 x i32], ptr %out, i32 %t
  store i32 %lane, ptr %p0
  %p1 = getelementptr i32, ptr %p0, i32 1
  store i32 %warp, ptr %p1
  %p2 = getelementptr i32, ptr %p0, i32 2
  store i32 %size, ptr %p2
  %p3 = getelementptr i32, ptr %p0, i32 3
  store i32 %eq, ptr %p3
  %p4 = getelementptr i32, ptr %p0, i32 4
  store i32 %lt, ptr %p4
  %p5 = getelementptr i32, ptr %p0, i32 5
  store i32 %le, ptr %p5
  %p6 = getelementptr i32, ptr %p0, i32 6
  store i32 %gt, ptr %p6
  %p7 = getelementptr i32, ptr %p0, i32 7
  store i32 %ge, ptr %p7
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.warpid()
declare i32 @llvm.nvvm.read.ptx.sreg.warpsize()
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.eq()
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.le()
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.gt()
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.ge()
