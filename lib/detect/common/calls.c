/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Types and names of values, what the function that a call names does, and values that stand for
 * others.
 */
#include "detect/common/calls.h"

#include <stdio.h>
#include <string.h>

bool host_is_bit(LLVMValueRef v) {
    LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 1;
}

bool host_type(LLVMTypeRef t, st_type *out) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMFloatTypeKind:
        *out = ST_F32;
        return true;
    case LLVMDoubleTypeKind:
        *out = ST_F64;
        return true;
    case LLVMIntegerTypeKind:
        switch (LLVMGetIntTypeWidth(t)) {
        case 1:
            *out = ST_I1;
            return true;
        case 8:
            *out = ST_I8;
            return true;
        case 16:
            *out = ST_I16;
            return true;
        case 32:
            *out = ST_I32;
            return true;
        case 64:
            *out = ST_I64;
            return true;
        }
        return false;
    default:
        return false;
    }
}

/* The line of the source that computes the value. A phi has none: that of a value which comes to
 * it. */
static unsigned line_of(LLVMValueRef v, int depth) {
    unsigned line = LLVMIsAInstruction(v) ? br_source_line(v) : 0;
    if (line || depth == 0 || !LLVMIsAPHINode(v))
        return line;
    for (unsigned i = LLVMCountIncoming(v); i-- > 0 && !line;)
        line = line_of(LLVMGetIncomingValue(v, i), depth - 1);
    return line;
}

/* A name that begins with a dot is the compiler's own: the source does not have it. */
void host_value_name(LLVMValueRef v, char *out, size_t size) {
    size_t length;
    const char *name = LLVMGetValueName2(v, &length);
    unsigned line = line_of(v, 4);
    if (length && name[0] != '.')
        snprintf(out, size, "%s", name);
    else if (line)
        snprintf(out, size, "a value of line %u", line);
    else
        snprintf(out, size, "a local value");
}

const char *host_callee_name(LLVMValueRef v) {
    size_t length;
    LLVMValueRef callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
    return callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

bool host_may_be_another(LLVMValueRef call) {
    const LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    unsigned kind = LLVMGetEnumAttributeKindForName("nobuiltin", 9);
    char name[64];
    int length = snprintf(name, sizeof name, "no-builtin-%s", host_callee_name(call));
    return LLVMGetCallSiteEnumAttribute(call, at, kind) ||
           LLVMGetStringAttributeAtIndex(function, at, "no-builtins", 11) ||
           LLVMGetStringAttributeAtIndex(function, at, name, (unsigned)length);
}

static void copy_word(const char *text, size_t length, char *out, size_t size) {
    size_t start = strspn(text, " \t\n{"), end = start;
    while (end < length && !strchr(" \t\n;", text[end]))
        end++;
    snprintf(out, size, "%.*s", (int)(end > start ? end - start : 0), text + start);
}

void host_operation_name(LLVMValueRef i, char *out, size_t size) {
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    size_t length;
    if (callee && LLVMIsAInlineAsm(callee)) {
        const char *text = LLVMGetInlineAsmAsmString(callee, &length);
        copy_word(text, length, out, size);
    } else if (callee) {
        br_source_name(callee, out, size);
    } else {
        char *text = LLVMPrintValueToString(i), *name = strstr(text, "= ");
        name = name ? name + 2 : text;
        copy_word(name, strlen(name), out, size);
        LLVMDisposeMessage(text);
    }
}

bool host_calls(LLVMValueRef v, const char *prefix) {
    return !strncmp(host_callee_name(v), prefix, strlen(prefix));
}

bool host_is_operation(const char *name) {
    for (int op = 0; op < ST_OP_COUNT; op++) {
        const char *i = st_ops[op].intrinsic;
        if (i && !strncmp(name, i, strlen(i)) && name[strlen(i)] == '.')
            return true;
    }
    return !strncmp(name, "llvm.abs.", 9) || !strncmp(name, "llvm.usub.sat.", 14);
}

/* Is it an address in an object, an instruction or a constant? */
static bool is_inner(LLVMValueRef address) {
    return LLVMIsAGetElementPtrInst(address) ||
           (LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMGetElementPtr);
}

LLVMValueRef host_base_of(LLVMValueRef address) {
    while (is_inner(address))
        address = LLVMGetOperand(address, 0);
    return address;
}

bool host_is_plain(LLVMValueRef access) {
    return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}

bool host_loads_from(LLVMValueRef v, LLVMValueRef address) {
    return LLVMIsALoadInst(v) && LLVMGetOperand(v, 0) == address;
}

bool host_is_annotation(const char *name) {
    static const char *const known[] = {"llvm.assume",     "llvm.lifetime.",
                                        "llvm.dbg.",       "llvm.experimental.noalias.scope.decl",
                                        "llvm.sideeffect", "llvm.invariant.",
                                        "llvm.fake.use"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strncmp(name, known[i], strlen(known[i])))
            return true;
    return false;
}

/* Names of LLVM's operations that C leaves to programs, which may call anything so. */
static bool is_free_name(const char *name) {
    static const char *const known[] = {"fmuladd", "minnum", "maxnum", "smin", "smax",
                                        "umin",    "umax",   "ctpop",  "fshl", "fshr"};
    bool is = false;
    for (size_t i = 0; i < sizeof known / sizeof *known && !is; i++)
        is = !strncmp(name, known[i], strlen(known[i]));
    return is;
}

/* The operation of this function of <math.h>; ST_OP_COUNT: it is none. */
static int operation_of(const char *name) {
    if (is_free_name(name))
        return ST_OP_COUNT;
    for (int op = 0; op < ST_OP_COUNT; op++) {
        const char *i = st_ops[op].intrinsic;
        size_t length = i ? strlen(i + 5) : 0;
        if (i && !strncmp(name, i + 5, length) &&
            (!name[length] || (strchr("fl", name[length]) && !name[length + 1])))
            return op;
    }
    return ST_OP_COUNT;
}

bool host_sets_errno(const char *name) {
    return operation_of(name) != ST_OP_COUNT || !strcmp(name, "fmod") || !strcmp(name, "fmodf");
}

/* Does the type in the source tell that the access is of a member of a struct? */
static bool is_of_member(LLVMValueRef access) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(access));
    LLVMValueRef tag = LLVMGetMetadata(access, LLVMGetMDKindIDInContext(c, "tbaa", 4)), operands[4];
    if (!tag || LLVMGetMDNodeNumOperands(tag) > 4 || LLVMGetMDNodeNumOperands(tag) < 2)
        return false;
    LLVMGetMDNodeOperands(tag, operands);
    return operands[0] != operands[1];
}

