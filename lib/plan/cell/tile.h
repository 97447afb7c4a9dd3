/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A thread's tile of cells in a cell kernel: what it loads, and in which order it computes. Rows of
 * neighbours are loaded once a tile. All cells of the tile use a row before the next one is loaded,
 * as far as the order of the program's operations allows it. So few rows are in registers at a
 * time. Plain data: lib/codegen/cell/tile.c makes instructions of it.
 */
#ifndef STENCILOPT_TILE_H
#define STENCILOPT_TILE_H

#include "model/stencil.h"
#include "target/gpus.h"

/* The cells that a tile reads of one row of a port. The row is y rows and z planes from the tile's
 * first row; cells low .. low + count - 1 are counted along x from the tile's first cell. */
typedef struct tile_row {
    int port, y, z;
    bool wide; /* the grid extends along x */
    int low, count;
    bool *needed; /* which of them */
    int64_t key;  /* rows are loaded in this order */
} tile_row;

/* Loads a row, or computes a node's value for a cell of the tile. */
typedef struct tile_step {
    int row; /* -1: a node */
    int cell, node;
} tile_step;

typedef struct tile_order {
    const st_stencil *s;
    int cells[3]; /* of the tile along x, y, z; cell (x, y, z) is number (z * ny + y) * nx + x */
    st_port ports[ST_MAX_PORTS];
    size_t nports;
    tile_row *rows;
    size_t nrows;
    int *row, *x; /* per cell and access: the row that is read, and where in it */
    int *same;    /* per cell and node, cell * nodes + node: the first that has the same value */
    tile_step *steps;
    size_t nsteps;
    int live; /* words of 32 bits that are kept at a time, at most */
} tile_order;

tile_order *tile_create(const st_stencil *s, const int cells[3]);
void tile_destroy(tile_order *t);

/* A load of a row: `width` cells from number `x` of the row on. */
typedef struct tile_load {
    int x, width;
} tile_load;

/* The row's next load after `load`, at first {0, 0}: vectors, aligned as the tile is, of what is
 * needed and nothing else, whose lengths are powers of two. False: there are no more. */
bool tile_next_load(const tile_order *t, const tile_row *row, tile_load *load);

/* The vector that number x of the row is in: 0 is the tile's own, -1 and 1 are beside it. */
int tile_vector(const tile_order *t, const tile_row *row, int x);
/* Does the tile need all cells of its own vector in this row, and others beside it? */
bool tile_has_neighbours(const tile_order *t, const tile_row *row);
/* Has any row of tiles of this size such neighbours? */
bool tile_has_any_neighbours(const st_stencil *s, const int cells[3]);

/* Have the cells of a block's rows that are in no tile several blocks behind the tiles'? Else they
 * have one. */
bool tile_has_more_blocks(const int block[3], const int tile[3]);

/* The best tile for a block of so many threads, if it is predicted to be faster than a thread a
 * cell; else zeros. In *time seconds a cell. `time_of_cell`: of a thread a cell. `lanes`: of the
 * warp, if lanes may lie along several dimensions; then a tile may be as large as if they lay along
 * x. Else 0. */
void tile_choose(const st_stencil *s, const gpu_facts *g, const int block[3], int lanes,
                 double time_of_cell, int tile[3], double *time);

/* May a thread compute cells that another one stores? */
bool tile_may_repeat(const st_stencil *s);
/* Seconds a cell where a thread has one, by the same model; 0: it does not say. It knows 3-D. */
double tile_time_of_cell(const st_stencil *s, const gpu_facts *g, const int block[3]);

#endif
