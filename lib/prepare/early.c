/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which loads of a loop may be made in front of it.
 */
#include "prepare/early.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "prepare/hoist.h"

enum { MAX_PARTS = 8 };

static bool is_part(LLVMValueRef load, LLVMValueRef v, br_loop l, int depth) {
    bool is = v == load;
    if (!host_in_loop(l, v) || LLVMIsAPHINode(v) || LLVMIsALoadInst(v) || depth == MAX_PARTS)
        return is;
    for (int i = 0; i < LLVMGetNumOperands(v) && !is; i++)
        is = is_part(load, LLVMGetOperand(v, (unsigned)i), l, depth + 1);
    return is;
}

bool prep_is_part(LLVMValueRef load, LLVMValueRef v, br_loop l) {
    return is_part(load, v, l, 0);
}

bool prep_is_for_store(LLVMValueRef load, LLVMBasicBlockRef block, br_loop l) {
    bool is = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !is; i = LLVMGetNextInstruction(i))
        is = LLVMIsAStoreInst(i) && prep_is_part(load, LLVMGetOperand(i, 1), l);
    return is;
}

bool prep_is_there_early(br_function *f, br_loop l, LLVMValueRef load) {
    LLVMValueRef from = LLVMGetOperand(load, 0);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(load);
    LLVMValueRef function = LLVMGetBasicBlockParent(block);
    bool is_address = LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMPointerTypeKind;
    bool is_size = LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMIntegerTypeKind &&
                   LLVMGetIntTypeWidth(LLVMTypeOf(load)) <= 64;
    return (is_address || is_size) && host_is_plain(load) && !host_in_loop(l, from) &&
           (br_is_always_there(load) || prep_is_passed(f, l, block) ||
            prep_is_loaded_before(f, function, l, load));
}
