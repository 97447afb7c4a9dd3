/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which rows a launch computes in a window (cut.h). Only the rows that the window owns are wanted
 * after a pass. A launch after which `left` steps follow computes left * reach more rows at each
 * side. The rows at the window's ends that other windows wait for come first, as launches of their
 * own. Arithmetic only.
 */
#ifndef STENCILRT_PIECES_H
#define STENCILRT_PIECES_H

#include <stdbool.h>
#include <stdint.h>

/* Edges of few rows are split off where the rest is at least so many times as much. */
enum { RT_EDGES_LESS = 4 };

/* Rows of a window, counted from the first row of its domain. */
typedef struct rt_span {
    int64_t lo, hi;  /* those that it owns: lo <= r < hi. hi is 0: all rows are computed */
    int64_t reach;   /* as in rt_cut */
    int64_t edge[2]; /* the rows from lo on, and before hi, that come first; 0: none */
    bool narrow;     /* have edges these rows alone? Otherwise they are chunks */
    /* Of slabs that lean (run/lean.h): each launch computes the rows lo <= r < hi, moved down. */
    bool leans, ends; /* is it the last slab? */
} rt_span;

/* By how many rows a launch of leaning slabs is moved. */
typedef struct rt_lean_shift {
    int64_t rows, degree; /* of the last launch; both 0 before the first one */
} rt_lean_shift;

/* `chunks` chunks of `chunk` rows each, from `first` on. */
typedef struct rt_piece {
    int64_t first, chunk, chunks;
} rt_piece;

typedef struct rt_pieces {
    rt_piece edges[2], rest;
    unsigned nedges;
} rt_pieces;

/* The pieces of a launch whose chunks are to have about `chunk` rows, in a window of `extent` rows.
 * Edges come only in the last launch, and only if there are chunks enough. They and the rest share
 * no row. */
rt_pieces rt_span_pieces(const rt_span *span, int64_t extent, int64_t left, int64_t chunk);

/* The next launch, of so many steps. It reads no row that the launches before it did not make. And
 * the launch after it leaves what this launch of the next slab reads. */
rt_lean_shift rt_lean_next(rt_lean_shift shift, int64_t degree, int64_t reach);
/* The rows of a launch, in a window of `extent` rows: rows[0] <= r < rows[1]; perhaps none. */
void rt_lean_rows(const rt_span *span, rt_lean_shift shift, int64_t extent, int64_t rows[2]);

#endif
