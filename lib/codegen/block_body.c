/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A thread's cells, plane by plane along the plan's dimension. With each plane that arrives,
 * everything that it completes is computed at once, for all of the thread's cells: sums in the
 * program's order become partial sums with the same bits, and what a plane brought dies early. What
 * several cells have in common is computed once.
 */
#include "block_gen.h"

#include <stdlib.h>
#include <string.h>

typedef struct tap_value {
    blk_tap tap;
    LLVMValueRef value;
} tap_value;

typedef struct known_value {
    const st_node *node; /* its operation; the operands are values: */
    LLVMValueRef args[3], value;
} known_value;

typedef struct body {
    blk_gen *g;
    int cells;
    LLVMValueRef *values; /* node * cells */
    bool *stored;         /* [cells] */
    tap_value *taps;
    size_t ntaps;
    known_value *known; /* a hash table of a power of two of entries */
    size_t capacity;
} body;

static LLVMValueRef *value_of(body *b, int32_t node, int cell) {
    return &b->values[(size_t)node * (size_t)b->cells + (size_t)cell];
}

/* Operations that were done before */

static bool same_operation(const known_value *k, const st_node *n, LLVMValueRef *args) {
    return k->node->op == n->op && k->node->type == n->type && k->node->predicate == n->predicate &&
           k->node->flags == n->flags && !memcmp(k->args, args, sizeof k->args);
}

static known_value *find_known(body *b, const st_node *n, LLVMValueRef *args) {
    size_t at = n->op * 31u + n->predicate;
    for (int i = 0; i < 3; i++)
        at = at * 1000003u ^ (uintptr_t)args[i] >> 4;
    for (at &= b->capacity - 1; b->known[at].value; at = (at + 1) & (b->capacity - 1))
        if (same_operation(&b->known[at], n, args))
            break;
    return &b->known[at];
}

static LLVMValueRef operate(body *b, const st_node *n, LLVMValueRef *args) {
    known_value *k = find_known(b, n, args);
    if (!k->value) {
        k->node = n;
        memcpy(k->args, args, sizeof k->args);
        k->value = gen_operation(&b->g->e, n, args);
    }
    return k->value;
}

/* Leaves that no plane brings */
static LLVMValueRef early_leaf(body *b, const st_node *n, int cell) {
    blk_gen *g = b->g;
    LLVMTypeRef i64 = gen_i64(&g->e);
    switch (n->op) {
    case ST_CONST:
        return gen_constant(&g->e, n);
    case ST_SCALAR:
        return g->scalars[n->index];
    case ST_COORD:
        return n->index == g->p->dim ? LLVMBuildAdd(g->e.b, g->axes[n->index].first,
                                                    LLVMConstInt(i64, (unsigned)cell, false), "")
                                     : g->axes[n->index].first;
    default:
        return NULL;
    }
}

/* Whatever can be computed now of a cell. */
static void advance(body *b, int cell) {
    const st_stencil *s = b->g->s;
    for (size_t i = 0; i < s->nnodes; i++) {
        const st_node *n = &s->nodes[i];
        LLVMValueRef args[3] = {NULL, NULL, NULL}, *v = value_of(b, (int32_t)i, cell);
        bool ready = !*v && st_ops[n->op].cls != ST_LEAF;
        for (int k = 0; k < st_ops[n->op].arity && ready; k++) {
            args[k] = *value_of(b, n->args[k], cell);
            ready = args[k] != NULL;
        }
        if (ready)
            *v = operate(b, n, args);
    }
}

static void start(body *b) {
    const st_stencil *s = b->g->s;
    for (int c = 0; c < b->cells; c++) {
        for (size_t i = 0; i < s->nnodes; i++)
            *value_of(b, (int32_t)i, c) = early_leaf(b, &s->nodes[i], c);
        advance(b, c);
    }
}

/* Taps */

static LLVMValueRef take(body *b, const blk_tap *t) {
    for (size_t i = 0; i < b->ntaps; i++)
        if (!memcmp(&b->taps[i].tap, t, sizeof *t))
            return b->taps[i].value;
    LLVMValueRef v = b->g->source->tap(b->g, t);
    b->taps = realloc(b->taps, (b->ntaps + 1) * sizeof *b->taps);
    b->taps[b->ntaps++] = (tap_value){*t, v};
    return v;
}

