/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A line on the terminal about a region that runs long. It is overwritten as the region proceeds,
 * and erased when launches end. There is no line if standard error is no terminal, if another
 * process group has the terminal, or without STENCILOPT_REPORT=1 or =each. If several threads run
 * regions at the same time, the line is about one of them.
 */
#ifndef STENCILRT_PROGRESS_H
#define STENCILRT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rt_progress {
    double began; /* 0: not started */
    double next;  /* when the line is written next; 0: never */
    bool shown;   /* the line on the terminal is about this region */
} rt_progress;

/* Starts the time. A later part of an entry continues the first part's time. */
void rt_progress_begin(rt_progress *p, double now);
bool rt_progress_is_due(const rt_progress *p);
/* `done` of `steps` steps are made. `steps` 0: their number is unknown. */
void rt_progress_show(rt_progress *p, const char *where, int64_t done, int64_t steps);
void rt_progress_erase(rt_progress *p);

#endif
