; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Threads that wait for each other for ever: who is missing, and where it is.
; RUN: not %stencil-sim %s --kernel exited --grid 1 --block 64 2>&1 | FileCheck %s --check-prefix=EXITED
; RUN: not %stencil-sim %s --kernel elsewhere --grid 1 --block 32 --arg buf:i32:32:zero 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
; RUN: not %stencil-sim %s --kernel gone --grid 1 --block 32 --arg buf:i32:32:zero 2>&1 | FileCheck %s --check-prefix=GONE
; RUN: not %stencil-sim %s --kernel unnamed --grid 1 --block 32 --arg buf:i32:32:zero 2>&1 | FileCheck %s --check-prefix=UNNAMED
; RUN: %stencil-sim %s --kernel half --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=HALF
; RUN: %stencil-sim %s --kernel partial --grid 1 --block 20 --arg buf:i32:20:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=PARTIAL
target triple = "nvptx64-nvidia-cuda"

; EXITED: kernel 'exited': barrier 0 reached by 60 of 64 threads; missing 4: thread (0,0,0) has exited; thread (1,0,0) has exited; thread (2,0,0) has exited; ..., block (0,0,0), thread (4,0,0)
define ptx_kernel void @exited() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 4
  br i1 %c, label %out, label %in
in:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %out
out:
  ret void
}

; ELSEWHERE: kernel 'elsewhere': shfl.up with mask 0xffffffff is not reached by lanes 0xffff0000 of warp 0: thread (16,0,0) waits at barrier 0, block (0,0,0), thread (0,0,0)
define ptx_kernel void @elsewhere(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 16
  br i1 %c, label %in, label %else
in:
  %v = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %t, i32 1, i32 0)
  store i32 %v, ptr %out
  ret void
else:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

; GONE: not reached by lanes 0x00000001 of warp 0: thread (0,0,0) has exited
define ptx_kernel void @gone(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp eq i32 %t, 0
  br i1 %c, label %end, label %in
in:
  %v = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %t, i32 1, i32 0)
  store i32 %v, ptr %out
  br label %end
end:
  ret void
}

; UNNAMED: shfl.up with mask 0x0000ffff, which does not name the calling lane 16
define ptx_kernel void @unnamed(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 65535, i32 %t, i32 1, i32 0)
  store i32 %v, ptr %out
  ret void
}

; Half a warp shuffles under its own mask: no fault.
; HALF: {{^}}0 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 0
define ptx_kernel void @half(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 16
  br i1 %c, label %in, label %end
in:
  %v = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 65535, i32 %t, i32 1, i32 0)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %p
  br label %end
end:
  ret void
}

; A warp of 20 threads: lanes that do not exist are not waited for; what they would give is loud.
; PARTIAL: {{^}}1 2 3 {{.*}} 18 19 2142952365 {{$}}
define ptx_kernel void @partial(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %t, i32 1, i32 31)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
