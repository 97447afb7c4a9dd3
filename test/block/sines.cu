// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// Sines and cosines of the toolkit, which have loops for large arguments: they are inlined behind the passes, where nobody
// calls them in a loop. In these kernels, if they stay as they are, the code is what it is without the plugin.
// RUN: %clang -x cuda --cuda-device-only --cuda-path=%toolkit --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version -O3 \
// RUN:   -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -S %s -o %t.s 2>&1 | grep remark | FileCheck %s
// RUN: %clang -x cuda --cuda-device-only --cuda-path=%toolkit --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version -O3 -S %s -o %t.plain.s
// RUN: grep -v '^//' %t.s > %t.s.bare && grep -v '^//' %t.plain.s > %t.plain.bare && cmp %t.s.bare %t.plain.bare
// RUN: env STENCILOPT_CACHE=l1 %clang -x cuda --cuda-device-only --cuda-path=%toolkit --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version -O3 \
// RUN:   -fpass-plugin=%plugin -Rpass=stencil -S %s -o %t.blocked.s 2>&1 | FileCheck %s --check-prefix=BLOCKED
// RUN: not grep -E 'call.*__nv_' %t.blocked.s
#define PLACE                                                                                      \
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;      \
    if (x < 1 || y < 1 || x >= n - 1 || y >= m - 1)                                                \
        return;                                                                                    \
    int i = y * n + x
#define KERNEL extern "C" __global__ void

// CHECK: kernel left as it is: nothing is gained by blocking it ({{.*}}sines and the like
// BLOCKED: remark: kernel blocked: 2-D stencil, 5 cells read, f32
KERNEL waves(const float *a, float *b, int n, int m, float t) {
    PLACE;
    b[i] = a[i - 1] + a[i + 1] + a[i - n] + a[i + n] + sinf(a[i] * t) * cosf(a[i] * t);
}

// CHECK: kernel left as it is: nothing is gained by blocking it ({{.*}}sines and the like
// BLOCKED: remark: kernel blocked: 2-D stencil, 5 cells read, f64
KERNEL waves_in_double(const double *a, double *b, int n, int m, double t) {
    PLACE;
    b[i] = a[i - 1] + a[i + 1] + a[i - n] + a[i + n] + sin(a[i] * t);
}

// CHECK: kernel left as it is: {{.*}}not a stencil
KERNEL turned(const float2 *a, const float *t, float2 *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float c = cosf(t[i]), s = sinf(t[i]);
    if (i < n)
        b[i] = make_float2(c * a[i].x - s * a[i].y, s * a[i].x + c * a[i].y);
}

// CHECK: kernel left as it is: {{.*}}sin and cos have such an array
KERNEL in_a_loop(const float *a, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < 6; k++)
        s += tanf(a[i + k] * k);
    if (i < n)
        b[i] = s;
}
