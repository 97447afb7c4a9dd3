/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Chooses the kernels that are compiled for a stencil: one with a thread a cell, and streaming ones
 * whose degree bT, tile and registers the cost model rates best.
 */
#include "plan/plan.h"

#include "model/number.h"
#include "plan/cell/brick.h"
#include "plan/cell/tile.h"
#include "plan/parameters.h"
#include "plan/time/cost.h"
#include "plan/time/resident.h"
#include "plan/time/strip.h"

#include <math.h>

/* One kernel a time step, one cell a thread. A block has 256 threads. That fills every supported
 * GPU with up to 32 registers a thread, and half of it with 64. 32 threads lie along x, so that a
 * warp reads whole lines of 128 bytes. The others lie along y, where they share rows of neighbours
 * in L1. */
static const int blocks[ST_MAX_RANK + 1][3] = {{0}, {256, 1, 1}, {32, 8, 1}, {32, 8, 1}};

enum { LANES = 32 }; /* of a warp, among which tiles shuffle */

/* Others, where neighbours are far along z. LLVM's AMDGPU back end does not find a way with the
 * registers that these leave. */
static const int deep_blocks[][3] = {{32, 4, 4}};
enum { DEEP_BLOCKS = sizeof deep_blocks / sizeof *deep_blocks };

/* Where a sweep has one cell along some dimensions, the block's threads lie along the other
 * dimensions. */
static void choose_block(const st_stencil *s, int block[3]) {
    int left = 256, last = s->rank - 1;
    while (last > 0 && s->flat >> last & 1)
        last--;
    for (int d = 0; d < 3; d++) {
        bool flat = d >= s->rank || s->flat >> d & 1;
        block[d] = flat          ? 1
                   : d == last   ? left
                   : s->flat & 1 ? st_min(left, 16)
                                 : blocks[s->rank][d];
        left /= block[d];
    }
}

/* Cells of a block whose threads have tiles. */
static double cells_of_block(const st_kernel *k) {
    double cells = 1;
    for (int d = 0; d < 3; d++)
        cells *= k->block[d] * k->thread_tile[d];
    return cells;
}

/* The kernel with this block. */
static st_kernel with_block(const st_stencil *s, const cost_gpu *g, st_kernel k,
                            const int block[3]) {
    double time = fmax(cost_of_cell(s, g), tile_time_of_cell(s, g, block));
    for (int d = 0; d < 3; d++)
        k.block[d] = block[d];
    k.rate = 1 / time;
    k.time = block[0] * block[1] * block[2] * time;
    tile_choose(s, g, k.block, k.brick[0] ? LANES : 0, time, k.thread_tile, &k.tile_time);
    k.tile_time *= cells_of_block(&k);
    return k;
}

double plan_rate(const st_kernel *k) {
    return k->kind == ST_CELL && k->thread_tile[0] ? cells_of_block(k) / k->tile_time : k->rate;
}

/* The kernel with another block, if that is expected to be faster. */
static st_kernel with_deep_block(const st_stencil *s, const cost_gpu *g, st_kernel k) {
    static const double worth = 1.05; /* a gain that another block must have over the usual one,
                                         whose rates were measured */
    size_t deep = s->rank == 3 && !s->flat && cost_has_ptxas(g) ? DEEP_BLOCKS : 0;
    for (size_t i = 0; i < deep; i++) {
        st_kernel other = with_block(s, g, k, deep_blocks[i]);
        if (other.thread_tile[0] && plan_rate(&other) > worth * plan_rate(&k))
            k = other;
    }
    return k;
}

static st_kernel cell_kernel(const st_stencil *s, const cost_gpu *g, const char *prefix) {
    int block[3] = {blocks[s->rank][0], blocks[s->rank][1], blocks[s->rank][2]};
    st_kernel k = {.kind = ST_CELL, .bt = 1};
    snprintf(k.name, sizeof k.name, "%s_cell", prefix);
    if (s->flat)
        choose_block(s, block);
    return with_deep_block(s, g, with_block(s, g, k, block));
}

