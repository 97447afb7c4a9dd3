; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A time loop that makes one of three sweeps in every third step. LLVM has copied that condition to a way
; that control takes only where the first sweep has no cells (%0 is 4): it is none of the third one's.
; RUN: %opt -passes='print<stencil>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: time loop of 3 sweeps in guarded: rank 1
; CHECK-NEXT: sweep 1: along x{{$}}
; CHECK: sweep 2: along x, every 3 steps from step 0
; CHECK: sweep 3: along x{{$}}
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @guarded(i64 %0, ptr %1, ptr %2, ptr %3, i32 %4, ptr %5) {
  %7 = icmp slt i64 %0, 4
  br i1 %7, label %103, label %8

8:
  %9 = icmp sgt i32 %4, 0
  br i1 %9, label %10, label %101

10:
  %11 = add i64 %0, -2
  %12 = icmp eq i64 %0, 4
  %13 = icmp ugt i64 %0, 5
  br i1 %13, label %14, label %72

14:
  %15 = add i64 %0, -4
  br label %16

16:
  %17 = phi i32 [ %27, %26 ], [ 0, %14 ]
  br i1 %12, label %18, label %65

18:
  %19 = urem i32 %17, 3
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %24, label %26

21:
  %22 = urem i32 %17, 3
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %24, label %25

24:
  br label %45

25:
  br label %29

26:
  %27 = add i32 %17, 1
  %28 = icmp eq i32 %27, %4
  br i1 %28, label %101, label %16

29:
  %30 = phi i64 [ %43, %29 ], [ 2, %25 ]
  %31 = getelementptr inbounds float, ptr %2, i64 %30
  %32 = load float, ptr %31, align 4
  %33 = getelementptr inbounds float, ptr %3, i64 %30
  %34 = load float, ptr %33, align 4
  %35 = fadd float %34, 0x3F50624DE0000000
  %36 = fsub float %32, %35
  %37 = getelementptr i8, ptr %31, i64 -4
  %38 = load float, ptr %37, align 4
  %39 = fmul float %38, 0x3F9EB851E0000000
  %40 = fadd float %36, %39
  %41 = fmul float %32, 0x3FBEB851E0000000
  %42 = fadd float %41, %40
  store float %42, ptr %33, align 4
  %43 = add i64 %30, 1
  %44 = icmp eq i64 %43, %11
  br i1 %44, label %26, label %29

45:
  %46 = phi i64 [ %47, %45 ], [ 2, %24 ]
  %47 = add i64 %46, 1
  %48 = getelementptr inbounds float, ptr %1, i64 %47
  %49 = load float, ptr %48, align 4
  %50 = getelementptr inbounds float, ptr %1, i64 %46
  %51 = getelementptr inbounds i8, ptr %50, i64 8
  %52 = load float, ptr %51, align 4
  %53 = fadd float %49, %52
  %54 = fadd float %49, %53
  %55 = getelementptr i8, ptr %50, i64 -8
  %56 = load float, ptr %55, align 4
  %57 = fmul float %56, 0x3FC851EB80000000
  %58 = fsub float %54, %57
  %59 = getelementptr i8, ptr %50, i64 -4
  %60 = load float, ptr %59, align 4
  %61 = fmul float %60, 0x3FD3333340000000
  %62 = fadd float %58, %61
  %63 = getelementptr inbounds float, ptr %3, i64 %46
  store float %62, ptr %63, align 4
  %64 = icmp eq i64 %46, %15
  br i1 %64, label %25, label %45

65:
  %66 = phi i64 [ %70, %65 ], [ 2, %16 ]
  %67 = getelementptr inbounds float, ptr %1, i64 %66
  %68 = load float, ptr %67, align 4
  %69 = getelementptr inbounds float, ptr %2, i64 %66
  store float %68, ptr %69, align 4
  %70 = add i64 %66, 1
  %71 = icmp eq i64 %70, %11
  br i1 %71, label %21, label %65

72:
  br i1 %12, label %101, label %73

73:
  %74 = phi i32 [ %99, %98 ], [ 0, %72 ]
  br label %91

75:
  %76 = phi i64 [ %89, %75 ], [ 2, %91 ]
  %77 = getelementptr inbounds float, ptr %2, i64 %76
  %78 = load float, ptr %77, align 4
  %79 = getelementptr inbounds float, ptr %3, i64 %76
  %80 = load float, ptr %79, align 4
  %81 = fadd float %80, 0x3F50624DE0000000
  %82 = fsub float %78, %81
  %83 = getelementptr i8, ptr %77, i64 -4
  %84 = load float, ptr %83, align 4
  %85 = fmul float %84, 0x3F9EB851E0000000
  %86 = fadd float %82, %85
  %87 = fmul float %78, 0x3FBEB851E0000000
  %88 = fadd float %87, %86
  store float %88, ptr %79, align 4
  %89 = add i64 %76, 1
  %90 = icmp eq i64 %89, %11
  br i1 %90, label %98, label %75

91:
  %92 = phi i64 [ %96, %91 ], [ 2, %73 ]
  %93 = getelementptr inbounds float, ptr %1, i64 %92
  %94 = load float, ptr %93, align 4
  %95 = getelementptr inbounds float, ptr %2, i64 %92
  store float %94, ptr %95, align 4
  %96 = add i64 %92, 1
  %97 = icmp eq i64 %96, %11
  br i1 %97, label %75, label %91

98:
  %99 = add i32 %74, 1
  %100 = icmp eq i32 %99, %4
  br i1 %100, label %101, label %73

101:
  %102 = phi i32 [ 0, %8 ], [ %4, %72 ], [ %4, %26 ], [ %4, %98 ]
  store i32 %102, ptr %5, align 4
  br label %103

103:
  ret void
}