/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Chooses the strip kernels of a 1-D stencil: cells a lane, warps, degree bT, and whether
 * coefficients stay in registers.
 */
#include "plan/time/strip.h"

#include "model/number.h"
#include "plan/time/schedule.h"

#include <math.h>
#include <stdlib.h>

enum {
    MAX_DEGREE = 64,
    SECTOR = 32,                            /* bytes: tiles and halos are whole sectors of a line */
    MAX_INSTRUCTIONS = ST_LIMIT(2000, 150), /* of a loop */
    MOST_REGISTERS = 240,
};

/* The stencil's needs, a cell. */
typedef struct needs {
    int size, low, high; /* bytes, reach to either side */
    bool packed;
    double words;      /* registers: of packed cells part of one */
    double step, cell; /* instructions: of each level; of what is the same at all levels */
    double kept;       /* registers for the latter */
    double others;     /* bytes of other grids */
    int loads;         /* accesses to them */
    bool calls;        /* divisions and the like, which are subroutines on the GPU */
} needs;

enum { SAME = 1, CHANGES = 2 }; /* does a node depend on the cell alone, or on the level too? */

static int dependence_of_leaf(const st_stencil *s, const st_node *n) {
    if (sch_is_moving(s, n) || (n->op == ST_SCALAR && s->scalars[n->index].stepped))
        return CHANGES;
    if (n->op == ST_ACCESS)
        return s->grids[s->accesses[n->index].grid].broadcast & 1 ? 0 : SAME;
    return n->op == ST_COORD ? SAME : 0;
}

static int words_of(int type) {
    return st_type_size((st_type)type) > 4 ? 2 : 1;
}

/* Counts the instructions of a level, those of what is the same at all levels, and the registers
 * that keep the latter. */
static void count_work(const st_stencil *s, const cost_gpu *g, needs *need) {
    char *depends = calloc(s->nnodes, 1), *kept = calloc(s->nnodes, 1);
    pk_pack *p = need->packed ? pk_create(s, -1) : pk_create_single(s);
    for (size_t i = 0; i < s->nnodes; i++) {
        const st_node *n = &s->nodes[i];
        double cost = cost_of_packed(s, p, (int32_t)i) - cost_of_pairing(s, n, g);
        cost /= n->type == ST_F64 ? g->double_rate : 1;
        depends[i] = (char)dependence_of_leaf(s, n);
        for (int k = 0; k < st_ops[n->op].arity; k++)
            depends[i] |= depends[n->args[k]];
        for (int k = 0; k < st_ops[n->op].arity && depends[i] & CHANGES; k++)
            kept[n->args[k]] |= depends[n->args[k]] == SAME;
        need->calls |= st_ops[n->op].cls == ST_SLOW;
        *(depends[i] & CHANGES ? &need->step : &need->cell) += depends[i] ? cost : 0;
    }
    kept[s->root] |= depends[s->root] == SAME;
    for (size_t i = 0; i < s->nnodes; i++)
        need->kept += kept[i] ? words_of(s->nodes[i].type) : 0;
    pk_destroy(p);
    free(depends);
    free(kept);
}

static needs find_needs(const st_stencil *s, const cost_gpu *g, bool packed) {
    needs need = {.size = (int)st_type_size(s->grids[s->store_grid].type), .packed = packed};
    need.words = packed ? need.size / 4.0 : (need.size + 3) / 4;
    count_work(s, g, &need);
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i];
        if (a->grid == s->store_grid) {
            need.low = st_max(need.low, -a->offset[0]);
            need.high = st_max(need.high, a->offset[0]);
        } else if (!(s->grids[a->grid].broadcast & 1)) {
            need.loads++;
        }
    }
    for (size_t i = 0; i < s->ngrids; i++)
        if ((int32_t)i != s->store_grid && !(s->grids[i].broadcast & 1))
            need.others += (double)st_type_size(s->grids[i].type);
    return need;
}

