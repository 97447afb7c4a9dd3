/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * AMDGPU, as far as kernels rewritten in place need it.
 */
#include "target.h"

#include <string.h>

static LLVMValueRef call_intrinsic(LLVMBuilderRef b, const char *name, LLVMValueRef *args,
                                   unsigned count) {
    LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(m, id, NULL, 0);
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, count, "");
}

/* s_barrier waits for threads only; the fences are for memory, as clang has __syncthreads(). */
static void barrier(LLVMBuilderRef b) {
    static const char scope[] = "workgroup";
    LLVMContextRef c = LLVMGetModuleContext(
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(b))));
    unsigned group = LLVMGetSyncScopeID(c, scope, sizeof scope - 1);
    LLVMBuildFenceSyncScope(b, LLVMAtomicOrderingRelease, group, "");
    call_intrinsic(b, "llvm.amdgcn.s.barrier", NULL, 0);
    LLVMBuildFenceSyncScope(b, LLVMAtomicOrderingAcquire, group, "");
}

const tg_target tg_amdgcn = {
    .name = "amdgcn",
    .triple = "amdgcn",
    .barrier = barrier,
    .scratchpad_space = 3,
    .device_space = 1,
};
