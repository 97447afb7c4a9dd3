/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * LLVM replaces a load by what it loaded or stored before: of a row's first cell, what the row
 * before loaded; of an array's first cell, what the step before stored. Detection takes such a
 * value for a load again if no sweep can have written the cell since. The value may be
 *   1. a load in the nest, or after the sweeps before it;
 *   2. a phi at the head of a loop of the nest, of a load in each iteration of what the next one
 * has at its start;
 *   3. a load or a store of one cell in the time loop or in front of it, which no sweep writes that
 *      comes between; and a phi at the head of the time loop, of two such.
 */
#include "detect/host/kept.h"
#include "detect/common/affine.h"
#include "detect/common/flow.h"
#include "detect/host/access.h"
#include "detect/host/order.h"
#include "detect/host/region.h"

/* For a load in the time loop: can the other sweep have written there before this one starts? */
static bool precedes_twin(const host_region *r, LLVMValueRef load) {
    const host_region *twin = r->twin;
    br_loop nest = r->loops[r->axes - 1];
    LLVMBasicBlockRef block = LLVMGetInstructionParent(load);
    return twin && r->phase == 1 && !br_loop_contains(nest, block) &&
           (br_loop_contains(twin->loops[r->axes - 1], block) ||
            host_comes_before(r->time, block, br_loop_header(twin->loops[0])));
}

/* A value loaded in front of the region is still there at its start if nothing between them can
 * write. */
static bool holds_from_before(const host_region *r, LLVMValueRef load) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(load));
    if (LLVMGetNumSuccessors(end) != 1 || LLVMGetSuccessor(end, 0) != br_loop_header(r->outer))
        return false;
    for (LLVMValueRef i = load; i != end; i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i) || LLVMIsACallInst(i) || LLVMIsAFenceInst(i) ||
            LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
            return false;
    return true;
}

static bool is_plain_load(LLVMValueRef v) {
    return LLVMIsALoadInst(v) && !LLVMGetVolatile(v) &&
           LLVMGetOrdering(v) == LLVMAtomicOrderingNotAtomic;
}

bool host_starts_as(const host_region *r, const host_affine x[], const host_affine y[], int i) {
    for (int s = 0; s < r->period; s++) {
        if (!poly_equal(x[s].base, y[s].base) || !poly_is_zero(x[s].step[i]))
            return false;
        for (int k = 0; k < r->nloops; k++)
            if (k != i && !poly_equal(x[s].step[k], y[s].step[k]))
                return false;
    }
    return true;
}

/* Cells that sweeps write */

/* One cell, the same in all steps. */
typedef struct kept_cell {
    poly base;
    int64_t size;
} kept_cell;

static int64_t bytes_of(LLVMValueRef v) {
    st_type type;
    return host_type(LLVMTypeOf(v), &type) ? (int64_t)st_type_size(type) : 8;
}

/* Is the address of the same cell in all iterations? */
static bool is_one_cell(const host_region *r, const host_affine at[]) {
    bool one = true;
    for (int s = 0; s < r->period; s++) {
        one &= poly_equal(at[s].base, at[0].base);
        for (int i = 0; i < r->nloops; i++)
            one &= poly_is_zero(at[s].step[i]);
    }
    return one;
}

/* Are the addresses in two arrays that the compiler knows to be two? */
static bool are_apart(poly a, poly b) {
    LLVMValueRef x = host_base_pointer(a), y = host_base_pointer(b);
    return x && y && x != y && (LLVMIsAGlobalVariable(x) || LLVMIsAAllocaInst(x)) &&
           (LLVMIsAGlobalVariable(y) || LLVMIsAAllocaInst(y));
}

/* Is all that the store writes of another array, or behind the cell? */
static bool misses(host_region *r, LLVMValueRef store, const kept_cell *cell) {
    host_affine at[ST_MAX_BUFFERS];
    int64_t apart, step;
    if (r->period < 1 || !host_address(r, LLVMGetOperand(store, 1), 0, at))
        return false;
    for (int s = 0; s < r->period; s++) {
        if (are_apart(at[s].base, cell->base))
            continue;
        if (!poly_is_int(poly_sub(at[s].base, cell->base), &apart) || apart < cell->size ||
            !poly_is_zero(at[s].step[r->axes]))
            return false;
        for (int i = 0; i < r->axes; i++)
            if (!poly_is_int(at[s].step[i], &step) || step < 0)
                return false;
    }
    return true;
}

/* Is the one cell that the store writes another one? `r` is any sweep of the step. */
static bool is_other(host_region *r, LLVMValueRef store, const kept_cell *cell) {
    host_affine at[ST_MAX_BUFFERS];
    int64_t apart;
    return host_address(r, LLVMGetOperand(store, 1), 0, at) && is_one_cell(r, at) &&
           (are_apart(at[0].base, cell->base) ||
            (poly_is_int(poly_sub(at[0].base, cell->base), &apart) &&
             (apart >= cell->size || -apart >= bytes_of(LLVMGetOperand(store, 0)))));
}

/* Does sweep number k leave the cell as it is? */
static bool leaves(host_region *r, int k, const kept_cell *cell) {
    host_region *sweep = r->steps->sweeps[k];
    st_refusal was = sweep->why;
    bool good = !sweep->copies && r->steps->nskipped == 0;
    for (int i = 0; i <= sweep->nalso && good && !sweep->measures; i++) {
        LLVMValueRef store = i > 0 ? sweep->also[i - 1] : sweep->store;
        good = sweep->axes > 0 ? misses(sweep, store, cell) : is_other(r, store, cell);
    }
    if (sweep != r)
        sweep->why = was;
    return good;
}

