/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which of an array's buffers a time step reads and which it writes.
 */
#include "detect/host/steps/parts.h"

#include <stdlib.h>
#include <string.h>

/* The level, from 0 on: level -1 is the last one. */
static int32_t level_of(int32_t level, int buffers) {
    return (level % buffers + buffers) % buffers;
}

void host_turn_buffers(host_region *r, size_t grid, int by) {
    st_stencil *s = r->stencil;
    int buffers = (int)s->grids[grid].buffers;
    poly old[ST_MAX_BUFFERS];
    memcpy(old, r->grids[grid].origin, sizeof old);
    for (int k = 0; k < buffers; k++)
        r->grids[grid].origin[k] = old[(k + by) % buffers];
    for (size_t i = 0; i < s->naccesses; i++)
        if (s->accesses[i].grid == (int32_t)grid)
            s->accesses[i].level = level_of(s->accesses[i].level - by, buffers);
    if (s->store_grid == (int32_t)grid)
        s->store_level = level_of(s->store_level - by, buffers);
    for (size_t i = 0; i < s->nalso; i++)
        if (s->also[i].grid == (int32_t)grid)
            s->also[i].level = level_of(s->also[i].level - by, buffers);
}

/* A step writes arrays of one buffer, and of arrays with several the last one: the one that the
 * first sweep to write the array writes, of all dimensions if there is one. Copies to ghost cells
 * may write another one. */

int32_t *host_level_written(st_stencil *s, int32_t grid) {
    if (s->store_grid == grid && !s->stores_nothing)
        return &s->store_level;
    for (size_t i = 0; i < s->nalso; i++)
        if (s->also[i].grid == grid)
            return &s->also[i].level;
    return NULL;
}

static void turn_levels(host_whole *w, size_t array) {
    int32_t *level = NULL;
    for (int i = 0; i < 2 * w->s->count && !level; i++) {
        int k = i % w->s->count;
        bool whole = w->s->sweeps[k]->stencil->flat == 0;
        for (size_t g = 0; g < w->step->sweeps[k].stencil->ngrids && !level; g++)
            if (w->step->sweeps[k].views[g].array[0] == (int32_t)array && whole == (i == k))
                level = host_level_written(w->s->sweeps[k]->stencil, (int32_t)g);
    }
    int buffers = w->arrays[array].buffers, by = level ? level_of(*level + 1, buffers) : 0;
    for (int i = 0; i < w->s->count; i++)
        for (size_t g = 0; g < w->step->sweeps[i].stencil->ngrids; g++)
            if (w->step->sweeps[i].views[g].array[0] == (int32_t)array)
                host_turn_buffers(w->s->sweeps[i], g, by);
}

/* Is nothing but the last level written? */
static bool check_levels(host_whole *w, int number) {
    st_stencil *s = w->s->sweeps[number]->stencil;
    const st_view *views = w->step->sweeps[number].views;
    for (size_t i = 0; i < s->naccesses; i++) {
        int32_t array = views[s->accesses[i].grid].array[0];
        s->accesses[i].level = level_of(s->accesses[i].level, w->arrays[array].buffers);
    }
    for (size_t g = 0; g < s->ngrids; g++) {
        st_array *a = &w->step->arrays[views[g].array[0]];
        int32_t *level = host_level_written(s, (int32_t)g);
        int buffers = w->arrays[views[g].array[0]].buffers;
        if (level && level_of(*level, buffers) != buffers - 1)
            w->why_buffers = "two buffers of an array are written; set cells at its ends in "
                             "the buffer that the step makes";
        if (level && level_of(*level, buffers) != buffers - 1 && s->flat == 0)
            return host_whole_refuse(w, w->why_buffers);
        if (level)
            *level = level_of(*level, buffers);
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

/* A step that computes u[t+1] of u[t] and u[t-1] reads both of two buffers, also the one that it
 * then writes. With three buffers it writes the third one. */

/* Does the sweep write the last level? */
static bool writes_array(const host_whole *w, int number, size_t array) {
    const st_sweep *x = &w->step->sweeps[number];
    for (size_t g = 0; g < x->stencil->ngrids; g++) {
        const int32_t *level = host_level_written(w->s->sweeps[number]->stencil, (int32_t)g);
        if (x->views[g].array[0] == (int32_t)array && level &&
            *level == w->arrays[array].buffers - 1)
            return true;
    }
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

/* The array becomes the newer level alone; a new one is the older level, which is overwritten, or
 * of three buffers swapped. */
static bool part_buffers(host_whole *w, size_t array) {
    if (w->step->narrays == ST_MAX_ARRAYS)
        return host_whole_refuse(w, "the step has too many arrays");
    char name[32];
    snprintf(name, sizeof name, "%.20s older", w->step->arrays[array].name);
    int32_t older = st_step_add_array(w->step, name, w->step->arrays[array].type);
    st_array *x = &w->step->arrays[array], *y = &w->step->arrays[older];
    y->broadcast = x->broadcast;
    y->written = true;
    y->swapped = w->arrays[array].buffers == 3;
    x->written = x->swapped = false;
    x->becomes = older;
    y->becomes = (int32_t)array;
    for (size_t i = 0; i < w->step->nsweeps; i++)
        for (size_t g = 0; g < w->step->sweeps[i].stencil->ngrids; g++)
            if (w->step->sweeps[i].views[g].array[0] == (int32_t)array) {
                int32_t *levels = w->step->sweeps[i].views[g].array;
                levels[y->swapped ? 0 : 1] = levels[2] = older;
            }
    return true;
}

bool host_part_arrays(host_whole *w) {
    size_t count = w->step->narrays;
    for (size_t i = 0; i < count; i++)
        if (w->step->arrays[i].swapped && w->step->arrays[i].written &&
            (w->arrays[i].buffers == 3 || reads_older(w, i)) && !part_buffers(w, i))
            return false;
    return true;
}

/* Levels and origins, which host_turn_buffers changes */

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
                           calloc(ST_MAX_BUFFERS * s->ngrids, sizeof *k.origins)};
    for (size_t i = 0; i < count_levels(s); i++)
        k.levels[i] = *level_number(s, i);
    for (size_t i = 0; i < ST_MAX_BUFFERS * s->ngrids; i++)
        k.origins[i] = r->grids[i / ST_MAX_BUFFERS].origin[i % ST_MAX_BUFFERS];
    return k;
}

void host_put_back_buffers(host_region *r, const host_kept_buffers *k) {
    for (size_t i = 0; i < count_levels(r->stencil); i++)
        *level_number(r->stencil, i) = k->levels[i];
    for (size_t i = 0; i < ST_MAX_BUFFERS * r->stencil->ngrids; i++)
        r->grids[i / ST_MAX_BUFFERS].origin[i % ST_MAX_BUFFERS] = k->origins[i];
}
