/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which of a thread's cells are inside, and the bodies that this asks for: the interior, where all
 * are and no boundary rule is followed, and the border. If the program's thread goes along an axis
 * by a loop, both bodies are in such a loop.
 */
#include "codegen/block/body.h"

#include <stdlib.h>

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
    if (low->followed)
        *all = gen_both(
            &g->e, *all,
            LLVMBuildICmp(g->e.b, LLVMIntSLE, low->limit, blk_plus(g, first, low->reach), ""));
    if (high->followed)
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
        if (!g->l->axes[d].walks)
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
    return a->face[0].followed || a->face[1].followed || a->face[0].readers < 0 ||
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
    blk_emit_body(g, cell, false);
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
        if (!g->l->axes[d].walks && (d == 0 || d == g->p->dim || has_face(&g->axes[d])))
            test_tile(g, d, all, &any);
}

static void emit_border(blk_gen *g) {
    LLVMBasicBlockRef border = LLVMGetInsertBlock(g->e.b);
    LLVMValueRef from = g->from, to = g->to;
    if (g->source->scope == BLK_THREAD &&
        g->p->coarsen == 1) { /* the thread has one row, and `any` has told that it is inside */
        g->from = g->to = NULL;
        blk_emit_body(g, border, false);
    } else if (g->source->scope == BLK_THREAD)
        emit_border_loop(g);
    else if (g->alone)
        emit_border_alone(g);
    else
        blk_emit_body(g, border, false);
    g->from = from;
    g->to = to;
    g->cells = g->p->coarsen;
}

static void find_ranges(blk_gen *g) {
    find_inside(g);
    find_range(g, 0, &g->from_x, &g->to_x);
}

/* Loops in the thread */

static blk_axis *walked_axis(blk_gen *g) {
    int d = g->s->rank - 1;
    while (d > 0 && !g->l->axes[d].walks)
        d--;
    return &g->axes[d];
}

/* The cells of one iteration. In the interior of the other axes, those at the ends of the loop's
 * own axis may follow boundary rules. */
static void emit_step(blk_gen *g, const blk_axis *a, bool interior) {
    LLVMValueRef all = NULL;
    if (interior && has_face(a))
        test_faces(g, a, a->first, blk_plus(g, a->first, 1), &all);
    if (!interior) {
        emit_border(g);
        return;
    }
    LLVMBasicBlockRef inner = LLVMGetInsertBlock(g->e.b);
    if (all) {
        LLVMBasicBlockRef outer = gen_add_block(g->function, "ends");
        inner = gen_add_block(g->function, "inner");
        LLVMBuildCondBr(g->e.b, all, inner, outer);
        LLVMPositionBuilderAtEnd(g->e.b, outer);
        emit_border(g);
    }
    blk_emit_body(g, inner, true);
}

/* The iterations that the thread makes: all, or its share. */
static void find_iterations(blk_gen *g, const blk_axis *a, LLVMValueRef *from, LLVMValueRef *to) {
    LLVMTypeRef i32 = gen_i32(&g->e);
    *from = a->low;
    *to = a->high;
    if (!g->share)
        return;
    LLVMValueRef count = blk_greatest(g, blk_sub(g, a->high, a->low), gen_int64(&g->e, 0));
    LLVMValueRef most = LLVMBuildAdd(g->e.b, LLVMBuildTrunc(g->e.b, count, i32, ""), g->shares, "");
    most = LLVMBuildSub(g->e.b, most, gen_int32(&g->e, 1), "");
    most = LLVMBuildUDiv(g->e.b, most, g->shares, "");
    LLVMValueRef before = LLVMBuildMul(g->e.b, most, g->share, "");
    *from = blk_add(g, a->low, gen_widen(&g->e, before));
    *to = blk_least(g, a->high, blk_add(g, *from, gen_widen(&g->e, most)));
}

/* Goes along the axis by a loop, as the program does. */
static void emit_walk(blk_gen *g, bool interior) {
    blk_axis *a = walked_axis(g), was = *a;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->e.b), done = g->done,
                      step = gen_add_block(g->function, "step");
    LLVMValueRef *home = g->home, low, high;
    g->done = gen_add_block(g->function, "next_step");
    find_iterations(g, a, &low, &high);
    LLVMBuildCondBr(g->e.b, LLVMBuildICmp(g->e.b, LLVMIntSLT, low, high, ""), step, done);
    LLVMPositionBuilderAtEnd(g->e.b, step);
    LLVMValueRef number = LLVMBuildPhi(g->e.b, gen_i64(&g->e), "");
    a->first = blk_coordinate(g, number);
    g->home = calloc(g->s->ngrids, sizeof *g->home);
    find_homes(g);
    emit_step(g, a, interior);
    LLVMPositionBuilderAtEnd(g->e.b, g->done);
    LLVMValueRef next = LLVMBuildAdd(g->e.b, number, gen_int64(&g->e, 1), "");
    LLVMValueRef incoming[] = {low, next};
    LLVMBasicBlockRef from[] = {before, g->done};
    LLVMAddIncoming(number, incoming, from, 2);
    LLVMBuildCondBr(g->e.b, LLVMBuildICmp(g->e.b, LLVMIntSLT, next, high, ""), step, done);
    free(g->home);
    g->home = home;
    g->done = done;
    *a = was;
}

static void emit_either(blk_gen *g, LLVMValueRef all) {
    LLVMBasicBlockRef interior = gen_add_block(g->function, "interior"),
                      border = gen_add_block(g->function, "border");
    bool ends = g->l->walks && has_face(walked_axis(g));
    if (ends)
        find_ranges(g);
    LLVMBuildCondBr(g->e.b, all, interior, border);
    LLVMPositionBuilderAtEnd(g->e.b, border);
    if (!ends)
        find_ranges(g);
    if (g->l->walks)
        emit_walk(g, false);
    else
        emit_border(g);
    g->cells = g->p->coarsen;
    LLVMPositionBuilderAtEnd(g->e.b, interior);
    if (g->l->walks)
        emit_walk(g, true);
    else
        blk_emit_body(g, interior, true);
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
    if (thread && g->p->coarsen * g->p->vector == 1 && !has_faces(g) && !g->l->walks)
        blk_emit_body(g, some, true); /* one cell: if any is inside, all are */
    else
        emit_either(g, all);
    for (int i = 0; i < BLK_MAX_PLANES; i++)
        free(g->plane[i]);
    free(g->home);
}
