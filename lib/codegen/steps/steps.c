/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Blocking of whole time steps: one launch makes bT steps of all their sweeps.
 *
 * A warp is a tile of 32 V columns; rows stream by. A level is a whole step. When a row of all
 * arrays arrives at level 0, each sweep makes its own row, as many rows behind as its lag says
 * (model/dependences.c). All arrays leave the level at the greatest lag, as a row of the next
 * level. Rows that a sweep reads later are kept in registers. The loop is unrolled by two rows
 * where a row is kept for one more: then the names of registers repeat, and the loop's phis only
 * rename. It is not unrolled further, because the body has all levels and sweeps, and longer loops
 * run from a slower cache.
 *
 * Neighbours along x are in the lane's own registers, or come by a shuffle. The tile shrinks with
 * each step. Only cells that are right after the last step are stored. Results go to other arrays
 * than the source, because tiles overlap.
 *
 * Rows of level 0 are prefetched into a ring in scratchpad by asynchronous copies. A target without
 * such copies keeps them in registers. A lane reads back what it copied itself, so no lane waits
 * for another.
 *
 * Arrays that the step only reads are loaded where they are read, on each level. In 2-D the planner
 * may ask that their rows are copied to scratchpad once, ahead of the stream. These rows stay there
 * until the last level has read them. Loads on each level come from the second cache; on an H200
 * a wave with two coefficient grids went from 796 to 1199 GCell-steps/s without them.
 *
 * In 1-D there is one row, and no stream. A warp loads its tile, makes all levels, and stores what
 * is right. It keeps no row, so that a lane may have many cells. Tiles at the ends, and those with
 * a cell at a place that the program computes, have code of their own with tests.
 *
 * In 3-D planes stream by, and "row" above means a plane. The warps of a block lie along y, and a
 * thread has U rows. The rows beside these belong to other warps. Warps give each other rows of
 * versions 0 through scratchpad, a plane later; one barrier a plane serves all levels. What sweeps
 * make of such rows, each warp computes itself.
 *
 * Cells outside a sweep's domain keep the version before. The loops in steps/loops.c test for these
 * cells only where there may be some.
 *
 * Blocks with a cell at a place that the program computes, u[i0][j0], test the rows that arrive
 * while some level makes that cell, and no others.
 *
 * If an index is brought back near a face (clamped, mirrored), the cell that is read is near that
 * face as well. Border loops choose between reads at a few distances, by the cell's own distance
 * from the face. No cell outside is read then, on any level.
 *
 * If indices are periodic, there is no face. Tiles and chunks at either side extend beyond the box,
 * with the cells of the opposite side. For level 0 these cells are loaded, row by row, and in
 * border tiles cell by cell. On all other levels they are computed like the cells inside; corners
 * need nothing more. What else depends on a cell's place (its coordinates, arrays that are only
 * read) uses the place inside. The box is at least as wide as the halo of all steps; the runtime
 * checks that. So an index is brought back by one extent at most.
 */
#include "codegen/steps/steps.h"

#include "model/number.h"
#include <stdlib.h>

static LLVMValueRef launch32(steps *g, tg_launch_value value, int d) {
    return g->e.target->launch(g->e.b, value, d);
}

/* The numbers of the block's strip and chunk, and the rows of a chunk. */
typedef struct tile {
    LLVMValueRef strip, chunk, rows;
} tile;

/* Into how many parts chunks of the first and the last strip are cut, `outer` strips: a launch has
 * one more column of blocks for each further part of each of them. */
static LLVMValueRef count_parts(steps *g, LLVMValueRef columns, LLVMValueRef strips,
                                LLVMValueRef outer) {
    LLVMValueRef more = LLVMBuildSub(g->e.b, columns, strips, "");
    return gen_add32(&g->e, LLVMBuildUDiv(g->e.b, more, outer, ""), 1);
}

