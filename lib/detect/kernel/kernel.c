/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Detection in a GPU kernel, as a pipeline: what it does to memory, its axes, its guards, and then
 * with the stages that match accesses and build statements of loop nests: what it writes and what
 * it computes.
 */
#include "detect/kernel/kernel.h"

#include "detect/host/region.h"
#include "detect/kernel/effects.h"
#include "target/uniform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kernel_resolver *const resolvers[] = {kernel_choice, NULL};

kernel_values *kernel_open(br_function *f, LLVMValueRef function) {
    kernel_values *v = kernel_values_create(f, function, resolvers);
    v->takes_exact = true;
    return v;
}

/* What the stages shared with loop nests ask. */

static bool is_invariant(void *context, LLVMValueRef v) {
    (void)context;
    return tg_is_uniform(v);
}

static bool runs_always(void *context, LLVMBasicBlockRef block) {
    const kernel_region *k = context;
    return br_dominates(k->f, block, k->place) || kernel_covers(k, &block, 1);
}

/* Hands the refusal of a kernel's stage on to `why`. */
static bool hand_on(const kernel_region *k, bool good, st_refusal *why) {
    return good || st_refuse(why, k->why.reason, k->why.detail);
}

static bool as_affine(void *context, LLVMValueRef v, host_affine *out, st_refusal *why) {
    kernel_region *k = context;
    kernel_query q = {k->values, why};
    br_scev s = br_scev_of(k->f, v);
    poly p;
    if (!kernel_poly(&q, s, &p))
        return false;
    if (br_scev_is_pointer(s) && !hand_on(k, kernel_open_address(k, p, &p), why))
        return false;
    if (!kernel_affine(k, p, out))
        return st_refuse(why, ST_NO_KERNEL_INDEX,
                         "it does not grow evenly with the cell's coordinates");
    if (br_scev_is_pointer(s))
        kernel_restore_fixed(k, v, out);
    return true;
}

static bool faces_of(void *context, LLVMValueRef pointer, st_access *access, st_refusal *why) {
    kernel_region *k = context;
    kernel_query q = {k->values, why};
    poly p;
    return kernel_poly(&q, br_scev_of(k->f, pointer), &p) &&
           hand_on(k, kernel_set_faces(k, p, access), why);
}

static bool covers(void *context, const LLVMValueRef stores[], int count) {
    LLVMBasicBlockRef blocks[HOST_MAX_STORES + 1];
    for (int i = 0; i < count; i++)
        blocks[i] = LLVMGetInstructionParent(stores[i]);
    return kernel_covers(context, blocks, count);
}

static bool is_beside(void *context, LLVMValueRef store) {
    return kernel_writes_beside(context, store);
}

static LLVMValueRef next_choice(void *context, LLVMValueRef pointer) {
    const kernel_region *k = context;
    return kernel_next_choice(&k->maybe, pointer, k->choosing);
}

static void assume(void *context, const LLVMValueRef conditions[], const bool holds[], int count) {
    kernel_assumed *a = &((kernel_region *)context)->values->assumed;
    memcpy(a->conditions, conditions, (size_t)count * sizeof *conditions);
    memcpy(a->holds, holds, (size_t)count * sizeof *holds);
    a->count = count;
}

static bool check_flow(kernel_region *k) {
    bool good = kernel_check_flow(k->f, k->store, &k->why);
    for (int i = 0; i < k->nalso && good; i++)
        good = kernel_check_flow(k->f, k->also[i], &k->why);
    return good;
}

/* Does the loop move the element that is written? */
static bool moves_store(kernel_region *k, br_loop l, LLVMValueRef store) {
    poly written;
    if (!br_loop_contains(l, LLVMGetInstructionParent(store)) ||
        !kernel_poly(&k->maybe, br_scev_of(k->f, LLVMGetOperand(store, 1)), &written))
        return false;
    for (int i = 0; i < k->values->nroots; i++)
        if (k->values->roots[i].role == KERNEL_ITERATION && k->values->roots[i].loop == l &&
            kernel_has_root(written, kernel_root_atom(&k->values->roots[i])))
            return true;
    return false;
}

