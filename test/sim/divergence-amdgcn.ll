; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Operations of the active lanes in divergent code: a waterfall loop, where each turn serves the lanes that
; agree with the first active one, then a ballot of all lanes; and an operation inside one branch.
; RUN: %stencil-sim %s --kernel waterfall --grid 1 --block 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=WATERFALL
; RUN: %stencil-sim %s --kernel branch --grid 1 --block 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=BRANCH
target triple = "amdgcn-amd-amdhsa"

; Value lane % 3; turns taken: 1, 2, 3. Plus 100 times the lanes that met after the loop.
; WATERFALL: {{^}}6401 6402 6403 6401 6402 6403 {{.*}} 6401 {{$}}
define amdgpu_kernel void @waterfall(ptr addrspace(1) %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %v = urem i32 %t, 3
  br label %loop
loop:
  %n = phi i32 [ 1, %0 ], [ %n1, %loop ]
  %n1 = add i32 %n, 1
  %f = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)
  %c = icmp eq i32 %f, %v
  br i1 %c, label %done, label %loop
done:
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %p = call i64 @llvm.ctpop.i64(i64 %b)
  %p32 = trunc i64 %p to i32
  %h = mul i32 %p32, 100
  %r = add i32 %h, %n
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Inside the branch odd lanes are inactive: a permute from them gives 0. After it all are active again.
; BRANCH: {{^}}64 64 64 {{.*}} 64 {{$}}
define amdgpu_kernel void @branch(ptr addrspace(1) %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %odd = and i32 %t, 1
  %c = icmp eq i32 %odd, 0
  br i1 %c, label %even, label %join
even:
  %n = add i32 %t, 1
  %a = shl i32 %n, 2
  %v = call i32 @llvm.amdgcn.ds.bpermute(i32 %a, i32 99)
  br label %join
join:
  %x = phi i32 [ %v, %even ], [ 0, %0 ]
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %p = call i64 @llvm.ctpop.i64(i64 %b)
  %p32 = trunc i64 %p to i32
  %r = add i32 %x, %p32
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
declare i64 @llvm.amdgcn.ballot.i64(i1)
declare i64 @llvm.ctpop.i64(i64)
