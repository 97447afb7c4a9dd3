; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Floating point is IEEE whatever the flags; fma rounds once; integers never trap.
; RUN: %stencil-sim %s --kernel real --grid 1 --block 1 --arg buf:f32:7:zero --arg f32:0x1.000002p+0 --arg f32:0x1.fffffep-1 --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=REAL
; RUN: %stencil-sim %s --kernel integer --grid 1 --block 1 --arg buf:i32:8:zero --arg i32:0 --arg i32:-1 --arg i32:0x80000000 --arg i32:7 --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=INTEGER
; RUN: %stencil-sim %s --kernel convert --grid 1 --block 1 --arg buf:i32:6:zero --arg f32:1e20 --arg f32:nan --arg f32:2.5 --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=CONVERT
; RUN: %stencil-sim %s --kernel nvvm --grid 1 --block 1 --arg buf:f32:8:zero --arg f32:2 --arg f32:3 --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=NVVM
target triple = "nvptx64-nvidia-cuda"

; x = 1+2^-23, y = 1-2^-24: x*y - 1 with two roundings, with one, by fmuladd, by fma.rn; flags do not let
; the division become a reciprocal, nor sums associate.
; REAL: {{^}}0 5.9604638e-08 5.9604638e-08 5.9604638e-08 1.0000002 1e-08 0 {{$}}
define ptx_kernel void @real(ptr %out, float %x, float %y) {
  %m = fmul contract float %x, %y
  %a = fadd contract float %m, -1.0
  store float %a, ptr %out
  %b = call float @llvm.fma.f32(float %x, float %y, float -1.0)
  %p1 = getelementptr float, ptr %out, i32 1
  store float %b, ptr %p1
  %c = call float @llvm.fmuladd.f32(float %x, float %y, float -1.0)
  %p2 = getelementptr float, ptr %out, i32 2
  store float %c, ptr %p2
  %d = call float @llvm.nvvm.fma.rn.f(float %x, float %y, float -1.0)
  %p3 = getelementptr float, ptr %out, i32 3
  store float %d, ptr %p3
  %e = fdiv fast float %x, %y
  %p4 = getelementptr float, ptr %out, i32 4
  store float %e, ptr %p4
  %f0 = fsub fast float %x, %x
  %f1 = fadd fast float %f0, 0x3E45798EE0000000
  %p5 = getelementptr float, ptr %out, i32 5
  store float %f1, ptr %p5
  %g0 = fadd fast float %x, 0x3E45798EE0000000
  %g1 = fsub fast float %g0, %x
  %p6 = getelementptr float, ptr %out, i32 6
  store float %g1, ptr %p6
  ret void
}

; INTEGER: {{^}}-1 7 -1 7 -2147483648 0 -1 3 {{$}}
define ptx_kernel void @integer(ptr %out, i32 %zero, i32 %minus, i32 %least, i32 %seven) {
  %a = sdiv i32 %seven, %zero
  store i32 %a, ptr %out
  %b = srem i32 %seven, %zero
  %p1 = getelementptr i32, ptr %out, i32 1
  store i32 %b, ptr %p1
  %c = udiv i32 %seven, %zero
  %p2 = getelementptr i32, ptr %out, i32 2
  store i32 %c, ptr %p2
  %d = urem i32 %seven, %zero
  %p3 = getelementptr i32, ptr %out, i32 3
  store i32 %d, ptr %p3
  %e = sdiv i32 %least, %minus
  %p4 = getelementptr i32, ptr %out, i32 4
  store i32 %e, ptr %p4
  %f = srem i32 %least, %minus
  %p5 = getelementptr i32, ptr %out, i32 5
  store i32 %f, ptr %p5
  %g = call i32 @llvm.nvvm.mulhi.i(i32 %least, i32 2)
  %p6 = getelementptr i32, ptr %out, i32 6
  store i32 %g, ptr %p6
  %h = sdiv i32 %seven, 2
  %p7 = getelementptr i32, ptr %out, i32 7
  store i32 %h, ptr %p7
  ret void
}

; Conversions saturate; NaN gives 0. 2.5 to the nearest even, down and up.
; CONVERT: {{^}}2147483647 -1 0 2 2 3 {{$}}
define ptx_kernel void @convert(ptr %out, float %big, float %nan, float %x) {
  %a = fptosi float %big to i32
  store i32 %a, ptr %out
  %b = fptoui float %big to i32
  %p1 = getelementptr i32, ptr %out, i32 1
  store i32 %b, ptr %p1
  %c = fptosi float %nan to i32
  %p2 = getelementptr i32, ptr %out, i32 2
  store i32 %c, ptr %p2
  %d = call i32 @llvm.nvvm.f2i.rn(float %x)
  %p3 = getelementptr i32, ptr %out, i32 3
  store i32 %d, ptr %p3
  %e = call i32 @llvm.nvvm.f2i.rm(float %x)
  %p4 = getelementptr i32, ptr %out, i32 4
  store i32 %e, ptr %p4
  %f = call i32 @llvm.nvvm.f2i.rp(float %x)
  %p5 = getelementptr i32, ptr %out, i32 5
  store i32 %f, ptr %p5
  ret void
}

; NVVM: {{^}}5 6 0.6666667 1.4142135 2 4 0.5 9 {{$}}
define ptx_kernel void @nvvm(ptr %out, float %x, float %y) {
  %a = call float @llvm.nvvm.add.rn.f(float %x, float %y)
  store float %a, ptr %out
  %b = call float @llvm.nvvm.mul.rn.f(float %x, float %y)
  %p1 = getelementptr float, ptr %out, i32 1
  store float %b, ptr %p1
  %c = call float @llvm.nvvm.div.rn.f(float %x, float %y)
  %p2 = getelementptr float, ptr %out, i32 2
  store float %c, ptr %p2
  %d = call float @llvm.nvvm.sqrt.rn.f(float %x)
  %p3 = getelementptr float, ptr %out, i32 3
  store float %d, ptr %p3
  %e = call float @llvm.nvvm.fmin.f(float %x, float %y)
  %p4 = getelementptr float, ptr %out, i32 4
  store float %e, ptr %p4
  %f = call float @llvm.nvvm.ex2.approx.f(float %x)
  %p5 = getelementptr float, ptr %out, i32 5
  store float %f, ptr %p5
  %g = call float @llvm.nvvm.rcp.rn.f(float %x)
  %p6 = getelementptr float, ptr %out, i32 6
  store float %g, ptr %p6
  %h = call float @__nv_powf(float %y, float %x)
  %p7 = getelementptr float, ptr %out, i32 7
  store float %h, ptr %p7
  ret void
}

declare float @llvm.fma.f32(float, float, float)
declare float @llvm.fmuladd.f32(float, float, float)
declare float @llvm.nvvm.fma.rn.f(float, float, float)
declare i32 @llvm.nvvm.mulhi.i(i32, i32)
declare i32 @llvm.nvvm.f2i.rn(float)
declare i32 @llvm.nvvm.f2i.rm(float)
declare i32 @llvm.nvvm.f2i.rp(float)
declare float @llvm.nvvm.add.rn.f(float, float)
declare float @llvm.nvvm.mul.rn.f(float, float)
declare float @llvm.nvvm.div.rn.f(float, float)
declare float @llvm.nvvm.sqrt.rn.f(float)
declare float @llvm.nvvm.fmin.f(float, float)
declare float @llvm.nvvm.ex2.approx.f(float)
declare float @llvm.nvvm.rcp.rn.f(float)
declare float @__nv_powf(float, float)
