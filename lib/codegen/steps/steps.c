/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Blocking of whole time steps: bT steps of all their sweeps in one launch.
 *
 * A warp is a tile of 32 V columns; rows stream by. A level is a whole step. When a row of all
 * arrays arrives at level 0, each sweep makes its own row, so many rows behind as its lag says
 * (model/dependences.c); all arrays leave the level at the greatest lag, as a row of the next one. Rows
 * that a sweep reads later are kept in registers. The loop is unrolled: where a row is kept for one
 * more, names come round every two rows, and the loop's phis only rename. It is not unrolled
 * further, for the body has all levels and sweeps, and longer loops run from a slower cache.
 *
 * Neighbours along x are in the lane's own registers or a shuffle away. The tile shrinks with each
 * step; only what is right after the last one is stored. Results go to other arrays than the
 * source, for tiles overlap.
 *
 * Rows of level 0 are prefetched into a ring in scratchpad by asynchronous copies; where there are
 * none, they wait in registers. A lane reads back what it copied itself, so no one waits.
 *
 * Arrays that the step only reads are loaded where they are read, at each level: the rows were read
 * by the level before, so they come from a cache.
 *
 * In 3-D planes stream by, and a row above is a plane. The warps of a block lie along y, a thread
 * has U rows. Rows beside these are other warps': of versions 0 they give them to each other,
 * through scratchpad, a plane later; a barrier a plane serves all levels. What sweeps make of them
 * each warp makes itself.
 *
 * Cells outside a sweep's domain keep the version before. Tiles of the first and last columns have
 * selects for domains along x; those in the middle have no trace of these. Either has two loops:
 * one with selects for the first and last rows, and one without. The state goes from one to the
 * other: with tests until all levels are inside, then without, then again with tests.
 *
 *     row = first; limit = s1
 *     tests:   while row < limit: row with tests
 *              if row >= end: done
 *              while row < s2: `unroll` rows without tests
 *              limit = end; goto tests
 *
 * Where an index is brought back near a face (clamped, mirrored), the cell that is read lies as
 * near: border loops choose between reads at a few distances, by the cell's own distance from the
 * face. No cell outside is read then, on any level.
 *
 * Where indices come round, there is no face. Tiles and chunks at either side begin and end outside
 * the box with the cells of the opposite side: these are loaded for level 0, row by row and in
 * border tiles cell by cell, and made on all others as those inside are; corners need nothing more.
 * What else depends on a cell's place (its coordinates, arrays that are only read) takes the place
 * inside. The box is as wide as the halo of all steps (the runtime sees to that), so that once
 * round is enough.
 *
 * Loops of the first and last columns are slower, and short rather than fast: where they and the
 * others run on a processor, their code shares its cache. These blocks come first in a launch, and
 * it waits for them: with tests of rows only where rows end, FDTD in float went from 1348 to 1506
 * GCell-steps/s on one H200. In 3-D, where that was not measured, one loop has all tests. Where
 * rows come round, one loop has none.
 */
#include "codegen/steps/steps.h"

#include "model/number.h"
#include <stdlib.h>
#include <string.h>

static LLVMValueRef greater32(steps *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildSelect(g->e.b, ws_less(g, a, b), b, a, "");
}

static LLVMValueRef times32(steps *g, LLVMValueRef a, int b) {
    return LLVMBuildMul(g->e.b, a, gen_int32(&g->e, b), "");
}

/* Where domains end: the first row or column that all sweeps but low layers have, and how far from
 * the end the last one is; `lagged`: at a time when all sweeps are there. */
typedef struct bounds {
    int low, high, low_lagged, high_lagged;
} bounds;

static bounds find_bounds(const steps *g, int d) {
    bounds found = {0, 0, 0, 0};
    for (size_t v = g->step->narrays; v < g->d.nversions; v++) {
        const st_sweep *w = &g->step->sweeps[g->d.versions[v].sweep];
        int lag = g->d.versions[v].lag;
        int shift = st_sweep_shift(w)[d];
        int low = (w->at_high >> d & 1 ? 0 : w->at_low >> d & 1 ? w->high[d] : w->low[d]) + shift;
        int high = (w->at_low >> d & 1 ? 0 : w->at_high >> d & 1 ? w->low[d] : w->high[d]) - shift;
        low += st_sweep_bends(w, d);
        high += st_sweep_bends(w, d);
        found.low = st_max32(found.low, low);
        found.high = st_max32(found.high, high);
        found.low_lagged = st_max32(found.low_lagged, low + lag);
        found.high_lagged = st_max32(found.high_lagged, high - lag);
    }
    return found;
}

