// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells between those of another statement: blocked in float, in double on request alone.
// RUN: %clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version \
// RUN:   -O2 -I %S/../detect/kernels -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -S %s -o %t.s 2>&1 | FileCheck %s
// RUN: %clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version -mllvm -stencilopt-cache=l1 \
// RUN:   -O2 -I %S/../detect/kernels -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -S %s -o %t.s 2>&1 | FileCheck %s --check-prefix=ASKED
#include "Inputs/gpu.h"

// CHECK: beside.cu:[[@LINE+2]]:1: remark: kernel blocked: 2-D stencil
// ASKED: beside.cu:[[@LINE+1]]:1: remark: kernel blocked: 2-D stencil
KERNEL between(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY, i = y * n + x;
    if (x < 1 || y < 1 || x >= n - 1 || y >= m - 1)
        return;
    b[2 * y * n + x] = a[i - 1] + a[i + 1];
    b[2 * y * n + n + x] = a[i - n] - a[i + n];
}
// CHECK: beside.cu:[[@LINE+2]]:1: remark: kernel left as it is: nothing is gained by blocking it (counts promise 1.04 times its rate, but: several outputs
// ASKED: beside.cu:[[@LINE+1]]:1: remark: kernel blocked: 2-D stencil
KERNEL doubles_between(const double *__restrict__ a, double *__restrict__ b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY, i = y * n + x;
    if (x < 1 || y < 1 || x >= n - 1 || y >= m - 1)
        return;
    b[2 * y * n + x] = a[i - 1] + a[i + 1];
    b[2 * y * n + n + x] = a[i - n] - a[i + n];
}
