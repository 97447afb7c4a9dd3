/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The cache view, --trace-cache: a launch's accesses, in a given order, through simulated caches.
 *
 * Loads go to the L1 of their SM, and what misses there to the L2. Stores are written through: they
 * use a line the L1 has, and bring none in; the L2 takes them up without fetching the line.
 * Atomics happen in the L2. What an SM stores does not invalidate other SMs' lines.
 */
#ifndef STENCIL_SIM_VIEW_H
#define STENCIL_SIM_VIEW_H

#include "machine_spec.h"
#include "trace.h"

typedef struct view_options {
    machine_spec spec;
    bool warps;       /* the order; else threads */
    int level;        /* that the plot shows: 0 for L1, 1 for L2 */
    const char *plot; /* a path, or NULL */
    const char *kernel;
    uint32_t wave;
} view_options;

/* Prints the table on standard output and writes the plot. 0, or a message in `error`. */
int view_show(const view_options *o, const trace *t, char *error, size_t error_size);

#endif
