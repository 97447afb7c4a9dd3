// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang's CUDA at -O2 and -O0: a five-point stencil through a scratchpad tile equals the plain one.
// REQUIRES: cuda-toolkit
// RUN: %clang -O2 -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-path=/usr/local/cuda -Wno-unknown-cuda-version -emit-llvm -S %s -o %t.2.ll
// RUN: %clang -O0 -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-path=/usr/local/cuda -Wno-unknown-cuda-version -emit-llvm -S %s -o %t.0.ll
// RUN: %stencil-sim %t.2.ll --kernel plain --grid 4,13 --block 32,8 --arg buf:f32:12000:zero --arg buf:f32:12000:rand=3 --arg i32:120 --arg i32:100 --hash 0 > %t.plain
// RUN: %stencil-sim %t.2.ll --kernel tiled --grid 4,13 --block 32,8 --arg buf:f32:12000:zero --arg buf:f32:12000:rand=3 --arg i32:120 --arg i32:100 --hash 0 > %t.tiled
// RUN: %stencil-sim %t.0.ll --kernel tiled --grid 4,13 --block 32,8 --arg buf:f32:12000:zero --arg buf:f32:12000:rand=3 --arg i32:120 --arg i32:100 --hash 0 > %t.tiled0
// RUN: diff %t.plain %t.tiled && diff %t.plain %t.tiled0
// RUN: not %stencil-sim %t.2.ll --kernel hasty --grid 4,13 --block 32,8 --arg buf:f32:12000:zero --arg buf:f32:12000:rand=3 --arg i32:120 --arg i32:100 2>&1 | FileCheck %s
// CHECK: kernel 'hasty': scratchpad array {{.*}}: {{read of bytes that nobody wrote|data race}} at index

extern "C" __global__ void plain(float *out, const float *in, int nx, int ny)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    const float *c = in + y * nx + x;
    out[y * nx + x] = 0.2f * (c[0] + c[-1] + c[1] + c[-nx] + c[nx]);
}

template <bool Wait> __device__ void tile(float *out, const float *in, int nx, int ny)
{
    __shared__ float s[10][34];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    auto at = [&](int i, int j) { return in[min(max(j, 0), ny - 1) * nx + min(max(i, 0), nx - 1)]; };
    s[ty][tx] = at(x, y);
    if (tx == 1)
        s[ty][0] = at(x - 1, y);
    if (tx == 32)
        s[ty][33] = at(x + 1, y);
    if (ty == 1)
        s[0][tx] = at(x, y - 1);
    if (ty == 8)
        s[9][tx] = at(x, y + 1);
    if (Wait)
        __syncthreads();
    if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
        out[y * nx + x] =
            0.2f * (s[ty][tx] + s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx]);
    if (!Wait)
        __syncthreads();
}
extern "C" __global__ void tiled(float *out, const float *in, int nx, int ny) { tile<true>(out, in, nx, ny); }
extern "C" __global__ void hasty(float *out, const float *in, int nx, int ny) { tile<false>(out, in, nx, ny); }
