/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is known of GPUs, for estimates: plain data, which the compiler and the runtime share.
 *
 * Sources. Processors, clock and bandwidth: the makers' data sheets. The bandwidth is 85 % of the
 * sheet's, which is what a copy reaches; that of sm_90 was measured by a copy on an H200.
 * double_rate and scratchpad: the CUDA C++ Programming Guide, "Technical Specifications". AMD's
 * GPUs: the white papers "AMD CDNA 2", "3" and "4" and "RDNA", and their ISA manuals. How AMD's
 * registers are allocated: LLVM's AMDGPUBaseInfo.cpp. What first-level caches deliver: NVIDIA's
 * white papers of Volta and later; of sm_75, Z. Jia et al. (2019), who measured a T4; of CDNA, 64
 * bytes a cycle, as AMD's profiler takes it; of RDNA, its white paper.
 */
#ifndef STENCILOPT_GPUS_H
#define STENCILOPT_GPUS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A processor runs blocks and has a scratchpad. NVIDIA's is the SM. AMD's CDNA: a compute unit,
 * whose parts take four cycles for an instruction of 64 lanes. AMD's RDNA: a work-group processor,
 * which is two compute units. Each processor has four parts, and each part has registers of its
 * own. */
typedef struct gpu_processor {
    int lanes;    /* of a warp */
    double issue; /* instructions of one kind, of a whole warp, that start in a cycle */
    /* All warps of a part share its registers: one register here is that of one lane. */
    int registers;
    /* A warp gets a multiple of `unit` registers. `warps` is the greatest number of warps of a
     * part. */
    int unit, warps;
    int words;  /* words of 32 bits that scratchpad reads or writes in a cycle */
    bool pairs; /* adds and multiplies two floats at once */
    /* Instructions that bring a word from the next lane; 0: it goes through scratchpad. */
    double shift;
    int of_block;  /* bytes of scratchpad that a block can have at most */
    int of_system; /* bytes of scratchpad that the system takes for each block */
} gpu_processor;

enum { GPU_PARTS = 4, GPU_HALF_WAVE = 32 /* lanes of a group that all GPUs can use */ };

typedef struct gpu_facts {
    /* The number behind sm_. A GPU between two numbers of the table is taken for the lesser one. */
    int capability;
    /* Number of processors, Hz, bytes a second (reads and writes together). */
    double processors, clock, bandwidth;
    /* Of the cards with this number, the one with the slowest memory that many use: its bandwidth
     * as a share of `bandwidth`. The same code runs on both. sm_90: an H100 has 3350 GB/s. */
    double slower;
    double double_rate; /* the rate of FP64 instructions, as a share of FP32's */
    int scratchpad;     /* bytes of scratchpad of a processor */
    bool copies;        /* it has asynchronous copies to scratchpad */
    double registers;   /* registers of a kernel, as a multiple of those that ptxas needs for it */
    gpu_processor processor;
    int l1_words; /* words of 32 bits that the first-level caches of a processor deliver in a cycle
                   */
} gpu_facts;

#define GPU_SM {32, 4, 512, 8, 16, 32, false, 0, 227 << 10, 1 << 10}

static const gpu_facts gpu_table[] = {
    {75, 40, 1.59e9, 0.27e12, 1, 1.0 / 32, 64 << 10, false, 1, GPU_SM, 16},  /* T4: 320 GB/s */
    {80, 108, 1.41e9, 1.3e12, 1, 0.5, 164 << 10, true, 1, GPU_SM, 32},       /* A100 40 GB: 1555 */
    {86, 84, 1.74e9, 0.59e12, 1, 1.0 / 64, 100 << 10, true, 1, GPU_SM, 32},  /* A40: 696 */
    {89, 142, 2.49e9, 0.73e12, 1, 1.0 / 64, 100 << 10, true, 1, GPU_SM, 32}, /* L40: 864 */
    {90, 132, 1.98e9, 4.23e12, 0.7, 0.5, 227 << 10, true, 1, GPU_SM, 32},    /* H200: 4800 */
    {100, 148, 1.85e9, 6.8e12, 1, 0.5, 227 << 10, true, 1, GPU_SM, 32},      /* B200: 8000 */
    {120, 170, 2.41e9, 1.5e12, 1, 1.0 / 64, 100 << 10, true, 1, GPU_SM, 32}, /* RTX 5090: 1792 */
};

