/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Plans spatial blocking in a GPU kernel. It predicts what several cells a thread save: loads of
 * cells that several of them read, and the fixed work of a thread.
 */
#include "plan/block/block.h"

#include "target/gpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a coordinate along x: which numbers of it, as x & 1, change from each cell to the next. */
static bool alternates(const st_node *n, const bool *of_x) {
    static const st_op ops[] = {ST_UREM, ST_SREM, ST_UDIV, ST_SDIV,
                                ST_LSHR, ST_ASHR, ST_AND,  ST_XOR};
    bool some = n->op == ST_TRUNC && n->type == ST_I1;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        some |= n->op == ops[i];
    return some && of_x[n->args[0]];
}

/* Finds the nodes that may differ from each cell along x to the next: with `values` those of cells
 * that are read, and such numbers of x. A comparison of x with a limit is none. */
static bool *find_uneven(const st_stencil *s, bool values) {
    bool *uneven = calloc(s->nnodes + 1, sizeof *uneven),
         *of_x = calloc(s->nnodes + 1, sizeof *of_x);
    for (size_t i = 0; i < s->nnodes; i++) {
        const st_node *n = &s->nodes[i];
        uneven[i] = (values && n->op == ST_ACCESS) || alternates(n, of_x);
        of_x[i] = n->op == ST_COORD && n->index == 0;
        for (int k = 0; k < st_ops[n->op].arity; k++) {
            uneven[i] |= uneven[n->args[k]];
            of_x[i] |= of_x[n->args[k]] && n->type != ST_I1;
        }
    }
    free(of_x);
    return uneven;
}

/* Sets lone[i] for accesses that each cell makes by itself: the program makes them under a
 * condition that may differ from cell to cell, and no other thread reads the same cell in any case.
 * Returns whether there is such an access. */
static bool find_lone(const st_stencil *s, bool *lone) {
    bool *uneven = find_uneven(s, true), any = false;
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i];
        int32_t apart[ST_MAX_RANK];
        lone[i] = a->conditional && uneven[a->where] && !st_find_reader(s, i, apart);
        any |= lone[i];
    }
    free(uneven);
    return any;
}

static bool has_lone(const st_stencil *s) {
    bool *lone = calloc(s->naccesses + 1, sizeof *lone);
    bool any = find_lone(s, lone);
    free(lone);
    return any;
}

/* Is there an access under a condition that changes from each cell along x to the next? */
static bool has_alternating(const st_stencil *s) {
    bool *uneven = find_uneven(s, false), any = false;
    for (size_t i = 0; i < s->naccesses; i++)
        any |= s->accesses[i].conditional && uneven[s->accesses[i].where];
    free(uneven);
    return any;
}

/* Does the first statement always store, and each further one only where coordinates say so? */
static bool masks_borders(const st_stencil *s) {
    bool *uneven = find_uneven(s, true), good = s->nalso > 0 && s->nalso < 63 && !(s->masked & 1);
    for (size_t i = 0; i < s->nalso && good; i++) {
        const st_node *root = &s->nodes[s->also[i].root];
        good = s->masked >> (i + 1) & 1 && root->op == ST_SELECT && !uneven[root->args[0]];
    }
    free(uneven);
    return good;
}

/* Is something read only under a condition that x is part of? */
static bool has_conditions_along_x(const st_stencil *s) {
    bool *of_x = calloc(s->nnodes + 1, sizeof *of_x), any = false;
    for (size_t i = 0; i < s->nnodes; i++) {
        const st_node *n = &s->nodes[i];
        of_x[i] = n->op == ST_COORD && n->index == 0;
        for (int k = 0; k < st_ops[n->op].arity; k++)
            of_x[i] |= of_x[n->args[k]];
    }
    for (size_t i = 0; i < s->naccesses; i++)
        any |= s->accesses[i].conditional && of_x[s->accesses[i].where];
    free(of_x);
    return any;
}

/* Does a thread read an element that it writes? */
static bool reads_written(const st_stencil *s) {
    bool any = false;
    for (size_t i = 0; i < s->naccesses; i++)
        any |= st_writes(s, s->accesses[i].grid, 0);
    return any;
}

