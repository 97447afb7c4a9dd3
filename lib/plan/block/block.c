/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Plans spatial blocking in a GPU kernel. It predicts what several cells a thread save: loads of
 * cells that several of them read, and the fixed work of a thread.
 */
#include "plan/block/block.h"

#include "plan/block/facts.h"
#include "plan/block/rate.h"
#include "plan/block/worth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int choose_dim(const st_stencil *s, const blk_launch *l, const blk_wish *wish) {
    if (wish->dim >= 0)
        return wish->dim > 0 && wish->dim < s->rank && l->can_coarsen[wish->dim] ? wish->dim : -1;
    for (int d = s->rank; d-- > 1;)
        if (l->can_coarsen[d])
            return d;
    return -1;
}

/* Do the cells that are read of the grid form a box, or a star, without gaps but its own cell?
 * Along x, each `step` is a cell: cells may have components. */
static bool is_dense(const st_stencil *s, int32_t grid, int step) {
    int32_t low[ST_MAX_RANK], high[ST_MAX_RANK], at[ST_MAX_RANK];
    bool box = true, star = true;
    st_halo(s, grid, low, high);
    if (low[0] % step)
        return false;
    for (at[2] = low[2]; at[2] <= high[2]; at[2]++)
        for (at[1] = low[1]; at[1] <= high[1]; at[1]++)
            for (at[0] = low[0]; at[0] <= high[0]; at[0] += step) {
                int moved = (at[0] != 0) + (at[1] != 0) + (at[2] != 0);
                bool read = st_reads(s, grid, at);
                box &= read || moved == 0;
                star &= moved == 0 || read == (moved == 1);
            }
    return box || star;
}

/* 16 bytes, the most that a thread loads at once. */
static int choose_vector(const st_stencil *s, const blk_launch *l, const blk_wish *wish,
                         blk_cache cache) {
    int most = 16 / (int)st_type_size(s->grids[s->store_grid].type);
    bool can = cache == BLK_L1 && l->can_coarsen[0] && !st_has_records(s);
    for (size_t i = 0; i < s->ngrids; i++) {
        int fits = 16 / (int)st_type_size(s->grids[i].type);
        most = fits < most ? fits : most;
        can &= s->grids[i].broadcast & 1 || is_dense(s, (int32_t)i, 1) ||
               (l->cells[0] > 1 && is_dense(s, (int32_t)i, l->cells[0]));
    }
    most = most > 4 ? 4 : most;
    return !can ? 1 : wish->vector && wish->vector < most ? wish->vector : most;
}

/* The choices from here on follow measurements on an H200: tools/bench/results/kernels-h200.txt. */

enum { FEWEST = 5, SMALL = BLK_SMALL_STENCIL, LARGE = BLK_LARGE_STENCIL }; /* cells read */

/* Cells of a thread along y or z, where it has vectors along x. More than one pays only for large
 * stencils, and in double only for boxes: others take more registers than the shared loads are
 * worth. A star of 33 cells in double ran at 0.4 of its rate with four (H200). */
static int choose_coarsen(const st_stencil *s) {
    bool sums = s->nodes[s->root].flags & ST_REASSOC; /* sums of rows can be shared */
    if (s->naccesses <= LARGE || s->rank == 3)
        return 1;
    return blk_is_wide(s) ? blk_is_box(s) ? 4 : 1 : sums ? 2 : 1;
}

/* The plan for rows that are not aligned for vectors: several cells along y or z. False if no such
 * plan is faster than the program's own body. */
static bool choose_other(const st_stencil *s, const blk_launch *l, blk_plan *other) {
    bool far = blk_radius(s) > 1, wide = blk_is_wide(s), large = s->naccesses > LARGE;
    /* Reads under conditions on values, in float: 1.39 to 1.45 with 4, 1.03 to 1.06 with 2. */
    bool lone = !wide && blk_has_lone(s);
    other->dim = s->rank == 3 && large ? 2 : 1;
    /* A row's load would wait behind the store of the row before: 0.71 to 0.98 (H100). */
    if (blk_reads_written(s) || s->nalso > 0)
        return false;
    if (s->rank == 1 || !l->along_x || blk_block_threads(s, l) >= GPU_BLOCK_THREADS ||
        !l->can_coarsen[other->dim])
        return false;
    if (s->rank == 2)
        other->coarsen = large || lone ? 4 : wide || far || s->ngrids > 2 ? 2 : 4;
    else
        other->coarsen = large || wide ? 2 : 4;
    bool few = wide && s->naccesses < FEWEST && !blk_has_rules(s); /* 0.9 to 1.09 (H100) */
    bool small = s->rank == 2 ? !wide || (s->ngrids <= 2 && !few)
                              : (s->naccesses <= SMALL && s->ngrids <= 3) || blk_has_rules(s);
    return small || large;
}

