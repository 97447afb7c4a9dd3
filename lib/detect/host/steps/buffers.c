/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which of an array's two buffers a time step reads and which it writes.
 */
#include "detect/host/steps/parts.h"

#include <stdlib.h>
#include <string.h>

void host_exchange_buffers(host_region *r, size_t grid) {
    st_stencil *s = r->stencil;
    poly first = r->grids[grid].origin[0];
    r->grids[grid].origin[0] = r->grids[grid].origin[1];
    r->grids[grid].origin[1] = first;
    for (size_t i = 0; i < s->naccesses; i++)
        if (s->accesses[i].grid == (int32_t)grid)
            s->accesses[i].level = !(s->accesses[i].level & 1);
    if (s->store_grid == (int32_t)grid)
        s->store_level = !(s->store_level & 1);
    for (size_t i = 0; i < s->nalso; i++)
        if (s->also[i].grid == (int32_t)grid)
            s->also[i].level = !(s->also[i].level & 1);
}

/* A step writes arrays of one buffer, and of arrays with two the second one: the one that the first
 * sweep to write the array writes. */

int32_t *host_level_written(st_stencil *s, int32_t grid) {
    if (s->store_grid == grid && !s->stores_nothing)
        return &s->store_level;
    for (size_t i = 0; i < s->nalso; i++)
        if (s->also[i].grid == grid)
            return &s->also[i].level;
    return NULL;
}

/* Exchanges the buffers of all grids of the array if the first sweep that writes it has level 0. */
static void turn_levels(host_whole *w, size_t array) {
    int32_t *level = NULL;
    for (int i = 0; i < w->s->count && !level; i++)
        for (size_t g = 0; g < w->step->sweeps[i].stencil->ngrids && !level; g++)
            if (w->step->sweeps[i].views[g].array[0] == (int32_t)array)
                level = host_level_written(w->s->sweeps[i]->stencil, (int32_t)g);
    if (!level || (*level & 1))
        return;
    for (int i = 0; i < w->s->count; i++)
        for (size_t g = 0; g < w->step->sweeps[i].stencil->ngrids; g++)
            if (w->step->sweeps[i].views[g].array[0] == (int32_t)array)
                host_exchange_buffers(w->s->sweeps[i], g);
}

/* Makes all levels of a sweep 0 or 1. */
static bool check_levels(host_whole *w, int number) {
    st_stencil *s = w->s->sweeps[number]->stencil;
    const st_view *views = w->step->sweeps[number].views;
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_array *a = &w->step->arrays[views[s->accesses[i].grid].array[0]];
        s->accesses[i].level &= a->swapped;
    }
    for (size_t g = 0; g < s->ngrids; g++) {
        st_array *a = &w->step->arrays[views[g].array[0]];
        int32_t *level = host_level_written(s, (int32_t)g);
        if (level && a->swapped && !(*level & 1))
            return host_whole_refuse(w, "both buffers of an array are written");
        if (level)
            *level &= a->swapped;
        a->written |= level != NULL;
    }
    return true;
}

bool host_find_written(host_whole *w) {
    for (size_t i = 0; i < w->step->narrays; i++)
        if (w->step->arrays[i].swapped)
            turn_levels(w, i);
    for (int i = 0; i < w->s->count; i++)
        if (!check_levels(w, i))
            return false;
    for (size_t i = 0; i < w->step->narrays; i++)
        if (w->step->arrays[i].swapped && !w->step->arrays[i].written)
            return host_whole_refuse(w, "arrays that are only read take turns");
    return true;
}

/* A step that computes u[t+1] of u[t] and u[t-1] reads both buffers, also the one that it then
 * writes. */

static bool writes_array(const host_whole *w, int number, size_t array) {
    const st_sweep *x = &w->step->sweeps[number];
    for (size_t g = 0; g < x->stencil->ngrids; g++)
        if (x->views[g].array[0] == (int32_t)array &&
            host_level_written(w->s->sweeps[number]->stencil, (int32_t)g))
            return true;
    return false;
}

static bool reads_older(const host_whole *w, size_t array) {
    bool written = false, reads = false;
    for (int i = 0; i < w->s->count && !written; i++) {
        const st_stencil *s = w->s->sweeps[i]->stencil;
        for (size_t k = 0; k < s->naccesses; k++)
            reads |= s->accesses[k].level == 1 &&
                     w->step->sweeps[i].views[s->accesses[k].grid].array[0] == (int32_t)array;
        written = writes_array(w, i, array);
    }
    return reads;
}

/* The array becomes level 0 alone; a new one is level 1. */
static bool part_buffers(host_whole *w, size_t array) {
    if (w->step->narrays == ST_MAX_ARRAYS)
        return host_whole_refuse(w, "the step has too many arrays");
    char name[32];
    snprintf(name, sizeof name, "%.20s older", w->step->arrays[array].name);
    int32_t older = st_step_add_array(w->step, name, w->step->arrays[array].type);
    st_array *x = &w->step->arrays[array], *y = &w->step->arrays[older];
    y->broadcast = x->broadcast;
    y->written = true;
    x->written = x->swapped = false;
    x->becomes = older;
    y->becomes = (int32_t)array;
    for (size_t i = 0; i < w->step->nsweeps; i++)
        for (size_t g = 0; g < w->step->sweeps[i].stencil->ngrids; g++)
            if (w->step->sweeps[i].views[g].array[0] == (int32_t)array)
                w->step->sweeps[i].views[g].array[1] = older;
    return true;
}

bool host_part_arrays(host_whole *w) {
    size_t count = w->step->narrays;
    for (size_t i = 0; i < count; i++)
        if (w->step->arrays[i].swapped && w->step->arrays[i].written && reads_older(w, i) &&
            !part_buffers(w, i))
            return false;
    return true;
}

/* Levels and origins, which host_exchange_buffers changes */

static size_t count_levels(const st_stencil *s) {
    return s->naccesses + s->nalso + 1;
}

static int32_t *level_number(st_stencil *s, size_t i) {
    return i < s->naccesses              ? &s->accesses[i].level
           : i < s->naccesses + s->nalso ? &s->also[i - s->naccesses].level
                                         : &s->store_level;
}

host_kept_buffers host_keep_buffers(host_region *r) {
    st_stencil *s = r->stencil;
    host_kept_buffers k = {calloc(count_levels(s), sizeof *k.levels),
                           calloc(2 * s->ngrids, sizeof *k.origins)};
    for (size_t i = 0; i < count_levels(s); i++)
        k.levels[i] = *level_number(s, i);
    for (size_t i = 0; i < 2 * s->ngrids; i++)
        k.origins[i] = r->grids[i / 2].origin[i % 2];
    return k;
}

void host_put_back_buffers(host_region *r, const host_kept_buffers *k) {
    for (size_t i = 0; i < count_levels(r->stencil); i++)
        *level_number(r->stencil, i) = k->levels[i];
    for (size_t i = 0; i < 2 * r->stencil->ngrids; i++)
        r->grids[i / 2].origin[i % 2] = k->origins[i];
}
