/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A copy of a loop that runs where numbers from in front of it have certain values:
 *
 *     for (i = first; ..) ..             if (first == 0 && last == n)
 *                                ->          for (i = 0; ..) ..
 *                                        else the loop as it was
 *
 * In the copy the numbers are these values, and so is what was computed of them in front of the
 * loop. This is legal since in the copy the numbers have these values, and since only operations
 * are repeated that were made in front of the loop anyway.
 */
#include "prepare/version.h"
#include "detect/common/calls.h"
#include "model/fixed_limits.h"
#include "prepare/sequence.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCKS = PREP_VERSION_BLOCKS, MAX_VALUES = ST_LIMIT(64, 4) };

typedef struct version {
    LLVMBasicBlockRef own[MAX_BLOCKS], copy[MAX_BLOCKS];
    size_t blocks;
    LLVMBuilderRef b; /* in front of the copy */
    LLVMValueRef from[MAX_VALUES], to[MAX_VALUES];
    size_t count;
} version;

static bool is_copied(const version *v, LLVMBasicBlockRef block) {
    bool in = false;
    for (size_t i = 0; i < v->blocks && !in; i++)
        in = v->copy[i] == block;
    return in;
}

/* Is it an operation on numbers alone? */
static bool is_operation(LLVMValueRef i) {
    if (LLVMIsACallInst(i))
        return host_is_operation(host_callee_name(i)) && !br_may_write(i);
    return LLVMIsABinaryOperator(i) || LLVMIsACmpInst(i) || LLVMIsASelectInst(i) ||
           LLVMIsACastInst(i) || LLVMIsAFreezeInst(i) || LLVMIsAGetElementPtrInst(i);
}

static LLVMValueRef note(version *v, LLVMValueRef from, LLVMValueRef to) {
    if (v->count < MAX_VALUES) {
        v->from[v->count] = from;
        v->to[v->count++] = to;
    }
    return to;
}

/* What a value from in front of the loop is in the copy: computed again where it depends on a
 * number that is fixed. */
static LLVMValueRef fixed(version *v, LLVMValueRef value, int depth) {
    enum { MAX_DEPTH = 8 };
    for (size_t i = 0; i < v->count; i++)
        if (v->from[i] == value)
            return v->to[i];
    if (!LLVMIsAInstruction(value) || is_copied(v, LLVMGetInstructionParent(value)) ||
        !is_operation(value) || depth == MAX_DEPTH)
        return value;
    LLVMValueRef operand[8];
    int count =
        LLVMIsACallInst(value) ? (int)LLVMGetNumArgOperands(value) : LLVMGetNumOperands(value);
    bool changed = false;
    for (int i = 0; i < count && count <= 8; i++) {
        operand[i] = fixed(v, LLVMGetOperand(value, (unsigned)i), depth + 1);
        changed |= operand[i] != LLVMGetOperand(value, (unsigned)i);
    }
    if (!changed || v->count == MAX_VALUES)
        return value;
    LLVMValueRef clone = LLVMInstructionClone(value);
    for (int i = 0; i < count; i++)
        LLVMSetOperand(clone, (unsigned)i, operand[i]);
    LLVMInsertIntoBuilder(v->b, clone);
    return note(v, value, clone);
}

static void fix_block(version *v, LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        for (int o = 0; o < LLVMGetNumOperands(i); o++) {
            LLVMValueRef old = LLVMGetOperand(i, (unsigned)o);
            bool value = !LLVMIsABasicBlock(old) && !LLVMIsAFunction(old);
            LLVMValueRef is = value ? fixed(v, old, 0) : old;
            if (is != old)
                LLVMSetOperand(i, (unsigned)o, is);
        }
}

/* Does the number have the value? In front of the copy; the program may not use either. */
static LLVMValueRef build_test(version *v, const prep_fixed *x, LLVMValueRef *is) {
    LLVMTypeRef type = LLVMTypeOf(x->key);
    LLVMValueRef key = LLVMBuildFreeze(v->b, x->key, "");
    *is = x->is;
    if (!LLVMIsConstant(*is))
        *is = LLVMBuildFreeze(v->b, *is, "");
    if (x->more)
        *is = LLVMBuildAdd(v->b, *is, LLVMConstInt(type, (unsigned long long)x->more, true), "");
    return LLVMBuildICmp(v->b, LLVMIntEQ, key, *is, "");
}

static LLVMValueRef build_tests(version *v, const prep_fixed *fixed, int count, LLVMValueRef *is) {
    LLVMValueRef all = NULL;
    for (int i = 0; i < count; i++) {
        LLVMValueRef test = build_test(v, &fixed[i], &is[i]);
        all = all ? LLVMBuildAnd(v->b, all, test, "") : test;
    }
    return all;
}

static void fix_blocks(version *v, const prep_fixed *fixed, int count, const LLVMValueRef *is) {
    for (int i = 0; i < count; i++)
        note(v, fixed[i].key, is[i]);
    for (size_t i = 0; i < v->blocks; i++)
        fix_block(v, v->copy[i]);
}

static LLVMBuilderRef builder_for(const prep_fixed *fixed, LLVMValueRef before) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(fixed[0].key)));
    LLVMPositionBuilderBefore(b, before);
    return b;
}

static void copy_fixed(version *v, prep_shadow *s, LLVMBasicBlockRef before,
                       const prep_fixed *fixed, int count) {
    LLVMValueRef is[PREP_MAX_FIXED];
    size_t outs;
    v->b = builder_for(fixed, LLVMGetBasicBlockTerminator(before));
    LLVMValueRef all = build_tests(v, fixed, count, is);
    LLVMBasicBlockRef in = br_twin(before, v->own, v->blocks, all, v->copy, NULL, 0, &outs);
    LLVMPositionBuilderBefore(v->b, LLVMGetBasicBlockTerminator(in));
    fix_blocks(v, fixed, count, is);
    LLVMDisposeBuilder(v->b);
    br_function_invalidate(s->f);
}

LLVMValueRef prep_fix_values(const LLVMBasicBlockRef *blocks, size_t nblocks,
                             const prep_fixed *fixed, int count, LLVMValueRef mark,
                             LLVMValueRef in_front) {
    LLVMValueRef is[PREP_MAX_FIXED], all = NULL;
    version *v = calloc(1, sizeof *v);
    v->blocks = nblocks <= MAX_BLOCKS ? nblocks : 0;
    memcpy(v->copy, blocks, v->blocks * sizeof *blocks);
    v->b = builder_for(fixed, mark);
    if (v->blocks) {
        all = build_tests(v, fixed, count, is);
        LLVMPositionBuilderBefore(v->b, in_front);
        fix_blocks(v, fixed, count, is);
    }
    LLVMDisposeBuilder(v->b);
    free(v);
    return all;
}

bool prep_copy_fixed(prep_shadow *s, LLVMBasicBlockRef head, const prep_fixed *fixed, int count) {
    LLVMBasicBlockRef before;
    version *v = calloc(1, sizeof *v);
    br_loop l = prep_prepared_loop(s->f, head, &before);
    v->blocks = l ? br_loop_blocks(l, v->own, MAX_BLOCKS) : 0;
    bool good = v->blocks > 0 && v->blocks <= MAX_BLOCKS;
    if (good)
        copy_fixed(v, s, before, fixed, count);
    free(v);
    good = good && prep_run_passes(s->function, "sccp,instcombine<no-verify-fixpoint>,simplifycfg");
    br_function_invalidate(s->f);
    return good;
}
