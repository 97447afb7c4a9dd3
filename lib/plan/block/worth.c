/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What measurements know of plans beside the counts of rate.c. They were made on H100s and H200s:
 * tools/bench/results/kernels-h200.txt and the other tables of kernels there. Numbers are rates of
 * the new body, by the program's own.
 */
#include "plan/block/worth.h"

#include "plan/block/facts.h"
#include "plan/block/rate.h"

#include <stdlib.h>

/* Does blocking pay for a kernel whose threads compute several cells already? Measured were small
 * stencils of floats in 2-D (sm_90): with cells side by side 1.23 to 2.4, also of doubles; with 4
 * and 6 rows a thread 1.18 to 1.45, of doubles 0.96 to 1.12. Components that the program reads at
 * once, as of float2, gave 0.96 to 1.04; where it has written one before it reads the next, they
 * cannot be read at once. Bytes gave 0.53 to 1.3. */
static bool pays_with_own_cells(const st_stencil *s, const blk_launch *l, const blk_plan *p) {
    enum { MOST_ROWS = 6 };
    int far = l->cells[0] > 1 ? l->cells[0] : 1;
    bool small =
        s->rank == 2 && s->ngrids <= 2 && s->naccesses <= BLK_SMALL_STENCIL && s->nalso == 0;
    bool plain = p->vector > 1 && !blk_has_rules(s) && !blk_has_lone(s) &&
                 st_type_size(s->grids[s->store_grid].type) >= 4;
    for (size_t i = 0; i < s->naccesses; i++)
        small &= abs(s->accesses[i].offset[0]) <= far && abs(s->accesses[i].offset[1]) <= 1;
    if (!small || !plain)
        return false;
    if (l->cells[0] > 1)
        return l->cells[1] <= 1 && (l->reads_between || !blk_has_components(s, l));
    return !blk_is_wide(s) && l->cells[1] <= MOST_ROWS;
}

static bool has_conditions(const st_stencil *s) {
    bool any = false;
    for (size_t i = 0; i < s->naccesses; i++)
        any |= s->accesses[i].conditional;
    return any;
}

static bool has_slow(const st_stencil *s) {
    bool any = false;
    for (size_t i = 0; i < s->nnodes; i++)
        any |= st_ops[s->nodes[i].op].cls == ST_SLOW;
    return any;
}

/* Does blocking pay for a kernel of several outputs? Measured were small stencils of two and three
 * in 2-D (H100, float, vectors along x): 1.07 to 1.49. With a test that arrays lie apart 0.92 to
 * 0.96, in double 0.99 to 1.02, in 3-D 0.94 to 1.07, five outputs and clamped borders 0.97 to 1.02.
 * With a flat index two ran at 1.03 to 1.12 (H100), in double at 0.90 to 0.97; planes of one array
 * at 0.82 to 0.94. Parts of one array between each other, as even and odd rows: 1.30 to 1.35
 * (H200). Where threads at a border write a further cell, which is not aligned as the others are,
 * four rows a thread without vectors ran at 1.07 to 1.44 in 2-D (H200), in double at 0.88 to 1.10,
 * in 3-D at 0.80 to 0.90. Where outputs have guards of their own, which make each cell's reads
 * conditional: with four rows 1.04 to 1.17 (H200), in double 0.90 to 0.96, with vectors 0.48 to
 * 0.93. */
static bool pays_with_outputs(const st_stencil *s, const blk_launch *l, const blk_plan *p) {
    enum { MOST_ALSO = 2, MOST_GRIDS = 6 };
    if (l->flat)
        return !l->planes && !l->beside && !blk_is_wide(s);
    bool guards = blk_guards_outputs(s) && p->vector == 1 && p->coarsen == 4 && !l->beside;
    return s->rank == 2 && (p->vector > 1 || blk_masks_borders(s) || guards) &&
           s->nalso <= MOST_ALSO && s->ngrids <= MOST_GRIDS &&
           st_type_size(s->grids[s->store_grid].type) == 4 && blk_radius(s) == 1 &&
           !blk_has_rules(s) && (guards || !has_conditions(s)) && !l->reads_late && !l->planes;
}

/* Are neighbours read from several arrays? */
static bool has_several_readers(const st_stencil *s) {
    int32_t read = -1;
    bool several = false;
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i];
        bool own = st_is_own(a);
        several |= !own && read >= 0 && read != a->grid;
        read = own ? read : a->grid;
    }
    return several;
}

