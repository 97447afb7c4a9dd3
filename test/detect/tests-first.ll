; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Loops that test their condition at the head, as those of -Oz do. What is before the test runs once more than
; what is behind it.
; RUN: %opt -passes='print<stencil>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: stencil in behind: rank 1, one sweep
; CHECK: = fadd(a[0](0), a[0](1))
define void @behind(i64 %n, ptr %a, ptr %b) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %p = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %p, align 4
  %next = add nuw nsw i64 %i, 1
  %q = getelementptr float, ptr %a, i64 %next
  %y = load float, ptr %q, align 4
  %z = fadd float %x, %y
  %r = getelementptr float, ptr %b, i64 %i
  store float %z, ptr %r, align 4
  br label %loop
done:
  ret void
}

; CHECK: no stencil in ahead: ControlFlow: {{.*}} (a loop tests its condition within its body)
define void @ahead(i64 %n, ptr %a, ptr %b) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %p, align 4
  %next = add nuw nsw i64 %i, 1
  %q = getelementptr float, ptr %a, i64 %next
  %y = load float, ptr %q, align 4
  %z = fadd float %x, %y
  %r = getelementptr float, ptr %b, i64 %i
  store float %z, ptr %r, align 4
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %done
body:
  br label %loop
done:
  ret void
}

; CHECK: no stencil in between: ControlFlow: {{.*}} (a loop tests its condition within its body)
define void @between(i64 %n, ptr %a, ptr %b) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %p, align 4
  br label %test
test:
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %next = add nuw nsw i64 %i, 1
  %q = getelementptr float, ptr %a, i64 %next
  %y = load float, ptr %q, align 4
  %z = fadd float %x, %y
  %r = getelementptr float, ptr %b, i64 %i
  store float %z, ptr %r, align 4
  br label %loop
done:
  ret void
}
