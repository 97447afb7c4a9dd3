/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Mathematical functions in cells that the CPU computes before the sweep, because a GPU's have
 * other bits, or because they may set errno:
 *
 *     for (i..) for (j..)                      if (worthwhile && (t = memory))
 *         b[i][j] = f(a..) * sin(x[i][j]);         for (i..) for (j..) t[n] = sin(x[i][j]);
 *                                       ->         for (i..) for (j..) b[i][j] = f(a..) * t[n];
 *                                                  free(t);
 *                                              else
 *                                                  the nest as it was
 *
 * Legal if nothing that the calls need (needs.h) is written in the nest. The nest that fills the
 * tables is a copy in which only that is left, so it makes the same calls in the same order, and
 * errno is afterwards what it was. `n` counts the iterations of the loops around the call.
 *
 * It pays if a cell does more than the table costs: that is written, copied to the device and read
 * there. So a table needs a number of other accesses in a cell (LEAST_ACCESSES). Arguments must be
 * computed of few elements (MOST_LOADS), of arrays that no loop around the nest changes: the CPU
 * would compute what the device is to compute, and arrays would go to and fro. The program asks for
 * memory only if the sweep is so large that the runtime is asked, and there is a device.
 *
 * A time loop in whose nests cells look up entries of short tables, at an index of their own, is
 * changed in the same way, with a table of these entries. The nests that fill it are those of one
 * step. They need nothing that another step would have otherwise:
 *
 *     for (t..) {..                            for (i..) for (j..) t[n] = ca[id[i][j]];
 *         for (i..) for (j..)          ->      if (the steps write none of these entries)
 *             e[i][j] *= ca[id[i][j]];             for (t..) {.. e[i][j] *= t[n]; ..}
 *
 * extents.c makes the test. It pays, as the steps read the table again and again on the device.
 */
#include "prepare/lookups.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "prepare/checks.h"
#include "prepare/early.h"
#include "prepare/extents.h"
#include "prepare/sequence.h"

#include <stdlib.h>

enum {
    MAX_LOADS = ST_LIMIT(48, 2),
    LEAST_ACCESSES = 4, /* for each table: a store, a copy, two loads */
    MOST_LOADS = 2,     /* by which a call's arguments are computed */
    MOST_STEPS = 4096   /* of which it is told how large a time loop is */
};

typedef struct lookups {
    prep_tables t;
    LLVMValueRef load[MAX_LOADS]; /* made in front of the nest */
    size_t loads;
    prep_extents extents;
} lookups;

/* Whether it pays */

/* What else a cell loads and stores. */
static size_t count_accesses(const prep_tables *t) {
    size_t count = 0;
    for (size_t b = 0; b < t->blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(t->sweep[b]); i;
             i = LLVMGetNextInstruction(i))
            count += LLVMIsAStoreInst(i) || (LLVMIsALoadInst(i) && !prep_is_needed(&t->needs, i));
    return count;
}

/* The place that has the array's address, or the array. */
static LLVMValueRef array_of(LLVMValueRef address) {
    LLVMValueRef base = host_base_of(address);
    return LLVMIsALoadInst(base) ? LLVMGetOperand(base, 0) : base;
}

/* Does a loop around the nest write the array that is loaded from, or exchange it with another? The
 * CPU would then wait for it in each iteration. */
static bool changes_around(const prep_tables *t, LLVMValueRef load) {
    LLVMValueRef array = array_of(LLVMGetOperand(load, 0));
    br_loop around = br_loop_parent(t->g.l);
    LLVMBasicBlockRef b;
    while (around && br_loop_parent(around))
        around = br_loop_parent(around);
    bool changes = around && LLVMIsAPHINode(array) && host_in_loop(around, array);
    for (size_t k = 0; around && !changes && (b = br_loop_block(around, k)); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !changes;
             i = LLVMGetNextInstruction(i))
            changes = host_written(i) && array_of(host_written(i)) == array;
    return changes;
}

/* Do the calls depend on few elements of arrays, none of which changes around the nest? */
static bool are_settled(const prep_tables *t) {
    size_t loads = 0;
    bool settled = true;
    for (size_t k = 0; k < t->needs.arguments && settled; k++) {
        LLVMValueRef v = t->needs.value[k];
        loads += LLVMIsALoadInst(v) != NULL;
        settled = !LLVMIsALoadInst(v) || !changes_around(t, v);
    }
    return settled && loads <= MOST_LOADS * t->needs.calls;
}

static bool pays(const prep_tables *t) {
    return count_accesses(t) >= LEAST_ACCESSES * t->tables && are_settled(t);
}

/* Addresses and sizes */

/* Lists the loads that the value is computed of, in the loop, and that can be made in front of it.
 * The list of what calls need is not in use yet: it has the values that were looked at. */
static void list_loads(lookups *t, br_loop own, LLVMValueRef v) {
    prep_needs *seen = &t->t.needs;
    if (!host_in_loop(own, v) || prep_is_needed(seen, v) || seen->values == NEEDS_VALUES)
        return;
    seen->value[seen->values++] = v;
    if (LLVMIsALoadInst(v) && prep_is_there_early(t->t.g.f, own, v)) {
        if (t->loads < MAX_LOADS)
            t->load[t->loads++] = v;
        return;
    }
    for (int k = 0; k < LLVMGetNumOperands(v); k++)
        list_loads(t, own, LLVMGetOperand(v, (unsigned)k));
}

/* Loads of addresses and sizes move in front of the nest, in the copy: those by which places are
 * found that are stored to, arguments of calls, and where control goes. */
static void move_loads(lookups *t, br_loop own, LLVMBasicBlockRef before) {
    for (size_t b = 0; b < t->t.blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(t->t.own[b]); i;
             i = LLVMGetNextInstruction(i))
            if (LLVMIsAStoreInst(i))
                list_loads(t, own, LLVMGetOperand(i, 1));
            else if (br_is_conditional(i))
                list_loads(t, own, LLVMGetCondition(i));
            else if (prep_is_sought(&t->t.needs, t->t.g.f, i))
                list_loads(t, own, i);
    for (size_t k = 0; k < t->loads; k++)
        t->load[k] = br_twin_of(t->t.own, t->t.blocks, t->t.sweep, t->load[k]);
    for (size_t k = 0; k < t->loads; k++)
        br_load_earlier(t->load[k], LLVMGetBasicBlockTerminator(before));
}

static bool loads_stay(lookups *t) {
    bool good = true;
    for (size_t k = 0; k < t->loads && good; k++)
        good = prep_stays(&t->t.g, t->load[k]);
    return good;
}

/* Whether there is something to do */

br_loop prep_calling_loop(br_function *f, br_loop l) {
    LLVMBasicBlockRef b;
    br_loop in = NULL;
    for (size_t k = 0; host_tests_last(l) && !in && (b = br_loop_block(l, k)); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !in; i = LLVMGetNextInstruction(i))
            in = prep_is_library_call(i) ? br_loop_of(f, b) : NULL;
    return in && !prep_is_guarded(l) ? in : NULL;
}

/* Does the nest around it, in a loop, load an entry of a table, which the loop does not choose? */
static bool gathers(br_function *f, br_loop l, LLVMBasicBlockRef b) {
    br_loop own = br_loop_of(f, b);
    bool any = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && own != l && !any;
         i = LLVMGetNextInstruction(i))
        any = prep_is_gather(f, i);
    return any;
}

