/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The first and the last stage on the IR. sim_prepare inlines device functions, makes the module
 * one for the host, and gives each kernel hidden parameters for the ids. sim_retarget removes every
 * promise that the optimiser might use. A device does not trap where a promise is broken, so the
 * simulator must not. Fast-math flags are removed too, because they would change results.
 */
#include "sim/lower/lower.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

static bool is_kernel(const sim_lower *lower, LLVMValueRef function) {
    return LLVMGetFunctionCallConv(function) == lower->out->dialect->kernel_convention;
}

static bool remove_attribute(LLVMValueRef function, LLVMAttributeIndex index, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    bool had = LLVMGetEnumAttributeAtIndex(function, index, kind) != NULL;
    LLVMRemoveEnumAttributeAtIndex(function, index, kind);
    return had;
}

static void inline_everything(sim_lower *lower) {
    for (LLVMValueRef f = LLVMGetFirstFunction(lower->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        remove_attribute(f, LLVMAttributeFunctionIndex, "optnone");
        remove_attribute(f, LLVMAttributeFunctionIndex, "noinline");
        if (is_kernel(lower, f))
            continue;
        LLVMSetLinkage(f, LLVMInternalLinkage);
        unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(lower->context, always, 0));
    }
    static const char *const lists[] = {"llvm.used", "llvm.compiler.used"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
        LLVMValueRef list = LLVMGetNamedGlobal(lower->module, lists[i]);
        if (list)
            LLVMDeleteGlobal(list);
    }
    /* Private variables become registers, so that one can see where a pointer comes from. No pass
     * of this pipeline may look into the scratchpad: unwritten bytes must not be folded to undef.
     */
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failure =
        LLVMRunPasses(lower->module, "always-inline,function(sroa),globaldce", NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (failure) {
        char *text = LLVMGetErrorMessage(failure);
        sim_lower_fail(lower, "inlining: %s", text);
        LLVMDisposeErrorMessage(text);
    }
}

static bool set_host(sim_lower *lower) {
    char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
    LLVMTargetRef target;
    if (LLVMGetTargetFromTriple(triple, &target, &message)) {
        sim_lower_fail(lower, "%s", message);
        LLVMDisposeMessage(message);
        LLVMDisposeMessage(triple);
        return false;
    }
    LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
        target, triple, "", "", LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelJITDefault);
    lower->layout = LLVMCreateTargetDataLayout(machine);
    LLVMDisposeTargetMachine(machine);
    LLVMSetTarget(lower->module, triple);
    LLVMSetModuleDataLayout(lower->module, lower->layout);
    LLVMDisposeMessage(triple);
    return true;
}

/* Structs passed by value or by reference: the body works on a private copy, as on a device. */
static LLVMValueRef copy_aggregate(sim_lower *lower, LLVMValueRef old, LLVMValueRef parameter,
                                   LLVMTypeRef type) {
    LLVMValueRef copy = LLVMBuildAlloca(lower->builder, type, "");
    LLVMSetAlignment(copy, 16);
    LLVMTypeRef old_type = LLVMTypeOf(old);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(parameter)) != 0)
        parameter = LLVMBuildAddrSpaceCast(lower->builder, parameter, lower->pointer, "");
    LLVMValueRef args[] = {copy, parameter,
                           sim_const64(lower, LLVMABISizeOfType(lower->layout, type)),
                           LLVMConstInt(lower->i1, 0, 0)};
    LLVMTypeRef overloads[] = {lower->pointer, lower->pointer, lower->i64};
    sim_mark_own(lower, sim_call_intrinsic(lower, "llvm.memcpy", overloads, 3, args, 4));
    if (LLVMGetPointerAddressSpace(old_type) == 0)
        return copy;
    return LLVMBuildAddrSpaceCast(lower->builder, copy, old_type, "");
}

static LLVMTypeRef aggregate_parameter(LLVMValueRef function, unsigned index) {
    static const char *const names[] = {"byval", "byref"};
    for (size_t i = 0; i < 2; ++i) {
        unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
        LLVMAttributeRef found = LLVMGetEnumAttributeAtIndex(function, index + 1, kind);
        if (found)
            return LLVMGetTypeAttributeValue(found);
    }
    return NULL;
}

