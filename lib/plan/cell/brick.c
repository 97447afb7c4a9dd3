/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Chooses bricks: brick.h. By themselves they are as wide as a warp of 32 lanes, which lie side by
 * side. On an H200, bricks of 8x4x4, 8x8x8 and 4x4x4 cells, with lanes 8x4 or 4x4x2, are slower by
 * a third: a warp then reads twice as many lines (tools/bench/results/layout-h200.txt). Options ask
 * for others.
 */
#include "plan/cell/brick.h"

#include "model/number.h"

enum { THREADS = 256 }; /* a block */

static const int bricks[ST_MAX_RANK + 1][3] = {{0}, {0}, {32, 8, 1}, {32, 4, 4}};
static const int row_of_lanes[3] = {32, 1, 1};

const char *plan_why_not_bricks(const st_stencil *s) {
    bool any = false;
    if (s->rank < 2)
        return "it has one dimension";
    if (s->flat)
        return "it has a single cell along a dimension";
    for (size_t i = 0; i < s->ngrids; i++)
        any = any || !s->grids[i].broadcast;
    return any ? NULL : "no array extends along all dimensions";
}

/* Warps whose lanes lie as `fold` says. In 3-D as many as a brick has room for lie along y, the
 * others along z. */
static void choose_block(int rank, const int fold[3], const int8_t brick[3], int block[3]) {
    int warps = THREADS / (fold[0] * fold[1] * fold[2]);
    int along_y = st_min(warps, st_max(1, brick[1] / fold[1]));
    block[0] = fold[0];
    block[1] = rank == 2 ? THREADS / fold[0] : fold[1] * along_y;
    block[2] = rank == 2 ? 1 : fold[2] * warps / along_y;
}

void brick_choose(const st_stencil *s, const plan_bricks *wish, st_kernel *k) {
    const int *cells = wish->cells[0] ? wish->cells : bricks[s->rank];
    for (int d = 0; d < 3; d++)
        k->brick[d] = d < s->rank ? (int8_t)cells[d] : 1;
    choose_block(s->rank, wish->fold[0] ? wish->fold : row_of_lanes, k->brick, k->block);
}
