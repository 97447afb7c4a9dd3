; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions that access no memory, and that no front end marked as convergent: one that is defined elsewhere may read the
; thread's number; one of the device's library computes.
; RUN: %opt -passes='stencil-remap<column=32>' -pass-remarks=stencil -pass-remarks-missed=stencil -disable-output %s 2>&1 | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare float @elsewhere(float) memory(none)
declare float @__nv_sinf(float) memory(none)

; CHECK: kernel left as it is: its threads cannot be put into another order: it calls a function that may ask for thread numbers
define ptx_kernel void @calls(ptr noalias %in, ptr noalias %out, i32 %w, i32 %h) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %b, %n
  %i = add i32 %first, %t
  %y = udiv i32 %i, %w
  %inside = icmp ult i32 %y, %h
  br i1 %inside, label %body, label %done
body:
  %p = getelementptr float, ptr %in, i32 %i
  %v = load float, ptr %p
  %r = call float @elsewhere(float %v)
  %q = getelementptr float, ptr %out, i32 %i
  store float %r, ptr %q
  br label %done
done:
  ret void
}
; CHECK-NEXT: thread order: columns of 32
define ptx_kernel void @computes(ptr noalias %in, ptr noalias %out, i32 %w, i32 %h) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %b, %n
  %i = add i32 %first, %t
  %y = udiv i32 %i, %w
  %inside = icmp ult i32 %y, %h
  br i1 %inside, label %body, label %done
body:
  %p = getelementptr float, ptr %in, i32 %i
  %v = load float, ptr %p
  %r = call float @__nv_sinf(float %v)
  %q = getelementptr float, ptr %out, i32 %i
  store float %r, ptr %q
  br label %done
done:
  ret void
}
