/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The loops of a kernel for whole steps: over the rows that arrive, in 3-D over planes. What one
 * iteration computes is in steps/row.c.
 *
 * A cell outside a sweep's domain keeps its value of the version before. Tiles of the first and
 * last columns select that value along x; tiles in the middle need no select. Either kind of tile
 * has two loops: one with selects for the first and last rows, and one without. Control begins in
 * the loop with tests, goes to the loop without tests when all levels are inside, and returns to
 * the loop with tests for the last rows.
 *
 *     row = first; limit = s1; stop = s2
 *     tests:   while row < limit: row with tests
 *              if row >= end: done
 *              while row < stop: `unroll` rows without tests
 *              limit = end; goto tests
 *
 * In a block with a cell at a place that the program computes, `stop` is first where that place
 * begins to matter, and `limit` then where it no longer does; after that, as above. Of tiles in the
 * middle, the loop with tests has those along x, too, if the step has such places.
 *
 * The loops of the first and last columns have short code rather than fast code. Their tiles run on
 * the same processors as the tiles in the middle, and the code of both shares one cache. Blocks of
 * the first and last columns come first in a launch, because the launch waits for them. With tests
 * of rows only where rows end, FDTD in float went from 1348 to 1506 GCell-steps/s on one H200. In
 * 3-D this was not measured, and one loop has all tests. If rows are periodic, one loop has no
 * tests of rows.
 */
#include "codegen/steps/steps.h"

#include "model/number.h"
#include <stdlib.h>
#include <string.h>

/* Where indices come round: cells beside the tile that sweeps load from arrays that are only read.
 */
static ws_bounds find_round_reads(const steps *g, int d) {
    ws_bounds found = {0, 0, 0, 0};
    int32_t offset[ST_MAX_RANK];
    for (size_t i = 0; i < g->step->nsweeps && st_step_wraps(g->step, d); i++) {
        const st_sweep *w = &g->step->sweeps[i];
        for (size_t j = 0; j < w->stencil->naccesses; j++) {
            const st_access *a = &w->stencil->accesses[j];
            if (st_step_flows(g->step, st_sweep_array(w, a->grid, a->level)))
                continue;
            st_sweep_offset(w, (int32_t)j, offset);
            found.low = st_max32(found.low, -offset[d]);
            found.high = st_max32(found.high, offset[d]);
        }
    }
    return found;
}

ws_bounds ws_find_bounds(const steps *g, int d) {
    ws_bounds found = find_round_reads(g, d);
    for (size_t v = g->step->narrays; v < g->d.nversions; v++) {
        const st_sweep *w = &g->step->sweeps[g->d.versions[v].sweep];
        int lag = g->d.versions[v].lag;
        int shift = st_sweep_shift(w)[d];
        if (w->at_place >> d & 1)
            continue;
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

/* Gives the phis the state in hand for the edge from here. */
static void add_state(steps *g, state phis) {
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->e.b);
    state now = save_state(g);
    for (size_t i = 0; i < now.count; i++)
        LLVMAddIncoming(phis.list[i], &now.list[i], &from, 1);
    free(now.list);
}

/* Loops */

static LLVMValueRef slot_at(steps *g, LLVMValueRef turn) {
    LLVMValueRef i = gen_widen(&g->e, turn);
    return gen_bytes_on(&g->e, g->ring, i);
}

/* The slot before that of the iteration's first row. Nothing reads that slot any more. */
static LLVMValueRef slot_before(steps *g) {
    LLVMValueRef zero = gen_int32(&g->e, 0), last = gen_int32(&g->e, -g->row_bytes);
    last = LLVMBuildAdd(g->e.b, last, gen_int32(&g->e, g->p->depth * g->row_bytes), "");
    LLVMValueRef at_start = LLVMBuildICmp(g->e.b, LLVMIntEQ, g->at.turn, zero, "");
    LLVMValueRef before = gen_add32(&g->e, g->at.turn, -g->row_bytes);
    return slot_at(g, LLVMBuildSelect(g->e.b, at_start, last, before, ""));
}

static bool loads_others(const steps *g) {
    for (size_t a = 0; a < g->step->narrays; a++)
        if (!st_step_flows(g->step, (int32_t)a))
            return true;
    return false;
}

/* Hides addresses from LLVM. Else LLVM would move one address along for each array and level. */
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
    LLVMValueRef next = gen_add32(&g->e, g->at.row, g->copies ? g->p->depth - 1 : g->waits);
    ws_prefetch(g, next, u ? slot : before, u ? (u - 1) * g->row_bytes : 0);
    if (g->given_slots)
        tg_barrier(g->e.b);
    ws_advance(g);
    ws_store_row(g);
    ws_next_given(g);
    g->at.row = gen_add32(&g->e, g->at.row, 1);
}

