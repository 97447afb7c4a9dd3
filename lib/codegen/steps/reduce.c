/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reductions in kernels of whole steps, where each step's reductions decide whether the loop
 * continues. A thread has a value for each level and reduction, from the cells that its tile
 * stores. Tiles store different cells, so each cell counts once. At the end these values become
 * numbers, as in cell kernels (codegen/reduce.c says how), and are added to the level's own slots.
 *
 * Traces are stored likewise: by the tile that stores the cell, in an element of the level's own.
 */
#include "codegen/reduce.h"
#include "codegen/steps/steps.h"

static const st_stencil *stencil_of(const steps *g, size_t sweep) {
    return g->step->sweeps[sweep].stencil;
}

size_t ws_reduced_count(const st_step *step) {
    size_t count = 0;
    for (size_t i = 0; i < step->nsweeps; i++)
        count += st_step_reduces(step, i) ? step->sweeps[i].stencil->nreductions : 0;
    return count;
}

/* Tiles */

/* Bits of the cells of row u that are in the sweep's domain along x, and in 3-D along y. */
static LLVMValueRef cells_in_domain(steps *g, size_t w, int u) {
    LLVMBuilderRef b = g->e.b;
    LLVMValueRef all = gen_int32(&g->e, 0), row = NULL;
    if (g->stream == 2)
        row = ws_is_in_domain(g, w, 1, gen_add32(&g->e, g->y0, u));
    for (int k = 0; k < g->V; k++) {
        LLVMValueRef in = ws_is_in_domain(g, w, 0, gen_add32(&g->e, g->x0, k));
        LLVMValueRef bit = gen_bit_if(&g->e, gen_both(&g->e, row, in), u * g->V + k);
        all = LLVMBuildOr(b, all, bit, "");
    }
    return all;
}

/* Bits of the thread's cells that the tile's columns have and that are in the sweep's domain. */
void ws_find_reduced_cells(steps *g) {
    LLVMBuilderRef b = g->e.b;
    LLVMValueRef cell = LLVMBuildMul(b, g->lane, gen_int32(&g->e, g->V), ""),
                 zero = gen_int32(&g->e, 0);
    g->owned = LLVMBuildICmp(b, LLVMIntULT, gen_add32(&g->e, cell, -g->p->halo[0]),
                             gen_int32(&g->e, g->p->tile[0]), "");
    for (size_t w = 0; w < g->step->nsweeps; w++) {
        g->counted[w] = zero;
        for (int u = 0; u < g->U && g->mode.x && st_step_reduces(g->step, w); u++)
            g->counted[w] = LLVMBuildOr(b, g->counted[w], cells_in_domain(g, w, u), "");
        g->counted[w] = LLVMBuildSelect(b, g->owned, g->counted[w], zero, "");
    }
}

/* i1: is the bit of the mask set? */
static LLVMValueRef has_bit(steps *g, LLVMValueRef mask, int number) {
    LLVMValueRef bit = LLVMBuildAnd(g->e.b, mask, gen_int32(&g->e, (int32_t)(1u << number)), "");
    return LLVMBuildICmp(g->e.b, LLVMIntNE, bit, gen_int32(&g->e, 0), "");
}

/* i1: are the row in hand's cells the chunk's, and made in this step? In 3-D: the tile's, too. The
 * lane's, if these columns are all in the domain. */
static LLVMValueRef row_counts(steps *g) {
    LLVMBuilderRef b = g->e.b;
    int32_t lag = g->level * g->d.lag + g->d.versions[g->made].lag;
    LLVMValueRef row = gen_add32(&g->e, g->at.row, -lag);
    LLVMValueRef counts = LLVMBuildICmp(b, LLVMIntULT, LLVMBuildSub(b, row, g->chunk0, ""),
                                        LLVMBuildSub(b, g->chunk1, g->chunk0, ""), "");
    if (g->mode.y)
        counts = LLVMBuildAnd(b, counts, ws_is_in_domain(g, g->sweep, g->stream, g->plane), "");
    if (g->stream == 2)
        counts = LLVMBuildAnd(b, counts, has_bit(g, g->stored_rows, g->row), "");
    return g->mode.x ? counts : LLVMBuildAnd(b, counts, g->owned, "");
}

static LLVMValueRef *held_at(steps *g, int level, size_t sweep, size_t i) {
    size_t number = i;
    for (size_t w = 0; w < sweep; w++)
        number += st_step_reduces(g->step, w) ? stencil_of(g, w)->nreductions : 0;
    return &g->reduced[(size_t)level * ws_reduced_count(g->step) + number];
}

/* The value of cell k; if the cell does not count, the value that leaves the result as it is. */
static LLVMValueRef counted_value(steps *g, size_t i, int k, LLVMValueRef v) {
    const st_stencil *s = stencil_of(g, g->sweep);
    LLVMTypeRef wide = gen_type(&g->e, gen_held_type(s, i));
    v = LLVMTypeOf(v) == wide ? v : LLVMBuildFPExt(g->e.b, v, wide, "");
    if (!g->mode.x)
        return v;
    LLVMValueRef mask = g->e.target->conceal(g->e.b, g->counted[g->sweep]);
    LLVMValueRef bit = has_bit(g, mask, g->stream == 2 ? g->row * g->V + k : k);
    return LLVMBuildSelect(g->e.b, bit, v, gen_held_none(&g->e, s, i), "");
}

