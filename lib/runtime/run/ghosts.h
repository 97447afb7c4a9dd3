/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Ghost cells of arrays on the device, after launches of whole steps, which leave them alone.
 */
#ifndef STENCILRT_RUN_GHOSTS_H
#define STENCILRT_RUN_GHOSTS_H

#include "runtime/call/arrays.h"
#include "runtime/device/device.h"

/* Gives the array's ghost cells that steps write the values of their cells of the window. `address`
 * is where the array is on the device, in the call's layout. */
bool rt_ghosts_restore(const rt_arrays *arrays, rt_device *device, uint32_t number,
                       uint64_t address, rt_error *why);

#endif
