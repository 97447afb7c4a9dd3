/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Time loops of several sweeps: nests side by side in the loop, each of which may have its own
 * arrays, domain and number of dimensions, and single cells that are assigned between them. Such
 * a step is legal when
 *   1. each is a sweep by itself (nest.c), or calls that copy memory (copies.c), but may write
 * several arrays, also under conditions, and may read in an array that it writes the very cell that
 * it writes; in the order of the program, for a load after a store of the same cell is that store's
 * value. What is stored under a condition is, where that does not hold, what was there;
 *   2. they follow one another, each in every iteration of the time loop, or under conditions that
 *      do not change in it;
 *   3. a value loaded outside a sweep's nest is loaded after the sweep before it;
 *   4. what a sweep makes of all its cells, such as the greatest change, is used after the time
 *      loop, or to end it (reduce.c).
 * Which of their arrays are the same memory, and whether a sweep is so independent of its own
 * results, the runtime finds out from the addresses.
 *
 * A sweep with fewer dimensions than the others has one cell along the ones it lacks, such as the
 * edge A[0][j] or A[i][0] of A[i][j]. Which ones, tell the strides that the other sweeps' arrays
 * have; so these are looked at first. Loops over all cells by one index: linear.c.
 */
#include "bridge/loop_places.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "detect/host/access.h"
#include "detect/host/after.h"
#include "detect/host/ends.h"
#include "detect/host/loads.h"
#include "detect/host/nest.h"
#include "detect/host/order.h"
#include "detect/host/region.h"
#include "detect/host/statement.h"
#include "detect/host/steps/forms.h"
#include "detect/host/steps/parts.h"
#include "detect/host/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(host_steps *s, const char *detail) {
    return host_refuse_steps(s, ST_NO_SWEEPS, detail);
}

static bool have_one_exit(const host_region *r) {
    bool one = r->axes > 0;
    for (int i = 0; i < r->axes && one; i++)
        one = br_loop_exiting_block(r->loops[i]) && br_loop_exit_block(r->loops[i]);
    return one;
}

/* A call of what is not known is the cause, where a sweep is refused for the ways through it; or
 * one that may throw out of the loop around. */
static st_refusal cause_of(const host_steps *s, host_region *r, const st_refusal *why) {
    st_refusal told = *why;
    bool ways = told.reason == ST_NO_EARLY_EXIT || told.reason == ST_NO_SEVERAL_STORES;
    if (ways && r->axes > 0)
        host_name_call(r, r->loops[r->axes - 1], &told);
    if (told.reason == ST_NO_EARLY_EXIT && have_one_exit(r))
        host_name_throwing(s->time, &told);
    return told;
}

/* Notes which sweep was refused, and why. */
static bool refuse_sweep(host_steps *s, int number, const st_refusal *why) {
    const host_region *r = s->sweeps[number];
    char sentence[ST_DETAIL], where[24] = "";
    st_refusal told = cause_of(s, s->sweeps[number], why);
    if (told.reason == ST_NO_SWEEPS)
        memcpy(sentence, told.detail, sizeof sentence);
    else
        st_reason_text(told.reason, told.detail, sentence, sizeof sentence);
    s->reason = ST_NO_SWEEPS;
    s->cause = why->reason;
    s->bad = r->axes > 0 ? r->loops[r->axes - 1] : NULL;
    unsigned line = s->bad ? br_line_beside(s->bad, s->time) : 0;
    if (line)
        snprintf(where, sizeof where, ", line %u", line);
    snprintf(s->detail, sizeof s->detail, "sweep %d of %d%s: %.340s", number + 1, s->count, where,
             sentence);
    return false;
}

/* Finding the sweeps */

static bool add_guard(host_steps *s, host_guard guard) {
    for (int k = 0; k < s->nguards; k++)
        if (s->guards[k].condition == guard.condition)
            return s->guards[k].holds == guard.holds ||
                   refuse(s, "one runs where another does not");
    if (s->nguards == HOST_MAX_GUARDS)
        return refuse(s, "they run under too many conditions");
    s->guards[s->nguards++] = guard;
    return true;
}

