// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that are read behind branches: such kernels are blocked on request alone.
// RUN: %clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version \
// RUN:   -O2 -I %S/../detect/kernels -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -S %s -o %t.s 2>&1 | FileCheck %s
// RUN: env STENCILOPT_CACHE=l1 %clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version \
// RUN:   -O2 -I %S/../detect/kernels -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -S %s -o %t.s 2>&1 | FileCheck %s --check-prefix=ASKED
// RUN: env STENCILOPT_COARSEN=2 %clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version \
// RUN:   -O2 -I %S/../detect/kernels -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -S %s -o %t.s 2>&1 | FileCheck %s --check-prefix=ASKED
// RUN: env STENCILOPT_VECTOR=2 %clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version \
// RUN:   -O2 -I %S/../detect/kernels -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -S %s -o %t.s 2>&1 | FileCheck %s --check-prefix=ASKED
#include "Inputs/gpu.h"

struct plane {
    int nx, ny;
    float weight;
};
#define PLACE int x = BX * WX + TX, y = BY * WY + TY

// CHECK: behind.cu:[[@LINE+2]]:1: remark: kernel left as it is: nothing is gained by blocking it (counts promise {{.*}}, but: sizes that are read behind branches: measured 0.68 to 1.08; read them first)
// ASKED: behind.cu:[[@LINE+1]]:1: remark: kernel blocked: 2-D stencil, 4 cells read, f32
KERNEL late(const float *a, float *b, const plane *p) {
    PLACE;
    if (x < 1 || y < 1 || x >= p->nx - 1 || y >= p->ny - 1)
        return;
    int i = y * p->nx + x;
    b[i] = a[i - 1] + a[i + 1] + a[i - p->nx] - a[i + p->nx];
}

// The row's length alone.
// CHECK: behind.cu:[[@LINE+2]]:1: remark: kernel left as it is: nothing is gained by blocking it (counts promise {{.*}}, but: sizes that are read behind branches
// ASKED: behind.cu:[[@LINE+1]]:1: remark: kernel blocked: 2-D stencil, 4 cells read, f32
KERNEL late_rows(const float *a, float *b, const int *pitch, int n, int m) {
    PLACE;
    if (x < 1 || y < 1 || x >= n - 1 || y >= m - 1)
        return;
    int i = y * *pitch + x;
    b[i] = a[i - 1] + a[i + 1] + a[i - *pitch] - a[i + *pitch];
}

// CHECK: behind.cu:[[@LINE+2]]:1: remark: kernel left as it is: nothing is gained by blocking it (counts promise {{.*}}, but: sizes that are read behind branches
// ASKED: behind.cu:[[@LINE+1]]:1: remark: kernel blocked: 2-D stencil, 4 cells read, f32
KERNEL late_flat(const float *a, float *b, const plane *p, int n) {
    int i = BX * WX + TX;
    if (i >= n)
        return;
    int x = i % p->nx, y = i / p->nx;
    if (x > 0 && y > 0 && x < p->nx - 1 && y < p->ny - 1)
        b[i] = a[i - 1] + a[i + 1] + a[i - p->nx] - a[i + p->nx];
}

// Read first, or arguments: blocked by default.
// CHECK: behind.cu:[[@LINE+2]]:1: remark: kernel blocked: 2-D stencil, 4 cells read, f32
// ASKED: behind.cu:[[@LINE+1]]:1: remark: kernel blocked: 2-D stencil, 4 cells read, f32
KERNEL first(const float *a, float *b, const plane *p) {
    int nx = p->nx, ny = p->ny;
    PLACE;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    int i = y * nx + x;
    b[i] = a[i - 1] + a[i + 1] + a[i - nx] - a[i + nx];
}

// A coefficient is no size.
// CHECK: behind.cu:[[@LINE+2]]:1: remark: kernel blocked: 2-D stencil, 5 cells read, f32
// ASKED: behind.cu:[[@LINE+1]]:1: remark: kernel blocked: 2-D stencil, 5 cells read, f32
KERNEL weighted(const float *a, float *b, const plane *p, int n, int m) {
    PLACE;
    if (x < 1 || y < 1 || x >= n - 1 || y >= m - 1)
        return;
    int i = y * n + x;
    b[i] = p->weight * (a[i - 1] + a[i + 1] + a[i - n] - a[i + n]);
}