/* Does the access of the cell lie in the plane? What has no planes comes with the first. */
static bool is_in(const body *b, const st_access *a, int cell, int plane, blk_tap *t) {
    int dim = b->g->p->dim;
    memset(t, 0, sizeof *t);
    t->grid = a->grid;
    memcpy(t->offset, a->offset, sizeof t->offset);
    t->faces = b->g->interior ? 0 : a->faces;
    if (b->g->s->grids[a->grid].broadcast >> dim & 1)
        return plane == 0;
    t->offset[dim] += cell;
    return t->offset[dim] == plane;
}

static void arrive(body *b, int plane) {
    const st_stencil *s = b->g->s;
    blk_tap t;
    if (b->g->source->arrive)
        b->g->source->arrive(b->g, plane);
    for (int c = 0; c < b->cells; c++)
        for (size_t i = 0; i < s->nnodes; i++)
            if (s->nodes[i].op == ST_ACCESS &&
                is_in(b, &s->accesses[s->nodes[i].index], c, plane, &t))
                *value_of(b, (int32_t)i, c) = take(b, &t);
}

/* Stores */

static void store_cell(blk_gen *g, LLVMValueRef v, LLVMValueRef to) {
    LLVMValueRef store = LLVMBuildStore(g->e.b, v, to);
    LLVMSetAlignment(store, (unsigned)st_type_size(g->s->grids[g->s->store_grid].type));
}

static LLVMValueRef is_inside(blk_gen *g, int cell) {
    LLVMValueRef c = gen_int64(&g->e, cell);
    LLVMValueRef from = LLVMBuildICmp(g->e.b, LLVMIntSLE, g->from, c, "");
    LLVMValueRef to = LLVMBuildICmp(g->e.b, LLVMIntSLE, c, g->to, "");
    LLVMValueRef both = LLVMBuildAnd(g->e.b, from, to, "");
    return g->active ? LLVMBuildAnd(g->e.b, both, g->active, "") : both;
}

static void store(body *b, int cell) {
    blk_gen *g = b->g;
    LLVMValueRef v = *value_of(b, g->s->root, cell);
    blk_tap here = {.grid = g->s->store_grid};
    here.offset[g->p->dim] = cell;
    LLVMValueRef to = blk_tap_address(g, &here);
    b->stored[cell] = true;
    if (g->interior) {
        store_cell(g, v, to);
        return;
    }
    LLVMBasicBlockRef yes = blk_block(g, "inside"), next = blk_block(g, "next");
    LLVMBuildCondBr(g->e.b, is_inside(g, cell), yes, next);
    LLVMPositionBuilderAtEnd(g->e.b, yes);
    store_cell(g, v, to);
    LLVMBuildBr(g->e.b, next);
    LLVMPositionBuilderAtEnd(g->e.b, next);
}

static void find_planes(const blk_gen *g, int *first, int *last) {
    *first = 0;
    *last = g->p->coarsen - 1;
    for (size_t i = 0; i < g->s->naccesses; i++) {
        const st_access *a = &g->s->accesses[i];
        if (g->s->grids[a->grid].broadcast >> g->p->dim & 1)
            continue;
        int at = a->offset[g->p->dim];
        *first = at < *first ? at : *first;
        *last = at + g->p->coarsen - 1 > *last ? at + g->p->coarsen - 1 : *last;
    }
}

static void emit_planes(body *b) {
    int first, last;
    find_planes(b->g, &first, &last);
    start(b);
    for (int plane = first; plane <= last; plane++) {
        arrive(b, plane);
        for (int c = 0; c < b->cells; c++) {
            advance(b, c);
            if (!b->stored[c] && *value_of(b, b->g->s->root, c))
                store(b, c);
        }
    }
}

