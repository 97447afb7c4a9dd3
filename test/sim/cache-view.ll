; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What caches make of a launch's accesses: counts small enough to work out by hand.
; RUN: %stencil-sim %s --kernel copy --grid 2 --block 64 --arg buf:f32:128:iota --arg buf:f32:128:zero --trace-cache --cache sm_90,sms=2 | FileCheck %s --check-prefix=COPY
; RUN: %stencil-sim %s --kernel copy --grid 2 --block 64 --arg buf:f32:128:iota --arg buf:f32:128:zero --trace-cache --cache l1=1K:32:full,l2=4K:64:4 | FileCheck %s --check-prefix=SECTORS
; RUN: %stencil-sim %s --kernel copy --grid 2 --block 64 --arg buf:f32:128:iota --arg buf:f32:128:zero --trace-cache --cache l1=1K:128:full --order threads | FileCheck %s --check-prefix=THREADS
; RUN: %stencil-sim %s --kernel same --grid 2 --block 64 --arg buf:f32:64:iota --trace-cache --cache sm_80 | FileCheck %s --check-prefix=TWO
; RUN: %stencil-sim %s --kernel same --grid 2 --block 64 --arg buf:f32:64:iota --trace-cache --cache sm_80,sms=1 | FileCheck %s --check-prefix=ONE
; RUN: %stencil-sim %s --kernel strides --grid 1 --block 1 --arg buf:f32:256:iota --trace-cache --cache l1=512:16:2 | FileCheck %s --check-prefix=WAYS
; RUN: %stencil-sim %s --kernel strides --grid 1 --block 1 --arg buf:f32:256:iota --trace-cache --cache l1=512:16:full | FileCheck %s --check-prefix=FULL
; RUN: %stencil-sim %s --kernel strides --grid 1 --block 1 --arg buf:f32:256:iota --trace-cache --cache l1=32:16:full | FileCheck %s --check-prefix=LRU
; RUN: %stencil-sim %s --kernel strides --grid 1 --block 1 --arg buf:f32:256:iota --trace-cache --cache l1=512:512:full | FileCheck %s --check-prefix=PARTS
; RUN: %stencil-sim %s --kernel again --grid 1 --block 64 --arg buf:f32:64:iota --trace-cache --cache l1=4:4:full --order threads | FileCheck %s --check-prefix=FIBERS
; RUN: %stencil-sim %s --kernel again --grid 1 --block 64 --arg buf:f32:64:iota --trace-cache --cache l1=128:128:full | FileCheck %s --check-prefix=INTERLEAVED
; RUN: %stencil-sim %s --kernel again --grid 1 --block 32 --arg buf:f32:64:iota --trace-cache --cache l1=128:128:full | FileCheck %s --check-prefix=ALONE
; RUN: %stencil-sim %s --kernel again --grid 4 --block 32 --arg buf:f32:64:iota --trace-cache --cache l1=128:128:full,blocks=1 | FileCheck %s --check-prefix=IN-TURN
; RUN: %stencil-sim %s --kernel count --grid 1 --block 32 --arg buf:i32:1:zero --trace-cache | FileCheck %s --check-prefix=ATOMIC
; RUN: %stencil-sim %s --kernel branch --grid 1 --block 32 --arg buf:f32:64:iota --trace-cache | FileCheck %s --check-prefix=BRANCH
; RUN: %stencil-sim %s --kernel straddle --grid 1 --block 1 --arg buf:f32:64:iota --trace-cache --cache l2=1K:16:full | FileCheck %s --check-prefix=STRADDLE
; RUN: %stencil-sim %s --kernel copy --grid 2 --block 64 --arg buf:f32:128:iota --arg buf:f32:128:zero --trace-cache --cache sm_90,sms=2 --plot %t.svg && FileCheck %s --check-prefix=PLOT < %t.svg
; RUN: %stencil-sim %s --kernel copy --grid 2 --block 64 --arg buf:f32:128:iota --arg buf:f32:128:zero --trace-cache --cache sm_90,sms=2 --plot %t.l2.svg --plot-level l2 && FileCheck %s --check-prefix=PLOT-L2 < %t.l2.svg
; RUN: not %stencil-sim %s --kernel copy --grid 2 --block 64 --arg buf:f32:128:iota --arg buf:f32:127:zero --trace-cache 2>&1 | FileCheck %s --check-prefix=FAULT
; RUN: %stencil-sim --help | FileCheck %s --check-prefix=HELP
target triple = "nvptx64-nvidia-cuda"
@table = internal addrspace(4) constant [2 x i32] [i32 1, i32 2]
@tile = internal addrspace(3) global [64 x float] poison

; HELP: --trace-cache
; HELP: --cache SPEC
; HELP: --order ORDER
; HELP: --plot FILE.svg
; HELP: --plot-level L

; A warp's 128 bytes are one access of a line of 128, four of lines of 32. Stores fetch nothing.
; COPY: L1: 2048 lines of 128 bytes, fully associative, LRU
; COPY-NEXT: L2: 409600 lines of 128 bytes, fully associative, LRU
; COPY-NEXT: order: warps, of up to 32 blocks on each of 2 SMs
; COPY-NEXT: cache buffer accesses hits misses lines fetched
; COPY-NEXT: L1 argument 0 4 0 4 4
; COPY-NEXT: L1 argument 1 4 0 4 0
; COPY-NEXT: L1 all 8 0 8 4
; COPY-NEXT: L2 argument 0 4 0 4 4
; COPY-NEXT: L2 argument 1 4 0 4 0
; COPY-NEXT: L2 all 8 0 8 4
; COPY-NEXT: sectors of 32 bytes, of the L1 asked for fetched
; COPY-NEXT: sectors argument 0 16 16
; COPY-NEXT: sectors all 16 16
; SECTORS: L2: 64 lines of 64 bytes, 4 ways, 16 sets, LRU
; SECTORS: L1 argument 0 16 0 16 16
; SECTORS: L2 argument 0 16 8 8 8
; SECTORS: L2 argument 1 16 8 8 0
; THREADS: order: threads, one after the other
; THREADS: L1 argument 0 128 124 4 4
; THREADS-NOT: L2
; FAULT: argument 1: store of 4 bytes at index 127
; FAULT-NOT: L1

