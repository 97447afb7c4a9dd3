/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the program had in the cells that a call writes. It is kept if the call runs in parts. If a
 * later part fails, the original loops begin with the first step.
 */
#ifndef STENCILRT_SAVED_H
#define STENCILRT_SAVED_H

#include "runtime/resident/held.h"

/* Cells of a buffer. `use`: its use if it is held, otherwise NULL. */
typedef struct rt_result {
    const rt_shape *shape;
    const rt_buffer *buffer;
    rt_box box;
    const rt_use *use;
} rt_result;

typedef struct rt_row {
    unsigned char *at; /* the row in the program's memory */
    size_t bytes;
} rt_row;

typedef struct rt_saved {
    rt_row *rows; /* one mapping: first the rows, then their old content */
    unsigned char *memory;
    size_t count, mapped;
} rt_saved;

/* Reserves memory for all. False if there is none, or if the old content of a use is no longer
 * known. */
bool rt_saved_reserve(rt_saved *saved, const rt_result *results, size_t count);
/* To be called before results are written anywhere. */
bool rt_saved_fill(rt_saved *saved, const rt_result *results, size_t count, rt_error *why);
/* Gives the program back what it had. No device may be taken. */
void rt_saved_restore(const rt_saved *saved);
void rt_saved_free(rt_saved *saved);

#endif
