; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; No stencil, and a stencil whose loop is entered by an indirect jump, so that nothing can be put in
; front of it.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @scale(i64 %n, ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %p, align 4
  %y = fmul float %x, 2.000000e+00
  store float %y, ptr %p, align 4
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @jumped(i64 %n, ptr %to, ptr %a, ptr %b) {
entry:
  indirectbr ptr %to, [label %loop, label %done]
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %p, align 4
  %next = add nuw nsw i64 %i, 1
  %q = getelementptr float, ptr %a, i64 %next
  %y = load float, ptr %q, align 4
  %z = fadd float %x, %y
  %r = getelementptr float, ptr %b, i64 %i
  store float %z, ptr %r, align 4
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
