/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Boxes of cells in memory, and whether two are parts of one array.
 */
#ifndef STENCILRT_EXTENT_H
#define STENCILRT_EXTENT_H

#include "runtime/rt.h"

/* Cells in the order of their addresses, from byte `lo` on. */
typedef struct rt_extent {
    uintptr_t lo, hi;
    size_t elem_size;
    int64_t stride[3]; /* bytes; of a dimension with one cell without meaning */
    int64_t cells[3];
} rt_extent;

/* The smallest box with both, and where b's first cell is, counted from a's. False: they cannot be
 * told to be parts of one array, for distances differ, or rows or planes of that box would overlap.
 */
bool rt_extent_join(const rt_extent *a, const rt_extent *b, rt_extent *both, int64_t at[3]);
/* Are they parts of one array that share no cell? */
bool rt_extents_lie_apart(const rt_extent *a, const rt_extent *b);

#endif
