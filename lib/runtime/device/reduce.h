/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reductions of several sweeps: what kernels left in the slots, as values of the program, and
 * whether its time loop goes on. region.h describes both.
 */
#ifndef STENCILRT_REDUCE_H
#define STENCILRT_REDUCE_H

#include "runtime/device/device.h"

typedef struct rt_reducer {
    rt_device *device;
    const stencilrt_region *region;
    stencilrt_check *check; /* or NULL: there is nothing to reduce and no step to ask after */
    uint32_t count, most;   /* reductions of all sweeps; steps that are made at once */
    rt_block slots;         /* on the device; address 0 where there are none */
} rt_reducer;

/* Needs the device's chunks. `most`: steps at once at most. rt_reducer_end also after a failure. */
bool rt_reducer_begin(rt_reducer *r, rt_device *device, const stencilrt_region *region,
                      const stencilrt_call *call, uint32_t most, rt_error *why);
void rt_reducer_end(rt_reducer *r);
/* After something else used the device's chunks, and has been waited for. */
void rt_reducer_renew(const rt_reducer *r);
/* Where a sweep's slots are on the device. */
uint64_t rt_reducer_slots(const rt_reducer *r, uint32_t sweep);

/* Before the launches of a step, and after them: is there another one? Of a loop whose steps are
 * counted, only the last step's values are looked at. */
bool rt_reducer_wants(const rt_reducer *r, int64_t step, int64_t steps);
bool rt_reducer_clear(rt_reducer *r, int64_t step, int64_t steps, rt_error *why);
bool rt_reducer_check(rt_reducer *r, int64_t step, int64_t steps, bool *more, rt_error *why);

/* The same of several steps made at once, each with slots of its own: clears them all; waits for
 * all; and asks after one of them, number `i` of these. *certain: false if its values depend on the
 * order of the cells; then nothing was asked. */
bool rt_reducer_clear_all(rt_reducer *r, uint32_t steps, rt_error *why);
bool rt_reducer_fetch_all(rt_reducer *r, uint32_t steps, rt_error *why);
void rt_reducer_ask(rt_reducer *r, uint32_t i, int64_t step, bool *certain);

#endif
