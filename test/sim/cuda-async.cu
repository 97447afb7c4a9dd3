// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang's CUDA: a ring of asynchronous copies through the toolkit's pipeline primitives (inline
// assembly), dynamic scratchpad, and what happens when one wait is missing.
// REQUIRES: cuda-toolkit
// RUN: %clang -O2 -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-path=/usr/local/cuda -Wno-unknown-cuda-version -emit-llvm -S %s -o %t.ll
// RUN: %stencil-sim %t.ll --kernel plain --grid 2 --block 64 --arg buf:f32:8192:zero --arg buf:f32:8192:rand=5 --arg i32:64 --hash 0 > %t.1
// RUN: %stencil-sim %t.ll --kernel ring --grid 2 --block 64 --lds 4096 --arg buf:f32:8192:zero --arg buf:f32:8192:rand=5 --arg i32:64 --hash 0 > %t.2
// RUN: diff %t.1 %t.2
// RUN: not %stencil-sim %t.ll --kernel hasty --grid 2 --block 64 --lds 4096 --arg buf:f32:8192:zero --arg buf:f32:8192:rand=5 --arg i32:64 2>&1 | FileCheck %s
// RUN: not %stencil-sim %t.ll --kernel ring --grid 2 --block 64 --lds 1020 --arg buf:f32:8192:zero --arg buf:f32:8192:rand=5 --arg i32:64 2>&1 | FileCheck %s --check-prefix=SMALL
// CHECK: scratchpad array 'rows': read of bytes whose asynchronous copy was not waited for at index 0 (element), block (0,0,0), thread (0,0,0)
// SMALL: scratchpad array 'rows': asynchronous copy of 4 bytes at index 255 (element), 255 elements long, block (0,0,0), thread (63,0,0)
#include <cuda_pipeline_primitives.h>

extern __shared__ float rows[];

extern "C" __global__ void plain(float *out, const float *in, int n)
{
    int x = blockIdx.x * 64 + threadIdx.x;
    for (int y = 1; y < n - 1; ++y)
        out[y * 128 + x] = in[(y - 1) * 128 + x] + in[y * 128 + x] * 2 + in[(y + 1) * 128 + x];
}

template <int Left> __device__ void stream(float *out, const float *in, int n)
{
    int t = threadIdx.x, x = blockIdx.x * 64 + t;
    for (int y = 0; y < 4; ++y) {
        __pipeline_memcpy_async(&rows[y * 64 + t], &in[y * 128 + x], 4);
        __pipeline_commit();
    }
    float a = 0, b = 0;
    for (int y = 0; y < n; ++y) {
        __pipeline_wait_prior(Left);
        float c = rows[y % 4 * 64 + t];
        if (y >= 2)
            out[(y - 1) * 128 + x] = a + b * 2 + c;
        a = b, b = c;
        if (y + 4 < n)
            __pipeline_memcpy_async(&rows[y % 4 * 64 + t], &in[(y + 4) * 128 + x], 4);
        __pipeline_commit();
    }
}
extern "C" __global__ void ring(float *out, const float *in, int n) { stream<3>(out, in, n); }
extern "C" __global__ void hasty(float *out, const float *in, int n) { stream<4>(out, in, n); }
