// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sweep of some steps, where each step calls what is not known: the call is the cause.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
void log_value(double x);
void guarded(int n, int steps, float *restrict a, float *restrict b) {
    for (int t = 0; t < steps; t++) {
        if ((t * t + n) % 7 == 1)
            // CHECK: called-in-steps.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep {{.*}}(sweep 1 of 2, line {{[0-9]+}}: the loop nest calls log_value,
            // CHECK: called-in-steps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil
            for (int i = 1; i < n - 1; i++)
                b[i] = 0.25f * (a[i - 1] + a[i + 1]);
        // CHECK: called-in-steps.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep {{.*}}(sweep 1 of 2, line {{[0-9]+}}: the loop nest calls log_value,
        // CHECK: called-in-steps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i - 1] + b[i + 1];
        log_value(a[5]);
    }
}
