/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Steps with copies to ghost cells, and the same steps without them: which sweeps are such copies,
 * the window, and the sweeps whose indices come round. Whether both are the same: ghost_cells.c.
 */
#include "model/ghosts.h"

#include "model/ghost_cells.h"

#include <stdlib.h>
#include <string.h>

/* The copies */

/* How far along d the copied cell is from its copy, less than the box is long; 0: at the same
 * place. False: something else. */
static bool find_span(const st_sweep *w, int32_t access, int d, int32_t *span) {
    const st_access *a = &w->stencil->accesses[access];
    int32_t offset[ST_MAX_RANK];
    bool opposite = w->views[a->grid].opposite >> d & 1, low = w->at_low >> d & 1;
    st_sweep_offset(w, access, offset);
    *span = opposite ? (low ? -offset[d] : offset[d]) : 0;
    return opposite ? *span > 0 : offset[d] == 0;
}

/* Does store i of the sweep copy cells of its array to the opposite face? */
static bool copies_across(const st_step *step, const st_sweep *w, size_t i,
                          int32_t span[ST_MAX_RANK]) {
    const st_stencil *s = w->stencil;
    st_store store = st_sweep_store(w, i);
    const st_node *root = &s->nodes[store.root];
    int32_t to = st_sweep_array(w, store.grid, store.level), most = 0;
    if (root->op != ST_ACCESS || s->masked || s->every > 1 || s->nreductions)
        return false;
    const st_access *a = &s->accesses[root->index];
    if (a->faces || a->conditional || st_sweep_array(w, a->grid, a->level) != to ||
        st_ghosts_turn(step, to, a->level) != st_ghosts_turn(step, to, store.level))
        return false;
    for (int d = 0; d < step->rank; d++) {
        int32_t one;
        if (!find_span(w, root->index, d, &one) || (one && span[d] && span[d] != one))
            return false;
        span[d] = one ? one : span[d];
        most |= one;
    }
    return most > 0;
}

static bool is_copy(const st_step *step, const st_sweep *w, int32_t span[ST_MAX_RANK]) {
    bool all = st_sweep_stores(w) > 0 && !w->at_place;
    for (size_t i = 0; i < st_sweep_stores(w) && all; i++)
        all = copies_across(step, w, i, span);
    return all;
}

/* Finds the copies and, along each dimension, how much longer the box is than the window. */
static uint32_t find_copies(const st_step *step, int32_t span[ST_MAX_RANK]) {
    uint32_t copies = 0;
    for (size_t i = 0; i < step->nsweeps; i++)
        copies |= (uint32_t)is_copy(step, &step->sweeps[i], span) << i;
    return copies;
}

/* The other sweeps */

static bool has_coordinate(const st_stencil *s, int d) {
    bool has = false;
    for (size_t i = 0; i < s->nnodes; i++)
        has |= s->nodes[i].op == ST_COORD && s->nodes[i].index == d;
    return has;
}

/* May indices of the sweep along d come round? Cells are counted from its first one. */
static bool may_come_round(const st_step *step, const st_sweep *w, int d) {
    int32_t low, high, offset[ST_MAX_RANK];
    st_ghosts_domain(w, d, &low, &high);
    bool may = !((w->at_low | w->at_high | w->at_place) >> d & 1) &&
               (low == step->ghosts.margin[d][0] || !has_coordinate(w->stencil, d));
    for (size_t i = 0; i < w->stencil->naccesses && may; i++) {
        const st_access *a = &w->stencil->accesses[i];
        int32_t array = st_sweep_array(w, a->grid, a->level);
        st_sweep_offset(w, (int32_t)i, offset);
        may = !st_sweep_reads(w, (int32_t)i) || st_step_flows(step, array) || !offset[d];
    }
    return may;
}

/* Is it a sweep that ghost_cells.c follows? */
static bool is_simple(const st_step *step, const st_sweep *w) {
    bool simple = !w->at_place;
    for (size_t i = 0; i < w->stencil->naccesses && simple; i++) {
        const st_access *a = &w->stencil->accesses[i];
        simple = !st_sweep_reads(w, (int32_t)i) || !(a->faces || w->views[a->grid].opposite);
    }
    for (int d = 0; d < step->rank && simple; d++)
        simple = !st_ghosts_round(step, d) || may_come_round(step, w, d);
    return simple;
}

/* Of three buffers that take turns, and of traces, nothing is known here. */
static bool arrays_are_simple(const st_step *step) {
    bool simple = !step->decides;
    for (size_t a = 0; a < step->narrays; a++) {
        const st_array *x = &step->arrays[a];
        bool three = x->swapped && x->becomes != (int32_t)a;
        simple = simple && !x->trace && !three;
    }
    return simple;
}

static bool sweeps_are_simple(const st_step *step) {
    bool simple = true;
    for (size_t i = 0; i < step->nsweeps && simple; i++)
        simple = (step->ghosts.copies >> i & 1) || is_simple(step, &step->sweeps[i]);
    return simple;
}

/* The window */

