/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sizes of caches. sm_52 to sm_75: N. Prasetya, "Improving Cache Performance in Structured GPGPU
 * Workloads via Specialized Thread Schedules" (2022), table 2.1, which adapts Z. Jia et al.,
 * "Dissecting the NVIDIA Turing T4 GPU via Microbenchmarking" (2019). Newer GPUs: NVIDIA's tuning
 * guides and white papers of their architectures. Where an SM's L1 and scratchpad share memory, all
 * of it counts as L1 (sm_75: the larger of its two divisions). Threads and blocks of an SM: the
 * CUDA C++ Programming Guide, "Technical Specifications".
 *
 * A line is the bytes that have one tag. An L1 since Volta has lines of 128 bytes, and the hardware
 * may fetch sectors of 32. Table 2.1 lists sectors. Associativity is published for few caches, and
 * the replacement policy is not quite LRU. Fully associative is the thesis's assumption (its
 * section 3.1).
 */
#include "target/caches.h"

#include <ctype.h>
#include <string.h>

#define KIB 1024u
#define MIB (1024u * 1024u)

static const caches_gpu gpus[] = {
    {"sm_52", 16, 2048, 32, {{24 * KIB, 32, 0}, {2 * MIB, 32, 0}}},        /* one GPU of an M60 */
    {"sm_60", 56, 2048, 32, {{24 * KIB, 32, 0}, {4 * MIB, 32, 0}}},        /* P100 */
    {"sm_70", 80, 2048, 32, {{128 * KIB, 128, 0}, {6 * MIB, 64, 0}}},      /* V100 */
    {"sm_75", 40, 1024, 16, {{64 * KIB, 128, 0}, {4 * MIB, 64, 0}}},       /* T4 */
    {"sm_80", 108, 2048, 32, {{192 * KIB, 128, 0}, {40 * MIB, 128, 0}}},   /* A100 40 GB */
    {"sm_86", 84, 1536, 16, {{128 * KIB, 128, 0}, {6 * MIB, 128, 0}}},     /* RTX 3090, A40 */
    {"sm_89", 142, 1536, 24, {{128 * KIB, 128, 0}, {96 * MIB, 128, 0}}},   /* L40 */
    {"sm_90", 132, 2048, 32, {{256 * KIB, 128, 0}, {50 * MIB, 128, 0}}},   /* H200; L2: H100's */
    {"sm_100", 148, 2048, 32, {{256 * KIB, 128, 0}, {126 * MIB, 128, 0}}}, /* B200 */
    /* MI210, and a die of an MI250X but for its 110 CUs: AMD, "CDNA 2 Architecture". */
    {"gfx90a", 104, 2048, 32, {{16 * KIB, 64, 0}, {8 * MIB, 128, 16}}},
    /* One die (XCD) of an MI300X. It has eight, each with its own L2: AMD, "CDNA 3 Architecture".
     */
    {"gfx942", 38, 2048, 32, {{32 * KIB, 128, 0}, {4 * MIB, 128, 16}}},
    /* RX 7900 XTX: AMD, "RDNA 3 Instruction Set Architecture". The cache between the two, of the
     * CUs of a shader array, is left out. */
    {"gfx1100", 96, 1024, 16, {{32 * KIB, 128, 0}, {6 * MIB, 128, 16}}},
};

const caches_gpu *caches_find_gpu(const char *arch, size_t length) {
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++)
        if (strlen(gpus[i].arch) == length && !strncmp(arch, gpus[i].arch, length))
            return &gpus[i];
    return NULL;
}

const caches_gpu *caches_of_arch(const char *arch) {
    size_t length = strlen(arch);
    const caches_gpu *gpu = caches_find_gpu(arch, length);
    if (!gpu && length > 3 && !strncmp(arch, "sm_", 3) && isalpha((unsigned char)arch[length - 1]))
        gpu = caches_find_gpu(arch, length - 1);
    return gpu;
}

const char *caches_gpus(void) {
    static char names[16 * sizeof gpus / sizeof *gpus];
    if (names[0])
        return names;
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++) {
        strcat(names, i ? ", " : "");
        strcat(names, gpus[i].arch);
    }
    return names;
}
