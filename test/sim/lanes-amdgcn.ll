; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Permutes, lane reads and writes, ballots and lane counts of a wave of 64.
; RUN: %stencil-sim %s --kernel bpermute --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=BPERMUTE
; RUN: %stencil-sim %s --kernel permute --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=PERMUTE
; RUN: %stencil-sim %s --kernel readlane --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=READLANE
; RUN: %stencil-sim %s --kernel readfirst --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=READFIRST
; RUN: %stencil-sim %s --kernel writelane --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=WRITELANE
; RUN: %stencil-sim %s --kernel swizzle_swap --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=SWIZZLE-SWAP
; RUN: %stencil-sim %s --kernel ballot --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=BALLOT
; RUN: %stencil-sim %s --kernel mbcnt --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=MBCNT
; RUN: %stencil-sim %s --kernel size --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=SIZE
; RUN: %stencil-sim %s --kernel row_swap --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=ROW-SWAP
; RUN: %stencil-sim %s --kernel halves --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=HALVES
; RUN: %stencil-sim %s --kernel bpermute_halves --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=BPERMUTE-HALVES
target triple = "amdgcn-amd-amdhsa"

; BPERMUTE: {{^}}105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 163 100 101 102 103 104 {{$}}
define amdgpu_kernel void @bpermute(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %v = add i32 %t, 100
  %n = add i32 %t, 5
  %a = shl i32 %n, 2
  %r = call i32 @llvm.amdgcn.ds.bpermute(i32 %a, i32 %v)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; From GFX10 on it reaches the lane's own half.
; BPERMUTE-HALVES: {{^}}105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 100 101 102 103 104 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 163 132 133 134 135 136 {{$}}
define amdgpu_kernel void @bpermute_halves(ptr %out) "target-cpu"="gfx1100" {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %v = add i32 %t, 100
  %n = add i32 %t, 5
  %a = shl i32 %n, 2
  %r = call i32 @llvm.amdgcn.ds.bpermute(i32 %a, i32 %v)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; PERMUTE: {{^}}159 160 161 162 163 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 {{$}}
define amdgpu_kernel void @permute(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %v = add i32 %t, 100
  %n = add i32 %t, 5
  %a = shl i32 %n, 2
  %r = call i32 @llvm.amdgcn.ds.permute(i32 %a, i32 %v)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; READLANE: {{^}}107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 107 {{$}}
define amdgpu_kernel void @readlane(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %v = add i32 %t, 100
  %r = call i32 @llvm.amdgcn.readlane.i32(i32 %v, i32 7)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; READFIRST: {{^}}100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 {{$}}
define amdgpu_kernel void @readfirst(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %v = add i32 %t, 100
  %r = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; WRITELANE: {{^}}0 1 2 9 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 {{$}}
define amdgpu_kernel void @writelane(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call i32 @llvm.amdgcn.writelane.i32(i32 9, i32 3, i32 %t)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; SWIZZLE-SWAP: {{^}}1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14 17 16 19 18 21 20 23 22 25 24 27 26 29 28 31 30 33 32 35 34 37 36 39 38 41 40 43 42 45 44 47 46 49 48 51 50 53 52 55 54 57 56 59 58 61 60 63 62 {{$}}
define amdgpu_kernel void @swizzle_swap(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call i32 @llvm.amdgcn.ds.swizzle(i32 %t, i32 1055)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; BALLOT: {{^}}255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 {{$}}
define amdgpu_kernel void @ballot(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp ult i32 %t, 40
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 %c)
  %h = lshr i64 %b, 32
  %r = trunc i64 %h to i32
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; MBCNT: {{^}}0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 {{$}}
define amdgpu_kernel void @mbcnt(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %l = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  %r = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %l)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; SIZE: {{^}}64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 {{$}}
define amdgpu_kernel void @size(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call i32 @llvm.amdgcn.wavefrontsize()
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; ROW-SWAP: {{^}}16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 {{$}}
define amdgpu_kernel void @row_swap(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call i32 @llvm.amdgcn.permlanex16.i32(i32 0, i32 %t, i32 1985229328, i32 -19088744, i1 false, i1 false)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; HALVES: {{^}}32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 {{$}}
define amdgpu_kernel void @halves(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call i32 @llvm.amdgcn.permlane64.i32(i32 %t)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
declare i32 @llvm.amdgcn.ds.permute(i32, i32)
declare i32 @llvm.amdgcn.readlane.i32(i32, i32)
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare i32 @llvm.amdgcn.writelane.i32(i32, i32, i32)
declare i32 @llvm.amdgcn.ds.swizzle(i32, i32 immarg)
declare i64 @llvm.amdgcn.ballot.i64(i1)
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
declare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)
declare i32 @llvm.amdgcn.wavefrontsize()
declare i32 @llvm.amdgcn.permlanex16.i32(i32, i32, i32, i32, i1 immarg, i1 immarg)
declare i32 @llvm.amdgcn.permlane64.i32(i32)