/* The registers of a thread; 0: the assembler decides. With more registers, fewer warps would share
 * a processor than with the program's own body. If the kernel does not promise a block size, the
 * largest blocks must still fit. */
static int choose_registers(const st_stencil *s, const blk_launch *l, const blk_plan *p) {
    int threads = blk_block_threads(s, l), most = threads ? 65536 / threads : 64;
    int wanted = 32;
    most = most > 255 ? 255 : most & ~7;
    if (p->cache != BLK_L1)
        return most;
    if (p->vector == 1 && p->coarsen <= 8 && s->naccesses <= SMALL)
        return 0;
    if (s->naccesses <= LARGE && (blk_radius(s) > 1 || s->ngrids > 4))
        wanted = 40;
    if (p->coarsen > 1)
        wanted = 40;
    if (p->vector == 1 || p->coarsen * p->vector > 8 || (p->coarsen > 1 && blk_is_wide(s)) ||
        (s->rank == 3 && s->naccesses > LARGE))
        wanted = 64;
    return wanted < most ? wanted : most;
}

static const int degrees[] = {1, 2, 4, 8};

/* The best number of cells of a thread, and the dimension along which they lie. What the user has
 * chosen stays. */
static void choose_cells(const st_stencil *s, const blk_launch *l, const blk_wish *wish,
                         blk_plan *out) {
    blk_plan best = *out;
    best.gain = 0;
    best.coarsen = 1;
    best.dim = s->rank - 1;
    for (int d = s->rank; d-- > 1;)
        for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++) {
            out->coarsen = wish->coarsen ? wish->coarsen : degrees[i];
            out->dim = d;
            if (!l->can_coarsen[d] || (wish->dim >= 0 && wish->dim != d))
                continue;
            out->gain = blk_gain(s, l, out);
            if (out->gain > best.gain)
                best = *out;
        }
    *out = best;
    out->gain = best.gain > 0 ? best.gain : 1;
}

/* A smaller gain is within the error of the estimate. */
static const double least_gain = 1.04;

/* Fewer cells than these do not fill the GPU if a thread has several. */
static int64_t least_cells(const blk_launch *l, const blk_plan *p) {
    return (int64_t)(l->gpu->processors * gpu_threads(l->gpu)) * p->coarsen * p->vector;
}

/* What the cells of a thread read: with more, the code would not fit into instruction caches. */
static bool is_short(const st_stencil *s, const blk_plan *p) {
    enum { MOST = 2048 };
    return s->naccesses * (size_t)(p->coarsen * p->vector) <= MOST;
}

static void choose_vectors(const st_stencil *s, const blk_launch *l, const blk_wish *wish,
                           blk_plan *out) {
    int dim = choose_dim(s, l, wish);
    out->dim = dim < 0 ? s->rank - 1 : dim;
    out->coarsen = dim < 0 ? 1 : wish->coarsen ? wish->coarsen : choose_coarsen(s);
    out->gain = blk_gain(s, l, out);
}

/* What is wished, and as many cells along y or z as a thread of the program has. */
static blk_wish with_own_cells(const blk_launch *l, const blk_wish *wish) {
    blk_wish w = *wish;
    for (int d = 1; d < ST_MAX_RANK; d++)
        if (l->cells[d] > 1) {
            w.dim = w.dim < 0 ? d : w.dim;
            w.coarsen = w.coarsen < l->cells[d] ? l->cells[d] : w.coarsen;
        }
    return w;
}

static void choose_source(const blk_wish *wish, blk_plan *out) {
    bool planes = out->cache == BLK_REG && !*wish->blocking; /* planes take fewer registers */
    out->blocking = planes || !strcmp(wish->blocking, "2.5d") ? BLK_25D
                    : !strcmp(wish->blocking, "2d")           ? BLK_2D
                                                              : BLK_3D;
    out->wave = !strcmp(wish->wave, "2d") ? 2 : 1;
    bool rows = out->cache == BLK_REG && out->wave == 1; /* this form has simpler code */
    out->load = !strcmp(wish->load, "branch") || (!*wish->load && rows) ? BLK_BRANCH : BLK_CYCLIC;
}

