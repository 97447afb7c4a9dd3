/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Detection in a GPU kernel, as a pipeline: what it does to memory, its axes, its guards, and then
 * with the parts that loop nests use: what it writes and what it computes.
 */
#include "detect/kernel/region.h"

#include <stdio.h>
#include <stdlib.h>

bool kernel_refuse(kernel_region *k, st_reason reason, const char *detail) {
    return host_refuse(&k->region, reason, detail);
}

/* What the parts shared with loop nests ask. A kernel_region starts with its host_region. */

static kernel_region *kernel_of(host_region *r) {
    return (kernel_region *)r;
}

static bool is_invariant(host_region *r, LLVMValueRef v) {
    (void)r;
    return tg_is_uniform(v);
}

static bool runs_always(host_region *r, LLVMBasicBlockRef block) {
    return br_dominates(r->f, block, LLVMGetInstructionParent(r->store));
}

static bool as_affine(host_region *r, LLVMValueRef v, host_affine *out) {
    kernel_region *k = kernel_of(r);
    poly p;
    if (!kernel_poly(k, br_scev_of(r->f, v), &p))
        return false;
    if (br_scev_is_pointer(br_scev_of(r->f, v)) && !kernel_open_address(k, p, &p))
        return false;
    return kernel_affine(k, p, out) ||
           kernel_refuse(k, ST_NO_KERNEL_INDEX,
                         "it does not grow evenly with the cell's coordinates");
}

static bool faces_of(host_region *r, LLVMValueRef pointer, st_access *access) {
    poly p;
    return kernel_poly(kernel_of(r), br_scev_of(r->f, pointer), &p) &&
           kernel_set_faces(kernel_of(r), p, access);
}

static const host_form kernel_form = {is_invariant, runs_always, as_affine, faces_of};

static bool begin(kernel_region *k) {
    host_region *r = &k->region;
    size_t length;
    r->stencil = st_create();
    r->period = r->sweeps = 1;
    r->form = &kernel_form;
    snprintf(r->stencil->function, sizeof r->stencil->function, "%s",
             LLVMGetValueName2(r->function, &length));
    br_function_location(r->function, r->stencil->where, sizeof r->stencil->where);
    return kernel_check_effects(k);
}

static bool check_loop(kernel_region *k, br_loop l) {
    if (!kernel_strides(k, l) && l != k->march_loop)
        return kernel_refuse(k, ST_NO_KERNEL_LOOP, "no array moves with it");
    if (!br_loop_latch(l) || !br_loop_exiting_block(l))
        return kernel_refuse(k, ST_NO_KERNEL_LOOP, "it is left or continued from several places");
    return true;
}

/* The region's rank and its loop, along which values may be carried. */
static bool take_axes(kernel_region *k) {
    br_loop loops[2], child;
    int64_t apart;
    size_t count = br_loops(k->region.f, loops, 2);
    if (!kernel_find_axes(k))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!check_loop(k, loops[i]))
            return false;
    k->region.stencil->rank = k->naxes;
    k->region.nloops = k->region.axes = k->naxes;
    bool walks = k->cells == 1 || (poly_is_int(k->apart, &apart) && apart == 1);
    if (k->march_loop && walks && !br_loop_children(k->march_loop, &child, 1))
        k->region.loops[0] = k->march_loop;
    return true;
}

/* restrict on the array written, or on all that are read, says that they are apart. */
static void find_overlap(kernel_region *k) {
    const host_region *r = &k->region;
    bool written = false, read = true;
    for (size_t g = 0; g < r->stencil->ngrids; g++) {
        poly origin = r->grids[g].origin[0];
        bool apart = false;
        for (int i = 0; i < poly_count(origin); i++) {
            br_scev atom =
                poly_terms(origin)[i].degree == 1 ? poly_terms(origin)[i].atoms[0] : NULL;
            apart |= atom && br_scev_kind(atom) == BR_UNKNOWN &&
                     tg_argument_has(br_scev_value(atom), "noalias");
        }
        if ((int32_t)g == r->stencil->store_grid)
            written = apart;
        else
            read &= apart;
    }
    k->may_overlap = !written && !read;
}

/* Reasons that speak of loop nests, in the words of kernels. */
static void translate_reason(kernel_region *k) {
    static const st_reason words[][2] = {{ST_NO_IN_PLACE, ST_NO_KERNEL_IN_PLACE},
                                         {ST_NO_NOT_CONTIGUOUS, ST_NO_KERNEL_NOT_CONTIGUOUS},
                                         {ST_NO_NOT_STENCIL, ST_NO_KERNEL_NOT_STENCIL},
                                         {ST_NO_CONTROL_FLOW, ST_NO_KERNEL_CONTROL_FLOW}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (k->region.reason == words[i][0])
            k->region.reason = words[i][1];
}

static bool analyse(kernel_region *k) {
    if (!begin(k) || !take_axes(k) || !kernel_find_guards(k) || !host_store_grid(&k->region) ||
        !host_build_expression(&k->region, true))
        return false;
    find_overlap(k);
    return true;
}

static void give_up(kernel_region *k) {
    translate_reason(k);
    st_destroy(k->region.stencil);
    k->region.stencil = NULL;
}

kernel_region *kernel_begin(br_function *f, LLVMValueRef function) {
    kernel_region *k = calloc(1, sizeof *k);
    k->region.f = f;
    k->region.function = function;
    k->cells = 1;
    return k;
}

static kernel_region *detect_cell(br_function *f, LLVMValueRef function, int cell) {
    kernel_region *k = kernel_begin(f, function);
    k->cell = cell;
    if (!analyse(k))
        give_up(k);
    return k;
}

kernel_region *kernel_detect(br_function *f, LLVMValueRef function) {
    kernel_region *k = detect_cell(f, function, 0);
    for (int cell = 1; cell < k->nstores && k->region.stencil; cell++) {
        kernel_region *other = detect_cell(f, function, cell);
        if (!kernel_add_cell(k, other))
            give_up(k);
        kernel_region_destroy(other);
    }
    return k;
}

/* In the way may be the loops themselves, or arrays of the thread's own, indexed in loops. */
bool kernel_wants_unrolled(const kernel_region *k) {
    return k->region.reason == ST_NO_KERNEL_LOOP || k->region.reason == ST_NO_KERNEL_STORES;
}

void kernel_region_destroy(kernel_region *k) {
    if (!k)
        return;
    st_destroy(k->region.stencil);
    free(k->region.grids);
    free(k->region.scalars);
    free(k);
}
