; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Races are found by the order that barriers make, not by the order in which the simulator runs warps.
; RUN: %stencil-sim %s --kernel rows --grid 3 --block 32,4 --arg i32:0 --arg buf:i32:128:zero --print 1 | tr '\n' ' ' | FileCheck %s --check-prefix=ROWS
; RUN: not %stencil-sim %s --kernel rows --grid 3 --block 32,4 --arg i32:1 --arg buf:i32:128:zero 2>&1 | FileCheck %s --check-prefix=ROWS1
; RUN: not %stencil-sim %s --kernel rows --grid 3 --block 32,4 --arg i32:2 --arg buf:i32:128:zero 2>&1 | FileCheck %s --check-prefix=ROWS2
; RUN: not %stencil-sim %s --kernel rows --grid 3 --block 32,4 --arg i32:3 --arg buf:i32:128:zero 2>&1 | FileCheck %s --check-prefix=ROWS3
; RUN: not %stencil-sim %s --kernel hidden --grid 1 --block 32,4 --arg buf:i32:32:zero 2>&1 | FileCheck %s --check-prefix=HIDDEN
; RUN: %stencil-sim %s --kernel chain --grid 2 --block 32,3 --arg i32:1 --arg i32:2 --arg buf:i32:32:zero --print 2 | tr '\n' ' ' | FileCheck %s --check-prefix=CHAIN
; RUN: not %stencil-sim %s --kernel chain --grid 2 --block 32,3 --arg i32:2 --arg i32:1 --arg buf:i32:32:zero 2>&1 | FileCheck %s --check-prefix=UNCHAINED
; RUN: %stencil-sim %s --kernel ring --grid 2 --block 32,2 --arg i32:0 --arg buf:i32:32:zero --print 1 | tr '\n' ' ' | FileCheck %s --check-prefix=RING
; RUN: not %stencil-sim %s --kernel ring --grid 2 --block 32,2 --arg i32:1 --arg buf:i32:32:zero 2>&1 | FileCheck %s --check-prefix=FULL
; RUN: not %stencil-sim %s --kernel arrives --grid 1 --block 32,2 --arg buf:i32:32:zero 2>&1 | FileCheck %s --check-prefix=ARRIVES
; RUN: not %stencil-sim %s --kernel after --grid 1 --block 32,2 --arg buf:i32:32:zero 2>&1 | FileCheck %s --check-prefix=AFTER
; RUN: %stencil-sim %s --kernel own_bytes --grid 2 --block 32,4 --arg buf:i8:4:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=OWN
; RUN: not %stencil-sim %s --kernel others_byte --grid 2 --block 4,16 --arg buf:i8:4:zero 2>&1 | FileCheck %s --check-prefix=OTHERS
target triple = "nvptx64-nvidia-cuda"
@rows_of = internal addrspace(3) global [256 x i32] undef
@s = internal addrspace(3) global [32 x i32] undef
@b = internal addrspace(3) global [4 x i8] undef, align 4

; Four warps, each with a row of cells. Four times, each adds its neighbours' rows to its own, through
; two buffers: warp w waits for warp w - 1 at barrier w, for warp w + 1 at barrier w + 1. All but at
; barrier %without.
; ROWS: {{^}}34 34
; ROWS-SAME: 55 55
; ROWS-SAME: 34 34
; ROWS1: scratchpad array 'rows_of': data race at index {{[0-9]+}} (element): {{.*}} thread ({{[0-9]+}},{{[01]}},0) of another warp, with no barrier between, block ({{[0-2]}},0,0), thread ({{[0-9]+}},{{[01]}},0)
; ROWS2: scratchpad array 'rows_of': data race at index {{[0-9]+}} (element): {{.*}} thread ({{[0-9]+}},{{[12]}},0) of another warp, with no barrier between, block ({{[0-2]}},0,0), thread ({{[0-9]+}},{{[12]}},0)
; ROWS3: scratchpad array 'rows_of': data race at index {{[0-9]+}} (element): {{.*}} thread ({{[0-9]+}},{{[23]}},0) of another warp, with no barrier between, block ({{[0-2]}},0,0), thread ({{[0-9]+}},{{[23]}},0)
define ptx_kernel void @rows(i32 %without, ptr %out) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %after = add i32 %warp, 1
  %row = mul i32 %warp, 32
  %here = add i32 %row, %lane
  %first = getelementptr i32, ptr addrspace(3) @rows_of, i32 %here
  %second = getelementptr i32, ptr addrspace(3) %first, i32 128
  store i32 0, ptr addrspace(3) %first
  store i32 0, ptr addrspace(3) %second
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %is_top = icmp eq i32 %warp, 0
  %is_bottom = icmp eq i32 %warp, 3
  %off_up = icmp eq i32 %warp, %without
  %off_down = icmp eq i32 %after, %without
  %skip_up = or i1 %is_top, %off_up
  %skip_down = or i1 %is_bottom, %off_down
  br label %step
step:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %v = phi i32 [ 1, %entry ], [ %v1, %next ]
  %odd = and i32 %k, 1
  %buffer = mul i32 %odd, 128
  %p = getelementptr i32, ptr addrspace(3) %first, i32 %buffer
  store i32 %v, ptr addrspace(3) %p
  br i1 %skip_up, label %up.done, label %up
up:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %warp, i32 64)
  br label %up.done
up.done:
  br i1 %skip_down, label %down.done, label %down
down:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %after, i32 64)
  br label %down.done
down.done:
  br i1 %is_top, label %above.done, label %above
above:
  %above.p = getelementptr i32, ptr addrspace(3) %p, i32 -32
  %above.v = load i32, ptr addrspace(3) %above.p
  br label %above.done
above.done:
  %a = phi i32 [ 0, %down.done ], [ %above.v, %above ]
  br i1 %is_bottom, label %next, label %below
below:
  %below.p = getelementptr i32, ptr addrspace(3) %p, i32 32
  %below.v = load i32, ptr addrspace(3) %below.p
  br label %next
next:
  %b = phi i32 [ 0, %above.done ], [ %below.v, %below ]
  %sum = add i32 %v, %a
  %v1 = add i32 %sum, %b
  %k1 = add i32 %k, 1
  %again = icmp ult i32 %k1, 4
  br i1 %again, label %step, label %done
done:
  %o = getelementptr i32, ptr %out, i32 %here
  store i32 %v1, ptr %o
  ret void
}

; Between warp 0's stores and warp 3's loads, warps 1 and 2 meet; that orders nothing of warps 0 and 3.
; HIDDEN: scratchpad array 's': data race at index {{[0-9]+}} (element): read here, written by thread ({{[0-9]+}},0,0) of another warp, with no barrier between, block (0,0,0), thread ({{[0-9]+}},3,0)
define ptx_kernel void @hidden(ptr %out) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %lane
  switch i32 %warp, label %meet [ i32 0, label %write
                                  i32 3, label %read ]
write:
  store i32 %lane, ptr addrspace(3) %p
  ret void
meet:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  ret void
read:
  %v = load i32, ptr addrspace(3) %p
  %o = getelementptr i32, ptr %out, i32 %lane
  store i32 %v, ptr %o
  ret void
}

; Warp 0 stores, warp 2 loads; warp 1 meets warp 0 at barrier 1 and warp 2 at barrier 2, in a given order.
; CHAIN: {{^}}0 1 2 {{.*}} 31 {{$}}
; UNCHAINED: scratchpad array 's': data race at index {{[0-9]+}} (element): read here, written by thread ({{[0-9]+}},0,0) of another warp, with no barrier between, block (0,0,0), thread ({{[0-9]+}},2,0)
define ptx_kernel void @chain(i32 %one, i32 %other, ptr %out) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %lane
  switch i32 %warp, label %between [ i32 0, label %write
                                     i32 2, label %read ]
write:
  store i32 %lane, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  ret void
between:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %one, i32 64)
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %other, i32 64)
  ret void
read:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 2, i32 64)
  %v = load i32, ptr addrspace(3) %p
  %o = getelementptr i32, ptr %out, i32 %lane
  store i32 %v, ptr %o
  ret void
}

; Four times, warp 0 fills one buffer and warp 1 empties it; each waits at one barrier and arrives at
; the other. With %early, warp 0 fills it before and not after it waits for it to be empty (barrier 1).
; RING: {{^}}6 10 14 {{.*}} 130 {{$}}
; FULL: scratchpad array 's': data race at index {{[0-9]+}} (element): {{read here, written|written here, read}} by thread ({{[0-9]+}},{{[01]}},0) of another warp, with no barrier between
define ptx_kernel void @ring(i32 %early, ptr %out) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %lane
  %is_early = icmp ne i32 %early, 0
  %gives = icmp eq i32 %warp, 0
  br i1 %gives, label %give, label %take
