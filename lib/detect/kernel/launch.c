/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The facts of a kernel's launch that code generation needs, as plain data: see model/launch.h.
 */
#include "detect/kernel/kernel.h"
#include "target/uniform.h"

#include <stdlib.h>

/* Values */

static st_launch_size size_of(const kernel_region *k, br_scev atom, int *dim) {
    for (int size = 0; size < 2; size++)
        for (*dim = 0; *dim < ST_MAX_RANK; ++*dim)
            if (atom == k->values->sizes[size][*dim])
                return size ? ST_BLOCK_COUNT : ST_BLOCK_SIZE;
    *dim = 0;
    return ST_NO_SIZE;
}

static void name_value(const kernel_region *k, st_launch *l, br_scev atom) {
    if (st_value_of(l, atom))
        return;
    if (l->nvalues % 16 == 0)
        l->values = realloc(l->values, ((size_t)l->nvalues + 16) * sizeof *l->values);
    st_launch_value *v = &l->values[l->nvalues++];
    v->atom = atom;
    v->rank = kernel_rank(k->values, atom);
    v->size = size_of(k, atom, &v->dim);
}

static poly name(const kernel_region *k, st_launch *l, poly p) {
    for (int i = 0; i < poly_count(p); i++)
        for (int a = 0; a < poly_terms(p)[i].degree; a++)
            name_value(k, l, poly_terms(p)[i].atoms[a]);
    return p;
}

/* What the threads count */

/* Adds the root's part to the counter. False: the counter has no such part. */
static bool take_part(const kernel_region *k, const kernel_root *r, poly by, st_counter *out) {
    int64_t one;
    if (r->role == KERNEL_THREAD && out->thread < 0 && poly_is_int(by, &one) && one == 1) {
        out->thread = r->dim;
    } else if (r->role == KERNEL_BLOCK && out->block < 0) {
        out->width = by;
        out->block = r->dim;
    } else if (r->role == KERNEL_ITERATION && !out->iterates &&
               (r->loop == k->stride_loop || r->loop == k->other_stride_loop)) {
        out->stride = by;
        out->iterates = true;
    } else {
        return false;
    }
    return true;
}

static bool find_counter(const kernel_region *k, poly value, st_counter *out) {
    poly by, rest = value, all;
    *out = (st_counter){.thread = -1, .block = -1, .width = poly_int(k->f, 1)};
    for (int i = 0; i < k->values->nroots; i++) {
        const kernel_root *r = &k->values->roots[i];
        all = rest;
        if (!poly_split(all, kernel_root_atom(r), &by, &rest))
            return false;
        if (!poly_is_zero(by) && !take_part(k, r, by, out))
            return false;
    }
    if (out->thread >= 0 && out->block >= 0 && out->thread != out->block)
        return false;
    return poly_is_zero(rest) && !kernel_varies(k->values, out->width) &&
           (out->thread >= 0 || out->block >= 0) &&
           (!out->iterates || !kernel_varies(k->values, out->stride));
}

/* The number of a thread that computes several cells along the axis of this value. */
static bool find_thread(const kernel_region *k, poly value, st_counter *out) {
    poly by, rest = value, all;
    *out = (st_counter){.thread = -1, .block = -1};
    for (int i = 0; i < k->values->nroots; i++) {
        const kernel_root *r = &k->values->roots[i];
        all = rest;
        if (!poly_split(all, kernel_root_atom(r), &by, &rest))
            return false;
        if (poly_is_zero(by) || (r->role == KERNEL_ITERATION && r->loop == k->march_loop))
            continue;
        if (r->role == KERNEL_THREAD && out->thread < 0)
            out->thread = r->dim;
        else if (r->role == KERNEL_BLOCK && out->block < 0 && poly_exact(by, k->cells, &out->width))
            out->block = r->dim;
        else
            return false;
    }
    return out->thread >= 0 && out->block == out->thread && !kernel_varies(k->values, out->width);
}

static st_counter count(const kernel_region *k, st_launch *l, poly value, int64_t cells) {
    st_counter c;
    c.known = cells > 1 ? find_thread(k, value, &c) : find_counter(k, value, &c);
    if (c.known) {
        name(k, l, c.width);
        name(k, l, c.stride);
    }
    return c;
}

/* Is the axis the iteration of a loop in the thread, and no more? */
static bool is_walked(const kernel_region *k, const kernel_axis *a) {
    const kernel_root *lead = kernel_root_of(k->values, a->lead);
    return k->march_loop && lead->loop == k->march_loop && k->cells == 1 && !k->part;
}