static void emit_body(blk_gen *g, LLVMBasicBlockRef at, bool interior) {
    body b = {.g = g, .cells = g->p->coarsen, .capacity = 64};
    size_t count = g->s->nnodes * (size_t)b.cells;
    while (b.capacity < 2 * count)
        b.capacity *= 2;
    b.values = calloc(count, sizeof *b.values);
    b.known = calloc(b.capacity, sizeof *b.known);
    b.stored = calloc((size_t)b.cells, sizeof *b.stored);
    for (int i = 0; i < BLK_MAX_PLANES; i++)
        memset(g->plane[i], 0, g->s->ngrids * sizeof *g->plane[i]);
    g->interior = interior;
    LLVMPositionBuilderAtEnd(g->e.b, at);
    if (g->source->begin)
        g->source->begin(g);
    emit_planes(&b);
    if (g->source->end)
        g->source->end(g);
    LLVMBuildRetVoid(g->e.b);
    free(b.values);
    free(b.known);
    free(b.stored);
    free(b.taps);
}

/* Which body */

static LLVMValueRef both(blk_gen *g, LLVMValueRef a, LLVMValueRef b) {
    return !a ? b : !b ? a : LLVMBuildAnd(g->e.b, a, b, "");
}

static bool is_zero(LLVMValueRef v) {
    return LLVMIsAConstantInt(v) && LLVMConstIntGetSExtValue(v) == 0;
}

static LLVMValueRef less(blk_gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildICmp(g->e.b, LLVMIntSLT, a, b, "");
}

/* Does no tap of the cells from `first` to before `end` follow a boundary rule? */
static void test_faces(blk_gen *g, const blk_axis *a, LLVMValueRef first, LLVMValueRef end,
                       LLVMValueRef *all) {
    const blk_face *low = &a->face[0], *high = &a->face[1];
    if (low->reach < 0)
        *all = both(g, *all, LLVMBuildICmp(g->e.b, LLVMIntSLE, low->limit,
                                           blk_plus(g, first, low->reach), ""));
    if (high->reach > 0)
        *all = both(g, *all, LLVMBuildICmp(g->e.b, LLVMIntSLE,
                                           blk_plus(g, end, high->reach - 1), high->limit, ""));
}

/* Are all, and is any, of `count` cells from `first` on inside along d? */
static void test_cells(blk_gen *g, int d, LLVMValueRef first, LLVMValueRef count, LLVMValueRef *all,
                       LLVMValueRef *any) {
    const blk_axis *a = &g->axes[d];
    LLVMValueRef end = blk_add(g, first, count), below = less(g, first, a->high);
    if (!is_zero(a->low)) {
        *any = both(g, *any, less(g, a->low, end));
        *all = both(g, *all, LLVMBuildICmp(g->e.b, LLVMIntSLE, a->low, first, ""));
    }
    *any = both(g, *any, below);
    *all = both(g, *all, LLVMBuildICmp(g->e.b, LLVMIntSLE, end, a->high, ""));
    test_faces(g, a, first, end, all);
}

static void test_flat(blk_gen *g, LLVMValueRef *all, LLVMValueRef *any) {
    LLVMValueRef last = gen_int64(&g->e, 0);
    if (g->p->coarsen > 1)
        last = LLVMBuildMul(g->e.b, g->flat_step, gen_int64(&g->e, g->p->coarsen - 1), "");
    *any = both(g, *any, less(g, g->flat, g->flat_end));
    *all = both(g, *all, less(g, blk_add(g, g->flat, last), g->flat_end));
}

static void test_thread(blk_gen *g, LLVMValueRef *all, LLVMValueRef *any) {
    for (int d = 0; d < g->s->rank; d++)
        test_cells(g, d, g->axes[d].first, gen_int64(&g->e, g->axes[d].cells), all, any);
    if (g->flat)
        test_flat(g, all, any);
}

static void test_wave(blk_gen *g, LLVMValueRef *all, LLVMValueRef *any) {
    for (int d = 0; d < g->s->rank; d++) {
        const blk_axis *a = &g->axes[d];
        LLVMValueRef before = LLVMBuildZExt(g->e.b, a->lane, gen_i64(&g->e), "");
        before = LLVMBuildMul(g->e.b, before, gen_int64(&g->e, a->cells), "");
        LLVMValueRef first = LLVMBuildSub(g->e.b, a->first, before, "");
        test_cells(g, d, first, gen_int64(&g->e, a->wave * a->cells), all, any);
    }
}

