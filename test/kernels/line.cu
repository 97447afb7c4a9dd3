// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One dimension. (differ.py says what the lines before the kernels mean.)
// RUN: %differ --levels 2 --runs 6 %s
// types: float double int; also short char
#include "Inputs/cuda.h"

// star1d1r: a b n; threads n
KERNEL star1d1r(const T *a, T *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        b[i] = C(0.25) * a[i - 1] + C(0.5) * a[i] + C(0.25) * a[i + 1];
}

// star1d3r: a b n; threads n
KERNEL star1d3r(const T *__restrict__ a, T *__restrict__ b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 3 || i >= n - 3)
        return;
    b[i] = C(0.1) * a[i - 3] + C(0.2) * a[i - 2] + C(0.3) * a[i - 1] + C(0.4) * a[i] +
           C(0.3) * a[i + 1] + C(0.2) * a[i + 2] + C(0.1) * a[i + 3];
}

// clamped1d: a b n; threads n
KERNEL clamped1d(const T *a, T *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    T sum = 0;
    for (int d = -3; d <= 3; d++)
        sum += C(0.1) * a[min(n - 1, max(0, i + d))];
    b[i] = sum;
}

// periodic1d: a b n; threads n
KERNEL periodic1d(const T *__restrict__ a, T *__restrict__ b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[(i + n - 1) % n] - C(0.7) * a[i] + a[(i + 1) % n];
}

// strided1d: a b n; threads n/3; strided
KERNEL strided1d(const T *a, T *b, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x + 1; i < n - 1; i += blockDim.x * gridDim.x)
        b[i] = C(0.25) * a[i - 1] + C(0.5) * a[i] + C(0.25) * a[i + 1];
}

// four1d: a b n; threads n/4
KERNEL four1d(const T *a, T *b, int n) {
    int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = first; i < first + 4; i++)
        if (i >= 1 && i < n - 1)
            b[i] = C(0.25) * a[i - 1] + C(0.5) * a[i] + C(0.25) * a[i + 1];
}

// unguarded1d: a[n+2] b[n+2] n; exactly n
KERNEL unguarded1d(const T *a, T *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    b[i] = a[i - 1] + a[i + 1] - C(0.5) * a[i];
}