/* The loops' state: a value after another. */

typedef struct state {
    LLVMValueRef *list;
    size_t count;
} state;

static void push(state *s, LLVMValueRef v) {
    s->list[s->count++] = v;
}

static size_t most_values(const steps *g) {
    return 8 + WS_MAX_WAITING * ST_MAX_ARRAYS * PLAN_STREAM_ROWS +
           (size_t)g->p->bt * ws_reduced_count(g->step) +
           (size_t)(g->p->bt * g->first[g->d.nversions] * g->V);
}

static void visit_version(steps *g, int level, size_t v, ws_visit *f, void *context) {
    const st_version *one = &g->d.versions[v];
    LLVMTypeRef type = gen_type(&g->e, g->step->arrays[one->array].type);
    for (int age = 1; age <= ws_held(g, level, (int32_t)v); age++)
        for (int u = -one->below; u < g->U + one->above; u++) {
            bool own = u >= 0 && u < g->U, made = v >= g->step->narrays;
            for (int k = 0; k < g->V && (own || (made && age <= one->beyond)); k++)
                f(g, &ws_kept(g, level, (int32_t)v, age, u)[k], type, context);
        }
}

static void visit_state(steps *g, ws_visit *f, void *context) {
    LLVMTypeRef i32 = gen_i32(&g->e), i64 = gen_i64(&g->e);
    f(g, &g->at.row, i32, context);
    if (g->copies)
        f(g, &g->at.turn, i32, context);
    f(g, &g->at.in, i64, context);
    f(g, &g->at.out, i64, context);
    if (g->given_slots)
        f(g, &g->at.give, i32, context);
    for (int i = 0; i < g->waits && !g->copies; i++)
        for (size_t a = 0; a < g->step->narrays; a++)
            for (int u = 0; u < g->U && g->arrives[a]; u++)
                f(g, &g->waiting[i][a][u], ws_vector(g, a), context);
    for (int t = 0; t < g->p->bt; t++)
        for (size_t v = 0; v < g->d.nversions; v++)
            visit_version(g, t, v, f, context);
    ws_visit_reduced(g, f, context);
}

static void make_phi(steps *g, LLVMValueRef *slot, LLVMTypeRef type, void *context) {
    *slot = LLVMBuildPhi(g->e.b, type, "");
    push(context, *slot);
}

static void save(steps *g, LLVMValueRef *slot, LLVMTypeRef type, void *context) {
    (void)g;
    (void)type;
    push(context, *slot);
}

static void load(steps *g, LLVMValueRef *slot, LLVMTypeRef type, void *context) {
    state *s = context;
    (void)g;
    (void)type;
    *slot = s->list[s->count++];
}

static state save_state(steps *g) {
    state s = {calloc(most_values(g), sizeof *s.list), 0};
    visit_state(g, save, &s);
    return s;
}

static state make_phis(steps *g) {
    state s = {calloc(most_values(g), sizeof *s.list), 0};
    visit_state(g, make_phi, &s);
    return s;
}

static void load_state(steps *g, state s) {
    s.count = 0;
    visit_state(g, load, &s);
}

/* The phis get the state in hand from here. */
static void add_state(steps *g, state phis) {
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->e.b);
    state now = save_state(g);
    for (size_t i = 0; i < now.count; i++)
        LLVMAddIncoming(phis.list[i], &now.list[i], &from, 1);
    free(now.list);
}

/* Loops */

static LLVMValueRef slot_at(steps *g, LLVMValueRef turn) {
    LLVMValueRef i = LLVMBuildZExt(g->e.b, turn, gen_i64(&g->e), "");
    return LLVMBuildGEP2(g->e.b, LLVMInt8TypeInContext(g->e.context), g->ring, &i, 1, "");
}