static void test_block(blk_gen *g, LLVMValueRef *all, LLVMValueRef *any) {
    for (int d = 0; d < g->s->rank; d++) {
        const blk_axis *a = &g->axes[d];
        LLVMValueRef width = LLVMBuildZExt(g->e.b, a->width, gen_i64(&g->e), "");
        width = LLVMBuildMul(g->e.b, width, gen_int64(&g->e, a->cells), "");
        test_cells(g, d, a->tile, width, all, any);
    }
}

/* Which of the thread's cells are inside: from, to, active. */
static void find_inside(blk_gen *g) {
    const blk_axis *a = &g->axes[g->p->dim];
    LLVMValueRef count = gen_int64(&g->e, g->p->coarsen), all = NULL, any = NULL;
    LLVMValueRef high = LLVMBuildSub(g->e.b, a->high, a->first, "");
    g->from = LLVMBuildSub(g->e.b, a->low, a->first, "");
    g->from = blk_greatest(g, g->from, gen_int64(&g->e, 0));
    g->to = blk_plus(g, blk_least(g, high, count), -1);
    if (g->flat) {
        LLVMValueRef rows = LLVMBuildSub(g->e.b, blk_plus(g, g->flat_end, -1), g->flat, "");
        rows = LLVMBuildSDiv(g->e.b, rows, g->flat_step, "");
        g->to = blk_least(g, g->to, rows);
    }
    g->active = NULL;
    if (g->source->scope == BLK_THREAD)
        return;
    for (int d = 0; d < g->s->rank; d++)
        if (d != g->p->dim)
            test_cells(g, d, g->axes[d].first, gen_int64(&g->e, 1), &all, &any);
    g->active = any ? any : LLVMConstInt(LLVMInt1TypeInContext(g->e.context), 1, false);
}

static bool has_faces(const blk_gen *g) {
    bool any = false;
    for (int d = 0; d < g->s->rank; d++)
        any |= g->axes[d].face[0].reach < 0 || g->axes[d].face[1].reach > 0;
    return any;
}

static void find_homes(blk_gen *g) {
    LLVMValueRef at[ST_MAX_RANK];
    for (int d = 0; d < g->s->rank; d++)
        at[d] = g->axes[d].first;
    for (size_t i = 0; i < g->s->ngrids; i++)
        g->home[i] = blk_address(g, (int32_t)i, at);
}

void blk_emit_bodies(blk_gen *g) {
    LLVMValueRef all = NULL, any = NULL;
    bool thread = g->source->scope == BLK_THREAD, once = thread && g->p->coarsen == 1 && !has_faces(g);
    LLVMBasicBlockRef some = blk_block(g, "some"), interior = blk_block(g, "interior");
    g->home = calloc(g->s->ngrids, sizeof *g->home);
    for (int i = 0; i < BLK_MAX_PLANES; i++)
        g->plane[i] = calloc(g->s->ngrids, sizeof *g->plane[i]);
    if (thread)
        test_thread(g, &all, &any);
    else if (g->source->scope == BLK_WAVE)
        test_wave(g, &all, &any);
    else
        test_block(g, &all, &any);
    LLVMBuildCondBr(g->e.b, any, some, g->done);
    LLVMPositionBuilderAtEnd(g->e.b, some);
    find_homes(g);
    if (once) { /* of one cell, any is all */
        LLVMBuildBr(g->e.b, interior);
    } else {
        LLVMBasicBlockRef border = blk_block(g, "border");
        LLVMBuildCondBr(g->e.b, all, interior, border);
        LLVMPositionBuilderAtEnd(g->e.b, border);
        find_inside(g);
        emit_body(g, border, false);
    }
    emit_body(g, interior, true);
    for (int i = 0; i < BLK_MAX_PLANES; i++)
        free(g->plane[i]);
    free(g->home);
}
