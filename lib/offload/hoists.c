/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loads in front of a region's loops what the loops read at fixed addresses: see
 * lib/prepare/hoist.h.
 */
#include "offload/emit.h"

#include "offload/place.h"
#include "prepare/hoist.h"

#include <stdlib.h>

static bool is_entry(const prep_hoists *h, LLVMValueRef value) {
    for (int i = 0; i < h->count; i++)
        if (h->entries[i].value == value)
            return true;
    return false;
}

/* Tests that a number has the value that detection took for it. */
static LLVMValueRef emit_unit(const rewriter *w, const prep_unit *u) {
    return LLVMBuildICmp(w->b, LLVMIntEQ, LLVMBuildFreeze(w->b, u->value, ""),
                         LLVMBuildFreeze(w->b, u->is, ""), "");
}

/* Tests all such numbers that are known before anything is loaded. */
static LLVMValueRef emit_outer_units(const rewriter *w) {
    prep_hoists *h = w->r->hoists;
    LLVMValueRef all = NULL;
    for (int i = 0; i < h->nunits; i++) {
        prep_unit *u = &h->units[i];
        u->missing = is_entry(h, u->value) + is_entry(h, u->is);
        if (u->missing == 0)
            all = emit_also(w, all, emit_unit(w, u));
    }
    return all;
}

/* Tests such numbers that are known once `v` was loaded. `stood` was the stand-in for v. */
static LLVMValueRef emit_units_of(const rewriter *w, LLVMValueRef stood, LLVMValueRef v,
                                  LLVMValueRef all) {
    prep_hoists *h = w->r->hoists;
    for (int i = 0; i < h->nunits; i++) {
        prep_unit *u = &h->units[i];
        if (u->value != stood && u->is != stood)
            continue;
        u->value = u->value == stood ? v : u->value;
        u->is = u->is == stood ? v : u->is;
        if (--u->missing == 0)
            all = emit_also(w, all, emit_unit(w, u));
    }
    return all;
}

/* Tests that arrays that are assigned to each other have equal shapes. */
static LLVMValueRef emit_equals(const rewriter *w, LLVMValueRef all) {
    const prep_hoists *h = w->r->hoists;
    for (int i = 0; i < h->nequals; i++) {
        const prep_equal *e = &h->equals[i];
        LLVMValueRef v = br_scev_expand(h->f, e->difference, emit_i64(w), w->before);
        LLVMIntPredicate p = e->differs ? LLVMIntNE : LLVMIntEQ;
        all = emit_also(w, all, LLVMBuildICmp(w->b, p, v, emit_int(w, 0), ""));
    }
    return all;
}

/* Adds guards to `all`. Of guards that the program tests before it loads the value, those that are
 * not in `all` yet; `done` says which are in it. */
static LLVMValueRef add_guards(rewriter *w, const prep_hoisted *e, uint64_t *done,
                               LLVMValueRef all) {
    host_region *r = w->r = w->sweeps[e->sweep];
    for (int g = 0; g < r->nguards; g++) {
        if ((*done >> g & 1) || !place_waits(r->hoists, e, &r->guards[g]))
            continue;
        LLVMValueRef c = emit_condition(w, r->guards[g].condition);
        all = emit_also(w, all, r->guards[g].holds ? c : LLVMBuildNot(w->b, c, ""));
        *done |= UINT64_C(1) << g;
    }
    if (r->stencil->every && !(*done >> HOST_MAX_GUARDS)) { /* at least one step loads the value */
        LLVMValueRef least = emit_int(w, (int64_t)r->stencil->phase + 1);
        all = emit_also(w, all, LLVMBuildICmp(w->b, LLVMIntUGE, emit_steps(w), least, ""));
        *done |= UINT64_C(1) << HOST_MAX_GUARDS;
    }
    w->r = w->sweeps[0];
    return all;
}

/* Replaces the stand-in by the value that was loaded, wherever it is used. */
static void replace(const rewriter *w, prep_hoisted *e, LLVMValueRef v) {
    LLVMValueRef stood = e->value;
    prep_hoists *h = w->r->hoists;
    e->value = NULL;
    for (int i = 0; i < h->nstarts; i++)
        h->starts[i].value = h->starts[i].value == stood ? v : h->starts[i].value;
    for (size_t k = 0; k < w->count; k++)
        for (size_t i = 0; i < w->sweeps[k]->stencil->nscalars; i++)
            if (w->sweeps[k]->scalars[i].value == stood)
                w->sweeps[k]->scalars[i].value = v;
    LLVMReplaceAllUsesWith(stood, v);
    LLVMInstructionEraseFromParent(stood);
}

/* Tests that each value, as loaded, is the one that the program has in the first step. */
static void emit_starts(rewriter *w) {
    const prep_hoists *h = w->r->hoists;
    for (int i = 0; h && i < h->nstarts; i++) {
        const prep_hoisted_start *s = &h->starts[i];
        LLVMValueRef same = LLVMBuildICmp(w->b, LLVMIntEQ, s->value, s->start, "");
        w->apart = emit_also(w, w->apart, LLVMBuildFreeze(w->b, same, ""));
    }
}

