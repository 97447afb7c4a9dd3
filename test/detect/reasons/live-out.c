// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

float f(int n, const float *a, float *restrict b) {
    float last = 0;
    // CHECK: live-out.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: a value computed in the nest is used after it
    for (int i = 1; i < n - 1; i++) {
        b[i] = a[i - 1] + a[i + 1];
        last = b[i];
    }
    return last;
}

float sum, mean[40][40];
void variable(const float *a) {
    for (int i = 1; i < 39; i++)
        // CHECK: live-out.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: a value computed in the nest is used after it (an assignment to a variable that other procedures may read; declare it in this one)
        for (int j = 1; j < 39; j++) {
            sum = a[40 * i + j - 1] + a[40 * i + j + 1];
            mean[i][j] = sum / 2;
        }
}
