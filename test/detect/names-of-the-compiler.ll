; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A name that the compiler gave to a value says nothing to the user: the remark does not show that name. A name of the
; source is shown.
; RUN: %opt -passes='print<stencil>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: a value computed in the nest is used after it (a local value)
; CHECK: a value computed in the nest is used after it (found)

define float @f_lcssa12(ptr noalias %in, ptr noalias %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %before = add nsw i64 %i, -1
  %next = add nuw nsw i64 %i, 1
  %left = getelementptr float, ptr %in, i64 %before
  %right = getelementptr float, ptr %in, i64 %next
  %at = getelementptr float, ptr %out, i64 %i
  %a = load float, ptr %left
  %b = load float, ptr %right
  %.lcssa12 = fadd float %a, %b
  store float %.lcssa12, ptr %at
  %go = icmp slt i64 %next, %n
  br i1 %go, label %loop, label %end
end:
  ret float %.lcssa12
}

define float @f_found(ptr noalias %in, ptr noalias %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %before = add nsw i64 %i, -1
  %next = add nuw nsw i64 %i, 1
  %left = getelementptr float, ptr %in, i64 %before
  %right = getelementptr float, ptr %in, i64 %next
  %at = getelementptr float, ptr %out, i64 %i
  %a = load float, ptr %left
  %b = load float, ptr %right
  %found = fadd float %a, %b
  store float %found, ptr %at
  %go = icmp slt i64 %next, %n
  br i1 %go, label %loop, label %end
end:
  ret float %found
}
