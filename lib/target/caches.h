/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The caches of a GPU. Each SM (AMD: CU) has a first-level cache. All share a second-level cache.
 */
#ifndef STENCILOPT_CACHES_H
#define STENCILOPT_CACHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct caches_level {
    uint64_t bytes; /* 0: the GPU has no cache of this level */
    uint32_t line;  /* bytes, a power of two */
    uint32_t ways;  /* lines of a set; 0: the cache is fully associative */
} caches_level;

typedef struct caches_gpu {
    const char *arch;
    uint32_t processors;      /* SMs, or AMD's CUs */
    uint32_t threads, blocks; /* the most that an SM can hold */
    caches_level level[2];
} caches_gpu;

/* NULL if the table does not have the GPU. */
const caches_gpu *caches_find_gpu(const char *arch, size_t length);

/* The GPU of the architecture that a kernel is compiled for: sm_90a is sm_90. */
const caches_gpu *caches_of_arch(const char *arch);

/* The names of the GPUs in the table, with commas between them. */
const char *caches_gpus(void);

#endif
