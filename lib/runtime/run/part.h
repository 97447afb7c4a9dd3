/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A call runs in parts if the program must not wait for all of it. There are four cases: a signal
 * is pending that has a handler; the thread may be cancelled at any instruction; another thread
 * looks at an array of the call; or the process exits. A part makes whole steps, ends like a call
 * of as many steps, and gives everything back. The next part is a call of the steps that are left.
 *
 * Launches are queued in slices of some 25 ms, with at most two slices in flight, so that a part
 * can end soon. A part that would be done in 50 ms is not ended. After an ended part the next one
 * lasts ten times as long as the transfers that it costs. So a program with a fast timer loses at
 * most a tenth.
 *
 * A later part may fail although the first did not: memory may be short, or a handler may have
 * forked. So before the first part ends, what the program had is copied (saved.h).
 */
#ifndef STENCILRT_PART_H
#define STENCILRT_PART_H

#include "runtime/report/progress.h"
#include "runtime/resident/uses.h"
#include "runtime/run/rest.h"

typedef struct rt_part {
    /* The program's. */
    const stencilrt_region *region;
    const stencilrt_call *given;
    const void *frame;
    bool flushes;      /* it flushes denormal numbers to zero */
    rt_rest *rest;     /* the steps that are left, when a part is to end early */
    rt_device *device; /* the device of the earlier parts; NULL: this is the first part */
    int64_t done;      /* steps that this part made, if it ended early; otherwise 0 */
    double transfers;  /* seconds */
    double began;      /* when its device was chosen */
    rt_progress progress;
    /* For what is computed. */
    int64_t period; /* a part ends after a multiple of so many steps; 0: it cannot end early */
    const rt_uses *uses;
    rt_result *results;
    size_t count;
    bool unpaced;     /* all launches are queued at once; the part cannot end early */
    bool used_chunks; /* the chunks were used between launches */
} rt_part;

/* The number of steps after which all buffers that take turns are back in their places. 0: too
 * many. */
int64_t rt_part_period(const stencilrt_region *region);
/* Were there parts before? */
bool rt_part_is_later(const rt_part *part);
/* What the device is about to compute. `room` is the most results; 0: no part can end early. */
bool rt_part_begin(rt_part *part, const rt_uses *uses, int64_t steps, size_t room, rt_error *why);
/* Adds cells that are written; `uses` are those of the shape. Cells of held arrays that the loops
 * write before they read them are left out. */
void rt_part_add(rt_part *part, const rt_uses *uses, const rt_shape *shape, uint32_t number,
                 const rt_box *box);
/* Both, for all that a call of one shape writes. */
bool rt_part_begin_shape(rt_part *part, const rt_uses *uses, const rt_shape *shape, rt_error *why);
/* Between launches: is the part to end now, after a multiple of its period? `made` steps took the
 * time since `started`. If so, memory for a copy of what the program had is reserved. */
bool rt_part_is_to_end(rt_part *part, rt_device *device, double started, int64_t made,
                       int64_t left);
/* To be called after the launches. If this part is the first and ended early, copies what the
 * program had. */
bool rt_part_keep(rt_part *part, rt_error *why);
void rt_part_end(rt_part *part);

/* Marks around all launches. 0 and 1 are used by transfers, 4 to 6 by slices. */
enum { RT_MARK_START = 2, RT_MARK_END = 3 };

/* Launches of one part. */
typedef struct rt_pace {
    rt_part *part;
    rt_device *device;
    double started; /* when the first launch was queued */
    /* Launches of this slice, of the next ones, and the number of slices so far. */
    int64_t launches, size, slices;
    int64_t sizes[3]; /* of the last slices */
    int64_t marked;   /* steps that were made at the end of the last slice */
    bool ends;        /* the part is to end at a multiple of its period */
} rt_pace;

/* `bytes` are those of the device's memory that a launch may move. */
void rt_pace_begin(rt_pace *pace, rt_part *part, rt_device *device, double bytes);
/* To be called after a launch, or after the launches of a step: waits until the queue is short
 * enough. *end: the part ends after `made` steps, or a few more. `left` is the number of steps that
 * are left. */
bool rt_pace_next(rt_pace *pace, int64_t made, int64_t left, bool *end, rt_error *why);
void rt_pace_end(rt_pace *pace); /* no more launches */

/* A part ended early; its transfers took so many seconds. */
void rt_part_paid(double transfers);

#endif
