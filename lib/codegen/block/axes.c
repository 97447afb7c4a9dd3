/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The cells of a thread, under the program's own launch. A thread has C cells along one dimension.
 *
 * Blocks: of C neighbouring blocks the first does the work of all. Its thread t has the cells t * C
 * .. t * C + C - 1 of these blocks. The others return at once. Cells for which the launch has no
 * blocks are not computed. The same holds along x, where a thread has a vector of cells.
 *
 * Flat index: of C rows (in 3-D: planes) the threads of the first do the work of all. Cells are
 * computed as far as the launch has threads for them.
 */
#include "codegen/block/gen.h"

#include <stdlib.h>

#include <string.h>

/* Are all axes but the first quotients of the flat index? */
static bool is_all_flat(const st_launch *l) {
    bool all = true;
    for (int d = 0; d < l->stencil->rank; d++)
        all &= l->axes[d].divides || l->axes[d].number == 0;
    return all;
}

/* Do threads count through cells as they lie in memory? */
static bool is_in_order(const st_launch *l) {
    bool in_order = true;
    for (int d = 0; d < l->stencil->rank; d++)
        in_order &= l->axes[d].number == d;
    return in_order;
}

/* Can the launch of a flat index be planned? NULL, or the reason why not. */
static const char *flat_launch(const st_launch *l, blk_launch *out) {
    const st_counter *c = &l->flat;
    if (!c->known || c->thread < 0 || c->block < 0 || c->iterates != l->strides)
        return "its flat index is not one number of threads";
    if (!is_all_flat(l))
        return "one coordinate is not taken from its flat index";
    if (!is_in_order(l))
        return "its flat index counts cells in another order than that of memory";
    out->can_coarsen[l->stencil->rank - 1] = true;
    return NULL;
}

static const char *block_launch(const st_launch *l, blk_launch *out) {
    for (int d = 0; d < l->stencil->rank; d++) {
        const st_counter *c = &l->axes[d].counter;
        if (l->axes[d].walks && d > 0)
            continue;
        if (!c->known)
            return "a coordinate is not a thread's number and a block's";
        out->can_coarsen[d] = c->block >= 0;
        out->cells[d] = (int)l->axes[d].cells;
        out->along_x |= d == 0 && c->thread == 0;
        if (!poly_is_int(c->width, &out->width[d]))
            out->width[d] = 0;
    }
    return NULL;
}

static const char *find_launch(const st_launch *l, blk_launch *out) {
    if (l->loops)
        return "a loop takes a thread to further cells";
    if (l->cells > 1 && (out->flat || l->cells > BLK_MAX_COARSEN))
        return "a thread computes several cells already";
    if (l->rows_assumed)
        return "its flat index has no rows";
    for (int i = 0; i < l->nbounds; i++) {
        if (l->bounds[i].relation == ST_IS_NOT)
            return "one cell between others is left out";
        if (l->bounds[i].dim < 0 && l->bounds[i].relation == ST_AT_LEAST)
            return "its first cells are left out";
    }
    return out->flat ? flat_launch(l, out) : block_launch(l, out);
}

/* Is the extent of an axis a quotient, which the kernel's entry computes? */
static bool divides(const st_launch *l) {
    bool any = false;
    for (int d = 0; d < l->stencil->rank; d++) {
        poly p = l->axes[d].extent;
        for (int i = 0; i < poly_count(p); i++)
            for (int a = 0; a < poly_terms(p)[i].degree; a++) {
                const st_launch_value *v = st_value_of(l, poly_terms(p)[i].atoms[a]);
                any |= v && v->size == ST_NO_SIZE && br_scev_kind(v->atom) == BR_UDIV;
            }
    }
    return any;
}

/* Are the further stores those of threads at a border alone? */
static bool stores_at_borders(const st_stencil *s) {
    uint64_t further = ((UINT64_C(1) << (s->nalso < 63 ? s->nalso : 62)) - 1) << 1;
    return s->nalso > 0 && s->masked == further;
}

