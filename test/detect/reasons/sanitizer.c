// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -fsanitize=address -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int n, const float *a, float *b) {
    // CHECK: sanitizer.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the function is compiled with a sanitizer (sanitize_address), which would not see what the GPU accesses
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
}
