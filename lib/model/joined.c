/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A step of two sweeps as one sweep between two buffers. The first sweep makes an array of another
 * one, and the second sweep
 *   - copies the result back to the other array, or
 *   - only reduces, where both arrays are two buffers that take turns.
 * The second sweep reads both arrays in its own cell alone. So what it reduces can be computed
 * where the first sweep makes the cell.
 */
#include "model/step.h"

typedef struct joiner {
    const st_step *step;
    const st_sweep *first, *second;
    st_stencil *out;
    int32_t newer,
        older; /* arrays: what the first sweep writes, and what that was one step before */
    bool copies;
} joiner;

static bool is_plain(const st_sweep *w) {
    const st_stencil *s = w->stencil;
    return !w->at_low && !w->at_high && !w->at_place && s->nalso == 0 && !s->masked && !s->every &&
           !s->flat;
}

static bool cover_the_same(const joiner *j) {
    bool same = j->first->stencil->rank == j->second->stencil->rank;
    for (int d = 0; d < ST_MAX_RANK; d++)
        same = same && j->first->low[d] == j->second->low[d] &&
               j->first->high[d] == j->second->high[d];
    return same;
}

static const st_view *view_of(const st_sweep *w, int32_t array) {
    const st_view *found = NULL;
    for (size_t g = 0; g < w->stencil->ngrids; g++)
        for (uint32_t k = 0; k < w->stencil->grids[g].buffers; k++)
            if (w->views[g].array[k] == array)
                found = found && found != &w->views[g] ? NULL : &w->views[g];
    return found;
}

/* Do both sweeps count the array's cells alike? */
static bool lies_alike(const joiner *j, int32_t array) {
    const st_view *x = view_of(j->first, array), *y = view_of(j->second, array);
    bool alike = x && y && !x->opposite && !y->opposite;
    for (int d = 0; d < ST_MAX_RANK && alike; d++)
        alike = x->at[d] == y->at[d];
    return alike;
}

static const st_access *access_of(const st_stencil *s, int32_t node) {
    const st_node *n = &s->nodes[node];
    return n->op == ST_ACCESS ? &s->accesses[n->index] : NULL;
}

/* Is it what the first sweep has made of the cell? */
static bool is_newer(const joiner *j, const st_access *a) {
    bool level = j->copies || a->level == j->first->stencil->store_level;
    return st_is_own(a) && level && st_sweep_array(j->second, a->grid, a->level) == j->newer;
}

/* .. what it was before? */
static bool is_older(const joiner *j, const st_access *a) {
    bool level = j->copies || a->level == j->first->stencil->store_level - 1;
    return st_is_own(a) && level && st_sweep_array(j->second, a->grid, a->level) == j->older;
}

/* The first sweep makes `newer` of `older`, and the second one copies it back. */
static bool is_copied_back(joiner *j) {
    const st_stencil *a = j->first->stencil, *b = j->second->stencil;
    const st_access *from = b->stores_nothing ? NULL : access_of(b, b->root);
    bool single = true;
    for (size_t g = 0; g < a->ngrids; g++)
        single = single && a->grids[g].buffers == 1;
    for (size_t g = 0; g < b->ngrids; g++)
        single = single && b->grids[g].buffers == 1;
    if (!from || !single)
        return false;
    j->copies = true;
    j->newer = st_sweep_array(j->first, a->store_grid, a->store_level);
    j->older = st_sweep_array(j->second, b->store_grid, b->store_level);
    return j->newer != j->older && is_newer(j, from) && !st_reads_grid(a, a->store_grid) &&
           j->step->arrays[j->newer].type == j->step->arrays[j->older].type &&
           lies_alike(j, j->newer) && lies_alike(j, j->older);
}

/* Two buffers take turns, and the second sweep writes nothing. */
static bool is_reduced_apart(joiner *j) {
    const st_stencil *a = j->first->stencil, *b = j->second->stencil;
    j->newer = j->older = st_sweep_array(j->first, a->store_grid, a->store_level);
    return b->stores_nothing && a->grids[a->store_grid].buffers == 2 &&
           j->step->arrays[j->newer].swapped && lies_alike(j, j->newer);
}

/* Of the first sweep: the grid that is written gets two buffers, and is read one step before. */
static void turn(joiner *j) {
    st_stencil *s = j->out;
    for (size_t i = 0; i < s->naccesses; i++)
        if (st_sweep_array(j->first, s->accesses[i].grid, s->accesses[i].level) == j->older) {
            s->accesses[i].grid = s->store_grid;
            s->accesses[i].level = 0;
        }
    s->grids[s->store_grid].buffers = 2;
    s->store_level = 1;
}

/* The number in `out` of a node of the second sweep; -1: there is none. */
static int32_t import(joiner *j, int32_t node) {
    const st_stencil *s = j->second->stencil;
    st_node n = s->nodes[node];
    const st_access *a = access_of(s, node);
    if (a && is_newer(j, a))
        return j->out->root;
    if (a && is_older(j, a)) {
        st_access own = {.grid = j->out->store_grid, .level = j->out->store_level - 1, .where = -1};
        return st_leaf(j->out, ST_ACCESS, (st_type)n.type, st_add_access(j->out, own));
    }
    if (a || n.op == ST_SCALAR || n.op == ST_COORD || st_is_call(&n))
        return -1;
    for (int i = 0; i < st_ops[n.op].arity; i++) {
        n.args[i] = import(j, n.args[i]);
        if (n.args[i] < 0)
            return -1;
    }
    return st_add_node(j->out, n);
}

static bool import_reductions(joiner *j) {
    const st_stencil *s = j->second->stencil;
    bool good = true;
    for (size_t i = 0; i < s->nreductions && good; i++) {
        st_reduction r = s->reductions[i];
        r.root = import(j, r.root);
        good = r.root >= 0;
        if (good)
            st_add_reduction(j->out, r);
    }
    return good;
}

st_stencil *st_step_joined(const st_step *step) {
    joiner j = {.step = step};
    if (step->unknown || step->nnests != 2 || step->nsweeps != 2 || step->ghosts.copies)
        return NULL;
    j.first = &step->sweeps[0];
    j.second = &step->sweeps[1];
    if (!is_plain(j.first) || !is_plain(j.second) || !cover_the_same(&j) ||
        j.first->stencil->stores_nothing || !(is_copied_back(&j) || is_reduced_apart(&j)))
        return NULL;
    j.out = st_copy(j.first->stencil);
    if (j.copies)
        turn(&j);
    if (import_reductions(&j))
        return j.out;
    st_destroy(j.out);
    return NULL;
}
