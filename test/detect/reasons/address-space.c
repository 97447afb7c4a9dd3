// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 --target=x86_64-linux-gnu -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void reads(int n, const float __attribute__((address_space(256))) *a, float *b) {
    // CHECK: address-space.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the operation 'access to a numbered address space' is not supported
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
}
void writes(int n, const float *a, float __attribute__((address_space(257))) *b) {
    // CHECK: address-space.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the operation 'access to a numbered address space' is not supported
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
}
