/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a region's instructions do to memory. Legal when
 *   1. a sweep writes memory by one store, in the innermost loop, in every iteration (one of
 *      several sweeps may have several stores, also under conditions, see steps.c);
 *   2. there is no volatile or atomic access, no access to a numbered address space and no call
 *      with an effect, but for functions of <math.h> that the CPU calls in each step as the program
 *      does (after.c);
 *   3. the function has no strict floating-point semantics and no sanitizer.
 */
#include "detect/common/calls.h"
#include "detect/common/limits.h"
#include "detect/host/nest.h"
#include "detect/host/order.h"
#include "detect/host/region.h"

#include <string.h>

/* Other address spaces, such as x86's __seg_gs, are not memory that the runtime can reach. */
static bool check_address_space(host_region *r, LLVMValueRef pointer) {
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == 0 ||
           host_refuse(r, ST_NO_OPERATION, "access to a numbered address space");
}

static bool check_copy(host_region *r, LLVMValueRef call) {
    LLVMValueRef is_volatile = LLVMGetOperand(call, 3);
    if (!LLVMIsAConstantInt(is_volatile) || LLVMConstIntGetZExtValue(is_volatile))
        return host_refuse(r, ST_NO_VOLATILE, NULL);
    return check_address_space(r, LLVMGetOperand(call, 0)) &&
           check_address_space(r, LLVMGetOperand(call, 1));
}

/* Refuses a call that this project put there: a nest in the loop runs on the device by itself. */
static bool refuse_own_call(host_region *r, const char *name) {
    if (strcmp(name, HOST_ALONE))
        return host_refuse(r, ST_NO_SWEEPS,
                           "a nest in it looks up mathematical functions that the "
                           "CPU computes before it");
    return host_refuse(r, ST_NO_OPENMP, "is offloaded by itself, since the loop around it is not");
}

static bool check_call(host_region *r, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    if (r->twin && call == r->twin->store) /* which copies back */
        return check_copy(r, call);
    if (LLVMIsAInlineAsm(callee))
        return host_refuse(r, ST_NO_INLINE_ASM, NULL);
    if (!LLVMIsAFunction(callee))
        return host_refuse(r, ST_NO_CALL, "a function through a pointer");
    const char *name = LLVMGetValueName2(callee, &length);
    if ((r->twin || r->steps) && !strncmp(name, "llvm.lifetime.", 14))
        return host_refuse(r, r->twin ? ST_NO_TWO_SWEEPS : ST_NO_SWEEPS,
                           "an array lives only within that loop");
    if (host_is_annotation(name) || host_is_operation(name) ||
        (r->steps && host_is_stored(r->steps, call)))
        return true;
    if (r->steps && host_is_left_to_cpu(r->steps, call))
        return true;
    if (!strncmp(name, "stencilopt.", strlen("stencilopt.")))
        return refuse_own_call(r, name);
    if (host_is_complex_product(name))
        return true;
    if (host_is_complex_quotient(name))
        return host_refuse(r, ST_NO_COMPLEX, name);
    if (host_sets_errno(name)) {
        bool cell = r->axes > 0 && host_in_loop(r->loops[0], call) && host_differs_in_bits(name);
        return host_refuse(r, cell ? ST_NO_ERRNO_AND_BITS : ST_NO_ERRNO, name);
    }
    char own[ST_DETAIL];
    br_source_name(callee, own, sizeof own);
    return host_refuse(r, ST_NO_CALL, own);
}

bool host_is_variable(LLVMValueRef p) {
    LLVMTypeRef t = LLVMIsAAllocaInst(p)       ? LLVMGetAllocatedType(p)
                    : LLVMIsAGlobalVariable(p) ? LLVMGlobalGetValueType(p)
                                               : NULL;
    return t && LLVMGetTypeKind(t) != LLVMArrayTypeKind && LLVMGetTypeKind(t) != LLVMStructTypeKind;
}

/* Refuses a store that is not to a cell. */
static bool refuse_store(host_region *r, LLVMValueRef i) {
    if (!r->steps && br_loop_contains(r->loops[0], LLVMGetInstructionParent(i)))
        return host_refuse(r, ST_NO_SEVERAL_STORES, "it was not looked at as a step of its own");
    return host_refuse(r, ST_NO_NOT_INNERMOST_STORE,
                       host_is_variable(LLVMGetOperand(i, 1))
                           ? "an assignment to a variable that other procedures may read, perhaps "
                             "of a loop's index; declare it in this one"
                           : "an assignment");
}

