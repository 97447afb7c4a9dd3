/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Guards. They are put in before anything is optimised. Each access to global memory is checked
 * against the allocation that its site hit last: two compares are inlined, and memory.c is called
 * when they fail. Each access to the scratchpad calls scratchpad.c. Operations that would trap on
 * the host, or be undefined there, get the results of devices: no trap, saturating conversions.
 */
#include "sim/lower/lower.h"

#include <string.h>

typedef enum provenance { PRIVATE, SCRATCHPAD, CHECKED } provenance;

static bool is_operation(LLVMValueRef value, LLVMOpcode opcode) {
    return (LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == opcode);
}

/* What kind of memory does this pointer surely point to? */
static provenance provenance_of(sim_lower *lower, LLVMValueRef pointer) {
    for (;;) {
        unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
        if (space == SIM_SPACE_SHARED)
            return SCRATCHPAD;
        if (space == SIM_SPACE_PRIVATE || LLVMIsAAllocaInst(pointer))
            return PRIVATE;
        if (LLVMIsALoadInst(pointer) && LLVMGetMetadata(pointer, lower->own_kind))
            return PRIVATE; /* a table of the simulated machine: the implicit arguments */
        if (!is_operation(pointer, LLVMGetElementPtr) && !is_operation(pointer, LLVMBitCast) &&
            !is_operation(pointer, LLVMAddrSpaceCast))
            return CHECKED;
        pointer = LLVMGetOperand(pointer, 0);
    }
}

static void add_function_attribute(sim_lower *lower, LLVMValueRef function, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(lower->context, kind, 0));
}

static void make_unlikely(sim_lower *lower, LLVMValueRef branch) {
    LLVMMetadataRef weights[] = {LLVMMDStringInContext2(lower->context, "branch_weights", 14),
                                 LLVMValueAsMetadata(sim_const32(lower, 1u << 20)),
                                 LLVMValueAsMetadata(sim_const32(lower, 1))};
    LLVMMetadataRef node = LLVMMDNodeInContext2(lower->context, weights, 3);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(lower->context, "prof", 4),
                    LLVMMetadataAsValue(lower->context, node));
}

/* Makes void check(thread, cache, address, misaligned bits, site), which is inlined everywhere. */
static void emit_check_function(sim_lower *lower) {
    LLVMBuilderRef b = lower->builder;
    LLVMTypeRef types[] = {lower->pointer, lower->pointer, lower->i64, lower->i64, lower->i32};
    LLVMValueRef check = LLVMAddFunction(lower->module, "stencilsim.check",
                                         LLVMFunctionType(lower->void_type, types, 5, 0));
    LLVMSetLinkage(check, LLVMInternalLinkage);
    add_function_attribute(lower, check, "alwaysinline");
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(lower->context, check, "");
    LLVMBasicBlockRef slow = LLVMAppendBasicBlockInContext(lower->context, check, "");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(lower->context, check, "");
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMValueRef thread = LLVMGetParam(check, 0), cache = LLVMGetParam(check, 1);
    LLVMValueRef address = LLVMGetParam(check, 2), site = LLVMGetParam(check, 4);
    LLVMValueRef low = sim_load_field(lower, cache, 0, lower->i64);
    LLVMValueRef limit = sim_load_field(lower, cache, 8, lower->i64);
    LLVMValueRef inside =
        LLVMBuildICmp(b, LLVMIntULE, LLVMBuildSub(b, address, low, ""), limit, "");
    LLVMValueRef aligned =
        LLVMBuildICmp(b, LLVMIntEQ, LLVMGetParam(check, 3), sim_const64(lower, 0), "");
    make_unlikely(lower, LLVMBuildCondBr(b, LLVMBuildAnd(b, inside, aligned, ""), done, slow));
    LLVMPositionBuilderAtEnd(b, slow);
    LLVMValueRef args[] = {thread, address, site};
    sim_call_helper(lower, "stencilsim_rt_access", lower->void_type, args, 3);
    add_function_attribute(lower, LLVMGetNamedFunction(lower->module, "stencilsim_rt_access"),
                           "cold");
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMBuildRetVoid(b);
    lower->check = check;
}

