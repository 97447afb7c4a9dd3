/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Strips: one launch makes bT time steps of a 1-D stencil, in registers alone.
 *
 * A warp takes a strip with V neighbouring cells a lane, and computes level after level of it. A
 * neighbour is in the lane's own registers, or comes by a shuffle. The strip's ends lack
 * neighbours. So with each level the wrong cells there reach further in by the stencil's radius.
 * After bT levels this halo is left out, and the rest is stored. Neighbouring strips overlap by
 * their halos. There is no barrier and no scratchpad. The levels are a loop, so bT may be large.
 *
 * There are two loops. The inner one does not test for the boundary. The other one is for strips at
 * the domain's ends. It replaces computed values outside the domain by what the program would have
 * read there: at even levels the source's values, at odd levels those of the other buffer.
 *
 * Some values depend on the cell but not on the level (coefficients, coordinates). With `keep` in
 * the plan they are computed once, and take registers. Without it LLVM must not hoist them out of
 * the loop. So each level adds a zero to the lane's position, and LLVM is not told that it is zero.
 */
#include "codegen/stream/stream.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DISTANCE = ST_MAX_RADIUS }; /* in lanes */

/* Cells of a grid that is only read, as far as the lane needs them. */
typedef struct window {
    int lo, hi;          /* the lane's cells lo..hi - 1; where the grid is broadcast, elements */
    LLVMValueRef *cells; /* NULL where not used or not loaded */
} window;

typedef struct strip {
    stream g;                /* parameters and small builders */
    LLVMValueRef x;          /* i64: the lane's first cell */
    LLVMValueRef tile, left; /* i64: the first cell that the warp stores, the first of its strip */
    LLVMValueRef in_strip;   /* i32: the lane's first cell, counted from the strip's first */
    bool border;             /* of the loop in hand */
    LLVMValueRef now[PLAN_MAX_CELLS]; /* cells, or words of them */
    LLVMValueRef drift;               /* i64; NULL: all is kept */
    LLVMValueRef *scalars;            /* stepped ones: the value at this level; else NULL */
    LLVMValueRef halo[2];   /* border: the lane's first cell in the buffers that hold what is
                               outside the domain, at the next level and at the one after */
    LLVMValueRef *memo;     /* node * V + cell */
    LLVMValueRef *shuffled; /* cell * (2 MAX_DISTANCE + 1) + distance */
    window *windows;        /* a read-only port each */
} strip;

/* Vectors. A lane's first cell is a multiple of `grain` cells, 16 bytes of the grid that rotates.
 */

static int grain(const strip *t) {
    return 16 / (int)st_type_size(t->g.type);
}

static void load_vector(strip *t, LLVMTypeRef element, int size, int count, LLVMValueRef from,
                        LLVMValueRef *out) {
    LLVMTypeRef type = LLVMVectorType(element, (unsigned)count);
    gen_split(&t->g.e, gen_load(&t->g.e, type, from, (size_t)(size * count)), count, out);
}

/* All words of the lane, from the grid that rotates. */
static void load_cells(strip *t, LLVMValueRef from, LLVMValueRef *out) {
    int size = (int)st_type_size(t->g.word_type), group = t->g.V / t->g.W;
    for (int k = 0; k < t->g.V; k += grain(t))
        load_vector(t, t->g.word, size, 16 / size,
                    gen_element(&t->g.e, t->g.element, from, gen_int64(&t->g.e, k)),
                    out + k / group);
}

static LLVMValueRef lane_in(strip *t, stencilrt_parameter_kind kind) {
    return sg_at(&t->g, sg_moving(&t->g, kind), t->x);
}

/* The lane's first cell, as what must not be hoisted sees it. */
static LLVMValueRef place(strip *t) {
    return t->drift ? LLVMBuildAdd(t->g.e.b, t->x, t->drift, "") : t->x;
}

/* Grids that are only read */

static const st_grid *grid_of(const strip *t, size_t port) {
    return &t->g.s->grids[t->g.ports[port].grid];
}

