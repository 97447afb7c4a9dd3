/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What launches of a sweep work on: its shape and its buffers' memory on the device.
 */
#ifndef STENCILRT_SWEEP_H
#define STENCILRT_SWEEP_H

#include "runtime/call/arrays.h"
#include "runtime/device/device.h"

/* The device memory of each buffer, in the order of the call's origins. Each has the halo of the
 * program's buffer. Launches exchange a buffer with its scratch. The entry of a buffer then is the
 * memory with its domain. */
typedef struct rt_memory {
    rt_block *blocks;
    bool same_halo;      /* are all halo bytes of the rotating grid's two buffers equal? */
    rt_block scratch[2]; /* as in rt_schedule; address 0: none */
    bool has_halo[2];    /* has scratch got its halo, by an earlier launch? */
    rt_block words;      /* words that a resident kernel's blocks exchange; address 0: none */
    uint64_t slots;      /* for one of several sweeps: where its kernel reduces to */
    /* If other devices have some of its rows: those that are counted here, and where the others are
     * reduced to; hi -1: all are counted. */
    struct {
        int64_t lo, hi;
        uint64_t spare;
    } counted;
} rt_memory;

/* A copy of what an array has before a sweep: addresses on the device. */
typedef struct rt_before {
    uint64_t to, from;
    size_t bytes;
} rt_before;

/* One of several sweeps of a region. In its shape these are set: region, call, extent, and each
 * grid's stride. The grid's origin is 0, because a block's address is that of its cell (0,0,0). */
typedef struct rt_sweep {
    rt_shape shape;
    rt_memory memory;
    rt_before *before; /* made before each of its launches; owned */
    uint32_t nbefore;
} rt_sweep;

/* Describes a sweep for its kernel: the places of its grids' cells (0,0,0) in the arrays.
 * `blocks`: of the arrays; then, where rt_arrays_look found some, of what unsure ones had before
 * the call; then, if sweeps have grids of cells as before, of what arrays have before a sweep.
 * `slots`: where it reduces to. Call rt_sweep_free also after a failure. */
bool rt_sweep_make(const rt_arrays *arrays, uint32_t number, const rt_block *blocks, uint64_t slots,
                   rt_sweep *s, rt_error *why);
/* Copies what arrays have before the sweep, if it reads that. */
bool rt_sweep_keep_before(const rt_sweep *s, rt_device *device, rt_error *why);
void rt_sweep_free(rt_sweep *s);
/* Is the sweep made in this step? A sweep that only computes numbers from all cells is made only
 * where they are wanted. */
bool rt_sweep_is_made(const stencilrt_region *sweep, int64_t step, bool wanted);
/* Does it want to know what the sweeps before it reduced in the step? */
bool rt_sweep_is_late(const stencilrt_region *sweep);
/* Bytes of the arrays that launches of a step may move. Of all buffers of one sweep. */
double rt_sweeps_bytes(const rt_sweep *sweeps, uint32_t count);
double rt_memory_bytes(const rt_memory *memory, uint32_t nbuffers);
/* Sets the places of the sweep's buffers. `blocks` are those of the arrays. */
void rt_sweep_place(const rt_arrays *arrays, uint32_t number, const rt_block *blocks, rt_sweep *s);
/* Can launches of the kernel compute some rows alone? */
bool rt_kernel_takes_rows(const stencilrt_kernel *kernel);

#endif