/* The first and the last strip come first, because their loop is slower. */
static tile choose_tile(steps *g) {
    LLVMBuilderRef b = g->e.b;
    LLVMValueRef columns = launch32(g, TG_BLOCK_COUNT, 0), chunks = launch32(g, TG_BLOCK_COUNT, 1);
    LLVMValueRef id = LLVMBuildMul(b, launch32(g, TG_BLOCK, 1), columns, "");
    id = LLVMBuildAdd(b, id, launch32(g, TG_BLOCK, 0), "");
    LLVMValueRef one = gen_int32(&g->e, 1), two = gen_int32(&g->e, 2);
    LLVMValueRef strips = LLVMBuildUDiv(b, gen_add32(&g->e, g->extent[0], g->p->tile[0] - 1),
                                        gen_int32(&g->e, g->p->tile[0]), "");
    LLVMValueRef rows = LLVMBuildTrunc(b, ws_chunk(g), gen_i32(&g->e), "");
    LLVMValueRef many = gen_less(&g->e, two, strips);
    LLVMValueRef outer = LLVMBuildSelect(b, many, two, strips, "");
    LLVMValueRef parts = count_parts(g, columns, strips, outer);
    LLVMValueRef border = LLVMBuildMul(b, LLVMBuildMul(b, outer, chunks, ""), parts, "");
    LLVMValueRef part = LLVMBuildSub(b, LLVMBuildAdd(b, rows, parts, ""), one, "");
    part = LLVMBuildUDiv(b, part, parts, "");
    LLVMValueRef first = gen_less(&g->e, id, border);
    LLVMValueRef rest = LLVMBuildSelect(b, many, LLVMBuildSub(b, strips, two, ""), one, "");
    LLVMValueRef n = LLVMBuildSelect(b, first, id, LLVMBuildSub(b, id, border, ""), "");
    LLVMValueRef by = LLVMBuildSelect(b, first, outer, rest, "");
    LLVMValueRef chunk = LLVMBuildUDiv(b, n, by, "");
    LLVMValueRef strip = LLVMBuildSub(b, n, LLVMBuildMul(b, chunk, by, ""), "");
    LLVMValueRef last = LLVMBuildSub(b, strips, one, "");
    LLVMValueRef at_low = LLVMBuildICmp(b, LLVMIntEQ, strip, gen_int32(&g->e, 0), "");
    LLVMValueRef outermost = LLVMBuildSelect(b, at_low, strip, last, "");
    strip = LLVMBuildSelect(b, first, outermost, LLVMBuildAdd(b, strip, one, ""), "");
    return (tile){strip, chunk, LLVMBuildSelect(b, first, part, rows, "")};
}

/* In 3-D: blocks along x and y are tiles, those along z chunks. */
static tile choose_box(steps *g) {
    LLVMValueRef rows = LLVMBuildTrunc(g->e.b, ws_chunk(g), gen_i32(&g->e), "");
    return (tile){launch32(g, TG_BLOCK, 0), launch32(g, TG_BLOCK, 2), rows};
}

/* In 1-D: a block is a tile of the one row. */
static tile choose_part(steps *g) {
    return (tile){launch32(g, TG_BLOCK, 0), gen_int32(&g->e, 0), gen_int32(&g->e, 1)};
}

/* From the block's first row to the thread's, in 3-D. */
static void locate_thread(steps *g) {
    LLVMBuilderRef b = g->e.b;
    int lanes = g->p->lanes, halo = g->p->halo[1];
    LLVMValueRef zero = gen_int32(&g->e, 0), last = gen_int32(&g->e, g->p->warps - 1);
    g->thread = launch32(g, TG_THREAD, 0);
    g->lane = LLVMBuildAnd(b, g->thread, gen_int32(&g->e, lanes - 1), "");
    LLVMValueRef warp = LLVMBuildLShr(b, g->thread, gen_int32(&g->e, lanes == 64 ? 6 : 5), "");
    warp = tg_uniform(b, warp, lanes);
    LLVMValueRef below = gen_greater(&g->e, gen_add32(&g->e, warp, -1), zero),
                 above = gen_add32(&g->e, warp, 1);
    above = gen_smaller(&g->e, last, above);
    g->beside[0] = LLVMBuildAdd(b, gen_times32(&g->e, below, lanes), g->lane, "");
    g->beside[1] = LLVMBuildAdd(b, gen_times32(&g->e, above, lanes), g->lane, "");
    LLVMValueRef row = gen_times32(&g->e, warp, g->U);
    g->y0 = LLVMBuildAdd(b, g->y0, row, "");
    g->stored_rows = zero;
    for (int u = 0; u < g->U; u++) {
        LLVMValueRef in = LLVMBuildICmp(b, LLVMIntULT, gen_add32(&g->e, row, u - halo),
                                        gen_int32(&g->e, g->p->tile[1]), "");
        in = LLVMBuildAnd(b, in, gen_less(&g->e, gen_add32(&g->e, g->y0, u), g->extent[1]), "");
        LLVMValueRef bit = gen_bit_if(&g->e, in, u);
        g->stored_rows = LLVMBuildOr(b, g->stored_rows, bit, "");
    }
}

