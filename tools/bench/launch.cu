// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What launch.c runs on the device beside the kernels that it times.
#include "cuda.h"

typedef unsigned long count;

// splitmix64, as stencil-sim's rand=SEED; buffers that differ in their seeds differ in all values.
static inline __device__ count random_bits(count seed, count n) {
    count z = seed + (n + 1) * 0x9e3779b97f4a7c15ul;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ul;
    z = (z ^ z >> 27) * 0x94d049bb133111ebul;
    return z ^ z >> 31;
}

#define EACH(i, n)                                                                                 \
    for (count i = (count)blockIdx.x * blockDim.x + threadIdx.x; i < n;                            \
         i += (count)blockDim.x * gridDim.x)

KERNEL fill_f32(float *at, count n, count seed) {
    EACH(i, n) at[i] = (float)(random_bits(seed, i) >> 40) * 0x1p-24f;
}
KERNEL fill_f64(double *at, count n, count seed) {
    EACH(i, n) at[i] = (double)(random_bits(seed, i) >> 11) * 0x1p-53;
}
KERNEL fill_i32(int *at, count n, count seed) {
    EACH(i, n) at[i] = (int)(random_bits(seed, i) >> 56);
}
KERNEL compare(const unsigned *a, const unsigned *b, count n, unsigned *differing) {
    EACH(i, n) if (a[i] != b[i]) __atomic_fetch_add(differing, 1u, __ATOMIC_RELAXED);
}
