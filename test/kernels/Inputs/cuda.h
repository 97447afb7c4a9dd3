// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What users' kernels take from CUDA's and HIP's headers. T is the cells' type, given by -DT=TYPE.
#pragma once
#include "../../detect/kernels/Inputs/gpu.h"

#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

#define SPECIAL(name, x_, y_, z_)                                                                  \
    struct name##_type {                                                                           \
        __declspec(property(get = get_x)) unsigned x;                                              \
        __declspec(property(get = get_y)) unsigned y;                                              \
        __declspec(property(get = get_z)) unsigned z;                                              \
        static inline __device__ unsigned get_x() { return x_; }                                   \
        static inline __device__ unsigned get_y() { return y_; }                                   \
        static inline __device__ unsigned get_z() { return z_; }                                   \
    };                                                                                             \
    extern const __device__ __attribute__((weak)) name##_type name
SPECIAL(threadIdx, TX, TY, TZ);
SPECIAL(blockIdx, BX, BY, BZ);
SPECIAL(blockDim, WX, WY, WZ);
#undef SPECIAL
struct gridDim_type {
    __declspec(property(get = get_x)) unsigned x;
    __declspec(property(get = get_y)) unsigned y;
    static inline __device__ unsigned get_x() { return GX; }
    static inline __device__ unsigned get_y() { return GY; }
};
extern const __device__ __attribute__((weak)) gridDim_type gridDim;

static inline __device__ int min(int a, int b) { return a < b ? a : b; }
static inline __device__ int max(int a, int b) { return a > b ? a : b; }

#ifdef __HIP__ /* in CUDA it is the compiler's own */
static inline __device__ void __syncthreads() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#endif

// A coefficient; in sixteenths where cells are integers.
#define C(c) ((T)((T)0.5 ? (c) : (c) * 16))
