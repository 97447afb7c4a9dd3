/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Finds what neighbouring cells compute in common. Two nodes of a statement are the same but for
 * the cell, if one is the other moved along x: a flux through a cell's left face is the flux
 * through the right face of the cell before. Where a thread computes several neighbouring cells,
 * compilers compute such a value once.
 *
 * A node is described by its form: its operation, the forms of its operands, and where these lie
 * relative to one another. Its place is that of its operand furthest left. Nodes of one form differ
 * in their places alone.
 */
#include "plan/time/leads.h"

#include <stdlib.h>

enum { NOWHERE = INT32_MIN }; /* the place of a value that is the same for all cells */

typedef struct form {
    int32_t first; /* the first node of this form: names it */
    int32_t place; /* along x, or NOWHERE */
} form;

static bool is_same_leaf(const st_stencil *s, const st_node *a, const st_node *b) {
    if (a->op != ST_ACCESS)
        return a->index == b->index && a->bits == b->bits;
    const st_access *x = &s->accesses[a->index], *y = &s->accesses[b->index];
    bool same = x->grid == y->grid && x->level == y->level;
    for (int d = 1; d < s->rank; d++)
        same = same && x->offset[d] == y->offset[d];
    return same;
}

/* Where an operand lies, relative to its node. */
static int32_t relative(const form *node, const form *operand) {
    return operand->place == NOWHERE ? NOWHERE : operand->place - node->place;
}

static bool is_same_form(const st_stencil *s, const form *forms, size_t n, size_t other) {
    const st_node *a = &s->nodes[n], *b = &s->nodes[other];
    bool same = a->op == b->op && a->type == b->type && a->predicate == b->predicate &&
                a->flags == b->flags && is_same_leaf(s, a, b) &&
                (forms[n].place == NOWHERE) == (forms[other].place == NOWHERE);
    for (int i = 0; i < st_ops[a->op].arity && same; i++) {
        const form *x = &forms[a->args[i]], *y = &forms[b->args[i]];
        same = x->first == y->first && relative(&forms[n], x) == relative(&forms[other], y);
    }
    return same;
}

/* The number of a cell's place moves as the cell does, but the number is another one: such a value
 * is nobody's neighbour. It has place 0, and no two of its form have different places. */
static int32_t place_of(const st_stencil *s, const form *forms, const st_node *node) {
    if (node->op == ST_ACCESS)
        return s->accesses[node->index].offset[0];
    int32_t place = node->op == ST_COORD && node->index == 0 ? 0 : NOWHERE;
    for (int i = 0; i < st_ops[node->op].arity; i++) {
        int32_t operand = forms[node->args[i]].place;
        if (place == NOWHERE || (operand != NOWHERE && operand < place))
            place = operand;
    }
    return place;
}

/* The distance to the nearest node of the same form whose place is before. */
static int32_t lead_of(const form *forms, size_t nnodes, size_t n) {
    int32_t least = INT32_MAX;
    for (size_t i = 0; i < nnodes; i++) {
        bool before = forms[i].first == forms[n].first && forms[i].place < forms[n].place;
        if (before && forms[n].place != NOWHERE && forms[n].place - forms[i].place < least)
            least = forms[n].place - forms[i].place;
    }
    return least;
}

int32_t *steps_find_leads(const st_stencil *s) {
    form *forms = malloc((s->nnodes + 1) * sizeof *forms);
    int32_t *leads = malloc((s->nnodes + 1) * sizeof *leads);
    for (size_t n = 0; n < s->nnodes; n++) {
        size_t other = 0;
        forms[n].place = place_of(s, forms, &s->nodes[n]);
        while (other < n &&
               (forms[other].first != (int32_t)other || !is_same_form(s, forms, n, other)))
            other++;
        forms[n].first = (int32_t)other;
    }
    for (size_t n = 0; n < s->nnodes; n++)
        leads[n] = lead_of(forms, s->nnodes, n);
    free(forms);
    return leads;
}