/* The port's number, among all. */
static size_t port_of(const strip *t, const st_access *a) {
    size_t i = 0;
    while (t->g.ports[i].grid != a->grid || t->g.ports[i].level != a->level)
        i++;
    return i;
}

/* Cells of the lane that access `a` makes it read, from..to - 1 of its window. */
static void reach(const strip *t, const st_access *a, int *from, int *to) {
    bool broadcast = t->g.s->grids[a->grid].broadcast & 1;
    *from = a->offset[0];
    *to = a->offset[0] + (broadcast ? 1 : t->g.V);
}

static void measure_windows(strip *t) {
    t->windows = calloc(t->g.nports, sizeof *t->windows);
    for (size_t i = 0; i < t->g.s->naccesses; i++) {
        const st_access *a = &t->g.s->accesses[i];
        window *w = &t->windows[port_of(t, a)];
        int from, to;
        reach(t, a, &from, &to);
        bool first = w->lo == w->hi;
        w->lo = first || from < w->lo ? from : w->lo;
        w->hi = first || to > w->hi ? to : w->hi;
    }
    for (size_t i = 0; i < t->g.nports; i++)
        t->windows[i].cells =
            calloc((size_t)(t->windows[i].hi - t->windows[i].lo) + 1, sizeof(LLVMValueRef));
}

/* The lane's own cells by vectors, others one by one. */
static void load_window_cell(strip *t, size_t port, LLVMValueRef from, int k) {
    window *w = &t->windows[port];
    st_type type = grid_of(t, port)->type;
    LLVMTypeRef element = gen_type(&t->g.e, type);
    int size = (int)st_type_size(type), count = 16 / size < grain(t) ? 16 / size : grain(t);
    int first = k >= 0 && k < t->g.V ? k / count * count : k;
    if (w->cells[k - w->lo])
        return;
    if (first < w->lo || first + count > w->hi || k < 0 || k >= t->g.V) {
        first = k;
        count = 1;
    }
    load_vector(t, element, size, count,
                gen_element(&t->g.e, element, from, gen_int64(&t->g.e, first)),
                &w->cells[first - w->lo]);
}

/* Loads what the accesses of read-only grids need: those of broadcast grids, or those of the
 * others. */
static void load_windows(strip *t, bool broadcast) {
    LLVMValueRef x = place(t);
    for (size_t i = 0; i < t->g.s->naccesses; i++) {
        const st_access *a = &t->g.s->accesses[i];
        size_t port = port_of(t, a);
        const st_grid *grid = grid_of(t, port);
        int from, to;
        if (a->grid == t->g.s->store_grid || (grid->broadcast & 1) != broadcast)
            continue;
        LLVMValueRef p = sg_port(&t->g, a);
        if (!broadcast)
            p = gen_element(&t->g.e, gen_type(&t->g.e, grid->type), p, x);
        reach(t, a, &from, &to);
        for (int k = from; k < to; k++)
            load_window_cell(t, port, p, k);
    }
}

static void forget_windows(strip *t) {
    for (size_t i = 0; i < t->g.nports; i++)
        if (!(grid_of(t, i)->broadcast & 1))
            memset(t->windows[i].cells, 0,
                   (size_t)(t->windows[i].hi - t->windows[i].lo) * sizeof(LLVMValueRef));
}

/* Expressions */

/* Word k of this level, which may be another lane's. */
static LLVMValueRef word(strip *t, int k) {
    int W = t->g.W, q = (k + 64 * W) / W - 64, inner = k - q * W;
    LLVMValueRef *v = &t->shuffled[inner * (2 * MAX_DISTANCE + 1) + q + MAX_DISTANCE];
    if (!*v)
        *v = q ? gen_shuffle(&t->g.e, t->g.word_type, t->now[inner], q, t->g.p->lanes)
               : t->now[inner];
    return *v;
}

static LLVMValueRef value(strip *t, int32_t number, int k);

