// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices of arrays that the time loop carries, and that repeat after two or three steps.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fdiscard-value-names -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/*.stencil | FileCheck %s
// RUN: %clang -O2 -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=MISSED %s

#define ROW(to, from)                                                                              \
    for (int j = 1; j < n - 1; j++)                                                                \
        u[to][j] = u[from][j - 1] + u[from][j + 1];

// CHECK-LABEL: stencil in exclusive: rank 1, time loop
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x -1..1
void exclusive(int T, int n, float u[2][n]) {
    int it = 0;
    for (int t = 0; t < T; t++, it ^= 1)
        ROW(it ^ 1, it)
}

// CHECK-LABEL: stencil in minus: rank 1, time loop
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x -1..1
int minus(int T, int n, float u[2][n]) {
    int it = 1;
    for (int t = 0; t < T; t++, it = 1 - it)
        ROW(1 - it, it)
    return it;
}

// Which array is read is not known before the program runs.
// MISSED: copied in each iteration of the outer loop: the address of an array access is not a linear function
void started(int T, int n, float u[2][n], int it) {
    for (int t = 0; t < T; t++, it = 1 - it)
        ROW(1 - it, it)
}

// CHECK-LABEL: stencil in turned: rank 1, time loop
// CHECK-NEXT:  grid A: f32, 3 buffers, halo x -1..1
void turned(int T, int n, float u[3][n]) {
    int it = 2;
    for (int t = 0; t < T; t++) {
        int next = it == 2 ? 0 : it + 1;
        ROW(next, it)
        it = next;
    }
}

// The two numbers do not come round together.
// MISSED: copied in each iteration of the outer loop: the address of an array access is not a linear function
void uneven(int T, int n, float u[3][n]) {
    int it = 0, other = 1;
    for (int t = 0; t < T; t++) {
        ROW(other, it)
        it = it == 1 ? 0 : 1;
        other = other == 2 ? 0 : other + 1;
    }
}