bool gen_block_launch(const st_launch *l, blk_launch *out, st_refusal *why) {
    memset(out, 0, sizeof *out);
    out->flat = l->is_flat;
    out->strided = l->strides;
    out->divides = divides(l);
    out->sizes_behind = l->sizes_behind;
    out->walks = l->walks;
    out->carries = l->carries;
    out->cells_apart = l->cells_apart;
    out->planes = l->planes;
    for (size_t i = 0; i < l->stencil->ngrids; i++)
        out->beside |= l->grids[i].beside && !stores_at_borders(l->stencil);
    out->reads_late = blk_compares_ranges(l);
    out->reads_between = l->reads_between;
    const char *detail = find_launch(l, out);
    return !detail || st_refuse(why, ST_NO_KERNEL_SHAPE, detail);
}

/* The least and greatest cell along d that the guards allow. */
static bool apply_bounds(blk_gen *g, int d, LLVMValueRef *low, LLVMValueRef *high) {
    for (int i = 0; i < g->l->nbounds; i++) {
        const st_launch_bound *b = &g->l->bounds[i];
        if (b->dim != d)
            continue;
        LLVMValueRef limit = blk_value(g, b->limit);
        if (!limit)
            return false;
        if (b->relation == ST_AT_LEAST)
            *low = blk_greatest(g, *low, limit);
        else
            *high = *high ? blk_least(g, *high, limit) : limit;
    }
    return true;
}

static LLVMValueRef i1_equal(blk_gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildICmp(g->e.b, LLVMIntEQ, a, b, "");
}

static void lead_if(blk_gen *g, LLVMValueRef condition) {
    g->leads = gen_both(&g->e, g->leads, condition);
}

static LLVMValueRef is_multiple(blk_gen *g, LLVMValueRef v, int of) {
    LLVMValueRef n = LLVMConstInt(LLVMTypeOf(v), (unsigned)of, false);
    return i1_equal(g, LLVMBuildURem(g->e.b, v, n, ""), LLVMConstInt(LLVMTypeOf(v), 0, false));
}

/* Blocks */

/* Is it the launch's own number of threads in a block along d? */
static bool is_block_size(const blk_gen *g, poly p, int d) {
    bool one = poly_count(p) == 1 && poly_terms(p)[0].degree == 1 && poly_terms(p)[0].factor == 1;
    const st_launch_value *v = one ? st_value_of(g->l, poly_terms(p)[0].atoms[0]) : NULL;
    return v && v->size == ST_BLOCK_SIZE && v->dim == d;
}

static bool find_width(blk_gen *g, blk_axis *a, const st_counter *c) {
    a->width = gen_int32(&g->e, 1);
    a->known_width = 1;
    if (c->thread < 0)
        return true;
    LLVMValueRef size = blk_launched(g, TG_BLOCK_SIZE, c->thread);
    a->width = size;
    if (c->block < 0 || !poly_is_int(c->width, &a->known_width)) {
        a->known_width = tg_required_size(g->function, c->thread);
        if (a->known_width)
            a->width = gen_int32(&g->e, (int32_t)a->known_width);
        LLVMValueRef width = c->block >= 0 ? blk_value(g, c->width) : NULL;
        if (width && !is_block_size(g, c->width, c->thread))
            blk_require(g, i1_equal(g, width, gen_widen(&g->e, size)));
        return c->block < 0 || width;
    }
    a->width = gen_int32(&g->e, (int32_t)a->known_width);
    blk_require(g, i1_equal(g, size, a->width));
    return true;
}

/* Finds the block's cells, of `width` threads. Of a->cells neighbouring blocks as many work as a
 * thread of the program has cells: they have the cells of all of them. */
static void place_block(blk_gen *g, blk_axis *a, LLVMValueRef number, LLVMValueRef width, int own) {
    LLVMValueRef all = LLVMConstInt(LLVMTypeOf(number), (unsigned)a->cells, false), group = number;
    if (a->cells > own) {
        LLVMValueRef rest = LLVMBuildURem(g->e.b, number, all, "");
        lead_if(g, LLVMBuildICmp(g->e.b, LLVMIntULT, rest,
                                 LLVMConstInt(LLVMTypeOf(number), (unsigned)own, false), ""));
        group = LLVMBuildUDiv(g->e.b, number, all, "");
        group =
            LLVMBuildMul(g->e.b, group, LLVMConstInt(LLVMTypeOf(number), (unsigned)own, false), "");
        group = LLVMBuildAdd(g->e.b, group, rest, "");
    }
    group = LLVMBuildMul(g->e.b, gen_widen(&g->e, group), width, "");
    a->tile = LLVMBuildMul(g->e.b, group, gen_int64(&g->e, a->cells), "");
}

