/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What an iteration stores. A nest by itself has one store; one of several sweeps, and a thread of
 * a kernel, may have more, under conditions, and load in between what they stored. A cell's value
 * in the end is that of its last store, or where that does not run, of the one before, and so on to
 * what was there. A GPU kernel's new body stores nothing where the kernel runs none of its stores,
 * so the expression's value does not matter there.
 */
#include "detect/common/flow.h"
#include "detect/host/loads.h"
#include "detect/host/order.h"
#include "detect/host/region.h"
#include "detect/host/slice.h"

static LLVMValueRef store_number(const slice *b, int i) {
    return i > 0 ? b->r->also[i - 1] : b->r->store;
}

static bool writes_cell(const slice *b, int i, int32_t grid, int32_t level) {
    const st_stencil *s = b->s;
    return i > 0 ? s->also[i - 1].grid == grid && s->also[i - 1].level == level
                 : s->store_grid == grid && s->store_level == level;
}

/* In an order in which they may run; of two in branches of which one is taken, either may be first.
 */
bool slice_order_stores(slice *b) {
    uint64_t done = 0;
    for (int n = 0; n <= b->r->nalso; n++) {
        bool found = false;
        for (int i = 0; i <= b->r->nalso && !found; i++) {
            found = !(done >> i & 1);
            for (int k = 0; k <= b->r->nalso && found; k++)
                found = k == i || (done >> k & 1) ||
                        !host_comes_after(b->r, store_number(b, i), store_number(b, k));
            b->order[n] = i;
        }
        if (!found)
            return host_refuse(b->r, ST_NO_CONTROL_FLOW, "which store comes first");
        done |= UINT64_C(1) << b->order[n];
    }
    return true;
}

/* The last of the first `count` stores, in their order, to the cell; -1: none. Given a load, of
 * those that may come before it. */
static int last_store(const slice *b, int count, LLVMValueRef load, int32_t grid, int32_t level) {
    while (count-- > 0) {
        int i = b->order[count];
        if (writes_cell(b, i, grid, level) &&
            (!load || host_comes_after(b->r, load, store_number(b, i))))
            return count;
    }
    return -1;
}

/* What is in the cell after the store at this place in their order, which may run under a
 * condition. */
static int32_t stored(slice *b, int place, int32_t grid, int32_t level, bool needs_old) {
    LLVMValueRef store = store_number(b, b->order[place]);
    int32_t value = slice_value(b, LLVMGetOperand(store, 0)), runs = SLICE_ALWAYS, old;
    if (value >= 0 && host_is_masked(b->r, b->order[place]))
        runs = slice_runs(b, LLVMGetInstructionParent(store));
    if (value < 0 || runs == SLICE_ALWAYS)
        return value;
    int before = last_store(b, place, NULL, grid, level);
    st_access own = {.grid = grid, .level = level, .conditional = true, .where = -1};
    if (runs < 0 || (before < 0 && !needs_old))
        return runs < 0 ? -1 : value;
    if (before >= 0)
        old = stored(b, before, grid, level, needs_old);
    else
        old = st_leaf(b->s, ST_ACCESS, b->s->grids[grid].type, st_add_access(b->s, own));
    return old < 0 ? -1 : slice_choose(b, runs, value, old);
}

/* A kernel's load of another array than one that may have been written by then. */
static void note_late(slice *b, LLVMValueRef load, int32_t grid) {
    for (int i = 0; i <= b->r->nalso && b->r->form && !b->r->match.late; i++) {
        int32_t written = i > 0 ? b->s->also[i - 1].grid : b->s->store_grid;
        b->r->match.late = written != grid && host_comes_after(b->r, load, store_number(b, i));
    }
}

int32_t slice_own_cell(slice *b, LLVMValueRef load, int32_t node, int shift) {
    const st_access *a = &b->s->accesses[b->s->nodes[node].index];
    int32_t grid = a->grid, level = a->level;
    bool own = !a->offset[0] && !a->offset[1] && !a->offset[2] && shift == 0;
    note_late(b, load, grid);
    if (!own || !(b->r->steps || b->r->form) || b->r->measures)
        return node;
    int last = last_store(b, b->r->nalso + 1, load, grid, level);
    return last >= 0 ? stored(b, last, grid, level, true) : node;
}

/* Where a kernel stores to the cell: a node, or SLICE_ALWAYS. */
static int32_t store_condition(slice *b, const st_store *cell) {
    LLVMValueRef stores[HOST_MAX_STORES + 1];
    int32_t any = -1;
    int count = 0;
    for (int i = 0; i <= b->r->nalso; i++)
        if (writes_cell(b, i, cell->grid, cell->level))
            stores[count++] = store_number(b, i);
    if (b->r->form->covers(b->r->form->context, stores, count))
        return SLICE_ALWAYS;
    for (int i = 0; i < count; i++) {
        int32_t runs = slice_runs(b, LLVMGetInstructionParent(stores[i]));
        if (runs < 0)
            return runs;
        any = any < 0 ? runs : slice_choose(b, any, st_constant(b->s, ST_I1, 1), runs);
    }
    return any;
}

/* A kernel's value as it is to be in the model: see st_stencil's `masked`. */
static int32_t masked_value(slice *b, const st_store *cell, bool *masked) {
    int32_t where = *masked ? store_condition(b, cell) : SLICE_ALWAYS;
    *masked = where != SLICE_ALWAYS;
    if (where == SLICE_ALWAYS)
        return cell->root;
    st_type t = (st_type)b->s->nodes[cell->root].type;
    return where < 0 ? -1 : st_operation(b->s, ST_SELECT, t, where, cell->root, cell->root);
}

/* May an iteration of a host's loop make none of the cell's stores? Not where it makes one or the
 * other. */
static bool may_keep_cell(const slice *b, const st_store *cell) {
    LLVMBasicBlockRef blocks[HOST_MAX_STORES + 1];
    int count = 0;
    for (int i = 0; i <= b->r->nalso; i++)
        if (writes_cell(b, i, cell->grid, cell->level))
            blocks[count++] = LLVMGetInstructionParent(store_number(b, i));
    return host_gets_around(b->r->loops[0], blocks, count);
}

/* Each cell's last value; a cell that several stores write is one that is stored. */
bool slice_build_stores(slice *b) {
    const st_stencil *s = b->s;
    for (int i = 0; i <= b->r->nalso; i++) {
        st_store one = {-1, i > 0 ? s->also[i - 1].grid : s->store_grid,
                        i > 0 ? s->also[i - 1].level : s->store_level};
        bool first = true, masked = true;
        for (int k = 0; k <= b->r->nalso; k++) {
            bool same = writes_cell(b, k, one.grid, one.level);
            first &= k >= i || !same;
            masked &= !same || host_is_masked(b->r, k);
        }
        if (!first)
            continue;
        int last = last_store(b, b->r->nalso + 1, NULL, one.grid, one.level);
        masked = masked && (b->r->form || may_keep_cell(b, &one));
        one.root = stored(b, last, one.grid, one.level, masked && !b->r->form);
        if (one.root >= 0 && b->r->form)
            one.root = masked_value(b, &one, &masked);
        if (one.root < 0)
            return false;
        b->masked |= (uint64_t)masked << b->ncells;
        b->cells[b->ncells++] = one;
    }
    return true;
}

void slice_set_stores(const slice *b) {
    b->s->root = b->cells[0].root;
    b->s->masked = b->masked;
    b->s->nalso = (size_t)(b->ncells - 1);
    for (int i = 1; i < b->ncells; i++)
        b->s->also[i - 1] = b->cells[i];
}