/* Fills in what follows from degree, cells and warps. False if there is no such kernel. */
static bool complete(const needs *need, st_kernel *k) {
    int unit = st_max(SECTOR / need->size, 1), strip = k->lanes * k->cells;
    k->kind = ST_STRIP;
    k->packed = need->packed;
    k->halo[0] = st_round_up(k->bt * need->low, unit);
    k->tile[0] = strip - k->halo[0] - st_round_up(k->bt * need->high, unit);
    k->tile[1] = 1;
    k->rows = 1;
    k->block[0] = k->lanes * k->warps;
    k->block[1] = k->block[2] = 1;
    return k->tile[0] > 0 && k->cells * fmin(need->words, 1) <= PLAN_MAX_CELLS &&
           k->cells * need->size % 16 == 0 && k->block[0] <= GPU_BLOCK_THREADS;
}

/* Instructions of a cell and level. */
static double instructions(const needs *need, const st_kernel *k) {
    double shuffles = need->words < 1
                          ? ceil(need->low * need->words) + ceil(need->high * need->words)
                          : (need->low + need->high) * (need->words > 1 ? 2.5 : 1);
    double once = need->cell + need->loads, again = k->keep ? 0 : once;
    double ends = (2.0 * k->cells * need->size / 16 + 30) / k->cells + (k->keep ? once : 0);
    return need->step + again + shuffles / k->cells + 1.0 / k->cells + ends / k->bt;
}

/* The level in hand, the one being made and products on the way. Fitted to ptxas 13.0's figures,
 * which it mostly exceeds. */
static int estimate_registers(const needs *need, const st_kernel *k) {
    double cells = k->packed ? 1.8 * k->cells : 3 * k->cells * need->words; /* fields of 16 bits */
    double around = 0.5 * (need->low + need->high) * need->words;
    double body = need->step * need->words / 8; /* what a long body keeps ready */
    return (int)(cells + around + body + (k->keep ? need->kept * k->cells : 0) + 24);
}

static int limit_registers(int estimate) {
    int limit = st_round_up(estimate + 40, 8);
    return limit < 255 ? limit : 255;
}

static int resident_warps(const cost_gpu *g, const st_kernel *k, int registers) {
    return cost_crowd(g, k, cost_resident(g, k, registers));
}

/* The cycles of the L1 cache for a strip's loads and stores. An access of 16 bytes by every lane
 * takes a cycle for each line that it touches. If lanes are far apart, each lane touches a line of
 * its own. */
static double l1_cycles(const needs *need, const st_kernel *k) {
    double bytes = (double)k->cells * need->size, lines = fmin(bytes * k->lanes / 128, k->lanes);
    double others = need->loads * k->cells / 4.0 * lines * (k->keep ? 1 : k->bt);
    return 2 * bytes / 16 * lines + others;
}

/* Cell updates a second: instructions issued, bytes moved, and accesses to L1, smoothly joined. */
static double predict(const needs *need, const cost_gpu *g, st_kernel *k) {
    double kept = (double)k->tile[0] / (k->lanes * k->cells), cycles = g->processors * g->clock;
    double issue =
        cycles * g->processor.issue * g->processor.lanes * 0.85 / instructions(need, k) * kept;
    double bytes = need->size * (1 / kept + 1) + need->others / kept;
    double memory = g->bandwidth * 0.95 / bytes * k->bt;
    double cache = cycles * k->tile[0] * k->bt / l1_cycles(need, k);
    int warps = resident_warps(g, k, estimate_registers(need, k));
    double latency = warps >= 16 ? 1 : warps >= 12 ? 0.98 : 0.9; /* a lane's cells hide much */
    k->bound = cache < issue && cache < memory ? "the L1 cache"
               : issue < memory                ? "instruction issue"
                                               : "memory bandwidth";
    return latency / cbrt(pow(issue, -3) + pow(memory, -3) + pow(cache, -3));
}

/* Levels a round of the loop: an even number, for registers then come round by themselves. */
static int choose_depth(const needs *need, const st_kernel *k) {
    int depth = k->bt < 4 ? k->bt : 4;
    while (depth > 1 && depth * k->cells * (need->step + need->cell) > MAX_INSTRUCTIONS)
        depth /= 2;
    return depth;
}

