; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What flang makes of u = v, allocatable arrays, is a copy if nothing but the call uses its second descriptor, and
; that is of an array that is not itself allocatable. The loop keeps its call.
; RUN: %opt -passes='stencil-offload,verify' -pass-remarks=stencil -pass-remarks-missed=stencil -S %s -o %t.ll 2>%t.remarks
; RUN: FileCheck %s <%t.ll
; RUN: FileCheck %s --check-prefix=SAID <%t.remarks

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@u = global { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } zeroinitializer
@v = global { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } zeroinitializer

; u has a base, rank, type and attribute as expected, and the extent of v.
; SAID: 1-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: the whole time loop, the copy after each sweep included
; CHECK-LABEL: define void @a_copied(
; CHECK:       [[BASE:%.*]] = load ptr, ptr @u
; CHECK-NEXT:  [[NUMBER:%.*]] = ptrtoint ptr [[BASE]] to i64
; CHECK:       icmp ne i64 [[NUMBER]], 0
; CHECK:       [[KIND:%.*]] = add nsw i64 %{{.*}}, -138241
; CHECK-NEXT:  icmp eq i64 [[KIND]], 0
; CHECK:       call i1 @stencilopt.enter(
; CHECK-NOT:   @llvm.memmove
; CHECK:       store i64 8, ptr %d40, align 8
; CHECK-NEXT:  call void @_FortranAAssign(
; CHECK-NEXT:  %t.next =
define void @a_copied(i64 %n, i64 %steps) {
entry:
  %d = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %d8 = getelementptr inbounds i8, ptr %d, i64 8
  %d16 = getelementptr inbounds i8, ptr %d, i64 16
  %d20 = getelementptr inbounds i8, ptr %d, i64 20
  %d21 = getelementptr inbounds i8, ptr %d, i64 21
  %d22 = getelementptr inbounds i8, ptr %d, i64 22
  %d23 = getelementptr inbounds i8, ptr %d, i64 23
  %d24 = getelementptr inbounds i8, ptr %d, i64 24
  %d32 = getelementptr inbounds i8, ptr %d, i64 32
  %d40 = getelementptr inbounds i8, ptr %d, i64 40
  br label %time

time:
  %t = phi i64 [ 0, %entry ], [ %t.next, %assign ]
  %v.base = load ptr, ptr @v, align 8
  %u.base = load ptr, ptr @u, align 8
  br label %cells

cells:
  %i = phi i64 [ 1, %time ], [ %next, %cells ]
  %before = getelementptr double, ptr %u.base, i64 %i
  %west = getelementptr i8, ptr %before, i64 -8
  %east = getelementptr i8, ptr %before, i64 8
  %a = load double, ptr %west, align 8
  %b = load double, ptr %east, align 8
  %sum = fadd double %a, %b
  %to = getelementptr double, ptr %v.base, i64 %i
  store double %sum, ptr %to, align 8
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %cells, label %assign

assign:
  %extent = load i64, ptr getelementptr inbounds (i8, ptr @v, i64 32), align 8
  store ptr %v.base, ptr %d, align 8
  store i64 8, ptr %d8, align 8
  store i32 20240719, ptr %d16, align 8
  store i8 1, ptr %d20, align 4
  store i8 28, ptr %d21, align 1
  store i8 0, ptr %d22, align 2
  store i8 0, ptr %d23, align 1
  store i64 1, ptr %d24, align 8
  store i64 %extent, ptr %d32, align 8
  store i64 8, ptr %d40, align 8
  call void @_FortranAAssign(ptr @u, ptr %d, ptr null, i32 11)
  %t.next = add nuw nsw i64 %t, 1
  %again = icmp slt i64 %t.next, %steps
  br i1 %again, label %time, label %end

end:
  ret void
}

; SAID: arrays may be copied in each iteration of the outer loop: {{.*}}the loop nest calls _FortranAAssign
; CHECK-LABEL: define void @b_read(
define void @b_read(i64 %n, i64 %steps) {
entry:
  %d = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %d8 = getelementptr inbounds i8, ptr %d, i64 8
  %d16 = getelementptr inbounds i8, ptr %d, i64 16
  %d20 = getelementptr inbounds i8, ptr %d, i64 20
  %d21 = getelementptr inbounds i8, ptr %d, i64 21
  %d22 = getelementptr inbounds i8, ptr %d, i64 22
  %d23 = getelementptr inbounds i8, ptr %d, i64 23
  %d24 = getelementptr inbounds i8, ptr %d, i64 24
  %d32 = getelementptr inbounds i8, ptr %d, i64 32
  %d40 = getelementptr inbounds i8, ptr %d, i64 40
  br label %time

time:
  %t = phi i64 [ 0, %entry ], [ %t.next, %assign ]
  %v.base = load ptr, ptr @v, align 8
  %u.base = load ptr, ptr @u, align 8
  br label %cells

cells:
  %i = phi i64 [ 1, %time ], [ %next, %cells ]
  %before = getelementptr double, ptr %u.base, i64 %i
  %west = getelementptr i8, ptr %before, i64 -8
  %east = getelementptr i8, ptr %before, i64 8
  %a = load double, ptr %west, align 8
  %b = load double, ptr %east, align 8
  %sum = fadd double %a, %b
  %to = getelementptr double, ptr %v.base, i64 %i
  store double %sum, ptr %to, align 8
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %cells, label %assign

assign:
  %extent = load i64, ptr getelementptr inbounds (i8, ptr @v, i64 32), align 8
  store ptr %v.base, ptr %d, align 8
  store i64 8, ptr %d8, align 8
  store i32 20240719, ptr %d16, align 8
  store i8 1, ptr %d20, align 4
  store i8 28, ptr %d21, align 1
  store i8 0, ptr %d22, align 2
  store i8 0, ptr %d23, align 1
  store i64 1, ptr %d24, align 8
  store i64 %extent, ptr %d32, align 8
  store i64 8, ptr %d40, align 8
  call void @_FortranAAssign(ptr @u, ptr %d, ptr null, i32 11)
  %peek = load i64, ptr %d32, align 8
  store volatile i64 %peek, ptr @seen, align 8
  %t.next = add nuw nsw i64 %t, 1
  %again = icmp slt i64 %t.next, %steps
  br i1 %again, label %time, label %end

end:
  ret void
}

; SAID: arrays may be copied in each iteration of the outer loop: {{.*}}the loop nest calls _FortranAAssign
; CHECK-LABEL: define void @c_allocatable(
define void @c_allocatable(i64 %n, i64 %steps) {
entry:
  %d = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %d8 = getelementptr inbounds i8, ptr %d, i64 8
  %d16 = getelementptr inbounds i8, ptr %d, i64 16
  %d20 = getelementptr inbounds i8, ptr %d, i64 20
  %d21 = getelementptr inbounds i8, ptr %d, i64 21
  %d22 = getelementptr inbounds i8, ptr %d, i64 22
  %d23 = getelementptr inbounds i8, ptr %d, i64 23
  %d24 = getelementptr inbounds i8, ptr %d, i64 24
  %d32 = getelementptr inbounds i8, ptr %d, i64 32
  %d40 = getelementptr inbounds i8, ptr %d, i64 40
  br label %time

time:
  %t = phi i64 [ 0, %entry ], [ %t.next, %assign ]
  %v.base = load ptr, ptr @v, align 8
  %u.base = load ptr, ptr @u, align 8
  br label %cells

cells:
  %i = phi i64 [ 1, %time ], [ %next, %cells ]
  %before = getelementptr double, ptr %u.base, i64 %i
  %west = getelementptr i8, ptr %before, i64 -8
  %east = getelementptr i8, ptr %before, i64 8
  %a = load double, ptr %west, align 8
  %b = load double, ptr %east, align 8
  %sum = fadd double %a, %b
  %to = getelementptr double, ptr %v.base, i64 %i
  store double %sum, ptr %to, align 8
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %cells, label %assign

assign:
  %extent = load i64, ptr getelementptr inbounds (i8, ptr @v, i64 32), align 8
  store ptr %v.base, ptr %d, align 8
  store i64 8, ptr %d8, align 8
  store i32 20240719, ptr %d16, align 8
  store i8 1, ptr %d20, align 4
  store i8 28, ptr %d21, align 1
  store i8 2, ptr %d22, align 2
  store i8 0, ptr %d23, align 1
  store i64 1, ptr %d24, align 8
  store i64 %extent, ptr %d32, align 8
  store i64 8, ptr %d40, align 8
  call void @_FortranAAssign(ptr @u, ptr %d, ptr null, i32 11)
  %t.next = add nuw nsw i64 %t, 1
  %again = icmp slt i64 %t.next, %steps
  br i1 %again, label %time, label %end

end:
  ret void
}

declare void @_FortranAAssign(ptr, ptr, ptr, i32)
@seen = global i64 0
