/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP: makes twins of a function's loops and forks. In a twin, one thread runs the bodies of
 * parallel regions (prepare/team.h). A loop gets a twin if it would be offloaded there as a time
 * loop; outer loops come first. Then each fork that is in no twin gets one, whether or not it will
 * be offloaded.
 */
#include "offloading.h"
#include "prepare/between.h"
#include "prepare/checks.h"
#include "prepare/colours.h"
#include "prepare/masks.h"
#include "prepare/pieces.h"
#include "prepare/sequence.h"
#include "prepare/spans.h"
#include "prepare/team.h"
#include "prepare/tiles.h"
#include "prepare/whole.h"
#include "remark.h"

#include <stdlib.h>

enum { MAX_TRIES = 16, MAX_FORKS = 64 };

static const char not_followed[] = "is entered in a way, or with variables, that are not followed";

/* Can one thread run the body of the fork? If not, *why has the reason. */
static bool can_run_alone(const offload *o, LLVMValueRef fork, st_refusal *why) {
    char detail[HOST_DETAIL];
    LLVMValueRef body = prep_fork_body(fork);
    if (!body || team_is_left(fork))
        return st_refuse(why, ST_NO_OPENMP, not_followed);
    return !prep_needs_team(o->f, body, detail, sizeof detail) ||
           st_refuse(why, ST_NO_OPENMP, detail);
}

/* Can one thread run the bodies of all forks in the loop? */
static bool may_have_twin(const offload *o, br_loop l, st_refusal *why) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(o->function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (prep_is_fork(i) && br_loop_contains(l, b) && !can_run_alone(o, i, why))
                return false;
    return true;
}

/* Would a nest in a twin be offloaded? Or all nests as a sequence, in that of loops that have the
 * block `rest`, if not NULL? */
