// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On NVPTX a struct passed by value is the thread's own memory, and the kernel may change it: what it holds at the
// start is not what a later division takes. (A struct of one field: clang passes it to AMD's GPUs as the field.)
// RUN: %differ --targets sm_80 --levels 1,2 --runs 8 --passes 'stencil-remap<column=4>' %s
// RUN: %differ --targets sm_80 --levels 1 --runs 8 --late --passes 'stencil-remap<column=4>' --passes 'stencil-block<vector=4>' %s
// types: int float
#include "../kernels/Inputs/cuda.h"

struct width {
    int nx;
};

// halved: b a { nx } ny; threads nx*ny
KERNEL halved(T *out, const T *in, struct width g, int ny) {
    int total = g.nx * ny;
    if (g.nx > 9)
        g.nx = g.nx / 2;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < total) {
        int x = i % g.nx, y = i / g.nx;
        out[i] = in[i] * (T)x + (T)y;
    }
}

// kept_elsewhere: b a { nx } ny; threads nx*ny
KERNEL kept_elsewhere(T *out, const T *in, struct width g, int ny) {
    int total = g.nx * ny;
    *(volatile int *)&g.nx = g.nx / 2 + 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < total) {
        int x = i % g.nx, y = i / g.nx;
        out[i] = in[i] * (T)x + (T)y;
    }
}
