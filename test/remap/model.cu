// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the model chooses: columns for matrix products of a flat index, the program's order for the rest.
// RUN: %clang %cuda -O2 -DT=float %s -o - | %early -o %t.ll
// RUN: %opt -passes='print<stencil>' -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=PRINT
// RUN: %opt -passes=stencil-remap -pass-remarks='^stencil$' -pass-remarks-analysis='^stencil$' -pass-remarks-missed='^stencil$' -disable-output %t.ll 2>&1 | FileCheck %s
// RUN: %clang %cuda -O3 -DT=float %s -o - | %late | %opt -passes='print<stencil>' -disable-output 2>&1 | FileCheck %s --check-prefix=PRINT
// RUN: %clang %hip -O2 -DT=double %s -o - | %early | %opt -passes='print<stencil>' -disable-output 2>&1 | FileCheck %s --check-prefix=DOUBLE
// Their loops are to be unrolled, unless the program says how.
// RUN: %opt -passes=stencil-remap -S %t.ll -o - | FileCheck %s --check-prefix=UNROLL
// The products come out the same.
// RUN: %differ --targets sm_80,gfx942 --passes stencil-remap --types float --runs 8 --expect changed product product_unsigned
// RUN: %differ --targets sm_80,gfx942 --passes stencil-remap --types float --runs 4 --late --levels 3 --expect changed product product_unsigned
#include "../kernels/Inputs/cuda.h"

// PRINT: matrix product in product: flat index; b[y][x] = sum of a[y][k] * c[k][x], f32
// DOUBLE: matrix product in product: flat index; b[y][x] = sum of a[y][k] * c[k][x], f64
// CHECK: thread order: matrix product: of t = 2048 resident threads of an SM, {{.*}}: c = 64; these stay in a first-level cache of M = 196608 bytes up to a depth of M/(u c) = 768
// CHECK-NEXT: thread order: columns of 64
// UNROLL-LABEL: @product(
// UNROLL: br i1 {{.*}} !llvm.loop ![[SIXTEEN:[0-9]+]]
KERNEL product(T *b, const T *a, const T *c, int nz, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (i >= nx * ny)
        return;
    T sum = 0;
    for (int k = 0; k < nz; k++)
        sum += a[y * nz + k] * c[x + k * nx];
    b[i] = sum;
}
// PRINT: matrix product in fused: flat index, grid-stride loop; b[y][x] = sum of a[y][k] * c[k][x], f32
// CHECK: thread order: columns of 64
KERNEL fused(T *b, const T *a, const T *c, int nz, int nx, int ny) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nx * ny; i += blockDim.x * gridDim.x) {
        T sum = 0;
        for (int k = 0; k < nz; k++)
            sum = __builtin_elementwise_fma(c[i % nx + k * nx], a[i / nx * nz + k], sum);
        b[i] = sum;
    }
}
// CHECK: thread order: columns of 64
// UNROLL-LABEL: @unrolled(
// UNROLL: br i1 {{.*}} !llvm.loop ![[TWO:[0-9]+]]
KERNEL unrolled(T *b, const T *a, const T *c, int nz, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (i >= nx * ny)
        return;
    T sum = 0;
#pragma unroll 2
    for (int k = 0; k < nz; k++)
        sum += a[y * nz + k] * c[x + k * nx];
    b[i] = sum;
}
// Nor where code is to be small.
// CHECK: thread order: columns of 64
// UNROLL-LABEL: @small(
// UNROLL: br i1 {{.*}} !llvm.loop ![[AS_IT_IS:[0-9]+]]
KERNEL __attribute__((minsize)) small(T *b, const T *a, const T *c, int nz, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (i >= nx * ny)
        return;
    T sum = 0;
    for (int k = 0; k < nz; k++)
        sum += a[y * nz + k] * c[x + k * nx];
    b[i] = sum;
}
// PRINT: matrix product in of_blocks: blocks; b[y][x] = sum of a[y][k] * c[k][x], f32
// CHECK: thread order: matrix product: a block's threads share rows and columns already
// CHECK-NOT: columns of
KERNEL of_blocks(T *b, const T *a, const T *c, int nz, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny)
        return;
    T sum = 0;
    for (int k = 0; k < nz; k++)
        sum += a[y * nz + k] * c[x + k * nx];
    b[y * nx + x] = sum;
}
// The right matrix is transposed: neighbouring threads do not read neighbours.
// PRINT: no stencil in transposed
// CHECK: thread order: neither a matrix product nor a stencil
KERNEL transposed(T *b, const T *a, const T *c, int nz, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (i >= nx * ny)
        return;
    T sum = 0;
    for (int k = 0; k < nz; k++)
        sum += a[y * nz + k] * c[x * nz + k];
    b[i] = sum;
}
// PRINT: stencil in five
// CHECK: thread order: stencil of 3 x 3 cells of u = 4 bytes, blocked: {{.*}}; the fetches saved do not pay
KERNEL five(const T *a, T *b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[i] = a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx];
}
// CHECK-NOT: thread order: columns of
// UNROLL: ![[SIXTEEN]] = distinct !{![[SIXTEEN]], {{.*}}![[COUNT:[0-9]+]]}
// UNROLL: ![[COUNT]] = !{!"llvm.loop.unroll.count", i32 16}
// UNROLL: ![[TWO]] = distinct !{![[TWO]], {{.*}}![[GIVEN:[0-9]+]]}
// UNROLL: ![[GIVEN]] = !{!"llvm.loop.unroll.count", i32 2}
// UNROLL: ![[AS_IT_IS]] = distinct !{![[AS_IT_IS]], ![[PROGRESS:[0-9]+]]}
