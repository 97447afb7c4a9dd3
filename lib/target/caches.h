/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The caches of a GPU: one first-level cache an SM (AMD: CU), one second-level cache for all.
 */
#ifndef STENCILOPT_CACHES_H
#define STENCILOPT_CACHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct caches_level {
    uint64_t bytes; /* 0: there is no such level */
    uint32_t line;  /* bytes, a power of two */
    uint32_t ways;  /* lines of a set; 0: fully associative */
} caches_level;

typedef struct caches_gpu {
    const char *arch;
    uint32_t processors;      /* SMs */
    uint32_t threads, blocks; /* at most resident on an SM */
    caches_level level[2];
} caches_gpu;

/* NULL where the table does not have it. */
const caches_gpu *caches_find_gpu(const char *arch, size_t length);

/* Of what a kernel is compiled for: sm_90a is sm_90. */
const caches_gpu *caches_of_arch(const char *arch);

/* The table's names, with commas between. */
const char *caches_gpus(void);

#endif