static void arrive_all(steps *g, int count) {
    LLVMValueRef slot = g->copies ? slot_at(g, g->at.turn) : NULL;
    LLVMValueRef before = g->copies ? slot_before(g) : NULL;
    for (int u = 0; u < count; u++)
        arrive(g, u, slot, before);
    if (!g->copies)
        return;
    LLVMValueRef next = gen_add32(&g->e, g->at.turn, count * g->row_bytes);
    LLVMValueRef end = gen_int32(&g->e, g->p->depth * g->row_bytes);
    LLVMValueRef at_end = LLVMBuildICmp(g->e.b, LLVMIntEQ, next, end, "");
    g->at.turn = LLVMBuildSelect(g->e.b, at_end, gen_int32(&g->e, 0), next, "");
}

typedef struct range {
    LLVMValueRef first, tested, plain, end; /* rows: see the head of the file */
    LLVMValueRef place, past; /* from where to where the block's places matter; or both plain */
} range;

static LLVMValueRef round_up(steps *g, LLVMValueRef v, int unit) {
    v = LLVMBuildUDiv(g->e.b, gen_add32(&g->e, v, unit - 1), gen_int32(&g->e, unit), "");
    return gen_times32(&g->e, v, unit);
}

/* The range where rows come round: none is at a border. */
static range find_round(steps *g) {
    range r;
    r.first = r.tested = gen_add32(&g->e, g->chunk0, -g->p->lead);
    r.end = r.plain = gen_add32(&g->e, g->chunk1, g->p->overlap - g->p->lead);
    return r;
}

/* A level makes its row `place` when rows from that one on have arrived, and at the latest when the
 * lag of all levels has passed. As many rows before and after as loops take at a time. */
static void find_range_of_places(steps *g, range *r) {
    LLVMBuilderRef b = g->e.b;
    int unroll = g->p->unroll;
    LLVMValueRef zero = gen_int32(&g->e, 0);
    LLVMValueRef past = gen_add32(&g->e, g->last_place, g->p->bt * g->d.lag + 1);
    LLVMValueRef before = gen_greater(&g->e, LLVMBuildSub(b, g->first_place, r->tested, ""), zero);
    before = gen_times32(&g->e, LLVMBuildUDiv(b, before, gen_int32(&g->e, unroll), ""), unroll);
    LLVMValueRef place = LLVMBuildAdd(b, r->tested, before, "");
    LLVMValueRef rows =
        round_up(g, gen_greater(&g->e, LLVMBuildSub(b, past, r->tested, ""), zero), unroll);
    LLVMValueRef end = gen_smaller(&g->e, LLVMBuildAdd(b, r->tested, rows, ""), r->plain);
    LLVMValueRef some = LLVMBuildAnd(b, g->has_place, gen_less(&g->e, place, end), "");
    r->place = LLVMBuildSelect(b, some, place, r->plain, "");
    r->past = LLVMBuildSelect(b, some, end, r->plain, "");
}