static LLVMValueRef coordinate(strip *t, int k) {
    return LLVMBuildAdd(t->g.e.b, place(t), gen_int64(&t->g.e, k), "");
}

static LLVMValueRef value_at(void *context, int32_t number, int k) {
    return value(context, number, k);
}

static LLVMValueRef row_at(void *context, int32_t number, int k) {
    (void)number;
    return word(context, k);
}

static gen_packed packing(strip *t) {
    return (gen_packed){&t->g.e, t->g.s, t->g.pack, t, value_at, row_at, NULL};
}

static LLVMValueRef compute(strip *t, int32_t number, int k) {
    const st_node *n = &t->g.s->nodes[number];
    gen_packed packed = packing(t);
    const st_access *a = &t->g.s->accesses[n->op == ST_ACCESS ? n->index : 0];
    LLVMValueRef args[3], v;
    const window *w;
    if (t->g.pack->nodes[number].bits < PK_CELL)
        return gen_packed_word(&packed, number, k);
    switch (n->op) {
    case ST_CONST:
        return gen_constant(&t->g.e, n);
    case ST_COORD:
        return coordinate(t, k);
    case ST_SCALAR:
        v = t->scalars[n->index];
        v = v ? v : sg_scalar(&t->g, (size_t)n->index, false);
        return n->type == ST_I1 ? LLVMBuildTrunc(t->g.e.b, v, gen_type(&t->g.e, ST_I1), "") : v;
    case ST_ACCESS:
        if (sch_is_moving(t->g.s, n))
            return word(t, k + a->offset[0]);
        w = &t->windows[port_of(t, a)];
        if (t->g.s->grids[a->grid].broadcast & 1)
            k = 0;
        return w->cells[k + a->offset[0] - w->lo];
    default:
        for (int i = 0; i < st_ops[n->op].arity; i++)
            args[i] = gen_packed_cell(&packed, n->args[i], k);
        return gen_operation(&t->g.e, n, args);
    }
}

/* Computes a node for cells k and k + 1 at once. */
static void compute_pair(strip *t, int32_t number, int k, LLVMValueRef out[2]) {
    const st_node *n = &t->g.s->nodes[number];
    LLVMValueRef args[2][3];
    for (int i = 0; i < st_ops[n->op].arity; i++)
        for (int j = 0; j < 2; j++)
            args[j][i] = value(t, n->args[i], k + j);
    gen_pair(&t->g.e, n, args, out);
}

static LLVMValueRef value(strip *t, int32_t number, int k) {
    LLVMValueRef *v = &t->memo[number * t->g.V + k];
    if (!*v && gen_is_paired(&t->g.e, &t->g.s->nodes[number]) && t->g.V % 2 == 0)
        compute_pair(t, number, k & ~1, v - (k & 1));
    else if (!*v)
        *v = compute(t, number, k);
    return *v;
}

/* Levels */

static LLVMValueRef outside(strip *t, int k) {
    LLVMValueRef at = LLVMBuildAdd(t->g.e.b, t->x, gen_int64(&t->g.e, k), "");
    return LLVMBuildICmp(t->g.e.b, LLVMIntUGE, at, sg_extent(&t->g, 0), ""); /* or below 0 */
}

/* As above for the cells of a word, as a mask. */
static LLVMValueRef outside_word(strip *t, int k) {
    LLVMBuilderRef b = t->g.e.b;
    int group = t->g.pack->group;
    LLVMValueRef set = gen_int32(&t->g.e, 0);
    for (int j = 0; j < group; j++) {
        LLVMValueRef one = LLVMBuildZExt(b, outside(t, k * group + j), gen_i32(&t->g.e), "");
        set = LLVMBuildOr(b, set, LLVMBuildShl(b, one, gen_int32(&t->g.e, j), ""), "");
    }
    return gen_spread_bits(&t->g.e, set, 32 / group);
}

