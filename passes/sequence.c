/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Puts loops of one iteration around sweeps that follow one another without a time loop. Together
 * they are then the one step of a time loop: see prepare/sequence.h. Also keeps the regions of
 * nests seen on the way.
 */
#include "offloading.h"
#include "prepare/checks.h"
#include "prepare/search.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_TRIES = 64 }; /* the most sequences of a function that are looked at */

host_region *seen_detect(offload *o, br_loop innermost) {
    seen_nests *seen = &o->seen;
    for (int i = 0; i < seen->count; i++)
        if (seen->innermost[i] == innermost) {
            host_region *found = seen->region[i];
            seen->region[i] = seen->region[--seen->count];
            seen->innermost[i] = seen->innermost[seen->count];
            return found;
        }
    return host_detect(o->f, o->function, innermost, o->math);
}

void seen_forget(offload *o) {
    while (o->seen.count > 0)
        host_region_destroy(o->seen.region[--o->seen.count]);
}

static void add_seen(seen_nests *seen, br_loop innermost, host_region *r) {
    if (seen->count == MAX_SEEN) {
        host_region_destroy(r);
        return;
    }
    seen->innermost[seen->count] = innermost;
    seen->region[seen->count++] = r;
}

/* Is it in a loop of one iteration that was put around it? */
static bool is_wrapped(br_loop l) {
    bool once = false;
    for (; l && !once; l = br_loop_parent(l))
        once = br_loop_latch(l) && pass_is_once(l);
    return once;
}

/* Can the nest become a region in a step of its own, though it is none by itself? In a step it may
 * have several stores, read cells under conditions, or such as it writes later, or compute a value
 * from all cells without storing any. */
static bool needs_step(st_reason reason) {
    return reason == ST_NO_SEVERAL_STORES || reason == ST_NO_CONDITIONAL_STORE ||
           reason == ST_NO_CONDITIONAL_LOAD || reason == ST_NO_LIVE_OUT ||
           reason == ST_NO_NO_STORE || reason == ST_NO_IN_PLACE;
}

/* Does a loop of the nest hold several loops? They may be sweeps of a step. */
static bool holds_several(br_loop nest, br_loop innermost) {
    br_loop inner[2], l = innermost;
    bool several = false;
    while (nest && l != nest && (l = br_loop_parent(l)))
        several |= br_loop_children(l, inner, 2) > 1;
    return several;
}

/* Are the elements that the nest writes apart in memory, whatever values the program has at run
 * time? Only a step of several sweeps can take each element as a row. */
static bool is_apart(const host_region *r, br_function *f) {
    return prep_is_for_gaps(r->reason) && r->store &&
           (r->reason == ST_NO_STEP ||
            prep_has_gaps(br_scev_of(f, LLVMGetOperand(r->store, !LLVMIsALoadInst(r->store)))));
}

/* Is the nest a loop over the cells of a column, whose rows have a length that is known at run time
 * only? */
static bool is_column(const host_region *r, br_function *f, br_loop innermost) {
    return prep_is_for_gaps(r->reason) && r->store && host_nest_around(f, innermost) == innermost &&
           prep_walks_of(f, innermost).rows;
}

/* Does the nest perhaps choose by its counters among the cells that it reads? */
static bool may_choose(const host_region *r) {
    return r->match.declined && (r->reason == ST_NO_BOUNDARY || r->reason == ST_NO_NOT_AFFINE);
}

static bool is_for_step(const host_region *r, br_function *f, br_loop innermost) {
    bool holds = r->reason == ST_NO_NOT_INNERMOST_STORE &&
                 holds_several(host_nest_around(f, innermost), innermost);
    return holds || needs_step(r->reason) || is_apart(r, f) || may_choose(r) ||
           is_column(r, f, innermost);
}

/* The outermost loop of the nest, if the nest is a region by itself, or may be one together with
 * others. Otherwise NULL. */
static br_loop nest_of(const host_region *r, br_function *f, br_loop innermost) {
    if (r->stencil)
        return r->time ? NULL : r->outer;
    bool may = r->reason == ST_NO_NOT_STENCIL || r->reason == ST_NO_HISTORY ||
               is_for_step(r, f, innermost);
    return may ? host_nest_around(f, innermost) : NULL;
}

