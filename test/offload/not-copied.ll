; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Sweeps one after the other are looked at together in a copy of their function. There is none where a copy would be
; another function: a block's address is taken (even by data alone), a call may not be duplicated, or sets a place to
; return to, or replaces the return.
; RUN: sed s/@KIND@// %s | %opt -passes=stencil-offload -pass-remarks=stencil -disable-output 2>&1 | FileCheck %s --check-prefix=COPIED
; RUN: sed 's/@KIND@/call void @once() noduplicate/' %s | %opt -passes=stencil-offload -pass-remarks=stencil -disable-output 2>&1 | FileCheck %s
; RUN: sed 's/@KIND@/%%set = call i32 @setjmp(ptr %%a) returns_twice/' %s | %opt -passes=stencil-offload -pass-remarks=stencil -disable-output 2>&1 | FileCheck %s
; RUN: sed 's/^;@LABEL/@LABEL/' %s | sed s/@KIND@// | %opt -passes=stencil-offload -pass-remarks=stencil -disable-output 2>&1 | FileCheck %s
; RUN: sed 's/^;@ELSEWHERE/@ELSEWHERE/' %s | sed s/@KIND@// | %opt -passes=stencil-offload -pass-remarks=stencil -disable-output 2>&1 | FileCheck %s --check-prefix=COPIED
; COPIED:    1-D stencil of radius 1, {{.*}}: two sweeps, one after the other
; CHECK:     one sweep a call
; CHECK:     one sweep a call
; CHECK-NOT: one after the other
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

;@LABEL = constant ptr blockaddress(@sweeps, %end)
;@ELSEWHERE = constant ptr blockaddress(@other, %end)

declare void @once()
declare i32 @setjmp(ptr)

define i32 @other(i1 %c) {
  br i1 %c, label %end, label %last
end:
  br label %last
last:
  %r = phi i32 [ 1, %end ], [ 0, %0 ]
  ret i32 %r
}

define void @sweeps(ptr noalias %a, ptr noalias %b) {
entry:
  @KIND@
  br label %first
first:
  %i = phi i64 [ 1, %entry ], [ %i.next, %first ]
  %p = getelementptr float, ptr %a, i64 %i
  %p.left = getelementptr i8, ptr %p, i64 -4
  %p.right = getelementptr i8, ptr %p, i64 4
  %left = load float, ptr %p.left
  %right = load float, ptr %p.right
  %sum = fadd float %left, %right
  %q = getelementptr float, ptr %b, i64 %i
  store float %sum, ptr %q
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 999
  br i1 %done, label %between, label %first
between:
  br label %second
second:
  %k = phi i64 [ 1, %between ], [ %k.next, %second ]
  %s = getelementptr float, ptr %b, i64 %k
  %s.left = getelementptr i8, ptr %s, i64 -4
  %s.right = getelementptr i8, ptr %s, i64 4
  %left2 = load float, ptr %s.left
  %right2 = load float, ptr %s.right
  %sum2 = fadd float %left2, %right2
  %t = getelementptr float, ptr %a, i64 %k
  store float %sum2, ptr %t
  %k.next = add nuw nsw i64 %k, 1
  %done2 = icmp eq i64 %k.next, 999
  br i1 %done2, label %end, label %second
end:
  ret void
}
