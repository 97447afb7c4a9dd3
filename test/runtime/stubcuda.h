/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A libcuda.so.1 without a GPU. Device memory is host memory, filled with 0xFF (NaN); copies and
 * launches are queued and done as late as the interface allows (at a synchronisation), so that a
 * missing wait shows. A stream kernel that may load what was never written is an illegal address. A
 * kernel is the rt_kernel "stub_<name>" that the program exports.
 *
 * The environment, read at the first call:
 *
 *   STUBCUDA_FAIL=FUNCTION:N  the N-th call (from 1) of a function (as cuda_api.h names it) fails;
 *                             all:N: of any function
 *   STUBCUDA_CODE=2           with this code; default 1. 2 is out of memory
 *   STUBCUDA_STICKY=1         and so do all calls after it
 *   STUBCUDA_DEVICES=0        how many devices there are; default 1
 *   STUBCUDA_CC=75            their compute capability; default 90
 *   STUBCUDA_SCRATCHPAD=BYTES the most a block may ask for; default 227 KiB
 *   STUBCUDA_MEMORY=BYTES     all device memory there is
 *   STUBCUDA_BLOCKS=COUNT     how many allocations there may be at a time
 *   STUBCUDA_STRICT=1         at exit, status 99 if anything was not freed
 *
 * Built with STUB_LACKS_ELAPSED, it lacks cuEventElapsedTime.
 */
#ifndef RT_TEST_STUBCUDA_H
#define RT_TEST_STUBCUDA_H

#include <stdint.h>

typedef struct stubcuda_counts {
    uint64_t calls, launches, fills, bytes_in, bytes_out; /* since the start */
    uint64_t blocks, pinned, modules;                     /* alive now */
    uint64_t retained, streams, events;
    int failed; /* the failure asked for has happened */
} stubcuda_counts;

/* Found with dlsym. */
typedef void stubcuda_get_counts(stubcuda_counts *counts);

#endif
