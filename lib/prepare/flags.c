/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A flag that a sweep sets where a condition holds in any cell:
 *
 *     changed = 0;                               changed = 0;
 *     for each cell                      ->      for each cell
 *         if (b[i] != a[i]) changed = 1;             changed = max(changed, b[i] != a[i] ? 1 : 0);
 *
 * The flag has one of two values, the one before the cells or the one that is set. So it is the
 * greatest of what the cells give, or the least. A flag of one bit becomes a number.
 */
#include "detect/common/flow.h"
#include "prepare/whole.h"

#include <string.h>

enum { MAX_PHIS = 16, BITS = 32 };

/* The phis through which the flag goes from cell to cell. */
typedef struct flag {
    LLVMValueRef select, phi[MAX_PHIS], number[MAX_PHIS];
    LLVMValueRef before, set; /* constants */
    int nphis;
} flag;

static bool is_constant(LLVMValueRef v) {
    return LLVMIsAConstantInt(v) != NULL;
}

static int find_phi(const flag *f, LLVMValueRef v) {
    for (int i = 0; i < f->nphis; i++)
        if (f->phi[i] == v)
            return i;
    return -1;
}

/* Is v the flag after a cell, or before all, or handed on by phis? */
static bool add_value(flag *f, LLVMValueRef v) {
    if (v == f->select || v == f->set || find_phi(f, v) >= 0)
        return true;
    if (is_constant(v)) {
        bool first = !f->before;
        f->before = first ? v : f->before;
        return f->before == v;
    }
    if (!LLVMIsAPHINode(v) || f->nphis == MAX_PHIS)
        return false;
    f->phi[f->nphis++] = v;
    bool good = true;
    for (unsigned i = 0; i < LLVMCountIncoming(v) && good; i++)
        good = add_value(f, LLVMGetIncomingValue(v, i));
    return good;
}

static bool find_flag(br_loop l, LLVMValueRef select, flag *f) {
    LLVMTypeRef type = LLVMTypeOf(select);
    *f = (flag){.select = select};
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64)
        return false;
    LLVMValueRef yes = LLVMGetOperand(select, 1), no = LLVMGetOperand(select, 2);
    LLVMValueRef carried = is_constant(yes) ? no : yes;
    f->set = is_constant(yes) ? yes : no;
    return is_constant(f->set) && LLVMIsAPHINode(carried) &&
           LLVMGetInstructionParent(carried) == br_loop_header(l) && add_value(f, carried) &&
           f->before;
}

/* Does the loop do more than look for a cell? */
static bool is_sweep(br_loop l) {
    LLVMBasicBlockRef block;
    br_loop child;
    bool loads = false, stores = false;
    for (size_t b = 0; (block = br_loop_block(l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            loads |= LLVMIsALoadInst(i) != NULL;
            stores |= LLVMIsAStoreInst(i) != NULL;
        }
    return loads && stores && br_loop_parent(l) && !br_loop_children(l, &child, 1);
}

/* The change */

static LLVMValueRef widened(const flag *f, LLVMTypeRef type, LLVMValueRef v, LLVMValueRef extreme) {
    if (is_constant(v))
        return LLVMConstInt(type, LLVMConstIntGetZExtValue(v), false);
    return v == f->select ? extreme : f->number[find_phi(f, v)];
}

static LLVMValueRef build_extreme(LLVMBuilderRef b, LLVMValueRef carried, LLVMValueRef value,
                                  bool most) {
    LLVMValueRef compare = LLVMBuildICmp(b, most ? LLVMIntUGT : LLVMIntULT, value, carried, "");
    return LLVMBuildSelect(b, compare, value, carried, "");
}

static LLVMValueRef test(LLVMBuilderRef b, LLVMValueRef number, LLVMValueRef before) {
    LLVMPositionBuilderBefore(b, before);
    return LLVMBuildICmp(b, LLVMIntNE, number, LLVMConstNull(LLVMTypeOf(number)), "");
}

/* A user other than the flag's own phis. Of phis those that hand on one value, as behind a loop. */
static LLVMValueRef next_user(const flag *f, LLVMValueRef old) {
    for (LLVMUseRef u = LLVMGetFirstUse(old); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAPHINode(user) || (LLVMCountIncoming(user) == 1 && find_phi(f, user) < 0))
            return user;
    }
    return NULL;
}

static void use_behind(LLVMBuilderRef b, LLVMValueRef user, LLVMValueRef number) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(user, 0), at = LLVMGetInstructionParent(user);
    LLVMPositionBuilderBefore(b, user);
    LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(number), "");
    LLVMAddIncoming(phi, &number, &from, 1);
    LLVMReplaceAllUsesWith(user, test(b, phi, host_first_after_phis(at)));
    LLVMInstructionEraseFromParent(user);
}

