/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums regrouped by planes (2-D: rows): sum over planes of the sum within the plane, where the
 * program's order is another one. The sum within a plane that is the same for several planes, but
 * for where it is, is then computed once by whoever computes cells that have it in common. Bricks
 * call it associative reordering (brick-vector-codegen, section 3).
 *
 * Factors that are the same for all cells are distributed first, and within a plane taken out
 * again: w * a + w * b is w * (a + b), and two planes may differ in w alone.
 *
 * A kernel that streams along the planes gains from their order alone: it adds each plane to the
 * partial sum of those before it (AN5D, section 4.1), whatever order the program has them in. So
 * does a tile that loads row after row: what a row holds is added to all sums that it belongs to.
 * Bricks call that scatter.
 *
 * The operations must allow it: of floating-point numbers by their flags, of integers always. Sums
 * that gain nothing stay as they are.
 */
#include "model/stencil.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TERMS = ST_LIMIT(1024, 3), NO_PLANE = INT32_MAX };

typedef struct term {
    int32_t node, factor; /* old; factor: of no plane, or -1 */
    bool negative;
    int32_t plane; /* NO_PLANE: of none, or of several */
    uint64_t shape;
} term;

typedef struct sum {
    term terms[MAX_TERMS];
    int count;
    uint8_t flags;
} sum;

typedef struct regrouping {
    const st_stencil *from;
    st_stencil *to;
    int dim;
    bool streamed;   /* the planes' order alone is worth it */
    bool rows;       /* a plane is a row: two dimensions have to agree */
    int32_t *map;    /* old node -> new node */
    uint32_t *uses;  /* of old nodes */
    int32_t *plane;  /* of old nodes: the one that all their accesses are in */
    uint64_t *shape; /* of old nodes: equal for those that differ in the plane only */
    sum sum;         /* in hand */
    bool changed;
} regrouping;

static bool allows(const st_node *n) {
    static const uint8_t flags = ST_REASSOC | ST_NSZ;
    switch (n->op) {
    case ST_ADD:
    case ST_SUB:
    case ST_MUL:
        return true;
    case ST_FADD:
    case ST_FSUB:
    case ST_FMUL:
        return (n->flags & flags) == flags;
    default:
        return false;
    }
}

/* Planes and shapes of all nodes */

/* Is the dimension one along which planes differ? */
static bool is_across(const regrouping *r, int d) {
    return d == r->dim || (r->rows && d == r->dim - 1);
}

/* The number of an offset's plane: in the order in which planes arrive, and rows in them. */
static int32_t plane_of(const regrouping *r, const int32_t *offset) {
    enum { ROWS = 1 << 12 }; /* of a plane */
    return r->rows ? offset[r->dim] * ROWS + offset[r->dim - 1] : offset[r->dim];
}

