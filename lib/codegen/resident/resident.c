/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Resident kernels: one launch makes all time steps. The grid is in registers from the first step
 * to the last.
 *
 * All blocks of the launch run at once. Each block owns a box of cells, and computes a tile: these
 * cells and a margin. A warp has some rows of the tile, and a lane has some neighbouring cells of
 * each row. At the tile's ends cells become wrong, and with each step the wrong cells reach further
 * in by the stencil's radius. The margin is so deep that a round of several steps can be made
 * before owned cells are wrong. Then blocks exchange cells (words.c), and the next round begins.
 * Cells outside the domain keep their values.
 *
 * What a block owns and how deep its margin is are parameters of the launch. Only the tile's extent
 * is fixed in the code.
 *
 * There are also kernels whose tiles have no margin along y and z, and which take whole rows along
 * x. They exchange rows after each step, and keep those around the tile in scratchpad (faces.c). So
 * nothing is computed twice: that pays in 3-D, where margins are a large part of a tile.
 *
 * If each step's reductions decide whether the time loop continues, each step also reduces
 * (reduce.c).
 *
 * Values of grids that are only read do not change. So each thread loads those of its cells before
 * the first step, and keeps them (kept.c).
 *
 * A step has two bodies. The inner one does not test for the boundary. Warps with cells outside the
 * domain use the other one. Warps without any needed cell use none.
 */
#include "codegen/resident/resident.h"

#include "model/number.h"
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>

enum { LANES = 32 };

static LLVMValueRef add(rs_kernel *t, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildAdd(t->g.e.b, a, b, "");
}

/* Where the thread is */

static void locate_along(rs_kernel *t, int d) {
    LLVMBuilderRef b = t->g.e.b;
    t->block[d] = tg_launch(b, TG_BLOCK, d);
    t->blocks[d] = tg_launch(b, TG_BLOCK_COUNT, d);
    t->own[d] = rs_parameter(t, STENCILRT_ARG_OWN, d);
    t->margin[d] = rs_parameter(t, STENCILRT_ARG_MARGIN, d);
    t->extent[d] = rs_parameter(t, STENCILRT_ARG_EXTENT, d);
    LLVMValueRef tile = LLVMBuildMul(b, t->block[d], t->own[d], "");
    tile = LLVMBuildSub(b, tile, t->margin[d], "");
    t->first[d] = add(t, tile, t->in_tile[d]);
}

void rs_locate(rs_kernel *t) {
    LLVMBuilderRef b = t->g.e.b;
    sg_find_lane(&t->g, tg_launch(b, TG_THREAD, 0));
    LLVMValueRef across = gen_int32(&t->g.e, t->NY);
    t->warp[1] = LLVMBuildURem(b, t->g.warp, across, "");
    t->warp[2] = LLVMBuildUDiv(b, t->g.warp, across, "");
    t->in_tile[0] = gen_times32(&t->g.e, t->g.lane, t->V);
    t->in_tile[1] = gen_times32(&t->g.e, t->warp[1], t->RY);
    t->in_tile[2] = gen_times32(&t->g.e, t->warp[2], t->RZ);
    for (int d = 0; d < t->g.s->rank; d++)
        locate_along(t, d);
}

static void find_outside(rs_kernel *t) {
    LLVMBuilderRef b = t->g.e.b;
    t->columns_outside = t->rows_outside = gen_int32(&t->g.e, 0);
    for (int k = 0; k < t->V; k++)
        t->columns_outside =
            LLVMBuildOr(b, t->columns_outside, gen_bit_if(&t->g.e, rs_is_outside(t, 0, k), k), "");
    for (int w = 0; w < t->RZ; w++)
        for (int u = 0; u < t->RY; u++) {
            LLVMValueRef out = rs_is_outside(t, 1, u);
            if (t->g.s->rank == 3)
                out = LLVMBuildOr(b, out, rs_is_outside(t, 2, w), "");
            t->rows_outside =
                LLVMBuildOr(b, t->rows_outside, gen_bit_if(&t->g.e, out, rs_row(t, w, u)), "");
        }
}

/* Do `count` cells along d from the warp's first one on lie in the domain and in the tile, in part
 * at least? All of them? */
static void look_along(rs_kernel *t, int d, LLVMValueRef first, LLVMValueRef count,
                       LLVMValueRef *some, LLVMValueRef *beyond) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef zero = gen_int32(&t->g.e, 0), end = add(t, first, count);
    LLVMValueRef used = add(t, t->own[d], add(t, t->margin[d], t->margin[d]));
    LLVMValueRef parts[] = {gen_less(&t->g.e, zero, end), gen_less(&t->g.e, first, t->extent[d]),
                            gen_less(&t->g.e, t->in_tile[d], used)};
    *some = rs_all(t, parts, 3);
    *beyond =
        LLVMBuildOr(b, gen_less(&t->g.e, first, zero), gen_less(&t->g.e, t->extent[d], end), "");
}

