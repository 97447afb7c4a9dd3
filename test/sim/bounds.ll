; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Accesses outside memory: which argument, which element, which thread. Exit status 1.
; RUN: not %stencil-sim %s --kernel below --grid 2,2 --block 4,2 --arg buf:f32:4096:zero --arg i32:-1 2>&1 | FileCheck %s --check-prefix=BELOW
; RUN: not %stencil-sim %s --kernel below --grid 2,2 --block 4,2 --arg buf:f32:4096:zero --arg i32:4093 2>&1 | FileCheck %s --check-prefix=ABOVE
; RUN: not %stencil-sim %s --kernel below --grid 2,2 --block 4,2 --arg buf:f32:4096:zero --arg i32:1000000 2>&1 | FileCheck %s --check-prefix=FAR
; RUN: not %stencil-sim %s --kernel straddle --grid 1 --block 1 --arg buf:u8:14:zero 2>&1 | FileCheck %s --check-prefix=STRADDLE
; RUN: not %stencil-sim %s --kernel misaligned --grid 1 --block 1 --arg buf:f32:16:zero 2>&1 | FileCheck %s --check-prefix=MISALIGNED
; RUN: not %stencil-sim %s --kernel null --grid 1 --block 1 2>&1 | FileCheck %s --check-prefix=NULL
; RUN: not %stencil-sim %s --kernel lookup --grid 1 --block 9 --arg buf:i32:9:zero 2>&1 | FileCheck %s --check-prefix=TABLE
; RUN: not %stencil-sim %s --kernel copy --grid 1 --block 1 --arg buf:u8:64:zero --arg buf:u8:63:zero --arg i64:64 2>&1 | FileCheck %s --check-prefix=COPY
; RUN: %stencil-sim %s --kernel copy --grid 1 --block 1 --arg buf:u8:64:zero --arg buf:u8:63:zero --arg i64:63
; RUN: %stencil-sim %s --kernel vector --grid 1 --block 2 --arg buf:f32:8:iota --hash 0
; RUN: %stencil-sim %s --kernel vector --grid 1 --block 2 --offset 4 --arg buf:f32:8:iota --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=MOVED
; RUN: not %stencil-sim %s --kernel vector --grid 1 --block 2 --offset 1 --arg buf:f32:8:iota 2>&1 | FileCheck %s --check-prefix=OFFSET
; RUN: not %stencil-sim %s --kernel vector --grid 1 --block 3 --offset 4 --arg buf:f32:8:iota 2>&1 | FileCheck %s --check-prefix=BEYOND
; RUN: %stencil-sim %s --kernel part --grid 1 --block 2 --arg buf:f32:5:iota --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=PART
; RUN: not %stencil-sim %s --kernel part --grid 1 --block 2 --arg buf:f32:4:iota 2>&1 | FileCheck %s --check-prefix=NO-PART
; RUN: not %stencil-sim %s --kernel vector --grid 1 --block 2 --arg buf:f32:7:iota 2>&1 | FileCheck %s --check-prefix=STORED
target triple = "nvptx64-nvidia-cuda"
@table = internal addrspace(4) constant [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8]

; BELOW: kernel 'below': argument 0: load of 4 bytes at index -1 (element), 4096 elements long, block (0,0,0), thread (0,0,0)
; ABOVE: kernel 'below': argument 0: load of 4 bytes at index 4096 (element), 4096 elements long, block (0,0,0), thread (3,0,0)
; FAR: argument 0: load of 4 bytes at index 1000000 (element), 4096 elements long, block (0,0,0), thread (0,0,0)
define ptx_kernel void @below(ptr %a, i32 %shift) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %t, %shift
  %p = getelementptr inbounds float, ptr %a, i32 %i
  %v = load float, ptr %p
  store float %v, ptr %a
  ret void
}

; STRADDLE: argument 0: load of 4 bytes at index 3 (element), 3 elements long
define ptx_kernel void @straddle(ptr %a) {
  %p = getelementptr i8, ptr %a, i32 12
  %v = load i32, ptr %p
  store i32 %v, ptr %a
  ret void
}

; MISALIGNED: argument 0: misaligned access of 16 bytes at byte 4, alignment 16
define ptx_kernel void @misaligned(ptr %a) {
  %p = getelementptr i8, ptr %a, i32 4
  %v = load <4 x float>, ptr %p, align 16
  store <4 x float> %v, ptr %a
  ret void
}

; NULL: null pointer: store of 8 bytes at address 0x10,
define ptx_kernel void @null() {
  store double 1.0, ptr inttoptr (i64 16 to ptr)
  ret void
}

; TABLE: global 'table': load of 4 bytes at index 8 (element), 8 elements long, block (0,0,0), thread (8,0,0)
define ptx_kernel void @lookup(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(4) @table, i32 %t
  %v = load i32, ptr addrspace(4) %p
  %q = getelementptr i32, ptr %a, i32 %t
  store i32 %v, ptr %q
  ret void
}

; COPY: argument 1: store of 64 bytes at index 0 (element), 63 elements long
define ptx_kernel void @copy(ptr %a, ptr %b, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 %n, i1 false)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; MOVED: {{^}}0 2 4 6 8 1e+01 12 14 {{$}}
; OFFSET: argument 0: misaligned access of 16 bytes at byte 4, alignment 16
; BEYOND: argument 0: load of 16 bytes at index {{[0-9]+}}
define ptx_kernel void @vector(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr <4 x float>, ptr %a, i32 %t
  %v = load <4 x float>, ptr %p, align 16
  %w = fadd <4 x float> %v, %v
  store <4 x float> %w, ptr %p, align 16
  ret void
}

; A load of aligned bytes of which one is there is safe on all devices; a store of them is not.
; PART: {{^}}0 4 2 3 4 {{$}}
; NO-PART: argument 0: load of 16 bytes at index 4 (element), 4 elements long, block (0,0,0), thread (1,0,0)
; STORED: argument 0: store of 16 bytes at index 4 (element), 7 elements long, block (0,0,0), thread (1,0,0)
define ptx_kernel void @part(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr <4 x float>, ptr %a, i32 %t
  %v = load <4 x float>, ptr %p, align 16
  %w = extractelement <4 x float> %v, i32 0
  %q = getelementptr float, ptr %a, i32 %t
  store float %w, ptr %q
  ret void
}
