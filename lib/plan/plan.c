/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plan.h"

#include "schedule.h"
#include "strip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int max(int a, int b) {
    return a > b ? a : b;
}
static int min(int a, int b) {
    return a < b ? a : b;
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
    bool newer = false, older = false;
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i];
        if (a->grid != s->store_grid) {
            if (s->grids[a->grid].buffers != 1)
                return "several arrays rotate";
            continue;
        }
        int back = sch_steps_back(s, a);
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
 * margin of them. Along x that takes reading them from scratchpad instead of shuffling, so it is
 * done where it makes the halo smaller, which is whole vectors. */
static bool complete(const st_stencil *s, const sch_schedule *c, st_kernel *k) {
    int size = (int)st_type_size(s->grids[s->store_grid].type), bytes = k->cells * size;
    int levels = k->bt - 1, whole = round_up(k->bt * c->radius[0], k->cells);
    bool deep = s->rank == 3;
    k->kind = ST_STREAM;
    k->halo[0] = round_up(levels * c->radius[0], k->cells);
    k->margin[0] = k->halo[0] < whole ? round_up(c->radius[0], k->cells) : 0;
    k->halo[1] = deep ? levels * c->radius[1] : 0;
    k->margin[1] = deep ? c->radius[1] : 0;
    k->tile[0] = PLAN_WARP * k->cells - 2 * k->halo[0];
    k->tile[1] = deep ? k->warps * k->rows - 2 * k->halo[1] : 1;
    k->lag = max(deep ? c->exchange_lags : 0, k->margin[0] ? c->x_lags : 0);
    k->ahead = k->depth - 1 - k->lag;
    k->lead = -k->bt * c->least;
    k->overlap = k->bt * (c->last - c->least);
    k->block[0] = PLAN_WARP * k->warps;
    k->block[1] = k->block[2] = 1;
    int ring = k->depth * (k->warps * k->rows + 2 * k->margin[1]) *
               (PLAN_WARP + 2 * k->margin[0] / k->cells);
    int shared = c->exchange_lags && levels ? c->exchange_lags + 1 : 0;
    int exchanged =
        shared * levels * (k->warps + 2) * min(k->rows, 2 * c->radius[1]) * PLAN_WARP;
    if (c->older >= 0)
        ring += k->depth * k->warps * k->rows * PLAN_WARP;
    k->scratchpad = (ring + exchanged) * bytes;
    bool reach = k->margin[1] == 0 || (k->warps > 1 && (levels == 0 || k->rows >= c->radius[1]));
    bool turns = shared == 0 || k->unroll == 1 || k->depth % shared == 0;
    bool vector = bytes % 16 == 0 && (k->cells & (k->cells - 1)) == 0; /* LLVM pads odd ones */
    return k->tile[0] > 0 && k->tile[1] > 0 && k->cells * k->rows <= 32 && vector &&
           reach && turns && k->ahead >= 1 && k->margin[0] <= PLAN_WARP / 2 * k->cells &&
           k->scratchpad <= 160 * 1024 && k->block[0] <= 1024 && k->cells <= 16;
}

static void add_padding(st_plan *p, const st_stencil *s, const sch_schedule *c,
                        const st_kernel *k) {
    int stream = s->rank - 1;
    for (int d = 0; d < stream; d++) {
        int unit = d ? k->rows : k->cells;
        int loaded = 2 * (c->radius[d] + unit) + k->margin[d] + PLAN_LOAD_UNIT;
        p->pad_low[d] = max(p->pad_low[d], k->halo[d] + k->margin[d]);
        p->pad_high[d] = max(p->pad_high[d], max(k->tile[d] + k->halo[d], loaded));
    }
    p->pad_low[stream] = max(p->pad_low[stream], k->lead + k->bt * c->last + k->lag + max(0, c->older_phase));
    p->pad_high[stream] = max(p->pad_high[stream], k->overlap - k->lead + 2 * k->depth + max(0, -c->older_phase));
}

/* The cost model */

/* What the model knows of a GPU. NVIDIA's data sheets and the CUDA C++ Programming Guide
 * ("Technical Specifications"); where `measured`, copy bandwidth and the two utilisations come from
 * one H200 (tools/bench/results). */
typedef struct gpu {
    const char *arch;
    double processors, clock, bandwidth; /* SMs, Hz, bytes a second */
    double double_rate;                  /* FP64 instructions to FP32's */
    int scratchpad;                      /* bytes an SM */
    bool copies;                         /* to scratchpad, asynchronously */
} gpu;

