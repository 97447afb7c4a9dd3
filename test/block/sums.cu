// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums by rows, where flags let them be regrouped, and of integers always: a row's sum is computed
// once for all of a thread's cells.
// RUN: %fast-sm_90 | %opt -passes='stencil-block<vector=1;coarsen=4>' -S | FileCheck %s --check-prefixes=FAST,WHOLE
// RUN: %to-sm_90 | %opt -passes='stencil-block<vector=1;coarsen=4>' -S | FileCheck %s --check-prefixes=STRICT,WHOLE
#include "Inputs/gpu.h"

#define ROW(j) a[(y + j) * n + x - 1] + a[(y + j) * n + x] + a[(y + j) * n + x + 1]
#define BOX(T)                                                                                     \
    int x = BX * WX + TX, y = BY * WY + TY;                                                        \
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)                                                  \
    b[y * n + x] = ROW(-1) + ROW(0) + ROW(1)

// Six rows of two additions, and two for each cell.
// FAST-LABEL: define {{.*}} @box(
// FAST: {{^}}interior:
// FAST-COUNT-20: fadd reassoc {{.*}}float
// FAST-NOT: fadd
// FAST: {{^}}border:
// STRICT-LABEL: define {{.*}} @box(
// STRICT: {{^}}interior:
// STRICT-COUNT-32: fadd float
// STRICT-NOT: fadd
// STRICT: {{^}}border:
KERNEL box(const float *a, float *b, int n, int m) {
    BOX(float);
}

// WHOLE-LABEL: define {{.*}} @whole(
// WHOLE: {{^}}interior:
// WHOLE-COUNT-20: add i32
// WHOLE-NOT: add i32
// WHOLE: {{^}}border:
KERNEL whole(const int *a, int *b, int n, int m) {
    BOX(int);
}

// Rows that differ in a factor alone have the same sum; it is multiplied afterwards.
// FAST-LABEL: define {{.*}} @weighted(
// FAST: {{^}}interior:
// FAST-COUNT-20: fadd reassoc {{.*}}float
// FAST-NOT: fadd
// FAST: {{^}}border:
KERNEL weighted(const float *a, float *b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[y * n + x] = 0.2f * (ROW(-1)) + 0.5f * (ROW(0)) + 0.3f * (ROW(1));
}
