/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes small random changes of a function's IR. See mutate.h.
 */
#include "mutate.h"

#include "bridge/bridge.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 4000 }; /* instructions looked at */

/* What a change works on: the function's instructions, and one of them. */
typedef struct scene {
    LLVMValueRef function, all[MOST], at;
    unsigned count;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    random_state *r;
} scene;

/* SplitMix64 (Steele, Lea, Flood 2014). */
uint64_t random_next(random_state *r) {
    uint64_t x = r->at += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

uint64_t random_below(random_state *r, uint64_t limit) {
    return random_next(r) % limit;
}

static bool coin(scene *s) {
    return random_below(s->r, 2);
}

static LLVMTypeKind kind_of(LLVMValueRef v) {
    return LLVMGetTypeKind(LLVMTypeOf(v));
}

/* Values */

static LLVMValueRef some_number(scene *s, LLVMTypeRef type) {
    static const int64_t whole[] = {0,     1,          -1,         2,         3,        4,
                                    7,     8,          9,          16,        32,       64,
                                    127,   -2,         INT32_MIN,  INT32_MAX, 255,      256,
                                    65536, 0xFFFFFFFF, 0x80000000, INT64_MAX, INT64_MIN};
    static const double real[] = {0, -0.0, 1, -1, 0.5, 118, 1e30, 1e-40};
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind) {
        uint64_t value = (uint64_t)whole[random_below(s->r, sizeof whole / sizeof *whole)];
        return LLVMConstInt(type, coin(s) ? value : random_below(s->r, 20), true);
    }
    if (LLVMGetTypeKind(type) == LLVMFloatTypeKind || LLVMGetTypeKind(type) == LLVMDoubleTypeKind)
        return LLVMConstReal(type, real[random_below(s->r, sizeof real / sizeof *real)]);
    return LLVMConstNull(type);
}

static LLVMValueRef some_constant(scene *s, LLVMTypeRef type) {
    switch (random_below(s->r, 8)) {
    case 0:
        return LLVMGetUndef(type);
    case 1:
        return LLVMGetPoison(type);
    default:
        return some_number(s, type);
    }
}

/* An instruction, an argument or an operand of that type; else a constant. */
static LLVMValueRef some_value(scene *s, LLVMTypeRef type) {
    unsigned parameters = LLVMCountParams(s->function);
    for (int tries = 0; tries < 30; tries++) {
        LLVMValueRef v = s->all[random_below(s->r, s->count)];
        if (parameters && random_below(s->r, 4) == 0)
            v = LLVMGetParam(s->function, (unsigned)random_below(s->r, parameters));
        else if (LLVMGetNumOperands(v) && coin(s))
            v = LLVMGetOperand(v, (unsigned)random_below(s->r, (uint64_t)LLVMGetNumOperands(v)));
        if (LLVMTypeOf(v) == type && !LLVMValueIsBasicBlock(v) && !LLVMIsAFunction(v))
            return v;
    }
    return some_constant(s, type);
}

static bool is_first_class(LLVMTypeRef type) {
    LLVMTypeKind k = LLVMGetTypeKind(type);
    return k == LLVMIntegerTypeKind || k == LLVMFloatTypeKind || k == LLVMDoubleTypeKind ||
           k == LLVMPointerTypeKind || k == LLVMVectorTypeKind;
}

static void replace(scene *s, LLVMValueRef by) {
    if (by == s->at)
        return;
    LLVMReplaceAllUsesWith(s->at, by);
    LLVMInstructionEraseFromParent(s->at);
}

static void build_at(scene *s) {
    LLVMPositionBuilderBefore(s->builder, s->at);
}

/* Where new instructions may stand before: no phi. */
static bool is_phi(scene *s) {
    return LLVMIsAPHINode(s->at) != NULL;
}

/* Changes */

/* Any operand but a call's function and a terminator's blocks. */
static bool change_operand(scene *s) {
    int count = LLVMGetNumOperands(s->at);
    if (!count)
        return false;
    unsigned n = (unsigned)random_below(s->r, (uint64_t)count);
    LLVMValueRef old = LLVMGetOperand(s->at, n);
    if (LLVMValueIsBasicBlock(old) || LLVMIsAFunction(old) || !is_first_class(LLVMTypeOf(old)))
        return false;
    LLVMTypeRef type = LLVMTypeOf(old);
    LLVMSetOperand(s->at, n, LLVMIsConstant(old) ? some_constant(s, type) : some_value(s, type));
    return true;
}

