; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; All shuffles: whole warp, width 8 with the predicate (adds 1000), and the forms of before Volta.
; RUN: %stencil-sim %s --kernel idx --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=IDX
; RUN: %stencil-sim %s --kernel idx_8_p --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=IDX-8-P
; RUN: %stencil-sim %s --kernel idx_f32_old --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=IDX-F32-OLD
; RUN: %stencil-sim %s --kernel up --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=UP
; RUN: %stencil-sim %s --kernel up_8_p --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=UP-8-P
; RUN: %stencil-sim %s --kernel up_f32_old --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=UP-F32-OLD
; RUN: %stencil-sim %s --kernel down --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=DOWN
; RUN: %stencil-sim %s --kernel down_8_p --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=DOWN-8-P
; RUN: %stencil-sim %s --kernel down_f32_old --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=DOWN-F32-OLD
; RUN: %stencil-sim %s --kernel bfly --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=BFLY
; RUN: %stencil-sim %s --kernel bfly_8_p --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=BFLY-8-P
; RUN: %stencil-sim %s --kernel bfly_f32_old --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=BFLY-F32-OLD
target triple = "nvptx64-nvidia-cuda"

; IDX: {{^}}103 103 103 103 103 103 103 103 103 103 103 103 103 103 103 103 103 103 103 103 103 103 103 103 103 103 103 103 103 103 103 103 {{$}}
define ptx_kernel void @idx(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = add i32 %t, 100
  %r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v, i32 3, i32 31)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; IDX-8-P: {{^}}1103 1103 1103 1103 1103 1103 1103 1103 1111 1111 1111 1111 1111 1111 1111 1111 1119 1119 1119 1119 1119 1119 1119 1119 1127 1127 1127 1127 1127 1127 1127 1127 {{$}}
define ptx_kernel void @idx_8_p(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = add i32 %t, 100
  %s = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v, i32 3, i32 6175)
  %x = extractvalue { i32, i1 } %s, 0
  %b = extractvalue { i32, i1 } %s, 1
  %z = zext i1 %b to i32
  %h = mul i32 %z, 1000
  %r = add i32 %x, %h
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; IDX-F32-OLD: {{^}}103 103 103 103 103 103 103 103 111 111 111 111 111 111 111 111 119 119 119 119 119 119 119 119 127 127 127 127 127 127 127 127 {{$}}
define ptx_kernel void @idx_f32_old(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = add i32 %t, 100
  %v = sitofp i32 %u to float
  %s = call float @llvm.nvvm.shfl.idx.f32(float %v, i32 3, i32 6175)
  %r = fptosi float %s to i32
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; UP: {{^}}100 101 102 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 {{$}}
define ptx_kernel void @up(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = add i32 %t, 100
  %r = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %v, i32 3, i32 0)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; UP-8-P: {{^}}100 101 102 1100 1101 1102 1103 1104 108 109 110 1108 1109 1110 1111 1112 116 117 118 1116 1117 1118 1119 1120 124 125 126 1124 1125 1126 1127 1128 {{$}}
define ptx_kernel void @up_8_p(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = add i32 %t, 100
  %s = call { i32, i1 } @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v, i32 3, i32 6144)
  %x = extractvalue { i32, i1 } %s, 0
  %b = extractvalue { i32, i1 } %s, 1
  %z = zext i1 %b to i32
  %h = mul i32 %z, 1000
  %r = add i32 %x, %h
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; UP-F32-OLD: {{^}}100 101 102 100 101 102 103 104 108 109 110 108 109 110 111 112 116 117 118 116 117 118 119 120 124 125 126 124 125 126 127 128 {{$}}
define ptx_kernel void @up_f32_old(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = add i32 %t, 100
  %v = sitofp i32 %u to float
  %s = call float @llvm.nvvm.shfl.up.f32(float %v, i32 3, i32 6144)
  %r = fptosi float %s to i32
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; DOWN: {{^}}103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 129 130 131 {{$}}
define ptx_kernel void @down(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = add i32 %t, 100
  %r = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %v, i32 3, i32 31)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; DOWN-8-P: {{^}}1103 1104 1105 1106 1107 105 106 107 1111 1112 1113 1114 1115 113 114 115 1119 1120 1121 1122 1123 121 122 123 1127 1128 1129 1130 1131 129 130 131 {{$}}
define ptx_kernel void @down_8_p(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = add i32 %t, 100
  %s = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v, i32 3, i32 6175)
  %x = extractvalue { i32, i1 } %s, 0
  %b = extractvalue { i32, i1 } %s, 1
  %z = zext i1 %b to i32
  %h = mul i32 %z, 1000
  %r = add i32 %x, %h
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; DOWN-F32-OLD: {{^}}103 104 105 106 107 105 106 107 111 112 113 114 115 113 114 115 119 120 121 122 123 121 122 123 127 128 129 130 131 129 130 131 {{$}}
define ptx_kernel void @down_f32_old(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = add i32 %t, 100
  %v = sitofp i32 %u to float
  %s = call float @llvm.nvvm.shfl.down.f32(float %v, i32 3, i32 6175)
  %r = fptosi float %s to i32
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; BFLY: {{^}}103 102 101 100 107 106 105 104 111 110 109 108 115 114 113 112 119 118 117 116 123 122 121 120 127 126 125 124 131 130 129 128 {{$}}
define ptx_kernel void @bfly(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = add i32 %t, 100
  %r = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 3, i32 31)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; BFLY-8-P: {{^}}1103 1102 1101 1100 1107 1106 1105 1104 1111 1110 1109 1108 1115 1114 1113 1112 1119 1118 1117 1116 1123 1122 1121 1120 1127 1126 1125 1124 1131 1130 1129 1128 {{$}}
define ptx_kernel void @bfly_8_p(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = add i32 %t, 100
  %s = call { i32, i1 } @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v, i32 3, i32 6175)
  %x = extractvalue { i32, i1 } %s, 0
  %b = extractvalue { i32, i1 } %s, 1
  %z = zext i1 %b to i32
  %h = mul i32 %z, 1000
  %r = add i32 %x, %h
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; BFLY-F32-OLD: {{^}}103 102 101 100 107 106 105 104 111 110 109 108 115 114 113 112 119 118 117 116 123 122 121 120 127 126 125 124 131 130 129 128 {{$}}
define ptx_kernel void @bfly_f32_old(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = add i32 %t, 100
  %v = sitofp i32 %u to float
  %s = call float @llvm.nvvm.shfl.bfly.f32(float %v, i32 3, i32 6175)
  %r = fptosi float %s to i32
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32, i32, i32, i32)
declare float @llvm.nvvm.shfl.idx.f32(float, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare { i32, i1 } @llvm.nvvm.shfl.sync.up.i32p(i32, i32, i32, i32)
declare float @llvm.nvvm.shfl.up.f32(float, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32)
declare float @llvm.nvvm.shfl.down.f32(float, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare { i32, i1 } @llvm.nvvm.shfl.sync.bfly.i32p(i32, i32, i32, i32)
declare float @llvm.nvvm.shfl.bfly.f32(float, i32, i32)
