/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a kernel does to memory and to other threads. Legal when it writes by one plain store and
 * its threads neither share scratchpad, wait for each other nor exchange values.
 */
#include "detect/kernel/region.h"

enum { MAX_BLOCKS = HOST_MAX_OUTER_BLOCKS };

static bool in_scratchpad(LLVMValueRef pointer) {
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == TG_SCRATCHPAD;
}

/* How the instruction makes threads work together; NULL if it does not. */
static const char *cooperation(LLVMValueRef i) {
    if (LLVMIsALoadInst(i) && in_scratchpad(LLVMGetOperand(i, 0)))
        return "through scratchpad memory";
    if (LLVMIsAStoreInst(i) && in_scratchpad(LLVMGetOperand(i, 1)))
        return "through scratchpad memory";
    if (!LLVMIsACallInst(i))
        return NULL;
    tg_call_kind kind = tg_call_kind_of(i);
    return kind == TG_WAITS       ? "at barriers"
           : kind == TG_EXCHANGES ? "exchanging values between lanes"
                                  : NULL;
}

static bool refuse_call(kernel_region *k, st_reason reason, LLVMValueRef callee) {
    char own[HOST_DETAIL];
    br_source_name(callee, own, sizeof own);
    return kernel_refuse(k, reason, own);
}

static bool check_call(kernel_region *k, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee))
        return kernel_refuse(k, ST_NO_KERNEL_CALL, "inline assembly");
    if (!LLVMIsAFunction(callee))
        return kernel_refuse(k, ST_NO_KERNEL_CALL, "a function through a pointer");
    switch (tg_call_kind_of(call)) {
    case TG_COMPUTES:
    case TG_UNIFORM:
    case TG_READS_LAUNCH:
    case TG_HINT:
        return true;
    case TG_LOCATES:
        return refuse_call(k, ST_NO_KERNEL_PLACE, callee);
    case TG_UPDATES:
        return kernel_refuse(k, ST_NO_KERNEL_ATOMIC, NULL);
    case TG_CONVERGENT:
        return refuse_call(k, ST_NO_KERNEL_CONVERGENT, callee);
    default:
        return refuse_call(k, ST_NO_KERNEL_CALL, callee);
    }
}

static bool is_plain(LLVMValueRef access) {
    return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}

static bool check_instruction(kernel_region *k, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
    case LLVMLoad:
        return is_plain(i) || kernel_refuse(k, ST_NO_KERNEL_VOLATILE, NULL);
    case LLVMFence:
        return kernel_refuse(k, ST_NO_KERNEL_VOLATILE, NULL);
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW:
        return kernel_refuse(k, ST_NO_KERNEL_ATOMIC, NULL);
    case LLVMCall:
        return check_call(k, i);
    case LLVMInvoke:
    case LLVMCallBr:
        return kernel_refuse(k, ST_NO_KERNEL_CALL, "a function that may throw");
    case LLVMVAArg:
        return kernel_refuse(k, ST_NO_OPERATION, "va_arg");
    default:
        return true;
    }
}

bool kernel_check_each(kernel_region *k, kernel_check *check) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->region.function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!check(k, i))
                return false;
    return true;
}

static bool check_alone(kernel_region *k, LLVMValueRef i) {
    const char *how = cooperation(i);
    return !how || kernel_refuse(k, ST_NO_KERNEL_TILED, how);
}

static bool take_store(kernel_region *k, LLVMValueRef i) {
    if (!LLVMIsAStoreInst(i))
        return true;
    if (k->nstores == KERNEL_MAX_CELLS)
        return kernel_refuse(k, ST_NO_KERNEL_STORES, "more than 16 array elements");
    k->stores[k->nstores++] = i;
    return true;
}

/* All the kernel's loops are around the store. */
static bool check_loops(kernel_region *k) {
    br_loop loops[16];
    size_t count = br_loops(k->region.f, loops, 16);
    for (size_t i = 0; i < count && i < 16; i++)
        if (!br_loop_contains(loops[i], LLVMGetInstructionParent(k->region.store)))
            return kernel_refuse(k, ST_NO_KERNEL_LOOP, "it is finished before the cell is written");
    return count <= 2 || kernel_refuse(k, ST_NO_KERNEL_LOOP, "there are more than two");
}

static bool is_in(LLVMBasicBlockRef block, const LLVMBasicBlockRef *list, int count) {
    for (int i = 0; i < count; i++)
        if (list[i] == block)
            return true;
    return false;
}

/* Do all edges of b, without those back to a loop's head, lead to these blocks? */
static bool leads_to(const kernel_region *k, LLVMBasicBlockRef b, const LLVMBasicBlockRef *list,
                     int count) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
        if (!br_dominates(k->region.f, next, b) && !is_in(next, list, count))
            return false;
    }
    return true;
}

/* Forward edges form no cycle: there are no jumps into loops. From the end, block by block. */
static bool check_forward(kernel_region *k) {
    LLVMBasicBlockRef done[MAX_BLOCKS], b;
    int count = 0, total = (int)LLVMCountBasicBlocks(k->region.function);
    for (bool more = true; more;) {
        more = false;
        b = LLVMGetLastBasicBlock(k->region.function);
        for (; b; b = LLVMGetPreviousBasicBlock(b))
            if (!is_in(b, done, count) && leads_to(k, b, done, count)) {
                done[count++] = b;
                more = true;
            }
    }
    return count == total || kernel_refuse(k, ST_NO_KERNEL_CONTROL_FLOW, "a jump into a loop");
}

bool kernel_check_alone(kernel_region *k) {
    if (LLVMCountBasicBlocks(k->region.function) > MAX_BLOCKS)
        return kernel_refuse(k, ST_NO_TOO_BIG, "512 basic blocks");
    return kernel_check_each(k, check_alone) && kernel_check_each(k, check_instruction);
}

bool kernel_check_effects(kernel_region *k) {
    if (!kernel_check_alone(k) || !kernel_check_each(k, take_store))
        return false;
    if (k->nstores == 0)
        return kernel_refuse(k, ST_NO_KERNEL_STORES, "no array element");
    if (k->nstores > 1 && !kernel_sort_stores(k))
        return false;
    k->region.store = k->stores[k->cell];
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(k->region.store, 1))) == TG_STACK)
        return kernel_refuse(k, ST_NO_KERNEL_STORES, "only memory of its own");
    return check_forward(k) && check_loops(k);
}
