/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What both forms of a remapped kernel share: its first block, and values in it that depend on the
 * kernel's arguments and on the launch's sizes. The program may compute these values later, or not
 * always.
 */
#include "codegen/remap/remap.h"
#include "target/uniform.h"

static void move_allocas(LLVMBuilderRef b, LLVMBasicBlockRef from) {
    LLVMValueRef next, i = LLVMGetFirstInstruction(from);
    for (; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!LLVMIsAAllocaInst(i) || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)))
            continue;
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(b, i);
    }
}

LLVMBasicBlockRef remap_open(LLVMBuilderRef b, LLVMValueRef function) {
    LLVMBasicBlockRef old = LLVMGetEntryBasicBlock(function);
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(function));
    LLVMBasicBlockRef block = LLVMInsertBasicBlockInContext(c, old, "order");
    LLVMPositionBuilderAtEnd(b, block);
    LLVMPositionBuilderBefore(b, LLVMBuildBr(b, old));
    move_allocas(b, old);
    return block;
}

/* Copies */

enum { MAX_DEPTH = ST_LIMIT(12, 2) };

static bool is_safe_call(LLVMValueRef call) {
    int dim;
    tg_launch_value value;
    if (tg_reads_launch(call, &value, &dim))
        return value == TG_BLOCK_SIZE || value == TG_BLOCK_COUNT;
    return tg_is_plain_call(call);
}

/* Is the load from the launch's own memory, which may be read from the kernel's start, or made
 * there anyway? */
static bool is_safe_load(LLVMValueRef load) {
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    while (LLVMIsAGetElementPtrInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return tg_is_read_first(load) ||
           (tg_is_uniform(load) && (LLVMIsACallInst(pointer) || tg_is_struct(pointer)));
}

static bool is_safe(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMFreeze:
    case LLVMICmp:
    case LLVMSelect:
        return LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) == LLVMIntegerTypeKind;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMGetElementPtr:
        return LLVMIsAConstantInt(LLVMGetOperand(i, 1)) && LLVMGetNumOperands(i) == 2;
    case LLVMLoad:
        return is_safe_load(i);
    case LLVMCall:
        return is_safe_call(i);
    default:
        return false;
    }
}

static bool can_copy(LLVMValueRef v, int depth) {
    if (LLVMIsAArgument(v) || LLVMIsAConstantInt(v))
        return true;
    if (depth == 0 || !LLVMIsAInstruction(v) || !is_safe(v))
        return false;
    for (int i = 0; i < tg_operand_count(v); i++)
        if (!can_copy(LLVMGetOperand(v, (unsigned)i), depth - 1))
            return false;
    return true;
}

bool remap_can_copy(LLVMValueRef v) {
    return can_copy(v, MAX_DEPTH);
}

LLVMValueRef remap_copy(LLVMBuilderRef b, LLVMValueRef v) {
    if (LLVMIsAConstantInt(v))
        return v;
    if (LLVMIsAArgument(v))
        return tg_argument_has(v, "noundef") || tg_is_struct(v) ? v : LLVMBuildFreeze(b, v, "");
    LLVMValueRef copy = LLVMInstructionClone(v);
    for (int i = 0; i < tg_operand_count(v); i++)
        LLVMSetOperand(copy, (unsigned)i, remap_copy(b, LLVMGetOperand(v, (unsigned)i)));
    /* What held where the program computes it need not hold at the kernel's start. */
    br_drop_promises(copy);
    LLVMInsertIntoBuilder(b, copy);
    return copy;
}
