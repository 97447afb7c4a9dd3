// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result is copied back to where the next sweep reads it: two buffers of one grid.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/*.stencil | FileCheck %s
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=REMARK %s

// CHECK-LABEL: stencil in at_once: rank 1, time loop
// CHECK-NEXT:  grid {{.*}}: f64, 2 buffers, halo x -1..1
// REMARK: copy-back.c:[[#@LINE+3]]:{{.*}} the whole time loop, the copy after each sweep included
void at_once(int T, int n, double *a, double *b) {
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1];
        __builtin_memcpy(a, b, n * sizeof *a);
    }
}

// CHECK-LABEL: stencil in rows: rank 2, time loop
// CHECK-NEXT:  grid {{.*}}: f32, 2 buffers, halo x -1..1 y 0..1
// REMARK: copy-back.c:[[#@LINE+4]]:{{.*}} the whole time loop, the copy after each sweep included
void rows(int T, int n, float *restrict a, float *restrict b) {
    for (int t = 0; t < T; t++) {
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++)
                b[j * n + i] = a[j * n + i - 1] + a[(j + 1) * n + i + 1];
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++)
                a[j * n + i] = b[j * n + i];
    }
}
