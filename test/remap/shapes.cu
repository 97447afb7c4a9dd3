// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What becomes of a kernel: integers are divided in the last column only, and for cells that stay.
// RUN: %clang %cuda -O2 -DT=float %s -o - | %early | %opt -passes='stencil-remap<column=32>,verify' -S | FileCheck %s --check-prefixes=CHECK,NVPTX
// RUN: %clang %hip -O2 -DT=float %s -o - | %early | %opt -passes='stencil-remap<column=32>,verify' -S | FileCheck %s --check-prefixes=CHECK,AMDGPU
// It may run twice.
// RUN: %clang %cuda -O2 -DT=float %s -o - | %early | %opt -passes='stencil-remap<column=32>' -S -o %t.once.ll
// RUN: %opt -passes='stencil-remap<column=32>' -S -o %t.twice.ll < %t.once.ll
// RUN: diff %t.once.ll %t.twice.ll
// The order of the program.
// RUN: %clang %cuda -O2 -DT=float %s -o - | %early | %opt -passes=verify -S -o %t.ll
// RUN: %opt -passes='stencil-remap<column=none>' -S -o %t.none.ll < %t.ll
// RUN: diff %t.ll %t.none.ll
#include "../kernels/Inputs/cuda.h"

// CHECK-LABEL: define {{.*}}@flat(
// CHECK: order:
// NVPTX: call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
// NVPTX: call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
// AMDGPU: call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
// CHECK: %[[CELLS:.*]] = mul i64
// CHECK: %[[SEVERAL:.*]] = icmp ugt i32 %nx, 32
// CHECK: %order.cells = select i1 %{{.*}}, i32 %{{.*}}, i32 0
// CHECK: %column.run = mul i32 32
// CHECK: %[[FLOAT:.*]] = uitofp i32 %column.run to float
// NVPTX: %[[INVERSE:.*]] = call float @llvm.nvvm.rcp.approx.ftz.f(float %[[FLOAT]])
// AMDGPU: %[[INVERSE:.*]] = call float @llvm.amdgcn.rcp.f32(float %[[FLOAT]])
// CHECK: fmul float %[[INVERSE]], 0x3FEFFFFE00000000
// CHECK-NOT: div
// Full columns: one branch, at the end.
// CHECK: order.index:
// CHECK: %[[I:.*]] = freeze i32
// CHECK: %[[IN:.*]] = icmp ult i32 %[[I]], %order.cells
// CHECK: uitofp i32 %[[I]] to float
// CHECK: fptoui float
// CHECK-NOT: div
// CHECK: and i32 %[[REST:.*]], 31
// CHECK: lshr i32 %[[REST]], 5
// CHECK: %column.full = icmp uge i32 %[[LEFT:.*]], 32
// CHECK: %[[AT_ONCE:.*]] = and i1 %[[IN]], %column.full
// CHECK: br i1 %[[AT_ONCE]], label %order.end, label %order.other
// CHECK: order.other:
// CHECK: br i1 %[[IN]], label %column.narrow, label %order.keep
// CHECK: column.narrow:
// CHECK: udiv i32 %[[REST]], %[[LEFT]]
// CHECK: order.keep:
// CHECK: sdiv i32 %[[I]], %{{.*}}
// CHECK: order.end:
// CHECK-NOT: {{div|rem}}
// CHECK: ret void
KERNEL flat(const T *a, T *b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[i] = a[i - 1] + a[i + nx];
}

// What does not change is computed before the loop, and the loop's own index is as it was.
// CHECK-LABEL: define {{.*}}@strided(
// CHECK: order:
// CHECK-NOT: div
// CHECK: icmp sle i64 %{{.*}}, %[[ALL:.*]]
// CHECK: %column.run = mul i32
// CHECK: rcp
// CHECK: order.index:
// CHECK: %[[I:.*]] = phi i64 [ %{{.*}}, %{{.*}} ], [ %[[NEXT:.*]], %{{.*}} ]
// CHECK-NOT: {{div|rcp}}
// CHECK: br i1 %{{.*}}, label %order.end, label %order.other
// CHECK: column.narrow:
// CHECK: udiv i32
// CHECK: order.keep:
// CHECK: sdiv i64
// CHECK: order.end:
// CHECK-NOT: {{div|rem}}
// CHECK: %[[NEXT]] = add {{.*}}i64 %[[I]], %{{.*}}
// CHECK: icmp slt i64 %[[NEXT]]
KERNEL strided(const T *a, T *b, long nx, long ny) {
    for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < nx * ny; i += blockDim.x * gridDim.x) {
        long x = i % nx, y = i / nx;
        if (x > 0 && x < nx - 1 && y > 0)
            b[i] = a[i - 1] + a[i + 1];
    }
}

// CHECK-LABEL: define {{.*}}@plane(
// NVPTX: %[[X:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
// NVPTX: %[[Y:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
// AMDGPU: %[[X:.*]] = call i32 @llvm.amdgcn.workgroup.id.x()
// AMDGPU: %[[Y:.*]] = call i32 @llvm.amdgcn.workgroup.id.y()
// CHECK: br i1 %{{.*}}, label %order.several, label %order.keep
// CHECK: order.several:
// CHECK: %[[FEW:.*]] = icmp ult i64 %{{.*}}, 2147483648
// CHECK: %[[GOOD:.*]] = and i1 %[[FEW]], %{{.*}}
// CHECK: %column.run = mul i32
// CHECK: br i1 %{{.*}}, label %order.end, label %order.other
// CHECK: order.other:
// CHECK: br i1 %[[GOOD]], label %column.narrow, label %order.keep
// CHECK: order.end:
// CHECK: phi i32 [ %{{.*}}, %order.several ], [ %{{.*}}, %column.narrow ], [ %[[X]], %order.keep ]
// CHECK: phi i32 [ %{{.*}}, %order.several ], [ %{{.*}}, %column.narrow ], [ %[[Y]], %order.keep ]
// CHECK-NOT: {{div|rem}}
// CHECK: ret void
KERNEL plane(const T *a, T *b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < nx && y < ny)
        b[y * nx + x] = a[y * nx + x] * 2;
}
