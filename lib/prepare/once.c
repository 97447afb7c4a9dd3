/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop that does something once, and remembers in memory that it has done, as a clock that
 * counts from its first reading:
 *
 *     for (t = 0; t < T; t++) {            if (base >= 0)
 *         if (base < 0)                        for (t = 0; t < T; t++) sweep(b, a);
 *             base = now();        ->      else
 *         sweep(b, a);                         for (t = 0; t < T; t++) { as it was }
 *     }
 *
 * In a shadow a copy of the loop runs where the memory says in front of it that the work is done.
 * There it stays done: the copy has nothing that may write that memory, since all such instructions
 * of the loop are where control comes only if the memory says otherwise. Each of these tests is
 * computed of this memory, and of what does not change in the loop.
 */
#include "prepare/once.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "model/fixed_limits.h"
#include "prepare/hoist.h"
#include "prepare/modes.h"
#include "prepare/sequence.h"
#include "prepare/timers.h"

#include <stdlib.h>

enum {
    MAX_BLOCKS = ST_LIMIT(512, 8),
    MAX_TESTS = ST_LIMIT(32, 2),
    MAX_LOADS = ST_LIMIT(64, 2),
    MAX_SLICE = 8,
    MAX_ROUNDS = 4 /* memories */
};

/* A branch that goes past the work if the memory says that it is done. */
typedef struct test {
    LLVMValueRef branch;
    unsigned work; /* the successor that does the work */
} test;

typedef struct once {
    br_function *f;
    br_loop l;
    LLVMBasicBlockRef own[MAX_BLOCKS], copy[MAX_BLOCKS];
    size_t blocks;
    LLVMValueRef load[MAX_LOADS]; /* of the memory, in the loop */
    size_t loads;
    test test[MAX_TESTS];
    size_t tests;
} once;

static bool describe(once *o, br_function *f, br_loop l) {
    o->f = f;
    o->l = l;
    o->blocks = br_loop_blocks(l, o->own, MAX_BLOCKS);
    o->loads = o->tests = 0;
    return o->blocks <= MAX_BLOCKS && br_loop_latch(l);
}

static bool is_in(const once *o, LLVMValueRef v) {
    return LLVMIsAInstruction(v) && host_in_loop(o->l, v);
}

static bool is_pure(LLVMValueRef v) {
    return LLVMIsACmpInst(v) || LLVMIsACastInst(v) || LLVMIsAFreezeInst(v) ||
           LLVMGetInstructionOpcode(v) == LLVMAnd;
}

/* The one load in the loop of which the value is computed. NULL: it is computed of more. */
static LLVMValueRef computed_of(const once *o, LLVMValueRef v, int *left) {
    LLVMValueRef load = NULL;
    if (--*left < 0 || !is_in(o, v))
        return NULL;
    if (LLVMIsALoadInst(v))
        return host_is_plain(v) && !host_in_loop(o->l, LLVMGetOperand(v, 0)) ? v : NULL;
    for (int i = 0; is_pure(v) && i < LLVMGetNumOperands(v); i++) {
        LLVMValueRef of = LLVMGetOperand(v, (unsigned)i);
        if (!is_in(o, of))
            continue;
        LLVMValueRef next = computed_of(o, of, left);
        if (!next || (load && load != next))
            return NULL;
        load = next;
    }
    return load;
}

static bool is_same_memory(LLVMValueRef a, LLVMValueRef b) {
    return LLVMGetOperand(a, 0) == LLVMGetOperand(b, 0) && LLVMTypeOf(a) == LLVMTypeOf(b);
}

/* May the instruction write what is loaded? A clock writes the time alone. */
static bool may_write(const once *o, LLVMValueRef i, LLVMValueRef load) {
    return br_may_write(i) && !host_writes_errno_alone(i, load) &&
           !prep_is_clock_beside(i, host_base_of(LLVMGetOperand(load, 0))) &&
           br_may_ever_change(o->f, i, load);
}

/* Does control come to block `to` from block `from` alone, and by one way? */
static bool comes_from(LLVMBasicBlockRef to, LLVMBasicBlockRef from) {
    bool only = true;
    int ways = 0;
    LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(to));
    for (; u && only; u = LLVMGetNextUse(u), ways++)
        only = LLVMGetInstructionParent(LLVMGetUser(u)) == from;
    return only && ways == 1;
}

/* Does control come to the block only by this way of the branch? */
static bool is_behind(const once *o, const test *t, LLVMBasicBlockRef b) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(t->branch);
    LLVMBasicBlockRef to = LLVMGetSuccessor(t->branch, t->work);
    return comes_from(to, from) && br_dominates(o->f, to, b);
}

static bool is_work(const once *o, LLVMBasicBlockRef b) {
    bool is = false;
    for (size_t i = 0; i < o->tests && !is; i++)
        is = is_behind(o, &o->test[i], b);
    return is;
}

/* Is this way of the branch the only one to an instruction that may write what is loaded? */
static bool leads_to_writer(const once *o, const test *t, LLVMValueRef load) {
    for (size_t b = 0; b < o->blocks; b++) {
        if (!is_behind(o, t, o->own[b]))
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(o->own[b]); i; i = LLVMGetNextInstruction(i))
            if (may_write(o, i, load))
                return true;
    }
    return false;
}

