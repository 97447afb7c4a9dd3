/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Parts of a time step.
 */
#include "model/part.h"

#include <stdlib.h>
#include <string.h>

static bool writes(const st_sweep *w, int32_t array) {
    bool found = false;
    for (size_t i = 0; i < st_sweep_stores(w); i++) {
        st_store store = st_sweep_store(w, i);
        found |= st_sweep_array(w, store.grid, store.level) == array;
    }
    return found;
}

const char *st_step_why_not_parts(const st_step *step) {
    if (step->decides)
        return "each step decides whether the loop goes on";
    for (size_t a = 0; a < step->narrays; a++)
        if (step->arrays[a].swapped && step->arrays[a].becomes != (int32_t)a)
            return "three buffers take turns";
    return NULL;
}

bool st_step_may_cut(const st_step *step, size_t nest) {
    bool may = true;
    for (size_t a = 0; a < step->narrays; a++) {
        bool before = false, after = false;
        for (size_t i = 0; i < step->nsweeps && step->arrays[a].swapped; i++) {
            bool stores = writes(&step->sweeps[i], (int32_t)a);
            before |= stores && step->sweeps[i].nest < nest;
            after |= stores && step->sweeps[i].nest >= nest;
        }
        may &= !(before && after);
    }
    return may;
}

static bool part_writes(const st_step *part, const st_step *step, int32_t array) {
    bool found = false;
    for (size_t i = 0; i < step->nsweeps; i++) {
        const st_sweep *w = &step->sweeps[i];
        bool in =
            w->nest >= part->sweeps[0].nest && w->nest <= part->sweeps[part->nsweeps - 1].nest;
        found |= in && writes(w, array);
    }
    return found;
}

/* The part's array for one of the step's; a new one, if it has none yet. */
static int32_t array_of(st_step *part, const st_step *step, int32_t array, bool newer) {
    const st_array *of = &step->arrays[array];
    for (size_t a = 0; a < part->narrays; a++)
        if (part->arrays[a].number == of->number && part->arrays[a].newer == newer)
            return (int32_t)a;
    int32_t number = st_step_add_array(part, of->name, of->type);
    st_array *to = &part->arrays[number];
    *to = *of;
    to->becomes = number;
    to->newer = newer;
    to->written = of->written && part_writes(part, step, array);
    to->swapped = of->swapped && to->written;
    return number;
}

/* Finds the array that the view shows at this level. */
static void find_array(st_step *part, const st_step *step, st_sweep *w, const st_sweep *from,
                       int32_t grid, int32_t level) {
    int32_t array = st_sweep_array(from, grid, level);
    bool newer = step->arrays[array].swapped && level != 0 && !part_writes(part, step, array);
    w->views[grid].array[level] = array_of(part, step, array, newer);
}

/* Levels that the sweep does not access may show any array. */
static void find_arrays(st_step *part, const st_step *step, st_sweep *w, const st_sweep *from) {
    const st_stencil *s = from->stencil;
    for (size_t g = 0; g < s->ngrids; g++)
        memset(w->views[g].array, 0, sizeof w->views[g].array);
    for (size_t i = 0; i < s->naccesses; i++)
        find_array(part, step, w, from, s->accesses[i].grid, s->accesses[i].level);
    for (size_t i = 0; i < st_sweep_stores(from); i++) {
        st_store store = st_sweep_store(from, i);
        find_array(part, step, w, from, store.grid, store.level);
    }
}

static void copy_sweep(st_step *part, const st_sweep *from) {
    size_t bytes = (from->stencil->ngrids + 1) * sizeof *from->views;
    part->sweeps = realloc(part->sweeps, (part->nsweeps + 1) * sizeof *part->sweeps);
    st_sweep *w = &part->sweeps[part->nsweeps++];
    *w = *from;
    w->views = malloc(bytes);
    memcpy(w->views, from->views, bytes);
}

static bool stores_any(const st_step *part) {
    bool any = false;
    for (size_t i = 0; i < part->nsweeps; i++)
        any |= st_sweep_stores(&part->sweeps[i]) > 0 && !st_step_traces(part, i);
    return any;
}

st_step *st_step_part(const st_step *step, size_t first, size_t end) {
    st_step *part = st_step_create(step->rank);
    memcpy(part->where, step->where, sizeof part->where);
    part->nests = malloc((step->nnests + 1) * sizeof(st_stencil *));
    memcpy(part->nests, step->nests, step->nnests * sizeof(st_stencil *));
    part->nnests = step->nnests;
    for (size_t i = 0; i < step->nsweeps; i++)
        if (step->sweeps[i].nest >= first && step->sweeps[i].nest < end)
            copy_sweep(part, &step->sweeps[i]);
    for (size_t i = 0, k = 0; i < step->nsweeps && part->nsweeps > 0; i++)
        if (step->sweeps[i].nest >= first && step->sweeps[i].nest < end)
            find_arrays(part, step, &part->sweeps[k++], &step->sweeps[i]);
    if (part->nsweeps > 0 && stores_any(part))
        return part;
    st_step_destroy(part);
    return NULL;
}
