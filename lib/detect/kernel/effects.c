/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a kernel does to memory and to other threads. Legal when it writes by one plain store and
 * its threads neither share scratchpad, wait for each other nor exchange values.
 */
#include "detect/kernel/effects.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "target/uniform.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_BLOCKS = HOST_MAX_OUTER_BLOCKS };

static bool in_scratchpad(LLVMValueRef pointer) {
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == TG_SCRATCHPAD;
}

/* How the instruction makes threads work together; NULL if it does not. */
static const char *cooperation(LLVMValueRef i) {
    if (LLVMIsALoadInst(i) && in_scratchpad(LLVMGetOperand(i, 0)))
        return "in shared memory";
    if (LLVMIsAStoreInst(i) && in_scratchpad(LLVMGetOperand(i, 1)))
        return "in shared memory";
    if (!LLVMIsACallInst(i))
        return NULL;
    tg_call_kind kind = tg_call_kind_of(i);
    return kind == TG_WAITS       ? "at barriers"
           : kind == TG_EXCHANGES ? "exchanging values between lanes"
                                  : NULL;
}

static bool refuse_call(st_refusal *why, st_reason reason, LLVMValueRef callee) {
    char own[ST_DETAIL];
    br_source_name(callee, own, sizeof own);
    return st_refuse(why, reason, own);
}

static bool refuse_assembly(st_refusal *why, LLVMValueRef call) {
    char detail[ST_DETAIL], name[64];
    host_operation_name(call, name, sizeof name);
    snprintf(detail, sizeof detail, "inline assembly (%s)", name);
    return st_refuse(why, ST_NO_KERNEL_CALL, detail);
}

static bool refuse_texture(st_refusal *why, LLVMValueRef call) {
    char name[ST_DETAIL];
    host_operation_name(call, name, sizeof name);
    return st_refuse(why, ST_NO_KERNEL_TEXTURE, name);
}

static bool is_own(LLVMValueRef pointer) {
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAAllocaInst(pointer);
}

static bool check_call(LLVMValueRef call, st_refusal *why) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (tg_call_kind_of(call) == TG_SAMPLES)
        return refuse_texture(why, call);
    if (host_is_copy(call))
        return is_own(LLVMGetOperand(call, 0))
                   ? st_refuse(why, ST_NO_KERNEL_LOCAL, NULL)
                   : st_refuse(why, ST_NO_KERNEL_STORES, "records as a whole (memcpy or memset)");
    if (LLVMIsAInlineAsm(callee))
        return tg_call_kind_of(call) == TG_COMPUTES || refuse_assembly(why, call);
    if (!LLVMIsAFunction(callee))
        return st_refuse(why, ST_NO_KERNEL_CALL, "a function through a pointer");
    switch (tg_call_kind_of(call)) {
    case TG_COMPUTES:
    case TG_UNIFORM:
    case TG_READS_LAUNCH:
    case TG_HINT:
        return true;
    case TG_LOCATES:
        return refuse_call(why, ST_NO_KERNEL_PLACE, callee);
    case TG_UPDATES:
        return st_refuse(why, ST_NO_KERNEL_ATOMIC, NULL);
    case TG_CONVERGENT:
        return refuse_call(why, ST_NO_KERNEL_CONVERGENT, callee);
    default:
        return refuse_call(why, ST_NO_KERNEL_CALL, callee);
    }
}

static bool check_instruction(void *context, LLVMValueRef i, st_refusal *why) {
    (void)context;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
    case LLVMLoad:
        return host_is_plain(i) || st_refuse(why, ST_NO_KERNEL_VOLATILE, NULL);
    case LLVMFence:
        return st_refuse(why, ST_NO_KERNEL_VOLATILE, NULL);
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW:
        return st_refuse(why, ST_NO_KERNEL_ATOMIC, NULL);
    case LLVMCall:
        return check_call(i, why);
    case LLVMInvoke:
    case LLVMCallBr:
        return st_refuse(why, ST_NO_KERNEL_CALL, "a function that may throw");
    case LLVMVAArg:
        return st_refuse(why, ST_NO_KERNEL_OPERATION, "va_arg");
    default:
        return true;
    }
}

bool kernel_check_each(LLVMValueRef function, kernel_check *check, void *context, st_refusal *why) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!check(context, i, why))
                return false;
    return true;
}

static bool check_alone(void *context, LLVMValueRef i, st_refusal *why) {
    (void)context;
    const char *how = cooperation(i);
    return !how || st_refuse(why, ST_NO_KERNEL_TILED, how);
}

typedef struct found {
    LLVMValueRef *stores;
    int count, most;
} found;

