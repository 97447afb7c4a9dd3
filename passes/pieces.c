/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Changes time loops in a shadow, which is adopted if sweeps can be offloaded then. A way is a list
 * of changes, one after the other. prepare/calls.h puts sweeps in the place of their calls.
 * prepare/slots.h makes values of arrays that are swapped in memory, prepare/sizes.h one of sizes
 * that are swapped with them, prepare/moved.h swaps of what move_alloc moves, prepare/cells.h cells
 * of arrays of values. prepare/pieces.h cuts a time loop with outputs into pieces without outputs.
 * An output may be a nest that only some steps have, if the loop cannot be offloaded with it.
 * prepare/between.h gives a step with outputs between its sweeps a body of its own first.
 * prepare/last.h takes the last step out of a time loop in which only that step computes a sum that
 * is used. prepare/first.h takes a first step out that differs from the others, and
 * prepare/timers.h takes out clocks. prepare/turned.h puts a test in front of the sweeps behind
 * them. prepare/modes.h copies a time loop for one choice of what does not change in it,
 * prepare/once.h for what is done once. prepare/checks.h copies a loop without its checks,
 * prepare/neighbours.h without its tables of neighbours, prepare/lookups.h without calls whose
 * results can be computed before, and without entries of tables that can be looked up before.
 * prepare/search.h copies a nest with addresses loaded in front that it loads under a condition.
 * prepare/unroll.h unrolls a nest's loops over the directions of a lattice.
 */
#include "prepare/pieces.h"
#include "detect/host/nest.h"
#include "offload/enter.h"
#include "offloading.h"
#include "prepare/alike.h"
#include "prepare/between.h"
#include "prepare/calls.h"
#include "prepare/carried.h"
#include "prepare/cells.h"
#include "prepare/checks.h"
#include "prepare/first.h"
#include "prepare/holds.h"
#include "prepare/last.h"
#include "prepare/lookups.h"
#include "prepare/modes.h"
#include "prepare/moved.h"
#include "prepare/neighbours.h"
#include "prepare/once.h"
#include "prepare/search.h"
#include "prepare/sequence.h"
#include "prepare/sizes.h"
#include "prepare/slots.h"
#include "prepare/tables.h"
#include "prepare/timers.h"
#include "prepare/turned.h"
#include "prepare/unroll.h"
#include "prepare/vectors.h"
#include "prepare/whole.h"

#include <stdlib.h>

enum {
    MAX_TRIES = 28,  /* the most shadows of a function */
    MAX_MODES = 6,   /* and of those in which modes are chosen */
    MAX_GATHERS = 12 /* or entries looked up: each leaves a further copy of a loop */
};

/* Would a nest be offloaded with the loop of this head as its time loop? */
static bool would_offload(offload *o, LLVMBasicBlockRef head) {
    size_t count = br_loops(o->f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops), piece = prep_loop_at(o->f, head);
    bool good = false;
    o->probe = head;
    count = host_candidates(o->f, loops, count);
    for (size_t i = 0; piece && i < count && !good; i++)
        if (loops[i] != piece && br_loop_contains(piece, br_loop_header(loops[i])) &&
            !offload_done(loops[i]))
            good = candidate_offload(o, loops[i]);
    o->probe = NULL;
    free(loops);
    return good;
}

static bool would_offload_shadow(offload *o, const prep_shadow *shadow, LLVMBasicBlockRef head) {
    candidate_own own = candidate_enter_shadow(o, shadow);
    bool good = would_offload(o, head);
    candidate_leave_shadow(o, &own);
    return good;
}

/* Changes the loop with this head in a shadow. The head of the loop afterwards, or NULL. */
typedef LLVMBasicBlockRef cut_change(prep_shadow *s, LLVMBasicBlockRef head);

typedef struct cut_way {
    bool (*may)(offload *o, br_loop l);
    cut_change *changes[8]; /* up to the first NULL */
} cut_way;

