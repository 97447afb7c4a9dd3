/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sweeps one after the other without a time loop, as sweep(a, b); sweep(b, a); sweep(a, b) once
 * they are inlined, or a time loop of few steps that LLVM unrolled, or in a loop that is no time
 * loop of theirs: taken for the one step of a time loop, so that arrays are copied once. A single
 * nest is taken so, too, if only a step of several sweeps may have it, such as a nest that writes
 * several arrays. In a shadow of the
 * function a loop of one iteration is put around nests that follow one another. It stays if they
 * then are a region together, until that is offloaded.
 */
#include "prepare/sequence.h"
#include "detect/common/flow.h"

#include <stdlib.h>

enum { MAX_REGION = 256, MAX_HOPS = 4 };

typedef struct prep_sequence {
    LLVMBasicBlockRef from, to, blocks[MAX_REGION]; /* blocks: those from `from` to `to` */
    size_t count;
    int nests;
    br_loop around; /* the loop that they are in; or NULL */
} prep_sequence;

static bool contains(const prep_sequence *s, LLVMBasicBlockRef b) {
    bool in = false;
    for (size_t i = 0; i < s->count; i++)
        in |= s->blocks[i] == b;
    return in;
}

br_loop prep_loop_at(br_function *f, LLVMBasicBlockRef head) {
    br_loop l = br_loop_of(f, head);
    return l && br_loop_header(l) == head ? l : NULL;
}

size_t prep_loops_there(br_function *f, br_loop l, LLVMBasicBlockRef of, br_loop **loops) {
    size_t all = br_loops(f, NULL, 0), count = 0;
    *loops = malloc((all + 1) * sizeof **loops);
    br_loops(f, *loops, all);
    for (size_t i = 0; i < all; i++) {
        LLVMBasicBlockRef head = br_loop_header((*loops)[i]);
        if (l ? br_loop_contains(l, head) : br_dominates(f, of, head))
            (*loops)[count++] = (*loops)[i];
    }
    return count;
}

br_loop prep_prepared_loop(br_function *f, LLVMBasicBlockRef head, LLVMBasicBlockRef *before) {
    br_loop l = prep_loop_at(f, head);
    *before = l ? br_loop_prepare(f, l) : NULL;
    br_function_invalidate(f);
    return *before ? prep_loop_at(f, head) : NULL;
}

LLVMValueRef prep_build_repeats(br_function *f, br_loop l, br_loop around, LLVMValueRef before,
                                LLVMBuilderRef b) {
    br_scev back = br_backedge_count(f, l);
    if (!back || br_scev_bits(f, back) > 64 || !br_scev_invariant(f, back, around) ||
        !br_scev_expandable(f, back, before))
        return NULL;
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(before)));
    LLVMValueRef count = br_scev_expand(f, br_scev_zext(f, back, 64), i64, before);
    LLVMPositionBuilderBefore(b, before);
    return LLVMIsConstant(count) ? count : LLVMBuildFreeze(b, count, "");
}

LLVMBasicBlockRef prep_entering_block(LLVMValueRef function, br_loop l) {
    LLVMBasicBlockRef only = NULL, b = LLVMGetFirstBasicBlock(function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned i = 0; !br_loop_contains(l, b) && i < LLVMGetNumSuccessors(end); i++) {
            if (LLVMGetSuccessor(end, i) != br_loop_header(l))
                continue;
            if (only && only != b)
                return NULL;
            only = b;
        }
    }
    return only;
}

/* Does control get from the end of `from` to `to`, whatever way, and into the blocks between from
 * nowhere else? */
