/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies, in the host's memory, of the arrays that several sweeps write. Passes read and write
 * them; the program's arrays are written when nothing can fail any more. The same for a region of
 * one sweep is shadow.h.
 */
#ifndef STENCILRT_COPIES_H
#define STENCILRT_COPIES_H

#include "runtime/call/arrays.h"

/* The first bytes of a copy, kept elsewhere: those of so many rows, in the same order. */
typedef struct rt_head {
    unsigned char *copy, *kept;
    size_t bytes; /* 0: the array has no copy, or nothing is kept */
} rt_head;

typedef struct rt_copies {
    const rt_arrays *arrays;
    rt_shape shape; /* the arrays' grids and buffers; those that are written are copies */
    unsigned char *memory;
    size_t bytes;
    int64_t kept;   /* rows of heads */
    rt_head *heads; /* one for each array */
} rt_copies;

/* Copies what the steps read before they write it. Memory is for heads of `kept` rows, too. Call
 * rt_copies_end also after a failure. */
bool rt_copies_begin(rt_copies *c, const rt_arrays *arrays, int64_t kept, rt_error *why);
/* Keeps the first rows of all copies as they are now. */
void rt_copies_keep_heads(const rt_copies *c);
/* Copies all results to the program's arrays. Cannot fail. */
void rt_copies_write(const rt_copies *c);
void rt_copies_end(rt_copies *c);

#endif
