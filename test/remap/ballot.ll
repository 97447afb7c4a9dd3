; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A ballot by a comparison's intrinsic, which LLVM says accesses no memory: which lanes of a wave take part is told by
; the order of threads, so the kernel stays, and the buffer holds the same.
; RUN: %opt -passes='stencil-remap<column=7>' -pass-remarks=stencil -pass-remarks-missed=stencil -S %s -o %t.ll 2>&1 | FileCheck %s
; RUN: %stencil-sim %s --kernel k --grid 4 --block 64 --wave 64 --arg buf:i32:252:rand=3 --arg buf:i32:252:zero --arg i32:21 --arg i32:12 --hash 1 > %t.before
; RUN: %stencil-sim %t.ll --kernel k --grid 4 --block 64 --wave 64 --arg buf:i32:252:rand=3 --arg buf:i32:252:zero --arg i32:21 --arg i32:12 --hash 1 > %t.after
; RUN: diff %t.before %t.after
; CHECK: kernel left as it is: its threads already work together (exchanging values between lanes)
; CHECK-NOT: remark
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
declare i64 @llvm.amdgcn.icmp.i64.i32(i32, i32, i32 immarg)
define amdgpu_kernel void @k(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 %w, i32 %h) "uniform-work-group-size"="true" {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %b = call i32 @llvm.amdgcn.workgroup.id.x()
  %args = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %size.at = getelementptr inbounds i8, ptr addrspace(4) %args, i64 12
  %size16 = load i16, ptr addrspace(4) %size.at, align 4
  %size = zext i16 %size16 to i32
  %first = mul i32 %b, %size
  %i = add i32 %first, %t
  %x = urem i32 %i, %w
  %y = udiv i32 %i, %w
  %in.y = icmp ult i32 %y, %h
  br i1 %in.y, label %body, label %done
body:
  %row = mul i32 %y, %w
  %at = add i32 %row, %x
  %at64 = zext i32 %at to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %at64
  %v = load i32, ptr addrspace(1) %p, align 4
  %lanes = call i64 @llvm.amdgcn.icmp.i64.i32(i32 %v, i32 0, i32 40)
  %r = trunc i64 %lanes to i32
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %at64
  store i32 %r, ptr addrspace(1) %q, align 4
  br label %done
done:
  ret void
}