static void describe_parameter(sim_lower *lower, sim_kernel *kernel, LLVMValueRef function,
                               unsigned index) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, index));
    LLVMTypeRef aggregate = aggregate_parameter(function, index);
    if (aggregate) {
        kernel->param_bytes[index] = LLVMABISizeOfType(lower->layout, aggregate);
        kernel->param_types[index] = strdup("");
        return;
    }
    kernel->param_bytes[index] = LLVMStoreSizeOfType(lower->layout, type);
    char *text = LLVMPrintTypeToString(type);
    kernel->param_types[index] = strdup(text);
    LLVMDisposeMessage(text);
}

static void describe_kernel(sim_lower *lower, sim_kernel *kernel, LLVMValueRef function) {
    size_t length;
    kernel->name = strdup(LLVMGetValueName2(function, &length));
    kernel->nparams = LLVMCountParams(function);
    kernel->param_bytes = calloc(kernel->nparams + 1, sizeof *kernel->param_bytes);
    kernel->param_types = calloc(kernel->nparams + 1, sizeof *kernel->param_types);
    for (unsigned p = 0; p < kernel->nparams; ++p)
        describe_parameter(lower, kernel, function, p);
}

static bool is_gfx10_or_later(LLVMValueRef function) {
    static const char name[] = "target-cpu", start[] = "gfx1";
    unsigned length = 0;
    LLVMAttributeRef cpu =
        LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name, sizeof name - 1);
    const char *text = cpu ? LLVMGetStringAttributeValue(cpu, &length) : "";
    return length > 5 && !strncmp(text, start, sizeof start - 1);
}

/* The body: the kernel's blocks in a function that also takes the hidden parameters. */
static void make_body(sim_lower *lower, sim_function *function) {
    LLVMValueRef old = function->value;
    function->halves = is_gfx10_or_later(old);
    unsigned nparams = LLVMCountParams(old);
    LLVMTypeRef *types = calloc(SIM_ENV_COUNT + nparams, sizeof *types);
    for (unsigned e = 0; e < SIM_ENV_COUNT; ++e)
        types[e] = e < SIM_ENV_IDS ? lower->pointer : lower->i32;
    for (unsigned p = 0; p < nparams; ++p)
        types[SIM_ENV_COUNT + p] = LLVMTypeOf(LLVMGetParam(old, p));
    LLVMValueRef body =
        LLVMAddFunction(lower->module, "stencilsim.body",
                        LLVMFunctionType(lower->void_type, types, SIM_ENV_COUNT + nparams, 0));
    free(types);
    LLVMSetLinkage(body, LLVMInternalLinkage);
    for (LLVMBasicBlockRef block; (block = LLVMGetFirstBasicBlock(old));) {
        LLVMRemoveBasicBlockFromParent(block);
        LLVMAppendExistingBasicBlock(body, block);
    }
    LLVMPositionBuilderBefore(lower->builder,
                              LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(body)));
    for (unsigned p = 0; p < nparams; ++p) {
        LLVMValueRef from = LLVMGetParam(old, p), to = LLVMGetParam(body, SIM_ENV_COUNT + p);
        LLVMTypeRef aggregate = aggregate_parameter(old, p);
        if (aggregate)
            to = copy_aggregate(lower, from, to, aggregate);
        LLVMReplaceAllUsesWith(from, to);
    }
    for (unsigned e = 0; e < SIM_ENV_COUNT; ++e)
        function->env[e] = LLVMGetParam(body, e);
    LLVMReplaceAllUsesWith(old, body);
    LLVMDeleteFunction(old);
    function->value = body;
}

/* A device function that was not inlined (recursion, or its address is taken) asks which thread
 * runs it. */
static void make_device_env(sim_lower *lower, sim_function *function) {
    LLVMPositionBuilderBefore(lower->builder,
                              LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function->value)));
    LLVMValueRef thread = sim_call_helper(lower, "stencilsim_rt_thread", lower->pointer, NULL, 0);
    LLVMValueRef worker = sim_load_field(lower, thread, SIM_THREAD_WORKER, lower->pointer);
    sim_load_env(lower, thread, worker, function->env);
}

