/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The computation of a thread's cells. Some are next to each other along x (a vector). The body
 * goes plane by plane along the plan's dimension. When a plane arrives, everything that it
 * completes is computed at once, for all of the thread's cells. Sums in the program's order become
 * partial sums with the same bits. So a plane's values are needed only for a short time. What
 * several cells share is computed once.
 */
#include "codegen/block/body.h"

#include <stdlib.h>
#include <string.h>

/* Operations that the body has computed already */

static bool same_operation(const blk_known_value *k, const st_node *n, LLVMValueRef *args) {
    return k->node->op == n->op && k->node->type == n->type && k->node->predicate == n->predicate &&
           k->node->flags == n->flags && k->node->index == n->index &&
           !memcmp(k->args, args, sizeof k->args);
}

static blk_known_value *find_known(blk_body *b, const st_node *n, LLVMValueRef *args) {
    size_t at = n->op * 31u + n->predicate;
    for (int i = 0; i < 3; i++)
        at = at * 1000003u ^ (uintptr_t)args[i] >> 4;
    for (at &= b->capacity - 1; b->known[at].value; at = (at + 1) & (b->capacity - 1))
        if (same_operation(&b->known[at], n, args))
            break;
    return &b->known[at];
}

static LLVMValueRef operate(blk_body *b, const st_node *n, LLVMValueRef *args) {
    blk_known_value *k = find_known(b, n, args);
    if (!k->value) {
        k->node = n;
        memcpy(k->args, args, sizeof k->args);
        k->value = gen_operation(&b->g->e, n, args);
    }
    return k->value;
}

/* The value of a leaf that no plane brings. */
static LLVMValueRef early_leaf(blk_body *b, const st_node *n, int cell) {
    blk_gen *g = b->g;
    switch (n->op) {
    case ST_CONST:
        return gen_constant(&g->e, n);
    case ST_SCALAR:
        return g->scalars[n->index];
    case ST_COORD:
        return blk_plus(g, g->axes[n->index].first,
                        n->index == 0           ? blk_cell_x(b, cell)
                        : n->index == g->p->dim ? blk_cell_plane(b, cell)
                                                : 0);
    default:
        return NULL;
    }
}

/* Computes all of the cell's values whose operands are known. */
static void advance(blk_body *b, int cell) {
    const st_stencil *s = b->g->s;
    for (size_t i = 0; i < s->nnodes; i++) {
        const st_node *n = &s->nodes[i];
        LLVMValueRef args[3] = {NULL, NULL, NULL}, *v = blk_value_of(b, (int32_t)i, cell);
        bool ready = !*v && st_ops[n->op].cls != ST_LEAF;
        for (int k = 0; k < st_ops[n->op].arity && ready; k++) {
            args[k] = *blk_value_of(b, n->args[k], cell);
            ready = args[k] != NULL;
        }
        if (ready)
            *v = operate(b, n, args);
    }
}

static void start(blk_body *b) {
    const st_stencil *s = b->g->s;
    for (int c = 0; c < b->cells; c++) {
        for (size_t i = 0; i < s->nnodes; i++)
            *blk_value_of(b, (int32_t)i, c) = early_leaf(b, &s->nodes[i], c);
        advance(b, c);
    }
}

/* Taps */

/* Does the access of the cell lie in the plane? An access to a grid without planes comes with the
 * first plane. */
static bool is_in(const blk_body *b, const st_access *a, int cell, int plane, blk_tap *t) {
    bool fixed = b->g->s->grids[a->grid].broadcast >> b->g->p->dim & 1;
    blk_tap_of(b, a, cell, t);
    return fixed ? plane == 0 : t->offset[b->g->p->dim] == plane;
}

static void arrive(blk_body *b, int plane) {
    const st_stencil *s = b->g->s;
    blk_tap t;
    if (b->g->source->arrive)
        b->g->source->arrive(b->g, plane);
    for (int c = 0; c < b->cells; c++)
        for (size_t i = 0; i < s->nnodes; i++)
            if (s->nodes[i].op == ST_ACCESS &&
                !blk_is_guarded(b->g, &s->accesses[s->nodes[i].index]) &&
                is_in(b, &s->accesses[s->nodes[i].index], c, plane, &t))
                *blk_value_of(b, (int32_t)i, c) = blk_take(b, &t);
}