static void locate(steps *g) {
    LLVMBuilderRef b = g->e.b;
    bool flat = g->step->rank == 1;
    g->extent[1] = gen_int32(&g->e, 1);
    for (int d = 0; d < g->step->rank; d++)
        g->extent[d] = LLVMBuildTrunc(b, ws_extent(g, d), gen_i32(&g->e), "");
    tile t = flat ? choose_part(g) : g->stream < 2 ? choose_tile(g) : choose_box(g);
    if (g->stream < 2)
        g->thread = g->lane = g->e.target->lane(b, g->p->lanes);
    g->chunk0 = LLVMBuildMul(b, t.chunk, t.rows, "");
    LLVMValueRef end = LLVMBuildAdd(b, g->chunk0, t.rows, "");
    g->chunk1 = gen_smaller(&g->e, end, g->extent[g->stream]);
    g->x0 = gen_add32(&g->e, gen_times32(&g->e, t.strip, g->p->tile[0]), -g->p->halo[0]);
    if (g->stream == 2)
        g->y0 = gen_add32(&g->e, gen_times32(&g->e, launch32(g, TG_BLOCK, 1), g->p->tile[1]),
                          -g->p->halo[1]);
}

/* Is the tile near the ends of a domain along d? `first`: its first column or row. */
static LLVMValueRef touches_end(steps *g, int d, LLVMValueRef first, int cells) {
    ws_bounds c = ws_find_bounds(g, d);
    LLVMValueRef end = gen_add32(&g->e, g->extent[d], -c.high);
    LLVMValueRef low = gen_less(&g->e, first, gen_int32(&g->e, c.low));
    LLVMValueRef high = gen_less(&g->e, end, gen_add32(&g->e, first, cells));
    return LLVMBuildOr(g->e.b, low, high, "");
}

/* x0 and y0 are the tile's. */
static LLVMValueRef touches_border(steps *g) {
    LLVMValueRef touches = touches_end(g, 0, g->x0, g->p->lanes * g->V);
    if (g->stream < 2)
        return touches;
    LLVMValueRef y = touches_end(g, 1, g->y0, g->p->warps * g->U);
    return LLVMBuildOr(g->e.b, touches, y, "");
}

/* i1: is the sweep's place among cells that the block computes? x0 and y0 are the tile's. */
static LLVMValueRef has_place_of(steps *g, const st_sweep *w) {
    LLVMBuilderRef b = g->e.b;
    LLVMValueRef all = NULL;
    for (int d = 0; d < g->step->rank; d++) {
        if (!(w->at_place >> d & 1))
            continue;
        LLVMValueRef first = d == g->stream ? gen_add32(&g->e, g->chunk0, -g->p->overlap)
                             : d == 0       ? g->x0
                                            : g->y0;
        LLVMValueRef end = d == g->stream ? gen_add32(&g->e, g->chunk1, g->p->overlap)
                           : d == 0       ? gen_add32(&g->e, first, g->p->lanes * g->V)
                                          : gen_add32(&g->e, first, g->p->warps * g->U);
        LLVMValueRef place = ws_place_of(g, w, d);
        LLVMValueRef in = LLVMBuildNot(b, gen_less(&g->e, place, first), "");
        in = LLVMBuildAnd(b, in, gen_less(&g->e, place, end), "");
        all = all ? LLVMBuildAnd(b, all, in, "") : in;
    }
    return all;
}

