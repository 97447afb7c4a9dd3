/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * N.5D blocking: bT time steps in one launch (AN5D, sections 4.1 and 4.2).
 *
 * A tile covers all dimensions but the last, with a halo that bT steps eat up; the last dimension
 * streams by. When a plane of level 0 arrives, it completes a plane of level 1, that one of level
 * 2, and so on to level bT, which is stored. What a level keeps from plane to plane (schedule.h)
 * stays in registers, under names that do not shift: the loop is unrolled by the prefetch depth,
 * and its phis only rename. A warp is 32 lanes along x with V cells each, so a neighbour along x is
 * in the lane's own registers or a shuffle away. In 2-D a warp is a tile and nothing else is
 * exchanged: there is no barrier. In 3-D a thread has U rows, and only the outermost rows of a warp
 * go through scratchpad; they are used one plane later, so that one barrier a plane serves all bT
 * levels. Planes of level 0 are prefetched into a ring by asynchronous copies; each lane reads back
 * only what it copied.
 *
 * Three loops are generated. The inner one has no trace of the boundary. The others, for tiles
 * and chunks that touch it, replaces computed values by the boundary's: those of the source's halo
 * at even levels and of the other buffer's at odd ones, just as the program would have read them.
 */
#include "kernel.h"
#include "schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_V = 16, MAX_ROWS = 8 };

typedef LLVMValueRef cells[MAX_ROWS][MAX_V]; /* a thread's part of a plane */

/* What one level keeps from plane to plane. */
typedef struct level_state {
    cells *kept;     /* [lags]: planes, newest first */
    cells **carried; /* per node: [age], newest first; NULL if not carried */
} level_state;

/* INNER: no boundary. HELD: both buffers have the same halo, so a boundary cell keeps its value
 * from level to level. LOADED: they differ, so it is loaded at each level. */
typedef enum loop_mode { INNER, HELD, LOADED } loop_mode;

typedef struct stream {
    gen_expr e;
    const st_stencil *s;
    const st_kernel *p;
    sch_schedule *c;
    st_type type;
    LLVMTypeRef element, vector;
    int V, U, stream_dim;
    LLVMValueRef function, scratchpad;
    st_port ports[ST_MAX_PORTS];
    size_t nports;
    /* i32 unless said otherwise */
    LLVMValueRef lane, warp, x0, y0, chunk0, chunk1, extent[3];
    LLVMValueRef stride[2]; /* i64, elements: of the grid that rotates, along y and z */
    LLVMValueRef back;      /* i64: -last planes */
    LLVMValueRef column;    /* i64: element index, in a plane, of the thread's first cell */
    /* Pointers to the thread's first cell of a plane. Each is moved on by a plane an arrival, not
     * computed from the plane's number: multiples of the stride would take registers all through
     * the loop. */
    LLVMValueRef
        turn; /* i32: planes that have arrived before the iteration; NULL: a multiple of depth */
    LLVMValueRef ahead, out; /* the plane to prefetch, in src; the plane to store, in dst */
    LLVMValueRef here[2];    /* border: the newest plane, in src and in other */
    LLVMValueRef held_at[2]; /* the same, of the plane that the level in hand completes */
    level_state *levels;     /* [bt] */
    loop_mode mode;
    LLVMValueRef outside; /* i32: bit u * V + k of cells whose x or y is outside the domain */
    /* the plane in hand */
    int level, slot;
    LLVMValueRef plane; /* i32: number of the level's newest plane */
    cells now;
    LLVMValueRef *memo;     /* node * phases * rows * V */
    LLVMValueRef *shuffled; /* lag * rows(+exchange) * V * distances */
} stream;

/* Small builders */

static LLVMValueRef add32(stream *g, LLVMValueRef a, int b) {
    return b ? LLVMBuildAdd(g->e.b, a, gen_int32(&g->e, b), "") : a;
}

static LLVMValueRef wide(stream *g, LLVMValueRef v) {
    return LLVMBuildSExt(g->e.b, v, gen_i64(&g->e), "");
}

static LLVMValueRef less(stream *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildICmp(g->e.b, LLVMIntSLT, a, b, "");
}

static LLVMValueRef both(stream *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildAnd(g->e.b, a, b, "");
}

static LLVMBasicBlockRef block(stream *g, const char *name) {
    return LLVMAppendBasicBlockInContext(g->e.context, g->function, name);
}

static LLVMValueRef at(stream *g, LLVMValueRef pointer, LLVMValueRef index) {
    return LLVMBuildGEP2(g->e.b, g->element, pointer, &index, 1, "");
}

/* Parameters: dst, src, other, one pointer a read-only port; then i64 extent[rank],
 * stride[grids][rank - 1], chunk; then the scalars, a stepped one followed by its increment. */

enum { DST, SRC, OTHER, FIRST_PORT };

static size_t read_only_ports(const stream *g) {
    size_t n = 0;
    for (size_t i = 0; i < g->nports; i++)
        n += g->ports[i].grid != g->s->store_grid;
    return n;
}

static size_t integers_at(const stream *g) {
    return FIRST_PORT + read_only_ports(g);
}

static LLVMValueRef integer(stream *g, size_t i) {
    return LLVMGetParam(g->function, (unsigned)(integers_at(g) + i));
}

static LLVMValueRef stride_of(stream *g, int32_t grid, int d) {
    size_t rank = (size_t)g->s->rank;
    return integer(g, rank + (size_t)grid * (rank - 1) + (size_t)d - 1);
}

static size_t chunk_at(const stream *g) {
    size_t rank = (size_t)g->s->rank;
    return rank + g->s->ngrids * (rank - 1);
}

static LLVMValueRef scalar(stream *g, size_t number, bool increment) {
    size_t i = chunk_at(g) + 1;
    for (size_t k = 0; k < number; k++)
        i += g->s->scalars[k].stepped ? 2 : 1;
    return integer(g, i + increment);
}

