/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Faces: indices that are brought back into the grid at its borders.
 *
 * An address is a sum in which excesses stand for what a choice adds to it (kernel/choice.c). Each
 * test must tell the cells at one end of one axis from the others, and the excess there be the
 * way from the cell outside to the cell that is read instead: that is the face's rule. A
 * remainder by other numbers than those that make the axes is two such excesses.
 *
 * Which side of a test is outside is told by what is known of the axis: the side with a fixed
 * number of cells. All that the rules take for granted of values at run time is noted as a need.
 */
#include "detect/kernel/faces.h"

#include <stdlib.h>

enum { MAX_USES = ST_LIMIT(16, 2) };

typedef struct use {
    br_scev atom;
    poly below; /* the test: it is less than 0, or 0 */
    bool equal;
    poly excess;
    bool turned; /* the program's test is the opposite of `below` */
    int axis, side;
    poly edge; /* the axis's last value inside */
} use;

typedef struct opening {
    kernel_region *k;
    poly open; /* the address; in the end without excesses */
    use uses[MAX_USES];
    int count;
    kernel_way_back back[ST_MAX_RANK][2];
} opening;

/* Tests */

static poly without_excesses(const opening *o, poly p) {
    poly left = p, by, rest;
    for (int i = 0; i < o->count; i++)
        if (poly_split(left, o->uses[i].atom, &by, &rest))
            left = rest;
    return left;
}

/* p = slope * axis + rest, of one axis; the slope is 0 if there is none. */
static bool on_one_axis(const kernel_region *k, poly p, int *axis, int64_t *slope, poly *rest) {
    host_affine a;
    *slope = 0;
    if (!kernel_affine(k, p, &a))
        return false;
    *rest = a.base;
    for (int i = 0; i < k->naxes; i++) {
        if (poly_is_zero(a.step[i]))
            continue;
        if (*slope || !poly_is_int(a.step[i], slope) || *slope == 0)
            return false;
        *axis = i;
    }
    return true;
}

/* 2 * p + r < 0 says p + r / 2 < 0, rounded down. */
static void halve(int64_t *slope, poly *rest) {
    poly half = NULL;
    for (int i = 0; i < poly_count(*rest); i++) {
        bool odd = poly_terms(*rest)[i].factor & 1;
        if (*slope % 2 || (odd && poly_terms(*rest)[i].degree))
            return;
        /* an odd one is a number */
        half = poly_add(half, poly_term_as(*rest, i, (poly_terms(*rest)[i].factor - odd) / 2));
    }
    *rest = half;
    *slope /= *slope % 2 ? 1 : 2;
}

/* The one value that is outside is next to an end of the axis. */
static void find_side(const kernel_region *k, use *u, poly outside) {
    int64_t low, high;
    poly first = poly_plus(k->f, outside, 1), last = poly_plus(k->f, outside, -1);
    bool is_low = kernel_count_beyond(k, u->axis, LOW, first, &low) && low == 1;
    bool is_high = kernel_count_beyond(k, u->axis, HIGH, last, &high) && high == 1;
    if (!is_low && !is_high)
        is_low = poly_count(outside) == 0;
    u->side = is_low ? LOW : HIGH;
    u->edge = is_low ? first : last;
}

static bool locate(opening *o, use *u) {
    poly test = without_excesses(o, u->below), rest;
    int64_t slope;
    if (!on_one_axis(o->k, test, &u->axis, &slope, &rest) || slope == 0)
        return kernel_refuse_face(o->k, "what it compares is not one coordinate");
    if (!u->equal)
        halve(&slope, &rest);
    if (slope != 1 && slope != -1)
        return kernel_refuse_face(o->k, "what it compares is not one coordinate");
    poly at = poly_scale(rest, -slope);
    if (u->equal) {
        find_side(o->k, u, at);
        return true;
    }
    u->side = slope > 0 ? LOW : HIGH;
    u->edge = at;
    return true;
}

/* Does rather the other side of the test have a fixed number of cells? */
static bool is_inside_out(const kernel_region *k, const use *u) {
    int64_t here, there;
    poly other = poly_plus(k->f, u->edge, u->side == LOW ? -1 : 1);
    bool fixed = kernel_count_beyond(k, u->axis, u->side, u->edge, &here);
    return !u->equal && kernel_count_beyond(k, u->axis, !u->side, other, &there) &&
           (!fixed || there < here);
}

static void add_excess(poly *p, br_scev atom, poly excess) {
    poly by, rest;
    if (!poly_split(*p, atom, &by, &rest))
        return;
    by = poly_mul(by, excess);
    *p = poly_add(*p, by);
}

