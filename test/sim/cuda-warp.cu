// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang's CUDA: neighbours by shuffle, in float and double (two words), votes and a warp reduction.
// REQUIRES: cuda-toolkit
// RUN: %clang -O2 -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-path=/usr/local/cuda -Wno-unknown-cuda-version -emit-llvm -S %s -o %t.ll
// RUN: %stencil-sim %t.ll --kernel plain --grid 8 --block 64 --arg buf:f64:512:zero --arg buf:f64:512:rand=5 --hash 0 > %t.1
// RUN: %stencil-sim %t.ll --kernel shuffled --grid 8 --block 64 --arg buf:f64:512:zero --arg buf:f64:512:rand=5 --hash 0 > %t.2
// RUN: diff %t.1 %t.2
// RUN: %stencil-sim %t.ll --kernel votes --grid 1 --block 32 --arg buf:u32:5:zero --print 0 | tr '\n' ' ' | FileCheck %s
// CHECK: {{^}}496 1 0 4294901760 16 {{$}}

extern "C" __global__ void plain(double *out, const double *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    out[i] = in[lane ? i - 1 : i] + in[lane < 31 ? i + 1 : i] + (double)(float)in[i ^ 4];
}

extern "C" __global__ void shuffled(double *out, const double *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double c = in[i];
    double left = __shfl_up_sync(~0u, c, 1), right = __shfl_down_sync(~0u, c, 1);
    out[i] = left + right + (double)__shfl_xor_sync(~0u, (float)c, 4);
}

extern "C" __global__ void votes(unsigned *out)
{
    unsigned lane = threadIdx.x, sum = lane;
    for (int d = 16; d; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0)
        out[0] = sum;
    out[1] = __any_sync(~0u, lane == 31);
    out[2] = __all_sync(~0u, lane < 31);
    out[3] = __ballot_sync(~0u, lane > 15);
    out[4] = __popc(__match_any_sync(~0u, lane & 1));
}
