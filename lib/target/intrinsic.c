/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Intrinsics by name, and attributes of kernels.
 */
#include "target/intrinsic.h"
#include "target/target.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

LLVMValueRef tg_function_of(LLVMBuilderRef b) {
    return LLVMGetBasicBlockParent(LLVMGetInsertBlock(b));
}

LLVMTypeRef tg_i32(LLVMBuilderRef b) {
    return LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(tg_function_of(b))));
}

LLVMValueRef tg_int32(LLVMBuilderRef b, int v) {
    return LLVMConstInt(tg_i32(b), (unsigned long long)v, true);
}

LLVMValueRef tg_intrinsic(LLVMBuilderRef b, const char *name, LLVMTypeRef *types, size_t ntypes,
                          LLVMValueRef *args, unsigned nargs) {
    LLVMModuleRef m = LLVMGetGlobalParent(tg_function_of(b));
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(m, id, types, ntypes);
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, nargs, "");
}

LLVMValueRef tg_read(LLVMBuilderRef b, const char *name, LLVMTypeRef result) {
    LLVMModuleRef m = LLVMGetGlobalParent(tg_function_of(b));
    LLVMTypeRef type = LLVMFunctionType(result, NULL, 0, false);
    LLVMValueRef callee = LLVMGetNamedFunction(m, name);
    if (!callee)
        callee = LLVMAddFunction(m, name, type);
    return LLVMBuildCall2(b, type, callee, NULL, 0, "");
}

LLVMValueRef tg_at_end(LLVMBuilderRef b, LLVMValueRef edge, LLVMValueRef v, LLVMValueRef lane,
                       int step, int lanes) {
    LLVMValueRef end = tg_int32(b, step < 0 ? 0 : lanes - 1);
    LLVMValueRef is_end = LLVMBuildICmp(b, LLVMIntEQ, lane, end, "");
    return LLVMBuildSelect(b, is_end, edge, v, "");
}

const char *tg_attribute(LLVMValueRef f, const char *name, unsigned *length) {
    LLVMAttributeRef a =
        LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
    *length = 0;
    return a ? LLVMGetStringAttributeValue(a, length) : "";
}

int tg_attribute_number(LLVMValueRef kernel, const char *name, int at) {
    char text[64];
    unsigned length;
    const char *value = tg_attribute(kernel, name, &length);
    snprintf(text, sizeof text, "%.*s", (int)length, value);
    const char *p = text;
    for (; at > 0 && p; at--)
        p = (p = strchr(p, ',')) ? p + 1 : NULL;
    return p ? atoi(p) : 0;
}

void tg_add_attribute(LLVMValueRef kernel, const char *name, const char *value) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(kernel));
    LLVMAddAttributeAtIndex(
        kernel, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(c, name, (unsigned)strlen(name), value, (unsigned)strlen(value)));
}