/* What was inside is outside: its excess is there always, and taken away where it was not. */
static void turn(opening *o, use *u) {
    add_excess(&o->open, u->atom, u->excess);
    for (use *v = u + 1; v < o->uses + o->count; v++) {
        add_excess(&v->below, u->atom, u->excess);
        add_excess(&v->excess, u->atom, u->excess);
    }
    u->excess = poly_scale(u->excess, -1);
    u->below = poly_scale(u->below, -1);
    u->below = poly_plus(o->k->f, u->below, -1);
    u->edge = poly_plus(o->k->f, u->edge, u->side == LOW ? -1 : 1);
    u->side = !u->side;
    u->turned = true;
}

/* Is p at least 0 from cell `from` (NULL: the axis's end) to cell `to`? */
static bool check_between(kernel_region *k, poly p, const poly *from, const poly *to) {
    poly rest, at;
    int64_t slope;
    int axis = 0;
    bool ignored;
    if (!on_one_axis(k, p, &axis, &slope, &rest))
        return kernel_refuse_face(k, "what it compares is not one coordinate");
    const poly *worst = slope > 0 ? from : to;
    if (slope == 0 || worst) {
        at = slope ? poly_scale(*worst, slope) : NULL;
        at = poly_add(at, rest);
        return kernel_require(k, at);
    }
    if (slope != 1 && slope != -1)
        return kernel_refuse_face(k, "what it compares is not one coordinate");
    at = poly_scale(rest, -slope);
    return kernel_ends_at(k, axis, slope > 0 ? LOW : HIGH, at, &ignored);
}

/* Is p, with u's excess, at least 0 where u is outside? */
static bool check_outside(opening *o, poly p, const use *u) {
    poly sum = p, edge = poly_plus(o->k->f, u->edge, u->side == LOW ? -1 : 1);
    add_excess(&sum, u->atom, u->excess);
    sum = without_excesses(o, sum);
    return check_between(o->k, sum, u->side == LOW ? NULL : &edge, u->side == LOW ? &edge : NULL);
}

/* Is p at least 0 for all cells? */
static bool check_everywhere(opening *o, poly p) {
    poly inside = without_excesses(o, p);
    const poly *from = NULL, *to = NULL;
    for (const use *u = o->uses; u < o->uses + o->count; u++) {
        if (!kernel_has_root(p, u->atom))
            continue;
        *(u->side == LOW ? &from : &to) = &u->edge;
        if (!check_outside(o, p, u))
            return false;
    }
    return check_between(o->k, inside, from, to);
}

/* A test may ask for an index that another test has brought back, at the other end of the same
 * axis: there it must not hold. */
static bool check_nested(opening *o, const use *u) {
    for (const use *v = o->uses; v < u; v++) {
        bool in_test = kernel_has_root(u->below, v->atom);
        if (!in_test && !kernel_has_root(u->excess, v->atom))
            continue;
        if ((u->equal && in_test) || v->axis != u->axis || v->side == u->side)
            return kernel_refuse_face(o->k, "one choice depends on another");
        if (in_test && !check_outside(o, u->below, v))
            return false;
    }
    return true;
}

/* The excesses that the address is made of, in the order in which the program chooses. */

static bool depends_on(const kernel_region *k, const bool *used, poly p, int number) {
    br_scev atom = kernel_root_atom(&k->values->roots[number]);
    bool found = kernel_has_root(p, atom);
    for (int i = number + 1; i < k->values->nroots && !found; i++)
        found = used[i] && (kernel_has_root(k->values->roots[i].test.left, atom) ||
                            kernel_has_root(k->values->roots[i].test.right, atom) ||
                            kernel_has_root(k->values->roots[i].excess, atom));
    return found;
}

static bool collect(opening *o) {
    kernel_region *k = o->k;
    bool used[KERNEL_MAX_ROOTS] = {false};
    for (int i = k->values->nroots; i-- > 0;)
        used[i] = k->values->roots[i].role == KERNEL_EXCESS && depends_on(k, used, o->open, i);
    for (int i = 0; i < k->values->nroots; i++) {
        const kernel_root *r = &k->values->roots[i];
        const kernel_test *t = &r->test;
        if (!used[i])
            continue;
        poly below = t->negated ? poly_sub(t->right, t->left) : poly_sub(t->left, t->right);
        if (o->count == MAX_USES)
            return kernel_refuse_face(k, "there are more than 16 choices");
        o->uses[o->count++] = (use){.atom = kernel_root_atom(r),
                                    .below = poly_plus(k->f, below, t->negated ? -1 : 0),
                                    .equal = t->equal,
                                    .excess = r->excess};
    }
    return true;
}

