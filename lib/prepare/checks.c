/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Checks that end the program where they fail, such as an assertion or at(), made once:
 *
 *     for (i = 1; i < n; i++) {              if (1 >= 0 && n - 1 < size)
 *         if (i < 0 || i >= size)                for (i = 1; i < n; i++) sweep(a[i]);
 *             abort();                 ->    else
 *         sweep(a[i]);                           for (i = 1; i < n; i++) { as it was }
 *     }
 *
 * A check may also report an index that is out of range and go on: any call of which nothing is
 * known, in a cell. In a shadow a copy of the loop has no checks. The copy runs where a condition
 * in front of the loop shows that no check fails, in any iteration of the loops that are counted in
 * the check. Otherwise the loop runs as it was, and fails where it did.
 *
 * What a check compares must be a sum of multiples of the loops' counters: see guard.c. Sizes that
 * the loop reads again and again are read in front of the copy, if the condition shows that no
 * store of the loop is there.
 */
#include "prepare/checks.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "model/fixed_limits.h"
#include "prepare/early.h"
#include "prepare/grows.h"
#include "prepare/guard.h"
#include "prepare/sequence.h"

#include <stdlib.h>

enum {
    MAX_BLOCKS = ST_LIMIT(512, 8),
    MAX_CHECKS = ST_LIMIT(128, 2),
    MAX_LOADS = ST_LIMIT(32, 2),
    MAX_PARTS = 8
};

typedef struct check {
    size_t at;   /* the number of its block */
    bool passes; /* goes on where its condition is that */
} check;

typedef struct checks {
    prep_guard g; /* of the copy */
    LLVMBasicBlockRef own[MAX_BLOCKS], copy[MAX_BLOCKS];
    size_t blocks, count;
    check check[MAX_CHECKS];
    LLVMValueRef load[MAX_LOADS]; /* made in front of the copy */
    size_t nloads;
    bool grows; /* blocks are left out in which vectors grow */
} checks;

/* Loops of which there is such a copy */

static const char mark[] = "stencilopt.guarded";

static LLVMValueRef branch_back(br_loop l, unsigned *kind) {
    LLVMBasicBlockRef latch = br_loop_latch(l);
    LLVMValueRef end = latch ? LLVMGetBasicBlockTerminator(latch) : NULL;
    *kind =
        end ? LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(end)), mark, sizeof mark - 1)
            : 0;
    return end;
}

bool prep_is_guarded(br_loop l) {
    bool is = false;
    unsigned kind;
    for (; l && !is; l = br_loop_parent(l)) {
        LLVMValueRef end = branch_back(l, &kind);
        is = end && LLVMGetMetadata(end, kind);
    }
    return is;
}

void prep_leave_loop(LLVMValueRef back) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(back));
    unsigned kind = LLVMGetMDKindIDInContext(c, mark, sizeof mark - 1);
    LLVMSetMetadata(back, kind, LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, NULL, 0)));
}

void prep_set_guarded(br_loop l) {
    unsigned kind;
    prep_leave_loop(branch_back(l, &kind));
}

/* Which checks there are */

/* Does control only come to the end of the program, or to a function that throws, if the branch
 * goes this way? */
static bool fails(LLVMValueRef branch, unsigned way) {
    LLVMValueRef end =
        br_end_of_program(LLVMGetSuccessor(branch, way), LLVMGetSuccessor(branch, !way));
    return end && !LLVMIsAUnreachableInst(end);
}

static bool has_unknown_call(LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        const char *name = host_callee_name(i);
        if ((LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && br_may_write(i) &&
            !host_is_annotation(name) && !host_is_operation(name) && !host_sets_errno(name))
            return true;
    }
    return false;
}

/* Is the block in a nest's innermost loop, which stores, and calls what is not known? */
static bool is_report(br_function *f, LLVMBasicBlockRef block) {
    br_loop child, in = br_loop_of(f, block);
    return in && br_loop_parent(in) && !br_loop_children(in, &child, 1) && host_first_store(in) &&
           has_unknown_call(block);
}

/* Does the branch lead to such a block, as where an index that is out of range is reported? *on:
 * whether it does not where its condition holds. */
