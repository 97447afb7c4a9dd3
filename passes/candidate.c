/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Looks at one nest of loops and the time loop around it, in the ways of the table `ways`, until it
 * can be offloaded. A way is a preparation (prepare/prepare.h) and a form that is tried afterwards:
 * the nest with its time loop, all sweeps of the time loop, or the nest by itself.
 */
#include "detect/host/steps/whole.h"
#include "offload/place.h"
#include "offloading.h"

#include <stdlib.h>
#include <string.h>

typedef struct candidate {
    offload *o;
    br_loop loop; /* the innermost one of the nest */
    br_loop time; /* the loop around the nest that may be a time loop; or NULL */
    /* The loop that is prepared: the time loop if there is one, otherwise the nest's outermost. */
    br_loop outer;
    host_region *nest;     /* the nest before any preparation */
    prep_change change;    /* the preparation in hand */
    host_region *prepared; /* the nest after this preparation, or NULL */
    host_steps *steps;     /* the sweeps of the time loop from the last look, or NULL */
    unsigned tried;        /* the preparations that were tried: a bit for each */
    bool gaps;             /* once loads were taken out, the nest or a sweep of its time loop was
                            * refused for gaps between elements */
} candidate;

static br_loop outermost(br_loop l) {
    while (br_loop_parent(l))
        l = br_loop_parent(l);
    return l;
}

static bool is_timed(const host_region *r) {
    return r && r->stencil && r->stencil->timed;
}

static candidate begin(offload *o, br_loop l, host_region *nest) {
    candidate c = {.o = o, .loop = l, .nest = nest};
    c.time = is_timed(nest) ? NULL : host_time_loop(o->f, l);
    c.outer = c.time ? c.time : outermost(l);
    return c;
}

static void take_back(candidate *c) {
    prep_take_back(&c->change);
    host_region_destroy(c->prepared);
    c->prepared = NULL;
}

static void end(candidate *c) {
    take_back(c);
    host_steps_destroy(c->steps);
    region_release(c->o);
}

/* Offloading */

/* Can the values that were taken out of the loops be loaded in front of these sweeps? */
static bool can_place(const candidate *c, host_region *const *sweeps, size_t count) {
    return !c->change.hoists || place_hoists(c->change.hoists, sweeps, count);
}

/* Offloads one sweep, with or without the time loop around it. */
static bool offload_nest(candidate *c, host_region *r) {
    return r->stencil && can_place(c, &r, 1) && region_offload(c->o, &r, 1);
}

/* Offloads all sweeps of the time loop. If that fails, the notes have the reason. */
static bool offload_steps_as(candidate *c, unsigned also) {
    offload_notes *n = &c->o->notes;
    host_steps_destroy(c->steps);
    host_steps *s = c->steps = host_detect_step(c->o->f, c->o->function, c->time, c->o->math, also);
    n->why.reason = ST_OK;
    if (!s)
        return false;
    s->loads = c->change.hoists;
    s->loaded_from = s->loads ? prep_loaded_from : NULL;
    bool found = s->reason == ST_OK;
    if (found && can_place(c, s->sweeps, (size_t)s->count) &&
        region_offload(c->o, s->sweeps, (size_t)s->count))
        return true;
    n->hopeless = prep_stays_refused(s->cause) ? br_loop_header(c->time) : NULL;
    if (found)
        st_refuse(&n->why, s->sweeps[0]->reason, s->sweeps[0]->detail);
    else
        st_refuse(&n->why, s->reason, s->detail);
    return false;
}

static bool offload_steps(candidate *c) {
    return offload_steps_as(c, sequence_is_beside(c->time) ? HOST_BESIDE : 0);
}

/* The nest runs without its time loop. Records why: the reason for which the loop's sweeps do not
 * run together. */
static void take_reason(candidate *c) {
    const st_refusal *why = &c->o->notes.why;
    if (why->reason == ST_OK)
        return;
    c->nest->time_reason = why->reason;
    memcpy(c->nest->time_detail, why->detail, sizeof c->nest->time_detail);
}

/* Ways */

static bool is_whole(const candidate *c) {
    return is_timed(c->nest);
}

static bool is_part(const candidate *c) {
    return !is_timed(c->nest);
}

static bool is_alone(const candidate *c) {
    return is_part(c) && !c->o->whole_only;
}

static bool try_nest(candidate *c) {
    return offload_nest(c, c->nest);
}

/* Is it a sweep that only kernels of whole steps block in time? Then the time loop is looked at as
 * a step, even if it has one sweep. */
static bool needs_whole_steps(const candidate *c) {
    return is_timed(c->nest) && c->nest->time && st_needs_whole_steps(c->nest->stencil);
}

static bool try_whole_steps(candidate *c) {
    host_steps_destroy(c->steps);
    c->steps = host_detect_step(c->o->f, c->o->function, c->nest->time, c->o->math, 0);
    host_steps *s = c->steps;
    st_step *step = s && s->reason == ST_OK ? host_step_of_sweeps(s) : NULL;
    bool whole = step && !st_step_why_not_whole(step) && can_place(c, s->sweeps, (size_t)s->count);
    st_step_destroy(step);
    return whole && region_offload(c->o, s->sweeps, (size_t)s->count);
}