/* Unsigned comparisons, when all excesses are the right way round. */
static bool check_unsigned(opening *o) {
    for (int i = 0; i < o->count; i++) {
        const kernel_root *r = kernel_root_of(o->k->values, o->uses[i].atom);
        poly left = r->test.left, right = r->test.right;
        for (int v = 0; v < i; v++) {
            poly was = poly_scale(o->uses[v].excess, -1);
            if (!o->uses[v].turned)
                continue;
            add_excess(&left, o->uses[v].atom, was);
            add_excess(&right, o->uses[v].atom, was);
        }
        if (r->test.is_unsigned && (!check_everywhere(o, left) || !check_everywhere(o, right)))
            return false;
    }
    return true;
}

static bool add_way_back(opening *o, int axis, int side, poly edge, poly shift, bool single) {
    kernel_way_back *b = &o->back[axis][side];
    if (b->used && !poly_equal(b->edge, edge))
        return kernel_refuse_face(o->k, "it depends on two comparisons at one border");
    b->shift = b->used ? poly_add(b->shift, shift) : shift;
    b->single |= single;
    b->edge = edge;
    b->used = true;
    return true;
}

static bool open_excesses(opening *o) {
    poly factor, rest, shift;
    for (use *u = o->uses; u < o->uses + o->count; u++) {
        if (!locate(o, u))
            return false;
        if (is_inside_out(o->k, u))
            turn(o, u);
    }
    for (use *u = o->uses; u < o->uses + o->count; u++) {
        if (!check_nested(o, u) || !poly_split(o->open, u->atom, &factor, &rest) ||
            kernel_varies(o->k->values, factor))
            return kernel_refuse_face(o->k, "one choice depends on another");
        shift = without_excesses(o, u->excess);
        shift = poly_mul(shift, factor);
        if (!poly_is_zero(factor) && !add_way_back(o, u->axis, u->side, u->edge, shift, u->equal))
            return false;
    }
    if (!check_unsigned(o))
        return false;
    o->open = without_excesses(o, o->open);
    return true;
}

/* Remainders */

static bool makes_an_axis(const kernel_region *k, int root) {
    for (int i = 0; i < k->naxes; i++)
        if (k->axes[i].quotient == root)
            return true;
    return false;
}

/* Rounds the rest of numbers to the nearest to 0. */
static void round_rest(br_function *f, poly divisor, poly *whole, poly *rest) {
    int64_t by, number;
    if (!poly_is_int(divisor, &by) || !poly_is_int(*rest, &number) || by <= 0)
        return;
    int64_t times = number / by + (number % by > by / 2);
    *whole = poly_plus(f, *whole, times);
    *rest = poly_plus(f, *rest, -times * by);
}

/* An axis's coordinate: of a flat index, without what the slower axes have of its value. */
static poly coordinate(const kernel_region *k, int axis) {
    poly value = k->axes[axis].value, slower;
    if (poly_is_zero(k->axes[axis].extent))
        return value;
    slower = poly_mul(k->axes[axis].extent, k->axes[axis + 1].value);
    return poly_sub(value, slower);
}

/* numerator / divisor = whole + (axis + rest) / divisor */
static bool split_quotient(kernel_region *k, const kernel_root *r, poly *whole, int *axis,
                           poly *rest) {
    host_affine a;
    int64_t slope;
    *axis = -1;
    *whole = NULL;
    if (!kernel_affine(k, r->numerator, &a))
        return false;
    *rest = a.base;
    for (int i = 0; i < k->naxes; i++) {
        poly times;
        if (poly_is_zero(a.step[i]))
            continue;
        if (poly_quotient(a.step[i], r->divisor, &times)) {
            poly at = coordinate(k, i);
            times = poly_mul(times, at);
            *whole = poly_add(*whole, times);
        } else if (*axis < 0 && poly_is_int(a.step[i], &slope) && slope == 1) {
            *axis = i;
        } else {
            return false;
        }
    }
    round_rest(k->f, r->divisor, whole, rest);
    return *axis >= 0;
}

/* A remainder that leaves the coordinate as it is: no cell is beyond the edge. */
static bool is_kept(const kernel_region *k, int axis, int side, poly rest, poly edge) {
    int64_t count;
    return poly_is_zero(rest) && kernel_count_beyond(k, axis, side, edge, &count) && count <= 0;
}

