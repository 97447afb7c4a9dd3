// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several cells a thread: what the kernel tests, and what it loads.
// RUN: %to-sm_90 | %opt -passes='stencil-block<vector=1;coarsen=4>' -S | FileCheck %s
// RUN: %to-sm_90 | %opt -passes='stencil-block<vector=1;coarsen=4>,stencil-block<vector=1;coarsen=2>' -S -o %t.twice.ll
// RUN: %to-sm_90 | %opt -passes='stencil-block<vector=1;coarsen=4>' -S -o %t.once.ll
// RUN: cmp %t.once.ll %t.twice.ll
// RUN: %to-sm_90 | %opt -passes='stencil-block<vector=1;coarsen=2;axis=y>' -S | FileCheck %s --check-prefix=AXIS
// RUN: %to-sm_90 | %opt -passes='stencil-block<vector=4;coarsen=2>' -S | FileCheck %s --check-prefix=VECTOR
#include "Inputs/gpu.h"

// Usual sizes are tested by one comparison, others exactly. Blocks whose number is no multiple of 4 return.
// Six rows, of which four have neighbours along x: 6 + 2 * 4 loads.
// CHECK-LABEL: define {{.*}} @star(
// CHECK: icmp ult i64 %{{.*}}, 2147483648
// CHECK: icmp ult i64 %{{.*}}, 1073741824
// CHECK: icmp ult i64 %{{.*}}, 32768
// CHECK: br i1 %{{.*}}, label %blocked, label %exact, !prof
// CHECK: {{^}}interior:
// CHECK-COUNT-14: load float, ptr %{{.*}}, align 4, !invariant.load
// CHECK-NOT: load
// CHECK: br label %done
// Rows that are not aligned to 16 bytes are left to the other body. Four rows, of which the middle two
// have neighbours along x.
// VECTOR-LABEL: define {{.*}} @star(
// VECTOR: and i64 %{{.*}}, 15
// VECTOR: {{^}}interior:
// VECTOR-COUNT-2: load <4 x float>, ptr %{{.*}}, align 16, !invariant.load
// VECTOR: load float
// VECTOR: store <4 x float> {{.*}}, align 16
// VECTOR: store <4 x float> {{.*}}, align 16
KERNEL star(const float *a, float *b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[y * n + x] = a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x] +
                       a[y * n + x];
}

// Along z by default: six planes of a star, four of five cells.
// CHECK-LABEL: define {{.*}} @cube(
// CHECK: {{^}}interior:
// CHECK-COUNT-22: load float, ptr %{{.*}}, align 4, !invariant.load
// CHECK-NOT: load
// CHECK: br label %done
// Along y: four rows, of which the middle two have six cells and the others one.
// AXIS-LABEL: define {{.*}} @cube(
// AXIS: {{^}}interior:
// AXIS-COUNT-12: load float, ptr %{{.*}}, align 4, !invariant.load
// AXIS-NOT: load
// AXIS: br label %done
KERNEL cube(const float *__restrict__ a, float *__restrict__ b, long n, long m, long l) {
    long x = BX * WX + TX, y = BY * WY + TY, z = BZ * WZ + TZ;
    if (x < 1 || x >= n - 1 || y < 1 || y >= m - 1 || z < 1 || z >= l - 1)
        return;
    const float *c = a + (z * m + y) * n + x;
    b[(z * m + y) * n + x] = c[0] + c[-1] + c[1] + c[-n] + c[n] + c[-n * m] + c[n * m];
}

// Stores come as soon as the last row of their cell did.
// CHECK-LABEL: define {{.*}} @rows(
// CHECK: {{^}}interior:
// CHECK: load float
// CHECK: load float
// CHECK: store float
// CHECK: load float
// CHECK: store float
// CHECK: load float
// CHECK: store float
// CHECK: load float
// CHECK: store float
// CHECK: br label %done
KERNEL rows(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x < n && y < m - 1)
        b[y * n + x] = a[y * n + x] + a[(y + 1) * n + x];
}

// A grid-stride loop goes over the first of four rows each.
// CHECK-LABEL: define {{.*}} @stride(
// CHECK: {{^}}leader:
// CHECK: sdiv i64 %{{.*}}, 4
// CHECK: {{^}}items:
// CHECK: phi i64
// CHECK: br i1 %{{.*}}, label %item, label %done
KERNEL stride(const float *__restrict__ a, float *__restrict__ b, long n, long m) {
    for (long i = BX * WX + TX; i < n * m; i += WX * GX) {
        long x = i % n, y = i / n;
        if (y > 0 && y < m - 1)
            b[y * n + x] = a[(y - 1) * n + x] + a[(y + 1) * n + x];
    }
}

// What a thread wrote it may read in a later iteration: arrays are tested to be apart.
// CHECK-LABEL: define {{.*}} @overlap(
// CHECK: icmp ule i64
// CHECK: {{^}}items:
KERNEL overlap(const float *a, float *b, long n, long m) {
    for (long i = BX * WX + TX; i < n * m; i += WX * GX) {
        long x = i % n, y = i / n;
        if (y > 0 && y < m - 1)
            b[y * n + x] = a[(y - 1) * n + x] + a[(y + 1) * n + x];
    }
}

// Sizes of few bits may be below 0, all the same.
// CHECK-LABEL: define {{.*}} @few(
// CHECK: icmp ult i64 %{{.*}}, 128
KERNEL few(const float *__restrict__ a, float *__restrict__ b, int n, signed char m) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x < n && y > 0 && y < m - 1)
        b[y * n + x] = a[(y - 1) * n + x] + a[(y + 1) * n + x];
}
