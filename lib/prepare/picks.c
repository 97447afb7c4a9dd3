/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * LLVM makes one load of the last loads on two ways, even where one reads a cell's own array
 * elements and the other one those of a neighbour that comes round:
 *
 *     if (wall) x = f[own];                if (wall) i = own;
 *     else x = f[(j + 1) % n];     ->      else i = (j + 1) % n;
 *                                          x = f[i];
 *
 * Here each way gets its load again if a remainder is on it. Other choices of an index are left to
 * detection (host/choices.c).
 */
#include "detect/common/calls.h"
#include "prepare/whole.h"

enum { MOST = 6, MOST_STEPS = 24 };

static bool is_remainder(LLVMValueRef v, int *left) {
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
    if (op == LLVMSRem || op == LLVMURem || op == LLVMAnd)
        return true;
    bool sum = op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl || op == LLVMSExt ||
               op == LLVMZExt || op == LLVMTrunc || op == LLVMOr || op == LLVMGetElementPtr;
    bool is = false;
    for (int i = 0; sum && i < LLVMGetNumOperands(v) && !is && --*left > 0; i++)
        is = is_remainder(LLVMGetOperand(v, (unsigned)i), left);
    return is;
}

static bool comes_round(LLVMValueRef phi) {
    bool is = false;
    for (unsigned k = 0; k < LLVMCountIncoming(phi) && !is; k++) {
        int left = MOST_STEPS;
        is = is_remainder(LLVMGetIncomingValue(phi, k), &left);
    }
    return is;
}

/* What computes a load's address of a phi, the last one first. */
typedef struct chain {
    LLVMValueRef phi, step[MOST];
    int steps;
} chain;

static bool is_here(LLVMValueRef v, LLVMBasicBlockRef here) {
    return LLVMIsAInstruction(v) && LLVMGetInstructionParent(v) == here;
}

/* The one operand that the block computes; NULL: there is none, or there are several. */
static LLVMValueRef computed_operand(LLVMValueRef v, LLVMBasicBlockRef here) {
    LLVMValueRef found = NULL;
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        LLVMValueRef of = LLVMGetOperand(v, (unsigned)i);
        if (!is_here(of, here))
            continue;
        if (found)
            return NULL;
        found = of;
    }
    return found;
}

static bool is_step(LLVMValueRef v) {
    return LLVMIsAGetElementPtrInst(v) || LLVMIsACastInst(v) || LLVMIsABinaryOperator(v);
}

static bool find_chain(chain *c, LLVMValueRef load, LLVMBasicBlockRef here) {
    LLVMValueRef v = LLVMGetOperand(load, 0);
    c->steps = 0;
    while (v && is_here(v, here) && is_step(v) && c->steps < MOST) {
        c->step[c->steps++] = v;
        v = computed_operand(v, here);
    }
    c->phi = v;
    return v && is_here(v, here) && LLVMIsAPHINode(v);
}

/* The block's first load with such an address, if nothing in front of it may write. */
static LLVMValueRef find_load(chain *c, LLVMBasicBlockRef here) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(here); i && !br_may_write(i);
         i = LLVMGetNextInstruction(i))
        if (LLVMIsALoadInst(i) && host_is_plain(i) && find_chain(c, i, here) &&
            prep_is_join(c->phi) && comes_round(c->phi))
            return i;
    return NULL;
}

static LLVMValueRef load_on_way(LLVMBuilderRef b, const chain *c, LLVMValueRef load, unsigned k) {
    LLVMValueRef was = c->phi, now = LLVMGetIncomingValue(c->phi, k);
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(c->phi, k)));
    for (int s = c->steps; s >= 0; s--) {
        LLVMValueRef of = s > 0 ? c->step[s - 1] : load, copy = LLVMInstructionClone(of);
        for (int i = 0; i < LLVMGetNumOperands(copy); i++)
            if (LLVMGetOperand(copy, (unsigned)i) == was)
                LLVMSetOperand(copy, (unsigned)i, now);
        LLVMInsertIntoBuilder(b, copy);
        was = of;
        now = copy;
    }
    return now;
}

static bool mend_load(br_function *f, br_loop l, LLVMBasicBlockRef here) {
    chain c;
    (void)f;
    LLVMValueRef load = br_loop_header(l) == here ? NULL : find_load(&c, here);
    if (!load)
        return false;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(load)));
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(here));
    LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(load), "");
    for (unsigned k = 0; k < LLVMCountIncoming(c.phi); k++) {
        LLVMBasicBlockRef way = LLVMGetIncomingBlock(c.phi, k);
        LLVMValueRef v = load_on_way(b, &c, load, k);
        LLVMAddIncoming(phi, &v, &way, 1);
    }
    LLVMDisposeBuilder(b);
    LLVMReplaceAllUsesWith(load, phi);
    LLVMInstructionEraseFromParent(load);
    return true;
}

bool prep_mend_picks(br_function *f) {
    bool mended = false;
    while (prep_mend_blocks(f, mend_load))
        mended = true;
    return mended;
}
