/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What each step computes of all cells and keeps, and what an output prints of it:
 *
 *     energy[t] = sum of all cells;                energy[t] = sum of all cells;
 *     if (t % 100 == 0)                    ->      if (t % 100 == 0)
 *         print(energy[t]);                            print(energy[t], loaded again);
 *
 * LLVM has the output use the value that was stored. A piece of the time loop would have to hand on
 * its last step's value then. So the output loads the value, where nothing behind the store may
 * change it.
 */
#include "prepare/reread.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "model/fixed_limits.h"

/* Is it used behind the sweeps alone, in outputs or behind the time loop? */
static bool is_for_outputs(const prep_pieces *p, LLVMValueRef v) {
    LLVMBasicBlockRef end = p->block[p->end].b;
    int count = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        LLVMBasicBlockRef b = LLVMGetInstructionParent(user);
        int at = piece_number(p, b);
        if (at >= 0 && p->block[at].part == PART_SWEEPS)
            continue;
        if (piece_is_quiet(p, at) || LLVMIsAPHINode(user) || !br_dominates(p->f, end, b))
            return false;
        count++;
    }
    return count > 0;
}

/* May anything that a step does after the store, or before its sweeps end, change what it stored?
 */
static bool stays(const prep_pieces *p, LLVMValueRef store, LLVMValueRef load) {
    LLVMBasicBlockRef own = LLVMGetInstructionParent(store);
    bool same = true;
    for (int k = 0; k < p->count && same; k++) {
        LLVMBasicBlockRef b = p->block[k].b;
        LLVMValueRef i = b == own ? LLVMGetNextInstruction(store) : LLVMGetFirstInstruction(b);
        for (; p->block[k].part == PART_SWEEPS && i && same; i = LLVMGetNextInstruction(i))
            same = !br_may_write(i) || !br_may_change(p->f, i, load);
    }
    return same;
}

static void replace_in_outputs(const prep_pieces *p, LLVMValueRef v, LLVMValueRef by) {
    for (LLVMUseRef u = LLVMGetFirstUse(v), next; u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        int at = piece_number(p, LLVMGetInstructionParent(user));
        next = LLVMGetNextUse(u);
        for (int o = 0; o < LLVMGetNumOperands(user); o++)
            if ((at < 0 || p->block[at].part == PART_OUTPUT) &&
                LLVMGetOperand(user, (unsigned)o) == v) {
                LLVMSetOperand(user, (unsigned)o, by);
                next = LLVMGetFirstUse(v); /* the list is another one now */
            }
    }
}

/* Is it a store that each step makes, and whose address is known before a piece? */
static bool may_reread(const prep_pieces *p, LLVMBasicBlockRef b, LLVMValueRef store) {
    if (!LLVMIsAStoreInst(store) || !host_is_plain(store))
        return false;
    LLVMValueRef v = LLVMGetOperand(store, 0), to = LLVMGetOperand(store, 1);
    if (!LLVMIsAInstruction(v) || piece_computable(p, v) || !piece_computable(p, to))
        return false;
    int at = piece_number(p, LLVMGetInstructionParent(v));
    return at >= 0 && p->block[at].part == PART_SWEEPS &&
           br_dominates(p->f, b, p->block[p->end].b) && is_for_outputs(p, v);
}

/* What is computed again, operands first. */
enum { MAX_AGAIN = ST_LIMIT(128, 4) };
typedef struct again {
    LLVMValueRef of[MAX_AGAIN], copy[MAX_AGAIN];
    int count, depth;
} again;

/* Adds what sweeps compute of the value. False: that is too much. */
static bool add_again(const prep_pieces *p, again *a, LLVMValueRef v) {
    int at = LLVMIsAInstruction(v) ? piece_number(p, LLVMGetInstructionParent(v)) : -1;
    if (at < 0 || LLVMIsAPHINode(v) || p->block[at].part != PART_SWEEPS)
        return true;
    for (int i = 0; i < a->count; i++)
        if (a->of[i] == v)
            return true;
    bool good = ++a->depth < MAX_AGAIN;
    for (int o = 0; o < LLVMGetNumOperands(v) && good; o++)
        good = add_again(p, a, LLVMGetOperand(v, (unsigned)o));
    a->depth--;
    if (!good || a->count == MAX_AGAIN)
        return false;
    a->of[a->count++] = v;
    return true;
}

static LLVMValueRef copied(const again *a, LLVMValueRef v) {
    for (int i = 0; i < a->count; i++)
        if (a->of[i] == v)
            return a->copy[i];
    return v;
}

/* Computes once more where the builder stands what sweeps compute. */
static LLVMValueRef compute_again(LLVMBuilderRef b, again *a, LLVMValueRef v) {
    for (int i = 0; i < a->count; i++) {
        LLVMValueRef copy = a->copy[i] = LLVMInstructionClone(a->of[i]);
        for (int o = 0; o < LLVMGetNumOperands(copy); o++)
            LLVMSetOperand(copy, (unsigned)o, copied(a, LLVMGetOperand(copy, (unsigned)o)));
        LLVMInsertIntoBuilder(b, copy);
    }
    return copied(a, v);
}

static void reread(const prep_pieces *p, LLVMBuilderRef b, LLVMValueRef store) {
    again a = {.count = 0};
    LLVMValueRef v = LLVMGetOperand(store, 0), to = LLVMGetOperand(store, 1);
    if (!add_again(p, &a, to))
        return;
    LLVMPositionBuilderBefore(b, host_first_after_phis(p->block[p->end].b));
    LLVMValueRef from = compute_again(b, &a, to);
    LLVMValueRef load = LLVMBuildLoad2(b, LLVMTypeOf(v), from, "");
    LLVMSetAlignment(load, LLVMGetAlignment(store));
    if (stays(p, store, load))
        replace_in_outputs(p, v, load);
    else
        LLVMInstructionEraseFromParent(load);
}

void prep_reread(const prep_pieces *p) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(p->function)));
    for (int k = 0; k < p->count; k++) {
        const piece_block *at = &p->block[k];
        LLVMValueRef i = LLVMGetFirstInstruction(at->b);
        for (; at->part == PART_SWEEPS && !at->nested && i; i = LLVMGetNextInstruction(i))
            if (may_reread(p, at->b, i))
                reread(p, b, i);
    }
    LLVMDisposeBuilder(b);
}