/* Lists the tests of what is loaded that lead to work, and the loads. False: there are too many. */
static bool find_tests(once *o, LLVMValueRef load) {
    o->tests = o->loads = 0;
    for (size_t b = 0; b < o->blocks; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(o->own[b]);
        for (LLVMValueRef i = LLVMGetFirstInstruction(o->own[b]); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsALoadInst(i) && is_same_memory(i, load)) {
                if (o->loads == MAX_LOADS || !host_is_plain(i))
                    return false;
                o->load[o->loads++] = i;
            }
        int left = MAX_SLICE;
        LLVMValueRef of =
            br_is_conditional(end) ? computed_of(o, LLVMGetCondition(end), &left) : NULL;
        if (!of || !is_same_memory(of, load) || o->tests == MAX_TESTS)
            continue;
        test *t = &o->test[o->tests];
        for (*t = (test){end, 0}; t->work < 2 && !leads_to_writer(o, t, load);)
            t->work++;
        o->tests += t->work < 2;
    }
    return o->tests > 0;
}

/* Are all instructions that may write what is loaded behind the tests? */
static bool writes_once(const once *o, LLVMValueRef load) {
    for (size_t b = 0; b < o->blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(o->own[b]); i; i = LLVMGetNextInstruction(i))
            if (may_write(o, i, load) && !is_work(o, o->own[b]))
                return false;
    return true;
}

/* Can the memory be read in front of the loop? */
static bool is_there(const once *o, LLVMValueRef load) {
    LLVMValueRef function = LLVMGetBasicBlockParent(o->own[0]);
    return br_is_always_there(load) || prep_is_passed(o->f, o->l, LLVMGetInstructionParent(load)) ||
           prep_is_loaded_before(o->f, function, o->l, load);
}

/* Finds memory that says whether the work is done. */
static bool find(once *o) {
    for (size_t b = 0; b < o->blocks; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(o->own[b]);
        int left = MAX_SLICE;
        if (!br_is_conditional(end) || br_loop_of(o->f, o->own[b]) != o->l)
            continue;
        LLVMValueRef load = computed_of(o, LLVMGetCondition(end), &left);
        if (load && is_there(o, load) && find_tests(o, load) && writes_once(o, load))
            return true;
    }
    return false;
}

bool prep_has_once(br_function *f, br_loop l) {
    once *o = calloc(1, sizeof *o);
    bool has = describe(o, f, l) && find(o);
    free(o);
    return has;
}

/* Computes the value in front of the loop, with `known` for what is loaded. */
static LLVMValueRef compute(const once *o, LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef known) {
    if (!is_in(o, v))
        return v;
    if (LLVMIsALoadInst(v))
        return known;
    LLVMValueRef copy = LLVMInstructionClone(v);
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        LLVMSetOperand(copy, (unsigned)i, compute(o, b, LLVMGetOperand(v, (unsigned)i), known));
    LLVMInsertIntoBuilder(b, copy);
    br_drop_promises(copy);
    return copy;
}

/* Do all tests go past the work? */
static LLVMValueRef emit_done(const once *o, LLVMBuilderRef b, LLVMValueRef known) {
    LLVMValueRef all = NULL;
    for (size_t i = 0; i < o->tests; i++) {
        LLVMValueRef c = compute(o, b, LLVMGetCondition(o->test[i].branch), known);
        c = LLVMBuildFreeze(b, c, "");
        c = o->test[i].work == 0 ? LLVMBuildNot(b, c, "") : c;
        all = all ? LLVMBuildAnd(b, all, c, "") : c;
    }
    return all;
}

static LLVMBasicBlockRef copy_of(const once *o, LLVMValueRef i) {
    LLVMBasicBlockRef b = LLVMGetInstructionParent(i);
    size_t k = 0;
    while (o->own[k] != b)
        k++;
    return o->copy[k];
}

/* In the copy no test leads to work. */
static void decide(const once *o) {
    for (size_t i = 0; i < o->tests; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(copy_of(o, o->test[i].branch));
        LLVMTypeRef bit = LLVMTypeOf(LLVMGetCondition(end));
        LLVMSetCondition(end, LLVMConstInt(bit, o->test[i].work, false));
    }
}

/* The copy's loads give what was loaded in front of it. */
static void know(const once *o, LLVMValueRef known) {
    for (size_t i = 0; i < o->loads; i++) {
        LLVMBasicBlockRef b = copy_of(o, o->load[i]);
        for (LLVMValueRef k = LLVMGetFirstInstruction(b); k; k = LLVMGetNextInstruction(k))
            if (LLVMIsALoadInst(k) && is_same_memory(k, o->load[i]))
                LLVMReplaceAllUsesWith(k, known);
    }
}

static LLVMBasicBlockRef choose(once *o, prep_shadow *s, LLVMBasicBlockRef head) {
    LLVMBasicBlockRef before;
    size_t outs;
    br_loop l = prep_prepared_loop(s->f, head, &before);
    if (!l || !describe(o, s->f, l) || !find(o))
        return NULL;
    LLVMValueRef in_front = LLVMGetBasicBlockTerminator(before), load = o->load[0];
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(s->function)));
    prep_place(in_front, l);
    LLVMPositionBuilderBefore(b, in_front);
    LLVMValueRef known = LLVMBuildLoad2(b, LLVMTypeOf(load), LLVMGetOperand(load, 0), "");
    LLVMSetAlignment(known, LLVMGetAlignment(load));
    known = LLVMBuildFreeze(b, known, "");
    LLVMValueRef done = emit_done(o, b, known);
    LLVMDisposeBuilder(b);
    br_twin(before, o->own, o->blocks, done, o->copy, NULL, 0, &outs);
    decide(o);
    know(o, known);
    return o->copy[0];
}

LLVMBasicBlockRef prep_choose_done(prep_shadow *s, LLVMBasicBlockRef head) {
    once *o = calloc(1, sizeof *o);
    LLVMBasicBlockRef copy = choose(o, s, head), chosen = NULL;
    for (int round = 0; copy && round < MAX_ROUNDS; round++) {
        chosen = prep_simplify(s, copy) ? copy : NULL;
        copy = chosen ? choose(o, s, chosen) : NULL;
    }
    free(o);
    return copy ? NULL : chosen;
}