static bool fits(const needs *need, const cost_gpu *g, const st_kernel *k) {
    int registers = estimate_registers(need, k);
    return registers <= MOST_REGISTERS && resident_warps(g, k, registers) >= 8 &&
           k->cells >= st_max(need->low, need->high) &&
           k->cells * (need->step + need->cell) <= MAX_INSTRUCTIONS;
}

typedef struct choice {
    const plan_wish *wish;
    const cost_gpu *g;
    needs need;
    needs packed; /* the same if cells share words; `packed` is false where they cannot */
} choice;

/* The score of a candidate, as in plan.c: a kernel that does not fit by the estimates is taken only
 * if the user forces something. */
static double score(const choice *o, st_kernel *k) {
    const plan_wish *wish = o->wish;
    if (!complete(&o->need, k))
        return 0;
    k->depth = wish->depth ? wish->depth : choose_depth(&o->need, k);
    if (!k->registers &&
        o->need.calls) /* without a limit ptxas spills so that one more block fits */
        k->registers = limit_registers(estimate_registers(&o->need, k));
    k->rate = predict(&o->need, o->g, k);
    k->takes = estimate_registers(&o->need, k);
    k->resident = cost_resident(o->g, k, k->takes);
    k->time = (double)k->tile[0] * k->warps * k->bt / k->rate;
    if (fits(&o->need, o->g, k))
        return k->rate;
    return wish->bt || wish->cells || wish->warps ? 1e-6 * k->rate : 0;
}

/* The best kernel of degree bt that has the needs in hand. */
static double best_with(const choice *o, int bt, st_kernel *best) {
    static const int lane_bytes[] = {16, 32, 64, 96, 128, 192, 256};
    const plan_wish *wish = o->wish;
    double best_score = 0;
    for (size_t i = 0; i < sizeof lane_bytes / sizeof *lane_bytes; i++)
        for (int keep = 1; keep >= (o->need.kept == 0); keep--) {
            st_kernel k = {.bt = bt, .registers = wish->registers, .keep = keep};
            k.lanes = wish->lanes ? wish->lanes : o->g->processor.lanes;
            k.cells = wish->cells ? wish->cells : lane_bytes[i] / o->need.size;
            k.warps = wish->warps ? wish->warps : 4;
            double one = score(o, &k);
            if (one > best_score) {
                best_score = one;
                *best = k;
            }
        }
    return best_score;
}

/* The best kernel of degree bt; 0 and *best unchanged if there is none. Small cells are packed
 * where that pays: registers are seldom short. */
static double best_of_degree(const choice *o, int bt, st_kernel *best) {
    double rate = best_with(o, bt, best), other;
    st_kernel k;
    choice packed = *o;
    packed.need = o->packed;
    if (!packed.need.packed || (other = best_with(&packed, bt, &k)) <= rate)
        return rate;
    *best = k;
    return other;
}

/* The rate of a degree, from 2 on, that makes whole rounds of the loop. */
static double rate_of_degree(const void *choice, int bt) {
    st_kernel ignored;
    return bt == 1 || (bt > 4 && bt % 4) ? 0 : best_of_degree(choice, bt, &ignored);
}

void strip_choose(st_plan *p, const st_stencil *s, const plan_wish *wish, const cost_gpu *g,
                  const char *prefix) {
    bool small = pk_is_small(s->grids[s->store_grid].type);
    choice o = {wish, g, find_needs(s, g, false), find_needs(s, g, small)};
    int bt =
        wish->bt ? wish->bt : (int)st_max(cost_best_degree(rate_of_degree, &o, MAX_DEGREE, 0), 1);
    /* The cell kernel makes a single step as well, so degree 1 is there only if asked for. */
    for (; bt > 1 || bt == wish->bt; bt /= 2) {
        st_kernel k;
        if (p->count == PLAN_MAX_KERNELS || best_of_degree(&o, bt, &k) == 0)
            continue;
        snprintf(k.name, sizeof k.name, "%s_strip%d", prefix, bt);
        p->pad_low[0] = st_max(p->pad_low[0], k.halo[0]);
        p->pad_high[0] = st_max(p->pad_high[0], k.lanes * k.cells - k.halo[0]);
        p->kernels[p->count++] = k;
    }
}