void rs_look_at_warp(rs_kernel *t) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef ignored, some, beyond;
    LLVMValueRef left = LLVMBuildSub(b, t->first[0], t->in_tile[0], "");
    LLVMValueRef used = add(t, t->own[0], add(t, t->margin[0], t->margin[0]));
    look_along(t, 0, left, used, &ignored, &t->border);
    look_along(t, 1, t->first[1], gen_int32(&t->g.e, t->RY), &t->alive, &beyond);
    t->border = LLVMBuildOr(b, t->border, beyond, "");
    if (t->g.s->rank < 3)
        return;
    look_along(t, 2, t->first[2], gen_int32(&t->g.e, t->RZ), &some, &beyond);
    t->border = LLVMBuildOr(b, t->border, beyond, "");
    t->alive = LLVMBuildAnd(b, t->alive, some, "");
}

/* Rounds */

/* The rows that other warps need, as of the round's start. Warps that go by give both halves, which
 * others read, though nothing comes of it. */
static void begin_round(rs_kernel *t) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef half = rs_get(t, t->parity), all = gen_int32(&t->g.e, rs_scratchpad(t));
    rs_give_rows(t, half);
    LLVMBasicBlockRef after = rs_begin_if(t, LLVMBuildNot(b, t->alive, ""), "idle");
    rs_give_rows(t, LLVMBuildSub(b, all, half, ""));
    gen_end_if(&t->g.e, after);
    tg_barrier(b);
}

static void step_by_one_body(rs_kernel *t) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMBasicBlockRef inner = gen_add_block(t->g.function, "inner"),
                      border = gen_add_block(t->g.function, "border");
    LLVMBasicBlockRef after = rs_begin_if(t, t->alive, "alive");
    LLVMBuildCondBr(b, t->border, border, inner);
    LLVMPositionBuilderAtEnd(b, inner);
    rs_make_step(t, false);
    LLVMBuildBr(b, after);
    LLVMPositionBuilderAtEnd(b, border);
    rs_make_step(t, true);
    gen_end_if(&t->g.e, after);
}

static void make_step(rs_kernel *t) {
    step_by_one_body(t);
    tg_barrier(t->g.e.b);
    LLVMValueRef all = gen_int32(&t->g.e, rs_scratchpad(t));
    rs_set(t, t->parity, LLVMBuildSub(t->g.e.b, all, rs_get(t, t->parity), ""));
    rs_next_scalars(t);
    rs_next_slots(t);
}

/* Rounds of one step */

/* What other warps and blocks need of the step is given to them, and what is needed of them is
 * awaited. If there is one half of scratchpad, all warps must have read it before. */
static void exchange_faces(rs_kernel *t) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef all = gen_int32(&t->g.e, rs_scratchpad(t)), half = gen_int32(&t->g.e, 0);
    if (t->halves == 2) {
        half = LLVMBuildSub(b, all, rs_get(t, t->parity), "");
        rs_set(t, t->parity, half);
    } else {
        tg_barrier(b);
        rs_give_rows(t, half);
    }
    if (!t->early)
        rs_send(t);
    rs_receive_faces(t, half, rs_count_faces(t), rs_put_face);
    tg_barrier(b);
}

/* Where the tile has no margin. If rows are sent early, those of the last step are sent, too,
 * though nobody waits for them. */
static void make_single_steps(rs_kernel *t) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMBasicBlockRef step = gen_add_block(t->g.function, "step"),
                      exchange = gen_add_block(t->g.function, "exchange");
    LLVMBasicBlockRef last = gen_add_block(t->g.function, "last");
    rs_load_faces(t);
    for (int half = 0; half < t->halves; half++)
        rs_give_rows(t, gen_int32(&t->g.e, half * rs_scratchpad(t)));
    tg_barrier(b);
    LLVMBuildBr(b, step);
    LLVMPositionBuilderAtEnd(b, step);
    rs_set(t, t->round, gen_add32(&t->g.e, rs_get(t, t->round), 1));
    step_by_one_body(t);
    rs_next_scalars(t);
    rs_next_slots(t);
    LLVMValueRef made = gen_add32(&t->g.e, rs_get(t, t->made), 1);
    rs_set(t, t->made, made);
    LLVMValueRef more = gen_less(&t->g.e, made, rs_parameter(t, STENCILRT_ARG_STEPS, 0));
    LLVMBuildCondBr(b, more, exchange, last);
    LLVMPositionBuilderAtEnd(b, exchange);
    exchange_faces(t);
    LLVMBuildBr(b, step);
    LLVMPositionBuilderAtEnd(b, last);
}