/* The slot before that of the iteration's first row, which is read no more. */
static LLVMValueRef slot_before(steps *g) {
    LLVMValueRef zero = gen_int32(&g->e, 0), last = gen_int32(&g->e, -g->row_bytes);
    last = LLVMBuildAdd(g->e.b, last, gen_int32(&g->e, g->p->depth * g->row_bytes), "");
    LLVMValueRef at_start = LLVMBuildICmp(g->e.b, LLVMIntEQ, g->at.turn, zero, "");
    LLVMValueRef before = ws_add32(g, g->at.turn, -g->row_bytes);
    return slot_at(g, LLVMBuildSelect(g->e.b, at_start, last, before, ""));
}

static bool loads_others(const steps *g) {
    for (size_t a = 0; a < g->step->narrays; a++)
        if (!st_step_flows(g->step, (int32_t)a))
            return true;
    return false;
}

/* Addresses are hidden from LLVM, which else has one run along for each array and level. */
static void conceal(steps *g, LLVMValueRef *v) {
    *v = g->e.target->conceal(g->e.b, *v);
}

/* Row number u of an iteration. */
static void arrive(steps *g, int u, LLVMValueRef slot, LLVMValueRef before) {
    conceal(g, &g->at.in);
    conceal(g, &g->at.out);
    if (loads_others(g) || g->mode.x || g->mode.y)
        conceal(g, &g->at.row);
    if (g->copies)
        g->e.target->copy_wait(g->e.b, g->p->depth - 2);
    ws_take_row(g, slot, u * g->row_bytes);
    LLVMValueRef next = ws_add32(g, g->at.row, g->copies ? g->p->depth - 1 : g->waits);
    ws_prefetch(g, next, u ? slot : before, u ? (u - 1) * g->row_bytes : 0);
    if (g->given_slots)
        tg_barrier(g->e.b);
    ws_advance(g);
    ws_store_row(g);
    ws_next_given(g);
    g->at.row = ws_add32(g, g->at.row, 1);
}

static void arrive_all(steps *g, int count) {
    LLVMValueRef slot = g->copies ? slot_at(g, g->at.turn) : NULL;
    LLVMValueRef before = g->copies ? slot_before(g) : NULL;
    for (int u = 0; u < count; u++)
        arrive(g, u, slot, before);
    if (!g->copies)
        return;
    LLVMValueRef next = ws_add32(g, g->at.turn, count * g->row_bytes);
    LLVMValueRef end = gen_int32(&g->e, g->p->depth * g->row_bytes);
    LLVMValueRef at_end = LLVMBuildICmp(g->e.b, LLVMIntEQ, next, end, "");
    g->at.turn = LLVMBuildSelect(g->e.b, at_end, gen_int32(&g->e, 0), next, "");
}

typedef struct range {
    LLVMValueRef first, tested, plain, end; /* rows: see the head of the file */
} range;

static LLVMValueRef round_up(steps *g, LLVMValueRef v, int unit) {
    v = LLVMBuildUDiv(g->e.b, ws_add32(g, v, unit - 1), gen_int32(&g->e, unit), "");
    return times32(g, v, unit);
}

/* Where rows come round, none is at a border. */
static range find_round(steps *g) {
    range r;
    r.first = r.tested = ws_add32(g, g->chunk0, -g->p->lead);
    r.end = r.plain = ws_add32(g, g->chunk1, g->p->overlap - g->p->lead);
    return r;
}

