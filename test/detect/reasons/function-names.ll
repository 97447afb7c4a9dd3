; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Remarks name functions as their authors wrote them: in C, C++, Rust (both of its manglings) and Fortran.
; RUN: %opt -passes=stencil-offload -pass-remarks-missed=stencil -disable-output %s 2>&1 | FileCheck %s

; CHECK: the loop nest calls plain, which is not known
; CHECK: the loop nest calls heat::Bar<float>::look, which is not known
; CHECK: the loop nest calls heat::X::m, which is not known
; CHECK: the loop nest calls heat::sweep, which is not known
; CHECK: the loop nest calls mycrate::foo, which is not known
; CHECK: the loop nest calls plate::step, which is not known
; CHECK: the loop nest calls outer::inner, which is not known

target triple = "x86_64-unknown-linux-gnu"
declare float @plain(float) nounwind
declare float @_ZN4heat3BarIfE4lookEf(float) nounwind
declare float @_ZNK4heat1X1mEf(float) nounwind
declare float @_ZN4heat5sweep17h0123456789abcdefE(float) nounwind
declare float @_RNvCs1234_7mycrate3foo(float) nounwind
declare float @_QMplatePstep(float) nounwind
declare float @_QFouterPinner(float) nounwind

define void @user0(ptr noalias %x, ptr noalias %y) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %from = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %from
  %c = call float @plain(float %v)
  %to = getelementptr float, ptr %y, i64 %i
  store float %c, ptr %to
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, 100
  br i1 %end, label %exit, label %loop

exit:
  ret void
}

define void @user1(ptr noalias %x, ptr noalias %y) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %from = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %from
  %c = call float @_ZN4heat3BarIfE4lookEf(float %v)
  %to = getelementptr float, ptr %y, i64 %i
  store float %c, ptr %to
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, 100
  br i1 %end, label %exit, label %loop

exit:
  ret void
}

define void @user2(ptr noalias %x, ptr noalias %y) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %from = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %from
  %c = call float @_ZNK4heat1X1mEf(float %v)
  %to = getelementptr float, ptr %y, i64 %i
  store float %c, ptr %to
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, 100
  br i1 %end, label %exit, label %loop

exit:
  ret void
}

define void @user3(ptr noalias %x, ptr noalias %y) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %from = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %from
  %c = call float @_ZN4heat5sweep17h0123456789abcdefE(float %v)
  %to = getelementptr float, ptr %y, i64 %i
  store float %c, ptr %to
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, 100
  br i1 %end, label %exit, label %loop

exit:
  ret void
}

define void @user4(ptr noalias %x, ptr noalias %y) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %from = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %from
  %c = call float @_RNvCs1234_7mycrate3foo(float %v)
  %to = getelementptr float, ptr %y, i64 %i
  store float %c, ptr %to
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, 100
  br i1 %end, label %exit, label %loop

exit:
  ret void
}

define void @user5(ptr noalias %x, ptr noalias %y) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %from = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %from
  %c = call float @_QMplatePstep(float %v)
  %to = getelementptr float, ptr %y, i64 %i
  store float %c, ptr %to
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, 100
  br i1 %end, label %exit, label %loop

exit:
  ret void
}

define void @user6(ptr noalias %x, ptr noalias %y) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %from = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %from
  %c = call float @_QFouterPinner(float %v)
  %to = getelementptr float, ptr %y, i64 %i
  store float %c, ptr %to
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, 100
  br i1 %end, label %exit, label %loop

exit:
  ret void
}
