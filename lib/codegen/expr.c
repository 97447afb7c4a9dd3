/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Emits the nodes of a stencil's expression: constants, operations, shuffles, conversions of types.
 */
#include "codegen/expr.h"
#include "bridge/bridge.h"

#include <string.h>

LLVMTypeRef gen_i64(const gen_expr *e) {
    return LLVMInt64TypeInContext(e->context);
}
LLVMTypeRef gen_i32(const gen_expr *e) {
    return LLVMInt32TypeInContext(e->context);
}

LLVMValueRef gen_int64(const gen_expr *e, int64_t v) {
    return LLVMConstInt(gen_i64(e), (unsigned long long)v, true);
}

LLVMValueRef gen_int32(const gen_expr *e, int32_t v) {
    return LLVMConstInt(gen_i32(e), (unsigned long long)v, true);
}

LLVMTypeRef gen_type(const gen_expr *e, st_type t) {
    switch (t) {
    case ST_I1:
        return LLVMInt1TypeInContext(e->context);
    case ST_I8:
        return LLVMInt8TypeInContext(e->context);
    case ST_I16:
        return LLVMInt16TypeInContext(e->context);
    case ST_I32:
        return gen_i32(e);
    case ST_I64:
        return gen_i64(e);
    case ST_F32:
        return LLVMFloatTypeInContext(e->context);
    default:
        return LLVMDoubleTypeInContext(e->context);
    }
}

LLVMTypeRef gen_parameter_type(const gen_expr *e, st_type t) {
    return gen_type(e, t == ST_I1 ? ST_I8 : t);
}

LLVMValueRef gen_constant(const gen_expr *e, const st_node *n) {
    LLVMTypeRef type = gen_type(e, (st_type)n->type);
    if (!st_type_is_float((st_type)n->type))
        return LLVMConstInt(type, n->bits, false);
    LLVMTypeRef raw = n->type == ST_F32 ? gen_i32(e) : gen_i64(e);
    return LLVMConstBitCast(LLVMConstInt(raw, n->bits, false), type);
}

static LLVMValueRef device_function(const gen_expr *e, const st_node *n) {
    const st_op_info *op = &st_ops[n->op];
    LLVMTypeRef type = gen_type(e, (st_type)n->type), types[3] = {type, type, type};
    char name[64];
    e->target->math_name(op->libdevice, n->type == ST_F64, name, sizeof name);
    LLVMValueRef f = LLVMGetNamedFunction(e->module, name);
    if (f)
        return f;
    return LLVMAddFunction(e->module, name,
                           LLVMFunctionType(type, types, (unsigned)op->arity, false));
}

/* A call whose result has the node's type, or is a vector of that type. */
static LLVMValueRef call(const gen_expr *e, const st_node *n, LLVMValueRef *args) {
    const st_op_info *op = &st_ops[n->op];
    LLVMTypeRef type = LLVMTypeOf(args[0]);
    LLVMValueRef f;
    if (op->cls == ST_MATH && e->device_math) {
        f = device_function(e, n);
    } else {
        unsigned id = LLVMLookupIntrinsicID(op->intrinsic, strlen(op->intrinsic));
        f = LLVMGetIntrinsicDeclaration(e->module, id, &type, 1);
    }
    return LLVMBuildCall2(e->b, LLVMGlobalGetValueType(f), f, args, (unsigned)op->arity, "");
}

/* Repeats the program's own instruction: constants stay, and so do attributes and flags. */
static LLVMValueRef repeat(const gen_expr *e, const st_node *n, LLVMValueRef *args) {
    LLVMValueRef known = e->calls[n->index], from = known;
    bool part = LLVMIsAExtractValueInst(known);
    if (part)
        from = LLVMGetOperand(known, 0);
    LLVMValueRef v = LLVMInstructionClone(from);
    int count = LLVMIsACallInst(from) ? (int)LLVMGetNumArgOperands(from) : LLVMGetNumOperands(from);
    for (int i = 0, k = 0; i < count; i++)
        if (!LLVMIsConstant(LLVMGetOperand(from, (unsigned)i)))
            LLVMSetOperand(v, (unsigned)i, args[k++]);
    br_drop_annotations(v);
    LLVMInsertIntoBuilder(e->b, v);
    return part ? LLVMBuildExtractValue(e->b, v, *LLVMGetIndices(known), "") : v;
}

LLVMValueRef gen_operation(const gen_expr *e, const st_node *n, LLVMValueRef *args) {
    const st_op_info *op = &st_ops[n->op];
    LLVMValueRef v;
    if (st_is_call(n))
        return repeat(e, n, args);
    if (op->intrinsic)
        v = call(e, n, args);
    else if (n->op == ST_ICMP)
        v = LLVMBuildICmp(e->b, (LLVMIntPredicate)n->predicate, args[0], args[1], "");
    else if (n->op == ST_FCMP)
        v = LLVMBuildFCmp(e->b, (LLVMRealPredicate)n->predicate, args[0], args[1], "");
    else if (n->op == ST_SELECT)
        v = LLVMBuildSelect(e->b, args[0], args[1], args[2], "");
    else if (n->op == ST_FNEG)
        v = LLVMBuildFNeg(e->b, args[0], "");
    else if (n->op == ST_FREEZE)
        v = LLVMBuildFreeze(e->b, args[0], "");
    else if (op->arity == 2)
        v = LLVMBuildBinOp(e->b, (LLVMOpcode)op->opcode, args[0], args[1], "");
    else
        v = LLVMBuildCast(e->b, (LLVMOpcode)op->opcode, args[0], gen_type(e, (st_type)n->type), "");
    if (n->flags && LLVMIsAInstruction(v) && LLVMCanValueUseFastMathFlags(v))
        LLVMSetFastMathFlags(v, n->flags);
    return v;
}

