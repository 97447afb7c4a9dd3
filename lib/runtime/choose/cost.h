/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Is the device worth it? A model with a few constants. Only STENCILOPT_DEVICE=auto uses it.
 */
#ifndef STENCILRT_COST_H
#define STENCILRT_COST_H

#include "runtime/call/arrays.h"
#include "runtime/device/device.h"

typedef struct rt_prediction {
    double host;      /* seconds of the original loops on one core, including what they wait for */
    bool own;         /* is the device faster even if the loops wait for nothing? */
    double loops;     /* the part of `host` that the loops alone take, as far as it is known */
    double device;    /* seconds of transfers and kernels */
    double transfers; /* the part of `device` that copies arrays there and back */
    double load;      /* seconds of loading the kernels, if they are not loaded */
} rt_prediction;

/* `bytes_per_second` is the bandwidth of the device's memory. 0: not known yet; that of the fastest
 * GPU in the table is taken. */
rt_prediction rt_cost_predict(const rt_shape *shape, double bytes_per_second);
/* The same for several sweeps. */
rt_prediction rt_cost_predict_sweeps(const rt_arrays *arrays, double bytes_per_second);

/* The number of cells; an extent of an absent dimension is 1. */
double rt_cost_cells(const int64_t extent[3]);
/* Bytes of the device's memory that a kernel for this sweep moves for a cell, if it reads and
 * writes each once. */
double rt_cost_cell_bytes(const stencilrt_region *sweep);
/* The number of cores that the original loops keep busy: the threads of an OpenMP team, as the
 * program's OpenMP runtime says; otherwise 1. */
double rt_cost_cores(const stencilrt_region *region);
/* Seconds to copy bytes over the link, one way. rt_cost_bring_home: the same for an array that
 * stays on the device, whose pages are moved as well. */
double rt_cost_copy(double bytes);
double rt_cost_bring_home(double bytes);

/* Seconds to load the region's kernels; 0 if they are loaded. `open`: the device; NULL if none is
 * open. */
double rt_cost_load(const rt_device *open, const stencilrt_region *region);
/* Seconds that are paid once: for loading the kernels, and for opening a device if none is open. */
double rt_cost_set_up(const rt_prediction *prediction, bool device_open);

/* Should this call run on the device, considering what is paid once? Remembers the gains of
 * declined calls: see cost.c. */
bool rt_cost_accept(rt_prediction prediction, bool device_open);
/* So much less was forgone: the original loops were faster than predicted. */
void rt_cost_not_forgone(double seconds);
/* Do the gains forgone repay that another core opens the device while the original loops run?
 * `missed`: what it would have gained beside if arrays stayed there. */
bool rt_cost_nears_opening(double missed);

#endif