/* Rows that are no one's input are neither loaded nor tested. */
static range find_range(steps *g) {
    if (st_step_wraps(g->step, g->stream))
        return find_round(g);
    LLVMBuilderRef b = g->e.b;
    const st_kernel *p = g->p;
    bounds y = find_bounds(g, g->stream);
    int reach = g->d.halo[g->stream][0], unroll = p->unroll, after = p->overlap - p->lead;
    LLVMValueRef zero = gen_int32(&g->e, 0), end = g->extent[g->stream];
    range r;
    int32_t halo[ST_MAX_RANK][2];
    st_step_halo(g->step, &g->d, p->bt, halo);
    r.first = greater32(g, ws_add32(g, g->chunk0, -p->lead), gen_int32(&g->e, -reach));
    r.end = ws_add32(g, g->chunk1, after);
    LLVMValueRef inside = gen_int32(&g->e, (p->bt - 1) * g->d.lag + y.low_lagged);
    LLVMValueRef rows =
        round_up(g, greater32(g, LLVMBuildSub(b, inside, r.first, ""), zero), unroll);
    LLVMValueRef starts = ws_less(g, r.first, gen_int32(&g->e, y.low));
    r.tested = LLVMBuildAdd(b, r.first, LLVMBuildSelect(b, starts, rows, zero, ""), "");
    /* up to where no row at hand is past a domain; the chunk's end, if it needs none of these */
    LLVMValueRef last = ws_add32(g, end, -y.high_lagged);
    LLVMValueRef some = greater32(g, LLVMBuildSub(b, last, r.tested, ""), zero);
    some = LLVMBuildUDiv(b, some, gen_int32(&g->e, unroll), "");
    LLVMValueRef all = greater32(g, LLVMBuildSub(b, r.end, r.tested, ""), zero);
    LLVMValueRef ends =
        ws_less(g, ws_add32(g, end, -y.high), ws_add32(g, g->chunk1, halo[g->stream][1]));
    rows = LLVMBuildSelect(b, ends, times32(g, some, unroll), round_up(g, all, unroll), "");
    r.plain = LLVMBuildAdd(b, r.tested, rows, "");
    return r;
}

static LLVMValueRef element_of_row(steps *g, LLVMValueRef row) {
    LLVMValueRef i = LLVMBuildMul(g->e.b, ws_wide(g, row), g->stride, "");
    i = LLVMBuildAdd(g->e.b, i, ws_wide(g, g->x0), "");
    if (g->stream < 2)
        return i;
    LLVMValueRef y = LLVMBuildMul(g->e.b, ws_wide(g, g->y0), g->row_stride, "");
    return LLVMBuildAdd(g->e.b, i, y, "");
}

/* Nothing is kept yet: results that depend on it are not stored. */
static void clear_value(steps *g, LLVMValueRef *slot, LLVMTypeRef type, void *context) {
    (void)g;
    (void)context;
    *slot = LLVMConstNull(type);
}

/* The place in front of the first row, and the first rows on their way. */
static void start(steps *g, LLVMValueRef first) {
    visit_state(g, clear_value, NULL);
    ws_begin_reduced(g);
    g->at.row = first;
    g->at.in = element_of_row(g, first);
    g->at.out = element_of_row(g, ws_add32(g, first, -g->p->bt * g->d.lag));
    for (int i = 0; i < (g->copies ? g->p->depth - 1 : g->waits); i++) {
        for (int j = 0; !g->copies && j + 1 < g->waits; j++)
            memcpy(g->waiting[j], g->waiting[j + 1], sizeof g->waiting[j]);
        ws_prefetch(g, ws_add32(g, first, i), g->ring, i * g->row_bytes);
    }
}

/* A loop's head: the state comes from `before` and, once it is closed, from the latch. */
static state open_loop(steps *g, LLVMBasicBlockRef head) {
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->e.b);
    state before = save_state(g);
    LLVMBuildBr(g->e.b, head);
    LLVMPositionBuilderAtEnd(g->e.b, head);
    state phis = make_phis(g);
    for (size_t i = 0; i < phis.count; i++)
        LLVMAddIncoming(phis.list[i], &before.list[i], &from, 1);
    free(before.list);
    return phis;
}

static void close_loop(steps *g, state phis, LLVMBasicBlockRef head) {
    add_state(g, phis);
    LLVMBuildBr(g->e.b, head);
}

/* Behind a loop whose state the phis are. */
static void finish(steps *g, state phis, LLVMBasicBlockRef end, LLVMBasicBlockRef done) {
    LLVMPositionBuilderAtEnd(g->e.b, end);
    load_state(g, phis);
    ws_add_reduced(g);
    LLVMBuildBr(g->e.b, done);
}