static void hold_boundary(strip *t, LLVMValueRef *out) {
    LLVMValueRef held[PLAN_MAX_CELLS], next = t->halo[0];
    load_cells(t, next, held);
    for (int k = 0; k < t->g.W; k++)
        out[k] = t->g.W < t->g.V ? gen_blend(&t->g.e, outside_word(t, k), held[k], out[k])
                                 : LLVMBuildSelect(t->g.e.b, outside(t, k), held[k], out[k], "");
    t->halo[0] = t->halo[1];
    t->halo[1] = next;
}

/* One level: t->now and all else that changes from level to level. */
static void advance(strip *t) {
    const st_stencil *s = t->g.s;
    LLVMValueRef out[PLAN_MAX_CELLS];
    int V = t->g.V, W = t->g.W;
    gen_packed packed = packing(t);
    memset(t->memo, 0, s->nnodes * (size_t)V * sizeof *t->memo);
    memset(t->shuffled, 0, (size_t)(V * (2 * MAX_DISTANCE + 1)) * sizeof *t->shuffled);
    if (t->drift) {
        forget_windows(t);
        load_windows(t, false);
    }
    for (int k = 0; k < W; k++)
        out[k] = W < V ? gen_packed_stored(&packed, k) : value(t, s->root, k);
    if (t->border)
        hold_boundary(t, out);
    memcpy(t->now, out, (size_t)W * sizeof *out);
    for (size_t i = 0; i < s->nscalars; i++)
        if (t->scalars[i])
            t->scalars[i] = LLVMBuildAdd(t->g.e.b, t->scalars[i], sg_scalar(&t->g, i, true), "");
    if (t->drift) { /* no extent has these bits */
        LLVMValueRef zero =
            LLVMBuildLShr(t->g.e.b, sg_extent(&t->g, 0), gen_int64(&t->g.e, 62), "");
        t->drift = LLVMBuildAdd(t->g.e.b, t->drift, zero, "");
    }
}

/* What changes from level to level, as a list of slots; how many. */
static size_t changing(strip *t, LLVMValueRef **slots) {
    size_t n = 0;
    for (int k = 0; k < t->g.W; k++)
        slots[n++] = &t->now[k];
    for (size_t i = 0; i < t->g.s->nscalars; i++)
        if (t->scalars[i])
            slots[n++] = &t->scalars[i];
    if (t->drift)
        slots[n++] = &t->drift;
    for (int i = 0; i < 2 && t->border; i++)
        slots[n++] = &t->halo[i];
    return n;
}

/* `rounds` times `levels` levels, as a loop. */
static void make_loop(strip *t, int rounds, int levels) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMBasicBlockRef start = LLVMGetInsertBlock(b), latch;
    LLVMBasicBlockRef body = gen_add_block(t->g.function, t->border ? "border.levels" : "levels");
    LLVMBasicBlockRef after = gen_add_block(t->g.function, "after");
    LLVMValueRef **slots = calloc((size_t)t->g.V + t->g.s->nscalars + 3, sizeof *slots);
    size_t n = changing(t, slots);
    LLVMValueRef *phis = calloc(n, sizeof *phis), zero = gen_int32(&t->g.e, 0);
    LLVMBuildBr(b, body);
    LLVMPositionBuilderAtEnd(b, body);
    LLVMValueRef round = LLVMBuildPhi(b, gen_i32(&t->g.e), "round");
    LLVMAddIncoming(round, &zero, &start, 1);
    for (size_t i = 0; i < n; i++) {
        phis[i] = LLVMBuildPhi(b, LLVMTypeOf(*slots[i]), "");
        LLVMAddIncoming(phis[i], slots[i], &start, 1);
        *slots[i] = phis[i];
    }
    for (int i = 0; i < levels; i++)
        advance(t);
    latch = LLVMGetInsertBlock(b);
    LLVMValueRef next = gen_add32(&t->g.e, round, 1);
    LLVMAddIncoming(round, &next, &latch, 1);
    for (size_t i = 0; i < n; i++)
        LLVMAddIncoming(phis[i], slots[i], &latch, 1);
    LLVMBuildCondBr(b, gen_less(&t->g.e, next, gen_int32(&t->g.e, rounds)), body, after);
    LLVMPositionBuilderAtEnd(b, after);
    free(slots);
    free(phis);
}

