; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Of i <= n, where the index does not wrap, LLVM counts n + 1 iterations in 128 bits.
; RUN: %opt -passes='print<stencil>,stencil-offload,verify' -disable-output %s 2>&1 | FileCheck %s
; CHECK: no stencil in behind: NoTripCount
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @behind(i64 %n, ptr %a, ptr %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %beyond = icmp ugt i64 %i, %n
  br i1 %beyond, label %done, label %body

body:
  %next = add nsw i64 %i, 1
  %p = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %p
  %q = getelementptr float, ptr %a, i64 %next
  %y = load float, ptr %q
  %z = fadd float %x, %y
  %r = getelementptr float, ptr %b, i64 %i
  store float %z, ptr %r
  br label %loop

done:
  ret void
}