/* Stores */

/* Number i of the statement's values: what is stored where. */
typedef struct output {
    size_t number;
    int32_t grid, value;
    int32_t where; /* the node of a condition; -1: always */
} output;

static output output_of(const blk_body *b, size_t i) {
    const st_stencil *s = b->g->s;
    int32_t root = i ? s->also[i - 1].root : s->root;
    output o = {i, i ? s->also[i - 1].grid : s->store_grid, root, -1};
    if (s->masked >> i & 1) {
        o.where = s->nodes[root].args[0];
        o.value = s->nodes[root].args[1];
    }
    return o;
}

/* Finds the addresses of a row before any condition is tested: other rows use the addresses of
 * planes, too. */
static void find_addresses(blk_body *b, int row) {
    for (size_t i = 0; i <= b->g->s->nalso; i++) {
        blk_tap here = {.grid = output_of(b, i).grid};
        here.offset[b->g->p->dim] = row;
        b->to[i] = blk_tap_address(b->g, &here);
    }
}

static void store_one(blk_body *b, const output *o, int x, LLVMValueRef v, int cells) {
    int64_t size = (int64_t)st_type_size(b->g->s->grids[o->grid].type);
    LLVMValueRef to = blk_bytes(b->g, b->to[o->number], gen_int64(&b->g->e, x * size));
    gen_store(&b->g->e, v, to, (size_t)(size * cells));
}

/* Opens a block for what is emitted until gen_end_if; it runs if the condition holds. */
static LLVMBasicBlockRef open_if(blk_gen *g, LLVMValueRef condition) {
    return gen_begin_if(&g->e, g->function, condition, "inside", "next");
}

/* A cell that the program stores under a condition of its own. */
static void store_where(blk_body *b, const output *o, int row, int x) {
    int cell = row * b->g->p->vector + x;
    LLVMBasicBlockRef next = open_if(b->g, *blk_value_of(b, o->where, cell));
    store_one(b, o, x, *blk_value_of(b, o->value, cell), 1);
    gen_end_if(&b->g->e, next);
}

static void store_output(blk_body *b, const output *o, int row, int first, int cells) {
    blk_gen *g = b->g;
    LLVMValueRef all = *blk_value_of(b, o->value, row * g->p->vector + first);
    if (o->where >= 0) {
        for (int i = 0; i < cells; i++)
            store_where(b, o, row, first + i);
        return;
    }
    for (int i = 0; i < cells && cells > 1; i++) {
        LLVMValueRef one = *blk_value_of(b, o->value, row * g->p->vector + first + i);
        all = i ? all : LLVMGetUndef(LLVMVectorType(LLVMTypeOf(one), (unsigned)cells));
        all = LLVMBuildInsertElement(g->e.b, all, one, gen_int32(&g->e, i), "");
    }
    store_one(b, o, first, all, cells);
}

/* Stores `cells` of a row at once, from number `first` on. */
static void store_cells(blk_body *b, int row, int first, int cells) {
    for (size_t i = 0; i <= b->g->s->nalso; i++) {
        output o = output_of(b, i);
        store_output(b, &o, row, first, cells);
    }
}

/* Stores those cells of a row that are inside, one by one. */
static void store_some(blk_body *b, int row) {
    blk_gen *g = b->g;
    for (int x = 0; x < g->p->vector; x++) {
        LLVMBasicBlockRef next = open_if(g, blk_is_between(g, g->from_x, x, g->to_x));
        store_cells(b, row, x, 1);
        gen_end_if(&g->e, next);
    }
}

/* Stores all cells of a row at once if all are inside, else one by one. */
static void store_vector(blk_body *b, int row) {
    blk_gen *g = b->g;
    LLVMValueRef first = blk_is_between(g, g->from_x, 0, g->to_x);
    LLVMValueRef last = blk_is_between(g, g->from_x, g->p->vector - 1, g->to_x);
    LLVMBasicBlockRef done = gen_add_block(g->function, "stored");
    LLVMBasicBlockRef some = open_if(g, LLVMBuildAnd(g->e.b, first, last, ""));
    store_cells(b, row, 0, g->p->vector);
    LLVMBuildBr(g->e.b, done);
    LLVMPositionBuilderAtEnd(g->e.b, some);
    store_some(b, row);
    gen_end_if(&g->e, done);
}