static bool is_same_step(st_step *step) {
    st_step *round = sweeps_are_simple(step) ? st_step_without_ghosts(step) : NULL;
    bool same = round && !st_step_why_not_whole(round) && st_ghosts_follow(step);
    st_step_destroy(round);
    return same;
}

/* Tries windows, the one of the first sweep along each dimension first; not more than `tries`. */
static bool find_window(st_step *step, const int32_t span[ST_MAX_RANK], int d, int *tries) {
    size_t first = 0;
    int32_t low = 0, high;
    if (d >= step->rank || d >= ST_MAX_RANK)
        return --*tries >= 0 && is_same_step(step);
    while (first < step->nsweeps &&
           ((step->ghosts.copies >> first & 1) || st_sweep_is_layer(&step->sweeps[first])))
        first++;
    if (first == step->nsweeps)
        return false;
    st_ghosts_domain(&step->sweeps[first], d, &low, &high);
    for (int32_t i = 0; i <= span[d]; i++) {
        int32_t margin = (low + i) % (span[d] + 1);
        step->ghosts.margin[d][0] = margin;
        step->ghosts.margin[d][1] = span[d] - margin;
        if (find_window(step, span, d + 1, tries))
            return true;
    }
    return false;
}

bool st_step_find_ghosts(st_step *step) {
    enum { MOST = 8, TRIES = 4 };
    int32_t span[ST_MAX_RANK] = {0};
    int tries = TRIES;
    bool few = step->nsweeps <= ST_MAX_SWEEPS && step->narrays > 0 && !step->unknown;
    step->ghosts = (st_ghosts){.copies = few ? find_copies(step, span) : 0};
    bool found = step->ghosts.copies && arrays_are_simple(step);
    for (int d = 0; d < step->rank; d++)
        found = found && span[d] <= MOST;
    found = found && find_window(step, span, 0, &tries);
    if (!found)
        step->ghosts = (st_ghosts){.copies = 0};
    return found;
}

/* Along d: are all cells that the copy makes outside the window? */
static bool is_outside(const st_step *step, const st_sweep *w, int d) {
    int32_t low, high;
    st_ghosts_domain(w, d, &low, &high);
    return (w->at_low >> d & 1 && high <= step->ghosts.margin[d][0]) ||
           (w->at_high >> d & 1 && low <= step->ghosts.margin[d][1]);
}

bool st_step_is_ghost(const st_step *step, size_t nest, int32_t grid) {
    for (size_t i = 0; i < step->nsweeps; i++) {
        const st_sweep *w = &step->sweeps[i];
        bool outside = false, stored = false;
        if (w->nest != nest || !(step->ghosts.copies >> i & 1))
            continue;
        for (int d = 0; d < step->rank; d++)
            outside |= is_outside(step, w, d);
        for (size_t k = 0; k < st_sweep_stores(w); k++)
            stored |= st_sweep_store(w, k).grid == grid;
        if (stored)
            return outside && w->stencil->grids[grid].buffers == 1;
    }
    return false;
}

/* The step without copies */

static void come_round(st_sweep *w, int d) {
    st_stencil *s = w->stencil;
    int32_t offset[ST_MAX_RANK];
    s->boundary[d][0] = s->boundary[d][1] = ST_WRAP;
    for (size_t i = 0; i < s->naccesses; i++) {
        st_access *a = &s->accesses[i];
        if (s->grids[a->grid].broadcast >> d & 1)
            continue;
        st_sweep_offset(w, (int32_t)i, offset);
        a->offset[d] = offset[d];
        a->faces |= offset[d] ? ST_FACE(d, offset[d] > 0) : 0;
    }
    for (size_t g = 0; g < s->ngrids; g++)
        if (!(s->grids[g].broadcast >> d & 1))
            w->views[g].at[d] = 0;
    w->low[d] = w->high[d] = 0;
}

static void add_sweep(st_step *round, const st_step *step, const st_sweep *w) {
    size_t bytes = (w->stencil->ngrids + 1) * sizeof *w->views;
    round->sweeps = realloc(round->sweeps, (round->nsweeps + 1) * sizeof *round->sweeps);
    st_sweep *to = &round->sweeps[round->nsweeps++];
    *to = *w;
    to->views = malloc(bytes);
    memcpy(to->views, w->views, bytes);
    to->stencil = st_copy(w->stencil);
    for (int d = 0; d < step->rank; d++)
        if (st_ghosts_round(step, d))
            come_round(to, d);
}

/* Nests keep their numbers. */
st_step *st_step_without_ghosts(const st_step *step) {
    st_step *round = st_step_create(step->rank);
    memcpy(round->where, step->where, sizeof round->where);
    round->owns = true;
    for (size_t i = 0; i < step->narrays; i++) {
        st_step_add_array(round, step->arrays[i].name, step->arrays[i].type);
        round->arrays[i] = step->arrays[i];
    }
    round->nests = malloc((step->nnests + 1) * sizeof(st_stencil *));
    memcpy(round->nests, step->nests, step->nnests * sizeof(st_stencil *));
    round->nnests = step->nnests;
    for (size_t i = 0; i < step->nsweeps; i++)
        if (!(step->ghosts.copies >> i & 1))
            add_sweep(round, step, &step->sweeps[i]);
    return round;
}