/* The address of an entry, for which stand-ins of values that are loaded later are what these are
 * in the first step. Code for it may go further out than the stand-ins' values will be. */
static br_scev first_address(const prep_hoists *h, const prep_hoisted *e) {
    br_scev address = e->address;
    for (int i = 0; i < h->count; i++) {
        LLVMValueRef value = h->entries[i].value;
        LLVMValueRef start = value ? prep_hoisted_start_of(h, value) : NULL;
        if (start && value != e->value)
            address = br_scev_with(h->f, address, value, start);
    }
    return address;
}

/* Before the value is loaded: replaces its stand-in, in guards of the first step, by the value that
 * it has in the first step. */
static void use_start(const rewriter *w, const prep_hoisted *e) {
    LLVMValueRef start = prep_hoisted_start_of(w->r->hoists, e->value);
    LLVMUseRef next = start ? LLVMGetFirstUse(e->value) : NULL;
    while (next) {
        LLVMValueRef user = LLVMGetUser(next);
        next = LLVMGetNextUse(next);
        if (LLVMGetInstructionParent(user) != LLVMGetInstructionParent(w->before))
            continue;
        for (int k = 0; k < LLVMGetNumOperands(user); k++)
            if (LLVMGetOperand(user, (unsigned)k) == e->value) {
                LLVMSetOperand(user, (unsigned)k, start);
                break; /* other operands of this user are other uses */
            }
    }
}

void emit_hoists(rewriter *w) {
    prep_hoists *h = w->r->hoists;
    uint64_t done[HOST_MAX_SWEEPS] = {0};
    LLVMValueRef all = h ? emit_outer_units(w) : NULL,
                 none = h ? emit_array(w, emit_i64(w), 1) : NULL;
    if (h)
        LLVMBuildStore(w->b, emit_int(w, 0), none);
    for (int i = 0; h && i < h->count; i++) {
        prep_hoisted *e = &h->entries[i];
        if (e->sweep >= 0)
            all = add_guards(w, e, &done[e->sweep], all);
        LLVMValueRef p = br_scev_expand(h->f, first_address(h, e), emit_pointer(w), w->before);
        w->hoisted_at[i] = LLVMBuildPtrToInt(w->b, p, emit_i64(w), "");
        use_start(w, e);
        p = all ? LLVMBuildSelect(w->b, all, p, none, "") : p;
        LLVMValueRef v = LLVMBuildLoad2(w->b, LLVMTypeOf(e->load), p, "");
        LLVMSetAlignment(v, e->alignment);
        /* A later value may be readable because this one was checked. */
        all = emit_units_of(w, e->value, v, all);
        replace(w, e, v);
    }
    emit_starts(w);
    if (h)
        w->expected = emit_equals(w, all);
}

/* Is the grid written? */
static bool is_written(const st_stencil *s, size_t grid) {
    bool is = (size_t)s->store_grid == grid;
    for (size_t i = 0; i < s->nalso; i++)
        is |= (size_t)s->also[i].grid == grid;
    return is;
}

/* Tests that none of the loaded values lies in this buffer of sweep k. */
static LLVMValueRef emit_apart_from(const rewriter *w, size_t k, size_t grid, int buffer) {
    LLVMValueRef ends[2], all = NULL;
    emit_bounds(w, k, grid, buffer, ends);
    for (int i = 0; i < w->r->hoists->count; i++) {
        LLVMValueRef at = w->hoisted_at[i], end = LLVMBuildAdd(w->b, at, emit_int(w, 8), "");
        LLVMValueRef apart = LLVMBuildOr(w->b, LLVMBuildICmp(w->b, LLVMIntULE, end, ends[0], ""),
                                         LLVMBuildICmp(w->b, LLVMIntUGE, at, ends[1], ""), "");
        all = all ? LLVMBuildAnd(w->b, all, apart, "") : apart;
    }
    return all;
}

void emit_hoists_apart(rewriter *w) {
    const prep_hoists *h = w->r->hoists;
    LLVMValueRef all = NULL;
    for (int i = 0; h && i < h->count; i++)
        emit_keep(w, w->hoisted_at[i]);
    if (w->has_tables)
        return;
    for (size_t k = 0; k < w->count && w->sweeps[0]->hoists; k++) {
        const st_stencil *s = w->sweeps[k]->stencil;
        w->r = w->sweeps[k];
        for (size_t g = 0; g < s->ngrids; g++)
            for (uint32_t b = 0; b < s->grids[g].buffers && is_written(s, g); b++) {
                LLVMValueRef apart = emit_apart_from(w, k, g, (int)b);
                all = all ? LLVMBuildAnd(w->b, all, apart, "") : apart;
            }
    }
    w->r = w->sweeps[0];
    if (all) /* the test may be poison where guards do not hold */
        w->apart = emit_also(w, LLVMBuildFreeze(w->b, all, ""),
                             w->apart ? w->apart : LLVMConstInt(LLVMTypeOf(all), 1, false));
    if (w->expected)
        w->apart = emit_also(w, w->expected,
                             w->apart ? w->apart : LLVMConstInt(LLVMTypeOf(w->expected), 1, false));
}
