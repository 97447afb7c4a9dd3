/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The sum of floats that a sweep's kernel stored in the order of the program's loops, with the bits
 * that adding them one after the other has: see ordered.c.
 */
#ifndef STENCILRT_ORDERED_H
#define STENCILRT_ORDERED_H

#include "runtime/device/device.h"

typedef struct rt_ordered {
    rt_device *device;
    void *module;
    const stencilrt_region *region;
    uint32_t size;       /* of a number: 4 or 8 bytes */
    uint64_t addends;    /* on the device */
    int64_t count;       /* of these */
    unsigned char *room; /* page-locked, of `bytes` */
    size_t bytes;
} rt_ordered;

/* *value: where the sum starts, then the sum. */
bool rt_ordered_sum(const rt_ordered *o, uint64_t *value, rt_error *why);

#endif
