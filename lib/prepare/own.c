/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Gives each function a variable of its own in place of one that functions share only in name.
 * Legal when
 *   1. all that is done with the variable is known, and is loading and storing its value
 *      (own_ways.c);
 *   2. each load gets what its own function stored, in this call of it (own_flow.c).
 * Then no function reads another's value, and nobody else can: the variable is in the module alone.
 */
#include "prepare/own.h"
#include "bridge/bridge.h"

#include <stdlib.h>

static bool is_number(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) <= 64;
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        return true;
    default:
        return false;
    }
}

static bool is_static(LLVMValueRef g) {
    return LLVMGetLinkage(g) == LLVMInternalLinkage && !LLVMIsDeclaration(g) &&
           !LLVMIsGlobalConstant(g) && !LLVMIsThreadLocal(g) &&
           is_number(LLVMGlobalGetValueType(g));
}

/* Is it a variable whose address goes somewhere? Of others mem2reg makes registers. */
static bool is_handed_on(LLVMValueRef i) {
    if (LLVMGetInstructionOpcode(i) != LLVMAlloca || !is_number(LLVMGetAllocatedType(i)) ||
        !LLVMIsAConstantInt(LLVMGetOperand(i, 0)) ||
        LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)) != 1)
        return false;
    for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool access =
            LLVMIsALoadInst(user) || (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != i);
        if (!access)
            return true;
    }
    return false;
}

/* The function's own variable: made when it is first asked for. */
static LLVMValueRef own_of(LLVMValueRef function, LLVMTypeRef type, LLVMValueRef *last) {
    if (*last && LLVMGetBasicBlockParent(LLVMGetInstructionParent(*last)) == function)
        return *last;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    *last = LLVMBuildAlloca(b, type, "own");
    LLVMDisposeBuilder(b);
    return *last;
}

static int by_function(const void *a, const void *b) {
    LLVMValueRef x = *(const LLVMValueRef *)a, y = *(const LLVMValueRef *)b;
    uintptr_t f = (uintptr_t)LLVMGetBasicBlockParent(LLVMGetInstructionParent(x));
    uintptr_t g = (uintptr_t)LLVMGetBasicBlockParent(LLVMGetInstructionParent(y));
    return f < g ? -1 : f > g;
}

static void replace(own_variable *v) {
    LLVMValueRef own = NULL;
    for (size_t i = 0; i < v->naccesses; i++) {
        LLVMValueRef access = v->accesses[i];
        LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(access));
        own = own_of(f, v->type, &own);
        LLVMSetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0, own);
        br_drop_annotations(access);
    }
}

/* May the function be changed? Others may run while a coroutine waits. */
static bool may_change(LLVMValueRef function) {
    return !br_is_optnone(function) &&
           !own_has_promise(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            "presplitcoroutine");
}

static bool try_variable(own_calls *c, LLVMValueRef variable) {
    own_variable v;
    bool good = own_find_ways(&v, variable) && v.naccesses > 0;
    for (size_t i = 0; i < v.naccesses && good; i++)
        good = may_change(LLVMGetBasicBlockParent(LLVMGetInstructionParent(v.accesses[i])));
    if (good) {
        qsort(v.accesses, v.naccesses, sizeof *v.accesses, by_function);
        own_calls_take_writers(c, &v);
        good = own_is_set_first(c, &v);
    }
    if (good)
        replace(&v);
    own_release(&v);
    return good;
}

/* Tries each variable whose address the function's first block hands on. */
static bool try_variables(own_calls *c, LLVMValueRef function) {
    bool changed = false;
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    for (; i; i = LLVMGetNextInstruction(i))
        changed |= is_handed_on(i) && try_variable(c, i);
    return changed;
}

bool prep_own_variables(LLVMModuleRef m) {
    bool changed = false;
    own_calls *c = own_calls_find(m);
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g))
        changed |= is_static(g) && try_variable(c, g);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        changed |= !LLVMIsDeclaration(f) && may_change(f) && try_variables(c, f);
    own_calls_destroy(c);
    return changed;
}