static bool swap_operands(scene *s) {
    if (LLVMGetNumOperands(s->at) < 2 || LLVMIsACallInst(s->at) || LLVMIsAPHINode(s->at))
        return false;
    unsigned n = (unsigned)random_below(s->r, (uint64_t)LLVMGetNumOperands(s->at) - 1);
    LLVMValueRef a = LLVMGetOperand(s->at, n), b = LLVMGetOperand(s->at, n + 1);
    if (LLVMTypeOf(a) != LLVMTypeOf(b) || LLVMValueIsBasicBlock(a))
        return false;
    LLVMSetOperand(s->at, n, b);
    LLVMSetOperand(s->at, n + 1, a);
    return true;
}

static bool erase(scene *s) {
    if (LLVMIsATerminatorInst(s->at))
        return false;
    if (kind_of(s->at) == LLVMVoidTypeKind)
        LLVMInstructionEraseFromParent(s->at);
    else if (is_first_class(LLVMTypeOf(s->at)))
        replace(s, some_value(s, LLVMTypeOf(s->at)));
    return true;
}

/* A copy, which one of the uses may take, with an operand changed. */
static bool duplicate(scene *s) {
    if (LLVMIsATerminatorInst(s->at) || is_phi(s))
        return false;
    LLVMValueRef copy = LLVMInstructionClone(s->at);
    build_at(s);
    LLVMInsertIntoBuilder(s->builder, copy);
    LLVMUseRef use = LLVMGetFirstUse(s->at);
    if (use && coin(s)) {
        LLVMValueRef user = LLVMGetUser(use);
        for (int n = 0; n < LLVMGetNumOperands(user); n++)
            if (LLVMGetOperand(user, (unsigned)n) == s->at)
                LLVMSetOperand(user, (unsigned)n, copy);
    }
    s->at = copy;
    change_operand(s);
    return true;
}

static bool change_compare(scene *s) {
    LLVMValueRef by;
    if (LLVMIsAICmpInst(s->at)) {
        LLVMIntPredicate p = (LLVMIntPredicate)(LLVMIntEQ + random_below(s->r, 10));
        build_at(s);
        by = LLVMBuildICmp(s->builder, p, LLVMGetOperand(s->at, 0), LLVMGetOperand(s->at, 1), "");
    } else if (LLVMIsAFCmpInst(s->at)) {
        LLVMRealPredicate p = (LLVMRealPredicate)random_below(s->r, 16);
        build_at(s);
        by = LLVMBuildFCmp(s->builder, p, LLVMGetOperand(s->at, 0), LLVMGetOperand(s->at, 1), "");
    } else {
        return false;
    }
    replace(s, by);
    return true;
}

static bool change_opcode(scene *s) {
    static const LLVMOpcode whole[] = {LLVMAdd,  LLVMSub,  LLVMMul, LLVMUDiv, LLVMSDiv,
                                       LLVMURem, LLVMSRem, LLVMShl, LLVMLShr, LLVMAShr,
                                       LLVMAnd,  LLVMOr,   LLVMXor};
    static const LLVMOpcode real[] = {LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFDiv, LLVMFRem};
    if (!LLVMIsABinaryOperator(s->at))
        return false;
    LLVMTypeRef scalar = LLVMTypeOf(s->at);
    if (LLVMGetTypeKind(scalar) == LLVMVectorTypeKind)
        scalar = LLVMGetElementType(scalar);
    LLVMOpcode to = LLVMGetTypeKind(scalar) == LLVMIntegerTypeKind ? whole[random_below(s->r, 13)]
                                                                   : real[random_below(s->r, 5)];
    build_at(s);
    replace(s,
            LLVMBuildBinOp(s->builder, to, LLVMGetOperand(s->at, 0), LLVMGetOperand(s->at, 1), ""));
    return true;
}

static bool change_flags(scene *s) {
    LLVMValueRef i = s->at;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    bool on = coin(s);
    if (op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl)
        return coin(s) ? LLVMSetNSW(i, on) : LLVMSetNUW(i, on), true;
    if (op == LLVMUDiv || op == LLVMSDiv || op == LLVMLShr || op == LLVMAShr)
        return LLVMSetExact(i, on), true;
    if (op == LLVMGetElementPtr)
        return LLVMGEPSetNoWrapFlags(i, (LLVMGEPNoWrapFlags)random_below(s->r, 8)), true;
    if (op == LLVMZExt || op == LLVMUIToFP)
        return LLVMSetNNeg(i, on), true;
    if (op == LLVMLoad || op == LLVMStore) {
        if (random_below(s->r, 4) == 0)
            return LLVMSetVolatile(i, on), true;
        if (random_below(s->r, 3) == 0)
            return LLVMSetOrdering(i, LLVMAtomicOrderingMonotonic), true;
        return LLVMSetAlignment(i, 1u << random_below(s->r, 6)), true;
    }
    if (LLVMCanValueUseFastMathFlags(i))
        return LLVMSetFastMathFlags(i, (LLVMFastMathFlags)random_below(s->r, 128)), true;
    return false;
}

