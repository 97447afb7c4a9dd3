/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * N.5D blocking: one launch makes bT time steps (AN5D, sections 4.1 and 4.2).
 *
 * A tile covers all dimensions but the last, with a halo that shrinks from level to level. The last
 * dimension streams by. When a plane of level 0 arrives, it completes a plane of level 1, that
 * plane one of level 2, and so on to level bT, which is stored. What a level keeps from plane to
 * plane (schedule.h) stays in registers. If the loop is unrolled, by the prefetch depth, the names
 * of registers repeat and phis only rename. Large bodies take one plane an iteration, and values
 * are shifted.
 *
 * Planes of level 0 are prefetched into a ring in scratchpad by asynchronous copies. A target
 * without such copies moves them through registers (stream/copy.c). Around the tile planes may have
 * a margin: neighbours of level 0, which are loaded and not computed, and which the outermost lanes
 * and warps copy.
 *
 * A warp's lanes lie along x, with V cells each. A neighbour along x is in the lane's own
 * registers, or comes by a shuffle; on level 0, if there is a margin, it is read from the ring. In
 * 2-D a warp is a tile and waits for no other warp. In 3-D a thread has U rows. A neighbour along y
 * that another warp holds is read from the ring, too; above level 0 it is read from where that warp
 * stores its outermost rows. It is used one plane later, so that one wait a plane serves all bT
 * levels. Only neighbouring warps wait for each other, in pairs, each pair at a barrier of its own.
 * The whole block waits if there are too many pairs, if rows of the next warp but one are read, or
 * if the target has no such barrier.
 *
 * A statement that reads two time steps (u[t+1] from u[t] and the cell's own u[t-1]) takes two
 * source levels and stores two. The older source comes through the ring beside the newer one. Of
 * the levels above, the older level of one is the source of the level before, kept a little longer.
 *
 * With bT = 1 there is one loop, because the boundary is loaded like all else. Otherwise there are
 * two or three loops. The inner one does not test for the boundary. The others are for tiles and
 * chunks that touch it. They replace computed values by the boundary's values, as the program would
 * read them: at even levels those of the source's halo, at odd levels those of the other buffer's
 * halo. If these halos are equal, a value is held from level to level; if they differ, it is
 * loaded. With an older level, and in steps that end with a copy back, all buffers have the same
 * halo: the loop that loads is left out.
 */
#include "codegen/stream/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Planes */

/* Rows of other warps may be read, and those they have read be overwritten. Neighbours alone wait
 * for each other, so that the rest of the block runs on, out of step. */
static void sync_rows(stream *g) {
    LLVMBuilderRef b = g->e.b;
    int warps = g->p->warps;
    if (!g->p->margin[1]) {
        if (g->p->margin[0])
            g->e.target->sync_warp(b);
        return;
    }
    if (!g->e.target->sync_pair || warps > 16 || g->U < g->c->radius[1]) {
        tg_barrier(b);
        return;
    }
    for (int end = 0; end < 2; end++) {
        LLVMBasicBlockRef sync = gen_add_block(g->function, "sync"),
                          next = gen_add_block(g->function, "sync.done");
        LLVMValueRef last = gen_int32(&g->e, end ? warps - 1 : 0);
        LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, g->warp, last, ""), next, sync);
        LLVMPositionBuilderAtEnd(b, sync);
        g->e.target->sync_pair(b, gen_add32(&g->e, g->warp, end));
        LLVMBuildBr(b, next);
        LLVMPositionBuilderAtEnd(b, next);
    }
}

static LLVMValueRef stored_here(stream *g, int u) {
    LLVMValueRef ok = NULL;
    LLVMValueRef lx = LLVMBuildMul(g->e.b, g->lane, gen_int32(&g->e, g->V), "");
    LLVMValueRef ly =
        gen_add32(&g->e, LLVMBuildMul(g->e.b, g->warp, gen_int32(&g->e, g->U), ""), u);
    for (int d = 0; d < g->stream_dim; d++) {
        LLVMValueRef l = d ? ly : lx, low = gen_int32(&g->e, g->p->halo[d]);
        LLVMValueRef in = LLVMBuildNot(g->e.b, gen_less(&g->e, l, low), "");
        in = gen_both(&g->e, in,
                      gen_less(&g->e, l, gen_int32(&g->e, g->p->halo[d] + g->p->tile[d])));
        ok = gen_both(&g->e, ok, in);
    }
    return ok;
}