/* One loop, with tests along x where `x` is, and along the stream where `y` is. */
static void make_loop(steps *g, bool x, bool y, int unroll, LLVMBasicBlockRef done) {
    LLVMBasicBlockRef head = ws_block(g, "all.rows"), body = ws_block(g, "all.row");
    range r = find_range(g);
    g->mode = (ws_mode){x, y};
    ws_find_reduced_cells(g);
    start(g, r.first);
    state phis = open_loop(g, head);
    LLVMBasicBlockRef end = ws_block(g, "all.rows.done");
    LLVMBuildCondBr(g->e.b, ws_less(g, g->at.row, r.end), body, end);
    LLVMPositionBuilderAtEnd(g->e.b, body);
    arrive_all(g, unroll);
    close_loop(g, phis, head);
    finish(g, phis, end, done);
    free(phis.list);
}

/* Two loops: with tests along the stream for the first and last rows, and without. */
static void make_two_loops(steps *g, bool x, int unroll, LLVMBasicBlockRef done) {
    LLVMBuilderRef b = g->e.b;
    range r = find_range(g);
    LLVMBasicBlockRef tests = ws_block(g, "tests"), test = ws_block(g, "test"),
                      tested = ws_block(g, "tested"), plain = ws_block(g, "plain"),
                      rows = ws_block(g, "rows"), again = ws_block(g, "again");
    g->mode = (ws_mode){x, true};
    ws_find_reduced_cells(g);
    start(g, r.first);
    LLVMBasicBlockRef entry = LLVMGetInsertBlock(b);
    state phis = open_loop(g, tests);
    LLVMValueRef limit = LLVMBuildPhi(b, gen_i32(&g->e), "limit");
    LLVMAddIncoming(limit, &r.tested, &entry, 1);
    LLVMBuildCondBr(b, ws_less(g, g->at.row, limit), test, tested);
    LLVMPositionBuilderAtEnd(b, test);
    arrive_all(g, 1);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
    LLVMAddIncoming(limit, &limit, &from, 1);
    close_loop(g, phis, tests);

    LLVMPositionBuilderAtEnd(b, tested);
    load_state(g, phis);
    LLVMBasicBlockRef more = ws_block(g, "more");
    LLVMBasicBlockRef end = ws_block(g, "end");
    LLVMBuildCondBr(b, ws_less(g, g->at.row, r.end), more, end);
    LLVMPositionBuilderAtEnd(b, more);
    state inner = open_loop(g, plain);
    LLVMBuildCondBr(b, ws_less(g, g->at.row, r.plain), rows, again);
    LLVMPositionBuilderAtEnd(b, rows);
    g->mode = (ws_mode){x, false};
    arrive_all(g, unroll);
    close_loop(g, inner, plain);

    LLVMPositionBuilderAtEnd(b, again);
    load_state(g, inner);
    LLVMAddIncoming(limit, &r.end, &again, 1);
    close_loop(g, phis, tests);
    finish(g, phis, end, done);
    free(phis.list);
    free(inner.list);
}

/* For the first and last columns; or those in the middle. */
static void make_border(steps *g, LLVMBasicBlockRef done) {
    if (st_step_wraps(g->step, g->stream))
        make_loop(g, true, false, 1, done);
    else if (g->stream == 2)
        make_loop(g, true, true, 1, done);
    else
        make_two_loops(g, true, 1, done);
}

static void make_inner(steps *g, LLVMBasicBlockRef done) {
    if (st_step_wraps(g->step, g->stream))
        make_loop(g, false, false, g->p->unroll, done);
    else
        make_two_loops(g, false, g->p->unroll, done);
}

/* Set-up */

static LLVMValueRef launch32(steps *g, tg_launch_value value, int d) {
    return g->e.target->launch(g->e.b, value, d);
}

/* The number of the block's strip and chunk, and how many rows a chunk has. The first strip and
 * the last one, whose loop is slower, come first; where a launch has a column of blocks for each
 * more than there are strips, with chunks of half the rows. */
typedef struct tile {
    LLVMValueRef strip, chunk, rows;
} tile;

