// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compute-sanitizer makes of barriers that some of a block's warps wait at.
//
//   nvcc -arch=sm_90 -O2 named-barriers.cu -o named-barriers
//   for w in block pairs mbarrier; do compute-sanitizer --tool racecheck ./named-barriers $w; done
//
// The warps of a block pass values to their neighbours in two buffers, which take turns: no race
// whether they wait for the whole block, for each neighbour at a named barrier of 64 threads, or
// for each at an mbarrier object of 64 arrivals. compute-sanitizer 2025.3 finds none in the first
// and the last, and reports hundreds with named barriers.
#include <cstdint>
#include <cstdio>
#include <cstring>

enum way { BLOCK, PAIRS, MBARRIER };

__device__ void wait_for_pair(way w, int number, uint64_t *barriers, int turn) {
    unsigned at = (unsigned)__cvta_generic_to_shared(&barriers[number]);
    if (w == PAIRS) {
        asm volatile("barrier.cta.sync %0, 64;" ::"r"(number) : "memory");
        return;
    }
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at) : "memory");
    asm volatile("{ .reg .pred p;\n"
                 "again: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n"
                 "@!p bra again; }" ::"r"(at),
                 "r"(turn)
                 : "memory");
}

template <way W> __global__ void pass_on(float *out, int steps) {
    __shared__ float given[2][8][32];
    __shared__ uint64_t barriers[9];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    if (W == MBARRIER && threadIdx.x < 9)
        asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(
                         (unsigned)__cvta_generic_to_shared(&barriers[threadIdx.x]))
                     : "memory");
    __syncthreads();
    float value = threadIdx.x;
    for (int i = 0; i < steps; i++) {
        given[i % 2][warp][lane] = value;
        if (W == BLOCK)
            __syncthreads();
        if (W != BLOCK && warp > 0)
            wait_for_pair(W, warp, barriers, i % 2);
        if (W != BLOCK && warp < warps - 1)
            wait_for_pair(W, warp + 1, barriers, i % 2);
        float before = warp > 0 ? given[i % 2][warp - 1][lane] : 0;
        float after = warp < warps - 1 ? given[i % 2][warp + 1][lane] : 0;
        value = 0.5f * value + 0.25f * (before + after);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    float *there, here[1024], sum = 0;
    cudaMalloc(&there, sizeof here);
    if (!strcmp(way, "block"))
        pass_on<BLOCK><<<4, 256>>>(there, 37);
    else if (!strcmp(way, "pairs"))
        pass_on<PAIRS><<<4, 256>>>(there, 37);
    else if (!strcmp(way, "mbarrier"))
        pass_on<MBARRIER><<<4, 256>>>(there, 37);
    else
        return fprintf(stderr, "named-barriers block|pairs|mbarrier\n"), 2;
    cudaMemcpy(here, there, sizeof here, cudaMemcpyDeviceToHost);
    for (float v : here)
        sum += v;
    printf("%s: %s, sum %.3f\n", way, cudaGetErrorString(cudaGetLastError()), sum);
    return 0;
}