static LLVMTypeRef kernel_type(stream *g) {
    size_t pointers = integers_at(g), integers = chunk_at(g) + 1, n = 0;
    LLVMTypeRef *types = calloc(pointers + integers + 2 * g->s->nscalars, sizeof *types);
    while (n < pointers)
        types[n++] = LLVMPointerTypeInContext(g->e.context, 0);
    while (n < pointers + integers)
        types[n++] = gen_i64(&g->e);
    for (size_t i = 0; i < g->s->nscalars; i++)
        for (int k = 0; k <= g->s->scalars[i].stepped; k++)
            types[n++] = gen_parameter_type(&g->e, g->s->scalars[i].type);
    LLVMTypeRef t =
        LLVMFunctionType(LLVMVoidTypeInContext(g->e.context), types, (unsigned)n, false);
    free(types);
    return t;
}

/* Scratchpad: the prefetch ring, then the exchanged rows. */

static int exchange_rows(const stream *g) {
    return g->stream_dim == 2 ? g->c->radius[1] : 0;
}
static int exchange_depth(const stream *g) {
    return g->c->exchange_lags ? g->c->exchange_lags + 1 : 0;
}

static LLVMValueRef scratch_at(stream *g, LLVMValueRef vector_index) {
    return LLVMBuildGEP2(g->e.b, g->vector, g->scratchpad, &vector_index, 1, "");
}

/* Lane's vector of the ring, for the plane that arrives i planes after the loop iteration's first:
 * row u. A warp's parts of a plane and row lie together. */
static LLVMValueRef ring_at(stream *g, int i, int u) {
    int row = g->p->warps * PLAN_WARP, depth = g->p->depth;
    int base = ((g->turn ? 0 : i % depth) * g->U + u) * row;
    LLVMValueRef thread = LLVMBuildAdd(
        g->e.b, LLVMBuildMul(g->e.b, g->warp, gen_int32(&g->e, PLAN_WARP), ""), g->lane, "");
    if (g->turn) {
        LLVMValueRef slot =
            LLVMBuildURem(g->e.b, add32(g, g->turn, i), gen_int32(&g->e, depth), "");
        slot = LLVMBuildMul(g->e.b, slot, gen_int32(&g->e, g->U * row), "");
        thread = LLVMBuildAdd(g->e.b, thread, slot, "");
    }
    return scratch_at(g, wide(g, add32(g, thread, base)));
}

/* Row `row` (0.. radius - 1 the top ones, then the bottom ones) that warp `warp` gave at `level`,
 * of the plane that arrived i planes after the loop iteration's first. */
static LLVMValueRef exchange_at(stream *g, int i, int level, LLVMValueRef warp, int row) {
    int rows = 2 * exchange_rows(g), warps = g->p->warps, depth = exchange_depth(g);
    int ring = g->p->depth * g->U * warps * PLAN_WARP;
    int size = g->p->bt * warps * rows * PLAN_WARP, slot = (i + depth) % depth;
    int base = ring + (level * warps * rows + row) * PLAN_WARP;
    LLVMValueRef v = LLVMBuildMul(g->e.b, warp, gen_int32(&g->e, rows * PLAN_WARP), "");
    v = LLVMBuildAdd(g->e.b, v, g->lane, "");
    if (g->turn) {
        LLVMValueRef turned =
            LLVMBuildURem(g->e.b, add32(g, g->turn, i + depth), gen_int32(&g->e, depth), "");
        turned = LLVMBuildMul(g->e.b, turned, gen_int32(&g->e, size), "");
        return scratch_at(g, wide(g, add32(g, LLVMBuildAdd(g->e.b, v, turned, ""), base)));
    }
    return scratch_at(g, wide(g, add32(g, v, base + slot * size)));
}

/* Vectors of cells; a lane's V cells may be several 16-byte vectors, but are one LLVM vector. */

static LLVMValueRef load_vector(stream *g, LLVMValueRef from) {
    LLVMValueRef v = LLVMBuildLoad2(g->e.b, g->vector, from, "");
    LLVMSetAlignment(v, 16);
    return v;
}

static void split(stream *g, LLVMValueRef v, LLVMValueRef *out) {
    for (int k = 0; k < g->V; k++)
        out[k] = LLVMBuildExtractElement(g->e.b, v, gen_int32(&g->e, k), "");
}

static LLVMValueRef join(stream *g, LLVMValueRef *v) {
    LLVMValueRef vector = LLVMGetPoison(g->vector);
    for (int k = 0; k < g->V; k++)
        vector = LLVMBuildInsertElement(g->e.b, vector, v[k], gen_int32(&g->e, k), "");
    return vector;
}

static void store_vector(stream *g, LLVMValueRef *v, LLVMValueRef to) {
    LLVMSetAlignment(LLVMBuildStore(g->e.b, join(g, v), to), 16);
}

/* Lane neighbours */

static LLVMValueRef shuffle_word(stream *g, LLVMValueRef v, int distance) {
    return g->e.target->shuffle(g->e.b, v, distance);
}

/* Any element type, as one or two exchanges of 32 bits. */
static LLVMValueRef shuffle(stream *g, LLVMValueRef v, int distance) {
    LLVMBuilderRef b = g->e.b;
    LLVMTypeRef i32 = gen_i32(&g->e), i64 = gen_i64(&g->e);
    unsigned bits = (unsigned)(8 * st_type_size(g->type));
    LLVMTypeRef raw = LLVMIntTypeInContext(g->e.context, bits);
    v = LLVMBuildBitCast(b, v, raw, "");
    if (bits <= 32) {
        v = shuffle_word(g, bits < 32 ? LLVMBuildZExt(b, v, i32, "") : v, distance);
        v = bits < 32 ? LLVMBuildTrunc(b, v, raw, "") : v;
    } else {
        LLVMValueRef half = LLVMConstInt(i64, 32, false);
        LLVMValueRef low = shuffle_word(g, LLVMBuildTrunc(b, v, i32, ""), distance);
        LLVMValueRef high =
            shuffle_word(g, LLVMBuildTrunc(b, LLVMBuildLShr(b, v, half, ""), i32, ""), distance);
        high = LLVMBuildShl(b, LLVMBuildZExt(b, high, i64, ""), half, "");
        v = LLVMBuildOr(b, high, LLVMBuildZExt(b, low, i64, ""), "");
    }
    return LLVMBuildBitCast(b, v, g->element, "");
}