/* Hides the values from LLVM. LLVM would move their computation to the store, and keep all operands
 * in registers until then. */
static void conceal_values(blk_body *b, int row) {
    blk_gen *g = b->g;
    for (size_t i = 0; i <= g->s->nalso && g->e.target->conceal; i++) {
        output o = output_of(b, i);
        LLVMValueRef *v = blk_value_of(b, o.value, row);
        *v = g->e.target->conceal(g->e.b, *v);
    }
}

static void store_row(blk_body *b, int row) {
    blk_gen *g = b->g;
    b->stored[row] = true;
    find_addresses(b, row);
    if (g->interior) {
        store_cells(b, row, 0, g->p->vector);
        return;
    }
    if (g->p->vector > 1) { /* the row is inside; some of its cells may not be */
        store_vector(b, row);
        return;
    }
    if (!g->from) {
        store_cells(b, row, 0, 1);
        return;
    }
    conceal_values(b, row);
    LLVMValueRef inside = blk_is_between(g, g->from, row, g->to);
    LLVMBasicBlockRef next =
        open_if(g, g->active ? LLVMBuildAnd(g->e.b, inside, g->active, "") : inside);
    store_cells(b, row, 0, 1);
    gen_end_if(&g->e, next);
}

/* Have all cells of the row got the values that are stored? They get them at the same time, since
 * they differ in x alone. */
static bool is_complete(blk_body *b, int row) {
    for (size_t i = 0; i <= b->g->s->nalso; i++) {
        output o = output_of(b, i);
        for (int x = 0; x < b->g->p->vector; x++) {
            int cell = row * b->g->p->vector + x;
            if (!*blk_value_of(b, o.value, cell) ||
                (o.where >= 0 && !*blk_value_of(b, o.where, cell)))
                return false;
        }
    }
    return true;
}

static void find_planes(const blk_gen *g, int *first, int *last) {
    *first = 0;
    *last = g->cells - 1;
    for (size_t i = 0; i < g->s->naccesses; i++) {
        const st_access *a = &g->s->accesses[i];
        if (g->s->grids[a->grid].broadcast >> g->p->dim & 1)
            continue;
        int at = a->offset[g->p->dim];
        *first = at < *first ? at : *first;
        *last = at + g->cells - 1 > *last ? at + g->cells - 1 : *last;
    }
}

static void emit_planes(blk_body *b) {
    int first, last;
    find_planes(b->g, &first, &last);
    start(b);
    for (int plane = first; plane <= last; plane++) {
        arrive(b, plane);
        do {
            for (int c = 0; c < b->cells; c++)
                advance(b, c);
        } while (blk_load_guarded(b));
        for (int row = 0; row < b->g->cells; row++)
            if (!b->stored[row] && is_complete(b, row))
                store_row(b, row);
    }
}

void blk_emit_body(blk_gen *g, LLVMBasicBlockRef at, bool interior) {
    blk_body b = {.g = g, .cells = g->cells * g->p->vector, .capacity = 64};
    size_t count = g->s->nnodes * (size_t)b.cells;
    while (b.capacity < 2 * count)
        b.capacity *= 2;
    b.values = calloc(count, sizeof *b.values);
    b.known = calloc(b.capacity, sizeof *b.known);
    b.stored = calloc((size_t)b.cells, sizeof *b.stored);
    b.to = calloc(g->s->nalso + 1, sizeof *b.to);
    for (int i = 0; i < BLK_MAX_PLANES; i++)
        memset(g->plane[i], 0, g->s->ngrids * sizeof *g->plane[i]);
    g->interior = interior;
    LLVMPositionBuilderAtEnd(g->e.b, at);
    if (g->source->begin)
        g->source->begin(g);
    emit_planes(&b);
    if (g->source->end)
        g->source->end(g);
    LLVMBuildBr(g->e.b, g->done);
    free(b.values);
    free(b.known);
    free(b.stored);
    free(b.to);
    free(b.taps);
}