/* DPP of CDNA shifts by one lane. DPP of RDNA shifts within rows of 16 lanes, so a shift takes one
 * instruction more. The factors for registers were measured by tools/bench/amdgpu. Nothing else of
 * this was measured. */
#define GPU_CDNA(words, of_block) {64, 1, 512, 8, 8, words, true, 1, of_block, 0}
#define GPU_RDNA(registers, unit) {32, 4, registers, unit, 16, 64, false, 2, 64 << 10, 0}

static const struct gpu_amd {
    const char *arch;
    gpu_facts facts;
} gpu_amd_table[] = {
    /* MI210: 1638 GB/s; MI300X: 5300; MI355X: 8000 */
    {"gfx90a", {0, 104, 1.7e9, 1.39e12, 1, 1, 64 << 10, false, 1.15, GPU_CDNA(32, 64 << 10), 16}},
    {"gfx942", {0, 304, 2.1e9, 4.5e12, 1, 1, 64 << 10, false, 1.15, GPU_CDNA(32, 64 << 10), 16}},
    {"gfx950", {0, 256, 2.4e9, 6.8e12, 1, 1, 160 << 10, false, 1.15, GPU_CDNA(64, 160 << 10), 16}},
    /* RX 6900 XT: 512 GB/s; RX 7900 XTX: 960; RX 9070 XT: 640 */
    {"gfx1030",
     {0, 40, 2.25e9, 0.44e12, 1, 1.0 / 16, 128 << 10, false, 1.2, GPU_RDNA(1024, 16), 64}},
    {"gfx1100",
     {0, 48, 2.5e9, 0.82e12, 1, 1.0 / 32, 128 << 10, false, 1.2, GPU_RDNA(1536, 24), 64}},
    {"gfx1201",
     {0, 32, 2.97e9, 0.54e12, 1, 1.0 / 32, 128 << 10, false, 1.2, GPU_RDNA(1536, 24), 64}},
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

/* The GPU of the architecture's name. NULL or an unknown name: the GPU that was measured, sm_90. */
static inline const gpu_facts *gpu_of_arch(const char *arch) {
    const gpu_facts *amd = arch ? gpu_find_amd(arch) : NULL;
    return amd ? amd : gpu_find(arch && !strncmp(arch, "sm_", 3) ? atoi(arch + 3) : 90);
}

/* Threads that a processor holds, and operations of one kind that its lanes start in a cycle. */
static inline double gpu_threads(const gpu_facts *gpu) {
    return GPU_PARTS * (double)gpu->processor.warps * gpu->processor.lanes;
}

static inline double gpu_lanes(const gpu_facts *gpu) {
    return gpu->processor.issue * gpu->processor.lanes;
}

enum { GPU_BLOCK_THREADS = 1024 }; /* the most threads of a block, on all of these GPUs */
/* The most waves of blocks: with more, a stream's chunks only get shorter. */
enum { GPU_MAX_WAVES = 16 };

/* The time of a launch, in units of the time that a block takes for one plane. Its blocks fill the
 * GPU `waves` times, and each block makes `planes` planes. The launch ends with its last block. In
 * 2-D blocks are small and drift apart. In 3-D they run mostly in step, so that an incomplete wave
 * costs as much as a complete one. `fill` is the time until a block's pipeline is full, in planes.
 * Fitted to 750 plans of AN5D's suite on one H200, each with seven chunks. The chunks chosen by
 * this are within 0.1 % of the best of the seven in 2-D, and within 2 % in 3-D. */
static inline double gpu_chunk_cost(int rank, double waves, double planes) {
    static const struct {
        double step, tail, fill;
    } table[] = {[2] = {0, 1, 16}, [3] = {0.68, 0.16, 6}};
    double step = table[rank].step;
    return ((1 - step) * waves + step * ceil(waves) + table[rank].tail) *
           (planes + table[rank].fill);
}

#endif
