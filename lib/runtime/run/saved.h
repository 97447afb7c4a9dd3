/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the program had in the cells that a call writes, kept where the call runs in parts: the
 * steps that are left may fail, and the original loops then begin with the first one.
 */
#ifndef STENCILRT_SAVED_H
#define STENCILRT_SAVED_H

#include "runtime/resident/held.h"

/* Cells of a buffer. `use`: where it is held, else NULL. */
typedef struct rt_result {
    const rt_shape *shape;
    const rt_buffer *buffer;
    rt_box box;
    const rt_use *use;
} rt_result;

typedef struct rt_row {
    unsigned char *at; /* in the program's memory */
    size_t bytes;
} rt_row;

typedef struct rt_saved {
    rt_row *rows; /* one mapping, rows first, then what was there */
    unsigned char *memory;
    size_t count, mapped;
} rt_saved;

/* Room for all. False: there is none, or what a use was is known no more. */
bool rt_saved_reserve(rt_saved *saved, const rt_result *results, size_t count);
/* Before the device's results go anywhere. */
bool rt_saved_fill(rt_saved *saved, rt_device *device, const rt_result *results, size_t count,
                   rt_error *why);
/* The program has again what it had. No device is taken. */
void rt_saved_restore(const rt_saved *saved);
void rt_saved_free(rt_saved *saved);

#endif