bool gen_is_paired(const gen_expr *e, const st_node *n) {
    return e->pairs && st_is_paired(n);
}

/* Two values as a vector: often the vector that both were taken from. */
static LLVMValueRef join_pair(const gen_expr *e, LLVMValueRef low, LLVMValueRef high) {
    LLVMValueRef one[] = {low, high};
    if (LLVMIsConstant(low) && LLVMIsConstant(high))
        return LLVMConstVector(one, 2);
    LLVMValueRef v = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(low), 2));
    for (int i = 0; i < 2; i++)
        v = LLVMBuildInsertElement(e->b, v, one[i], gen_int32(e, i), "");
    return v;
}

void gen_pair(const gen_expr *e, const st_node *n, LLVMValueRef args[2][3], LLVMValueRef out[2]) {
    LLVMValueRef joined[3];
    for (int i = 0; i < st_ops[n->op].arity; i++)
        joined[i] = join_pair(e, args[0][i], args[1][i]);
    LLVMValueRef v = gen_operation(e, n, joined);
    for (int i = 0; i < 2; i++)
        out[i] = LLVMBuildExtractElement(e->b, v, gen_int32(e, i), "");
}

int gen_to_words(const gen_expr *e, LLVMValueRef v, LLVMValueRef words[2]) {
    LLVMTypeRef i32 = gen_i32(e), type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) == LLVMFloatTypeKind)
        v = LLVMBuildBitCast(e->b, v, i32, "");
    if (LLVMGetTypeKind(type) == LLVMDoubleTypeKind)
        v = LLVMBuildBitCast(e->b, v, gen_i64(e), "");
    if (LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 32) {
        words[0] = LLVMBuildZExtOrBitCast(e->b, v, i32, "");
        return 1;
    }
    LLVMValueRef high = LLVMBuildLShr(e->b, v, gen_int64(e, 32), "");
    words[0] = LLVMBuildTrunc(e->b, v, i32, "");
    words[1] = LLVMBuildTrunc(e->b, high, i32, "");
    return 2;
}

LLVMValueRef gen_from_words(const gen_expr *e, LLVMTypeRef type, LLVMValueRef const words[2]) {
    LLVMTypeRef i64 = gen_i64(e);
    bool is_integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
    unsigned bits = is_integer                                    ? LLVMGetIntTypeWidth(type)
                    : LLVMGetTypeKind(type) == LLVMDoubleTypeKind ? 64
                                                                  : 32;
    LLVMValueRef v = words[0];
    if (bits > 32) {
        v = LLVMBuildShl(e->b, LLVMBuildZExt(e->b, words[1], i64, ""), gen_int64(e, 32), "");
        v = LLVMBuildOr(e->b, v, LLVMBuildZExt(e->b, words[0], i64, ""), "");
    }
    return is_integer ? LLVMBuildTruncOrBitCast(e->b, v, type, "")
                      : LLVMBuildBitCast(e->b, v, type, "");
}

LLVMValueRef gen_shuffle(const gen_expr *e, st_type type, LLVMValueRef v, int distance, int lanes) {
    LLVMValueRef words[2];
    int count = gen_to_words(e, v, words);
    for (int i = 0; i < count; i++)
        words[i] = e->target->shuffle(e->b, words[i], distance, lanes);
    return gen_from_words(e, gen_type(e, type), words);
}

LLVMValueRef gen_scratchpad(const gen_expr *e) {
    static const char name[] = "stencil_scratchpad";
    LLVMValueRef v = LLVMGetNamedGlobal(e->module, name);
    if (v)
        return v;
    LLVMTypeRef none = LLVMArrayType2(LLVMInt8TypeInContext(e->context), 0);
    v = LLVMAddGlobalInAddressSpace(e->module, none, name, e->target->scratchpad_space);
    LLVMSetAlignment(v, 16);
    return v;
}

void gen_mark_pointer(const gen_expr *e, LLVMValueRef function, unsigned parameter, bool written) {
    static const char *const names[] = {"noalias", "readonly"};
    for (int k = 0; k < (written ? 1 : 2); k++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(names[k], strlen(names[k]));
        LLVMAddAttributeAtIndex(function, parameter + 1,
                                LLVMCreateEnumAttribute(e->context, kind, 0));
    }
}

/* !0 = distinct !{!0, !{!"what"}} */
void gen_mark_loop(LLVMContextRef context, LLVMValueRef branch, const char *what) {
    LLVMMetadataRef name = LLVMMDStringInContext2(context, what, strlen(what));
    LLVMMetadataRef parts[] = {NULL, LLVMMDNodeInContext2(context, &name, 1)};
    parts[0] = parts[1];
    LLVMValueRef node = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, parts, 2));
    LLVMReplaceMDNodeOperandWith(node, 0, LLVMValueAsMetadata(node));
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(context, "llvm.loop", 9), node);
}
