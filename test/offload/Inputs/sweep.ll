; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; void sweep(long n, const float *a, float *b) { i = 1; do b[i] = a[i-1] + a[i+1]; while (++i < n - 1); }
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i64 @sweep(i64 %n, ptr %a, ptr %b) {
entry:
  %last = add nsw i64 %n, -1
  %some = icmp sgt i64 %last, 1
  br i1 %some, label %ahead, label %none
ahead:
  br label %loop
loop:
  %i = phi i64 [ 1, %ahead ], [ %next, %loop ]
  %left = getelementptr float, ptr %a, i64 %i
  %left1 = getelementptr i8, ptr %left, i64 -4
  %x = load float, ptr %left1, align 4
  %next = add nuw nsw i64 %i, 1
  %right = getelementptr float, ptr %a, i64 %next
  %y = load float, ptr %right, align 4
  %sum = fadd float %x, %y
  %to = getelementptr float, ptr %b, i64 %i
  store float %sum, ptr %to, align 4
  %more = icmp slt i64 %next, %last
  br i1 %more, label %loop, label %done
done:
  %final = phi i64 [ %next, %loop ]
  ret i64 %final
none:
  ret i64 0
}