/* Is the nest worth a step? A single loop over a row, in a loop over rows, is not worth a call for
 * each row. It is worth it if there are other loops beside it, and if the loop around them does not
 * step through the rows that it writes. */
static bool is_worth(br_function *f, br_loop nest, br_loop innermost) {
    br_loop around = nest ? br_loop_parent(nest) : NULL, children[2];
    if (!nest || nest != innermost || !around)
        return nest != NULL;
    return br_loop_children(around, children, 2) > 1 && host_time_loop(f, innermost) == around;
}

static void note_lone(offload *o, LLVMBasicBlockRef head, st_reason reason, const char *detail) {
    lone_nests *n = &o->lone;
    if (n->count == MAX_LONE)
        return;
    n->head[n->count] = head;
    st_refuse(&n->why[n->count++], reason, detail);
}

/* Notes that a nest was not tried as a step: ST_OK and a detail. */
static void note_untried(offload *o, LLVMBasicBlockRef head, const char *detail) {
    note_lone(o, head, ST_OK, detail);
}

/* Notes why a nest that can only be a step is not tried as one. Where it calls a function, perhaps
 * for an index, that is the cause. */
static void note_no_nest(offload *o, host_region *r, br_loop nest, br_loop innermost) {
    st_refusal was = r->why;
    bool calls = !nest && !host_check_calls(r, innermost);
    if (calls)
        note_lone(o, br_loop_header(innermost), r->reason, r->detail);
    r->why = was;
    if (calls)
        return;
    if (!nest)
        note_untried(
            o, br_loop_header(innermost),
            "what its first assignment writes is walked by no loop, or by more than three");
    else
        note_untried(
            o, br_loop_header(nest),
            "a row of cells in each iteration of the loop around it is not worth a call; make "
            "the loops directly nested");
}

/* Adds a nest in the order of the program, as far as control flow orders nests. */
static void add_nest(br_function *f, prep_nests *n, LLVMBasicBlockRef head, bool alone,
                     bool holds) {
    for (int k = 0; k < n->count; k++)
        if (n->head[k] == head) /* of which another innermost loop was looked at */
            return;
    int i = n->count++;
    for (; i > 0 && br_dominates(f, head, n->head[i - 1]); i--) {
        n->head[i] = n->head[i - 1];
        n->alone[i] = n->alone[i - 1];
        n->holds[i] = n->holds[i - 1];
    }
    n->head[i] = head;
    n->alone[i] = alone;
    n->holds[i] = holds;
}

static bool holds_loops(br_loop l) {
    br_loop inner;
    return br_loop_children(l, &inner, 1) > 0;
}

/* Is the nest a region by itself? */
static bool is_region_alone(const offload *o, const prep_shadow *in, br_loop nest) {
    br_loop inner = nest;
    while (br_loop_children(inner, &inner, 1) > 0)
        ;
    host_region *r = host_detect(in->f, in->function, inner, o->math);
    bool is = r->stencil && r->outer == nest;
    host_region_destroy(r);
    return is;
}

/* Finds the loops in a nest's outermost loop, if one of them is a nest. The outermost loop may walk
 * a dimension of the arrays, and yet its iterations depend on each other: u[t + 1][i][j] is
 * computed from u[t], a plane from the one below. The nests in it may be free of that. */
static bool find_inner(const offload *o, const prep_shadow *in, br_loop outer, prep_nests *n) {
    br_loop inner[PREP_MAX_NESTS];
    size_t count = outer ? br_loop_children(outer, inner, PREP_MAX_NESTS) : 0;
    bool any = false;
    n->count = 0;
    for (size_t i = 0; i < count && count <= PREP_MAX_NESTS; i++) {
        bool nest = holds_loops(inner[i]);
        add_nest(in->f, n, br_loop_header(inner[i]), nest && !is_region_alone(o, in, inner[i]),
                 false);
        any |= nest;
    }
    return any;
}

/* Is the nest none, as far as is known because iterations of its outermost loop depend on each
 * other, and does that loop hold nests? */