static bool take_store(void *context, LLVMValueRef i, st_refusal *why) {
    found *to = context;
    if (!LLVMIsAStoreInst(i))
        return true;
    if (to->count == to->most)
        return st_refuse(why, ST_NO_KERNEL_STORES, "more than 32 array elements");
    to->stores[to->count++] = i;
    return true;
}

/* Arrays of a thread's own, in memory since registers have no indices. */
static bool check_own_arrays(void *context, LLVMValueRef i, st_refusal *why) {
    (void)context;
    bool access = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
    LLVMValueRef pointer = access ? LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0) : NULL;
    return !pointer || !is_own(pointer) || st_refuse(why, ST_NO_KERNEL_LOCAL, NULL);
}

bool kernel_find_stores(LLVMValueRef function, LLVMValueRef *stores, int *count, st_refusal *why) {
    found to = {stores, 0, *count};
    bool good = kernel_check_each(function, check_own_arrays, NULL, why) &&
                kernel_check_each(function, take_store, &to, why);
    *count = to.count;
    return good && (to.count > 0 || st_refuse(why, ST_NO_KERNEL_STORES, "no array element"));
}

static bool has_constant_count(br_function *f, br_loop l) {
    br_scev count = br_backedge_count(f, l);
    return count && br_scev_kind(count) == BR_CONSTANT;
}

static bool has_coordinate(br_scev s, int depth) {
    tg_launch_value value;
    int dim;
    bool has = br_scev_kind(s) == BR_UNKNOWN && tg_reads_launch(br_scev_value(s), &value, &dim);
    for (size_t i = 0; i < br_scev_count(s) && depth > 0; i++)
        has |= has_coordinate(br_scev_operand(s, i), depth - 1);
    return has;
}

bool kernel_refuse_count(br_function *f, br_loop l, st_refusal *why) {
    enum { DEPTH = 8 };
    br_scev count = br_backedge_count(f, l);
    return st_refuse(
        why, ST_NO_KERNEL_COUNT,
        count && has_coordinate(count, DEPTH)
            ? "its bounds are computed of coordinates; where they are as far from the cell as an "
              "argument says, count from -r to r, and add the coordinate inside"
            : "with a number of iterations that the compiler knows, such as a template's argument, "
              "or that follows from one or two integers among the kernel's arguments, it can be "
              "unrolled");
}

/* Are all the kernel's loops around the store? */
static bool check_loops(br_function *f, LLVMValueRef store, st_refusal *why) {
    br_loop loops[16];
    size_t count = br_loops(f, loops, 16);
    for (size_t i = 0; i < count && i < 16; i++)
        if (!br_loop_contains(loops[i], LLVMGetInstructionParent(store)))
            return has_constant_count(f, loops[i])
                       ? st_refuse(why, ST_NO_KERNEL_LOOP,
                                   "it is finished before the cell is written; -O2 and -O3 unroll "
                                   "loops over neighbours")
                       : kernel_refuse_count(f, loops[i], why);
    return count <= 2 || st_refuse(why, ST_NO_KERNEL_LOOP, "there are more than two");
}

/* Do all edges of b, without those back to a loop's head, lead to these blocks? */
static bool leads_to(br_function *f, LLVMBasicBlockRef b, const LLVMBasicBlockRef *list,
                     int count) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
        if (!br_dominates(f, next, b) && !host_lists_block(list, (size_t)count, next))
            return false;
    }
    return true;
}

/* Forward edges form no cycle: there are no jumps into loops. From the end, block by block. */
static bool check_forward(br_function *f, LLVMValueRef function, st_refusal *why) {
    int count = 0, total = (int)LLVMCountBasicBlocks(function);
    LLVMBasicBlockRef *done = malloc((size_t)total * sizeof *done), b;
    for (bool more = true; more;) {
        more = false;
        b = LLVMGetLastBasicBlock(function);
        for (; b; b = LLVMGetPreviousBasicBlock(b))
            if (!host_lists_block(done, (size_t)count, b) && leads_to(f, b, done, count)) {
                done[count++] = b;
                more = true;
            }
    }
    free(done);
    return count == total || st_refuse(why, ST_NO_KERNEL_CONTROL_FLOW, "a jump into a loop");
}

bool kernel_check_alone(LLVMValueRef function, st_refusal *why) {
    if (LLVMCountBasicBlocks(function) > MAX_BLOCKS)
        return st_refuse(why, ST_NO_KERNEL_TOO_BIG, "512 basic blocks");
    return kernel_check_each(function, check_alone, NULL, why) &&
           kernel_check_each(function, check_instruction, NULL, why);
}

bool kernel_check_flow(br_function *f, LLVMValueRef store, st_refusal *why) {
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(store));
    return check_forward(f, function, why) && check_loops(f, store, why);
}
