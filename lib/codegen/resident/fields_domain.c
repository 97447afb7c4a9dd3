/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where the sweeps of a resident kernel make cells. Cells elsewhere keep their values.
 */
#include "codegen/resident/fields.h"

#include "model/number.h"

/* The extent, so many cells added; or the cell of this number. */
static LLVMValueRef at_face(rs_fields *f, int d, bool high, int cells) {
    rs_kernel *t = &f->t;
    return high ? gen_add32(&t->g.e, t->extent[d], cells) : gen_int32(&t->g.e, cells);
}

LLVMValueRef rf_first(rs_fields *f, const st_sweep *w, int d) {
    bool high = w->at_high >> d & 1;
    return at_face(f, d, high, st_sweep_shift(w)[d] + (high ? -w->low[d] : w->low[d]));
}

LLVMValueRef rf_end(rs_fields *f, const st_sweep *w, int d) {
    bool low = w->at_low >> d & 1;
    return at_face(f, d, !low, st_sweep_shift(w)[d] + (low ? w->high[d] : -w->high[d]));
}

void rf_find_inside(rs_fields *f) {
    rs_kernel *t = &f->t;
    LLVMBuilderRef b = t->g.e.b;
    for (size_t i = 0; i < f->step->nsweeps; i++) {
        const st_sweep *w = &f->step->sweeps[i];
        LLVMValueRef x = rs_between(t, t->first[0], rf_first(f, w, 0), rf_end(f, w, 0), t->V);
        LLVMValueRef y = rs_between(t, t->first[1], rf_first(f, w, 1), rf_end(f, w, 1), t->RY);
        x = LLVMBuildShl(b, x, gen_int32(&t->g.e, t->RY), "");
        f->inside[i] = LLVMBuildOr(b, x, y, "");
    }
}

/* Do sweeps read cells beyond the box along d that the program has, and no step writes? */
static bool reads_beyond(const rs_fields *f, int d) {
    bool reads = false;
    for (size_t i = 0; i < f->step->nsweeps && !reads; i++) {
        const st_sweep *w = &f->step->sweeps[i];
        for (size_t j = 0; j < w->stencil->naccesses && !reads; j++) {
            int32_t o[ST_MAX_RANK], shift = st_sweep_shift(w)[d];
            st_sweep_offset(w, (int32_t)j, o);
            bool low = o[d] + shift + w->low[d] < 0 && !(w->at_high >> d & 1);
            bool high = o[d] + shift - w->high[d] > 0 && !(w->at_low >> d & 1);
            reads = (low || high) && st_sweep_stores(w) > 0 && st_sweep_reads(w, (int32_t)j);
        }
    }
    return reads;
}

bool rf_leaves_cells(const rs_fields *f, size_t sweep, int d) {
    const st_sweep *w = &f->step->sweeps[sweep];
    int shift = st_sweep_shift(w)[d];
    return (w->at_low | w->at_high) >> d & 1 || w->low[d] + shift > 0 || w->high[d] - shift > 0 ||
           reads_beyond(f, d);
}

bool rf_is_elsewhere(const rs_fields *f, size_t sweep) {
    const st_sweep *w = &f->step->sweeps[sweep];
    uint32_t layers = w->at_low | w->at_high;
    return f->body == RF_INNER ? layers != 0 : f->body == RF_SIDE && layers >> 1 & 1;
}

/* From the box's faces along d: how many cells some sweep leaves out, or makes and others do not.
 */
static void find_bounds(const rs_fields *f, int d, int bounds[2]) {
    bounds[0] = bounds[1] = 0;
    for (size_t i = 0; i < f->step->nsweeps; i++) {
        const st_sweep *w = &f->step->sweeps[i];
        int shift = st_sweep_shift(w)[d];
        if (w->at_low >> d & 1)
            bounds[0] = st_max32(bounds[0], w->high[d] + shift);
        else if (w->at_high >> d & 1)
            bounds[1] = st_max32(bounds[1], w->low[d] - shift);
        else {
            bounds[0] = st_max32(bounds[0], w->low[d] + shift);
            bounds[1] = st_max32(bounds[1], w->high[d] - shift);
        }
    }
}

/* i1: are some of `count` cells from this one on near a face of the box, or beyond it? */
static LLVMValueRef is_near(rs_fields *f, int d, LLVMValueRef first, LLVMValueRef count) {
    rs_kernel *t = &f->t;
    int bounds[2];
    find_bounds(f, d, bounds);
    LLVMValueRef end = LLVMBuildAdd(t->g.e.b, first, count, "");
    LLVMValueRef last = gen_add32(&t->g.e, t->extent[d], -bounds[1]);
    return LLVMBuildOr(t->g.e.b, gen_less(&t->g.e, first, gen_int32(&t->g.e, bounds[0])),
                       gen_less(&t->g.e, last, end), "");
}

static bool takes_turns(const st_step *step) {
    bool takes = false;
    for (size_t a = 0; a < step->narrays; a++)
        takes = takes || step->arrays[a].becomes != (int32_t)a;
    return takes;
}

/* Two arrays that become each other change places also in cells that no step writes. So warps work
 * that have nothing but such cells, as far as steps read them. */
static void wake_halo(rs_fields *f) {
    rs_kernel *t = &f->t;
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef reach = gen_int32(&t->g.e, t->reach[1]);
    LLVMValueRef used = gen_times32(&t->g.e, t->margin[1], 2);
    used = LLVMBuildAdd(b, used, t->own[1], "");
    LLVMValueRef last = LLVMBuildAdd(b, t->extent[1], reach, "");
    LLVMValueRef least = gen_int32(&t->g.e, -t->reach[1] - t->RY);
    LLVMValueRef parts[] = {gen_less(&t->g.e, least, t->first[1]),
                            gen_less(&t->g.e, t->first[1], last),
                            gen_less(&t->g.e, t->in_tile[1], used)};
    t->alive = rs_all(t, parts, 3);
}

void rf_look_at_border(rs_fields *f) {
    rs_kernel *t = &f->t;
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef left = LLVMBuildSub(b, t->first[0], t->in_tile[0], "");
    LLVMValueRef margins = gen_times32(&t->g.e, t->margin[0], 2);
    LLVMValueRef used = LLVMBuildAdd(b, t->own[0], margins, "");
    f->columns_near = is_near(f, 0, left, used);
    f->rows_near = is_near(f, 1, t->first[1], gen_int32(&t->g.e, t->RY));
    if (takes_turns(f->step))
        wake_halo(f);
}