/* Different cells of the grids that C cells along dim read. */
static size_t count_taps(const st_stencil *s, int dim, int coarsen) {
    size_t count = 0, capacity = s->naccesses * (size_t)coarsen;
    st_access *seen = calloc(capacity + 1, sizeof *seen);
    bool *lone = calloc(s->naccesses + 1, sizeof *lone);
    find_lone(s, lone);
    for (int c = 0; c < coarsen; c++)
        for (size_t i = 0; i < s->naccesses; i++) {
            st_access a = s->accesses[i];
            bool known = false;
            a.conditional = lone[i];
            a.offset[dim] += s->grids[a.grid].broadcast >> dim & 1 ? 0 : c;
            for (size_t k = 0; k < count && !known && !lone[i]; k++)
                known = seen[k].grid == a.grid && !seen[k].conditional &&
                        !memcmp(seen[k].offset, a.offset, sizeof a.offset);
            if (!known)
                seen[count++] = a;
        }
    free(seen);
    free(lone);
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

/* Do the cells that are read of the grid form a box, or a star, without gaps? Along x, each `step`
 * is a cell: cells may have components. */
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
                box &= read;
                star &= moved == 0 || read == (moved == 1);
            }
    return box || star;
}

/* Is each cell read of a box around the cell? */
static bool is_box(const st_stencil *s) {
    size_t cells = 0;
    for (size_t i = 0; i < s->ngrids; i++) {
        int32_t low[ST_MAX_RANK], high[ST_MAX_RANK];
        size_t box = 1;
        st_halo(s, (int32_t)i, low, high);
        for (int d = 0; d < s->rank; d++)
            box *= (size_t)(high[d] - low[d] + 1);
        cells += box;
    }
    return s->naccesses + s->ngrids > cells; /* the grid written may not be read */
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

static int radius_of(const st_stencil *s) {
    int radius = 0;
    for (size_t i = 0; i < s->naccesses; i++)
        for (int d = 0; d < s->rank; d++) {
            int at = abs(s->accesses[i].offset[d]);
            radius = at > radius ? at : radius;
        }
    return radius;
}

static bool is_wide(const st_stencil *s) {
    return st_type_size(s->grids[s->store_grid].type) == 8;
}

static bool has_rules(const st_stencil *s) {
    bool any = false;
    for (size_t i = 0; i < s->naccesses; i++)
        any |= s->accesses[i].faces != 0;
    return any;
}

/* The choices from here on follow measurements on an H200: tools/bench/results/kernels-h200.txt. */

enum { FEWEST = 5, SMALL = 9, LARGE = 30 }; /* cells read */

/* Cells of a thread along y or z, where it has vectors along x. More than one pays only for large
 * stencils, and in double only for boxes: others take more registers than the shared loads are
 * worth. A star of 33 cells in double ran at 0.4 of its rate with four (H200). */
static int choose_coarsen(const st_stencil *s) {
    bool sums = s->nodes[s->root].flags & ST_REASSOC; /* sums of rows can be shared */
    if (s->naccesses <= LARGE || s->rank == 3)
        return 1;
    return is_wide(s) ? is_box(s) ? 4 : 1 : sums ? 2 : 1;
}

/* The most threads of a block, if the kernel promises that or counts on it; else 0. */
static int block_threads(const st_stencil *s, const blk_launch *l) {
    int64_t threads = 1;
    for (int d = 0; d < s->rank; d++)
        threads *= l->width[d];
    return l->most_threads ? l->most_threads : threads <= GPU_BLOCK_THREADS ? (int)threads : 0;
}

/* The plan for rows that are not aligned for vectors: several cells along y or z. False if no such
 * plan is faster than the program's own body. */
static bool choose_other(const st_stencil *s, const blk_launch *l, blk_plan *other) {
    bool far = radius_of(s) > 1, wide = is_wide(s), large = s->naccesses > LARGE;
    other->dim = s->rank == 3 && large ? 2 : 1;
    /* A row's load would wait behind the store of the row before: 0.71 to 0.98 (H100). */
    if (reads_written(s) || s->nalso > 0)
        return false;
    if (s->rank == 1 || !l->along_x || block_threads(s, l) >= GPU_BLOCK_THREADS ||
        !l->can_coarsen[other->dim])
        return false;
    if (s->rank == 2)
        other->coarsen = large ? 4 : wide || far || s->ngrids > 2 ? 2 : 4;
    else
        other->coarsen = large || wide ? 2 : 4;
    bool few = wide && s->naccesses < FEWEST && !has_rules(s); /* 0.9 to 1.09 (H100) */
    bool small = s->rank == 2 ? !wide || (s->ngrids <= 2 && !few)
                              : (s->naccesses <= SMALL && s->ngrids <= 3) || has_rules(s);
    return small || large;
}

/* The registers of a thread; 0: the assembler decides. With more registers, fewer warps would share
 * a processor than with the program's own body. If the kernel does not promise a block size, the
 * largest blocks must still fit. */
static int choose_registers(const st_stencil *s, const blk_launch *l, const blk_plan *p) {
    int threads = block_threads(s, l), most = threads ? 65536 / threads : 64;
    int wanted = 32;
    most = most > 255 ? 255 : most & ~7;
    if (p->cache != BLK_L1)
        return most;
    if (p->vector == 1 && p->coarsen <= 8 && s->naccesses <= SMALL)
        return 0;
    if (s->naccesses <= LARGE && (radius_of(s) > 1 || s->ngrids > 4))
        wanted = 40;
    if (p->coarsen > 1)
        wanted = 40;
    if (p->vector == 1 || p->coarsen * p->vector > 8 || (p->coarsen > 1 && is_wide(s)) ||
        (s->rank == 3 && s->naccesses > LARGE))
        wanted = 64;
    return wanted < most ? wanted : most;
}

static bool has_own_cells(const blk_launch *l) {
    return l->cells[0] > 1 || l->cells[1] > 1 || l->cells[2] > 1;
}

/* Are the cells of a thread, along x, components? Then neighbours are whole threads away. */
static bool has_components(const st_stencil *s, const blk_launch *l) {
    bool all = true;
    for (size_t i = 0; i < s->naccesses; i++)
        all &= s->accesses[i].offset[0] % l->cells[0] == 0;
    return all;
}

/* Does blocking pay for a kernel whose threads compute several cells already? Measured were small
 * stencils of floats in 2-D (sm_90): with cells side by side 1.23 to 2.4, also of doubles; with 4
 * and 6 rows a thread 1.18 to 1.45, of doubles 0.96 to 1.12. Components that the program reads at
 * once, as of float2, gave 0.96 to 1.04; where it has written one before it reads the next, they
 * cannot be read at once. Bytes gave 0.53 to 1.3. */
static bool pays_with_own_cells(const st_stencil *s, const blk_launch *l, const blk_plan *p) {
    enum { MOST_ROWS = 6 };
    int far = l->cells[0] > 1 ? l->cells[0] : 1;
    bool small = s->rank == 2 && s->ngrids <= 2 && s->naccesses <= SMALL && s->nalso == 0;
    bool plain = p->vector > 1 && !has_rules(s) && !has_lone(s) &&
                 st_type_size(s->grids[s->store_grid].type) >= 4;
    for (size_t i = 0; i < s->naccesses; i++)
        small &= abs(s->accesses[i].offset[0]) <= far && abs(s->accesses[i].offset[1]) <= 1;
    if (!small || !plain)
        return false;
    if (l->cells[0] > 1)
        return l->cells[1] <= 1 && (l->reads_between || !has_components(s, l));
    return !is_wide(s) && l->cells[1] <= MOST_ROWS;
}

/* Does blocking pay for a kernel of several outputs? Measured were small stencils of two and three
 * in 2-D (H100, float, vectors along x): 1.07 to 1.49. With a test that arrays lie apart 0.92 to
 * 0.96, in double 0.99 to 1.02, in 3-D 0.94 to 1.07, five outputs and clamped borders 0.97 to 1.02.
 * With a flat index two ran at 1.03 to 1.12 (H100), in double at 0.90 to 0.97; planes of one array
 * at 0.82 to 0.94. Where threads at a border write a further cell, which is not aligned as the
 * others are, four rows a thread without vectors ran at 1.07 to 1.44 in 2-D (H200), in double at
 * 0.88 to 1.10, in 3-D at 0.80 to 0.90. */
static bool pays_with_outputs(const st_stencil *s, const blk_launch *l, const blk_plan *p) {
    enum { MOST_ALSO = 2, MOST_GRIDS = 6 };
    bool conditional = false;
    if (l->flat)
        return !l->planes && !is_wide(s);
    for (size_t i = 0; i < s->naccesses; i++)
        conditional |= s->accesses[i].conditional;
    return s->rank == 2 && (p->vector > 1 || masks_borders(s)) && s->nalso <= MOST_ALSO &&
           s->ngrids <= MOST_GRIDS && st_type_size(s->grids[s->store_grid].type) == 4 &&
           radius_of(s) == 1 && !has_rules(s) && !conditional && !l->reads_late && !l->planes;
}

/* Are neighbours read from several arrays? */
static bool has_several_readers(const st_stencil *s) {
    int32_t read = -1;
    bool several = false;
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_access *a = &s->accesses[i];
        bool own = true;
        for (int d = 0; d < s->rank; d++)
            own &= a->offset[d] == 0;
        several |= !own && read >= 0 && read != a->grid;
        read = own ? read : a->grid;
    }
    return several;
}