/* One more place, if the block has it. */
static void add_place(steps *g, const st_sweep *w, LLVMValueRef has) {
    LLVMBuilderRef b = g->e.b;
    bool more = g->has_place;
    g->has_place = more ? LLVMBuildOr(b, g->has_place, has, "") : has;
    if (g->step->rank == 1)
        return;
    LLVMValueRef place = ws_place_of(g, w, g->stream);
    LLVMValueRef first = LLVMBuildSelect(b, has, place, gen_int32(&g->e, INT32_MAX), "");
    LLVMValueRef last = LLVMBuildSelect(b, has, place, gen_int32(&g->e, INT32_MIN), "");
    g->first_place = more ? gen_smaller(&g->e, g->first_place, first) : first;
    g->last_place = more ? gen_greater(&g->e, g->last_place, last) : last;
}

static void find_places(steps *g) {
    for (size_t i = 0; i < g->step->nsweeps; i++) {
        const st_sweep *w = &g->step->sweeps[i];
        if (w->at_place)
            add_place(g, w, has_place_of(g, w));
    }
}

static void allocate(steps *g) {
    size_t nodes = 0;
    for (size_t v = 0; v < g->d.nversions; v++)
        g->first[v + 1] =
            g->first[v] + (ws_held(g, g->p->bt, (int32_t)v) + 1) * ws_rows(g, (int32_t)v);
    for (size_t w = 0; w < g->step->nsweeps; w++)
        nodes =
            g->step->sweeps[w].stencil->nnodes > nodes ? g->step->sweeps[w].stencil->nnodes : nodes;
    size_t row = (size_t)(g->first[g->d.nversions] * g->V);
    g->kept = calloc((size_t)(g->p->bt + 1) * row, sizeof *g->kept);
    g->shuffled = calloc(row * (2 * ST_MAX_RADIUS + 1), sizeof *g->shuffled);
    g->memo = calloc(nodes * (size_t)g->V, sizeof *g->memo);
    g->reduced = calloc((size_t)g->p->bt * ws_reduced_count(g->step) + 1, sizeof *g->reduced);
}

/* Which dimension's distance between neighbours all arrays that are written have. */
static LLVMValueRef common_stride(steps *g, int d) {
    size_t a = 0;
    while (a + 1 < g->step->narrays && !st_step_flows(g->step, (int32_t)a))
        a++;
    return ws_stride(g, a, d);
}

/* i1: has the block anything to do? */
static LLVMValueRef has_work(steps *g) {
    LLVMBuilderRef b = g->e.b;
    LLVMValueRef in = gen_less(&g->e, gen_add32(&g->e, g->x0, g->p->halo[0]), g->extent[0]);
    if (g->stream == 2)
        in = LLVMBuildAnd(
            b, in, gen_less(&g->e, gen_add32(&g->e, g->y0, g->p->halo[1]), g->extent[1]), "");
    return LLVMBuildAnd(b, in, gen_less(&g->e, g->chunk0, g->chunk1), "");
}

/* i1: may some row of the chunk be outside a sweep's domain, on some level? */
static LLVMValueRef touches_rows(steps *g) {
    ws_bounds y = ws_find_bounds(g, g->stream);
    int32_t halo[ST_MAX_RANK][2];
    st_step_halo(g->step, &g->d, g->p->bt, halo);
    LLVMValueRef first = gen_add32(&g->e, g->chunk0, -g->p->lead);
    LLVMValueRef last = gen_add32(&g->e, g->chunk1, halo[g->stream][1]);
    LLVMValueRef low = gen_less(&g->e, first, gen_int32(&g->e, y.low));
    LLVMValueRef high = gen_less(&g->e, gen_add32(&g->e, g->extent[g->stream], -y.high), last);
    return LLVMBuildOr(g->e.b, low, high, "");
}

/* Buffers that take turns may differ in cells that no step writes. Then blocks that have such cells
 * run a loop of their own, which loads them. It is apart from the loops for equal buffers, which it
 * would slow down: D2Q9 lost 14 % on an H200 by a branch a row and level. */