/* Rows of a plane that a warp sees: its own 0..U-1, and `radius` of its neighbours' before and
 * after, which come from scratchpad. */
static LLVMValueRef *seen(stream *g, int lag, int u, int k, int q) {
    int rows = g->U + 2 * g->c->radius[1], distances = 2 * ST_MAX_RADIUS + 1;
    int row = u + g->c->radius[1];
    return &g->shuffled[((lag * rows + row) * g->V + k) * distances + q + ST_MAX_RADIUS];
}

static void read_exchanged(stream *g, int lag, int u) {
    int radius = g->c->radius[1];
    bool above = u < 0;
    LLVMValueRef limit = gen_int32(&g->e, above ? 0 : g->p->warps - 1), last[MAX_V];
    LLVMValueRef at_end = LLVMBuildICmp(g->e.b, LLVMIntEQ, g->warp, limit, "");
    LLVMValueRef other =
        LLVMBuildSelect(g->e.b, at_end, g->warp, add32(g, g->warp, above ? -1 : 1), "");
    int row = above ? radius + radius + u : u - g->U;
    split(g, load_vector(g, exchange_at(g, g->slot - lag, g->level, other, row)), last);
    for (int k = 0; k < g->V; k++)
        *seen(g, lag, u, k, 0) = last[k];
}

/* Cell (u, k) of the plane `lag` planes old; k may be out of the lane, u out of the thread. */
static LLVMValueRef cell(stream *g, int lag, int u, int k) {
    int q = (k + 64 * g->V) / g->V - 64, inner = k - q * g->V;
    LLVMValueRef *own = seen(g, lag, u, inner, 0), *moved = seen(g, lag, u, inner, q);
    if (!*own && (u < 0 || u >= g->U))
        read_exchanged(g, lag, u);
    else if (!*own)
        *own = lag == 0 ? g->now[u][inner] : g->levels[g->level].kept[lag - 1][u][inner];
    if (!*moved)
        *moved = shuffle(g, *own, q);
    return *moved;
}

/* Expressions */

static LLVMValueRef value(stream *g, int32_t number, int q, int u, int k);

/* Coordinates of output cell (u, k) whose phase is q now, as i64. */
static LLVMValueRef coordinate(stream *g, int d, int q, int u, int k) {
    if (d == g->stream_dim)
        return wide(g, add32(g, g->plane, -q));
    return wide(g, d == 0 ? add32(g, g->x0, k) : add32(g, g->y0, u));
}

static LLVMValueRef read_only(stream *g, const st_node *n, int q, int u, int k) {
    const st_access *a = &g->s->accesses[n->index];
    const st_grid *grid = &g->s->grids[a->grid];
    LLVMTypeRef element = gen_type(&g->e, grid->type);
    LLVMValueRef index = gen_int64(&g->e, a->offset[0]);
    size_t port = FIRST_PORT;
    for (size_t i = 0; g->ports[i].grid != a->grid || g->ports[i].level != a->level; i++)
        port += g->ports[i].grid != g->s->store_grid;
    for (int d = 0; d < g->s->rank; d++) {
        if (grid->broadcast >> d & 1)
            continue;
        LLVMValueRef c = coordinate(g, d, q, u, k);
        if (d > 0) {
            c = LLVMBuildAdd(g->e.b, c, gen_int64(&g->e, a->offset[d]), "");
            c = LLVMBuildMul(g->e.b, c, stride_of(g, a->grid, d), "");
        }
        index = LLVMBuildAdd(g->e.b, index, c, "");
    }
    LLVMValueRef p = LLVMGetParam(g->function, (unsigned)port);
    p = LLVMBuildGEP2(g->e.b, element, p, &index, 1, "");
    LLVMValueRef v = LLVMBuildLoad2(g->e.b, element, p, "");
    LLVMSetAlignment(v, (unsigned)st_type_size(grid->type));
    return v;
}

static LLVMValueRef scalar_value(stream *g, const st_node *n) {
    LLVMValueRef v = scalar(g, (size_t)n->index, false);
    if (g->s->scalars[n->index].stepped && g->level > 0) {
        LLVMValueRef level = LLVMConstInt(LLVMTypeOf(v), (unsigned long long)g->level, false);
        LLVMValueRef increment = scalar(g, (size_t)n->index, true);
        v = LLVMBuildAdd(g->e.b, v, LLVMBuildMul(g->e.b, increment, level, ""), "");
    }
    return n->type == ST_I1 ? LLVMBuildTrunc(g->e.b, v, gen_type(&g->e, ST_I1), "") : v;
}

static LLVMValueRef compute(stream *g, int32_t number, int q, int u, int k) {
    const st_node *n = &g->s->nodes[number];
    LLVMValueRef args[3];
    if (n->op == ST_CONST)
        return gen_constant(&g->e, n);
    if (n->op == ST_COORD)
        return coordinate(g, n->index, q, u, k);
    if (n->op == ST_SCALAR)
        return scalar_value(g, n);
    if (sch_is_moving(g->s, n)) {
        const int32_t *o = g->s->accesses[n->index].offset;
        int dy = g->stream_dim == 2 ? o[1] : 0;
        return cell(g, q - o[g->stream_dim], u + dy, k + o[0]);
    }
    if (n->op == ST_ACCESS)
        return read_only(g, n, q, u, k);
    for (int i = 0; i < st_ops[n->op].arity; i++)
        args[i] = value(g, n->args[i], q, u, k);
    return gen_operation(&g->e, n, args);
}