/* The loop loses numbers that it carries, if it has such. */
static LLVMBasicBlockRef part_carried(prep_shadow *s, LLVMBasicBlockRef head) {
    br_loop l = prep_loop_at(s->f, head);
    return l && prep_has_carried(s->f, l) ? prep_part_carried(s, head) : head;
}

static bool has_clocks(const prep_shadow *s, LLVMBasicBlockRef head) {
    br_loop l = prep_loop_at(s->f, head);
    return l && prep_has_timers(s->f, l);
}

/* Makes the changes of this way. Before and behind each, it parts numbers that the loop carries,
 * and has it load and store cells again. Once clocks may be read in front of the loop, a number of
 * them would be another one. */
static LLVMBasicBlockRef change_loop(prep_shadow *s, const cut_way *way, LLVMBasicBlockRef head) {
    bool clocks = false;
    head = part_carried(s, head);
    head = head ? prep_restore_cells(s, head) : NULL;
    for (size_t i = 0; head && way->changes[i]; i++) {
        clocks |= has_clocks(s, head);
        head = way->changes[i](s, head);
        if (head && !prep_loop_at(s->f, head)) /* a choice has ended the loop */
            head = NULL;
        if (head && !clocks)
            head = part_carried(s, head);
        head = head ? prep_restore_cells(s, head) : NULL;
    }
    if (head && prep_mend_picks(s->f)) /* LLVM has joined loads */
        br_function_invalidate(s->f);
    return head;
}

static bool cuts(const cut_way *way) {
    bool any = false;
    for (size_t i = 0; way->changes[i]; i++)
        any |= way->changes[i] == prep_cut_pieces || way->changes[i] == prep_cut_rare ||
               way->changes[i] == prep_cut_between;
    return any;
}

/* *head is the head of a loop. If the cut succeeds, *head becomes the head of the loop that was
 * cut. */
static bool try_cut(offload *o, const cut_way *way, LLVMBasicBlockRef *head) {
    prep_shadow shadow;
    if (!prep_make_shadow(&shadow, o->f))
        return false;
    *head = br_function_copied(shadow.f, *head);
    LLVMBasicBlockRef piece = change_loop(&shadow, way, *head);
    bool good = piece && would_offload_shadow(o, &shadow, piece);
    if (good)
        prep_adopt_shadow(&shadow, o->f);
    if (good && cuts(way) && o->ncut < MAX_CUT)
        o->cut[o->ncut++] = *head;
    prep_drop_shadow(&shadow);
    return good;
}

static bool has_nests(br_loop l) {
    br_loop child;
    return br_loop_children(l, &child, 1) > 0;
}

static bool has_checks(offload *o, br_loop l) {
    return has_nests(l) && prep_has_checks(o->f, l);
}

static bool has_assigned(offload *o, br_loop l) {
    return prep_has_assigned(o->f, l);
}

static bool has_neighbours(offload *o, br_loop l) {
    return has_nests(l) && prep_has_neighbours(o->f, l);
}

static bool finds_pieces(offload *o, br_loop l, bool rare) {
    if (!has_nests(l))
        return false;
    prep_pieces *p = prep_find_pieces(o->f, o->function, l, rare);
    prep_pieces_destroy(p);
    return p != NULL;
}

static bool has_pieces(offload *o, br_loop l) {
    return finds_pieces(o, l, false);
}

static bool has_between(offload *o, br_loop l) {
    return has_nests(l) && prep_has_between(o->f, o->function, l);
}

/* Can the loop be offloaded as it is? */
static bool would_offload_whole(offload *o, br_loop l) {
    prep_shadow shadow;
    if (!prep_make_shadow(&shadow, o->f))
        return false;
    LLVMBasicBlockRef head = br_function_copied(shadow.f, br_loop_header(l));
    bool whole = would_offload_shadow(o, &shadow, head);
    prep_drop_shadow(&shadow);
    return whole;
}

static bool has_gathers(offload *o, br_loop l) {
    return has_nests(l) && prep_has_gathers(o->f, l) && !would_offload_whole(o, l);
}

static bool has_rare(offload *o, br_loop l) {
    return finds_pieces(o, l, true) && !would_offload_whole(o, l);
}

