/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Axes: which sums of thread and block numbers are the coordinates of a thread's cell.
 *
 * Where something divides a flat index, its quotients and remainders are the axes:
 *   x = i - i / n * n,  y = i / n - i / (n * m) * m,  z = i / (n * m)
 * so that a linear index a[i - n] is a neighbour along y, whatever the address is computed from.
 * These are the axes, too, where nothing divides the flat index but neighbours are n and n * m
 * elements away.
 * Else each loop that the written address moves with gives one, by its counter, or by its
 * iterations and the part of the axis that a block has of its own; and each dimension of the launch
 * gives one: thread + width * block if the address grows so, or the thread and the block number
 * alone.
 */
#include "detect/kernel/stages.h"

#include <string.h>

static bool refuse_cell(kernel_region *k) {
    return kernel_refuse(k, ST_NO_KERNEL_CELL, NULL);
}

static bool is_one(poly p) {
    int64_t value;
    return poly_is_int(p, &value) && value == 1;
}

/* A root that p has once, and with factor 1; NULL if there is none. */
static br_scev find_lead(kernel_region *k, poly p) {
    poly by;
    for (int i = 0; i < k->values->nroots; i++)
        if (k->values->roots[i].role != KERNEL_EXCESS &&
            kernel_growth(k->values, p, kernel_root_atom(&k->values->roots[i]), &by) && is_one(by))
            return kernel_root_atom(&k->values->roots[i]);
    return NULL;
}

static kernel_axis *add_axis(kernel_region *k, poly value, br_scev lead) {
    if (k->naxes == ST_MAX_RANK) {
        kernel_refuse(k, ST_NO_KERNEL_RANK, NULL);
        return NULL;
    }
    kernel_axis *a = &k->axes[k->naxes++];
    memset(a, 0, sizeof *a);
    a->value = value;
    a->lead = lead;
    a->quotient = -1;
    a->scale = 1;
    return a;
}

/* A flat index */

/* Does p have no term that is the same for all threads, as the 1 in (x + 1) / n of a periodic x? */
static bool only_varies(const kernel_region *k, poly p) {
    for (int i = 0; i < poly_count(p); i++) {
        if (!kernel_varies(k->values, poly_term_as(p, i, 1)))
            return false;
    }
    return true;
}

/* The quotient of two divisors, as the program multiplies one to get the other. */
static bool extent_between(poly larger, poly smaller, poly *extent) {
    poly rest;
    return poly_divide(larger, smaller, extent, &rest) && poly_is_zero(rest) &&
           !poly_is_zero(*extent);
}

/* Is quotient a that of the slower axis? Of two divisors that are arguments nothing says which is
 * larger: then the written address grows faster by the slower axis. */
static bool is_slower(const kernel_region *k, poly written, const kernel_root *a,
                      const kernel_root *b) {
    poly ignored, by_a, by_b;
    bool multiples = extent_between(a->divisor, b->divisor, &ignored) ||
                     extent_between(b->divisor, a->divisor, &ignored);
    if (!multiples && kernel_growth(k->values, written, kernel_root_atom(a), &by_a) &&
        kernel_growth(k->values, written, kernel_root_atom(b), &by_b) && !poly_is_zero(by_a) &&
        !poly_is_zero(by_b))
        return poly_slower(by_a, by_b);
    return poly_slower(a->divisor, b->divisor);
}

/* The quotients that count: those in the written address, or else those of sums of thread numbers
 * alone. By growing divisor. */
static int find_quotients(kernel_region *k, poly written, int *out) {
    int count = 0, used = 0;
    for (int i = 0; i < k->values->nroots; i++)
        used += k->values->roots[i].role == KERNEL_QUOTIENT &&
                kernel_has_root(written, kernel_root_atom(&k->values->roots[i]));
    for (int i = 0; i < k->values->nroots; i++) {
        kernel_root *r = &k->values->roots[i];
        if (r->role != KERNEL_QUOTIENT ||
            (used && !kernel_has_root(written, kernel_root_atom(r))) ||
            (!used && !only_varies(k, r->numerator)))
            continue;
        int at = count++;
        for (; at > 0 && is_slower(k, written, &k->values->roots[out[at - 1]], r); at--)
            out[at] = out[at - 1];
        out[at] = i;
    }
    return count;
}

