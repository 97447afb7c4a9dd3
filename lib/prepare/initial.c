/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Initial values of tables in constant memory.
 *
 * In a shadow of the kernel, the tables are replaced by constant ones for a while. LLVM unrolls the
 * loops over them, and puts their entries in. No load of a table must be left. At its entry the
 * shadow compares each entry in memory with its initial value.
 */
#include "prepare/initial.h"

#include "model/fixed_limits.h"
#include "prepare/unroll.h"
#include "target/target.h"

#include <llvm-c/Target.h>
#include <stdlib.h>

enum {
    MAX_TABLES = 8,
    MAX_ENTRIES = ST_LIMIT(128, 4), /* in all; a D3Q27 lattice has 81 */
    MAX_DEPTH = ST_LIMIT(24, 4)
};

typedef struct tables {
    LLVMValueRef table[MAX_TABLES];
    int count, entries;
} tables;

/* The variable that the pointer points into. */
static LLVMValueRef variable_of(LLVMValueRef pointer) {
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer) ||
           (LLVMIsAConstantExpr(pointer) && (LLVMGetConstOpcode(pointer) == LLVMGetElementPtr ||
                                             LLVMGetConstOpcode(pointer) == LLVMAddrSpaceCast)))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAGlobalVariable(pointer);
}

/* Integers in the value, which may be an array or a struct. -1: something else is in it, too. */
static int count_entries(LLVMValueRef value) {
    LLVMTypeRef t = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    int count = 0;
    if (kind == LLVMIntegerTypeKind) {
        unsigned bits = LLVMGetIntTypeWidth(t);
        return LLVMIsAConstantInt(value) && bits >= 8 && bits <= 64 && bits % 8 == 0 ? 1 : -1;
    }
    if (kind != LLVMArrayTypeKind && kind != LLVMStructTypeKind)
        return -1;
    uint64_t parts = kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(t)
                                               : (uint64_t)LLVMCountStructElementTypes(t);
    for (uint64_t i = 0; i < parts; i++) {
        LLVMValueRef part =
            i <= MAX_ENTRIES ? LLVMGetAggregateElement(value, (unsigned)i) : (LLVMValueRef)NULL;
        int more = part ? count_entries(part) : -1;
        if (more < 0 || count + more > MAX_ENTRIES)
            return -1;
        count += more;
    }
    return count;
}

/* A table that the host fills in before it launches the kernel is 0 at first. */
static bool is_table(LLVMValueRef v) {
    LLVMValueRef initial = v ? LLVMGetInitializer(v) : NULL;
    return initial && LLVMIsExternallyInitialized(v) && !LLVMIsThreadLocal(v) &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == TG_CONSTANT && !LLVMIsNull(initial) &&
           LLVMGetTypeKind(LLVMTypeOf(initial)) != LLVMIntegerTypeKind;
}

/* Is an address computed with the value? */
static bool is_in_address(LLVMValueRef v, int depth) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && depth; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) != v)
            return true;
        bool passes = LLVMIsABinaryOperator(user) || LLVMIsACastInst(user) ||
                      LLVMIsASelectInst(user) || LLVMIsAPHINode(user) || LLVMIsAFreezeInst(user) ||
                      LLVMIsACallInst(user);
        if (passes && LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMIntegerTypeKind &&
            is_in_address(user, depth - 1))
            return true;
    }
    return false;
}

static void add_table(tables *t, LLVMValueRef table) {
    for (int i = 0; i < t->count; i++)
        if (t->table[i] == table)
            return;
    int entries = t->count < MAX_TABLES ? count_entries(LLVMGetInitializer(table)) : -1;
    if (entries < 0 || t->entries + entries > MAX_ENTRIES)
        return;
    t->table[t->count++] = table;
    t->entries += entries;
}

static bool is_wanted(LLVMValueRef load) {
    LLVMTypeRef type = LLVMTypeOf(load);
    return LLVMIsALoadInst(load) && LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
           is_table(variable_of(LLVMGetOperand(load, 0))) && is_in_address(load, MAX_DEPTH);
}

static void find_tables(tables *t, LLVMValueRef function) {
    *t = (tables){.count = 0};
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_wanted(i))
                add_table(t, variable_of(LLVMGetOperand(i, 0)));
}

/* A constant with the table's initial value, in its place in the function. */
static LLVMValueRef replace(LLVMValueRef function, LLVMValueRef table) {
    LLVMTypeRef type = LLVMGlobalGetValueType(table);
    LLVMValueRef constant =
        LLVMAddGlobalInAddressSpace(LLVMGetGlobalParent(function), type, "initial", TG_CONSTANT);
    LLVMSetInitializer(constant, LLVMGetInitializer(table));
    LLVMSetGlobalConstant(constant, true);
    LLVMSetLinkage(constant, LLVMInternalLinkage);
    LLVMSetAlignment(constant, LLVMGetAlignment(table));
    br_function_replace(function, table, constant);
    return constant;
}

