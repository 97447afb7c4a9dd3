/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The arrays of a call, as those that hold arrays want to know them.
 */
#ifndef STENCILRT_USES_H
#define STENCILRT_USES_H

#include "runtime/call/arrays.h"
#include "runtime/resident/held.h"

typedef struct rt_uses {
    rt_use *at; /* of what is touched; none: nothing is ever held */
    size_t count;
    rt_boxes *results; /* of one sweep: what uses point to */
    rt_box *domains;
    bool launched;  /* the device may have written to arrays */
    bool made_room; /* memory ran out, but then what was held was sent home */
} rt_uses;

/* Of a region of one sweep. rt_uses_free also after a failure. */
bool rt_uses_make(rt_uses *uses, rt_shape *shape, rt_error *why);
/* Of several sweeps. */
bool rt_uses_make_sweeps(rt_uses *uses, rt_arrays *arrays, rt_error *why);
void rt_uses_free(rt_uses *uses);

/* Once a call of a region: which arrays come, and which of them are to be held. `at_once`: from the
 * first call on. True: all of them, and they have come often enough that it is worth trying. */
bool rt_uses_want(rt_uses *uses, const void *region, bool at_once);
/* Without those that cannot be. True if that leaves all. */
bool rt_uses_can(rt_uses *uses);

/* rt_held_begin and so on, of all; `blocks`: the call's. */
bool rt_uses_begin(rt_uses *uses, rt_device *device, rt_block *blocks, rt_error *why);
bool rt_uses_upload(rt_uses *uses, rt_device *device, rt_error *why);
bool rt_uses_finish(rt_uses *uses, rt_error *why);
/* Before the call frees its blocks. */
void rt_uses_return(rt_uses *uses);
/* After a failure, the device being taken. */
void rt_uses_fail(rt_uses *uses, rt_device *device, const rt_error *why);
/* Other devices give back what the call uses; no device is taken. */
void rt_uses_leave_others(const rt_uses *uses, const rt_device *device);
/* The use of the buffer or array of this number, or NULL. */
const rt_use *rt_uses_find(const rt_uses *uses, uint32_t number);
/* Is the buffer or array of this number held? */
bool rt_uses_held(const rt_uses *uses, uint32_t number);

#endif
