/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * What clang makes of HIP-like C: blockDim from the implicit arguments, LDS, fences around the barrier,
 * private arrays in address space 5, DPP and ds_bpermute; waves of 64 and 32.
 * RUN: %clang -O2 --target=amdgcn-amd-amdhsa -mcpu=gfx942 -nogpulib -emit-llvm -S %s -o %t.2.ll
 * RUN: %clang -O0 --target=amdgcn-amd-amdhsa -mcpu=gfx942 -nogpulib -emit-llvm -S %s -o %t.0.ll
 * RUN: %stencil-sim %t.2.ll --kernel plain --grid 4 --block 128 --arg buf:f32:512:zero --arg buf:f32:512:rand=2 --hash 0 > %t.1
 * RUN: %stencil-sim %t.2.ll --kernel tiled --grid 4 --block 128 --arg buf:f32:512:zero --arg buf:f32:512:rand=2 --hash 0 > %t.2
 * RUN: %stencil-sim %t.0.ll --kernel tiled --grid 4 --block 128 --arg buf:f32:512:zero --arg buf:f32:512:rand=2 --hash 0 > %t.3
 * RUN: diff %t.1 %t.2 && diff %t.1 %t.3
 * RUN: %stencil-sim %t.2.ll --kernel lanes --grid 1 --block 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s
 * RUN: %stencil-sim %t.0.ll --kernel lanes --grid 1 --block 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s
 * RUN: %stencil-sim %t.2.ll --kernel lanes --grid 1 --block 64 --wave 32 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=W32
 * CHECK: {{^}}1 2 103 204 {{.*}} 1315 1416 1617 1618 1719 {{.*}} 2830 2931 3032 3233
 * W32: {{^}}1 2 103 {{.*}} 2830 2931 3000 3233 3234
 */
#define GLOBAL __attribute__((address_space(1)))
#define LDS __attribute__((address_space(3)))

static int global_id(void)
{
    return __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +
           __builtin_amdgcn_workitem_id_x();
}

__attribute__((amdgpu_kernel)) void plain(GLOBAL float *out, GLOBAL const float *in)
{
    int i = global_id(), t = __builtin_amdgcn_workitem_id_x();
    out[i] = in[t > 0 ? i - 1 : i] + in[t < 127 ? i + 1 : i];
}

__attribute__((amdgpu_kernel)) void tiled(GLOBAL float *out, GLOBAL const float *in)
{
    static LDS float s[128];
    int i = global_id(), t = __builtin_amdgcn_workitem_id_x();
    float neighbours[2];
    s[t] = in[i];
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    for (int k = 0; k < 2; ++k)
        neighbours[k] = s[k ? (t < 127 ? t + 1 : t) : (t > 0 ? t - 1 : t)];
    out[i] = neighbours[0] + neighbours[1];
}

/* 100 times the lane before, within rows of 16 (0 at their start is the lane's own), plus the next lane
 * of the wave, round about. */
__attribute__((amdgpu_kernel)) void lanes(GLOBAL int *out)
{
    int t = __builtin_amdgcn_workitem_id_x();
    int lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
    int before = __builtin_amdgcn_update_dpp(t, t, 0x111, 0xf, 0xf, 0);
    int after = __builtin_amdgcn_ds_bpermute((lane + 1) * 4, t);
    out[t] = 100 * before + after;
}