; On SM 0 two warps load and then store; what they store is not in its L1.
; PLOT: <desc>A column: 1 instructions of warps that access memory, in their order. A row: 1 lines of 128 bytes.</desc>
; PLOT: >copy, SM 0, L1: 2048 lines of 128 bytes, fully associative, LRU</text>
; PLOT: <g class="resident"
; PLOT-NEXT: <rect x="1" y="0" width="3" height="1"/>
; PLOT-NEXT: <rect x="2" y="1" width="2" height="1"/>
; PLOT-NEXT: </g>
; PLOT-NEXT: <g class="hit"
; PLOT-NEXT: </g>
; PLOT-NEXT: <g class="fetched"
; PLOT-NEXT: <rect x="0" y="0" width="1" height="1"/>
; PLOT-NEXT: <rect x="1" y="1" width="1" height="1"/>
; PLOT-NEXT: </g>
; PLOT-NOT: argument 1

; SMs take turns: lines 0 and 2, then 1 and 3.
; PLOT-L2: >copy, L2: 409600 lines of 128 bytes, fully associative, LRU</text>
; PLOT-L2: <g class="fetched"
; PLOT-L2-NEXT: <rect x="0" y="0" width="1" height="1"/>
; PLOT-L2-NEXT: <rect x="2" y="1" width="1" height="1"/>
; PLOT-L2-NEXT: <rect x="1" y="2" width="1" height="1"/>
; PLOT-L2-NEXT: <rect x="3" y="3" width="1" height="1"/>
; PLOT-L2-NEXT: <rect x="4" y="4" width="1" height="1"/>
; PLOT-L2: argument 1
; PLOT-L2: </svg>
define ptx_kernel void @copy(ptr %a, ptr %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %c, %n
  %i = add i32 %first, %t
  %p = getelementptr float, ptr %a, i32 %i
  %v = load float, ptr %p
  %q = getelementptr float, ptr %b, i32 %i
  store float %v, ptr %q
  ret void
}

; Two blocks that read the same: on two SMs they meet in the L2, on one in its L1.
; TWO: L1 argument 0 4 0 4 4
; TWO: L2 argument 0 4 2 2 2
; ONE: L1 argument 0 4 2 2 2
; ONE: L2 argument 0 2 0 2 2
define ptx_kernel void @same(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr %a, i32 %t
  %v = load volatile float, ptr %p
  ret void
}

; Lines 0, 16, 32 and 0 are of one set of two; then line 32 is still there.
; WAYS: L1 argument 0 5 1 4 4
; FULL: L1 argument 0 5 2 3 3
; LRU: L1 argument 0 5 1 4 4
; One line has bytes 0 and 256, the next one byte 512: then the first is fetched again, and the next.
; PARTS: L1 argument 0 5 1 4 4
; PARTS: sectors argument 0 5 5
define ptx_kernel void @strides(ptr %a) {
  %p = getelementptr float, ptr %a, i32 64
  %q = getelementptr float, ptr %a, i32 128
  %u = load volatile float, ptr %a
  %v = load volatile float, ptr %p
  %w = load volatile float, ptr %q
  %x = load volatile float, ptr %a
  %y = load volatile float, ptr %q
  ret void
}

; Threads that wait for each other, yet each by itself in the order of threads. In that of warps, the
; two have the cache's one line in turn; scratchpad is no part of it.
; FIBERS: L1 argument 0 128 64 64 64
; INTERLEAVED: L1 argument 0 4 0 4 4
; ALONE: L1 argument 0 2 1 1 1
; IN-TURN: order: warps, of up to 1 blocks on each of 1 SMs
; IN-TURN: L1 argument 0 8 7 1 1
define ptx_kernel void @again(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr %a, i32 %t
  %s = getelementptr float, ptr addrspace(3) @tile, i32 %t
  %v = load volatile float, ptr %p
  store float %v, ptr addrspace(3) %s
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %w = load volatile float, ptr %p
  ret void
}

; ATOMIC: L1 all 0 0 0 0
; ATOMIC: L2 argument 0 1 0 1 1
define ptx_kernel void @count(ptr %a) {
  %old = atomicrmw add ptr %a, i32 1 monotonic
  ret void
}

; Two halves of a warp in two loads, then together; a table's two entries.
; BRANCH: L1 argument 0 3 1 2 2
; BRANCH: L1 global 'table' 1 0 1 1
define ptx_kernel void @branch(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %t, 16
  %p = getelementptr float, ptr %a, i32 %t
  %bit = and i32 %t, 1
  %e = getelementptr i32, ptr addrspace(4) @table, i32 %bit
  br i1 %low, label %left, label %right
left:
  %u = load volatile float, ptr %p
  br label %both
right:
  %q = getelementptr float, ptr %p, i32 16
  %v = load volatile float, ptr %q
  br label %both
both:
  %w = load volatile float, ptr %p
  %x = load volatile i32, ptr addrspace(4) %e
  ret void
}

; One access, two lines; and no L1.
; STRADDLE-NOT: L1
; STRADDLE: L2 argument 0 2 0 2 2
define ptx_kernel void @straddle(ptr %a) {
  %p = getelementptr i8, ptr %a, i32 12
  %v = load volatile i64, ptr %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
