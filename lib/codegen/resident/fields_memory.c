/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Resident kernels for whole steps: cells on their way from memory and back, values of arrays that
 * are only read, and scalars. Values that do not change are loaded before the first step. Of an
 * array that has an element for each step, the next step's element is loaded a step ahead.
 */
#include "codegen/resident/fields.h"

#include <stdlib.h>

static LLVMValueRef add64(rs_fields *f, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildAdd(f->t.g.e.b, a, b, "");
}

static const st_access *access_of(const rs_fields *f, size_t sweep, size_t access) {
    return &f->step->sweeps[sweep].stencil->accesses[access];
}

static int32_t array_of(const rs_fields *f, size_t sweep, size_t access) {
    const st_access *a = access_of(f, sweep, access);
    return st_sweep_array(&f->step->sweeps[sweep], a->grid, a->level);
}

/* Is what the access reads loaded, and not handed on? */
static bool is_loaded(const rs_fields *f, size_t sweep, size_t access) {
    return st_sweep_reads(&f->step->sweeps[sweep], (int32_t)access) &&
           !st_step_flows(f->step, array_of(f, sweep, access));
}

static bool is_coming(const rs_fields *f, size_t sweep, size_t access) {
    return f->step->arrays[array_of(f, sweep, access)].advance != 0;
}

/* The variable: rows, or cells of a row, have one in common if the array does not extend there. */
static LLVMValueRef *place_of(rs_fields *f, size_t sweep, size_t access, int row, int k) {
    uint32_t broadcast = f->step->arrays[array_of(f, sweep, access)].broadcast;
    size_t at = f->first_access[sweep] + access;
    row = broadcast >> 1 & 1 ? 0 : row;
    k = broadcast & 1 ? 0 : k;
    return &f->kept[(at * RS_ROWS + (size_t)row) * RS_CELLS + (size_t)k];
}

typedef void visit(rs_fields *f, size_t sweep, size_t access, int row, int k);

/* All variables of what is loaded: those that are coming, or the others. */
static void visit_loaded(rs_fields *f, bool coming, visit *each) {
    for (size_t i = 0; i < f->step->nsweeps; i++)
        for (size_t j = 0; j < f->step->sweeps[i].stencil->naccesses; j++) {
            if (!is_loaded(f, i, j) || is_coming(f, i, j) != coming)
                continue;
            uint32_t broadcast = f->step->arrays[array_of(f, i, j)].broadcast;
            for (int row = 0; row < (broadcast >> 1 & 1 ? 1 : f->t.RY); row++)
                for (int k = 0; k < (broadcast & 1 ? 1 : f->t.V); k++)
                    each(f, i, j, row, k);
        }
}

static void make_variable(rs_fields *f, size_t sweep, size_t access, int row, int k) {
    st_type type = f->step->arrays[array_of(f, sweep, access)].type;
    *place_of(f, sweep, access, row, k) = rs_variable(&f->t, gen_type(&f->t.g.e, type), NULL);
    if (is_coming(f, sweep, access) && !f->now)
        f->now = rs_variable(&f->t, gen_i32(&f->t.g.e), gen_int32(&f->t.g.e, 0));
}

static LLVMValueRef parameter(rs_fields *f, stencilrt_parameter_kind kind, size_t index) {
    return gen_parameter(f->t.g.function, f->t.g.p, kind, index);
}

/* Scalars are numbered through all nests. */
static size_t scalar_number(const rs_fields *f, size_t nest, size_t number) {
    for (size_t i = 0; i < nest; i++)
        number += f->step->nests[i]->nscalars;
    return number;
}

static void make_scalars(rs_fields *f) {
    f->scalars = calloc(scalar_number(f, f->step->nnests, 0) + 1, sizeof *f->scalars);
    for (size_t i = 0; i < f->step->nnests; i++)
        for (size_t c = 0; c < f->step->nests[i]->nscalars; c++) {
            size_t n = scalar_number(f, i, c);
            if (!f->step->nests[i]->scalars[c].stepped || !st_step_first_sweep(f->step, i))
                continue;
            LLVMValueRef first = parameter(f, STENCILRT_ARG_SCALAR, n);
            f->scalars[n] = rs_variable(&f->t, LLVMTypeOf(first), first);
        }
}