/* With one level no boundary is kept, and one loop is for all tiles. */
static bool may_touch_border(const stream *g) {
    return g->mode != INNER || g->p->bt == 1;
}

/* In a border tile the last cells of a row may lie outside: then one by one. */
static void store_row(stream *g, int u, LLVMValueRef to) {
    LLVMBasicBlockRef whole = gen_add_block(g->function, "whole"),
                      part = gen_add_block(g->function, "part"),
                      next = gen_add_block(g->function, "next");
    LLVMValueRef fits =
        LLVMBuildNot(g->e.b, gen_less(&g->e, g->extent[0], gen_add32(&g->e, g->x0, g->V)), "");
    if (!may_touch_border(g)) {
        LLVMBuildBr(g->e.b, whole);
    } else {
        LLVMBuildCondBr(g->e.b, fits, whole, part);
    }
    LLVMPositionBuilderAtEnd(g->e.b, whole);
    sg_store_vector(g, g->now[u], to);
    LLVMBuildBr(g->e.b, next);
    LLVMPositionBuilderAtEnd(g->e.b, part);
    for (int k = 0; k < g->V; k++) {
        LLVMBasicBlockRef after =
            gen_begin_if(&g->e, g->function,
                         gen_less(&g->e, gen_add32(&g->e, g->x0, k), g->extent[0]), "one", "after");
        gen_store(&g->e, sg_cell(g, g->now[u], k), sg_at(g, to, gen_int64(&g->e, k)),
                  st_type_size(g->type));
        gen_end_if(&g->e, after);
    }
    LLVMBuildBr(g->e.b, next);
    LLVMPositionBuilderAtEnd(g->e.b, next);
}

static void store_plane(stream *g, LLVMValueRef plane, LLVMValueRef to) {
    LLVMValueRef in = gen_both(&g->e, LLVMBuildNot(g->e.b, gen_less(&g->e, plane, g->chunk0), ""),
                               gen_less(&g->e, plane, g->chunk1));
    LLVMBasicBlockRef done = gen_begin_if(&g->e, g->function, in, "store", "stored");
    for (int u = 0; u < g->U; u++) {
        LLVMValueRef ok = stored_here(g, u);
        if (g->stream_dim == 2 && may_touch_border(g))
            ok = gen_both(&g->e, ok, gen_less(&g->e, gen_add32(&g->e, g->y0, u), g->extent[1]));
        LLVMBasicBlockRef next = gen_begin_if(&g->e, g->function, ok, "row", "row.done");
        store_row(g, u, to);
        gen_end_if(&g->e, next);
        to = sg_next_row(g, to);
    }
    gen_end_if(&g->e, done);
}

/* One step alone makes the source the older level of the result: it is there already. */
static bool stores_older(const stream *g) {
    return sg_reads_older(g) && g->p->bt > 1;
}

/* The packing of a level. At the first level cells may have any value of their type; so may the
 * boundary's cells at all levels. */
static pk_pack *packing_of(const stream *g, int level) {
    return level > 0 && g->mode == INNER ? g->settled : g->full;
}

/* Ends the copy of the plane that goes to `slot`. */
static void finish_copy(stream *g, int slot) {
    if (g->waits == 1)
        sg_let_wait(g);
    sg_store_waiting(g, slot);
    if (g->waits > 1)
        sg_let_wait(g);
}

/* Lets the plane with number `first` + i arrive, and with it one plane of every level. Copies
 * through registers end before the plane is stored. Some targets count loads and stores in one
 * order. There a wait for the copies after the store would also wait for the store. */