bool sim_prepare(sim_lower *lower) {
    inline_everything(lower);
    if (lower->failed || !set_host(lower))
        return false;
    size_t defined = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(lower->module); f; f = LLVMGetNextFunction(f))
        defined += !LLVMIsDeclaration(f);
    lower->functions = calloc(defined + 1, sizeof *lower->functions);
    lower->out->kernels = calloc(defined + 1, sizeof *lower->out->kernels);
    for (LLVMValueRef f = LLVMGetFirstFunction(lower->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            lower->functions[lower->nfunctions++].value = f;
    for (size_t i = 0; i < lower->nfunctions; ++i) {
        sim_function *function = &lower->functions[i];
        if (!is_kernel(lower, function->value)) {
            make_device_env(lower, function);
            continue;
        }
        function->kernel = &lower->out->kernels[lower->out->nkernels++];
        describe_kernel(lower, function->kernel, function->value);
        make_body(lower, function);
    }
    if (!lower->out->nkernels)
        return sim_lower_fail(lower, "the module has no kernel");
    return true;
}

static void strip_metadata(LLVMValueRef instruction) {
    size_t count;
    LLVMValueMetadataEntry *entries =
        LLVMInstructionGetAllMetadataOtherThanDebugLoc(instruction, &count);
    for (size_t i = 0; i < count; ++i)
        LLVMSetMetadata(instruction, LLVMValueMetadataEntriesGetKind(entries, (unsigned)i), NULL);
    LLVMDisposeValueMetadataEntries(entries);
}

static void copy_call_attributes(LLVMValueRef from, LLVMValueRef to) {
    for (unsigned index = 0; index <= LLVMGetNumArgOperands(from); ++index) {
        unsigned count = LLVMGetCallSiteAttributeCount(from, index);
        LLVMAttributeRef *attributes = calloc(count + 1, sizeof(LLVMAttributeRef));
        LLVMGetCallSiteAttributes(from, index, attributes);
        for (unsigned a = 0; a < count; ++a)
            LLVMAddCallSiteAttribute(to, index, attributes[a]);
        free(attributes);
    }
}

static LLVMValueRef rebuild_call(LLVMBuilderRef b, LLVMValueRef call) {
    unsigned nargs = LLVMGetNumArgOperands(call);
    LLVMValueRef *args = calloc(nargs + 1, sizeof *args);
    for (unsigned i = 0; i < nargs; ++i)
        args[i] = LLVMGetOperand(call, i);
    LLVMValueRef copy = LLVMBuildCall2(b, LLVMGetCalledFunctionType(call), LLVMGetCalledValue(call),
                                       args, nargs, "");
    free(args);
    copy_call_attributes(call, copy);
    return copy;
}

static LLVMValueRef rebuild_phi(LLVMBuilderRef b, LLVMValueRef phi) {
    LLVMValueRef copy = LLVMBuildPhi(b, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); ++i) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        LLVMAddIncoming(copy, &value, &block, 1);
    }
    return copy;
}

/* Removes the fast-math flags of an instruction. LLVM's C API can add flags but not remove them, so
 * the instruction is built again. Returns the new one. */
static LLVMValueRef drop_fast_math(sim_lower *lower, LLVMValueRef old) {
    if (!LLVMCanValueUseFastMathFlags(old) || LLVMGetFastMathFlags(old) == LLVMFastMathNone)
        return old;
    LLVMBuilderRef b = lower->builder;
    LLVMPositionBuilderBefore(b, old);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(old);
    LLVMValueRef made = NULL, x = LLVMGetNumOperands(old) ? LLVMGetOperand(old, 0) : NULL;
    switch (opcode) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
        made = LLVMBuildBinOp(b, opcode, x, LLVMGetOperand(old, 1), "");
        break;
    case LLVMFNeg:
        made = LLVMBuildFNeg(b, x, "");
        break;
    case LLVMFCmp:
        made = LLVMBuildFCmp(b, LLVMGetFCmpPredicate(old), x, LLVMGetOperand(old, 1), "");
        break;
    case LLVMSelect:
        made = LLVMBuildSelect(b, x, LLVMGetOperand(old, 1), LLVMGetOperand(old, 2), "");
        break;
    case LLVMPHI:
        made = rebuild_phi(b, old);
        break;
    case LLVMCall:
        made = rebuild_call(b, old);
        break;
    default:
        if (LLVMIsACastInst(old))
            made = LLVMBuildCast(b, opcode, x, LLVMTypeOf(old), "");
        break;
    }
    if (!made) {
        sim_lower_fail(lower, "internal error: fast-math flags on an unknown instruction");
        return old;
    }
    LLVMReplaceAllUsesWith(old, made);
    LLVMInstructionEraseFromParent(old);
    return made;
}