/* The range elsewhere: rows that no sweep reads are neither loaded nor tested. */
static range find_range(steps *g) {
    if (st_step_wraps(g->step, g->stream))
        return find_round(g);
    LLVMBuilderRef b = g->e.b;
    const st_kernel *p = g->p;
    ws_bounds y = ws_find_bounds(g, g->stream);
    int reach = g->d.halo[g->stream][0], unroll = p->unroll, after = p->overlap - p->lead;
    LLVMValueRef zero = gen_int32(&g->e, 0), end = g->extent[g->stream];
    range r;
    int32_t halo[ST_MAX_RANK][2];
    st_step_halo(g->step, &g->d, p->bt, halo);
    r.first = gen_greater(&g->e, gen_add32(&g->e, g->chunk0, -p->lead), gen_int32(&g->e, -reach));
    r.end = gen_add32(&g->e, g->chunk1, after);
    LLVMValueRef inside = gen_int32(&g->e, (p->bt - 1) * g->d.lag + y.low_lagged);
    LLVMValueRef rows =
        round_up(g, gen_greater(&g->e, LLVMBuildSub(b, inside, r.first, ""), zero), unroll);
    LLVMValueRef starts = gen_less(&g->e, r.first, gen_int32(&g->e, y.low));
    r.tested = LLVMBuildAdd(b, r.first, LLVMBuildSelect(b, starts, rows, zero, ""), "");
    /* up to where no row at hand is past a domain; the chunk's end, if it needs none of these */
    LLVMValueRef last = gen_add32(&g->e, end, -y.high_lagged);
    LLVMValueRef some = gen_greater(&g->e, LLVMBuildSub(b, last, r.tested, ""), zero);
    some = LLVMBuildUDiv(b, some, gen_int32(&g->e, unroll), "");
    LLVMValueRef all = gen_greater(&g->e, LLVMBuildSub(b, r.end, r.tested, ""), zero);
    LLVMValueRef ends = gen_less(&g->e, gen_add32(&g->e, end, -y.high),
                                 gen_add32(&g->e, g->chunk1, halo[g->stream][1]));
    rows = LLVMBuildSelect(b, ends, gen_times32(&g->e, some, unroll), round_up(g, all, unroll), "");
    r.plain = r.place = r.past = LLVMBuildAdd(b, r.tested, rows, "");
    if (g->has_place)
        find_range_of_places(g, &r);
    return r;
}

static LLVMValueRef element_of_row(steps *g, LLVMValueRef row) {
    LLVMValueRef i = LLVMBuildMul(g->e.b, gen_extend(&g->e, row), g->stride, "");
    i = LLVMBuildAdd(g->e.b, i, gen_extend(&g->e, g->x0), "");
    if (g->stream < 2)
        return i;
    LLVMValueRef y = LLVMBuildMul(g->e.b, gen_extend(&g->e, g->y0), g->row_stride, "");
    return LLVMBuildAdd(g->e.b, i, y, "");
}

