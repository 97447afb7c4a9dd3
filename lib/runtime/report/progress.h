/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A line on the terminal about a region that runs long. It is written again in its place, and taken
 * away when launches end. Nothing is told where standard error is no terminal, where another
 * process group has the terminal, or without STENCILOPT_REPORT=1 or =each. Of regions that run at
 * the same time in several threads one is told of.
 */
#ifndef STENCILRT_PROGRESS_H
#define STENCILRT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rt_progress {
    double began; /* 0: not yet */
    double next;  /* when the line is written next; 0: never */
    bool shown;   /* the line on the terminal is this one's */
} rt_progress;

/* A later part of an entry goes on with the first part's time. */
void rt_progress_begin(rt_progress *p, double now);
bool rt_progress_is_due(const rt_progress *p);
/* `done` of `steps` steps; `steps` 0: how many there are is not known. */
void rt_progress_show(rt_progress *p, const char *where, int64_t done, int64_t steps);
void rt_progress_erase(rt_progress *p);

#endif
