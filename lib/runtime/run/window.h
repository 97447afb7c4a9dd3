/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Some rows of a region of one sweep, on a device (slab/cut.h). They are computed by the region's
 * kernels as if they were the whole grid.
 */
#ifndef STENCILRT_WINDOW_H
#define STENCILRT_WINDOW_H

#include "runtime/run/blocks.h"
#include "runtime/run/part.h"
#include "runtime/run/wide.h"
#include "runtime/slab/cut.h"

typedef struct rt_window {
    rt_device *device;
    void *module;
    const rt_shape *whole;
    rt_slab slab;
    bool numbered; /* do kernels ask for the numbers of rows? */
    int64_t rule_reach;
    stencilrt_call call; /* of these rows */
    void **origins;
    rt_shape shape;
    rt_schedule *schedule;
    bool planned; /* the schedule is that of the shape's steps */
    rt_memory memory;
    rt_uses uses; /* none: no array stays on the device */
    rt_wide wide;
    bool put; /* are the wide copies in their places? */
} rt_window;

/* Can rows of the call be computed by themselves? If not, *why is not changed. */
bool rt_window_may(const stencilrt_region *region, const rt_shape *whole);
/* The cut of the call, without slabs and passes. */
rt_cut rt_window_cut(const stencilrt_region *region, const rt_shape *whole);
/* The most rows of each of some windows that take at most so many bytes; 0: not even one row fits.
 */
int64_t rt_window_rows(const rt_shape *whole, unsigned windows, size_t bytes, rt_error *why);
/* How fast windows of so many rows are. rt_device_load must have been called. */
rt_speed rt_window_speed(const rt_shape *whole, int64_t rows, const rt_device *device,
                         const stencilrt_region *region);
/* The steps of the largest launches that compute only the rows that are wanted; 0: there are none.
 */
int64_t rt_window_degree(const rt_shape *whole);
/* Bytes of a row that a pass reads, and of a row that it writes. */
double rt_window_bytes_in(const rt_shape *whole);
double rt_window_bytes_out(const rt_shape *whole);

/* Are the halos of all buffers equal? For rt_memory.same_halo. The host's memory is read. */
bool rt_window_same_halo(const rt_shape *whole);

/* Sets up a window without rows. Call rt_window_end also after a failure. The device must be taken,
 * and entered. */
bool rt_window_begin(rt_window *w, rt_device *device, const stencilrt_region *region,
                     const rt_shape *whole, rt_error *why);
/* Gives the window other rows, of the arrays of `from`, and no memory for them. */
bool rt_window_describe(rt_window *w, const stencilrt_call *from, const rt_slab *slab,
                        rt_error *why);
/* Finds out which arrays these rows use. Only after rt_window_describe. */
bool rt_window_find_uses(rt_window *w, rt_error *why);
/* Memory for the arrays that are not on the device. */
bool rt_window_allocate(rt_window *w, rt_error *why);
/* Gives it other rows, and memory for them. */
bool rt_window_place(rt_window *w, const stencilrt_call *from, const rt_slab *slab, rt_error *why);
/* Windows of one device that compute one after the other need scratch buffers only once. To be
 * called when `w` has its rows, and the steps of `from` are done. */
void rt_window_take_scratch(rt_window *w, rt_window *from);
bool rt_window_upload(rt_window *w, rt_error *why);
/* To be called next: arrays that stay have another layout than blocked kernels need. */
bool rt_window_put(rt_window *w, rt_error *why);
/* The launches are done, or have failed: returns results to arrays that stay. */
bool rt_window_settle(rt_window *w, bool results, rt_error *why);
/* Queues `steps` steps. `goes_on`: more steps follow, in another pass. `early`: how the rows come
 * first that the windows at either side wait for. */
bool rt_window_launch(rt_window *w, int64_t steps, bool goes_on, rt_early early, rt_part *part,
                      rt_error *why);
/* Makes a schedule, and allocates scratch buffers for it. rt_window_launch does so itself, where
 * that was not done. */
bool rt_window_plan(rt_window *w, int64_t steps, bool goes_on, rt_error *why);
/* Waits for the steps; returns the seconds that they took. */
bool rt_window_wait(rt_window *w, double *seconds, rt_error *why);
/* Is the buffer a result? If more steps follow: do they read what the buffer has? */
bool rt_window_wants(const rt_shape *whole, uint32_t buffer, bool goes_on);
/* The rows that the window owns, as cells of its domain of a grid. */
rt_box rt_window_own(const rt_window *w, uint32_t grid);
/* Where row number `row` of the whole begins in a buffer of a grid, and the bytes of a row. */
uint64_t rt_window_row(const rt_window *w, uint32_t grid, int64_t row);
size_t rt_window_row_bytes(const rt_window *w, uint32_t grid);
void rt_window_end(rt_window *w);

#endif
