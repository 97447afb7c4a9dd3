/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Chooses bricks: brick.h. They are as wide as a sector of 32 bytes of floats. A warp's lanes lie
 * 8 x 4: without tiles, on whole rows of a brick.
 */
#include "plan/cell/brick.h"

static const int8_t bricks[ST_MAX_RANK + 1][3] = {{0}, {0}, {8, 8, 1}, {8, 4, 4}};
static const int blocks[ST_MAX_RANK + 1][3] = {{0}, {0}, {8, 32, 1}, {8, 4, 8}};

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