/* The pointer that the address is computed from; NULL if that cannot be told. */
static LLVMValueRef array_of(kernel_region *k, LLVMValueRef address) {
    poly p, fixed = NULL;
    if (!kernel_poly(&k->maybe, br_scev_of(k->f, address), &p))
        return NULL;
    for (int i = 0; i < poly_count(p); i++) {
        poly term = poly_term_as(p, i, poly_terms(p)[i].factor);
        if (!kernel_varies(k->values, term))
            fixed = poly_add(fixed, term);
    }
    return host_base_pointer(fixed);
}

static bool same_array(kernel_region *k, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef array = array_of(k, LLVMGetOperand(a, 1));
    return array && array == array_of(k, LLVMGetOperand(b, 1));
}

/* Is a loop over cells around some stores alone? Then `moved` is one of these, and `other` one
 * outside, if possible to the same array. */
static bool leaves_out(kernel_region *k, br_loop l, LLVMValueRef *moved, LLVMValueRef *other) {
    *moved = *other = NULL;
    for (int s = 0; s < k->nstores; s++)
        if (moves_store(k, l, k->stores[s]))
            *moved = k->stores[s];
    for (int s = 0; s < k->nstores && *moved; s++)
        if (!br_loop_contains(l, LLVMGetInstructionParent(k->stores[s])) &&
            (!*other || same_array(k, *moved, k->stores[s])))
            *other = k->stores[s];
    return *other != NULL;
}

static bool check_peeled(kernel_region *k) {
    enum { MOST_LOOPS = 16 };
    br_loop loops[MOST_LOOPS];
    size_t count = br_loops(k->f, loops, MOST_LOOPS);
    LLVMValueRef moved, other;
    for (size_t i = 0; i < count && i < MOST_LOOPS; i++)
        if (leaves_out(k, loops[i], &moved, &other))
            return kernel_refuse(
                k, ST_NO_KERNEL_LOOP,
                same_array(k, moved, other)
                    ? "cells before its first or behind its last ones, as those of the first "
                      "plane, are written outside it; let it walk over all of them"
                    : "an array is written in it, and another one outside it");
    return true;
}

/* Is a number that all threads read first (tg_is_read_first) one of an array that is written? */
static bool check_numbers(kernel_region *k) {
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(k->function));
    for (; i; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef array = tg_is_read_first(i) ? array_of(k, LLVMGetOperand(i, 0)) : NULL;
        for (int s = 0; s < k->nstores && array; s++)
            if (array == array_of(k, LLVMGetOperand(k->stores[s], 1)))
                return kernel_refuse(k, ST_NO_KERNEL_IN_PLACE, NULL);
    }
    return true;
}

static bool find_stores(kernel_region *k) {
    int count = KERNEL_MAX_CELLS;
    if (!kernel_check_alone(k->function, &k->why) ||
        !kernel_find_stores(k->function, k->stores, &count, &k->why))
        return false;
    k->nstores = count;
    return check_numbers(k) && check_peeled(k) && kernel_choose_store(k) && check_flow(k);
}

/* The loop writes the same element each time, as one over neighbours does. */
static bool refuse_unmoved(kernel_region *k, br_loop l) {
    br_scev count = br_backedge_count(k->f, l);
    return count && br_scev_kind(count) == BR_CONSTANT
               ? kernel_refuse(k, ST_NO_KERNEL_LOOP, "no array moves with it")
               : kernel_refuse_count(k->f, l, &k->why);
}

static bool check_loop(kernel_region *k, br_loop l) {
    if (!kernel_strides(k, l) && l != k->march_loop)
        return refuse_unmoved(k, l);
    if (!br_loop_latch(l) || !br_loop_exiting_block(l))
        return kernel_refuse(k, ST_NO_KERNEL_LOOP, "it is left or continued from several places");
    return true;
}