/* May the loop lose its last step? Not if it can be offloaded with all its steps, unless these add
 * up in order. */
static bool has_last(offload *o, br_loop l) {
    return has_nests(l) && prep_has_last(o->f, l) &&
           (prep_adds_in_order(l) || !would_offload_whole(o, l));
}

static bool has_calls(offload *o, br_loop l) {
    return prep_calls_sweeps(o->f, l);
}

static bool has_sizes(offload *o, br_loop l) {
    return has_nests(l) && prep_has_sizes(l) && !would_offload_whole(o, l);
}

/* Fortran's move_alloc is called. */
static bool moves_arrays(const offload *o) {
    return LLVMGetNamedFunction(o->m, "_FortranAMoveAlloc") != NULL;
}

static bool has_moved(offload *o, br_loop l) {
    return moves_arrays(o) && has_nests(l) && prep_has_moved(o->f, l);
}

/* LLVM may have made values of the descriptors by then. */
static LLVMBasicBlockRef swap_moved(prep_shadow *s, LLVMBasicBlockRef head) {
    head = prep_swap_moved(s, head);
    br_loop l = head ? prep_loop_at(s->f, head) : NULL;
    return l && prep_has_slots(s->f, l) ? prep_promote_slots(s, head) : head;
}

static bool has_slots(offload *o, br_loop l) {
    return has_nests(l) && prep_has_slots(o->f, l) && !would_offload_whole(o, l);
}

static bool has_front_exit(offload *o, br_loop l) {
    return prep_has_front_exit(o->f, l);
}

static bool may_ease(br_function *f, br_loop l) {
    return prep_has_first(f, l) || prep_has_timers(f, l);
}

/* Takes out of a time loop what only its first step does, and the clocks that it reads. NULL: it
 * has neither. */
static LLVMBasicBlockRef ease(prep_shadow *s, LLVMBasicBlockRef head) {
    br_loop l = prep_loop_at(s->f, head);
    if (!l || !may_ease(s->f, l))
        return NULL;
    head = prep_has_first(s->f, l) ? prep_part_first(s, head) : head;
    l = head ? prep_loop_at(s->f, head) : NULL;
    return l && prep_has_timers(s->f, l) ? prep_read_timers(s, head) : head;
}

/* The same where pointers are swapped in memory, or what tells the first step from others is there.
 */
static LLVMBasicBlockRef ease_slots(prep_shadow *s, LLVMBasicBlockRef head) {
    LLVMBasicBlockRef eased = ease(s, head);
    LLVMBasicBlockRef now = prep_promote_slots(s, eased ? eased : head);
    LLVMBasicBlockRef again = now ? ease(s, now) : NULL;
    return again ? again : eased ? now : NULL;
}

static bool has_ease(offload *o, br_loop l) {
    return has_nests(l) && may_ease(o->f, l) && !would_offload_whole(o, l);
}

static bool has_modes(offload *o, br_loop l) {
    return !br_loop_parent(l) && (prep_has_modes(o->f, l) || prep_has_quotients(o->f, l)) &&
           !would_offload_whole(o, l);
}

static bool has_once(offload *o, br_loop l) {
    return has_nests(l) && prep_has_once(o->f, l);
}

static bool calls_neighbours(offload *o, br_loop l) {
    return has_calls(o, l);
}

static bool calls_moved(offload *o, br_loop l) {
    return moves_arrays(o) && has_calls(o, l);
}

static bool calls_modes(offload *o, br_loop l) {
    return !br_loop_parent(l) && has_calls(o, l);
}

/* Also where the loop can be offloaded with them: the CPU would be asked in each step. */
static bool has_carried(offload *o, br_loop l) {
    return has_nests(l) && prep_has_carried(o->f, l);
}

static bool has_cells(offload *o, br_loop l) {
    return has_nests(l) && prep_has_cells(o->f, l) && !would_offload_whole(o, l);
}

