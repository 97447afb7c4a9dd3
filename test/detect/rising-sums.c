// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What rises in each time step by a number that is no literal, here by how many rows there are, is a
// counter or not, and no crash: found by random programs.
// RUN: %clang -O3 -ffp-contract=off -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
void rows_counted(int n, int m, float *a, float *b, int steps, int *note, float *out) {
    if (n < 3 || m < 3)
        return;
    float most = 0;
    // CHECK: [[@LINE+1]]:5: remark: 2-D time loop of 1 sweep runs on a GPU where there is one
    for (int t = 0; t < steps; t++) {
        most = 100;
        for (int i = 1; i < n - 2; i++) {
            note[3]++;
            for (int j = 1; j < m - 1; j++) {
                float v = a[i * m + j];
                b[i * m + j] = v;
                most = v < most ? v : most;
            }
        }
    }
    *out = most;
}
