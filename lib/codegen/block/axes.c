/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A thread's cells, under the launch as it is. With C cells a thread, along one dimension:
 *
 * blocks: of C blocks next to each other, the first does the work of all: its thread t has the
 * cells t * C .. t * C + C - 1 of theirs. The others return at once. Cells for which the launch has
 * no blocks are not computed. Along x likewise, where a thread has a vector of cells.
 *
 * flat index: of C rows (3-D: planes) under each other, the threads of the first do the work of
 * all. So long as the launch has threads for them they have cells.
 */
#include "codegen/block/gen.h"

#include <string.h>

/* The roots of a sum thread + width * block, either of which may be missing; of a stride loop, +
 * stride * iteration. */
typedef struct mapping {
    const kernel_root *thread, *block, *iteration;
    poly width, stride;
} mapping;

static bool find_mapping(const kernel_region *k, const kernel_axis *a, mapping *m) {
    poly by, rest = a->value, all;
    int64_t one;
    memset(m, 0, sizeof *m);
    m->width = poly_int(1);
    for (int i = 0; i < k->nroots; i++) {
        const kernel_root *r = &k->roots[i];
        all = rest;
        if (!poly_split(&all, kernel_root_atom((kernel_root *)r), &by, &rest))
            return false;
        if (poly_is_zero(&by))
            continue;
        if (r->role == KERNEL_THREAD && !m->thread && poly_is_int(&by, &one) && one == 1)
            m->thread = r;
        else if (r->role == KERNEL_BLOCK && !m->block)
            m->width = by, m->block = r;
        else if (r->role == KERNEL_ITERATION && r->loop == k->stride_loop && !m->iteration)
            m->stride = by, m->iteration = r;
        else
            return false;
    }
    if (m->thread && m->block && m->thread->dim != m->block->dim)
        return false;
    return poly_is_zero(&rest) && !kernel_varies(k, &m->width) && (m->thread || m->block) &&
           (!m->iteration || !kernel_varies(k, &m->stride));
}

static int axis_of(const kernel_region *k, int d) {
    int i = 0;
    while (k->region.dim_of_loop[i] != d)
        i++;
    return i;
}

static bool refuse(kernel_region *k, const char *detail) {
    return kernel_refuse(k, ST_NO_KERNEL_SHAPE, detail);
}

/* Are all axes but the first quotients of the flat index? */
static bool is_all_flat(const kernel_region *k) {
    bool all = true;
    for (int i = 1; i < k->naxes; i++)
        all &= k->axes[i].quotient >= 0;
    return all;
}

/* Do threads count through cells as they lie in memory? */
static bool is_in_order(const kernel_region *k) {
    bool in_order = true;
    for (int d = 0; d < k->naxes; d++)
        in_order &= axis_of(k, d) == d;
    return in_order;
}

bool gen_block_launch(kernel_region *k, blk_launch *out) {
    mapping m;
    memset(out, 0, sizeof *out);
    out->flat = k->shape == KERNEL_FLAT;
    out->strided = k->stride_loop != NULL;
    if (k->march_loop || k->other_stride_loop || (k->stride_loop && !out->flat))
        return refuse(k, "a loop takes a thread to further cells");
    if (k->cells > 1)
        return refuse(k, "a thread computes several cells already");
    if (k->rows_assumed)
        return refuse(k, "its flat index has no rows");
    for (int i = 0; i < k->nbounds; i++) {
        if (k->bounds[i].relation == KERNEL_NOT)
            return refuse(k, "one cell between others is left out");
        if (k->bounds[i].axis < 0 && k->bounds[i].relation == KERNEL_AT_LEAST)
            return refuse(k, "its first cells are left out");
    }
    if (out->flat) {
        kernel_axis flat = {.value = k->flat};
        if (!find_mapping(k, &flat, &m) || !m.thread || !m.block ||
            (m.iteration != NULL) != (k->stride_loop != NULL))
            return refuse(k, "its flat index is not one number of threads");
        if (!is_all_flat(k))
            return refuse(k, "one coordinate is not taken from its flat index");
        if (!is_in_order(k))
            return refuse(k, "its flat index counts cells in another order than that of memory");
        out->can_coarsen[k->naxes - 1] = true;
        return true;
    }
    for (int d = 0; d < k->naxes; d++) {
        const kernel_axis *a = &k->axes[axis_of(k, d)];
        if (!find_mapping(k, a, &m) || m.iteration)
            return refuse(k, "a coordinate is not a thread's number and a block's");
        out->can_coarsen[d] = m.block != NULL;
        out->along_x |= d == 0 && m.thread && m.thread->dim == 0;
        if (!poly_is_int(&m.width, &out->width[d]))
            out->width[d] = 0;
    }
    return true;
}