/* With arrays in bricks. */
static st_kernel brick_kernel(const st_stencil *s, const plan_bricks *wish, const cost_gpu *g,
                              const char *prefix) {
    st_kernel k = {.kind = ST_CELL, .bt = 1};
    snprintf(k.name, sizeof k.name, "%s_cell", prefix);
    brick_choose(s, wish, &k);
    k = with_block(s, g, k, k.block);
    return wish->fold[0] ? k : with_deep_block(s, g, k);
}

bool plan_has_bricks(const st_plan *p) {
    return p->kernels[0].brick[0] > 0;
}

static void list_parameters(st_plan *p, const st_stencil *s, bool older) {
    for (int i = 0; i < p->count; i++)
        plan_list_parameters(&p->kernels[i], s, older);
}

/* May tiles get neighbours along x from other lanes? Lanes that have no tile compute another
 * lane's.
 */
static bool can_shuffle(const st_stencil *s, const st_kernel *k) {
    return s->rank > 1 && k->block[0] <= LANES && k->thread_tile[0] && tile_may_repeat(s) &&
           tile_has_any_neighbours(s, k->thread_tile);
}

st_plan plan_cell(const st_stencil *s, const plan_wish *wish, bool bricks, const char *arch,
                  const char *prefix) {
    st_plan p = {.count = 1};
    const cost_gpu *g = cost_find_gpu(arch);
    p.kernels[0] = bricks ? brick_kernel(s, &wish->bricks, g, prefix) : cell_kernel(s, g, prefix);
    p.kernels[0].shuffles = wish->shuffle && can_shuffle(s, &p.kernels[0]);
    list_parameters(&p, s, false);
    return p;
}

const char *plan_why_not_blocked(const st_stencil *s) {
    if (!s->timed)
        return "there is no time loop";
    bool newer = false, older = false;
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i];
        if (a->faces)
            return "it brings indices back at the border";
        if (a->grid != s->store_grid) {
            if (s->grids[a->grid].buffers != 1)
                return "several arrays rotate";
            continue;
        }
        int back = st_steps_back(s, a);
        newer |= back == 1;
        older |= back == 2;
        if (back > 2)
            return "it reads more than two time steps";
        if (back == 2 && (a->offset[0] || a->offset[1] || a->offset[2]))
            return "it reads neighbours two time steps back";
    }
    if (older && s->rank == 1)
        return "it reads two time steps in one dimension";
    if (!newer)
        return "it does not read the last time step";
    if (s->grids[s->store_grid].buffers > (older ? 3 : 2))
        return "more buffers rotate than it reads time steps";
    return NULL;
}

/* Fills in what follows from degree, cells, rows, warps and depth. False if the tile is empty or
 * does not fit. Neighbours of level 0 need not be computed but only be loaded: the tile has a
 * margin of them. Along x a margin means reading from scratchpad instead of shuffling. So it is
 * used there only if it makes the halo smaller, which consists of whole vectors. */
