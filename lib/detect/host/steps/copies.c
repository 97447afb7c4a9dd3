/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * memcpy, memmove and memset among the sweeps of a time loop, as the program wrote them or as
 * LLVM's passes found them in loops: sweeps that copy cells or give them a constant. What sort of
 * elements they are, and how many bytes a row and a plane take, is known of the array that is
 * written, or read, from other sweeps. So a length is so many planes, rows or cells.
 *
 * Several calls in one loop are statements of one sweep: they copy the same rows of several arrays,
 * each iteration one row of each. A call may read a row that an earlier call of the iteration
 * wrote: the row's value is then what that call copied.
 */
#include "detect/common/affine.h"
#include "detect/common/calls.h"
#include "detect/host/access.h"
#include "detect/host/address.h"
#include "detect/host/region.h"
#include "detect/host/steps/forms.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(host_region *r, const char *what) {
    return host_refuse(r, ST_NO_SWEEPS, what);
}

/* One call: what it writes, what it reads, and the array that it is known by. */
typedef struct copy {
    LLVMValueRef call;
    bool reads; /* it does not fill memory */
    host_affine to[ST_MAX_BUFFERS], from[ST_MAX_BUFFERS];
    host_array array;
} copy;

/* A call writes a series of cells, not one. */
static bool find_ends(host_region *r, copy *c) {
    for (unsigned i = 0; i <= c->reads; i++)
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(c->call, i))) != 0)
            return host_refuse(r, ST_NO_OPERATION, "access to a numbered address space");
    if (!host_address(r, LLVMGetOperand(c->call, 0), 0, c->to) ||
        (c->reads && !host_address(r, LLVMGetOperand(c->call, 1), 0, c->from)))
        return false;
    if (!poly_is_zero(c->to[0].step[r->axes]) ||
        (c->reads && !poly_is_zero(c->from[0].step[r->axes])))
        return host_refuse(r, ST_NO_NOT_AFFINE, "it depends on the time step");
    return true;
}

/* The bytes a call copies, the same in all iterations. */
static bool find_length(host_region *r, LLVMValueRef call, poly *length) {
    host_affine a;
    if (!host_affine_of(r, br_scev_of(r->f, LLVMGetOperand(call, 2)), 0, &a))
        return false;
    for (int i = 0; i < r->nloops; i++)
        if (!poly_is_zero(a.step[i]))
            return refuse(r, "how much memory it copies differs");
    *length = a.base;
    return true;
}

/* What the program promises of the address, in bytes. */
static unsigned alignment(LLVMValueRef call, unsigned operand) {
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, operand + 1, kind);
    return a ? (unsigned)LLVMGetEnumAttributeValue(a) : 1;
}

/* Does the copy consist of whole, aligned elements of so many bytes? */
static bool has_elements(const host_region *r, const copy *c, poly length, unsigned size) {
    poly whole;
    bool has = poly_exact(length, size, &whole);
    for (unsigned k = 0; k <= c->reads; k++) {
        const host_affine *at = k ? c->from : c->to;
        has = has && alignment(c->call, k) >= size;
        for (int i = 0; i < r->axes; i++)
            has = has && poly_exact(at->step[i], size, &whole);
    }
    return has;
}

/* An array that no other sweep has: rows of the largest elements that the call can be taken to
 * copy, at the distances by which the loops walk. */
static bool take_rows(host_region *r, copy *c, poly length) {
    static const st_type types[] = {ST_I64, ST_I32, ST_I16, ST_I8};
    if (r->axes == 0 || r->axes + 1 != r->steps->rank)
        return refuse(r, "it copies an array that no other sweep has");
    int k = 0;
    while (k < 3 && !has_elements(r, c, length, (unsigned)st_type_size(types[k])))
        k++;
    c->array = (host_array){.base = host_base_pointer(c->to[0].base), .type = types[k]};
    for (int i = 0; i < r->axes; i++)
        c->array.stride[i + 1] = c->to[0].step[i];
    return true;
}

static bool find_array(host_region *r, copy *c, poly length) {
    const host_array *known = host_known_array(r->steps, host_base_pointer(c->to[0].base));
    if (!known && c->reads)
        known = host_known_array(r->steps, host_base_pointer(c->from[0].base));
    if (!known)
        return take_rows(r, c, length);
    c->array = *known; /* which moves when another one is known */
    return true;
}

static bool find_dimensions(host_region *r, const copy *c) {
    uint32_t used = 1; /* a call goes along x */
    for (int i = 0; i < r->axes; i++) {
        int d = host_known_dimension(r->steps, &c->array, c->to[0].step[i]);
        if (d < 1 || used >> d & 1)
            return host_refuse(r, ST_NO_NOT_CONTIGUOUS, NULL);
        r->dim_of_loop[i] = d;
        used |= 1u << d;
    }
    r->stencil->flat = ((1u << r->stencil->rank) - 1) & ~used;
    return true;
}

bool host_find_extents(host_region *r, const host_array *known, poly length) {
    poly size = poly_int(r->f, (int64_t)st_type_size(known->type)), whole;
    r->implied = 0;
    for (int d = r->stencil->rank - 1; d >= 0; d--) {
        poly unit = d > 0 ? known->stride[d] : size;
        int64_t one;
        bool walked = d > 0 && !(r->stencil->flat >> d & 1);
        if (walked || poly_is_zero(unit) || !poly_quotient(length, unit, &whole))
            continue;
        length = unit;
        if (d > 0 && poly_is_int(whole, &one) && one == 1)
            continue; /* a row: as an edge has it */
        r->implied |= 1u << d;
        r->implied_extent[d] = whole;
    }
    return r->implied & 1;
}