/* An axis along which each thread goes by a loop. */
static bool walked_axis(blk_gen *g, int d) {
    blk_axis *a = &g->axes[d];
    if (g->source->scope != BLK_THREAD || (d == g->p->dim && g->p->coarsen > 1))
        return blk_refuse(g, "a loop takes a thread to further cells");
    a->launch_dim = -1;
    a->known_width = a->cells = 1;
    a->thread = gen_int32(&g->e, 0);
    a->width = gen_int32(&g->e, 1);
    a->low = a->tile = gen_int64(&g->e, 0);
    a->high = NULL;
    if (!apply_bounds(g, d, &a->low, &a->high))
        return false;
    a->high = blk_greatest(g, a->high, gen_int64(&g->e, 0));
    a->extent = a->high;
    blk_require_small(g, a->extent);
    return true;
}

/* Of a->cells neighbouring blocks each has the cells of all of them, and its share of the loop in
 * the thread. Returns the first one's number. */
static LLVMValueRef share_loop(blk_gen *g, const blk_axis *a, LLVMValueRef number,
                               LLVMValueRef count) {
    LLVMBuilderRef b = g->e.b;
    LLVMValueRef all = LLVMConstInt(LLVMTypeOf(number), (unsigned)a->cells, false);
    LLVMValueRef rest = LLVMBuildURem(b, number, all, ""),
                 first = LLVMBuildSub(b, number, rest, ""),
                 left = LLVMBuildSub(b, count, first, "");
    LLVMValueRef few = LLVMBuildICmp(b, LLVMIntULT, left, all, ""),
                 here = LLVMBuildSelect(b, few, left, all, "");
    if (g->share)
        rest = LLVMBuildAdd(b, LLVMBuildMul(b, g->share, here, ""), rest, "");
    g->share = rest;
    g->shares = g->shares ? LLVMBuildMul(b, g->shares, here, "") : here;
    return first;
}

/* The cells of an axis along which a loop takes threads to further cells, by as many as the launch
 * has. There must be a thread for each cell, so that no thread comes to a second one. */
static bool take_all(blk_gen *g, int d) {
    blk_axis *a = &g->axes[d];
    LLVMValueRef stride = blk_value(g, g->l->axes[d].counter.stride);
    a->high = NULL;
    if (!stride || !apply_bounds(g, d, &a->low, &a->high))
        return false;
    if (!a->high)
        return blk_refuse(g, "a loop takes a thread to further cells");
    blk_require(g, i1_equal(g, stride, a->extent));
    blk_require(g, LLVMBuildICmp(g->e.b, LLVMIntSLE, a->high, a->extent, ""));
    return true;
}

static bool block_axis(blk_gen *g, int d) {
    blk_axis *a = &g->axes[d];
    const st_counter *c = &g->l->axes[d].counter;
    int own = (int)g->l->axes[d].cells;
    if (g->l->axes[d].walks)
        return walked_axis(g, d);
    if (!find_width(g, a, c))
        return blk_refuse(g, "a coordinate is not a thread's number and a block's");
    a->launch_dim = c->thread >= 0 ? c->thread : c->block;
    a->cells = d == 0 ? g->p->vector : d == g->p->dim ? g->p->coarsen : 1;
    if (a->cells < own)
        return blk_refuse(g, "a thread computes more cells already than it would");
    a->thread = c->thread >= 0 ? blk_launched(g, TG_THREAD, c->thread) : gen_int32(&g->e, 0);
    LLVMValueRef block = gen_int64(&g->e, 0), blocks = gen_int64(&g->e, 1);
    LLVMValueRef width = gen_widen(&g->e, a->width);
    if (c->block >= 0) {
        LLVMValueRef number = blk_launched(g, TG_BLOCK, c->block),
                     count = blk_launched(g, TG_BLOCK_COUNT, c->block);
        bool shared = a->cells > 1 && g->l->walks;
        block = gen_widen(&g->e, shared ? share_loop(g, a, number, count) : number);
        blocks = gen_widen(&g->e, count);
        if (own > 1)
            place_block(g, a, number, width, own);
        else if (a->cells > 1 && !shared)
            lead_if(g, is_multiple(g, number, a->cells));
    }
    if (own == 1)
        a->tile = LLVMBuildMul(g->e.b, block, width, "");
    a->low = gen_int64(&g->e, 0);
    a->extent = LLVMBuildMul(g->e.b, blocks, width, "");
    a->extent = LLVMBuildMul(g->e.b, a->extent, gen_int64(&g->e, own), "");
    a->high = a->extent;
    blk_require_small(g, a->extent);
    if (c->iterates ? !take_all(g, d) : !apply_bounds(g, d, &a->low, &a->high))
        return false;
    a->low = blk_least(g, a->low, a->extent);
    a->high = blk_greatest(g, a->high, gen_int64(&g->e, 0));
    return true;
}