static void arrive(stream *g, LLVMValueRef first, int i) {
    LLVMValueRef plane = gen_add32(&g->e, first, i);
    LLVMValueRef *kept[] = {&g->ring, &g->older_ring, &g->exchange};
    for (int k = 0; k < 3; k++)
        if (*kept[k])
            *kept[k] = g->e.target->conceal(g->e.b, *kept[k]);
    if (g->e.copies)
        g->e.target->copy_wait(g->e.b, g->p->ahead - 1);
    sync_rows(g);
    for (int u = 0; u < g->U; u++)
        gen_split(&g->e, sg_load_vector(g, sg_pointer(g, sg_ring_at(g, g->ring, i, u, 0))), g->W,
                  g->now[u]);
    sg_prefetch(g, i + g->p->ahead);
    for (int k = 0; k < 2; k++)
        g->held_at[k] = g->here[k];
    for (int t = 0; t < g->p->bt; t++) {
        g->level = t;
        g->pack = packing_of(g, t);
        g->slot = i;
        g->plane = gen_add32(&g->e, plane, -t * g->c->last);
        if (stores_older(g) && t + 1 == g->p->bt)
            store_plane(g, g->plane, g->older_out);
        sg_advance_level(g);
    }
    bool sinks = g->p->bt == 1; /* LLVM moves the computation down to the store */
    if (!sinks)
        finish_copy(g, i + g->p->ahead);
    store_plane(g, gen_add32(&g->e, plane, -g->p->bt * g->c->last), g->out);
    if (sg_reads_older(g))
        g->older_out = sg_next_plane(g, g->older_out);
    g->out = sg_next_plane(g, g->out);
    for (int k = 0; k < 2 && g->mode == LOADED; k++)
        g->here[k] = sg_next_plane(g, g->here[k]);
    if (sinks)
        finish_copy(g, i + g->p->ahead);
}

/* The loop */

typedef void visit(stream *g, LLVMValueRef *slot, LLVMTypeRef type, void *context);

static LLVMTypeRef carried_type(stream *g, int32_t n) {
    bool packed = g->pack->nodes[n].bits < PK_CELL;
    return packed ? g->word : gen_type(&g->e, (st_type)g->s->nodes[n].type);
}

/* Every value carried around the loop, in one order. */
static void visit_state(stream *g, visit *f, void *context) {
    for (int t = 0; t < g->p->bt; t++) {
        level_state *l = &g->levels[t];
        g->pack = packing_of(g, t);
        for (int i = 0; i < sg_planes_kept(g); i++)
            for (int u = 0; u < g->U; u++)
                for (int k = 0; k < g->W; k++)
                    f(g, &l->kept[i][u][k], g->word, context);
        for (size_t n = 0; n < g->s->nnodes; n++)
            for (int a = 0; a < g->c->age[n]; a++)
                for (int u = 0; u < g->U; u++)
                    for (int k = 0; k < sg_values(g, (int32_t)n); k++)
                        f(g, &l->carried[n][a][u][k], carried_type(g, (int32_t)n), context);
    }
}

typedef struct phis {
    LLVMValueRef *list;
    size_t count, next;
    LLVMBasicBlockRef from;
} phis;

static void count_value(stream *g, LLVMValueRef *slot, LLVMTypeRef type, void *context) {
    (void)g;
    (void)slot;
    (void)type;
    ((phis *)context)->count++;
}

/* Before the first plane everything is zero: results that depend on it are not stored. */
static void make_phi(stream *g, LLVMValueRef *slot, LLVMTypeRef type, void *context) {
    phis *p = context;
    LLVMValueRef zero = LLVMConstNull(type);
    LLVMValueRef phi = LLVMBuildPhi(g->e.b, type, "");
    LLVMAddIncoming(phi, &zero, &p->from, 1);
    p->list[p->next++] = phi;
    *slot = phi;
}

static void close_phi(stream *g, LLVMValueRef *slot, LLVMTypeRef type, void *context) {
    phis *p = context;
    (void)g;
    (void)type;
    LLVMAddIncoming(p->list[p->next++], slot, &p->from, 1);
}

/* The pointers that move along, as an array of slots; how many there are. */
static int pointers(stream *g, LLVMValueRef *slots[4]) {
    slots[0] = &g->ahead;
    slots[1] = &g->out;
    slots[2] = sg_reads_older(g) ? &g->older_ahead : &g->here[0];
    slots[3] = sg_reads_older(g) ? &g->older_out : &g->here[1];
    return g->mode == LOADED || sg_reads_older(g) ? 4 : 2;
}

