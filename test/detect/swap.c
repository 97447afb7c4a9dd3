// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers that the time loop exchanges, two and three of them, and index types.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fdiscard-value-names -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/*.stencil | FileCheck %s

#define SWEEP(name, type)                                                                          \
    void name(type T, type n, float *a, float *b) {                                                \
        for (type t = 0; t < T; t++) {                                                             \
            for (type j = 1; j < n - 1; j++)                                                       \
                for (type i = 1; i < n - 1; i++)                                                   \
                    b[j * n + i] = a[(j - 1) * n + i] + a[j * n + i + 1];                          \
            float *c = a;                                                                          \
            a = b;                                                                                 \
            b = c;                                                                                 \
        }                                                                                          \
    }
SWEEP(of_int, int)
SWEEP(of_long, long)
SWEEP(of_size_t, __SIZE_TYPE__)
SWEEP(of_unsigned, unsigned)

void three(int T, int n, double *restrict a, double *restrict b, double *restrict c) {
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            c[i] = 2 * b[i] - a[i] + b[i - 1];
        double *d = a;
        a = b;
        b = c;
        c = d;
    }
}

// CHECK-LABEL: stencil in of_int: rank 2, time loop
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x 0..1 y -1..0
// CHECK-NEXT:  reads A[0]: (0,-1) (1,0)
// CHECK-NEXT:  writes A[+1]
// CHECK-NEXT:  = fadd(A[0](0,-1), A[0](1,0))
// CHECK-LABEL: stencil in of_long: rank 2, time loop
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x 0..1 y -1..0
// CHECK-NEXT:  reads A[0]: (0,-1) (1,0)
// CHECK-NEXT:  writes A[+1]
// CHECK-NEXT:  = fadd(A[0](0,-1), A[0](1,0))
// CHECK-LABEL: stencil in of_size_t: rank 2, time loop
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x 0..1 y -1..0
// CHECK-NEXT:  reads A[0]: (0,-1) (1,0)
// CHECK-NEXT:  writes A[+1]
// CHECK-NEXT:  = fadd(A[0](0,-1), A[0](1,0))
// CHECK-LABEL: stencil in of_unsigned: rank 2, time loop
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x 0..1 y -1..0
// CHECK-NEXT:  reads A[0]: (0,-1) (1,0)
// CHECK-NEXT:  writes A[+1]
// CHECK-NEXT:  = fadd(A[0](0,-1), A[0](1,0))
// CHECK-LABEL: time loop of 1 sweep in three: rank 1
// CHECK-NEXT:  sweep 1: along x
// CHECK-NEXT:  grid A: f64, 3 buffers, halo x -1..0
// CHECK-NEXT:  reads A[+1]: (0) (-1)
// CHECK-NEXT:  reads A[0]: (0)
// CHECK-NEXT:  writes A[+2]
// CHECK-NEXT:  = fadd(fsub(fmul(A[+1](0), 2), A[0](0)), A[+1](-1))
