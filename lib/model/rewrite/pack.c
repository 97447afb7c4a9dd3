/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Decides which nodes of a stencil are computed in packed words, and with how many bits. pack.h has
 * the method.
 */
#include "model/rewrite/pack.h"

#include "model/number.h"

#include <stdlib.h>

/* A range beyond this counts as unknown: no word holds it, and no sum of two such numbers
 * overflows. */
static const int64_t most = (int64_t)1 << 40;

static int type_bits(st_type t) {
    return t == ST_I1 ? 1 : 8 * (int)st_type_size(t);
}

/* Ranges */

static pk_range unknown(void) {
    return (pk_range){false, 0, 0};
}

static pk_range between(int64_t low, int64_t high) {
    return low < -most || high > most ? unknown() : (pk_range){true, low, high};
}

static pk_range all_of(int bits, bool is_signed) {
    if (bits > 32)
        return unknown();
    int64_t count = (int64_t)1 << bits, low = is_signed ? -(count / 2) : 0;
    return between(low, low + count - 1);
}

static bool within(pk_range inner, pk_range outer) {
    return inner.known && outer.known && inner.low >= outer.low && inner.high <= outer.high;
}

pk_range pk_hull(pk_range a, pk_range b) {
    return a.known && b.known ? between(st_min(a.low, b.low), st_max(a.high, b.high)) : unknown();
}