/* All bT levels, `levels` of them a round of the loop. */
static void make_levels(strip *t, int levels) {
    int rounds = t->g.p->bt / levels, rest = t->g.p->bt;
    if (rounds > 1) {
        make_loop(t, rounds, levels);
        rest -= rounds * levels;
    }
    for (int i = 0; i < rest; i++)
        advance(t);
}

/* Stores */

/* Are the cells from number k of the lane on part of the tile? Halos are whole vectors. */
static LLVMValueRef in_tile(strip *t, int k) {
    LLVMValueRef at = gen_add32(&t->g.e, t->in_strip, k - t->g.p->halo[0]);
    return LLVMBuildICmp(t->g.e.b, LLVMIntULT, at, gen_int32(&t->g.e, t->g.p->tile[0]), "");
}

/* Cells k..k + count - 1: one, or whole words. */
static void store_if(strip *t, LLVMValueRef condition, int k, int count) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMBasicBlockRef next = gen_begin_if(&t->g.e, t->g.function, condition, "store", "stored");
    int group = count > 1 ? t->g.V / t->g.W : 1;
    LLVMTypeRef type = count > 1 ? t->g.word : t->g.element;
    LLVMValueRef v = LLVMGetPoison(LLVMVectorType(type, (unsigned)(count / group)));
    for (int i = 0; i < count / group; i++) {
        LLVMValueRef one = count > 1 ? t->now[k / group + i] : sg_cell(&t->g, t->now, k);
        v = LLVMBuildInsertElement(b, v, one, gen_int32(&t->g.e, i), "");
    }
    LLVMValueRef to = sg_at(&t->g, lane_in(t, STENCILRT_ARG_DST), gen_int64(&t->g.e, k));
    gen_store(&t->g.e, v, to, (size_t)count * st_type_size(t->g.type));
    gen_end_if(&t->g.e, next);
}

static void store_tile(strip *t) {
    int count = t->border ? 1 : grain(t);
    for (int k = 0; k < t->g.V; k += count) {
        LLVMValueRef condition = in_tile(t, k);
        if (t->border)
            condition = gen_both(&t->g.e, condition, LLVMBuildNot(t->g.e.b, outside(t, k), ""));
        store_if(t, condition, k, count);
    }
}

/* Set-up */

/* Where the lane is. The last block of the launch comes first, for its strip at the boundary takes
 * longest; then the first. */
static void locate(strip *t) {
    stream *g = &t->g;
    LLVMBuilderRef b = g->e.b;
    LLVMTypeRef i64 = gen_i64(&g->e);
    LLVMValueRef thread = tg_launch(b, TG_THREAD, 0), block = tg_launch(b, TG_BLOCK, 0);
    LLVMValueRef first = LLVMBuildICmp(b, LLVMIntEQ, block, gen_int32(&g->e, 0), "");
    block = LLVMBuildSelect(b, first, tg_launch(b, TG_BLOCK_COUNT, 0), block, "");
    block = LLVMBuildZExt(b, gen_add32(&g->e, block, -1), i64, "");
    sg_find_lane(g, thread);
    LLVMValueRef strip = LLVMBuildMul(b, block, gen_int64(&g->e, g->p->warps), "");
    strip = LLVMBuildAdd(b, strip, LLVMBuildZExt(b, g->warp, i64, ""), "");
    t->tile = LLVMBuildMul(b, strip, gen_int64(&g->e, g->p->tile[0]), "");
    t->left = LLVMBuildSub(b, t->tile, gen_int64(&g->e, g->p->halo[0]), "");
    t->in_strip = LLVMBuildMul(b, g->lane, gen_int32(&g->e, g->V), "");
    t->x = LLVMBuildAdd(b, t->left, LLVMBuildZExt(b, t->in_strip, i64, ""), "");
}