static size_t thread_cells(const stream *g) {
    return (size_t)(g->U * g->V);
}

/* Node `number` for output cell (u, k) at phase q: carried, or computed now. */
static LLVMValueRef value(stream *g, int32_t number, int q, int u, int k) {
    int phase = g->c->phase[number];
    if (phase != SCH_ANY && phase < q)
        return g->levels[g->level].carried[number][q - phase - 1][u][k];
    int phases = g->c->last - g->c->first + 1;
    size_t i = ((size_t)number * (size_t)phases + (size_t)(q - g->c->first)) * thread_cells(g) +
               (size_t)(u * g->V + k);
    if (!g->memo[i])
        g->memo[i] = compute(g, number, q, u, k);
    return g->memo[i];
}

/* Levels */

/* Planes of a level kept besides the newest: for boundary cells also the one that is completed. */
static int planes_kept(const stream *g) {
    return g->mode == HELD && g->c->last > g->c->lags ? g->c->last : g->c->lags;
}

static void clear_plane_tables(stream *g) {
    int phases = g->c->last - g->c->first + 1, rows = g->U + 2 * g->c->radius[1];
    memset(g->memo, 0, g->s->nnodes * (size_t)phases * thread_cells(g) * sizeof *g->memo);
    memset(g->shuffled, 0,
           (size_t)((g->c->lags + 1) * rows * g->V * (2 * ST_MAX_RADIUS + 1)) *
               sizeof *g->shuffled);
}

/* The level's state after this plane: everything is one plane older. New partial results are there
 * already, for they may depend on older state. */
static void age_state(stream *g) {
    level_state *l = &g->levels[g->level];
    for (int i = planes_kept(g); i-- > 0;)
        memcpy(l->kept[i], i ? l->kept[i - 1] : g->now, sizeof(cells));
    for (size_t n = 0; n < g->s->nnodes; n++) {
        for (int a = g->c->age[n]; a-- > 0;)
            for (int u = 0; u < g->U; u++)
                for (int k = 0; k < g->V; k++)
                    l->carried[n][a][u][k] =
                        a ? l->carried[n][a - 1][u][k] : value(g, (int32_t)n, g->c->phase[n], u, k);
    }
}

/* Gives the warp's outermost rows to its neighbours. */
static void write_exchanged(stream *g) {
    int radius = exchange_rows(g), depth = exchange_depth(g);
    for (int i = 0; depth && i < radius; i++) {
        store_vector(g, g->now[i], exchange_at(g, g->slot, g->level, g->warp, i));
        store_vector(g, g->now[g->U - radius + i],
                     exchange_at(g, g->slot, g->level, g->warp, radius + i));
    }
}

/* The thread's next row; in 2-D there is none. */
static LLVMValueRef next_row(stream *g, LLVMValueRef p) {
    return g->stream_dim == 2 ? at(g, p, g->stride[0]) : p;
}

/* The plane that the level in hand completes, one level below. */
static void held_cells(stream *g, cells held) {
    LLVMValueRef p = g->held_at[(g->level + 1) % 2];
    for (int u = 0; u < g->U; u++) {
        if (g->mode == LOADED)
            split(g, load_vector(g, p), held[u]);
        p = g->mode == LOADED ? next_row(g, p) : NULL;
    }
    if (g->mode == HELD)
        memcpy(held, g->c->last ? g->levels[g->level].kept[g->c->last - 1] : g->now, sizeof(cells));
}

/* In border tiles: what the program reads outside the domain, at the level that `out` is of. Most
 * threads have no such cell and branch around it. */
static void hold_boundary(stream *g, LLVMValueRef plane, cells out) {
    LLVMBuilderRef b = g->e.b;
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b), hold = block(g, "hold"),
                      next = block(g, "held");
    LLVMValueRef end = g->extent[g->stream_dim], zero = gen_int32(&g->e, 0);
    LLVMValueRef past =
        LLVMBuildOr(b, less(g, plane, zero), LLVMBuildNot(b, less(g, plane, end), ""), "");
    LLVMValueRef mask = LLVMBuildSelect(b, past, gen_int32(&g->e, -1), g->outside, "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, mask, zero, ""), next, hold);
    cells held;
    LLVMPositionBuilderAtEnd(b, hold);
    held_cells(g, held);
    for (int i = 0; i < g->U * g->V; i++) {
        LLVMValueRef bit = gen_int32(&g->e, (int32_t)(1u << i));
        LLVMValueRef *cell = &held[i / g->V][i % g->V];
        LLVMValueRef free = LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildAnd(b, mask, bit, ""), zero, "");
        *cell = LLVMBuildSelect(b, free, out[i / g->V][i % g->V], *cell, "");
    }
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
    for (int i = 0; i < g->U * g->V; i++) {
        LLVMValueRef *cell = &out[i / g->V][i % g->V], *other = &held[i / g->V][i % g->V];
        LLVMValueRef phi = LLVMBuildPhi(b, g->element, "");
        LLVMAddIncoming(phi, cell, &from, 1);
        LLVMAddIncoming(phi, other, &hold, 1);
        *cell = phi;
    }
}

/* One level: the plane in g->now completes a plane of the level above, which replaces it. */
static void advance_level(stream *g) {
    cells out;
    clear_plane_tables(g);
    for (int u = 0; u < g->U; u++)
        for (int k = 0; k < g->V; k++)
            out[u][k] = value(g, g->s->root, g->c->last, u, k);
    for (size_t n = 0; n < g->s->nnodes; n++)
        for (int u = 0; u < g->U && g->c->age[n]; u++)
            for (int k = 0; k < g->V; k++)
                value(g, (int32_t)n, g->c->phase[n], u, k);
    write_exchanged(g);
    if (g->mode != INNER && g->level + 1 < g->p->bt) {
        for (int k = 0; k < 2 && g->mode == LOADED; k++)
            g->held_at[k] = at(g, g->held_at[k], g->back);
        hold_boundary(g, add32(g, g->plane, -g->c->last), out);
    }
    age_state(g);
    memcpy(g->now, out, sizeof out);
}

