/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Finds the target of a module, a function or a call, and calls the target's functions.
 */
#include "target/target.h"

#include "target/amdgcn/amdgcn.h"
#include "target/intrinsic.h"
#include "target/nvptx/nvptx.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const tg_target *const targets[] = {&tg_nvptx, &tg_amdgcn};

static bool is_listed(const char *list, const char *arch) {
    size_t length = strlen(arch);
    if (length == 0 || strpbrk(arch, ", "))
        return false;
    for (const char *at = list; (at = strstr(at, arch)); at += length)
        if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ','))
            return true;
    return false;
}

const tg_target *tg_find(const char *arch) {
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (is_listed(targets[i]->architectures, arch))
            return targets[i];
    return NULL;
}

const char *tg_architectures(void) {
    static _Thread_local char all[256];
    snprintf(all, sizeof all, "one or more, joined by +, of %s, %s", targets[0]->architectures,
             targets[1]->architectures);
    return all;
}

const tg_target *tg_of_module(LLVMModuleRef m) {
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (!strncmp(LLVMGetTarget(m), targets[i]->triple, strlen(targets[i]->triple)))
            return targets[i];
    return NULL;
}

static const tg_target *of_function(LLVMValueRef f) {
    return tg_of_module(LLVMGetGlobalParent(f));
}

static const tg_target *of_instruction(LLVMValueRef i) {
    return of_function(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)));
}

/* Calls */

static const tg_known_call on_all_targets[] = {
#define CALL(name, kind) {name, kind, TG_LAUNCH_VALUES},
#include "target/intrinsics.def"
};

/* The number of letters of the known name that fit; 0 if it does not fit. */
static size_t fits(const tg_known_call *known, const char *name) {
    size_t length = strlen(known->name);
    if (known->name[length - 1] == '*')
        return strncmp(known->name, name, length - 1) ? 0 : length - 1;
    return strcmp(known->name, name) ? 0 : length;
}

static const tg_known_call *look_up(const tg_known_call *list, size_t count, const char *name) {
    const tg_known_call *found = NULL;
    size_t best = 0;
    for (size_t i = 0; i < count; i++) {
        size_t length = fits(&list[i], name);
        if (length > best) {
            best = length;
            found = &list[i];
        }
    }
    return found;
}

static bool starts_with(const char *name, const char *prefix) {
    return !strncmp(name, prefix, strlen(prefix));
}

const tg_known_call *tg_known(const tg_target *t, const char *name) {
    bool common = starts_with(name, "llvm.") && !(t && starts_with(name, t->intrinsics));
    if (common)
        return look_up(on_all_targets, sizeof on_all_targets / sizeof *on_all_targets, name);
    return t ? look_up(t->calls, t->ncalls, name) : NULL;
}

/* The function that an instruction calls. NULL: it is no call, or the function is not known. */
static LLVMValueRef callee_of(LLVMValueRef call) {
    LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
    return callee && LLVMIsAFunction(callee) ? callee : NULL;
}

static const char *name_of(LLVMValueRef function) {
    size_t length;
    return LLVMGetValueName2(function, &length);
}

static bool is_convergent(LLVMValueRef call, LLVMValueRef callee) {
    unsigned kind = LLVMGetEnumAttributeKindForName("convergent", 10);
    return LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind) ||
           LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind);
}

/* Does the function neither read nor write memory that others see? */
static bool has_no_effect(LLVMValueRef callee) {
    unsigned memory = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, memory);
    return a && LLVMGetEnumAttributeValue(a) == 0;
}

/* A function that the tables know. Front ends mark all functions as convergent, even those of a
 * mathematical library. Only for LLVM's own intrinsics does the mark mean something. */
static tg_call_kind kind_of_known(const tg_known_call *known, LLVMValueRef call,
                                  LLVMValueRef callee) {
    if (known->kind != TG_COMPUTES)
        return known->kind;
    if (!has_no_effect(callee))
        return TG_UNKNOWN;
    bool marked = starts_with(known->name, "llvm.") && is_convergent(call, callee);
    return marked ? TG_CONVERGENT : TG_COMPUTES;
}

static bool is_assembly(LLVMValueRef call) {
    return LLVMIsACallInst(call) && LLVMIsAInlineAsm(LLVMGetCalledValue(call));
}

enum { MAX_DEPTH = 4 }; /* of functions that call functions */

static tg_call_kind kind_of_call(LLVMValueRef call, int depth);