/* The sweep's guards are not understood. Where each step calls a function that is not known, that
 * is the cause to tell: no form of the guards would help. */
static bool refuse_guards(host_steps *s, host_region *r) {
    const st_refusal guards = r->why;
    bool calls = guards.reason == ST_NO_CONTROL_FLOW && !host_check_calls_of_step(r, s->time);
    refuse_sweep(s, r->number, calls ? &r->why : &guards);
    r->why = guards;
    s->cause = guards.reason;
    return false;
}

static bool find_guards_of(host_steps *s, host_region *r) {
    host_begin(r, r->axes, true);
    if (!host_find_time_guards(r))
        return refuse_guards(s, r);
    for (int g = 0; g < r->nguards; g++)
        if (!add_guard(s, r->guards[g]))
            return false;
    return true;
}

/* The conditions, which do not change in the time loop, under which all nests run. Once they are
 * known, those by which the loop would be left are looked for. */
static bool find_guards(host_steps *s) {
    for (int i = 0; i < s->count; i++)
        if (!find_guards_of(s, s->sweeps[i]))
            return false;
    s->guarded = true;
    return !s->left || s->count == 0 || find_guards_of(s, s->sweeps[0]);
}

static bool add_cell(host_steps *s, LLVMValueRef store) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(store);
    if (!host_reaches_under(s->time, s->guards, s->nguards, block)) {
        if (s->nskipped == HOST_MAX_SWEEPS)
            return refuse(s, "elements are assigned in too many places");
        s->skipped[s->nskipped++] = store;
        return true;
    }
    host_region *r = host_add_sweep(s, NULL, 0);
    if (!r)
        return refuse(s, "more than 64 sweeps");
    r->store = store;
    r->copies = host_is_copy(store);
    return true;
}

/* Elements assigned in the time loop itself, where all nests run: the compiler may have copied the
 * assignment to where some do not. */
static bool add_cells(host_steps *s, const br_loop *children, size_t nchildren) {
    LLVMBasicBlockRef block;
    for (size_t b = 0; (block = br_loop_block(s->time, b)); b++) {
        bool own = true;
        for (size_t c = 0; c < nchildren; c++)
            own &= !br_loop_contains(children[c], block);
        LLVMValueRef i = LLVMGetFirstInstruction(block);
        for (; i && own; i = LLVMGetNextInstruction(i)) {
            if ((LLVMIsAStoreInst(i) || host_is_copy(i)) && !add_cell(s, i))
                return false;
        }
    }
    return true;
}

/* Single cells that are assigned one right after the other are one sweep of several statements:
 * what is loaded for all of them comes first in the program, too. */
static void join_cells(host_steps *s) {
    int kept = 0;
    for (int i = 0; i < s->count; i++) {
        host_region *r = s->sweeps[i], *last = kept > 0 ? s->sweeps[kept - 1] : NULL;
        bool joins = !s->own_cells && last && last->axes + r->axes == 0 && !last->copies &&
                     !r->copies && last->nalso < HOST_MAX_STORES &&
                     LLVMGetInstructionParent(last->store) == LLVMGetInstructionParent(r->store);
        if (joins) {
            last->also[last->nalso++] = r->store;
            host_region_destroy(r);
        } else {
            s->sweeps[kept++] = r;
        }
    }
    s->count = kept;
}

/* Sorts the sweeps into the program's order. */
static bool sort(host_steps *s) {
    for (int i = 1; i < s->count; i++)
        for (int k = i; k > 0; k--) {
            host_region *a = s->sweeps[k - 1], *b = s->sweeps[k];
            if (host_is_before(s->time, host_start_of(a), host_start_of(b)))
                break;
            s->sweeps[k - 1] = b;
            s->sweeps[k] = a;
        }
    join_cells(s);
    for (int i = 0; i < s->count; i++) {
        s->sweeps[i]->number = i;
        for (int k = 0; k < i; k++)
            if (!host_is_before(s->time, host_start_of(s->sweeps[k]), host_start_of(s->sweeps[i])))
                return refuse(s, "they do not follow one another");
    }
    return true;
}

/* A call in a loop copies the row along x that the loop does not walk. */
static bool copies_rows(const host_region *r) {
    return r->copies && r->axes > 0;
}