/* Is blocking expected to pay? Doubles move half as many cells for the same bytes, so there is
 * little to gain. Rules of the kernel itself, and many cells read, leave more to gain. In 3-D, long
 * stars and many grids take too many registers, already in the program's own body, and planes are
 * far apart. */
static bool is_worth_it(const st_stencil *s, const blk_launch *l, const blk_plan *p) {
    /* With two rows of vectors a thread, kernels with a loop along y or z ran at 1.1 to 2.2 where
     * the launch has at most 65536 threads and rows are aligned. With four times as many threads
     * the program's own body ran at 0.75 to 1.15 beside the new one (H100). */
    if (l->walks)
        return false;
    /* With two rows a thread: floats 0.97 to 1.19, doubles 0.78 to 1.0. */
    if (st_has_records(s))
        return false;
    if (s->masked && !masks_borders(s)) /* the cells of a vector would be stored one by one */
        return false;
    if (l->divides) /* 0.61 to 0.77 in 3-D (H200) */
        return false;
    /* Reads under conditions on values are made one by one. In 2-D, vectors of floats still gain
     * 1.18 to 1.79 (sm_90). Where the condition alternates along x, this is not measured. */
    bool floats = st_type_size(s->grids[s->store_grid].type) == 4;
    if (p->vector > 1 && (has_alternating(s) || (has_lone(s) && (!floats || s->rank == 3))))
        return false;
    if (has_own_cells(l))
        return pays_with_own_cells(s, l, p);
    if (s->nalso > 0)
        return pays_with_outputs(s, l, p);
    if (l->flat)
        return !is_wide(s) || (s->rank == 2 && !l->strided);
    /* A border with a statement of its own, or conditions at the ends of rows: 0.81 to 1.1 (H100).
     */
    if (s->rank == 3 && has_conditions_along_x(s))
        return false;
    if (s->rank == 3 && (p->vector == 1 || radius_of(s) > 2 ||
                         block_threads(s, l) >= GPU_BLOCK_THREADS || s->ngrids > 4))
        return false;
    /* Two stars of 7 cells ran at 0.6 to 0.98 in float (H200). */
    if (s->rank == 3 && has_several_readers(s) && s->naccesses > SMALL)
        return false;
    if (!is_wide(s))
        return true;
    bool large = s->naccesses > LARGE && is_box(s);
    bool near =
        s->rank == 3 ? has_rules(s) : s->ngrids <= 2 && radius_of(s) < 2 && !reads_written(s);
    /* Without vectors, with cells along y, 8 neighbours in double: 1.05 to 1.15 (H200). */
    if (p->vector == 1)
        return near && s->rank == 2 && s->naccesses >= SMALL - 1;
    return near || large;
}