static bool change_attribute(scene *s) {
    static const char *const names[] = {
        "noalias",    "nocapture", "readonly",     "writeonly",  "noundef",  "nonnull",
        "zeroext",    "signext",   "nounwind",     "optnone",    "noinline", "minsize",
        "convergent", "strictfp",  "mustprogress", "willreturn", "nofree"};
    const char *name = names[random_below(s->r, sizeof names / sizeof *names)];
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    unsigned index = (unsigned)random_below(s->r, LLVMCountParams(s->function) + 1);
    LLVMAttributeIndex where = index ? index : (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    if (!kind)
        return false;
    if (LLVMGetEnumAttributeAtIndex(s->function, where, kind))
        LLVMRemoveEnumAttributeAtIndex(s->function, where, kind);
    else
        LLVMAddAttributeAtIndex(s->function, where, LLVMCreateEnumAttribute(s->context, kind, 0));
    return true;
}

static LLVMBasicBlockRef some_block(scene *s) {
    return LLVMGetInstructionParent(s->all[random_below(s->r, s->count)]);
}

static bool change_branch(scene *s) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(s->at));
    if (!branch || !br_is_branch(branch))
        return false;
    if (!br_is_conditional(branch) || random_below(s->r, 4) == 0) {
        LLVMSetSuccessor(branch, (unsigned)random_below(s->r, LLVMGetNumSuccessors(branch)),
                         some_block(s));
        return true;
    }
    if (coin(s)) {
        LLVMSetCondition(branch, some_value(s, LLVMInt1TypeInContext(s->context)));
        return true;
    }
    LLVMBasicBlockRef one = LLVMGetSuccessor(branch, 0), other = LLVMGetSuccessor(branch, 1);
    LLVMSetSuccessor(branch, 0, other);
    LLVMSetSuccessor(branch, 1, one);
    return true;
}

static bool change_address(scene *s) {
    LLVMTypeRef types[] = {
        LLVMInt8TypeInContext(s->context), LLVMInt16TypeInContext(s->context),
        LLVMInt32TypeInContext(s->context), LLVMInt64TypeInContext(s->context),
        LLVMArrayType2(LLVMFloatTypeInContext(s->context), random_below(s->r, 20))};
    if (!LLVMIsAGetElementPtrInst(s->at) || LLVMGetNumOperands(s->at) != 2)
        return false;
    LLVMValueRef index = LLVMGetOperand(s->at, 1);
    build_at(s);
    replace(s, LLVMBuildGEP2(s->builder, types[random_below(s->r, 5)], LLVMGetOperand(s->at, 0),
                             &index, 1, ""));
    return true;
}

/* Loads another type from there, and makes the old one of it. */
static bool change_load(scene *s) {
    LLVMTypeRef types[] = {LLVMInt8TypeInContext(s->context),  LLVMInt16TypeInContext(s->context),
                           LLVMInt32TypeInContext(s->context), LLVMInt64TypeInContext(s->context),
                           LLVMInt1TypeInContext(s->context),  LLVMInt128TypeInContext(s->context)};
    if (!LLVMIsALoadInst(s->at))
        return false;
    build_at(s);
    LLVMTypeRef wanted = LLVMTypeOf(s->at);
    LLVMValueRef v =
        LLVMBuildLoad2(s->builder, types[random_below(s->r, 6)], LLVMGetOperand(s->at, 0), "");
    if (LLVMGetTypeKind(wanted) == LLVMIntegerTypeKind)
        v = LLVMBuildIntCast2(s->builder, v, wanted, coin(s), "");
    else if (LLVMGetTypeKind(wanted) == LLVMFloatTypeKind ||
             LLVMGetTypeKind(wanted) == LLVMDoubleTypeKind)
        v = LLVMBuildSIToFP(s->builder, v, wanted, "");
    else
        return false;
    replace(s, v);
    return true;
}

static bool insert_call(scene *s) {
    LLVMModuleRef m = LLVMGetGlobalParent(s->function);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(s->context), NULL, 0, false);
    LLVMValueRef callee = LLVMGetNamedFunction(m, "somewhere");
    LLVMBuildCall2(s->builder, type, callee ? callee : LLVMAddFunction(m, "somewhere", type), NULL,
                   0, "");
    return true;
}

static bool insert_store(scene *s) {
    LLVMTypeRef pointer = LLVMPointerTypeInContext(s->context, 0);
    LLVMValueRef to = some_value(s, pointer), v = some_value(s, LLVMTypeOf(s->at));
    if (!is_first_class(LLVMTypeOf(s->at)))
        return false;
    LLVMBuildStore(s->builder, v, to);
    return true;
}

