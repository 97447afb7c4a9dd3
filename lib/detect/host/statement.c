/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The statement of a sweep: what it stores in each cell, what it makes of all cells, and whether a
 * GPU may compute that.
 */
#include "detect/host/statement.h"
#include "detect/host/region.h"
#include "detect/host/slice.h"

#include <stdlib.h>
#include <string.h>

static int32_t product(slice *b, LLVMValueRef x, LLVMValueRef y) {
    int32_t left = slice_value(b, x), right = left < 0 ? -1 : slice_value(b, y);
    return right < 0
               ? -1
               : st_operation(b->s, ST_FMUL, (st_type)b->s->nodes[left].type, left, right, -1);
}

/* Elements farther apart are of different rows, rather than members of one struct. */
enum { ROW_BYTES = 64 };

/* The value of a cell that counts. */
static int32_t counted(slice *b, const host_reduction *r) {
    if (r->value)
        return slice_value(b, r->value);
    int32_t sum = -1;
    if (r->factor)
        return product(b, r->addend[0], r->factor);
    for (int i = r->naddends - 1; i >= 0; i--) {
        int32_t v = slice_value(b, r->addend[i]);
        if (v < 0)
            return -1;
        st_type t = (st_type)b->s->nodes[v].type;
        bool subtracted = r->subtracted >> i & 1;
        if (sum >= 0)
            sum = st_operation(b->s, subtracted ? ST_FSUB : ST_FADD, t, sum, v, -1);
        else
            sum = subtracted ? st_operation(b->s, ST_FNEG, t, v, -1, -1) : v;
    }
    return sum;
}

/* Does the cell count? A node, SLICE_ALWAYS, or -1: refused. */
static int32_t counts(slice *b, const host_reduction *r) {
    if (r->block)
        return slice_runs(b, r->block);
    if (!r->condition)
        return SLICE_ALWAYS;
    int32_t c = slice_value(b, r->condition);
    return c < 0 || r->holds ? c : slice_binary(b, ST_XOR, ST_I1, c, st_constant(b->s, ST_I1, 1));
}

/* What a cell gives that is reduced; one that does not count, what leaves the result as it is. */
static int32_t reduced(slice *b, const host_reduction *r) {
    int32_t value = counted(b, r), which = value < 0 ? -1 : counts(b, r);
    if (value < 0 || which == SLICE_ALWAYS)
        return value;
    if (which < 0)
        return -1;
    st_type t = (st_type)b->s->nodes[value].type;
    uint64_t minus_zero = t == ST_F32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
    int32_t other = r->op == ST_REDUCE_SUM       ? st_constant(b->s, t, 0)
                    : r->op == ST_REDUCE_ORDERED ? st_constant(b->s, t, minus_zero)
                                                 : slice_value(b, r->initial);
    return other < 0 ? -1 : slice_choose(b, which, value, other);
}

/* Is it the distance of two rows, rather than one of two elements of a row? */
static bool is_row_distance(poly distance) {
    int64_t bytes;
    return poly_is_int(distance, &bytes) ? bytes > ROW_BYTES || bytes < -ROW_BYTES : true;
}

/* Does the address hold a product of values of the program, as row number times row length? */
static bool has_product(poly address) {
    bool any = false;
    for (int i = 0; i < poly_count(address); i++)
        any |= poly_terms(address)[i].degree > 1;
    return any;
}

/* Are two grids rows of one array? */
static bool has_rows_of_one_array(const host_region *r) {
    bool any = false;
    for (size_t i = 0; i < r->stencil->ngrids; i++)
        for (size_t k = 0; k < i && !any; k++) {
            poly a = r->grids[i].origin[0], b = r->grids[k].origin[0];
            LLVMValueRef base = host_base_pointer(a);
            any = base && base == host_base_pointer(b) && is_row_distance(poly_sub(a, b));
        }
    return any;
}

/* Does the loop make as many iterations as a product says, as rows times columns? */
static bool counts_product(br_scev s) {
    int varying = 0;
    bool any = false;
    for (size_t i = 0; i < br_scev_count(s) && !any; i++) {
        br_scev part = br_scev_operand(s, i);
        varying += br_scev_kind(part) != BR_CONSTANT;
        any = counts_product(part);
    }
    return any || (br_scev_kind(s) == BR_MUL && varying > 1);
}

/* A single loop that belongs to an array of more dimensions: along a row, a column or an edge, or
 * over all cells by one index. */
static bool walks_grid(const host_region *r) {
    const host_affine *at = &r->store_at[0];
    return r->axes == 1 && !r->measures &&
           (is_row_distance(at->step[0]) || has_product(at->base) || has_rows_of_one_array(r) ||
            counts_product(r->count[0]));
}

static st_reduction described(const host_region *r, const host_reduction *h, int32_t root) {
    st_reduction s = {.root = root, .op = h->op, .is_signed = h->is_signed};
    int count = 0;
    for (int i = 0; i < r->axes; i++)
        s.order[count++] = (uint8_t)r->dim_of_loop[i];
    for (int d = 0; d < ST_MAX_RANK && count < ST_MAX_RANK; d++) /* of one cell, or none at all */
        if (!memchr(s.order, d, (size_t)count))
            s.order[count++] = (uint8_t)d;
    return s;
}

bool host_is_element_wise(const host_region *r) {
    const st_stencil *s = r->stencil;
    bool reads = false; /* elements, not a row's or the same one for all */
    for (size_t i = 0; i < s->naccesses; i++)
        reads |= !s->grids[s->accesses[i].grid].broadcast;
    return !r->form && reads && !r->match.far && (r->axes > 1 || walks_grid(r));
}

bool host_build_expression(host_region *r, bool device_math) {
    slice b = {.r = r, .s = r->stencil, .own_cell = slice_own_cell};
    bool good = true;
    if (r->measures) {
        r->stencil->root = slice_value(&b, r->store);
        good = r->stencil->root >= 0;
    } else {
        good = slice_order_stores(&b) && slice_build_stores(&b);
    }
    for (int i = 0; i < r->nreductions && good; i++) {
        int32_t root = reduced(&b, &r->reductions[i]);
        good = root >= 0;
        if (good)
            st_add_reduction(r->stencil, described(r, &r->reductions[i], root));
    }
    free(b.memo);
    if (!good)
        return false;
    if (!r->measures)
        slice_set_stores(&b);
    int32_t inexact = device_math ? -1 : st_inexact_node(r->stencil);
    if (inexact >= 0)
        return host_refuse(r, ST_NO_LIBRARY_FUNCTION, st_ops[r->stencil->nodes[inexact].op].text);
    if (!r->steps && !st_reads_neighbours(r->stencil) && (r->time || !host_is_element_wise(r)))
        return host_refuse(r, r->match.far ? ST_NO_RADIUS : ST_NO_NOT_STENCIL, NULL);
    if (!r->form)
        return host_check_conditional(r);
    host_release_conditional(r);
    return true;
}
