/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Chooses bricks: brick.h. They are as wide as a warp of 32 lanes, which lie side by side. On an
 * H200, bricks of 8x4x4, 8x8x8 and 4x4x4 cells, with lanes 8x4 or 4x4x2, are slower by a third: a
 * warp then reads twice as many lines (tools/bench/results/layout-h200.txt).
 */
#include "plan/cell/brick.h"

static const int8_t bricks[ST_MAX_RANK + 1][3] = {{0}, {0}, {32, 8, 1}, {32, 4, 4}};
static const int blocks[ST_MAX_RANK + 1][3] = {{0}, {0}, {32, 8, 1}, {32, 4, 2}};

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

void brick_choose(const st_stencil *s, st_kernel *k) {
    for (int d = 0; d < 3; d++) {
        k->brick[d] = bricks[s->rank][d];
        k->block[d] = blocks[s->rank][d];
    }
}
