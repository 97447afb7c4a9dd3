// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=NotInlined --implicit-check-not='the loop calls' %s
// A loop that calls a sweep which is not inlined; not one that calls a whole time loop, nor a call without a loop.
#define NOINLINE __attribute__((noinline))
NOINLINE void sweep(int n, const float *a, float *b) {
    for (int i = 1; i < n - 1; i++)
        b[i] = 0.5f * (a[i - 1] + a[i + 1]);
}
NOINLINE void steps(int n, int count, float *a, float *b) {
    for (int t = 0; t < count; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        float *was = a;
        a = b;
        b = was;
    }
}
void run(int n, int count, float *a, float *b) {
    sweep(n, b, a);
    // CHECK: not-inlined.c:[[#@LINE+1]]:{{[0-9]+}}: remark: time loop not offloaded: the loop calls sweep, which makes one sweep and is not inlined
    for (int t = 0; t < count; t++) {
        sweep(n, a, b);
        float *was = a;
        a = b;
        b = was;
    }
    for (int r = 0; r < 9; r++)
        steps(n, count, a, b);
}