/* Puts the table back where the constant is still used. */
static bool remove_constant(LLVMValueRef constant, LLVMValueRef table) {
    br_drop_dead_constants(constant);
    bool used = LLVMGetFirstUse(constant) != NULL;
    LLVMReplaceAllUsesWith(constant, table);
    LLVMDeleteGlobal(constant);
    return !used;
}

static bool put_in(prep_shadow *s) {
    static const char simplify[] = "sccp,early-cse,instcombine<no-verify-fixpoint>,simplifycfg";
    unroll_shadow(s, UNROLL_MAX_READS); /* there may be no loops */
    bool good = prep_run_passes(s->function, simplify);
    s->body = LLVMGetEntryBasicBlock(s->function);
    br_function_invalidate(s->f);
    return good;
}

bool prep_take_initial(prep_shadow *s, br_function *f, LLVMValueRef function) {
    LLVMValueRef constants[MAX_TABLES];
    tables t;
    s->f = NULL;
    find_tables(&t, function);
    if (t.count == 0 || !prep_make_shadow(s, f))
        return false;
    for (int i = 0; i < t.count; i++)
        constants[i] = replace(s->function, t.table[i]);
    bool good = put_in(s);
    for (int i = 0; i < t.count; i++)
        good &= remove_constant(constants[i], t.table[i]);
    if (!good)
        prep_drop_shadow(s);
    s->initial = good;
    return good;
}

typedef struct comparison {
    LLVMBuilderRef b;
    LLVMTargetDataRef data;
    LLVMValueRef table, all; /* all: the bits in which entries differ */
    unsigned alignment;
} comparison;

static void compare_entry(comparison *c, LLVMValueRef value, uint64_t at) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(value));
    LLVMTypeRef byte = LLVMInt8TypeInContext(context), wide = LLVMInt64TypeInContext(context);
    LLVMValueRef offset = LLVMConstInt(wide, at, false);
    LLVMValueRef place = LLVMConstInBoundsGEP2(byte, c->table, &offset, 1);
    LLVMValueRef entry = LLVMBuildLoad2(c->b, LLVMTypeOf(value), place, "");
    LLVMSetAlignment(entry, 1u << __builtin_ctzll(at | c->alignment));
    LLVMValueRef bits = LLVMBuildXor(c->b, entry, value, "");
    LLVMTypeRef int_type = LLVMInt32TypeInContext(context);
    if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 32)
        bits = LLVMBuildOr(
            c->b, LLVMBuildTrunc(c->b, bits, int_type, ""),
            LLVMBuildTrunc(
                c->b, LLVMBuildLShr(c->b, bits, LLVMConstInt(LLVMTypeOf(value), 32, false), ""),
                int_type, ""),
            "");
    else
        bits = LLVMBuildZExt(c->b, bits, int_type, "");
    c->all = c->all ? LLVMBuildOr(c->b, c->all, bits, "") : bits;
}

static void compare(comparison *c, LLVMValueRef value, uint64_t at) {
    LLVMTypeRef t = LLVMTypeOf(value);
    if (LLVMGetTypeKind(t) == LLVMIntegerTypeKind) {
        compare_entry(c, value, at);
        return;
    }
    bool array = LLVMGetTypeKind(t) == LLVMArrayTypeKind;
    unsigned parts = array ? (unsigned)LLVMGetArrayLength2(t) : LLVMCountStructElementTypes(t);
    for (unsigned i = 0; i < parts; i++)
        compare(c, LLVMGetAggregateElement(value, i),
                at + (array ? i * LLVMABISizeOfType(c->data, LLVMGetElementType(t))
                            : LLVMOffsetOfElement(c->data, t, i)));
}

void prep_test_initial(prep_shadow *s, LLVMValueRef function) {
    comparison c = {prep_begin_test(s, "tables", "other_tables"),
                    LLVMGetModuleDataLayout(LLVMGetGlobalParent(s->function)), NULL, NULL, 0};
    tables t;
    find_tables(&t, function);
    for (int i = 0; i < t.count; i++) {
        unsigned own = LLVMGetAlignment(t.table[i]);
        LLVMTypeRef type = LLVMGlobalGetValueType(t.table[i]);
        c.table = t.table[i];
        c.alignment = own ? own : LLVMABIAlignmentOfType(c.data, type);
        compare(&c, LLVMGetInitializer(c.table), 0);
    }
    LLVMValueRef none = LLVMConstNull(LLVMTypeOf(c.all));
    prep_end_test(s, c.b, LLVMBuildICmp(c.b, LLVMIntEQ, c.all, none, ""));
}
