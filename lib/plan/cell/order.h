/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files that make a tile's order know of each other.
 */
#ifndef STENCILOPT_TILE_ORDER_H
#define STENCILOPT_TILE_ORDER_H

#include "plan/cell/tile.h"

typedef struct tile_scheduler {
    tile_order *t;
    const st_stencil *s;
    int ncells;
    bool *depends; /* per node: on what is loaded */
    bool *joins;   /* per node: it has two different operands that do */
    bool falls[3]; /* along each dimension: are neighbours taken backwards? */
    bool *loaded;  /* per row */
    bool *done;    /* per cell and node */
} tile_scheduler;

/* Fills in depends, joins and falls. */
void tile_find_joins(tile_scheduler *w);
/* Fills in the order's same, steps and live. The rows are known. */
void tile_order_steps(tile_scheduler *w);
/* Words of 32 bits that the steps keep at a time, at most. */
int tile_live(const tile_order *t);
/* Bytes that are loaded of a row, in words of 32 bits. */
int tile_row_words(const tile_order *t, const tile_row *row);

#endif