/* Is the nest, with a copy or another nest, perhaps a time loop that can be blocked? */
static bool may_be_pair(const candidate *c) {
    return is_part(c) && c->time && host_may_hold_pair(c->time);
}

static bool try_pair(candidate *c) {
    br_loop l = c->time, inner;
    /* The loop may contain a nest, and a copy beside it. */
    while (br_loop_children(l, &inner, 1) > 0)
        l = inner;
    c->prepared = host_detect(c->o->f, c->o->function, l, c->o->math);
    return is_timed(c->prepared) && offload_nest(c, c->prepared);
}

static void recall_apart(candidate *c) {
    apart_loops *a = &c->o->apart;
    if (!c->o->whole_only || !c->time || a->count == MAX_APART || sequence_apart(c->o, c->time))
        return;
    a->head[a->count] = br_loop_header(c->time);
    a->why[a->count++] = c->o->notes.why;
}

/* May the sweeps of the time loop be looked at now? Each of its nests leads here, but one look is
 * enough. */
static bool may_be_steps(const candidate *c) {
    return is_part(c) && c->time && c->o->notes.refused != br_loop_header(c->time) &&
           !sequence_apart(c->o, c->time);
}

static void note_steps(candidate *c) {
    if (is_whole(c) || !c->time)
        return;
    c->o->notes.refused = br_loop_header(c->time);
    const st_refusal *apart = sequence_apart(c->o, c->time);
    if (apart)
        c->o->notes.why = *apart;
    take_reason(c);
}

static bool may_help_without_loads(const candidate *c) {
    const offload_notes *n = &c->o->notes;
    LLVMBasicBlockRef head = br_loop_header(c->outer);
    if (is_whole(c) || n->kept == head || (!c->time && c->nest->stencil))
        return false;
    return !prep_stays_refused(c->nest->reason) || (c->time && n->hopeless != head);
}

static bool try_nest_or_steps(candidate *c) {
    c->prepared = host_detect(c->o->f, c->o->function, c->loop, c->o->math);
    bool part = is_timed(c->prepared) || !c->o->whole_only;
    bool steps = c->time && !sequence_apart(c->o, c->time);
    return (part && offload_nest(c, c->prepared)) || (steps && offload_steps(c));
}

static bool was_tried(const candidate *c, prep_id id) {
    return c->tried >> id & 1;
}

/* Is the nest a loop over a column? Then its step is the length of a row. */
static bool is_column(const candidate *c) {
    return c->time && br_loop_parent(c->loop) == c->time && prep_walks_columns(c->o->f, c->loop);
}

static bool has_gaps(const candidate *c) {
    return c->gaps && !is_column(c);
}

static bool has_column(const candidate *c) {
    return c->gaps && is_column(c);
}

static void note_refused_gaps(candidate *c) {
    bool has = prep_is_for_gaps((c->prepared ? c->prepared : c->nest)->reason);
    for (int k = 0; c->steps && k < c->steps->count; k++)
        has |= prep_is_for_gaps(c->steps->sweeps[k]->reason);
    c->gaps |= was_tried(c, PREP_LOADS) && has;
}

/* Do gaps between elements remain after all preparations? Then each row of cells along x may count
 * as one cell. */
static bool may_be_apart(const candidate *c) {
    return c->time && c->gaps && !sequence_apart(c->o, c->time);
}

static bool try_apart(candidate *c) {
    return offload_steps_as(c, HOST_APART | (sequence_is_beside(c->time) ? HOST_BESIDE : 0));
}

static void note_gaps(candidate *c) {
    if (!was_tried(c, PREP_LOADS))
        return;
    if (c->prepared && c->change.id == PREP_UNITS && prep_is_for_gaps(c->nest->reason))
        host_refuse(c->nest, c->prepared->reason, c->prepared->detail);
    c->o->notes.kept = br_loop_header(c->outer);
    if (c->change.hoists && c->time)
        take_reason(c);
}

/* Is the time loop also left where its sweeps do not run, as where LLVM made ways of their own for
 * n < 3, or where a check ends the program? */
static bool may_be_left(const candidate *c) {
    return is_part(c) && c->time && !br_loop_exiting_block(c->time) &&
           !sequence_apart(c->o, c->time);
}

static bool try_left(candidate *c) {
    return offload_steps_as(c, HOST_LEFT | (sequence_is_beside(c->time) ? HOST_BESIDE : 0));
}

typedef struct way {
    prep_id preparation;
    bool (*applies)(const candidate *c);
    bool (*offload)(candidate *c);
    void (*note)(candidate *c); /* notes what is known after this way failed; or NULL */
} way;