static uint64_t element_bytes(sim_lower *lower, LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMVectorTypeKind || kind == LLVMArrayTypeKind)
        type = LLVMGetElementType(type);
    return LLVMStoreSizeOfType(lower->layout, type);
}

static void guard_scratchpad(sim_lower *lower, LLVMValueRef address, uint32_t site,
                             LLVMValueRef stored) {
    LLVMValueRef args[] = {sim_env(lower, SIM_ENV_THREAD), address, sim_const32(lower, site), NULL};
    if (!stored || LLVMStoreSizeOfType(lower->layout, LLVMTypeOf(stored)) > 8) {
        sim_call_helper(lower, "stencilsim_rt_scratchpad", lower->void_type, args, 3);
        return;
    }
    args[3] = sim_to_bits(lower, stored); /* two waves may store the same value without order */
    sim_call_helper(lower, "stencilsim_rt_store_scratchpad", lower->void_type, args, 4);
}

static void guard_access(sim_lower *lower, LLVMValueRef access, LLVMValueRef pointer,
                         LLVMTypeRef type, sim_access_kind kind) {
    provenance from = provenance_of(lower, pointer);
    if (from == PRIVATE || LLVMGetMetadata(access, lower->own_kind))
        return;
    LLVMBuilderRef b = lower->builder;
    LLVMPositionBuilderBefore(b, access);
    uint64_t bytes = LLVMStoreSizeOfType(lower->layout, type);
    unsigned alignment = LLVMGetAlignment(access);
    uint32_t site = sim_new_site(lower, access, kind, bytes, element_bytes(lower, type), alignment);
    LLVMValueRef address = sim_address(lower, pointer);
    if (from == SCRATCHPAD) {
        guard_scratchpad(lower, address, site,
                         LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : NULL);
        return;
    }
    LLVMValueRef index = sim_const64(lower, site * sizeof(sim_cache));
    LLVMValueRef cache = LLVMBuildGEP2(b, lower->i8, sim_env(lower, SIM_ENV_CACHES), &index, 1, "");
    /* Devices fault on a misaligned vector. Misaligned scalars hardly occur. */
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMValueRef misaligned =
        LLVMBuildAnd(b, address, sim_const64(lower, vector && alignment ? alignment - 1 : 0), "");
    LLVMValueRef args[] = {sim_env(lower, SIM_ENV_THREAD), cache, address, misaligned,
                           sim_const32(lower, site)};
    LLVMBuildCall2(b, LLVMGlobalGetValueType(lower->check), lower->check, args, 5, "");
}

static void guard_range(sim_lower *lower, LLVMValueRef call, LLVMValueRef pointer, bool store) {
    if (provenance_of(lower, pointer) == PRIVATE)
        return;
    uint32_t site = sim_new_site(lower, call, store ? SIM_STORE : SIM_LOAD, 0, 1, 1);
    LLVMValueRef bytes =
        LLVMBuildIntCast2(lower->builder, LLVMGetOperand(call, 2), lower->i64, 0, "");
    LLVMValueRef args[] = {sim_env(lower, SIM_ENV_THREAD), sim_address(lower, pointer), bytes,
                           sim_const32(lower, site), sim_const32(lower, store)};
    sim_call_helper(lower, "stencilsim_rt_range", lower->void_type, args, 5);
}

static void guard_call(sim_lower *lower, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee) || LLVMGetMetadata(call, lower->own_kind))
        return;
    size_t length;
    const char *name = LLVMGetValueName2(callee, &length);
    bool copies = strncmp(name, "llvm.memcpy.", 12) == 0 || strncmp(name, "llvm.memmove.", 13) == 0;
    if (!copies && strncmp(name, "llvm.memset.", 12) != 0)
        return;
    LLVMPositionBuilderBefore(lower->builder, call);
    if (copies)
        guard_range(lower, call, LLVMGetOperand(call, 1), false);
    guard_range(lower, call, LLVMGetOperand(call, 0), true);
}