static bool would_offload(offload *o, LLVMBasicBlockRef rest) {
    size_t count = br_loops(o->f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    bool good = false;
    o->probe = LLVMGetEntryBasicBlock(o->function);
    o->probes_twin = true;
    count = host_candidates(o->f, loops, count);
    for (size_t i = 0; i < count && !good; i++)
        if (team_is_in_twin(o, loops[i]) && !offload_done(loops[i]))
            good = candidate_offload(o, loops[i]);
    good = good || (rest && sequence_takes_twin(o, rest));
    o->probes_twin = false;
    o->probe = NULL;
    free(loops);
    return good;
}

/* Would a nest in a twin of this shadow be offloaded? If not, *why has the reason. */
static bool would_offload_in(offload *o, const prep_shadow *shadow, LLVMBasicBlockRef rest,
                             st_refusal *why) {
    candidate_own own = candidate_enter_shadow(o, shadow);
    o->notes = (offload_notes){.refused = NULL};
    if (prep_mend_counters(o->f))
        br_function_invalidate(o->f);
    bool good = would_offload(o, rest);
    *why = o->notes.alone;
    candidate_leave_shadow(o, &own);
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
    LLVMValueRef told[MAX_FORKS];       /* bodies of forks that get no twin */
    int ntried, ntold, made;
    /* What twins are of, other than loops with forks: loops over cells of one colour, which go over
     * all cells in the twin, or over rows apart; loops over tiles, or over a part of an array. */
    enum { FORKS, MASKS, COLOURS, TILES, SPANS } of;
    LLVMBasicBlockRef good[MAX_TRIES]; /* heads of loops that need no twin for their colours */
    int ngood;
} twins;

static void adopt(twins *t, prep_shadow *shadow) {
    apart_loops *a = &t->o->apart;
    for (int i = 0; i < a->count; i++)
        a->head[i] = br_function_copied(shadow->f, a->head[i]);
    for (int i = 0; i < t->ntried; i++)
        t->tried[i] = br_function_copied(shadow->f, t->tried[i]);
    for (int i = 0; i < t->ngood; i++)
        t->good[i] = br_function_copied(shadow->f, t->good[i]);
    prep_adopt_shadow(shadow, t->o->f);
    t->o->touched = true;
    t->made++;
}

static bool make_twin(twins *t, prep_shadow *shadow, const prep_alone *of) {
    switch (t->of) {
    case MASKS:
        return prep_run_masked(shadow, t->o->f, of);
    case COLOURS:
        return prep_run_coloured(shadow, t->o->f, of);
    case TILES:
        return prep_run_tiled(shadow, t->o->f, of);
    case SPANS:
        return prep_run_spanned(shadow, t->o->f, of);
    default:
        return prep_run_teams(shadow, t->o->f, of);
    }
}

/* Are the loop's nests refused for how they find their elements, whatever is prepared? */
static bool stays_refused(const offload *o, br_loop l) {
    size_t count = br_loops(o->f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    bool refused = true;
    count = host_candidates(o->f, loops, count);
    for (size_t i = 0; i < count && refused; i++) {
        if (!br_loop_contains(l, br_loop_header(loops[i])))
            continue;
        host_region *r = host_detect(o->f, o->function, loops[i], o->math);
        refused = r->reason == ST_NO_NOT_AFFINE || r->reason == ST_NO_BOUNDARY ||
                  r->reason == ST_NO_NO_TRIP_COUNT;
        host_region_destroy(r);
    }
    free(loops);
    return refused;
}

/* Nothing more is said of the loop that has a twin. */
static void leave_to_twin(const prep_shadow *shadow, LLVMBasicBlockRef head) {
    br_loop own = prep_loop_at(shadow->f, br_function_copied(shadow->f, head));
    if (own && br_loop_latch(own))
        prep_set_guarded(own);
}

typedef bool run_twin(prep_shadow *shadow, br_function *f, const prep_alone *of);

/* Would a nest be offloaded in a twin of the loop that is made so? With `adopts` the loop then gets
 * it. */
static bool would_gain(twins *t, const prep_alone *of, run_twin *run, bool adopts) {
    prep_shadow shadow;
    st_refusal ignored;
    bool made = run(&shadow, t->o->f, of);
    bool good = made && would_offload_in(t->o, &shadow, NULL, &ignored);
    if (good && adopts)
        adopt(t, &shadow);
    if (made)
        prep_drop_shadow(&shadow);
    return good;
}

/* Is the loop, or one around it, taken with its colours as it is? */
static bool is_in_good(const twins *t, br_loop l) {
    bool in = false;
    for (int i = 0; i < t->ngood && !in; i++) {
        br_loop good = prep_loop_at(t->o->f, t->good[i]);
        in = good && br_loop_contains(good, br_loop_header(l));
    }
    return in;
}

/* Does the loop need a twin, if it can have one? One over a part of an array, or with nests over
 * cells of one colour, may be offloaded as it is. */
static bool needs_twin(twins *t, br_loop l, const prep_alone *of) {
    if ((t->of == MASKS || t->of == COLOURS) && is_in_good(t, l))
        return false;
    bool good = (t->of == SPANS || t->of == MASKS) && would_gain(t, of, prep_run_alone, false);
    if (good && t->of == MASKS && t->ngood < MAX_TRIES)
        t->good[t->ngood++] = of->head;
    return !good;
}

/* Would a twin of the piece with this head, in the shadow, be offloaded? */
static bool would_take_piece(twins *t, const prep_shadow *cut, LLVMBasicBlockRef piece) {
    prep_shadow twin;
    st_refusal ignored;
    prep_alone of = {.head = piece};
    candidate_own own = candidate_enter_shadow(t->o, cut);
    bool made = prep_run_teams(&twin, t->o->f, &of);
    bool good = made && would_offload_in(t->o, &twin, NULL, &ignored);
    if (made)
        prep_drop_shadow(&twin);
    candidate_leave_shadow(t->o, &own);
    return good;
}

/* Cuts a time loop with forks and outputs into pieces, if these can have twins. */
static bool cut_loop(twins *t, LLVMBasicBlockRef head) {
    LLVMBasicBlockRef (*cuts[])(prep_shadow *, LLVMBasicBlockRef) = {prep_cut_pieces, prep_cut_rare,
                                                                     prep_cut_between};
    bool good = false;
    for (int k = 0; k < 3 && !good; k++) {
        prep_shadow shadow;
        if (!prep_make_shadow(&shadow, t->o->f))
            return false;
        LLVMBasicBlockRef piece = cuts[k](&shadow, br_function_copied(shadow.f, head));
        good = piece && would_take_piece(t, &shadow, piece);
        if (good)
            adopt(t, &shadow);
        prep_drop_shadow(&shadow);
    }
    return good;
}

/* Gives the loop a twin if a nest would be offloaded there. */
static bool try_loop(twins *t, br_loop l) {
    prep_shadow shadow;
    st_refusal why = {.reason = ST_OK};
    prep_alone of = {.head = br_loop_header(l)};
    t->tried[t->ntried++] = of.head;
    bool may = may_have_twin(t->o, l, &why) && needs_twin(t, l, &of);
    bool forks = t->of == FORKS;
    if (may && forks && would_gain(t, &of, prep_run_masked, true)) /* of cells of one colour */
        return true;
    bool made = may && make_twin(t, &shadow, &of);
    LLVMBasicBlockRef rest =
        made && t->of == COLOURS ? br_function_copied(shadow.f, of.head) : NULL;
    bool good = made && would_offload_in(t->o, &shadow, rest, &why);
    if (good && (t->of == MASKS || t->of == COLOURS || (t->of == SPANS && stays_refused(t->o, l))))
        leave_to_twin(&shadow, of.head);
    if (may && !made && forks)
        st_refuse(&why, ST_NO_OPENMP, not_followed);
    if (!good && may && forks) {
        if (made)
            prep_drop_shadow(&shadow);
        made = false;
        if (cut_loop(t, of.head))
            return true;
    }
    if (good)
        adopt(t, &shadow);
    else if (forks || (made && t->of == COLOURS && /* no region of OpenMP does more */
                       why.reason != ST_NO_OPENMP_MORE))
        note_apart(t->o, of.head, &why);
    if (made)
        prep_drop_shadow(&shadow);
    return good;
}

static bool was_tried(const twins *t, br_loop l) {
    bool tried = t->ntried == MAX_TRIES;
    for (int i = 0; i < t->ntried && !tried; i++)
        tried = t->tried[i] == br_loop_header(l);
    return tried;
}

static bool may_need(const twins *t, br_loop l) {
    switch (t->of) {
    case MASKS:
        return prep_has_colours(t->o->f, l) || prep_loop_has_rows(t->o->f, l) ||
               prep_mark_rounds(t->o->f, l, false);
    case COLOURS:
        return prep_has_colours(t->o->f, l) || prep_mark_rounds(t->o->f, l, false);
    case TILES:
        return prep_has_tiles(t->o->f, l);
    case SPANS:
        return prep_has_span(t->o->f, l);
    default:
        return team_has_forks(t->o, l);
    }
}

/* Gives a twin to one more loop. Outer loops come first. */
static bool add_loop(twins *t) {
    offload *o = t->o;
    size_t count = br_loops(o->f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    bool added = false;
    br_loops(o->f, loops, count);
    for (size_t i = 0; i < count && !added; i++)
        if (!was_tried(t, loops[i]) && !team_has_twin(o, br_loop_header(loops[i])) &&
            may_need(t, loops[i]))
            added = try_loop(t, loops[i]);
    free(loops);
    return added;
}

/* Sends remarks at all nests of a parallel region. */
static void tell_loops(br_function *f, const char *does) {
    size_t count = br_loops(f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    count = host_candidates(f, loops, count);
    for (size_t i = 0; i < count; i++) {
        pass_remark out = {0};
        remark_text(&out, "loop nest not offloaded: ");
        remark_reason(&out, ST_NO_OPENMP, does);
        remark_send(&out, f, loops[i], BR_MISSED, st_reason_name(ST_NO_OPENMP), ST_NO_OPENMP);
    }
    free(loops);
}

static bool was_told(const twins *t, LLVMValueRef body) {
    bool told = t->ntold == MAX_FORKS;
    for (int i = 0; i < t->ntold && !told; i++)
        told = t->told[i] == body;
    return told;
}

/* Would nothing be offloaded in the twin as it is, and goes a loop there over a part of an array?
 * Then the shadow is dropped. */
static bool needs_ends(twins *t, prep_shadow *shadow) {
    st_refusal ignored;
    bool needs = prep_twin_has_span(shadow) && !would_offload_in(t->o, shadow, NULL, &ignored);
    if (needs)
        prep_drop_shadow(shadow);
    return needs;
}

static bool try_fork(twins *t, LLVMValueRef body, const prep_alone *of) {
    prep_shadow shadow;
    if (prep_run_alone(&shadow, t->o->f, of) && needs_ends(t, &shadow) &&
        !prep_run_spanned(&shadow, t->o->f, of))
        prep_run_alone(&shadow, t->o->f, of);
    if (shadow.f) {
        adopt(t, &shadow);
        prep_drop_shadow(&shadow);
        return true;
    }
    br_function *f = br_function_open_other(t->o->f, body);
    tell_loops(f, not_followed);
    br_function_close(f);
    t->told[t->ntold++] = body;
    return false;
}

/* Gives a twin to one more fork. Remarks tell what comes of it. */
static bool add_fork(twins *t) {
    prep_alone of = {.fork = -1};
    st_refusal ignored;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->o->function);
    for (; b && t->made < MAX_FORKS; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            of.fork += prep_is_fork(i);
            if (!prep_is_fork(i) || team_has_twin(t->o, b) || !can_run_alone(t->o, i, &ignored))
                continue;
            LLVMValueRef body = prep_fork_body(i);
            if (br_may_loop(body) && !was_told(t, body) && try_fork(t, body, &of))
                return true;
        }
    return false;
}

/* Gives twins to loops over cells of one colour, to those over tiles, and to those over a part of
 * an array. */
static void open_others(offload *o) {
    twins t = {.o = o};
    for (int of = MASKS; of <= SPANS; of++) {
        t.of = of;
        t.ntried = 0;
        while (add_loop(&t))
            ;
    }
}

void twins_open(offload *o) {
    twins t = {.o = o};
    if (!prep_forks(o->function)) {
        open_others(o);
        return;
    }
    while (add_loop(&t))
        ;
    while (add_fork(&t))
        ;
}

/* Bodies */

void twins_tell_body(offload *o) {
    char detail[HOST_DETAIL];
    if (prep_needs_team(o->f, o->function, detail, sizeof detail))
        tell_loops(o->f, detail);
}
