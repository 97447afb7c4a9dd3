/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The arrays of a call, in the form that held.h needs.
 */
#ifndef STENCILRT_USES_H
#define STENCILRT_USES_H

#include "runtime/call/arrays.h"
#include "runtime/resident/held.h"

typedef struct rt_uses {
    rt_use *at; /* a use for each array that is touched; NULL: nothing is ever held */
    size_t count;
    rt_boxes *results; /* for a region of one sweep: the boxes that uses point to */
    rt_box *domains;
    bool might; /* set by rt_uses_want: none of the arrays is known to come back each time */
    const rt_members *members; /* that share the call; NULL: one device makes it */
    bool launched;             /* the device may have written to arrays */
    bool made_room;            /* memory ran out, and held arrays were sent home for it */
} rt_uses;

/* The uses of a region of one sweep. Call rt_uses_free also after a failure. */
bool rt_uses_make(rt_uses *uses, rt_shape *shape, rt_error *why);
/* The uses of a region of several sweeps. */
bool rt_uses_make_sweeps(rt_uses *uses, rt_arrays *arrays, rt_error *why);
void rt_uses_free(rt_uses *uses);

/* To be called once in a call of a region. Decides which arrays are to be held. `at_once`: already
 * in the first call. True if all are, and the calls so far make it worth trying. */
bool rt_uses_want(rt_uses *uses, const void *region, bool at_once);
/* Excludes arrays that cannot be held. True if none had to be. */
bool rt_uses_can(rt_uses *uses);

/* These call rt_held_begin and so on for all uses. `blocks` are the call's. */
bool rt_uses_begin(rt_uses *uses, rt_device *device, rt_block *blocks, rt_error *why);
bool rt_uses_upload(rt_uses *uses, rt_device *device, rt_error *why);
bool rt_uses_finish(rt_uses *uses, rt_error *why);
/* To be called before the call frees its blocks. */
void rt_uses_return(rt_uses *uses);
/* To be called after a failure, with the device taken. */
void rt_uses_fail(rt_uses *uses, rt_device *device, const rt_error *why);
/* Makes other devices give back what the call uses. No device may be taken. */
void rt_uses_leave_others(const rt_uses *uses, const rt_device *device);
/* The call is over, or is tried once more in another way. rt_uses_want_none: without arrays that
 * begin to stay. */
void rt_uses_reset(rt_uses *uses);
void rt_uses_want_none(rt_uses *uses);
/* The use of the buffer or array of this number, or NULL. */
const rt_use *rt_uses_find(const rt_uses *uses, uint32_t number);
/* Is the buffer or array of this number held? */
bool rt_uses_held(const rt_uses *uses, uint32_t number);

#endif