static const gpu gpus[] = {
    {"sm_75", 40, 1.59e9, 0.27e12, 1.0 / 32, 64 << 10, false}, /* T4 */
    {"sm_80", 108, 1.41e9, 1.3e12, 0.5, 164 << 10, true},      /* A100 40 GB */
    {"sm_86", 84, 1.70e9, 0.6e12, 1.0 / 64, 100 << 10, true},  /* RTX 3090, A40 */
    {"sm_89", 142, 2.4e9, 0.85e12, 1.0 / 64, 100 << 10, true}, /* L40 */
    {"sm_90", 132, 1.98e9, 4.23e12, 0.5, 227 << 10, true},     /* H200, measured */
    {"sm_100", 148, 1.85e9, 6.8e12, 0.5, 227 << 10, true},     /* B200 */
};

/* Share of the issue slots that a kernel uses in the steady state: warps of their own in 2-D;
 * in 3-D all wait for the barrier of each plane. */
static const double issue_share[] = {[2] = 0.85, [3] = 0.6};
static const double bandwidth_share = 0.95;

/* The GPU to plan for. Default PTX runs on all newer ones: the newest one measured stands for them.
 */
static const gpu *find_gpu(const char *arch) {
    const gpu *found = &gpus[4];
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++)
        if (arch && !strcmp(arch, gpus[i].arch))
            found = &gpus[i];
    return found;
}

typedef struct work {
    int words;         /* 32-bit registers a cell */
    double issues;     /* instructions a cell and level */
    double operations; /* of these, the expression's */
    int window;        /* values of neighbours that a cell row needs at hand */
    int ahead;         /* words a cell that wait in registers to be copied */
} work;

/* Is it a division by a constant that may become a multiplication? */
static bool is_cheap_division(const st_stencil *s, const st_node *n) {
    return n->op == ST_FDIV && (n->flags & ST_ARCP) && s->nodes[n->args[1]].op == ST_CONST;
}

/* Instructions of an operation. */
static double node_cost(const st_stencil *s, const st_node *n) {
    static const double cost[] = {
        [ST_LEAF] = 0, [ST_FREE] = 0, [ST_ALU] = 1, [ST_SLOW] = 10, [ST_MATH] = 30};
    return is_cheap_division(s, n) ? 1 : cost[st_ops[n->op].cls];
}

static work measure_work(const st_stencil *s, const sch_schedule *c, const gpu *g) {
    int size = (int)st_type_size(s->grids[s->store_grid].type), cells = max(16 / size, 1);
    work w = {.words = (size + 3) / 4, .issues = 0.8};
    w.ahead = g->copies ? 0 : w.words;
    bool rows[4 * ST_MAX_RADIUS + 2] = {false}; /* rows whose neighbours along x are used */
    for (size_t i = 0; i < s->nnodes; i++) {
        const st_node *n = &s->nodes[i];
        double one = node_cost(s, n);
        w.issues += n->type == ST_F64 ? one / g->double_rate : one;
        w.operations += one;
    }
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i];
        int other = s->rank == 3 ? a->offset[1] : 0;
        if (a->grid != s->store_grid)
            w.issues += 3; /* a load and its address */
        else if (sch_steps_back(s, a) > 1)
            continue;
        else if (a->offset[0] && c->lags == 0)
            rows[2 * ST_MAX_RADIUS] = true; /* each plane's neighbours are fetched as it arrives */
        else if (a->offset[0])
            rows[2 * ST_MAX_RADIUS + other] = true;
    }
    for (size_t i = 0; i < sizeof rows; i++)
        w.window += rows[i] ? 2 * c->radius[0] : 0;
    w.issues += (double)w.window * w.words * (w.words > 1 ? 2.5 : 1) / cells;
    return w;
}

/* What more it takes to read an older level, and other grids beside: fitted like the rest. */
static double estimate_older(const st_stencil *s, const sch_schedule *c, const work *w,
                             const st_kernel *k) {
    double more = s->rank == 3 ? 2.5 * (k->bt - 1) * (k->bt - 1) + 9 * (c->radius[1] - 1) * w->words
                               : max(0, 2 * (k->bt - 4));
    for (size_t i = 0; i < s->naccesses; i++)
        if (s->accesses[i].grid != s->store_grid && !s->grids[s->accesses[i].grid].broadcast)
            more += 12 * k->bt;
    return more;
}

/* Of a thread: what the levels keep, the plane in hand and the one being made, neighbours, and
 * addresses. Fitted to ptxas 13.0's figures for the suite, which it exceeds rather than not. */