static bool reports(br_function *f, LLVMValueRef branch, bool *on) {
    br_loop in = br_loop_of(f, LLVMGetInstructionParent(branch));
    LLVMBasicBlockRef yes = LLVMGetSuccessor(branch, 0), no = LLVMGetSuccessor(branch, 1);
    if (!in || !br_loop_contains(in, yes) || !br_loop_contains(in, no))
        return false;
    *on = is_report(f, no);
    return *on != is_report(f, yes);
}

/* Does the step itself, not a nest of it, assign a vector that may be too small? */
static bool grows(br_function *f, br_loop l, LLVMBasicBlockRef block, bool *on) {
    return br_loop_of(f, block) == l && prep_grows(LLVMGetBasicBlockTerminator(block), on);
}

/* Takes the ways on which vectors grow out of the blocks. */
static void leave_out_growth(checks *c, br_loop l) {
    bool on;
    for (size_t i = 0; i < c->blocks; i++) {
        if (!grows(c->g.f, l, c->own[i], &on))
            continue;
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(c->own[i]);
        c->blocks = prep_leave_out_growth(branch, c->own, c->blocks);
        c->grows = true;
    }
}

/* May a block of the copy throw? A way to where that is caught has no room for a block between. */
static bool throws(const checks *c) {
    bool any = false;
    for (size_t i = 0; i < c->blocks; i++)
        any |= LLVMIsAInvokeInst(LLVMGetBasicBlockTerminator(c->own[i])) != NULL;
    return any;
}

/* Is the test how many elements a vector has one that comes behind another of its room? */
static bool grows_behind(br_function *f, br_loop l, LLVMBasicBlockRef block, bool *on) {
    LLVMBasicBlockRef from = host_only_predecessor(block);
    bool fits;
    return from && grows(f, l, from, &fits) &&
           prep_grows_behind(LLVMGetBasicBlockTerminator(from), on) ==
               LLVMGetBasicBlockTerminator(block);
}

/* Fills in the checks of the loop. False: there are none, or it is left in other ways beside its
 * count. */
static bool find_checks(checks *c, br_loop l) {
    c->count = 0;
    leave_out_growth(c, l);
    LLVMBasicBlockRef last = br_loop_ends_program(l) ? br_loop_latch(l) : NULL; /* counts */
    for (size_t i = 0; i < c->blocks && c->count < MAX_CHECKS; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(c->own[i]);
        if (!br_is_conditional(end) || c->own[i] == last)
            continue;
        bool no = fails(end, 1);
        if (no != fails(end, 0) || reports(c->g.f, end, &no))
            c->check[c->count++] = (check){i, no};
        else if (grows(c->g.f, l, c->own[i], &no) || grows_behind(c->g.f, l, c->own[i], &no))
            c->check[c->count++] = (check){i, no};
    }
    return c->count > 0 && c->count < MAX_CHECKS && !throws(c);
}

static bool has_reports(br_function *f, br_loop l) {
    LLVMBasicBlockRef block;
    bool has = false, on;
    for (size_t b = 0; !has && (block = br_loop_block(l, b)); b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        has = br_is_conditional(end) && reports(f, end, &on);
    }
    return has;
}

static bool has_growth(br_function *f, br_loop l) {
    LLVMBasicBlockRef block;
    bool has = false, on;
    for (size_t b = 0; !has && (block = br_loop_block(l, b)); b++)
        has = grows(f, l, block, &on);
    return has;
}

bool prep_has_checks(br_function *f, br_loop l) {
    return br_loop_latch(l) && !prep_is_guarded(l) &&
           (br_loop_failing_exit(l) || has_reports(f, l) || has_growth(f, l));
}

/* Makes the copies of checks branches that always go on. */
static void remove_checks(const checks *c) {
    for (size_t i = 0; i < c->count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(c->copy[c->check[i].at]);
        LLVMBasicBlockRef on = LLVMGetSuccessor(end, !c->check[i].passes);
        LLVMPositionBuilderBefore(c->g.b, end);
        LLVMBuildBr(c->g.b, on);
        LLVMInstructionEraseFromParent(end);
    }
}

static bool require_checks(checks *c, const LLVMValueRef *conditions) {
    LLVMPositionBuilderBefore(c->g.b, c->g.in_front);
    bool good = true;
    for (size_t i = 0; i < c->count && good; i++)
        good = prep_guard_holds(&c->g, conditions[i], c->check[i].passes);
    for (size_t i = 0; i < c->nloads && good; i++)
        good = prep_guard_unchanged(&c->g, c->load[i]);
    return good && c->g.all;
}