/* Set-up */

/* As measured on an H100, stars of radius 1 gain up to 15 %. With more cells or taps, registers
 * spill. */
static bool is_sent_early(const rs_kernel *t) {
    enum { MOST_BYTES = 256 };
    int bytes = t->V * t->RY * t->RZ * (int)st_type_size(t->g.type);
    return bytes <= MOST_BYTES && t->reach[1] <= 1 && t->reach[2] <= 1 && !rs_reads_across(t);
}

static void measure(rs_kernel *t) {
    const st_stencil *s = t->g.s;
    int32_t low[ST_MAX_RANK] = {0}, high[ST_MAX_RANK] = {0};
    int size = (int)st_type_size(t->g.type);
    st_halo(s, s->store_grid, low, high);
    for (int d = 0; d < 3; d++) {
        t->low[d] = d < s->rank ? low[d] : 0;
        t->high[d] = d < s->rank ? high[d] : 0;
        t->reach[d] = (int)st_max(-t->low[d], t->high[d]);
    }
    t->given[0] = (int)st_min(t->RY, 2 * t->reach[1]);
    t->given[1] = (int)st_min(t->RZ, 2 * t->reach[2]);
    t->faces = t->g.p->faces;
    t->early = t->faces && is_sent_early(t);
    t->reduces = t->g.p->reduces;
    t->halves = t->faces && t->g.p->scratchpad == rs_scratchpad(t) ? 1 : 2;
    t->group = t->V;
    t->many = 40;
    t->words = size <= 4 ? (t->V + 2) / 3 : t->V;
}

static void make_variables(rs_kernel *t) {
    rs_make_counters(t);
    for (int row = 0; row < t->RZ * t->RY; row++)
        for (int k = 0; k < t->V; k++)
            t->cells[row][k] = rs_variable(t, t->g.element, NULL);
    rs_make_kept(t);
}

/* A launch before this one has failed: the runtime drops all results. */
LLVMValueRef rs_has_failed(rs_kernel *t) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef header = gen_parameter(t->g.function, t->g.p, STENCILRT_ARG_WORDS, 0);
    LLVMValueRef v = LLVMBuildLoad2(b, gen_i32(&t->g.e), header, "");
    LLVMSetVolatile(v, true);
    return LLVMBuildICmp(b, LLVMIntEQ, v, gen_int32(&t->g.e, 1), "");
}

void rs_promote_variables(LLVMValueRef function) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMConsumeError(LLVMRunPassesOnFunction(function, "mem2reg", NULL, options));
    LLVMDisposePassBuilderOptions(options);
}

static void fill(rs_kernel *t) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMBasicBlockRef entry = gen_add_block(t->g.function, "entry"),
                      done = gen_add_block(t->g.function, "done");
    LLVMBasicBlockRef start = gen_add_block(t->g.function, "start");
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMBuildCondBr(b, rs_has_failed(t), done, start);
    LLVMPositionBuilderAtEnd(b, start);
    rs_locate(t);
    make_variables(t);
    find_outside(t);
    rs_look_at_warp(t);
    rs_place_rows(t);
    rs_place_words(t);
    rs_begin_reductions(t);
    rs_load_all(t);
    rs_load_kept(t);
    if (t->faces) {
        rs_place_faces(t);
        make_single_steps(t);
    } else {
        rs_make_rounds(t, begin_round, make_step);
    }
    rs_store_all(t);
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMBuildRetVoid(b);
}

void gen_resident_kernel(const gen_expr *e, const st_stencil *s, const st_kernel *p) {
    rs_kernel *t = calloc(1, sizeof *t); /* too large for the stack of a small thread */
    t->g.e = *e;
    t->g.s = s;
    t->g.p = p;
    t->V = p->cells;
    t->RY = p->rows;
    t->RZ = p->planes;
    t->NZ = p->warp_planes;
    t->NY = p->warps / p->warp_planes;
    t->g.type = s->grids[s->store_grid].type;
    t->g.element = gen_type(e, t->g.type);
    t->g.nports = st_ports(s, t->g.ports);
    measure(t);
    sg_create_function(&t->g);
    t->g.scratchpad = gen_scratchpad(&t->g.e);
    fill(t);
    rs_promote_variables(t->g.function);
    free(t->scalars);
    free(t->kept);
    free(t->held);
    free(t);
}
