/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A nest whose stores walk one array in different directions, as the loop that sets two rows and
 * two columns of a frame: x[0][i] = ..; x[n][i] = ..; x[i][0] = ..; x[i][n] = ... Stores of one
 * direction become a sweep, one after the other. This is legal if no sweep of the nest writes a
 * cell that another one of them reads or writes, or if all write one constant. The runtime checks
 * the first: STENCILRT_TOGETHER. Where rows and columns meet at their ends in any case, the nest is
 * refused here.
 */
#include "detect/common/calls.h"
#include "detect/host/region.h"
#include "detect/host/steps/loose.h"
#include "detect/host/steps/parts.h"

#include <stdlib.h>

/* Where a store goes, in the loops of its nest. */
typedef struct walk {
    LLVMValueRef array,
        table;               /* what the address starts from; the table of such pointers, or NULL */
    poly step[ST_MAX_RANK];  /* bytes from an iteration to the next, as far as is known */
    poly moves[ST_MAX_RANK]; /* the same of the place in the table */
} walk;

static void find_steps(host_region *r, LLVMValueRef address, poly step[ST_MAX_RANK]) {
    host_affine at[ST_MAX_BUFFERS];
    bool known = host_store_address(r, address, at);
    for (int i = 0; i < r->axes; i++)
        step[i] = known ? host_loosened(r->f, at[0].step[i]) : NULL;
}

/* The array's address, also behind an element's whose place is constant. */
static LLVMValueRef base_of(LLVMValueRef address) {
    address = host_base_of(address);
    while (LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMGetElementPtr)
        address = LLVMGetOperand(address, 0);
    return address;
}

static walk walk_of(host_region *r, LLVMValueRef store) {
    LLVMValueRef to = LLVMGetOperand(store, 1);
    walk w = {.array = base_of(to)};
    LLVMValueRef from = LLVMIsALoadInst(w.array) ? LLVMGetOperand(w.array, 0) : NULL;
    find_steps(r, to, w.step);
    if (from)
        find_steps(r, from, w.moves);
    w.table = from ? base_of(from) : NULL;
    return w;
}

static bool is_alike(const walk *a, const walk *b) {
    bool alike = true;
    for (int i = 0; i < ST_MAX_RANK; i++)
        alike &= poly_equal(a->step[i], b->step[i]) && poly_equal(a->moves[i], b->moves[i]);
    return alike;
}

static bool walks_table(const walk *w) {
    bool any = false;
    for (int i = 0; i < ST_MAX_RANK; i++)
        any |= !poly_is_zero(w->moves[i]);
    return any;
}

/* May the array be a row of the table that the other store walks: x[0], loaded in front? */
static bool may_be_row(const walk *row, const walk *of) {
    bool stands_in =
        LLVMIsAInstruction(row->array) && LLVMGetInstructionOpcode(row->array) == LLVMFreeze;
    return walks_table(of) && (stands_in || (row->table && row->table == of->table));
}

static bool is_same_array(const walk *a, const walk *b) {
    return a->array == b->array || may_be_row(a, b) || may_be_row(b, a);
}

static bool walks_all(const host_region *r, const walk *w) {
    bool all = true;
    for (int i = 0; i < r->axes; i++)
        all &= !poly_is_zero(w->step[i]) || !poly_is_zero(w->moves[i]);
    return all;
}

/* Does a loop hand on a number from iteration to iteration? */
static bool hands_on(const host_region *r) {
    bool any = false;
    for (int i = 0; i < r->axes; i++) {
        LLVMValueRef phi = LLVMGetFirstInstruction(br_loop_header(r->loops[i]));
        for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
            LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(phi));
            any |= kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind;
        }
    }
    return any;
}

/* The stores of a nest, and to which sweep each goes. */
typedef struct stores {
    LLVMValueRef store[HOST_MAX_STORES + 1];
    walk at[HOST_MAX_STORES + 1];
    int sweep[HOST_MAX_STORES + 1];
    int count, sweeps;
} stores;

/* The sweep of store i: that of a store that walks alike. Another array, whose rows are of another
 * length, is no reason for a sweep of its own. */
static int sweep_of(const stores *all, int i) {
    bool crosses = false;
    for (int k = 0; k < i; k++) {
        if (is_alike(&all->at[k], &all->at[i]))
            return all->sweep[k];
        crosses |= is_same_array(&all->at[k], &all->at[i]);
    }
    return crosses ? all->sweeps : 0;
}