static void add_axis(const kernel_region *k, st_launch *l, int number) {
    const kernel_axis *from = &k->axes[number];
    st_launch_axis *to = &l->axes[k->dim_of_axis[number]];
    to->number = number;
    to->cells = k->cells > 1 && k->cells_axis == number ? k->cells : 1;
    to->walks = is_walked(k, from);
    l->walks |= to->walks;
    if (!l->is_flat && !to->walks)
        to->counter = count(k, l, from->value, to->cells);
    to->divides = from->quotient >= 0;
    if (to->divides)
        to->divisor = name(k, l, k->values->roots[from->quotient].divisor);
    to->extent = name(k, l, from->extent);
    for (int high = 0; high < 2; high++) {
        to->face[high].limit = name(k, l, k->faces[number][high].limit);
        to->face[high].period = name(k, l, k->faces[number][high].period);
    }
}

/* What must hold */

static void add_bounds(const kernel_region *k, st_launch *l) {
    static const st_relation relations[] = {
        [KERNEL_AT_LEAST] = ST_AT_LEAST, [KERNEL_BELOW] = ST_BELOW, [KERNEL_NOT] = ST_IS_NOT};
    l->bounds = calloc((size_t)k->nbounds + 1, sizeof *l->bounds);
    for (; l->nbounds < k->nbounds; l->nbounds++) {
        const kernel_bound *from = &k->bounds[l->nbounds];
        st_launch_bound *to = &l->bounds[l->nbounds];
        to->dim = from->axis < 0 ? -1 : k->dim_of_axis[from->axis];
        to->relation = relations[from->relation];
        to->limit = name(k, l, from->limit);
        to->is_near = kernel_is_near(k, from->limit);
    }
}

static void add_conditions(const kernel_region *k, st_launch *l) {
    l->conditions = calloc((size_t)k->nuniform + 1, sizeof *l->conditions);
    for (; l->nconditions < k->nuniform; l->nconditions++) {
        const host_guard *u = &k->uniform[l->nconditions];
        l->conditions[l->nconditions] = (st_condition){u->condition, u->holds};
    }
    l->needs = calloc((size_t)k->values->nneeds + 1, sizeof *l->needs);
    for (; l->nneeds < k->values->nneeds; l->nneeds++)
        l->needs[l->nneeds] = name(k, l, k->values->needs[l->nneeds]);
}

/* In terms of the axes; false if it is no such sum. */
static bool narrow_value(const kernel_region *k, const kernel_narrow *n, host_affine *value) {
    poly exact;
    k->values->assumed = n->under;
    bool good = kernel_number(&k->maybe, n->value, &exact) && kernel_affine(k, exact, value);
    k->values->assumed.count = 0;
    return good;
}

/* Lists the narrow integers that are sums of coordinates. */
static void add_indices(kernel_region *k, st_launch *l) {
    int count = k->values->nnarrow; /* expanding them again finds no others */
    l->indices = calloc((size_t)count + 1, sizeof *l->indices);
    for (int i = 0; i < count; i++) {
        const kernel_narrow *n = &k->values->narrow[i];
        host_affine a;
        if (!narrow_value(k, n, &a))
            continue;
        st_launch_index *to = &l->indices[l->nindices++];
        to->base = name(k, l, a.base);
        for (int axis = 0; axis < k->naxes; axis++)
            to->step[k->dim_of_axis[axis]] = name(k, l, a.step[axis]);
        to->bits = br_scev_bits(k->f, n->value);
        to->is_signed = n->is_signed;
    }
}

/* What the statement reads */

/* The first written grid of the same array; -1 if that cannot be told. */
static int32_t array_of(const kernel_region *k, size_t grid) {
    LLVMValueRef base = host_base_pointer(k->grids[grid].origin[0]);
    for (size_t i = 0; i <= grid && base; i++)
        if (st_writes(k->stencil, (int32_t)i, 0) &&
            base == host_base_pointer(k->grids[i].origin[0]))
            return (int32_t)i;
    return -1;
}

