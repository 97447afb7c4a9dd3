// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remarks at a kernel's line: what was done, the plan, or why nothing was done. From clang's own pipeline.
// RUN: %clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version \
// RUN:   -O2 -I %S/../detect/kernels -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -Rpass-analysis=stencil \
// RUN:   -S %s -o %t.s 2>&1 | FileCheck %s
// RUN: env STENCILOPT_COARSEN=2 %clang -x hip --cuda-device-only -nogpuinc -nogpulib --offload-arch=gfx90a \
// RUN:   -O2 -I %S/../detect/kernels -fpass-plugin=%plugin -Rpass=stencil -S %s -o %t.s 2>&1 | FileCheck %s --check-prefix=FORCED
// RUN: not %opt -passes='stencil-block<coarsen=33>' -disable-output /dev/null 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not %opt -passes='stencil-block<cache=l2>' -disable-output /dev/null 2>&1 | FileCheck %s --check-prefix=WORD
// NUMBER: option 'coarsen': '33' is not allowed; allowed: 0 (the model chooses) to 32
// WORD: option 'cache': 'l2' is not allowed; allowed: l1, lds or reg
#include "Inputs/gpu.h"

// CHECK: remarks.cu:[[@LINE+3]]:1: remark: plan: neighbours from L1, vectors of 4 cells, 1 cell a thread along y; predicted {{1\.[1-9].*}} times as fast
// CHECK: remarks.cu:[[@LINE+2]]:1: remark: kernel blocked: 2-D stencil, 4 cells read, f32; neighbours from L1, vectors of 4 cells, 1 cell a thread along y
// FORCED: remarks.cu:[[@LINE+1]]:1: remark: kernel blocked: 2-D stencil, 4 cells read, f32; neighbours from L1, vectors of 4 cells, 2 cells a thread along y
KERNEL star(const float *a, float *b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[y * n + x] = a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x];
}

// CHECK: remarks.cu:[[@LINE+1]]:1: remark: kernel left as it is: nothing is gained by blocking it
KERNEL line(const float *a, float *b, int n) {
    int x = BX * WX + TX;
    if (x > 0 && x < n - 1)
        b[x] = a[x - 1] + a[x + 1];
}

// Its vectors would take 2 * 17 * 17 * 4 loads.
// CHECK: remarks.cu:[[@LINE+1]]:1: remark: kernel left as it is: nothing is gained by blocking it
KERNEL wide(const float *a, const float *b, float *c, long n) {
    long x = BX * WX + TX, y = BY * WY + TY;
    if (x < 8 || x >= n - 8 || y < 8 || y >= n - 8)
        return;
    float sum = 0;
#pragma unroll
    for (int j = -8; j <= 8; j++)
#pragma unroll
        for (int i = -8; i <= 8; i++)
            sum += a[(y + j) * n + x + i] * b[(y + j) * n + x + i];
    c[y * n + x] = sum;
}

// CHECK: remarks.cu:[[@LINE+1]]:1: remark: kernel left as it is: it updates memory atomically
KERNEL count(int *a) {
    __atomic_fetch_add(a, 1, __ATOMIC_RELAXED);
}

// CHECK: remarks.cu:[[@LINE+1]]:1: remark: kernel left as it is: blocking does not support how its threads are mapped to cells (one coordinate is not taken from its flat index)
KERNEL batch(const float *a, float *b, int n, int m) {
    int i = BX * WX + TX, x = i % n, y = i / n, z = BY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[z * n * m + i] = a[z * n * m + i - 1] + a[z * n * m + i + 1] + a[z * n * m + i - n] + a[z * n * m + i + n];
}

// CHECK: remarks.cu:[[@LINE+1]]:1: remark: kernel left as it is: blocking does not support how its threads are mapped to cells (its flat index counts cells in another order than that of memory)
KERNEL columns(const float *a, float *b, int n, int m) {
    int i = BX * WX + TX, x = i / m, y = i % m;
    if (x > 0 && x < n - 1)
        b[y * n + x] = a[y * n + x - 1] + a[y * n + x + 1];
}
