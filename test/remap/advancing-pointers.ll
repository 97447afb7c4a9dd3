; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Kernels that write by pointers which their loops advance. The search for the array ends, in whatever order the
; pointer's ways in are listed, and where pointers of two loops come from each other.
; RUN: %opt -passes='stencil-remap<column=32>' -pass-remarks-missed=stencil -disable-output %s 2>&1 | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-COUNT-3: kernel left as it is: its threads cannot be put into another order
define ptx_kernel void @start_last(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = getelementptr float, ptr %out, i32 %t
  br label %loop

loop:
  %p = phi ptr [ %next, %loop ], [ %o, %entry ]
  %i = phi i32 [ %more, %loop ], [ 0, %entry ]
  store float 1.0, ptr %p
  %next = getelementptr float, ptr %p, i32 %n
  %more = add i32 %i, 1
  %done = icmp eq i32 %more, %n
  br i1 %done, label %end, label %loop

end:
  ret void
}

define ptx_kernel void @start_first(ptr %out, i32 %n) {
entry:
  br label %loop

loop:
  %p = phi ptr [ %out, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %more, %loop ]
  store float 1.0, ptr %p
  %next = getelementptr float, ptr %p, i32 1
  %more = add i32 %i, 1
  %done = icmp eq i32 %more, %n
  br i1 %done, label %end, label %loop

end:
  ret void
}

define ptx_kernel void @two_loops(ptr %out, i32 %n) {
entry:
  br label %outer

outer:
  %q = phi ptr [ %next, %latch ], [ %out, %entry ]
  %j = phi i32 [ %again, %latch ], [ 0, %entry ]
  br label %inner

inner:
  %p = phi ptr [ %next, %inner ], [ %q, %outer ]
  %i = phi i32 [ %more, %inner ], [ 0, %outer ]
  store float 1.0, ptr %p
  %next = getelementptr float, ptr %p, i32 1
  %more = add i32 %i, 1
  %done = icmp eq i32 %more, %n
  br i1 %done, label %latch, label %inner

latch:
  %again = add i32 %j, 1
  %all = icmp eq i32 %again, %n
  br i1 %all, label %end, label %outer

end:
  ret void
}