static bool find_axes(kernel_region *k) {
    br_loop loops[2];
    size_t count = br_loops(k->f, loops, 2);
    if (!kernel_find_axes(k))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!check_loop(k, loops[i]))
            return false;
    return true;
}

/* The loop along which values may be carried, or NULL. */
static br_loop carrying_loop(const kernel_region *k) {
    br_loop child;
    int64_t apart;
    bool walks = k->cells == 1 || (poly_is_int(k->apart, &apart) && apart == 1);
    bool innermost = k->march_loop && !br_loop_children(k->march_loop, &child, 1);
    return walks && innermost ? k->march_loop : NULL;
}

/* The grids, with dimensions for the axes, and then the expression. */
static bool match(kernel_region *k, host_region *r) {
    if (!host_store_grid(r))
        return false;
    for (int i = 0; i < r->nalso; i++) {
        st_access also;
        size_t before = r->stencil->ngrids;
        if (!host_also_store(r, r->also[i], &also))
            return false;
        if (r->stencil->ngrids > before && before < 64 && kernel_writes_beside(k, r->also[i]))
            k->beside |= UINT64_C(1) << before;
        st_add_store(r->stencil, (st_store){-1, also.grid, also.level});
    }
    memcpy(k->dim_of_axis, r->dim_of_loop, sizeof k->dim_of_axis);
    return host_build_expression(r, true);
}

/* By a sweep whose coordinates are the axes. */
static bool find_statement(kernel_region *k) {
    const host_form form = {k,      is_invariant, runs_always, as_affine, faces_of,
                            covers, is_beside,    next_choice, assume};
    host_region *r = host_region_create(k->f, k->function);
    r->form = &form;
    r->period = r->sweeps = 1;
    r->nloops = r->axes = k->stencil->rank = k->naxes;
    r->loops[0] = carrying_loop(k);
    r->store = k->store;
    r->nalso = k->nalso;
    memcpy(r->also, k->also, (size_t)k->nalso * sizeof *k->also);
    r->stencil = k->stencil;
    bool good = match(k, r);
    k->reads_late = r->match.late;
    if (!good)
        k->why = host_outcome(r, good);
    k->grids = r->grids;
    k->scalars = r->scalars;
    k->calls = r->calls;
    r->stencil = NULL;
    r->grids = NULL;
    r->scalars = NULL;
    r->calls = NULL;
    host_region_destroy(r);
    return good;
}

/* Are the rows of one written plane between those of another? The ranges of both overlap, so that
 * no test of ranges could tell that they are apart. */
static bool are_interleaved(const kernel_region *k, size_t a, size_t b) {
    poly apart = poly_sub(k->grids[a].origin[0], k->grids[b].origin[0]), times;
    int64_t number, bytes;
    bool known = poly_is_int(apart, &bytes), between = false;
    for (int d = 0; d < k->stencil->rank; d++) {
        poly stride = k->grids[a].stride[d];
        between |= poly_quotient(stride, apart, &times) && poly_is_int(times, &number) &&
                   number != 1 && number != -1;
        between |= known && poly_is_int(stride, &number) && llabs(bytes) < llabs(number);
    }
    return between;
}

static bool never_meet(const kernel_region *k, size_t a, size_t b) {
    const host_grid *x = &k->grids[a], *y = &k->grids[b];
    st_type type = k->stencil->grids[a].type;
    return type == k->stencil->grids[b].type &&
           st_never_meet(x->origin[0], y->origin[0], x->stride, y->stride, k->stencil->rank,
                         (int64_t)st_type_size(type));
}

static bool are_beside(const kernel_region *k, size_t a, size_t b) {
    return (a < 64 && k->beside >> a & 1) || (b < 64 && k->beside >> b & 1);
}

/* The dimension along which a thread goes from cell to cell by a loop; -1: it has one cell; -2: it
 * goes in another way. */
static int walked_dimension(const kernel_region *k) {
    if (k->cells > 1 || k->part || k->stride_loop || k->other_stride_loop)
        return -2;
    for (int i = 0; i < k->naxes && k->march_loop; i++)
        if (kernel_root_of(k->values, k->axes[i].lead)->loop == k->march_loop)
            return k->dim_of_axis[i];
    return k->march_loop ? -2 : -1;
}

