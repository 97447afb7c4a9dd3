// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of remarks (YAML) have what is said of kernels as values with keys.
// RUN: %clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version \
// RUN:   -O2 -I %S/../detect/kernels -fpass-plugin=%plugin -fsave-optimization-record -foptimization-record-passes=stencil \
// RUN:   -foptimization-record-file=%t.yaml -S %s -o %t.s
// RUN: FileCheck %s --input-file=%t.yaml
#include "Inputs/gpu.h"

// CHECK:      --- !Analysis
// CHECK:      Name: OrderModel
// CHECK: - Why: 'stencil: a block''s threads share rows already
// CHECK:      --- !Analysis
// CHECK:      Name: BlockPlan
// CHECK:      - Plan: neighbours from L1, vectors of 4 cells, 1 cell a thread along y
// CHECK:      - PredictedGain: '1.{{[0-9]+}}'
// CHECK:      --- !Passed
// CHECK:      Name: Blocked
// CHECK:      - Dimensions: '2'
// CHECK:      - CellsRead: '4'
// CHECK:      - ElementType: f32
// CHECK:      - Cache: L1
// CHECK-NEXT: - CellsPerThread: '1'
// CHECK-NEXT: - Along: y
// CHECK-NEXT: - Vector: '4'
KERNEL star(const float *a, float *b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[y * n + x] = a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x];
}

// CHECK:      --- !Missed
// CHECK:      Name: KernelGain
// CHECK:      - Reason: KernelGain
KERNEL line(const float *a, float *b, int n) {
    int x = BX * WX + TX;
    if (x > 0 && x < n - 1)
        b[x] = a[x - 1] + a[x + 1];
}

// A kernel with versions.
// CHECK:      --- !Passed
// CHECK-NEXT: Pass: {{.*}}
// CHECK-NEXT: Name: Blocked
// CHECK:      Function: box
// CHECK:      - Width: '1'
KERNEL box(const float *a, float *b, int n, int m, int r) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x < r || y < r || x >= n - r || y >= m - r)
        return;
    float s = 0;
    for (int j = -r; j <= r; j++)
        for (int i = -r; i <= r; i++)
            s += a[(y + j) * n + x + i];
    b[y * n + x] = s;
}
