/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "intrinsic.h"

#include <string.h>

LLVMValueRef tg_intrinsic(LLVMBuilderRef b, const char *name, LLVMTypeRef *types, size_t ntypes,
                          LLVMValueRef *args, unsigned nargs) {
    LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(m, id, types, ntypes);
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, nargs, "");
}
