/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One level of a stream kernel: lane neighbours, the expression, what is kept, the boundary.
 */
#include "codegen/stream/stream.h"

#include <string.h>

/* Lane neighbours */

/* Rows of a plane that a warp sees: its own 0..U-1, and `radius` of its neighbours' before and
 * after, which come from scratchpad. */
static LLVMValueRef *seen(stream *g, int lag, int u, int k, int q) {
    int rows = g->U + 2 * g->c->radius[1], distances = 2 * ST_MAX_RADIUS + 1;
    int row = u + g->c->radius[1];
    return &g->shuffled[((lag * rows + row) * g->W + k) * distances + q + ST_MAX_RADIUS];
}

static void see_vector(stream *g, int lag, int u, int q, sg_place from) {
    LLVMValueRef word[PLAN_STREAM_CELLS];
    gen_split(&g->e, sg_load_vector(g, sg_pointer(g, from)), g->W, word);
    for (int k = 0; k < g->W; k++)
        *seen(g, lag, u, k, q) = word[k];
}

/* A row of another warp: of level 0 from the ring, of the others from what that warp gave. Beyond
 * the block's ends there are rows in the ring; a level above has zeros, and needs none. */
static void read_row(stream *g, int lag, int u) {
    int warp = u < 0 ? -1 : 1;
    see_vector(g, lag, u, 0,
               g->level == 0 ? sg_ring_at(g, g->ring, g->slot - lag, u, 0)
                             : sg_exchange_at(g, g->slot - lag, g->level, warp, u - warp * g->U));
}

/* Word (u, k) of the plane `lag` planes old; k may be out of the lane, u out of the thread. */
static LLVMValueRef word(stream *g, int lag, int u, int k) {
    int q = (k + 64 * g->W) / g->W - 64, inner = k - q * g->W;
    LLVMValueRef *own = seen(g, lag, u, inner, 0), *moved = seen(g, lag, u, inner, q);
    if (!*moved && q != 0 && g->level == 0 && g->p->margin[0])
        see_vector(g, lag, u, q, sg_ring_at(g, g->ring, g->slot - lag, u, q));
    if (!*moved && !*own && (u < 0 || u >= g->U))
        read_row(g, lag, u);
    else if (!*moved && !*own)
        *own = lag == 0 ? g->now[u][inner] : g->levels[g->level].kept[lag - 1][u][inner];
    if (!*moved)
        *moved = gen_shuffle(&g->e, g->word_type, *own, q, g->p->lanes);
    return *moved;
}

/* Expressions */

static LLVMValueRef value(stream *g, int32_t number, int q, int u, int k);

/* Coordinates of output cell (u, k) whose phase is q now, as i64. */
static LLVMValueRef coordinate(stream *g, int d, int q, int u, int k) {
    if (d == g->stream_dim)
        return gen_extend(&g->e, gen_add32(&g->e, g->plane, -q));
    return gen_extend(&g->e, d == 0 ? gen_add32(&g->e, g->x0, k) : gen_add32(&g->e, g->y0, u));
}

static LLVMValueRef read_only(stream *g, const st_node *n, int q, int u, int k) {
    const st_access *a = &g->s->accesses[n->index];
    const st_grid *grid = &g->s->grids[a->grid];
    LLVMTypeRef element = gen_type(&g->e, grid->type);
    LLVMValueRef index = gen_int64(&g->e, a->offset[0]);
    for (int d = 0; d < g->s->rank; d++) {
        if (grid->broadcast >> d & 1)
            continue;
        LLVMValueRef c = coordinate(g, d, q, u, k);
        if (d > 0) {
            c = LLVMBuildAdd(g->e.b, c, gen_int64(&g->e, a->offset[d]), "");
            c = LLVMBuildMul(g->e.b, c, sg_stride_of(g, a->grid, d), "");
        }
        index = LLVMBuildAdd(g->e.b, index, c, "");
    }
    LLVMValueRef p = gen_element(&g->e, element, sg_port(g, a), index);
    return gen_load(&g->e, element, p, st_type_size(grid->type));
}

