; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; For one choice, a loop that chooses sweeps ends after an iteration. The compiler crashed.
; RUN: %opt -passes="stencil-offload<bt=2;cells=4>" -S %s | FileCheck %s
; CHECK: define void @source
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @source(ptr %a, ptr %s, i1 %cmp233) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.body17.lr.ph, %entry
  br i1 %cmp233, label %for.body4.lr.ph, label %for.body17.lr.ph

for.body4.lr.ph:                                  ; preds = %for.cond1.preheader
  %arrayidx = getelementptr float, ptr %s, i64 0
  br label %for.body4

for.body4:                                        ; preds = %for.body4, %for.body4.lr.ph
  store float 0.000000e+00, ptr %a, align 4
  %exitcond.not = icmp eq i64 0, 0
  br i1 %exitcond.not, label %for.body17.lr.ph, label %for.body4

for.body17.lr.ph:                                 ; preds = %for.body17.lr.ph, %for.body4, %for.cond1.preheader
  %exitcond57.not = icmp eq i64 0, 1
  br i1 %exitcond57.not, label %for.cond1.preheader, label %for.body17.lr.ph
}
