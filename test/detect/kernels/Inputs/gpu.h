// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CUDA's and HIP's headers declare, as far as these tests need it.
#pragma once
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __device__ __attribute__((device))
#define KERNEL extern "C" __global__ void
#ifdef __HIP__
#define TX __builtin_amdgcn_workitem_id_x()
#define TY __builtin_amdgcn_workitem_id_y()
#define TZ __builtin_amdgcn_workitem_id_z()
#define BX __builtin_amdgcn_workgroup_id_x()
#define BY __builtin_amdgcn_workgroup_id_y()
#define BZ __builtin_amdgcn_workgroup_id_z()
#define WX __builtin_amdgcn_workgroup_size_x()
#define WY __builtin_amdgcn_workgroup_size_y()
#define WZ __builtin_amdgcn_workgroup_size_z()
typedef const unsigned __attribute__((address_space(4))) *launch_sizes;
#define GX (((launch_sizes)__builtin_amdgcn_implicitarg_ptr())[0])
#define GY (((launch_sizes)__builtin_amdgcn_implicitarg_ptr())[1])
#define BARRIER __builtin_amdgcn_s_barrier()
#else
#define TX __nvvm_read_ptx_sreg_tid_x()
#define TY __nvvm_read_ptx_sreg_tid_y()
#define TZ __nvvm_read_ptx_sreg_tid_z()
#define BX __nvvm_read_ptx_sreg_ctaid_x()
#define BY __nvvm_read_ptx_sreg_ctaid_y()
#define BZ __nvvm_read_ptx_sreg_ctaid_z()
#define WX __nvvm_read_ptx_sreg_ntid_x()
#define WY __nvvm_read_ptx_sreg_ntid_y()
#define WZ __nvvm_read_ptx_sreg_ntid_z()
#define GX __nvvm_read_ptx_sreg_nctaid_x()
#define GY __nvvm_read_ptx_sreg_nctaid_y()
#define BARRIER __nvvm_bar_sync(0)
#endif