static void make_apart(steps *g, LLVMValueRef touches, LLVMBasicBlockRef done) {
    LLVMBuilderRef b = g->e.b;
    size_t a = 0;
    while (a < g->step->narrays && !st_step_alternates(g->step, (int32_t)a))
        a++;
    if (a == g->step->narrays)
        return;
    LLVMBasicBlockRef apart = gen_add_block(g->function, "apart"),
                      equal = gen_add_block(g->function, "equal");
    LLVMValueRef differ = LLVMBuildICmp(b, LLVMIntNE, ws_source(g, a), ws_other(g, a), "");
    bool round = st_step_wraps(g->step, g->stream);
    LLVMValueRef edge = round ? touches : LLVMBuildOr(b, touches, touches_rows(g), "");
    LLVMBuildCondBr(b, LLVMBuildAnd(b, differ, edge, ""), apart, equal);
    LLVMPositionBuilderAtEnd(b, apart);
    g->apart = true;
    ws_find_inside(g);
    ws_make_border(g, done);
    g->apart = false;
    LLVMPositionBuilderAtEnd(b, equal);
}

static void make_body(steps *g) {
    LLVMBuilderRef b = g->e.b;
    LLVMBasicBlockRef work = gen_add_block(g->function, "work"),
                      inner = gen_add_block(g->function, "inner"),
                      border = gen_add_block(g->function, "border"),
                      done = gen_add_block(g->function, "done");
    locate(g);
    g->stride = common_stride(g, g->stream);
    g->row_stride = g->stream == 2 ? common_stride(g, 1) : NULL;
    g->scratchpad = gen_scratchpad(&g->e);
    LLVMBuildCondBr(b, has_work(g), work, done);
    LLVMPositionBuilderAtEnd(b, work);
    LLVMValueRef touches = touches_border(g);
    find_places(g);
    if (g->step->rank == 1 && g->has_place)
        touches = LLVMBuildOr(b, touches, g->has_place, "");
    if (g->stream == 2)
        locate_thread(g);
    LLVMValueRef index = gen_widen(&g->e, gen_times32(&g->e, g->thread, 16));
    g->ring = gen_bytes_on(&g->e, g->scratchpad, index);
    g->x0 = LLVMBuildAdd(b, g->x0, gen_times32(&g->e, g->lane, g->V), "");
    ws_clear_given(g);
    make_apart(g, touches, done);
    LLVMBuildCondBr(b, touches, border, inner);
    LLVMPositionBuilderAtEnd(b, inner);
    if (g->has_place && g->step->rank > 1)
        ws_find_inside(g);
    ws_make_inner(g, done);
    LLVMPositionBuilderAtEnd(b, border);
    ws_find_inside(g);
    ws_make_border(g, done);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMBuildRetVoid(b);
}

/* Arrays whose rows stay. */
static void find_staying(steps *g) {
    for (size_t a = 0; a < g->step->narrays && g->copies && g->p->keep; a++) {
        int32_t least, most;
        g->stays[a] = st_step_stays(g->step, &g->d, (int32_t)a, g->V, &least, &most);
        if (!g->stays[a])
            continue;
        g->staying_bytes += g->V * (int)st_type_size(g->step->arrays[a].type) * g->threads;
        g->early = st_max32(g->early, -least);
        g->oldest = st_max32(g->oldest, most + (g->p->bt - 1) * g->d.lag);
    }
}

void gen_steps_kernel(const gen_expr *e, const st_step *step, const st_kernel *p) {
    steps *g = calloc(1, sizeof *g);
    g->e = *e;
    g->step = step;
    g->p = p;
    g->V = p->cells;
    g->U = p->rows;
    g->threads = p->lanes * p->warps;
    g->stream = st_step_stream(step);
    st_step_dependences(step, g->stream, &g->d);
    g->copies = p->waits == 0 && e->copies;
    g->waits = p->waits || g->copies ? p->waits : p->ahead > 1 && p->unroll % 2 == 0 ? 2 : 1;
    for (size_t a = 0; a < step->narrays; a++)
        g->arrives[a] = st_step_arrives(step, (int32_t)a);
    g->row_bytes = ws_row_bytes(g);
    find_staying(g);
    ws_place_given(g);
    allocate(g);
    g->function = gen_step_function(e, step, p);
    e->target->mark_kernel(g->function, e->arch, p->block, p->registers);
    ws_mark_parameters(g);
    LLVMPositionBuilderAtEnd(e->b, gen_add_block(g->function, "entry"));
    make_body(g);
    free(g->kept);
    free(g->shuffled);
    free(g->memo);
    free(g->reduced);
    free(g);
}
