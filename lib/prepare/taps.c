/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops over the neighbours of a cell, which LLVM leaves at -O1, or where there are many: unrolled
 * in a copy of the function, so that each neighbour is an access of its own. Such a loop makes a
 * constant number of iterations, reads, writes nothing, and is in a loop that writes. So are loops
 * over the directions of a lattice, which write as well, and whose neighbours are in constant
 * tables: x - cx[k].
 */
#include "detect/common/calls.h"
#include "prepare/sequence.h"
#include "prepare/unroll.h"
#include "prepare/whole.h"

#include <stdlib.h>

enum { KEPT_LEVEL = 2 }; /* at which LLVM peels them after all once detection has seen them */

typedef struct tap_loops {
    br_function *f;
    br_loop *all;   /* outer before inner */
    int64_t *times; /* 0: it is none */
    size_t count;
} tap_loops;

static void look_at_block(LLVMBasicBlockRef b, bool *reads, bool *writes) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        *reads |= LLVMIsALoadInst(i) != NULL;
        *writes |= LLVMIsAStoreInst(i) != NULL;
    }
}

static LLVMValueRef without_casts(LLVMValueRef v) {
    while (LLVMIsACastInst(v))
        v = LLVMGetOperand(v, 0);
    return v;
}

/* x, of x + 2, 2 - x and the like; else NULL. */
static LLVMValueRef without_number(LLVMValueRef v) {
    v = without_casts(v);
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMCall;
    bool sum = op == LLVMAdd || op == LLVMSub || op == LLVMOr || op == LLVMGetElementPtr;
    for (unsigned i = 0; sum && LLVMGetNumOperands(v) == 2 && i < 2; i++)
        if (LLVMIsConstant(LLVMGetOperand(v, i)))
            return without_casts(LLVMGetOperand(v, 1 - i));
    return NULL;
}

/* Does a counter of the loop start at v + 2 or the like? */
static bool starts_beside(br_loop l, LLVMValueRef v) {
    bool starts = false;
    LLVMValueRef phi = LLVMGetFirstInstruction(br_loop_header(l));
    for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
            starts |= without_number(LLVMGetIncomingValue(phi, i)) == v;
    return starts;
}

/* May the comparison that ends the loop tell of a constant number of iterations? */
static bool may_be_counted(br_loop l) {
    LLVMBasicBlockRef exiting = br_loop_exiting_block(l);
    LLVMValueRef end = exiting ? LLVMGetBasicBlockTerminator(exiting) : NULL;
    if (!end || !br_is_conditional(end))
        return false;
    LLVMValueRef c = LLVMGetCondition(end);
    for (unsigned i = 0; LLVMIsAICmpInst(c) && i < 2; i++) {
        LLVMValueRef v = LLVMGetOperand(c, i);
        bool inside = LLVMIsAInstruction(v) && br_loop_contains(l, LLVMGetInstructionParent(v));
        if (!inside &&
            (LLVMIsConstant(v) || without_number(v) || starts_beside(l, without_casts(v))))
            return true;
    }
    return !LLVMIsAICmpInst(c);
}

/* How often a loop over neighbours runs; 0 if it is none. What is cheap to find comes first. */
static int64_t tap_times(br_function *f, br_loop l) {
    enum { MAX_BLOCKS = 64 };
    LLVMBasicBlockRef blocks[MAX_BLOCKS];
    bool reads = false, writes = false;
    size_t count = br_loop_parent(l) ? br_loop_blocks(l, blocks, MAX_BLOCKS) : 0;
    for (size_t b = 0; b < count && b < MAX_BLOCKS; b++)
        look_at_block(blocks[b], &reads, &writes);
    bool may = count <= MAX_BLOCKS && reads && !writes && may_be_counted(l);
    int64_t times = may ? unroll_iterations(f, l) : 0;
    return times <= UNROLL_MAX_READS ? times : 0;
}

/* Does the loop around write? */
static bool is_of_a_sweep(br_loop l) {
    enum { MAX_BLOCKS = 256 };
    LLVMBasicBlockRef blocks[MAX_BLOCKS];
    bool ignored = false, writes = false;
    size_t count = br_loop_blocks(br_loop_parent(l), blocks, MAX_BLOCKS);
    for (size_t b = 0; b < count && count <= MAX_BLOCKS; b++)
        look_at_block(blocks[b], &ignored, &writes);
    return writes;
}

static int64_t reads_of(const tap_loops *t, LLVMBasicBlockRef b) {
    int64_t here = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        here += LLVMIsALoadInst(i) != NULL;
    return unroll_reads(t->all, t->times, t->count, b, here);
}

static bool is_one(const tap_loops *t, br_loop l) {
    for (size_t i = 0; i < t->count; i++)
        if (t->all[i] == l)
            return t->times[i] > 0;
    return false;
}