static const cut_way ways[] = {
    {has_cells, {NULL}},
    {has_carried, {NULL}},
    {has_ease, {ease}},
    {has_ease, {ease, prep_cut_pieces}},
    {has_pieces, {prep_cut_pieces}},
    {has_sizes, {prep_join_sizes}},
    {has_sizes, {prep_cut_pieces, prep_join_sizes}},
    {has_slots, {prep_promote_slots, prep_join_sizes}},
    {has_slots, {prep_promote_slots, prep_cut_pieces, prep_join_sizes}},
    {has_slots, {ease_slots}},
    {has_slots, {ease_slots, prep_cut_pieces}},
    {has_moved, {swap_moved, prep_join_sizes}},
    {has_moved, {prep_cut_pieces, swap_moved, prep_join_sizes}},
    {has_rare, {prep_cut_rare}},
    {has_between, {prep_cut_between}},
    {has_ease, {ease, prep_cut_between}},
    {has_slots, {ease_slots, prep_cut_between}},
    {has_front_exit, {prep_turn_loop}},
    {has_front_exit, {prep_turn_loop, prep_cut_pieces}},
    {has_last, {prep_part_last}},
    {has_checks, {prep_guard_checks}},
    {has_checks, {prep_guard_checks, prep_cut_pieces}},
    {has_checks, {prep_promote_slots, prep_guard_checks}},
    {has_assigned, {prep_guard_assigned}},
    {has_assigned, {prep_guard_assigned, prep_cut_pieces}},
    {has_neighbours, {prep_guard_neighbours}},
    {has_neighbours, {prep_promote_slots, prep_guard_neighbours}},
    {has_neighbours, {prep_guard_neighbours, prep_cut_pieces}},
};
/* These are few, and have tries of their own. */
static const cut_way gathers[] = {
    {has_gathers, {prep_look_gathers_up}},
    {has_gathers, {prep_promote_slots, prep_look_gathers_up}},
    {has_gathers, {prep_cut_pieces, prep_look_gathers_up}},
};
static const cut_way calls[] = {
    {has_calls, {prep_inline_calls}},
    {has_calls, {prep_inline_calls, prep_cut_pieces}},
    {has_calls, {prep_inline_calls, prep_promote_slots, prep_join_sizes}},
    {has_calls, {prep_inline_calls, prep_promote_slots, prep_cut_pieces, prep_join_sizes}},
    {calls_moved, {prep_inline_calls, swap_moved, prep_join_sizes}},
    {calls_moved, {prep_inline_calls, prep_cut_pieces, swap_moved, prep_join_sizes}},
    {has_calls, {prep_inline_calls, prep_cut_rare}},
    {has_calls, {prep_inline_calls, prep_cut_between}},
    {has_calls, {prep_inline_calls, ease, prep_cut_between}},
    {has_calls, {prep_inline_calls, prep_part_last}},
    {has_calls, {prep_inline_calls, ease}},
    {has_calls, {prep_inline_calls, ease, prep_cut_pieces}},
    {has_calls, {prep_inline_calls, ease_slots}},
    {has_calls, {prep_inline_calls, ease_slots, prep_cut_pieces}},
    {calls_neighbours, {prep_inline_calls, prep_guard_neighbours}},
};
static const cut_way called_gathers[] = {
    {has_calls, {prep_inline_calls, prep_look_gathers_up}},
    {has_calls, {prep_inline_calls, prep_cut_pieces, prep_look_gathers_up}},
    {has_calls, {prep_inline_calls, prep_promote_slots, prep_look_gathers_up}},
};
/* Of these only one succeeds in a function: each leaves a further copy of a loop. */
static const cut_way modes[] = {
    {has_once, {prep_choose_done, ease}},
    {has_once, {prep_choose_done, ease, prep_cut_pieces}},
    {has_modes, {prep_choose_modes}},
    {has_modes, {prep_choose_modes, prep_cut_pieces, prep_choose_modes}},
    {has_modes, {prep_promote_slots, prep_choose_modes, prep_cut_pieces, prep_choose_modes}},
    {has_modes, {prep_choose_modes, prep_promote_slots, prep_join_sizes}},
    {has_modes, {prep_choose_modes, prep_promote_slots, prep_cut_pieces, prep_join_sizes}},
    {has_slots, {prep_promote_slots, prep_join_sizes, prep_choose_modes}},
};
static const cut_way called_modes[] = {
    {calls_modes, {prep_inline_calls, prep_choose_modes}},
    {calls_modes, {prep_inline_calls, prep_choose_modes, prep_cut_pieces, prep_choose_modes}},
    {calls_modes,
     {prep_inline_calls, prep_promote_slots, prep_choose_modes, prep_cut_pieces,
      prep_choose_modes}},
};

