/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Resident kernels for whole steps: one launch makes all time steps of several sweeps over several
 * arrays, in 2-D. All arrays that are handed from step to step are in registers from the first step
 * to the last. resident.c describes tiles, margins and rounds, which are the same here.
 *
 * A round's margin is that of its steps, and a step's is how far the cells of any version that it
 * makes are from those that they depend on (model/dependences.h): for FDTD one cell at each side,
 * not one for each sweep. Blocks exchange the cells of all arrays that a step begins with, together
 * in words of 16 bytes. The steps of a warp: fields_step.c.
 *
 * An array with two buffers that take turns has one place. Cells that no step writes must be equal
 * in both; the runtime checks that. Two arrays that become each other change places after each
 * step, also in cells that no step writes.
 *
 * Sweeps make cells in domains of their own. A step has three bodies. The one for warps inside
 * tests for no domain. Warps with columns that some sweep does not make use another one, which
 * tests each sweep's columns; those with such rows test both. All blocks wait for one another, so
 * what those at the sides do counts as much as what those inside do.
 */
#include "codegen/resident/fields.h"

#include "codegen/module.h"
#include "codegen/parameters.h"
#include "model/number.h"
#include "plan/time/fields.h"
#include <stdlib.h>

enum { MANY = 40 };

static rs_fields *fields_of(rs_kernel *t) {
    return (rs_fields *)t; /* its first member */
}

/* Rounds */

/* The rows that other warps need, as of the round's start. Warps that go by give all rows in both
 * halves: their cells stay as they are, or nothing comes of them. */
static void begin_round(rs_kernel *t) {
    rs_fields *f = fields_of(t);
    LLVMValueRef half = rs_get(t, t->parity), all = gen_int32(&t->g.e, rf_scratchpad(f));
    rf_give_rows(f, half, false);
    LLVMBasicBlockRef after = rs_begin_if(t, LLVMBuildNot(t->g.e.b, t->alive, ""), "idle");
    rf_give_rows(f, half, true);
    rf_give_rows(f, LLVMBuildSub(t->g.e.b, all, half, ""), true);
    gen_end_if(&t->g.e, after);
    tg_barrier(t->g.e.b);
}

static void make_phase(rs_fields *f, size_t phase) {
    rs_kernel *t = &f->t;
    LLVMBuilderRef b = t->g.e.b;
    LLVMBasicBlockRef bodies[RF_BODIES] = {gen_add_block(t->g.function, "inner"),
                                           gen_add_block(t->g.function, "side"),
                                           gen_add_block(t->g.function, "border")};
    LLVMBasicBlockRef along = gen_add_block(t->g.function, "along");
    LLVMBasicBlockRef after = rs_begin_if(t, t->alive, "alive");
    LLVMBuildCondBr(b, f->rows_near, bodies[RF_BORDER], along);
    LLVMPositionBuilderAtEnd(b, along);
    LLVMBuildCondBr(b, f->columns_near, bodies[RF_SIDE], bodies[RF_INNER]);
    for (f->body = RF_INNER; f->body < RF_BODIES; f->body++) {
        LLVMPositionBuilderAtEnd(b, bodies[f->body]);
        rf_make_phase(f, phase);
        LLVMBuildBr(b, after);
    }
    LLVMPositionBuilderAtEnd(b, after);
    tg_barrier(b);
}

static void make_step(rs_kernel *t) {
    rs_fields *f = fields_of(t);
    for (size_t phase = 0; phase < f->phases; phase++)
        make_phase(f, phase);
    LLVMValueRef all = gen_int32(&t->g.e, rf_scratchpad(f));
    rs_set(t, t->parity, LLVMBuildSub(t->g.e.b, all, rs_get(t, t->parity), ""));
    rf_next_step(f);
}

/* Set-up */

/* Arrays that blocks exchange have the first places. */
static void find_places(rs_fields *f) {
    rs_kernel *t = &f->t;
    for (size_t a = 0; a < f->step->narrays; a++)
        f->place[a] = st_step_arrives(f->step, (int32_t)a) ? f->fields++ : -1;
    t->group = f->fields * t->V;
    for (size_t a = 0; a < f->step->narrays; a++)
        if (f->place[a] < 0 && st_step_flows(f->step, (int32_t)a))
            f->place[a] = f->fields++;
    t->words = st_type_size(t->g.type) <= 4 ? (t->group + 2) / 3 : t->group;
    t->many = st_type_size(t->g.type) <= 4 ? MANY : MANY / 3;
    for (int d = 0; d < f->step->rank; d++)
        t->reach[d] = fields_reach(f->step, &f->d, d);
}

static void fill(rs_fields *f) {
    rs_kernel *t = &f->t;
    LLVMBuilderRef b = t->g.e.b;
    LLVMBasicBlockRef entry = gen_add_block(t->g.function, "entry"),
                      done = gen_add_block(t->g.function, "done");
    LLVMBasicBlockRef start = gen_add_block(t->g.function, "start");
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMBuildCondBr(b, rs_has_failed(t), done, start);
    LLVMPositionBuilderAtEnd(b, start);
    rs_locate(t);
    rs_make_counters(t);
    rf_make_variables(f);
    rs_look_at_warp(t);
    rf_look_at_border(f);
    rf_find_inside(f);
    rf_place_rows(f);
    rs_place_words(t);
    rf_load_all(f);
    rs_make_rounds(t, begin_round, make_step);
    rf_store_all(f);
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMBuildRetVoid(b);
}

static void create_function(rs_fields *f) {
    const gen_expr *e = &f->t.g.e;
    const st_kernel *p = f->t.g.p;
    f->t.g.function = gen_step_function(e, f->step, p);
    e->target->mark_kernel(f->t.g.function, e->arch, p->block, p->registers);
    for (size_t i = 0; i < p->nparameters; i++) {
        uint32_t kind = p->parameters[i].kind;
        if (kind == STENCILRT_ARG_DST || kind == STENCILRT_ARG_SRC)
            gen_mark_pointer(e, f->t.g.function, (unsigned)i, kind == STENCILRT_ARG_DST);
    }
}

void gen_fields_kernel(const gen_expr *e, const st_step *step, const st_kernel *p) {
    rs_fields *f = calloc(1, sizeof *f); /* too large for the stack of a small thread */
    rs_kernel *t = &f->t;
    f->step = step;
    t->g.e = *e;
    t->g.s = step->nests[0]; /* of which only the rank is used */
    t->g.p = p;
    t->V = p->cells;
    t->RY = p->rows;
    t->NY = p->warps;
    t->RZ = t->NZ = 1;
    t->halves = 2;
    t->g.type = fields_type(step);
    t->g.element = gen_type(e, t->g.type);
    st_step_dependences(step, st_step_stream(step), &f->d);
    find_places(f);
    rf_plan_step(f);
    create_function(f);
    t->g.scratchpad = gen_scratchpad(&t->g.e);
    fill(f);
    rs_promote_variables(t->g.function);
    free(f->made);
    free(f->kept);
    free(f->scalars);
    free(f);
}
