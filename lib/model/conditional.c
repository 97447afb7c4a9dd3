/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Cells that a kernel reads only under a condition: where may they be read in any case? Where there
 * is memory, as other accesses show:
 *   - between two cells that the same thread always accesses: both are cells of one array;
 *   - in the cell that another thread always accesses, so far as there is that thread.
 */
#include "model/stencil.h"

#include <stdlib.h>

bool st_is_between(const int32_t a[ST_MAX_RANK], const int32_t p[ST_MAX_RANK],
                   const int32_t q[ST_MAX_RANK]) {
    int64_t dot = 0;
    for (int d = 0; d < ST_MAX_RANK; d++) {
        int next = (d + 1) % ST_MAX_RANK;
        int64_t u = p[d] - a[d], v = q[d] - a[d];
        if (u * (q[next] - a[next]) != v * (p[next] - a[next]))
            return false;
        dot += u * v;
    }
    return dot <= 0;
}

typedef struct search {
    bool *seen;
    int32_t *left; /* nodes to be looked at; a list, not recursion, for expressions may be deep */
    size_t nleft;
} search;

static void add_node(search *s, int32_t node) {
    if (node < 0 || s->seen[node])
        return;
    s->seen[node] = true;
    s->left[s->nleft++] = node;
}

bool st_needs(const st_stencil *s, int32_t node, int32_t access) {
    search all = {calloc(s->nnodes, sizeof(bool)), malloc(s->nnodes * sizeof(int32_t)), 0};
    bool needs = false;
    add_node(&all, node);
    while (all.nleft > 0 && !needs) {
        const st_node *n = &s->nodes[all.left[--all.nleft]];
        needs = n->op == ST_ACCESS && n->index == access;
        if (n->op == ST_ACCESS && s->accesses[n->index].conditional)
            add_node(&all, s->accesses[n->index].where);
        for (int k = 0; k < st_ops[n->op].arity; k++)
            add_node(&all, n->args[k]);
    }
    free(all.seen);
    free(all.left);
    return needs;
}

/* The offset of the grid's cell that a thread always accesses by read number `number`, or (from
 * `naccesses` on) by a store. NULL if the access is conditional, is to another grid, or is at a
 * border elsewhere. */
static const int32_t *sure_offset(const st_stencil *s, size_t number, int32_t grid) {
    static const int32_t here[ST_MAX_RANK];
    if (number < s->naccesses) {
        const st_access *a = &s->accesses[number];
        return a->grid == grid && !a->conditional && !a->faces ? a->offset : NULL;
    }
    size_t store = number - s->naccesses;
    int32_t to = store ? s->also[store - 1].grid : s->store_grid;
    return to == grid && !(s->masked >> store & 1) ? here : NULL;
}

bool st_is_readable(const st_stencil *s, size_t access) {
    const st_access *a = &s->accesses[access];
    size_t count = s->naccesses + s->nalso + 1;
    bool readable = !a->conditional;
    for (size_t i = 0; i < count && !readable && !a->faces; i++) {
        const int32_t *one = sure_offset(s, i, a->grid);
        for (size_t k = i; one && k < count && !readable; k++) {
            const int32_t *other = sure_offset(s, k, a->grid);
            readable = other && st_is_between(a->offset, one, other);
        }
    }
    return readable;
}

/* How many cells the threads are apart, along all dimensions; -1: none reads the same cell, for
 * along one of them all threads read the same cells. */
static int distance(const st_stencil *s, const st_access *a, const int32_t *offset) {
    int sum = 0;
    for (int d = 0; d < s->rank; d++) {
        int apart = abs(a->offset[d] - offset[d]);
        if (apart && s->grids[a->grid].broadcast >> d & 1)
            return -1;
        sum += apart;
    }
    return sum;
}

bool st_find_reader(const st_stencil *s, size_t access, int32_t apart[ST_MAX_RANK]) {
    const st_access *a = &s->accesses[access];
    int least = -1;
    for (size_t i = 0; i < s->naccesses + s->nalso + 1; i++) {
        const int32_t *offset = sure_offset(s, i, a->grid);
        int far = offset ? distance(s, a, offset) : -1;
        if (far < 0 || (least >= 0 && far >= least))
            continue;
        least = far;
        for (int d = 0; d < ST_MAX_RANK; d++)
            apart[d] = a->offset[d] - offset[d];
    }
    return least >= 0;
}
