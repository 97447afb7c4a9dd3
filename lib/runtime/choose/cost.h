/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Is the device worth it? A model of a few constants, used by STENCILOPT_DEVICE=auto alone.
 */
#ifndef STENCILRT_COST_H
#define STENCILRT_COST_H

#include "runtime/call/arrays.h"
#include "runtime/device/device.h"

typedef struct rt_prediction {
    double host;      /* seconds of the original loops on one core, with what they wait for */
    bool own;         /* is the device faster by itself, whatever they wait for? */
    double loops;     /* of these: the loops alone, as far as they are known */
    double device;    /* seconds of transfers and kernels */
    double transfers; /* of these: what it takes to bring arrays there and back */
    double load;      /* seconds of loading the kernels, if they are not loaded */
} rt_prediction;

/* `bytes_per_second`: the device's memory; 0: not known yet, the fastest GPU of the table. */
rt_prediction rt_cost_predict(const rt_shape *shape, double bytes_per_second);
/* The same of several sweeps. */
rt_prediction rt_cost_predict_sweeps(const rt_arrays *arrays, double bytes_per_second);

/* Cores that the original loops keep busy: the threads of an OpenMP team, as the program's own
 * OpenMP runtime says; else one. */
double rt_cost_cores(const stencilrt_region *region);
/* Seconds that bytes take over the link, one way; and those of an array that stays on the device,
 * whose pages are moved as well. */
double rt_cost_copy(double bytes);
double rt_cost_bring_home(double bytes);

/* Seconds that loading the region's kernels takes; 0: they are loaded. `open`: the device, NULL
 * where none is open. */
double rt_cost_load(const rt_device *open, const stencilrt_region *region);
/* Seconds that must be paid once: loading the kernels, and opening a device where none is open. */
double rt_cost_set_up(const rt_prediction *prediction, bool device_open);

/* Should this call run on the device, given what must be paid once? Remembers gains forgone: see
 * cost.c. */
bool rt_cost_accept(rt_prediction prediction, bool device_open);
/* Do the gains forgone repay that another core opens the device while the original loops run? */
bool rt_cost_nears_opening(void);

#endif