/* Planes */

static LLVMValueRef plane_stride(stream *g) {
    return g->stride[g->stream_dim - 1];
}

static void prefetch(stream *g, int slot) {
    LLVMTypeRef device = LLVMPointerTypeInContext(g->e.context, g->e.target->device_space);
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->e.context);
    LLVMValueRef row = g->ahead;
    int bytes = g->V * (int)st_type_size(g->type);
    for (int u = 0; u < g->U; u++) {
        LLVMValueRef to = ring_at(g, slot, u);
        LLVMValueRef from = LLVMBuildAddrSpaceCast(g->e.b, row, device, "");
        row = next_row(g, row);
        for (int i = 0; i < bytes; i += 16) {
            LLVMValueRef step = gen_int64(&g->e, i);
            LLVMValueRef t = LLVMBuildGEP2(g->e.b, byte, to, &step, 1, "");
            g->e.target->copy_async(g->e.b, t, LLVMBuildGEP2(g->e.b, byte, from, &step, 1, ""));
        }
    }
    g->e.target->copy_commit(g->e.b);
    g->ahead = at(g, g->ahead, plane_stride(g));
}

static LLVMValueRef stored_here(stream *g, int u) {
    LLVMValueRef ok = NULL;
    LLVMValueRef lx = LLVMBuildMul(g->e.b, g->lane, gen_int32(&g->e, g->V), "");
    LLVMValueRef ly = add32(g, LLVMBuildMul(g->e.b, g->warp, gen_int32(&g->e, g->U), ""), u);
    for (int d = 0; d < g->stream_dim; d++) {
        LLVMValueRef l = d ? ly : lx, low = gen_int32(&g->e, g->p->halo[d]);
        LLVMValueRef in = LLVMBuildNot(g->e.b, less(g, l, low), "");
        in = both(g, in, less(g, l, gen_int32(&g->e, g->p->halo[d] + g->p->tile[d])));
        ok = ok ? both(g, ok, in) : in;
    }
    return ok;
}

/* In a border tile the last cells of a row may lie outside: then one by one. */
static void store_row(stream *g, int u, LLVMValueRef to) {
    LLVMBasicBlockRef whole = block(g, "whole"), part = block(g, "part"), next = block(g, "next");
    LLVMValueRef fits = LLVMBuildNot(g->e.b, less(g, g->extent[0], add32(g, g->x0, g->V)), "");
    if (g->mode == INNER) {
        LLVMBuildBr(g->e.b, whole);
    } else {
        LLVMBuildCondBr(g->e.b, fits, whole, part);
    }
    LLVMPositionBuilderAtEnd(g->e.b, whole);
    store_vector(g, g->now[u], to);
    LLVMBuildBr(g->e.b, next);
    LLVMPositionBuilderAtEnd(g->e.b, part);
    for (int k = 0; k < g->V; k++) {
        LLVMBasicBlockRef one = block(g, "one"), after = block(g, "after");
        LLVMBuildCondBr(g->e.b, less(g, add32(g, g->x0, k), g->extent[0]), one, after);
        LLVMPositionBuilderAtEnd(g->e.b, one);
        LLVMValueRef store = LLVMBuildStore(g->e.b, g->now[u][k], at(g, to, gen_int64(&g->e, k)));
        LLVMSetAlignment(store, (unsigned)st_type_size(g->type));
        LLVMBuildBr(g->e.b, after);
        LLVMPositionBuilderAtEnd(g->e.b, after);
    }
    LLVMBuildBr(g->e.b, next);
    LLVMPositionBuilderAtEnd(g->e.b, next);
}

static void store_plane(stream *g, LLVMValueRef plane) {
    LLVMBasicBlockRef store = block(g, "store"), done = block(g, "stored");
    LLVMValueRef in =
        both(g, LLVMBuildNot(g->e.b, less(g, plane, g->chunk0), ""), less(g, plane, g->chunk1));
    LLVMBuildCondBr(g->e.b, in, store, done);
    LLVMPositionBuilderAtEnd(g->e.b, store);
    LLVMValueRef to = g->out;
    for (int u = 0; u < g->U; u++) {
        LLVMBasicBlockRef here = block(g, "row"), next = block(g, "row.done");
        LLVMValueRef ok = stored_here(g, u);
        if (g->stream_dim == 2 && g->mode != INNER)
            ok = both(g, ok, less(g, add32(g, g->y0, u), g->extent[1]));
        LLVMBuildCondBr(g->e.b, ok, here, next);
        LLVMPositionBuilderAtEnd(g->e.b, here);
        store_row(g, u, to);
        LLVMBuildBr(g->e.b, next);
        LLVMPositionBuilderAtEnd(g->e.b, next);
        to = next_row(g, to);
    }
    LLVMBuildBr(g->e.b, done);
    LLVMPositionBuilderAtEnd(g->e.b, done);
}

/* The plane with number `first` + i arrives, and with it one of every level. */
static void arrive(stream *g, LLVMValueRef first, int i) {
    int depth = g->p->depth;
    LLVMValueRef plane = add32(g, first, i);
    g->e.target->copy_wait(g->e.b, depth - 2);
    for (int u = 0; u < g->U; u++)
        split(g, load_vector(g, ring_at(g, i, u)), g->now[u]);
    prefetch(g, i + depth - 1);
    for (int k = 0; k < 2; k++)
        g->held_at[k] = g->here[k];
    if (exchange_depth(g))
        g->e.target->barrier(g->e.b);
    for (int t = 0; t < g->p->bt; t++) {
        g->level = t;
        g->slot = i;
        g->plane = add32(g, plane, -t * g->c->last);
        advance_level(g);
    }
    store_plane(g, add32(g, plane, -g->p->bt * g->c->last));
    g->out = at(g, g->out, plane_stride(g));
    for (int k = 0; k < 2 && g->mode == LOADED; k++)
        g->here[k] = at(g, g->here[k], plane_stride(g));
}

