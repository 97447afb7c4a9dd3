// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: env CUDA_PATH=%T PATH=/nowhere %clang -O2 -ffast-math -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

// No toolkit must be where the plugin looks by itself.
// UNSUPPORTED: cuda-toolkit
void f(int n, const float *a, float *b) {
    // CHECK: libdevice.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: 'exp' needs the CUDA toolkit's libdevice, which was not found; set CUDA_PATH to the toolkit's folder
    for (int i = 1; i < n - 1; i++)
        b[i] = __builtin_expf(a[i - 1]) + a[i + 1];
}
