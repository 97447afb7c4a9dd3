/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What coarsening saves: the loads of cells that several of a thread's cells read, and what a
 * thread costs whatever it does.
 */
#include "block.h"

#include "gpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Different cells of the grids that C cells along dim read. */
static size_t count_taps(const st_stencil *s, int dim, int coarsen) {
    size_t count = 0, capacity = s->naccesses * (size_t)coarsen;
    st_access *seen = calloc(capacity + 1, sizeof *seen);
    for (int c = 0; c < coarsen; c++)
        for (size_t i = 0; i < s->naccesses; i++) {
            st_access a = s->accesses[i];
            bool known = false;
            a.offset[dim] += s->grids[a.grid].broadcast >> dim & 1 ? 0 : c;
            for (size_t k = 0; k < count && !known; k++)
                known =
                    seen[k].grid == a.grid && !memcmp(seen[k].offset, a.offset, sizeof a.offset);
            if (!known)
                seen[count++] = a;
        }
    free(seen);
    return count;
}

/* Time a cell takes, in seconds of the whole GPU: what the memory moves, what L1 delivers, what is
 * computed, and what a thread costs whatever it does. They add up, for a warp waits for one after
 * the other, and so many as there are do not hide it all. OVERHEAD is fitted to a 5-point stencil
 * on an H200 (blocks of 32x8, float); 9- and 81-point ones, original and rewritten by hand, are
 * then within 15 % of what was measured. RETURN: the checks of a thread without work. */
enum { L1_LANES = 32, LANES = 128, OVERHEAD = 30, RETURN = 10, RESIDENT = 2048 };

static double cell_time(const st_stencil *s, const gpu_facts *gpu, int dim, int coarsen,
                        double operations) {
    st_type type = s->grids[s->store_grid].type;
    double cells = coarsen, cycle = gpu->processors * gpu->clock, bytes = 0;
    double taps = (double)count_taps(s, dim, coarsen) / cells + 1;
    double threads = (OVERHEAD + (cells - 1) * RETURN) / cells;
    if (type == ST_F64)
        operations /= gpu->double_rate;
    for (size_t g = 0; g < s->ngrids; g++)
        bytes += s->grids[g].broadcast ? 0 : (double)st_type_size(s->grids[g].type);
    return bytes / gpu->bandwidth + taps * (st_type_size(type) > 4 ? 2 : 1) / (cycle * L1_LANES) +
           (operations + threads) / (cycle * LANES);
}

static const int degrees[] = {1, 2, 4, 8};

/* The best number of cells a thread, of those that the user leaves open, and along what. */
static double choose_cells(const st_stencil *s, const blk_launch *l, const blk_wish *wish,
                           blk_plan *out) {
    const gpu_facts *gpu = gpu_find(l->capability);
    double operations = st_operation_count(s), best = 0;
    double original = cell_time(s, gpu, s->rank - 1, 1, operations);
    out->coarsen = 1;
    out->dim = s->rank - 1;
    for (int d = s->rank; d-- > 0;)
        for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++) {
            int cells = wish->coarsen ? wish->coarsen : degrees[i];
            if (!l->can_coarsen[d] || (wish->dim >= 0 && wish->dim != d))
                continue;
            double gain = original / cell_time(s, gpu, d, cells, operations);
            if (gain <= best)
                continue;
            best = gain;
            out->coarsen = cells;
            out->dim = d;
        }
    return best > 0 ? best : 1;
}

static const double least_gain = 1.05; /* below, an estimate says nothing */

/* Fewer cells than these do not fill the GPU if a thread has several. */
static int64_t least_cells(const blk_launch *l, const blk_plan *p) {
    return (int64_t)gpu_find(l->capability)->processors * RESIDENT * p->coarsen;
}

bool blk_choose(const st_stencil *s, const blk_launch *l, const blk_wish *wish, blk_plan *out) {
    bool forced = *wish->cache || wish->coarsen;
    memset(out, 0, sizeof *out);
    out->cache = !strcmp(wish->cache, "lds")   ? BLK_LDS
                 : !strcmp(wish->cache, "reg") ? BLK_REG
                                               : BLK_L1;
    bool planes = out->cache == BLK_REG && !*wish->blocking; /* fewer registers */
    out->blocking = planes || !strcmp(wish->blocking, "2.5d") ? BLK_25D
                    : !strcmp(wish->blocking, "2d")           ? BLK_2D
                                                              : BLK_3D;
    out->wave = !strcmp(wish->wave, "2d") ? 2 : 1;
    bool rows = out->cache == BLK_REG && out->wave == 1; /* the simpler form */
    out->load = !strcmp(wish->load, "branch") || (!*wish->load && rows) ? BLK_BRANCH : BLK_CYCLIC;
    out->gain = choose_cells(s, l, wish, out);
    out->least_cells = forced ? 0 : least_cells(l, out);
    return forced || out->gain >= least_gain;
}

void blk_print(const blk_plan *p, char *out, size_t size) {
    static const char *const caches[] = {"L1", "scratchpad", "registers"};
    snprintf(out, size, "neighbours from %s, %d cell%s a thread along %c%s", caches[p->cache],
             p->coarsen, p->coarsen > 1 ? "s" : "", "xyz"[p->dim],
             p->row_sums ? ", sums regrouped by its planes" : "");
}
