/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A copy of the function under the function's name, to be adopted or dropped.
 */
#include "prepare/shadow.h"

#include <llvm-c/Transforms/PassBuilder.h>

bool prep_make_shadow(prep_shadow *s, br_function *f) {
    s->f = br_function_copy(f, &s->function);
    s->initial = s->windows = s->powers = false;
    s->body = s->f ? LLVMGetEntryBasicBlock(s->function) : NULL;
    return s->f != NULL;
}

bool prep_run_passes(LLVMValueRef function, const char *passes) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPassesOnFunction(function, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (error)
        LLVMConsumeError(error);
    return !error;
}

bool prep_clean_up(LLVMValueRef function) {
    bool good = prep_run_passes(
        function,
        "sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(licm),"
        "early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg");
    prep_merge_phis(function);
    return good;
}

bool prep_simplify(prep_shadow *s, LLVMBasicBlockRef head) {
    bool good = prep_run_passes(s->function, "simplifycfg,loop-mssa(licm),early-cse<memssa>,"
                                             "instcombine<no-verify-fixpoint>,simplifycfg");
    s->body = LLVMGetEntryBasicBlock(s->function);
    br_function_invalidate(s->f);
    return good && prep_has_block(s->function, head);
}

LLVMBuilderRef prep_begin_test(prep_shadow *s, const char *name, const char *others) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(s->function));
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(s->function);
    LLVMBasicBlockRef test = LLVMInsertBasicBlockInContext(c, first, name);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    s->body = LLVMAppendBasicBlockInContext(c, s->function, others);
    LLVMPositionBuilderAtEnd(b, s->body);
    LLVMBuildUnreachable(b);
    LLVMPositionBuilderAtEnd(b, test);
    return b;
}

void prep_end_test(prep_shadow *s, LLVMBuilderRef b, LLVMValueRef holds) {
    LLVMBasicBlockRef first = LLVMGetNextBasicBlock(LLVMGetEntryBasicBlock(s->function));
    LLVMBuildCondBr(b, holds, first, s->body);
    LLVMDisposeBuilder(b);
}

bool prep_has_block(LLVMValueRef function, LLVMBasicBlockRef block) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    while (b && b != block)
        b = LLVMGetNextBasicBlock(b);
    return b != NULL;
}

void prep_adopt_shadow(prep_shadow *s, br_function *f) {
    br_function_adopt(s->f, s->body);
    br_function_invalidate(f);
}

void prep_drop_shadow(prep_shadow *s) {
    if (s->f)
        br_function_erase(s->f);
    s->f = NULL;
}