static void find_strides(const host_region *r, const host_affine *at, const host_array *known,
                         poly stride[ST_MAX_RANK]) {
    for (int d = 0; d < ST_MAX_RANK; d++)
        stride[d] = d > 0 && d < r->stencil->rank ? known->stride[d] : NULL;
    stride[0] = poly_int(r->f, (int64_t)st_type_size(known->type));
    for (int i = 0; i < r->axes; i++)
        stride[r->dim_of_loop[i]] = at->step[i];
}

/* The cells that a call copies. */
static bool find_cells(host_region *r, copy *c) {
    poly length = NULL;
    if (LLVMConstIntGetZExtValue(LLVMGetOperand(c->call, 3)) != 0)
        return host_refuse(r, ST_NO_VOLATILE, NULL);
    if (!find_ends(r, c) || !find_length(r, c->call, &length) || !find_array(r, c, length) ||
        !find_dimensions(r, c))
        return false;
    return host_find_extents(r, &c->array, length) || refuse(r, "it copies parts of elements");
}

/* Do the cells of a further call in the loop agree with the first call's? */
static bool find_same_cells(host_region *r, copy *c) {
    int dimensions[HOST_MAX_LOOPS];
    poly extent[ST_MAX_RANK];
    uint32_t implied = r->implied;
    st_type type = c->array.type;
    memcpy(dimensions, r->dim_of_loop, sizeof dimensions);
    memcpy(extent, r->implied_extent, sizeof extent);
    if (!find_cells(r, c))
        return false;
    if (st_type_size(c->array.type) != st_type_size(type))
        return refuse(r, "a loop copies elements of different sizes");
    bool same = r->implied == implied &&
                !memcmp(dimensions, r->dim_of_loop, (size_t)r->axes * sizeof *dimensions);
    for (int d = 0; d < ST_MAX_RANK && same; d++)
        same = !(implied >> d & 1) || poly_equal(extent[d], r->implied_extent[d]);
    return same || refuse(r, "a loop copies rows of different lengths");
}

/* The grid whose cell (0,0,0) is at `at`, in one of its buffers; a new one if there is none. */
static st_access grid_at(host_region *r, const copy *c, const host_affine at[], int level) {
    poly stride[ST_MAX_RANK];
    st_access a;
    find_strides(r, &at[0], &c->array, stride);
    if (host_find_grid(r, at, c->array.type, stride, &a))
        return a;
    a.grid = host_grid_at(r, at, c->array.type, stride, level);
    a.level = level;
    return a;
}

static bool fill_value(host_region *r, const copy *c, int32_t *node) {
    LLVMValueRef byte = LLVMGetOperand(c->call, 1);
    if (!LLVMIsAConstantInt(byte))
        return refuse(r, "it fills memory with a value that is not a constant");
    uint64_t bits = (LLVMConstIntGetZExtValue(byte) & 0xff) * 0x0101010101010101u;
    *node = st_constant(r->stencil, c->array.type, bits);
    return true;
}

/* What the row holds before this call: what an earlier call of the loop copied there, if one did.
 */
static int32_t read_value(host_region *r, const copy *c) {
    st_stencil *s = r->stencil;
    st_access a = grid_at(r, c, c->from, 0);
    if (a.grid == s->store_grid && a.level == s->store_level && s->root >= 0)
        return s->root;
    for (size_t i = 0; i < s->nalso; i++)
        if (a.grid == s->also[i].grid && a.level == s->also[i].level)
            return s->also[i].root;
    return st_leaf(s, ST_ACCESS, c->array.type, st_add_access(s, a));
}

static bool find_value(host_region *r, const copy *c, int32_t *node) {
    if (!c->reads)
        return fill_value(r, c, node);
    *node = read_value(r, c);
    return true;
}

static bool build_first(host_region *r, copy *c) {
    st_stencil *s = r->stencil;
    if (!find_cells(r, c))
        return false;
    s->store_level = host_takes_turns(r, c->to);
    s->store_grid = grid_at(r, c, c->to, s->store_level).grid;
    s->root = -1;
    return find_value(r, c, &s->root);
}

static bool build_further(host_region *r, copy *c) {
    st_store one = {.root = -1};
    if (LLVMGetInstructionParent(c->call) != LLVMGetInstructionParent(r->store))
        return host_refuse(r, ST_NO_CONTROL_FLOW, "which store comes first");
    if (!find_same_cells(r, c))
        return false;
    st_access to = grid_at(r, c, c->to, host_takes_turns(r, c->to));
    if (st_writes(r->stencil, to.grid, to.level))
        return refuse(r, "two assignments in a loop write the same array element");
    one.grid = to.grid;
    one.level = to.level;
    if (!find_value(r, c, &one.root))
        return false;
    st_add_store(r->stencil, one);
    return true;
}

bool host_build_copies(host_region *r) {
    bool good = true;
    copy *c = calloc(1, sizeof *c);
    for (int i = 0; i <= r->nalso && good; i++) {
        c->call = i > 0 ? r->also[i - 1] : r->store;
        c->reads = !host_calls(c->call, "llvm.memset.");
        good = i > 0 ? build_further(r, c) : build_first(r, c);
    }
    r->stencil->flat &= ~r->implied;
    free(c);
    return good;
}