static bool has_near_bounds(const st_launch *l, int d) {
    for (int i = 0; i < l->nbounds; i++)
        if (l->bounds[i].dim == d && !l->bounds[i].is_near)
            return false;
    return true;
}

/* The value of a bound that is a number of few bits plus a small constant. */
static LLVMValueRef near_value(blk_gen *g, poly p) {
    LLVMValueRef sum = gen_int64(&g->e, 0);
    for (int i = 0; i < poly_count(p); i++) {
        const poly_term *t = &poly_terms(p)[i];
        sum = t->degree ? blk_add(g, sum, blk_coordinate(g, blk_atom(g, t->atoms[0])))
                        : blk_plus(g, sum, t->factor);
    }
    return sum;
}

static void narrow_bounds(blk_gen *g, blk_axis *a, int d) {
    a->low = gen_int64(&g->e, 0);
    a->high = blk_coordinate(g, a->extent);
    for (int i = 0; i < g->l->nbounds; i++) {
        const st_launch_bound *b = &g->l->bounds[i];
        if (b->dim != d)
            continue;
        LLVMValueRef limit = near_value(g, b->limit);
        if (b->relation == ST_AT_LEAST)
            a->low = blk_greatest(g, a->low, limit);
        else
            a->high = blk_least(g, a->high, limit);
    }
}

void blk_narrow_axes(blk_gen *g) {
    for (int d = 0; d < g->s->rank && !g->l->is_flat; d++) {
        blk_axis *a = &g->axes[d];
        if (has_near_bounds(g->l, d)) {
            narrow_bounds(g, a, d);
        } else {
            a->low = blk_coordinate(g, a->low);
            a->high = blk_coordinate(g, a->high);
        }
        a->tile = blk_coordinate(g, a->tile);
        a->first = blk_add(g, a->tile, blk_scale(g, gen_extend(&g->e, a->thread), a->cells));
    }
}

/* Flat index */

static LLVMValueRef divide32(blk_gen *g, LLVMValueRef a, LLVMValueRef b) {
    LLVMTypeRef i32 = gen_i32(&g->e);
    a = LLVMBuildTrunc(g->e.b, a, i32, "");
    b = LLVMBuildTrunc(g->e.b, b, i32, "");
    return gen_widen(&g->e, LLVMBuildUDiv(g->e.b, a, b, ""));
}

/* Divisors are above 0, and all numbers fit in 31 bits. */
static bool flat_divisor(blk_gen *g, poly p, LLVMValueRef *out) {
    LLVMValueRef divisor = blk_value(g, p);
    if (!divisor)
        return false;
    LLVMValueRef zero = gen_int64(&g->e, 0), most = gen_int64(&g->e, INT32_MAX);
    blk_require(g, LLVMBuildICmp(g->e.b, LLVMIntSGT, divisor, zero, ""));
    blk_require(g, LLVMBuildICmp(g->e.b, LLVMIntSLE, divisor, most, ""));
    /* computed even where the divisor may be 0: then the result is not used */
    LLVMValueRef bad = LLVMBuildICmp(g->e.b, LLVMIntSLE, divisor, zero, "");
    *out = LLVMBuildSelect(g->e.b, bad, gen_int64(&g->e, 1), divisor, "");
    return true;
}

