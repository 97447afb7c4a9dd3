// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// A function that LLVM may inline or not calls sines: whether it does depends on the function's size. So these sines are
// inlined as without the plugin, and the code is the same.
// RUN: %clang -x cuda --cuda-device-only --cuda-path=%toolkit --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version -O3 \
// RUN:   -fpass-plugin=%plugin -Rpass-missed=stencil -S %s -o %t.s 2>&1 | grep remark | FileCheck %s
// RUN: %clang -x cuda --cuda-device-only --cuda-path=%toolkit --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version -O3 -S %s -o %t.plain.s
// RUN: grep -v '^//' %t.s > %t.s.bare && grep -v '^//' %t.plain.s > %t.plain.bare && cmp %t.s.bare %t.plain.bare

__device__ double wave(double a) {
    double s, c;
    sincos(a, &s, &c);
    return s * pow(a, c) + tgamma(a) + j0(a);
}

// CHECK: kernel left as it is
extern "C" __global__ void waves(const double *a, double *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = wave(a[i]) + wave(a[i + 1]) + sin(a[i]);
}
