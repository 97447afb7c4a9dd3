// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks, one sided and wide neighbourhoods, loops over y that count down or skip rows, transposed loops.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fdiscard-value-names -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/*.stencil | FileCheck %s

enum { N = 64 };
float A[N][N], B[N][N];
double C[N][N][N], D[N][N][N];

void rank1_radius8(int n, const float *a, float *b) {
    for (int i = 8; i < n - 8; i++)
        b[i] = a[i - 8] + a[i + 8] + a[i];
}
void rank3(void) {
    for (int k = 1; k < N - 1; k++)
        for (int j = 1; j < N - 1; j++)
            for (int i = 1; i < N - 1; i++)
                D[k][j][i] = C[k - 1][j][i] + C[k + 1][j][i] + C[k][j - 1][i] + C[k][j][i + 1];
}
void one_sided(int n, float a[n][n], float b[n][n]) {
    for (int j = 2; j < n; j++)
        for (int i = 0; i < n - 3; i++)
            b[j][i] = a[j - 2][i] + a[j][i + 3];
}
void y_down(void) {
    for (int j = N - 2; j > 0; j--)
        for (int i = 1; i < N - 1; i++)
            B[j][i] = A[j - 1][i] + A[j][i + 1];
}
void x_outside(void) {
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            B[j][i] = A[j - 1][i] + A[j][i + 1];
}

// CHECK-LABEL: stencil in one_sided: rank 2, one sweep
// CHECK-NEXT:  grid A: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:  grid B: f32, 1 buffer, halo x 0..3 y -2..0
// CHECK-NEXT:  reads B[0]: (0,-2) (3,0)
// CHECK-NEXT:  writes A[0]
// CHECK-NEXT:  = fadd(B[0](0,-2), B[0](3,0))
// CHECK-LABEL: stencil in rank1_radius8: rank 1, one sweep
// CHECK-NEXT:  grid A: f32, 1 buffer, halo x 0..0
// CHECK-NEXT:  grid B: f32, 1 buffer, halo x -8..8
// CHECK-NEXT:  reads B[0]: (-8) (8) (0)
// CHECK-NEXT:  writes A[0]
// CHECK-NEXT:  = fadd(fadd(B[0](-8), B[0](8)), B[0](0))
// CHECK-LABEL: stencil in rank3: rank 3, one sweep
// CHECK-NEXT:  grid D: f64, 1 buffer, halo x 0..0 y 0..0 z 0..0
// CHECK-NEXT:  grid C: f64, 1 buffer, halo x 0..1 y -1..0 z -1..1
// CHECK-NEXT:  reads C[0]: (0,0,-1) (0,0,1) (0,-1,0) (1,0,0)
// CHECK-NEXT:  writes D[0]
// CHECK-NEXT:  = fadd(fadd(fadd(C[0](0,0,-1), C[0](0,0,1)), C[0](0,-1,0)), C[0](1,0,0))
// CHECK-LABEL: stencil in x_outside: rank 2, one sweep
// CHECK-NEXT:  grid B: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:  grid A: f32, 1 buffer, halo x 0..1 y -1..0
// CHECK-NEXT:  reads A[0]: (0,-1) (1,0)
// CHECK-NEXT:  writes B[0]
// CHECK-NEXT:  = fadd(A[0](0,-1), A[0](1,0))
// CHECK-LABEL: stencil in y_down: rank 2, one sweep
// CHECK-NEXT:  grid B: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:  grid A: f32, 1 buffer, halo x 0..1 y 0..1
// CHECK-NEXT:  reads A[0]: (0,1) (1,0)
// CHECK-NEXT:  writes B[0]
// CHECK-NEXT:  = fadd(A[0](0,1), A[0](1,0))