static LLVMValueRef touches_border(strip *t) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef end =
        LLVMBuildAdd(b, t->left, gen_int64(&t->g.e, (int64_t)t->g.p->lanes * t->g.V), "");
    return LLVMBuildOr(b, gen_less(&t->g.e, t->left, gen_int64(&t->g.e, 0)),
                       gen_less(&t->g.e, sg_extent(&t->g, 0), end), "");
}

static void start_scalars(strip *t) {
    for (size_t i = 0; i < t->g.s->nscalars; i++)
        t->scalars[i] = t->g.s->scalars[i].stepped ? sg_scalar(&t->g, i, false) : NULL;
}

static void allocate(strip *t) {
    size_t V = (size_t)t->g.V;
    t->scalars = calloc(t->g.s->nscalars + 1, sizeof *t->scalars);
    t->memo = calloc(t->g.s->nnodes * V, sizeof *t->memo);
    t->shuffled = calloc(V * (2 * MAX_DISTANCE + 1), sizeof *t->shuffled);
    measure_windows(t);
}

static void release(strip *t) {
    for (size_t i = 0; i < t->g.nports; i++)
        free(t->windows[i].cells);
    free(t->windows);
    free(t->scalars);
    free(t->memo);
    free(t->shuffled);
}

/* From the level that was loaded to the end, in the block `start`. */
static void make_path(strip *t, bool border, LLVMBasicBlockRef start, LLVMBasicBlockRef done) {
    LLVMPositionBuilderAtEnd(t->g.e.b, start);
    t->border = border;
    t->drift = t->g.p->keep ? NULL : gen_int64(&t->g.e, 0);
    start_scalars(t);
    for (int i = 0; i < 2 && border; i++)
        t->halo[i] = lane_in(t, i ? STENCILRT_ARG_SRC : STENCILRT_ARG_OTHER);
    make_levels(t, border ? 1 : t->g.p->depth);
    store_tile(t);
    LLVMBuildBr(t->g.e.b, done);
}

void gen_strip_kernel(const gen_expr *e, const st_stencil *s, const st_kernel *p) {
    strip *t = calloc(1, sizeof *t); /* too large for the stack of a small thread */
    t->g.e = *e;
    t->g.s = s;
    t->g.p = p;
    t->g.V = p->cells;
    LLVMValueRef loaded[PLAN_MAX_CELLS];
    t->g.type = s->grids[s->store_grid].type;
    t->g.element = gen_type(e, t->g.type);
    t->g.nports = st_ports(s, t->g.ports);
    sg_choose_packing(&t->g);
    sg_create_function(&t->g);
    allocate(t);
    LLVMBasicBlockRef entry = gen_add_block(t->g.function, "entry"),
                      work = gen_add_block(t->g.function, "work");
    LLVMBasicBlockRef inner = gen_add_block(t->g.function, "inner"),
                      border = gen_add_block(t->g.function, "border");
    LLVMBasicBlockRef done = gen_add_block(t->g.function, "done");
    LLVMPositionBuilderAtEnd(e->b, entry);
    locate(t);
    LLVMBuildCondBr(e->b, gen_less(&t->g.e, t->tile, sg_extent(&t->g, 0)), work, done);
    LLVMPositionBuilderAtEnd(e->b, work);
    load_cells(t, lane_in(t, STENCILRT_ARG_SRC), loaded);
    load_windows(t, true);
    if (p->keep)
        load_windows(t, false);
    LLVMBuildCondBr(e->b, touches_border(t), border, inner);
    memcpy(t->now, loaded, sizeof loaded);
    make_path(t, false, inner, done);
    memcpy(t->now, loaded, sizeof loaded);
    make_path(t, true, border, done);
    LLVMPositionBuilderAtEnd(e->b, done);
    LLVMBuildRetVoid(e->b);
    release(t);
    pk_destroy(t->g.full);
    free(t);
}
