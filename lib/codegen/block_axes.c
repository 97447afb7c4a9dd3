/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A thread's cells, under the launch as it is. With C cells a thread, along one dimension:
 *
 *   blocks      of C blocks next to each other, the first does the work of all: its thread t has
 * the cells t * C .. t * C + C - 1 of theirs. The others return at once. Cells for which the launch
 * has no blocks are not computed. flat index  of C rows (3-D: planes) under each other, the threads
 * of the first do the work of all. So long as the launch has threads for them they have cells.
 */
#include "block_gen.h"

#include <string.h>

static LLVMValueRef wide(blk_gen *g, LLVMValueRef v) {
    return LLVMBuildZExt(g->e.b, v, gen_i64(&g->e), "");
}

LLVMValueRef blk_launched(blk_gen *g, tg_launch_value v, int d) {
    if (!g->launch[v][d])
        g->launch[v][d] = tg_launch(g->e.b, v, d);
    return g->launch[v][d];
}

/* The roots of a sum thread + width * block, either of which may be missing. */
typedef struct mapping {
    const kernel_root *thread, *block;
    poly width;
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
        else
            return false;
    }
    if (m->thread && m->block && m->thread->dim != m->block->dim)
        return false;
    return poly_is_zero(&rest) && !kernel_varies(k, &m->width) && (m->thread || m->block);
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

bool gen_block_launch(kernel_region *k, blk_launch *out) {
    mapping m;
    memset(out, 0, sizeof *out);
    out->flat = k->shape == KERNEL_FLAT;
    if (k->march_loop || k->stride_loop || k->other_stride_loop)
        return refuse(k, "a loop takes a thread to further cells");
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
        if (!find_mapping(k, &flat, &m) || !m.thread || !m.block)
            return refuse(k, "its flat index is not one number of threads");
        out->can_coarsen[k->naxes - 1] = axis_of(k, k->naxes - 1) == k->naxes - 1;
        return true;
    }
    for (int d = 0; d < k->naxes; d++) {
        const kernel_axis *a = &k->axes[axis_of(k, d)];
        if (!find_mapping(k, a, &m))
            return refuse(k, "a coordinate is not a thread's number and a block's");
        out->can_coarsen[d] = m.block != NULL && d > 0;
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
        a->known_width = 0;
        LLVMValueRef width = m->block ? blk_value(g, &m->width) : NULL;
        if (width && !(m->width.count == 1 && m->width.terms[0].degree == 1 &&
                       m->width.terms[0].factor == 1 &&
                       m->width.terms[0].atoms[0] == g->k->sizes[0][m->thread->dim]))
            blk_require(g, i1_equal(g, width, wide(g, size)));
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
    a->cells = d == g->p->dim ? g->p->coarsen : 1;
    a->thread = m.thread ? blk_launched(g, TG_THREAD, m.thread->dim) : gen_int32(&g->e, 0);
    LLVMValueRef block = gen_int64(&g->e, 0), blocks = gen_int64(&g->e, 1);
    LLVMValueRef width = wide(g, a->width);
    if (m.block) {
        LLVMValueRef number32 = blk_launched(g, TG_BLOCK, m.block->dim);
        block = wide(g, number32);
        blocks = wide(g, blk_launched(g, TG_BLOCK_COUNT, m.block->dim));
        if (a->cells > 1)
            g->leads = is_multiple(g, number32, a->cells);
    }
    a->tile = LLVMBuildMul(g->e.b, block, width, "");
    a->low = gen_int64(&g->e, 0);
    a->high = a->extent = LLVMBuildMul(g->e.b, blocks, width, "");
    return apply_bounds(g, number, &a->low, &a->high);
}

/* Flat index */

static LLVMValueRef divide32(blk_gen *g, LLVMValueRef a, LLVMValueRef b) {
    LLVMTypeRef i32 = gen_i32(&g->e);
    a = LLVMBuildTrunc(g->e.b, a, i32, "");
    b = LLVMBuildTrunc(g->e.b, b, i32, "");
    return wide(g, LLVMBuildUDiv(g->e.b, a, b, ""));
}

static LLVMValueRef remainder32(blk_gen *g, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef product = LLVMBuildMul(g->e.b, divide32(g, a, b), b, "");
    return LLVMBuildSub(g->e.b, a, product, "");
}