static bool find_blocks(prep_sequence *s, LLVMValueRef function) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(s->from);
    s->count = 0;
    for (size_t next = 0;; next++) {
        unsigned successors = LLVMGetNumSuccessors(end);
        for (unsigned i = 0; i < successors; i++) {
            LLVMBasicBlockRef b = LLVMGetSuccessor(end, i);
            if (b == s->to || contains(s, b))
                continue;
            if (b == s->from || s->count == MAX_REGION ||
                (s->around && (!br_loop_contains(s->around, b) || b == br_loop_header(s->around))))
                return false;
            s->blocks[s->count++] = b;
        }
        if (successors == 0)
            return false;
        if (next == s->count)
            break;
        end = LLVMGetBasicBlockTerminator(s->blocks[next]);
    }
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        end = LLVMGetBasicBlockTerminator(b);
        for (unsigned i = 0; b != s->from && !contains(s, b) && i < LLVMGetNumSuccessors(end); i++)
            if (contains(s, LLVMGetSuccessor(end, i)))
                return false;
    }
    return true;
}

/* Does the block end in a branch on a condition that changes in the loop around the nests? */
static bool chooses(br_function *f, const prep_sequence *s, LLVMBasicBlockRef b) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    return s->around && br_loop_of(f, b) == s->around && br_is_conditional(end) &&
           !br_scev_invariant(f, br_scev_of(f, LLVMGetCondition(end)), s->around);
}

/* Do all nests run if the first one does? */
static bool run_together(br_function *f, const prep_sequence *s) {
    bool together = !chooses(f, s, s->from);
    for (size_t k = 0; k < s->count && together; k++)
        together = !chooses(f, s, s->blocks[k]);
    return together;
}

/* A call between the nests that may have effects: no step has such. */
static bool calls(br_function *f, const prep_sequence *s) {
    bool any = false;
    for (size_t k = 0; k < s->count && !any; k++) {
        LLVMValueRef i = LLVMGetFirstInstruction(s->blocks[k]);
        for (; br_loop_of(f, s->blocks[k]) == s->around && i && !any;
             i = LLVMGetNextInstruction(i)) {
            bool intrinsic = LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) &&
                             LLVMGetIntrinsicID(LLVMGetCalledValue(i));
            any = LLVMIsACallInst(i) && !intrinsic && br_may_write(i);
        }
    }
    return any;
}