static bool find_sweeps(host_steps *s) {
    br_loop children[HOST_MAX_SWEEPS];
    size_t count = br_loop_children(s->time, children, HOST_MAX_SWEEPS);
    if (count > HOST_MAX_SWEEPS)
        return refuse(s, "more than 64 sweeps");
    for (size_t i = 0; i < count; i++)
        if (!host_add_nest(s, children[i])) {
            s->bad = children[i];
            return false;
        }
    for (int i = 0; i < s->count; i++) {
        int rank = s->sweeps[i]->axes + copies_rows(s->sweeps[i]);
        s->rank = rank > s->rank ? rank : s->rank;
    }
    if (s->rank > ST_MAX_RANK)
        return host_refuse_steps(s, ST_NO_RANK, "");
    return find_guards(s) && add_cells(s, children, count) && sort(s);
}

/* Looking at them */

static bool also_store(host_region *r) {
    for (int i = 0; i < r->nalso; i++) {
        st_access access;
        if (!host_also_store(r, r->also[i], &access))
            return false;
        st_add_store(r->stencil, (st_store){-1, access.grid, access.level});
    }
    return true;
}

/* Is a neighbour that is brought back at an end one of an array that is written? To the runtime
 * such a cell is one of the domain, as the one that an iteration may read and write is. */
static bool brings_back_own(const st_stencil *s) {
    for (size_t i = 0; i < s->naccesses; i++)
        if (s->accesses[i].faces && st_writes(s, s->accesses[i].grid, s->accesses[i].level))
            return true;
    return false;
}

/* A store under a condition that leaves out a frame of cells; under any other one, all cells are
 * stored, those where it does not hold with what is there. What is reduced, is of all cells. */
static void find_frame(host_region *r) {
    bool frame =
        host_is_masked(r, 0) && r->nalso + r->nreductions == 0 && r->axes == r->stencil->rank;
    if (frame)
        host_find_domain(r, NULL);
}

static bool match_cells(host_region *r, bool device_math) {
    if (!host_check_loops(r) || !host_check_effects(r))
        return false;
    if (r->copies)
        return host_build_copies(r) && host_check_every(r);
    if (!host_find_reductions(r))
        return false;
    r->stencil->stores_nothing = r->measures;
    find_frame(r);
    if (r->measures && r->nreductions == 0)
        return host_refuse(r, ST_NO_SWEEPS,
                           "a loop in it writes no array, and what it hands from cell to cell is "
                           "no maximum, minimum or sum");
    if (!host_store_grid(r) || !also_store(r) || !host_build_expression(r, device_math))
        return false;
    host_find_rows(r);
    if (!host_check_every(r))
        return false;
    host_count_upwards(r);
    return !brings_back_own(r->stencil) || host_refuse(r, ST_NO_IN_PLACE, NULL);
}

static st_refusal look_at_cells(host_region *r, bool device_math) {
    host_begin(r, r->axes, true);
    return host_outcome(r, match_cells(r, device_math));
}

/* Looks at the ends of the loops only where cells are read under conditions and it does not do
 * without. */
static st_refusal look_at_ends(host_region *r, bool device_math) {
    r->match.use_ends = r->match.use_others = false;
    st_refusal why = look_at_cells(r, device_math);
    if (why.reason != ST_NO_CONDITIONAL_LOAD || r->copies)
        return why;
    r->match.use_ends = host_walks_all(r);
    if (r->match.use_ends && look_at_cells(r, device_math).reason == ST_OK)
        return (st_refusal){.reason = ST_OK};
    /* Inside the ends there is memory rather than where others must tell. The ends need loops of
     * some length, so that others come first where no neighbour is read under a condition. */
    r->match.use_others = true;
    r->match.beyond = false;
    bool inside = r->match.use_ends && look_at_cells(r, device_math).reason == ST_OK;
    if (inside && r->match.beyond)
        return (st_refusal){.reason = ST_OK};
    r->match.use_ends = false;
    if (look_at_cells(r, device_math).reason == ST_OK)
        return (st_refusal){.reason = ST_OK};
    r->match.use_ends = inside;
    return inside && look_at_cells(r, device_math).reason == ST_OK ? (st_refusal){.reason = ST_OK}
                                                                   : why;
}