/* The time of a cell, in seconds of the whole GPU. It is the sum of what the memory moves, what L1
 * delivers, what is computed, and the fixed work of a thread. They are added because a warp waits
 * for one after the other, and other warps do not hide all of it. OVERHEAD is fitted to a 5-point
 * stencil on an H200 (blocks of 32x8, float). With it, stencils of 9 and 81 points, original and
 * rewritten by hand, are within 15 % of the measurement. RETURN: the tests of a thread without
 * work. */
enum { L1_LANES = 32, LANES = 128, OVERHEAD = 30, RETURN = 10, RESIDENT = 2048 };

static double cell_time(const st_stencil *s, const gpu_facts *gpu, int dim, int coarsen,
                        int vector) {
    st_type type = s->grids[s->store_grid].type;
    double operations = st_operation_count(s), cells = coarsen * vector, bytes = 0;
    double cycle = gpu->processors * gpu->clock;
    double taps = (double)count_taps(s, dim, coarsen) / coarsen + 1;
    double threads = (OVERHEAD + (cells - 1) * RETURN) / cells;
    if (type == ST_F64)
        operations /= gpu->double_rate;
    for (size_t g = 0; g < s->ngrids; g++)
        bytes += s->grids[g].broadcast ? 0 : (double)st_type_size(s->grids[g].type);
    return bytes / gpu->bandwidth + taps * (st_type_size(type) > 4 ? 2 : 1) / (cycle * L1_LANES) +
           (operations + threads) / (cycle * LANES);
}