/* The nests in it; 0 if there are other loops. */
static int count_nests(br_function *f, const prep_sequence *s, const prep_nests *n) {
    size_t count = br_loops(f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    int found = 0, all = 0;
    br_loops(f, loops, count);
    for (size_t i = 0; i < count; i++) {
        if (br_loop_parent(loops[i]) != s->around || !contains(s, br_loop_header(loops[i])))
            continue;
        all++;
        for (int k = 0; k < n->count; k++)
            found += n->head[k] == br_loop_header(loops[i]);
    }
    free(loops);
    return found == all ? found : 0;
}

/* May the sequence end at `to`? */
static bool may_follow(const prep_sequence *s) {
    return s->to != s->from && (!s->around || (br_loop_contains(s->around, s->to) &&
                                               br_loop_header(s->around) != s->to));
}

/* Finds the longest sequence that starts with nest `first`, behind block `from`. */
static void find_sequence(br_function *f, LLVMValueRef function, const prep_nests *n, int first,
                          int end, prep_sequence *best) {
    prep_sequence *s = calloc(1, sizeof *s);
    *s = *best;
    for (int k = first; k < end && s->from; k++) {
        br_loop last = prep_loop_at(f, n->head[k]);
        s->to = last ? br_loop_exit_block(last) : NULL;
        for (int hop = 0; s->to && may_follow(s) && hop < MAX_HOPS; hop++) {
            bool good = find_blocks(s, function) && !calls(f, s) && run_together(f, s);
            s->nests = good ? count_nests(f, s, n) : 0;
            bool within = s->nests <= end - first; /* of two ways of a branch, it may have both */
            if (within && s->nests > best->nests)
                *best = *s;
            LLVMValueRef end_of = LLVMGetBasicBlockTerminator(s->to);
            s->to = LLVMGetNumSuccessors(end_of) == 1 ? LLVMGetSuccessor(end_of, 0) : NULL;
        }
    }
    free(s);
}

static bool is_used_behind(const prep_sequence *s, LLVMValueRef i) {
    bool behind = false;
    for (LLVMUseRef u = LLVMGetFirstUse(i); u && !behind; u = LLVMGetNextUse(u))
        behind = !contains(s, LLVMGetInstructionParent(LLVMGetUser(u)));
    return behind;
}

/* Does what follows the nests, under the same condition as they, load what is used behind? So does
 * the end of a step that compares with a limit in memory. */
static bool loads_for_others(br_function *f, const prep_sequence *s) {
    bool loads = false;
    for (size_t k = 0; k < s->count && !loads; k++) {
        LLVMValueRef i = LLVMGetFirstInstruction(s->blocks[k]);
        for (; br_loop_of(f, s->blocks[k]) == s->around && i && !loads;
             i = LLVMGetNextInstruction(i))
            loads = LLVMIsALoadInst(i) && is_used_behind(s, i);
    }
    return loads;
}

/* If the first nest runs under a condition, more than the nests may run under it. So the sequence
 * is also sought behind a block of its own, in front of the first nest. */
static void find_guarded(br_function *f, LLVMValueRef function, const prep_nests *n, int first,
                         int end, prep_sequence *best) {
    prep_sequence *own = calloc(1, sizeof *own);
    br_loop l = prep_loop_at(f, n->head[first]);
    bool loads = loads_for_others(f, best);
    own->around = best->around;
    own->from = br_loop_prepare(f, l);
    find_sequence(f, function, n, first, end, own);
    if (own->nests > best->nests || (loads && own->nests == best->nests))
        *best = *own;
    else {
        best->nests = 0; /* again, since there is one more block now */
        find_sequence(f, function, n, first, end, best);
    }
    free(own);
}

/* The block whose branch decides whether control comes to where the sequence begins; or NULL. */
static LLVMBasicBlockRef guard_of(br_function *f, const prep_sequence *s) {
    LLVMBasicBlockRef only = s->from ? host_only_predecessor(s->from) : NULL;
    bool guards = only && br_loop_of(f, only) == s->around && br_loop_of(f, s->from) == s->around &&
                  br_is_conditional(LLVMGetBasicBlockTerminator(only));
    return guards ? only : NULL;
}

/* If there is a block of what the first nest needs between it and the condition under which it
 * runs, the sequence is also sought behind the condition. */
static void find_behind_guard(br_function *f, LLVMValueRef function, const prep_nests *n, int first,
                              int end, prep_sequence *best) {
    prep_sequence *own = calloc(1, sizeof *own);
    own->around = best->around;
    own->from = guard_of(f, best);
    find_sequence(f, function, n, first, end, own);
    if (own->nests > best->nests)
        *best = *own;
    free(own);
}

int prep_wrap(br_function *f, LLVMValueRef function, const prep_nests *n, int first, int end,
              LLVMValueRef *back) {
    prep_sequence *s = calloc(1, sizeof *s);
    br_loop l = prep_loop_at(f, n->head[first]);
    s->from = l ? prep_entering_block(function, l) : NULL;
    s->around = l ? br_loop_parent(l) : NULL;
    find_sequence(f, function, n, first, end, s);
    bool guarded = s->from && LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(s->from)) > 1;
    if (guarded && (s->nests < end - first || loads_for_others(f, s)))
        find_guarded(f, function, n, first, end, s);
    else if (s->nests < end - first)
        find_behind_guard(f, function, n, first, end, s);
    bool found = s->nests > 1 || (s->nests == 1 && n->alone[first]);
    int nests = found ? s->nests : 0;
    *back = found ? br_wrap(s->from, s->blocks, s->count, s->to) : NULL;
    if (*back)
        br_function_invalidate(f);
    free(s);
    return nests;
}

void prep_unwrap(br_function *f, LLVMValueRef back) {
    LLVMBasicBlockRef latch = LLVMGetInstructionParent(back), to = LLVMGetSuccessor(back, 1);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(back)));
    LLVMInstructionEraseFromParent(back);
    LLVMPositionBuilderAtEnd(b, latch);
    LLVMBuildBr(b, to);
    LLVMDisposeBuilder(b);
    br_function_invalidate(f);
}
