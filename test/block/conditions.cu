// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours that are read only under conditions: what the interior reads, and from which memory.
// RUN: %clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version \
// RUN:   -O2 -I %S/../detect/kernels -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -S %s -o %t.s 2>&1 | FileCheck %s
// RUN: env STENCILOPT_CACHE=lds %clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version \
// RUN:   -O2 -I %S/../detect/kernels -fpass-plugin=%plugin -Rpass-missed=stencil -S %s -o %t.s 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: %to-sm_90 | %opt -passes='stencil-block<vector=1;coarsen=2>' -S | FileCheck %s --check-prefix=IR
#include "Inputs/gpu.h"

// Other threads read all four neighbours in any case, as their own cells: the interior has no condition. Two cells a
// thread have four neighbours along x, two along y, and themselves.
// CHECK: conditions.cu:[[@LINE+8]]:1: remark: kernel blocked: 2-D stencil, 5 cells read, f32; neighbours from L1, vectors of 4 cells
// SHARED: conditions.cu:[[@LINE+7]]:1: remark: kernel left as it is: it reads neighbours only under a condition, and scratchpad would bring them in any case; take them from L1 (cache=l1)
// IR-LABEL: @zeros(
// IR: {{^}}interior:
// IR-COUNT-8: load float
// IR-NOT: load float
// IR: br label %done
// IR: {{^}}cell:
KERNEL zeros(const float *a, float *b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY, i = y * n + x;
    if (x >= n || y >= m)
        return;
    float s = a[i];
    s += x > 0 ? a[i - 1] : 0;
    s += x < n - 1 ? a[i + 1] : 0;
    s += y > 0 ? a[i - n] : 0;
    s += y < m - 1 ? a[i + n] : 0;
    b[i] = s;
}

// Nobody reads c in any case: each cell reads it under its own condition. So do the cells of a vector, one by one.
// CHECK: conditions.cu:[[@LINE+7]]:1: remark: kernel blocked: 2-D stencil, 4 cells read, f32; neighbours from L1, vectors of 4 cells, 1 cell a thread along y
// IR-LABEL: @own(
// IR: {{^}}interior:
// IR: br i1 %{{.*}}, label %reads
// IR: {{^}}reads{{.*}}:
// IR: load float
// IR: br label %read
KERNEL own(const float *a, const float *c, float *b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY, i = y * n + x;
    if (x < 1 || x >= n - 1 || y >= m)
        return;
    float s = a[i - 1] + a[i] + a[i + 1];
    if (s > 1)
        s *= c[i];
    b[i] = s;
}

// With doubles, and where each second cell of a row reads, this is not measured.
// CHECK: conditions.cu:[[@LINE+1]]:1: remark: kernel left as it is: nothing is gained by blocking it
KERNEL own_wide(const double *a, const double *c, double *b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY, i = y * n + x;
    if (x < 1 || x >= n - 1 || y >= m)
        return;
    double s = a[i - 1] + a[i] + a[i + 1];
    if (s > 1)
        s *= c[i];
    b[i] = s;
}
// CHECK: conditions.cu:[[@LINE+1]]:1: remark: kernel left as it is: nothing is gained by blocking it
KERNEL second(const float *a, const float *c, float *b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY, i = y * n + x;
    if (x < 1 || x >= n - 1 || y >= m)
        return;
    float s = a[i - 1] + a[i] + a[i + 1];
    if (x & 1)
        s *= c[i];
    b[i] = s;
}

// A cell between two that are always read.
// CHECK: conditions.cu:[[@LINE+1]]:1: remark: kernel blocked: 2-D stencil, 3 cells read
KERNEL between(const float *a, float *b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY, i = y * n + x;
    if (x < 1 || x >= n - 1 || y >= m)
        return;
    float s = a[i - 1] - a[i + 1];
    if (s > 1)
        s *= a[i];
    b[i] = s;
}

// Two cells away along x, each neighbour under its own condition: the cells of a vector would keep too much in registers.
// CHECK: conditions.cu:[[@LINE+1]]:1: remark: kernel left as it is: nothing is gained by blocking it (counts promise {{.*}}, but: neighbours more than a cell away, under conditions along x: measured 0.32 to 0.94)
KERNEL far_zeros(const float *a, float *b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY, i = y * n + x;
    if (x >= n || y >= m)
        return;
    float s = 0;
    for (int k = -2; k <= 2; k++)
        s += x + k >= 0 && x + k < n ? a[i + k] : 0;
    b[i] = s;
}