/* Rules of every kind of launch. */
static const char *find_loss(const st_stencil *s, const blk_launch *l, const blk_plan *p) {
    bool floats = st_type_size(s->grids[s->store_grid].type) == 4;
    /* With two rows of vectors a thread 1.1 to 2.2 where the launch has at most 65536 threads and
     * rows are aligned. With four times as many threads 0.75 to 1.15. */
    if (l->walks)
        return "its threads walk along a dimension: measured 0.75 to 2.2, by the launch's size";
    if (st_has_records(s)) /* two rows a thread */
        return "components of records: measured 0.97 to 1.19 in float, 0.78 to 1.0 in double";
    /* The cells of a vector are stored one by one. In 2-D, floats by a condition on values: 1.31 to
     * 1.39 (H200). */
    bool pays = floats && s->rank == 2 && !l->flat &&
                (p->vector > 1 ? blk_masks_values(s) : blk_guards_outputs(s));
    if (s->masked && !blk_masks_borders(s) && !pays)
        return "it writes only where a condition holds: measured 0.76 to 1.66";
    if (l->long_calls) /* with the registers of a plan they spill */
        return "sines and the like, which have loops for large arguments: not measured";
    if (l->windows && !floats) /* with bytes they spill */
        return "loops over the cells in the grid alone, but of floats: not measured";
    /* Without a division 1.05 to 1.54 (H100). */
    if (l->windows && has_slow(s))
        return "loops over the cells in the grid alone, with a division: measured 0.97 to 0.99";
    if (!blk_has_own_cells(l) && blk_has_gaps(s)) /* as a knight moves */
        return "cells read in no row side by side: measured 0.85 to 0.91";
    if (l->divides)
        return "its entry must divide to know the rows of a plane: measured 0.61 to 0.77 in 3-D";
    /* A flat index in float is the worst (H100). */
    if (l->sizes_behind)
        return "sizes that are read behind branches: measured 0.68 to 1.08; read them first";
    /* Each cell of a vector has its own conditions, and registers spill. A radius of 2 ran at 0.94,
     * of 4 at 0.32 to 0.37 (H100, float). With a radius of 1 1.34 to 1.63. */
    if (p->vector > 1 && blk_has_far_conditions(s))
        return "neighbours more than a cell away, under conditions along x: measured 0.32 to 0.94";
    /* Reads under conditions on values are made one by one. In 2-D, vectors of floats still gain
     * 1.18 to 1.79. Where the condition alternates along x, this is not measured. */
    if (p->vector > 1 && blk_has_alternating(s))
        return "a condition alternates along x: not measured";
    if (p->vector > 1 && blk_has_lone(s) && (!floats || s->rank == 3))
        return "neighbours under conditions on values, but of 2-D floats: measured 1.0 to 1.03 in "
               "double, else not";
    return NULL;
}

/* In 3-D. A border with a statement of its own, or conditions at the ends of rows: 0.81 to 1.1.
 * Long stars and many grids take too many registers, already in the program's own body, and planes
 * are far apart. */
static const char *find_loss_3d(const st_stencil *s, const blk_launch *l, const blk_plan *p) {
    if (blk_has_conditions_along_x(s))
        return "conditions at the ends of rows in 3-D: measured 0.81 to 1.1";
    if (p->vector == 1)
        return "no vectors in 3-D: measured 0.74 to 0.99";
    if (blk_radius(s) > 2 || s->ngrids > 4)
        return "long stars and many arrays in 3-D take too many registers";
    if (blk_block_threads(s, l) >= GPU_BLOCK_THREADS)
        return "blocks of 1024 threads leave too few registers";
    if (has_several_readers(s) && s->naccesses > BLK_SMALL_STENCIL)
        return "neighbours of several arrays in 3-D: measured 0.6 to 0.98";
    return NULL;
}

/* Arrays that are read or written at the cell, and not as rows or columns of coefficients. */
static size_t count_whole(const st_stencil *s) {
    size_t count = 0;
    for (size_t i = 0; i < s->ngrids; i++)
        count += s->grids[i].broadcast == 0;
    return count;
}

/* Do rows of doubles pay, without vectors? 1.05 to 1.47 where counts expect so much of them, and a
 * thread has few values at a time: boxes are added row by row. Else 0.84 to 1.16. */
static bool pays_as_rows(const st_stencil *s, const blk_plan *p) {
    enum { MOST_WORDS = 40 };
    const double much = 1.18;
    bool fits = (blk_is_box(s) && s->ngrids <= 2) || 2 * blk_cells_read(s, p) <= MOST_WORDS;
    return s->rank == 2 && count_whole(s) <= 2 && s->nalso == 0 && !blk_reads_written(s) &&
           p->gain >= much && fits;
}

/* Doubles move half as many cells for the same bytes, so there is little to gain. Rules of the
 * kernel itself, and many cells read, leave more. */
static const char *find_loss_wide(const st_stencil *s, const blk_plan *p) {
    bool large = s->naccesses > BLK_LARGE_STENCIL && blk_is_box(s);
    bool chosen = s->rank == 2 && s->ngrids <= 3 && has_conditions(s) &&
                  !blk_has_conditions_along_x(s); /* 1.11 to 1.23 */
    bool near = s->rank == 3 ? blk_has_rules(s)
                             : s->ngrids <= 2 && blk_radius(s) < 2 && !blk_reads_written(s);
    if (p->vector == 1)
        return pays_as_rows(s, p) ? NULL : "doubles without vectors: measured 0.38 to 1.14";
    return near || large || chosen
               ? NULL
               : "doubles of several arrays, or far ones: measured 0.63 to 1.08";
}

const char *blk_find_loss(const st_stencil *s, const blk_launch *l, const blk_plan *p) {
    const char *loss = find_loss(s, l, p);
    if (loss)
        return loss;
    if (blk_has_own_cells(l))
        return pays_with_own_cells(s, l, p)
                   ? NULL
                   : "threads with several cells already: measured 0.53 to 1.3";
    if (s->nalso > 0)
        return pays_with_outputs(s, l, p)
                   ? NULL
                   : "several outputs, but of small 2-D floats apart: measured 0.82 to 1.07";
    if (l->flat)
        return !blk_is_wide(s) || (s->rank == 2 && !l->strided)
                   ? NULL
                   : "doubles of a flat index in 3-D or with a stride: measured 0.73 to 0.94";
    loss = s->rank == 3 ? find_loss_3d(s, l, p) : NULL;
    return loss || !blk_is_wide(s) ? loss : find_loss_wide(s, p);
}
