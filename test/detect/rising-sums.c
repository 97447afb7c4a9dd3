// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What rises in each time step by a number that is no literal, here by how many rows there are, is a
// counter or not, and no crash: found by random programs.
// RUN: %clang -O3 -ffp-contract=off -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
void rows_counted(int n, int m, float *a, float *b, int steps, int *note, float *out) {
    if (n < 3 || m < 3)
        return;
    float most = 0;
    // CHECK-DAG: [[@LINE+1]]:5: remark: time loop not offloaded: the sweeps in the loop around do not run on the GPU together (none reads neighbours of a cell)
    for (int t = 0; t < steps; t++) {
        most = 100;
        for (int i = 1; i < n - 2; i++) {
            note[3]++;
            // CHECK-DAG: [[@LINE+1]]:13: remark: loop nest not offloaded: the loop reads no neighbours of a cell
            for (int j = 1; j < m - 1; j++) {
                float v = a[i * m + j];
                b[i * m + j] = v;
                most = v < most ? v : most;
            }
        }
    }
    *out = most;
}