/* The loop */

typedef void visit(stream *g, LLVMValueRef *slot, void *context);

/* Every value carried around the loop, in one order. */
static void visit_state(stream *g, visit *f, void *context) {
    for (int t = 0; t < g->p->bt; t++) {
        level_state *l = &g->levels[t];
        for (int i = 0; i < planes_kept(g); i++)
            for (int u = 0; u < g->U; u++)
                for (int k = 0; k < g->V; k++)
                    f(g, &l->kept[i][u][k], context);
        for (size_t n = 0; n < g->s->nnodes; n++)
            for (int a = 0; a < g->c->age[n]; a++)
                for (int u = 0; u < g->U; u++)
                    for (int k = 0; k < g->V; k++)
                        f(g, &l->carried[n][a][u][k], context);
    }
}

typedef struct phis {
    LLVMValueRef *list;
    size_t count, next;
    LLVMBasicBlockRef from;
} phis;

static void count_value(stream *g, LLVMValueRef *slot, void *context) {
    (void)g;
    (void)slot;
    ((phis *)context)->count++;
}

/* Before the first plane everything is zero: results that depend on it are not stored. */
static LLVMTypeRef state_type(stream *g, phis *p);

static void make_phi(stream *g, LLVMValueRef *slot, void *context) {
    phis *p = context;
    LLVMTypeRef type = state_type(g, p);
    LLVMValueRef zero = LLVMConstNull(type);
    LLVMValueRef phi = LLVMBuildPhi(g->e.b, type, "");
    LLVMAddIncoming(phi, &zero, &p->from, 1);
    p->list[p->next++] = phi;
    *slot = phi;
}

static void close_phi(stream *g, LLVMValueRef *slot, void *context) {
    phis *p = context;
    (void)g;
    LLVMAddIncoming(p->list[p->next++], slot, &p->from, 1);
}

/* The type of the p->next-th state value: follows visit_state's order. */
static LLVMTypeRef state_type(stream *g, phis *p) {
    size_t thread = (size_t)(g->U * g->V), level;
    level = (size_t)(sch_carried(g->s, g->c) - g->c->lags + planes_kept(g)) * thread;
    size_t i = p->next % level, kept = (size_t)planes_kept(g) * thread;
    if (i < kept)
        return g->element;
    i -= kept;
    for (size_t n = 0;; n++) {
        size_t here = (size_t)g->c->age[n] * thread;
        if (i < here)
            return gen_type(&g->e, (st_type)g->s->nodes[n].type);
        i -= here;
    }
}

/* The pointers that move along, as an array of slots; how many there are. */
static int pointers(stream *g, LLVMValueRef *slots[4]) {
    slots[0] = &g->ahead;
    slots[1] = &g->out;
    slots[2] = &g->here[0];
    slots[3] = &g->here[1];
    return g->mode == LOADED ? 4 : 2;
}

static LLVMValueRef point_at(stream *g, int parameter, LLVMValueRef plane) {
    LLVMValueRef i = LLVMBuildMul(g->e.b, wide(g, plane), plane_stride(g), "");
    i = LLVMBuildAdd(g->e.b, i, g->column, "");
    return at(g, LLVMGetParam(g->function, (unsigned)parameter), i);
}

static void place_pointers(stream *g, LLVMValueRef first) {
    g->ahead = point_at(g, SRC, first);
    g->out = point_at(g, DST, add32(g, first, -g->p->bt * g->c->last));
    g->here[0] = point_at(g, SRC, first);
    g->here[1] = point_at(g, OTHER, first);
    g->back = LLVMBuildMul(g->e.b, plane_stride(g), gen_int64(&g->e, -g->c->last), "");
}

/* Planes an iteration takes. Loops are unrolled until all names come round; but not where boundary
 * work would take more registers than the inner loop: there, values shift. In 3-D, where half of
 * the tiles may touch the boundary, only if it must be loaded. */
static int unrolled(const stream *g) {
    bool shift = g->mode == LOADED || (g->mode == HELD && g->stream_dim == 1);
    return shift ? 1 : g->p->depth;
}

static void make_loop(stream *g, loop_mode mode, LLVMBasicBlockRef start, LLVMBasicBlockRef done) {
    static const char *const names[] = {"inner", "border.held", "border.loaded"};
    LLVMBasicBlockRef body = block(g, names[mode]);
    phis p = {NULL, 0, 0, NULL};
    g->mode = mode;
    LLVMPositionBuilderAtEnd(g->e.b, start);
    LLVMValueRef first = add32(g, g->chunk0, -g->p->lead);
    LLVMValueRef end = add32(g, g->chunk1, g->p->overlap - g->p->lead);
    g->turn = NULL;
    place_pointers(g, first);
    for (int i = 0; i + 1 < g->p->depth; i++)
        prefetch(g, i);
    LLVMBuildBr(g->e.b, body);
    visit_state(g, count_value, &p);
    p.list = calloc(p.count + 1, sizeof *p.list);
    p.from = start;
    LLVMPositionBuilderAtEnd(g->e.b, body);
    LLVMValueRef plane = LLVMBuildPhi(g->e.b, gen_i32(&g->e), "plane");
    LLVMAddIncoming(plane, &first, &start, 1);
    int step = unrolled(g);
    g->turn = NULL;
    if (step < g->p->depth) {
        g->turn = LLVMBuildPhi(g->e.b, gen_i32(&g->e), "turn");
        LLVMValueRef zero = gen_int32(&g->e, 0);
        LLVMAddIncoming(g->turn, &zero, &start, 1);
    }
    LLVMValueRef *moving[4], moved[4];
    int npointers = pointers(g, moving);
    for (int i = 0; i < npointers; i++) {
        LLVMTypeRef pointer = LLVMPointerTypeInContext(g->e.context, 0);
        moved[i] = LLVMBuildPhi(g->e.b, pointer, "");
        LLVMAddIncoming(moved[i], moving[i], &start, 1);
        *moving[i] = moved[i];
    }
    visit_state(g, make_phi, &p);
    for (int i = 0; i < step; i++)
        arrive(g, plane, i);
    LLVMBasicBlockRef latch = LLVMGetInsertBlock(g->e.b);
    LLVMValueRef next = add32(g, plane, step);
    if (g->turn) {
        LLVMValueRef turned = add32(g, g->turn, step);
        LLVMAddIncoming(g->turn, &turned, &latch, 1);
    }
    LLVMBuildCondBr(g->e.b, less(g, next, end), body, done);
    LLVMAddIncoming(plane, &next, &latch, 1);
    for (int i = 0; i < npointers; i++)
        LLVMAddIncoming(moved[i], moving[i], &latch, 1);
    p.next = 0;
    p.from = latch;
    visit_state(g, close_phi, &p);
    free(p.list);
}

