; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Variables that functions share only in name become each function's own. Next door: those whose value another function
; reads, or may change, stay.
; RUN: opt-22 -load-pass-plugin=%plugin -passes=stencil-own-variables -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

@own = internal global i32 0
@handed = internal global i32 0
@returned = internal global i32 0
@callback = internal global i32 0
@jumped = internal global i32 0
@waiting = internal global i32 0
@ordered = internal global i32 0
@hooked = internal global i32 0
@again = internal global i32 0
@visible = global i32 0
@listed = internal global i32 0
@llvm.used = appending global [1 x ptr] [ptr @listed], section "llvm.metadata"

declare void @outside()
declare i32 @setjmp(ptr) returns_twice

; CHECK-LABEL: define i32 @sets_first(
; CHECK-NOT: @own
; CHECK: ret i32
define i32 @sets_first(i32 %n) {
  store i32 %n, ptr @own
  call void @outside2()
  %v = load i32, ptr @own
  ret i32 %v
}
; CHECK-LABEL: define void @outside2(
define void @outside2() {
  ret void
}
; CHECK-LABEL: define internal i32 @sets_first_too(
; CHECK-NOT: @own
; CHECK: ret i32
define internal i32 @sets_first_too(i32 %n) {
  %v0 = mul i32 %n, 3
  store i32 %v0, ptr @own
  %v = load i32, ptr @own
  ret i32 %v
}

; Another function reads what this one stored.
; CHECK-LABEL: define void @hands(
; CHECK: store i32 %n, ptr @handed
define void @hands(i32 %n) {
  store i32 %n, ptr @handed
  ret void
}
; CHECK-LABEL: define i32 @takes(
; CHECK: load i32, ptr @handed
define i32 @takes() {
  %v = load i32, ptr @handed
  ret i32 %v
}

; The caller reads what its callee stored last.
; CHECK-LABEL: define i32 @reads_behind_call(
; CHECK: load i32, ptr @returned
define i32 @reads_behind_call(i32 %n) {
  store i32 %n, ptr @returned
  call void @stores()
  %v = load i32, ptr @returned
  ret i32 %v
}
define internal void @stores() noinline {
  store i32 7, ptr @returned
  ret void
}

; Code outside may call back.
; CHECK-LABEL: define i32 @calls_back(
; CHECK: load i32, ptr @callback
define i32 @calls_back(i32 %n) {
  store i32 %n, ptr @callback
  call void @outside()
  %v = load i32, ptr @callback
  ret i32 %v
}

; A jump may bring control here again.
; CHECK-LABEL: define internal i32 @jumps(
; CHECK: load i32, ptr @jumped
define internal i32 @jumps(ptr %b, i32 %n) {
  store i32 %n, ptr @jumped
  %r = call i32 @setjmp(ptr %b)
  %v = load i32, ptr @jumped
  %s = add i32 %v, %r
  ret i32 %s
}

; Others may run while a coroutine waits.
; CHECK-LABEL: define internal i32 @waits(
; CHECK: load i32, ptr @waiting
define internal i32 @waits(i32 %n) presplitcoroutine {
  store i32 %n, ptr @waiting
  %v = load i32, ptr @waiting
  ret i32 %v
}

; Other files may read it, or the program says that it is used.
; CHECK-LABEL: define i32 @seen(
; CHECK: store i32 %n, ptr @visible
; CHECK: store i32 %n, ptr @listed
define i32 @seen(i32 %n) {
  store i32 %n, ptr @visible
  store i32 %n, ptr @listed
  %v = load i32, ptr @visible
  %w = load i32, ptr @listed
  %s = add i32 %v, %w
  ret i32 %s
}

; flang's tables: the address of the first variable, and of the second.
; CHECK-LABEL: define void @host(
; CHECK: %second = alloca i32
define void @host(i32 %n) {
  %table = alloca { ptr, ptr }
  %first = alloca i32
  %second = alloca i32
  store ptr %first, ptr %table
  %at = getelementptr i8, ptr %table, i64 8
  store ptr %second, ptr %at
  store i32 %n, ptr %second
  call void @internal(ptr %table, i32 %n)
  call void @internal(ptr %table, i32 3)
  ret void
}
; CHECK-LABEL: define internal void @internal(
; CHECK: [[OWN:%.*]] = alloca i32
; CHECK: store i32 %n, ptr [[OWN]]
; CHECK: load i32, ptr [[OWN]]
; CHECK: [[SECOND:%.*]] = load ptr
; CHECK: load i32, ptr [[SECOND]]
define internal void @internal(ptr %t, i32 %n) noinline {
  %first = load ptr, ptr %t
  store i32 %n, ptr %first
  %v = load i32, ptr %first
  %at = getelementptr i8, ptr %t, i64 8
  %second = load ptr, ptr %at
  %w = load i32, ptr %second
  call void @use(i32 %v, i32 %w)
  ret void
}
declare void @use(i32, i32)

; Two variables in the same place of two tables: neither is known.
; CHECK-LABEL: define void @hosts(
; CHECK: store i32 %n, ptr %a
define void @hosts(i32 %n) {
  %t1 = alloca { ptr, ptr }
  %t2 = alloca { ptr, ptr }
  %a = alloca i32
  %b = alloca i32
  store ptr %a, ptr %t1
  store ptr %b, ptr %t2
  store i32 %n, ptr %a
  store i32 %n, ptr %b
  call void @of_both(ptr %t1)
  call void @of_both(ptr %t2)
  ret void
}
; CHECK-LABEL: define internal void @of_both(
; CHECK: store i32 4, ptr %v
define internal void @of_both(ptr %t) noinline {
  %v = load ptr, ptr %t
  store i32 4, ptr %v
  ret void
}

; Another thread may have stored it: the function waited for that.
; CHECK-LABEL: define i32 @waits_for_others(
; CHECK: load i32, ptr @ordered
define i32 @waits_for_others(ptr %flag, i32 %n) {
  store i32 %n, ptr @ordered
  fence seq_cst
  %v = load i32, ptr @ordered
  ret i32 %v
}
define void @of_another_thread(i32 %n) {
  store i32 %n, ptr @ordered
  ret void
}

; The linker may take another function of the name, which may call @stores_hooked.
; CHECK-LABEL: define i32 @calls_replaceable(
; CHECK: load i32, ptr @hooked
define weak void @replaceable() noinline {
  ret void
}
define void @stores_hooked(i32 %n) {
  store i32 %n, ptr @hooked
  ret void
}
define i32 @calls_replaceable(i32 %n) {
  store i32 %n, ptr @hooked
  call void @replaceable()
  %v = load i32, ptr @hooked
  ret i32 %v
}

; A function that gets its own address may call itself with another variable.
; CHECK-LABEL: define void @gives_itself(
; CHECK: store i32 7, ptr %x
; CHECK: call void @calls_given(ptr @calls_given, ptr %x)
; CHECK-NEXT: load i32, ptr %x
define void @gives_itself() {
  %x = alloca i32
  store i32 7, ptr %x
  call void @calls_given(ptr @calls_given, ptr %x)
  %v = load i32, ptr %x
  call void @use(i32 %v, i32 0)
  ret void
}
define internal void @calls_given(ptr %f, ptr %p) noinline {
  %y = alloca i32
  store i32 1, ptr %p
  call void %f(ptr %f, ptr %y)
  ret void
}

; A C program may call main again.
; CHECK-LABEL: define i32 @main(
; CHECK: load i32, ptr @again
define i32 @main(i32 %n) {
  store i32 %n, ptr @again
  call void @outside()
  %v = load i32, ptr @again
  ret i32 %v
}
