/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plan.h"

#include "schedule.h"

#include <stdlib.h>

static int max(int a, int b) {
    return a > b ? a : b;
}
static int round_up(int a, int unit) {
    return (a + unit - 1) / unit * unit;
}

/* One kernel a time step, one cell a thread. A block is 256 threads: a full occupancy on every
 * supported GPU at up to 32 registers a thread and half at 64; 32 along x so that a warp reads
 * whole 128-byte lines, and the rest along y, where neighbours' rows are shared in L1. */
static const int blocks[ST_MAX_RANK + 1][3] = {{0}, {256, 1, 1}, {32, 8, 1}, {32, 8, 1}};

static st_kernel cell_kernel(const st_stencil *s, const char *prefix) {
    st_kernel k = {.kind = ST_CELL, .bt = 1};
    snprintf(k.name, sizeof k.name, "%s_cell", prefix);
    for (int d = 0; d < 3; d++)
        k.block[d] = blocks[s->rank][d];
    return k;
}

const char *plan_why_not_blocked(const st_stencil *s) {
    if (!s->timed)
        return "there is no time loop";
    if (s->rank < 2)
        return "it has one dimension";
    if (s->grids[s->store_grid].buffers != 2)
        return "more than two buffers rotate";
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i];
        if (a->grid == s->store_grid ? a->level != 0 : s->grids[a->grid].buffers != 1)
            return "it reads several time steps";
    }
    return NULL;
}

/* Fills in what follows from degree, cells, rows, warps and depth. False if the tile is empty or
 * does not fit. */
static bool complete(const st_stencil *s, const sch_schedule *c, st_kernel *k) {
    int size = (int)st_type_size(s->grids[s->store_grid].type), bytes = k->cells * size;
    bool deep = s->rank == 3;
    k->kind = ST_STREAM;
    k->halo[0] = round_up(k->bt * c->radius[0], k->cells);
    k->halo[1] = deep ? k->bt * c->radius[1] : 0;
    k->tile[0] = PLAN_WARP * k->cells - 2 * k->halo[0];
    k->tile[1] = deep ? k->warps * k->rows - 2 * k->halo[1] : 1;
    k->lead = -k->bt * c->least;
    k->overlap = k->bt * (c->last - c->least);
    k->block[0] = PLAN_WARP * k->warps;
    k->block[1] = k->block[2] = 1;
    int exchanged = c->exchange_lags ? (c->exchange_lags + 1) * k->bt * 2 * c->radius[1] : 0;
    k->scratchpad = (k->depth * k->rows + exchanged) * k->warps * PLAN_WARP * bytes;
    bool reach = !deep || (k->rows >= c->radius[1] &&
                           (!c->exchange_lags || k->depth % (c->exchange_lags + 1) == 0));
    return k->tile[0] > 0 && k->tile[1] > 0 && k->cells * k->rows <= 32 && bytes % 16 == 0 &&
           reach && k->scratchpad <= 160 * 1024 && k->block[0] <= 1024;
}

static void add_padding(st_plan *p, const st_stencil *s, const sch_schedule *c,
                        const st_kernel *k) {
    int stream = s->rank - 1;
    for (int d = 0; d < stream; d++) {
        p->pad_low[d] = max(p->pad_low[d], k->halo[d]);
        p->pad_high[d] = max(p->pad_high[d], k->tile[d] + k->halo[d]);
    }
    p->pad_low[stream] = max(p->pad_low[stream], k->lead + k->bt * c->last);
    p->pad_high[stream] = max(p->pad_high[stream], k->overlap - k->lead + 2 * k->depth);
}

/* Register estimate of a thread, and the most that lets enough warps share a processor. */
static int registers(const st_stencil *s, const sch_schedule *c, const st_kernel *k) {
    int words = (int)(st_type_size(s->grids[s->store_grid].type) + 3) / 4;
    return k->bt * sch_carried(s, c) * k->cells * k->rows * words + 2 * k->cells * k->rows * words +
           40;
}

static bool try_kernel(const st_stencil *s, const sch_schedule *c, const plan_wish *wish, int bt,
                       st_kernel *out) {
    int size = (int)st_type_size(s->grids[s->store_grid].type);
    st_kernel k = {.bt = bt};
    k.cells = wish->cells ? wish->cells : max(16 / size, 1);
    k.rows = wish->rows ? wish->rows : s->rank == 3 ? max(4, c->radius[1]) : 1;
    k.warps = wish->warps ? wish->warps : s->rank == 3 ? 8 : 4;
    k.registers = wish->registers;
    k.depth = wish->depth ? wish->depth : s->rank == 3 ? 4 : 8;
    if (!complete(s, c, &k))
        return false;
    *out = k;
    return true;
}

static int choose_degree(const st_stencil *s, const sch_schedule *c, const plan_wish *wish) {
    int best = 1;
    for (int bt = 2; bt <= 16; bt++) {
        st_kernel k;
        if (!try_kernel(s, c, wish, bt, &k) || registers(s, c, &k) > 168 ||
            3 * k.tile[0] < 2 * PLAN_WARP * k.cells)
            break;
        best = bt;
    }
    return best;
}

st_plan plan_choose(const st_stencil *s, const plan_wish *wish, const char *prefix) {
    st_plan p = {.count = 1};
    p.kernels[0] = cell_kernel(s, prefix);
    if (plan_why_not_blocked(s) || wish->bt == 1)
        return p;
    sch_schedule *c = sch_create(s, s->rank == 3);
    int bt = wish->bt ? wish->bt : choose_degree(s, c, wish);
    for (; bt >= 1 && p.count < PLAN_MAX_KERNELS; bt /= 2) {
        st_kernel k;
        if (!try_kernel(s, c, wish, bt, &k))
            continue;
        snprintf(k.name, sizeof k.name, "%s_stream%d", prefix, bt);
        add_padding(&p, s, c, &k);
        p.kernels[p.count++] = k;
    }
    sch_destroy(c);
    return p;
}

void plan_print(const st_plan *p, FILE *out) {
    for (int i = 0; i < p->count; i++) {
        const st_kernel *k = &p->kernels[i];
        if (k->kind == ST_CELL)
            fprintf(out, "%s: a thread a cell, block %dx%dx%d\n", k->name, k->block[0], k->block[1],
                    k->block[2]);
        else
            fprintf(out,
                    "%s: bT %d, tile %dx%d, %d warps, %d cells of %d rows a lane, prefetch %d, "
                    "scratchpad %d bytes\n",
                    k->name, k->bt, k->tile[0], k->tile[1], k->warps, k->cells, k->rows, k->depth,
                    k->scratchpad);
    }
}