/* The copy */

/* Does a check or an address that is stored to depend on the load? */
static bool is_needed(const checks *c, LLVMValueRef load, br_loop own) {
    bool is = false;
    for (size_t k = 0; k < c->count && !is; k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(c->own[c->check[k].at]);
        is = prep_is_part(load, LLVMGetCondition(end), own);
    }
    for (size_t b = 0; b < c->blocks && !is; b++)
        is = prep_is_for_store(load, c->own[b], own);
    return is;
}

/* Moves loads of the copy to the end of the block in front. What they load is there; that it does
 * not change is required later. */
static void move_loads(checks *c, br_loop own, LLVMBasicBlockRef before) {
    LLVMValueRef in_front = LLVMGetBasicBlockTerminator(before);
    for (size_t b = 0; b < c->blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(c->own[b]); i; i = LLVMGetNextInstruction(i))
            if (c->nloads < MAX_LOADS && LLVMIsALoadInst(i) && is_needed(c, i, own) &&
                prep_is_there_early(c->g.f, own, i))
                c->load[c->nloads++] = br_twin_of(c->own, c->blocks, c->copy, i);
    for (size_t i = 0; i < c->nloads; i++)
        br_load_earlier(c->load[i], in_front);
}

/* Makes the copy, and fills in what its checks test. Where it runs is not known yet. */
static LLVMValueRef copy_loop(checks *c, br_loop own, LLVMBasicBlockRef before,
                              LLVMValueRef *conditions) {
    size_t outs;
    LLVMTypeRef bit = LLVMInt1TypeInContext(LLVMGetTypeContext(c->g.wide));
    LLVMPositionBuilderBefore(c->g.b, LLVMGetBasicBlockTerminator(before));
    LLVMValueRef unknown = LLVMBuildFreeze(c->g.b, LLVMGetUndef(bit), "");
    br_twin(before, c->own, c->blocks, unknown, c->copy, NULL, 0, &outs);
    move_loads(c, own, before);
    for (size_t i = 0; i < c->count; i++)
        conditions[i] = LLVMGetCondition(LLVMGetBasicBlockTerminator(c->copy[c->check[i].at]));
    remove_checks(c);
    if (c->grows)
        prep_forget_growth(c->copy, c->blocks);
    prep_set_guarded(own);
    return unknown;
}

static LLVMBasicBlockRef guard(checks *c, prep_shadow *s, LLVMBasicBlockRef head) {
    LLVMValueRef conditions[MAX_CHECKS];
    LLVMBasicBlockRef before;
    br_loop l = prep_prepared_loop(s->f, head, &before);
    l = l && br_loop_latch(l) ? l : NULL;
    c->g.f = s->f;
    c->blocks = l ? br_loop_blocks(l, c->own, MAX_BLOCKS) : 0;
    if (c->blocks == 0 || c->blocks > MAX_BLOCKS || !find_checks(c, l))
        return NULL;
    c->g.wide = LLVMIntTypeInContext(LLVMGetTypeContext(LLVMTypeOf(s->function)), 128);
    LLVMValueRef chosen = copy_loop(c, l, before, conditions);
    br_function_invalidate(s->f);
    c->g.l = prep_loop_at(s->f, c->copy[0]);
    c->g.in_front = LLVMGetBasicBlockTerminator(before);
    if (!c->g.l || !require_checks(c, conditions))
        return NULL;
    if (c->grows)
        prep_copy_elements(&c->g, c->copy, c->blocks);
    LLVMReplaceAllUsesWith(chosen, c->g.all);
    br_function_invalidate(s->f);
    return c->copy[0];
}

LLVMBasicBlockRef prep_guard_checks(prep_shadow *s, LLVMBasicBlockRef head) {
    checks *c = calloc(1, sizeof *c);
    c->g.b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(s->function)));
    LLVMBasicBlockRef copy = guard(c, s, head);
    bool good = copy && prep_simplify(s, copy);
    LLVMDisposeBuilder(c->g.b);
    free(c);
    return good ? copy : NULL;
}
