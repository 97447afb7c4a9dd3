/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * STENCILOPT_REPORT=1 and =json:FILE: what all entries of each region did, reported when the
 * program exits. docs/reports.md shows the lines, docs/report.schema.json the JSON.
 */
#ifndef STENCILRT_SUMMARY_H
#define STENCILRT_SUMMARY_H

#include "runtime/resident/held.h"

/* How a grid was cut (slab/cut.h). */
typedef struct rt_split {
    int64_t slabs, passes; /* 0: it was not cut */
    unsigned devices;      /* that share it; 0: it flowed through one */
    double sent;           /* bytes that these exchanged */
} rt_split;

/* One entry of a region. */
typedef struct rt_entry {
    const stencilrt_region *region;
    const char *where;           /* source location and function; lives as long as the program */
    const char *driver, *device; /* NULL: the original loops ran */
    const rt_error *why;         /* why the original loops ran, or NULL */
    /* `sweeps`: sweeps of a step; 0: one sweep, which may be blocked in time */
    uint32_t rank, sweeps;
    int64_t extent[3]; /* cells that are computed, x first */
    int64_t steps;
    uint32_t bt;  /* time steps of the main kernel; 0: several sweeps with a kernel each */
    bool later;   /* a later part of an entry */
    bool cell;    /* each thread of the main kernel computes one cell */
    bool on_chip; /* the main kernel keeps the grid on chip; `tile`: the cells that a block owns */
    char tile[80];
    double kernel_seconds, transfer_seconds;
    double updates; /* cells that are computed, times steps */
    rt_split split;
    rt_kept kept;
} rt_entry;

/* To be called before the first region runs. Then the report at exit comes after devices were
 * closed. */
void rt_summary_begin(void);
void rt_summary_add(const rt_entry *entry);

const char *rt_reason_sentence(enum rt_reason reason);
/* Writes sizes as "512x512x64". */
void rt_format_sizes(char *text, size_t room, uint32_t rank, const int64_t size[3]);
/* Writes how a grid was cut, or nothing. */
void rt_format_split(char *text, size_t room, const rt_split *split);

#endif