static LLVMValueRef point_at(stream *g, stencilrt_parameter_kind kind, LLVMValueRef plane,
                             LLVMValueRef column) {
    LLVMValueRef i = LLVMBuildMul(g->e.b, gen_extend(&g->e, plane), sg_plane_stride(g), "");
    i = LLVMBuildAdd(g->e.b, i, column, "");
    LLVMTypeRef device = LLVMPointerTypeInContext(g->e.context, g->e.target->device_space);
    LLVMValueRef p = sg_moving(g, kind);
    return sg_at(g, LLVMBuildAddrSpaceCast(g->e.b, p, device, ""), i);
}

static void place_pointers(stream *g, LLVMValueRef first) {
    g->ahead = point_at(g, STENCILRT_ARG_SRC, gen_add32(&g->e, first, -g->p->lag), g->loaded);
    g->out =
        point_at(g, STENCILRT_ARG_DST, gen_add32(&g->e, first, -g->p->bt * g->c->last), g->column);
    if (sg_reads_older(g)) {
        LLVMValueRef older = gen_add32(&g->e, first, -g->p->lag - g->c->older_phase);
        g->older_ahead = point_at(g, STENCILRT_ARG_OLDER_SRC, older, g->loaded);
        LLVMValueRef below = gen_add32(&g->e, first, (1 - g->p->bt) * g->c->last);
        g->older_out = point_at(g, STENCILRT_ARG_OLDER_DST, below, g->column);
    }
    g->here[0] = point_at(g, STENCILRT_ARG_SRC, first, g->column);
    g->here[1] = point_at(g, sg_reads_older(g) ? STENCILRT_ARG_OLDER_SRC : STENCILRT_ARG_OTHER,
                          first, g->column);
    g->back = LLVMBuildMul(g->e.b, sg_plane_stride(g), gen_int64(&g->e, -g->c->last), "");
}

/* The planes of an iteration. Loops are unrolled until all names of registers repeat. This is not
 * done where the work for the boundary would take more registers than the inner loop: there values
 * are shifted. In 3-D half of the tiles may touch the boundary; there values are shifted only if
 * the boundary must be loaded. */
static int unrolled(const stream *g) {
    bool shift = g->mode == LOADED || (g->mode == HELD && g->stream_dim == 1);
    return shift ? 1 : g->p->unroll;
}

/* Prefetches the planes that arrive before the loop's own prefetches do. Two planes take turns in
 * registers only if an iteration has an even number of planes. Otherwise they would be moved to
 * other registers, and a move waits for the load. */
static void start_ring(stream *g) {
    for (int i = -g->p->lag; i < g->p->ahead; i++) {
        sg_prefetch(g, i);
        sg_let_wait(g);
        sg_store_waiting(g, i);
    }
    g->waits = g->e.copies ? 0 : g->p->waits > 1 && unrolled(g) % 2 == 0 ? 2 : 1;
    if (g->waits > 1) {
        sg_prefetch(g, g->p->ahead);
        sg_let_wait(g);
    }
}

static void make_loop(stream *g, loop_mode mode, LLVMBasicBlockRef start, LLVMBasicBlockRef done) {
    static const char *const names[] = {"inner", "border.held", "border.loaded"};
    LLVMBasicBlockRef body = gen_add_block(g->function, names[mode]);
    phis p = {NULL, 0, 0, NULL};
    LLVMValueRef ring = g->ring, older_ring = g->older_ring, exchange = g->exchange;
    g->mode = mode;
    LLVMPositionBuilderAtEnd(g->e.b, start);
    LLVMValueRef first = gen_add32(&g->e, g->chunk0, -g->p->lead);
    LLVMValueRef end = gen_add32(&g->e, g->chunk1, g->p->overlap - g->p->lead);
    g->turn = NULL;
    place_pointers(g, first);
    start_ring(g);
    start = LLVMGetInsertBlock(g->e.b);
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
        moved[i] = LLVMBuildPhi(g->e.b, LLVMTypeOf(*moving[i]), "");
        LLVMAddIncoming(moved[i], moving[i], &start, 1);
        *moving[i] = moved[i];
    }
    sg_open_waiting(g, start);
    visit_state(g, make_phi, &p);
    for (int i = 0; i < step; i++)
        arrive(g, plane, i);
    LLVMBasicBlockRef latch = LLVMGetInsertBlock(g->e.b);
    LLVMValueRef next = gen_add32(&g->e, plane, step);
    if (g->turn) {
        LLVMValueRef turned = gen_add32(&g->e, g->turn, step);
        LLVMAddIncoming(g->turn, &turned, &latch, 1);
    }
    LLVMBuildCondBr(g->e.b, gen_less(&g->e, next, end), body, done);
    LLVMAddIncoming(plane, &next, &latch, 1);
    for (int i = 0; i < npointers; i++)
        LLVMAddIncoming(moved[i], moving[i], &latch, 1);
    sg_close_waiting(g, latch);
    p.next = 0;
    p.from = latch;
    visit_state(g, close_phi, &p);
    free(p.list);
    g->ring = ring;
    g->older_ring = older_ring;
    g->exchange = exchange;
}

