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

static void emit_body(blk_gen *g, LLVMBasicBlockRef at, bool interior) {
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

/* The interior, the border, or neither: the tests */

static bool is_zero(LLVMValueRef v) {
    return LLVMIsAConstantInt(v) && LLVMConstIntGetSExtValue(v) == 0;
}

static LLVMValueRef less(blk_gen *g, LLVMValueRef a, LLVMValueRef b) {
    return blk_compare(g, LLVMIntSLT, a, b);
}

/* Tests of the cells from `first` to before `end`: no tap of theirs follows a boundary rule. And
 * what they read under conditions, other threads of the launch read in any case. */
static void test_faces(blk_gen *g, const blk_axis *a, LLVMValueRef first, LLVMValueRef end,
                       LLVMValueRef *all) {
    const blk_face *low = &a->face[0], *high = &a->face[1];
    if (low->reach < 0)
        *all = gen_both(
            &g->e, *all,
            LLVMBuildICmp(g->e.b, LLVMIntSLE, low->limit, blk_plus(g, first, low->reach), ""));
    if (high->reach > 0)
        *all = gen_both(
            &g->e, *all,
            LLVMBuildICmp(g->e.b, LLVMIntSLE, blk_plus(g, end, high->reach - 1), high->limit, ""));
    if (low->readers < 0)
        *all = gen_both(&g->e, *all,
                        blk_compare(g, LLVMIntSLE, a->low, blk_plus(g, first, low->readers)));
    if (high->readers > 0)
        *all = gen_both(&g->e, *all,
                        blk_compare(g, LLVMIntSLE, blk_plus(g, end, high->readers), a->high));
}

/* Are all, and is any, of `count` cells from `first` on inside along d? */
static void test_cells(blk_gen *g, int d, LLVMValueRef first, LLVMValueRef count, LLVMValueRef *all,
                       LLVMValueRef *any) {
    const blk_axis *a = &g->axes[d];
    LLVMValueRef end = blk_add(g, first, count), below = less(g, first, a->high);
    if (!is_zero(a->low)) {
        if (!LLVMIsAConstantInt(count) || LLVMConstIntGetZExtValue(count) > 1)
            *any =
                gen_both(&g->e, *any, less(g, a->low, a->high)); /* there may be no cell inside */
        *any = gen_both(&g->e, *any, less(g, a->low, end));
        *all = gen_both(&g->e, *all, blk_compare(g, LLVMIntSLE, a->low, first));
    }
    *any = gen_both(&g->e, *any, below);
    *all = gen_both(&g->e, *all, blk_compare(g, LLVMIntSLE, end, a->high));
    test_faces(g, a, first, end, all);
}

/* i64: the most by which the flat index of a thread that reads the same cell in any case is
 * greater. */
static LLVMValueRef flat_readers(blk_gen *g) {
    LLVMValueRef sum = gen_int64(&g->e, 0);
    for (int d = 0; d < g->s->rank; d++) {
        LLVMValueRef far = gen_int64(&g->e, g->axes[d].face[1].readers), step = g->axes[d].step;
        sum = blk_add(g, sum, step ? LLVMBuildMul(g->e.b, far, step, "") : far);
    }
    return sum;
}

static void test_flat(blk_gen *g, LLVMValueRef *all, LLVMValueRef *any) {
    LLVMValueRef last = gen_int64(&g->e, 0);
    if (g->p->coarsen > 1)
        last = LLVMBuildMul(g->e.b, g->flat_step, gen_int64(&g->e, g->p->coarsen - 1), "");
    last = blk_add(g, last, flat_readers(g));
    *any = gen_both(&g->e, *any, less(g, g->flat, g->flat_end));
    *all = gen_both(&g->e, *all, less(g, blk_add(g, g->flat, last), g->flat_end));
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
        LLVMValueRef before = gen_extend(&g->e, a->lane);
        LLVMValueRef first = blk_sub(g, a->first, blk_scale(g, before, a->cells));
        test_cells(g, d, first, gen_int64(&g->e, a->wave * a->cells), all, any);
    }
}

/* Tests the block's cells along d. */
static void test_tile(blk_gen *g, int d, LLVMValueRef *all, LLVMValueRef *any) {
    const blk_axis *a = &g->axes[d];
    LLVMValueRef width = blk_scale(g, gen_extend(&g->e, a->width), a->cells);
    test_cells(g, d, a->tile, width, all, any);
}

static void test_block(blk_gen *g, LLVMValueRef *all, LLVMValueRef *any) {
    for (int d = 0; d < g->s->rank; d++)
        test_tile(g, d, all, any);
}

/* Finds which of the thread's cells along d are inside. */
static void find_range(blk_gen *g, int d, LLVMValueRef *from, LLVMValueRef *to) {
    const blk_axis *a = &g->axes[d];
    LLVMValueRef high = blk_sub(g, a->high, a->first);
    *from = blk_sub(g, a->low, a->first);
    *from = blk_greatest(g, *from, gen_int64(&g->e, 0));
    *to = blk_plus(g, blk_least(g, high, gen_int64(&g->e, a->cells)), -1);
}

