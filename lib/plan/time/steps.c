/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plan/time/steps.h"

#include <math.h>
#include <stdlib.h>

static int max(int a, int b) {
    return a > b ? a : b;
}
static int round_up(int a, int unit) {
    return (a + unit - 1) / unit * unit;
}

/* Bytes of a lane's cells of all arrays that flow; false if some come in no pieces of 16 bytes. */
static bool measure_row(const st_step *step, const st_kernel *k, int *bytes) {
    bool whole = true;
    *bytes = 0;
    for (size_t a = 0; a < step->narrays; a++) {
        int one = k->cells * (int)st_type_size(step->arrays[a].type);
        if (!st_step_flows(step, (int32_t)a))
            continue;
        *bytes += one;
        whole &= one % 16 == 0;
    }
    return whole;
}

bool steps_complete(const st_step *step, const st_dependences *d, st_kernel *k) {
    int bytes;
    bool pieces = measure_row(step, k, &bytes);
    int32_t halo[ST_MAX_RANK][2];
    if (step->rank != 2 || d->stream != 1 || k->cells & (k->cells - 1))
        return false;
    st_step_halo(step, d, k->bt, halo);
    k->kind = ST_STEPS;
    k->warps = k->rows = 1;
    k->block[0] = k->lanes;
    k->block[1] = k->block[2] = 1;
    k->halo[0] = round_up(halo[0][0], k->cells);
    k->halo[1] = 0;
    k->tile[0] = k->lanes * k->cells - k->halo[0] - round_up(halo[0][1], k->cells);
    k->tile[1] = 1;
    k->lead = halo[1][0];
    k->overlap = k->lead + k->bt * d->lag;
    k->lag = 0;
    k->ahead = k->waits ? k->waits : k->depth - 1;
    k->scratchpad = k->waits ? 0 : k->depth * bytes * k->lanes;
    bool ring = k->waits ? k->waits <= 4 : pieces && k->depth > 1 && k->depth % k->unroll == 0;
    return k->tile[0] > 0 && ring && k->cells <= PLAN_STREAM_CELLS;
}

void steps_padding(const st_step *step, const st_dependences *d, const st_kernel *k, int low[3],
                   int high[3]) {
    int least[2] = {0, 0}, most[2] = {0, 0}, stream = d->stream;
    for (size_t i = 0; i < step->nsweeps; i++)
        for (size_t j = 0; j < step->sweeps[i].stencil->naccesses; j++) {
            int32_t offset[ST_MAX_RANK];
            st_sweep_offset(&step->sweeps[i], (int32_t)j, offset);
            for (int at = 0; at < 2; at++) {
                least[at] = max(least[at], -offset[at ? stream : 0]);
                most[at] = max(most[at], offset[at ? stream : 0]);
            }
        }
    /* Arrays that are only read are loaded where they are used, by levels that are not yet there.
     */
    int behind = k->bt * d->lag, before = d->halo[stream][0];
    low[0] = max(low[0], k->halo[0] + round_up(least[0], PLAN_LOAD_UNIT));
    high[0] = max(high[0], k->lanes * k->cells + round_up(most[0], PLAN_LOAD_UNIT));
    low[stream] = max(low[stream], before + behind + least[1]);
    high[stream] = max(high[stream], behind + k->unroll + k->ahead + most[1]);
}
