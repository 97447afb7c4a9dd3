/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reductions of several sweeps: turns what kernels left in the slots into values of the program,
 * and asks whether the time loop continues. region.h describes both.
 */
#ifndef STENCILRT_REDUCE_H
#define STENCILRT_REDUCE_H

#include "runtime/device/device.h"

/* The numbers that a sum in order is of, a number a cell. */
typedef struct rt_addends {
    rt_block block; /* address 0: the reduction is none */
    int64_t count;
    /* The number at which the sum begins, and the byte of `block` that has the place of cell 0. */
    int64_t first;
    uint64_t zero;
} rt_addends;

typedef struct rt_reducer {
    rt_device *device;
    const stencilrt_region *region;
    stencilrt_check *check; /* NULL: nothing is reduced, and no step decides about the next */
    void *module;
    uint32_t count, most; /* reductions of all sweeps; the most steps of a launch */
    uint32_t reduced;     /* sweeps that have been reduced in this step */
    rt_block slots;       /* slots on the device; address 0 if there are none */
    rt_addends *addends;  /* of each reduction; NULL: none is made in order */
    /* For one of several devices that share the sweeps' cells. Slots for cells that another one
     * counts; is the last one of the steps in hand reduced? */
    bool shared, wanted;
    rt_block spare;
    /* Values of followed scalars that the CPU computed in advance, for each step; NULL: there are
     * none. */
    const uint64_t *followed;
} rt_reducer;

/* Uses the device's chunks. `most` is the most steps of a launch. Call rt_reducer_end also after a
 * failure. */
bool rt_reducer_begin(rt_reducer *r, rt_device *device, void *module,
                      const stencilrt_region *region, const stencilrt_call *call, uint32_t most,
                      rt_error *why);
void rt_reducer_end(rt_reducer *r);
/* To be called after something else used the device's chunks, when that has ended. */
void rt_reducer_renew(const rt_reducer *r);
/* The address of a sweep's slots on the device. And of those for cells that are not counted. */
uint64_t rt_reducer_slots(const rt_reducer *r, uint32_t sweep);
uint64_t rt_reducer_spare(const rt_reducer *r, uint32_t sweep);

/* rt_reducer_wants: must this step's reductions be looked at? If the number of steps is known, only
 * those of the last step. rt_reducer_clear comes before a step's launches. rt_reducer_check comes
 * after them: is there another step? */
bool rt_reducer_wants(const rt_reducer *r, int64_t step, int64_t steps);
bool rt_reducer_clear(rt_reducer *r, int64_t step, int64_t steps, rt_error *why);
bool rt_reducer_check(rt_reducer *r, int64_t step, int64_t steps, bool *more, rt_error *why);
/* Within a step, before the launch of a sweep that wants to know what those before it reduced. */
bool rt_reducer_between(rt_reducer *r, int64_t step, uint32_t sweep, rt_error *why);

/* The same for several steps in one launch, each with slots of its own. rt_reducer_clear_all clears
 * them; rt_reducer_fetch_all waits for all; rt_reducer_ask asks about number `i` of these steps.
 * *certain is false if a value depends on the order of the cells; nothing was asked then. */
bool rt_reducer_clear_all(rt_reducer *r, uint32_t steps, rt_error *why);
bool rt_reducer_fetch_all(rt_reducer *r, uint32_t steps, rt_error *why);
/* The same of slots elsewhere on the device, of so many bytes. */
bool rt_reducer_fetch_from(rt_reducer *r, uint64_t address, uint32_t steps, rt_error *why);
size_t rt_reducer_bytes(const rt_reducer *r, uint32_t steps);
void rt_reducer_ask(rt_reducer *r, uint32_t i, int64_t step, bool *certain);

/* Of several devices each counts its own cells. rt_reducer_share comes after rt_reducer_begin. What
 * the devices reduced in a step is put together: rt_joined_begin, rt_joined_add for each of them in
 * the order of the cells, rt_joined_finish. rt_reducer_check asks nothing. */
typedef struct rt_joined {
    const stencilrt_region *region;
    const stencilrt_check *check;
    uint64_t *slots; /* of all reductions */
} rt_joined;

bool rt_reducer_share(rt_reducer *r, rt_error *why);
/* Sums in order are of those cells of a sweep whose rows are lo <= row < hi; there are so many
 * cells in a row. `ahead`: rows by which kernels count on. */
void rt_reducer_count(rt_reducer *r, uint32_t sweep, int64_t lo, int64_t hi, int64_t row,
                      int64_t ahead);
bool rt_joined_begin(rt_joined *j, const stencilrt_region *region, const stencilrt_check *check,
                     rt_error *why);
bool rt_joined_add(rt_joined *j, rt_reducer *r, rt_error *why);
/* Stores the values. */
bool rt_joined_finish(rt_joined *j, rt_error *why);
void rt_joined_end(rt_joined *j);

#endif
