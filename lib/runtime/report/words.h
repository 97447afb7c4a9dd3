/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An entry of a region as a record, and what the reports say about it: one line (report.c) and the
 * summary (summary.c) have the same words.
 */
#ifndef STENCILRT_WORDS_H
#define STENCILRT_WORDS_H

#include "runtime/resident/held.h"

/* How a grid was cut (slab/cut.h). */
typedef struct rt_split {
    int64_t slabs, passes; /* 0: it was not cut */
    unsigned devices;      /* that share it; 0: it flowed through */
    double sent;           /* bytes that these exchanged */
    unsigned lanes;        /* devices through which it flowed */
    /* Rows of each device that shares it, UINT32_MAX for that many or more; [0] 0: shares are
     * equal. */
    uint32_t rows[RT_MOST_DEVICES];
} rt_split;

/* One entry of a region, or the sum of several. */
typedef struct rt_entry {
    const stencilrt_region *region;
    const char *where;           /* source location and function; lives as long as the program */
    const char *driver, *device; /* NULL: the original loops ran */
    const rt_error *why;         /* why the original loops ran, or NULL */
    /* `sweeps`: sweeps of a step; 0: one sweep, which may be blocked in time */
    uint32_t rank, sweeps;
    int64_t extent[3]; /* cells that are computed, x first */
    int64_t steps;
    uint32_t bt;        /* time steps of the main kernel; 0: several sweeps with a kernel each */
    bool later;         /* a later part of an entry */
    bool cell;          /* each thread of the main kernel computes one cell */
    bool on_chip;       /* the main kernel keeps the grid on chip; `tile`: what a block owns */
    bool halos_differ;  /* the buffers' boundaries differ, so that one step a launch is made */
    bool several_grids; /* of several entries: `extent` is the last one's, and others differ */
    char tile[80];
    int64_t brick[3]; /* cells of the bricks that the arrays lie in; 0: they lie in rows */
    double kernel_seconds, transfer_seconds;
    double at[4]; /* by rt_seconds: copying there begins, kernels begin, copying back begins, end */
    double bandwidth; /* of the device's memory, bytes a second; 0: not known */
    /* Arithmetic operations, and the bytes that a kernel a sweep would move. */
    double operations, bytes;
    double updates; /* cells that are computed, times steps */
    rt_split split;
    rt_kept kept;
} rt_entry;

const char *rt_reason_name(enum rt_reason reason);
const char *rt_reason_sentence(enum rt_reason reason);

/* They write a text and return its length, which may be more than there is room for. */
/* Sizes as "512x512x64". */
size_t rt_format_sizes(char *text, size_t room, uint32_t rank, const int64_t size[3]);
/* Why the original loops ran. */
size_t rt_format_reason(char *text, size_t room, enum rt_reason reason, const char *detail);
/* How and how fast kernels ran. */
size_t rt_format_run(char *text, size_t room, const rt_entry *e);

double rt_rate(const rt_entry *e); /* GCells/s */

#endif