static bool check_instruction(host_region *r, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
        if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
            return host_refuse(r, ST_NO_VOLATILE, NULL);
        if (i == r->store || (r->twin && i == r->twin->store) ||
            (r->steps && host_is_stored(r->steps, i)))
            return check_address_space(r, LLVMGetOperand(i, 1));
        return refuse_store(r, i);
    case LLVMLoad:
        if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
            return host_refuse(r, ST_NO_VOLATILE, NULL);
        return check_address_space(r, LLVMGetOperand(i, 0));
    case LLVMCall:
        return check_call(r, i);
    case LLVMInvoke:
    case LLVMCallBr:
        return host_refuse(r, ST_NO_CALL, "a function that may throw");
    case LLVMFence:
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW:
        return host_refuse(r, ST_NO_VOLATILE, NULL);
    case LLVMVAArg:
        return host_refuse(r, ST_NO_OPERATION, "va_arg");
    default:
        return true;
    }
}

bool host_check_calls(host_region *r, br_loop l) {
    LLVMBasicBlockRef block;
    for (size_t b = 0; (block = br_loop_block(l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && !LLVMIsAIntrinsicInst(i) && !check_call(r, i))
                return false;
    return true;
}

/* A call in the loop that may throw, of a function that has a name. */
static LLVMValueRef throwing_call(br_loop l) {
    LLVMBasicBlockRef b;
    for (size_t k = 0; (b = br_loop_block(l, k)); k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (LLVMIsAInvokeInst(end) && LLVMIsAFunction(LLVMGetCalledValue(end)))
            return end;
    }
    return NULL;
}

bool host_name_throwing(br_loop l, st_refusal *why) {
    LLVMValueRef throwing = throwing_call(l);
    char name[HOST_DETAIL];
    if (throwing) {
        br_source_name(LLVMGetCalledValue(throwing), name, sizeof name);
        st_refuse(why, ST_NO_CALL, name);
    }
    return throwing != NULL;
}

void host_name_call(host_region *r, br_loop l, st_refusal *why) {
    const st_refusal own = r->why;
    if (!host_name_throwing(l, why) && !host_check_calls(r, l) && r->why.reason == ST_NO_CALL)
        *why = r->why;
    r->why = own;
}

bool host_check_calls_of_step(host_region *r, br_loop l) {
    LLVMBasicBlockRef block, latch = br_loop_latch(l);
    for (size_t b = 0; latch && (block = br_loop_block(l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && !LLVMIsAIntrinsicInst(i) && !host_calls(i, "__kmpc_") &&
                br_dominates(r->f, block, latch) && !check_call(r, i) &&
                r->why.reason == ST_NO_CALL)
                return false;
    return true;
}

bool host_check_effects(host_region *r) {
    LLVMBasicBlockRef block;
    if (br_loop_block(r->outer, HOST_MAX_OUTER_BLOCKS))
        return host_refuse(r, ST_NO_TOO_BIG, "512 basic blocks");
    for (size_t b = 0; (block = br_loop_block(r->outer, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (!check_instruction(r, i))
                return false;
    LLVMBasicBlockRef stores = LLVMGetInstructionParent(r->store);
    bool always = r->axes == 0 || br_dominates(r->f, stores, br_loop_latch(r->loops[0]));
    return always || !r->twin || host_refuse(r, ST_NO_CONDITIONAL_STORE, NULL);
}

static bool has_attribute(LLVMValueRef function, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return kind && LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

bool host_check_function(host_region *r) {
    static const char *const sanitizers[] = {
        "sanitize_address",   "sanitize_memory", "sanitize_thread",  "sanitize_type",
        "sanitize_hwaddress", "sanitize_memtag", "sanitize_realtime"};
    if (has_attribute(r->function, "strictfp"))
        return host_refuse(r, ST_NO_STRICT_FP, NULL);
    for (size_t i = 0; i < sizeof sanitizers / sizeof *sanitizers; i++)
        if (has_attribute(r->function, sanitizers[i]))
            return host_refuse(r, ST_NO_SANITIZER, sanitizers[i]);
    return true;
}