static bool complete(const st_stencil *s, const sch_schedule *c, st_kernel *k) {
    int size = (int)st_type_size(s->grids[s->store_grid].type), bytes = k->cells * size;
    int levels = k->bt - 1, whole = st_round_up(k->bt * c->radius[0], k->cells);
    bool deep = s->rank == 3;
    k->kind = ST_STREAM;
    k->packed = pk_is_small(s->grids[s->store_grid].type);
    k->halo[0] = st_round_up(levels * c->radius[0], k->cells);
    k->margin[0] = k->halo[0] < whole ? st_round_up(c->radius[0], k->cells) : 0;
    k->halo[1] = deep ? levels * c->radius[1] : 0;
    k->margin[1] = deep ? c->radius[1] : 0;
    k->tile[0] = k->lanes * k->cells - 2 * k->halo[0];
    k->tile[1] = deep ? k->warps * k->rows - 2 * k->halo[1] : 1;
    k->lag = st_max(deep ? c->exchange_lags : 0, k->margin[0] ? c->x_lags : 0);
    k->ahead = k->depth - 1 - k->lag;
    k->lead = -k->bt * c->least;
    k->overlap = k->bt * (c->last - c->least);
    k->block[0] = k->lanes * k->warps;
    k->block[1] = k->block[2] = 1;
    int ring = k->depth * (k->warps * k->rows + 2 * k->margin[1]) *
               (k->lanes + 2 * k->margin[0] / k->cells);
    int shared = c->exchange_lags && levels ? c->exchange_lags + 1 : 0;
    int exchanged = shared * levels * (k->warps + 2) * st_min(k->rows, 2 * c->radius[1]) * k->lanes;
    if (c->older >= 0)
        ring += k->depth * k->warps * k->rows * k->lanes;
    k->scratchpad = (ring + exchanged) * bytes;
    bool reach = k->margin[1] == 0 || (k->warps > 1 && (levels == 0 || k->rows >= c->radius[1]));
    bool turns = shared == 0 || k->unroll == 1 || k->depth % shared == 0;
    bool vector = bytes % 16 == 0 && (k->cells & (k->cells - 1)) == 0; /* LLVM pads odd ones */
    return k->tile[0] > 0 && k->tile[1] > 0 && k->cells * k->rows <= 32 && vector && reach &&
           turns && k->ahead >= 1 && k->margin[0] <= k->lanes / 2 * k->cells &&
           k->scratchpad <= 160 * 1024 && k->block[0] <= GPU_BLOCK_THREADS &&
           k->cells <= PLAN_STREAM_CELLS && k->rows <= PLAN_STREAM_ROWS;
}

static void add_padding(st_plan *p, const st_stencil *s, const sch_schedule *c,
                        const st_kernel *k) {
    int stream = s->rank - 1;
    for (int d = 0; d < stream; d++) {
        int unit = d ? k->rows : k->cells;
        int loaded = 2 * (c->radius[d] + unit) + k->margin[d] + PLAN_LOAD_UNIT;
        p->pad_low[d] = st_max(p->pad_low[d], k->halo[d] + k->margin[d]);
        p->pad_high[d] = st_max(p->pad_high[d], st_max(k->tile[d] + k->halo[d], loaded));
    }
    p->pad_low[stream] =
        st_max(p->pad_low[stream], k->lead + k->bt * c->last + k->lag + st_max(0, c->older_phase));
    /* Planes beyond the last one are copied to the ring. Grids that are only read are also read
     * there, by what is computed before its own plane is complete. */
    int ahead = st_max(2 * k->depth + st_max(0, -c->older_phase), k->depth - 1 - c->first);
    p->pad_high[stream] = st_max(p->pad_high[stream], k->overlap - k->lead + ahead);
}

/* Candidates */

enum {
    MAX_DEGREE = 16,
    MOST_REGISTERS = 255, /* a thread */
    MAX_INSTRUCTIONS = ST_LIMIT(
        6000, 300), /* of a loop: longer ones take seconds to compile and do not fit into caches */
};

static const int warps_2d[] = {4, 2, 1, 0}, warps_3d[] = {16, 12, 8, 0};
static const int wide_warps_3d[] = {16, 12, 8, 6, 4, 0}; /* of more than 32 lanes */
static const int rows_2d[] = {1, 0}, rows_3d[] = {1, 2, 3, 4, 0};
static const int depths_2d[] = {8, 6, 4, 2, 0}, depths_3d[] = {6, 4, 3, 0};

typedef struct choice {
    const st_stencil *s;
    const sch_schedule *c;
    const plan_wish *wish;
    const cost_gpu *g;
    cost_work w;
} choice;

/* The most registers that a thread can have where so many threads share a processor's registers. */
static int registers_of(const cost_gpu *g, int threads) {
    return GPU_PARTS * g->processor.lanes * g->processor.registers / threads / 8 * 8;
}

/* With larger estimates than this a kernel may spill. In 2-D, without an older level, estimates are
 * up to a tenth too high near the most registers of a thread. If the size of the block is the
 * limit, the compiler often finds a way, and more often for a large body of single registers. This
 * holds for ptxas. LLVM's AMDGPU back end may take more than the estimate, in 3-D a quarter more,
 * and it copies what is beyond 256. */