/* Before the first row no value is there: results that depend on one are not stored. */
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
    g->at.out = element_of_row(g, gen_add32(&g->e, first, -g->p->bt * g->d.lag));
    ws_prefetch_staying(g, first);
    for (int i = 0; i < (g->copies ? g->p->depth - 1 : g->waits); i++) {
        for (int j = 0; !g->copies && j + 1 < g->waits; j++)
            memcpy(g->waiting[j], g->waiting[j + 1], sizeof g->waiting[j]);
        ws_prefetch(g, gen_add32(&g->e, first, i), g->ring, i * g->row_bytes);
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
    LLVMBasicBlockRef head = gen_add_block(g->function, "all.rows"),
                      body = gen_add_block(g->function, "all.row");
    range r = find_range(g);
    g->mode = (ws_mode){x, y};
    ws_find_reduced_cells(g);
    start(g, r.first);
    state phis = open_loop(g, head);
    LLVMBasicBlockRef end = gen_add_block(g->function, "all.rows.done");
    LLVMBuildCondBr(g->e.b, gen_less(&g->e, g->at.row, r.end), body, end);
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
    LLVMBasicBlockRef tests = gen_add_block(g->function, "tests"),
                      test = gen_add_block(g->function, "test"),
                      tested = gen_add_block(g->function, "tested"),
                      plain = gen_add_block(g->function, "plain"),
                      rows = gen_add_block(g->function, "rows"),
                      again = gen_add_block(g->function, "again");
    g->mode = (ws_mode){x || g->has_place, true};
    ws_find_reduced_cells(g);
    start(g, r.first);
    LLVMBasicBlockRef entry = LLVMGetInsertBlock(b);
    state phis = open_loop(g, tests);
    LLVMValueRef limit = LLVMBuildPhi(b, gen_i32(&g->e), "limit");
    LLVMValueRef stop = LLVMBuildPhi(b, gen_i32(&g->e), "stop");
    LLVMAddIncoming(limit, &r.tested, &entry, 1);
    LLVMAddIncoming(stop, &r.place, &entry, 1);
    LLVMBuildCondBr(b, gen_less(&g->e, g->at.row, limit), test, tested);
    LLVMPositionBuilderAtEnd(b, test);
    arrive_all(g, 1);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
    LLVMAddIncoming(limit, &limit, &from, 1);
    LLVMAddIncoming(stop, &stop, &from, 1);
    close_loop(g, phis, tests);

    LLVMPositionBuilderAtEnd(b, tested);
    load_state(g, phis);
    LLVMBasicBlockRef more = gen_add_block(g->function, "more");
    LLVMBasicBlockRef end = gen_add_block(g->function, "end");
    LLVMBuildCondBr(b, gen_less(&g->e, g->at.row, r.end), more, end);
    LLVMPositionBuilderAtEnd(b, more);
    state inner = open_loop(g, plain);
    LLVMBuildCondBr(b, gen_less(&g->e, g->at.row, stop), rows, again);
    LLVMPositionBuilderAtEnd(b, rows);
    g->mode = (ws_mode){x, false};
    arrive_all(g, unroll);
    close_loop(g, inner, plain);

    LLVMPositionBuilderAtEnd(b, again);
    load_state(g, inner);
    LLVMValueRef at_place = gen_less(&g->e, g->at.row, r.past);
    LLVMValueRef next = LLVMBuildSelect(b, at_place, r.past, r.end, "");
    LLVMAddIncoming(limit, &next, &again, 1);
    LLVMAddIncoming(stop, &r.plain, &again, 1);
    close_loop(g, phis, tests);
    finish(g, phis, end, done);
    free(phis.list);
    free(inner.list);
}

/* In 1-D: the one row. */
static void make_row(steps *g, bool x, LLVMBasicBlockRef done) {
    g->mode = (ws_mode){x, false};
    ws_find_reduced_cells(g);
    start(g, gen_int32(&g->e, 0));
    ws_take_row(g, NULL, 0);
    ws_advance(g);
    ws_store_row(g);
    ws_add_reduced(g);
    LLVMBuildBr(g->e.b, done);
}

void ws_make_border(steps *g, LLVMBasicBlockRef done) {
    if (g->step->rank == 1)
        make_row(g, true, done);
    else if (st_step_wraps(g->step, g->stream))
        make_loop(g, true, false, 1, done);
    else if (g->stream == 2)
        make_loop(g, true, true, 1, done);
    else
        make_two_loops(g, true, 1, done);
}

void ws_make_inner(steps *g, LLVMBasicBlockRef done) {
    if (g->step->rank == 1)
        make_row(g, false, done);
    else if (st_step_wraps(g->step, g->stream))
        make_loop(g, false, false, g->p->unroll, done);
    else
        make_two_loops(g, false, g->p->unroll, done);
}
