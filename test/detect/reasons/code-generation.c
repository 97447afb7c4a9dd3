// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device library that cannot be read leaves the loop as it was, and the compiler alive.
// RUN: rm -rf %t && mkdir -p %t/nvvm/libdevice && echo none > %t/nvvm/libdevice/libdevice.10.bc
// RUN: env CUDA_PATH=%t %clang -O2 -ffast-math -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int n, const float *a, float *b) {
    // CHECK: code-generation.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: GPU code could not be generated: {{.*}}libdevice.10.bc is not LLVM bitcode
    for (int i = 1; i < n - 1; i++)
        b[i] = __builtin_expf(a[i - 1]) + a[i + 1];
}