/* Bounds of cells, by the guards. */
static bool apply_bounds(blk_gen *g, int number, LLVMValueRef *low, LLVMValueRef *high) {
    const kernel_region *k = g->k;
    for (int i = 0; i < k->nbounds; i++) {
        const kernel_bound *b = &k->bounds[i];
        if (b->axis != number)
            continue;
        LLVMValueRef limit = blk_value(g, &b->limit);
        if (!limit)
            return false;
        if (b->relation == KERNEL_AT_LEAST)
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
    g->leads = blk_both(g, g->leads, condition);
}

static LLVMValueRef is_multiple(blk_gen *g, LLVMValueRef v, int of) {
    LLVMValueRef n = LLVMConstInt(LLVMTypeOf(v), (unsigned)of, false);
    return i1_equal(g, LLVMBuildURem(g->e.b, v, n, ""), LLVMConstInt(LLVMTypeOf(v), 0, false));
}

/* Blocks */

static bool find_width(blk_gen *g, blk_axis *a, const mapping *m) {
    a->width = gen_int32(&g->e, 1);
    a->known_width = 1;
    if (!m->thread)
        return true;
    LLVMValueRef size = blk_launched(g, TG_BLOCK_SIZE, m->thread->dim);
    a->width = size;
    if (!m->block || !poly_is_int(&m->width, &a->known_width)) {
        a->known_width = tg_required_size(g->function, m->thread->dim);
        if (a->known_width)
            a->width = gen_int32(&g->e, (int32_t)a->known_width);
        LLVMValueRef width = m->block ? blk_value(g, &m->width) : NULL;
        if (width && !(m->width.count == 1 && m->width.terms[0].degree == 1 &&
                       m->width.terms[0].factor == 1 &&
                       m->width.terms[0].atoms[0] == g->k->sizes[0][m->thread->dim]))
            blk_require(g, i1_equal(g, width, blk_widen(g, size)));
        return !m->block || width;
    }
    a->width = gen_int32(&g->e, (int32_t)a->known_width);
    blk_require(g, i1_equal(g, size, a->width));
    return true;
}

static bool block_axis(blk_gen *g, int d) {
    blk_axis *a = &g->axes[d];
    int number = axis_of(g->k, d);
    mapping m;
    if (!find_mapping(g->k, &g->k->axes[number], &m) || !find_width(g, a, &m))
        return refuse(g->k, "a coordinate is not a thread's number and a block's");
    a->launch_dim = m.thread ? m.thread->dim : m.block->dim;
    a->cells = d == 0 ? g->p->vector : d == g->p->dim ? g->p->coarsen : 1;
    a->thread = m.thread ? blk_launched(g, TG_THREAD, m.thread->dim) : gen_int32(&g->e, 0);
    LLVMValueRef block = gen_int64(&g->e, 0), blocks = gen_int64(&g->e, 1);
    LLVMValueRef width = blk_widen(g, a->width);
    if (m.block) {
        LLVMValueRef number32 = blk_launched(g, TG_BLOCK, m.block->dim);
        block = blk_widen(g, number32);
        blocks = blk_widen(g, blk_launched(g, TG_BLOCK_COUNT, m.block->dim));
        if (a->cells > 1)
            lead_if(g, is_multiple(g, number32, a->cells));
    }
    a->tile = LLVMBuildMul(g->e.b, block, width, "");
    a->low = gen_int64(&g->e, 0);
    a->high = a->extent = LLVMBuildMul(g->e.b, blocks, width, "");
    blk_require_small(g, a->extent);
    if (!apply_bounds(g, number, &a->low, &a->high))
        return false;
    a->low = blk_least(g, a->low, a->extent);
    a->high = blk_greatest(g, a->high, gen_int64(&g->e, 0));
    return true;
}

static bool has_small_bounds(const kernel_region *k, int number) {
    for (int i = 0; i < k->nbounds; i++)
        if (k->bounds[i].axis == number && !kernel_is_near(k, &k->bounds[i].limit))
            return false;
    return true;
}

/* Of a bound that is near a number of few bits. */
static LLVMValueRef near_value(blk_gen *g, const poly *p) {
    LLVMValueRef sum = gen_int64(&g->e, 0);
    for (int i = 0; i < p->count; i++) {
        const poly_term *t = &p->terms[i];
        sum = t->degree ? blk_add(g, sum, blk_coordinate(g, blk_atom(g, t->atoms[0])))
                        : blk_plus(g, sum, t->factor);
    }
    return sum;
}

static void narrow_bounds(blk_gen *g, blk_axis *a, int number) {
    a->low = gen_int64(&g->e, 0);
    a->high = blk_coordinate(g, a->extent);
    for (int i = 0; i < g->k->nbounds; i++) {
        const kernel_bound *b = &g->k->bounds[i];
        if (b->axis != number)
            continue;
        LLVMValueRef limit = near_value(g, &b->limit);
        if (b->relation == KERNEL_AT_LEAST)
            a->low = blk_greatest(g, a->low, limit);
        else
            a->high = blk_least(g, a->high, limit);
    }
}

void blk_narrow_axes(blk_gen *g) {
    for (int d = 0; d < g->s->rank && g->k->shape == KERNEL_BLOCKS; d++) {
        blk_axis *a = &g->axes[d];
        int number = axis_of(g->k, d);
        if (has_small_bounds(g->k, number)) {
            narrow_bounds(g, a, number);
        } else {
            a->low = blk_coordinate(g, a->low);
            a->high = blk_coordinate(g, a->high);
        }
        a->tile = blk_coordinate(g, a->tile);
        a->first = blk_add(g, a->tile, blk_scale(g, blk_extend(g, a->thread), a->cells));
    }
}

/* Flat index */

static LLVMValueRef divide32(blk_gen *g, LLVMValueRef a, LLVMValueRef b) {
    LLVMTypeRef i32 = gen_i32(&g->e);
    a = LLVMBuildTrunc(g->e.b, a, i32, "");
    b = LLVMBuildTrunc(g->e.b, b, i32, "");
    return blk_widen(g, LLVMBuildUDiv(g->e.b, a, b, ""));
}

/* Divisors are above 0, and all numbers fit in 31 bits. */
static bool flat_divisor(blk_gen *g, const poly *p, LLVMValueRef *out) {
    LLVMValueRef divisor = blk_value(g, p);
    if (!divisor)
        return false;
    LLVMValueRef zero = gen_int64(&g->e, 0), most = gen_int64(&g->e, INT32_MAX);
    blk_require(g, LLVMBuildICmp(g->e.b, LLVMIntSGT, divisor, zero, ""));
    blk_require(g, LLVMBuildICmp(g->e.b, LLVMIntSLE, divisor, most, ""));
    /* Computed where it may be 0: then nothing comes of it. */
    LLVMValueRef bad = LLVMBuildICmp(g->e.b, LLVMIntSLE, divisor, zero, "");
    *out = LLVMBuildSelect(g->e.b, bad, gen_int64(&g->e, 1), divisor, "");
    return true;
}

static bool flat_axis(blk_gen *g, int d) {
    kernel_region *k = g->k;
    blk_axis *a = &g->axes[d];
    const kernel_axis *axis = &k->axes[axis_of(k, d)];
    a->launch_dim = -1;
    a->cells = d == g->p->dim ? g->p->coarsen : 1;
    a->low = gen_int64(&g->e, 0);
    if (axis->quotient >= 0 && !flat_divisor(g, &k->roots[axis->quotient].divisor, &a->step))
        return false;
    if (!poly_is_zero(&axis->extent) && !flat_divisor(g, &axis->extent, &a->high))
        return false;
    a->extent = a->high;
    if (!apply_bounds(g, axis_of(k, d), &a->low, &a->high))
        return false;
    a->bounded = a->high != NULL;
    a->high = a->high ? a->high : gen_int64(&g->e, INT32_MAX);
    if (d == g->s->rank - 1)
        g->flat_step = a->step;
    return true;
}

/* Of a loop, rows (3-D: planes) of which the statement writes cells. */
static void count_rows(blk_gen *g) {
    const blk_axis *last = &g->axes[g->s->rank - 1];
    LLVMValueRef end = blk_add(g, g->flat_end, blk_plus(g, g->flat_step, -1));
    g->rows = blk_least(g, last->high, divide32(g, end, g->flat_step));
    LLVMValueRef cells = LLVMBuildMul(g->e.b, g->rows, g->flat_step, "");
    blk_require_small(g, cells);
    blk_require_small(g, g->flat_total);
    g->flat_reach = blk_add(g, cells, g->flat_total);
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
        LLVMValueRef last = d == s->rank - 1 ? g->rows : g->axes[d].high;
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

/* A thread that computes several cells may read in one what it wrote in another. */
static void require_apart(blk_gen *g) {
    LLVMValueRef first, end, from, to;
    find_bytes(g, g->s->store_grid, &first, &end);
    for (size_t i = 0; i < g->s->ngrids; i++) {
        if ((int32_t)i == g->s->store_grid)
            continue;
        find_bytes(g, (int32_t)i, &from, &to);
        LLVMValueRef before = LLVMBuildICmp(g->e.b, LLVMIntULE, to, first, "");
        LLVMValueRef after = LLVMBuildICmp(g->e.b, LLVMIntULE, end, from, "");
        blk_require(g, LLVMBuildOr(g->e.b, before, after, ""));
    }
}

static bool flat_axes(blk_gen *g) {
    kernel_axis flat = {.value = g->k->flat};
    mapping m;
    LLVMValueRef ignored = gen_int64(&g->e, 0), most = gen_int64(&g->e, INT32_MAX);
    find_mapping(g->k, &flat, &m);
    LLVMValueRef width = blk_widen(g, blk_launched(g, TG_BLOCK_SIZE, m.thread->dim));
    LLVMValueRef block = blk_widen(g, blk_launched(g, TG_BLOCK, m.block->dim));
    LLVMValueRef blocks = blk_widen(g, blk_launched(g, TG_BLOCK_COUNT, m.block->dim));
    LLVMValueRef thread = blk_widen(g, blk_launched(g, TG_THREAD, m.thread->dim));
    LLVMValueRef step = blk_value(g, &m.width);
    LLVMValueRef stride = step && m.iteration ? blk_value(g, &m.stride) : step;
    if (!step || !stride)
        return false;
    g->flat = blk_add(g, LLVMBuildMul(g->e.b, block, width, ""), thread);
    g->flat_reach = g->flat_total = LLVMBuildMul(g->e.b, blocks, width, "");
    g->flat_end = m.iteration ? most : g->flat_total;
    blk_require(g, i1_equal(g, step, width));
    if (m.iteration)
        blk_require(g, i1_equal(g, stride, g->flat_total));
    blk_require(g, LLVMBuildICmp(g->e.b, LLVMIntSLE, g->flat_total, most, ""));
    if (!apply_bounds(g, -1, &ignored, &g->flat_end))
        return false;
    for (int d = 0; d < g->s->rank; d++)
        if (!flat_axis(g, d))
            return false;
    if (m.iteration)
        count_rows(g);
    if (m.iteration && g->k->may_overlap)
        require_apart(g);
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
    if (g->k->stride_loop)
        return; /* in each iteration anew */
    blk_place_flat(g, g->flat, NULL);
    if (g->p->coarsen > 1)
        lead_if(g, is_multiple(g, g->axes[g->s->rank - 1].first, g->p->coarsen));
}

/* Sources that share cells take one outside a face for what is read in its place: no cell written
 * may be there. */
static void require_faces(blk_gen *g) {
    for (int d = 0; d < g->s->rank; d++)
        for (int high = 0; high < 2; high++) {
            const blk_axis *a = &g->axes[d];
            const blk_face *f = &a->face[high];
            if (f->rule != ST_CLAMP)
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

/* The source may have another order of threads. */
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
    if (g->k->shape == KERNEL_FLAT)
        place_flat(g);
    return true;
}

/* Faces */

static void find_reach(blk_gen *g, int d, int high) {
    blk_face *f = &g->axes[d].face[high];
    for (size_t i = 0; i < g->s->naccesses; i++) {
        const st_access *a = &g->s->accesses[i];
        bool farther = high ? a->offset[d] > f->reach : a->offset[d] < f->reach;
        if (a->faces & ST_FACE(d, high) && farther)
            f->reach = a->offset[d];
    }
}

static bool find_face(blk_gen *g, int d, int high) {
    const kernel_face *from = &g->k->faces[axis_of(g->k, d)][high];
    blk_face *f = &g->axes[d].face[high];
    f->rule = (st_rule)g->s->boundary[d][high];
    if (f->rule == ST_NO_RULE)
        return true;
    f->limit = blk_value(g, &from->limit);
    f->period = f->rule == ST_WRAP ? blk_value(g, &from->period) : NULL;
    find_reach(g, d, high);
    return f->limit && (f->rule != ST_WRAP || f->period);
}

static bool find_faces(blk_gen *g) {
    for (int d = 0; d < g->s->rank; d++)
        if (!find_face(g, d, 0) || !find_face(g, d, 1))
            return false;
    return true;
}

bool blk_find_axes(blk_gen *g) {
    bool good = g->k->shape != KERNEL_FLAT || flat_axes(g);
    for (int d = 0; d < g->s->rank && g->k->shape == KERNEL_BLOCKS && good; d++)
        good = block_axis(g, d);
    return good && find_faces(g) && place_threads(g);
}
