/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arrays of a length known at run time that each iteration of a time loop has on the stack, as the
 * automatic arrays of a subroutine of Fortran, or arrays of variable length in C, where LLVM put
 * the subroutine in the place of its call:
 *
 *     for (t = 0; t < T; t++) {              here = stacksave(), w = alloca(n * m)
 *         here = stacksave()                 for (t = 0; t < T; t++) {
 *         w = alloca(n * m)           ->         sweeps of w
 *         sweeps of w                        }
 *         stackrestore(here)                 stackrestore(here)
 *     }
 *
 * This is legal if each iteration passes all three in this order, and the length does not change in
 * the loop. An array has no value when it begins, and nobody may use it when it is gone, so one
 * array serves all iterations. The loop is one that tests its condition at the end: an array that
 * is made in front of it is made by the first iteration, too. The arrays of a loop that is in no
 * other loop stay on the stack until the function ends.
 */
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "prepare/hoist.h"
#include "prepare/whole.h"

#include <stdlib.h>

enum { MAX_ARRAYS = ST_LIMIT(64, 2), MAX_SAVES = 16, MAX_EXITS = 8 };

typedef struct arrays {
    br_function *f;
    br_loop l;
    LLVMValueRef array[MAX_ARRAYS], save[MAX_SAVES], restore[MAX_SAVES];
    int count, saves;
    LLVMBasicBlockRef exit[MAX_EXITS];
    int exits;
} arrays;

/* Does each iteration pass the instruction once? */
static bool is_passed(const arrays *a, LLVMValueRef i) {
    LLVMBasicBlockRef b = LLVMGetInstructionParent(i);
    return br_loop_of(a->f, b) == a->l && prep_is_passed(a->f, a->l, b);
}

/* The only use of what was saved. */
static LLVMValueRef restore_of(LLVMValueRef save) {
    LLVMUseRef u = LLVMGetFirstUse(save);
    LLVMValueRef user = u && !LLVMGetNextUse(u) ? LLVMGetUser(u) : NULL;
    return user && host_calls(user, "llvm.stackrestore.") ? user : NULL;
}

/* False: it is not one of those that are understood. */
static bool add(arrays *a, LLVMValueRef i) {
    if (LLVMIsAAllocaInst(i)) {
        if (a->count == MAX_ARRAYS || !is_passed(a, i) || host_in_loop(a->l, LLVMGetOperand(i, 0)))
            return false;
        a->array[a->count++] = i;
    } else if (host_calls(i, "llvm.stacksave.")) {
        LLVMValueRef restore = restore_of(i);
        if (a->saves == MAX_SAVES || !restore || !is_passed(a, i) || !host_in_loop(a->l, restore) ||
            !is_passed(a, restore))
            return false;
        a->save[a->saves] = i;
        a->restore[a->saves++] = restore;
    }
    return true;
}

/* Is the array between a save and its restore? */
static bool is_gone(const arrays *a, LLVMValueRef array) {
    bool gone = false;
    for (int k = 0; k < a->saves; k++)
        gone |=
            br_comes_first(a->f, a->save[k], array) && br_comes_first(a->f, array, a->restore[k]);
    return gone;
}

/* Does control come to the block from the loop alone? */
static bool is_own_exit(const arrays *a, LLVMBasicBlockRef exit) {
    bool own = true;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(exit)); u; u = LLVMGetNextUse(u))
        own &= LLVMIsAInstruction(LLVMGetUser(u)) && host_in_loop(a->l, LLVMGetUser(u));
    return own;
}

/* Finds where control goes on when it leaves a loop that is in another one. False: it comes there
 * from elsewhere, too. */
static bool find_exits(arrays *a) {
    LLVMBasicBlockRef b;
    for (size_t k = 0; br_loop_parent(a->l) && (b = br_loop_block(a->l, k)); k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
            if (br_loop_contains(a->l, to) || host_lists_block(a->exit, (size_t)a->exits, to))
                continue;
            if (a->exits == MAX_EXITS || !is_own_exit(a, to))
                return false;
            a->exit[a->exits++] = to;
        }
    }
    return true;
}

static bool find_arrays(arrays *a) {
    LLVMBasicBlockRef b;
    for (size_t k = 0; (b = br_loop_block(a->l, k)); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!add(a, i))
                return false;
    bool all = a->count > 0;
    for (int k = 0; k < a->count && all; k++)
        all = is_gone(a, a->array[k]);
    return all && find_exits(a);
}

static void move_here(LLVMBuilderRef b, LLVMValueRef i) {
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilder(b, i);
}

/* Moves the arrays in front of the loop, and has them end where the loop ends. */
static void lift(arrays *a, LLVMBasicBlockRef before) {
    LLVMValueRef in_front = LLVMGetBasicBlockTerminator(before);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(a->array[0])));
    LLVMPositionBuilderBefore(b, in_front);
    if (a->exits)
        move_here(b, a->save[0]);
    for (int k = 0; k < a->count; k++)
        move_here(b, a->array[k]);
    for (int k = 0; k < a->exits; k++) {
        LLVMValueRef restore = LLVMInstructionClone(a->restore[0]);
        LLVMPositionBuilderBefore(b, host_first_after_phis(a->exit[k]));
        LLVMInsertIntoBuilder(b, restore);
    }
    for (int k = 0; k < a->saves; k++) {
        LLVMInstructionEraseFromParent(a->restore[k]);
        if (k > 0 || !a->exits)
            LLVMInstructionEraseFromParent(a->save[k]);
    }
    LLVMDisposeBuilder(b);
}

/* Has the loop such an array, as far as a look at its own blocks tells? */
static bool may_have(br_loop l) {
    LLVMBasicBlockRef b;
    bool has = false;
    for (size_t k = 0; !has && (b = br_loop_block(l, k)); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !has; i = LLVMGetNextInstruction(i))
            has = LLVMIsAAllocaInst(i) != NULL;
    return has;
}

static bool lift_from(br_function *f, br_loop l) {
    br_loop child;
    if (br_loop_children(l, &child, 1) == 0 || !may_have(l) || host_tests_first(l))
        return false;
    arrays *a = calloc(1, sizeof *a);
    a->f = f;
    a->l = l;
    LLVMBasicBlockRef before = br_loop_prepare(f, l); /* and exits of its own */
    bool lifted = before && find_arrays(a);
    if (lifted)
        lift(a, before);
    free(a);
    return before != NULL;
}

bool prep_lift_arrays(br_function *f) {
    size_t count = br_loops(f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    bool changed = false;
    br_loops(f, loops, count);
    for (size_t i = 0; i < count; i++)
        changed |= lift_from(f, loops[i]);
    free(loops);
    return changed;
}
