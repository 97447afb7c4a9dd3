// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// B = f(A), then A = f(B), in one time loop: one grid of two buffers, told once.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fdiscard-value-names -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: %clang -O3 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=REMARK --implicit-check-not=remark: %s
// RUN: cat %t/*.stencil | FileCheck %s
// RUN: %clang -O1 -ffp-contract=off -S -emit-llvm %s -o - | %opt -passes='print<stencil>' -disable-output 2>&1 | FileCheck --check-prefix=PRINT --implicit-check-not='stencil in' %s

enum { N = 100 };
double A[N], B[N], C[N];

void jacobi(int T) {
    for (int t = 0; t < T; t++) {
        // REMARK: [[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil of radius 1, 3 cells read, f64, runs on a GPU where there is one: the whole time loop, its two sweeps being two time steps
        for (int i = 1; i < N - 1; i++)
            B[i] = 0.5 * (A[i - 1] + A[i] + A[i + 1]);
        for (int i = 1; i < N - 1; i++)
            A[i] = 0.5 * (B[i - 1] + B[i] + B[i + 1]);
    }
}
void numbered(int T, int n, int m, float k, float (*a)[m], float (*b)[m], float (*c)[m]) {
    for (int t = 0; t < T; t++) {
        // REMARK: [[#@LINE+2]]:{{[0-9]+}}: remark: 2-D stencil of radius 2, 3 cells read, f32, runs on a GPU where there is one: the whole time loop, its two sweeps being two time steps
        for (int i = 2; i < n; i++)
            for (int j = 0; j < m - 1; j++)
                b[i][j] = k * a[i - 2][j] + a[i][j + 1] + c[i][j] * (float)(2 * t + 5);
        for (int i = 2; i < n; i++)
            for (int j = 0; j < m - 1; j++)
                a[i][j] = k * b[i - 2][j] + b[i][j + 1] + c[i][j] * (float)(2 * t + 6);
    }
}
static void step(int n, const float *restrict from, float *restrict to) {
    // REMARK: [[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil of radius 1, 2 cells read, f32, runs on a GPU where there is one: the whole time loop, its two sweeps being two time steps
    for (int i = 1; i < n - 1; i++)
        to[i] = from[i - 1] + from[i + 1];
}
void inlined(int T, int n, float *a, float *b) {
    for (int t = 0; t < T; t++) {
        step(n, a, b);
        step(n, b, a);
    }
}
void wave(int T, int n, float *restrict a, float *restrict b) {
    // REMARK: [[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 2 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1] - b[i];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i - 1] + b[i + 1] - a[i];
    }
}

// CHECK-LABEL: stencil in inlined: rank 1, time loop
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x -1..1
// CHECK-NEXT:  reads A[0]: (-1) (1)
// CHECK-NEXT:  writes A[+1]
// CHECK-NEXT:  = fadd(A[0](-1), A[0](1))
// CHECK-LABEL: stencil in jacobi: rank 1, time loop
// CHECK-NEXT:  grid A: f64, 2 buffers, halo x -1..1
// CHECK-NEXT:  reads A[0]: (-1) (0) (1)
// CHECK-NEXT:  writes A[+1]
// CHECK-NEXT:  = fmul(fadd(fadd(A[0](-1), A[0](0)), A[0](1)), 0.5)
// CHECK-LABEL: stencil in numbered: rank 2, time loop
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x 0..1 y -2..0
// CHECK-NEXT:  grid B: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:  scalar s0: f32
// CHECK-NEXT:  scalar s1: i32, advances each step
// CHECK-NEXT:  reads A[0]: (0,-2) (1,0)
// CHECK-NEXT:  reads B[0]: (0,0)
// CHECK-NEXT:  writes A[+1]
// CHECK-NEXT:  = fadd(fadd(fmul(s0, A[0](0,-2)), A[0](1,0)), fmul(B[0](0,0), uitofp.f32(s1)))
// In 1-D what reads two time steps is a step of two sweeps: only kernels of whole steps block it.
// CHECK-LABEL: time loop of 2 sweeps in wave: rank 1
// CHECK:       = fsub(fadd(B[0](-1), B[0](1)), A[0](0))
// CHECK:       = fsub(fadd(A[0](-1), A[0](1)), B[0](0))
// CHECK:       halo 2,2

// PRINT: stencil in jacobi: rank 1, time loop
// PRINT: stencil in numbered: rank 2, time loop
// PRINT: stencil in inlined: rank 1, time loop
// PRINT: stencil in wave: rank 1, time loop