static int estimate_registers(const st_stencil *s, const sch_schedule *c, const work *w,
                              const st_kernel *k) {
    bool deep = s->rank == 3;
    double cells = k->cells * k->rows * w->words, kept = k->bt * sch_carried(s, c) * cells;
    kept -= (sch_kept(c) - c->lags) * cells; /* the last level is no older one */
    double around = deep ? 2 * c->radius[1] * k->cells * w->words : 0;
    double body = w->operations * w->words / 8; /* what a long body keeps ready */
    body *= deep ? w->words : 1;
    kept *= deep ? 1.25 + 0.25 * (k->rows - 2) : 1.25;
    body += !deep                ? (k->depth - 4) * w->operations * w->words / 24
            : w->operations > 30 ? (k->depth - 2) * w->operations * w->words * w->words / 5
                                 : 0;
    body += w->ahead * k->cells * k->rows;
    body += c->older < 0 ? 0 : estimate_older(s, c, w, k);
    return (int)(kept + (deep ? 2 : 1) * cells + w->window * w->words + around + body + 36);
}

/* Cell updates a second. Two limits, smoothly joined: instructions issued and bytes moved. */
static double predict(const st_stencil *s, const sch_schedule *c, const work *w, const gpu *g,
                      const st_kernel *k, const char **bound) {
    double kept = 1, size = (double)st_type_size(s->grids[s->store_grid].type), chunk = 250;
    for (int d = 0; d + 1 < s->rank; d++)
        kept *= (double)k->tile[d] / (k->tile[d] + 2 * k->halo[d]);
    chunk = s->rank == 3 ? 100 : chunk;
    kept *= chunk / (chunk + k->overlap);
    double lanes = g->processors * 128 * g->clock * issue_share[s->rank];
    double issue = lanes / w->issues * kept;
    double bytes = size * (1 / kept + 1);
    if (c->older >= 0)
        bytes += size * (1 / kept + (k->bt > 1));
    for (size_t i = 0; i < s->ngrids; i++)
        if ((int32_t)i != s->store_grid && !s->grids[i].broadcast)
            bytes += (double)st_type_size(s->grids[i].type) * k->bt / kept;
    double memory = g->bandwidth * bandwidth_share / bytes * k->bt;
    *bound = issue < memory ? "instruction issue" : "memory bandwidth";
    return 1 / cbrt(1 / (issue * issue * issue) + 1 / (memory * memory * memory));
}

enum { REGISTER_FILE = 65536, MOST_REGISTERS = 248 };

/* Blocks that a processor holds at a time. */
static int resident_blocks(const gpu *g, const st_kernel *k, int registers) {
    int by_registers = REGISTER_FILE / (k->block[0] * ((registers + 7) / 8 * 8));
    int by_scratchpad = g->scratchpad / k->scratchpad;
    return by_registers < by_scratchpad ? by_registers : by_scratchpad;
}

/* What few warps and a short prefetch leave of a rate, fitted to tools/bench/search on one H200. */
static double latency_share(int rank, int warps, int depth) {
    double share = depth >= 8 ? 1 : depth >= 4 ? 0.97 : rank == 3 ? 0.93 : 0.85;
    if (rank == 3)
        return share * (warps >= 16 ? 1 : warps >= 12 ? 0.98 : 0.96);
    return share * (warps >= 20 ? 1 : warps >= 16 ? 0.96 : warps >= 12 ? 0.92 : 0.84);
}

/* Candidates */

enum {
    MAX_DEGREE = 16,
    MAX_INSTRUCTIONS = 6000, /* of a loop: beyond, compiling takes seconds and caches overflow */
};

static const int warps_2d[] = {4, 0}, warps_3d[] = {16, 12, 8, 0};
static const int rows_2d[] = {1, 0}, rows_3d[] = {1, 2, 3, 4, 0};
static const int depths_2d[] = {8, 4, 2, 0}, depths_3d[] = {6, 4, 3, 0};

static bool fits(const st_stencil *s, const sch_schedule *c, const work *w, const gpu *g,
                 const st_kernel *k) {
    int registers = estimate_registers(s, c, w, k), least = s->rank == 2 ? 2 : 1;
    /* Pairs of registers fragment the file: with many rows of them ptxas spills early. */
    if (s->rank == 3 && w->words > 1 && (k->rows > max(2, c->radius[1]) || w->operations > 100))
        return false;
    double size = w->issues * k->bt * k->cells * k->rows * k->unroll;
    return registers <= MOST_REGISTERS && resident_blocks(g, k, registers) >= least &&
           size <= MAX_INSTRUCTIONS;
}

typedef struct choice {
    const st_stencil *s;
    const sch_schedule *c;
    const plan_wish *wish;
    const gpu *g;
    work w;
} choice;

