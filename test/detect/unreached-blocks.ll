; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A value joins in the nest from a block that nothing reaches. The compiler crashed.
; RUN: %opt -passes="stencil-offload<bt=2;cells=4>" -disable-output %s
; RUN: %opt -passes="print<stencil>" -disable-output %s 2>&1 | FileCheck %s
; CHECK: no stencil in random_f33: NotStencil
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define fastcc void @random_f33(i32 %n0, ptr %A, i1 %cmp17) {
entry:
  br i1 %cmp17, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  br label %for.body5.lr.ph

for.body5.lr.ph:                                  ; preds = %for.cond.cleanup4, %for.cond1.preheader.lr.ph
  %t.018 = phi i32 [ 0, %for.cond1.preheader.lr.ph ], [ %inc32, %for.cond.cleanup4 ]
  br label %for.body5

for.cond.cleanup:                                 ; preds = %for.cond.cleanup4, %entry
  ret void

for.cond.cleanup4:                                ; preds = %cond.end26
  %inc32 = add i32 %t.018, 1
  %exitcond19.not = icmp eq i32 %t.018, %n0
  br i1 %exitcond19.not, label %for.cond.cleanup, label %for.body5.lr.ph

for.body5:                                        ; preds = %cond.end26, %for.body5.lr.ph
  %add216 = phi i32 [ 1, %for.body5.lr.ph ], [ %add2, %cond.end26 ]
  %i.015 = phi i32 [ 0, %for.body5.lr.ph ], [ %add216, %cond.end26 ]
  %idxprom = sext i32 %i.015 to i64
  %0 = load float, ptr null, align 4
  %conv = uitofp i32 %t.018 to float
  %cmp13 = fcmp une float %0, %conv
  br i1 %cmp13, label %cond.end26, label %cond.false17

cond.true:                                        ; No predecessors!
  %div = fmul float %0, 0.000000e+00
  br label %cond.end26

cond.false17:                                     ; preds = %for.body5
  %1 = fadd float 0.000000e+00, 0.000000e+00
  br label %cond.end26

cond.end26:                                       ; preds = %cond.false17, %cond.true, %for.body5
  %cond27 = phi float [ 0.000000e+00, %cond.true ], [ 1.000000e+00, %cond.false17 ], [ 0.000000e+00, %for.body5 ]
  %arrayidx7 = getelementptr float, ptr %A, i64 %idxprom
  store float %cond27, ptr %arrayidx7, align 4
  %add2 = add i32 %add216, 1
  %exitcond.not = icmp eq i32 0, 0
  br i1 %exitcond.not, label %for.cond.cleanup4, label %for.body5
}
