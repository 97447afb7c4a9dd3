/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The ends of axes, as far as guards, divisions and thread numbers tell, and what of that is known
 * only at run time.
 */
#include "detect/kernel/faces.h"

bool kernel_refuse_face(kernel_region *k, const char *detail) {
    return kernel_refuse(k, ST_NO_KERNEL_BOUNDARY, detail);
}

bool kernel_require(kernel_region *k, poly p) {
    return kernel_need(k->values, p) ||
           kernel_refuse_face(k, "its bounds are not those of the cells written");
}

/* Are all terms products of thread, block and iteration numbers and launch sizes, none negative? */
static bool counts_from_zero(const kernel_region *k, poly value) {
    for (int i = 0; i < poly_count(value); i++) {
        const poly_term *t = &poly_terms(value)[i];
        for (int a = 0; a < t->degree; a++) {
            bool is_size = false;
            for (int s = 0; s < 2 * ST_MAX_RANK; s++)
                is_size |= t->atoms[a] == k->values->sizes[s / ST_MAX_RANK][s % ST_MAX_RANK];
            if (!is_size && !kernel_root_of(k->values, t->atoms[a]))
                return false;
        }
        if (t->factor < 0)
            return false;
    }
    return true;
}

/* The axis's end number i: no cell is beyond. False if there are fewer. */
static bool known_end(const kernel_region *k, int axis, int side, int i, poly *end) {
    const kernel_axis *a = &k->axes[axis];
    bool divided = a->quotient >= 0 || !poly_is_zero(a->extent);
    if (side == LOW && counts_from_zero(k, divided ? k->flat : a->value) && i-- == 0) {
        *end = NULL;
        return true;
    }
    if (side == HIGH && !poly_is_zero(a->extent) && i-- == 0) {
        *end = poly_plus(k->f, a->extent, -1);
        return true;
    }
    for (int b = 0; b < k->nbounds; b++) {
        const kernel_bound *bound = &k->bounds[b];
        if (bound->axis == axis && bound->when == KERNEL_ALWAYS &&
            bound->relation == (side == LOW ? KERNEL_AT_LEAST : KERNEL_BELOW) && i-- == 0) {
            *end = poly_plus(k->f, bound->limit, side == LOW ? 0 : -1);
            return true;
        }
    }
    return false;
}

/* How far an end lies inside of `edge`: at least 0 if no cell is beyond that. */
static bool room(const kernel_region *k, int axis, int side, int i, poly edge, poly *out) {
    poly end;
    if (!known_end(k, axis, side, i, &end))
        return false;
    *out = side == LOW ? poly_sub(end, edge) : poly_sub(edge, end);
    return true;
}

/* The cells beyond edge, if that is a number. */
bool kernel_count_beyond(const kernel_region *k, int axis, int side, poly edge, int64_t *count) {
    poly inside;
    for (int i = 0; room(k, axis, side, i, edge, &inside); i++)
        if (poly_is_int(inside, count)) {
            *count = -*count;
            return true;
        }
    return false;
}

/* How many threads the launch has along what `value` counts: a sum of one thread's and one block's
 * number, or a block's number alone. */
static bool count_threads(kernel_region *k, poly value, poly *count) {
    poly by, rest = value, all, width = NULL;
    int thread = -1, block = -1;
    for (int i = 0; i < k->values->nroots; i++) {
        const kernel_root *r = &k->values->roots[i];
        int64_t one;
        all = rest;
        if (!poly_split(all, kernel_root_atom(r), &by, &rest))
            return false;
        if (poly_is_zero(by))
            continue;
        if (r->role == KERNEL_THREAD && thread < 0 && poly_is_int(by, &one) && one == 1)
            thread = r->dim;
        else if (r->role == KERNEL_BLOCK && block < 0 && (width = by, true))
            block = r->dim;
        else
            return false;
    }
    int64_t one;
    bool alone = thread < 0 && block >= 0 && poly_is_int(width, &one) && one == 1;
    if ((!alone && (thread < 0 || block != thread)) || !poly_is_zero(rest) ||
        kernel_varies(k->values, width))
        return false;
    *count = poly_mul(width, poly_atom(k->f, kernel_grid_size(k->values, block)));
    return poly_is_known(*count);
}

/* Where no guard bounds an axis, the launch does: its threads must not be more than the cells up to
 * `edge`. */
static bool bound_by_launch(kernel_region *k, int axis, poly edge) {
    const kernel_axis *a = &k->axes[axis];
    bool divided = a->quotient >= 0, whole = poly_is_zero(a->extent) && k->cells == 1;
    poly cells = poly_plus(k->f, edge, 1), threads;
    int64_t ignored;
    if (!whole || poly_is_int(edge, &ignored) || (k->shape == KERNEL_FLAT && !divided) ||
        !count_threads(k, divided ? k->flat : a->value, &threads))
        return false;
    if (divided)
        cells = poly_mul(cells, k->values->roots[a->quotient].divisor);
    return kernel_need(k->values, poly_sub(cells, threads));
}

/* Is no cell beyond `edge`, or only where a need is not met? `*fixed`: the answer holds without any
 * need. */
bool kernel_ends_at(kernel_region *k, int axis, int side, poly edge, bool *fixed) {
    poly inside, one;
    int64_t number;
    bool any = false;
    *fixed = true;
    for (int i = 0; room(k, axis, side, i, edge, &inside); i++) {
        bool is_number = poly_is_int(inside, &number);
        if (is_number && number >= 0)
            return true;
        if (is_number || any)
            continue;
        one = inside;
        any = true;
    }
    *fixed = false;
    if (!any && side == HIGH && bound_by_launch(k, axis, edge))
        return true;
    return any ? kernel_require(k, one)
               : kernel_refuse_face(k, "nothing bounds the coordinate there");
}

static bool is_end(kernel_region *k, int axis, int side, poly edge) {
    poly ignored;
    int64_t count;
    if (kernel_count_beyond(k, axis, side, edge, &count))
        return count <= 0;
    return side == HIGH && !room(k, axis, HIGH, 0, edge, &ignored) &&
           bound_by_launch(k, axis, edge);
}

void kernel_close_ends(kernel_region *k) {
    for (int i = 0; i < k->nbounds; i++) {
        kernel_bound *b = &k->bounds[i];
        if (b->relation != KERNEL_NOT || b->axis < 0 || b->when != KERNEL_ALWAYS)
            continue;
        if (is_end(k, b->axis, HIGH, b->limit)) {
            b->relation = KERNEL_BELOW;
        } else if (is_end(k, b->axis, LOW, b->limit)) {
            b->relation = KERNEL_AT_LEAST;
            b->limit = poly_plus(k->f, b->limit, 1);
        }
    }
}
