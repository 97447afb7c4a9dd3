/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The time of a cell, in seconds of the whole GPU. It is the sum of what the memory moves, what the
 * first-level cache and the scratchpad deliver, what is computed, and the fixed work of a thread.
 * They are added because a warp waits for one after the other, and other warps do not hide all of
 * it. OVERHEAD is fitted to a 5-point stencil on an H200 (blocks of 32x8, float). With it, stencils
 * of 9 and 81 points, original and rewritten by hand, are within 15 % of the measurement. RETURN:
 * the tests of a thread without work. SHARE: what a thread does more where its block loads cells
 * for all of its threads: it finds its part of them, and waits.
 *
 * What a source costs. L1: each cell that a thread reads, once. Scratchpad: the block's cells with
 * their halo are loaded and stored once, and read as from L1. Registers: a warp's cells with their
 * halo are loaded once; what another lane has takes an exchange, which goes through the
 * scratchpad's paths. Neighbouring lanes read neighbouring words in all of them, so that banks do
 * not conflict.
 *
 * What the program's own body already saves is not saved again. A thread that has several cells
 * reads what they share once, unless it stores between its reads to what may be the same memory. A
 * thread that walks along a dimension has its fixed work once for all planes; WALK is what it does
 * for each: it counts, tests for the end and moves its addresses. It may keep cells for the next
 * plane, which the new body reads again. What the new body's entry must divide, all threads of the
 * launch divide, those without cells too. DIVIDE: a division of 32 bits is about 20 instructions,
 * of which three are a quarter as fast.
 */
#include "plan/block/rate.h"

#include "plan/block/facts.h"

#include <stdlib.h>
#include <string.h>

enum { OVERHEAD = 30, RETURN = 10, SHARE = 24, WALK = 8, DIVIDE = 30 };

/* A block as most programs have it, in threads. */
static const int usual[ST_MAX_RANK + 1][ST_MAX_RANK] = {
    {1, 1, 1}, {256, 1, 1}, {32, 8, 1}, {32, 4, 2}};

static bool same_cell(const st_access *a, const st_access *b) {
    return a->grid == b->grid && !memcmp(a->offset, b->offset, sizeof a->offset);
}

/* The access as another cell of the thread makes it, `by` cells on along dim. */
static st_access moved(const st_stencil *s, const st_access *a, int dim, int by) {
    st_access m = *a;
    m.offset[dim] += s->grids[a->grid].broadcast >> dim & 1 ? 0 : by;
    return m;
}

static bool is_known(const st_access *seen, size_t count, const st_access *a) {
    for (size_t k = 0; k < count; k++)
        if (!seen[k].conditional && same_cell(&seen[k], a))
            return true;
    return false;
}

size_t blk_cells_read(const st_stencil *s, const blk_plan *p) {
    size_t count = 0, own = (size_t)(p->coarsen * p->vector);
    st_access *seen = calloc(s->naccesses * own + 1, sizeof *seen);
    bool *lone = calloc(s->naccesses + 1, sizeof *lone);
    blk_find_lone(s, lone);
    for (int c = 0; c < p->coarsen; c++)
        for (int v = 0; v < p->vector; v++)
            for (size_t i = 0; i < s->naccesses; i++) {
                st_access a = moved(s, &s->accesses[i], p->dim, c);
                a = moved(s, &a, 0, v);
                a.conditional = lone[i];
                if (lone[i] || !is_known(seen, count, &a))
                    seen[count++] = a;
            }
    free(seen);
    free(lone);
    return count;
}

/* For each of its own cells. */
static double count_taps(const st_stencil *s, const blk_plan *p) {
    return (double)blk_cells_read(s, p) / (p->coarsen * p->vector);
}

/* Reads of neighbours whose distance along x is not 0, for each cell. */
static double count_beside(const st_stencil *s) {
    size_t count = 0;
    for (size_t i = 0; i < s->naccesses; i++)
        count += s->accesses[i].offset[0] != 0;
    return (double)count;
}

/* Are neighbours read of the grid? */
static bool has_neighbours(const st_stencil *s, int32_t grid) {
    for (size_t i = 0; i < s->naccesses; i++)
        if (s->accesses[i].grid == grid && !st_is_own(&s->accesses[i]))
            return true;
    return false;
}

/* Cells that are loaded of a grid for each of the block's or the warp's own cells. */
static double with_halo(const st_stencil *s, int32_t grid, const blk_plan *p) {
    int32_t low[ST_MAX_RANK], high[ST_MAX_RANK];
    double share = 1;
    st_halo(s, grid, low, high);
    for (int d = 0; d < s->rank && !(s->grids[grid].broadcast & 1); d++) {
        bool waves = p->cache == BLK_REG && d > 0;
        double own = waves ? 1 : usual[s->rank][d];
        own *= d == p->dim ? p->coarsen : 1;
        share *= (own + high[d] - low[d]) / own;
    }
    return share;
}

