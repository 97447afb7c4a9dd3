/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes the list of values that the program computes in front of the loops: sizes, addresses,
 * strides, scalars, checks. Each has a role, and a form that says how it is computed.
 */
#include "offload/list.h"

#include "offload/tail.h"

#include <stdlib.h>

/* The list */

static list_value *add(list *l, list_role role, size_t sweep, size_t index, list_form form) {
    if (l->count == l->room) {
        l->room = 2 * l->room + 64;
        l->at = realloc(l->at, l->room * sizeof *l->at);
    }
    list_value *v = &l->at[l->count++];
    *v = (list_value){.role = role, .sweep = sweep, .index = index, .form = form};
    return v;
}

static void add_number(list *l, list_role role, size_t sweep, size_t index, poly p) {
    add(l, role, sweep, index, LIST_NUMBER)->poly = p;
}

static void add_address(list *l, list_role role, size_t sweep, size_t index, poly p) {
    add(l, role, sweep, index, LIST_ADDRESS)->poly = p;
}

static void add_literal(list *l, list_role role, size_t sweep, size_t index, int64_t literal) {
    add(l, role, sweep, index, LIST_LITERAL)->literal = literal;
}

static void add_iterations(list *l, list_role role, size_t sweep, size_t index, br_loop loop,
                           br_scev backedges) {
    list_value *v = add(l, role, sweep, index, LIST_ITERATIONS);
    v->loop = loop;
    v->scev = backedges;
}

static void add_loops(list *l, const host_region *r, size_t sweep) {
    for (int i = 0; i < r->nloops; i++)
        if (r->count[i])
            add_iterations(l, LIST_COUNT, sweep, (size_t)i, r->loops[i], r->count[i]);
    for (int i = 0; i < r->nguards; i++)
        add(l, LIST_GUARD, sweep, (size_t)i, LIST_TRUTH)->value = r->guards[i].condition;
    for (int d = 0; d < ST_MAX_RANK; d++)
        if (r->implied >> d & 1)
            add_number(l, LIST_EXTENT, sweep, (size_t)d, r->implied_extent[d]);
}

static void add_grids(list *l, const host_region *r, size_t sweep) {
    const st_stencil *s = r->stencil;
    size_t buffer = 0;
    for (size_t g = 0; g < s->ngrids; g++) {
        for (uint32_t k = 0; k < s->grids[g].buffers; k++)
            add_address(l, LIST_ORIGIN, sweep, buffer++, r->grids[g].origin[k]);
        for (size_t d = 0; d < ST_MAX_RANK; d++)
            add_number(l, LIST_STRIDE, sweep, ST_MAX_RANK * g + d, r->grids[g].stride[d]);
    }
}

static void add_scalars(list *l, const host_region *r, size_t sweep) {
    const st_stencil *s = r->stencil;
    size_t slot = 0;
    for (size_t i = 0; i < s->nscalars; i++) {
        const host_scalar *h = &r->scalars[i];
        if (s->scalars[i].followed)
            add(l, LIST_SCALAR, sweep, slot++, LIST_FOLLOWED)->literal = (int64_t)i;
        else if (h->value)
            add(l, LIST_SCALAR, sweep, slot++, LIST_BITS)->value = h->value;
        else
            add_number(l, LIST_SCALAR, sweep, slot++, h->start);
        if (s->scalars[i].stepped)
            add_number(l, LIST_SCALAR, sweep, slot++, h->step);
    }
}

static void add_copy(list *l, const host_copy *c, size_t sweep) {
    add_address(l, LIST_COPY, sweep, AT(copy, to), c->to);
    add_address(l, LIST_COPY, sweep, AT(copy, from), c->from);
    add_number(l, LIST_COPY, sweep, AT(copy, bytes), c->bytes);
    for (int i = 0; i < c->nloops; i++) {
        size_t d = (size_t)i;
        add_iterations(l, LIST_COPY, sweep, AT(copy, count) + d, c->loops[i], c->count[i]);
        add_number(l, LIST_COPY, sweep, AT(copy, step) + d, c->step[i]);
    }
    for (size_t d = (size_t)c->nloops; d < ST_MAX_RANK; d++)
        add_literal(l, LIST_COPY, sweep, AT(copy, count) + d, 1);
}

/* Addresses and ranges that are checked before the program decides whether the loops run on the
 * device. */
static void add_checks(list *l, const host_region *r, size_t sweep) {
    for (int i = 0; i < r->nloads; i++)
        add_address(l, LIST_LOAD, sweep, (size_t)i, r->loads[i].address);
    for (int i = 0; i < r->nranges; i++) {
        add_number(l, LIST_RANGE, sweep, (size_t)i, r->ranges[i].index.base);
        for (int k = 0; k < r->nloops; k++)
            add_number(l, LIST_RANGE, sweep, (size_t)i, r->ranges[i].index.step[k]);
    }
}

static void add_expression(list *l, size_t index, br_scev e, bool is_read) {
    add(l, LIST_HOIST, 0, index, is_read ? LIST_ADDRESS : LIST_VALUE)->scev = e;
}

static void add_hoists(list *l, const prep_hoists *h) {
    for (int i = 0; h && i < h->count; i++)
        add_expression(l, (size_t)i, h->entries[i].address, true);
    for (int i = 0; h && i < h->nunits; i++) {
        add_expression(l, (size_t)i, br_scev_of(h->f, h->units[i].value), false);
        add_expression(l, (size_t)i, br_scev_of(h->f, h->units[i].is), false);
    }
    for (int i = 0; h && i < h->nequals; i++)
        add_expression(l, (size_t)i, h->equals[i].difference, false);
}

