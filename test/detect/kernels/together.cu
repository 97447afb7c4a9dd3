// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guards that test several coordinates at once: their bits, or a flat index.
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %cuda -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
// RUN: %clang %hip -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

#define PLACE(k) int x = (int)(BX * WX + TX) - k, y = (int)(BY * WY + TY) - k, i = y * n + x

// CHECK: kernel: {{.*}}, x < 256; y = {{.*}}, y < 256
// CHECK-NEXT: stencil in below_power: rank 2
KERNEL below_power(const float *a, float *b, int n) {
    PLACE(0);
    if ((x | y) < 256)
        b[i] = a[i] + a[i + 1];
}
// CHECK: kernel: {{.*}}, x < 64; y = {{.*}}, y < 64
// CHECK-NEXT: stencil in at_most: rank 2
KERNEL at_most(const float *a, float *b, int n) {
    PLACE(0);
    if ((unsigned)(x | y) > 63)
        return;
    b[i] = a[i] + a[i + 1];
}
// 254 | 1 is 255.
// CHECK: kernel: blocks, arrays may overlap; x = {{[^,]*}}; y = {{[^,]*$}}
// CHECK-NEXT: stencil in no_power: rank 2
// CHECK: = select(
KERNEL no_power(const float *a, float *b, int n) {
    PLACE(0);
    if ((x | y) < 255)
        b[i] = a[i] + a[i + 1];
}
// CHECK: kernel: {{.*}}, x >= k{{.*}}; y = {{.*}}, y >= k
// CHECK-NEXT: stencil in not_negative: rank 2
KERNEL not_negative(const float *a, float *b, int n, int k) {
    PLACE(k);
    if ((x | y) >= 0 && x < n)
        b[i] = a[i] + a[i + 1];
}

#define FLAT int i = BX * WX + TX
// CHECK: kernel: flat index{{.*}}; i = {{[^,]*}}; x = i%n, x >= 1, x < n-1; y = i/n, y >= 1, y < m-1
// CHECK-NEXT: stencil in border: rank 2
KERNEL border(const float *a, float *b, int n, int m) {
    FLAT;
    if (i > n && i < n * m - n && i % n && i % n != n - 1)
        b[i] = a[i - 1] + a[i + 1] + a[i - n] + a[i + n];
}
// The first cell of the second row is left out of that row alone.
// CHECK: kernel: flat index{{.*}}; i = {{[^,]*}}, i >= n+1; x = i%n, x < n-1; y = i/n
// CHECK-NEXT: stencil in one_cell: rank 2
KERNEL one_cell(const float *a, float *b, int n, int m) {
    FLAT;
    if (i > n && i < n * m - n && i % n < n - 1)
        b[i] = a[i - 1] + a[i + 1] + a[i - n] + a[i + n];
}
// CHECK: x >= 1{{.*}}; y = {{.*}}, y >= 1{{.*}}; z = {{.*}}, z >= 1
// CHECK-NEXT: stencil in planes: rank 3
KERNEL planes(const float *a, float *b, int n, int m) {
    FLAT;
    int x = i % n, y = i / n % m;
    if (i >= n * m + n + 1 && x > 0 && y > 0)
        b[i] = a[i - 1] + a[i - n] + a[i - n * m];
}