static LLVMValueRef scalar_value(stream *g, const st_node *n) {
    LLVMValueRef v = sg_scalar(g, (size_t)n->index, false);
    if (g->s->scalars[n->index].stepped && g->level > 0) {
        LLVMValueRef level = LLVMConstInt(LLVMTypeOf(v), (unsigned long long)g->level, false);
        LLVMValueRef increment = sg_scalar(g, (size_t)n->index, true);
        v = LLVMBuildAdd(g->e.b, v, LLVMBuildMul(g->e.b, increment, level, ""), "");
    }
    return n->type == ST_I1 ? LLVMBuildTrunc(g->e.b, v, gen_type(&g->e, ST_I1), "") : v;
}

/* Word (u, k) of the older level's plane that the statement reads now. */
static LLVMValueRef older_word(stream *g, int u, int k) {
    if (g->level > 0)
        return g->levels[g->level - 1].kept[g->c->delay][u][k];
    if (!g->older[u][0])
        gen_split(&g->e, sg_load_vector(g, sg_pointer(g, sg_older_at(g, g->slot, u))), g->W,
                  g->older[u]);
    return g->older[u][k];
}

/* Where an expression is evaluated: for output row u at phase q. */
typedef struct place {
    stream *g;
    int q, u;
} place;

static LLVMValueRef value_at(void *context, int32_t number, int k) {
    place *at = context;
    return value(at->g, number, at->q, at->u, k);
}

static bool is_computed_at(void *context, int32_t number) {
    const place *at = context;
    int phase = at->g->c->phase[number];
    return phase == SCH_ANY || phase >= at->q;
}

/* The row that a moving access reads, without its offset along x. For the older level, a row of
 * that level. */
static LLVMValueRef row_at(void *context, int32_t number, int k) {
    place *at = context;
    stream *g = at->g;
    if (number == g->c->older)
        return older_word(g, at->u, k);
    const int32_t *o = g->s->accesses[g->s->nodes[number].index].offset;
    int dy = g->stream_dim == 2 ? o[1] : 0;
    return word(g, at->q - o[g->stream_dim], at->u + dy, k);
}

static gen_packed packed_at(place *at) {
    stream *g = at->g;
    return (gen_packed){&g->e, g->s, g->pack, at, value_at, row_at, is_computed_at};
}

static LLVMValueRef compute(stream *g, int32_t number, int q, int u, int k) {
    const st_node *n = &g->s->nodes[number];
    place at = {g, q, u};
    gen_packed packed = packed_at(&at);
    LLVMValueRef args[3];
    if (g->pack->nodes[number].bits < PK_CELL)
        return gen_packed_word(&packed, number, k);
    if (n->op == ST_CONST)
        return gen_constant(&g->e, n);
    if (n->op == ST_COORD)
        return coordinate(g, n->index, q, u, k);
    if (n->op == ST_SCALAR)
        return scalar_value(g, n);
    if (n->op == ST_ACCESS && g->s->accesses[n->index].grid == g->s->store_grid)
        return row_at(&at, number, k + g->s->accesses[n->index].offset[0]);
    if (n->op == ST_ACCESS)
        return read_only(g, n, q, u, k);
    for (int i = 0; i < st_ops[n->op].arity; i++)
        args[i] = gen_packed_cell(&packed, n->args[i], k);
    return gen_operation(&g->e, n, args);
}

/* Computes a node for cells k and k + 1 at once. */
static void compute_pair(stream *g, int32_t number, int q, int u, int k, LLVMValueRef out[2]) {
    const st_node *n = &g->s->nodes[number];
    LLVMValueRef args[2][3];
    for (int i = 0; i < st_ops[n->op].arity; i++)
        for (int j = 0; j < 2; j++)
            args[j][i] = value(g, n->args[i], q, u, k + j);
    gen_pair(&g->e, n, args, out);
}

static size_t thread_cells(const stream *g) {
    return (size_t)(g->U * g->V);
}

/* Node `number` for cell or word k of output row u at phase q: carried, or computed now. */
static LLVMValueRef value(stream *g, int32_t number, int q, int u, int k) {
    int phase = g->c->phase[number];
    if (phase != SCH_ANY && phase < q)
        return g->levels[g->level].carried[number][q - phase - 1][u][k];
    int phases = sch_phases(g->c);
    size_t i = ((size_t)number * (size_t)phases + (size_t)(q - g->c->first)) * thread_cells(g) +
               (size_t)(u * g->V + k);
    if (!g->memo[i] && gen_is_paired(&g->e, &g->s->nodes[number]) && g->V % 2 == 0)
        compute_pair(g, number, q, u, k & ~1, &g->memo[i - (size_t)(k & 1)]);
    else if (!g->memo[i])
        g->memo[i] = compute(g, number, q, u, k);
    return g->memo[i];
}