static bool flat_axis(blk_gen *g, int d) {
    blk_axis *a = &g->axes[d];
    const st_launch_axis *axis = &g->l->axes[d];
    a->launch_dim = -1;
    a->cells = d == g->p->dim ? g->p->coarsen : 1;
    a->low = gen_int64(&g->e, 0);
    if (axis->divides && !flat_divisor(g, axis->divisor, &a->step))
        return false;
    if (!poly_is_zero(axis->extent) && !flat_divisor(g, axis->extent, &a->high))
        return false;
    a->extent = a->high;
    if (!apply_bounds(g, d, &a->low, &a->high))
        return false;
    a->bounded = a->high != NULL;
    a->high = a->high ? a->high : gen_int64(&g->e, INT32_MAX);
    if (d == g->s->rank - 1)
        g->flat_step = a->step;
    return true;
}

/* For a stride loop: counts the rows (3-D: planes) in which the statement writes cells. */
static void count_rows(blk_gen *g) {
    const blk_axis *last = &g->axes[g->s->rank - 1];
    LLVMValueRef end = blk_add(g, g->flat_end, blk_plus(g, g->flat_step, -1));
    g->rows = blk_least(g, last->high, divide32(g, end, g->flat_step));
    LLVMValueRef cells = LLVMBuildMul(g->e.b, g->rows, g->flat_step, "");
    blk_require_small(g, cells);
    blk_require_small(g, g->flat_total);
    g->flat_reach = blk_add(g, cells, g->flat_total);
}

/* The number of cells along d. Along the last dimension of a flat index without a bound: the cells
 * up to the end of the index. */
static LLVMValueRef last_cells(blk_gen *g, int d) {
    if (d < g->s->rank - 1 || !g->flat)
        return g->axes[d].high;
    if (g->rows)
        return g->rows;
    if (g->axes[d].bounded || !g->flat_step)
        return g->axes[d].bounded ? g->axes[d].high : g->flat_end;
    return divide32(g, blk_add(g, g->flat_end, blk_plus(g, g->flat_step, -1)), g->flat_step);
}

/* The first and one behind the last byte of a grid that cells of the axes touch. */
static void find_bytes(blk_gen *g, int32_t grid, LLVMValueRef *first, LLVMValueRef *end) {
    const st_stencil *s = g->s;
    LLVMValueRef zero = gen_int64(&g->e, 0);
    *first = LLVMBuildPtrToInt(g->e.b, g->origin[grid], gen_i64(&g->e), "");
    *end = blk_plus(g, *first, (int64_t)st_type_size(s->grids[grid].type));
    for (int d = 0; d < s->rank; d++) {
        int32_t low, high;
        LLVMValueRef step = g->stride[grid][d];
        LLVMValueRef last = last_cells(g, d);
        blk_reach(s, grid, d, &low, &high);
        low = s->boundary[d][0] == ST_NO_RULE ? low : 0;
        high = s->boundary[d][1] == ST_NO_RULE ? high : 0;
        blk_require(g, LLVMBuildICmp(g->e.b, LLVMIntSGE, step, zero, ""));
        last = blk_plus(g, last, high - 1);
        *first =
            blk_add(g, *first, LLVMBuildMul(g->e.b, step, blk_plus(g, g->axes[d].low, low), ""));
        *end = blk_add(g, *end, LLVMBuildMul(g->e.b, step, last, ""));
    }
}

/* Are the grids components of the same records, or cells between others of an array? Then no test
 * could tell that they are apart, and none is needed. */
static bool never_meet(const blk_gen *g, size_t i, size_t k) {
    const st_launch_grid *a = &g->l->grids[i], *b = &g->l->grids[k];
    int64_t size = (int64_t)st_type_size(g->s->grids[i].type);
    if ((a->beside || b->beside) && a->array >= 0 && a->array == b->array)
        return true;
    return g->s->grids[i].type == g->s->grids[k].type &&
           st_never_meet(a->origin, b->origin, a->stride, b->stride, g->s->rank, size);
}

