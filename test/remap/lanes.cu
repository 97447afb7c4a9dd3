// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose threads get values from other lanes, or ask where they run: in another order they would get others.
// Each is left as it is by both passes, whatever an option asks for, and said to be. Those at the end only compute.
// RUN: %clang %cuda -O2 %s -o - | %early -o %t.nv.ll
// RUN: %clang %hip -O2 %s -o - | %early -o %t.amd.ll
// RUN: %opt -passes='stencil-remap<column=32>' -pass-remarks=stencil -pass-remarks-missed=stencil -S -o %t.nv.remap.ll %t.nv.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,NV
// RUN: %opt -passes='stencil-remap<column=32>' -pass-remarks=stencil -pass-remarks-missed=stencil -S -o %t.amd.remap.ll %t.amd.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,AMD
// RUN: %opt -passes=stencil-block -pass-remarks-missed=stencil -disable-output %t.nv.ll 2>&1 | FileCheck %s --check-prefix=NV
// RUN: %opt -passes=stencil-block -pass-remarks-missed=stencil -disable-output %t.amd.ll 2>&1 | FileCheck %s --check-prefix=AMD
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#ifdef __HIP__
#define TX __builtin_amdgcn_workitem_id_x()
#define BX __builtin_amdgcn_workgroup_id_x()
#define WX __builtin_amdgcn_workgroup_size_x()
#else
#define TX __nvvm_read_ptx_sreg_tid_x()
#define BX __nvvm_read_ptx_sreg_ctaid_x()
#define WX __nvvm_read_ptx_sreg_ntid_x()
#endif
#define K(name, value)                                                                                                 \
    extern "C" __global__ void name(const int *__restrict__ a, int *__restrict__ b, unsigned nx, unsigned ny) {         \
        unsigned i = BX * WX + TX, x = i % nx, y = i / nx;                                                              \
        if (x > 0 && x + 1 < nx && y < ny) {                                                                            \
            int v = a[i - 1] + a[i + 1];                                                                                \
            b[i] = (int)(value);                                                                                        \
        }                                                                                                               \
    }
#ifdef __HIP__
// AMD: its threads already work together (exchanging values between lanes)
K(ballot, __builtin_amdgcn_ballot_w64(v > 0))
// AMD: exchanging values between lanes
K(compared, __builtin_amdgcn_uicmp(v, 7, 33))
// AMD: exchanging values between lanes
K(compared_floats, __builtin_amdgcn_fcmpf((float)v, 7.0f, 1))
// AMD: exchanging values between lanes
K(first, __builtin_amdgcn_readfirstlane(v))
// AMD: exchanging values between lanes
K(one, __builtin_amdgcn_readlane(v, 5))
// AMD: exchanging values between lanes
K(swizzled, __builtin_amdgcn_ds_swizzle(v, 0x041F))
// AMD: exchanging values between lanes
K(fetched, __builtin_amdgcn_ds_bpermute((int)i * 4, v))
// AMD: exchanging values between lanes
K(sent, __builtin_amdgcn_ds_permute((int)i * 4, v))
// AMD: exchanging values between lanes
K(shifted, __builtin_amdgcn_update_dpp(0, v, 0x138, 15, 15, false))
// AMD: exchanging values between lanes
K(moved, __builtin_amdgcn_mov_dpp(v, 0x130, 15, 15, true))
// AMD: exchanging values between lanes
K(reduced, __builtin_amdgcn_wave_reduce_add_u32((unsigned)v, 0))
// AMD: it asks where or when a thread runs (llvm.amdgcn.mbcnt.{{lo|hi}}), and would get another answer from another thread
K(lane, v + __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)))
// AMD: it asks where or when a thread runs (llvm.amdgcn.s.getreg)
K(processor, v + __builtin_amdgcn_s_getreg(0xF804))
// AMD: it asks where or when a thread runs (llvm.amdgcn.s.memtime)
K(now, v + (int)__builtin_amdgcn_s_memtime())
// AMD: its threads already work together (at barriers)
K(in_step, (__builtin_amdgcn_wave_barrier(), v))
#else
// NV: its threads already work together (exchanging values between lanes)
K(shuffled, __nvvm_shfl_sync_idx_i32(~0u, v, 3, 31))
// NV: exchanging values between lanes
K(ballot, __nvvm_vote_ballot_sync(~0u, v > 0))
// NV: exchanging values between lanes
K(any, __nvvm_vote_any_sync(~0u, v > 0))
// NV: exchanging values between lanes
K(alike, __nvvm_match_any_sync_i32(~0u, v))
// NV: exchanging values between lanes
K(reduced, __nvvm_redux_sync_add(v, ~0u))
// NV: exchanging values between lanes
K(active, v + __nvvm_activemask())
// NV: it asks where or when a thread runs (llvm.nvvm.read.ptx.sreg.laneid), and would get another answer from another thread
K(lane, v + __nvvm_read_ptx_sreg_laneid())
// NV: it asks where or when a thread runs (llvm.nvvm.read.ptx.sreg.lanemask.lt)
K(before, v + __nvvm_read_ptx_sreg_lanemask_lt())
// NV: it asks where or when a thread runs (llvm.nvvm.read.ptx.sreg.warpid)
K(warp, v + __nvvm_read_ptx_sreg_warpid())
// NV: it asks where or when a thread runs (llvm.nvvm.read.ptx.sreg.smid)
K(processor, v + __nvvm_read_ptx_sreg_smid())
// NV: it asks where or when a thread runs (llvm.nvvm.read.ptx.sreg.clock)
K(now, v + __nvvm_read_ptx_sreg_clock())
// NV: its threads already work together (at barriers)
K(in_step, (__nvvm_bar_warp_sync(~0u), v))
#endif
// CHECK: it calls {{.*}}unknown{{.*}}, which may exchange values with other threads or wait for them: the call is marked convergent
__device__ __attribute__((const)) int unknown(int);
K(may_exchange, unknown(v))
// CHECK: it calls {{.*}}outside{{.*}}, which is not known to be free of side effects
__device__ int outside(int);
K(may_write, outside(v))
// CHECK: thread order: columns of 32
// CHECK: thread order: columns of 32
#ifdef __HIP__
K(between, __builtin_amdgcn_fmed3f((float)v, 1.0f, 9.0f))
K(width, v + (int)__builtin_amdgcn_wavefrontsize())
#else
K(between, __nvvm_fma_rn_f((float)v, 3.0f, 1.0f))
K(width, v + __nvvm_read_ptx_sreg_warpsize())
#endif
// CHECK-NOT: remark