static bool flat_axes(kernel_region *k, const int *quotients, int count) {
    const kernel_root *first = &k->values->roots[quotients[0]];
    br_scev lead = find_lead(k, first->numerator);
    if (!lead)
        return kernel_refuse(k, ST_NO_KERNEL_INDEX, "what is divided is not a thread's number");
    k->shape = KERNEL_FLAT;
    k->flat = first->numerator;
    kernel_axis *axis = add_axis(k, k->flat, lead);
    if (!axis)
        return false;
    axis->extent = first->divisor;
    for (int i = 0; i < count; i++) {
        kernel_root *r = &k->values->roots[quotients[i]];
        if (!poly_equal(r->numerator, k->flat))
            return kernel_refuse(k, ST_NO_KERNEL_INDEX, "two different numbers are divided");
        poly before = i > 0 ? k->values->roots[quotients[i - 1]].divisor : NULL;
        if (i > 0 && !extent_between(r->divisor, before, &axis->extent) &&
            !kernel_assume_multiple(k, before, r->divisor, &axis->extent))
            return kernel_refuse(k, ST_NO_KERNEL_INDEX, "its divisors are not multiples");
        poly value = poly_atom(k->f, kernel_root_atom(r));
        axis = add_axis(k, value, kernel_root_atom(r));
        if (!axis)
            return false;
        axis->quotient = quotients[i];
    }
    return true;
}

/* Loops and launch dimensions */

/* The coordinate that a loop moves: thread numbers and a stride, if it takes a thread to its
 * further cells; else the iteration itself. */
static poly counter_of(kernel_region *k, kernel_root *iteration, br_scev *lead) {
    LLVMValueRef phi = LLVMGetFirstInstruction(br_loop_header(iteration->loop));
    for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        poly value, by;
        if (LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind ||
            br_scev_kind(br_scev_of(k->f, phi)) != BR_ADDREC ||
            !kernel_poly(&k->maybe, br_scev_of(k->f, phi), &value) ||
            !kernel_growth(k->values, value, kernel_root_atom(iteration), &by) ||
            !kernel_has_launch_size(k->values, by))
            continue;
        *lead = find_lead(k, value);
        if (*lead) /* cells are counted from the launch's first thread */
            return poly_plus(k->f, value, -poly_constant(value));
    }
    *lead = kernel_root_atom(iteration);
    return poly_atom(k->f, *lead);
}

/* A loop whose iterations are in the flat index (or NULL) takes a thread to its further cells. */
static bool loop_axes(kernel_region *k, poly written, poly flat) {
    for (int i = 0; i < k->values->nroots; i++) {
        kernel_root *r = &k->values->roots[i];
        br_scev lead;
        if (r->role != KERNEL_ITERATION)
            continue;
        if (flat && kernel_has_root(flat, kernel_root_atom(r))) {
            k->stride_loop = r->loop;
            continue;
        }
        if (!kernel_has_root(written, kernel_root_atom(r)))
            continue;
        poly value = counter_of(k, r, &lead);
        bool marches = lead == kernel_root_atom(r);
        br_loop *place = marches          ? &k->march_loop
                         : k->stride_loop ? &k->other_stride_loop
                                          : &k->stride_loop;
        if (*place)
            return kernel_refuse(k, ST_NO_KERNEL_INDEX, "two loops move it");
        *place = r->loop;
        if (!add_axis(k, value, lead))
            return false;
    }
    return true;
}

static kernel_root *launch_root(kernel_region *k, kernel_role role, int dim) {
    for (int i = 0; i < k->values->nroots; i++)
        if (k->values->roots[i].role == role && k->values->roots[i].dim == dim)
            return &k->values->roots[i];
    return NULL;
}

/* The block's width, if `block` is so many times `thread`. */
static bool width_of(kernel_region *k, int dim, poly thread, poly block, poly *width,
                     int64_t *number) {
    *number = 0;
    if (k->values->sizes[0][dim]) {
        *width = poly_atom(k->f, k->values->sizes[0][dim]);
        poly product = poly_mul(thread, *width);
        if (poly_equal(product, block))
            return true;
    }
    return extent_between(block, thread, width) && poly_is_int(*width, number) && *number > 0;
}

static void set_cells(kernel_region *k, const kernel_axis *axis, int64_t cells, poly apart) {
    k->cells = cells;
    k->cells_axis = (int)(axis - k->axes);
    k->apart = apart;
}

/* thread + width * (cell + cells * block): a block's threads compute its cells side by side, and
 * then the next ones. `unit`: from one cell of a thread to its next. */
static bool set_apart(kernel_region *k, int dim, poly unit, int64_t cells, poly cell,
                      poly by_thread, poly by_block, kernel_axis *axis) {
    poly width, all = poly_scale(unit, cells), next;
    kernel_root *block = launch_root(k, KERNEL_BLOCK, dim);
    int64_t number;
    if (!block || !poly_equal(all, by_block) || !width_of(k, dim, by_thread, unit, &width, &number))
        return false;
    next = poly_atom(k->f, kernel_root_atom(block));
    next = poly_scale(next, cells);
    next = poly_add(next, cell);
    next = poly_mul(next, width);
    axis->value = poly_add(axis->value, next);
    axis->width = number;
    set_cells(k, axis, cells, width);
    return true;
}