/* Requires that no array that is written overlaps another array of the statement. The new body
 * computes all cells of a thread before it stores them. If arrays overlapped, the program's thread
 * could read for one cell, or for one of its arrays, what it had just written for another. */
static void require_apart(blk_gen *g) {
    size_t count = g->s->ngrids;
    LLVMValueRef(*bytes)[2] = calloc(count, sizeof *bytes);
    for (size_t i = 0; i < count; i++)
        find_bytes(g, (int32_t)i, &bytes[i][0], &bytes[i][1]);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            bool both = st_writes(g->s, (int32_t)k, 0);
            if (i == k || !st_writes(g->s, (int32_t)i, 0) || (both && k < i) || never_meet(g, i, k))
                continue;
            LLVMValueRef before = LLVMBuildICmp(g->e.b, LLVMIntULE, bytes[k][1], bytes[i][0], "");
            LLVMValueRef after = LLVMBuildICmp(g->e.b, LLVMIntULE, bytes[i][1], bytes[k][0], "");
            blk_require(g, LLVMBuildOr(g->e.b, before, after, ""));
        }
    free(bytes);
}

/* Requires that nothing is written where the program reads its sizes behind branches. */
static void require_unwritten(blk_gen *g) {
    for (size_t i = 0; i < g->s->ngrids; i++) {
        LLVMValueRef first, end;
        if (!st_writes(g->s, (int32_t)i, 0))
            continue;
        find_bytes(g, (int32_t)i, &first, &end);
        blk_require_unwritten(g, first, end);
    }
}

static bool flat_axes(blk_gen *g) {
    const st_counter *c = &g->l->flat;
    LLVMValueRef ignored = gen_int64(&g->e, 0), most = gen_int64(&g->e, INT32_MAX);
    LLVMValueRef width = gen_widen(&g->e, blk_launched(g, TG_BLOCK_SIZE, c->thread));
    LLVMValueRef block = gen_widen(&g->e, blk_launched(g, TG_BLOCK, c->block));
    LLVMValueRef blocks = gen_widen(&g->e, blk_launched(g, TG_BLOCK_COUNT, c->block));
    LLVMValueRef thread = gen_widen(&g->e, blk_launched(g, TG_THREAD, c->thread));
    LLVMValueRef step = blk_value(g, c->width);
    LLVMValueRef stride = step && c->iterates ? blk_value(g, c->stride) : step;
    if (!step || !stride)
        return false;
    g->flat = blk_add(g, LLVMBuildMul(g->e.b, block, width, ""), thread);
    g->flat_reach = g->flat_total = LLVMBuildMul(g->e.b, blocks, width, "");
    g->flat_end = c->iterates ? most : g->flat_total;
    blk_require(g, i1_equal(g, step, width));
    if (c->iterates)
        blk_require(g, i1_equal(g, stride, g->flat_total));
    blk_require(g, LLVMBuildICmp(g->e.b, LLVMIntSLE, g->flat_total, most, ""));
    if (!apply_bounds(g, -1, &ignored, &g->flat_end))
        return false;
    for (int d = 0; d < g->s->rank; d++)
        if (!flat_axis(g, d))
            return false;
    if (c->iterates)
        count_rows(g);
    g->axes[g->s->rank - 1].extent = divide32(g, g->flat_reach, g->flat_step);
    return true;
}

void blk_place_flat(blk_gen *g, LLVMValueRef index, LLVMValueRef row) {
    LLVMValueRef rest = index;
    for (int d = g->s->rank; d-- > 0;) {
        blk_axis *a = &g->axes[d];
        bool is_last = d == g->s->rank - 1;
        a->first = !a->step ? rest : is_last && row ? row : divide32(g, rest, a->step);
        if (a->step)
            rest = blk_sub(g, rest, LLVMBuildMul(g->e.b, a->first, a->step, ""));
    }
}

static void place_flat(blk_gen *g) {
    if (g->l->strides)
        return; /* in each iteration anew */
    blk_place_flat(g, g->flat, NULL);
    if (g->p->coarsen > 1)
        lead_if(g, is_multiple(g, g->axes[g->s->rank - 1].first, g->p->coarsen));
}

