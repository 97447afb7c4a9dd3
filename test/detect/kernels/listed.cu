// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours that tables in constant memory list, and loops over the neighbours that are in the grid.
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %cuda -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
// RUN: %clang %hip -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %hip -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
#include "Inputs/gpu.h"
#define TABLE __attribute__((constant)) __device__
#define X int x = BX * WX + TX, y = BY * WY + TY

TABLE int known[2] = {-1, 2};
TABLE int filled[2]; // by the host, before the launch
TABLE int many[256] = {1, 2};

// CHECK-LABEL: stencil in of_known: rank 2
// CHECK: reads {{[A-Z]}}[0]: (-1,0) (2,0)
KERNEL of_known(const float *a, float *b, int n, int m) {
    X;
    if (x < 1 || x >= n - 2 || y >= m)
        return;
    float s = 0;
    for (int k = 0; k < 2; k++)
        s += a[y * n + x + known[k]];
    b[y * n + x] = s;
}

// CHECK: no stencil in of_filled
KERNEL of_filled(const float *a, float *b, int n, int m) {
    X;
    if (x < 1 || x >= n - 2 || y >= m)
        return;
    float s = 0;
    for (int k = 0; k < 2; k++)
        s += a[y * n + x + filled[k]];
    b[y * n + x] = s;
}

// CHECK: no stencil in of_many
KERNEL of_many(const float *a, float *b, int n, int m) {
    X;
    if (x < 1 || x >= n - 2 || y >= m)
        return;
    float s = 0;
    for (int k = 0; k < 2; k++)
        s += a[y * n + x + many[k]];
    b[y * n + x] = s;
}

// CHECK-LABEL: stencil in window: rank 2
// CHECK: reads {{[A-Z]}}[0]: (0,-1)? (0,0){{.*}}(0,1)?
KERNEL window(const float *a, float *b, int n, int m) {
    X;
    if (x >= n || y >= m)
        return;
    float s = 0;
    for (int j = y < 1 ? 0 : y - 1; j <= (y + 1 < m ? y + 1 : m - 1); j++)
        s += a[j * n + x];
    b[y * n + x] = s;
}