static bool only_computes(LLVMValueRef i, int depth) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall:
        return kind_of_call(i, depth + 1) == TG_COMPUTES;
    case LLVMInvoke:
    case LLVMCallBr:
    case LLVMFence:
        return false;
    default:
        return true;
    }
}

/* Does the module have the function's body, and does each call in it only compute? Then a mark that
 * it is convergent means nothing: front ends mark all functions, and LLVM takes the mark back only
 * where no call in the body has it. */
static bool computes_alone(LLVMValueRef function, int depth) {
    bool good = depth < MAX_DEPTH && !LLVMIsDeclaration(function);
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    for (; b && good; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && good; i = LLVMGetNextInstruction(i))
            good = only_computes(i, depth);
    return good;
}

/* The attributes of a target's own intrinsic tell nothing. LLVM says of some that exchange values,
 * or tell lanes, only that they do not access memory. */
static tg_call_kind kind_of_call(LLVMValueRef call, int depth) {
    const tg_target *t = of_instruction(call);
    LLVMValueRef callee = callee_of(call);
    if (is_assembly(call))
        return tg_assembly_computes(t, call)  ? TG_COMPUTES
               : tg_assembly_samples(t, call) ? TG_SAMPLES
                                              : TG_UNKNOWN;
    if (!callee)
        return TG_UNKNOWN;
    const char *name = name_of(callee);
    const tg_known_call *known = tg_known(t, name);
    if (known)
        return kind_of_known(known, call, callee);
    if (!has_no_effect(callee))
        return TG_UNKNOWN;
    if (t && starts_with(name, t->intrinsics))
        return is_convergent(call, callee) ? TG_CONVERGENT : TG_UNKNOWN;
    return is_convergent(call, callee) && !computes_alone(callee, depth) ? TG_CONVERGENT
                                                                         : TG_COMPUTES;
}

tg_call_kind tg_call_kind_of(LLVMValueRef call) {
    return kind_of_call(call, 0);
}

static bool has_attribute(LLVMValueRef function, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

static bool may_repeat(LLVMValueRef call, int depth);

/* Is the instruction defined for all operands? A division by zero is not. */
static bool is_defined(LLVMValueRef i, int depth) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: {
        LLVMValueRef divisor = LLVMGetOperand(i, 1);
        return LLVMIsAConstantInt(divisor) && LLVMConstIntGetSExtValue(divisor) > 0;
    }
    case LLVMCall:
        return may_repeat(i, depth + 1);
    case LLVMLoad:
    case LLVMStore:
    case LLVMAlloca:
    case LLVMUnreachable:
        return false;
    default:
        return true;
    }
}

static bool comes_after(LLVMBasicBlockRef b, LLVMBasicBlockRef first) {
    while (first && first != b)
        first = LLVMGetNextBasicBlock(first);
    return first != NULL;
}

/* Do all jumps lead to blocks further down? LLVM lists a function's blocks in that order, but for
 * loops. */
static bool has_no_loops(LLVMValueRef function) {
    bool good = true;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    for (; b && good; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end) && good; k++)
            good = comes_after(LLVMGetSuccessor(end, k), LLVMGetNextBasicBlock(b));
    }
    return good;
}

/* Does the function end for all operands? It is one of the module that accesses no memory. */
static bool is_total(LLVMValueRef function, int depth) {
    bool good = depth < MAX_DEPTH && !LLVMIsDeclaration(function) &&
                has_attribute(function, "nounwind") &&
                (has_attribute(function, "willreturn") || has_no_loops(function));
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    for (; b && good; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && good; i = LLVMGetNextInstruction(i))
            good = is_defined(i, depth);
    return good;
}

static bool may_repeat(LLVMValueRef call, int depth) {
    if (tg_call_kind_of(call) != TG_COMPUTES || LLVMGetNumOperandBundles(call) > 0)
        return false;
    if (is_assembly(call))
        return true;
    LLVMValueRef callee = callee_of(call);
    return has_attribute(callee, "speculatable") ||
           tg_known(of_instruction(call), name_of(callee)) || is_total(callee, depth);
}

bool tg_may_repeat(LLVMValueRef call) {
    return may_repeat(call, 0);
}

bool tg_reads(LLVMValueRef call, tg_launch_value *value, int *dim) {
    LLVMValueRef callee = callee_of(call);
    const char *name = callee ? name_of(callee) : "";
    if (!starts_with(name, "llvm."))
        return false;
    const tg_known_call *known = tg_known(of_instruction(call), name);
    if (!known || known->kind != TG_READS_LAUNCH)
        return false;
    *value = known->value;
    *dim = name[strlen(known->name) - 1] - 'x';
    return *dim >= 0 && *dim < 3;
}

