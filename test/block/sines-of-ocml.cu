// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ocml's functions do not ask to be inlined. Those whose inlining was put off are inlined where LLVM does it without the plugin.
// RUN: %clang -x hip --cuda-device-only --no-gpu-bundle-output -nogpuinc -nogpulib --offload-arch=gfx90a -O3 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -x hip --cuda-device-only --no-gpu-bundle-output -nogpuinc -nogpulib --offload-arch=gfx90a -O3 -S -emit-llvm \
// RUN:   -fpass-plugin=%plugin %s -o - | FileCheck %s
// CHECK: define {{.*}}@waves(
// CHECK-NOT: call {{.*}}@__ocml_

static __attribute__((device)) float reduced(float a, int n) asm("__ocml_reduced");
static __attribute__((device)) float reduced(float a, int n) {
    unsigned bits = (unsigned)(int)(a * 3) + (unsigned)n;
#pragma unroll 1
    for (int i = 0; i < 6; i++)
        bits ^= (bits * 2654435761u + (unsigned)i) >> 7;
    return (float)(bits & 255);
}

extern "C" __attribute__((global)) void waves(const float *a, float *b, int n) {
    int i = __builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x();
    if (i < n)
        b[i] = reduced(a[i], 1) + reduced(a[i + 1], n);
}