typedef struct counts {
    double l1, scratchpad; /* cells that pass through them, for each cell of the grid */
    double fixed;          /* instructions of a thread */
} counts;

/* Elements that are stored for each cell. Those that only threads at a border store are few. */
static double count_stores(const st_stencil *s) {
    return blk_masks_borders(s) ? 1 : 1 + (double)s->nalso;
}

static counts count(const st_stencil *s, const blk_launch *l, const blk_plan *p) {
    counts c = {.fixed = l->walks ? WALK : OVERHEAD, .l1 = count_stores(s)};
    if (p->cache == BLK_L1) {
        c.l1 += count_taps(s, p);
        return c;
    }
    for (size_t g = 0; g < s->ngrids; g++) {
        if (!st_reads_grid(s, (int32_t)g))
            continue;
        bool shared = has_neighbours(s, (int32_t)g);
        double loaded = shared ? with_halo(s, (int32_t)g, p) : 1;
        c.l1 += loaded;
        c.scratchpad += shared && p->cache == BLK_LDS ? loaded : 0;
    }
    c.scratchpad += p->cache == BLK_LDS ? count_taps(s, p) : count_beside(s);
    c.fixed += SHARE;
    return c;
}

static double moved_bytes(const st_stencil *s) {
    double bytes = 0;
    for (size_t g = 0; g < s->ngrids; g++)
        bytes += s->grids[g].broadcast ? 0 : (double)st_type_size(s->grids[g].type);
    return bytes;
}

/* What a thread of the program computes, as a plan. */
static blk_plan own_cells(const st_stencil *s, const blk_launch *l) {
    blk_plan own = {.cache = BLK_L1, .coarsen = 1, .vector = 1, .dim = s->rank - 1};
    own.vector = l->cells[0] > 1 ? l->cells[0] : 1;
    for (int d = 1; d < s->rank; d++)
        if (l->cells[d] > own.coarsen) {
            own.coarsen = l->cells[d];
            own.dim = d;
        }
    return own;
}

/* The work of a thread beside its cells, for each of them. `threads` of the program become one; the
 * others return, or walk along with it. */
static double fixed_of_cell(const blk_launch *l, const counts *c, double threads, double cells) {
    double returns = l->walks ? 0 : (threads - 1) * RETURN;
    return (c->fixed + returns) / cells;
}

/* The time of a cell where `threads` of the program become one, which has c->fixed. */
static double time_of(const st_stencil *s, const blk_launch *l, const counts *c, double threads,
                      double cells) {
    const gpu_facts *gpu = l->gpu;
    st_type type = s->grids[s->store_grid].type;
    double operations = st_operation_count(s);
    double cycle = gpu->processors * gpu->clock, words = st_type_size(type) > 4 ? 2 : 1;
    if (type == ST_F64)
        operations /= gpu->double_rate;
    return moved_bytes(s) / gpu->bandwidth + c->l1 * words / (cycle * gpu->l1_words) +
           c->scratchpad * words / (cycle * gpu->processor.words) +
           (operations + fixed_of_cell(l, c, threads, cells)) / (cycle * gpu_lanes(gpu));
}

/* What the program's own body counts. Where its threads have cells side by side, the words that a
 * warp loads or stores lie apart: that takes as long as all the words in between. Components may be
 * loaded at once. A thread's cells share nothing if it stores in between, or if they are a block's
 * width apart. */
static counts count_own(const st_stencil *s, const blk_launch *l, blk_plan own) {
    bool components = own.vector > 1 && !l->reads_between && blk_has_components(s, l);
    int words = l->cells_apart || components ? 1 : own.vector;
    if (l->reads_between || l->cells_apart)
        own.coarsen = own.vector = 1;
    counts c = count(s, l, &own);
    c.l1 = (c.l1 - (l->carries < c.l1 - 1 ? l->carries : 0)) * words;
    return c;
}

double blk_gain(const st_stencil *s, const blk_launch *l, const blk_plan *p) {
    blk_plan own = own_cells(s, l);
    double own_count = own.coarsen * own.vector, cells = p->coarsen * p->vector;
    double threads = cells > own_count ? cells / own_count : 1;
    counts before = count_own(s, l, own), after = count(s, l, p);
    if (l->divides)
        after.fixed += threads * DIVIDE;
    return time_of(s, l, &before, 1, own_count) / time_of(s, l, &after, threads, cells);
}