void rf_make_variables(rs_fields *f) {
    rs_kernel *t = &f->t;
    f->first_access[0] = 0;
    for (size_t i = 0; i < f->step->nsweeps; i++)
        f->first_access[i + 1] = f->first_access[i] + f->step->sweeps[i].stencil->naccesses;
    size_t accesses = f->first_access[f->step->nsweeps], each = (size_t)RS_ROWS * RS_CELLS;
    f->kept = calloc(accesses * each + 1, sizeof *f->kept);
    f->made = calloc(f->d.nversions * each, sizeof *f->made);
    visit_loaded(f, false, make_variable);
    visit_loaded(f, true, make_variable);
    for (int row = 0; row < t->RY; row++) {
        for (int k = 0; k < f->fields * t->V; k++)
            t->cells[row][k] = rs_variable(t, t->g.element, NULL);
        for (size_t v = f->step->narrays; v < f->d.nversions; v++)
            for (int k = 0; k < t->V; k++)
                f->made[(v * RS_ROWS + (size_t)row) * RS_CELLS + (size_t)k] =
                    rs_variable(t, t->g.element, NULL);
    }
    make_scalars(f);
}

/* Arrays that are only read */

static LLVMValueRef pointer(rs_fields *f, stencilrt_parameter_kind kind, int32_t array) {
    const gen_expr *e = &f->t.g.e;
    LLVMTypeRef device = LLVMPointerTypeInContext(e->context, e->target->device_space);
    size_t number = (size_t)f->step->arrays[array].number;
    return LLVMBuildAddrSpaceCast(e->b, parameter(f, kind, number), device, "");
}

static LLVMValueRef stride(rs_fields *f, int32_t array) {
    return gen_stride(f->t.g.function, f->t.g.p, (size_t)f->step->arrays[array].number, 1);
}

/* i64: what an access reads along d for the cell that is so many further than the thread's first
 * one, or for the nearest one in the sweep's domain. What others would read need not be in memory.
 */
static LLVMValueRef place_read(rs_fields *f, size_t sweep, size_t access, int d, int more) {
    rs_kernel *t = &f->t;
    const st_sweep *w = &f->step->sweeps[sweep];
    int32_t offset[ST_MAX_RANK];
    st_sweep_offset(w, (int32_t)access, offset);
    LLVMValueRef at = gen_add32(&t->g.e, t->first[d], more);
    at = gen_smaller(&t->g.e, gen_add32(&t->g.e, rf_end(f, w, d), -1), at);
    at = gen_greater(&t->g.e, at, rf_first(f, w, d));
    return gen_extend(&t->g.e, gen_add32(&t->g.e, at, offset[d]));
}

/* Loads a value; `step`, i64: of the step so many after the launch's first. */
static void load_value(rs_fields *f, size_t sweep, size_t access, int row, int k,
                       LLVMValueRef step) {
    const gen_expr *e = &f->t.g.e;
    int32_t array = array_of(f, sweep, access);
    const st_array *of = &f->step->arrays[array];
    LLVMTypeRef element = gen_type(e, of->type);
    LLVMValueRef index =
        of->broadcast & 1 ? gen_int64(e, st_sweep_element(&f->step->sweeps[sweep], (int32_t)access))
                          : place_read(f, sweep, access, 0, k);
    if (!(of->broadcast >> 1 & 1)) {
        LLVMValueRef y = place_read(f, sweep, access, 1, row);
        index = add64(f, index, LLVMBuildMul(e->b, y, stride(f, array), ""));
    }
    if (step)
        index = add64(f, index, LLVMBuildMul(e->b, step, gen_int64(e, of->advance), ""));
    LLVMValueRef from = gen_element(e, element, pointer(f, STENCILRT_ARG_SRC, array), index);
    rs_set(&f->t, *place_of(f, sweep, access, row, k),
           gen_load(e, element, from, st_type_size(of->type)));
}

static void load_once(rs_fields *f, size_t sweep, size_t access, int row, int k) {
    load_value(f, sweep, access, row, k, NULL);
}

static void load_first(rs_fields *f, size_t sweep, size_t access, int row, int k) {
    load_value(f, sweep, access, row, k, gen_int64(&f->t.g.e, 0));
}

static void load_next(rs_fields *f, size_t sweep, size_t access, int row, int k) {
    if (rf_is_elsewhere(f, sweep))
        return;
    const gen_expr *e = &f->t.g.e;
    LLVMValueRef steps = parameter(f, STENCILRT_ARG_STEPS, 0);
    LLVMValueRef last = gen_add32(e, LLVMBuildTrunc(e->b, steps, gen_i32(e), ""), -1);
    LLVMValueRef next = gen_add32(e, rs_get(&f->t, f->now), 1);
    load_value(f, sweep, access, row, k, gen_extend(e, gen_smaller(e, next, last)));
}

