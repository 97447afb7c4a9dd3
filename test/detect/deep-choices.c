// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index behind many choices, each of which depends on the one before, is refused soon. On each of their ways it would
// take years.
// RUN: %clang -O1 -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
#define NEXT x = x + 1 < n ? x + 1 : x > m ? x - m : m - x;
#define FOUR NEXT NEXT NEXT NEXT

void deep(int n, int m, float *a, float *b) {
    // CHECK: deep-choices.c:[[#@LINE+2]]:9: remark: loop nest not offloaded: the address of an array access is not a linear function
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int x = j;
            FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR
            b[(long)i * n + j] = a[(long)i * n + x] + a[(long)(i - 1) * n + j];
        }
}
