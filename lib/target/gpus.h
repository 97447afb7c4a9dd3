/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is known of GPUs, for estimates: plain data, which the compiler and the runtime share.
 *
 * Sources: the makers' data sheets (processors, clock, 85 % of the bandwidth, for that is what a
 * copy reaches) and the CUDA C++ Programming Guide, "Technical Specifications" (double_rate,
 * scratchpad). sm_90's bandwidth was measured: a copy on an H200. AMD's: the white papers "AMD CDNA
 * 2", "3" and "4" and "RDNA", the ISA manuals of these, and of how registers are given out LLVM's
 * AMDGPUBaseInfo.cpp.
 */
#ifndef STENCILOPT_GPUS_H
#define STENCILOPT_GPUS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A processor: what runs a block, and has the scratchpad. NVIDIA's SM; a compute unit of AMD's
 * CDNA, whose parts take four cycles for an instruction of 64 lanes; a work-group processor of its
 * RDNA, which is two compute units. Each has four parts, with registers of their own. */
typedef struct gpu_processor {
    int lanes;       /* of a warp */
    double issue;    /* warps that have an instruction of a kind issued, a cycle */
    int registers;   /* lanes of a part have so many together, one of each warp; .. */
    int unit, warps; /* ..warps take multiples of `unit`; there are at most so many */
    int words;       /* of 32 bits that scratchpad gives or takes a cycle */
    bool pairs;      /* adds and multiplies two floats at once */
    double shift;    /* instructions that bring a word from the next lane; 0: scratchpad does it */
    int of_block;    /* bytes of scratchpad that a block can have */
    int of_system;   /* and that each has besides its own */
} gpu_processor;

enum { GPU_PARTS = 4, GPU_HALF_WAVE = 32 /* lanes; all GPUs can do with groups of so many */ };

typedef struct gpu_facts {
    int capability;                      /* sm_ and this number; those between two are the first */
    double processors, clock, bandwidth; /* number, Hz, bytes a second read and written */
    double double_rate;                  /* FP64 instructions to FP32's */
    int scratchpad;                      /* bytes a processor */
    bool copies;                         /* to scratchpad, asynchronously */
    double registers;                    /* a kernel's, to what ptxas takes for it */
    gpu_processor processor;
} gpu_facts;

#define GPU_SM {32, 4, 512, 8, 16, 32, false, 0, 227 << 10, 1 << 10}

static const gpu_facts gpu_table[] = {
    {75, 40, 1.59e9, 0.27e12, 1.0 / 32, 64 << 10, false, 1, GPU_SM},  /* T4: 320 GB/s */
    {80, 108, 1.41e9, 1.3e12, 0.5, 164 << 10, true, 1, GPU_SM},       /* A100 40 GB: 1555 */
    {86, 84, 1.74e9, 0.59e12, 1.0 / 64, 100 << 10, true, 1, GPU_SM},  /* A40: 696 */
    {89, 142, 2.49e9, 0.73e12, 1.0 / 64, 100 << 10, true, 1, GPU_SM}, /* L40: 864 */
    {90, 132, 1.98e9, 4.23e12, 0.5, 227 << 10, true, 1, GPU_SM},      /* H200: 4800 */
    {100, 148, 1.85e9, 6.8e12, 0.5, 227 << 10, true, 1, GPU_SM},      /* B200: 8000 */
    {120, 170, 2.41e9, 1.5e12, 1.0 / 64, 100 << 10, true, 1, GPU_SM}, /* RTX 5090: 1792 */
};

/* CDNA's DPP shifts by one lane; RDNA's within rows of 16, and takes one instruction more. How many
 * registers the back end takes: tools/bench/amdgpu. Nothing else of this is measured. */
#define GPU_CDNA(words, of_block) {64, 1, 512, 8, 8, words, true, 1, of_block, 0}
#define GPU_RDNA(registers, unit) {32, 4, registers, unit, 16, 64, false, 2, 64 << 10, 0}

static const struct gpu_amd {
    const char *arch;
    gpu_facts facts;
} gpu_amd_table[] = {
    /* MI210: 1638 GB/s; MI300X: 5300; MI355X: 8000 */
    {"gfx90a", {0, 104, 1.7e9, 1.39e12, 1, 64 << 10, false, 1.15, GPU_CDNA(32, 64 << 10)}},
    {"gfx942", {0, 304, 2.1e9, 4.5e12, 1, 64 << 10, false, 1.15, GPU_CDNA(32, 64 << 10)}},
    {"gfx950", {0, 256, 2.4e9, 6.8e12, 1, 160 << 10, false, 1.15, GPU_CDNA(64, 160 << 10)}},
    /* RX 6900 XT: 512 GB/s; RX 7900 XTX: 960; RX 9070 XT: 640 */
    {"gfx1030", {0, 40, 2.25e9, 0.44e12, 1.0 / 16, 128 << 10, false, 1.2, GPU_RDNA(1024, 16)}},
    {"gfx1100", {0, 48, 2.5e9, 0.82e12, 1.0 / 32, 128 << 10, false, 1.2, GPU_RDNA(1536, 24)}},
    {"gfx1201", {0, 32, 2.97e9, 0.54e12, 1.0 / 32, 128 << 10, false, 1.2, GPU_RDNA(1536, 24)}},
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

/* Of the architecture's name; NULL or an unknown one: the GPU that was measured. */
static inline const gpu_facts *gpu_of_arch(const char *arch) {
    const gpu_facts *amd = arch ? gpu_find_amd(arch) : NULL;
    return amd ? amd : gpu_find(arch && !strncmp(arch, "sm_", 3) ? atoi(arch + 3) : 90);
}

enum { GPU_BLOCK_THREADS = 1024 }; /* a block may have; on all of these GPUs */
enum { GPU_MAX_WAVES = 16 };       /* of blocks: beyond, a stream's chunks only get shorter */

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