void rf_load_coming(rs_fields *f) {
    visit_loaded(f, true, load_next);
}

LLVMValueRef rf_kept(rs_fields *f, size_t sweep, int32_t access, int row, int k) {
    return rs_get(&f->t, *place_of(f, sweep, (size_t)access, row, k));
}

/* Scalars */

LLVMValueRef rf_scalar(rs_fields *f, size_t sweep, int32_t number) {
    const st_sweep *w = &f->step->sweeps[sweep];
    const st_scalar *scalar = &w->stencil->scalars[number];
    size_t n = scalar_number(f, w->nest, (size_t)number);
    LLVMValueRef v =
        f->scalars[n] ? rs_get(&f->t, f->scalars[n]) : parameter(f, STENCILRT_ARG_SCALAR, n);
    bool bit = scalar->type == ST_I1;
    return bit ? LLVMBuildTrunc(f->t.g.e.b, v, gen_type(&f->t.g.e, ST_I1), "") : v;
}

void rf_next_step(rs_fields *f) {
    rs_kernel *t = &f->t;
    for (size_t n = 0; n < scalar_number(f, f->step->nnests, 0); n++)
        if (f->scalars[n]) {
            LLVMValueRef more = parameter(f, STENCILRT_ARG_INCREMENT, n);
            LLVMValueRef next = LLVMBuildAdd(t->g.e.b, rs_get(t, f->scalars[n]), more, "");
            rs_set(t, f->scalars[n], next);
        }
    if (f->now)
        rs_set(t, f->now, gen_add32(&t->g.e, rs_get(t, f->now), 1));
}

/* Cells */

static LLVMValueRef element_at(rs_fields *f, stencilrt_parameter_kind kind, int32_t array,
                               LLVMValueRef x, LLVMValueRef y) {
    const gen_expr *e = &f->t.g.e;
    LLVMValueRef at = add64(f, LLVMBuildMul(e->b, y, stride(f, array), ""), x);
    return gen_element(e, f->t.g.element, pointer(f, kind, array), at);
}

/* i64: the nearest place along d that a step may read. */
static LLVMValueRef clamped(rs_fields *f, int d, int more) {
    rs_kernel *t = &f->t;
    LLVMValueRef at = gen_add32(&t->g.e, t->first[d], more);
    at = gen_greater(&t->g.e, at, gen_int32(&t->g.e, -t->reach[d]));
    at = gen_smaller(&t->g.e, gen_add32(&t->g.e, t->extent[d], t->reach[d] - 1), at);
    return gen_extend(&t->g.e, at);
}

void rf_load_all(rs_fields *f) {
    rs_kernel *t = &f->t;
    for (int32_t a = 0; a < (int32_t)f->step->narrays; a++)
        for (int row = 0; row < t->RY && f->place[a] >= 0; row++)
            for (int k = 0; k < t->V; k++) {
                LLVMValueRef from =
                    element_at(f, STENCILRT_ARG_SRC, a, clamped(f, 0, k), clamped(f, 1, row));
                rs_set(t, rf_cell(f, a, row, k), LLVMBuildLoad2(t->g.e.b, t->g.element, from, ""));
            }
    visit_loaded(f, false, load_once);
    visit_loaded(f, true, load_first);
}

static void store_cell(rs_fields *f, int row, int k) {
    rs_kernel *t = &f->t;
    LLVMBasicBlockRef after = rs_begin_if(t, rs_is_own(t, 0, k), "store.cell");
    LLVMValueRef x = gen_extend(&t->g.e, gen_add32(&t->g.e, t->first[0], k));
    LLVMValueRef y = gen_extend(&t->g.e, gen_add32(&t->g.e, t->first[1], row));
    for (int32_t a = 0; a < (int32_t)f->step->narrays; a++)
        if (f->place[a] >= 0)
            LLVMBuildStore(t->g.e.b, rs_get(t, rf_cell(f, a, row, k)),
                           element_at(f, STENCILRT_ARG_DST, a, x, y));
    gen_end_if(&t->g.e, after);
}

void rf_store_all(rs_fields *f) {
    rs_kernel *t = &f->t;
    for (int row = 0; row < t->RY; row++) {
        LLVMBasicBlockRef after = rs_begin_if(t, rs_is_own(t, 1, row), "store");
        for (int k = 0; k < t->V; k++)
            store_cell(f, row, k);
        gen_end_if(&t->g.e, after);
    }
}