static double most_registers(const choice *o, const st_kernel *k) {
    int block = registers_of(o->g, k->block[0]);
    bool large = cost_is_large(&o->w) && o->s->rank == 3;
    if (!cost_has_ptxas(o->g))
        return o->s->rank == 2 ? st_min(block, 245) : st_min(block * 3 / 4, 200);
    if (large)
        return o->w.words > 1 ? st_min(block, MOST_REGISTERS) : 1.2 * st_min(block, 230);
    if (o->s->rank == 2)
        return st_min(block, o->c->older < 0 ? 280 : 230);
    return st_min(block + block / 12, 235);
}

/* The score of a candidate: its predicted rate; 0 if there is no such kernel. A candidate that does
 * not fit by the estimates has a low score if the user forces something, else 0. */
static double score(const choice *o, bool forced, st_kernel *k) {
    if (!complete(o->s, o->c, k))
        return 0;
    cost_estimate e = cost_of(o->s, o->c, &o->w, o->g, k);
    bool fit = e.registers <= most_registers(o, k) && e.resident > 0 &&
               e.instructions * k->unroll <= MAX_INSTRUCTIONS;
    /* Without a limit, ptxas spills a few registers so that one more block fits. */
    if (o->c->older >= 0 && !k->registers && e.registers > 100)
        k->registers = st_min(registers_of(o->g, k->block[0]), MOST_REGISTERS);
    k->rate = e.rate;
    k->time = e.time;
    k->bound = e.bound;
    k->takes = e.registers;
    k->resident = e.resident;
    return fit ? k->rate : forced ? 1e-6 * k->rate : 0;
}

static int choose_unroll(const choice *o, const st_kernel *k) {
    double plane = o->w.instructions * k->bt * k->cells * k->rows;
    if (o->wish->unroll)
        return o->wish->unroll == 1 ? 1 : k->depth;
    /* Large bodies that are unrolled spill, or are too long for the instruction caches. */
    if (cost_is_large(&o->w) && o->s->rank == 3 && (o->w.words > 1 || plane * k->depth > 2500))
        return 1;
    return plane * k->depth <= MAX_INSTRUCTIONS ? k->depth : 1;
}

typedef struct search {
    const choice *o;
    st_kernel *best;
    double score;
} search;

static void try_kernel(search *f, st_kernel k) {
    const plan_wish *wish = f->o->wish;
    bool forced = wish->rows || wish->warps || wish->depth || wish->bt;
    k.unroll = choose_unroll(f->o, &k);
    if (k.unroll == 1 && (k.depth & (k.depth - 1)) && !wish->depth)
        return; /* computing a slot would take a division */
    if (k.rows > 1 && cost_is_large(&f->o->w) && f->o->w.words > 1 && !wish->rows)
        return; /* such kernels spill, whatever the estimate says */
    double one = score(f->o, forced, &k);
    if (one > f->score) {
        f->score = one;
        *f->best = k;
    }
}

/* Tries the plan without a limit of registers. For a large body, also tries the limit with which
 * one more block fits. */
static void try_registers(search *f, st_kernel k) {
    k.registers = f->o->wish->registers;
    try_kernel(f, k);
    if (k.registers || !cost_is_large(&f->o->w) || f->o->s->rank < 3 ||
        !complete(f->o->s, f->o->c, &k))
        return;
    cost_estimate e = cost_of(f->o->s, f->o->c, &f->o->w, f->o->g, &k);
    k.registers = registers_of(f->o->g, k.block[0] * (e.resident + 1));
    if (k.registers * 6 >= e.registers * 5)
        try_kernel(f, k);
}

/* Copies that go through registers wait there for one plane, or for two if the loop is unrolled by
 * an even number of planes. */
static void try_waits(search *f, st_kernel k) {
    k.waits = !f->o->g->copies;
    try_registers(f, k);
    if (k.waits && k.depth % 2 == 0 && choose_unroll(f->o, &k) == k.depth) {
        k.waits = 2;
        try_registers(f, k);
    }
}

/* Tries warps of so many lanes. In 2-D a lane of doubles may also have 32 bytes of cells: with 16
 * bytes, exchanges take a large part of the time. */