/* Conditions on loop counters that are no rule at the ends choose among cells. */
static st_refusal look_at_once(host_region *r, bool device_math) {
    r->match.by_counters = r->match.declined = false;
    st_refusal why = look_at_ends(r, device_math);
    bool chosen = why.reason == ST_NO_BOUNDARY || why.reason == ST_NO_NOT_AFFINE;
    r->match.by_counters = chosen && r->match.declined && !r->copies;
    if (r->match.by_counters && look_at_ends(r, device_math).reason == ST_OK)
        why.reason = ST_OK;
    return why;
}

/* A vector may be one along any dimension: which one, tell the strides of what else is read. */
static st_refusal look_at(host_region *r, bool device_math) {
    int last = r->axes == 1 ? r->steps->rank - 1 : 0;
    st_refusal why = look_at_once(r, device_math);
    while (why.reason == ST_NO_STEP && r->along < last) {
        r->along++;
        why = look_at_once(r, device_math);
    }
    return why;
}

/* Does a grid move on in memory from step to step, as f[t] does? */
static bool has_advancing_grid(const host_steps *s) {
    bool any = false;
    for (int i = 0; i < s->count; i++)
        for (size_t g = 0; g < s->sweeps[i]->stencil->ngrids; g++)
            any |= s->sweeps[i]->stencil->grids[g].advance != 0;
    return any;
}

/* Does a sweep write to another place in each step, as trace[t] = u[i] does? */
static bool has_moving_grid(const host_steps *s) {
    bool any = false;
    for (int i = 0; i < s->count; i++)
        any |= st_moves_along(s->sweeps[i]->stencil);
    return any;
}

/* Do all sweeps come before the loop is left? */
static bool follows_sweeps(const host_steps *s, LLVMValueRef branch) {
    bool follows = true;
    for (int i = 0; i < s->count; i++) {
        LLVMValueRef start = host_start_of(s->sweeps[i]);
        follows = follows && host_is_before(s->time, start, branch) &&
                  !host_is_before(s->time, branch, start);
    }
    return follows;
}

static bool check_exit(host_steps *s, int exit) {
    bool leaves;
    LLVMValueRef branch = host_exit_branch(s, exit, &leaves);
    if (!follows_sweeps(s, branch))
        return host_refuse_steps(s, ST_NO_STOP, "before the last of them");
    LLVMValueRef condition = LLVMGetCondition(branch);
    char name[HOST_DETAIL];
    host_value_name(condition, name, sizeof name);
    return host_known_after_step(s, condition) || host_refuse_steps(s, ST_NO_STOP, name);
}

/* Is a sweep made in every N-th step only, of steps that are not counted or with a reduction? */
static bool has_rare_sweep(const host_steps *s) {
    bool any = false;
    for (int i = 0; i < s->count; i++) {
        const st_stencil *sweep = s->sweeps[i]->stencil;
        any |= sweep->every && (host_is_asked(s) || sweep->nreductions);
    }
    return any;
}

/* What a step reduces is there after it; so the loop's end has to be there, too. */
static bool check_end(host_steps *s) {
    bool leaves, counted = !s->stops && !br_loop_exiting_block(s->time);
    if (counted && !follows_sweeps(s, host_exit_branch(s, 0, &leaves)))
        return host_refuse_steps(s, ST_NO_STOP, "before the last of them");
    if (!host_is_checked(s))
        return true;
    if (has_rare_sweep(s))
        return refuse(s, "one runs in every N-th step only, where the CPU computes numbers in "
                         "each step");
    if (has_advancing_grid(s) && host_is_asked(s))
        return refuse(s, s->stops ? "one reads w[t] of a time loop whose steps cannot be counted"
                                  : "one reads w[t], and a number that is computed for each step");
    if (has_moving_grid(s) && s->stops)
        return refuse(s,
                      "one writes another element in each step of a time loop whose steps cannot "
                      "be counted");
    if (!s->stops && !counted && br_loop_exiting_block(s->time) != br_loop_latch(s->time))
        return host_refuse_steps(s, ST_NO_CONTROL_FLOW,
                                 "a loop tests its condition within its body");
    bool good = true;
    for (int i = 0; i < s->nexits && good && s->stops; i++)
        good = check_exit(s, i);
    if (good && !host_check_carried(s))
        return host_refuse_steps(s, ST_NO_CARRIED, "from one time step to the next");
    return good;
}

