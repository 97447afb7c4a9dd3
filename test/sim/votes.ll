; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Votes, matches and reductions of a warp.
; RUN: %stencil-sim %s --kernel all --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=ALL
; RUN: %stencil-sim %s --kernel any --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=ANY
; RUN: %stencil-sim %s --kernel uni --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=UNI
; RUN: %stencil-sim %s --kernel ballot --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=BALLOT
; RUN: %stencil-sim %s --kernel match_any --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=MATCH-ANY
; RUN: %stencil-sim %s --kernel match_all --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=MATCH-ALL
; RUN: %stencil-sim %s --kernel redux_add --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=REDUX-ADD
; RUN: %stencil-sim %s --kernel redux_min --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=REDUX-MIN
; RUN: %stencil-sim %s --kernel redux_umax --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=REDUX-UMAX
; RUN: %stencil-sim %s --kernel active --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=ACTIVE
; RUN: %stencil-sim %s --kernel elect --grid 1 --block 32 --arg buf:i32:32:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=ELECT
target triple = "nvptx64-nvidia-cuda"

; ALL: {{^}}0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 {{$}}
define ptx_kernel void @all(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 31
  %b = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %c)
  %r = zext i1 %b to i32
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; ANY: {{^}}1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 {{$}}
define ptx_kernel void @any(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ugt i32 %t, 30
  %b = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %c)
  %r = zext i1 %b to i32
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; UNI: {{^}}1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 {{$}}
define ptx_kernel void @uni(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ugt i32 %t, 40
  %b = call i1 @llvm.nvvm.vote.uni.sync(i32 -1, i1 %c)
  %r = zext i1 %b to i32
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; BALLOT: {{^}}-1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 -1431655766 {{$}}
define ptx_kernel void @ballot(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = and i32 %t, 1
  %c = icmp ne i32 %o, 0
  %r = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; MATCH-ANY: {{^}}1431655765 -1431655766 1431655765 -1431655766 1431655765 -1431655766 1431655765 -1431655766 1431655765 -1431655766 1431655765 -1431655766 1431655765 -1431655766 1431655765 -1431655766 1431655765 -1431655766 1431655765 -1431655766 1431655765 -1431655766 1431655765 -1431655766 1431655765 -1431655766 1431655765 -1431655766 1431655765 -1431655766 1431655765 -1431655766 {{$}}
define ptx_kernel void @match_any(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = and i32 %t, 1
  %r = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %v)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; MATCH-ALL: {{^}}0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 {{$}}
define ptx_kernel void @match_all(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = call { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32 -1, i32 %t)
  %r = extractvalue { i32, i1 } %s, 0
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; REDUX-ADD: {{^}}496 496 496 496 496 496 496 496 496 496 496 496 496 496 496 496 496 496 496 496 496 496 496 496 496 496 496 496 496 496 496 496 {{$}}
define ptx_kernel void @redux_add(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = call i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 -1)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; REDUX-MIN: {{^}}-26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 -26 {{$}}
define ptx_kernel void @redux_min(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = sub i32 5, %t
  %r = call i32 @llvm.nvvm.redux.sync.min(i32 %v, i32 -1)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; REDUX-UMAX: {{^}}-1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 {{$}}
define ptx_kernel void @redux_umax(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = sub i32 5, %t
  %r = call i32 @llvm.nvvm.redux.sync.umax(i32 %v, i32 -1)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; ACTIVE: {{^}}-1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 {{$}}
define ptx_kernel void @active(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = call i32 @llvm.nvvm.activemask()
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; ELECT: {{^}}1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 {{$}}
define ptx_kernel void @elect(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %b = extractvalue { i32, i1 } %s, 1
  %r = zext i1 %b to i32
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.uni.sync(i32, i1)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32, i32)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare i32 @llvm.nvvm.redux.sync.min(i32, i32)
declare i32 @llvm.nvvm.redux.sync.umax(i32, i32)
declare i32 @llvm.nvvm.activemask()
declare { i32, i1 } @llvm.nvvm.elect.sync(i32)
