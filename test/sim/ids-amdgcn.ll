; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Ids and extents of AMD work-items: intrinsics, implicit arguments (code object version 5), dispatch packet.
; RUN: %stencil-sim %s --grid 3,2 --block 4,2 --arg buf:i32:480:zero --print 0 | tr '\n' ' ' | FileCheck %s
target triple = "amdgcn-amd-amdhsa"

; The last work-item of the last group: id, groups, group size, work-items, dimensions.
; CHECK: 3 1 0 2 1 3 2 4 2 2 {{$}}
define amdgpu_kernel void @ids(ptr addrspace(1) %out) {
  %tx = call i32 @llvm.amdgcn.workitem.id.x()
  %ty = call i32 @llvm.amdgcn.workitem.id.y()
  %tz = call i32 @llvm.amdgcn.workitem.id.z()
  %bx = call i32 @llvm.amdgcn.workgroup.id.x()
  %by = call i32 @llvm.amdgcn.workgroup.id.y()
  %implicit = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %dispatch = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %gx = load i32, ptr addrspace(4) %implicit
  %pgy = getelementptr i8, ptr addrspace(4) %implicit, i64 4
  %gy = load i32, ptr addrspace(4) %pgy
  %pnx = getelementptr i8, ptr addrspace(4) %implicit, i64 12
  %nx16 = load i16, ptr addrspace(4) %pnx
  %nx = zext i16 %nx16 to i32
  %pny = getelementptr i8, ptr addrspace(4) %dispatch, i64 6
  %ny16 = load i16, ptr addrspace(4) %pny
  %ny = zext i16 %ny16 to i32
  %b0 = mul i32 %by, %gx
  %b = add i32 %b0, %bx
  %t0 = mul i32 %b, %ny
  %t1 = add i32 %t0, %ty
  %t2 = mul i32 %t1, %nx
  %t = add i32 %t2, %tx
  %at = mul i32 %t, 10
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %tx, ptr addrspace(1) %p
  %p1 = getelementptr i32, ptr addrspace(1) %p, i32 1
  store i32 %ty, ptr addrspace(1) %p1
  %p2 = getelementptr i32, ptr addrspace(1) %p, i32 2
  store i32 %tz, ptr addrspace(1) %p2
  %p3 = getelementptr i32, ptr addrspace(1) %p, i32 3
  store i32 %bx, ptr addrspace(1) %p3
  %p4 = getelementptr i32, ptr addrspace(1) %p, i32 4
  store i32 %by, ptr addrspace(1) %p4
  %p5 = getelementptr i32, ptr addrspace(1) %p, i32 5
  store i32 %gx, ptr addrspace(1) %p5
  %p6 = getelementptr i32, ptr addrspace(1) %p, i32 6
  store i32 %gy, ptr addrspace(1) %p6
  %p7 = getelementptr i32, ptr addrspace(1) %p, i32 7
  store i32 %nx, ptr addrspace(1) %p7
  %p8 = getelementptr i32, ptr addrspace(1) %p, i32 8
  store i32 %ny, ptr addrspace(1) %p8
  %pdims = getelementptr i8, ptr addrspace(4) %implicit, i64 64
  %dims16 = load i16, ptr addrspace(4) %pdims
  %dims = zext i16 %dims16 to i32
  %p9 = getelementptr i32, ptr addrspace(1) %p, i32 9
  store i32 %dims, ptr addrspace(1) %p9
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workitem.id.y()
declare i32 @llvm.amdgcn.workitem.id.z()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