/* Before an instruction: an effect, or freeze or select on the way to one of its operands. */
static bool insert(scene *s) {
    if (is_phi(s))
        return false;
    build_at(s);
    uint64_t what = random_below(s->r, 8);
    if (what == 0)
        return insert_call(s);
    if (what == 1)
        return LLVMBuildFence(s->builder, LLVMAtomicOrderingSequentiallyConsistent, coin(s), ""),
               true;
    if (what == 2)
        return insert_store(s);
    int count = LLVMGetNumOperands(s->at);
    unsigned n = count ? (unsigned)random_below(s->r, (uint64_t)count) : 0;
    LLVMValueRef old = count ? LLVMGetOperand(s->at, n) : NULL;
    if (!count || LLVMValueIsBasicBlock(old) || LLVMIsAFunction(old) ||
        !is_first_class(LLVMTypeOf(old)))
        return false;
    LLVMValueRef choice = some_value(s, LLVMInt1TypeInContext(s->context));
    LLVMValueRef by =
        coin(s) ? LLVMBuildFreeze(s->builder, old, "")
                : LLVMBuildSelect(s->builder, choice, old, some_value(s, LLVMTypeOf(old)), "");
    LLVMSetOperand(s->at, n, by);
    return true;
}

/* Instructions and their copies. */
typedef struct copies {
    LLVMValueRef olds[64], news[64];
    unsigned count;
} copies;

static LLVMValueRef copy_of(const copies *c, LLVMValueRef v) {
    for (unsigned k = 0; k < c->count; k++)
        if (c->olds[k] == v)
            return c->news[k];
    return v;
}

static void copy_instructions(scene *s, LLVMBasicBlockRef from, copies *c) {
    LLVMValueRef i = LLVMGetFirstInstruction(from);
    for (c->count = 0; i && c->count < 64; i = LLVMGetNextInstruction(i), c->count++) {
        LLVMValueRef copy = LLVMInstructionClone(i);
        LLVMInsertIntoBuilder(s->builder, copy);
        for (int n = 0; n < LLVMGetNumOperands(copy); n++)
            LLVMSetOperand(copy, (unsigned)n, copy_of(c, LLVMGetOperand(copy, (unsigned)n)));
        c->olds[c->count] = i;
        c->news[c->count] = copy;
    }
}

/* What the phis of a successor get from the old block, they get from the copy too. */
static void extend_phis(LLVMBasicBlockRef successor, LLVMBasicBlockRef from, LLVMBasicBlockRef to,
                        const copies *c) {
    LLVMValueRef phi = LLVMGetFirstInstruction(successor);
    for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        for (unsigned n = 0, all = LLVMCountIncoming(phi); n < all; n++) {
            LLVMValueRef v = copy_of(c, LLVMGetIncomingValue(phi, n));
            if (LLVMGetIncomingBlock(phi, n) == from)
                LLVMAddIncoming(phi, &v, &to, 1);
        }
}

/* The block's copy takes one of its predecessors. Only of blocks without phis. */
static bool clone_block(scene *s) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(s->at);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    copies c;
    if (LLVMIsAPHINode(LLVMGetFirstInstruction(from)) || !end || !br_is_branch(end))
        return false;
    LLVMBasicBlockRef to = LLVMInsertBasicBlockInContext(s->context, from, "");
    LLVMPositionBuilderAtEnd(s->builder, to);
    copy_instructions(s, from, &c);
    for (unsigned e = 0; e < LLVMGetNumSuccessors(end); e++)
        extend_phis(LLVMGetSuccessor(end, e), from, to, &c);
    for (unsigned k = 0; k < s->count; k++)
        if (br_is_branch(s->all[k]) && LLVMGetSuccessor(s->all[k], 0) == from) {
            LLVMSetSuccessor(s->all[k], 0, to);
            break;
        }
    return true;
}

static void collect(scene *s) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(s->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && s->count < MOST;
             i = LLVMGetNextInstruction(i))
            s->all[s->count++] = i;
}

bool mutate(LLVMValueRef function, random_state *r) {
    static bool (*const changes[])(scene *) = {
        change_operand, change_operand, change_operand,   swap_operands,
        erase,          duplicate,      change_compare,   change_opcode,
        change_flags,   change_flags,   change_attribute, change_branch,
        change_address, change_load,    insert,           clone_block};
    scene *s = calloc(1, sizeof *s);
    bool done = false;
    s->function = function;
    s->r = r;
    s->context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    s->builder = LLVMCreateBuilderInContext(s->context);
    collect(s);
    if (s->count) {
        s->at = s->all[random_below(r, s->count)];
        done = changes[random_below(r, sizeof changes / sizeof *changes)](s);
    }
    LLVMDisposeBuilder(s->builder);
    free(s);
    return done;
}
