/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Contraction of multiplications and additions into fma, decided here once, so that every device
 * computes the same bits. The rule, applied to operands before users:
 *   fmuladd(a, b, c)                        -> fma(a, b, c)
 *   fadd(fmul(a, b), c), fadd(c, fmul(a, b)) -> fma(a, b, c)
 *   fsub(fmul(a, b), c)                     -> fma(a, b, -c)
 *   fsub(c, fmul(a, b))                     -> fma(-a, b, c)
 * where both nodes carry `contract` and the product has no other user; if both operands of an
 * addition qualify, the left one is taken. A user of several multiplications so keeps the
 * source's order of additions.
 */
#include "model/stencil.h"

#include <stdlib.h>
#include <string.h>

static int32_t emit(st_stencil *to, const st_node *like, st_op op, int32_t a, int32_t b,
                    int32_t c) {
    st_node n = *like;
    n.op = (uint8_t)op;
    n.flags &= (uint8_t)~ST_CONTRACT;
    n.args[0] = a;
    n.args[1] = b;
    n.args[2] = c;
    return st_add_node(to, n);
}

typedef struct contraction {
    const st_stencil *from;
    st_stencil *to;
    int32_t *map;   /* old node -> new node */
    uint32_t *uses; /* of old nodes */
} contraction;

static bool is_free_product(const contraction *c, int32_t node) {
    const st_node *n = &c->from->nodes[node];
    return n->op == ST_FMUL && (n->flags & ST_CONTRACT) && c->uses[node] == 1;
}

static int32_t negated(contraction *c, const st_node *like, int32_t new_node) {
    return emit(c->to, like, ST_FNEG, new_node, -1, -1);
}

static int32_t rewrite_sum(contraction *c, const st_node *n) {
    bool left = is_free_product(c, n->args[0]);
    int32_t factor = left ? n->args[0] : n->args[1];
    const st_node *product = &c->from->nodes[factor];
    int32_t a = c->map[product->args[0]], b = c->map[product->args[1]];
    int32_t rest = c->map[left ? n->args[1] : n->args[0]];
    if (n->op == ST_FSUB && left)
        rest = negated(c, n, rest);
    else if (n->op == ST_FSUB)
        a = negated(c, n, a);
    return emit(c->to, n, ST_FMA, a, b, rest);
}

static int32_t rewrite(contraction *c, const st_node *n) {
    int32_t args[3];
    for (int i = 0; i < 3; i++)
        args[i] = n->args[i] < 0 ? -1 : c->map[n->args[i]];
    if (n->op == ST_FMULADD)
        return emit(c->to, n, ST_FMA, args[0], args[1], args[2]);
    if ((n->op == ST_FADD || n->op == ST_FSUB) && (n->flags & ST_CONTRACT) &&
        (is_free_product(c, n->args[0]) || is_free_product(c, n->args[1])))
        return rewrite_sum(c, n);
    return emit(c->to, n, n->op, args[0], args[1], args[2]);
}

/* Which nodes the statements need: a product taken into an fma is needed no more. */
static void mark_live(const st_stencil *s, bool *live) {
    for (size_t i = s->nnodes; i-- > 0;)
        for (int k = 0; live[i] && k < 3; k++)
            if (s->nodes[i].args[k] >= 0)
                live[s->nodes[i].args[k]] = true;
}

static st_stencil *copy_without_nodes(const st_stencil *s) {
    st_stencil *t = st_create();
    memcpy(t->where, s->where, sizeof t->where);
    memcpy(t->function, s->function, sizeof t->function);
    t->rank = s->rank;
    t->timed = s->timed;
    t->store_grid = s->store_grid;
    t->store_level = s->store_level;
    return t;
}

static bool has_condition(const st_access *a) {
    return a->conditional && a->where >= 0;
}

void st_replace_nodes(st_stencil *s, st_stencil *by, const int32_t *from) {
    bool *live = calloc(by->nnodes, sizeof *live);
    int32_t *map = malloc(by->nnodes * sizeof *map);
    st_stencil *clean = copy_without_nodes(s);
    live[from[s->root]] = true;
    for (size_t i = 0; i < s->nalso; i++)
        live[from[s->also[i].root]] = true;
    for (size_t i = 0; i < s->nreductions; i++)
        live[from[s->reductions[i].root]] = true;
    for (size_t i = 0; i < s->naccesses; i++)
        if (has_condition(&s->accesses[i]))
            live[from[s->accesses[i].where]] = true;
    mark_live(by, live);
    for (size_t i = 0; i < by->nnodes; i++) {
        st_node n = by->nodes[i];
        for (int k = 0; k < 3; k++)
            n.args[k] = n.args[k] < 0 ? -1 : map[n.args[k]];
        map[i] = live[i] ? st_add_node(clean, n) : -1;
    }
    st_node *nodes = s->nodes;
    s->nodes = clean->nodes;
    s->nnodes = clean->nnodes;
    s->root = map[from[s->root]];
    for (size_t i = 0; i < s->nalso; i++)
        s->also[i].root = map[from[s->also[i].root]];
    for (size_t i = 0; i < s->nreductions; i++)
        s->reductions[i].root = map[from[s->reductions[i].root]];
    for (size_t i = 0; i < s->naccesses; i++)
        if (has_condition(&s->accesses[i]))
            s->accesses[i].where = map[from[s->accesses[i].where]];
    clean->nodes = nodes;
    st_destroy(clean);
    free(map);
    free(live);
}

void st_contract(st_stencil *s) {
    contraction c = {s, st_create(), malloc(s->nnodes * sizeof(int32_t)),
                     calloc(s->nnodes, sizeof(uint32_t))};
    for (size_t i = 0; i < s->nnodes; i++)
        for (int k = 0; k < 3; k++)
            if (s->nodes[i].args[k] >= 0)
                c.uses[s->nodes[i].args[k]]++;
    for (size_t i = 0; i < s->nalso; i++)
        c.uses[s->also[i].root]++;
    for (size_t i = 0; i < s->nreductions; i++)
        c.uses[s->reductions[i].root]++;
    c.uses[s->root]++;
    for (size_t i = 0; i < s->nnodes; i++)
        c.map[i] = rewrite(&c, &s->nodes[i]);
    st_replace_nodes(s, c.to, c.map);
    st_destroy(c.to);
    free(c.map);
    free(c.uses);
}
