/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Threads that compute several cells, each by a store of its own, as unrolled loops do.
 *
 * Stores are either those of one cell, to several arrays or to one element under conditions; or a
 * statement each. They are the same statement if they write neighbouring cells, a thread's next
 * ones begin where its own end, and what is found for each of them alone is the same. Their guards
 * may differ only by guards that hold anyway for the cells of stores that lack them.
 */
#include "detect/common/calls.h"
#include "detect/kernel/stages.h"

#include <string.h>

static bool refuse_stores(kernel_region *k) {
    return kernel_refuse(k, ST_NO_KERNEL_STORES, KERNEL_SEVERAL_ELEMENTS);
}

static bool distance(kernel_region *k, LLVMValueRef from, LLVMValueRef to, poly *out) {
    poly a, b;
    if (!kernel_poly(&k->maybe, br_scev_of(k->f, LLVMGetOperand(from, 1)), &a) ||
        !kernel_poly(&k->maybe, br_scev_of(k->f, LLVMGetOperand(to, 1)), &b))
        return false;
    *out = poly_sub(b, a);
    return poly_is_known(*out) && !kernel_varies(k->values, *out);
}

/* Are all stores at 0, 1, 2, ... units from `first`, one store each? */
static bool sort_from(kernel_region *k, LLVMValueRef first, poly unit, LLVMValueRef sorted[]) {
    poly apart, times;
    int64_t number;
    memset(sorted, 0, KERNEL_MAX_CELLS * sizeof *sorted);
    for (int i = 0; i < k->nstores; i++) {
        if (!distance(k, first, k->stores[i], &apart) || !poly_quotient(apart, unit, &times) ||
            !poly_is_int(times, &number) || number < 0 || number >= k->nstores || sorted[number])
            return false;
        sorted[number] = k->stores[i];
    }
    return true;
}

static bool sort_stores(kernel_region *k) {
    LLVMValueRef sorted[KERNEL_MAX_CELLS];
    poly unit;
    for (int i = 0; i < k->nstores; i++)
        for (int j = 0; j < k->nstores; j++)
            if (i != j && distance(k, k->stores[i], k->stores[j], &unit) && !poly_is_zero(unit) &&
                sort_from(k, k->stores[i], unit, sorted)) {
                memcpy(k->stores, sorted, sizeof sorted);
                return true;
            }
    return false;
}

static bool is_own_memory(LLVMValueRef store) {
    return LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(store, 1))) == TG_STACK;
}

/* How many roots the store's address has. */
static int roots_of(kernel_region *k, LLVMValueRef store) {
    poly p;
    int count = 0;
    if (kernel_poly(&k->maybe, br_scev_of(k->f, LLVMGetOperand(store, 1)), &p))
        for (int i = 0; i < k->values->nroots; i++)
            count += kernel_has_root(p, kernel_root_atom(&k->values->roots[i]));
    return count;
}

/* The first store is one that moves with all coordinates: under `if (y == 0)` LLVM may have put 0
 * for y. */
static void put_first(kernel_region *k) {
    for (int i = 1; i < k->nstores; i++)
        if (roots_of(k, k->stores[i]) > roots_of(k, k->stores[0])) {
            LLVMValueRef first = k->stores[i];
            k->stores[i] = k->stores[0];
            k->stores[0] = first;
        }
}

/* Takes all stores as those of one cell: to several arrays, or one after the other to the same
 * element. */
static void take_as_one(kernel_region *k) {
    put_first(k);
    k->store = k->stores[0];
    k->nalso = k->nstores - 1;
    memcpy(k->also, k->stores + 1, (size_t)k->nalso * sizeof *k->also);
    k->nstores = 1;
}

bool kernel_choose_store(kernel_region *k) {
    for (int i = 0; i < k->nstores; i++)
        if (is_own_memory(k->stores[i]))
            return kernel_refuse(k, ST_NO_KERNEL_STORES,
                                 "an array of its own in each thread (local memory)");
    if (k->nstores > 1 && (k->as_one || !sort_stores(k)))
        take_as_one(k);
    else
        k->store = k->stores[k->cell];
    return true;
}

bool kernel_writes_several(kernel_region *k) {
    poly apart;
    bool several = false;
    for (int i = 1; i < k->nstores && distance(k, k->stores[0], k->stores[i], &apart); i++)
        for (int t = 0; t < poly_count(apart); t++)
            for (int a = 0; a < poly_terms(apart)[t].degree; a++)
                several |= br_scev_is_pointer(poly_terms(apart)[t].atoms[a]);
    return several;
}

bool kernel_unit(kernel_region *k, poly *unit) {
    return distance(k, k->stores[0], k->stores[1], unit);
}