/* Are there any, and not too many reads in all? */
static bool find(tap_loops *t, LLVMValueRef function) {
    int64_t total = 0;
    bool any = false;
    for (size_t i = 0; i < t->count; i++) {
        t->times[i] = tap_times(t->f, t->all[i]);
        if (t->times[i] && !is_one(t, br_loop_parent(t->all[i])) && !is_of_a_sweep(t->all[i]))
            t->times[i] = 0;
        any |= t->times[i] > 0;
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
         any && b && total <= UNROLL_MAX_READS; b = LLVMGetNextBasicBlock(b))
        total += reads_of(t, b);
    return any && total <= UNROLL_MAX_READS;
}

/* With `mark`, they are marked as ones to unroll, and the others as ones not to peel: LLVM peels a
 * loop over cells that clamps the index of a neighbour. */
static bool find_loops(br_function *f, LLVMValueRef function, bool mark) {
    size_t count = br_loops(f, NULL, 0);
    tap_loops t = {f, malloc((count + 1) * sizeof *t.all), calloc(count + 1, sizeof *t.times),
                   count};
    br_loops(f, t.all, count);
    bool found = find(&t, function);
    for (size_t i = 0; i < count && found && mark; i++)
        if (t.times[i])
            br_loop_want_unrolled_fully(t.all[i]);
        else
            br_loop_keep_whole(t.all[i], KEPT_LEVEL, false, false);
    free(t.all);
    free(t.times);
    return found;
}

/* Where the counter of a loop over neighbours is in the bounds of another in it, that one makes a
 * constant number of iterations once the outer one is unrolled. */
bool unroll_taps_in(prep_shadow *s) {
    enum { MAX_DEPTH = 3 };
    bool good = false;
    for (int i = 0; i < MAX_DEPTH && find_loops(s->f, s->function, true); i++) {
        good = unroll_marked(s->function);
        br_function_invalidate(s->f);
    }
    prep_mend_picks(s->f); /* LLVM has joined loads */
    br_function_invalidate(s->f);
    s->body = LLVMGetEntryBasicBlock(s->function);
    return good;
}

bool prep_unroll_taps(prep_shadow *s, br_function *f, LLVMValueRef function) {
    s->f = NULL;
    if (!find_loops(f, function, false) || !prep_make_shadow(s, f))
        return false;
    bool good = unroll_taps_in(s);
    if (!good)
        prep_drop_shadow(s);
    return good;
}

/* Directions of a lattice */

/* Does it load integers of a constant table? */
static bool looks_up(LLVMBasicBlockRef b) {
    bool looks = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !looks; i = LLVMGetNextInstruction(i)) {
        bool number = LLVMIsALoadInst(i) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind;
        LLVMValueRef base = number ? host_base_of(LLVMGetOperand(i, 0)) : NULL;
        looks = base && base != LLVMGetOperand(i, 0) && LLVMIsAGlobalVariable(base) &&
                LLVMIsGlobalConstant(base);
    }
    return looks;
}

/* Is it an innermost loop, over few directions, in loop `nest`? */
static bool is_of_directions(br_function *f, br_loop l, br_loop nest) {
    enum { MAX_BLOCKS = 64, MOST = 32 };
    LLVMBasicBlockRef blocks[MAX_BLOCKS];
    br_loop child;
    bool reads = false, writes = false, looks = false;
    if (l == nest || !br_loop_contains(nest, br_loop_header(l)) ||
        br_loop_children(l, &child, 1) > 0)
        return false;
    size_t count = br_loop_blocks(l, blocks, MAX_BLOCKS);
    if (count > MAX_BLOCKS)
        return false;
    for (size_t b = 0; b < count; b++) {
        look_at_block(blocks[b], &reads, &writes);
        looks = looks || looks_up(blocks[b]);
    }
    return reads && writes && looks && may_be_counted(l) && unroll_iterations(f, l) <= MOST;
}

/* The first one; or NULL. With `mark`, they are marked as ones to unroll, and others as ones not to
 * peel. */
static br_loop find_directions(br_function *f, br_loop nest, bool mark) {
    size_t count = br_loops(f, NULL, 0);
    br_loop *all = malloc((count + 1) * sizeof *all);
    br_loop first = NULL;
    br_loops(f, all, count);
    for (size_t i = 0; i < count; i++) {
        bool is = is_of_directions(f, all[i], nest);
        first = is && !first ? all[i] : first;
        if (mark && is)
            br_loop_want_unrolled_fully(all[i]);
        else if (mark)
            br_loop_keep_whole(all[i], KEPT_LEVEL, false, false);
    }
    free(all);
    return first;
}

br_loop prep_directions(br_function *f, br_loop nest) {
    return find_directions(f, nest, false);
}

LLVMBasicBlockRef prep_unroll_directions(prep_shadow *s, LLVMBasicBlockRef head) {
    br_loop nest = prep_loop_at(s->f, head);
    bool good = nest && find_directions(s->f, nest, true) && unroll_marked(s->function);
    br_function_invalidate(s->f);
    s->body = LLVMGetEntryBasicBlock(s->function);
    if (good && prep_mend_picks(s->f))
        br_function_invalidate(s->f);
    return good && prep_has_block(s->function, head) ? head : NULL;
}