/* A source that shares cells has one value for each place. In the place of a cell outside a face it
 * has the value that the boundary rule gives. So no cell outside a face may be one that the kernel
 * writes. */
static void require_faces(blk_gen *g) {
    for (int d = 0; d < g->s->rank; d++)
        for (int high = 0; high < 2; high++) {
            const blk_axis *a = &g->axes[d];
            const blk_face *f = &a->face[high];
            if (f->rule == ST_NO_RULE)
                continue;
            LLVMValueRef last = blk_plus(g, f->limit, 1), end = a->high;
            if (high && g->flat && !a->bounded) {
                last = LLVMBuildMul(g->e.b, last, g->flat_step, "");
                end = g->flat_end;
            }
            blk_require(g, high ? LLVMBuildICmp(g->e.b, LLVMIntSLE, end, last, "")
                                : LLVMBuildICmp(g->e.b, LLVMIntSLE, f->limit, a->low, ""));
        }
}

/* Lets the source number the block's threads in another order. */
static bool place_threads(blk_gen *g) {
    LLVMValueRef suits = NULL;
    if (g->source->check && !g->source->check(g, &suits))
        return false;
    if (suits)
        blk_require(g, suits);
    if (g->source->scope != BLK_THREAD)
        require_faces(g);
    if (g->source->renumber)
        g->source->renumber(g);
    if (g->l->is_flat)
        place_flat(g);
    return true;
}

/* Faces */

static void find_reach(blk_gen *g, int d, int high) {
    blk_face *f = &g->axes[d].face[high];
    for (size_t i = 0; i < g->s->naccesses; i++) {
        const st_access *a = &g->s->accesses[i];
        bool farther = high ? a->offset[d] > f->reach : a->offset[d] < f->reach;
        if (!(a->faces & ST_FACE(d, high)))
            continue;
        if (!f->followed || farther)
            f->reach = a->offset[d];
        f->followed = true;
    }
}

static bool find_face(blk_gen *g, int d, int high) {
    const st_launch_face *from = &g->l->axes[d].face[high];
    blk_face *f = &g->axes[d].face[high];
    f->rule = (st_rule)g->s->boundary[d][high];
    if (f->rule == ST_NO_RULE)
        return true;
    f->limit = blk_value(g, from->limit);
    f->period = f->rule == ST_WRAP ? blk_value(g, from->period) : NULL;
    find_reach(g, d, high);
    return f->limit && (f->rule != ST_WRAP || f->period);
}

static bool find_faces(blk_gen *g) {
    for (int d = 0; d < g->s->rank; d++)
        if (!find_face(g, d, 0) || !find_face(g, d, 1))
            return false;
    return true;
}

/* Which threads read what others read under a condition, and how far away they are. */
static void reach_readers(blk_gen *g, const int32_t apart[]) {
    for (int d = 0; d < g->s->rank; d++) {
        int32_t *readers = &g->axes[d].face[apart[d] > 0].readers;
        if (abs(apart[d]) > abs(*readers))
            *readers = apart[d];
    }
}

static void find_readers(blk_gen *g) {
    for (int d = 0; d < g->s->rank; d++)
        g->axes[d].face[0].readers = g->axes[d].face[1].readers = 0;
    for (size_t i = 0; i < g->s->naccesses; i++) {
        int32_t apart[ST_MAX_RANK] = {0};
        g->has_readers[i] = g->s->accesses[i].conditional && st_find_reader(g->s, i, apart);
        if (g->has_readers[i])
            reach_readers(g, apart);
    }
}

bool blk_find_axes(blk_gen *g) {
    bool good = !g->l->is_flat || flat_axes(g);
    for (int d = 0; d < g->s->rank && !g->l->is_flat && good; d++)
        good = block_axis(g, d);
    bool several = g->rows || g->l->cells > 1 || g->l->walks;
    if (good && (blk_compares_ranges(g->l) || (several && (g->l->may_overlap || g->l->may_meet))))
        require_apart(g);
    if (good && g->nearly)
        require_unwritten(g);
    find_readers(g);
    return good && find_faces(g) && place_threads(g);
}
