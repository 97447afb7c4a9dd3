/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From the sweeps of a time loop to the time step: the arrays (locate.c, buffers.c) and the sweeps'
 * domains (domains.c). What these files find is an assumption, which the runtime checks by
 * addresses and extents. So they compare values loosely (loose.h).
 */
#include "detect/host/steps/whole.h"

#include "detect/host/after.h"
#include "detect/host/steps/forms.h"
#include "detect/host/steps/parts.h"
#include "model/ghosts.h"

#include <stdio.h>
#include <stdlib.h>

/* What a step may not have */

static const char *why_not(const st_stencil *s) {
    for (size_t i = 0; i < s->ngrids; i++) {
        if (s->grids[i].buffers > 3)
            return "more than three buffers rotate";
    }
    for (size_t i = 0; i < s->ngrids; i++)
        if (s->grids[i].along && !host_is_trace(s, i))
            return "each step writes other elements of an array";
    return NULL;
}

static bool reduces(const host_steps *s) {
    bool any = false;
    for (int i = 0; i < s->count; i++)
        any |= s->sweeps[i]->nreductions > 0;
    return any;
}

/* Does a sweep add up floats in the order of the program? */
static bool adds_in_order(const host_steps *s) {
    bool any = false;
    for (int i = 0; i < s->count; i++)
        for (int k = 0; k < s->sweeps[i]->nreductions; k++)
            any |= s->sweeps[i]->reductions[k].op == ST_REDUCE_ORDERED;
    return any;
}

static bool check(host_whole *w) {
    const host_steps *s = w->s;
    if (s->count > ST_MAX_SWEEPS)
        return host_whole_refuse(w, "the step has too many sweeps");
    w->step->decides = reduces(s) && (s->stops || s->carried->behind);
    if (reduces(s) && s->carried->follows)
        return host_whole_refuse(
            w, "each step computes a number of all cells, and numbers that the next one uses");
    if (w->step->decides && adds_in_order(s))
        return host_whole_refuse(
            w, s->stops ? "each step decides by a sum of floating-point numbers, added in the "
                          "program's order, whether the loop goes on"
                        : "each step adds up floating-point numbers in the program's order, and "
                          "what is used behind the loop needs every step's sum");
    for (int i = 0; i < s->count; i++) {
        const char *why = why_not(s->sweeps[i]->stencil);
        if (why)
            return host_whole_refuse(w, why);
    }
    return true;
}

static bool find_whole(host_whole *w) {
    if (!check(w) || !host_find_common_extent(w) || !host_find_step_arrays(w) ||
        !host_find_written(w) || !host_find_domains(w) || !host_part_arrays(w))
        return false;
    st_step_split(w->step);
    const char *why = st_step_why_not_whole(w->step);
    w->why = why ? why : w->why_buffers;
    if (w->why && st_step_find_ghosts(w->step))
        w->why = NULL;
    return w->why == NULL;
}

/* Finds the arrays of the sweeps that have been added. */
static void find_arrays_of_step(host_whole *w) {
    host_kept_buffers *all = calloc((size_t)w->s->count, sizeof *all);
    for (int i = 0; i < w->s->count; i++)
        all[i] = host_keep_buffers(w->s->sweeps[i]);
    if (!find_whole(w)) {
        for (int i = 0; i < w->s->count; i++)
            host_put_back_buffers(w->s->sweeps[i], &all[i]);
        st_step_forget_arrays(w->step, w->why);
    }
    for (int i = 0; i < w->s->count; i++) {
        free(all[i].levels);
        free(all[i].origins);
    }
    free(all);
}

static st_step *step_of(host_region *const *sweeps, size_t count, int rank, const char *where) {
    st_step *step = st_step_create(rank);
    snprintf(step->where, sizeof step->where, "%s", where);
    for (size_t i = 0; i < count; i++)
        st_step_add_sweep(step, sweeps[i]->stencil);
    return step;
}

st_step *host_step_of_sweeps(const host_steps *s) {
    host_whole *w = calloc(1, sizeof *w);
    w->s = s;
    st_step *step = w->step = step_of(s->sweeps, (size_t)s->count, s->rank, s->where);
    find_arrays_of_step(w);
    free(w);
    return step;
}

static bool has_joined_cells(const host_steps *s) {
    bool any = false;
    for (int i = 0; i < s->count; i++)
        any |= s->sweeps[i]->axes == 0 && s->sweeps[i]->nalso > 0;
    return any;
}

static bool has_known_arrays(const host_steps *s) {
    st_step *step = s->reason == ST_OK ? host_step_of_sweeps(s) : NULL;
    bool known = step && !step->unknown;
    st_step_destroy(step);
    return known;
}

host_steps *host_detect_step(br_function *f, LLVMValueRef function, br_loop time, bool device_math,
                             unsigned also) {
    host_steps *s = host_detect_steps(f, function, time, device_math, also), *other = NULL;
    if (s && s->reason == ST_OK && has_joined_cells(s) && !has_known_arrays(s))
        other = host_detect_steps(f, function, time, device_math, also | HOST_CELLS);
    if (other && has_known_arrays(other)) {
        host_steps_destroy(s);
        return other;
    }
    host_steps_destroy(other);
    return s;
}

st_step *host_step_of(host_region *r) {
    if (r->steps)
        return host_step_of_sweeps(r->steps);
    st_step *step = step_of(&r, 1, r->stencil->rank, r->stencil->where);
    step->single = true;
    step->unknown = "the step is a single sweep";
    r->stencil->one_halo = r->copies_back; /* both buffers have that of the array copied to */
    return step;
}
