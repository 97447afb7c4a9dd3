// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts promise no gain of what the program's own body does already, nor where the new body has more to do: one stencil, by
// threads of five kinds.
// RUN: %clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version \
// RUN:   -O3 -I %S/../detect/kernels -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -S %s -o %t.s 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

#define CELL                                                                                       \
    int x = BX * WX + TX, y = BY * WY + TY, p = n * m;                                             \
    if (x < 1 || y < 1 || x >= n - 1 || y >= m - 1)                                                \
        return
#define PLANE (a[i - 1] + a[i + 1] + a[i - n] + a[i + n])

// A thread a cell.
// CHECK: counts.cu:[[@LINE+1]]:1: remark: kernel left as it is: {{.*}}counts promise 1.08 times its rate
KERNEL cell(const double *__restrict__ a, double *__restrict__ b, int n, int m, int planes) {
    CELL;
    int z = BZ * WZ + TZ, i = z * p + y * n + x;
    if (z < 1 || z >= planes - 1)
        return;
    b[i] = PLANE + a[i - p] + a[i + p] + a[i];
}

// It has its fixed work once for all planes.
// CHECK: counts.cu:[[@LINE+1]]:1: remark: kernel left as it is: {{.*}}counts promise 1.06 times its rate
KERNEL walk(const double *a, double *b, int n, int m, int planes) {
    CELL;
    for (int z = 1, i = p + y * n + x; z < planes - 1; z++, i += p)
        b[i] = PLANE + a[i - p] + a[i + p] + a[i];
}

// It keeps two cells of a column, which the new body would load again.
// CHECK: counts.cu:[[@LINE+1]]:1: remark: kernel left as it is: {{.*}}counts promise {{0.9[0-9]|1.00}} times its rate
KERNEL keep(const double *a, double *b, int n, int m, int planes) {
    CELL;
    double below = a[y * n + x], here = a[p + y * n + x];
    for (int z = 1, i = p + y * n + x; z < planes - 1; z++, i += p) {
        double above = a[i + p];
        b[i] = PLANE + below + above + here;
        below = here;
        here = above;
    }
}

// So it does where the last plane is outside the loop.
// CHECK: counts.cu:[[@LINE+1]]:1: remark: kernel left as it is: {{.*}}counts promise {{0.9[0-9]|1.00}} times its rate
KERNEL last_outside(const double *__restrict__ a, double *__restrict__ b, int n, int m, int planes) {
    CELL;
    int i = p + y * n + x;
    double below = a[y * n + x], here = a[p + y * n + x];
    for (int z = 1; z < planes - 1; z++, i += p) {
        double above = a[i + p];
        b[i] = PLANE + below + above + here;
        below = here;
        here = above;
    }
    b[i] = PLANE + below + here;
}

// Four rows of a thread share what they read.
// CHECK: counts.cu:[[@LINE+1]]:1: remark: kernel left as it is: {{.*}}counts promise 1.0{{[0-9]}} times its rate
KERNEL rows(const double *__restrict__ a, double *__restrict__ b, int n, int m) {
    int x = BX * WX + TX, from = (BY * WY + TY) * 4;
    for (int k = 0; k < 4; k++) {
        int y = from + k, i = y * n + x;
        if (x > 0 && y > 0 && x < n - 1 && y < m - 1)
            b[i] = PLANE + a[i];
    }
}

// All threads of the launch would divide, to know the rows of a plane.
// CHECK: counts.cu:[[@LINE+1]]:1: remark: kernel left as it is: {{.*}}counts promise 0.9{{[0-9]}} times its rate
KERNEL divide(double *__restrict__ a, const double *__restrict__ b, int p, int n, int m) {
    int i = BX * WX + TX, f = i + i / n + i / p * (n + 1) + (n + 1) * (m + 1) + n + 2;
    a[f] += b[f + n + 1] - b[f] - b[f + 1] + b[f - 1];
}
