/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The rule of a face: from the distance between a cell outside and the cell that is read instead,
 * whether indices are clamped, mirrored or periodic.
 */
#include "detect/kernel/faces.h"

/* From cell axis outside to cell times * axis + to. */
typedef struct journey {
    int64_t times;
    poly to;
} journey;

static bool find_journey(const kernel_region *k, poly shift, int axis, poly stride, journey *j) {
    host_affine a;
    poly times;
    if (!kernel_affine(k, shift, &a) || !poly_quotient(a.step[axis], stride, &times) ||
        !poly_is_int(times, &j->times) || !poly_quotient(a.base, stride, &j->to))
        return false;
    j->times++;
    for (int i = 0; i < k->naxes; i++)
        if (i != axis && !poly_is_zero(a.step[i]))
            return false;
    return true;
}

/* Is it one cell for all outside, as far before the border as the access reaches behind? */
static bool turns(const kernel_region *k, const journey *j, poly edge, int32_t offset) {
    return j->times == 0 && offset != 0 && poly_equal(j->to, poly_plus(k->f, edge, -offset));
}

/* The rule for all cells outside; ST_NO_RULE if there is none. `f` gets its limit. */
static st_rule rule_for_all(const kernel_region *k, const journey *j, poly edge, int side,
                            int32_t offset, kernel_face *f) {
    poly outside = poly_plus(k->f, edge, side == LOW ? -1 : 1), twice = poly_scale(edge, 2);
    poly twice_outside = poly_scale(outside, 2), between = poly_add(edge, outside);
    bool at_edge = poly_equal(j->to, j->times ? twice : edge);
    bool at_next = poly_equal(j->to, j->times ? twice_outside : outside);
    f->limit = at_next ? outside : edge;
    if (j->times == 0 && (at_edge || at_next))
        return ST_CLAMP;
    if (turns(k, j, edge, offset))
        return ST_TURN;
    if (j->times == -1 && (at_edge || at_next))
        return ST_MIRROR;
    if (j->times == -1 && poly_equal(j->to, between))
        return ST_SYMMETRIC;
    f->period = poly_scale(j->to, side == LOW ? 1 : -1);
    return j->times == 1 ? ST_WRAP : ST_NO_RULE;
}

/* For the one cell that is outside. */
static st_rule rule_for_one(const kernel_region *k, const journey *j, poly edge, int side,
                            kernel_face *f) {
    poly outside = poly_plus(k->f, edge, side == LOW ? -1 : 1),
         step = poly_scale(outside, j->times - 1);
    int64_t number;
    step = poly_add(step, j->to);
    f->period = poly_scale(step, side == LOW ? 1 : -1);
    f->limit = edge;
    bool fixed = poly_is_int(f->period, &number);
    return fixed && number == 1 ? ST_CLAMP : fixed && number == 2 ? ST_MIRROR : ST_WRAP;
}

/* The cells written are those of the period: what comes back is in the grid. */
static bool check_period(kernel_region *k, int axis, int side, const kernel_face *f) {
    poly end = side == LOW ? poly_add(f->limit, f->period) : poly_sub(f->limit, f->period);
    int64_t number;
    bool fixed;
    end = poly_plus(k->f, end, side == LOW ? -1 : 1);
    return kernel_ends_at(k, axis, !side, end, &fixed) &&
           (fixed || !poly_is_int(f->period, &number) ||
            kernel_refuse_face(k, "it moves by a fixed number of cells"));
}

static bool same_face(const kernel_face *a, const kernel_face *b) {
    return a->rule == b->rule && poly_equal(a->limit, b->limit) &&
           (a->rule != ST_WRAP || poly_equal(a->period, b->period));
}

static bool add_face(kernel_region *k, int axis, int side, const kernel_face *f) {
    kernel_face *faces = k->faces[axis];
    if (faces[side].rule != ST_NO_RULE && !same_face(&faces[side], f))
        return kernel_refuse_face(k, "accesses differ in their rules or bounds at one border");
    faces[side] = *f;
    if (faces[LOW].rule != ST_WRAP || faces[HIGH].rule != ST_WRAP)
        return true;
    poly period = poly_sub(faces[HIGH].limit, faces[LOW].limit);
    period = poly_plus(k->f, period, 1);
    return (poly_equal(period, faces[LOW].period) && poly_equal(period, faces[HIGH].period)) ||
           kernel_refuse_face(k, "it does not come back at the opposite border");
}

bool kernel_set_rule(kernel_region *k, int axis, int side, poly stride, const kernel_way_back *b,
                     st_access *access) {
    int dimension = k->dim_of_axis[axis];
    kernel_face f = {ST_NO_RULE, NULL, NULL};
    journey j;
    int64_t number;
    bool ignored, counted = kernel_count_beyond(k, axis, side, b->edge, &number);
    if (poly_is_zero(b->shift))
        return true;
    if (!find_journey(k, b->shift, axis, stride, &j))
        return kernel_refuse_face(k, "it is not another cell along the same axis");
    if (!b->single)
        f.rule = rule_for_all(k, &j, b->edge, side, access->offset[dimension], &f);
    bool is_one = counted && number == 1, is_none = counted && number <= 0;
    /* ST_TURN of the access itself, or of one whose cell is the border's or the one beside it. */
    bool own =
        f.rule == ST_TURN ||
        (f.rule == ST_CLAMP && (access->offset[dimension] == 0 || !poly_equal(f.limit, b->edge)));
    if (is_none && own) /* the other accesses' rule need not be CLAMP */
        return true;
    if (f.rule == ST_WRAP && is_one && poly_is_int(f.period, &number))
        f.rule = ST_NO_RULE; /* rather the cell beside it */
    if (f.rule == ST_NO_RULE) {
        poly outside = poly_plus(k->f, b->edge, side == LOW ? -1 : 1);
        f.rule = rule_for_one(k, &j, b->edge, side, &f);
        if (!kernel_ends_at(k, axis, side, outside, &ignored))
            return false;
    }
    f.limit = poly_plus(k->f, f.limit, access->offset[dimension]);
    if ((f.rule == ST_WRAP && !check_period(k, axis, side, &f)) || !add_face(k, axis, side, &f))
        return false;
    k->stencil->boundary[dimension][side] = (uint8_t)f.rule;
    access->faces |= (uint8_t)ST_FACE(dimension, side);
    return true;
}