static tile choose_tile(steps *g) {
    LLVMBuilderRef b = g->e.b;
    LLVMValueRef columns = launch32(g, TG_BLOCK_COUNT, 0), chunks = launch32(g, TG_BLOCK_COUNT, 1);
    LLVMValueRef id = LLVMBuildMul(b, launch32(g, TG_BLOCK, 1), columns, "");
    id = LLVMBuildAdd(b, id, launch32(g, TG_BLOCK, 0), "");
    LLVMValueRef one = gen_int32(&g->e, 1), two = gen_int32(&g->e, 2);
    LLVMValueRef strips = LLVMBuildUDiv(b, ws_add32(g, g->extent[0], g->p->tile[0] - 1),
                                        gen_int32(&g->e, g->p->tile[0]), "");
    LLVMValueRef rows = LLVMBuildTrunc(b, ws_chunk(g), gen_i32(&g->e), "");
    LLVMValueRef many = ws_less(g, two, strips), halves = ws_less(g, strips, columns);
    LLVMValueRef outer = LLVMBuildSelect(b, many, two, strips, "");
    LLVMValueRef border = LLVMBuildMul(b, outer, chunks, "");
    border = LLVMBuildSelect(b, halves, LLVMBuildMul(b, border, two, ""), border, "");
    LLVMValueRef half = LLVMBuildLShr(b, ws_add32(g, rows, 1), one, "");
    half = LLVMBuildSelect(b, halves, half, rows, "");
    LLVMValueRef first = ws_less(g, id, border);
    LLVMValueRef rest = LLVMBuildSelect(b, many, LLVMBuildSub(b, strips, two, ""), one, "");
    LLVMValueRef n = LLVMBuildSelect(b, first, id, LLVMBuildSub(b, id, border, ""), "");
    LLVMValueRef by = LLVMBuildSelect(b, first, outer, rest, "");
    LLVMValueRef chunk = LLVMBuildUDiv(b, n, by, "");
    LLVMValueRef strip = LLVMBuildSub(b, n, LLVMBuildMul(b, chunk, by, ""), "");
    LLVMValueRef last = LLVMBuildSub(b, strips, one, "");
    LLVMValueRef at_low = LLVMBuildICmp(b, LLVMIntEQ, strip, gen_int32(&g->e, 0), "");
    LLVMValueRef outermost = LLVMBuildSelect(b, at_low, strip, last, "");
    strip = LLVMBuildSelect(b, first, outermost, LLVMBuildAdd(b, strip, one, ""), "");
    return (tile){strip, chunk, LLVMBuildSelect(b, first, half, rows, "")};
}

/* In 3-D: blocks along x and y are tiles, those along z chunks. */
static tile choose_box(steps *g) {
    LLVMValueRef rows = LLVMBuildTrunc(g->e.b, ws_chunk(g), gen_i32(&g->e), "");
    return (tile){launch32(g, TG_BLOCK, 0), launch32(g, TG_BLOCK, 2), rows};
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
    LLVMValueRef below = greater32(g, ws_add32(g, warp, -1), zero), above = ws_add32(g, warp, 1);
    above = LLVMBuildSelect(b, ws_less(g, last, above), last, above, "");
    g->beside[0] = LLVMBuildAdd(b, times32(g, below, lanes), g->lane, "");
    g->beside[1] = LLVMBuildAdd(b, times32(g, above, lanes), g->lane, "");
    LLVMValueRef row = times32(g, warp, g->U);
    g->y0 = LLVMBuildAdd(b, g->y0, row, "");
    g->stored_rows = zero;
    for (int u = 0; u < g->U; u++) {
        LLVMValueRef in = LLVMBuildICmp(b, LLVMIntULT, ws_add32(g, row, u - halo),
                                        gen_int32(&g->e, g->p->tile[1]), "");
        in = LLVMBuildAnd(b, in, ws_less(g, ws_add32(g, g->y0, u), g->extent[1]), "");
        LLVMValueRef bit = LLVMBuildSelect(b, in, gen_int32(&g->e, 1 << u), zero, "");
        g->stored_rows = LLVMBuildOr(b, g->stored_rows, bit, "");
    }
}