/* Does bound b say at least what a says? */
static bool implies(const kernel_bound *b, const kernel_bound *a) {
    poly more;
    int64_t number;
    if (a->axis != b->axis || a->relation != b->relation)
        return false;
    more = a->relation == KERNEL_AT_LEAST ? poly_sub(b->limit, a->limit)
                                          : poly_sub(a->limit, b->limit);
    return poly_is_int(more, &number) && (number == 0 || (number > 0 && a->relation != KERNEL_NOT));
}

/* Do the bounds of k hold for the cells of `other`, too? A thread's cell number 2 is never cell 0
 * or 1 of the axis, so that no bound need say so. */
static bool holds_in(const kernel_region *k, const kernel_region *other) {
    for (int i = 0; i < k->nbounds; i++) {
        const kernel_bound *a = &k->bounds[i];
        int64_t number;
        bool good = a->axis == k->cells_axis && a->relation == KERNEL_AT_LEAST &&
                    poly_is_int(a->limit, &number) && (number <= other->cell || number <= k->cell);
        for (int j = 0; j < other->nbounds && !good; j++)
            good = implies(&other->bounds[j], a);
        if (!good)
            return false;
    }
    return true;
}

static bool same_uniform(const kernel_region *a, const kernel_region *b) {
    bool same = a->nuniform == b->nuniform;
    for (int i = 0; i < a->nuniform && same; i++)
        same = a->uniform[i].condition == b->uniform[i].condition &&
               a->uniform[i].holds == b->uniform[i].holds;
    return same;
}

static bool same_axes(const kernel_region *a, const kernel_region *b) {
    bool same = a->naxes == b->naxes && a->shape == b->shape && a->cells == b->cells &&
                a->cells_axis == b->cells_axis;
    for (int i = 0; i < a->naxes && same; i++) {
        const kernel_root *x = kernel_root_of(a->values, a->axes[i].lead);
        const kernel_root *y = kernel_root_of(b->values, b->axes[i].lead);
        same = x->role == y->role && x->dim == y->dim && x->loop == y->loop &&
               a->axes[i].scale == b->axes[i].scale && a->axes[i].width == b->axes[i].width &&
               a->dim_of_axis[i] == b->dim_of_axis[i];
        for (int side = 0; side < 2 && same; side++) {
            const kernel_face *f = &a->faces[i][side], *g = &b->faces[i][side];
            same = f->rule == g->rule &&
                   (f->rule == ST_NO_RULE || poly_equal(f->limit, g->limit)) &&
                   (f->rule != ST_WRAP || poly_equal(f->period, g->period));
        }
    }
    return same;
}

static bool same_values(const kernel_region *a, const kernel_region *b) {
    bool same = true;
    for (size_t i = 0; i < a->stencil->ngrids && same; i++) {
        same = poly_equal(a->grids[i].origin[0], b->grids[i].origin[0]);
        for (int d = 0; d < ST_MAX_RANK && same; d++)
            same = poly_equal(a->grids[i].stride[d], b->grids[i].stride[d]);
    }
    for (size_t i = 0; i < a->stencil->nscalars && same; i++) {
        const host_scalar *x = &a->scalars[i], *y = &b->scalars[i];
        same = x->value == y->value &&
               (x->value || (poly_equal(x->start, y->start) && poly_equal(x->step, y->step)));
    }
    for (size_t i = 0; i < a->stencil->ncalls && same; i++)
        same = host_same_operation(a->calls[i], b->calls[i]);
    return same;
}

static bool add_narrow(kernel_region *k, const kernel_region *other) {
    const kernel_values *v = other->values;
    bool good = true;
    for (int i = 0; i < v->nnarrow && good; i++) {
        k->values->assumed = v->narrow[i].under;
        good = kernel_note_narrow(&k->ask, v->narrow[i].value, v->narrow[i].is_signed);
    }
    k->values->assumed.count = 0;
    return good;
}

bool kernel_add_cell(kernel_region *k, const kernel_region *other) {
    const st_stencil *s = k->stencil, *t = other->stencil;
    if (!t || !st_equal(s, t) || !same_values(k, other) || !same_axes(k, other) ||
        !same_uniform(k, other))
        return refuse_stores(k);
    if (!holds_in(k, other) || !holds_in(other, k))
        return kernel_refuse(k, ST_NO_KERNEL_GUARD, "it differs for the cells of one thread");
    for (int i = 0; i < other->values->nneeds; i++)
        if (!kernel_need(k->values, other->values->needs[i]))
            return refuse_stores(k);
    if (!add_narrow(k, other))
        return false;
    k->may_overlap |= other->may_overlap;
    return true;
}
