; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop may be left for blocks that lead in a circle without an end. The compiler hung.
; RUN: %opt -passes=stencil-offload -S %s -o %t.ll
; RUN: FileCheck %s --input-file=%t.ll
; CHECK: define void @average
; CHECK: second:

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @average(ptr %a, ptr %b, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %next, %cell ]
  %bad = icmp uge i64 %i, 1000000
  br i1 %bad, label %first, label %cell

cell:
  %west = getelementptr float, ptr %a, i64 %i
  %east = getelementptr float, ptr %west, i64 1
  %x = load float, ptr %west
  %y = load float, ptr %east
  %sum = fadd float %x, %y
  %to = getelementptr float, ptr %b, i64 %i
  store float %sum, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end

first:
  br label %second

second:
  br label %first

end:
  ret void
}