/* The head of the first loop that can be cut, other than `done`, the last one that was cut. NULL if
 * there is none. */
static LLVMBasicBlockRef cut_next(offload *o, const cut_way *way, LLVMBasicBlockRef done,
                                  int *tries) {
    size_t count = br_loops(o->f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    LLVMBasicBlockRef cut = NULL;
    br_loops(o->f, loops, count);
    for (size_t i = 0; i < count && !cut && *tries < MAX_TRIES; i++) {
        LLVMBasicBlockRef head = br_loop_header(loops[i]);
        if (head == done || !way->may(o, loops[i]))
            continue;
        ++*tries;
        if (try_cut(o, way, &head))
            cut = head;
    }
    free(loops);
    return cut;
}

/* Outer loops are cut before inner ones. */
static bool cut_all(offload *o, const cut_way *list, size_t count, int most) {
    LLVMBasicBlockRef cut = NULL;
    bool changed = false;
    int tries = MAX_TRIES - most;
    for (size_t i = 0; i < count; i++)
        while ((cut = cut_next(o, &list[i], cut, &tries)))
            changed = true;
    return changed;
}

#define SIZE(list) (sizeof(list) / sizeof *(list))

static bool is_chosen(const offload *o) {
    bool is = false;
    for (size_t i = 0; i < o->nchosen; i++)
        is |= o->chosen[i] == o->function;
    return is;
}

static bool cut_one(offload *o, const cut_way *list, size_t count) {
    bool changed = false;
    int tries = MAX_TRIES - MAX_MODES;
    for (size_t i = 0; i < count && !changed; i++)
        changed = cut_next(o, &list[i], NULL, &tries) != NULL;
    if (changed) {
        o->chosen = realloc(o->chosen, (o->nchosen + 1) * sizeof(LLVMValueRef));
        o->chosen[o->nchosen++] = o->function;
    }
    return changed;
}

/* Would the nest with this head be offloaded, with its time loop or alone? */
static bool takes_nest(offload *o, const prep_shadow *shadow, LLVMBasicBlockRef head) {
    o->probes_nest = true;
    bool takes = would_offload_shadow(o, shadow, head) || sequence_takes(o, shadow, head);
    o->probes_nest = false;
    return takes;
}

/* Guards a nest that is offloaded without its checks, or its tables. */
static bool guard_nest(offload *o, LLVMBasicBlockRef head, cut_change *change) {
    prep_shadow shadow;
    if (!prep_make_shadow(&shadow, o->f))
        return false;
    LLVMBasicBlockRef copy = change(&shadow, br_function_copied(shadow.f, head));
    bool good = copy && (o->count_sweeps(shadow.f, shadow.function, o->math) >
                             o->count_sweeps(o->f, o->function, o->math) ||
                         takes_nest(o, &shadow, copy));
    if (good)
        prep_adopt_shadow(&shadow, o->f);
    prep_drop_shadow(&shadow);
    return good;
}

/* Do threads of OpenMP share the loops of the function? */
static bool shares_loops(LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (host_calls(i, "__kmpc_"))
                return true;
    return false;
}

/* Is it a whole nest that calls mathematical functions in its cells? Each thread of a team would
 * have a table of its own. */
static bool has_lookups(offload *o, br_loop l) {
    br_loop in = prep_calling_loop(o->f, l);
    return in && host_nest_around(o->f, in) == l && !shares_loops(o->function);
}

/* Does it load addresses under a condition, and is it not offloaded as it is? In other loops it may
 * be a sweep of a step, which a search would part. */
static bool has_hidden(offload *o, br_loop l) {
    prep_shadow shadow;
    if (br_loop_parent(l) || !prep_has_hidden(o->f, l) || !prep_make_shadow(&shadow, o->f))
        return false;
    o->probes_nest = true;
    LLVMBasicBlockRef head = br_function_copied(shadow.f, br_loop_header(l));
    bool hidden = !would_offload_shadow(o, &shadow, head);
    o->probes_nest = false;
    prep_drop_shadow(&shadow);
    return hidden;
}

/* Is it a whole nest, over the cells of a lattice? */
static bool has_directions(offload *o, br_loop l) {
    br_loop in = prep_directions(o->f, l);
    return in && host_nest_around(o->f, in) == l;
}

static cut_change *guard_for(offload *o, br_loop l) {
    return prep_has_checks(o->f, l)                      ? prep_guard_checks
           : has_neighbours(o, l)                        ? prep_guard_neighbours
           : has_nests(l) && prep_has_quotients(o->f, l) ? prep_choose_modes
           : has_lookups(o, l)                           ? prep_look_calls_up
           : has_directions(o, l)                        ? prep_unroll_directions
           : has_hidden(o, l)                            ? prep_find_hidden
                                                         : NULL;
}

/* Of nests that no time loop has taken with it, from the outermost loop on. */
static bool guard_nests(offload *o) {
    bool more = true, any = false;
    for (int tries = 0; more && tries < MAX_TRIES;) {
        size_t count = br_loops(o->f, NULL, 0);
        br_loop *loops = malloc((count + 1) * sizeof *loops);
        br_loops(o->f, loops, count);
        more = false;
        for (size_t i = 0; i < count && !more && tries < MAX_TRIES; i++) {
            LLVMBasicBlockRef head = br_loop_header(loops[i]);
            cut_change *change = guard_for(o, loops[i]);
            if (!change)
                continue;
            tries++;
            more = guard_nest(o, head, change);
        }
        free(loops);
        any |= more;
    }
    return any;
}

/* Would the runtime be asked for a sweep of so many cells? */
static LLVMValueRef build_ready(LLVMBuilderRef b, LLVMModuleRef m, LLVMValueRef cells) {
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(cells), 1, false), args[] = {cells, one, one, one};
    if (!enter_add_functions(m)) {
        prep_forget_tables(m);
        return LLVMConstInt(LLVMInt1TypeInContext(LLVMGetModuleContext(m)), 0, false);
    }
    LLVMValueRef f = enter_ready(m);
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, 4, "");
}

