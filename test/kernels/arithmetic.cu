// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic that LLVM has as intrinsics of the target, or as inline assembly: what the toolkits'
// mathematical functions are made of. (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 2 --runs 4 --targets sm_80,gfx90a --passes 'stencil-block<cache=l1;coarsen=2>' \
// RUN:   --passes 'stencil-block<cache=lds>' --expect changed %s
// types: float
#include "Inputs/cuda.h"

#define CELL                                                                                       \
    int x = blockIdx.x * blockDim.x + threadIdx.x;                                                 \
    int y = blockIdx.y * blockDim.y + threadIdx.y;                                                 \
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)                                              \
        return;                                                                                    \
    const T *c = a + y * nx + x;                                                                   \
    T sum = c[-1] + c[1] + c[-nx] + c[nx], own = c[0]

#ifdef __HIP__
#define ABS(x) __builtin_fabsf(x)
#define RECIPROCAL(x) __builtin_amdgcn_rcpf(x)
#define ROOT(x) __builtin_amdgcn_sqrtf(x)
#define HALVES(x, y) __builtin_amdgcn_fmed3f(x, y, 0.5f)
#else
#define ABS(x) __nvvm_fabs_f(x)
#define RECIPROCAL(x) reciprocal(x)
#define ROOT(x) __nvvm_rsqrt_approx_f(x)
#define HALVES(x, y) (__nvvm_saturate_f(x) + __nvvm_mul_rn_f(x, y))

// clang says of all inline assembly that it may exchange values of threads
static inline __device__ float reciprocal(float x) {
    float y;
    asm("rcp.approx.ftz.f32 %0,%1;" : "=f"(y) : "f"(x));
    return y;
}
#endif

// absolute: a b nx ny; threads nx,ny
KERNEL absolute(const T *a, T *b, int nx, int ny) {
    CELL;
    b[y * nx + x] = ABS(sum) - own;
}

// reciprocals: a b nx ny; threads nx,ny
KERNEL reciprocals(const T *a, T *b, int nx, int ny) {
    CELL;
    b[y * nx + x] = own > 0 ? RECIPROCAL(sum) : own - sum;
}

// two_operands: a b nx ny w=0.3; threads nx,ny
KERNEL two_operands(const T *a, T *b, int nx, int ny, T w) {
    CELL;
    b[y * nx + x] = HALVES(sum, own) * ROOT(ABS(w));
}

static __device__ __attribute__((noinline)) T flux(T x, T y) {
    return x < y ? x * (y - x) : x / (y + C(2));
}

// With inline assembly in it the function keeps the mark that it is convergent.
static __device__ __attribute__((noinline)) T slope(T x, T y) {
    return x < y ? RECIPROCAL(x) * (y - x) : RECIPROCAL(y + C(2));
}

// marked_function: a b nx ny; threads nx,ny
KERNEL marked_function(const T *a, T *b, int nx, int ny) {
    CELL;
    b[y * nx + x] = slope(c[-1], own) + slope(c[1], sum);
}

// own_function: a b nx ny; threads nx,ny
KERNEL own_function(const T *a, T *b, int nx, int ny) {
    CELL;
    b[y * nx + x] = flux(sum, own) - flux(own, sum);
}