static void try_lanes(search *f, int bt, int lanes) {
    const choice *o = f->o;
    const plan_wish *wish = o->wish;
    bool deep = o->s->rank == 3;
    int size = (int)st_type_size(o->s->grids[o->s->store_grid].type);
    for (const int *warps = !deep                   ? warps_2d
                            : lanes > GPU_HALF_WAVE ? wide_warps_3d
                                                    : warps_3d;
         *warps; warps++)
        for (const int *rows = deep ? rows_3d : rows_2d; *rows; rows++)
            for (const int *depth = deep ? depths_3d : depths_2d; *depth; depth++)
                for (int vectors = 1; vectors <= (size == 8 && !deep ? 2 : 1); vectors++) {
                    st_kernel k = {.bt = bt, .lanes = lanes};
                    k.cells = wish->cells ? wish->cells : vectors * st_max(16 / size, 1);
                    k.rows = wish->rows ? wish->rows : *rows;
                    k.warps = wish->warps ? wish->warps : *warps;
                    k.depth = wish->depth ? wish->depth : *depth;
                    try_waits(f, k);
                }
}

/* The best kernel of degree bt; 0 and *best unchanged if none fits. What the user forces need not
 * fit the estimates. In 3-D, halves of long warps may make better tiles. */
static double best_of_degree(const choice *o, int bt, st_kernel *best) {
    search f = {o, best, 0};
    int lanes = o->wish->lanes ? o->wish->lanes : o->g->processor.lanes;
    try_lanes(&f, bt, lanes);
    if (!o->wish->lanes && lanes > GPU_HALF_WAVE && o->s->rank == 3)
        try_lanes(&f, bt, GPU_HALF_WAVE);
    return f.score;
}

static double rate_of_degree(const void *choice, int bt) {
    st_kernel ignored;
    return best_of_degree(choice, bt, &ignored);
}

int plan_lanes(const char *arch) {
    return cost_find_gpu(arch)->processor.lanes;
}

/* Does the cell kernel make the single steps that the blocked kernels leave over? Its threads have
 * tiles in large grids. Without tiles a stream of one step is faster. For AMD's GPUs this was not
 * measured. */
static bool makes_single_steps(const cost_gpu *g, const st_kernel *cell, const st_kernel *stream) {
    return cost_has_ptxas(g) && cell->thread_tile[0] && plan_rate(cell) >= stream->rate;
}

/* Stream kernels. Do they read an older level? */
static bool choose_streams(st_plan *p, const st_stencil *s, const plan_wish *wish,
                           const cost_gpu *g, const char *prefix) {
    sch_schedule *c = sch_create(s, s->rank == 3);
    choice o = {s, c, wish, g, cost_measure(s, c, g)};
    bool older = c->older >= 0;
    int most =
        wish->bt ? wish->bt : cost_best_degree(rate_of_degree, &o, MAX_DEGREE, p->kernels[0].rate);
    for (int bt = most; bt >= 1; bt /= 2) {
        st_kernel k;
        if (p->count == PLAN_MAX_KERNELS || bt > MAX_DEGREE || best_of_degree(&o, bt, &k) == 0)
            continue;
        if (bt == 1 && most > 1 && !wish->bt && makes_single_steps(g, &p->kernels[0], &k))
            continue;
        snprintf(k.name, sizeof k.name, "%s_stream%d", prefix, bt);
        add_padding(p, s, c, &k);
        p->kernels[p->count++] = k;
    }
    sch_destroy(c);
    return older;
}

st_plan plan_choose(const st_stencil *s, const plan_wish *wish, const char *arch,
                    const char *prefix) {
    st_plan p = {.count = 1};
    const cost_gpu *g = cost_find_gpu(arch);
    bool older = false;
    if (wish->bricks.wanted && !plan_why_not_bricks(s))
        return plan_cell(s, wish, true, arch, prefix);
    p.kernels[0] = cell_kernel(s, g, prefix);
    p.kernels[0].shuffles = wish->shuffle && can_shuffle(s, &p.kernels[0]);
    if (!plan_why_not_blocked(s)) {
        if (s->rank == 1)
            strip_choose(&p, s, wish, g, prefix);
        else
            older = choose_streams(&p, s, wish, g, prefix);
        if (wish->on_chip)
            resident_choose(&p, s, g, wish, prefix, false);
    }
    list_parameters(&p, s, older);
    return p;
}

