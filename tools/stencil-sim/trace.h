/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a launch accessed: each thread's accesses to device memory, in the thread's own order.
 *
 * Buffers get addresses of their own, one after the other as a GPU's allocator would lay them, so
 * that which cache set a line belongs to does not depend on the host.
 */
#ifndef STENCIL_SIM_TRACE_H
#define STENCIL_SIM_TRACE_H

#include "sim/inspect.h"

#include <stdbool.h>

typedef struct trace_buffer {
    const char *label;
    uint64_t start, bytes; /* address, a multiple of TRACE_ALIGNMENT */
} trace_buffer;

enum { TRACE_ALIGNMENT = 4096 }; /* no cache line is longer */

typedef struct trace_access {
    uint64_t address;
    uint32_t bytes, buffer;
    uint32_t place, turn; /* place in the code; how often the thread has been there before */
    uint32_t thread;      /* of all threads of the launch */
    uint8_t kind;         /* STENCILSIM_LOAD, ... */
} trace_access;

typedef struct trace {
    uint32_t grid[3], block_threads;
    uint64_t nblocks, nthreads;
    trace_buffer *buffers;
    uint32_t nbuffers;
    trace_access *accesses; /* after trace_sort: by thread */
    size_t naccesses, room;
    uint64_t *first; /* of each thread; one more than there are threads */
    bool no_memory;
} trace;

/* `grid` and `block` as launched. False where the launch has too many threads for a trace. */
bool trace_init(trace *t, const uint32_t grid[3], const uint32_t block[3]);

/* A buffer of which the label is known before the launch: its place among addresses. */
uint32_t trace_add_buffer(trace *t, const char *label, uint64_t bytes);

/* For stencilsim_observe; the context is the trace. */
void trace_note(void *t, const stencilsim_access *access);

/* After the launch. False where memory ran out, also during the launch. */
bool trace_sort(trace *t);

void trace_free(trace *t);

#endif