bool prep_has_gathers(br_function *f, br_loop l) {
    LLVMBasicBlockRef b;
    bool any = false;
    for (size_t k = 0; host_tests_last(l) && !any && (b = br_loop_block(l, k)); k++)
        any = gathers(f, l, b);
    return any && !prep_is_guarded(l);
}

/* The time loop's sweeps are so many more cells. */
static LLVMValueRef cells_of(prep_tables *t) {
    LLVMValueRef cells = t->table[0].cells, most = LLVMConstInt(t->i64, MOST_STEPS, false);
    LLVMValueRef steps =
        t->needs.steps ? prep_build_repeats(t->g.f, t->g.l, t->g.l, t->g.in_front, t->g.b) : NULL;
    if (!steps)
        return cells;
    LLVMValueRef less = LLVMBuildICmp(t->g.b, LLVMIntULT, steps, most, "");
    steps = LLVMBuildSelect(t->g.b, less, steps, most, "");
    steps = LLVMBuildAdd(t->g.b, steps, LLVMConstInt(t->i64, 1, false), "");
    return LLVMBuildMul(t->g.b, cells, steps, "");
}

static bool find_all(lookups *t) {
    prep_tables *all = &t->t;
    if (!loads_stay(t) || !prep_find_needs(&all->needs, &all->g))
        return false;
    prep_tables_list(all);
    return all->tables > 0 && (all->needs.steps || pays(all)) && prep_tables_number(all);
}