static void print_cell(const st_kernel *k, FILE *out) {
    const int *tile = k->thread_tile;
    fprintf(out, "%s: a thread a cell, block %dx%dx%d", k->name, k->block[0], k->block[1],
            k->block[2]);
    if (tile[0])
        fprintf(out, "; of large grids a thread has %dx%dx%d cells, predicted %.0f GCells/s",
                tile[0], tile[1], tile[2], 1e-9 * cells_of_block(k) / k->tile_time);
    if (k->brick[0])
        fprintf(out, "; arrays in bricks of %dx%dx%d cells", k->brick[0], k->brick[1], k->brick[2]);
    fprintf(out, "%s", k->shuffles ? "; neighbours by shuffles" : "");
    fputc('\n', out);
}

static void print_steps(const st_kernel *k, FILE *out) {
    if (k->parts)
        fprintf(out, "%s: bT 1, part %d of %d of a step, tile %d", k->name, k->part, k->parts,
                k->tile[0]);
    else
        fprintf(out, "%s: bT %d whole steps, tile %d", k->name, k->bt, k->tile[0]);
    if (k->tile[1] > 1)
        fprintf(out, "x%d, %d warps", k->tile[1], k->warps);
    fprintf(out, ", %d cells ", k->cells);
    if (k->tile[1] > 1)
        fprintf(out, "of %d rows ", k->rows);
    fprintf(out, "a lane, prefetch %d, unroll %d", k->ahead, k->unroll);
    if (k->keep)
        fprintf(out, ", %d rows stay", k->stay);
    fprintf(out, "; predicted %.0f GCell-steps/s by %s, with %d registers, %d blocks a processor\n",
            1e-9 * k->rate, k->bound, k->takes, k->resident);
}

static void print_resident(const st_kernel *k, FILE *out) {
    const int *tile = k->thread_tile;
    fprintf(out,
            "%s: all steps on chip, tile %dx%dx%d, %d warps, %d along z, %d cells of %d rows of %d "
            "planes a lane, scratchpad %d bytes\n",
            k->name, tile[0], tile[1], tile[2], k->warps, k->warp_planes, k->cells, k->rows,
            k->planes, k->scratchpad);
}

void plan_print(const st_plan *p, FILE *out) {
    for (int i = 0; i < p->count; i++) {
        const st_kernel *k = &p->kernels[i];
        if (k->kind == ST_CELL)
            print_cell(k, out);
        else if (k->kind == ST_STEPS)
            print_steps(k, out);
        else if (k->kind == ST_RESIDENT)
            print_resident(k, out);
        else if (k->kind == ST_STRIP)
            fprintf(
                out,
                "%s: bT %d, tile %d, %d warps, %d cells a lane, %d levels a round, %d lanes%s%s; "
                "predicted %.0f GCells/s by %s, with %d registers, %d blocks a processor\n",
                k->name, k->bt, k->tile[0], k->warps, k->cells, k->depth, k->lanes,
                k->keep ? "" : ", coefficients loaded at each", k->packed ? ", packed" : "",
                1e-9 * k->rate, k->bound, k->takes, k->resident);
        else
            fprintf(out,
                    "%s: bT %d, tile %dx%d, %d warps, %d cells of %d rows a lane, prefetch %d, "
                    "%d lanes, scratchpad %d bytes%s%s; predicted %.0f GCells/s by %s, with %d "
                    "registers, %d blocks a processor\n",
                    k->name, k->bt, k->tile[0], k->tile[1], k->warps, k->cells, k->rows, k->depth,
                    k->lanes, k->scratchpad, k->waits > 1 ? ", two planes wait in registers" : "",
                    k->packed ? ", packed" : "", 1e-9 * k->rate, k->bound, k->takes, k->resident);
    }
}