static void replace(LLVMValueRef old, LLVMValueRef value) {
    LLVMReplaceAllUsesWith(old, value);
    LLVMInstructionEraseFromParent(old);
}

/* Device results: x / 0 has all bits set, x % 0 is x, and the least integer divided by -1 wraps. */
static void guard_division(sim_lower *lower, LLVMValueRef division) {
    LLVMBuilderRef b = lower->builder;
    LLVMValueRef x = LLVMGetOperand(division, 0), y = LLVMGetOperand(division, 1);
    LLVMTypeRef type = LLVMTypeOf(division);
    if (LLVMIsAConstantInt(y) && LLVMConstIntGetZExtValue(y) != 0 &&
        LLVMConstIntGetSExtValue(y) != -1)
        return;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(division);
    bool is_signed = opcode == LLVMSDiv || opcode == LLVMSRem;
    bool remainder = opcode == LLVMURem || opcode == LLVMSRem;
    LLVMValueRef zero = LLVMConstNull(type), ones = LLVMConstAllOnes(type);
    LLVMValueRef one = LLVMConstNeg(ones);
    LLVMPositionBuilderBefore(b, division);
    LLVMValueRef by_zero = LLVMBuildICmp(b, LLVMIntEQ, y, zero, "");
    LLVMValueRef by_minus_one = LLVMBuildICmp(b, LLVMIntEQ, y, ones, "");
    LLVMValueRef special = is_signed ? LLVMBuildOr(b, by_zero, by_minus_one, "") : by_zero;
    LLVMValueRef result = LLVMBuildBinOp(b, opcode, x, LLVMBuildSelect(b, special, one, y, ""), "");
    if (is_signed && !remainder)
        result = LLVMBuildSelect(b, by_minus_one, LLVMBuildNeg(b, x, ""), result, "");
    result = LLVMBuildSelect(b, by_zero, remainder ? x : ones, result, "");
    replace(division, result);
}

static void guard_conversion(sim_lower *lower, LLVMValueRef conversion, const char *intrinsic) {
    LLVMPositionBuilderBefore(lower->builder, conversion);
    LLVMValueRef x = LLVMGetOperand(conversion, 0);
    LLVMTypeRef overloads[] = {LLVMTypeOf(conversion), LLVMTypeOf(x)};
    replace(conversion, sim_call_intrinsic(lower, intrinsic, overloads, 2, &x, 1));
}

/* Stops at `unreachable`. Without this the host would run whatever code follows the kernel. */
static void guard_unreachable(sim_lower *lower, LLVMValueRef at) {
    LLVMPositionBuilderBefore(lower->builder, at);
    LLVMValueRef args[] = {sim_env(lower, SIM_ENV_THREAD),
                           sim_const32(lower, sim_new_site(lower, at, SIM_LOAD, 0, 1, 1))};
    sim_call_helper(lower, "stencilsim_rt_trap", lower->void_type, args, 2);
}

static void guard_instruction(sim_lower *lower, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        guard_access(lower, i, LLVMGetOperand(i, 0), LLVMTypeOf(i), SIM_LOAD);
        break;
    case LLVMStore:
        guard_access(lower, i, LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)), SIM_STORE);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        lower->out->has_atomics = true;
        guard_access(lower, i, LLVMGetOperand(i, 0), LLVMTypeOf(LLVMGetOperand(i, 1)), SIM_ATOMIC);
        break;
    case LLVMCall:
        guard_call(lower, i);
        break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        guard_division(lower, i);
        break;
    case LLVMFPToSI:
        guard_conversion(lower, i, "llvm.fptosi.sat");
        break;
    case LLVMFPToUI:
        guard_conversion(lower, i, "llvm.fptoui.sat");
        break;
    case LLVMUnreachable:
        guard_unreachable(lower, i);
        break;
    default:
        break;
    }
}

bool sim_guard(sim_lower *lower) {
    emit_check_function(lower);
    for (size_t f = 0; f < lower->nfunctions; ++f) {
        lower->function = &lower->functions[f];
        LLVMValueRef function = lower->function->value;
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                guard_instruction(lower, i);
            }
        }
    }
    return !lower->failed;
}