/* Finds which of the thread's cells are inside: from, to, active. */
static void find_inside(blk_gen *g) {
    LLVMValueRef all = NULL, any = NULL;
    find_range(g, g->p->dim, &g->from, &g->to);
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

/* Is it not enough to test that cells are inside along the axis? */
static bool has_face(const blk_axis *a) {
    return a->face[0].reach < 0 || a->face[1].reach > 0 || a->face[0].readers < 0 ||
           a->face[1].readers > 0;
}

static bool has_faces(const blk_gen *g) {
    bool any = false;
    for (int d = 0; d < g->s->rank; d++)
        any |= has_face(&g->axes[d]);
    return any;
}

static void find_homes(blk_gen *g) {
    LLVMValueRef at[ST_MAX_RANK];
    for (int d = 0; d < g->s->rank; d++)
        at[d] = g->axes[d].first;
    for (size_t i = 0; i < g->s->ngrids; i++)
        g->home[i] = blk_address(g, (int32_t)i, at);
}

/* At the border a thread that computes by itself handles its inner cells one after the other.
 * Computing them together would not be faster for so few cells, and would take more registers than
 * the interior. The reason: LLVM computes values that are stored under a condition at the store,
 * and keeps all their operands until then. */
static void emit_border_loop(blk_gen *g) {
    blk_axis *a = &g->axes[g->p->dim];
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->e.b),
                      cell = gen_add_block(g->function, "cell");
    LLVMBasicBlockRef next = gen_add_block(g->function, "next_cell"), done = g->done;
    LLVMValueRef first = a->first, from = g->from, to = g->to, *home = g->home;
    LLVMBuildCondBr(g->e.b, LLVMBuildICmp(g->e.b, LLVMIntSLE, from, to, ""), cell, done);
    LLVMPositionBuilderAtEnd(g->e.b, cell);
    LLVMValueRef number = LLVMBuildPhi(g->e.b, gen_i64(&g->e), "");
    a->first = blk_add(g, first, number);
    g->home = calloc(g->s->ngrids, sizeof *g->home);
    find_homes(g);
    g->done = next;
    g->cells = 1;
    g->from = g->to = NULL;
    emit_body(g, cell, false);
    LLVMPositionBuilderAtEnd(g->e.b, next);
    LLVMValueRef following = blk_plus(g, number, 1), incoming[] = {from, following};
    LLVMBasicBlockRef blocks[] = {before, next};
    LLVMAddIncoming(number, incoming, blocks, 2);
    LLVMValueRef more = LLVMBuildICmp(g->e.b, LLVMIntSLE, following, to, "");
    gen_mark_loop(g->e.context, LLVMBuildCondBr(g->e.b, more, cell, done),
                  "llvm.loop.unroll.disable");
    free(g->home);
    g->home = home;
    g->done = done;
    a->first = first;
}

/* The border where the source cannot tell which memory may be read: each thread reads its own
 * neighbours. */
static void emit_border_alone(blk_gen *g) {
    const blk_source *source = g->source;
    LLVMBasicBlockRef alone = gen_add_block(g->function, "alone");
    LLVMValueRef some = LLVMBuildICmp(g->e.b, LLVMIntSLE, g->from, g->to, "");
    LLVMBuildCondBr(g->e.b, gen_both(&g->e, some, g->active), alone, g->done);
    LLVMPositionBuilderAtEnd(g->e.b, alone);
    g->source = &blk_l1;
    emit_border_loop(g);
    g->source = source;
}

/* With vectors the test is one of whole blocks, so that no wave runs both bodies: are all of the
 * block's cells along x and along the plan's dimension inside? */
static void test_vectors(blk_gen *g, LLVMValueRef *all) {
    LLVMValueRef any = NULL;
    *all = NULL;
    for (int d = 0; d < g->s->rank; d++)
        if (d == 0 || d == g->p->dim || has_face(&g->axes[d]))
            test_tile(g, d, all, &any);
}

static void emit_either(blk_gen *g, LLVMValueRef all) {
    LLVMBasicBlockRef interior = gen_add_block(g->function, "interior"),
                      border = gen_add_block(g->function, "border");
    LLVMBuildCondBr(g->e.b, all, interior, border);
    LLVMPositionBuilderAtEnd(g->e.b, border);
    find_inside(g);
    find_range(g, 0, &g->from_x, &g->to_x);
    if (g->source->scope == BLK_THREAD &&
        g->p->coarsen == 1) { /* the thread has one row, and `any` has told that it is inside */
        g->from = g->to = NULL;
        emit_body(g, border, false);
    } else if (g->source->scope == BLK_THREAD)
        emit_border_loop(g);
    else if (g->alone)
        emit_border_alone(g);
    else
        emit_body(g, border, false);
    g->cells = g->p->coarsen;
    emit_body(g, interior, true);
}

void blk_emit_bodies(blk_gen *g) {
    LLVMValueRef all = NULL, any = NULL;
    bool thread = g->source->scope == BLK_THREAD;
    LLVMBasicBlockRef some = gen_add_block(g->function, "some");
    g->cells = g->p->coarsen;
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
    if (g->p->vector > 1)
        test_vectors(g, &all);
    if (thread && g->p->coarsen * g->p->vector == 1 && !has_faces(g))
        emit_body(g, some, true); /* one cell: if any is inside, all are */
    else
        emit_either(g, all);
    for (int i = 0; i < BLK_MAX_PLANES; i++)
        free(g->plane[i]);
    free(g->home);
}
