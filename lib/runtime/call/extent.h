/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Boxes of cells in memory, and whether two are parts of one array.
 */
#ifndef STENCILRT_EXTENT_H
#define STENCILRT_EXTENT_H

#include "runtime/rt.h"

/* Cells in the order of their addresses, starting at byte `lo`. */
typedef struct rt_extent {
    uintptr_t lo, hi;
    size_t elem_size;
    int64_t stride[3]; /* bytes; without meaning where there is one cell */
    int64_t cells[3];
} rt_extent;

/* The smallest box that contains both, and the place of b's first cell in it, relative to a's.
 * False if they are not known to be parts of one array: their distances differ, or rows or planes
 * of the box would overlap. */
bool rt_extent_join(const rt_extent *a, const rt_extent *b, rt_extent *both, int64_t at[3]);
/* The same; of several places that b may have, the one where both lie closest together. */
bool rt_extent_join_closely(const rt_extent *a, const rt_extent *b, rt_extent *both);
/* Are both parts of one array, and share no cell? */
bool rt_extents_lie_apart(const rt_extent *a, const rt_extent *b);

#endif