give:
  %k = phi i32 [ 0, %entry ], [ %k1, %full ]
  %v = add i32 %lane, %k
  br i1 %is_early, label %fill.early, label %empty
fill.early:
  store i32 %v, ptr addrspace(3) %p
  br label %empty
empty:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  br i1 %is_early, label %full, label %fill
fill:
  store i32 %v, ptr addrspace(3) %p
  br label %full
full:
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 2, i32 64)
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, 4
  br i1 %more, label %give, label %done
take:
  %t = phi i32 [ 0, %entry ], [ %t1, %take ]
  %sum = phi i32 [ 0, %entry ], [ %sum1, %take ]
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 64)
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 2, i32 64)
  %u = load i32, ptr addrspace(3) %p
  %sum1 = add i32 %sum, %u
  %t1 = add i32 %t, 1
  %t.more = icmp ult i32 %t1, 4
  br i1 %t.more, label %take, label %store
store:
  %o = getelementptr i32, ptr %out, i32 %lane
  store i32 %sum1, ptr %o
  ret void
done:
  ret void
}

; Who only arrives receives nothing: warp 1 may be ahead.
; ARRIVES: scratchpad array 's': data race at index {{[0-9]+}} (element): read here, written by thread ({{[0-9]+}},0,0) of another warp, with no barrier between, block (0,0,0), thread ({{[0-9]+}},1,0)
define ptx_kernel void @arrives(ptr %out) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %lane
  %gives = icmp eq i32 %warp, 0
  br i1 %gives, label %give, label %take
give:
  store i32 %lane, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 64)
  ret void
take:
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 64)
  %v = load i32, ptr addrspace(3) %p
  %o = getelementptr i32, ptr %out, i32 %lane
  store i32 %v, ptr %o
  ret void
}

; What a warp does after it arrived is not before what the others do after the barrier.
; AFTER: scratchpad array 's': data race at index {{[0-9]+}} (element): read here, written by thread ({{[0-9]+}},0,0) of another warp, with no barrier between, block (0,0,0), thread ({{[0-9]+}},1,0)
define ptx_kernel void @after(ptr %out) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %lane
  %gives = icmp eq i32 %warp, 0
  br i1 %gives, label %give, label %take
give:
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 64)
  store i32 %lane, ptr addrspace(3) %p
  ret void
take:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  %v = load i32, ptr addrspace(3) %p
  %o = getelementptr i32, ptr %out, i32 %lane
  store i32 %v, ptr %o
  ret void
}

; Warps may use a byte each of one word.
; OWN: {{^}}7 8 9 10 {{$}}
define ptx_kernel void @own_bytes(ptr %out) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %first = icmp eq i32 %lane, 0
  br i1 %first, label %use, label %done
use:
  %p = getelementptr i8, ptr addrspace(3) @b, i32 %warp
  %byte = trunc i32 %warp to i8
  %v = add i8 %byte, 7
  store i8 %v, ptr addrspace(3) %p
  %u = load i8, ptr addrspace(3) %p
  %o = getelementptr i8, ptr %out, i32 %warp
  store i8 %u, ptr %o
  br label %done
done:
  ret void
}

; Threads 0 to 3 store a byte each, and thread 34, of the second warp, loads the third.
; OTHERS: scratchpad array 'b': data race at index 2 (byte): read here, written by thread (3,0,0) of another warp, with no barrier between, block (0,0,0), thread (2,8,0)
define ptx_kernel void @others_byte(ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %y4 = mul i32 %y, 4
  %t = add i32 %y4, %x
  %p = getelementptr i8, ptr addrspace(3) @b, i32 %x
  switch i32 %t, label %done [ i32 0, label %write
                               i32 1, label %write
                               i32 2, label %write
                               i32 3, label %write
                               i32 34, label %read ]
write:
  %byte = trunc i32 %t to i8
  %u = add i8 %byte, 1
  store i8 %u, ptr addrspace(3) %p
  ret void
read:
  %v = load i8, ptr addrspace(3) %p
  store i8 %v, ptr %out
  ret void
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