/* Levels */

/* Planes of a level kept besides the newest: for boundary cells also the one that is completed. */
int sg_planes_kept(const stream *g) {
    int kept = sch_kept(g->c);
    return g->mode == HELD && g->c->last > kept ? g->c->last : kept;
}

static void clear_plane_tables(stream *g) {
    int phases = sch_phases(g->c), rows = g->U + 2 * g->c->radius[1];
    memset(g->older, 0, sizeof g->older);
    memset(g->memo, 0, g->s->nnodes * (size_t)phases * thread_cells(g) * sizeof *g->memo);
    memset(g->shuffled, 0,
           (size_t)((g->c->lags + 1) * rows * g->V * (2 * ST_MAX_RADIUS + 1)) *
               sizeof *g->shuffled);
}

/* The level's state after this plane: everything is one plane older. New partial results are there
 * already, for they may depend on older state. */
static void age_state(stream *g) {
    level_state *l = &g->levels[g->level];
    for (int i = sg_planes_kept(g); i >= 0; i--)
        memcpy(l->kept[i], i ? l->kept[i - 1] : g->now, sizeof(cells));
    for (size_t n = 0; n < g->s->nnodes; n++) {
        for (int a = g->c->age[n]; a-- > 0;)
            for (int u = 0; u < g->U; u++)
                for (int k = 0; k < sg_values(g, (int32_t)n); k++)
                    l->carried[n][a][u][k] =
                        a ? l->carried[n][a - 1][u][k]
                          : g->e.target->conceal(g->e.b,
                                                 value(g, (int32_t)n, g->c->phase[n], u, k));
    }
}

/* Gives the warp's outermost rows to its neighbours; those of level 0 are in the ring. */
static void write_exchanged(stream *g) {
    for (int u = 0; sg_exchange_depth(g) && g->level > 0 && u < g->U; u++)
        if (sg_gives_row(g, u))
            sg_store_vector(g, g->now[u],
                            sg_pointer(g, sg_exchange_at(g, g->slot, g->level, 0, u)));
}

/* The thread's next row; in 2-D there is none. */
LLVMValueRef sg_next_row(stream *g, LLVMValueRef p) {
    return g->stream_dim == 2 ? sg_at(g, p, g->stride[0]) : p;
}

/* The plane that the level in hand completes, one level below. */
static void held_cells(stream *g, cells held) {
    LLVMValueRef p = g->held_at[(g->level + 1) % 2];
    for (int u = 0; u < g->U; u++) {
        if (g->mode == LOADED)
            gen_split(&g->e, sg_load_vector(g, p), g->W, held[u]);
        p = g->mode == LOADED ? sg_next_row(g, p) : NULL;
    }
    if (g->mode == HELD)
        memcpy(held, g->c->last ? g->levels[g->level].kept[g->c->last - 1] : g->now, sizeof(cells));
}

/* The thread's word i: `in`, and `out` for the cells that the mask says are outside. */
static LLVMValueRef unless_outside(stream *g, LLVMValueRef mask, int i, LLVMValueRef in,
                                   LLVMValueRef out) {
    LLVMBuilderRef b = g->e.b;
    int group = g->pack->group;
    if (group > 1) {
        LLVMValueRef set = LLVMBuildLShr(b, mask, gen_int32(&g->e, i * group), "");
        return gen_blend(&g->e, gen_spread_bits(&g->e, set, 32 / group), out, in);
    }
    LLVMValueRef bit = gen_int32(&g->e, (int32_t)(1u << i)), zero = gen_int32(&g->e, 0);
    LLVMValueRef free = LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildAnd(b, mask, bit, ""), zero, "");
    return LLVMBuildSelect(b, free, in, out, "");
}

/* In border tiles: what the program reads outside the domain, at the level that `out` is of. Most
 * threads have no such cell and branch around it. */