/* Do rows of cells gain more than vectors, beyond the error of the estimate? A column of 8 cells:
 * 1.21 to 1.86 with four rows a thread, 0.89 to 1.32 with vectors; neighbours of which those beyond
 * a border are one cell, in double: 1.26 to 1.47, and 1.15 to 1.21. */
static bool rows_beat_vectors(const st_stencil *s, const blk_launch *l, const blk_plan *plans) {
    const double margin = 1.08;
    if (blk_is_wide(s) && !blk_find_loss(s, l, plans)) /* 0.93 to 1.17, vectors 1.18 to 1.22 */
        return false;
    return s->rank == 2 && l->along_x && !blk_has_own_cells(l) && s->nalso == 0 &&
           plans[1].gain >= margin * plans[0].gain && !blk_find_loss(s, l, &plans[1]);
}

/* The best plan whose neighbours come from out->cache, and the one for rows that are not aligned.
 */
static void choose_plans(const st_stencil *s, const blk_launch *l, const blk_wish *wish,
                         bool forced, blk_plan out[2]) {
    /* A mask of 3 x 3 cells with mirrored borders (H100): with vectors 0.81 to 1.07, with four rows
     * a thread 1.0 to 1.19. */
    bool rows = blk_masks_borders(s) || blk_guards_outputs(s) || blk_repeats_borders(s);
    bool lines = s->rank == 1 || l->flat || (!forced && rows);
    choose_source(wish, out);
    out->vector = lines ? 1 : choose_vector(s, l, wish, out->cache);
    out[1] = out[0];
    out[1].vector = 1;
    choose_cells(s, l, wish, &out[1]);
    if (!forced && !l->flat && out[1].coarsen > 4) {
        out[1].coarsen = 4;
        out[1].gain = blk_gain(s, l, &out[1]);
    }
    if (out->vector > 1)
        choose_vectors(s, l, wish, out);
    if (out->vector == 1 || (!forced && rows_beat_vectors(s, l, out)))
        out[0] = out[1];
    out->registers = wish->registers ? wish->registers : l->walks ? 0 : choose_registers(s, l, out);
    out->least_cells = out[1].least_cells = forced ? 0 : least_cells(l, out);
}

/* What could be gained from each cache. */
static void expect(const st_stencil *s, const blk_launch *l, const blk_wish *wish, blk_hope *hope) {
    for (int cache = BLK_L1; cache <= BLK_REG; cache++) {
        blk_plan plans[2] = {{.cache = (blk_cache)cache}};
        choose_plans(s, l, wish, false, plans);
        hope->gain[cache] = plans->gain;
    }
}

int blk_choose(const st_stencil *s, const blk_launch *l, const blk_wish *wish, blk_plan out[2],
               blk_hope *hope) {
    bool forced = *wish->cache || wish->coarsen || wish->vector;
    blk_wish own = with_own_cells(l, wish);
    memset(out, 0, 2 * sizeof *out);
    memset(hope, 0, sizeof *hope);
    out->cache = !strcmp(wish->cache, "lds")   ? BLK_LDS
                 : !strcmp(wish->cache, "reg") ? BLK_REG
                                               : BLK_L1;
    choose_plans(s, l, &own, forced, out);
    if (forced)
        return out->vector > 1 && l->cells[0] <= 1 ? 2 : 1;
    expect(s, l, &own, hope);
    hope->loss = blk_find_loss(s, l, out);
    if (!hope->loss && !is_short(s, out))
        hope->loss = "it reads too many cells for a short body";
    if (out->gain < least_gain || hope->loss)
        return 0;
    return out->vector > 1 && !blk_has_own_cells(l) && choose_other(s, l, &out[1]) ? 2 : 1;
}

const char *blk_cache_name(blk_cache cache) {
    static const char *const names[] = {"L1", "scratchpad", "registers"};
    return names[cache];
}

void blk_print(const blk_plan *p, char *out, size_t size) {
    int n = snprintf(out, size, "neighbours from %s", blk_cache_name(p->cache));
    if (p->vector > 1)
        n += snprintf(out + n, size - (size_t)n, ", vectors of %d cells", p->vector);
    snprintf(out + n, size - (size_t)n, ", %d cell%s a thread along %c%s", p->coarsen,
             p->coarsen > 1 ? "s" : "", "xyz"[p->dim],
             p->row_sums ? ", sums regrouped by its planes" : "");
}