/* Set-up */

static LLVMValueRef column_of(stream *g, LLVMValueRef x, LLVMValueRef y) {
    LLVMValueRef i = gen_extend(&g->e, x);
    if (g->stream_dim == 2)
        i = LLVMBuildAdd(g->e.b, i, LLVMBuildMul(g->e.b, gen_extend(&g->e, y), g->stride[0], ""),
                         "");
    return i;
}

static void locate(stream *g) {
    LLVMBuilderRef b = g->e.b;
    const st_kernel *p = g->p;
    LLVMTypeRef i32 = gen_i32(&g->e);
    LLVMValueRef thread = tg_launch(b, TG_THREAD, 0), tile = tg_launch(b, TG_BLOCK, 0);
    for (int d = 0; d < g->s->rank; d++)
        g->extent[d] = LLVMBuildTrunc(b, sg_extent(g, d), i32, "");
    for (int d = 1; d < g->s->rank; d++)
        g->stride[d - 1] = sg_stride_of(g, g->s->store_grid, d);
    sg_find_lane(g, thread);
    if (g->stream_dim == 1)
        tile = LLVMBuildAdd(b, LLVMBuildMul(b, tile, gen_int32(&g->e, p->warps), ""), g->warp, "");
    LLVMValueRef x = LLVMBuildMul(b, tile, gen_int32(&g->e, p->tile[0]), "");
    x = LLVMBuildAdd(b, x, LLVMBuildMul(b, g->lane, gen_int32(&g->e, g->V), ""), "");
    g->x0 = gen_add32(&g->e, x, -p->halo[0]);
    g->y0 = gen_int32(&g->e, 0);
    if (g->stream_dim == 2) {
        LLVMValueRef y =
            LLVMBuildMul(b, tg_launch(b, TG_BLOCK, 1), gen_int32(&g->e, p->tile[1]), "");
        y = LLVMBuildAdd(b, y, LLVMBuildMul(b, g->warp, gen_int32(&g->e, g->U), ""), "");
        g->y0 = gen_add32(&g->e, y, -p->halo[1]);
    }
    LLVMValueRef chunk = LLVMBuildTrunc(b, sg_chunk(g), i32, "");
    /* The last chunk first: its tiles touch the boundary and take longest, so they must not be what
     * all wait for at the end. The first chunk, like it, comes next. */
    LLVMValueRef number = tg_launch(b, TG_BLOCK, g->stream_dim);
    LLVMValueRef chunks = tg_launch(b, TG_BLOCK_COUNT, g->stream_dim);
    LLVMValueRef leads = LLVMBuildICmp(b, LLVMIntEQ, number, gen_int32(&g->e, 0), "");
    number =
        LLVMBuildSub(b, LLVMBuildSelect(b, leads, chunks, number, ""), gen_int32(&g->e, 1), "");
    g->chunk0 = LLVMBuildAdd(b, LLVMBuildTrunc(b, sg_first(g), i32, ""),
                             LLVMBuildMul(b, number, chunk, ""), "");
    g->chunk1 = gen_smaller(&g->e, LLVMBuildAdd(b, g->chunk0, chunk, ""), g->extent[g->stream_dim]);
    g->column = column_of(g, g->x0, g->y0);
    LLVMValueRef x_end = gen_add32(&g->e, g->extent[0], g->c->radius[0] + PLAN_LOAD_UNIT - 1);
    x_end = LLVMBuildAnd(b, x_end, gen_int32(&g->e, -PLAN_LOAD_UNIT), "");
    LLVMValueRef y_end = gen_add32(&g->e, g->extent[1], g->c->radius[1]);
    g->loaded = column_of(g, gen_smaller(&g->e, g->x0, x_end), gen_smaller(&g->e, g->y0, y_end));
    int margin = sg_margin_vectors(g);
    if (margin) {
        LLVMValueRef left = gen_less(&g->e, g->lane, gen_int32(&g->e, margin));
        LLVMValueRef right = gen_less(&g->e, gen_int32(&g->e, g->p->lanes - 1 - margin), g->lane);
        g->edge = LLVMBuildOr(b, left, right, "");
        g->edge_step =
            LLVMBuildSelect(b, left, gen_int32(&g->e, -margin), gen_int32(&g->e, margin), "");
    }
    sg_place_scratchpad(g);
}