static const way ways[] = {
    {PREP_NONE, needs_whole_steps, try_whole_steps, NULL},
    {PREP_NONE, is_whole, try_nest, NULL},
    {PREP_SHAPES, may_be_pair, try_pair, take_back},
    {PREP_NONE, may_be_steps, offload_steps, note_steps},
    {PREP_LOADS, may_help_without_loads, try_nest_or_steps, NULL},
    {PREP_UNITS, has_gaps, try_nest_or_steps, note_gaps},
    {PREP_NONE, may_be_apart, try_apart, NULL},
    {PREP_LOADS, may_be_apart, try_apart, NULL},
    {PREP_UNITS, has_column, try_nest_or_steps, note_gaps},
    {PREP_NONE, may_be_left, try_left, NULL},
    {PREP_LOADS, may_be_left, try_left, NULL},
    {PREP_NONE, is_alone, try_nest, NULL},
};

static bool try_way(candidate *c, const way *w) {
    offload *o = c->o;
    if (!w->applies(c))
        return false;
    c->tried |= 1u << w->preparation;
    take_back(c);
    bool done = prep_apply(&c->change, w->preparation, o->f, o->function, c->outer, &o->touched) &&
                w->offload(c);
    note_refused_gaps(c);
    return done;
}

static bool offload_somehow(candidate *c) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (try_way(c, &ways[i])) {
            if (!c->o->probe)
                prep_finish(&c->change);
            return true;
        }
        if (ways[i].note)
            ways[i].note(c);
    }
    return false;
}

/* Candidates */

/* The reason to tell of a nest that only a step may have, be it one around which a loop was put:
 * why it is no such step. */
static void take_step_reason(candidate *c) {
    st_reason reason = c->nest->reason;
    bool open = reason == ST_NO_SEVERAL_STORES || reason == ST_NO_NO_STORE;
    if (!open || !c->time || !br_loop_latch(c->time) || !pass_is_once(c->time))
        return;
    const host_region *only = c->steps && c->steps->count == 1 ? c->steps->sweeps[0] : NULL;
    const st_refusal *why = &c->o->notes.why;
    if (only && only->why.reason != ST_OK)
        why = &only->why;
    if (why->reason != ST_OK)
        st_refuse(&c->nest->why, why->reason, why->detail);
}

static void recall_alone(offload *o) {
    if (o->nalone > 0 && o->alone[o->nalone - 1] == o->function)
        return;
    o->alone = realloc(o->alone, (o->nalone + 1) * sizeof(LLVMValueRef));
    o->alone[o->nalone++] = o->function;
}

static void finish_done(candidate *c) {
    if (c->o->probe)
        return;
    told_done(c->o, c->nest);
    if (!c->o->region.sweeps[0]->stencil->timed)
        recall_alone(c->o);
    c->o->number++;
}

/* Offloads a loop around the nest whose iterations allocate and free memory. Memory for all
 * iterations replaces it. False if there is no such loop, or if that fails; *seen is then the nest
 * as it was seen, or NULL. */
static bool offload_with_memory(offload *o, br_loop l, host_region **seen) {
    bool done = false;
    *seen = NULL;
    for (o->outer = l; o->outer && !done; o->outer = br_loop_parent(o->outer)) {
        if (!prep_apply(&o->memory, PREP_TEMPORARIES, o->f, o->function, o->outer, &o->touched))
            continue;
        candidate c = begin(o, l, host_detect(o->f, o->function, l, o->math));
        done = offload_somehow(&c);
        if (done && !o->probe) {
            prep_finish(&o->memory);
            finish_done(&c);
        } else {
            prep_take_back(&o->memory);
        }
        end(&c);
        host_region_destroy(*seen);
        *seen = c.nest;
    }
    return done;
}

bool candidate_offload(offload *o, br_loop l) {
    host_region *seen;
    bool done = offload_with_memory(o, l, &seen);
    if (!done) {
        candidate c = begin(o, l, seen_detect(o, l));
        done = offload_somehow(&c);
        if (seen && seen->stencil && !is_timed(c.nest)) {
            c.nest->time_reason = seen->time_reason;
            memcpy(c.nest->time_detail, seen->time_detail, sizeof seen->time_detail);
        }
        if (done)
            finish_done(&c);
        else if (o->probes_twin)
            team_note(o, c.nest);
        else if (!o->probe && o->whole_only)
            recall_apart(&c);
        else if (!o->probe) {
            take_step_reason(&c);
            told_missed(o, c.nest, l);
        }
        end(&c);
        host_region_destroy(c.nest);
    }
    host_region_destroy(seen);
    return done;
}

/* Shadows */

candidate_own candidate_enter_shadow(offload *o, const prep_shadow *shadow) {
    candidate_own own = {o->f, o->function, o->touched};
    o->f = shadow->f;
    o->function = shadow->function;
    return own;
}

void candidate_leave_shadow(offload *o, const candidate_own *own) {
    o->f = own->f;
    o->function = own->function;
    o->touched = own->touched;
    o->notes = (offload_notes){.refused = NULL};
}
