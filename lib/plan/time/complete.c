/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What follows from the choices for a kernel of whole steps: its tile, its halo, the scratchpad it
 * takes, and the cells around the box that it may load. Some choices make no kernel.
 */
#include "plan/time/complete.h"

#include "model/number.h"

bool steps_measure_row(const st_step *step, const st_kernel *k, int *bytes) {
    bool whole = true;
    *bytes = 0;
    for (size_t a = 0; a < step->narrays; a++) {
        int one = k->cells * (int)st_type_size(step->arrays[a].type);
        if (!st_step_arrives(step, (int32_t)a))
            continue;
        *bytes += one;
        bool alone = !st_step_wraps(step, 0) || one >= 4 * k->cells; /* cells in border tiles */
        whole &= alone && (one % 16 == 0 || one == 8 || (one == 4 && step->rank == 3));
    }
    return whole;
}

/* Bytes that warps give each other: lib/codegen/steps/base.c. False: they would need rows of other
 * warps than the next. */
static bool measure_given(const st_step *step, const st_dependences *d, const st_kernel *k,
                          int *bytes) {
    int oldest = 0, rows = 0;
    bool near = true;
    *bytes = 0;
    for (size_t v = 0; v < d->nversions; v++) {
        const st_version *one = &d->versions[v];
        int beside = one->below + one->above;
        rows = st_max32(rows, beside);
        if (v >= step->narrays || !beside)
            continue;
        near &= one->below <= k->rows && one->above <= k->rows;
        oldest = st_max32(oldest, one->beyond);
        *bytes += beside * k->cells * (int)st_type_size(step->arrays[one->array].type);
    }
    *bytes *= (oldest + 1) * k->bt * k->lanes * k->warps;
    enum { MASK = 31 }; /* bits for the cells of all rows */
    return near && (k->rows + rows) * k->cells <= MASK;
}

static bool is_power_of_two(int n) {
    return n > 0 && (n & (n - 1)) == 0;
}

/* Rows of arrays that are only read that stay in scratchpad, for all levels: those that levels may
 * read, those that come before their turn, and those under way. Returns the bytes of a block's. */
static int measure_staying(const st_step *step, const st_dependences *d, st_kernel *k) {
    int bytes = 0, oldest = 0, early = 0;
    k->stay = 1;
    for (size_t a = 0; a < step->narrays && k->keep; a++) {
        int32_t least, most;
        if (!st_step_stays(step, d, (int32_t)a, k->cells, &least, &most))
            continue;
        bytes += k->cells * (int)st_type_size(step->arrays[a].type);
        early = st_max32(early, -least);
        oldest = st_max32(oldest, most);
    }
    while (k->stay < (k->bt - 1) * d->lag + oldest + early + k->depth)
        k->stay *= 2;
    return bytes * k->stay * k->lanes * k->warps;
}

bool steps_complete(const st_step *step, const st_dependences *d, st_kernel *k) {
    int bytes, given;
    bool pieces = steps_measure_row(step, k, &bytes), box = step->rank == 3;
    int32_t halo[ST_MAX_RANK][2];
    if (d->stream != st_step_stream(step) || !is_power_of_two(k->cells) || k->bt > STENCILRT_VALUES)
        return false;
    if (step->rank == 1) /* its one row is loaded to registers, and nothing comes ahead */
        k->unroll = k->depth = k->waits = 1;
    st_step_halo(step, d, k->bt, halo);
    k->kind = ST_STEPS;
    k->warps = box ? st_max32(k->warps, 1) : 1;
    k->rows = box ? st_max32(k->rows, 1) : 1;
    k->block[0] = k->lanes * k->warps;
    k->block[1] = k->block[2] = 1;
    k->halo[0] = (int)st_round_up(halo[0][0], k->cells);
    k->halo[1] = box ? halo[1][0] : 0;
    k->tile[0] = k->lanes * k->cells - k->halo[0] - (int)st_round_up(halo[0][1], k->cells);
    k->tile[1] = box ? k->warps * k->rows - halo[1][0] - halo[1][1] : 1;
    k->lead = halo[d->stream][0];
    k->overlap = k->lead + k->bt * d->lag;
    k->lag = 0;
    k->ahead = k->waits ? k->waits : k->depth - 1;
    k->scratchpad = k->waits ? 0 : k->depth * bytes * k->lanes * k->warps * k->rows;
    bool near = measure_given(step, d, k, &given);
    k->scratchpad += given;
    int staying = measure_staying(step, d, k);
    k->scratchpad += staying;
    bool ring = k->waits ? k->waits <= 4 : pieces && k->depth > 1 && k->depth % k->unroll == 0;
    bool stays = !k->keep || (staying > 0 && !k->waits);
    return k->tile[0] > 0 && k->tile[1] > 0 && ring && near && stays &&
           k->cells <= PLAN_STREAM_CELLS && k->rows <= PLAN_STREAM_ROWS && k->block[0] <= 1024;
}

void steps_padding(const st_step *step, const st_dependences *d, const st_kernel *k, int low[3],
                   int high[3]) {
    int least[ST_MAX_RANK] = {0}, most[ST_MAX_RANK] = {0}, stream = d->stream, beside[2] = {0, 0};
    for (size_t i = 0; i < step->nsweeps; i++)
        for (size_t j = 0; j < step->sweeps[i].stencil->naccesses; j++) {
            int32_t offset[ST_MAX_RANK];
            if (!st_sweep_reads(&step->sweeps[i], (int32_t)j))
                continue;
            st_sweep_offset(&step->sweeps[i], (int32_t)j, offset);
            for (int at = 0; at < step->rank; at++) {
                least[at] = st_max32(least[at], -offset[at]);
                most[at] = st_max32(most[at], offset[at]);
            }
        }
    for (size_t v = 0; v < d->nversions; v++) {
        beside[0] = st_max32(beside[0], d->versions[v].below);
        beside[1] = st_max32(beside[1], d->versions[v].above);
    }
    /* Arrays that are only read are loaded by each level. Later levels are behind the first one, so
     * they load rows before the chunk's first. */
    int behind = k->bt * d->lag, before = d->halo[stream][0];
    low[0] = st_max32(low[0], k->halo[0] + (int)st_round_up(least[0], PLAN_LOAD_UNIT));
    high[0] = st_max32(high[0], k->lanes * k->cells + (int)st_round_up(most[0], PLAN_LOAD_UNIT));
    if (step->rank == 3) {
        low[1] = st_max32(low[1], k->halo[1] + least[1] + beside[0]);
        high[1] = st_max32(high[1], k->warps * k->rows + most[1] + beside[1]);
    }
    if (step->rank == 1)
        return;
    low[stream] = st_max32(low[stream], before + behind + least[stream]);
    high[stream] = st_max32(high[stream], behind + k->unroll + k->ahead + most[stream]);
}
