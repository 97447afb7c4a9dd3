/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls of the operator= of std::vectors, known by their names in libstdc++.
 */
#include "prepare/assigned.h"
#include "detect/common/flow.h"
#include "prepare/checks.h"
#include "prepare/vectors.h"

#include <stdio.h>
#include <string.h>

static const char *name_of(LLVMValueRef call) {
    size_t length;
    bool calls = LLVMIsACallInst(call) || LLVMIsAInvokeInst(call);
    LLVMValueRef callee = calls ? LLVMIsAFunction(LLVMGetCalledValue(call)) : NULL;
    return callee ? LLVMGetValueName2(callee, &length) : "";
}

/* As names of the C++ ABI have it. */
static LLVMTypeRef type_of(LLVMContextRef c, char code) {
    static const char *const of_bits[] = {"hac", "st", "ij", "lmxy"};
    if (code == 'f' || code == 'd')
        return code == 'f' ? LLVMFloatTypeInContext(c) : LLVMDoubleTypeInContext(c);
    for (unsigned k = 0; k < 4; k++)
        if (code && strchr(of_bits[k], code))
            return LLVMIntTypeInContext(c, 8u << k);
    return NULL;
}

bool prep_read_assignment(LLVMValueRef call, assignment *a) {
    static const char *const forms[] = {"_ZNSt6vectorI%cSaI%cEEaSERKS1_",
                                        "_ZNSt6vectorIS_I%cSaI%cEESaIS1_EEaSERKS3_"};
    static const char at[] = "_ZNSt6vectorI";
    const char *name = name_of(call);
    char same[64];
    if (strncmp(name, at, sizeof at - 1) != 0 || LLVMGetNumArgOperands(call) != 2)
        return false;
    for (int rows = 0; rows < 2; rows++) {
        const char *code = name + sizeof at - 1 + (rows ? 3 : 0);
        snprintf(same, sizeof same, forms[rows], *code, *code);
        *a = (assignment){.call = call,
                          .to = LLVMGetOperand(call, 0),
                          .from = LLVMGetOperand(call, 1),
                          .rows = rows};
        a->element = type_of(LLVMGetTypeContext(LLVMTypeOf(call)), *code);
        if (a->element && !strcmp(name, same))
            return true;
        if (strncmp(name + sizeof at - 1, "S_I", 3) != 0)
            break;
    }
    return false;
}

bool prep_has_assigned(br_function *f, br_loop l) {
    LLVMBasicBlockRef block;
    br_loop child;
    assignment a;
    bool has = false;
    if (!br_loop_latch(l) || prep_is_guarded(l) || br_loop_children(l, &child, 1) == 0)
        return false;
    for (size_t b = 0; !has && (block = br_loop_block(l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !has;
             i = LLVMGetNextInstruction(i))
            has = br_loop_of(f, block) == l && prep_read_assignment(i, &a);
    return has;
}
