; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Device functions that stay calls (recursion, a pointer to a function), private arrays through generic
; pointers, device globals that keep their values, atomics, and structs by value.
; RUN: %stencil-sim %s --kernel recurse --grid 1 --block 8 --arg buf:i32:8:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=RECURSE
; RUN: %stencil-sim %s --kernel indirect --grid 1 --block 8 --arg buf:i32:8:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=INDIRECT
; RUN: %stencil-sim %s --kernel private --grid 1 --block 4 --arg buf:i32:4:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=PRIVATE
; RUN: %stencil-sim %s --kernel count --grid 100 --block 500 --arg buf:i32:4:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=COUNT
; RUN: not %stencil-sim %s --kernel struct --grid 1 --block 1 --arg i32:1 2>&1 | FileCheck %s --check-prefix=STRUCT
; RUN: not %stencil-sim %s --kernel struct --grid 1 --block 1 --struct 2 --arg i32:1 2>&1 | FileCheck %s --check-prefix=FEW-FIELDS
; FEW-FIELDS: --struct 2 is followed by 1 --arg
; RUN: not %stencil-sim %s --kernel struct --grid 1 --block 1 --struct 2 --arg i32:1 --arg i64:2 2>&1 | FileCheck %s --check-prefix=FIELDS
; FIELDS: argument 0 of kernel 'struct' is a struct of 32 bytes; the fields given have 16
; RUN: not %stencil-sim %s --kernel struct --grid 1 --block 1 --struct 0 --arg i32:1 2>&1 | FileCheck %s --check-prefix=NO-FIELDS
; NO-FIELDS: --struct: a struct has fields
; RUN: not %stencil-sim %s --kernel struct --grid 1 --block 1 --arg i32:1 --struct 4294967295 --arg i32:1 2>&1 | FileCheck %s --check-prefix=MANY-FIELDS
; MANY-FIELDS: --struct 4294967295 is followed by 1 --arg
; RUN: not %stencil-sim %s --kernel struct --grid 1 --block 1 --arg i32:1 --struct 3 2>&1 | FileCheck %s --check-prefix=NO-ARG
; NO-ARG: --struct 3 is followed by 0 --arg
; RUN: not %stencil-sim %s --kernel struct --grid 1 --block 1 --struct 2 --arg i32:1 --struct 1 --arg i32:1 2>&1 | FileCheck %s --check-prefix=NESTED
; NESTED: --struct: a struct in another one
; RUN: not %stencil-sim %s --kernel struct --grid 1 --block 1 --struct 2 --struct 1 --arg i32:1 2>&1 | FileCheck %s --check-prefix=TWICE
; TWICE: --struct: twice for one argument
; RUN: not %stencil-sim %s --kernel trap --grid 1 --block 4 2>&1 | FileCheck %s --check-prefix=TRAP
target triple = "nvptx64-nvidia-cuda"
%pair = type { i32, [3 x i64] }
@counter = internal addrspace(1) global i32 5
@functions = internal addrspace(4) constant [2 x ptr] [ptr @once, ptr @twice]

; RECURSE: {{^}}0 1 3 6 10 15 21 28 {{$}}
define i32 @sum(i32 %n) noinline optnone {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %done, label %more
more:
  %m = sub i32 %n, 1
  %s = call i32 @sum(i32 %m)
  %r = add i32 %s, %n
  ret i32 %r
done:
  ret i32 0
}
define ptx_kernel void @recurse(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = call i32 @sum(i32 %t)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %p
  ret void
}

; INDIRECT: {{^}}0 2 2 6 4 10 6 14 {{$}}
define i32 @once() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %t
}
define i32 @twice() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = mul i32 %t, 2
  ret i32 %v
}
define ptx_kernel void @indirect(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = and i32 %t, 1
  %f = getelementptr ptr, ptr addrspace(4) @functions, i32 %i
  %g = load ptr, ptr addrspace(4) %f
  %v = call i32 %g()
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %p
  ret void
}

; PRIVATE: {{^}}7 1007 7 1007 {{$}}
define ptx_kernel void @private(ptr %out) {
  %x = alloca [4 x i32]
  %y = alloca [4 x i32]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = and i32 %t, 1
  %c = icmp eq i32 %i, 0
  store i32 7, ptr %x
  store i32 1007, ptr %y
  %q = select i1 %c, ptr %x, ptr %y
  %v = load i32, ptr %q
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %p
  ret void
}

; Sum, greatest, exchange under compare; the module's own counter starts at 5.
; COUNT: {{^}}50000 499 1 50005 {{$}}
define ptx_kernel void @count(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = atomicrmw add ptr %out, i32 1 seq_cst
  %p1 = getelementptr i32, ptr %out, i32 1
  %b = atomicrmw max ptr %p1, i32 %t seq_cst
  %p2 = getelementptr i32, ptr %out, i32 2
  %c = cmpxchg ptr %p2, i32 0, i32 1 seq_cst seq_cst
  %d = call i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p1(ptr addrspace(1) @counter, i32 1)
  %e = add i32 %d, 1
  %p3 = getelementptr i32, ptr %out, i32 3
  store i32 %e, ptr %p3
  ret void
}

; STRUCT: argument 0 of kernel 'struct' is a struct of 32 bytes passed by value; --struct N before its fields' --arg gives one
define ptx_kernel void @struct(ptr byval(%pair) %s) {
  store i32 3, ptr %s
  ret void
}

; TRAP: kernel 'trap': trap, failed assertion or unreachable code, block (0,0,0), thread (2,0,0)
define ptx_kernel void @trap() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp eq i32 %t, 2
  br i1 %c, label %stop, label %go
stop:
  call void @llvm.trap()
  unreachable
go:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p1(ptr addrspace(1), i32)
declare void @llvm.trap()