static pk_range product(pk_range a, pk_range b) {
    static const int64_t widest = (int64_t)1 << 20;
    if (!within(a, between(-widest, widest)) || !within(b, between(-widest, widest)))
        return unknown();
    int64_t p[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    return between(st_min(st_min(p[0], p[1]), st_min(p[2], p[3])),
                   st_max(st_max(p[0], p[1]), st_max(p[2], p[3])));
}

static int bits_of(int64_t v) {
    int bits = 0;
    while (v >> bits)
        bits++;
    return bits;
}

/* Operands */

static const st_node *argument(const st_stencil *s, int32_t n, int i) {
    return &s->nodes[s->nodes[n].args[i]];
}

static bool is_constant(const st_stencil *s, int32_t n) {
    return s->nodes[n].op == ST_CONST;
}

/* A constant has either sense. */
static int64_t constant(const st_node *n, bool is_signed) {
    int shift = 64 - type_bits((st_type)n->type);
    uint64_t bits = n->bits << shift;
    return is_signed && n->type != ST_I1 ? (int64_t)bits >> shift : (int64_t)(bits >> shift);
}

static bool in_sense(const st_stencil *s, const pk_pack *p, int32_t n, pk_sense sense) {
    int bits = type_bits((st_type)s->nodes[n].type);
    return is_constant(s, n) ||
           within(p->nodes[n].range, all_of(bits, sense == PK_SIGNED && bits > 1));
}

pk_range pk_view(const st_stencil *s, const pk_pack *p, int32_t n, pk_sense sense) {
    const st_node *node = &s->nodes[n];
    int bits = type_bits((st_type)node->type);
    if (st_type_is_float((st_type)node->type))
        return unknown();
    if (is_constant(s, n) && sense != PK_ANY)
        return between(constant(node, sense == PK_SIGNED), constant(node, sense == PK_SIGNED));
    if (sense == PK_ANY || in_sense(s, p, n, sense))
        return p->nodes[n].range;
    return bits <= 16 && p->nodes[n].range.known ? all_of(bits, sense == PK_SIGNED) : unknown();
}

static bool is_equality(const st_node *n) {
    return n->op == ST_ICMP && (n->predicate == 32 || n->predicate == 33); /* eq, ne */
}

/* Extensions and shifts to the right fill bits that may not be wanted: then any will do. */
static pk_sense sense_of_filled(const st_stencil *s, const pk_pack *p, int32_t n) {
    const st_node *node = &s->nodes[n];
    bool is_signed = node->op == ST_SEXT || node->op == ST_ASHR;
    pk_sense sense = is_signed ? PK_SIGNED : PK_UNSIGNED;
    int64_t good = type_bits((st_type)argument(s, n, 0)->type);
    if (node->op == ST_LSHR || node->op == ST_ASHR)
        good -= is_constant(s, node->args[1]) ? constant(argument(s, n, 1), false) : good;
    return p->nodes[n].wanted > good || in_sense(s, p, node->args[0], sense) ? sense : PK_ANY;
}

pk_sense pk_sense_of(const st_stencil *s, const pk_pack *p, int32_t n) {
    const st_node *node = &s->nodes[n];
    switch (node->op) {
    case ST_ICMP:
        if (is_equality(node))
            return in_sense(s, p, node->args[0], PK_SIGNED) &&
                           in_sense(s, p, node->args[1], PK_SIGNED)
                       ? PK_SIGNED
                       : PK_UNSIGNED;
        return node->predicate >= 38 ? PK_SIGNED : PK_UNSIGNED; /* sgt and on; ugt and on */
    case ST_SMIN:
    case ST_SMAX:
    case ST_SDIV:
    case ST_SREM:
        return PK_SIGNED;
    case ST_UMIN:
    case ST_UMAX:
    case ST_UDIV:
    case ST_UREM:
    case ST_OR:
    case ST_XOR:
        return PK_UNSIGNED;
    case ST_AND:
        return is_constant(s, node->args[1]) ? PK_ANY : PK_UNSIGNED;
    case ST_ZEXT:
    case ST_SEXT:
    case ST_LSHR:
    case ST_ASHR:
        return sense_of_filled(s, p, n);
    default:
        return PK_ANY;
    }
}

/* Wanted bits, from the root down */

static int wanted_of_operand(const st_stencil *s, int32_t n, int i, int wanted) {
    const st_node *node = &s->nodes[n];
    int all = type_bits((st_type)argument(s, n, i)->type), bits = wanted;
    const st_node *second = st_ops[node->op].arity > 1 ? argument(s, n, 1) : NULL;
    bool by_constant = second && second->op == ST_CONST;
    int64_t c = by_constant ? constant(second, false) : 0;
    switch (node->op) {
    case ST_AND:
        bits = by_constant && c >= 0 ? (int)st_min(wanted, bits_of(c)) : wanted;
        break;
    case ST_LSHR:
    case ST_ASHR:
        bits = by_constant && i == 0 && c < all ? wanted + (int)c : all;
        break;
    case ST_SHL:
        bits = i == 0 ? wanted : all;
        break;
    case ST_SELECT:
        bits = i == 0 ? all : wanted;
        break;
    case ST_ADD:
    case ST_SUB:
    case ST_MUL:
    case ST_OR:
    case ST_XOR:
    case ST_TRUNC:
    case ST_ZEXT:
    case ST_SEXT:
    case ST_FREEZE:
        break;
    default:
        bits = all;
    }
    return bits < all ? bits : all;
}

static void find_wanted(const st_stencil *s, pk_pack *p) {
    p->nodes[s->root].wanted = type_bits((st_type)s->nodes[s->root].type);
    for (size_t i = s->nnodes; i-- > 0;)
        for (int k = 0; k < st_ops[s->nodes[i].op].arity; k++) {
            pk_node *arg = &p->nodes[s->nodes[i].args[k]];
            int bits = wanted_of_operand(s, (int32_t)i, k, p->nodes[i].wanted);
            arg->wanted = (int)st_max(arg->wanted, bits);
        }
}

/* For an operation on fields: the range of its results, and the range of values in between. */
typedef struct pk_result {
    pk_range range;
    int64_t span; /* the greatest a field must hold; negative: there is no such operation */
} pk_result;

static pk_result result(pk_range range, int64_t span) {
    return (pk_result){range, range.known ? st_max(span, range.high - range.low) : -1};
}

static pk_result shift_right(pk_range a, pk_range by) {
    if (!a.known || by.low < 0 || by.low > 31)
        return result(unknown(), 0);
    pk_range r = between(a.low >> by.low, a.high >> by.low);
    return result(r, a.high - r.low * ((int64_t)1 << by.low));
}

static pk_result mask_bits(pk_range a, int64_t mask) {
    if (mask < 0 || mask > most || !a.known)
        return result(unknown(), 0);
    int64_t end = (int64_t)1 << bits_of(mask);
    return result(between(0, mask), a.high - a.low + (a.low & (end - 1)));
}

/* The result of a bitwise operation on numbers that are not negative. */
static pk_result logic(st_op op, pk_range a, pk_range b) {
    if (!a.known || !b.known || a.low < 0 || b.low < 0)
        return result(unknown(), 0);
    int64_t all = ((int64_t)1 << bits_of(a.high | b.high)) - 1;
    return result(between(0, op == ST_AND ? st_min(a.high, b.high) : all), st_max(a.high, b.high));
}

/* A comparison leaves its outcome in the top bit, which the values must not reach. */
static pk_result compare(const st_node *n, pk_range a, pk_range b) {
    pk_range hull = pk_hull(a, b);
    bool apart = hull.known && (a.high < b.low || b.high < a.low);
    if (!hull.known)
        return result(unknown(), 0);
    if (n->op != ST_ICMP)
        return result(hull, 2 * (hull.high - hull.low) + 1);
    if (apart) { /* eq, ne, then by pairs: greater, and less */
        bool less = a.high < b.low, wants_less = n->predicate % 4 == 0 || n->predicate % 4 == 1;
        int64_t v = is_equality(n) ? n->predicate == 33 : less == wants_less;
        return result(between(v, v), 0);
    }
    return result(between(0, 1), 2 * (hull.high - hull.low) + 1);
}

/* After Granlund and Montgomery 1994: the factor exceeds 2^16 / c by so little that the greatest
 * value's quotient is not reached too early. */
pk_division pk_divide(pk_range a, int64_t c) {
    pk_division d = {.mixed = a.low < 0, .low = a.low / c, .factor = 65536 / c + 1};
    int64_t greatest = st_max(a.high, d.mixed ? c - 2 : 0) - c * d.low;
    int64_t fields = d.mixed ? 2 * (a.high - a.low) + 1 : a.high - a.low;
    d.exact =
        c > 1 && st_max(greatest, fields) < 65536 && greatest * (d.factor * c - 65536) < 65536;
    return d;
}

static pk_result divide(const st_node *n, pk_range a, pk_range b) {
    if (!a.known || !b.known || b.low != b.high || b.low <= 0)
        return (pk_result){unknown(), -1};
    int64_t c = b.low;
    if (n->op == ST_UREM || n->op == ST_SREM)
        return (pk_result){between(a.low < 0 ? 1 - c : 0, c - 1), -1};
    return (pk_result){between(a.low / c, a.high / c), pk_divide(a, c).exact ? 65535 : -1};
}

static pk_result operate(const st_stencil *s, const pk_pack *p, int32_t n) {
    const st_node *node = &s->nodes[n];
    pk_sense sense = pk_sense_of(s, p, n);
    pk_range a = pk_view(s, p, node->args[0], sense), b = unknown();
    bool by_constant = false;
    if (st_ops[node->op].arity > 1) {
        b = pk_view(s, p, node->args[1], sense);
        by_constant = is_constant(s, node->args[1]);
    }
    switch (node->op) {
    case ST_ADD:
        return result(a.known && b.known ? between(a.low + b.low, a.high + b.high) : unknown(), 0);
    case ST_SUB:
        return result(a.known && b.known ? between(a.low - b.high, a.high - b.low) : unknown(), 0);
    case ST_MUL:
        return by_constant ? result(product(a, b), 0) : (pk_result){product(a, b), -1};
    case ST_SHL:
        if (!by_constant || b.low < 0 || b.low > 16)
            return result(unknown(), 0);
        b = between((int64_t)1 << b.low, (int64_t)1 << b.low);
        return result(product(a, b), 0);
    case ST_LSHR:
    case ST_ASHR:
        return by_constant ? shift_right(a, b) : result(unknown(), 0);
    case ST_AND:
        if (node->type == ST_I1)
            return result(between(0, 1), 1);
        return by_constant ? mask_bits(a, constant(argument(s, n, 1), false)) : logic(ST_AND, a, b);
    case ST_OR:
    case ST_XOR:
        return node->type == ST_I1 ? result(between(0, 1), 1) : logic((st_op)node->op, a, b);
    case ST_ICMP:
    case ST_SMIN:
    case ST_SMAX:
    case ST_UMIN:
    case ST_UMAX:
        return compare(node, a, b);
    case ST_SELECT:
        return result(pk_hull(b, pk_view(s, p, node->args[2], sense)), 0);
    case ST_SEXT:
        if (argument(s, n, 0)->type == ST_I1)
            return result(between(-1, 0), 1);
        return result(a, 0);
    case ST_ZEXT:
    case ST_FREEZE:
        return result(a, 0);
    case ST_TRUNC:
        return node->type == ST_I1 ? (pk_result){between(0, 1), -1} : result(a, 0);
    case ST_UDIV:
    case ST_SDIV:
    case ST_UREM:
    case ST_SREM:
        return divide(node, a, b);
    default:
        return (pk_result){unknown(), -1};
    }
}

/* Fields, from the leaves up */

static void set_leaf(const st_stencil *s, pk_pack *p, int32_t n, int64_t greatest) {
    const st_node *node = &s->nodes[n];
    pk_node *to = &p->nodes[n];
    int bits = type_bits((st_type)node->type);
    if (node->op == ST_CONST) {
        int64_t c = constant(node, true);
        to->range = between(c, c);
        return;
    }
    if (bits <= 16)
        to->range = all_of(bits, false);
    if (node->op != ST_ACCESS || s->accesses[node->index].grid != s->store_grid)
        return;
    const st_access *a = &s->accesses[node->index];
    int buffers = (int)s->grids[a->grid].buffers;
    to->bits = 32 / p->group;
    if (greatest >= 0 && (s->store_level - a->level - 1) % buffers == 0)
        to->range.high = greatest;
}

/* Is the node a boolean, perhaps one of another type? */
static bool is_boolean(const st_stencil *s, const pk_pack *p, int32_t n) {
    const st_node *node = &s->nodes[n];
    pk_range r = p->nodes[n].range;
    if (node->type == ST_I1)
        return true;
    if (node->op == ST_ZEXT || node->op == ST_SEXT)
        return argument(s, n, 0)->type == ST_I1;
    if (node->op != ST_SELECT || !r.known || r.high - r.low > 1)
        return false;
    for (int i = 1; i < 3; i++) {
        const pk_node *arg = &p->nodes[node->args[i]];
        bool two = arg->boolean && arg->range.low == r.low;
        if (!two && !is_constant(s, node->args[i]))
            return false;
    }
    return true;
}

/* The bits of fields for node n; PK_CELL if it cannot be packed. */
static int field_bits(const st_stencil *s, const pk_pack *p, int32_t n, int64_t span) {
    const st_node *node = &s->nodes[n];
    pk_sense sense = pk_sense_of(s, p, n);
    int bits = 32 / p->group;
    bool any = false;
    if (span < 0)
        return PK_CELL;
    for (int i = 0; i < st_ops[node->op].arity; i++) {
        const pk_node *arg = &p->nodes[node->args[i]];
        pk_range view = pk_view(s, p, node->args[i], sense);
        if (!view.known)
            return PK_CELL;
        if (arg->bits == PK_CELL)
            continue;
        any = true;
        bits = (int)st_max(bits, arg->bits);
        span = st_max(span, arg->range.high - arg->range.low);
        if (!within(arg->range, view)) /* it is brought there, all of that sense's values */
            span = st_max(span, view.high - view.low);
    }
    while (bits <= 16 && span >> bits)
        bits *= 2;
    return any && bits <= 16 ? bits : PK_CELL;
}

static void set_node(const st_stencil *s, pk_pack *p, int32_t n) {
    const st_node *node = &s->nodes[n];
    pk_node *to = &p->nodes[n];
    int all = type_bits((st_type)node->type);
    bool all_wanted = to->wanted >= all, loose = false;
    if (st_type_is_float((st_type)node->type))
        return;
    pk_result r = operate(s, p, n);
    for (int i = 0; i < st_ops[node->op].arity; i++)
        loose |= p->nodes[node->args[i]].loose;
    if (pk_sense_of(s, p, n) == PK_ANY && !all_wanted)
        loose |= node->op == ST_ZEXT || node->op == ST_SEXT || node->op == ST_LSHR ||
                 node->op == ST_ASHR;
    to->range = r.range;
    to->bits = field_bits(s, p, n, r.span);
    to->loose = loose && !all_wanted;
    to->boolean = to->bits < PK_CELL && is_boolean(s, p, n);
    if (to->bits < PK_CELL)
        return;
    /* The range of a cell's own value must be that of its bits. */
    bool proper = in_sense(s, p, n, PK_SIGNED) || in_sense(s, p, n, PK_UNSIGNED);
    if (to->loose || !proper || loose)
        to->range = all <= 16 && !to->loose ? all_of(all, false) : unknown();
}

bool pk_is_small(st_type t) {
    return t == ST_I8 || t == ST_I16;
}

pk_pack *pk_create_single(const st_stencil *s) {
    pk_pack *p = calloc(1, sizeof *p);
    p->group = 1;
    p->nodes = calloc(s->nnodes, sizeof *p->nodes);
    for (size_t i = 0; i < s->nnodes; i++)
        p->nodes[i].bits = PK_CELL;
    return p;
}

pk_pack *pk_create(const st_stencil *s, int64_t greatest) {
    pk_pack *p = pk_create_single(s);
    st_type type = s->grids[s->store_grid].type;
    if (!pk_is_small(type))
        return p;
    p->group = 4 / (int)st_type_size(type);
    find_wanted(s, p);
    for (size_t i = 0; i < s->nnodes; i++)
        if (st_ops[s->nodes[i].op].cls == ST_LEAF)
            set_leaf(s, p, (int32_t)i, greatest);
        else
            set_node(s, p, (int32_t)i);
    return p;
}

void pk_destroy(pk_pack *p) {
    free(p->nodes);
    free(p);
}

int64_t pk_greatest(const st_stencil *s, const pk_pack *p) {
    pk_range all = all_of(32 / p->group, false), r = p->nodes[s->root].range;
    return within(r, all) ? r.high : all.high;
}

int pk_words(const pk_pack *p, int32_t n) {
    return p->group * p->nodes[n].bits / 32;
}