/* False: the nest stays one sweep. */
static bool divide(host_region *r, stores *all) {
    all->sweeps = 1;
    host_begin(r, r->axes, true);
    for (int i = 0; i < all->count; i++) {
        all->at[i] = walk_of(r, all->store[i]);
        if (!walks_all(r, &all->at[i]))
            return false;
        all->sweep[i] = i > 0 ? sweep_of(all, i) : 0;
        all->sweeps += all->sweep[i] == all->sweeps;
    }
    return all->sweeps > 1;
}

/* Do all stores store one constant? Then their order does not matter. */
static bool stores_constant(const stores *all) {
    LLVMValueRef first = LLVMGetOperand(all->store[0], 0);
    bool same = LLVMIsConstant(first);
    for (int i = 1; i < all->count; i++)
        same &= LLVMGetOperand(all->store[i], 0) == first;
    return same;
}

static void add_store(host_region *r, LLVMValueRef store) {
    if (r->store)
        r->also[r->nalso++] = store;
    else
        r->store = store;
}

static void collect(const host_region *r, stores *all) {
    all->store[all->count++] = r->store;
    for (int i = 0; i < r->nalso; i++)
        all->store[all->count++] = r->also[i];
}

bool host_divide_nest(host_steps *s, host_region *r) {
    if (r->copies || r->measures || r->nalso == 0 || hands_on(r))
        return true;
    stores *all = calloc(1, sizeof *all);
    collect(r, all);
    bool several = divide(r, all);
    host_forget_tables(&s->tables); /* the rank is not yet known, by which they are looked at */
    bool room = s->count + all->sweeps - 1 <= HOST_MAX_SWEEPS;
    if (several && room) {
        r->store = NULL;
        r->nalso = 0;
        for (int n = 0; n < all->sweeps; n++) {
            host_region *own = n > 0 ? host_add_sweep(s, r->loops, r->axes) : r;
            own->together = n > 0 && !stores_constant(all);
            for (int i = 0; i < all->count; i++)
                if (all->sweep[i] == n)
                    add_store(own, all->store[i]);
        }
    }
    free(all);
    return room;
}

/* Cells that meet */

/* Where a cell at a grid's offset is in the first or last iteration of each loop. */
static poly end_of(const host_region *r, int32_t grid, const int32_t *offset, unsigned last) {
    const host_grid *g = &r->grids[grid];
    poly at = g->origin[0];
    for (int d = 0; d < r->stencil->rank; d++)
        if (offset[d])
            at = poly_add(at, poly_mul(poly_int(r->f, offset[d]), g->stride[d]));
    for (int i = 0; i < r->axes; i++)
        if (last >> i & 1)
            at = poly_add(at, poly_mul(poly_atom(r->f, r->count[i]), g->stride[r->dim_of_loop[i]]));
    return at;
}

static bool meets(const host_region *a, const host_region *b, int32_t grid, const int32_t *offset) {
    static const int32_t here[ST_MAX_RANK];
    bool any = false;
    for (size_t g = 0; g < a->stencil->ngrids; g++)
        for (unsigned k = 0; k < 1u << (2 * a->axes) && st_writes(a->stencil, (int32_t)g, 0); k++)
            any |=
                poly_equal(end_of(a, (int32_t)g, here, k), end_of(b, grid, offset, k >> a->axes));
    return any;
}

/* Does sweep b access a cell that sweep a of the same nest writes, where their loops begin and end?
 */
static bool follows(const host_region *a, const host_region *b) {
    static const int32_t here[ST_MAX_RANK];
    bool any = false;
    for (size_t i = 0; i < b->stencil->naccesses && !any; i++)
        any = meets(a, b, b->stencil->accesses[i].grid, b->stencil->accesses[i].offset);
    for (size_t g = 0; g < b->stencil->ngrids && !any; g++)
        any = st_writes(b->stencil, (int32_t)g, 0) && meets(a, b, (int32_t)g, here);
    return any;
}

bool host_meets_in_nest(const host_steps *s) {
    bool any = false;
    for (int i = 1; i < s->count; i++)
        for (int k = i; s->sweeps[k]->together && !any; k--)
            any =
                follows(s->sweeps[k - 1], s->sweeps[i]) || follows(s->sweeps[i], s->sweeps[k - 1]);
    return any;
}
