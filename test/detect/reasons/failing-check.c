// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A check of an index that ends the program is told apart from other ways out of a loop.
// RUN: %clang -O2 -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
void step(double *a, double *b, long h, long w, unsigned long n) {
    for (long i = 1; i < h - 1; i++)
        for (long j = 1; j < w - 1; j++) {
            if ((unsigned long)(i * w + j) >= n)
                __builtin_trap();
            // CHECK: remark: loop nest not offloaded: a check in it ends the program where it fails (an index out of range, an assertion); make the check before the loops, and access elements without checks
            b[i * w + j] = a[i * w + j - 1] + a[i * w + j + 1];
        }
}
