; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function that now asks the runtime has effects that LLVM inferred it has not. So have those that call it, through
; any number of others, in a circle, and by another name; and what was known of the callers' code is found anew.
; RUN: %opt -passes='function(require<memoryssa>),stencil-offload,function(print<memoryssa>)' -stencilopt-code=0 -S %s -o %t.ll 2> %t.ssa
; RUN: FileCheck %s < %t.ll
; RUN: FileCheck %s --check-prefix=SSA < %t.ssa
; A chain of 100,000 callers.
; RUN: %python -c "print('\n'.join('define void @c' + str(i) + '(ptr %%a, ptr %%b) #0 { call void @' + ('c' + str(i - 1) if i else 'sweep') + '(ptr %%a, ptr %%b) ret void }' for i in range(100000)))" > %t.chain
; RUN: cat %s %t.chain > %t.long.ll && %opt -passes=stencil-offload -stencilopt-code=0 -S %t.long.ll | FileCheck %s --check-prefix=CHAIN
; CHAIN: define void @c99999(ptr %a, ptr %b) {
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@other.name = alias void (ptr, ptr), ptr @sweep
@third.name = alias void (ptr, ptr), ptr @other.name

; CHECK: define void @direct(ptr %a, ptr %b) {
define void @direct(ptr %a, ptr %b) #1 {
  call void @sweep(ptr %a, ptr %b)
  ret void
}

; CHECK: define void @by.alias(ptr %a, ptr %b) {
; CHECK: call void @other.name(ptr %a, ptr %b){{$}}
define void @by.alias(ptr %a, ptr %b) #0 {
  call void @other.name(ptr %a, ptr %b) #0
  ret void
}

; CHECK: define void @by.third(ptr %a, ptr %b) {
define void @by.third(ptr %a, ptr %b) #0 {
  call void @third.name(ptr %a, ptr %b)
  ret void
}

; The call accessed no memory, as far as was known.
; SSA-LABEL: MemorySSA for function: calls
; SSA:       1 = MemoryDef(liveOnEntry)
; SSA-NEXT:  call void @direct
; CHECK: define void @calls(ptr %a, ptr %b) {
define void @calls(ptr %a, ptr %b) #1 {
  call void @direct(ptr %a, ptr %b)
  ret void
}

; CHECK: define void @circle(ptr %a, ptr %b, i1 %c) {
define void @circle(ptr %a, ptr %b, i1 %c) #0 {
  br i1 %c, label %again, label %once
again:
  call void @circle(ptr %a, ptr %b, i1 false)
  ret void
once:
  call void @by.alias(ptr %a, ptr %b)
  ret void
}

; CHECK: define void @passes.on(ptr %a, ptr %b) #[[KEPT:[0-9]+]]
define void @passes.on(ptr %a, ptr %b) #0 {
  call void @takes(ptr @sweep)
  ret void
}
declare void @takes(ptr) #0

define void @sweep(ptr %a, ptr %b) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %i.next, %loop ]
  %p = getelementptr float, ptr %a, i64 %i
  %p.left = getelementptr i8, ptr %p, i64 -4
  %p.right = getelementptr i8, ptr %p, i64 4
  %left = load float, ptr %p.left
  %right = load float, ptr %p.right
  %sum = fadd float %left, %right
  %q = getelementptr float, ptr %b, i64 %i
  store float %sum, ptr %q
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 99999
  br i1 %done, label %end, label %loop
end:
  ret void
}

; CHECK: attributes #[[KEPT]] = { {{.*}}nosync
attributes #0 = { nosync nofree norecurse memory(argmem: readwrite) }
attributes #1 = { nosync nofree norecurse memory(none) }