bool tg_loads(LLVMValueRef base, int64_t at, unsigned bits, tg_launch_value *value, int *dim) {
    LLVMValueRef callee = callee_of(base);
    const tg_target *t = callee ? of_instruction(base) : NULL;
    return t && t->loads && t->loads(name_of(callee), at, bits, value, dim);
}

/* Kernels */

bool tg_is_kernel(LLVMValueRef function) {
    const tg_target *t = of_function(function);
    return t && !LLVMIsDeclaration(function) &&
           (LLVMGetFunctionCallConv(function) == t->kernel_convention ||
            (t->is_marked && t->is_marked(function)));
}

const char *tg_arch(LLVMValueRef function, char *out, size_t size) {
    unsigned length = 0;
    const char *text = tg_attribute(function, "target-cpu", &length);
    snprintf(out, size, "%.*s", (int)length, text);
    return out;
}

void tg_name_cpu(LLVMModuleRef m, const char *cpu) {
    static const char key[] = "target-cpu";
    LLVMValueRef f = *cpu ? LLVMGetFirstFunction(m) : NULL;
    for (; f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) &&
            !LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, key, sizeof key - 1))
            tg_add_attribute(f, key, cpu);
}

bool tg_has_whole_blocks(LLVMValueRef function) {
    const tg_target *t = of_function(function);
    unsigned length = 0;
    const char *text = t && t->whole_blocks ? tg_attribute(function, t->whole_blocks, &length) : "";
    return t && (!t->whole_blocks || (length > 0 && strncmp(text, "false", 5) != 0));
}

/* The metadata in which OpenCL and HIP say the kernel's block size. */
static LLVMValueRef metadata(LLVMValueRef kernel, const char *name) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(kernel));
    unsigned kind = LLVMGetMDKindIDInContext(c, name, (unsigned)strlen(name));
    size_t count;
    LLVMValueRef found = NULL;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(kernel, &count);
    for (unsigned i = 0; i < count; i++)
        if (LLVMValueMetadataEntriesGetKind(all, i) == kind)
            found = LLVMMetadataAsValue(c, LLVMValueMetadataEntriesGetMetadata(all, i));
    LLVMDisposeValueMetadataEntries(all);
    return found;
}

int tg_required_size(LLVMValueRef kernel, int d) {
    const tg_target *t = of_function(kernel);
    LLVMValueRef operands[3], node = metadata(kernel, "reqd_work_group_size");
    int size = t && t->required_size ? t->required_size(kernel, d) : 0;
    if (size || !node || LLVMGetMDNodeNumOperands(node) != 3)
        return size;
    LLVMGetMDNodeOperands(node, operands);
    bool known = operands[d] && LLVMIsAConstantInt(operands[d]);
    return known ? (int)LLVMConstIntGetZExtValue(operands[d]) : 0;
}

int tg_most_threads(LLVMValueRef kernel) {
    const tg_target *t = of_function(kernel);
    return t ? t->most_threads(kernel) : 0;
}

void tg_limit_registers(LLVMValueRef kernel, int registers) {
    const tg_target *t = of_function(kernel);
    if (t && t->limit_registers)
        t->limit_registers(kernel, registers);
}

int64_t tg_scratchpad_limit(LLVMModuleRef m) {
    return tg_of_module(m)->scratchpad_size;
}

/* Threads */

static const tg_target *of_builder(LLVMBuilderRef b) {
    return of_function(tg_function_of(b));
}

LLVMValueRef tg_launch(LLVMBuilderRef b, tg_launch_value value, int d) {
    return of_builder(b)->launch(b, value, d);
}

LLVMValueRef tg_reciprocal(LLVMBuilderRef b, LLVMValueRef v) {
    return of_builder(b)->reciprocal(b, v);
}

int tg_group(LLVMValueRef kernel) {
    return of_function(kernel)->group(kernel);
}

LLVMValueRef tg_lane(LLVMBuilderRef b, int lanes) {
    return of_builder(b)->lane(b, lanes);
}

LLVMValueRef tg_exchange(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef from, int lanes) {
    return of_builder(b)->exchange(b, v, from, lanes);
}

LLVMValueRef tg_shift(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef edge, int step, int lanes) {
    return of_builder(b)->shift(b, v, edge, step, lanes);
}

LLVMValueRef tg_uniform(LLVMBuilderRef b, LLVMValueRef v, int lanes) {
    return of_builder(b)->uniform(b, v, lanes);
}

void tg_barrier(LLVMBuilderRef b) {
    of_builder(b)->barrier(b);
}
