// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are not to be optimised stay as they are.
// RUN: %to-sm_90 | sed 's/noinline/noinline optnone/' | %opt -passes='stencil-block<vector=1;coarsen=4>,stencil-remap<column=16>' -S | FileCheck %s
// RUN: %to-sm_90 | %opt -passes='stencil-block<vector=1;coarsen=4>' -S | FileCheck %s --check-prefix=ELSE
#include "Inputs/gpu.h"

// CHECK-LABEL: define {{.*}} @star(
// CHECK-NOT: blocked
// CHECK: ret void
// ELSE-LABEL: define {{.*}} @star(
// ELSE: blocked
KERNEL star(const float *a, float *b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[y * n + x] = a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x];
}