static void add_grids(const kernel_region *k, st_launch *l) {
    const st_stencil *s = l->stencil;
    l->grids = calloc(s->ngrids + 1, sizeof *l->grids);
    for (size_t i = 0; i < s->ngrids; i++) {
        l->grids[i].origin = name(k, l, k->grids[i].origin[0]);
        l->grids[i].array = array_of(k, i);
        l->grids[i].beside = i < 64 && k->beside >> i & 1;
        for (int d = 0; d < s->rank; d++)
            l->grids[i].stride[d] = name(k, l, k->grids[i].stride[d]);
    }
    l->scalars = calloc(s->nscalars + 1, sizeof *l->scalars);
    for (size_t i = 0; i < s->nscalars; i++) {
        l->scalars[i].value = k->scalars[i].value;
        l->scalars[i].start = name(k, l, k->scalars[i].start);
    }
}

static void add_calls(const kernel_region *k, st_launch *l) {
    size_t count = l->stencil->ncalls;
    l->calls = calloc(count + 1, sizeof *l->calls);
    for (size_t i = 0; i < count; i++)
        l->calls[i] = k->calls[i];
}

/* Sizes that are read behind branches */

static bool is_behind(LLVMValueRef v) {
    return tg_is_uniform_number(v) && !tg_is_uniform(v);
}

static bool has_behind(br_scev s) {
    enum br_scev_kind kind = br_scev_kind(s);
    if (kind == BR_UNKNOWN)
        return is_behind(br_scev_value(s));
    for (size_t i = 0; kind != BR_OTHER && i < br_scev_count(s); i++)
        if (has_behind(br_scev_operand(s, i)))
            return true;
    return false;
}

/* Is any number of those that the launch depends on? */
static bool has_sizes_behind(const kernel_region *k, const st_launch *l) {
    bool any = false;
    for (int i = 0; i < l->nvalues && !any; i++)
        any = kernel_is_value(k->values, l->values[i].atom) && has_behind(l->values[i].atom);
    for (int i = 0; i < l->nconditions && !any; i++)
        any = is_behind(l->conditions[i].condition);
    for (size_t i = 0; i < l->stencil->nscalars && !any; i++)
        any = l->scalars[i].value && is_behind(l->scalars[i].value);
    return any;
}

static int count_fractions(LLVMBasicBlockRef header) {
    LLVMValueRef i = LLVMGetFirstInstruction(header);
    int count = 0;
    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(i));
        count += kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
    }
    return count;
}

int kernel_count_carried(br_function *f) {
    enum { MOST = 16 }; /* with more loops it does not walk */
    br_loop loops[MOST];
    size_t count = br_loops(f, loops, MOST);
    int carried = 0;
    for (size_t i = 0; i < count && i < MOST; i++)
        carried += count_fractions(br_loop_header(loops[i]));
    return carried;
}

/* Is there a load after a store of the same block? */
static bool reads_between(const kernel_region *k) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->function);
    bool found = false;
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        bool stored = false;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            found |= stored && LLVMIsALoadInst(i);
            stored |= LLVMIsAStoreInst(i) != NULL;
        }
    }
    return found;
}

/* Does a loop take threads to further cells, but for the stride loop of a flat index? Stride loops
 * of other launches do if a thread has several cells, or walks, beside. */
static bool has_loops(const kernel_region *k) {
    bool flat = k->shape == KERNEL_FLAT,
         strides = k->other_stride_loop || (k->stride_loop && !flat);
    return (k->march_loop && k->cells == 1 && (flat || k->part)) ||
           (strides && (flat || k->march_loop || k->cells > 1 || k->part));
}

st_launch *kernel_launch(kernel_region *k) {
    st_launch *l = st_create_launch();
    int64_t apart;
    l->f = k->f;
    l->function = k->function;
    l->stencil = k->stencil;
    l->is_flat = k->shape == KERNEL_FLAT;
    l->strides = k->stride_loop && l->is_flat;
    l->loops = has_loops(k);
    l->rows_assumed = k->rows_assumed;
    l->may_overlap = k->may_overlap;
    l->may_meet = k->may_meet;
    l->planes = k->planes;
    l->reads_late = (k->reads_late && k->may_overlap) || k->planes;
    l->cells = k->cells;
    l->cells_apart = k->cells > 1 && (!poly_is_int(k->apart, &apart) || apart != 1);
    l->reads_between = k->may_overlap && reads_between(k);
    if (l->is_flat)
        l->flat = count(k, l, k->flat, 1);
    for (int i = 0; i < k->naxes; i++)
        add_axis(k, l, i);
    l->carries = l->walks ? k->carries : 0;
    add_bounds(k, l);
    add_conditions(k, l);
    add_indices(k, l);
    add_grids(k, l);
    add_calls(k, l);
    l->sizes_behind = has_sizes_behind(k, l);
    return l;
}