void ws_reduce_row(steps *g, LLVMValueRef (*value)(steps *g, int32_t node, int k)) {
    const st_stencil *s = stencil_of(g, g->sweep);
    LLVMValueRef counts = row_counts(g);
    for (size_t i = 0; i < s->nreductions; i++) {
        LLVMValueRef *held = held_at(g, g->level, g->sweep, i), row = NULL;
        for (int k = 0; k < g->V; k++) {
            LLVMValueRef one = counted_value(g, i, k, value(g, s->reductions[i].root, k));
            row = row ? gen_held_join(&g->e, s, i, row, one) : one;
        }
        *held = LLVMBuildSelect(g->e.b, counts, gen_held_join(&g->e, s, i, *held, row), *held, "");
    }
}

/* The address of the level's element of the trace that cell k of the row in hand sets. */
static LLVMValueRef traced_element(steps *g, st_store store, int k) {
    const st_sweep *w = &g->step->sweeps[g->sweep];
    const st_stencil *s = w->stencil;
    int along = (int)s->grids[store.grid].along - 1;
    size_t array = (size_t)st_sweep_array(w, store.grid, store.level);
    LLVMTypeRef type = gen_type(&g->e, g->step->arrays[array].type);
    LLVMValueRef i = gen_int64(&g->e, 0);
    for (int d = 0; d < g->step->rank; d++) {
        LLVMValueRef c = d == along         ? gen_int64(&g->e, g->level)
                         : s->flat >> d & 1 ? gen_int64(&g->e, 0)
                                            : ws_coordinate(g, d, k);
        c = d > 0 ? LLVMBuildMul(g->e.b, c, ws_stride(g, array, d), "") : c;
        i = LLVMBuildAdd(g->e.b, i, c, "");
    }
    return gen_element(&g->e, type, ws_source(g, array), i);
}

void ws_trace_row(steps *g, LLVMValueRef (*value)(steps *g, int32_t node, int k)) {
    LLVMBuilderRef b = g->e.b;
    const st_sweep *w = &g->step->sweeps[g->sweep];
    st_store store = st_sweep_store(w, 0);
    LLVMValueRef row = LLVMBuildAnd(b, row_counts(g), g->owned, ""), values[PLAN_STREAM_CELLS];
    size_t size = st_type_size(g->step->arrays[st_sweep_array(w, store.grid, store.level)].type);
    if (g->stream == 2)
        row = LLVMBuildAnd(b, row, ws_is_in_domain(g, g->sweep, 1, gen_add32(&g->e, g->y0, g->row)),
                           "");
    for (int k = 0; k < g->V; k++)
        values[k] = value(g, store.root, k);
    for (int k = 0; k < g->V; k++) {
        LLVMValueRef in = ws_is_in_domain(g, g->sweep, 0, gen_add32(&g->e, g->x0, k));
        LLVMBasicBlockRef next =
            gen_begin_if(&g->e, g->function, LLVMBuildAnd(b, row, in, ""), "trace", "traced");
        gen_store(&g->e, values[k], traced_element(g, store, k), size);
        gen_end_if(&g->e, next);
    }
}

void ws_visit_reduced(steps *g, ws_visit *f, void *context) {
    for (int level = 0; level < g->p->bt; level++)
        for (size_t w = 0; w < g->step->nsweeps; w++)
            for (size_t i = 0; st_step_reduces(g->step, w) && i < stencil_of(g, w)->nreductions;
                 i++)
                f(g, held_at(g, level, w, i), gen_type(&g->e, gen_held_type(stencil_of(g, w), i)),
                  context);
}

void ws_begin_reduced(steps *g) {
    for (int level = 0; level < g->p->bt; level++)
        for (size_t w = 0; w < g->step->nsweeps; w++)
            for (size_t i = 0; st_step_reduces(g->step, w) && i < stencil_of(g, w)->nreductions;
                 i++)
                *held_at(g, level, w, i) = gen_held_none(&g->e, stencil_of(g, w), i);
}

/* Slots */

/* The slots of a level's reduction: those of a step are in the order of the sweeps. */
static LLVMValueRef slots_of(steps *g, int level, size_t sweep, size_t i) {
    size_t all = 0, before = i;
    for (size_t w = 0; w < g->step->nsweeps; w++) {
        all += stencil_of(g, w)->nreductions;
        before += w < sweep ? stencil_of(g, w)->nreductions : 0;
    }
    LLVMValueRef at = gen_int64(&g->e, (int64_t)(((size_t)level * all + before) * STENCILRT_SLOTS));
    LLVMValueRef slots = gen_parameter(g->function, g->p, STENCILRT_ARG_REDUCED, 0);
    return gen_element(&g->e, gen_i64(&g->e), slots, at);
}

static void add_sweep(steps *g, int level, size_t w, LLVMValueRef slot) {
    const st_stencil *s = stencil_of(g, w);
    for (size_t i = 0; i < s->nreductions; i++) {
        LLVMValueRef number = gen_held_number(&g->e, s, i, *held_at(g, level, w, i));
        number = gen_reduce_lanes(&g->e, s, i, number);
        LLVMValueRef lane = LLVMBuildAnd(g->e.b, g->lane, gen_int32(&g->e, 31), "");
        lane = LLVMBuildICmp(g->e.b, LLVMIntEQ, lane, gen_int32(&g->e, 0), "");
        LLVMBasicBlockRef next = gen_begin_if(&g->e, g->function, lane, "first", "reduced");
        gen_reduce_add(&g->e, s, i, slots_of(g, level, w, i), slot, number);
        gen_end_if(&g->e, next);
    }
}

void ws_add_reduced(steps *g) {
    if (ws_reduced_count(g->step) == 0)
        return;
    LLVMValueRef slot = gen_reduce_slot(&g->e, g->thread, g->p->block);
    for (int level = 0; level < g->p->bt; level++)
        for (size_t w = 0; w < g->step->nsweeps; w++)
            if (st_step_reduces(g->step, w))
                add_sweep(g, level, w, slot);
}
