/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is known of GPUs, for estimates: plain data, which the compiler and the runtime share.
 *
 * Sources: the makers' data sheets (processors, clock, 85 % of the bandwidth, for that is what a
 * copy reaches) and the CUDA C++ Programming Guide, "Technical Specifications" (double_rate,
 * scratchpad). sm_90's bandwidth was measured: a copy on an H200.
 */
#ifndef STENCILOPT_GPUS_H
#define STENCILOPT_GPUS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct gpu_facts {
    int capability;                      /* sm_ and this number; those between two are the first */
    double processors, clock, bandwidth; /* SMs, Hz, bytes a second read and written */
    double double_rate;                  /* FP64 instructions to FP32's */
    int scratchpad;                      /* bytes an SM */
    bool copies;                         /* to scratchpad, asynchronously */
    double registers;                    /* a kernel's, to what ptxas takes for it */
} gpu_facts;

static const gpu_facts gpu_table[] = {
    {75, 40, 1.59e9, 0.27e12, 1.0 / 32, 64 << 10, false, 1},  /* T4: 320 GB/s */
    {80, 108, 1.41e9, 1.3e12, 0.5, 164 << 10, true, 1},       /* A100 40 GB: 1555 */
    {86, 84, 1.74e9, 0.59e12, 1.0 / 64, 100 << 10, true, 1},  /* A40: 696 */
    {89, 142, 2.49e9, 0.73e12, 1.0 / 64, 100 << 10, true, 1}, /* L40: 864 */
    {90, 132, 1.98e9, 4.23e12, 0.5, 227 << 10, true, 1},      /* H200: 4800 */
    {100, 148, 1.85e9, 6.8e12, 0.5, 227 << 10, true, 1},      /* B200: 8000 */
    {120, 170, 2.41e9, 1.5e12, 1.0 / 64, 100 << 10, true, 1}, /* RTX 5090: 1792 */
};

/* AMD's, from its data sheets. A compute unit issues half as much a cycle as an SM: two are one
 * processor here, with the registers and the scratchpad of an SM, which is less than they have. How
 * many registers the back end takes: tools/bench/amdgpu. Nothing else of this is measured. */
static const struct gpu_amd {
    const char *arch;
    gpu_facts facts;
} gpu_amd_table[] = {
    {"gfx90a", {0, 52, 1.7e9, 1.39e12, 1, 64 << 10, false, 1.1}},          /* MI210: 1638 GB/s */
    {"gfx942", {0, 152, 2.1e9, 4.5e12, 0.5, 64 << 10, false, 1.1}},        /* MI300X: 5300 */
    {"gfx950", {0, 128, 2.4e9, 6.8e12, 0.5, 64 << 10, false, 1.1}},        /* MI355X: 8000 */
    {"gfx1030", {0, 40, 2.25e9, 0.44e12, 1.0 / 16, 64 << 10, false, 1.4}}, /* RX 6900 XT: 512 */
    {"gfx1100", {0, 48, 2.5e9, 0.82e12, 1.0 / 32, 64 << 10, false, 1.4}},  /* RX 7900 XTX: 960 */
    {"gfx1201", {0, 32, 2.97e9, 0.54e12, 1.0 / 32, 64 << 10, false, 1.4}}, /* RX 9070 XT: 640 */
};

static inline const gpu_facts *gpu_find_amd(const char *arch) {
    for (size_t i = 0; i < sizeof gpu_amd_table / sizeof *gpu_amd_table; i++)
        if (!strcmp(gpu_amd_table[i].arch, arch))
            return &gpu_amd_table[i].facts;
    return NULL;
}

static inline const gpu_facts *gpu_find(int capability) {
    const gpu_facts *found = gpu_table;
    for (size_t i = 0; i < sizeof gpu_table / sizeof *gpu_table; i++)
        if (capability >= gpu_table[i].capability)
            found = &gpu_table[i];
    return found;
}

enum { GPU_MAX_WAVES = 16 }; /* of blocks: beyond, a stream's chunks only get shorter */

/* What a launch of blocks that fill the GPU `waves` times takes, each `planes` long, in units of a
 * block's plane. They take turns, and at the end of a launch it waits for the last of them. In 2-D
 * they are small and drift apart; in 3-D they go mostly in step, so that a wave which is not full
 * costs as much as one that is. `fill`: planes' worth of time until a block's pipeline is full.
 * Fitted to 750 plans of AN5D's suite on one H200, each with seven chunks: within 0.1 % of the best
 * of these in 2-D, 2 % in 3-D. */
static inline double gpu_chunk_cost(int rank, double waves, double planes) {
    static const struct {
        double step, tail, fill;
    } table[] = {[2] = {0, 1, 16}, [3] = {0.68, 0.16, 6}};
    double step = table[rank].step;
    return ((1 - step) * waves + step * ceil(waves) + table[rank].tail) *
           (planes + table[rank].fill);
}

#endif