/* Does a thread move by as many cells as it writes, by a store each? Then they are one axis. */
static void scale_axis(kernel_region *k, kernel_axis *axis, poly by_thread) {
    poly unit, cell = poly_int(k->f, k->cell);
    if (k->nstores < 2 || k->cells > 1 || !kernel_unit(k, &unit))
        return;
    unit = poly_scale(unit, k->nstores);
    if (!poly_equal(unit, by_thread))
        return;
    axis->scale = k->nstores;
    axis->value = poly_scale(axis->value, axis->scale);
    axis->value = poly_add(axis->value, cell);
    set_cells(k, axis, k->nstores, poly_int(k->f, 1));
}

static bool spread_axis(kernel_region *k, int dim, poly by_thread, poly by_block,
                        kernel_axis *axis) {
    poly unit, cell = poly_int(k->f, k->cell);
    return k->nstores > 1 && k->cells == 1 && kernel_unit(k, &unit) &&
           set_apart(k, dim, unit, k->nstores, cell, by_thread, by_block, axis);
}

static bool launch_axes(kernel_region *k, int dim, poly rest) {
    poly by_thread, by_block, width, block_value;
    kernel_root *thread = launch_root(k, KERNEL_THREAD, dim);
    kernel_root *block = launch_root(k, KERNEL_BLOCK, dim);
    int64_t number;
    by_thread = by_block = NULL;
    if ((thread && !kernel_growth(k->values, rest, kernel_root_atom(thread), &by_thread)) ||
        (block && !kernel_growth(k->values, rest, kernel_root_atom(block), &by_block)))
        return kernel_refuse(k, ST_NO_KERNEL_INDEX, "it is a product of thread numbers");
    bool moves = !poly_is_zero(by_thread), jumps = !poly_is_zero(by_block);
    if (moves) {
        poly value = poly_atom(k->f, kernel_root_atom(thread));
        kernel_axis *axis = add_axis(k, value, kernel_root_atom(thread));
        if (!axis)
            return false;
        if (jumps && spread_axis(k, dim, by_thread, by_block, axis))
            jumps = false;
        else if (jumps && width_of(k, dim, by_thread, by_block, &width, &number)) {
            block_value = poly_atom(k->f, kernel_root_atom(block));
            block_value = poly_mul(block_value, width);
            axis->value = poly_add(axis->value, block_value);
            axis->width = number;
            jumps = false;
        }
        scale_axis(k, axis, by_thread);
    }
    if (!jumps)
        return true;
    block_value = poly_atom(k->f, kernel_root_atom(block));
    return add_axis(k, block_value, kernel_root_atom(block)) != NULL;
}

/* A thread that walks over cells of its own: iteration + cells * (thread + width * block). */
static void merge_cells(kernel_region *k, kernel_axis *axis, const host_affine *at, poly step) {
    poly by, by_block, count, width;
    int64_t cells, number;
    for (int d = 0; d < ST_MAX_RANK && k->cells == 1; d++) {
        kernel_root *thread = launch_root(k, KERNEL_THREAD, d);
        kernel_root *block = launch_root(k, KERNEL_BLOCK, d);
        if (!thread || !block ||
            !kernel_growth(k->values, at->base, kernel_root_atom(thread), &by) ||
            !kernel_growth(k->values, at->base, kernel_root_atom(block), &by_block) ||
            !poly_quotient(by, step, &count) || !poly_is_int(count, &cells) || cells < 2 ||
            !width_of(k, d, by, by_block, &width, &number))
            continue;
        poly first = poly_atom(k->f, kernel_root_atom(thread)),
             blocks = poly_atom(k->f, kernel_root_atom(block));
        blocks = poly_mul(blocks, width);
        first = poly_add(first, blocks);
        first = poly_scale(first, cells);
        axis->value = poly_add(axis->value, first);
        axis->width = number;
        set_cells(k, axis, cells, poly_int(k->f, 1));
    }
}

/* Merges cells that are a block's width apart. There the thread's number leads. */
static void merge_apart(kernel_region *k, kernel_axis *axis, const host_affine *at, poly step) {
    poly by, by_block, count, iteration = poly_atom(k->f, axis->lead);
    int64_t cells;
    for (int d = 0; d < ST_MAX_RANK && k->cells == 1; d++) {
        kernel_root *thread = launch_root(k, KERNEL_THREAD, d);
        kernel_root *block = launch_root(k, KERNEL_BLOCK, d);
        kernel_axis merged = *axis;
        if (!thread || !block ||
            !kernel_growth(k->values, at->base, kernel_root_atom(thread), &by) ||
            poly_is_zero(by) ||
            !kernel_growth(k->values, at->base, kernel_root_atom(block), &by_block) ||
            !poly_quotient(by_block, step, &count) || !poly_is_int(count, &cells) || cells < 2)
            continue;
        merged.value = poly_atom(k->f, kernel_root_atom(thread));
        merged.lead = kernel_root_atom(thread);
        if (set_apart(k, d, step, cells, iteration, by, by_block, &merged)) {
            k->cells_axis = (int)(axis - k->axes);
            *axis = merged;
        }
    }
}