static const int degrees[] = {1, 2, 4, 8};

/* The best number of cells of a thread, and the dimension along which they lie. What the user has
 * chosen stays. */
static void choose_cells(const st_stencil *s, const blk_launch *l, const blk_wish *wish,
                         blk_plan *out) {
    const gpu_facts *gpu = gpu_find(l->capability);
    double best = 0, original = cell_time(s, gpu, s->rank - 1, 1, 1);
    out->coarsen = 1;
    out->dim = s->rank - 1;
    for (int d = s->rank; d-- > 1;)
        for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++) {
            int cells = wish->coarsen ? wish->coarsen : degrees[i];
            if (!l->can_coarsen[d] || (wish->dim >= 0 && wish->dim != d))
                continue;
            double gain = original / cell_time(s, gpu, d, cells, 1);
            if (gain <= best)
                continue;
            best = gain;
            out->coarsen = cells;
            out->dim = d;
        }
    out->gain = best > 0 ? best : 1;
}

static const double least_gain = 1.05; /* a smaller one is within the error of the estimate */

/* Fewer cells than these do not fill the GPU if a thread has several. */
static int64_t least_cells(const blk_launch *l, const blk_plan *p) {
    return (int64_t)gpu_find(l->capability)->processors * RESIDENT * p->coarsen * p->vector;
}

/* What the cells of a thread read: with more, the code would not fit into instruction caches. */
static bool is_short(const st_stencil *s, const blk_plan *p) {
    enum { MOST = 2048 };
    return s->naccesses * (size_t)(p->coarsen * p->vector) <= MOST;
}

static void choose_vectors(const st_stencil *s, const blk_launch *l, const blk_wish *wish,
                           blk_plan *out) {
    const gpu_facts *gpu = gpu_find(l->capability);
    int dim = choose_dim(s, l, wish);
    out->dim = dim < 0 ? s->rank - 1 : dim;
    out->coarsen = dim < 0 ? 1 : wish->coarsen ? wish->coarsen : choose_coarsen(s);
    out->gain =
        cell_time(s, gpu, out->dim, 1, 1) / cell_time(s, gpu, out->dim, out->coarsen, out->vector);
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

int blk_choose(const st_stencil *s, const blk_launch *l, const blk_wish *wish, blk_plan out[2]) {
    bool forced = *wish->cache || wish->coarsen || wish->vector;
    blk_wish own = with_own_cells(l, wish);
    wish = &own;
    memset(out, 0, 2 * sizeof *out);
    out->cache = !strcmp(wish->cache, "lds")   ? BLK_LDS
                 : !strcmp(wish->cache, "reg") ? BLK_REG
                                               : BLK_L1;
    bool planes = out->cache == BLK_REG && !*wish->blocking; /* planes take fewer registers */
    out->blocking = planes || !strcmp(wish->blocking, "2.5d") ? BLK_25D
                    : !strcmp(wish->blocking, "2d")           ? BLK_2D
                                                              : BLK_3D;
    out->wave = !strcmp(wish->wave, "2d") ? 2 : 1;
    bool rows = out->cache == BLK_REG && out->wave == 1; /* this form has simpler code */
    out->load = !strcmp(wish->load, "branch") || (!*wish->load && rows) ? BLK_BRANCH : BLK_CYCLIC;
    bool lines = s->rank == 1 || l->flat || (!forced && masks_borders(s));
    out->vector = lines ? 1 : choose_vector(s, l, wish, out->cache);
    out[1] = out[0];
    out[1].vector = 1;
    choose_cells(s, l, wish, &out[1]);
    if (!forced && !l->flat && out[1].coarsen > 4)
        out[1].coarsen = 4;
    if (out->vector == 1)
        out[0] = out[1];
    else
        choose_vectors(s, l, wish, out);
    out->registers = wish->registers ? wish->registers : l->walks ? 0 : choose_registers(s, l, out);
    out->least_cells = out[1].least_cells = forced ? 0 : least_cells(l, out);
    if (forced)
        return out->vector > 1 && l->cells[0] <= 1 ? 2 : 1;
    bool gains = out->gain >= least_gain || out->vector > 1;
    if (!gains || !is_worth_it(s, l, out) || !is_short(s, out))
        return 0;
    return out->vector > 1 && !has_own_cells(l) && choose_other(s, l, &out[1]) ? 2 : 1;
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
