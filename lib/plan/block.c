/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What coarsening saves: the loads of cells that several of a thread's cells read.
 */
#include "block.h"

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

static int choose_dim(const st_stencil *s, const blk_launch *l, const blk_wish *wish) {
    if (wish->dim >= 0)
        return wish->dim > 0 && wish->dim < s->rank && l->can_coarsen[wish->dim] ? wish->dim : -1;
    for (int d = s->rank; d-- > 1;)
        if (l->can_coarsen[d])
            return d;
    return -1;
}

static bool reads(const st_stencil *s, int32_t grid, const int32_t at[ST_MAX_RANK]) {
    for (size_t i = 0; i < s->naccesses; i++)
        if (s->accesses[i].grid == grid &&
            !memcmp(s->accesses[i].offset, at, sizeof s->accesses[i].offset))
            return true;
    return false;
}

/* Is what is read of the grid a box, or a star, without gaps? */
static bool is_dense(const st_stencil *s, int32_t grid) {
    int32_t low[ST_MAX_RANK], high[ST_MAX_RANK], at[ST_MAX_RANK];
    bool box = true, star = true;
    st_halo(s, grid, low, high);
    for (at[2] = low[2]; at[2] <= high[2]; at[2]++)
        for (at[1] = low[1]; at[1] <= high[1]; at[1]++)
            for (at[0] = low[0]; at[0] <= high[0]; at[0]++) {
                int moved = (at[0] != 0) + (at[1] != 0) + (at[2] != 0);
                bool read = reads(s, grid, at);
                box &= read;
                star &= moved == 0 || read == (moved == 1);
            }
    return box || star;
}

/* 16 bytes, the most that a thread loads at once. */
static int choose_vector(const st_stencil *s, const blk_launch *l, const blk_wish *wish,
                         blk_cache cache) {
    int most = 16 / (int)st_type_size(s->grids[s->store_grid].type);
    bool can = cache == BLK_L1 && l->can_coarsen[0];
    for (size_t i = 0; i < s->ngrids; i++) {
        int fits = 16 / (int)st_type_size(s->grids[i].type);
        most = fits < most ? fits : most;
        can &= s->grids[i].broadcast & 1 || is_dense(s, (int32_t)i);
    }
    most = most > 4 ? 4 : most;
    return !can ? 1 : wish->vector && wish->vector < most ? wish->vector : most;
}

/* Cells along a dimension besides x, where a thread has vectors along it: for what they share. */
static int choose_coarsen(const st_stencil *s, int vector) {
    bool star = true;
    for (size_t i = 0; i < s->naccesses; i++) {
        const int32_t *o = s->accesses[i].offset;
        star &= (o[0] != 0) + (o[1] != 0) + (o[2] != 0) < 2;
    }
    if (vector > 1)
        return star ? 1 : s->naccesses > 30 ? 4 : 2;
    return s->rank == 2 ? 4 : star ? 2 : 8;
}

static void predict(const st_stencil *s, blk_plan *p) {
    size_t cells = (size_t)(p->coarsen * p->vector);
    size_t taps = count_taps(s, p->dim, p->coarsen);
    p->gain = (double)(s->naccesses + 1) * (double)cells / (double)(taps + cells);
}

int blk_choose(const st_stencil *s, const blk_launch *l, const blk_wish *wish, blk_plan out[2]) {
    int dim = choose_dim(s, l, wish);
    memset(out, 0, 2 * sizeof *out);
    out->cache = !strcmp(wish->cache, "lds")   ? BLK_LDS
                 : !strcmp(wish->cache, "reg") ? BLK_REG
                                               : BLK_L1;
    out->blocking = !strcmp(wish->blocking, "2.5d") ? BLK_25D
                    : !strcmp(wish->blocking, "2d") ? BLK_2D
                                                    : BLK_3D;
    out->wave = !strcmp(wish->wave, "2d") ? 2 : 1;
    bool rows = out->cache == BLK_REG && out->wave == 1; /* the simpler form */
    out->load = !strcmp(wish->load, "branch") || (!*wish->load && rows) ? BLK_BRANCH : BLK_CYCLIC;
    out->dim = dim < 0 ? s->rank - 1 : dim;
    out->vector = s->rank == 1 || l->flat ? 1 : choose_vector(s, l, wish, out->cache);
    out->coarsen = dim < 0 ? 1 : wish->coarsen ? wish->coarsen : choose_coarsen(s, out->vector);
    predict(s, out);
    bool forced = *wish->cache || wish->coarsen || wish->vector;
    if (!forced && out->coarsen * out->vector == 1)
        return 0;
    if (out->vector == 1)
        return 1;
    out[1] = out[0];
    out[1].vector = 1;
    out[1].coarsen = dim < 0 ? 1 : wish->coarsen ? wish->coarsen : choose_coarsen(s, 1);
    return 2;
}

void blk_print(const blk_plan *p, char *out, size_t size) {
    static const char *const caches[] = {"L1", "scratchpad", "registers"};
    int n = snprintf(out, size, "neighbours from %s", caches[p->cache]);
    if (p->vector > 1)
        n += snprintf(out + n, size - (size_t)n, ", vectors of %d cells", p->vector);
    snprintf(out + n, size - (size_t)n, ", %d cell%s a thread along %c%s", p->coarsen,
             p->coarsen > 1 ? "s" : "", "xyz"[p->dim],
             p->row_sums ? ", sums regrouped by its planes" : "");
}