static void strip_flags(LLVMValueRef instruction) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        LLVMSetNSW(instruction, 0);
        LLVMSetNUW(instruction, 0);
        break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr:
        LLVMSetExact(instruction, 0);
        break;
    case LLVMZExt:
    case LLVMUIToFP:
        LLVMSetNNeg(instruction, 0);
        break;
    case LLVMOr:
        LLVMSetIsDisjoint(instruction, 0);
        break;
    case LLVMGetElementPtr:
        LLVMGEPSetNoWrapFlags(instruction, 0);
        break;
    case LLVMICmp:
        LLVMSetICmpSameSign(instruction, 0);
        break;
    default:
        break;
    }
}

static void strip_call(LLVMValueRef call) {
    static const char *const broken_promises[] = {
        "noundef",  "nonnull", "noalias", "range", "dereferenceable", "dereferenceable_or_null",
        "nofpclass"};
    LLVMSetInstructionCallConv(call, LLVMCCallConv);
    for (unsigned index = 0; index <= LLVMGetNumArgOperands(call); ++index)
        for (size_t n = 0; n < sizeof broken_promises / sizeof *broken_promises; ++n)
            LLVMRemoveCallSiteEnumAttribute(
                call, index,
                LLVMGetEnumAttributeKindForName(broken_promises[n], strlen(broken_promises[n])));
}

/* Private variables are in address space 5 on AMDGPU, in 0 on the host. */
static void move_alloca(sim_lower *lower, LLVMValueRef old) {
    LLVMPositionBuilderBefore(lower->builder, old);
    LLVMValueRef moved =
        LLVMBuildArrayAlloca(lower->builder, LLVMGetAllocatedType(old), LLVMGetOperand(old, 0), "");
    LLVMSetAlignment(moved, LLVMGetAlignment(old));
    LLVMValueRef cast = LLVMBuildAddrSpaceCast(lower->builder, moved, LLVMTypeOf(old), "");
    LLVMReplaceAllUsesWith(old, cast);
    LLVMInstructionEraseFromParent(old);
}

static void retarget_function(sim_lower *lower, LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            i = drop_fast_math(lower, i);
            if (!LLVMIsAInstruction(i))
                continue; /* the instruction was folded to a constant */
            strip_metadata(i);
            strip_flags(i);
            if (LLVMIsAAllocaInst(i))
                lower->out->private_bytes +=
                    LLVMABISizeOfType(lower->layout, LLVMGetAllocatedType(i));
            if (LLVMIsACallInst(i))
                strip_call(i);
            else if (LLVMIsAAllocaInst(i) && LLVMGetPointerAddressSpace(LLVMTypeOf(i)) != 0)
                move_alloca(lower, i);
        }
    }
}

static void strip_function(LLVMValueRef function) {
    LLVMSetFunctionCallConv(function, LLVMCCallConv);
    unsigned count = LLVMGetAttributeCountAtIndex(function, LLVMAttributeFunctionIndex);
    LLVMAttributeRef *attributes = calloc(count + 1, sizeof(LLVMAttributeRef));
    LLVMGetAttributesAtIndex(function, LLVMAttributeFunctionIndex, attributes);
    for (unsigned i = 0; i < count; ++i) {
        unsigned length;
        if (LLVMIsStringAttribute(attributes[i])) {
            const char *key = LLVMGetStringAttributeKind(attributes[i], &length);
            LLVMRemoveStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, key, length);
        } else {
            LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                           LLVMGetEnumAttributeKind(attributes[i]));
        }
    }
    free(attributes);
    for (unsigned p = 1; p <= LLVMCountParams(function); ++p) {
        remove_attribute(function, p, "noalias");
        remove_attribute(function, p, "nonnull");
        remove_attribute(function, p, "noundef");
        remove_attribute(function, p, "dereferenceable");
        remove_attribute(function, p, "range");
    }
}

bool sim_retarget(sim_lower *lower) {
    for (size_t i = 0; i < lower->nfunctions; ++i) {
        retarget_function(lower, lower->functions[i].value);
        strip_function(lower->functions[i].value);
    }
    LLVMStripModuleDebugInfo(lower->module);
    return !lower->failed;
}
