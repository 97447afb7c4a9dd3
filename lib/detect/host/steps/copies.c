/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * memcpy, memmove and memset among the sweeps of a time loop, as the program wrote them or as
 * LLVM's passes found them in loops: sweeps that copy cells or give them a constant. What sort of
 * elements they are, and how many bytes a row and a plane take, is known of the array that is
 * written, or read, from other sweeps. So a length is so many planes, rows or cells.
 */
#include "detect/common/affine.h"
#include "detect/common/calls.h"
#include "detect/host/access.h"
#include "detect/host/address.h"
#include "detect/host/region.h"
#include "detect/host/steps/forms.h"

#include <string.h>

static bool refuse(host_region *r, const char *what) {
    return host_refuse(r, ST_NO_SWEEPS, what);
}

/* Addresses of both ends; a series of cells is none. */
static bool find_ends(host_region *r, host_affine to[], host_affine from[]) {
    bool reads = !host_calls(r->store, "llvm.memset.");
    for (unsigned i = 0; i <= reads; i++)
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(r->store, i))) != 0)
            return host_refuse(r, ST_NO_OPERATION, "access to a numbered address space");
    if (!host_address(r, LLVMGetOperand(r->store, 0), 0, to) ||
        (reads && !host_address(r, LLVMGetOperand(r->store, 1), 0, from)))
        return false;
    if (!poly_is_zero(to[0].step[r->axes]) || (reads && !poly_is_zero(from[0].step[r->axes])))
        return host_refuse(r, ST_NO_NOT_AFFINE, "it depends on the time step");
    return true;
}

/* The bytes a call copies, the same for all. */
static bool find_length(host_region *r, poly *length) {
    host_affine a;
    if (!host_affine_of(r, br_scev_of(r->f, LLVMGetOperand(r->store, 2)), 0, &a))
        return false;
    for (int i = 0; i < r->nloops; i++)
        if (!poly_is_zero(a.step[i]))
            return refuse(r, "how much memory it copies differs");
    *length = a.base;
    return true;
}

static bool find_dimensions(host_region *r, const host_affine *to, const host_array *known) {
    uint32_t used = 1; /* a call goes along x */
    for (int i = 0; i < r->axes; i++) {
        int d = host_known_dimension(r->steps, known, to->step[i]);
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

static bool fill_value(host_region *r, st_type type, int32_t *node) {
    LLVMValueRef byte = LLVMGetOperand(r->store, 1);
    if (!LLVMIsAConstantInt(byte))
        return refuse(r, "it fills memory with a value that is not a constant");
    uint64_t bits = (LLVMConstIntGetZExtValue(byte) & 0xff) * 0x0101010101010101u;
    *node = st_constant(r->stencil, type, bits);
    return true;
}

bool host_build_copy(host_region *r) {
    st_stencil *s = r->stencil;
    host_affine to[ST_MAX_BUFFERS], from[ST_MAX_BUFFERS];
    poly length = NULL, stride[ST_MAX_RANK];
    bool reads = !host_calls(r->store, "llvm.memset.");
    if (LLVMConstIntGetZExtValue(LLVMGetOperand(r->store, 3)) != 0)
        return host_refuse(r, ST_NO_VOLATILE, NULL);
    if (!find_ends(r, to, from) || !find_length(r, &length))
        return false;
    const host_array *known = host_known_array(r->steps, host_base_pointer(to[0].base));
    if (!known && reads)
        known = host_known_array(r->steps, host_base_pointer(from[0].base));
    if (!known)
        return refuse(r, "it copies an array that no other sweep has");
    host_array array = *known; /* which moves when another one is known */
    if (!find_dimensions(r, &to[0], &array))
        return false;
    if (!host_find_extents(r, &array, length))
        return refuse(r, "it copies parts of elements");
    find_strides(r, &to[0], &array, stride);
    s->store_level = 0;
    for (int i = 1; i < r->period; i++)
        s->store_level |= !poly_equal(to[0].base, to[i].base);
    s->store_grid = host_grid_at(r, to, array.type, stride, s->store_level);
    if (reads) {
        st_access a;
        memset(&a, 0, sizeof a);
        find_strides(r, &from[0], &array, stride);
        a.grid = host_grid_at(r, from, array.type, stride, 0);
        s->root = st_leaf(s, ST_ACCESS, array.type, st_add_access(s, a));
    } else if (!fill_value(r, array.type, &s->root)) {
        return false;
    }
    s->flat &= ~r->implied;
    return true;
}
