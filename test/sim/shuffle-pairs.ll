; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Two shuffles of all lanes, up and down by 1, which the simulator makes together where it can: next to each other; with
; arithmetic, or a store, between them; for some lanes together and for others one after the other; the second one of the
; first one's result.
; RUN: %stencil-sim %s --kernel pair --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s
; RUN: %stencil-sim %s --kernel apart --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s
; RUN: %stencil-sim %s --kernel crossed --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s
; RUN: %stencil-sim %s --kernel diverged --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s
; RUN: %stencil-sim %s --kernel floats --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s
; RUN: %stencil-sim %s --kernel chained --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=CHAINED
target triple = "nvptx64-nvidia-cuda"

; CHECK: {{^}}100101 100102 101103 102104 103105 104106 105107 106108 107109 108110 109111 110112 111113 112114 113115 114116 115117 116118 117119 118120 119121 120122 121123 122124 123125 124126 125127 126128 127129 128130 129131 130131 {{$}}
define ptx_kernel void @pair(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = add i32 %t, 100
  %l = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %v, i32 1, i32 0)
  %r = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %v, i32 1, i32 31)
  %m = mul i32 %l, 1000
  %s = add i32 %m, %r
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %s, ptr %p
  ret void
}

define ptx_kernel void @apart(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = add i32 %t, 100
  %l = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %v, i32 1, i32 0)
  %m = mul i32 %l, 1000
  %u = mul i32 %t, 3
  %w = sub i32 %u, %t
  %x = sub i32 %w, %t
  %y = add i32 %x, 100
  %r = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %y, i32 1, i32 31)
  %s = add i32 %m, %r
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %s, ptr %p
  ret void
}

define ptx_kernel void @crossed(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = add i32 %t, 100
  %p = getelementptr i32, ptr %out, i32 %t
  %l = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %v, i32 1, i32 0)
  store i32 %l, ptr %p
  %r = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %v, i32 1, i32 31)
  %k = load i32, ptr %p
  %m = mul i32 %k, 1000
  %s = add i32 %m, %r
  store i32 %s, ptr %p
  ret void
}

define ptx_kernel void @diverged(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = add i32 %t, 100
  %p = getelementptr i32, ptr %out, i32 %t
  %odd = and i32 %t, 1
  %c = icmp eq i32 %odd, 0
  br i1 %c, label %together, label %single
together:
  %l1 = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %v, i32 1, i32 0)
  %r1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %v, i32 1, i32 31)
  br label %end
single:
  %l2 = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %v, i32 1, i32 0)
  store i32 %l2, ptr %p
  %r2 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %v, i32 1, i32 31)
  br label %end
end:
  %l = phi i32 [ %l1, %together ], [ %l2, %single ]
  %r = phi i32 [ %r1, %together ], [ %r2, %single ]
  %m = mul i32 %l, 1000
  %s = add i32 %m, %r
  store i32 %s, ptr %p
  ret void
}

define ptx_kernel void @floats(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = add i32 %t, 100
  %v = uitofp i32 %u to float
  %l = call float @llvm.nvvm.shfl.sync.up.f32(i32 -1, float %v, i32 1, i32 0)
  %m = fmul float %l, 1000.0
  %r = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v, i32 1, i32 31)
  %s = fadd float %m, %r
  %i = fptoui float %s to i32
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %i, ptr %p
  ret void
}

; CHAINED: {{^}}100100 100101 101102 102103 103104 104105 105106 106107 107108 108109 109110 110111 111112 112113 113114 114115 115116 116117 117118 118119 119120 120121 121122 122123 123124 124125 125126 126127 127128 128129 129130 130130 {{$}}
define ptx_kernel void @chained(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = add i32 %t, 100
  %l = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %v, i32 1, i32 0)
  %r = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %l, i32 1, i32 31)
  %m = mul i32 %l, 1000
  %s = add i32 %m, %r
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %s, ptr %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare float @llvm.nvvm.shfl.sync.up.f32(i32, float, i32, i32)
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)