/* A condition that only a way ruled out by others depends on is not tested in front of the region.
 */
static bool is_tested(const host_steps *s, const host_guard *guard) {
    bool tested = false;
    for (int i = 0; i < s->count; i++)
        for (int k = 0; k < s->sweeps[i]->nguards; k++) {
            const host_guard *own = &s->sweeps[i]->guards[k];
            tested |= own->condition == guard->condition && own->holds == guard->holds;
        }
    return tested;
}

static bool are_guards_tested(const host_steps *s) {
    bool all = true;
    for (int g = 0; g < s->nguards; g++)
        all &= is_tested(s, &s->guards[g]);
    return all;
}

/* Are loops of a sweep around those of another one? */
static bool shares_loops(const host_steps *s) {
    bool any = false;
    for (int i = 0; i < s->count; i++)
        any |= s->sweeps[i]->own < s->sweeps[i]->axes;
    return any;
}

static bool look_at_all(host_steps *s, bool device_math) {
    if (!host_check_function(s->sweeps[0]))
        return host_refuse_steps(s, s->sweeps[0]->why.reason, s->sweeps[0]->why.detail);
    for (int whole = 1; whole >= 0; whole--)
        for (int i = 0; i < s->count; i++) {
            host_region *r = s->sweeps[i];
            if ((host_walks_all(r) && !r->copies) != whole)
                continue;
            st_refusal why = look_at(r, device_math);
            if (why.reason != ST_OK)
                return refuse_sweep(s, r->number, &why);
        }
    if (!host_join_colours(s))
        return refuse(s,
                      "one goes over cells of one colour, and none over all cells or over those of "
                      "the other colour, each of them always");
    if (!are_guards_tested(s))
        return host_refuse_steps(s, ST_NO_CONTROL_FLOW,
                                 "a sweep runs in some steps only, on some ways only");
    if (host_walks_otherwise(s))
        return refuse(s, "one goes over an array in other distances than another one: over every "
                         "other cell, or along other dimensions");
    if (host_meets_in_nest(s))
        return refuse(s, shares_loops(s) ? "a loop holds several loops, of which one uses what "
                                           "another one writes; write a loop around each"
                                         : "a loop sets rows and columns of an array that meet at "
                                           "their ends; write a loop for each");
    host_region *first = s->sweeps[0];
    int calls =
        s->carried->ncalls; /* what is used behind the loop alone is not made in each step */
    if (!host_check_live_outs(first))
        return host_refuse_steps(s, first->why.reason, first->why.detail);
    s->carried->ncalls = calls;
    if (!check_end(s))
        return false;
    LLVMValueRef left_out = host_call_left_out(s);
    return !left_out || host_refuse_steps(s, ST_NO_ERRNO, host_callee_name(left_out));
}

/* Is there a sweep of all dimensions that reads neighbours, or one that is worth it without? */
static bool has_sweep(const host_steps *s) {
    bool any = false;
    for (int i = 0; i < s->count; i++) {
        const host_region *r = s->sweeps[i];
        bool rows = copies_rows(r) && r->axes + 1 == s->rank && r->stencil->naccesses > 0;
        any |= rows;
        any |= host_walks_all(r) && (st_reads_neighbours(r->stencil) || host_is_element_wise(r) ||
                                     (s->beside && !r->match.far));
    }
    return any;
}

/* Does a sweep by itself access cells under a condition, of which only the runtime can tell whether
 * memory is there, or such as they were before it? */
static bool needs_step(const host_region *r) {
    const st_stencil *s = r->stencil;
    bool any = s && ((host_is_masked(r, 0) && !r->partial) || st_reads_before(s));
    for (size_t i = 0; s && i < s->naccesses; i++)
        any |= s->accesses[i].unsure;
    return any;
}