/* No thread writes both at one place: they are apart, and by less than it goes on. Of two threads
 * that wrote at one place, nobody could tell which is last. */
static bool require_distinct(kernel_region *k, size_t a, size_t b) {
    poly apart = poly_sub(k->grids[a].origin[0], k->grids[b].origin[0]);
    int walked = walked_dimension(k);
    if (walked < -1)
        return kernel_refuse(k, ST_NO_KERNEL_STORES, KERNEL_SEVERAL_ELEMENTS);
    const poly_term *most = poly_count(apart) ? &poly_terms(apart)[0] : NULL;
    for (int i = 1; i < poly_count(apart); i++)
        if (poly_terms(apart)[i].degree > most->degree)
            most = &poly_terms(apart)[i];
    apart = poly_scale(apart, most && most->factor < 0 ? -1 : 1);
    poly distinct = poly_plus(k->f, apart, -1), rest = NULL;
    if (walked >= 0)
        rest = poly_plus(k->f, poly_sub(k->grids[a].stride[walked], apart), -1);
    return (kernel_need(k->values, distinct) && (walked < 0 || kernel_need(k->values, rest))) ||
           kernel_refuse(k, ST_NO_KERNEL_STORES, KERNEL_SEVERAL_ELEMENTS);
}

/* Planes of one array that a thread writes by different statements: nothing says that they do not
 * overlap. */
static bool check_planes(kernel_region *k) {
    for (size_t a = 0; a < k->stencil->ngrids; a++)
        for (size_t b = 0; b < a; b++) {
            LLVMValueRef base = host_base_pointer(k->grids[a].origin[0]);
            if (!st_writes(k->stencil, (int32_t)a, 0) || !st_writes(k->stencil, (int32_t)b, 0) ||
                !base || base != host_base_pointer(k->grids[b].origin[0]) || never_meet(k, a, b))
                continue;
            if (are_beside(k, a, b)) {
                if (!require_distinct(k, a, b))
                    return false;
                continue;
            }
            if (are_interleaved(k, a, b)) {
                if (b >= 64 || !require_distinct(k, a, b))
                    return kernel_refuse(k, ST_NO_KERNEL_STORES, KERNEL_SEVERAL_ELEMENTS);
                k->beside |= UINT64_C(1) << b;
                continue;
            }
            k->planes = true;
        }
    return true;
}

/* Finds whether restrict, on the array written or on all arrays read, says that these are apart. */
static void find_overlap(kernel_region *k) {
    bool written = true, read = true;
    for (size_t g = 0; g < k->stencil->ngrids; g++) {
        poly origin = k->grids[g].origin[0];
        bool apart = false;
        for (int i = 0; i < poly_count(origin); i++) {
            br_scev atom =
                poly_terms(origin)[i].degree == 1 ? poly_terms(origin)[i].atoms[0] : NULL;
            apart |= atom && br_scev_kind(atom) == BR_UNKNOWN &&
                     tg_argument_has(br_scev_value(atom), "noalias");
        }
        if (st_writes(k->stencil, (int32_t)g, 0))
            written &= apart;
        else
            read &= apart;
    }
    k->may_overlap = (!written && !read) || k->planes;
    k->may_meet = !written && k->stencil->nalso > 0;
}