/* Tables are made only where the runtime is asked. */
static void test_worth(LLVMModuleRef m) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
    for (LLVMValueRef mark; (mark = prep_next_worthwhile(m));) {
        LLVMPositionBuilderBefore(b, mark);
        LLVMReplaceAllUsesWith(mark, build_ready(b, m, LLVMGetOperand(mark, 0)));
        LLVMInstructionEraseFromParent(mark);
    }
    LLVMDisposeBuilder(b);
    prep_drop_tables(m);
}

bool pieces_stays(br_loop l) {
    return prep_is_guarded(l) || prep_is_search(l);
}

bool pieces_cut(offload *o) {
    if (is_chosen(o))
        return false;
    bool changed = cut_all(o, ways, SIZE(ways), MAX_TRIES);
    changed |= cut_all(o, gathers, SIZE(gathers), MAX_GATHERS);
    changed |= cut_one(o, modes, SIZE(modes));
    changed |= guard_nests(o);
    prep_drop_holds(o->m);
    prep_drop_alike(o->m);
    test_worth(o->m);
    return changed;
}

bool pieces_inline(offload *o) {
    bool changed = cut_all(o, calls, SIZE(calls), MAX_TRIES);
    changed |= cut_all(o, called_gathers, SIZE(called_gathers), MAX_GATHERS);
    return cut_one(o, called_modes, SIZE(called_modes)) || changed;
}