/* How good a candidate is: its predicted rate; 0 if it cannot be had. One that does not fit the
 * estimates is a last resort, and only where the user forces something. */
static double score(const choice *o, bool forced, st_kernel *k) {
    if (!complete(o->s, o->c, k))
        return 0;
    bool fit = fits(o->s, o->c, &o->w, o->g, k);
    int registers = estimate_registers(o->s, o->c, &o->w, k);
    int warps = resident_blocks(o->g, k, registers) * k->warps;
    /* Without copies one plane is loaded ahead, and a longer loop only fills the caches. */
    double share = o->g->copies ? latency_share(o->s->rank, warps, k->depth)
                                : latency_share(o->s->rank, warps, 2) * (1 - 0.005 * k->depth);
    k->rate = predict(o->s, o->c, &o->w, o->g, k, &k->bound) * share;
    return fit ? k->rate : forced ? 1e-6 * k->rate : 0;
}

static int choose_unroll(const choice *o, const st_kernel *k) {
    double plane = o->w.issues * k->bt * k->cells * k->rows;
    if (o->wish->unroll)
        return o->wish->unroll == 1 ? 1 : k->depth;
    return plane * k->depth <= MAX_INSTRUCTIONS ? k->depth : 1;
}

/* The best kernel of degree bt; 0 and *best unchanged if none fits. What the user forces need not
 * fit the estimates. */
static double best_of_degree(const choice *o, int bt, st_kernel *best) {
    const plan_wish *wish = o->wish;
    bool deep = o->s->rank == 3, forced = wish->rows || wish->warps || wish->depth || wish->bt;
    int size = (int)st_type_size(o->s->grids[o->s->store_grid].type);
    double best_score = 0;
    for (const int *warps = deep ? warps_3d : warps_2d; *warps; warps++)
        for (const int *rows = deep ? rows_3d : rows_2d; *rows; rows++)
            for (const int *depth = deep ? depths_3d : depths_2d; *depth; depth++) {
                st_kernel k = {.bt = bt, .registers = wish->registers};
                k.cells = wish->cells ? wish->cells : max(16 / size, 1);
                k.rows = wish->rows ? wish->rows : *rows;
                k.warps = wish->warps ? wish->warps : *warps;
                k.depth = wish->depth ? wish->depth : *depth;
                k.unroll = choose_unroll(o, &k);
                double one = score(o, forced, &k);
                if (one > best_score) {
                    best_score = one;
                    *best = k;
                }
            }
    return best_score;
}

static int choose_degree(const choice *o) {
    double rate = 0;
    int best = 0;
    for (int bt = 1; bt <= MAX_DEGREE; bt++) {
        st_kernel k;
        double one = best_of_degree(o, bt, &k);
        if (one > rate * 1.02) {
            rate = one;
            best = bt;
        }
    }
    return best;
}

st_plan plan_choose(const st_stencil *s, const plan_wish *wish, const char *arch,
                    const char *prefix) {
    st_plan p = {.count = 1};
    p.kernels[0] = cell_kernel(s, prefix);
    if (plan_why_not_blocked(s))
        return p;
    const gpu *g = find_gpu(arch);
    if (s->rank == 1) {
        strip_gpu limits = {g->processors, g->clock, g->bandwidth, g->double_rate, node_cost};
        strip_choose(&p, s, wish, &limits, prefix);
        return p;
    }
    sch_schedule *c = sch_create(s, s->rank == 3);
    choice o = {s, c, wish, g, measure_work(s, c, g)};
    for (int bt = wish->bt ? wish->bt : choose_degree(&o); bt >= 1; bt /= 2) {
        st_kernel k;
        if (p.count == PLAN_MAX_KERNELS || bt > MAX_DEGREE || best_of_degree(&o, bt, &k) == 0)
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
        else if (k->kind == ST_STRIP)
            fprintf(out,
                    "%s: bT %d, tile %d, %d warps, %d cells a lane, %d levels a round%s; "
                    "predicted %.0f GCells/s by %s\n",
                    k->name, k->bt, k->tile[0], k->warps, k->cells, k->depth,
                    k->keep ? "" : ", coefficients loaded at each", 1e-9 * k->rate, k->bound);
        else
            fprintf(out,
                    "%s: bT %d, tile %dx%d, %d warps, %d cells of %d rows a lane, prefetch %d, "
                    "scratchpad %d bytes; predicted %.0f GCells/s by %s\n",
                    k->name, k->bt, k->tile[0], k->tile[1], k->warps, k->cells, k->rows, k->depth,
                    k->scratchpad, 1e-9 * k->rate, k->bound);
    }
}