/* Of a flat index: is the quotient the last coordinate divided by a number that is no less than
 * that axis's extent, and so 0? */
static bool is_always_zero(const kernel_region *k, const kernel_root *r) {
    poly number, rest, edge;
    for (int i = 0; i < k->naxes; i++) {
        const kernel_axis *a = &k->axes[i];
        const kernel_root *own = a->quotient >= 0 ? &k->values->roots[a->quotient] : NULL;
        if (!own || !poly_is_zero(a->extent) || !poly_equal(own->numerator, r->numerator) ||
            !poly_divide(r->divisor, own->divisor, &number, &rest) || !poly_is_zero(rest))
            continue;
        edge = poly_plus(k->f, number, -1);
        return is_kept(k, i, LOW, NULL, NULL) && is_kept(k, i, HIGH, NULL, edge);
    }
    return false;
}

/* (axis + rest) mod n is axis + rest where that is at least 0 and less than n, and else n more or
 * less: for cells from -n to 2 * n - 1. */
static bool open_remainder(opening *o, const kernel_root *r) {
    kernel_region *k = o->k;
    poly by, left, whole, rest, shift, edge, farthest;
    br_scev atom = kernel_root_atom(r);
    int axis;
    bool ignored;
    if (is_always_zero(k, r) && poly_split(o->open, atom, &by, &left)) {
        o->open = left;
        return true;
    }
    if (!poly_split(o->open, atom, &by, &left) || kernel_varies(k->values, by) ||
        !split_quotient(k, r, &whole, &axis, &rest))
        return kernel_refuse_face(k, "a remainder is not that of one coordinate");
    if (r->truncated)
        return kernel_refuse_face(k, "a remainder of what may be negative; add the divisor to it");
    whole = poly_mul(whole, by);
    o->open = poly_add(left, whole);
    edge = poly_scale(rest, -1);
    farthest = poly_sub(edge, r->divisor);
    shift = poly_scale(by, -1);
    if (!is_kept(k, axis, LOW, rest, edge) && (!kernel_ends_at(k, axis, LOW, farthest, &ignored) ||
                                               !add_way_back(o, axis, LOW, edge, shift, false)))
        return false;
    edge = poly_sub(r->divisor, rest);
    edge = poly_plus(k->f, edge, -1);
    farthest = poly_add(edge, r->divisor);
    return is_kept(k, axis, HIGH, rest, edge) ||
           (kernel_ends_at(k, axis, HIGH, farthest, &ignored) &&
            add_way_back(o, axis, HIGH, edge, by, false));
}

static bool open_remainders(opening *o) {
    for (int i = 0; i < o->k->values->nroots; i++) {
        const kernel_root *r = &o->k->values->roots[i];
        if (r->role == KERNEL_QUOTIENT && !makes_an_axis(o->k, i) &&
            kernel_has_root(o->open, kernel_root_atom(r)) && !open_remainder(o, r))
            return false;
    }
    return true;
}

static bool open_address(opening *o) {
    poly apart;
    if (!collect(o) || !open_excesses(o) || !open_remainders(o))
        return false;
    for (int i = 0; i < o->k->naxes; i++) {
        kernel_way_back *low = &o->back[i][LOW], *high = &o->back[i][HIGH];
        if (!low->used || !high->used)
            continue;
        apart = poly_sub(high->edge, low->edge);
        apart = poly_plus(o->k->f, apart, 1);
        if (!kernel_require(o->k, apart))
            return false;
    }
    return true;
}

static opening *begin(kernel_region *k, poly address) {
    opening *o = calloc(1, sizeof *o); /* too large for the stack */
    o->k = k;
    o->open = address;
    return o;
}

bool kernel_open_address(kernel_region *k, poly address, poly *out) {
    opening *o = begin(k, address);
    bool good = open_address(o);
    *out = o->open;
    free(o);
    return good;
}

static bool set_faces(opening *o, st_access *access) {
    host_affine at;
    if (!open_address(o) || !kernel_affine(o->k, o->open, &at))
        return false;
    for (int i = 0; i < o->k->naxes; i++)
        for (int side = LOW; side <= HIGH; side++)
            if (o->back[i][side].used &&
                !kernel_set_rule(o->k, i, side, at.step[i], &o->back[i][side], access))
                return false;
    return true;
}

bool kernel_set_faces(kernel_region *k, poly address, st_access *access) {
    opening *o = begin(k, address);
    bool good = set_faces(o, access);
    free(o);
    return good;
}
