/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * STENCILOPT_REPORT=1 and =json:FILE: what all entries of each region did, told when the program
 * exits. docs/reports.md shows the lines, docs/report.schema.json the JSON.
 */
#ifndef STENCILRT_SUMMARY_H
#define STENCILRT_SUMMARY_H

#include "runtime/resident/held.h"

/* One entry of a region. */
typedef struct rt_entry {
    const stencilrt_region *region;
    const char *where;           /* source location and function; lives as long as the program */
    const char *driver, *device; /* NULL: the original loops ran */
    const rt_error *why;         /* then; else NULL */
    uint32_t rank, sweeps;       /* sweeps a step; 0: one, which may be blocked in time */
    int64_t extent[3];           /* cells computed, x first */
    int64_t steps;
    uint32_t bt; /* time steps of the main kernel; 0: of several sweeps, a kernel each */
    bool later;  /* a later part of an entry */
    bool cell;   /* the main kernel has a thread a cell */
    bool on_chip; /* it keeps the grid on chip; `tile`: what a block owns */
    char tile[80];
    double kernel_seconds, transfer_seconds;
    double updates; /* cells computed, times steps */
    rt_kept kept;
} rt_entry;

/* Before the first region runs: what is told at exit comes after the devices were closed. */
void rt_summary_begin(void);
void rt_summary_add(const rt_entry *entry);

const char *rt_reason_sentence(enum rt_reason reason);
/* "512x512x64" */
void rt_format_sizes(char *text, size_t room, uint32_t rank, const int64_t size[3]);

#endif