/* A loop that stops by itself may not come to a later step. */
static int64_t doubt_of(const host_table_use *u, bool stops) {
    return u->unsure ? 1 : stops && u->step > 0 ? STENCILRT_LATER : 0;
}

static void add_tables(list *l, const host_tables *t, bool stops) {
    for (int i = 0; i < t->nuses; i++) {
        const host_table *table = &t->table[t->use[i].table];
        size_t sweep = (size_t)t->use[i].sweep, first = (size_t)i * SLOTS(table);
        add_address(l, LIST_TABLE, sweep, first + AT(table, pointers), table->base);
        add_literal(l, LIST_TABLE, sweep, first + AT(table, number), t->use[i].table);
        add_literal(l, LIST_TABLE, sweep, first + AT(table, planes), table->planes);
        add_number(l, LIST_TABLE, sweep, first + AT(table, skip), table->skip);
        for (size_t k = 0; k < 2; k++)
            add_literal(l, LIST_TABLE, sweep, first + AT(table, step) + k, table->step[k]);
        add_literal(l, LIST_TABLE, sweep, first + AT(table, unsure), doubt_of(&t->use[i], stops));
    }
    for (int i = 0; i < t->nfixed; i++)
        add_number(l, LIST_ROW, 0, (size_t)i, t->fixed[i]);
}

list list_values(const rewriter *w) {
    list l = {NULL, 0, 0};
    for (size_t k = 0; k < w->count; k++) {
        const host_region *r = w->sweeps[k];
        add_loops(&l, r, k);
        add_grids(&l, r, k);
        add_checks(&l, r, k);
        add_scalars(&l, r, k);
        if (r->copies_back)
            add_copy(&l, &r->copy, k);
    }
    add_hoists(&l, w->sweeps[0]->hoists);
    const host_steps *steps = w->sweeps[0]->steps;
    add_tables(&l, host_tables_of(w->sweeps[0]), steps && steps->stops);
    return l;
}

void list_free(list *l) {
    free(l->at);
}

/* Can the value be computed in front of the loops? */

bool list_expandable(const rewriter *w, const list_value *v) {
    br_function *f = w->sweeps[v->sweep]->f;
    bool good = true;
    for (int i = 0; i < poly_count(v->poly); i++)
        for (int k = 0; k < poly_terms(v->poly)[i].degree; k++)
            good = good && br_scev_expandable(f, poly_terms(v->poly)[i].atoms[k], w->before);
    if (v->form == LIST_TRUTH && host_in_loop(w->sweeps[v->sweep]->outer, v->value))
        good = good && br_scev_expandable(f, br_scev_of(f, v->value), w->before);
    return good && (!v->scev || br_scev_expandable(f, v->scev, w->before));
}

bool list_is_read(const list_value *v) {
    return v->role == LIST_LOAD ||
           ((v->role == LIST_HOIST || v->role == LIST_TABLE) && v->form == LIST_ADDRESS);
}

static bool depends(br_scev s, LLVMValueRef on) {
    if (br_scev_kind(s) == BR_CONSTANT)
        return false;
    if (br_scev_kind(s) == BR_UNKNOWN)
        return br_scev_value(s) == on;
    bool does = false;
    for (size_t i = 0; i < br_scev_count(s); i++)
        does |= depends(br_scev_operand(s, i), on);
    return does;
}

bool list_depends(const list_value *v, LLVMValueRef on) {
    bool does = v->scev && depends(v->scev, on);
    for (int i = 0; i < poly_count(v->poly); i++)
        for (int k = 0; k < poly_terms(v->poly)[i].degree; k++)
            does |= depends(poly_terms(v->poly)[i].atoms[k], on);
    return does;
}

/* Code */

static LLVMValueRef emit_bits(const rewriter *w, LLVMValueRef v) {
    LLVMTypeRef t = LLVMTypeOf(v);
    if (LLVMGetTypeKind(t) == LLVMFloatTypeKind)
        v = LLVMBuildBitCast(w->b, v, LLVMInt32TypeInContext(w->c), "");
    if (LLVMGetTypeKind(t) == LLVMDoubleTypeKind)
        v = LLVMBuildBitCast(w->b, v, emit_i64(w), "");
    return LLVMTypeOf(v) == emit_i64(w) ? v : LLVMBuildZExt(w->b, v, emit_i64(w), "");
}

LLVMValueRef list_emit(const rewriter *w, const list_value *v) {
    switch (v->form) {
    case LIST_NUMBER:
        return emit_poly(w, v->poly);
    case LIST_ADDRESS:
        return emit_address(w, v->poly);
    case LIST_BITS:
        return emit_bits(w, v->value);
    case LIST_FOLLOWED:
        return tail_followed_at(w, w->sweeps[v->sweep], (size_t)v->literal);
    case LIST_ITERATIONS:
        return emit_iterations(w, v->loop, v->scev);
    case LIST_LITERAL:
        return emit_int(w, v->literal);
    case LIST_TRUTH:
        return emit_condition(w, v->value);
    case LIST_VALUE:
        break;
    }
    return NULL;
}

void list_emit_role(const rewriter *w, const list *l, list_role role, size_t sweep,
                    LLVMValueRef *out) {
    for (size_t i = 0; i < l->count; i++)
        if (l->at[i].role == role && l->at[i].sweep == sweep)
            out[l->at[i].index] = list_emit(w, &l->at[i]);
}