static void locate(steps *g) {
    LLVMBuilderRef b = g->e.b;
    for (int d = 0; d < g->step->rank; d++)
        g->extent[d] = LLVMBuildTrunc(b, ws_extent(g, d), gen_i32(&g->e), "");
    tile t = g->stream < 2 ? choose_tile(g) : choose_box(g);
    if (g->stream < 2)
        g->thread = g->lane = g->e.target->lane(b, g->p->lanes);
    g->chunk0 = LLVMBuildMul(b, t.chunk, t.rows, "");
    LLVMValueRef end = LLVMBuildAdd(b, g->chunk0, t.rows, "");
    g->chunk1 =
        LLVMBuildSelect(b, ws_less(g, end, g->extent[g->stream]), end, g->extent[g->stream], "");
    g->x0 = ws_add32(g, times32(g, t.strip, g->p->tile[0]), -g->p->halo[0]);
    if (g->stream == 2)
        g->y0 = ws_add32(g, times32(g, launch32(g, TG_BLOCK, 1), g->p->tile[1]), -g->p->halo[1]);
}

/* Is the tile near the ends of a domain along d? `first`: its first column or row. */
static LLVMValueRef touches_end(steps *g, int d, LLVMValueRef first, int cells) {
    bounds c = find_bounds(g, d);
    LLVMValueRef end = ws_add32(g, g->extent[d], -c.high);
    LLVMValueRef low = ws_less(g, first, gen_int32(&g->e, c.low));
    LLVMValueRef high = ws_less(g, end, ws_add32(g, first, cells));
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
    LLVMValueRef in = ws_less(g, ws_add32(g, g->x0, g->p->halo[0]), g->extent[0]);
    if (g->stream == 2)
        in = LLVMBuildAnd(b, in, ws_less(g, ws_add32(g, g->y0, g->p->halo[1]), g->extent[1]), "");
    return LLVMBuildAnd(b, in, ws_less(g, g->chunk0, g->chunk1), "");
}

static void make_body(steps *g) {
    LLVMBuilderRef b = g->e.b;
    LLVMBasicBlockRef work = ws_block(g, "work"), inner = ws_block(g, "inner"),
                      border = ws_block(g, "border"), done = ws_block(g, "done");
    locate(g);
    g->stride = common_stride(g, g->stream);
    g->row_stride = g->stream == 2 ? common_stride(g, 1) : NULL;
    g->scratchpad = gen_scratchpad(&g->e);
    LLVMBuildCondBr(b, has_work(g), work, done);
    LLVMPositionBuilderAtEnd(b, work);
    LLVMValueRef touches = touches_border(g);
    if (g->stream == 2)
        locate_thread(g);
    LLVMValueRef index = LLVMBuildZExt(b, times32(g, g->thread, 16), gen_i64(&g->e), "");
    g->ring = LLVMBuildGEP2(b, LLVMInt8TypeInContext(g->e.context), g->scratchpad, &index, 1, "");
    g->x0 = LLVMBuildAdd(b, g->x0, times32(g, g->lane, g->V), "");
    ws_clear_given(g);
    LLVMBuildCondBr(b, touches, border, inner);
    LLVMPositionBuilderAtEnd(b, inner);
    make_inner(g, done);
    LLVMPositionBuilderAtEnd(b, border);
    ws_find_inside(g);
    make_border(g, done);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMBuildRetVoid(b);
}

void gen_steps_kernel(const gen_expr *e, const st_step *step, const st_kernel *p) {
    steps *g = calloc(1, sizeof *g);
    g->e = *e;
    g->step = step;
    g->p = p;
    g->V = p->cells;
    g->U = p->rows;
    g->threads = p->lanes * p->warps;
    g->stream = step->rank - 1;
    st_step_dependences(step, g->stream, &g->d);
    g->copies = p->waits == 0 && e->copies;
    g->waits = p->waits || g->copies ? p->waits : p->ahead > 1 && p->unroll % 2 == 0 ? 2 : 1;
    for (size_t a = 0; a < step->narrays; a++)
        g->arrives[a] = st_step_arrives(step, (int32_t)a);
    g->row_bytes = ws_row_bytes(g);
    ws_place_given(g);
    allocate(g);
    g->function = gen_step_function(e, step, p);
    e->target->mark_kernel(g->function, e->arch, p->block, p->registers);
    ws_mark_parameters(g);
    LLVMPositionBuilderAtEnd(e->b, ws_block(g, "entry"));
    make_body(g);
    free(g->kept);
    free(g->shuffled);
    free(g->memo);
    free(g->reduced);
    free(g);
}
