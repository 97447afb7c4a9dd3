/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop that is left in two places, one of them in front of its sweeps:
 *
 *     do {                                 if (d > *limit)
 *         if (!(d > *limit))                   do {
 *             break;                               sweep(b, a), d = change(b, a);
 *         sweep(b, a), d = change(b, a);  ->       if (!(t < T))
 *     } while (t < T);                                 break;
 *                                              } while (d > *limit);
 *
 * LLVM makes that of `while (t < T && d > *limit)`: it turns a loop once, by its first test, and
 * may not load the limit before that test. OpenMP's regions may have such loops, too. The program
 * makes the same tests in the same order: the first one in front of the loop, all others behind the
 * sweeps of the step before.
 */
#include "prepare/turned.h"
#include "detect/common/calls.h"
#include "prepare/sequence.h"

enum { MAX_HEAD = 64 }; /* the most instructions that are copied */

/* Is the block left for a place outside the loop? */
static bool leaves(br_loop l, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    return br_is_conditional(end) && br_loop_contains(l, LLVMGetSuccessor(end, 0)) !=
                                         br_loop_contains(l, LLVMGetSuccessor(end, 1));
}

/* Does the block only test something? */
static bool only_tests(LLVMBasicBlockRef block) {
    bool only = true;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && only; i = LLVMGetNextInstruction(i))
        only = !br_may_write(i) || host_is_annotation(host_callee_name(i));
    return only;
}

bool prep_has_front_exit(br_function *f, br_loop l) {
    LLVMBasicBlockRef head = br_loop_header(l), latch = br_loop_latch(l);
    br_loop child;
    (void)f;
    return latch && latch != head && br_loop_children(l, &child, 1) && leaves(l, head) &&
           leaves(l, latch) && only_tests(head);
}

LLVMBasicBlockRef prep_turn_loop(prep_shadow *s, LLVMBasicBlockRef head) {
    br_loop l = prep_loop_at(s->f, head);
    if (!l || !prep_has_front_exit(s->f, l))
        return NULL;
    LLVMBasicBlockRef turned = br_loop_rotate(s->f, l, MAX_HEAD);
    bool good = turned && prep_run_passes(s->function, "instsimplify"); /* phis of one value */
    s->body = LLVMGetEntryBasicBlock(s->function);
    br_function_invalidate(s->f);
    return good ? turned : NULL;
}