/* Reasons that speak of loop nests, in the words of kernels. */
static void translate_reason(st_refusal *why) {
    static const st_reason words[][2] = {{ST_NO_IN_PLACE, ST_NO_KERNEL_IN_PLACE},
                                         {ST_NO_NOT_CONTIGUOUS, ST_NO_KERNEL_NOT_CONTIGUOUS},
                                         {ST_NO_NOT_STENCIL, ST_NO_KERNEL_NOT_STENCIL},
                                         {ST_NO_OPERATION, ST_NO_KERNEL_OPERATION},
                                         {ST_NO_CONTROL_FLOW, ST_NO_KERNEL_CONTROL_FLOW},
                                         {ST_NO_STEP, ST_NO_KERNEL_STEP},
                                         {ST_NO_RANK, ST_NO_KERNEL_RANK},
                                         {ST_NO_TOO_BIG, ST_NO_KERNEL_TOO_BIG},
                                         {ST_NO_CARRIED, ST_NO_KERNEL_CARRIED},
                                         {ST_NO_NOT_AFFINE, ST_NO_KERNEL_INDEX}};
    if (why->reason == ST_NO_SWEEPS) {
        st_refuse(why, ST_NO_KERNEL_STORES, KERNEL_SEVERAL_ELEMENTS);
        return;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (why->reason == words[i][0]) {
            why->reason = words[i][1];
            return;
        }
}

static bool analyse(kernel_region *k) {
    if (!find_stores(k) || !find_axes(k) || !kernel_find_guards(k))
        return false;
    kernel_close_ends(k);
    if (!find_statement(k) || !check_planes(k))
        return false;
    find_overlap(k);
    return true;
}

/* A thread that reads one component of its cell and writes another reads no neighbour. */
static bool has_components(kernel_region *k) {
    poly unit;
    int64_t bytes;
    return k->nstores > 1 && kernel_unit(k, &unit) && poly_is_int(unit, &bytes) && bytes <= 8;
}

/* Where i is 0, LLVM writes b[0] for b[i]. */
static bool has_numbered(const kernel_region *k) {
    bool any = false;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            any |= LLVMIsAStoreInst(i) && tg_is_uniform(LLVMGetOperand(i, 1));
    return any;
}

static void give_up(kernel_region *k) {
    if (k->why.reason == ST_NO_IN_PLACE && has_components(k))
        st_refuse(&k->why, ST_NO_KERNEL_STORES, KERNEL_SEVERAL_ELEMENTS);
    if (k->why.reason == ST_NO_NOT_CONTIGUOUS && has_numbered(k))
        k->why.reason = ST_NO_KERNEL_NUMBERED;
    translate_reason(&k->why);
    st_destroy(k->stencil);
    k->stencil = NULL;
}

/* How stores and choices are looked at. */
typedef struct way {
    bool as_one;  /* all stores are one cell's; else each is a cell's */
    bool grouped; /* see kernel_region */
    int fewer;    /* likewise */
    kernel_choosing choosing;
} way;

static kernel_region *create(br_function *f, LLVMValueRef function, int cell, way w) {
    kernel_region *k = calloc(1, sizeof *k);
    size_t length;
    k->f = f;
    k->function = function;
    k->values = kernel_values_create(f, function, resolvers);
    k->ask = (kernel_query){k->values, &k->why};
    k->maybe = (kernel_query){k->values, NULL};
    k->cells = 1;
    k->cell = cell;
    k->as_one = w.as_one;
    k->grouped = w.grouped;
    k->fewer = w.fewer;
    k->choosing = w.choosing;
    k->stencil = st_create();
    snprintf(k->stencil->function, sizeof k->stencil->function, "%s",
             LLVMGetValueName2(function, &length));
    br_function_location(function, k->stencil->where, sizeof k->stencil->where);
    return k;
}

static kernel_region *detect_cell(br_function *f, LLVMValueRef function, int cell, way w) {
    kernel_region *k = create(f, function, cell, w);
    if (!analyse(k))
        give_up(k);
    return k;
}

static kernel_region *detect(br_function *f, LLVMValueRef function, way w) {
    kernel_region *k = detect_cell(f, function, 0, w);
    for (int cell = 1; cell < k->nstores && k->stencil; cell++) {
        kernel_region *other = detect_cell(f, function, cell, w);
        if (!kernel_add_cell(k, other))
            give_up(k);
        kernel_region_destroy(other);
    }
    return k;
}

/* May the last quotient be no axis? It is always 0, for all cells written, in `(x + k + n) % n`
 * where k is 0: what is divided is a coordinate, or the last one of a flat index. */
static bool may_have_fewer(const kernel_region *k) {
    bool one_row = !k->stencil;
    int last = 0;
    int64_t rows;
    while (last + 1 < k->naxes && k->axes[last + 1].quotient >= 0)
        last++;
    for (int i = 0; i < k->nbounds; i++) {
        const kernel_bound *b = &k->bounds[i];
        one_row |= b->relation == KERNEL_BELOW &&
                   (b->axis < 0
                        ? last == 1 && poly_equal(b->limit, k->axes[0].extent)
                        : last > 0 && b->axis == last && poly_is_int(b->limit, &rows) && rows == 1);
    }
    return k->shape == KERNEL_FLAT && !k->rows_assumed && one_row;
}

/* Looks at quotients as axes; if that fails, without the last one, or without any. */
static kernel_region *detect_divided(br_function *f, LLVMValueRef function, way w) {
    static const int fewer[] = {1, KERNEL_MAX_ROOTS};
    kernel_region *k = detect(f, function, w);
    for (int i = 0; i < 2 && may_have_fewer(k); i++) {
        w.fewer = fewer[i];
        kernel_region *other = detect(f, function, w);
        bool good = other->stencil || other->why.reason == ST_NO_KERNEL_NOT_STENCIL;
        kernel_region_destroy(good ? k : other);
        k = good ? other : k;
    }
    return k;
}

/* Guards that are not the same for each of a thread's cells may still bound the thread, and so all
 * of them. */
static kernel_region *detect_cells(br_function *f, LLVMValueRef function,
                                   kernel_choosing choosing) {
    kernel_region *k = detect_divided(f, function, (way){.choosing = choosing});
    if (k->nstores < 2 || k->why.reason != ST_NO_KERNEL_GUARD)
        return k;
    kernel_region_destroy(k);
    return detect_divided(f, function, (way){.grouped = true, .choosing = choosing});
}

/* Stores by different statements are those of one cell, to several arrays or to several planes of
 * one. If that fails, it says why of several arrays alone, or if it knows more. */
static kernel_region *detect_stores(br_function *f, LLVMValueRef function,
                                    kernel_choosing choosing) {
    kernel_region *k = detect_cells(f, function, choosing);
    if (k->stencil || k->nstores < 2)
        return k;
    kernel_region *one = detect_divided(f, function, (way){.as_one = true, .choosing = choosing});
    bool tells = one->stencil || one->why.reason == ST_NO_KERNEL_NOT_STENCIL ||
                 one->why.reason == ST_NO_KERNEL_TOO_BIG || kernel_writes_several(k);
    kernel_region_destroy(tells ? k : one);
    return tells ? one : k;
}

/* An index that is chosen, and brought back by no rule of borders, may still choose what is loaded.
 */
static kernel_region *detect_assuming(br_function *f, LLVMValueRef function) {
    kernel_region *k = detect_stores(f, function, KERNEL_ASSUME_VALUES);
    if (k->why.reason != ST_NO_KERNEL_BOUNDARY)
        return k;
    kernel_region *other = detect_stores(f, function, KERNEL_ASSUME_ALL);
    bool good = other->stencil != NULL;
    kernel_region_destroy(good ? k : other);
    return good ? other : k;
}

kernel_region *kernel_detect(br_function *f, LLVMValueRef function) {
    kernel_region *k = detect_assuming(f, function);
    k->carries = kernel_count_carried(f);
    return k;
}

/* In the way may be the loops themselves, or arrays of the thread's own, indexed in loops. */
bool kernel_wants_unrolled(const kernel_region *k) {
    return k->why.reason == ST_NO_KERNEL_LOOP || k->why.reason == ST_NO_KERNEL_COUNT ||
           k->why.reason == ST_NO_KERNEL_STORES || k->why.reason == ST_NO_KERNEL_LOCAL;
}

void kernel_region_destroy(kernel_region *k) {
    if (!k)
        return;
    kernel_values_destroy(k->values);
    st_destroy(k->stencil);
    free(k->grids);
    free(k->scalars);
    free(k->calls);
    free(k);
}
