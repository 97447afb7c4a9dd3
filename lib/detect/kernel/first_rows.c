/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A guard i >= c * n + r of a flat index i, whose rows have n cells, leaves out c rows and the
 * first r cells of the next row. Where other guards leave out the first r cells of all rows, as at
 * a border, it says no more than that the row's number is at least c. The same goes for planes in
 * 3-D.
 */
#include "detect/kernel/stages.h"

static bool is_lower(const kernel_bound *b, int axis) {
    return b->axis == axis && b->relation == KERNEL_AT_LEAST && b->when == KERNEL_ALWAYS;
}

/* The first cell along the axis, as far as it is a number. */
static int64_t first_cell(const kernel_region *k, int axis) {
    int64_t first = 0, number;
    for (int i = 0; i < k->nbounds; i++)
        if (is_lower(&k->bounds[i], axis) && poly_is_int(k->bounds[i].limit, &number) &&
            number > first)
            first = number;
    return first;
}

/* How many cells at the start of each row, or plane, the bounds of the axes below `last` leave out.
 */
static poly left_out(const kernel_region *k, int last) {
    poly sum = NULL;
    for (int d = 0; d < last; d++) {
        poly cells = poly_int(k->f, first_cell(k, d));
        if (k->axes[d].quotient >= 0)
            cells = poly_mul(cells, k->values->roots[k->axes[d].quotient].divisor);
        sum = poly_add(sum, cells);
    }
    return sum;
}

void kernel_bound_first_rows(kernel_region *k) {
    int last = k->naxes - 1;
    if (k->shape != KERNEL_FLAT || last < 1 || k->axes[last].quotient < 0)
        return;
    poly divisor = k->values->roots[k->axes[last].quotient].divisor, out = left_out(k, last);
    for (int i = 0; i < k->nbounds; i++) {
        kernel_bound *b = &k->bounds[i];
        poly rows, rest, more;
        int64_t beyond, number;
        if (!is_lower(b, -1) || !poly_divide(b->limit, divisor, &rows, &rest))
            continue;
        more = poly_sub(out, rest);
        bool known = poly_is_known(more) && poly_is_int(more, &beyond);
        if (known && (beyond == 0 || (beyond > 0 && poly_is_int(rest, &number) && number >= 0))) {
            b->axis = last;
            b->limit = rows;
        }
    }
}