static bool is_good(host_steps *s, bool device_math) {
    return look_at_all(s, device_math) &&
           (has_sweep(s) || refuse(s, "none reads neighbours of a cell"));
}

/* Looks at the sweeps once more, with cells that are not beside one another in memory. */
static bool look_apart_as_is(host_steps *s, bool device_math) {
    s->reason = s->cause = ST_OK;
    s->bad = NULL;
    s->narrays = s->nbases = 0;
    host_forget_tables(&s->tables);
    s->apart = true;
    for (int i = 0; i < s->count; i++)
        s->sweeps[i]->along = 0;
    return is_good(s, device_math);
}

/* Does a sweep go from element to element, up in memory or down? */
static bool goes_along(const host_region *r, int direction) {
    const st_stencil *s = r->stencil;
    poly unit = poly_int(r->f, direction * (int64_t)st_type_size(s->grids[s->store_grid].type));
    bool any = false;
    for (int i = 0; i < r->axes; i++)
        any |= poly_equal(r->store_at[0].step[i], unit);
    return any;
}

static bool goes_both_ways(const host_steps *s) {
    bool up = false, down = false;
    for (int i = 0; i < s->count; i++) {
        up |= goes_along(s->sweeps[i], 1);
        down |= goes_along(s->sweeps[i], -1);
    }
    return up && down;
}

/* Also with no loop along x: where what a single sweep reads, say, goes down that it writes going
 * up, as the mirrored columns of a frame, or where some sweeps go up and others down. */
static void look_apart(host_steps *s, bool device_math) {
    s->rank++;
    bool good = look_apart_as_is(s, device_math);
    if (good ? !goes_both_ways(s) : s->count > 1 || s->cause != ST_NO_STEP)
        return;
    s->mirrored = true;
    look_apart_as_is(s, device_math);
}

static bool may_be_apart(const host_steps *s) {
    return s->rank < ST_MAX_RANK && (s->cause == ST_NO_NOT_CONTIGUOUS || s->cause == ST_NO_STEP);
}

static host_steps *detect_steps(br_function *f, LLVMValueRef function, br_loop time,
                                bool device_math, bool lone, unsigned also) {
    host_steps *s = calloc(1, sizeof *s);
    s->f = f;
    s->function = function;
    s->time = time;
    s->beside = also & HOST_BESIDE;
    s->left = also & HOST_LEFT;
    s->own_cells = also & HOST_CELLS;
    s->carried = calloc(1, sizeof *s->carried);
    br_location(time, function, s->where, sizeof s->where);
    br_loop children[2];
    bool found = find_sweeps(s), several = br_loop_children(time, children, 2) > 1;
    bool one = s->count == 1 && s->sweeps[0]->nalso == 0 && !s->sweeps[0]->measures &&
               !s->sweeps[0]->copies && !s->left;
    if (found ? s->count == 0 : !several && !lone) {
        host_steps_destroy(s);
        return NULL;
    }
    if (found && !is_good(s, device_math) && also & HOST_APART && may_be_apart(s))
        look_apart(s, device_math);
    bool reduces = found && (host_is_checked(s) || s->sweeps[0]->why.reason == ST_NO_REDUCTION);
    const st_stencil *first = found ? s->sweeps[0]->stencil : NULL;
    if (found && one && !s->apart && !s->beside && !reduces &&
        !(first && st_needs_whole_steps(first)) && !needs_step(s->sweeps[0])) {
        host_steps_destroy(s);
        return NULL;
    }
    return s;
}

host_steps *host_detect_steps(br_function *f, LLVMValueRef function, br_loop time, bool device_math,
                              unsigned also) {
    return detect_steps(f, function, time, device_math, false, also);
}

host_steps *host_detect_wrapped(br_function *f, LLVMValueRef function, br_loop once,
                                bool device_math, unsigned also) {
    return detect_steps(f, function, once, device_math, true, also);
}

void host_steps_destroy(host_steps *s) {
    if (!s)
        return;
    for (int i = 0; i < s->count; i++)
        host_region_destroy(s->sweeps[i]);
    host_forget_tables(&s->tables);
    free(s->arrays);
    free(s->bases);
    free(s->carried);
    free(s);
}