/* Set-up */

static LLVMValueRef minimum(stream *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildSelect(g->e.b, less(g, a, b), a, b, "");
}

static void locate(stream *g) {
    LLVMBuilderRef b = g->e.b;
    const st_kernel *p = g->p;
    LLVMTypeRef i32 = gen_i32(&g->e);
    LLVMValueRef thread = g->e.target->thread_id(b, 0), tile = g->e.target->block_id(b, 0);
    for (int d = 0; d < g->s->rank; d++)
        g->extent[d] = LLVMBuildTrunc(b, integer(g, (size_t)d), i32, "");
    for (int d = 1; d < g->s->rank; d++)
        g->stride[d - 1] = stride_of(g, g->s->store_grid, d);
    g->lane = LLVMBuildAnd(b, thread, gen_int32(&g->e, PLAN_WARP - 1), "");
    g->warp = LLVMBuildLShr(b, thread, gen_int32(&g->e, 5), "");
    if (g->stream_dim == 1)
        tile = LLVMBuildAdd(b, LLVMBuildMul(b, tile, gen_int32(&g->e, p->warps), ""), g->warp, "");
    LLVMValueRef x = LLVMBuildMul(b, tile, gen_int32(&g->e, p->tile[0]), "");
    x = LLVMBuildAdd(b, x, LLVMBuildMul(b, g->lane, gen_int32(&g->e, g->V), ""), "");
    g->x0 = add32(g, x, -p->halo[0]);
    g->y0 = gen_int32(&g->e, 0);
    if (g->stream_dim == 2) {
        LLVMValueRef y =
            LLVMBuildMul(b, g->e.target->block_id(b, 1), gen_int32(&g->e, p->tile[1]), "");
        y = LLVMBuildAdd(b, y, LLVMBuildMul(b, g->warp, gen_int32(&g->e, g->U), ""), "");
        g->y0 = add32(g, y, -p->halo[1]);
    }
    LLVMValueRef chunk = LLVMBuildTrunc(b, integer(g, chunk_at(g)), i32, "");
    /* The last chunk first: its tiles touch the boundary and take longest, so they must not be what
     * all wait for at the end. The first chunk, like it, comes next. */
    LLVMValueRef number = g->e.target->block_id(b, g->stream_dim);
    LLVMValueRef chunks = g->e.target->block_count(b, g->stream_dim);
    LLVMValueRef leads = LLVMBuildICmp(b, LLVMIntEQ, number, gen_int32(&g->e, 0), "");
    number =
        LLVMBuildSub(b, LLVMBuildSelect(b, leads, chunks, number, ""), gen_int32(&g->e, 1), "");
    g->chunk0 = LLVMBuildMul(b, number, chunk, "");
    g->chunk1 = minimum(g, LLVMBuildAdd(b, g->chunk0, chunk, ""), g->extent[g->stream_dim]);
    g->column = wide(g, g->x0);
    if (g->stream_dim == 2)
        g->column =
            LLVMBuildAdd(b, g->column, LLVMBuildMul(b, wide(g, g->y0), g->stride[0], ""), "");
}

static LLVMValueRef out_of(stream *g, LLVMValueRef c, int d) {
    return LLVMBuildOr(g->e.b, less(g, c, gen_int32(&g->e, 0)),
                       LLVMBuildNot(g->e.b, less(g, c, g->extent[d]), ""), "");
}

/* A bit for each of the thread's cells whose x or y is outside the domain. */
static LLVMValueRef mark_outside(stream *g) {
    LLVMValueRef mask = gen_int32(&g->e, 0);
    for (int u = 0; u < g->U; u++)
        for (int k = 0; k < g->V; k++) {
            LLVMValueRef out = out_of(g, add32(g, g->x0, k), 0);
            LLVMValueRef bit = gen_int32(&g->e, (int32_t)(1u << (u * g->V + k)));
            if (g->stream_dim == 2)
                out = LLVMBuildOr(g->e.b, out, out_of(g, add32(g, g->y0, u), 1), "");
            bit = LLVMBuildSelect(g->e.b, out, bit, gen_int32(&g->e, 0), "");
            mask = LLVMBuildOr(g->e.b, mask, bit, "");
        }
    return mask;
}

/* Does any value that matters lie outside the domain, at the levels that are computed? The same
 * for all threads that wait for one another. */