static uint64_t mix(uint64_t hash, uint64_t v) {
    hash = (hash ^ v) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static void look_at_access(regrouping *r, size_t i) {
    const st_access *a = &r->from->accesses[r->from->nodes[i].index];
    bool fixed = false;
    for (int d = 0; d <= r->dim; d++)
        fixed |= is_across(r, d) && r->from->grids[a->grid].broadcast >> d & 1;
    uint64_t shape = mix(mix(ST_ACCESS, (uint64_t)a->grid), (uint64_t)a->level);
    for (int d = 0; d < ST_MAX_RANK; d++)
        shape = mix(shape, is_across(r, d) && !fixed ? 0 : (uint64_t)(int64_t)a->offset[d]);
    r->shape[i] = shape;
    r->plane[i] = fixed ? NO_PLANE : plane_of(r, a->offset);
}

/* Values without a plane are the same for all: coordinates along the dimension are not. */
static void look_at(regrouping *r, size_t i) {
    const st_node *n = &r->from->nodes[i];
    bool any = false, several = n->op == ST_COORD && is_across(r, n->index);
    uint64_t shape = mix(mix(mix(n->op, n->type), n->predicate), n->flags);
    shape = mix(mix(shape, (uint64_t)(int64_t)n->index), n->bits);
    r->plane[i] = NO_PLANE;
    for (int k = 0; k < st_ops[n->op].arity; k++) {
        int32_t plane = r->plane[n->args[k]];
        shape = mix(shape, r->shape[n->args[k]]);
        several |= plane == NO_PLANE - 1 || (any && plane != NO_PLANE && plane != r->plane[i]);
        if (plane != NO_PLANE)
            r->plane[i] = plane;
        any |= plane != NO_PLANE;
    }
    r->shape[i] = shape;
    if (several)
        r->plane[i] = NO_PLANE - 1;
}

/* A sum's terms */

static bool is_product(const st_node *n) {
    return n->op == ST_MUL || n->op == ST_FMUL;
}

static bool collect(regrouping *r, int32_t node, bool negative, int32_t factor);

/* The number of the operand that is the same for all cells; -1 if the product is no factor's. */
static int factor_of(const regrouping *r, const st_node *n) {
    for (int k = 0; k < 2; k++)
        if (r->plane[n->args[k]] == NO_PLANE)
            return k;
    return -1;
}

static bool add_term(regrouping *r, int32_t node, bool negative, int32_t factor) {
    const st_node *n = &r->from->nodes[node];
    bool inner = r->uses[node] == 1 && allows(n);
    if (inner && (!is_product(n) || (factor < 0 && factor_of(r, n) >= 0)))
        return collect(r, node, negative, factor);
    if (r->sum.count == MAX_TERMS)
        return false;
    int32_t plane = r->plane[node] == NO_PLANE - 1 ? NO_PLANE : r->plane[node];
    r->sum.terms[r->sum.count++] = (term){node, factor, negative, plane, r->shape[node]};
    return true;
}

static bool collect(regrouping *r, int32_t node, bool negative, int32_t factor) {
    const st_node *n = &r->from->nodes[node];
    r->sum.flags &= n->flags;
    if (is_product(n)) {
        int k = factor_of(r, n);
        return add_term(r, n->args[!k], negative, n->args[k]);
    }
    bool minus = n->op == ST_SUB || n->op == ST_FSUB;
    return add_term(r, n->args[0], negative, factor) &&
           add_term(r, n->args[1], negative ^ minus, factor);
}

/* Planes in the order in which they arrive, what has none last; each in an order of its own. */
static int compare_terms(const void *a, const void *b) {
    const term *x = a, *y = b;
    if (x->plane != y->plane)
        return x->plane < y->plane ? -1 : 1;
    if (x->factor != y->factor)
        return x->factor < y->factor ? -1 : 1;
    if (x->negative != y->negative)
        return x->negative ? 1 : -1;
    if (x->shape != y->shape)
        return x->shape < y->shape ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static int group_end(const sum *s, int begin) {
    int end = begin;
    while (end < s->count && s->terms[end].plane == s->terms[begin].plane &&
           s->terms[end].factor == s->terms[begin].factor)
        end++;
    return end;
}

/* Are the sums of two planes equal, apart from the plane? */
static bool same_group(const sum *s, int a, int a_end, int b, int b_end) {
    if (a_end - a != b_end - b || a_end - a < 2)
        return false;
    for (int i = 0; i < a_end - a; i++)
        if (s->terms[a + i].shape != s->terms[b + i].shape ||
            s->terms[a + i].negative != s->terms[b + i].negative)
            return false;
    return true;
}

/* Are there terms of two planes at least? The terms are sorted. */
static bool has_planes(const sum *s) {
    for (int i = 1; i < s->count && s->terms[i].plane != NO_PLANE; i++)
        if (s->terms[i].plane != s->terms[0].plane)
            return true;
    return false;
}

static bool shares_groups(const sum *s) {
    for (int a = 0; a < s->count; a = group_end(s, a))
        for (int b = group_end(s, a); b < s->count; b = group_end(s, b))
            if (s->terms[b].plane != NO_PLANE &&
                same_group(s, a, group_end(s, a), b, group_end(s, b)))
                return true;
    return false;
}

/* Anew */

static int32_t operate(regrouping *r, const st_node *like, st_op of_floats, int32_t a, int32_t b) {
    bool is_float = st_type_is_float((st_type)like->type);
    st_node n = *like;
    n.op = is_float               ? of_floats
           : of_floats == ST_FADD ? ST_ADD
           : of_floats == ST_FSUB ? ST_SUB
                                  : ST_MUL;
    n.flags = r->sum.flags;
    n.args[0] = a;
    n.args[1] = b;
    n.args[2] = -1;
    return st_add_node(r->to, n);
}

static int32_t negate(regrouping *r, const st_node *like, int32_t a) {
    st_node n = *like;
    if (!st_type_is_float((st_type)like->type))
        return operate(r, like, ST_FSUB, st_constant(r->to, (st_type)like->type, 0), a);
    n.op = ST_FNEG;
    n.flags = r->sum.flags;
    n.args[0] = a;
    n.args[1] = n.args[2] = -1;
    return st_add_node(r->to, n);
}

/* The terms' sum, times their factor; of opposite sign if all of them are negative. */
static int32_t sum_group(regrouping *r, const st_node *like, int begin, int end, bool *negative) {
    const term *t = r->sum.terms;
    int32_t total = r->map[t[begin].node];
    *negative = t[begin].negative;
    for (int i = begin + 1; i < end; i++)
        total = operate(r, like, t[i].negative != *negative ? ST_FSUB : ST_FADD, total,
                        r->map[t[i].node]);
    return t[begin].factor < 0 ? total : operate(r, like, ST_FMUL, r->map[t[begin].factor], total);
}

static int32_t build(regrouping *r, const st_node *like) {
    int32_t total = -1;
    for (int begin = 0, end; begin < r->sum.count; begin = end) {
        bool negative;
        end = group_end(&r->sum, begin);
        int32_t part = sum_group(r, like, begin, end, &negative);
        if (total < 0)
            total = negative ? negate(r, like, part) : part;
        else
            total = operate(r, like, negative ? ST_FSUB : ST_FADD, total, part);
    }
    return total;
}

static int32_t copy(regrouping *r, const st_node *n) {
    st_node c = *n;
    for (int k = 0; k < 3; k++)
        c.args[k] = n->args[k] < 0 ? -1 : r->map[n->args[k]];
    return st_add_node(r->to, c);
}

static int32_t rewrite(regrouping *r, int32_t node) {
    const st_node *n = &r->from->nodes[node];
    r->sum.count = 0;
    r->sum.flags = n->flags;
    if (!allows(n) || is_product(n) || !collect(r, node, false, -1))
        return copy(r, n);
    qsort(r->sum.terms, (size_t)r->sum.count, sizeof(term), compare_terms);
    if (!(r->streamed ? has_planes(&r->sum) : shares_groups(&r->sum)))
        return copy(r, n);
    r->changed = true;
    return build(r, n);
}

static bool regroup(st_stencil *s, int dim, bool streamed, bool rows) {
    regrouping *r = calloc(1, sizeof *r);
    r->from = s;
    r->to = st_create();
    r->dim = dim;
    r->streamed = streamed;
    r->rows = rows;
    r->map = malloc(s->nnodes * sizeof *r->map);
    r->uses = calloc(s->nnodes, sizeof *r->uses);
    r->plane = malloc(s->nnodes * sizeof *r->plane);
    r->shape = malloc(s->nnodes * sizeof *r->shape);
    for (size_t i = 0; i < s->nnodes; i++) {
        for (int k = 0; k < st_ops[s->nodes[i].op].arity; k++)
            r->uses[s->nodes[i].args[k]]++;
        if (s->nodes[i].op == ST_ACCESS)
            look_at_access(r, i);
        else
            look_at(r, i);
    }
    for (size_t i = 0; i < s->nnodes; i++)
        r->map[i] = rewrite(r, (int32_t)i);
    bool changed = r->changed;
    if (changed)
        st_replace_nodes(s, r->to, r->map);
    st_destroy(r->to);
    free(r->map);
    free(r->uses);
    free(r->plane);
    free(r->shape);
    free(r);
    return changed;
}

bool st_regroup(st_stencil *s, int dim) {
    return regroup(s, dim, false, false);
}

bool st_order_planes(st_stencil *s, int dim) {
    return regroup(s, dim, true, false);
}

bool st_order_rows(st_stencil *s) {
    return s->rank == 3 && regroup(s, 2, true, true);
}
