// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same program gives the same kernels, wherever the compiler's memory and stack lie: their addresses differ from run
// to run, and a longer environment moves the stack.
// RUN: rm -rf %t && mkdir %t && env STENCILOPT_CODE=0 STENCILOPT_SAVE_TEMPS=%t/1 %clang -O2 -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: env A=0123456789012345678901234567890123456789 STENCILOPT_CODE=0 STENCILOPT_SAVE_TEMPS=%t/2 %clang -O2 -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: env A=0123 B=45678901234567890 STENCILOPT_CODE=0 STENCILOPT_SAVE_TEMPS=%t/3 %clang -O2 -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: env STENCILOPT_CODE=0 STENCILOPT_SAVE_TEMPS=%t/4 %clang -O2 -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: diff -r %t/1 %t/2
// RUN: diff -r %t/1 %t/3
// RUN: diff -r %t/1 %t/4
// Two cells of a thread have rows in common, and sums within them. What they have in common is found.
// RUN: FileCheck %s < %t/1/blur.0.plan
// CHECK: of large grids a thread has {{[24]}}x{{[24]}}x1 cells

void blur(int n, int steps, unsigned char A[2][n][n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[(t + 1) % 2][i][j] =
                    (unsigned char)((A[t % 2][i - 1][j - 1] + A[t % 2][i - 1][j] + A[t % 2][i - 1][j + 1] +
                                     A[t % 2][i][j - 1] + A[t % 2][i][j] + A[t % 2][i][j + 1] +
                                     A[t % 2][i + 1][j - 1] + A[t % 2][i + 1][j] + A[t % 2][i + 1][j + 1]) /
                                    9);
}