static LLVMValueRef touches_border(stream *g) {
    const st_kernel *p = g->p;
    int inner = p->bt - 1;
    LLVMBuilderRef b = g->e.b;
    LLVMValueRef zero = gen_int32(&g->e, 0),
                 touches = less(g, add32(g, g->chunk0, inner * g->c->least), zero);
    LLVMValueRef last = add32(g, g->chunk1, inner * g->c->greatest);
    touches = LLVMBuildOr(b, touches, less(g, g->extent[g->stream_dim], last), "");
    LLVMValueRef lane = LLVMBuildMul(b, g->lane, gen_int32(&g->e, g->V), "");
    LLVMValueRef row = LLVMBuildMul(b, g->warp, gen_int32(&g->e, g->U), "");
    for (int d = 0; d < g->stream_dim; d++) {
        LLVMValueRef start = LLVMBuildSub(b, d ? g->y0 : g->x0, d ? row : lane, "");
        int length = p->tile[d] + 2 * p->halo[d];
        touches = LLVMBuildOr(b, touches, less(g, start, zero), "");
        touches = LLVMBuildOr(b, touches, less(g, g->extent[d], add32(g, start, length)), "");
    }
    return touches;
}

/* Exchanged rows are read before the first is written. */
static void clear_exchange(stream *g) {
    LLVMValueRef zero[MAX_V];
    for (int k = 0; k < g->V; k++)
        zero[k] = LLVMConstNull(g->element);
    for (int slot = 0; slot < exchange_depth(g); slot++)
        for (int t = 0; t < g->p->bt; t++)
            for (int row = 0; row < 2 * exchange_rows(g); row++)
                store_vector(g, zero, exchange_at(g, slot, t, g->warp, row));
}

static void allocate_state(stream *g) {
    size_t nodes = g->s->nnodes, phases = (size_t)(g->c->last - g->c->first + 1);
    size_t rows = (size_t)(g->U + 2 * g->c->radius[1]);
    g->levels = calloc((size_t)g->p->bt, sizeof *g->levels);
    for (int t = 0; t < g->p->bt; t++) {
        g->levels[t].kept = calloc((size_t)(g->c->lags + g->c->last) + 1, sizeof(cells));
        g->levels[t].carried = calloc(nodes, sizeof(cells *));
        for (size_t n = 0; n < nodes; n++)
            if (g->c->age[n])
                g->levels[t].carried[n] = calloc((size_t)g->c->age[n], sizeof(cells));
    }
    g->memo = calloc(nodes * phases * thread_cells(g), sizeof *g->memo);
    g->shuffled = calloc((size_t)(g->c->lags + 1) * rows * (size_t)g->V * (2 * ST_MAX_RADIUS + 1),
                         sizeof *g->shuffled);
}

static void release_state(stream *g) {
    for (int t = 0; t < g->p->bt; t++) {
        for (size_t n = 0; n < g->s->nnodes; n++)
            free(g->levels[t].carried[n]);
        free(g->levels[t].carried);
        free(g->levels[t].kept);
    }
    free(g->levels);
    free(g->memo);
    free(g->shuffled);
}

/* One dynamic array for all kernels of the module. */
static LLVMValueRef find_scratchpad(stream *g) {
    static const char name[] = "stencil_scratchpad";
    LLVMValueRef v = LLVMGetNamedGlobal(g->e.module, name);
    if (v)
        return v;
    LLVMTypeRef none = LLVMArrayType2(LLVMInt8TypeInContext(g->e.context), 0);
    v = LLVMAddGlobalInAddressSpace(g->e.module, none, name, g->e.target->scratchpad_space);
    LLVMSetAlignment(v, 16);
    return v;
}

static void create_function(stream *g) {
    g->function = LLVMAddFunction(g->e.module, g->p->name, kernel_type(g));
    g->e.target->mark_kernel(g->function, g->p->block, g->p->registers);
    /* dst, src and other may be the same buffers in part: no promise about them. */
    for (size_t i = FIRST_PORT; i < integers_at(g); i++)
        gen_mark_pointer(&g->e, g->function, (unsigned)i, false);
}

void gen_stream_kernel(const gen_expr *e, const st_stencil *s, const st_kernel *p) {
    stream g = {.e = *e, .s = s, .p = p, .V = p->cells, .U = p->rows, .stream_dim = s->rank - 1};
    g.c = sch_create(s, s->rank == 3);
    g.type = s->grids[s->store_grid].type;
    g.element = gen_type(e, g.type);
    g.vector = LLVMVectorType(g.element, (unsigned)g.V);
    g.nports = st_ports(s, g.ports);
    create_function(&g);
    allocate_state(&g);
    LLVMBasicBlockRef entry = block(&g, "entry"), work = block(&g, "work");
    LLVMBasicBlockRef inner = block(&g, "inner.start"), border = block(&g, "border");
    LLVMBasicBlockRef held = block(&g, "held.start"), loaded = block(&g, "loaded.start");
    LLVMBasicBlockRef done = block(&g, "done");
    g.scratchpad = find_scratchpad(&g);
    LLVMPositionBuilderAtEnd(e->b, entry);
    locate(&g);
    /* In 2-D whole warps may have nothing to do; in 3-D no block has. */
    LLVMValueRef lane = LLVMBuildMul(e->b, g.lane, gen_int32(e, g.V), "");
    LLVMValueRef left = add32(&g, LLVMBuildSub(e->b, g.x0, lane, ""), p->halo[0]);
    LLVMBuildCondBr(e->b, less(&g, left, g.extent[0]), work, done);
    LLVMPositionBuilderAtEnd(e->b, work);
    clear_exchange(&g);
    LLVMBuildCondBr(e->b, touches_border(&g), border, inner);
    make_loop(&g, INNER, inner, done);
    LLVMPositionBuilderAtEnd(e->b, border);
    g.outside = mark_outside(&g);
    LLVMValueRef same = LLVMBuildICmp(e->b, LLVMIntEQ, LLVMGetParam(g.function, SRC),
                                      LLVMGetParam(g.function, OTHER), "");
    LLVMBuildCondBr(e->b, same, held, loaded);
    make_loop(&g, HELD, held, done);
    make_loop(&g, LOADED, loaded, done);
    LLVMPositionBuilderAtEnd(e->b, done);
    LLVMBuildRetVoid(e->b);
    release_state(&g);
    sch_destroy(g.c);
}