/* Divisors are above 0, and all numbers fit in 31 bits. */
static bool check_divisor(blk_gen *g, LLVMValueRef *divisor) {
    LLVMValueRef zero = gen_int64(&g->e, 0), most = gen_int64(&g->e, INT32_MAX);
    blk_require(g, LLVMBuildICmp(g->e.b, LLVMIntSGT, *divisor, zero, ""));
    blk_require(g, LLVMBuildICmp(g->e.b, LLVMIntSLE, *divisor, most, ""));
    /* Computed where it may be 0: then nothing comes of it. */
    LLVMValueRef bad = LLVMBuildICmp(g->e.b, LLVMIntSLE, *divisor, zero, "");
    *divisor = LLVMBuildSelect(g->e.b, bad, gen_int64(&g->e, 1), *divisor, "");
    return true;
}

static bool flat_axis(blk_gen *g, int d, LLVMValueRef index) {
    kernel_region *k = g->k;
    blk_axis *a = &g->axes[d];
    const kernel_axis *axis = &k->axes[axis_of(k, d)];
    a->launch_dim = -1;
    a->cells = d == g->p->dim ? g->p->coarsen : 1;
    a->thread = a->width = a->tile = NULL;
    a->first = index;
    a->low = gen_int64(&g->e, 0);
    a->high = NULL;
    if (axis->quotient >= 0) {
        LLVMValueRef divisor = blk_value(g, &k->roots[axis->quotient].divisor);
        if (!divisor || !check_divisor(g, &divisor))
            return false;
        a->first = divide32(g, index, divisor);
        a->extent = divide32(g, g->flat_total, divisor);
        g->flat_step = divisor;
    }
    if (!poly_is_zero(&axis->extent)) {
        LLVMValueRef extent = blk_value(g, &axis->extent);
        if (!extent || !check_divisor(g, &extent))
            return false;
        a->first = remainder32(g, a->first, extent);
        a->high = a->extent = extent;
    }
    if (!apply_bounds(g, axis_of(k, d), &a->low, &a->high))
        return false;
    a->high = a->high ? a->high : gen_int64(&g->e, INT32_MAX);
    return true;
}

static bool flat_axes(blk_gen *g) {
    kernel_axis flat = {.value = g->k->flat};
    mapping m;
    LLVMValueRef ignored = gen_int64(&g->e, 0);
    find_mapping(g->k, &flat, &m);
    LLVMValueRef width = wide(g, blk_launched(g, TG_BLOCK_SIZE, m.thread->dim));
    LLVMValueRef step = blk_value(g, &m.width);
    if (!step)
        return false;
    blk_require(g, i1_equal(g, step, width));
    LLVMValueRef block = wide(g, blk_launched(g, TG_BLOCK, m.block->dim));
    LLVMValueRef blocks = wide(g, blk_launched(g, TG_BLOCK_COUNT, m.block->dim));
    LLVMValueRef thread = wide(g, blk_launched(g, TG_THREAD, m.thread->dim));
    g->flat = blk_add(g, LLVMBuildMul(g->e.b, block, width, ""), thread);
    g->flat_end = g->flat_total = LLVMBuildMul(g->e.b, blocks, width, "");
    blk_require(g, LLVMBuildICmp(g->e.b, LLVMIntSLE, g->flat_end, gen_int64(&g->e, INT32_MAX), ""));
    if (!apply_bounds(g, -1, &ignored, &g->flat_end))
        return false;
    for (int d = 0; d < g->s->rank; d++)
        if (!flat_axis(g, d, g->flat))
            return false;
    if (g->p->coarsen > 1)
        g->leads = is_multiple(g, g->axes[g->s->rank - 1].first, g->p->coarsen);
    return true;
}

/* The source may have another order of threads. */
static bool place_threads(blk_gen *g) {
    LLVMValueRef suits = NULL;
    if (g->source->check && !g->source->check(g, &suits))
        return false;
    if (suits)
        blk_require(g, suits);
    if (g->source->renumber)
        g->source->renumber(g);
    for (int d = 0; d < g->s->rank && g->k->shape == KERNEL_BLOCKS; d++) {
        blk_axis *a = &g->axes[d];
        LLVMValueRef cells = gen_int64(&g->e, a->cells);
        a->first = blk_add(g, a->tile, LLVMBuildMul(g->e.b, wide(g, a->thread), cells, ""));
    }
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