/* Makes the copy that becomes the sweep, which runs where there are tables. */
static bool look_up(lookups *t, br_loop own, LLVMBasicBlockRef before) {
    prep_tables *all = &t->t;
    LLVMTypeRef bit = LLVMInt1TypeInContext(LLVMGetTypeContext(all->i64));
    LLVMBasicBlockRef out;
    size_t outs;
    LLVMPositionBuilderBefore(all->g.b, LLVMGetBasicBlockTerminator(before));
    LLVMValueRef unknown = LLVMBuildFreeze(all->g.b, LLVMGetUndef(bit), "");
    LLVMBasicBlockRef in =
        br_twin(before, all->own, all->blocks, unknown, all->sweep, &out, 1, &outs);
    move_loads(t, own, before);
    prep_set_guarded(own);
    br_function_invalidate(all->g.f);
    all->g.l = prep_loop_at(all->g.f, all->sweep[0]);
    all->g.in_front = LLVMGetBasicBlockTerminator(before);
    LLVMPositionBuilderBefore(all->g.b, all->g.in_front);
    if (outs != 1 || !all->g.l || !find_all(t))
        return false;
    LLVMValueRef memory = prep_tables_ask(all, cells_of(all));
    LLVMReplaceAllUsesWith(
        unknown, LLVMBuildICmp(all->g.b, LLVMIntNE, memory, LLVMConstNull(LLVMTypeOf(memory)), ""));
    if (!prep_find_extents(&t->extents, all))
        return false;
    LLVMBasicBlockRef filled = prep_tables_fill(all, in, memory);
    if (!filled)
        return false;
    prep_tables_drop(all, out);
    return prep_test_extents(&t->extents, all, before, filled);
}

static bool look_up_in(lookups *t, prep_shadow *s, LLVMBasicBlockRef head) {
    LLVMBasicBlockRef before;
    br_loop l = prep_prepared_loop(s->f, head, &before);
    l = l && host_tests_last(l) ? l : NULL;
    t->t.blocks = l ? br_loop_blocks(l, t->t.own, TABLES_MAX_BLOCKS) : 0;
    t->t.g.f = s->f;
    t->t.g.wide = LLVMIntTypeInContext(LLVMGetTypeContext(t->t.i64), 128);
    bool good = t->t.blocks > 0 && t->t.blocks <= TABLES_MAX_BLOCKS && look_up(t, l, before);
    br_function_invalidate(s->f);
    if (good)
        br_function_fold(s->f);
    br_function_invalidate(s->f);
    return good;
}

static LLVMBasicBlockRef look_up_all(prep_shadow *s, LLVMBasicBlockRef head, bool steps) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(s->function));
    lookups *t = calloc(1, sizeof *t);
    t->t.g.b = LLVMCreateBuilderInContext(c);
    t->t.i64 = LLVMInt64TypeInContext(c);
    t->t.needs.steps = steps;
    LLVMBasicBlockRef copy = look_up_in(t, s, head) ? t->t.sweep[0] : NULL;
    LLVMDisposeBuilder(t->t.g.b);
    free(t);
    return copy;
}

LLVMBasicBlockRef prep_look_calls_up(prep_shadow *s, LLVMBasicBlockRef head) {
    return look_up_all(s, head, false);
}

LLVMBasicBlockRef prep_look_gathers_up(prep_shadow *s, LLVMBasicBlockRef head) {
    br_loop l = prep_loop_at(s->f, head);
    return l && prep_has_gathers(s->f, l) ? look_up_all(s, head, true) : NULL;
}
