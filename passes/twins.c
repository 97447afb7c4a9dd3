/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP: twins of the loops and forks of a function, in which one thread runs the bodies of
 * parallel regions (prepare/team.h). A loop gets one if it would be offloaded there as a time loop;
 * outer loops first. Then so does each fork that is in none, whatever comes of it.
 */
#include "offloading.h"
#include "prepare/team.h"
#include "prepare/whole.h"
#include "remark.h"

#include <stdlib.h>

enum { MAX_TRIES = 16, MAX_FORKS = 64 };

static bool can_run_alone(LLVMValueRef fork) {
    char detail[HOST_DETAIL];
    LLVMValueRef body = prep_fork_body(fork);
    return body && !team_is_left(fork) && !prep_needs_team(body, detail, sizeof detail);
}

/* Is there a fork in the loop, and can one thread run all of them? */
static bool may_have_twin(const offload *o, br_loop l) {
    bool any = false;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(o->function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!prep_is_fork(i) || !br_loop_contains(l, b))
                continue;
            if (!can_run_alone(i))
                return false;
            any = true;
        }
    return any;
}

/* Would something in a twin be offloaded? */
static bool would_offload(offload *o) {
    size_t count = br_loops(o->f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    bool good = false;
    o->probe = LLVMGetEntryBasicBlock(o->function);
    o->probes_twin = true;
    count = host_candidates(o->f, loops, count);
    for (size_t i = 0; i < count && !good; i++)
        if (team_is_in_twin(o, loops[i]) && !offload_done(loops[i]))
            good = candidate_offload(o, loops[i]);
    o->probes_twin = false;
    o->probe = NULL;
    free(loops);
    return good;
}

/* Likewise, in a shadow; if not, *why is the reason. */
static bool would_offload_in(offload *o, const prep_shadow *shadow, st_refusal *why) {
    br_function *f = o->f;
    LLVMValueRef function = o->function;
    bool touched = o->touched;
    o->f = shadow->f;
    o->function = shadow->function;
    o->notes = (offload_notes){.refused = NULL};
    if (prep_mend_counters(o->f))
        br_function_invalidate(o->f);
    bool good = would_offload(o);
    *why = o->notes.alone;
    o->f = f;
    o->function = function;
    o->touched = touched;
    o->notes = (offload_notes){.refused = NULL};
    return good;
}

static void note_apart(offload *o, LLVMBasicBlockRef head, const st_refusal *why) {
    apart_loops *a = &o->apart;
    if (a->count == MAX_APART || why->reason == ST_OK)
        return;
    a->head[a->count] = head;
    a->why[a->count++] = *why;
}

/* Twins of a function */

typedef struct twins {
    offload *o;
    LLVMBasicBlockRef tried[MAX_TRIES]; /* heads of loops that get no twin */
    int ntried, made;
} twins;

static void adopt(twins *t, prep_shadow *shadow) {
    apart_loops *a = &t->o->apart;
    for (int i = 0; i < a->count; i++)
        a->head[i] = br_function_copied(shadow->f, a->head[i]);
    for (int i = 0; i < t->ntried; i++)
        t->tried[i] = br_function_copied(shadow->f, t->tried[i]);
    prep_adopt_shadow(shadow, t->o->f);
    t->o->touched = true;
    t->made++;
}

/* Gives the loop a twin if something would be offloaded there. */
static bool try_loop(twins *t, br_loop l) {
    prep_shadow shadow;
    st_refusal why = {.reason = ST_OK};
    prep_alone of = {.head = br_loop_header(l)};
    t->tried[t->ntried++] = of.head;
    if (!prep_run_alone(&shadow, t->o->f, &of))
        return false;
    bool good = would_offload_in(t->o, &shadow, &why);
    if (good)
        adopt(t, &shadow);
    else
        note_apart(t->o, of.head, &why);
    prep_drop_shadow(&shadow);
    return good;
}

static bool was_tried(const twins *t, br_loop l) {
    bool tried = t->ntried == MAX_TRIES;
    for (int i = 0; i < t->ntried && !tried; i++)
        tried = t->tried[i] == br_loop_header(l);
    return tried;
}

/* One more loop with a twin, those that contain others first. */
static bool add_loop(twins *t) {
    offload *o = t->o;
    size_t count = br_loops(o->f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    bool added = false;
    br_loops(o->f, loops, count);
    for (size_t i = 0; i < count && !added; i++)
        if (!was_tried(t, loops[i]) && !team_has_twin(o, br_loop_header(loops[i])) &&
            may_have_twin(o, loops[i]))
            added = try_loop(t, loops[i]);
    free(loops);
    return added;
}

/* One more fork with a twin, whatever comes of it: remarks tell. */
static bool add_fork(twins *t) {
    offload *o = t->o;
    prep_alone of = {.fork = -1};
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(o->function);
    for (; b && t->made < MAX_FORKS; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            prep_shadow shadow;
            of.fork += prep_is_fork(i);
            if (!prep_is_fork(i) || !can_run_alone(i) || !br_may_loop(prep_fork_body(i)) ||
                team_has_twin(o, b) || !prep_run_alone(&shadow, o->f, &of))
                continue;
            adopt(t, &shadow);
            prep_drop_shadow(&shadow);
            return true;
        }
    return false;
}

void twins_open(offload *o) {
    twins t = {.o = o};
    if (!prep_forks(o->function))
        return;
    while (add_loop(&t))
        ;
    while (add_fork(&t))
        ;
}

/* Bodies */

void twins_tell_body(offload *o) {
    char detail[HOST_DETAIL];
    if (!prep_needs_team(o->function, detail, sizeof detail))
        return;
    size_t count = br_loops(o->f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    count = host_candidates(o->f, loops, count);
    for (size_t i = 0; i < count; i++) {
        pass_remark out = {0};
        remark_text(&out, "loop nest not offloaded: ");
        remark_reason(&out, ST_NO_OPENMP, detail);
        remark_send(&out, o->f, loops[i], BR_MISSED, st_reason_name(ST_NO_OPENMP), ST_NO_OPENMP);
    }
    free(loops);
}