static bool all_leave(host_region *r, int count, const kept_cell *cell) {
    bool good = true;
    for (int k = 0; k < count && good; k++)
        good = leaves(r, k, cell);
    return good;
}

/* One cell that the time loop keeps */

static bool writes_just(host_region *r, LLVMValueRef store, const kept_cell *cell) {
    host_affine at[ST_MAX_BUFFERS];
    return host_address(r, LLVMGetOperand(store, 1), 0, at) && is_one_cell(r, at) &&
           poly_equal(at[0].base, cell->base);
}

/* Before sweep number `end`, or at the end of the step, a store puts the value into the cell, which
 * then stays. */
static bool is_put(host_region *r, LLVMValueRef value, int end, const kept_cell *cell) {
    int k = end;
    while (k > 0 && leaves(r, k - 1, cell))
        k--;
    const host_region *sweep = k > 0 ? r->steps->sweeps[k - 1] : NULL;
    if (!sweep || sweep->axes > 0 || sweep->copies)
        return false;
    bool puts = false;
    for (int i = 0; i <= sweep->nalso; i++) { /* one after the other */
        LLVMValueRef store = i > 0 ? sweep->also[i - 1] : sweep->store;
        if (is_other(r, store, cell))
            continue;
        if (puts || !writes_just(r, store, cell) || LLVMGetOperand(store, 0) != value)
            return false;
        puts = true;
    }
    return puts;
}

/* Is the value loaded in the step, after the last sweep before number `end` that may write the
 * cell? */
static bool is_read(host_region *r, LLVMValueRef value, int end, const kept_cell *cell) {
    host_affine at[ST_MAX_BUFFERS];
    const host_steps *s = r->steps;
    if (!is_plain_load(value) || !host_in_loop(r->outer, value) ||
        !host_address(r, LLVMGetOperand(value, 0), 0, at) || !is_one_cell(r, at) ||
        !poly_equal(at[0].base, cell->base))
        return false;
    for (int k = 0; k < s->count; k++)
        if (s->sweeps[k]->axes > 0 &&
            host_in_loop(s->sweeps[k]->loops[s->sweeps[k]->axes - 1], value))
            return false;
    for (int k = end; k > 0; k--)
        if (!leaves(r, k - 1, cell))
            return host_is_before(s->time, host_start_of(s->sweeps[k - 1]), value) &&
                   s->sweeps[k - 1]->axes > 0;
    return true;
}

/* Is the value loaded in front of the time loop? */
static bool is_read_before(host_region *r, LLVMValueRef v, host_affine at[]) {
    return is_plain_load(v) && !host_in_loop(r->outer, v) &&
           host_address(r, LLVMGetOperand(v, 0), 0, at) && is_one_cell(r, at) &&
           holds_from_before(r, v);
}

/* What a cell has at the start of the sweep, from before it in the step or from another one. */
static bool is_kept(host_region *r, LLVMValueRef v, host_affine at[]) {
    bool phi = LLVMIsAPHINode(v) && host_is_at_head(r->time, v) && LLVMCountIncoming(v) == 2;
    LLVMValueRef entry = phi ? host_incoming(v, r->time, false) : v;
    if (!is_read_before(r, entry, at) || LLVMTypeOf(entry) != LLVMTypeOf(v))
        return false;
    kept_cell cell = {at[0].base, bytes_of(v)};
    int count = r->steps->count;
    if (!phi)
        return all_leave(r, count, &cell);
    LLVMValueRef next = host_incoming(v, r->time, true);
    return all_leave(r, r->number, &cell) &&
           (is_put(r, next, count, &cell) || is_read(r, next, count, &cell));
}

/* A load in the region, or before it, still holds at its start if nothing between can write. */
static bool holds_at_entry(host_region *r, LLVMValueRef load, const host_affine at[]) {
    if (r->form)
        return true; /* what a kernel reads at a distance it does not write */
    if (r->steps)
        return host_in_loop(r->outer, load) && host_load_is_timely(r, load);
    if (host_in_loop(r->outer, load))
        return !precedes_twin(r, load); /* the sweep's only store is in its innermost loop */
    if (r->twin && host_in_store_grid(r, at))
        return false; /* time steps have passed since */
    return holds_from_before(r, load);
}

/* A phi of a loop may take the value of another phi of that loop in the iteration before; in code
 * that never ends also its own: hence the limit. */
static bool is_loaded_at(host_region *r, LLVMValueRef v, host_affine at[], int handed_on) {
    enum { MOST_HANDED_ON = 32 };
    host_affine start[ST_MAX_BUFFERS];
    if (is_plain_load(v) && host_address(r, LLVMGetOperand(v, 0), 0, at) &&
        holds_at_entry(r, v, at))
        return true;
    if (r->steps && LLVMIsAInstruction(v) && is_kept(r, v, at))
        return true;
    if (!LLVMIsAPHINode(v) || LLVMCountIncoming(v) != 2 || handed_on == MOST_HANDED_ON)
        return false;
    int i = 1;
    while (i < r->axes && !host_is_at_head(r->loops[i], v))
        i++;
    if (r->form || i >= r->axes ||
        !is_loaded_at(r, host_incoming(v, r->loops[i], true), at, handed_on + 1) ||
        !is_loaded_at(r, host_incoming(v, r->loops[i], false), start, handed_on + 1))
        return false;
    for (int s = 0; s < r->period; s++)
        at[s].base = poly_sub(at[s].base, at[s].step[i]);
    return host_starts_as(r, start, at, i);
}

bool host_loaded_at(host_region *r, LLVMValueRef v, host_affine at[]) {
    return is_loaded_at(r, v, at, 0);
}