/* errno is an int of the thread's own, which programs find by a call or a pointer. */
bool host_may_be_errno(LLVMValueRef access) {
    bool stores = LLVMIsAStoreInst(access);
    LLVMValueRef base = host_base_of(LLVMGetOperand(access, stores ? 1 : 0));
    LLVMTypeRef t = LLVMTypeOf(stores ? LLVMGetOperand(access, 0) : access);
    bool named =
        LLVMIsAAllocaInst(base) || (LLVMIsAGlobalVariable(base) && !LLVMIsThreadLocal(base));
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) <= 32 && !named &&
           !is_of_member(access);
}

bool host_writes_errno_alone(LLVMValueRef i, LLVMValueRef load) {
    return host_sets_errno(host_callee_name(i)) && !host_may_be_errno(load);
}

bool host_differs_in_bits(const char *name) {
    int op = operation_of(name);
    return op != ST_OP_COUNT && st_ops[op].cls == ST_MATH;
}

bool host_is_complex_product(const char *name) {
    return !strcmp(name, "__muldc3") || !strcmp(name, "__mulsc3");
}

bool host_is_complex_quotient(const char *name) {
    return !strcmp(name, "__divdc3") || !strcmp(name, "__divsc3");
}

void host_type_name(LLVMTypeRef t, char *out, size_t size) {
    bool wide =
        LLVMGetTypeKind(t) == LLVMX86_FP80TypeKind || LLVMGetTypeKind(t) == LLVMFP128TypeKind;
    char *text = LLVMPrintTypeToString(t);
    snprintf(out, size, "%s", wide ? "long double" : text);
    LLVMDisposeMessage(text);
}

bool host_allocates(const char *name) {
    static const char *const known[] = {"malloc", "free",   "calloc", "_Znwm",
                                        "_Znam",  "_ZdlPv", "_ZdaPv", "_ZdlPvm"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(name, known[i]))
            return true;
    return false;
}

bool host_is_copy(LLVMValueRef i) {
    return host_calls(i, "llvm.memcpy.") || host_calls(i, "llvm.memmove.") ||
           host_calls(i, "llvm.memset.");
}

LLVMValueRef host_written(LLVMValueRef i) {
    return LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1)
           : host_is_copy(i)   ? LLVMGetOperand(i, 0)
                               : NULL;
}

bool host_is_array_assignment(LLVMValueRef i) {
    return !strcmp(host_callee_name(i), "_FortranAAssign") &&
           LLVMIsDeclaration(LLVMGetCalledValue(i)) && LLVMGetNumArgOperands(i) == 4;
}

bool host_moves_allocation(LLVMValueRef i) {
    return !strcmp(host_callee_name(i), "_FortranAMoveAlloc") &&
           LLVMIsDeclaration(LLVMGetCalledValue(i)) && LLVMGetNumArgOperands(i) == 7;
}

LLVMValueRef host_stand_in(LLVMValueRef function, LLVMTypeRef type, const char *name) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
    LLVMValueRef v = LLVMBuildFreeze(b, LLVMGetPoison(type), name);
    LLVMDisposeBuilder(b);
    return v;
}