/* Uses the number in place of a flag of one bit. It is tested where it is used, so that the cells
 * hand on nothing else. */
static void use_number(const flag *f, LLVMBuilderRef b, LLVMValueRef old, LLVMValueRef number) {
    LLVMValueRef user;
    while ((user = next_user(f, old))) {
        if (LLVMIsAPHINode(user))
            use_behind(b, user, number);
        else
            for (int i = 0; i < LLVMGetNumOperands(user); i++)
                if (LLVMGetOperand(user, (unsigned)i) == old)
                    LLVMSetOperand(user, (unsigned)i, test(b, number, user));
    }
    LLVMBasicBlockRef at = LLVMGetInstructionParent(old);
    LLVMValueRef before = LLVMIsAPHINode(old) ? host_first_after_phis(at) : old;
    if (LLVMGetFirstUse(old))
        LLVMReplaceAllUsesWith(old, test(b, number, before));
}

/* Numbers in place of phis of one bit: made, and given what the phis get. */
static void make_numbers(flag *f, LLVMBuilderRef b, LLVMTypeRef type) {
    for (int i = 0; i < f->nphis; i++) {
        LLVMPositionBuilderBefore(b, f->phi[i]);
        f->number[i] = LLVMBuildPhi(b, type, "");
    }
}

static void link_numbers(flag *f, LLVMTypeRef type, LLVMValueRef extreme) {
    for (int i = 0; i < f->nphis; i++)
        for (unsigned k = 0; k < LLVMCountIncoming(f->phi[i]); k++) {
            LLVMValueRef in = widened(f, type, LLVMGetIncomingValue(f->phi[i], k), extreme);
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(f->phi[i], k);
            LLVMAddIncoming(f->number[i], &in, &from, 1);
        }
}

static void drop_bits(flag *f, LLVMBuilderRef b, LLVMValueRef extreme) {
    for (int i = 0; i < f->nphis; i++)
        use_number(f, b, f->phi[i], f->number[i]);
    use_number(f, b, f->select, extreme);
    for (int i = 0; i < f->nphis; i++) {
        LLVMReplaceAllUsesWith(f->phi[i], LLVMGetPoison(LLVMTypeOf(f->phi[i])));
        LLVMInstructionEraseFromParent(f->phi[i]);
    }
}

/* The flag after a cell, in front of the old one. */
static LLVMValueRef combine(const flag *f, LLVMBuilderRef b, LLVMTypeRef type) {
    LLVMValueRef yes = LLVMGetOperand(f->select, 1), no = LLVMGetOperand(f->select, 2);
    LLVMValueRef set = widened(f, type, f->set, NULL), unset = widened(f, type, f->before, NULL);
    bool sets = is_constant(yes);
    bool most = LLVMConstIntGetZExtValue(f->set) > LLVMConstIntGetZExtValue(f->before);
    LLVMPositionBuilderBefore(b, f->select);
    LLVMValueRef value = LLVMBuildSelect(b, LLVMGetOperand(f->select, 0), sets ? set : unset,
                                         sets ? unset : set, "");
    return build_extreme(b, f->number[find_phi(f, sets ? no : yes)], value, most);
}

static void change(flag *f) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(f->select));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    bool bit = LLVMGetIntTypeWidth(LLVMTypeOf(f->select)) == 1;
    LLVMTypeRef type = bit ? LLVMIntTypeInContext(c, BITS) : LLVMTypeOf(f->select);
    memcpy(f->number, f->phi, sizeof f->number);
    if (bit)
        make_numbers(f, b, type);
    LLVMValueRef extreme = combine(f, b, type);
    if (bit) {
        link_numbers(f, type, extreme);
        drop_bits(f, b, extreme);
    } else {
        LLVMReplaceAllUsesWith(f->select, extreme);
    }
    LLVMInstructionEraseFromParent(f->select);
    LLVMDisposeBuilder(b);
}

static bool mend_block(br_function *f, br_loop l, LLVMBasicBlockRef block) {
    bool mended = false;
    (void)f;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        flag found;
        next = LLVMGetNextInstruction(i);
        if (!LLVMIsASelectInst(i) || !find_flag(l, i, &found) || !is_sweep(l))
            continue;
        change(&found);
        mended = true;
    }
    return mended;
}

bool prep_mend_flags(br_function *f) {
    return prep_mend_blocks(f, mend_block);
}