/* A block that walks over its own part of an axis: iteration + part * block. */
static void merge_parts(kernel_region *k, const host_affine *at) {
    for (int i = 0; i < k->naxes && k->march_loop; i++) {
        const kernel_root *lead = kernel_root_of(k->values, k->axes[i].lead);
        for (int d = 0; d < ST_MAX_RANK && lead->loop == k->march_loop && !k->part; d++) {
            kernel_root *thread = launch_root(k, KERNEL_THREAD, d);
            kernel_root *block = launch_root(k, KERNEL_BLOCK, d);
            poly by, part;
            int64_t number;
            if (!block || (thread && kernel_has_root(at->base, kernel_root_atom(thread))) ||
                !kernel_growth(k->values, at->base, kernel_root_atom(block), &by) ||
                !extent_between(by, at->step[i], &part) || !poly_is_int(part, &number))
                continue;
            poly parts = poly_atom(k->f, kernel_root_atom(block));
            parts = poly_scale(parts, number);
            k->axes[i].value = poly_add(k->axes[i].value, parts);
            k->part = number;
        }
        if (lead->loop == k->march_loop && !k->part)
            merge_cells(k, &k->axes[i], at, at->step[i]);
        if (lead->loop == k->march_loop && !k->part)
            merge_apart(k, &k->axes[i], at, at->step[i]);
    }
}

/* Divides the only axis by rows as if the program did. */
static bool split_rows(kernel_region *k, poly step) {
    kernel_rows r;
    poly divisor, rest, smaller = step, extent;
    int quotients[ST_MAX_RANK - 1];
    kernel_find_rows(k, step, &r);
    for (int i = 0; i < r.count; i++) {
        if (!extent_between(r.stride[i], smaller, &extent) ||
            !poly_divide(r.stride[i], step, &divisor, &rest))
            return true; /* no rows of rows: left as it is */
        smaller = r.stride[i];
        kernel_root *root = kernel_add_root(&k->ask, KERNEL_QUOTIENT);
        if (!root)
            return false;
        root->numerator = k->axes[0].value;
        root->divisor = divisor;
        quotients[i] = k->values->nroots - 1;
    }
    if (r.count == 0)
        return true;
    k->naxes = 0;
    k->rows_assumed = true;
    return flat_axes(k, quotients, r.count);
}

/* Expands what guards compare and where loads read, for its quotients: they tell a flat index
 * apart. */
static void find_roots(kernel_region *k) {
    poly ignored;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            bool numbers = LLVMIsAICmpInst(i) &&
                           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) == LLVMIntegerTypeKind;
            if (numbers || LLVMIsALoadInst(i))
                kernel_number(&k->maybe, br_scev_of(k->f, LLVMGetOperand(i, 0)), &ignored);
            if (numbers)
                kernel_number(&k->maybe, br_scev_of(k->f, LLVMGetOperand(i, 1)), &ignored);
        }
}

bool kernel_find_axes(kernel_region *k) {
    poly written, rest;
    int quotients[KERNEL_MAX_ROOTS];
    host_affine at;
    find_roots(k);
    if (!kernel_poly(&k->ask, br_scev_of(k->f, LLVMGetOperand(k->store, 1)), &written))
        return false;
    if (!kernel_varies(k->values, written))
        return refuse_cell(k);
    int count = find_quotients(k, written, quotients);
    count = count > k->fewer ? count - k->fewer : 0;
    if (!loop_axes(k, written, count ? k->values->roots[quotients[0]].numerator : NULL) ||
        (count && !flat_axes(k, quotients, count)))
        return false;
    kernel_affine(k, written, &at);
    merge_parts(k, &at);
    kernel_affine(k, written, &at);
    rest = at.base;
    for (int d = 0; d < ST_MAX_RANK; d++)
        if (!launch_axes(k, d, rest))
            return false;
    if (k->naxes == 0)
        return refuse_cell(k);
    bool flat = k->naxes == 1 && count == 0 && kernel_affine(k, written, &at);
    if (k->nstores > 1 && k->cells == 1)
        return kernel_refuse(k, ST_NO_KERNEL_STORES, KERNEL_SEVERAL_ELEMENTS);
    if (flat && !k->march_loop && k->cells == 1 && !split_rows(k, at.step[0]))
        return false;
    if (!kernel_affine(k, written, &at))
        return kernel_refuse(k, ST_NO_KERNEL_INDEX,
                             "a thread's place in the array written does not grow evenly");
    return true;
}