static bool may_hold(const host_region *r, br_loop nest) {
    br_loop inner[PREP_MAX_NESTS];
    bool may = r->reason == ST_NO_HISTORY || r->reason == ST_NO_IN_PLACE ||
               r->reason == ST_NO_SEVERAL_STORES || r->reason == ST_NO_NOT_INNERMOST_STORE;
    size_t count = nest && may ? br_loop_children(nest, inner, PREP_MAX_NESTS) : 0;
    bool any = false;
    for (size_t i = 0; i < count && count <= PREP_MAX_NESTS; i++)
        any |= holds_loops(inner[i]);
    return any;
}

/* Finds nests that may be sweeps of a step. o->seen gets the region of each nest. */
static void find_nests(offload *o, prep_nests *n) {
    size_t count = br_loops(o->f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    count = host_candidates(o->f, loops, count);
    for (size_t i = 0; i < count && n->count < PREP_MAX_NESTS; i++) {
        if (offload_done(loops[i]) || is_wrapped(loops[i]) || prep_is_guarded(loops[i]) ||
            prep_is_search(loops[i]))
            continue;
        host_region *r = host_detect(o->f, o->function, loops[i], o->math);
        br_loop nest = nest_of(r, o->f, loops[i]);
        if (is_worth(o->f, nest, loops[i]))
            add_nest(o->f, n, br_loop_header(nest), is_for_step(r, o->f, loops[i]),
                     may_hold(r, nest));
        else if (needs_step(r->reason))
            note_no_nest(o, r, nest, loops[i]);
        add_seen(&o->seen, loops[i], r);
    }
    free(loops);
}

/* Do two sweeps use one array? */
static bool shares(const host_steps *s) {
    size_t grids = 0;
    for (int i = 0; i < s->count; i++)
        grids += s->sweeps[i]->stencil->ngrids;
    return s->nbases < grids;
}

/* The number of nests before the one that is no sweep. If that one is not known, all but the last.
 */
static int good_nests(const host_steps *s, const prep_nests *n, int first, int nests) {
    for (int k = 0; k < nests; k++)
        if (s && s->bad && br_loop_header(s->bad) == n->head[first + k])
            return k;
    return nests - 1;
}

/* Does a loop in it, or the loop itself, hold several loops? */
static bool is_forked(br_loop l) {
    br_loop inner[2];
    size_t count = l ? br_loop_children(l, inner, 2) : 0;
    return count > 1 || (count == 1 && is_forked(inner[0]));
}

static void note_forked(offload *o, const host_steps *s, LLVMBasicBlockRef head) {
    char detail[ST_DETAIL];
    for (int i = 0; i < s->count; i++)
        if (s->sweeps[i]->why.reason == ST_NO_NOT_INNERMOST_STORE) {
            note_lone(o, head, ST_NO_NOT_INNERMOST_STORE, s->sweeps[i]->why.detail);
            return;
        }
    snprintf(detail, sizeof detail, "another loop: %.*s", (int)sizeof detail - 20, s->detail);
    note_lone(o, head, ST_NO_NOT_INNERMOST_STORE, detail);
}

/* Notes why a single nest is no step. */
static void note_step(offload *o, br_function *f, const host_steps *s, LLVMBasicBlockRef head) {
    const host_region *only = s && s->count == 1 ? s->sweeps[0] : NULL;
    bool own = only && only->why.reason != ST_OK;
    st_reason reason = own ? only->why.reason : s ? s->reason : ST_OK;
    if (reason == ST_NO_SWEEPS && is_forked(prep_loop_at(f, head))) {
        note_forked(o, s, head);
        return;
    }
    if (reason == ST_NO_SWEEPS)
        reason = !only || only->nalso > 0 ? ST_NO_SEVERAL_STORES
                 : only->measures         ? ST_NO_NO_STORE
                                          : ST_NO_NOT_STENCIL;
    if (reason != ST_OK)
        note_lone(o, head, reason, own ? only->why.detail : s->detail);
}

static bool is_whole(const host_steps *s, int nests) {
    return s && s->reason == ST_OK && (nests == 1 || shares(s));
}

/* Does the loop contain a loop that contains another one, not counting loops that were put around
 * nests? */
static bool holds_nest(br_loop l) {
    br_loop inner[PREP_MAX_NESTS];
    size_t count = br_loop_children(l, inner, PREP_MAX_NESTS);
    bool once = br_loop_latch(l) && pass_is_once(l), any = count > 0 && !once;
    for (size_t i = 0; i < count && i < PREP_MAX_NESTS && once; i++)
        any |= br_loop_children(inner[i], &l, 1) > 0;
    return any;
}

bool sequence_is_beside(br_loop once) {
    bool wrapped = br_loop_latch(once) && pass_is_once(once);
    br_loop around = wrapped ? br_loop_parent(once) : NULL, inner[PREP_MAX_NESTS];
    size_t count = around ? br_loop_children(around, inner, PREP_MAX_NESTS) : 0;
    bool any = false;
    for (size_t i = 0; i < count && i < PREP_MAX_NESTS; i++)
        any |= inner[i] != once && holds_nest(inner[i]);
    return any;
}

/* Detects the loop `once` around the nests as a step, after this preparation. NULL if the
 * preparation fails. */
static host_steps *detect_prepared(offload *o, const prep_shadow *in, br_loop once, prep_id id,
                                   unsigned also) {
    prep_change made;
    bool ignored = false; /* of a shadow */
    if (!prep_apply(&made, id, in->f, in->function, once, &ignored))
        return NULL;
    host_steps *s = host_detect_wrapped(in->f, in->function, once, o->math, also);
    prep_take_back(&made);
    return s;
}

static bool is_column_at(br_function *f, LLVMBasicBlockRef head) {
    br_loop l = prep_loop_at(f, head), inner;
    return l && br_loop_children(l, &inner, 1) == 0 && prep_walks_columns(f, l);
}

/* The nests before the first one that is a loop over a column. Such a loop is a region by itself:
 * where columns lie in an array cannot be told from their distance. */
static int before_column(br_function *f, const prep_nests *n, int first, int nests) {
    int k = 0;
    while (k < nests && !is_column_at(f, n->head[first + k]))
        k++;
    return k;
}

typedef struct prep_way {
    prep_id id;
    bool apart; /* each element is taken as a row */
} prep_way;

/* Tries preparations in the order that candidates have, too. First, loads of values that do not
 * change are taken out. If gaps between elements remain, run-time strides are assumed to be 1.
 * Last, each element is taken as a row. */
static host_steps *detect_step(offload *o, const prep_shadow *in, br_loop once, int nests,
                               bool column) {
    static const prep_way orders[2][5] = {{{PREP_NONE, false},
                                           {PREP_LOADS, false},
                                           {PREP_UNITS, false},
                                           {PREP_NONE, true},
                                           {PREP_LOADS, true}},
                                          {{PREP_NONE, false},
                                           {PREP_LOADS, false},
                                           {PREP_NONE, true},
                                           {PREP_LOADS, true},
                                           {PREP_UNITS, false}}};
    const prep_way *ways = orders[column];
    unsigned also = sequence_is_beside(once) ? HOST_BESIDE : 0, apart = also | HOST_APART;
    host_steps *s = NULL;
    bool gaps = false; /* in one of these ways */
    for (int i = 0; i < 5 && !is_whole(s, nests); i++) {
        gaps |= s && prep_is_for_gaps(s->cause);
        bool may = !s || (i == 1 ? !prep_stays_refused(s->cause) : gaps);
        host_steps *next =
            may ? detect_prepared(o, in, once, ways[i].id, ways[i].apart ? apart : also) : NULL;
        if (!next)
            continue;
        host_steps_destroy(s);
        s = next;
    }
    return s;
}

/* If these nests are a region together, returns their number. Otherwise the number of nests that
 * may be. */
static int is_region(offload *o, const prep_shadow *in, const prep_nests *n, int first, int nests,
                     br_loop once) {
    br_loop l = prep_loop_at(in->f, n->head[first]), child;
    while (l && br_loop_children(l, &child, 1))
        l = child;
    host_region *r = l ? host_detect(in->f, in->function, l, o->math) : NULL;
    bool good = r && r->stencil && r->time;
    host_region_destroy(r);
    if (good || !l)
        return good ? nests : 0;
    int before = before_column(in->f, n, first, nests);
    if (before < nests && nests > 1)
        return before > 0 ? before : n->alone[first];
    host_steps *s = detect_step(o, in, once, nests, before < nests);
    good = is_whole(s, nests);
    int some = good ? nests : good_nests(s, n, first, nests);
    if (some == 0 && nests > 1 && n->alone[first])
        /* Another nest than the first may be the one that was refused; the first can be tried
         * alone.
         */
        some = 1;
    if (!good && nests == 1)
        note_step(o, in->f, s, n->head[first]);
    host_steps_destroy(s);
    return some;
}

static void note_apart(offload *o, const prep_nests *n, int nest, const char *detail) {
    if (n->alone[nest])
        note_untried(o, n->head[nest], detail);
}

/* Puts a loop of one iteration around the longest sequence that starts with nest `first` and is a
 * region. Returns the number of nests in it, 0 if there is none. */
static int wrap_from(offload *o, const prep_shadow *in, const prep_nests *n, int first, int *tries,
                     LLVMValueRef *back) {
    for (int end = n->count; end > first && *tries > 0; --*tries) {
        int nests = prep_wrap(in->f, in->function, n, first, end, back);
        if (!*back) {
            note_apart(
                o, n, first,
                "control comes to it, or goes on behind it, in several places, or it has more "
                "than 256 basic blocks; write it without goto, return or break");
            return 0;
        }
        br_loop once = prep_loop_at(in->f, LLVMGetSuccessor(*back, 0));
        int good = once ? is_region(o, in, n, first, nests, once) : 0;
        if (good == nests)
            return nests;
        prep_unwrap(in->f, *back);
        end = first + good;
    }
    return 0;
}

/* Makes the notes refer to the shadow's blocks, because the shadow will be adopted. */
static void name_copies(apart_loops *apart, br_function *shadow) {
    for (int i = 0; i < apart->count; i++)
        apart->head[i] = br_function_copied(shadow, apart->head[i]);
}

/* Makes the notes refer to the original's blocks, because the shadow will be dropped. */
static void name_originals(lone_nests *lone, const prep_nests *shadow, const prep_nests *original) {
    for (int i = 0; i < lone->count; i++)
        for (int k = 0; k < shadow->count; k++)
            if (lone->head[i] == shadow->head[k]) {
                lone->head[i] = original->head[k];
                break;
            }
}

/* Notes that nests beyond the limit are not looked at. */
static void note_rest(offload *o, const prep_nests *n, int first) {
    for (int i = first; i < n->count; i++)
        note_apart(o, n, i, "its function has more nests than are looked at; split the function");
}

/* Puts a loop around the sequence that starts with nest `first`. Returns the number of its nests.
 */
static int wrap_next(offload *o, const prep_shadow *in, const prep_nests *n, int first,
                     int *tries) {
    int nests = wrap_from(o, in, n, first, tries, &o->once[o->nonce]);
    o->nonce += nests > 0;
    return nests;
}

/* Looks at the nests in the outermost loop of a nest that is no region. Why they are none is noted
 * of that nest only. */
static void wrap_inner(offload *o, const prep_shadow *in, LLVMBasicBlockRef head, int *tries) {
    prep_nests *n = calloc(1, sizeof *n);
    int before = o->nonce, seen = o->lone.count, first = 0;
    bool any = find_inner(o, in, prep_loop_at(in->f, head), n);
    while (any && first < n->count && o->nonce < MAX_ONCE && *tries > 0) {
        int nests = wrap_next(o, in, n, first, tries);
        first += nests > 0 ? nests : 1;
    }
    if (o->nonce == before)
        o->lone.count = seen;
    free(n);
}

/* Is the nest none, as far as was noted, because its iterations depend on each other? */
static bool depends(const lone_nests *lone, LLVMBasicBlockRef head) {
    for (int i = lone->count; i-- > 0;)
        if (lone->head[i] == head)
            return lone->why[i].reason == ST_NO_IN_PLACE ||
                   lone->why[i].reason == ST_NO_NOT_INNERMOST_STORE;
    return true;
}

static void wrap_all(offload *o, const prep_shadow *in, prep_nests *n) {
    int tries = MAX_TRIES, before = o->nonce, seen = o->lone.count, first = 0;
    prep_nests original = *n;
    for (int i = 0; i < n->count; i++)
        n->head[i] = br_function_copied(in->f, n->head[i]);
    while (first < n->count && o->nonce < MAX_ONCE && tries > 0) {
        bool wrapped = is_wrapped(prep_loop_at(in->f, n->head[first])); /* with others */
        int nests = wrapped ? 0 : wrap_next(o, in, n, first, &tries);
        if (!wrapped && nests == 0 && n->holds[first] && depends(&o->lone, n->head[first]))
            wrap_inner(o, in, n->head[first], &tries);
        first += nests > 0 ? nests : 1;
    }
    note_rest(o, n, first);
    if (o->nonce == before) {
        name_originals(&o->lone, n, &original);
        return;
    }
    name_copies(&o->apart, in->f);
    for (int i = 0; i < seen; i++)
        o->lone.head[i] = br_function_copied(in->f, o->lone.head[i]);
}

/* May some of the nests be a region? */
static bool may_wrap(const prep_nests *n) {
    bool may = n->count > 1;
    for (int i = 0; i < n->count; i++)
        may |= n->alone[i] || n->holds[i];
    return may;
}

void sequence_wrap(offload *o) {
    prep_shadow shadow;
    prep_nests n = {.count = 0};
    int before = o->nonce;
    seen_forget(o);
    find_nests(o, &n);
    if (!may_wrap(&n))
        return;
    if (!br_may_copy(o->function)) {
        for (int i = 0; i < n.count; i++)
            note_apart(
                o, &n, i,
                "the function cannot be copied, as one that calls setjmp or takes the address "
                "of a label; move the loops to another function");
        return;
    }
    seen_forget(o); /* the regions' stand-ins would be copied */
    if (!prep_make_shadow(&shadow, o->f))
        return;
    wrap_all(o, &shadow, &n);
    if (o->nonce > before)
        prep_adopt_shadow(&shadow, o->f);
    prep_drop_shadow(&shadow);
}

bool sequence_takes(offload *o, const prep_shadow *in, LLVMBasicBlockRef head) {
    prep_nests n = {.head = {head}, .alone = {true}, .count = 1};
    LLVMValueRef back;
    host_steps *s = NULL;
    int nests = prep_wrap(in->f, in->function, &n, 0, 1, &back);
    br_loop once = back ? prep_loop_at(in->f, LLVMGetSuccessor(back, 0)) : NULL;
    if (once)
        s = detect_step(o, in, once, nests, false);
    bool takes = once && is_whole(s, 1);
    host_steps_destroy(s);
    if (back)
        prep_unwrap(in->f, back);
    return takes;
}

static void keep_of_twin(const offload *o, prep_nests *n, LLVMBasicBlockRef rest) {
    int count = 0;
    for (int i = 0; i < n->count; i++) {
        if (!team_is_in_twin_of(o, prep_loop_at(o->f, n->head[i]), rest))
            continue;
        n->alone[count] = n->alone[i];
        n->head[count++] = n->head[i];
    }
    n->count = count;
}

bool sequence_takes_twin(offload *o, LLVMBasicBlockRef rest) {
    prep_shadow in = {.f = o->f, .function = o->function};
    prep_nests n = {.count = 0};
    st_refusal ignored;
    LLVMValueRef back = NULL;
    int noted = o->lone.count;
    seen_forget(o);
    find_nests(o, &n);
    seen_forget(o);
    keep_of_twin(o, &n, rest);
    int nests = n.count > 0 ? prep_wrap(o->f, o->function, &n, 0, n.count, &back) : 0;
    br_loop once = back ? prep_loop_at(o->f, LLVMGetSuccessor(back, 0)) : NULL;
    bool takes = once && nests == n.count && team_may_run(o, once, &ignored) &&
                 is_region(o, &in, &n, 0, nests, once) == nests;
    o->lone.count = noted;
    if (back)
        prep_unwrap(o->f, back);
    return takes;
}

void sequence_unwrap(offload *o) {
    while (o->nonce > 0)
        prep_unwrap(o->f, o->once[--o->nonce]);
}

const st_refusal *sequence_apart(const offload *o, br_loop time) {
    for (int i = 0; time && i < o->apart.count; i++)
        if (o->apart.head[i] == br_loop_header(time))
            return &o->apart.why[i];
    return NULL;
}
