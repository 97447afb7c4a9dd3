/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A call runs in parts where the program must not wait for all of it: a signal is pending for which
 * it has a handler, the thread may be cancelled at any instruction, another thread looks at an
 * array that the call uses, or the process exits. A part makes whole steps, ends as a call of so
 * many steps would, and gives everything back. The next part is a call of the steps that are left.
 *
 * So that a part can end soon, launches are queued in slices of some 25 ms, and no more than two of
 * them are in flight. A part that would be done in 50 ms anyway is not ended. After one that was
 * ended the next one lasts ten times as long as the transfers that it costs, so that a program with
 * a fast timer loses a tenth at most.
 *
 * What is left may fail where the first part did not: memory may be short by then, a handler may
 * have forked. So before a first part ends, what the program had is copied (saved.h).
 */
#ifndef STENCILRT_PART_H
#define STENCILRT_PART_H

#include "runtime/report/progress.h"
#include "runtime/resident/uses.h"
#include "runtime/run/rest.h"

typedef struct rt_part {
    /* The program's: */
    const stencilrt_region *region;
    const stencilrt_call *given;
    const void *frame;
    bool flushes;      /* denormal numbers to zero */
    rt_rest *rest;     /* what is left of it, once a part is to end early */
    rt_device *device; /* that made the parts before; NULL: this is the first */
    int64_t done;      /* steps that this part made, if it ended early; else 0 */
    double transfers;  /* seconds */
    rt_progress progress;
    /* Of what is computed: */
    int64_t period; /* it ends after a multiple of so many steps; 0: it cannot end early */
    const rt_uses *uses;
    rt_result *results;
    size_t count;
    bool used_chunks; /* between launches */
} rt_part;

/* Were there parts before? */
bool rt_part_is_later(const rt_part *part);
/* What the device is about to compute. `room`: results at most, or 0 where no part can end early.
 */
bool rt_part_begin(rt_part *part, const rt_uses *uses, int64_t steps, size_t room, rt_error *why);
/* Cells that are written; without those of held arrays that the loops write before they read them.
 */
void rt_part_add(rt_part *part, const rt_shape *shape, uint32_t number, const rt_box *box);
/* After the launches: keeps what the program had, if this part is the first and ended early. */
bool rt_part_keep(rt_part *part, rt_device *device, rt_error *why);
void rt_part_end(rt_part *part);

/* Around all launches; 0 and 1 are transfers', 4 to 6 slices'. */
enum { RT_MARK_START = 2, RT_MARK_END = 3 };

/* Launches of one part. */
typedef struct rt_pace {
    rt_part *part;
    rt_device *device;
    double started;                 /* when the first launch was queued */
    int64_t launches, size, slices; /* of this slice; of the next ones; slices so far */
    int64_t sizes[3];               /* of the last ones */
    int64_t marked;                 /* steps made at the end of the last slice */
    bool ends;                      /* the part is to end, at a multiple of its period */
} rt_pace;

/* `bytes`: of the device's memory that a launch may move. */
void rt_pace_begin(rt_pace *pace, rt_part *part, rt_device *device, double bytes);
/* After a launch, or those of a step: waits so that the queue is not too long. *end: the part is to
 * end, after `made` steps, of which `left` more were to come, or a few more. */
bool rt_pace_next(rt_pace *pace, int64_t made, int64_t left, bool *end, rt_error *why);
void rt_pace_end(rt_pace *pace); /* no more launches */

/* A part ended early, with so many seconds of transfers. */
void rt_part_paid(double transfers);

#endif
