/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Grids that lie in bricks on the device. A brick is a small box of cells whose bytes follow one
 * another, x first. All bricks that the grid's box meets follow one another likewise, and cell
 * (0,0,0) is the first one of its brick.
 */
#ifndef STENCILRT_BRICKS_H
#define STENCILRT_BRICKS_H

#include "runtime/call/shape.h"

/* The byte of a cell in a buffer of the grid. */
size_t rt_bricks_offset(const rt_grid *grid, int64_t x, int64_t y, int64_t z);
/* Gives the grid the bricks of another one, in whose coordinates `zero` is cell (0,0,0). False: the
 * grid's box is not in them. */
bool rt_bricks_lay_out_as(rt_grid *grid, const rt_grid *like, const int64_t zero[3]);
/* Are both in rows, or both in equally many bricks of one size? */
bool rt_bricks_are_alike(const rt_grid *a, const rt_grid *b);
/* Bytes of a brick. */
size_t rt_brick_bytes(const rt_grid *grid);
/* The bricks from the first to the last one that the box meets, by their numbers: [*first, *end).
 * Others may be among them. */
void rt_bricks_of_box(const rt_grid *grid, const rt_box *box, int64_t *first, int64_t *end);

/* Neighbouring cells of one row and one brick. */
typedef struct rt_run_of_cells {
    int64_t x, y, z; /* the first one */
    size_t bytes;
    size_t offset; /* from the first one of the bricks asked for */
} rt_run_of_cells;

/* Calls `each` for all cells of the box that lie in bricks [first, end). */
void rt_bricks_each(const rt_grid *grid, const rt_box *box, int64_t first, int64_t end,
                    void (*each)(void *context, const rt_run_of_cells *run), void *context);

#endif
