/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a thread of the runtime does beside the program, while the original loops run: it opens a
 * GPU, and loads regions' kernels. A driver compiles PTX when it loads it, which takes some 0.1 s a
 * region.
 */
#ifndef STENCILRT_EARLY_H
#define STENCILRT_EARLY_H

#include "runtime/device/device.h"

enum { RT_EARLY_DRIVERS = 2 };

/* Does the machine seem to have a GPU? No driver is opened to find out. A driver that an option
 * names counts. */
bool rt_early_seems_gpu(void);
/* Begins, after so many milliseconds, to open the first of `count` drivers that has a device;
 * `count` is at most RT_EARLY_DRIVERS. Only the first call in a process does so.
 * rt_device_opened tells when a device is open. False if nothing begins: the process may run on one
 * processor alone. */
bool rt_early_open(const rt_driver *const *drivers, int count, int wait);
/* Is the thread opening a device? */
bool rt_early_opens(void);
/* The region's kernels are loaded soon; rt_region_is_loaded tells when they are, or cannot be.
 * False if the caller has to load them: the process may run on one processor alone, or the region
 * belongs to a library, which the program may unload meanwhile. */
bool rt_early_load(rt_device *device, const stencilrt_region *region);

#endif
