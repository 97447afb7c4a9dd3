// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a nest does at the ends of its loops: cells left out, and rules for indices.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/*.stencil | FileCheck %s
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O1 -ffp-contract=off -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/*.stencil | FileCheck %s
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O3 -ffp-contract=off -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/*.stencil | FileCheck %s

#define CELLS                                                                                      \
    for (int j = 0; j < n; j++)                                                                    \
        for (int i = 0; i < m; i++)

// CHECK-LABEL: stencil in a_guard: rank 2, one sweep
// CHECK:       reads {{.*}}[0]: (-1,0) (0,1)
void a_guard(int n, int m, const float *restrict a, float *restrict b) {
    CELLS if (i > 0 && j < n - 1) b[j * m + i] = a[j * m + i - 1] + a[(j + 1) * m + i];
}

// CHECK-LABEL: stencil in b_clamp: rank 2, one sweep
// CHECK:       boundary x clamp..none y none..clamp
// CHECK:       reads {{.*}}[0]: (0,0) (<-1,0) (0,1>)
void b_clamp(int n, int m, const float *restrict a, float *restrict b) {
    CELLS {
        int left = i > 0 ? i - 1 : 0, below = j + 1 < n ? j + 1 : n - 1;
        b[j * m + i] = a[j * m + i] + a[j * m + left] + a[below * m + i];
    }
}

// CHECK-LABEL: stencil in c_wrap: rank 2, one sweep
// CHECK:       boundary x wrap..none y mirror..none
// CHECK:       reads {{.*}}[0]: (<-1,0) (0,<-1)
void c_wrap(int n, int m, const float *restrict a, float *restrict b) {
    CELLS b[j * m + i] = a[j * m + (i + m - 1) % m] + a[(j > 0 ? j - 1 : 1) * m + i];
}

// CHECK-LABEL: stencil in d_copy: rank 2, one sweep
// CHECK:       boundary x clamp..none y clamp..none
// CHECK-NEXT:  reads {{.*}}[0]: (0,0) (<-1,0)? (0,<-1)?
void d_copy(int n, int m, const float *restrict a, float *restrict b) {
    CELLS {
        float c = a[j * m + i];
        if (i > 0)
            c += a[j * m + i - 1];
        b[j * m + i] = j > 0 ? c + a[(j - 1) * m + i] : c;
    }
}

// What is written is brought back, and need not be.
// CHECK-LABEL: stencil in e_own: rank 2, one sweep
// CHECK:       boundary x wrap..wrap y none..none
void e_own(unsigned long n, unsigned long m, const float *restrict a, float *restrict b) {
    for (unsigned long j = 0; j < n; j++)
        for (unsigned long i = 0; i < m; i++)
            b[((j + n) % n) * m + (i + m) % m] = a[j * m + (i + 1) % m] + a[j * m + (i + m - 1) % m];
}

// It comes round: rows alone are a sweep.
// CHECK-LABEL: stencil in f_round: rank 1
void f_round(int n, int m, const float *restrict a, float *restrict b) {
    CELLS b[(j + 1) % n * m + i] = a[j * m + i] + a[j * m + (i + 1) % m];
}
