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
        return wish->dim < s->rank && l->can_coarsen[wish->dim] ? wish->dim : -1;
    for (int d = s->rank; d-- > 0;)
        if (l->can_coarsen[d])
            return d;
    return -1;
}

enum { USUAL_COARSEN = 8 };

bool blk_choose(const st_stencil *s, const blk_launch *l, const blk_wish *wish, blk_plan *out) {
    int dim = choose_dim(s, l, wish);
    memset(out, 0, sizeof *out);
    out->cache = !strcmp(wish->cache, "lds")   ? BLK_LDS
                 : !strcmp(wish->cache, "reg") ? BLK_REG
                                               : BLK_L1;
    out->blocking = !strcmp(wish->blocking, "2.5d") ? BLK_25D
                    : !strcmp(wish->blocking, "2d") ? BLK_2D
                                                    : BLK_3D;
    out->wave = !strcmp(wish->wave, "2d") ? 2 : 1;
    bool rows = out->cache == BLK_REG && out->wave == 1; /* the simpler form */
    out->load = !strcmp(wish->load, "branch") || (!*wish->load && rows) ? BLK_BRANCH : BLK_CYCLIC;
    out->coarsen = dim < 0 ? 1 : wish->coarsen ? wish->coarsen : USUAL_COARSEN;
    out->dim = dim < 0 ? s->rank - 1 : dim;
    size_t taps = count_taps(s, out->dim, out->coarsen);
    out->gain = (double)(s->naccesses + 1) * out->coarsen / (double)(taps + (size_t)out->coarsen);
    bool forced = *wish->cache || wish->coarsen;
    return forced || out->coarsen > 1;
}

void blk_print(const blk_plan *p, char *out, size_t size) {
    static const char *const caches[] = {"L1", "scratchpad", "registers"};
    snprintf(out, size, "neighbours from %s, %d cell%s a thread along %c%s", caches[p->cache],
             p->coarsen, p->coarsen > 1 ? "s" : "", "xyz"[p->dim],
             p->row_sums ? ", sums regrouped by its planes" : "");
}
