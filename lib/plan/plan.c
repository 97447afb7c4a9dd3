/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plan.h"

/* One kernel a time step, one cell a thread. A block is 256 threads: a full occupancy on every
 * supported GPU at up to 32 registers a thread and half at 64; 32 along x so that a warp reads
 * whole 128-byte lines, and the rest along y, where neighbours' rows are shared in L1. */
static const int blocks[ST_MAX_RANK + 1][3] = {{0}, {256, 1, 1}, {32, 8, 1}, {32, 8, 1}};

st_plan plan_choose(const st_stencil *s) {
    st_plan p = {1, {blocks[s->rank][0], blocks[s->rank][1], blocks[s->rank][2]}};
    return p;
}

void plan_print(const st_plan *p, FILE *out) {
    fprintf(out, "plan: bT %d, block %dx%dx%d\n", p->bt, p->block[0], p->block[1], p->block[2]);
}