static LLVMValueRef out_of(stream *g, LLVMValueRef c, int d) {
    return LLVMBuildOr(g->e.b, gen_less(&g->e, c, gen_int32(&g->e, 0)),
                       LLVMBuildNot(g->e.b, gen_less(&g->e, c, g->extent[d]), ""), "");
}

/* A bit for each of the thread's cells whose x or y is outside the domain. */
static LLVMValueRef mark_outside(stream *g) {
    LLVMValueRef mask = gen_int32(&g->e, 0);
    for (int u = 0; u < g->U; u++)
        for (int k = 0; k < g->V; k++) {
            LLVMValueRef out = out_of(g, gen_add32(&g->e, g->x0, k), 0);
            LLVMValueRef bit = gen_int32(&g->e, (int32_t)(1u << (u * g->V + k)));
            if (g->stream_dim == 2)
                out = LLVMBuildOr(g->e.b, out, out_of(g, gen_add32(&g->e, g->y0, u), 1), "");
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
                 touches = gen_less(&g->e, gen_add32(&g->e, g->chunk0, inner * g->c->least), zero);
    LLVMValueRef last = gen_add32(&g->e, g->chunk1, inner * g->c->greatest);
    touches = LLVMBuildOr(b, touches, gen_less(&g->e, g->extent[g->stream_dim], last), "");
    LLVMValueRef lane = LLVMBuildMul(b, g->lane, gen_int32(&g->e, g->V), "");
    LLVMValueRef row = LLVMBuildMul(b, g->warp, gen_int32(&g->e, g->U), "");
    for (int d = 0; d < g->stream_dim; d++) {
        LLVMValueRef start = LLVMBuildSub(b, d ? g->y0 : g->x0, d ? row : lane, "");
        int length = p->tile[d] + 2 * p->halo[d];
        touches = LLVMBuildOr(b, touches, gen_less(&g->e, start, zero), "");
        touches = LLVMBuildOr(b, touches,
                              gen_less(&g->e, g->extent[d], gen_add32(&g->e, start, length)), "");
    }
    return touches;
}

/* Exchanged rows are read before the first is written, and by the outermost warps beyond the
 * block. */
static void clear_exchange(stream *g) {
    LLVMValueRef zero[PLAN_STREAM_CELLS];
    for (int k = 0; k < g->W; k++)
        zero[k] = LLVMConstNull(g->word);
    for (int warp = -1; warp <= 1 && sg_exchange_depth(g); warp++) {
        LLVMValueRef end = gen_int32(&g->e, warp < 0 ? 0 : g->p->warps - 1);
        LLVMValueRef at_end = LLVMBuildICmp(g->e.b, LLVMIntEQ, g->warp, end, "");
        LLVMValueRef always = LLVMConstInt(LLVMTypeOf(at_end), 1, false);
        LLVMBasicBlockRef next =
            gen_begin_if(&g->e, g->function, warp ? at_end : always, "clear", "cleared");
        for (int slot = 0; slot < sg_exchange_depth(g); slot++)
            for (int t = 1; t < g->p->bt; t++)
                for (int u = 0; u < g->U; u++)
                    if (sg_gives_row(g, u))
                        sg_store_vector(g, zero,
                                        sg_pointer(g, sg_exchange_at(g, slot, t, warp, u)));
        gen_end_if(&g->e, next);
    }
}

static void allocate_state(stream *g) {
    size_t nodes = g->s->nnodes, phases = (size_t)sch_phases(g->c);
    size_t rows = (size_t)(g->U + 2 * g->c->radius[1]);
    g->levels = calloc((size_t)g->p->bt, sizeof *g->levels);
    for (int t = 0; t < g->p->bt; t++) {
        g->levels[t].kept = calloc((size_t)(sch_kept(g->c) + g->c->last) + 1, sizeof(cells));
        g->levels[t].carried = calloc(nodes, sizeof(cells *));
        for (size_t n = 0; n < nodes; n++)
            if (g->c->age[n])
                g->levels[t].carried[n] = calloc((size_t)g->c->age[n], sizeof(cells));
    }
    g->rows = calloc(nodes * phases, sizeof *g->rows);
    g->memo = calloc(nodes * phases * (size_t)(g->U * g->V), sizeof *g->memo);
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
    free(g->rows);
    free(g->memo);
    free(g->shuffled);
}

static void make_border_loops(stream *g, LLVMBasicBlockRef done) {
    LLVMBasicBlockRef held = gen_add_block(g->function, "held.start"), loaded;
    if (sg_reads_older(g) || g->s->one_halo) {
        LLVMBuildBr(g->e.b, held);
        make_loop(g, HELD, held, done);
        return;
    }
    loaded = gen_add_block(g->function, "loaded.start");
    LLVMValueRef same = LLVMBuildICmp(g->e.b, LLVMIntEQ, sg_moving(g, STENCILRT_ARG_SRC),
                                      sg_moving(g, STENCILRT_ARG_OTHER), "");
    LLVMBuildCondBr(g->e.b, same, held, loaded);
    make_loop(g, HELD, held, done);
    make_loop(g, LOADED, loaded, done);
}

void gen_stream_kernel(const gen_expr *e, const st_stencil *s, const st_kernel *p) {
    stream *g = calloc(1, sizeof *g); /* too large for the stack of a small thread */
    g->e = *e;
    g->s = s;
    g->p = p;
    g->V = p->cells;
    g->U = p->rows;
    g->stream_dim = s->rank - 1;
    g->c = sch_create(s, s->rank == 3);
    g->type = s->grids[s->store_grid].type;
    g->element = gen_type(e, g->type);
    sg_choose_packing(g);
    g->settled = p->packed ? pk_create(s, pk_greatest(s, g->full)) : pk_create_single(s);
    g->nports = st_ports(s, g->ports);
    sg_create_function(g);
    allocate_state(g);
    LLVMBasicBlockRef entry = gen_add_block(g->function, "entry"),
                      work = gen_add_block(g->function, "work");
    LLVMBasicBlockRef done = gen_add_block(g->function, "done");
    g->scratchpad = gen_scratchpad(&g->e);
    LLVMPositionBuilderAtEnd(e->b, entry);
    locate(g);
    /* In 2-D whole warps may have nothing to do; in 3-D no block has. */
    LLVMValueRef lane = LLVMBuildMul(e->b, g->lane, gen_int32(e, g->V), "");
    LLVMValueRef left = gen_add32(&g->e, LLVMBuildSub(e->b, g->x0, lane, ""), p->halo[0]);
    LLVMBuildCondBr(e->b, gen_less(&g->e, left, g->extent[0]), work, done);
    LLVMPositionBuilderAtEnd(e->b, work);
    clear_exchange(g);
    if (p->bt == 1) {
        make_loop(g, INNER, work, done);
    } else {
        LLVMBasicBlockRef inner = gen_add_block(g->function, "inner.start"),
                          border = gen_add_block(g->function, "border");
        LLVMBuildCondBr(e->b, touches_border(g), border, inner);
        make_loop(g, INNER, inner, done);
        LLVMPositionBuilderAtEnd(e->b, border);
        g->outside = mark_outside(g);
        make_border_loops(g, done);
    }
    LLVMPositionBuilderAtEnd(e->b, done);
    LLVMBuildRetVoid(e->b);
    release_state(g);
    pk_destroy(g->full);
    pk_destroy(g->settled);
    sch_destroy(g->c);
    free(g);
}
