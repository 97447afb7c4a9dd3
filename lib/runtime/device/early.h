/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Opens a GPU beside the program: a thread of the runtime opens it while the original loops run.
 */
#ifndef STENCILRT_EARLY_H
#define STENCILRT_EARLY_H

#include "runtime/device/driver.h"

enum { RT_EARLY_DRIVERS = 2 };

/* Begins to open the first of `count` drivers that has a device; `count` is at most
 * RT_EARLY_DRIVERS. To be called once in a process. rt_device_opened tells when a device is open. A
 * process that may run on one processor alone opens nothing so. */
void rt_early_open(const rt_driver *const *drivers, int count);

#endif