static void hold_boundary(stream *g, LLVMValueRef plane, cells out) {
    LLVMBuilderRef b = g->e.b;
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b), hold = gen_add_block(g->function, "hold"),
                      next = gen_add_block(g->function, "held");
    LLVMValueRef end = g->extent[g->stream_dim], zero = gen_int32(&g->e, 0);
    LLVMValueRef past = LLVMBuildOr(b, gen_less(&g->e, plane, zero),
                                    LLVMBuildNot(b, gen_less(&g->e, plane, end), ""), "");
    LLVMValueRef mask = LLVMBuildSelect(b, past, gen_int32(&g->e, -1), g->outside, "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, mask, zero, ""), next, hold);
    cells held;
    LLVMPositionBuilderAtEnd(b, hold);
    held_cells(g, held);
    for (int i = 0; i < g->U * g->W; i++) {
        LLVMValueRef *word = &held[i / g->W][i % g->W];
        *word = unless_outside(g, mask, i, out[i / g->W][i % g->W], *word);
    }
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
    for (int i = 0; i < g->U * g->W; i++) {
        LLVMValueRef *word = &out[i / g->W][i % g->W], *other = &held[i / g->W][i % g->W];
        LLVMValueRef phi = LLVMBuildPhi(b, g->word, "");
        LLVMAddIncoming(phi, word, &from, 1);
        LLVMAddIncoming(phi, other, &hold, 1);
        *word = phi;
    }
}

/* The last row, counted from the output's, that node n takes from a plane when computed at phase q;
 * NO_ROW if none. */
enum { NO_ROW = -2 * ST_MAX_RADIUS };

static int last_row(stream *g, int32_t n, int q) {
    const st_node *node = &g->s->nodes[n];
    int row = NO_ROW;
    if (g->c->phase[n] != SCH_ANY && g->c->phase[n] < q)
        return NO_ROW;
    if (sch_is_moving(g->s, node))
        return g->s->accesses[node->index].offset[1];
    for (int i = 0; i < st_ops[node->op].arity; i++) {
        int one = g->rows[node->args[i] * sch_phases(g->c) + q - g->c->first];
        row = one > row ? one : row;
    }
    return row;
}

/* Row by row of the planes in hand, whatever can be computed from it: so that few rows are live at
 * a time. Without it, the first cell's expression would fetch all the rows it reaches. */
static void compute_by_rows(stream *g) {
    int radius = g->c->radius[1], phases = sch_phases(g->c);
    for (size_t n = 0; n < g->s->nnodes; n++)
        for (int q = 0; q < phases; q++)
            g->rows[n * (size_t)phases + (size_t)q] = last_row(g, (int32_t)n, q + g->c->first);
    for (int row = -radius; row < g->U + radius; row++)
        for (size_t n = 0; n < g->s->nnodes; n++)
            for (int q = 0; q < phases; q++) {
                size_t i = n * (size_t)phases + (size_t)q;
                int u = row - g->rows[i];
                if (!g->c->used[i] || st_ops[g->s->nodes[n].op].arity == 0 || u < 0 || u >= g->U)
                    continue;
                for (int k = 0; k < sg_values(g, (int32_t)n); k++)
                    value(g, (int32_t)n, q + g->c->first, u, k);
            }
}

static LLVMValueRef output(stream *g, int u, int k) {
    place at = {g, g->c->last, u};
    gen_packed packed = packed_at(&at);
    return g->W < g->V ? gen_packed_stored(&packed, k) : value_at(&at, g->s->root, k);
}

/* One level: the plane in g->now completes a plane of the level above, which replaces it. */
void sg_advance_level(stream *g) {
    cells out;
    clear_plane_tables(g);
    if (g->stream_dim == 2)
        compute_by_rows(g);
    for (int u = 0; u < g->U; u++)
        for (int k = 0; k < g->W; k++)
            out[u][k] = output(g, u, k);
    for (size_t n = 0; n < g->s->nnodes; n++)
        for (int u = 0; u < g->U && g->c->age[n]; u++)
            for (int k = 0; k < sg_values(g, (int32_t)n); k++)
                value(g, (int32_t)n, g->c->phase[n], u, k);
    write_exchanged(g);
    if (g->mode != INNER && g->level + 1 < g->p->bt) {
        for (int k = 0; k < 2 && g->mode == LOADED; k++)
            g->held_at[k] = sg_at(g, g->held_at[k], g->back);
        hold_boundary(g, gen_add32(&g->e, g->plane, -g->c->last), out);
    }
    age_state(g);
    memcpy(g->now, out, sizeof out);
}
