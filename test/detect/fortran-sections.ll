; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What flang makes of h(:,1) = h(:,2) are loops if all is known of both descriptors, and nobody else reads them.
; RUN: %opt -passes='stencil-offload,verify' -S %s -o %t.ll
; RUN: FileCheck %s <%t.ll

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @_FortranAAssign(ptr, ptr, ptr, i32)

; The sections are a whole row apart.
; CHECK-LABEL: define void @a_rows(
; CHECK-NOT:   _FortranAAssign
; CHECK:       [[VALUE:%.*]] = load double, ptr
; CHECK:       store double [[VALUE]], ptr
; CHECK-NOT:   _FortranAAssign
define void @a_rows(ptr %h, i64 %n, i64 %m, i64 %step, i64 %other) {
entry:
  %a = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %a8 = getelementptr inbounds i8, ptr %a, i64 8
  %a16 = getelementptr inbounds i8, ptr %a, i64 16
  %a20 = getelementptr inbounds i8, ptr %a, i64 20
  %a21 = getelementptr inbounds i8, ptr %a, i64 21
  %a22 = getelementptr inbounds i8, ptr %a, i64 22
  %a23 = getelementptr inbounds i8, ptr %a, i64 23
  %a24 = getelementptr inbounds i8, ptr %a, i64 24
  %a32 = getelementptr inbounds i8, ptr %a, i64 32
  %a40 = getelementptr inbounds i8, ptr %a, i64 40
  %b = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %b8 = getelementptr inbounds i8, ptr %b, i64 8
  %b16 = getelementptr inbounds i8, ptr %b, i64 16
  %b20 = getelementptr inbounds i8, ptr %b, i64 20
  %b21 = getelementptr inbounds i8, ptr %b, i64 21
  %b22 = getelementptr inbounds i8, ptr %b, i64 22
  %b23 = getelementptr inbounds i8, ptr %b, i64 23
  %b24 = getelementptr inbounds i8, ptr %b, i64 24
  %b32 = getelementptr inbounds i8, ptr %b, i64 32
  %b40 = getelementptr inbounds i8, ptr %b, i64 40
  %row = shl i64 %n, 3
  %second = getelementptr i8, ptr %h, i64 %row
  store ptr %h, ptr %a, align 8
  store i64 8, ptr %a8, align 1
  store i32 20240719, ptr %a16, align 1
  store i8 1, ptr %a20, align 1
  store i8 28, ptr %a21, align 1
  store i8 0, ptr %a22, align 1
  store i8 0, ptr %a23, align 1
  store i64 1, ptr %a24, align 1
  store i64 %n, ptr %a32, align 1
  store i64 8, ptr %a40, align 1
  store ptr %second, ptr %b, align 8
  store i64 8, ptr %b8, align 1
  store i32 20240719, ptr %b16, align 1
  store i8 1, ptr %b20, align 1
  store i8 28, ptr %b21, align 1
  store i8 0, ptr %b22, align 1
  store i8 0, ptr %b23, align 1
  store i64 1, ptr %b24, align 1
  store i64 %n, ptr %b32, align 1
  store i64 8, ptr %b40, align 1
  call void @_FortranAAssign(ptr %a, ptr %b, ptr null, i32 7)
  ret void
}

; Extents and steps that may differ: the call stays for these, and for sections that overlap. The loops run if the
; extents are equal, the second step is not negative, and no byte belongs to both.
; CHECK-LABEL: define void @b_extents(
; CHECK:       icmp eq i64 %n, %m
; CHECK:       icmp sgt i64 %step, -1
; CHECK:       store i64 %step, ptr %b40
; CHECK-NEXT:  call void @_FortranAAssign(ptr {{.*}}%a, ptr {{.*}}%b,
; CHECK:       store double
define void @b_extents(ptr %h, i64 %n, i64 %m, i64 %step, i64 %other) {
entry:
  %a = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %a8 = getelementptr inbounds i8, ptr %a, i64 8
  %a16 = getelementptr inbounds i8, ptr %a, i64 16
  %a20 = getelementptr inbounds i8, ptr %a, i64 20
  %a21 = getelementptr inbounds i8, ptr %a, i64 21
  %a22 = getelementptr inbounds i8, ptr %a, i64 22
  %a23 = getelementptr inbounds i8, ptr %a, i64 23
  %a24 = getelementptr inbounds i8, ptr %a, i64 24
  %a32 = getelementptr inbounds i8, ptr %a, i64 32
  %a40 = getelementptr inbounds i8, ptr %a, i64 40
  %b = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %b8 = getelementptr inbounds i8, ptr %b, i64 8
  %b16 = getelementptr inbounds i8, ptr %b, i64 16
  %b20 = getelementptr inbounds i8, ptr %b, i64 20
  %b21 = getelementptr inbounds i8, ptr %b, i64 21
  %b22 = getelementptr inbounds i8, ptr %b, i64 22
  %b23 = getelementptr inbounds i8, ptr %b, i64 23
  %b24 = getelementptr inbounds i8, ptr %b, i64 24
  %b32 = getelementptr inbounds i8, ptr %b, i64 32
  %b40 = getelementptr inbounds i8, ptr %b, i64 40
  %row = shl i64 %n, 3
  %second = getelementptr i8, ptr %h, i64 %row
  store ptr %h, ptr %a, align 8
  store i64 8, ptr %a8, align 1
  store i32 20240719, ptr %a16, align 1
  store i8 1, ptr %a20, align 1
  store i8 28, ptr %a21, align 1
  store i8 0, ptr %a22, align 1
  store i8 0, ptr %a23, align 1
  store i64 1, ptr %a24, align 1
  store i64 %n, ptr %a32, align 1
  store i64 8, ptr %a40, align 1
  store ptr %second, ptr %b, align 8
  store i64 8, ptr %b8, align 1
  store i32 20240719, ptr %b16, align 1
  store i8 1, ptr %b20, align 1
  store i8 28, ptr %b21, align 1
  store i8 0, ptr %b22, align 1
  store i8 0, ptr %b23, align 1
  store i64 1, ptr %b24, align 1
  store i64 %m, ptr %b32, align 1
  store i64 %step, ptr %b40, align 1
  call void @_FortranAAssign(ptr %a, ptr %b, ptr null, i32 7)
  ret void
}

; The program reads a field: the descriptor has another use.
; CHECK-LABEL: define void @c_read(
; CHECK-NOT:   store double
; CHECK:       call void @_FortranAAssign(ptr %a, ptr %b,
; CHECK-NOT:   store double
define void @c_read(ptr %h, i64 %n, i64 %m, i64 %step, i64 %other) {
entry:
  %a = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %a8 = getelementptr inbounds i8, ptr %a, i64 8
  %a16 = getelementptr inbounds i8, ptr %a, i64 16
  %a20 = getelementptr inbounds i8, ptr %a, i64 20
  %a21 = getelementptr inbounds i8, ptr %a, i64 21
  %a22 = getelementptr inbounds i8, ptr %a, i64 22
  %a23 = getelementptr inbounds i8, ptr %a, i64 23
  %a24 = getelementptr inbounds i8, ptr %a, i64 24
  %a32 = getelementptr inbounds i8, ptr %a, i64 32
  %a40 = getelementptr inbounds i8, ptr %a, i64 40
  %b = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %b8 = getelementptr inbounds i8, ptr %b, i64 8
  %b16 = getelementptr inbounds i8, ptr %b, i64 16
  %b20 = getelementptr inbounds i8, ptr %b, i64 20
  %b21 = getelementptr inbounds i8, ptr %b, i64 21
  %b22 = getelementptr inbounds i8, ptr %b, i64 22
  %b23 = getelementptr inbounds i8, ptr %b, i64 23
  %b24 = getelementptr inbounds i8, ptr %b, i64 24
  %b32 = getelementptr inbounds i8, ptr %b, i64 32
  %b40 = getelementptr inbounds i8, ptr %b, i64 40
  %row = shl i64 %n, 3
  %second = getelementptr i8, ptr %h, i64 %row
  store ptr %h, ptr %a, align 8
  store i64 8, ptr %a8, align 1
  store i32 20240719, ptr %a16, align 1
  store i8 1, ptr %a20, align 1
  store i8 28, ptr %a21, align 1
  store i8 0, ptr %a22, align 1
  store i8 0, ptr %a23, align 1
  store i64 1, ptr %a24, align 1
  store i64 %n, ptr %a32, align 1
  store i64 8, ptr %a40, align 1
  store ptr %second, ptr %b, align 8
  store i64 8, ptr %b8, align 1
  store i32 20240719, ptr %b16, align 1
  store i8 1, ptr %b20, align 1
  store i8 28, ptr %b21, align 1
  store i8 0, ptr %b22, align 1
  store i8 0, ptr %b23, align 1
  store i64 1, ptr %b24, align 1
  store i64 %n, ptr %b32, align 1
  store i64 8, ptr %b40, align 1
  call void @_FortranAAssign(ptr %a, ptr %b, ptr null, i32 7)
  %field = load i64, ptr %a32, align 8
  store i64 %field, ptr %h, align 8
  ret void
}

; Numbers of another type are converted.
; CHECK-LABEL: define void @d_converts(
; CHECK-NOT:   store double
; CHECK:       call void @_FortranAAssign(ptr %a, ptr %b,
; CHECK-NOT:   store double
define void @d_converts(ptr %h, i64 %n, i64 %m, i64 %step, i64 %other) {
entry:
  %a = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %a8 = getelementptr inbounds i8, ptr %a, i64 8
  %a16 = getelementptr inbounds i8, ptr %a, i64 16
  %a20 = getelementptr inbounds i8, ptr %a, i64 20
  %a21 = getelementptr inbounds i8, ptr %a, i64 21
  %a22 = getelementptr inbounds i8, ptr %a, i64 22
  %a23 = getelementptr inbounds i8, ptr %a, i64 23
  %a24 = getelementptr inbounds i8, ptr %a, i64 24
  %a32 = getelementptr inbounds i8, ptr %a, i64 32
  %a40 = getelementptr inbounds i8, ptr %a, i64 40
  %b = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %b8 = getelementptr inbounds i8, ptr %b, i64 8
  %b16 = getelementptr inbounds i8, ptr %b, i64 16
  %b20 = getelementptr inbounds i8, ptr %b, i64 20
  %b21 = getelementptr inbounds i8, ptr %b, i64 21
  %b22 = getelementptr inbounds i8, ptr %b, i64 22
  %b23 = getelementptr inbounds i8, ptr %b, i64 23
  %b24 = getelementptr inbounds i8, ptr %b, i64 24
  %b32 = getelementptr inbounds i8, ptr %b, i64 32
  %b40 = getelementptr inbounds i8, ptr %b, i64 40
  %row = shl i64 %n, 3
  %second = getelementptr i8, ptr %h, i64 %row
  store ptr %h, ptr %a, align 8
  store i64 8, ptr %a8, align 1
  store i32 20240719, ptr %a16, align 1
  store i8 1, ptr %a20, align 1
  store i8 28, ptr %a21, align 1
  store i8 0, ptr %a22, align 1
  store i8 0, ptr %a23, align 1
  store i64 1, ptr %a24, align 1
  store i64 %n, ptr %a32, align 1
  store i64 8, ptr %a40, align 1
  store ptr %second, ptr %b, align 8
  store i64 8, ptr %b8, align 1
  store i32 20240719, ptr %b16, align 1
  store i8 1, ptr %b20, align 1
  store i8 10, ptr %b21, align 1
  store i8 0, ptr %b22, align 1
  store i8 0, ptr %b23, align 1
  store i64 1, ptr %b24, align 1
  store i64 %n, ptr %b32, align 1
  store i64 8, ptr %b40, align 1
  call void @_FortranAAssign(ptr %a, ptr %b, ptr null, i32 7)
  ret void
}
