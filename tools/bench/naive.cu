/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Times naive CUDA kernels, one thread a cell: naive SIZE2 SIZE3 STEPS [NAME...]
 *
 * For each case linked in (or named), in float and double: extents SIZE2 x SIZE2, in 1-D as
 * many cells in a row, or SIZE3 cubed, halo included; STEPS launches that swap two buffers, a
 * warm-up, then five times between events. Prints "NAME TYPE GCELLS_PER_SECOND", from the median.
 */
#include "naive.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

enum { TIMES = 5 };

naive_case *naive_case::first = nullptr;

static void check(cudaError_t status, const char *what) {
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "naive: %s: %s\n", what, cudaGetErrorString(status));
    exit(1);
}

template <typename REAL> __global__ void fill(REAL *at, size_t count, uint64_t seed) {
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t e = (size_t)blockIdx.x * blockDim.x + threadIdx.x; e < count; e += stride) {
        uint64_t x = (e + seed) * 0x9E3779B97F4A7C15u;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
        at[e] = (REAL)((x ^ (x >> 27)) >> 40) / (REAL)(1 << 24);
    }
}

static float milliseconds(const naive_case &c, const void *kernel, void *a, void *b, int size,
                          int steps) {
    int extents[3] = {size, size, size};
    dim3 block = c.rank == 3 ? dim3(32, 4, 2) : c.rank == 2 ? dim3(32, 8, 1) : dim3(256, 1, 1);
    unsigned cells[3] = {1, 1, 1}; /* x, y, z */
    for (int d = 0; d < c.rank; d++)
        cells[c.rank - 1 - d] = size - c.low.of[d] - c.high.of[d];
    dim3 grid((cells[0] + block.x - 1) / block.x, (cells[1] + block.y - 1) / block.y,
              (cells[2] + block.z - 1) / block.z);
    cudaEvent_t start, stop;
    check(cudaEventCreate(&start), "event");
    check(cudaEventCreate(&stop), "event");
    check(cudaEventRecord(start), "event");
    for (int t = 0; t < steps; t++) {
        void *arguments[] = {&b, &a, &extents[0], &extents[1], &extents[2]};
        check(cudaLaunchKernel(kernel, grid, block, arguments, 0, 0), c.name);
        std::swap(a, b);
    }
    check(cudaEventRecord(stop), "event");
    check(cudaEventSynchronize(stop), c.name);
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start, stop), "event");
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    return ms;
}

template <typename REAL> static void run(const naive_case &c, int type, int size, int steps) {
    size_t count = 1;
    double cells = 1;
    for (int d = 0; d < c.rank; d++) {
        count *= size;
        cells *= size - c.low.of[d] - c.high.of[d];
    }
    REAL *a, *b;
    check(cudaMalloc(&a, count * sizeof(REAL)), "memory");
    check(cudaMalloc(&b, count * sizeof(REAL)), "memory");
    fill<<<1024, 256>>>(a, count, 1);
    fill<<<1024, 256>>>(b, count, 1 + count);
    float times[TIMES];
    milliseconds(c, c.kernels[type], a, b, size, 2);
    for (float &ms : times)
        ms = milliseconds(c, c.kernels[type], a, b, size, steps);
    std::sort(times, times + TIMES);
    printf("%s %s %.2f\n", c.name, type ? "double" : "float",
           cells * steps / (times[TIMES / 2] * 1e6));
    fflush(stdout);
    check(cudaFree(a), "memory");
    check(cudaFree(b), "memory");
}

static bool wanted(const char *name, int argc, char **argv) {
    for (int k = 4; k < argc; k++)
        if (!strcmp(argv[k], name))
            return true;
    return argc <= 4;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: %s SIZE2 SIZE3 STEPS [NAME...]\n", argv[0]);
        return 2;
    }
    int steps = atoi(argv[3]);
    for (naive_case *c = naive_case::first; c; c = c->next)
        if (wanted(c->name, argc, argv)) {
            int size = atoi(argv[c->rank == 3 ? 2 : 1]);
            size *= c->rank == 1 ? size : 1;
            run<float>(*c, 0, size, steps);
            run<double>(*c, 1, size, steps);
        }
}
